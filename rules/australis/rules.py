"""The rules of Australis: a state is a position, since nothing is hidden.

Rulings where the rulebook is silent: ``docs/rulings.md``.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from rules.australis import transitions
from rules.australis.actions import DrawFirstPlayer, RevealCards, RollCompetition, RollDice
from rules.australis.components import DIE_FACES, NUMBER_DIE_VALUES, Card
from rules.australis.model import AustralisOptions, AustralisView, Phase, Position
from rules.australis.mutable_position import CARD_INDEX, MutablePosition
from rules.australis.rounds import next_die_taker
from rules.australis.scoring import result
from rules.australis.setup import colours_to_roll, initial_position
from rules.model import SEAT_LETTERS, Action, OutcomeKind, Result, Seat
from rules.notation import parse_seat
from rules.random_stream import RandomStream

_OUTCOME_TYPE_BY_PHASE: Final[Mapping[Phase, type[Action]]] = {
    Phase.FIRST_PLAYER: DrawFirstPlayer,
    Phase.ROLL: RollDice,
    Phase.REVEAL: RevealCards,
    Phase.COMPETE: RollCompetition,
}


def initial_state(seat_count: int, options: AustralisOptions) -> Position:
    """Return the state before the first outcome of chance."""
    return initial_position(seat_count, options)


def to_act(state: Position) -> Seat | None:
    """Return the seat to act, CHANCE, or None at the end."""
    return state.to_act


def view(state: Position, viewer: Seat | None) -> AustralisView:
    """Return everything: nothing is hidden from anybody."""
    return AustralisView(state, viewer)


def without_turn(view: AustralisView) -> AustralisView:
    """Return a view in which it is nobody's turn any more: of a game that has ended early."""
    return replace(view, position=replace(view.position, to_act=None))


def sample_state(view: AustralisView, stream: RandomStream) -> Position:
    """Return the state that the view shows."""
    return view.position


def apply_action(state: Position, action: Action) -> Position:
    """Return the state after an action that is legal, or possible where chance acts."""
    return transitions.next_position(state, action)


def resign(state: Position, seat: Seat) -> Position:
    """Return the state after a seat resigned: the others play on."""
    return transitions.resign(state, seat)


def returns(state: Position) -> Result:
    """Return the final result."""
    return result(state)


def turn_number(view: AustralisView) -> int:
    """Return the number of the running turn; a choice of a tile belongs to the last turn of its round."""
    position = view.position
    return position.turn + 1 if position.phase is Phase.TAKE else position.turn


def seat_after_turn(view: AustralisView) -> Seat | None:
    """Return the seat that takes the next die of the round; None where that may be the only kind of die."""
    position = view.position
    if position.to_act is None or position.turns_left < 2:
        return None
    dice_counts = [len(board.dice) for board in position.boards]
    kind_count = len(set(position.dice))
    if position.active_die is None:
        dice_counts[position.to_act] += 1
        kind_count -= 1 in Counter(position.dice).values()
    return next_die_taker(MutablePosition(position), dice_counts) if kind_count > 1 else None


# Chance -----------------------------------------------------------------------------------------------


def next_outcome_kind(view: AustralisView) -> OutcomeKind:
    """Return the type of the next outcome of chance, and the seat that it is drawn for."""
    return OutcomeKind(_OUTCOME_TYPE_BY_PHASE[view.position.phase])


def _count_playing_seats(state: Position) -> int:
    """Return how many seats have not resigned."""
    return sum(not board.resigned for board in state.boards)


def sample_chance(state: Position, stream: RandomStream) -> Action:
    """Draw who begins, the dice of a round, cards for the display, or a roll of the competition."""
    match state.phase:
        case Phase.FIRST_PLAYER:
            return DrawFirstPlayer(parse_seat(stream.choose(SEAT_LETTERS[: len(state.boards)])))
        case Phase.ROLL:
            colours = colours_to_roll(_count_playing_seats(state))
            return RollDice(tuple([stream.choose(DIE_FACES[colour]) for colour in colours]))
        case Phase.REVEAL:
            return RevealCards(stream.sample_unordered(state.draw_pile, state.reveals_left))
        case Phase.COMPETE:
            assert state.competition is not None
            dice = state.competition.dice_left
            return RollCompetition(tuple([stream.choose(NUMBER_DIE_VALUES[colour]) for _, colour in dice]))
        case _:
            raise AssertionError("chance is not to act")


def is_possible(state: Position, action: Action) -> bool:
    """Whether an outcome of chance is possible now."""
    match state.phase, action:
        case Phase.FIRST_PLAYER, DrawFirstPlayer(seat=seat):
            return 0 <= seat < len(state.boards)
        case Phase.ROLL, RollDice(dice=dice):
            colours = colours_to_roll(_count_playing_seats(state))
            return len(dice) == len(colours) and all(
                die in DIE_FACES[colour] for die, colour in zip(dice, colours, strict=True)
            )
        case Phase.REVEAL, RevealCards(cards=cards):
            return len(cards) == state.reveals_left and _can_be_revealed(cards, state.draw_pile)
        case Phase.COMPETE, RollCompetition(values=values):
            assert state.competition is not None
            competing_dice = state.competition.dice_left
            return len(values) == len(competing_dice) and all(
                value in NUMBER_DIE_VALUES[colour]
                for value, (_, colour) in zip(values, competing_dice, strict=True)
            )
        case _:
            return False


def _can_be_revealed(cards: tuple[Card, ...], draw_pile: tuple[Card, ...]) -> bool:
    """Whether cards stand in the order of ``Card`` and are all in the draw pile."""
    if Counter(cards) - Counter(draw_pile):
        return False
    return cards == tuple(sorted(cards, key=CARD_INDEX.__getitem__))
