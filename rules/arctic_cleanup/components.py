"""What the box of Arctic CleanUp holds: plastics, the map, dice, cards, the factory.

The rulebook shows many of the numbers in pictures only, which we do not have.  ``ASSUMPTIONS`` lists
those that we chose; ``/rules`` shows the list.
"""

import enum
from typing import Final, NamedTuple


class Plastic(enum.Enum):
    """The kinds of pollution tokens."""

    HDPE = "hdpe"
    LDPE = "ldpe"
    EVA = "eva"
    PMMA = "pmma"
    PET = "pet"
    PA6 = "pa6"
    PP = "pp"
    PS = "ps"


class PlasticFacts(NamedTuple):
    """A kind of token: what it is drawn as, its points once processed, and how many there are."""

    item: str
    points: int
    token_count: int


PLASTICS: Final = {
    Plastic.HDPE: PlasticFacts("canister", 2, 7),
    Plastic.LDPE: PlasticFacts("bag", 2, 7),
    Plastic.EVA: PlasticFacts("sandal", 2, 6),
    Plastic.PMMA: PlasticFacts("glasses", 2, 6),
    Plastic.PET: PlasticFacts("bottle", 2, 6),
    Plastic.PA6: PlasticFacts("net", 2, 6),
    Plastic.PP: PlasticFacts("cup", 3, 6),
    Plastic.PS: PlasticFacts("fork", 3, 6),
}
HATCHED_POINTS: Final = 3
"""Tokens of so many points go on hatched lines, all others on plain ones."""
TOKENS_PER_TILE: Final = 3


# The map ---------------------------------------------------------------------------------------------


class Hex(enum.Enum):
    """The hexes of the map: columns A to E from the left, numbered from the top."""

    A1 = "A1"
    A2 = "A2"
    A3 = "A3"
    B1 = "B1"
    B2 = "B2"
    B3 = "B3"
    B4 = "B4"
    C1 = "C1"
    C2 = "C2"
    C3 = "C3"
    C4 = "C4"
    C5 = "C5"
    D1 = "D1"
    D2 = "D2"
    D3 = "D3"
    D4 = "D4"
    E1 = "E1"
    E2 = "E2"
    E3 = "E3"


_RADIUS: Final = 2


def _axial_coordinates(place: Hex) -> tuple[int, int]:
    q = "ABCDE".index(place.value[0]) - _RADIUS
    return q, int(place.value[1]) - 1 + max(-_RADIUS, -_RADIUS - q)


AXIAL_COORDINATES: Final = {place: _axial_coordinates(place) for place in Hex}
"""Each hex's axial coordinates (q, r); hexes are flat-topped."""
_HEX_AT: Final = {axial: place for place, axial in AXIAL_COORDINATES.items()}

STEPS: Final = {1: (0, -1), 2: (1, -1), 3: (1, 0), 4: (0, 1), 5: (-1, 1), 6: (-1, 0)}
"""The wind rose: each face of a die and its step in axial coordinates, clockwise from up."""
FACES: Final = tuple(STEPS)


_NEIGHBOURS: Final = {
    (place, face): _HEX_AT.get((q + dq, r + dr))
    for place, (q, r) in AXIAL_COORDINATES.items()
    for face, (dq, dr) in STEPS.items()
}


def neighbour(place: Hex, face: int) -> Hex | None:
    """Return the hex that a die's face leads to; None: off the map."""
    return _NEIGHBOURS[place, face]


def neighbours_by_face(place: Hex) -> dict[int, Hex]:
    """Return the neighbours of a hex by the die's face that leads there."""
    return {face: end for face in FACES if (end := neighbour(place, face)) is not None}


class Map(NamedTuple):
    """The map for a number of players."""

    sites: tuple[Hex, ...]
    """Where factories can be built."""
    ice: tuple[Hex, ...]
    """Where no ship can sail."""
    ocean: tuple[Hex, ...]
    """Every other hex, in the order of ``Hex``."""


def _make_map(sites: tuple[Hex, ...], ice: tuple[Hex, ...] = ()) -> Map:
    return Map(sites, ice, tuple(place for place in Hex if place not in sites and place not in ice))


MAPS: Final = {
    2: _make_map((Hex.A2, Hex.E2), (Hex.E1, Hex.E3, Hex.A1, Hex.A3, Hex.C3)),
    3: _make_map((Hex.C1, Hex.E3, Hex.A3), (Hex.E1, Hex.C5, Hex.A1)),
    4: _make_map((Hex.A1, Hex.E1, Hex.E3, Hex.A3)),
}
SEA_STEPS: Final = {
    seat_count: {
        (place, face): end
        for (place, face), end in _NEIGHBOURS.items()
        if place in each.ocean and end in each.ocean
    }
    for seat_count, each in MAPS.items()
}
"""For each number of players the steps of ships: the tile that each tile and die's face lead to."""


def docks(seat_count: int, site: Hex) -> tuple[Hex, ...]:
    """Return the ocean tiles that touch a factory site."""
    around = {neighbour(site, face) for face in FACES}
    return tuple(place for place in MAPS[seat_count].ocean if place in around)


# A player's board ------------------------------------------------------------------------------------

SHIPS: Final = (1, 2)
"""The numbers of a seat's ships."""
ROWS: Final = SHIPS
"""The numbers of a seat's rows of dice, one for each ship."""
SHIP_CAPACITY: Final = 4
INITIAL_ROWS: Final = ((1, 1, 1), (1, 1))
"""The dice of the two rows at the start."""


class Card(enum.Enum):
    """The five action cards."""

    PLAN = "plan"
    MOVE = "move"
    LOAD = "load"
    ANALYZE = "analyze"
    UNLOAD = "unload"


def initial_columns(seat_count: int, turn_index: int) -> tuple[Card, ...]:
    """Return a seat's cards of columns 1 to 5, by its place in the turn order, counted from 0."""
    if turn_index == 0 or (seat_count == 4 and turn_index == 1):
        last_cards = (Card.LOAD, Card.MOVE, Card.PLAN)
    elif seat_count == 4 and turn_index == 3:
        last_cards = (Card.PLAN, Card.MOVE, Card.LOAD)
    else:
        last_cards = (Card.MOVE, Card.LOAD, Card.PLAN)
    return (Card.ANALYZE, Card.UNLOAD, *last_cards)


class FactoryLine(enum.Enum):
    """The lines of a factory, from the top."""

    H1 = "H1"
    H2 = "H2"
    R1 = "R1"
    R2 = "R2"
    R3 = "R3"
    R4 = "R4"
    R5 = "R5"
    R6 = "R6"


class FactoryLineFacts(NamedTuple):
    """A line: its slots, whether it is hatched, and the card that it flips when full."""

    slot_count: int
    hatched: bool = False
    flipped_card: Card | None = None


LINES: Final = {
    FactoryLine.H1: FactoryLineFacts(3, hatched=True),
    FactoryLine.H2: FactoryLineFacts(4, hatched=True, flipped_card=Card.ANALYZE),
    FactoryLine.R1: FactoryLineFacts(3),
    FactoryLine.R2: FactoryLineFacts(4, flipped_card=Card.PLAN),
    FactoryLine.R3: FactoryLineFacts(4, flipped_card=Card.MOVE),
    FactoryLine.R4: FactoryLineFacts(4, flipped_card=Card.LOAD),
    FactoryLine.R5: FactoryLineFacts(4, flipped_card=Card.UNLOAD),
    FactoryLine.R6: FactoryLineFacts(3),
}


class Block(enum.Enum):
    """The blocks of a factory: one opens the hatched lines, five bring a die."""

    LINE_OPENER = "U"
    DIE_1 = "D1"
    DIE_2 = "D2"
    DIE_3 = "D3"
    DIE_4 = "D4"
    DIE_5 = "D5"


BLOCKS: Final = {
    Block.LINE_OPENER: ((FactoryLine.R5, 2), (FactoryLine.R6, 2)),
    Block.DIE_1: ((FactoryLine.R3, 2), (FactoryLine.R4, 2)),
    Block.DIE_2: ((FactoryLine.R1, 2), (FactoryLine.R2, 2)),
    Block.DIE_3: ((FactoryLine.R4, 4), (FactoryLine.R5, 4)),
    Block.DIE_4: ((FactoryLine.R2, 4), (FactoryLine.R3, 4)),
    Block.DIE_5: ((FactoryLine.H1, 2), (FactoryLine.H2, 2)),
}
"""Each block's two lines, with the block's last slot on each; a block has two slots on a line."""

DIE_POINTS: Final = 5
"""Points at the end for each die gained."""
ABOARD_POINTS: Final = 1
"""Points at the end for each token still on a ship."""
TOKENS_TO_END: Final = 16
"""Processed tokens in one factory that end the game."""
ROUNDS_AFTER_CLEAN_OCEAN: Final = 3
"""Full rounds after the one in which ocean and bag became empty."""
QUIET_ROUNDS_TO_END: Final = 6
"""Full rounds without a token loaded, unloaded or analyzed, after which the game ends."""
QUIET_ROUNDS_TO_WARN: Final = 4
"""After so many quiet rounds in a row players are warned of the end."""
MAX_ROUNDS: Final = 80

ASSUMPTIONS: Final = (
    "the map: where factories and pack ice are for each number of players",
    "how many tokens there are of each plastic",
    "a ship's capacity of 4",
    "slots, blocks and logos of the factory's lines",
    "the cards' first columns by turn order",
    "what ends the game, except 16 processed tokens: a clean ocean, six rounds without activity, 80 rounds",
)
"""What this module assumes, in words for players: public sources do not show these numbers."""
