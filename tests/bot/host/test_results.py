"""What is stored of a game that is over: places and scores, who left, and whether it is rated."""

import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeAlias

import msgspec
import pytest

from bot.chat import pages
from bot.chat.result_posts import result_post
from bot.host.deciders import moderation, offer_answers, seat_offers, seats, voting
from bot.host.deciders.decision import Decision, hand_delivery
from bot.host.erasing import erase_person
from bot.host.housekeeping import Housekeeping
from bot.host.ratings import Contender
from bot.host.reliability import Reliability, reliability_of
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import SeatClock
from bot.store.results import FORMER_PLAYER, Participation, ResultPlayer, UnratedReason
from bot.store.rows import Status
from bot.store.seat_rows import Person
from rules.game import AnyGame
from rules.model import Seat
from tests.bot.host.continuing_games import CONTINUING_GAME_KEYS
from tests.bot.host.ended_games import (
    GAME_ENDED_BY_RESIGNATION,
    make_any_move,
    play_to_end,
    resign,
    stored_result,
)
from tests.bot.host.erased_person import check_progress
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    NAMES,
    ManualClock,
    begin,
    default_setup,
    give_seat_away,
    make_move,
    mark_offers_posted,
    request_of_person,
)
from tests.bot.host.timed_tables import notice_texts

Intervention: TypeAlias = Callable[[Tables, int, ManualClock], Awaitable[None]]


GUEST: Final = Person(900, "Guest")


@pytest.mark.parametrize(
    "game", [GAMES_AND_TOYS["pearls"], GAME_ENDED_BY_RESIGNATION], ids=lambda game: game.key
)
async def test_a_finished_game_is_stored(tables: Tables, clock: ManualClock, game: AnyGame) -> None:
    """Its result has every seat's place and score as the game returns them, and is rated."""
    number = await begin(tables, default_setup(game, 2), computer_count=1)
    assert await stored_result(tables, number) is None
    table = await play_to_end(tables, number)
    assert table.match is not None
    result = await stored_result(tables, number)
    assert result is not None
    assert (result.game_key, result.guild, result.ended_at) == (game.key, GUILD, int(clock.now))
    assert result.unrated_reason is None
    assert result.players == tuple(
        ResultPlayer(
            standing.seat,
            Participation.PLAYED,
            table.seats[standing.seat].name,
            standing.rank,
            standing.score,
            table.seats[standing.seat].user,
            table.seats[standing.seat].computer,
        )
        for standing in sorted(table.match.returns().standings, key=lambda each: (each.rank, each.seat))
    )


async def test_somebody_who_resigns_is_last(tables: Tables) -> None:
    """A resignation that ends the game is a loss, and says that its player left."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    await resign(tables, number, 0)
    result = await stored_result(tables, number)
    assert result is not None
    assert [(each.user, each.participation, each.place) for each in result.players] == [
        (FIRST_USER + 1, Participation.PLAYED, 1),
        (FIRST_USER, Participation.LEFT_EARLY, 2),
    ]
    assert result.unrated_reason is None


@pytest.mark.parametrize("newcomer", [None, GUEST], ids=["computer", "person"])
async def test_somebody_who_gives_up_a_seat_is_last(tables: Tables, newcomer: Person | None) -> None:
    """The successor may even win: it counts for nobody, and who left is below all who played."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    await give_seat_away(tables, number, 0, newcomer)
    await resign(tables, number, 1)
    result = await stored_result(tables, number)
    assert result is not None
    successor, *left = result.players
    assert (successor.seat, successor.participation, successor.place) == (0, Participation.TOOK_OVER, 1)
    assert successor.user == (None if newcomer is None else newcomer.user)
    assert [(each.user, each.participation, each.place) for each in left] == [
        (FIRST_USER, Participation.LEFT_EARLY, 2),
        (FIRST_USER + 1, Participation.LEFT_EARLY, 2),
    ]
    assert {each.name for each in left} == set(NAMES[:2])
    post_text = result_post(await tables.get(number)).text
    assert [line for line in post_text.splitlines() if "left early" in line] == [f"{NAMES[0]} left early."]


async def test_somebody_who_comes_back_has_played(tables: Tables) -> None:
    """A seat that its first player has again counts as theirs alone."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    await give_seat_away(tables, number, 0, GUEST)
    await take_seat_back(tables, number)
    await resign(tables, number, 1)
    result = await stored_result(tables, number)
    assert result is not None
    assert [(each.user, each.participation) for each in result.players] == [
        (FIRST_USER, Participation.PLAYED),
        (FIRST_USER + 1, Participation.LEFT_EARLY),
    ]


async def test_somebody_for_whom_a_substitute_plays_at_the_end_has_left(tables: Tables) -> None:
    """A computer player that still plays for somebody at the end counts for nobody; they are last."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    row = msgspec.structs.replace(
        (await tables.get(number)).seats[0], substitute="casual", substituted_since_index=0
    )
    await tables.change(number, None, lambda table: Decision(table=table.with_seat(0, row), answer=""))
    await resign(tables, number, 1)
    result = await stored_result(tables, number)
    assert result is not None
    assert [
        (each.seat, each.participation, each.place, each.user, each.computer) for each in result.players
    ] == [
        (0, Participation.TOOK_OVER, 1, None, "casual"),
        (0, Participation.LEFT_EARLY, 2, FIRST_USER, None),
        (1, Participation.LEFT_EARLY, 2, FIRST_USER + 1, None),
    ]


@pytest.mark.parametrize("first_player", ["stays", "comes back", "gives the seat away"])
async def test_missed_turns_count_for_somebody_who_missed_them(tables: Tables, first_player: str) -> None:
    """They count if a substitute plays at the end, and if they had left before, but not after they left."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    if first_player != "stays":
        await give_seat_away(tables, number, 0, GUEST)
    if first_player == "comes back":
        await take_seat_back(tables, number)
    row = msgspec.structs.replace(
        (await tables.get(number)).seats[0],
        clock=SeatClock(missed_turn_count=3),
        substitute="casual",
        substituted_since_index=0,
    )
    await tables.change(number, None, lambda table: Decision(table=table.with_seat(0, row), answer=""))
    await resign(tables, number, 1)
    result = await stored_result(tables, number)
    assert result is not None
    missed_turn_counts = {each.user: each.missed_turn_count for each in result.players if each.seat == 0}
    assert missed_turn_counts == {None: 0, FIRST_USER: 0 if first_player == "gives the seat away" else 3}


@pytest.mark.parametrize("has_resigned", [False, True])
async def test_an_erased_opponent_counts(tables: Tables, *, has_resigned: bool) -> None:
    """Somebody who wins against somebody who has their data erased before the end wins a rated game."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    if has_resigned:
        await resign(tables, number, 0)
    await erase_person(tables, request_of_person(0), check_progress)
    await play_to_end(tables, number)
    result = await stored_result(tables, number)
    assert result is not None
    assert result.unrated_reason is None
    leavers = [each for each in result.players if each.participation is Participation.LEFT_EARLY]
    assert [(each.seat, each.user, each.computer, each.name) for each in leavers] == [
        (0, None, None, FORMER_PLAYER)
    ]
    assert (
        Contender(FIRST_USER + 1, GUILD)
        in (await tables.rating_cache.ratings_of(GAME_ENDED_BY_RESIGNATION.key)).rated_outcomes
    )


async def test_somebody_who_left_before_the_last_person_was_erased_has_lost(tables: Tables) -> None:
    """Somebody who gave their seat away before the last person was erased has lost the game."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    last_seat = (await tables.get(number)).to_act
    assert last_seat is not None
    await give_seat_away(tables, number, 1 - last_seat, None)
    await make_move(tables, number, random.Random(1))
    await erase_person(tables, request_of_person(last_seat), check_progress)
    result = await stored_result(tables, number)
    assert result is not None
    assert result.unrated_reason is None
    places = [(each.user, each.place) for each in result.players]
    assert places == [(None, 1), (FIRST_USER + 1 - last_seat, 2)]


async def test_a_computer_for_one_turn_changes_nothing(tables: Tables) -> None:
    """Somebody for whom a computer plays a single turn, in which the game ends, has played the game."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    seat_row = (await tables.get(number)).seats[0]
    row = msgspec.structs.replace(seat_row, substitute="casual", substitute_only_turn_start=0)
    await tables.change(number, None, lambda table: Decision(table=table.with_seat(0, row), answer=""))
    await resign(tables, number, 1)
    result = await stored_result(tables, number)
    assert result is not None
    assert [(each.seat, each.participation) for each in result.players] == [
        (0, Participation.PLAYED),
        (1, Participation.LEFT_EARLY),
    ]


async def take_seat_back(tables: Tables, number: int) -> None:
    """Let the first player of seat 0 take it again from the guest."""
    guest_request = msgspec.structs.replace(request_of_person(0), user=GUEST.user, name=GUEST.name)
    first_player = Person(FIRST_USER, NAMES[0])
    offer = partial(
        seats.offer_seat, request=guest_request, seat=Seat(0), newcomer=first_player, computer="random"
    )
    offered = (await tables.change(number, guest_request, offer)).table.seats[0].offer
    assert offered is not None
    accept = partial(
        offer_answers.accept_offer, request=request_of_person(0), seat=Seat(0), offer_id=offered.id
    )
    await tables.change(number, request_of_person(0), accept)


async def test_leaving_computers_alone_is_a_loss(tables: Tables) -> None:
    """When the last person leaves, the computers that played from the start are ahead."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2), computer_count=1)
    table = await give_seat_away(tables, number, 0, None)
    assert table.status is Status.ENDED_EARLY
    result = await stored_result(tables, number)
    assert result is not None
    assert [(each.seat, each.participation, each.place, each.score) for each in result.players] == [
        (1, Participation.PLAYED, 1, None),
        (0, Participation.LEFT_EARLY, 2, None),
    ]
    assert result.unrated_reason is None


async def test_somebody_who_leaves_first_is_last(tables: Tables) -> None:
    """Of people who all leave, the one who stayed longest is ahead."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 4))
    rng = random.Random(1)
    for seat in (2, 0, 3, 1):
        table = await give_seat_away(tables, number, seat, None)
        if table.status is Status.PLAYING:
            while (await tables.get(number)).to_act not in {None, 1}:
                await make_any_move(tables, number, rng)
            await make_any_move(tables, number, rng)
    result = await stored_result(tables, number)
    assert result is not None
    assert [(each.seat, each.place) for each in result.players] == [(1, 1), (3, 2), (0, 3), (2, 4)]


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
@pytest.mark.parametrize("last_person_resigns", [False, True])
async def test_somebody_who_has_resigned_keeps_no_game_going(
    tables: Tables, key: str, *, last_person_resigns: bool
) -> None:
    """Once all people have resigned or left, the game ends at once; who stayed longest is ahead."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[key]), computer_count=1)
    people_seats = [seat for seat, row in enumerate((await tables.get(number)).seats) if row.user is not None]
    await resign(tables, number, people_seats[0])
    for seat in people_seats[1:-1]:
        await give_seat_away(tables, number, seat, None)
    for _ in range(4):
        await make_any_move(tables, number, random.Random(1))
    table = await tables.get(number)
    assert table.status is Status.PLAYING
    last_seat = people_seats[-1]
    assert "the game ends" in pages.confirm_resign_post(table, request_of_person(last_seat)).text
    assert "the game ends" in pages.confirm_give_to_computer_post(table, request_of_person(last_seat)).text
    newest_id = max(each.id for each in await tables.store.waiting_deliveries(number))
    table = await (
        resign(tables, number, last_seat)
        if last_person_resigns
        else give_seat_away(tables, number, last_seat, None)
    )
    assert table.status is Status.ENDED_EARLY
    slots = [each.slot for each in await tables.store.waiting_deliveries(number) if each.id > newest_id]
    has_hand = hand_delivery(people_seats[0]).slot in slots
    assert has_hand is bool(table.game.hidden_information), "it loses its buttons"
    end_text = "No other person is left, so the game has ended. It is rated: the computer players are ahead"
    assert end_text in (await notice_texts(tables, number))[-1]
    result = await stored_result(tables, number)
    assert result is not None
    computer, first, *_, worst = result.players
    assert (computer.participation, computer.place, computer.user) == (Participation.PLAYED, 1, None)
    assert (first.user, first.place) == (FIRST_USER + last_seat, 2)
    assert (worst.user, worst.place) == (FIRST_USER + people_seats[0], len(people_seats) + 1)
    assert {each.participation for each in result.players[1:]} == {Participation.LEFT_EARLY}
    assert reliability_of((worst,) * 3) is Reliability.NEW, "resigning counts neither for nor against"


async def test_no_computer_takes_the_seat_of_somebody_who_ends_the_game(tables: Tables) -> None:
    """Where computers take over, that of the last person is said to go to nobody: the game ends."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 4), computer_count=2)
    people_seats = [seat for seat, row in enumerate((await tables.get(number)).seats) if row.user is not None]
    name = (await tables.get(number)).names[people_seats[1]]
    await resign(tables, number, people_seats[0])
    assert "takes seat" in (await notice_texts(tables, number))[-1]
    assert (await resign(tables, number, people_seats[1])).status is Status.ENDED_EARLY
    text = f"{name} resigned. No other person is left, so the game has ended."
    assert (await notice_texts(tables, number))[-1].startswith(text)


async def test_leaving_computers_alone_is_said_to_be_a_loss(tables: Tables) -> None:
    """Both questions say it before, the notice after, unless the game is not rated."""
    setup, request = default_setup(GAMES_AND_TOYS["current_affairs"], 3), request_of_person(0)
    loss_text = " In the rating this counts as a loss: the computer players are then ahead of you."
    end_texts = {
        True: "It is rated: the computer players are ahead of all who left.",
        False: "It is not rated.",
    }
    for is_rated, end_text in end_texts.items():
        number = await begin(tables, setup, computer_count=2)
        if not is_rated:
            await lose_rating(tables, number)
        table = await tables.get(number)
        for post in (
            pages.confirm_resign_post(table, request),
            pages.confirm_give_to_computer_post(table, request),
        ):
            assert (loss_text in post.text) is is_rated
        await resign(tables, number, 0)
        notice = (await notice_texts(tables, number))[-1]
        assert notice.startswith(f"No other person is left, so the game has ended. {end_text}\n")
        result = await stored_result(tables, number)
        assert result is not None
        assert (result.unrated_reason is None) is is_rated


async def lose_rating(tables: Tables, number: int) -> None:
    """Mark a game as one that is not rated."""
    await tables.change(
        number, None, lambda table: Decision(table=table.as_unrated(UnratedReason.THAWED), answer="")
    )


async def test_the_last_person_who_leaves_is_said_to_be_ahead(tables: Tables) -> None:
    """Without a computer player from the start, who stayed longest is ahead, as the question says."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 4))
    for seat in range(3):
        await resign(tables, number, seat)
    text = pages.confirm_resign_post(await tables.get(number), request_of_person(3)).text
    assert "In the rating you are then ahead of all who left before you.\n" in text
    await resign(tables, number, 3)
    assert "It is rated: who stayed longest is ahead.\n" in (await notice_texts(tables, number))[-1]


async def test_a_resignation_right_after_a_departure_is_later(tables: Tables) -> None:
    """Somebody who resigns after another has left, and before a third leaves, is placed between them."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 4), computer_count=1)
    for _ in range(6):
        await make_any_move(tables, number, random.Random(1))
    await give_seat_away(tables, number, 0, None)
    await resign(tables, number, 1)
    await give_seat_away(tables, number, 2, None)
    result = await stored_result(tables, number)
    assert result is not None
    assert [(each.seat, each.place) for each in result.players] == [(3, 1), (2, 2), (1, 3), (0, 4)]


async def test_a_game_that_is_ended_early_has_no_result(tables: Tables) -> None:
    """What the host ends counts nowhere."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    await tables.change(number, request_of_person(0), partial(moderation.end, request=request_of_person(0)))
    assert await stored_result(tables, number) is None


# What is not rated -------------------------------------------------------------------------------------


async def roll_back(tables: Tables, number: int, clock: ManualClock) -> None:
    """Roll the game back, as its players agree."""
    for _ in range(4):
        await make_move(tables, number, random.Random(2))
    host_request = msgspec.structs.replace(request_of_person(0), at=int(clock.now))
    asked_table = (
        await tables.change(
            number, host_request, partial(moderation.roll_back, request=host_request, move_number=1)
        )
    ).table
    assert asked_table.row.question is not None
    vote = partial(
        voting.vote, request=request_of_person(1), question_id=asked_table.row.question.id, is_yes=True
    )
    rolled_back_table = (await tables.change(number, request_of_person(1), vote)).table
    assert rolled_back_table.move_count == 1


async def give_seat_away_by_silence(tables: Tables, number: int, clock: ManualClock) -> None:
    """Let the host give away the seat of somebody who does not object in time."""
    host_request = msgspec.structs.replace(request_of_person(0), at=int(clock.now))
    offer = partial(seats.offer_seat, request=host_request, seat=Seat(1), newcomer=None, computer="random")
    await tables.change(number, host_request, offer)
    await mark_offers_posted(tables, number)
    clock.now += seat_offers.OBJECTION_TIME + 1
    await Housekeeping(tables).do_due_work_at_tables()
    assert (await tables.get(number)).seats[1].computer is not None


async def freeze_and_thaw(tables: Tables, number: int) -> None:
    """Freeze the game and thaw it."""
    for decide in (moderation.freeze, moderation.thaw):
        await tables.change(number, None, partial(decide, reason="A test."))


@pytest.mark.parametrize(
    ("intervene", "reason"),
    [
        (roll_back, UnratedReason.ROLLED_BACK),
        (give_seat_away_by_silence, UnratedReason.SEAT_GIVEN_AWAY),
    ],
)
async def test_an_intervention_is_not_rated(
    tables: Tables, clock: ManualClock, intervene: Intervention, reason: UnratedReason
) -> None:
    """What a moderator did to a game is the reason why its result is not rated."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    await intervene(tables, number, clock)
    await resign(tables, number, 0)
    result = await stored_result(tables, number)
    assert result is not None
    assert result.unrated_reason is reason


async def test_a_thawed_game_is_rated(tables: Tables) -> None:
    """A freeze changes nothing of a game: if it goes on under the same rules, its result is rated."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    await freeze_and_thaw(tables, number)
    await resign(tables, number, 0)
    result = await stored_result(tables, number)
    assert result is not None
    assert result.unrated_reason is None


async def test_hindsight_is_not_rated(tables: Tables) -> None:
    """An undo against computers that went back behind what its player saw leaves the game unrated."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2), computer_count=1)
    await tables.change(
        number, None, lambda table: Decision(table=table.with_row(undone_with_hindsight=True), answer="")
    )
    await play_to_end(tables, number)
    result = await stored_result(tables, number)
    assert result is not None
    assert result.unrated_reason is UnratedReason.HINDSIGHT


def _reseal(table: Table) -> Decision:
    assert table.match is not None
    return Decision(table=table.with_match(table.match.reseal(table.match_id)), answer="")


async def test_a_restored_game_is_not_rated(tables: Tables) -> None:
    """A game that a backup took back has a reseal, and its result is not rated."""
    number = await begin(tables, default_setup(GAME_ENDED_BY_RESIGNATION, 2))
    await tables.change(number, None, _reseal)
    await resign(tables, number, 0)
    result = await stored_result(tables, number)
    assert result is not None
    assert result.unrated_reason is UnratedReason.RESTORED
