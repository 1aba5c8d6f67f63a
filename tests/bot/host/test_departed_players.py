"""A player who has left the server is to act: the board says so, and offers the seat."""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.chat.membership import ASSUMED_SECONDS, MembershipChecker
from bot.error_codes import ErrorCode
from bot.host.deciders.decision import BOARD_DELIVERY, Decision
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR, TimeControl, TimeoutAction, TurnStage
from rules.model import Seat
from tests.bot.host.fake_chat import http_error, labels, stub_board_pictures
from tests.bot.host.playing import CHANNEL, FIRST_USER, ManualClock
from tests.bot.host.waiting_tables import WaitingTable


class FakeServer:
    """A server that knows who is a member, and whom it was asked about."""

    def __init__(self) -> None:
        """Start with everybody as a member."""
        self.former_members = set[int]()
        self.asked_users: list[int] = []

    async def fetch_member(self, user: int) -> Any:
        """Return a member, or raise what Discord answers for somebody else."""
        self.asked_users.append(user)
        if user in self.former_members:
            response = http_error(ErrorCode.UNKNOWN_MEMBER).response
            raise discord.NotFound(response, {"code": ErrorCode.UNKNOWN_MEMBER, "message": "no"})
        return SimpleNamespace(id=user)


def _post_board(table: Table) -> Decision:
    return Decision(table=table, answer="", deliveries=(BOARD_DELIVERY,))


@pytest.fixture
async def chat_table(tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> WaitingTable:
    """Return a table of two people whose first messages have arrived, in a server with members."""
    stub_board_pictures(monkeypatch)
    chat_table = await WaitingTable.start_game(tables, clock)
    chat_table.chat.guild = FakeServer()
    clock.now += ASSUMED_SECONDS
    return chat_table


async def test_the_board_says_that_the_player_to_act_has_left(chat_table: WaitingTable) -> None:
    """It says so in their turns only, with the button that offers the seat, until they are back."""
    server: FakeServer = chat_table.chat.guild
    seat = (await chat_table.tables.get(chat_table.number)).to_act
    assert seat is not None
    leaver_seat = Seat(1 - seat)
    server.former_members.add(FIRST_USER + leaver_seat)
    for seat_to_act in (leaver_seat, seat, leaver_seat):
        await chat_table.play_turn()
        await chat_table.send_all()
        is_leaver = seat_to_act == leaver_seat
        board = chat_table.board()
        assert board.raw_mentions == [FIRST_USER + seat_to_act]
        assert (f"{'AB'[leaver_seat]}`." in board.content) == is_leaver
        assert ("has left this server." in board.content) == is_leaver
        assert labels(board).count("Offer to anybody") == is_leaver
    server.former_members.clear()
    await chat_table.tables.change(chat_table.number, None, _post_board)
    await chat_table.send_all()
    assert "has left this server." not in chat_table.board().content


async def test_the_board_says_that_the_player_has_left_meanwhile(chat_table: WaitingTable) -> None:
    """With the reminder Discord is asked once more."""
    user = await chat_table.user_to_act()
    chat_table.chat.guild.former_members.add(user)
    await chat_table.pass_time(DAY - 2 * HOUR)
    assert "has left" not in chat_table.boards_in(CHANNEL)[0].content
    await chat_table.pass_time(2 * HOUR)
    assert "has left this server." in chat_table.boards_in(CHANNEL)[0].content


async def test_discord_is_asked_only_about_members_not_seen_for_an_hour(chat_table: WaitingTable) -> None:
    """Fast games need no call for each turn; nor does a bot that has just started ask about everybody."""
    server: FakeServer = chat_table.chat.guild
    guild = (await chat_table.tables.get(chat_table.number)).row.guild

    async def play_turns(count: int) -> list[int]:
        server.asked_users.clear()
        for _ in range(count):
            await chat_table.play_turn()
            await chat_table.send_due()
        return sorted(server.asked_users)

    assert await play_turns(3) == [FIRST_USER, FIRST_USER + 1], "once, as the answer counts as well"
    chat_table.clock.now += ASSUMED_SECONDS
    chat_table.membership_checker.note_seen(guild, FIRST_USER)
    assert await play_turns(3) == [FIRST_USER + 1]
    chat_table.membership_checker.note_seen(None, FIRST_USER)
    chat_table.clock.now += ASSUMED_SECONDS
    assert await play_turns(3) == [FIRST_USER, FIRST_USER + 1], "a direct message is no server"
    restarted = MembershipChecker(cast("discord.Client", chat_table.chat), chat_table.clock)
    assert not await restarted.has_left(await chat_table.tables.get(chat_table.number), FIRST_USER)
    assert len(server.asked_users) == 2


async def test_a_seat_whose_time_is_over_is_offered_by_one_button(chat_table: WaitingTable) -> None:
    """The board of a player whose time is over has that button already; Discord refuses two of one id."""
    await chat_table.set_time_control(
        TimeControl(turn_seconds=DAY, on_timeout=TimeoutAction.ALLOW_SUBSTITUTE)
    )
    user = await chat_table.user_to_act()
    chat_table.chat.guild.former_members.add(user)
    await chat_table.pass_time(2 * DAY)
    table = await chat_table.tables.get(chat_table.number)
    timer = table.row.turn_timer
    assert timer is not None
    assert timer.stage is TurnStage.SUBSTITUTE_ALLOWED
    assert labels(chat_table.boards_in(CHANNEL)[-1]).count("Offer to anybody") == 1
