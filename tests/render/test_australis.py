"""The pictures of Australis: its colours, the track, and what is marked as changed."""

from itertools import combinations, permutations

import pytest

from render.australis import changes, layout
from render.australis.changes import PanelNumber, collect_changes
from render.australis.kept_cards import draw_kept_cards
from render.australis.palette import DIE_COLOURS, GOLD, SILVER
from render.geometry import path_length
from render.theme import MAGENTA
from rules.australis.components import CUBE_SPACES, GREY_SPACE, LAST_SPACE, REEFS, Card, Colour, Die
from rules.australis.events import (
    CardKept,
    CardsRevealed,
    CoralMoved,
    CubeTaken,
    DiceReturned,
    DieTaken,
    DisplayCleared,
    EffectSource,
    TurtleMoved,
)
from rules.model import Seat
from tests.render.colour_science import MATRIX_BY_VISION, contrast, distance

A, B = Seat(0), Seat(1)


@pytest.mark.parametrize("vision", MATRIX_BY_VISION)
def test_dice_and_tiles_can_be_told_apart(vision: str) -> None:
    """Two colours of dice differ by at least 11 for everyone, and so do the two tiles."""
    for first, second in combinations(DIE_COLOURS.values(), 2):
        assert distance(first.front, second.front, vision) >= 11
    assert distance(GOLD, SILVER, vision) >= 11
    assert min(distance(MAGENTA, colours.front, vision) for colours in DIE_COLOURS.values()) >= 11


@pytest.mark.parametrize("colour", Colour)
def test_numbers_on_dice_can_be_read(colour: Colour) -> None:
    """What is written on a die has a contrast of 4.5:1 to it."""
    assert contrast(DIE_COLOURS[colour].ink, DIE_COLOURS[colour].front) >= 4.5


def test_each_space_lies_beside_the_reef_of_its_section() -> None:
    """A row holds one reef and its spaces; spaces that carry cubes have room above them."""
    assert len(layout.SPACE_SPOTS) == LAST_SPACE + 1
    for row, facts in enumerate(REEFS.values()):
        spaces = range(facts.first_space, facts.last_space + 1)
        assert {layout.row_of_space(space) for space in spaces} == {row}
    assert all(layout.row_of_space(space) > 0 for space in (*CUBE_SPACES, GREY_SPACE))


def test_a_path_leads_through_every_space() -> None:
    """The way from one space to another is the sum of the steps between them."""
    track_length = path_length(layout.track_path(0, LAST_SPACE))
    sum_of_steps = sum(path_length(layout.track_path(space, space + 1)) for space in range(LAST_SPACE))
    assert track_length == pytest.approx(sum_of_steps)
    for space in range(LAST_SPACE + 1):
        assert layout.track_path(0, space)[-2:] == layout.SPACE_SPOTS[space]


def test_moves_of_one_turn_become_one_route() -> None:
    """A turtle that moved twice is shown from where it was first; one that could not move is not."""
    turn_changes = collect_changes(
        (
            TurtleMoved(A, 3, 4, EffectSource.KEPT_CARD),
            TurtleMoved(A, 4, 9, EffectSource.DIE),
            TurtleMoved(B, 18, 18, EffectSource.DIE),
        )
    )
    assert turn_changes.turtle_moves == {A: (3, 9)}


def test_cubes_in_the_box_are_not_marked() -> None:
    """A cube that found no place on the food track is not marked."""
    boxed = CubeTaken(A, is_grey=False, space=5, boxed=True)
    turn_changes = collect_changes((boxed, CubeTaken(B, is_grey=True, space=17, boxed=False)))
    assert turn_changes.changed_numbers == {(B, PanelNumber.CUBES)}


def test_a_moved_coral_marks_both_reefs() -> None:
    """Both the reef that it left and the one where it is now are marked."""
    turn_changes = collect_changes((CoralMoved(A, 3, 6, EffectSource.DIE),))
    assert turn_changes.changed_coral_counts == {(A, 3), (A, 6)}
    assert turn_changes.has_marks


def test_a_new_display_is_not_marked() -> None:
    """Cards that come one by one are marked, a whole new display is not; nor is a die of the round before."""
    taken = DieTaken(A, Die.WHITE_2C)
    revealed = CardsRevealed((Card.BLUE_FISH,))
    turn = collect_changes((taken, CardKept(A, Card.WHITE_FISH), revealed))
    assert turn.taken_dice == {A: [Die.WHITE_2C]}
    assert turn.revealed_cards[Card.BLUE_FISH] == 1
    assert (A, PanelNumber.CARDS) in turn.changed_numbers
    renewed = collect_changes((taken, revealed, DisplayCleared(()), CardsRevealed(tuple(Card)[:6])))
    assert not renewed.taken_dice
    assert not renewed.revealed_cards
    next_turn = collect_changes((DisplayCleared(()), CardsRevealed(tuple(Card)[:6]), taken, revealed))
    assert next_turn.taken_dice == {A: [Die.WHITE_2C]}
    assert next_turn.revealed_cards == {Card.BLUE_FISH: 1}


def test_a_die_that_went_back_is_not_marked() -> None:
    """White and yellow dice leave before the competition; of equal dice the one taken last is new."""
    taken = (DieTaken(A, Die.WHITE_2C), DieTaken(B, Die.BLUE_2))
    returned = DiceReturned((Colour.WHITE, Colour.YELLOW))
    assert collect_changes((*taken, returned)).taken_dice == {A: [], B: [Die.BLUE_2]}
    assert not collect_changes((taken[0], returned)).has_marks
    dice = (Die.BLUE_2, Die.PURPLE_3, Die.BLUE_2)
    assert changes.flag_new_dice(dice, [Die.BLUE_2]) == tuple(zip(dice, (False, False, True), strict=True))
    assert changes.flag_new_dice(dice, []) == tuple(zip(dice, (False,) * 3, strict=True))


def test_nothing_is_marked_where_nothing_changed() -> None:
    """No events, no marks."""
    assert not collect_changes(()).has_marks


def test_kept_cards_stand_by_kind_and_new_ones_have_halos() -> None:
    """In the order of the kinds, each new card with a halo of its own."""
    cards = (Card.WHITE_CORAL, Card.WHITE_POINTS, Card.WHITE_FISH)
    new_cards = frozenset({Card.WHITE_FISH})
    for order in permutations(cards):
        halo, *drawn = draw_kept_cards(0, 0, 240, order, new_cards)
        in_order = draw_kept_cards(0, 0, 240, tuple(sorted(order, key=tuple(Card).index)), frozenset())
        assert tuple(drawn) == in_order
        assert abs(halo.x - drawn[1].x) < 10, "round the fish, the second kind"
