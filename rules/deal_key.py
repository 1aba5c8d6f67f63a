"""The key of the deals: what the streams (``rules.random_stream``) are keyed with, and how it changes.

The first key is the seed.  Two kinds of records change the key from the next outcome on; what was drawn
before stays.  The new key is BLAKE2b (RFC 7693) of 32 bytes, keyed with the old one:

* a cut (``Cut``): ``person=b"captains/cut"``, message: the seat in one byte, the first word, a space, the
  second word, in ASCII.  So the seed alone does not give the deals before the words are known;
* a reseal (``Reseal``): ``person=b"captains/reseal"``, message: the number of records before it, eight bytes,
  big-endian.  Resealing again after the same records gives the same key, so it is no second draw.

Undo does not bring back an earlier key.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rules.cut_words import CUT_WORDS
from rules.errors import BrokenMatch, IllegalAction
from rules.model import MODERATOR, Seat
from rules.random_stream import make_fairness_code
from rules.record import Cut, Record, Reseal, Undo, parse_control_action

KEY_BYTES: Final = 32
_CUT_DOMAIN: Final = b"captains/cut"
_RESEAL_DOMAIN: Final = b"captains/reseal"
_KNOWN_WORDS: Final = frozenset(CUT_WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealKey:
    """The key after some records, and what has changed it."""

    key: bytes | None
    """The key of the next deals (32 bytes), as secret as the seed; None if the seed is not known."""
    reseal_code: str | None = None
    """The fairness code of the newest reseal; None before the first one."""
    cuts: tuple[Record, ...] = ()
    """Every cut, the earliest first."""
    cut_seats: tuple[Seat, ...] | None = ()
    """The seats that have cut since the start or the newest reseal; None once another record has followed."""
    earlier_key_record_count: int = 0
    """How many records of the history precede the newest change of the key: their draws would differ now."""

    def __repr__(self) -> str:
        """Describe the changes, never the key."""
        return f"DealKey(cuts={len(self.cuts)}, reseal_code={self.reseal_code})"

    def after_record(self, record: Record, ply: int, history_length: int) -> "DealKey":
        """Return the key after one more record.

        ``ply``: the number of records before it; ``history_length``: the length of the history before it.
        """
        action = record.action
        if isinstance(action, Cut):
            key = self.key and key_after_cut(self.key, record.actor, action)
            cut_seats = (*(self.cut_seats or ()), record.actor)
            return replace(
                self,
                key=key,
                cuts=(*self.cuts, record),
                cut_seats=cut_seats,
                earlier_key_record_count=history_length,
            )
        if isinstance(action, Reseal):
            key = self.key and key_after_reseal(self.key, ply)
            return replace(
                self, key=key, reseal_code=action.code, cut_seats=(), earlier_key_record_count=history_length
            )
        if isinstance(action, Undo):
            count = min(self.earlier_key_record_count, action.kept_length)
            return replace(self, cut_seats=None, earlier_key_record_count=count)
        return self.with_cutting_closed()

    def with_cutting_closed(self) -> "DealKey":
        """Return this key, but nobody may cut before the next reseal."""
        return self if self.cut_seats is None else replace(self, cut_seats=None)


def key_after_cut(key: bytes, seat: Seat, cut: Cut) -> bytes:
    """Return the key after a seat has cut."""
    message = bytes((seat,)) + f"{cut.first} {cut.second}".encode("ascii")
    return hashlib.blake2b(message, key=key, person=_CUT_DOMAIN, digest_size=KEY_BYTES).digest()


def key_after_reseal(key: bytes, ply: int) -> bytes:
    """Return the key after a reseal; ``ply``: the number of records before it."""
    message = ply.to_bytes(8, "big")
    return hashlib.blake2b(message, key=key, person=_RESEAL_DOMAIN, digest_size=KEY_BYTES).digest()


def make_reseal(match_id: str, key: bytes, ply: int) -> Record:
    """Return the record that reseals a match; it has the code of the new key.

    ``key``: the old one; ``ply``: the number of records before the reseal.
    """
    return Record(MODERATOR, Reseal(make_fairness_code(match_id, key_after_reseal(key, ply))))


def deal_key_after(seed: bytes, stored_records: Sequence[tuple[int, str]]) -> DealKey:
    """Return the key after stored records, given as actor and text.  Raises MalformedAction.

    Only ``key``, ``reseal_code`` and ``cuts`` of the result are those of the match.  No rules are needed, so
    this also works for a game that this release cannot play.
    """
    deal_key = DealKey(key=seed)
    for ply, (actor, text) in enumerate(stored_records):
        control = parse_control_action(text)
        if control is not None:
            deal_key = deal_key.after_record(Record(Seat(actor), control), ply, 0)
    return deal_key


def make_reseal_after(match_id: str, seed: bytes, stored_records: Sequence[tuple[int, str]]) -> Record:
    """Return the record that reseals a match after stored records (see ``deal_key_after``)."""
    key = deal_key_after(seed, stored_records).key
    assert key is not None
    return make_reseal(match_id, key, len(stored_records))


def replay_control_actions(
    seed: bytes | None, records: Iterable[Record]
) -> tuple[tuple[Record, ...], DealKey]:
    """Return the history and the key that records lead to.  Nothing is checked."""
    history: list[Record] = []
    deal_key = DealKey(key=seed)
    for ply, record in enumerate(records):
        deal_key = deal_key.after_record(record, ply, len(history))
        if isinstance(record.action, Undo):
            del history[record.action.kept_length :]
        elif not isinstance(record.action, Cut | Reseal):
            history.append(record)
    return tuple(history), deal_key


def check_reseals(match_id: str, seed: bytes, records: Iterable[Record]) -> None:
    """Raise BrokenMatch if the code of a reseal does not belong to the key after it."""
    deal_key = DealKey(key=seed)
    for ply, record in enumerate(records):
        deal_key = deal_key.after_record(record, ply, 0)
        if isinstance(record.action, Reseal):
            assert deal_key.key is not None
            if make_fairness_code(match_id, deal_key.key) != record.action.code:
                raise BrokenMatch(ply + 1, "the new fairness code is not the one that follows from the seed")


def check_cut_words(cut: Cut) -> None:
    """Raise IllegalAction unless both words of a cut are in the list (``rules.cut_words``)."""
    for word in (cut.first, cut.second):
        if word not in _KNOWN_WORDS:
            raise IllegalAction(f"“{word}” is not in the list of words. Choose two words of the list.")
