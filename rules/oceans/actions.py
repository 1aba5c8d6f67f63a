"""What players and chance do in Oceans.

A species is named by its key ("A2").  ``pay``: the zone to which the cost of a Deep card goes.
"""

from typing import Final

import msgspec

from rules.model import Action, Seat
from rules.oceans.cards.decks import FACE_DOWN, Card, sort_cards
from rules.oceans.places import Zone

# Phase 1: cards -------------------------------------------------------------------------------------


class Evolve(Action, frozen=True, gc=False, tag="evolve"):
    """Put a trait on a species."""

    card: Card
    species: str
    pay: Zone | None = None


class Create(Action, frozen=True, gc=False, tag="create"):
    """Start a species with this trait; ``place``: how many species of its owner stand to its left."""

    card: Card
    place: int
    pay: Zone | None = None


class Migrate(Action, frozen=True, gc=False, tag="migrate"):
    """Discard a card to move population between zones: its number, or all that the source has if less."""

    card: Card
    source: Zone
    target: Zone


class DiscardForNothing(Action, frozen=True, gc=False, tag="cast"):
    """Discard a card with no effect: every zone is empty, so nothing can migrate."""

    card: Card


class RemoveTrait(Action, frozen=True, gc=False, tag="drop"):
    """Remove a trait from a species of the player."""

    species: str
    card: Card


class Mutate(Action, frozen=True, gc=False, tag="mutate"):
    """Rapid Mutation: exchange a Deep trait of the species with the top of a Gene Pool pile (1 or 2)."""

    species: str
    card: Card
    pile: int


class SetOverflowZone(Action, frozen=True, gc=False, tag="overflow"):
    """Standing answer: where the overflow of the player's species goes on other players' turns."""

    zone: Zone


class SetAgingOnOtherTurns(Action, frozen=True, gc=False, tag="metabolism"):
    """Standing answer: whether the player's species with Fast Metabolism age on other players' turns."""

    ages: bool


class Done(Action, frozen=True, gc=False, tag="done"):
    """Finish the current step: no more cards, exchanges, swaps or picks."""


# Phase 2: feeding -----------------------------------------------------------------------------------


class Exchange(Action, frozen=True, gc=False, tag="exchange"):
    """Atavism: take a trait back into the hand and put a Surface card in its place."""

    species: str
    card: Card
    replacement: Card


class Swap(Action, frozen=True, gc=False, tag="swap"):
    """Swap a trait of one species with a trait of another one beside it."""

    species: str
    card: Card
    other: str
    other_card: Card


class Forage(Action, frozen=True, gc=False, tag="forage"):
    """Feed from a zone or from a neighbour's board (Zooplankton); ``source``: its ``places.place_code``.

    ``max_count``: the limit of a species that may take less (Colossus); None: it takes all that it can.
    """

    species: str
    source: str = Zone.REEF.value
    max_count: int | None = None


class Attack(Action, frozen=True, gc=False, tag="attack"):
    """Feed on another species.  ``ignoring``: the defensive traits that the attacker chooses to ignore."""

    species: str
    target: str
    ignoring: tuple[Card, ...] | None = None


class EndFeeding(Action, frozen=True, gc=False, tag="skip"):
    """End feeding."""


class Choose(Action, frozen=True, gc=False, tag="choose"):
    """Answer the current question with a species' key, a seat's letter, a zone or a number."""

    option: str


class PlaceOverflow(Action, frozen=True, gc=False, tag="spill"):
    """Move the overflow of an overpopulated species of the player to a zone."""

    zone: Zone


# Phase 4: drawing -----------------------------------------------------------------------------------


class TakeDeep(Action, frozen=True, gc=False, tag="take"):
    """Take the top card of a Gene Pool pile (1 or 2)."""

    pile: int


class LookDeep(Action, frozen=True, gc=False, tag="look"):
    """Look at Deep cards of the deck, three if it has so many, to keep one."""


class Keep(Action, frozen=True, gc=False, tag="keep"):
    """Keep one of the cards looked at; the others go face up on the Gene Pool.

    ``pile_1_card``, ``pile_2_card``: the cards for piles 1 and 2; None: none goes there.
    """

    card: Card
    pile_1_card: Card | None = None
    pile_2_card: Card | None = None

    def seen_by(self, viewer: Seat | None, actor: Seat) -> "Keep":
        """Hide the kept card from everyone but the actor."""
        return self if viewer == actor else Keep(FACE_DOWN, self.pile_1_card, self.pile_2_card)


class Discard(Action, frozen=True, gc=False, tag="discard"):
    """Discard Surface cards before drawing; named in any order, they are in deck order."""

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        """Sort the cards, so that one choice has one form."""
        msgspec.structs.force_setattr(self, "cards", sort_cards(self.cards))


class Draw(Action, frozen=True, gc=False, tag="draw"):
    """Draw Surface cards up to six in hand, which ends the turn."""


# Chance ---------------------------------------------------------------------------------------------


class Deal(Action, frozen=True, gc=False, tag="deal"):
    """Surface cards from the deck to one seat, in deck order."""

    seat: Seat
    cards: tuple[Card, ...]

    def seen_by(self, viewer: Seat | None, actor: Seat) -> "Deal":
        """Return the cards face down for everyone but this seat."""
        return self if viewer == self.seat else Deal(self.seat, (FACE_DOWN,) * len(self.cards))

    def reveals(self, viewer: Seat | None) -> bool:
        """Whether the viewer has this seat."""
        return viewer == self.seat

    @property
    def drawn_for(self) -> Seat:
        """The seat that gets the cards."""
        return self.seat


class LayOut(Action, frozen=True, gc=False, tag="lay-out"):
    """Set-up: Scenario cards, Gene Pool, the first discard, who begins."""

    scenarios: tuple[str, ...]
    gene_pool: tuple[Card, ...]
    discard: Card
    first_player: Seat


class Reshuffle(Action, frozen=True, gc=False, tag="reshuffle"):
    """The discard pile becomes the Surface deck; no card is drawn yet.

    ``cards``: the discard pile in deck order.
    """

    cards: tuple[Card, ...]

    def reveals(self, viewer: Seat | None) -> bool:
        """Return False: everybody knew that the reshuffle comes and which cards the pile holds."""
        return False


class ShowDeep(Action, frozen=True, gc=False, tag="show"):
    """Deep cards from the deck for one seat to look at, in deck order."""

    seat: Seat
    cards: tuple[Card, ...]

    def seen_by(self, viewer: Seat | None, actor: Seat) -> "ShowDeep":
        """Return the cards face down for everyone but this seat."""
        return self if viewer == self.seat else ShowDeep(self.seat, (FACE_DOWN,) * len(self.cards))

    def reveals(self, viewer: Seat | None) -> bool:
        """Whether the viewer has this seat."""
        return viewer == self.seat

    @property
    def drawn_for(self) -> Seat:
        """The seat that looks at the cards."""
        return self.seat


class RefillPool(Action, frozen=True, gc=False, tag="refill"):
    """The deck's next card goes face up on an empty Gene Pool pile (1 or 2)."""

    pile: int
    card: Card


class TakeFromScorePile(Action, frozen=True, gc=False, tag="shield"):
    """A score pile gives the amount due, or all it has if that is less."""

    seat: Seat
    count: int

    @property
    def drawn_for(self) -> Seat:
        """The owner of the pile."""
        return self.seat


class Scramble(Action, frozen=True, gc=False, tag="scramble"):
    """Radiation Blast: the removable traits of all rows, row by row, in their new order."""

    cards: tuple[Card, ...]


class RevealScores(Action, frozen=True, gc=False, tag="tally"):
    """The end: all score piles, by seat."""

    score_piles: tuple[int, ...]


PLAYER_ACTION_TYPES: Final = (
    Create,
    Evolve,
    Migrate,
    DiscardForNothing,
    RemoveTrait,
    Mutate,
    Forage,
    Attack,
    EndFeeding,
    Choose,
    PlaceOverflow,
    Exchange,
    Swap,
    TakeDeep,
    LookDeep,
    Keep,
    Discard,
    Draw,
    Done,
    SetOverflowZone,
    SetAgingOnOtherTurns,
)
"""In the order in which commands list them."""
OUTCOME_TYPES: Final = (
    Deal,
    LayOut,
    Reshuffle,
    ShowDeep,
    RefillPool,
    TakeFromScorePile,
    Scramble,
    RevealScores,
)
