"""``/mydata`` gives all that is stored about a person, and docs/privacy.md names it."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec.inspect
import pytest
from msgspec.structs import replace

from bot.store.delivery_rows import (
    LATE_PLAYER,
    DeliveryKind,
    Mention,
    NewDelivery,
    PostedMessage,
    Slot,
)
from bot.store.lobby_rows import Applicant, LastSeen, LobbyState, ReadyCheck
from bot.store.migrations import migrate, released_migrations
from bot.store.personal_export import PersonalData
from bot.store.personal_fields import ENCODED_COLUMNS, EXPORTED_FIELDS, OMITTED_FIELDS
from bot.store.preferences import Absence, MentionCount, PersonRow, ServerAuditEntry, ServerRow
from bot.store.question_rows import DeclinedQuestion, Question, QuestionKind
from bot.store.results import NewResult, Participation, ResultPlayer
from bot.store.rows import UndosWithoutConsent
from bot.store.seat_rows import BlockedOffer, EarlierPlayer, Person, SeatHolder, SeatOffer, SeatRow
from bot.store.sqlite import SqliteStore
from tests.bot.store.sample_rows import (
    EVERY_FIELD_ROW,
    LOBBY_ROW,
    make_change,
    make_record,
    next_version,
    opening_change,
)

USER: Final = 100
OTHER_USER: Final = 2**63 - 1
"""Has a seat at the same table."""
NOBODY: Final = 777
"""Of whom nothing is stored."""
_LISTED: Final = {*EXPORTED_FIELDS, *(name for names in OMITTED_FIELDS.values() for name in names)}
_PRIVACY_PAGE: Final = Path(__file__).parents[3] / "docs/privacy.md"


def _fields_of(encoded: msgspec.inspect.Type) -> Iterator[str]:
    """Yield the fields of all structs in a type, or a struct itself where it is listed as a whole."""
    match encoded:
        case msgspec.inspect.StructType(cls=struct, fields=fields):
            if struct.__name__ in _LISTED:
                yield struct.__name__
                return
            for field in fields:
                yield f"{struct.__name__}.{field.name}"
                yield from _fields_of(field.type)
        case msgspec.inspect.VarTupleType(item_type=item_type):
            yield from _fields_of(item_type)
        case msgspec.inspect.TupleType(item_types=types) | msgspec.inspect.UnionType(types=types):
            for each in types:
                yield from _fields_of(each)


def _stored_fields() -> Iterator[str]:
    """Yield the columns of the schema, and in place of encoded ones the fields of what they hold."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, released_migrations())
        columns = connection.execute(
            "select tables.name, columns.name, columns.type from sqlite_master as tables,"
            " pragma_table_info(tables.name) as columns"
            " where tables.type = 'table' and tables.name not like 'sqlite%'"
        ).fetchall()
    for sql_table, column, column_type in columns:
        name = f"{sql_table}.{column}"
        encoded_type = ENCODED_COLUMNS.get(name)
        assert encoded_type is not None or column_type.lower() != "blob" or name in _LISTED, name
        fields = () if encoded_type is None else tuple(_fields_of(msgspec.inspect.type_info(encoded_type)))
        yield from fields or (sql_table if sql_table in _LISTED else name,)


async def _store_everything_about_user(store: SqliteStore) -> PersonalData:
    """Store a table with something about the user in every field; return what is exported of the user."""
    seat, other_seat, third_seat = EVERY_FIELD_ROW.seats
    row = replace(
        EVERY_FIELD_ROW,
        host=USER,
        guild=7,
        seats=(
            seat,
            replace(
                other_seat,
                earlier_players=(EarlierPlayer("Ava the First", 3, USER),),
                offer=SeatOffer(
                    3, 810, USER, "Ava gets seat B.", Person(USER, "Ava"), approved=True, given_up=True,
                    accepted=True,
                ),
                blocked_offers=(BlockedOffer(960, USER, withdrawn=True),),
            ),
            third_seat,
        ),
        undos_without_consent=UndosWithoutConsent(0, 19),
        question=Question(
            QuestionKind.UNDO, 3, (USER,), 4, 900, Person(USER, "Ava"), agreed_users=(USER,),
            declined_by=USER,
            declined_before=(DeclinedQuestion(QuestionKind.CLOCK, USER, 0, 890, declined_by=USER),),
        ),
        lobby=LobbyState(
            invited_users=(USER,),
            applicants=(Applicant(USER, "Ava"),),
            removed_users=(USER,),
            declined_applicants=(USER,),
            declining_users=(USER,),
            rematch_order=(USER,),
            players_last_seen=(LastSeen(USER, 70),),
            ready_check=ReadyCheck(2, 990, (USER,)),
            shown_people=(Person(USER, "Zo_e"),),
        ),
    )  # fmt: skip
    await store.commit(opening_change())
    invitation = Slot(DeliveryKind.INVITATION, subject_id=USER)
    await store.commit(
        make_change(
            row,
            7,
            records=tuple(make_record(ply) for ply in range(1, 5)),
            deliveries=(
                NewDelivery(invitation),
                NewDelivery(Slot(DeliveryKind.HAND, seat=0)),
                NewDelivery(Slot(DeliveryKind.NOTICE), r"Zo\_e paused it."),
                NewDelivery(Slot(DeliveryKind.NOTICE), "Avalon resumed it."),
            ),
            audit_entry="Ava ended it.",
            user=USER,
            at=60,
            awaits_answer=True,
            move_number=2,
            result=NewResult(
                (ResultPlayer(0, Participation.PLAYED, "Ava", 1, score=3, user=USER, missed_turn_count=2),)
            ),
        )
    )
    invited, *_ = await store.waiting_deliveries(1)
    message = PostedMessage(invitation, 50, 900, 4, 2.5, USER, (Mention(USER, 3), Mention(OTHER_USER, 2)))
    await store.mark_delivered(invited, 4, message)
    hand = Slot(DeliveryKind.HAND, seat=0)
    hand_delivery = next(each for each in await store.waiting_deliveries(1) if each.slot == hand)
    await store.mark_delivered(hand_delivery, 4, PostedMessage(hand, 60, 901, 4, 2.5, USER))
    await store.save_preferences(
        PersonRow(USER, "Europe/Paris", absences=(Absence(5, 9),), mention_count=MentionCount(3, 2))
    )
    await store.save_preferences(ServerRow(7), ServerAuditEntry(USER, "set something", 5))
    return await store.personal_data(USER)


def _values_at(data: PersonalData, path: str) -> list[Any]:
    subject, _, key = path.partition(".")
    entries = data[subject] if isinstance(data[subject], list) else [data[subject]]
    return [each[key] for each in entries if key in each] if key else entries


def test_every_stored_field_is_exported_or_left_out_with_a_reason() -> None:
    """A new column or field is listed, and what is gone is not."""
    assert set(_stored_fields()) == _LISTED
    assert len(_LISTED) == len(EXPORTED_FIELDS) + sum(map(len, OMITTED_FIELDS.values())), "listed twice"


async def test_each_exported_field_stands_where_it_is_listed(store: SqliteStore) -> None:
    """Of somebody named in every field, each place of the export says something."""
    data = await _store_everything_about_user(store)
    empty_paths = {
        path
        for path in EXPORTED_FIELDS.values()
        if not any(value or type(value) is int for value in _values_at(data, path))
    }
    assert empty_paths == set()
    assert (await store.personal_data(NOBODY)) == {
        subject: None if subject == "preferences" else [] for subject in data
    }


async def test_an_export_tells_of_nobody_else(store: SqliteStore) -> None:
    """Neither another player's id nor a text without the person's names is in it."""
    text = json.dumps(await _store_everything_about_user(store))
    assert "paused" in text
    assert "Avalon" not in text
    assert str(OTHER_USER) not in text


async def test_a_name_of_a_backslash_finds_no_text_of_others(store: SqliteStore) -> None:
    """Without the escapes nothing is left of it, which would stand in each text."""
    await store.commit(opening_change(1, NewDelivery(Slot(DeliveryKind.NOTICE), "Avalon resumed it.")))
    row = replace(next_version(LOBBY_ROW), seats=(SeatRow("\\", user=USER),))
    await store.commit(make_change(row))
    assert (await store.personal_data(USER))["texts"] == []


@pytest.mark.parametrize("has_seat", [True, False])
async def test_a_text_about_a_time_that_is_over_names_its_player(
    store: SqliteStore, *, has_seat: bool
) -> None:
    """Also once somebody else has the seat, who is not given that text."""
    slot = Slot(DeliveryKind.TIME_OVER, seat=0, subject_id=USER)
    await store.commit(opening_change(1, NewDelivery(slot, f"{LATE_PLAYER} did not play in time.")))
    if not has_seat:
        row, holders = next_version(LOBBY_ROW), (SeatHolder(USER, 0),)
        newcomer = SeatRow("Player", user=OTHER_USER, earlier_players=(EarlierPlayer("Ava", 3, USER),))
        row = replace(row, seats=(newcomer, *row.seats[1:]), holders=holders)
        await store.commit(make_change(row))
    [text] = (await store.personal_data(USER))["texts"]
    assert text["text"] == "Ava did not play in time."
    assert (await store.personal_data(OTHER_USER))["texts"] == []


async def test_a_direct_message_is_of_the_one_who_got_it(store: SqliteStore) -> None:
    """Also once somebody else has the seat, to whom its channel says nothing."""
    hand = Slot(DeliveryKind.HAND, seat=0)
    await store.commit(opening_change(1, NewDelivery(hand)))
    (delivery,) = await store.waiting_deliveries(1)
    await store.mark_delivered(delivery, 0, PostedMessage(hand, 60, 901, 0, 2.5, USER))
    row = next_version(LOBBY_ROW)
    holders = (SeatHolder(USER, 0), SeatHolder(OTHER_USER, 0))
    row = replace(row, seats=(SeatRow("Cleo", user=OTHER_USER), *row.seats[1:]), holders=holders)
    await store.commit(make_change(row))
    assert (await store.personal_data(OTHER_USER))["messages"] == []
    assert [each["channel"] for each in (await store.personal_data(USER))["messages"]] == [60]


async def test_the_privacy_page_names_every_subject_of_the_export(store: SqliteStore) -> None:
    """The last column of the page's table says where the export gives what a row names."""
    rows = [line for line in _PRIVACY_PAGE.read_text().splitlines() if line.startswith("| ")]
    last_cells = [row.strip(" |").rsplit(" | ", 1)[-1] for row in rows[2:]]
    named = {subject for cell in last_cells for subject in re.findall(r"`(\w+)`", cell)}
    assert named == set(await store.personal_data(USER))
    assert all("`" in cell or cell.startswith("not: ") for cell in last_cells)
