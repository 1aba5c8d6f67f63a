"""The boxes of a player's own board that hold what scores: habitats, delivered contracts, points."""

from functools import lru_cache
from typing import Final

from render import parts
from render.current_affairs.pieces import draw_flag, draw_token
from render.current_affairs.signs import ANIMAL_SIGNS, DROPLET, KELP, TICK, TICKED_CARD
from render.glyphs import draw_glyph
from render.scene import Anchor, Box, Disc, Group, Item, Text, Typeface, make_group
from render.text_fit import fit_text_and_width
from render.theme import (
    CARD,
    DEEP_BLUE,
    INK,
    MARGIN,
    MUTED_INK,
    NORMAL_LINE_WIDTH,
    PANEL,
    PICTURE_WIDTH,
    SEAT_MARKS,
    WATER,
    WATER_MEDIUM,
    WHITE,
)
from rules.current_affairs.components import (
    CONTRACTS,
    CONTRACTS_TO_END,
    REGIONS,
    Animal,
    Contract,
    Region,
    Trash,
)
from rules.current_affairs.ending import score_lines
from rules.current_affairs.model import PlayerBoard
from rules.current_affairs.phrases import ANIMAL_NAMES

_HABITATS_TOP: Final = 544
_HABITATS_HEIGHT: Final = 226
"""Height of the box of habitats, and of the box of delivered contracts at its right."""
_TOTAL_TOP: Final = 790
_TOTAL_HEIGHT: Final = 82
HABITAT_RADIUS: Final = 49


# Habitats and delivered contracts -----------------------------------------------------------------------


def draw_habitats(board: PlayerBoard, seat: int) -> tuple[Group, ...]:
    """Draw the habitats of a board, those that its seat restored in the seat's colour."""
    width = 640
    background = make_group(MARGIN, _HABITATS_TOP, (Box(0, 0, width, _HABITATS_HEIGHT, 14, WATER),))
    heading = Text(24, 36, "Habitats", 34, INK, 300, Typeface.ITALIC)
    layers = [background, make_group(MARGIN, _HABITATS_TOP, (fit_text_and_width(heading),))]
    restored = {REGIONS[region].animal: region for region in board.restored_regions}
    for index, animal in enumerate(Animal):
        layers += _draw_habitat(*habitat_spot(index), seat, animal, restored.get(animal))
    return tuple(layers)


def habitat_spot(index: int) -> tuple[int, int]:
    """Return the middle of the disc of an animal's habitat."""
    return MARGIN + 74 + round(index * 123.5), _HABITATS_TOP + 118


@lru_cache(maxsize=128)
def _draw_habitat(x: int, y: int, seat: int, animal: Animal, region: Region | None) -> tuple[Group, ...]:
    mark = SEAT_MARKS[seat]
    background, ink = (WHITE, INK) if region is None else (mark.colour, mark.letter_colour)
    items: list[Item] = [
        Disc(0, 0, HABITAT_RADIUS, background, INK, NORMAL_LINE_WIDTH),
        *draw_glyph(ANIMAL_SIGNS[animal], 0, 0, 70, ink, background),
    ]
    if region is not None:
        items += (Disc(38, -36, 17, WHITE, INK, 2.2), *draw_glyph(TICK, 38, -36, 21, INK, WHITE))
    label = Text(0, 0, ANIMAL_NAMES[animal], 26, INK, 122, Typeface.SANS, Anchor.MIDDLE)
    return (
        make_group(x, y, tuple(items)),
        make_group(x, y + 76, (fit_text_and_width(label),)),
    )


@lru_cache(maxsize=128)
def draw_delivered(delivered: tuple[Contract, ...]) -> tuple[Group, ...]:
    """Draw delivered contracts, and places for those that are left until the end."""
    left, width = MARGIN + 660, 484
    background = make_group(left, _HABITATS_TOP, (Box(0, 0, width, _HABITATS_HEIGHT, 14, WATER),))
    heading = Text(24, 36, "Delivered", 34, INK, 300, Typeface.ITALIC)
    layers = [background, make_group(left, _HABITATS_TOP, (fit_text_and_width(heading),))]
    for index in range(max(CONTRACTS_TO_END, len(delivered))):
        x, y, card_width, height = delivered_box(index, len(delivered))
        if index >= len(delivered):
            place = Box(0, 0, card_width, height, 10, None, WATER_MEDIUM, NORMAL_LINE_WIDTH)
            layers.append(make_group(x, y, (place,)))
            continue
        facts = CONTRACTS[delivered[index]]
        points = Text(
            card_width / 2, 98, str(facts.points), 38, INK, card_width - 8, Typeface.BOLD, Anchor.MIDDLE
        )
        items = (
            Box(0, 0, card_width, height, 10, CARD, INK, NORMAL_LINE_WIDTH),
            *draw_flag(card_width / 2 - 27, 16, 54, facts.port),
            points,
        )
        layers.append(make_group(x, y, items))
    return tuple(layers)


def delivered_box(index: int, delivered_count: int) -> tuple[int, int, int, int]:
    """Return left, top, width and height of a delivered contract, or of the place for one."""
    pitch = 450 / max(CONTRACTS_TO_END, delivered_count)
    return MARGIN + 680 + round(pitch * index), _HABITATS_TOP + 68, round(pitch) - 9, 136


# Points -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def draw_total(board: PlayerBoard) -> tuple[Group, ...]:
    """Draw the points of a board so far, by their sources."""
    width = PICTURE_WIDTH - 2 * MARGIN
    box = parts.draw_panel_box(MARGIN, _TOTAL_TOP, width, _TOTAL_HEIGHT, highlighted=False)
    contract_points, habitat_points, trash_points, contract_bonus, habitat_bonus = (
        line.points for line in score_lines(board)
    )
    heading = Text(24, 41, "Points so far", 34, INK, 260, Typeface.ITALIC)
    items: list[Item] = [fit_text_and_width(heading)]
    parts_of_total = (
        (draw_glyph(DROPLET, 0, 0, 46, DEEP_BLUE, PANEL), str(contract_points)),
        (draw_glyph(KELP, 0, 0, 44, INK, PANEL), str(habitat_points)),
        (draw_token(-7, 0, 19, Trash.PLASTIC) + draw_token(9, 0, 19, Trash.RUBBER), str(trash_points)),
        (
            draw_glyph(TICKED_CARD, 0, 0, 42, INK if contract_bonus else MUTED_INK, PANEL),
            f"+{contract_bonus}",
        ),
        (draw_glyph(KELP, 0, 0, 44, INK if habitat_bonus else MUTED_INK, PANEL), f"+{habitat_bonus}"),
    )
    layers = [box]
    for index, (sign, text) in enumerate(parts_of_total):
        x = MARGIN + 300 + index * 148
        value = fit_text_and_width(Text(34, 0, text, 36, INK, 110))
        layers.append(make_group(x, _TOTAL_TOP + 41, (*sign, value)))
    points = str(sum(line.points for line in score_lines(board)))
    total = Text(width - 24, 41, points, 52, INK, 120, Typeface.BOLD, Anchor.RIGHT)
    layers.append(make_group(MARGIN, _TOTAL_TOP, (*items, fit_text_and_width(total))))
    return tuple(layers)
