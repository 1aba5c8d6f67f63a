"""Random full games, kept with every state: what the checks look at."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from rules.game import CHANCE, Action, AnyGame, Seat
from rules.match import Match
from rules.players import random_player
from rules.record import Record
from rules.stream import Stream
from tests.conformance.settings import Setting


@dataclass(frozen=True)
class Moment:
    """One record between the states before and after it."""

    index: int
    before: Any
    actor: Seat
    action: Action
    auto: bool
    after: Any


@dataclass(frozen=True)
class Played:
    """A finished game of random players."""

    setting: Setting
    seed: bytes
    match: Match
    records: tuple[Record, ...]
    moments: tuple[Moment, ...]

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """A bystander and every seat."""
        return (None, *self.seats)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every seat."""
        return tuple(Seat(seat) for seat in range(self.setting.seats))

    def some(
        self, rng: random.Random, count: int, where: Callable[[Moment], bool] | None = None
    ) -> list[Moment]:
        """Pick up to ``count`` moments, each action type that occurs among them."""
        fitting = [moment for moment in self.moments if where is None or where(moment)]
        rng.shuffle(fitting)
        rarest = {type(moment.action): moment for moment in fitting}
        others = [moment for moment in fitting if rarest[type(moment.action)] is not moment]
        return [*rarest.values(), *others][: max(count, len(rarest))]


def names_of(seats: int) -> tuple[str, ...]:
    """As long as Discord lets names be (32 characters)."""
    return tuple(f"{letter * 31}{i}" for i, letter in zip(range(seats), "WMNQOG", strict=False))


def play_through(setting: Setting, number: int, most: int = 20_000) -> Played:
    """Play the whole of game ``number``; raises AssertionError if it does not end."""
    rng = random.Random(f"{setting}/{number}")
    seed = rng.randbytes(32)
    game = setting.game
    match = Match.begin(game, setting.seats, setting.options, seed)
    records = list(match.new_records)
    while (seat := match.to_act) is not None:
        assert len(records) < most, f"{setting}: no end after {most} records"
        match = match.play(seat, random_player.choose(game, match.view(seat), rng))
        records.extend(match.new_records)
    return Played(setting, seed, match, tuple(records), moments_of(setting, match.history))


def moments_of(setting: Setting, line: tuple[Record, ...]) -> tuple[Moment, ...]:
    """Every record of a line without resignations, with the states around it."""
    game = setting.game
    state = game.initial_state(setting.seats, setting.options)
    moments = []
    for index, record in enumerate(line):
        after = game.apply_action(state, record.action)
        moments.append(Moment(index, state, record.actor, record.action, record.auto, after))
        state = after
    return tuple(moments)


@cache
def played(setting: Setting, number: int = 0) -> Played:
    """As ``play_through``, kept."""
    return play_through(setting, number)


def is_chance(moment: Moment) -> bool:
    """Whether chance acted."""
    return moment.actor == CHANCE


def is_choice(moment: Moment) -> bool:
    """Whether a seat acted."""
    return moment.actor != CHANCE


def stream(rng: random.Random) -> Stream:
    """A fresh stream, for samples that belong to no match."""
    return Stream(rng.randbytes(32), 0)


def outcomes(game: AnyGame, state: Any, rng: random.Random, count: int) -> list[Action]:
    """Different outcomes that chance may have in this state."""
    return list(dict.fromkeys(game.sample_chance(state, stream(rng)) for _ in range(count)))
