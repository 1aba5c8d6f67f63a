"""When a host or an admin may roll a game back, thaw or move it, and what they read otherwise."""

import random
from functools import cache

import pytest
from msgspec.structs import replace

from bot.host.deciders import moderation
from bot.host.deciders.moderation import UnconfirmedRollBack
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.request import Refusal
from bot.host.table import Table
from bot.store.delivery_rows import DeliveryKind
from bot.store.results import UnratedReason
from bot.store.rows import LIVE_STATUSES, Status
from bot.store.seat_rows import SeatRow
from rules.match import Match
from rules.players import RANDOM_PLAYER
from tests.bot.chat.sample_tables import make_table
from tests.bot.host.playing import CHANNEL, GAMES_AND_TOYS, GUILD, default_setup, request_of_person
from tests.bot.host.timed_tables import ANY_GAME_KEY

HOST_REQUEST = request_of_person(0)
OTHER_CHANNEL, THREAD = CHANNEL + 1, CHANNEL + 2


@cache
def table_after(move_count: int) -> Table:
    """Return a table of two people after so many moves."""
    setup, rng = default_setup(GAMES_AND_TOYS[ANY_GAME_KEY], 2), random.Random(4)
    match = Match.begin(setup.game, 2, setup.options, bytes(32))
    for _ in range(move_count):
        assert match.to_act is not None
        match = match.play(match.to_act, RANDOM_PLAYER.choose(setup.game, match.view(match.to_act), rng))
    return make_table(setup, match)


@pytest.mark.parametrize("move_count", [0, 1, 5])
def test_a_game_is_rolled_back_to_a_move_that_it_has(move_count: int) -> None:
    """To the start at the earliest; the newest move is no roll-back."""
    table = table_after(move_count)
    for move_number in range(-1, move_count + 2):
        if 0 <= move_number < move_count:
            question = moderation.roll_back(table, HOST_REQUEST, move_number).table.row.question
            assert question is not None
            assert question.asked_users == (request_of_person(1).user,)
            with pytest.raises(UnconfirmedRollBack) as unconfirmed:
                moderation.roll_back(table, HOST_REQUEST, move_number, is_confirmed=False)
            assert unconfirmed.value.asked_users == question.asked_users
            assert unconfirmed.value.kept_length == question.kept_length
        else:
            text = {0: "nothing to roll back", 1: "Choose move 0"}.get(
                move_count, "Choose a move from 0 to 4"
            )
            with pytest.raises(Refusal, match=text):
                moderation.roll_back(table, HOST_REQUEST, move_number)


def test_a_roll_back_that_nobody_is_asked_about_leaves_no_rating() -> None:
    """Against computer players alone it goes through at once, with hindsight, once it is confirmed."""
    table = table_after(5).with_seat(1, SeatRow("Random 1", computer="random"))
    with pytest.raises(UnconfirmedRollBack) as unconfirmed:
        moderation.roll_back(table, HOST_REQUEST, 0, is_confirmed=False)
    assert unconfirmed.value.asked_users == ()
    rolled_back_table = moderation.roll_back(table, HOST_REQUEST, 0).table
    assert rolled_back_table.match is not None
    assert len(rolled_back_table.match.history) == unconfirmed.value.kept_length
    assert unrated_reason_so_far(rolled_back_table) is UnratedReason.HINDSIGHT


def test_one_notice_says_who_thawed_a_game() -> None:
    """And why: it is what the admin reads, too."""
    request = replace(request_of_person(5), is_admin=True)
    decision = moderation.thaw_as_admin(table_after(1).as_frozen(), request, "It was a mistake")
    texts = [each.text for each in decision.deliveries if each.slot.kind is DeliveryKind.NOTICE]
    assert texts == [decision.answer] == [decision.audit_entry]
    assert " (admin, no seat) unfroze this game: It was a mistake." in decision.answer


def test_a_game_is_rolled_back_as_it_was_shown() -> None:
    """After a move the moderator is asked again."""
    table = table_after(5)
    assert moderation.roll_back(table, HOST_REQUEST, 2, ply=table.row.ply).table.row.question is not None
    with pytest.raises(Refusal, match="The game has moved on since you were asked"):
        moderation.roll_back(table, HOST_REQUEST, 2, ply=table.row.ply - 1)


@pytest.mark.parametrize("status", Status)
def test_a_game_is_rolled_back_while_it_goes_on(status: Status) -> None:
    """A pause keeps nobody from it; a frozen game is thawed first."""
    table = table_after(5).with_row(status=status)
    if status in {Status.PLAYING, Status.PAUSED}:
        assert moderation.roll_back(table, HOST_REQUEST, 2).table.row.question is not None
        return
    texts = {Status.FROZEN: "frozen", Status.LOBBY: "You can only roll back a game"}
    with pytest.raises(Refusal, match=texts.get(status, "There is nothing left to manage")):
        moderation.roll_back(table, HOST_REQUEST, 2)


def test_a_table_moves_to_a_free_channel_of_its_server() -> None:
    """The refusal says what is wrong with another one, or that it is here."""
    table, request = table_after(1), replace(HOST_REQUEST, channel=OTHER_CHANNEL)
    moved_table = moderation.move_here(table, request, is_channel_busy=False).table
    assert (moved_table.row.game_channel, moved_table.row.lobby_channel) == (OTHER_CHANNEL, CHANNEL)
    with pytest.raises(Refusal, match="Another game is going on here"):
        moderation.move_here(table, request, is_channel_busy=True)
    with pytest.raises(Refusal, match="already here"):
        moderation.move_here(table, HOST_REQUEST, is_channel_busy=True)
    with pytest.raises(Refusal, match="within its own server"):
        moderation.move_here(table, replace(request, guild=GUILD + 1), is_channel_busy=False)


@pytest.mark.parametrize("status", Status)
def test_a_table_leaves_a_locked_thread(status: Status) -> None:
    """What is over leaves it too, for its last messages, but says nothing of it."""
    table = table_after(1).with_row(game_channel=THREAD, visibility_channel=CHANNEL, status=status)
    assert moderation.leave_locked_thread(table, OTHER_CHANNEL) is None
    decision = moderation.leave_locked_thread(table, THREAD)
    assert decision is not None
    assert decision.table.row.game_channel == CHANNEL
    is_announced = any(each.slot.kind is DeliveryKind.NOTICE for each in decision.deliveries)
    assert is_announced == (status in LIVE_STATUSES)
