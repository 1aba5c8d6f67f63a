"""What a trait is: values, and abilities from a small closed vocabulary that the engine interprets.

A new card is a new row in ``surface`` or ``deep``.  What the vocabulary cannot express is a ``Quirk``, which
the engine looks up where it matters.
"""

import enum
from typing import TypeAlias

import msgspec


class Trigger(enum.Enum):
    """The event that a trait reacts to.  Its subject is the species that acts or is acted upon."""

    FORAGES = "forages"
    ATTACKS = "attacks"
    FEEDS = "feeds"
    """Forages or attacks."""
    ATTACKED = "attacked"
    CREATED = "created"
    DEEP_EVOLVED = "deep-evolved"
    """A Deep trait was put on the subject."""
    MIGRATED_TO_REEF = "migrated-to-reef"
    """Population was migrated to the Reef; no subject."""
    BEFORE_AGING = "before-aging"
    """Before the Aging phase; each species of the active player is a subject."""


class Scope(enum.Enum):
    """Which subjects a trait reacts to, seen from its own species."""

    SELF = "self"
    LEFT = "left"
    NEIGHBOUR = "neighbour"
    ANY = "any"
    NEAREST = "nearest"
    """Any; on each side of the subject only the nearest species with a trait of the same family reacts."""


class Gain(msgspec.Struct, frozen=True):
    """Gain the trait's Gain value after an event.

    ``min_strength``: the least Forage or Attack of the species that feeds; ``min_loss``: the least that the
    attack took from its target; ``must_empty_target``: the attack must have left its target no population.
    """

    trigger: Trigger
    scope: Scope
    min_strength: int = 0
    min_loss: int = 0
    must_empty_target: bool = False


class GainPerFamily(msgspec.Struct, frozen=True):
    """Gain the trait's Gain value once for every trait of ``family`` that gains by the feeding."""

    family: str


class Take(msgspec.Struct, frozen=True):
    """After a feeding, take population from the species that fed; ``min_strength``: as for ``Gain``."""

    trigger: Trigger
    scope: Scope
    amount: int
    min_strength: int = 0


class Sting(msgspec.Struct, frozen=True):
    """After an attack or a leech, the other species that took part loses population to the Reef."""

    amount: int
    stings_attackers: bool = True
    stings_targets: bool = False
    stings_leechers: bool = False


class PreFeedingTargets(enum.Enum):
    """Which species a leech or a drain takes from, before its owner's feeding."""

    LEFT = "left"
    NEIGHBOUR = "neighbour"
    HIGHEST_ATTACK = "highest-attack"
    """The species with the highest Attack."""
    DEEP = "deep"
    """A species with a Deep trait."""
    SCHOOLING = "schooling"
    """A species with a trait of the family Schooling."""
    LEECHING = "leeching"
    """A species with a leeching trait."""


class Leech(msgspec.Struct, frozen=True):
    """Before its owner's feeding: leech from one species; of several the owner picks one."""

    amount: int
    targets: PreFeedingTargets


class Drain(msgspec.Struct, frozen=True):
    """Before its owner's feeding: every matching species loses population to this species or to the Reef."""

    amount: int
    targets: PreFeedingTargets
    to_reef: bool = False


class ImmunityCondition(enum.Enum):
    """When a species cannot be attacked; the threshold is ``Immunity.threshold``."""

    ALWAYS = "always"
    LARGE_POPULATION = "large-population"
    """It holds as much population as the threshold, or more."""
    REEF_NOT_EMPTY = "reef-not-empty"
    """The Reef holds any population."""
    WEAK_ATTACKER = "weak-attacker"
    """The attacker's Attack is below the threshold."""
    STRONG_ATTACKER = "strong-attacker"
    """The attacker's Attack is the threshold or more."""
    BELOW_FORAGE = "below-forage"
    """The attacker's Attack is below this species' Forage."""
    NO_SPEED = "no-speed"
    """The attacker has no Speed."""


class Immunity(msgspec.Struct, frozen=True):
    """Cannot be attacked while the condition holds."""

    condition: ImmunityCondition
    threshold: int = 0


class DefencePart(enum.Enum):
    """What an attacker ignores of a target's defences."""

    IMMUNITY = "immunity"
    """Every immunity."""
    DEEP_IMMUNITY = "deep-immunity"
    """Immunity that comes from Deep traits."""
    FAMILIES = "families"
    """Every defensive trait of the families named."""
    VALUES = "values"
    """All Defence values."""
    ALL = "all"
    """All defensive traits."""
    ONE_TRAIT = "one-trait"
    """One defensive trait that the attacker chooses."""


class TargetKind(enum.Enum):
    """For which targets an ``IgnoredDefence`` counts."""

    ANY = "any"
    WEAKER = "weaker"
    """Targets with less Attack than the attacker."""
    LEECHING = "leeching"
    HAS_DEEP = "has-deep"
    LACKS_DEEP = "lacks-deep"
    STRONG = "strong"
    """Targets with Forage or Attack of 5 or more."""


class IgnoredDefence(msgspec.Struct, frozen=True):
    """As an attacker: ignore part of the target's defences."""

    part: DefencePart
    targets: TargetKind = TargetKind.ANY
    families: tuple[str, ...] = ()


class ExtraFeedings(msgspec.Struct, frozen=True):
    """How many more times this species may feed: feedings of either kind, forages only, attacks only."""

    feedings: int = 0
    forages: int = 0
    attacks: int = 0


class TraitFlag(enum.Enum):
    """Abilities that need no number.  All but ``NEVER_LEECHED_UNLESS_REEF_EMPTY`` always apply."""

    NEVER_OVERPOPULATES = "never-overpopulates"
    NEVER_LEECHED = "never-leeched"
    NEVER_LEECHED_UNLESS_REEF_EMPTY = "never-leeched-unless-reef-empty"
    """Cannot be leeched while the Reef holds any population."""
    NEVER_EXTINCT = "never-extinct"
    ANY_ZONE = "any-zone"
    """May forage in any Ocean zone."""
    MAY_FORAGE_LESS = "may-forage-less"
    UNLIMITED_SLOTS = "unlimited-slots"
    FREE_DEEP_TRAITS = "free-deep-traits"
    """Further Deep traits put on it cost nothing."""
    SCORES_OVERFLOW = "scores-overflow"
    MAY_AGE_NOTHING = "may-age-nothing"
    NEVER_AGES = "never-ages"
    FIXED = "fixed"
    """Cannot be removed, exchanged or copied."""
    ON_ANY_SPECIES = "on-any-species"
    """May be put on any player's species; never starts one."""
    ON_OPPONENT = "on-opponent"
    """Must be put on an opponent's species; never starts one."""


class Quirk(enum.Enum):
    """What the vocabulary of abilities cannot express; the engine looks each up where it matters."""

    ABYSS_DWELLER = "abyss-dweller"
    BUBBLE_NET = "bubble-net"
    BURROWER = "burrower"
    CAMOUFLAGE = "camouflage"
    CAVITATION_BULLET = "cavitation-bullet"
    COMMUNICATION = "communication"
    COPROPHAGIA = "coprophagia"
    CTHULHU_LEECH = "cthulhu-leech"
    DEEP_DIVER = "deep-diver"
    DEEP_SEA_KRAKEN = "deep-sea-kraken"
    """What it takes by attacks after the first goes to the score pile."""
    ENDURANCE = "endurance"
    FAST_METABOLISM = "fast-metabolism"
    GARGANTUAN = "gargantuan"
    GENE_TRANSFER = "gene-transfer"
    ATAVISM = "atavism"
    GIGANTIC_BRAIN = "gigantic-brain"
    GRAZER = "grazer"
    HYDRA = "hydra"
    IMPOSTOR_CLEANER = "impostor-cleaner"
    """Takes 1 from every cleaner of ``takes_from_family`` that gained."""
    LIVING_ECOSYSTEM = "living-ecosystem"
    MASSIVE_FINS = "massive-fins"
    PACK_HUNTING = "pack-hunting"
    POISONOUS_INKING = "poisonous-inking"
    POISONOUS_SPINES = "poisonous-spines"
    RAPID_MUTATION = "rapid-mutation"
    ROWS_OF_TEETH = "rows-of-teeth"
    SEDENTARY_COLONY = "sedentary-colony"
    SWARMING = "swarming"
    TINY = "tiny"
    VESTIGIAL_LIMB = "vestigial-limb"
    VORACIOUS_FEEDER = "voracious-feeder"
    WARM_BLOODED = "warm-blooded"
    ZOOPLANKTON = "zooplankton"


Ability: TypeAlias = (
    Gain | GainPerFamily | Take | Sting | Leech | Drain | Immunity | IgnoredDefence | ExtraFeedings
)


class Trait(msgspec.Struct, frozen=True):
    """One kind of trait card.

    ``forage`` and ``attack``: the icon's value, None where there is no icon (variable ones: 0, see the
    quirk); ``never_...``: the struck-out icon.
    """

    code: str
    """Two letters (Surface) or three (Deep); a Surface card's code adds its number."""
    printed_name: str
    short_text: str
    """For the card: at most 66 characters, no full stop; empty if its values say everything."""
    full_text: str
    """For the rules: whole sentences."""
    number: int = 0
    """A Deep trait's cost and migrate number; a Surface trait has ten cards with numbers of their own."""
    variant: str = ""
    """What tells a Deep trait apart from another one of the same name."""
    surface_trait: str = ""
    """The Surface trait of which a Deep trait is a stronger kind: "Speed" for "Deep Speed"."""
    forage: int | None = None
    attack: int | None = None
    never_forages: bool = False
    never_attacks: bool = False
    defence: int = 0
    gain: int = 0
    extra_slots: int = 0
    """Extra trait slots."""
    extra_spaces: int = 0
    """Extra spaces on the board."""
    extra_aging: int = 0
    abilities: tuple[Ability, ...] = ()
    flags: tuple[TraitFlag, ...] = ()
    quirks: tuple[Quirk, ...] = ()
    takes_from_family: str = ""
    """The family that ``Quirk.IMPOSTOR_CLEANER`` takes from."""
    is_easy: bool = True
    """Whether it is in the easy Deep deck: it has only values, or one simple trigger."""
    ruling: str = ""
    """Our decision where the published text is silent, doubtful or known from one source only."""

    @property
    def name(self) -> str:
        """The name that no other trait has: "Impostor Cleaner (shark)"."""
        return f"{self.printed_name} ({self.variant})" if self.variant else self.printed_name

    @property
    def is_deep(self) -> bool:
        """Whether it is a Deep trait."""
        return self.number > 0

    @property
    def family(self) -> str:
        """The name that related traits share: both Shark Cleaners are of the family "Shark Cleaner"."""
        return self.surface_trait or self.printed_name
