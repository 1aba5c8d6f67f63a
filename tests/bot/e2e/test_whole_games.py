"""Whole games, from the command that opens the table to the result."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from bot.local.message_contents import has_button
from bot.local.model import ChannelType
from rules.random_stream import SHORT_CODE_LENGTH, fits_fairness_code
from tests.bot.e2e.observe import read_response, shown_message
from tests.bot.e2e.rig import PLAYER_NAMES, Rig, run_program
from tests.trials import SOAK_MARK, trial_count

_CODE_PATTERN = re.compile(r"\b[0-9a-f]{64}\b")
MAX_CHOICES = trial_count(6, soak=2_000)
"""After so many a game of two ends by a resignation, unless it is about the end."""
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("player_count", [2, pytest.param(4, marks=SOAK_MARK)])
async def test_people_press_buttons_to_the_end(rig: Rig, tmp_path: Path, player_count: int) -> None:
    """People choose with buttons alone; at the end picture, score, seed, provable file, rematch are there."""
    names = PLAYER_NAMES[:player_count]
    game = await rig.start_game(*names)
    game.rng = random.Random(4)
    result = await game.play_out(max_choices=MAX_CHOICES)
    picture, file = result.attachments
    assert picture.content_type == "image/png"
    assert picture.description
    assert "it has the seed" in result.content
    for name in names:
        assert f"**{name}**" in result.content
    path = tmp_path / file.filename
    assert file.data is not None
    path.write_bytes(file.data)
    exit_code, text = await run_program(tmp_path / "proof", "-m", "bot", "proof", str(path))
    assert exit_code == 0, text
    assert text.strip()
    story = await read_response(await game.people[-1].press(result, "What happened"))
    assert story.startswith(("**Since your last turn**", "**Since your turn before the last**"))
    assert has_button(result, "Rematch")
    assert "This game is rated." in result.content
    answer = await read_response(await game.people[-1].press(result, "Rematch"))
    assert f"The rematch is open: table No. {game.number + 1}" in answer


async def test_a_finished_game_counts_in_statistics_and_leaderboard(rig: Rig) -> None:
    """A finished game counts in statistics and on the leaderboard, unless its player has left that."""
    game = await rig.start_game("Ava", "Ben")
    game.rng = random.Random(6)
    await game.play_out(max_choices=MAX_CHOICES)
    ava, ben = game.people
    page = await shown_message(await ava.command("stats"))
    assert [file.filename for file in page.attachments] == ["statistics.png"]
    assert page.attachments[0].description
    newcomer = rig.member("Rosa", game.channel)
    newcomer_statistics = await read_response(await newcomer.command("stats"))
    assert newcomer_statistics == "You have not finished a game in this server yet."
    newcomer_leaderboard = await read_response(await newcomer.command("leaderboard", text="true"))
    assert "Leaderboard of Currents" in newcomer_leaderboard
    leaderboard_before = await read_response(await ben.command("leaderboard", game="currents", text="true"))
    assert "Ava" in leaderboard_before
    assert "Ben" in leaderboard_before
    settings = await shown_message(await ava.command("settings"))
    await read_response(await ava.press(settings, "Leave the leaderboards"))
    leaderboard_after = await read_response(await ben.command("leaderboard", game="currents", text="true"))
    assert "Ava" not in leaderboard_after
    assert "Ben" in leaderboard_after
    refusal = await read_response(await ben.command("stats", player=ava.user.id))
    assert "does not show statistics to others" in refusal
    own_statistics = await read_response(await ava.command("stats", text="true", game="currents"))
    assert "Statistics of Ava in Currents." in own_statistics


async def test_a_game_has_one_fairness_code_from_the_lobby_on(rig: Rig) -> None:
    """One code stands in the lobby's notice, each hand and the result's file, which has the seed.

    The public messages that hold it are never edited, the first is there before anybody presses Start and is
    the only one before the end, and the seed fits it.
    """
    first_index = len(rig.observed)
    game = await rig.open_lobby("Ava", "Ben")
    game.rng = random.Random(5)
    code_notice = await game.newest_message(lambda message: _CODE_PATTERN.search(message.content) is not None)
    (code,) = _CODE_PATTERN.findall(code_notice.content)
    assert code_notice.id < (await game.lobby_message()).id, "the lobby's buttons stay below it"
    await game.start()
    await game.wait_for_hands()
    result = await game.play_out(max_choices=MAX_CHOICES)
    file = (result.attachments[1].data or b"").decode()
    (seed,) = re.findall(r"^Seed: ([0-9a-f]{64})$", file, re.MULTILINE)
    public = [message for message in game.public_messages() if code in message.content]
    assert public == [code_notice]
    assert "The file proves every draw: it has the seed." in result.content
    shown_text = await read_response(await game.people[0].command("table show", table=game.number))
    assert f"Fairness code: `{code}`\n-# Seed: `{seed}`" in shown_text
    observed = [each for each in rig.observed[first_index:] if re.search(rf"No\. {game.number}\b", each.text)]
    assert all(not set(_CODE_PATTERN.findall(each.message.content)) - {code, seed} for each in observed)
    for notice in (code_notice, result):
        events = [each.event_name for each in observed if each.message is notice]
        assert events == ["MESSAGE_CREATE"], "it was edited"
    hands = [each for each in observed if each.channel.type is ChannelType.DM]
    assert len({each.channel.id for each in hands}) == len(game.people)
    assert all(
        f"`{code[:SHORT_CODE_LENGTH]}…`" in each.text
        for each in hands
        if "play" in "".join(each.ids_and_values)
    )
    assert f"FairnessCode: {code}" in file.splitlines()
    match_id = next(line.removeprefix("Match: ") for line in file.splitlines() if line.startswith("Match: "))
    assert fits_fairness_code(match_id, bytes.fromhex(seed), code)


@pytest.mark.soak_only  # tests/bot/chat/test_commands.py types moves of every game
async def test_two_people_type_commands_to_the_end(rig: Rig) -> None:
    """Two people end a game with slash commands; every value comes out of autocompletion."""
    game = await rig.start_game("Ava", "Ben")
    game.rng = random.Random(2)
    result = await game.play_out(input_methods=("currents", "currents", "notation"), max_choices=MAX_CHOICES)
    assert len(result.attachments) == 2


@pytest.mark.soak_only
async def test_three_people_end_a_game_on_the_triangle(rig: Rig) -> None:
    """Three people end a game on the triangular board by panel, command and notation, mixed."""
    game = await rig.start_game("Ben", "Chloé", "Dimitri", options="board=triangle")
    game.rng = random.Random(3)
    result = await game.play_out(input_methods=("panel", "currents", "notation"))
    assert all(name in result.content for name in ("Ben", "Chloé", "Dimitri"))


async def test_one_person_plays_three_computers_to_the_end(rig: Rig) -> None:
    """One person ends a game against three computer players, which nobody pings and which need nobody."""
    first_index = len(rig.observed)
    game = await rig.start_game("Elif", computer_count=3)
    game.rng = random.Random(1)
    await game.play_out()
    observed = [each for each in rig.observed[first_index:] if re.search(rf"No\. {game.number}\b", each.text)]
    assert {user for each in observed for user in each.mentions} == {game.people[0].user.id}
