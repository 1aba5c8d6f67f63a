"""Narrations made from plain text, for tests of stories: sentences, their kinds and their clauses."""

import re
from typing import Final

from rules.model import Seat
from rules.narration import Clause, Item, Narration, Sentence, SentenceKind, clause_sentence, narration
from rules.record import LogLine

_WORDS_BY_KIND: Final = {
    SentenceKind.CEREMONY: ("ends the turn", "goes on to"),
    SentenceKind.DETAIL: ("New in the market", "Open on the deck"),
    SentenceKind.GAIN_OR_LOSS: ("scores", "dies out", "unlocks"),
    SentenceKind.RULE_CHANGE: ("Cambrian Explosion",),
}
_CLAUSE_PATTERN: Final = re.compile(
    r"(?P<subject>[^,:]+?) (?P<verb>discards|evolves|sails|loads|processes) (?P<item>(?:(?! and )[^,:…])+)\."
)
_ITEM_PATTERN: Final = re.compile(
    r"(?P<name>.+?)(?: with (?P<means>.+?))?(?: (?P<place>(?:from|on) .+?))?"
    r"(?: \((?P<number>\d+) of (?P<total>\d+)\))?"
)


def narrated(text: str) -> Narration:
    """Return the narration of a text: a full stop and a blank, or a new line, end each sentence."""
    return narration(*(map(_sentence, re.split(r"(?<=\.) ", line)) for line in text.splitlines()))


def log_line(
    index: int,
    actor: Seat,
    text: str,
    affected_seats: frozenset[Seat] = frozenset(),
    *,
    is_routine: bool = False,
) -> LogLine:
    """Return a log line with the narration of a text (``narrated``)."""
    return LogLine(index, actor, narrated(text), affected_seats, is_routine)


def _sentence(text: str) -> Sentence:
    kind = next(
        (kind for kind, words in _WORDS_BY_KIND.items() if any(each in text for each in words)),
        SentenceKind.PLAIN,
    )
    clause = _clause(text)
    if clause is None:
        return Sentence(text, kind)
    return clause_sentence(clause.subject, clause.verb, clause.item, piece=clause.piece, kind=kind)


def _clause(text: str) -> Clause | None:
    match = _CLAUSE_PATTERN.fullmatch(text)
    if match is None:
        return None
    parts = _ITEM_PATTERN.fullmatch(match["item"])
    assert parts is not None
    item = Item(
        parts["name"],
        parts["means"] or "",
        parts["place"] or "",
        int(parts["number"] or 0),
        int(parts["total"] or 0),
        is_countable=match["verb"] == "loads",
    )
    piece = re.search(r"ship \d", match["subject"].lower())
    return Clause(match["subject"], match["verb"], item, piece[0] if piece else "")
