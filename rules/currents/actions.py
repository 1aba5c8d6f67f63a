"""What players and chance do in Currents."""

from itertools import permutations

from rules.currents.components import FACE_DOWN, Axis, Card, Rotation
from rules.model import Action, Seat

# Players --------------------------------------------------------------------------------------------


class ChooseAxis(Action, frozen=True, gc=False, tag="axis"):
    """Two players: the first player names their goal edges."""

    axis: Axis


class PlaceAce(Action, frozen=True, gc=False, tag="ace"):
    """Set-up: lay an ace on an empty compass place."""

    ace: Card
    place: str


class PlayCompass(Action, frozen=True, gc=False, tag="compass"):
    """Lay a card on a compass place; ``then``: the follow-up on the same place (option ``combo``)."""

    card: Card
    place: str
    then: Card | None = None


class PlayCurrent(Action, frozen=True, gc=False, tag="current"):
    """Lay a card on a current slot; ``then``: the follow-up on the same slot (option ``combo``)."""

    card: Card
    slot: str
    then: Card | None = None


class CallJack(Action, frozen=True, gc=False, tag="jack"):
    """Play a Jack: discard the card that lies on one compass place."""

    card: Card
    place: str


class CallQueen(Action, frozen=True, gc=False, tag="queen"):
    """Play a Queen: swap what lies on two current slots."""

    card: Card
    slot: str
    other: str

    def spellings(self) -> tuple[Action, ...]:
        """Return this swap with either slot first."""
        return self, CallQueen(self.card, self.other, self.slot)


class CallKing(Action, frozen=True, gc=False, tag="king"):
    """Play a King: turn the whole compass by one place."""

    card: Card
    rotation: Rotation


class CallJoker(Action, frozen=True, gc=False, tag="joker"):
    """Play a joker: shuffle the compass, the currents or both (options ``jokers``, ``wild_jokers``)."""

    card: Card


class DiscardCard(Action, frozen=True, gc=False, tag="discard"):
    """Discard a card; only while no compass place is empty."""

    card: Card


class Defend(Action, frozen=True, gc=False, tag="defend"):
    """Goaltending: give up exactly as many matching cards as the pawn would overshoot."""

    cards: tuple[Card, ...]

    def spellings(self) -> tuple[Action, ...]:
        """Return this action with its cards in every order."""
        return tuple(Defend(cards) for cards in permutations(self.cards))


class Concede(Action, frozen=True, gc=False, tag="concede"):
    """Goaltending: let the pawn pass."""


# What chance does -----------------------------------------------------------------------------------


class Deal(Action, frozen=True, gc=False, tag="deal"):
    """Cards from the draw pile to one seat, in deck order."""

    seat: Seat
    cards: tuple[Card, ...]

    def seen_by(self, viewer: Seat | None, actor: Seat) -> "Deal":
        """Return the deal with its cards face down for everyone but the seat that gets them."""
        return self if viewer == self.seat else Deal(self.seat, (FACE_DOWN,) * len(self.cards))

    def reveals(self, viewer: Seat | None) -> bool:
        """Whether the viewer gets the cards."""
        return viewer == self.seat

    @property
    def drawn_for(self) -> Seat:
        """The seat that gets the cards."""
        return self.seat


class DrawFirstPlayer(Action, frozen=True, gc=False, tag="begin"):
    """The first player, drawn by lot."""

    seat: Seat


class Reshuffle(Action, frozen=True, gc=False, tag="reshuffle"):
    """The discard pile becomes the draw pile.

    ``cards`` stand in deck order: the draw pile has no order of its own, so no random number is drawn.
    """

    cards: tuple[Card, ...]

    def reveals(self, viewer: Seat | None) -> bool:
        """Return False: everybody knew the cards, and when they would be reshuffled."""
        return False


class JokerShuffle(Action, frozen=True, gc=False, tag="shuffle"):
    """The cards after a joker's shuffle: of the whole compass and of all current slots."""

    compass: tuple[Card | None, ...]
    currents: tuple[Card | None, ...]
