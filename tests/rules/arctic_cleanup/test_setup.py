"""Setting up the table."""

from collections import Counter

import pytest

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.actions import FillOcean
from rules.arctic_cleanup.components import INITIAL_ROWS, MAPS, PLASTICS, Card, Hex, Plastic
from rules.arctic_cleanup.model import ArcticCleanUpOptions, Phase, Position
from rules.arctic_cleanup.rules import is_possible
from rules.model import CHANCE, Seat
from rules.random_stream import RandomStream
from tests.rules.arctic_cleanup.positions import SEAT_ORDER_OPTIONS, act, legal_texts, resolve_chance

PLAYER_COUNTS = ARCTIC_CLEANUP.player_counts


def make_position_before_factories(seat_count: int) -> Position:
    """Return the position where the first factory is to be built; the turn order is that of the seats."""
    return resolve_chance(ARCTIC_CLEANUP.initial_state(seat_count, SEAT_ORDER_OPTIONS))


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
def test_three_tokens_a_tile(seat_count: int) -> None:
    """Each ocean tile gets three random tokens, other hexes none, and the rest is the bag (AC4)."""
    position = make_position_before_factories(seat_count)
    ocean = set(MAPS[seat_count].ocean)
    for place, tokens in zip(Hex, position.ocean, strict=True):
        assert len(tokens) == (3 if place in ocean else 0)
    all_tokens = Counter(position.bag) + sum((Counter(tokens) for tokens in position.ocean), Counter())
    assert all_tokens == {plastic: facts.token_count for plastic, facts in PLASTICS.items()}


def test_filling_is_chance() -> None:
    """Exactly three tokens for each ocean tile, and of each kind no more than the bag holds (AC4)."""
    position = ARCTIC_CLEANUP.initial_state(2, SEAT_ORDER_OPTIONS)
    assert position.to_act == CHANCE
    hdpe_and_ldpe = (Plastic.HDPE,) * 7 + (Plastic.LDPE,) * 7
    rest = (Plastic.EVA,) * 6 + (Plastic.PMMA,) * 6 + (Plastic.PET,) * 6 + (Plastic.PA6,) * 4
    assert is_possible(position, FillOcean((*hdpe_and_ldpe, *rest)))
    assert not is_possible(position, FillOcean((*hdpe_and_ldpe, *rest[:-1])))
    assert not is_possible(position, FillOcean((Plastic.HDPE, *hdpe_and_ldpe, *rest[:-1])))


def test_every_turn_order_can_be_drawn() -> None:
    """All orders come, and they are drawn before the ocean is filled (AC34)."""
    orders = set()
    for number in range(60):
        initial_position = ARCTIC_CLEANUP.initial_state(3, ArcticCleanUpOptions())
        outcome = ARCTIC_CLEANUP.sample_chance(initial_position, RandomStream(bytes(32), number))
        assert is_possible(initial_position, outcome)
        ordered_position = ARCTIC_CLEANUP.apply_action(initial_position, outcome)
        orders.add(ordered_position.turn_order)
    assert len(orders) == 6
    fill = ARCTIC_CLEANUP.sample_chance(ordered_position, RandomStream(bytes(32), 0))
    assert is_possible(ordered_position, fill)
    assert not is_possible(initial_position, fill)


def test_factories_in_reverse_order() -> None:
    """The last player builds first; the first player's site is what is left (AC2)."""
    position = make_position_before_factories(3)
    assert position.to_act == Seat(2)
    assert legal_texts(position) == ["factory C1", "factory E3", "factory A3"]
    position = act(position, "factory E3")
    assert position.to_act == Seat(1)
    assert legal_texts(position) == ["factory C1", "factory A3"]
    position = act(position, "factory A3")
    assert position.to_act == Seat(0)
    view = ARCTIC_CLEANUP.view(position, None)
    assert ARCTIC_CLEANUP.forced_action(view) is not None
    assert legal_texts(position) == ["factory C1"]


def test_ships_start_at_the_own_factory() -> None:
    """In turn order each player puts both ships on docks, also on the same one (AC5)."""
    position = act(make_position_before_factories(3), "factory E3", "factory A3", "factory C1")
    assert position.phase is Phase.SHIPS
    assert position.to_act == Seat(0)
    assert set(legal_texts(position)) == {"ship D1", "ship C2", "ship B1"}
    position = act(position, "ship C2", "ship C2")
    assert position.boards[0].ships == (Hex.C2, Hex.C2)
    assert position.to_act == Seat(1)
    assert set(legal_texts(position)) == {"ship A2", "ship B3", "ship B4"}
    position = act(position, "ship A2", "ship B4", "ship D4", "ship E2")
    assert (position.phase, position.to_act, position.round) == (Phase.TURN, Seat(0), 1)
    assert position.boards[2].ships == (Hex.D4, Hex.E2)


@pytest.mark.parametrize(
    ("seat_count", "last_cards"),
    [
        (2, ["load move plan", "move load plan"]),
        (3, ["load move plan", "move load plan", "move load plan"]),
        (4, ["load move plan", "load move plan", "move load plan", "plan move load"]),
    ],
)
def test_initial_columns_follow_the_turn_order(seat_count: int, last_cards: list[str]) -> None:
    """Analyze and Unload first, then by turn order; the first player has those of figure 9 (AC13)."""
    position = make_position_before_factories(seat_count)
    for seat, last in enumerate(last_cards):
        cards = tuple(map(Card, f"analyze unload {last}".split()))
        assert position.boards[seat].columns == cards


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
def test_players_begin_with_five_dice(seat_count: int) -> None:
    """Three and two, all on 1; those of the supply are not there yet (AC11)."""
    for board in make_position_before_factories(seat_count).boards:
        assert board.rows == INITIAL_ROWS
        assert board.spare_die_count == 0


def test_two_to_four_can_play() -> None:
    """Two, three or four can play (AC1)."""
    assert ARCTIC_CLEANUP.player_counts == (2, 3, 4)
    assert set(MAPS) == {2, 3, 4}
