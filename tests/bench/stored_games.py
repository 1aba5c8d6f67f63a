"""Makes databases with many stored games, thousands a second.

A few templates per registered game are really played; the games are copies of them under other numbers,
people, places and times.  Copies share the seeds of what they copy, so that they replay.  Otherwise the
database is as a bot leaves it that has run for ``AGE_DAYS``: most games are over, and what is pruned after 30
days is gone.
"""

import random
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from bot.host.housekeeping import RETENTION
from bot.host.replay_queue import REPLAYED_FINGERPRINT_KEY
from bot.host.rule_sources import rules_fingerprint
from bot.store.migrations import migrate, released_migrations
from bot.store.rows import LIVE_STATUSES, Status
from bot.store.seat_rows import SeatHolder
from bot.store.tables import LOBBY_EXPIRY
from rules.catalogue import ALL_RULES
from tests.bench.game_templates import GameTemplate, make_templates
from tests.bench.measurements import Reporter

AGE_DAYS: Final = 730
"""Days since the first game was opened; they are spread evenly over that time."""
RECENT_DAYS: Final = 30
"""Games that are younger mostly go on."""
TEMPLATES_PER_GAME: Final = 6
"""Templates of each registered game."""
GROUP_SIZE: Final = 6
"""People who play with each other."""
GAMES_PER_GROUP: Final = 20
CHUNK_SIZE: Final = 1000
"""Games of one transaction."""
_DAY_SECONDS: Final = 86_400
_FIRST_USER: Final = 300_000_000_000_000_000
_FIRST_GUILD: Final = 400_000_000_000_000_000
_GROUPS_PER_GUILD: Final = 8
_DISCORD_EPOCH: Final = 1_420_070_400
_LOBBY_DAYS: Final = 2

_STATUS_WEIGHTS: Final[Mapping[bool, tuple[tuple[Status, int], ...]]] = {
    True: (
        (Status.PLAYING, 60),
        (Status.OVER, 30),
        (Status.LOBBY, 4),
        (Status.PAUSED, 3),
        (Status.CLOSED, 3),
    ),
    False: (
        (Status.OVER, 85),
        (Status.CLOSED, 6),
        (Status.ENDED_EARLY, 5),
        (Status.PLAYING, 3),
        (Status.PAUSED, 1),
    ),
}
"""What has become of a hundred games: of recent ones (True), and of older ones."""
_STATUSES_WITHOUT_GAME: Final = (Status.LOBBY, Status.CLOSED)


@dataclass(frozen=True)
class _Plan:
    """One stored game: a copy of a template up to a ply."""

    number: int
    template_index: int
    ply: int
    status: Status
    snapshot: bytes | None
    to_act: int | None
    """The seat to act; None unless the game is being played."""
    group: int
    """Who plays it."""
    opened_at: int
    seconds_per_record: int

    @property
    def first_user(self) -> int:
        """The user at seat 0; the others follow."""
        return _FIRST_USER + self.group * GROUP_SIZE

    def holders(self, templates: Sequence[GameTemplate]) -> tuple[SeatHolder, ...]:
        """Return who has the seats of a game that has started."""
        seat_count = templates[self.template_index].seat_count
        return tuple(SeatHolder(self.first_user + seat, seat) for seat in range(seat_count))

    @property
    def guild(self) -> int:
        """The server of the group."""
        return _FIRST_GUILD + self.group // _GROUPS_PER_GUILD * 100

    @property
    def game_channel(self) -> int:
        """The thread of the game."""
        return snowflake(self.opened_at, self.number)


def snowflake(timestamp: int, low_bits: int) -> int:
    """Return an id of Discord's form for a time (seconds since 1970) and its 22 lower bits."""
    return ((timestamp - _DISCORD_EPOCH) * 1000 << 22) | low_bits


@cache
def game_templates() -> tuple[GameTemplate, ...]:
    """Return the templates of all games; they are played once in a process."""
    return make_templates(TEMPLATES_PER_GAME, "stored games")


def make_database(
    path: Path,
    count: int,
    *,
    before_first_start: bool = False,
    now: float | None = None,
    report: Reporter | None = None,
) -> None:
    """Write a new database with ``count`` stored games, of all registered games together.

    ``before_first_start``: the next start is the first one of a release, which replays the games that go on.
    """
    now_seconds = int(time.time() if now is None else now)
    path.touch(0o600)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in ("journal_mode = off", "synchronous = off", "cache_size = -65536"):
            connection.execute(f"pragma {pragma}")
        migrate(connection, released_migrations())
        _write_templates(connection)
        plans = _plan_games(count, now_seconds)
        while chunk := [plan for plan, _ in zip(plans, range(CHUNK_SIZE), strict=False)]:
            connection.execute("begin")
            _write_games(connection, chunk, now_seconds)
            connection.execute("commit")
            if report is not None:
                report(f"stored {chunk[-1].number:,} of {count:,} games")
        if not before_first_start:
            mark_replayed(connection)


def add_backup(database: Path, age: float = 0.0) -> Path:
    """Copy a database as its newest backup, made ``age`` seconds ago; return the folder of the backups."""
    made_at = datetime.fromtimestamp(time.time() - age, UTC)
    folder = database.with_name("backups")
    folder.mkdir(0o700, exist_ok=True)
    shutil.copy(database, folder / made_at.strftime("captains-table-%Y%m%d-%H%M%S.db"))
    return folder


def mark_replayed(connection: sqlite3.Connection) -> None:
    """Store that the games that go on have been replayed under these rules, so that a start does not."""
    fingerprint = rules_fingerprint(ALL_RULES)
    connection.execute(
        "insert or replace into settings (key, value) values (?, ?)", (REPLAYED_FINGERPRINT_KEY, fingerprint)
    )


def _plan_games(count: int, now: int) -> Iterator[_Plan]:
    """Yield what is to be stored, the oldest game first."""
    rng, templates = random.Random(count), game_templates()
    group_count = max(1, count // GAMES_PER_GROUP)
    for number in range(1, count + 1):
        age = round(AGE_DAYS * _DAY_SECONDS * (1 - (number - 0.5) / count))
        is_recent = age <= RECENT_DAYS * _DAY_SECONDS
        weights = _STATUS_WEIGHTS[is_recent]
        status = rng.choices([each for each, _ in weights], [weight for _, weight in weights])[0]
        template_index = rng.randrange(len(templates))
        ply, snapshot, to_act = 0, None, None
        if status not in _STATUSES_WITHOUT_GAME:
            positions = templates[template_index].positions
            position = (
                positions[-1] if status is Status.OVER else positions[rng.randrange(len(positions) - 1)]
            )
            ply, snapshot = position.ply, position.snapshot
            to_act = position.to_act if status is Status.PLAYING else None
        duration = min(age, rng.randint(2, RECENT_DAYS) * _DAY_SECONDS)
        if status is Status.LOBBY:
            age = min(age, _LOBBY_DAYS * _DAY_SECONDS // 2)
        yield _Plan(
            number=number,
            template_index=template_index,
            ply=ply,
            status=status,
            snapshot=snapshot,
            to_act=to_act,
            group=rng.randrange(group_count),
            opened_at=now - age,
            seconds_per_record=duration // (ply + 1),
        )


def _write_templates(connection: sqlite3.Connection) -> None:
    """Write the templates into temporary tables, from which SQLite itself makes the copies."""
    connection.executescript(
        "create temp table template_records (template, ply, actor, action, auto, by_person,"
        " primary key (template, ply)) without rowid;"
        "create temp table template_moves (template, ply, actor, to_act, ends_turn, turn, hidden,"
        " primary key (template, ply)) without rowid;"
        "create temp table plan (number integer primary key, template, ply, first_user, game_channel,"
        " opened_at, seconds_per_record, is_live)"
    )
    for index, template in enumerate(game_templates()):
        connection.executemany(
            "insert into template_records values (?, ?, ?, ?, ?, ?)",
            [
                (index, ply, record.actor, record.action, record.auto, record.by_person)
                for ply, record in enumerate(template.records, 1)
            ],
        )
        connection.executemany(
            "insert into template_moves values (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    index,
                    position.ply,
                    position.actor,
                    position.to_act,
                    position.to_act != position.actor,
                    position.turn_start,
                    template.game.hidden_information,
                )
                for position in template.positions
            ],
        )


def _write_games(connection: sqlite3.Connection, plans: Sequence[_Plan], now: int) -> None:
    templates = game_templates()
    connection.execute("delete from plan")
    connection.executemany(
        "insert into plan values (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                plan.number,
                plan.template_index,
                plan.ply,
                plan.first_user,
                plan.game_channel,
                plan.opened_at,
                plan.seconds_per_record,
                plan.status in LIVE_STATUSES,
            )
            for plan in plans
        ],
    )
    connection.executemany(
        "insert into matches (number, game, rules_version, options, status, host, guild, lobby_channel,"
        " game_channel, seed, opened_at, version, ply, snapshot, to_act, holders)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                plan.number,
                templates[plan.template_index].game.key,
                templates[plan.template_index].game.rules_version,
                templates[plan.template_index].options_text,
                plan.status.value,
                plan.first_user,
                plan.guild,
                plan.guild + 1,
                plan.game_channel,
                templates[plan.template_index].seed,
                plan.opened_at,
                plan.ply + templates[plan.template_index].seat_count,
                plan.ply,
                plan.snapshot,
                plan.to_act,
                None if plan.snapshot is None else msgspec.msgpack.encode(plan.holders(templates)),
            )
            for plan in plans
        ],
    )
    connection.executemany(
        "insert into seats (match, seat, name, user, direct_messages) values (?, ?, ?, ?, 'open')",
        [
            (plan.number, seat, f"Player {plan.group}-{seat}", plan.first_user + seat)
            for plan in plans
            for seat in range(templates[plan.template_index].seat_count)
        ],
    )
    connection.executemany(
        "insert into timers values (?, ?, ?)",
        [
            (plan.number, LOBBY_EXPIRY, plan.opened_at + _LOBBY_DAYS * _DAY_SECONDS)
            for plan in plans
            if plan.status is Status.LOBBY
        ],
    )
    for statement in _COPY_STATEMENTS:
        connection.execute(statement, {"before": now - RETENTION})


_FROM_MOVES: Final = (
    " from plan cross join template_moves as move on move.template = plan.template and move.ply <= plan.ply"
)
_MOVE_TIME: Final = "plan.opened_at + plan.seconds_per_record * move.ply"
_UNPRUNED: Final = f" where ({_MOVE_TIME} >= :before)"
_UNPRUNED_OR_LAST: Final = f" where ({_MOVE_TIME} >= :before or move.ply = plan.ply and is_live)"
"""The pruning leaves what is younger than its limit, and of a live table's last move its board and answer."""
_COPY_STATEMENTS: Final = tuple(
    statement
    for statement in f"""
insert into records
    select number, record.ply, actor, action, auto, case when by_person then first_user + actor end,
        opened_at + seconds_per_record * record.ply
    from plan cross join template_records as record
        on record.template = plan.template and record.ply <= plan.ply;
insert into inbox
    select (({_MOVE_TIME} - {_DISCORD_EPOCH}) * 1000 + move.ply % 1000 << 22) | number, number, move.ply,
        'Recorded as move ' || move.ply || '. Your turn is over.', {_MOVE_TIME}
    {_FROM_MOVES} {_UNPRUNED_OR_LAST};
insert into outbox (match, ply, kind, text, state, at)
    select number, move.ply, 'board', '', 'sent', {_MOVE_TIME} {_FROM_MOVES} {_UNPRUNED_OR_LAST};
insert into outbox (match, ply, kind, seat, text, state, at)
    select number, move.ply, 'hand', move.actor, '', 'sent', {_MOVE_TIME}
    {_FROM_MOVES} {_UNPRUNED} and move.hidden;
insert into outbox (match, ply, kind, key, text, state, at)
    select number, move.ply, 'turn', move.turn, '', 'sent', {_MOVE_TIME}
    {_FROM_MOVES} {_UNPRUNED} and move.ends_turn;
insert into posted_messages (match, kind, key, channel, message, ply, posted_at, shown_turn_start)
    select number, 'turn', move.turn, game_channel, game_channel + move.ply, move.ply, {_MOVE_TIME}, move.turn
    {_FROM_MOVES} where move.ends_turn;
insert into posted_messages (match, kind, channel, message, ply, posted_at)
    select number, 'lobby', game_channel, game_channel, 0, opened_at from plan;
insert into posted_messages (match, kind, channel, message, ply, posted_at)
    select number, 'board', game_channel, game_channel + move.ply, move.ply, {_MOVE_TIME}
    {_FROM_MOVES} where move.ply = plan.ply
""".split(";")
)
"""The statements that copy what was played, with the plan's numbers, people and times."""
