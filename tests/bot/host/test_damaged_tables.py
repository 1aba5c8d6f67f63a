"""A table that cannot be read is refused, and its players can play on elsewhere (P14)."""

import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, NoReturn

import msgspec
import pytest

from bot.chat.components import CustomId
from bot.chat.lookup import resolve_button_table, resolve_channel_table, resolve_table
from bot.chat.own_tables import my_games_post
from bot.chat.settings_pages import change_settings
from bot.host.absences import start_absence
from bot.host.deciders import moderation
from bot.host.erasing import erase_person
from bot.host.loading import NoSuchTable, UnreadableTable
from bot.host.replay_queue import REPLAYED_FINGERPRINT_KEY
from bot.host.request import Refusal
from bot.host.rule_sources import rules_fingerprint
from bot.host.table import Games
from bot.host.tables import Tables
from bot.store.clock_rows import DAY
from bot.store.plain_values import UNREADABLE
from bot.store.preferences import PersonRow, ServerAuditEntry, ServerRow
from bot.store.protocol import GENERATION_KEY, StoreError, UndecodableTable
from bot.store.rows import Status, StoredTable
from bot.store.sqlite import SqliteStore
from rules.catalogue import EARLIER_RULES
from rules.match import Match
from rules.snapshot import snapshot_decoder
from tests.bot.host.erased_person import check_progress
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    GUILD,
    KEY_OF_GAME_WITH_SECRETS,
    RNG,
    ManualClock,
    begin,
    default_setup,
    make_move,
    open_lobby,
    request_of_person,
)
from tests.bot.host.scripted_courier import ManualOutbox, ScriptedCourier
from tests.bot.host.timed_tables import DAY_A_TURN, begin_timed_table, new_housekeeping, timer_of
from tests.bot.store.sample_rows import execute_sql

SETUP = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2)

DAMAGES = [
    "update matches set question = x'ff00' where number = ?",
    "update matches set status = 'sleeping' where number = ?",
    "update matches set options = cast(x'ff41' as text) where number = ?",
    "update seats set direct_messages = 'ajar' where match = ?",
    "update seats set name = cast(x'ff41' as text) where match = ?",
]
"""Each leaves the file itself whole."""


async def _begin_and_damage(store: SqliteStore, damage: str) -> tuple[Tables, int, int]:
    """Return tables with nothing in memory, a damaged one of them, and a later one of the same people."""
    earlier_tables = Tables(store, GAMES_AND_TOYS)
    damaged_number, sound_number = await begin(earlier_tables, SETUP), await begin(earlier_tables, SETUP)
    await execute_sql(store, damage, damaged_number)
    return Tables(store, GAMES_AND_TOYS), damaged_number, sound_number


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_table_is_refused(store: SqliteStore, damage: str) -> None:
    """A request for it is refused as unreadable, not as a failure of the store."""
    tables, damaged_number, sound_number = await _begin_and_damage(store, damage)
    with pytest.raises(UnreadableTable, match="cannot open"):
        await tables.get(damaged_number)
    with pytest.raises(UndecodableTable):
        await store.load(damaged_number)
    assert (await tables.get(sound_number)).status is Status.PLAYING


@pytest.mark.parametrize("damage", DAMAGES)
async def test_replaying_all_games_completes(store: SqliteStore, damage: str) -> None:
    """All games are replayed at one start, whatever one of them is like, and not again at the next."""
    tables, *_ = await _begin_and_damage(store, damage)
    await tables.replay_all()
    assert await store.get_metadata(REPLAYED_FINGERPRINT_KEY) == rules_fingerprint(
        {**EARLIER_RULES, **GAMES_AND_TOYS}
    )


@pytest.mark.parametrize("damage", DAMAGES)
async def test_players_of_a_damaged_table_find_their_other_tables(store: SqliteStore, damage: str) -> None:
    """/mygames lists the others and this one too, which in direct messages is refused by itself."""
    tables, damaged_number, sound_number = await _begin_and_damage(store, damage)
    text = (await my_games_post(tables, request_of_person(0))).text
    assert f"No. {sound_number}]" in text
    if "status" not in damage:  # else it is none of the live ones
        assert f"No. {damaged_number}]" in text
    private_request = msgspec.structs.replace(request_of_person(0), guild=None)
    assert (await resolve_table(tables, private_request, sound_number)).number == sound_number
    await execute_sql(store, "update matches set status = 'over' where number = ?", sound_number)
    with pytest.raises(Refusal, match="no game going on" if "status" in damage else "cannot open"):
        await resolve_table(Tables(store, GAMES_AND_TOYS), private_request)


async def test_an_unknown_status_is_reported_in_its_channel(store: SqliteStore) -> None:
    """In its channel people read that it cannot be opened, and the tables can be counted."""
    tables, damaged_number, sound_number = await _begin_and_damage(store, DAMAGES[1])
    await execute_sql(
        store, "update matches set game_channel = 1, lobby_channel = 1 where number = ?", sound_number
    )
    with pytest.raises(UnreadableTable, match=f"No. {damaged_number}"):
        await resolve_channel_table(tables, request_of_person(0))
    assert await store.count_by_status() == {Status.FROZEN: 1, Status.PLAYING: 1}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_deliveries_of_other_tables_are_retried(store: SqliteStore, damage: str) -> None:
    """When a server is back, what its later tables had put off is tried at once."""
    tables, damaged_number, sound_number = await _begin_and_damage(store, damage)
    for number in (damaged_number, sound_number):
        for delivery in await store.waiting_deliveries(number):
            await store.postpone(delivery, 1e12)
    await ManualOutbox(tables, ScriptedCourier()).retry_in_server(GUILD)
    assert {delivery.due for delivery in await store.waiting_deliveries(sound_number)} == {0.0}


def _make_load_fail(store: SqliteStore, failing_number: int) -> None:
    """Make the store fail at one table, as it does where a page of the file is damaged."""
    load = store.load

    async def load_or_fail(number: int) -> StoredTable | None:
        if number == failing_number:
            raise StoreError("a page is damaged")
        return await load(number)

    store.load = load_or_fail  # type: ignore[method-assign]


async def test_a_table_that_the_store_fails_to_load_holds_up_no_other(store: SqliteStore) -> None:
    """It is a failure of the store, and holds up no deliveries of other tables."""
    earlier_tables = Tables(store, GAMES_AND_TOYS)
    failing_number, sound_number = await begin(earlier_tables, SETUP), await begin(earlier_tables, SETUP)
    for delivery in await store.waiting_deliveries(sound_number):
        await store.postpone(delivery, 1e12)
    _make_load_fail(store, failing_number)
    tables = Tables(store, GAMES_AND_TOYS)
    with pytest.raises(StoreError):
        await tables.get(failing_number)
    await ManualOutbox(tables, ScriptedCourier()).retry_in_server(GUILD)
    assert {delivery.due for delivery in await store.waiting_deliveries(sound_number)} == {0.0}


DAMAGES_BESIDE_A_TABLE: Final = [
    "update audit_log set entry = cast(x'ff41' as text) where match = ?",
    "update outbox set text = cast(x'ff41' as text) where match = ?",
    "update inbox set answer = cast(x'ff41' as text) where match = ?",
    "insert into posted_messages values (?, 'board', null, null, 1, 1, 0, 0, null, x'ff00', null, 0)",
]
"""What is damaged beside the rows of a table and its seats."""


async def _open_two_tables(store: SqliteStore) -> tuple[Tables, int, int]:
    """Return tables, and two of them with the same people, at each of which the host has done something."""
    tables = Tables(store, GAMES_AND_TOYS)
    first_number, second_number = await begin(tables, SETUP), await begin(tables, SETUP)
    for number in (first_number, second_number):
        request = request_of_person(0)
        await tables.change(number, request, partial(moderation.pause, request=request))
    return tables, first_number, second_number


@pytest.mark.parametrize("damage", [*DAMAGES_BESIDE_A_TABLE, *DAMAGES])
async def test_a_damaged_text_prevents_no_erasure(store: SqliteStore, damage: str) -> None:
    """/forget erases a person from all tables that can be read, and their settings."""
    tables, damaged_number, sound_number = await _open_two_tables(store)
    await tables.person_preferences.change(
        request_of_person(0).user, lambda row: msgspec.structs.replace(row, text_only=True)
    )
    await execute_sql(store, damage, damaged_number)
    failed_count = await erase_person(Tables(store, GAMES_AND_TOYS), request_of_person(0), check_progress)
    assert failed_count == (damage in DAMAGES)
    user = request_of_person(0).user
    assert (await Tables(store, GAMES_AND_TOYS).get(sound_number)).seat_of(user) is None
    assert not await store.preferences(PersonRow, (user,))
    assert len(await execute_sql(store, "select 1 from seats where user = ?", user)) == failed_count


async def test_a_table_that_cannot_be_stored_prevents_no_erasure_elsewhere(store: SqliteStore) -> None:
    """/forget goes on with the later tables where one of them cannot be loaded or stored."""
    _, failing_number, sound_number = await _open_two_tables(store)
    _make_load_fail(store, failing_number)
    assert await erase_person(Tables(store, GAMES_AND_TOYS), request_of_person(0), check_progress) == 1
    assert (await Tables(store, GAMES_AND_TOYS).get(sound_number)).seat_of(request_of_person(0).user) is None


@pytest.mark.parametrize(
    "damage",
    [
        *DAMAGES_BESIDE_A_TABLE,
        *DAMAGES,
        "update matches set lobby = x'64' where number = ?",  # the user's id, and no more
        "update matches set holders = x'64' where number = ?",
        "update people set preferences = x'ff00' where ? > 0",
        "update server_audit_log set entry = cast(x'ff41' as text) where ? > 0",
    ],
)
async def test_personal_data_has_all_that_is_not_damaged(store: SqliteStore, damage: str) -> None:
    """/mydata is complete but for what is damaged, of which it says so."""
    tables, damaged_number, sound_number = await _open_two_tables(store)
    user = request_of_person(0).user
    await tables.person_preferences.change(user, lambda row: msgspec.structs.replace(row, text_only=True))
    await store.save_preferences(ServerRow(GUILD, away_days=3), ServerAuditEntry(user, "Days: 3.", 1))
    data_before = await store.personal_data(user)
    await execute_sql(store, damage, damaged_number)
    data = await store.personal_data(user)
    json.dumps(data)
    assert [each["number"] for each in data["tables"]] == [damaged_number, sound_number]
    assert data["tables"][1] == data_before["tables"][1]
    assert data["interventions"][1] == data_before["interventions"][1]
    assert data["moves"] == data_before["moves"]
    assert len(data["server_setting_changes"]) == 1
    assert data["preferences"] == (UNREADABLE if "people" in damage else data_before["preferences"])
    assert [each["lobby"] for each in data["lobbies"] if "lobby" in each] == [UNREADABLE] * (
        "lobby" in damage
    )
    assert {each["names"] for each in data["earlier_seats"]} == (
        {UNREADABLE} if "holders" in damage else set()
    )


async def test_clocks_go_on_beside_a_table_that_fails_to_load(store: SqliteStore, clock: ManualClock) -> None:
    """What is due at later tables is done; downtime, settings and absences reach them."""
    earlier_tables = Tables(store, GAMES_AND_TOYS, clock)
    failing_number, sound_number = [await begin_timed_table(earlier_tables, DAY_A_TURN) for _ in range(2)]
    seat, failing_seat = [
        timer_of(await earlier_tables.get(number)).seat for number in (sound_number, failing_number)
    ]
    assert await new_housekeeping(earlier_tables).do_due_work()
    _make_load_fail(store, failing_number)
    clock.now += 3 * DAY
    tables = Tables(store, GAMES_AND_TOYS, clock)
    housekeeping = new_housekeeping(tables)
    deadline = timer_of(await tables.get(sound_number)).deadline
    assert await housekeeping.do_due_work()
    assert timer_of(await tables.get(sound_number)).deadline == (deadline or 0) + 3 * DAY
    until = int(clock()) + 2 * DAY
    await change_settings(
        tables,
        request_of_person(failing_seat).user,
        lambda row: msgspec.structs.replace(row, wants_reminders=False),
    )
    await start_absence(tables, request_of_person(seat), until)
    assert (await tables.get(sound_number)).seats[seat].away_until == until
    for _ in range(5):
        clock.now += DAY
        tables.outages.bot_last_seen = int(clock())
        await housekeeping.do_due_work_at_tables()
    assert (await tables.get(sound_number)).seats[seat].substitute is not None


@pytest.mark.parametrize("key", ["last seen", "missing servers"])
@pytest.mark.parametrize("value", ["'?'", "cast(x'ff' as text)"])
async def test_a_damaged_mark_of_downtime_stops_no_clock(
    store: SqliteStore, clock: ManualClock, key: str, value: str
) -> None:
    """Housekeeping goes on where it cannot read when the bot was there, and knows it from then on."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    assert await new_housekeeping(tables).do_due_work()
    await execute_sql(store, f"insert or replace into settings values (?, {value})", key)
    assert await new_housekeeping(Tables(store, GAMES_AND_TOYS, clock)).do_due_work()
    assert await store.get_metadata("last seen") == str(int(clock()))


@pytest.mark.parametrize("damaged_value", ["'s'", "cast(x'ff' as text)"])
async def test_a_damaged_count_of_restorations_closes_nothing(store: SqliteStore, damaged_value: str) -> None:
    """Tables can be opened, and a button of a table that does not exist is refused."""
    await execute_sql(
        store, f"insert into settings (key, value) values ('{GENERATION_KEY}', {damaged_value})"
    )
    tables = Tables(store, GAMES_AND_TOYS)
    number = await open_lobby(tables, SETUP.game)
    with pytest.raises(NoSuchTable):
        await resolve_button_table(tables, CustomId(number + 1, 0, "play"), request_of_person(0))


async def test_damaged_preferences_stop_no_game(store: SqliteStore, caplog: pytest.LogCaptureFixture) -> None:
    """Everybody can move at the tables of a person whose settings cannot be read; this is logged once."""
    earlier_tables = Tables(store, GAMES_AND_TOYS)
    number, user = await begin(earlier_tables, SETUP), request_of_person(0).user
    await execute_sql(store, "insert into people values (?, x'ff00')", user)
    tables = Tables(store, GAMES_AND_TOYS)
    for _ in range(4):
        await make_move(tables, number, RNG)
    assert [each.message for each in caplog.records] == ["preferences not readable"]
    person = await tables.person_preferences.get(user)
    assert person == PersonRow(user, is_unlisted=True), "nobody is listed who may have chosen not to be"
    await tables.person_preferences.change(user, lambda row: msgspec.structs.replace(row, text_only=True))
    assert (await Tables(store, GAMES_AND_TOYS).person_preferences.get(user)).text_only


async def test_damaged_settings_of_a_server_open_nothing(store: SqliteStore) -> None:
    """Where nobody knows who may open tables nobody opens one, and another server is as before."""
    await execute_sql(store, "insert into servers values (?, x'ff00')", GUILD)
    tables = Tables(store, GAMES_AND_TOYS)
    with pytest.raises(StoreError):
        await begin(tables, SETUP)
    assert (await tables.server_preferences.get(GUILD + 1)).guild == GUILD + 1


async def _freeze_and_return_notice(store: SqliteStore, games: Games) -> str:
    """Begin a game that then freezes under ``games``; return the notice that says why."""
    number = await begin(Tables(store, GAMES_AND_TOYS), SETUP)
    for _ in range(4):
        await make_move(Tables(store, GAMES_AND_TOYS), number, RNG)
    tables = Tables(store, games)
    await tables.replay_all()
    assert (await tables.get(number)).status is Status.FROZEN
    return next(each.text for each in await store.waiting_deliveries(number) if "is frozen" in each.text)


async def test_a_table_that_freezes_says_why(store: SqliteStore) -> None:
    """Only where the rules of its start are gone does the notice say so."""

    def fail(*_: object) -> NoReturn:
        raise ZeroDivisionError

    game = GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS]
    wordless_game = replace(game, words=replace(game.words, narrate=fail))
    newer_game = replace(game, rules_version=game.rules_version + 1)
    for changed_game, reason in (
        (replace(game, legal_actions=lambda _: ()), "I cannot replay its moves"),
        (wordless_game, "something went wrong"),
        (newer_game, "rules that I no longer have"),
    ):
        assert reason in await _freeze_and_return_notice(store, {game.key: changed_game})


def _with_one_byte_changed(match: Match) -> bytes:
    """Return the match's snapshot with a byte changed such that it decodes to another state."""
    snapshot = match.snapshot()
    decoder = snapshot_decoder(match.game)
    for i in reversed(range(4, len(snapshot))):
        damaged = snapshot[:i] + bytes([snapshot[i] ^ 1]) + snapshot[i + 1 :]
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
            if decoder.decode(damaged[4:])[0] != match.state:
                return damaged
    raise AssertionError("every change was noticed by the decoder")


@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda match: match.snapshot()[:-1], _with_one_byte_changed]
)
async def test_a_damaged_snapshot_costs_nothing(store: SqliteStore, damage: Callable[[Match], bytes]) -> None:
    """Where only the snapshot is damaged, though it may decode, the records are played again."""
    number = await begin(Tables(store, GAMES_AND_TOYS), SETUP)
    table_before = await Tables(store, GAMES_AND_TOYS).get(number)
    assert table_before.match is not None
    damaged_snapshot = damage(table_before.match)
    await store._connection.run_raw(
        lambda connection: connection.execute(
            "update matches set snapshot = ? where number = ?", (damaged_snapshot, number)
        )
    )
    table_after = await Tables(store, GAMES_AND_TOYS).get(number)
    assert table_after.match is not None
    assert (table_after.status, table_after.match.state) == (Status.PLAYING, table_before.match.state)
