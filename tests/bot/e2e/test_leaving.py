"""The bot is removed from a server and comes back, a player leaves, a thread is locked or gone at the end."""

from __future__ import annotations

import asyncio
import re

import pytest

from bot.local.members import Member
from bot.local.message_contents import body_text, controls, has_button
from bot.local.model import Channel, Message
from tests.bot.e2e.live_game import LiveGame, choose_through_hand
from tests.bot.e2e.observe import read_response, shown_message, wait_until
from tests.bot.e2e.rig import Rig, board_plies
from tests.trials import SOAK_MARK

pytestmark = pytest.mark.asyncio(loop_scope="module")


def messages_with(channel: Channel, *words: str) -> list[Message]:
    """Return the public messages of a channel that hold all these words, the oldest first."""
    public = [message for message in channel.messages.values() if not message.ephemeral]
    return [message for message in public if all(word in message.content for word in words)]


async def wait_for_message(channel: Channel, word: str) -> Message:
    """Wait for the one public message of a channel that holds a word."""
    (message,) = await wait_until(lambda: messages_with(channel, word) or None, awaited=word)
    return message


async def test_nothing_is_lost_while_the_bot_is_removed(rig: Rig) -> None:
    """While the bot is out of the server nothing is lost; back in it, the board comes at once."""
    game = await rig.start_game("Ben", "Chloé")
    board = await game.current_board()
    move_count = await game.count_moves()
    ava, actor = rig.member("Ava"), game.require_member_to_act(board)
    await game.wait_for_hand(actor)
    ava.remove_bot()
    await choose_through_hand(game, actor)
    await asyncio.sleep(0.5)
    assert not [message for message in game.public_messages() if message.id > board.id], (
        "posted where it is not"
    )
    ava.invite_bot()
    next_board = await game.next_board()
    assert next_board is not None
    assert await game.count_moves() == move_count + 1
    assert board_plies(rig, game) == sorted(set(board_plies(rig, game)))
    assert not messages_with(game.game_channel, "cannot send you direct messages"), (
        "its own absence announced as closed messages"
    )
    assert not messages_with(game.game_channel, "left this server")
    await game.make_move()


@pytest.mark.parametrize("is_removed", [True, False])
async def test_what_was_settled_without_the_bot_is_closed_when_it_is_back(
    rig: Rig, *, is_removed: bool
) -> None:
    """An offer that a move has answered loses its buttons, also where the channel was hidden from the bot."""
    await wait_until(
        lambda: '"event":"connected"' in rig.log() or None, awaited="a bot that knows its server"
    )
    game = await rig.start_game("Ben", "Chloé")
    ava, ben, chloe = rig.member("Ava"), game.person("Ben"), game.person("Chloé")
    while game.require_member_to_act(await game.current_board()) is not chloe:
        await game.make_move()
    page = await shown_message(await ben.command("table replace", seat="B", table=game.number))
    await read_response(await ben.press(page, "Offer the seat"))
    offer = await game.newest_message(lambda message: has_button(message, "Withdraw"))
    await game.wait_for_hand(chloe)
    if is_removed:
        ava.remove_bot()
    else:
        ava.set_denied_permissions(game.channel, "VIEW_CHANNEL")
    await choose_through_hand(game, chloe)
    await asyncio.sleep(0.5)
    assert has_button(offer, "Withdraw")
    if is_removed:
        ava.invite_bot()
    else:
        ava.set_denied_permissions(game.channel)
    await wait_until(lambda: "Chloé moved." in offer.content or None, awaited="the end of the offer")
    assert not controls(offer)


async def test_somebody_else_takes_the_seat_of_a_player_who_left_the_server(rig: Rig) -> None:
    """The others read once what they can do; somebody else takes the seat, and the game goes on."""
    game = await rig.open_lobby("Ben", "Nils", "Olga", "Pia")
    nils = game.people[1]
    nils.leave()  # before the first private message: one that stands already can still be edited
    await game.start()
    notice = await wait_until(
        lambda: next(iter(messages_with(game.game_channel, "left this server")), None),
        awaited="the notice that somebody left",
    )
    assert "Nils" in notice.content
    assert "/table replace" in notice.content
    ben = game.person("Ben")
    table_text = await read_response(await ben.command("table show", table=game.number))
    assert [line[:8] for line in table_text.splitlines() if "has left the server" in line] == ["B · Nils"]
    page = await shown_message(
        await ben.command("table replace", seat="B", player=rig.member("Rosa").user.id)
    )
    assert "Offer seat B of Nils to Rosa?" in body_text(page)
    assert "Rosa must accept" in await read_response(await ben.press(page, "Offer the seat"))
    rosa = rig.member("Rosa", game.game_channel)
    offer = await game.message_with("offers seat B")
    assert "You have seat B now" in await read_response(await rosa.press(offer, "Accept the seat"))
    game.people[1] = rosa
    for _ in range(4):
        await game.make_move()
    assert len(messages_with(game.game_channel, "left this server")) == 1
    nils.rejoin()


async def test_an_offer_of_a_seat_is_asked_about_first(rig: Rig) -> None:
    """A page says what it needs and costs; whoever made it can withdraw it, and make another one at once."""
    game = await rig.start_game("Ben", "Chloé")
    ben, chloe = game.person("Ben"), game.person("Chloé")
    for seat in ("Z", "C"):
        answer = await read_response(await ben.command("table replace", seat=seat, table=game.number))
        assert answer == "There is no such seat. Choose a letter from A to B."
    page = await shown_message(await ben.command("table replace", seat="B", table=game.number))
    assert re.search(
        r"Offer seat B of Chloé to a computer player\? I post that in the game's channel\."
        r" Chloé can agree now\. If nobody declines, the seat is given away <t:\d+:f>\."
        r" Without Chloé's agreement this game is no longer rated afterwards\.$",
        body_text(page),
    )
    assert "Nothing has changed" in await read_response(await ben.press(page, "Keep the player"))
    assert "offered to" not in await game.table_text()
    for _ in range(2):
        page = await shown_message(await ben.command("table replace", seat="B", table=game.number))
        answer = await read_response(await ben.press(page, "Offer the seat"))
        assert "Press **Withdraw** there to take it back." in answer
        offer = await game.newest_message(lambda message: has_button(message, "Withdraw"))
        refusal = await read_response(await chloe.press(offer, "Withdraw"))
        assert refusal.endswith("To say no, press **Decline**.")
        assert "You have withdrawn the offer." in await read_response(await ben.press(offer, "Withdraw"))
        await game.message_with("Ben (host) withdrew the offer.")


async def test_a_moderator_asks_for_a_seat(rig: Rig) -> None:
    """An admin who wants a seat asks for it, and does not offer it to the admin's own name."""
    game = await rig.start_game("Ben", "Chloé")
    ava = rig.member("Ava", game.game_channel)
    page = await shown_message(await ava.command("table replace", seat="B", player=ava.user.id))
    assert "Ask for seat B of Chloé?" in body_text(page)
    await read_response(await ava.press(page, "Ask for the seat"))
    await game.message_with("Ava (admin, no seat) asks for seat B of Chloé.")


async def test_no_seat_is_offered_to_somebody_outside_the_server(rig: Rig) -> None:
    """In direct messages, too, a seat is offered to members of the table's server only."""
    game = await rig.start_game("Ben", "Chloé")
    ben, rosa = game.person("Ben"), rig.member("Rosa")

    async def offer_to_rosa() -> str:
        options = {"seat": "B", "player": rosa.user.id, "table": game.number}
        return await read_response(await ben.command("table replace", channel=ben.dm, **options))

    rosa.leave()
    assert "not in the table's server" in await offer_to_rosa()
    assert "offered to" not in await game.table_text()
    answer_for_other_seat = await game.person("Chloé").command(
        "table replace", channel=game.person("Chloé").dm, seat="A", player=rosa.user.id, table=game.number
    )
    assert "Only the table's host" in await read_response(answer_for_other_seat), (
        "nothing is said of who is in the server"
    )
    answer_for_own_seat = await game.person("Chloé").command(
        "table replace", channel=game.person("Chloé").dm, seat="B", player=rosa.user.id, table=game.number
    )
    assert "not in the table's server" in await read_response(answer_for_own_seat)
    rosa.rejoin()
    assert "Rosa must accept" in await offer_to_rosa()


async def test_the_first_who_presses_takes_an_offered_seat(rig: Rig) -> None:
    """Whoever gives up a seat is asked first; the first who presses takes it, sees its hand and plays."""
    game = await rig.start_game("Ben", "Chloé")
    chloe = game.person("Chloé")

    async def give_away(member: Member, seat: str) -> Message:
        return await shown_message(await member.command("table replace", seat=seat, table=game.number))

    question = await give_away(chloe, "B")
    assert "Give your seat to a computer player?" in body_text(question)
    assert "Nothing has changed" in await read_response(await chloe.press(question, "Keep my seat"))
    assert "offered to" not in await game.table_text()
    offer_answer = await read_response(await chloe.press(await give_away(chloe, "B"), "Offer to anybody"))
    assert "The first who presses **Take the seat** gets it." in offer_answer
    offer = await game.message_with("Chloé offers seat B to anybody")
    assert "seat at this table already" in await read_response(
        await game.person("Ben").press(offer, "Take the seat")
    )
    farid = rig.member("Farid", game.game_channel)
    assert "You have seat B now" in await read_response(await farid.press(offer, "Take the seat"))
    await wait_until(
        lambda: (not controls(offer) and "The seat has been handed over." in body_text(offer)) or None,
        awaited="the end of the offer",
    )
    game.people[1] = farid
    await game.wait_for_hand(farid)
    await play_turn_of(game, farid)
    ben = game.person("Ben")
    answer = await shown_message(await ben.press(await give_away(ben, "A"), "Give my seat away"))
    assert "gives seat A to the computer player" in body_text(answer)
    assert not controls(answer), "the question can be answered twice"
    assert "Casual 1 (computer)" in await game.table_text()
    board = await game.next_board()
    assert board is not None, "the computer player does not play on"
    assert game.require_member_to_act(board).user.id == farid.user.id
    await game.make_move()


async def play_turn_of(game: LiveGame, member: Member) -> None:
    """Make moves until a member has moved and it is another player's turn."""
    has_moved = False
    for _ in range(10):
        is_to_act = game.require_member_to_act(await game.current_board()).user.id == member.user.id
        if has_moved and not is_to_act:
            return
        await game.make_move()
        has_moved |= is_to_act
    pytest.fail("no turn ended in ten moves")


@pytest.mark.parametrize("deleted", [pytest.param(False, marks=SOAK_MARK), True])
async def test_notices_come_in_the_channel_of_a_closed_thread(rig: Rig, *, deleted: bool) -> None:
    """Notices and the result wait for no thread that is locked or gone: they come in the channel above."""
    game = await rig.start_game("Ben", "Chloé")
    await game.current_board()
    thread, ava, ben = game.game_channel, rig.member("Ava"), rig.member("Ben", game.channel)
    assert thread.is_thread
    if deleted:
        ava.delete_channel(thread)
    else:
        ava.set_archived(thread, locked=True)
    assert "paused" in await read_response(await ben.command("table pause", table=game.number))
    assert "resumed" in await read_response(await ben.command("table resume", table=game.number))
    for word in ("paused the game", "resumed the game"):
        notice = await wait_for_message(game.channel, word)
        assert game.is_named_in(notice), "the notice names no table"
    paused, resumed = messages_with(game.channel, "the game.")[-2:]
    assert "paused" in paused.content
    assert "resumed" in resumed.content
    while game.result() is None:
        await choose_in_direct_messages(game)
    result = game.result()
    assert result is not None
    assert result.channel is game.channel
    assert result.attachments, "the file with the seed"


async def choose_in_direct_messages(game: LiveGame) -> None:
    """Type a move in direct messages for the player whom ``/table show`` names."""
    line = next((line for line in (await game.table_text()).splitlines() if "to move" in line), None)
    if line is None:
        await wait_until(game.result, awaited="the result")
        return
    member = next(each for each in game.people if each.user.name in line)
    moves = await member.autocomplete("play", "move", "", channel=member.dm, table=game.number)
    await read_response(
        await member.command(
            "play", at_once="true", channel=member.dm, move=moves[0]["value"], table=game.number
        )
    )
