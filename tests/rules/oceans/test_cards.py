"""The card tables say what the printed cards say, and their texts say what the tables say."""

import re
from collections.abc import Iterable
from typing import get_args

import pytest

from rules.oceans.cards.decks import SCENARIO_BY_CODE
from rules.oceans.cards.deep import DEEP_TRAITS
from rules.oceans.cards.scenarios import SCENARIO_CARDS, Effect, Scenario
from rules.oceans.cards.surface import SURFACE_TRAITS
from rules.oceans.cards.traits import (
    Ability,
    DefencePart,
    Drain,
    ExtraFeedings,
    Gain,
    GainPerFamily,
    IgnoredDefence,
    Immunity,
    ImmunityCondition,
    Leech,
    PreFeedingTargets,
    Quirk,
    Scope,
    Sting,
    Take,
    TargetKind,
    Trait,
    TraitFlag,
    Trigger,
)

TRAITS = (*SURFACE_TRAITS, *DEEP_TRAITS)

# Typed from the list of facts, not from the rows.  Name, cost, Forage, Attack, Defence, Gain, tier, extras;
# "-" no icon, "x" never, "v" worked out from something else.  What doubles or enlarges is a text, no icon.
SURFACE_LIST = """
Apex Predator             0   x   3   2   - a
Bottom Feeder             0   -   -   -   2 a
Filter Feeder             0   5   x   -   - a
Inking                    0   -   -   4   - a
Parasitic                 0   -   -   -   - a
Schooling                 0   -   -   -   - a ages+1
Shark Cleaner             0   -   -   -   2 a
Speed                     0   2   2   2   - a slots+1
Symbiotic                 0   -   -   -   1 a
Tentacled                 0   -   -   -   - a
Transparent               0   -   -   -   - a
Whale Cleaner             0   -   -   -   3 a
"""
DEEP_LIST = """
Abyss Dweller             1   x   -   -   - b
Acute Smell               2   -   -   -   1 a
Advanced Eyes             1   -   -   -   - b
Ambush                    3   -   -   -   - a
Deep Apex Predator        1   x   4   3   - a
Atavism                   1   -   -   -   - c slots+2
Barbels                   1   -   -   -   1 a
Behemoth                  2   x   3   -   - a
Bioluminescence           2   -   -   -   1 a
Biotic Cycle Reversal     2   -   -   -   3 a
Blubber                   1   -   -   1   - a spaces+9
Deep Bottom Feeder        1   -   -   -   2 a
Bright Coloration         1   -   -   -   1 a
Bubble Net                1   -   v   -   - b
Burrower                  1   -   -   -   - b
Camouflage                1   -   -   -   - a
Cavitation Bullet         1   -   2   -   - a
Chitin-Plated Maw         4   -   -   -   - b
Colossus                  4  11   -   -   - b
Communication             3   -   -   5   - a slots+1
Coprophagia               1   -   -   -   - b
Crushing Jaw              1   -   -   -   - a
Cthulhu Leech             2   -   -   -   - c
Deep Diver                3   v   -   -   - a
Deep-Sea Kraken           3   x   -   -   - b
Defensive Spines          1   -   -   -   - a
Dense Population          2   -   -   -   - a slots+1 spaces+9
Draconic                  4   x   7   3   - a
Electroreception          2   2   2   -   - b
Endurance                 3   -   -   -   - a ages+2
Extremophile              1   -   -   -   - a slots+1
Fast Metabolism           1   -   -   -   - b
Deep Filter Feeder        2   6   x   -   - a spaces+5
Filter Kraken             1   -   x   -   - a
Flight                    1   -   -   -   - b
Gargantuan                4   x   9   -   - a
Gene Transfer             1   -   -   -   - c slots+2
Gentle Giant              2   3   x   -   - a spaces+5
Giant Cephalopod          3   -   -   -   - a
Gigantic Brain            4   -   -   -   - b
Gigantic Scavenger        4   x   6   -   - a
Goethite Exoskeleton      1   -   -   -   - a slots+1
Grazer                    1   -   -   -   - a
Hard Shell                1   -   -   6   - a
Hydra                     4   x   4   -   - b
Impostor Cleaner (shark)  2   -   -   -   - a
Impostor Cleaner (whale)  1   -   -   -   - a
Deep Inking               1   -   -   4   - a
Kleptoparasitic           2   -   -   -   - a ages+2
Leviathan                 4   x   5   -   - a ages+1
Living Ecosystem          1   2   -   -   - b
Luminous Bacteria         1   -   -   -   - a slots+1
Massive Fins              3   8   x   -   - b
Megamouth                 1   5   5   -   - a
Migratory Filter Feeder   5   6   x   -   - a spaces+9
Mucus Cocoon              1   -   -   -   - a
Mutualism                 1   -   -   -   1 a
Neurotoxin                1   -   -   -   - a
Pack Hunting              1   -   -   -   - a slots+1
Parasite Cleaner          1   -   -   -   - a
Deep Parasitic            1   -   -   -   - b
Pathogen Cultivation      2   x   5   -   - a
Poisonous Inking          2   -   -   4   - a
Poisonous Spines          1   -   -   -   - b
Rapid Mutation            1   -   -   -   - c
Regeneration              1   -   -   -   1 a slots+1
Rows of Teeth             1   -   3   -   - a
Scavenger                 1   -   -   -   1 a
Deep Schooling            2   -   -   -   - a ages+3
Sea Rex                   2   x   6   -   - a ages+2
Sedentary Colony          2   x   x   -   - a
Deep Shark Cleaner        1   -   -   -   3 a
Slow Metabolism           1   -   -   -   - b slots+2
Deep Speed                2   3   3   3   - a slots+1
Swarming                  1   -   v   -   - a
Deep Symbiotic            1   -   -   -   1 a
Tail Whip                 1   -   -   -   - a
Telomere Repair           1   -   -   -   2 a
Tentacle Leech            1   -   -   -   - b
Deep Tentacled            2   -   -   -   - a
The Kraken                5   x 13   -   - a
Tiny                      1   -   -   -   - b
Deep Transparent          1   -   -   -   - b
Tusks                     1   2   2   5   - a
Vestigial Limb            1   -   -   -   - c
Voracious Feeder          1   -   -   -   - b
Warm Blooded              2   -   -   -   - b slots+1
Deep Whale Cleaner        1   -   -   -   4 a
Zooplankton               1   x   x   -   3 b
"""

# Name, effect, number, shark teeth, diamonds; promotional cards after the rule.
SCENARIO_LIST = """
Abundance                         gain-bonus              1 0 0
Asteroid Impact                   asteroid-impact         3 1 1
Biodiverse Reef                   forage-icon             2 0 0
Contagious Outbreak               contagious-outbreak     3 1 1
Contagious Proximity              spaces                 -3 0 1
Degenerative Virus                second-aging            0 0 0
Detritus                          detritus                2 0 0
Epizootic                         epizootic               0 0 2
Fertile                           fertile                 2 0 0
Food Surge                        food-surge              0 0 2
Genetic Diversity                 slots                   1 0 0
Inhospitable Environment          aging                   1 0 1
Inhospitable Environment (second) aging                   1 0 1
Inhospitable Environment (strong) aging                   2 0 2
Large Predators                   attack-icon             2 1 0
Long Haul Migration               long-haul-migration     0 0 0
Paradigm Shift                    paradigm-shift          0 1 1
Pathogenic Immunity               no-overpopulation       0 0 0
Population Explosion              population-explosion    0 0 0
Prosperity                        spaces                  9 0 0
Protective Growth                 protective-growth       2 0 0
Protective Shells                 defence-icon            2 0 0
Shallow Gene Pool                 slots                  -1 0 1
Solar Radiation                   solar-radiation         1 0 2
Thermal Currents                  thermal-currents        0 0 1
---
Aggressive Environment            aggressive-environment  0 3 0
Coral Bleaching                   coral-bleaching         2 0 0
Evolutionary Arms Race            arms-race               0 0 0
Horizontal Gene Transfer          gene-swap               0 2 2
Hostile Conditions                right-neighbour-ages    0 2 2
Hostile Environment               aging                   3 0 4
Mass Migration                    mass-migration          0 1 0
Radiation Blast                   radiation-blast         0 0 0
Schadenfreude                     schadenfreude           1 0 1
Shallow Reef                      shallow-reef            2 0 0
Snowball Earth                    icon-loss               1 0 1
Uber Hostile Environment          all-species-age         0 3 3
"""


def icon_text(value: int | None, *, is_never: bool) -> str:
    """Return a Forage or an Attack as the lists above write it."""
    return "x" if is_never else {None: "-", 0: "v"}.get(value, str(value))


def trait_columns(trait: Trait, tier: str) -> list[str]:
    """Return the columns of a trait in the lists above; the trait itself only knows tier a from the rest."""
    value_by_extra = {"slots": trait.extra_slots, "spaces": trait.extra_spaces, "ages": trait.extra_aging}
    return [
        *trait.name.split(),
        str(trait.number),
        icon_text(trait.forage, is_never=trait.never_forages),
        icon_text(trait.attack, is_never=trait.never_attacks),
        str(trait.defence or "-"),
        str(trait.gain or "-"),
        "a" if trait.is_easy else tier if tier != "a" else "not a",
        *(f"{extra}+{value}" for extra, value in value_by_extra.items() if value),
    ]


@pytest.mark.parametrize(("traits", "card_list"), [(SURFACE_TRAITS, SURFACE_LIST), (DEEP_TRAITS, DEEP_LIST)])
def test_rows_are_the_printed_cards(traits: tuple[Trait, ...], card_list: str) -> None:
    """Every row has the printed name, cost, icons, extras and tier, in the list's order."""
    lines = [line.split() for line in card_list.strip().splitlines()]
    tiers = [next(word for word in reversed(line) if word in {"a", "b", "c"}) for line in lines]
    assert [trait_columns(trait, tier) for trait, tier in zip(traits, tiers, strict=True)] == lines


def test_scenario_rows_are_the_printed_cards() -> None:
    """Every Scenario row has the listed name, effect, number, teeth and diamonds; promos come last."""
    retail, promos = SCENARIO_LIST.split("---")
    lines = [(line, promo) for part, promo in ((retail, False), (promos, True)) for line in part.split("\n")]
    expected = [(re.split(r" +(?=[a-z-]+ +-?\d)| +(?=-?\d)", line), promo) for line, promo in lines if line]
    found = [
        ([card.name, card.effect.value, *map(str, (card.amount, card.teeth, card.complexity))], card.is_promo)
        for card in SCENARIO_CARDS
    ]
    assert found == expected


def test_deck_sizes() -> None:
    """12 Surface traits; 89 Deep ones, of them 60, 24 and 5 by tier; 25 Scenario cards and 12 promos."""
    tiers = [re.search(r" ([abc])( |$)", line) for line in DEEP_LIST.strip().splitlines()]
    tier_letters = [tier.group(1) for tier in tiers if tier is not None]
    assert (len(SURFACE_TRAITS), len(DEEP_TRAITS)) == (12, 89)
    assert [tier_letters.count(tier) for tier in "abc"] == [60, 24, 5]
    assert [sum(trait.is_easy is is_easy for trait in DEEP_TRAITS) for is_easy in (True, False)] == [60, 29]
    assert [sum(card.is_promo is promo for card in SCENARIO_CARDS) for promo in (False, True)] == [25, 12]


def test_codes_are_unique() -> None:
    """Traits, Surface cards and Scenario cards never share a code: a trail names its causes by them."""
    codes = [trait.code for trait in TRAITS] + list(SCENARIO_BY_CODE)
    assert len(set(codes)) == len(codes)


def test_families_are_those_of_surface_traits() -> None:
    """A "Deep" card is of its Surface trait's family; otherwise only the two impostors share one."""
    surface_names = {trait.name for trait in SURFACE_TRAITS}
    assert all(trait.family == trait.name for trait in SURFACE_TRAITS)
    for trait in DEEP_TRAITS:
        assert bool(trait.variant) == (Quirk.IMPOSTOR_CLEANER in trait.quirks), trait.name
        surface_name = trait.printed_name.removeprefix("Deep ")
        assert trait.surface_trait == (surface_name if surface_name in surface_names else ""), trait.name
        assert trait.family == (trait.surface_trait or trait.printed_name), trait.name


def field_values(kind: type[Ability], field: str) -> set[object]:
    """Return the values of an ability's field on all cards."""
    return {getattr(each, field) for trait in TRAITS for each in trait.abilities if isinstance(each, kind)}


def test_every_ability_is_on_some_card() -> None:
    """Every kind of ability, every flag, quirk, condition and effect is on some card."""
    assert {type(each) for trait in TRAITS for each in trait.abilities} == set(get_args(Ability))
    assert {flag for trait in TRAITS for flag in trait.flags} == set(TraitFlag)
    assert {quirk for trait in TRAITS for quirk in trait.quirks} == set(Quirk)
    assert field_values(Gain, "trigger") | field_values(Take, "trigger") == set(Trigger)
    assert field_values(Gain, "scope") | field_values(Take, "scope") == set(Scope)
    assert field_values(Leech, "targets") | field_values(Drain, "targets") == set(PreFeedingTargets)
    assert field_values(Immunity, "condition") == set(ImmunityCondition)
    assert field_values(IgnoredDefence, "part") == set(DefencePart)
    assert field_values(IgnoredDefence, "targets") == set(TargetKind)
    assert {card.effect for card in SCENARIO_CARDS} == set(Effect)


def test_families_that_abilities_name_exist() -> None:
    """The families that abilities and impostors name exist."""
    families = {trait.family for trait in TRAITS}
    named_families: set[object] = {
        trait.takes_from_family for trait in TRAITS if Quirk.IMPOSTOR_CLEANER in trait.quirks
    }
    named_families |= field_values(GainPerFamily, "family")
    for ability in (each for trait in TRAITS for each in trait.abilities):
        named_families |= set(ability.families) if isinstance(ability, IgnoredDefence) else set()
    assert named_families <= families


def find_numbers(pattern: str, text: str) -> list[int]:
    """Return every number that the pattern's last group catches."""
    return [int(found.group(found.lastindex or 0)) for found in re.finditer(pattern, text)]


def nonzero(*values: int | None) -> list[int]:
    """Return the values that an icon or a text shows."""
    return [value for value in values if value]


@pytest.mark.parametrize("trait", TRAITS, ids=lambda trait: trait.name)
def test_texts_say_the_values(trait: Trait) -> None:
    """A text names exactly the row's icons, extras and struck-out icons."""
    text = trait.full_text
    without_condition = r"(?![\d ]*(?:or more|for each))"
    assert find_numbers(rf"\bForage (\d+)\b{without_condition}", text) == nonzero(trait.forage)
    assert find_numbers(rf"\bAttack (\d+)\b{without_condition}", text) == nonzero(trait.attack)
    assert find_numbers(rf"\bDefence (\d+)\b{without_condition}", text) == nonzero(trait.defence)
    assert find_numbers(r"\b[Ii]t gains (\d+)(?! more)", text) == nonzero(trait.gain)
    assert find_numbers(r"\b(\d+) more trait slots?\b", text) == nonzero(trait.extra_slots)
    assert find_numbers(r"\b(\d+) more spaces\b", text) == nonzero(trait.extra_spaces)
    assert find_numbers(r"\bages (\d+) more\b", text) == nonzero(trait.extra_aging)
    assert ("never forages" in text, "never attacks" in text) == (trait.never_forages, trait.never_attacks)


def ability_numbers(ability: Ability) -> Iterable[int]:
    """Return the numbers of an ability that its text must name; losing anything at all needs no number."""
    match ability:
        case Gain():
            return nonzero(ability.min_strength, ability.min_loss if ability.min_loss > 1 else 0)
        case Take():
            return nonzero(ability.amount, ability.min_strength)
        case Sting() | Leech() | Drain():
            return [ability.amount]
        case Immunity():
            return nonzero(ability.threshold)
        case ExtraFeedings():
            return nonzero(ability.feedings, ability.forages, ability.attacks)
        case _:
            return []


@pytest.mark.parametrize("trait", TRAITS, ids=lambda trait: trait.name)
def test_texts_say_the_numbers_of_abilities(trait: Trait) -> None:
    """Every number in an ability stands in the text."""
    numbers = find_numbers(r"\b(\d+)\b", trait.full_text)
    for ability in trait.abilities:
        assert set(ability_numbers(ability)) <= set(numbers)


FLAG_PHRASES = {
    TraitFlag.NEVER_OVERPOPULATES: "never overpopulates",
    TraitFlag.NEVER_LEECHED: "cannot be leeched",
    TraitFlag.NEVER_LEECHED_UNLESS_REEF_EMPTY: "leech it",
    TraitFlag.NEVER_EXTINCT: "never dies out",
    TraitFlag.ANY_ZONE: "any one Ocean zone",
    TraitFlag.MAY_FORAGE_LESS: "may take less",
    TraitFlag.UNLIMITED_SLOTS: "any number of traits",
    TraitFlag.SCORES_OVERFLOW: "the overflow goes to its owner's score pile",
    TraitFlag.MAY_AGE_NOTHING: "ages 0",
    TraitFlag.NEVER_AGES: "does not age",
    TraitFlag.FREE_DEEP_TRAITS: "costs nothing",
    TraitFlag.FIXED: "cannot be removed",
    TraitFlag.ON_ANY_SPECIES: "goes on any species",
    TraitFlag.ON_OPPONENT: "on an opponent's species",
}


def test_texts_say_the_flags() -> None:
    """A flag's phrase is in the text of the traits that have it and of no other."""
    for flag in TraitFlag:
        phrase = FLAG_PHRASES[flag]
        names_with_flag = {trait.name for trait in TRAITS if flag in trait.flags}
        names_with_phrase = {trait.name for trait in TRAITS if phrase in trait.full_text}
        assert names_with_flag == names_with_phrase, flag


def test_texts_are_short_whole_sentences() -> None:
    """One to three sentences that end with a full stop; so is a ruling, where there is one."""
    cards: tuple[Trait | Scenario, ...] = (*TRAITS, *SCENARIO_CARDS)
    for card in cards:
        assert card.full_text, card.name
        for text in (card.full_text, card.ruling):
            assert text == " ".join(text.split()), card.name
            assert re.fullmatch(r"[A-Z].+\.|", text), card.name
        assert card.full_text.count(". ") < 3, card.name


def test_short_lines_leave_out_what_the_icons_say() -> None:
    """A card whose icons say everything has no effect line, and no line repeats an icon."""
    for trait in TRAITS:
        has_icons_only = not (trait.abilities or trait.flags or trait.quirks)
        assert (trait.short_text == "") == has_icons_only, trait.name
        assert not re.search(r"slot|space|ages \d more|never (forage|attack)", trait.short_text), trait.name
    assert not any(card.short_text.endswith(".") for card in SCENARIO_CARDS)


@pytest.mark.parametrize("card", SCENARIO_CARDS, ids=lambda card: card.code)
def test_scenario_lines_and_texts_say_the_number(card: Scenario) -> None:
    """A Scenario card's number stands in its line and in its text."""
    for text in (card.short_text, card.full_text):
        assert not card.amount or abs(card.amount) in find_numbers(r"\b(\d+)\b", text)


def test_disputed_cards_have_a_ruling() -> None:
    """Cards on which sources disagree, or whose text we complete, have a ruling."""
    disputed_codes = {
        "BF",
        "SEA",
        "KRA",
        "COM",
        "HAR",
        "SCA",
        "TEL",
        "HYD",
        "BUR",
        "FAS",
        "RAP",
        "BRI",
        "BIO",
    }
    trait_by_code = {trait.code: trait for trait in TRAITS}
    assert all(trait_by_code[code].ruling for code in disputed_codes)
    for code, value in (("SEA", "Attack 1"), ("KRA", "13"), ("COM", "5"), ("SCA", "0")):
        assert value in trait_by_code[code].ruling


def test_cards_that_leave_a_choice_say_who_is_not_asked() -> None:
    """A card that leaves its owner a choice on other players' turns says that nobody is asked then (O15)."""
    trait_by_code = {trait.code: trait for trait in TRAITS}
    for code in ("BUR", "FAS", "RAP", "SLO", "WAR"):
        assert "Nobody is asked" in trait_by_code[code].ruling, code
    for code in ("SLO", "WAR"):
        assert "In its owner's Aging phase" in trait_by_code[code].full_text, code


def test_the_line_of_flight_names_the_targets_whose_traits_it_ignores() -> None:
    """Flight ignores nothing of a species with a Deep trait, and its line says so."""
    trait_by_code = {trait.code: trait for trait in TRAITS}
    assert "No Deep trait: ignores Schooling and Inking" in trait_by_code["FLI"].short_text
