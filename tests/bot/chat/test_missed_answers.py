"""Answers that were missed are named in the next answers, a few in each."""

from bot.chat.missed_answers import MAX_NAMED_ANSWERS
from bot.store.rows import PendingAnswer
from tests.bot.chat.fake_interaction import TEXT_PAGE, FakeInteraction, replacing_response


def _miss_answer(interaction: FakeInteraction, move_number: int) -> None:
    tracker = interaction.client.host.tables.answer_tracker
    answer = PendingAnswer(
        100 + move_number, table_number=1, user=interaction.user.id, move_number=move_number, answer=""
    )
    tracker.expect(answer)
    tracker.mark_missed_unless_arrived(answer.interaction)


async def test_missed_answers_beyond_the_limit_are_named_next_time() -> None:
    """Each is named once, the newest three first: one of these is the answer that its user waits for."""
    interaction = FakeInteraction()
    move_numbers = range(1, 2 * MAX_NAMED_ANSWERS)
    for move_number in move_numbers:
        _miss_answer(interaction, move_number)
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


async def test_a_page_that_is_shown_again_goes_on_naming_missed_answers() -> None:
    """Its words may be shown before its picture; a message of its own below it does not repeat them."""
    interaction = FakeInteraction()
    _miss_answer(interaction, 5)
    response = replacing_response(interaction)
    for _ in range(2):
        await response.show(TEXT_PAGE)
    line = "You may have missed this (No. 1): your move was recorded (move 5).\n"
    assert interaction.texts == [f"{line}{TEXT_PAGE.text}"] * 2
    _miss_answer(interaction, 6)
    await replacing_response(interaction).show(TEXT_PAGE)
    await response.show(TEXT_PAGE)
    assert interaction.texts[2:] == [f"{line.replace('5', '6')}{TEXT_PAGE.text}", f"{line}{TEXT_PAGE.text}"]
    await response.send_text("Below it.")
    assert interaction.texts[-1] == "Below it."
