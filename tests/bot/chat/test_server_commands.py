"""What an admin reads of the server's settings."""

import pytest
from discord.app_commands import Command

from bot.chat.server_commands import (
    SERVER_COMMANDS,
    backlog_text,
    permission_lines,
    punctuality_text,
    server_post,
)
from bot.store.preferences import ServerChange, ServerRow
from tests.bot.chat.guilds import make_guild
from tests.bot.host.playing import GUILD


def test_a_new_server_lets_everybody_open_tables() -> None:
    """Without roles everybody may; with roles their members and admins."""
    assert "New tables may be opened by: everybody." in server_post(ServerRow(GUILD)).text
    assert (
        "New tables may be opened by: members with <@&5> or <@&6>, and admins."
        in server_post(ServerRow(GUILD, roles=(5, 6))).text
    )


def test_channels_do_not_bind_admins() -> None:
    """Where a server names channels, its admins still open tables everywhere."""
    assert "may be opened in: every channel." in server_post(ServerRow(GUILD)).text
    text = server_post(ServerRow(GUILD, channels=(7,))).text
    assert "New tables may be opened in: <#7>, and by admins everywhere." in text


def test_the_last_changes_say_who_and_when() -> None:
    """An erased person is not named; without changes nothing is said of them."""
    changes = (ServerChange(3, "added <#5> to the channels", 90), ServerChange(None, "removed it", 80))
    text = server_post(ServerRow(GUILD), changes).text
    assert "- <@3> added <#5> to the channels, <t:90:f>.\n- A former member removed it, <t:80:f>." in text
    assert "changes**" not in server_post(ServerRow(GUILD)).text


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
    assert punctuality_text(0, 0) == f"{tables}: none."
    assert punctuality_text(3, 0) == f"{tables}: 3. Their clocks and reminders are on time."
    late = punctuality_text(3, 1)
    assert "Clocks or reminders are more than 5 minutes late at one table." in late
    assert late.endswith("tell the bot's operator.")


def test_a_thread_that_is_archived_is_named_as_a_possible_cause() -> None:
    """The bot does not know such threads: a game that rests there needs nothing."""
    guild = make_guild({200: {}})
    hidden, advice = permission_lines(guild, (299,))
    assert "an archived thread" in hidden
    assert "under **Permissions**" in advice


@pytest.mark.parametrize("name", ["channel", "role"])
def test_a_place_is_allowed_by_naming_it(name: str) -> None:
    """Only to take it off the list needs one more option."""
    command = SERVER_COMMANDS.get_command(name)
    assert isinstance(command, Command)
    required = [each.name for each in command.parameters if each.required]
    assert required == ["where" if name == "channel" else "role"]
