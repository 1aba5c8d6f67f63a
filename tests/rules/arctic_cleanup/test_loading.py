"""Load and Analyze."""

from collections import Counter

import pytest

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.components import Hex, Plastic
from rules.arctic_cleanup.events import TokenPlaced, TokensDrawn
from rules.arctic_cleanup.model import Phase, Position
from rules.model import CHANCE, Seat
from rules.random_stream import RandomStream
from tests.rules.arctic_cleanup.positions import (
    STRONG_ANALYZE_COLUMNS,
    STRONG_LOAD_COLUMNS,
    act,
    events,
    legal_texts,
    make_board,
    make_position,
    parse_tokens,
    resolve_chance,
    tiles_with_tokens,
)


def test_rulebook_load_at_strength_five() -> None:
    """Figures 14 and 15: three tokens on ship 1 and two on ship 2 with strength 5 (4.4.5, AC37)."""
    board = make_board("A2", "B2 B3", columns=STRONG_LOAD_COLUMNS)
    position = make_position(board, ocean="B2:pet,pp,eva B3:2hdpe D1:pet")
    position = act(position, "load 1 pet", "load 1 pp", "load 1 eva", "load 2 hdpe", "load 2 hdpe")
    assert position.boards[0].cargo == (parse_tokens("eva,pet,pp"), parse_tokens("2hdpe"))
    assert tiles_with_tokens(position) == {Hex.D1: (Plastic.PET,)}
    assert legal_texts(position) == ["end"]


def test_rulebook_load_from_the_own_tile() -> None:
    """A token must lie on the ship's tile (4.4.2)."""
    position = make_position(make_board("A2", "B2 B4"), ocean="B2:pet B3:eva D1:pp")
    assert legal_texts(position, "load") == ["load 1 pet"]


def test_rulebook_a_full_ship_takes_no_more() -> None:
    """A ship with four tokens takes no more; nothing goes back to the sea (4.4.3, AC15)."""
    board = make_board("A2", "B2 B3", cargo="3pet -", columns=STRONG_LOAD_COLUMNS)
    position = act(make_position(board, ocean="B2:2pet"), "load 1 pet")
    assert legal_texts(position) == ["end"]
    position = act(position, "end")
    assert len(position.boards[0].cargo[0]) == 4
    assert tiles_with_tokens(position) == {Hex.B2: (Plastic.PET,)}


NEARLY_LOCKED_CARGO = "4pp 3ps"
"""One more token that no line takes, and both ships are full of such tokens."""


@pytest.mark.parametrize(
    ("cargo", "lines", "ocean", "offered_plastics"),
    [
        (NEARLY_LOCKED_CARGO, "", "B3:pp,pet", ["pet"]),  # the last space is for a plain token
        (NEARLY_LOCKED_CARGO, "", "B3:pp", []),
        (NEARLY_LOCKED_CARGO, "R5:2pet R6:2eva", "B3:pp", ["pp"]),  # the hatched lines are open
        (NEARLY_LOCKED_CARGO, "R5:2pet R6:2eva H1:2pp H2:2pp", "B3:pp", ["pp"]),
        (NEARLY_LOCKED_CARGO, "R5:2pet R6:2eva H1:3pp H2:4pp", "B3:ps", []),  # and full
        ("4pp 2ps", "", "B3:pp", ["pp"]),  # seven useless tokens and a free space
        ("- 3pp", "", "B3:pp", ["pp"]),  # one ship full of useless tokens
        (
            NEARLY_LOCKED_CARGO,
            "R1:hdpe R2:ldpe R3:eva R4:pmma R5:pa6 R6:hdpe",
            "B3:pet",
            [],
        ),  # no line for PET
        (NEARLY_LOCKED_CARGO, "R1:hdpe R2:ldpe R3:eva R4:pmma R5:pa6 R6:hdpe", "B3:eva", ["eva"]),
        ("3pp,pet 3ps", "", "B3:pp", ["pp"]),  # one token aboard can still be processed
    ],
)
def test_both_ships_are_never_full_of_useless_tokens(
    cargo: str, lines: str, ocean: str, offered_plastics: list[str]
) -> None:
    """Both ships are never full of tokens that no line takes (4.4.3, AC16)."""
    board = make_board("A2", "B2 B3", cargo=cargo, lines=lines)
    texts = legal_texts(make_position(board, ocean=ocean), "load")
    assert texts == [f"load 2 {plastic}" for plastic in offered_plastics]


def test_tokens_belong_to_nobody() -> None:
    """One may load beside other ships and foreign factories (AC31)."""
    board = make_board("A2", "D2 B3")
    position = make_position(board, ocean="D2:pet")
    assert act(position, "load 1 pet").boards[0].cargo[0] == (Plastic.PET,)


def test_both_ships_on_one_tile() -> None:
    """The player splits the tokens of the tile between the ships (AC18)."""
    board = make_board("A2", "B2 B2", columns=STRONG_LOAD_COLUMNS)
    position = make_position(board, ocean="B2:2pet,eva")
    assert legal_texts(position, "load") == ["load 1 eva", "load 1 pet", "load 2 eva", "load 2 pet"]
    after = act(position, "load 1 pet", "load 2 pet", "load 1 eva").boards[0]
    assert after.cargo == (parse_tokens("eva,pet"), (Plastic.PET,))


# Analyze ---------------------------------------------------------------------------------------------


def make_analyze_position(ships: str = "B2 B3", bag: str = "3pet,3pp,2eva") -> Position:
    """Return the start of a turn with Analyze in column 5."""
    return make_position(make_board("A2", ships, columns=STRONG_ANALYZE_COLUMNS), bag=bag, ocean="B2:ps")


def test_analyze_draws_then_asks() -> None:
    """The player says how many, sees them, and puts each on the tile of a ship (4.5, AC17)."""
    position = act(make_analyze_position(), "analyze 3")
    assert (position.phase, position.to_act) == (Phase.DRAW, CHANCE)
    position = act(position, "draw pet,pp,pp")
    assert position.drawn_tokens == parse_tokens("pet,2pp")
    assert legal_texts(position) == ["place pet 1", "place pet 2", "place pp 1", "place pp 2"]
    position = act(position, "place pp 1", "place pet 1", "place pp 1")
    assert tiles_with_tokens(position) == {Hex.B2: parse_tokens("pet,2pp,ps")}
    assert position.bag == parse_tokens("2pet,pp,2eva")
    assert legal_texts(position) == ["end"]


def test_drawn_tokens_must_be_placed() -> None:
    """A turn cannot end before all drawn tokens are placed (AC17)."""
    position = act(make_analyze_position(), "analyze 2", "draw eva,pet", "place eva 2")
    assert "end" not in legal_texts(position)
    assert legal_texts(position) == ["place pet 1", "place pet 2"]


def test_analyze_up_to_the_strength_or_the_bag() -> None:
    """Any number up to the strength and what the bag holds (AC14, AC17)."""
    assert legal_texts(make_analyze_position(), "analyze") == [f"analyze {count}" for count in range(1, 6)]
    assert legal_texts(make_analyze_position(bag="2pet"), "analyze") == ["analyze 1", "analyze 2"]
    assert not legal_texts(make_analyze_position(bag=""), "analyze")
    assert "idle analyze" in legal_texts(make_analyze_position(bag=""))


def test_one_draw_a_turn() -> None:
    """After the tokens are placed only the end is left (AC17)."""
    position = act(make_analyze_position(), "analyze 1", "draw pp", "place pp 2")
    assert legal_texts(position) == ["end"]


@pytest.mark.parametrize(("bag", "count"), [("2pet,pp", 3), ("4pet", 2)])
def test_certain_draws_need_no_chance(bag: str, count: int) -> None:
    """Where the draw is certain it is made at once."""
    position = act(make_analyze_position(bag=bag), f"analyze {count}")
    assert position.phase is Phase.TURN
    assert len(position.drawn_tokens) == count


def test_drawing_is_blind() -> None:
    """Chance draws each kind of token that the bag holds, and no other (AC29)."""
    position = act(make_analyze_position(), "analyze 1")
    drawn = Counter(
        ARCTIC_CLEANUP.apply_action(
            position, ARCTIC_CLEANUP.sample_chance(position, RandomStream(bytes(32), n))
        ).drawn_tokens
        for n in range(80)
    )
    assert set(drawn) == {(Plastic.PET,), (Plastic.PP,), (Plastic.EVA,)}


def test_analyze_with_ships_on_one_tile() -> None:
    """The tokens go there without a question (AC18)."""
    position = act(make_analyze_position(ships="B2 B2"), "analyze 2", "draw eva,pet")
    assert tiles_with_tokens(position) == {Hex.B2: parse_tokens("eva,pet,ps")}
    assert legal_texts(position) == ["end"]
    assert len(events(position, TokenPlaced)) == 2
    assert events(position, TokensDrawn)


def test_anybody_loads_what_was_found() -> None:
    """Tokens on a tile are for everybody (AC17)."""
    boards = make_board("A2", "B2 B3", columns=STRONG_ANALYZE_COLUMNS), make_board("E2", "B2 D3")
    position = make_position(*boards, bag="2pet", ocean="C1:pp")
    position = resolve_chance(act(position, "analyze 1"))
    position = act(position, "place pet 1", "end")
    assert position.to_act == Seat(1)
    assert act(position, "load 1 pet").boards[1].cargo[0] == (Plastic.PET,)
