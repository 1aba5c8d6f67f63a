"""What every store must do with deliveries, and with the messages that they have become."""

import pytest
from msgspec.structs import replace

from bot.store.delivery_rows import (
    BLOCKED,
    Backlog,
    DeliveryKind,
    Mention,
    NewDelivery,
    PendingPost,
    PostedMessage,
    QueueHead,
    ReplacedMessage,
    Slot,
    TurnMessage,
)
from bot.store.personal_data import ErasedPerson
from bot.store.protocol import Store
from bot.store.sqlite import SqliteStore
from tests.bot.store.sample_rows import (
    LOBBY_ROW,
    dump,
    execute_sql,
    make_change,
    next_version,
    opening_change,
    unset_fields,
)

BOARD_DELIVERY = NewDelivery(Slot(DeliveryKind.BOARD))
HAND_DELIVERY = NewDelivery(Slot(DeliveryKind.HAND, 1))
NOTICE_DELIVERY = NewDelivery(Slot(DeliveryKind.NOTICE), "Ava paused the game.")


async def test_a_newer_board_supersedes_the_older_one(store: Store) -> None:
    """Only the newest delivery of a slot waits; notices all wait, in order."""
    await store.commit(opening_change(1, NOTICE_DELIVERY, BOARD_DELIVERY, HAND_DELIVERY))
    await store.commit(make_change(next_version(LOBBY_ROW), deliveries=(NOTICE_DELIVERY, BOARD_DELIVERY)))
    waiting = await store.waiting_deliveries(1)
    assert [each.kind.value for each in waiting] == ["notice", "hand", "notice", "board"]
    assert [each.id for each in waiting] == sorted(each.id for each in waiting)
    assert waiting[0].text == NOTICE_DELIVERY.text
    assert await store.tables_with_deliveries() == (1,)


async def test_a_pending_post_is_not_superseded(store: Store) -> None:
    """A post whose outcome is unknown stays, due at once, before what is newer; until it is settled."""
    await store.commit(opening_change(1, BOARD_DELIVERY, HAND_DELIVERY))
    board, hand = await store.waiting_deliveries(1)
    post = PendingPost(50, 12.5)
    await store.set_pending_post(board, post)
    await store.postpone(board, 99.0)
    await store.commit(make_change(next_version(LOBBY_ROW), deliveries=(BOARD_DELIVERY, HAND_DELIVERY)))
    first, newer, newer_hand = await store.waiting_deliveries(1)
    assert (first.id, first.pending_post, first.due) == (board.id, post, 0.0)
    assert (newer.pending_post, newer_hand.pending_post) == (None, None)
    assert hand.id not in {newer.id, newer_hand.id}
    assert await store.set_pending_post(board, None)
    await store.commit(make_change(next_version(next_version(LOBBY_ROW)), deliveries=(BOARD_DELIVERY,)))
    assert board.id not in {each.id for each in await store.waiting_deliveries(1)}


async def test_a_superseded_delivery_cannot_become_pending(store: SqliteStore) -> None:
    """Only what waits may be posted: the store says so, and changes nothing else."""
    await store.commit(opening_change(1, BOARD_DELIVERY))
    (board,) = await store.waiting_deliveries(1)
    await store.commit(make_change(next_version(LOBBY_ROW), deliveries=(BOARD_DELIVERY,)))
    before = await dump(store)
    assert not await store.set_pending_post(board, PendingPost(50, 12.5))
    assert await dump(store) == before
    (newer,) = await store.waiting_deliveries(1)
    assert await store.set_pending_post(newer, PendingPost(50, 12.5))


async def test_deliveries_of_other_tables_are_not_superseded(store: Store) -> None:
    """Slots belong to their table."""
    await store.commit(opening_change(1, BOARD_DELIVERY))
    await store.commit(opening_change(2, BOARD_DELIVERY))
    assert len(await store.waiting_deliveries(1)) == len(await store.waiting_deliveries(2)) == 1


async def test_each_turn_has_a_slot_of_its_own(store: SqliteStore) -> None:
    """A delivery of a turn supersedes that of the same turn only, and its message is remembered apart."""
    turn_deliveries = [NewDelivery(Slot(DeliveryKind.TURN, subject_id=turn)) for turn in (4, 9)]
    await store.commit(opening_change(1, *turn_deliveries))
    await store.commit(make_change(next_version(LOBBY_ROW), deliveries=(turn_deliveries[1],)))
    first, second = await store.waiting_deliveries(1)
    assert (first.slot, second.slot) == (turn_deliveries[0].slot, turn_deliveries[1].slot)
    posted = [
        PostedMessage(turn.slot, 51, 900, 0, 12.5, shown_turn_start=turn.slot.subject_id)
        for turn in turn_deliveries
    ]
    for delivery, message in zip((first, second), posted, strict=True):
        await store.mark_delivered(delivery, 0, message)
    assert sorted(await store.posted_messages(1), key=lambda each: each.slot.subject_id or 0) == posted
    assert await store.waiting_deliveries(1) == ()


async def test_a_delivery_reads_only_the_messages_that_matter_to_it(store: SqliteStore) -> None:
    """Its own, the lobby's, the board's and the turn in the board's message; after a lost answer all."""
    lobby_slot = Slot(DeliveryKind.LOBBY)
    turn_slots = [Slot(DeliveryKind.TURN, subject_id=turn) for turn in range(9)]
    slots = [lobby_slot, *turn_slots, BOARD_DELIVERY.slot]
    await store.commit(opening_change(1, *map(NewDelivery, slots)))
    message_ids = {slot: 900 + i for i, slot in enumerate(slots)}
    message_ids[BOARD_DELIVERY.slot] = message_ids[turn_slots[7]]
    for delivery in await store.waiting_deliveries(1):
        posted = PostedMessage(delivery.slot, 51, message_ids[delivery.slot], 0, 12.5)
        await store.mark_delivered(delivery, 0, posted)
    undone_turn = turn_slots[2]
    await store.commit(make_change(next_version(LOBBY_ROW), deliveries=(NewDelivery(undone_turn),)))
    (correction,) = await store.waiting_deliveries(1)
    messages = await store.messages_for_delivery(correction)
    assert {each.slot for each in messages} == {lobby_slot, undone_turn, turn_slots[7], BOARD_DELIVERY.slot}
    await store.set_pending_post(correction, PendingPost(51, 12.5))
    (lost_post,) = await store.waiting_deliveries(1)
    assert await store.messages_for_delivery(lost_post) == await store.posted_messages(1)


async def test_a_posted_message_keeps_every_field(store: SqliteStore) -> None:
    """It comes back as it was stored, also what a restart needs to mention nobody twice."""
    slot = Slot(DeliveryKind.OFFER, 1, 2)
    posted = PostedMessage(slot, 51, 900, 3, 12.5, 100, (Mention(100, 4),), 5, is_outdated=True)
    assert unset_fields(posted) == set()
    await store.commit(opening_change(1, NewDelivery(slot)))
    (delivery,) = await store.waiting_deliveries(1)
    await store.mark_delivered(delivery, 0, posted)
    assert await store.posted_messages(1) == (posted,)


async def test_what_was_sent_to_somebody_erased_meanwhile_loses_its_buttons(store: SqliteStore) -> None:
    """Neither the new message nor the one in whose place it came is stored as that person's."""
    slot = Slot(DeliveryKind.JOIN_REQUEST, subject_id=100)
    await store.commit(opening_change(1, NewDelivery(slot)))
    (delivery,) = await store.waiting_deliveries(1)
    erased_person = ErasedPerson(100, ("Ava",))
    await store.commit(make_change(next_version(LOBBY_ROW), erased_person=erased_person))
    old, new = (PostedMessage(slot, 51, message_id, 0, 12.5) for message_id in (900, 901))
    await store.mark_delivered(delivery, 0, new, ReplacedMessage(old))
    slots = {Slot(DeliveryKind.OLD_BUTTONS, subject_id=each.message_id) for each in (old, new)}
    assert {each.slot for each in await store.posted_messages(1)} == slots
    assert {each.slot for each in await store.waiting_deliveries(1)} == slots


@pytest.mark.parametrize("is_refused", [True, False])
async def test_a_replaced_message_is_known_until_its_buttons_are_gone(
    store: SqliteStore, *, is_refused: bool
) -> None:
    """Its buttons are a delivery of their own, stored with what has replaced it."""
    await store.commit(opening_change(1, BOARD_DELIVERY))
    (board,) = await store.waiting_deliveries(1)
    old = PostedMessage(BOARD_DELIVERY.slot, 51, 900, 0, 12.5)
    await store.mark_delivered(
        board, 0, PostedMessage(BOARD_DELIVERY.slot, 51, 901, 0, 13.5), ReplacedMessage(old, "x")
    )
    (buttons_delivery,) = await store.waiting_deliveries(1)
    assert (buttons_delivery.slot, buttons_delivery.text) == (
        Slot(DeliveryKind.OLD_BUTTONS, subject_id=900),
        "x",
    )
    message_by_slot = {each.slot: each for each in await store.posted_messages(1)}
    assert message_by_slot[BOARD_DELIVERY.slot].message_id == 901
    assert (
        message_by_slot[buttons_delivery.slot].channel,
        message_by_slot[buttons_delivery.slot].message_id,
    ) == (51, 900)
    if is_refused:
        await store.mark_failed(buttons_delivery, "gone")
    else:
        await store.mark_delivered(buttons_delivery, 0, None)
    assert [each.message_id for each in await store.posted_messages(1)] == [901]
    assert await store.waiting_deliveries(1) == ()


@pytest.mark.parametrize("case", ["waits", "sent without message", "sent into the old board", "turn goes on"])
async def test_a_replaced_board_becomes_the_message_of_its_turn(store: SqliteStore, case: str) -> None:
    """While the story of the turn that it shows waits for a message; else it loses its buttons."""
    turn_slot = Slot(DeliveryKind.TURN, subject_id=4)
    await store.commit(opening_change(1, NewDelivery(turn_slot), BOARD_DELIVERY))
    story, board = await store.waiting_deliveries(1)
    assert story.turn_message is TurnMessage.NEW
    old = PostedMessage(BOARD_DELIVERY.slot, 51, 900, 0, 12.5, shown_turn_start=4)
    await store.mark_delivered(board, 0, old)
    (story,) = await store.waiting_deliveries(1)
    assert story.turn_message is TurnMessage.BOARD
    if case.startswith("sent"):
        edited = replace(old, slot=turn_slot) if case == "sent into the old board" else None
        await store.mark_delivered(story, 0, edited)
    await store.commit(make_change(next_version(LOBBY_ROW), deliveries=(BOARD_DELIVERY,)))
    *_, board = await store.waiting_deliveries(1)
    newer = replace(old, message_id=901, shown_turn_start=4 if case == "turn goes on" else 5)
    await store.mark_delivered(board, 0, newer, ReplacedMessage(old, "x"))
    buttons_slot = Slot(DeliveryKind.OLD_BUTTONS, subject_id=900)
    expected = {
        "waits": [(turn_slot, TurnMessage.OWN)],
        "sent without message": [(buttons_slot, TurnMessage.NEW)],
        "sent into the old board": [],
        "turn goes on": [(turn_slot, TurnMessage.BOARD), (buttons_slot, TurnMessage.NEW)],
    }
    assert [(each.slot, each.turn_message) for each in await store.waiting_deliveries(1)] == expected[case]
    slot = turn_slot if case in {"waits", "sent into the old board"} else buttons_slot
    messages = {each.slot: each.message_id for each in await store.posted_messages(1)}
    assert messages == {BOARD_DELIVERY.slot: 901, slot: 900}


async def test_a_message_of_a_turn_that_was_taken_back_stays_its_own(store: SqliteStore) -> None:
    """If it cannot be corrected yet, that waits; the turn played instead gets another message."""
    turn_delivery = NewDelivery(Slot(DeliveryKind.TURN, subject_id=4))
    await store.commit(opening_change(1, turn_delivery))
    (story,) = await store.waiting_deliveries(1)
    posted = PostedMessage(turn_delivery.slot, 51, 900, 0, 12.5, shown_turn_start=4)
    await store.mark_delivered(story, 0, posted)
    row = next_version(LOBBY_ROW)
    await store.commit(make_change(row, deliveries=(turn_delivery,)))
    (correction,) = await store.waiting_deliveries(1)
    await store.commit(make_change(next_version(row), deliveries=(turn_delivery,)))
    cleared = replace(posted, shown_turn_start=None)
    await store.mark_delivered(correction, 0, cleared, ReplacedMessage(posted, "Taken back"))
    assert [(each.slot, each.text, each.turn_message) for each in await store.waiting_deliveries(1)] == [
        (turn_delivery.slot, "", TurnMessage.NEW),
        (Slot(DeliveryKind.OLD_BUTTONS, subject_id=900), "Taken back", TurnMessage.NEW),
    ]


@pytest.mark.parametrize("is_failed", [True, False])
async def test_a_story_that_cannot_be_sent_leaves_no_buttons(store: SqliteStore, *, is_failed: bool) -> None:
    """The message of its turn loses them, if it has one."""
    for number in (1, 2):
        turn_delivery = NewDelivery(Slot(DeliveryKind.TURN, subject_id=4))
        await store.commit(opening_change(number, turn_delivery))
        (story,) = await store.waiting_deliveries(number)
        if number == 1:
            own_message = PostedMessage(turn_delivery.slot, 51, 900, 0, 12.5, shown_turn_start=4)
            await store.mark_delivered(story, 0, own_message)
            changed = next_version(replace(LOBBY_ROW, number=number))
            await store.commit(make_change(changed, deliveries=(turn_delivery,)))
            (story,) = await store.waiting_deliveries(number)
        if is_failed:
            await store.mark_failed(story, "refused")
        else:
            await store.mark_delivered(story, 0, None)
        slots = [each.slot for each in await store.waiting_deliveries(number)]
        assert slots == ([Slot(DeliveryKind.OLD_BUTTONS, subject_id=900)] if number == 1 else [])


@pytest.mark.parametrize("case", ["board", "corrected turn"])
async def test_what_cannot_be_sent_takes_no_other_buttons(store: SqliteStore, case: str) -> None:
    """The board before a board that fails keeps its own; a post that says "taken back" has none any more."""
    slot = Slot(DeliveryKind.TURN, subject_id=4) if case == "corrected turn" else BOARD_DELIVERY.slot
    await store.commit(opening_change(1, NewDelivery(slot)))
    (delivery,) = await store.waiting_deliveries(1)
    posted = PostedMessage(slot, 51, 900, 0, 12.5, shown_turn_start=4 if case == "board" else None)
    await store.mark_delivered(delivery, 0, posted)
    await store.commit(make_change(next_version(LOBBY_ROW), deliveries=(NewDelivery(slot),)))
    (delivery,) = await store.waiting_deliveries(1)
    await store.mark_failed(delivery, "refused")
    assert await store.waiting_deliveries(1) == ()
    assert await store.posted_messages(1) == (posted,)


@pytest.mark.parametrize("is_outdated", [True, False])
async def test_an_outdated_message_of_a_turn_does_not_count(store: SqliteStore, *, is_outdated: bool) -> None:
    """One that does not say yet that its turn was taken back is as none: first it is corrected."""
    turn_delivery = NewDelivery(Slot(DeliveryKind.TURN, subject_id=4))
    await store.commit(opening_change(1, turn_delivery))
    (story,) = await store.waiting_deliveries(1)
    await store.mark_delivered(
        story, 0, PostedMessage(turn_delivery.slot, 51, 900, 0, 12.5, shown_turn_start=4)
    )
    undone_from_index = 4 if is_outdated else 5
    await store.commit(
        make_change(next_version(LOBBY_ROW), deliveries=(turn_delivery,), undone_from_index=undone_from_index)
    )
    (story,) = await store.waiting_deliveries(1)
    assert story.turn_message is (TurnMessage.NEW if is_outdated else TurnMessage.OWN)


async def test_what_was_sent_waits_no_more(store: SqliteStore) -> None:
    """What was sent waits no more and leaves its place; what replaced it meanwhile still waits."""
    await store.commit(opening_change(1, BOARD_DELIVERY))
    (first,) = await store.waiting_deliveries(1)
    await store.commit(make_change(next_version(LOBBY_ROW, ply=3), deliveries=(BOARD_DELIVERY,)))
    posted = PostedMessage(
        BOARD_DELIVERY.slot, 51, 900, 0, 12.5, mentioned_user=1, last_mentions=(Mention(1, 7), Mention(2, 9))
    )
    await store.mark_delivered(first, 0, posted)
    assert await store.posted_messages(1) == (posted,)
    (second,) = await store.waiting_deliveries(1)
    assert second.ply == 3
    moved = PostedMessage(BOARD_DELIVERY.slot, 51, 901, 3, 13.5)
    await store.mark_delivered(second, 3, moved)
    assert await store.waiting_deliveries(1) == ()
    assert await store.posted_messages(1) == (moved,)
    assert await store.tables_with_deliveries() == ()
    assert [state for (state,) in await execute_sql(store, "select state from outbox order by id")] == [
        "sent",
        "sent",
    ]


async def test_a_postponed_delivery_waits_and_one_given_up_is_kept(store: SqliteStore) -> None:
    """A postponed delivery waits with its count and time; one given up is kept with the reason."""
    await store.commit(opening_change(1, BOARD_DELIVERY))
    (delivery,) = await store.waiting_deliveries(1)
    for attempt in (1, 2):
        await store.postpone(delivery, 50.5 + attempt)
        (waiting,) = await store.waiting_deliveries(1)
        assert (waiting.failed_attempt_count, waiting.due) == (attempt, 50.5 + attempt)
    await store.mark_failed(delivery, "the channel is gone")
    assert await store.waiting_deliveries(1) == ()
    assert await execute_sql(store, "select state, reason from outbox") == [("failed", "the channel is gone")]


async def test_the_backlog_counts_deliveries_behind_the_next_one(store: Store) -> None:
    """Of each slot only the next delivery is due, those behind it are counted; the reason is named."""
    await store.commit(opening_change(1, BOARD_DELIVERY, NOTICE_DELIVERY))
    await store.commit(make_change(next_version(LOBBY_ROW), deliveries=(NOTICE_DELIVERY,)))
    await store.commit(opening_change(2, BOARD_DELIVERY))
    board, first_notice, second_notice = await store.waiting_deliveries(1)
    await store.postpone(first_notice, 50.0)
    await store.postpone(board, 60.0, BLOCKED)
    (other,) = await store.waiting_deliveries(2)
    assert await store.backlog(55.0) == Backlog(
        4,
        (
            QueueHead(board.id, 1, BOARD_DELIVERY.slot, 1, is_due=False, is_blocked=True),
            QueueHead(first_notice.id, 1, NOTICE_DELIVERY.slot, 1, is_due=True, waiting_count=2),
            QueueHead(other.id, 2, BOARD_DELIVERY.slot, 0, is_due=True),
        ),
    )
    assert not any(head.is_due for head in (await store.backlog(49.0)).heads if head.table_number == 1)
    await store.mark_delivered(first_notice, 0, None)
    heads = (await store.backlog(0.0)).heads
    assert [head.id for head in heads if head.slot == NOTICE_DELIVERY.slot] == [second_notice.id]


@pytest.mark.parametrize("kind", ["'unknown'", "cast(x'ff' as text)"])
async def test_a_damaged_delivery_hides_no_other(store: SqliteStore, kind: str) -> None:
    """The backlog counts a delivery whose kind is damaged, and names the others."""
    for number in (1, 2):
        await store.commit(opening_change(number, BOARD_DELIVERY))
    await execute_sql(store, f"update outbox set kind = {kind} where match = 1")
    backlog = await store.backlog(5.0)
    assert (backlog.waiting_count, [head.table_number for head in backlog.heads]) == (2, [2])
    await store.commit(make_change(next_version(LOBBY_ROW), deliveries=(NOTICE_DELIVERY,)))
    assert [each.slot for each in await store.waiting_deliveries(1)] == [NOTICE_DELIVERY.slot]


@pytest.mark.parametrize("damage", ["kind = 'unknown'", "kind = cast(x'ff' as text)", "mentions = x'ff00'"])
async def test_a_damaged_message_hides_no_other(store: SqliteStore, damage: str) -> None:
    """What is known of a table's other messages is read, and what is damaged of one is left out."""
    mentions = (Mention(100, 3),)
    board = PostedMessage(BOARD_DELIVERY.slot, 50, 1, 0, 5.0, last_mentions=mentions)
    await store.commit(opening_change(1, BOARD_DELIVERY, NOTICE_DELIVERY))
    for delivery in await store.waiting_deliveries(1):
        await store.mark_delivered(delivery, 0, replace(board, slot=delivery.slot))
    await execute_sql(store, f"update posted_messages set {damage} where kind = 'board'")
    notice, *rest = sorted(
        await store.posted_messages(1), key=lambda each: each.slot.kind is BOARD_DELIVERY.slot.kind
    )
    assert notice == replace(board, slot=NOTICE_DELIVERY.slot)
    assert rest == ([replace(board, last_mentions=())] if "mentions" in damage else [])


async def test_a_damaged_notice_holds_up_none(store: SqliteStore) -> None:
    """What can be read of a notice is sent, in its order."""
    await store.commit(opening_change(1, NOTICE_DELIVERY, BOARD_DELIVERY))
    await execute_sql(store, "update outbox set text = cast(x'41ff' as text) where kind = 'notice'")
    assert [each.text for each in await store.waiting_deliveries(1)] == ["A\ufffd", ""]
