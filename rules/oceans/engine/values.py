"""The values of a species: Forage, Attack, Defence, slots, spaces, aging.

Active Scenario cards overrule the core rules, and a species' own traits overrule both.  All of it is public.
"""

from functools import lru_cache
from typing import Final

import msgspec

from rules.oceans.cards.decks import DEEP_CARDS, SCENARIO_BY_CODE, TRAIT_BY_CARD, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import (
    ExtraFeedings,
    IgnoredDefence,
    Immunity,
    Leech,
    Quirk,
    Trait,
    TraitFlag,
)
from rules.oceans.causes import ScenarioCause
from rules.oceans.engine.ring import PositionLike, find_species, neighbour_keys, owner_of
from rules.oceans.model import Species

TRAIT_SLOT_COUNT: Final = 3
BOARD_SPACE_COUNT: Final = 10
"""The last one is the fishbone space: to fill it is to overpopulate."""
POPULATION_AFTER_OVERPOPULATION: Final = 5
"""What stays on an overpopulated board."""
VALUE_WITHOUT_ICON: Final = 1
"""Forage or Attack of a species without an icon."""
_CAMOUFLAGE_DEFENCE: Final = 2
"""For each other species of its owner."""
_POISONOUS_INKING_DEFENCE: Final = 4
_DEEP_DIVER_ICON: Final = 2
"""Forage for each Deep trait."""
_ENDURANCE_GAIN: Final = 2


class TraitProfile(msgspec.Struct, frozen=True):
    """The values and abilities of a set of traits, as far as they do not depend on the position."""

    traits: tuple[Trait, ...]
    forage_icons: tuple[int, ...]
    attack_icons: tuple[int, ...]
    never_forages: bool
    never_attacks: bool
    extra_slots: int
    """Extra trait slots."""
    extra_spaces: int
    """Extra spaces on the board."""
    extra_aging: int
    """How much more a species ages."""
    deep_count: int
    """How many of the traits are Deep."""
    flags: frozenset[TraitFlag]
    quirks: frozenset[Quirk]
    families: frozenset[str]
    has_leech: bool
    extra_feedings: ExtraFeedings
    ignored_defences: tuple[IgnoredDefence, ...]


@lru_cache(maxsize=1 << 16)
def trait_profile(cards: tuple[Card, ...]) -> TraitProfile:
    """Add up the traits' values and abilities."""
    traits = tuple(TRAIT_BY_CARD[card] for card in cards)
    extra_feedings = [
        ability for trait in traits for ability in trait.abilities if isinstance(ability, ExtraFeedings)
    ]
    quirks = frozenset(quirk for trait in traits for quirk in trait.quirks)
    # Icons whose value a quirk computes are left out here.
    forage_icons = [
        trait.forage for trait in traits if trait.forage is not None and Quirk.DEEP_DIVER not in trait.quirks
    ]
    computing_quirks = {Quirk.BUBBLE_NET, Quirk.SWARMING}
    attack_icons = [
        trait.attack
        for trait in traits
        if trait.attack is not None and not computing_quirks & {*trait.quirks}
    ]
    return TraitProfile(
        traits=traits,
        forage_icons=tuple(forage_icons),
        attack_icons=tuple(attack_icons),
        never_forages=any(trait.never_forages for trait in traits),
        never_attacks=any(trait.never_attacks for trait in traits),
        extra_slots=sum(trait.extra_slots for trait in traits),
        extra_spaces=sum(trait.extra_spaces for trait in traits),
        extra_aging=sum(trait.extra_aging for trait in traits),
        deep_count=sum(trait.is_deep for trait in traits),
        flags=frozenset(flag for trait in traits for flag in trait.flags),
        quirks=quirks,
        families=frozenset(trait.family for trait in traits),
        has_leech=any(isinstance(ability, Leech) for trait in traits for ability in trait.abilities),
        extra_feedings=ExtraFeedings(
            sum(each.feedings for each in extra_feedings),
            sum(each.forages for each in extra_feedings),
            sum(each.attacks for each in extra_feedings),
        ),
        ignored_defences=tuple(
            ability for trait in traits for ability in trait.abilities if isinstance(ability, IgnoredDefence)
        ),
    )


# Scenario cards -------------------------------------------------------------------------------------


def effect_amount(position: PositionLike, effect: Effect) -> int:
    """Return the sum of the amounts of all active Scenario cards with an effect."""
    return sum(
        SCENARIO_BY_CODE[code].amount
        for code in position.active_scenarios
        if SCENARIO_BY_CODE[code].effect is effect
    )


def is_effect_active(position: PositionLike, effect: Effect) -> bool:
    """Whether an active Scenario card has an effect."""
    return any(SCENARIO_BY_CODE[code].effect is effect for code in position.active_scenarios)


def scenario_cause(position: PositionLike, effect: Effect) -> ScenarioCause:
    """Return the first active Scenario card with an effect, as a cause.  Raises StopIteration without one."""
    return ScenarioCause(
        next(code for code in position.active_scenarios if SCENARIO_BY_CODE[code].effect is effect)
    )


# A species' values ----------------------------------------------------------------------------------


def has_flag(species: Species, flag: TraitFlag) -> bool:
    """Whether any of a species' traits has a flag."""
    return flag in trait_profile(species.traits).flags


def has_quirk(species: Species, quirk: Quirk) -> bool:
    """Whether any of a species' traits has a quirk."""
    return quirk in trait_profile(species.traits).quirks


def card_with_quirk(species: Species, quirk: Quirk) -> Card:
    """Return the first of a species' traits with a quirk.  Raises StopIteration if there is none."""
    return next(card for card in species.traits if quirk in TRAIT_BY_CARD[card].quirks)


def forage_value(position: PositionLike, species: Species) -> int | None:
    """Return a species' Forage; None if it can never forage."""
    profile = trait_profile(species.traits)
    if profile.never_forages:
        return None
    loss = effect_amount(position, Effect.ICON_LOSS)
    icons = [max(0, icon - loss) for icon in profile.forage_icons]
    if Quirk.DEEP_DIVER in profile.quirks:
        icons.append(max(0, _DEEP_DIVER_ICON * profile.deep_count - loss))
    extra = effect_amount(position, Effect.FORAGE_ICON)
    return sum(icons) + extra if icons or extra else VALUE_WITHOUT_ICON


def attack_value(position: PositionLike, species: Species) -> int | None:
    """Return a species' Attack; None if it can never attack."""
    profile = trait_profile(species.traits)
    if Quirk.BUBBLE_NET in profile.quirks:
        return forage_value(position, species)
    if profile.never_attacks:
        return None
    loss = effect_amount(position, Effect.ICON_LOSS)
    icons = [max(0, icon - loss) for icon in profile.attack_icons]
    if Quirk.SWARMING in profile.quirks:
        icons.append(max(0, species.population - loss))
    factor = 2 ** sum(Quirk.PACK_HUNTING in trait.quirks for trait in profile.traits)
    extra = effect_amount(position, Effect.ATTACK_ICON)
    return factor * sum(icons) + extra if icons or extra else VALUE_WITHOUT_ICON


def max_strength(position: PositionLike, species: Species) -> int:
    """Return the greater of a species' Forage and Attack; 0 without either."""
    return max(forage_value(position, species) or 0, attack_value(position, species) or 0)


def defences(position: PositionLike, species: Species) -> list[tuple[Card | None, int]]:
    """Return each Defence value with the trait it comes from (own or neighbour's; None: a Scenario card)."""
    values: list[tuple[Card | None, int]] = []
    for card in species.traits:
        trait = TRAIT_BY_CARD[card]
        value = trait.defence
        if Quirk.CAMOUFLAGE in trait.quirks:
            value += _CAMOUFLAGE_DEFENCE * (len(position.rows[owner_of(species.key)]) - 1)
        if value:
            values.append((card, value))
    for key in neighbour_keys(position, species.key):
        neighbour = find_species(position, key)
        if neighbour is not None and has_quirk(neighbour, Quirk.POISONOUS_INKING):
            card = card_with_quirk(neighbour, Quirk.POISONOUS_INKING)
            values.append((card, _POISONOUS_INKING_DEFENCE))
    scenario_defence = effect_amount(position, Effect.DEFENCE_ICON)
    if scenario_defence:
        values.append((None, scenario_defence))
    return values


def defence_value(position: PositionLike, species: Species) -> int:
    """Return a species' Defence."""
    return sum(value for _, value in defences(position, species))


def is_defensive(card: Card) -> bool:
    """Whether a trait is defensive: it has a Defence value or limits who may attack."""
    trait = TRAIT_BY_CARD[card]
    return trait.defence > 0 or Quirk.CAMOUFLAGE in trait.quirks or grants_immunity(card)


def grants_immunity(card: Card) -> bool:
    """Whether a trait limits which species may attack its own."""
    trait = TRAIT_BY_CARD[card]
    return Quirk.ABYSS_DWELLER in trait.quirks or any(
        isinstance(ability, Immunity) for ability in trait.abilities
    )


def slot_limit(position: PositionLike, species: Species) -> int | None:
    """Return how many traits a species may have; None: any number."""
    return slot_limit_for_traits(position, species.traits)


def slot_limit_for_traits(position: PositionLike, cards: tuple[Card, ...]) -> int | None:
    """Return how many traits a species with these traits may have; None: any number."""
    profile = trait_profile(cards)
    if TraitFlag.UNLIMITED_SLOTS in profile.flags:
        return None
    return max(0, TRAIT_SLOT_COUNT + profile.extra_slots + effect_amount(position, Effect.SLOTS))


def space_count(position: PositionLike, species: Species) -> int:
    """Return how much population a species' board can hold, the fishbone space included."""
    return max(
        1,
        BOARD_SPACE_COUNT
        + trait_profile(species.traits).extra_spaces
        + effect_amount(position, Effect.SPACES),
    )


def free_space_count(position: PositionLike, species: Species) -> int:
    """Return how much population a species can still take."""
    return max(0, space_count(position, species) - species.population)


def may_overpopulate(position: PositionLike, species: Species) -> bool:
    """Whether nothing exempts a species from overpopulating."""
    return not has_flag(species, TraitFlag.NEVER_OVERPOPULATES) and not is_effect_active(
        position, Effect.NO_OVERPOPULATION
    )


def overpopulates(position: PositionLike, species: Species) -> bool:
    """Whether a species overpopulates: its last space is filled, and nothing exempts it."""
    return species.population >= space_count(position, species) and may_overpopulate(position, species)


def never_ages(species: Species) -> bool:
    """Whether a species skips Aging (Telomere Repair).  Gigantic Brain overrules that."""
    return has_flag(species, TraitFlag.NEVER_AGES) and not has_quirk(species, Quirk.GIGANTIC_BRAIN)


def aging_value(position: PositionLike, species: Species) -> int:
    """Return how much a species ages in an Aging phase, before its owner's choices."""
    profile = trait_profile(species.traits)
    if never_ages(species):
        return 0
    if Quirk.GIGANTIC_BRAIN in profile.quirks:
        return len(species.traits)
    base = 2 if position.cambrian_happened else 1
    return max(0, base + profile.extra_aging + effect_amount(position, Effect.AGING))


def gain_value(position: PositionLike, species: Species, card: Card, extra: int = 0) -> int:
    """Return how much one of a species' traits gains each time.  ``extra``: what Rows of Teeth adds."""
    trait = TRAIT_BY_CARD[card]
    if not trait.gain:
        return 0
    return enlarged_gain(species, trait.gain + effect_amount(position, Effect.GAIN_BONUS) + extra)


def is_deep(card: Card) -> bool:
    """Whether a card is a Deep card."""
    return card in DEEP_CARDS


def count_deep_traits(species: Species) -> int:
    """Return how many Deep traits a species has."""
    return trait_profile(species.traits).deep_count


def enlarged_gain(species: Species, value: int) -> int:
    """Return a gain with what the species' own traits add to it."""
    quirks = trait_profile(species.traits).quirks
    if Quirk.ENDURANCE in quirks:
        value += _ENDURANCE_GAIN
    return 2 * value if Quirk.COMMUNICATION in quirks else value
