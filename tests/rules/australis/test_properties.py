"""Whole games: no piece is lost, limits hold, points add up, and every game ends."""

import random
from collections import Counter
from typing import Final

import pytest

from rules.australis import AUSTRALIS
from rules.australis.actions import RollDice
from rules.australis.components import (
    CUBE_SLOT_COUNT,
    DISPLAY_SIZE,
    FACE_FACTS,
    LAST_SPACE,
    MAX_CARDS_PER_COLOUR,
    ROUND_COUNT,
)
from rules.australis.events import ReefScored
from rules.australis.legal import COLOUR_KEPT_UNDER
from rules.australis.model import Phase, Position
from rules.australis.mutable_position import CARD_INDEX, DIE_INDEX
from rules.model import CHANCE, Seat
from rules.players import COMPUTER_PLAYERS
from rules.random_stream import RandomStream
from tests.conformance.pieces import pieces_of
from tests.rules.whole_games import check_chance_decides, play_game
from tests.trials import trial_count

pytestmark = pytest.mark.slow

GAME_COUNT: Final = trial_count(short=2, soak=1000)
"""Of each number of seats and each computer player."""


def check_position(position: Position) -> None:
    """Check what holds in every position."""
    for cards in (position.display, position.draw_pile, position.discard_pile):
        assert list(cards) == sorted(cards, key=CARD_INDEX.__getitem__), "the order reveals nothing"
    assert list(position.dice) == sorted(position.dice, key=DIE_INDEX.__getitem__)
    assert len(position.display) <= DISPLAY_SIZE
    turtles = [board.turtle_space for board in position.boards if board.turtle_space is not None]
    assert len(set(turtles)) == len(turtles), "one turtle on a space"
    assert all(0 <= space <= LAST_SPACE for space in turtles)
    for board in position.boards:
        assert len(set(board.cards)) == len(board.cards), "no two cards alike"
        colours_kept_under = Counter(COLOUR_KEPT_UNDER[card] for card in board.cards)
        assert max(colours_kept_under.values(), default=0) <= MAX_CARDS_PER_COLOUR
        assert 0 <= board.cube_count <= CUBE_SLOT_COUNT
        assert min((board.coral_supply, *board.coral_counts)) >= 0
        assert len(board.dice) <= 4
        assert all(space > (board.turtle_space or 0) for space in board.own_cube_spaces)
    if position.phase in {Phase.ACTIVATE, Phase.CORAL, Phase.PICK}:
        assert position.active_die is not None
    elif position.phase is not Phase.REVEAL:
        assert position.active_die is None
    assert (position.coral_source is not None) == (position.phase is Phase.CORAL)
    assert (position.reveals_left > 0) == (position.phase is Phase.REVEAL)
    assert (position.to_act is None) == (position.phase is Phase.OVER)


@pytest.mark.parametrize("player", COMPUTER_PLAYERS)
@pytest.mark.parametrize("seat_count", AUSTRALIS.player_counts)
def test_games_end_and_lose_nothing(seat_count: int, player: str) -> None:
    """Cards, corals, cubes and dice add up at every record until the game ends after five rounds."""
    for number in range(GAME_COUNT):
        initial_pieces, record_count, final_position = None, 0, None
        for transition in play_game(AUSTRALIS, seat_count, player, number):
            initial_pieces = (
                pieces_of(AUSTRALIS, transition.before) if initial_pieces is None else initial_pieces
            )
            assert pieces_of(AUSTRALIS, transition.after) == initial_pieces, transition.action
            check_position(transition.after)
            record_count, final_position = record_count + 1, transition.after
        assert final_position is not None
        assert final_position.round == ROUND_COUNT
        assert record_count <= AUSTRALIS.max_game_length
        assert [FACE_FACTS[die].colour for die in final_position.dice], "a die stays on the board"
        standings = AUSTRALIS.returns(final_position).standings
        assert [each.rank for each in standings] == list(range(1, seat_count + 1)), (
            "the turtle decides every tie"
        )
        assert all(each.score == sum(line.points for line in each.lines) for each in standings)
        tile_count = sum(len(board.tiles) for board in final_position.boards)
        assert tile_count <= 2 * ROUND_COUNT


@pytest.mark.parametrize("seat_count", AUSTRALIS.player_counts)
def test_each_seat_takes_four_dice_a_round(seat_count: int) -> None:
    """Clockwise from who begins the round; exactly one die stays (AU13)."""
    for number in range(GAME_COUNT):
        order: list[Seat] = []
        for transition in play_game(AUSTRALIS, seat_count, "random", 100 + number):
            if isinstance(transition.action, RollDice):
                order = []
            elif transition.before.phase is Phase.TAKE:
                order.append(transition.actor)
                starter = transition.before.starter
                assert order == [(starter + turn) % seat_count for turn in range(len(order))]
                if len(order) == 4 * seat_count:
                    assert len(transition.before.dice) == 2


@pytest.mark.parametrize("seat_count", AUSTRALIS.player_counts)
def test_chance_acts_only_where_outcomes_differ(seat_count: int) -> None:
    """Chance acts only where it can decide something."""
    check_chance_decides(AUSTRALIS, seat_count, "random", range(200, 200 + GAME_COUNT))


@pytest.mark.parametrize("seat_count", AUSTRALIS.player_counts)
def test_the_most_corals_score_first(seat_count: int) -> None:
    """Nobody with fewer corals than another scores before it, in every scoring of random games."""
    scored_count = 0
    for number in range(GAME_COUNT):
        for transition in play_game(AUSTRALIS, seat_count, "random", 300 + number):
            for event in transition.after.trail:
                if isinstance(event, ReefScored):
                    scored_count += 1
                    counts = {
                        seat: board.coral_counts[event.reef - 3]
                        for seat, board in enumerate(transition.after.boards)
                    }
                    assert counts[event.first] == max(counts.values()) > 0
                    if event.second is not None:
                        rest = [count for seat, count in counts.items() if seat != event.first]
                        assert counts[event.second] == max(rest) > 0
                        assert event.reef >= 5
    assert scored_count


@pytest.mark.parametrize("seat_count", [3, 4])
def test_games_go_on_after_resignations(seat_count: int) -> None:
    """A random seat leaves at a random choice; the pieces of the round add up and the game ends."""
    for number in range(2 * GAME_COUNT):
        rng = random.Random(f"{seat_count}/{number}")
        resignation_index = rng.randrange(20, 120)
        position, outcome_count, record_count, has_resigned = (
            AUSTRALIS.initial_state(seat_count, AUSTRALIS.options_type()),
            0,
            0,
            False,
        )
        while (actor := AUSTRALIS.to_act(position)) is not None:
            pieces_before = pieces_of(AUSTRALIS, position)
            if actor == CHANCE:
                action = AUSTRALIS.sample_chance(
                    position, RandomStream(bytes([number % 256]) * 32, outcome_count)
                )
                assert AUSTRALIS.is_possible(position, action)
                outcome_count += 1
            elif record_count >= resignation_index and not has_resigned:
                has_resigned = True
                after_resigning = AUSTRALIS.resign(position, Seat(rng.randrange(seat_count)))
                assert after_resigning is not None
                assert pieces_of(AUSTRALIS, after_resigning) == pieces_before
                position = after_resigning
                check_position(position)
                continue
            else:
                action = rng.choice(AUSTRALIS.legal_actions(AUSTRALIS.view(position, actor)))
            position = AUSTRALIS.apply_action(position, action)
            check_position(position)
            pieces_after = pieces_of(AUSTRALIS, position)
            if not isinstance(action, RollDice):  # which rolls the dice of the players left
                assert pieces_after == pieces_before, action
            record_count += 1
        assert has_resigned
        assert position.round == ROUND_COUNT
        assert [each.rank for each in AUSTRALIS.returns(position).standings] == list(range(1, seat_count + 1))
