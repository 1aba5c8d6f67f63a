"""The settings of a server: what an admin reads of them, and how commands change them."""

import asyncio
import re
from collections.abc import AsyncIterator
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from discord.app_commands import Command
from msgspec.structs import replace

from bot import limits
from bot.chat import server_commands
from bot.chat.server_commands import (
    MAX_CHANGES_SHOWN,
    MAX_LIST_LENGTH,
    SERVER_COMMAND_GROUP,
    server_settings_post,
)
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.preferences import ServerAuditEntry, ServerRow
from bot.store.protocol import StoreError
from bot.store.sqlite import SqliteStore, open_store
from rules.catalogue import GAMES
from tests.bot.chat.guilds import make_guild
from tests.bot.host.playing import GUILD, request_of_user
from tests.bot.host.viewer_output import ResponseRecorder
from tests.bot.store.sample_rows import execute_sql


def test_who_may_open_tables_is_said() -> None:
    """Without roles everybody may; with roles their members and admins."""
    assert "Everybody may open new tables." in server_settings_post(ServerRow(GUILD)).text
    assert (
        "Members with <@&5> or <@&6>, and admins, may open new tables."
        in server_settings_post(ServerRow(GUILD, roles=(5, 6))).text
    )


def test_where_tables_may_be_opened_is_said() -> None:
    """Where a server names channels, admins read that they may open tables everywhere."""
    assert "may be opened in every channel." in server_settings_post(ServerRow(GUILD)).text
    text = server_settings_post(ServerRow(GUILD, channels=(7,))).text
    assert "New tables may be opened in <#7>. Admins may open them everywhere." in text


def test_the_days_of_absence_are_said() -> None:
    """A server without such days says that ``/away`` cannot be used."""
    assert (
        "Members may use `/away` for one day a year."
        in server_settings_post(ServerRow(GUILD, away_days=1)).text
    )
    assert "Members cannot use `/away`." in server_settings_post(ServerRow(GUILD, away_days=0)).text


def test_the_last_changes_say_who_and_when() -> None:
    """An erased person is not named; without changes nothing is said of them."""
    changes = (
        ServerAuditEntry(3, "added <#5> to the allowed channels", 90),
        ServerAuditEntry(None, "removed it", 80),
    )
    text = server_settings_post(ServerRow(GUILD), changes).text
    assert (
        "- <@3> added <#5> to the allowed channels, <t:90:f>.\n- A former member removed it, <t:80:f>."
        in text
    )
    assert "changes**" not in server_settings_post(ServerRow(GUILD)).text


def test_the_longest_lists_fit() -> None:
    """With as many channels and roles as a server can name, and the longest changes, nothing is cut."""
    ids = tuple(range(10**18, 10**18 + MAX_LIST_LENGTH))
    entry = f"removed <@&{ids[0]}> from the allowed channels"
    changes = (ServerAuditEntry(ids[0], entry, 1_790_000_000),) * MAX_CHANGES_SHOWN
    text = server_settings_post(ServerRow(GUILD, channels=ids, roles=ids), changes).text
    assert text.endswith("whether I have the permissions that I need.")
    assert len(text) <= limits.COMPONENTS_V2_TEXT


def test_a_full_list_takes_no_more() -> None:
    """What stands in it already may be named again, and removing always works."""
    full = tuple(range(MAX_LIST_LENGTH))
    with pytest.raises(Refusal, match=f"at most {MAX_LIST_LENGTH}"):
        server_commands._updated_list(full, 99, allowed=True)
    assert server_commands._updated_list(full[1:], 99, allowed=True) == (*full[1:], 99)
    assert sorted(server_commands._updated_list(full, 3, allowed=True)) == list(full)
    assert server_commands._updated_list(full, 0, allowed=False) == full[1:]
    assert server_commands._updated_list(full, 99, allowed=False) == full


@pytest.mark.parametrize("allowed", [True, False])
def test_what_was_deleted_stays_in_no_list(*, allowed: bool) -> None:
    """No command can name a deleted channel or role, so the next change of its list removes it.

    Where it is not known what the server has, nothing counts as deleted.
    """
    guild = make_guild({7: {}, 8: {}}, guild_id=GUILD, role_ids=(5, 6))
    row = ServerRow(GUILD, channels=(70, 7), roles=(50, 5))
    changed = server_commands._with_channel(row, guild, 8, allowed=allowed)
    assert changed == replace(row, channels=(7, 8) if allowed else (7,))
    changed = server_commands._with_role(row, guild, 6, allowed=allowed)
    assert changed == replace(row, roles=(5, 6) if allowed else (5,))
    empty_guild = make_guild({}, guild_id=GUILD)
    assert server_commands._with_channel(row, empty_guild, 7, allowed=False).channels == (70,)
    assert server_commands._with_role(row, None, 5, allowed=False).roles == (50,)


@pytest.mark.parametrize("command_name", ["channel", "role"])
def test_a_channel_or_role_is_allowed_by_naming_it(command_name: str) -> None:
    """Only removing it from the list needs one more option."""
    command = SERVER_COMMAND_GROUP.get_command(command_name)
    assert isinstance(command, Command)
    required = [each.name for each in command.parameters if each.required]
    assert required == ["where" if command_name == "channel" else "role"]


@pytest.fixture
async def tables() -> AsyncIterator[Tables]:
    """Yield tables over a store in memory."""
    store = await open_store(":memory:")
    yield Tables(store, GAMES)
    await store.close()


async def test_a_change_that_is_stored_is_shown(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody reads that nothing has changed if only the last changes cannot be read."""

    async def fail(_: int, __: int) -> tuple[ServerAuditEntry, ...]:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(tables.store, "last_server_audit_entries", fail)
    recorder, request = ResponseRecorder(), request_of_user(900, "Mia", is_admin=True)
    response: Any = SimpleNamespace(tables=tables, request=request, show=recorder.show)
    await server_commands._change_settings(response, lambda row: replace(row, away_days=3), "set it")
    assert "for three days a year" in recorder.answers[-1][0][0]
    assert (await tables.server_preferences.get(GUILD)).away_days == 3


async def test_as_many_changes_are_shown_as_are_promised(tables: Tables) -> None:
    """The page shows the newest changes, and none before them."""
    recorder, request = ResponseRecorder(), request_of_user(900, "Mia", is_admin=True)
    response: Any = SimpleNamespace(tables=tables, request=request, show=recorder.show)
    for number in range(MAX_CHANGES_SHOWN + 2):
        change = partial(replace, away_days=number)
        await server_commands._change_settings(response, change, f"made change {number}")
    shown = re.findall(r"made change (\d+)", recorder.answers[-1][0][0])
    assert shown == [str(number) for number in range(MAX_CHANGES_SHOWN + 1, 1, -1)]


async def test_damaged_settings_can_be_set_anew(tables: Tables) -> None:
    """An admin reads what to do and replaces them with a command, which the last changes say."""
    store = cast("SqliteStore", tables.store)
    await execute_sql(store, "insert into servers values (?, x'ff00')", GUILD)
    recorder, request = ResponseRecorder(), request_of_user(900, "Mia", is_admin=True)
    response: Any = SimpleNamespace(tables=tables, request=request, show=recorder.show)
    with pytest.raises(Refusal, match=r"cannot be read\. Set them anew with `/server channel`"):
        await server_commands._show_current_settings(response)
    with pytest.raises(StoreError):  # what is no admin's wish opens no server
        await tables.server_preferences.change(GUILD, lambda row: replace(row, status_channel=9))
    await server_commands._change_settings(response, lambda row: replace(row, channels=(7,)), "added <#7>")
    assert (
        "- <@900> added <#7>. The settings before were damaged and are gone, <t:"
        in (recorder.answers[-1][0][0])
    )
    assert await Tables(tables.store, GAMES).server_preferences.get(GUILD) == ServerRow(GUILD, channels=(7,))
    await execute_sql(store, "update servers set preferences = x'ff00'")
    new_response: Any = SimpleNamespace(
        tables=Tables(tables.store, GAMES), request=request, show=recorder.show
    )
    await server_commands._change_settings(new_response, lambda row: row, "set the usual")
    assert await Tables(tables.store, GAMES).server_preferences.get(GUILD) == ServerRow(GUILD)


async def test_two_admins_replace_damaged_settings_together(tables: Tables) -> None:
    """What one of them has set stays when the other one's command had met the damaged settings, too."""
    await execute_sql(cast("SqliteStore", tables.store), "insert into servers values (?, x'ff00')", GUILD)
    await asyncio.gather(
        tables.server_preferences.change_as_admin(
            GUILD, lambda row: replace(row, channels=(7,)), ServerAuditEntry(900, "added <#7>", 1)
        ),
        tables.server_preferences.change_as_admin(
            GUILD, lambda row: replace(row, away_days=3), ServerAuditEntry(901, "set three days", 1)
        ),
    )
    assert await tables.server_preferences.get(GUILD) == ServerRow(GUILD, channels=(7,), away_days=3)
