"""The pawn's drift, a function of the cards that lie face up (rulebook, The Move Phase).

All of it is public, so everybody may compute it ahead (rulebook, Math Made Easy).
"""

from collections import Counter

import msgspec

from rules.currents.board import GEOMETRIES
from rules.currents.components import SUIT_BY_CARD, Card, Point
from rules.currents.model import BoardShape, Exit, Position
from rules.model import Seat


class Influence(msgspec.Struct, frozen=True, gc=False):
    """One current that reaches the pawn; ``directions`` is empty if its suit is not on the compass."""

    slot: str
    card: Card
    directions: tuple[str, ...]


class Drift(msgspec.Struct, frozen=True, gc=False):
    """The pawn's next move."""

    pushes: tuple[int, ...]
    """How many pushes there are towards each of the board's ``places``."""
    path: tuple[Point, ...]
    """From the pawn's point to where it would go; that is beyond the edge if ``exits`` has any."""
    exits: tuple[Exit, ...]
    """The goal edges that the pawn would cross, in the order in which their defenders are asked."""

    @property
    def target(self) -> Point:
        """The last point of the path."""
        return self.path[-1]


def directions_of(suit: str, places: tuple[str, ...], compass: tuple[Card | None, ...]) -> tuple[str, ...]:
    """Return the directions in which a suit pushes now: the compass places with a card of that suit."""
    return tuple(
        place
        for place, card in zip(places, compass, strict=True)
        if card is not None and SUIT_BY_CARD[card] == suit
    )


def find_influences(position: Position) -> tuple[Influence, ...]:
    """Return every current that reaches the pawn, in slot order."""
    geometry = GEOMETRIES[position.options.board]
    reaching = []
    for i in geometry.slot_indexes_at.get(position.pawn, ()):
        card = position.currents[i]
        if card is not None:
            directions = directions_of(SUIT_BY_CARD[card], geometry.places, position.compass)
            reaching.append(Influence(geometry.slots[i], card, directions))
    return tuple(reaching)


def pushes_at(
    shape: BoardShape, point: Point, compass: tuple[Card | None, ...], currents: tuple[Card | None, ...]
) -> tuple[int, ...]:
    """Count the pushes in each direction at an intersection."""
    count_by_suit: dict[str, int] = {}
    for i in GEOMETRIES[shape].slot_indexes_at[point]:
        card = currents[i]
        if card is not None:
            suit = SUIT_BY_CARD[card]
            count_by_suit[suit] = count_by_suit.get(suit, 0) + 1
    return tuple(count_by_suit.get(SUIT_BY_CARD[card], 0) if card is not None else 0 for card in compass)


def compute_drift(position: Position) -> Drift:
    """Return the pawn's next move, computed from the compass, the currents and its point."""
    shape = position.options.board
    geometry = GEOMETRIES[shape]
    pushes = pushes_at(shape, position.pawn, position.compass, position.currents)
    target = geometry.push(position.pawn, pushes)
    if target == position.pawn:
        return Drift(pushes, (position.pawn,), ())
    path = geometry.path(position.pawn, target, position.options.obstacles)
    return Drift(pushes, path, exits_at(position, path[-1]))


def exits_at(position: Position, target: Point) -> tuple[Exit, ...]:
    """Return the exits for a target beyond the board, the current player's goal first, then to the right.

    Empty for a target on the board.
    """
    geometry = GEOMETRIES[position.options.board]
    crossed = geometry.crossed_edges(target)
    if not crossed:
        return ()
    exits = []
    for edge, overshoot in crossed:
        owner = goal_owner(position, edge)
        if owner is not None:
            exits.append(Exit(edge, owner, defender_of(position, edge, owner), overshoot))
    exits.sort(key=lambda exit_: (position.current_player - exit_.owner) % position.seat_count)
    return tuple(exits)


def possible_defenders(position: Position) -> frozenset[Seat]:
    """Return every seat that one play could let defend a goal, as far as everybody can know."""
    geometry = GEOMETRIES[position.options.board]
    suits = [
        SUIT_BY_CARD[card]
        for i in geometry.slot_indexes_at[position.pawn]
        if (card := position.currents[i]) is not None
    ]
    push_count = max(Counter(suits).values(), default=0)
    if position.options.jokers:  # it may lay any cards there
        push_count = len(suits)
    edges = [
        edge
        for edge in geometry.places
        if geometry.steps_to_edge(position.pawn, edge) <= push_count  # a play may lay one more there
    ]
    owners = ((edge, goal_owner(position, edge)) for edge in edges)
    return frozenset(defender_of(position, edge, owner) for edge, owner in owners if owner is not None)


def exit_edge(position: Position) -> str | None:
    """Return the edge over which the pawn has left the board: a goal of the winner; None if it has not."""
    crossed = GEOMETRIES[position.options.board].crossed_edges(position.pawn)
    return next((edge for edge, _ in crossed if goal_owner(position, edge) == position.winner), None)


def goals_of(position: Position, seat: Seat) -> tuple[str, ...]:
    """Return the edges that a seat aims for; empty until they are known."""
    geometry = GEOMETRIES[position.options.board]
    return geometry.goals(position.seat_count, seat, position.first_player, position.axis)


def goal_owner(position: Position, edge: str) -> Seat | None:
    """Return the seat whose goal an edge is; None if it is nobody's."""
    return next(
        (seat for i in range(position.seat_count) if edge in goals_of(position, seat := Seat(i))), None
    )


def defender_of(position: Position, edge: str, owner: Seat) -> Seat:
    """Return the player at this edge; of two players, the owner's opponent."""
    if position.seat_count == 2:
        return Seat(1 - owner)
    geometry = GEOMETRIES[position.options.board]
    return next(
        seat
        for i in range(position.seat_count)
        if geometry.seat_edge(position.seat_count, seat := Seat(i)) == edge
    )


def defending_suits(position: Position, edge: str) -> tuple[str, ...]:
    """Return the suits that can stop a pawn leaving over this edge; empty: nobody can."""
    geometry = GEOMETRIES[position.options.board]
    cards = (position.compass[geometry.place_index[place]] for place in geometry.defending_places(edge))
    return tuple(dict.fromkeys(SUIT_BY_CARD[card] for card in cards if card is not None))
