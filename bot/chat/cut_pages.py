"""Cutting the deck: the private page and its form."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord

from bot import limits
from bot.chat.components import Row
from bot.chat.lobby_posts import CUT_LABEL
from bot.chat.post_parts import Post, button, join_lines, table_custom_id, title
from bot.host.deciders.cutting import CutWordPair, cut_words_text, known_word, may_cut, require_cutter
from bot.host.request import Request
from bot.host.table import Table
from rules.cut_words import CUT_WORDS
from rules.text import shortened

CUT_AT_RANDOM_VERB: Final = "cutany"
"""The verb of the button that cuts with random words."""
OPEN_FORM_VERB: Final = "cutask"
"""The verb of the button that opens the form."""
SUBMIT_VERB: Final = "cutset"
"""The verb of the submitted form."""
_MAX_TYPED_LENGTH: Final = 20
"""The most characters that can be typed into a field; no word of the list is so long."""
_FIELD_NAMES: Final = ("first", "second")
"""The custom ids of the form's fields."""
_NO_WORD: Final = "-"
"""In a button's argument: a field of the form that stays empty."""
_PURPOSE_TEXT: Final = (
    "Two words of yours are mixed into the deal, so that nobody can plan it. Everybody sees them."
)
_PURPOSE_IN_GAME_TEXT: Final = (
    "Two words of yours are mixed into all draws to come, so that nobody can plan them. Everybody sees them."
)
_CHANGEABLE_TEXT: Final = "You can change them until the game starts."


def random_words() -> CutWordPair:
    """Return two words from the list, which nobody can predict."""
    return secrets.choice(CUT_WORDS), secrets.choice(CUT_WORDS)


def cut_post(table: Table, request: Request, note: str = "", typed_words: tuple[str, str] = ("", "")) -> Post:
    """Return the page where a player cuts the deck; ``note``: what has just been done.

    ``typed_words``: of a form that was refused: those in the list stand in the next one.  Without a note,
    raises Refusal for everyone who may not cut it.
    """
    if not note:
        require_cutter(table, request)
    lines = [
        f"**{CUT_LABEL}** · {title(table)}",
        note or (_PURPOSE_TEXT if table.match is None else _PURPOSE_IN_GAME_TEXT),
    ]
    rows: tuple[Row, ...] = ()
    if may_cut(table, request.user):
        words = _changeable_words(table, request)
        if words is not None:
            lines += [] if note else [f"You cut the deck with {cut_words_text(words)}."]
            lines.append(_CHANGEABLE_TEXT)
        rows = (
            (
                button(table, "At random", CUT_AT_RANDOM_VERB, primary=words is None),
                button(table, "Choose words", OPEN_FORM_VERB, _known_words_argument(typed_words)),
            ),
        )
    lines.append(f"-# Fairness code: `{table.short_fairness_code}`")
    return Post(join_lines(lines), rows)


def _known_words_argument(typed_words: tuple[str, str]) -> str:
    """Return the argument of the button that opens the form with typed words; empty if none is known."""
    words = [known_word(word) for word in typed_words]
    return " ".join(word or _NO_WORD for word in words) if any(words) else ""


def _changeable_words(table: Table, request: Request) -> CutWordPair | None:
    """Return the words of a player's cut that can still be changed; None once the game has started."""
    seat = table.seat_of(request.user)
    return None if seat is None or table.match is not None else table.seats[seat].cut_words


class CutForm(discord.ui.Modal):
    """Asks for two words from the list.  Its custom id says all that its handler needs."""

    def __init__(self, table: Table, request: Request, typed_words: Sequence[str] = ()) -> None:
        """Show two words that were typed before, else those that cut.  Raises Refusal for non-players."""
        require_cutter(table, request)
        super().__init__(title=CUT_LABEL, custom_id=str(table_custom_id(table, SUBMIT_VERB)), timeout=None)
        self.stop()  # `router.Router` reads the answer: discord.py need not keep the form
        words: Sequence[str | None] = _changeable_words(table, request) or (None, None)
        if len(typed_words) == len(_FIELD_NAMES):
            words = [known_word(word) for word in typed_words]
        for name, word in zip(_FIELD_NAMES, words, strict=True):
            field: discord.ui.TextInput[CutForm] = discord.ui.TextInput(
                custom_id=name,
                default=word,
                max_length=_MAX_TYPED_LENGTH,
                placeholder=shortened(
                    f"For example: {secrets.choice(CUT_WORDS)}", limits.TEXT_INPUT_PLACEHOLDER
                ),
            )
            label: discord.ui.Label[Any] = discord.ui.Label(
                text=f"{name.capitalize()} word",
                description=f"One of {len(CUT_WORDS):,} common English words.",
                component=field,
            )
            self.add_item(label)


def submitted_words(fields: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """Return the words of a submitted form, as they were typed."""
    first, second = ("".join(fields.get(name, ())) for name in _FIELD_NAMES)
    return first, second
