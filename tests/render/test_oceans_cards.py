"""The cards of Oceans in pictures: signs, names, effects, the Gene Pool, Scenario cards and the hand."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from render import typeset
from render.oceans import hand
from render.oceans.cell_traits import MAX_NAME_WIDTH
from render.oceans.choices import choosable_cards, draw_choice_marks
from render.oceans.hand import COMPACT_LAYOUT, LARGE_LAYOUT, MEDIUM_LAYOUT, TraitCardLayout, draw_trait_card
from render.oceans.layout import arrange_rows
from render.oceans.signs import SIGNS
from render.oceans.trait_labels import draw_trait_sign, heading_text, printed_values, short_name
from render.oceans.water import GENE_CARD_HEIGHT, draw_gene_card, gene_pile_box, zone_population_spot
from render.picture import BOARD, HAND, PictureContext
from render.scene import Box, Group, Text, bounding_box
from render.text_fit import wrap_balanced
from render.theme import CARD, INK, KEY_NUMBER_SIZE, SMALL_SIZE
from rules.model import Seat
from rules.oceans.actions import Discard, SetOverflowZone, TakeDeep
from rules.oceans.cards.decks import SCENARIO_BY_CODE, TRAIT_BY_CARD, Card
from rules.oceans.cards.traits import Trait
from rules.oceans.places import Zone
from tests.render.decision_points import CAPTION
from tests.render.drawn_contents import drawn_texts
from tests.render.oceans_scenes import GAME, OCEANS_PICTURES, board_scene
from tests.rules.oceans import positions

TRAITS = tuple({trait.code: trait for trait in TRAIT_BY_CARD.values()}.values())


@pytest.mark.usefixtures("_kerning")
@pytest.mark.parametrize("trait", TRAITS, ids=lambda trait: trait.code)
def test_every_trait_has_a_sign_and_names_that_fit(trait: Trait) -> None:
    """A sign inside its square, a short name that fits into a cell, a whole one that fits on a card."""
    assert trait.family in SIGNS
    for item in draw_trait_sign(trait, 0, 0, 100):
        left, top, right, bottom = bounding_box(item)
        assert min(left, top) >= -62
        assert max(right, bottom) <= 62
    short = typeset.fit_text(Text(0, 0, short_name(trait), SMALL_SIZE, INK, MAX_NAME_WIDTH))
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


@pytest.mark.usefixtures("_kerning")
@pytest.mark.parametrize(
    "layout", [LARGE_LAYOUT, MEDIUM_LAYOUT, COMPACT_LAYOUT], ids=["large", "medium", "compact"]
)
def test_every_effect_fits_on_its_card(layout: TraitCardLayout) -> None:
    """Three lines hold any effect, none is cut."""
    max_width = layout.width - 2 * layout.padding
    for trait in TRAITS:
        lines = wrap_balanced(trait.short_text, layout.effect_lines[0][1], max_width)
        if len(lines) > 2:
            lines = wrap_balanced(trait.short_text, layout.effect_lines[1][1], max_width)
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
    names = {trait.name: trait.printed_name for trait in TRAITS if trait.variant != "shark"}
    assert len(set(names.values())) == len(names)


def test_piles_leave_room_for_the_number_above_them() -> None:
    """No card covers the number of zone 3, not even that of a pile."""
    layout = arrange_rows((1, 1)).layout
    top = draw_gene_card(*gene_pile_box(layout, 0), Card("HYD"), 2)[0].y
    assert zone_population_spot(layout, 3)[1] + KEY_NUMBER_SIZE / 2 < top


def test_piles_are_named_at_their_upper_edge() -> None:
    """Over the marks round them, clear of zone 3's number and its frame; the legend explains costs."""
    state = positions.make_state(
        "HYD SP7 3", "BF8 2", gene_pool=("BCR", "BOT"), zone_populations=(5, 5, 5, 140)
    )
    view = GAME.view(state, Seat(0))
    choices = (TakeDeep(1), TakeDeep(2), SetOverflowZone(Zone.TWO), SetOverflowZone(Zone.THREE))
    scene = OCEANS_PICTURES[BOARD].draw(view, PictureContext(CAPTION, choices=choices))
    assert "costs n" in drawn_texts(scene.layers)
    layout = arrange_rows((1, 1)).layout
    groups = [layer for layer in scene.layers if isinstance(layer, Group)]
    *zone_marks, first_mark, second_mark = draw_choice_marks(view.position, arrange_rows((1, 1)), choices)
    for index, mark in enumerate((first_mark, second_mark)):
        (name,) = (group for group in groups if drawn_texts([group]) == [f"pile {index + 1}"])
        x, y, width, _ = gene_pile_box(layout, index)
        assert x <= name.x
        assert name.x + name.width <= x + width
        assert name.y < y < name.y + name.height
        assert groups.index(name) > groups.index(mark)
        assert name.y >= zone_population_spot(layout, 3)[1] + 12
        assert all(name.x + name.width <= each.x or each.x + each.width <= name.x for each in zone_marks[1:])


@pytest.mark.parametrize("code", SCENARIO_BY_CODE)
def test_every_scenario_card_is_shown_whole(code: str) -> None:
    """Name and line fit, below either zone."""
    for pair in ((code, "INA"), ("INA", code)):
        state = positions.make_state("SP7 3", "SP8 3", scenarios=pair)
        texts = " ".join(drawn_texts(board_scene(state).layers))
        assert SCENARIO_BY_CODE[code].short_text in texts
        assert SCENARIO_BY_CODE[code].name.split(" (")[0] in texts


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


@given(
    traits=st.lists(st.sampled_from(TRAITS), min_size=1, max_size=18, unique=True),
    cambrian_happened=st.booleans(),
)
@settings(max_examples=40)
def test_the_hand_explains_all_its_signs(traits: list[Trait], *, cambrian_happened: bool) -> None:
    """What the numbers of cards mean, that Deep cards wait for the Cambrian Explosion, and each value."""
    cards = [next(card for card, each in TRAIT_BY_CARD.items() if each == trait) for trait in traits]
    state = positions.make_state(
        "3", "3", hands=(" ".join(cards),), score_piles=(88,), cambrian_happened=cambrian_happened
    )
    scene = OCEANS_PICTURES[HAND].draw(GAME.view(state, Seat(0)), PictureContext(CAPTION, subject=Seat(0)))
    texts = set(drawn_texts(scene.layers))
    assert texts & {"moves n population", "moves n"}
    deep_texts = {text for text in texts if text.startswith("costs n")}
    assert bool(deep_texts) is any(trait.is_deep for trait in traits)
    assert all("after" in text and "Cambrian" in text for text in deep_texts) or cambrian_happened
    values = [value for trait in traits for value in printed_values(trait)]
    names = {name for glyph, _, name in hand._VALUE_SIGNS if glyph in {each[0] for each in values if each[2]}}
    assert names | ({"never"} if any(each[2] is None for each in values) else set()) <= texts


def test_cards_that_can_be_taken_are_shown_like_those_in_hand() -> None:
    """The Gene Pool stands above the hand while one of its cards can be taken; its values are explained."""
    state = positions.make_drawing_state("SP7 4", "AP7 4", hands=("AP11 GAR",), gene_pool=("END", "BAR"))
    view = GAME.view(state, Seat(0))
    choices = tuple(GAME.legal_actions(view))
    picture = OCEANS_PICTURES[HAND]
    assert picture.helps_to_choose(view, choices)
    texts = drawn_texts(picture.draw(view, PictureContext(CAPTION, subject=Seat(0), choices=choices)).layers)
    assert texts.index("Endurance") < texts.index("Barbels") < texts.index("In hand")
    assert {"Gene Pool", "Gains 2 more", "gains"} <= set(texts)
    discards = tuple(each for each in choices if isinstance(each, Discard))
    assert choosable_cards(view, discards) == {"AP11"}
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
