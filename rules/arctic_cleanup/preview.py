"""Previews: what a legal action would bring."""

from rules.arctic_cleanup import turn
from rules.arctic_cleanup.actions import (
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
from rules.arctic_cleanup.boards import is_docked, lines_accepting, row_without, ship_destination
from rules.arctic_cleanup.components import LINES, SHIP_CAPACITY, Card, docks
from rules.arctic_cleanup.ending import is_last_turn
from rules.arctic_cleanup.events import BlockFilled, CardFlipped
from rules.arctic_cleanup.model import ArcticCleanUpView, PlayerBoard, Position
from rules.arctic_cleanup.operation_limits import usable_operations_left
from rules.arctic_cleanup.phrases import (
    BLOCK_EFFECT_TEXTS,
    CARD_NAMES,
    dice_text,
    no_line_text,
    operations_text,
    plastic_name,
    plastics_text,
)
from rules.arctic_cleanup.sea_routes import faces_without_step, route_ends_with_die
from rules.model import Action, Names, Seat
from rules.text import capitalized, counted, listed


def preview(view: ArcticCleanUpView, action: Action, names: Names) -> str | None:
    """Return what a legal action would do."""
    position, seat = view.position, view.viewer
    assert seat is not None
    match action:
        case PlaceFactory(place=place):
            dock_names = [dock.value for dock in docks(len(position.boards), place)]
            return f"Your ships unload from {listed(dock_names)}."
        case PlaceShip(place=place):
            return f"On this tile: {plastics_text(position.tokens_on(place))}."
        case PlaceToken(plastic=plastic, ship=ship):
            return f"{plastic_name(plastic)} goes to the tile of ship {ship}. Everybody may load it."
        case Analyze(count=count):
            return f"You draw {counted(count, 'token')} from the bag."
        case PlayWithoutEffect(card=card):
            return f"{_first_column_text(position.boards[seat], card)} without any effect. Your turn ends."
        case EndTurn():
            return _end_text(position, position.boards[seat])
        case _:
            return _operation_text(position, seat, action)


def short_preview(view: ArcticCleanUpView, action: Action, names: Names) -> str:
    """Return what an operation leads to, in a few words."""
    position = view.position
    assert view.viewer is not None
    board = position.boards[view.viewer]
    match action:
        case SailShip(ship=ship, face=face):
            tile = ship_destination(position, board, ship, face)
            return "" if tile is None else plastics_text(position.tokens_on(tile)) or "no tokens there"
        case RotateDie(row=row, face=face, to=new_face):
            other_dice = row_without(board.rows[row - 1], face)
            return _step_with_die_text(position, board, row, new_face, other_dice)
        case BringDie(row=row, face=face):
            return _step_with_die_text(position, board, row, face, board.rows[row - 1])
        case ShiftDie(row=old_row, face=face):
            return _step_with_die_text(position, board, 3 - old_row, face, board.rows[2 - old_row])
        case _:
            return ""


def _step_with_die_text(
    position: Position, board: PlayerBoard, ship: int, face: int, other_dice: tuple[int, ...]
) -> str:
    """Return where a ship's route ends with a changed die, and what is there; else that it is useless."""
    place = board.ships[ship - 1]
    assert place is not None
    if face in faces_without_step(len(position.boards), place, other_dice):
        later_text = ", nor after its other dice" if other_dice else ""
        return f"no tile that way from where ship {ship} is{later_text}"
    ends = route_ends_with_die(len(position.boards), place, other_dice, face)
    end = ends.with_die
    opening = f"route to {end.value}"
    if end is not ends.planned:
        opening = f"route to {ends.planned.value} as before, or with it to {end.value}"
    return f"{opening}: {plastics_text(position.tokens_on(end)) or 'no tokens there'}"


def _end_text(position: Position, board: PlayerBoard) -> str:
    played = position.played_card
    assert played is not None
    left = usable_operations_left(position)
    unused_text = f" {capitalized(operations_text(played.card, left))} left unused." if left else ""
    return f"{_first_column_text(board, played.card)}.{unused_text}"


def _first_column_text(board: PlayerBoard, card: Card) -> str:
    """Return where a played card goes: "Plan goes to column 1", "Analyze stays in column 1"."""
    verb = "stays in" if board.columns[0] is card else "goes to"
    return f"{CARD_NAMES[card]} {verb} column 1"


def _operation_text(position: Position, seat: Seat, action: Action) -> str | None:
    match action:
        case RotateDie() | ShiftDie() | BringDie():
            rows = turn.apply_operation(position, action).boards[seat].rows
            return f"Ship 1 then has {dice_text(rows[0])}. Ship 2 has {dice_text(rows[1])}."
        case SailShip():
            return _sailing_text(position, seat, action)
        case LoadToken():
            return _loading_text(position, seat, action)
        case UnloadToken():
            return _unloading_text(position, seat, action)
        case _:
            return None


def _sailing_text(position: Position, seat: Seat, action: SailShip) -> str:
    board_after = turn.apply_operation(position, action).boards[seat]
    place = board_after.ships[action.ship - 1]
    assert place is not None
    tokens_text = plastics_text(position.tokens_on(place)) or "no tokens"
    dock_text = " It can unload there." if is_docked(board_after, action.ship) else ""
    dice_left_text = dice_text(board_after.rows[action.ship - 1])
    sailing_text = f"Ship {action.ship} sails to {place.value} ({tokens_text})."
    return f"{sailing_text}{dock_text} Its dice are then: {dice_left_text}."


def _loading_text(position: Position, seat: Seat, action: LoadToken) -> str:
    board_after = turn.apply_operation(position, action).boards[seat]
    aboard = board_after.cargo[action.ship - 1]
    lines = lines_accepting(board_after, action.plastic)
    line_names = [line.value for line in lines if board_after.tokens_on_line(line)]
    if len(line_names) < len(lines):
        line_names.append("an empty line")
    fit_text = no_line_text(board_after, action.plastic) or f"It fits {listed(line_names, 'or')}."
    return f"{fit_text} Ship {action.ship} then carries {len(aboard)} of {SHIP_CAPACITY}."


def _unloading_text(position: Position, seat: Seat, action: UnloadToken) -> str:
    after = turn.apply_operation(position, action)
    board, line = after.boards[seat], action.line
    sentences = [f"{line.value} then has {len(board.tokens_on_line(line))} of {LINES[line].slot_count}."]
    for event in after.trail:
        match event:
            case BlockFilled(block=block):
                sentences.append(f"A block is full: it {BLOCK_EFFECT_TEXTS[block]}.")
            case CardFlipped(card=card) if not is_last_turn(after):
                sentences.append(f"{CARD_NAMES[card]} has double strength from the next turn on.")
    sentences.append(f"Your factory then holds {counted(board.processed_count, 'token')}.")
    return " ".join(sentences)
