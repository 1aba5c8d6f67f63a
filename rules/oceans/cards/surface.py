"""The Surface deck: twelve traits, ten cards of each (``decks.MIGRATE_NUMBERS``)."""

from typing import Final

from rules.oceans.cards.traits import (
    ExtraFeedings,
    Gain,
    Immunity,
    ImmunityCondition,
    Leech,
    PreFeedingTargets,
    Scope,
    Trait,
    TraitFlag,
    Trigger,
)

LEECHING_RULING: Final = (
    "Leeching is no attack, so Defence does not help. It takes what is there and fits on the board. "
    "A species left with nothing lives on."
)
"""The ruling of every card that leeches."""

SURFACE_TRAITS: Final[tuple[Trait, ...]] = (
    Trait(
        "AP",
        "Apex Predator",
        "",
        "It has Attack 3 and Defence 2. It never forages.",
        attack=3,
        never_forages=True,
        defence=2,
    ),
    Trait(
        "BF",
        "Bottom Feeder",
        "Gains after an attack on its left neighbour",
        "After any attack on the species to its left, it gains 2. That neighbour may be another player's.",
        gain=2,
        abilities=(Gain(Trigger.ATTACKED, Scope.LEFT),),
        ruling="One source says left and another right. We play left. It also gains when its own species "
        "was the attacker.",
    ),
    Trait(
        "FF",
        "Filter Feeder",
        "Never overpopulates",
        "It has Forage 5. It never attacks and never overpopulates.",
        forage=5,
        never_attacks=True,
        flags=(TraitFlag.NEVER_OVERPOPULATES,),
        ruling="Its last space can be filled and stays full.",
    ),
    Trait(
        "IN",
        "Inking",
        "",
        "It has Defence 4.",
        defence=4,
    ),
    Trait(
        "PA",
        "Parasitic",
        "Before feeding: leeches 2 from its left neighbour",
        "Before its owner's feeding it leeches 2 from its left neighbour, which may be another player's.",
        abilities=(Leech(2, PreFeedingTargets.LEFT),),
        ruling=LEECHING_RULING,
    ),
    Trait(
        "SC",
        "Schooling",
        "Safe from attacks while it holds 5 or more",
        "It ages 1 more. Nobody can attack it while it holds 5 or more population.",
        extra_aging=1,
        abilities=(Immunity(ImmunityCondition.LARGE_POPULATION, 5),),
    ),
    Trait(
        "SH",
        "Shark Cleaner",
        "Nearest one gains after an attack with Attack 3 or more",
        "It gains 2 after another species with Attack 3 or more attacks. On each side of the "
        "attacker only the nearest Shark Cleaner gains.",
        gain=2,
        abilities=(Gain(Trigger.ATTACKS, Scope.NEAREST, min_strength=3),),
        ruling="The attacker's whole Attack counts, however little it took. An attacker's own Shark Cleaner "
        "does not gain and does not count as the nearest. If there is only one at the table, it gains "
        "once, not from both sides.",
    ),
    Trait(
        "SP",
        "Speed",
        "",
        "It has Forage 2, Attack 2, Defence 2 and 1 more trait slot.",
        forage=2,
        attack=2,
        defence=2,
        extra_slots=1,
    ),
    Trait(
        "SY",
        "Symbiotic",
        "Gains after its left neighbour feeds",
        "After its left neighbour forages or attacks, it gains 1. That neighbour may be another player's.",
        gain=1,
        abilities=(Gain(Trigger.FEEDS, Scope.LEFT),),
    ),
    Trait(
        "TE",
        "Tentacled",
        "May feed once more",
        "When it is the species that feeds, it may feed 1 more time: forage or attack, as it likes.",
        abilities=(ExtraFeedings(feedings=1),),
        ruling="Each copy allows 1 more feeding. Every further feeding may be passed.",
    ),
    Trait(
        "TR",
        "Transparent",
        "No attacks on it, no leeching, unless the Reef is empty",
        "As long as there is population in the Reef, nobody can attack or leech it.",
        abilities=(Immunity(ImmunityCondition.REEF_NOT_EMPTY),),
        flags=(TraitFlag.NEVER_LEECHED_UNLESS_REEF_EMPTY,),
    ),
    Trait(
        "WC",
        "Whale Cleaner",
        "Nearest one gains after a forage with Forage 3 or more",
        "It gains 3 after another species with Forage 3 or more forages. On each side of the "
        "forager only the nearest Whale Cleaner gains.",
        gain=3,
        abilities=(Gain(Trigger.FORAGES, Scope.NEAREST, min_strength=3),),
        ruling="The forager's whole Forage counts, however little it took. A forager's own Whale Cleaner "
        "does not gain and does not count as the nearest. If there is only one at the table, it gains "
        "once, not from both sides.",
    ),
)
