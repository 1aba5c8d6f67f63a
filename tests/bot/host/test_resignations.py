"""Resignations: what they ask and say before, and that who has resigned is asked nothing more."""

import random
from functools import partial

import pytest

from bot.chat import pages, question_posts
from bot.chat.components import Button
from bot.chat.delivery_contents import board_content
from bot.chat.hand_posts import hand_post
from bot.chat.post_parts import title
from bot.chat.posts import looks_like_turn_post, turn_post
from bot.chat.table_commands import table_status_post
from bot.host.absences import start_absence
from bot.host.breaks import away_until
from bot.host.deciders import departures, moderation, own_undo, play, seats, time_controls, undoing, voting
from bot.host.deciders.decision import BOARD_DELIVERY
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR, TimeControl
from bot.store.delivery_rows import DeliveryKind, PostedMessage
from bot.store.rows import Status
from render.caption import Caption
from render.catalogue import PICTURES
from render.picture import PictureContext
from render.scene import Group, Text
from rules.model import MODERATOR, Resign, Seat
from rules.turns import Turn
from tests.bot.host.continuing_games import CONTINUING_GAME_KEYS
from tests.bot.host.open_questions import question_of
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
    request_of_user,
)
from tests.bot.host.timed_tables import (
    DAY_A_TURN,
    begin_timed_table,
    change_as,
    notice_texts,
    play_until_turn_passes,
    timer_of,
)
from tests.bot.host.viewer_output import use_scenes_as_pictures
from tests.trials import trial_count

KEYS_WITH_GREY_PANELS = {"current_affairs"}
"""Games whose pictures show no word of a resignation: the panel is grey."""


async def make_table_with_resignation(tables: Tables, key: str) -> tuple[Table, Seat]:
    """Return a table some moves on, where a seat that owed nothing has just given up."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[key]))
    rng = random.Random(4)
    for _ in range(9):
        await make_move(tables, number, rng)
    table = await tables.get(number)
    assert table.to_act is not None
    leaver = Seat((table.to_act + 1) % len(table.seats))
    request = request_of_person(leaver)
    result = await tables.change(
        number, request, partial(departures.resign, request=request, computer="random")
    )
    return result.table, leaver


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_somebody_who_has_resigned_is_told_so(tables: Tables, key: str) -> None:
    """Their private message says so and offers no move, and a typed move is refused for that reason."""
    table, leaver = await make_table_with_resignation(tables, key)
    post = hand_post(table, leaver)
    assert "You have resigned from this game." in post.text
    buttons = (part for row in post.rows if isinstance(row, tuple) for part in row)
    assert [part.label for part in buttons if isinstance(part, Button)] == ["Board", "More"]
    request = request_of_person(leaver)
    with pytest.raises(Refusal, match="You have resigned from this game"):
        play.play_typed_line(table, request, "any")


def _has_moved_since(table: Table, seat: Seat | None, leaver: Seat) -> bool:
    """Whether a seat has chosen after another one resigned."""
    assert table.match is not None
    history = table.match.history
    resignation_index = next(i for i, record in enumerate(history) if isinstance(record.action, Resign))
    assert history[resignation_index].actor == leaver
    return any(record.is_choice and record.actor == seat for record in history[resignation_index + 1 :])


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_a_resignation_rolled_back_needs_its_players_consent(tables: Tables, key: str) -> None:
    """A roll-back across a resignation would bring its player back, who is asked too."""
    table, _ = await make_table_with_resignation(tables, key)
    admin_request = request_of_user(900, is_admin=True)
    decision = moderation.roll_back(table, admin_request, table.move_count - 1)
    question = question_of(decision.table)
    assert set(question.asked_users) == {row.user for row in table.seats}


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_a_typed_line_resigns_nobody(tables: Tables, key: str) -> None:
    """Resigning is for good and asked for twice, so the word typed as a move says where to do it."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[key]))
    table = await tables.get(number)
    assert table.to_act is not None
    with pytest.raises(Refusal, match=r"Press \*\*More\*\*, then \*\*Resign\*\*"):
        play.play_typed_line(table, request_of_person(table.to_act), "Resign")


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_no_consent_is_asked_of_somebody_who_resigned(tables: Tables, key: str) -> None:
    """An undo waits for those who still play; the one who has resigned is neither named nor waited for."""
    table, leaver = await make_table_with_resignation(tables, key)
    asker, rng = table.to_act, random.Random(5)
    while table.to_act in {asker, None} or not _has_moved_since(table, asker, leaver):
        table = (await make_move(tables, table.number, rng)).table
    assert table.match is not None
    assert asker is not None
    table = (await make_move(tables, table.number, rng)).table
    request = request_of_person(asker)
    result = await tables.change(table.number, request, partial(own_undo.undo, request=request))
    assert table.names[leaver] not in result.answer
    others = [seat for seat in range(len(table.seats)) if seat not in {asker, leaver}]
    asked_users = question_posts.question_post(result.table).notified_users
    assert asked_users == tuple(table.seats[seat].user for seat in others)
    for seat in others:
        request = request_of_person(seat)
        question = (await tables.get(table.number)).row.question
        if question is None:
            break
        await tables.change(
            table.number,
            request,
            partial(voting.vote, request=request, question_id=question.id, is_yes=True),
        )
    after = await tables.get(table.number)
    assert after.row.question is None
    assert after.match is not None
    assert table.match is not None
    assert len(after.match.history) < len(table.match.history)


@pytest.mark.parametrize("is_offered_by_host", [False, True])
@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_nobody_takes_the_seat_of_somebody_who_resigned(
    tables: Tables, key: str, *, is_offered_by_host: bool
) -> None:
    """Resigning ends an offer of the seat, also the host's; nothing says that anybody moved."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[key]))
    leaver = Seat(1)
    offerer_request = request_of_person(0 if is_offered_by_host else leaver)
    offer_seat = partial(seats.offer_to_anybody, request=offerer_request, seat=leaver)
    offer = (await tables.change(number, offerer_request, offer_seat)).table.seats[leaver].offer
    assert offer is not None
    newest_id = max(each.id for each in await tables.store.waiting_deliveries(number))
    table = await change_as(tables, number, leaver, departures.resign, computer="random")
    assert table.seats[leaver].offer is None
    new_deliveries = [each for each in await tables.store.waiting_deliveries(number) if each.id > newest_id]
    assert [each.text for each in new_deliveries if each.kind is DeliveryKind.OFFER] == ["Ben resigned."]
    assert [each.text for each in new_deliveries if each.kind is DeliveryKind.NOTICE] == []


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_resigning_ends_no_absence(tables: Tables, clock: ManualClock, key: str) -> None:
    """An absent player stays away at other tables; nobody for whom a computer plays is announced as back."""
    number = await begin_timed_table(
        tables, TimeControl(turn_seconds=HOUR, grace_seconds=0), GAMES_AND_TOYS[key].player_counts[-1], key
    )
    leaver = timer_of(await tables.get(number)).seat
    clock.now += HOUR + 1
    await Housekeeping(tables).do_due_work_at_tables()
    assert (await tables.get(number)).seats[leaver].substitute is not None
    until = int(clock()) + DAY
    await start_absence(tables, request_of_person(leaver), until)
    notices_before = await notice_texts(tables, number)
    table = await change_as(tables, number, leaver, departures.resign, computer="random")
    assert await notice_texts(tables, number) == notices_before
    assert table.seats[leaver].substitute is None
    assert table.match is not None
    assert leaver in table.match.resigned_seats
    assert "(computer)" not in table.log_lines(0)[-1].text
    assert away_until(await tables.person_preferences.get(FIRST_USER + leaver), int(clock())) == until


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
@pytest.mark.parametrize("is_late", [False, True])
async def test_anothers_resignation_gives_no_time(
    tables: Tables, clock: ManualClock, key: str, *, is_late: bool
) -> None:
    """The player to move keeps the deadline and the grace period, and the turn counts as missed if it was."""
    seat_count = GAMES_AND_TOYS[key].player_counts[-1]
    number = await begin_timed_table(tables, TimeControl(turn_seconds=DAY, bank_seconds=DAY), seat_count, key)
    for _ in range(6):
        await make_move(tables, number, random.Random(3))
    clock.now += 2 * DAY + 1 if is_late else DAY
    await Housekeeping(tables).do_due_work_at_tables()
    table_before = await tables.get(number)
    assert table_before.to_act is not None
    for step in (1, 2):
        leaver = (table_before.to_act + step) % seat_count
        clock.now += HOUR
        table = await change_as(tables, number, leaver, departures.resign, computer="random")
        assert table.to_act == table_before.to_act
        assert timer_of(table) == timer_of(table_before)
        assert table.row.turn_notices is not None
        assert table_before.row.turn_notices is not None
        assert table.row.turn_notices.due == table_before.row.turn_notices.due
        assert table.seats[table_before.to_act].clock == table_before.seats[table_before.to_act].clock


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_an_undo_after_anothers_resignation_gives_no_time(
    tables: Tables, clock: ManualClock, key: str
) -> None:
    """A turn in which somebody resigned has the time that was left of it, also once its end is undone."""
    seat_count = GAMES_AND_TOYS[key].player_counts[-1]
    number = await begin_timed_table(tables, DAY_A_TURN, seat_count, key)
    for _ in range(6):
        await make_move(tables, number, random.Random(3))
    seat = timer_of(await tables.get(number)).seat
    clock.now += 20 * HOUR
    leaver = (seat + 2) % seat_count
    table_before = await change_as(tables, number, leaver, departures.resign, computer="random")
    assert table_before.match is not None
    await play_until_turn_passes(tables, number, random.Random(4))
    undo = partial(
        undoing.undo_to, actor=MODERATOR, kept_length=len(table_before.match.history), announcement=None
    )
    table_after = (await tables.change(number, None, undo)).table
    assert (timer_of(table_after).seat, timer_of(table_after).deadline) == (
        seat,
        timer_of(table_before).deadline,
    )


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_anothers_resignation_is_no_second_mention(tables: Tables, key: str) -> None:
    """The board mentions a player once a turn, also if others resign after each choice of it."""
    seat_count = GAMES_AND_TOYS[key].player_counts[-1]
    number = await begin(tables, default_setup(GAMES_AND_TOYS[key], seat_count))
    table = await tables.get(number)
    posted_board, asked_seat, remaining_leaver_count = None, None, 2
    for _ in range(trial_count(short=20, soak=60)):
        with use_scenes_as_pictures():
            content = await board_content(table, posted_board)
        is_same_turn = asked_seat == table.to_act
        assert bool(content.post.notified_users) is not is_same_turn
        asked_seat = table.to_act
        posted_board = PostedMessage(
            BOARD_DELIVERY.slot,
            table.row.game_channel,
            1,
            table.row.ply,
            0.0,
            mentioned_user=content.asked_user,
            last_mentions=content.last_mentions,
            shown_turn_start=content.turn_start,
        )
        if remaining_leaver_count and is_same_turn and asked_seat is not None:
            assert table.match is not None
            leaver = next(
                Seat(seat % seat_count)
                for seat in range(asked_seat + 1, asked_seat + seat_count)
                if seat % seat_count not in table.match.resigned_seats
            )
            table = await change_as(tables, number, leaver, departures.resign, computer="random")
            remaining_leaver_count -= 1
        else:
            table = (await make_move(tables, number, random.Random(2))).table
    assert not remaining_leaver_count


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_no_pause_waits_for_somebody_who_resigned(tables: Tables, key: str) -> None:
    """Somebody asked for a pause who has resigned since is not waited for, and cannot decline or end it."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[key]))
    table = await change_as(tables, number, 0, time_controls.ask_to_pause)
    question = question_of(table)
    table = await change_as(tables, number, 1, departures.resign, computer="random")
    others = question.asked_users[1:]
    assert question_posts.question_post(table).notified_users == others
    with pytest.raises(Refusal, match="Only the people who are asked"):
        await change_as(tables, number, 1, voting.vote, question_id=question.id, is_yes=False)
    for user in others:
        seat = user - FIRST_USER
        table = await change_as(tables, number, seat, voting.vote, question_id=question.id, is_yes=True)
    assert table.status is Status.PAUSED
    with pytest.raises(Refusal, match="Only the table's host"):
        await change_as(tables, number, 1, moderation.resume)


async def test_a_late_press_of_resign_says_why_not(tables: Tables) -> None:
    """Each reason has its own sentence."""
    number = await begin_timed_table(tables, None)
    outsider_request = request_of_user(900)
    with pytest.raises(Refusal, match="You have no seat at this table"):
        pages.confirm_resign_post(await tables.get(number), outsider_request)
    paused = await change_as(tables, number, 0, moderation.pause)
    with pytest.raises(Refusal, match="This game is paused"):
        pages.confirm_resign_post(paused, request_of_person(0))


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_resigning_twice_is_refused(tables: Tables, key: str) -> None:
    """It is not offered again, and neither a late press nor its confirmation is accepted."""
    table, leaver = await make_table_with_resignation(tables, key)
    request = request_of_person(leaver)
    for seat in range(len(table.seats)):
        rows = pages.more_post(table, request_of_person(seat)).rows
        labels = [
            part.label for row in rows if isinstance(row, tuple) for part in row if isinstance(part, Button)
        ]
        assert ("Resign" in labels) is (seat != leaver)
    with pytest.raises(Refusal, match="already"):
        await tables.change(
            table.number, request, partial(departures.resign, request=request, computer="random")
        )
    with pytest.raises(Refusal, match="already"):
        pages.confirm_resign_post(table, request)


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_the_confirmation_says_what_follows(tables: Tables, key: str) -> None:
    """Before one gives up, it says whether the game ends, goes on, or a computer player takes over."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[key]))
    table = await tables.get(number)
    assert table.match is not None
    text = pages.confirm_resign_post(table, request_of_person(0)).text
    if not table.match.can_resign(Seat(0)):
        assert "computer player" in text
    else:
        assert ("The game ends" in text) == table.match.resignation_ends_game(Seat(0))
        assert ("others play on" in text) != table.match.resignation_ends_game(Seat(0))


@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_a_resignation_is_shown_as_no_turn(tables: Tables, key: str) -> None:
    """It came during somebody else's turn; ``/table show`` names who has resigned."""
    table, leaver = await make_table_with_resignation(tables, key)
    assert table.match is not None
    resignation_index = next(
        i for i, record in enumerate(table.match.history) if isinstance(record.action, Resign)
    )
    post = turn_post(table, Turn(leaver, resignation_index, len(table.match.history)))
    assert post.text.startswith(f"**{title(table)}** · Resignation\n> {table.names[leaver]} ")
    assert looks_like_turn_post(table, post.text)
    line = next(each for each in table_status_post(table).text.splitlines() if table.names[leaver] in each)
    assert line.endswith(" · resigned")


@pytest.mark.parametrize("key", [key for key in CONTINUING_GAME_KEYS if key in PICTURES])
async def test_pictures_say_that_somebody_resigned(tables: Tables, key: str) -> None:
    """Nobody "has left": they resigned, and a player who leaves the server is another matter."""
    table, leaver = await make_table_with_resignation(tables, key)
    assert table.match is not None
    view = table.match.view(None)
    names = tuple(f"Name {seat}" for seat in range(len(table.seats)))
    texts = set()
    for picture in PICTURES[key].values():
        if not picture.is_secret:
            subject = leaver if picture.shows_one_seat else None
            scene = picture.draw(view, PictureContext(Caption(table.number, names), (), subject))
            layers = (layer for layer in (*scene.static_layers, *scene.layers) if isinstance(layer, Group))
            texts |= {item.text.lower() for layer in layers for item in layer.items if isinstance(item, Text)}
    assert not any(text.startswith("has left") for text in texts)
    assert key in KEYS_WITH_GREY_PANELS or any("resigned" in text for text in texts)


def test_some_game_goes_on() -> None:
    """Some game goes on after a resignation: the checks above check something."""
    assert CONTINUING_GAME_KEYS
