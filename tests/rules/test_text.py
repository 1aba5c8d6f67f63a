"""Text helpers: lists, counts, signs, capitals, shortening."""

import pytest

from rules.text import (
    capitalized,
    counted,
    counted_in_digits,
    first_fitting,
    listed,
    shortened,
    signed,
    times_text,
)


@pytest.mark.parametrize(
    ("items", "text"),
    [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")],
)
def test_listed(items: tuple[str, ...], text: str) -> None:
    """Items are joined as people join them."""
    assert listed(items) == text
    assert listed(items, "or") == text.replace("and", "or")


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "no cards"), (1, "one card"), (6, "six cards"), (7, "7 cards"), (-1, "-1 cards")],
)
def test_counted(count: int, text: str) -> None:
    """Small numbers are words, and one of a thing is singular."""
    assert counted(count, "card") == text


def test_counted_with_its_own_plural() -> None:
    """A noun with an irregular plural brings it along."""
    assert counted(2, "fish", "fish") == "two fish"
    assert counted(1, "species", "species") == "one species"


@pytest.mark.parametrize(("count", "text"), [(0, "0 points"), (1, "1 point"), (2, "2 points")])
def test_counted_in_digits(count: int, text: str) -> None:
    """Small numbers are digits too, and one of a thing is singular."""
    assert counted_in_digits(count, "point") == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "no times"), (1, "once"), (2, "twice"), (3, "three times"), (17, "17 times")],
)
def test_times_text(count: int, text: str) -> None:
    """Once and twice have words of their own."""
    assert times_text(count) == text


@pytest.mark.parametrize(("number", "text"), [(3, "+3"), (-12, "\u221212"), (0, "+0")])
def test_signed(number: int, text: str) -> None:
    """A number below zero has the minus sign that pictures show, no hyphen."""
    assert signed(number) == text


def test_first_fitting() -> None:
    """The first text that fits is taken; if none does, the last is shortened."""
    assert first_fitting(6, "abcdef", "abc") == "abcdef"
    assert first_fitting(5, "abcdef", "abc") == "abc"
    assert first_fitting(3, "abcdef", "abcde") == "ab…"


def test_shortened() -> None:
    """A text that fits stays; a longer one is cut to the length, without a blank before the mark."""
    assert shortened("abcdef", 6) == "abcdef"
    assert shortened("abcdefg", 6) == "abcde…"
    assert shortened("abcd fgh", 6) == "abcd…"


def test_capitalized() -> None:
    """Only the first letter changes."""
    assert capitalized("the pawn stays at N1") == "The pawn stays at N1"
    assert capitalized("") == ""
