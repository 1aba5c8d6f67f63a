"""Text helpers for every game and the bot: lists, counts, capitals, shortening."""

from collections.abc import Sequence
from typing import Final

_NUMBER_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six")


def capitalized(text: str) -> str:
    """Return the text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def listed(items: Sequence[str], conjunction: str = "and") -> str:
    """Join the items as people do: "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {conjunction} {items[-1]}"


def number_text(number: int) -> str:
    """Return a number as it is written in a sentence: "no", "one", "17"."""
    return _NUMBER_WORDS[number] if 0 <= number < len(_NUMBER_WORDS) else str(number)


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return "no cards", "one card", "17 cards"; without a plural the noun gets an "s"."""
    return f"{number_text(count)} {noun if count == 1 else plural or noun + 's'}"


def counted_in_digits(count: int, noun: str) -> str:
    """Return "0 cards", "1 card", "17 cards"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def times_text(count: int) -> str:
    """Return how often something happened: "once", "twice", "three times"."""
    return {1: "once", 2: "twice"}.get(count, counted(count, "time"))


def signed(number: int) -> str:
    """Return a change of a number for players: "+3", or with a minus sign "\u22123"."""
    return f"{number:+}".replace("-", "\u2212")


def shortened(text: str, limit: int) -> str:
    """Return at most ``limit`` characters of the text, with "…" at the end where something was left out."""
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def first_fitting(limit: int, *wordings: str) -> str:
    """Return the first wording of at most ``limit`` characters; the last one is shortened if none is."""
    return next((text for text in wordings if len(text) <= limit), shortened(wordings[-1], limit))
