"""Why a connection to Discord ended, in the two kinds that matter to whoever restarts the bot."""

import aiohttp
import discord


def is_refusal(error: BaseException) -> bool:
    """Discord will not take this token or these intents: starting again changes nothing."""
    unauthorised = isinstance(error, discord.HTTPException) and error.status == 401
    return unauthorised or isinstance(error, discord.LoginFailure | discord.PrivilegedIntentsRequired)


def is_passing(error: BaseException) -> bool:
    """The line or Discord itself failed: starting again later may help."""
    kinds = discord.ConnectionClosed | discord.GatewayNotFound | discord.HTTPException | aiohttp.ClientError
    return isinstance(error, kinds | OSError | TimeoutError)
