"""The figures of a simulated month, checked against what is promised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from bot.store.rows import LIVE_STATUSES, Status
from bot.store.seat_rows import SeatRow
from bot.store.sqlite import SqliteStore
from tests.bot.host.playing import assert_records_whole
from tests.bot.store.sample_rows import execute_sql
from tests.month.absence import DAY
from tests.month.mentions import broken_rules
from tests.month.month import BEGIN_TIME, Month


@dataclass
class Report:
    """The figures of a month."""

    table_counts: dict[str, int]
    """By status at the end."""
    begun_game_count: int
    """Games that began."""
    all_people_game_count: int
    """Games played to their end in which no computer player got a seat or was still a substitute then."""
    no_computer_game_count: int
    """Of these, games in which a computer player did not play a single turn."""
    event_counts: Counter[str]
    """How often each thing happened, by its name: visits, choices, lost answers."""
    max_daily_mentions: int
    """The most mentions of one person on one day."""
    mean_daily_mentions: float
    """Mentions of a person on a day of the month."""
    days_until_closed: float
    """How long it took until every table had ended."""

    def _count_and_share_text(self, count: int) -> str:
        return f"{count} ({count / self.begun_game_count:.0%})" if self.begun_game_count else "0"

    def lines(self) -> Iterator[str]:
        """Yield the report as lines of text."""
        counts_text = ", ".join(f"{count} {status}" for status, count in self.table_counts.items())
        yield f"tables at the end: {counts_text}"
        yield (
            f"games begun: {self.begun_game_count}; ended without a computer's seat:"
            f" {self._count_and_share_text(self.all_people_game_count)}; without a computer's turn:"
            f" {self._count_and_share_text(self.no_computer_game_count)}"
        )
        yield (
            f"mentions: {self.mean_daily_mentions:.2f} a person and day,"
            f" at most {self.max_daily_mentions} on one day"
        )
        yield f"days until every table had ended: {self.days_until_closed:.0f}"
        yield ", ".join(f"{name}: {count}" for name, count in self.event_counts.most_common())


def _has_or_had_computer(seat: SeatRow) -> bool:
    """Whether a computer player has or had a seat, or plays for its person."""
    had_computer = any(each.user is None for each in seat.earlier_players)
    return had_computer or seat.computer is not None or seat.substitute is not None


async def check_month(month: Month, store: SqliteStore) -> Report:
    """Check the promises in a month that is over, and return its figures.  Raises AssertionError."""
    table_counts: Counter[str] = Counter()
    begun_game_count = all_people_game_count = no_computer_game_count = 0
    for (number,) in await execute_sql(store, "select number from matches order by number"):
        stored = await store.load(number)
        assert stored is not None
        assert_records_whole(stored)
        row = stored.row
        table_counts[row.status.value] += 1
        assert row.status not in LIVE_STATUSES, f"table {number} is neither over nor closed: {row.status}"
        if not stored.records:
            continue
        begun_game_count += 1
        if row.status is not Status.OVER or any(_has_or_had_computer(seat) for seat in row.seats):
            continue
        all_people_game_count += 1
        chosen = (each for each in stored.records if each.actor >= 0 and not each.auto)
        no_computer_game_count += all(each.user is not None for each in chosen)
    given_up = await execute_sql(store, "select match, kind, reason from outbox where state = 'failed'")
    given_up = [each for each in given_up if each[2] not in {"direct messages closed", "the channel is gone"}]
    assert not given_up, f"deliveries given up: {given_up}"
    counts_by_user_and_day = Counter((mention.user, int(mention.at // DAY)) for mention in month.mentions)
    violations = list(broken_rules(month.mentions, month.daily_mention_limit))
    assert not violations, violations
    person_days = len(month.people) * month.model.month.days
    return Report(
        table_counts=dict(table_counts),
        begun_game_count=begun_game_count,
        all_people_game_count=all_people_game_count,
        no_computer_game_count=no_computer_game_count,
        event_counts=month.event_counts,
        max_daily_mentions=max(counts_by_user_and_day.values(), default=0),
        mean_daily_mentions=len(month.mentions) / person_days,
        days_until_closed=(month.clock.now - BEGIN_TIME) / DAY,
    )
