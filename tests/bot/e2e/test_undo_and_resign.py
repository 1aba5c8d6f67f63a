"""Undo and roll-back with and without consent, and resignation, by button and by command."""

from __future__ import annotations

import re

import pytest

from bot.local.message_contents import body_text, controls
from bot.local.model import Message
from tests.bot.e2e.observe import read_response, shown_message, wait_until
from tests.bot.e2e.rig import PLAYER_NAMES, Rig
from tests.trials import SOAK_MARK, cases

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_undo_that_nobody_can_mind_is_free(rig: Rig) -> None:
    """A player takes back their last choice at once, by button and by command, and must act again."""
    game = await rig.start_game("Ava", "Ben")
    for way in ("button", "command"):
        board_before = await game.current_board()
        member = game.require_member_to_act(board_before)
        await game.make_move_on(board_before)
        board = await game.next_board()
        assert board is not None
        outcome = await (member.press(board, "Undo") if way == "button" else member.command("undo"))
        assert "took back your last move" in await read_response(outcome)
        board_after_undo = await game.next_board()
        assert board_after_undo is not None
        assert game.member_to_act(board_after_undo) is member
        assert await game.count_moves() == 0


@pytest.mark.parametrize("all_agree", [True, pytest.param(False, marks=SOAK_MARK)])
async def test_an_undo_after_anothers_move_needs_all_others(rig: Rig, *, all_agree: bool) -> None:
    """After another's move the others are asked: one refusal lets it stand, all agreeing take it back."""
    game = await rig.start_game("Ben", "Chloé", "Dimitri", options="board=triangle")
    asker = game.require_member_to_act(await game.current_board())
    await game.make_move()
    await game.make_move()
    move_count = await game.count_moves()
    asker.channel = game.game_channel
    others = [member for member in game.people if member is not asker]
    outcome = await asker.press(await game.current_board(), "Undo")
    assert f"I ask {' and '.join(member.user.name for member in others)}" in await read_response(outcome)
    assert not any("allow this undo?" in message.content for message in game.public_messages())
    assert "I have asked" in await game.ask_to_undo(asker)
    repeated = await read_response(await asker.press(await game.current_board(), "Undo"))
    assert "already asked" in repeated
    assert all(member.user.name in repeated for member in others)
    question = await game.message_with("allow this undo?")
    assert set(question.mentions) == {member.user.id for member in others}
    assert "Only the people who are asked" in await read_response(await asker.press(question, "Allow undo"))
    assert "Only the people who are asked" in await read_response(
        await rig.member("Farid", game.game_channel).press(question, "Allow undo")
    )
    assert "You agreed" in await read_response(await others[0].press(question, "Allow undo"))
    assert await game.count_moves() == move_count
    if all_agree:
        names = " and ".join(member.user.name for member in others)
        await read_response(await others[1].press(question, "Allow undo"))
        await game.message_with(f"\n{names} agreed. {asker.user.name}'s last move")
        board = await game.next_board()
        assert board is not None
        assert game.member_to_act(board) is asker
        assert await game.count_moves() == 0
    else:
        await read_response(await others[1].press(question, "Decline"))
        await game.message_with(f"\n{others[1].user.name} declined. The last move stands.")
        assert await game.count_moves() == move_count
    await wait_until(lambda: None if controls(question) else True, awaited="the end of the question")


@pytest.mark.parametrize("way", cases(["button", "command"], "button"))
async def test_an_undo_of_computer_moves_is_confirmed(rig: Rig, way: str) -> None:
    """An undo after computer players have moved asks its player alone, who plays unrated from then on."""
    game = await rig.start_game("Elif", computer_count=1)
    await game.make_move()
    await game.make_move()
    move_count, member = await game.count_moves(), game.people[0]
    board = await game.current_board()
    outcome = await (member.press(board, "Undo") if way == "button" else member.command("undo"))
    assert "this game is **not rated**" in await read_response(outcome)
    assert await game.count_moves() == move_count
    question = outcome.message
    assert question is not None
    kept_text = await read_response(await member.press(question, "Keep playing"))
    assert "Which card do you play?" in kept_text
    outcome = await (member.press(board, "Undo") if way == "button" else member.command("undo"))
    question = await shown_message(outcome)
    text = await read_response(await member.press(question, "Undo and play unrated"))
    assert "took back your last move with hindsight" in text
    await game.message_with("took back the last move with hindsight")
    assert await game.count_moves() < move_count
    await game.next_board()
    await game.make_move()


async def test_a_roll_back_that_asks_nobody_is_confirmed(rig: Rig) -> None:
    """Against computers the host reads first what is taken back and that the game is then not rated.

    It goes to the first choice of the person, whoever begins, so that no computer moves again at once.
    """
    game = await rig.start_game("Elif", computer_count=1)
    await game.make_move()  # from the eighth move of both on, Currents may be over
    move_count, member = await game.count_moves(), game.people[0]

    async def ask() -> Message:
        return await shown_message(await member.command("table rollback", move=1, table=game.number))

    question = await ask()
    assert "this game is **not rated**" in body_text(question)
    destination = re.search(r"Roll the game back to (move [01])\?", body_text(question))
    assert destination is not None
    assert "Nothing has changed" in await read_response(await member.press(question, "Keep the moves"))
    assert "not rated" not in await game.table_text()
    outdated_question = await ask()
    await game.make_move()
    assert await game.count_moves() > move_count
    late_text = await read_response(await member.press(outdated_question, "Roll back and play unrated"))
    assert late_text.startswith("The game has moved on since you were asked.")
    done_page = await shown_message(await member.press(await ask(), "Roll back and play unrated"))
    assert body_text(done_page).endswith("so nobody was asked. This game is not rated.")
    assert not controls(done_page), "the question can be answered twice"
    assert "-# This game is not rated: a move was taken back with hindsight." in await game.table_text()
    await game.message_with(f"rolled the game back to {destination[1]}. No other person has seen these moves")
    board = await game.next_board()
    assert board is not None
    assert game.member_to_act(board) is member
    await game.make_move()
    question = await shown_message(await member.command("table rollback", move=0, table=game.number))
    assert "not rated" not in body_text(question), "the rating is gone"
    answer = await read_response(await member.press(question, "Roll back"))
    assert f"rolled the game back to {destination[1]}." in answer


async def test_resigning_ends_a_game_of_two(rig: Rig) -> None:
    """With two seats a resignation, asked for twice, gives the other the game.

    Private pages that offer what is over then lose those buttons when they are pressed, and say who won.
    """
    game = await rig.start_game("Ava", "Ben")
    member, other = game.person("Ben"), game.person("Ava")
    to_act = game.require_member_to_act(await game.current_board())
    panel = await shown_message(await to_act.press(await game.current_board(), "Play"))
    question_of_other = await shown_message(await other.command("resign", table=game.number))
    more_page = await shown_message(await member.press(await game.current_board(), "More"))
    question = await shown_message(await member.press(more_page, "Resign"))
    assert "The game ends" in body_text(question)
    await read_response(await member.press(question, "Resign"))
    assert await game.next_board() is None
    result = game.result()
    assert result is not None
    assert "1\\. **Ava**" in result.content
    for page, presser, label in ((panel, to_act, None), (question_of_other, other, "Resign")):
        page_after_end = await shown_message(await presser.press(page, label or controls(page)[0]["label"]))
        assert page_after_end.id == page.id
        assert re.search("This game is over.\nAva has won", body_text(page_after_end))
        assert [each["label"] for each in controls(page_after_end)] == ["What happened"]


async def test_a_computer_replaces_who_resigns_in_a_game_of_four(rig: Rig) -> None:
    """With four seats a computer player takes over, said publicly; with no person left the game ends."""
    game = await rig.start_game(*PLAYER_NAMES)
    for name in PLAYER_NAMES[:3]:
        member = game.person(name)
        await game.resign(member)
        await game.message_with(f"{name} resigned")
        assert "has your seat now" in await read_response(await member.command("resign", table=game.number))
    await game.resign(game.person("Dimitri"))
    await game.message_with("No other person is left")
