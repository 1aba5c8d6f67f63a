"""A seat of a running game that anybody may take: who may, what that gives them, and where it is listed."""

from functools import partial
from typing import cast

import discord
import msgspec
import pytest

from bot import limits
from bot.chat import pages
from bot.chat.components import Section
from bot.chat.layouts import layout_of
from bot.chat.question_posts import offer_post
from bot.chat.response import Response
from bot.chat.server_tables import (
    MAX_LOBBIES,
    MAX_OPEN_SEATS,
    games_post,
    read_server_tables,
    status_message_post,
)
from bot.chat.table_commands import table_status_post
from bot.host.deciders import moderation, offer_answers, seats, timeouts
from bot.host.deciders.play import require_playing_seat
from bot.host.deciders.results import takeover_rating_text
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from bot.store.results import UnratedReason
from bot.store.seat_rows import Person
from rules.catalogue import GAMES
from rules.model import Seat
from tests.bot.chat.post_components import button_labels, buttons_of
from tests.bot.host.offered_seats import (
    GUEST_USER,
    HOST,
    RIVAL,
    SECOND_GUEST_USER,
    THIRD,
    accept_offer,
    answer_and_get_table,
    answer_offer,
    offer_of,
    offer_to_anybody,
)
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    RNG,
    begin,
    default_setup,
    give_seat_away,
    make_move,
    request_of_person,
    request_of_user,
)
from tests.bot.host.timed_tables import change_row
from tests.bot.host.viewer_output import ResponseRecorder

RATING_TEXT = "This game does not change your rating: you have not played from the start."


async def test_the_first_who_presses_gets_the_seat_that_its_player_offers(
    tables: Tables, number: int
) -> None:
    """One press offers it, one takes it; the player keeps it until then, and nobody is mentioned."""
    table = await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    assert table.seats[RIVAL].user == FIRST_USER + RIVAL
    post = offer_post(table, RIVAL)
    assert "Ben offers seat B to anybody." in post.text
    assert "<@" not in post.text
    assert table.to_act is not None
    assert f"When this was written, it was {table.names[table.to_act]}'s turn. No clock." in post.text
    assert " No clock. `/board` shows" in post.text
    assert "Clock:" not in post.text
    assert post.notified_users == ()
    assert button_labels(offer_post(table, RIVAL)) == ["Take the seat", "Withdraw the offer"]
    result = await answer_offer(
        tables, number, RIVAL, request_of_user(GUEST_USER), offer_answers.accept_offer
    )
    table = result.table
    assert table.seats[RIVAL].user == GUEST_USER
    assert table.row.unrated_reason is None, "its player gave it up"
    waiting = await tables.store.waiting_deliveries(number)
    assert any(each.kind is DeliveryKind.HAND and each.slot.seat == RIVAL for each in waiting)
    with pytest.raises(Refusal, match="no longer open"):
        await tables.change(
            number,
            request_of_user(SECOND_GUEST_USER),
            partial(
                offer_answers.accept_offer,
                request=request_of_user(SECOND_GUEST_USER),
                seat=RIVAL,
                offer_id=1,
            ),
        )


async def test_somebody_who_takes_a_seat_learns_whose_turn_it_is(tables: Tables, number: int) -> None:
    """The answer says which seat it is, whose turn it is, and where the game is unless that is here."""
    table = await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    assert table.to_act is not None
    whose_turn = "your" if table.to_act == RIVAL else f"{table.names[table.to_act]}'s"
    distant_request = msgspec.structs.replace(request_of_user(GUEST_USER), channel=table.row.game_channel + 1)
    result = await answer_offer(tables, number, RIVAL, distant_request, offer_answers.accept_offer)
    text = f"You have seat B now. It is {whose_turn} turn."
    assert result.answer == f"{text} The game is in <#{table.row.game_channel}>. {RATING_TEXT}"
    await offer_to_anybody(tables, number, request_of_user(GUEST_USER), RIVAL)
    result = await answer_offer(
        tables, number, RIVAL, request_of_user(SECOND_GUEST_USER), offer_answers.accept_offer
    )
    assert result.answer == f"{text} {RATING_TEXT}"


async def test_somebody_who_takes_a_seat_learns_what_it_means_for_the_rating(
    tables: Tables, number: int
) -> None:
    """Whoever accepts reads it at once; not who comes back to the own seat, nor where nothing is rated."""
    decide = partial(
        seats.offer_seat,
        request=request_of_person(HOST),
        seat=RIVAL,
        newcomer=Person(GUEST_USER, "Guest"),
        computer="random",
    )
    table = (await tables.change(number, request_of_person(HOST), decide)).table
    accept = partial(
        offer_answers.accept_offer,
        request=request_of_user(GUEST_USER),
        seat=RIVAL,
        offer_id=offer_of(table, RIVAL).id,
    )
    assert accept(table).answer.startswith("You have accepted.")
    assert accept(table).answer.endswith(RATING_TEXT)
    assert "rating" not in accept(table.as_unrated(UnratedReason.ROLLED_BACK)).answer
    table = await give_seat_away(tables, number, RIVAL, Person(GUEST_USER, "Guest"))
    assert takeover_rating_text(table, RIVAL, GUEST_USER)
    assert not takeover_rating_text(table, RIVAL, FIRST_USER + RIVAL)


async def test_whoever_gave_a_seat_away_reads_who_has_it(tables: Tables, number: int) -> None:
    """A press at the old messages says so; it says no such thing to somebody who never had a seat."""
    table = await give_seat_away(tables, number, RIVAL, Person(GUEST_USER, "Guest"))
    give_to_computer = partial(seats.give_seat_to_computer, computer="random")
    for press in (require_playing_seat, timeouts.come_back, give_to_computer):
        with pytest.raises(Refusal, match=r"^Guest has your seat now\. `/board` shows the game\.$"):
            press(table, request_of_person(RIVAL))
        with pytest.raises(Refusal, match=r"^You have no seat at this table\."):
            press(table, request_of_user(SECOND_GUEST_USER))


async def test_somebody_who_takes_the_seat_to_act_learns_of_their_turn(tables: Tables, number: int) -> None:
    """In a game that is being played it is their turn; a paused one is called paused."""
    seat = (await tables.get(number)).to_act
    assert seat is not None
    await offer_to_anybody(tables, number, request_of_person(seat), seat)
    result = await answer_offer(tables, number, seat, request_of_user(GUEST_USER), offer_answers.accept_offer)
    assert "It is your turn." in result.answer
    await offer_to_anybody(tables, number, request_of_user(GUEST_USER), seat)
    await tables.change(
        number, request_of_person(HOST), partial(moderation.pause, request=request_of_person(HOST))
    )
    result = await answer_offer(
        tables, number, seat, request_of_user(SECOND_GUEST_USER), offer_answers.accept_offer
    )
    assert "The game is paused." in result.answer


@pytest.mark.parametrize("key", GAMES)
async def test_an_offer_shows_public_points_alone(tables: Tables, key: str) -> None:
    """It counts the points of each seat that everybody sees, and none of those that only players see."""
    number = await begin(tables, default_setup(GAMES[key], 4))
    for _ in range(4):
        await make_move(tables, number, RNG)
    table = await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    assert table.match is not None
    view = table.match.view(None)
    points_by_name = {name: table.game.points(view, Seat(i)) for i, name in enumerate(table.names)}
    shown = [f"{name} {points}" for name, points in points_by_name.items() if points is not None]
    text = offer_post(table, RIVAL).text
    assert (f" Points: {', '.join(shown)}." in text) if shown else ("Points:" not in text)


async def test_somebody_without_a_seat_learns_which_is_free(tables: Tables, number: int) -> None:
    """Somebody who presses Play or My hand before taking the seat is told how to get it."""
    table_without_offer = await tables.get(number)
    with pytest.raises(Refusal, match="`/board` shows the game"):
        require_playing_seat(table_without_offer, request_of_user(GUEST_USER))
    table = await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    free_text = r"no seat at this table, but seat B is free: press \*\*Take the seat\*\*"
    with pytest.raises(Refusal, match=free_text):
        require_playing_seat(table, request_of_user(GUEST_USER))
    with pytest.raises(Refusal, match=free_text):
        await pages.show_hand(
            tables, cast("Response", ResponseRecorder()), number, request_of_user(GUEST_USER)
        )


async def test_a_former_player_is_told_of_no_other_free_seat(tables: Tables, number: int) -> None:
    """Pressing **Take the seat** would be refused: they know another hand."""
    await give_seat_away(tables, number, THIRD, None)
    table = await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    with pytest.raises(Refusal, match="`/board` shows the game"):
        require_playing_seat(table, request_of_person(THIRD))


async def test_nothing_of_an_offered_hand_is_shown(tables: Tables, number: int) -> None:
    """No line of it stands in the offer's message, in `/games` or in the status message."""
    table = await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    assert table.match is not None
    hand = table.game.words.hand_text(table.match.view(RIVAL), table.plain_names)
    server_tables = await read_server_tables(tables, GUILD, lambda *_: True)
    texts = [offer_post(table, RIVAL).text, status_message_post(server_tables, tables.games).text]
    rows = games_post(server_tables, tables.games).rows
    texts += [row.full_text for row in rows if isinstance(row, Section)]
    held = {line.strip() for line in hand.splitlines() if line.strip()}
    assert held
    assert not [line for line in held for text in texts if line in text]


@pytest.mark.parametrize("seat", [HOST, THIRD])
async def test_somebody_who_has_seen_another_hand_cannot_take_an_open_seat(
    tables: Tables, number: int, seat: Seat
) -> None:
    """P19: neither a player nor who has had another seat; the seat waits for the next person."""
    await give_seat_away(tables, number, THIRD, None)
    await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    with pytest.raises(Refusal, match="You have a seat" if seat == HOST else "had another seat"):
        await answer_and_get_table(tables, number, RIVAL, request_of_person(seat), offer_answers.accept_offer)
    table = await accept_offer(tables, number, RIVAL, GUEST_USER)
    assert table.seats[RIVAL].user == GUEST_USER


async def test_a_former_player_may_come_back_to_the_same_seat(tables: Tables, number: int) -> None:
    """A player who gave the seat to a computer player takes it again."""
    await give_seat_away(tables, number, RIVAL, None)
    await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL)
    table = await answer_and_get_table(
        tables, number, RIVAL, request_of_person(RIVAL), offer_answers.accept_offer
    )
    assert table.seats[RIVAL].user == FIRST_USER + RIVAL
    assert table.row.unrated_reason is UnratedReason.SEAT_GIVEN_AWAY


async def test_somebody_who_was_removed_by_the_host_cannot_take_an_open_seat(
    tables: Tables, number: int
) -> None:
    """What the host decided in the lobby holds for seats that are offered later."""
    lobby = msgspec.structs.replace((await tables.get(number)).row.lobby, removed_users=(GUEST_USER,))
    await change_row(tables, number, lobby=lobby)
    await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    with pytest.raises(Refusal, match="were removed"):
        await accept_offer(tables, number, RIVAL, GUEST_USER)


async def test_an_open_seat_is_listed_with_a_button(tables: Tables, number: int) -> None:
    """`/games` and the status message show what can be taken now, and no seat that is only asked about."""
    await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    await offer_to_anybody(tables, number, request_of_person(HOST), THIRD)
    server_tables = await read_server_tables(tables, GUILD, lambda *_: True)
    assert [(each.table.number, each.seat) for each in server_tables.open_seats] == [(number, RIVAL)]
    (section,) = games_post(server_tables, tables.games).rows
    assert isinstance(section, Section)
    assert section.button.label == "Take the seat"
    status_page = status_message_post(server_tables, tables.games)
    assert "**Open seats**" in status_page.text
    assert "seat B of Ben" in status_page.text
    (button,) = buttons_of(status_page)
    assert button.label.startswith("Take seat B, ")
    assert button.style is discord.ButtonStyle.primary
    assert button.custom_id == section.button.custom_id
    assert button.custom_id.argument == f"{int(RIVAL)} {offer_of(await tables.get(number), RIVAL).id}"


async def test_no_more_open_seats_are_listed_than_fit(tables: Tables) -> None:
    """Each has a section of three components on a page of at most forty."""
    for _ in range(MAX_OPEN_SEATS + 1):
        number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2))
        await offer_to_anybody(tables, number, request_of_person(RIVAL), RIVAL)
    server_tables = await read_server_tables(tables, GUILD, lambda *_: True)
    assert len(server_tables.open_seats) == MAX_OPEN_SEATS
    full_server_tables = msgspec.structs.replace(
        server_tables, lobbies=(server_tables.open_seats[0].table,) * MAX_LOBBIES
    )
    assert (
        layout_of(games_post(full_server_tables, tables.games)).total_children_count <= limits.COMPONENTS_V2
    )


async def test_a_host_without_a_seat_is_named(tables: Tables, number: int) -> None:
    """Whoever asks how the table stands reads who can manage it."""
    table = await offer_to_anybody(tables, number, request_of_person(HOST), HOST)
    text = table_status_post(table).text
    assert "Ava (host)" in text
    assert "Host: " not in text
    table = await accept_offer(tables, number, HOST, GUEST_USER)
    assert "\nHost: Ava (no seat).\n" in table_status_post(table).text


async def test_no_computer_gets_the_name_of_an_earlier_one(tables: Tables, number: int) -> None:
    """Logs name who played at the time: two computer players of one name would be taken for one."""
    earlier_name = (await give_seat_away(tables, number, RIVAL, None)).names[RIVAL]
    await offer_to_anybody(tables, number, request_of_person(HOST), RIVAL)
    await accept_offer(tables, number, RIVAL, GUEST_USER)
    assert (await give_seat_away(tables, number, THIRD, None)).names[THIRD] != earlier_name
