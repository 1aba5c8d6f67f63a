"""Tables of a running bot as their people see them: boards, hands, and when they show a move."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from bot.chat.components import CustomId, parse_id
from bot.local.api_errors import JsonObject
from bot.local.members import Member
from bot.local.message_contents import controls
from bot.local.model import Channel, ChannelType, Message, WorldEvent
from bot.local.world import World
from tests.bench.live_tables import LiveTable

BOARD_SECONDS: Final = 20.0
"""How long a board is waited for."""
_MENTION: Final = re.compile(r"<@(\d+)>")


@dataclass
class BenchTable:
    """One table as its people see it."""

    number: int
    key: str
    """Of its game."""
    channel: Channel
    people: dict[int, Member]
    """By user."""
    board: Message | None = None
    ply: int = -1
    to_act: int | None = None
    """The user who must choose; None: nobody, or not known yet."""
    is_over: bool = False
    busy: bool = False
    """Whether somebody's move is under way."""
    panel: Message | None = None
    """The private message in which the user to act goes on."""
    hands: dict[int, Message] = field(default_factory=dict)
    """The newest hand message by user."""
    moves: list[tuple[int, float]] = field(default_factory=list)
    """The ply before each move of the run, and when its button was pressed."""
    boards: list[float] = field(default_factory=list)
    """Seconds from each such press to the first board, or the result, that shows the move."""
    hand_times: list[float] = field(default_factory=list)
    """Seconds to each hand message, from the press that made the newest move which it shows first."""
    _hand_plies: dict[int, int] = field(default_factory=dict)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def of(cls, live: LiveTable) -> "BenchTable":
        """Return a table of which nothing has been seen yet."""
        people = {member.user.id: member for member in live.people}
        return cls(live.number, live.played.game.key, live.thread, people)

    def begin_move(self, ply: int) -> None:
        """Note that a button is pressed now which was offered at ``ply`` and makes a move."""
        self.moves.append((ply, time.perf_counter()))

    def forget_times(self) -> None:
        """Forget the times of the moves so far; every move must be on a board."""
        self.moves.clear()
        self.boards.clear()
        self.hand_times.clear()

    @property
    def unseen_moves(self) -> int:
        """How many moves no board has shown yet."""
        return len(self.moves) - len(self.boards)

    def read(self, message: Message) -> None:
        """Read a message of its channel: the ply and whose turn it is, if it is the newest board."""
        if message.ephemeral:
            return
        if "again" in button_ids(message):  # the result
            self.to_act, self.is_over = None, True
            self._record_boards(None)
        elif is_board(message, self.number) and (ply := button_ids(message)["play"].ply) > self.ply:
            asked = _MENTION.search(message.content)
            self.ply, self.board, self.to_act = ply, message, int(asked[1]) if asked else None
            self._record_boards(ply)
        else:
            return
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def _record_boards(self, ply: int | None) -> None:
        now = time.perf_counter()
        while self.unseen_moves and (ply is None or self.moves[len(self.boards)][0] < ply):
            self.boards.append(now - self.moves[len(self.boards)][1])

    def read_hand(self, message: Message) -> None:
        """Read a direct message to one of its people: their hand, if it has buttons of this table."""
        found = next((each for each in button_ids(message).values() if each.table == self.number), None)
        user = None if message.channel.recipient is None else message.channel.recipient.id
        if found is None or user not in self.people:
            return
        self.hands[user] = message
        shown = [began for ply, began in self.moves if self._hand_plies.get(user, -1) <= ply < found.ply]
        self._hand_plies[user] = found.ply
        if shown:
            self.hand_times.append(time.perf_counter() - shown[-1])

    async def wait_until_seen(self) -> None:
        """Wait until a board or the result has shown every move."""
        while self.unseen_moves:
            await self._changed.wait()

    async def wait_for_board(self, ply: int) -> None:
        """Wait until a board after ``ply`` or the result is there.  Raises TimeoutError."""
        async with asyncio.timeout(BOARD_SECONDS):
            while self.ply <= ply and not self.is_over:
                await self._changed.wait()


@contextmanager
def reading_messages(world: World, games: Sequence[BenchTable]) -> Iterator[None]:
    """Read every board and hand of these games as it is posted or changed."""
    by_channel = {game.channel.id: game for game in games}
    by_user = {user: game for game in games for user in game.people}

    def read_event(event: WorldEvent) -> None:
        message = event.message
        if message is None or event.name not in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}:
            return
        if message.channel.type is ChannelType.DM:
            recipient = message.channel.recipient
            game = None if recipient is None else by_user.get(recipient.id)
            if game is not None and not message.ephemeral:
                game.read_hand(message)
        elif (game := by_channel.get(message.channel.id)) is not None:
            game.read(message)

    stop = world.listen(read_event)
    try:
        yield
    finally:
        stop()


def button_ids(message: Message) -> dict[str, CustomId]:
    """Return the ids of a message's buttons by their verb."""
    ids = [parse_id(str(control.get("custom_id", ""))) for control in controls(message)]
    return {each.verb: each for each in ids if each is not None}


def is_board(message: Message, number: int) -> bool:
    """Whether a message is the board of a table."""
    play = button_ids(message).get("play")
    return (
        not message.ephemeral
        and message.channel.type is not ChannelType.DM
        and (play is not None and play.table == number)
    )


def find_control(message: Message, verb: str) -> JsonObject | None:
    """Return a message's button of a verb; None if it has none that can be pressed."""
    return next(
        (each for each in controls(message) if verb_of(each) == verb and not each.get("disabled")), None
    )


def verb_of(control: JsonObject) -> str:
    """Return what a button or select is for; empty if it is none of the bot's."""
    found = parse_id(str(control.get("custom_id", "")))
    return "" if found is None else found.verb


def next_free(games: Sequence[BenchTable], after: int, is_free: Callable[[BenchTable], bool]) -> int | None:
    """Return the index of the next free game after ``after``; None if there is none."""
    for offset in range(1, len(games) + 1):
        index = (after + offset) % len(games)
        if is_free(games[index]):
            return index
    return None
