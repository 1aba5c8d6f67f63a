"""The transitions of the public position: set-up, turn, drift, goaltending.

Each function takes a ``Position`` and returns the next one, with the events of this action as its ``trail``.
``rules.currents.rules`` adds the hands; previews use the same functions.
"""

from typing import Final, TypeAlias, TypeVar

from msgspec.structs import replace

from rules.currents.actions import (
    CallJack,
    CallJoker,
    CallKing,
    CallQueen,
    DiscardCard,
    JokerShuffle,
    PlaceAce,
    PlayCompass,
    PlayCurrent,
)
from rules.currents.board import GEOMETRIES, Geometry
from rules.currents.components import ACES, HAND_SIZE, OPENING_HAND_SIZE, Axis, Card, Point, Rotation
from rules.currents.drift import compute_drift, defending_suits
from rules.currents.events import (
    AceLeftOver,
    AnyEvent,
    AxisChosen,
    CompassCardSet,
    CompassCardTaken,
    CompassTurned,
    CurrentSet,
    CurrentsSwapped,
    Dealt,
    Discarded,
    ExitThreatened,
    FirstPlayerSet,
    JokerCalled,
    JokerShuffled,
    PawnDrifted,
    PawnLeft,
    PawnStopped,
    Reshuffled,
)
from rules.currents.jokers import called_joker, shuffled_spots
from rules.currents.model import CurrentsOptions, Exit, FirstPlayer, Phase, Position, deck
from rules.model import CHANCE, Action, Seat

T = TypeVar("T")
Trail: TypeAlias = tuple[AnyEvent, ...]
PLAY_TYPES: Final = (PlayCompass, PlayCurrent, CallJack, CallQueen, CallKing, CallJoker, DiscardCard)
"""The types of actions that are plays, of which each turn has one."""


def initial_position(seat_count: int, options: CurrentsOptions) -> Position:
    """Return the position before the first deal: the aces are set aside, the pawn is in the middle."""
    geometry = GEOMETRIES[options.board]
    return Position(
        options=options,
        seat_count=seat_count,
        phase=Phase.DEAL,
        to_act=CHANCE,
        current_player=Seat(0),
        first_player=None,
        axis=None,
        turn=0,
        aces=ACES,
        compass=(None,) * len(geometry.places),
        currents=(None,) * len(geometry.slots),
        discard_pile=(),
        draw_pile_size=len(deck(options)) - len(ACES),
        hand_sizes=(0,) * seat_count,
        pawn=geometry.start,
        target=None,
        exits=(),
        winner=None,
    )


# Set-up ---------------------------------------------------------------------------------------------


def next_deal(position: Position) -> tuple[Seat, int]:
    """Return who gets cards now and how many; 0: the discard pile must become the draw pile first."""
    if position.phase is Phase.DEAL:
        return Seat(position.hand_sizes.index(0)), OPENING_HAND_SIZE
    seat = position.current_player
    return seat, min(HAND_SIZE - position.hand_sizes[seat], position.draw_pile_size)


def deal(position: Position, seat: Seat, count: int) -> Position:
    """Move cards from the draw pile to a hand."""
    hand_sizes = _replace_at(position.hand_sizes, seat, position.hand_sizes[seat] + count)
    trail = (Dealt(seat, count),)
    draw_pile_size = position.draw_pile_size - count
    position = replace(position, hand_sizes=hand_sizes, draw_pile_size=draw_pile_size, trail=trail)
    if position.phase is not Phase.DEAL:
        phase, to_act = _draw_or_play_phase(position, seat)
        return replace(position, phase=phase, to_act=to_act)
    if 0 in hand_sizes:
        return position
    if position.options.first_player is FirstPlayer.HOST:
        return set_first_player(position, Seat(0), trail)
    return replace(position, phase=Phase.FIRST_PLAYER)


def set_first_player(position: Position, seat: Seat, trail: Trail = ()) -> Position:
    """Set the first player, whom chance or the options named, and begin the set-up of the compass."""
    has_two_seats = position.seat_count == 2
    return replace(
        position,
        first_player=seat,
        current_player=seat,
        phase=Phase.AXIS if has_two_seats else Phase.ACES,
        to_act=seat if has_two_seats else _next_placer(position, seat),
        trail=(*trail, FirstPlayerSet(seat)),
    )


def choose_axis(position: Position, axis: Axis) -> Position:
    """Set the goals of two players; the second player then lays the first aces."""
    first_player = position.current_player
    return replace(
        position,
        axis=axis,
        phase=Phase.ACES,
        to_act=_next_placer(position, first_player),
        trail=(AxisChosen(first_player, axis),),
    )


def place_ace(position: Position, action: PlaceAce) -> Position:
    """Lay an ace on the compass; the last one starts the first turn."""
    index = GEOMETRIES[position.options.board].place_index[action.place]
    compass = _replace_at(position.compass, index, action.ace)
    aces = tuple(ace for ace in position.aces if ace != action.ace)
    trail: Trail = (CompassCardSet(action.place, action.ace),)
    first_player = position.current_player
    if None in compass:
        position = replace(position, compass=compass, aces=aces, trail=trail)
        return replace(position, to_act=_next_placer(position, first_player))
    trail += tuple(AceLeftOver(ace) for ace in aces)
    position = replace(position, compass=compass, aces=(), discard_pile=position.discard_pile + aces)
    return _begin_turn(position, first_player, trail)


def _next_placer(position: Position, first_player: Seat) -> Seat:
    return ace_placers(position, first_player)[sum(card is not None for card in position.compass)]


def ace_placers(position: Position, first_player: Seat) -> tuple[Seat, ...]:
    """Return who lays each ace: from the first player's right on, so that the first player is last (R1).

    With two players each lays two aces in a row.
    """
    aces_in_a_row = 2 if position.seat_count == 2 else 1
    return tuple(
        Seat((first_player - 1 - laid_count // aces_in_a_row) % position.seat_count)
        for laid_count in range(len(position.compass))
    )


# Draw and play --------------------------------------------------------------------------------------


def _begin_turn(position: Position, seat: Seat, trail: Trail) -> Position:
    """Begin a seat's turn, unless the turn cap is reached: then nobody wins."""
    turn = position.turn + 1
    if turn > position.options.turn_cap:
        return replace(position, phase=Phase.OVER, to_act=None, target=None, exits=(), trail=trail)
    phase, to_act = _draw_or_play_phase(position, seat)
    return replace(
        position,
        turn=turn,
        current_player=seat,
        phase=phase,
        to_act=to_act,
        target=None,
        exits=(),
        trail=trail,
    )


def _draw_or_play_phase(position: Position, seat: Seat) -> tuple[Phase, Seat]:
    """Return the phase in which a seat's turn goes on, and who acts in it."""
    cards_left = position.draw_pile_size + len(position.discard_pile)
    if position.hand_sizes[seat] < HAND_SIZE and cards_left:
        return Phase.DRAW, CHANCE
    return Phase.PLAY, seat


def reshuffle(position: Position) -> Position:
    """Make the discard pile, aces included, the new draw pile."""
    count = len(position.discard_pile)
    return replace(position, draw_pile_size=count, discard_pile=(), trail=(Reshuffled(count),))


def play(position: Position, action: Action) -> Position:
    """Apply a play and let the pawn drift; a joker waits for its shuffle first."""
    after = apply_play(position, action)
    if type(action) is CallJoker:
        return replace(after, phase=Phase.JOKER_SHUFFLE, to_act=CHANCE)
    return _move_pawn(after)


def apply_play(position: Position, action: Action) -> Position:
    """Apply a play to the compass, the currents, the discard pile and the hand's size.

    The pawn does not move.  Raises ``TypeError`` for an action that is no play, or a Jack at an empty place.
    """
    geometry = GEOMETRIES[position.options.board]
    seat = position.current_player
    compass, currents = position.compass, position.currents
    spent = spent_cards(action)
    discarded: tuple[Card | None, ...] = spent
    trail: Trail = (Discarded(seat, spent),)
    match action:
        case PlayCurrent(slot=slot):
            index = geometry.slot_index[slot]
            discarded = (currents[index], *spent[:-1])  # what each card covers
            trail = tuple(CurrentSet(slot, *cards) for cards in zip(spent, discarded, strict=True))
            currents = _replace_at(currents, index, spent[-1])
        case PlayCompass(place=place):
            index = geometry.place_index[place]
            discarded = (compass[index], *spent[:-1])
            trail = tuple(CompassCardSet(place, *cards) for cards in zip(spent, discarded, strict=True))
            compass = _replace_at(compass, index, spent[-1])
        case CallQueen(slot=slot, other=other):
            index, other_index = geometry.slot_index[slot], geometry.slot_index[other]
            currents = _replace_at(
                _replace_at(currents, index, currents[other_index]), other_index, currents[index]
            )
            trail = (*trail, CurrentsSwapped(slot, other))
        case CallJack(place=place):
            index = geometry.place_index[place]
            removed = compass[index]
            if removed is None:
                raise TypeError("a Jack needs a card to take")
            compass = _replace_at(compass, index, None)
            discarded = (removed, *spent)
            trail = (*trail, CompassCardTaken(place, removed))
        case CallKing(rotation=rotation):
            clockwise = rotation is Rotation.CLOCKWISE
            compass = (compass[-1], *compass[:-1]) if clockwise else (*compass[1:], compass[0])
            trail = (*trail, CompassTurned(rotation))
        case CallJoker(card=card):
            trail = (*trail, JokerCalled(card))
        case DiscardCard():
            pass
        case _:
            raise TypeError(f"{type(action).__name__} is not a play")
    return replace(
        position,
        compass=compass,
        currents=currents,
        discard_pile=(*position.discard_pile, *(card for card in discarded if card is not None)),
        hand_sizes=_replace_at(position.hand_sizes, seat, position.hand_sizes[seat] - len(spent)),
        trail=trail,
    )


def spent_cards(action: Action) -> tuple[Card, ...]:
    """Return the cards that an action takes out of its actor's hand."""
    if isinstance(action, PlayCompass | PlayCurrent) and action.then is not None:
        return (action.card, action.then)
    return (action.card,) if isinstance(action, PLAY_TYPES) else ()


def apply_joker_shuffle(position: Position, outcome: JokerShuffle) -> Position:
    """Lay the cards as chance shuffled them, then let the pawn drift."""
    geometry = GEOMETRIES[position.options.board]
    places, slots = shuffled_spots(position, called_joker(position))
    event = JokerShuffled(tuple(geometry.places[i] for i in places), tuple(geometry.slots[i] for i in slots))
    return _move_pawn(replace(position, compass=outcome.compass, currents=outcome.currents, trail=(event,)))


# Move and goaltending -------------------------------------------------------------------------------


def _move_pawn(position: Position) -> Position:
    """Let the pawn drift: a defender is asked, the game ends, or the next turn begins."""
    drift = compute_drift(position)
    if drift.exits:
        return _resolve_exits(position, drift.exits, drift.target, position.trail)
    trail = (*position.trail, PawnDrifted(drift.path))
    return _begin_turn(replace(position, pawn=drift.target), _next_seat(position), trail)


def can_be_stopped(position: Position, exit_: Exit) -> bool:
    """Whether the public position allows a defence: a suit to defend with and enough cards in hand."""
    return position.hand_sizes[exit_.defender] >= exit_.overshoot and bool(
        defending_suits(position, exit_.edge)
    )


def _resolve_exits(position: Position, exits: tuple[Exit, ...], target: Point, trail: Trail) -> Position:
    """Ask the first exit's defender; let the pawn leave at once if the position allows no defence."""
    exit_ = exits[0]
    if not can_be_stopped(position, exit_):
        return _leave_board(position, exit_, target, trail)
    return replace(
        position,
        phase=Phase.GOALTEND,
        to_act=exit_.defender,
        target=target,
        exits=exits,
        trail=(*trail, ExitThreatened(exit_.edge, exit_.defender, exit_.overshoot)),
    )


def defend(position: Position, cards: tuple[Card, ...]) -> Position:
    """Stop the pawn at an edge; at a corner the other defender is asked next.

    Raises ``TypeError`` if nobody is asked.
    """
    if position.target is None:
        raise TypeError("nobody is asked to defend")
    exit_, *others = position.exits
    target = GEOMETRIES[position.options.board].clamp_to_edge(position.target, exit_.edge)
    trail: Trail = (Discarded(exit_.defender, cards), PawnStopped(exit_.edge, exit_.defender))
    position = replace(
        position,
        hand_sizes=_replace_at(
            position.hand_sizes, exit_.defender, position.hand_sizes[exit_.defender] - len(cards)
        ),
        discard_pile=position.discard_pile + cards,
    )
    if others:
        return _resolve_exits(position, tuple(others), target, trail)
    trail = (*trail, PawnDrifted(_pawn_path(position, target)))
    return _begin_turn(replace(position, pawn=target), _next_seat(position), trail)


def let_pawn_leave(position: Position) -> Position:
    """Let the pawn leave the board.  Raises ``TypeError`` if no defender is asked."""
    if position.target is None:
        raise TypeError("nobody is asked to defend")
    return _leave_board(position, position.exits[0], position.target, ())


def _leave_board(position: Position, exit_: Exit, target: Point, trail: Trail) -> Position:
    return replace(
        position,
        phase=Phase.OVER,
        to_act=None,
        pawn=target,
        target=None,
        exits=(),
        winner=exit_.owner,
        trail=(*trail, PawnDrifted(_pawn_path(position, target)), PawnLeft(exit_.edge, exit_.owner)),
    )


def end_with_winner(position: Position, winner: Seat) -> Position:
    """End the game without a move of the pawn."""
    return replace(position, phase=Phase.OVER, to_act=None, target=None, exits=(), winner=winner, trail=())


def _pawn_path(position: Position, target: Point) -> tuple[Point, ...]:
    """Return the pawn's path to ``target``, along the edges where it was stopped."""
    geometry = GEOMETRIES[position.options.board]
    path = compute_drift(position).path
    edges_beyond = {edge for edge, _ in geometry.crossed_edges(target)}
    stopped_edges = [edge for edge, _ in geometry.crossed_edges(path[-1]) if edge not in edges_beyond]
    points: list[Point] = []
    for point in path:
        clamped = _clamp_to_stopped_edges(geometry, point, stopped_edges)
        if not points or points[-1] != clamped:
            points.append(clamped)
    return tuple(points)


def _clamp_to_stopped_edges(geometry: Geometry, point: Point, stopped_edges: list[str]) -> Point:
    for edge, _ in geometry.crossed_edges(point):
        if edge in stopped_edges:
            point = geometry.clamp_to_edge(point, edge)
    return point


def _next_seat(position: Position) -> Seat:
    """Return the seat to the left, to which play passes."""
    return Seat((position.current_player + 1) % position.seat_count)


def _replace_at(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])
