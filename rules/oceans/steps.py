"""The steps of the agenda, which is a stack.

The engine removes the last step, runs it, and may add others.  A step that needs a player or chance stays
on the agenda until the answer comes.  A species is named by its key ("A2").
"""

import enum
from typing import TypeAlias

import msgspec

from rules.model import Seat
from rules.oceans.cards.decks import Card
from rules.oceans.causes import Cause
from rules.oceans.places import Place, ScorePile, SpeciesBoard, Zone, place_code


class Step(msgspec.Struct, frozen=True, gc=False, tag_field="step"):
    """One entry of the agenda."""


# Steps that wait for chance -------------------------------------------------------------------------


class Dealing(Step, frozen=True, gc=False, tag="dealing"):
    """Set-up: the opening hand of a seat."""

    seat: Seat


class LayingOut(Step, frozen=True, gc=False, tag="laying-out"):
    """Set-up: everything that lies face up."""


class ShowingDeep(Step, frozen=True, gc=False, tag="showing"):
    """Deep cards for the active player to look at."""


class RefillingPool(Step, frozen=True, gc=False, tag="refilling"):
    """An empty Gene Pool pile (1 or 2) gets a card."""

    pile: int


class RefillingHand(Step, frozen=True, gc=False, tag="refilling-hand"):
    """The active player draws Surface cards up to six in hand."""


class TakingFromScorePile(Step, frozen=True, gc=False, tag="taking-from-score-pile"):
    """Because of a card, a score pile gives up to ``max_count`` population to the Reef or to a species."""

    seat: Seat
    max_count: int
    target: Place
    cause: Cause


class Scrambling(Step, frozen=True, gc=False, tag="scrambling"):
    """Radiation Blast: the removable traits of each row are shuffled and dealt back to it."""


class RevealingScores(Step, frozen=True, gc=False, tag="tallying"):
    """The score piles are turned over."""


# Steps that wait for the active player ---------------------------------------------------------------


class Playing(Step, frozen=True, gc=False, tag="playing"):
    """Phase 1: cards to play (``Position.plays_left``), traits to remove."""


class Feeding(Step, frozen=True, gc=False, tag="feeding"):
    """Phase 2: forage, attack or stop."""

    may_remove_traits: bool = False
    """Whether traits may still be removed: nothing has happened since the last card."""


class PlacingOverflow(Step, frozen=True, gc=False, tag="spilling"):
    """Into which zone the overflow of the player's species goes."""

    species: str


class Trimming(Step, frozen=True, gc=False, tag="trimming"):
    """Which trait the player removes from a species that has more traits than slots."""

    species: str


class ChoiceKind(enum.Enum):
    """What a ``Choosing`` step is about."""

    LEECH = "leech"
    """Whom to leech."""
    SCORE_PILE = "score-pile"
    """Whose score pile Coprophagia takes from."""
    FEED_REEF = "feed-reef"
    """Living Ecosystem: from which Ocean zone population moves to the Reef."""
    BLEACHING = "bleaching"
    """Coral Bleaching: to which Ocean zone population of the Reef moves."""
    AGE = "age"
    """How much a species ages."""
    SECOND_AGING = "virus"
    """Degenerative Virus: which species ages twice."""
    HYDRA = "hydra"
    """Which species Hydra takes 1 from as well; optional."""


ChoiceOption: TypeAlias = Zone | SpeciesBoard | ScorePile | int
"""What can be picked: a place or an amount."""


def option_code(option: ChoiceOption) -> str:
    """Return the text by which a ``Choose`` names an option."""
    return str(option) if isinstance(option, int) else place_code(option)


class Choosing(Step, frozen=True, gc=False, tag="choosing"):
    """The active player picks one of ``options`` for a species or card."""

    kind: ChoiceKind
    options: tuple[ChoiceOption, ...]
    cause: Cause
    """The trait or Scenario card that asks."""
    species: str = ""
    picked: tuple[str, ...] = ()
    """Hydra: the species picked already."""

    def find_option(self, code: str) -> ChoiceOption:
        """Return the option that a ``Choose`` names.  Raises KeyError if there is none."""
        for option in self.options:
            if option_code(option) == code:
                return option
        raise KeyError(code)


class Exchanging(Step, frozen=True, gc=False, tag="exchanging"):
    """Atavism: up to ``exchanges_left`` exchanges."""

    species: str
    exchanges_left: int


class Swapping(Step, frozen=True, gc=False, tag="swapping"):
    """Which traits two species beside each other swap.

    Gene Transfer: ``species`` has the card, ``other`` is its neighbour, empty until the first swap.
    A Scenario card: both stay empty, and any species of the player may swap.
    """

    swaps_left: int
    species: str = ""
    other: str = ""


class Drawing(Step, frozen=True, gc=False, tag="drawing"):
    """Phase 4: a Deep card (while ``may_take_deep``), discards, then draw."""

    may_take_deep: bool = True


class Keeping(Step, frozen=True, gc=False, tag="keeping"):
    """Which of the ``count`` Deep cards looked at is kept."""

    count: int


# Steps that run at once ------------------------------------------------------------------------------


class BoardCheck(Step, frozen=True, gc=False, tag="board-check"):
    """Slot limits, overpopulation, emptied zones, until nothing changes."""


class Overpopulating(Step, frozen=True, gc=False, tag="overpopulating"):
    """A species loses its overflow, or dies out (Epizootic), without a question to its owner."""

    species: str


class Outbreak(Step, frozen=True, gc=False, tag="outbreak"):
    """Contagious Outbreak: the neighbours of these species lose population."""

    species_keys: tuple[str, ...] = msgspec.field(name="species")


class FiringScenario(Step, frozen=True, gc=False, tag="firing"):
    """A Scenario event happens."""

    scenario: str


class TriggeringEnd(Step, frozen=True, gc=False, tag="triggering-end"):
    """The Ocean was empty: the reserve comes in, after the Scenario events of this board check."""


class BeginningFeeding(Step, frozen=True, gc=False, tag="begin-feeding"):
    """Phase 2 begins: what comes before feeding is put on the agenda."""


class PreFeedingTrait(Step, frozen=True, gc=False, tag="run-pre-feeding-trait"):
    """The next leech or other effect before the active player's feeding."""

    acted_cards: tuple[Card, ...] = ()
    """The traits that have acted in this phase."""


class Reacting(Step, frozen=True, gc=False, tag="reacting"):
    """All reactions to a forage (``target`` empty) or an attack.

    ``strength``: the feeder's Forage or Attack; ``loss``: how much the target lost; ``target_emptied``:
    whether that was all of its population; ``ignored_traits``: the target's traits that do not sting, since
    they are ignored.
    """

    feeder: str
    strength: int
    target: str = ""
    loss: int = 0
    target_emptied: bool = False
    ignored_traits: tuple[Card, ...] = ()


class AfterMigration(Step, frozen=True, gc=False, tag="after-migration"):
    """What a migration sets off (Zooplankton, Detritus).  ``to_reef``: population came into the Reef."""

    to_reef: bool


class BeginningAging(Step, frozen=True, gc=False, tag="begin-aging"):
    """Phase 2 is over: gains before phase 3."""


class AskingBeforeAging(Step, frozen=True, gc=False, tag="ask-before-aging"):
    """The questions before species age."""


class Aging(Step, frozen=True, gc=False, tag="aging"):
    """Species age into their owners' score piles, or die out."""

    key_aging_twice: str = ""
    """The key of a species that ages twice; empty for none."""


class AfterAging(Step, frozen=True, gc=False, tag="after-aging"):
    """Scenario cards that follow the Aging phase."""


class EndingTurn(Step, frozen=True, gc=False, tag="end-turn"):
    """The next seat's turn, or the end."""


AnyStep: TypeAlias = (
    Dealing | LayingOut | ShowingDeep | RefillingPool | RefillingHand | TakingFromScorePile | Scrambling
    | RevealingScores | Playing | Feeding | PlacingOverflow | Trimming | Choosing | Exchanging
    | Swapping | Drawing | Keeping | BoardCheck | Overpopulating | Outbreak | FiringScenario
    | TriggeringEnd | BeginningFeeding | PreFeedingTrait | Reacting | AfterMigration | BeginningAging
    | AskingBeforeAging | Aging | AfterAging | EndingTurn
)  # fmt: skip

CHANCE_STEP_TYPES = (
    Dealing,
    LayingOut,
    ShowingDeep,
    RefillingPool,
    RefillingHand,
    TakingFromScorePile,
    Scrambling,
    RevealingScores,
)
"""The steps that wait for chance."""
SEAT_STEP_TYPES = (
    Playing,
    Feeding,
    PlacingOverflow,
    Trimming,
    Choosing,
    Exchanging,
    Swapping,
    Drawing,
    Keeping,
)
"""The steps that wait for the active player."""
