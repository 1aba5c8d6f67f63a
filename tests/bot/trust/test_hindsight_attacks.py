"""T19: whatever a host, an admin and their friends try, nobody gets a second hand or hindsight (P19, P20)."""

import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import msgspec
import pytest

from bot.host.deciders import departures, moderation, offer_answers, own_undo, play, seats, undoing, voting
from bot.host.deciders.decision import Decision
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal, Request
from bot.host.table import IN_PLAY, Table
from bot.host.tables import Tables
from bot.store.clock_rows import TimeControl
from bot.store.rows import Status
from bot.store.seat_rows import Person
from rules.match import Match
from rules.model import CHANCE, MODERATOR, Resign, Seat
from rules.record import Undo
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    begin,
    default_setup,
    mark_offers_posted,
    seat_and_random_action,
)
from tests.bot.host.timed_tables import change_row
from tests.bot.trust.seeded_defects import (
    ask_present_players_only,
    forget_earlier_seats,
    let_moderators_decide,
)
from tests.trials import trial_count

ADMIN_USER: Final = 900
FRIEND_USERS: Final = (901, 902)
ACT_COUNT: Final = 120
SIX_HOURS_A_TURN: Final = TimeControl(turn_seconds=6 * 3600, grace_seconds=0)


class Attack:
    """One table at which everybody tries everything, and what each of them has come to know."""

    def __init__(self, tables: Tables, clock: ManualClock, number: int, rng: random.Random) -> None:
        """``number``: the table's."""
        self.tables, self.clock, self.number, self.rng = tables, clock, number, rng
        self.seen_seats_by_user: dict[int, set[int]] = {}
        """The seats whose hand each user has seen."""
        self.followed_length_by_user: dict[int, int] = {}
        """How many records of the history each user has followed from a seat."""
        self.joined_length_by_user: dict[int, int] = {}
        """By user: how long the history was when they got a seat."""
        self.absence_start_by_user: dict[int, int] = {}
        """By user: how long the history was when a computer player took over until they are back."""
        self.agreed_users: set[int] = set()
        """Who has agreed to the open question."""
        self.last_act_is_vote = False
        """Whether the last act was a vote on a question."""
        self.seen_hand_count = 0
        """How often somebody saw the hand of a seat for the first time, those of the start included."""
        self.take_back_count = 0

    async def try_acts(self) -> None:
        """Try many acts; check after each what everybody knows."""
        self._update_knowledge(await self.tables.get(self.number))
        for _ in range(ACT_COUNT):
            before = await self.tables.get(self.number)
            if before.status not in IN_PLAY:
                break
            self.last_act_is_vote = False
            user = await self._act(before)
            after = await self.tables.get(self.number)
            self._check(before, after, user)
            self._update_knowledge(after)

    def _update_knowledge(self, table: Table) -> None:
        """Note what everybody with a seat now knows: the hand, and the game so far."""
        assert table.match is not None
        length, is_first = len(table.match.history), not self.joined_length_by_user
        absent_users = {
            row.user for row in table.seats if row.substitute and row.substitute_only_turn_start is None
        }
        self.absence_start_by_user = {
            user: self.absence_start_by_user.get(user, length) for user in absent_users if user is not None
        }
        for seat, row in enumerate(table.seats):
            if row.user is None:
                continue
            self.joined_length_by_user.setdefault(row.user, 0 if is_first else length)
            self.seen_hand_count += seat not in self.seen_seats_by_user.setdefault(row.user, set())
            self.seen_seats_by_user[row.user].add(seat)
            if seat not in table.match.resigned_seats:
                self.followed_length_by_user[row.user] = len(table.match.history)

    def _check(self, before: Table, after: Table, user: int) -> None:
        """Check that nobody has two hands, and that all who saw it agreed to what was taken back."""
        for each, seats_of_user in self.seen_seats_by_user.items():
            assert len(seats_of_user) == 1, f"user {each} has seen the hands of seats {sorted(seats_of_user)}"
        assert before.match is not None
        assert after.match is not None
        if len(after.match.history) < len(before.match.history):
            first_record = after.match.new_records[0]
            assert isinstance(first_record.action, Undo)
            self.take_back_count += 1
            asker = self._asker(before, first_record.actor, user)
            is_roll_back = first_record.actor == MODERATOR
            self._check_take_back(
                before, before.match, first_record.action.kept_length, asker, is_roll_back=is_roll_back
            )
        if after.row.question is None or before.row.question is None:
            self.agreed_users.clear()

    def _asker(self, before: Table, actor: int, user: int) -> int | None:
        """Return who wanted what was taken back: a seat's player, or the moderator who asked or did it."""
        if actor != MODERATOR:
            return before.seats[actor].user
        question = before.row.question
        return question.asker.user if self.last_act_is_vote and question and question.asker else user

    def _check_take_back(
        self, table: Table, match: Match, kept_length: int, asker: int | None, *, is_roll_back: bool
    ) -> None:
        own_seats = {Seat(seat) for seat, row in enumerate(table.seats) if row.user == asker}
        is_news = any(
            any(record.action.reveals(viewer) for viewer in (None, *own_seats))
            if record.actor == CHANCE
            else record.is_choice
            and (
                is_roll_back or record.actor in own_seats  # resignations of others stand after an undo
                if isinstance(record.action, Resign)
                else record.actor not in own_seats
            )
            for record in match.history[kept_length:]
        )
        remaining_records = match.history[: kept_length if is_roll_back else None]
        resigned_seats = {each.actor for each in remaining_records if isinstance(each.action, Resign)}
        agreeing_users = {
            row.user
            for row in table.seats
            if row.user is not None
            and row.user in {asker, *self.agreed_users} - {*self.absence_start_by_user}
            and self.joined_length_by_user[row.user] <= kept_length
        }
        for user, length in self.followed_length_by_user.items():
            is_excused = (
                self.absence_start_by_user.get(user, length) <= kept_length and len(agreeing_users) > 1
            )
            if (
                is_news
                and user != asker
                and length > kept_length
                and not resigned_seats & self.seen_seats_by_user[user]
                and not is_excused
            ):
                assert user in self.agreed_users, f"user {asker} took back what user {user} had seen"
            self.followed_length_by_user[user] = min(length, kept_length)
        for lengths in (self.joined_length_by_user, self.absence_start_by_user):
            lengths.update({user: min(length, kept_length) for user, length in lengths.items()})

    async def _act(self, table: Table) -> int:
        """Let somebody try something; return who."""
        user = self.rng.choice([FIRST_USER, FIRST_USER, ADMIN_USER, *FRIEND_USERS, *self.seen_seats_by_user])
        request = Request(
            user=user,
            name=f"Name {user}",
            interaction=self.rng.randrange(2**60),
            guild=GUILD,
            is_admin=user == ADMIN_USER,
            at=int(self.clock.now),
        )
        acts = (self._play, self._offer_seat, self._answer_offer, self._undo, self._roll_back, self._vote)
        act: Callable[[Table, Request], Awaitable[int]] = self.rng.choice(
            [*acts, *acts, *acts, self._play, self._play, self._resign, self._wait, self._interrupt]
        )
        return await act(table, request)

    async def _try(self, request: Request, decide: Callable[[Table], Decision]) -> bool:
        try:
            await self.tables.change(self.number, request, decide)
        except Refusal:
            return False
        return True

    async def _play(self, table: Table, request: Request) -> int:
        if table.to_act is None:
            return request.user
        row = table.seats[table.to_act]
        _, action = seat_and_random_action(table, self.rng)
        if row.user is None or (row.substitute is not None and self.rng.random() < 0.95):
            await self._try(request, partial(play.play_computer_turn, choose=lambda _, __: action))
            return request.user
        own_request = Request(user=row.user, name=row.name, interaction=request.interaction, guild=GUILD)
        await self._try(own_request, partial(play.play, request=own_request, actions=(action,)))
        return row.user

    async def _offer_seat(self, table: Table, request: Request) -> int:
        seat = Seat(self.rng.randrange(len(table.seats)))
        guest_user = self.rng.choice([None, ADMIN_USER, *FRIEND_USERS, *self.seen_seats_by_user])
        newcomer = None if guest_user is None else Person(guest_user, f"Name {guest_user}")
        offer = partial(seats.offer_seat, request=request, seat=seat, newcomer=newcomer, computer="random")
        if await self._try(request, offer):
            await mark_offers_posted(self.tables, self.number)
        return request.user

    async def _answer_offer(self, table: Table, request: Request) -> int:
        offered = [seat for seat, row in enumerate(table.seats) if row.offer is not None]
        if not offered:
            return request.user
        seat = Seat(self.rng.choice(offered))
        offer = table.seats[seat].offer
        assert offer is not None
        draw = self.rng.random()
        answer = partial(offer_answers.agree_to_give_seat_away, computer="random")
        if draw < 0.1:
            answer = partial(offer_answers.decline_offer)
        elif draw < 0.6:
            answer = partial(offer_answers.accept_offer)
        user = table.seats[seat].user
        if draw < 0.5 and offer.newcomer is not None:
            user = offer.newcomer.user  # else the asked one, now and then anybody
        if user is not None and self.rng.random() < 0.7:
            request = msgspec.structs.replace(request, user=user)
        await self._try(request, partial(answer, request=request, seat=seat, offer_id=offer.id))
        return request.user

    async def _undo(self, table: Table, request: Request) -> int:
        takes_whole_turn = self.rng.random() < 0.5
        await self._try(request, partial(own_undo.undo, request=request, is_whole_turn=takes_whole_turn))
        return request.user

    async def _roll_back(self, table: Table, request: Request) -> int:
        move_number = max(0, table.move_count - self.rng.randint(1, 4))
        await self._try(request, partial(moderation.roll_back, request=request, move_number=move_number))
        return request.user

    async def _vote(self, table: Table, request: Request) -> int:
        question = table.row.question
        if question is None:
            return request.user
        self.last_act_is_vote, is_yes = True, self.rng.random() < 0.9
        if question.asked_users and self.rng.random() < 0.5:  # else anybody
            request = msgspec.structs.replace(request, user=self.rng.choice(question.asked_users))
        if is_yes:
            self.agreed_users.add(request.user)
        vote = partial(voting.vote, request=request, question_id=question.id, is_yes=is_yes)
        await self._try(request, vote)
        return request.user

    async def _resign(self, table: Table, request: Request) -> int:
        if self.rng.random() < 0.1:
            await self._try(request, partial(departures.resign, request=request, computer="random"))
        return request.user

    async def _interrupt(self, table: Table, request: Request) -> int:
        """Pause, freeze and thaw: what was asked before must not be answered in another game."""
        kind = self.rng.randrange(3)
        if table.status is Status.PAUSED:
            await self._try(request, partial(moderation.resume, request=request))
        elif kind == 0:
            await self._try(request, partial(moderation.pause, request=request))
        else:
            for decide in (moderation.freeze, moderation.thaw):
                operator_request = msgspec.structs.replace(request, interaction=self.rng.randrange(2**60))
                await self._try(operator_request, partial(decide, reason="Why."))
        return request.user

    async def _wait(self, table: Table, request: Request) -> int:
        self.clock.now += self.rng.choice([600, 8 * 3600, 25 * 3600])
        await Housekeeping(self.tables).do_due_work_at_tables()
        return 0


async def _attack(
    tables: Tables, clock: ManualClock, count: int, *, with_absent_person: bool = False
) -> tuple[int, int]:
    """Attack many tables; return how many seats changed hands and how often moves were taken back.

    ``with_absent_person``: at tables of two people, of whom one is often away.
    """
    hand_over_count = take_back_count = 0
    for index in range(count):
        rng = random.Random(f"attack {index}")
        people_count = 2 if with_absent_person else rng.randint(1, 4)
        setup = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 4)
        number = await begin(tables, setup, computer_count=4 - people_count)
        await change_row(
            tables,
            number,
            time_control=SIX_HOURS_A_TURN if with_absent_person else rng.choice((None, SIX_HOURS_A_TURN)),
        )
        attack = Attack(tables, clock, number, rng)
        await attack.try_acts()
        hand_over_count += attack.seen_hand_count - people_count
        take_back_count += attack.take_back_count
    return hand_over_count, take_back_count


@pytest.mark.trust_test("T19")
async def test_no_second_hand_and_no_hindsight(
    tables: Tables, clock: ManualClock, add_trials: Callable[[int], None]
) -> None:
    """Whoever acts, nobody sees two hands, and nothing is taken back that others saw and did not allow."""
    count = trial_count(short=10, soak=2_000)
    hand_over_count, take_back_count = await _attack(tables, clock, count)
    assert hand_over_count > count / 2, "hardly any seat changed hands"
    assert take_back_count > count, "hardly any game went back"
    add_trials(count)


def _never_ask_replaced_players(patch: pytest.MonkeyPatch) -> None:
    ask_present_players_only(patch)
    patch.setattr(own_undo, "users_to_ask", vars(moderation)["users_to_ask"])


def _let_the_first_yes_decide(patch: pytest.MonkeyPatch) -> None:
    real = voting.vote

    def vote(table: Table, request: Request, question_id: int, *, is_yes: bool) -> Decision:
        question = table.row.question
        if question is None or not is_yes or request.user not in question.asked_users:
            return real(table, request, question_id, is_yes=is_yes)
        return voting._carry_out_agreement(table, question, request.at)

    patch.setattr(voting, "vote", vote)


@pytest.mark.trust_test("T19", sensitivity=True)
@pytest.mark.parametrize(
    "defect",
    [
        forget_earlier_seats,
        _never_ask_replaced_players,
        let_moderators_decide,
        _let_the_first_yes_decide,
    ],
)
async def test_rules_that_forget_or_ask_too_few_are_caught(
    tables: Tables,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    defect: Callable[[pytest.MonkeyPatch], None],
) -> None:
    """Sensitivity: rules that forget earlier seats or players, or ask too few, are caught."""
    defect(monkeypatch)
    with pytest.raises(AssertionError, match="seen"):
        await _attack(tables, clock, 40)


@pytest.mark.trust_test("T19", sensitivity=True)
async def test_agreement_in_place_of_the_absent_is_caught(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sensitivity: if a newcomer or an admin may agree in the place of who is away, that is caught."""
    everybody = frozenset({ADMIN_USER, *FRIEND_USERS, *range(FIRST_USER, FIRST_USER + 4)})
    monkeypatch.setattr(undoing, "_users_playing_since", lambda *_: everybody)
    with pytest.raises(AssertionError, match="seen"):
        await _attack(tables, clock, 40, with_absent_person=True)
