"""Texts of Oceans in a state, labels, previews and refusals, and states to read them in."""

from rules.game import Names
from rules.oceans import OCEANS
from rules.oceans.rules import State, view
from tests.rules.oceans.positions import (
    NAMES,
    NOTATION,
    legal_texts,
    make_drawing_state,
    make_feeding_state,
    make_state,
)

WORDS = OCEANS.words
LONG_NAMES: Names = tuple(letter * 32 for letter in "UVWXYZ")
PLAYING_STATE = make_state(
    "SP7 IN5 4 | PA6 SY7 SC8 2",
    "SC7 6 | TR8 3",
    "AP7 AP8 9",
    hands=("SP9 FF7 HYD VES",),
    score_piles=(3,),
    zone_populations=(10, 9, 0, 20),
    gene_pool=("TUS", "KRA ZOO"),
)
AFTER_CAMBRIAN_STATE = make_state(
    "SP7 IN5 4 | PA6 SY7 SC8 2",
    "SC7 6 | TR8 3",
    hands=("SP9 FF7 HYD VES",),
    score_piles=(3,),
    zone_populations=(10, 9, 5, 20),
    cambrian_happened=True,
    plays_left=2,
)
FEEDING_STATE = make_feeding_state(
    "SP7 IN5 4 | FF6 2 | AP5 10",
    "SC7 6 | TR8 3 | GEN 4",
    "AP7 AP8 9 | GOE 4 | BF5 WC6 2 | HAR 3",
    zone_populations=(10, 9, 4, 20),
)
DRAWING_STATE = make_drawing_state("SP7 4", "", hands=("SP8 HYD SC8",), gene_pool=("TUS", "KRA ZOO"))


def refusal_text(state: State, text: str) -> str:
    """Return the refusal of an illegal action to the seat to act."""
    actor = state.position.to_act
    assert actor is not None
    assert text not in legal_texts(state), f"{text} is legal"
    return WORDS.refusal(view(state, actor), NOTATION.parse(text), NAMES)


def action_texts(state: State, text: str) -> tuple[str, str, str]:
    """Return label, short preview and preview of a legal action."""
    actor = state.position.to_act
    assert actor is not None
    assert text in legal_texts(state), f"{text} is not legal: {legal_texts(state)[:40]}"
    action, seen = NOTATION.parse(text), view(state, actor)
    preview = WORDS.preview(seen, action, NAMES)
    return WORDS.label(seen, action, NAMES), WORDS.short_preview(seen, action, NAMES), preview or ""
