"""A turn of the dice selection: take a die, carry out its kept cards, then the die, and refill the display.

A turn stops where its seat has a choice: in which order cards come, which reef gets a coral, which card is
picked.  ``_activate_cards``, ``_carry_out_die``, ``_ask_for_pick_or_end_turn`` and ``start_next_turn`` follow
each other; the answer to a choice continues where the turn stopped.
"""

from rules.australis import effects
from rules.australis.competition import start_competition
from rules.australis.components import (
    CARD_FACTS,
    CARD_POINTS,
    FACE_FACTS,
    Card,
    CardFunction,
    Colour,
    Die,
    in_usual_order,
    reef_of_space,
)
from rules.australis.display import add_drawn_cards, fill_display
from rules.australis.events import (
    CardActivated,
    CardKept,
    CardUsed,
    DieTaken,
    EffectSource,
    NoCoralMoved,
    PickLost,
    TokenTaken,
)
from rules.australis.legal import COLOUR_KEPT_UNDER, can_pick
from rules.australis.model import Phase
from rules.australis.movement import occupied_spaces, target_space
from rules.australis.mutable_position import MutablePosition, add_card
from rules.australis.rounds import next_die_taker, start_round
from rules.australis.scoring import score_round


def roll_dice(position: MutablePosition, dice: tuple[Die, ...]) -> None:
    """Begin a round with the dice that were rolled, and its first turn unless cards must be drawn first."""
    if not start_round(position, dice):
        start_next_turn(position)


def take_die(position: MutablePosition, die: Die) -> None:
    """Take a die from the board and carry out the kept cards of its colour, then what follows."""
    seat = position.seat_to_act
    board = position.boards[seat]
    position.dice.remove(die)
    position.change_board(seat, dice=(*board.dice, die))
    position.active_die = die
    position.turn += 1
    colour = FACE_FACTS[die].colour
    position.cards_to_activate = [card for card in board.cards if COLOUR_KEPT_UNDER[card] is colour]
    position.trail.append(DieTaken(seat, die))
    _activate_cards(position)


# Kept cards -------------------------------------------------------------------------------------------


def activate_card(position: MutablePosition, card: Card) -> None:
    """Carry out the card that the seat chose, then what follows."""
    if not _carry_out_kept_card(position, card):
        _activate_cards(position)


def activate_all(position: MutablePosition) -> None:
    """Carry out the waiting cards in the usual order, then what follows.

    The turtle card comes first.  After it the order matters no longer, so the others follow by themselves.
    """
    activate_card(position, _next_card(position))


def _activate_cards(position: MutablePosition) -> None:
    """Carry out the waiting cards in the usual order until the seat has a choice, then the die."""
    while position.cards_to_activate:
        if _order_matters(position):
            position.phase = Phase.ACTIVATE
            return
        if _carry_out_kept_card(position, _next_card(position)):
            return
    _carry_out_die(position)


def _next_card(position: MutablePosition) -> Card:
    return in_usual_order(position.cards_to_activate)[0]


def _carry_out_kept_card(position: MutablePosition, card: Card) -> bool:
    """Carry out a kept card; return whether the seat is asked for a reef."""
    position.cards_to_activate.remove(card)
    position.trail.append(CardActivated(position.seat_to_act, card))
    return _carry_out_card(position, card, EffectSource.KEPT_CARD)


def _order_matters(position: MutablePosition) -> bool:
    """Whether a waiting turtle card would change the reefs that a waiting coral card allows."""
    functions = {CARD_FACTS[card].function for card in position.cards_to_activate}
    if not {CardFunction.TURTLE, CardFunction.CORAL} <= functions:
        return False
    space = position.boards[position.seat_to_act].turtle_space
    assert space is not None
    return reef_of_space(target_space(occupied_spaces(position.boards), space, 1)) != reef_of_space(space)


def _carry_out_card(position: MutablePosition, card: Card, source: EffectSource) -> bool:
    """Carry out a card; return whether the seat is asked for a reef.

    Raises TypeError for a competition card.
    """
    seat = position.seat_to_act
    match CARD_FACTS[card].function:
        case CardFunction.POINTS:
            effects.gain_points(position, seat, CARD_POINTS, source)
        case CardFunction.FISH:
            effects.catch_fish(position, seat, 1, source)
        case CardFunction.TURTLE:
            effects.move_turtle(position, seat, 1, source)
        case CardFunction.CORAL:
            turtle = position.boards[seat].turtle_space
            assert turtle is not None
            return effects.place_coral_or_ask(position, seat, reef_of_space(turtle), source)
        case CardFunction.COMPETITION:
            raise TypeError("a competition card is not carried out")
    return False


# The die ----------------------------------------------------------------------------------------------


def _carry_out_die(position: MutablePosition) -> None:
    seat, face = position.seat_to_act, position.active_face
    effects.gain_points(position, seat, face.circle_count, EffectSource.DIE)
    match face.colour:
        case Colour.WHITE:
            position.picks_left = face.card_count
            _ask_for_pick_or_end_turn(position)
            return
        case Colour.YELLOW:
            effects.catch_fish(position, seat, face.fish, EffectSource.DIE)
        case Colour.BLUE:
            effects.move_turtle(position, seat, face.number, EffectSource.DIE)
        case Colour.PURPLE:
            if effects.place_coral_or_ask(position, seat, face.number, EffectSource.DIE):
                return
        case Colour.RED:
            position.token_holder = seat
            position.trail.append(TokenTaken(seat))
    start_next_turn(position)


def place_coral(position: MutablePosition, reef: int) -> None:
    """Place a coral of the supply, then what follows."""
    effects.place_coral(position, position.seat_to_act, reef, _coral_source(position))
    _continue_after_coral(position)


def move_coral(position: MutablePosition, start: int, end: int) -> None:
    """Move a coral from one reef to another, then what follows."""
    effects.move_coral(position, position.seat_to_act, start, end, _coral_source(position))
    _continue_after_coral(position)


def leave_corals(position: MutablePosition) -> None:
    """Move no coral, then what follows."""
    position.trail.append(NoCoralMoved(position.seat_to_act))
    _continue_after_coral(position)


def _coral_source(position: MutablePosition) -> EffectSource:
    assert position.coral_source is not None
    return position.coral_source


def _continue_after_coral(position: MutablePosition) -> None:
    source = _coral_source(position)
    position.coral_source = None
    match source:
        case EffectSource.KEPT_CARD:
            _activate_cards(position)
        case EffectSource.USED_CARD:
            _ask_for_pick_or_end_turn(position)
        case EffectSource.DIE:
            start_next_turn(position)


# Picking cards ----------------------------------------------------------------------------------------


def _ask_for_pick_or_end_turn(position: MutablePosition) -> None:
    """Ask for the next pick if one is left and possible, else refill the display and end the turn."""
    cards = position.boards[position.seat_to_act].cards
    if position.picks_left and any(can_pick(cards, card) for card in position.display):
        position.phase = Phase.PICK
        return
    position.trail += [PickLost(position.seat_to_act)] * position.picks_left
    position.picks_left = 0
    if not fill_display(position):
        start_next_turn(position)


def keep_card(position: MutablePosition, card: Card) -> None:
    """Keep a card of the display, then what follows."""
    seat = position.seat_to_act
    _take_from_display(position, card)
    position.change_board(seat, cards=add_card(position.boards[seat].cards, card))
    position.trail.append(CardKept(seat, card))
    _ask_for_pick_or_end_turn(position)


def use_card(position: MutablePosition, card: Card) -> None:
    """Discard a card of the display and carry it out, then what follows."""
    _take_from_display(position, card)
    position.discard((card,))
    position.trail.append(CardUsed(position.seat_to_act, card))
    if not _carry_out_card(position, card, EffectSource.USED_CARD):
        _ask_for_pick_or_end_turn(position)


def _take_from_display(position: MutablePosition, card: Card) -> None:
    position.display.remove(card)
    position.picks_left -= 1


# From turn to turn ------------------------------------------------------------------------------------


def reveal_cards(position: MutablePosition, cards: tuple[Card, ...]) -> None:
    """Add the cards that chance drew to the display; a turn that waited for them is over."""
    add_drawn_cards(position, cards)
    start_next_turn(position)


def start_next_turn(position: MutablePosition) -> None:
    """End the running turn, if there is one, and begin the next; after the last one score the round."""
    if position.active_die is not None:
        position.active_die = None
        position.turns_left -= 1
    if position.turns_left:
        dice_counts = [len(board.dice) for board in position.boards]
        position.set_phase(Phase.TAKE, next_die_taker(position, dice_counts))
    else:
        score_round(position)
        start_competition(position)
