"""What a Scenario card is.  The cards themselves are rows in ``scenarios``."""

import enum

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
    SHARED_AGING = "shared-aging"
    """Aging hits the player on the right as well."""
    SCHADENFREUDE = "schadenfreude"
    SHALLOW_REEF = "shallow-reef"
    COMMON_AGING = "common-aging"
    """Every species in play ages."""
    # purple: what happens once
    IMPACT = "impact"
    SURGE = "surge"
    SHIFT = "shift"
    EXPLOSION = "explosion"
    MASS_MIGRATION = "mass-migration"
    BLAST = "blast"


EVENTS = frozenset(
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
    def event(self) -> bool:
        """Whether it is a purple card."""
        return self.effect in EVENTS
