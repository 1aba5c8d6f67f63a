"""Matches of pearls with undos, cuts and reseals."""

import random

from rules.match import Match
from rules.model import MODERATOR
from rules.record import Cut, Record
from tests.rules.pearls import GAME, SEED, A, B, C

MATCH_ID = "table-17"
APPLE_CUT, SILVER_CUT = Cut("apple", "river"), Cut("silver", "fox")


def begin_match_with_cuts() -> Match:
    """Return a match of three seats, two of which cut before the start."""
    return Match.begin(GAME, 3, GAME.options_type(), SEED, [(A, APPLE_CUT), (C, SILVER_CUT)])


def play_choices(match: Match, records: list[Record], choice_count: int, rng: random.Random) -> Match:
    """Play some choices at random and add their records."""
    for _ in range(choice_count):
        assert match.to_act is not None
        match = match.play(match.to_act, rng.choice(match.legal_actions(match.to_act)))
        records += match.new_records
    return match


def replay(records: list[Record], seed: bytes | None = SEED) -> Match:
    """Replay a match of three seats."""
    return Match.replay(GAME, 3, GAME.options_type(), seed, records)


def play_with_control_actions() -> tuple[Match, list[Record]]:
    """Return a whole match with cuts, undos and two reseals, and its records."""
    rng = random.Random(6)
    match = begin_match_with_cuts()
    records = list(match.new_records)

    def collect(after: Match) -> Match:
        records.extend(after.new_records)
        return after

    match = play_choices(match, records, 2, rng)
    match = collect(match.undo(MODERATOR, 4))
    match = collect(match.reseal(MATCH_ID))
    match = collect(match.cut(B, "silver", "fox"))
    match = play_choices(match, records, 1, rng)
    match = collect(match.reseal(MATCH_ID))
    match = collect(match.undo(MODERATOR, 3))
    match = play_choices(match, records, 3, rng)
    while match.to_act is not None:
        match = play_choices(match, records, 1, rng)
    return match, records
