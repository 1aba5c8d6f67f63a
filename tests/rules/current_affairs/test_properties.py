"""Whole games: no piece is lost, limits hold, points add up, and every game ends."""

import random
from typing import Final

import pytest

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.actions import FillRegions, Sail
from rules.current_affairs.boards import movement_allowance
from rules.current_affairs.components import (
    CONTRACTS,
    MAX_HELD_CONTRACTS,
    MAX_ROUNDS,
    REGIONS,
    TRASH_TOKEN_COUNTS,
    UPGRADE_COUNTS,
    Contract,
    Upgrade,
)
from rules.current_affairs.events import Sailed
from rules.current_affairs.market import sort_contracts
from rules.current_affairs.model import Phase, Position
from rules.model import CHANCE, Seat
from rules.players import COMPUTER_PLAYERS
from rules.random_stream import RandomStream
from tests.conformance.pieces import pieces_of
from tests.rules.whole_games import Transition, check_chance_decides, play_game
from tests.trials import trial_count

pytestmark = pytest.mark.slow

GAME_COUNT: Final = trial_count(short=1, soak=1000)
"""Of each number of seats and each computer player."""
OTHER_GAME_COUNT: Final = trial_count(short=2, soak=100)
"""The same for the other properties."""


def check_position(position: Position) -> None:
    """Check what holds in every position."""
    assert position.deck == sort_contracts(position.deck), "the order reveals nothing"
    assert position.discard_pile == sort_contracts(position.discard_pile)
    for board in position.boards:
        assert len(board.contracts) <= MAX_HELD_CONTRACTS
        animals = [REGIONS[region].animal for region in board.restored_regions]
        assert len(set(animals)) == len(animals), "each animal once"
        assert all(
            board.unlocked_upgrades.count(upgrade) <= count for upgrade, count in UPGRADE_COUNTS.items()
        )
        for held in board.contracts:
            requirements = CONTRACTS[held.contract].requirements
            assert all(
                trash is None or kind in {None, trash}
                for trash, kind in zip(held.slots, requirements, strict=True)
            )
    restored_regions = [region for board in position.boards for region in board.restored_regions]
    assert len(set(restored_regions)) == len(restored_regions), "each region once"
    assert all(not position.stacks[list(REGIONS).index(region)] for region in restored_regions)
    ships = [board.ship for board in position.boards if board.ship is not None]
    sharing_count = sum(Upgrade.SHARE_SPACE in board.unlocked_upgrades for board in position.boards)
    assert len(ships) - len(set(ships)) <= sharing_count
    assert (position.to_act is None) == (position.phase is Phase.OVER)
    assert position.round <= MAX_ROUNDS


def check_transition(transition: Transition) -> None:
    """Check what holds for every step."""
    check_position(transition.after)
    if not isinstance(transition.action, FillRegions):
        assert pieces_of(CURRENT_AFFAIRS, transition.after) == pieces_of(
            CURRENT_AFFAIRS, transition.before
        ), transition.action
    if isinstance(transition.action, Sail):
        (event,) = (each for each in transition.after.trail if isinstance(each, Sailed))
        assert event.cost <= movement_allowance(transition.before.boards[transition.actor])
        assert event.regions[0] is not event.regions[-1]
    assert (
        sum(map(len, transition.after.stacks)) <= sum(map(len, transition.before.stacks))
        or transition.actor == CHANCE
    )


@pytest.mark.parametrize("player", COMPUTER_PLAYERS)
@pytest.mark.parametrize("seat_count", CURRENT_AFFAIRS.player_counts)
def test_games_end_and_lose_nothing(seat_count: int, player: str) -> None:
    """28 contracts and 80 tokens at every record, until the game ends (CA23, CA25)."""
    for number in range(GAME_COUNT):
        record_count, final_position = 0, None
        for transition in play_game(CURRENT_AFFAIRS, seat_count, player, number):
            check_transition(transition)
            record_count, final_position = record_count + 1, transition.after
        assert final_position is not None
        assert record_count <= CURRENT_AFFAIRS.max_game_length
        pieces = pieces_of(CURRENT_AFFAIRS, final_position)
        assert all(pieces[contract] == 1 for contract in Contract)
        assert {trash: pieces[trash] for trash in TRASH_TOKEN_COUNTS} == TRASH_TOKEN_COUNTS
        standings = CURRENT_AFFAIRS.returns(final_position).standings
        assert [each.rank for each in standings] == sorted(each.rank for each in standings)
        assert standings[0].rank == 1
        assert all(each.score == sum(line.points for line in each.lines) for each in standings)


@pytest.mark.parametrize("seat_count", CURRENT_AFFAIRS.player_counts)
def test_everybody_has_equally_many_turns(seat_count: int) -> None:
    """Everybody has the same number of regular turns, in the same order (CA26); all turns are counted."""
    for number in range(OTHER_GAME_COUNT):
        regular_turn_seats: list[Seat] = []
        extra_turn_seats: list[Seat] = []
        for transition in play_game(CURRENT_AFFAIRS, seat_count, "casual", 100 + number):
            if isinstance(transition.action, Sail):
                (extra_turn_seats if transition.before.in_extra_turns else regular_turn_seats).append(
                    transition.actor
                )
                assert transition.before.turn == len(regular_turn_seats) + len(extra_turn_seats)
        assert len(regular_turn_seats) % seat_count == 0
        assert regular_turn_seats == regular_turn_seats[:seat_count] * (len(regular_turn_seats) // seat_count)
        assert len(set(extra_turn_seats)) == len(extra_turn_seats)


@pytest.mark.parametrize("seat_count", CURRENT_AFFAIRS.player_counts)
def test_chance_acts_only_where_outcomes_differ(seat_count: int) -> None:
    """Chance acts only where it can decide something (CA34)."""
    check_chance_decides(CURRENT_AFFAIRS, seat_count, "casual", range(200, 200 + OTHER_GAME_COUNT))


@pytest.mark.parametrize("seat_count", CURRENT_AFFAIRS.player_counts)
def test_games_go_on_after_resignations(seat_count: int) -> None:
    """A random seat leaves at a random choice; nothing is lost and the game ends (CA31)."""
    for number in range(2 * OTHER_GAME_COUNT):
        rng = random.Random(f"{seat_count}/{number}")
        resignation_index = rng.randrange(60)
        position = CURRENT_AFFAIRS.initial_state(seat_count, CURRENT_AFFAIRS.options_type())
        choice_count = outcome_count = 0
        resigned_seat: Seat | None = None
        while (actor := CURRENT_AFFAIRS.to_act(position)) is not None:
            if actor == CHANCE:
                action = CURRENT_AFFAIRS.sample_chance(
                    position, RandomStream(rng.randbytes(32), outcome_count)
                )
                assert CURRENT_AFFAIRS.is_possible(position, action)
                outcome_count += 1
            elif choice_count >= resignation_index and resigned_seat is None:
                resigned_seat = Seat(rng.randrange(seat_count))
                after_resigning = CURRENT_AFFAIRS.resign(position, resigned_seat)
                assert after_resigning is not None
                assert pieces_of(CURRENT_AFFAIRS, after_resigning) == pieces_of(CURRENT_AFFAIRS, position)
                position = after_resigning
                check_position(position)
                continue
            else:
                assert actor != resigned_seat
                action = rng.choice(CURRENT_AFFAIRS.legal_actions(CURRENT_AFFAIRS.view(position, actor)))
                choice_count += 1
            after = CURRENT_AFFAIRS.apply_action(position, action)
            check_transition(Transition(position, actor, action, after))
            position = after
        standings = CURRENT_AFFAIRS.returns(position).standings
        assert standings[-1].seat == resigned_seat
