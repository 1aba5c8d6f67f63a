"""One page of help for each kind of card and each colour of dice, made from their tables."""

from typing import Final

from rules.australis.components import (
    CARD_FACTS,
    CARD_POINTS,
    DIE_FACES,
    NUMBER_DIE_VALUES,
    Card,
    CardFacts,
    CardFunction,
    Colour,
)
from rules.australis.phrases import card_text, face_text
from rules.text import capitalized, counted
from rules.words import Topic

_FUNCTION_TEXTS: Final = {
    CardFunction.POINTS: f"You score {CARD_POINTS} points.",
    CardFunction.FISH: "You catch one fish.",
    CardFunction.TURTLE: "Your turtle swims one space, and on to the next free one if that is occupied.",
    CardFunction.CORAL: "You place a coral on the reef at your turtle, or on a lower one.",
}
_DIE_TEXTS: Final = {
    Colour.WHITE: "One point for each circle, then you pick one or two cards on the display.",
    Colour.YELLOW: "One point for each circle, and the fish shown.",
    Colour.BLUE: "Your turtle swims that many spaces.",
    Colour.PURPLE: "You place a coral on the reef of that number, or on a lower one.",
    Colour.RED: "You get the first player token and start the next round. There is one red die.",
}


def _card_page(card: Card, facts: CardFacts) -> Topic:
    colour = facts.colour.value
    if facts.function is CardFunction.COMPETITION:
        effect = (
            f"Adds 1 to each of your {colour} dice in every roll of the competition. "
            "It must always be added. You cannot use it at once."
        )
    else:
        kept_or_used = f"Kept, it works each time you take a {colour} die. Used, it works once."
        effect = f"{_FUNCTION_TEXTS[facts.function]}\n\n{kept_or_used}"
    copies_text = counted(facts.copy_count, "copy", "copies")
    more = (
        f", with four players {counted(facts.shell_copy_count, 'more', 'more')}"
        if facts.shell_copy_count
        else ""
    )
    return Topic(
        card.value,
        capitalized(card_text(card)),
        f"{effect}\n\n{capitalized(copies_text)}{more} (assumed numbers).",
    )


def _die_page(colour: Colour) -> Topic:
    values = NUMBER_DIE_VALUES.get(colour)
    lines = [_DIE_TEXTS[colour]]
    if colour in {Colour.WHITE, Colour.YELLOW}:
        lines.append(
            "Its faces: " + " · ".join(face_text(die) for die in DIE_FACES[colour]) + " (assumed numbers)."
        )
    if values is None:
        lines.append("It does not compete.")
    else:
        lines.append(f"In the competition it rolls {values[0]} to {values[-1]}.")
    return Topic(f"{colour.value}-die", f"{capitalized(colour.value)} die", "\n\n".join(lines))


GLOSSARY: Final = (
    *(_die_page(colour) for colour in Colour),
    *(_card_page(card, facts) for card, facts in CARD_FACTS.items()),
)
