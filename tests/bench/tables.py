"""Tables of a running bot as their people see them: boards, hands, and when they show a move."""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.chat.components import CustomId, parse_custom_id
from bot.local.api_errors import JsonObject
from bot.local.members import Member
from bot.local.message_contents import controls
from bot.local.model import ChannelType, Message, WorldEvent
from bot.local.world import World
from tests.bench.live_tables import LiveTable

MESSAGE_TIMEOUT: Final = 20.0
"""How long a board or a lobby is waited for."""
_MENTION_PATTERN: Final = re.compile(r"<@(\d+)>")


@dataclass
class BenchTable:
    """One table as its people see it."""

    number: int
    """It changes with a rematch."""
    people_by_user: dict[int, Member]
    board: Message | None = None
    result: Message | None = None
    lobby: Message | None = None
    """Of a rematch."""
    ply: int = -1
    """Of the newest board."""
    user_to_act: int | None = None
    """Who must choose; None: nobody, or not known yet."""
    is_over: bool = False
    is_busy: bool = False
    """Whether somebody's move is under way."""
    panel: Message | None = None
    """The private message in which the user to act goes on."""
    hand_messages: dict[int, Message] = field(default_factory=dict)
    """The newest hand message by user."""
    timed_moves: list[tuple[int, float]] = field(default_factory=list)
    """The ply before each move of the run, and when its button was pressed."""
    board_times: list[float] = field(default_factory=list)
    """Seconds from each such press to the first board, or the result, that shows the move."""
    hand_times: list[float] = field(default_factory=list)
    """Seconds to each hand message, from the press that made the newest move which it shows first."""
    _seen_count: int = 0
    """How many of ``timed_moves`` a board has shown."""
    _hand_plies: dict[int, int] = field(default_factory=dict)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def of(cls, live: LiveTable) -> "BenchTable":
        """Return a table of which nothing has been seen yet."""
        return cls(live.number, {member.user.id: member for member in live.people})

    def begin_rematch(self, number: int) -> None:
        """Go on with the table of the rematch, of which nothing has been seen yet."""
        self.number, self.ply, self.user_to_act, self.is_over = number, -1, None, False
        self.board = self.result = self.lobby = self.panel = None
        self.timed_moves.clear()
        self._seen_count = 0
        self.hand_messages.clear()
        self._hand_plies.clear()

    def start_move_timer(self, ply: int) -> None:
        """Count time from now on for a move whose button was offered at ``ply``."""
        self.timed_moves.append((ply, time.perf_counter()))

    def forget_move_times(self) -> None:
        """Forget the times of the moves so far; every move must be on a board."""
        self.timed_moves.clear()
        self.board_times.clear()
        self.hand_times.clear()
        self._seen_count = 0

    @property
    def unseen_move_count(self) -> int:
        """How many moves no board has shown yet."""
        return len(self.timed_moves) - self._seen_count

    def read(self, message: Message) -> None:
        """Read a public message with its buttons: the ply and whose turn it is, if it is the newest board."""
        ids_by_verb = button_ids(message)
        if "again" in ids_by_verb:
            self.user_to_act, self.is_over, self.result = None, True, message
            self._record_board_times(None)
        elif "start" in ids_by_verb:
            self.lobby = message
        elif "play" in ids_by_verb and (ply := ids_by_verb["play"].ply) > self.ply:
            mention = _MENTION_PATTERN.search(message.content)
            self.ply, self.board, self.user_to_act = ply, message, int(mention[1]) if mention else None
            self._record_board_times(ply)
        else:
            return
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def _record_board_times(self, shown_ply: int | None) -> None:
        now = time.perf_counter()
        while self.unseen_move_count and (
            shown_ply is None or self.timed_moves[self._seen_count][0] < shown_ply
        ):
            self.board_times.append(now - self.timed_moves[self._seen_count][1])
            self._seen_count += 1

    def read_hand(self, message: Message, user: int, ply: int) -> None:
        """Read a hand message with buttons of this table: somebody's hand at a ply."""
        self.hand_messages[user] = message
        newly_shown = [
            pressed_at
            for offered_ply, pressed_at in self.timed_moves
            if self._hand_plies.get(user, -1) <= offered_ply < ply
        ]
        self._hand_plies[user] = ply
        if newly_shown:
            self.hand_times.append(time.perf_counter() - newly_shown[-1])

    async def wait_until_seen(self) -> None:
        """Wait until a board or the result has shown every move."""
        while self.unseen_move_count:
            await self._changed.wait()

    async def wait_for_lobby(self) -> Message:
        """Wait for the lobby of a rematch.  Raises TimeoutError."""
        async with asyncio.timeout(MESSAGE_TIMEOUT):
            while self.lobby is None:
                await self._changed.wait()
        return self.lobby

    async def wait_for_board(self, ply: int) -> None:
        """Wait until a board after ``ply`` or the result is there.  Raises TimeoutError."""
        async with asyncio.timeout(MESSAGE_TIMEOUT):
            while self.ply <= ply and not self.is_over:
                await self._changed.wait()


class MessageReader:
    """Reads the boards and hands of some tables as they are posted or changed."""

    def __init__(self, world: World, tables: Sequence[BenchTable]) -> None:
        """Read from now on, until ``stop`` is called."""
        self._by_number = {table.number: table for table in tables}
        self._lobbies: dict[int, Message] = {}
        """By number, of tables that nobody follows yet."""
        self.stop = world.listen(self.read)

    def follow_rematch(self, table: BenchTable, number: int) -> None:
        """Read the rematch of a table from now on."""
        table.begin_rematch(number)
        self._by_number[number] = table
        if number in self._lobbies:
            table.read(self._lobbies.pop(number))

    def read(self, event: WorldEvent) -> None:
        """Read one event of the stand-in."""
        message = event.message
        if message is None or event.name not in {"MESSAGE_CREATE", "MESSAGE_UPDATE"} or message.ephemeral:
            return
        ids_by_verb = button_ids(message)
        button_id = next(iter(ids_by_verb.values()), None)
        table = None if button_id is None else self._by_number.get(button_id.table_number)
        if button_id is None or (table is None and "start" not in ids_by_verb):
            return
        if table is None:
            self._lobbies[button_id.table_number] = message
        elif table.number != button_id.table_number:
            return  # its rematch goes on
        elif message.channel.type is not ChannelType.DM:
            table.read(message)
        elif message.channel.recipient is not None:
            table.read_hand(message, message.channel.recipient.id, button_id.ply)


def button_ids(message: Message) -> dict[str, CustomId]:
    """Return the ids of a message's buttons by their verb."""
    ids = [parse_custom_id(str(control.get("custom_id", ""))) for control in controls(message)]
    return {each.verb: each for each in ids if each is not None}


def find_control(message: Message, verb: str) -> JsonObject | None:
    """Return a message's button of a verb; None if it has none that can be pressed."""
    return next(
        (each for each in controls(message) if control_verb(each) == verb and not each.get("disabled")), None
    )


def control_verb(control: JsonObject) -> str:
    """Return what a button or select is for; empty if it is none of the bot's."""
    button_id = parse_custom_id(str(control.get("custom_id", "")))
    return "" if button_id is None else button_id.verb


def find_free_table(
    tables: Sequence[BenchTable], first_index: int, is_free: Callable[[BenchTable], bool]
) -> BenchTable | None:
    """Return the first free table from ``first_index`` on, cyclically; None if there is none."""
    return next((table for table in (*tables[first_index:], *tables[:first_index]) if is_free(table)), None)
