"""A lobby from its first player to the start."""

from __future__ import annotations

import asyncio
import re

import pytest

from bot.local.client_input import ClientRefusal
from bot.local.message_contents import body_text, controls, has_button
from bot.local.model import Message
from bot.local.permissions import NO_PERMISSIONS, Permission
from tests.bot.e2e.observe import open_form, read_response, shown_message, wait_until
from tests.bot.e2e.rig import Rig

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_lobby_always_shows_how_it_stands(rig: Rig) -> None:
    """Join, leave, computers, start and their refusals; the message always shows how it stands."""
    game = await rig.open_lobby("Ben", "Chloé")
    lobby = await game.lobby_message()
    ben, chloe, farid = game.people[0], game.people[1], rig.member("Farid", game.channel)
    assert "already in" in await read_response(await chloe.press(lobby, "Join"))
    assert "not in this lobby" in await read_response(await farid.press(lobby, "Leave"))
    assert "Ben" in await read_response(await chloe.press(lobby, "Start"))
    assert "Press **Join** first" in await read_response(await farid.press(lobby, "Add Casual computer"))
    stale_page = await shown_message(await chloe.press(lobby, "Add Casual computer"))
    await read_response(await ben.press(lobby, "Add Random computer"))
    full_lobby = await game.newest_message(
        lambda message: (
            "Casual 1 (computer)" in message.content
            and "Random 1 (computer)" in message.content
            and has_button(message, "Remove computer")
        )
    )
    assert not any(has_button(full_lobby, label) for label in ("Join", "Add Casual computer"))
    assert "All seats are taken" in await read_response(await chloe.press(stale_page, "Add Casual computer"))
    removals = await asyncio.gather(*(ben.press(full_lobby, "Remove computer") for _ in range(3)))
    answers = [await read_response(removal) for removal in removals]
    assert sum("no computer" in answer for answer in answers) == 1, answers
    assert "You have left" in await read_response(await ben.press(lobby, "Leave"))
    await game.newest_message(lambda message: "Chloé (host)" in message.content)
    assert "lobby is closed" in await read_response(await chloe.press(lobby, "Leave"))
    closed = await game.newest_message(lambda message: "This lobby is closed." in message.content)
    assert not controls(closed)


async def test_a_lobby_is_filled_from_its_responses(rig: Rig) -> None:
    """What adds a computer player offers the next one and, to the host, the start: the lobby scrolls away."""
    game = await rig.open_lobby("Ben")
    ben, lobby = game.people[0], await game.lobby_message()
    assert "Currents in one minute" in await read_response(await ben.press(lobby, "Read the rules"))
    old_page = await shown_message(await ben.press(lobby, "Add Casual computer"))
    assert has_button(old_page, "Start"), "two can play"
    page = await shown_message(await ben.press(lobby, "Add Casual computer"))
    assert not has_button(page, "Start"), "three cannot, on this board"
    last_page = await shown_message(await ben.press(page, "Add Casual computer"))
    assert last_page.id == page.id, "one private message, redrawn"
    assert not has_button(last_page, "Add Casual computer")
    await rig.wait_until_sent()  # the link names the lobby's message
    start_page = await shown_message(await ben.press(last_page, "Start"))
    assert "has started in a thread" in body_text(start_page)
    assert not controls(start_page)
    await game.current_board()
    assert game.game_channel.is_thread
    assert f"/{game.game_channel.id})." in body_text(start_page), "with a link to it"
    refused_page = await shown_message(await ben.press(old_page, "Start"))
    assert refused_page.id == old_page.id
    assert "already started" in body_text(refused_page)
    assert has_button(refused_page, "Play")
    assert not has_button(refused_page, "Start"), "no button of the lobby is left there"


async def test_pages_of_a_lobby_show_its_game_once_that_has_started(rig: Rig) -> None:
    """A press on a private page from before the start says that it is too late, and leaves **Play** there."""
    game = await rig.open_lobby("Ben", "Chloé")
    ben, lobby = game.people[0], await game.lobby_message()
    presses = {
        "Only by invitation": "Who may join",
        "At random": "Cut the deck",
        "Choose words": "Cut the deck",
    }
    pages = {label: await shown_message(await ben.press(lobby, opener)) for label, opener in presses.items()}
    await game.start()
    for label, page in pages.items():
        refused_page = await shown_message(await ben.press(page, label))
        assert refused_page.id == page.id
        assert re.search("already started|too late", body_text(refused_page)), label
        assert has_button(refused_page, "Play")
        assert not has_button(refused_page, label)


async def test_pages_of_a_lobby_lose_their_buttons_once_it_is_closed(rig: Rig) -> None:
    """Nothing can be pressed any more; each says why."""
    game = await rig.open_lobby("Ben")
    ben, lobby = game.people[0], await game.lobby_message()
    clock_page = await shown_message(await ben.press(lobby, "Choose the clock"))
    cut_page = await shown_message(await ben.press(lobby, "Cut the deck"))
    end_pages = [await shown_message(await ben.command("table end")) for _ in range(2)]
    for page in end_pages:
        await read_response(await ben.press(page, "Close the lobby"))
    await read_response(await ben.choose(clock_page, "1d"))
    await read_response(await ben.press(cut_page, "At random"))
    for page, text in ((clock_page, "no game going on"), (cut_page, "too late"), (end_pages[1], "closed")):
        assert text in body_text(page)
        assert not controls(page)


async def test_a_start_that_does_not_fit_the_options_says_how_many_are_missing(rig: Rig) -> None:
    """A start with too few people for the options says how many are missing, and the lobby stays."""
    game = await rig.open_lobby("Ben", "Chloé", options="board=triangle")
    text = await read_response(await game.people[0].press(await game.lobby_message(), "Start"))
    assert "You need one more player: press **Add Casual computer** or invite someone." in text
    other_game = await rig.open_lobby("Ben")
    text = await read_response(await other_game.people[0].press(await other_game.lobby_message(), "Start"))
    assert "You need one more player: press **Add Casual computer** or invite someone." in text
    assert has_button(await other_game.lobby_message(), "Join")


async def test_the_deck_is_cut_in_two_presses(rig: Rig) -> None:
    """A page says what it is for, one more press takes random words, a form takes chosen ones; all public."""
    game = await rig.open_lobby("Ben", "Chloé")
    ben, chloe = game.people
    lobby = await game.lobby_message()
    assert "Press **Join** first" in await read_response(
        await rig.member("Farid", game.channel).press(lobby, "Cut the deck")
    )
    page = await shown_message(await ben.press(lobby, "Cut the deck"))
    assert "Two words of yours are mixed into the deal" in body_text(page)
    random_cut_page = await shown_message(await ben.press(page, "At random"))
    assert random_cut_page.id == page.id, "one private message, redrawn"
    words_match = re.search(
        r"You cut the deck with (\*\*[a-z]+\*\* and \*\*[a-z]+\*\*)", body_text(random_cut_page)
    )
    assert words_match is not None
    await game.newest_message(
        lambda message: f"Ben (host) · new here · cut the deck: {words_match[1]}" in message.content
    )
    page = await shown_message(await chloe.press(lobby, "Cut the deck"))
    form = await open_form(chloe, page, "Choose words")
    refused_page = await shown_message(await chloe.submit(form, {"first": " River", "second": "anchr"}))
    assert "“anchr” is not in my list of words. You could take **anchor**" in body_text(refused_page)
    assert "Chloé · new here · cut" not in (await game.lobby_message()).content
    form = await open_form(chloe, refused_page, "Choose words")
    cut_page = await shown_message(
        await chloe.submit(form, {"second": "anchor"})
    )  # the good word stands there
    assert "You cut the deck with **river** and **anchor**. " in f"{body_text(cut_page)} ".replace("\n", " ")
    await game.newest_message(
        lambda message: "Chloé · new here · cut the deck: **river** and **anchor**" in message.content
    )
    await game.start()
    notice = await game.message_with("Ben and Chloé play.")
    words = words_match[1].replace("*", "").replace(" and", "")
    assert f"The deck was cut by Ben ({words}) and Chloé (river anchor)." in notice.content
    assert "before the game starts" in await read_response(await chloe.press(cut_page, "At random"))


async def test_a_lobby_is_found_by_lists_and_by_invitation(rig: Rig) -> None:
    """A status message and ``/games`` list the lobby, with **Join**; an invitation mentions once."""
    game = await rig.open_lobby("Ben")
    ben, channel = game.people[0], game.channel
    chloe, farid = rig.member("Chloé", channel), rig.member("Farid", channel)
    admin = rig.member("Ava", channel)
    with pytest.raises(ClientRefusal):
        await chloe.command("status here")
    answer = await read_response(await admin.command("status here"))
    assert "may not pin" in answer

    def find_status() -> Message | None:
        statuses = [
            each for each in game.public_messages() if each.content.startswith("**Games in this server**")
        ]
        return statuses[-1] if statuses else None

    status = await wait_until(find_status, awaited="a status message")
    label = f"Join Currents No. {game.number}"
    assert has_button(status, label)
    assert "You are in" in await read_response(await chloe.press(status, label))
    page = await shown_message(await farid.command("games"))
    assert "Currents No." in body_text(page)
    elsewhere = rig.member("Farid", rig.world.text_channels()[0])
    link_text = f"Currents No. {game.number}]"
    assert link_text in body_text(await shown_message(await elsewhere.command("games")))
    rig.world.set_denied_permissions(farid.user, channel, Permission.VIEW_CHANNEL)
    assert link_text not in body_text(await shown_message(await elsewhere.command("games")))
    rig.world.set_denied_permissions(farid.user, channel, NO_PERMISSIONS)
    await read_response(await ben.press(await game.lobby_message(), "Who may join"))
    farid.leave()
    assert "not in this server" in await read_response(await ben.command("invite", player=farid.user.id))
    farid.rejoin()
    assert "is invited" in await read_response(await ben.command("invite", player=farid.user.id))
    invitation = await game.newest_message(lambda message: " is invited to " in message.content)
    assert invitation.mentions == (farid.user.id,)
    assert "You are in" in await read_response(await farid.press(invitation, "Join"))
    await game.newest_message(lambda message: "Farid · new here" in message.content)
    assert "no status message any more" in await read_response(await admin.command("status off"))
    assert "`/status here` posts one" in await read_response(await admin.command("status off"))
    assert find_status() is None
