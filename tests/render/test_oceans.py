"""The board of Oceans in pictures: numbers, title, scores, legend, and what covers nothing."""

import itertools

import msgspec
import pytest

from render import typeset
from render.legend import LegendEntry, legend_gap
from render.oceans import board
from render.oceans.board import _draw_panels
from render.oceans.choices import draw_choice_marks
from render.oceans.layout import CELL_WIDTH, arrange_rows
from render.oceans.species_cell import CellContent, draw_cell
from render.oceans.value_signs import SHIELD
from render.oceans.water import draw_water
from render.picture import BOARD, PictureContext
from render.scene import Box, Group, Polygon, Text
from render.theme import KEY_NUMBER_SIZE, RED
from rules.model import Seat
from rules.oceans.actions import SetOverflowZone
from rules.oceans.cards.decks import Card
from rules.oceans.events import Evolved
from rules.oceans.model import OceansOptions
from rules.oceans.places import ZONES
from tests.render.decision_points import CAPTION
from tests.render.drawn_contents import drawn_texts
from tests.render.oceans_scenes import GAME, OCEANS_PICTURES, board_scene
from tests.rules.oceans import positions


def test_score_pile_and_defence_have_signs_of_their_own() -> None:
    """They stand side by side, so their colours alone would not do."""
    view = GAME.view(positions.make_state("", "", score_piles=(3, 4)), None)
    panel_point_counts = {
        len(item.points)
        for layer in _draw_panels(view, CAPTION, None)
        for item in layer.items
        if isinstance(item, Polygon)
    }
    assert all(len(item.points) not in panel_point_counts for item in SHIELD if isinstance(item, Polygon))


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


@pytest.mark.parametrize(
    ("plays_left", "suffix"), [(0, " to feed"), (1, " to play one more card"), (2, " to play two cards")]
)
def test_the_title_says_how_many_cards_are_to_be_played(plays_left: int, suffix: str) -> None:
    """The second of two is one more; once all are played, a species feeds, though traits may be removed."""
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
    for row, suffix in (("SP7 3", " to feed"), ("SED SP7 3", " to go on to Aging")):
        assert f"Ava{suffix}" in drawn_texts(
            board_scene(positions.make_feeding_state(row, "FLI GEN 3")).layers
        )


def test_the_title_says_that_something_comes_before_feeding() -> None:
    """Coprophagia asks for a score pile first, so no species is chosen yet."""
    state = positions.make_state("COP SP7 4", "9", plays_left=0, score_piles=(2, 2))
    assert "Ava to go on to feeding" in drawn_texts(board_scene(state).layers)


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
    for revealed_score_piles, pill_text in (((10, 11, 12), "Ben wins"), ((15, 11, 18), "Shared win")):
        position = msgspec.structs.replace(
            view.position, revealed_score_piles=revealed_score_piles, **over_fields
        )
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


@pytest.mark.parametrize(
    ("row", "scenario", "is_over", "red_count"),
    [
        ("SP7 3 | SP8 9", "FER", False, 2),
        ("SP7 3 | FF5 9", "FER", False, 1),
        ("FF5 10 | FF6 9", "FER", False, 0),
        ("SP7 3 | SP8 9", "IMM", False, 0),
        ("SP7 3 | SP8 9", "FER", True, 0),
    ],
    ids=["both", "Filter Feeder", "two Filter Feeders", "Pathogenic Immunity", "final board"],
)
def test_the_last_space_is_red_where_it_overpopulates(
    row: str, scenario: str, red_count: int, *, is_over: bool
) -> None:
    """Not on the board of a species that never does, nor when the game is over; so does the legend."""
    view = GAME.view(positions.make_state(row, "", **positions.active_scenario_setup(scenario)), None)
    if is_over:
        over = msgspec.structs.replace(view.position, to_act=None, agenda=(), revealed_score_piles=(1, 2))
        view = msgspec.structs.replace(view, position=over)
    scene = OCEANS_PICTURES[BOARD].draw(view, PictureContext(CAPTION))
    groups = [layer for layer in scene.layers if isinstance(layer, Group)]
    red_boxes = [
        item for group in groups for item in group.items if isinstance(item, Box) and item.outline == RED
    ]
    assert ("too full" in drawn_texts(scene.layers)) is bool(red_count)
    assert len(red_boxes) == red_count + bool(red_count), "the spaces, and the sign in the legend"


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
        "revealed_score_piles": (10, 11, 12),
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


@pytest.mark.parametrize("revealed_score_piles", [(9, 8, 7, 6), (119, 104, 99, 130)])
def test_four_final_scores_do_not_touch_what_they_are_made_of(revealed_score_piles: tuple[int, ...]) -> None:
    """The sum and the total of a narrow panel do not overlap."""
    state = positions.make_state("SP7 13", "SP8 9", "IN7 2", "IN8 10", round=20)
    view = GAME.view(state, None)
    over_fields = {
        "to_act": None,
        "agenda": (),
        "end_triggered": True,
        "reserve": 0,
        "revealed_score_piles": revealed_score_piles,
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
    assert not {"Gene Pool", "Deep", "pile 1", "costs n"} & set(texts)


def test_rows_of_the_legend_have_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their entries stand apart beside a Gene Pool, seen cards, choices and changes."""
    rows: list[tuple[LegendEntry, ...]] = []

    def record(entries: tuple[LegendEntry, ...], *_: int) -> tuple[Group, ...]:
        rows.append(entries)
        return ()

    monkeypatch.setattr(board, "draw_legend", record)
    state = positions.make_state("SP7 3", "SP8 9", gene_pool=("BRI", "HYD"))
    position = msgspec.structs.replace(state.position, known_cards=((), (Card("SCH"),)))
    layout = arrange_rows(tuple(len(row) for row in position.rows)).layout
    board._draw_legend(position, layout, with_changes=True, with_choices=True)
    assert [len(each) for each in rows] == [8, 7]
    assert all(legend_gap(each) >= 12 for each in rows)


def test_the_legend_names_what_cards_and_panels_show() -> None:
    """They are not left out while changes and seen cards are shown, too."""
    state = positions.make_state("SP7 3", "SP8 3")
    position = msgspec.structs.replace(state.position, known_cards=((), (Card("SCH"),)))
    state = msgspec.structs.replace(state, position=position)
    assert {"free slot", "score", "bonus", "seen in hand", "in force"} <= set(
        drawn_texts(board_scene(state).layers)
    )
