"""Where discord.py finds Discord, and which errors end a connection for good.

If an upgrade of discord.py moves the three attributes, this fails first.
"""

import subprocess
import sys
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.chat.connection import (
    is_permanent_login_error,
    is_temporary_connection_error,
    use_local_endpoints,
)
from bot.store.sqlite import SqliteStore
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.in_process_bot import in_process_bot

__all__ = ["restored_discord_addresses"]

pytestmark = pytest.mark.usefixtures("restored_discord_addresses")


def test_discord_py_has_the_attributes_that_we_set() -> None:
    """The attributes stand where we set them, and hold Discord's addresses as long as nobody sets them."""
    assert isinstance(DiscordWebSocket.DEFAULT_GATEWAY, yarl.URL)
    code = (
        "import discord.gateway; print(discord.http.Route.BASE, discord.asset.Asset.BASE,"
        " discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY.host)"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    expected = "https://discord.com/api/v10 https://cdn.discordapp.com gateway.discord.gg"
    assert printed.stdout.strip() == expected


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_a_local_address_points_discord_py_at_this_machine(host: str) -> None:
    """REST, Gateway and files all go to the stand-in."""
    use_local_endpoints(f"http://{host}:8080")
    assert Route("GET", "/users/@me").url == f"http://{host}:8080/api/v10/users/@me"
    assert str(DiscordWebSocket.DEFAULT_GATEWAY) == f"ws://{host}:8080/gateway"
    assert f"http://{host}:8080/cdn" == discord.asset.Asset.BASE


@pytest.mark.parametrize("end", ["", "/"])
def test_the_token_of_the_address_is_kept(end: str) -> None:
    """REST, Gateway and files all begin with the address that the stand-in printed."""
    use_local_endpoints(f"http://127.0.0.1:8080/a-B_9{end}")
    assert Route("GET", "/users/@me").url == "http://127.0.0.1:8080/a-B_9/api/v10/users/@me"
    assert str(DiscordWebSocket.DEFAULT_GATEWAY) == "ws://127.0.0.1:8080/a-B_9/gateway"
    assert discord.asset.Asset.BASE == "http://127.0.0.1:8080/a-B_9/cdn"


@pytest.mark.parametrize(
    "address",
    [
        "http://192.168.0.1:8080",
        "http://0.0.0.0:8080",
        "http://example.org",
        "https://127.0.0.1:8080",
        "http://127.0.0.1.example.org",
        "http://127.0.0.1:80@example.org",
        "http://127.0.0.1:8080/some/where",
        "http://127.0.0.1:8080/..",
        "http://127.0.0.1:8080/a?b",
        "http://127.0.0.1:8080/a#b",
        "http://127.0.0.1:8080/a\n",
        "http://a@127.0.0.1:8080",
        "http://127.0.0.1:0",
        "http://127.0.0.1:70000",
        "127.0.0.1:8080",
        "file:///etc/passwd",
        "",
    ],
)
def test_an_address_elsewhere_is_refused(address: str) -> None:
    """The token leaves for no other machine, and nothing is changed."""
    base_before = Route.BASE
    with pytest.raises(ValueError, match="CAPTAINS_TABLE_LOCAL"):
        use_local_endpoints(address)
    assert base_before == Route.BASE


def _http_error(status: int) -> discord.HTTPException:
    return discord.HTTPException(cast("Any", SimpleNamespace(status=status, reason="")), "")


@pytest.mark.parametrize(
    ("error", "is_permanent", "is_temporary"),
    [
        (discord.LoginFailure(), True, False),
        (discord.PrivilegedIntentsRequired(None), True, False),
        (_http_error(401), True, False),
        (_http_error(503), False, True),
        (ConnectionResetError(), False, True),
        (TimeoutError(), False, True),
        (ValueError(), False, False),
    ],
)
def test_an_error_is_permanent_temporary_or_neither(
    error: Exception, *, is_permanent: bool, is_temporary: bool
) -> None:
    """A rejected token is not tried again, whatever its error derives from."""
    assert is_permanent_login_error(error) is is_permanent
    assert is_temporary_connection_error(error) is is_temporary


async def test_an_event_that_comes_after_the_end_is_left_out(store: SqliteStore) -> None:
    """discord.py reports two seconds after the connection that it is ready, also of a bot that has ended."""
    async with in_process_bot(store) as (_, client):
        await client.close()
        client.dispatch("ready")


async def test_calls_pass_the_limiter_that_reserves_calls(store: SqliteStore) -> None:
    """The commands that the bot sends at its start count beside the hands for which it reserves calls."""
    async with in_process_bot(store) as (_, client):
        assert len(client._limiter._call_times) > 0
