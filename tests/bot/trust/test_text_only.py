"""/settings through the stand-in; who has set it is sent words in place of pictures, and the board stays."""

import pytest

from bot.host import game_calls, previews
from bot.local.members import Member
from bot.local.message_contents import body_text, controls, message_text
from bot.local.model import Message
from rules.model import Seat
from rules.notation import write_action
from tests.bot.e2e.observe import format_violation, shown_message
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.playing_server import playing_server
from tests.bot.trust.servers import BotServer

__all__ = ["restored_discord_addresses"]

pytestmark = pytest.mark.usefixtures("restored_discord_addresses")


async def _actor(bot: BotServer) -> Member:
    """Return the person whose turn it is, in the table's channel."""
    seat = (await bot.table()).to_act
    assert seat is not None
    member = bot.person(seat)
    member.channel = bot.channel
    return member


async def _open_picture_pages(bot: BotServer, actor: Member) -> list[Message]:
    """Open the private pages that have pictures, unless their reader has set otherwise."""
    presses = [await actor.press(bot.board(), label) for label in ("Play", "My hand")]
    return [await shown_message(each) for each in (*presses, await actor.command("board"))]


async def test_private_pages_have_words_in_place_of_pictures() -> None:
    """After one press no private page has a picture, all say more; the next public board has its picture."""
    async with playing_server() as bot:
        actor = await _actor(bot)
        picture_pages = await _open_picture_pages(bot, actor)
        assert all(message.attachments for message in picture_pages)
        settings = await shown_message(await actor.command("settings"))
        changed = await shown_message(await actor.press(settings, "Show pictures as text"))
        assert changed.id == settings.id
        assert "as text, for a screen reader" in message_text(changed)
        text_pages = await _open_picture_pages(bot, actor)
        assert not any(message.attachments for message in text_pages)
        panel_texts, hand_texts, board_texts = zip(
            map(body_text, picture_pages), map(body_text, text_pages), strict=True
        )
        assert len(panel_texts[1]) > len(panel_texts[0])
        assert len(board_texts[1]) > len(board_texts[0])
        assert hand_texts[0] == hand_texts[1], "the hand stands in words already, and is not repeated"
        assert [format_violation(bot.server.world, message) for message in text_pages] == [None] * 3
        assert bot.board().attachments


async def test_a_preview_stands_above_the_board() -> None:
    """In words a preview stands above the description of the board, not below all buttons."""
    async with playing_server() as bot:
        actor = await _actor(bot)
        settings = await shown_message(await actor.command("settings"))
        await actor.press(settings, "Show pictures as text")
        table = await bot.table()
        seat = table.to_act
        assert seat is not None
        legal = game_calls.legal_actions(table, seat)
        action = next(iter(previews.actions_to_confirm(table, seat, legal)))
        page = await shown_message(await actor.command("play", move=write_action(action)))
        text = body_text(page)
        consequence = (previews.preview_text(table, seat, action) or "").partition("\n")[0]
        assert consequence
        preview, board = "Preview, not played yet.", "The board after this move."
        assert text.index(consequence) < text.index(preview) < text.index(board)
        assert "your turn" not in text.partition("Preview, not played yet.")[2]
        assert "Play it" in {control.get("label") for control in controls(page)}


async def test_the_message_with_a_hand_has_no_picture() -> None:
    """A hand that is sent after the change holds words only; that of others keeps its picture."""
    async with playing_server() as bot:
        reader, other = Seat(1), Seat(2)
        user = bot.person(reader).user.id
        await bot.place_table(await bot.table(), other)
        (picture_message,) = bot.person(other).messages(bot.person(other).dm)
        assert picture_message.attachments
        settings = await shown_message(await bot.person(reader).command("settings"))
        await bot.person(reader).press(settings, "Show pictures as text")
        assert (await bot.tables.person_preferences.get(user)).text_only
        await bot.place_table(await bot.table(), reader)
        (text_message,) = bot.person(reader).messages(bot.person(reader).dm)
        assert not text_message.attachments
        assert text_message.content


async def test_the_form_of_settings_sets_zone_and_quiet_hours() -> None:
    """City, quiet hours and the choice between several zones, as Discord checks and shows them."""
    async with playing_server() as bot:
        actor = await _actor(bot)
        settings = await shown_message(await actor.command("settings"))
        form = await actor.press(settings, "Time zone and quiet hours")
        values: dict[str, object] = {"zone": "san", "begin": "1380", "end": "420"}
        zone_question = await shown_message(await actor.submit(form, values))
        assert "Which one is yours?" in message_text(zone_question)
        settings = await shown_message(await actor.choose(zone_question, "America/Santiago"))
        assert "Santiago (America), where it is" in message_text(settings)
        assert "23:00 to 7:00" in message_text(settings)
        await actor.choose(settings, "Never")
        person = await bot.tables.person_preferences.get(actor.user.id)
        assert (person.time_zone, person.wants_reminders) == ("America/Santiago", False)
        suggestions = await actor.autocomplete("settings", "time_zone", "new y")
        assert [each["value"] for each in suggestions] == ["America/New_York"]
        set_at_once = await shown_message(await actor.command("settings", time_zone="Tokyo"))
        assert "Tokyo (Asia)" in message_text(set_at_once)
        assert {control.get("label") for control in controls(set_at_once)} >= {"Snooze for 3 days"}
