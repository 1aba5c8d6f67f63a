"""What follows when a player's time is over, and how they come back."""

import random
from functools import partial
from typing import Final

import pytest
from msgspec.structs import replace

from bot.chat import pages
from bot.chat.own_tables import my_games_post, next_table_text
from bot.chat.posts import board_post, time_over_post
from bot.chat.server_tables import read_server_tables, status_post
from bot.host.clock_texts import clock_lines
from bot.host.deciders import departures, moderation, play, seats, timeouts
from bot.host.deciders.decision import Decision
from bot.host.deciders.undoing import undo_to
from bot.host.housekeeping import Housekeeping
from bot.host.names import escape_markup
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl, TimeoutAction, TurnStage
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status
from bot.store.seat_rows import Person
from bot.store.sqlite import SqliteStore
from rules.game import MODERATOR, Seat
from rules.players import SUBSTITUTE
from tests.bot.host.playing import (
    FIRST_USER,
    GAME_WITH_SECRETS,
    GUILD,
    NAMES,
    Clock,
    choose_action,
    hand_over,
    request_by,
    request_of,
)
from tests.bot.host.status_board import sees_every_channel
from tests.bot.host.timed_tables import (
    HOUR,
    begin_timed_table,
    change_as,
    notice_texts,
    play_as_computer,
    play_until_turn_passes,
    set_row,
    timer_of,
)
from tests.bot.store.sample_rows import query

CONTROL: Final = TimeControl(turn=DAY, grace=4 * HOUR)


async def run_out(tables: Tables, clock: Clock, number: int) -> Table:
    """Let the time of the turn and its grace period pass, as the housekeeping finds them."""
    for _ in range(2):
        deadline = timer_of(await tables.get(number)).deadline
        assert deadline is not None
        clock.now = deadline
        await Housekeeping(tables).expire_due()
        if timer_of(await tables.get(number)).stage is not TurnStage.GRACE:
            break
    return await tables.get(number)


async def time_over_notices(tables: Tables, number: int) -> list[str]:
    """Return the texts that say that somebody's time is over."""
    found = await tables.store.deliveries(number)
    return [each.text for each in found if each.kind is DeliveryKind.TIME_OVER]


async def return_notices(tables: Tables, number: int) -> list[str]:
    """Return the notices that somebody is back."""
    return [text for text in await notice_texts(tables, number) if "is back and plays again" in text]


def with_action(action: TimeoutAction) -> TimeControl:
    """Return the usual clock with another consequence."""
    return replace(CONTROL, on_timeout=action)


async def test_grace_comes_first_and_nothing_before(tables: Tables, clock: Clock) -> None:
    """Before the deadline nothing happens; then the board says until when there is grace; a move ends it."""
    number = await begin_timed_table(tables, CONTROL)
    first = timer_of(await tables.get(number))
    clock.now += DAY - 1
    await Housekeeping(tables).expire_due()
    assert timer_of(await tables.get(number)) == first
    clock.now += 1
    await Housekeeping(tables).expire_due()
    timer = timer_of(await tables.get(number))
    assert (timer.stage, timer.deadline) == (TurnStage.GRACE, int(clock()) + 4 * HOUR)
    late = await tables.get(number)
    name = late.names[first.seat]
    [line] = clock_lines(late)
    assert line.startswith(f"-# {name}'s time is over. If {name} does not play in the grace period,")
    follows = f"a computer player plays until {name} is back. The grace period ends"
    assert line.endswith(f", {follows} <t:{timer.deadline}:f>, <t:{timer.deadline}:R>.")
    count = len(await notice_texts(tables, number))
    await Housekeeping(tables).expire_due()
    assert len(await notice_texts(tables, number)) == count, "the board alone says it"
    table = await play_until_turn_passes(tables, number, random.Random(1))
    clock_of_seat = table.seats[first.seat].clock
    assert clock_of_seat is not None
    assert clock_of_seat.consecutive_misses == 0, "a move within the grace period is no miss"
    assert timer_of(table).stage is TurnStage.RUNNING


async def test_lists_say_that_a_grace_period_ends(tables: Tables, clock: Clock) -> None:
    """``/mygames`` and the list of a server promise nobody time that is over."""
    number = await begin_timed_table(tables, CONTROL)
    request = request_of(timer_of(await tables.get(number)).seat)

    async def texts() -> tuple[str, str]:
        found = await read_server_tables(tables, GUILD, sees_every_channel)
        return (await my_games_post(tables, request)).text, status_post(found, tables.games).text

    for what in ("time", "grace period"):
        deadline = timer_of(await tables.get(number)).deadline
        assert all(f"turn, {what} ends <t:{deadline}:R>" in text.replace("*", "") for text in await texts())
        clock.now = deadline or 0
        await Housekeeping(tables).expire_due()


async def test_a_turn_whose_time_is_over_is_listed_first(tables: Tables, clock: Clock) -> None:
    """It is the most urgent one, since the others may let a computer play; lists say that it is over."""
    late = await begin_timed_table(tables, with_action(TimeoutAction.ALLOW_SUBSTITUTE))
    seat = timer_of(await run_out(tables, clock, late)).seat
    while timer_of(await tables.get(in_time := await begin_timed_table(tables, CONTROL))).seat != seat:
        pass
    found = await read_server_tables(tables, GUILD, sees_every_channel)
    own_text = (await my_games_post(tables, request_of(seat))).text
    for text in (own_text, status_post(found, tables.games).text):
        line = next(each for each in text.replace("*", "").splitlines() if f"No. {late}]" in each)
        assert line.endswith("turn, time is over")
        assert text.index(f"No. {late}]") < text.index(f"No. {in_time}]")
    next_text = await next_table_text(tables, request_of(seat).user, 0)
    assert f"No. {late}](" in next_text
    assert next_text.endswith(", time is over.")


async def test_a_substitute_plays_until_its_person_is_back(tables: Tables, clock: Clock) -> None:
    """The seat stays the person's; the computer chooses at it, turn after turn; the person takes it back."""
    rng = random.Random(2)
    number = await begin_timed_table(tables, CONTROL)
    seat = timer_of(await tables.get(number)).seat
    before = await tables.get(number)
    table = await run_out(tables, clock, number)
    row = table.seats[seat]
    assert (row.user, row.name, row.computer) == (before.seats[seat].user, before.seats[seat].name, None)
    assert (row.playing_computer, row.playing_user) == (SUBSTITUTE, None)
    [text] = await time_over_notices(tables, number)
    assert f" · <@{row.user}> did not play in time. A " in time_over_post(table, seat, text).text
    assert " in time. A computer player plays for them until they are back. To come back, press " in text
    assert text.count(row.name) == 1, "they are named once"
    assert f" · <@{row.user}>: Somebody" in time_over_post(table, seat, "Somebody asked for it.").text
    assert table.row.holders == before.row.holders
    assert timer_of(table).deadline is None
    assert number in await tables.store.tables_waiting_for_computers()
    summary = (await tables.store.live_tables_of_user(row.user or 0))[0]
    assert summary.user_to_act is None
    table = await play_as_computer(tables, number, rng)
    assert table.to_act == 1 - seat
    assert timer_of(table).deadline is not None
    table = await play_until_turn_passes(tables, number, rng)
    assert table.seats[seat].playing_computer == SUBSTITUTE
    welcome = timeouts.come_back(await tables.get(number), request_of(seat)).answer
    assert welcome.startswith("Welcome back. You play again.")
    table = await change_as(tables, number, seat, timeouts.come_back)
    assert table.seats[seat].playing_computer is None
    assert timer_of(table).deadline == int(clock()) + DAY
    assert await return_notices(tables, number) == [], "the board asks them"
    assert DeliveryKind.BOARD in {each.kind for each in (await tables.store.deliveries(number))[-2:]}
    with pytest.raises(Refusal, match="Your seat is yours"):
        await change_as(tables, number, seat, timeouts.come_back)


async def test_why_nobody_can_come_back(tables: Tables, clock: Clock) -> None:
    """A frozen game, one that is over, and a lost seat are no reason to say that the seat is theirs."""
    number = await begin_timed_table(tables, CONTROL)
    seat = timer_of(await tables.get(number)).seat
    await run_out(tables, clock, number)
    frozen = await set_row(tables, number, status=Status.FROZEN)
    over = await set_row(tables, number, status=Status.ENDED)
    for table, user, reason in (
        (frozen, FIRST_USER + seat, "is frozen. Once it goes on"),
        (over, FIRST_USER + seat, "is over"),
        (over, 900, "have no seat"),
    ):
        with pytest.raises(Refusal, match=reason):
            timeouts.come_back(table, request_by(user))


async def test_a_return_in_anothers_turn_is_one_message(tables: Tables, clock: Clock) -> None:
    """No board comes with it: the one that stands is edited."""
    number = await begin_timed_table(tables, CONTROL)
    seat = timer_of(await tables.get(number)).seat
    await run_out(tables, clock, number)
    await play_as_computer(tables, number, random.Random(10))
    before = {each.id for each in await tables.store.deliveries(number)}
    table = await change_as(tables, number, seat, timeouts.come_back)
    new = [each for each in await tables.store.deliveries(number) if each.id not in before]
    new = [each for each in new if each.kind is not DeliveryKind.HAND]
    text = f"{table.names[seat]} is back and plays again."
    edit = (DeliveryKind.BOARD_TEXT, "")
    assert [(each.kind, each.text) for each in new] == [edit, (DeliveryKind.NOTICE, text)]


async def test_a_return_changes_what_the_board_threatens(tables: Tables, clock: Clock) -> None:
    """Alone, a late player would pause the game; with somebody else back, a computer player plays."""
    number = await begin_timed_table(tables, CONTROL)
    seat = timer_of(await tables.get(number)).seat
    await run_out(tables, clock, number)
    table = await play_as_computer(tables, number, random.Random(11))
    clock.now = timer_of(table).deadline or 0
    await Housekeeping(tables).expire_due()
    table = await tables.get(number)
    assert "the game is paused" in "".join(clock_lines(table))
    before = {each.id for each in await tables.store.deliveries(number)}
    table = await change_as(tables, number, seat, timeouts.come_back)
    assert "the game is paused" not in "".join(clock_lines(table))
    new = [each.kind for each in await tables.store.deliveries(number) if each.id not in before]
    assert DeliveryKind.BOARD_TEXT in new


async def test_a_move_takes_the_seat_back(tables: Tables, clock: Clock) -> None:
    """A player who moves while a substitute has the seat is back; an undo asks them to come back first."""
    number = await begin_timed_table(tables, CONTROL)
    seat = timer_of(await tables.get(number)).seat
    table = await run_out(tables, clock, number)
    with pytest.raises(Refusal, match=timeouts.BACK_LABEL):
        await change_as(tables, number, seat, play.undo)
    _, action = choose_action(table, random.Random(3))
    table = await change_as(tables, number, seat, play.play, actions=(action,))
    assert table.seats[seat].playing_computer is None
    assert table.move_count == 1
    assert await return_notices(tables, number) == [], "the messages of the turn name them"


async def test_a_computer_plays_one_turn(tables: Tables, clock: Clock) -> None:
    """Only this turn is played; the third in a row that is missed hands the seat to the computer."""
    rng = random.Random(4)
    number = await begin_timed_table(tables, with_action(TimeoutAction.PLAY_TURN))
    seat = timer_of(await tables.get(number)).seat
    for miss in (1, 2, 3):
        table = await run_out(tables, clock, number)
        assert table.seats[seat].playing_computer == SUBSTITUTE
        assert (table.seats[seat].substitute_only_turn is None) is (miss == 3)
        table = await play_as_computer(tables, number, rng)
        assert table.to_act == 1 - seat
        assert table.seats[seat].playing_computer == (SUBSTITUTE if miss == 3 else None)
        if miss < 3:
            table = await play_until_turn_passes(tables, number, rng)


async def test_a_turn_in_time_ends_the_row_of_misses(tables: Tables, clock: Clock) -> None:
    """Only turns missed in a row count."""
    rng = random.Random(5)
    number = await begin_timed_table(tables, with_action(TimeoutAction.PLAY_TURN))
    seat = timer_of(await tables.get(number)).seat
    await run_out(tables, clock, number)
    await play_as_computer(tables, number, rng)
    await play_until_turn_passes(tables, number, rng)
    table = await play_until_turn_passes(tables, number, rng)
    clock_of_seat = table.seats[seat].clock
    assert clock_of_seat is not None
    assert clock_of_seat.consecutive_misses == 0


@pytest.mark.parametrize("action", [each for each in TimeoutAction if each is not TimeoutAction.SUBSTITUTE])
@pytest.mark.parametrize("grace", [0, 4 * HOUR])
async def test_an_undo_makes_no_missed_turn_one_in_time(
    tables: Tables, clock: Clock, action: TimeoutAction, grace: int
) -> None:
    """A missed turn stays missed if it is taken back and its player plays it again."""
    rng = random.Random(9)
    number = await begin_timed_table(tables, replace(with_action(action), grace=grace))
    table = await run_out(tables, clock, number)
    seat, start = timer_of(table).seat, timer_of(table).turn_start
    assert table.match is not None
    kept_length = len(table.match.history)

    def undo(now: Table) -> Decision:
        return undo_to(now, MODERATOR, kept_length, None)

    for _ in range(2):
        is_person = table.seats[seat].substitute is None
        table = await (play_until_turn_passes if is_person else play_as_computer)(tables, number, rng)
        seat_clock = table.seats[seat].clock
        assert seat_clock is not None
        assert seat_clock.consecutive_misses == 1
        table = (await tables.change(number, None, undo)).table
        assert (timer_of(table).seat, timer_of(table).turn_start) == (seat, start)


async def test_reminded_players_lose_the_seat_at_last(tables: Tables, clock: Clock) -> None:
    """The time begins again twice; then the computer takes the seat, so that no table waits for ever."""
    number = await begin_timed_table(tables, with_action(TimeoutAction.REMIND))
    seat = timer_of(await tables.get(number)).seat
    for _ in range(2):
        table = await run_out(tables, clock, number)
        timer = timer_of(table)
        assert (timer.stage, timer.missed) == (TurnStage.RUNNING, True)
        assert timer.deadline == int(clock()) + DAY
    table = await run_out(tables, clock, number)
    assert table.seats[seat].playing_computer == SUBSTITUTE


async def test_the_others_may_let_a_computer_play(tables: Tables, clock: Clock) -> None:
    """Only those who play there; not while there is time, and not in a pause."""
    number = await begin_timed_table(tables, with_action(TimeoutAction.ALLOW_SUBSTITUTE))
    seat = timer_of(await tables.get(number)).seat
    let_computer_play = partial(timeouts.let_computer_play, computer=SUBSTITUTE)
    too_early = "^You cannot let a computer play now"  # nobody has moved, and no computer player plays
    with pytest.raises(Refusal, match=too_early):
        await change_as(tables, number, 1 - seat, let_computer_play)
    table = await run_out(tables, clock, number)
    assert timeouts.substitutable_seat(table) == seat
    with pytest.raises(Refusal, match=too_early):
        let_computer_play(table.with_row(status=Status.PAUSED), request_of(1 - seat))
    stranger = replace(request_of(0), user=999)
    with pytest.raises(Refusal, match="Only the others"):
        await tables.change(number, stranger, partial(let_computer_play, request=stranger))
    with pytest.raises(Refusal, match="still your turn"):  # also if it is the host's
        await change_as(tables, number, seat, let_computer_play)
    table = await change_as(tables, number, 1 - seat, let_computer_play)
    assert table.seats[seat].playing_computer == SUBSTITUTE
    [text] = await time_over_notices(tables, number)
    other, name = table.names[1 - seat], table.names[seat]
    start = f"{other} lets a computer player play for {{}} until they are back. To come back, press **Play**"
    assert text.startswith(start.format(name))
    assert text.count(name) == 1, "they are named once"
    post = time_over_post(table, seat, text)
    assert f" · {start.format(f'<@{FIRST_USER + seat}>')}" in post.text
    assert name not in post.text
    assert text.count("computer player") == 1, "it is said once"


async def test_a_name_is_escaped_in_messages_and_not_on_buttons(tables: Tables, clock: Clock) -> None:
    """Who has a link as a name puts none into what the bot says of the button that bears the name."""
    number = await begin_timed_table(tables, with_action(TimeoutAction.ALLOW_SUBSTITUTE))
    name = "[Ava](https://a.example)"
    rows = [replace(row, name=name) for row in (await tables.get(number)).seats]
    await set_row(tables, number, seats=tuple(rows))
    table = await run_out(tables, clock, number)
    text = (await notice_texts(tables, number))[-1]
    assert text.count(escape_markup(name)) == 2
    assert name not in text
    buttons = [part for row in board_post(table, None).rows if isinstance(row, tuple) for part in row]
    assert f"Let a computer play for {name}" in [getattr(each, "label", "") for each in buttons]


async def test_a_mention_replaces_its_own_name_alone(tables: Tables, clock: Clock) -> None:
    """The name of who lets a computer play may begin with the name of whom it plays for."""
    number = await begin_timed_table(tables, CONTROL)
    seat = timer_of(await tables.get(number)).seat
    table = await run_out(tables, clock, number)
    name = table.names[seat]
    text = f"{name} Smith lets a computer player play for {name} until they are back."
    expected_text = text.replace(f"for {name}", f"for <@{FIRST_USER + seat}>")
    assert time_over_post(table, seat, text).text.endswith(f" · {expected_text}")


async def test_what_an_admin_does_is_recorded(tables: Tables, store: SqliteStore, clock: Clock) -> None:
    """With the role, as every act of a moderator; what a player does in the game is none."""
    for admin in (True, False):
        number = await begin_timed_table(tables, with_action(TimeoutAction.ALLOW_SUBSTITUTE))
        seat = timer_of(await tables.get(number)).seat
        await run_out(tables, clock, number)
        request = request_of(1 - seat)
        if admin:
            request = replace(request, user=999, name="Ada", is_admin=True)
        await tables.change(
            number, request, partial(timeouts.let_computer_play, request=request, computer=SUBSTITUTE)
        )
        entries = await query(store, "select entry, user from audit_log where match = ?", number)
        text = f"Ada (admin, no seat) lets a computer player play for {NAMES[seat]}."
        assert entries == ([(text, 999)] if admin else [])


async def test_the_last_person_pauses_the_game(tables: Tables, clock: Clock) -> None:
    """A game without people does not play itself to its end: it is paused, and goes on with a whole turn."""
    number = await begin_timed_table(tables, CONTROL)
    seat = timer_of(await tables.get(number)).seat
    await hand_over(tables, number, 1 - seat, None)
    table = await run_out(tables, clock, number)
    assert table.status is Status.PAUSED
    assert table.row.players_may_resume
    assert table.seats[seat].playing_computer is None
    with pytest.raises(Refusal, match=r"paused\. Every player can press \*\*Resume\*\* at the newest board"):
        await change_as(tables, number, seat, departures.resign, computer=SUBSTITUTE)
    clock.now += 100 * DAY
    await Housekeeping(tables).expire_due()
    table = await change_as(tables, number, seat, moderation.resume)
    assert table.status is Status.PLAYING
    assert timer_of(table).deadline == int(clock()) + DAY
    assert not table.row.players_may_resume


@pytest.mark.parametrize(("game", "seat_count"), [("currents", 4), ("oceans", 3)])
@pytest.mark.parametrize("resigns", [False, True])
async def test_nobody_leaves_a_game_to_substitutes_alone(
    tables: Tables, clock: Clock, game: str, seat_count: int, *, resigns: bool
) -> None:
    """When all others leave, the game waits for the absent person, who resumes it and plays again."""
    number = await begin_timed_table(tables, CONTROL, seat_count, game)
    absent = timer_of(await tables.get(number)).seat
    await run_out(tables, clock, number)
    await play_as_computer(tables, number, random.Random(6))
    others = [seat for seat in range(seat_count) if seat != absent]
    for seat in others[:-1]:
        assert (await hand_over(tables, number, seat, None)).status is Status.PLAYING
    preview = pages.confirm_resign_post if resigns else pages.confirm_give_to_computer_post
    assert (
        "is paused until another is back." in preview(await tables.get(number), request_of(others[-1])).text
    )
    leave = partial(departures.resign if resigns else seats.give_seat_to_computer, computer=SUBSTITUTE)
    table = await change_as(tables, number, others[-1], leave)
    assert table.status is Status.PAUSED
    assert "Nobody else is playing now, so the game is paused." in (await notice_texts(tables, number))[-1]
    answer = timeouts.come_back(table, request_of(absent)).answer
    assert answer.endswith("The game is paused. Every player can resume it at the newest board.")
    admin = request_by(FIRST_USER + others[-1], admin=True)
    with pytest.raises(Refusal, match="One of these players must come back first"):
        await tables.change(number, admin, partial(moderation.resume, request=admin))
    table = await change_as(tables, number, absent, moderation.resume)
    assert table.status is Status.PLAYING
    assert table.seats[absent].playing_user == FIRST_USER + absent


@pytest.mark.parametrize("is_paused", [False, True])
async def test_a_late_person_is_not_left_to_others_who_have_left(
    tables: Tables, clock: Clock, *, is_paused: bool
) -> None:
    """If the others leave instead of letting a computer play, the game is paused; a whole turn follows."""
    number = await begin_timed_table(tables, with_action(TimeoutAction.ALLOW_SUBSTITUTE))
    late = timer_of(await tables.get(number)).seat
    table = await run_out(tables, clock, number)
    assert timer_of(table).stage is TurnStage.SUBSTITUTE_ALLOWED
    if is_paused:
        admin = request_by(900, admin=True)
        await tables.change(number, admin, partial(moderation.pause, request=admin))
    else:
        preview = pages.confirm_give_to_computer_post(table, request_of(1 - late)).text
        assert "is paused until another is back." in preview
    table = await hand_over(tables, number, 1 - late, None)
    assert table.status is Status.PAUSED
    assert not clock_lines(table)
    resumer = request_by(900, admin=True) if is_paused else request_of(late)
    table = (await tables.change(number, resumer, partial(moderation.resume, request=resumer))).table
    assert timer_of(table).deadline == int(clock()) + DAY


async def test_p19_holds_with_a_substitute(tables: Tables, clock: Clock) -> None:
    """P19: who is replaced for a while may have no other seat."""
    number = await begin_timed_table(tables, CONTROL, game=GAME_WITH_SECRETS)
    seat = timer_of(await tables.get(number)).seat
    table = await run_out(tables, clock, number)
    user = table.seats[seat].user
    assert user is not None
    assert not table.may_hold(user, 1 - seat)
    with pytest.raises(Refusal, match="has a seat at this table"):
        await hand_over(tables, number, 1 - seat, Person(user, "Ava"))


async def test_a_substituted_person_gets_no_hand_until_they_are_back(tables: Tables, clock: Clock) -> None:
    """No private message is sent for moves of the computer; coming back sends the hand."""
    number = await begin_timed_table(tables, CONTROL, game=GAME_WITH_SECRETS)
    seat = timer_of(await tables.get(number)).seat
    await run_out(tables, clock, number)

    async def hands() -> int:
        found = await tables.store.deliveries(number)
        return max((each.id for each in found if each.slot.seat == seat), default=0)

    before = await hands()
    await play_as_computer(tables, number, random.Random(6))
    assert await hands() == before
    await change_as(tables, number, seat, timeouts.come_back)
    assert await hands() > before


async def test_a_substitutes_move_leaves_the_offer_of_the_seat(tables: Tables, clock: Clock) -> None:
    """The seat of somebody who stays away can be given to somebody else; only their own move keeps it."""
    rng = random.Random(8)
    number = await begin_timed_table(tables, CONTROL, seats=3)
    seat = timer_of(await tables.get(number)).seat
    await run_out(tables, clock, number)
    admin = replace(request_of(3), is_admin=True)
    offer = partial(
        seats.offer_seat, request=admin, seat=Seat(seat), newcomer=Person(901, "Gita"), computer=SUBSTITUTE
    )
    await tables.change(number, admin, offer)
    table = await play_as_computer(tables, number, rng)
    assert table.seats[seat].offer is not None
    assert not any("stays with" in text for text in await notice_texts(tables, number))
    while table.to_act != seat:
        table = await play_until_turn_passes(tables, number, rng)
    _, action = choose_action(table, rng)
    table = await change_as(tables, number, seat, play.play, actions=(action,))
    assert table.seats[seat].offer is None
    assert "stays with" in (await notice_texts(tables, number))[-1]


async def test_a_deadline_that_preferences_moved_is_no_timeout(tables: Tables, clock: Clock) -> None:
    """What a player has set since counts before anything follows."""
    number = await begin_timed_table(tables, replace(CONTROL, sleep_hours=12))
    timer = timer_of(await tables.get(number))
    assert timer.user is not None
    clock.now += DAY
    await tables.people.change(timer.user, lambda row: replace(row, time_zone="Europe/Paris"))
    await Housekeeping(tables).expire_due()
    moved = timer_of(await tables.get(number))
    assert moved.stage is TurnStage.RUNNING
    assert moved.deadline is not None
    assert moved.deadline > int(clock())
    assert number not in await tables.store.due_tables(int(clock()))


async def test_paused_tables_do_not_time_out(tables: Tables, clock: Clock) -> None:
    """A pause has no deadline: no computer player takes a seat in it."""
    number = await begin_timed_table(tables, CONTROL)
    await set_row(tables, number, status=Status.PAUSED)
    clock.now += 30 * DAY
    await Housekeeping(tables).expire_due()
    table = await tables.get(number)
    assert table.status is Status.PAUSED
    assert [row.playing_computer for row in table.seats] == [None, None]
