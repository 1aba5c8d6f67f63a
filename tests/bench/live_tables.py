"""Tables that are played during a benchmark: their games are in the middle when the bot starts.

Each is a game of its own, written into the database with its board and hands still to be sent.
"""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Final

from bot.local.members import Member
from bot.local.model import Channel, User
from bot.local.server import LocalDiscord
from bot.store.delivery_rows import DeliveryKind, NewDelivery, Slot
from bot.store.rows import Change, RecordRow, Status, TableRow
from bot.store.seat_rows import SeatRow
from bot.store.tables import write_change
from rules.catalogue import GAMES
from tests.bench.game_templates import GameTemplate, ReachedPosition, make_template, player_counts
from tests.bot.database_file import open_database_file

MIDDLE_SHARES: Final = (0.2, 0.5)
"""The share of a game's choices that has been made: from, to."""
_FIRST_INTERACTION: Final = 1_000
"""Ids of the interactions that made the last moves: smaller than any of the stand-in's."""
_SECONDS_PER_RECORD: Final = 60


@dataclass(frozen=True)
class LiveTable:
    """A table before the bot starts."""

    number: int
    template: GameTemplate
    """Of its game."""
    position: ReachedPosition
    thread: Channel
    people: tuple[Member, ...]
    """By seat."""


def add_member(server: LocalDiscord, name: str) -> Member:
    """Let somebody join the stand-in's server."""
    user = User(server.world.new_snowflake(), name)
    server.world.users[user.id] = user
    return Member(server.world, server.interactions, user)


@cache
def games_in_middle(count: int) -> tuple[tuple[GameTemplate, ReachedPosition], ...]:
    """Play ``count`` games of all registered games in turn; return them with the positions where they stand.

    They are played once in a process.
    """
    rng, games = random.Random(f"live tables {count}"), []
    for game, _ in zip(cycle(GAMES.values()), range(count), strict=False):
        template = make_template(game, player_counts(game)[-1], rng)
        games.append((template, template.position_after(rng.uniform(*MIDDLE_SHARES))))
    return tuple(games)


def make_live_tables(
    server: LocalDiscord, count: int, first_number: int, *, shared: Member | None = None
) -> list[LiveTable]:
    """Return tables of ``count`` games that are in their middle, with people at them.

    Each table has a thread and people of its own; ``shared`` has the first seat at each.
    """
    world = server.world
    parent = world.add_text_channel(f"games-{first_number}")
    tables = []
    for number, (template, position) in enumerate(games_in_middle(count), first_number):
        people = [add_member(server, f"Player {number}-{seat}") for seat in range(template.seat_count)]
        if shared is not None:
            people[0] = shared
        thread = world.start_thread(parent, world.bot, f"{template.game.title} No. {number}")
        tables.append(LiveTable(number, template, position, thread, tuple(people)))
    return tables


def write_live_tables(
    database: Path, tables: Sequence[LiveTable], server: LocalDiscord, *, are_delivered: bool = False
) -> None:
    """Add tables to a database.  ``are_delivered``: their boards and hands need not be sent any more."""
    with open_database_file(database) as connection:
        for table in tables:
            change = _table_change(table, server)
            write_change(connection, change)
            if are_delivered:
                connection.execute("update outbox set state = 'sent' where match = ?", (table.number,))


def _table_change(live: LiveTable, server: LocalDiscord) -> Change:
    """Return the whole table as one change: everybody has chosen a moment ago."""
    template, now = live.template, int(time.time())
    users = [member.user.id for member in live.people]
    assert live.thread.parent is not None
    row = TableRow(
        number=live.number,
        game_key=template.game.key,
        rules_version=template.game.rules_version,
        options=template.options_text,
        status=Status.PLAYING,
        host=users[0],
        guild=server.world.guild_id,
        lobby_channel=live.thread.parent.id,
        game_channel=live.thread.id,
        seed=template.seed,
        opened_at=now - _SECONDS_PER_RECORD * (live.position.ply + 1),
        active_at=now,
        expires_at=None,
        version=1,
        ply=live.position.ply,
        snapshot=live.position.snapshot,
        seats=tuple(SeatRow(member.user.name, user=member.user.id) for member in live.people),
    )
    records = tuple(
        RecordRow(
            ply,
            record.actor,
            record.action,
            auto=record.auto,
            user=users[record.actor] if record.by_person else None,
            at=row.opened_at + _SECONDS_PER_RECORD * ply,
        )
        for ply, record in enumerate(template.records[: live.position.ply], 1)
    )
    hands = range(template.seat_count) if template.game.hidden_information else ()
    return Change(
        row=row,
        answer=f"Recorded as move {live.position.ply}.",
        interaction=_FIRST_INTERACTION + live.number,
        records=records,
        deliveries=(
            NewDelivery(Slot(DeliveryKind.BOARD)),
            *(NewDelivery(Slot(DeliveryKind.HAND, seat)) for seat in hands),
        ),
        user=users[live.position.actor],
        at=now,
    )
