"""What people do at one table of the bot: find its messages, choose in panel and commands, play on."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bot.local.interactions import InteractionType
from bot.local.members import InteractionFailed, InteractionResult, Member
from bot.local.message_contents import controls, has_button, message_text
from bot.local.model import Channel, Message
from rules.catalogue import GAMES
from tests.bot.e2e.observe import (
    CUSTOM_ID_PATTERN,
    custom_ids_by_verb,
    ply_of,
    public_messages,
    read_response,
    shown_message,
    wait_until,
)

if TYPE_CHECKING:
    from tests.bot.e2e.rig import Rig

_MAX_PRESSES = 12
"""The most presses that one choice takes."""


@dataclass(slots=True)
class LiveGame:
    """One table as its people see it."""

    rig: Rig
    number: int
    channel: Channel
    people: list[Member]
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    last_seen_ply: int = 0
    """The ply of the newest board that was waited for."""

    def owns(self, message: Message) -> bool:
        """Return whether a message carries this table's buttons."""
        id_matches = (
            CUSTOM_ID_PATTERN.fullmatch(control.get("custom_id", "")) for control in controls(message)
        )
        return any(int(parts[1]) == self.number for parts in id_matches if parts is not None)

    def public_messages(self) -> list[Message]:
        """Return all messages in the channels of the game, the oldest first."""
        return public_messages(self.rig.world, self.channel)

    def hand_messages(self, member: Member) -> list[Message]:
        """Return a player's private messages with this table's buttons."""
        return [message for message in member.messages(member.dm) if self.owns(message)]

    async def wait_for_hand(self, member: Member) -> None:
        """Wait until a player has a private message: hands come after boards."""
        await wait_until(lambda: self.hand_messages(member) or None, awaited="a hand")

    async def wait_for_hands(self) -> None:
        """Wait until everybody has a private message."""
        for member in self.people:
            await self.wait_for_hand(member)

    async def lobby_message(self) -> Message:
        """Return the lobby's message."""
        return await self.newest_message(self.is_lobby)

    def is_lobby(self, message: Message) -> bool:
        """Return whether a message is this table's lobby, open or started."""
        return self.is_named_in(message) and any(game.summary in message.content for game in GAMES.values())

    def is_named_in(self, message: Message) -> bool:
        """Return whether a message names this table."""
        return f"No. {self.number}**" in message.content

    async def newest_message(self, accepts: Callable[[Message], bool]) -> Message:
        """Wait for a public message for which ``accepts`` is true; of several return the newest."""

        def find() -> Message | None:
            return next((message for message in reversed(self.public_messages()) if accepts(message)), None)

        return await wait_until(find, awaited="a message")

    async def message_with(self, text: str) -> Message:
        """Return the newest public message with this text, once it is there."""
        return await self.newest_message(lambda message: text in message.content)

    async def start(self) -> None:
        """Press Start as the host and wait for the first board."""
        host = self.people[0]
        await read_response(await host.press(await self.lobby_message(), "Start"))
        await self.current_board()

    @property
    def game_channel(self) -> Channel:
        """The channel of the newest board."""
        boards = [
            message
            for message in self.public_messages()
            if "play" in custom_ids_by_verb(message) and self.owns(message)
        ]
        return boards[-1].channel if boards else self.channel

    def result(self) -> Message | None:
        """Return the message with the result, if it is posted."""
        results = (
            message
            for message in reversed(self.public_messages())
            if f"No. {self.number} is over**" in message.content
        )
        return next(results, None)

    async def next_board(self, *, after_ply: int | None = None, asks_person: bool = True) -> Message | None:
        """Wait for a board of a later ply than ``after_ply``; None once the game is over.

        ``after_ply``: None: ``last_seen_ply``.
        ``asks_person``: whether it must ask a person to act.
        """
        min_ply = self.last_seen_ply if after_ply is None else after_ply

        def find() -> tuple[Message | None] | None:
            if self.result() is not None:
                return (None,)
            boards = [
                message
                for message in self.public_messages()
                if self.owns(message) and {"play", "more"} <= custom_ids_by_verb(message).keys()
            ]
            if not boards or ply_of(boards[-1]) <= min_ply:
                return None
            return (boards[-1],) if not asks_person or self.member_to_act(boards[-1]) is not None else None

        (board,) = await wait_until(find, awaited="a new board")
        if board is not None:
            self.last_seen_ply = ply_of(board)
        return board

    async def current_board(self) -> Message:
        """Return the newest board on which a person is asked."""
        board = await self.next_board(after_ply=self.last_seen_ply - 1)
        assert board is not None, "the game is over"
        return board

    async def make_move(self, input_method: str = "panel") -> str:
        """Make a move for the seat to act on the newest board, wait for the next one; return the response."""
        response = await self.make_move_on(await self.current_board(), input_method=input_method)
        await self.next_board()
        return response

    def member_to_act(self, board: Message) -> Member | None:
        """Return the person whom the board asks to act; None if it asks nobody."""
        named = re.search(r"<@(\d+)>", board.content)
        if named is None:
            return None
        return next((member for member in self.people if member.user.id == int(named[1])), None)

    def require_member_to_act(self, board: Message) -> Member:
        """Return the member who must act, looking at the board's channel."""
        member = self.member_to_act(board)
        assert member is not None, board.content
        member.channel = board.channel
        return member

    async def table_text(self) -> str:
        """Return what ``/table show`` says of the table."""
        return await read_response(
            await self.people[0].command("table show", table=self.number, channel=self.channel)
        )

    async def count_moves(self) -> int:
        """Return how many moves the game has."""
        count_match = re.search(r"(\d+) moves?", await self.table_text())
        assert count_match is not None
        return int(count_match[1])

    def person(self, name: str) -> Member:
        """Return one of its people, looking at the board."""
        member = next(each for each in self.people if each.user.name == name)
        member.channel = self.game_channel
        return member

    # Playing

    async def make_move_on(self, board: Message, *, input_method: str = "panel") -> str:
        """Make a move for the seat that a board asks; return the response.

        ``input_method``: "panel", "notation" (typed with /play) or the game's key (its own commands).
        """
        member = self.require_member_to_act(board)
        if input_method == "panel":
            return await self.play_through_panel(member, board)
        return await self.play_by_command(member, board, input_method)

    async def play_through_panel(self, member: Member, board: Message) -> str:
        """Press Play and go on pressing until the choice is made."""
        message = await shown_message(await member.press(board, "Play"))
        for _ in range(_MAX_PRESSES):
            offered = [control for control in controls(message) if not control.get("disabled")]
            final = next((control for control in offered if control["label"] == "Play it"), None)
            choices = [
                control
                for control in offered
                if control["custom_id"].split(":")[3] in {"do", "step", "page"} and control["label"] != "Back"
            ]
            pressed = self.rng.choice(choices) if final is None else final
            message = await shown_message(await member.press(message, custom_id=pressed["custom_id"]))
            if pressed["custom_id"].split(":")[3] == "do":
                return message_text(message)
        raise AssertionError(f"no end of the panel: {message_text(message)}")

    async def play_by_command(self, member: Member, board: Message, input_method: str) -> str:
        """Type a slash command with values from its autocompletion.

        ``input_method``: "notation" for /play, or the game's key for its own commands.
        """
        if input_method == "notation":
            offered = await member.autocomplete("play", "move")
            assert offered, f"nothing is offered: {board.content}\n{await self.table_text()}"
            return await read_response(
                await member.command("play", at_once="true", move=self.rng.choice(offered)["value"])
            )
        ply = ply_of(board)
        group = next(command for command in self.rig.world.commands if command["name"] == input_method)
        verbs = list(group["options"])
        self.rng.shuffle(verbs)
        for verb in verbs:
            name = f"{input_method} {verb['name']}"
            options = await self._autocompleted_options(member, name, verb)
            if options is not None:
                page = await shown_message(await member.command(name, **options))
                if has_button(page, "Play it") and ply_of(page) == ply:  # else it is about the next choice
                    page = await shown_message(await member.press(page, "Play it"))
                return message_text(page)
        raise AssertionError(f"no command offers anything: {board.content}\n{await self.table_text()}")

    async def _autocompleted_options(
        self, member: Member, name: str, verb: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Return options for a subcommand, each from autocompletion; None if nothing is offered."""
        options = [option for option in verb.get("options", []) if option["name"] != "table"]
        chosen: dict[str, Any] = {}
        for option in options:
            offered = await member.autocomplete(name, option["name"], **chosen)
            if not offered:
                if option.get("required"):
                    return None
                continue
            chosen[option["name"]] = self.rng.choice(offered)["value"]
        if not options:  # a verb alone: the suggestions of /play tell whether it is legal now
            moves = await member.autocomplete("play", "move", str(verb["name"]))
            return {} if any(move["value"] == verb["name"] for move in moves) else None
        return chosen

    async def ask_to_undo(self, member: Member) -> str:
        """Press Undo after others have moved, confirm that they are asked, and return the answer."""
        page = await shown_message(await member.press(await self.current_board(), "Undo"))
        return await read_response(await member.press(page, "Ask to undo"))

    async def resign(self, member: Member) -> str:
        """Resign for a player by ``/resign`` and the button of its question; return the response."""
        question = await shown_message(await member.command("resign", table=self.number))
        return await read_response(await member.press(question, "Resign"))

    async def play_out(
        self, *, input_methods: tuple[str, ...] = ("panel",), max_choices: int | None = None
    ) -> Message:
        """Play on to the end and return the result's message.

        ``input_methods``: one is drawn for each choice, so that one listed twice is drawn twice as often.
        After ``max_choices`` the last person resigns, which ends a game of two.
        """
        board = await self.next_board(after_ply=self.last_seen_ply - 1)
        choice_count = 0
        while board is not None:
            if choice_count == max_choices:
                await self.resign(self.people[-1])
            else:
                await self.make_move_on(board, input_method=self.rng.choice(input_methods))
            choice_count += 1
            board = await self.next_board()
        result = self.result()
        assert result is not None
        return result


async def choose_through_hand(game: LiveGame, member: Member) -> None:
    """Make a choice in the direct messages, where the game's own channel does not matter."""
    hand = await wait_until(
        lambda: next(
            (
                message
                for message in reversed(member.messages(member.dm))
                if _has_play_button_of(game, message)
            ),
            None,
        ),
        awaited="a hand",
    )
    await game.play_through_panel(member, hand)


def _has_play_button_of(game: LiveGame, message: Message) -> bool:
    return game.owns(message) and has_button(message, "Play")


async def press_component(
    member: Member, message: Message, custom_id: str, *values: str
) -> InteractionResult:
    """Press a component of any custom id, with any values, as if the bot had once sent it there."""
    component_type = 3 if values else 2
    component: dict[str, Any] = {"type": component_type, "custom_id": custom_id, "id": 2}
    data: dict[str, Any] = {"component_type": component_type, "custom_id": custom_id, "id": 2}
    if values:
        data["values"] = list(values)
        component["options"] = [{"label": "A", "value": value} for value in values]
    else:
        component |= {"style": 2, "label": "A"}
    world = member._world
    row = {"type": 1, "id": 1, "components": [component]}
    message = Message(world.new_snowflake(), message.channel, world.bot, world.clock(), components=[row])
    try:
        return await member._interact(InteractionType.COMPONENT, message.channel, data, message)
    except InteractionFailed:
        raise AssertionError(f"no answer to {custom_id!r}") from None
