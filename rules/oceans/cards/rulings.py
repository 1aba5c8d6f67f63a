"""Rulings that several cards share."""

from typing import Final

DEFENSIVE: Final = (
    "A defensive trait is one with a Defence value or one that limits who may attack its species."
)
IMMUNITY: Final = "Only the ban on attacking is ignored; Defence values still count."
TAKING: Final = "Taking is no attack, no leeching and no gain, so no Defence or ban on attacks stops it."
LEECHING: Final = (
    "Leeching is no attack, so Defence does not help. It takes what is there and fits on the board, "
    "and a species left with nothing lives on."
)
LEECHING_TRAITS: Final = (
    "Leeching traits are both kinds of Parasitic, Chitin-Plated Maw and Tentacle Leech. "
    "Cthulhu Leech is none."
)
ARRIVAL: Final = "It reacts to its own arrival as well."
STING: Final = "A species that holds less loses what it has and lives on."
