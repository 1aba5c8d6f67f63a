"""The five cards: strength, columns, and the end of a turn."""

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.components import Card
from rules.arctic_cleanup.events import CardPlayed, TurnEnded
from rules.model import Seat
from tests.rules.arctic_cleanup.positions import (
    act,
    events,
    legal_texts,
    make_board,
    make_other_board,
    make_position,
)


def columns_after(columns: str, *texts: str) -> str:
    """Return the first seat's columns after some actions."""
    position = make_position(make_board("A2", "B2 B3", columns=columns))
    cards = act(position, *texts).boards[0].columns
    return " ".join(card.value for card in cards)


def test_rulebook_plan_at_strength_five() -> None:
    """After Plan in column 5 the others move up by one and Plan lies in column 1 (4.1.3)."""
    after = columns_after("analyze unload load move plan", "rotate 1 1 2", "end")
    assert after == "plan analyze unload load move"


def test_only_lower_columns_move() -> None:
    """The cards above the one that was played stay."""
    assert columns_after("analyze unload load move plan", "idle load") == "load analyze unload move plan"
    assert columns_after("analyze unload load move plan", "idle analyze") == "analyze unload load move plan"


def test_strength_is_the_column() -> None:
    """The column of the card that is played limits its operations."""
    position = make_position(make_board("A2", "B2 B3", columns="analyze move load plan unload"))
    position = act(position, "sail 1 1", "sail 2 1")
    assert legal_texts(position) == ["end"]
    assert position.played_card is not None
    assert position.played_card.strength == 2


def test_a_player_may_stop_before_the_strength_is_used_up() -> None:
    """Operations come one by one, and the player may stop after any (AC30)."""
    start = make_position(make_board("A2", "B2 B3"), ocean="B2:3pet B3:3pp")
    for texts in (("rotate 1 1 2",), ("sail 1 1",), ("load 1 pet", "load 1 pet")):
        position = act(start, *texts)
        assert "end" in legal_texts(position)
        after_turn = act(position, "end")
        assert after_turn.to_act == Seat(1)
        assert events(after_turn, TurnEnded)[0].operation_count == len(texts)


def test_one_card_a_turn() -> None:
    """The first operation chooses the card: those of other cards are no longer offered (AC30)."""
    position = act(make_position(make_board("A2", "B2 B3"), ocean="B2:3pet B3:3pp"), "load 1 pet")
    assert {text.split()[0] for text in legal_texts(position)} == {"load", "end"}
    assert events(position, CardPlayed) == [CardPlayed(Seat(0), Card.LOAD, 3)]


def test_every_card_may_be_idle() -> None:
    """A card without any effect still goes to column 1; no turn is skipped (AC14)."""
    board = make_board("A2", "B1 B1", rows="- -", cargo="- -")
    position = make_position(board, ocean="D1:pet")
    assert legal_texts(position) == [f"idle {card.value}" for card in board.columns]
    position = act(position, "idle plan")
    assert position.boards[0].columns[0] is Card.PLAN
    assert position.to_act == Seat(1)
    assert not ARCTIC_CLEANUP.legal_actions(ARCTIC_CLEANUP.view(position, Seat(0)))


def test_nobody_else_may_act() -> None:
    """Only the seat whose turn it is has choices."""
    position = make_position(make_board("A2", "B2 B3"), player=1)
    assert not ARCTIC_CLEANUP.legal_actions(ARCTIC_CLEANUP.view(position, Seat(0)))
    assert not ARCTIC_CLEANUP.legal_actions(ARCTIC_CLEANUP.view(position, None))


def test_upgraded_card_has_double_strength() -> None:
    """Twice the column, odd numbers too, for every use from the next turn on (AC33)."""
    board = make_board(
        "A2", "B4 D1", lines="R3:4pet", columns="analyze unload load plan move", rows="111 444"
    )
    position = act(make_position(board), *(["sail 1 1"] * 3), *(["sail 2 4"] * 3))
    assert position.played_card is not None
    assert (position.played_card.operation_count, position.played_card.strength) == (6, 10)
    assert legal_texts(position) == ["end"]  # no die is left
    for column in range(1, 6):
        cards = ["analyze", "unload", "load", "plan"]
        cards.insert(column - 1, "move")
        upgraded_board = make_board("A2", "B2 B3", lines="R3:4pet", columns=" ".join(cards))
        assert upgraded_board.strength(Card.MOVE) == 2 * column
        assert upgraded_board.strength(Card.PLAN) == upgraded_board.columns.index(Card.PLAN) + 1


def test_nothing_is_hidden() -> None:
    """Everybody sees ships, dice, cards and factories; only what chance will draw is unknown (AC29)."""
    position = make_position(make_board("A2", "B2 B3"), make_other_board())
    assert {ARCTIC_CLEANUP.view(position, seat).position for seat in (None, Seat(0), Seat(1))} == {position}
    assert ARCTIC_CLEANUP.hidden_information == ""
