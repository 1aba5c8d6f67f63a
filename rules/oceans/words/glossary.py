"""One page of help for each card, made from the card tables."""

from typing import Final

from rules.oceans.cards.decks import MIGRATE_NUMBERS
from rules.oceans.cards.deep import DEEP_TRAITS
from rules.oceans.cards.scenarios import SCENARIO_CARDS, Scenario
from rules.oceans.cards.surface import SURFACE_TRAITS
from rules.oceans.cards.traits import Trait
from rules.oceans.words.phrases import printed_values_text
from rules.text import capitalized
from rules.words import Topic


def _topic_key(name: str) -> str:
    """Return a name in lower case, its words joined by hyphens."""
    letters = (letter if letter.isalnum() else "-" for letter in name.lower())
    return "-".join(part for part in "".join(letters).split("-") if part)


def _trait_page(trait: Trait) -> Topic:
    numbers = ", ".join(str(number) for number in MIGRATE_NUMBERS)
    if trait.is_deep:
        easy_text = "" if trait.is_easy else " The easy Deep deck leaves it out."
        cost_text = f"It costs {trait.number} and migrates {trait.number}."
        kind_text = f"Deep trait `{trait.code}`, one card. {cost_text}{easy_text}"
    else:
        kind_text = f"Surface trait `{trait.code}`, ten cards that migrate {numbers}."
    values_text = printed_values_text(trait)
    has_numbers = any(map(str.isdecimal, values_text))  # the text says all else
    paragraphs = [
        kind_text,
        f"**{capitalized(values_text)}.**" if has_numbers else "",
        trait.full_text,
        _ruling_text(trait.ruling),
    ]
    return Topic(_topic_key(trait.name), trait.name, _join_paragraphs(paragraphs))


def _scenario_page(scenario: Scenario) -> Topic:
    kind_text = (
        "Scenario event (purple): it happens each time its zone becomes empty, even if the zone is filled "
        "again before emptied zones are checked."
        if scenario.is_event
        else "Ongoing Scenario card (blue): in force while its zone is empty. It stops as soon as population "
        "comes into the zone again."
    )
    notes = [
        "A promotional card." if scenario.is_promo else "",
        f"Aggressive ({scenario.teeth} of 3 shark teeth)." if scenario.teeth else "",
        f"Complexity {scenario.complexity} of 4." if scenario.complexity else "",
    ]
    notes_text = " ".join(note for note in notes if note)
    paragraphs = [kind_text, scenario.full_text, _ruling_text(scenario.ruling), notes_text]
    return Topic(_topic_key(scenario.name), scenario.name, _join_paragraphs(paragraphs))


def _ruling_text(ruling: str) -> str:
    return f"House rule: {ruling}" if ruling else ""


def _join_paragraphs(paragraphs: list[str]) -> str:
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


GLOSSARY: Final = (
    *(_trait_page(trait) for trait in (*SURFACE_TRAITS, *DEEP_TRAITS)),
    *(_scenario_page(scenario) for scenario in SCENARIO_CARDS),
)
"""Every trait, then every Scenario card."""
