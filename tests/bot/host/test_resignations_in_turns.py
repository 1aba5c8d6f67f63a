"""Resignations in the middle of another's turn, which goes on as it was, or after a turn that is over."""

import random
from functools import partial
from itertools import product
from typing import NamedTuple

import pytest

from bot.chat import posts, question_posts, undo_pages
from bot.chat.panel_posts import panel_page
from bot.chat.story import board_story, public_story
from bot.host import game_calls
from bot.host.deciders import departures, own_undo, voting
from bot.host.deciders.own_undo import UnconfirmedUndo
from bot.host.deciders.questions import ask_to_undo
from bot.host.deciders.voting import users_still_to_agree
from bot.host.table import Table
from bot.host.table_turns import (
    current_turn_start,
    finished_turns,
    is_running_turn,
    newest_finished_turn,
    newest_finished_turn_end,
    story_start,
)
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status
from bot.store.seat_rows import Person
from rules.model import Resign, Seat
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.continuing_games import CONTINUING_GAME_KEYS
from tests.bot.host.ended_games import make_any_move, resign
from tests.bot.host.fake_chat import stub_board_pictures
from tests.bot.host.open_questions import question_of
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.host.timed_tables import change_as, notice_texts


class _Resignation(NamedTuple):
    """A table in the middle of a turn before and after another seat has resigned."""

    before: Table
    after: Table
    seat: Seat
    """The seat to act."""
    leaver: Seat


async def _resign_in_turn(tables: Tables, key: str, *, with_free_undo: bool = False) -> _Resignation:
    """Play until a seat that has finished a turn has begun another one; let the seat after it resign."""
    game = GAMES_AND_TOYS[key]
    number = await begin(tables, default_setup(game, max(game.player_counts)))
    rng = random.Random(f"resigned in turn/{key}")
    while True:
        table = (await make_move(tables, number, rng)).table
        assert table.match is not None
        seat = table.to_act
        assert seat is not None
        undo = game_calls.possible_undo(table, seat)
        if (
            current_turn_start(table) < len(table.match.history)
            and story_start(table, seat) > 0
            and undo is not None
            and (undo.is_free or not with_free_undo)
        ):
            break
    leaver = Seat((seat + 1) % len(table.seats))
    after = await change_as(tables, number, leaver, departures.resign, computer="random")
    assert after.to_act == seat
    return _Resignation(table, after, seat, leaver)


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_a_turn_goes_on_after_anothers_resignation(tables: Tables, key: str) -> None:
    """It began where it began, its story goes on, and nothing says that it is over."""
    before, after, seat, leaver = await _resign_in_turn(tables, key)
    assert current_turn_start(after) == current_turn_start(before)
    assert is_running_turn(after, current_turn_start(before))
    assert finished_turns(after) == finished_turns(before)
    assert story_start(after, seat) == story_start(before, seat)
    assert newest_finished_turn_end(after, seat) == newest_finished_turn_end(before, seat)
    text = public_story(after, seat, limit=4000).text
    assert text.startswith(public_story(before, seat, limit=4000).text)
    own_part = text.partition("**This turn so far:**")[2]
    assert f"> {after.names[leaver]} resigns" in own_part
    assert "**This turn so far:**" in board_story(after, seat).text
    waiting = await tables.store.waiting_deliveries(after.number)
    turn_starts = {each.slot.subject_id for each in waiting if each.kind is DeliveryKind.TURN}
    assert not turn_starts & {current_turn_start(before), len(before.match.history if before.match else ())}
    assert f"{after.names[leaver]} resigned." in await notice_texts(tables, after.number)


async def test_a_resignation_that_ends_a_game_is_told_once(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn's message has it; the notice says what follows, and the last board tells no turn again."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["current_affairs"], 3), computer_count=2)
    while (table := await tables.get(number)).to_act != 0 or table.move_count < 9:
        await make_any_move(tables, number, random.Random(1))
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, number)
    await chat_table.send_all()
    await resign(tables, number, 0)
    await chat_table.send_all()
    texts = [each.content for each in chat_table.chat.public_messages()]
    assert len([each for each in texts if "resign" in each]) == 1
    assert len([each for each in texts if "· No other person is left, so the game has ended." in each]) == 1
    assert texts[-1].endswith("· This game was ended early.")


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_the_post_of_a_turn_tells_it_whole(tables: Tables, key: str) -> None:
    """What was played before and after a resignation stands in one post, with the resignation."""
    before, after, seat, leaver = await _resign_in_turn(tables, key)
    start, rng = current_turn_start(before), random.Random(3)
    table = after
    while table.to_act == seat:
        table = (await make_move(tables, table.number, rng)).table
    turn = next(turn for turn in finished_turns(table) if turn.start == start)
    text = posts.turn_post(table, turn).text
    assert text.splitlines()[0].endswith(f"{table.names[seat]}'s turn")
    lines = [line.text for line in table.log_lines(turn.start, turn.end)]
    assert any(line.startswith(f"{table.names[leaver]} resigns") for line in lines[1:])


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_an_undo_stays_free_after_anothers_resignation(tables: Tables, key: str) -> None:
    """Nobody is asked, nothing is announced, and whoever has resigned stays so."""
    before, after, seat, leaver = await _resign_in_turn(tables, key, with_free_undo=True)
    assert after.match is not None
    labels = [str(row) for row in panel_page(after, seat).post.rows]
    assert any("Undo" in text for text in labels)
    for is_whole_turn in (False, True):
        decision = own_undo.undo(
            after, request_of_person(seat), is_whole_turn=is_whole_turn, is_confirmed=False
        )
        undone = decision.table
        assert undone.match is not None
        assert before.match is not None
        assert undone.to_act == seat
        assert undone.match.resigned_seats == {leaver}
        assert undone.row.question is None
        assert not undone.row.undone_with_hindsight
        assert not [each for each in decision.deliveries if each.slot.kind is DeliveryKind.NOTICE]
        possible_undo = game_calls.possible_turn_undo if is_whole_turn else game_calls.possible_undo
        assert (undo_before := possible_undo(before, seat)) is not None
        assert undone.match.history[:-1] == before.match.history[: undo_before.kept_length]
        assert undone.row.undos_without_consent is not None
        assert undone.row.undos_without_consent.count == 1, "the resignation does not begin another turn"


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_an_undone_turn_is_stored_with_the_resignation(tables: Tables, key: str) -> None:
    """A table that is loaded again is the same, and goes on."""
    _, after, seat, leaver = await _resign_in_turn(tables, key, with_free_undo=True)
    undone = await change_as(tables, after.number, seat, own_undo.undo)
    assert undone.match is not None
    table = await Tables(tables.store, GAMES_AND_TOYS).get(after.number)
    assert table.status is Status.PLAYING, "its replay equals its snapshot"
    assert table.match is not None
    assert table.match.resigned_seats == {leaver}
    assert isinstance(table.match.history[-1].action, Resign)
    assert table.match.digest() == undone.match.digest()
    await make_move(tables, after.number, random.Random(1))


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_an_undo_with_consent_keeps_a_resignation(tables: Tables, key: str) -> None:
    """Who has resigned since is neither asked nor named, nor listed as taken back, and stays away."""
    before, after, seat, leaver = await _resign_in_turn(tables, key)
    table, rng = after, random.Random(3)
    start = current_turn_start(before)
    while table.to_act == seat:
        table = (await make_move(tables, table.number, rng)).table
    table = (await make_move(tables, table.number, rng)).table
    with pytest.raises(UnconfirmedUndo) as refusal:
        own_undo.undo(table, request_of_person(seat), is_whole_turn=True, is_confirmed=False)
    text = undo_pages.confirm_undo_post(refusal.value).text
    assert table.names[leaver] not in text
    assert text.count("Another player has moved") + text.count("Something has been revealed") <= 1
    table = await change_as(tables, table.number, seat, partial(own_undo.undo, is_whole_turn=True))
    question = question_of(table)
    assert table.seats[leaver].user not in question.asked_users
    for user in question.asked_users:
        voter = next(each for each, row in enumerate(table.seats) if row.user == user)
        vote = partial(voting.vote, question_id=question.id, is_yes=True)
        table = await change_as(tables, table.number, voter, vote)
    assert table.match is not None
    assert table.to_act == seat
    assert len(table.match.history) == start + 1
    assert table.match.resigned_seats == {leaver}


async def _resign_after_turn(tables: Tables, number: int, *, in_own_turn: bool) -> tuple[Seat, Seat]:
    """Play a turn that can be undone; let another seat resign, in its own turn or while a third is to act.

    Return the seat whose turn it was and the one that has resigned.
    """
    rng = random.Random(5)
    while True:
        table = await tables.get(number)
        seat = table.to_act
        assert seat is not None
        while table.to_act == seat:
            table = (await make_move(tables, number, rng)).table
        leaver = table.to_act
        assert leaver is not None
        if in_own_turn:
            table = (await make_move(tables, number, rng)).table
            if table.to_act == leaver:
                break
        elif (undo := game_calls.possible_undo(table, seat)) is not None and undo.is_free:
            leaver = next(Seat(each) for each in range(len(table.seats)) if each not in {seat, leaver})
            break
    await change_as(tables, number, leaver, departures.resign, computer="random")
    return seat, leaver


@pytest.mark.parametrize(
    ("key", "in_own_turn"),
    [
        each
        for each in product(CONTINUING_GAME_KEYS, (False, True))
        if each != ("oceans", False)  # each turn ends with a draw, so no undo is free after it
    ],
)
async def test_the_message_of_an_undone_turn_says_whose_resignation_stands(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, key: str, *, in_own_turn: bool
) -> None:
    """Its moves were taken back, the resignation in it was not; nothing is said of moves if it had none."""
    stub_board_pictures(monkeypatch)
    game = GAMES_AND_TOYS[key]
    chat_table = ChatTable(tables, clock, await begin(tables, default_setup(game, max(game.player_counts))))
    seat, leaver = await _resign_after_turn(tables, chat_table.number, in_own_turn=in_own_turn)
    await chat_table.send_all()
    table = await change_as(tables, chat_table.number, seat, own_undo.undo)
    while (question := table.row.question) is not None:
        user = users_still_to_agree(table, question)[0]
        vote = partial(voting.vote, question_id=question.id, is_yes=True)
        table = await change_as(tables, table.number, user - FIRST_USER, vote)
    await chat_table.send_all()
    texts = [each.content for each in chat_table.chat.public_messages()]
    name = table.names[leaver]
    undone_text = "This turn was taken back, but " if in_own_turn else ""
    assert sum(each.endswith(f" · {undone_text}{name} resigned for good.") for each in texts) == 1
    whole_turns = [each for each in texts if each.endswith("This turn was taken back.")]
    assert len(whole_turns) <= in_own_turn, "only the other turn was taken back wholly"
    assert not any(each.partition("\n")[0].endswith("Resignation") for each in texts), "it is told once"


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_a_resignation_in_ones_own_turn_is_told_once(tables: Tables, key: str) -> None:
    """The post of the turn that it ends tells it, so no notice does."""
    game = GAMES_AND_TOYS[key]
    number = await begin(tables, default_setup(game, max(game.player_counts)))
    _, leaver = await _resign_after_turn(tables, number, in_own_turn=True)
    table = await tables.get(number)
    turn = newest_finished_turn(table, leaver)
    assert turn is not None
    assert f"{table.names[leaver]} resigns" in posts.turn_post(table, turn).text
    assert not any("resigned" in text for text in await notice_texts(tables, number))


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_undos_count_on_after_anothers_resignation(tables: Tables, key: str) -> None:
    """The turn goes on, so its player has as many undos left as before."""
    _, after, seat, leaver = await _resign_in_turn(tables, key, with_free_undo=True)
    undone = await change_as(tables, after.number, seat, own_undo.undo)
    another = next(Seat(each) for each in range(len(after.seats)) if each not in {seat, leaver})
    assert undone.to_act == seat
    resigned = await change_as(tables, after.number, another, departures.resign, computer="random")
    assert resigned.row.undos_without_consent == undone.row.undos_without_consent is not None


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_a_question_does_not_offer_to_take_a_resignation_back(tables: Tables, key: str) -> None:
    """It names what of the turn its asker could then take back freely: the own moves alone."""
    before, after, seat, leaver = await _resign_in_turn(tables, key, with_free_undo=True)
    assert before.match is not None
    assert after.match is not None
    table = (await make_move(tables, after.number, random.Random(3))).table
    asker = Person(FIRST_USER + seat, table.names[seat])
    length, others = len(after.match.history), (FIRST_USER + (seat + 2) % len(table.seats),)
    text = question_posts.question_post(ask_to_undo(table, asker, length, others, 0, seat).table).text
    own_line = table.log_lines(length - 2, length - 1)[0].text
    assert own_line in text.partition(" could then take this back, too")[2]
    assert table.names[leaver] not in text


@pytest.mark.parametrize(
    ("key", "seat_count"),
    [
        ("currents", 2),
        *((key, GAMES_AND_TOYS[key].player_counts[i]) for key in CONTINUING_GAME_KEYS for i in (0, -1)),
    ],
)
async def test_a_resignation_after_ones_own_turn_leaves_its_post(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, key: str, seat_count: int
) -> None:
    """A post of its own tells it.  If it ends the game, no board goes on to ask for a move."""
    stub_board_pictures(monkeypatch)
    game = GAMES_AND_TOYS[key]
    chat_table = ChatTable(tables, clock, await begin(tables, default_setup(game, seat_count)))
    await chat_table.send_all()
    await chat_table.play_turn()
    await chat_table.send_all()
    (turn_message,) = chat_table.turn_messages()
    turn_text = turn_message.content
    (turn,) = finished_turns(await tables.get(chat_table.number))
    table = await change_as(tables, chat_table.number, turn.seat, departures.resign, computer="random")
    await chat_table.send_all()
    texts = [each.content for each in chat_table.chat.public_messages()]
    assert turn_message.content == turn_text
    assert sum(text.partition("\n")[0].endswith("Resignation") for text in texts) == 1
    assert not any("taken back" in text for text in texts)
    board_count = sum("<@" in text.partition("\n")[0] for text in texts)
    assert board_count == (table.status is Status.PLAYING), texts
