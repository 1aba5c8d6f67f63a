"""The plies of the records of a history that undos, cuts and reseals have shortened or interrupted."""

from rules.match import Match
from rules.plies import index_at, ply_at
from rules.record import Cut, Record, Reseal, Undo
from tests.rules.pearls import GAME, SEED
from tests.rules.test_deal_key import play_with_control_actions, replay


def test_each_record_keeps_its_ply() -> None:
    """A played, replayed or resumed match knows the ply of each record, and which plies its history lacks."""
    match, records = play_with_control_actions()
    plies = _plies_of_history(records)
    resumed = Match.from_snapshot(GAME, 3, GAME.options_type(), SEED, records, match.snapshot())
    for each in (match, replay(records), resumed):
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
