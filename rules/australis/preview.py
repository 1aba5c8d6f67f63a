"""What a legal action would bring: space, cubes, points, school, places at reefs."""

from collections.abc import Iterable, Sequence
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
    CARD_POINTS,
    CARDS,
    CUBE_SLOTS,
    FACES,
    LAST_ROUND_WITH_CUBE,
    LAST_SPACE,
    MAX_CARDS_PER_COLOUR,
    REEFS,
    ROUNDS,
    SCHOOLS,
    TILE_POINTS,
    USUAL_CARD_ORDER,
    Card,
    CardFunction,
    Colour,
    Die,
    TileColour,
)
from rules.australis.forecast import (
    Forecast,
    cards_of,
    forecast_cards,
    forecast_die,
)
from rules.australis.model import AustralisView, Position, SeaBoard
from rules.australis.phrases import (
    NUMBER_DICE,
    cubes_text,
    effect_text,
    face_text,
    fish_text,
    points_text,
    reefs_text,
    tile_label,
)
from rules.australis.scoring import (
    REEF_INDEX,
    reef_points,
    reef_rank,
    reef_ranking,
    school_points,
    turtle_space,
)
from rules.game import Action, Names, Seat
from rules.text import capitalized, counted, listed, shortened

_MAX_SHORT_LENGTH: Final = 100
_RANK_WORD: Final = ("no place", "first place", "second place", "third place", "fourth place")


def preview(view: AustralisView, action: Action, names: Names) -> str | None:
    """Return what a legal action would do, a sentence a line."""
    position, seat = view.position, view.viewer
    assert seat is not None
    match action:
        case TakeDie(die=die):
            lines = _die_lines(position, seat, die)
        case ActivateAll():
            lines = _cards_lines(position, seat, _sort_cards(position.to_activate))
        case ActivateCard(card=card):
            lines = _cards_lines(position, seat, (card,))
        case UseCard(card=card):
            lines = [*_cards_lines(position, seat, (card,)), "Then it is discarded."]
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
    return "\n".join(lines)


def short_preview(view: AustralisView, action: Action, names: Names) -> str:
    """Return what a legal action would bring, in a few words."""
    position, seat = view.position, view.viewer
    assert seat is not None
    match action:
        case TakeDie(die=die):
            forecast = forecast_die(position, seat, die)
            text = _gains_text(position, seat, forecast)
        case UseCard(card=card) | ActivateCard(card=card):
            text = _gains_text(position, seat, forecast_cards(position, seat, (card,)))
        case ActivateAll():
            text = _gains_text(
                position, seat, forecast_cards(position, seat, _sort_cards(position.to_activate))
            )
        case KeepCard(card=card):
            text = _repeat_text(card)
        case PlaceCoral(reef=reef):
            text = _place_text(_with_coral(position, seat, reef), seat, reef, names)
        case MoveCoral(source=source, target=target):
            text = _place_text(_with_coral(position, seat, target, source), seat, target, names)
        case ChooseTile(tile=tile):
            text = _other_tile_text(position, tile, names)
        case _:
            text = ""
    return shortened(text, _MAX_SHORT_LENGTH)


def _sort_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: USUAL_CARD_ORDER.index(CARDS[card].function)))


# Dice -----------------------------------------------------------------------------------------------


def _die_lines(position: Position, seat: Seat, die: Die) -> list[str]:
    board, face = position.boards[seat], FACES[die]
    forecast = forecast_die(position, seat, die)
    cards = cards_of(board, face.colour)
    lines = []
    if cards:
        shown = listed([effect_text(CARDS[card].function) for card in cards])
        lines.append(
            f"Your {face.colour.value} {'cards come' if len(cards) > 1 else 'card comes'} first: {shown}."
        )
    match face.colour:
        case Colour.WHITE | Colour.YELLOW:
            lines.append(f"The die brings {face_text(die)}.")
        case Colour.PURPLE if board.supply < len(forecast.corals):
            lines.append(f"Your supply is empty: you may move a coral to {reefs_text(face.number)}.")
        case Colour.PURPLE:
            lines.append(f"The die places a coral on {reefs_text(face.number)}.")
            lines += _best_reef_lines(position, seat, face.number)
        case Colour.RED if position.round < ROUNDS:
            lines.append(f"You get the first player token: you start round {position.round + 1}.")
        case Colour.RED:
            lines.append("You get the first player token: one point at the end.")
        case _:
            pass
    lines += _turtle_lines(position, seat, forecast, sum(_steps(cards, die)))
    lines += _school_lines(board, board.fish + forecast.fish, board.cubes + forecast.cubes)
    if face.colour in NUMBER_DICE:
        dice = sum(FACES[own].colour in NUMBER_DICE for own in board.dice) + 1
        lines.append(f"In the competition you then roll {counted(dice, 'die', 'dice')}.")
    if position.turns_left == 1:
        lines.append("It is the last die of the round: scoring and the competition follow.")
    return lines


def _steps(cards: Sequence[Card], die: Die | None) -> list[int]:
    """Return the steps that cards and a die give a turtle."""
    steps = [1 for card in cards if CARDS[card].function is CardFunction.TURTLE]
    return [*steps, FACES[die].number] if die is not None and FACES[die].colour is Colour.BLUE else steps


def _best_reef_lines(position: Position, seat: Seat, highest: int) -> list[str]:
    """Return at which reef the coral would bring most."""
    now = reef_points(position.boards, seat)
    gains = {
        reef: reef_points(_with_coral(position, seat, reef), seat) - now for reef in REEFS if reef <= highest
    }
    best = max(gains, key=lambda reef: (gains[reef], reef))
    if gains[best] <= 0:
        return ["Nowhere would it change what your reefs score now."]
    return [f"On reef {best} it would raise what your reefs score by {gains[best]}."]


# The turtle and the school --------------------------------------------------------------------------


def _turtle_lines(position: Position, seat: Seat, forecast: Forecast, steps: int) -> list[str]:
    """Return where the turtle swims, and what that brings."""
    if not steps:
        return []
    board = position.boards[seat]
    start, end = turtle_space(board), forecast.turtle
    if start == end:
        return [f"Your turtle stays on space {start}: no free space is left ahead."]
    straight = min(start + steps, LAST_SPACE)
    why = "" if end == straight else ", past an occupied space" if end > straight else ", the last free space"
    lines = [f"Your turtle swims from {start} to {end}{why}."]
    if forecast.cubes:
        total = board.cubes + forecast.cubes
        lines.append(f"It takes {cubes_text(forecast.cubes)}: you will have {total} of {CUBE_SLOTS}.")
    if forecast.boxed:
        lines.append(f"Your food track is full: {cubes_text(forecast.boxed)} would go to the box.")
    moved = _with_board(position, seat, replace(board, turtle=end))
    now, then = reef_points(position.boards, seat), reef_points(moved, seat)
    if then != now:
        lines.append(f"You win more ties: your reefs would score {then} instead of {now}.")
    return lines


def _school_lines(board: SeaBoard, fish: int, cubes: int) -> list[str]:
    """Return what the school would score, where fish or cubes change."""
    if (fish, cubes) == (board.fish, board.cubes):
        return []
    now, then = school_points(board), school_points(replace(board, fish=fish, cubes=cubes))
    have = f"With {fish_text(fish)} and {cubes_text(cubes)}"
    if then > now:
        return [f"{have} your school would score {then} instead of {now}."]
    wanted = next((school for school in SCHOOLS if school.points > then), None)
    if wanted is None:
        return [f"{have} your school scores {then}, the most."]
    size = SCHOOLS.index(wanted) + 1
    needs = f"For {wanted.points} it needs {fish_text(wanted.fish)} and {cubes_text(size)}."
    return [f"{have} your school scores {then}. {needs}"]


def _gains_text(position: Position, seat: Seat, forecast: Forecast) -> str:
    """Return what a die or card brings in a few words."""
    board = position.boards[seat]
    then = school_points(replace(board, fish=board.fish + forecast.fish, cubes=board.cubes + forecast.cubes))
    parts = [
        f"turtle to {forecast.turtle}" if forecast.turtle != turtle_space(board) else "",
        cubes_text(forecast.cubes) if forecast.cubes else "",
        " and ".join(f"coral on {reefs_text(highest)}" for highest in forecast.corals),
        points_text(forecast.points) if forecast.points else "",
        fish_text(forecast.fish) if forecast.fish else "",
        f"school of {points_text(then)}" if then > school_points(board) else "",
        counted(forecast.cards, "card") if forecast.cards else "",
        "first player token" if forecast.token else "",
    ]
    return ", ".join(part for part in parts if part) or "no effect"


# Cards ----------------------------------------------------------------------------------------------


def _cards_lines(position: Position, seat: Seat, cards: Sequence[Card]) -> list[str]:
    """Return what cards bring that are carried out now."""
    board, forecast = position.boards[seat], forecast_cards(position, seat, cards)
    lines = []
    for card in cards:
        match CARDS[card].function:
            case CardFunction.POINTS:
                lines.append(f"You score {points_text(CARD_POINTS)}.")
            case CardFunction.FISH:
                lines.append(f"You catch {fish_text(1)}.")
            case CardFunction.CORAL if not board.supply:
                lines.append(
                    f"Your supply is empty: you may move a coral to {reefs_text(forecast.corals[0])}."
                )
            case CardFunction.CORAL:
                lines.append(f"You place a coral on {reefs_text(forecast.corals[0])}.")
            case CardFunction.TURTLE:
                lines += _turtle_lines(position, seat, forecast, 1)
            case CardFunction.COMPETITION:
                pass
    return [*lines, *_school_lines(board, board.fish + forecast.fish, board.cubes + forecast.cubes)]


def _repeat_text(card: Card) -> str:
    """Return what a kept card brings, and when."""
    kind = CARDS[card]
    if kind.function is CardFunction.COMPETITION:
        return f"every competition: +1 on each of your {kind.colour.value} dice"
    return f"each later {kind.colour.value} die: {effect_text(kind.function)}"


def _keep_lines(position: Position, seat: Seat, card: Card) -> list[str]:
    kind = CARDS[card]
    lines = [f"{capitalized(_repeat_text(card))}."]
    if kind.function is CardFunction.COMPETITION:
        return [*lines, "You must always add it."]
    if kind.colour is Colour.WHITE:
        lines.append("It does not work with the white die that you have just taken.")
    kept = len(cards_of(position.boards[seat], kind.colour)) + 1
    lines.append(f"You will have {kept} of at most {MAX_CARDS_PER_COLOUR} {kind.colour.value} cards.")
    return lines


# Corals ---------------------------------------------------------------------------------------------


def _with_board(position: Position, seat: Seat, board: SeaBoard) -> tuple[SeaBoard, ...]:
    return (*position.boards[:seat], board, *position.boards[seat + 1 :])


def _with_coral(position: Position, seat: Seat, reef: int, source: int | None = None) -> tuple[SeaBoard, ...]:
    """Return the boards after a coral comes to a reef, from the supply or from another reef."""
    board = position.boards[seat]
    reefs = list(board.reefs)
    reefs[REEF_INDEX[reef]] += 1
    if source is not None:
        reefs[REEF_INDEX[source]] -= 1
    return _with_board(position, seat, replace(board, reefs=tuple(reefs)))


def _coral_lines(position: Position, seat: Seat, action: PlaceCoral | MoveCoral, names: Names) -> list[str]:
    match action:
        case PlaceCoral(reef=reef):
            boards = _with_coral(position, seat, reef)
            changed = [reef]
            rest = f"You keep {counted(position.boards[seat].supply - 1, 'coral')} in your supply."
        case MoveCoral(source=source, target=target):
            boards = _with_coral(position, seat, target, source)
            changed = [target, source]
            rest = ""
    lines = [f"Reef {reef}: {_place_text(boards, seat, reef, names)}." for reef in changed]
    now, then = reef_points(position.boards, seat), reef_points(boards, seat)
    if now != then:
        lines.append(f"Your reefs would score {then} instead of {now}.")
    return [*lines, rest] if rest else lines


def _place_text(boards: Sequence[SeaBoard], seat: Seat, reef: int, names: Names) -> str:
    """Return who has how many corals on a reef, and what a seat's place there is worth."""
    index = REEF_INDEX[reef]
    own = boards[seat].reefs[index]
    place = reef_rank(boards, reef, seat)
    best = next((other for other in reef_ranking(boards, reef) if other != seat), None)
    against = "" if best is None else f", {names[best]} {boards[best].reefs[index]}"
    rank = _RANK_WORD[place.rank]
    worth = points_text(place.points) if place.points else "no points"
    return f"you will have {counted(own, 'coral')}{against}: {rank}, {worth}"


# Tiles ----------------------------------------------------------------------------------------------


def _tile_lines(position: Position, seat: Seat, tile: TileColour, names: Names) -> list[str]:
    points = TILE_POINTS[tile][position.round - 1]
    lines = [f"It counts {points_text(points)} at the end of the game."]
    board = position.boards[seat]
    if tile is TileColour.SILVER and position.round <= LAST_ROUND_WITH_CUBE:
        if board.cubes == CUBE_SLOTS:
            lines.append("Your food track is full: the grey cube would go to the box.")
        else:
            lines.append(f"You also get a grey cube: you will have {board.cubes + 1} of {CUBE_SLOTS}.")
            lines += _school_lines(board, board.fish, board.cubes + 1)
    return [*lines, f"{capitalized(_other_tile_text(position, tile, names))}."]


def _other_tile_text(position: Position, tile: TileColour, names: Names) -> str:
    """Return what becomes of the tile that is not chosen."""
    other = next(each for each in TileColour if each is not tile)
    second = None if position.competition is None else position.competition.second
    rest = tile_label(other, position.round)
    return f"{rest} goes to the box" if second is None else f"{names[second]} gets {rest}"
