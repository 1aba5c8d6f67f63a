"""The table before the first turn, for each number of players."""

from collections import Counter

import pytest

from rules.australis import AUSTRALIS
from rules.australis.components import FACE_FACTS, Colour, Die, deck
from rules.australis.events import CardsRevealed, DiceRolled, RoundBegan
from rules.australis.model import AustralisOptions, Phase
from rules.match import Match
from rules.model import CHANCE, Seat
from tests.rules.australis.positions import HOST_BEGINS_OPTIONS, act, legal_choices, resolve_chance


@pytest.mark.parametrize("seat_count", AUSTRALIS.player_counts)
def test_pieces_by_players(seat_count: int) -> None:
    """As many dice of each colour as players, and the red one; six cards; one grey cube, or two for four."""
    position = resolve_chance(AUSTRALIS.initial_state(seat_count, AustralisOptions()))
    colours = Counter(FACE_FACTS[die].colour for die in position.dice)
    assert colours == {
        **dict.fromkeys((Colour.WHITE, Colour.YELLOW, Colour.BLUE, Colour.PURPLE), seat_count),
        Colour.RED: 1,
    }
    assert len(position.display) == 6
    assert not position.discard_pile
    assert Counter((*position.display, *position.draw_pile)) == Counter(deck(seat_count))
    assert position.turtle_track_grey_cube_count == (2 if seat_count == 4 else 1)
    assert position.grey_cube_supply == 3
    assert position.turns_left == 4 * seat_count
    assert position.token_holder is None, "it lies beside the red die"
    for board in position.boards:
        assert (board.coral_supply, board.fish, board.cube_count, board.own_cube_spaces) == (
            16,
            0,
            1,
            (5, 11, 15),
        )
        assert not board.cards


def test_start_spaces_go_clockwise_from_who_begins() -> None:
    """The first player has 1 point and space 0, the next clockwise 2 points and space 1, and so on."""
    position = act(AUSTRALIS.initial_state(3, AustralisOptions()), "begin B")
    assert [board.turtle_space for board in position.boards] == [2, 0, 1]
    assert [board.tally.total for board in position.boards] == [3, 1, 2]
    position = resolve_chance(position)
    assert (position.to_act, position.starter, position.round) == (Seat(1), Seat(1), 1)


def test_the_host_may_begin() -> None:
    """With that option the first seat begins, and nothing is drawn for it (AU27)."""
    position = AUSTRALIS.initial_state(2, HOST_BEGINS_OPTIONS)
    assert (position.phase, position.to_act) == (Phase.ROLL, CHANCE)
    assert resolve_chance(position).to_act == Seat(0)


def test_anybody_may_begin() -> None:
    """Every seat is drawn as the first player in some game (AU27)."""
    first_seats = {Match.begin(AUSTRALIS, 4, AustralisOptions(), bytes([n]) * 32).to_act for n in range(40)}
    assert first_seats == {0, 1, 2, 3}


def test_the_first_round_is_announced() -> None:
    """The roll begins the round; the cards follow."""
    position = AUSTRALIS.initial_state(2, HOST_BEGINS_OPTIONS)
    roll = "roll white-2c,white-1c3p,yellow-5f,yellow-4f,blue-2,blue-7,purple-3,purple-8"
    position = act(position, roll)
    assert position.trail == (RoundBegan(1, Seat(0)), DiceRolled())
    assert position.dice == (
        Die.WHITE_1C3P, Die.WHITE_2C, Die.YELLOW_4F, Die.YELLOW_5F, Die.BLUE_2, Die.BLUE_7, Die.PURPLE_3,
        Die.PURPLE_8, Die.RED,
    )  # fmt: skip
    position = resolve_chance(position)
    assert isinstance(position.trail[-1], CardsRevealed)
    assert len(legal_choices(position)) == 9
