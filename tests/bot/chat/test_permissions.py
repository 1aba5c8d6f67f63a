"""The invitation asks for the permissions that the bot uses, and for no others."""

import asyncio
import re
from pathlib import Path

import discord
import pytest

from bot.chat.connection import NEEDED_PERMISSIONS
from bot.chat.doctor_command import MAX_NAMED_CHANNELS, PERMISSION_USES, channels_text
from bot.local.members import Member
from bot.local.message_contents import has_button
from bot.local.permissions import BOT_PERMISSIONS, Permission
from bot.local.world import World
from bot.store.sqlite import open_store
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.in_process_bot import in_process_bot
from tests.trials import WAIT_TIMEOUT

__all__ = ["restored_discord_addresses"]

REPOSITORY = Path(__file__).parents[3]


def _permissions_value() -> int:
    total = discord.Permissions.none()
    for each in NEEDED_PERMISSIONS.values():
        total |= each
    return total.value


@pytest.mark.parametrize("page", ["README.md", "docs/hosting.md"])
def test_the_docs_name_the_needed_permissions(page: str) -> None:
    """The pages list exactly these permissions, and an invitation's number is theirs."""
    text = " ".join((REPOSITORY / page).read_text().split())
    assert f"{', '.join(NEEDED_PERMISSIONS)}." in text
    numbers = set(re.findall(r"permissions=(\d+)", text))
    assert numbers == ({str(_permissions_value())} if page == "README.md" else set())


def test_the_stand_in_grants_the_needed_permissions() -> None:
    """The end-to-end tests run with exactly these, so they are enough."""
    assert int(BOT_PERMISSIONS) == _permissions_value()


def test_doctor_says_what_each_permission_is_for() -> None:
    """``/doctor`` says of each what it is for."""
    assert tuple(PERMISSION_USES) == tuple(NEEDED_PERMISSIONS)


@pytest.mark.parametrize(
    ("count", "text_end"),
    [
        (1, "<#0>"),
        (10, " and <#9>"),
        (12, ", <#9> and two more channels"),
    ],
)
def test_channels_are_named_up_to_a_limit(count: int, text_end: str) -> None:
    """A line of ``/doctor`` links the first channels and counts the others."""
    text = channels_text(range(count))
    assert text.endswith(text_end)
    assert text.count("<#") == min(count, MAX_NAMED_CHANNELS)


async def _wait_for_board(world: World, member: Member, timeout_seconds: float) -> None:
    """Start a game and wait until a board with its picture stands in a thread.  Raises TimeoutError."""
    await (await member.command("newgame", game="currents")).wait_until_loaded()
    lobby = await member.wait_for_message(lambda message: has_button(message, "Start"), timeout_seconds)
    for label in ("Add Random computer", "Start"):
        await (await member.press(lobby, label)).wait_until_loaded()
    async with asyncio.timeout(timeout_seconds):
        while True:
            for thread in world.threads():
                for message in thread.messages.values():
                    if has_button(message, "Play") and message.attachments:
                        return
            await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    "denied",
    [None, *(each for each in Permission if each & BOT_PERMISSIONS)],
    ids=str,
)
async def test_each_permission_is_needed(
    tmp_path: Path, restored_discord_addresses: None, denied: Permission | None
) -> None:
    """A game is posted in a thread with its picture; without any one of them it is not.

    History is read only where the answer to a post was lost (``test_lost_answers.py``).
    """
    store = await open_store(tmp_path / "tables.db")
    async with in_process_bot(store, lambda *_: None) as (server, _):
        world = server.world
        member = server.member("Ava")
        if denied is not None:
            world.set_denied_permissions(world.bot, member.channel, denied)
        should_be_posted = denied in (None, Permission.READ_MESSAGE_HISTORY)
        try:
            await _wait_for_board(world, member, timeout_seconds=WAIT_TIMEOUT if should_be_posted else 1.0)
            is_posted = True
        except TimeoutError:
            is_posted = False
    await store.close()
    assert is_posted is should_be_posted
