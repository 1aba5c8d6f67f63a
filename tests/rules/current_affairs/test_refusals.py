"""Refusals of Current Affairs: what is wrong and what to do."""

import pytest

from rules.current_affairs.model import Position
from tests.rules.current_affairs.positions import (
    AT_SEA,
    FAR_BOARDS,
    IN_PORT,
    act,
    make_board,
    make_board_near_yokohama,
    make_port_position,
    make_position,
)
from tests.rules.current_affairs.texts import refusal_text


@pytest.mark.parametrize(
    ("position", "text", "reason"),
    [
        (AT_SEA, "sail OKH", "You are in the Sea of Okhotsk already: sail to another region."),
        (AT_SEA, "sail TAS", "The Tasman Sea is 8 actions away and you have 4. Choose a nearer region."),
        (
            AT_SEA,
            "sail COR",
            "The Coral Sea (Brisbane) is 7 actions away and you have 4. Choose a nearer region.",
        ),
        (
            AT_SEA,
            "sail GPP",
            (
                "Another ship is in the Garbage Patch. You may sail through, but stop "
                "somewhere else until you unlock the shared space."
            ),
        ),
        (AT_SEA, "deliver C05", "First sail to another region."),
        (AT_SEA, "pick C05", "First sail to another region."),
        (IN_PORT, "sail EMP", "You are in port. Deliver, discard or end your turn."),
        (
            IN_PORT,
            "deliver C09",
            "San Francisco 6 (has plastic, needs rubber and any). Complete it before you deliver it.",
        ),
        (
            IN_PORT,
            "deliver C01",
            (
                "You do not have that contract. You have Yokohama 9 (complete) and "
                "San Francisco 6 (has plastic, needs rubber and any)."
            ),
        ),
        (IN_PORT, "discard C05", "That contract is complete: deliver it instead."),
        (
            act(IN_PORT, "discard C09"),
            "discard C05",
            "A complete contract cannot be discarded. Draw a contract.",
        ),
        (
            IN_PORT,
            "unlock wheel",
            "You unlock an upgrade for each contract that you deliver in its own port.",
        ),
        (IN_PORT, "draw C02", "You have two contracts already. Deliver or discard one first."),
        (
            make_port_position(make_board_near_yokohama("C05:P...", "C09:P..")),
            "draw C02",
            "You have two contracts already. Discard one first.",
        ),
        (act(IN_PORT, "deliver C05"), "end", "You have used the port, so draw contracts until you have two."),
        (
            act(IN_PORT, "deliver C05", "unlock crane"),
            "discard C09",
            "Contracts are discarded before upgrades and new contracts. Draw a contract.",
        ),
        (
            act(IN_PORT, "deliver C05", "discard C09", "unlock crane"),
            "unlock wheel",
            "You unlock an upgrade for each contract that you deliver in its own port.",
        ),
        (
            make_port_position(make_board_near_yokohama("C09:P.."), market="C13"),
            "discard C09",
            "There are too few other contracts left to replace it, so keep it.",
        ),
    ],
)
def test_refusals(position: Position, text: str, reason: str) -> None:
    """A refusal says what is wrong and what to do."""
    assert refusal_text(position, text) == reason


def test_refusals_of_trash() -> None:
    """A refusal says what must be taken and where it fits."""
    position = act(make_position(make_board("OKH", "C04 C09"), *FAR_BOARDS, stacks={"EMP": "PP"}), "sail EMP")
    assert refusal_text(position, "skip") == "The trash on top fits a contract of yours, so you must take it."
    assert refusal_text(position, "collect A C04 no") == (
        "There is no aluminium within reach here. You can take plastic."
    )
    assert refusal_text(position, "collect P C08 no").startswith("You do not have that contract.")
    assert refusal_text(position, "sail GPP") == "First take the trash of this region."
    board = make_board("OKH", "C03", unlocked="crane")
    below = act(make_position(board, *FAR_BOARDS, stacks={"EMP": "PN"}), "sail EMP")
    assert (
        refusal_text(below, "collect N C03 no") == "No contract of yours takes a net. You can take plastic."
    )
    assert refusal_text(below, "collect G C03 no") == (
        "There is no glass within reach here. You can take plastic."
    )
    assert refusal_text(below, "skip") == "The trash on top fits a contract of yours, so you must take it."
    leaving = act(make_position(board, *FAR_BOARDS, stacks={"EMP": "GPN"}), "sail EMP")
    assert refusal_text(leaving, "sail GPP") == (
        "First choose: take the second trash of this region, or take nothing."
    )


def test_refusal_to_leave_both_trash_in_reach_of_a_crane() -> None:
    """If the second trash fits too, the refusal says that either may be taken (CA10)."""
    board = make_board("OKH", "C05", unlocked="crane")
    position = act(make_position(board, *FAR_BOARDS, stacks={"EMP": "AP"}), "sail EMP")
    assert refusal_text(position, "skip") == (
        "The trash on top fits a contract of yours, so take it or the one below."
    )
