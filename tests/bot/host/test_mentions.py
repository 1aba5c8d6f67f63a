"""Nobody is notified more often a day than the limit says, over all tables; no post waits for the count."""

import pytest

from bot.error_codes import ErrorCode
from bot.host.mentions import MentionBudget
from bot.host.preferences import PersonPreferences
from bot.host.tables import Tables
from bot.store.clock_rows import DAY
from bot.store.preferences import PersonRow
from bot.store.protocol import StoreError
from bot.store.sqlite import SqliteStore
from tests.bot.host.chat_table import CURRENTS_FOR_TWO, ChatTable
from tests.bot.host.fake_chat import FakeMessage, http_error, stub_board_pictures
from tests.bot.host.playing import FIRST_USER, ManualClock, begin
from tests.bot.host.scripted_courier import run_outbox


def _skip_to_next_day(clock: ManualClock) -> None:
    clock.now = (clock.now // DAY + 1) * DAY


def _count_notifications(chat_table: ChatTable, user: int) -> int:
    return sum(user in message.raw_mentions for message in chat_table.chat.public_messages())


async def _chat_table_with_limit(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, limit: int
) -> ChatTable:
    stub_board_pictures(monkeypatch)
    _skip_to_next_day(clock)
    tables.mention_budget = MentionBudget(tables.person_preferences, clock, limit)
    return ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO))


async def _send_all_as_due(chat_table: ChatTable) -> None:
    """Send all that waits, each delivery once it is due."""
    while (wait := await run_outbox(chat_table.outbox, chat_table.number)) is not None:
        chat_table.clock.now += wait


async def test_beyond_the_limit_a_board_names_without_notifying(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over two tables a player is notified twice; further boards name them, and the next day counts anew."""
    first_chat_table = await _chat_table_with_limit(tables, clock, monkeypatch, 2)
    second_chat_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO), first_chat_table.chat)
    user, naming_ids = FIRST_USER, set()
    for _ in range(5):
        for chat_table in (first_chat_table, second_chat_table):
            await chat_table.play_turn()
            await _send_all_as_due(chat_table)
            naming_ids |= {
                message.id
                for message in first_chat_table.chat.public_messages()
                if f"<@{user}>" in message.content
            }
    assert _count_notifications(first_chat_table, user) == 2
    assert len(naming_ids) > 4
    _skip_to_next_day(clock)
    for _ in range(2):
        await first_chat_table.play_turn()
        await _send_all_as_due(first_chat_table)
    assert _count_notifications(first_chat_table, user) == 3


async def test_a_refused_message_does_not_count(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Discord has refused has notified nobody; what it may have taken counts."""
    chat_table = await _chat_table_with_limit(tables, clock, monkeypatch, 1)
    seat = (await tables.get(chat_table.number)).to_act
    assert seat is not None
    user, refusals = FIRST_USER + seat, [http_error(ErrorCode.MISSING_PERMISSIONS, 403)]

    def refuse(action: str, message: FakeMessage) -> Exception | None:
        return refusals.pop() if action == "post" and refusals and chat_table.chat.messages else None

    chat_table.chat.fault_of_call = refuse
    await _send_all_as_due(chat_table)
    assert not refusals, "a message was refused"
    assert _count_notifications(chat_table, user) == 1
    person = await tables.person_preferences.get(user)
    assert person.mention_count is not None
    assert person.mention_count.count == 1


async def test_no_delivery_waits_for_the_count(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a mention cannot be counted the message is sent, and notifies."""
    chat_table = await _chat_table_with_limit(tables, clock, monkeypatch, 1)

    async def fail(_: object, __: int, ___: object) -> PersonRow:
        raise StoreError("disk full")

    monkeypatch.setattr(PersonPreferences, "change", fail)
    await _send_all_as_due(chat_table)
    assert chat_table.board().raw_mentions


async def test_the_count_survives_the_process(store: SqliteStore, clock: ManualClock) -> None:
    """Another process goes on counting; 0 lifts the limit."""
    for _ in range(2):
        budget = MentionBudget(PersonPreferences(store), clock, 2)
        assert await budget.reserve((7, 7)) == (7,)
    assert await MentionBudget(PersonPreferences(store), clock, 2).reserve((7, 8)) == (8,)
    assert await MentionBudget(PersonPreferences(store), clock, 0).reserve((7,)) == (7,)
    await MentionBudget(PersonPreferences(store), clock, 2).release((7,))
    assert await MentionBudget(PersonPreferences(store), clock, 2).reserve((7,)) == (7,)
