"""The words of Currents: verbs, labels and the table that the host reads them from."""

from collections.abc import Mapping
from typing import Final

from rules.currents.actions import (
    CallJack,
    CallJoker,
    CallKing,
    CallQueen,
    ChooseAxis,
    Concede,
    Deal,
    Defend,
    DiscardCard,
    JokerShuffle,
    PlaceAce,
    PlayCompass,
    PlayCurrent,
)
from rules.currents.affected_seats import affected_seats
from rules.currents.board import GEOMETRIES, card_on_place, card_on_slot, reaches_pawn
from rules.currents.components import DECK_INDEX, RANKS, SUIT_BY_CARD, SUITS, Axis, Card, Rotation
from rules.currents.description import alt_text, describe, hand_text, status_text
from rules.currents.help import OPTION_HINTS, TOPICS, VALUE_HINTS
from rules.currents.highlights import highlights
from rules.currents.model import CurrentsView, Position
from rules.currents.narration import narrate
from rules.currents.paths import path
from rules.currents.phrases import (
    AXIS_WORDS,
    PLACE_WORDS,
    ROTATION_WORDS,
    SUIT_SIGNS,
    SUIT_WORDS,
    card_in_sentence,
    card_or_empty_text,
    card_text,
    cards_text,
    push_text,
    shuffled_parts_text,
)
from rules.currents.preview import needs_confirmation, preview, short_preview
from rules.currents.refusals import illegal_type_reason, refusal
from rules.model import Action, Names, Resign
from rules.text import capitalized
from rules.words import VerbTexts, Words

_CARD_HINT: Final = "A card of your hand, such as 10H"
_SLOT_NAMES: Final = {slot: slot for geometry in GEOMETRIES.values() for slot in geometry.slots}
_PLACE_HINT: Final = "A compass place: N, E, S or W (X, Y or Z on the triangle)"
_SLOT_HINT: Final = "A current slot, such as N2: north side, third from the west"
_THEN_HINT: Final = "Option combo: a stronger card of another suit that follows at once"

VERB_TEXTS: Final[Mapping[type[Action], VerbTexts]] = {
    ChooseAxis: VerbTexts("Choose goals", "Name your two goal edges", {"axis": "NS or EW"}),
    PlaceAce: VerbTexts(
        "Lay an ace",
        "Lay an ace on the compass",
        {"ace": "One of the aces left", "place": _PLACE_HINT},
    ),
    PlayCurrent: VerbTexts(
        "Lay a current",
        "Lay a card beside the board",
        {"card": _CARD_HINT, "slot": _SLOT_HINT, "then": _THEN_HINT},
    ),
    PlayCompass: VerbTexts(
        "Lay on the compass",
        "Lay a card on the compass",
        {"card": _CARD_HINT, "place": _PLACE_HINT, "then": _THEN_HINT},
    ),
    CallJack: VerbTexts(
        "Call a Jack",
        "Remove a compass card",
        {"card": "A Jack of your hand", "place": _PLACE_HINT},
    ),
    CallQueen: VerbTexts(
        "Call a Queen",
        "Swap two current slots",
        {"card": "A Queen of your hand", "slot": _SLOT_HINT, "other": "The slot to swap it with"},
    ),
    CallKing: VerbTexts(
        "Call a King",
        "Turn the compass",
        {"card": "A King of your hand", "rotation": "cw or ccw"},
    ),
    CallJoker: VerbTexts(
        "Call a Joker",
        "Shuffle what jokers shuffle here",
        {"card": "RJ (red) or BJ (black)"},
    ),
    DiscardCard: VerbTexts(
        "Discard a card",
        "Discard a card while the compass is full",
        {"card": _CARD_HINT},
    ),
    Defend: VerbTexts(
        "Stop the pawn",
        "Give up cards to stop the pawn at the edge it would cross",
        {"cards": "The cards, joined by commas: 5C,9C"},
    ),
    Concede: VerbTexts("Let it pass", "Do not stop the pawn: its goal's owner wins"),
}


def label(view: CurrentsView, action: Action, names: Names) -> str:
    """Name a legal action as a choice."""
    position = view.position
    match action:
        case ChooseAxis(axis=axis):
            return f"Aim for {AXIS_WORDS[axis]}"
        case PlaceAce(ace=ace, place=place):
            return f"{card_text(ace)} on {PLACE_WORDS[place]}"
        case PlayCompass(card=card, place=place, then=follow_up):
            return _lay_label(card, PLACE_WORDS[place], card_on_place(position, place), follow_up)
        case PlayCurrent(card=card, slot=slot, then=follow_up):
            return _lay_label(card, slot, card_on_slot(position, slot), follow_up)
        case CallJack(card=card, place=place):
            removed_text = card_or_empty_text(card_on_place(position, place))
            return f"{card_text(card)} removes {removed_text} from {PLACE_WORDS[place]}"
        case CallQueen(card=card, slot=slot, other=other):
            first = card_or_empty_text(card_on_slot(position, slot))
            second = card_or_empty_text(card_on_slot(position, other))
            return f"{card_text(card)} swaps {slot} ({first}) and {other} ({second})"
        case CallKing(card=card, rotation=rotation):
            return f"{card_text(card)} turns the compass {ROTATION_WORDS[rotation]}"
        case CallJoker(card=card):
            return f"{capitalized(card_text(card))} shuffles {shuffled_parts_text(position, card)}"
        case DiscardCard(card=card):
            return f"Discard {card_in_sentence(card)}"
        case Defend(cards=cards):
            return f"Stop it with {cards_text(cards)}"
        case Resign():
            return "Resign"
        case _:
            return VERB_TEXTS[type(action)].label


def value_label(view: CurrentsView, action_type: type[Action], field: str, value: object) -> str:
    """Name the value of one field as a choice."""
    position = view.position
    match value:
        case None:
            return "No second card"
        case Axis():
            return capitalized(AXIS_WORDS[value])
        case Rotation():
            return _rotation_label(position, value)
        case tuple():
            return cards_text(value)
        case str() if field == "place":
            return f"{capitalized(PLACE_WORDS[value])}: {card_or_empty_text(card_on_place(position, value))}"
        case str() if field in {"slot", "other"}:
            return _slot_value_label(position, value)
        case str():
            return _card_value_label(position, action_type, Card(value))
        case _:
            return str(value)


def _lay_label(card: Card, spot: str, old_card: Card | None, follow_up: Card | None) -> str:
    over_text = "" if old_card is None else f" over {card_text(old_card)}"
    second_text = "" if follow_up is None else f", then {card_text(follow_up)}"
    return f"{card_text(card)} on {spot}{over_text}{second_text}"


def _rotation_label(position: Position, rotation: Rotation) -> str:
    first, second = GEOMETRIES[position.options.board].places[:2]
    if rotation is Rotation.COUNTERCLOCKWISE:
        first, second = second, first
    return f"{capitalized(ROTATION_WORDS[rotation])}: {PLACE_WORDS[first]} moves to {PLACE_WORDS[second]}"


def _slot_value_label(position: Position, slot: str) -> str:
    """Name a slot with its card, where that pushes, and whether the slot reaches the pawn now."""
    card = card_on_slot(position, slot)
    content = "empty" if card is None else f"{card_text(card)}, {push_text(position, card)}"
    return f"{slot}: {content}, {'reaches the pawn' if reaches_pawn(position, slot) else 'out of reach'}"


def _card_value_label(position: Position, action_type: type[Action], card: Card) -> str:
    """Name a card; as a current, also where its suit pushes now."""
    if action_type is not PlayCurrent or card not in SUIT_BY_CARD:
        return capitalized(card_text(card))
    return f"{card_text(card)}, {push_text(position, card)}"


_CARD_NAMES: Final = {str(card): card_text(card) for card in DECK_INDEX}
_RANK_WORDS: Final = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"
)  # fmt: skip
_CARD_PHRASES: Final = {
    f"{rank_word}{of}{suit_word}": rank + suit
    for rank, word in zip(RANKS, _RANK_WORDS, strict=True)
    for rank_word in (rank.casefold(), word)
    for of in (" of ", " ")
    for suit in SUITS
    for suit_word in (SUIT_WORDS[suit], SUIT_WORDS[suit].removesuffix("s"))
}

WORDS: Final[Words[CurrentsView]] = Words(
    verb_texts=VERB_TEXTS,
    label=label,
    value_label=value_label,
    preview=preview,
    short_preview=short_preview,
    needs_confirmation=needs_confirmation,
    refusal=refusal,
    illegal_type_reason=illegal_type_reason,
    narrate=narrate,
    affected_seats=affected_seats,
    status=status_text,
    describe=describe,
    hand_text=hand_text,
    alt_text=alt_text,
    typed_signs={sign: suit for suit, sign in SUIT_SIGNS.items()},
    typed_phrases=_CARD_PHRASES,
    other_verbs=dict.fromkeys((PlayCurrent, PlayCompass), ("add", "go", "place", "play", "put", "start")),
    outcome_clauses={
        Deal: "you draw",
        JokerShuffle: "the cards of the compass and the slots are shuffled",
    },
    passing_types=(Concede,),
    answer_types=(Defend, Concede),
    typed_names={
        **dict.fromkeys(("card", "ace", "then", "cards"), _CARD_NAMES),
        "place": PLACE_WORDS,
        "slot": _SLOT_NAMES,
        "other": _SLOT_NAMES,
        "axis": {axis.value: words for axis, words in AXIS_WORDS.items()},
        "rotation": {rotation.value: words for rotation, words in ROTATION_WORDS.items()},
    },
    how_to_win="You win when the pawn leaves the board over your goal edge, no matter who pushes it.",
    option_hints=OPTION_HINTS,
    value_hints=VALUE_HINTS,
    topics=TOPICS,
    highlights=highlights,
    path=path,
)
