"""Signs, names and printed values of traits, as they fit on cards and into cells."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import msgspec

from render.glyphs import Glyph, draw_glyph
from render.oceans.palette import ATTACK_RED, GREEN
from render.oceans.signs import SIGNS
from render.oceans.value_signs import FANG, FISH, HOURGLASS, LEAF, SHIELD, SLOT_WITH_PLUS, THREE_SPACES
from render.scene import Box, Colour, Item, Text, Typeface
from render.theme import CONTOUR, DEEP_BLUE, INK, SECONDARY_INK, WATER, WHITE
from render.typeset import fit_text
from rules.oceans.cards.traits import Trait

_SHORT_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Apex Predator": "Apex",
        "Bottom Feeder": "Bottom F.",
        "Filter Feeder": "Filter F.",
        "Shark Cleaner": "Shark Cl.",
        "Transparent": "Transpar.",
        "Whale Cleaner": "Whale Cl.",
        "Abyss Dweller": "Abyss D.",
        "Acute Smell": "Acute S.",
        "Advanced Eyes": "Adv. Eyes",
        "Bioluminescence": "Biolumin.",
        "Biotic Cycle Reversal": "Reversal",
        "Bright Coloration": "Bright C.",
        "Bubble Net": "Bubbles",
        "Camouflage": "Camoufl.",
        "Cavitation Bullet": "Cavitation",
        "Chitin-Plated Maw": "Chitin M.",
        "Communication": "Commun.",
        "Coprophagia": "Coproph.",
        "Crushing Jaw": "Crush. J.",
        "Cthulhu Leech": "Cthulhu",
        "Deep Apex Predator": "Deep Apex",
        "Deep Bottom Feeder": "Deep Bott.",
        "Deep Diver": "Diver",
        "Deep Filter Feeder": "Deep Filt.",
        "Deep Inking": "Deep Ink.",
        "Deep Parasitic": "Deep Par.",
        "Deep Schooling": "Deep Sch.",
        "Deep Shark Cleaner": "Deep Sh.",
        "Deep Speed": "Deep Sp.",
        "Deep Symbiotic": "Deep Sym.",
        "Deep Tentacled": "Deep Tent.",
        "Deep Transparent": "Deep Tra.",
        "Deep Whale Cleaner": "Deep Wh.",
        "Deep-Sea Kraken": "Sea Krak.",
        "Defensive Spines": "Spines",
        "Dense Population": "Dense P.",
        "Electroreception": "Electro.",
        "Extremophile": "Extremo.",
        "Fast Metabolism": "Fast Met.",
        "Filter Kraken": "Filter Kr.",
        "Gargantuan": "Gargant.",
        "Gene Transfer": "Gene Tr.",
        "Gentle Giant": "Gentle G.",
        "Giant Cephalopod": "Giant C.",
        "Gigantic Brain": "Brain",
        "Gigantic Scavenger": "Gig. Scav.",
        "Goethite Exoskeleton": "Goethite",
        "Impostor Cleaner (shark)": "Imp. Sh.",
        "Impostor Cleaner (whale)": "Imp. Wh.",
        "Kleptoparasitic": "Klepto.",
        "Living Ecosystem": "Living E.",
        "Luminous Bacteria": "Luminous",
        "Massive Fins": "Mass. Fins",
        "Megamouth": "Megam.",
        "Migratory Filter Feeder": "Migr. F. F.",
        "Mucus Cocoon": "Mucus C.",
        "Neurotoxin": "Neurotox.",
        "Pack Hunting": "Pack H.",
        "Parasite Cleaner": "Paras. Cl.",
        "Pathogen Cultivation": "Pathogen",
        "Poisonous Inking": "Pois. Ink",
        "Poisonous Spines": "Pois. Sp.",
        "Rapid Mutation": "Rapid M.",
        "Regeneration": "Regener.",
        "Rows of Teeth": "Teeth",
        "Sedentary Colony": "Colony",
        "Slow Metabolism": "Slow Met.",
        "Telomere Repair": "Telomere",
        "Tentacle Leech": "Tent. L.",
        "The Kraken": "Kraken",
        "Vestigial Limb": "Vestigial",
        "Voracious Feeder": "Voracious",
        "Warm Blooded": "Warm Bl.",
        "Zooplankton": "Zooplank.",
    }
)


def heading_text(trait: Trait, size: float, colour: Colour, max_width: float, spare_width: float = 0) -> Text:
    """Return the name on a card as a text; if it does not fit, its last word is abbreviated.

    ``spare_width``: how much more width a name may take that would be cut without it.
    """
    label = Text(0, 0, trait.printed_name, size, colour, max_width, Typeface.BOLD)
    if fit_text(label).is_cut:
        label = msgspec.structs.replace(label, max_width=max_width + spare_width)
    if fit_text(label).is_cut:
        start, *last_word = trait.printed_name.rsplit(" ", 1)
        label = msgspec.structs.replace(label, text=" ".join((start, *(f"{word[0]}." for word in last_word))))
    return label


def short_name(trait: Trait) -> str:
    """Return a name that fits into one line of a cell."""
    return _SHORT_NAMES.get(trait.name, trait.name)


def count_suffix(count: int) -> str:
    """Return what follows a name that stands for so many traits; empty for one."""
    return f" \u00d7{count}" if count > 1 else ""


def draw_trait_sign(
    trait: Trait,
    x: float,
    y: float,
    size: float,
    colour: Colour | None = None,
    background: Colour | None = None,
) -> tuple[Item, ...]:
    """Draw a trait's sign centred on (x, y)."""
    if colour is None:
        colour = WHITE if trait.is_deep else INK
    if background is None:
        background = DEEP_BLUE if trait.is_deep else WATER
    return draw_glyph(SIGNS[trait.family], x, y, size, colour, background)


@lru_cache(maxsize=256)
def draw_trait_tile(trait: Trait, x: float, y: float, size: float = 27) -> tuple[Item, ...]:
    """Draw a sign on its tile, centred on (x, y): pale for Surface traits, dark for Deep ones."""
    half = size / 2
    background = Box(x - half, y - half, size, size, size * 0.22, DEEP_BLUE if trait.is_deep else WATER)
    return (background, *draw_trait_sign(trait, x, y, size * 0.8))


# Printed values -----------------------------------------------------------------------------------------

_VALUE_SIGNS: Final[tuple[tuple[str, Glyph, Colour], ...]] = (
    ("forage", LEAF, GREEN),
    ("attack", FANG, ATTACK_RED),
    ("defence", SHIELD, SECONDARY_INK),
    ("gain", FISH, CONTOUR),
    ("extra_slots", SLOT_WITH_PLUS, INK),
    ("extra_spaces", THREE_SPACES, SECONDARY_INK),
    ("extra_aging", HOURGLASS, INK),
)


def printed_values(trait: Trait) -> tuple[tuple[Glyph, Colour, str | None], ...]:
    """Return the values printed on a card: sign, its colour, number (None: the species can never do it)."""
    values: list[tuple[Glyph, Colour, str | None]] = []
    never = {"forage": trait.never_forages, "attack": trait.never_attacks}
    for name, glyph, colour in _VALUE_SIGNS:
        if never.get(name):
            values.append((glyph, colour, None))
            continue
        value = getattr(trait, name)
        if value:
            is_addition = name not in {"forage", "attack", "defence"}
            values.append((glyph, colour, f"+{value}" if is_addition else str(value)))
    return tuple(values)
