"""Cuts of the deck: two words of a player go into the deals.  Pure functions from a table to a decision."""

from difflib import get_close_matches
from typing import Final, TypeAlias

import msgspec

from bot.host.deciders.decision import (
    BOARD_DELIVERY,
    LOBBY_DELIVERY,
    Decision,
    notice_delivery,
    outdated_hand_deliveries,
)
from bot.host.game_guard import guarded
from bot.host.names import escape_markup
from bot.host.request import Refusal, Request, TooLate
from bot.host.table import Table
from bot.store.rows import Status
from rules.cut_words import CUT_WORDS
from rules.errors import RulesError
from rules.model import Seat
from rules.record import Cut
from rules.text import listed, shortened

CutWordPair: TypeAlias = tuple[str, str]
"""The two words with which a player cuts the deck."""

_KNOWN_WORDS: Final = frozenset(CUT_WORDS)
_MAX_SUGGESTIONS: Final = 4
_MAX_QUOTED_LENGTH: Final = 30
"""The most characters of an unknown word that its refusal quotes."""
_TOO_LATE_TEXT: Final = (
    "It is too late to cut the deck. You can do so before the game starts, and after a backup was restored"
    " until the next move."
)


class UnknownCutWord(Refusal):
    """Typed words of which one at least is not in the list."""


def parse_cut_words(typed_words: tuple[str, str]) -> CutWordPair:
    """Return two typed words as the list spells them.  Raises UnknownCutWord with similar words."""
    first_word, second_word = (_normalized(word) for word in typed_words)
    unknown_words = [word for word in dict.fromkeys((first_word, second_word)) if word not in _KNOWN_WORDS]
    if unknown_words:
        raise UnknownCutWord(
            " ".join(_unknown_word_text(word) for word in unknown_words) + " Press **Choose words** again."
        )
    return first_word, second_word


def known_word(typed_word: str) -> str | None:
    """Return a typed word as the list spells it; None if it is not there."""
    word = _normalized(typed_word)
    return word if word in _KNOWN_WORDS else None


def _normalized(typed_word: str) -> str:
    return typed_word.strip().lower()


def _unknown_word_text(word: str) -> str:
    quoted_word = escape_markup(shortened(word, _MAX_QUOTED_LENGTH))
    similar_words = listed([f"**{each}**" for each in _similar_words(word)], "or")
    return f"“{quoted_word}” is not in my list of words. You could take {similar_words}."


def _similar_words(word: str) -> list[str]:
    """Return words of the list that are spelled alike, else those that begin alike."""
    similar = get_close_matches(word[:_MAX_QUOTED_LENGTH], CUT_WORDS, _MAX_SUGGESTIONS)
    for length in (3, 2, 1, 0):
        similar += [each for each in CUT_WORDS if each.startswith(word[:length]) and each not in similar]
        if len(similar) >= _MAX_SUGGESTIONS:
            break
    return similar[:_MAX_SUGGESTIONS]


def may_cut(table: Table, user: int) -> bool:
    """Whether a user may cut the deck now."""
    seat = table.seat_of(user)
    return seat is not None and _may_cut_at(table, seat)


@guarded
def _may_cut_at(table: Table, seat: Seat) -> bool:
    if table.match is None:
        return table.status is Status.LOBBY
    return table.status is Status.PLAYING and table.match.may_cut(seat)


def require_cutter(table: Table, request: Request) -> Seat:
    """Return the seat of a user who may cut the deck now.  Raises Refusal, TooLate."""
    seat = table.seat_of(request.user)
    if seat is None:
        text = "Only the players of this table can cut the deck."
        if table.status is Status.LOBBY:
            raise Refusal(f"{text} Press **Join** first.")
        raise TooLate(text)
    if not _may_cut_at(table, seat):
        raise TooLate(_TOO_LATE_TEXT)
    return seat


def cut_deck(table: Table, request: Request, words: CutWordPair) -> Decision:
    """Cut the deck with two words: any number of times in the lobby, once after a restored backup.

    Raises Refusal.
    """
    seat = require_cutter(table, request)
    answer = f"You cut the deck with {cut_words_text(words)}."
    if table.match is None:
        row = msgspec.structs.replace(table.seats[seat], cut_words=words)
        state = table.row.lobby.with_user_seen(request.user, request.at)
        changed_table = table.with_seat(seat, row).with_row(lobby=state)
        return Decision(table=changed_table, answer=answer, deliveries=(LOBBY_DELIVERY,))
    try:
        match = table.match.cut(seat, *words)
    except RulesError as error:
        raise Refusal(str(error)) from error
    changed_table = table.with_match(match)
    notice = notice_delivery(f"{table.names[seat]} cut the deck with {cut_words_text(words)}.")
    return Decision(
        table=changed_table,
        answer=answer,
        deliveries=(notice, BOARD_DELIVERY, *outdated_hand_deliveries(table, changed_table)),
    )


def cut_words_text(words: CutWordPair) -> str:
    """Return two words for reading: "**anchor** and **tide**"."""
    return f"**{words[0]}** and **{words[1]}**"


def cuts_before_start(table: Table) -> tuple[tuple[Seat, Cut], ...]:
    """Return the seats that cut the deck of a lobby, each with its cut, in order."""
    return tuple((Seat(i), Cut(*row.cut_words)) for i, row in enumerate(table.seats) if row.cut_words)


def cutters_text(table: Table) -> str:
    """Return who cut the deck before the start, with which words, or that nobody did."""
    names = table.names
    cuts = [f"{names[i]} ({' '.join(row.cut_words)})" for i, row in enumerate(table.seats) if row.cut_words]
    return f"The deck was cut by {listed(cuts)}." if cuts else "Nobody cut the deck."
