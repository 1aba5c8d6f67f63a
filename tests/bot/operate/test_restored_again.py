"""T18: backups restored again and again, in any order, with frozen tables, and over a changed schema."""

import asyncio
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from bot.chat.components import CustomId
from bot.chat.lookup import resolve_button_table
from bot.chat.post_parts import table_custom_id
from bot.config import StorageSettings
from bot.host.deciders import moderation
from bot.host.deciders.undoing import undo_to
from bot.host.loading import make_replay_check
from bot.host.replay_queue import REPLAYED_FINGERPRINT_KEY
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.backup import SqliteBackups, make_pre_migration_copier
from bot.store.backup_folder import backups_in
from bot.store.protocol import GENERATION_KEY, HIGHEST_LOST_NUMBER_KEY, MAX_METADATA_NUMBER, Backup
from bot.store.rows import Status, StoredTable
from bot.store.sqlite import SqliteStore, open_store
from rules.catalogue import GAMES
from rules.model import MODERATOR
from tests.bot.database_file import open_database_file
from tests.bot.host.altered_releases import ALTERED_GAMES, release_with
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    assert_records_whole,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.operate.databases import (
    NOW,
    SETUP,
    execute_without_record_trigger,
    make_backup,
    make_moves,
    run_with_store,
    start_games,
    storage_in,
)
from tests.bot.operate.restoring import begin_and_back_up, load_table, move_numbers, restore_backup
from tests.bot.store.later_release import later_release, play_games
from tests.bot.store.sample_rows import execute_sql
from tests.trials import trial_count

TRIAL_COUNT = trial_count(3, soak=25)
FROZEN_TRIAL_COUNT = trial_count(1, soak=25)
"""Trials of each way in which a release can differ."""


async def start_games_and_back_up(store: SqliteStore, storage: StorageSettings, rng: random.Random) -> Backup:
    """Start two games that go on, make a backup and return it."""
    tables = Tables(store, GAMES)
    for number in await start_games(store, 2, rng.randint(1, 4)):
        assert (await tables.get(number)).status is Status.PLAYING, "no game ends so soon"
    return await make_backup(store, storage)


async def id_of_play_button(store: SqliteStore, number: int) -> CustomId:
    """Return the id of the button **Play** on the board of a table as it is now."""
    return table_custom_id(await Tables(store, GAMES).get(number), "play")


# The same backup again and again --------------------------------------------------------------------------


def _restore_again_and_again(storage: StorageSettings, seed: int) -> None:
    rng = random.Random(seed)
    backup = run_with_store(storage, lambda store: start_games_and_back_up(store, storage, rng))
    lost_buttons: list[CustomId] = []
    sent_ids: set[int] = set()
    opened_numbers: set[int] = set()

    async def go_on(store: SqliteStore, nth: int) -> None:
        new_button = await id_of_play_button(store, 1)
        await resolve_button_table(Tables(store, GAMES), new_button, request_of_person(0))
        for button in lost_buttons:
            with pytest.raises(Refusal, match="restored from backup"):
                await resolve_button_table(Tables(store, GAMES), button, request_of_person(0))
        waiting_ids = {each.id for each in await store.waiting_deliveries(1)}
        assert waiting_ids
        assert not waiting_ids & sent_ids, "the chat would take it for a repeat"
        await make_moves(store, 1, rng.randint(1, 5), seed=rng.random())
        if nth != 2:  # what was lost the first time is not in the database of the second
            opened = await begin(Tables(store, GAMES), SETUP)
            assert opened not in opened_numbers, "the number of a lost table again"
            opened_numbers.add(opened)
        assert_records_whole(await load_table(store, 1))
        new_ids = await execute_sql(store, "select id from outbox where id > ?", highest_before)
        sent_ids.update(id_ for (id_,) in new_ids)
        lost_buttons.extend((new_button, await id_of_play_button(store, 1)))

    async def read_highest_id(store: SqliteStore) -> int:
        ((found,),) = await execute_sql(store, "select max(id) from outbox")
        return int(found)

    highest_before = run_with_store(storage, read_highest_id)
    run_with_store(storage, lambda store: make_moves(store, 1, 3, seed=rng.random()))
    for nth in range(1, 4):
        restoration = restore_backup(storage, backup.path, NOW + nth)
        assert move_numbers(restoration).keys() == {1}
        run_with_store(storage, partial(go_on, nth=nth))


@pytest.mark.trust_test("T18")
def test_restored_again_and_again(tmp_path: Path, add_trials: Callable[[int], None]) -> None:
    """However often a backup is restored, all is posted again, old buttons say so, no number is reused."""
    for seed in range(TRIAL_COUNT):
        _restore_again_and_again(storage_in(tmp_path / str(seed)), seed)
        add_trials(1)


# What was replaced, after playing on ----------------------------------------------------------------------


def _restore_replaced(storage: StorageSettings, seed: int) -> bool:
    """Restore a backup, play on, restore what was replaced; return False if the game was over too soon."""
    rng = random.Random(seed)
    backup = run_with_store(storage, lambda store: start_games_and_back_up(store, storage, rng))
    run_with_store(storage, lambda store: make_moves(store, 1, rng.randint(3, 6), seed=rng.random()))
    table_before = run_with_store(storage, lambda store: load_table(store, 1))
    restoration = restore_backup(storage, backup.path, NOW + 1)

    async def play_on(store: SqliteStore) -> tuple[CustomId, StoredTable]:
        for _ in range(table_before.row.version):
            if (await load_table(store, 1)).row.version < table_before.row.version:
                await make_moves(store, 1, 1, seed=rng.random())
        return await id_of_play_button(store, 1), await load_table(store, 1)

    button, table_after = run_with_store(storage, play_on)
    if table_after.row.version != table_before.row.version or table_after.row.status is not Status.PLAYING:
        return False
    restoration = restore_backup(storage, restoration.replaced_path, NOW + 2)
    assert move_numbers(restoration).keys() == {1}, "it went back without a notice"

    async def check_restored(store: SqliteStore) -> None:
        stored = await load_table(store, 1)
        assert_records_whole(stored)
        assert stored.records[:-1] == table_before.records, "one record follows: the new code"
        with pytest.raises(Refusal, match="restored from backup"):
            await resolve_button_table(Tables(store, GAMES), button, request_of_person(0))
        for number in (1, 2):
            await resolve_button_table(
                Tables(store, GAMES), await id_of_play_button(store, number), request_of_person(0)
            )
        assert any("restored from backup" in each.text for each in await store.waiting_deliveries(1))

    run_with_store(storage, check_restored)
    return True


@pytest.mark.trust_test("T18")
def test_what_was_replaced_is_restored(tmp_path: Path, add_trials: Callable[[int], None]) -> None:
    """A replaced database comes back after playing on: its tables say so, however many changes they count."""
    restored_count = sum(
        _restore_replaced(storage_in(tmp_path / str(seed)), seed) for seed in range(TRIAL_COUNT)
    )
    assert restored_count > TRIAL_COUNT // 2
    add_trials(restored_count)


# With games that a release does not play ------------------------------------------------------------------


async def _read_statuses(store: SqliteStore, numbers: list[int]) -> set[Status]:
    return {(await load_table(store, number)).row.status for number in numbers}


async def _read_move_counts(store: SqliteStore, numbers: list[int]) -> dict[int, int]:
    tables = Tables(store, GAMES_AND_TOYS)
    return {number: (await tables.get(number)).move_count for number in numbers}


def _restore_with_frozen(storage: StorageSettings, seed: int, difference: str) -> None:
    rng = random.Random(seed)
    release = release_with(ALTERED_GAMES[difference])
    other_setup = default_setup(GAMES_AND_TOYS["pearls"])

    async def start_under_old_release(store: SqliteStore) -> tuple[list[int], int, Backup]:
        tables = Tables(store, GAMES_AND_TOYS)
        frozen_numbers = [
            number for number in await start_games(store, 3, 7) if number in await store.tables_in_play()
        ]
        assert frozen_numbers, "some game goes on after seven moves"
        sound_number = await begin(tables, other_setup)
        await make_move(tables, sound_number, rng)
        await store.set_metadata(REPLAYED_FINGERPRINT_KEY, "the rules of the old release")
        return frozen_numbers, sound_number, await make_backup(store, storage, NOW)

    frozen_numbers, sound_number, old_backup = run_with_store(storage, start_under_old_release)
    records = run_with_store(storage, lambda store: load_table(store, frozen_numbers[0])).records
    move_counts = run_with_store(storage, lambda store: _read_move_counts(store, frozen_numbers))

    async def upgrade_and_back_up(store: SqliteStore) -> Backup:
        tables = Tables(store, release)
        await tables.replay_all()
        assert await _read_statuses(store, frozen_numbers) == {Status.FROZEN}
        backup = await SqliteBackups(store, storage.backup_folder, make_replay_check(release)).make(NOW + 60)
        await make_move(tables, sound_number, rng)
        return backup

    new_backup = run_with_store(storage, upgrade_and_back_up)
    restoration = restore_backup(storage, None, NOW + 120, release)
    assert restoration.source == new_backup.path
    assert move_numbers(restoration).keys() == {sound_number}
    assert restoration.tables.divergent == ()
    assert run_with_store(storage, lambda store: _read_statuses(store, frozen_numbers)) == {Status.FROZEN}
    restoration = restore_backup(storage, old_backup.path, NOW + 180, release)
    assert move_numbers(restoration).keys() == {*frozen_numbers, sound_number}
    assert [number for number, _ in restoration.tables.divergent] == frozen_numbers

    async def check_restored(store: SqliteStore) -> None:
        assert await _read_statuses(store, frozen_numbers) == {Status.FROZEN}, "played on under other rules"
        for number, ply in restoration.tables.divergent:
            texts = [each.text for each in await store.waiting_deliveries(number)]
            assert sum("frozen: I cannot replay its moves" in text for text in texts) == 1
            assert sum(f"(record {ply})" in text for text in texts) == 1
            assert sum(f"restored from backup to move {move_counts[number]}." in text for text in texts) == 1
        tables = Tables(store, release)
        for number in (*frozen_numbers, sound_number):
            await tables.get(number)  # whatever it is, it reads
        await make_move(tables, sound_number, rng)
        assert (await load_table(store, frozen_numbers[0])).records == records, "no move of it was lost"
        tables = Tables(store, GAMES_AND_TOYS)  # a release that plays it right
        await tables.change(frozen_numbers[0], None, partial(moderation.thaw, reason="It plays right again."))
        await make_move(tables, frozen_numbers[0], rng)
        assert_records_whole(await load_table(store, frozen_numbers[0]))

    run_with_store(storage, check_restored)


@pytest.mark.trust_test("T18")
@pytest.mark.parametrize("difference", ALTERED_GAMES)
def test_frozen_tables_prevent_no_restoration(
    tmp_path: Path, difference: str, add_trials: Callable[[int], None]
) -> None:
    """Games that a release cannot play prevent no backup or restoration: they freeze, others continue."""
    for seed in range(FROZEN_TRIAL_COUNT):
        _restore_with_frozen(storage_in(tmp_path / str(seed)), seed, difference)
        add_trials(1)


@pytest.mark.trust_test("T18")
def test_the_move_of_an_unknown_game_is_counted(storage: StorageSettings) -> None:
    """Of a game that this release does not have, the report names the move, not the number of records."""

    async def play_and_back_up(store: SqliteStore) -> tuple[int, int, int]:
        tables, rng = Tables(store, GAMES_AND_TOYS), random.Random(5)
        number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"]))
        for _ in range(5):
            await make_move(tables, number, rng)
        match = (await tables.get(number)).match
        assert match is not None
        kept_length = len(match.history) - 2
        await tables.change(
            number, None, partial(undo_to, actor=MODERATOR, kept_length=kept_length, announcement=None)
        )
        await make_backup(store, storage)
        table = await tables.get(number)
        await make_move(tables, number, rng)
        return number, table.move_count, table.row.ply

    number, move_count, ply = run_with_store(storage, play_and_back_up)
    assert move_count != ply
    restoration = restore_backup(storage, None, NOW + 60, {"pearls": GAMES_AND_TOYS["pearls"]})
    assert move_numbers(restoration) == {number: move_count}


@pytest.mark.trust_test("T18")
@pytest.mark.parametrize(
    "damage",
    [
        "update matches set question = x'ff' where number = 1",
        "update records set action = 'undo' where match = 1 and ply = 2",
    ],
)
def test_a_damaged_table_stays_as_it_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    """A table that was damaged in the backup stays damaged, which is logged, and the others go back."""
    storage = storage_in(tmp_path)

    async def back_up(store: SqliteStore) -> Backup:
        await start_games(store, 2)
        backup = await make_backup(store, storage)
        for number in (1, 2):
            await make_moves(store, number, 2)
        return backup

    backup = run_with_store(storage, back_up)
    with open_database_file(backup.path) as connection:
        execute_without_record_trigger(connection, damage)
    restoration = restore_backup(storage, None, NOW + 60)
    assert restoration.tables.unreadable == (1,)
    (logged,) = [each for each in caplog.records if each.name.startswith("bot")]
    assert (logged.getMessage(), logged.exc_info is not None) == ("table not readable", True)
    assert move_numbers(restoration).keys() == {2}
    run_with_store(storage, lambda store: make_moves(store, 2, 2))


@pytest.mark.trust_test("T18")
@pytest.mark.parametrize("column", ["game", "status"])
@pytest.mark.parametrize("is_in_backup", [False, True])
def test_a_text_that_cannot_be_decoded_is_of_one_table(
    tmp_path: Path, column: str, *, is_in_backup: bool
) -> None:
    """A damaged text, in the backup or the replaced database, hides nothing of the other tables."""
    storage = storage_in(tmp_path)
    backup = begin_and_back_up(storage, 3)

    async def end_second(store: SqliteStore) -> None:
        end = partial(moderation.end, request=request_of_person(0))
        await Tables(store, GAMES).change(2, request_of_person(0), end)

    run_with_store(storage, end_second)
    with open_database_file(backup.path if is_in_backup else storage.database) as connection:
        connection.execute(f"update matches set {column} = cast(x'41ff' as text) where number = 1")
    tables = restore_backup(storage, None, NOW + 60).tables
    assert tables.ended == (2,)
    assert tables.lost == ()
    assert tables.unreadable == ((1,) if is_in_backup else ())
    assert tables.needing_agreement == (() if is_in_backup else (1,))
    assert 3 not in {each.number for each in tables.restored}


@pytest.mark.parametrize("value", ["s", str(2**32), "9" * 26, "9" * 5_000])
@pytest.mark.parametrize("is_in_backup", [False, True])
def test_a_damaged_count_does_not_keep_a_backup_from_being_restored(
    tmp_path: Path, value: str, *, is_in_backup: bool
) -> None:
    """The generation still grows, and no table's number is used twice."""
    storage = storage_in(tmp_path)
    backup = begin_and_back_up(storage)
    run_with_store(storage, lambda store: start_games(store, 1, move_count=0))
    assert restore_backup(storage, backup.path).tables.lost == (2,)
    second_backup = run_with_store(storage, lambda store: make_backup(store, storage, NOW + 10))
    run_with_store(storage, lambda store: start_games(store, 1, move_count=0))
    with open_database_file(second_backup.path if is_in_backup else storage.database) as connection:
        connection.execute(
            "update settings set value = ? where key in (?, ?)",
            (value, GENERATION_KEY, HIGHEST_LOST_NUMBER_KEY),
        )
    assert restore_backup(storage, second_backup.path, NOW + 20).tables.lost == (3,)
    assert run_with_store(storage, lambda store: store.get_metadata(GENERATION_KEY)) == "2"
    assert run_with_store(storage, lambda store: store.next_table_number()) == 4


@pytest.mark.parametrize("value", ["s", "9" * 26, "9" * 5_000, "-1"])
def test_a_damaged_generation_file_counts_as_none(tmp_path: Path, value: str) -> None:
    """The generation still grows where the file beside the backups holds no number that can be one."""
    storage = storage_in(tmp_path)
    begin_and_back_up(storage)
    restore_backup(storage)
    (storage.backup_folder / "generation").write_text(value, encoding="ascii")
    restore_backup(storage, None, NOW + 20)
    assert run_with_store(storage, lambda store: store.get_metadata(GENERATION_KEY)) == "2"


def test_the_highest_generation_and_number_can_be_restored(tmp_path: Path) -> None:
    """The highest generation and table number can be restored, and a table can be opened after them."""
    storage = storage_in(tmp_path)
    begin_and_back_up(storage)
    highest = str(MAX_METADATA_NUMBER)
    run_with_store(storage, lambda store: store.set_metadata(GENERATION_KEY, str(MAX_METADATA_NUMBER - 1)))
    run_with_store(storage, lambda store: store.set_metadata(HIGHEST_LOST_NUMBER_KEY, highest))
    restore_backup(storage)
    assert run_with_store(storage, lambda store: store.get_metadata(GENERATION_KEY)) == highest
    assert run_with_store(storage, lambda store: store.next_table_number()) == MAX_METADATA_NUMBER + 1


# Over a changed schema ------------------------------------------------------------------------------------


@pytest.mark.trust_test("T18")
def test_restored_after_a_migration(tmp_path: Path) -> None:
    """The backup from before a migration can be restored, at once or after more moves."""
    storage = storage_in(tmp_path)
    run_with_store(storage, play_games)

    async def migrate() -> None:
        store = await open_store(
            storage.database, make_pre_migration_copier(storage.backup_folder, lambda: NOW)
        )
        await store.close()

    async def read_move_count_and_play(store: SqliteStore) -> int:
        tables = Tables(store, GAMES_AND_TOYS)
        table = await tables.get(1)
        await make_move(tables, 1, random.Random(1))
        return table.move_count

    with later_release():
        asyncio.run(migrate())
        restoration = restore_backup(storage, None, NOW + 60, GAMES_AND_TOYS)
        assert restoration.source == backups_in(storage.backup_folder)[0].path
        assert (move_numbers(restoration), restoration.tables.lost, restoration.tables.divergent) == (
            {},
            (),
            (),
        )
        move_count = run_with_store(storage, read_move_count_and_play)
        restoration = restore_backup(storage, None, NOW + 120, GAMES_AND_TOYS)
        assert move_numbers(restoration) == {1: move_count}
        assert (restoration.tables.lost, restoration.tables.divergent) == ((), ())
        assert run_with_store(storage, read_move_count_and_play) == move_count
