"""T19: nobody is taken for somebody else: not for an admin, not for a computer, not for an earlier player."""

from functools import partial

import msgspec
import pytest

from bot.host.deciders import lobby, moderation, offer_answers, own_undo, play, seats, undoing
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.seat_rows import Person
from rules.model import Action, Seat
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    NAMES,
    RNG,
    begin,
    default_setup,
    give_seat_away,
    make_move,
    open_lobby,
    request_of_person,
    seat_and_random_action,
)

HOST, RIVAL, THIRD = Seat(0), Seat(1), Seat(2)
pytestmark = pytest.mark.trust_test("T19")
SHOWN_NAME_BY_FORGED_NAME = {
    "Mia (admin, no seat)": "Mia",
    "Mia\uff08host, no seat\uff09": "Mia",
    "Mia [Admin, No  Seat] of all": "Mia",
    "Mia (host)": "Mia",
    "(admin)": "Somebody",
    "Mia (computer)": "Mia",
    "Hostess": "Hostess",
    "\uff21va": "\uff21va (2)",
    "A va": "A va (2)",
    "Casual1": "Casual1 (2)",
    "\uff23asual \uff11": "\uff23asual \uff11 (2)",
    "a computer player": "a computer player (2)",
    "The Computer  Player 3": "The Computer Player 3 (2)",
    "Noseating": "Noseating",
}


def _choose(table: Table, seat: Seat) -> Action:
    return seat_and_random_action(table, RNG)[1]


@pytest.fixture
async def number(tables: Tables) -> int:
    """Return the number of a table of four people."""
    return await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 4))


@pytest.mark.parametrize("name", SHOWN_NAME_BY_FORGED_NAME)
async def test_nobody_gets_a_forged_name(tables: Tables, number: int, name: str) -> None:
    """No newcomer looks like an admin without a seat, a computer player or another player."""
    table = await give_seat_away(tables, number, RIVAL, Person(950, name))
    assert table.seats[RIVAL].name == SHOWN_NAME_BY_FORGED_NAME[name]


async def test_a_host_has_no_forged_name_either(tables: Tables) -> None:
    """The first player of a lobby gets no computer's name, so that the first computer is known."""
    host_request = msgspec.structs.replace(request_of_person(0), name="Casual 1")
    number = await open_lobby(tables, GAMES_AND_TOYS["currents"], host_request)
    add = partial(lobby.add_computer, request=host_request, computer="casual")
    table = (await tables.change(number, request_of_person(0), add)).table
    assert [row.name for row in table.seats] == ["Casual 1 (2)", "Casual 1"]


async def test_two_newcomers_of_one_name_get_two_names(tables: Tables, number: int) -> None:
    """Two open offers to people of one name give two names."""
    for seat, user in ((RIVAL, 950), (THIRD, 951)):
        request = request_of_person(seat)
        newcomer = Person(user, "Guest")
        offer = partial(seats.offer_seat, seat=seat, newcomer=newcomer, computer="random")
        await tables.change(number, request, partial(offer, request=request))
    for seat, user in ((RIVAL, 950), (THIRD, 951)):
        open_offer = (await tables.get(number)).seats[seat].offer
        assert open_offer is not None
        request = msgspec.structs.replace(request_of_person(seat), user=user)
        take = partial(offer_answers.accept_offer, seat=seat, offer_id=open_offer.id)
        await tables.change(number, request, partial(take, request=request))
    table = await tables.get(number)
    assert [table.seats[seat].name for seat in (RIVAL, THIRD)] == ["Guest", "Guest (2)"]


async def test_a_rematch_knows_no_earlier_players(tables: Tables, number: int) -> None:
    """Whoever was replaced in the old game plays no part in the next one: no name, no say."""
    for _ in range(4):
        await make_move(tables, number, RNG)
    await give_seat_away(tables, number, RIVAL, None)
    end = partial(moderation.end, request=request_of_person(HOST))
    ended = (await tables.change(number, request_of_person(HOST), end)).table
    request = request_of_person(HOST)
    opened = await tables.open_rematch(
        number, lambda new, seed, now: lobby.open_rematch(new, ended.game, ended, request, seed, now), request
    )
    rematch_number = opened.table.number
    for seat in (THIRD, Seat(3)):
        await tables.change(
            rematch_number, request_of_person(seat), partial(lobby.join, request=request_of_person(seat))
        )
    start = partial(lobby.start, request=request_of_person(HOST), is_channel_busy=False)
    table = (await tables.change(rematch_number, request_of_person(HOST), start)).table
    computer_seat = next(seat for seat, row in enumerate(table.seats) if row.computer is not None)
    assert NAMES[RIVAL] not in table.names_at(0), "the computer plays under a person's name"
    assert table.names_at(0)[computer_seat] == table.names[computer_seat]
    assert FIRST_USER + RIVAL not in undoing.users_to_ask(table, 0, None)


async def test_hindsight_is_told_to_newcomers(tables: Tables) -> None:
    """Whoever is invited to a game in which somebody has undone with hindsight reads so before accepting."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2), computer_count=1)
    request = request_of_person(HOST)
    for _ in range(40):
        table = await tables.get(number)
        if table.row.undone_with_hindsight:
            break
        if table.to_act == HOST:
            await make_move(tables, number, RNG)
        else:
            await tables.change(number, None, partial(play.play_computer_turn, choose=_choose))
            try:
                await tables.change(number, request, partial(own_undo.undo, request=request))
            except Refusal:
                continue
    assert table.row.undone_with_hindsight
    offer_request = request_of_person(HOST)
    offer = partial(seats.offer_seat, request=offer_request, seat=RIVAL, computer="random")
    guest = Person(950, "Guest")
    open_offer = (
        (await tables.change(number, offer_request, partial(offer, newcomer=guest))).table.seats[RIVAL].offer
    )
    assert open_offer is not None
    assert "with hindsight" in open_offer.text
