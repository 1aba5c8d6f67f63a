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


def place_of(address: str) -> str:
    """The host and port of ``http://127.0.0.1:PORT``.

    Raises ValueError for any address that is not this machine's own.
    """
    try:
        parts = urlsplit(address)
        good = parts.scheme == "http" and parts.hostname in _LOOPBACK and not parts.path.strip("/")
        good = good and parts.port != 0  # asking for a port that is none raises ValueError too
    except ValueError:
        good = False
    if not good:
        raise ValueError(f"{ENVIRONMENT} must be http://127.0.0.1:PORT, not {address!r}.")
    return parts.netloc


def configure_endpoints(address: str) -> None:
    """Point discord.py at ``http://127.0.0.1:PORT``.  Call before a client is made.

    Raises what ``place_of`` raises.
    """
    place = place_of(address)
    base = f"http://{place}"
    discord.http.Route.BASE = f"{base}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{place}/gateway")
    discord.asset.Asset.BASE = f"{base}/cdn"
