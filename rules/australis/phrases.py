"""Dice, cards, reefs, cubes and tiles as words in sentences."""

from collections.abc import Sequence

from rules.australis.components import (
    CARD_FACTS,
    CARD_POINTS,
    FACE_FACTS,
    LAST_ROUND_WITH_CUBE,
    LOWEST_REEF,
    MAX_CARDS_PER_COLOUR,
    NUMBER_DIE_VALUES,
    TILE_POINTS,
    Card,
    CardFunction,
    Colour,
    Die,
    FaceFacts,
    TileColour,
    reef_of_space,
)
from rules.australis.legal import COLOUR_KEPT_UNDER
from rules.text import counted, counted_in_digits, listed

# Dice -----------------------------------------------------------------------------------------------


def die_text(die: Die) -> str:
    """Return a die in a sentence: "the blue 6", "the white die with one card and two points"."""
    face = FACE_FACTS[die]
    if face.number:
        return f"the {face.colour.value} {face.number}"
    face_part = face_text(die)
    return f"the {face.colour.value} die with {face_part}" if face_part else f"the {face.colour.value} die"


def face_text(die: Die) -> str:
    """Return what a white or yellow face shows: "four fish and one point"."""
    face = FACE_FACTS[die]
    parts = (
        counted(face.card_count, "card") if face.card_count else "",
        fish_text(face.fish) if face.fish else "",
        points_text(face.circle_count) if face.circle_count else "",
    )
    return listed([text for text in parts if text])


def die_name(die: Die) -> str:
    """Return a die in few characters: "Blue 6", "White: 1 card, 3 points", "Red"."""
    face = FACE_FACTS[die]
    colour = face.colour.value.capitalize()
    if face.number:
        return f"{colour} {face.number}"
    face_parts = _face_parts(face)
    return f"{colour}: {', '.join(face_parts)}" if face_parts else colour


def dice_text(dice: Sequence[Die]) -> str:
    """Return dice by colour: "white 2 cards · blue 2, 6 · red"; empty without any."""
    texts = []
    for colour in Colour:
        same_colour_dice = [die for die in dice if FACE_FACTS[die].colour is colour]
        values_text = ", ".join(_face_text_in_digits(FACE_FACTS[die]) for die in same_colour_dice)
        if same_colour_dice:
            texts.append(f"{colour.value} {values_text}".strip())
    return " · ".join(texts)


def _face_text_in_digits(face: FaceFacts) -> str:
    return str(face.number) if face.number else " + ".join(_face_parts(face))


def _face_parts(face: FaceFacts) -> list[str]:
    """Return what a white or yellow face shows, in digits: "4 fish", "1 point"."""
    parts = (
        count_text_or_empty(face.card_count, "card"),
        f"{face.fish} fish" if face.fish else "",
        count_text_or_empty(face.circle_count, "point"),
    )
    return [part for part in parts if part]


def number_dice_text(colours: Sequence[Colour]) -> str:
    """Return number dice by colour: "a blue die and two purple dice"."""
    return listed(
        [
            _counted_dice_text(colour, colours.count(colour))
            for colour in NUMBER_DIE_VALUES
            if colour in colours
        ]
    )


def _counted_dice_text(colour: Colour, count: int) -> str:
    return f"a {colour.value} die" if count == 1 else counted(count, "", f"{colour.value} dice")


# Cards ----------------------------------------------------------------------------------------------


def card_name(card: Card) -> str:
    """Return a card in two words: "blue turtle"."""
    facts = CARD_FACTS[card]
    return f"{facts.colour.value} {facts.function.value}"


def card_text(card: Card) -> str:
    """Return a card in a sentence: "blue turtle card"."""
    return f"{card_name(card)} card"


def cards_text(cards: Sequence[Card]) -> str:
    """Return several cards: "blue turtle, white fish (2)", or "none"."""
    texts = [
        card_name(card) if cards.count(card) == 1 else f"{card_name(card)} ({cards.count(card)})"
        for card in dict.fromkeys(cards)
    ]
    return ", ".join(texts) or "none"


def cards_by_colour_text(cards: Sequence[Card]) -> str:
    """Return cards by colour: "white fish, coral · blue turtle"; empty without any."""
    functions_by_colour: dict[Colour, list[str]] = {}
    for card in cards:
        facts = CARD_FACTS[card]
        functions_by_colour.setdefault(facts.colour, []).append(facts.function.value)
    return " · ".join(f"{colour.value} {', '.join(each)}" for colour, each in functions_by_colour.items())


def kept_already_text(kept_cards: Sequence[Card], card: Card) -> str:
    """Return why a card that may be used cannot be kept besides these, in a clause."""
    if card in kept_cards:
        return f"you already keep a {card_text(card)}"
    colour = CARD_FACTS[card].colour
    kept_text = listed([card_name(kept) for kept in kept_cards if COLOUR_KEPT_UNDER[kept] is colour])
    return f"you already keep {MAX_CARDS_PER_COLOUR} {colour.value} cards ({kept_text}), the most allowed"


def effect_text(function: CardFunction, space: int, *, has_supply: bool) -> str:
    """Return what a card of this function does each time.

    ``space``: that of the seat's turtle now; ``has_supply``: corals are left to place.
    """
    reefs = f"your turtle's reef (now reef {reef_of_space(space)}) or a lower one"
    if function is CardFunction.CORAL and not has_supply:
        return f"you may move one coral to {reefs}"
    return {
        CardFunction.POINTS: points_text(CARD_POINTS),
        CardFunction.FISH: fish_text(1),
        CardFunction.TURTLE: "your turtle swims one space",
        CardFunction.CORAL: f"one coral on {reefs}",
        CardFunction.COMPETITION: "+1 on each die of its colour",
    }[function]


# Numbers of things ----------------------------------------------------------------------------------


def count_text_or_empty(count: int, noun: str) -> str:
    """Return "1 card", "3 cards"; empty for 0."""
    return counted_in_digits(count, noun) if count else ""


def fish_text(count: int) -> str:
    """Return "one fish", "four fish"."""
    return counted(count, "fish", "fish")


def points_text(points: int) -> str:
    """Return "one point", "12 points"."""
    return counted(points, "point")


def cubes_text(cube_count: int) -> str:
    """Return "a cube", "two cubes"."""
    return "a cube" if cube_count == 1 else counted(cube_count, "cube")


def allowed_reefs_text(highest: int) -> str:
    """Return where a coral may go: "reef 3", "reef 6 or a lower one"."""
    return f"reef {highest}" if highest == LOWEST_REEF else f"reef {highest} or a lower one"


def reef_numbers_text(reefs: Sequence[int]) -> str:
    """Return "reef 3", "reefs 3, 5 and 6"."""
    return f"reef{'s' if len(reefs) > 1 else ''} {listed([str(reef) for reef in reefs])}"


def tile_text(tile: TileColour, points: int) -> str:
    """Return "the silver tile (3 points)"."""
    return f"the {tile.value} tile ({count_text_or_empty(points, 'point')})"


def tile_label(tile: TileColour, round_number: int) -> str:
    """Return a tile with what it brings: "silver (3 points, 1 cube)"."""
    points_part = count_text_or_empty(TILE_POINTS[tile][round_number - 1], "point")
    brings_cube = tile is TileColour.SILVER and round_number <= LAST_ROUND_WITH_CUBE
    return f"{tile.value} ({points_part}{', 1 cube' if brings_cube else ''})"


def short_face_text(die: Die) -> str:
    """Return a face as in tables: "1c+3p" (c cards, f fish, p points), or its number."""
    face = FACE_FACTS[die]
    if face.number:
        return str(face.number)
    signs = ((face.card_count, "c"), (face.fish, "f"), (face.circle_count, "p"))
    return "+".join(f"{count}{sign}" for count, sign in signs if count)


def occupied_text(spaces: range) -> str:
    """Return that neighbouring spaces are occupied: "7 is occupied", "7 to 9 are occupied"."""
    if len(spaces) > 2:
        return f"{spaces[0]} to {spaces[-1]} are occupied"
    return f"{listed([str(space) for space in spaces])} {'is' if len(spaces) == 1 else 'are'} occupied"
