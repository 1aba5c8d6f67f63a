"""A seat's own board of Oceans: what it shows, to whom, how it is arranged, and when it helps to choose."""

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from render import theme, typeset
from render.catalogue import PICTURES, choose_picture_name
from render.oceans.choices import draw_choice_marks
from render.oceans.layout import arrange_rows, species_cells
from render.oceans.species_card import (
    SHORT_LAYOUT,
    SINGLE_LAYOUT,
    TALL_LAYOUT,
    WIDE_LAYOUT,
    SpeciesCardContent,
    SpeciesCardLayout,
    card_height,
    draw_species_card,
)
from render.oceans.water import zone_population_spot
from render.picture import BOARD, HAND, OWN_BOARD, PictureContext
from render.scene import Box, Disc, Group, Scene, Text
from rules.catalogue import GAMES
from rules.model import Action, Event, Seat
from rules.oceans.actions import (
    Attack,
    Choose,
    Create,
    Done,
    EndFeeding,
    Evolve,
    Exchange,
    Forage,
    Migrate,
    RemoveTrait,
    SetOverflowZone,
)
from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.events import Created, Extinct
from rules.oceans.places import ZONES, Zone
from tests.render.decision_points import CAPTION
from tests.render.drawn_contents import drawn_texts
from tests.rules.oceans import positions

GAME, OCEANS_PICTURES = GAMES["oceans"], PICTURES["oceans"]
AVA, BEN = Seat(0), Seat(1)
MIN_WIDTH_BY_LAYOUT = {
    SINGLE_LAYOUT: 1144,
    WIDE_LAYOUT: 559,
    replace(WIDE_LAYOUT, effect_size=theme.BODY_SIZE): 559,
    TALL_LAYOUT: 364,
    replace(TALL_LAYOUT, effect_size=theme.BODY_SIZE): 364,
    SHORT_LAYOUT: 364,
}
"""Each layout, also with the larger effects, and the width of the narrowest card that it has."""
LAYOUT_NAMES = ["single", "wide", "wide-large", "tall", "tall-large", "short"]


def own_board_scene(
    state: Any,
    subject: Seat,
    viewer: Seat | None = None,
    events: tuple[Event, ...] = (),
    choices: tuple[Action, ...] = (),
) -> Scene:
    """Return a seat's own board as a viewer sees it."""
    return OCEANS_PICTURES[OWN_BOARD].draw(
        GAME.view(state, viewer), PictureContext(CAPTION, events, subject, choices)
    )


def magenta_boxes(scene: Scene) -> list[Box]:
    """Return every box outlined in the colour of changes."""
    groups = [layer for layer in scene.layers if isinstance(layer, Group)]
    boxes = [item for layer in groups for item in layer.items if isinstance(item, Box)]
    return [box for box in boxes if box.outline == theme.MAGENTA]


def species_cards(scene: Scene) -> list[Group]:
    """Return the group that outlines each species' card."""
    return [
        layer
        for layer in scene.layers
        if isinstance(layer, Group)
        and any(
            isinstance(item, Box) and item.fill == theme.CARD and item.width > 300 for item in layer.items
        )
    ]


def test_species_are_shown_with_whole_names_effects_and_numbers() -> None:
    """Population, spaces and the names of traits, which the small cells of the board abbreviate."""
    state = positions.make_state("BF8 SH9 AP7 TE8 3 | WC7 BIO 12", "SP7 2", cambrian_happened=True)
    texts = drawn_texts(own_board_scene(state, AVA).layers)
    assert {"A1", "3", "/10", "A2", "12", "Bottom Feeder", "Shark Cleaner", "Bioluminescence"} <= set(texts)
    assert "May feed once more" in texts, "the effect of Tentacled"
    assert "Speed" not in texts, "a trait of B1, which is named as a neighbour only"
    assert texts.count("free slot") == 1


def test_a_score_pile_is_shown_to_its_owner_alone() -> None:
    """Everyone else has one and the same picture, whatever they hold themselves."""
    state = positions.make_state(
        "SP7 3", "SP8 3", "IN7 2", score_piles=(17, 28, 39), hands=("AP6 IN9", "FF5")
    )
    assert "17" in drawn_texts(own_board_scene(state, AVA, AVA).layers)
    public_scene = own_board_scene(state, AVA)
    assert "?" in drawn_texts(public_scene.layers)
    for viewer in (BEN, Seat(2)):
        assert own_board_scene(state, AVA, viewer) == public_scene
    assert not {"17", "28", "39", "Apex Predator"} & set(drawn_texts(public_scene.layers))


def test_cards_that_everybody_has_seen_are_named() -> None:
    """As many as fit, and how many more."""
    state = positions.make_state("SP7 3", "SP8 3", hands=("TUS", ""))
    for codes, certain_names in (
        (("TUS",), {"Tusks"}),
        (("TUS", "HYD", "KRA", "DRA", "LEV", "BIO"), {"Tusks"}),
    ):
        cards = (tuple(map(Card, codes)), ())
        state_with_known_cards = replace(state, position=replace(state.position, known_cards=cards))
        texts = drawn_texts(own_board_scene(state_with_known_cards, AVA).layers)
        assert certain_names <= set(texts)
        named_count = sum(TRAIT_BY_CARD[card].name in texts for card in cards[0])
        assert (f"+{len(codes) - named_count}" in texts) == (named_count < len(codes))


def test_the_last_turn_is_marked() -> None:
    """Species that changed, new traits, by how much numbers changed, and what died out."""
    state = positions.make_state("SP7 3 | IN7 6", "SP8 3")
    plain_scene = own_board_scene(state, AVA)
    assert not magenta_boxes(plain_scene)
    assert "changed" not in drawn_texts(plain_scene.layers)
    events = (
        Created("A2", Card("IN7")),
        positions.make_moved_event("reef", "A1", 2, "forage"),
        positions.make_moved_event("A1", "A", 1, "aging"),
        Extinct("A3", ()),
        Extinct("B2", ()),
    )
    scene = own_board_scene(state, AVA, events=events)
    texts = drawn_texts(scene.layers)
    assert texts.count("+1") == 2, "of A1, and of the score pile"
    assert {"A3 died out", "changed"} <= set(texts)
    halos = [box for box in magenta_boxes(scene) if box.width > 300 and box.height > 100]
    tiles = [box for box in magenta_boxes(scene) if box.width == box.height and box.fill is None]
    assert (len(halos), len(tiles)) == (2, 1)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 7, 9, 12])
def test_any_number_of_species_has_room(count: int) -> None:
    """No card touches another one or leaves the picture, which grows where it must."""
    state = positions.make_state("AP5 SP11 IN8 TE5 4", "SP8 3")
    first, others = state.position.rows[0][0], state.position.rows[1:]
    row = tuple(replace(first, key=f"A{number}") for number in range(1, count + 1))
    scene = own_board_scene(replace(state, position=replace(state.position, rows=(row, *others))), AVA)
    cards = species_cards(scene)
    assert len(cards) == count
    assert (scene.height > theme.SMALL_PICTURE_HEIGHT) == (count > 6)
    for i, card in enumerate(cards):
        assert card.y + card.height < scene.height - 60
        for earlier_card in cards[:i]:
            are_apart = (
                card.x >= earlier_card.x + earlier_card.width
                or card.y >= earlier_card.y + earlier_card.height
            )
            assert are_apart, "cards overlap"


@pytest.mark.parametrize("layout", MIN_WIDTH_BY_LAYOUT, ids=LAYOUT_NAMES)
def test_every_trait_fits_on_a_card(layout: SpeciesCardLayout) -> None:
    """Whatever a trait is called and does, all of it stands within the card."""
    width = MIN_WIDTH_BY_LAYOUT[layout]
    for card, trait in TRAIT_BY_CARD.items():
        content = SpeciesCardContent("A1", 3, 10, (1, 1, 0, 1), (card,), 0)
        height = card_height(content, width, layout, layout.min_gap)
        layers = draw_species_card((0, 0, width, height), content, layout, layout.min_gap, active=False)
        texts = [(layer, item) for layer in layers for item in layer.items if isinstance(item, Text)]
        for layer, text in texts:
            fitted = typeset.fit_text(text)
            assert "…" not in fitted.text, trait.name
            assert layer.x + text.x + fitted.width <= width - 8 or text.anchor.value == "r", trait.name
            assert layer.y + text.y + 0.4 * fitted.size < height, trait.name
        text_on_card = " ".join(text.text for _, text in texts)
        assert trait.name in text_on_card
        assert not layout.effect_size or trait.short_text in text_on_card


@pytest.mark.parametrize(("traits", "is_large"), [("SH8", True), ("SH8 WC7 TR8", False)])
def test_effects_are_large_where_they_have_room(traits: str, *, is_large: bool) -> None:
    """What a trait does is as large as other texts of pictures, unless the picture would have to grow."""
    state = positions.make_state(f"{traits} 2", "SP7 2")
    (species,), *others = state.position.rows
    row = tuple(replace(species, key=key) for key in ("A1", "A2", "A3"))
    scene = own_board_scene(replace(state, position=replace(state.position, rows=(row, *others))), AVA)
    assert scene.height == theme.SMALL_PICTURE_HEIGHT
    groups = [layer for layer in scene.layers if isinstance(layer, Group)]
    texts = [item for group in groups for item in group.items if isinstance(item, Text)]
    sizes = {text.size for text in texts if text.text.startswith("Nearest one gains")}
    assert sizes == {theme.BODY_SIZE if is_large else TALL_LAYOUT.effect_size}


@pytest.mark.parametrize("layout", MIN_WIDTH_BY_LAYOUT, ids=LAYOUT_NAMES)
def test_tiles_of_traits_stand_apart(layout: SpeciesCardLayout) -> None:
    """Tiles of traits and free slots do not overlap, also below a trait that has values alone."""
    width = MIN_WIDTH_BY_LAYOUT[layout]
    content = SpeciesCardContent("A1", 3, 10, (1, 1, 0, 1), (Card("SP7"), Card("IN5")), 2)
    height = card_height(content, width, layout, layout.min_gap)
    layers = draw_species_card((0, 0, width, height), content, layout, layout.min_gap, active=False)
    middles = sorted(
        layer.y + layer.height // 2
        for layer in layers
        if abs(layer.x - layout.traits_start) < 6 and layer.height >= layout.tile_size
    )[-4:]
    assert all(lower - upper > layout.tile_size for upper, lower in pairwise(middles))


def test_marks_stand_round_what_can_be_chosen() -> None:
    """Round species that could get a card; round traits of which one goes."""
    state = positions.make_state("SP7 IN5 3 | AP7 2", "SP8 3")
    plain_scene = own_board_scene(state, AVA, AVA)
    removals = (RemoveTrait("A1", Card("SP7")), RemoveTrait("A1", Card("IN5")))
    for choices in ((Evolve(Card("AP6"), "A1"), Evolve(Card("AP6"), "A2")), removals):
        scene = own_board_scene(state, AVA, AVA, choices=choices)
        assert "you can choose" in drawn_texts(scene.layers)
        assert len(scene.layers) > len(plain_scene.layers) + 2
    assert "you can choose" not in drawn_texts(own_board_scene(state, AVA, AVA, choices=removals[:1]).layers)


def test_signs_stand_where_a_new_species_can() -> None:
    """To the left of each card and to the right of the last one, whatever the number of rows."""
    for count in (1, 2, 3, 4, 7):
        state = positions.make_state(" | ".join(["0"] * count), "SP8 3")
        choices = tuple(Create(Card("AP6"), place) for place in range(count + 1))
        scene = own_board_scene(state, AVA, AVA, choices=choices)
        rings = [
            layer
            for layer in scene.layers
            if isinstance(layer, Group)
            and any(isinstance(item, Disc) and item.radius == 22 for item in layer.items)
        ]
        assert len(rings) == count + 1
        cards = species_cards(scene)
        edges = [*(card.x for card in cards), cards[-1].x + cards[-1].width]
        for ring, card, edge in zip(rings, [*cards, cards[-1]], edges, strict=True):
            assert abs(ring.x + ring.width / 2 - edge) <= 12
            assert card.y < ring.y + ring.height / 2 < card.y + card.height


def test_the_own_board_helps_where_only_own_species_are_asked_about() -> None:
    """Not where zones or others' species matter, and not where cards in the hand decide."""
    state = positions.make_state("SP7 IN5 3 | AP7 2", "SP8 3", hands=("AP6 WC7",))
    view = GAME.view(state, AVA)
    speed, ink, apex, cleaner = map(Card, ("SP7", "IN5", "AP6", "WC7"))
    evolutions = (Evolve(apex, "A1"), Evolve(apex, "A2"))
    exchanges = (Exchange("A1", speed, apex), Exchange("A1", ink, apex), Exchange("A1", ink, cleaner))
    for expected, choices in (
        (OWN_BOARD, evolutions),
        (OWN_BOARD, (RemoveTrait("A1", speed), RemoveTrait("A1", ink))),
        (OWN_BOARD, (*exchanges, Done())),
        (OWN_BOARD, (Create(apex, 0), Create(apex, 1), evolutions[0])),
        (HAND, exchanges[1:]),
        (HAND, (*evolutions, Evolve(cleaner, "A1"))),
        (BOARD, (*evolutions, Migrate(apex, Zone.REEF, Zone.ONE))),
        (BOARD, (Evolve(apex, "A1"), Evolve(apex, "B1"))),
        (BOARD, evolutions[:1]),
        (BOARD, ()),
    ):
        assert choose_picture_name(OCEANS_PICTURES, view, choices) == expected, choices


def test_answers_are_marked_on_the_board() -> None:
    """A species, a zone or a player that can be named has a mark; a number has none."""
    position = GAME.view(positions.make_state("SP7 3 | IN7 2", "SP8 3"), AVA).position
    arrangement = arrange_rows(tuple(len(row) for row in position.rows))
    for options, count in ((("A1", "B1"), 2), (("z1", "z3"), 2), (("A", "B"), 2), (("1", "2"), 0)):
        assert len(draw_choice_marks(position, arrangement, tuple(map(Choose, options)))) == count


REMOVALS = (RemoveTrait("A1", Card("SP7")), RemoveTrait("A2", Card("IN7")))
STANDING_ANSWERS = (SetOverflowZone(Zone.ONE), SetOverflowZone(Zone.TWO))


@pytest.mark.parametrize(
    ("choices", "marked"),
    [
        ((Forage("A1"), Forage("A2"), Attack("A1", "B1"), EndFeeding()), {"A1", "A2", "B1"}),
        ((Forage("A1"), Forage("A2"), *REMOVALS, *STANDING_ANSWERS, Done()), {"A1", "A2"}),
        ((Forage("A1"), *REMOVALS, *STANDING_ANSWERS, Done()), {"A1", "reef"}),
        ((Attack("A1", "B1"), *REMOVALS, *STANDING_ANSWERS, Done()), {"B1"}),
        ((*REMOVALS, *STANDING_ANSWERS, Done()), {"A1", "A2"}),
        ((*REMOVALS, EndFeeding()), {"A1", "A2"}),
        (STANDING_ANSWERS, {"z1", "z2"}),
        ((Forage("A1"), Attack("A1", "B1"), EndFeeding()), {"B1", "reef"}),
        ((Attack("A1", "B1"), Attack("A1", "A2")), {"B1", "A2"}),
        ((Forage("A1"), EndFeeding()), {"A1", "reef"}),
        ((Evolve(Card("AP6"), "A1"), Migrate(Card("AP6"), Zone.REEF, Zone.ONE)), {"A1", "reef"}),
        ((Attack("A1", "B1"),), set()),
    ],
)
def test_the_board_marks_the_next_decision(choices: tuple[Action, ...], marked: set[str]) -> None:
    """The species that feeds while that is open, and its food; also a single one beside other choices.

    What stands behind a button of its own is marked only where nothing else is asked.
    """
    position = GAME.view(positions.make_state("SP7 3 | IN7 2", "SP8 3"), AVA).position
    arrangement = arrange_rows(tuple(len(row) for row in position.rows))
    layout = arrangement.layout
    spots = {key: layout.cell_corner(cell) for key, cell in species_cells(position, arrangement).items()}
    spots |= {zone.value: zone_population_spot(layout, index) for index, zone in enumerate(ZONES)}
    layers = draw_choice_marks(position, arrangement, choices)
    marked_keys = {
        key
        for key, (x, y) in spots.items()
        if any(mark.x <= x <= mark.x + 24 and mark.y <= y <= mark.y + 60 for mark in layers)
    }
    assert marked_keys == marked
    assert len(layers) == len(marked)
