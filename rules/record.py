"""The records of a match and the lines of its log."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from rules.game import Action, ChanceKey, Event, Seat
from rules.stream import Draw


class Undo(Action, frozen=True, gc=False, tag="undo"):
    """Cut the history back to its first ``keep`` records."""

    keep: int


class Record(msgspec.Struct, frozen=True, gc=False):
    """One record of a match: who acted, and the action.  ``auto``: a forced choice, played automatically."""

    actor: Seat
    action: Action
    auto: bool = False

    @property
    def chosen(self) -> bool:
        """Whether a player chose this: it is neither an outcome of chance nor forced."""
        return self.actor >= 0 and not self.auto


class UndoOffer(msgspec.Struct, frozen=True, gc=False):
    """What undoing a seat's last choice takes: the records to keep; ``free``: no consent is needed."""

    keep: int
    free: bool


class LogLine(msgspec.Struct, frozen=True, gc=False):
    """One record in words: its place in the history, who acted, one or more sentences."""

    index: int
    actor: Seat
    text: str
    affected: frozenset[Seat] = frozenset()
    """The seats that it affected (``Words.affected``)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Chance's next outcome as the seed gives it, and the draws behind it."""

    action: Action
    key: ChanceKey
    number: int
    """How many outcomes of this key the history has before it."""
    draws: tuple[Draw, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Checkpoint:
    """The state of a match after the first ``length`` records of its history."""

    length: int
    state: Any
    recent_events: tuple[Event, ...]
    chance_counts: Mapping[ChanceKey, int]
