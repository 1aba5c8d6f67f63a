"""Whether this release plays a stored game as it was played, and if not, at which record it differs."""

import hashlib
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

import msgspec

from bot.host.table import Games, stored_records
from bot.store.protocol import Divergence, ReplayCheck
from bot.store.rows import LIVE, RecordRow, StoredTable
from rules.errors import BrokenMatch
from rules.game import AnyGame, find_rules
from rules.match import Match
from rules.options import parse_options
from rules.record import Record

_LONGEST: Final = 200


def find_divergence(stored: StoredTable, games: Games) -> Divergence | None:
    """Replay a stored table under the rules that it was begun with; None: it comes to where it stands.

    Never raises, whatever is wrong with the table or the rules.
    """
    row = stored.table
    game = find_rules(games, row.game, row.rules_version)
    if game is not None:
        return divergence_under(stored, game)
    newest = games.get(row.game)
    if newest is None:
        return Divergence(0, f"this release has no game “{row.game}”")
    if row.snapshot is None:
        return None  # a lobby begins under the rules of the release that starts it
    differing = divergence_under(stored, newest)
    text = (
        f"begun under version {row.rules_version} of the rules;"
        f" this release has version {newest.rules_version}"
    )
    if differing is None:
        return Divergence(0, f"{text}, which plays its records to the same position")
    return Divergence(differing.ply, f"{text}: {differing.reason}", differing.quotes)


def divergence_under(stored: StoredTable, game: AnyGame) -> Divergence | None:
    """The same under given rules."""
    row = stored.table
    at = _Place()
    try:
        options = parse_options(game.options, row.options)
        if row.snapshot is None:
            return Divergence(0, "it has records but no position") if stored.records or row.ply else None
        seats = len(row.seats)
        records = tuple(at.each(game, stored.records))
        at.ply = 0
        match = Match.replay(game, seats, options, row.seed, at.counted(records))
        if match.ply != row.ply:
            return Divergence(min(match.ply, row.ply) + 1, "the table does not stand after its last record")
        try:
            kept = Match.resume(game, seats, options, row.seed, records, row.snapshot)
        except msgspec.DecodeError:
            return None  # the position is only a cache; the records are what counts
        if (kept.state, kept.recent_events) != (match.state, match.recent_events):
            return Divergence(match.ply, "after it the game stands otherwise than it was stored")
    except BrokenMatch as error:
        return Divergence(error.ply, str(error).partition(": ")[2][:_LONGEST], quotes=True)
    except Exception as error:  # noqa: BLE001 - a fault in the rules is a difference as well
        return Divergence(at.ply, f"{type(error).__name__}: {error}"[:_LONGEST], quotes=True)
    return None


class _Place:
    """How far the records were read."""

    def __init__(self) -> None:
        self.ply = 0

    def each(self, game: AnyGame, rows: tuple[RecordRow, ...]) -> Iterator[Record]:
        for ply, row in enumerate(rows, 1):
            self.ply = ply
            if row.ply != ply:
                raise BrokenMatch(ply, f"record {row.ply} stands in its place")
            yield from stored_records(game, (row,))

    def counted(self, records: tuple[Record, ...]) -> Iterator[Record]:
        for self.ply, record in enumerate(records, 1):
            yield record


def replay_check(games: Games) -> ReplayCheck:
    """``find_divergence`` as the store wants it: a finished game is no worse because its rules are gone."""

    def prove(stored: StoredTable) -> Divergence | None:
        row = stored.table
        if row.status not in LIVE and find_rules(games, row.game, row.rules_version) is None:
            return None
        return find_divergence(stored, games)

    return prove


def rules_fingerprint() -> str:
    """What tells one release's rules from another's: a hash of their source."""
    digest = hashlib.sha256()
    for name, content in _sources(resources.files("rules"), ""):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.is_dir():
            yield from _sources(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".py"):
            yield path + entry.name, entry.read_bytes()
