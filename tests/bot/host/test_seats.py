"""Seats are offered and accepted; nobody ever knows the secrets of two."""

import inspect
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import msgspec
import pytest

from bot.chat import pages, table_commands
from bot.host.deciders import departures, moderation, offer_answers, undoing
from bot.host.deciders.decision import hand_delivery
from bot.host.deciders.questions import VOTING_TIME
from bot.host.deciders.seat_offers import OBJECTION_TIME, require_seat
from bot.host.housekeeping import Housekeeping
from bot.host.names import sanitize_name
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status
from bot.store.seat_rows import EarlierPlayer, Person
from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.model import Seat
from rules.notation import CHANCE_MARK
from tests.bot.host.offered_seats import GUEST, HOST, RIVAL, THIRD, accept_offer, offer_seat
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    KEY_OF_GAME_WITH_SECRETS,
    NAMES,
    RNG,
    ManualClock,
    begin,
    default_setup,
    give_seat_away,
    make_move,
    mark_offers_posted,
    request_of_person,
    request_of_user,
)
from tests.bot.host.timed_tables import change_as

ADMIN_USER = 900


@pytest.mark.parametrize("reason", ["given by its player", "left", "silence"])
async def test_nobody_gets_the_seat_of_the_last_person(
    tables: Tables, clock: ManualClock, reason: str
) -> None:
    """Where the game ends with the player of a seat, nothing says that a computer player gets it."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2), computer_count=1)
    is_own = reason == "given by its player"
    request = request_of_person(HOST) if is_own else request_of_user(ADMIN_USER, is_admin=True)
    await offer_seat(tables, number, request, HOST, None, has_left=reason == "left")
    if reason == "silence":
        clock.now += OBJECTION_TIME
        await Housekeeping(tables).do_due_work_at_tables()
    assert (await tables.get(number)).status is Status.ENDED_EARLY
    (text,) = [
        each.text for each in await tables.store.waiting_deliveries(number) if "has ended" in each.text
    ][:1]
    assert "computer" not in text.partition("No other person is left")[0]
    assert "seat A" in text


async def test_a_host_cannot_give_a_seat_away_alone(tables: Tables, number: int) -> None:
    """Neither a computer nor a newcomer gets a person's seat because the host wants it."""
    for newcomer in (None, GUEST):
        table = await offer_seat(tables, number, request_of_person(HOST), RIVAL, newcomer)
        assert table.seats[RIVAL].user == FIRST_USER + RIVAL
    table = await accept_offer(tables, number, RIVAL, GUEST.user)
    assert table.seats[RIVAL].user == FIRST_USER + RIVAL


async def test_a_host_cannot_sit_down_elsewhere(tables: Tables, number: int) -> None:
    """The swap: out of one's own seat, into the rival's, and back again."""
    await give_seat_away(tables, number, RIVAL, None)
    host_request = request_of_person(HOST)
    with pytest.raises(Refusal, match="has a seat"):
        await offer_seat(tables, number, host_request, RIVAL, Person(host_request.user, "Ava"))
    await give_seat_away(tables, number, HOST, None)
    with pytest.raises(Refusal, match="had another seat"):
        await offer_seat(tables, number, host_request, RIVAL, Person(host_request.user, "Ava"))
    table = await give_seat_away(tables, number, HOST, Person(host_request.user, "Ava"))
    assert table.seats[HOST].user == host_request.user, "one may come back to one's own seat"


async def test_an_admin_cannot_look_at_two_hands(tables: Tables, number: int) -> None:
    """An admin who has had a seat for a moment gets no other one."""
    admin_request = request_of_user(ADMIN_USER, "Mia", is_admin=True)
    await give_seat_away(tables, number, RIVAL, Person(ADMIN_USER, "Mia"))
    await give_seat_away(tables, number, RIVAL, None)
    await give_seat_away(tables, number, THIRD, None)
    with pytest.raises(Refusal, match="had another seat"):
        await offer_seat(tables, number, admin_request, THIRD, Person(ADMIN_USER, "Mia"))


@pytest.mark.parametrize("key", GAMES)
async def test_only_games_with_secrets_refuse_for_their_sake(tables: Tables, key: str) -> None:
    """An earlier seat stays a reason in an open game, but there was nothing to see."""
    number = await begin(tables, default_setup(GAMES[key]))
    await give_seat_away(tables, number, RIVAL, None)
    await give_seat_away(tables, number, HOST, None)
    with pytest.raises(Refusal, match="has had another seat at this table") as refusal:
        await give_seat_away(tables, number, RIVAL, Person(request_of_person(HOST).user, "Ava"))
    assert ("secrets" in str(refusal.value)) == bool(GAMES[key].hidden_information)


async def test_somebody_who_took_a_seat_cannot_accept_another(tables: Tables, number: int) -> None:
    """A newcomer who is offered two seats and takes one cannot take the other."""
    await give_seat_away(tables, number, RIVAL, None)
    await give_seat_away(tables, number, THIRD, None)
    await offer_seat(tables, number, request_of_person(HOST), RIVAL, GUEST)
    await offer_seat(tables, number, request_of_person(HOST), THIRD, GUEST)
    table = await accept_offer(tables, number, RIVAL, GUEST.user)
    assert table.seats[RIVAL].user == GUEST.user
    with pytest.raises(Refusal, match="You have a seat"):
        await accept_offer(tables, number, THIRD, GUEST.user)
    await give_seat_away(tables, number, RIVAL, None)
    with pytest.raises(Refusal, match="had another seat"):
        await accept_offer(tables, number, THIRD, GUEST.user)


async def test_somebody_who_accepts_two_seats_gets_one(
    tables: Tables, number: int, clock: ManualClock
) -> None:
    """Of two accepted offers that fall due together only the first is handed over."""
    await offer_seat(tables, number, request_of_person(HOST), RIVAL, GUEST)
    await offer_seat(tables, number, request_of_person(HOST), THIRD, GUEST)
    await accept_offer(tables, number, RIVAL, GUEST.user)
    await accept_offer(tables, number, THIRD, GUEST.user)
    clock.now += OBJECTION_TIME
    for _ in range(2):
        await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert [table.seats[seat].user for seat in (RIVAL, THIRD)] == [GUEST.user, FIRST_USER + THIRD]
    assert table.seats[THIRD].offer is None


async def test_without_an_objection_the_seat_is_given_away(
    tables: Tables, number: int, clock: ManualClock
) -> None:
    """After a day in which nobody objects a computer player takes it, and a newcomer who has accepted."""
    await offer_seat(tables, number, request_of_person(HOST), RIVAL, None)
    await offer_seat(tables, number, request_of_person(HOST), THIRD, GUEST)
    await accept_offer(tables, number, THIRD, GUEST.user)
    clock.now += OBJECTION_TIME - 1
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert [table.seats[seat].user for seat in (RIVAL, THIRD)] == [FIRST_USER + 1, FIRST_USER + 2]
    clock.now += 1
    for _ in range(2):
        await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert table.seats[RIVAL].computer is not None
    assert table.seats[THIRD].user == GUEST.user
    assert {each.seat for each in table.row.holders if each.user == GUEST.user} == {THIRD}


async def test_nobody_agrees_to_what_could_not_be_read(
    tables: Tables, number: int, clock: ManualClock
) -> None:
    """Silence counts for nothing while the offer's message is not there; its day begins when it arrives."""
    await offer_seat(tables, number, request_of_person(HOST), RIVAL, None, is_posted=False)
    clock.now += OBJECTION_TIME
    await Housekeeping(tables).do_due_work_at_tables()
    clock.now += OBJECTION_TIME - 60
    await mark_offers_posted(tables, number)
    clock.now += 60
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert table.seats[RIVAL].user == FIRST_USER + RIVAL, "given away though nobody could object"
    postponed_offer = table.seats[RIVAL].offer
    assert postponed_offer is not None
    assert postponed_offer.due == clock.now - 60 + OBJECTION_TIME
    assert any(each.kind is DeliveryKind.OFFER for each in await tables.store.waiting_deliveries(number))
    clock.now += OBJECTION_TIME
    await Housekeeping(tables).do_due_work_at_tables()
    assert (await tables.get(number)).seats[RIVAL].computer is not None


async def test_an_offer_that_nobody_accepts_expires(tables: Tables, number: int, clock: ManualClock) -> None:
    """A seat that may be given away waits a day for its newcomer, then stays with its player."""
    await offer_seat(tables, number, request_of_person(RIVAL), RIVAL, GUEST)
    clock.now += VOTING_TIME
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert table.seats[RIVAL].offer is None
    assert table.seats[RIVAL].user == FIRST_USER + RIVAL


@pytest.mark.parametrize("objector", [RIVAL, THIRD])
async def test_any_player_may_object(tables: Tables, number: int, objector: Seat) -> None:
    """One objection, by its player or another, and the seat stays."""
    open_offer = (await offer_seat(tables, number, request_of_person(HOST), RIVAL, GUEST)).seats[RIVAL].offer
    assert open_offer is not None
    request = request_of_person(objector)
    decline = partial(offer_answers.decline_offer, request=request, seat=RIVAL, offer_id=open_offer.id)
    table = (await tables.change(number, request, decline)).table
    assert table.seats[RIVAL].offer is None
    with pytest.raises(Refusal, match="no longer open"):
        await tables.change(
            number,
            request_of_user(GUEST.user),
            partial(
                offer_answers.accept_offer,
                request=request_of_user(GUEST.user),
                seat=RIVAL,
                offer_id=open_offer.id,
            ),
        )


async def test_somebody_who_moves_keeps_the_seat(tables: Tables, number: int) -> None:
    """A move of its player ends the offer, and everybody reads why."""
    table = await tables.get(number)
    seat = table.to_act
    assert seat is not None
    host_request = request_of_person(HOST)
    if seat == HOST:
        table = (await make_move(tables, number, RNG)).table
        seat = table.to_act
        assert seat not in {None, HOST}
    assert seat is not None
    await offer_seat(tables, number, host_request, seat, None)
    table = (await make_move(tables, number, RNG)).table
    assert table.seats[seat].offer is None
    texts = [each.text for each in await tables.store.waiting_deliveries(number)]
    assert any(f"stays with {NAMES[seat]}" in text for text in texts)


async def test_somebody_who_has_left_the_server_is_not_asked(tables: Tables, number: int) -> None:
    """The seat of somebody who left the server needs only its newcomer's word."""
    await offer_seat(tables, number, request_of_person(HOST), RIVAL, GUEST, has_left=True)
    table = await accept_offer(tables, number, RIVAL, GUEST.user)
    assert table.seats[RIVAL].user == GUEST.user


async def test_a_seat_is_offered_to_members_of_its_server(tables: Tables, number: int) -> None:
    """Somebody who is chosen in another server, where the table can be chosen too, could not accept."""
    request = msgspec.structs.replace(request_of_person(0), guild=GUILD + 1)
    player = Mock(spec=discord.Member, id=900, bot=False, display_name="Guest")
    client = Mock(**{"get_guild.return_value": None})
    response = SimpleNamespace(
        tables=tables, request=request, interaction=SimpleNamespace(client=client), send_text=AsyncMock()
    )
    replace_command: Any = inspect.unwrap(table_commands._replace_command.callback)
    with pytest.raises(Refusal, match="in the server where"):
        await replace_command(response, seat="A", player=player, table=number)
    assert (await tables.get(number)).seats[0].offer is None


@pytest.mark.parametrize("letter", ["", "Z", "E", CHANCE_MARK, "AB"])
async def test_a_letter_of_no_seat_is_refused(tables: Tables, number: int, letter: str) -> None:
    """What is typed as a seat is one of the table's letters; the sign of chance is none."""
    table = await tables.get(number)
    with pytest.raises(Refusal, match=r"There is no such seat\. Choose a letter from A to D\."):
        require_seat(table, letter)
    assert require_seat(table, " d ") == Seat(3)


@pytest.mark.parametrize("game", GAMES_AND_TOYS.values(), ids=lambda game: game.key)
async def test_a_newcomer_gets_a_hand_if_there_is_one(tables: Tables, game: AnyGame) -> None:
    """A direct message comes with the seat in games with secrets only."""
    number = await begin(tables, default_setup(game))
    await give_seat_away(tables, number, HOST, GUEST)
    slots = {each.slot for each in await tables.store.waiting_deliveries(number)}
    assert (hand_delivery(HOST).slot in slots) is bool(game.hidden_information)


async def test_names_cannot_be_confused(tables: Tables, number: int) -> None:
    """A newcomer with a name that is taken, or that looks like a computer's, gets another."""
    table = await give_seat_away(tables, number, RIVAL, Person(950, NAMES[HOST]))
    assert table.seats[RIVAL].name == f"{NAMES[HOST]} (2)"
    table = await give_seat_away(tables, number, THIRD, Person(951, "Casual 1"))
    assert table.seats[THIRD].name == "Casual 1 (2)"
    table = await give_seat_away(tables, number, THIRD, None)
    assert table.seats[THIRD].name not in {NAMES[THIRD], "Casual 1 (2)"}


@pytest.mark.parametrize("mark", ["\u034f", "\ufe0e", "\U000e0101"])
async def test_an_invisible_mark_makes_no_other_name(tables: Tables, number: int, mark: str) -> None:
    """Somebody who only adds what nobody sees gets a number, and a name of such marks is none."""
    table = await give_seat_away(tables, number, RIVAL, Person(950, f"{NAMES[HOST]}{mark}"))
    assert table.seats[RIVAL].name == f"{NAMES[HOST]}{mark} (2)"
    for blank in ("", " ", "\u3164"):
        assert sanitize_name(f"{blank}{mark}") == sanitize_name("")


async def test_replaced_players_are_asked_too(tables: Tables, clock: ManualClock) -> None:
    """Replacing the only objector by a computer does not take the objection away."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2))
    for _ in range(6):
        table = (await make_move(tables, number, RNG)).table
    asker = next(seat for seat in (Seat(0), Seat(1)) if seat != table.to_act)
    other_seat = Seat(1 - asker)
    await give_seat_away(tables, number, other_seat, None)
    request = msgspec.structs.replace(request_of_person(asker), at=int(clock.now))
    table = await tables.get(number)
    assert table.match is not None
    kept_length = next(i for i, record in enumerate(table.match.history) if record.is_choice)
    assert undoing.users_to_ask(table, kept_length, request.user) == (FIRST_USER + other_seat,)
    host_request = msgspec.structs.replace(request_of_person(0), at=int(clock.now))
    asked_table = (
        await tables.change(
            number, host_request, partial(moderation.roll_back, request=host_request, move_number=0)
        )
    ).table
    assert asked_table.row.question is not None
    assert asked_table.match is table.match, "rolled back without consent"
    clock.now += VOTING_TIME
    await Housekeeping(tables).do_due_work_at_tables()
    table_after = await tables.get(number)
    assert table_after.row.question is not None
    assert table_after.row.question.declined
    assert table_after.match is table.match


async def test_former_players_are_asked_only_of_what_they_had_the_seat_for(tables: Tables) -> None:
    """Of two who had a seat one after the other each has a say in what was played until they left it."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2))
    for _ in range(6):
        table = (await make_move(tables, number, RNG)).table
    first, second = EarlierPlayer("Fay", 2, user=951), EarlierPlayer("Gus", 4, user=952)
    row = msgspec.structs.replace(table.seats[RIVAL], earlier_players=(first, second))
    table = table.with_seat(RIVAL, row)
    former_users = [
        {first.user, second.user} & set(undoing.users_to_ask(table, kept_length, FIRST_USER + HOST))
        for kept_length in range(5)
    ]
    both = {first.user, second.user}
    assert former_users == [both, both, {second.user}, {second.user}, set()]
    assert undoing.first_own_index(table, RIVAL) == second.end_index


async def test_the_game_ends_when_nobody_is_left(tables: Tables) -> None:
    """When the last person gives the seat away the game ends, and its seed is shown."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2), computer_count=1)
    table = await give_seat_away(tables, number, HOST, None)
    assert table.status is Status.ENDED_EARLY
    notices = [
        each for each in await tables.store.waiting_deliveries(number) if each.kind is DeliveryKind.NOTICE
    ]
    assert table.row.seed.hex() in notices[-1].text


async def test_the_last_person_reads_that_the_game_ends(tables: Tables) -> None:
    """Before the seat goes to a computer player, the question says so where nobody would be left."""
    game = GAMES_AND_TOYS["currents"]
    for computer_count, is_last in ((3, True), (2, False)):
        table = await tables.get(await begin(tables, default_setup(game, 4), computer_count=computer_count))
        resign_text = pages.confirm_resign_post(table, request_of_person(HOST)).text
        give_text = pages.confirm_give_to_computer_post(table, request_of_person(HOST)).text
        assert ("so the game ends" in resign_text) is ("so the game ends" in give_text) is is_last
        assert ("The game goes on" in resign_text) is ("plays on at once" in give_text) is not is_last
        after = await give_seat_away(tables, table.number, HOST, None)
        assert (after.status is Status.ENDED_EARLY) is is_last


async def test_nobody_is_asked_about_what_would_be_refused(tables: Tables) -> None:
    """Neither strangers about a seat, nor in a pause about resigning, nor all players about the end."""
    table = await tables.get(await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 4)))
    paused = table.with_row(status=Status.PAUSED)
    for ask, asked_table, asker in (
        (pages.confirm_resign_post, table, request_of_user(GUEST.user)),
        (pages.confirm_resign_post, paused, request_of_person(HOST)),
        (pages.confirm_give_to_computer_post, table, request_of_user(GUEST.user)),
        (pages.confirm_end_post, table, request_of_person(1)),
    ):
        with pytest.raises(Refusal):
            ask(asked_table, asker)
    assert "End this game" in pages.confirm_end_post(table, request_of_person(HOST)).text


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
@pytest.mark.parametrize("computer_count", [0, 1])
async def test_somebody_who_resigns_last_reads_who_wins(
    tables: Tables, key: str, computer_count: int
) -> None:
    """Before a resignation that leaves one seat, the question names its player, who then wins."""
    game = GAMES_AND_TOYS[key]
    number = await begin(tables, default_setup(game, game.player_counts[0]), computer_count=computer_count)
    table = await tables.get(number)
    for seat in map(Seat, range(1, len(table.seats) - computer_count)):
        text = pages.confirm_resign_post(table, request_of_person(seat)).text
        table = await change_as(tables, number, seat, departures.resign, computer="casual")
        assert " wins." not in text or table.status is Status.OVER
    if table.status is Status.PLAYING:
        text = pages.confirm_resign_post(table, request_of_person(HOST)).text
        table = await change_as(tables, number, HOST, departures.resign, computer="casual")
    if table.status is Status.OVER:
        assert table.match is not None
        (winner,) = game.returns(table.match.state).winners
        assert f"The game ends, and {table.names[winner]} wins." in text


async def test_a_computer_that_gets_a_seat_in_a_pause_does_not_play_at_once(tables: Tables) -> None:
    """The question says when it plays: nobody does before the game is resumed, not the asker either."""
    table = await tables.get(await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 4)))
    for status, when in ((Status.PLAYING, "at once"), (Status.PAUSED, "once the game is resumed")):
        table_with_status = table.with_row(status=status)
        text = pages.confirm_give_to_computer_post(table_with_status, request_of_person(HOST)).text
        assert f"It plays on {when}." in text
    assert text.endswith("Or offer your seat to anybody, and keep it until somebody takes it.")
