"""A state machine of one table: two people, strangers, faults, restarts; a model must agree."""

import asyncio
import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bot.host.committer import ChangeResult
from bot.host.deciders import cutting, departures, lobby, own_undo, play, voting
from bot.host.deciders.decision import BOARD_DELIVERY, Decision
from bot.host.housekeeping import Housekeeping
from bot.host.outbox import MAX_RETRY_WAIT
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status, StoredTable
from rules.cut_words import CUT_WORDS
from rules.options import parse_options
from rules.players import RANDOM_PLAYER
from tests.bot.host.playing import GAMES_AND_TOYS, GUILD, assert_records_whole, request_of_person
from tests.bot.store.sample_rows import execute_sql
from tests.bot.trust.recording_courier import OUTCOMES
from tests.bot.trust.table_model import (
    PLAYING_USERS,
    TableUnderTest,
    choices_of_people,
    decider_of,
    short_options,
)

SEATS: Final = st.integers(0, 1)
PEOPLE: Final = st.integers(0, 1)
"""The people of the table, by the seats with which they began."""
SEEDS: Final = st.integers(0, 2**16)
STRANGER: Final = 5
"""``request_of_person`` with this number comes from a user who has no seat at the table."""
_FULL_CHECK_INTERVAL: Final = 8
"""Steps from one replay of all records to the next."""


class TableMachine(TableUnderTest, RuleBasedStateMachine):
    """What may happen to one table of one game, from its lobby on, in any order."""

    def teardown(self) -> None:
        """Check at the end that everything has arrived, in order."""
        try:
            if self.number:
                self.run(self.deliver_everything())
                self.check_posts_are_in_order()
        finally:
            self.delete_store()

    # Before the game --------------------------------------------------------------------------------

    @initialize(seed=SEEDS, computer_count=st.integers(0, 1))
    def open_table(self, seed: int, computer_count: int) -> None:
        """The host opens, the other joins, then computer players if any or needed, the host starts."""
        game, host_request = GAMES_AND_TOYS[self.key], request_of_person(0)
        fewest = max(0, game.player_counts[0] - len(PLAYING_USERS))
        computer_count = max(computer_count, fewest)
        options = short_options(game)
        if (
            game.setup_error(len(PLAYING_USERS) + computer_count, parse_options(game.options_type, options))
            is not None
        ):
            computer_count = fewest
        game_seed = random.Random(seed).randbytes(32)

        async def open_lobby() -> None:
            opened = await self.tables.open(
                lambda number, _, now: lobby.open_table(number, game, options, host_request, game_seed, now),
                host_request,
            )
            self.number = opened.table.number

        self.run(open_lobby())
        self.expect_accepted(request_of_person(1), lobby.join)
        for _ in range(computer_count):
            self.expect_accepted(request_of_person(0), partial(lobby.add_computer, computer="random"))
        for seat in range(seed % 3):
            self.expect_accepted(request_of_person(seat), self._cut(seed + seat))
        self.expect_accepted(request_of_person(0), partial(lobby.start, is_channel_busy=False))

    @staticmethod
    def _cut(seed: int) -> Callable[..., Decision]:
        first, second = random.Random(seed).choices(CUT_WORDS, k=2)
        return partial(cutting.cut_deck, words=(first, second))

    # What people do ---------------------------------------------------------------------------------

    @rule(person=PEOPLE, seed=SEEDS, seen_board=st.integers(0, 2), is_typed=st.booleans())
    def make_move(self, person: int, seed: int, seen_board: int, is_typed: bool) -> None:  # noqa: FBT001 - a rule's draws
        """Make a choice: typed, or with a button of the present ply or of a board that this person saw."""
        request, decide, must_accept = self.choice_request(person, seed, seen_board, is_typed=is_typed)
        if must_accept:
            self.expect_accepted(request, decide, added_move_count=1)
        else:
            self.expect_refused(request, decide)

    @rule(seed=SEEDS, count=st.integers(1, 40))
    def play_on(self, seed: int, count: int) -> None:
        """Make some choices in a row for the seats to act, computer players too."""
        rng = random.Random(seed)
        for _ in range(count):
            table = self.table()
            if table.to_act is None:
                return
            if table.seats[table.to_act].computer is not None:
                self._play_computer_turn(rng)
            elif table.seats[table.to_act].user in PLAYING_USERS:
                self.expect_accepted(
                    *self.choice_request(table.to_act, rng.randrange(2**16), 0)[:2], added_move_count=1
                )

    def _play_computer_turn(self, rng: random.Random) -> None:
        def choose(table: Table, seat: Any) -> Any:
            assert table.match is not None
            return RANDOM_PLAYER.choose(table.game, table.match.view(seat), rng)

        self.run(self.tables.change(self.number, None, lambda table: play.play_computer_turn(table, choose)))

    @rule(seed=SEEDS, count=st.integers(2, 4))
    def make_moves_at_once(self, seed: int, count: int) -> None:
        """Both make the same choice at the same time, more than once: one move counts."""
        table = self.table()
        must_accept = table.to_act is not None and table.seats[table.to_act].user in PLAYING_USERS
        requests = [self.choice_request(i % 2, seed + i, 0, ply=table.row.ply) for i in range(2 * count)]

        async def at_once() -> list[Any]:
            work = (
                self.tables.change(self.number, request, partial(decide, request=request))
                for request, decide, _ in requests
            )
            return await asyncio.gather(*work, return_exceptions=True)

        results = self.run(at_once())
        accepted = [i for i, result in enumerate(results) if isinstance(result, ChangeResult)]
        assert all(isinstance(result, ChangeResult | Refusal) for result in results), results
        assert len(accepted) == must_accept, "one question, not one answer"
        for i in accepted:
            self.apply_accepted(requests[i][0], requests[i][1], results[i], added_move_count=1)

    @rule(person=PEOPLE, seed=SEEDS, await_count=st.integers(0, 12))
    def cancel_move(self, person: int, seed: int, await_count: int) -> None:
        """Cancel a move after some steps of the loop: it is made or not, and can be made again."""
        request, decide, must_accept = self.choice_request(person, seed, 0)

        async def cancel() -> bool:
            task = asyncio.ensure_future(
                self.tables.change(self.number, request, partial(decide, request=request))
            )
            for _ in range(await_count):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await self.tables.wait_for_changes()
            return await self.store.find_answer(request.interaction or 0) is not None

        if self.run(cancel()):
            assert must_accept, "a refused move was stored"
            repeat = self.run(self.tables.change(self.number, request, partial(decide, request=request)))
            assert repeat.is_repeat
            self.confirmed_requests.append((request, decide, repeat.answer))
            self.confirmed_move_count += 1
        elif must_accept:
            self.expect_accepted(request, decide, added_move_count=1)

    @rule(age=st.integers(0, 1000), count=st.integers(1, 3))
    def redeliver(self, age: int, count: int) -> None:
        """The platform delivers an old interaction once more: it gets the same answer."""
        request, decide, text = self.confirmed_requests[-1 - age % len(self.confirmed_requests)]
        before = self.stored_table()

        async def repeat() -> list[ChangeResult]:
            work = (
                self.tables.change(self.number, request, partial(decide, request=request))
                for _ in range(count)
            )
            return list(await asyncio.gather(*work))

        try:
            results = self.run(repeat())
        except Refusal as refusal:
            raise AssertionError("a known interaction was refused") from refusal
        for result in results:
            assert (result.is_repeat, result.answer) == (True, text), "one interaction, done twice"
        assert self.stored_table() == before

    @rule(person=PEOPLE)
    def undo(self, person: int) -> None:
        """Ask for an undo."""
        self.try_request(request_of_person(person), own_undo.undo)

    @rule(person=PEOPLE, agreed=st.booleans())
    def answer_undo_question(self, person: int, agreed: bool) -> None:  # noqa: FBT001 - a rule's draws
        """Answer whether the undo is allowed."""
        question = self.table().row.question
        if question is not None:
            self.try_request(
                request_of_person(person), partial(voting.vote, question_id=question.id, is_yes=agreed)
            )

    @rule(person=PEOPLE, seed=SEEDS)
    def reseal_and_cut(self, person: int, seed: int) -> None:
        """The game is resealed as after a restored backup; a player cuts the deck again, and only once."""
        table = self.table()
        if table.status is not Status.PLAYING:
            self.expect_refused(request_of_person(person), self._cut(seed))
            return

        def reseal(current: Table) -> Decision:
            assert current.match is not None
            changed = current.with_match(current.match.reseal(current.match_id))
            return Decision(table=changed, answer="", deliveries=(BOARD_DELIVERY,))

        self.run(self.tables.change(self.number, None, reseal))
        if table.seats[person].user != request_of_person(person).user:
            self.expect_refused(request_of_person(person), self._cut(seed))
            return
        self.expect_accepted(request_of_person(person), self._cut(seed))
        self.expect_refused(request_of_person(person), self._cut(seed + 1))

    @rule(person=PEOPLE, skip=st.integers(0, 7))
    def resign(self, person: int, skip: int) -> None:
        """Resign a seat where ``skip`` is 0: rarely, since it may end the game."""
        if skip:
            return
        table, request = self.table(), request_of_person(person)
        own_seat = table.seat_of(request.user)
        is_choice = table.match is not None and own_seat is not None and table.match.can_resign(own_seat)
        self.try_request(
            request, partial(departures.resign, computer="random"), added_move_count=int(is_choice)
        )

    @rule()
    def pause_and_resume(self) -> None:
        """The host pauses and resumes: two notices one after the other."""
        for name in ("pause", "resume"):
            self.try_request(request_of_person(0), decider_of(name), needs_audit_entry=True)

    @rule(name=st.sampled_from(("pause", "resume", "roll back", "end", "replace")), skip=st.integers(0, 3))
    def moderate(self, name: str, skip: int) -> None:
        """The host pauses, resumes or rolls back; where ``skip`` is 0 also ends, or seats somebody else."""
        if name not in {"end", "replace"} or not skip:
            self.try_request(request_of_person(0), decider_of(name), needs_audit_entry=True)

    @rule(
        name=st.sampled_from(
            ("pause", "resume", "roll back", "end", "replace", "freeze", "thaw", "start", "computer", "move")
        )
    )
    def act_as_stranger(self, name: str) -> None:
        """A user without a seat, even an admin of another server, can do nothing."""
        request = Request(
            user=999,
            name="Zoe",
            interaction=request_of_person(STRANGER).interaction,
            guild=GUILD + 1,
            is_admin=True,
        )
        self.expect_refused(request, decider_of(name))
        request = request_of_person(STRANGER)
        self.expect_refused(request, decider_of(name))
        self.expect_refused(request_of_person(STRANGER), own_undo.undo)
        table = self.table()
        if table.match is not None and table.to_act is not None:
            action = table.match.legal_actions(table.to_act)[0]
            self.expect_refused(
                request_of_person(STRANGER), partial(play.play, actions=(action,), ply=table.row.ply)
            )
        other_request = request_of_person(1)
        if table.row.host != other_request.user and name not in {
            "replace",
            "pause",
        }:  # a player may offer their own seat and ask for a pause
            self.expect_refused(other_request, decider_of(name))

    # What the world does ----------------------------------------------------------------------------

    @rule(at_once=st.booleans())
    def deliver(self, at_once: bool) -> None:  # noqa: FBT001 - a rule's draws
        """Let the outbox do what is due; if ``at_once``, from now on after each act as well."""
        self.delivers_at_once = at_once
        self.run(self.deliver_due())

    @rule(
        kind=st.sampled_from(
            (
                DeliveryKind.NOTICE,
                DeliveryKind.BOARD,
                DeliveryKind.TURN,
                DeliveryKind.HAND,
                DeliveryKind.RESULT,
            )
        ),
        outcome=st.sampled_from(OUTCOMES),
        count=st.sampled_from((1, 2, 12)),
    )
    def plan_outcomes(self, kind: DeliveryKind, outcome: str, count: int) -> None:
        """From now on so many deliveries of this kind end like this."""
        self.courier.planned_outcomes[kind] = [outcome] * count

    @rule()
    def deliver_normally(self) -> None:
        """From now on everything arrives."""
        self.courier.planned_outcomes.clear()

    @rule(seconds=st.sampled_from((1.0, 2.0, 30.0, MAX_RETRY_WAIT, 86400.0)))
    def advance_clock(self, seconds: float) -> None:
        """Move the clock on, and close expired lobbies."""
        self.clock.now += seconds
        self.run(Housekeeping(self.tables).do_due_work_at_tables())

    @rule()
    def restart(self) -> None:
        """End the process, and start another one on what is stored."""
        self.run(self.reopen())

    @rule()
    def evict_table(self) -> None:
        """Evict the table from the cache."""
        self.tables._cache.clear()

    @rule(seat=SEATS)
    def close_messages(self, seat: int) -> None:
        """Close or open a user's direct messages."""
        self.courier.closed_dm_seats ^= {seat}

    @rule()
    def delete_channel(self) -> None:
        """An admin deletes the channel where the table is played."""
        self.courier.deleted_channels.add(self.table().row.game_channel)

    @rule()
    def move_to_channel(self) -> None:
        """The host goes on in another channel, if there is need."""
        if not self.courier.deleted_channels:
            return
        self.run(self.move_to_new_channel(request_of_person(0)))

    # What must hold ---------------------------------------------------------------------------------

    @invariant()
    def check_storage(self) -> None:
        """P3: memory and file agree; records, inbox and outbox agree; now and then all is replayed."""
        if not self.number:
            return
        stored = self.run(self.load_stored_table())
        cached = self.tables.get_cached(self.number)
        assert cached is None or cached.row == stored.row, "memory and file disagree"
        assert [record.ply for record in stored.records] == list(range(1, stored.row.ply + 1))
        self.check_count += 1
        if self.check_count % _FULL_CHECK_INTERVAL == 0:
            assert_records_whole(stored)
        self.run(self._check_outbox(stored))

    async def _check_outbox(self, stored: StoredTable) -> None:
        sql = "select max(ply) from outbox where match = ? and kind = 'board' and state != 'superseded'"
        if stored.row.ply:
            assert await execute_sql(self.store, sql, self.number) == [(stored.row.ply,)], (
                "no board is to come"
            )
        rows = await execute_sql(
            self.store, "select entry from audit_log where match = ? order by id", self.number
        )
        assert [entry for (entry,) in rows] == self.audit_log, "an audit entry that was not recorded"
        sql = (
            "select count(*) from audit_log a where not exists (select 1 from outbox o where"
            " o.match = a.match and o.ply = a.ply"
            " and (o.kind = 'notice' and o.text = a.entry or o.kind in ('question', 'offer')))"
        )
        assert await execute_sql(self.store, sql) == [(0,)], "an audit entry that is not announced"

    @invariant()
    def check_moves_are_stored_once(self) -> None:
        """P2: the records hold exactly the choices that were confirmed."""
        if self.number:
            assert (
                len(choices_of_people(self.run(self.load_stored_table()).records))
                == self.confirmed_move_count
            ), "not the confirmed moves"

    @invariant()
    def check_posts_are_in_order(self) -> None:
        """P5: no older board after a newer one; notices arrive once, in their order."""
        board_plies, notice_ids = self.courier.board_plies, [id_ for id_, _ in self.courier.notices]
        assert board_plies == sorted(board_plies), "an older board after a newer one"
        assert notice_ids == sorted(set(notice_ids)), "notices out of order"
