"""P20, P22: a restored backup changes what is dealt next, and deals no second time."""

from functools import partial
from typing import Any

import msgspec
import pytest

from bot.chat.components import CustomId
from bot.chat.delivery_contents import hand_content
from bot.chat.lookup import resolve_button_table
from bot.config import StorageSettings
from bot.host.deciders import admission, cutting, lobby, moderation
from bot.host.deciders.decision import join_request_delivery
from bot.host.loading import make_replay_check, parse_records
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.inspection import inspect_database, open_read_only
from bot.store.restoring import lock_database, read_records_after, read_state
from bot.store.rows import PruneProgress, Status, StoredTable
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from rules.cut_words import CUT_WORDS
from rules.deal_key import key_after_reseal, make_reseal_after
from rules.errors import BrokenMatch, WrongFairnessCode
from rules.match import Match
from rules.matchfile import parse_match_file
from rules.model import MODERATOR, Seat
from rules.proof import prove
from rules.random_stream import make_fairness_code
from rules.record import Record
from tests.bot.host.playing import FIRST_USER, assert_records_whole, request_of_person
from tests.bot.operate.databases import (
    NOW,
    SETUP,
    execute_directly,
    make_backup,
    make_moves,
    run_with_store,
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


def replay_with_first_key(stored: StoredTable) -> Match:
    """Replay a table without its reseals, from its seed.  Raises BrokenMatch where it drew otherwise."""
    rows = tuple(each for each in stored.records if each.actor != MODERATOR)
    records = parse_records(SETUP.game, rows)
    return Match.replay(SETUP.game, SETUP.seat_count, SETUP.options, stored.row.seed, records)


# New codes ------------------------------------------------------------------------------------------------


@pytest.mark.trust_test("T18")
def test_a_game_that_went_back_is_resealed(storage: StorageSettings) -> None:
    """Its last record is a reseal, whose code stands in a notice and in each hand; others keep theirs."""
    begin_and_back_up(storage, 2)
    played = play_on(storage)
    ply = run_with_store(storage, lambda store: load_table(store, 2)).row.ply
    restore_backup(storage)

    async def check_restored(store: SqliteStore) -> None:
        stored = await load_table(store)
        assert_records_whole(stored)
        last = stored.records[-1]
        assert (last.actor, last.user) == (MODERATOR, None)
        table = await Tables(store, GAMES).get(1)
        assert table.match is not None
        assert last.action == f"reseal {table.fairness_code}"
        assert table.match.deal_key.key is not None
        assert (
            table.fairness_code
            == make_fairness_code(table.match_id, table.match.deal_key.key)
            != table.first_fairness_code
        )
        assert table.row.seed == played.row.seed, "the seed shown at the end fits the first code"
        code = f"New fairness code: `{table.fairness_code}`"
        assert sum(code in text for text in await waiting_texts(store)) == 1
        for seat in range(SETUP.seat_count):
            post, _ = await hand_content(table, Seat(seat))
            assert f"Fairness code: `{table.short_fairness_code}`" in post.text
        other = await Tables(store, GAMES).get(2)
        assert (other.row.ply, other.fairness_code) == (ply, other.first_fairness_code)

    run_with_store(storage, check_restored)


def check_draws_after_restoring(storage: StorageSettings) -> None:
    """Check that a restored game repeats no draw of the lost moves, but its own when it is restored again."""
    backup = begin_and_back_up(storage)
    lost_table = play_on(storage)
    replay_with_first_key(lost_table)
    restore_backup(storage, backup.path)
    first_table = play_on(storage)
    with pytest.raises(BrokenMatch, match="the seed gives another outcome"):
        replay_with_first_key(first_table)
    restore_backup(storage, backup.path, NOW + 19)
    second_table = play_on(storage)
    assert [each.action for each in second_table.records] == [each.action for each in first_table.records]


@pytest.mark.trust_test("T18")
def test_restoring_again_is_no_second_draw(storage: StorageSettings) -> None:
    """The same moves draw the same after each restoration, and nothing that the published seed gives."""
    check_draws_after_restoring(storage)


@pytest.mark.trust_test("T18", sensitivity=True)
@pytest.mark.parametrize("defect", ["same key", "new key each time"])
def test_catches_keys_that_are_wrong(
    storage: StorageSettings, monkeypatch: pytest.MonkeyPatch, defect: str
) -> None:
    """Sensitivity: the check above fails where the key stays, or where each restoration draws a new one."""
    if defect == "same key":
        monkeypatch.setattr("rules.deal_key.key_after_reseal", lambda key, ply: key)
        with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
            check_draws_after_restoring(storage)
    else:
        restoration_count = [0]

        def reseal_again(*stored: Any) -> Record:
            restoration_count[0] += 1
            return make_reseal_after(*stored)

        monkeypatch.setattr("bot.operate.restored_tables.make_reseal_after", reseal_again)
        monkeypatch.setattr(
            "rules.deal_key.key_after_reseal",
            lambda key, ply: key_after_reseal(key, ply + restoration_count[0]),
        )
        with pytest.raises(AssertionError):
            check_draws_after_restoring(storage)


def test_a_game_unknown_to_this_release_is_resealed(storage: StorageSettings) -> None:
    """A game is resealed from its stored records alone; a release that has it plays on."""
    begin_and_back_up(storage)
    play_on(storage)
    restore_backup(storage, games={})
    with open_read_only(storage.database) as connection:
        assert inspect_database(connection, make_replay_check(GAMES)).faults == ()
    resealed = read_stored_table(storage)
    assert resealed.records[-1].action.startswith("reseal ")
    assert play_on(storage).records[: resealed.row.ply] == resealed.records


def test_cuts_after_a_restored_backup(storage: StorageSettings) -> None:
    """Words that are cut after the restoration are recorded; the game stays whole and is proved with them."""
    begin_and_back_up(storage)
    play_on(storage)
    restore_backup(storage)
    ply_before_cut = run_with_store(storage, load_table).row.ply

    async def cut(store: SqliteStore) -> None:
        decide = partial(cutting.cut_deck, request=request_of_person(0), words=(CUT_WORDS[1], CUT_WORDS[2]))
        await Tables(store, GAMES).change(1, request_of_person(0), decide)

    run_with_store(storage, cut)
    stored = play_on(storage)
    assert stored.records[ply_before_cut].action == f"cut {CUT_WORDS[1]} {CUT_WORDS[2]}"

    async def check_file(store: SqliteStore) -> None:
        await change_table_as(store, 0, moderation.end)
        tables = Tables(store, GAMES)
        table, file = await tables.get(1), parse_match_file(await tables.match_file_text(1, None), GAMES)
        assert table.fairness_code != table.first_fairness_code
        for code in (table.first_fairness_code, table.fairness_code):
            assert f"{CUT_WORDS[1]} {CUT_WORDS[2]}" in prove(file, code).text
        with pytest.raises(WrongFairnessCode):
            prove(file, "0" * 64)

    run_with_store(storage, check_file)


def test_restoring_again_repeats_the_cuts(storage: StorageSettings) -> None:
    """Restoring once more repeats the cuts that were made after the first time, so it is no second draw."""
    backup = begin_and_back_up(storage)
    play_on(storage)
    restore_backup(storage, backup.path)

    async def cut(store: SqliteStore, word: int) -> None:
        decide = partial(cutting.cut_deck, words=(CUT_WORDS[word], CUT_WORDS[word]))
        await change_table_as(store, 1, decide)

    run_with_store(storage, lambda store: cut(store, 1))
    first_table = play_on(storage)
    restore_backup(storage, backup.path, NOW + 19)
    run_with_store(storage, lambda store: store.prune(2 * NOW, PruneProgress(), 1000))
    with open_read_only(storage.database) as connection:
        assert inspect_database(connection, make_replay_check(GAMES)).faults == ()

    async def check_restored(store: SqliteStore) -> None:
        cut_text = f"cut again as before by Ben ({CUT_WORDS[1]} {CUT_WORDS[1]})"
        assert any(cut_text in text for text in await waiting_texts(store))
        with pytest.raises(Refusal, match="until the next move"):
            await cut(store, 2)

    run_with_store(storage, check_restored)
    second_table = play_on(storage)
    assert [each.action for each in second_table.records] == [each.action for each in first_table.records]
    assert [each.user for each in second_table.records] == [each.user for each in first_table.records]


@pytest.mark.parametrize("cutters", [(), (0,), (0, 1)])
def test_cutting_is_offered_to_those_who_can(storage: StorageSettings, cutters: tuple[int, ...]) -> None:
    """The notice of a restored game names cutting exactly while some player has not cut."""
    backup = begin_and_back_up(storage)
    play_on(storage)
    restore_backup(storage, backup.path)

    async def cut(store: SqliteStore) -> None:
        for seat in cutters:
            await change_table_as(store, seat, partial(cutting.cut_deck, words=(CUT_WORDS[1], CUT_WORDS[2])))

    run_with_store(storage, cut)
    play_on(storage)
    restore_backup(storage, backup.path, NOW + 19)

    async def check_restored(store: SqliteStore) -> None:
        table = await Tables(store, GAMES).get(1)
        is_possible = any(cutting.may_cut(table, user) for user in table.row.users)
        assert is_possible is (len(cutters) < SETUP.seat_count)
        assert any("can cut the deck" in text for text in await waiting_texts(store)) is is_possible

    run_with_store(storage, check_restored)


# Lobbies --------------------------------------------------------------------------------------------------


def test_a_lobby_gets_a_new_seed(storage: StorageSettings) -> None:
    """A lobby whose game has begun since deals otherwise: new seed, new code in a notice, no words."""

    async def prepare(store: SqliteStore) -> bytes:
        await open_lobby_and_cut(store)
        await make_backup(store, storage)
        await change_table_as(store, 1, lobby.join)
        await change_table_as(store, 0, lobby.start, is_channel_busy=False)
        return (await load_table(store)).row.seed

    seed = run_with_store(storage, prepare)
    assert restore_backup(storage).tables.ended == ()

    async def check_restored(store: SqliteStore) -> None:
        table = await Tables(store, GAMES).get(1)
        assert table.status is Status.LOBBY
        assert table.row.seed != seed
        assert table.seats[0].cut_words is None
        with pytest.raises(Refusal, match="newest message of the lobby"):  # `/board` shows none
            await resolve_button_table(Tables(store, GAMES), CustomId(1, 0, "here"), request_of_person(0))
        texts = await waiting_texts(store)
        assert any("lobby was restored from backup" in text for text in texts)
        assert not any("move" in text for text in texts), "a lobby has none"
        assert sum(f"New fairness code: `{table.first_fairness_code}`" in text for text in texts) == 1
        await change_table_as(store, 1, lobby.join)
        await change_table_as(store, 0, lobby.start, is_channel_busy=False)
        await make_moves(store, 1, 3)
        assert_records_whole(await load_table(store))

    run_with_store(storage, check_restored)


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_table_that_moves_posts_its_new_code(storage: StorageSettings, *, has_begun: bool) -> None:
    """Where the channel was gone its notice could not be posted; one without a new code posts none."""

    async def move(store: SqliteStore) -> list[str]:
        request = msgspec.structs.replace(request_of_person(0), channel=88)
        decide = partial(moderation.move_here, request=request, is_channel_busy=False)
        earlier_texts = set(await waiting_texts(store))
        await Tables(store, GAMES).change(1, request, decide)
        return [each for each in await waiting_texts(store) if each not in earlier_texts and "code" in each]

    async def prepare(store: SqliteStore) -> None:
        await open_lobby_and_cut(store)
        if has_begun:
            await change_table_as(store, 1, lobby.join)
            await change_table_as(store, 0, lobby.start, is_channel_busy=False)
        await make_backup(store, storage)
        assert await move(store) == []

    run_with_store(storage, prepare)
    restore_backup(storage)

    async def check_restored(store: SqliteStore) -> None:
        code = (await Tables(store, GAMES).get(1)).fairness_code
        assert await move(store) == [f"Fairness code since the backup was restored: `{code}`."]

    run_with_store(storage, check_restored)


def test_requests_to_join_survive(storage: StorageSettings) -> None:
    """Somebody who asked to join before the backup still asks after it, and the host is asked anew."""

    async def prepare(store: SqliteStore) -> None:
        await open_lobby_and_cut(store)
        await change_table_as(store, 0, admission.set_by_invitation, by_invitation=True)
        await change_table_as(store, 1, admission.ask_to_join)
        for each in await store.waiting_deliveries(1):
            await store.mark_delivered(each, each.ply, None)
        await make_backup(store, storage)
        await change_table_as(store, 0, admission.decline_applicant, user=FIRST_USER + 1)

    run_with_store(storage, prepare)
    restore_backup(storage)

    async def check_restored(store: SqliteStore) -> None:
        join_request_slot = join_request_delivery(FIRST_USER + 1).slot
        assert join_request_slot in {each.slot for each in await store.waiting_deliveries(1) if not each.text}
        await change_table_as(store, 0, admission.accept_applicant, user=FIRST_USER + 1)
        assert (await Tables(store, GAMES).get(1)).seat_of(FIRST_USER + 1) == 1

    run_with_store(storage, check_restored)


def test_a_damaged_record_of_a_lost_game_is_left_out(storage_with_games: StorageSettings) -> None:
    """What a restoration would read of the cuts behind its backup is nothing then, without an error."""
    execute_directly(storage_with_games, "update records set action = cast(x'41ff' as text) where match = 1")
    with lock_database(storage_with_games.database) as connection:
        assert len(read_state(connection).tables or {}) == 3
        assert read_records_after(connection, 1, 0) == ()
        assert read_records_after(connection, 2, 0)
