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

from bot.chat.components import parse_id
from bot.local.api_errors import JsonObject
from bot.local.client_input import ClientRefusal
from bot.local.interactions import CallbackType
from bot.local.members import InteractionFailed, InteractionResult, Member
from bot.local.message_contents import controls, message_text
from bot.local.model import Message, MessageFlag, WorldEvent
from bot.local.world import World
from tests.bench.tables import BenchTable, MessageReader, find_control, next_free, verb_of

PAUSE: Final = (0.03, 0.12)
"""Seconds between two presses of a move, from a uniform distribution; people take longer."""
_LOOK: Final = 0.3
"""How often somebody looks at their hand before a move."""
_READ: Final = 0.04
"""How often somebody reads the rules or the log before a move."""
_FROM_HAND: Final = 0.3
"""How often a turn is begun at the hand message, where it has the first choices."""
_PLAY_MARKED: Final = 0.7
"""How often a marked choice is played; otherwise another one is compared."""
_STEP_BACK: Final = 0.06
"""How often somebody goes back or takes back a choice, where the panel offers it."""
_MAX_PRESSES: Final = 40
_NUMBER: Final = re.compile(r"table No\. (\d+)")
_LOAD_SECONDS: Final = 20.0
"""How long a deferred answer is waited for."""
FAILURES: Final = (InteractionFailed, ClientRefusal, TimeoutError)


@dataclass
class PressFigures:
    """What the presses of a run measured, in seconds, and what went wrong."""

    answers: list[float] = field(default_factory=list)
    """From each press to its answer, with its picture."""
    moves: list[float] = field(default_factory=list)
    """The same, of the presses that make a move."""
    pictures: int = 0
    """Answers with a picture."""
    selects: int = 0
    """Presses that chose in a select."""
    failures: list[str] = field(default_factory=list)
    skipped: int = 0
    """Moves that were due while no table was free."""
    ended: int = 0
    """Games that ended; each is played again, which takes the place of one move."""


class Answers:
    """Waits for the answers to presses, without polling."""

    def __init__(self, world: World) -> None:
        self._waiting: dict[int, asyncio.Event] = {}
        self.stop = world.listen(self._read_event)

    def _read_event(self, event: WorldEvent) -> None:
        if event.message is not None and (waiting := self._waiting.get(event.message.id)) is not None:
            waiting.set()

    async def shown(self, outcome: InteractionResult, edited: float | None) -> Message:
        """Return the message once the answer is there.  ``edited``: its time of change before the press."""
        message = outcome.message
        deferred = outcome.response.callback is CallbackType.DEFERRED_UPDATE
        changed = self._waiting.setdefault(message.id, asyncio.Event())
        try:
            async with asyncio.timeout(_LOAD_SECONDS):
                while message.flags & MessageFlag.LOADING or (deferred and message.edited_at == edited):
                    changed.clear()
                    await changed.wait()
        finally:
            self._waiting.pop(message.id, None)
        return message


class People:
    """Everybody at some tables."""

    def __init__(
        self, world: World, games: Sequence[BenchTable], rng: random.Random, reader: MessageReader
    ) -> None:
        """``games``: the tables at which moves are made; ``reader`` reads what is posted there."""
        self.figures = PressFigures()
        self.tables = tuple(games)
        self._reader = reader
        self._rng = rng
        self._answers = Answers(world)

    async def make_moves(self, rate: float, seconds: float, stop: asyncio.Event | None = None) -> None:
        """Begin ``rate`` moves a second for a while, each at some free table, and wait for all of them.

        ``stop``: ends it earlier.
        """
        async with asyncio.TaskGroup() as group:
            async for _ in due_times(rate, seconds):
                if stop is not None and stop.is_set():
                    return
                game = next_free(self.tables, self._rng.randrange(len(self.tables)), can_move)
                if game is None:
                    self.figures.skipped += 1
                    continue
                game.busy = True
                group.create_task(self.make_rematch(game) if game.is_over else self.make_move(game))

    @property
    def anybody(self) -> Member:
        """Somebody at one of the tables."""
        return next(iter(self.tables[0].people.values()))

    async def make_move(self, game: BenchTable) -> None:
        """Make one move at a table that is marked as busy; if it ends the turn, wait for the next board."""
        try:
            await self._look_around(game)
            ply = await self._press_until_played(game)
            if game.panel is None:  # the turn is over: the next player begins at the board
                await game.wait_for_board(ply)
        except FAILURES as error:
            self.figures.failures.append(f"{type(error).__name__} {error}")
            game.panel = None
        finally:
            game.busy = False

    async def make_rematch(self, game: BenchTable) -> None:
        """Begin the same game again at a table that is over and marked as busy."""
        self.figures.ended += 1
        try:
            assert game.result is not None
            people, result = list(game.people.values()), game.result
            again = find_control(result, "again")
            assert again is not None
            answers = [message_text(await self._press(member, result, again)) for member in people]
            number = _NUMBER.search(answers[0])
            if number is None:
                raise ClientRefusal(answers[0])
            self._reader.follow_rematch(game, int(number[1]))
            lobby = await game.wait_for_lobby()
            start = find_control(lobby, "start")
            assert start is not None
            await self._press(people[0], lobby, start)
            await game.wait_for_board(-1)
        except FAILURES as error:
            self.figures.failures.append(f"rematch: {type(error).__name__} {error}")
        finally:
            game.busy = False

    async def _look_around(self, game: BenchTable) -> None:
        """Look at a hand, or read the rules or the log, now and then."""
        anybody = self._rng.choice(list(game.people.values()))
        assert game.board is not None
        hand = find_control(game.board, "hand")
        if game.panel is None and hand is not None and self._rng.random() < _LOOK:
            await self._press(anybody, game.board, hand)
        more = find_control(game.board, "more")
        if more is not None and self._rng.random() < _READ:
            page = await self._press(anybody, game.board, more)
            control = find_control(page, self._rng.choice(("rules", "log")))
            if control is not None:
                await self._read_rules(anybody, await self._press(anybody, page, control))

    async def _read_rules(self, member: Member, page: Message) -> None:
        """Choose another page of the rules, if there is a select."""
        select = next((each for each in controls(page) if each.get("options")), None)
        if select is not None:
            option = self._rng.choice(select["options"])
            self.figures.selects += 1
            await self._press(member, page, select, option["value"])

    async def _press_until_played(self, game: BenchTable) -> int:
        """Press until a choice is stored; return the ply at which it was offered."""
        if game.to_act is None:
            raise ClientRefusal("Nobody is asked to act any more.")
        member = game.people[game.to_act]
        for _ in range(_MAX_PRESSES):
            message, control = self._next_press(game)
            plays = verb_of(control) == "do"
            offered = parse_id(control["custom_id"])
            assert offered is not None
            if plays:
                game.begin_move(offered.ply)
            shown = await self._press(member, message, control)
            game.panel = shown if _ways(shown) else None
            if game.panel is not None and not shown.attachments:
                self.figures.failures.append(f"no picture after {verb_of(control)}")
            if plays:
                self.figures.moves.append(self.figures.answers[-1])
                return offered.ply
            await asyncio.sleep(self._rng.uniform(*PAUSE))
        raise TimeoutError("no choice was played")

    def _next_press(self, game: BenchTable) -> tuple[Message, JsonObject]:
        """Return what the person to act presses next."""
        if game.panel is not None:
            return game.panel, _choice(game.panel, self._rng)
        if game.to_act is None:
            raise ClientRefusal("Nobody is asked to act any more.")  # it changed while they looked around
        assert game.board is not None
        hand = game.hands.get(game.to_act)
        if hand is not None and self._rng.random() < _FROM_HAND:
            ways = [way for way in _ways(hand) if _ply_of(way) == game.ply]
            if ways:
                return hand, self._rng.choice(ways)
        play = find_control(game.board, "play")
        if play is None:
            raise ClientRefusal("The board has no Play.")
        return game.board, play

    async def _press(self, member: Member, message: Message, control: JsonObject, *chosen: str) -> Message:
        """Press a button, or choose in a select; return the private page that follows, once it is there."""
        began, edited = time.perf_counter(), message.edited_at
        if chosen:
            outcome = await member.choose(message, *chosen, custom_id=control["custom_id"])
        else:
            outcome = await member.press(message, custom_id=control["custom_id"])
        shown = await self._answers.shown(outcome, edited)
        self.figures.answers.append(time.perf_counter() - began)
        self.figures.pictures += bool(shown.attachments)
        return shown

    async def settle(self, seconds: float) -> None:
        """Wait until every move is on a board, at most for a while; what is missing then is a failure."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                for game in self.tables:
                    await game.wait_until_seen()
        missing = sum(game.unseen_moves for game in self.tables)
        self.figures.failures += ["no new board"] * missing
        self._answers.stop()


async def due_times(rate: float, seconds: float) -> AsyncIterator[None]:
    """Yield ``rate`` times a second for a while, also where the last ones came late."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, start + number / rate - loop.time()))
        yield


def can_move(game: BenchTable) -> bool:
    """Whether somebody must choose and has a button, or the game is over and may be played again.

    An old board loses its buttons before a new one comes.
    """
    if game.busy:
        return False
    if game.is_over:
        return True
    if game.to_act is None or game.board is None:
        return False
    return game.panel is not None or find_control(game.board, "play") is not None


def _ply_of(control: JsonObject) -> int:
    found = parse_id(control["custom_id"])
    return -1 if found is None else found.ply


def _ways(message: Message) -> list[JsonObject]:
    """Return the buttons of a panel that lead to an action."""
    return [
        control
        for control in controls(message)
        if verb_of(control) in {"step", "page", "do"}
        and not control.get("disabled")
        and control["label"] != "Back"
    ]


def _choice(panel: Message, rng: random.Random) -> JsonObject:
    """Return what a person presses in a panel: mostly a choice or Play it, now and then a step back."""
    ways = _ways(panel)
    marked = next((each for each in ways if each["label"] == "Play it"), None)
    if marked is not None and rng.random() < _PLAY_MARKED:
        return marked
    back = [
        each for each in controls(panel) if each["label"] in {"Back", "Undo"} and not each.get("disabled")
    ]
    if back and rng.random() < _STEP_BACK:
        return rng.choice(back)
    return rng.choice(ways)
