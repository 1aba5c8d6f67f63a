"""The draws behind the outcomes of chance, as values and as lines of a match file.

::

    < deal A 0: take 5C,7C of 2C,3C,4C,5C,6C,7C
    < deal B 0: take 2C,4C from 1/1
    < shuffle - 0: order 9H,8S of 8S,9H
    < reshuffle - 0

First comes the stream: kind, seat (``-``: none) and number (see ``rules.random_stream``).  Then comes each
draw: ``take`` if what was drawn stands in the order of the items, ``order`` if it stands in the order drawn.
The items follow ``of``; ``from 12/1`` stands for what the first draw of record 12 left over.
"""

import enum
from collections.abc import Sequence
from typing import Final

import msgspec

from rules.errors import MalformedAction
from rules.game import AnyGame
from rules.match import Match
from rules.model import CHANCE, Options, Seat
from rules.notation import ABSENT_MARK, EMPTY_TUPLE, ITEM_SEPARATOR, parse_seat, seat_letter, verb_of
from rules.random_stream import RandomStream
from rules.record import DrawnOutcome, Record

DRAW_MARK: Final = "<"
_DRAW_SEPARATOR: Final = "; "
_TAKE: Final = "take"
_ORDER: Final = "order"
_MAX_DIGITS: Final = 6


class WrittenDraw(msgspec.Struct, frozen=True):
    """One draw in text: the items it was made from and what was drawn."""

    items: tuple[str, ...]
    drawn: tuple[str, ...]
    is_ordered: bool
    """Whether ``drawn`` stands in the order drawn; else in the order of the items."""

    @property
    def remaining(self) -> tuple[str, ...]:
        """The items that were not drawn."""
        items = list(self.items)
        for item in self.drawn:
            if item in items:
                items.remove(item)
        return tuple(items)


class WrittenOutcome(msgspec.Struct, frozen=True):
    """The stream of one outcome of chance, and its draws."""

    kind: str
    """The outcome's verb."""
    seat: Seat | None
    number: int
    """How many earlier outcomes of this kind for this seat the history holds: undone ones do not count."""
    draws: tuple[WrittenDraw, ...]

    def is_drawn_with(self, key: bytes) -> bool:
        """Whether a deal key, as the key of the stream, gives these draws."""
        stream = RandomStream(key, self.number, kind=self.kind, seat=self.seat)
        for draw in self.draws:
            if len(draw.drawn) > len(draw.items):
                return False
            sample = stream.sample_ordered if draw.is_ordered else stream.sample_unordered
            if sample(draw.items, len(draw.drawn)) != draw.drawn:
                return False
        return True

    @property
    def drawn(self) -> tuple[str, ...]:
        """Everything that was drawn, in order."""
        return tuple(item for draw in self.draws for item in draw.drawn)


def _make_written_outcome(outcome: DrawnOutcome) -> WrittenOutcome:
    """Return an outcome's stream and draws as they stand in text."""
    draws = tuple(
        WrittenDraw(tuple(map(_item_text, draw.items)), tuple(map(_item_text, draw.drawn)), draw.is_ordered)
        for draw in outcome.draws
    )
    kind, seat = verb_of(outcome.outcome_kind.outcome_type), outcome.outcome_kind.drawn_for
    return WrittenOutcome(kind, seat, outcome.number, draws)


def replay_draws(
    game: AnyGame, seat_count: int, options: Options, seed: bytes, records: Sequence[Record]
) -> tuple[WrittenOutcome, ...]:
    """Replay the records and return what each outcome of chance was drawn from.  Raises BrokenMatch."""
    match = Match.replay(game, seat_count, options, seed, ())
    outcomes = []
    for record in records:
        if record.actor == CHANCE and match.to_act == CHANCE:
            outcomes.append(_make_written_outcome(match.draw_outcome()))
        match = match.append(record)
    return tuple(outcomes)


class DrawNotation:
    """Writes or parses the lines of one file in order, since lines refer to earlier ones."""

    def __init__(self) -> None:
        """Start before the first line."""
        self._remaining: dict[str, tuple[str, ...]] = {}
        self._name_of_items: dict[tuple[str, ...], str] = {}

    def write(self, ply: int, outcome: WrittenOutcome) -> str:
        """Return the line below record number ``ply``."""
        seat_text = ABSENT_MARK if outcome.seat is None else seat_letter(outcome.seat)
        texts = []
        for draw_number, draw in enumerate(outcome.draws, 1):
            keyword = _ORDER if draw.is_ordered else _TAKE
            name = self._name_of_items.get(draw.items)
            items_text = f"of {_join_items(draw.items)}" if name is None else f"from {name}"
            texts.append(f"{keyword} {_join_items(draw.drawn)} {items_text}")
            self._remember_remaining(ply, draw_number, draw)
        line = f"{DRAW_MARK} {outcome.kind} {seat_text} {outcome.number}"
        return f"{line}: {_DRAW_SEPARATOR.join(texts)}" if texts else line

    def parse(self, ply: int, line: str) -> WrittenOutcome:
        """Parse the line below record number ``ply``.  Raises MalformedAction."""
        head, colon, tail = line.partition(": ")
        parts = head.split(" ")
        if len(parts) != 4 or parts[0] != DRAW_MARK or not _is_number(parts[3]):
            raise MalformedAction("A draw is written: < kind seat number: what was drawn of which items.")
        seat = None if parts[2] == ABSENT_MARK else parse_seat(parts[2])
        if seat is not None and seat < 0:
            raise MalformedAction(f"“{parts[2]}” is no seat.")
        draws = []
        for draw_number, text in enumerate(tail.split(_DRAW_SEPARATOR) if colon else (), 1):
            draws.append(draw := self._parse_draw(text))
            self._remember_remaining(ply, draw_number, draw)
        return WrittenOutcome(parts[1], seat, int(parts[3]), tuple(draws))

    def _parse_draw(self, text: str) -> WrittenDraw:
        match text.split(" "):
            case [("take" | "order") as keyword, drawn, "of", items]:
                return WrittenDraw(_split_items(items), _split_items(drawn), keyword == _ORDER)
            case [("take" | "order") as keyword, drawn, "from", name] if name in self._remaining:
                return WrittenDraw(self._remaining[name], _split_items(drawn), keyword == _ORDER)
        raise MalformedAction(f"“{text[:32]}” is no draw.")

    def _remember_remaining(self, ply: int, draw_number: int, draw: WrittenDraw) -> None:
        name = f"{ply}/{draw_number}"
        if remaining := draw.remaining:
            self._remaining[name] = remaining
            self._name_of_items.setdefault(remaining, name)


def _item_text(item: object) -> str:
    """Return an item as an action writes it."""
    return str(item.value if isinstance(item, enum.Enum) else item)


def _join_items(items: Sequence[str]) -> str:
    return ITEM_SEPARATOR.join(items) or EMPTY_TUPLE


def _split_items(text: str) -> tuple[str, ...]:
    return () if text == EMPTY_TUPLE else tuple(text.split(ITEM_SEPARATOR))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
