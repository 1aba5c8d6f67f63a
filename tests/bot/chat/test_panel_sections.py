"""Which choices of a panel stand as sections, with what they bring, and which as mere buttons."""

import pytest

from bot.chat.action_picker import Screen, ScreenChoice
from bot.chat.panel_posts import _section_texts
from rules.game import Seat
from tests.bot.chat.sample_tables import shared_sample_tables

HINT = "pushes the pawn"


def _section_labels(*choices: ScreenChoice) -> list[str]:
    """Return the labels of the choices of a screen that stand as sections; none of them is an action."""
    (table,) = shared_sample_tables("currents", 1)
    texts = _section_texts(table, Seat(0), Screen("Which?", (choices,), ()), {})
    return [each.label for each in choices if each.tokens in texts]


def _choice(label: str, hint: str = HINT, *, is_secondary: bool = False) -> ScreenChoice:
    return ScreenChoice(label, (label,), is_action=False, hint=hint, is_secondary=is_secondary)


@pytest.mark.parametrize(
    ("main_count", "side_count", "has_sections"),
    [(6, 0, True), (7, 0, False), (6, 2, True), (6, 3, False), (5, 3, True), (7, 1, False)],
)
def test_six_choices_have_sections_above_two_that_lead_on(
    main_count: int, side_count: int, *, has_sections: bool
) -> None:
    """Any more would not fit on a phone: then all are mere buttons."""
    main_choices = [_choice(f"Card {index}") for index in range(main_count)]
    side_choices = [_choice(f"Side {index} …", "", is_secondary=True) for index in range(side_count)]
    expected = [each.label for each in main_choices] if has_sections else []
    assert _section_labels(*main_choices, *side_choices) == expected


@pytest.mark.parametrize(
    ("hint", "is_secondary", "has_sections"),
    [(HINT, False, False), ("", False, True), (HINT, True, True)],
)
def test_a_long_label_leaves_no_room_for_sections(
    hint: str, *, is_secondary: bool, has_sections: bool
) -> None:
    """One without words beside it, or of a secondary choice, stands as a mere button below the sections."""
    labels = _section_labels(_choice("Card"), _choice("A label too long", hint, is_secondary=is_secondary))
    assert labels == ["Card", "A label too long"][: 1 + bool(hint)], "16 characters are not too long"
    labels = _section_labels(_choice("Card"), _choice("A label too long!", hint, is_secondary=is_secondary))
    assert labels == (["Card"] if has_sections else [])
