"""T18: the bot is stopped, an earlier backup restored; old buttons say so, and the games go on from there."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import time

import pytest

from bot.local.message_contents import body_text, controls
from bot.local.model import Message
from bot.operate.doctor import run_doctor
from rules.catalogue import GAMES
from tests.bot.e2e.live_game import LiveGame, press_component
from tests.bot.e2e.observe import CUSTOM_ID_PATTERN, read_response, shown_message, wait_until
from tests.bot.e2e.rig import Rig, run_program
from tests.trials import trial_count

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def run_command(rig: Rig, *words: str) -> str:
    """Run an operators' command; it must succeed."""
    output = Path(tempfile.mkdtemp(dir=rig.folder)) / "output"
    code, text = await run_program(output, "-m", "bot", *words, environment=rig.environment())
    assert code == 0, text
    assert rig.discord.bot_token not in text
    return text


def newest_backup(rig: Rig) -> Path:
    """Return the backup of the last clean stop."""
    return max((rig.folder / "backups").glob("captains-table-*.db"))


def all_controls(game: LiveGame) -> list[tuple[Message, str]]:
    """Return the buttons and selects of all messages of the game, public and private, old ones included."""
    return [
        (observed.message, custom_id)
        for observed in game.rig.observed
        for custom_id in observed.ids_and_values
        if (parts := CUSTOM_ID_PATTERN.fullmatch(custom_id)) is not None and int(parts[1]) == game.number
    ]


def id_prefix_of(message: Message) -> str:
    """Return what the id of a message's first control begins with, as "c1": it has the generation."""
    return next((control["custom_id"].partition(":")[0] for control in controls(message)), "")


async def play_and_restore(rig: Rig) -> None:
    """Play, stop, play on, stop, restore, press what was pressed before, play on."""
    game = await rig.start_game("Ava", "Ben")
    untouched_game = await rig.start_game("Chloé", "Dimitri")
    await game.make_move()
    move_count = await game.count_moves()
    assert await rig.terminate() == 0
    backup = newest_backup(rig)
    await rig.start()
    await game.make_move()
    await game.make_move()
    lost_game = await rig.start_game("Ava", "Chloé")
    old_controls, lost_controls, untouched_board = (
        all_controls(game),
        all_controls(lost_game),
        await untouched_game.current_board(),
    )
    old_prefix = id_prefix_of(await game.current_board())
    assert await rig.terminate() == 0
    assert newest_backup(rig) != backup
    output = await run_command(rig, "restore", str(backup))
    assert f"Table No. {game.number} went back to move {move_count}." in output
    assert f"No. {untouched_game.number} went" not in output
    assert f"lost: No. {lost_game.number}." in output
    assert run_doctor(rig.environment(), GAMES, time()).faults == (), "the doctor, with every table replayed"
    await rig.start()

    def find_new_board() -> Message | None:
        new_boards = [
            message
            for message in game.public_messages()
            if game.owns(message) and id_prefix_of(message) not in ("", old_prefix)
        ]
        return new_boards[-1] if new_boards else None

    board = await wait_until(find_new_board, awaited="a board of the restored game")
    notice = f"restored from backup to move {move_count}"
    await game.message_with(notice)
    assert not any(notice in message.content for message in untouched_game.public_messages())
    for message, custom_id in old_controls[:: max(1, len(old_controls) // 8)]:
        text = await read_response(
            await press_component(game.people[0], message, custom_id, *_select_values(custom_id))
        )
        assert f"restored from backup to move {move_count}." in text, custom_id
    for message, custom_id in lost_controls[:3]:
        text = await read_response(
            await press_component(lost_game.people[0], message, custom_id, *_select_values(custom_id))
        )
        assert "lost when the bot was restored" in text, custom_id
    assert "No. " in await read_response(await untouched_game.people[0].press(untouched_board, "More"))
    assert board in game.public_messages()
    assert await game.count_moves() == move_count
    await cut_again(game, board)
    game.last_seen_ply = -1
    await game.make_move()
    await game.make_move("notation")
    assert await game.count_moves() == move_count + 2
    untouched_game.last_seen_ply = -1
    await untouched_game.make_move()


async def cut_again(game: LiveGame, board: Message) -> None:
    """Cut the deck once more, in three presses from the board: the new code stands in a notice."""
    assert (
        len([message for message in game.public_messages() if "New fairness code: `" in message.content]) == 1
    )
    player = game.people[1]
    page = await shown_message(await player.press(board, "More"))
    page = await shown_message(await player.press(page, "Cut the deck"))
    assert "all draws to come" in body_text(page)
    page = await shown_message(await player.press(page, "At random"))
    assert "You cut the deck with" in body_text(page)
    assert not controls(page), "once"
    await game.message_with("Ben cut the deck with")


def _select_values(custom_id: str) -> tuple[str, ...]:
    """Return what a select would send along."""
    return ("any",) if custom_id.split(":")[3] in {"topic", "name"} else ()


@pytest.mark.trust_test("T18")
@pytest.mark.parametrize("trial", range(trial_count(1, soak=10)))
async def test_restored_tables_go_back_together_and_go_on(rig: Rig, trial: int) -> None:
    """All tables go back together, an old button says so, and the games go on."""
    await play_and_restore(rig)
