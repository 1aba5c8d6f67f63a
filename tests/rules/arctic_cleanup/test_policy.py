"""The policy of Arctic CleanUp in positions where the sensible choice is plain."""

import pytest

from rules.arctic_cleanup import ARCTIC_CLEANUP, policy
from rules.arctic_cleanup.components import SHIP_CAPACITY, FactoryLine, Plastic
from rules.arctic_cleanup.evaluation import PolicyState, factory_value_of, ship_goals
from rules.arctic_cleanup.model import Position
from rules.model import Action
from rules.notation import write_action
from rules.random_stream import RandomStream
from tests.rules.arctic_cleanup.positions import (
    SAMPLE_POSITION,
    STRONG_LOAD_COLUMNS,
    STRONG_UNLOAD_COLUMNS,
    act,
    legal_choices,
    make_board,
    make_losing_sixteenth_token_position,
    make_other_board,
    make_position,
    make_sixteenth_token_position,
    play_idle_turns,
)


def choose(position: Position, seed: int = 1) -> Action:
    """Return what the seat to act chooses."""
    view = ARCTIC_CLEANUP.view(position, position.to_act)
    return ARCTIC_CLEANUP.policy(view, legal_choices(position), RandomStream(bytes([seed]) * 32))


def play_turn(position: Position) -> tuple[Position, list[str]]:
    """Play the turn of the seat to act; return the position after it and the actions."""
    seat, texts = position.to_act, []
    while position.to_act == seat:
        texts.append(write_action(choose(position)))
        position = act(position, texts[-1])
    return position, texts


def test_unloads_all_that_fits() -> None:
    """With two docked ships and a strong Unload, all tokens with a line are unloaded."""
    board = make_board("A2", "B2 B3", cargo="2pet eva", columns=STRONG_UNLOAD_COLUMNS)
    after, texts = play_turn(make_position(board))
    assert after.boards[0].processed_count == 3
    assert texts[-1] == "end"


def test_unloads_where_a_block_is_filled() -> None:
    """The token goes where it completes the die."""
    board = make_board(
        "A2", "B2 B3", cargo="pet -", lines="R1:pet R3:pet R4:2eva", columns=STRONG_UNLOAD_COLUMNS
    )
    after, _ = play_turn(make_position(board))
    assert after.boards[0].tokens_on_line(FactoryLine.R3) == (Plastic.PET,) * 2


def test_seeks_the_opening_block() -> None:
    """The first tokens go on the two bottom lines."""
    board = make_board("A2", "B2 B3", cargo="2pet 2eva", columns=STRONG_UNLOAD_COLUMNS)
    after, _ = play_turn(make_position(board))
    assert {len(after.boards[0].tokens_on_line(line)) for line in (FactoryLine.R5, FactoryLine.R6)} == {2}


def test_loads_what_its_lines_need() -> None:
    """With R1 to R6 taken by other plastics it leaves the tokens that no line takes."""
    lines = "R1:hdpe R2:ldpe R3:eva R4:pmma R5:pa6 R6:hdpe"
    board = make_board("A2", "C1 C1", lines=lines, columns=STRONG_LOAD_COLUMNS)
    position = make_position(board, ocean="C1:eva,pet,pa6 D1:3pet D2:3pet D3:3pet C4:3pet", bag="5pet")
    after, texts = play_turn(position)
    assert all(text.split()[0] in {"load", "end"} for text in texts)
    assert {*after.boards[0].cargo[0], *after.boards[0].cargo[1]} == {Plastic.EVA, Plastic.PA6}


def test_takes_a_useless_token_at_the_end() -> None:
    """In the last round a token aboard is a point."""
    board = make_board("A2", "B2 B3", columns=STRONG_LOAD_COLUMNS)
    position = make_position(board, ocean="B2:pp,ps", round_number=9, last_round=9)
    after, _ = play_turn(position)
    assert len(after.boards[0].cargo[0] + after.boards[0].cargo[1]) == 2


@pytest.mark.parametrize("count_aboard", range(SHIP_CAPACITY + 1))
def test_seeks_no_more_tokens_than_fit(count_aboard: int) -> None:
    """A tile with more tokens than a ship has room for is worth no more to it."""
    board = make_board("A2", "C1 C1", cargo=f"{count_aboard}ps -" if count_aboard else "- -")
    room = SHIP_CAPACITY - count_aboard
    values = []
    for token_count in range(1, SHIP_CAPACITY + 2):
        state = PolicyState(board, make_position(board, ocean=f"D1:{token_count}pet").ocean, 40, 0)
        values.append(ship_goals(state, 2, factory_value_of(board))[0].value)
    assert len(set(values)) == max(1, room)
    assert values == sorted(values)


def test_simulates_the_next_turn_of_the_three_best_cards_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The turns of all five take a third more processor time, and it plays no better."""
    values_after_card: list[float] = []

    def record_value(after: PolicyState, position: Position, value_after_card: float) -> float:
        values_after_card.append(value_after_card)
        return value_after_card

    monkeypatch.setattr(policy, "_value_after_next_turn", record_value)
    choose(SAMPLE_POSITION)
    assert len(values_after_card) == 3
    assert values_after_card == sorted(values_after_card, reverse=True)


def test_sails_home_with_cargo() -> None:
    """A full ship with the right dice goes to a dock."""
    board = make_board(
        "A2", "B4 B1", cargo="2pet,2eva -", rows="1 11", columns="analyze unload load plan move"
    )
    _, texts = play_turn(make_position(board))
    assert "sail 1 1" in texts


def test_goes_for_a_win_within_reach() -> None:
    """With the tokens aboard that win the game, it plans the way home, sails and unloads: three turns."""
    position = make_position(
        make_board(
            "A2",
            "B2 B1",
            cargo="- ldpe,pa6",
            rows="3 -",
            spare_die_count=5,
            lines="H1:ps H2:2pp R1:2ldpe R2:2hdpe R3:2pa6 R4:ldpe R5:2eva R6:2pet",
            columns="unload load move analyze plan",
        ),
        ocean="B1:pmma B4:2pmma,ps C1:eva,2pa6 C4:pet,pp,ps C5:hdpe,pmma,pp D2:ps D4:eva,pet,ps",
    )
    for _ in range(3):
        position, _ = play_turn(position)
        if position.to_act is not None:
            position = play_idle_turns(position, 1)
    assert position.to_act is None
    assert ARCTIC_CLEANUP.returns(position).winners == (0,)


def test_ends_a_won_game() -> None:
    """The sixteenth token is processed where it wins."""
    after, _ = play_turn(make_sixteenth_token_position())
    assert after.to_act is None
    assert ARCTIC_CLEANUP.returns(after).winners[0] == 0


def test_does_not_end_a_lost_game() -> None:
    """Sixteen tokens are declined while another player has more points."""
    after, _ = play_turn(make_losing_sixteenth_token_position())
    assert after.to_act is not None


@pytest.mark.parametrize("count", [1, 2])
def test_chooses_among_the_given_actions(count: int) -> None:
    """Also where its first choice is missing."""
    position = make_position(make_board("A2", "B2 B3"), make_other_board(), ocean="B2:3pet")
    given_actions = legal_choices(position)[-count:]
    assert (
        ARCTIC_CLEANUP.policy(
            ARCTIC_CLEANUP.view(position, position.to_act), given_actions, RandomStream(bytes(32))
        )
        in given_actions
    )


def test_equal_streams_choose_alike() -> None:
    """The choice depends on the view and the stream alone, and the stream decides between equals."""
    # no card has any effect
    position = make_position(make_board("A2", "B1 B1", rows="- -"))
    assert choose(position) == choose(position)
    assert len({choose(position, seed) for seed in range(1, 30)}) > 1
