"""What every store must do for the host (``bot.store.protocol.Store``)."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bot.store.clock_rows import TurnStage, TurnTimer
from bot.store.delivery_rows import (
    DeliveryKind,
    NewDelivery,
    Slot,
)
from bot.store.preferences import ServerAuditEntry, ServerRow
from bot.store.protocol import StaleWrite, Store
from bot.store.rows import (
    LIVE_STATUSES,
    RepeatedInteraction,
    Status,
    StoredTable,
    TableListing,
)
from bot.store.seat_rows import (
    SeatRow,
)
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.store.sample_rows import (
    EVERY_FIELD_ROW,
    LOBBY_ROW,
    dump,
    execute_sql,
    make_change,
    make_record,
    next_version,
    opening_change,
    unset_fields,
)

BOARD_DELIVERY = NewDelivery(Slot(DeliveryKind.BOARD))
HAND_DELIVERY = NewDelivery(Slot(DeliveryKind.HAND, 1))
NOTICE_DELIVERY = NewDelivery(Slot(DeliveryKind.NOTICE), "Ava paused the game.")


def test_the_row_has_something_in_every_field() -> None:
    """Each field with a default has another value somewhere in it, so that no store can drop it unseen."""
    assert unset_fields(EVERY_FIELD_ROW) == set()


async def test_a_table_comes_back_with_every_field(store: Store) -> None:
    """A table comes back as it was stored, all fields of all rows."""
    records = tuple(make_record(ply, auto=ply == 3, user=None if ply == 2 else 100) for ply in range(1, 5))
    await store.commit(opening_change())
    assert await store.load(1) == StoredTable(LOBBY_ROW, ())
    await store.commit(make_change(EVERY_FIELD_ROW, records=records))
    assert await store.load(1) == StoredTable(EVERY_FIELD_ROW, records)


async def test_a_list_says_whose_turn_it_is_while_a_game_is_played(store: Store) -> None:
    """With all that it can say of the turn; of a game that rests nothing of the turn that it keeps."""
    listed = TableListing(
        1,
        LOBBY_ROW.game_key,
        Status.PLAYING,
        game_channel=51,
        guild=7,
        player_count=3,
        user_to_act=100,
        name_to_act="Ava",
        turn_began_at=5,
        deadline=8,
        stage=TurnStage.GRACE,
        offer_count=2,
        visibility_channel=51,
        host=101,
        users=(100, 2**63 - 1),
        resigned_users=(100,),
        active_at=76,
    )
    assert unset_fields(listed) == set()
    await store.commit(opening_change())
    table = replace(EVERY_FIELD_ROW, guild=7, to_act=0)
    await store.commit(make_change(table))
    assert await store.live_tables_in_server(7) == (listed,)
    await store.commit(make_change(next_version(table, status=Status.PAUSED, to_act=None)))
    (resting,) = await store.live_tables_of_user(100)
    assert (resting.user_to_act, resting.name_to_act, resting.turn_began_at, resting.deadline) == (None,) * 4


async def test_a_reopened_store_has_what_was_confirmed(database_path: Path) -> None:
    """What was confirmed is there after closing and opening the file again."""
    store = await open_store(database_path)
    await store.commit(opening_change())
    await store.commit(
        make_change(
            EVERY_FIELD_ROW, 9, records=(make_record(1),), deliveries=(BOARD_DELIVERY, NOTICE_DELIVERY)
        )
    )
    before = await dump(store)
    await store.close()
    reopened = await open_store(database_path)
    assert await dump(reopened) == before
    await reopened.close()


async def test_a_table_that_does_not_exist_is_none(store: Store) -> None:
    """A table that is not there is None, and the first number is 1."""
    assert await store.load(5) is None
    assert await store.next_table_number() == 1
    await store.commit(opening_change(41))
    assert await store.next_table_number() == 42


async def test_a_stale_write_changes_nothing(store: SqliteStore) -> None:
    """A change made from an older version is refused whole."""
    await store.commit(opening_change())
    await store.commit(make_change(next_version(LOBBY_ROW, status=Status.PLAYING), 1))
    before = await dump(store)
    stale = next_version(LOBBY_ROW, status=Status.ENDED_EARLY)
    for table in (stale, replace(stale, version=9), replace(LOBBY_ROW, host=5)):
        with pytest.raises(StaleWrite):
            await store.commit(make_change(table, 2, records=(make_record(1),), deliveries=(BOARD_DELIVERY,)))
    assert await dump(store) == before


async def test_a_repeated_interaction_changes_nothing(store: SqliteStore) -> None:
    """A known interaction gets its stored answer, whatever else it carries."""
    await store.commit(opening_change())
    first = make_change(
        next_version(LOBBY_ROW), 77, answer="Already played as move 1.", records=(make_record(1),)
    )
    assert await store.commit(first) is None
    before = await dump(store)
    again = make_change(
        next_version(next_version(LOBBY_ROW)),
        77,
        answer="no",
        records=(make_record(2),),
        deliveries=(BOARD_DELIVERY,),
    )
    repeated = await store.commit(again)
    assert isinstance(repeated, RepeatedInteraction)
    assert repeated.answer == "Already played as move 1."
    assert await dump(store) == before
    assert await store.find_answer(77) == "Already played as move 1."
    assert await store.find_answer(78) is None


async def test_changes_without_interaction_are_no_repeats(store: Store) -> None:
    """Computers and clocks have no interaction: nothing of theirs is taken for a repeat."""
    await store.commit(opening_change())
    table = LOBBY_ROW
    for _ in range(3):
        table = next_version(table)
        assert await store.commit(make_change(table)) is None


@pytest.mark.parametrize(
    "statement",
    [
        "update records set action = 'x'",
        "delete from records",
        "delete from records where ply = 1",
        "insert or replace into records values (1, 1, 0, 'lay 4', 0, 100, 5)",
    ],
)
async def test_records_only_grow(store: SqliteStore, statement: str) -> None:
    """The database itself refuses to change or delete a record."""
    await store.commit(opening_change())
    await store.commit(make_change(next_version(LOBBY_ROW), records=(make_record(1), make_record(2))))
    with pytest.raises(Exception, match="records only grow"):
        await execute_sql(store, statement)
    loaded = await store.load(1)
    assert loaded is not None
    assert [row.ply for row in loaded.records] == [1, 2]


async def test_a_second_record_of_a_ply_changes_nothing(store: SqliteStore) -> None:
    """A ply is written once: a second record for it fails the whole change."""
    await store.commit(opening_change())
    await store.commit(make_change(next_version(LOBBY_ROW), records=(make_record(1),)))
    before = await dump(store)
    with pytest.raises(Exception, match="UNIQUE"):
        await store.commit(
            make_change(
                next_version(next_version(LOBBY_ROW)),
                5,
                records=(make_record(2), make_record(1)),
                deliveries=(BOARD_DELIVERY,),
            )
        )
    assert await dump(store) == before


async def test_a_user_finds_every_live_table_with_their_seat(store: Store) -> None:
    """A user finds every live table with a seat of theirs, oldest first, and no other."""
    for number, status in enumerate(Status, 1):
        await store.commit(opening_change(number, status=status, expires_at=None))
    await store.commit(opening_change(20, seats=(SeatRow("Ben", user=101),)))
    expected = [number for number, status in enumerate(Status, 1) if status in LIVE_STATUSES]
    assert [each.number for each in await store.live_tables_of_user(100)] == expected
    assert await store.live_tables_of_user(999) == ()
    seats = (SeatRow("Cleo", user=103), SeatRow("One", computer="random"))
    for number, to_act in ((30, 0), (31, 1), (32, None)):
        await store.commit(
            opening_change(number, status=Status.PLAYING, expires_at=None, seats=seats, to_act=to_act)
        )
    assert [
        (each.number, each.game_channel, each.guild, each.player_count, each.user_to_act, each.name_to_act)
        for each in await store.live_tables_of_user(103)
    ] == [(30, 50, 7, 2, 103, "Cleo"), (31, 50, 7, 2, None, "One"), (32, 50, 7, 2, None, None)]


async def test_tables_that_wait_for_computers_are_found(store: Store) -> None:
    """The games that wait for a computer player are found, each once, and no other."""
    seats = (
        SeatRow("Ava", user=100),
        SeatRow("One", computer="random"),
        SeatRow("Two", computer="random"),
    )
    for number, status in enumerate(Status, 1):
        await store.commit(opening_change(number, status=status, expires_at=None, seats=seats, to_act=2))
    playing = [number for number, status in enumerate(Status, 1) if status is Status.PLAYING]
    for number, to_act in ((20, 0), (21, 1), (22, None)):  # None: its game could not say who is to act
        change = opening_change(number, status=Status.PLAYING, expires_at=None, seats=seats, to_act=to_act)
        await store.commit(change)
    await store.commit(opening_change(30, status=Status.PLAYING, expires_at=None, to_act=0))
    assert list(await store.tables_waiting_for_computers()) == [*playing, 21, 22]


async def test_tables_played_or_opened_in_a_channel_are_found(store: Store) -> None:
    """A channel names the tables played or opened there: live ones first, newest first, at most 25."""
    for number in range(1, 31):
        status = Status.PLAYING if number <= 2 else Status.OVER
        await store.commit(
            opening_change(number, status=status, game_channel=60 if number % 2 else 61, expires_at=None)
        )
    assert [each.number for each in await store.tables_in_channel(60)] == [1, *range(29, 2, -2)]
    assert [each.number for each in await store.tables_in_channel(50)] == [2, 1, *range(30, 7, -1)]
    assert await store.tables_in_channel(99) == ()


@pytest.mark.parametrize("column", ["game", "status"])
async def test_a_damaged_text_hides_no_other_table(store: SqliteStore, column: str) -> None:
    """Lists and counts have every table, also one of which a text cannot be decoded."""
    for number in (1, 2):
        await store.commit(opening_change(number))
    await execute_sql(store, f"update matches set {column} = cast(x'41ff' as text) where number = 1")
    assert [each.number for each in await store.tables_in_channel(LOBBY_ROW.game_channel)][-1] == 1
    assert 2 in [each.number for each in await store.live_tables_in_server(LOBBY_ROW.guild or 0)]
    assert sum((await store.count_by_status()).values()) == 2


@pytest.mark.parametrize("damaged_stage", [b"rinning", b"\xffunning"])
async def test_a_damaged_turn_hides_no_other_table(store: SqliteStore, damaged_stage: bytes) -> None:
    """Lists have a table also where a byte of its turn is another."""
    timer = TurnTimer(seat=0, user=100, turn_start=1, began_at=1, runs_from=1)
    for number in (1, 2):
        await store.commit(opening_change(number, status=Status.PLAYING, to_act=0, turn_timer=timer))
    damaged = msgspec.msgpack.encode(timer).replace(b"running", damaged_stage)
    await execute_sql(store, "update matches set turn_timer = ? where number = 1", damaged)
    found = await store.live_tables_of_user(100)
    assert [(each.number, each.turn_began_at) for each in found] == [(1, None), (2, 1)]


async def test_a_damaged_answer_hides_no_other(store: SqliteStore) -> None:
    """A repeat is known by its id, whatever became of its answer, and all missed answers are read."""
    for number in (1, 2):
        change = make_change(replace(LOBBY_ROW, number=number), number, user=100, awaits_answer=True)
        await store.commit(change)
    await execute_sql(store, "update inbox set answer = cast(x'41ff' as text) where interaction = 1")
    repeat = await store.commit(make_change(next_version(LOBBY_ROW), 1))
    assert repeat == RepeatedInteraction("A\ufffd", 1)
    assert await store.find_answer(1) == "A\ufffd"
    assert [each.answer for each in await store.unconfirmed_answers()] == ["A\ufffd", "done"]


async def test_a_damaged_entry_hides_no_other_entry(store: SqliteStore) -> None:
    """A server's audit log is read also where one entry cannot be decoded."""
    for at in (1, 2):
        await store.save_preferences(ServerRow(7, away_days=at), ServerAuditEntry(100, "Days.", at))
    await execute_sql(store, "update server_audit_log set entry = cast(x'41ff' as text) where at = 1")
    assert [each.entry for each in await store.last_server_audit_entries(7, 5)] == ["Days.", "A\ufffd"]


async def test_a_lobby_is_due_when_it_expires(store: Store) -> None:
    """Its timer moves with that time, and goes when the game starts."""
    assert await store.due_tables(10_000) == ()
    await store.commit(opening_change(1, expires_at=500))
    await store.commit(opening_change(2, expires_at=300))
    assert await store.due_tables(299) == ()
    assert await store.due_tables(300) == (2,)
    assert await store.due_tables(500) == (2, 1)
    await store.commit(make_change(replace(LOBBY_ROW, number=2, version=2, expires_at=None)))
    await store.commit(make_change(next_version(LOBBY_ROW, expires_at=700)))
    assert await store.due_tables(699) == ()
    assert await store.due_tables(700) == (1,)


async def test_metadata_is_kept_and_replaced(store: Store) -> None:
    """A value is kept and replaced."""
    assert await store.get_metadata("commands") is None
    for value in ("a", "", "b"):
        await store.set_metadata("commands", value)
        assert await store.get_metadata("commands") == value


async def test_interventions_stand_in_the_audit_log(store: SqliteStore) -> None:
    """What a moderator did stands in the audit log, with who did it and when."""
    await store.commit(opening_change())
    await store.commit(
        make_change(next_version(LOBBY_ROW), audit_entry="Ava paused the game.", user=100, at=1_234)
    )
    rows = await execute_sql(store, "select match, user, entry, at from audit_log")
    assert rows == [(1, 100, "Ava paused the game.", 1_234)]


def test_secrets_stay_out_of_reprs() -> None:
    """Neither the seed nor the snapshot stands in a table's repr."""
    for text in (
        repr(EVERY_FIELD_ROW),
        repr(make_change(EVERY_FIELD_ROW)),
        repr(StoredTable(EVERY_FIELD_ROW, ())),
        f"{EVERY_FIELD_ROW}",
    ):
        assert repr(EVERY_FIELD_ROW.seed) not in text
        assert repr(EVERY_FIELD_ROW.snapshot) not in text


def test_stored_values_are_never_renamed() -> None:
    """Statuses and kinds of deliveries have the values that stand in stored files."""
    statuses = ["lobby", "playing", "paused", "over", "closed", "ended", "frozen"]
    assert [status.value for status in Status] == statuses
    kinds = ["lobby", "thread", "board", "board edit", "turn", "hand", "question", "offer", "reminder"]
    kinds += ["early notice", "ready check", "invitation", "application", "acceptance", "time over"]
    kinds += ["notice", "result", "old buttons"]
    assert [kind.value for kind in DeliveryKind] == kinds
