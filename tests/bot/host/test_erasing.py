"""An erased person leaves nothing in the store but a keyed hash; the games go on and replay."""

import dataclasses
import random
import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Final, NoReturn, cast
from unittest.mock import AsyncMock

import msgspec
import pytest

from bot.chat import data_commands
from bot.chat.response import NotDelivered, Response
from bot.host.deciders import (
    admission,
    lobby,
    moderation,
    play,
    questions,
    seats,
    time_controls,
    timeouts,
)
from bot.host.deciders.decision import Decision, offer_delivery
from bot.host.erasing import SettingsNotErased, erase_person
from bot.host.housekeeping import Housekeeping
from bot.host.names import escape_markup
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import TimeControl
from bot.store.delivery_rows import PostedMessage
from bot.store.protocol import StoreError
from bot.store.results import FORMER_PLAYER
from bot.store.rows import Status
from bot.store.seat_rows import Person
from bot.store.sqlite import SqliteStore
from rules.game import Seat
from rules.options import write_options
from tests.bot.host.playing import (
    CHANNEL,
    EVERY_GAME,
    FIRST_USER,
    GAME_WITH_SECRETS,
    GUILD,
    RNG,
    Clock,
    assert_records_whole,
    choose_action,
    default_setup,
    make_move,
    open_lobby,
    request_of,
)
from tests.bot.host.timed_tables import begin_timed_table, change_as, set_row, timer_of
from tests.bot.store.sample_rows import dump, query

USER = 987_654_321_098_765_432
NAME = "Zanzibar_the_Great"


async def report(_done: int, _known: int) -> None:
    """Show no progress."""


def request_by_person(*, admin: bool = False) -> Request:
    """Return a request of the person who will be erased."""
    return msgspec.structs.replace(request_of(0), user=USER, name=NAME, guild=GUILD, is_admin=admin)


def request_at(seat: int) -> Request:
    """Return a request of a seat's player: the person at the second one."""
    return request_by_person() if seat == 1 else request_of(seat)


async def open_joined(tables: Tables) -> int:
    """Open a table at which the person sits at the second seat."""
    setup = default_setup(EVERY_GAME[GAME_WITH_SECRETS], 4)
    number = await open_lobby(tables, setup.game, options=write_options(setup.options))
    for seat in (1, 2, 3):
        await tables.change(number, request_at(seat), partial(lobby.join, request=request_at(seat)))
    return number


async def begin_game(tables: Tables, moves: int = 8) -> int:
    """Begin a game with the person, and play some moves of everybody."""
    number = await open_joined(tables)
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


async def test_a_game_that_cannot_be_played_now_keeps_who_moved(tables: Tables, clock: Clock) -> None:
    """Once its rules are back, the moves of a former player are not those of the computer player."""
    number, rng = await begin_game(tables), random.Random(5)
    seat = (await tables.get(number)).to_act
    assert seat is not None
    await make_move(tables, number, rng)
    undo = partial(play.undo, request=request_of(seat), confirmed=True)
    await tables.change(number, request_of(seat), undo)
    before = await tables.get(number)
    assert before.match is not None
    assert before.row.ply > (length := len(before.match.history))
    game = EVERY_GAME[GAME_WITH_SECRETS]
    newer = dataclasses.replace(game, rules_version=game.rules_version + 1)
    without_rules = Tables(tables.store, {game.key: newer}, clock)
    assert (await without_rules.get(number)).unplayable
    assert await erase(without_rules) == 0
    table = await Tables(tables.store, EVERY_GAME, clock).get(number)
    assert not table.unplayable
    assert table.names_at(0)[1] == FORMER_PLAYER != table.names[1]
    assert table.names_at(length)[1] == table.names[1], "what follows is the computer player's"


async def test_a_seat_that_has_resigned_is_not_played_on(tables: Tables) -> None:
    """No notice says that a computer player takes over what nobody plays any more."""
    number = await begin_timed_table(tables, None, seats=3, game="oceans")
    resign = partial(seats.resign, request=request_of(1), computer="random")
    await tables.change(number, request_of(1), resign)
    assert await erase_person(tables, request_of(1), report) == 0
    table = await tables.get(number)
    assert table.status is Status.PLAYING
    assert table.match is not None
    assert table.match.resigned_seats == {1}
    texts = [each.text for each in await tables.store.deliveries(number)]
    assert any(f"Seat B, which has resigned, is {table.names[1]}'s now" in text for text in texts)
    assert not any("takes seat B" in text for text in texts)


@pytest.mark.parametrize("resigning", [True, False])
async def test_the_next_host_is_somebody_who_plays(tables: Tables, clock: Clock, *, resigning: bool) -> None:
    """A pause of the former host can be ended by a person who is there, and not only by one who is not."""
    number = await begin_timed_table(tables, TimeControl(turn=3600, grace=0), seats=3, game="oceans")
    await set_row(tables, number, host=FIRST_USER + 1)
    while (await tables.get(number)).to_act != 0:
        await make_move(tables, number, RNG)
    if resigning:
        await change_as(tables, number, 0, seats.resign, computer="random")
    else:
        clock.now += 3601
        await Housekeeping(tables).expire_due()
    await change_as(tables, number, 1, moderation.pause)
    await erase_person(tables, request_of(1), report)
    assert (await tables.get(number)).row.host == FIRST_USER + 2
    assert (await change_as(tables, number, 2, moderation.resume)).status is Status.PLAYING


def _make_leaving_fail(patches: pytest.MonkeyPatch, failing: int) -> None:
    """Make nobody able to leave the lobby with the number ``failing``."""
    leave = lobby.leave

    def fail(table: Table, request: Request, *, is_channel_busy: bool) -> Decision:
        if table.number == failing:
            raise ZeroDivisionError
        return leave(table, request, is_channel_busy=is_channel_busy)

    patches.setattr(lobby, "leave", fail)


async def test_a_game_that_fails_holds_up_no_other_table(
    tables: Tables, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leaving a lobby may start its game, whose deal may fail."""
    failing, other = await open_joined(tables), await open_joined(tables)
    with monkeypatch.context() as patches:
        _make_leaving_fail(patches, failing)
        assert await erase(tables) == 1
    assert (await tables.get(other)).seat_of(USER) is None
    assert await erase(tables) == 0
    await require_erased(store)


class _UnseenResponse:
    """A response whose pages Discord refuses; it keeps what is said."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.request = tables, request_by_person()
        self.said: list[str] = []

    async def show(self, _: object) -> NoReturn:
        """Refuse, as Discord does once the interaction's token has expired."""
        raise NotDelivered

    async def say(self, text: str) -> None:
        """Keep the text."""
        self.said.append(text)


async def test_an_erasure_goes_on_where_its_progress_is_not_shown(
    tables: Tables, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables that follow are changed too, and the settings deleted; the last text counts what failed."""
    monkeypatch.setattr(data_commands, "_PROGRESS_STEP", 1)
    failing, _ = await open_joined(tables), await open_joined(tables)
    await tables.people.change(USER, lambda row: msgspec.structs.replace(row, time_zone="Asia/Tokyo"))
    response = _UnseenResponse(tables)
    with monkeypatch.context() as patches:
        _make_leaving_fail(patches, failing)
        await data_commands.erase_asker(cast("Response", response))
    await data_commands.erase_asker(cast("Response", response))
    await require_erased(store)
    assert response.said[0].startswith("You are erased from one table. One table could not be changed now.")
    assert response.said[1].startswith("What was stored about you is erased.")
    assert "once they are 14 days old and newer ones are there" in response.said[1]  # the newest 8 stay


async def test_settings_that_stay_are_named(
    tables: Tables, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they cannot be deleted, the text says of the tables what is true."""
    number = await open_joined(tables)
    with monkeypatch.context() as patches:
        patches.setattr(store, "delete_preferences", AsyncMock(side_effect=StoreError))
        with monkeypatch.context() as table_patches:
            table_patches.setattr(store, "commit", AsyncMock(side_effect=StoreError))
            with pytest.raises(SettingsNotErased, match="now, and one table could not be changed"):
                await erase(tables)
        with pytest.raises(SettingsNotErased, match="now, but your tables were changed"):
            await erase(tables)
        assert (await tables.get(number)).seat_of(USER) is None
        with pytest.raises(SettingsNotErased, match=r"erased now\. Use"):
            await erase(tables)
    assert await erase(tables) == 0


@pytest.mark.parametrize("rest", ["paused", "frozen"])
async def test_a_resting_game_erases_too(tables: Tables, store: SqliteStore, rest: str) -> None:
    """What a resting game keeps of the turn that it waits for names nobody either."""
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
    """An erased person who comes back may have only the old seat, as if they had never gone (P19)."""
    number = await begin_game(tables)
    await erase(tables)
    table = await tables.get(number)
    assert table.may_hold(USER, 1)
    assert not table.may_hold(USER, 2)
    assert table.may_hold(USER + 1, 2)


async def test_a_lobby_loses_an_erased_player(tables: Tables, store: SqliteStore) -> None:
    """In a lobby the seat becomes free."""
    number = await open_joined(tables)
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
    """An invitation, declined or not, a request for a seat and a removal leave nothing either."""
    for act in ("invited", "declined", "asks", "removed"):
        number, person = await open_joined(tables), request_by_person()
        for decide in (
            partial(lobby.leave, request=person, is_channel_busy=False),
            partial(admission.set_by_invitation, request=request_of(0), by_invitation=act == "asks"),
        ):
            await tables.change(number, None, decide)
        if act in {"invited", "declined"}:
            invited = Person(USER, NAME)
            await tables.change(
                number, None, partial(admission.invite, request=request_of(0), person=invited)
            )
            if act == "declined":
                await tables.change(number, None, partial(admission.decline_invitation, request=person))
            continue
        await tables.change(number, None, partial(lobby.join, request=person))
        if act == "removed":
            remove = partial(admission.remove_player, request=request_of(0), user=USER, is_channel_busy=False)
            await tables.change(number, None, remove)
    data = await tables.store.personal_data(USER)
    keys = ("invited", "declined", "asks_to_join", "removed")
    assert [[each[key] for key in keys].index(True) for each in data["lobbies"]] == [0, 1, 2, 3]
    assert all(sum(each[key] for key in keys) == 1 for each in data["lobbies"])
    assert [each["shown_names"] for each in data["lobbies"]] == [[NAME]] * 4
    assert str(USER) in "\n".join(await dump(store)), "else nothing is erased"
    assert await erase(tables) == 0
    await require_erased(store)


async def test_who_was_named_without_a_seat_is_erased(
    tables: Tables, store: SqliteStore, clock: Clock
) -> None:
    """Nothing is left of who was invited to a game that began, was offered a seat, or declined."""
    number, person = await open_joined(tables), request_by_person()
    host, anybody = request_of(0), Person(USER, NAME)
    invite = partial(admission.invite, request=host, person=anybody)
    await tables.change(number, None, partial(lobby.leave, request=person, is_channel_busy=False))
    assert await erase(tables) == 0
    await tables.change(number, None, invite)
    await tables.change(number, None, partial(admission.decline_invitation, request=person))
    assert await erase(tables) == 0
    await require_erased(store)
    await tables.change(number, None, invite)
    await tables.change(number, None, partial(lobby.add_computer, request=host, computer="random"))
    await _post_everything(tables, number)
    await tables.change(number, host, partial(lobby.start, request=host, is_channel_busy=False))
    await _post_everything(tables, number)
    assert await erase(tables) == 0
    await require_erased(store)
    host = msgspec.structs.replace(request_of(0), at=int(clock()))
    offer = partial(seats.offer_seat, seat=Seat(0), newcomer=anybody, computer="random")
    await tables.change(number, host, partial(offer, request=host))
    clock.now += seats.ACCEPT_TIME
    await Housekeeping(tables).expire_due()
    assert (await tables.get(number)).seats[0].offer is None
    assert await erase(tables) == 0
    await require_erased(store)


@pytest.mark.parametrize("role", ["newcomer", "admin"])
async def test_an_open_offer_of_an_erased_person_is_void(
    tables: Tables, store: SqliteStore, role: str
) -> None:
    """Neither an offer to them nor one that they made stays, and its message says so."""
    number, person = await begin_timed_table(tables, None, 3, "oceans"), request_by_person(admin=True)
    request = request_of(1) if role == "newcomer" else person
    newcomer = Person(USER, NAME) if role == "newcomer" else Person(USER + 1, "Zoe")
    offer = partial(seats.offer_seat, seat=Seat(1), newcomer=newcomer, computer="random")
    offered = (await tables.change(number, request, partial(offer, request=request))).table.seats[1].offer
    assert offered is not None
    assert await erase(tables) == 0
    await require_erased(store)
    assert (await tables.get(number)).seats[1].offer is None
    assert (await store.deliveries(number))[-1].slot == offer_delivery(1, offered).slot


FORMER_NAME = "Yorick_of_Yore"
"""The name that the person had before."""
ACTS: Final = (
    *("is removed", "declines", "is declined", "plays", "has played", "moderates"),
    *("is offered a seat", "declines a seat", "offers a seat"),
)


@pytest.mark.parametrize("act", ACTS)
async def test_a_name_that_changed_since_is_erased(tables: Tables, store: SqliteStore, act: str) -> None:
    """Messages and answers show the name that somebody had then, with a seat or without one."""
    host, anybody = request_of(0), Person(USER, FORMER_NAME)
    former = msgspec.structs.replace(
        request_by_person(admin=act in {"moderates", "offers a seat"}), name=FORMER_NAME
    )
    number = await open_lobby(tables, EVERY_GAME["currents"], host)

    async def do(request: Request, decide: Callable[..., Decision], **options: object) -> None:
        request = msgspec.structs.replace(request, interaction=request_of(0).interaction)
        await tables.change(number, request, partial(decide, request=request, **options))

    await do(request_of(1), lobby.join)
    match act:
        case "is removed":
            await do(former, lobby.join)
            await do(host, admission.remove_player, user=USER, is_channel_busy=False)
        case "declines":
            await do(host, admission.invite, person=anybody)
            await do(former, admission.decline_invitation)
        case "is declined":
            await do(host, admission.set_by_invitation, by_invitation=True)
            await do(former, lobby.join)
            await do(host, admission.decline_applicant, user=USER)
        case "is offered a seat" | "declines a seat":
            await do(host, lobby.start, is_channel_busy=False)
            await do(host, seats.offer_seat, seat=Seat(0), newcomer=anybody, computer="random")
            offer = (await tables.get(number)).seats[0].offer
            assert offer is not None
            if act == "declines a seat":
                await do(former, seats.decline_offer, seat=Seat(0), offer_id=offer.id)
        case "offers a seat":
            await do(host, lobby.start, is_channel_busy=False)
            await do(former, seats.offer_to_anybody, seat=Seat(0))
        case "moderates":
            await do(host, lobby.start, is_channel_busy=False)
            await do(former, moderation.pause)
        case "plays" | "has played":
            await do(former, lobby.join)
            await do(host, lobby.add_computer, computer="random")
            await do(host, lobby.start, is_channel_busy=False)
            if act == "has played":
                await do(former, seats.give_seat_to_computer, computer="random")
    text = "\n".join(await dump(store))
    assert FORMER_NAME in text or escape_markup(FORMER_NAME) in text, "else nothing is erased"
    assert await erase(tables) == 0
    await require_erased(store)
    text = "\n".join(await dump(store))
    assert FORMER_NAME not in text
    assert escape_markup(FORMER_NAME) not in text
    assert FORMER_NAME.encode().hex().upper() not in text.upper()


async def _post_everything(tables: Tables, number: int) -> None:
    """Send what waits to be sent, as the outbox would."""
    for each in await tables.store.deliveries(number):
        posted = PostedMessage(each.slot, CHANNEL, each.id, each.ply, tables.clock())
        await tables.store.mark_delivered(each, each.ply, posted)


async def test_an_answer_of_who_was_back_is_erased(tables: Tables, clock: Clock) -> None:
    """A declined question keeps nobody who was not asked at first, but agreed after a computer had played."""
    number = await begin_timed_table(tables, TimeControl(turn=3600, grace=0), seats=4, game="currents")
    gone = timer_of(await tables.get(number)).seat
    clock.now += 3601
    await Housekeeping(tables).expire_due()
    asker, declines = ((gone + step) % 4 for step in (1, 2))
    table = await change_as(tables, number, asker, time_controls.ask_to_pause)
    question = table.row.question
    assert question is not None
    await change_as(tables, number, gone, timeouts.come_back)
    for seat, agreed in ((gone, True), (declines, False)):
        vote = partial(questions.vote, question_id=question.id, is_yes=agreed)
        table = await change_as(tables, number, seat, vote)
    assert table.row.question is not None
    assert table.row.question.agreed == (FIRST_USER + gone,)
    await erase_person(tables, request_of(gone), report)
    declined = (await tables.get(number)).row.question
    assert declined is not None, "it is not asked again at once"
    assert FIRST_USER + gone not in (*declined.asked, *declined.agreed)


@pytest.mark.parametrize("is_declined", [False, True])
async def test_a_question_of_who_never_sat_is_erased(
    tables: Tables, store: SqliteStore, *, is_declined: bool
) -> None:
    """What an admin without a seat has asked is gone, open or declined."""
    number, admin = await begin_timed_table(tables, None, 4, "currents"), request_by_person(admin=True)
    for _ in range(3):
        await make_move(tables, number, RNG)
    await tables.change(number, admin, partial(moderation.roll_back, request=admin, move=0))
    question = (await tables.get(number)).row.question
    assert question is not None
    if is_declined:
        await change_as(tables, number, 0, questions.vote, question_id=question.id, is_yes=False)
    assert await erase(tables) == 0
    assert (await tables.get(number)).row.question is None
    await require_erased(store)


async def test_a_question_to_who_has_left_their_seat_is_closed(tables: Tables, store: SqliteStore) -> None:
    """It does not wait for somebody who was erased."""
    number, person = await begin_game(tables), request_by_person()
    give = partial(seats.give_seat_to_computer, request=person, computer="random")
    await tables.change(number, person, give)
    table = await change_as(tables, number, 0, moderation.roll_back, move=0)
    assert table.row.question is not None
    assert USER in table.row.question.asked
    assert await erase(tables) == 0
    assert (await tables.get(number)).row.question is None
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
    data = await tables.store.personal_data(USER)
    stored = await tables.store.load(number)
    assert stored is not None
    assert data["preferences"]["time_zone"] == "Asia/Tokyo"
    assert [(each["number"], each["seat"], each["name"]) for each in data["tables"]] == [(number, 1, NAME)]
    assert [each["ply"] for each in data["moves"]] == [
        record.ply for record in stored.records if record.user == USER
    ]
    assert data["moves"]


async def test_my_data_names_moves_of_a_seat_that_was_left(tables: Tables) -> None:
    """A person who has given the seat away still gets the moves that they made at it."""
    number, request = await begin_game(tables), request_by_person()
    moves = (await tables.store.personal_data(USER))["moves"]
    decide = partial(seats.offer_seat, request=request, seat=Seat(1), newcomer=None, computer="random")
    assert (await tables.change(number, request, decide)).table.seats[1].user is None
    data = await tables.store.personal_data(USER)
    assert data["tables"] == []
    assert data["moves"] == moves != []
