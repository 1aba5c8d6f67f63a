"""Where discord.py finds Discord: the real one, or the stand-in on this machine.

discord.py documents no setting for this; the three class attributes are tested so that an upgrade which moves
them fails loudly.  The token goes to that host, so nothing but this machine's loopback is accepted.
"""

from typing import Final
from urllib.parse import urlsplit

import discord
import yarl

ENVIRONMENT: Final = "CAPTAINS_TABLE_LOCAL"
"""Names the variable that holds the stand-in's address."""
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


def configure_endpoints(address: str) -> None:
    """Point discord.py at ``http://127.0.0.1:PORT``.  Call before a client is made.

    Raises ValueError for any address that is not this machine's own.
    """
    parts = urlsplit(address)
    if parts.scheme != "http" or parts.hostname not in _LOOPBACK or parts.path.strip("/"):
        raise ValueError(f"{ENVIRONMENT} must be http://127.0.0.1:PORT, not {address!r}")
    base = f"http://{parts.netloc}"
    discord.http.Route.BASE = f"{base}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{parts.netloc}/gateway")
    discord.asset.Asset.BASE = f"{base}/cdn"
