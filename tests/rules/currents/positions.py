"""Build any state of Currents in a line or two, and act on it in notation."""

from collections.abc import Sequence

from rules.currents import CURRENTS
from rules.currents.board import GEOMETRIES
from rules.currents.components import DECK_INDEX, Axis, Card, Point
from rules.currents.model import (
    BoardShape,
    CurrentsOptions,
    CurrentsView,
    FirstPlayer,
    Phase,
    Position,
    deck,
)
from rules.currents.rules import State
from rules.model import CHANCE, Seat
from rules.notation import Notation
from tests.rules.state_driver import StateDriver

NAMES = ("Ava", "Ben", "Chloé", "Dimitri")
NOTATION = Notation(CURRENTS)
DEFAULT_OPTIONS = CurrentsOptions()
TRIANGLE_OPTIONS = CurrentsOptions(board=BoardShape.TRIANGLE)
HOST_BEGINS_OPTIONS = CurrentsOptions(first_player=FirstPlayer.HOST)
COMBO_OPTIONS = CurrentsOptions(combo=True, jokers=True)
ACES_COMPASS = "AH AD AC AS"
"""Hearts north, diamonds east, clubs south, spades west."""
_DRIVER = StateDriver(CURRENTS)
round_trip = _DRIVER.round_trip
legal_choices = _DRIVER.legal_choices
act = _DRIVER.act
resolve_chance = _DRIVER.resolve_chance


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as "5C 10H"."""
    return tuple(Card(word) for word in text.split())


def make_state(
    *,
    compass: str = ACES_COMPASS,
    currents: str = "",
    pawn: Point | None = None,
    hands: Sequence[str] = (),
    player: int = 0,
    seat_count: int = 4,
    options: CurrentsOptions = DEFAULT_OPTIONS,
    discard_pile: str = "",
    draw_pile: str | None = None,
    axis: Axis = Axis.NORTH_SOUTH,
    turn: int = 1,
) -> State:
    """Build a state in the middle of ``player``'s turn, the draw done.

    ``compass`` names a card or "-" for each place in order, ``currents`` is "N1 5H, W2 KD".  All other cards
    are the draw pile, unless ``draw_pile`` says otherwise (then they are in the discard pile).
    """
    geometry = GEOMETRIES[options.board]
    compass_cards = tuple(None if word == "-" else Card(word) for word in compass.split())
    slots: list[Card | None] = [None] * len(geometry.slots)
    for item in filter(None, currents.split(",")):
        slot, card = item.split()
        slots[geometry.slot_index[slot]] = Card(card)
    hand_cards = [tuple(sorted(parse_cards(hand), key=DECK_INDEX.__getitem__)) for hand in hands]
    hand_cards += [()] * (seat_count - len(hand_cards))
    discarded_cards = parse_cards(discard_pile)
    placed_cards = [
        card
        for card in (
            *compass_cards,
            *slots,
            *discarded_cards,
            *(card for hand in hand_cards for card in hand),
        )
        if card
    ]
    assert len(set(placed_cards)) == len(placed_cards), "a card is named twice"
    unplaced_cards = tuple(card for card in deck(options) if card not in placed_cards)
    draw_pile_cards = unplaced_cards
    if draw_pile is not None:
        named_cards = parse_cards(draw_pile)
        draw_pile_cards = tuple(card for card in unplaced_cards if card in named_cards)
        discarded_cards += tuple(card for card in unplaced_cards if card not in named_cards)
    position = Position(
        options=options,
        seat_count=seat_count,
        phase=Phase.PLAY,
        to_act=Seat(player),
        current_player=Seat(player),
        first_player=Seat(0),
        axis=axis if seat_count == 2 else None,
        turn=turn,
        aces=(),
        compass=compass_cards,
        currents=tuple(slots),
        discard_pile=discarded_cards,
        draw_pile_size=len(draw_pile_cards),
        hand_sizes=tuple(len(hand) for hand in hand_cards),
        pawn=geometry.start if pawn is None else pawn,
        target=None,
        exits=(),
        winner=None,
    )
    return round_trip(State(position, tuple(hand_cards), draw_pile_cards))


DEFENCE_STATE = act(
    make_state(currents="N1 5H, N2 6H", pawn=(4, 0), hands=("7S 8S", "", "2C 3C 9D", "")), "discard 7S"
)
"""Chloé may stop the pawn at the north edge with two clubs."""
MIDGAME_STATE = make_state(compass="AH KD AC AS", currents="N0 9H, N1 AD", hands=("2C 10D JH QS", "3H"))
"""Ava's turn, with two currents on the board."""


def actor_view(state: State) -> CurrentsView:
    """Return the view of the seat to act."""
    seat = state.position.to_act
    assert seat is not None
    assert seat != CHANCE
    return CURRENTS.view(state, seat)


def is_legal(state: State, text: str) -> bool:
    """Whether this action, in notation, is legal now."""
    return NOTATION.parse(text) in legal_choices(state)


def refusal_text(state: State, text: str) -> str:
    """Return the refusal of an illegal action to the seat to act."""
    action = NOTATION.parse(text)
    assert action not in legal_choices(state), f"{text} is legal"
    return CURRENTS.words.refusal(actor_view(state), action, NAMES)


def preview_text(state: State, text: str) -> str:
    """Return the preview of a legal action."""
    action = NOTATION.parse(text)
    assert action in legal_choices(state)
    preview = CURRENTS.words.preview(actor_view(state), action, NAMES)
    assert preview is not None
    return preview


def card_at(position: Position, spot: str) -> Card | None:
    """Return the card on a compass place or slot."""
    geometry = GEOMETRIES[position.options.board]
    if spot in geometry.place_index:
        return position.compass[geometry.place_index[spot]]
    return position.currents[geometry.slot_index[spot]]
