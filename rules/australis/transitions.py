"""What each action does to a position: the one place where actions meet the rules."""

from rules.australis import competition, resigning, setup, turn
from rules.australis.actions import (
    ActivateAll,
    ActivateCard,
    ChooseTile,
    DrawFirstPlayer,
    KeepCard,
    LeaveCorals,
    MoveCoral,
    PlaceCoral,
    RevealCards,
    RollCompetition,
    RollDice,
    TakeDie,
    UseCard,
)
from rules.australis.model import Position
from rules.australis.mutable_position import MutablePosition
from rules.model import Action, Seat


def next_position(position: Position, action: Action) -> Position:
    """Return the position after an action that is legal, or possible where chance acts.

    Raises TypeError for an action of another game.
    """
    after = MutablePosition(position)
    match action:
        case TakeDie(die=die):
            turn.take_die(after, die)
        case ActivateCard(card=card):
            turn.activate_card(after, card)
        case ActivateAll():
            turn.activate_all(after)
        case PlaceCoral(reef=reef):
            turn.place_coral(after, reef)
        case MoveCoral(start=start, end=end):
            turn.move_coral(after, start, end)
        case LeaveCorals():
            turn.leave_corals(after)
        case KeepCard(card=card):
            turn.keep_card(after, card)
        case UseCard(card=card):
            turn.use_card(after, card)
        case RevealCards(cards=cards):
            turn.reveal_cards(after, cards)
        case RollCompetition(values=values):
            competition.resolve_roll(after, values)
        case ChooseTile(tile=tile):
            competition.choose_tile(after, tile)
        case RollDice(dice=dice):
            turn.roll_dice(after, dice)
        case DrawFirstPlayer(seat=seat):
            setup.finish_setup(after, seat)
        case _:
            raise TypeError(f"{type(action).__name__} is no action of Australis")
    return after.freeze()


def resign(position: Position, seat: Seat) -> Position:
    """Return the position after a seat resigned."""
    after = MutablePosition(position)
    resigning.resign(after, seat)
    return after.freeze()
