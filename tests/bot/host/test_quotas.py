"""P15: how much one person and one server may ask for; a refusal at a limit says what to do."""

import asyncio
import contextlib
from functools import partial
from typing import cast

import msgspec
import pytest

from bot.chat.component_press import ComponentPress
from bot.chat.handlers import handle_press
from bot.chat.post_parts import table_custom_id
from bot.chat.response import Response
from bot.host import quotas
from bot.host.committer import ChangeResult
from bot.host.deciders import departures, lobby, moderation, offer_answers, seat_offers, seats
from bot.host.housekeeping import Housekeeping
from bot.host.quotas import (
    MAX_TRACKED_USERS,
    UNLIMITED,
    NotAllowedHere,
    QuotaExceeded,
    Quotas,
    RateLimiter,
    RateLimitExceeded,
    require_opening_rights,
)
from bot.host.request import Refusal, Request
from bot.host.tables import Tables
from bot.store.preferences import ServerRow
from bot.store.rows import Change, RepeatedInteraction, Status
from bot.store.seat_rows import Person
from bot.store.sqlite import SqliteStore
from rules.model import Seat
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    GUILD,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    begin,
    default_setup,
    mark_offers_posted,
    open_lobby,
    request_of_person,
    request_of_user,
)
from tests.bot.host.timed_tables import ANY_GAME_KEY, notice_texts
from tests.bot.host.viewer_output import ResponseRecorder
from tests.trials import WAIT_TIMEOUT

GAME = GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS]
PARENT_CHANNEL, THREAD = 500, 600
QUOTAS = Quotas(open_lobbies=3, user_tables=4, server_tables=6, opening_cooldown=10.0)


async def _open(tables: Tables, request: Request) -> int:
    return await open_lobby(tables, GAME, request)


async def _join(tables: Tables, number: int, request: Request) -> ChangeResult:
    return await tables.take_seat(number, request, request.user, partial(lobby.join, request=request))


def _tables_with_quotas(store: SqliteStore, clock: ManualClock, quotas: Quotas = QUOTAS) -> Tables:
    return Tables(store, GAMES_AND_TOYS, clock, quotas=quotas)


async def test_open_lobbies_are_bounded(store: SqliteStore, clock: ManualClock) -> None:
    """A host has at most so many open lobbies; closing one makes room; others are not concerned."""
    tables = _tables_with_quotas(store, clock)
    for _ in range(3):
        number = await _open(tables, request_of_user(100))
        clock.now += 11
    with pytest.raises(QuotaExceeded, match=r"three open lobbies.*`/table end`"):
        await _open(tables, request_of_user(100))
    await _open(tables, request_of_user(101))
    request = request_of_user(100)
    await tables.change(number, request, partial(moderation.end, request=request))
    await _open(tables, request_of_user(100))


async def test_openings_at_once_pass_no_limit(store: SqliteStore, clock: ManualClock) -> None:
    """Twenty openings in the same instant make as many tables as one may have, no more."""
    tables = _tables_with_quotas(store, clock, msgspec.structs.replace(QUOTAS, opening_cooldown=0.0))
    outcomes = await asyncio.gather(
        *(_open(tables, request_of_user(100)) for _ in range(20)), return_exceptions=True
    )
    assert sum(isinstance(each, int) for each in outcomes) == 3
    assert all(isinstance(each, int | QuotaExceeded) for each in outcomes)


async def test_a_second_table_can_be_opened_after_a_cooldown(store: SqliteStore, clock: ManualClock) -> None:
    """A user who has just opened a table reads how long to wait; a clock set back locks nobody out."""
    tables = _tables_with_quotas(store, clock)
    await _open(tables, request_of_user(100))
    clock.now += 4
    with pytest.raises(QuotaExceeded, match="in 6 seconds"):
        await _open(tables, request_of_user(100))
    clock.now += 6
    await _open(tables, request_of_user(100))
    clock.now -= 100_000
    await _open(tables, request_of_user(100))


async def test_seats_are_bounded(store: SqliteStore, clock: ManualClock) -> None:
    """Nobody sits at more live tables than allowed, not even by joining two at once; others may go on."""
    tables = _tables_with_quotas(store, clock, Quotas(user_tables=4, open_lobbies=0, opening_cooldown=0.0))
    numbers = [await _open(tables, request_of_user(200 + i)) for i in range(8)]
    outcomes = await asyncio.gather(
        *(_join(tables, number, request_of_user(100)) for number in numbers), return_exceptions=True
    )
    assert sum(not isinstance(each, BaseException) for each in outcomes) == 4
    with pytest.raises(QuotaExceeded, match=r"You sit at four tables.*`/mygames`"):
        await _open(tables, request_of_user(100))
    with pytest.raises(QuotaExceeded, match="You sit at four tables"):
        await _join(tables, numbers[-1], request_of_user(100))
    await _join(tables, numbers[-1], request_of_user(101))


async def test_a_seat_that_was_resigned_does_not_count(store: SqliteStore, clock: ManualClock) -> None:
    """Whoever resigns has left the table, also while the others play on without the seat."""
    tables = _tables_with_quotas(store, clock, Quotas(user_tables=1, open_lobbies=0, opening_cooldown=0.0))
    setup = default_setup(GAMES_AND_TOYS[ANY_GAME_KEY], 3)
    number, request = await begin(tables, setup), request_of_person(1)
    with pytest.raises(QuotaExceeded, match="First finish or leave one"):
        await _open(tables, request)
    await tables.change(number, request, partial(departures.resign, request=request, computer="casual"))
    assert (await tables.get(number)).seat_of(request.user) == 1
    await _open(tables, request_of_person(1))


async def test_opening_and_joining_at_once_pass_no_limit(store: SqliteStore, clock: ManualClock) -> None:
    """A user who opens and joins tables in the same instant sits at no more than allowed."""
    tables = _tables_with_quotas(store, clock, Quotas(user_tables=4, open_lobbies=0, opening_cooldown=0.0))
    numbers = [await _open(tables, request_of_user(200 + i)) for i in range(8)]
    for _ in range(3):
        await _open(tables, request_of_user(100))
    await asyncio.gather(
        *(_join(tables, number, request_of_user(100)) for number in numbers),
        *(_open(tables, request_of_user(100)) for _ in range(8)),
        return_exceptions=True,
    )
    assert (await store.quota_usage(100, GUILD)).user_table_count == 4


async def test_opening_rematches_and_joining_never_deadlock(store: SqliteStore, clock: ManualClock) -> None:
    """A table is opened after an ended one while others still want to sit down there: each is answered."""
    tables = _tables_with_quotas(store, clock, UNLIMITED)
    request = request_of_user(100)
    ended_number = await _open(tables, request)
    await tables.change(ended_number, request, partial(moderation.end, request=request))

    async def open_rematch(user: int) -> ChangeResult:
        request = request_of_user(user)
        return await tables.open_rematch(
            ended_number,
            lambda number, seed, now: lobby.open_table(number, GAME, "", request, seed, now),
            request,
        )

    async with asyncio.timeout(WAIT_TIMEOUT):
        outcomes = await asyncio.gather(
            *(
                each
                for i in range(20)
                for each in (_join(tables, ended_number, request_of_user(300 + i)), open_rematch(400 + i))
            ),
            return_exceptions=True,
        )
    answers = [each for each in outcomes[1::2] if isinstance(each, ChangeResult)]
    assert len(answers) == 20
    assert len({answer.table.number for answer in answers}) == 1
    assert sum(not answer.is_repeat for answer in answers) == 1


async def test_somebody_who_has_a_seat_reads_so_at_the_limit(store: SqliteStore, clock: ManualClock) -> None:
    """Another **Join** at the same table would be no further seat: the limit is not the reason."""
    tables = _tables_with_quotas(store, clock, Quotas(user_tables=1))
    number = await _open(tables, request_of_user(100))
    with pytest.raises(Refusal, match="already in"):
        await _join(tables, number, request_of_user(100))


async def test_nobody_is_seated_beyond_the_limit_by_others(store: SqliteStore, clock: ManualClock) -> None:
    """A seat cannot be offered to somebody who sits at as many tables as one may."""
    tables = _tables_with_quotas(store, clock, Quotas(user_tables=1, open_lobbies=0, opening_cooldown=0.0))
    unlimited_tables = Tables(store, GAMES_AND_TOYS, clock)
    await _open(unlimited_tables, request_of_user(300))
    number = await begin(unlimited_tables, default_setup(GAME, 2))
    request = request_of_person(0)
    decide = partial(
        seats.offer_seat, request=request, seat=Seat(1), newcomer=Person(300, "Guest"), computer="random"
    )
    with pytest.raises(QuotaExceeded, match="That person sits at one table,"):
        await tables.take_seat(number, request, 300, decide)


@pytest.mark.parametrize("outcome", ["agreement", "silence"])
async def test_an_accepted_seat_counts_when_it_is_given(
    store: SqliteStore, clock: ManualClock, outcome: str
) -> None:
    """Somebody who has accepted seats that nobody has given away yet gets no more of them than allowed."""
    quotas = Quotas(user_tables=1, open_lobbies=0, opening_cooldown=0.0)
    tables, unlimited_tables = _tables_with_quotas(store, clock, quotas), Tables(store, GAMES_AND_TOYS, clock)
    number = await begin(unlimited_tables, default_setup(GAME, 4))
    host_request = msgspec.structs.replace(request_of_person(0), at=int(clock.now))
    guest_request = msgspec.structs.replace(request_of_user(300), at=int(clock.now))
    offer = partial(seats.offer_seat, seat=Seat(1), newcomer=Person(300, "Guest"), computer="random")
    table = (await tables.take_seat(number, host_request, 300, partial(offer, request=host_request))).table
    assert table.seats[1].offer is not None
    await mark_offers_posted(tables, number)
    offer_id = table.seats[1].offer.id
    accept = partial(offer_answers.accept_offer, request=guest_request, seat=Seat(1), offer_id=offer_id)
    await tables.take_seat(number, guest_request, 300, accept)
    await _open(tables, request_of_user(300))
    if outcome == "agreement":
        custom_id = table_custom_id(table, "yield", f"1 {offer_id}")
        press = ComponentPress(tables, cast("Response", ResponseRecorder()), custom_id, request_of_person(1))
        with pytest.raises(QuotaExceeded, match="That person sits at one table, which is the limit"):
            await handle_press(press)
        assert (await tables.get(number)).seats[1].offer is not None
    else:
        clock.now += seat_offers.OBJECTION_TIME
        await Housekeeping(tables).do_due_work_at_tables()
        assert (await tables.get(number)).seats[1].offer is None
        text = "Guest sits at too many tables by now. Seat B stays with Ben."
        assert text in await notice_texts(tables, number)
    assert (await tables.get(number)).seat_of(300) is None


async def test_an_agreement_in_the_moment_of_the_acceptance_passes_no_limit(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who agrees while an acceptance is being stored gives the newcomer no seat beyond the limit."""
    quotas = Quotas(user_tables=1, open_lobbies=0, opening_cooldown=0.0)
    tables, unlimited_tables = _tables_with_quotas(store, clock, quotas), Tables(store, GAMES_AND_TOYS, clock)
    number = await begin(unlimited_tables, default_setup(GAME, 4))
    host_request, guest_request = request_of_person(0), request_of_user(300)
    offer = partial(seats.offer_seat, seat=Seat(1), newcomer=Person(300, "Guest"), computer="random")
    table = (await tables.take_seat(number, host_request, 300, partial(offer, request=host_request))).table
    assert table.seats[1].offer is not None
    offer_id = table.seats[1].offer.id
    custom_id = table_custom_id(table, "yield", f"1 {offer_id}")
    press = ComponentPress(tables, cast("Response", ResponseRecorder()), custom_id, request_of_person(1))
    commit, agreements = store.commit, list[asyncio.Task[None]]()

    async def agree_and_commit(change: Change) -> RepeatedInteraction | None:
        if not agreements:
            agreements.append(asyncio.create_task(handle_press(press)))
            await _open(unlimited_tables, request_of_user(300))
        return await commit(change)

    monkeypatch.setattr(store, "commit", agree_and_commit)
    accept = partial(offer_answers.accept_offer, request=guest_request, seat=Seat(1), offer_id=offer_id)
    await tables.take_seat(number, guest_request, 300, accept)
    with pytest.raises(QuotaExceeded, match="That person sits at one table, which is the limit"):
        await agreements[0]
    assert (await store.quota_usage(300, GUILD)).user_table_count == 1


async def test_a_servers_tables_are_bounded(store: SqliteStore, clock: ManualClock) -> None:
    """A server has at most so many live tables; another server is not concerned; an ended one makes room."""
    tables = _tables_with_quotas(store, clock)
    numbers = [await _open(tables, request_of_user(100 + i)) for i in range(6)]
    with pytest.raises(QuotaExceeded, match="This server has six tables"):
        await _open(tables, request_of_user(150))
    await _open(tables, msgspec.structs.replace(request_of_user(150), guild=GUILD + 1))
    request = request_of_user(100)
    await tables.change(numbers[0], request, partial(moderation.end, request=request))
    await _open(tables, request_of_user(151))


@pytest.mark.parametrize(
    ("channel", "is_allowed"),
    [(THREAD, True), (PARENT_CHANNEL, True), (PARENT_CHANNEL + 1, False), (THREAD + 1, False)],
)
def test_a_thread_belongs_to_its_channel(channel: int, *, is_allowed: bool) -> None:
    """A rematch opens in another channel than that of the request: then the request's does not count."""
    server = ServerRow(GUILD, channels=(PARENT_CHANNEL,))
    request = msgspec.structs.replace(request_of_user(100), channel=THREAD, parent_channel=PARENT_CHANNEL)
    refusal = pytest.raises(NotAllowedHere, match=f"<#{PARENT_CHANNEL}>")
    with contextlib.nullcontext() if is_allowed else refusal:
        require_opening_rights(server, request, channel)


@pytest.mark.parametrize("roles", [(), (7,), (5,), (5, 7)])
@pytest.mark.parametrize("is_admin", [False, True])
def test_roles_may_be_needed_to_open_a_table(roles: tuple[int, ...], *, is_admin: bool) -> None:
    """One of those that the server has set is enough; its admins need none."""
    request = msgspec.structs.replace(request_of_user(100), roles=roles, is_admin=is_admin)
    is_allowed = is_admin or 5 in roles
    refusal = pytest.raises(NotAllowedHere, match="<@&5> or <@&6>")
    with contextlib.nullcontext() if is_allowed else refusal:
        require_opening_rights(ServerRow(GUILD, roles=(5, 6)), request, request.channel)
    require_opening_rights(ServerRow(GUILD), request, request.channel)


async def test_more_than_a_limit_is_not_called_the_limit(store: SqliteStore, clock: ManualClock) -> None:
    """Somebody becomes host of one lobby more as its host leaves, and an operator may lower a limit."""
    tables = _tables_with_quotas(store, clock, Quotas(open_lobbies=1, opening_cooldown=0.0))
    await _open(tables, request_of_user(100))
    inherited_number = await _open(tables, request_of_user(101))
    await _join(tables, inherited_number, request_of_user(100))
    host_request = request_of_user(101)
    leave = partial(lobby.leave, request=host_request, is_channel_busy=False)
    await tables.change(inherited_number, host_request, leave)
    with pytest.raises(QuotaExceeded, match=r"You have two open lobbies, more than the limit of 1\."):
        await _open(tables, request_of_user(100))
    lowered = Quotas(open_lobbies=0, user_tables=1, server_tables=1, opening_cooldown=0.0)
    tables = _tables_with_quotas(store, clock, lowered)
    with pytest.raises(QuotaExceeded, match=r"You sit at two tables, more than the limit of 1\."):
        await _open(tables, request_of_user(100))
    with pytest.raises(QuotaExceeded, match=r"This server has two tables, more than the limit of 1\."):
        await _open(tables, request_of_user(102))


async def test_a_host_by_succession_is_not_said_to_have_opened_the_table(
    store: SqliteStore, clock: ManualClock
) -> None:
    """Somebody who becomes host of a new lobby waits as its opener would, and reads a true reason."""
    tables = _tables_with_quotas(store, clock)
    inherited_number, host_request = await _open(tables, request_of_user(101)), request_of_user(101)
    await _join(tables, inherited_number, request_of_user(100))
    await tables.change(
        inherited_number, host_request, partial(lobby.leave, request=host_request, is_channel_busy=False)
    )
    with pytest.raises(QuotaExceeded, match=r"^You are the host of a table that was opened just now\. "):
        await _open(tables, request_of_user(100))


async def test_a_repeat_gets_the_first_answer(store: SqliteStore, clock: ManualClock) -> None:
    """A repeated interaction opens no second table and gets the first answer, limit or not."""
    tables = _tables_with_quotas(store, clock, Quotas(open_lobbies=1))
    request = request_of_user(100)
    number = await _open(tables, request)
    with pytest.raises(Refusal, match=f"Table No. {number} is open"):
        await _open(tables, request)
    assert (await store.count_by_status())[Status.LOBBY] == 1


async def test_without_limits_all_tables_open(store: SqliteStore, clock: ManualClock) -> None:
    """Sensitivity: with the limits lifted, the same requests open all twenty tables."""
    tables = _tables_with_quotas(store, clock, UNLIMITED)
    outcomes = await asyncio.gather(
        *(_open(tables, request_of_user(100)) for _ in range(20)), return_exceptions=True
    )
    assert sum(isinstance(each, int) for each in outcomes) == 20
    usage = await store.quota_usage(100, GUILD)
    assert (usage.open_lobby_count, usage.user_table_count, usage.server_table_count) == (20, 20, 20)


def test_a_flood_is_refused_until_it_ends() -> None:
    """Twenty acts in ten seconds are done, the next is not; what was refused does not make it longer."""
    now = 50.0
    limiter = RateLimiter(20, 10.0, lambda: now)
    for _ in range(20):
        limiter.admit(1)
    for _ in range(100):
        with pytest.raises(RateLimitExceeded, match="Wait 10 seconds"):
            limiter.admit(1)
    limiter.admit(2)
    now += 9.5
    with pytest.raises(RateLimitExceeded, match="Wait a second"):
        limiter.admit(1)
    now += 0.5
    for _ in range(20):
        limiter.admit(1)


def test_a_flood_fills_no_log(caplog: pytest.LogCaptureFixture) -> None:
    """However much of one person is refused, there is one line in a window."""
    caplog.set_level("INFO")
    now = 0.0
    limiter = RateLimiter(20, 10.0, lambda: now)
    refusal_count = 0
    for _ in range(1_000):
        now += 0.04
        try:
            limiter.admit(1)
        except RateLimitExceeded as refusal:
            refusal_count += refusal.is_logged_already
    assert refusal_count > 800
    messages = [record.message for record in caplog.records]
    assert set(messages) == {"rate limit exceeded"}
    assert 3 <= len(messages) <= 5, "forty seconds, four windows"


def test_a_rate_limiter_remembers_a_bounded_number_of_users() -> None:
    """However many strangers come, what is remembered stays bounded."""
    limiter = RateLimiter(20, 10.0)
    for user in range(MAX_TRACKED_USERS + 500):
        limiter.admit(user)
    assert len(limiter._windows) == MAX_TRACKED_USERS


def test_strangers_do_not_let_a_flood_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asked last is remembered longest."""
    monkeypatch.setattr(quotas, "MAX_TRACKED_USERS", 2)
    limiter = RateLimiter(2, 10.0, ManualClock())
    for user in (1, 2, 1, 3):
        limiter.admit(user)
    with pytest.raises(RateLimitExceeded):
        limiter.admit(1)


def test_zero_lifts_the_flood_limit() -> None:
    """0 lifts it."""
    limiter = RateLimiter(0, 0.0)
    for _ in range(1_000):
        limiter.admit(1)
