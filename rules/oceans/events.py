"""The public events of Oceans.  Narration and pictures read them from the trail of a position.

A species is named by its key ("A2"), a Scenario card by its code.
"""

from typing import TypeAlias

import msgspec

from rules.model import Event, Seat
from rules.oceans.cards.decks import Card
from rules.oceans.causes import Cause
from rules.oceans.places import Place


class Dealt(Event, frozen=True, gc=False, tag="dealt"):
    """A seat drew ``count`` Surface cards."""

    seat: Seat
    count: int


class LaidOut(Event, frozen=True, gc=False, tag="laid-out"):
    """The face-up cards were laid out; the Reef and zone 1 each gave ``count`` population to zone 3."""

    scenarios: tuple[str, ...]
    gene_pool: tuple[Card, ...]
    discard: Card
    count: int
    first_player: Seat


class Reshuffled(Event, frozen=True, gc=False, tag="reshuffled"):
    """``count`` cards went from the discard pile to the Surface deck."""

    count: int


class TurnBegan(Event, frozen=True, gc=False, tag="turn"):
    """A seat's turn begins."""

    seat: Seat
    round: int


class Created(Event, frozen=True, gc=False, tag="created"):
    """A species was started with this trait."""

    species: str
    card: Card


class Evolved(Event, frozen=True, gc=False, tag="evolved"):
    """A trait was put on a species."""

    species: str
    card: Card


class Discarded(Event, frozen=True, gc=False, tag="discarded"):
    """A card was discarded for a migration or for nothing, or cards before drawing."""

    seat: Seat
    cards: tuple[Card, ...]


class TraitRemoved(Event, frozen=True, gc=False, tag="removed"):
    """A trait left its species: by choice, beyond the slot limit, or because of its own text."""

    species: str
    card: Card


class TraitsSwapped(Event, frozen=True, gc=False, tag="swapped"):
    """Two species swapped these traits."""

    species: str
    card: Card
    other: str
    other_card: Card


class TraitExchanged(Event, frozen=True, gc=False, tag="exchanged"):
    """A trait went back to its owner's hand (``pile`` 0) or to a Gene Pool pile; another took its place."""

    species: str
    card: Card
    replacement: Card
    pile: int = 0


class PopulationMoved(Event, frozen=True, gc=False, tag="moved"):
    """Population moved from one place to another."""

    source: Place
    target: Place
    count: int
    cause: Cause


class Foraged(Event, frozen=True, gc=False, tag="foraged"):
    """A species foraged: a ``PopulationMoved`` from ``source`` follows."""

    species: str
    source: Place
    count: int


class Attacked(Event, frozen=True, gc=False, tag="attacked"):
    """A species attacked and took ``count``.

    A ``PopulationMoved`` follows, or ``Extinct`` if the target held none.
    """

    species: str
    target: str
    count: int


class FeedingSkipped(Event, frozen=True, gc=False, tag="feeding-skipped"):
    """No species of the active player could feed, so the feeding phase was skipped."""

    seat: Seat


class Overpopulated(Event, frozen=True, gc=False, tag="overpopulated"):
    """A species overpopulated: its last space was filled."""

    species: str


class Extinct(Event, frozen=True, gc=False, tag="extinct"):
    """A species died out; its traits left the table."""

    species: str
    traits: tuple[Card, ...]
    aging_due: int = 0
    """How much it had to age; 0: it died out of something else."""
    place: int = 0
    """How many species of its owner stood to its left."""


class CambrianExploded(Event, frozen=True, gc=False, tag="cambrian-exploded"):
    """The Cambrian Explosion happened."""


class ScenarioActivated(Event, frozen=True, gc=False, tag="scenario-activated"):
    """An ongoing Scenario card became active."""

    scenario: str


class ScenarioDeactivated(Event, frozen=True, gc=False, tag="scenario-deactivated"):
    """An ongoing Scenario card is no longer active: its zone got population."""

    scenario: str


class ScenarioFired(Event, frozen=True, gc=False, tag="scenario-fired"):
    """A Scenario event happened."""

    scenario: str


class EndTriggered(Event, frozen=True, gc=False, tag="end-triggered"):
    """The Ocean was empty: the reserve came in, and this round is the last one."""


class SpeciesHandedOver(Event, frozen=True, gc=False, tag="passed"):
    """A species went to another seat and has another key now."""

    species: str
    new_key: str


class TraitsScrambled(Event, frozen=True, gc=False, tag="scrambled"):
    """Radiation Blast: every row's traits were dealt back at random."""


class DeepTaken(Event, frozen=True, gc=False, tag="deep-taken"):
    """A seat took the top of a Gene Pool pile; everybody saw which card."""

    seat: Seat
    pile: int
    card: Card


class DeepLookedAt(Event, frozen=True, gc=False, tag="deep-looked-at"):
    """A seat looks at ``count`` cards of the Deep deck."""

    seat: Seat
    count: int


class DeepKept(Event, frozen=True, gc=False, tag="deep-kept"):
    """A seat kept one of the cards looked at; the others went face up on the Gene Pool."""

    seat: Seat
    pile_1_card: Card | None
    pile_2_card: Card | None


class PoolRefilled(Event, frozen=True, gc=False, tag="refilled"):
    """An empty Gene Pool pile got a card from the deck."""

    pile: int
    card: Card


class StandingAnswerGiven(Event, frozen=True, gc=False, tag="standing-answers"):
    """A seat gave a standing answer."""

    seat: Seat


class GameEnded(Event, frozen=True, gc=False, tag="game-ended"):
    """The game is over: all score piles, by seat."""

    score_piles: tuple[int, ...] = msgspec.field(name="scores")


AnyEvent: TypeAlias = (
    Dealt | LaidOut | Reshuffled | TurnBegan | Created | Evolved | Discarded | TraitRemoved
    | TraitsSwapped | TraitExchanged | PopulationMoved | Foraged | Attacked | FeedingSkipped | Overpopulated
    | Extinct | CambrianExploded | ScenarioActivated | ScenarioDeactivated | ScenarioFired | EndTriggered
    | SpeciesHandedOver | TraitsScrambled | DeepTaken | DeepLookedAt | DeepKept | PoolRefilled
    | StandingAnswerGiven | GameEnded
)  # fmt: skip
