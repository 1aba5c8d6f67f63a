"""Who may join a lobby: by reliability, by invitation and by the decision of its host."""

import random
from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from bot.chat import admission_pages
from bot.host.deciders import admission, lobby, moderation, ready_check
from bot.host.deciders.admission import MAX_PENDING_PEOPLE
from bot.host.deciders.decision import Decision
from bot.host.deciders.ready_check import MIN_LOBBY_AGE, TIME_TO_ANSWER
from bot.host.reliability import (
    MAX_COUNTED_GAMES,
    MIN_AWAY_GAMES,
    MIN_GAMES,
    Reliability,
    read_reliabilities,
    reliability_of,
)
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.clock_rows import TimeControl, TimeoutAction
from bot.store.delivery_rows import DeliveryKind
from bot.store.lobby_rows import AdmissionRule
from bot.store.results import NewResult, Participation, ResultPlayer
from bot.store.rows import Status
from bot.store.seat_rows import Person
from bot.store.sqlite import SqliteStore
from tests.bot.host.playing import (
    FIRST_USER,
    GUILD,
    ManualClock,
    make_move,
    request_of_person,
    request_of_user,
)
from tests.bot.host.timed_tables import notice_texts
from tests.bot.host.waiting_lobbies import WaitingLobby, invite, open_waiting_lobby
from tests.bot.store.sample_rows import end_game

PLAYED = ResultPlayer(0, Participation.PLAYED, "Ava", 1, score=3, user=FIRST_USER)


TWO_MISSED_TURNS = ResultPlayer(
    0, Participation.PLAYED, "Ava", 1, score=3, user=FIRST_USER, missed_turn_count=2
)


ONE_MISS = ResultPlayer(0, Participation.PLAYED, "Ava", 1, score=3, user=FIRST_USER, missed_turn_count=1)


REPLACED = ResultPlayer(0, Participation.LEFT_EARLY, "Ava", 4, user=FIRST_USER)


RESIGNED = ResultPlayer(0, Participation.LEFT_EARLY, "Ava", 4, score=0, user=FIRST_USER)


@pytest.mark.parametrize(
    ("games", "reliability"),
    [
        ([], Reliability.NEW),
        ([PLAYED, PLAYED], Reliability.NEW),
        ([PLAYED, PLAYED, ONE_MISS], Reliability.RELIABLE),
        ([RESIGNED] * 5, Reliability.NEW),
        ([PLAYED, PLAYED, RESIGNED, RESIGNED], Reliability.NEW),
        ([*[PLAYED] * 3, RESIGNED, RESIGNED], Reliability.RELIABLE),
        ([REPLACED, TWO_MISSED_TURNS, *[RESIGNED] * 5], Reliability.OFTEN_AWAY),
        ([REPLACED, PLAYED], Reliability.NEW),
        ([REPLACED, TWO_MISSED_TURNS], Reliability.OFTEN_AWAY),
        ([REPLACED, TWO_MISSED_TURNS, *[PLAYED] * 4], Reliability.OFTEN_AWAY),
        ([REPLACED, TWO_MISSED_TURNS, *[PLAYED] * 5], Reliability.RELIABLE),
        ([*[REPLACED] * 3, *[PLAYED] * 7], Reliability.RELIABLE),
        ([*[REPLACED] * 4, *[PLAYED] * 6], Reliability.OFTEN_AWAY),
    ],
)
def test_reliability_follows_from_the_last_games(games: list[ResultPlayer], reliability: Reliability) -> None:
    """A missed turn and one game away are forgiven; a third of the games is often.

    Resigned games count neither way: they make nobody reliable.
    """
    assert reliability_of(games) is reliability


async def test_only_the_last_games_count(store: SqliteStore) -> None:
    """Who was often away is reliable again once enough other games came after."""
    for number in range(1, MAX_COUNTED_GAMES + 1):
        await end_game(store, number, NewResult((TWO_MISSED_TURNS,)))
    kept_count = MIN_AWAY_GAMES - 1
    for number in range(MAX_COUNTED_GAMES + 1, 2 * MAX_COUNTED_GAMES + 1 - kept_count):
        await end_game(store, number, NewResult((PLAYED,)))
    assert await read_reliabilities(store, [FIRST_USER]) == {FIRST_USER: Reliability.RELIABLE}


async def test_resigned_games_hide_no_others(store: SqliteStore) -> None:
    """Whoever finished enough games is not new again after as many resignations as games count."""
    for number in range(1, MIN_GAMES + 1):
        await end_game(store, number, NewResult((PLAYED,)))
    for number in range(MIN_GAMES + 1, MIN_GAMES + MAX_COUNTED_GAMES + 1):
        await end_game(store, number, NewResult((RESIGNED,)))
    assert await read_reliabilities(store, [FIRST_USER]) == {FIRST_USER: Reliability.RELIABLE}


async def test_missed_turns_are_counted_over_the_whole_game(tables: Tables, clock: ManualClock) -> None:
    """Turns missed in a row and later ones add up, and stand with the result."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=2)
    await waiting_lobby.change_as(0, lobby.set_options, values={"board": "square"})
    control = TimeControl(
        turn_seconds=3600, grace_seconds=0, on_timeout=TimeoutAction.REMIND, max_missed_turns=9
    )
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
            await waiting_lobby.pass_time(3601)
            miss_counts[user] += 1
        await make_move(tables, waiting_lobby.number, rng)
    for user, count in miss_counts.items():
        (game,) = await tables.store.last_own_results_of_user(user, 10)
        assert game.missed_turn_count == count > 0


@pytest.fixture
async def waiting_lobby(tables: Tables, clock: ManualClock) -> WaitingLobby:
    """Return a lobby of Ava, the host, and Ben, with two free seats."""
    return await open_waiting_lobby(tables, clock, people_count=2, options="")


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
    with pytest.raises(Refusal, match=rf"{reliability.value}.*finished some games in time\. `/games` shows"):
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
    for seat in (3, 4, 5):
        assert "asked its host" in await waiting_lobby.change_as(seat, lobby.join)
    with pytest.raises(Refusal, match="asked already"):
        await waiting_lobby.change_as(3, lobby.join)
    with pytest.raises(Refusal, match="Only the host"):
        await waiting_lobby.change_as(1, admission.accept_applicant, user=FIRST_USER + 3)
    await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 4)
    for seat in (3, 5):
        await waiting_lobby.change_as(0, admission.decline_applicant, user=FIRST_USER + seat)
    assert await waiting_lobby.names() == ("Ava", "Ben", "Chloé", request_of_person(4).name)
    with pytest.raises(Refusal, match="no longer asks"):
        await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 3)
    for seat in (3, 5):
        with pytest.raises(Refusal, match=r"^Your request to join was declined\."):
            await waiting_lobby.change_as(seat, lobby.join)


async def test_nobody_is_accepted_into_a_full_lobby(waiting_lobby: WaitingLobby) -> None:
    """Whoever asks goes on asking until the host makes room."""
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    for seat in (2, 3, 4):
        await waiting_lobby.change_as(seat, lobby.join)
    for seat in (2, 3):
        await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + seat)
    with pytest.raises(Refusal, match="Remove somebody first, or decline"):
        await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 4)
    await waiting_lobby.change_as(0, admission.remove_player, user=FIRST_USER + 2, is_channel_busy=False)
    await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 4)
    assert await waiting_lobby.names() == ("Ava", "Ben", "Dimitri", request_of_person(4).name)


async def test_the_lobby_shows_who_has_a_seat_and_who_may_have_one(waiting_lobby: WaitingLobby) -> None:
    """Its message follows what the host sets, whom they accept and whom they remove."""

    async def newest_lobby_delivery() -> int:
        deliveries = await waiting_lobby.tables.store.waiting_deliveries(waiting_lobby.number)
        return max(each.id for each in deliveries if each.kind is DeliveryKind.LOBBY)

    acts: tuple[tuple[Callable[..., Decision], dict[str, object]], ...] = (
        (admission.set_admission_rule, {"rule": AdmissionRule.RELIABLE}),
        (admission.set_by_invitation, {"by_invitation": True}),
        (admission.accept_applicant, {"user": FIRST_USER + 2}),
        (admission.remove_player, {"user": FIRST_USER + 1, "is_channel_busy": False}),
    )
    for act, options in acts:
        if act is admission.accept_applicant:
            await waiting_lobby.change_as(2, lobby.join, reliability=Reliability.RELIABLE)
        newest_before = await newest_lobby_delivery()
        await waiting_lobby.change_as(0, act, **options)
        assert await newest_lobby_delivery() > newest_before


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
        with pytest.raises(Refusal, match=r"^You were removed from this table's lobby\."):
            await waiting_lobby.change_as(1, lobby.join)
    await waiting_lobby.change_as(2, lobby.join)
    await waiting_lobby.change_as(0, admission.remove_player, user=FIRST_USER + 2, is_channel_busy=False)
    for seat in (1, 2):
        with pytest.raises(Refusal, match=r"^You were removed from this table's lobby\."):
            await waiting_lobby.change_as(seat, lobby.join)
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
    for user in range(MAX_PENDING_PEOPLE):
        await waiting_lobby.change_as(0, admission.invite, person=Person(500 + user, f"Guest {user}"))
    with pytest.raises(Refusal, match="when there are fewer"):
        await invite(waiting_lobby, 2)
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    with pytest.raises(Refusal, match="when there are fewer"):
        await waiting_lobby.change_as(2, lobby.join)
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
    for user in range(MAX_PENDING_PEOPLE - 2):
        await waiting_lobby.change_as(0, admission.invite, person=Person(500 + user, f"Guest {user}"))
    with pytest.raises(Refusal, match="Try again when there are fewer"):
        await invite(waiting_lobby, 4)
    assert "is invited" in await invite(waiting_lobby, 3), "instead of asking"
    await waiting_lobby.change_as(2, lobby.join)
    with pytest.raises(Refusal, match="no open invitation"):
        await waiting_lobby.change_as(2, admission.decline_invitation)
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
    """One **No, thanks** ends the mentions, whoever declines next; the lobby's own **Join** still works."""
    for seat in (2, 3):
        await invite(waiting_lobby, seat)
        await waiting_lobby.change_as(seat, admission.decline_invitation)
    texts = await notice_texts(waiting_lobby.tables, waiting_lobby.number)
    assert texts[-2:] == [f"{name} has declined the invitation." for name in ("Chloé", "Dimitri")]
    for seat in (2, 3):
        with pytest.raises(Refusal, match="has declined an invitation to this table"):
            await invite(waiting_lobby, seat)
    await waiting_lobby.change_as(2, lobby.join)
    assert await waiting_lobby.names() == ("Ava", "Ben", "Chloé")


async def test_a_started_game_forgets_who_asked(waiting_lobby: WaitingLobby) -> None:
    """What only the lobby needs is not kept; who may join and who was removed stays."""
    await waiting_lobby.change_as(3, lobby.join)
    await waiting_lobby.change_as(0, admission.remove_player, user=FIRST_USER + 3, is_channel_busy=False)
    await waiting_lobby.change_as(0, admission.set_by_invitation, by_invitation=True)
    await waiting_lobby.change_as(2, lobby.join)
    await waiting_lobby.start()
    table = await waiting_lobby.table()
    assert table.status is Status.PLAYING
    state = table.row.lobby
    assert (state.applicants, state.by_invitation, state.barred_users) == ((), True, (FIRST_USER + 3,))


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
    clock.now += MIN_LOBBY_AGE + 1
    await waiting_lobby.start()
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    await waiting_lobby.change_as(3, lobby.join)
    return waiting_lobby


@pytest.mark.parametrize("awaits_host", [False, True])
async def test_an_accepted_player_has_time_for_a_ready_check(
    tables: Tables, clock: ManualClock, *, awaits_host: bool
) -> None:
    """Somebody accepted a minute before the check ends has as long to answer as the others had."""
    waiting_lobby = await _lobby_in_ready_check_with_applicant(tables, clock)
    if awaits_host:
        await waiting_lobby.pass_time(TIME_TO_ANSWER)
    await waiting_lobby.pass_time(TIME_TO_ANSWER - 60)
    await waiting_lobby.change_as(0, admission.accept_applicant, user=FIRST_USER + 3)
    check = (await waiting_lobby.table()).row.lobby.ready_check
    assert check is not None
    assert (check.due, check.awaits_host) == (clock.now + TIME_TO_ANSWER, awaits_host)
    await waiting_lobby.pass_time(TIME_TO_ANSWER - 1)
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
