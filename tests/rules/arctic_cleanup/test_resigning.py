"""A seat leaves the game."""

import pytest

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.components import Hex, Plastic
from rules.arctic_cleanup.events import EndReason
from rules.arctic_cleanup.model import Phase, Position
from rules.model import Resign, Seat
from tests.rules.arctic_cleanup.positions import (
    NAMES,
    SEAT_ORDER_OPTIONS,
    act,
    legal_texts,
    make_board,
    make_position,
    parse_tokens,
    play_idle_turns,
    resign_seat,
    resolve_chance,
)


def make_three_seat_position(
    ocean: str = "D1:pet", bag: str = "", player: int = 0, **fields: int
) -> Position:
    """Return a position of three seats, each with cargo."""
    boards = (
        make_board("C1", "C2 D1", cargo="pp -", lines="R1:3pet"),
        make_board("E3", "D3 D4", cargo="eva,ps pet", lines="R1:2pet", spare_die_count=2),
        make_board("A3", "B3 B4", cargo="- hdpe"),
    )
    return make_position(*boards, ocean=ocean, bag=bag, player=player, **fields)


def test_what_leaves_and_what_stays() -> None:
    """Cargo goes back to the bag, ships, dice and cards vanish, the factory stays (AC28)."""
    position = resign_seat(make_three_seat_position(bag="pp"), 1)
    board = position.boards[1]
    assert position.bag == parse_tokens("eva,pet,pp,ps")
    assert board.ships == (None, None)
    assert (board.cargo, board.rows, board.spare_die_count, board.columns) == (((), ()), ((), ()), 0, ())
    assert (board.factory, board.processed_count) == (Hex.E3, 2)
    assert position.to_act == Seat(0)


def narrate_resigning(position: Position, seat: int) -> str:
    """Return the narration of a resignation."""
    views = [ARCTIC_CLEANUP.view(each, None) for each in (position, resign_seat(position, seat))]
    return ARCTIC_CLEANUP.words.narrate(views[0], Seat(seat), Resign(), views[1], NAMES).text


def test_the_narration_names_what_leaves() -> None:
    """It names the tokens that go back to the bag; before the ships are placed nothing leaves the map."""
    assert narrate_resigning(make_three_seat_position(bag="pp"), 1) == (
        "Ben resigns. The ships leave the map, EVA, PET and PS go back to the bag. The factory stays."
    )
    position = act(make_three_seat_position(bag="pet,pp"), "analyze 1", "draw pp")
    assert "the map, 2 PP go back to the bag." in narrate_resigning(position, 0)
    position = make_position(make_board("A2", "B2 B3"))
    assert "The ships leave the map. The factory stays." in narrate_resigning(position, 0)
    start = resolve_chance(ARCTIC_CLEANUP.initial_state(3, SEAT_ORDER_OPTIONS))
    assert narrate_resigning(start, 1) == "Ben resigns."


def test_an_ending_after_a_resignation_is_narrated_once() -> None:
    """If the resignation completes the last round, the ending follows once."""
    assert narrate_resigning(make_three_seat_position(player=2, round_number=80), 2) == (
        "Chloé resigns. The ships leave the map, HDPE goes back to the bag. The factory stays.\n"
        "Round 80 is over, and with it the game.\n"
        "Ava and Ben share the victory with 7 points."
    )
    position = resign_seat(make_three_seat_position(), 2)
    assert narrate_resigning(position, 1) == (
        "Ben resigns. The ships leave the map, EVA, PET and PS go back to the bag. The factory stays.\n"
        "The game is over.\nOnly Ava is left and wins."
    )


def test_a_seat_that_left_does_not_end_the_game() -> None:
    """Whoever unloads the last token is named, though a seat that resigned had as many."""
    boards = (
        make_board(site, ships, cargo="ldpe -", lines="R2:4pet R3:4hdpe R4:4pa6 R5:3ldpe")
        for site, ships in (("C1", "B1 D1"), ("E3", "D4 D3"))
    )
    position = act(make_position(*boards, make_board("A3", "B3 B4")), "unload 1 ldpe R5")
    position = act(resign_seat(position, 0), "unload 1 ldpe R5", "end")
    status = ARCTIC_CLEANUP.words.status(ARCTIC_CLEANUP.view(position, None), NAMES)
    assert status == "Ben has processed 16 tokens: the game is over. Ben wins with 47 points."


def test_the_factory_stays_an_obstacle() -> None:
    """No ship sails onto the factory of a seat that resigned (AC28)."""
    boards = make_board("C1", "D4 B1", rows="2 -"), make_board("E3", "D3 D3"), make_board("A3", "B3 B4")
    position = make_position(*boards)
    assert not legal_texts(position, "sail")
    assert not legal_texts(resign_seat(position, 1), "sail")


def test_turns_go_on_without_the_seat() -> None:
    """Its turn passes to the next; a round has fewer turns (AC28, AC34)."""
    position = resign_seat(make_three_seat_position(player=1, round_number=4), 1)
    assert (position.to_act, position.round) == (Seat(2), 4)
    position = play_idle_turns(position, 1)
    assert (position.to_act, position.round) == (Seat(0), 5)
    assert play_idle_turns(position, 1).to_act == Seat(2)


def test_a_round_is_complete_if_its_last_seat_resigns() -> None:
    """The ends that wait for a complete round are looked at then (AC34)."""
    position = resign_seat(make_three_seat_position(player=2, round_number=80), 2)
    assert position.end_reason is EndReason.ROUND_LIMIT


def test_the_next_seat_begins_the_rounds_if_the_first_resigns() -> None:
    """The seat after it begins all rounds from then on (AC34)."""
    position = resign_seat(make_three_seat_position(player=0), 0)
    assert position.to_act == Seat(1)
    assert play_idle_turns(position, 2).to_act == Seat(1)


def test_drawn_tokens_go_back_to_the_bag() -> None:
    """Tokens drawn but not placed return to the bag (AC28)."""
    position = act(make_three_seat_position(bag="2ldpe,pa6"), "analyze 1", "draw pa6")
    position = resign_seat(position, 0)
    assert position.bag == parse_tokens("2ldpe,pa6,pp")
    assert (position.drawn_tokens, position.played_card) == ((), None)


def test_resigning_while_chance_acts_cancels_the_draw() -> None:
    """A draw that has not come yet is not made (AC28)."""
    position = act(make_three_seat_position(bag="2ldpe,pa6"), "analyze 1")
    assert position.phase is Phase.DRAW
    position = resign_seat(position, 0)
    assert (position.phase, position.to_act, position.draw_count) == (Phase.TURN, Seat(1), 0)


@pytest.mark.parametrize("phase", [Phase.FILL, Phase.FACTORY])
def test_resigning_before_the_factories_leaves_a_site_closed(phase: Phase) -> None:
    """The seat places nothing; a site that nobody chose stays closed (AC28)."""
    start = ARCTIC_CLEANUP.initial_state(3, SEAT_ORDER_OPTIONS)
    start = start if phase is Phase.FILL else resolve_chance(start)
    assert start.phase is phase
    position = resolve_chance(resign_seat(start, 1))
    position = act(position, "factory E3")
    assert position.to_act == Seat(0)
    position = act(position, "factory C1", "ship C2", "ship D1", "ship D4", "ship D3")
    assert (position.phase, position.to_act) == (Phase.TURN, Seat(0))
    assert position.boards[1].factory is None
    assert Hex.A3 not in {place for board in position.boards for place in board.ships}


def test_resigning_while_ships_are_placed_passes_to_the_next_seat() -> None:
    """The next seat goes on, and the first round begins (AC28)."""
    position = resolve_chance(ARCTIC_CLEANUP.initial_state(3, SEAT_ORDER_OPTIONS))
    position = act(position, "factory E3", "factory A3", "factory C1", "ship C2", "ship D1", "ship B3")
    position = resign_seat(position, 1)
    assert position.to_act == Seat(2)
    position = act(position, "ship D4", "ship D3")
    assert (position.phase, position.to_act) == (Phase.TURN, Seat(0))


def test_who_resigned_is_last() -> None:
    """A seat that resigned is last, whatever its points (AC28)."""
    position = resign_seat(make_three_seat_position(), 0)
    standings = {each.seat: each for each in ARCTIC_CLEANUP.returns(position).standings}
    assert standings[Seat(0)].score == 6
    assert [standings[Seat(seat)].rank for seat in range(3)] == [3, 1, 2]


def test_seats_that_resigned_share_the_last_rank() -> None:
    """Of four, two resign (AC28)."""
    boards = (
        make_board("A1", "B1 B2", lines="R1:pet"),
        make_board("E1", "D1 D2"),
        make_board("E3", "D3 D4", lines="R1:2pet"),
        make_board("A3", "B3 B4"),
    )
    position = resign_seat(resign_seat(make_position(*boards), 0), 2)
    standings = {each.seat: each.rank for each in ARCTIC_CLEANUP.returns(position).standings}
    assert standings == {Seat(0): 3, Seat(1): 1, Seat(2): 3, Seat(3): 1}


def test_the_only_seat_that_stays_wins() -> None:
    """With two players the other one wins at once (AC28)."""
    position = resign_seat(make_position(make_board("A2", "B2 B3", lines="R1:3pet")), 0)
    assert (position.phase, position.to_act, position.end_reason) == (Phase.OVER, None, None)
    assert ARCTIC_CLEANUP.returns(position).winners == (Seat(1),)


def test_resigning_does_not_call_off_the_last_round() -> None:
    """Tokens that come back to the bag do not call off the last round (AC36)."""
    position = make_three_seat_position(ocean="", player=2, round_number=9, last_round=9)
    position = resign_seat(position, 1)
    assert position.bag
    assert play_idle_turns(position, 1).end_reason is EndReason.CLEAN_OCEAN


def test_resigning_is_no_activity() -> None:
    """Resigning does not set the count of quiet rounds back (AC36)."""
    position = resign_seat(make_three_seat_position(player=2, quiet_round_count=5), 0)
    assert play_idle_turns(position, 1).end_reason is EndReason.QUIET
    assert Plastic.PP in position.bag
