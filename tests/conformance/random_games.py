"""Games of computer players with every state, for the checks.

Random reaches the rare choices, Casual the ends and the positions that people reach.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from rules.game import AnyGame
from rules.match import Match
from rules.model import CHANCE, Action, Seat
from rules.players import CASUAL_PLAYER, RANDOM_PLAYER
from rules.random_stream import RandomStream
from rules.record import Record
from tests.conformance.setups import GameSetup
from tests.trials import IS_SOAK

RECORD_CAP: Final = 150
"""Records after which a game stops in ``make test``, so that the time a further game adds is bounded."""
_MAX_RECORDS: Final = 20_000
_MAX_VIEWERS: Final = 7 if IS_SOAK else 3
_CASUAL_SHARES: Final = (0.0, 0.0, 0.5, 1.0)
"""How much of a game Casual plays, each equally often; Random chooses the rest."""


def sample_size(count: int) -> int:
    """Return how many positions a check examines: ``count`` in the long run, a quarter in ``make test``."""
    return count if IS_SOAK else -(-count // 4)


@dataclass(frozen=True)
class Transition:
    """One record between the states before and after it."""

    index: int
    before: Any
    actor: Seat
    action: Action
    auto: bool
    after: Any


@dataclass(frozen=True)
class PlayedGame:
    """A game of computer players, up to its end or to its cap."""

    setup: GameSetup
    seed: bytes
    match: Match
    records: tuple[Record, ...]
    transitions: tuple[Transition, ...]

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """A bystander and every seat."""
        return (None, *self.seats)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every seat."""
        return tuple(Seat(seat) for seat in range(self.setup.seat_count))

    def pick_viewers(self, rng: random.Random) -> tuple[Seat | None, ...]:
        """Return a bystander and seats: all of them in the long run."""
        return (None, *rng.sample(self.seats, min(len(self.seats), _MAX_VIEWERS - 1)))

    def pick_transitions(
        self, rng: random.Random, count: int, where: Callable[[Transition], bool] | None = None
    ) -> list[Transition]:
        """Pick ``count`` transitions (fewer in ``make test``), or one of each action type if that is more."""
        matching = [transition for transition in self.transitions if where is None or where(transition)]
        rng.shuffle(matching)
        by_type = {type(transition.action): transition for transition in matching}
        others = [transition for transition in matching if by_type[type(transition.action)] is not transition]
        return [*by_type.values(), *others][: max(sample_size(count), len(by_type))]


def longest_names(seat_count: int) -> tuple[str, ...]:
    """Return names as long as Discord allows: 32 characters."""
    return tuple(f"{letter * 31}{i}" for i, letter in zip(range(seat_count), "WMNQOG", strict=False))


def play_through(
    setup: GameSetup, number: int, cap: int | None = None, casual_share: float | None = None
) -> PlayedGame:
    """Play game ``number``, up to the first choice after ``cap`` records if there is a cap.

    ``casual_share``: the part of the choices that Casual makes; None: drawn.  Raises AssertionError if a game
    without a cap does not end.
    """
    rng = random.Random(f"{setup}/{number}")
    seed = rng.randbytes(32)
    share = rng.choice(_CASUAL_SHARES) if casual_share is None else casual_share
    game = setup.game
    match = Match.begin(game, setup.seat_count, setup.options, seed)
    records = list(match.new_records)
    while (seat := match.to_act) is not None and (cap is None or len(records) < cap):
        assert len(records) < _MAX_RECORDS, f"{setup}: no end after {_MAX_RECORDS} records"
        player = CASUAL_PLAYER if rng.random() < share else RANDOM_PLAYER
        match = match.play(seat, player.choose(game, match.view(seat), rng))
        records.extend(match.new_records)
    return PlayedGame(setup, seed, match, tuple(records), transitions_of(setup, match.history))


def transitions_of(setup: GameSetup, history: tuple[Record, ...]) -> tuple[Transition, ...]:
    """Return every record of a history without resignations, with the states around it."""
    game = setup.game
    state = game.initial_state(setup.seat_count, setup.options)
    transitions = []
    for index, record in enumerate(history):
        after = game.apply_action(state, record.action)
        transitions.append(Transition(index, state, record.actor, record.action, record.auto, after))
        state = after
    return tuple(transitions)


@cache
def played_game(setup: GameSetup, number: int = 0) -> PlayedGame:
    """Return game ``number``, capped in ``make test``; cached."""
    return play_through(setup, number, None if IS_SOAK else RECORD_CAP)


def is_chance(transition: Transition) -> bool:
    """Whether chance acted."""
    return transition.actor == CHANCE


def is_by_seat(transition: Transition) -> bool:
    """Whether a seat acted."""
    return transition.actor != CHANCE


def new_stream(rng: random.Random) -> RandomStream:
    """Return a fresh stream, for samples that belong to no match."""
    return RandomStream(rng.randbytes(32), 0)


def sample_outcomes(game: AnyGame, state: Any, rng: random.Random, count: int) -> list[Action]:
    """Return up to ``count`` different outcomes that chance may have in this state."""
    return list(dict.fromkeys(game.sample_chance(state, new_stream(rng)) for _ in range(count)))
