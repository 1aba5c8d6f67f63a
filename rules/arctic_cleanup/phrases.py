"""Plastics, dice, cards, operations and lines as words in sentences."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from rules.arctic_cleanup.boards import lines_accepting
from rules.arctic_cleanup.components import (
    DIE_POINTS,
    HATCHED_POINTS,
    LINES,
    PLASTICS,
    Block,
    Card,
    FactoryLine,
    Hex,
    Plastic,
)
from rules.arctic_cleanup.model import PlayerBoard, Position
from rules.arctic_cleanup.operation_limits import max_operation_count
from rules.text import counted, listed

ARROWS: Final[Mapping[int, str]] = {1: "↑", 2: "↗", 3: "↘", 4: "↓", 5: "↙", 6: "↖"}
"""Where a die's face leads, as on the wind rose."""
DIRECTION_NAMES: Final[Mapping[int, str]] = {
    1: "up",
    2: "up right",
    3: "down right",
    4: "down",
    5: "down left",
    6: "up left",
}
"""Where a die's face leads, in words."""

CARD_NAMES: Final[Mapping[Card, str]] = {
    Card.PLAN: "Plan",
    Card.MOVE: "Move",
    Card.LOAD: "Load",
    Card.ANALYZE: "Analyze",
    Card.UNLOAD: "Unload",
}
_OPERATION_NOUNS: Final[Mapping[Card, str]] = {
    Card.PLAN: "change",
    Card.MOVE: "step",
    Card.LOAD: "token",
    Card.ANALYZE: "token",
    Card.UNLOAD: "token",
}
_OPERATION_VERBS: Final[Mapping[Card, str]] = {
    Card.PLAN: "make",
    Card.MOVE: "sail",
    Card.LOAD: "load",
    Card.ANALYZE: "draw",
    Card.UNLOAD: "process",
}
BLOCK_EFFECT_TEXTS: Final[Mapping[Block, str]] = {
    Block.LINE_OPENER: "opens the hatched lines",
    **{block: f"brings a die and {DIE_POINTS} points" for block in Block if block is not Block.LINE_OPENER},
}


def plastic_name(plastic: Plastic) -> str:
    """Return a plastic's name: "HDPE"."""
    return plastic.name


def plastics_text(plastics: Iterable[Plastic]) -> str:
    """Return tokens as people count them: "2 HDPE and PET"."""
    counts = Counter(plastics)
    return listed(
        [
            plastic_name(plastic) if counts[plastic] == 1 else f"{counts[plastic]} {plastic_name(plastic)}"
            for plastic in PLASTICS
            if counts[plastic]
        ]
    )


def die_text(face: int) -> str:
    """Return a die's face, its number and where it leads: "2 ↗"."""
    return f"{face} {ARROWS[face]}"


def dice_text(faces: Iterable[int]) -> str:
    """Return the dice of a row, with the numbers of typed moves: "1 ↑, 1 ↑ and 2 ↗"."""
    return listed([die_text(face) for face in faces]) or "no dice"


def steps_text(steps: Mapping[int, Hex]) -> str:
    """Return where dice lead: "1 ↑ B1, 2 ↗ C2"."""
    return ", ".join(f"{die_text(face)} {end.value}" for face, end in steps.items())


def operations_text(card: Card, count: int) -> str:
    """Return a number of a card's operations: "three steps"."""
    return counted(count, _OPERATION_NOUNS[card])


def more_operations_text(position: Position, board: PlayerBoard, card: Card, operations_left: int) -> str:
    """Return what the card that is being played still allows: "load up to two more tokens"."""
    count = max_operation_count(position, board, card, operations_left)
    more_text = counted(count, f"more {_OPERATION_NOUNS[card]}")
    return f"{_OPERATION_VERBS[card]} {'up to ' if count > 1 else ''}{more_text}"


def card_with_strength_text(board: PlayerBoard, card: Card) -> str:
    """Return a card with its strength now: "Load (3)"."""
    return f"{CARD_NAMES[card]} ({board.strength(card)})"


def max_operations_text(position: Position, board: PlayerBoard, card: Card) -> str:
    """Return what a card can do now: "up to three steps"."""
    count = max_operation_count(position, board, card, board.strength(card))
    return f"{'up to ' if count > 1 else ''}{operations_text(card, count)}"


def line_text(board: PlayerBoard, line: FactoryLine) -> str:
    """Return a line with what is on it: "R5 (PET, 2 of 4)"."""
    tokens, facts = board.tokens_on_line(line), LINES[line]
    if not tokens:
        return f"{line.value} (empty)"
    return f"{line.value} ({plastic_name(tokens[0])}, {len(tokens)} of {facts.slot_count})"


def no_line_text(board: PlayerBoard, plastic: Plastic) -> str:
    """Return that no line takes a plastic, and until when: "No line takes PS."; empty if one does."""
    if lines_accepting(board, plastic):
        return ""
    if PLASTICS[plastic].points == HATCHED_POINTS and not board.has_filled(Block.LINE_OPENER):
        return f"No line takes {plastic_name(plastic)} until R5 and R6 hold two tokens each."
    return f"No line takes {plastic_name(plastic)}."


def cards_text(board: PlayerBoard) -> str:
    """Return the cards by column: "1 Analyze, 2 Unload (double), ..."."""
    return ", ".join(
        f"{column} {CARD_NAMES[card]}{' (double)' if card in board.upgraded_cards else ''}"
        for column, card in enumerate(board.columns, 1)
    )
