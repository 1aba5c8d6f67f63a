"""What is posted of a turn that somebody else finishes: under the names of those who played it."""

import random

import discord
import pytest

from bot.chat.components import Button
from bot.chat.panel_posts import panel_page
from bot.chat.story import public_story
from bot.host.deciders import departures, play
from bot.host.table import Table
from bot.host.table_turns import is_first_turn
from bot.host.tables import Tables
from bot.store.seat_rows import EarlierPlayer, Person, SeatRow
from rules.model import Action, Seat
from rules.players import COMPUTER_PLAYERS
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import labels, stub_board_pictures
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    NAMES,
    ManualClock,
    begin,
    default_setup,
    give_seat_away,
    make_move,
    request_of_person,
)
from tests.conformance.pictures import ALL_PICTURES
from tests.trials import cases

NEWCOMER_USER = FIRST_USER + 6
MULTI_CHOICE_GAME_KEYS = [key for key in GAMES_AND_TOYS if key not in {"currents", "pearls"}]
"""Games in which a turn has several choices."""
SECRET_MULTI_CHOICE_GAME_KEYS = [
    key for key in MULTI_CHOICE_GAME_KEYS if GAMES_AND_TOYS[key].hidden_information
]


async def stop_within_turn(chat_table: ChatTable) -> tuple[Seat, int]:
    """Play until somebody is in the middle of a turn; return their seat and the index of the choice."""
    rng = random.Random(8)
    for _ in range(200):
        table_before = await chat_table.tables.get(chat_table.number)
        choice_index = await chat_table.history_length()
        await make_move(chat_table.tables, chat_table.number, rng)
        table_after = await chat_table.tables.get(chat_table.number)
        if table_before.to_act == table_after.to_act is not None and len(chat_table.turn_messages()) > 1:
            await chat_table.send_all()
            return table_after.to_act, choice_index
        await chat_table.send_all()
    raise AssertionError("no turn had two choices")


async def play_computers_turns(chat_table: ChatTable) -> None:
    """Play all that computers have to play."""
    rng = random.Random(4)

    def choose(table: Table, seat: Seat) -> Action:
        assert table.match is not None
        return COMPUTER_PLAYERS["random"].choose(table.game, table.match.view(seat), rng)

    while (seat := (table := await chat_table.tables.get(chat_table.number)).to_act) is not None:
        if table.seats[seat].computer is None:
            break
        await chat_table.tables.change(
            chat_table.number, None, lambda table: play.play_computer_turn(table, choose)
        )


@pytest.fixture(params=cases(MULTI_CHOICE_GAME_KEYS, "oceans", "arctic_cleanup"))
async def chat_table(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> ChatTable:
    """Return a table of a game with turns of several choices."""
    stub_board_pictures(monkeypatch)
    monkeypatch.setattr("render.catalogue.PICTURES", ALL_PICTURES)  # the guide's games too
    chat_table = ChatTable(tables, clock, await begin(tables, default_setup(GAMES_AND_TOYS[request.param])))
    await chat_table.send_all()
    return chat_table


async def test_a_computer_that_finishes_a_turn_is_named_for_its_part_alone(chat_table: ChatTable) -> None:
    """The post names the person for what the person did, and has no buttons; the next board has."""
    seat, choice_index = await stop_within_turn(chat_table)
    old_board, person_name = chat_table.board(), NAMES[seat]
    await give_seat_away(chat_table.tables, chat_table.number, seat, None)
    await chat_table.send_all()
    table = await chat_table.tables.get(chat_table.number)
    computer_name = table.names[seat]
    assert computer_name != person_name
    first_line = table.log_lines(choice_index)[0].text
    assert person_name in first_line
    assert computer_name not in first_line
    await play_computers_turns(chat_table)
    await chat_table.send_all()
    post = chat_table.turn_messages()[-1]
    assert post.id == old_board.id, "the message that asked the person"
    heading, *lines = post.content.splitlines()
    assert heading.endswith(f"· {person_name} and {computer_name}'s turn")
    assert f"> {first_line}".startswith(lines[0])
    assert any(line.startswith(f"> {computer_name}") for line in lines)
    assert labels(post) == []
    assert chat_table.board().id > post.id
    assert [message for message in chat_table.chat.public_messages() if "Play" in labels(message)] == [
        chat_table.board()
    ]


async def test_a_newcomer_within_a_turn_is_offered_no_undo_at_once(chat_table: ChatTable) -> None:
    """The panel has **Undo** and **Undo turn** only where they take back nothing of the earlier player."""
    seat, _ = await stop_within_turn(chat_table)
    await give_seat_away(chat_table.tables, chat_table.number, seat, Person(NEWCOMER_USER, "Nora"))
    table = await chat_table.tables.get(chat_table.number)
    assert table.to_act == seat
    row = panel_page(table, seat).post.rows[-1]
    assert isinstance(row, tuple)
    assert not any(isinstance(part, Button) and part.label.startswith("Undo") for part in row)


async def test_earlier_turns_keep_their_names(chat_table: ChatTable) -> None:
    """The log, public and private, names who played at the time, not who has the seat now."""
    seat, _ = await stop_within_turn(chat_table)
    table = await chat_table.tables.get(chat_table.number)
    assert table.match is not None
    lines_before = {viewer: table.narrate(table.match, viewer) for viewer in (None, Seat(0), Seat(1))}
    await give_seat_away(chat_table.tables, chat_table.number, seat, None)
    table_after = await chat_table.tables.get(chat_table.number)
    assert table_after.match is not None
    for viewer, lines in lines_before.items():
        assert table_after.narrate(table_after.match, viewer) == lines
        assert table_after.narrate(table_after.match, viewer, lines[-1].index) == lines[-1:]
    await play_computers_turns(chat_table)
    later_table = await chat_table.tables.get(chat_table.number)
    assert later_table.match is not None
    assert later_table.narrate(later_table.match, None)[: len(lines_before[None])] == lines_before[None]


async def test_a_newcomer_is_mentioned_and_reads_how_to_win(chat_table: ChatTable) -> None:
    """The seat's new player is mentioned in a new message; the old one loses its buttons."""
    seat, _ = await stop_within_turn(chat_table)
    old_board = chat_table.board()
    assert old_board.raw_mentions == [FIRST_USER + seat]
    await give_seat_away(chat_table.tables, chat_table.number, seat, Person(NEWCOMER_USER, "Gita"))
    await chat_table.send_all()
    board = chat_table.board()
    assert board.id > old_board.id
    assert board.raw_mentions == [NEWCOMER_USER]
    assert labels(old_board) == []
    table = await chat_table.tables.get(chat_table.number)
    assert table.game.words.how_to_win in board.content
    _, _, turn_so_far = public_story(table, seat, limit=20_000).text.partition("**This turn so far:**")
    assert NAMES[seat] in turn_so_far
    assert is_first_turn(table, seat)
    await chat_table.send_all()
    assert chat_table.board() is board, "once"


async def test_each_player_of_a_seat_has_a_first_turn(chat_table: ChatTable) -> None:
    """It is over once they have finished a turn, and begins anew for who takes the seat after them."""
    seat, _ = await stop_within_turn(chat_table)
    await give_seat_away(chat_table.tables, chat_table.number, seat, None)
    assert is_first_turn(await chat_table.tables.get(chat_table.number), seat)
    await play_computers_turns(chat_table)
    assert not is_first_turn(await chat_table.tables.get(chat_table.number), seat)
    await give_seat_away(chat_table.tables, chat_table.number, seat, Person(NEWCOMER_USER, "Gita"))
    assert is_first_turn(await chat_table.tables.get(chat_table.number), seat)


async def test_choices_after_an_undo_are_the_present_players(chat_table: ChatTable) -> None:
    """What is played instead of an earlier player's choices has the present player's name."""
    seat, choice_index = await stop_within_turn(chat_table)
    await give_seat_away(chat_table.tables, chat_table.number, seat, Person(NEWCOMER_USER, "Gita"))
    table = await chat_table.tables.get(chat_table.number)
    length = await chat_table.history_length()
    assert table.seats[seat].earlier_players == (EarlierPlayer(NAMES[seat], length, FIRST_USER + seat),)
    assert table.names_at(length - 1)[seat] == NAMES[seat]
    assert table.names_at(length)[seat] == "Gita"
    await chat_table.roll_back(choice_index)
    table = await chat_table.tables.get(chat_table.number)
    assert table.seats[seat].earlier_players == (EarlierPlayer(NAMES[seat], choice_index, FIRST_USER + seat),)
    assert (table.names_at(choice_index - 1)[seat], table.names_at(choice_index)[seat]) == (
        NAMES[seat],
        "Gita",
    )


@pytest.mark.parametrize("chat_table", cases(SECRET_MULTI_CHOICE_GAME_KEYS, "oceans"), indirect=True)
@pytest.mark.parametrize("newcomer", [Person(NEWCOMER_USER, "Gita"), None])
async def test_somebody_who_had_the_seat_reads_privately_who_has_it_now(
    chat_table: ChatTable, newcomer: Person | None
) -> None:
    """It shows no hand, asks for no move and says who has the seat, be that a person or a computer."""
    seat, _ = await stop_within_turn(chat_table)
    channel = (await chat_table.chat.create_dm(discord.Object(FIRST_USER + seat))).id
    await give_seat_away(chat_table.tables, chat_table.number, seat, newcomer)
    await chat_table.send_all()
    present_name = (await chat_table.tables.get(chat_table.number)).names[seat]
    (message,) = (each for each in chat_table.chat.messages.values() if each.channel.id == channel)
    assert message.content.endswith(f"{present_name} has your seat now.")
    assert labels(message) == []


async def test_somebody_who_gets_the_seat_back_is_shown_the_hand_again(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing has happened in between that would change it."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2)))
    channel = (await chat_table.chat.create_dm(discord.Object(FIRST_USER))).id
    shown_texts = []
    for newcomer in (None, Person(FIRST_USER, NAMES[0])):
        await chat_table.send_all()
        shown_texts += [
            each.content for each in chat_table.chat.messages.values() if each.channel.id == channel
        ]
        await give_seat_away(chat_table.tables, chat_table.number, Seat(0), newcomer)
    await chat_table.send_all()
    shown_texts += [each.content for each in chat_table.chat.messages.values() if each.channel.id == channel]
    assert shown_texts[0] == shown_texts[2] != shown_texts[1]


async def test_a_player_who_never_played_leaves_no_name(chat_table: ChatTable) -> None:
    """Somebody who had it without playing leaves no name behind."""
    seat, _ = await stop_within_turn(chat_table)
    length = await chat_table.history_length()
    await give_seat_away(chat_table.tables, chat_table.number, seat, Person(NEWCOMER_USER, "Gita"))
    await give_seat_away(chat_table.tables, chat_table.number, seat, None)
    table = await chat_table.tables.get(chat_table.number)
    assert {table.names_at(index)[seat] for index in range(length)} == {NAMES[seat]}
    assert table.names_at(length)[seat] == "Random 1"


async def test_the_names_of_earlier_players_are_stored(chat_table: ChatTable) -> None:
    """The names of earlier players are stored with the seat."""
    seat, _ = await stop_within_turn(chat_table)
    await give_seat_away(chat_table.tables, chat_table.number, seat, None)
    table = await chat_table.tables.get(chat_table.number)
    stored = await chat_table.tables.store.load(chat_table.number)
    assert stored is not None
    assert stored.row.seats == table.seats
    assert table.seats[seat].earlier_players


async def test_the_post_of_a_turn_names_its_player_who_resigned(chat_table: ChatTable) -> None:
    """It has no buttons; a computer player that takes the seat, as in some games, is named too."""
    seat, _ = await stop_within_turn(chat_table)
    old_board = chat_table.board()
    request = request_of_person(seat)
    await chat_table.tables.change(
        chat_table.number, request, lambda table: departures.resign(table, request, computer="random")
    )
    await chat_table.send_all()
    await play_computers_turns(chat_table)
    await chat_table.send_all()
    heading = old_board.content.splitlines()[0]
    table = await chat_table.tables.get(chat_table.number)
    finisher_names = NAMES[seat] if table.seats[seat].user else f"{NAMES[seat]} and {table.names[seat]}"
    assert heading.endswith(f"· {finisher_names}'s turn")
    assert labels(old_board) == []


def test_each_index_has_the_name_of_its_time() -> None:
    """The name of each earlier player ends where that of the next one begins."""
    row = SeatRow("Chloé", earlier_players=(EarlierPlayer("Ava", 3), EarlierPlayer("Ben", 5)))
    assert "".join(row.name_at(index)[0] for index in range(7)) == "AAABBCC"
