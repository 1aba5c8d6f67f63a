"""People at tables: they open panels, compare choices, play, and look at their hands and at the rules.

Each presses what the message before them offers, with short pauses.  A move is what leads to one stored
choice.
"""

import asyncio
import random
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from bot.chat.components import parse_custom_id
from bot.local.api_errors import JsonObject
from bot.local.client_input import ClientRefusal
from bot.local.interactions import CallbackType
from bot.local.members import InteractionFailed, InteractionResult, Member
from bot.local.message_contents import controls, message_text
from bot.local.model import Message, MessageFlag, WorldEvent
from bot.local.world import World
from tests.bench.tables import BenchTable, MessageReader, control_verb, find_control, find_free_table

PAUSE_SECONDS_RANGE: Final = (0.03, 0.12)
"""Seconds between two presses of a move, from a uniform distribution; people take longer."""
_LOOK_AT_HAND_PROBABILITY: Final = 0.3
"""How often somebody looks at their hand before a move."""
_READ_PROBABILITY: Final = 0.04
"""How often somebody reads the rules or the log before a move."""
_BEGIN_AT_HAND_PROBABILITY: Final = 0.3
"""How often a turn is begun at the hand message, where it has the first choices."""
_PLAY_MARKED_PROBABILITY: Final = 0.7
"""How often a marked choice is played; otherwise another one is compared."""
_STEP_BACK_PROBABILITY: Final = 0.06
"""How often somebody goes back or takes back a choice, where the panel offers it."""
_MAX_PRESSES: Final = 40
_TABLE_NUMBER_PATTERN: Final = re.compile(r"table No\. (\d+)")
_ANSWER_TIMEOUT: Final = 20.0
"""How long a deferred answer is waited for."""
REQUEST_ERRORS: Final = (InteractionFailed, ClientRefusal, TimeoutError)
"""Errors of a request that was lost or refused: they are counted, and end no run."""


@dataclass
class PressFigures:
    """What the presses of a run measured, in seconds, and what went wrong."""

    answer_times: list[float] = field(default_factory=list)
    """From each press to its answer, with its picture."""
    move_answer_times: list[float] = field(default_factory=list)
    """The same, of the presses that make a move."""
    picture_count: int = 0
    """Answers with a picture."""
    select_count: int = 0
    """Presses that chose in a select."""
    failures: list[str] = field(default_factory=list)
    skipped_move_count: int = 0
    """Moves that were due while no table was free."""
    ended_game_count: int = 0
    """Games that ended; the rematch of each takes the place of one move."""


class AnswerWaiter:
    """Waits for the answers to presses, without polling."""

    def __init__(self, world: World) -> None:
        self._waiting: dict[int, asyncio.Event] = {}
        self.stop = world.listen(self._handle_event)

    def _handle_event(self, event: WorldEvent) -> None:
        if event.message is not None and (changed := self._waiting.get(event.message.id)) is not None:
            changed.set()

    async def wait_for_answer(self, outcome: InteractionResult, old_edited_at: float | None) -> Message:
        """Return the message once the answer is there.  ``old_edited_at``: when it had last been edited."""
        message = outcome.message
        is_deferred = outcome.response.callback_type is CallbackType.DEFERRED_UPDATE
        changed = self._waiting.setdefault(message.id, asyncio.Event())
        try:
            async with asyncio.timeout(_ANSWER_TIMEOUT):
                while message.flags & MessageFlag.LOADING or (
                    is_deferred and message.edited_at == old_edited_at
                ):
                    changed.clear()
                    await changed.wait()
        finally:
            self._waiting.pop(message.id, None)
        return message


class People:
    """Everybody at some tables."""

    def __init__(
        self, world: World, tables: Sequence[BenchTable], rng: random.Random, reader: MessageReader
    ) -> None:
        """``tables``: where moves are made; ``reader`` reads what is posted there."""
        self.figures = PressFigures()
        self.tables = tuple(tables)
        self._reader = reader
        self._rng = rng
        self._answer_waiter = AnswerWaiter(world)

    async def make_moves(self, rate: float, seconds: float, stop: asyncio.Event | None = None) -> None:
        """Begin ``rate`` moves a second for a while, each at some free table, and wait for all of them.

        ``stop``: ends it earlier.
        """
        async with asyncio.TaskGroup() as group:
            async for _ in ticks(rate, seconds):
                if stop is not None and stop.is_set():
                    return
                table = find_free_table(self.tables, self._rng.randrange(len(self.tables)), is_ready)
                if table is None:
                    self.figures.skipped_move_count += 1
                    continue
                table.is_busy = True
                group.create_task(self.make_rematch(table) if table.is_over else self.make_move(table))

    @property
    def any_person(self) -> Member:
        """Somebody at one of the tables."""
        return next(iter(self.tables[0].people_by_user.values()))

    async def make_move(self, table: BenchTable) -> None:
        """Make one move at a table that is marked as busy; if it ends the turn, wait for the next board."""
        try:
            await self._look_around(table)
            ply = await self._press_until_played(table)
            if table.panel is None:  # the turn is over: the next player begins at the board
                await table.wait_for_board(ply)
        except REQUEST_ERRORS as error:
            self.figures.failures.append(f"{type(error).__name__} {error}")
            table.panel = None
        finally:
            table.is_busy = False

    async def make_rematch(self, table: BenchTable) -> None:
        """Begin the same game again at a table that is over and marked as busy."""
        self.figures.ended_game_count += 1
        try:
            assert table.result is not None
            people, result = list(table.people_by_user.values()), table.result
            rematch_button = find_control(result, "again")
            assert rematch_button is not None
            answers = [message_text(await self._press(member, result, rematch_button)) for member in people]
            number_match = _TABLE_NUMBER_PATTERN.search(answers[0])
            if number_match is None:
                raise ClientRefusal(answers[0])
            self._reader.follow_rematch(table, int(number_match[1]))
            lobby = await table.wait_for_lobby()
            start_button = find_control(lobby, "start")
            assert start_button is not None
            await self._press(people[0], lobby, start_button)
            await table.wait_for_board(-1)
        except REQUEST_ERRORS as error:
            self.figures.failures.append(f"rematch: {type(error).__name__} {error}")
        finally:
            table.is_busy = False

    async def _look_around(self, table: BenchTable) -> None:
        """Look at a hand, or read the rules or the log, now and then."""
        member = self._rng.choice(list(table.people_by_user.values()))
        assert table.board is not None
        hand_button = find_control(table.board, "hand")
        if table.panel is None and hand_button is not None and self._rng.random() < _LOOK_AT_HAND_PROBABILITY:
            await self._press(member, table.board, hand_button)
        more_button = find_control(table.board, "more")
        if more_button is not None and self._rng.random() < _READ_PROBABILITY:
            page = await self._press(member, table.board, more_button)
            page_button = find_control(page, self._rng.choice(("rules", "log")))
            if page_button is not None:
                await self._turn_page(member, await self._press(member, page, page_button))

    async def _turn_page(self, member: Member, page: Message) -> None:
        """Choose another page of the rules or the log, if there is a select."""
        select = next((each for each in controls(page) if each.get("options")), None)
        if select is not None:
            option = self._rng.choice(select["options"])
            self.figures.select_count += 1
            await self._press(member, page, select, option["value"])

    async def _press_until_played(self, table: BenchTable) -> int:
        """Press until a choice is stored; return the ply at which it was offered."""
        if table.user_to_act is None:
            raise ClientRefusal("Nobody is asked to act any more.")
        member = table.people_by_user[table.user_to_act]
        for _ in range(_MAX_PRESSES):
            message, control = self._next_press(table)
            is_final = control_verb(control) == "do"
            button_id = parse_custom_id(control["custom_id"])
            assert button_id is not None
            if is_final:
                table.start_move_timer(button_id.ply)
            shown = await self._press(member, message, control)
            table.panel = shown if _action_buttons(shown) else None
            if table.panel is not None and not shown.attachments:
                self.figures.failures.append(f"no picture after {control_verb(control)}")
            if is_final:
                self.figures.move_answer_times.append(self.figures.answer_times[-1])
                return button_id.ply
            await asyncio.sleep(self._rng.uniform(*PAUSE_SECONDS_RANGE))
        raise TimeoutError("no choice was played")

    def _next_press(self, table: BenchTable) -> tuple[Message, JsonObject]:
        """Return what the person to act presses next."""
        if table.panel is not None:
            return table.panel, _choose_button(table.panel, self._rng)
        if table.user_to_act is None:
            raise ClientRefusal("Nobody is asked to act any more.")  # it changed while they looked around
        assert table.board is not None
        hand = table.hand_messages.get(table.user_to_act)
        if hand is not None and self._rng.random() < _BEGIN_AT_HAND_PROBABILITY:
            buttons = [button for button in _action_buttons(hand) if _ply_of(button) == table.ply]
            if buttons:
                return hand, self._rng.choice(buttons)
        play_button = find_control(table.board, "play")
        if play_button is None:
            raise ClientRefusal("The board has no Play.")
        return table.board, play_button

    async def _press(self, member: Member, message: Message, control: JsonObject, *chosen: str) -> Message:
        """Press a button, or choose in a select; return the private page that follows, once it is there."""
        pressed_at, old_edited_at = time.perf_counter(), message.edited_at
        if chosen:
            outcome = await member.choose(message, *chosen, custom_id=control["custom_id"])
        else:
            outcome = await member.press(message, custom_id=control["custom_id"])
        shown = await self._answer_waiter.wait_for_answer(outcome, old_edited_at)
        self.figures.answer_times.append(time.perf_counter() - pressed_at)
        self.figures.picture_count += bool(shown.attachments)
        return shown

    async def finish_moves(self, timeout_seconds: float) -> None:
        """Wait until every move is on a board, at most so long; what is missing then is a failure.

        No move may be made after it.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_seconds):
                for table in self.tables:
                    await table.wait_until_seen()
        missing_count = sum(table.unseen_move_count for table in self.tables)
        self.figures.failures += ["no new board"] * missing_count
        self._answer_waiter.stop()


async def ticks(rate: float, seconds: float) -> AsyncIterator[None]:
    """Yield ``rate`` times a second for a while, also where the last ones came late."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, start + number / rate - loop.time()))
        yield


def is_ready(table: BenchTable) -> bool:
    """Whether somebody must choose and has a button, or the game is over and may be played again.

    An old board loses its buttons before a new one comes.
    """
    if table.is_busy:
        return False
    if table.is_over:
        return True
    if table.user_to_act is None or table.board is None:
        return False
    return table.panel is not None or find_control(table.board, "play") is not None


def _ply_of(control: JsonObject) -> int:
    button_id = parse_custom_id(control["custom_id"])
    return -1 if button_id is None else button_id.ply


def _action_buttons(message: Message) -> list[JsonObject]:
    """Return the buttons of a panel that lead to an action."""
    return [
        control
        for control in controls(message)
        if control_verb(control) in {"step", "page", "do"}
        and not control.get("disabled")
        and control["label"] != "Back"
    ]


def _choose_button(panel: Message, rng: random.Random) -> JsonObject:
    """Return the button that a person presses in a panel: mostly a choice or Play it, seldom a step back."""
    actions = _action_buttons(panel)
    play_it_button = next((each for each in actions if each["label"] == "Play it"), None)
    if play_it_button is not None and rng.random() < _PLAY_MARKED_PROBABILITY:
        return play_it_button
    steps_back = [
        each for each in controls(panel) if each["label"] in {"Back", "Undo"} and not each.get("disabled")
    ]
    if steps_back and rng.random() < _STEP_BACK_PROBABILITY:
        return rng.choice(steps_back)
    return rng.choice(actions)
