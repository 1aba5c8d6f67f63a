"""The Surface deck: twelve traits, ten cards of each (``cards.MIGRATE_NUMBERS``)."""

from typing import Final

from rules.oceans.cards.rulings import LEECHING
from rules.oceans.cards.traits import (
    FeedsAgain,
    Gains,
    Immune,
    Immunity,
    Leeches,
    Mark,
    Prey,
    Trait,
    When,
    Where,
)

SURFACE_TRAITS: Final[tuple[Trait, ...]] = (
    Trait(
        code="AP",
        name="Apex Predator",
        family="Apex Predator",
        deep=False,
        attack=3,
        never_forage=True,
        defence=2,
        effect="Values only",
        text="It has Attack 3 and Defence 2. It never forages.",
    ),
    Trait(
        code="BF",
        name="Bottom Feeder",
        family="Bottom Feeder",
        deep=False,
        gain=2,
        abilities=(Gains(When.ATTACKED, Where.LEFT),),
        effect="Gains after an attack on its left neighbour",
        text="After an attack on the species to its left, whoever made it, it gains 2. That neighbour may "
        "be another player's.",
        ruling="One source says left and another right; we play left. It also gains when its own species "
        "was the attacker.",
    ),
    Trait(
        code="FF",
        name="Filter Feeder",
        family="Filter Feeder",
        deep=False,
        forage=5,
        never_attack=True,
        marks=(Mark.NEVER_OVERPOPULATES,),
        effect="Never overpopulates",
        text="It has Forage 5. It never attacks and never overpopulates.",
        ruling="Its last space can be filled and stays full.",
    ),
    Trait(
        code="IN",
        name="Inking",
        family="Inking",
        deep=False,
        defence=4,
        effect="Values only",
        text="It has Defence 4.",
    ),
    Trait(
        code="PA",
        name="Parasitic",
        family="Parasitic",
        deep=False,
        abilities=(Leeches(2, Prey.LEFT),),
        effect="Before feeding: leeches 2 from its left neighbour",
        text="Before its owner's feeding it leeches 2 from its left neighbour, which may be another "
        "player's.",
        ruling=LEECHING,
    ),
    Trait(
        code="SC",
        name="Schooling",
        family="Schooling",
        deep=False,
        aging=1,
        abilities=(Immune(Immunity.CROWDED, 5),),
        effect="Safe from attacks while it holds 5 or more",
        text="It ages 1 more. Nobody can attack it while it holds 5 or more population.",
    ),
    Trait(
        code="SH",
        name="Shark Cleaner",
        family="Shark Cleaner",
        deep=False,
        gain=2,
        abilities=(Gains(When.ATTACKS, Where.NEAREST, at_least=3),),
        effect="Nearest one gains after an attack with Attack 3 or more",
        text="After a species with Attack 3 or more attacks, it gains 2, if no other Shark Cleaner stands "
        "nearer to the attacker on that side.",
        ruling="The attacker's whole Attack counts, however little it took. An attacker's own Shark Cleaner "
        "does not gain and does not count as the nearest. One that is alone at the table gains once, not "
        "from both sides.",
    ),
    Trait(
        code="SP",
        name="Speed",
        family="Speed",
        deep=False,
        forage=2,
        attack=2,
        defence=2,
        slots=1,
        effect="Values only",
        text="It has Forage 2, Attack 2, Defence 2 and 1 more trait slot.",
    ),
    Trait(
        code="SY",
        name="Symbiotic",
        family="Symbiotic",
        deep=False,
        gain=1,
        abilities=(Gains(When.FEEDS, Where.LEFT),),
        effect="Gains after its left neighbour feeds",
        text="After its left neighbour forages or attacks, it gains 1. That neighbour may be another "
        "player's.",
    ),
    Trait(
        code="TE",
        name="Tentacled",
        family="Tentacled",
        deep=False,
        abilities=(FeedsAgain(feedings=1),),
        effect="May feed once more",
        text="When it is the species that feeds, it may feed 1 more time: forage or attack, as it likes.",
        ruling="Each copy allows 1 more feeding, and each of them may be passed.",
    ),
    Trait(
        code="TR",
        name="Transparent",
        family="Transparent",
        deep=False,
        abilities=(Immune(Immunity.REEF_HOLDS),),
        marks=(Mark.NO_LEECHING_WHILE_REEF,),
        effect="No attacks on it, no leeching, unless the Reef is empty",
        text="As long as there is population in the Reef, nobody can attack or leech it.",
    ),
    Trait(
        code="WC",
        name="Whale Cleaner",
        family="Whale Cleaner",
        deep=False,
        gain=3,
        abilities=(Gains(When.FORAGES, Where.NEAREST, at_least=3),),
        effect="Nearest one gains after a forage with Forage 3 or more",
        text="After a species with Forage 3 or more forages, it gains 3, if no other Whale Cleaner stands "
        "nearer to the forager on that side.",
        ruling="The forager's whole Forage counts, however little it took. A forager's own Whale Cleaner "
        "does not gain and does not count as the nearest. One that is alone at the table gains once, not "
        "from both sides.",
    ),
)
"""In the page's order, which is the alphabet's."""
