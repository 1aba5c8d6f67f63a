"""What texts say of who is to act, such as a computer player, and of a game that was ended early."""

import random
from functools import partial

import pytest

from bot.chat.hand_posts import hand_post
from bot.chat.pages import too_late_post
from bot.chat.pictures import draw_board_picture
from bot.chat.post_parts import title
from bot.chat.posts import board_post
from bot.chat.table_commands import table_status_post
from bot.host import game_calls
from bot.host.deciders import moderation
from bot.host.deciders.play import status_refusal_text
from bot.host.tables import Tables
from bot.store.rows import Status
from rules.catalogue import GAMES
from rules.model import Seat
from tests.bot.host.playing import begin, default_setup, give_seat_away, make_move, request_of_person
from tests.bot.host.viewer_output import use_scenes_as_pictures


@pytest.mark.parametrize("key", GAMES)
async def test_a_computer_player_is_not_asked_to_play(tables: Tables, key: str) -> None:
    """Status, board as text and alt text say of a computer player that it is finishing."""
    number = await begin(tables, default_setup(GAMES[key]), computer_count=1)
    table = await tables.get(number)
    computer_seat = Seat(len(table.seats) - 1)
    rng = random.Random(6)
    while table.to_act != computer_seat:
        table = (await make_move(tables, number, rng)).table
    name = table.names[computer_seat]
    with use_scenes_as_pictures():
        picture = await draw_board_picture(table)
    texts = [board_post(table, None).text, game_calls.board_text(table), picture.alt]
    assert f"{name} is finishing its turn." in texts[0]
    asking_text = table.game.words.status(game_calls.view(table, None), table.names)
    assert name in asking_text
    assert not [text for text in texts if asking_text in text], "a computer player is asked to play"


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.hidden_information])
async def test_a_private_hand_names_nobody_else_who_is_to_act(tables: Tables, key: str) -> None:
    """It would stay after that player's turn, as it is sent again for its own player's sake only."""
    number = await begin(tables, default_setup(GAMES[key]))
    rng = random.Random(6)
    for _ in range(60):
        table = (await make_move(tables, number, rng)).table
        heading = hand_post(table, Seat(0)).text.splitlines()[0]
        asking_heading = f"**{title(table)}** · {game_calls.status_text(table, Seat(0))}"
        if table.status is not Status.PLAYING:
            break
        assert heading == (asking_heading if table.to_act == 0 else f"**{title(table)}**")


@pytest.mark.parametrize("key", GAMES)
async def test_a_vacated_seat_has_a_name_of_its_own(tables: Tables, key: str) -> None:
    """A computer player that takes a person's seat does not keep the person's name."""
    number = await begin(tables, default_setup(GAMES[key]), computer_count=1)
    table = await tables.get(number)
    while table.to_act is not None and table.seats[table.to_act].user is None:
        number = await begin(tables, default_setup(GAMES[key]), computer_count=1)
        table = await tables.get(number)
    seat = table.to_act
    assert seat is not None
    name = table.names[seat]
    table_with_computer = await give_seat_away(tables, number, seat, None)
    assert table_with_computer.names[seat] == "Random 2"
    texts = [board_post(table_with_computer, None).text, table_status_post(table_with_computer).text]
    assert all("Random 2" in text for text in texts)
    assert "Random 2 is finishing its turn." in texts[0]
    assert f"{name} is finishing" not in texts[0]
    assert " · being played · " in texts[1]


async def test_a_page_of_a_game_that_was_ended_early_says_so_once(tables: Tables, number: int) -> None:
    """Why its buttons are gone is how the game stands."""
    request = request_of_person(0)
    table = (await tables.change(number, request, partial(moderation.end, request=request))).table
    page = too_late_post(table, status_refusal_text(table))
    assert page.text.count("This game was ended early.") == 1
