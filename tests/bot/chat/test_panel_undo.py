"""Undo in the private panel: what it takes back, whom it asks, and what it shows then."""

import random
import re
from functools import partial

import msgspec
import pytest

from bot.chat import question_posts
from bot.chat.components import Button, CustomId
from bot.chat.numbered_log import move_numbers, numbered_lines
from bot.chat.panel import PanelHandler
from bot.chat.post_parts import Post, table_custom_id, undo_button
from bot.chat.question_posts import question_post, quote_taken_back
from bot.chat.undo_pages import confirm_roll_back_post
from bot.host import game_calls
from bot.host.deciders import moderation, own_undo, voting
from bot.host.deciders.moderation import UnconfirmedRollBack
from bot.host.deciders.play import StaleChoice
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from bot.store.seat_rows import EarlierPlayer, SeatRow
from rules.catalogue import GAMES
from rules.model import Seat
from rules.text import listed
from rules.turns import newest_turn
from tests.bot.chat.panel_presses import (
    button_called,
    last_shown_post,
    make_continuing_choice,
    table_with_continuing_choices,
)
from tests.bot.chat.post_components import button_labels, components_by_row
from tests.bot.chat.sample_tables import MAX_SHARED_TABLES, shared_sample_tables
from tests.bot.host.conftest import clock, tables
from tests.bot.host.hindsight import play_until_hindsight
from tests.bot.host.open_questions import answer_question, question_of
from tests.bot.host.playing import RNG, begin, default_setup, make_move, request_of_person
from tests.bot.host.timed_tables import play_until_turn_passes

__all__ = ["clock", "tables"]


async def test_an_open_question_does_not_hide_the_panel(tables: Tables) -> None:
    """An undo at once shows the choices again, also while the players are asked about a pause."""
    table, seat = await table_with_continuing_choices(tables)
    await make_continuing_choice(tables, table.number, seat)
    asker_request = request_of_person((seat + 1) % len(table.seats))
    table = (
        await tables.change(table.number, asker_request, partial(moderation.pause, request=asker_request))
    ).table
    assert table.row.question is not None
    button_id = undo_button(table).custom_id
    post = await last_shown_post(
        lambda response: PanelHandler(tables).undo(response, button_id, request_of_person(seat))
    )
    assert "You took back your last move." in post.text
    assert "Type a move" in button_labels(post)


async def test_an_undo_that_arrives_twice_shows_the_choices(tables: Tables) -> None:
    """Where the answer to the second delivery of a press is ready first, the turn goes on from it, too."""
    table, seat = await table_with_continuing_choices(tables)
    table = await make_continuing_choice(tables, table.number, seat)
    button_id, request = undo_button(table).custom_id, request_of_person(seat)
    for _ in range(2):
        post = await last_shown_post(lambda response: PanelHandler(tables).undo(response, button_id, request))
        assert "You took back your last move." in post.text
        assert "Type a move" in button_labels(post)


async def test_an_undo_within_the_turn_may_need_the_others(tables: Tables) -> None:
    """Where the choice has revealed something a page says who is asked; then the answer is who must agree."""
    number = await begin(tables, default_setup(GAMES["oceans"], 3))
    rng = random.Random(4)
    table, seat = await tables.get(number), Seat(0)
    while (undo := game_calls.possible_undo(table, seat)) is None or undo.is_free or table.to_act != seat:
        seat, table = table.to_act or Seat(0), (await make_move(tables, number, rng)).table
    others = [name for other, name in enumerate(table.names) if other != seat]
    button_id = undo_button(table).custom_id
    post = await last_shown_post(
        lambda response: PanelHandler(tables).undo(response, button_id, request_of_person(seat))
    )
    assert post.text.splitlines()[1].startswith(
        f"Something has been revealed since your last move. To take it back, I ask {listed(others)} in"
    )
    assert (await tables.get(number)).row.question is None, "asked before its player has read whom"
    button_id = button_called(post, "Ask to undo").custom_id
    post = await last_shown_post(
        lambda response: PanelHandler(tables).undo(response, button_id, request_of_person(seat))
    )
    assert "must agree" in post.text
    assert not button_labels(post)
    assert (await tables.get(number)).row.ply == table.row.ply


async def test_a_stale_undo_out_of_turn_is_refused(tables: Tables) -> None:
    """Nothing can be chosen instead, so no choices are shown."""
    number = await begin(tables, default_setup(GAMES["oceans"], 3))
    first_seat = (await tables.get(number)).to_act
    assert first_seat is not None
    after = await play_until_turn_passes(tables, number, RNG)
    assert after.match is not None
    stale_id = table_custom_id(after, "undo", str(len(after.match.history) + 1))
    with pytest.raises(StaleChoice):
        await last_shown_post(
            lambda response: PanelHandler(tables).undo(response, stale_id, request_of_person(first_seat))
        )


async def test_undo_in_an_older_message_asks_the_others(tables: Tables) -> None:
    """Others have moved since the message was sent: the undo is still the same, and they are asked.

    Before, a private page says who would be asked and about which moves, and asks nobody yet.
    """
    number = await begin(tables, default_setup(GAMES["oceans"], 3))
    first_seat = (await tables.get(number)).to_act
    assert first_seat is not None
    second_seat = (await play_until_turn_passes(tables, number, RNG)).to_act
    assert second_seat is not None
    button_id = undo_button(await tables.get(number)).custom_id
    assert (await play_until_turn_passes(tables, number, RNG)).to_act not in {first_seat, second_seat}
    post = await last_shown_post(
        lambda response: PanelHandler(tables).undo(response, button_id, request_of_person(first_seat))
    )
    table = await tables.get(number)
    assert table.row.question is None
    assert (
        f"I ask {listed([name for seat, name in enumerate(table.names) if seat != first_seat])}" in post.text
    )
    assert "Another player has moved since your last move." in post.text, "one of two"
    assert "Keep the move" in button_labels(post), "another player is to act"
    confirm_button = components_by_row(post)[0][0]
    assert isinstance(confirm_button, Button)
    post = await last_shown_post(
        lambda response: PanelHandler(tables).undo(
            response, confirm_button.custom_id, request_of_person(first_seat)
        )
    )
    assert "must agree" in post.text
    assert (await tables.get(number)).row.question is not None


async def test_the_whole_turn_can_be_asked_for(tables: Tables) -> None:
    """After others have moved **Undo turn** asks for all of the turn, and **Undo** leads there, too.

    The question for the last move names what of the turn its player could then take back freely.
    """
    table, seat = await table_with_continuing_choices(tables)
    assert table.match is not None
    start = len(table.match.history)
    await make_continuing_choice(tables, table.number, seat)
    ended = await play_until_turn_passes(tables, table.number, RNG)
    turn_button_id = undo_button(ended, is_whole_turn=True).custom_id
    table = await play_until_turn_passes(tables, table.number, RNG)
    assert table.match is not None
    undo = table.match.possible_undo(seat)
    assert undo is not None
    assert (rest := table.log_lines(start, undo.kept_length))

    async def press(button_id: CustomId) -> Post:
        return await last_shown_post(
            lambda response: PanelHandler(tables).undo(response, button_id, request_of_person(seat))
        )

    page = await press(turn_button_id)
    turn_button = button_called(await press(undo_button(table).custom_id), "Undo turn")
    assert (await press(turn_button.custom_id)).text == page.text
    assert "To take your whole turn back, I ask" in page.text
    assert all(f"> {text}" in page.text for line in rest for text in line.text.splitlines())
    question_text = question_post(own_undo.undo(table, request_of_person(seat)).table).text
    heading = f"{table.names[seat]} could then take this back, too, without asking:\n"
    assert question_text.partition(heading)[2].startswith(f"-# {rest[0].text}")
    await press(button_called(page, "Ask to undo").custom_id)
    table = await tables.get(table.number)
    question = question_of(table)
    assert question.kept_length == start
    text = question_post(table).text
    assert f"{table.names[seat]} asks to take the whole turn back." in text
    assert "without asking" not in text
    for other in {0, 1, 2} - {seat}:
        request = request_of_person(other)
        answer = (await answer_question(tables, table.number, request, is_yes=True)).answer
    assert answer.endswith(f"{table.names[seat]}'s turn and all moves after it are taken back.")
    match = (await tables.get(table.number)).match
    assert match is not None
    assert len(match.history) == start


@pytest.mark.parametrize("is_declined", [False, True])
async def test_who_was_refused_the_last_move_cannot_ask_for_the_turn(
    tables: Tables, *, is_declined: bool
) -> None:
    """Until the next move a declined undo covers its whole turn; who withdraws it may ask for more."""
    table, seat = await table_with_continuing_choices(tables)
    await make_continuing_choice(tables, table.number, seat)
    await play_until_turn_passes(tables, table.number, RNG)
    table = await play_until_turn_passes(tables, table.number, RNG)
    request = request_of_person(seat)
    asking_table = own_undo.undo(table, request).table
    assert asking_table.row.question is not None
    voter_request = request_of_person((seat + 1) % 3) if is_declined else request
    answered_table = voting.vote(
        asking_table, voter_request, question_id=asking_table.row.question.id, is_yes=False
    ).table
    if is_declined:
        decliner_name = table.names[(seat + 1) % 3]
        with pytest.raises(
            Refusal, match=rf"^You asked to take back your last move, and {decliner_name} declined\. The turn"
        ):
            own_undo.undo(answered_table, request, is_whole_turn=True)
    else:
        assert own_undo.undo(answered_table, request, is_whole_turn=True).table.row.question is not None


def test_who_was_refused_the_turn_cannot_ask_for_a_part_that_frees_it() -> None:
    """A smaller undo is asked for only if the rest of the turn could not be taken back freely then."""
    outcomes = set()
    for table in shared_sample_tables("oceans", MAX_SHARED_TABLES):
        for seat in map(Seat, range(len(table.seats))):
            undo, turn_undo = (
                game_calls.possible_undo(table, seat),
                game_calls.possible_turn_undo(table, seat),
            )
            if undo is None or undo.is_free or turn_undo is None or undo == turn_undo:
                continue
            request = request_of_person(seat)
            asking_table = own_undo.undo(table, request, is_whole_turn=True).table
            question = question_of(asking_table)
            voter_request = msgspec.structs.replace(request, user=question.asked_users[0])
            decision = voting.vote(asking_table, voter_request, question.id, is_yes=False)
            assert decision.deliveries[0].text.endswith(" declined. The turn stands.")
            is_turn_freed = game_calls.free_turn_start(table, seat, undo.kept_length) == turn_undo.kept_length
            outcomes.add(is_turn_freed)
            if is_turn_freed:
                with pytest.raises(
                    Refusal, match=r"^You asked to take back your turn, and \w+ declined\. The"
                ):
                    own_undo.undo(decision.table, request)
            else:
                own_undo.undo(decision.table, request)
    assert outcomes == {True, False}


async def test_a_newcomer_undoes_only_the_own_part_of_a_turn(tables: Tables) -> None:
    """**Undo turn** leaves what the seat's earlier player chose in that turn, so it asks nobody."""
    table, seat = await table_with_continuing_choices(tables)
    taken_over = await make_continuing_choice(tables, table.number, seat)
    assert taken_over.match is not None
    after = await make_continuing_choice(tables, table.number, seat)
    own_start = len(taken_over.match.history)
    row = msgspec.structs.replace(after.seats[seat], earlier_players=(EarlierPlayer("Gita", own_start),))
    after = after.with_seat(seat, row)
    undo = game_calls.possible_turn_undo(after, seat)
    assert undo is not None
    assert (undo.kept_length, undo.is_free) == (own_start, True)
    decision = own_undo.undo(after, request_of_person(seat), is_whole_turn=True, is_confirmed=False)
    assert decision.answer == "You took back your turn."


async def test_a_newcomer_who_has_not_moved_undoes_nothing(tables: Tables) -> None:
    """What an earlier player of the seat chose is not the newcomer's last move, nor their turn."""
    table, seat = await table_with_continuing_choices(tables)
    after = await make_continuing_choice(tables, table.number, seat)
    for _ in range(2):
        assert after.match is not None
        earlier_players = (EarlierPlayer("Gita", len(after.match.history)),)
        row = msgspec.structs.replace(after.seats[seat], earlier_players=earlier_players)
        for is_whole_turn in (False, True):
            with pytest.raises(Refusal, match=r"^You have made no move since you took this seat\.$"):
                own_undo.undo(
                    after.with_seat(seat, row), request_of_person(seat), is_whole_turn=is_whole_turn
                )
        after = await play_until_turn_passes(tables, table.number, RNG)


async def test_a_question_quotes_few_lines_of_the_rest_of_the_turn(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that its asker could take back freely, and none of what an earlier player has done."""
    table, seat = await table_with_continuing_choices(tables)
    await make_continuing_choice(tables, table.number, seat)
    for _ in range(2):
        table = await play_until_turn_passes(tables, table.number, RNG)
    assert table.match is not None
    undo = table.match.possible_undo(seat)
    assert undo is not None
    free_start = game_calls.free_turn_start(table, seat, undo.kept_length)
    rest_texts = [
        text for line in table.log_lines(free_start, undo.kept_length) for text in line.text.splitlines()
    ]
    assert len(rest_texts) > 1
    asking_table = own_undo.undo(table, request_of_person(seat)).table
    heading = f"{table.names[seat]} could then take this back, too, without asking:\n"
    monkeypatch.setattr(question_posts, "_MAX_EARLIER_MOVE_LINES", len(rest_texts))
    assert "-# …" not in question_post(asking_table).text
    monkeypatch.setattr(question_posts, "_MAX_EARLIER_MOVE_LINES", len(rest_texts) - 1)
    text = question_post(asking_table).text
    assert f"{table.names[seat]} asks to take this back." in text
    assert text.partition(heading)[2].startswith(
        "\n".join([*(f"-# {each}" for each in rest_texts[:-1]), "-# …"])
    )
    earlier_players = (EarlierPlayer("Gita", undo.kept_length),)
    newcomer_row = msgspec.structs.replace(asking_table.seats[seat], earlier_players=earlier_players)
    assert heading not in question_post(asking_table.with_seat(seat, newcomer_row)).text


async def test_a_roll_back_is_shown_before_anybody_is_asked(tables: Tables) -> None:
    """Its moderator reads what stays and goes, by number, whom it asks, and that it splits a turn."""
    table, seat = await table_with_continuing_choices(tables)
    first_after = await make_continuing_choice(tables, table.number, seat)
    after = await make_continuing_choice(tables, table.number, seat)
    host = request_of_person(0)
    texts = []
    for move_number in (table.move_count, first_after.move_count):
        with pytest.raises(UnconfirmedRollBack) as raised:
            moderation.roll_back(after, host, move_number, is_confirmed=False)
        texts.append(confirm_roll_back_post(raised.value).text)
    assert all(
        "I ask Ben and Chloé in the game's channel, and all of them must agree." in each for each in texts
    )
    name = table.names[seat]
    for text, move_number, destination_text in zip(
        texts,
        (table.move_count, first_after.move_count),
        (f"it is {name}'s turn.", f"{name} is in the middle of the turn."),
        strict=True,
    ):
        assert f"Roll the game back to move {move_number}? Then {destination_text}\n" in text
        kept_text, taken_back_text = text.split("\nThis would be taken back:\n")
        numbers = [re.findall(r"^` *(\d+)`", part, re.MULTILINE) for part in (kept_text, taken_back_text)]
        assert [int(each) for part in numbers for each in part] == [
            *range(max(1, move_number - 2), after.move_count + 1)
        ]
        assert numbers[1][0] == str(move_number + 1)
    assert moderation.roll_back(after, host, table.move_count).table.row.question is not None


def test_a_long_roll_back_has_pages() -> None:
    """Each line that it would take back stands on one of them; only the first shows what stays."""
    table = shared_sample_tables("oceans", MAX_SHARED_TABLES)[-1]
    assert table.match is not None
    kept_length = [i for i, record in enumerate(table.match.history) if record.is_choice][1]
    roll_back = UnconfirmedRollBack(table, 1, kept_length)
    lines, page_index, button = list[str](), 0, Button("", table_custom_id(table, "rollpg", "1 0 new"))
    while not button.disabled:
        move_text, page_text, _ = button.custom_id.argument.split()
        assert (move_text, page_text) == ("1", str(page_index))
        post = confirm_roll_back_post(roll_back, page_index)
        kept_text, taken_back_text = post.text.split("\nThis would be taken back:\n")
        assert ("\nThis would stay:\n`" in kept_text) is (page_index == 0)
        lines += [line for line in taken_back_text.splitlines() if line != "…"]
        page_index, button = page_index + 1, button_called(post, "Newer moves")
    assert page_index > 2
    log_lines = table.log_lines(kept_length)
    assert lines == [line.text for line in numbered_lines(table.match.history, log_lines)]


def test_a_roll_back_lists_moves_without_words() -> None:
    """What the moderator and the players are asked names the end of a turn, too, of which no story tells."""
    table = next(
        each for each in shared_sample_tables("arctic_cleanup", MAX_SHARED_TABLES) if _silent_choices(each)
    )
    assert table.match is not None
    kept_length, history = _silent_choices(table)[0], table.match.history
    move_number = int(move_numbers(history)[kept_length])
    line = f"`{move_number:>3}` {table.names[history[kept_length].actor]}: "
    text = confirm_roll_back_post(UnconfirmedRollBack(table, move_number, kept_length)).text
    assert f"\nThis would be taken back:\n{line}" in text
    assert quote_taken_back(table, kept_length, with_numbers=True).lines[0].startswith(f"> {line}")


def _silent_choices(table: Table) -> list[int]:
    """Return the indexes of the choices of which the log says nothing."""
    assert table.match is not None
    told_indexes = {line.index for line in table.log_lines(0)}
    return [i for i, record in enumerate(table.match.history) if record.is_choice and i not in told_indexes]


async def test_a_second_undo_press_takes_nothing_back(tables: Tables) -> None:
    """Undo pressed twice takes one choice back."""
    table, seat = await table_with_continuing_choices(tables)
    await make_continuing_choice(tables, table.number, seat)
    button_id = undo_button(await make_continuing_choice(tables, table.number, seat)).custom_id
    for _ in range(2):
        post = await last_shown_post(
            lambda response: PanelHandler(tables).undo(response, button_id, request_of_person(seat))
        )
        match = (await tables.get(table.number)).match
        assert match is not None
        assert table.match is not None
        assert len(match.history) == len(table.match.history) + 1
    assert "made or taken back since then" in post.text


async def test_a_whole_turn_is_taken_back_without_a_notice(tables: Tables) -> None:
    """Undo turn leads back to its first choice, and nobody else reads of it while the seat is to act."""
    table, seat = await table_with_continuing_choices(tables)
    await make_continuing_choice(tables, table.number, seat)
    after = await make_continuing_choice(tables, table.number, seat)
    undo = game_calls.possible_turn_undo(after, seat)
    assert undo is not None
    assert after.to_act == seat
    decision = own_undo.undo(after, request_of_person(seat), is_whole_turn=True)
    assert not [each for each in decision.deliveries if each.slot.kind is DeliveryKind.NOTICE]
    button_id = undo_button(after, "Undo turn", is_whole_turn=True).custom_id
    post = await last_shown_post(
        lambda response: PanelHandler(tables).undo(response, button_id, request_of_person(seat))
    )
    assert "You took back your turn." in post.text
    match = (await tables.get(table.number)).match
    assert match is not None
    assert len(match.history) == undo.kept_length


def test_a_turn_that_revealed_something_is_taken_back_in_part() -> None:
    """Undo turn goes back to the reveal, and says that what was chosen before it stays."""
    answers = set()
    for table in shared_sample_tables("oceans", MAX_SHARED_TABLES):
        assert table.match is not None
        assert table.to_act is not None
        undo = table.match.possible_turn_undo(table.to_act)
        turn = newest_turn(table.match.history)
        if undo is None or turn is None or not undo.is_free:
            continue
        answer = own_undo.undo(table, request_of_person(table.to_act), is_whole_turn=True).answer
        is_partial = any(record.is_choice for record in table.match.history[turn.start : undo.kept_length])
        assert answer == f"You took back your turn{', up to what it had revealed' if is_partial else ''}."
        answers.add(answer)
    assert len(answers) == 2


async def test_there_is_nothing_to_undo_before_the_first_move(tables: Tables) -> None:
    """**Undo** is disabled until a person has moved: nobody takes back a computer player's move."""
    number = await begin(tables, default_setup(GAMES["currents"], 2))
    table = await tables.get(number)
    seat = table.to_act
    assert seat is not None
    assert undo_button(table).disabled
    table_after = (await make_move(tables, number, random.Random(1))).table
    assert not undo_button(table_after).disabled
    table_moved_by_computer = table_after.with_seat(seat, SeatRow(name="Casual", computer="casual"))
    assert undo_button(table_moved_by_computer).disabled


async def test_an_undo_after_the_turn_is_announced(tables: Tables) -> None:
    """Once another player is to act, the undone turn's post says who took it back and who plays now."""
    number = await begin(tables, default_setup(GAMES["currents"], 2))
    rng = random.Random(1)
    table = (await make_move(tables, number, rng)).table
    while (seat := table.to_act) is not None:
        table = (await make_move(tables, number, rng)).table
        if table.to_act != seat and (undo := game_calls.possible_undo(table, seat)) and undo.is_free:
            break
    assert seat is not None
    decision = own_undo.undo(table, request_of_person(seat))
    kinds = {DeliveryKind.NOTICE, DeliveryKind.TURN}
    announcements = [each.text for each in decision.deliveries if each.slot.kind in kinds]
    assert table.to_act is not None
    name, other_name = table.names[seat], table.names[table.to_act]
    assert announcements == [
        f"{name} took back the last move. It is {name}'s turn again, not {other_name}'s."
    ]


async def test_an_undo_with_hindsight_is_asked_about_first(tables: Tables) -> None:
    """**Undo** only asks; the button below its question takes the move back."""
    number = await begin(tables, default_setup(GAMES["currents"], 2), computer_count=1)
    table = await play_until_hindsight(tables, number)
    button_id = undo_button(table).custom_id
    question_page = await last_shown_post(
        lambda response: PanelHandler(tables).undo(response, button_id, request_of_person(0))
    )
    assert (await tables.get(number)).row.ply == table.row.ply
    confirm_button = components_by_row(question_page)[0][0]
    assert isinstance(confirm_button, Button)
    post = await last_shown_post(
        lambda response: PanelHandler(tables).undo(response, confirm_button.custom_id, request_of_person(0))
    )
    assert "with hindsight. This game is not rated." in post.text
    assert "Type a move" in button_labels(post)
