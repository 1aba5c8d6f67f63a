"""What the box of Australis holds: dice, cards, spaces, tables of points.

The rulebook shows several of these numbers in pictures only.  ``ASSUMPTIONS`` lists those that we chose;
``/rules`` shows the list.  Every other number is printed in the rulebook or follows from it.
"""

import enum
from collections.abc import Iterable
from typing import Final, NamedTuple


class Colour(enum.Enum):
    """The colours of the dice.  A card has the colour of the die that activates it."""

    WHITE = "white"
    YELLOW = "yellow"
    BLUE = "blue"
    PURPLE = "purple"
    RED = "red"


class Die(enum.Enum):
    """A die with the face that it shows; ``c`` are cards, ``p`` points (circles), ``f`` fish.

    ``RED`` names no face: the red die's face means nothing before the competition.
    """

    WHITE_1C3P = "white-1c3p"
    WHITE_1C2P = "white-1c2p"
    WHITE_2C1P = "white-2c1p"
    WHITE_2C = "white-2c"
    YELLOW_2F3P = "yellow-2f3p"
    YELLOW_3F2P = "yellow-3f2p"
    YELLOW_3F1P = "yellow-3f1p"
    YELLOW_4F1P = "yellow-4f1p"
    YELLOW_4F = "yellow-4f"
    YELLOW_5F = "yellow-5f"
    BLUE_2 = "blue-2"
    BLUE_3 = "blue-3"
    BLUE_4 = "blue-4"
    BLUE_5 = "blue-5"
    BLUE_6 = "blue-6"
    BLUE_7 = "blue-7"
    PURPLE_3 = "purple-3"
    PURPLE_4 = "purple-4"
    PURPLE_5 = "purple-5"
    PURPLE_6 = "purple-6"
    PURPLE_7 = "purple-7"
    PURPLE_8 = "purple-8"
    RED = "red"


class FaceFacts(NamedTuple):
    """What a die's face brings: cards, circles and fish, or a number (spaces, or the highest reef)."""

    colour: Colour
    number: int = 0
    card_count: int = 0
    circle_count: int = 0
    fish: int = 0


FACE_FACTS: Final = {
    Die.WHITE_1C3P: FaceFacts(Colour.WHITE, card_count=1, circle_count=3),
    Die.WHITE_1C2P: FaceFacts(Colour.WHITE, card_count=1, circle_count=2),
    Die.WHITE_2C1P: FaceFacts(Colour.WHITE, card_count=2, circle_count=1),
    Die.WHITE_2C: FaceFacts(Colour.WHITE, card_count=2),
    Die.YELLOW_2F3P: FaceFacts(Colour.YELLOW, fish=2, circle_count=3),
    Die.YELLOW_3F2P: FaceFacts(Colour.YELLOW, fish=3, circle_count=2),
    Die.YELLOW_3F1P: FaceFacts(Colour.YELLOW, fish=3, circle_count=1),
    Die.YELLOW_4F1P: FaceFacts(Colour.YELLOW, fish=4, circle_count=1),
    Die.YELLOW_4F: FaceFacts(Colour.YELLOW, fish=4),
    Die.YELLOW_5F: FaceFacts(Colour.YELLOW, fish=5),
    **{die: FaceFacts(Colour.BLUE, number) for number, die in enumerate(list(Die)[10:16], 2)},
    **{die: FaceFacts(Colour.PURPLE, number) for number, die in enumerate(list(Die)[16:22], 3)},
    Die.RED: FaceFacts(Colour.RED),
}
"""What each face brings."""

DIE_FACES: Final = {
    Colour.WHITE: (
        Die.WHITE_1C3P, Die.WHITE_1C2P, Die.WHITE_1C2P, Die.WHITE_2C1P, Die.WHITE_2C, Die.WHITE_2C,
    ),
    Colour.YELLOW: (
        Die.YELLOW_2F3P, Die.YELLOW_3F2P, Die.YELLOW_3F1P, Die.YELLOW_4F1P, Die.YELLOW_4F, Die.YELLOW_5F,
    ),
    Colour.BLUE: (Die.BLUE_2, Die.BLUE_3, Die.BLUE_4, Die.BLUE_5, Die.BLUE_6, Die.BLUE_7),
    Colour.PURPLE: (Die.PURPLE_3, Die.PURPLE_4, Die.PURPLE_5, Die.PURPLE_6, Die.PURPLE_7, Die.PURPLE_8),
    Colour.RED: (Die.RED,),
}  # fmt: skip
"""The six faces of a die of each colour; the red die has one, since its face means nothing on the board."""

NUMBER_DIE_VALUES: Final = {
    Colour.BLUE: (2, 3, 4, 5, 6, 7),
    Colour.PURPLE: (3, 4, 5, 6, 7, 8),
    Colour.RED: (4, 5, 6, 7, 8, 9),
}
"""The values on the six faces of each number die: only these dice are rolled in the competition."""

DICE_PER_PLAYER: Final = 4
"""Dice that each player takes in a round, one a turn."""
ROUND_COUNT: Final = 5


class CardFunction(enum.Enum):
    """What an advantage card does; ``COMPETITION``: +1 to each die of its colour in the competition."""

    POINTS = "points"
    FISH = "fish"
    TURTLE = "turtle"
    CORAL = "coral"
    COMPETITION = "competition"


_USUAL_CARD_ORDER: Final = (CardFunction.TURTLE, CardFunction.CORAL, CardFunction.FISH, CardFunction.POINTS)
"""The order in which kept cards of one colour are carried out unless their owner chooses another."""


class Card(enum.Enum):
    """The kinds of advantage cards: the colour of the die that activates it, and its function."""

    WHITE_POINTS = "white-points"
    WHITE_FISH = "white-fish"
    WHITE_TURTLE = "white-turtle"
    WHITE_CORAL = "white-coral"
    YELLOW_POINTS = "yellow-points"
    YELLOW_FISH = "yellow-fish"
    YELLOW_TURTLE = "yellow-turtle"
    YELLOW_CORAL = "yellow-coral"
    BLUE_POINTS = "blue-points"
    BLUE_FISH = "blue-fish"
    BLUE_TURTLE = "blue-turtle"
    BLUE_CORAL = "blue-coral"
    PURPLE_POINTS = "purple-points"
    PURPLE_FISH = "purple-fish"
    PURPLE_TURTLE = "purple-turtle"
    PURPLE_CORAL = "purple-coral"
    BLUE_COMPETITION = "blue-competition"
    PURPLE_COMPETITION = "purple-competition"
    RED_COMPETITION = "red-competition"


class CardFacts(NamedTuple):
    """A kind of card: which die activates it, what it does, and how many copies there are.

    ``shell_copy_count``: the further copies with a shell, for four players only.
    """

    colour: Colour
    function: CardFunction
    copy_count: int
    shell_copy_count: int


def _make_card_facts() -> dict[Card, CardFacts]:
    functions = (CardFunction.POINTS, CardFunction.FISH, CardFunction.TURTLE, CardFunction.CORAL)
    copies_by_colour = {  # for each function: copies, copies with a shell
        Colour.WHITE: ((2, 1), (2, 0), (1, 1), (1, 1)),
        Colour.YELLOW: ((1, 1), (2, 1), (2, 0), (1, 1)),
        Colour.BLUE: ((1, 1), (1, 1), (2, 1), (2, 0)),
        Colour.PURPLE: ((2, 0), (1, 1), (1, 1), (2, 1)),
    }
    facts_by_card = {
        Card(f"{colour.value}-{function.value}"): CardFacts(colour, function, *copies)
        for colour, copies_by_function in copies_by_colour.items()
        for function, copies in zip(functions, copies_by_function, strict=True)
    }
    for colour in NUMBER_DIE_VALUES:
        card = Card(f"{colour.value}-{CardFunction.COMPETITION.value}")
        facts_by_card[card] = CardFacts(colour, CardFunction.COMPETITION, 2, 1)
    return facts_by_card


CARD_FACTS: Final = _make_card_facts()
"""The facts of each kind of card, in the order of ``Card``."""
COMPETITION_CARDS: Final = {
    Colour.BLUE: Card.BLUE_COMPETITION,
    Colour.PURPLE: Card.PURPLE_COMPETITION,
    Colour.RED: Card.RED_COMPETITION,
}
"""The card that adds 1 to each die of a colour in the competition."""

DISPLAY_SIZE: Final = 6
"""Cards that lie open for white dice."""
MAX_CARDS_PER_COLOUR: Final = 3
"""The most advantage cards under one colour of a sea board."""
CARD_POINTS: Final = 2
"""What a card of the function ``POINTS`` brings: it shows two circles, a point each."""


def deck(seat_count: int) -> tuple[Card, ...]:
    """Return all cards of a table, in the order of ``Card``: 45 for four players, else 30."""
    return tuple(
        card
        for card, facts in CARD_FACTS.items()
        for _ in range(facts.copy_count + (facts.shell_copy_count if seat_count == 4 else 0))
    )


def in_usual_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return kept cards in the order in which they are usually carried out."""
    return tuple(sorted(cards, key=lambda card: _USUAL_CARD_ORDER.index(CARD_FACTS[card].function)))


class ReefFacts(NamedTuple):
    """A coral reef: the spaces of its section of the track, and its points."""

    first_space: int
    last_space: int
    first_place_points: int
    second_place_points: int


REEFS: Final = {
    3: ReefFacts(0, 3, 1, 0),
    4: ReefFacts(4, 6, 2, 0),
    5: ReefFacts(7, 9, 2, 1),
    6: ReefFacts(10, 12, 3, 1),
    7: ReefFacts(13, 15, 4, 2),
    8: ReefFacts(16, 18, 5, 3),
}
"""The reefs by their printed number, the lowest first."""
LOWEST_REEF: Final = min(REEFS)

LAST_SPACE: Final = 18
CUBE_SPACES: Final = (5, 11, 15)
"""The spaces where each player's own cubes lie at the start."""
GREY_SPACE: Final = 17
"""The space where the grey cubes of the track lie: two with four players, else one."""
GREY_CUBE_SUPPLY: Final = 3
"""The grey cubes beside the board, one for the silver tile of each of the first three rounds."""
LAST_ROUND_WITH_CUBE: Final = 3
"""The last round in which the silver tile brings a grey cube."""
CUBE_SLOT_COUNT: Final = 6
"""The slots for cubes on a player's food track."""
CORALS_PER_PLAYER: Final = 16
"""A player's corals."""


class School(NamedTuple):
    """What a school of fish needs and brings, by its number of cubes."""

    fish: int
    points: int


SCHOOLS: Final = (School(3, 1), School(6, 3), School(10, 7), School(15, 12), School(21, 18), School(28, 25))
"""The schools of fish by their number of cubes, one first."""


class TileColour(enum.Enum):
    """The two piles of competition tiles."""

    GOLD = "gold"
    SILVER = "silver"


OTHER_TILE: Final = {TileColour.GOLD: TileColour.SILVER, TileColour.SILVER: TileColour.GOLD}
TILE_POINTS: Final = {TileColour.GOLD: (7, 8, 9, 12, 15), TileColour.SILVER: (3, 4, 5, 7, 9)}
"""The tiles' points by round."""

ASSUMPTIONS: Final = (
    "the faces of white and yellow dice",
    "one face of each number on blue, purple and red dice",
    "the points of the reefs 3, 4, 6, 7 and 8",
    "the last space, 18",
    "fish and points of schools with one, four, five and six cubes, and the fish for three cubes",
    "the silver tiles after the first",
    "how many advantage cards there are of each colour and function",
)
"""What this module assumes, in words for players: public sources do not show these numbers."""


def reef_of_space(space: int) -> int:
    """Return the number of the reef whose section a space belongs to."""
    return next(reef for reef, facts in REEFS.items() if facts.first_space <= space <= facts.last_space)
