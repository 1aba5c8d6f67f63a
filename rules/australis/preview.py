"""What a legal action would bring: space, cubes, points, school, places at reefs."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

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
    CUBE_SLOT_COUNT,
    FACE_FACTS,
    LAST_ROUND_WITH_CUBE,
    LOWEST_REEF,
    MAX_CARDS_PER_COLOUR,
    NUMBER_DIE_VALUES,
    OTHER_TILE,
    REEFS,
    ROUND_COUNT,
    SCHOOLS,
    TILE_POINTS,
    Card,
    CardFunction,
    Colour,
    Die,
    TileColour,
    in_usual_order,
    reef_of_space,
)
from rules.australis.forecast import (
    Forecast,
    activated_cards,
    boards_with_coral,
    forecast_cards,
    forecast_die,
    replace_board,
)
from rules.australis.legal import can_keep
from rules.australis.model import AustralisView, Position, SeaBoard
from rules.australis.phrases import (
    allowed_reefs_text,
    card_text,
    cubes_text,
    effect_text,
    face_text,
    fish_text,
    kept_already_text,
    points_text,
    tile_label,
)
from rules.australis.reef_standing import reef_standing_text, short_standing_text
from rules.australis.scoring import (
    reef_points,
    school_points,
    turtle_space_or_minus_one,
)
from rules.australis.swim_text import swim_line, swim_result_lines, swim_text, turtle_can_swim
from rules.model import Action, Names, Seat
from rules.text import capitalized, counted, counted_in_digits, listed, shortened

_MAX_SHORT_PREVIEW_LENGTH: Final = 100
"""The most characters of a short preview."""


def preview(view: AustralisView, action: Action, names: Names) -> str | None:
    """Return what a legal action would do, one sentence on each line."""
    position, seat = view.position, view.viewer
    assert seat is not None
    match action:
        case TakeDie(die=die):
            lines = _die_lines(position, seat, die)
        case ActivateAll():
            lines = _cards_lines(position, seat, in_usual_order(position.cards_to_activate))
        case ActivateCard(card=card):
            lines = _cards_lines(position, seat, _cards_carried_out(position, card))
        case UseCard(card=card):
            lines = _use_lines(position, seat, card)
        case KeepCard(card=card):
            lines = _keep_lines(position, seat, card)
        case PlaceCoral() | MoveCoral():
            lines = _coral_lines(position, seat, action, names)
        case LeaveCorals():
            lines = ["All your corals stay where they are."]
        case ChooseTile(tile=tile):
            lines = _tile_lines(position, seat, tile, names)
        case _:
            return None
    turn_die = action.die if isinstance(action, TakeDie) else position.active_die
    if turn_die is not None and FACE_FACTS[turn_die].colour in NUMBER_DIE_VALUES:
        lines.append(_competition_line(position, seat, is_die_taken=turn_die is position.active_die))
    if position.turns_left == 1:
        lines.append("It is the last die of the round: scoring and the competition follow.")
    return "\n".join(lines)


def short_preview(view: AustralisView, action: Action, names: Names) -> str:
    """Return what a legal action would bring, in a few words."""
    position, seat = view.position, view.viewer
    assert seat is not None
    match action:
        case TakeDie(die=die):
            forecast = forecast_die(position, seat, die)
            text = _gains_text(position, seat, forecast)
        case UseCard(card=card):
            text = _gains_text(position, seat, forecast_cards(position, seat, (card,)))
        case ActivateCard(card=card):
            text = _gains_text(
                position, seat, forecast_cards(position, seat, _cards_carried_out(position, card))
            )
        case ActivateAll():
            text = _gains_text(
                position, seat, forecast_cards(position, seat, in_usual_order(position.cards_to_activate))
            )
        case KeepCard(card=card):
            text = _kept_card_text(position.boards[seat], card)
        case PlaceCoral(reef=reef):
            boards = boards_with_coral(position.boards, seat, reef)
            text = short_standing_text(boards, seat, reef, names, _MAX_SHORT_PREVIEW_LENGTH)
        case MoveCoral(start=start, end=end):
            boards = boards_with_coral(position.boards, seat, end, start)
            text = short_standing_text(boards, seat, end, names, _MAX_SHORT_PREVIEW_LENGTH)
        case ChooseTile(tile=tile):
            text = _other_tile_text(position, tile, names)
        case _:
            text = ""
    return shortened(text, _MAX_SHORT_PREVIEW_LENGTH)


# Dice -----------------------------------------------------------------------------------------------


def _die_lines(position: Position, seat: Seat, die: Die) -> list[str]:
    board, face = position.boards[seat], FACE_FACTS[die]
    forecast = forecast_die(position, seat, die)
    cards = activated_cards(board, face.colour)
    lines = []
    start, card_space = turtle_space_or_minus_one(board), forecast_cards(position, seat, cards).turtle_space
    effects = [_kept_card_effect_text(board, card, card_space) for card in cards]
    if effects := [text for text in effects if text]:
        cards_text = "cards come" if len(cards) > 1 else "card comes"
        lines.append(f"Your {face.colour.value} {cards_text} first: {listed(effects)}.")
    if face.colour is Colour.BLUE:
        subject = "Your turtle" if card_space == start else "Then your turtle"
        lines.append(swim_line(subject, card_space, forecast.turtle_space, face.number))
    elif card_space == start and any(CARD_FACTS[card].function is CardFunction.TURTLE for card in cards):
        lines.append(swim_line("Your turtle", start, card_space, 1))
    lines += swim_result_lines(position, seat, forecast)
    match face.colour:
        case Colour.WHITE | Colour.YELLOW:
            lines.append(f"The die brings {face_text(die)}.")
        case Colour.PURPLE if board.coral_supply < len(forecast.reef_limits):
            empty = "is empty then" if board.coral_supply else "is empty"
            lines.append(f"Your supply {empty}: you may move a coral to {allowed_reefs_text(face.number)}.")
        case Colour.PURPLE:
            lines.append(f"The die places a coral on {allowed_reefs_text(face.number)}.")
            lines += _best_reef_lines(position, seat, forecast)
        case Colour.RED if position.round < ROUND_COUNT:
            lines.append(f"You get the first player token: you start round {position.round + 1}.")
        case Colour.RED:
            lines.append("You get the first player token: one point at the end.")
        case _:
            pass
    lines += _school_lines(board, board.fish + forecast.fish, board.cube_count + forecast.cube_count)
    return lines


def _kept_card_effect_text(board: SeaBoard, card: Card, turtle_space_then: int) -> str:
    """Return in a clause what a kept card does now; empty for a turtle that stays, which has its own line.

    ``turtle_space_then``: where the kept cards bring the turtle, of which the turtle card comes first.
    """
    function, start = CARD_FACTS[card].function, turtle_space_or_minus_one(board)
    if function is CardFunction.TURTLE:
        return "" if turtle_space_then == start else f"your turtle {swim_text(start, turtle_space_then, 1)}"
    if function is CardFunction.CORAL:
        verb_text = "you place a coral on" if board.coral_supply else "you may move a coral to"
        return f"{verb_text} {allowed_reefs_text(reef_of_space(turtle_space_then))}"
    if function is CardFunction.POINTS:
        return f"you score {points_text(CARD_POINTS)}"
    return f"you catch {fish_text(1)}"


def _competition_line(position: Position, seat: Seat, *, is_die_taken: bool) -> str:
    """Return what a number die brings in the competition; ``is_die_taken``: the seat already has it."""
    number_dice_counts = [
        sum(FACE_FACTS[held].colour in NUMBER_DIE_VALUES for held in board.dice) for board in position.boards
    ]
    if position.turns_left == 1 and sum(number_dice_counts) == number_dice_counts[seat]:
        return "Nobody else has a number die: you win the competition without a roll."
    dice_count = number_dice_counts[seat] + (not is_die_taken)
    return f"In the competition you then roll {counted(dice_count, 'die', 'dice')}."


def _best_reef_lines(position: Position, seat: Seat, forecast: Forecast) -> list[str]:
    """Return on which reef the die's coral would raise the reef points most, or that it raises none.

    Empty if a kept card's coral, which comes first, may go to several reefs.
    """
    *card_reef_limits, highest_reef = forecast.reef_limits
    if any(reef_limit > LOWEST_REEF for reef_limit in card_reef_limits):
        return []
    board_then = replace(position.boards[seat], turtle_space=forecast.turtle_space)
    boards = replace_board(position.boards, seat, board_then)
    for reef in card_reef_limits:
        boards = boards_with_coral(boards, seat, reef)
    points_now = reef_points(boards, seat)
    gains = {
        reef: reef_points(boards_with_coral(boards, seat, reef), seat) - points_now
        for reef in REEFS
        if reef <= highest_reef
    }
    best_reef = max(gains, key=lambda reef: (gains[reef], reef))
    if gains[best_reef] <= 0:
        return ["It would not change what your reefs score."]
    return [f"On reef {best_reef} it would raise what your reefs score by {gains[best_reef]}."]


# The school -----------------------------------------------------------------------------------------


def _school_lines(board: SeaBoard, fish: int, cube_count: int) -> list[str]:
    """Return what the school would score; empty if neither fish nor cubes change."""
    if (fish, cube_count) == (board.fish, board.cube_count):
        return []
    points_now, points_then = (
        school_points(board),
        school_points(replace(board, fish=fish, cube_count=cube_count)),
    )
    condition = f"With {_school_size_text(fish, cube_count)}"
    if points_then > points_now:
        return [f"{condition} your school would score {points_then} instead of {points_now}."]
    next_school = next((school for school in SCHOOLS if school.points > points_then), None)
    if next_school is None:
        return [f"{condition} your school scores {points_then}, the most."]
    size_text = _school_size_text(next_school.fish, SCHOOLS.index(next_school) + 1)
    requirement = f"To score {next_school.points} it needs at least {size_text}."
    return [f"{condition} your school scores {points_then}. {requirement}"]


def _school_size_text(fish: int, cube_count: int) -> str:
    """Return what a school has, in digits like the points beside it."""
    return f"{fish} fish and {counted_in_digits(cube_count, 'cube')}"


def _gains_text(position: Position, seat: Seat, forecast: Forecast) -> str:
    """Return what a die or card brings in a few words."""
    board = position.boards[seat]
    turtle_moves = forecast.turtle_space != turtle_space_or_minus_one(board)
    school_then = school_points(
        replace(board, fish=board.fish + forecast.fish, cube_count=board.cube_count + forecast.cube_count)
    )
    parts = [
        f"turtle to {forecast.turtle_space}" if turtle_moves else "",
        cubes_text(forecast.cube_count) if forecast.cube_count else "",
        ", then ".join(
            f"{'coral on' if index < board.coral_supply else 'move a coral to'} {allowed_reefs_text(limit)}"
            for index, limit in enumerate(forecast.reef_limits)
        ),
        points_text(forecast.points) if forecast.points else "",
        fish_text(forecast.fish) if forecast.fish else "",
        f"school of {points_text(school_then)}" if school_then > school_points(board) else "",
        counted(forecast.pick_count, "card") if forecast.pick_count else "",
        "first player token" if forecast.takes_token else "",
    ]
    return ", ".join(part for part in parts if part) or "no effect"


# Cards ----------------------------------------------------------------------------------------------


def _cards_lines(position: Position, seat: Seat, cards: Sequence[Card]) -> list[str]:
    """Return what cards bring if they are carried out now."""
    board, forecast = position.boards[seat], forecast_cards(position, seat, cards)
    lines = []
    for card in cards:
        match CARD_FACTS[card].function:
            case CardFunction.POINTS:
                lines.append(f"You score {points_text(CARD_POINTS)}.")
            case CardFunction.FISH:
                lines.append(f"You catch {fish_text(1)}.")
            case CardFunction.CORAL:
                reefs_text = allowed_reefs_text(forecast.reef_limits[0])
                lines.append(
                    f"You place a coral on {reefs_text}."
                    if board.coral_supply
                    else f"Your supply is empty: you may move a coral to {reefs_text}."
                )
            case CardFunction.TURTLE:
                start = turtle_space_or_minus_one(board)
                lines.append(swim_line("Your turtle", start, forecast.turtle_space, 1))
                lines += swim_result_lines(position, seat, forecast)
            case CardFunction.COMPETITION:
                pass
    return [*lines, *_school_lines(board, board.fish + forecast.fish, board.cube_count + forecast.cube_count)]


def _cards_carried_out(position: Position, first: Card) -> tuple[Card, ...]:
    """Return a waiting card and those that follow it without another choice of the order.

    The order matters only while turtle card and coral card both wait (``turn``).
    """
    if CARD_FACTS[first].function not in {CardFunction.TURTLE, CardFunction.CORAL}:
        return (first,)
    return (first, *in_usual_order(card for card in position.cards_to_activate if card is not first))


def _use_lines(position: Position, seat: Seat, card: Card) -> list[str]:
    lines = [*_cards_lines(position, seat, (card,)), f"Then the {card_text(card)} is discarded."]
    if not can_keep(position.boards[seat].cards, card):
        lines.append(f"You cannot keep it: {kept_already_text(position.boards[seat].cards, card)}.")
    return lines


def _kept_card_text(board: SeaBoard, card: Card) -> str:
    """Return what a kept card brings, and when."""
    facts = CARD_FACTS[card]
    if facts.function is CardFunction.COMPETITION:
        return f"every competition: +1 on each of your {facts.colour.value} dice"
    effect = effect_text(facts.function, turtle_space_or_minus_one(board), has_supply=board.coral_supply > 0)
    return f"each later {facts.colour.value} die: {effect}"


def _keep_lines(position: Position, seat: Seat, card: Card) -> list[str]:
    board, facts = position.boards[seat], CARD_FACTS[card]
    lines = [f"{capitalized(_kept_card_text(board, card))}."]
    if facts.function is CardFunction.COMPETITION:
        return [*lines, "You must always add it.", "It cannot be used at once."]
    if facts.function is CardFunction.TURTLE and not turtle_can_swim(position, seat):
        lines.append("No free space is left ahead of your turtle.")
    if facts.colour is Colour.WHITE:
        lines.append("It does not work with the white die that you have just taken.")
    kept_count = len(activated_cards(board, facts.colour)) + 1
    lines.append(f"You will have {kept_count} of at most {MAX_CARDS_PER_COLOUR} {facts.colour.value} cards.")
    return lines


# Corals ---------------------------------------------------------------------------------------------


def _coral_lines(position: Position, seat: Seat, action: PlaceCoral | MoveCoral, names: Names) -> list[str]:
    match action:
        case PlaceCoral(reef=reef):
            boards = boards_with_coral(position.boards, seat, reef)
            changed_reefs = [reef]
            supply_text = (
                f"You keep {counted(position.boards[seat].coral_supply - 1, 'coral')} in your supply."
            )
        case MoveCoral(start=start, end=end):
            boards = boards_with_coral(position.boards, seat, end, start)
            changed_reefs = [end, start]
            supply_text = ""
    lines = [f"On reef {reef} {reef_standing_text(boards, seat, reef, names)}." for reef in changed_reefs]
    points_now, points_then = reef_points(position.boards, seat), reef_points(boards, seat)
    if points_now != points_then:
        lines.append(f"Your reefs would score {points_then} instead of {points_now}.")
    return [*lines, supply_text] if supply_text else lines


# Tiles ----------------------------------------------------------------------------------------------


def _tile_lines(position: Position, seat: Seat, tile: TileColour, names: Names) -> list[str]:
    points = TILE_POINTS[tile][position.round - 1]
    lines = [f"It counts {points_text(points)} at the end of the game."]
    board = position.boards[seat]
    if tile is TileColour.SILVER and position.round <= LAST_ROUND_WITH_CUBE:
        if board.cube_count == CUBE_SLOT_COUNT:
            lines.append("Your food track is full: the food cube would go to the box.")
        else:
            lines.append(
                f"You also get a food cube: you will have {board.cube_count + 1} of {CUBE_SLOT_COUNT}."
            )
            lines += _school_lines(board, board.fish, board.cube_count + 1)
    return [*lines, f"{capitalized(_other_tile_text(position, tile, names))}."]


def _other_tile_text(position: Position, tile: TileColour, names: Names) -> str:
    """Return what becomes of the tile that is not chosen."""
    second = None if position.competition is None else position.competition.second
    other_text = tile_label(OTHER_TILE[tile], position.round)
    return f"{other_text} goes to the box" if second is None else f"{names[second]} gets {other_text}"
