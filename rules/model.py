"""The values of which every game is made: seats, actions, events, options, views and results.

Names follow OpenSpiel, python-chess and boardgame.io.
"""

from typing import Final, NamedTuple, NewType, Protocol, TypeAlias

import msgspec

Seat = NewType("Seat", int)
"""A place at the table, counted from 0 in the order of play."""

CHANCE: Final = Seat(-1)
"""The actor of everything that nobody decides.  Its outcomes are recorded like any action."""

MODERATOR: Final = Seat(-2)
"""The actor of roll-backs and reseals: a moderator of the table, who may have no seat, or the operator."""

SEAT_LETTERS: Final = "ABCDEF"
"""The letters of the seats in text."""

HIDDEN: Final = "?"
"""Stands in text, and as the value of a short string, for what a viewer may not know of an action."""

Names: TypeAlias = tuple[str, ...]
"""The players' names by seat, already made safe for where they will be shown."""


class Action(msgspec.Struct, frozen=True, gc=False, tag_field="act"):
    """An action of a seat, or an outcome of chance.  The tag is its verb.

    Field types come from a closed set: int, bool, enum, str (short), Seat, and tuples or optionals
    of those.  A player's action is written with at most 72 characters (see ``rules.notation``).
    """

    def seen_by(self, viewer: Seat | None, actor: Seat) -> "Action":
        """Return this action as ``viewer`` may know it (``None``: a bystander)."""
        return self

    def reveals(self, viewer: Seat | None) -> bool:
        """Whether this outcome of chance shows ``viewer`` anything that was not certain before.

        A free undo never crosses an outcome that the actor or a bystander saw.
        """
        return True

    def spellings(self) -> "tuple[Action, ...]":
        """Return this action, then every other way to write the same choice, as with cards in another order.

        All are of one type.  Legal actions have the first form; a player may write any.
        """
        return (self,)

    @property
    def drawn_for(self) -> Seat | None:
        """The seat for which this outcome of chance is drawn; None: for the whole table.

        Known before the outcome is drawn (see ``Game.next_outcome_kind``), so never a result of the draw.
        """
        return None


class OutcomeKind(NamedTuple):
    """The type of an outcome of chance, and the seat that it is drawn for.

    Each has its own draws (``rules.random_stream``).  A stream and a match file name the two apart:
    ``kind``, the verb of the type, and ``seat``.  It is public; the secret from which all is drawn is the
    deal key (``rules.deal_key``).
    """

    outcome_type: type[Action]
    drawn_for: Seat | None = None
    """As ``Action.drawn_for``; None: the whole table."""


class Resign(Action, frozen=True, gc=False, tag="resign"):
    """The actor resigns: possible at any time for every seat whose resignation ``Game.resign`` allows."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event"):
    """One public effect of the last action.  A trail is a tuple of events."""


class RecordEvents(NamedTuple):
    """One record of a history: who acted, and its public events."""

    actor: Seat
    events: tuple[Event, ...]


class Options(msgspec.Struct, frozen=True, gc=False):
    """A game's options, with defaults.  Fields: bool, enum, or an int with bounds (``Meta``)."""


class Position(Protocol):
    """The public part of a state.  ``trail``: the public events of the last action, in order."""

    @property
    def trail(self) -> tuple[Event, ...]: ...  # noqa: D102 - said above


class View(Protocol):
    """What one viewer knows: the position and the viewer's own secrets."""

    @property
    def position(self) -> Position: ...  # noqa: D102 - said above

    @property
    def viewer(self) -> Seat | None: ...  # noqa: D102 - said above


class ScoreLine(msgspec.Struct, frozen=True, gc=False):
    """One line of a final score, or what decides a tie: its label and its points.

    The label of a line begins with a capital; that of a tie-break stands in a sentence and does not.
    """

    label: str
    points: int


class Standing(msgspec.Struct, frozen=True, gc=False):
    """How one seat ended.  ``rank`` 1 is best; seats that tie share a rank."""

    seat: Seat
    rank: int
    score: int
    lines: tuple[ScoreLine, ...] = ()
    tie_break: ScoreLine | None = None
    """What decides between seats of the same score; not part of the score."""


class Result(msgspec.Struct, frozen=True, gc=False):
    """The result of a game: every seat once, best first."""

    standings: tuple[Standing, ...]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of rank 1; all seats if nobody won."""
        return tuple(standing.seat for standing in self.standings if standing.rank == 1)
