"""Unload: lines, blocks, upgraded cards."""

import pytest

from rules.arctic_cleanup.components import LINES, Block, Card, FactoryLine, Plastic
from rules.arctic_cleanup.ending import score_lines
from rules.arctic_cleanup.events import BlockFilled, CardFlipped, TokenUnloaded
from rules.arctic_cleanup.model import Position
from rules.model import Seat
from tests.rules.arctic_cleanup.positions import (
    BLOCK_FILLING_UNLOADS,
    CARD_FLIPPING_UNLOADS,
    FILLED_LINE_OPENER,
    act,
    events,
    legal_texts,
    make_board,
    make_other_board,
    make_position,
    make_unload_position,
)


def legal_lines(position: Position, plastic: str) -> set[str]:
    """Return the lines on which a plastic of ship 1 can be processed."""
    texts = (text.split() for text in legal_texts(position, "unload"))
    return {line for _, ship, name, line in texts if (ship, name) == ("1", plastic)}


def test_rulebook_only_docked_ships_unload() -> None:
    """Figure 18: only a ship that touches the factory can unload (4.6.1)."""
    position = make_unload_position("pet eva", ships="B2 B4")
    assert {text.split()[1] for text in legal_texts(position, "unload")} == {"1"}


def test_ships_unload_at_their_own_factory_only() -> None:
    """A ship beside another's factory cannot unload there (AC32)."""
    position = make_position(make_board("A2", "D2 D3", cargo="pet eva"), make_other_board())
    assert not legal_texts(position, "unload")


def test_both_docked_ships_unload() -> None:
    """Token by token, from either ship, to as many lines as wanted (AC19)."""
    position = act(
        make_unload_position("pet,eva pet"), "unload 2 pet R1", "unload 1 eva R2", "unload 1 pet R1"
    )
    board = position.boards[0]
    assert board.tokens_on_line(FactoryLine.R1) == (Plastic.PET,) * 2
    assert board.tokens_on_line(FactoryLine.R2) == (Plastic.EVA,)
    assert board.cargo == ((), ())
    assert events(position, TokenUnloaded) == [TokenUnloaded(Seat(0), 1, Plastic.PET, FactoryLine.R1, 2)]


def test_rulebook_plain_and_hatched_lines() -> None:
    """2-point tokens go on plain lines, 3-point tokens on hatched ones (4.6.2, 4.6.4)."""
    plain_lines = {line.value for line, facts in LINES.items() if not facts.hatched}
    position = make_unload_position("pet,pp -", lines=FILLED_LINE_OPENER)
    assert legal_lines(position, "pet") == plain_lines - {"R6"}
    assert legal_lines(position, "pp") == {"H1", "H2"}


def test_rulebook_one_colour_a_line() -> None:
    """A line keeps its colour; another of that colour may be begun at any time (4.6.2, AC19)."""
    position = make_unload_position("pet,eva -", lines="R1:pet R2:pet R3:eva")
    assert legal_lines(position, "pet") == {"R1", "R2", "R4", "R5", "R6"}
    assert legal_lines(position, "eva") == {"R3", "R4", "R5", "R6"}


@pytest.mark.parametrize(("line", "slot_count"), [(line, LINES[line].slot_count) for line in FactoryLine])
def test_a_full_line_takes_nothing_more(line: FactoryLine, slot_count: int) -> None:
    """A full line takes nothing more."""
    plastic = "pp" if LINES[line].hatched else "pa6"
    lines = f"{line.value}:{slot_count}{plastic}"
    lines_with_opener = lines if line in {FactoryLine.R5, FactoryLine.R6} else f"{lines} {FILLED_LINE_OPENER}"
    assert line.value not in legal_lines(
        make_unload_position(f"{plastic} -", lines=lines_with_opener), plastic
    )


def test_hatched_lines_are_closed() -> None:
    """Without the block no 3-point token can be unloaded; the others can (4.6.4, AC19)."""
    position = make_unload_position("pp,pet -", lines="R5:2pet R6:eva")
    assert not legal_lines(position, "pp")
    assert legal_lines(position, "pet")
    assert legal_lines(make_unload_position("pp -", lines=FILLED_LINE_OPENER), "pp")


def test_hatched_lines_open_inside_an_unload() -> None:
    """The lines open at once: 3-point tokens follow in the same action (AC20)."""
    position = act(make_unload_position("pp,eva -", lines="R5:2pet R6:eva"), "unload 1 eva R6")
    assert events(position, BlockFilled) == [BlockFilled(Seat(0), Block.LINE_OPENER)]
    assert act(position, "unload 1 pp H1").boards[0].tokens_on_line(FactoryLine.H1) == (Plastic.PP,)


def test_any_colours_open_the_hatched_lines() -> None:
    """Two tokens on each of the two bottom lines count, of whatever colours (4.6.4)."""
    assert make_unload_position("- -", lines="R5:2pet R6:2pet").boards[0].has_filled(Block.LINE_OPENER)
    assert not make_unload_position("- -", lines="R5:4pet R6:pet").boards[0].has_filled(Block.LINE_OPENER)


@pytest.mark.parametrize("block", Block)
def test_the_last_token_fills_its_block(block: Block) -> None:
    """A dice block brings a die beside the board and 5 points (4.6.3, AC12), the opening one does not."""
    lines, plastic, line = BLOCK_FILLING_UNLOADS[block]
    before = make_unload_position(f"{plastic} -", lines=lines)
    after = act(before, f"unload 1 {plastic} {line}")
    assert events(after, BlockFilled) == [BlockFilled(Seat(0), block)]
    brings_die = block is not Block.LINE_OPENER
    assert after.boards[0].spare_die_count - before.boards[0].spare_die_count == brings_die
    die_points = [score_lines(position.boards[0])[1].points for position in (before, after)]
    assert die_points[1] - die_points[0] == 5 * brings_die
    assert not before.boards[0].has_filled(block)


def test_a_block_at_the_right_end_needs_its_own_slots() -> None:
    """Two tokens on a line fill no slot of a block at its right end."""
    board = make_board("A2", "B2 B3", lines="R4:2pet R5:4eva")
    assert not board.has_filled(Block.DIE_3)
    assert make_board("A2", "B2 B3", lines="R4:4pet R5:4eva").has_filled(Block.DIE_3)


def test_gained_die_can_be_planned() -> None:
    """It lies beside the board until Plan brings it in (AC12)."""
    position = act(
        make_unload_position("pet -", lines="R3:pet R4:2eva"), "unload 1 pet R3", "end", "idle analyze"
    )
    assert position.to_act == Seat(0)
    after = act(position, "bring 1 3").boards[0]
    assert (sum(map(len, after.rows)), after.spare_die_count) == (6, 0)


@pytest.mark.parametrize("card", Card)
def test_full_line_flips_its_card(card: Card) -> None:
    """A full line of four upgrades the card of its logo, for good (4.6.5, 4.6.6, AC21)."""
    lines, plastic, line = CARD_FLIPPING_UNLOADS[card]
    before = make_unload_position(f"{plastic} -", lines=lines)
    after = act(before, f"unload 1 {plastic} {line}")
    assert events(after, CardFlipped) == [CardFlipped(Seat(0), card)]
    assert after.boards[0].upgraded_cards == (card,)
    assert before.boards[0].upgraded_cards == ()
    assert after.boards[0].columns == before.boards[0].columns


def test_an_unload_flipped_in_its_own_turn_keeps_its_strength() -> None:
    """Unload that flips in the middle keeps its strength until the turn ends (AC21, AC33)."""
    columns = "analyze unload load move plan"
    position = make_unload_position("2pet 2eva", lines="R5:3pet", columns=columns)
    position = act(position, "unload 1 pet R5", "unload 1 pet R1")
    assert legal_texts(position) == ["end"]
    position = act(position, "end")
    assert position.boards[0].columns[0] is Card.UNLOAD
    assert position.boards[0].strength(Card.UNLOAD) == 2


def test_rulebook_upgraded_move_doubles_its_strength() -> None:
    """Strength 5 gives ten moves (4.6.7)."""
    board = make_board("A2", "B2 B3", lines="R3:4pet", columns="analyze unload load plan move")
    assert board.strength(Card.MOVE) == 10


def test_flips_and_open_lines_bring_no_points() -> None:
    """Only tokens, dice and cargo count (AC22)."""
    board = make_board("A2", "B2 B3", lines="R5:4pet R6:2eva", cargo="pp -")
    assert [line.points for line in score_lines(board)] == [12, 0, 1]


def test_rulebook_gained_dice_bring_five_points_each() -> None:
    """Two gained dice bring 10 points, as in figure 19 (4.6.3)."""
    board = make_board("A2", "B2 B3", lines="R1:2pet R2:2eva R3:2pet R4:2hdpe R5:2ldpe R6:2pa6")
    assert board.gained_die_count == 2
    assert score_lines(board)[1].points == 10
    assert board.has_filled(Block.LINE_OPENER)


def test_processed_tokens_stay() -> None:
    """No action takes a token out of a factory (AC23)."""
    position = act(make_unload_position("pet -", lines="R1:2pet"), "unload 1 pet R1", "end", "idle analyze")
    for text in legal_texts(position):
        after = act(position, text)
        assert after.boards[0].processed_count >= position.boards[0].processed_count


def test_useless_tokens_stay_aboard() -> None:
    """Tokens without a line stay, others may be unloaded (AC19)."""
    position = make_unload_position("pp,pet -")
    assert {text.split()[2] for text in legal_texts(position, "unload")} == {"pet"}
    assert act(position, "unload 1 pet R1", "end").boards[0].cargo[0] == (Plastic.PP,)
