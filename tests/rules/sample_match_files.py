"""Files of whole matches for the tests of match files and proofs."""

import random

from rules.match import Match
from rules.matchfile import MatchFile, make_match_file
from rules.model import MODERATOR, Resign
from rules.random_stream import make_fairness_code
from rules.record import Cut
from tests.rules.pearls import GAME, SEED, A, B, C, begin_match, play_to_end

GAMES = {GAME.key: GAME}
MATCH_ID = "table-17"


def sample_match_file(*, with_seed: bool = True, with_resignation: bool = False) -> MatchFile:
    """Return the file of a whole game: an undo by a seat, one by a moderator, perhaps a resignation."""
    match = begin_match()
    records = list(match.new_records)

    def collect(after: Match) -> Match:
        records.extend(after.new_records)
        return after

    for seat in (A, B):
        match = collect(match.play(seat, match.legal_actions(seat)[0]))
    match = collect(match.undo(B, 4))
    match = collect(match.undo(MODERATOR, 3))
    if with_resignation:
        match = collect(match.play(C, Resign()))
    else:
        match = collect(match.play(A, match.legal_actions(A)[-1]))
        played_length = len(match.history)
        match, played_records = play_to_end(match, random.Random(4))
        records.extend(played_records[played_length:])
    return make_match_file(
        match,
        records,
        MATCH_ID,
        fairness_code=make_fairness_code(MATCH_ID, SEED),
        seed=SEED if with_seed else None,
    )


def match_file_with_cuts() -> MatchFile:
    """Return the file of a game that ended early: two seats cut, then one more after a reseal."""
    match = Match.begin(
        GAME, 3, GAME.options_type(), SEED, [(A, Cut("apple", "river")), (C, Cut("silver", "fox"))]
    )
    records = list(match.new_records)

    def collect(after: Match) -> Match:
        records.extend(after.new_records)
        return after

    match = collect(match.play(A, match.legal_actions(A)[0]))
    match = collect(match.reseal(MATCH_ID))
    match = collect(match.cut(B, "bamboo", "zebra"))
    for seat in (B, C):
        match = collect(match.play(seat, match.legal_actions(seat)[0]))
    return make_match_file(
        match,
        records,
        MATCH_ID,
        fairness_code=make_fairness_code(MATCH_ID, SEED),
        seed=SEED,
        ended_early=True,
    )
