"""Refusals: why an action is not legal now and what to do instead."""

from typing import Final

from rules.arctic_cleanup.actions import (
    CARD_BY_OPERATION,
    Analyze,
    BringDie,
    EndTurn,
    LoadToken,
    PlaceFactory,
    PlaceShip,
    PlaceToken,
    PlayWithoutEffect,
    RotateDie,
    SailShip,
    ShiftDie,
    UnloadToken,
)
from rules.arctic_cleanup.boards import free_sites, is_docked, lines_accepting, ship_destination
from rules.arctic_cleanup.components import (
    FACES,
    HATCHED_POINTS,
    LINES,
    PLASTICS,
    ROWS,
    SHIP_CAPACITY,
    SHIPS,
    Block,
    Card,
    docks,
)
from rules.arctic_cleanup.legal import can_only_end_turn, cards_without_effect, ships_that_can_load
from rules.arctic_cleanup.model import ArcticCleanUpView, Phase, PlayerBoard, Position
from rules.arctic_cleanup.phrases import (
    CARD_NAMES,
    dice_text,
    die_text,
    line_text,
    operations_text,
    plastic_name,
    plastics_text,
)
from rules.model import Action, Names, Seat
from rules.text import counted, listed

_ALLOWED_TEXT: Final = "That is allowed."


def refusal(view: ArcticCleanUpView, action: Action, names: Names) -> str:
    """Return why an action is not legal for the viewer."""
    position, seat = view.position, view.viewer
    assert seat is not None
    reason = illegal_type_reason(view, type(action), names)
    return reason or _operation_refusal(position, position.boards[seat], action)


def illegal_type_reason(view: ArcticCleanUpView, action_type: type[Action], names: Names) -> str:
    """Return why no action of a type is legal: what is asked instead; empty if that depends on the board."""
    position, seat = view.position, view.viewer
    assert seat is not None
    match position.phase:
        case Phase.FACTORY:
            return _factory_placement_refusal(position)
        case Phase.SHIPS:
            return _ship_placement_refusal(position, seat)
        case _:
            return _turn_refusal(position, action_type)


def _factory_placement_refusal(position: Position) -> str:
    return f"Your factory needs a free site: {listed([site.value for site in free_sites(position)], 'or')}."


def _ship_placement_refusal(position: Position, seat: Seat) -> str:
    board = position.boards[seat]
    assert board.factory is not None
    dock_names = [place.value for place in docks(len(position.boards), board.factory)]
    return f"Ship {board.next_ship} needs a tile that touches your factory: {listed(dock_names, 'or')}."


def _turn_refusal(position: Position, action_type: type[Action]) -> str:
    """Return the refusal of a type of action that is not possible at all in a turn; else empty."""
    played = position.played_card
    if position.drawn_tokens:
        return f"First place the tokens that you drew: {plastics_text(position.drawn_tokens)}."
    if action_type in {PlaceFactory, PlaceShip}:
        return f"Factories and ships are placed before the first turn. {_advice(position)}"
    if action_type is PlaceToken:
        return f"You have no drawn token to place. {_advice(position)}"
    if action_type is EndTurn:
        return "Play a card first. You may also play one without effect."
    if played is None:
        return ""
    if action_type is PlayWithoutEffect or CARD_BY_OPERATION.get(action_type) is not played.card:
        return f"You play {CARD_NAMES[played.card]} in this turn. {_advice(position)}"
    if not played.operations_left:
        return f"{CARD_NAMES[played.card]} is used up. End your turn."
    return ""


def _advice(position: Position) -> str:
    """Return what is to be done in a turn without drawn tokens."""
    played = position.played_card
    if played is None:
        return "Play a card."
    if can_only_end_turn(position):
        return "End your turn."
    return f"Go on with {CARD_NAMES[played.card]}, or end your turn."


def _operation_refusal(position: Position, board: PlayerBoard, action: Action) -> str:
    match action:
        case RotateDie() | ShiftDie() | BringDie():
            return _plan_refusal(board, action)
        case SailShip():
            return _sail_refusal(position, board, action)
        case LoadToken():
            return _load_refusal(position, board, action)
        case Analyze(count=count):
            return _analyze_refusal(position, board, count)
        case UnloadToken():
            return _unload_refusal(position, board, action)
        case _:
            return _ALLOWED_TEXT


def _plan_refusal(board: PlayerBoard, action: RotateDie | ShiftDie | BringDie) -> str:
    if action.row not in ROWS:
        return "Row 1 belongs to ship 1, row 2 to ship 2. Name one of them."
    if isinstance(action, BringDie):
        if action.face not in FACES:
            return "A die shows a number from 1 to 6."
        return (
            _ALLOWED_TEXT
            if board.spare_die_count
            else "No die lies beside your board. Change one of the rows."
        )
    row = board.rows[action.row - 1]
    if action.face not in row:
        return f"Ship {action.row} has no such die. It has {dice_text(row)}."
    if isinstance(action, RotateDie) and (action.to not in FACES or action.to == action.face):
        return "Turn the die to another number from 1 to 6."
    return _ALLOWED_TEXT


def _sail_refusal(position: Position, board: PlayerBoard, action: SailShip) -> str:
    if action.ship not in SHIPS:
        return "You have ships 1 and 2. Name one of them."
    row = board.rows[action.ship - 1]
    if action.face not in row:
        return f"Ship {action.ship} has no such die. It has {dice_text(row)}."
    if ship_destination(position, board, action.ship, action.face) is None:
        return f"{die_text(action.face)} leads off the ocean. {_voyage_alternative_text(position)}"
    return _ALLOWED_TEXT


def _voyage_alternative_text(position: Position) -> str:
    """Return what can be done instead of a voyage off the ocean."""
    if position.played_card is not None:
        return _advice(position)
    return "Plan first." if Card.MOVE in cards_without_effect(position) else "Use another die, or plan first."


def _load_refusal(position: Position, board: PlayerBoard, action: LoadToken) -> str:
    advice = _load_advice(position, board, action)
    if action.ship not in SHIPS:
        return f"You have ships 1 and 2. {advice or 'Name one of them.'}"
    place, aboard = board.ships[action.ship - 1], board.cargo[action.ship - 1]
    if place is None or action.plastic not in position.tokens_on(place):
        tokens_text = plastics_text(position.tokens_on(place)) if place is not None else ""
        tile_text = f"Its tile holds {tokens_text}." if tokens_text else "Its tile is empty."
        reason = f"There is no {plastic_name(action.plastic)} beside ship {action.ship}. {tile_text}"
        return f"{reason} {advice}".strip()
    if len(aboard) == SHIP_CAPACITY:
        return f"Ship {action.ship} is full: {counted(SHIP_CAPACITY, 'token')} at most. {advice}".strip()
    return "Both ships would be full of tokens that no line takes. Leave one space free."


def _load_advice(position: Position, board: PlayerBoard, action: LoadToken) -> str:
    """Return how to load this plastic; empty if no ship can.

    Whoever types "load 2 PMMA" may mean two tokens.
    """
    ships = ships_that_can_load(position, board, action.plastic)
    if not ships:
        return ""
    several_text = " Join several moves with `;`." if action.ship > 1 else ""
    example = f"`load {ships[0]} {plastic_name(action.plastic)}`"
    return f"The number is that of the ship: you can type {example}.{several_text}"


def _analyze_refusal(position: Position, board: PlayerBoard, count: int) -> str:
    max_count = min(board.strength(Card.ANALYZE), len(position.bag))
    if not max_count:
        return "The bag is empty. Play another card."
    if not 1 <= count <= max_count:
        return f"You can draw up to {operations_text(Card.ANALYZE, max_count)}."
    return _ALLOWED_TEXT


def _unload_refusal(position: Position, board: PlayerBoard, action: UnloadToken) -> str:
    ship, plastic, line = action.ship, action.plastic, action.line
    if ship not in SHIPS:
        return "You have ships 1 and 2. Name one of them."
    if plastic not in board.cargo[ship - 1]:
        aboard_text = plastics_text(board.cargo[ship - 1])
        if not aboard_text:
            return f"Ship {ship} carries nothing. {_advice(position)}"
        return f"Ship {ship} carries {aboard_text}. Name a token that is aboard."
    if not is_docked(board, ship):
        instead = "Sail there first." if position.played_card is None else _advice(position)
        return f"Ship {ship} does not touch your factory. {instead}"
    hatched = PLASTICS[plastic].points == HATCHED_POINTS
    if hatched and not board.has_filled(Block.LINE_OPENER):
        return "The hatched lines are closed: first process two tokens on R5 and two on R6."
    if LINES[line].hatched is not hatched:
        kind = "hatched lines, H1 and H2" if hatched else "plain lines, R1 to R6"
        return f"{plastic_name(plastic)} goes on {kind}."
    lines_text = listed([each.value for each in lines_accepting(board, plastic)], "or")
    instead = f"Choose {lines_text}." if lines_text else "No other line takes it now."
    return f"{line_text(board, line)} does not take {plastic_name(plastic)}. {instead}"
