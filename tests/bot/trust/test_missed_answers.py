"""A change whose answer was lost on the way is named in its user's next answer, and only there (P4)."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from bot import limits
from bot.chat import missed_answers, respond
from bot.host.answer_tracker import AnswerTracker
from bot.host.deciders import play
from bot.host.request import ResponseGate
from bot.host.table import Table
from bot.host.tables import Tables
from bot.local.faults import InjectedFault
from bot.local.members import InteractionFailed, Member
from bot.local.message_contents import controls, message_text
from bot.local.model import Message
from bot.store.protocol import StoreError
from bot.store.rows import PendingAnswer, Status
from bot.store.sqlite import SqliteStore, open_store
from rules.model import Seat
from tests.bot.e2e.observe import custom_ids_by_verb, read_response, shown_message, wait_until
from tests.bot.e2e.platform_faults import CALLBACK_ROUTE
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
    seat_and_random_action,
)
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.playing_server import SEAT_COUNT, playing_server
from tests.bot.trust.servers import BotServer
from tests.trials import trial_count

__all__ = ["restored_discord_addresses"]

GAME_COUNT = trial_count(short=1, soak=40)
ACT_COUNT = trial_count(short=20, soak=40)
"""Moves and looks at pages at each table."""
_MISSED_TEXT = "You may have missed this"
_RESPONSE_TIMEOUT = -1.0
"""Seconds for the first response: it is always too late."""


class LossyGame:
    """A game in which some answers are lost: it plays for everyone, and knows which must be named when."""

    def __init__(self, bot: BotServer, rng: random.Random) -> None:
        """Nothing was lost yet."""
        self.bot, self.rng = bot, rng
        self.moves_to_name_by_seat: dict[int, list[int]] = {seat: [] for seat in range(SEAT_COUNT)}
        """By seat: the moves whose answers were lost and not named since."""
        self.named_count = 0

    async def run(self, count: int) -> None:
        """Do random things; fail if something is not named, or named to anyone else or twice."""
        for _ in range(count):
            table = await self.bot.table()
            if table.status is not Status.PLAYING:
                return
            if self.rng.random() < 0.5:
                await self._look(Seat(self.rng.randrange(SEAT_COUNT)))
            else:
                await self._move(table)
            await self._check_board()

    def _member(self, seat: Seat) -> Member:
        member = self.bot.person(seat)
        member.channel = self.bot.channel
        return member

    async def _look(self, seat: Seat) -> None:
        member, board = self._member(seat), self.bot.board()
        command = self.rng.choice(["board", "mygames", None])
        self.bot.count_interaction()
        outcome = await (member.press(board, "More") if command is None else member.command(command))
        self._check_answer(seat, await read_response(outcome))
        await self.bot.wait_until_idle()

    async def _move(self, table: Table) -> None:
        seat = table.to_act
        assert seat is not None
        member, move_number = self._member(seat), table.move_count + 1
        page = await self._press(seat, self.bot.board(), custom_ids_by_verb(self.bot.board())["play"])
        while (custom_id := self._choose_button(page)).split(":")[3] != "do":
            page = await self._press(seat, page, custom_id)
        self.bot.count_interaction()
        if self.rng.random() < 0.6:
            released = asyncio.Event()
            fault = InjectedFault("POST", CALLBACK_ROUTE, status=0, until=released)
            self.bot.server.faults.add(fault)
            with patch.object(limits, "FIRST_RESPONSE_SECONDS", _RESPONSE_TIMEOUT):
                with pytest.raises(InteractionFailed):
                    await member.press(page, custom_id=custom_id)
                # the board of the move is there before its answer is lost
                await wait_until(lambda: (fault.hit_count and self.bot.has_sent_all()) or None)
                released.set()
                await self.bot.wait_until_idle()
            self.moves_to_name_by_seat[seat].append(move_number)
        else:
            self._check_answer(seat, await read_response(await member.press(page, custom_id=custom_id)))
            await self.bot.wait_until_idle()
        assert (await self.bot.table()).move_count == move_number

    async def _press(self, seat: Seat, message: Message, custom_id: str) -> Message:
        """Press a button; return the page once the bot knows that it has arrived: what it names is named."""
        self.bot.count_interaction()
        page = await shown_message(await self._member(seat).press(message, custom_id=custom_id))
        self._check_answer(seat, message_text(page))
        await self.bot.wait_until_idle()
        return page

    def _choose_button(self, shown: Message) -> str:
        enabled = [each for each in controls(shown) if not each.get("disabled")]
        final = [each for each in enabled if each["label"] == "Play it"]
        choices = [
            each
            for each in enabled
            if each["custom_id"].split(":")[3] in {"do", "step", "page"} and each["label"] != "Back"
        ]
        return str(self.rng.choice(final or choices)["custom_id"])

    def _check_answer(self, seat: Seat, text: str) -> None:
        moves_to_name = self.moves_to_name_by_seat[seat][-missed_answers.MAX_NAMED_ANSWERS :]
        missed_lines = [line for line in text.splitlines() if line.startswith(_MISSED_TEXT)]
        assert missed_lines == [
            f"{_MISSED_TEXT} (No. {self.bot.number}): your move was recorded (move {move})."
            for move in moves_to_name
        ], f"to name: {self.moves_to_name_by_seat}, said: {text}"
        self.named_count += len(missed_lines)
        self.moves_to_name_by_seat[seat] = self.moves_to_name_by_seat[seat][: -len(moves_to_name) or None]

    async def _check_board(self) -> None:
        """The newest board names each seat's newest move to name, if drawn after its answer was lost."""
        table = await self.bot.table()
        if table.status is not Status.PLAYING:
            return
        content = self.bot.board().content
        for seat, moves in self.moves_to_name_by_seat.items():
            if moves:
                assert f"{table.names[seat]}, your move was recorded (move {moves[-1]})." in content


@pytest.mark.trust_test("T14")
@pytest.mark.usefixtures("restored_discord_addresses")
async def test_a_missed_answer_is_named(add_trials: Callable[[int], None]) -> None:
    """Whatever answers are lost, each is named once: in the next answer to its player, and on the board."""
    for number in range(GAME_COUNT):
        async with playing_server() as bot:
            game = LossyGame(bot, random.Random(number))
            await game.run(ACT_COUNT)
        assert game.named_count, "nothing was lost"
        add_trials(game.named_count)


@contextmanager
def forget_missed_answers() -> Iterator[None]:
    """Forget every answer that was lost."""
    with patch.object(AnswerTracker, "missed_by", return_value=()):
        yield


@contextmanager
def name_missed_answers_to_everyone() -> Iterator[None]:
    """Name to everyone what anybody has missed."""

    def missed_by(self: AnswerTracker, _user: int) -> object:
        return tuple(self._missed_answers.values())

    with patch.object(AnswerTracker, "missed_by", missed_by):
        yield


@contextmanager
def leave_board_unchanged() -> Iterator[None]:
    """Leave the board as it is."""

    async def show_missed_answer_on_board(*_: object) -> None:
        """Nothing."""

    with patch.object(respond, "show_missed_answer_on_board", show_missed_answer_on_board):
        yield


@pytest.mark.trust_test("T14", sensitivity=True)
@pytest.mark.parametrize(
    "defect", [forget_missed_answers, name_missed_answers_to_everyone, leave_board_unchanged]
)
@pytest.mark.usefixtures("restored_discord_addresses")
async def test_an_answer_that_is_named_wrongly_is_caught(
    defect: Callable[[], AbstractContextManager[None]],
) -> None:
    """Sensitivity: the check above fails where nothing is named, too much, or only in the answer."""
    with defect(), pytest.raises(AssertionError, match=r"lost:|was recorded"):
        async with playing_server() as bot:
            await LossyGame(bot, random.Random(3)).run(ACT_COUNT)


@asynccontextmanager
async def _opened_store(path: Path) -> AsyncIterator[SqliteStore]:
    """Yield a store; one that stayed open after a failure would keep the process from ending."""
    store = await open_store(path)
    try:
        yield store
    finally:
        await store.close()


async def test_missed_answers_survive_a_crash(database_path: Path) -> None:
    """A crash forgets no missed answer; of the others, those since the last stored change are named."""
    # Closed as in a crash: that the last answer has arrived is not stored.
    async with _opened_store(database_path) as store:
        tables = Tables(store, GAMES_AND_TOYS, ManualClock())
        number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], SEAT_COUNT))
        users = [
            await _move_with_answer(tables, number, arrives=arrives) for arrives in (True, False, True, True)
        ]
    async with _opened_store(database_path) as store:
        tracker = AnswerTracker(store)
        await tracker.load()
        assert [(each.move_number, each.user) for each in await store.unconfirmed_answers()] == [
            (2, users[1]),
            (4, users[3]),
        ]
        assert tracker.newest_missed_move_by_user(number) == {users[1]: 2, users[3]: 4}
        tracker.mark_arrived([each.interaction for each in tracker.missed_by(users[1])])
        await tracker.flush()
        assert [each.user for each in await store.unconfirmed_answers()] == [users[3]]


async def test_the_newest_move_with_a_missed_answer_is_named(database_path: Path) -> None:
    """Of two missed answers the one to the newer move counts, also if it was the first to be missed."""
    async with _opened_store(database_path) as store:
        tracker = AnswerTracker(store)
        for move in (5, 6):
            tracker.expect(
                PendingAnswer(interaction=move, table_number=1, user=100, move_number=move, answer="")
            )
        for move in (6, 5):
            tracker.mark_missed_unless_arrived(move)
        assert tracker.newest_missed_move_by_user(1) == {100: 6}


async def _move_with_answer(tables: Tables, number: int, *, arrives: bool) -> int:
    """Make a move whose answer is waited for; return who made it."""
    seat, action = seat_and_random_action(await tables.get(number), random.Random(1))
    request = replace(request_of_person(seat), response_gate=ResponseGate())
    await tables.change(number, request, partial(play.play, request=request, actions=(action,)))
    assert request.interaction is not None
    if arrives:
        tables.answer_tracker.mark_arrived([request.interaction])
    return request.user


async def test_an_arrival_that_cannot_be_stored_is_stored_later(database_path: Path) -> None:
    """That an answer has arrived is not forgotten while the store fails."""
    async with _opened_store(database_path) as store:
        tables = Tables(store, GAMES_AND_TOYS, ManualClock())
        number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], SEAT_COUNT))
        await _move_with_answer(tables, number, arrives=True)
        with patch.object(store, "commit", side_effect=StoreError), pytest.raises(StoreError):
            await make_move(tables, number, random.Random(1))
        with patch.object(store, "mark_answered", side_effect=StoreError), pytest.raises(StoreError):
            await tables.answer_tracker.flush()
        assert len(await store.unconfirmed_answers()) == 1
        await make_move(tables, number, random.Random(1))
        assert await store.unconfirmed_answers() == ()
