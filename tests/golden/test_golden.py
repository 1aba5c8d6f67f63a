"""Golden games replay: rules, draws and words are what they were when the game was recorded (T10)."""

from dataclasses import replace
from pathlib import Path

import pytest

from docs.check_deals import Checker
from rules.errors import BrokenMatch
from rules.game import AnyGame
from rules.matchfile import parse_match_file, write_match_file
from rules.proof import prove
from tests.golden.record import (
    GOLDEN_FOLDER,
    RECORDED_RULES,
    annotate,
    golden_files,
    record_again,
    record_game,
)

FILES = sorted(GOLDEN_FOLDER.glob("*/**/*.txt"))


@pytest.mark.trust_test("T10")
@pytest.mark.parametrize(
    "path", FILES, ids=lambda path: "-".join(path.relative_to(GOLDEN_FOLDER).with_suffix("").parts)
)
def test_a_golden_game_replays(path: Path) -> None:
    """Every record's digest and everybody's narration are as recorded, and the seed proves the deals."""
    text = path.read_text(encoding="utf-8")
    file = parse_match_file(text, RECORDED_RULES)

    assert path.parent.name == file.game.key, "the file lies with another game"
    assert annotate(file) == text
    assert bool(prove(file).outcomes) == bool(file.game.outcome_types)
    assert Checker(text).outcome_count == len(file.outcomes)


@pytest.mark.parametrize("game", list(RECORDED_RULES.values()), ids=lambda game: game.key)
def test_every_game_is_recorded(game: AnyGame) -> None:
    """Each registered game has a golden game at every number of seats, one of them with an undo."""
    texts = [path.read_text(encoding="utf-8") for path in golden_files(game)]
    assert {parse_match_file(text, RECORDED_RULES).seat_count for text in texts} == set(game.player_counts)
    assert any(" undo " in text for text in texts)


def test_rules_are_chosen_by_version() -> None:
    """A file of earlier rules is read with those; without them it is refused, never read with others."""
    path = FILES[0]
    text = path.read_text(encoding="utf-8")
    game = parse_match_file(text, RECORDED_RULES).game
    newer_game = replace(game, rules_version=2)
    assert parse_match_file(text, {f"{game.key}@1": game, game.key: newer_game}).game is game
    assert parse_match_file(text.replace("Rules: 1", "Rules: 2"), {game.key: newer_game}).game is newer_game
    with pytest.raises(BrokenMatch, match="Rules"):
        parse_match_file(text, {game.key: newer_game})


@pytest.mark.parametrize("game", RECORDED_RULES.values(), ids=lambda game: game.key)
def test_recording_is_repeatable(game: AnyGame) -> None:
    """The same number gives the same game."""
    first_text, second_text = (
        write_match_file(record_game(game, game.player_counts[0], "", 5)) for _ in range(2)
    )
    assert first_text == second_text


@pytest.mark.trust_test("T10", sensitivity=True)
@pytest.mark.parametrize("game", RECORDED_RULES.values(), ids=lambda game: game.key)
def test_changed_records_are_noticed(game: AnyGame) -> None:
    """A golden game that lacks its last record, or has its second in place of its first, does not pass."""
    path = golden_files(game)[0]
    lines = path.read_text(encoding="utf-8").splitlines()
    records = [line for line in lines if line.partition(".")[0].isdigit()]
    shortened_lines = [line for line in lines if line != records[-1]]
    with pytest.raises(BrokenMatch):
        annotate(parse_match_file("\n".join(shortened_lines), RECORDED_RULES))
    changed_lines = [records[1].replace("2.", "1.", 1) if line == records[0] else line for line in lines]
    with pytest.raises(BrokenMatch):
        annotate(parse_match_file("\n".join(changed_lines), RECORDED_RULES))


def test_files_are_recorded_again(tmp_path: Path) -> None:
    """A file that the rules play keeps its records; else a new game has its name, but no played game has."""
    recorded_path = next(path for path in FILES if path.parent.name == "currents" and path.stem == "2-1")
    text = recorded_path.read_text(encoding="utf-8")
    game = parse_match_file(text, RECORDED_RULES).game
    unplayable = text.replace("Format: ", "Format: older-", 1)
    for name in ("2-1.txt", "2-played.txt"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        file_recorded_again = record_again(game, path)
        assert file_recorded_again is not None
        assert annotate(file_recorded_again) == text
        path.write_text(unplayable, encoding="utf-8")
        replacement = record_again(game, path)
        assert (replacement is None) == ("played" in name)
        assert replacement is None or annotate(replacement) == annotate(record_game(game, 2, "", 1))
