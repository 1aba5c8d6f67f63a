"""P20, P22: a restored backup changes what is dealt next, deals no second time, and revives no ended game."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.chat.delivery_contents import hand_content
from bot.config import StorageSettings
from bot.host import cutting, lobby, moderation, questions
from bot.host.decision import Decision
from bot.host.loading import parse_records, replay_check
from bot.host.table import Games, Refusal, Table
from bot.host.tables import Tables
from bot.operate.restore import Restored, restore
from bot.operate.restored_tables import Fate, fate_of
from bot.store.inspection import inspect_database, open_copy
from bot.store.protocol import Backup
from bot.store.restoring import TableState
from bot.store.rows import NOT_CLOSED, DeliveryKind, SeatRow, Status, StoredTable, TableRow, Version
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from rules.cut_words import CUT_WORDS
from rules.deal_key import reseal_stored, resealed_key
from rules.errors import BrokenMatch
from rules.game import MODERATOR, Seat
from rules.match import Match
from rules.record import Record
from rules.stream import commitment
from tests.bot.host.playing import check_whole, request_of
from tests.bot.operate.databases import (
    NOW,
    SETTING,
    make_backup,
    make_moves,
    start_games,
    storage_in,
    with_store,
)
from tests.bot.store.rows import query

_MOVES = 4
"""Choices after a backup, with as many draws: no two keys draw all of them alike; no game ends so soon."""


@pytest.fixture
def storage(tmp_path: Path) -> StorageSettings:
    """Return the settings of an empty folder."""
    return storage_in(tmp_path)


def restore_backup(
    storage: StorageSettings, source: Path | None = None, now: float = NOW + 9, games: Games = GAMES
) -> Restored:
    """Restore a backup."""
    return asyncio.run(restore(storage, games, now, source))


async def load(store: SqliteStore, number: int = 1) -> StoredTable:
    """Load a table that must exist."""
    stored = await store.load(number)
    assert stored is not None
    return stored


def stored_in(storage: StorageSettings, number: int = 1) -> StoredTable:
    """Return a table of the database."""
    return with_store(storage, lambda store: load(store, number))


async def notices(store: SqliteStore, number: int = 1) -> list[str]:
    """Return what is to be said at a table."""
    return [each.text for each in await store.deliveries(number) if each.text]


def begin_and_back_up(storage: StorageSettings, games: int = 1) -> Backup:
    """Start games, make some moves and a backup."""

    async def work(store: SqliteStore) -> Backup:
        await start_games(store, games, length=2)
        return await make_backup(store, storage)

    return with_store(storage, work)


def play_on(storage: StorageSettings, seed: float = 1, count: int = _MOVES) -> StoredTable:
    """Make moves, the same ones for the same seed and draws; return the table."""
    with_store(storage, lambda store: make_moves(store, 1, count, seed))
    stored = stored_in(storage)
    assert stored.table.status is Status.PLAYING
    check_whole(stored)
    return stored


def replay_with_first_key(stored: StoredTable) -> Match:
    """Replay a table without its reseals, from its seed.  Raises BrokenMatch where it drew otherwise."""
    rows = tuple(each for each in stored.records if each.actor != MODERATOR)
    records = parse_records(SETTING.game, rows)
    return Match.replay(SETTING.game, SETTING.seats, SETTING.options, stored.table.seed, records)


# New codes ------------------------------------------------------------------------------------------------


@pytest.mark.promise("T18")
def test_a_game_that_went_back_is_resealed(storage: StorageSettings) -> None:
    """Its last record is a reseal, whose code stands in a notice and in each hand; others keep theirs."""
    begin_and_back_up(storage, 2)
    played = play_on(storage)
    ply = with_store(storage, lambda store: load(store, 2)).table.ply
    restore_backup(storage)

    async def look(store: SqliteStore) -> None:
        stored = await load(store)
        check_whole(stored)
        last = stored.records[-1]
        assert (last.actor, last.user) == (MODERATOR, None)
        table = await Tables(store, GAMES).get(1)
        assert table.match is not None
        assert last.action == f"reseal {table.fairness_code}"
        assert table.match.key is not None
        assert table.fairness_code == commitment(table.match_id, table.match.key) != table.commitment
        assert table.row.seed == played.table.seed, "the seed shown at the end fits the first code"
        code = f"New fairness code: `{table.fairness_code}`"
        assert sum(code in text for text in await notices(store)) == 1
        for seat in range(SETTING.seats):
            post, _ = await hand_content(table, Seat(seat))
            assert f"Fairness code: `{table.fairness_code}`" in post.text
        other = await Tables(store, GAMES).get(2)
        assert (other.row.ply, other.fairness_code) == (ply, other.commitment)

    with_store(storage, look)


def check_draws_of(storage: StorageSettings) -> None:
    """Check that a restored game repeats no draw of the lost moves, but its own when it is restored again."""
    backup = begin_and_back_up(storage)
    lost = play_on(storage)
    replay_with_first_key(lost)
    restore_backup(storage, backup.path)
    first = play_on(storage)
    with pytest.raises(BrokenMatch, match="the seed gives another outcome"):
        replay_with_first_key(first)
    restore_backup(storage, backup.path, NOW + 19)
    again = play_on(storage)
    assert [each.action for each in again.records] == [each.action for each in first.records]


@pytest.mark.promise("T18")
def test_restoring_again_is_no_second_draw(storage: StorageSettings) -> None:
    """The same moves draw the same after each restoration, and nothing that the published seed gives."""
    check_draws_of(storage)


@pytest.mark.promise("T18", sensitivity=True)
@pytest.mark.parametrize("defect", ["same key", "new key each time"])
def test_catches_keys_that_are_wrong(
    storage: StorageSettings, monkeypatch: pytest.MonkeyPatch, defect: str
) -> None:
    """The check above fails where the key stays, or where each restoration draws a new one."""
    if defect == "same key":
        monkeypatch.setattr("rules.deal_key.resealed_key", lambda key, ply: key)
        with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
            check_draws_of(storage)
    else:
        restorations = [0]

        def reseal_again(*stored: Any) -> Record:
            restorations[0] += 1
            return reseal_stored(*stored)

        monkeypatch.setattr("bot.operate.restored_tables.reseal_stored", reseal_again)
        monkeypatch.setattr(
            "rules.deal_key.resealed_key", lambda key, ply: resealed_key(key, ply + restorations[0])
        )
        with pytest.raises(AssertionError):
            check_draws_of(storage)


def test_a_game_that_this_release_does_not_have(storage: StorageSettings) -> None:
    """A game is resealed from its stored records alone; a release that has it plays on."""
    begin_and_back_up(storage)
    play_on(storage)
    restore_backup(storage, games={})
    with open_copy(storage.database) as connection:
        assert inspect_database(connection, replay_check(GAMES)).faults == ()
    resealed = stored_in(storage)
    assert resealed.records[-1].action.startswith("reseal ")
    assert play_on(storage).records[: resealed.table.ply] == resealed.records


def test_words_after_a_restored_backup(storage: StorageSettings) -> None:
    """Words that are cut after the restoration change what follows; the game stays whole and is proved."""
    begin_and_back_up(storage)
    play_on(storage)
    restore_backup(storage)
    uncut = with_store(storage, load).table.ply

    async def cut(store: SqliteStore) -> None:
        decide = partial(cutting.cut_deck, request=request_of(0), words=(CUT_WORDS[1], CUT_WORDS[2]))
        await Tables(store, GAMES).change(1, request_of(0), decide)

    with_store(storage, cut)
    stored = play_on(storage)
    assert stored.records[uncut].action == f"cut {CUT_WORDS[1]} {CUT_WORDS[2]}"


# Lobbies --------------------------------------------------------------------------------------------------


async def _open_lobby(store: SqliteStore) -> int:
    host = request_of(0)
    done = await Tables(store, GAMES).open(
        lambda number, seed, now: lobby.open_table(number, SETTING.game, "", host, seed, now), host
    )
    decide = partial(cutting.cut_deck, request=request_of(0), words=(CUT_WORDS[1], CUT_WORDS[2]))
    await Tables(store, GAMES).change(done.table.number, request_of(0), decide)
    return done.table.number


async def _change(store: SqliteStore, seat: int, decide: Callable[..., Decision], **values: object) -> None:
    request = request_of(seat)
    await Tables(store, GAMES).change(1, request, partial(decide, request=request, **values))


def test_a_lobby_gets_a_new_seed(storage: StorageSettings) -> None:
    """A lobby whose game has begun since deals otherwise: new seed, new code in a notice, no words."""

    async def before(store: SqliteStore) -> bytes:
        await _open_lobby(store)
        await make_backup(store, storage)
        await _change(store, 1, lobby.join)
        await _change(store, 0, lobby.start, busy=False)
        return (await load(store)).table.seed

    seed = with_store(storage, before)
    assert restore_backup(storage).tables.ended == ()

    async def look(store: SqliteStore) -> None:
        table = await Tables(store, GAMES).get(1)
        assert table.status is Status.LOBBY
        assert table.row.seed != seed
        assert table.seats[0].cut_words is None
        assert sum(f"New fairness code: `{table.commitment}`" in text for text in await notices(store)) == 1
        await _change(store, 1, lobby.join)
        await _change(store, 0, lobby.start, busy=False)
        await make_moves(store, 1, 3)
        check_whole(await load(store))

    with_store(storage, look)


# Ended is ended -------------------------------------------------------------------------------------------


async def _play_out(store: SqliteStore) -> None:
    await make_moves(store, 1, 1000)
    assert (await load(store)).table.status is Status.OVER


async def _end(store: SqliteStore) -> None:
    await _change(store, 0, moderation.end)


async def _freeze_and_end(store: SqliteStore) -> None:
    await Tables(store, GAMES).change(1, None, partial(moderation.freeze, reason="Why."))
    await _end(store)


@pytest.mark.promise("T18")
@pytest.mark.parametrize("end", [_play_out, _end, _freeze_and_end])
def test_an_ended_game_stays_ended(
    storage: StorageSettings, end: Callable[[SqliteStore], Awaitable[None]]
) -> None:
    """However often an earlier backup is restored, a game whose seed was shown is not played on."""
    backup = begin_and_back_up(storage)
    seed = stored_in(storage).table.seed
    with_store(storage, end)
    for times in range(2):
        done = restore_backup(storage, backup.path, NOW + 9 + times)
        assert (done.tables.ended, done.tables.asked) == ((1,), ())

        async def look(store: SqliteStore) -> None:
            stored = await load(store)
            check_whole(stored)
            assert stored.table.status is Status.ENDED
            assert not any(each.actor == MODERATOR for each in stored.records)
            (said,) = [text for text in await notices(store) if "stays ended" in text]
            assert seed.hex() in said
            tables = Tables(store, GAMES)
            for decide in (moderation.resume, partial(moderation.roll_back, move=0)):
                with pytest.raises(Refusal):
                    await tables.change(1, request_of(0), partial(decide, request=request_of(0)))
            text = await tables.match_file_text(1, None)
            assert f"Seed: {seed.hex()}" in text, "an ended game gives its whole file"

        with_store(storage, look)


@pytest.mark.promise("T18", sensitivity=True)
def test_catches_a_revived_game(storage: StorageSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check above fails where the replaced database is not asked how a game stands."""
    monkeypatch.setattr("bot.operate.restored_tables.fate_of", lambda row, known: Fate.GOES_ON)
    with pytest.raises(AssertionError):
        test_an_ended_game_stays_ended(storage, _end)


@pytest.mark.parametrize("played", [False, True])
def test_a_closed_lobby_stays_closed(storage: StorageSettings, *, played: bool) -> None:
    """A lobby that was closed, or whose game has ended, does not open again."""

    async def before(store: SqliteStore) -> None:
        await _open_lobby(store)
        await make_backup(store, storage)
        if played:
            await _change(store, 1, lobby.join)
            await _change(store, 0, lobby.start, busy=False)
        await _end(store)

    with_store(storage, before)
    assert restore_backup(storage).tables.ended == (1,)

    async def look(store: SqliteStore) -> None:
        table = await Tables(store, GAMES).get(1)
        assert (table.status, table.row.expires_at) == (Status.CLOSED, None)
        with pytest.raises(Refusal, match="closed"):
            await _change(store, 1, lobby.join)
        assert any("stays closed" in text for text in await notices(store))

    with_store(storage, look)


# Its end may be lost --------------------------------------------------------------------------------------


def _lose_all(storage: StorageSettings) -> None:
    storage.database.unlink()


def _begin_anew(storage: StorageSettings) -> None:
    """Have a bot play without its database, so that another table gets the number, as many changes old."""
    version = stored_in(storage).table.version
    storage.database.unlink()

    async def play(store: SqliteStore) -> None:
        await start_games(store, 1, length=2)
        await query(store, "update matches set version = ?, opened_at = opened_at + 1", version)

    with_store(storage, play)


def _damage(storage: StorageSettings) -> None:
    storage.database.write_bytes(b"rubbish" * 1000)


async def _answer(store: SqliteStore, seat: int, *, agreed: bool) -> None:
    question = (await load(store)).table.question
    assert question is not None
    await _change(store, seat, questions.answer, question_id=question.id, agreed=agreed)


@pytest.mark.promise("T18")
@pytest.mark.parametrize("lose", [_lose_all, _begin_anew, _damage])
def test_players_must_agree_where_the_end_may_be_lost(
    storage: StorageSettings, lose: Callable[[StorageSettings], None]
) -> None:
    """A game that the replaced database does not know is paused until all of its players agree."""
    backup = begin_and_back_up(storage)
    ply = stored_in(storage).table.ply
    for times in range(2):  # the second time the replaced database knows the game, but nobody has agreed
        if not times:
            lose(storage)
        done = restore_backup(storage, backup.path, NOW + 9 + times)
        assert done.tables.asked == (1,)
        assert not done.tables.lost or lose is _begin_anew
        row = stored_in(storage).table
        assert (row.status, row.must_agree, row.ply) == (Status.PAUSED, True, ply + 1)
        assert row.question is not None
        assert row.question.asked == tuple(seat.user for seat in row.seats)

    async def go_on(store: SqliteStore) -> None:
        kinds = {each.kind for each in await store.deliveries(1)}
        assert {DeliveryKind.QUESTION, DeliveryKind.BOARD} <= kinds
        with pytest.raises(Refusal, match="asked already"):
            await _change(store, 0, moderation.resume)
        await _answer(store, 1, agreed=False)
        assert (await load(store)).table.status is Status.PAUSED
        await _change(store, 0, moderation.resume)
        assert (await load(store)).table.status is Status.PAUSED, "it asks again"
        for seat in range(SETTING.seats):
            assert (await load(store)).table.status is Status.PAUSED
            await _answer(store, seat, agreed=True)
        assert not (await load(store)).table.must_agree
        assert cutting.may_cut(await Tables(store, GAMES).get(1), request_of(0).user)

    with_store(storage, go_on)
    play_on(storage)
    assert restore_backup(storage, backup.path, NOW + 29).tables.asked == (), "they have agreed"


def test_a_frozen_game_asks_after_its_thaw(storage: StorageSettings) -> None:
    """A game that was frozen in the backup, and whose end may be lost, is paused when it is thawed."""
    begin_and_back_up(storage)

    async def freeze(store: SqliteStore) -> None:
        await Tables(store, GAMES).change(1, None, partial(moderation.freeze, reason="Why."))
        await make_backup(store, storage, NOW + 5)

    with_store(storage, freeze)
    _lose_all(storage)
    assert restore_backup(storage).tables.asked == (1,)

    async def thaw(store: SqliteStore) -> None:
        assert (await load(store)).table.status is Status.FROZEN
        await Tables(store, GAMES).change(1, None, partial(moderation.thaw, reason="It plays."))
        assert (await load(store)).table.status is Status.PAUSED
        await _change(store, 0, moderation.resume)
        for seat in range(SETTING.seats):
            await _answer(store, seat, agreed=True)

    with_store(storage, thaw)
    play_on(storage)


def test_holders_of_lost_moves_are_kept(storage: StorageSettings) -> None:
    """Whoever has had a seat since the backup has seen its hand, and may get no other seat."""
    backup = begin_and_back_up(storage)

    async def replace_ben(store: SqliteStore) -> None:
        def decide(table: Table) -> Decision:
            return Decision(table=table.with_player(1, SeatRow("Chloé", request_of(2).user)), reply="")

        await Tables(store, GAMES).change(1, None, decide)

    with_store(storage, replace_ben)
    restore_backup(storage, backup.path)

    async def look(store: SqliteStore) -> None:
        table = await Tables(store, GAMES).get(1)
        assert table.seat_of(request_of(2).user) is None
        assert not table.may_hold(request_of(2).user, 0)
        assert table.may_hold(request_of(2).user, 1)

    with_store(storage, look)


# What becomes of each table -------------------------------------------------------------------------------


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("known", [None, *Status])
@pytest.mark.parametrize("waits", [False, True])
def test_fates(status: Status, known: Status | None, *, waits: bool) -> None:
    """Nothing that the replaced database knows as closed goes on; what it does not know is asked about."""
    row = TableRow(
        number=1,
        game=SETTING.game.key,
        rules_version=1,
        options="",
        status=status,
        host=1,
        guild=None,
        lobby_channel=1,
        home=1,
        seed=bytes(32),
        opened_at=0,
        expires_at=None,
    )
    replaced = None if known is None else TableState(row.match_id, Version(0, 1), known, must_agree=waits)
    fate = fate_of(row, replaced)
    if status not in NOT_CLOSED:
        assert fate is Fate.SAME
    elif known is not None and known not in NOT_CLOSED:
        assert fate is Fate.STAYS_ENDED
    elif status is Status.LOBBY:
        assert fate is Fate.LOBBY
    else:
        assert fate is (Fate.ASKED if waits or known in {None, Status.LOBBY} else Fate.GOES_ON)
