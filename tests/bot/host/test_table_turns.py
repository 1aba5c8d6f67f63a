"""What is known of the turns of a table."""

import random
from collections.abc import Collection
from typing import NamedTuple

import pytest

from bot.host.table_turns import (
    finished_turn_end_before,
    is_resignation,
    is_running_turn,
    turn_start_shown_at_ply,
)
from rules.catalogue import GAMES
from rules.match import Match
from rules.model import MODERATOR, Resign, Seat
from rules.turns import last_turn_end, newest_turn, running_turn, turns_from
from tests.bot.chat.sample_tables import make_table
from tests.bot.host.playing import default_setup


class _Board(NamedTuple):
    """What a board showed."""

    ply: int
    seat: Seat | None
    """Whom it asked."""
    turn_start: int
    history_length: int
    finished_turn_end: int
    """The end of the last turn that whom it asked had finished."""


def _play(match: Match, choice_count: int, rng: random.Random) -> tuple[Match, list[_Board]]:
    """Make some choices at random, if it goes on; return the match after them, and the board before each."""
    boards: list[_Board] = []
    while len(boards) < choice_count and (seat := match.to_act) is not None:
        length, turn = len(match.history), running_turn(match.history, seat)
        turn_start = length if turn is None else turn.start
        finished_turn_end = last_turn_end(match.history, seat, seat)
        boards.append(_Board(match.ply, seat, turn_start, length, finished_turn_end))
        match = match.play(seat, rng.choice(match.legal_actions(seat)))
    return match, boards


@pytest.mark.parametrize("key", GAMES)
def test_a_board_shows_the_turn_that_it_asked_for(key: str) -> None:
    """It is known later, also after an undo, as long as the choice that was asked for stands."""
    setup, rng = default_setup(GAMES[key]), random.Random(f"turns/{key}")

    def shown_turn_starts(match: Match, boards: Collection[_Board]) -> list[int | None]:
        table = make_table(setup, match)
        return [turn_start_shown_at_ply(table, each.ply, each.seat) for each in boards]

    match = Match.begin(setup.game, setup.seat_count, setup.options, rng.randbytes(32))
    match, boards = _play(match, 12, rng)
    assert shown_turn_starts(match, boards) == [each.turn_start for each in boards]
    asked_nobody = [each._replace(seat=None) for each in boards]
    assert shown_turn_starts(match, asked_nobody) == [None] * len(boards)
    kept, undone = boards[:6], boards[6:]
    match, _ = _play(match.undo(MODERATOR, undone[0].history_length), 4, rng)
    assert shown_turn_starts(match, kept) == [each.turn_start for each in kept]
    assert shown_turn_starts(match, undone) == [None] * len(undone)


@pytest.mark.parametrize("key", GAMES)
def test_what_somebody_had_finished_when_asked_is_known_later(key: str) -> None:
    """Where the start of the turn is known, and without it as long as the turn goes on or has ended last."""
    setup, rng = default_setup(GAMES[key]), random.Random(f"finished/{key}")
    match = Match.begin(setup.game, setup.seat_count, setup.options, rng.randbytes(32))
    match, boards = _play(match, 16, rng)
    for board in boards:
        assert board.seat is not None
        table = make_table(setup, match)
        end = finished_turn_end_before(table, board.seat, board.turn_start, board.ply)
        assert end == board.finished_turn_end
        table_then = make_table(setup, match.at_length(board.history_length + 1))
        assert finished_turn_end_before(table_then, board.seat, None, board.ply) == board.finished_turn_end


@pytest.mark.parametrize("key", GAMES)
def test_a_turn_runs_until_another_seat_is_to_act(key: str) -> None:
    """No earlier turn runs, and none begins in the middle of another one."""
    setup, rng = default_setup(GAMES[key]), random.Random(f"running/{key}")
    match = Match.begin(setup.game, setup.seat_count, setup.options, rng.randbytes(32))
    for _ in range(16):
        match, _ = _play(match, 1, rng)
        table, turn = make_table(setup, match), running_turn(match.history, match.to_act)
        running = [start for start in range(len(match.history)) if is_running_turn(table, start)]
        assert running == ([] if turn is None else [turn.start])


@pytest.mark.parametrize("key", GAMES)
def test_only_a_turn_without_another_choice_is_a_resignation(key: str) -> None:
    """Whoever has played in it before they resign has a turn of moves."""
    setup, rng = default_setup(GAMES[key]), random.Random(f"resigned/{key}")
    match = Match.begin(setup.game, setup.seat_count, setup.options, rng.randbytes(32))
    for _ in range(16):
        match, _ = _play(match, 1, rng)
        table = make_table(setup, match)
        assert not any(is_resignation(table, turn) for turn in turns_from(match.history))
        if match.to_act is None or not match.can_resign(match.to_act):
            continue
        resigned = match.play(match.to_act, Resign())
        turn = newest_turn(resigned.history)
        assert turn is not None
        has_played = turn.start < len(match.history)
        assert is_resignation(make_table(setup, resigned), turn) is not has_played
