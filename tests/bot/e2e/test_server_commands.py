"""What admins set for their server, and what they see of the bot's health."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.local.client_input import ClientRefusal
from tests.bot.e2e.observe import read_response
from tests.bot.e2e.rig import Rig

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_admin_sets_who_may_open_tables_and_where(rig: Rig) -> None:
    """Elsewhere, and without a role that is set, /newgame says where and who may; an admin always may.

    ``/server`` lists what was changed, the days of absence too.
    """
    admin, guest = rig.member("Ava"), rig.member("Edda")
    harbour, other_channel = rig.world.add_text_channel("harbour"), rig.world.add_text_channel("other")
    captains = rig.world.add_role("captains")

    async def run(command: str, **options: Any) -> str:
        return await read_response(await admin.command(f"server {command}", channel=other_channel, **options))

    with pytest.raises(ClientRefusal):
        await guest.command("server show", channel=other_channel)
    assert f"<#{harbour.id}>" in await run("channel", where=harbour.id, allowed="true")
    assert f"opened in <#{harbour.id}>" in await read_response(
        await guest.command("newgame", game="currents", channel=other_channel)
    )
    assert "is open" in await read_response(await guest.command("newgame", game="currents", channel=harbour))
    assert f"<@&{captains}>" in await run("role", role=captains, allowed="true")
    assert "role" in await read_response(await guest.command("newgame", game="currents", channel=harbour))
    guest.user.roles.append(captains)
    assert "is open" in await read_response(await guest.command("newgame", game="currents", channel=harbour))
    assert "is open" in await read_response(
        await admin.command("newgame", game="currents", channel=other_channel)
    )
    assert "use `/away` for one day" in await run("away", days=1)
    await run("channel", where=harbour.id, allowed="false")
    last_text = await run("role", role=captains, allowed="false")
    assert "every channel" in last_text
    entries = re.findall(rf"<@{admin.user.id}> (.+), <t:\d+:f>", last_text)
    assert entries == [
        f"removed <@&{captains}> from the allowed roles",
        f"removed <#{harbour.id}> from the allowed channels",
        "set `/away` to one day a year",
        f"added <@&{captains}> to the allowed roles",
        f"added <#{harbour.id}> to the allowed channels",
    ]


async def test_an_admin_sees_the_health_of_the_bot(rig: Rig) -> None:
    """/doctor names each missing permission with its channel, what waits, and versions."""
    admin = rig.member("Ava")
    closed_channel = rig.world.add_text_channel("closed")
    admin.set_denied_permissions(closed_channel, "ATTACH_FILES")
    doctor_text = await read_response(await admin.command("doctor", channel=closed_channel))
    assert f"<#{closed_channel.id}>**: missing Attach Files (for pictures and match files)." in doctor_text
    doctor_text = await read_response(await admin.command("doctor"))
    (unpinned,) = [line for line in doctor_text.splitlines() if line.startswith("Missing Pin Messages in <#")]
    assert unpinned.endswith(": `/status here` cannot pin its message.")
    assert "I have all permissions to play in <#" in doctor_text
    assert re.search(r"^Not yet in a backup: at most \d+ minutes? of all games\.$", doctor_text, re.MULTILINE)
    assert "Versions: Captain's Table" in doctor_text
    with pytest.raises(ClientRefusal):
        await rig.member("Edda").command("doctor", channel=closed_channel)
