"""Build any position of Australis in a line or two, and act on it in notation."""

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from rules.australis import AUSTRALIS
from rules.australis.actions import RollDice
from rules.australis.components import (
    CORALS_PER_PLAYER,
    CUBE_SPACES,
    DICE_PER_PLAYER,
    DISPLAY_SIZE,
    GREY_SPACE,
    Card,
    Colour,
    Die,
    deck,
)
from rules.australis.model import AustralisOptions, FirstPlayer, Phase, Position, SeaBoard, Tally, Tile
from rules.australis.mutable_position import CARD_INDEX, DIE_INDEX
from rules.australis.scoring import REEF_INDEX
from rules.model import Action, Seat
from rules.notation import Notation
from tests.rules.state_driver import StateDriver

NAMES = ("Ava", "Ben", "Chloé", "Dimitri")
NOTATION = Notation(AUSTRALIS)
HOST_BEGINS_OPTIONS = AustralisOptions(first_player=FirstPlayer.HOST)


def _may_appear(_position: Position, action: Action, piece: object) -> bool:
    """Whether an action brings a piece to the table: a roll brings all dice, also those not built before."""
    return isinstance(action, RollDice) and isinstance(piece, Colour)


_DRIVER = StateDriver(AUSTRALIS, _may_appear)
round_trip = _DRIVER.round_trip
legal_choices = _DRIVER.legal_choices
legal_texts = _DRIVER.legal_texts
act = _DRIVER.act
resolve_chance = _DRIVER.resolve_chance
resign_seat = _DRIVER.resign_seat
events = _DRIVER.events
trail_types = _DRIVER.trail_types


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as "blue-turtle white-fish", in the order of ``Card``."""
    return tuple(sorted(map(Card, text.split()), key=CARD_INDEX.__getitem__))


def parse_dice(text: str) -> tuple[Die, ...]:
    """Return the dice of a text such as "blue-6 red"."""
    return tuple(map(Die, text.split()))


def make_board(
    *,
    turtle: int = 0,
    cards: str = "",
    corals: Mapping[int, int] | None = None,
    fish: int = 0,
    cube_count: int = 1,
    dice: str = "",
    took_grey_cube: bool | None = None,
    tiles: tuple[Tile, ...] = (),
    points: int = 0,
) -> SeaBoard:
    """Build a seat's board; ``corals``: how many are on each reef, by number; the others are the supply."""
    counts = [0] * len(REEF_INDEX)
    for reef, count in (corals or {}).items():
        counts[REEF_INDEX[reef]] = count
    return SeaBoard(
        tally=Tally(circles=points),
        turtle_space=turtle,
        coral_supply=CORALS_PER_PLAYER - sum(counts),
        coral_counts=tuple(counts),
        fish=fish,
        cube_count=cube_count,
        own_cube_spaces=tuple(space for space in CUBE_SPACES if space > turtle),
        took_grey_cube=turtle >= GREY_SPACE if took_grey_cube is None else took_grey_cube,
        cards=parse_cards(cards),
        dice=parse_dice(dice),
        tiles=tiles,
    )


def make_position(
    *boards: SeaBoard,
    dice: str = "red",
    player: int = 0,
    starter: int = 0,
    round_number: int = 1,
    display: str | None = None,
    draw_pile: str | None = None,
    discard_pile: str = "",
    turtle_track_grey_cube_count: int = 0,
    token_holder: int | None = None,
    turns_left: int | None = None,
) -> Position:
    """Build a position at the start of ``player``'s turn.

    The display is six kinds of cards that are named nowhere, unless it is given; the draw pile is the rest.
    If ``draw_pile`` is given, only the cards that are named are in the game.
    """
    seat_count = len(boards)
    cards_left = Counter(deck(seat_count))
    discarded_cards = parse_cards(discard_pile)
    cards_left.subtract([card for board in boards for card in board.cards])
    cards_left.subtract(discarded_cards)
    display_cards = (
        tuple(card for card in Card if cards_left[card] > 0)[:DISPLAY_SIZE]
        if display is None
        else parse_cards(display)
    )
    cards_left.subtract(display_cards)
    assert draw_pile is not None or min(cards_left.values()) >= 0, "a card too many"
    pile_cards = (
        tuple(card for card in Card for _ in range(cards_left[card]))
        if draw_pile is None
        else parse_cards(draw_pile)
    )
    taken_dice_count = sum(len(board.dice) for board in boards)
    position = Position(
        options=AustralisOptions(),
        phase=Phase.TAKE,
        to_act=Seat(player),
        boards=boards,
        round=round_number,
        starter=Seat(starter),
        turns_left=DICE_PER_PLAYER * seat_count - taken_dice_count if turns_left is None else turns_left,
        token_holder=None if token_holder is None else Seat(token_holder),
        dice=tuple(sorted(parse_dice(dice), key=DIE_INDEX.__getitem__)),
        display=display_cards,
        draw_pile=pile_cards,
        discard_pile=discarded_cards,
        turtle_track_grey_cube_count=turtle_track_grey_cube_count,
        grey_cube_supply=max(0, 4 - round_number),
    )
    return round_trip(position)


def make_last_turn_position(*boards: SeaBoard, dice: str, player: int = 0, **changes: object) -> Position:
    """Build a position at a round's last turn, however many dice were taken; ``changes``: other fields."""
    position = make_position(*boards, dice=dice, player=player, turns_left=1)
    return round_trip(replace(position, **changes))


TAKING_DIE = make_position(make_board(), make_board(turtle=1), dice="blue-2 blue-5 purple-3 red")
PICKING_CARD = act(
    make_position(
        make_board(cards="blue-fish blue-points blue-coral purple-competition white-fish"),
        make_board(turtle=1),
        dice="white-1c2p red",
        display="blue-turtle white-fish purple-competition red-competition",
    ),
    "take white-1c2p",
)
PLACING_CORAL = act(make_position(make_board(), make_board(turtle=1), dice="purple-5 red"), "take purple-5")
MOVING_CORAL = act(
    make_position(make_board(corals={3: 8, 4: 8}), make_board(turtle=1), dice="purple-5 red"), "take purple-5"
)
"""What the first seat has to choose in each of these positions."""
TAKING_LAST_DIE = make_last_turn_position(
    make_board(turtle=9, cards="red-competition", dice="blue-2 yellow-4f white-2c"),
    make_board(turtle=4, cards="blue-competition red-competition", dice="blue-3 blue-4 purple-3 white-2c"),
    make_board(turtle=6, cards="purple-competition", dice="purple-4 purple-5 yellow-4f white-2c"),
    dice="red blue-6",
)
"""The first seat takes the last die of a round, before the rulebook's worked example of the competition."""
COMPETITION_ROLLS = (
    "compete 3,6,3,5,5,6,4",
    "compete 5,2,6,3,4,7",
    "compete 7,4,5,6",
    "compete 4,3,8",
    "compete 6,7",
)
"""The rolls of the rulebook's worked example of the competition, after "take red" in ``TAKING_LAST_DIE``."""
