"""Malformed ids, forms, options and stored payloads are answered, and stop nobody else (T12)."""

import contextlib
import random
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from bot import limits
from bot.chat import action_commands, handlers, offer_pages
from bot.chat.component_press import ComponentPress
from bot.chat.components import parse_custom_id
from bot.chat.handlers import HANDLERS
from bot.chat.response import Response
from bot.chat.router import parse_submitted_fields
from bot.chat.rules_pages import rules_post
from bot.host.computers import ComputerPlayers
from bot.host.deciders import lobby, play
from bot.host.game_guard import GameFault
from bot.host.loading import TableLoader, UnreadableTable
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from bot.store.rows import Change, Status, StoredTable
from bot.store.sqlite import SqliteStore, open_store
from rules.catalogue import GAMES
from rules.errors import RulesError
from rules.game import AnyGame
from rules.model import Seat
from rules.notation import fields_of, parse_seat, write_action
from tests.bot.database_file import open_database_file
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.host.viewer_output import ResponseRecorder, use_scenes_as_pictures
from tests.bot.trust.malformed_texts import make_malformed, random_json
from tests.bot.trust.situations import FixedTables, make_situations
from tests.trials import trial_count

GAME_COUNT = len(GAMES)
"""The games share the counts."""


@pytest.fixture(params=GAMES.values(), ids=lambda game: game.key)
async def situated_tables(request: pytest.FixtureRequest, tables: Tables) -> Mapping[str, FixedTables]:
    """Return tables of one game in every situation."""
    return await make_situations(tables, request.param)


def _valid_ids(table: Table) -> list[str]:
    moves = _move_texts(table)
    head = f"c1:{table.number}:{table.row.ply}"
    return [
        f"{head}:{verb}:{words}"[: limits.CUSTOM_ID] for verb in HANDLERS for words in ("", "0 1", moves[0])
    ]


def _move_texts(table: Table) -> list[str]:
    assert table.match is not None
    assert table.match.to_act is not None
    return [write_action(action) for action in table.match.legal_actions(table.match.to_act)][:40]


async def _press(situated: FixedTables, request: Request, text: str, value: str) -> None:
    """Press what ``text`` names, if it names anything; raises what nobody has answered."""
    custom_id = parse_custom_id(text)
    if custom_id is None or custom_id.verb not in HANDLERS:
        return  # answered with a sentence by the router
    assert str(parse_custom_id(str(custom_id))) == str(custom_id)
    if custom_id.table_number != situated.table.number:
        return
    recorder = ResponseRecorder()
    try:
        await handlers.handle_press(
            ComponentPress(cast("Tables", situated), cast("Response", recorder), custom_id, request, [value])
        )
    except Refusal as refusal:
        recorder.answers.append(str(refusal))
    assert recorder.answers, "no answer"
    for answer in recorder.answers:
        text = answer if isinstance(answer, str) else answer[0][0]
        assert 0 < len(text) <= limits.COMPONENTS_V2_TEXT


async def _press_random_ids(situated_tables: Mapping[str, FixedTables], seed: str, count: int) -> None:
    rng = random.Random(seed)
    ids_by_situation = {
        situation: _valid_ids(situated_tables["playing"].table) for situation in situated_tables
    }
    moves = _move_texts(situated_tables["playing"].table)
    with use_scenes_as_pictures():
        for _ in range(count):
            situation = rng.choice(list(situated_tables))
            situated = situated_tables[situation]
            request = rng.choice(list(situated.requests.values()))
            words = make_malformed(rng, moves)
            text = make_malformed(rng, ids_by_situation[situation])
            if rng.random() < 0.5:  # well formed, with any words
                verb, row = rng.choice(list(HANDLERS)), situated.table.row
                text = f"c1:{row.number}:{row.ply}:{verb}:{words[:79]}"
            await _press(situated, request, text, make_malformed(rng, moves))


@pytest.mark.trust_test("T12")
async def test_malformed_ids_are_answered(
    situated_tables: Mapping[str, FixedTables], add_trials: Callable[[int], None]
) -> None:
    """Any custom id and any chosen value, by anybody, is answered with a sentence or a page."""
    count = trial_count(600, soak=60_000) // GAME_COUNT
    await _press_random_ids(situated_tables, "ids", count)
    add_trials(count)


@pytest.mark.trust_test("T12")
async def test_malformed_moves_are_refused_or_legal(
    situated_tables: Mapping[str, FixedTables], add_trials: Callable[[int], None]
) -> None:
    """Any text in the form or in ``/play`` is a legal move or a refusal."""
    situated, rng = situated_tables["playing"], random.Random("moves")
    moves = _move_texts(situated.table)
    count = trial_count(600, soak=60_000) // GAME_COUNT
    played_count = empty_refusal_count = 0
    for _ in range(count):
        text = make_malformed(rng, moves)
        try:
            play.play_typed_line(situated.table, situated.requests["actor"], text, situated.table.row.ply)
            played_count += 1
        except Refusal as refusal:
            empty_refusal_count += not str(refusal).strip()
    assert empty_refusal_count == 0
    assert played_count < count / 2
    add_trials(count)


@pytest.mark.trust_test("T12")
async def test_malformed_options_are_taken_or_refused(
    situated_tables: Mapping[str, FixedTables], add_trials: Callable[[int], None]
) -> None:
    """Any text in any option of any command is taken or refused."""
    situated, rng = situated_tables["playing"], random.Random("options")
    game, request = situated.table.game, situated.requests["actor"]
    moves = _move_texts(situated.table)
    valid_values = [move.partition(" ")[2] or move for move in moves]
    count = trial_count(400, soak=40_000) // GAME_COUNT
    for _ in range(count):
        text = make_malformed(rng, valid_values)
        with contextlib.suppress(Refusal):
            lobby.open_table(9, game, text, request, bytes(32), 0)
        with contextlib.suppress(Refusal):
            rules_post(game, text)
        with contextlib.suppress(RulesError):
            parse_seat(text)
        kind = rng.choice(list(game.words.verb_texts))
        fields = {field.name: make_malformed(rng, valid_values) for field in fields_of(kind)}
        with contextlib.suppress(Refusal):
            action_commands._play_decision(
                situated.table, game, kind, request, fields, situated.table.row.ply
            )
    add_trials(count)


@pytest.mark.trust_test("T12")
def test_malformed_forms_are_read_by_field_names(add_trials: Callable[[int], None]) -> None:
    """Any content may be submitted in a form: texts are read out of it by their names."""
    rng = random.Random("forms")
    count = trial_count(200, soak=20_000)
    for _ in range(count):
        fields = parse_submitted_fields(random_json(rng))
        assert all(isinstance(each, str) for name, values in fields.items() for each in (name, *values))
    parts = [
        {"type": 18, "component": {"custom_id": "line", "value": "current 5C N2"}},
        {"type": 18, "component": {"custom_id": "jokers", "values": ["jokers", 7, "combo"]}},
        {"type": 18, "component": {"custom_id": "board", "value": None}},
        {"type": 10, "id": 4},
    ]
    assert parse_submitted_fields({"custom_id": "form", "components": parts}) == {
        "line": ("current 5C N2",),
        "jokers": ("jokers", "combo"),
        "board": (),
    }
    add_trials(count)


# What is stored ---------------------------------------------------------------------------------------


class DamagedStore:
    """A store whose one table comes back as the test says."""

    def __init__(self, store: SqliteStore) -> None:
        """Everything else is the store's."""
        self._store = store
        self.stored: StoredTable | None = None

    async def load(self, number: int) -> StoredTable | None:
        """Return the damaged table."""
        return self.stored if self.stored is not None else await self._store.load(number)

    def __getattr__(self, name: str) -> Any:
        """Return everything else."""
        return getattr(self._store, name)


def _damage(rng: random.Random, stored: StoredTable) -> StoredTable:
    table, records = stored.row, [*stored.records]
    match rng.randrange(6):
        case 0 | 1:
            raw = bytearray(table.snapshot or b"")
            for _ in range(rng.randint(1, 4)):
                position = rng.randrange(len(raw))
                raw[position] = rng.randrange(256)
            table = msgspec.structs.replace(table, snapshot=bytes(raw[: rng.choice((len(raw), position))]))
        case 2 if records:
            position = rng.randrange(len(records))
            text = make_malformed(rng, [each.action for each in records])
            records[position] = msgspec.structs.replace(records[position], action=text)
        case 3 if records:
            position = rng.randrange(len(records))
            records[position] = msgspec.structs.replace(
                records[position], actor=rng.choice((-9, -1, 0, 7, 2**40))
            )
        case 4:
            table = msgspec.structs.replace(
                table, rules_version=rng.choice((-1, 0, 99)), seats=table.seats[:1]
            )
        case _:
            table = msgspec.structs.replace(
                table, options=make_malformed(rng, ["a=b", table.options or "x=1"])
            )
    return StoredTable(table, tuple(records))


async def _try_to_load(tables: Tables, number: int) -> bool:
    """Load a damaged table and play at it; return False if it is frozen, unreadable or a game's fault."""
    try:
        table = await tables.get(number)
        if table.status is Status.FROZEN:
            return False
        request = request_of_person(table.to_act or 0)
        await tables.change(number, request, partial(play.play_typed_line, request=request, text="?"))
    except (UnreadableTable, GameFault):
        return False
    except Refusal:
        return True
    return True


async def _load_damaged_and_count_failures(
    store: SqliteStore, clock: ManualClock, game: AnyGame, count: int
) -> int:
    """Load a table damaged in ``count`` ways, whose records must stay; return how often it was not loaded."""
    rng = random.Random("stored")
    sound_tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await begin(sound_tables, default_setup(game))
    for _ in range(8):
        await make_move(sound_tables, number, rng)
    intact = await store.load(number)
    assert intact is not None
    unloaded_count = 0
    for _ in range(count):
        damaged_store = DamagedStore(store)
        damaged_store.stored = _damage(rng, intact)
        tables = Tables(cast("Any", damaged_store), GAMES_AND_TOYS, clock)
        unloaded_count += not await _try_to_load(tables, number)
        after = await store.load(number)
        assert after is not None
        assert after.records == intact.records
        if after != intact:  # it was frozen: restore it
            repaired = msgspec.structs.replace(intact.row, version=after.row.version + 1)
            await store.commit(Change(row=repaired, answer="", at=0))
            intact = StoredTable(repaired, intact.records)
    return unloaded_count


@pytest.mark.trust_test("T12")
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
async def test_damaged_tables_keep_their_records(
    store: SqliteStore,
    clock: ManualClock,
    game: AnyGame,
    caplog: pytest.LogCaptureFixture,
    add_trials: Callable[[int], None],
) -> None:
    """A table that cannot be read is frozen or left alone, with its records; nothing else is raised."""
    caplog.set_level("CRITICAL")
    count = trial_count(200, soak=20_000) // GAME_COUNT
    unloaded_count = await _load_damaged_and_count_failures(store, clock, game, count)
    assert unloaded_count > count / 4
    add_trials(count)


@pytest.mark.trust_test("T12")
@pytest.mark.parametrize(
    "damage",
    [
        "update matches set question = x'ff00'",
        "update matches set status = 'sleeping'",
        "update matches set snapshot = x''",
        "update matches set options = 'nothing=else'",
        "update matches set game = 'no such game'",
        "update seats set direct_messages = 'ajar'",
        "update seats set computer = 'no such player', user = null",
        "delete from seats",
    ],
)
async def test_a_damaged_table_stops_nobody(database_path: Path, damage: str) -> None:
    """P14: with one table damaged in the file, the bot starts and the other tables go on."""
    store = await open_store(database_path)
    tables = Tables(store, GAMES_AND_TOYS)
    game = next(iter(GAMES.values()))
    damaged_number, sound_number = (
        await begin(tables, default_setup(game)),
        await begin(tables, default_setup(game)),
    )
    await store.close()
    with open_database_file(database_path) as connection:
        key_column = "number" if "matches" in damage else "match"
        connection.execute(f"{damage} where {key_column} = {damaged_number}")
    store = await open_store(database_path)
    tables = Tables(store, GAMES_AND_TOYS)
    await tables.replay_all()
    computers = ComputerPlayers(tables, random.Random(1), computer_delay=0.0)
    await computers.start()
    await make_move(tables, sound_number, random.Random(1))
    with contextlib.suppress(Refusal, StoreError, GameFault):
        await tables.get(damaged_number)
    await computers.stop()
    await store.close()


# The checks' own check --------------------------------------------------------------------------------


def _trust_pages(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(handlers, "parse_index", int)


def _trust_offers(patch: pytest.MonkeyPatch) -> None:
    def read_offer(press: ComponentPress) -> tuple[Seat, int]:
        seat, offer = press.custom_id.argument.split(" ")
        return Seat(int(seat)), int(offer)

    patch.setattr(offer_pages, "_parse_offer_id", read_offer)


def _trust_words(patch: pytest.MonkeyPatch) -> None:
    class TrustingNotation:
        def __init__(self, game: AnyGame) -> None:
            self.verbs = {"": None}

        def parse(self, text: str) -> object:
            return self.verbs[text]

    patch.setattr("bot.host.game_calls.Notation", TrustingNotation)


@pytest.mark.trust_test("T12", sensitivity=True)
@pytest.mark.parametrize("defect", [_trust_pages, _trust_offers, _trust_words])
async def test_trusting_an_id_is_caught(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, defect: Callable[[pytest.MonkeyPatch], None]
) -> None:
    """Sensitivity: where a number or a word of an id is not checked, some malformed id gets no answer."""
    situated_tables = await make_situations(tables, next(iter(GAMES.values())))
    defect(monkeypatch)
    with pytest.raises((ValueError, GameFault)):
        await _press_random_ids(situated_tables, "ids", 1_500)


@pytest.mark.trust_test("T12", sensitivity=True)
async def test_an_unguarded_load_is_caught(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sensitivity: an unguarded load of a damaged table is caught."""

    async def load_unguarded(loader: TableLoader, number: int) -> Table:
        stored = await loader._store.load(number)
        assert stored is not None
        return loader.unpack_with_log(stored)

    monkeypatch.setattr(TableLoader, "load", load_unguarded)
    with pytest.raises((RulesError, msgspec.ValidationError, IndexError)):
        await _load_damaged_and_count_failures(store, clock, next(iter(GAMES.values())), 50)
