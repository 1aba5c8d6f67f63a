"""Which choices of a panel stand as sections, with what they bring, and which as mere buttons."""

from typing import cast

import pytest

from bot.chat import panel_posts
from bot.chat.action_picker import Screen, ScreenChoice
from bot.chat.components import Section
from bot.chat.hand_posts import hand_post
from bot.chat.panel_posts import _section_texts, panel_page
from bot.host import game_calls, previews
from rules.model import Seat
from tests.bot.chat.sample_tables import MAX_SHARED_TABLES, shared_sample_tables

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
    labels = _section_labels(_choice("Card"), _choice("A label too long!", hint, is_secondary=is_secondary))
    assert labels == ["Card", "A label too long!"][: 1 + bool(hint)], "17 characters are not too long"
    labels = _section_labels(_choice("Card"), _choice("A label too long!!", hint, is_secondary=is_secondary))
    assert labels == (["Card"] if has_sections else [])


def test_grave_results_stand_above_choices_without_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the choices are too many for sections, what nobody may miss names its choices in a line.

    So it does in the message with the hand, which never has sections.
    """
    page_count = 0
    for table in shared_sample_tables("oceans", MAX_SHARED_TABLES):
        seat = cast("Seat", table.to_act)
        warnings = {
            text
            for path, action in game_calls.action_paths(table, seat).values()
            if (text := previews.short_warning_text(table, seat, action))
        }
        rows_with_sections = panel_page(table, seat).post.rows
        if not warnings or not any(isinstance(row, Section) for row in rows_with_sections):
            continue
        text_with_sections = panel_page(table, seat).post.text
        with monkeypatch.context() as patch:
            patch.setattr(panel_posts, "_MAX_SECTIONS", 0)
            text_without_sections = panel_page(table, seat).post.text
        for warning in warnings:
            line_end = f"**, {warning}."
            assert line_end in text_without_sections
            assert line_end in hand_post(table, seat).text
            assert line_end not in text_with_sections, "the section says it"
        page_count += 1
    assert page_count
