"""Why the connection to Discord ended: refused for good, or a failure that may pass."""

import aiohttp
import discord


def is_refusal(error: BaseException) -> bool:
    """Return whether Discord refuses this token or these intents; a restart changes nothing."""
    unauthorised = isinstance(error, discord.HTTPException) and error.status == 401
    return unauthorised or isinstance(error, discord.LoginFailure | discord.PrivilegedIntentsRequired)


def is_temporary(error: BaseException) -> bool:
    """Return whether the connection or Discord itself failed; a later restart may help."""
    kinds = discord.ConnectionClosed | discord.GatewayNotFound | discord.HTTPException | aiohttp.ClientError
    return isinstance(error, kinds | OSError | TimeoutError)
