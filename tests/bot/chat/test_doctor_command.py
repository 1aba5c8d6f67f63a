"""What an admin reads of the bot's health."""

import pytest

from bot.chat.doctor_command import backlog_text, permission_lines, timers_text
from tests.bot.chat.guilds import make_guild


@pytest.mark.parametrize(
    ("waiting", "blocked", "text"),
    [
        (0, 0, "Messages still to be sent: none."),
        (3, 0, "Messages still to be sent: 3."),
        (3, 2, "Messages still to be sent: 3. Waiting for a permission: 2."),
    ],
)
def test_what_is_said_of_messages_that_wait(waiting: int, blocked: int, text: str) -> None:
    """How many, and of those for which an admin can do something."""
    assert backlog_text(waiting, blocked) == text


def test_what_is_said_of_clocks_that_are_late() -> None:
    """Where an admin can do nothing about it, ``/doctor`` says whom to ask."""
    tables = "Open lobbies and running games"
    assert timers_text(0, 0) == f"{tables}: none."
    assert timers_text(3, 0) == f"{tables}: 3. Their clocks and reminders are on time."
    late = timers_text(3, 1)
    assert "Clocks or reminders are more than 5 minutes late at one table." in late
    assert late.endswith("tell the bot's operator.")


def test_a_thread_that_is_archived_is_named_as_a_possible_cause() -> None:
    """The bot does not know such threads: a game that rests there needs nothing."""
    guild = make_guild({200: {}})
    hidden, advice = permission_lines(guild, (299,))
    assert "an archived thread" in hidden
    assert "under **Permissions**" in advice
