"""The thread of a game tells its story: one finished post a turn, no buttons, nothing that was undone."""

from __future__ import annotations

import pytest

from bot.local.message_contents import controls
from bot.local.model import Message
from tests.bot.e2e.live_game import LiveGame
from tests.bot.e2e.observe import read_response, wait_until
from tests.bot.e2e.rig import Rig

pytestmark = pytest.mark.asyncio(loop_scope="module")


def turn_posts(game: LiveGame) -> list[Message]:
    """Return the posts of turns that are over, the oldest first."""
    return [
        message
        for message in game.public_messages()
        if game.is_named_in(message) and "'s turn\n" in message.content
    ]


async def _wait_for_turn_posts(game: LiveGame, count: int) -> list[Message]:
    """Wait for so many posts of turns."""
    return await wait_until(
        lambda: found if len(found := turn_posts(game)) == count else None, awaited=f"{count} posts of turns"
    )


async def _take_turn(game: LiveGame) -> Message:
    """Make choices for the asked player until another one is asked; return that player's board."""
    board = await game.current_board()
    member = game.member_to_act(board)
    while game.member_to_act(board) is member:
        await game.make_move_on(board)
        next_board = await game.next_board()
        assert next_board is not None
        board = next_board
    return board


async def test_a_finished_turn_is_one_post(rig: Rig) -> None:
    """The message that asked a player becomes the story of that turn; the next player gets a new message."""
    game = await rig.start_game("Ava", "Ben")
    asking_messages: list[Message] = []
    for count in range(1, 5):
        asking_board = await game.current_board()
        member = game.member_to_act(asking_board)
        assert member is not None
        asking_messages.append(asking_board)
        board = await _take_turn(game)
        posts = await _wait_for_turn_posts(game, count)
        assert [post.id for post in posts] == [message.id for message in asking_messages]
        assert posts[-1].content.startswith(
            f"**Currents · No. {game.number}** · {member.user.name}'s turn\n> "
        )
        assert controls(posts[-1]) == []
        assert posts[-1].attachments
        assert board.id != asking_board.id
        story = posts[-1].content.split("\n", 1)[1]
        assert story.splitlines()[0] in board.content


async def test_the_post_of_an_undone_turn_says_only_that(rig: Rig) -> None:
    """It says who took it back, and what is played instead gets a post of its own."""
    game = await rig.start_game("Ava", "Ben")
    asking_board = await game.current_board()
    member = game.member_to_act(asking_board)
    assert member is not None
    board = await _take_turn(game)
    (post,) = await _wait_for_turn_posts(game, 1)
    undone_text = post.content.split("\n> ")[-1]
    member.channel = board.channel
    await read_response(await member.press(board, "Undo"))
    await wait_until(lambda: " took back the last move" in post.content or None, awaited="the edit")
    assert controls(post) == []
    assert not post.attachments
    board_after_undo = await game.next_board()
    assert board_after_undo is not None
    assert game.member_to_act(board_after_undo) is member
    await wait_until(
        lambda: None if any(undone_text in message.content for message in game.public_messages()) else True,
        awaited="the edit of the earlier board",
    )
    await _take_turn(game)
    (new_post,) = await _wait_for_turn_posts(game, 1)
    assert new_post.id != post.id


async def test_a_computers_turn_is_a_post_of_its_own(rig: Rig) -> None:
    """It has no buttons, mentions nobody and stands above the board that asks the next player."""
    game = await rig.start_game("Elif", computer_count=1)
    for _ in range(2):
        board = await _take_turn_against_computer(game)
        posts = turn_posts(game)
        computer_posts = [post for post in posts if "Elif's turn\n" not in post.content]
        assert computer_posts
        assert all(controls(post) == [] and not post.mentions for post in computer_posts)
        assert computer_posts[-1].id < board.id


async def _take_turn_against_computer(game: LiveGame) -> Message:
    """Play until a new message asks the player again; return it."""
    board = await game.current_board()
    first_id = board.id
    while board.id == first_id:
        await game.make_move_on(board)
        next_board = await game.next_board()
        assert next_board is not None
        board = next_board
    return board
