"""An erased person leaves nothing in the store but a keyed hash, and games go on; what /mydata gives."""

import dataclasses
import random
import sqlite3
from functools import partial
from typing import cast
from unittest.mock import AsyncMock

import msgspec
import pytest

from bot.chat import data_commands
from bot.chat.component_press import ComponentPress
from bot.chat.components import CustomId
from bot.chat.post_parts import Post
from bot.chat.response import NotDelivered, Response
from bot.host import erasing
from bot.host.deciders import departures, lobby, moderation, own_undo, seats
from bot.host.deciders.decision import Decision
from bot.host.erasing import SettingsNotErased, erase_person
from bot.host.housekeeping import Housekeeping
from bot.host.names import escape_markup
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import TimeControl
from bot.store.protocol import StoreError
from bot.store.results import FORMER_PLAYER
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore
from rules.model import Seat
from tests.bot.host.erased_person import (
    ERASED_NAME,
    ERASED_USER,
    check_progress,
    erase,
    open_table_with_person,
    request_of_erased_person,
    require_erased,
    start_game_with_person,
)
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    RNG,
    ManualClock,
    assert_records_whole,
    make_move,
    request_of_person,
)
from tests.bot.host.timed_tables import begin_timed_table, change_as, change_row
from tests.bot.store.sample_rows import dump, execute_sql


async def test_a_live_game_goes_on_without_an_erased_player(tables: Tables, store: SqliteStore) -> None:
    """A computer player has the seat, the log names a former player, and every record replays."""
    number = await start_game_with_person(tables)
    assert ERASED_NAME in "\n".join(await dump(store)), "else nothing is erased"
    assert await erase(tables) == 0
    await require_erased(store)
    table = await tables.get(number)
    assert table.status is Status.PLAYING
    assert table.seats[1].computer is not None
    assert table.seats[1].earlier_players[0].name == FORMER_PLAYER
    stored = await store.load(number)
    assert stored is not None
    assert_records_whole(stored)
    assert any(FORMER_PLAYER in line.text for line in table.log_lines(0))


async def test_an_unplayable_game_keeps_the_moves_of_an_erased_player_apart(
    tables: Tables, clock: ManualClock
) -> None:
    """Once its rules are back, the moves of a former player are not those of the computer player."""
    number, rng = await start_game_with_person(tables), random.Random(5)
    seat = (await tables.get(number)).to_act
    assert seat is not None
    await make_move(tables, number, rng)
    undo = partial(own_undo.undo, request=request_of_person(seat), is_confirmed=True)
    await tables.change(number, request_of_person(seat), undo)
    table_before = await tables.get(number)
    assert table_before.match is not None
    assert table_before.row.ply > (history_length := len(table_before.match.history))
    game = GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS]
    newer_game = dataclasses.replace(game, rules_version=game.rules_version + 1)
    tables_without_rules = Tables(tables.store, {game.key: newer_game}, clock)
    assert (await tables_without_rules.get(number)).is_unplayable
    assert await erase(tables_without_rules) == 0
    table = await Tables(tables.store, GAMES_AND_TOYS, clock).get(number)
    assert not table.is_unplayable
    assert table.names_at(0)[1] == FORMER_PLAYER != table.names[1]
    assert table.names_at(history_length)[1] == table.names[1], "what follows is the computer player's"


async def test_a_seat_that_has_resigned_is_not_played_on(tables: Tables) -> None:
    """No notice says that a computer player takes over what nobody plays any more."""
    number = await begin_timed_table(tables, None, seat_count=3, game_key="oceans")
    resign = partial(departures.resign, request=request_of_person(1), computer="random")
    await tables.change(number, request_of_person(1), resign)
    assert await erase_person(tables, request_of_person(1), check_progress) == 0
    table = await tables.get(number)
    assert table.status is Status.PLAYING
    assert table.match is not None
    assert table.match.resigned_seats == {1}
    texts = [each.text for each in await tables.store.waiting_deliveries(number)]
    assert any(f"Seat B, which has resigned, is {table.names[1]}'s now" in text for text in texts)
    assert not any("takes seat B" in text for text in texts)


@pytest.mark.parametrize("has_resigned", [True, False])
async def test_the_next_host_is_somebody_who_plays(
    tables: Tables, clock: ManualClock, *, has_resigned: bool
) -> None:
    """A pause of the former host can be ended by a person who is there, and not only by one who is not."""
    number = await begin_timed_table(
        tables, TimeControl(turn_seconds=3600, grace_seconds=0), seat_count=3, game_key="oceans"
    )
    await change_row(tables, number, host=FIRST_USER + 1)
    while (await tables.get(number)).to_act != 0:
        await make_move(tables, number, RNG)
    if has_resigned:
        await change_as(tables, number, 0, departures.resign, computer="random")
    else:
        clock.now += 3601
        await Housekeeping(tables).do_due_work_at_tables()
    await change_as(tables, number, 1, moderation.pause)
    await erase_person(tables, request_of_person(1), check_progress)
    assert (await tables.get(number)).row.host == FIRST_USER + 2
    assert (await change_as(tables, number, 2, moderation.resume)).status is Status.PLAYING


def _make_leaving_fail(patches: pytest.MonkeyPatch, failing_number: int) -> None:
    """Make nobody able to leave the lobby with the number ``failing_number``."""
    leave = lobby.leave

    def fail(table: Table, request: Request, *, is_channel_busy: bool) -> Decision:
        if table.number == failing_number:
            raise ZeroDivisionError
        return leave(table, request, is_channel_busy=is_channel_busy)

    patches.setattr(lobby, "leave", fail)


async def test_a_game_that_fails_holds_up_no_other_table(
    tables: Tables, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leaving a lobby may start its game, whose deal may fail."""
    failing_number, other_number = await open_table_with_person(tables), await open_table_with_person(tables)
    with monkeypatch.context() as patches:
        _make_leaving_fail(patches, failing_number)
        assert await erase(tables) == 1
    assert (await tables.get(other_number)).seat_of(ERASED_USER) is None
    assert await erase(tables) == 0
    await require_erased(store)


class _UnseenProgressResponse:
    """A response whose progress Discord refuses; it keeps the other texts that it is asked to show."""

    def __init__(self) -> None:
        self.shown_texts: list[str] = []

    async def defer(self) -> None:
        """Defer the response, which nobody looks at."""

    async def show(self, post: Post) -> None:
        """Keep the text; refuse the progress, as Discord does where a request is lost."""
        if post.text.startswith("Erasing:"):
            raise NotDelivered
        self.shown_texts.append(post.text)


async def test_an_erasure_goes_on_where_its_progress_is_not_shown(
    tables: Tables, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables that follow are changed too, and the settings deleted; the last text counts what failed."""
    monkeypatch.setattr(data_commands, "_PROGRESS_STEP", 1)
    failing_number, _ = await open_table_with_person(tables), await open_table_with_person(tables)
    await tables.person_preferences.change(
        ERASED_USER, lambda row: msgspec.structs.replace(row, time_zone="Asia/Tokyo")
    )
    response = _UnseenProgressResponse()
    press = ComponentPress(
        tables, cast("Response", response), CustomId(0, 0, "forget"), request_of_erased_person()
    )
    with monkeypatch.context() as patches:
        _make_leaving_fail(patches, failing_number)
        await data_commands._erase_pressing_user(press)
    await data_commands._erase_pressing_user(press)
    await require_erased(store)
    assert response.shown_texts[0].startswith(
        "You are erased from one table. One table could not be changed now."
    )
    assert response.shown_texts[1].startswith("What was stored about you is erased.")
    assert (
        "once they are 14 days old and newer ones are there" in response.shown_texts[1]
    )  # the newest 8 stay


async def test_settings_that_could_not_be_erased_are_named(
    tables: Tables, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they cannot be deleted, the text says of the tables what is true."""
    number = await open_table_with_person(tables)
    with monkeypatch.context() as patches:
        patches.setattr(store, "delete_preferences", AsyncMock(side_effect=StoreError))
        with monkeypatch.context() as table_patches:
            table_patches.setattr(store, "commit", AsyncMock(side_effect=StoreError))
            with pytest.raises(SettingsNotErased, match="now, and one table could not be changed"):
                await erase(tables)
        with pytest.raises(SettingsNotErased, match="now, but your tables were changed"):
            await erase(tables)
        assert (await tables.get(number)).seat_of(ERASED_USER) is None
        with pytest.raises(SettingsNotErased, match=r"erased now\. Use"):
            await erase(tables)
    assert await erase(tables) == 0


@pytest.mark.parametrize("state", ["paused", "frozen"])
async def test_a_resting_game_names_no_erased_person(tables: Tables, store: SqliteStore, state: str) -> None:
    """What a resting game keeps of the turn that it waits for names nobody either."""
    number, rng = await start_game_with_person(tables, move_count=0), random.Random(4)
    while (await tables.get(number)).to_act != 1:
        await make_move(tables, number, rng)
    if state == "paused":
        await tables.change(
            number, request_of_person(0), partial(moderation.pause, request=request_of_person(0))
        )
    else:
        await tables.change(number, None, partial(moderation.freeze, reason="Testing."))
    assert await erase(tables) == 0
    await require_erased(store)


async def test_an_ended_game_keeps_a_former_player(tables: Tables, store: SqliteStore) -> None:
    """The seat of an ended game shows a former player, and the table still tells its story."""
    number = await start_game_with_person(tables)
    end = partial(moderation.end, request=request_of_person(0))
    await tables.change(number, request_of_person(0), end)
    assert await erase(tables) == 0
    await require_erased(store)
    table = await tables.get(number)
    assert table.status is Status.ENDED_EARLY
    assert table.plain_names[1] == FORMER_PLAYER
    assert table.seats[1].user is None
    assert any(FORMER_PLAYER in line.text for line in table.log_lines(0))


async def test_an_erased_person_gets_no_second_seat(tables: Tables) -> None:
    """An erased person who comes back may have only the old seat, as if they had never gone (P19)."""
    number = await start_game_with_person(tables)
    await erase(tables)
    table = await tables.get(number)
    assert table.may_hold(ERASED_USER, 1)
    assert not table.may_hold(ERASED_USER, 2)
    assert table.may_hold(ERASED_USER + 1, 2)


async def test_a_lobby_loses_an_erased_player(tables: Tables, store: SqliteStore) -> None:
    """In a lobby the seat becomes free."""
    number = await open_table_with_person(tables)
    await erase(tables)
    await require_erased(store)
    assert len((await tables.get(number)).seats) == 3


async def test_an_admin_without_a_seat_is_erased(tables: Tables, store: SqliteStore) -> None:
    """What an admin did stays in the log of changes, without the name."""
    number = await start_game_with_person(tables)
    admin_request = msgspec.structs.replace(
        request_of_erased_person(is_admin=True), user=ERASED_USER + 5, name="Admiral_Nine"
    )
    await tables.change(number, admin_request, partial(moderation.pause, request=admin_request))
    await erase_person(tables, admin_request, check_progress)
    entries = [entry for (entry,) in await execute_sql(store, "select entry from audit_log order by id")]
    assert entries == [f"{FORMER_PLAYER} (admin, no seat) paused the game."]
    dump_text = "\n".join(await dump(store))
    assert str(ERASED_USER + 5) not in dump_text
    assert "Admiral" not in dump_text


async def test_a_person_is_erased_from_any_number_of_tables(
    tables: Tables, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only from those that one read of the store returns; the progress counts them all."""
    numbers = [await open_table_with_person(tables) for _ in range(3)]
    for i, number in enumerate(numbers):
        assert await store.numbers_of_tables_naming(ERASED_USER, number, 1) == tuple(numbers[i + 1 : i + 2])
    monkeypatch.setattr(erasing, "_BATCH_SIZE", 1)
    reported: list[tuple[int, int]] = []

    async def report(done_count: int, table_count: int) -> None:
        reported.append((done_count, table_count))

    assert await erase_person(tables, request_of_erased_person(), report) == 0
    await require_erased(store)
    assert reported == [(1, 3), (2, 3), (3, 3)]


async def test_erasing_twice_changes_nothing(tables: Tables, store: SqliteStore) -> None:
    """No table knows an erased person any more, so a second erasure leaves the store as it is."""
    await start_game_with_person(tables)
    await tables.person_preferences.change(
        ERASED_USER, lambda row: msgspec.structs.replace(row, time_zone="Asia/Tokyo")
    )
    await erase(tables)
    assert await tables.store.numbers_of_tables_naming(ERASED_USER, 0, 10) == ()
    assert (await tables.person_preferences.get(ERASED_USER)).time_zone is None
    dump_before = await dump(store)
    assert await erase(tables) == 0
    assert await dump(store) == dump_before


async def test_records_cannot_be_changed_otherwise(tables: Tables, store: SqliteStore) -> None:
    """Erasing who acted is the only change of a record that the database takes."""
    number = await start_game_with_person(tables)
    for change in ("user = 5", "action = 'x'", "user = null, action = 'x'", "at = 0"):
        with pytest.raises(sqlite3.IntegrityError, match="records only grow"):
            await execute_sql(store, f"update records set {change} where match = {number}")


async def test_my_data_names_every_seat_and_move(tables: Tables) -> None:
    """The export holds the person's seats, moves, interventions and preferences, nobody else's."""
    number = await start_game_with_person(tables)
    await tables.person_preferences.change(
        ERASED_USER, lambda row: msgspec.structs.replace(row, time_zone="Asia/Tokyo")
    )
    for request, decide in (
        (request_of_person(0), moderation.pause),
        (request_of_erased_person(is_admin=True), moderation.resume),
    ):
        await tables.change(number, request, partial(decide, request=request))
    data = await tables.store.personal_data(ERASED_USER)
    stored = await tables.store.load(number)
    assert stored is not None
    assert data["preferences"]["time_zone"] == "Asia/Tokyo"
    assert [(each["number"], each["seat"], each["name"]) for each in data["tables"]] == [
        (number, 1, ERASED_NAME)
    ]
    assert [each["ply"] for each in data["moves"]] == [
        record.ply for record in stored.records if record.user == ERASED_USER
    ]
    assert data["moves"]
    entries = [each["entry"] for each in data["interventions"]]
    assert entries == [f"{escape_markup(ERASED_NAME)} (admin) resumed the game."]


async def test_my_data_names_moves_of_a_seat_that_was_left(tables: Tables) -> None:
    """A person who has given the seat away still gets the moves that they made at it."""
    number, request = await start_game_with_person(tables), request_of_erased_person()
    moves_before = (await tables.store.personal_data(ERASED_USER))["moves"]
    decide = partial(seats.offer_seat, request=request, seat=Seat(1), newcomer=None, computer="random")
    assert (await tables.change(number, request, decide)).table.seats[1].user is None
    data = await tables.store.personal_data(ERASED_USER)
    assert data["tables"] == []
    assert data["moves"] == moves_before != []


async def test_my_data_names_seats_and_tables_that_somebody_had(tables: Tables) -> None:
    """A former player reads which seat it was; a host without a seat reads which tables are theirs."""
    number, request = await start_game_with_person(tables), request_of_erased_person()
    give_away = partial(seats.offer_seat, request=request, seat=Seat(1), newcomer=None, computer="random")
    await tables.change(number, request, give_away)
    data = await tables.store.personal_data(ERASED_USER)
    assert [(each["number"], each["seat"], each["names"]) for each in data["earlier_seats"]] == [
        (number, 1, [ERASED_NAME])
    ]
    assert data["tables_hosted_without_a_seat"] == []
    await change_row(tables, number, host=ERASED_USER)
    data = await tables.store.personal_data(ERASED_USER)
    assert [each["number"] for each in data["tables_hosted_without_a_seat"]] == [number]
    data_of_other = await tables.store.personal_data(request_of_person(0).user)
    assert [each["is_host"] for each in data_of_other["tables"]] == [False]
    assert data_of_other["earlier_seats"] == data_of_other["tables_hosted_without_a_seat"] == []
    seats_after_roll_back = tuple(
        msgspec.structs.replace(row, earlier_players=()) for row in (await tables.get(number)).seats
    )
    await change_row(tables, number, seats=seats_after_roll_back)
    data = await tables.store.personal_data(ERASED_USER)
    assert [(each["seat"], each["names"]) for each in data["earlier_seats"]] == [(1, [])], "still barred"
    assert await erase(tables) == 0
    data = await tables.store.personal_data(ERASED_USER)
    assert data["earlier_seats"] == data["tables_hosted_without_a_seat"] == []
