"""One page of help for each card, plastic, line and hex, made from the tables."""

from typing import Final

from rules.arctic_cleanup.components import (
    BLOCKS,
    HATCHED_POINTS,
    LINES,
    MAPS,
    PLASTICS,
    Card,
    FactoryLine,
    Hex,
    Plastic,
    neighbours_by_face,
)
from rules.arctic_cleanup.phrases import BLOCK_EFFECT_TEXTS, CARD_NAMES, plastic_name, steps_text
from rules.text import capitalized, counted, listed
from rules.words import Topic

_EFFECTS: Final = {
    Card.PLAN: "Each point of strength changes one die: turn it, move it to the other row, or bring one in.",
    Card.MOVE: "Each point of strength spends one die of a row for one step of that row's ship.",
    Card.LOAD: "Each point of strength takes one token from a ship's tile on board.",
    Card.ANALYZE: "Each point of strength draws one token from the bag, for a tile of your ships.",
    Card.UNLOAD: "Each point of strength processes one token of a ship that touches your factory.",
}


def _card_page(card: Card) -> Topic:
    line = next(line for line, facts in LINES.items() if facts.flipped_card is card)
    text = f"{_EFFECTS[card]}\nOnce line {line.value} is full, its strength is doubled."
    return Topic(f"card-{card.value}", f"Card: {CARD_NAMES[card]}", text)


def _plastic_page(plastic: Plastic) -> Topic:
    facts = PLASTICS[plastic]
    kind = "hatched lines" if facts.points == HATCHED_POINTS else "plain lines"
    text = f"{capitalized(counted(facts.token_count, 'token'))}, {facts.points} points each, for {kind}."
    return Topic(f"plastic-{plastic.value}", f"{plastic_name(plastic)} ({facts.item})", text)


def _line_page(line: FactoryLine) -> Topic:
    facts = LINES[line]
    lines = [f"{capitalized(counted(facts.slot_count, 'slot'))}, {'hatched' if facts.hatched else 'plain'}."]
    if facts.flipped_card is not None:
        lines.append(f"Once full, it upgrades {CARD_NAMES[facts.flipped_card]} to double strength.")
    for block, block_lines in BLOCKS.items():
        last_slots = dict(block_lines)
        if line in last_slots:
            other_line = next(each for each in last_slots if each is not line)
            slots_text = f"slots {last_slots[line] - 1} and {last_slots[line]}"
            lines.append(
                f"With {other_line.value}, its {slots_text} form a block that {BLOCK_EFFECT_TEXTS[block]}."
            )
    return Topic(f"line-{line.value.lower()}", f"Line {line.value}", "\n".join(lines))


def _hex_page(place: Hex) -> Topic:
    seat_counts_by_use = {
        use: [str(seat_count) for seat_count, each in MAPS.items() if place in getattr(each, field)]
        for use, field in (("Factory site", "sites"), ("Pack ice", "ice"), ("Ocean", "ocean"))
    }
    use_texts = [
        f"{use} with {listed(counts, 'or')} players." for use, counts in seat_counts_by_use.items() if counts
    ]
    neighbours_text = f"Its neighbours, by the die that leads there: {steps_text(neighbours_by_face(place))}."
    return Topic(
        f"hex-{place.value.lower()}", f"{place.value} (hex)", "\n".join((neighbours_text, *use_texts))
    )


GLOSSARY: Final = (
    *(_card_page(card) for card in Card),
    *(_plastic_page(plastic) for plastic in Plastic),
    *(_line_page(line) for line in FactoryLine),
    *(_hex_page(place) for place in Hex),
)
