"""Early notices: who learns that they are next, and when."""

import dataclasses
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from msgspec.structs import replace

from bot.error_codes import ErrorCode
from bot.host.deciders import departures
from bot.host.deciders.reminders import early_notice_update_deliveries
from bot.host.table import Table
from bot.host.table_turns import next_seat
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR
from bot.store.delivery_rows import DIRECT_MESSAGE_KINDS
from bot.store.preferences import Absence
from bot.store.seat_rows import Person
from rules.model import Resign, Seat
from tests.bot.host.fake_chat import (
    FIRST_DM_CHANNEL,
    FLAGGED_AS_SPAM,
    FakeMessage,
    stub_board_pictures,
)
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    RNG,
    ManualClock,
    begin,
    default_setup,
    give_seat_away,
    make_move,
    request_of_person,
)
from tests.bot.host.timed_tables import play_until_turn_passes
from tests.bot.host.waiting_tables import SEAT_COUNT, UTC_NOON, WaitingTable

NEWCOMER_USER = 901


async def begin_waiting_table(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, game_key: str
) -> WaitingTable:
    """Begin a game of four at noon; return its table when its first messages have arrived."""
    stub_board_pictures(monkeypatch)
    clock.now = UTC_NOON
    waiting_table = WaitingTable(
        tables, clock, await begin(tables, default_setup(GAMES_AND_TOYS[game_key], SEAT_COUNT))
    )
    await waiting_table.send_due()
    return waiting_table


@pytest.fixture
async def waiting_table(tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> WaitingTable:
    """Return a table of Currents at noon whose first messages have arrived."""
    return await begin_waiting_table(tables, clock, monkeypatch, "currents")


async def turn_on_early_notices(waiting_table: WaitingTable) -> None:
    """Have everybody want early notices."""
    for seat in range(SEAT_COUNT):
        await waiting_table.tables.person_preferences.change(
            FIRST_USER + seat, lambda row: replace(row, wants_early_notice=True)
        )


async def play_until_early_notice(waiting_table: WaitingTable) -> Seat:
    """Play, with everybody wanting early notices, until somebody got one; return their seat."""
    await turn_on_early_notices(waiting_table)
    while not waiting_table.early_notices():
        await waiting_table.play_turn()
        await waiting_table.send_due()
    next_player = next_seat(await waiting_table.tables.get(waiting_table.number))
    assert next_player is not None
    return next_player


def _always(seat: Seat | None) -> Callable[[Any], Seat | None]:
    return lambda _: seat


async def test_a_direct_message_is_stored_with_its_reader(waiting_table: WaitingTable) -> None:
    """Its channel and id are that person's data, also once somebody else has the seat."""
    await play_until_early_notice(waiting_table)
    posted_messages = await waiting_table.tables.store.posted_messages(waiting_table.number)
    direct_messages = [each for each in posted_messages if each.slot.kind in DIRECT_MESSAGE_KINDS]
    assert {each.slot.kind for each in direct_messages} == set(DIRECT_MESSAGE_KINDS)
    for each in direct_messages:
        assert each.slot.seat is not None
        assert each.mentioned_user == FIRST_USER + each.slot.seat


async def test_a_game_that_knows_who_is_next_is_asked(waiting_table: WaitingTable) -> None:
    """Where play may change its order, what the game says counts, and not the order so far."""
    table = await waiting_table.tables.get(waiting_table.number)
    assert table.match is not None
    for seat in (Seat(2), None):
        game = dataclasses.replace(table.game, seat_after_turn=_always(seat))
        match = dataclasses.replace(table.match, game=game)
        assert next_seat(dataclasses.replace(table, game=game, match=match)) == seat


async def test_the_next_player_is_known_after_a_round(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows who is next before a round in order; then it is said to whom wants it, and to no other."""
    waiting_table = await begin_waiting_table(tables, clock, monkeypatch, "oceans")
    await turn_on_early_notices(waiting_table)
    for _ in range(SEAT_COUNT):
        assert next_seat(await waiting_table.tables.get(waiting_table.number)) is None
        assert waiting_table.early_notices() == []
        await waiting_table.play_turn()
        await waiting_table.send_due()
    while next_seat(await waiting_table.tables.get(waiting_table.number)) is None:
        await waiting_table.play_turn()
        await waiting_table.send_due()
    for _ in range(SEAT_COUNT):
        table = await waiting_table.tables.get(waiting_table.number)
        assert table.to_act is not None
        next_player = Seat((table.to_act + 1) % SEAT_COUNT)
        assert next_seat(table) == next_player
        (notice,) = waiting_table.early_notices()
        assert notice.channel.id == FIRST_DM_CHANNEL + FIRST_USER + next_player
        assert notice.content.startswith(f"**Oceans · No. {waiting_table.number}** · You are next: ")
        assert notice.raw_mentions == []
        await waiting_table.play_turn()
        await waiting_table.send_due()


def _silent_table(table: Table) -> Table:
    """Return the table with a game that does not say who is next."""
    assert table.match is not None
    game = dataclasses.replace(table.match.game, seat_after_turn=None)
    return dataclasses.replace(table, match=dataclasses.replace(table.match, game=game))


@pytest.mark.parametrize("seat_count", [2, SEAT_COUNT])
async def test_one_round_in_the_order_of_the_seats_tells_who_is_next(tables: Tables, seat_count: int) -> None:
    """Where the game does not say it, nobody knows it before every player has had a turn."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["australis"], seat_count))
    for turn_count in range(2 * seat_count):
        table = await tables.get(number)
        assert table.to_act is not None
        following_seat = Seat((table.to_act + 1) % seat_count)
        assert next_seat(_silent_table(table)) == (None if turn_count < seat_count else following_seat)
        await play_until_turn_passes(tables, number, RNG)


async def test_a_round_needs_no_turn_of_who_has_resigned(tables: Tables) -> None:
    """Once all who play on have had a turn it is known who is next, and those who left never are."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["australis"], SEAT_COUNT))
    request = request_of_person(SEAT_COUNT - 1)
    await tables.change(number, request, partial(departures.resign, request=request, computer="random"))
    seats_in_play = SEAT_COUNT - 1
    for turn_count in range(2 * seats_in_play):
        table = await tables.get(number)
        assert table.to_act is not None
        following_seat = Seat((table.to_act + 1) % seats_in_play)
        assert next_seat(_silent_table(table)) == (None if turn_count < seats_in_play else following_seat)
        await play_until_turn_passes(tables, number, RNG)


@pytest.mark.parametrize("move_count", [0, 1])
async def test_a_resignation_in_or_before_anothers_turn_is_no_turn(tables: Tables, move_count: int) -> None:
    """The round in the order of the seats, which tells who is next, is not broken by it."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["australis"], SEAT_COUNT))
    for _ in range(SEAT_COUNT):
        await play_until_turn_passes(tables, number, RNG)
    for _ in range(move_count):
        await make_move(tables, number, RNG)
    table = await tables.get(number)
    assert table.match is not None
    assert table.to_act is not None
    match = table.match.play(Seat((table.to_act + 2) % SEAT_COUNT), Resign())
    silent_table = _silent_table(dataclasses.replace(table, match=match))
    assert silent_table.to_act == table.to_act
    assert next_seat(silent_table) == (table.to_act + 1) % SEAT_COUNT


async def test_the_next_player_is_known_after_two_rounds_in_an_order_drawn_by_lot(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once two rounds had one order the next player is known, though it is not the order of the seats."""
    seats: list[Seat] = []
    while all(second == (first + 1) % SEAT_COUNT for first, second in pairwise(seats[SEAT_COUNT:])):
        waiting_table = await begin_waiting_table(tables, clock, monkeypatch, "arctic_cleanup")
        seats, known_seats = [], list[Seat | None]()
        for _ in range(4 * SEAT_COUNT):  # the factories are placed in reverse order
            table = await tables.get(waiting_table.number)
            assert table.to_act is not None
            seats.append(table.to_act)
            known_seats.append(next_seat(table))
            await waiting_table.play_turn()
    following_seats = seats[1:]
    assert known_seats[-SEAT_COUNT:-1] == following_seats[1 - SEAT_COUNT :]
    assert all(known in {None, seat} for known, seat in zip(known_seats, following_seats, strict=False))
    assert known_seats[SEAT_COUNT] is None

    order = seats[-SEAT_COUNT:]  # the first of them is to act, also after one choice
    await make_move(tables, waiting_table.number, RNG)
    resign_request = request_of_person(order[1])
    resign = partial(departures.resign, request=resign_request, computer="random")
    table = (await tables.change(waiting_table.number, resign_request, resign)).table
    assert (table.to_act, next_seat(table)) == (order[0], order[2])


@pytest.mark.parametrize("move_count", [0, 1])
async def test_somebody_who_is_next_after_a_resignation_learns_it(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, move_count: int
) -> None:
    """The early notice goes from the player who resigns to the one who is next then, also within a turn."""
    RNG.seed(1)  # a game in which the early notice comes before the last choice of a turn
    waiting_table = await begin_waiting_table(tables, clock, monkeypatch, "current_affairs")
    next_player = await play_until_early_notice(waiting_table)
    for _ in range(move_count):
        await make_move(tables, waiting_table.number, RNG)
    assert next_seat(await tables.get(waiting_table.number)) == next_player, "the same turn goes on"
    resign_request = request_of_person(next_player)
    await tables.change(
        waiting_table.number,
        resign_request,
        partial(departures.resign, request=resign_request, computer="random"),
    )
    await waiting_table.send_due()
    table = await tables.get(waiting_table.number)
    assert table.match is not None
    assert table.match.resigned_seats == {next_player}
    playing_seats = [Seat(each) for each in range(SEAT_COUNT) if each != next_player]
    for _ in range(SEAT_COUNT):
        assert table.to_act is not None
        following_seat = playing_seats[(playing_seats.index(table.to_act) + 1) % len(playing_seats)]
        (notice,) = waiting_table.early_notices()
        assert notice.channel.id == FIRST_DM_CHANNEL + FIRST_USER + following_seat
        await waiting_table.play_turn()
        await waiting_table.send_due()
        table = await tables.get(waiting_table.number)
        assert table.to_act == following_seat


@pytest.mark.parametrize("is_wanted", [True, False])
async def test_an_early_notice_goes_with_its_seat(waiting_table: WaitingTable, *, is_wanted: bool) -> None:
    """Whoever gave the seat away is not next any more: the notice is removed, and the new player gets one."""
    next_player = await play_until_early_notice(waiting_table)
    await waiting_table.tables.person_preferences.change(
        NEWCOMER_USER, lambda row: replace(row, wants_early_notice=is_wanted)
    )
    await give_seat_away(
        waiting_table.tables, waiting_table.number, next_player, Person(NEWCOMER_USER, "Fay")
    )
    await waiting_table.send_due()
    assert [notice.channel.id for notice in waiting_table.early_notices()] == (
        [FIRST_DM_CHANNEL + NEWCOMER_USER] if is_wanted else []
    )
    await waiting_table.play_turn()
    await waiting_table.send_due()
    assert FIRST_DM_CHANNEL + NEWCOMER_USER not in [
        notice.channel.id for notice in waiting_table.early_notices()
    ]


async def test_only_a_seat_that_changes_hands_has_its_early_notice_sent_anew(
    waiting_table: WaitingTable,
) -> None:
    """Other changes in the same turn leave it, and another turn has one of its own."""
    next_player = await play_until_early_notice(waiting_table)
    before = await waiting_table.tables.get(waiting_table.number)
    notices = before.row.turn_notices
    assert notices is not None

    def with_newcomer(seat: int) -> Table:
        return before.with_seat(seat, replace(before.seats[seat], user=NEWCOMER_USER))

    after = with_newcomer(next_player)
    in_another_turn = after.with_row(turn_notices=replace(notices, turn_start=notices.turn_start + 1))
    for unaffected in (before, with_newcomer((next_player + 1) % SEAT_COUNT), in_another_turn):
        assert early_notice_update_deliveries(before, unaffected) == ()
    assert [each.slot.seat for each in early_notice_update_deliveries(before, after)] == [next_player]


async def test_a_turn_that_is_taken_up_again_has_its_early_notice_again(waiting_table: WaitingTable) -> None:
    """The notice that was deleted when the turn ended is sent anew, and deleted again at its end."""
    next_player = await play_until_early_notice(waiting_table)
    kept_length = await waiting_table.history_length()
    channel = FIRST_DM_CHANNEL + FIRST_USER + next_player
    for _ in range(2):
        await waiting_table.play_turn()
        await waiting_table.send_due()
        assert channel not in [notice.channel.id for notice in waiting_table.early_notices()]
        await waiting_table.roll_back(kept_length)
        await waiting_table.send_due()
        assert [notice.channel.id for notice in waiting_table.early_notices()] == [channel]


async def test_who_has_the_seat_again_gets_the_early_notice_again(waiting_table: WaitingTable) -> None:
    """A notice that was deleted for a player who wants none does not count as one that stands."""
    next_player = await play_until_early_notice(waiting_table)
    user = FIRST_USER + next_player
    for person in (Person(NEWCOMER_USER, "Fay"), Person(user, "Ava")):
        await give_seat_away(waiting_table.tables, waiting_table.number, next_player, person)
        await waiting_table.send_due()
    assert [notice.channel.id for notice in waiting_table.early_notices()] == [FIRST_DM_CHANNEL + user]


async def test_a_computer_player_that_is_next_ends_the_early_notice(waiting_table: WaitingTable) -> None:
    """A player who gives the seat to a computer player is not next; neither is anybody else."""
    next_player = await play_until_early_notice(waiting_table)
    await give_seat_away(waiting_table.tables, waiting_table.number, next_player, None)
    await waiting_table.send_due()
    assert waiting_table.early_notices() == []


@pytest.mark.parametrize("changes", [{}, {"wants_early_notice": True, "snoozed_until": UTC_NOON + 9 * DAY}])
async def test_no_early_notice_to_somebody_who_wants_none(
    waiting_table: WaitingTable, changes: dict[str, Any]
) -> None:
    """It is off unless somebody turns it on, and a snooze holds for it too."""
    for seat in range(SEAT_COUNT):
        await waiting_table.tables.person_preferences.change(
            FIRST_USER + seat, lambda row: replace(row, **changes)
        )
    for _ in range(SEAT_COUNT + 2):
        await waiting_table.play_turn()
        await waiting_table.send_due()
    assert waiting_table.early_notices() == []


@pytest.mark.parametrize(("guild", "is_sent"), [(GUILD, False), (GUILD + 1, True)])
async def test_an_early_notice_comes_where_no_absence_counts(
    waiting_table: WaitingTable, guild: int, *, is_sent: bool
) -> None:
    """Who is away from another server only is not away here."""
    absence = Absence(UTC_NOON, UTC_NOON + 9 * DAY, guild)
    for _ in range(SEAT_COUNT + 2):
        for seat in range(SEAT_COUNT):  # each time: a move ends the absence
            await waiting_table.tables.person_preferences.change(
                FIRST_USER + seat, lambda row: replace(row, wants_early_notice=True, absences=(absence,))
            )
        await waiting_table.play_turn()
        await waiting_table.send_due()
    assert bool(waiting_table.early_notices()) is is_sent


@pytest.mark.parametrize(
    "changes",
    [
        {"snoozed_until": UTC_NOON + 9 * DAY},
        {"absences": (Absence(UTC_NOON, UTC_NOON + 9 * DAY, GUILD),)},
    ],
)
async def test_a_late_early_notice_disturbs_nobody(
    waiting_table: WaitingTable, changes: dict[str, Any]
) -> None:
    """A player who wants quiet by the time it is sent, or is away, gets none."""
    await play_until_early_notice(waiting_table)
    await waiting_table.play_turn()
    for seat in range(SEAT_COUNT):
        await waiting_table.tables.person_preferences.change(
            FIRST_USER + seat, lambda row: replace(row, **changes)
        )
    await waiting_table.send_due()
    assert waiting_table.early_notices() == []


@pytest.mark.parametrize("code", [ErrorCode.CANNOT_MESSAGE_USER, FLAGGED_AS_SPAM])
async def test_closed_messages_are_no_news(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """An early notice that is refused, for whatever reason, is given up; the table reads nothing of it."""
    waiting_table = await begin_waiting_table(tables, clock, monkeypatch, "current_affairs")
    await turn_on_early_notices(waiting_table)
    response: Any = SimpleNamespace(status=403, reason="")
    refusal = discord.Forbidden(response, {"code": code, "message": "refused"})
    refused: list[str] = []

    def refuse(action: str, message: FakeMessage) -> Exception | None:
        if action != "post" or "You are next" not in message.content:
            return None
        refused.append(message.content)
        return refusal

    waiting_table.chat.fault_of_call = refuse
    while not refused:
        await waiting_table.play_turn()
        await waiting_table.send_due()
    waiting_table.clock.now += HOUR
    left_kinds = [
        each.kind.value for each in await waiting_table.tables.store.waiting_deliveries(waiting_table.number)
    ]
    assert "early notice" not in left_kinds
    assert not any("direct messages" in each.content for each in waiting_table.chat.public_messages())
