"""The messages of invitations and of requests to join: whom they ask, and why they are over."""

from collections.abc import Callable
from functools import partial

import pytest

from bot.host.deciders import admission, lobby
from bot.host.deciders.decision import Decision
from bot.host.deciders.ready_check import MIN_LOBBY_AGE
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status
from bot.store.seat_rows import Person
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import FakeMessage, labels, stub_board_pictures
from tests.bot.host.playing import FIRST_USER, ManualClock, request_of_user
from tests.bot.host.waiting_lobbies import WaitingLobby, invite, open_waiting_lobby


@pytest.fixture
async def waiting_lobby(tables: Tables, clock: ManualClock) -> WaitingLobby:
    """Return a lobby of Ava, the host, and Ben, with two free seats."""
    return await open_waiting_lobby(tables, clock, people_count=2, options="")


async def test_invitations_and_requests_to_join_are_settled(
    tables: Tables, clock: ManualClock, waiting_lobby: WaitingLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An invitation mentions once; a request for a seat mentions the host; both end without buttons."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)

    async def send_and_return_newest() -> FakeMessage:
        await chat_table.send_all()
        return chat_table.newest_message()

    await invite(waiting_lobby, 2)
    invitation = await send_and_return_newest()
    assert invitation.raw_mentions == [FIRST_USER + 2]
    assert labels(invitation) == ["Join", "No, thanks", "Read the rules"]
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    await waiting_lobby.change_as(3, lobby.join)
    application = await send_and_return_newest()
    assert application.raw_mentions == [FIRST_USER]
    assert "Dimitri asks to join" in application.content
    await waiting_lobby.change_as(2, lobby.join)
    await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 3)
    acceptance = await send_and_return_newest()
    assert acceptance.raw_mentions == [FIRST_USER + 3]
    assert acceptance.content.endswith(f" · <@{FIRST_USER + 3}>, you are in: your request was accepted.")
    assert not labels(invitation)
    assert outcome_lines(invitation) == ["Chloé joined."]
    assert not labels(application)
    assert outcome_lines(application) == ["Dimitri joined."]
    assert "<@" not in application.content, "the host need not answer any more"
    await waiting_lobby.change_as(3, lobby.leave, is_channel_busy=False)
    await waiting_lobby.change_as(3, lobby.join)
    second_application = await send_and_return_newest()
    assert second_application not in {application, acceptance}, "the host does not see that they ask again"
    assert second_application.raw_mentions == [FIRST_USER]
    assert labels(second_application)
    assert not labels(application)
    await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 3)
    assert (await send_and_return_newest()).raw_mentions == [FIRST_USER + 3]
    assert not labels(second_application)
    lobby_message = chat_table.chat.public_messages()[1]
    assert "Ava (host) · new here" in lobby_message.content
    assert "By invitation" in lobby_message.content


async def test_somebody_who_joins_after_asking_was_not_accepted(waiting_lobby: WaitingLobby) -> None:
    """Where the host opens the lobby to all meanwhile, the request for a seat does not say "accepted"."""
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    await waiting_lobby.change_as(3, lobby.join)
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=False)
    await waiting_lobby.change_as(3, lobby.join)
    deliveries = await waiting_lobby.tables.store.waiting_deliveries(waiting_lobby.number)
    assert [each.text for each in deliveries if each.kind is DeliveryKind.JOIN_REQUEST] == ["Dimitri joined."]


async def test_an_accepted_player_can_answer_a_ready_check(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even one that had no button for it, since everybody else was here."""
    stub_board_pictures(monkeypatch)
    waiting_lobby = await open_waiting_lobby(tables, clock)
    waiting_lobby.posts_ready_checks = False
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    clock.now += MIN_LOBBY_AGE + 1
    await waiting_lobby.start()
    await waiting_lobby.confirm(1)
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    await chat_table.send_all()
    ready_check_message = chat_table.newest_message()
    assert labels(ready_check_message) == ["Start", "Fill with computers"]
    await waiting_lobby.change_as(3, lobby.join)
    await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 3)
    await chat_table.send_all()
    assert chat_table.newest_message().content.endswith("Press **Here** in the ready check above to stay.")
    assert labels(ready_check_message)[0] == "Here"
    assert " · Dimitri did not press **Here**.\n" in ready_check_message.content
    await waiting_lobby.confirm(3)
    assert (await waiting_lobby.table()).status is Status.PLAYING


@pytest.mark.parametrize("is_declined", [True, False])
async def test_an_invitation_says_why_it_is_over(
    tables: Tables,
    clock: ManualClock,
    waiting_lobby: WaitingLobby,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_declined: bool,
) -> None:
    """Its message names who declined, or says that the game has started; nothing asks to press a button."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    await invite(waiting_lobby, 2)
    await chat_table.send_all()
    invitation = chat_table.newest_message()
    if is_declined:
        await waiting_lobby.change_as(2, admission.decline_invitation)
    else:
        await waiting_lobby.start()
    await chat_table.send_all()
    assert outcome_lines(invitation) == ["Chloé declined." if is_declined else "The game has started."]
    assert "Press" not in invitation.content


@pytest.mark.parametrize("is_removed", [True, False])
async def test_an_invitation_says_who_is_gone_again(
    tables: Tables,
    clock: ManualClock,
    waiting_lobby: WaitingLobby,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_removed: bool,
) -> None:
    """Whoever joined by it and left, or was removed, is no longer said to have joined; others are not."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    await invite(waiting_lobby, 2)
    await chat_table.send_all()
    invitation = chat_table.newest_message()
    await waiting_lobby.change_as(2, lobby.join)
    await waiting_lobby.change_as(3, lobby.join)
    await chat_table.send_all()
    assert outcome_lines(invitation) == ["Chloé joined."]
    for seat in (3, 2):
        if is_removed:
            user = FIRST_USER + seat
            await waiting_lobby.change_as(0, admission.remove_player, user=user, is_channel_busy=False)
        else:
            await waiting_lobby.change_as(seat, lobby.leave, is_channel_busy=False)
        await chat_table.send_all()
        expected = "Chloé joined." if seat == 3 else "Chloé joined and left again."
        assert outcome_lines(invitation) == [expected]
    if not is_removed:  # true as well once they are back, when nothing changes the message
        await waiting_lobby.change_as(2, lobby.join)
        await chat_table.send_all()
        assert outcome_lines(invitation) == ["Chloé joined and left again."]


async def test_a_request_to_join_says_why_it_is_over(
    tables: Tables, clock: ManualClock, waiting_lobby: WaitingLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An applicant who is declined, or invited meanwhile, reads it in the message that asked about them."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    outcomes = []
    for seat in (2, 3):
        await waiting_lobby.change_as(seat, lobby.join)
        await chat_table.send_all()
        application = chat_table.newest_message()
        if seat == 2:
            await waiting_lobby.change_as(0, admission.decline_applicant, user=FIRST_USER + seat)
        else:
            await invite(waiting_lobby, seat)
        await chat_table.send_all()
        outcomes += outcome_lines(application)
    assert outcomes == ["The request was declined.", "An invitation was sent."]


async def test_what_an_admin_decides_is_not_said_of_the_host(
    tables: Tables, clock: ManualClock, waiting_lobby: WaitingLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Invitations, acceptances and what became of a request name no host who has done nothing."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)

    async def decide_as_admin(decide: Callable[..., Decision], **options: object) -> str:
        admin_request = request_of_user(900, "Ada", is_admin=True)
        await tables.change(
            waiting_lobby.number, admin_request, partial(decide, request=admin_request, **options)
        )
        await chat_table.send_all()
        return chat_table.newest_message().content

    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    invitation = await decide_as_admin(admission.invite, person=Person(901, "Fay"))
    assert f" · <@901> is invited to {(await waiting_lobby.names())[0]}'s table.\n" in invitation
    assert invitation.endswith("\n-# For 2 or 4 players."), "free seats would soon be out of date"
    for seat, decide in ((2, admission.decline_applicant), (3, admission.accept_applicant)):
        await waiting_lobby.change_as(seat, lobby.join)
        await chat_table.send_all()
        text = await decide_as_admin(decide, user=FIRST_USER + seat)
        assert "declined" in text or "accepted." in text
        assert "host" not in text
    with pytest.raises(Refusal) as refusal:
        await waiting_lobby.change_as(2, lobby.join)
    assert "host" not in str(refusal.value)


async def test_what_waits_for_an_answer_names_the_new_host(
    tables: Tables, clock: ManualClock, waiting_lobby: WaitingLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody who has left is asked to decide, or said to have the table, by a message with buttons.

    The new host is mentioned once by a request to join, in a new message.
    """
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    await invite(waiting_lobby, 2)
    await waiting_lobby.change_as(3, lobby.join)
    await chat_table.send_all()
    invitation, application = chat_table.chat.public_messages()[-2:]
    assert "Ava's table" in invitation.content
    assert f"<@{FIRST_USER}>, do you accept?" in application.content
    await waiting_lobby.change_as(0, lobby.leave, is_channel_busy=False)
    await chat_table.send_all()
    assert "Ben's table" in invitation.content
    newest_application = chat_table.newest_message()
    assert newest_application.raw_mentions == [FIRST_USER + 1]
    assert f"<@{FIRST_USER + 1}>, do you accept?" in newest_application.content
    assert labels(newest_application) == ["Accept", "Decline"]
    assert not labels(application)
    message_count = len(chat_table.chat.public_messages())
    await waiting_lobby.change_as(2, lobby.join)
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    await chat_table.send_all()
    assert len(chat_table.chat.public_messages()) == message_count


def outcome_lines(message: FakeMessage) -> list[str]:
    """Return what a message that asked somebody says below its first line."""
    return message.content.splitlines()[1:]
