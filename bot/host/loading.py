"""Loads stored tables, and checks that this release replays them to the same position.

A game that these rules play differently is frozen; a table that cannot be decoded is left as it is.
"""

import logging
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from bot.error_ids import new_error_id
from bot.host.deciders.decision import BOARD_DELIVERY, Decision, closing_deliveries, notice_delivery
from bot.host.deciders.results import frozen_rating_text
from bot.host.game_workers import GameCallTimeout, WorkersBusy, run_in_worker
from bot.host.request import Refusal
from bot.host.table import IN_PLAY, Games, Table
from bot.metrics import Metrics
from bot.store.protocol import Divergence, ReplayCheck, Store, StoreError, UndecodableTable
from bot.store.rows import LIVE_STATUSES, RecordRow, Status, StoredTable, TableRow
from rules.errors import BrokenMatch
from rules.game import AnyGame
from rules.match import Match
from rules.model import Action, Options, Seat
from rules.notation import Notation
from rules.options import parse_options
from rules.record import Record, parse_control_action
from rules.snapshot import snapshot_decoder

_MAX_REASON_LENGTH: Final = 200
"""Characters of an error's text that are the reason of a divergence."""

_log = logging.getLogger(__name__)


class NoSuchTable(Refusal):
    """There is no table of that number."""


class UnreadableTable(Refusal):
    """A stored table cannot be decoded; it is left as it is."""


def game_timeout_key(number: int) -> str:
    """Return the key under which the store notes that a table's game took too long ("1": it did)."""
    return f"timed out {number}"


class TableLoader:
    """Loads tables from the store, in a thread: a long game's log takes long to narrate."""

    def __init__(self, store: Store, games: Games, earlier_rules: Games, metrics: Metrics) -> None:
        """``games``: the catalogue; ``earlier_rules``: old rules that games in progress still use."""
        self._store = store
        self._games = games
        self.all_games: Games = {**earlier_rules, **games}
        self._metrics = metrics
        for game in self.all_games.values():
            snapshot_decoder(game)  # not thread-safe at first use

    async def load(self, number: int) -> Table | Decision:
        """Return a stored table, or the decision to freeze it.

        A frozen table that cannot be loaded is returned as unplayable.  Raises NoSuchTable,
        UnreadableTable, WorkersBusy, StoreError.
        """
        stored = await self._load_rows(number)
        if stored is None:
            raise NoSuchTable(f"There is no table No. {number} here.")
        row = stored.row
        in_play = row.status in IN_PLAY
        if in_play and _find_game(self.all_games, row.game_key, row.rules_version) is None:
            return await self._freeze_decision(stored)
        try:
            if await self._store.get_metadata(game_timeout_key(number)):
                raise GameCallTimeout(number)
            return await run_in_worker(row, lambda: self.unpack_with_log(stored))
        except (StoreError, WorkersBusy):
            raise
        except Exception as error:  # a fault in one table must not affect the others
            if isinstance(error, GameCallTimeout):
                await self.mark_game_timed_out(number)
            if in_play:
                return await self._freeze_decision(stored, error)
            if row.status is Status.FROZEN:
                _log.warning("frozen table not playable", exc_info=error, extra={"table": row.number})
                return unplayable_table(row, self.all_games)
            raise self._report_unreadable(row.number) from error

    def unpack_with_log(self, stored: StoredTable) -> Table:
        """Unpack a stored table, with its newest log lines.  Raises any exception if it is damaged."""
        return unpack(stored, self.all_games).with_log()

    async def check_replay(self, number: int) -> Decision | None:
        """Replay a stored table; return the decision to freeze it if it differs or takes too long.

        Raises UnreadableTable, WorkersBusy, StoreError.
        """
        stored = await self._load_rows(number)
        if stored is None:
            return None
        try:
            divergence = await self._find_divergence(stored)
        except GameCallTimeout as error:
            await self.mark_game_timed_out(number)
            return await self._freeze_decision(stored, error)
        if divergence is None:
            return None
        return await self._freeze_decision(stored, await self._find_loading_error(stored))

    async def _find_loading_error(self, stored: StoredTable) -> Exception | None:
        """Return the error that loading a table raises, for the log; None if it can be loaded."""
        try:
            await run_in_worker(stored.row, lambda: self.unpack_with_log(stored))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it is logged by the caller
            return error
        return None

    async def mark_game_timed_out(self, number: int) -> None:
        """Store that a call of a table's game took too long: its match is not loaded again until a thaw."""
        await self._store.set_metadata(game_timeout_key(number), "1")

    async def _find_divergence(self, stored: StoredTable) -> Divergence | None:
        """Replay a stored table in a thread.  Raises GameCallTimeout, WorkersBusy."""
        return await run_in_worker(stored.row, lambda: find_divergence(stored, self.all_games))

    async def _load_rows(self, number: int) -> StoredTable | None:
        """Return a stored table; None if there is none or its game is unknown.

        Raises UnreadableTable, StoreError.
        """
        try:
            stored = await self._store.load(number)
        except UndecodableTable as error:
            raise self._report_unreadable(number) from error
        return None if stored is None or stored.row.game_key not in self._games else stored

    def _report_unreadable(self, number: int) -> UnreadableTable:
        """Log the error being handled and count it; return the refusal for the person who asks."""
        error_id = new_error_id()
        _log.exception("table not readable", extra={"table": number, "error_id": error_id})
        self._metrics.faults.labels("table").inc()
        refusal = UnreadableTable(
            f"I cannot open table No. {number} right now. Nothing is lost. The bot's operator can fix this."
        )
        refusal.table_number, refusal.error_id, refusal.is_logged_already = number, error_id, True
        return refusal

    async def _freeze_decision(self, stored: StoredTable, error: Exception | None = None) -> Decision:
        """Log why a table is frozen, with the first record that differs; return the decision to freeze it.

        ``error``: what loading the table raised.
        """
        row = stored.row
        divergence = None
        if not isinstance(error, GameCallTimeout):  # replaying it would take as long
            try:
                divergence = await self._find_divergence(stored)
            except GameCallTimeout as fault:
                await self.mark_game_timed_out(row.number)
                error = fault
        error_id = new_error_id()
        ply = 0 if divergence is None else divergence.ply
        log_fields = {"table": row.number, "game": row.game_key, "record": ply, "error_id": error_id}
        reason = "something went wrong"
        if isinstance(error, GameCallTimeout):
            _log.error("game frozen: it takes too long to load", exc_info=error, extra=log_fields)
        elif divergence is None:  # its words fail, for example
            _log.error("game frozen after a fault", exc_info=error, extra=log_fields)
        else:
            reason = "I cannot replay its moves"
            if _find_game(self.all_games, row.game_key, row.rules_version) is None:
                reason = "it was started under rules that I no longer have"
            _log.error("game frozen: these rules play it differently", exc_info=error, extra=log_fields)
        self._metrics.faults.labels("table").inc()
        record_text = f", record {ply}" if ply else ""
        unfrozen_table = unplayable_table(row, self.all_games)
        text = (
            f"This game is frozen: {reason}. Nothing is lost. The bot's operator can fix this."
            f"{frozen_rating_text(unfrozen_table)} (reference {error_id}{record_text})"
        )
        frozen_table = unfrozen_table.as_frozen()
        deliveries = (
            notice_delivery(text),
            BOARD_DELIVERY,
            *closing_deliveries(unfrozen_table, frozen_table),
        )
        return Decision(table=frozen_table, answer=text, deliveries=deliveries)


# Unpacking ----------------------------------------------------------------------------------------------


def unpack(stored: StoredTable, games: Games) -> Table:
    """Make the table of stored rows.  Raises KeyError for an unknown game, or RulesError for damaged rows."""
    row = stored.row
    if row.snapshot is None:  # a lobby starts under the newest rules
        game = games[row.game_key]
        return Table(row, game, parse_options(game.options_type, row.options), None)
    game = _find_game(games, row.game_key, row.rules_version) or games[row.game_key]
    options = parse_options(game.options_type, row.options)
    records = parse_records(game, stored.records)
    match = _load_match(row, game, options, records)
    # where a seat changed hands while the table was unplayable, its `end_index` is only an upper bound
    return Table(row.with_shortened_history(len(match.history)), game, options, match)


def unplayable_table(row: TableRow, games: Games) -> Table:
    """Return a table without its match.  It can only be shown as frozen."""
    game = games[row.game_key]
    return Table(row, game, game.options_type(), None, (), is_unplayable=True)


def _load_match(row: TableRow, game: AnyGame, options: Options, records: tuple[Record, ...]) -> Match:
    """Return the match from its snapshot, or from its records if the snapshot is damaged or of other rules.

    Raises BrokenMatch if the rules of this release play the records differently.
    """
    assert row.snapshot is not None
    seat_count = len(row.seats)
    if row.rules_version == game.rules_version:
        try:
            return Match.from_snapshot(game, seat_count, options, row.seed, records, row.snapshot)
        except msgspec.DecodeError:
            return Match.replay(game, seat_count, options, row.seed, records)
    match = Match.replay(game, seat_count, options, row.seed, records)
    if match.snapshot() != row.snapshot:
        raise BrokenMatch(match.ply, "these rules lead to another position")
    return match


def parse_records(game: AnyGame, rows: tuple[RecordRow, ...]) -> tuple[Record, ...]:
    """Parse stored records.  Raises MalformedAction."""
    notation = Notation(game)
    return tuple(Record(Seat(row.actor), parse_stored_action(notation, row.action), row.auto) for row in rows)


def parse_stored_action(notation: Notation, text: str) -> Action:
    """Parse the stored text of any record's action.  Raises MalformedAction."""
    return parse_control_action(text) or notation.parse(text)


# Replaying ----------------------------------------------------------------------------------------------


def find_divergence(stored: StoredTable, games: Games) -> Divergence | None:
    """Replay a stored table under the rules that it was started with; return None if nothing differs.

    A fault in the table or in the rules is a divergence too, never an exception, and so are rules that this
    release does not have.
    """
    row = stored.row
    game = _find_game(games, row.game_key, row.rules_version)
    if game is not None:
        return find_divergence_with(stored, game)
    newest_game = games.get(row.game_key)
    if newest_game is None:
        return Divergence(0, f"this release has no game “{row.game_key}”")
    if row.snapshot is None:
        return None  # a lobby will start under the rules of the release that starts it
    divergence = find_divergence_with(stored, newest_game)
    versions_text = (
        f"begun under version {row.rules_version} of the rules;"
        f" this release has version {newest_game.rules_version}"
    )
    if divergence is None:
        return Divergence(0, f"{versions_text}, which plays its records to the same position")
    return Divergence(divergence.ply, f"{versions_text}: {divergence.reason}", divergence.quotes_data)


def find_divergence_with(stored: StoredTable, game: AnyGame) -> Divergence | None:
    """Replay a stored table under given rules; return None if nothing differs."""
    row = stored.row
    progress = _Progress()
    try:
        options = parse_options(game.options_type, row.options)
        if row.snapshot is None:
            return Divergence(0, "it has records but no position") if stored.records or row.ply else None
        seat_count = len(row.seats)
        records = tuple(progress.parse(game, stored.records))
        progress.ply = 0
        match = Match.replay(game, seat_count, options, row.seed, progress.track(records))
        if match.ply != row.ply:
            return Divergence(
                min(match.ply, row.ply) + 1, "the number of records differs from the stored one"
            )
        try:
            snapshot_match = Match.from_snapshot(game, seat_count, options, row.seed, records, row.snapshot)
        except msgspec.DecodeError:
            return None  # a snapshot is only a cache of the records
        if (snapshot_match.state, snapshot_match.recent_events) != (match.state, match.recent_events):
            return Divergence(match.ply, "after it the position differs from the stored one")
    except BrokenMatch as error:
        return Divergence(error.ply, _reason_text(error.reason), quotes_data=True)
    except Exception as error:  # noqa: BLE001 - a fault in the rules is a divergence too
        return Divergence(progress.ply, _reason_text(f"{type(error).__name__}: {error}"), quotes_data=True)
    return None


def _reason_text(text: str) -> str:
    """Return the text of an error as the reason of a divergence, which ends without a full stop."""
    return text[:_MAX_REASON_LENGTH].rstrip(".…")


class _Progress:
    """Knows which record is being parsed or replayed, for the report of a fault."""

    def __init__(self) -> None:
        self.ply = 0

    def parse(self, game: AnyGame, rows: tuple[RecordRow, ...]) -> Iterator[Record]:
        for ply, row in enumerate(rows, 1):
            self.ply = ply
            if row.ply != ply:
                raise BrokenMatch(ply, f"record {row.ply} stands in its place")
            yield from parse_records(game, (row,))

    def track(self, records: tuple[Record, ...]) -> Iterator[Record]:
        for self.ply, record in enumerate(records, 1):
            yield record


def make_replay_check(games: Games) -> ReplayCheck:
    """Return ``find_divergence`` with ``games`` bound; a finished game whose rules are gone passes."""

    def check(stored: StoredTable) -> Divergence | None:
        row = stored.row
        if row.status not in LIVE_STATUSES and _find_game(games, row.game_key, row.rules_version) is None:
            return None
        return find_divergence(stored, games)

    return check


def _find_game(games: Mapping[str, AnyGame], key: str, version: int) -> AnyGame | None:
    """Return a game under a version of its rules; None if this release does not have them.

    ``games``: this release's own by key, and earlier versions as ``key@version``.
    """
    game = games.get(key)
    if game is not None and game.rules_version == version:
        return game
    return games.get(f"{key}@{version}")
