"""What an admin reads of the bot's health."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.chat.doctor_command import backlog_text, full_disk_text, live_tables_text, permission_lines
from bot.store.delivery_rows import DeliveryKind, QueueHead, Slot
from bot.store.disk_space import DiskSpace
from tests.bot.chat.guilds import make_guild


def make_queue_head(kind: DeliveryKind, waiting_count: int, *, is_blocked: bool = False) -> QueueHead:
    """Return the next delivery of a slot in which so many wait."""
    return QueueHead(1, 1, Slot(kind), 0, is_due=True, is_blocked=is_blocked, waiting_count=waiting_count)


@pytest.mark.parametrize(
    ("heads", "text"),
    [
        ((), "Messages still to be sent: none."),
        (
            (make_queue_head(DeliveryKind.BOARD, 1), make_queue_head(DeliveryKind.NOTICE, 2)),
            "Messages still to be sent: 3.",
        ),
        ((make_queue_head(DeliveryKind.BOARD, 4),), "Messages still to be sent: 1."),
        (
            (
                make_queue_head(DeliveryKind.BOARD, 2),
                make_queue_head(DeliveryKind.NOTICE, 5, is_blocked=True),
            ),
            "Messages still to be sent: 6. Waiting for a permission: 5.",
        ),
    ],
)
def test_each_waiting_notice_counts_but_of_boards_only_the_newest(
    heads: Sequence[QueueHead], text: str
) -> None:
    """Each notice counts, of boards only the newest; and how many an admin can help."""
    assert backlog_text(heads) == text


def test_a_full_disk_is_named_with_whom_to_ask(tmp_path: Path) -> None:
    """Moves are refused there, and only the operator can help; where enough is free nothing is said."""
    text = full_disk_text(DiskSpace(tmp_path, free_bytes=2**19, needed_bytes=2**20))
    assert text.startswith("**My disk is nearly full**: 0.5 MB are free.")
    assert text.endswith("Tell the bot's operator.")
    assert not full_disk_text(DiskSpace(tmp_path, free_bytes=2**20, needed_bytes=2**20))


def test_late_clocks_are_reported_with_whom_to_ask() -> None:
    """Where an admin can do nothing about it, ``/doctor`` says whom to ask."""
    tables = "Open lobbies and running games"
    assert live_tables_text(0, 0) == f"{tables}: none."
    assert live_tables_text(3, 0) == f"{tables}: 3. Their clocks and reminders are on time."
    late = live_tables_text(3, 1)
    assert "Clocks or reminders are more than 5 minutes late at one table." in late
    assert late.endswith("tell the bot's operator.")


def test_a_thread_that_is_archived_is_named_as_a_possible_cause() -> None:
    """The bot does not know such threads: a game that rests there needs nothing."""
    guild = make_guild({200: {}})
    hidden, advice = permission_lines(guild, (299,))
    assert "an archived thread" in hidden
    assert "under **Permissions**" in advice
