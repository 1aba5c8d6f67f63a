"""Before the game of an old lobby starts, everybody says that they are here; the others lose their seats."""

from collections.abc import Callable
from functools import partial

import msgspec
import pytest

from bot.chat.lobby_posts import ready_check_post
from bot.host.deciders import admission, cutting, lobby, moderation, presence, ready_check
from bot.host.deciders.clocks import with_postponed_due_times
from bot.host.deciders.decision import Decision
from bot.host.deciders.lobby import LOBBY_LIFETIME
from bot.host.deciders.ready_check import MIN_LOBBY_AGE, TIME_TO_ANSWER
from bot.host.erasing import erase_person
from bot.host.posting_rights import MayNotPost
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.clock_rows import HOUR
from bot.store.delivery_rows import DeliveryKind
from bot.store.inspection import DISAGREEMENT_QUERIES
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore
from rules.cut_words import CUT_WORDS
from tests.bot.host.chat_table import CURRENTS_FOR_TWO
from tests.bot.host.erased_person import check_progress
from tests.bot.host.playing import FIRST_USER, GAMES_AND_TOYS, ManualClock, begin
from tests.bot.host.waiting_lobbies import WaitingLobby, open_waiting_lobby
from tests.bot.store.sample_rows import execute_sql


@pytest.fixture
async def asked_lobby(tables: Tables, clock: ManualClock) -> WaitingLobby:
    """Return a lobby of three whose host has pressed **Start** after two hours."""
    return await _start_check(tables, clock)


async def _start_check(tables: Tables, clock: ManualClock, *, is_blocked: bool = False) -> WaitingLobby:
    waiting_lobby = await open_waiting_lobby(tables, clock)
    waiting_lobby.posts_ready_checks = not is_blocked
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    return waiting_lobby


async def test_a_young_lobby_starts_at_once(tables: Tables, clock: ManualClock) -> None:
    """Up to an hour nobody is asked; who has acted within the last hour is here anyway."""
    young_lobby = await open_waiting_lobby(tables, clock)
    clock.now += MIN_LOBBY_AGE
    await young_lobby.start()
    assert (await young_lobby.table()).status is Status.PLAYING
    old_lobby = await open_waiting_lobby(tables, clock, people_count=2)
    clock.now += 5 * HOUR
    await old_lobby.change_as(2, lobby.join)
    await old_lobby.change_as(1, lobby.leave, is_channel_busy=False)
    await old_lobby.change_as(1, lobby.join)
    clock.now += HOUR
    await old_lobby.start()
    assert (await old_lobby.table()).status is Status.PLAYING


@pytest.mark.parametrize("decide", [ready_check.confirm, lobby.leave])
async def test_only_the_host_is_refused_where_the_bot_may_not_post(
    tables: Tables, clock: ManualClock, decide: Callable[..., Decision]
) -> None:
    """A player's **Here** counts, and a player may leave, though the game starts by it."""
    asked_lobby = await open_waiting_lobby(tables, clock, options="", game=GAMES_AND_TOYS["oceans"])
    clock.now += 2 * HOUR
    await asked_lobby.start()
    await asked_lobby.confirm(1)

    async def change_as(person_number: int, decide: Callable[..., Decision]) -> None:
        request = msgspec.structs.replace(
            asked_lobby.request(person_number), find_missing_permission=lambda _: "Send Messages"
        )
        change = partial(decide, request=request, is_channel_busy=False)
        await tables.change(asked_lobby.number, request, change)

    with pytest.raises(MayNotPost):
        await change_as(0, ready_check.start_without_unconfirmed)
    await change_as(2, decide)
    assert (await asked_lobby.table()).status is Status.PLAYING


async def test_somebody_who_cuts_the_deck_is_here(tables: Tables, clock: ManualClock) -> None:
    """A player who has cut the deck within the last hour is not asked."""
    old_lobby = await open_waiting_lobby(tables, clock)
    clock.now += 2 * HOUR
    await old_lobby.change_as(1, cutting.cut_deck, words=(CUT_WORDS[0], CUT_WORDS[1]))
    await old_lobby.start()
    assert presence.unconfirmed_users(await old_lobby.table()) == (FIRST_USER + 2,)


async def test_the_lobby_shows_each_change_of_its_check(tables: Tables, clock: ManualClock) -> None:
    """Its message is edited when a check begins, passes to the host and ends; each has its whole time."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    clock.now += 2 * HOUR

    async def send_all() -> None:
        for waiting in await tables.store.waiting_deliveries(waiting_lobby.number):
            await tables.store.mark_delivered(waiting, waiting.ply, None)

    async def waiting_kinds() -> set[DeliveryKind]:
        return {each.kind for each in await tables.store.waiting_deliveries(waiting_lobby.number)}

    await send_all()
    await waiting_lobby.start()
    for is_host_asked in (False, True):
        check = (await waiting_lobby.table()).row.lobby.ready_check
        assert check is not None
        assert (check.awaits_host, check.due) == (is_host_asked, clock.now + TIME_TO_ANSWER)
        assert DeliveryKind.LOBBY in await waiting_kinds()
        await send_all()
        await waiting_lobby.pass_time(TIME_TO_ANSWER)
    assert (await waiting_lobby.table()).row.lobby.ready_check is None
    assert DeliveryKind.LOBBY in await waiting_kinds()


async def test_the_game_starts_when_all_are_here(asked_lobby: WaitingLobby) -> None:
    """The host who starts is here; the last answer starts the game, and each counts once."""
    table = await asked_lobby.table()
    assert table.status is Status.LOBBY
    assert presence.unconfirmed_users(table) == (FIRST_USER + 1, FIRST_USER + 2)
    assert "Chloé" in await asked_lobby.confirm(1)
    with pytest.raises(Refusal, match="already"):
        await asked_lobby.confirm(1)
    with pytest.raises(Refusal, match="Press \\*\\*Join"):
        await asked_lobby.confirm(5)
    assert "has started" in await asked_lobby.confirm(2)
    table = await asked_lobby.table()
    assert (table.status, table.row.lobby.ready_check, table.row.lobby.players_last_seen) == (
        Status.PLAYING,
        None,
        (),
    )
    with pytest.raises(Refusal, match="already started"):
        await asked_lobby.confirm(2)


async def test_the_check_outlives_restarts(asked_lobby: WaitingLobby, clock: ManualClock) -> None:
    """Another process has the same check and does what is due."""
    reloaded_lobby = WaitingLobby(
        Tables(asked_lobby.tables.store, GAMES_AND_TOYS, clock), clock, asked_lobby.number
    )
    assert (await reloaded_lobby.table()).row == (await asked_lobby.table()).row
    await reloaded_lobby.pass_time(TIME_TO_ANSWER)
    check = (await reloaded_lobby.table()).row.lobby.ready_check
    assert check is not None
    assert check.awaits_host


async def test_somebody_who_does_not_answer_is_dropped(asked_lobby: WaitingLobby) -> None:
    """First the host may choose; without a choice they lose their seats, which are open to others again."""
    await asked_lobby.confirm(1)
    await asked_lobby.pass_time(TIME_TO_ANSWER - 1)
    table = await asked_lobby.table()
    assert table.row.lobby.ready_check is not None
    assert not table.row.lobby.ready_check.awaits_host
    await asked_lobby.pass_time(1)
    assert (await asked_lobby.table()).status is Status.LOBBY
    await asked_lobby.pass_time(TIME_TO_ANSWER)
    table = await asked_lobby.table()  # three are needed: the lobby is open to others again
    assert (table.status, table.plain_names) == (Status.LOBBY, ("Ava", "Ben"))
    assert table.row.lobby.ready_check is None
    texts = [
        each.text
        for each in await asked_lobby.tables.store.waiting_deliveries(asked_lobby.number)
        if each.kind is DeliveryKind.NOTICE
    ]
    assert any("Chloé did not press" in text and "open to others" in text for text in texts)


async def test_nobody_loses_a_seat_who_was_not_asked(tables: Tables, clock: ManualClock) -> None:
    """Where the check's message could not be posted, all keep their seats and the lobby is open again."""
    asked_lobby = await _start_check(tables, clock, is_blocked=True)
    names = await asked_lobby.names()
    await asked_lobby.pass_time(TIME_TO_ANSWER)
    table = await asked_lobby.table()
    assert (table.status, table.row.lobby.ready_check) == (Status.LOBBY, None)
    assert await asked_lobby.names() == names
    texts = [each.text for each in await asked_lobby.tables.store.waiting_deliveries(asked_lobby.number)]
    assert any("could not be asked" in text for text in texts)
    await asked_lobby.pass_time(25 * HOUR)
    assert (await asked_lobby.table()).status is Status.CLOSED


async def test_somebody_who_was_asked_late_has_the_whole_time(tables: Tables, clock: ManualClock) -> None:
    """The time to answer counts from when the message was posted, if that took long."""
    asked_lobby = await _start_check(tables, clock, is_blocked=True)
    await asked_lobby.pass_time(TIME_TO_ANSWER - HOUR)
    asked_lobby.posts_ready_checks = True
    await asked_lobby.post_ready_check()
    await asked_lobby.pass_time(HOUR)
    check = (await asked_lobby.table()).row.lobby.ready_check
    assert check is not None
    assert (check.awaits_host, check.due - int(asked_lobby.clock())) == (False, TIME_TO_ANSWER - HOUR)
    await asked_lobby.pass_time(TIME_TO_ANSWER)
    check = (await asked_lobby.table()).row.lobby.ready_check
    assert check is not None
    assert check.awaits_host


async def test_a_game_starts_by_itself_when_its_check_is_over(tables: Tables, clock: ManualClock) -> None:
    """Those who are left play, an absent host loses the seat too, and a notice says who is missing."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=4, options="")
    clock.now += 2 * HOUR
    admin = msgspec.structs.replace(waiting_lobby.request(6), is_admin=True, can_open_thread=True)
    start = partial(lobby.start, request=admin, is_channel_busy=False)
    await tables.change(waiting_lobby.number, admin, start)
    await waiting_lobby.confirm(1)
    await waiting_lobby.confirm(2)
    await waiting_lobby.pass_time(TIME_TO_ANSWER)
    table = await waiting_lobby.table()
    assert table.row.host == FIRST_USER + 1, "somebody who is here decides"
    await waiting_lobby.pass_time(TIME_TO_ANSWER)
    table = await waiting_lobby.table()
    assert (table.status, table.plain_names) == (Status.PLAYING, ("Ben", "Chloé"))
    texts = [each.text for each in await tables.store.waiting_deliveries(waiting_lobby.number)]
    assert "Ava and Dimitri did not press **Here** and lost their seats." in texts


async def test_a_lobby_in_which_nobody_answers_is_closed(tables: Tables, clock: ManualClock) -> None:
    """A lobby where nobody is left is closed."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    clock.now += 2 * HOUR
    admin = msgspec.structs.replace(waiting_lobby.request(6), is_admin=True)
    start = partial(lobby.start, request=admin, is_channel_busy=False)
    await tables.change(waiting_lobby.number, admin, start)
    await waiting_lobby.post_ready_check()
    await waiting_lobby.pass_time(TIME_TO_ANSWER)
    assert (await waiting_lobby.table()).status is Status.CLOSED


async def test_the_host_starts_without_the_others(asked_lobby: WaitingLobby) -> None:
    """The host may start early with those who are here, or with computers in the other seats."""
    with pytest.raises(Refusal, match="Only the host"):
        await asked_lobby.change_as(1, ready_check.start_without_unconfirmed, is_channel_busy=False)
    with pytest.raises(Refusal, match="Not everybody"):
        await asked_lobby.start()
    with pytest.raises(Refusal, match="Fill with computers"):
        await asked_lobby.change_as(0, ready_check.start_without_unconfirmed, is_channel_busy=False)
    assert await asked_lobby.names() == ("Ava", "Ben", "Chloé"), "a refusal changes nothing"
    await asked_lobby.confirm(2)
    await asked_lobby.change_as(0, ready_check.fill_with_computers, computer="casual", is_channel_busy=False)
    table = await asked_lobby.table()
    assert (table.status, table.plain_names) == (Status.PLAYING, ("Ava", "Casual 1", "Chloé"))


async def test_the_missing_are_dropped_before_the_deal(tables: Tables, clock: ManualClock) -> None:
    """Where enough are here, the others are dropped before the deal."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=3)
    await waiting_lobby.change_as(0, lobby.set_options, values={"board": "square"})
    clock.now += 2 * HOUR
    with pytest.raises(Refusal, match="three"):
        await waiting_lobby.start()
    await waiting_lobby.change_as(3, lobby.join)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await waiting_lobby.confirm(3)
    await waiting_lobby.change_as(0, ready_check.start_without_unconfirmed, is_channel_busy=False)
    assert await waiting_lobby.names() == ("Ava", "Dimitri")


async def test_the_host_may_wait_twelve_hours_longer(asked_lobby: WaitingLobby, clock: ManualClock) -> None:
    """The host adds twelve hours, once ahead; after the time was over the others are asked anew."""
    began_at = int(clock.now)
    first_check = (await asked_lobby.table()).row.lobby.ready_check
    assert first_check is not None
    await asked_lobby.change_as(0, ready_check.wait_longer)
    longer_check = (await asked_lobby.table()).row.lobby.ready_check
    assert longer_check is not None
    assert (longer_check.due, longer_check.id) == (began_at + 2 * TIME_TO_ANSWER, first_check.id)
    with pytest.raises(Refusal, match="already"):
        await asked_lobby.change_as(0, ready_check.wait_longer)
    await asked_lobby.pass_time(2 * TIME_TO_ANSWER)
    await asked_lobby.pass_time(HOUR)
    host_check = (await asked_lobby.table()).row.lobby.ready_check
    assert host_check is not None
    await asked_lobby.change_as(0, ready_check.wait_longer)
    next_check = (await asked_lobby.table()).row.lobby.ready_check
    assert next_check is not None
    assert not next_check.awaits_host
    assert len({first_check.id, host_check.id, next_check.id}) == 3, "a new message asks"
    assert (await asked_lobby.table()).status is Status.LOBBY


async def test_an_admin_who_waits_longer_is_announced(asked_lobby: WaitingLobby) -> None:
    """The lobby reads who waits for whom in place of the host; of the host it reads nothing."""
    table = await asked_lobby.table()
    admin = msgspec.structs.replace(asked_lobby.request(6), is_admin=True)
    for request, is_announced in ((admin, True), (asked_lobby.request(0), False)):
        decision = ready_check.wait_longer(table, request)
        texts = [each.text for each in decision.deliveries if each.slot.kind is DeliveryKind.NOTICE]
        name = table.moderator_name(request)
        assert texts == ([f"{name} waits 12 more hours for Ben and Chloé."] if is_announced else [])
        assert decision.audit_entry == "".join(texts)


async def test_newcomers_are_here_and_leavers_are_not_waited_for(asked_lobby: WaitingLobby) -> None:
    """A newcomer is here; who leaves is not waited for; the lobby outlives its usual time."""
    await asked_lobby.change_as(1, lobby.leave, is_channel_busy=False)
    await asked_lobby.change_as(4, lobby.join)
    table = await asked_lobby.table()
    assert presence.unconfirmed_users(table) == (FIRST_USER + 2,)
    assert table.row.expires_at is not None
    assert table.row.expires_at > table.row.opened_at + LOBBY_LIFETIME
    await asked_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    await asked_lobby.change_as(3, lobby.join)
    assert "has started" in await asked_lobby.start()


async def open_lobby_with_one_missing(tables: Tables, clock: ManualClock) -> WaitingLobby:
    """Return an old lobby of three, of whom Chloé alone is missing; two could play its game too."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=4, options="")
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await waiting_lobby.change_as(3, lobby.leave, is_channel_busy=False)
    await waiting_lobby.confirm(1)
    return waiting_lobby


@pytest.mark.parametrize("has_left", [True, False])
async def test_the_game_starts_when_the_only_missing_one_leaves(
    tables: Tables, clock: ManualClock, *, has_left: bool
) -> None:
    """It begins at once, as with the last **Here**: whether they leave or the host removes them."""
    waiting_lobby = await open_lobby_with_one_missing(tables, clock)
    assert (await waiting_lobby.table()).status is Status.LOBBY
    if has_left:
        assert await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False) == "You have left."
    else:
        remove = partial(admission.remove_player, user=FIRST_USER + 2)
        assert "has started" in await waiting_lobby.change_as(0, remove, is_channel_busy=False)
    table = await waiting_lobby.table()
    assert (table.status, table.plain_names) == (Status.PLAYING, ("Ava", "Ben"))


async def test_the_game_starts_when_the_missing_one_is_erased(tables: Tables, clock: ManualClock) -> None:
    """People who have their data erased leave their lobbies."""
    waiting_lobby = await open_lobby_with_one_missing(tables, clock)
    assert await erase_person(tables, waiting_lobby.request(2), check_progress) == 0
    assert (await waiting_lobby.table()).status is Status.PLAYING


async def test_a_cut_in_a_game_that_starts_by_itself_needs_no_stored_answer(
    tables: Tables, store: SqliteStore, clock: ManualClock
) -> None:
    """A start without a press stores cuts, but no answer: the database agrees with itself all the same."""
    asked_lobby = await open_lobby_with_one_missing(tables, clock)
    await asked_lobby.change_as(0, cutting.cut_deck, words=(CUT_WORDS[0], CUT_WORDS[1]))
    await erase_person(tables, asked_lobby.request(2), check_progress)
    stored = await store.load(asked_lobby.number)
    assert stored is not None
    assert [each.user for each in stored.records if each.action.startswith("cut ")] == [FIRST_USER]
    for disagreement in DISAGREEMENT_QUERIES.values():
        assert await execute_sql(store, disagreement) == []


async def test_the_deadline_starts_games_in_free_channels_only(tables: Tables, clock: ManualClock) -> None:
    """Where no thread can be opened, the game starts unless another one goes on in the channel."""
    free_lobby, busy_lobby = (
        await open_lobby_with_one_missing(tables, clock),
        await open_lobby_with_one_missing(tables, clock),
    )
    await free_lobby.pass_time(TIME_TO_ANSWER)
    await free_lobby.pass_time(TIME_TO_ANSWER)
    assert (await free_lobby.table()).status is Status.PLAYING
    table = await busy_lobby.table()
    assert (table.status, table.plain_names) == (Status.LOBBY, ("Ava", "Ben", "Chloé"))
    with pytest.raises(Refusal, match=r"Another game is going on in this channel[^*]*$"):
        await busy_lobby.change_as(0, ready_check.start_without_unconfirmed, is_channel_busy=True)
    check = table.row.lobby.ready_check
    assert check is not None, "the host can still choose"
    await busy_lobby.pass_time(TIME_TO_ANSWER)
    table = await busy_lobby.table()
    assert (table.status, table.row.lobby.ready_check) == (Status.LOBBY, None)
    texts = [each.text for each in await tables.store.waiting_deliveries(busy_lobby.number)]
    assert any(
        "Another game is going on in this channel" in text and "open to others" in text for text in texts
    )


async def test_the_host_who_waits_for_a_channel_is_asked_again(tables: Tables, clock: ManualClock) -> None:
    """Another game in the channel ends the check only if the host was asked about it and did not answer."""
    await begin(tables, CURRENTS_FOR_TWO)
    busy_lobby = await open_lobby_with_one_missing(tables, clock)
    for _ in range(2):
        await busy_lobby.pass_time(TIME_TO_ANSWER)
        await busy_lobby.pass_time(TIME_TO_ANSWER)
        table = await busy_lobby.table()
        assert table.row.lobby.ready_check is not None
        assert "another one was going on" in ready_check_post(table).text
        await busy_lobby.change_as(0, ready_check.wait_longer)
        assert "another one was going on" not in ready_check_post(await busy_lobby.table()).text


async def test_a_game_starts_when_its_channel_is_free_again(tables: Tables, clock: ManualClock) -> None:
    """The choice outlasts the other game: the host makes it then, or the end of the check does."""
    first_lobby, chosen_lobby = (
        await open_lobby_with_one_missing(tables, clock),
        await open_lobby_with_one_missing(tables, clock),
    )
    await first_lobby.pass_time(TIME_TO_ANSWER)
    await first_lobby.pass_time(TIME_TO_ANSWER)
    await first_lobby.change_as(0, moderation.end)
    await chosen_lobby.change_as(0, ready_check.start_without_unconfirmed, is_channel_busy=False)
    assert (await chosen_lobby.table()).plain_names == ("Ava", "Ben")
    late_lobby = await open_lobby_with_one_missing(tables, clock)
    await late_lobby.pass_time(TIME_TO_ANSWER)
    await late_lobby.pass_time(TIME_TO_ANSWER)
    await chosen_lobby.change_as(0, moderation.end)
    await late_lobby.pass_time(TIME_TO_ANSWER)
    table = await late_lobby.table()
    assert (table.status, table.plain_names) == (Status.PLAYING, ("Ava", "Ben"))


async def test_downtime_moves_the_deadline(asked_lobby: WaitingLobby, clock: ManualClock) -> None:
    """While nobody could press **Here**, nobody's time runs."""
    check_before, now = (await asked_lobby.table()).row.lobby.ready_check, int(clock.now)
    table = with_postponed_due_times(await asked_lobby.table(), {}, now, now + 5 * HOUR)
    check_after = table.row.lobby.ready_check
    assert check_before is not None
    assert check_after is not None
    assert check_after.due == check_before.due + 5 * HOUR


async def test_join_names_the_button_that_keeps_the_seat(asked_lobby: WaitingLobby) -> None:
    """A missing player is sent to **Here**; a player who is here waits for the host."""
    with pytest.raises(Refusal, match=r"You are already in\. Press .*Here.* to stay"):
        await asked_lobby.change_as(1, lobby.join)
    await asked_lobby.confirm(1)
    with pytest.raises(Refusal, match=r"already in\. The game starts as soon as Chloé has pressed .*Here"):
        await asked_lobby.change_as(1, lobby.join)


@pytest.mark.parametrize(("seat", "next_step"), [(0, "Press"), (1, "The host presses")])
async def test_join_names_who_starts(tables: Tables, clock: ManualClock, seat: int, next_step: str) -> None:
    """Without a ready check a player who is in waits for the host, and the host for nobody."""
    young_lobby = await open_waiting_lobby(tables, clock)
    with pytest.raises(Refusal, match=rf"already in\. {next_step} \*\*Start\*\* when all are here"):
        await young_lobby.change_as(seat, lobby.join)


async def test_somebody_who_joins_reads_what_the_check_waits_for(asked_lobby: WaitingLobby) -> None:
    """A newcomer counts as here; who finds all seats taken reads when one may be free."""
    await asked_lobby.change_as(1, lobby.leave, is_channel_busy=False)
    answer = await asked_lobby.change_as(3, lobby.join)
    assert "You count as here. The game starts as soon as Chloé has pressed **Here**" in answer
    with pytest.raises(Refusal, match=r"most 3 can play\. Somebody may lose a seat when the ready check"):
        await asked_lobby.change_as(5, lobby.join)
    await asked_lobby.pass_time(TIME_TO_ANSWER)
    await asked_lobby.change_as(3, lobby.leave, is_channel_busy=False)
    answer = await asked_lobby.change_as(5, lobby.join)
    assert "Chloé did not answer the ready check. The host chooses until <t:" in answer


async def test_nobody_waits_for_a_seat_of_those_who_are_here(tables: Tables, clock: ManualClock) -> None:
    """In a full lobby whose players are all here, a late comer is promised no seat."""
    full_lobby = await open_waiting_lobby(tables, clock, people_count=4, options="")
    clock.now += 2 * HOUR
    await full_lobby.start()
    for seat in (1, 2):
        await full_lobby.confirm(seat)
    await full_lobby.change_as(3, ready_check.confirm, is_channel_busy=True)
    with pytest.raises(Refusal, match=r"All seats are taken\. You can open another table"):
        await full_lobby.change_as(5, lobby.join)


async def test_computer_players_alone_start_no_game(tables: Tables, clock: ManualClock) -> None:
    """Where nobody is here, an admin who starts is not sent to computer players, which are refused too."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    clock.now += 2 * HOUR
    admin = msgspec.structs.replace(waiting_lobby.request(6), is_admin=True)
    table = lobby.start(await waiting_lobby.table(), admin, is_channel_busy=False).table
    with pytest.raises(Refusal, match=r"Nobody is here yet, so the game cannot start\.$"):
        ready_check.fill_with_computers(table, admin, "casual", is_channel_busy=False)
    with pytest.raises(Refusal, match=r"Nobody is here yet, so the game cannot start\.$"):
        ready_check.start_without_unconfirmed(table, admin, is_channel_busy=False)


async def test_somebody_who_joins_when_all_are_here_waits_for_the_host(asked_lobby: WaitingLobby) -> None:
    """Too few were left, so the host presses **Start** again."""
    await asked_lobby.confirm(1)
    await asked_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    assert "Everybody is here. The host presses **Start**." in await asked_lobby.change_as(3, lobby.join)
    assert "has started" in await asked_lobby.start()
