"""Plan and Move: dice, rows and steps."""

import pytest

from rules.arctic_cleanup.components import Hex
from tests.rules.arctic_cleanup.positions import (
    act,
    legal_texts,
    make_board,
    make_other_board,
    make_position,
)


def test_rulebook_rotate_a_die() -> None:
    """Figure 11: the second die of row 2 turns from 1 to 2 (4.2.3)."""
    position = make_position(make_board("A2", "B2 B3", columns="plan analyze unload load move"))
    position = act(position, "rotate 2 1 2")
    assert position.boards[0].rows == ((1, 1, 1), (1, 2))
    assert legal_texts(position) == ["end"]


@pytest.mark.parametrize(
    ("text", "rows", "spare_count_after"),
    [
        ("bring 1 4", ((1, 1, 1, 4), (1, 1)), 1),
        ("bring 2 6", ((1, 1, 1), (1, 1, 6)), 1),
        ("shift 1 1", ((1, 1), (1, 1, 1)), 2),
        ("shift 2 1", ((1, 1, 1, 1), (1,)), 2),
        ("rotate 1 1 5", ((1, 1, 5), (1, 1)), 2),
    ],
)
def test_rulebook_plan_at_strength_one(
    text: str, rows: tuple[tuple[int, ...], ...], spare_count_after: int
) -> None:
    """One die is brought in, moved to the other row, or turned; its face stays when it moves (4.2.3, AC9)."""
    board = make_board("A2", "B2 B3", columns="plan analyze unload load move", spare_die_count=2)
    after = act(make_position(board), text)
    assert after.boards[0].rows == rows
    assert after.boards[0].spare_die_count == spare_count_after
    assert legal_texts(after) == ["end"]


def test_a_die_may_be_changed_again() -> None:
    """Each operation costs one, also on the same die (AC9)."""
    board = make_board("A2", "B2 B3", columns="analyze unload plan load move")
    position = act(make_position(board), "rotate 1 1 3", "shift 1 3", "rotate 2 3 5")
    assert position.boards[0].rows == ((1, 1), (1, 1, 5))
    assert legal_texts(position) == ["end"]


def test_plan_offers_only_changes() -> None:
    """No die is turned to its own face, and none is taken out of the rows (AC9)."""
    texts = legal_texts(make_position(make_board("A2", "B2 B3", rows="13 -")))
    rotate_texts = [f"rotate 1 1 {face}" for face in (2, 3, 4, 5, 6)] + [
        f"rotate 1 3 {face}" for face in (1, 2, 4, 5, 6)
    ]
    changes = [text for text in texts if text.split()[0] in {"rotate", "shift", "bring"}]
    assert sorted(changes) == sorted([*rotate_texts, "shift 1 1", "shift 1 3"])


def test_rows_have_no_limit() -> None:
    """All ten dice may lie in one row (AC10)."""
    board = make_board("A2", "B2 B3", rows="111111111 -", spare_die_count=1)
    position = act(make_position(board), "bring 1 2")
    assert position.boards[0].rows == ((1, 1, 1, 1, 1, 1, 1, 1, 1, 2), ())


def test_only_spare_dice_can_be_brought_in() -> None:
    """Without a die beside the board nothing can be brought in (AC11)."""
    assert not legal_texts(make_position(make_board("A2", "B2 B3")), "bring")
    assert len(legal_texts(make_position(make_board("A2", "B2 B3", spare_die_count=1)), "bring")) == 12


def test_rulebook_move_both_ships() -> None:
    """Strength 5: ship 1 three times up, ship 2 up and up right; the dice go beside the board (4.3.2)."""
    board = make_board("A2", "B4 B3", rows="111 12", columns="analyze unload load plan move")
    position = act(make_position(board), "sail 1 1", "sail 1 1", "sail 1 1", "sail 2 1", "sail 2 2")
    after = position.boards[0]
    assert after.ships == (Hex.B1, Hex.C2)
    assert (after.rows, after.spare_die_count) == (((), ()), 5)


def test_dice_may_be_used_in_any_order() -> None:
    """A row's dice may be used in any order, and the ships may take turns (AC8, AC37)."""
    board = make_board("A2", "B2 B2", rows="12 12", columns="analyze unload load plan move")
    first_board = act(make_position(board), "sail 1 2", "sail 2 1", "sail 1 1", "sail 2 2").boards[0]
    second_board = act(make_position(board), "sail 1 1", "sail 1 2", "sail 2 2", "sail 2 1").boards[0]
    assert first_board.ships == second_board.ships == (Hex.C1, Hex.C1)


def test_a_ship_uses_its_own_row() -> None:
    """Row 1 moves ship 1, row 2 ship 2."""
    board = make_board("A2", "B2 B4", rows="1 2")
    assert legal_texts(make_position(board), "sail") == ["sail 1 1", "sail 2 2"]


@pytest.mark.parametrize(
    ("ships", "rows", "offered_texts"),
    [
        ("B1 B4", "1 4", []),  # off the map
        ("B2 B2", "3 6", []),  # pack ice
        ("B2 B3", "5 6", []),  # the own factory
        ("D2 D3", "3 2", []),  # another's factory
        ("D2 D3", "4 1", ["sail 1 4", "sail 2 1"]),
    ],
)
def test_impossible_steps_are_not_offered(ships: str, rows: str, offered_texts: list[str]) -> None:
    """No step leads off the map, onto ice or onto a factory; the die stays (AC3, AC7)."""
    position = make_position(make_board("A2", ships, rows=rows))
    assert legal_texts(position, "sail") == offered_texts


def test_empty_tiles_are_ocean() -> None:
    """A tile without tokens may be entered (AC7)."""
    position = make_position(make_board("A2", "B2 B3"), ocean="D1:pet")
    assert act(position, "sail 1 1").boards[0].ships[0] is Hex.B1


def test_ships_block_nobody() -> None:
    """Ships pass others and share their tiles (AC6)."""
    position = make_position(make_board("A2", "B3 B2"), make_other_board(), player=0)
    crowded_position = make_position(make_board("A2", "B3 B2"), make_board("E2", "B2 B1"))
    for each in (position, crowded_position):
        after_sailing = act(each, "sail 1 1", "sail 1 1")
        assert after_sailing.boards[0].ships == (Hex.B1, Hex.B2)


def test_move_may_leave_dice() -> None:
    """Move may leave dice in the rows (AC30)."""
    position = act(make_position(make_board("A2", "B2 B3")), "sail 2 1", "end")
    assert position.boards[0].rows == ((1, 1, 1), (1,))
    assert position.boards[0].spare_die_count == 1
