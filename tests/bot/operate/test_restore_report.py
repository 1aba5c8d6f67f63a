"""What ``restore`` and ``backup --list`` report."""

import shutil
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.config import StorageSettings
from bot.host.deciders import lobby, moderation
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.tables import Tables
from bot.operate.restored_tables import RestoreOutcome
from bot.store.complete_backup import mark_complete
from bot.store.results import UnratedReason
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from tests.bot.host.playing import open_lobby, request_of_person
from tests.bot.operate.databases import (
    NOW,
    SETUP,
    RunCommandLine,
    make_backup,
    make_moves,
    run_with_store,
    start_games,
)
from tests.bot.operate.restoring import change_table_as, restore_backup
from tests.bot.store.sample_rows import dump


def test_restore_says_one_thing_of_each_table(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """What went back and is unrated, what lost no move, what stays ended, what was a lobby."""
    lobby_number = run_with_store(
        storage_with_games, lambda store: open_lobby(Tables(store, GAMES), SETUP.game)
    )
    run("backup")

    async def go_on(store: SqliteStore) -> None:
        await make_moves(store, 1, 1)
        tables, request = Tables(store, GAMES), request_of_person(0)
        await tables.change(2, None, partial(moderation.freeze, reason="Why."))
        await tables.change(2, None, partial(moderation.thaw, reason="Well."))
        await tables.change(3, request, partial(moderation.end, request=request))
        join = partial(lobby.join, request=request_of_person(1))
        await tables.change(lobby_number, request_of_person(1), join)

    run_with_store(storage_with_games, go_on)
    _, out, _ = run("restore")
    lines = [line for line in out.splitlines() if "No. " in line or "rated" in line]
    assert lines[0].startswith("Table No. 1 went back to move ")
    assert lines[1:] == [
        "Table No. 2 went back, but has lost no move.",
        "Table No. 3 had ended since, so it stays ended.",
        f"Lobby No. {lobby_number} went back.",
        "Games that went back are no longer rated.",
    ]

    async def check_ratings(store: SqliteStore) -> None:
        tables = Tables(store, GAMES)
        assert unrated_reason_so_far(await tables.get(1)) is UnratedReason.RESTORED
        assert unrated_reason_so_far(await tables.get(2)) is None
        await make_moves(store, 2, 1)

    run_with_store(storage_with_games, check_ratings)


def test_a_damaged_backup_is_named(storage_with_games: StorageSettings, run: RunCommandLine) -> None:
    """``backup --list`` finds it, and ``restore`` says that it takes an older one, and why."""
    good = run_with_store(storage_with_games, lambda store: make_backup(store, storage_with_games)).path
    newer = run_with_store(
        storage_with_games, lambda store: make_backup(store, storage_with_games, NOW + 60)
    ).path
    content = newer.read_bytes()
    middle = len(content) // 2
    newer.write_bytes(content[: middle - 3000] + b"\xff" * 6000 + content[middle + 3000 :])
    code, out, _ = run("backup", "--list")
    assert code == 1
    good_line, damaged_line = out.splitlines()
    assert good_line.startswith(f"{good}: 3 tables, ")
    assert damaged_line.startswith(f"{newer}: The copy {newer.name} is not good: ")
    code, out, _ = run("restore")
    assert code == 0
    assert out.startswith(f"A newer backup was passed over: The copy {newer.name} is not good: ")
    assert f"\nRestored from {good}.\n" in out


def test_the_backup_of_a_lost_database_loses_nothing(
    storage_with_games: StorageSettings, run: RunCommandLine
) -> None:
    """If the bot has marked it, no table goes back; once it is restored, the mark is gone."""
    backup = run_with_store(storage_with_games, lambda store: make_backup(store, storage_with_games))
    content = run_with_store(storage_with_games, dump)
    mark_complete(backup.path)
    storage_with_games.database.unlink()
    _, out, _ = run("restore")
    assert out.splitlines()[1:] == [
        "This backup holds three tables.",
        "The bot made it of all that the lost database held: nothing is lost.",
    ]
    assert run_with_store(storage_with_games, dump) == content
    storage_with_games.database.unlink()
    assert "Table No. 1 went back to move " in run("restore")[1], "moves may have followed"


def test_a_mark_in_another_folder_counts_once(storage_with_games: StorageSettings, tmp_path: Path) -> None:
    """Where somebody has copied the backups and names one, moves may follow it, too."""
    backup = run_with_store(storage_with_games, lambda store: make_backup(store, storage_with_games))
    copy = Path(shutil.copytree(storage_with_games.backup_folder, tmp_path / "copies")) / backup.path.name
    mark_complete(copy)
    for is_complete in (True, False):
        storage_with_games.database.unlink()
        assert restore_backup(storage_with_games, copy).has_whole_backup is is_complete


def test_without_the_removal_of_the_mark_nothing_is_restored(
    storage_with_games: StorageSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the next restoration would hide what was lost."""
    backup = run_with_store(storage_with_games, lambda store: make_backup(store, storage_with_games))
    mark_complete(backup.path)
    storage_with_games.database.unlink()
    monkeypatch.setattr("bot.operate.restore.remove_mark", Mock(side_effect=PermissionError(13, "denied")))
    with pytest.raises(PermissionError):
        restore_backup(storage_with_games)
    assert not storage_with_games.database.exists()


def test_a_mark_is_of_one_backup(storage_with_games: StorageSettings) -> None:
    """An older backup is none of all that was stored, and a database that is there may know more."""
    older = run_with_store(storage_with_games, lambda store: make_backup(store, storage_with_games)).path
    run_with_store(storage_with_games, lambda store: make_moves(store, 1, 1))
    newer = run_with_store(
        storage_with_games, lambda store: make_backup(store, storage_with_games, NOW + 60)
    ).path
    run_with_store(storage_with_games, lambda store: make_moves(store, 1, 1))
    mark_complete(newer)
    assert not restore_backup(storage_with_games, newer).has_whole_backup
    mark_complete(newer)
    storage_with_games.database.unlink()
    assert not restore_backup(storage_with_games, older).has_whole_backup


def test_an_older_database_does_not_know_that_no_move_was_lost(storage: StorageSettings) -> None:
    """Where somebody has put an older file in the database's place, its table counts as having lost moves."""
    run_with_store(storage, lambda store: start_games(store, 1))
    old_copy = storage.database.read_bytes()

    async def pause_and_back_up(store: SqliteStore) -> None:
        await change_table_as(store, 0, moderation.pause)
        await make_backup(store, storage)
        await change_table_as(store, 0, moderation.resume)
        await make_moves(store, 1, 2)

    run_with_store(storage, pause_and_back_up)
    storage.database.write_bytes(old_copy)
    assert [each.outcome for each in restore_backup(storage).tables.restored] == [RestoreOutcome.GOES_ON]
