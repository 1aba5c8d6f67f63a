"""Which species of Oceans died out: notes where they stood, else a pill at the water."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from render.oceans.layout import CELL_WIDTH, BoardLayout, RowArrangement
from render.scene import Anchor, Box, Group, Item, Text, Typeface, make_group
from render.symbols import draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import LEGEND_SIZE, MAGENTA, PICTURE_WIDTH, SMALL_SIZE, WHITE
from render.typeset import fits
from rules.model import Event, Seat
from rules.oceans.engine.ring import owner_of
from rules.oceans.events import Created, Extinct, SpeciesHandedOver
from rules.oceans.model import Position
from rules.text import listed

_MAX_PILL_WIDTH: Final = 520
"""The most width of the text in the pill."""
_OWNER_MARK_WIDTH: Final = 30
"""Room for the mark of a seat before a text."""
_NOTE_MARGIN: Final = 20
"""From a cell's side to the text of a note in it."""


class ExtinctionNote(msgspec.Struct, frozen=True):
    """Species that stood at one place of a row and died out."""

    place: int
    """How many species of the row as it is now stood to their left."""
    keys: tuple[str, ...]


ExtinctionNotes: TypeAlias = tuple[tuple[ExtinctionNote, ...], ...]
"""By seat, left to right."""


def find_extinction_notes(
    position: Position, recent_events: Sequence[Event], extinct_species: Iterable[str]
) -> ExtinctionNotes:
    """Return a note for each place where species died out, as far as the place is still known.

    It goes back from the rows as they are now.  Before a Mass Migration they were others.
    """
    rows = [[species.key for species in row] for row in position.rows]
    living_keys = {key for row in rows for key in row}
    keys_by_place: list[dict[int, list[str]]] = [{} for _ in rows]
    wanted_keys = set(extinct_species)
    for event in reversed(recent_events):
        match event:
            case Extinct(species=key, place=place):
                seat = owner_of(key)
                if key in wanted_keys:
                    left_count = sum(other in living_keys for other in rows[seat][:place])
                    keys_by_place[seat].setdefault(left_count, []).append(key)
                    wanted_keys.remove(key)
                rows[seat].insert(place, key)
            case Created(species=key):
                row = rows[owner_of(key)]
                if key in row:
                    row.remove(key)
            case SpeciesHandedOver():
                break
    return tuple(
        tuple(ExtinctionNote(place, tuple(reversed(keys))) for place, keys in sorted(places.items()))
        for places in keys_by_place
    )


def draw_extinction_notes(arrangement: RowArrangement, notes: ExtinctionNotes) -> tuple[Group, ...]:
    """Draw each note in its gap."""
    return tuple(
        _draw_note(arrangement.layout, cell, Seat(seat), note.keys)
        for seat, (cells, row_notes) in enumerate(zip(arrangement.gap_cells, notes, strict=True))
        for cell, note in zip(cells, row_notes, strict=True)
    )


@lru_cache(maxsize=64)
def _draw_note(layout: BoardLayout, cell: int, seat: Seat, keys: tuple[str, ...]) -> Group:
    """Draw in a gap's cell which species of a seat died out; if there is no room for their keys, how many."""
    max_width = CELL_WIDTH - 2 * _NOTE_MARGIN - _OWNER_MARK_WIDTH
    text = listed(keys)
    if not fits(text, Typeface.BOLD, SMALL_SIZE, max_width):
        text = f"{len(keys)} species"
    label = fit_text_and_width(
        Text(
            _OWNER_MARK_WIDTH / 2,
            -16,
            text,
            LEGEND_SIZE + 2,
            MAGENTA,
            max_width,
            Typeface.BOLD,
            Anchor.MIDDLE,
        )
    )
    second_line = Text(0, 18, "died out", LEGEND_SIZE + 2, MAGENTA, max_width, Typeface.BOLD, Anchor.MIDDLE)
    left, top = layout.cell_corner(cell)
    mark_x = (_OWNER_MARK_WIDTH - label.max_width) / 2 - 20
    return make_group(
        left + layout.cell_width // 2,
        top + layout.cell_height // 2,
        (
            Box(-CELL_WIDTH / 2 + 9, -41, CELL_WIDTH - 18, 82, 21, WHITE, MAGENTA, 4),
            label,
            second_line,
            *draw_seat_mark(seat, mark_x, -16, 12, show_letter=False),
        ),
    )


@lru_cache(maxsize=64)
def draw_extinct_pill(layout: BoardLayout, keys: tuple[str, ...], *, is_below_water: bool) -> Group:
    """Draw which species died out: at the water's upper edge, or below the water if a route is there."""
    _, top, _, height = layout.water_box
    items, _ = extinct_pill(keys, show_owners=True)
    return make_group(PICTURE_WIDTH // 2, top + height + 8 if is_below_water else top - 17, items)


@lru_cache(maxsize=64)
def extinct_pill(keys: tuple[str, ...], *, show_owners: bool = False) -> tuple[tuple[Item, ...], int]:
    """Return a pill, centred on (0, 0), that says which species died out, and its width.

    If there is no room for their keys, it says how many they are.  ``show_owners``: with the marks of their
    seats before the text.
    """
    owners = dict.fromkeys(owner_of(key) for key in keys) if show_owners else ()
    marks_width = _OWNER_MARK_WIDTH * len(owners)
    max_width = _MAX_PILL_WIDTH - marks_width
    text = f"{listed(keys)} died out"
    if not fits(text, Typeface.BOLD, SMALL_SIZE, max_width):
        text = f"{len(keys)} species died out"
    label = fit_text_and_width(
        Text(marks_width / 2, 0, text, LEGEND_SIZE + 2, MAGENTA, max_width, Typeface.BOLD, Anchor.MIDDLE)
    )
    width = math.ceil(label.max_width) + marks_width + 44
    items: list[Item] = [
        Box(-width / 2 - 4, -25, width + 8, 50, 25, WHITE),
        Box(-width / 2, -21, width, 42, 21, WHITE, MAGENTA, 4),
        label,
    ]
    for index, seat in enumerate(owners):
        x = -width / 2 + 32 + _OWNER_MARK_WIDTH * index
        items += draw_seat_mark(seat, x, 0, 12, show_letter=False)
    return tuple(items), width + 8
