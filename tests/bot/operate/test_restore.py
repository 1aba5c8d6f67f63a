"""Restoring: all tables go back together, nothing is deleted, and tables that went back get a notice."""

import asyncio
import errno
import resource
import shutil
from pathlib import Path

import msgspec
import pytest

from bot.chat.components import CustomId, parse_custom_id
from bot.chat.lookup import resolve_button_table
from bot.chat.post_parts import table_custom_id
from bot.config import StorageSettings
from bot.host.deciders import moderation
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.operate.restore import NothingToRestore, restore
from bot.store import restoring
from bot.store.backup_folder import backups_in, mark_folder_in_use
from bot.store.inspection import open_read_only
from bot.store.protocol import Backup, BackupFailed, StoreError
from bot.store.restoring import DatabaseInUse, lock_database
from bot.store.sqlite import SqliteStore, open_store
from rules.catalogue import GAMES
from tests.bot.host.playing import assert_records_whole, begin, request_of_person
from tests.bot.operate.databases import (
    NOW,
    SETUP,
    make_backup,
    make_moves,
    read_move_count,
    run_with_store,
    start_games,
    storage_in,
)
from tests.bot.operate.restoring import change_table_as, move_numbers, open_lobby_and_cut, restore_backup
from tests.bot.store.later_release import later_release
from tests.bot.store.sample_rows import dump, execute_sql


async def _ids_of_play_buttons(store: SqliteStore, numbers: list[int]) -> dict[int, CustomId]:
    tables = Tables(store, GAMES)
    return {number: table_custom_id(await tables.get(number), "play") for number in numbers}


def play_beyond_backup(
    storage: StorageSettings,
) -> tuple[Backup, dict[int, int], dict[int, CustomId], dict[int, CustomId]]:
    """Start three games, make a backup, go on in two of them and open a fourth.

    Returns the backup, the number of moves of each game in it, and the buttons at the backup and at the end.
    """

    async def start_and_back_up(store: SqliteStore) -> tuple[Backup, dict[int, int], dict[int, CustomId]]:
        numbers = await start_games(store)
        move_counts = {number: await read_move_count(store, number) for number in numbers}
        return await make_backup(store, storage), move_counts, await _ids_of_play_buttons(store, numbers)

    async def go_on(store: SqliteStore) -> dict[int, CustomId]:
        for number in (1, 2):
            await make_moves(store, number, 4, seed=5)
        await begin(Tables(store, GAMES), SETUP)
        return await _ids_of_play_buttons(store, [1, 2, 3, 4])

    backup, move_counts, old_buttons = run_with_store(storage, start_and_back_up)
    return backup, move_counts, old_buttons, run_with_store(storage, go_on)


@pytest.mark.trust_test("T18")
def test_everything_goes_back_together(storage: StorageSettings) -> None:
    """The tables are as in the backup; those that went back get a notice, the others do not."""
    backup, move_counts, _, _ = play_beyond_backup(storage)
    restoration = restore_backup(storage)
    assert restoration.source == backup.path
    assert move_numbers(restoration) == {1: move_counts[1], 2: move_counts[2]}
    assert restoration.tables.lost == (4,)

    async def check_restored(store: SqliteStore) -> None:
        tables = Tables(store, GAMES)
        for number in (1, 2, 3):
            stored = await store.load(number)
            assert stored is not None
            assert_records_whole(stored)
            assert (await tables.get(number)).move_count == move_counts[number]
            texts = [each.text for each in await store.waiting_deliveries(number)]
            restored_notices = [
                text for text in texts if f"restored from backup to move {move_counts[number]}" in text
            ]
            assert len(restored_notices) == (number != 3)
            kinds = [
                each.kind.value
                for each in await store.waiting_deliveries(number)
                if each.slot.keeps_only_newest
            ]
            assert number == 3 or {"board", "hand"} <= set(kinds)
        assert await store.load(4) is None
        assert await store.next_table_number() == 5, "the number of a lost table is not used again"
        assert await make_moves(store, 1, 2, seed=9) == move_counts[1] + 2
        entries = await execute_sql(store, "select match, entry from audit_log order by match")
        assert entries == [(n, f"restored from backup to move {move_counts[n]}") for n in (1, 2)]

    run_with_store(storage, check_restored)


@pytest.mark.trust_test("T18")
def test_old_buttons(storage: StorageSettings) -> None:
    """Buttons of lost moves and lost tables always say what happened; those of unchanged tables work."""
    _, move_counts, old_buttons, last_buttons = play_beyond_backup(storage)
    restore_backup(storage)

    async def press(store: SqliteStore) -> None:
        for _ in range(2):  # the second time the game has come to where the lost one was
            tables = Tables(store, GAMES)
            for number in (1, 2):
                for button in (old_buttons[number], last_buttons[number]):
                    text = rf"restored from backup to move {move_counts[number]}\b"
                    with pytest.raises(Refusal, match=text):
                        await resolve_button_table(tables, button, request_of_person(0))
            await resolve_button_table(tables, last_buttons[3], request_of_person(0))
            for new_button in (await _ids_of_play_buttons(store, [1, 2, 3])).values():
                assert parse_custom_id(str(new_button)) == new_button
                await resolve_button_table(tables, new_button, request_of_person(0))
            while (await tables.get(1)).row.ply < last_buttons[1].ply and (
                await tables.get(1)
            ).to_act is not None:
                await make_moves(store, 1, 1, seed=11)
                tables = Tables(store, GAMES)
        await store.set_metadata("highest lost", "0")  # as if the lost database could not have been read
        assert await begin(Tables(store, GAMES), SETUP) == 4
        with pytest.raises(Refusal, match="lost"):
            await resolve_button_table(Tables(store, GAMES), last_buttons[4], request_of_person(0))

    run_with_store(storage, press)


def test_an_old_button_of_a_closed_lobby_names_no_board(storage: StorageSettings) -> None:
    """There is no board to ask for."""

    async def close_after_backup(store: SqliteStore) -> CustomId:
        number = await open_lobby_and_cut(store)
        button = table_custom_id(await Tables(store, GAMES).get(number), "join")
        await make_backup(store, storage)
        await change_table_as(store, 0, moderation.end)
        return button

    async def check_restored(store: SqliteStore) -> None:
        with pytest.raises(Refusal, match="This button is out of date") as refused:
            await resolve_button_table(Tables(store, GAMES), button, request_of_person(1))
        assert "/board" not in str(refused.value)
        assert "to move" not in str(refused.value)

    button = run_with_store(storage, close_after_backup)
    restore_backup(storage)
    run_with_store(storage, check_restored)


def test_an_old_button_of_an_unplayable_game_names_no_board(storage: StorageSettings) -> None:
    """A game that a release has frozen since shows no board either."""
    _, move_counts, _, last_buttons = play_beyond_backup(storage)
    restore_backup(storage)

    async def press(store: SqliteStore) -> None:
        await execute_sql(store, "update matches set rules_version = 99 where number = 1")
        with pytest.raises(Refusal, match=f"to move {move_counts[1]}") as refused:
            await resolve_button_table(Tables(store, GAMES), last_buttons[1], request_of_person(0))
        assert "/board" not in str(refused.value)

    run_with_store(storage, press)


@pytest.mark.trust_test("T18", sensitivity=True)
def test_catches_restored_tables_of_the_old_generation(
    storage: StorageSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sensitivity: the check above fails where the tables that went back keep their generation."""

    async def leave_unchanged(*_: object) -> tuple[tuple[()], ...]:
        return (), (), (), ()

    monkeypatch.setattr("bot.operate.restore._restore_tables", leave_unchanged)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        test_old_buttons(storage)


def test_the_replaced_database_is_kept(storage: StorageSettings) -> None:
    """The replaced database is kept as a file, and can be restored in turn."""
    play_beyond_backup(storage)
    dump_before = run_with_store(storage, dump)
    first_restoration = restore_backup(storage)
    assert first_restoration.replaced_path is not None
    with open_read_only(first_restoration.replaced_path) as connection:
        assert sorted(connection.iterdump()) == sorted(dump_before)
    second_restoration = restore_backup(storage, first_restoration.replaced_path, NOW + 9)
    assert second_restoration.replaced_path is not None
    assert second_restoration.replaced_path != first_restoration.replaced_path
    assert second_restoration.tables.needing_agreement == (4,), "what became of it meanwhile is not known"

    async def read_generation(store: SqliteStore) -> str | None:
        return await store.get_metadata("generation")

    assert run_with_store(storage, read_generation) == "2"
    assert {path.name for path in storage.database.parent.iterdir()} == {
        "backups",
        "tables.db",
        first_restoration.replaced_path.name,
        second_restoration.replaced_path.name,
    }


@pytest.mark.parametrize("damage", ["missing", "rubbish", "inside"])
def test_a_lost_or_damaged_database(storage: StorageSettings, damage: str) -> None:
    """Where the old database cannot be read every live table gets a notice; generations never repeat."""
    _, move_counts, _, last_buttons = play_beyond_backup(storage)
    restore_backup(storage)  # the first time: generation 1
    run_with_store(storage, lambda store: make_backup(store, storage, NOW + 20))
    oldest_backup = backups_in(storage.backup_folder)[0].path
    assert oldest_backup == storage.backup_folder / "captains-table-20260921-141320.db"
    wal = storage.database.with_name("tables.db-wal")
    match damage:
        case "missing":
            storage.database.unlink()
        case "rubbish":
            storage.database.write_bytes(b"rubbish" * 1000)
            wal.write_bytes(b"its neighbour")
        case _:
            content = storage.database.read_bytes()
            storage.database.write_bytes(content[:4096] + bytes(len(content) - 4096))
    restoration = restore_backup(storage, oldest_backup, NOW + 30)
    assert restoration.tables.lost is None
    assert move_numbers(restoration).keys() == {1, 2, 3}
    assert not wal.exists()
    assert (restoration.replaced_path is None) == (damage == "missing")

    async def check_restored(store: SqliteStore) -> None:
        tables = Tables(store, GAMES)
        for number in (1, 2, 3):
            assert (await tables.get(number)).row.generation == 2
            with pytest.raises(Refusal, match=f"to move {move_counts[number]}"):
                await resolve_button_table(tables, last_buttons[number], request_of_person(0))
        await make_moves(store, 1, 2)

    run_with_store(storage, check_restored)


def test_the_log_of_a_missing_database_stays_out(storage: StorageSettings) -> None:
    """What SQLite had beside a database that is gone never gets into the restored one."""
    backup, move_counts, *_ = play_beyond_backup(storage)
    wal = storage.database.with_name("tables.db-wal")

    async def play_and_read_log(store: SqliteStore) -> bytes:
        await make_moves(store, 1, 3)
        return wal.read_bytes()

    log = run_with_store(storage, play_and_read_log)
    storage.database.unlink()
    wal.write_bytes(log)
    restore_backup(storage, backup.path)
    assert not wal.exists()
    assert run_with_store(storage, lambda store: read_move_count(store, 1)) == move_counts[1]
    (kept_log,) = storage.database.parent.glob("replaced-*")
    assert kept_log.read_bytes() == log, "nothing is deleted"


def test_a_file_is_restored_with_its_log(storage: StorageSettings, tmp_path: Path) -> None:
    """The copied files of a bot that was killed are restored with the moves that only their log has."""
    copy = tmp_path / "copied.db"

    async def play_and_copy(store: SqliteStore) -> int:
        await start_games(store, 1)
        async with store.unchanging_file():
            move_count = await make_moves(store, 1, 3)
            for suffix in ("", "-wal"):
                side_file = storage.database.with_name(storage.database.name + suffix)
                copy.with_name(copy.name + suffix).write_bytes(side_file.read_bytes())
        return move_count

    move_count = run_with_store(storage, play_and_copy)
    storage.database.unlink()
    assert move_numbers(restore_backup(storage, copy)) == {1: move_count}
    assert run_with_store(storage, lambda store: read_move_count(store, 1)) == move_count
    assert {path.name for path in storage.database.parent.glob("tables.db*")} == {"tables.db"}


def test_an_unreachable_database_is_not_damaged(storage: StorageSettings) -> None:
    """A database that cannot be opened or written to is refused, not taken for a damaged one."""
    backup, *_ = play_beyond_backup(storage)
    dump_before = run_with_store(storage, dump)
    usual_limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(
        resource.RLIMIT_FSIZE, (100, usual_limits[1])
    )  # nothing longer can be written: a full disk
    try:
        with pytest.raises(StoreError, match="may be intact"), lock_database(storage.database):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual_limits)
    assert run_with_store(storage, dump) == dump_before
    storage.database.rename(storage.database.with_name("elsewhere.db"))
    storage.database.mkdir()
    with pytest.raises(StoreError, match="is a folder"):
        restore_backup(storage, backup.path)
    assert storage.database.is_dir()


@pytest.mark.parametrize("failing_step", ["copied", "tables stored", "flushed"])
def test_a_restoration_that_fails_leaves_no_copy(storage: StorageSettings, failing_step: str) -> None:
    """A full disk is not filled further, and the database is as before."""
    backup, *_ = play_beyond_backup(storage)
    dump_before = run_with_store(storage, dump)

    def fail(step: str) -> None:
        if step == failing_step:
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        asyncio.run(restore(storage, GAMES, NOW, backup.path, fail))
    assert {path.name for path in storage.database.parent.iterdir()} == {"backups", "tables.db"}
    assert run_with_store(storage, dump) == dump_before


def test_refused_while_a_bot_runs(storage: StorageSettings) -> None:
    """While a bot holds the database nothing is restored, and nothing changes."""
    backup, *_ = play_beyond_backup(storage)

    async def run(store: SqliteStore) -> None:
        dump_before = await dump(store)
        with pytest.raises(DatabaseInUse, match="stop it"):
            await restore(storage, GAMES, NOW, backup.path)
        assert await dump(store) == dump_before

    run_with_store(storage, run)
    assert {path.name for path in storage.database.parent.iterdir()} == {"backups", "tables.db"}


@pytest.mark.parametrize("is_replaced", [False, True])
def test_refused_while_a_bot_runs_on_a_lost_file(
    storage: StorageSettings, monkeypatch: pytest.MonkeyPatch, *, is_replaced: bool
) -> None:
    """The bot would go on with what nobody keeps; once it has ended, its database is restored."""
    monkeypatch.setattr(restoring, "LOCK_TIMEOUT", 0.0)
    backup, *_ = play_beyond_backup(storage)
    other_file = storage.database.with_name("other.db")

    async def lose_file_and_restore(_: SqliteStore) -> None:
        storage.database.unlink()
        if is_replaced:
            shutil.copyfile(backup.path, other_file)
            other_file.rename(storage.database)
        with pytest.raises(
            DatabaseInUse, match="stop it first, also if its database was deleted or replaced"
        ):
            await restore(storage, GAMES, NOW, backup.path)
        assert storage.database.exists() is is_replaced

    with mark_folder_in_use(storage.backup_folder):
        run_with_store(storage, lose_file_and_restore)
    restoration = asyncio.run(restore(storage, GAMES, NOW, backup.path))
    assert (restoration.replaced_path is None) is not is_replaced
    assert storage.database.exists()


def test_restored_beside_the_database_of_another_bot(storage: StorageSettings, tmp_path: Path) -> None:
    """A bot in the same folder that keeps its backups elsewhere is no reason to refuse."""
    backup, *_ = play_beyond_backup(storage)
    other_storage = msgspec.structs.replace(
        storage, database=storage.database.with_name("other.db"), backup_folder=tmp_path / "others"
    )
    storage.database.unlink()

    async def restore_meanwhile(_: SqliteStore) -> None:
        await restore(storage, GAMES, NOW, backup.path)

    with mark_folder_in_use(other_storage.backup_folder):
        run_with_store(other_storage, restore_meanwhile)
    assert storage.database.exists()


def test_only_good_backups(storage: StorageSettings) -> None:
    """A damaged file is refused if named, and skipped if not; without a good one the command says so."""
    with pytest.raises(NothingToRestore):
        restore_backup(storage)
    good_backup, *_ = play_beyond_backup(storage)
    damaged_backup = run_with_store(storage, lambda store: make_backup(store, storage, NOW + 5))
    damaged_backup.path.write_bytes(damaged_backup.path.read_bytes()[:-8192])
    content_before = storage.database.read_bytes()
    for unusable_backup in (damaged_backup.path, storage.backup_folder / "none.db"):
        with pytest.raises(BackupFailed):
            restore_backup(storage, unusable_backup)
    assert storage.database.read_bytes() == content_before
    assert restore_backup(storage).source == good_backup.path


def test_a_backup_of_an_older_schema(storage: StorageSettings) -> None:
    """A backup of an older schema is migrated when it is restored."""
    backup, move_counts, *_ = play_beyond_backup(storage)

    async def check_restored(store: SqliteStore) -> None:
        assert await make_moves(store, 1, 1) == move_counts[1] + 1

    with later_release():
        restoration = restore_backup(storage, backup.path)
        assert move_numbers(restoration) == {1: move_counts[1], 2: move_counts[2]}
        run_with_store(storage, check_restored)


@pytest.mark.parametrize("is_backup_empty", [False, True])
async def test_deliveries_never_reuse_a_number(tmp_path: Path, *, is_backup_empty: bool) -> None:
    """A delivery's id is its nonce: after a restoration none is one that Discord has just seen."""
    storage = storage_in(tmp_path)
    store = await open_store(storage.database)
    if is_backup_empty:
        backup = await make_backup(store, storage)
        await start_games(store, 1)
    else:
        await start_games(store, 1)
        backup = await make_backup(store, storage)
    await make_moves(store, 1, 5)
    ((highest_id,),) = await execute_sql(store, "select max(id) from outbox")
    await store.close()
    await restore(storage, GAMES, NOW, backup.path)
    store = await open_store(storage.database)
    number = (await start_games(store, 1))[0] if is_backup_empty else 1
    await make_moves(store, number, 1)
    ((newest_id,),) = await execute_sql(store, "select max(id) from outbox")
    waiting_ids = [each.id for each in await store.waiting_deliveries(number)]
    await store.close()
    assert newest_id > highest_id
    assert waiting_ids
    assert all(delivery_id > highest_id for delivery_id in waiting_ids)
