"""Games use every rule; the few rules that games seldom meet are used from a built position."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import pytest
from msgspec.structs import replace

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.components import MAX_ROUNDS, Block, Card
from rules.arctic_cleanup.model import Position
from tests.rules.arctic_cleanup.features import FEATURES, features_of
from tests.rules.arctic_cleanup.positions import (
    BLOCK_FILLING_UNLOADS,
    CARD_FLIPPING_UNLOADS,
    NOTATION,
    act,
    make_board,
    make_losing_sixteenth_token_position,
    make_other_board,
    make_position,
    make_sixteenth_token_position,
    make_unload_position,
)
from tests.rules.whole_games import Transition, find_features
from tests.trials import trial_count

RANDOM_GAME_COUNT: Final = trial_count(short=25, soak=1000)
"""Of each number of seats, at most."""
CASUAL_GAME_COUNT: Final = trial_count(short=15, soak=1000)


def transition_of(position: Position, *texts: str) -> Transition:
    """Return the transition of the last of these actions."""
    *earlier, last = texts
    before = act(position, *earlier)
    assert before.to_act is not None
    return Transition(before, before.to_act, NOTATION.parse(last), act(before, last))


def fill_block(block: Block) -> Transition:
    """Process the last token of a block."""
    lines, plastic, line = BLOCK_FILLING_UNLOADS[block]
    return transition_of(make_unload_position(f"{plastic} -", lines=lines), f"unload 1 {plastic} {line}")


def flip_card(card: Card) -> Transition:
    """Process the last token of a line with a logo."""
    lines, plastic, line = CARD_FLIPPING_UNLOADS[card]
    return transition_of(make_unload_position(f"{plastic} -", lines=lines), f"unload 1 {plastic} {line}")


UPGRADED_CARD_ACTIONS: Final = {
    Card.ANALYZE: ("analyze 2",),
    Card.PLAN: ("rotate 1 1 2", "rotate 1 1 2"),
    Card.MOVE: ("sail 1 1", "sail 2 1"),
    Card.LOAD: ("load 1 pet", "load 1 pet"),
}


def use_upgraded_card(card: Card) -> Transition:
    """Use an upgraded card of column 1 twice."""
    cards = " ".join((card.value, *(each.value for each in Card if each is not card)))
    lines = {Card.ANALYZE: "R5:2pet R6:2eva H2:4pp", Card.PLAN: "R2:4eva", Card.MOVE: "R3:4eva"}
    board = make_board("A2", "B2 B3", columns=cards, lines=lines.get(card, "R4:4eva"))
    return transition_of(make_position(board, ocean="B2:2pet", bag="3pet,3pp"), *UPGRADED_CARD_ACTIONS[card])


def load_until_a_deadlock_threatens() -> Transition:
    """The last space is not for another token that no line takes."""
    board = make_board("A2", "B2 B3", cargo="4pp 2ps")
    return transition_of(make_position(board, ocean="B3:2pp"), "load 2 pp")


def lose_by_ending() -> Transition:
    """The sixteenth token comes from a player with fewer points."""
    return transition_of(make_losing_sixteenth_token_position(), "unload 1 ldpe R3", "end")


def end_after_a_clean_ocean() -> Transition:
    """Sixteen tokens, ocean and bag being empty."""
    position = replace(make_sixteenth_token_position(), ocean=((),) * 19, round=10, last_round=12)
    return transition_of(position, "unload 1 ldpe R5", "end")


def end_by_the_round_limit() -> Transition:
    """Round 80 is over."""
    position = make_position(make_board("A2", "B2 B3"), round_number=MAX_ROUNDS)
    return transition_of(position, "idle plan", "idle plan")


def gather_dice() -> Transition:
    """Six dice in one row."""
    board = make_board("A2", "B2 B3", rows="11111 -", spare_die_count=1)
    return transition_of(make_position(board), "bring 1 2")


def share_a_victory() -> Transition:
    """Equal points after round 80."""
    boards = make_board("A2", "B2 B3", cargo="pp -"), make_other_board(cargo="pet -")
    position = make_position(*boards, round_number=MAX_ROUNDS)
    return transition_of(position, "idle plan", "idle plan")


TRANSITION_MAKERS: Final[Mapping[str, Callable[[], Transition]]] = {
    **{f"fill {block.value}": partial(fill_block, block) for block in (Block.DIE_3, Block.DIE_4)},
    **{f"{card.value} upgraded": partial(flip_card, card) for card in Card},
    **{
        f"{card.value} {use}": partial(use_upgraded_card, card)
        for card in UPGRADED_CARD_ACTIONS
        for use in ("used when upgraded", "beyond its column")
    },
    "a deadlock forbids a token": load_until_a_deadlock_threatens,
    "who ends the game does not win": lose_by_ending,
    "16 after a clean ocean": end_after_a_clean_ocean,
    "end by rounds": end_by_the_round_limit,
    "a row has more than five dice": gather_dice,
    "shared victory": share_a_victory,
}
"""For each feature that games seldom meet, what makes a transition with it."""


@pytest.mark.parametrize("feature", TRANSITION_MAKERS)
def test_a_built_position_uses_the_rule(feature: str) -> None:
    """The transition does what games seldom do."""
    assert feature in FEATURES
    assert feature in set(features_of(TRANSITION_MAKERS[feature]()))


@pytest.mark.slow
def test_games_use_every_other_rule() -> None:
    """Whatever needs no built position occurs in some game."""
    wanted_features = FEATURES - set(TRANSITION_MAKERS)
    found = find_features(ARCTIC_CLEANUP, features_of, wanted_features, RANDOM_GAME_COUNT, CASUAL_GAME_COUNT)
    assert found <= FEATURES
    assert not wanted_features - found


def test_sailing_to_an_empty_tile_has_one_feature() -> None:
    """The face of the die that is used; nothing else happens there."""
    position = make_position(make_board("A2", "B2 B3"))
    assert set(features_of(transition_of(position, "sail 1 1"))) == {"sail 1"}
