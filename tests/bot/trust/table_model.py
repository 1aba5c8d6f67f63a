"""One table with two people, and a model of what must be stored and sent; the state machine's base."""

import asyncio
import random
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, TypeVar

from bot.host.committer import ChangeResult
from bot.host.deciders import lobby, moderation, play, seats
from bot.host.deciders.decision import Decision
from bot.host.outbox import MAX_RETRY_WAIT, Outbox
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.rows import LIVE_STATUSES, RecordRow, StoredTable
from bot.store.seat_rows import Person
from bot.store.sqlite import SqliteStore, open_store
from rules.game import AnyGame
from rules.model import Options, Seat
from rules.notation import verb_of, write_action
from rules.options import options_of, parse_options, write_options
from rules.record import Cut, Undo
from tests.bot.host.playing import (
    CHANNEL,
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    ManualClock,
    assert_records_whole,
    request_of_person,
)
from tests.bot.host.scripted_courier import run_outbox
from tests.bot.store.sample_rows import execute_sql
from tests.bot.trust.recording_courier import ProcessKilled, RecordingCourier

T = TypeVar("T")

PLAYING_USERS: Final = {FIRST_USER, FIRST_USER + 1}
"""The two who play."""
_CONTROL_VERBS: Final = frozenset(map(verb_of, (Undo, Cut)))
_MEMORY_FOLDER: Final = Path("/dev/shm")
"""Where there is no disk to wait for: whether a move survives power loss is another test's question."""


def short_options(game: AnyGame) -> str:
    """Return the options under which a game of two or three ends soonest: every number at its least."""
    options: type[Options] = game.options_type
    options_text = " ".join(
        f"{each.name}={each.values[0]}" for each in options_of(options) if each.values[0].isdigit()
    )
    return write_options(parse_options(options, options_text))


class TableUnderTest:
    """A table of one game on a file of its own, its courier, and the model."""

    key: ClassVar[str]
    store_type: ClassVar[type[SqliteStore]] = SqliteStore
    tables_type: ClassVar[type[Tables]] = Tables
    outbox_type: ClassVar[type[Outbox]] = Outbox

    def __init__(self) -> None:
        """Open a fresh file, in which there is no table yet."""
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = Path(tempfile.mkdtemp(dir=_MEMORY_FOLDER if _MEMORY_FOLDER.is_dir() else None))
        self.clock, self.courier = ManualClock(), RecordingCourier()
        self.confirmed_requests: list[tuple[Request, Callable[..., Decision], str]] = []
        """Requests that were answered as done: request, decider, and the answer that a repeat must get."""
        self.confirmed_move_count = 0
        """Choices of people that the records must hold, taken back or not."""
        self.seen_plies: list[list[int]] = [[0], [0]]
        """The plies of the boards that each of the two has seen."""
        self.audit_log: list[str] = []
        self.number = 0
        """The table's; 0 before it is open."""
        self.channel = CHANNEL
        self.delivers_at_once = True
        """Whether the outbox works after each act, as it does in life while nothing is in its way."""
        self.check_count = 0
        self.run(self.open())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something on the machine's loop."""
        return self.runner.run(work)

    async def open(self) -> None:
        """Open the file, and tables and outbox over it."""
        self.store = await open_store(self.folder / "tables.db")
        self.store.__class__ = self.store_type
        self.tables = self.tables_type(self.store, GAMES_AND_TOYS, self.clock)
        self.outbox = self.outbox_type(self.tables, self.courier)
        self.outbox.wake = lambda *_: None  # type: ignore[method-assign] # it works when a rule says so

    async def reopen(self) -> None:
        """End the process, and start another one on what is stored."""
        await self.close()
        await self.open()

    async def close(self) -> None:
        """Close the file."""
        await self.tables.wait_for_changes()
        await self.store.close()

    def delete_store(self) -> None:
        """Close the file and delete it."""
        self.run(self.close())
        self.runner.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    async def deliver_everything(self) -> None:
        """Deliver all that waits, and check the whole file."""
        self.courier.planned_outcomes.clear()
        table = await self.tables.get(self.number)
        if self.courier.deleted_channels:
            if table.status in LIVE_STATUSES:
                await self.move_to_new_channel(request_of_person(0))
            else:
                self.courier.deleted_channels.clear()
        self.clock.now += MAX_RETRY_WAIT
        await self.deliver_due()
        assert await self.store.waiting_deliveries(self.number) == (), "something waits for ever"
        failed = await execute_sql(self.store, "select id from outbox where state = 'failed'")
        assert {number for (number,) in failed} <= self.courier.refused_deliveries, "given up without need"
        table = await self.tables.get(self.number)
        if table.match is not None and not await self.is_board_undeliverable():
            assert self.courier.board_plies, "no board at all"
            assert self.courier.board_plies[-1] == table.row.ply, "a move without a board"
        assert_records_whole(await self.load_stored_table())

    async def is_board_undeliverable(self) -> bool:
        """Whether the newest board could not be delivered, since its channel is gone."""
        sql = "select id from outbox where match = ? and kind = 'board' order by id desc limit 1"
        rows = await execute_sql(self.store, sql, self.number)
        return not rows or rows[0][0] in self.courier.refused_deliveries

    async def deliver_due(self) -> None:
        """Let the outbox do what is due; both people then see what has come."""
        try:
            await run_outbox(self.outbox, self.number)
        except ProcessKilled:
            await self.reopen()
        ply = self.courier.board_plies[-1] if self.courier.board_plies else 0
        for plies in self.seen_plies:
            if plies[-1] != ply:
                plies.append(ply)

    async def move_to_new_channel(self, request: Request) -> None:
        """Let the host move the game to a channel that exists."""
        self.channel += 1
        request = Request(
            user=request.user,
            name=request.name,
            interaction=request.interaction,
            guild=GUILD,
            channel=self.channel,
        )
        decide = partial(moderation.move_here, is_channel_busy=False)
        try:
            result = await self.tables.change(self.number, request, partial(decide, request=request))
        except Refusal:
            assert (await self.tables.get(self.number)).status not in LIVE_STATUSES
            return
        self.audit_log.append(result.answer)
        self.confirmed_requests.append((request, decide, result.answer))
        self.courier.deleted_channels.clear()

    # Acting -----------------------------------------------------------------------------------------

    def choice_request(
        self, person: int, seed: int, seen_board: int, *, is_typed: bool = False, ply: int | None = None
    ) -> tuple[Request, Callable[..., Decision], bool]:
        """Return a person's choice as a request, its decider, and whether it must be accepted.

        ``person``: as in ``request_of_person``.  ``seen_board``: 1 for the ply of the newest board that this
        person has seen, 2 for the one before; 0 for the present ply.
        """
        table, request, rng = self.table(), request_of_person(person), random.Random(seed)
        if ply is None:
            ply = (
                table.row.ply
                if seen_board == 0
                else self.seen_plies[person][-min(seen_board, len(self.seen_plies[person]))]
            )
        is_own_turn = table.to_act is not None and table.seats[table.to_act].user == request.user
        match = table.match
        assert match is not None
        to_act = match.to_act
        legal = match.legal_actions(to_act) if to_act is not None else ()
        if not legal:
            return request, partial(play.play_typed_line, text="nothing"), False
        action = rng.choice(legal)
        if is_typed:
            return request, partial(play.play_typed_line, text=write_action(action)), is_own_turn
        return request, partial(play.play, actions=(action,), ply=ply), is_own_turn and ply == table.row.ply

    def expect_accepted(
        self, request: Request, decide: Callable[..., Decision], added_move_count: int = 0
    ) -> None:
        """Make a request that must be accepted, and apply it to the model."""
        try:
            result = self.run(self.tables.change(self.number, request, partial(decide, request=request)))
        except Refusal as refusal:
            raise AssertionError("what may be done was refused") from refusal
        assert not result.is_repeat
        self.apply_accepted(request, decide, result, added_move_count)

    def apply_accepted(
        self, request: Request, decide: Callable[..., Decision], result: ChangeResult, added_move_count: int
    ) -> None:
        """Apply a request that was accepted to the model."""
        repeat_answer = (
            f"Already played as move {result.table.move_count}." if added_move_count else result.answer
        )
        self.confirmed_requests.append((request, decide, repeat_answer))
        self.confirmed_move_count += added_move_count
        if self.delivers_at_once:
            self.run(self.deliver_due())

    def expect_refused(self, request: Request, decide: Callable[..., Decision]) -> None:
        """P10: make a request that must be refused; nothing may have changed."""
        before = self.stored_table()
        try:
            self.run(self.tables.change(self.number, request, partial(decide, request=request)))
        except Refusal:
            assert self.stored_table() == before
            return
        raise AssertionError(f"what must not be done was done: {decide}")

    def try_request(
        self,
        request: Request,
        decide: Callable[..., Decision],
        added_move_count: int = 0,
        *,
        needs_audit_entry: bool = False,
    ) -> None:
        """Make a request that may be accepted or refused; apply it to the model if it was accepted."""
        before, entries = self.stored_table(), list[str]()

        def note_entry(table: Table) -> Decision:
            decision = decide(table, request=request)
            entries.append(decision.audit_entry)
            return decision

        try:
            result = self.run(self.tables.change(self.number, request, note_entry))
        except Refusal:
            assert self.stored_table() == before
            return
        self.apply_accepted(request, decide, result, added_move_count)
        assert entries[-1] or not needs_audit_entry, "a moderator's act without an audit entry"
        self.audit_log += [entries[-1]] if entries[-1] else []

    def table(self) -> Table:
        """Return the table as it is."""
        return self.run(self.tables.get(self.number))

    def stored_table(self) -> StoredTable:
        """Return what is stored of the table, from outside the loop."""
        return self.run(self.load_stored_table())

    async def load_stored_table(self) -> StoredTable:
        """Return what is stored of the table."""
        stored = await self.store.load(self.number)
        assert stored is not None
        return stored


def decider_of(name: str) -> Callable[..., Decision]:
    """Return the decider of something that only the host or a moderator may do."""
    deciders: dict[str, Callable[..., Decision]] = {
        "pause": moderation.pause,
        "resume": moderation.resume,
        "end": moderation.end,
        "freeze": partial(moderation.freeze_as_admin, reason="Why."),
        "thaw": partial(moderation.thaw_as_admin, reason="Why."),
        "roll back": partial(moderation.roll_back, move_number=0),
        "replace": partial(seats.offer_seat, seat=Seat(1), newcomer=Person(777, "Noor"), computer="random"),
        "start": partial(lobby.start, is_channel_busy=False),
        "computer": partial(lobby.add_computer, computer="random"),
        "move": partial(moderation.move_here, is_channel_busy=False),
    }
    return deciders[name]


def choices_of_people(records: tuple[RecordRow, ...]) -> list[RecordRow]:
    """Return the choices that people made, without undos, cuts of the deck and automatic choices."""
    choices = [
        record for record in records if record.user is not None and record.actor >= 0 and not record.auto
    ]
    return [record for record in choices if record.action.partition(" ")[0] not in _CONTROL_VERBS]
