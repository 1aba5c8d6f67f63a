"""The commands that read the file of a match: ``proof`` and ``summary``."""

import resource
from pathlib import Path

import pytest

from rules.catalogue import GAMES
from rules.match import Match
from rules.matchfile import make_match_file, write_match_file
from rules.model import Seat
from rules.random_stream import make_fairness_code
from rules.record import Cut
from tests.bot.operate.databases import RunCommandLine

SEED = bytes(range(32))


def write_early_ended_match(path: Path) -> str:
    """Write the file of a game that has ended early; return its fairness code."""
    game = GAMES["currents"]
    match = Match.begin(game, 2, game.options_type(), SEED, [(Seat(1), Cut("apple", "river"))])
    code = make_fairness_code("currents/1/1", SEED)
    file = make_match_file(
        match, match.new_records, "currents/1/1", fairness_code=code, seed=SEED, ended_early=True
    )
    path.write_text(write_match_file(file), encoding="utf-8")
    return code


def test_a_game_that_has_ended_early_has_no_summary(run: RunCommandLine, tmp_path: Path) -> None:
    """It is not said to go on, and no picture is made."""
    path, picture = tmp_path / "game.txt", tmp_path / "summary.png"
    write_early_ended_match(path)
    text = "Not drawn: this game was not played to its end, so it has no result to show\n"
    assert run("summary", path, "--output", picture) == (1, "", text)
    assert not picture.exists()


def test_more_names_than_seats_draw_no_summary(run: RunCommandLine, tmp_path: Path) -> None:
    """A slip in the list of names is told before a picture is made."""
    path, picture = tmp_path / "game.txt", tmp_path / "summary.png"
    write_early_ended_match(path)
    text = "Not drawn: the game has two seats, but --names gives three names\n"
    assert run("summary", path, "--names", "Ava,Ben,Chloé", "--output", picture) == (1, "", text)
    assert not picture.exists()


def test_proof_prints_what_a_file_proves(run: RunCommandLine, tmp_path: Path) -> None:
    """It compares the fairness code that a player saw, and says why where it does not fit."""
    path = tmp_path / "game.txt"
    code = write_early_ended_match(path)
    for arguments, last in (
        ((), "This file vouches only for itself: "),
        (("--code", code), "The code that you saw is the first one of this match."),
    ):
        exit_code, printed, errors = run("proof", path, *arguments)
        assert (exit_code, errors) == (0, "")
        assert "the words of B (apple river)" in printed
        assert printed.splitlines()[-1].startswith(last)
    for wrong, reason in (("0" * 64, "not have the fairness code"), (code[:8], "64 hex digits")):
        exit_code, printed, errors = run("proof", path, "--code", wrong)
        assert (exit_code, printed) == (1, "")
        assert errors.startswith("Not proved: ")
        assert reason in errors


@pytest.mark.parametrize(("command", "start"), [("proof", "Not proved"), ("summary", "Not drawn")])
def test_what_is_no_match_file_is_said_in_words(
    run: RunCommandLine, tmp_path: Path, command: str, start: str
) -> None:
    """A missing file, a folder and a picture are refused without an error's number or a decoder's terms."""
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n")
    for path, reason in (
        (tmp_path / "none", f"{tmp_path}/none cannot be used: No such file or directory."),
        (tmp_path, f"{tmp_path} cannot be used: Is a directory."),
        (picture, "this is no match file, since it is not a text in UTF-8"),
    ):
        assert run(command, path) == (1, "", f"{start}: {reason}\n")


def test_a_huge_file_is_not_read_as_a_match(run: RunCommandLine, tmp_path: Path) -> None:
    """A file far above the size of any match is refused without reading it all."""
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(4 * 2**30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    code, printed, errors = run("proof", path)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert (code, printed) == (1, "")
    assert "Not proved" in errors
    assert "16 MiB" in errors
    assert grown < 100_000, "kibibytes of memory"
