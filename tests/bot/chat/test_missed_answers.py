"""Answers that were missed are named in the next answers, a few in each."""

from bot.chat.missed_answers import MAX_NAMED_ANSWERS
from bot.store.rows import PendingAnswer
from tests.bot.chat.test_shown_contents import TEXT_PAGE, FakeInteraction, replacing_response


async def test_missed_answers_beyond_the_limit_are_named_next_time() -> None:
    """Each is named once, the newest three first: one of these is the answer that its user waits for."""
    interaction = FakeInteraction()
    tracker = interaction.client.host.tables.answer_tracker
    move_numbers = range(1, 2 * MAX_NAMED_ANSWERS)
    for move_number in move_numbers:
        tracker.expect(
            PendingAnswer(
                100 + move_number,
                table_number=1,
                user=interaction.user.id,
                move_number=move_number,
                answer="",
            )
        )
        tracker.mark_missed_unless_arrived(100 + move_number)
    for _ in range(3):
        await replacing_response(interaction).show(TEXT_PAGE)
    lines = [
        f"You may have missed this (No. 1): your move was recorded (move {move_number}).\n"
        for move_number in move_numbers
    ]
    assert interaction.texts == [
        "".join([*lines[-MAX_NAMED_ANSWERS:], TEXT_PAGE.text]),
        "".join([*lines[:-MAX_NAMED_ANSWERS], TEXT_PAGE.text]),
        TEXT_PAGE.text,
    ]
