"""Whole games: no token or die is lost, limits hold, points add up, and every game ends."""

import random
from collections import Counter
from typing import Final

import pytest

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.boards import sort_tokens, would_deadlock
from rules.arctic_cleanup.components import (
    LINES,
    MAPS,
    MAX_ROUNDS,
    PLASTICS,
    SHIP_CAPACITY,
    TOKENS_TO_END,
    Block,
    Card,
    FactoryLine,
)
from rules.arctic_cleanup.events import EndReason
from rules.arctic_cleanup.model import Phase, PlayerBoard, Position
from rules.model import CHANCE, Seat
from rules.players import COMPUTER_PLAYERS
from rules.random_stream import RandomStream
from tests.conformance.pieces import pieces_of
from tests.rules.whole_games import check_chance_decides, play_game
from tests.trials import trial_count

pytestmark = pytest.mark.slow

GAME_COUNT: Final = trial_count(short=2, soak=1000)
"""Of each number of seats and each computer player."""
REGULAR_ENDS: Final = {EndReason.PROCESSED, EndReason.CLEAN_OCEAN}
ALL_TOKENS: Final = Counter({plastic: facts.token_count for plastic, facts in PLASTICS.items()})


def check_position(position: Position) -> None:
    """Check what holds in every position."""
    ocean = set(MAPS[len(position.boards)].ocean)
    assert Counter(pieces_of(ARCTIC_CLEANUP, position)) == ALL_TOKENS
    assert position.bag == sort_tokens(position.bag)
    for board in position.boards:
        assert len(board.cargo[0]) <= SHIP_CAPACITY
        assert len(board.cargo[1]) <= SHIP_CAPACITY
        assert {place for place in board.ships if place is not None} <= ocean
        check_factory(board)
        if not board.resigned:
            assert sum(map(len, board.rows)) + board.spare_die_count == 5 + board.gained_die_count
            assert not would_deadlock(board, board.cargo)
            if board.columns:
                assert sorted(card.value for card in board.columns) == sorted(card.value for card in Card)
    assert (position.to_act is None) == (position.phase is Phase.OVER)
    assert (position.draw_count > 0) == (position.phase is Phase.DRAW)
    assert position.round <= MAX_ROUNDS


def check_factory(board: PlayerBoard) -> None:
    """Check the lines of a factory."""
    for line, tokens in zip(FactoryLine, board.lines, strict=True):
        assert len(set(tokens)) <= 1, "one colour a line"
        assert len(tokens) <= LINES[line].slot_count
        assert all((PLASTICS[plastic].points == 3) is LINES[line].hatched for plastic in tokens)
        assert not tokens or not LINES[line].hatched or board.has_filled(Block.LINE_OPENER)


@pytest.mark.parametrize("player", COMPUTER_PLAYERS)
@pytest.mark.parametrize("seat_count", ARCTIC_CLEANUP.player_counts)
def test_games_end_and_lose_nothing(seat_count: int, player: str) -> None:
    """Tokens and dice add up at every record until the game ends; sensible games reach a regular end."""
    regular_end_count = 0
    for number in range(GAME_COUNT):
        record_count, final_position = 0, None
        for transition in play_game(ARCTIC_CLEANUP, seat_count, player, number):
            check_position(transition.after)
            record_count, final_position = record_count + 1, transition.after
        assert final_position is not None
        assert final_position.end_reason is not None
        assert record_count <= ARCTIC_CLEANUP.max_game_length
        regular_end_count += final_position.end_reason in REGULAR_ENDS
        standings = ARCTIC_CLEANUP.returns(final_position).standings
        assert all(each.score == sum(line.points for line in each.lines) for each in standings)
        finished_boards = [board for board in final_position.boards if board.processed_count >= TOKENS_TO_END]
        assert len(finished_boards) == (final_position.end_reason is EndReason.PROCESSED)
    if player == "casual":
        assert regular_end_count >= 0.95 * GAME_COUNT


@pytest.mark.soak_only
def test_no_place_in_the_turn_order_wins_too_often() -> None:
    """At a table of four no place in the turn order wins more than 1.3 times its share."""
    game_count, wins_by_place = trial_count(short=400, soak=1000), [0.0] * 4
    for number in range(game_count):
        *_, last_transition = play_game(ARCTIC_CLEANUP, 4, "casual", 5000 + number)
        winners = ARCTIC_CLEANUP.returns(last_transition.after).winners
        for seat in winners:
            wins_by_place[last_transition.after.turn_order.index(seat)] += 1 / len(winners)
    assert max(wins_by_place) <= 1.3 * game_count / 4


@pytest.mark.parametrize("seat_count", [3, 4])
def test_games_go_on_after_resignations(seat_count: int) -> None:
    """A random seat leaves at a random record; the tokens add up and the game ends."""
    resignation_count = 0
    for number in range(2 * GAME_COUNT):
        rng = random.Random(f"{seat_count}/{number}")
        resignation_index = rng.randrange(150)
        position, outcome_count, record_count, resigned_seat = (
            ARCTIC_CLEANUP.initial_state(seat_count, ARCTIC_CLEANUP.options_type()),
            0,
            0,
            None,
        )
        while (actor := ARCTIC_CLEANUP.to_act(position)) is not None:
            if record_count == resignation_index:
                resigned_seat = Seat(rng.randrange(seat_count))
                after = ARCTIC_CLEANUP.resign(position, resigned_seat)
                assert after is not None
                position = after
            elif actor == CHANCE:
                action = ARCTIC_CLEANUP.sample_chance(
                    position, RandomStream(bytes([number % 256]) * 32, outcome_count)
                )
                assert ARCTIC_CLEANUP.is_possible(position, action)
                outcome_count += 1
                position = ARCTIC_CLEANUP.apply_action(position, action)
            else:
                assert actor != resigned_seat
                action = rng.choice(ARCTIC_CLEANUP.legal_actions(ARCTIC_CLEANUP.view(position, actor)))
                position = ARCTIC_CLEANUP.apply_action(position, action)
            check_position(position)
            record_count += 1
        if resigned_seat is None:
            assert record_count <= resignation_index, "the game ended before"
            continue
        resignation_count += 1
        last_standing = ARCTIC_CLEANUP.returns(position).standings[-1]
        assert (last_standing.seat, last_standing.rank) == (resigned_seat, seat_count)
    assert resignation_count > GAME_COUNT


@pytest.mark.parametrize("seat_count", ARCTIC_CLEANUP.player_counts)
def test_chance_acts_only_where_outcomes_differ(seat_count: int) -> None:
    """Chance acts only where it can decide something."""
    check_chance_decides(ARCTIC_CLEANUP, seat_count, "random", range(200, 200 + GAME_COUNT))
