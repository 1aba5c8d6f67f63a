"""Undos and roll-backs against computer players, whose turns are stored whole, also with hindsight."""

from dataclasses import replace
from functools import partial

import pytest

from bot.chat.components import Button
from bot.chat.move_result_posts import move_result_post
from bot.chat.undo_pages import confirm_roll_back_post, confirm_undo_post
from bot.host import game_calls
from bot.host.deciders import departures, moderation, own_undo, play
from bot.host.deciders.moderation import UnconfirmedRollBack
from bot.host.deciders.own_undo import MAX_UNDOS_WITHOUT_CONSENT, UnconfirmedUndo
from bot.host.deciders.play import StaleChoice
from bot.host.deciders.undoing import nearest_index_for_person
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import UndosWithoutConsent
from bot.store.sqlite import SqliteStore
from rules.model import Resign, Seat
from tests.bot.chat.post_components import button_labels, components_by_row
from tests.bot.host.ended_games import make_any_move
from tests.bot.host.hindsight import choose_at_random, play_until_hindsight, play_until_turn
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    RNG,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.host.timed_tables import begin_timed_table, change_as, play_until_turn_passes, timer_of

PERSON = Seat(0)


async def test_an_undo_with_hindsight_is_announced_and_stored(tables: Tables, store: SqliteStore) -> None:
    """After the computer has played, the undo says what its player saw, and the stored table keeps that."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2), computer_count=1)
    await play_until_hindsight(tables, number)
    request = request_of_person(PERSON)
    with pytest.raises(UnconfirmedUndo):
        await tables.change(number, request, partial(own_undo.undo, request=request, is_confirmed=False))
    result = await tables.change(number, request, partial(own_undo.undo, request=request))
    assert "with hindsight" in result.answer
    waiting = await store.waiting_deliveries(number)
    assert any(
        each.kind is DeliveryKind.TURN
        and "with hindsight, against computers. This game is not rated." in each.text
        for each in waiting
    )
    stored = await store.load(number)
    assert stored is not None
    assert stored.row.undone_with_hindsight
    await play_until_turn(tables, number, is_computer_turn=True)
    assert (await tables.get(number)).row.undone_with_hindsight, "forgotten after the next move"
    table = await play_until_turn(tables, number, is_computer_turn=False)
    second_undo = own_undo.undo(table, request, is_confirmed=False)
    assert second_undo.table.row.undone_with_hindsight, "nothing is asked that is known"


async def test_nothing_is_asked_about_a_game_that_is_unrated(tables: Tables) -> None:
    """A game whose result will not count, as it was restored from a backup, has no rating to lose."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2), computer_count=1)
    table = await play_until_hindsight(tables, number)
    assert table.match is not None
    request = request_of_person(PERSON)
    with pytest.raises(UnconfirmedUndo):
        own_undo.undo(table, request, is_confirmed=False)
    restored = table.with_match(table.match.reseal(table.match_id))
    assert own_undo.undo(restored, request, is_confirmed=False).table.row.undone_with_hindsight


async def test_a_refused_undo_is_not_asked_about(tables: Tables) -> None:
    """At the limit of undos the refusal comes at once, not after a question."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2), computer_count=1)
    table = await play_until_hindsight(tables, number)
    table_at_limit = table.with_row(
        undos_without_consent=UndosWithoutConsent(PERSON, MAX_UNDOS_WITHOUT_CONSENT)
    )
    with pytest.raises(Refusal, match="which is the limit"):
        own_undo.undo(table_at_limit, request_of_person(PERSON), is_confirmed=False)


async def test_a_confirmation_takes_back_only_what_was_asked_about(tables: Tables) -> None:
    """The question names the choice; pressed after another choice, its button takes back nothing."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2), computer_count=1)
    table = await play_until_hindsight(tables, number)
    with pytest.raises(UnconfirmedUndo) as raised:
        own_undo.undo(table, request_of_person(PERSON), is_confirmed=False)
    question = confirm_undo_post(raised.value)
    confirm_button = components_by_row(question)[0][0]
    assert isinstance(confirm_button, Button)
    _, history_length = confirm_button.custom_id.argument.split()
    await make_move(tables, number, RNG)
    later_table = await play_until_turn(tables, number, is_computer_turn=False)
    assert later_table.match is not None
    for line in table.log_lines(raised.value.kept_length):
        assert line.text.splitlines()[0] in question.text
    with pytest.raises(StaleChoice):
        own_undo.undo(later_table, request_of_person(PERSON), history_length=int(history_length))


async def test_the_question_names_what_is_taken_back(tables: Tables) -> None:
    """A first move without words of its own is named by its kind, such as many ends of turns here."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["arctic_cleanup"], 2), computer_count=1)
    table = await play_until_hindsight(tables, number)
    with pytest.raises(UnconfirmedUndo) as raised:
        own_undo.undo(table, request_of_person(PERSON), is_confirmed=False)
    assert table.match is not None
    first_record = table.match.history[raised.value.kept_length]
    label = table.game.words.verb_texts[type(first_record.action)].label
    text = confirm_undo_post(raised.value).text
    lines = table.log_lines(raised.value.kept_length)
    is_narrated = lines[0].index == raised.value.kept_length
    origin_text = "" if is_narrated else f", from **{label}** on"
    assert f"This would be taken back{origin_text}:\n> {lines[0].text}" in text
    raised.value.table = replace(
        table, recent_log=tuple(line for line in lines if line.index > lines[0].index)
    )
    assert f"This would be taken back, from **{label}** on:\n> " in confirm_undo_post(raised.value).text


@pytest.mark.parametrize("computer_count", [1, 2])
async def test_a_turn_that_revealed_something_offers_its_undo(tables: Tables, computer_count: int) -> None:
    """Against computers alone its end has **Undo**, which asks first; else the board has it."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["current_affairs"], 3), computer_count)
    table, has_revealed = await tables.get(number), False
    while not has_revealed:
        assert table.to_act is not None, "no turn has revealed anything"
        is_own_turn = table.to_act == 0
        await make_any_move(tables, number, RNG)
        table = await tables.get(number)
        undo = game_calls.possible_undo(table, PERSON)
        has_revealed = is_own_turn and table.to_act != 0 and undo is not None and not undo.is_free
    is_alone = computer_count == 2
    assert button_labels(move_result_post(table, PERSON, "")) == (["Undo"] if is_alone else [])
    with pytest.raises(UnconfirmedUndo) as refusal:
        own_undo.undo(table, request_of_person(0), is_confirmed=False)
    assert (not refusal.value.asked_users) is is_alone


async def test_a_free_undo_has_no_hindsight(tables: Tables, store: SqliteStore) -> None:
    """Before anybody has moved or seen anything an undo says nothing of what was seen."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2), computer_count=1)
    await play_until_turn(tables, number, is_computer_turn=False)
    move_result = await make_move(tables, number, RNG)
    assert move_result.table.match is not None
    undo = move_result.table.match.possible_undo(PERSON)
    assert undo is not None
    assert undo.is_free
    request = request_of_person(PERSON)
    result = await tables.change(number, request, partial(own_undo.undo, request=request, is_confirmed=False))
    assert "hindsight" not in result.answer
    stored = await store.load(number)
    assert stored is not None
    assert not stored.row.undone_with_hindsight


async def test_a_computers_turn_is_stored_at_once(tables: Tables, store: SqliteStore) -> None:
    """One change holds all choices of the computer's turn, up to the next seat's, and one post tells them."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 2), computer_count=1)
    for _ in range(4):
        table_before = await play_until_turn(tables, number, is_computer_turn=True)
        table_after = (
            await tables.change(
                number, None, lambda current: play.play_computer_turn(current, choose_at_random)
            )
        ).table
        assert table_after.row.version == table_before.row.version + 1
        assert table_after.to_act != table_before.to_act
    turn_starts = [
        each.slot.subject_id
        for each in await store.waiting_deliveries(number)
        if each.kind is DeliveryKind.TURN
    ]
    assert len(turn_starts) == len(set(turn_starts)) >= 4


@pytest.mark.parametrize("person_chooses_first", [False, True])
async def test_a_roll_back_leads_to_a_choice_of_the_person(
    tables: Tables, *, person_chooses_first: bool
) -> None:
    """No computer moves again at once: it goes to the person's choice before, or to their first one."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["australis"], 3), computer_count=2)
    await play_until_turn(tables, number, is_computer_turn=False)
    table = await play_until_hindsight(tables, number)
    assert table.match is not None
    history = table.match.history
    choice_indexes = [i for i, record in enumerate(history) if record.is_choice]
    first_chooser = history[choice_indexes[0]].actor
    if (first_chooser == PERSON) is not person_chooses_first:
        seats = list(table.seats)
        other = Seat(1) if first_chooser == PERSON else first_chooser
        seats[PERSON], seats[other] = seats[other], seats[PERSON]
        table = table.with_row(seats=tuple(seats))
    assert (table.seats[first_chooser].computer is None) is person_chooses_first
    own_choice_indexes = [i for i in choice_indexes if table.seats[history[i].actor].computer is None]
    for move_number, index in enumerate(choice_indexes):
        with pytest.raises(UnconfirmedRollBack) as raised:
            moderation.roll_back(table, request_of_person(PERSON), move_number, is_confirmed=False)
        roll_back = raised.value
        expected = max((each for each in own_choice_indexes if each <= index), default=own_choice_indexes[0])
        assert roll_back.kept_length == expected
        text = confirm_roll_back_post(roll_back).text
        assert f"Roll the game back to move {choice_indexes.index(expected)}?" in text
        moved_text = f"After move {move_number} a computer would move again at once."
        assert (moved_text in text) is (expected != index)


async def test_a_roll_back_to_a_resignation_leaves_no_computer_to_move(tables: Tables) -> None:
    """Whoever resigned in a computer's turn had no choice to make there."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["australis"], 3), computer_count=1)
    await play_until_turn(tables, number, is_computer_turn=False)
    await play_until_turn(tables, number, is_computer_turn=True)
    table = await change_as(tables, number, PERSON, departures.resign, computer="random")
    assert table.match is not None
    history = table.match.history
    assert any(isinstance(record.action, Resign) for record in history)
    for index in range(len(history)):
        to_act = table.match.at_length(nearest_index_for_person(table, index)).to_act
        assert to_act is not None
        assert table.seats[to_act].computer is None


async def test_a_roll_back_goes_where_its_moderator_was_told(tables: Tables, clock: ManualClock) -> None:
    """It is refused if a computer plays by now for the person who was to choose there."""
    control = TimeControl(turn_seconds=DAY, grace_seconds=0)
    number = await begin_timed_table(tables, control, game_key="currents")
    for _ in range(2):
        before = await play_until_turn_passes(tables, number, RNG)
    assert before.match is not None
    late_seat = before.to_act
    choices = [record for record in before.match.history if record.is_choice]
    move_number = next(i for i, record in enumerate(choices) if record.actor == late_seat)
    roll_back = partial(
        moderation.roll_back, request=request_of_person(PERSON), move_number=move_number, ply=before.row.ply
    )
    with pytest.raises(UnconfirmedRollBack):
        roll_back(before, is_confirmed=False)
    clock.now = (timer_of(before).deadline or 0) + 1
    await Housekeeping(tables).do_due_work_at_tables()
    after = await tables.get(number)
    assert after.row.ply == before.row.ply
    with pytest.raises(Refusal, match="moved on since you were asked"):
        roll_back(after)
