"""What players read of a game that an admin has frozen."""

import pytest
from msgspec.structs import replace

from bot.chat.posts import board_status_text
from bot.host.deciders import moderation
from bot.host.request import Refusal
from bot.host.tables import Tables
from tests.bot.host.playing import request_of
from tests.bot.host.timed_tables import begin_timed_table


async def test_a_game_that_an_admin_has_frozen_blames_no_fault(tables: Tables) -> None:
    """The board points to the notice, which names the reason and how it goes on."""
    table = await tables.get(await begin_timed_table(tables, None))
    request = replace(request_of(0), is_admin=True, guild=table.row.guild)
    decision = moderation.freeze_as_admin(table, request, "A dispute")
    assert decision.answer.startswith("Ava (admin) froze this game: A dispute."), (
        "not by the right of the host"
    )
    assert "`/table thaw`" in decision.answer
    assert "wrong" not in board_status_text(decision.table, None)
    with pytest.raises(Refusal, match="frozen already"):
        moderation.freeze_as_admin(decision.table, request, "Again")
    thawed = moderation.thaw_as_admin(decision.table, request, "Settled")
    assert thawed.audit_entry == "Ava (admin) unfroze this game: Settled. It goes on where it stood."
