"""The path to each action in the panel: a die is one press, and so is a card of the display."""

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
    CARD_FACTS,
    CARD_POINTS,
    FACE_FACTS,
    LOWEST_REEF,
    ROUND_COUNT,
    Card,
    CardFunction,
    Colour,
    Die,
    TileColour,
)
from rules.australis.forecast import Forecast, activated_cards, forecast_cards, forecast_die
from rules.australis.model import AustralisView, Position, SeaBoard
from rules.australis.phrases import card_name, count_text_or_empty, die_name
from rules.australis.scoring import turtle_space_or_minus_one
from rules.model import Action, Names, Seat
from rules.words import PathStep

_TURTLE_STEP_TEXT: Final = "turtle +1"
"""What a kept turtle card adds to a blue die, whose button names the space to which both lead."""
MAX_LABEL_LENGTH: Final = 38
"""Two buttons whose labels have this length fit in a row."""
_DIE_QUESTION: Final = "Which die do you take?"
_ORDER_QUESTION: Final = "Which of your cards comes first?"
_MOVE_QUESTION: Final = "Your supply is empty. From which reef does a coral move?"


def path(view: AustralisView, action: Action, names: Names) -> tuple[PathStep, ...]:
    """Return the steps to a legal action."""
    position, seat = view.position, view.viewer
    assert seat is not None
    match action:
        case TakeDie(die=die):
            colour = FACE_FACTS[die].colour.value
            return (PathStep(die.value, _die_label(position, seat, die), _DIE_QUESTION, row=colour),)
        case ActivateAll():
            return (PathStep("all", "Activate all, turtle first", _ORDER_QUESTION, row="all"),)
        case ActivateCard(card=card):
            label = f"First: {card_name(card)}"
            return (PathStep(card.value, label, _ORDER_QUESTION, row="card", order=1),)
        case PlaceCoral(reef=reef):
            return (PathStep(str(reef), f"Reef {reef}", "Which reef gets your coral?"),)
        case MoveCoral(start=start, end=end):
            return (
                # All sources are in one row, so that the panel expands all of them or none.
                PathStep(str(start), f"Reef {start}", _MOVE_QUESTION),
                PathStep(str(end), f"to {end}", f"Where does the coral of reef {start} go?", row="to"),
            )
        case LeaveCorals():
            return (PathStep("leave", "Move no coral", _MOVE_QUESTION, row="leave", order=1),)
        case KeepCard(card=card):
            return (_card_step(position, seat, card, "keep"),)
        case UseCard(card=card):
            return (_card_step(position, seat, card, "use"),)
        case ChooseTile(tile=tile):
            order = (TileColour.GOLD, TileColour.SILVER).index(tile)  # as in the picture
            return (PathStep(tile.value, tile.value.capitalize(), "Which tile do you take?", order=order),)
        case _:
            raise AssertionError(action)


def _card_step(position: Position, seat: Seat, card: Card, verb: str) -> PathStep:
    """Return a step that keeps or uses a card; both stand in the row of the card.

    The label has room for the card's colour and for what it brings, which tells its function.
    """
    question = "Which card do you pick first?" if position.picks_left > 1 else "Which card do you pick?"
    label = f"{verb.capitalize()} {CARD_FACTS[card].colour.value}: "
    label += _use_text(position, seat, card) if verb == "use" else _keep_text(position.boards[seat], card)
    return PathStep(f"{verb}-{card.value}", label, question, row=card.value)


def _use_text(position: Position, seat: Seat, card: Card) -> str:
    """Return what a card brings at once, in a few words."""
    board, function = position.boards[seat], CARD_FACTS[card].function
    forecast = forecast_cards(position, seat, (card,))
    if function is CardFunction.CORAL and not board.coral_supply:
        return "move a coral"
    if function is CardFunction.TURTLE and forecast.turtle_space == turtle_space_or_minus_one(board):
        return f"turtle stays on {forecast.turtle_space}"
    if function is CardFunction.POINTS:
        return f"+{CARD_POINTS} points"
    return _card_gain_text(position, seat, card, forecast)


def _keep_text(board: SeaBoard, card: Card) -> str:
    """Return what a kept card brings each time, in a few words."""
    facts, colour = CARD_FACTS[card], CARD_FACTS[card].colour.value
    match facts.function:
        case CardFunction.COMPETITION:
            return f"{colour} +1 in competition"
        case CardFunction.POINTS:
            return f"+{CARD_POINTS} points per {colour} die"
        case CardFunction.FISH:
            return f"+1 fish per {colour} die"
        case CardFunction.TURTLE:
            return f"turtle +1 per {colour} die"
        case CardFunction.CORAL:
            return f"{'+1 coral' if board.coral_supply else 'coral move'} per {colour} die"


def _card_gain_text(
    position: Position, seat: Seat, card: Card, forecast: Forecast, *, brief: bool = False
) -> str:
    """Return what a card adds; ``forecast``: of the choice that the card is part of.

    ``brief``: with points as on a die and cubes without more, "+2", "turtle to 15, cube".
    """
    match CARD_FACTS[card].function:
        case CardFunction.POINTS:
            return f"+{CARD_POINTS}" if brief else f"+{CARD_POINTS} points"
        case CardFunction.FISH:
            return "+1 fish"
        case CardFunction.CORAL:
            return "+1 coral" if position.boards[seat].coral_supply else "+1 coral move"
        case CardFunction.TURTLE:
            return f"turtle to {forecast.turtle_space}{_cubes_text(position, seat, forecast, brief=brief)}"
        case CardFunction.COMPETITION:
            return ""


# Dice -----------------------------------------------------------------------------------------------


def _die_label(position: Position, seat: Seat, die: Die) -> str:
    """Return a die with what it brings to a seat; what the kept cards add stands in brackets."""
    forecast = forecast_die(position, seat, die)
    long_text = _die_text(position, seat, die, forecast)
    brief_text = _die_text(position, seat, die, forecast, brief=True)
    board, colour = position.boards[seat], FACE_FACTS[die].colour
    cards = [
        card
        for card in activated_cards(board, colour)
        if CARD_FACTS[card].function is not CardFunction.TURTLE
        or forecast.turtle_space != turtle_space_or_minus_one(board)
    ]
    if not cards:
        return long_text
    gains_texts: list[str] = []
    for brief in (False, True):
        card_texts = [
            _TURTLE_STEP_TEXT
            if colour is Colour.BLUE and CARD_FACTS[card].function is CardFunction.TURTLE
            else _card_gain_text(position, seat, card, forecast, brief=brief)
            for card in cards
        ]
        # Of a blue die, whose labels are the longest, space and cubes include the step of the turtle card.
        without_step = [text for text in card_texts if text != _TURTLE_STEP_TEXT] or card_texts
        gains_texts += [", ".join(card_texts), ", ".join(without_step)]
    cubes_text = "" if colour is Colour.BLUE else _cubes_text(position, seat, forecast, brief=True)
    gains_texts.append(f"kept cards{cubes_text}")
    labels = (
        f"{die_text} ({gains_text})" for gains_text in gains_texts for die_text in (long_text, brief_text)
    )
    return next((label for label in labels if len(label) <= MAX_LABEL_LENGTH), brief_text)


def _die_text(position: Position, seat: Seat, die: Die, forecast: Forecast, *, brief: bool = False) -> str:
    board, face, name = position.boards[seat], FACE_FACTS[die], die_name(die)
    match face.colour:
        case Colour.BLUE if forecast.turtle_space == turtle_space_or_minus_one(board):
            return f"{name}: stays on {forecast.turtle_space}"
        case Colour.BLUE:
            verb = "to" if brief else "swim to"
            return f"{name}: {verb} {forecast.turtle_space}{_cubes_text(position, seat, forecast)}"
        case Colour.PURPLE if board.coral_supply < len(forecast.reef_limits):
            return f"{name}: move a coral"
        case Colour.PURPLE:
            lowest_text = "" if face.number == LOWEST_REEF else f"{LOWEST_REEF}\u2013"
            return f"{name}: reef {lowest_text}{face.number}"
        case Colour.RED:
            return (
                f"{name}: you start round {position.round + 1}"
                if position.round < ROUND_COUNT
                else f"{name}: token, 1 point"
            )
        case _:
            parts = (
                f"+{face.circle_count}" if face.circle_count else "",
                count_text_or_empty(face.card_count, "card"),
                f"{face.fish} fish" if face.fish else "",
            )
            return f"{face.colour.value.capitalize()} {', '.join(part for part in parts if part)}"


def _cubes_text(position: Position, seat: Seat, forecast: Forecast, *, brief: bool = False) -> str:
    if not forecast.cube_count:
        return ""
    if brief:
        return ", cube" if forecast.cube_count == 1 else ", cubes"
    if forecast.cube_count > 1:
        return f", {forecast.cube_count} cubes"
    has_own_cube = any(space <= forecast.turtle_space for space in position.boards[seat].own_cube_spaces)
    return ", cube" if has_own_cube else ", grey cube"
