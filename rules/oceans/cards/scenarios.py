"""The Scenario cards: the 25 of the retail box, and the promotional ones that a program can referee."""

import enum
from typing import Final

import msgspec


class Effect(enum.Enum):
    """What a Scenario card does while it is active, or when it fires, with ``Scenario.amount``."""

    # blue: numbers for all species
    GAIN_BONUS = "gain-bonus"
    FORAGE_ICON = "forage-icon"
    ATTACK_ICON = "attack-icon"
    DEFENCE_ICON = "defence-icon"
    SPACES = "spaces"
    SLOTS = "slots"
    AGING = "aging"
    ICON_LOSS = "icon-loss"
    """Each Attack and Forage icon on a trait counts less."""
    # blue: at certain moments
    FERTILE = "fertile"
    PROTECTIVE_GROWTH = "protective-growth"
    CONTAGIOUS_OUTBREAK = "contagious-outbreak"
    SECOND_AGING = "second-aging"
    DETRITUS = "detritus"
    EPIZOOTIC = "epizootic"
    LONG_HAUL_MIGRATION = "long-haul-migration"
    NO_OVERPOPULATION = "no-overpopulation"
    SOLAR_RADIATION = "solar-radiation"
    THERMAL_CURRENTS = "thermal-currents"
    AGGRESSIVE_ENVIRONMENT = "aggressive-environment"
    """Species without population may be attacked and then die out."""
    CORAL_BLEACHING = "coral-bleaching"
    ARMS_RACE = "arms-race"
    GENE_SWAP = "gene-swap"
    RIGHT_NEIGHBOUR_AGES = "right-neighbour-ages"
    """The species of the player on the right age as well."""
    SCHADENFREUDE = "schadenfreude"
    SHALLOW_REEF = "shallow-reef"
    ALL_SPECIES_AGE = "all-species-age"
    """Every species in play ages."""
    # purple: what happens once
    ASTEROID_IMPACT = "asteroid-impact"
    FOOD_SURGE = "food-surge"
    PARADIGM_SHIFT = "paradigm-shift"
    POPULATION_EXPLOSION = "population-explosion"
    MASS_MIGRATION = "mass-migration"
    RADIATION_BLAST = "radiation-blast"


_EVENT_EFFECTS = frozenset(
    {
        Effect.ASTEROID_IMPACT,
        Effect.FOOD_SURGE,
        Effect.PARADIGM_SHIFT,
        Effect.POPULATION_EXPLOSION,
        Effect.MASS_MIGRATION,
        Effect.RADIATION_BLAST,
    }
)
"""The effects of purple cards: they happen once each time the card's zone becomes empty."""


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """One Scenario card."""

    code: str
    """Three or four capital letters."""
    printed_name: str
    variant: str = ""
    """What tells it apart from another card of the same name."""
    effect: Effect
    amount: int = 0
    is_promo: bool = False
    teeth: int = 0
    """Shark teeth: how aggressive."""
    complexity: int = 0
    short_text: str
    """For the board: at most 44 characters, no full stop at the end."""
    full_text: str
    """For the rules: whole sentences."""
    ruling: str = ""

    @property
    def name(self) -> str:
        """The name that no other Scenario card has: "Inhospitable Environment (strong)"."""
        return f"{self.printed_name} ({self.variant})" if self.variant else self.printed_name

    @property
    def is_event(self) -> bool:
        """Whether it is a purple card, whose effect happens once each time its zone becomes empty."""
        return self.effect in _EVENT_EFFECTS


SCENARIO_CARDS: Final[tuple[Scenario, ...]] = (
    Scenario(
        code="ABU",
        printed_name="Abundance",
        effect=Effect.GAIN_BONUS,
        amount=1,
        short_text="Every Gain value is 1 higher",
        full_text="The Gain value of every trait that has one is 1 higher.",
    ),
    Scenario(
        code="AST",
        printed_name="Asteroid Impact",
        effect=Effect.ASTEROID_IMPACT,
        amount=3,
        teeth=1,
        complexity=1,
        short_text="Species without a Deep trait lose 3",
        full_text="Each species that has no Deep trait loses 3 to the Reef.",
        ruling="A species that holds less loses what it has and lives on.",
    ),
    Scenario(
        code="REE",
        printed_name="Biodiverse Reef",
        effect=Effect.FORAGE_ICON,
        amount=2,
        short_text="Every species has Forage 2 more",
        full_text="Every species has one more Forage icon, worth 2.",
        ruling="It adds to the Forage of the traits. A species without Forage icons has Forage 2 instead of "
        "the usual 1. A species that never forages still cannot.",
    ),
    Scenario(
        code="OUT",
        printed_name="Contagious Outbreak",
        effect=Effect.CONTAGIOUS_OUTBREAK,
        amount=3,
        teeth=1,
        complexity=1,
        short_text="Overpopulation costs both neighbours 3",
        full_text="When a species overpopulates, each of its neighbours loses 3 to the Reef.",
        ruling="A species that holds less loses what it has and lives on.",
    ),
    Scenario(
        code="PRX",
        printed_name="Contagious Proximity",
        effect=Effect.SPACES,
        amount=-3,
        complexity=1,
        short_text="Species boards hold 3 fewer",
        full_text="Every species board has 3 spaces fewer.",
        ruling="A species overpopulates when the last space left is filled. Overpopulation still leaves 5.",
    ),
    Scenario(
        code="VIR",
        printed_name="Degenerative Virus",
        effect=Effect.SECOND_AGING,
        short_text="One species ages a second time",
        full_text="In the Aging phase, one species ages a second time.",
        ruling="The active player picks one of their own species. It may be one that does not age: then no "
        "species ages twice.",
    ),
    Scenario(
        code="DET",
        printed_name="Detritus",
        effect=Effect.DETRITUS,
        amount=2,
        short_text="A player who migrates pays 2 to the Reef",
        full_text="A player who migrates moves 2 population from their score pile to the Reef afterwards.",
        ruling="A score pile that holds less gives what it has. The migration that empties the zone of this "
        "card costs nothing. Nor does the one that fills it again.",
    ),
    Scenario(
        code="EPI",
        printed_name="Epizootic",
        effect=Effect.EPIZOOTIC,
        complexity=2,
        short_text="Species that overpopulate die out",
        full_text="A species that overpopulates dies out. Its population goes to the Reef.",
        ruling="It does not fall back to 5 first, and nothing is scored.",
    ),
    Scenario(
        code="FER",
        printed_name="Fertile",
        effect=Effect.FERTILE,
        amount=2,
        short_text="New species gain 2",
        full_text="Each new species gains 2.",
        ruling="The gain comes with its first trait.",
    ),
    Scenario(
        code="FOOD",
        printed_name="Food Surge",
        effect=Effect.FOOD_SURGE,
        complexity=2,
        short_text="All species double their population",
        full_text="Every species takes as much population from the Ocean as it holds, so that it doubles.",
        ruling="The lowest-numbered zone that holds any gives first. A species takes no more than fits on "
        "its board. This is no gain. Then overpopulation is checked.",
    ),
    Scenario(
        code="GDI",
        printed_name="Genetic Diversity",
        effect=Effect.SLOTS,
        amount=1,
        short_text="Every species has 1 more trait slot",
        full_text="Every species has 1 more trait slot.",
        ruling="When the card is switched off, owners discard the extra traits at once.",
    ),
    Scenario(
        code="INA",
        printed_name="Inhospitable Environment",
        effect=Effect.AGING,
        amount=1,
        complexity=1,
        short_text="Every species ages 1 more",
        full_text="Every species ages 1 more.",
    ),
    Scenario(
        code="INB",
        printed_name="Inhospitable Environment",
        variant="second",
        effect=Effect.AGING,
        amount=1,
        complexity=1,
        short_text="Every species ages 1 more",
        full_text="Every species ages 1 more.",
        ruling="Two cards of this kind add up.",
    ),
    Scenario(
        code="INC",
        printed_name="Inhospitable Environment",
        variant="strong",
        effect=Effect.AGING,
        amount=2,
        complexity=2,
        short_text="Every species ages 2 more",
        full_text="Every species ages 2 more.",
        ruling="Two cards of this kind add up.",
    ),
    Scenario(
        code="LPR",
        printed_name="Large Predators",
        effect=Effect.ATTACK_ICON,
        amount=2,
        teeth=1,
        short_text="Every species has Attack 2 more",
        full_text="Every species has one more Attack icon, worth 2.",
        ruling="It adds to the Attack of the traits. A species without Attack icons has Attack 2 instead of "
        "the usual 1. A species that never attacks still cannot.",
    ),
    Scenario(
        code="LHM",
        printed_name="Long Haul Migration",
        effect=Effect.LONG_HAUL_MIGRATION,
        short_text="Species may forage in the Ocean too",
        full_text="Every species may forage in any one Ocean zone as well as in the Reef.",
        ruling="One forage takes from one zone only.",
    ),
    Scenario(
        code="PDS",
        printed_name="Paradigm Shift",
        effect=Effect.PARADIGM_SHIFT,
        teeth=1,
        complexity=1,
        short_text="The largest population is lost",
        full_text="The species with the largest population loses all of it to the Reef.",
        ruling="If several are tied, all of them lose everything. They do not die out.",
    ),
    Scenario(
        code="IMM",
        printed_name="Pathogenic Immunity",
        effect=Effect.NO_OVERPOPULATION,
        short_text="Nobody overpopulates",
        full_text="No species overpopulates.",
        ruling="The last space can be filled and stays full.",
    ),
    Scenario(
        code="EXP",
        printed_name="Population Explosion",
        effect=Effect.POPULATION_EXPLOSION,
        short_text="Every Gain value is gained once",
        full_text="Each species gains the Gain value of each of its traits once.",
        ruling="If the Ocean runs short, the gains go clockwise from the active player.",
    ),
    Scenario(
        code="PRO",
        printed_name="Prosperity",
        effect=Effect.SPACES,
        amount=9,
        short_text="Species boards hold 9 more",
        full_text="Every species board has 9 more spaces.",
        ruling="A species overpopulates when its last space is filled. Overpopulation still leaves 5.",
    ),
    Scenario(
        code="GRO",
        printed_name="Protective Growth",
        effect=Effect.PROTECTIVE_GROWTH,
        amount=2,
        short_text="A new defensive trait brings a gain of 2",
        full_text="A species that gets a defensive trait gains 2.",
        ruling="A defensive trait is one with a Defence value or one that limits who may attack its species.",
    ),
    Scenario(
        code="SHE",
        printed_name="Protective Shells",
        effect=Effect.DEFENCE_ICON,
        amount=2,
        short_text="Every species has Defence 2 more",
        full_text="Every species has 2 more Defence.",
    ),
    Scenario(
        code="SGP",
        printed_name="Shallow Gene Pool",
        effect=Effect.SLOTS,
        amount=-1,
        complexity=1,
        short_text="Every species has 1 trait slot fewer",
        full_text="Every species has 1 trait slot fewer.",
        ruling="Owners discard the extra traits at once.",
    ),
    Scenario(
        code="SOL",
        printed_name="Solar Radiation",
        effect=Effect.SOLAR_RADIATION,
        amount=1,
        complexity=2,
        short_text="After Aging, species without Deep lose 1",
        full_text="After each Aging phase, species without a Deep trait lose 1 to the Reef.",
        ruling="Only the active player's species lose. One that holds nothing loses nothing and lives on.",
    ),
    Scenario(
        code="THE",
        printed_name="Thermal Currents",
        effect=Effect.THERMAL_CURRENTS,
        complexity=1,
        short_text="Deep cards may come from the Gene Pool",
        full_text="On their turn, players may evolve with a Deep card from the top of a Gene Pool pile.",
        ruling="It counts as a card played and its cost is paid. It is allowed before the Cambrian "
        "Explosion too.",
    ),
    Scenario(
        code="AGG",
        printed_name="Aggressive Environment",
        effect=Effect.AGGRESSIVE_ENVIRONMENT,
        is_promo=True,
        teeth=3,
        short_text="Species with 0 can be attacked and die out",
        full_text="Even a species with 0 population can be attacked. It dies out before anything reacts to "
        "the attack.",
        ruling="Defence saves nothing then. Whatever else forbids the attack still forbids it.",
    ),
    Scenario(
        code="CBL",
        printed_name="Coral Bleaching",
        effect=Effect.CORAL_BLEACHING,
        amount=2,
        is_promo=True,
        short_text="After Aging, 2 go from Reef to Ocean",
        full_text="After their Aging phase, the active player moves 2 population from the Reef to any Ocean "
        "zone.",
        ruling="If the Reef holds less, all of it moves.",
    ),
    Scenario(
        code="EAR",
        printed_name="Evolutionary Arms Race",
        effect=Effect.ARMS_RACE,
        is_promo=True,
        short_text="No species attacks a stronger one",
        full_text="A species cannot attack one whose Attack or Forage is higher than its own Attack.",
        ruling="This is no immunity of the other species, so traits that ignore immunity do not help.",
    ),
    Scenario(
        code="HGT",
        printed_name="Horizontal Gene Transfer",
        effect=Effect.GENE_SWAP,
        is_promo=True,
        teeth=2,
        complexity=2,
        short_text="Before feeding, neighbours may swap a trait",
        full_text="Before their feeding, a player may swap a trait of one of their species with a trait of a "
        "species beside it.",
    ),
    Scenario(
        code="HOC",
        printed_name="Hostile Conditions",
        effect=Effect.RIGHT_NEIGHBOUR_AGES,
        is_promo=True,
        teeth=2,
        complexity=2,
        short_text="The player on the right ages as well",
        full_text="In each Aging phase, the species of the player on the active player's right age as well.",
    ),
    Scenario(
        code="HOE",
        printed_name="Hostile Environment",
        effect=Effect.AGING,
        amount=3,
        is_promo=True,
        complexity=4,
        short_text="Every species ages 3 more",
        full_text="Every species ages 3 more.",
    ),
    Scenario(
        code="MMI",
        printed_name="Mass Migration",
        effect=Effect.MASS_MIGRATION,
        is_promo=True,
        teeth=1,
        short_text="Left-most species pass to the left",
        full_text="Each player hands their left-most species to the player on the left.",
        ruling="There it becomes the right-most species.",
    ),
    Scenario(
        code="RBL",
        printed_name="Radiation Blast",
        effect=Effect.RADIATION_BLAST,
        is_promo=True,
        short_text="All traits are shuffled and dealt back",
        full_text="Each player shuffles the traits of all their species and deals them back to those "
        "species.",
        ruling="Traits that cannot be removed stay where they are. Traits that are dealt back are not new, "
        "so nothing gains by them.",
    ),
    Scenario(
        code="SCF",
        printed_name="Schadenfreude",
        effect=Effect.SCHADENFREUDE,
        amount=1,
        is_promo=True,
        complexity=1,
        short_text="Others gain 1 when a species dies out",
        full_text="When a species dies out, the species of all other players gain 1 each.",
    ),
    Scenario(
        code="SHR",
        printed_name="Shallow Reef",
        effect=Effect.SHALLOW_REEF,
        amount=2,
        is_promo=True,
        short_text="Foragers lose 2 to the Reef",
        full_text="After each forage, the species that foraged loses 2 to the Reef.",
    ),
    Scenario(
        code="SNO",
        printed_name="Snowball Earth",
        effect=Effect.ICON_LOSS,
        amount=1,
        is_promo=True,
        complexity=1,
        short_text="Forage and Attack icons count 1 less",
        full_text="Each Attack icon and each Forage icon on a trait counts 1 less.",
        ruling="An icon never counts less than 0. What forbids foraging or attacking stays.",
    ),
    Scenario(
        code="UHE",
        printed_name="Uber Hostile Environment",
        effect=Effect.ALL_SPECIES_AGE,
        is_promo=True,
        teeth=3,
        complexity=3,
        short_text="All species in play age on every turn",
        full_text="In each Aging phase, all species in play age, not only the active player's.",
    ),
)
"""The retail cards in alphabetical order, then the promotional cards in alphabetical order."""
