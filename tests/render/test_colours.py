"""What the theme guarantees about colours: contrast, and distance for every kind of colour vision."""

from itertools import combinations

import pytest

from render import paint, theme
from tests.render.colour_science import VISION, contrast, distance

SEAT_MARKS = theme.SEAT_MARKS


@pytest.mark.parametrize("vision", VISION)
def test_seats_can_be_told_apart(vision: str) -> None:
    """B and D differ by at least 28 for tritans, every other pair by at least 37 for everyone."""
    for one, other in combinations(SEAT_MARKS, 2):
        floor = 28 if (one.letter, other.letter, vision) == ("B", "D", "tritan") else 37
        assert distance(one.colour, other.colour, vision) >= floor, (one.letter, other.letter)


@pytest.mark.parametrize("vision", VISION)
def test_the_last_move_is_nobodys_colour(vision: str) -> None:
    """Magenta differs from every seat's colour by at least 19."""
    assert min(distance(theme.MAGENTA, seat.colour, vision) for seat in SEAT_MARKS) >= 19


def test_seats_differ_in_shape_and_letter_too() -> None:
    """Colour is never the only thing that tells seats apart."""
    assert (
        len({seat.shape for seat in SEAT_MARKS})
        == len({seat.letter for seat in SEAT_MARKS})
        == len(SEAT_MARKS)
    )


@pytest.mark.parametrize("seat", SEAT_MARKS, ids=lambda seat: seat.letter)
def test_a_seats_letter_can_be_read(seat: theme.SeatMark) -> None:
    """A seat's letter has a contrast of 4.5:1 to its mark."""
    assert contrast(seat.letter_colour, seat.colour) >= 4.5


@pytest.mark.parametrize(
    "ground", [theme.PAPER, theme.PANEL, theme.CARD, theme.WATER, theme.WATER_CHECK, theme.WHITE]
)
def test_text_and_pieces_stand_out(ground: int) -> None:
    """Contrast: ink 5.7:1 everywhere, red suits 4.5:1 on cards, inactive signs and magenta 3:1."""
    assert contrast(theme.INK, ground) >= 5.7
    assert contrast(theme.MAGENTA, ground) >= 3
    if ground != theme.WATER_CHECK:
        assert contrast(theme.SECONDARY_INK, ground) >= 4.5
    if ground in {theme.CARD, theme.WHITE}:
        assert contrast(theme.RED, ground) >= 4.5
    if ground in {theme.PANEL, theme.PAPER}:
        assert contrast(theme.INACTIVE_SIGN, ground) >= 3


def test_the_palette_holds_every_colour_of_the_theme_exactly() -> None:
    """A flat area of a theme colour is drawn in exactly that colour."""
    named = [
        value
        for name, value in vars(theme).items()
        if name.isupper() and isinstance(value, int) and value > 4096
    ]
    named += [seat.colour for seat in SEAT_MARKS]
    assert len(theme.PALETTE) <= 256
    for colour in named:
        assert paint.nearest_palette_colour(colour) == colour, f"{colour:06X}"
