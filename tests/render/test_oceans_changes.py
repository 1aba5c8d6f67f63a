"""What the board of Oceans marks as changed: gains and losses, new traits, species that died out."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render import parts, typeset
from render.oceans.change_marks import draw_change_marks
from render.oceans.changes import Changes, collect_changes
from render.oceans.choices import draw_choice_marks
from render.oceans.extinction_notes import (
    ExtinctionNote,
    draw_extinction_notes,
    extinct_pill,
    find_extinction_notes,
)
from render.oceans.layout import CELL_WIDTH, arrange_rows, species_cells
from render.oceans.species_cell import CHIP_START, CellContent, change_chip_spot, draw_cell
from render.picture import BOARD, PictureContext
from render.scene import Box, Disc, Group, Polygon, Text, bounding_box
from render.theme import MAGENTA
from rules.model import SEAT_LETTERS, Event, Seat
from rules.oceans.actions import SetOverflowZone
from rules.oceans.cards.decks import Card
from rules.oceans.events import (
    Created,
    Evolved,
    Extinct,
    SpeciesHandedOver,
    TraitExchanged,
    TraitRemoved,
    TraitsSwapped,
)
from rules.oceans.places import ZONES
from tests.render.decision_points import CAPTION
from tests.render.drawn_contents import drawn_texts
from tests.render.oceans_scenes import GAME, OCEANS_PICTURES, board_scene
from tests.rules.oceans import positions

ROW_WITH_ATTACKER = "FF7 BLU 12 | AP7 TE8 1 | SH8 SP8 IN9 3"


@pytest.mark.parametrize("scale", [1.0, 1.5])
@given(st.integers(0, 40), st.integers(7, 40), st.integers(1, 20))
def test_a_change_does_not_cover_the_population(
    scale: float, population: int, space_count: int, change: int
) -> None:
    """The chip is in the header if it ends before the number, else above it."""
    content = CellContent("A1", population, space_count, (1, 1, 0), ())
    layers = draw_cell(0, 0, content, active=False, scale=scale)
    texts = [(layer.x, item) for layer in layers for item in layer.items if isinstance(item, Text)]
    start = next(x + item.x - typeset.fit_text(item).width for x, item in texts if item.size == 37 * scale)
    chip_width = parts.change_chip_width(change)
    chip_x, chip_y = change_chip_spot(population, space_count, chip_width, scale)
    assert chip_y < 0 or chip_x + chip_width <= start
    assert chip_y > 0 or CHIP_START * scale + chip_width > start - 3, "above it only where it must be"
    assert chip_y < 0 or chip_x == CHIP_START * scale


def test_a_feeding_is_marked() -> None:
    """There are halos round all that gained or lost, the numbers, and routes with a ring at their starts."""
    state = positions.make_feeding_state(
        "SH7 SY6 6",
        ROW_WITH_ATTACKER,
        "PA7 SY7 6",
        player=1,
        zone_populations=(6, 5, 15, 24),
        cambrian_happened=True,
    )
    after_feeding = positions.act(state, "attack B2 C1")
    assert ("C1", "B2") in collect_changes(after_feeding.position.trail).routes
    scene = board_scene(after_feeding)
    texts = drawn_texts(scene.layers)
    assert {"+3", "\u22123", "+2", "\u22124"} <= set(texts)
    halos = [
        item
        for layer in scene.layers
        if isinstance(layer, Group) and layer.width > 200
        for item in layer.items
        if isinstance(item, Box) and item.outline == MAGENTA
    ]
    assert len(halos) == 4
    items = [item for layer in scene.layers if isinstance(layer, Group) for item in layer.items]
    heads = [item for item in items if isinstance(item, Polygon) and item.fill == MAGENTA]
    rings = [item for item in items if isinstance(item, Disc) and item.outline == MAGENTA]
    assert len(heads) == len(rings) == len(collect_changes(after_feeding.position.trail).routes)


@pytest.mark.parametrize("feeder", ["A1", "B1", "C1"])
@pytest.mark.parametrize(("source", "target"), [("z1", "reef"), ("reef", "z1"), ("z2", "z1")])
def test_a_migration_and_a_feeding_have_arrows_apart(feeder: str, source: str, target: str) -> None:
    """Two opposite ones across the same strip of the picture would read as a star."""
    view = GAME.view(positions.make_state("SP7 3", "SP8 3", "SP9 3"), None)
    moves = (
        positions.make_moved_event(source, target, 5, "migrate"),
        positions.make_moved_event("reef", feeder, 2, "forage"),
        positions.make_moved_event("z1", feeder, 1, "SY7"),
    )
    scene = OCEANS_PICTURES[BOARD].draw(view, PictureContext(CAPTION, moves))
    boxes = [
        (layer.x + left, layer.y + top, layer.x + right, layer.y + bottom)
        for layer in scene.layers
        if isinstance(layer, Group)
        for item in layer.items
        if isinstance(item, Polygon) and item.fill == MAGENTA
        for left, top, right, bottom in (bounding_box(item),)
    ]
    assert len(boxes) > 1
    for (left, top, right, bottom), other in combinations(boxes, 2):
        assert left >= other[2] or other[0] >= right or top >= other[3] or other[1] >= bottom


def test_a_change_is_drawn_over_the_frame_of_a_choice() -> None:
    """A zone that changed and can be chosen shows its whole chip."""
    state = positions.make_state(
        "BF9 2 | SP6 3", "PA7 1", hands=("FF8",), plays_left=1, zone_populations=(8, 9, 20, 30)
    )
    view = GAME.view(positions.act(state, "migrate FF8 z1 z3"), Seat(0))
    choices = tuple(SetOverflowZone(zone) for zone in ZONES[1:])
    scene = OCEANS_PICTURES[BOARD].draw(view, PictureContext(CAPTION, view.position.trail, choices=choices))
    groups = [layer for layer in scene.layers if isinstance(layer, Group)]
    arrangement = arrange_rows(tuple(len(row) for row in view.position.rows))
    frames = [groups.index(mark) for mark in draw_choice_marks(view.position, arrangement, choices)]
    chips = [index for index, layer in enumerate(groups) if "+8" in _texts_of(layer)]
    assert len(frames) == 3
    assert chips
    assert max(frames) < min(chips)


def _texts_of(layer: Group) -> list[str]:
    return [item.text for item in layer.items if isinstance(item, Text)]


@given(st.lists(st.integers(0, 5), min_size=2, max_size=6), st.data())
def test_who_died_out_stands_in_a_cell_of_its_own(lengths: list[int], data: st.DataObject) -> None:
    """Each note has a free cell of the ring, between the species that stood beside those that died out."""
    rows = (" | ".join(["3"] * length) for length in lengths)
    view = GAME.view(positions.make_state(*rows), None)
    seats = data.draw(st.lists(st.sampled_from(range(len(lengths))), min_size=1, unique=True))
    places = {seat: data.draw(st.integers(0, lengths[seat])) for seat in seats}
    events = tuple(Extinct(f"{SEAT_LETTERS[seat]}9", (), 0, place) for seat, place in places.items())
    notes = find_extinction_notes(view.position, events, [event.species for event in events])
    arrangement = arrange_rows(tuple(lengths), tuple(tuple(note.place for note in row) for row in notes))
    layout = arrangement.layout
    drawn = {_texts_of(layer)[0]: layer for layer in draw_extinction_notes(arrangement, notes)}
    assert set(drawn) == {event.species for event in events}
    taken_cells = [cell for cell in arrangement.vacant_cells if cell is not None]
    taken_cells += [cell for row in arrangement.rows for cell in row]
    for seat, place in places.items():
        note = drawn[f"{SEAT_LETTERS[seat]}9"]
        (cell,) = arrangement.gap_cells[seat]
        left, top = layout.cell_corner(cell)
        assert left <= note.x
        assert note.x + note.width <= left + layout.cell_width
        assert top <= note.y
        assert note.y + note.height <= top + layout.cell_height
        assert cell not in taken_cells
        half = layout.cell_count // 2
        row = [(other - cell + half) % layout.cell_count - half for other in arrangement.rows[seat]]
        assert [offset < 0 for offset in row] == [index < place for index in range(lengths[seat])]
        taken_cells.append(cell)


@pytest.mark.parametrize(
    ("events", "notes"),
    [
        ([Extinct("B4", (), 0, 2)], [(2, ("B4",))]),
        ([Extinct("B4", (), 0, 0)], [(0, ("B4",))]),
        ([Extinct("B4", (), 0, 1), Extinct("B5", (), 0, 1)], [(1, ("B4", "B5"))]),
        ([Extinct("B4", (), 0, 2), Extinct("B5", (), 0, 0)], [(0, ("B5",)), (1, ("B4",))]),
        ([Extinct("B4", (), 0, 0), Created("B1", Card("SP7"))], [(0, ("B4",))]),
        ([Created("B1", Card("SP7")), Extinct("B4", (), 0, 2)], [(2, ("B4",))]),
        ([Extinct("B4", (), 0, 1), SpeciesHandedOver("A3", "B2")], []),
    ],
)
def test_who_died_out_is_placed_among_the_living(
    events: list[Event], notes: list[tuple[int, tuple[str, ...]]]
) -> None:
    """By the species to its left that are there now, whatever was started or died out since."""
    position = GAME.view(positions.make_state("SP7 3", "3 | 3"), None).position
    extinct_species = collect_changes(tuple(events)).extinct_species
    own_notes = find_extinction_notes(position, events, extinct_species)[1]
    assert [(note.place, note.keys) for note in own_notes] == notes


def test_who_died_out_stands_where_it_was() -> None:
    """The rules say how many species stood to its left."""
    for row, key, place in (("0 | 9 | 9", "A1", 0), ("9 | 0 | 9", "A2", 1), ("9 | 9 | 0", "A3", 2)):
        state = positions.make_feeding_state(row, "SP7 3")
        after = positions.act(state, "skip")
        notes = find_extinction_notes(after.position, after.position.trail, [key])
        assert [(note.place, note.keys) for note in notes[0]] == [(place, (key,))]


@pytest.mark.parametrize("count", range(1, 12))
def test_who_died_out_fits_a_cell(count: int) -> None:
    """The note in a cell names all keys, or how many species died out."""
    keys = tuple(f"A{number}" for number in range(2, count + 2))
    (note,) = draw_extinction_notes(arrange_rows((1, 1), ((0,), ())), ((ExtinctionNote(0, keys),), ()))
    first_line = _texts_of(note)[0]
    assert first_line == f"{count} species" or all(key in first_line for key in keys)
    assert note.width <= CELL_WIDTH


def test_who_died_out_stands_above_the_lowest_species() -> None:
    """Below the water the note covers neither the changes nor the names of the species there."""
    rows = (" | ".join(["3"] * count) for count in (4, 4, 7))
    view = GAME.view(positions.make_state(*rows), None)
    arrangement = arrange_rows(tuple(len(row) for row in view.position.rows))
    cells = species_cells(view.position, arrangement)
    tops = {key: arrangement.layout.cell_corner(cell)[1] for key, cell in cells.items()}
    highest = [key for key, top in tops.items() if top == min(tops.values())]
    middle = min(highest, key=lambda key: abs(arrangement.layout.cell_corner(cells[key])[0] - 500))
    changes = Changes(extinct_species={"C9": None}, routes=[("A1", middle)])
    pill = next(
        layer
        for layer in draw_change_marks(view.position, arrangement, changes, ((), (), ()))
        if _texts_of(layer) == ["C9 died out"]
    )
    assert pill.y > arrangement.layout.water_box[1], "it stands below the water"
    assert pill.y + pill.height <= max(tops.values())


@pytest.mark.parametrize("show_owners", [False, True])
@pytest.mark.parametrize("count", range(1, 20))
def test_who_died_out_is_never_cut(count: int, *, show_owners: bool) -> None:
    """All keys of species that died out are shown, or how many died out, and the pill stays on the water."""
    keys = tuple(f"{SEAT_LETTERS[number % 6]}{number}" for number in range(1, count + 1))
    (_, _, label, *_), width = extinct_pill(keys, show_owners=show_owners)
    assert width <= 580
    assert isinstance(label, Text)
    assert label.text.endswith(" died out")
    assert label.text.startswith(f"{count} species") or all(key in label.text for key in keys)


def test_moves_of_population_are_added_up() -> None:
    """Several moves of one species make one number; an extinct species has none."""
    changes = collect_changes(
        (
            positions.make_moved_event("reef", "A1", 3, "forage"),
            positions.make_moved_event("z1", "A1", 2, "SY7"),
            positions.make_moved_event("A1", "A", 1, "aging"),
            Created("B2", Card("SP7")),
            Evolved("B2", Card("IN7")),
            positions.make_moved_event("A2", "A", 1, "aging"),
            Extinct("A2", ()),
        )
    )
    assert {place: count for place, count in changes.population_changes.items() if count} == {
        "reef": -3, "z1": -2, "A1": 4, "A": 2,
    }  # fmt: skip
    assert changes.routes == [("reef", "A1")]
    assert changes.new_traits == {"B2": [Card("SP7"), Card("IN7")]}
    assert list(changes.extinct_species) == ["A2"]


def test_a_new_trait_that_left_at_once_is_not_marked() -> None:
    """It would mark an older trait of the same kind; a trait that was swapped is new where it came."""
    speed, inking, tusks = Card("SP7"), Card("IN7"), Card("TUS")
    played = Evolved("A1", speed), Evolved("A1", inking)
    assert collect_changes((*played, TraitRemoved("A1", speed))).new_traits == {"A1": [inking]}
    assert collect_changes((*played, TraitsSwapped("A1", inking, "A2", tusks))).new_traits == {
        "A1": [speed, tusks], "A2": [inking],
    }  # fmt: skip
    assert collect_changes((*played, TraitExchanged("A1", speed, tusks))).new_traits == {
        "A1": [inking, tusks]
    }


def test_species_handed_over_keep_their_marks() -> None:
    """All keys change at once: B1 may be the new key of one species and the old one of another."""
    changes = collect_changes(
        (
            positions.make_moved_event("reef", "A1", 3, "forage"),
            positions.make_moved_event("z1", "B1", 1, "SY7"),
            SpeciesHandedOver("A1", "B1"),
            SpeciesHandedOver("B1", "A1"),
        )
    )
    assert (changes.population_changes["B1"], changes.population_changes["A1"]) == (3, 1)
    assert changes.routes == [("reef", "B1")]


def test_a_species_that_gets_a_free_key_has_not_died_out() -> None:
    """B2 died out before another species was passed to B and got its key: it gets none of its marks."""
    foraged = positions.make_moved_event("reef", "B2", 3, "forage")
    changes = collect_changes((foraged, Extinct("B2", ()), Extinct("B3", ()), SpeciesHandedOver("A1", "B2")))
    assert list(changes.extinct_species) == ["B3"]
    assert changes.routes == []
