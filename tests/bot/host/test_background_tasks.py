"""What runs beside the tables: computer players, expiring lobbies, and games with a fault in their rules.

And starts: of a game with too few players, and of the bot, which reads only tables with something to do.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.host.computers import ComputerPlayers
from bot.host.deciders import departures, lobby, play, undoing
from bot.host.deciders.lobby import LOBBY_LIFETIME
from bot.host.game_guard import GameFault
from bot.host.host import Host
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore, open_store
from rules.game import AnyGame
from rules.model import MODERATOR, Action, Seat
from rules.players import COMPUTER_PLAYERS, ComputerPlayer
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    assert_records_whole,
    begin,
    default_setup,
    make_move,
    open_lobby,
    request_of_person,
    seat_and_random_action,
)
from tests.bot.host.scripted_courier import ScriptedCourier
from tests.trials import WAIT_TIMEOUT

SETUP = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2)


async def _wait_for_table(tables: Tables, number: int, is_wanted: Callable[[Table], bool]) -> Table:
    async with asyncio.timeout(WAIT_TIMEOUT):
        while not is_wanted(table := await tables.get(number)):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.002)
    return table


def _is_persons_turn(table: Table) -> bool:
    return table.to_act is None or table.seats[table.to_act].user is not None


# Computer players -------------------------------------------------------------------------------------


async def test_one_person_plays_a_whole_game(tables: Tables) -> None:
    """The computer player answers every move until the game is over, and never moves for the person."""
    computer_players = ComputerPlayers(tables, random.Random(1), computer_delay=0.0)
    number = await begin(tables, SETUP, computer_count=1)
    rng = random.Random(2)
    table = await _wait_for_table(tables, number, _is_persons_turn)
    while table.to_act is not None:
        await make_move(tables, number, rng)
        table = await _wait_for_table(tables, number, _is_persons_turn)
    assert table.status is Status.OVER
    stored = await tables.store.load(number)
    assert stored is not None
    assert_records_whole(stored)
    seats_of_people = {record.actor for record in stored.records if record.user is not None}
    assert seats_of_people == {0}
    await computer_players.stop()


async def test_computers_play_on_after_a_restart(database_path: Path) -> None:
    """A game that waited for a computer player when the bot stopped goes on by itself."""
    store = await open_store(database_path)
    tables = Tables(store, GAMES_AND_TOYS)
    number = await begin(tables, SETUP, computer_count=1)
    rng = random.Random(3)
    while _is_persons_turn(await tables.get(number)):
        await make_move(tables, number, rng)
    ply_before = (await tables.get(number)).row.ply
    await store.close()
    store = await open_store(database_path)
    tables = Tables(store, GAMES_AND_TOYS)
    computer_players = ComputerPlayers(tables, random.Random(1), computer_delay=0.0)
    await computer_players.start()
    table = await _wait_for_table(tables, number, _is_persons_turn)
    assert table.row.ply > ply_before
    await computer_players.stop()
    await store.close()


async def test_a_computer_that_gets_a_seat_plays_at_once(tables: Tables) -> None:
    """Where somebody leaves a seat that must be filled, the computer player there plays at once."""
    game = next(
        each
        for each in GAMES_AND_TOYS.values()
        if each.resign(each.initial_state(max(each.player_counts), each.options_type()), Seat(0)) is None
    )
    computer_players = ComputerPlayers(tables, random.Random(1), computer_delay=0.0)
    number = await begin(tables, default_setup(game))
    table = await tables.get(number)
    assert table.to_act is not None
    leaver = table.to_act
    request = request_of_person(leaver)
    await tables.change(number, request, partial(departures.resign, request=request, computer="random"))
    table = await _wait_for_table(tables, number, _is_persons_turn)
    assert table.seats[leaver].computer == "random"
    assert table.row.ply > 0
    await computer_players.stop()


async def test_each_seat_is_played_by_its_player(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Computer players are named and counted by kind, and each chooses for its own seats only."""
    seats_by_player: dict[str, set[int]] = {key: set() for key in COMPUTER_PLAYERS}

    def with_recorded_seats(key: str, player: ComputerPlayer) -> ComputerPlayer:
        def choose(game: AnyGame, view: Any, rng: random.Random) -> Action:
            seats_by_player[key].add(view.viewer)
            return player.choose(game, view, rng)

        return ComputerPlayer(player.title, choose, player.manner)

    monkeypatch.setattr(
        "bot.host.computers.COMPUTER_PLAYERS",
        {key: with_recorded_seats(key, player) for key, player in COMPUTER_PLAYERS.items()},
    )
    game, host_request = GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], request_of_person(0)
    number = await open_lobby(tables, game)
    for player in ("casual", "random", "casual"):
        await tables.change(
            number, request_of_person(0), partial(lobby.add_computer, request=host_request, computer=player)
        )
    with pytest.raises(Refusal, match="no such computer player"):
        await tables.change(
            number, request_of_person(0), partial(lobby.add_computer, request=host_request, computer="strong")
        )
    computer_players = ComputerPlayers(tables, random.Random(1), computer_delay=0.0)
    await tables.change(
        number, request_of_person(0), partial(lobby.start, request=host_request, is_channel_busy=False)
    )
    rng = random.Random(2)
    while (await _wait_for_table(tables, number, _is_persons_turn)).to_act is not None:
        await make_move(tables, number, rng)
    await computer_players.stop()

    assert (await tables.get(number)).names[1:] == ("Casual 1", "Random 1", "Casual 2")
    assert seats_by_player == {"casual": {1, 3}, "random": {2}}


# Lobbies ----------------------------------------------------------------------------------------------


async def test_lobbies_expire(tables: Tables, clock: ManualClock) -> None:
    """A lobby that nobody started is closed when its time is over, not before; games are left alone."""
    number = await open_lobby(tables, SETUP.game)
    started_number = await begin(tables, SETUP)
    housekeeping = Housekeeping(tables)
    clock.now += LOBBY_LIFETIME - 1
    await housekeeping.do_due_work_at_tables()
    assert (await tables.get(number)).status is Status.LOBBY
    clock.now += 2
    await housekeeping.do_due_work_at_tables()
    assert (await tables.get(number)).status is Status.CLOSED
    assert (await tables.get(started_number)).status is Status.PLAYING
    assert number not in await tables.store.due_tables(int(clock.now) + LOBBY_LIFETIME)
    join_request = request_of_person(1)
    with pytest.raises(Refusal, match="closed"):
        await tables.change(number, join_request, partial(lobby.join, request=join_request))


# A fault in a game's rules ----------------------------------------------------------------------------


class _Fault(RuntimeError):
    pass


def _with_fault(game: AnyGame, function_name: str) -> tuple[AnyGame, list[bool]]:
    """Return the game with a fault that shows once ``is_armed[0]`` is set."""
    is_armed = [False]
    real: Any = getattr(game, function_name) if function_name != "narrate" else game.words.narrate

    def call_with_fault(*arguments: Any) -> Any:
        if is_armed[0]:
            raise _Fault(function_name)
        return real(*arguments)

    if function_name == "narrate":
        return replace(game, words=replace(game.words, narrate=call_with_fault)), is_armed
    changed: dict[str, Any] = {function_name: call_with_fault}
    return replace(game, **changed), is_armed


@pytest.mark.parametrize("function_name", ["apply_action", "sample_chance", "legal_actions", "narrate"])
async def test_a_fault_freezes_its_own_game(
    store: SqliteStore, clock: ManualClock, function_name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """P14: the game is frozen with a word for everyone and nothing lost; other games go on."""
    game, is_armed = _with_fault(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], function_name)
    tables = Tables(store, {**GAMES_AND_TOYS, game.key: game}, clock)
    setup = replace(SETUP, game=game)
    number = await begin(tables, setup)
    other_number = await begin(tables, default_setup(GAMES_AND_TOYS["pearls"]))
    rng = random.Random(5)
    for _ in range(6):
        await make_move(tables, number, rng)
    table = await tables.get(number)
    stored_before = await store.load(number)
    seat, action = seat_and_random_action(table, rng)
    request = request_of_person(seat)
    is_armed[0] = True
    error_id, cause = "", None
    for _ in range(12):  # not every move meets the fault
        try:
            await tables.change(number, request, partial(play.play, request=request, actions=(action,)))
        except GameFault as fault:
            error_id, cause = fault.error_id, fault.__cause__
            break
        is_armed[0] = False
        table = await tables.get(number)
        stored_before = await store.load(number)
        seat, action = seat_and_random_action(table, rng)
        request = request_of_person(seat)
        is_armed[0] = True
    assert isinstance(cause, _Fault)
    is_armed[0] = False
    stored = await store.load(number)
    assert stored is not None
    assert stored_before is not None
    assert stored.row.status is Status.FROZEN
    assert stored.records == stored_before.records
    assert stored.row.snapshot == stored_before.row.snapshot
    notices = [delivery.text for delivery in await store.waiting_deliveries(number)]
    assert any("frozen" in text and error_id in text for text in notices)
    with pytest.raises(Refusal, match="frozen"):
        await tables.change(number, request, partial(play.play, request=request, actions=(action,)))
    await make_move(tables, other_number, rng)
    lines = [record for record in caplog.records if vars(record).get("error_id") == error_id]
    assert [line.levelname for line in lines] == ["ERROR"]
    assert table.row.seed.hex() not in caplog.text


async def test_failing_words_stop_an_undo_before_it_is_stored(store: SqliteStore, clock: ManualClock) -> None:
    """P14: after an undo the whole log is narrated again; if that fails, nothing is undone."""
    game, is_armed = _with_fault(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], "narrate")
    tables = Tables(store, {**GAMES_AND_TOYS, game.key: game}, clock)
    number = await begin(tables, replace(SETUP, game=game))
    rng = random.Random(6)
    for _ in range(6):
        await make_move(tables, number, rng)
    stored_before = await store.load(number)
    request = request_of_person(0)
    is_armed[0] = True
    with pytest.raises(GameFault):
        await tables.change(
            number, request, partial(undoing.undo_to, actor=MODERATOR, kept_length=4, announcement="")
        )
    stored = await store.load(number)
    assert stored_before is not None
    assert stored is not None
    assert stored.records == stored_before.records
    assert stored.row.status is Status.FROZEN
    table = await tables.get(number)
    assert table.status is Status.FROZEN
    assert table.row == stored.row


async def test_a_fault_that_freezes_nothing_is_caught(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Sensitivity: without the freezing, ``test_a_fault_freezes_its_own_game`` fails."""

    async def do_nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(Tables, "_log_and_freeze", do_nothing)
    with pytest.raises(AssertionError):
        await test_a_fault_freezes_its_own_game(store, clock, "apply_action", caplog)


# Starts of games and of the bot -----------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_a_start_with_too_few_players_says_how_many(tables: Tables, key: str) -> None:
    """A start with too few players is refused with how many are missing and what to press."""
    game, host_request = GAMES_AND_TOYS[key], request_of_person(0)
    number = await open_lobby(tables, game)
    with pytest.raises(
        Refusal, match=r"You need (one|\d) more players?: press \*\*Add Casual computer\*\* or invite"
    ):
        await tables.change(
            number, request_of_person(0), partial(lobby.start, request=host_request, is_channel_busy=False)
        )


async def test_a_start_looks_only_at_tables_with_something_to_do(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all in play those with a delivery that waits, and those where a computer player is to act."""
    tables, setup = Tables(store, GAMES_AND_TOYS, clock), default_setup(GAMES_AND_TOYS["currents"], 2)
    sending_number, thinking_number, *other_numbers = [
        await begin(tables, setup, computer_count=each) for each in (0, 1, 0, 0, 0)
    ]
    while (await tables.get(thinking_number)).to_act == 0:
        await make_move(tables, thinking_number, random.Random(4))
    for number in (thinking_number, *other_numbers):
        for delivery in await store.waiting_deliveries(number):
            await store.mark_delivered(delivery, delivery.ply, None)
    await tables.replay_all()
    read_numbers: set[int] = set()
    for name in ("load", "waiting_deliveries"):
        monkeypatch.setattr(SqliteStore, name, _with_noted_numbers(getattr(SqliteStore, name), read_numbers))
    host = Host(store, GAMES_AND_TOYS, clock, random.Random(1), computer_delay=60.0)
    await host.start(ScriptedCourier())
    async with asyncio.timeout(WAIT_TIMEOUT):
        while sending_number in await store.tables_with_deliveries():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.005)
    await host.stop()
    assert read_numbers == {sending_number, thinking_number}


def _with_noted_numbers(
    method: Callable[..., Awaitable[Any]], read_numbers: set[int]
) -> Callable[..., Awaitable[Any]]:
    """Return a method of a store that notes the number that it is given."""

    async def call(store: SqliteStore, number: int) -> Any:
        read_numbers.add(number)
        return await method(store, number)

    return call
