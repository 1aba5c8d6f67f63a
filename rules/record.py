"""The records of a match and the lines of its log."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgspec

from rules.errors import MalformedAction
from rules.model import Action, Event, OutcomeKind, Seat
from rules.narration import Narration
from rules.random_stream import Draw


class Undo(Action, frozen=True, gc=False, tag="undo"):
    """Take back the records of the history after its first ``kept_length``."""

    kept_length: int


class Cut(Action, frozen=True, gc=False, tag="cut"):
    """A seat cuts the deck: two words of the list (``rules.cut_words``) go into the key of the deals."""

    first: str
    second: str


class Reseal(Action, frozen=True, gc=False, tag="reseal"):
    """The key of the deals changes because a backup was restored (``rules.deal_key``)."""

    code: str
    """The fairness code of the new key, before any later cut: 64 hex digits."""


ControlAction: TypeAlias = Undo | Cut | Reseal
"""The action of a record that counts in the ply but does not stand in the history."""

_UNDO_PATTERN: Final = re.compile(r"undo ([0-9]{1,6})")
_CUT_PATTERN: Final = re.compile(r"cut ([a-z]{3,8}) ([a-z]{3,8})")
_RESEAL_PATTERN: Final = re.compile(r"reseal ([0-9a-f]{64})")
_CONTROL_FIELD_TEXTS: Final = {
    "undo": "how many records stay",
    "cut": "two words of the list",
    "reseal": "a fairness code of 64 hex digits",
}
"""What follows the verb of each control action."""


def parse_control_action(text: str) -> ControlAction | None:
    """Parse the text of a control action; None if it is another action's.  Raises MalformedAction."""
    if found := _UNDO_PATTERN.fullmatch(text):
        return Undo(int(found[1]))
    if found := _CUT_PATTERN.fullmatch(text):
        return Cut(found[1], found[2])
    if found := _RESEAL_PATTERN.fullmatch(text):
        return Reseal(found[1])
    verb = text.partition(" ")[0]
    if verb in _CONTROL_FIELD_TEXTS:
        raise MalformedAction(f"After “{verb}” comes: {_CONTROL_FIELD_TEXTS[verb]}.")
    return None


class Record(msgspec.Struct, frozen=True, gc=False):
    """One record of a match: who acted, and the action.  ``auto``: a forced choice, played automatically."""

    actor: Seat
    action: Action
    auto: bool = False
    in_running_turn: bool = False
    """Whether it is a resignation in the middle of a turn, to which it belongs; else it begins one.

    It is known of the records of a history only, since it follows from those before.
    """
    ends_turn: bool = False
    """Whether the turn is over after it, whoever chooses next (``Game.turn_number``).

    Known of the records of a history only, too.
    """

    @property
    def is_choice(self) -> bool:
        """Whether a player chose this action: it is not chance's, not the moderator's and not forced."""
        return self.actor >= 0 and not self.auto


class PossibleUndo(msgspec.Struct, frozen=True, gc=False):
    """An undo that a seat may ask for."""

    kept_length: int
    """How many records of the history stay."""
    is_free: bool
    """Whether nobody else must agree."""


class LogLine(msgspec.Struct, frozen=True, gc=False):
    """One record in words: its index in the history, who acted, what it brought about."""

    index: int
    actor: Seat
    narration: Narration
    affected_seats: frozenset[Seat] = frozenset()
    """The seats that it affected (``Words.affected_seats``)."""
    is_routine: bool = False
    """Whether a shortened story leaves it out first (``Words.is_routine``)."""

    @property
    def text(self) -> str:
        """The narration as text, with a line for each announcement."""
        return self.narration.text


@dataclass(frozen=True, slots=True)
class DrawnOutcome:
    """Chance's next outcome as the key of the deals gives it, and the draws behind it."""

    action: Action
    outcome_kind: OutcomeKind
    number: int
    """How many outcomes of this kind the history has before it."""
    draws: tuple[Draw, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Checkpoint:
    """The state of a match after the first ``length`` records of its history."""

    length: int
    state: Any
    recent_events: tuple[Event, ...]
    """The public events of the newest turn until then (``rules.turns``)."""
    outcome_counts: Mapping[OutcomeKind, int]
