"""Legal moves as refusals name them."""

from types import SimpleNamespace
from typing import cast

from rules.currents import CURRENTS
from rules.game import AnyGame
from rules.move_texts import MoveTexts
from rules.notation import Notation
from tests.rules.currents import positions as currents

VIEW = currents.actor_view(currents.make_state(hands=("10C 4D KD KS", "3H")))


def make_texts(*actions: str) -> MoveTexts:
    """Return the texts of moves in a position, as if only these were legal."""
    return MoveTexts(CURRENTS, VIEW, tuple(map(Notation(CURRENTS).parse, actions)), currents.NAMES)


def test_an_example_is_of_the_kind_with_most_choices() -> None:
    """A rare kind, or one without a field, is no example as long as there are others."""
    currents_of_4d = ("current 4D N1", "current 4D N2", "current 4D N3")
    assert make_texts("concede", "discard KD", *currents_of_4d).example() == "4♦ on N2"
    assert make_texts("concede", "discard KD").example() == "Discard K♦"
    assert make_texts("concede").example_sentence() == " Try, for example, `Let it pass`."
    assert make_texts().example() == make_texts().example_sentence() == ""


def test_three_moves_are_listed_at_most() -> None:
    """That there are others is said."""
    moves = [f"current 4D {place}" for place in ("N1", "N2", "N3", "E0")]
    actions = tuple(map(Notation(CURRENTS).parse, moves))
    assert make_texts().choices_text(actions[:3]) == "`4♦ on N1`, `4♦ on N2` or `4♦ on N3`"
    assert make_texts().choices_text(actions) == "`4♦ on N1`, `4♦ on N2`, `4♦ on N3` or another move"
    text = str(make_texts().ambiguity_error(actions[:2]))
    assert text == "That could be `4♦ on N1` or `4♦ on N2`. Write the whole move."


def test_a_name_in_a_label_ends_no_code() -> None:
    """Whatever else it holds is shown as it is."""
    words = SimpleNamespace(label=lambda _view, _action, names: f"Take from {names[0]}")
    game = cast("AnyGame", SimpleNamespace(words=words))
    concede = Notation(CURRENTS).parse("concede")
    assert MoveTexts(game, VIEW, (concede,), ("`**Ava**",)).choices_text((concede,)) == "`Take from **Ava**`"
