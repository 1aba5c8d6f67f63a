"""The words of Australis: verbs, labels and the table that the host reads them from."""

from collections.abc import Mapping
from typing import Final

from rules.australis.actions import (
    ActivateAll,
    ActivateCard,
    ChooseTile,
    KeepCard,
    LeaveCorals,
    MoveCoral,
    PlaceCoral,
    RevealCards,
    RollCompetition,
    RollDice,
    TakeDie,
    UseCard,
)
from rules.australis.affected_seats import affected_seats
from rules.australis.competition_text import describe_competition_picture
from rules.australis.components import Card, Die, TileColour
from rules.australis.description import alt_text, describe, own_board_text, status_text
from rules.australis.glossary import GLOSSARY
from rules.australis.help import HOW_TO_WIN, OPTION_HINTS, TOPICS, VALUE_HINTS
from rules.australis.model import AustralisView
from rules.australis.narration import is_routine, narrate
from rules.australis.paths import path
from rules.australis.phrases import card_name, card_text, die_name, die_text, tile_label
from rules.australis.preview import preview, short_preview
from rules.australis.refusals import illegal_type_reason, refusal
from rules.model import Action, Names, Resign
from rules.text import capitalized
from rules.words import VerbTexts, Words

_CARD_HINT: Final = "A card on the display, such as blue-turtle"

VERB_TEXTS: Final[Mapping[type[Action], VerbTexts]] = {
    TakeDie: VerbTexts(
        "Take a die", "Take a die from the board", {"die": "A die on the board, such as blue-6"}
    ),
    ActivateAll: VerbTexts("Activate all, turtle first", "Activate your cards: turtle, coral, fish, points"),
    ActivateCard: VerbTexts(
        "Activate a card", "Choose which of your cards comes first", {"card": "A card that still waits"}
    ),
    PlaceCoral: VerbTexts(
        "Place a coral", "Place a coral on a reef", {"reef": "The reef's number, from 3 to 8"}
    ),
    MoveCoral: VerbTexts(
        "Move a coral",
        "Your supply is empty: move a placed coral",
        {"start": "The reef it leaves", "end": "The reef it goes to"},
    ),
    LeaveCorals: VerbTexts("Move no coral", "Your supply is empty: leave your corals where they are"),
    KeepCard: VerbTexts("Keep a card", "Pick a card and keep it for later dice", {"card": _CARD_HINT}),
    UseCard: VerbTexts("Use a card", "Pick a card and use it at once", {"card": _CARD_HINT}),
    ChooseTile: VerbTexts(
        "Choose a tile", "You won the competition: choose a tile", {"tile": "gold or silver"}
    ),
}


def label(view: AustralisView, action: Action, names: Names) -> str:
    """Name a legal action as a choice."""
    match action:
        case TakeDie(die=die):
            return f"Take {die_text(die)}"
        case ActivateCard(card=card):
            return f"First the {card_text(card)}"
        case PlaceCoral(reef=reef):
            return f"Place a coral on reef {reef}"
        case MoveCoral(start=start, end=end):
            return f"Move a coral from reef {start} to reef {end}"
        case KeepCard(card=card):
            return f"Keep the {card_text(card)}"
        case UseCard(card=card):
            return f"Use the {card_text(card)} at once"
        case ChooseTile(tile=tile):
            return f"Take {tile_label(tile, view.position.round)}"
        case Resign():
            return "Resign"
        case _:
            return VERB_TEXTS[type(action)].label


def value_label(view: AustralisView, action_type: type[Action], field: str, value: object) -> str:
    """Name the value of one field as a choice."""
    match value:
        case Die():
            return die_name(value)
        case Card():
            return capitalized(card_text(value))
        case TileColour():
            return capitalized(tile_label(value, view.position.round))
        case int() if field in {"reef", "start", "end"}:
            return f"Reef {value}"
        case _:
            return str(value)


WORDS: Final[Words[AustralisView]] = Words(
    verb_texts=VERB_TEXTS,
    label=label,
    value_label=value_label,
    preview=preview,
    short_preview=short_preview,
    refusal=refusal,
    illegal_type_reason=illegal_type_reason,
    narrate=narrate,
    is_routine=is_routine,
    affected_seats=affected_seats,
    status=status_text,
    describe=describe,
    alt_text=alt_text,
    own_board_text=own_board_text,
    outcome_clauses={
        RollDice: "the dice are rolled",
        RevealCards: "the display is refilled",
        RollCompetition: "the dice of the competition are rolled",
    },
    passing_types=(LeaveCorals,),
    typed_names={
        "die": {die.value: die_name(die) for die in Die},
        "card": {card.value: card_name(card) for card in Card},
    },
    picture_texts={"competition": describe_competition_picture},
    how_to_win=HOW_TO_WIN,
    option_hints=OPTION_HINTS,
    value_hints=VALUE_HINTS,
    topics=TOPICS,
    glossary=GLOSSARY,
    path=path,
)
