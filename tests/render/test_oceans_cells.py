"""The cells of species on the board of Oceans: names, free slots, new traits."""

import pytest

from render import typeset
from render.oceans.layout import CELL_WIDTH
from render.oceans.species_cell import CellContent, draw_cell
from render.scene import Anchor, Box, Group, Text
from render.theme import MAGENTA
from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.engine.values import slot_limit
from tests.render.drawn_contents import drawn_texts
from tests.render.oceans_scenes import board_scene
from tests.rules.oceans import positions


def test_names_are_whole_where_there_is_room() -> None:
    """Up to three kinds of traits have the cell's width, four stand beside the values."""
    state = positions.make_state("WC7 SPE BF9 3", "BF8 SH9 AP7 TE8 3", "WC8 WC9 2")
    texts = drawn_texts(board_scene(state).layers)
    assert {"Whale Cleaner", "Bottom Feeder", "Bottom F.", "Shark Cl.", "Whale Cl. \u00d72"} <= set(texts)


@pytest.mark.parametrize("free_slot_count", [0, 1])
@pytest.mark.parametrize("kind_count", [4, 5, 6, 7, 9])
def test_traits_have_names_however_many_they_are(kind_count: int, free_slot_count: int) -> None:
    """Up to six; of more, five and how many there are besides."""
    codes = ("PA7", "SC9", "GTR", "SY7", "DEN", "HYD", "WC7", "BRI", "VOR")[:kind_count]
    content = CellContent("C1", 3, 10, (1, None, 8), (*map(Card, codes), Card("PA8")), (), free_slot_count)
    texts = drawn_texts(draw_cell(0, 0, content, active=False))
    named_count = kind_count if kind_count <= 6 else 5
    for code in codes[:named_count]:
        name = TRAIT_BY_CARD[Card(code)].name
        assert any(text[:3] == name[:3] for text in texts), name
    assert (f"+{kind_count - 5}" in texts) is (kind_count > 6)


@pytest.mark.parametrize(("count", "free_slot_count"), [(1, 1), (2, 0)])
def test_every_name_fits_half_a_cell(count: int, free_slot_count: int) -> None:
    """Also beside a free slot or with a count: it is abbreviated, never cut."""
    for trait in set(TRAIT_BY_CARD.values()):
        cards = [card for card, other in TRAIT_BY_CARD.items() if other == trait][:count]
        others = [card for card in map(Card, ("PA7", "SC9", "GTR", "SY7", "DEN", "HYD")) if card not in cards]
        content = CellContent("C1", 3, 10, (1, None, 8), (*others[:5], *cards), (), free_slot_count)
        layers = draw_cell(0, 0, content, active=False)
        labels = [item for group in layers for item in group.items if isinstance(item, Text)]
        assert not any(typeset.fit_text(label).is_cut for label in labels), trait.name


@pytest.mark.parametrize("free_slot_count", [0, 1, 2, 3, 4, 7, None])
@pytest.mark.parametrize("trait_count", range(8))
def test_a_cell_shows_free_slots(trait_count: int, free_slot_count: int | None) -> None:
    """Empty tiles inside the cell, clear of texts; where there is no room for all, one with their number."""
    cards = tuple(map(Card, ("WC7", "SP7", "BF9", "SH9", "TE8", "AP7", "IN9")[:trait_count]))
    content = CellContent("A1", 3, 10, (1, None, 88), cards, (), free_slot_count)
    layers = draw_cell(0, 0, content, active=False)
    tiles = [
        (group.x + item.x, group.y + item.y, item)
        for group in layers
        for item in group.items
        if isinstance(item, Box) and item.fill is None and item.outline_width == 2.5 and item.radius == 6
    ]
    number_texts = [
        item.text
        for group in layers
        for item in group.items
        if isinstance(item, Text)
        and item.anchor is Anchor.MIDDLE
        and item.text in {"2", "3", "4", "7", "\u221e"}
    ]
    if free_slot_count == len(tiles):
        assert not number_texts
    else:
        assert (len(tiles), number_texts) == (
            1,
            ["\u221e" if free_slot_count is None else str(free_slot_count)],
        )
    assert all(x + item.width <= CELL_WIDTH - 6 for x, _, item in tiles)
    assert all(y + item.height <= 160 for _, y, item in tiles)
    for group in layers:
        for text in (item for item in group.items if isinstance(item, Text) and item.anchor is Anchor.LEFT):
            top, start = group.y + text.y, group.x + text.x
            end = start + typeset.fit_text(text).width
            assert not any(abs(y + 13 - top) < 10 and start < x < end for x, y, _ in tiles)


def test_the_board_draws_the_free_slots_of_its_species() -> None:
    """As many empty tiles as the limits of all species leave."""
    state = positions.make_state("WC7 SPE BF9 3", "BF8 3", "WC8 SH9 2")
    position = state.position
    free_slot_counts = [
        (slot_limit(position, species) or 0) - len(species.traits) for row in position.rows for species in row
    ]
    assert max(free_slot_counts) > 1
    tiles = [
        item
        for group in board_scene(state).layers
        if isinstance(group, Group)
        for item in group.items
        if isinstance(item, Box) and item.fill is None and item.outline_width == 2.5 and item.radius == 6
    ]
    assert len(tiles) - 1 == sum(free_slot_counts), "and the one of the legend"


def test_a_new_trait_has_a_ring() -> None:
    """In a row of its own, beside the values and in a column."""
    traits = ("WC7", "SP7", "BF9", "SH9", "TE8")
    for codes in (traits[:2], traits[:4], traits):
        cards = tuple(map(Card, codes))
        content = CellContent("A1", 3, 10, (1, None, 88), cards, cards[-1:])
        items = [item for group in draw_cell(0, 0, content, active=False) for item in group.items]
        assert sum(isinstance(item, Box) and item.outline == MAGENTA for item in items) == 1, codes
