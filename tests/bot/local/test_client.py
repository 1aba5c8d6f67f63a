"""An unmodified discord.py client works against the stand-in."""

from __future__ import annotations

import asyncio
import statistics

import aiohttp
import discord
import pytest

from bot.local.people import InteractionFailed, NotPossible, text_of
from bot.local.server import LocalDiscord

from tests.bot.local.conftest import Client, running


async def test_a_command_is_answered_with_a_picture(discord_server: LocalDiscord, client: Client) -> None:
    """A slash command's answer carries its text, button and picture, and the picture can be fetched."""
    ava = discord_server.member("Ava")
    outcome = await ava.command("count", start=4)
    assert "counted" in outcome.text
    assert not outcome.ephemeral
    assert outcome.message in discord_server.member("Ben").messages(ava.channel)
    (file,) = outcome.message.attachments
    assert (file.width, file.height, file.description) == (3, 2, "The board")
    url = f"{discord_server.cdn}/attachments/{ava.channel.id}/{file.id}/board.png"
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        assert response.content_type == "image/png"
        assert await response.read() == file.data
