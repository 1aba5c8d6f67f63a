"""What a species is worth: Forage, Attack, Defence, slots, spaces, aging.

Precedence: core rules, then active Scenario cards, then its own traits.  Everything is public.
"""

from functools import lru_cache
from typing import Final, TypeVar

import msgspec

from rules.oceans.cards.decks import DEEP, SCENARIOS, TRAIT, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import (
    Ability,
    FeedsAgain,
    Ignores,
    Immune,
    Leeches,
    Mark,
    Quirk,
    Trait,
)
from rules.oceans.causes import ScenarioCause
from rules.oceans.engine.ring import PositionLike, beside, find, owner_of
from rules.oceans.model import Species

A = TypeVar("A", bound=Ability)

TRAIT_SLOTS: Final = 3
BOARD_SPACES: Final = 10
"""The last one is the fishbone."""
OVERPOPULATION_LEAVES: Final = 5
DEFAULT_VALUE: Final = 1
"""Forage or Attack of a species without an icon."""
_CAMOUFLAGE: Final = 2
_INKED_NEIGHBOUR: Final = 4
_DEEP_DIVER: Final = 2
_GAIN_EXTRA: Final = 2
"""Endurance."""


class Profile(msgspec.Struct, frozen=True):
    """What a set of traits says by itself, whatever the table looks like."""

    traits: tuple[Trait, ...]
    forage_icons: tuple[int, ...]
    attack_icons: tuple[int, ...]
    never_forage: bool
    never_attack: bool
    slots: int
    spaces: int
    aging: int
    deep: int
    """How many Deep traits."""
    marks: frozenset[Mark]
    quirks: frozenset[Quirk]
    families: frozenset[str]
    leeching: bool
    feeds: FeedsAgain
    immunities: tuple[tuple[Card, Immune], ...]
    ignores: tuple[Ignores, ...]


@lru_cache(maxsize=1 << 16)
def profile(cards: tuple[Card, ...]) -> Profile:
    """Add up the traits' values and abilities."""
    traits = tuple(TRAIT[card] for card in cards)
    feeds = [ability for trait in traits for ability in trait.abilities if isinstance(ability, FeedsAgain)]
    quirks = frozenset(quirk for trait in traits for quirk in trait.quirks)
    # Icons that the quirks work out are left out here.
    forage_icons = [t.forage for t in traits if t.forage is not None and Quirk.DEEP_DIVER not in t.quirks]
    variable = {Quirk.BUBBLE_NET, Quirk.SWARMING}
    attack_icons = [t.attack for t in traits if t.attack is not None and not variable & {*t.quirks}]
    return Profile(
        traits=traits,
        forage_icons=tuple(forage_icons),
        attack_icons=tuple(attack_icons),
        never_forage=any(trait.never_forage for trait in traits),
        never_attack=any(trait.never_attack for trait in traits),
        slots=sum(trait.slots for trait in traits),
        spaces=sum(trait.spaces for trait in traits),
        aging=sum(trait.aging for trait in traits),
        deep=sum(trait.deep for trait in traits),
        marks=frozenset(mark for trait in traits for mark in trait.marks),
        quirks=quirks,
        families=frozenset(trait.family for trait in traits),
        leeching=any(isinstance(ability, Leeches) for trait in traits for ability in trait.abilities),
        feeds=FeedsAgain(
            sum(each.feedings for each in feeds),
            sum(each.forages for each in feeds),
            sum(each.attacks for each in feeds),
        ),
        immunities=tuple(
            (card, ability)
            for card, trait in zip(cards, traits, strict=True)
            for ability in trait.abilities
            if isinstance(ability, Immune)
        ),
        ignores=tuple(
            ability for trait in traits for ability in trait.abilities if isinstance(ability, Ignores)
        ),
    )


# Scenario cards -------------------------------------------------------------------------------------


def amount(position: PositionLike, effect: Effect) -> int:
    """The numbers of all active Scenario cards with this effect, added up."""
    return sum(SCENARIOS[code].amount for code in position.active if SCENARIOS[code].effect is effect)


def in_force(position: PositionLike, effect: Effect) -> bool:
    """Whether an active Scenario card has this effect."""
    return any(SCENARIOS[code].effect is effect for code in position.active)


def active_cause(position: PositionLike, effect: Effect) -> ScenarioCause:
    """The first active Scenario card with this effect.  Raises StopIteration if there is none."""
    return ScenarioCause(next(code for code in position.active if SCENARIOS[code].effect is effect))


# A species' values ----------------------------------------------------------------------------------


def marked(species: Species, mark: Mark) -> bool:
    """Whether any of its traits has this mark."""
    return mark in profile(species.traits).marks


def quirky(species: Species, quirk: Quirk) -> bool:
    """Whether any of its traits has this quirk."""
    return quirk in profile(species.traits).quirks


def forage(position: PositionLike, species: Species) -> int | None:
    """Total Forage; None: it can never forage."""
    its = profile(species.traits)
    if its.never_forage:
        return None
    less = amount(position, Effect.ICON_LOSS)
    icons = [max(0, icon - less) for icon in its.forage_icons]
    if Quirk.DEEP_DIVER in its.quirks:
        icons.append(max(0, _DEEP_DIVER * its.deep - less))
    extra = amount(position, Effect.FORAGE_ICON)
    return sum(icons) + extra if icons or extra else DEFAULT_VALUE


def attack(position: PositionLike, species: Species) -> int | None:
    """Total Attack; None: it can never attack."""
    its = profile(species.traits)
    if Quirk.BUBBLE_NET in its.quirks:
        return forage(position, species)
    if its.never_attack:
        return None
    less = amount(position, Effect.ICON_LOSS)
    icons = [max(0, icon - less) for icon in its.attack_icons]
    if Quirk.SWARMING in its.quirks:
        icons.append(max(0, species.population - less))
    double = 2 ** sum(Quirk.PACK_HUNTING in trait.quirks for trait in its.traits)
    extra = amount(position, Effect.ATTACK_ICON)
    return double * sum(icons) + extra if icons or extra else DEFAULT_VALUE


def defences(position: PositionLike, species: Species) -> list[tuple[Card | None, int]]:
    """Every Defence value with the trait that gives it, its own or a neighbour's; None: a Scenario card."""
    found: list[tuple[Card | None, int]] = []
    for card in species.traits:
        trait = TRAIT[card]
        value = trait.defence
        if Quirk.CAMOUFLAGE in trait.quirks:
            value += _CAMOUFLAGE * (len(position.rows[owner_of(species.key)]) - 1)
        if value:
            found.append((card, value))
    for key in beside(position, species.key):
        neighbour = find(position, key)
        if neighbour is not None and quirky(neighbour, Quirk.POISONOUS_INKING):
            ink = next(card for card in neighbour.traits if Quirk.POISONOUS_INKING in TRAIT[card].quirks)
            found.append((ink, _INKED_NEIGHBOUR))
    shells = amount(position, Effect.DEFENCE_ICON)
    if shells:
        found.append((None, shells))
    return found


def defence(position: PositionLike, species: Species) -> int:
    """Total Defence."""
    return sum(value for _, value in defences(position, species))


def defensive(card: Card) -> bool:
    """Whether a trait is a defensive one: it has a Defence value or limits who may attack."""
    trait = TRAIT[card]
    if trait.defence or {Quirk.CAMOUFLAGE, Quirk.ABYSS} & {*trait.quirks}:
        return True
    return any(isinstance(ability, Immune) for ability in trait.abilities)


def slots(position: PositionLike, species: Species) -> int | None:
    """How many traits it may have; None: any number."""
    return slots_of(position, species.traits)


def slots_of(position: PositionLike, cards: tuple[Card, ...]) -> int | None:
    """How many traits a species with these traits may have; None: any number."""
    its = profile(cards)
    if Mark.UNLIMITED_SLOTS in its.marks:
        return None
    return max(0, TRAIT_SLOTS + its.slots + amount(position, Effect.SLOTS))


def spaces(position: PositionLike, species: Species) -> int:
    """How much population its board holds, the fishbone included."""
    return max(1, BOARD_SPACES + profile(species.traits).spaces + amount(position, Effect.SPACES))


def free_spaces(position: PositionLike, species: Species) -> int:
    """How much population it can still take."""
    return max(0, spaces(position, species) - species.population)


def overpopulates(position: PositionLike, species: Species) -> bool:
    """Whether its last space is filled and that matters to it."""
    return (
        species.population >= spaces(position, species)
        and not marked(species, Mark.NEVER_OVERPOPULATES)
        and not in_force(position, Effect.NO_OVERPOPULATION)
    )


def never_ages(species: Species) -> bool:
    """Whether it skips Aging (Telomere Repair); Gigantic Brain ages whatever else it has."""
    return marked(species, Mark.NEVER_AGES) and not quirky(species, Quirk.GIGANTIC_BRAIN)


def aging(position: PositionLike, species: Species) -> int:
    """How much it gives in an Aging phase, before its owner's choices."""
    its = profile(species.traits)
    if never_ages(species):
        return 0
    if Quirk.GIGANTIC_BRAIN in its.quirks:
        return len(species.traits)
    base = 2 if position.cambrian else 1
    return max(0, base + its.aging + amount(position, Effect.AGING))


def gain(position: PositionLike, species: Species, card: Card, extra: int = 0) -> int:
    """How much one of its traits gains when it is set off once; ``extra``: Rows of Teeth."""
    trait = TRAIT[card]
    if not trait.gain:
        return 0
    return enlarged(species, trait.gain + amount(position, Effect.GAIN_BONUS) + extra)


def is_deep(card: Card) -> bool:
    """Whether it is a Deep card."""
    return card in DEEP


def deep_traits(species: Species) -> int:
    """How many Deep traits it has."""
    return profile(species.traits).deep


def enlarged(species: Species, value: int) -> int:
    """A gain that comes from no Gain icon, as large as the species' own traits make it."""
    quirks = profile(species.traits).quirks
    if Quirk.ENDURANCE in quirks:
        value += _GAIN_EXTRA
    return 2 * value if Quirk.COMMUNICATION in quirks else value
