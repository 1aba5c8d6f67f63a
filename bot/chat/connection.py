"""The connection to Discord (or the stand-in): its address, the permissions it needs, why it ended.

discord.py documents no setting for the address, so ``use_local_endpoints`` sets three class attributes.
Tests fail if an upgrade moves them.  The token is sent to that address, so only a loopback address is
accepted.
"""

import re
import reprlib
from collections.abc import Mapping
from typing import Final

import aiohttp
import discord
import yarl

LOCAL_ADDRESS_VARIABLE: Final = "CAPTAINS_TABLE_LOCAL"
"""The environment variable that holds the stand-in's address."""
NEEDED_PERMISSIONS: Final[Mapping[str, discord.Permissions]] = {
    "View Channels": discord.Permissions(view_channel=True),
    "Send Messages": discord.Permissions(send_messages=True),
    "Send Messages in Threads": discord.Permissions(send_messages_in_threads=True),
    "Create Public Threads": discord.Permissions(create_public_threads=True),
    "Attach Files": discord.Permissions(attach_files=True),
    "Read Message History": discord.Permissions(read_message_history=True),
}
"""What the invitation asks for, by Discord's own names.  History: to find a post whose response was lost."""
_LOCAL_ADDRESS_PATTERN: Final = re.compile(
    r"http://((?:127\.0\.0\.1|\[::1\]|localhost)(?::([0-9]{1,5}))?(?:/[A-Za-z0-9_-]+)?)/?"
)


def parse_local_address(address: str) -> str:
    """Return ``127.0.0.1:PORT/TOKEN``, what follows the scheme in the address that the stand-in prints.

    ``localhost`` and ``[::1]`` will do, without port or token too.  Raises ValueError for any other address.
    """
    match = _LOCAL_ADDRESS_PATTERN.fullmatch(address)
    if match is None or not 1 <= int(match[2] or 80) <= 65_535:
        raise ValueError(
            f"{LOCAL_ADDRESS_VARIABLE} must be http://127.0.0.1:PORT/TOKEN, not {reprlib.repr(address)}."
        )
    return match[1]


def use_local_endpoints(address: str) -> None:
    """Point discord.py at the stand-in's address.  Call before a client is made.

    Raises what ``parse_local_address`` raises.
    """
    location = parse_local_address(address)
    base = f"http://{location}"
    discord.http.Route.BASE = f"{base}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{location}/gateway")
    discord.asset.Asset.BASE = f"{base}/cdn"


def is_permanent_login_error(error: BaseException) -> bool:
    """Return whether Discord refuses this token or these intents; a restart changes nothing."""
    is_unauthorised = isinstance(error, discord.HTTPException) and error.status == 401
    return is_unauthorised or isinstance(error, discord.LoginFailure | discord.PrivilegedIntentsRequired)


def is_temporary_connection_error(error: BaseException) -> bool:
    """Return whether the connection or Discord itself failed; a later restart may help."""
    error_types = (
        discord.ConnectionClosed | discord.GatewayNotFound | discord.HTTPException | aiohttp.ClientError
    )
    return isinstance(error, error_types | OSError) and not is_permanent_login_error(error)
