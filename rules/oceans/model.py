"""The public vocabulary of Oceans: options, species, position, view.

Actions, events and steps have modules of their own.  Only ``OceansView`` holds secrets: those of its viewer.
``rules.oceans.rules`` holds everybody's hands and score piles.
"""

import enum
from typing import Annotated, Final

import msgspec

from rules.model import Options, Seat
from rules.oceans.cards.decks import DEEP_DECK, EASY_DEEP_DECK, SCENARIO_BY_CODE, Card
from rules.oceans.events import AnyEvent
from rules.oceans.places import Zone
from rules.oceans.steps import AnyStep

FULL_HAND_SIZE: Final = 6
MAX_CARDS_LOOKED_AT: Final = 3
"""How many Deep cards a player looks at, to keep one, if the deck has so many (rulebook, Phase 4)."""
RESERVE_POPULATION: Final = 60
WATER_POPULATION: Final = {2: 100, 3: 120, 4: 140, 5: 160, 6: 180}
"""Set out in four equal piles, the Reef and the Ocean zones, by number of players (rulebook, Set-Up 7)."""
TURN_ORDER_BONUS: Final = {
    2: (4, 0),
    3: (6, 4, 0),
    4: (7, 6, 4, 0),
    5: (8, 7, 6, 4, 0),
    6: (9, 8, 7, 6, 4, 0),
}
"""Points at the end, by number of players and in turn order (rulebook, Set-Up 10)."""
QUICK_PILE_POPULATION: Final = {2: 13, 3: 15, 4: 18, 5: 20, 6: 23}
"""Option ``quick``: each of the four piles."""
QUICK_RESERVE_POPULATION: Final = 30
MAX_SCENARIO_EVENTS: Final = 10
"""The limit of Scenario events in one turn.  Without it two cards could empty each other's zones for ever."""


class DeepDeck(enum.Enum):
    """Which Deep cards are shuffled in."""

    ALL = "all"
    EASY = "easy"


class ScenarioSet(enum.Enum):
    """Which Scenario cards are shuffled."""

    RETAIL = "retail"
    PROMO = "promo"
    """The retail cards and the promotional ones."""
    GENTLE = "gentle"
    """Abundance and Fertile, for an easier game."""


class FirstPlayer(enum.Enum):
    """Who begins: a random seat, or the first seat, which is usually the host's."""

    RANDOM = "random"
    HOST = "host"


class OceansOptions(Options, frozen=True, gc=False):
    """The options; the defaults are the rulebook's game."""

    reef: bool = False
    """The Reef Variant: without Deep cards, and with the Scenario cards Abundance and Fertile."""
    deep: DeepDeck = DeepDeck.ALL
    scenarios: ScenarioSet = ScenarioSet.RETAIL
    quick: bool = False
    """About half the population."""
    first_player: FirstPlayer = FirstPlayer.RANDOM
    round_cap: Annotated[int, msgspec.Meta(ge=10, le=200)] = 60
    """The game ends after this many rounds at the latest."""


class Species(msgspec.Struct, frozen=True, gc=False):
    """One species.  ``key``: the owner's letter and a number ("A2"): the next one of 1 to 9 that was free."""

    key: str
    traits: tuple[Card, ...]
    """In the order in which they were played."""
    population: int = 0
    got_trait: bool = False
    """Whether a trait was put on it this turn.  Voracious Feeder itself does not count."""
    may_mutate: bool = False
    """Whether it was attacked with Rapid Mutation on it, so that its owner may exchange a Deep trait."""


class PastFeedings(msgspec.Struct, frozen=True, gc=False):
    """How the active player's species have fed in this feeding phase."""

    feeder: str | None = None
    """The key of the species that the player chose to feed.  Voracious Feeder chooses none."""
    forage_count: int = 0
    """How often ``feeder`` has foraged, Voracious Feeder not counted."""
    attack_count: int = 0
    """How often ``feeder`` has attacked, Voracious Feeder not counted."""
    voracious_feeder_users: tuple[str, ...] = ()
    """The keys of the species that have used Voracious Feeder."""
    barred_feeders: tuple[str, ...] = ()
    """The keys of the species that may not feed again: they fed and then overpopulated.

    Also that of a ``feeder`` that was gone at a Mass Migration: another species may have got it.
    """


class StandingAnswers(msgspec.Struct, frozen=True, gc=False):
    """A seat's answers, given in advance, to questions that come up on other players' turns."""

    overflow_zone: Zone = Zone.REEF
    """Where overflow goes on other players' turns."""
    ages_on_other_turns: bool = False
    """Whether the seat's species with Fast Metabolism age on other players' turns."""


class Position(msgspec.Struct, frozen=True, gc=False):
    """Everything that is public, and the sizes of what is not."""

    options: OceansOptions
    seat_count: int
    to_act: Seat | None
    """The seat to act, CHANCE, or None when the game is over."""
    agenda: tuple[AnyStep, ...]
    """The steps still to run, the next one last; it says who is to act and what is asked."""
    current_player: Seat
    """The active player, in the words of the rulebook: the seat whose turn it is."""
    first_player: Seat | None
    round: int
    """From 1; 0 during set-up."""
    zone_populations: tuple[int, ...]
    """Population in the Reef and Ocean zones 1, 2, 3: in the order of ``Zone``."""
    were_zones_filled_at_check: tuple[bool, ...]
    """Which Ocean zones held population at the last board check."""
    were_zones_emptied: tuple[bool, ...]
    """Which of those that held population have been empty at some moment since."""
    ocean_emptied: bool
    """Whether all three Ocean zones have been empty at one moment since the last board check."""
    scenarios: tuple[str, ...]
    """The codes of the cards below zones 1 and 2; empty before they are laid out."""
    active_scenarios: tuple[str, ...]
    """The codes of the active ongoing Scenario cards.

    A card is active from the board check that finds its zone empty until its zone gets population.
    """
    cambrian_happened: bool
    """Whether the Cambrian Explosion has happened."""
    reserve: int
    """Population set aside; 0 once the end is triggered."""
    end_triggered: bool
    """Whether the end is triggered: the round is finished, then the game is over."""
    population_from_supply: int
    """Population that came from the unlimited supply after the reserve ran out."""
    rows: tuple[tuple[Species, ...], ...]
    """By seat, left to right as its owner faces the water."""
    surface_deck_size: int
    """How many Surface cards are left to draw."""
    deep_deck_size: int
    """How many Deep cards are left in the deck."""
    gene_pool: tuple[tuple[Card, ...], ...]
    """Two face-up piles, tops last."""
    discard_pile: tuple[Card, ...]
    """Surface cards, in deck order: nobody draws from it before it is shuffled."""
    out_of_game: tuple[Card, ...]
    """Deep cards that were removed."""
    surface_hand_sizes: tuple[int, ...]
    """How many Surface cards each seat holds."""
    deep_hand_sizes: tuple[int, ...]
    """How many Deep cards each seat holds: the backs differ."""
    known_cards: tuple[tuple[Card, ...], ...]
    """The cards in hand that everybody has seen, by seat."""
    resigned: tuple[bool, ...]
    standing_answers: tuple[StandingAnswers, ...]
    gave_answers_this_turn: bool
    """Whether the active player has given standing answers this turn."""
    plays_left: int
    """Cards that the active player still has to play."""
    past_feedings: PastFeedings
    chosen_aging_amounts: tuple[tuple[str, int], ...]
    """How much the active player lets certain species age this turn: a species' key and the amount."""
    cthulhu_seat: Seat | None
    """The seat that played Cthulhu Leech."""
    last_species_numbers: tuple[int, ...]
    """The number of each seat's newest species; 0: it has had none."""
    revealed_score_piles: tuple[int, ...] = msgspec.field(name="revealed_scores")
    """The score piles, turned over at the end; empty before."""
    scenario_event_count: int = 0
    """How many Scenario events there have been this turn."""
    trail: tuple[AnyEvent, ...] = ()
    """The public events of the last action, in order."""


class OceansView(msgspec.Struct, frozen=True, gc=False):
    """What one viewer knows: the position, the viewer's hand and score pile, the Deep cards looked at."""

    position: Position
    viewer: Seat | None
    hand: tuple[Card, ...]
    """In deck order: Surface cards first.  Empty for a bystander."""
    score_pile: int | None
    """Population behind the viewer's shield; None for a bystander."""
    looked_at: tuple[Card, ...]
    """The Deep cards of which the viewer is to keep one."""


def all_deep_cards(options: OceansOptions) -> tuple[Card, ...]:
    """Return all Deep cards of a game with these options, in deck order."""
    if options.reef:
        return ()
    return EASY_DEEP_DECK if options.deep is DeepDeck.EASY else DEEP_DECK


def all_scenario_codes(options: OceansOptions) -> tuple[str, ...]:
    """Return the codes of the Scenario cards from which set-up draws two."""
    if options.reef or options.scenarios is ScenarioSet.GENTLE:
        return ("ABU", "FER")
    promo = options.scenarios is ScenarioSet.PROMO
    return tuple(code for code, scenario in SCENARIO_BY_CODE.items() if promo or not scenario.is_promo)
