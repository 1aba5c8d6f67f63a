"""The public events of Australis.  Narration and pictures read a trail of them."""

import enum
from typing import TypeAlias

from rules.australis.components import Card, Colour, Die, TileColour
from rules.model import Event, Seat


class EffectSource(enum.Enum):
    """What brought points, fish, a move or a coral."""

    DIE = "die"
    KEPT_CARD = "kept"
    USED_CARD = "used"


class RoundBegan(Event, frozen=True, gc=False, tag="round"):
    """A round begins; ``starter`` takes the first die."""

    round: int
    starter: Seat


class DiceRolled(Event, frozen=True, gc=False, tag="rolled"):
    """The dice of the board were rolled for the round."""


class CardsRevealed(Event, frozen=True, gc=False, tag="revealed"):
    """These cards came to the display."""

    cards: tuple[Card, ...]


class DisplayCleared(Event, frozen=True, gc=False, tag="cleared"):
    """A new round: the cards of the display went to the discard pile."""

    cards: tuple[Card, ...]


class Reshuffled(Event, frozen=True, gc=False, tag="reshuffled"):
    """The draw pile was empty: ``count`` cards of the discard pile became the draw pile."""

    count: int


class DieTaken(Event, frozen=True, gc=False, tag="taken"):
    """A seat took a die from the board."""

    seat: Seat
    die: Die


class CardActivated(Event, frozen=True, gc=False, tag="activated"):
    """A kept card was carried out."""

    seat: Seat
    card: Card


class CardKept(Event, frozen=True, gc=False, tag="kept"):
    """A card of the display went to a sea board."""

    seat: Seat
    card: Card


class CardUsed(Event, frozen=True, gc=False, tag="used"):
    """A card of the display was carried out once and discarded."""

    seat: Seat
    card: Card


class PickLost(Event, frozen=True, gc=False, tag="lost"):
    """A seat could not pick a card: nothing that may be picked lies on the display."""

    seat: Seat


class PointsGained(Event, frozen=True, gc=False, tag="points"):
    """A seat gained the points of a die's circles or of a card."""

    seat: Seat
    points: int
    source: EffectSource


class FishCaught(Event, frozen=True, gc=False, tag="fish"):
    """Fish went to a sea board."""

    seat: Seat
    count: int
    source: EffectSource


class TurtleMoved(Event, frozen=True, gc=False, tag="turtle"):
    """A turtle moved along the track; ``start`` and ``end`` are equal if it could not."""

    seat: Seat
    start: int
    end: int
    source: EffectSource


class CubeTaken(Event, frozen=True, gc=False, tag="cube"):
    """A seat took a food cube; ``space``: where on the track, None: with the silver tile."""

    seat: Seat
    is_grey: bool
    space: int | None
    boxed: bool
    """The food track was full, so the cube went to the box."""


class CoralPlaced(Event, frozen=True, gc=False, tag="coral"):
    """A coral went from the supply to a reef."""

    seat: Seat
    reef: int
    source: EffectSource


class CoralMoved(Event, frozen=True, gc=False, tag="coral-moved"):
    """The supply was empty, and a coral went from one reef to another."""

    seat: Seat
    start: int
    end: int
    source: EffectSource


class NoCoralMoved(Event, frozen=True, gc=False, tag="corals-left"):
    """The supply was empty, and no coral was moved."""

    seat: Seat


class TokenTaken(Event, frozen=True, gc=False, tag="token"):
    """A seat took the first player token with the red die."""

    seat: Seat


class ReefScored(Event, frozen=True, gc=False, tag="reef"):
    """A reef brought points; second place is None where it has no points or no owner."""

    reef: int
    first: Seat
    first_points: int
    second: Seat | None
    second_points: int


class SchoolScored(Event, frozen=True, gc=False, tag="school"):
    """A school of fish brought points (0: none fits)."""

    seat: Seat
    points: int


class TurtleScored(Event, frozen=True, gc=False, tag="turtle-scored"):
    """A turtle brought the points of its space."""

    seat: Seat
    points: int


class CompetitionBegan(Event, frozen=True, gc=False, tag="competition"):
    """The seats that take part, in turn order; a single seat wins without a roll."""

    seats: tuple[Seat, ...]


class CompetitionRolled(Event, frozen=True, gc=False, tag="competed"):
    """A roll of the competition; the position holds its dice."""

    number: int
    """Counted from 1."""


class CompetitionEnded(Event, frozen=True, gc=False, tag="competed-out"):
    """First and second place; None: nobody."""

    first: Seat | None
    second: Seat | None


class TileTaken(Event, frozen=True, gc=False, tag="tile"):
    """A competition tile went to a seat; None: to the box."""

    seat: Seat | None
    tile: TileColour
    points: int


class FinalScored(Event, frozen=True, gc=False, tag="final"):
    """The game ended: points for corals on reefs, the first player token and tiles."""

    seat: Seat
    coral_points: int
    token_points: int
    tile_points: int


class Resigned(Event, frozen=True, gc=False, tag="resigned"):
    """A seat left the game."""

    seat: Seat


class DiceReturned(Event, frozen=True, gc=False, tag="returned"):
    """Dice went back to the board: white and yellow after the scoring, or all of a seat that resigned."""

    colours: tuple[Colour, ...]
    """A colour for each die."""


AnyEvent: TypeAlias = (
    RoundBegan | DiceRolled | CardsRevealed | DisplayCleared | Reshuffled | DieTaken | CardActivated
    | CardKept | CardUsed | PickLost | PointsGained | FishCaught | TurtleMoved | CubeTaken | CoralPlaced
    | CoralMoved | NoCoralMoved | TokenTaken | ReefScored | SchoolScored | TurtleScored | CompetitionBegan
    | CompetitionRolled | CompetitionEnded | TileTaken | FinalScored | Resigned | DiceReturned
)  # fmt: skip
