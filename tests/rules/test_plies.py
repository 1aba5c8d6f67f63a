"""The plies of the records of a history that undos, cuts and reseals have shortened or interrupted."""

import random
from collections.abc import Iterable

from rules.match import Match
from rules.model import MODERATOR
from rules.plies import index_at, ply_at
from rules.record import Cut, Record, Reseal, Undo
from tests.rules.control_action_matches import play_choices, play_with_control_actions, replay
from tests.rules.pearls import GAME, SEED, begin_match


def test_each_record_keeps_its_ply() -> None:
    """A played, replayed or resumed match knows the ply of each record, and which plies its history lacks."""
    for match, records in (play_with_control_actions(), _play_with_undo()):
        resumed = Match.from_snapshot(GAME, 3, GAME.options_type(), SEED, records, match.snapshot())
        _check_plies((match, replay(records), resumed), _plies_of_history(records))


def _play_with_undo() -> tuple[Match, list[Record]]:
    """Return a match whose first plies are their places in the history, and its records."""
    match, rng = begin_match(), random.Random(2)
    records = list(match.new_records)
    match = play_choices(match, records, 2, rng).undo(MODERATOR, 4)
    records += match.new_records
    return play_choices(match, records, 2, rng), records


def _check_plies(matches: Iterable[Match], plies: list[int]) -> None:
    for each in matches:
        length = len(each.history)
        assert [ply_at(each.ply_offsets, index) for index in range(length)] == plies
        for ply in range(1, each.ply + 2):
            expected = plies.index(ply) if ply in plies else None
            assert index_at(each.ply_offsets, length, ply) == expected


def _plies_of_history(records: list[Record]) -> list[int]:
    plies: list[int] = []
    for ply, record in enumerate(records, 1):
        if isinstance(record.action, Undo):
            del plies[record.action.kept_length :]
        elif not isinstance(record.action, Cut | Reseal):
            plies.append(ply)
    return plies
