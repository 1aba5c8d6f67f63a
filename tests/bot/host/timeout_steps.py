"""Tables whose time runs out, for tests of what follows."""

from typing import Final

from msgspec.structs import replace

from bot.host.housekeeping import Housekeeping
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR, TimeControl, TimeoutAction, TurnStage
from bot.store.delivery_rows import DeliveryKind
from tests.bot.host.playing import (
    ManualClock,
)
from tests.bot.host.timed_tables import notice_texts, timer_of

DAY_WITH_GRACE: Final = TimeControl(turn_seconds=DAY, grace_seconds=4 * HOUR)


async def let_time_run_out(tables: Tables, clock: ManualClock, number: int) -> Table:
    """Let the time of the turn and its grace period pass, and the housekeeping run; return the table."""
    for _ in range(2):
        deadline = timer_of(await tables.get(number)).deadline
        assert deadline is not None
        clock.now = deadline
        await Housekeeping(tables).do_due_work_at_tables()
        if timer_of(await tables.get(number)).stage is not TurnStage.GRACE:
            break
    return await tables.get(number)


async def time_over_notices(tables: Tables, number: int) -> list[str]:
    """Return the texts that say that somebody's time is over."""
    waiting = await tables.store.waiting_deliveries(number)
    return [each.text for each in waiting if each.kind is DeliveryKind.TIME_OVER]


async def notices_of_return(tables: Tables, number: int) -> list[str]:
    """Return the notices that somebody is back."""
    return [text for text in await notice_texts(tables, number) if "is back and plays again" in text]


def day_with_grace_and_action(action: TimeoutAction) -> TimeControl:
    """Return ``DAY_WITH_GRACE`` with another action once the time is over."""
    return replace(DAY_WITH_GRACE, on_timeout=action)
