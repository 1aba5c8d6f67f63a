"""Where a new species stands: between which two, since a picture may show a row from the other side."""

import pytest

from rules.model import Seat
from rules.oceans.rules import apply_action, view
from tests.rules.oceans.positions import NAMES, NOTATION, make_state
from tests.rules.oceans.texts import WORDS, action_texts


@pytest.mark.parametrize(
    ("rows", "place", "where"),
    [
        (("SP7 4 | IN5 4", "AP7 4 | AP8 4"), 0, "between B2 and A1"),
        (("SP7 4 | IN5 4", "AP7 4 | AP8 4"), 1, "between A1 and A2"),
        (("SP7 4 | IN5 4", "AP7 4 | AP8 4"), 2, "between A2 and B1"),
        (("SP7 4", "AP7 4 | AP8 4"), 0, "between B2 and A1"),
        (("SP7 4 | IN5 4 | IN6 4", ""), 0, "left of A1"),
        (("SP7 4 | IN5 4 | IN6 4", ""), 3, "right of A3"),
        (("SP7 4", "AP7 4"), 0, "left of A1"),
        (("SP7 4", "AP7 4"), 1, "right of A1"),
        (("SP7 4", ""), 1, "right of A1"),
        (("SP7 4 | IN5 4", ""), 1, "right of A1"),
    ],
)
def test_a_place_is_named_by_its_two_neighbours(rows: tuple[str, str], place: int, where: str) -> None:
    """Button, label and story name them; left and right stay where the two would not tell the place."""
    state, text = make_state(*rows, hands=("SP9",)), f"create SP9 {place}"
    seen, action, path = view(state, Seat(0)), NOTATION.parse(text), WORDS.path
    assert path is not None
    button = " ".join(step.label for step in path(seen, action, NAMES)[1:])
    assert button == f"New {where}"
    assert len(button) <= 24, "it still stands beside the other choices of the card"
    assert action_texts(state, text)[0] == f"New species {where}: Speed 9"
    after = view(apply_action(state, action), Seat(0))
    key = f"A{len(state.position.rows[0]) + 1}"
    assert WORDS.narrate(seen, Seat(0), action, after, NAMES).text.startswith(
        f"Ava starts {key} {where} with Speed 9"
    )
