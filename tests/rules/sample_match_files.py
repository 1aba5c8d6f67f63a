"""Files of whole matches for the tests of match files and proofs."""

import random

from rules.game import MODERATOR, Resign
from rules.match import Match
from rules.matchfile import MatchFile, make_match_file
from rules.record import Cut
from rules.stream import fairness_code
from tests.rules.pearls import GAME, SEED, A, B, C, all_records, begin_match

GAMES = {GAME.key: GAME}
ID = "table-17"


def sample_match_file(*, with_seed: bool = True, resigned: bool = False) -> MatchFile:
    """Return the file of a whole game: an undo by a seat, one by a moderator, perhaps a resignation."""
    match = begin_match()
    kept = list(match.new_records)

    def keep(after: Match) -> Match:
        kept.extend(after.new_records)
        return after

    for seat in (A, B):
        match = keep(match.play(seat, match.legal_actions(seat)[0]))
    match = keep(match.undo(B, 4))
    match = keep(match.undo(MODERATOR, 3))
    if resigned:
        match = keep(match.play(C, Resign()))
    else:
        match = keep(match.play(A, match.legal_actions(A)[-1]))
        before = len(match.history)
        match, line = all_records(match, random.Random(4))
        kept.extend(line[before:])
    return make_match_file(
        match, kept, ID, fairness_code=fairness_code(ID, SEED), seed=SEED if with_seed else None
    )


def cut_match_file() -> MatchFile:
    """Return the file of a game that ended early: two seats cut, then one more after a reseal."""
    match = Match.begin(
        GAME, 3, GAME.options_type(), SEED, [(A, Cut("apple", "river")), (C, Cut("silver", "fox"))]
    )
    records = list(match.new_records)

    def keep(after: Match) -> Match:
        records.extend(after.new_records)
        return after

    match = keep(match.play(A, match.legal_actions(A)[0]))
    match = keep(match.reseal(ID))
    match = keep(match.cut(B, "bamboo", "zebra"))
    for seat in (B, C):
        match = keep(match.play(seat, match.legal_actions(seat)[0]))
    return make_match_file(
        match, records, ID, fairness_code=fairness_code(ID, SEED), seed=SEED, ended_early=True
    )
