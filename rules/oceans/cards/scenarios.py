"""The Scenario cards: 25 of the retail box, then the promotional ones that a bot can referee."""

import enum
from typing import Final

import msgspec


class Effect(enum.Enum):
    """What a Scenario card does while it is active, or when it fires.  ``amount`` is the number in it."""

    # blue: numbers for all species
    GAIN_BONUS = "gain-bonus"
    FORAGE_ICON = "forage-icon"
    ATTACK_ICON = "attack-icon"
    DEFENCE_ICON = "defence-icon"
    SPACES = "spaces"
    SLOTS = "slots"
    AGING = "aging"
    ICON_LOSS = "icon-loss"
    """Each Attack and Forage icon on traits counts less."""
    # blue: at certain moments
    FERTILE = "fertile"
    PROTECTIVE_GROWTH = "protective-growth"
    OUTBREAK = "outbreak"
    SECOND_AGING = "second-aging"
    DETRITUS = "detritus"
    EPIZOOTIC = "epizootic"
    LONG_HAUL = "long-haul"
    NO_OVERPOPULATION = "no-overpopulation"
    RADIATION = "radiation"
    THERMAL = "thermal"
    PREDATION = "predation"
    """Species with nothing may be attacked and die out."""
    BLEACHING = "bleaching"
    ARMS_RACE = "arms-race"
    GENE_SWAP = "gene-swap"
    RIGHT_NEIGHBOUR_AGES = "right-neighbour-ages"
    """Aging hits the player on the right as well."""
    SCHADENFREUDE = "schadenfreude"
    SHALLOW_REEF = "shallow-reef"
    ALL_SPECIES_AGE = "all-species-age"
    """Every species in play ages."""
    # purple: what happens once
    IMPACT = "impact"
    SURGE = "surge"
    SHIFT = "shift"
    EXPLOSION = "explosion"
    MASS_MIGRATION = "mass-migration"
    BLAST = "blast"


EVENT_EFFECTS = frozenset(
    {Effect.IMPACT, Effect.SURGE, Effect.SHIFT, Effect.EXPLOSION, Effect.MASS_MIGRATION, Effect.BLAST}
)
"""The effects of purple cards: once each time their zone becomes empty."""


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """One Scenario card."""

    code: str
    """Three or four capital letters."""
    name: str
    effect: Effect
    amount: int = 0
    promo: bool = False
    teeth: int = 0
    """Shark teeth: how aggressive."""
    complexity: int = 0
    line: str
    """For the board: at most 44 characters, no full stop at the end."""
    text: str
    """For the rules: whole sentences."""
    ruling: str = ""

    @property
    def is_event(self) -> bool:
        """Whether it is a purple card."""
        return self.effect in EVENT_EFFECTS


SCENARIO_CARDS: Final[tuple[Scenario, ...]] = (
    Scenario(
        code="ABU",
        name="Abundance",
        effect=Effect.GAIN_BONUS,
        amount=1,
        line="Every Gain value is 1 higher",
        text="The Gain value of every trait that has one is 1 higher.",
    ),
    Scenario(
        code="AST",
        name="Asteroid Impact",
        effect=Effect.IMPACT,
        amount=3,
        teeth=1,
        complexity=1,
        line="Species without a Deep trait lose 3",
        text="Each species that has no Deep trait loses 3 to the Reef.",
        ruling="A species that holds less loses what it has and lives on.",
    ),
    Scenario(
        code="REE",
        name="Biodiverse Reef",
        effect=Effect.FORAGE_ICON,
        amount=2,
        line="Every species has Forage 2 more",
        text="Every species has one more Forage icon, worth 2.",
        ruling="It adds to the Forage of the traits. Without any it takes the place of the usual 1, and a "
        "species that never forages still does not.",
    ),
    Scenario(
        code="OUT",
        name="Contagious Outbreak",
        effect=Effect.OUTBREAK,
        amount=3,
        teeth=1,
        complexity=1,
        line="Overpopulation costs both neighbours 3",
        text="When a species overpopulates, each of its neighbours loses 3 to the Reef.",
        ruling="A species that holds less loses what it has and lives on.",
    ),
    Scenario(
        code="PRX",
        name="Contagious Proximity",
        effect=Effect.SPACES,
        amount=-3,
        complexity=1,
        line="Species boards hold 3 fewer",
        text="Every species board has 3 spaces fewer.",
        ruling="The last space left is the one that overpopulates. Overpopulation still leaves 5.",
    ),
    Scenario(
        code="VIR",
        name="Degenerative Virus",
        effect=Effect.SECOND_AGING,
        line="One species ages a second time",
        text="In the Aging phase one species ages a second time.",
        ruling="The active player picks one of their own species.",
    ),
    Scenario(
        code="DET",
        name="Detritus",
        effect=Effect.DETRITUS,
        amount=2,
        line="Who migrates pays 2 to the Reef",
        text="After each migration 2 population go from a score pile to the Reef.",
        ruling="The player who migrated pays, as far as able. The migration that empties the zone of this "
        "card costs nothing. Nor does the one that fills it again.",
    ),
    Scenario(
        code="EPI",
        name="Epizootic",
        effect=Effect.EPIZOOTIC,
        complexity=2,
        line="Species that overpopulate die out",
        text="A species that overpopulates dies out. Its population goes to the Reef.",
        ruling="This takes the place of falling back to 5. Nothing is scored.",
    ),
    Scenario(
        code="FER",
        name="Fertile",
        effect=Effect.FERTILE,
        amount=2,
        line="New species gain 2",
        text="Each new species gains 2.",
        ruling="The gain comes with its first trait.",
    ),
    Scenario(
        code="FOOD",
        name="Food Surge",
        effect=Effect.SURGE,
        complexity=2,
        line="All species double their population",
        text="Every species takes as much population from the Ocean as it holds, so that it doubles.",
        ruling="The lowest-numbered zone that holds any gives first. A species takes no more than fits on "
        "its board. Then overpopulation is checked.",
    ),
    Scenario(
        code="GDI",
        name="Genetic Diversity",
        effect=Effect.SLOTS,
        amount=1,
        line="Every species has 1 more trait slot",
        text="Every species has 1 more trait slot.",
        ruling="When the card is switched off, owners discard the traits that are too many at once.",
    ),
    Scenario(
        code="INA",
        name="Inhospitable Environment",
        effect=Effect.AGING,
        amount=1,
        complexity=1,
        line="Every species ages 1 more",
        text="Every species ages 1 more.",
    ),
    Scenario(
        code="INB",
        name="Inhospitable Environment (second)",
        effect=Effect.AGING,
        amount=1,
        complexity=1,
        line="Every species ages 1 more",
        text="Every species ages 1 more.",
        ruling="Two cards of this kind add up.",
    ),
    Scenario(
        code="INC",
        name="Inhospitable Environment (strong)",
        effect=Effect.AGING,
        amount=2,
        complexity=2,
        line="Every species ages 2 more",
        text="Every species ages 2 more.",
        ruling="Two cards of this kind add up.",
    ),
    Scenario(
        code="LPR",
        name="Large Predators",
        effect=Effect.ATTACK_ICON,
        amount=2,
        teeth=1,
        line="Every species has Attack 2 more",
        text="Every species has one more Attack icon, worth 2.",
        ruling="It adds to the Attack of the traits. Without any it takes the place of the usual 1, and a "
        "species that never attacks still does not.",
    ),
    Scenario(
        code="LHM",
        name="Long Haul Migration",
        effect=Effect.LONG_HAUL,
        line="Species may forage in the Ocean too",
        text="Every species may forage in any one Ocean zone as well as in the Reef.",
        ruling="One forage takes from one zone only.",
    ),
    Scenario(
        code="PDS",
        name="Paradigm Shift",
        effect=Effect.SHIFT,
        teeth=1,
        complexity=1,
        line="The largest population is lost",
        text="The species with the largest population loses all of it to the Reef.",
        ruling="If several are tied, all of them lose everything. They do not die out.",
    ),
    Scenario(
        code="IMM",
        name="Pathogenic Immunity",
        effect=Effect.NO_OVERPOPULATION,
        line="Nobody overpopulates",
        text="No species overpopulates.",
        ruling="The last space can be filled and stays full.",
    ),
    Scenario(
        code="EXP",
        name="Population Explosion",
        effect=Effect.EXPLOSION,
        line="Every Gain value is gained once",
        text="Each trait that has a Gain value gains that much, once.",
        ruling="If the water runs short, the gains go clockwise from the active player.",
    ),
    Scenario(
        code="PRO",
        name="Prosperity",
        effect=Effect.SPACES,
        amount=9,
        line="Species boards hold 9 more",
        text="Every species board has 9 more spaces.",
        ruling="The last space is the one that overpopulates. Overpopulation still leaves 5.",
    ),
    Scenario(
        code="GRO",
        name="Protective Growth",
        effect=Effect.PROTECTIVE_GROWTH,
        amount=2,
        line="A new defensive trait brings a gain of 2",
        text="A species that gets a defensive trait gains 2.",
        ruling="A defensive trait is one with a Defence value or one that limits who may attack its species.",
    ),
    Scenario(
        code="SHE",
        name="Protective Shells",
        effect=Effect.DEFENCE_ICON,
        amount=2,
        line="Every species has Defence 2 more",
        text="Every species has 2 more Defence.",
    ),
    Scenario(
        code="SGP",
        name="Shallow Gene Pool",
        effect=Effect.SLOTS,
        amount=-1,
        complexity=1,
        line="Every species has 1 trait slot fewer",
        text="Every species has 1 trait slot fewer.",
        ruling="Owners discard the traits that are too many at once.",
    ),
    Scenario(
        code="SOL",
        name="Solar Radiation",
        effect=Effect.RADIATION,
        amount=1,
        complexity=2,
        line="After Aging, no Deep trait: lose 1",
        text="After each Aging phase species that have no Deep trait lose 1 to the Reef.",
        ruling="Only the active player's species lose. One that holds nothing loses nothing and lives on.",
    ),
    Scenario(
        code="THE",
        name="Thermal Currents",
        effect=Effect.THERMAL,
        complexity=1,
        line="Deep cards may come from the Gene Pool",
        text="On their turn players may evolve a Deep card straight from the top of the Gene Pool.",
        ruling="It counts as a card played and its cost is paid. It is allowed before the Cambrian "
        "Explosion too.",
    ),
    Scenario(
        code="AGG",
        name="Aggressive Environment",
        effect=Effect.PREDATION,
        promo=True,
        teeth=3,
        line="Species with 0 can be attacked and die out",
        text="Even a species with 0 population can be attacked. It dies out before anything reacts to the "
        "attack.",
        ruling="Defence saves nothing then. Whatever else forbids the attack still forbids it.",
    ),
    Scenario(
        code="CBL",
        name="Coral Bleaching",
        effect=Effect.BLEACHING,
        amount=2,
        promo=True,
        line="After Aging, 2 go from Reef to Ocean",
        text="After their Aging phase, the active player moves 2 population from the Reef to any Ocean zone.",
        ruling="If the Reef holds less, what is there moves.",
    ),
    Scenario(
        code="EAR",
        name="Evolutionary Arms Race",
        effect=Effect.ARMS_RACE,
        promo=True,
        line="No species attacks a stronger one",
        text="A species cannot attack one whose Attack or Forage is higher than its own Attack.",
    ),
    Scenario(
        code="HGT",
        name="Horizontal Gene Transfer",
        effect=Effect.GENE_SWAP,
        promo=True,
        teeth=2,
        complexity=2,
        line="Before feeding, neighbours may swap a trait",
        text="Before their feeding, players may swap one trait of an own species with one of a species "
        "beside it.",
    ),
    Scenario(
        code="HOC",
        name="Hostile Conditions",
        effect=Effect.RIGHT_NEIGHBOUR_AGES,
        promo=True,
        teeth=2,
        complexity=2,
        line="The player on the right ages as well",
        text="In each Aging phase the species of the player on the active player's right age as well.",
    ),
    Scenario(
        code="HOE",
        name="Hostile Environment",
        effect=Effect.AGING,
        amount=3,
        promo=True,
        complexity=4,
        line="Every species ages 3 more",
        text="Every species ages 3 more.",
    ),
    Scenario(
        code="MMI",
        name="Mass Migration",
        effect=Effect.MASS_MIGRATION,
        promo=True,
        teeth=1,
        line="Left-most species pass to the left",
        text="Each player hands the left-most own species to the player on the left.",
        ruling="There it becomes the right-most species.",
    ),
    Scenario(
        code="RBL",
        name="Radiation Blast",
        effect=Effect.BLAST,
        promo=True,
        line="All traits are shuffled and dealt back",
        text="Each player shuffles the traits of all own species and deals them back to these at random.",
        ruling="Traits that cannot be removed stay where they are.",
    ),
    Scenario(
        code="SCF",
        name="Schadenfreude",
        effect=Effect.SCHADENFREUDE,
        amount=1,
        promo=True,
        complexity=1,
        line="Others gain 1 when a species dies out",
        text="When a species dies out, the species of all other players gain 1 each.",
    ),
    Scenario(
        code="SHR",
        name="Shallow Reef",
        effect=Effect.SHALLOW_REEF,
        amount=2,
        promo=True,
        line="Foragers lose 2 to the Reef",
        text="After each forage the species that foraged loses 2 to the Reef.",
    ),
    Scenario(
        code="SNO",
        name="Snowball Earth",
        effect=Effect.ICON_LOSS,
        amount=1,
        promo=True,
        complexity=1,
        line="Forage and Attack icons count 1 less",
        text="Each Attack icon and each Forage icon on a trait counts 1 less.",
        ruling="An icon never counts less than 0. What forbids foraging or attacking stays.",
    ),
    Scenario(
        code="UHE",
        name="Uber Hostile Environment",
        effect=Effect.ALL_SPECIES_AGE,
        promo=True,
        teeth=3,
        complexity=3,
        line="All species in play age in every turn",
        text="In each Aging phase all species in play age, not only the active player's.",
    ),
)
"""In the page's order: the retail box by the alphabet, then the promotional cards by the alphabet."""
