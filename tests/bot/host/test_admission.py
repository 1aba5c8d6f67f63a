"""Who may join a lobby: by reliability, by invitation and by the decision of its host."""

import random
from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from bot.chat import admission_pages
from bot.host.deciders import admission, lobby, moderation, ready_check
from bot.host.deciders.admission import MAX_PENDING
from bot.host.deciders.decision import Decision
from bot.host.deciders.ready_check import MIN_LOBBY_AGE, TIME_TO_ANSWER
from bot.host.reliability import Reliability, reliability_of
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.clock_rows import TimeControl, TimeoutAction
from bot.store.delivery_rows import DeliveryKind
from bot.store.lobby_rows import AdmissionRule
from bot.store.results import Participation, ResultPlayer
from bot.store.rows import Status
from bot.store.seat_rows import Person
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import FakeMessage, labels, stub_board_pictures
from tests.bot.host.playing import FIRST_USER, GUILD, ManualClock, make_move, request_of, request_of_user
from tests.bot.host.waiting_lobbies import WaitingLobby, open_waiting_lobby

PLAYED = ResultPlayer(0, Participation.PLAYED, "Ava", 1, score=3, user=FIRST_USER)
TWO_MISSES = ResultPlayer(0, Participation.PLAYED, "Ava", 1, score=3, user=FIRST_USER, missed_turn_count=2)
ONE_MISS = ResultPlayer(0, Participation.PLAYED, "Ava", 1, score=3, user=FIRST_USER, missed_turn_count=1)
REPLACED = ResultPlayer(0, Participation.LEFT_EARLY, "Ava", 4, user=FIRST_USER)
RESIGNED = ResultPlayer(0, Participation.LEFT_EARLY, "Ava", 4, score=0, user=FIRST_USER)


@pytest.mark.parametrize(
    ("games", "reliability"),
    [
        ([], Reliability.NEW),
        ([PLAYED, PLAYED], Reliability.NEW),
        ([PLAYED, PLAYED, ONE_MISS], Reliability.RELIABLE),
        ([RESIGNED] * 5, Reliability.RELIABLE),
        ([REPLACED, PLAYED], Reliability.NEW),
        ([REPLACED, TWO_MISSES], Reliability.OFTEN_AWAY),
        ([REPLACED, TWO_MISSES, *[PLAYED] * 4], Reliability.OFTEN_AWAY),
        ([REPLACED, TWO_MISSES, *[PLAYED] * 5], Reliability.RELIABLE),
        ([*[REPLACED] * 3, *[PLAYED] * 7], Reliability.RELIABLE),
        ([*[REPLACED] * 4, *[PLAYED] * 6], Reliability.OFTEN_AWAY),
    ],
)
def test_reliability_follows_from_the_last_games(games: list[ResultPlayer], reliability: Reliability) -> None:
    """A missed turn is forgiven, and one lost game; a third of the last games is often."""
    assert reliability_of(games) is reliability


async def test_missed_turns_are_counted_over_the_whole_game(tables: Tables, clock: ManualClock) -> None:
    """Turns missed in a row and later ones add up, and stand with the result."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=2)
    await waiting_lobby.change_as(0, lobby.set_options, values={"board": "square"})
    control = TimeControl(turn=3600, grace=0, on_timeout=TimeoutAction.REMIND, max_misses=9)
    await tables.change(
        waiting_lobby.number,
        None,
        lambda current: Decision(table=current.with_row(time_control=control), answer=""),
    )
    await waiting_lobby.start()
    rng, miss_counts = random.Random(3), {FIRST_USER: 0, FIRST_USER + 1: 0}
    while (table := await waiting_lobby.table()).status is Status.PLAYING:
        assert table.to_act is not None
        user = table.seats[table.to_act].user
        assert user is not None
        if miss_counts[user] < 2 + user - FIRST_USER:
            await waiting_lobby.let_time_pass(3601)
            miss_counts[user] += 1
        await make_move(tables, waiting_lobby.number, rng)
    for user, count in miss_counts.items():
        (game,) = await tables.store.last_result_players_of_user(user, 10)
        assert game.missed_turn_count == count > 0


@pytest.fixture
async def waiting_lobby(tables: Tables, clock: ManualClock) -> WaitingLobby:
    """Return a lobby of Ava, the host, and Ben."""
    return await open_waiting_lobby(tables, clock, people_count=2)


async def invite(waiting_lobby: WaitingLobby, seat: int) -> str:
    """Let the host invite somebody."""
    person = Person(FIRST_USER + seat, request_of(seat).name)
    return await waiting_lobby.change_as(0, admission.invite, person=person)


@pytest.mark.parametrize("rule", AdmissionRule)
@pytest.mark.parametrize("reliability", Reliability)
async def test_a_lobby_asks_for_reliability(
    waiting_lobby: WaitingLobby, rule: AdmissionRule, reliability: Reliability
) -> None:
    """Unwelcome people read why and what to do; invited people are welcome anyway."""
    await waiting_lobby.change_as(0, admission.set_admission_rule, rule=rule)
    welcome = {
        AdmissionRule.EVERYBODY: set(Reliability),
        AdmissionRule.NOT_OFTEN_AWAY: {Reliability.NEW, Reliability.RELIABLE},
        AdmissionRule.RELIABLE: {Reliability.RELIABLE},
    }[rule]
    if reliability in welcome:
        await waiting_lobby.change_as(2, lobby.join, reliability=reliability)
        return
    with pytest.raises(Refusal, match=reliability.value):
        await waiting_lobby.change_as(2, lobby.join, reliability=reliability)
    await invite(waiting_lobby, 2)
    await waiting_lobby.change_as(2, lobby.join, reliability=reliability)
    assert await waiting_lobby.names() == ("Ava", "Ben", "Chloé")


@pytest.mark.parametrize(
    ("rule", "by_invitation", "text"),
    [
        (AdmissionRule.EVERYBODY, True, "By invitation: others can ask the host with **Join**."),
        (
            AdmissionRule.NOT_OFTEN_AWAY,
            True,
            "By invitation: other reliable and new players can ask the host with **Join**.",
        ),
        (
            AdmissionRule.RELIABLE,
            True,
            "By invitation: other reliable players can ask the host with **Join**.",
        ),
        (AdmissionRule.RELIABLE, False, "Only reliable players may join."),
    ],
)
async def test_both_rules_of_a_lobby_are_said(
    waiting_lobby: WaitingLobby, rule: AdmissionRule, text: str, *, by_invitation: bool
) -> None:
    """A lobby by invitation lets only those ask whom its other rule admits."""
    await waiting_lobby.change_as(0, admission.set_admission_rule, rule=rule)
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=by_invitation)
    table = await waiting_lobby.table()
    assert admission.admission_text(table.row.lobby) == text
    select_text = "May ask: " if by_invitation else "May join: "
    assert select_text in str(admission_pages.admission_page(table).rows)


async def test_somebody_who_is_not_invited_asks(waiting_lobby: WaitingLobby) -> None:
    """In a lobby by invitation **Join** asks the host, who accepts or declines."""
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    await invite(waiting_lobby, 2)
    await waiting_lobby.change_as(2, lobby.join)
    for seat in (3, 4):
        assert "asked its host" in await waiting_lobby.change_as(seat, lobby.join)
    with pytest.raises(Refusal, match="asked already"):
        await waiting_lobby.change_as(3, lobby.join)
    with pytest.raises(Refusal, match="Only the host"):
        await waiting_lobby.change_as(1, admission.accept_applicant, user=FIRST_USER + 3)
    await waiting_lobby.change_as(0, admission.decline_applicant, user=FIRST_USER + 4)
    await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 3)
    assert await waiting_lobby.names() == ("Ava", "Ben", "Chloé", "Dimitri")
    with pytest.raises(Refusal, match="no longer asks"):
        await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 4)
    with pytest.raises(Refusal, match="removed from this lobby, or your request was declined"):
        await waiting_lobby.change_as(4, lobby.join)


async def test_somebody_who_asks_and_then_joins_has_one_seat(waiting_lobby: WaitingLobby) -> None:
    """A lobby opened to all while somebody asks gives them a seat, and no second one by the host's answer."""
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    await waiting_lobby.change_as(2, lobby.join)
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=False)
    await waiting_lobby.change_as(2, lobby.join)
    with pytest.raises(Refusal, match="no longer asks"):
        await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 2)
    assert await waiting_lobby.names() == ("Ava", "Ben", "Chloé")


async def test_somebody_who_is_removed_stays_out(waiting_lobby: WaitingLobby) -> None:
    """The host removes somebody, who may not come back unless invited; the host cannot be removed."""
    with pytest.raises(Refusal, match="Only the host"):
        await waiting_lobby.change_as(1, admission.remove_player, user=FIRST_USER, is_channel_busy=False)
    with pytest.raises(Refusal, match="host cannot"):
        await waiting_lobby.change_as(0, admission.remove_player, user=FIRST_USER, is_channel_busy=False)
    await waiting_lobby.change_as(0, admission.remove_player, user=FIRST_USER + 1, is_channel_busy=False)
    assert await waiting_lobby.names() == ("Ava",)
    for _ in range(2):
        with pytest.raises(Refusal, match="removed from this lobby, or your request was declined"):
            await waiting_lobby.change_as(1, lobby.join)
    await invite(waiting_lobby, 1)
    await waiting_lobby.change_as(1, lobby.join)
    assert await waiting_lobby.names() == ("Ava", "Ben")


async def test_nobody_is_invited_from_another_server(waiting_lobby: WaitingLobby) -> None:
    """There the host may choose people who cannot see the lobby; nobody is mentioned in vain."""
    request = replace(waiting_lobby.request(0), guild=GUILD + 1)
    decide = partial(admission.invite, request=request, person=Person(FIRST_USER + 2, "Chloé"))
    with pytest.raises(Refusal, match="in the server where"):
        await waiting_lobby.tables.change(waiting_lobby.number, request, decide)
    assert not (await waiting_lobby.table()).pending_invitees


async def test_invitations_have_a_limit(waiting_lobby: WaitingLobby) -> None:
    """At most so many wait; who declines makes room, and nobody is invited twice."""
    for user in range(MAX_PENDING):
        await waiting_lobby.change_as(0, admission.invite, person=Person(500 + user, f"Guest {user}"))
    with pytest.raises(Refusal, match="when there are fewer"):
        await invite(waiting_lobby, 2)
    with pytest.raises(Refusal, match="invited already"):
        await waiting_lobby.change_as(0, admission.invite, person=Person(500, "Guest 0"))
    with pytest.raises(Refusal, match="no open invitation"):
        await waiting_lobby.change_as(2, admission.decline_invitation)
    with pytest.raises(Refusal, match="in the lobby"):
        await invite(waiting_lobby, 1)
    declining_request = request_of_user(500, "Guest 0")
    decline = partial(admission.decline_invitation, request=declining_request)
    await waiting_lobby.tables.change(waiting_lobby.number, declining_request, decline)
    await invite(waiting_lobby, 2)


async def test_the_limit_counts_who_asks_and_not_who_has_joined(
    waiting_lobby: WaitingLobby,
) -> None:
    """The limit is for those who wait: a seat taken makes room for one more."""
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    await waiting_lobby.change_as(3, lobby.join)
    await invite(waiting_lobby, 2)
    for user in range(MAX_PENDING - 2):
        await waiting_lobby.change_as(0, admission.invite, person=Person(500 + user, f"Guest {user}"))
    with pytest.raises(Refusal, match="Try again when there are fewer"):
        await invite(waiting_lobby, 4)
    await waiting_lobby.change_as(2, lobby.join)
    assert "is invited" in await invite(waiting_lobby, 4)


async def test_somebody_who_was_invited_and_removed_is_invited_again(waiting_lobby: WaitingLobby) -> None:
    """The first invitation ends with the seat that it brought."""
    await invite(waiting_lobby, 2)
    await waiting_lobby.change_as(2, lobby.join)
    await waiting_lobby.change_as(0, admission.remove_player, user=FIRST_USER + 2, is_channel_busy=False)
    assert "is invited" in await invite(waiting_lobby, 2)


async def test_somebody_who_leaves_can_be_invited_again(waiting_lobby: WaitingLobby) -> None:
    """The invitation ends with the seat: the host sends another one, or is asked."""
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    await invite(waiting_lobby, 2)
    await waiting_lobby.change_as(2, lobby.join)
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    assert "is invited" in await invite(waiting_lobby, 2)
    await waiting_lobby.change_as(2, lobby.join)
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    assert "asked its host" in await waiting_lobby.change_as(2, lobby.join)


async def test_somebody_who_declines_is_not_invited_again(waiting_lobby: WaitingLobby) -> None:
    """One **No, thanks** ends the mentions; the lobby's own **Join** still works."""
    await invite(waiting_lobby, 2)
    await waiting_lobby.change_as(2, admission.decline_invitation)
    with pytest.raises(Refusal, match="has declined an invitation to this table"):
        await invite(waiting_lobby, 2)
    await waiting_lobby.change_as(2, lobby.join)
    assert await waiting_lobby.names() == ("Ava", "Ben", "Chloé")


async def test_invitations_and_requests_to_join_are_settled(
    tables: Tables, clock: ManualClock, waiting_lobby: WaitingLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An invitation mentions once; a request for a seat mentions the host; both end without buttons."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)

    async def send_and_return_newest() -> FakeMessage:
        await chat_table.send_all()
        return chat_table.chat.public_messages()[-1]

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
    await waiting_lobby.change_as(3, lobby.join)
    clock.now += MIN_LOBBY_AGE + 1
    await waiting_lobby.start()
    await waiting_lobby.confirm(1)
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    await chat_table.send_all()
    question = chat_table.chat.public_messages()[-1]
    assert labels(question) == ["Start", "Fill with computers"]
    await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 3)
    await chat_table.send_all()
    assert chat_table.chat.public_messages()[-1].content.endswith(
        "Press **Here** in the ready check above to stay."
    )
    assert labels(question)[0] == "Here"
    assert " · Dimitri did not press **Here**.\n" in question.content
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
    invitation = chat_table.chat.public_messages()[-1]
    if is_declined:
        await waiting_lobby.change_as(2, admission.decline_invitation)
    else:
        await waiting_lobby.change_as(0, lobby.set_options, values={"board": "square"})
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
    invitation = chat_table.chat.public_messages()[-1]
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
        expected = "Chloé joined." if seat == 3 else "Chloé is not in the lobby any more."
        assert outcome_lines(invitation) == [expected]


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
        application = chat_table.chat.public_messages()[-1]
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
        admin = request_of_user(900, "Ada", is_admin=True)
        await tables.change(waiting_lobby.number, admin, partial(decide, request=admin, **options))
        await chat_table.send_all()
        return chat_table.chat.public_messages()[-1].content

    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    invitation = await decide_as_admin(admission.invite, person=Person(901, "Fay"))
    assert f" · <@901> is invited to {(await waiting_lobby.names())[0]}'s table.\n" in invitation
    assert invitation.endswith("\n-# For 3 players."), "free seats would be out of date with the next player"
    for seat, decide in ((2, admission.decline_applicant), (3, admission.accept_applicant)):
        await waiting_lobby.change_as(seat, lobby.join)
        await chat_table.send_all()
        text = await decide_as_admin(decide, user=FIRST_USER + seat)
        assert "declined." in text or "accepted." in text
        assert "host" not in text
    with pytest.raises(Refusal) as refusal:
        await waiting_lobby.change_as(2, lobby.join)
    assert "host" not in str(refusal.value)


async def test_what_waits_for_an_answer_names_the_new_host(
    tables: Tables, clock: ManualClock, waiting_lobby: WaitingLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody who has left is asked to decide, or said to have the table, by a message with buttons."""
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
    assert f"<@{FIRST_USER + 1}>, do you accept?" in application.content
    assert labels(application) == ["Accept", "Decline"]


def outcome_lines(message: FakeMessage) -> list[str]:
    """Return what a message that asked somebody says below its first line."""
    return message.content.splitlines()[1:]


async def test_a_started_game_forgets_who_asked(waiting_lobby: WaitingLobby) -> None:
    """What only the lobby needs is not kept; who may join and who was removed stays."""
    await waiting_lobby.change_as(3, lobby.join)
    await waiting_lobby.change_as(0, admission.remove_player, user=FIRST_USER + 3, is_channel_busy=False)
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    await waiting_lobby.change_as(2, lobby.join)
    await waiting_lobby.change_as(0, lobby.set_options, values={"board": "square"})
    await waiting_lobby.start()
    table = await waiting_lobby.table()
    assert table.status is Status.PLAYING
    state = table.row.lobby
    assert (state.applicants, state.by_invitation, state.removed_users) == ((), True, (FIRST_USER + 3,))


@pytest.mark.parametrize("is_closed", [True, False])
async def test_stored_data_names_lobbies_that_are_over(
    tables: Tables, clock: ManualClock, *, is_closed: bool
) -> None:
    """What a closed lobby, or one whose game has ended, still says of somebody is among their data."""
    waiting_lobby = await open_waiting_lobby(tables, clock, 3, "")
    removed_user = FIRST_USER + 2
    await waiting_lobby.change_as(
        0, partial(admission.remove_player, user=removed_user), is_channel_busy=False
    )
    if not is_closed:
        await waiting_lobby.start()
    await waiting_lobby.change_as(0, moderation.end)
    (entry,) = (await tables.store.personal_data(removed_user))["lobbies"]
    status = Status.CLOSED if is_closed else Status.ENDED_EARLY
    assert (entry["number"], entry["status"]) == (waiting_lobby.number, status.value)
    assert (entry["removed"], entry["shown_names"]) == (True, ["Chloé"])


async def _lobby_in_ready_check_with_applicant(tables: Tables, clock: ManualClock) -> WaitingLobby:
    """Return a lobby in its ready check, with a free seat for which somebody has asked."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    await waiting_lobby.change_as(3, lobby.join)
    clock.now += MIN_LOBBY_AGE + 1
    await waiting_lobby.start()
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    return waiting_lobby


@pytest.mark.parametrize("awaits_host", [False, True])
async def test_an_accepted_player_has_time_for_a_ready_check(
    tables: Tables, clock: ManualClock, *, awaits_host: bool
) -> None:
    """Somebody accepted a minute before the check ends has as long to answer as the others had."""
    waiting_lobby = await _lobby_in_ready_check_with_applicant(tables, clock)
    if awaits_host:
        await waiting_lobby.let_time_pass(TIME_TO_ANSWER)
    await waiting_lobby.let_time_pass(TIME_TO_ANSWER - 60)
    await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 3)
    check = (await waiting_lobby.table()).row.lobby.ready_check
    assert check is not None
    assert (check.due, check.awaits_host) == (clock.now + TIME_TO_ANSWER, awaits_host)
    await waiting_lobby.let_time_pass(TIME_TO_ANSWER - 1)
    assert (await waiting_lobby.table()).status is Status.LOBBY
    assert "Dimitri" in await waiting_lobby.names()
    await waiting_lobby.confirm(1)
    await waiting_lobby.confirm(3)
    assert (await waiting_lobby.table()).status is Status.PLAYING
    assert "Dimitri" in await waiting_lobby.names()


async def test_an_accepted_player_shortens_no_ready_check(tables: Tables, clock: ManualClock) -> None:
    """One for which the host waits longer ends as late as before."""
    waiting_lobby = await _lobby_in_ready_check_with_applicant(tables, clock)
    await waiting_lobby.change_as(0, ready_check.wait_longer)
    await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 3)
    check = (await waiting_lobby.table()).row.lobby.ready_check
    assert check is not None
    assert check.due == clock.now + 2 * TIME_TO_ANSWER
