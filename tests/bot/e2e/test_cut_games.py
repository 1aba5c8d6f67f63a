"""A game whose players cut the deck, from the lobby to what an outsider makes of its file."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

import pytest

from bot.local.message_contents import body_text
from tests.bot.e2e.observe import shown_message
from tests.bot.e2e.rig import Rig, run_program
from tests.trials import trial_count

pytestmark = pytest.mark.asyncio(loop_scope="module")

MAX_CHOICES = trial_count(4, soak=2_000)
"""After so many a game of two ends by a resignation."""
_CODE_PATTERN = re.compile(r"Fairness code: `([0-9a-f]{64})`")


@pytest.mark.trust_test("T20")
async def test_an_outsider_checks_and_draws_a_game_that_was_cut(rig: Rig, tmp_path: Path) -> None:
    """From its file: ``proof`` and the independent checker accept the posted code alone and name the words.

    ``summary`` draws the picture that was posted, and refuses what is no match file.
    """
    game = await rig.open_lobby("Ava", "Ben")
    game.rng = random.Random(7)
    code_notice = await game.newest_message(lambda message: _CODE_PATTERN.search(message.content) is not None)
    (code,) = _CODE_PATTERN.findall(code_notice.content)
    ava = game.people[0]
    page = await shown_message(await ava.press(await game.lobby_message(), "Cut the deck"))
    page = await shown_message(await ava.press(page, "At random"))
    words_match = re.search(r"You cut the deck with \*\*([a-z]+)\*\* and \*\*([a-z]+)\*\*", body_text(page))
    assert words_match is not None
    await game.start()
    result = await game.play_out(max_choices=MAX_CHOICES)
    assert "it has the seed and the words that cut the deck" in result.content
    file_path = tmp_path / "game.txt"
    file_path.write_bytes(result.attachments[1].data or b"")
    wrong_code = f"{code[:-1]}{'0' if code[-1] != '0' else '1'}"
    for number, command in enumerate((("-m", "bot", "proof"), ("-m", "docs.check_deals"))):
        (right_exit, right_text), (wrong_exit, wrong_text) = await asyncio.gather(
            *(
                run_program(tmp_path / f"{name} {number}", *command, str(file_path), "--code", each)
                for name, each in (("right", code), ("wrong", wrong_code))
            )
        )
        assert right_exit == 0, right_text
        assert f"{words_match[1]} {words_match[2]}" in right_text
        assert wrong_exit == 1, wrong_text
    summary = result.attachments[0]
    assert summary.filename == "summary.png"
    assert (summary.description or "").startswith("Final result of ")
    picture_path = tmp_path / "summary.png"
    exit_code, text = await run_program(
        tmp_path / "drawing",
        "-m",
        "bot",
        "summary",
        str(file_path),
        "--names",
        "Ava,Ben",
        "--output",
        str(picture_path),
    )
    assert exit_code == 0, text
    assert picture_path.read_bytes() == summary.data, "the file and the names give another picture"
    file_path.write_text("Format: none")
    exit_code, text = await run_program(
        tmp_path / "refusal", "-m", "bot", "summary", str(file_path), "--output", str(picture_path)
    )
    assert exit_code == 1
    assert text.startswith("Not drawn: ")
