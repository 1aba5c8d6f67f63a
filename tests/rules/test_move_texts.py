"""Legal moves as refusals name them."""

from types import SimpleNamespace
from typing import cast

import pytest

from rules.currents import CURRENTS
from rules.currents.model import CurrentsView
from rules.game import AnyGame
from rules.model import Seat
from rules.move_texts import MoveTexts
from rules.notation import Notation
from rules.oceans import OCEANS
from rules.oceans.rules import State
from rules.oceans.steps import Drawing, Feeding
from tests.rules.currents import positions as currents
from tests.rules.oceans.positions import make_drawing_state, make_feeding_state, make_state

VIEW = currents.actor_view(currents.make_state(hands=("10C 4D KD KS", "3H")))
DEFENCE_VIEW = currents.actor_view(currents.DEFENCE_STATE)


def make_texts(*actions: str, view: CurrentsView = VIEW) -> MoveTexts:
    """Return the texts of moves in a position, as if only these were legal."""
    return MoveTexts(CURRENTS, view, tuple(map(Notation(CURRENTS).parse, actions)), currents.NAMES)


def test_an_example_is_of_the_kind_that_is_offered_first() -> None:
    """One without a field is no example as long as there are others."""
    currents_of_4d = ("current 4D N1", "current 4D N2", "current 4D N3")
    assert make_texts("king KD cw", "discard KD", *currents_of_4d).example == "4♦ on N2"
    assert make_texts("concede", "defend 2C,3C", view=DEFENCE_VIEW).example == "Stop it with 2♣ and 3♣"
    sentence = make_texts("concede", view=DEFENCE_VIEW).example_sentence()
    assert sentence == " Try, for example, `Let it pass`."
    assert make_texts().example == make_texts().example_sentence() == ""


@pytest.mark.parametrize(
    ("state", "example"),
    [
        (make_state("SP7 4", "", step=Drawing(may_take_deep=False), hands=("IN5 TE5 TR5 WC9",)), "End turn"),
        (
            make_state("SP7 IN5 4", "AP7 4", step=Feeding(may_remove_traits=True), plays_left=0),
            "A1 forages in the Reef: takes 2",
        ),
        (make_drawing_state("SP7 4", "AP7 4", hands=("IN5 TE5",), gene_pool=("TUS", "KRA")), "End turn"),
        (make_feeding_state("SP7 AP8 4 | TR7 3", "IN5 4", "BF5 4"), "A2 forages in the Reef: takes 1"),
        (make_state("SP7 4", "", hands=("IN5 TE5",)), "New species right of A1: Tentacled 5"),
    ],
)
def test_an_example_is_usual_and_commits_to_nothing(state: State, example: str) -> None:
    """It is no discard, removal, migration or Deep card, though no kind has more choices."""
    view = OCEANS.view(state, Seat(0))
    texts = MoveTexts(OCEANS, view, OCEANS.legal_actions(view), ("Ava", "Ben"))
    assert texts.example == example


def test_three_moves_are_listed_at_most() -> None:
    """That there are others is said."""
    moves = [f"current 4D {place}" for place in ("N1", "N2", "N3", "E0")]
    actions = tuple(map(Notation(CURRENTS).parse, moves))
    assert make_texts().choices_text(actions[:3]) == "`4♦ on N1`, `4♦ on N2` or `4♦ on N3`"
    assert make_texts().choices_text(actions) == "`4♦ on N1`, `4♦ on N2`, `4♦ on N3` or another move"
    text = str(make_texts().ambiguity_error(actions[:2]))
    assert text == "That could be `4♦ on N1` or `4♦ on N2`. Write the whole move."


def test_a_name_in_a_label_ends_neither_code_nor_move() -> None:
    """Whatever else it holds is shown as it is."""
    words = SimpleNamespace(label=lambda _view, _action, names: f"Take from {names[0]}")
    game = cast("AnyGame", SimpleNamespace(words=words))
    concede = Notation(CURRENTS).parse("concede")
    assert MoveTexts(game, VIEW, (concede,), ("`**Ava;**",)).choices_text((concede,)) == "`Take from **Ava**`"
