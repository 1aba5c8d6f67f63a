"""A table with its outbox and its messages in a channel or a thread, over a chat in memory."""

import random
from functools import partial
from typing import Any, Self, cast

import discord
from msgspec.structs import replace

from bot.chat.courier import DiscordCourier
from bot.chat.membership import MembershipChecker
from bot.host.courier_protocol import NONCE_MEMORY
from bot.host.deciders import moderation, play, undoing
from bot.host.deciders.decision import BOARD_DELIVERY, THREAD_DELIVERY, Decision
from bot.host.outbox import MAX_RETRY_WAIT
from bot.host.tables import Tables
from rules.model import MODERATOR
from tests.bot.host.fake_chat import FakeChat, FakeMessage, labels
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    RNG,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.host.scripted_courier import ManualOutbox, run_outbox

CURRENTS_FOR_TWO = default_setup(GAMES_AND_TOYS["currents"], 2)


class ChatTable:
    """A table with its outbox and messages; what it plays is sent only when the test says so."""

    def __init__(self, tables: Tables, clock: ManualClock, number: int, chat: FakeChat | None = None) -> None:
        """``number``: the table's; ``chat``: where its messages are, None: in one of its own."""
        self.tables, self.clock, self.number = tables, clock, number
        self.chat = chat or FakeChat()
        client = cast("discord.Client", self.chat)
        self.membership_checker = MembershipChecker(client, clock)
        self.outbox = ManualOutbox(tables, DiscordCourier(client, tables, self.membership_checker))

    @classmethod
    async def start_game(cls, tables: Tables, clock: ManualClock) -> Self:
        """Start a game of two and send its first messages."""
        chat_table = cls(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
        await chat_table.send_all()
        return chat_table

    async def send_all(self) -> None:
        """Send all that waits."""
        while await run_outbox(self.outbox, self.number) is not None:
            self.clock.now += MAX_RETRY_WAIT

    async def send_all_without_nonces(self) -> None:
        """Send all that waits, without faults, once Discord has forgotten the nonces of all messages."""
        for message in self.chat.messages.values():
            message.nonce = 0
        self.chat.fault_of_call = lambda _, __: None
        self.clock.now += NONCE_MEMORY * 2
        await self.send_all()

    async def move_game_and_send(self, channel: int) -> None:
        """Move the game to another channel, and send its board there."""
        await self.tables.change(
            self.number,
            None,
            lambda current: Decision(
                table=current.with_row(game_channel=channel), answer="", deliveries=(BOARD_DELIVERY,)
            ),
        )
        await self.send_all()

    async def move_table_as_host(self, channel: int) -> None:
        """Move the table to a channel, as its host does by `/table move` there, without sending anything."""
        request = replace(request_of_person(0), channel=channel)
        move = partial(moderation.move_here, request=request, is_channel_busy=False)
        await self.tables.change(self.number, request, move)

    async def open_thread(self) -> None:
        """Let the game go on in a thread of its own, without sending anything."""
        await self.tables.change(
            self.number, None, lambda table: Decision(table=table, answer="", deliveries=(THREAD_DELIVERY,))
        )

    async def play_turn(self) -> None:
        """Play until another seat is to act, without sending anything."""
        seat = (await self.tables.get(self.number)).to_act
        while (await self.tables.get(self.number)).to_act == seat:
            await make_move(self.tables, self.number, RNG)

    async def roll_back(self, kept_length: int) -> None:
        """Undo all but the first ``kept_length`` records."""
        await self.tables.change(
            self.number,
            None,
            lambda current: undoing.undo_with_consent(current, MODERATOR, kept_length, "Rolled back."),
        )

    async def history_length(self) -> int:
        """Return how many records count."""
        match = (await self.tables.get(self.number)).match
        assert match is not None
        return len(match.history)

    def turn_messages(self) -> list[FakeMessage]:
        """Return the messages of turns that are over."""
        return [each for each in self.chat.public_messages() if is_turn_message(each)]

    def newest_message(self) -> FakeMessage:
        """Return the newest public message."""
        return self.chat.public_messages()[-1]

    def boards_in(self, channel: int) -> list[FakeMessage]:
        """Return the messages of a channel that have the button **Play**, the newest last."""
        messages = [each for each in self.chat.public_messages() if each.channel.id == channel]
        return [each for each in messages if "Play" in labels(each)]

    def board(self) -> FakeMessage:
        """Return the only message with the button **Play**."""
        (board,) = [each for each in self.chat.public_messages() if "Play" in labels(each)]
        return board


def is_turn_message(message: FakeMessage) -> bool:
    """Return whether a message is that of a turn that is over."""
    heading, _, _ = message.content.partition("\n")
    return heading.endswith(("'s turn", "'s answer"))


async def play_computer_turn(chat_table: ChatTable, rng: random.Random) -> None:
    """Play the turn of the computer player that is to act, at random."""

    def choose(table: Any, seat: Any) -> Any:
        return rng.choice(table.match.legal_actions(seat))

    await chat_table.tables.change(
        chat_table.number, None, lambda table: play.play_computer_turn(table, choose)
    )


async def is_computers_turn(chat_table: ChatTable) -> bool:
    """Whether a computer player is to act."""
    table = await chat_table.tables.get(chat_table.number)
    return table.to_act is not None and table.seats[table.to_act].playing_computer is not None
