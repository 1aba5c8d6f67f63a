"""Whole games of computer players, with every position, as templates for databases of any size."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.match import Match
from rules.model import CHANCE, Seat
from rules.notation import write_action
from rules.options import write_options
from rules.players import COMPUTER_PLAYERS
from rules.random_stream import SEED_BYTES
from rules.turns import newest_turn

COMPUTER_PLAYER_KEY: Final = "casual"
"""The computer player that plays them."""
MAX_SEATS: Final = 4
"""Seats of a game at most, if it can be played with so few."""


@dataclass(frozen=True)
class TemplateRecord:
    """One record, and whether a person who had the seats would be its author."""

    actor: int
    action: str
    auto: bool
    by_person: bool


@dataclass(frozen=True)
class ReachedPosition:
    """A position that a game reached: after a choice and all that followed by itself."""

    ply: int
    snapshot: bytes
    actor: Seat
    """Who made the choice."""
    turn_start: int
    """Index in the history at which the turn of that choice begins."""
    to_act: Seat | None
    """None: the game is over."""


@dataclass(frozen=True)
class GameTemplate:
    """A whole game of computer players, without undos, from which tables of a database are copied."""

    game: AnyGame
    seat_count: int
    seed: bytes
    records: tuple[TemplateRecord, ...]
    positions: tuple[ReachedPosition, ...]
    """After each choice, the earliest first."""

    @property
    def options_text(self) -> str:
        """The options as the store has them."""
        return write_options(self.game.options_type())

    def position_after(self, share: float) -> ReachedPosition:
        """Return the position after a share of the choices, from 0 to less than 1."""
        return self.positions[min(int(share * len(self.positions)), len(self.positions) - 2)]


def player_counts(game: AnyGame) -> tuple[int, ...]:
    """Return the numbers of seats, up to ``MAX_SEATS``, that a game's default options allow."""
    counts = game.player_counts_with(game.options_type())
    return tuple(count for count in counts if count <= MAX_SEATS) or counts[:1]


def make_template(game: AnyGame, seat_count: int, rng: random.Random) -> GameTemplate:
    """Play one game to its end, as a template."""
    choose, seed = COMPUTER_PLAYERS[COMPUTER_PLAYER_KEY].choose, rng.randbytes(SEED_BYTES)
    match = Match.begin(game, seat_count, game.options_type(), seed)
    records = list(_new_records(match, None))
    positions: list[ReachedPosition] = []
    while (seat := match.to_act) is not None:
        match = match.play(seat, choose(game, match.view(seat), rng))
        records += _new_records(match, seat)
        turn = newest_turn(match.history)
        assert turn is not None
        positions.append(ReachedPosition(match.ply, match.snapshot(), seat, turn.start, match.to_act))
    return GameTemplate(game, seat_count, seed, tuple(records), tuple(positions))


def _new_records(match: Match, acting_seat: Seat | None) -> Iterator[TemplateRecord]:
    """Yield the records that the last operation of a match added; ``acting_seat``: whose choice it was."""
    for record in match.new_records:
        by_person = record.actor == acting_seat and record.actor != CHANCE
        yield TemplateRecord(record.actor, write_action(record.action), record.auto, by_person)


def make_templates(count: int, seed: str) -> tuple[GameTemplate, ...]:
    """Play ``count`` games of every registered game, with each number of seats in turn."""
    rng = random.Random(seed)
    played = []
    for number in range(count):
        for game in GAMES.values():
            counts = player_counts(game)
            played.append(make_template(game, counts[number % len(counts)], rng))
    return tuple(played)
