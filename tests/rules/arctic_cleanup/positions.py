"""Build any position of Arctic CleanUp in a line or two, and act on it in notation."""

import re
from collections.abc import Mapping

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.boards import sort_tokens
from rules.arctic_cleanup.components import Block, Card, FactoryLine, Hex, Plastic
from rules.arctic_cleanup.model import ArcticCleanUpOptions, Phase, PlayerBoard, Position, TurnOrder
from rules.model import Seat
from rules.notation import Notation
from tests.rules.state_driver import StateDriver

NAMES = ("Ava", "Ben", "Chloé", "Dimitri")
NOTATION = Notation(ARCTIC_CLEANUP)
SEAT_ORDER_OPTIONS = ArcticCleanUpOptions(turn_order=TurnOrder.SEATS)
USUAL_COLUMNS = "analyze unload load move plan"
"""The cards of columns 1 to 5."""
STRONG_UNLOAD_COLUMNS = "analyze load move plan unload"
STRONG_LOAD_COLUMNS = "analyze unload move plan load"
STRONG_ANALYZE_COLUMNS = "unload load move plan analyze"
"""The same with the named card in column 5, where it is strongest."""
_NOTHING = "-"
_DRIVER = StateDriver(ARCTIC_CLEANUP)
round_trip = _DRIVER.round_trip
legal_choices = _DRIVER.legal_choices
legal_texts = _DRIVER.legal_texts
act = _DRIVER.act
resolve_chance = _DRIVER.resolve_chance
resign_seat = _DRIVER.resign_seat
events = _DRIVER.events
trail_types = _DRIVER.trail_types


def parse_tokens(text: str) -> tuple[Plastic, ...]:
    """Return the tokens of a text such as "2pet,pp"; "-" is none."""
    if text in {"", _NOTHING}:
        return ()
    matches = [re.fullmatch(r"(\d?)(\w+)", each) for each in text.split(",")]
    return sort_tokens(Plastic(each[2]) for each in matches if each for _ in range(int(each[1] or 1)))


def make_board(
    factory: str,
    ships: str,
    *,
    cargo: str = "- -",
    rows: str = "111 11",
    spare_die_count: int = 0,
    lines: str = "",
    columns: str = USUAL_COLUMNS,
) -> PlayerBoard:
    """Build a seat's board: ships "B2 B3", cargo "2pet,pp -", rows "112 -", lines "R5:2pet R6:2hdpe"."""
    tokens_by_line = {
        FactoryLine(name): parse_tokens(tokens)
        for name, _, tokens in (s.partition(":") for s in lines.split())
    }
    first_ship, second_ship = ships.split()
    return PlayerBoard(
        columns=tuple(map(Card, columns.split())),
        factory=Hex(factory),
        ships=(Hex(first_ship), Hex(second_ship)),
        cargo=tuple(map(parse_tokens, cargo.split())),
        rows=tuple(tuple(map(int, row)) if row != _NOTHING else () for row in rows.split()),
        spare_die_count=spare_die_count,
        lines=tuple(tokens_by_line.get(line, ()) for line in FactoryLine),
    )


def make_other_board(*, cargo: str = "- -", lines: str = "", columns: str = USUAL_COLUMNS) -> PlayerBoard:
    """Build a second seat's board, in the east of the map for two."""
    return make_board("E2", "D2 D3", cargo=cargo, lines=lines, columns=columns)


def make_position(
    *boards: PlayerBoard,
    ocean: str = "D1:pet",
    bag: str = "",
    player: int = 0,
    round_number: int = 5,
    quiet_round_count: int = 0,
    last_round: int | None = None,
) -> Position:
    """Build a position at the start of ``player``'s turn; ``ocean``: "B2:2pet,pp C1:ps".

    One board alone gets another player's beside it.
    """
    boards = boards if len(boards) > 1 else (*boards, make_other_board())
    tokens_by_tile = {
        Hex(name): parse_tokens(text) for name, _, text in (s.partition(":") for s in ocean.split())
    }
    position = Position(
        options=ArcticCleanUpOptions(),
        phase=Phase.TURN,
        to_act=Seat(player),
        boards=boards,
        turn_order=tuple(map(Seat, range(len(boards)))),
        ocean=tuple(tokens_by_tile.get(place, ()) for place in Hex),
        bag=parse_tokens(bag),
        current_player=Seat(player),
        round=round_number,
        quiet_round_count=quiet_round_count,
        last_round=last_round,
    )
    return round_trip(position)


def play_idle_turns(position: Position, turn_count: int) -> Position:
    """Play so many turns without effect, with the card in column 1."""
    for _ in range(turn_count):
        assert position.current_player is not None
        card = position.boards[position.current_player].columns[0]
        position = act(position, f"idle {card.value}")
    return position


def tiles_with_tokens(position: Position) -> Mapping[Hex, tuple[Plastic, ...]]:
    """Return the tiles that hold tokens, with these tokens."""
    return {place: tokens for place, tokens in zip(Hex, position.ocean, strict=True) if tokens}


SAMPLE_POSITION = make_position(
    make_board("A2", "B2 B3", spare_die_count=1, cargo="pp,pet -", lines="R2:pet"),
    ocean="B2:2pet,pp B3:eva",
    bag="2pet,pp",
)
"""The first seat's turn: tokens at sea, aboard, in a line and in the bag, and a spare die."""


FIFTEEN_TOKENS = "R2:4pet R3:4eva R4:4hdpe R5:3ldpe"


def make_sixteenth_token_position(
    cargo: str = "ldpe -", lines: str = FIFTEEN_TOKENS, other_lines: str = ""
) -> Position:
    """Return the turn of a seat that can process its sixteenth token."""
    board = make_board("A2", "B2 B3", cargo=cargo, lines=lines, columns=STRONG_UNLOAD_COLUMNS)
    return make_position(board, make_other_board(lines=other_lines))


def make_losing_sixteenth_token_position() -> Position:
    """Return the turn of a seat whose sixteenth token, LDPE for R3, lets the other seat win."""
    lines = "R1:3pet R2:3eva R4:2hdpe R5:4pet R6:3pet"
    return make_sixteenth_token_position(
        lines=lines, other_lines="H1:3pp H2:4ps R1:2pet R2:2eva R5:2pet R6:2eva"
    )


FILLED_LINE_OPENER = "R5:2pet R6:2eva"
"""The lines that open the hatched ones, full."""


def make_unload_position(
    cargo: str, lines: str = "", ships: str = "B2 B3", columns: str = STRONG_UNLOAD_COLUMNS
) -> Position:
    """Return the start of a turn: ships with cargo, and Unload in column 5 unless ``columns`` differ."""
    return make_position(make_board("A2", ships, cargo=cargo, lines=lines, columns=columns))


BLOCK_FILLING_UNLOADS = {
    Block.LINE_OPENER: ("R5:2pet R6:eva", "eva", "R6"),
    Block.DIE_1: ("R3:pet R4:2eva", "pet", "R3"),
    Block.DIE_2: ("R1:2pet R2:eva", "eva", "R2"),
    Block.DIE_3: ("R4:4pet R5:3eva", "eva", "R5"),
    Block.DIE_4: ("R2:3pet R3:4eva", "pet", "R2"),
    Block.DIE_5: (f"{FILLED_LINE_OPENER} H1:pp H2:3ps", "pp", "H1"),
}
"""What fills each block: the lines before, the plastic of its last token, and the line where that goes."""
CARD_FLIPPING_UNLOADS = {
    Card.ANALYZE: (f"{FILLED_LINE_OPENER} H2:3pp", "pp", "H2"),
    Card.PLAN: ("R2:3pet", "pet", "R2"),
    Card.MOVE: ("R3:3pet", "pet", "R3"),
    Card.LOAD: ("R4:3pet", "pet", "R4"),
    Card.UNLOAD: ("R5:3pet", "pet", "R5"),
}
"""What flips each card: the lines before, the plastic of the token that fills one, and the line filled."""
