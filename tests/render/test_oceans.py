"""The pictures of Oceans: signs and names fit, the board shows the position and its recent events."""

import itertools
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from render import parts, typeset
from render.catalogue import PICTURES
from render.oceans.board import _draw_panels
from render.oceans.change_marks import draw_change_marks, extinct_pill
from render.oceans.changes import Changes, collect_changes
from render.oceans.choices import draw_choice_marks
from render.oceans.hand import COMPACT_LAYOUT, LARGE_LAYOUT, MEDIUM_LAYOUT, TraitCardLayout, draw_trait_card
from render.oceans.layout import CELL_WIDTH, arrange_rows, species_cells
from render.oceans.signs import SIGNS
from render.oceans.species_cell import CHIP_START, NAME_ROOM, CellContent, change_chip_spot, draw_cell
from render.oceans.trait_labels import draw_trait_sign, full_name, heading_text, printed_values, short_name
from render.oceans.value_signs import SHIELD
from render.oceans.water import GENE_CARD_HEIGHT, draw_gene_card, draw_water, gene_pile_box, zone_number_spot
from render.picture import BOARD, HAND, PictureContext
from render.scene import Box, Disc, Group, Polygon, Scene, Text, bounding_box
from render.text_fit import wrap_balanced
from render.theme import CARD, INK, KEY_NUMBER_SIZE, MAGENTA, SMALL_SIZE
from rules.catalogue import GAMES
from rules.game import SEAT_LETTERS, Seat
from rules.oceans.actions import Discard, SetOverflowZone, TakeDeep
from rules.oceans.cards.decks import SCENARIO_BY_CODE, TRAIT_BY_CARD, Card
from rules.oceans.cards.traits import Trait
from rules.oceans.events import (
    Created,
    Evolved,
    Extinct,
    SpeciesHandedOver,
    TraitExchanged,
    TraitRemoved,
    TraitsSwapped,
)
from rules.oceans.model import OceansOptions
from rules.oceans.places import ZONES
from tests.render.drawn_contents import drawn_texts
from tests.render.positions import CAPTION
from tests.rules.oceans import positions

GAME, OCEANS_PICTURES = GAMES["oceans"], PICTURES["oceans"]
TRAITS = tuple({trait.code: trait for trait in TRAIT_BY_CARD.values()}.values())
HUNTERS = "FF7 BLU 12 | AP7 TE8 1 | SH8 SP8 IN9 3"


def board_scene(state: Any, viewer: Seat | None = None) -> Scene:
    """Return the board with the marks of its last record."""
    view = GAME.view(state, viewer)
    return OCEANS_PICTURES[BOARD].draw(view, PictureContext(CAPTION, view.position.trail))


# Signs and names --------------------------------------------------------------------------------------


@pytest.mark.parametrize("trait", TRAITS, ids=lambda trait: trait.code)
def test_every_trait_has_a_sign_and_names_that_fit(trait: Trait) -> None:
    """A sign inside its square, a short name that fits into a cell, a whole one that fits on a card."""
    assert trait.family in SIGNS
    for item in draw_trait_sign(trait, 0, 0, 100):
        left, top, right, bottom = bounding_box(item)
        assert min(left, top) >= -62
        assert max(right, bottom) <= 62
    short = typeset.fit_text(Text(0, 0, short_name(trait), SMALL_SIZE, INK, NAME_ROOM))
    assert short.text == short_name(trait)
    for layout in (LARGE_LAYOUT, MEDIUM_LAYOUT, COMPACT_LAYOUT):
        assert (
            "…"
            not in typeset.fit_text(
                heading_text(trait, layout.name_line[1], INK, layout.width - 2 * layout.padding)
            ).text
        )


def test_no_two_families_share_a_sign() -> None:
    """Each family has a sign of its own."""
    assert len(set(SIGNS.values())) == len(SIGNS)


def test_score_pile_and_defence_have_signs_of_their_own() -> None:
    """They stand side by side, so their colours alone would not do."""
    view = GAME.view(positions.make_state("", "", scores=(3, 4)), None)
    shield_sizes = {
        len(item.points)
        for layer in _draw_panels(view, CAPTION, None)
        for item in layer.items
        if isinstance(item, Polygon)
    }
    assert all(len(item.points) not in shield_sizes for item in SHIELD if isinstance(item, Polygon))


@pytest.mark.parametrize(
    "layout", [LARGE_LAYOUT, MEDIUM_LAYOUT, COMPACT_LAYOUT], ids=["large", "medium", "compact"]
)
def test_every_effect_fits_on_its_card(layout: TraitCardLayout) -> None:
    """Three lines hold any effect, none is cut."""
    room = layout.width - 2 * layout.padding
    for trait in TRAITS:
        lines = wrap_balanced(trait.short_text, layout.effect_lines[0][1], room)
        if len(lines) > 2:
            lines = wrap_balanced(trait.short_text, layout.effect_lines[1][1], room)
        assert len(lines) <= 3, trait.name
        assert " ".join(lines) == trait.short_text


@pytest.mark.parametrize(
    "layout", [LARGE_LAYOUT, MEDIUM_LAYOUT, COMPACT_LAYOUT], ids=["large", "medium", "compact"]
)
def test_values_end_above_the_name(layout: TraitCardLayout) -> None:
    """However many values a card in the hand has, they keep off the tops of its name's letters."""
    name_y, name_size = layout.name_line
    for card, trait in TRAIT_BY_CARD.items():
        boxes = [
            item
            for group in draw_trait_card(0, 0, card, layout)
            for item in group.items
            if isinstance(item, Box)
        ]
        strips = [box for box in boxes if box.fill == CARD and box.radius == 12]
        assert bool(strips) == (trait.is_deep and bool(printed_values(trait)))
        for layer in draw_trait_card(0, 0, card, layout):
            if any(item in strips for item in layer.items):
                assert layer.y + layer.height <= name_y - 0.4 * name_size, trait.name


def test_every_deep_card_fits_into_the_gene_pool() -> None:
    """The whole effect is shown inside the card (a text's box is a little larger than its letters)."""
    for card, trait in TRAIT_BY_CARD.items():
        if trait.is_deep and trait.short_text:
            groups = draw_gene_card(0, 0, 294, GENE_CARD_HEIGHT, card, 1)
            texts = [item.text for group in groups for item in group.items if isinstance(item, Text)]
            assert trait.short_text in " ".join(texts)
            assert max(group.y + group.height for group in groups) <= GENE_CARD_HEIGHT + 3, trait.name


def test_short_effects_in_the_gene_pool_are_large() -> None:
    """What takes few lines is larger than the smallest text; nothing is smaller than that."""
    sizes = {}
    for card, trait in TRAIT_BY_CARD.items():
        if trait.is_deep and trait.short_text:
            groups = draw_gene_card(0, 0, 294, GENE_CARD_HEIGHT, card, 1)
            texts = [item for group in groups for item in group.items if isinstance(item, Text)]
            sizes[trait.name] = min(item.size for item in texts if item.text in trait.short_text)
    assert sizes["Vestigial Limb"] >= 28
    assert min(sizes.values()) >= SMALL_SIZE
    assert sum(size > SMALL_SIZE + 2 for size in sizes.values()) > len(sizes) / 2


@pytest.mark.parametrize("is_reef_variant", [False, True])
def test_the_frame_of_a_choice_covers_no_name_of_a_zone(*, is_reef_variant: bool) -> None:
    """The names stand clear of the frames round the zones' numbers, whatever these are."""
    for zone_populations in ((5, 5, 5, 5), (140, 40, 40, 140)):
        options = OceansOptions(reef=is_reef_variant)
        position = positions.make_state(
            "SP7 3", "SP8 3", zone_populations=zone_populations, options=options
        ).position
        arrangement = arrange_rows((1, 1), is_reef_variant=is_reef_variant)
        marks = draw_choice_marks(position, arrangement, tuple(SetOverflowZone(zone) for zone in ZONES))
        names = [
            layer
            for layer in draw_water(arrangement.layout)
            if isinstance(layer, Group)
            and any(isinstance(item, Text) and item.text.startswith(("Reef", "Zone")) for item in layer.items)
        ]
        assert len(marks) == len(names) == 4
        for mark, name in zip(marks, names, strict=True):
            assert mark.x >= name.x + name.width or mark.y >= name.y + name.height - 14


def test_a_deep_card_has_another_name_than_its_surface_card() -> None:
    """In the Gene Pool and in a hand, so that "Like Transparent" on it is clear; on a species, too."""
    state = positions.make_state("SP7 3", "SP8 3", gene_pool=("TRA", "SPE"), hands=("SP9 SCH FIL",))
    texts = drawn_texts(board_scene(state).layers)
    assert {"Deep Transparent", "Deep Speed"} <= set(texts)
    texts = drawn_texts(OCEANS_PICTURES[HAND].draw(GAME.view(state, Seat(0)), PictureContext(CAPTION)).layers)
    assert {"Speed", "Deep Schooling", "Deep Filter Feeder"} <= set(texts)
    state = positions.make_state("SP7 3", "AP7 WC7 WHC PA6 3")
    assert {"Whale Cl.", "Deep Wh."} <= set(drawn_texts(board_scene(state).layers))
    assert len({short_name(trait) for trait in TRAITS}) == len(TRAITS)
    names = {trait.name: full_name(trait) for trait in TRAITS if "(shark" not in trait.name}
    assert len(set(names.values())) == len(names)


def test_piles_leave_room_for_the_number_above_them() -> None:
    """No card covers the number of zone 3, not even that of a pile."""
    layout = arrange_rows((1, 1)).layout
    top = draw_gene_card(*gene_pile_box(layout, 0), Card("HYD"), 2)[0].y
    assert zone_number_spot(layout, 3)[1] + KEY_NUMBER_SIZE / 2 < top


@pytest.mark.parametrize("code", SCENARIO_BY_CODE)
def test_every_scenario_card_is_shown_whole(code: str) -> None:
    """Name and line fit, below either zone."""
    for pair in ((code, "INA"), ("INA", code)):
        state = positions.make_state("SP7 3", "SP8 3", scenarios=pair)
        texts = " ".join(drawn_texts(board_scene(state).layers))
        assert SCENARIO_BY_CODE[code].short_text in texts
        assert SCENARIO_BY_CODE[code].name.split(" (")[0] in texts


# Contents -----------------------------------------------------------------------------------------------


def test_numbers_of_a_species_are_the_rules_numbers() -> None:
    """Population, spaces and values are shown; a value that a species never has is no number."""
    state = positions.make_state("AP8 AP9 3", "FF8 IN10 SP9 BLU 6")
    texts = drawn_texts(board_scene(state).layers)
    for text in ("3", "/10", "6", "/19", "7", "4", "A1", "B1", "Apex \u00d72"):
        assert text in texts, text


def test_values_of_two_digits_do_not_touch_the_traits() -> None:
    """A number ends before the tiles, or the next sign, begin."""
    four_kinds = tuple(map(Card, ("SP7", "WC7", "BF9", "SH9")))
    layers = draw_cell(0, 0, CellContent("A1", 3, 10, (88, 88, 88), four_kinds), active=False)
    items = [(layer.x, item) for layer in layers for item in layer.items]
    tiles = [x + item.x for x, item in items if isinstance(item, Box) and item.width == 26]
    numbers = [(x, item) for x, item in items if isinstance(item, Text) and item.text == "88"]
    assert len(numbers) == 3
    assert max(x + item.x + typeset.fit_text(item).width for x, item in numbers) + 4 < min(tiles)
    in_a_row = draw_cell(0, 0, CellContent("A1", 3, 10, (88, 88, 88), ()), active=False)
    values = [each for each in in_a_row if any(isinstance(i, Text) and i.text == "88" for i in each.items)]
    for left, right in itertools.pairwise(values):
        number = next(item for item in left.items if isinstance(item, Text))
        assert left.x + number.x + typeset.fit_text(number).width < right.x
    assert values[-1].x + number.x + typeset.fit_text(number).width < CELL_WIDTH - 6


@given(st.integers(0, 40), st.integers(7, 40), st.integers(1, 20))
def test_a_change_does_not_cover_the_population(population: int, space_count: int, change: int) -> None:
    """The chip is in the header if it ends before the number, else above it."""
    layers = draw_cell(0, 0, CellContent("A1", population, space_count, (1, 1, 0), ()), active=False)
    texts = [(layer.x, item) for layer in layers for item in layer.items if isinstance(item, Text)]
    start = next(x + item.x - typeset.fit_text(item).width for x, item in texts if item.size == 37)
    chip_width = parts.change_chip_width(change)
    chip_x, chip_y = change_chip_spot(population, space_count, chip_width)
    assert (chip_y > 0) == (CHIP_START + chip_width <= start), "above it only where it must be"
    assert chip_y < 0 or chip_x == CHIP_START


def test_a_feeding_is_marked() -> None:
    """There are halos round all that gained or lost, the numbers, and a route with a ring at its start."""
    state = positions.make_feeding_state(
        "SH7 SY6 6", HUNTERS, "PA7 SY7 6", player=1, zone_populations=(6, 5, 15, 24), cambrian_happened=True
    )
    fed = positions.act(state, "attack B2 C1")
    assert ("C1", "B2") in collect_changes(fed.position.trail).routes
    scene = board_scene(fed)
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
    assert len(heads) == len(rings) == len(collect_changes(fed.position.trail).routes)


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
        for layer in draw_change_marks(view.position, arrangement, changes)
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


def test_passed_species_keep_their_marks() -> None:
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


def test_a_hand_shows_all_its_cards_and_no_others() -> None:
    """Number and name of every card are shown, up to six cards large, more of them smaller."""
    codes = "AP6 SC7 WC6 FF5 BF10 IN9 HYD TUS DRA KRA"
    for count in (1, 6, 7, 8, 9, 10):
        cards = " ".join(codes.split()[:count])
        state = positions.make_state("SP7 3", "SP8 3", hands=(cards,))
        texts = drawn_texts(
            OCEANS_PICTURES[HAND].draw(GAME.view(state, Seat(0)), PictureContext(CAPTION)).layers
        )
        names = [text for text in texts if text in {trait.name for trait in TRAITS}]
        assert names == [TRAIT_BY_CARD[card].name for card in GAME.view(state, Seat(0)).hand]
        assert len(names) == count
        assert "No cards in hand" in drawn_texts(
            OCEANS_PICTURES[HAND].draw(GAME.view(state, Seat(1)), PictureContext(CAPTION)).layers
        )


def test_the_hand_explains_costs_and_values() -> None:
    """Before the Cambrian Explosion, too, a Deep number is a cost; values are named where there is room."""
    for cards, expected in (
        ("IN8 LIV", {"costs n after Cambrian", "defence"}),
        ("AP8 SP9", {"forage", "attack", "defence", "slots"}),
        ("FF8 FF9 SP6 SP8 TE7 WC11", {"forage", "attack", "defence", "slots", "gains", "never"}),
        ("AP11 IN9 SC7 SY9 TE11 GAR", {"attack", "defence", "gains", "ages", "never", "costs n"}),
    ):
        state = positions.make_state("SP7 4", "AP7 2", hands=(cards,), scores=(1,))
        scene = OCEANS_PICTURES[HAND].draw(
            GAME.view(state, Seat(0)), PictureContext(CAPTION, subject=Seat(0))
        )
        assert expected <= set(drawn_texts(scene.layers))


def test_cards_that_can_be_taken_are_shown_like_those_in_hand() -> None:
    """The Gene Pool stands above the hand while one of its cards can be taken; its values are explained."""
    state = positions.make_drawing_state("SP7 4", "AP7 4", hands=("AP11 GAR",), gene_pool=("END", "BAR"))
    view = GAME.view(state, Seat(0))
    choices = tuple(GAME.legal_actions(view))
    picture = OCEANS_PICTURES[HAND]
    assert picture.helps(view, choices)
    texts = drawn_texts(picture.draw(view, PictureContext(CAPTION, subject=Seat(0), choices=choices)).layers)
    assert texts.index("Endurance") < texts.index("Barbels") < texts.index("In hand")
    assert {"Gene Pool", "Gains 2 more", "gains"} <= set(texts)
    discards = tuple(each for each in choices if isinstance(each, Discard))
    texts = drawn_texts(picture.draw(view, PictureContext(CAPTION, subject=Seat(0), choices=discards)).layers)
    assert "Endurance" not in texts


def test_only_the_one_who_looks_at_deep_cards_sees_them() -> None:
    """They are shown above the hand with the task; other players do not see them."""
    state = positions.make_state("SP7 3", "SP8 3", hands=("AP6", "IN9"))
    view = msgspec.structs.replace(
        GAME.view(state, Seat(0)), looked_at=(Card("HYD"), Card("KRA"), Card("TUS"))
    )
    texts = drawn_texts(OCEANS_PICTURES[HAND].draw(view, PictureContext(CAPTION)).layers)
    assert "Keep one" in texts
    assert texts.index("Hydra") < texts.index("In hand") < texts.index("Apex Predator")
    assert "Hydra" not in drawn_texts(
        OCEANS_PICTURES[HAND].draw(GAME.view(state, Seat(1)), PictureContext(CAPTION)).layers
    )


@pytest.mark.parametrize(
    ("plays_left", "suffix"), [(0, " to go on"), (1, " to play one more card"), (2, " to play two cards")]
)
def test_the_title_says_how_many_cards_are_to_be_played(plays_left: int, suffix: str) -> None:
    """The second of two is one more; once all are played, traits may still be removed before feeding."""
    state = positions.make_state(
        "SP7 3", "SP8 3", hands=("SP9 IN5",), plays_left=plays_left, cambrian_happened=True
    )
    assert f"Ava{suffix}" in drawn_texts(board_scene(state).layers)


def test_the_title_counts_the_only_card_of_a_turn_as_one() -> None:
    """Before the Cambrian Explosion a turn has one card."""
    state = positions.make_state("SP7 3", "SP8 3", hands=("SP9 IN5",), plays_left=1)
    assert "Ava to play one card" in drawn_texts(board_scene(state).layers)


def test_the_title_asks_nobody_to_feed_whose_species_cannot() -> None:
    """The feeding phase also waits for traits that may be removed."""
    for row, suffix in (("SP7 3", " to feed"), ("SED SP7 3", " to go on")):
        assert f"Ava{suffix}" in drawn_texts(
            board_scene(positions.make_feeding_state(row, "FLI GEN 3")).layers
        )


def test_the_last_round_is_shown_whatever_ends_the_game() -> None:
    """The board names it where the Ocean is empty and where no round may follow."""
    cap = positions.make_state().position.options.round_cap
    for is_last, keywords in (
        (False, {"round": cap - 1}),
        (True, {"round": cap}),
        (True, {"end_triggered": True}),
    ):
        texts = drawn_texts(board_scene(positions.make_state("SP7 3", "SP8 3", **keywords)).layers)
        assert ("Last round" in texts) is is_last


def test_the_last_board_shows_the_scores() -> None:
    """It shows everybody's points and the winner; a tie is a shared win."""
    state = positions.make_state("SP7 3", "SP8 9", "IN7 2", round=20)
    over_fields = {"to_act": None, "agenda": (), "end_triggered": True, "reserve": 0}
    view = GAME.view(state, None)
    for revealed_scores, pill_text in (((10, 11, 12), "Ben wins"), ((15, 11, 18), "Shared win")):
        position = msgspec.structs.replace(view.position, revealed_scores=revealed_scores, **over_fields)
        texts = drawn_texts(
            OCEANS_PICTURES[BOARD]
            .draw(msgspec.structs.replace(view, position=position), PictureContext(CAPTION))
            .layers
        )
        assert pill_text in texts
        totals = {"Ben wins": ("19", "24", "14"), "Shared win": ("24", "20")}[pill_text]
        assert set(totals) <= set(texts)


def test_the_legend_explains_the_last_space_and_the_score_pile() -> None:
    """The red space overpopulates, and the pile is what a player has scored."""
    view = GAME.view(positions.make_state("SP7 3", "SP8 9", gene_pool=("BRI", "HYD")), None)
    for events in ((), view.position.trail):
        scene = OCEANS_PICTURES[BOARD].draw(view, PictureContext(CAPTION, events))
        assert {"too full", "defence", "score"} <= set(drawn_texts(scene.layers))
    choices = GAME.legal_actions(GAME.view(positions.make_feeding_state("SP7 3 | SP8 4", "SP8 9"), Seat(0)))
    scene = OCEANS_PICTURES[BOARD].draw(view, PictureContext(CAPTION, view.position.trail, choices=choices))
    assert "too full" in drawn_texts(scene.layers)


def test_the_legend_beside_the_last_turn_explains_the_bonus() -> None:
    """The bonus of a panel has no sign of its own, so only the legend says what the number is."""
    view = GAME.view(positions.make_state("SP7 3", "SP8 9"), None)
    position = msgspec.structs.replace(view.position, round=2)
    event = Evolved("A1", Card("SP7"))
    scene = OCEANS_PICTURES[BOARD].draw(
        msgspec.structs.replace(view, position=position), PictureContext(CAPTION, (event,))
    )
    assert {"changed", "too full", "score", "bonus"} <= set(drawn_texts(scene.layers))


def test_the_last_legend_has_a_sign_for_each_meaning() -> None:
    """Population on boards does not have the fish, which stands for gains in the Gene Pool."""
    state = positions.make_state("SP7 3", "SP8 9", "IN7 2", round=20, gene_pool=("BRI", "HYD"))
    view = GAME.view(state, None)
    over_fields = {
        "to_act": None,
        "agenda": (),
        "end_triggered": True,
        "reserve": 0,
        "revealed_scores": (10, 11, 12),
    }
    position = msgspec.structs.replace(view.position, **over_fields)
    scene = OCEANS_PICTURES[BOARD].draw(
        msgspec.structs.replace(view, position=position), PictureContext(CAPTION)
    )
    signs = {
        layer.items[-1].text: layer.items[:-1]
        for layer in scene.layers
        if isinstance(layer, Group) and layer.y > 1140 and isinstance(layer.items[-1], Text)
    }
    assert {"boards", "bonus"} <= set(signs)
    assert len(set(signs.values())) == len(signs)


@pytest.mark.parametrize("revealed_scores", [(9, 8, 7, 6), (119, 104, 99, 130)])
def test_four_final_scores_do_not_touch_what_they_are_made_of(revealed_scores: tuple[int, ...]) -> None:
    """The sum and the total of a narrow panel do not overlap."""
    state = positions.make_state("SP7 13", "SP8 9", "IN7 2", "IN8 10", round=20)
    view = GAME.view(state, None)
    over_fields = {
        "to_act": None,
        "agenda": (),
        "end_triggered": True,
        "reserve": 0,
        "revealed_scores": revealed_scores,
    }
    position = msgspec.structs.replace(view.position, **over_fields)
    scene = OCEANS_PICTURES[BOARD].draw(
        msgspec.structs.replace(view, position=position), PictureContext(CAPTION)
    )
    texts = [
        (layer, item)
        for layer in scene.layers
        if isinstance(layer, Group) and 100 < layer.y < 190
        for item in layer.items
        if isinstance(item, Text)
    ]
    sums = [(layer, item) for layer, item in texts if item.text.count("+") == 2]
    totals = [(layer, item) for layer, item in texts if item.size == KEY_NUMBER_SIZE]
    assert len(sums) == len(totals) == 4
    for (sum_layer, sum_text), (total_layer, total_text) in zip(sums, totals, strict=True):
        assert "…" not in typeset.fit_text(sum_text).text
        end, start = (
            sum_layer.x + sum_text.x + typeset.fit_text(sum_text).width,
            total_layer.x + total_text.x - typeset.fit_text(total_text).width,
        )
        assert end < start or total_layer.y + total_text.y + 16 < sum_layer.y + sum_text.y - 10


def test_the_reef_variant_has_no_deep_cards() -> None:
    """Neither Gene Pool nor Deep deck is drawn."""
    state = GAME.initial_state(3, OceansOptions(reef=True))
    texts = drawn_texts(board_scene(state).layers)
    assert "Gene Pool" not in texts
    assert "Deep" not in texts


def test_each_pile_that_can_be_taken_is_marked() -> None:
    """Both piles of the Gene Pool have a frame of choice, each round its own cards."""
    view = GAME.view(positions.make_state("WC7 3", "BF8 2"), Seat(0))
    arrangement = arrange_rows(tuple(len(row) for row in view.position.rows))
    marks = draw_choice_marks(view.position, arrangement, (TakeDeep(1), TakeDeep(2)))
    assert len(marks) == 2
    for pile, mark in enumerate(marks):
        x, y, width, height = gene_pile_box(arrangement.layout, pile)
        left, top, right, bottom = mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
        assert left <= x <= x + width <= right < x + 1.5 * width
        assert top <= y <= y + height <= bottom


def test_the_legend_names_score_bonus_and_free_slots() -> None:
    """They are not left out while changes and seen cards are shown, too."""
    state = positions.make_state("SP7 3", "SP8 3")
    position = msgspec.structs.replace(state.position, known_cards=((), (Card("SCH"),)))
    state = msgspec.structs.replace(state, position=position)
    assert {"free slot", "score", "bonus", "seen in hand"} <= set(drawn_texts(board_scene(state).layers))
