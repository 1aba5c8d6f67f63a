"""The path to each action in the panel: the card, then one press for each operation."""

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
from rules.arctic_cleanup.boards import plastics_without_line, row_without, ship_destination
from rules.arctic_cleanup.components import FACES, LINES, SHIPS, Card, Hex
from rules.arctic_cleanup.legal import can_load_on_both_ships, can_only_end_turn, count_unload_actions
from rules.arctic_cleanup.model import ArcticCleanUpView, PlayerBoard, Position
from rules.arctic_cleanup.operation_limits import usable_operations_left
from rules.arctic_cleanup.phrases import (
    ARROWS,
    CARD_NAMES,
    card_with_strength_text,
    max_operations_text,
    plastic_name,
    plastics_text,
)
from rules.arctic_cleanup.sea_routes import faces_without_step, route_ends_with_die
from rules.model import Action, Names
from rules.text import capitalized, counted_in_digits, listed
from rules.words import PathStep

_CARD_QUESTION: Final = "Which card do you play?"
_NO_STEP: Final = " (no step)"
_NO_STEP_ORDER: Final = 3
"""The ``PathStep.order`` of dice that allow no step: after the choices for either ship."""
_END_ORDER: Final = 4
"""The ``PathStep.order`` of what ends a turn: after all operations."""
_MAX_UNLOADS_BESIDE_CARDS: Final = 4
"""The most ways to process a token that have buttons among the cards: more push the picture off a phone."""
_OPERATION_QUESTIONS: Final = {
    Card.PLAN: "Which die do you change, and where does the route then end?",
    Card.MOVE: "Which ship sails, and where?",
    Card.LOAD: "What do you load?",
    Card.ANALYZE: "How many tokens do you draw?",
    Card.UNLOAD: "What do you process, and on which line?",
}


def path(view: ArcticCleanUpView, action: Action, names: Names) -> tuple[PathStep, ...]:
    """Return the steps to a legal action."""
    position, seat = view.position, view.viewer
    assert seat is not None
    board = position.boards[seat]
    match action:
        case PlaceFactory(place=place):
            question, order = "Where do you build your factory?", list(Hex).index(place)  # as on the map
            return (PathStep(place.value, place.value, question, order=order),)
        case PlaceShip(place=place):
            label = f"{place.value}: {plastics_text(position.tokens_on(place))}"
            return (PathStep(place.value, label, f"Where does ship {board.next_ship} start?"),)
        case PlaceToken(plastic=plastic, ship=ship):
            target = board.ships[ship - 1]
            label = f"{plastic_name(plastic)} to {'' if target is None else target.value}"
            return (PathStep(f"{plastic.value}-{ship}", label, "Which token goes where?", row=plastic.value),)
        case EndTurn():
            return (
                PathStep(
                    "end", _end_label(view), _end_question(view.position, board), row="end", order=_END_ORDER
                ),
            )
        case PlayWithoutEffect(card=card):
            return (
                PathStep(
                    "idle",
                    "Play a card without effect",
                    _CARD_QUESTION,
                    row="idle",
                    collapsed=True,
                    order=_END_ORDER,
                ),
                PathStep(card.value, CARD_NAMES[card], "Which card do you play without effect?"),
            )
        case _:
            steps = _operation_steps(view, board, action)
            card = CARD_BY_OPERATION[type(action)]
            if position.played_card is not None:
                return steps
            return (_card_step(position, board, card), *steps)


def _end_label(view: ArcticCleanUpView) -> str:
    """Return "End turn", with the operations still possible: no preview is shown before it is played."""
    possible_count = usable_operations_left(view.position)
    return f"End turn, {possible_count} more possible" if possible_count else "End turn"


def _end_question(position: Position, board: PlayerBoard) -> str:
    """Return the question above "End turn": that of the card's operations while one is still legal."""
    played = position.played_card
    assert played is not None
    if can_only_end_turn(position):
        return f"{CARD_NAMES[played.card]} is done. End your turn?"
    return _operation_question(position, board, played.card)


def _operation_question(position: Position, board: PlayerBoard, card: Card) -> str:
    """Return the question of a card's next operation; before its first, how many there may be.

    That of Unload names the plastics at the factory that no line takes.
    """
    texts = []
    if position.played_card is None and card is not Card.ANALYZE:  # whose choices are the numbers of tokens
        texts.append(f"{capitalized(max_operations_text(position, board, card))}.")
    if card is Card.UNLOAD and (stuck := plastics_without_line(board)):
        names = [plastic_name(plastic) for plastic in stuck]
        texts.append(f"No line takes {listed(names, 'or')} now.")
    return " ".join((*texts, _OPERATION_QUESTIONS[card]))


def _card_step(position: Position, board: PlayerBoard, card: Card) -> PathStep:
    return PathStep(
        card.value,
        card_with_strength_text(board, card),
        _CARD_QUESTION,
        row=card.value,
        hint=max_operations_text(position, board, card),
        collapsed=card in {Card.PLAN, Card.ANALYZE}
        or (card is Card.UNLOAD and count_unload_actions(board) > _MAX_UNLOADS_BESIDE_CARDS),
    )


def _operation_steps(view: ArcticCleanUpView, board: PlayerBoard, action: Action) -> tuple[PathStep, ...]:
    question = _operation_question(view.position, board, CARD_BY_OPERATION[type(action)])
    match action:
        case RotateDie(row=ship, face=face):
            return (_die_step(ship, face, question), *_rotation_steps(view.position, board, action))
        case ShiftDie(row=ship, face=face):
            row_step = PathStep("shift", f"to ship {3 - ship}", _face_question(ship, face))
            return (_die_step(ship, face, question), row_step)
        case BringDie(row=ship, face=face):
            route_end_text = _route_end_text(view.position, board, ship, face, board.rows[ship - 1])
            label = f"Ship {ship}: new {ARROWS[face]}{route_end_text}"
            step = PathStep(f"new-{ship}-{face}", label, question, row=f"new-{ship}", order=ship)
            if route_end_text == _NO_STEP:
                return _collapse_useless_die(view.position, board, step)
            return (step,)
        case SailShip(ship=ship, face=face):
            end = ship_destination(view.position, board, ship, face)
            assert end is not None
            label = f"ship {ship} {ARROWS[face]} {end.value}"
            if view.position.played_card is not None:  # else it follows the card's name
                label = capitalized(label)
            return (PathStep(f"{ship}-{face}", label, question, row=f"ship-{ship}"),)
        case LoadToken(ship=ship, plastic=plastic):
            ship_text = f" on ship {ship}" if can_load_on_both_ships(view.position, board) else ""
            label = f"{plastic_name(plastic)}{ship_text}"
            return (PathStep(f"{ship}-{plastic.value}", label, question, row=f"ship-{ship}"),)
        case Analyze(count=count):
            return (PathStep(str(count), f"draw {counted_in_digits(count, 'token')}", question),)
        case UnloadToken(ship=ship, plastic=plastic, line=line):
            on_both_ships = plastic in board.cargo[0] and plastic in board.cargo[1]
            ship_text = f" (ship {ship})" if on_both_ships else ""
            filled_count = len(board.tokens_on_line(line))
            slots_text = f" (now {filled_count}/{LINES[line].slot_count})" if filled_count else ""
            label = f"{plastic_name(plastic)}{ship_text} on {line.value}{slots_text}"
            return (PathStep(f"{ship}-{plastic.value}-{line.value}", label, question, row="unload"),)
        case _:
            raise AssertionError(action)


def _rotation_steps(position: Position, board: PlayerBoard, action: RotateDie) -> tuple[PathStep, ...]:
    """Return the steps behind that of a planned die to its new face.

    Several faces that allow no step stand behind one button.
    """
    ship, face, to = action.row, action.face, action.to
    other_dice = row_without(board.rows[ship - 1], face)
    route_end_text = _route_end_text(position, board, ship, to, other_dice)
    label, question = f"to {ARROWS[to]}{route_end_text}", _face_question(ship, face)
    if route_end_text != _NO_STEP:
        return (PathStep(str(to), label, question),)
    face_step = PathStep(str(to), label, question, order=_NO_STEP_ORDER)
    if len(_faces_without_step(position, board, ship, other_dice) - {face}) == 1:
        return (face_step,)
    return (
        PathStep("no-step", "turn, no step", question, collapsed=True, order=_NO_STEP_ORDER),
        face_step,
    )


def _face_question(ship: int, face: int) -> str:
    return f"How do you change die {ARROWS[face]} of ship {ship}, and where does its route then end?"


def _collapse_useless_die(position: Position, board: PlayerBoard, step: PathStep) -> tuple[PathStep, ...]:
    """Return the path to a new die that allows no step: several stand behind one button, beside others."""
    useless_count = sum(
        len(_faces_without_step(position, board, ship, board.rows[ship - 1])) for ship in SHIPS
    )
    is_any_useful = useless_count < len(SHIPS) * len(FACES)
    if useless_count < 2:
        return (step,)
    label = "Other new dice: no step" if is_any_useful else "New dice: no step"
    return (PathStep("no-step", label, step.question, collapsed=True, order=_NO_STEP_ORDER), step)


def _route_end_text(
    position: Position, board: PlayerBoard, ship: int, face: int, other_dice: tuple[int, ...]
) -> str:
    """Return where a ship's route ends with a planned die; "(no step)" if that allows no further one.

    "(or B2)": the route does without it, but with it another one would end there.  Short, so that a phone
    shows two buttons side by side: what the tile means is said by the question.
    """
    if face in _faces_without_step(position, board, ship, other_dice):
        return _NO_STEP
    place = board.ships[ship - 1]
    assert place is not None
    ends = route_ends_with_die(len(position.boards), place, other_dice, face)
    return f", {ends.planned.value}" if ends.with_die is ends.planned else f" (or {ends.with_die.value})"


def _faces_without_step(
    position: Position, board: PlayerBoard, ship: int, other_dice: tuple[int, ...]
) -> frozenset[int]:
    place = board.ships[ship - 1]
    assert place is not None
    return faces_without_step(len(position.boards), place, other_dice)


def _die_step(ship: int, face: int, question: str) -> PathStep:
    return PathStep(
        f"{ship}-{face}",
        f"Ship {ship}: {ARROWS[face]}",  # short, so that two buttons with a face stand side by side
        question,
        row=f"row-{ship}",
    )
