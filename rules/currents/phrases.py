"""How Currents names its things: cards, places, slots, points, pushes, edges."""

from collections.abc import Sequence
from typing import Final

from rules.currents.board import GEOMETRIES
from rules.currents.components import (
    BLACK_JOKER,
    FACE_DOWN,
    JOKERS,
    RED_JOKER,
    SUIT_BY_CARD,
    Axis,
    Card,
    Point,
    Rotation,
)
from rules.currents.drift import defending_suits, directions_of, goals_of
from rules.currents.jokers import shuffled_parts
from rules.currents.model import BoardShape, Exit, Phase, Position
from rules.model import Names, Seat
from rules.text import counted, counted_in_digits, listed

SUIT_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_WORDS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
PLACE_WORDS: Final = {
    "N": "north", "E": "east", "S": "south", "W": "west", "X": "side X", "Y": "side Y", "Z": "side Z"
}  # fmt: skip
_SPECIAL_CARD_NAMES: Final = {RED_JOKER: "red Joker", BLACK_JOKER: "black Joker", FACE_DOWN: "a hidden card"}
NOTHING_TO_SHUFFLE: Final = "Fewer than two cards: there is nothing to shuffle."
AXIS_WORDS: Final = {Axis.NORTH_SOUTH: "north and south", Axis.EAST_WEST: "east and west"}
ROTATION_WORDS: Final = {Rotation.CLOCKWISE: "clockwise", Rotation.COUNTERCLOCKWISE: "counterclockwise"}
ORDINALS: Final = ("first", "second", "third", "fourth")


def card_text(card: Card) -> str:
    """Return the name of a card: "10♥", "A♠" or "red Joker"."""
    if card in SUIT_BY_CARD:
        return card[:-1] + SUIT_SIGNS[SUIT_BY_CARD[card]]
    return _SPECIAL_CARD_NAMES.get(card, "an unknown card")


def card_in_sentence(card: Card) -> str:
    """Return the name of a card in a sentence: "10♥" or "the red Joker"."""
    return f"the {card_text(card)}" if card in JOKERS else card_text(card)


def cards_text(cards: Sequence[Card]) -> str:
    """Return several cards in a sentence."""
    return listed([card_in_sentence(card) for card in cards])


def card_or_empty_text(card: Card | None) -> str:
    """Return what lies on a place or slot: "10♥", or "empty"."""
    return "empty" if card is None else card_text(card)


def compass_text(position: Position) -> str:
    """Return in one sentence what each compass place holds."""
    places = GEOMETRIES[position.options.board].places
    texts = (
        f"{PLACE_WORDS[place]} {card_or_empty_text(card)}"
        for place, card in zip(places, position.compass, strict=True)
    )
    return f"Compass: {', '.join(texts)}."


def shuffled_parts_text(position: Position, joker: Card) -> str:
    """Return what a joker shuffles: "the compass", "compass and currents together"."""
    with_compass, with_currents = shuffled_parts(position.options.wild_jokers, joker)
    if with_compass and with_currents:
        return "compass and currents together"
    return "the compass" if with_compass else "the currents"


def compass_place_text(*places: str) -> str:
    """Return compass places: "the north of the compass", "side X and side Y of the compass"."""
    places_text = listed([PLACE_WORDS[place] for place in places])
    return f"{'the ' if places[0] in 'NESW' else ''}{places_text} of the compass"


def point_text(position: Position, point: Point) -> str:
    """Return where an intersection is: "the centre", "2 north of the centre", "off the board"."""
    geometry = GEOMETRIES[position.options.board]
    if point == geometry.start:
        return "the centre"
    if geometry.crossed_edges(point):
        return "off the board"
    if position.options.board is BoardShape.TRIANGLE:
        return _steps_towards_text(point, " from the centre")
    east, south = (value - middle for value, middle in zip(point, geometry.start, strict=True))
    parts = [
        f"{abs(steps)} {ahead if steps > 0 else behind}"
        for steps, ahead, behind in ((south, "south", "north"), (east, "east", "west"))
        if steps
    ]
    return f"{' and '.join(parts)} of the centre"


def push_text(position: Position, card: Card) -> str:
    """Return where a current of this card's suit pushes: "pushes north and east"."""
    directions = directions_of(
        SUIT_BY_CARD[card], GEOMETRIES[position.options.board].places, position.compass
    )
    return f"pushes {push_directions_text(directions)}" if directions else "does not push"


def push_directions_text(directions: Sequence[str]) -> str:
    """Return where a current pushes: "north and east", "towards side X and side Y"."""
    towards = "" if directions[0] in "NESW" else "towards "
    return f"{towards}{directions_text(directions)}"


def net_push_text(pushes: tuple[int, ...]) -> str:
    """Return what pushes on the square come to once opposite ones have cancelled: "2 north and 1 east".

    A negative number of pushes counts in the opposite direction.
    """
    north, east, south, west = pushes
    net = (north - south, east - west, south - north, west - east)
    parts = [f"{push} {PLACE_WORDS[place]}" for place, push in zip("NESW", net, strict=True) if push > 0]
    return listed(parts) or "no push"


def steps_text(position: Position, start: Point, end: Point) -> str:
    """Return how far the pawn goes: "2 north and 1 east", "2 steps towards side X and 1 towards side Y"."""
    changes = tuple(new - old for old, new in zip(start, end, strict=True))
    if position.options.board is BoardShape.SQUARE:
        dx, dy = changes
        return net_push_text((0, dx, dy, 0))
    return _steps_towards_text(tuple(change - min(changes) for change in changes))


def _steps_towards_text(steps: tuple[int, ...], start_text: str = "") -> str:
    """Return steps towards the sides of the triangle; ``start_text``: where they begin."""
    sides = GEOMETRIES[BoardShape.TRIANGLE].places
    (first_count, first_side), *others = (
        (count, PLACE_WORDS[side]) for side, count in zip(sides, steps, strict=True) if count
    )
    first_text = f"{counted_in_digits(first_count, 'step')}{start_text} towards {first_side}"
    return listed([first_text, *(f"{count} towards {side}" for count, side in others)])


def edge_text(edge: str) -> str:
    """Return the name of an edge: "the north edge", "side X"."""
    return f"the {PLACE_WORDS[edge]} edge" if edge in "NESW" else PLACE_WORDS[edge]


def directions_text(directions: Sequence[str]) -> str:
    """Return directions, goals or compass places: "north and east"."""
    return listed([PLACE_WORDS[direction] for direction in directions])


def cost_text(position: Position, exit_: Exit) -> str:
    """Return which cards stopping the pawn takes: "two ♣ or ♥ cards"."""
    suits = listed([SUIT_SIGNS[suit] for suit in defending_suits(position, exit_.edge)], "or")
    return counted(exit_.overshoot, f"{suits} card")


def crossed_edges_text(edges: Sequence[str]) -> str:
    """Return over which edges a pawn leaves: "the north edge and the east edge"."""
    return listed([edge_text(edge) for edge in edges])


def move_text(position: Position, start: Point, end: Point) -> str:
    """Return in a sentence how the pawn goes from one point of the board to another."""
    where = point_text(position, end)
    if start == end:
        return f"The pawn stays at {where}."
    return f"The pawn drifts {steps_text(position, start, end)}, to {where}."


def goals_text(position: Position, seat: Seat) -> str:
    """Return what a seat aims for: "goal north", "goals east and west"."""
    goals = goals_of(position, seat)
    if not goals:
        return f"goals not chosen{'' if position.phase is Phase.OVER else ' yet'}"
    return f"goal{'s' if len(goals) > 1 else ''} {directions_text(goals)}"


def stop_text(position: Position, exit_: Exit, names: Names) -> str:
    """Return who could stop the pawn at an edge and how, or why nobody can; from public facts alone."""
    name = names[exit_.defender]
    if not defending_suits(position, exit_.edge):
        places = GEOMETRIES[position.options.board].defending_places(exit_.edge)
        verb = "is" if len(places) == 1 else "are"
        return f"Nobody can stop it: {compass_place_text(*places)} {verb} empty."
    cost = cost_text(position, exit_)
    hand_size = position.hand_sizes[exit_.defender]
    if hand_size < exit_.overshoot:
        return f"{name} would need {cost} and holds {counted(hand_size, 'card')}: nobody can stop it."
    return f"{name} holds {counted(hand_size, 'card')} and may stop it with {cost}."
