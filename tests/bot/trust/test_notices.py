"""Each kind of notice reaches who must get it, and nobody else, after the table has changed (P23, T21)."""

from collections.abc import Callable

import pytest

from bot.host.deciders import decision, moderation, reminders
from bot.host.deciders.decision import outdated_hand_deliveries
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from tests.bot.host.fake_chat import draw_length
from tests.bot.host.playing import Clock
from tests.bot.trust.notices import CHANGES, QUEUED, duties, find_wrong_notices, is_tried

CASES = [(kind, change) for kind in QUEUED for change in CHANGES if is_tried(kind, change)]


def test_every_kind_is_documented() -> None:
    """Every kind that is ever delivered has its row, with a duty for each role."""
    assert set(duties()) == {kind.value for kind in DeliveryKind} == set(QUEUED)
    assert {duty for row in duties().values() for duty in row.values()} <= {"must", "may", "never"}
    assert len({tuple(row) for row in duties().values()}) == 1


@pytest.mark.promise("T21")
@pytest.mark.parametrize(("kind", "change"), CASES)
async def test_who_is_notified(
    tables: Tables,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    change: str,
    trials_done: Callable[[int], None],
) -> None:
    """What was really sent notifies whom the page says, whatever happened while it waited."""
    draw_length(monkeypatch)
    assert await find_wrong_notices(tables, clock, kind, change) == []
    trials_done(len(duties()[kind]))


def _send_what_was_decided(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reminders, "is_current", lambda table, slot: table.row.notices is not None)


def _ask_present_players_only(patch: pytest.MonkeyPatch) -> None:
    def present(table: Table, keep: int, asker: int | None) -> tuple[int, ...]:
        del keep
        return tuple(row.user for row in table.seats if row.user not in {None, asker})

    patch.setattr(moderation, "witnesses", present)


def _compare_hands_after_the_change(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        decision, "outdated_hand_deliveries", lambda _, after: outdated_hand_deliveries(after, after)
    )


@pytest.mark.promise("T21", sensitivity=True)
@pytest.mark.parametrize(
    ("defect", "kind", "change"),
    [
        (_send_what_was_decided, "reminder", "turn over"),
        (_ask_present_players_only, "question", "gone before"),
        (_compare_hands_after_the_change, "hand", "nothing"),
    ],
)
async def test_an_audience_of_the_wrong_moment_is_caught(
    tables: Tables,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    defect: Callable[[pytest.MonkeyPatch], None],
    kind: str,
    change: str,
) -> None:
    """Sensitivity: decided too early, or computed after the flag was set, an audience is wrong."""
    draw_length(monkeypatch)
    defect(monkeypatch)
    assert await find_wrong_notices(tables, clock, kind, change)
