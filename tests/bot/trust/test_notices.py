"""Each kind of notice reaches who must get it, and nobody else, after the table has changed (P23, T21)."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from bot.host.deciders import decision, reminders, voting
from bot.host.deciders.decision import outdated_hand_deliveries
from bot.host.delivery_order import Priority, priority_of
from bot.host.erasing import erase_person
from bot.host.housekeeping import Housekeeping
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl
from bot.store.delivery_rows import Delivery, DeliveryKind, Slot
from tests.bot.host.erased_person import check_progress
from tests.bot.host.fake_chat import FIRST_DM_CHANNEL, stub_board_pictures
from tests.bot.host.open_questions import question_of
from tests.bot.host.playing import FIRST_USER, ManualClock
from tests.bot.trust.notices import (
    CHANGES,
    QUEUE_FUNCTIONS,
    documented_duties,
    find_wrong_notices,
    is_tried,
    queue_board,
    queue_question,
    queue_ready_check,
)
from tests.bot.trust.observed_table import USERS, ObservedTable, bare_decision
from tests.bot.trust.seeded_defects import ask_present_players_only

CASES = [(kind, change) for kind in QUEUE_FUNCTIONS for change in CHANGES if is_tried(kind, change)]


def test_every_kind_is_documented() -> None:
    """Every kind that is ever delivered has its row, with a duty for each role."""
    assert set(documented_duties()) == {kind.value for kind in DeliveryKind} == set(QUEUE_FUNCTIONS)
    assert {duty for row in documented_duties().values() for duty in row.values()} <= {"must", "may", "never"}
    assert len({tuple(row) for row in documented_duties().values()}) == 1


@pytest.mark.trust_test("T21")
@pytest.mark.parametrize(("kind", "change"), CASES)
async def test_each_kind_notifies_whom_the_page_says(
    tables: Tables,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    change: str,
    add_trials: Callable[[int], None],
) -> None:
    """What was really sent notifies whom the page says, whatever happened while it waited."""
    stub_board_pictures(monkeypatch)
    assert await find_wrong_notices(tables, clock, kind, change) == []
    add_trials(len(documented_duties()[kind]))


def _send_outdated_notices(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reminders, "is_current_notice", lambda table, slot: table.row.turn_notices is not None)


def _forget_hands_before_the_change(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        decision, "outdated_hand_deliveries", lambda _, after: outdated_hand_deliveries(after, after)
    )


@pytest.mark.trust_test("T21", sensitivity=True)
@pytest.mark.parametrize(
    ("defect", "kind", "change"),
    [
        (_send_outdated_notices, "reminder", "turn over"),
        (ask_present_players_only, "question", "gone before"),
        (_forget_hands_before_the_change, "hand", "nothing"),
    ],
)
async def test_an_audience_of_the_wrong_moment_is_caught(
    tables: Tables,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    defect: Callable[[pytest.MonkeyPatch], None],
    kind: str,
    change: str,
) -> None:
    """Sensitivity: decided too early, or computed after the flag was set, an audience is wrong."""
    stub_board_pictures(monkeypatch)
    defect(monkeypatch)
    assert await find_wrong_notices(tables, clock, kind, change)


# What each kind is, beside whom it notifies ------------------------------------------------------------


@pytest.mark.parametrize("kind", QUEUE_FUNCTIONS)
async def test_what_goes_by_direct_message_has_the_priority_of_hands(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A kind that goes by direct message has it, and no other, so that no board waits for one."""
    stub_board_pictures(monkeypatch)
    observed_table = ObservedTable(tables, clock)
    await observed_table.begin()
    await QUEUE_FUNCTIONS[kind](observed_table)
    await observed_table.send_all()
    kinds = await observed_table.kinds_by_delivery_id()
    are_direct = {
        message.channel.id > FIRST_DM_CHANNEL
        for message in observed_table.chat.posted
        if kinds[message.nonce] == kind
    }
    delivery = Delivery(1, observed_table.number, 0, Slot(DeliveryKind(kind)), "", 0, 0.0)
    assert are_direct <= {priority_of(delivery) is Priority.MEDIUM}


@pytest.mark.parametrize("kind", QUEUE_FUNCTIONS)
async def test_no_slot_names_an_erased_person(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Where the key of a slot is a user, /forget erases its deliveries and its message."""
    stub_board_pictures(monkeypatch)
    observed_table = ObservedTable(tables, clock)
    await observed_table.begin()
    await QUEUE_FUNCTIONS[kind](observed_table)
    await observed_table.send_all()
    for user in USERS & await observed_table.slot_keys(kind):
        assert (
            await erase_person(
                tables, replace(observed_table.request_of_person(0), user=user), check_progress
            )
            == 0
        )
    assert not USERS & await observed_table.slot_keys(kind)


# What a notification shows ----------------------------------------------------------------------------
#
# It shows the first lines as plain text, with the code of a timestamp in place of a time.

_TIMESTAMP_PATTERN = re.compile(r"<t:\d+:[fR]>")


def _unreadable_lines(text: str) -> list[str]:
    """Return the lines that a notification shows with a timestamp's code amid words, or not as small print.

    The whole text if it does not begin with its game.
    """
    lines = text.split("\n")
    timed_indexes = [index for index, line in enumerate(lines) if _TIMESTAMP_PATTERN.search(line)]
    unreadable = [
        lines[index]
        for index in timed_indexes
        if re.search(r"\w", _TIMESTAMP_PATTERN.sub("", _after_first_timestamp(lines[index])))
    ]
    unreadable += [lines[index] for index in timed_indexes if not lines[index].startswith("-# ")]
    if timed_indexes:
        unreadable += [line for line in lines[timed_indexes[0] :] if not line.startswith("-# ")]
    return unreadable if text.startswith("**") else [text]


def _after_first_timestamp(line: str) -> str:
    return _TIMESTAMP_PATTERN.split(line, maxsplit=1)[1]


async def _queue_late_ready_check(observed_table: ObservedTable) -> set[int]:
    """Let the time of a ready check pass."""
    await queue_ready_check(observed_table)
    await observed_table.send_all()
    observed_table.clock.now += 13 * 3600
    await Housekeeping(observed_table.tables).do_due_work_at_tables()
    return {FIRST_USER}


async def _queue_keep_open_question(observed_table: ObservedTable) -> set[int]:
    """Have nobody move for a month: its players are asked whether the game stays open."""
    await observed_table.change(lambda table: bare_decision(table.with_row(time_control=None)))
    observed_table.clock.now += 31 * DAY
    await Housekeeping(observed_table.tables).do_due_work_at_tables()
    return {FIRST_USER}


async def _queue_agreed_question(observed_table: ObservedTable) -> set[int]:
    """Ask everybody to allow a roll-back that one has agreed to."""
    await queue_question(observed_table)
    await observed_table.send_all()
    question = question_of(await observed_table.table())
    request = replace(observed_table.request_of_person(1), user=question.asked_users[0])
    vote = partial(voting.vote, request=request, question_id=question.id, is_yes=True)
    await observed_table.change(vote, request)
    return {question.asked_users[1]}


async def _queue_board_in_grace_period(observed_table: ObservedTable) -> set[int]:
    """Let the time of a turn pass."""
    user = await queue_board(observed_table)
    await observed_table.send_all()
    observed_table.clock.now += 2 * DAY + 60
    await Housekeeping(observed_table.tables).do_due_work_at_tables()
    observed_table.chat.messages.clear()
    await observed_table.change(
        lambda table: decision.Decision(table=table, answer="", deliveries=(decision.BOARD_DELIVERY,))
    )
    return user


_NOTIFYING_QUEUE_FUNCTIONS = {
    kind: queue
    for kind, queue in QUEUE_FUNCTIONS.items()
    if {"must", "may"} & set(documented_duties()[kind].values())
}
_ALL_NOTIFYING_QUEUE_FUNCTIONS = _NOTIFYING_QUEUE_FUNCTIONS | {
    "late ready check": _queue_late_ready_check,
    "keep open": _queue_keep_open_question,
    "agreed": _queue_agreed_question,
    "grace": _queue_board_in_grace_period,
}


@pytest.mark.parametrize("kind", _ALL_NOTIFYING_QUEUE_FUNCTIONS)
async def test_a_notification_reads_as_plain_text(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The game first, then what is asked; times come last, and each sentence makes sense without them."""
    stub_board_pictures(monkeypatch)
    observed_table = ObservedTable(tables, clock)
    await observed_table.begin()
    control = TimeControl(turn_seconds=2 * DAY)
    await observed_table.change(lambda table: bare_decision(table.with_row(time_control=control)))
    earlier_message_ids = {message.id for message in observed_table.chat.posted}
    await _ALL_NOTIFYING_QUEUE_FUNCTIONS[kind](observed_table)
    await observed_table.send_all()
    sent_texts = [
        message.content for message in observed_table.chat.posted if message.id not in earlier_message_ids
    ]
    assert sent_texts
    assert [line for text in sent_texts for line in _unreadable_lines(text)] == []
    timed_kinds = {
        "board",
        "reminder",
        "question",
        "offer",
        "ready check",
        *(_ALL_NOTIFYING_QUEUE_FUNCTIONS.keys() - _NOTIFYING_QUEUE_FUNCTIONS.keys()),
    }
    assert kind not in timed_kinds or any(map(_TIMESTAMP_PATTERN.search, sent_texts)), (
        "no time stands there: nothing is tried"
    )
