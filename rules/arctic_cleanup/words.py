"""The words of Arctic CleanUp: verbs, labels and the table that the host reads them from."""

from collections.abc import Mapping
from typing import Final

from rules.arctic_cleanup.actions import (
    Analyze,
    BringDie,
    DrawTokens,
    EndTurn,
    LoadToken,
    PlaceFactory,
    PlaceShip,
    PlaceToken,
    PlayWithoutEffect,
    RotateDie,
    SailShip,
    ShiftDie,
    UnloadToken,
)
from rules.arctic_cleanup.affected_seats import affected_seats
from rules.arctic_cleanup.boards import ship_destination
from rules.arctic_cleanup.components import FACES, SHIPS, Card, FactoryLine, Hex, Plastic
from rules.arctic_cleanup.description import (
    alt_text,
    describe,
    describe_plan_picture,
    describe_turn_picture,
    own_board_text,
    status_text,
)
from rules.arctic_cleanup.glossary import GLOSSARY
from rules.arctic_cleanup.help import OPTION_HINTS, TOPICS, VALUE_HINTS
from rules.arctic_cleanup.model import ArcticCleanUpView
from rules.arctic_cleanup.narration import narrate
from rules.arctic_cleanup.paths import path
from rules.arctic_cleanup.phrases import ARROWS, CARD_NAMES, DIRECTION_NAMES, die_text, plastic_name
from rules.arctic_cleanup.preview import preview, short_preview
from rules.arctic_cleanup.refusals import illegal_type_reason, refusal
from rules.model import Action, Names, Resign
from rules.words import VerbTexts, Words

_ROW_HINT: Final = "1 for the row of ship 1, 2 for that of ship 2"
_SHIP_HINT: Final = "Ship 1 or 2"
_FACE_HINT: Final = "The die's number, 1 to 6"
_PLASTIC_HINT: Final = "A plastic, such as PET"

VERB_TEXTS: Final[Mapping[type[Action], VerbTexts]] = {
    PlaceFactory: VerbTexts(
        "Build your factory", "Build your factory on a free site", {"place": "A hex, such as A2"}
    ),
    PlaceShip: VerbTexts(
        "Place a ship",
        "Put your next ship on a tile that touches your factory",
        {"place": "A hex, such as B2"},
    ),
    RotateDie: VerbTexts(
        "Turn a die",
        "Plan: turn a die to another number",
        {"row": _ROW_HINT, "face": _FACE_HINT, "to": "Its new number"},
    ),
    ShiftDie: VerbTexts(
        "Shift a die", "Plan: move a die to the other row", {"row": _ROW_HINT, "face": _FACE_HINT}
    ),
    BringDie: VerbTexts(
        "Bring in a die",
        "Plan: bring in a die from beside your board",
        {"row": _ROW_HINT, "face": _FACE_HINT},
    ),
    SailShip: VerbTexts("Sail", "Move: sail a ship one step", {"ship": _SHIP_HINT, "face": _FACE_HINT}),
    LoadToken: VerbTexts(
        "Load", "Load: take a token on board", {"ship": _SHIP_HINT, "plastic": _PLASTIC_HINT}
    ),
    Analyze: VerbTexts("Analyze", "Analyze: draw tokens from the bag", {"count": "How many tokens"}),
    PlaceToken: VerbTexts(
        "Place a token",
        "Analyze: put a drawn token on a tile",
        {"plastic": _PLASTIC_HINT, "ship": _SHIP_HINT},
    ),
    UnloadToken: VerbTexts(
        "Process",
        "Unload: process a token",
        {"ship": _SHIP_HINT, "plastic": _PLASTIC_HINT, "line": "H1, H2, R1 to R6"},
    ),
    PlayWithoutEffect: VerbTexts("Play without effect", "Play a card without any effect", {"card": "A card"}),
    EndTurn: VerbTexts("End turn", "End your turn", confirm=False),
}


def label(view: ArcticCleanUpView, action: Action, names: Names) -> str:
    """Name a legal action as a choice."""
    match action:
        case PlaceFactory(place=place):
            return f"Build your factory on {place.value}"
        case PlaceShip(place=place):
            seat = view.position.to_act
            assert seat is not None
            return f"Put ship {view.position.boards[seat].next_ship} on {place.value}"
        case RotateDie(row=ship, face=face, to=to):
            return f"Plan: turn {ARROWS[face]} of ship {ship} to {ARROWS[to]}"
        case ShiftDie(row=ship, face=face):
            return f"Plan: move {ARROWS[face]} of ship {ship} to ship {3 - ship}"
        case BringDie(row=ship, face=face):
            return f"Plan: new die {ARROWS[face]} for ship {ship}"
        case SailShip(ship=ship, face=face):
            return f"Move: ship {ship} {ARROWS[face]}{_destination_text(view, ship, face)}"
        case LoadToken(ship=ship, plastic=plastic):
            return f"Load: {plastic_name(plastic)} on ship {ship}"
        case Analyze(count=count):
            return f"Analyze: draw {count}"
        case PlaceToken(plastic=plastic, ship=ship):
            return f"{plastic_name(plastic)} to the tile of ship {ship}"
        case UnloadToken(ship=ship, plastic=plastic, line=line):
            return f"Unload: {plastic_name(plastic)} of ship {ship} on {line.value}"
        case PlayWithoutEffect(card=card):
            return f"Play {CARD_NAMES[card]} without effect"
        case Resign():
            return "Resign"
        case _:
            return VERB_TEXTS[type(action)].label


def _destination_text(view: ArcticCleanUpView, ship: int, face: int) -> str:
    position, seat = view.position, view.viewer
    end = None if seat is None else ship_destination(position, position.boards[seat], ship, face)
    return "" if end is None else f" to {end.value}"


def value_label(view: ArcticCleanUpView, action_type: type[Action], field: str, value: object) -> str:
    """Name the value of one field as a choice."""
    match value:
        case Plastic():
            return plastic_name(value)
        case Hex() | FactoryLine():
            return str(value.value)
        case Card():
            return CARD_NAMES[value]
        case int() if field in {"face", "to"} and value in FACES:
            return die_text(value)
        case int() if field in {"row", "ship"}:
            return f"Ship {value}"
        case _:
            return str(value)


_SHIP_NAMES: Final = {str(ship): f"ship {ship}" for ship in SHIPS}
_PLAN_VERBS: Final = ("plan",)
_TYPED_PHRASES: Final[Mapping[str, str]] = {
    # A word of its own, so that the number of a ship is not taken for that of a die.
    **{name: f"ship-s{ship}" for ship, name in _SHIP_NAMES.items()},
    **{name: str(face) for face, name in DIRECTION_NAMES.items()},
    **{name.replace(" ", "-"): str(face) for face, name in DIRECTION_NAMES.items()},
}

WORDS: Final[Words[ArcticCleanUpView]] = Words(
    verb_texts=VERB_TEXTS,
    label=label,
    value_label=value_label,
    preview=preview,
    short_preview=short_preview,
    refusal=refusal,
    illegal_type_reason=illegal_type_reason,
    narrate=narrate,
    affected_seats=affected_seats,
    status=status_text,
    describe=describe,
    alt_text=alt_text,
    own_board_text=own_board_text,
    picture_texts={"plan": describe_plan_picture, "turn": describe_turn_picture},
    typed_signs={arrow: str(face) for face, arrow in ARROWS.items()} | {"⬆": "1", "⬇": "4"},  # emoji
    typed_phrases=_TYPED_PHRASES,
    other_verbs={
        RotateDie: _PLAN_VERBS,
        ShiftDie: _PLAN_VERBS,
        BringDie: _PLAN_VERBS,
        SailShip: ("move",),
    },
    outcome_clauses={DrawTokens: "you draw from the bag"},
    passing_types=(EndTurn,),
    typed_names={
        "row": _SHIP_NAMES,
        "ship": _SHIP_NAMES,
        "face": {str(face): arrow for face, arrow in ARROWS.items()},
        "to": {str(face): f"to {arrow}" for face, arrow in ARROWS.items()},
        "plastic": {plastic.value: plastic_name(plastic) for plastic in Plastic},
        "card": {card.value: name for card, name in CARD_NAMES.items()},
    },
    how_to_win="The most points win: process plastic in your factory, and fill blocks for dice and points.",
    option_hints=OPTION_HINTS,
    value_hints=VALUE_HINTS,
    topics=TOPICS,
    glossary=GLOSSARY,
    path=path,
)
