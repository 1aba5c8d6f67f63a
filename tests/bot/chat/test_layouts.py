"""Private pages as layouts: their order, their limits, and what a classic message cannot have."""

import pytest

from bot import limits
from bot.chat.components import Button, CustomId, Row, Section, Select, classic_view
from bot.chat.pictures import DrawnPicture
from bot.chat.post_parts import Post
from bot.local.api_errors import BodyErrors
from bot.local.check_components import check_layout, check_unique_ids
from tests.bot.chat.post_components import layout_components

PICTURE = DrawnPicture("hand.png", b"", "Three cards: 4♥, 9♣, K♠.")


def button(number: int, label: str = "Play") -> Button:
    """Return a button with an id of its own."""
    return Button(label, CustomId(1, 2, "step", str(number)))


def section(number: int, text: str = "**9♣**", hint: str = "pushes the pawn east") -> Section:
    """Return a section with a button of its own."""
    return Section(text, hint, button(number))


SELECT = Select("Which card?", CustomId(1, 2, "pick"), (("9♣", "9C", "pushes east"), ("K♠", "KS", "")))


def checked_component_types(post: Post, *pictures: DrawnPicture) -> list[str]:
    """Return the types of the components at the top, once Discord's checks have passed."""
    components = layout_components(post, pictures)
    errors = BodyErrors()
    check_layout(errors, components)
    check_unique_ids(errors, components)
    errors.raise_if_any()
    names = {1: "row", 9: "section", 10: "text", 12: "gallery"}
    return [names[each["type"]] for each in components]


def test_a_page_has_its_text_then_pictures_then_rows() -> None:
    """Text, pictures, then the rows as they are given."""
    rows: tuple[Row, ...] = ((button(1), button(2)), section(3), (SELECT,), section(4))
    assert checked_component_types(Post("Which card?", rows), PICTURE) == [
        "text",
        "gallery",
        "row",
        "section",
        "row",
        "section",
    ]


def test_a_picture_has_its_alt_text() -> None:
    """The gallery refers to the upload by its name and describes it."""
    (item,) = layout_components(Post("Your hand"), [PICTURE])[1]["items"]
    assert item["media"]["url"] == "attachment://hand.png"
    assert item["description"] == PICTURE.alt


def test_a_section_has_its_hint_in_small_print() -> None:
    """The hint stands below the text; without one there is only the text."""
    with_hint, without_hint = layout_components(Post("Which?", (section(1), section(2, hint=""))))[1:]
    assert with_hint["components"][0]["content"] == "**9♣**\n-# pushes the pawn east"
    assert with_hint["accessory"]["label"] == "Play"
    assert without_hint["components"][0]["content"] == "**9♣**"


def test_texts_are_cut_together() -> None:
    """All text of a page together is at most 4,000 characters; sections keep theirs while they are short."""
    sections = tuple(section(number, hint="h" * 200) for number in range(6))
    components = layout_components(Post("x" * 9000, sections))
    checked_component_types(Post("x" * 9000, sections))
    shown_texts = [components[0]["content"], *(each["components"][0]["content"] for each in components[1:])]
    assert sum(map(len, shown_texts)) == limits.COMPONENTS_V2_TEXT
    assert shown_texts[1:] == [each.full_text for each in sections]


@pytest.mark.parametrize("text_length", [20, 9000])
@pytest.mark.parametrize("hint_length", [0, 250, 600])
@pytest.mark.parametrize("preview_length", [0, 500])
def test_long_sections_are_cut(text_length: int, hint_length: int, preview_length: int) -> None:
    """However long the hints are, all text of a page fits and its own text is not crowded out."""
    sections = tuple(section(number, hint="h" * hint_length) for number in range(12))
    post = Post("x" * text_length, sections, preview_text="p" * preview_length)
    checked_component_types(post)
    components = layout_components(post)
    assert len(components[0]["content"]) >= min(text_length, 1000)
    assert all(
        each["components"][0]["content"].startswith("**9♣**") for each in components if each["type"] == 9
    )


def test_a_full_screen_fits() -> None:
    """A full screen fits: text, picture, six sections, and three rows of five buttons; one more does not."""
    sections: tuple[Row, ...] = tuple(section(number) for number in range(6))
    rows = tuple(tuple(button(10 * row + n) for n in range(5)) for row in range(1, 4))
    post = Post("Which?", (*sections, *rows))
    assert len(checked_component_types(post, PICTURE)) == 11  # 38 components with the nested ones
    with pytest.raises(ValueError, match="40"):
        layout_components(Post("Which?", (*post.rows, section(99))), [PICTURE])


def test_a_classic_message_has_no_sections() -> None:
    """What leaves through the outbox cannot have a section: a mention in a layout would not be read."""
    with pytest.raises(TypeError, match="private page"):
        classic_view((section(1),))
