"""Makes users' names and other untrusted text safe to show, and names distinct."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from typing import Final

from rules.players import COMPUTER_PLAYERS

MAX_NAME_LENGTH: Final = 32
"""In characters."""
NO_SEAT_TEXT: Final = "no seat"
"""Stands in brackets after the name of a host or an admin who does not play."""
COMPUTER_MARK: Final = " (computer)"
"""Stands after the name of a computer player in a lobby, and of a person for whom one has played."""
_ROLE_PATTERN: Final = re.compile(
    rf"[(\[{{][^()\[\]{{}}]*\b(?:host|admin|computer|{NO_SEAT_TEXT})\b.*", re.IGNORECASE
)
_FALLBACK_NAME: Final = "Somebody"
_MARKDOWN_PATTERN: Final = re.compile(r"([\\*_`~|>#\[\]()<@:-])")
_ALLOWED_CATEGORIES: Final = frozenset("LNPSZ")
"""Letters, numbers, punctuation, symbols and separators; of combining marks only a few are kept."""
_MAX_COMBINING_MARKS: Final = 2
"""How many combining marks in a row a name keeps."""
_BLANK_CHARACTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show nothing."""
_INVISIBLE_MARKS: Final = frozenset(
    map(chr, (0x34F, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, *range(0xFE00, 0xFE10)))
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))
"""Marks that show nothing of themselves, such as the choice between two forms of an emoji."""
_MARKUP_PATTERN: Final = re.compile(r"\\(.)|\*\*|`")
"""Matches the markup of our own texts: escapes, bold type and code marks."""
_LIST_NUMBER_PATTERN: Final = re.compile(r"^(\d+)\.")
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
_ISOLATES: Final = ("\u2068", "\u2069")
"""The invisible characters that begin and end isolated text."""
_LINE_SEPARATORS: Final = {0x2028: " ", 0x2029: " "}


def sanitize_name(text: str) -> str:
    """Return a name for pictures and lists: one line of at most 32 characters, without control characters."""
    characters: list[str] = []
    mark_count = 0
    for character in unicodedata.normalize("NFC", text[: 8 * MAX_NAME_LENGTH]):
        category = unicodedata.category(character)
        if category[0] == "M":
            mark_count += 1
            if characters and characters[-1] != " " and mark_count <= _MAX_COMBINING_MARKS:
                characters.append(character)
        elif category[0] == "Z" or character in _BLANK_CHARACTERS:
            characters.append(" ")
        elif category[0] in _ALLOWED_CATEGORIES:
            mark_count = 0
            characters.append(character)
    name = " ".join("".join(characters).split())
    return name[:MAX_NAME_LENGTH].rstrip() or _FALLBACK_NAME


def _name_key(name: str) -> str:
    """Return a key that is equal for easily confused names.

    They differ in case, width, blanks or invisible marks.
    """
    compatible = unicodedata.normalize("NFKC", name).casefold()
    return "".join(each for each in compatible if not each.isspace() and each not in _INVISIBLE_MARKS)


def _strip_role(name: str) -> str:
    """Return a name up to a bracket that looks like the role of a host, an admin or a computer player."""
    compatible = " ".join(unicodedata.normalize("NFKC", name).split())
    return (
        _ROLE_PATTERN.sub("", compatible).rstrip() or _FALLBACK_NAME
        if _ROLE_PATTERN.search(compatible)
        else name
    )


def distinct_name(name: str, other_names: Iterable[str]) -> str:
    """Return a name without the brackets of a role, numbered if it may be confused with another.

    A name may be confused if somebody else has it or if it looks like a computer player's.
    """
    other_keys = {_name_key(each) for each in other_names}
    name, titles = _strip_role(name), [_name_key(player.title) for player in COMPUTER_PLAYERS.values()]
    key = _name_key(name)
    is_computer_like = ("computerplayer" in key and not key.endswith(")")) or any(
        key.startswith(title) and key.removeprefix(title).isdecimal() for title in titles
    )
    if key not in other_keys and not is_computer_like:
        return name
    base = name[: MAX_NAME_LENGTH - len(" (99)")].rstrip()
    numbered_names = (f"{base} ({number})" for number in count(2))
    return next(each for each in numbered_names if _name_key(each) not in other_keys)


def strip_invisible(text: str) -> str:
    """Remove invisible and bidirectional control characters, except line feeds and our own isolates.

    Line and paragraph separators become spaces.
    """
    return "".join(
        each for each in text if unicodedata.category(each)[0] != "C" or each == "\n" or each in _ISOLATES
    ).translate(_LINE_SEPARATORS)


def visible_line(text: str) -> str:
    """Return untrusted text as one line without invisible characters; empty if nothing of it shows."""
    characters = (
        " " if each in _BLANK_CHARACTERS else each
        for each in text
        if each.isspace() or unicodedata.category(each)[0] != "C"
    )
    line = " ".join("".join(characters).split())
    is_visible = any(unicodedata.category(each)[0] not in "MZ" for each in line)  # marks need a letter
    return line if is_visible else ""


def isolate(text: str) -> str:
    """Isolate right-to-left text, so that it does not reorder the text around it; leave other text alone."""
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text):
        begin, end = _ISOLATES
        return f"{begin}{text}{end}"
    return text


@lru_cache(maxsize=4096)
def escape_markup(text: str) -> str:
    """Escape Markdown, mentions and links in untrusted text, and isolate it if it is right-to-left."""
    return isolate(_LIST_NUMBER_PATTERN.sub(r"\1\\.", _MARKDOWN_PATTERN.sub(r"\\\1", text)))


def without_markup(text: str) -> str:
    """Return a text for a table as a terminal shows it: without escapes, bold type and code marks."""
    return _MARKUP_PATTERN.sub(lambda found: found[1] or "", text)
