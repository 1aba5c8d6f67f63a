"""What an erasure leaves in the row of a table: nothing of the erased person, and all that is others'."""

import dataclasses
from functools import cache
from typing import Final

import msgspec
import pytest
from msgspec.structs import replace

from bot.host.deciders.erasing import NOBODY, erase_from_table
from bot.host.table import Table
from bot.store.notice_rows import TurnNotices
from bot.store.question_rows import DeclinedQuestion, Question, QuestionKind
from bot.store.rows import Status
from bot.store.seat_rows import Person, SeatOffer, SeatRow
from rules.match import Match
from rules.model import Resign, Seat
from rules.record import Record
from tests.bot.chat.sample_tables import make_table
from tests.bot.host.playing import GAMES_AND_TOYS, NAMES, default_setup, request_of_person

USERS: Final = tuple(range(987_654_321_000, 987_654_321_005))
"""The players by seat, with numbers that nothing else has."""
ASKER, ASKED, AGREED, ASKER_BEFORE, BYSTANDER = USERS
"""The part of each in ``QUESTION``."""
QUESTION: Final = Question(
    QuestionKind.PAUSE,
    id=1,
    asked_users=(ASKED,),
    agreed_users=(AGREED,),
    ply=0,
    due=9,
    asker=Person(ASKER, "Ava"),
    declined_before=(
        DeclinedQuestion(QuestionKind.UNDO, None, 0, 9),
        DeclinedQuestion(QuestionKind.ROLL_BACK, ASKER_BEFORE, 0, 9),
    ),
)


@cache
def five_player_table() -> Table:
    """Return a table of the five users at which a game was begun; the last one is its host."""
    setup = default_setup(GAMES_AND_TOYS["oceans"], len(USERS))
    table = make_table(setup, Match.begin(setup.game, setup.seat_count, setup.options, bytes(32)))
    seats = tuple(SeatRow(name, user) for name, user in zip(NAMES, USERS, strict=False))
    return table.with_row(seats=seats, host=USERS[-1])


def table_without(table: Table, user: int) -> Table:
    """Return the table without a user, after a check that nothing in its row names them."""
    request = replace(request_of_person(0), user=user, name="Somebody")
    table = erase_from_table(table, request, "random", is_channel_busy=False).table
    assert str(user) not in str(msgspec.to_builtins(table.row))
    return table


@pytest.mark.parametrize("is_declined", [False, True])
def test_whoever_has_no_seat_takes_no_question_of_others_along(*, is_declined: bool) -> None:
    """It ends with its asker, and with those asked while it is open; what was declined is remembered."""
    question = replace(QUESTION, declined=is_declined)
    table = five_player_table().with_row(question=question)
    table = table.with_row(seats=tuple(replace(row, user=1 + i) for i, row in enumerate(table.seats)))
    for user in USERS:
        question_left = table_without(table, user).row.question
        assert question_left is not None
        is_ended = user == ASKER or (user in {ASKED, AGREED} and not is_declined)
        kind = QuestionKind.ROLL_BACK if is_ended else QuestionKind.PAUSE
        assert (question_left.kind, question_left.declined) == (kind, is_declined or is_ended)
        named_users = {each for each in USERS if str(each) in str(msgspec.to_builtins(question_left))}
        assert named_users == ({ASKER_BEFORE} if is_ended else {*USERS} - {BYSTANDER, user})


@pytest.mark.parametrize("status", [Status.PLAYING, Status.FROZEN, Status.ENDED_EARLY])
def test_an_erased_person_ends_no_offer_or_turn_of_others(status: Status) -> None:
    """Offers, reminders and the host stay unless they are theirs."""
    offerer, newcomer, awaited, *_, host = USERS
    notices = TurnNotices(2, awaited, turn_start=0, deadline=None, last_sent_at=0, has_current_reminder=True)
    offer = SeatOffer(1, 9, offerer, "Ava offers seat B.", Person(newcomer, "Ben"))
    table = five_player_table().with_row(turn_notices=notices, status=status)
    table = table.with_seat(3, replace(table.seats[3], offer=offer))
    for user in USERS[:3] + USERS[4:]:
        table_left = table_without(table, user)
        assert (table_left.seats[3].offer is None) == (user in {offerer, newcomer})
        assert (table_left.row.turn_notices is None) == (user == awaited)
        assert (table_left.row.host != host) == (user == host)


def test_the_next_host_plays_if_anybody_does() -> None:
    """Else it is somebody who has not resigned, and else anybody who has a seat."""
    table = five_player_table()
    assert table.match is not None
    resigned, substituted, playing, another, host = USERS
    table = dataclasses.replace(table, match=table.match.append(Record(Seat(0), Resign())))
    table = table.with_seat(1, replace(table.seats[1], substitute="random", substituted_since_index=0))
    for seat, next_host in ((2, playing), (3, another), (1, substituted), (0, resigned), (None, NOBODY)):
        assert table_without(table, host).row.host == next_host
        if seat is not None:
            table = table.with_seat(seat, SeatRow("Random 1", computer="random"))


def test_whoever_declined_a_question_is_not_named_once_erased() -> None:
    """The question, and those declined before it, stay declined by nobody known."""
    earlier = tuple(replace(each, declined_by=ASKED) for each in QUESTION.declined_before)
    question = replace(QUESTION, declined=True, declined_by=ASKED, declined_before=earlier)
    question_left = table_without(five_player_table().with_row(question=question), ASKED).row.question
    assert question_left is not None
    assert [each.kind for each in question_left.declined_before] == [each.kind for each in earlier]
