"""An erased person leaves nothing in the store but a keyed hash; the games go on and replay."""

import random
import sqlite3
from functools import partial

import msgspec
import pytest

from bot.host.deciders import admission, lobby, moderation, play, seats
from bot.host.erasing import erase_person
from bot.host.names import escape_markup
from bot.host.request import Request
from bot.host.tables import Tables
from bot.store.results import FORMER_PLAYER
from bot.store.rows import Status
from bot.store.seat_rows import Person
from bot.store.sqlite import SqliteStore
from rules.game import Seat
from rules.options import write_options
from tests.bot.host.playing import (
    EVERY_GAME,
    GAME_WITH_SECRETS,
    GUILD,
    assert_records_whole,
    choose_action,
    default_setup,
    make_move,
    request_of,
)
from tests.bot.store.sample_rows import dump, query

USER = 987_654_321_098_765_432
NAME = "Zanzibar_the_Great"


async def report(_done: int, _known: int) -> None:
    """Show no progress."""


def request_by_person(*, admin: bool = False) -> Request:
    """Return a request of the person who will be erased."""
    return msgspec.structs.replace(request_of(0), user=USER, name=NAME, guild=GUILD, admin=admin)


def request_at(seat: int) -> Request:
    """Return a request of who sits at a seat: the person at the second one."""
    return request_by_person() if seat == 1 else request_of(seat)


async def open_lobby(tables: Tables) -> int:
    """Open a table at which the person sits at the second seat."""
    setup = default_setup(EVERY_GAME[GAME_WITH_SECRETS], 4)
    text, host = write_options(setup.options), request_of(0)
    opened = await tables.open(
        lambda number, seed, now: lobby.open_table(number, setup.game, text, host, seed, now), host
    )
    for seat in (1, 2, 3):
        await tables.change(
            opened.table.number, request_at(seat), partial(lobby.join, request=request_at(seat))
        )
    return opened.table.number


async def begin_game(tables: Tables, moves: int = 8) -> int:
    """Begin a game with the person, and play some moves of everybody."""
    number = await open_lobby(tables)
    await tables.change(
        number, request_of(0), partial(lobby.start, request=request_of(0), is_channel_busy=False)
    )
    rng = random.Random(3)
    for _ in range(moves):
        seat, action = choose_action(await tables.get(number), rng)
        request = request_at(seat)
        await tables.change(number, request, partial(play.play, request=request, actions=(action,)))
    return number


async def require_erased(store: SqliteStore) -> None:
    """Nothing in the store names the person."""
    text = "\n".join(await dump(store))
    assert NAME not in text
    assert escape_markup(NAME) not in text
    assert str(USER) not in text
    assert msgspec.msgpack.encode(USER).hex().upper() not in text.upper()
    assert NAME.encode().hex().upper() not in text.upper()


async def erase(tables: Tables) -> int:
    """Erase the person, as /forget does."""
    return await erase_person(tables, request_by_person(), report)


async def test_a_live_game_goes_on_without_an_erased_player(tables: Tables, store: SqliteStore) -> None:
    """A computer player has the seat, the log names a former player, and every record replays."""
    number = await begin_game(tables)
    assert NAME in "\n".join(await dump(store)), "else nothing is erased"
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


@pytest.mark.parametrize("rest", ["paused", "frozen"])
async def test_a_resting_game_erases_too(tables: Tables, store: SqliteStore, rest: str) -> None:
    """Also what a game that rests keeps of the turn that it waits for names nobody."""
    number, rng = await begin_game(tables, moves=0), random.Random(4)
    while (await tables.get(number)).to_act != 1:
        await make_move(tables, number, rng)
    if rest == "paused":
        await tables.change(number, request_of(0), partial(moderation.pause, request=request_of(0)))
    else:
        await tables.change(number, None, partial(moderation.freeze, reason="Testing."))
    assert await erase(tables) == 0
    await require_erased(store)


async def test_an_ended_game_keeps_a_former_player(tables: Tables, store: SqliteStore) -> None:
    """The seat of an ended game shows a former player, and the table still tells its story."""
    number = await begin_game(tables)
    end = partial(moderation.end, request=request_of(0))
    await tables.change(number, request_of(0), end)
    assert await erase(tables) == 0
    await require_erased(store)
    table = await tables.get(number)
    assert table.status is Status.ENDED
    assert table.plain_names[1] == FORMER_PLAYER
    assert table.seats[1].user is None


async def test_an_erased_person_gets_no_second_seat(tables: Tables) -> None:
    """Who comes back may have the old seat alone, as if they had never gone (P19)."""
    number = await begin_game(tables)
    await erase(tables)
    table = await tables.get(number)
    assert table.may_hold(USER, 1)
    assert not table.may_hold(USER, 2)
    assert table.may_hold(USER + 1, 2)


async def test_a_lobby_loses_an_erased_player(tables: Tables, store: SqliteStore) -> None:
    """In a lobby the seat becomes free."""
    number = await open_lobby(tables)
    await erase(tables)
    await require_erased(store)
    assert len((await tables.get(number)).seats) == 3


async def test_an_admin_without_a_seat_is_erased(tables: Tables, store: SqliteStore) -> None:
    """What an admin did stays in the log of changes, without the name."""
    number = await begin_game(tables)
    admin = msgspec.structs.replace(request_by_person(admin=True), user=USER + 5, name="Admiral_Nine")
    await tables.change(number, admin, partial(moderation.pause, request=admin))
    await erase_person(tables, admin, report)
    entries = [entry for (entry,) in await query(store, "select entry from audit_log order by id")]
    assert entries[0] == f"{FORMER_PLAYER} (admin, no seat) paused the game."
    left = "\n".join(await dump(store))
    assert str(USER + 5) not in left
    assert "Admiral" not in left


async def test_who_never_sat_is_erased(tables: Tables, store: SqliteStore) -> None:
    """An invitation, a request for a seat and a removal leave nothing either."""
    for act in ("invited", "asks", "removed"):
        number, person = await open_lobby(tables), request_by_person()
        for decide in (
            partial(lobby.leave, request=person),
            partial(admission.set_by_invitation, request=request_of(0), by_invitation=act == "asks"),
        ):
            await tables.change(number, None, decide)
        if act == "invited":
            invited = Person(USER, NAME)
            await tables.change(
                number, None, partial(admission.invite, request=request_of(0), person=invited)
            )
            continue
        await tables.change(number, None, partial(lobby.join, request=person))
        if act == "removed":
            remove = partial(admission.remove_player, request=request_of(0), user=USER)
            await tables.change(number, None, remove)
    data = await tables.store.stored_data(USER)
    facts = [(each["invited"], each["asks_to_join"], each["removed"]) for each in data["lobbies"]]
    assert facts == [(True, False, False), (False, True, False), (False, False, True)]
    assert str(USER) in "\n".join(await dump(store)), "else nothing is erased"
    assert await erase(tables) == 0
    await require_erased(store)


async def test_erasing_twice_changes_nothing(tables: Tables) -> None:
    """No table knows an erased person any more."""
    await begin_game(tables)
    await tables.people.change(USER, lambda row: msgspec.structs.replace(row, time_zone="Asia/Tokyo"))
    await erase(tables)
    assert await tables.store.tables_naming(USER, 0, 10) == ()
    assert (await tables.people.get(USER)).time_zone is None


async def test_records_cannot_be_changed_otherwise(tables: Tables, store: SqliteStore) -> None:
    """Erasing who acted is the only change of a record that the database takes."""
    number = await begin_game(tables)
    for change in ("user = 5", "action = 'x'", "user = null, action = 'x'", "at = 0"):
        with pytest.raises(sqlite3.IntegrityError, match="records only grow"):
            await query(store, f"update records set {change} where match = {number}")


async def test_my_data_names_every_seat_and_move(tables: Tables) -> None:
    """The export holds the person's seats, moves, interventions and preferences, nobody else's."""
    number = await begin_game(tables)
    await tables.people.change(USER, lambda row: msgspec.structs.replace(row, time_zone="Asia/Tokyo"))
    data = await tables.store.stored_data(USER)
    stored = await tables.store.load(number)
    assert stored is not None
    assert data["preferences"]["time_zone"] == "Asia/Tokyo"
    assert [(each["number"], each["seat"], each["name"]) for each in data["tables"]] == [(number, 1, NAME)]
    assert [each["ply"] for each in data["moves"]] == [
        record.ply for record in stored.records if record.user == USER
    ]
    assert data["moves"]


async def test_my_data_names_moves_of_a_seat_that_was_left(tables: Tables) -> None:
    """Who has given the seat away still gets the moves that they made at it."""
    number, request = await begin_game(tables), request_by_person()
    moves = (await tables.store.stored_data(USER))["moves"]
    decide = partial(seats.offer_seat, request=request, seat=Seat(1), newcomer=None, computer="random")
    assert (await tables.change(number, request, decide)).table.seats[1].user is None
    data = await tables.store.stored_data(USER)
    assert data["tables"] == []
    assert data["moves"] == moves != []
