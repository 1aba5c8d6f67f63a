"""Golden games replay: rules, draws and words are what they were when the game was recorded (T10)."""

from pathlib import Path

import pytest

from rules.errors import BrokenMatch
from rules.game import AnyGame
from rules.matchfile import prove, read_match
from tests.golden.record import FOLDER, RECORDED, annotated, golden_files, recorded

FILES = sorted(FOLDER.glob("*/*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_replays(path: Path) -> None:
    """Every record's digest and what everybody was told are as recorded, and the seed proves the deals."""
    text = path.read_text(encoding="utf-8")
    file = read_match(text, RECORDED)

    assert annotated(file) == text
    assert prove(file).outcomes


@pytest.mark.parametrize("game", list(RECORDED.values()), ids=lambda game: game.key)
def test_every_game_is_recorded(game: AnyGame) -> None:
    """Each registered game has a golden game at every number of seats, one of them with an undo."""
    texts = [path.read_text(encoding="utf-8") for path in golden_files(game)]
    assert {read_match(text, RECORDED).seats for text in texts} == set(game.seats)
    assert any(" undo " in text for text in texts)


@pytest.mark.parametrize("game", RECORDED.values(), ids=lambda game: game.key)
def test_recording_is_repeatable(game: AnyGame) -> None:
    """The same number gives the same game."""
    first, again = (annotated(recorded(game, game.seats[0], "", 5)) for _ in range(2))
    assert first == again


@pytest.mark.parametrize("game", RECORDED.values(), ids=lambda game: game.key)
def test_other_play_is_noticed(game: AnyGame) -> None:
    """A golden game whose last record is left out, or whose first draw is changed, does not pass."""
    path = golden_files(game)[0]
    lines = path.read_text(encoding="utf-8").splitlines()
    records = [line for line in lines if line.partition(".")[0].isdigit()]
    shortened = [line for line in lines if line != records[-1]]
    with pytest.raises(BrokenMatch):
        annotated(read_match("\n".join(shortened), RECORDED))
    swapped = [records[1].replace("2.", "1.", 1) if line == records[0] else line for line in lines]
    with pytest.raises(BrokenMatch):
        annotated(read_match("\n".join(swapped), RECORDED))
