"""A player's own board of Current Affairs in words."""

import pytest

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.boards import remaining_animals
from rules.current_affairs.components import Animal
from rules.current_affairs.ending import board_points
from rules.current_affairs.phrases import ANIMAL_NAMES, contract_name
from rules.model import Seat
from tests.rules.current_affairs.positions import NAMES, make_board, make_position
from tests.rules.current_affairs.texts import LONG_NAMES, WORDS
from tests.rules.whole_games import play_game

POSITION = make_position(
    make_board("OKH", "C05:P.AR C09:P.A", delivered="C01 C02", restored="BER", unlocked="wheel wheel crane"),
    make_board("NEM", "C07 C12"),
    make_board(None, resigned=True),
)


def own_board_text(seat: int) -> str:
    """Return the text that a bystander reads of one board."""
    return WORDS.own_board_text(CURRENT_AFFAIRS.view(POSITION, None), Seat(seat), NAMES)


def test_a_board_names_everything_on_it() -> None:
    """Each slot with what lies on it, upgrades, habitats, delivered contracts and points."""
    assert own_board_text(0).splitlines() == [
        "A Ava: in the Sea of Okhotsk, five actions a turn.",
        "Contract C05, Yokohama 9: plastic, plastic missing, aluminium, rubber.",
        "Contract C09, San Francisco 6: plastic, rubber missing, aluminium as any.",
        "Upgrades: two wheels and crane. Locked: habitat bonus, contract bonus, extra turn and shared space.",
        "Restored habitats: albatross (Bering Sea). To restore: seal, whale, turtle and manta.",
        "Delivered: Yokohama 5 and Yokohama 6.",
        "17 points so far (contracts 11, habitats 1, trash on contracts 5).",
    ]


def test_a_board_names_what_it_lacks() -> None:
    """Nothing unlocked, restored or delivered; a player who has resigned."""
    text = own_board_text(1)
    assert "Upgrades: none. Locked: two wheels, crane, " in text
    assert "Restored habitats: none." in text
    assert "Delivered: none." in text
    assert text.endswith("0 points so far.")
    assert own_board_text(2).startswith("C Chloé: resigned.")


@pytest.mark.parametrize("seat_count", [3, 5])
def test_every_board_of_whole_games_fits(seat_count: int) -> None:
    """Every board of a game fits and names its contracts, its animals and its points."""
    for transition in play_game(CURRENT_AFFAIRS, seat_count, "casual", 3):
        view = CURRENT_AFFAIRS.view(transition.after, None)
        for seat, board in enumerate(transition.after.boards):
            text = WORDS.own_board_text(view, Seat(seat), LONG_NAMES)
            assert not text.endswith("…")
            assert all(contract_name(held.contract) in text for held in board.contracts)
            to_restore_text = text.partition("To restore: ")[2].partition("\n")[0]
            animals_left = remaining_animals(board)
            assert all(
                (ANIMAL_NAMES[animal] in to_restore_text) == (animal in animals_left) for animal in Animal
            )
            assert f"{board_points(board)} point" in text
