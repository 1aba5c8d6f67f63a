"""Small matches of the contributor guide's game for the tests of ``rules``."""

import random
from typing import Any

from rules.match import Match
from rules.model import CHANCE, SEAT_LETTERS, Action, Seat
from rules.notation import Notation
from rules.record import Record
from tests.docs.game_guide import pearls_game

GAME = pearls_game()
NOTATION = Notation(GAME)
SEED = bytes(range(32))
A, B, C = Seat(0), Seat(1), Seat(2)


def parse_action(text: str) -> Action:
    """Read an action of Pearls."""
    return NOTATION.parse(text)


def replay_lines(*lines: str) -> Match:
    """Replay a match of two seats without a seed from lines such as ``A lay 3``."""
    return Match.replay(GAME, 2, GAME.options_type(), None, parse_records(*lines))


def parse_records(*lines: str) -> tuple[Record, ...]:
    """Parse records from lines such as ``* wave 3`` and ``B! rest``."""
    records = []
    for line in lines:
        actor, _, text = line.partition(" ")
        seat = CHANCE if actor == "*" else Seat(SEAT_LETTERS.index(actor[0]))
        records.append(Record(seat, parse_action(text), actor.endswith("!")))
    return tuple(records)


DEAL_LINES = ("* deal A 3,9,15", "* deal B 1,2,14")
"""The first records of a match of two seats."""


def begin_match(seat_count: int = 3) -> Match:
    """Return a fresh match with a seed."""
    return Match.begin(GAME, seat_count, GAME.options_type(), SEED)


def play_to_end(match: Match, rng: random.Random) -> tuple[Match, tuple[Record, ...]]:
    """Play the match to its end at random."""
    records: list[Record] = list(match.history)
    while (seat := match.to_act) is not None:
        match = match.play(seat, rng.choice(match.legal_actions(seat)))
        records += match.new_records
    return match, tuple(records)


def hand_of(match: Match, seat: Seat) -> tuple[Any, ...]:
    """Return the hand of a seat."""
    hand: tuple[Any, ...] = match.view(seat).hand
    return hand
