"""What the theme guarantees about colours: contrast, and distance for every kind of colour vision."""

import importlib
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import render
from render import sprites, theme
from render.arctic_cleanup.palette import PLASTIC_COLOURS
from render.catalogue import PICTURES
from render.current_affairs.palette import TRASH_COLOURS
from tests.render.colour_science import MATRIX_BY_VISION, contrast, distance

SEAT_MARKS = theme.SEAT_MARKS


@pytest.mark.parametrize("vision", MATRIX_BY_VISION)
def test_seat_colours_are_distinct(vision: str) -> None:
    """B and D differ by at least 28 for tritans, every other pair by at least 37 for everyone."""
    for first, second in combinations(SEAT_MARKS, 2):
        min_distance = 28 if (first.letter, second.letter, vision) == ("B", "D", "tritan") else 37
        assert distance(first.colour, second.colour, vision) >= min_distance, (first.letter, second.letter)


@pytest.mark.parametrize("vision", MATRIX_BY_VISION)
def test_the_last_move_is_nobodys_colour(vision: str) -> None:
    """Magenta differs from every seat's colour by at least 19."""
    assert min(distance(theme.MAGENTA, mark.colour, vision) for mark in SEAT_MARKS) >= 19


@pytest.mark.parametrize("vision", MATRIX_BY_VISION)
@pytest.mark.parametrize("colours_by_kind", [PLASTIC_COLOURS, TRASH_COLOURS], ids=["plastic", "trash"])
def test_tokens_can_be_told_apart(colours_by_kind: Mapping[Any, tuple[int, int]], vision: str) -> None:
    """Two kinds of tokens of a game differ by at least 11 for everyone."""
    for (first, _), (second, _) in combinations(colours_by_kind.values(), 2):
        assert distance(first, second, vision) >= 11, f"{first:06X} and {second:06X}"


def test_seats_differ_in_shape_and_letter_too() -> None:
    """Colour is never the only thing that tells seats apart."""
    assert (
        len({mark.shape for mark in SEAT_MARKS})
        == len({mark.letter for mark in SEAT_MARKS})
        == len(SEAT_MARKS)
    )


@pytest.mark.parametrize("mark", SEAT_MARKS, ids=lambda mark: mark.letter)
def test_a_seats_letter_can_be_read(mark: theme.SeatMark) -> None:
    """A seat's letter has a contrast of 4.5:1 to its mark."""
    assert contrast(mark.letter_colour, mark.colour) >= 4.5


@pytest.mark.parametrize(
    "background", [theme.PAPER, theme.PANEL, theme.CARD, theme.WATER, theme.WATER_SHADED, theme.WHITE]
)
def test_texts_and_signs_stand_out(background: int) -> None:
    """Contrast: ink 5.7:1, secondary ink and red suits on cards 4.5:1, inactive signs and magenta 3:1."""
    assert contrast(theme.INK, background) >= 5.7
    assert contrast(theme.MAGENTA, background) >= 3
    if background != theme.WATER_SHADED:
        assert contrast(theme.SECONDARY_INK, background) >= 4.5
    if background in {theme.CARD, theme.WHITE}:
        assert contrast(theme.RED, background) >= 4.5
    if background in {theme.PANEL, theme.PAPER}:
        assert contrast(theme.INACTIVE_SIGN, background) >= 3


def test_the_shared_palette_is_small() -> None:
    """It leaves each game 105 colours of its own."""
    assert len(theme.SHARED_PALETTE) <= theme.MAX_SHARED_COLOURS


def test_a_palette_leaves_one_index_for_transparency() -> None:
    """More than 255 colours are refused when the game is imported."""
    free_count = theme.MAX_COLOURS - len(theme.SHARED_PALETTE)
    own_colours = tuple(range(1, free_count + 2))
    assert len(theme.make_palette(own_colours[:-1])) == theme.MAX_COLOURS == 255
    with pytest.raises(ValueError, match="do not fit"):
        theme.make_palette(own_colours)


@pytest.mark.parametrize("key", PICTURES)
def test_a_palette_holds_every_named_colour_exactly(key: str) -> None:
    """A flat area of a colour that all games share, or of the game's own, is drawn in exactly that colour."""
    shared = named_colours(theme) - {theme.RED} | {mark.colour for mark in SEAT_MARKS}
    palettes = [(theme.SHARED_PALETTE, shared)]
    if (Path(render.__path__[0]) / key / "palette.py").exists():  # else the game draws in the shared colours
        palette_module = importlib.import_module(f"render.{key}.palette")
        palettes.append((palette_module.PALETTE, shared | named_colours(palette_module)))
    for palette, named in palettes:
        for colour in named:
            assert sprites.nearest_palette_colour(colour, palette) == colour, f"{colour:06X}"


def named_colours(module: ModuleType) -> set[int]:
    """Return the values of a module's constants that are colours; smaller numbers are sizes."""
    constants = {name: value for name, value in vars(module).items() if name.isupper()}
    return {value for value in constants.values() if isinstance(value, int) and value > 4096}
