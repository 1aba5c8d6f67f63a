"""Games use every rule; the few rules that games hardly ever meet are used from a built position."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.events import EndReason
from rules.current_affairs.model import PlayerBoard, Position
from rules.model import Seat
from tests.rules.current_affairs.features import FEATURES, features_of
from tests.rules.current_affairs.positions import (
    FAR_BOARDS,
    NOTATION,
    act,
    make_board,
    make_board_near_yokohama,
    make_position,
    play_draft,
    resolve_chance,
    start_extra_turns,
    start_placing,
)
from tests.rules.whole_games import Transition, find_features
from tests.trials import trial_count

RANDOM_GAME_COUNT: Final = trial_count(short=12, soak=1000)
"""Of each number of seats, at most."""
CASUAL_GAME_COUNT: Final = trial_count(short=12, soak=1000)


def transition_of(position: Position, *texts: str) -> Transition:
    """Return the transition of the last of these actions."""
    *earlier, last = texts
    before = resolve_chance(act(position, *earlier)) if earlier else position
    assert before.to_act is not None
    return Transition(before, before.to_act, NOTATION.parse(last), act(before, last))


def make_yokohama_position(*contracts: str, unlocked: str = "", **fields: Any) -> Position:
    """Return the first seat's turn, a step from an empty Yokohama."""
    board = make_board_near_yokohama(*contracts, unlocked=unlocked)
    return make_position(board, *FAR_BOARDS, stacks={"KUR": ""}, **fields)


EVERY_UPGRADE: Final = "wheel wheel crane habitat-bonus contract-bonus extra-turn share-space"
LAST_TURN_FIELDS: Final = {"player": 2, "end_reason": EndReason.CONTRACTS_DELIVERED}


def play_last_turn(*boards: PlayerBoard, **fields: Any) -> Transition:
    """Return the last step of a game: the third seat sails from Point Nemo."""
    return transition_of(make_position(*boards, **{**LAST_TURN_FIELDS, **fields}), "sail CHA")


def share_a_victory() -> Transition:
    """Two seats are equal in points and in their best contract."""
    boards = make_board("OKH", delivered="C15"), make_board("TAS", delivered="C08"), make_board("NEM")
    return play_last_turn(*boards)


def decide_a_tie() -> Transition:
    """Equal points, another best contract."""
    boards = make_board("OKH", delivered="C14"), make_board("TAS", delivered="C04 C16"), make_board("NEM")
    return play_last_turn(*boards)


def sail_with_two_wheels() -> Transition:
    """Five actions."""
    board = make_board("OKH", unlocked="wheel wheel")
    return transition_of(make_position(board, make_board("TAS"), make_board("NEM")), "sail LIN")


def gain_in_an_extra_turn() -> Transition:
    """A habitat is restored in an extra turn."""
    board = make_board("OKH", "C03")
    position = make_position(board, make_board("TAS"), make_board("NEM"), stacks={"EMP": "P"})
    return transition_of(start_extra_turns(position), "sail EMP")


def unlock_the_second_wheel() -> Transition:
    """A ship with a wheel gets another one."""
    return transition_of(
        make_yokohama_position("C05:PPAR", unlocked="wheel"), "sail KUR", "deliver C05", "unlock wheel"
    )


def unlock_two_upgrades() -> Transition:
    """Two contracts of the port's colour."""
    position = make_yokohama_position("C05:PPAR", "C01:AR")
    return transition_of(position, "sail KUR", "deliver C05", "deliver C01", "unlock crane")


def unlock_nothing() -> Transition:
    """All seven upgrades are unlocked."""
    position = make_yokohama_position("C05:PPAR", unlocked=EVERY_UPGRADE)
    return transition_of(position, "sail KUR", "deliver C05", "draw C01")


def draw_without_a_delivery() -> Transition:
    """One contract was missing since the cards ran out."""
    return transition_of(make_yokohama_position("C09"), "sail KUR", "draw C01")


def hold_fewer_than_two() -> Transition:
    """There is nothing to draw."""
    position = make_yokohama_position("C05:PPAR", "C09", market="")
    return transition_of(position, "sail KUR", "deliver C05", "unlock crane")


def keep_what_nothing_replaces() -> Transition:
    """The only other card is for the free place."""
    return transition_of(make_yokohama_position("C09", market="C13"), "sail KUR", "draw C13")


def find_nothing_to_do_in_port() -> Transition:
    """Nothing can be delivered, discarded or drawn."""
    return transition_of(make_yokohama_position("C09", market=""), "sail KUR")


def draw_the_last_of_the_deck() -> Transition:
    """The top card was the last of the deck, and every slot is full: the pile is not reshuffled."""
    position = make_yokohama_position("C09", market="C13 C14 C15", top_contract="C16", discard_pile="C20")
    return transition_of(position, "sail KUR", "draw C16")


def leave_a_slot_empty() -> Transition:
    """No card is left to fill it."""
    return transition_of(make_yokohama_position("C09", market="C13 C14 C15"), "sail KUR", "draw C13")


def end_by_no_trash() -> Transition:
    """The third round after the last trash."""
    boards = make_board("OKH"), make_board("TAS"), make_board("NEM")
    position = make_position(*boards, other_stacks="", player=2, round_number=12, trash_ran_out_round=9)
    return transition_of(position, "sail CHA")


def take_several_extra_turns() -> Transition:
    """Two seats have unlocked the upgrade."""
    boards = (
        make_board("OKH", unlocked="extra-turn"),
        make_board("TAS", unlocked="extra-turn"),
        make_board("NEM"),
    )
    return play_last_turn(*boards)


def leave_the_second_token() -> Transition:
    """Only the second token fits, and the crane leaves it."""
    return transition_of(make_crane_position("C03", "GPN"), "sail EMP", "skip")


def take_the_second_token() -> Transition:
    """Only the second token fits."""
    return transition_of(make_crane_position("C03", "GPN"), "sail EMP", "collect P C03 no")


def make_crane_position(contracts: str, stack: str) -> Position:
    """Return the turn of a ship with a crane beside a stack."""
    board = make_board("OKH", contracts, unlocked="crane")
    return make_position(board, make_board("TAS"), make_board("NEM"), stacks={"EMP": stack})


def start_by_the_earlier_pick() -> Transition:
    """Two seats drafted contracts of the same points."""
    position = play_draft("C07 C01", "C21 C22", "C15 C16")
    return transition_of(position, "market C28,C27,C03,C26")


def find_nothing_in_setup() -> Transition:
    """The first trash fits no contract."""
    return transition_of(start_placing("C03 C06", "C08 C22", "C15 C05", OKH="PPR"), "place OKH")


TRANSITION_MAKERS: Final[Mapping[str, Callable[[], Transition]]] = {
    "shared victory": share_a_victory,
    "tie decided by the best contract": decide_a_tie,
    "sail for 5": sail_with_two_wheels,
    "a gain in an extra turn": gain_in_an_extra_turn,
    "unlock the second wheel": unlock_the_second_wheel,
    "two upgrades in a turn": unlock_two_upgrades,
    "no upgrade is left to unlock": unlock_nothing,
    "draw without a delivery": draw_without_a_delivery,
    "hold fewer than two after the port": hold_fewer_than_two,
    "a contract that nothing can replace stays": keep_what_nothing_replaces,
    "port without anything to do": find_nothing_to_do_in_port,
    "the top is missing while the pile has cards": draw_the_last_of_the_deck,
    "a slot stays empty": leave_a_slot_empty,
    "end by no-trash": end_by_no_trash,
    "no trash, three rounds later": end_by_no_trash,
    "several extra turns": take_several_extra_turns,
    "crane leaves the second": leave_the_second_token,
    "crane takes the second, which alone fits": take_the_second_token,
    "starter by the earlier pick": start_by_the_earlier_pick,
    "nothing fits in set-up": find_nothing_in_setup,
}
"""What games hardly ever meet, and a transition that does."""


@pytest.mark.parametrize("feature", TRANSITION_MAKERS)
def test_a_built_position_uses_the_rule(feature: str) -> None:
    """The transition does what games hardly ever do."""
    assert feature in FEATURES
    assert feature in set(features_of(TRANSITION_MAKERS[feature]()))


@pytest.mark.slow
def test_games_use_every_other_rule() -> None:
    """Each upgrade, trigger, tie-break, wildcard and habitat case occurs."""
    wanted_features = FEATURES - set(TRANSITION_MAKERS)
    found = find_features(CURRENT_AFFAIRS, features_of, wanted_features, RANDOM_GAME_COUNT, CASUAL_GAME_COUNT)
    assert found <= FEATURES
    assert not wanted_features - found


def test_a_move_to_where_nothing_fits_has_two_features() -> None:
    """Its cost, and that nothing fits."""
    board = make_board("OKH", "C03")
    position = make_position(board, make_board("TAS"), make_board("NEM"), stacks={"EMP": "PN"})
    transition = transition_of(position, "sail EMP")
    assert transition.actor == Seat(0)
    assert set(features_of(transition)) == {"sail for 1", "nothing fits"}
