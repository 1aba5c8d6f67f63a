"""The words of Oceans: the table that the host reads them from."""

from typing import Final

from rules.model import Action
from rules.oceans.actions import (
    Create,
    Deal,
    Done,
    Draw,
    EndFeeding,
    Evolve,
    RefillPool,
    Scramble,
    ShowDeep,
    TakeFromScorePile,
)
from rules.oceans.cards.decks import TRAIT_BY_CARD
from rules.oceans.model import OceansView
from rules.oceans.words.affected_seats import affected_seats
from rules.oceans.words.description import alt_text, describe, hand_summary, hand_text, own_board_text
from rules.oceans.words.glossary import GLOSSARY
from rules.oceans.words.help import TOPICS
from rules.oceans.words.help_options import OPTION_HINTS, VALUE_HINTS
from rules.oceans.words.narration import is_routine, narrate
from rules.oceans.words.paths import path
from rules.oceans.words.phrases import ZONE_NAMES, card_text
from rules.oceans.words.playing import new_species_wordings
from rules.oceans.words.preview import needs_confirmation, preview
from rules.oceans.words.registry import VERB_TEXTS, illegal_type_reason, label, refusal
from rules.oceans.words.short_preview import short_preview, short_warning
from rules.oceans.words.status import status_text
from rules.oceans.words.value_labels import value_label
from rules.words import Words

_CARD_FIELDS: Final = (
    *("card", "cards", "other_card", "replacement", "pile_1_card", "pile_2_card"),
    "ignoring",
)
_CARD_NAMES: Final = {str(card): card_text(card) for card in TRAIT_BY_CARD}
_ZONE_NAMES: Final = {zone.value: name for zone, name in ZONE_NAMES.items()}


def typed_wordings(view: OceansView, action: Action) -> tuple[str, ...]:
    """Return what people may type for a legal action in place of its label."""
    return new_species_wordings(view, action) if isinstance(action, Create) else ()


WORDS: Final[Words[OceansView]] = Words(
    verb_texts=VERB_TEXTS,
    label=label,
    value_label=value_label,
    preview=preview,
    short_preview=short_preview,
    short_warning=short_warning,
    needs_confirmation=needs_confirmation,
    refusal=refusal,
    illegal_type_reason=illegal_type_reason,
    narrate=narrate,
    is_routine=is_routine,
    affected_seats=affected_seats,
    has_pieces_named_by_seat=True,
    status=status_text,
    describe=describe,
    hand_text=hand_text,
    hand_summary=hand_summary,
    alt_text=alt_text,
    own_board_text=own_board_text,
    other_verbs={
        Create: ("evolve", "add"),  # the rulebook calls both evolving
        Evolve: ("add", "put"),
    },
    typed_wordings=typed_wordings,
    outcome_clauses={
        Deal: "you draw",
        ShowDeep: "you see Deep cards",
        RefillPool: "a new card comes to the Gene Pool",
        TakeFromScorePile: "it shows whether a score pile holds enough",
        Scramble: "traits are shuffled",
    },
    passing_types=(EndFeeding, Done, Draw),
    typed_names={
        **dict.fromkeys(_CARD_FIELDS, _CARD_NAMES),
        **dict.fromkeys(("zone", "source", "target", "pay", "option"), _ZONE_NAMES),
    },
    how_to_win="The most points win: population in your score pile and on your species, and your bonus.",
    option_hints=OPTION_HINTS,
    value_hints=VALUE_HINTS,
    topics=TOPICS,
    glossary=GLOSSARY,
    path=path,
)
