"""The way to each action in the panel: a die is one press, and so is a card of the display."""

from typing import Final

from rules.australis.actions import (
    ActivateAll,
    ActivateCard,
    ChooseTile,
    KeepCard,
    LeaveCorals,
    MoveCoral,
    PlaceCoral,
    TakeDie,
    UseCard,
)
from rules.australis.components import (
    CARD_POINTS,
    CARDS,
    FACES,
    REEFS,
    ROUNDS,
    Card,
    CardFunction,
    Colour,
    Die,
)
from rules.australis.forecast import Forecast, cards_of, forecast_die
from rules.australis.model import AustralisView, Position
from rules.australis.phrases import card_name, card_text, die_name, number_text
from rules.australis.scoring import turtle_space
from rules.game import Action, Names, PathStep, Seat

MAX_BUTTON_LENGTH: Final = 38
"""Two buttons of this length stand in a row."""
_DIE_QUESTION: Final = "Which die do you take?"
_ORDER_QUESTION: Final = "Which of your cards comes first?"


def path(view: AustralisView, action: Action, names: Names) -> tuple[PathStep, ...]:
    """Return the steps to a legal action."""
    position, seat = view.position, view.viewer
    assert seat is not None
    match action:
        case TakeDie(die=die):
            colour = FACES[die].colour.value
            return (PathStep(die.value, die_label(position, seat, die), _DIE_QUESTION, row=colour),)
        case ActivateAll():
            return (PathStep("all", "Activate all in the usual order", _ORDER_QUESTION, row="all"),)
        case ActivateCard(card=card):
            label = f"First: {card_name(card)}"
            return (PathStep(card.value, label, _ORDER_QUESTION, row="card", order=1),)
        case PlaceCoral(reef=reef):
            return (PathStep(str(reef), f"Reef {reef}", "Which reef gets your coral?"),)
        case MoveCoral(source=source, target=target):
            return (
                PathStep(str(source), f"Reef {source}", _move_question(), row=str(source)),
                PathStep(str(target), f"to {target}", f"Where does the coral of reef {source} go?"),
            )
        case LeaveCorals():
            return (PathStep("leave", "Move no coral", _move_question(), row="leave", order=1),)
        case KeepCard(card=card):
            return (_card_step(position, card, "keep"),)
        case UseCard(card=card):
            return (_card_step(position, card, "use"),)
        case ChooseTile(tile=tile):
            return (PathStep(tile.value, tile.value.capitalize(), "Which tile do you take?"),)
        case _:
            raise AssertionError(action)


def _move_question() -> str:
    return "Your supply is empty. Which coral moves?"


def _card_step(position: Position, card: Card, use: str) -> PathStep:
    """Return a step that keeps or uses a card; both stand in the row of the card."""
    question = "Which card do you pick first?" if position.picks_left > 1 else "Which card do you pick?"
    return PathStep(f"{use}-{card.value}", _card_label(card, use), question, row=card.value)


def _card_label(card: Card, use: str) -> str:
    return f"{use.capitalize()} {card_text(card)}{' at once' if use == 'use' else ''}"


# Dice -----------------------------------------------------------------------------------------------


def die_label(position: Position, seat: Seat, die: Die) -> str:
    """Return a die with what it brings to a seat; what the kept cards add stands in brackets."""
    forecast = forecast_die(position, seat, die)
    main = _die_text(position, seat, die, forecast)
    short = _die_text(position, seat, die, forecast, brief=True)
    parts = []
    for card in cards_of(position.boards[seat], FACES[die].colour):
        match CARDS[card].function:
            case CardFunction.POINTS:
                parts.append(f"+{CARD_POINTS}")
            case CardFunction.FISH:
                parts.append("+1 fish")
            case CardFunction.CORAL:
                parts.append("+1 coral")
            case CardFunction.TURTLE if FACES[die].colour is not Colour.BLUE:
                parts.append(f"turtle to {forecast.turtle}")
            case _:
                pass
    if not parts:
        return main
    labels = (f"{main} ({', '.join(parts)})", f"{main} (kept cards)", f"{short} (kept cards)")
    return next((label for label in labels if len(label) <= MAX_BUTTON_LENGTH), short)


def _die_text(position: Position, seat: Seat, die: Die, forecast: Forecast, *, brief: bool = False) -> str:
    board, face, name = position.boards[seat], FACES[die], die_name(die)
    match face.colour:
        case Colour.BLUE if forecast.turtle == turtle_space(board):
            return f"{name}: stays on {forecast.turtle}"
        case Colour.BLUE:
            way = "to" if brief else "swim to"
            return f"{name}: {way} {forecast.turtle}{_cubes_text(position, seat, forecast)}"
        case Colour.PURPLE if board.supply < len(forecast.corals):
            return f"{name}: move a coral"
        case Colour.PURPLE:
            lowest = min(REEFS)
            return f"{name}: reef {lowest}{'' if face.number == lowest else f' to {face.number}'}"
        case Colour.RED:
            return f"{name}: start next round" if position.round < ROUNDS else f"{name}: token, 1 point"
        case _:
            brings = (
                f"+{face.circles}" if face.circles else "",
                number_text(face.cards, "card"),
                f"{face.fish} fish" if face.fish else "",
            )
            return f"{face.colour.value.capitalize()} {', '.join(part for part in brings if part)}"


def _cubes_text(position: Position, seat: Seat, forecast: Forecast) -> str:
    if forecast.cubes > 1:
        return f", {forecast.cubes} cubes"
    if not forecast.cubes:
        return ""
    own = any(space <= forecast.turtle for space in position.boards[seat].own_cubes)
    return ", cube" if own else ", grey cube"
