"""What the absence of a person changes at their tables."""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

from bot.host.breaks import away_until
from bot.host.deciders.absence import with_absence, without_absence
from bot.host.deciders.decision import BOARD_EDIT_DELIVERY, Decision
from bot.host.deciders.reminders import with_reminder_after_absence
from bot.host.game_guard import GameFault
from bot.host.request import Refusal, Request
from bot.host.table import IN_PLAY, Table
from bot.host.tables import Tables
from bot.store.preferences import PersonRow, ServerRow
from bot.store.protocol import StoreError

_log = logging.getLogger(__name__)


async def start_absence(tables: Tables, request: Request, until: int) -> PersonRow:
    """Store that the requester is away until a time, and stop their clocks.

    It counts in the server of the request and in those where they play.  Raises Refusal, StoreError.
    """
    now = int(tables.clock())
    table_guilds = [listing.guild for listing in await tables.store.live_tables_of_user(request.user)]
    guilds = {guild for guild in (*table_guilds, request.guild) if guild is not None}
    if not guilds:
        raise Refusal("You play at no table, so no clock of yours runs. Use `/away` in a server.")
    allowed_days_by_guild = {guild: await _allowed_away_days(tables, guild) for guild in sorted(guilds)}
    person = await tables.person_preferences.change(
        request.user, partial(with_absence, allowed_days_by_guild=allowed_days_by_guild, now=now, until=until)
    )
    await refresh_tables(tables, request.user)
    return person


async def _allowed_away_days(tables: Tables, guild: int) -> int:
    """Return the days a year that a server allows; the default number if its row cannot be read."""
    try:
        return (await tables.server_preferences.get(guild)).away_days
    except StoreError:  # one server's fault must not refuse an absence in the others
        _log.exception("days of absence not known")
        return ServerRow(guild).away_days


async def end_absence(tables: Tables, user: int) -> PersonRow:
    """Store that somebody is back, and let their clocks run.  Raises StoreError."""
    now = int(tables.clock())
    person = await tables.person_preferences.change(user, partial(without_absence, now=now))
    await refresh_tables(tables, user)
    return person


async def refresh_tables(tables: Tables, user: int) -> None:
    """Bring deadlines and boards of a user's tables up to date, as far as the store answers.

    The absences are stored already: tables that this misses are brought up to date when a deadline falls due.
    """
    try:
        listings = await tables.store.live_tables_of_user(user)
        person = await tables.person_preferences.get(user)
    except StoreError:
        _log.exception("deadlines not moved: store unavailable")
        return
    for listing in listings:
        try:
            decide = partial(_refresh_decision, person=person, now=int(tables.clock()))
            await tables.change(listing.number, None, decide)
        except (Refusal, GameFault, StoreError):  # one table's fault must not hold up the others
            _log.warning("deadlines not moved", exc_info=True, extra={"table": listing.number})


def _refresh_decision(table: Table, person: PersonRow, now: int) -> Decision:
    """Return the decision on the next reminder; storing it computes the deadlines again."""
    deliveries = (BOARD_EDIT_DELIVERY,) if table.status in IN_PLAY else ()
    if away_until(person, now) is None:
        table = with_reminder_after_absence(table, person, now)
    return Decision(table=table, answer="", deliveries=deliveries)


class AbsenceEndListener:
    """Lets a person's clocks run at all their tables once a move has ended their absence."""

    def __init__(self, tables: Tables) -> None:
        """Listen to ``tables``."""
        self._tables = tables
        self._tasks: set[asyncio.Task[None]] = set()
        tables.add_absence_end_listener(self._start_refresh)

    def _start_refresh(self, user: int) -> None:
        task = asyncio.get_running_loop().create_task(
            refresh_tables(self._tables, user), name=f"return-{user}"
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def wait(self) -> None:
        """Wait for the refreshes in progress."""
        tasks: Sequence[asyncio.Task[None]] = tuple(self._tasks)
        await asyncio.gather(*tasks, return_exceptions=True)
