"""The records of a match, and a line of its log in words."""

import msgspec

from rules.game import Action, Seat


class Undo(Action, frozen=True, gc=False, tag="undo"):
    """Cut the history back to its first ``keep`` records."""

    keep: int


class Record(msgspec.Struct, frozen=True, gc=False):
    """One entry of the log.  ``auto``: a forced choice, played by itself."""

    actor: Seat
    action: Action
    auto: bool = False

    @property
    def chosen(self) -> bool:
        """Return whether a player chose this: neither chance nor forced."""
        return self.actor >= 0 and not self.auto


class UndoOffer(msgspec.Struct, frozen=True, gc=False):
    """What undoing a seat's last choice would mean.  ``free``: nobody else need agree."""

    keep: int
    free: bool


class LogLine(msgspec.Struct, frozen=True, gc=False):
    """One record in words: its place in the history, who acted, one or more sentences."""

    index: int
    actor: Seat
    text: str
