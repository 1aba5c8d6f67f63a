"""Marks on the board of Currents for what the newest turn changed, in the colour that no seat has."""

from functools import lru_cache
from typing import Final

from render import parts
from render.currents.layout import Layout
from render.routes import draw_route
from render.scene import Disc, Group, make_group
from render.symbols import draw_arrow, draw_rotation
from render.theme import MAGENTA, WHITE
from rules.currents.components import Rotation
from rules.currents.drift import exit_edge
from rules.currents.events import (
    CompassCardSet,
    CompassCardTaken,
    CompassTurned,
    CurrentSet,
    CurrentsSwapped,
    Discarded,
    JokerShuffled,
    PawnDrifted,
    PawnLeft,
    PawnStopped,
)
from rules.currents.model import Position
from rules.model import Event

OWNER_MARK_HALO_RADIUS: Final = 28
"""Radius of a halo round an owner's mark: the least that surrounds every mark."""


def draw_change_marks(
    position: Position, layout: Layout, recent_events: tuple[Event, ...]
) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """Draw halos round what changed, and the marks that lie above it: the pawn's route, and signs.

    Halos lie below the cards that they surround, so that the cached tiles of halos do not depend on cards.
    """
    geometry = layout.geometry
    places: dict[str, None] = {}
    slots: dict[str, None] = {}
    swapped: dict[str, None] = {}
    marked_edges: dict[str, None] = {}
    paths: list[tuple[tuple[int, ...], ...]] = []
    last_rotation: Rotation | None = None
    has_discarded = False
    for event in recent_events:
        match event:
            case CompassCardSet(place=place) | CompassCardTaken(place=place):
                places[place] = None
            case CurrentSet(slot=slot):
                slots[slot] = None
            case CurrentsSwapped(slot=slot, other=other):
                swapped |= {slot: None, other: None}
            case CompassTurned(rotation=rotation):
                last_rotation = rotation
            case JokerShuffled(places=shuffled_places, slots=shuffled_slots):
                places |= dict.fromkeys(shuffled_places)
                slots |= dict.fromkeys(shuffled_slots)
            case Discarded():
                has_discarded = True
            case PawnDrifted(path=path):
                paths.append(path)
            case PawnStopped(edge=edge) | PawnLeft(edge=edge):
                marked_edges[edge] = None
    marks: list[Group] = []
    halos: list[Group] = []
    if has_discarded:
        left, top = layout.pile_corners[1]
        halos.append(_draw_card_halo(left + 2, top + 2))
    if last_rotation is not None:
        places = dict.fromkeys(geometry.places)
        marks.append(_draw_rotation(*layout.rose_middle, clockwise=last_rotation is Rotation.CLOCKWISE))
    halos += (_draw_card_halo(*layout.places[geometry.place_index[name]].card_corner) for name in places)
    for name in slots | swapped:
        box = layout.slots[geometry.slot_index[name]]
        halos.append(_draw_card_halo(box.x + box.card_offset[0], box.y + box.card_offset[1]))
    for name in swapped:
        box = layout.slots[geometry.slot_index[name]]
        marks.append(_draw_swap_sign(box.x + box.swap_sign_offset[0], box.y + box.swap_sign_offset[1]))
    for edge in marked_edges:
        x, y = layout.find_owner_mark(edge, position)
        marks.append(parts.draw_disc_halo(round(x), round(y), OWNER_MARK_HALO_RADIUS))
    for path in paths:
        marks += _draw_pawn_route(layout, path, exit_edge(position))
    if paths and paths[-1][0] != paths[-1][-1] == position.pawn:
        x, y = layout.find_pawn(position)
        marks.append(parts.draw_disc_halo(round(x), round(y), layout.pawn_radius))
    return tuple(halos), tuple(marks)


def _draw_card_halo(x: int, y: int) -> Group:
    return parts.draw_box_halo(x, y, parts.CARD_WIDTH, parts.CARD_HEIGHT, parts.CARD_MARK_RADIUS)


def _draw_pawn_route(
    layout: Layout, path: tuple[tuple[int, ...], ...], crossed_edge: str | None
) -> tuple[Group, ...]:
    """Draw the pawn's route through every point where it bends."""
    spots = [layout.find_spot(point, crossed_edge) for point in path]
    points: list[float] = [*spots[0]]
    for i in range(1, len(spots)):
        is_last = i == len(spots) - 1
        if is_last or _bends(spots[i - 1], spots[i], spots[i + 1]):
            points += spots[i]
    if len(points) < 4:
        return ()
    return draw_route(tuple(points), 24.0, layout.pawn_radius + 9.0)


def _bends(before: tuple[float, float], spot: tuple[float, float], after: tuple[float, float]) -> bool:
    cross = (spot[0] - before[0]) * (after[1] - spot[1]) - (spot[1] - before[1]) * (after[0] - spot[0])
    return abs(cross) > 1


@lru_cache(maxsize=8)
def _draw_rotation(x: int, y: int, *, clockwise: bool) -> Group:
    items = (Disc(0, 0, 40, WHITE), *draw_rotation(0, 0, 21, MAGENTA, clockwise=clockwise, line_width=5))
    return make_group(x, y, items)


@lru_cache(maxsize=64)
def _draw_swap_sign(x: int, y: int) -> Group:
    """Draw two opposite arrows on a magenta disc: these currents were swapped."""
    return make_group(
        x,
        y,
        (
            Disc(0, 0, 20, WHITE),
            Disc(0, 0, 17, MAGENTA),
            *draw_arrow(1, -5, 0, 22, WHITE, 3),
            *draw_arrow(-1, 6, 180, 22, WHITE, 3),
        ),
    )
