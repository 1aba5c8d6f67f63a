"""The policy of Current Affairs in positions where the sensible choice is plain."""

from collections import Counter
from typing import Final

import pytest

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.events import EndReason
from rules.current_affairs.model import Position
from rules.model import Action
from rules.notation import write_action
from rules.random_stream import RandomStream
from tests.rules.current_affairs.positions import (
    FAR_BOARDS,
    act,
    legal_choices,
    make_board,
    make_board_near_yokohama,
    make_port_position,
    make_position,
)
from tests.rules.whole_games import play_game
from tests.trials import trial_count

GAME_COUNT: Final = trial_count(short=4, soak=300)
"""Of each number of seats."""


def choose(position: Position, seed: int = 1) -> Action:
    """Return what the seat to act chooses."""
    view = CURRENT_AFFAIRS.view(position, position.to_act)
    return CURRENT_AFFAIRS.policy(view, legal_choices(position), RandomStream(bytes([seed]) * 32))


def chosen_text(position: Position) -> str:
    """Return the choice in notation."""
    return write_action(choose(position))


def test_sails_where_trash_completes_a_contract() -> None:
    """Of several regions the one with the missing token."""
    position = make_position(
        make_board("OKH", "C05:PPA. C03"), *FAR_BOARDS, other_stacks="N", stacks={"GPP": "GGR"}
    )
    assert chosen_text(position) == "sail GPP"


def test_prefers_the_token_that_restores_a_habitat() -> None:
    """Of two tokens that fit, the one that is the last of its region."""
    board = make_board("OKH", "C03 C06", restored="ALA PER")
    position = make_position(board, *FAR_BOARDS, other_stacks="RR", stacks={"EMP": "P", "GPP": "PPP"})
    assert chosen_text(position) == "sail EMP"


def test_sails_to_deliver_in_its_own_port() -> None:
    """A complete contract of the port's colour."""
    board = make_board("OKH", "C05:PPAR C03", restored="ALA GPP")
    position = make_position(board, *FAR_BOARDS, other_stacks="NN")
    assert chosen_text(position) == "sail KUR"


def test_completes_a_contract_where_its_port_is_near() -> None:
    """Of two stops that complete a contract, the one from which it can be delivered in the next turn."""
    board = make_board("OKH", "C05:PPA. C03", restored="NEM COR")
    position = make_position(board, *FAR_BOARDS, other_stacks="N", stacks={"EMP": "NNR", "GPP": "NNR"})
    assert {write_action(choose(position, seed)) for seed in range(1, 20)} == {"sail EMP"}


@pytest.mark.parametrize(
    ("end_reason", "choice"),
    [(EndReason.CONTRACTS_DELIVERED, "sail KUR"), (None, "sail EMP")],
    ids=["last turn", "else"],
)
def test_delivers_in_its_last_turn(end_reason: EndReason | None, choice: str) -> None:
    """In its last turn it delivers what brings more points than a habitat, which else comes first."""
    boards = make_board("OKH", "C05:PPA. C06:PANN", restored="GPP"), make_board("CAL"), make_board("NEM")
    position = make_position(
        *boards, other_stacks="GG", stacks={"EMP": "R", "KUR": ""}, end_reason=end_reason
    )
    assert chosen_text(position) == choice


def test_fills_a_slot_of_its_kind_first() -> None:
    """Trash goes on a slot of its kind before one for any trash."""
    position = act(make_position(make_board("OKH", "C04"), *FAR_BOARDS, stacks={"EMP": "PP"}), "sail EMP")
    assert chosen_text(position) == "collect P C04 no"


def test_delivers_then_unlocks_then_draws_in_port() -> None:
    """It delivers everything, then unlocks, then draws."""
    position = make_port_position(make_board_near_yokohama("C05:PPAR", "C09:P.."))
    assert chosen_text(position) == "deliver C05"
    position = act(position, "deliver C05")
    assert chosen_text(position) == "unlock contract-bonus"
    position = act(position, "unlock contract-bonus")
    assert chosen_text(position).startswith("draw ")


def test_unlocks_sharing_space_in_a_crowd() -> None:
    """Five ships are often in each other's way."""
    boards = make_board_near_yokohama("C05:PPAR"), *FAR_BOARDS, make_board("CLI"), make_board("ALA")
    position = act(make_position(*boards, stacks={"KUR": ""}), "sail KUR", "deliver C05")
    assert chosen_text(position) == "unlock share-space"


@pytest.mark.parametrize(
    ("restored", "choice"), [("GPP ALA BER", "habitat-bonus"), ("GPP", "contract-bonus")]
)
def test_unlocks_the_most_points_in_its_last_turn(restored: str, choice: str) -> None:
    """In its last turn it unlocks the bonus that brings most, also in a crowd."""
    boards = (
        make_board("OKH", "C05:PPAR", delivered="C01", restored=restored),
        *FAR_BOARDS,
        make_board("CLI"),
    )
    position = make_position(*boards, stacks={"KUR": ""}, end_reason=EndReason.HABITATS_RESTORED)
    assert chosen_text(act(position, "sail KUR", "deliver C05")) == f"unlock {choice}"


def test_discards_what_nothing_fits() -> None:
    """Where no token on top of any stack fits, the contract with the least on it is exchanged."""
    position = make_position(
        make_board_near_yokohama("C03", "C01:.R"), *FAR_BOARDS, other_stacks="GN", stacks={"KUR": ""}
    )
    position = act(position, "sail KUR")
    assert chosen_text(position) == "discard C03"
    assert chosen_text(act(position, "discard C03")).startswith("draw ")


def test_discards_no_points_in_its_last_turn() -> None:
    """In the last turn trash on a contract is worth points, also where nothing fits it."""
    position = make_position(
        make_board_near_yokohama("C03:P..", "C01:.R"),
        *FAR_BOARDS,
        other_stacks="GN",
        stacks={"KUR": ""},
        end_reason=EndReason.CONTRACTS_DELIVERED,
    )
    assert chosen_text(act(position, "sail KUR")) == "end"


def test_declines_a_port_without_use() -> None:
    """In a port without a delivery the contracts begun are kept."""
    assert chosen_text(make_port_position(make_board_near_yokohama("C05:PPA.", "C09:P.."))) == "end"


def test_equal_streams_choose_alike() -> None:
    """The choice depends on the view and the stream alone, and the stream decides between equals."""
    position = make_position(make_board("OKH", "C03 C06"), *FAR_BOARDS, other_stacks="NN")
    assert choose(position) == choose(position)
    assert len({choose(position, seed) for seed in range(1, 40)}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("seat_count", CURRENT_AFFAIRS.player_counts)
def test_games_of_casual_end_by_contracts_or_habitats(seat_count: int) -> None:
    """Games never end by the limit of rounds, and seldom because the trash runs out."""
    end_reasons: Counter[EndReason | None] = Counter()
    for number in range(GAME_COUNT):
        final_position = None
        for transition in play_game(CURRENT_AFFAIRS, seat_count, "casual", 7000 + number):
            final_position = transition.after
        assert final_position is not None
        end_reasons[final_position.end_reason] += 1
    assert not end_reasons[EndReason.ROUND_LIMIT]
    assert end_reasons[EndReason.NO_TRASH] <= 1 + GAME_COUNT / 10
    assert None not in end_reasons
