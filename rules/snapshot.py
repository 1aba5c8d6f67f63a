"""Snapshots of matches as bytes: a checksum, then what a replay of the records would compute."""

from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zlib import crc32

import msgspec

from rules.game import AnyGame
from rules.model import Event

if TYPE_CHECKING:
    from rules.match import Match

_CHECKSUM_LENGTH: Final = 4


class Snapshot(NamedTuple):
    """What a snapshot holds."""

    state: Any
    recent_events: tuple[Event, ...]
    in_turn_indexes: frozenset[int]
    """The places in the history of resignations in the middle of a turn (``Record.in_running_turn``)."""
    turn_end_indexes: frozenset[int]
    """The places of records after which a turn is over, whoever chooses next (``Record.ends_turn``)."""


def encode_snapshot(match: "Match") -> bytes:
    """Return the snapshot of a match."""
    in_turn_indexes = [index for index, record in enumerate(match.history) if record.in_running_turn]
    turn_end_indexes = [index for index, record in enumerate(match.history) if record.ends_turn]
    encoded = msgspec.msgpack.encode((match.state, match.recent_events, in_turn_indexes, turn_end_indexes))
    return _checksum(encoded) + encoded


def decode_snapshot(game: AnyGame, snapshot: bytes) -> Snapshot:
    """Return what a snapshot holds.  Raises msgspec.DecodeError if it is damaged."""
    encoded = snapshot[_CHECKSUM_LENGTH:]
    if snapshot[:_CHECKSUM_LENGTH] != _checksum(encoded):
        raise msgspec.DecodeError("the snapshot differs from its checksum")
    return Snapshot(*snapshot_decoder(game).decode(encoded))


def _checksum(encoded: bytes) -> bytes:
    return crc32(encoded).to_bytes(_CHECKSUM_LENGTH, "big")


@cache
def snapshot_decoder(game: AnyGame) -> "msgspec.msgpack.Decoder[Any]":
    """Return the decoder of a game's snapshots without their checksums.

    msgspec inspects a type at its first use, which is not thread-safe: if matches are loaded in threads,
    call this for each game before.
    """
    return msgspec.msgpack.Decoder(
        tuple[game.state_type, tuple[game.event_type, ...], frozenset[int], frozenset[int]]  # type: ignore[name-defined] # types made from values
    )
