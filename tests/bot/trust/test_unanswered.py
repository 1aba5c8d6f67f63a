"""The bot itself and time: an offered seat and a question to which nobody answers expire after a day."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import cast

import pytest

from bot.chat import membership, offer_pages
from bot.host.deciders.questions import VOTING_TIME
from bot.host.housekeeping import Housekeeping
from bot.host.table import Table
from bot.host.tables import Tables
from bot.local.members import Member
from bot.local.message_contents import has_button
from bot.local.model import Channel, Message
from bot.local.server import LocalDiscord
from bot.store.sqlite import SqliteStore
from tests.bot.e2e.observe import (
    custom_ids_by_verb,
    public_messages,
    read_response,
    shown_message,
    wait_until,
)
from tests.bot.host.playing import ManualClock
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.in_process_bot import in_process_bot
from tests.trials import WAIT_TIMEOUT

__all__ = ["restored_discord_addresses"]


@dataclass(slots=True)
class TwoPlayerGame:
    """A game of Ava, the host, and Ben, with the clock of its bot."""

    server: LocalDiscord
    tables: Tables
    channel: Channel

    def messages(self) -> list[Message]:
        """Return the public messages, oldest first."""
        return public_messages(self.server.world, self.channel)

    async def wait_for_newest_message(self, accepts: Callable[[Message], bool]) -> Message:
        """Return the newest message for which ``accepts`` is true, once it is there."""
        return await wait_until(
            lambda: next((each for each in reversed(self.messages()) if accepts(each)), None)
        )

    async def wait_for_text(self, text: str) -> Message:
        """Return the newest message with a text."""
        return await self.wait_for_newest_message(lambda message: text in message.content)

    def member(self, name: str) -> Member:
        """Return a person where the game is played."""
        member = self.server.member(name)
        member.channel = next(
            (
                message.channel
                for message in reversed(self.messages())
                if "play" in custom_ids_by_verb(message)
            ),
            self.channel,
        )
        return member

    async def wait_a_day(self) -> None:
        """Move the bot's clock on, and do what is due; the bot was connected all day.

        Its posts are stored first: no time runs out before the bot knows that people can read the message.
        """
        await self.wait_for_stored_posts()
        cast("ManualClock", self.tables.clock).now += VOTING_TIME
        self.tables.outages.bot_last_seen = int(self.tables.clock())
        await Housekeeping(self.tables).do_due_work_at_tables()

    async def wait_for_stored_posts(self) -> None:
        """Wait until the bot has stored that everything of the game was posted."""
        deadline = time.monotonic() + WAIT_TIMEOUT
        while await self.tables.store.waiting_deliveries(1):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.01)

    async def play(self, count: int) -> None:
        """Make some moves."""
        for _ in range(count):
            table = await self.tables.get(1)
            assert table.to_act is not None
            actor = self.member(table.plain_names[table.to_act])
            moves = await actor.autocomplete("play", "move", "")
            await read_response(await actor.command("play", at_once="true", move=moves[0]["value"]))


@pytest.fixture
async def game(store: SqliteStore) -> AsyncIterator[TwoPlayerGame]:
    """Yield a game with its first board."""
    async with in_process_bot(store) as (server, client):
        game = TwoPlayerGame(server, client.host.tables, server.world.add_text_channel("game"))
        await read_response(await game.member("Ava").command("newgame", game="currents"))
        lobby = await game.wait_for_newest_message(lambda message: has_button(message, "Join"))
        await read_response(await game.member("Ben").press(lobby, "Join"))
        await read_response(await game.member("Ava").press(lobby, "Start"))
        await game.wait_for_newest_message(lambda message: has_button(message, "Play"))
        yield game


async def test_an_unanswered_offer_leaves_the_seat_to_its_player(game: TwoPlayerGame) -> None:
    """Nobody declines for a day: then the newcomer may take the seat, for one more day."""
    ava = game.member("Ava")
    farid = game.server.member("Farid").user.id
    page = await shown_message(await ava.command("table replace", seat="B", player=farid))
    await read_response(await ava.press(page, "Offer the seat"))
    offer_message = await game.wait_for_text("offers seat B of Ben to Farid")
    await game.wait_a_day()
    approved_message = await game.wait_for_text("Nobody declined in time")
    assert not has_button(approved_message, "Give my seat away")
    await wait_until(lambda: offer_message.content.endswith("\nNobody declined in time.") or None)
    assert not offer_message.components
    await game.wait_a_day()
    await game.wait_for_text("Farid did not accept in time. Seat B stays with Ben.")
    await wait_until(lambda: not approved_message.components or None)
    answer = await read_response(await game.member("Ben").command("table show"))
    assert "Ben" in answer
    assert "offered" not in answer


async def test_an_unanswered_question_ends_with_no(game: TwoPlayerGame) -> None:
    """Nobody answers for a day: the game stays as it is, and the question cannot be answered any more."""
    await game.play(4)
    move_count = (await game.tables.get(1)).move_count
    page = await shown_message(await game.member("Ava").command("table rollback", move=1))
    await read_response(await game.member("Ava").press(page, "Ask to roll back"))
    question = await game.wait_for_text("Ava (host) asks to roll the game back to move 1.")
    await game.wait_a_day()
    await game.wait_for_text("Ben did not answer in time. The game goes on from where it is.")
    await wait_until(lambda: question.content.endswith("\nBen did not answer in time.") or None)
    assert not question.components
    assert (await game.tables.get(1)).move_count == move_count


async def test_whoever_was_here_lately_is_not_asked_about(
    game: TwoPlayerGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A press or a command shows that a player is in the server: Discord is asked about the other one."""
    while (await game.tables.get(1)).to_act == 1:
        await game.play(1)
    await game.wait_a_day()
    asked_users: list[int] = []

    async def record(_: object, table: Table, user: int) -> bool:
        asked_users.append(user)
        return False

    monkeypatch.setattr(membership, "is_missing_from_server", record)
    for seat in (0, 1):
        while (await game.tables.get(1)).to_act == seat:
            await game.play(1)
        await game.wait_for_stored_posts()
    assert asked_users == [game.server.member("Ben").user.id]


async def test_the_board_offers_the_seat_of_a_player_who_left_the_server(
    game: TwoPlayerGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben has not been seen for a day: Discord is asked, and whoever presses first has the seat at once.

    It is not asked again when somebody presses who may not offer the seat.
    """
    while (await game.tables.get(1)).to_act == 1:
        await game.play(1)
    await game.wait_a_day()
    game.server.member("Ben").leave()
    while (await game.tables.get(1)).to_act == 0:
        await game.play(1)
    board = await game.wait_for_text("Ben has left this server.")
    with monkeypatch.context() as patches:
        patches.setattr(offer_pages, "is_seat_of_former_member", pytest.fail)
        refusal = await read_response(await game.member("Farid").press(board, "Offer to anybody"))
        assert "Only the table's host" in refusal
    answer = await read_response(await game.member("Ava").press(board, "Offer to anybody"))
    assert "The first who presses **Take the seat** gets it." in answer
    offer_message = await game.wait_for_text("offers seat B")
    taken = await game.member("Farid").press(offer_message, "Take the seat")
    assert "You have seat B now" in await read_response(taken)
