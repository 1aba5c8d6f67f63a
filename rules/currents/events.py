"""The public events of Currents.  Narration and pictures read a trail of them."""

from typing import TypeAlias

from rules.currents.components import Axis, Card, Point, Rotation
from rules.model import Event, Seat


class Dealt(Event, frozen=True, gc=False, tag="dealt"):
    """Chance dealt ``count`` cards to a seat, at the start or when it draws."""

    seat: Seat
    count: int


class Reshuffled(Event, frozen=True, gc=False, tag="reshuffled"):
    """``count`` cards went from the discard pile to the draw pile."""

    count: int


class FirstPlayerSet(Event, frozen=True, gc=False, tag="first-player-set"):
    """The first player is known."""

    seat: Seat


class AxisChosen(Event, frozen=True, gc=False, tag="axis"):
    """The first player of two aims for this axis."""

    seat: Seat
    axis: Axis


class CompassCardSet(Event, frozen=True, gc=False, tag="compass"):
    """A card was put on a compass place; ``replaced`` went to the discard pile."""

    place: str
    card: Card
    replaced: Card | None = None


class CurrentSet(Event, frozen=True, gc=False, tag="current"):
    """A card was put on a current slot; ``replaced`` went to the discard pile."""

    slot: str
    card: Card
    replaced: Card | None = None


class CompassCardTaken(Event, frozen=True, gc=False, tag="taken"):
    """A Jack took this card off the compass."""

    place: str
    card: Card


class CurrentsSwapped(Event, frozen=True, gc=False, tag="swapped"):
    """A Queen swapped two slots."""

    slot: str
    other: str


class CompassTurned(Event, frozen=True, gc=False, tag="turned"):
    """A King turned the compass."""

    rotation: Rotation


class JokerCalled(Event, frozen=True, gc=False, tag="joker"):
    """A joker was called; chance shuffles next."""

    card: Card


class JokerShuffled(Event, frozen=True, gc=False, tag="shuffled"):
    """A joker shuffled the cards on these compass places and slots, all of which were occupied."""

    places: tuple[str, ...]
    slots: tuple[str, ...]


class Discarded(Event, frozen=True, gc=False, tag="discarded"):
    """These cards went from a hand to the discard pile: a called card, a discard or a defence."""

    seat: Seat
    cards: tuple[Card, ...]


class AceLeftOver(Event, frozen=True, gc=False, tag="left-over"):
    """Triangular board: the fourth ace has no place and went to the discard pile."""

    card: Card


class PawnDrifted(Event, frozen=True, gc=False, tag="drifted"):
    """The pawn moved along ``path``, from its old to its new point.

    A single point means that the pushes left it where it was.
    """

    path: tuple[Point, ...]


class ExitThreatened(Event, frozen=True, gc=False, tag="threatened"):
    """The pawn is about to leave over ``edge``; ``needed`` cards of the defender stop it."""

    edge: str
    defender: Seat
    needed: int


class PawnStopped(Event, frozen=True, gc=False, tag="stopped"):
    """A defender stopped the pawn at ``edge``."""

    edge: str
    defender: Seat


class PawnLeft(Event, frozen=True, gc=False, tag="left"):
    """The pawn left the board over ``edge``, a goal of ``winner``."""

    edge: str
    winner: Seat


AnyEvent: TypeAlias = (
    Dealt | Reshuffled | FirstPlayerSet | AxisChosen | CompassCardSet | CurrentSet | CompassCardTaken
    | CurrentsSwapped | CompassTurned | JokerCalled | JokerShuffled | Discarded | AceLeftOver | PawnDrifted
    | ExitThreatened | PawnStopped | PawnLeft
)  # fmt: skip
