"""P20, P22: an ended game stays ended; where its end may be lost, its players must agree to go on."""

from collections.abc import Awaitable, Callable
from functools import partial
from unittest.mock import AsyncMock

import msgspec
import pytest

from bot.config import StorageSettings
from bot.host.deciders import cutting, lobby, moderation, questions, voting
from bot.host.deciders.decision import Decision
from bot.host.erasing import erase_person
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.operate.commands import restoration_lines
from bot.operate.restored_tables import RestoreOutcome, find_restore_outcome
from bot.store.delivery_rows import DeliveryKind
from bot.store.restoring import TableState
from bot.store.rows import LIVE_STATUSES, Status, TableRow, TableVersion
from bot.store.seat_rows import SeatRow
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from rules.model import MODERATOR
from tests.bot.host.playing import assert_records_whole, request_of_person
from tests.bot.operate.databases import (
    NOW,
    SETUP,
    make_backup,
    make_moves,
    run_with_store,
    start_games,
)
from tests.bot.operate.restoring import (
    begin_and_back_up,
    change_table_as,
    load_table,
    open_lobby_and_cut,
    play_on,
    read_stored_table,
    restore_backup,
    waiting_texts,
)
from tests.bot.store.sample_rows import execute_sql

# Ended is ended -------------------------------------------------------------------------------------------


async def _play_out(store: SqliteStore) -> None:
    await make_moves(store, 1, 1000)
    assert (await load_table(store)).row.status is Status.OVER


async def _end(store: SqliteStore) -> None:
    await change_table_as(store, 0, moderation.end)


async def _freeze_and_end(store: SqliteStore) -> None:
    await Tables(store, GAMES).change(1, None, partial(moderation.freeze, reason="Why."))
    await _end(store)


@pytest.mark.trust_test("T18")
@pytest.mark.parametrize("end", [_play_out, _end, _freeze_and_end])
def test_an_ended_game_stays_ended(
    storage: StorageSettings, end: Callable[[SqliteStore], Awaitable[None]]
) -> None:
    """However often an earlier backup is restored, a game whose seed was shown is not played on."""
    backup = begin_and_back_up(storage)
    seed = read_stored_table(storage).row.seed
    run_with_store(storage, end)
    for earlier_restore_count in range(2):
        restoration = restore_backup(storage, backup.path, NOW + 9 + earlier_restore_count)
        assert (restoration.tables.ended, restoration.tables.needing_agreement) == ((1,), ())

        async def check_restored(store: SqliteStore) -> None:
            stored = await load_table(store)
            assert_records_whole(stored)
            assert stored.row.status is Status.ENDED_EARLY
            assert not any(each.actor == MODERATOR for each in stored.records)
            (notice,) = [text for text in await waiting_texts(store) if "stays ended" in text]
            assert seed.hex() in notice
            newest_delivery = (await store.waiting_deliveries(1))[-1]
            assert newest_delivery.kind is DeliveryKind.NOTICE, "nothing with buttons is posted again"
            tables = Tables(store, GAMES)
            for decide in (moderation.resume, partial(moderation.roll_back, move_number=0)):
                with pytest.raises(Refusal):
                    await tables.change(
                        1, request_of_person(0), partial(decide, request=request_of_person(0))
                    )
            text = await tables.match_file_text(1, None)
            assert f"Seed: {seed.hex()}" in text, "an ended game gives its whole file"

        run_with_store(storage, check_restored)


@pytest.mark.trust_test("T18", sensitivity=True)
def test_catches_a_revived_game(storage: StorageSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sensitivity: the check above fails where the replaced database is not asked how a game stands."""
    monkeypatch.setattr(
        "bot.operate.restored_tables.find_restore_outcome",
        lambda row, replaced_state, keeps_moves: RestoreOutcome.GOES_ON,
    )
    with pytest.raises(AssertionError):
        test_an_ended_game_stays_ended(storage, _end)


@pytest.mark.parametrize("was_played", [False, True])
def test_a_closed_lobby_stays_closed(storage: StorageSettings, *, was_played: bool) -> None:
    """A lobby that was closed, or whose game has ended, does not open again."""

    async def back_up_and_close(store: SqliteStore) -> None:
        await open_lobby_and_cut(store)
        await make_backup(store, storage)
        if was_played:
            await change_table_as(store, 1, lobby.join)
            await change_table_as(store, 0, lobby.start, is_channel_busy=False)
        await _end(store)

    run_with_store(storage, back_up_and_close)
    assert restore_backup(storage).tables.ended == (1,)

    async def check_restored(store: SqliteStore) -> None:
        table = await Tables(store, GAMES).get(1)
        assert (table.status, table.row.expires_at) == (Status.CLOSED, None)
        assert table.row.lobby == table.row.lobby.as_over(), "it names nobody who was invited or seen"
        with pytest.raises(Refusal, match="closed"):
            await change_table_as(store, 1, lobby.join)
        assert any("stays closed" in text for text in await waiting_texts(store))

    run_with_store(storage, check_restored)


def test_the_notice_of_a_closed_lobby_names_no_move(storage: StorageSettings) -> None:
    """Not even the one to which games go back, where only an erasure since the backup is lost."""

    async def close_back_up_and_erase(store: SqliteStore) -> None:
        await open_lobby_and_cut(store)
        await _end(store)
        await make_backup(store, storage)
        await erase_person(Tables(store, GAMES), request_of_person(0), AsyncMock())

    async def check_restored(store: SqliteStore) -> None:
        (text,) = [text for text in await waiting_texts(store) if "restored from backup" in text]
        assert "move" not in text

    run_with_store(storage, close_back_up_and_erase)
    restore_backup(storage)
    run_with_store(storage, check_restored)


# Its end may be lost --------------------------------------------------------------------------------------


def _lose_all(storage: StorageSettings) -> None:
    storage.database.unlink()


def _begin_anew(storage: StorageSettings) -> None:
    """Have a bot play without its database, so that another table gets the number, as many changes old."""
    version = read_stored_table(storage).row.version
    storage.database.unlink()

    async def play(store: SqliteStore) -> None:
        await start_games(store, 1, move_count=2)
        await execute_sql(store, "update matches set version = ?, opened_at = opened_at + 1", version)

    run_with_store(storage, play)


def _damage(storage: StorageSettings) -> None:
    storage.database.write_bytes(b"rubbish" * 1000)


async def _vote(store: SqliteStore, seat: int, *, is_yes: bool) -> None:
    question = (await load_table(store)).row.question
    assert question is not None
    await change_table_as(store, seat, voting.vote, question_id=question.id, is_yes=is_yes)


@pytest.mark.trust_test("T18")
@pytest.mark.parametrize("lose", [_lose_all, _begin_anew, _damage])
def test_players_must_agree_where_the_end_may_be_lost(
    storage: StorageSettings, lose: Callable[[StorageSettings], None]
) -> None:
    """A game that the replaced database does not know is paused until all of its players agree."""
    backup = begin_and_back_up(storage)
    ply = read_stored_table(storage).row.ply
    # The second time the replaced database knows the game, but nobody has agreed.
    for earlier_restore_count in range(2):
        if not earlier_restore_count:
            lose(storage)
        restoration = restore_backup(storage, backup.path, NOW + 9 + earlier_restore_count)
        assert restoration.tables.needing_agreement == (1,)
        assert not restoration.tables.lost or lose is _begin_anew
        row = read_stored_table(storage).row
        assert (row.status, row.needs_agreement_to_go_on, row.ply) == (Status.PAUSED, True, ply + 1)
        assert row.question is not None
        assert row.question.asked_users == tuple(seat.user for seat in row.seats)

    async def go_on(store: SqliteStore) -> None:
        kinds = {each.kind for each in await store.waiting_deliveries(1)}
        assert {DeliveryKind.QUESTION, DeliveryKind.BOARD} <= kinds
        with pytest.raises(Refusal, match="asked already"):
            await change_table_as(store, 0, moderation.resume)
        await _vote(store, 1, is_yes=False)
        assert (await load_table(store)).row.status is Status.PAUSED
        with pytest.raises(Refusal, match="declined"):
            await change_table_as(store, 0, moderation.resume)
        later_request = msgspec.structs.replace(request_of_person(0), at=NOW + 9 + questions.VOTING_TIME + 60)
        await Tables(store, GAMES).change(1, later_request, partial(moderation.resume, request=later_request))
        assert (await load_table(store)).row.status is Status.PAUSED, "it asks again"
        for seat in range(SETUP.seat_count):
            assert (await load_table(store)).row.status is Status.PAUSED
            await _vote(store, seat, is_yes=True)
        assert not (await load_table(store)).row.needs_agreement_to_go_on
        assert cutting.may_cut(await Tables(store, GAMES).get(1), request_of_person(0).user)

    run_with_store(storage, go_on)
    play_on(storage)
    assert restore_backup(storage, backup.path, NOW + 29).tables.needing_agreement == (), "they have agreed"


def test_a_frozen_game_asks_after_its_thaw(storage: StorageSettings) -> None:
    """A game that was frozen in the backup, and whose end may be lost, is called paused once it is thawed."""
    begin_and_back_up(storage)

    async def freeze(store: SqliteStore) -> None:
        await Tables(store, GAMES).change(1, None, partial(moderation.freeze, reason="Why."))
        await make_backup(store, storage, NOW + 5)

    run_with_store(storage, freeze)
    _lose_all(storage)
    restoration = restore_backup(storage)
    assert restoration.tables.needing_agreement == (1,)
    assert "paused" not in " ".join(restoration_lines(restoration))

    async def thaw(store: SqliteStore) -> None:
        assert (await load_table(store)).row.status is Status.FROZEN
        texts = await waiting_texts(store)
        assert any("All of its players must agree" in text for text in texts)
        assert not any("paused" in text for text in texts)
        await Tables(store, GAMES).change(1, None, partial(moderation.thaw, reason="It plays."))
        assert (await load_table(store)).row.status is Status.PAUSED
        assert (await waiting_texts(store))[-1].endswith("can ask them with **Resume**."), "it was not paused"
        await change_table_as(store, 0, moderation.resume)
        for seat in range(SETUP.seat_count):
            await _vote(store, seat, is_yes=True)

    run_with_store(storage, thaw)
    play_on(storage)


# Lost moves -----------------------------------------------------------------------------------------------


def test_who_had_a_seat_in_the_lost_moves_is_remembered(storage: StorageSettings) -> None:
    """Whoever has had a seat since the backup has seen its hand, and may get no other seat."""
    backup = begin_and_back_up(storage)

    async def replace_ben(store: SqliteStore) -> None:
        def decide(table: Table) -> Decision:
            return Decision(
                table=table.with_player(1, SeatRow("Chloé", request_of_person(2).user)), answer=""
            )

        await Tables(store, GAMES).change(1, None, decide)

    run_with_store(storage, replace_ben)
    restore_backup(storage, backup.path)

    async def check_restored(store: SqliteStore) -> None:
        table = await Tables(store, GAMES).get(1)
        assert table.seat_of(request_of_person(2).user) is None
        assert not table.may_hold(request_of_person(2).user, 0)
        assert table.may_hold(request_of_person(2).user, 1)

    run_with_store(storage, check_restored)


@pytest.mark.parametrize("move_count", [0, 1])
def test_lost_moves_are_named_where_there_are_some(storage: StorageSettings, move_count: int) -> None:
    """The notices of a table speak of lost moves exactly if some were played since the backup."""
    backup = begin_and_back_up(storage)

    async def go_on(store: SqliteStore) -> None:
        await make_moves(store, 1, move_count)
        await change_table_as(store, 0, moderation.pause)

    run_with_store(storage, go_on)
    # The second time only the new code is lost.
    for earlier_restore_count, lost_move_count in enumerate((move_count, 0)):
        restore_backup(storage, backup.path, NOW + 9 + earlier_restore_count)
        texts = run_with_store(storage, waiting_texts)
        assert any("after that backup is" in text for text in texts)
        assert any("No move is lost" in text for text in texts) is not bool(move_count)
        assert any("lost moves" in text for text in texts) is bool(lost_move_count)


# What becomes of each table -------------------------------------------------------------------------------


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("replaced_status", [None, *Status])
@pytest.mark.parametrize("needs_agreement_to_go_on", [False, True])
def test_each_pair_of_statuses_has_its_outcome(
    status: Status, replaced_status: Status | None, *, needs_agreement_to_go_on: bool
) -> None:
    """Nothing that the replaced database knows as closed goes on; what it does not know is asked about."""
    row = TableRow(
        number=1,
        game_key=SETUP.game.key,
        rules_version=1,
        options="",
        status=status,
        host=1,
        guild=None,
        lobby_channel=1,
        game_channel=1,
        seed=bytes(32),
        opened_at=0,
        expires_at=None,
    )
    replaced = (
        None
        if replaced_status is None
        else TableState(
            row.match_id,
            TableVersion(0, 1),
            replaced_status,
            needs_agreement_to_go_on=needs_agreement_to_go_on,
        )
    )
    outcome = find_restore_outcome(row, replaced)
    if status not in LIVE_STATUSES:
        assert outcome is RestoreOutcome.STAYS_CLOSED
    elif replaced_status is not None and replaced_status not in LIVE_STATUSES:
        assert outcome is RestoreOutcome.ENDED_SINCE
    elif status is Status.LOBBY:
        assert outcome is RestoreOutcome.LOBBY
    else:
        assert outcome is (
            RestoreOutcome.NEEDS_AGREEMENT
            if needs_agreement_to_go_on or replaced_status in {None, Status.LOBBY}
            else RestoreOutcome.GOES_ON
        )
