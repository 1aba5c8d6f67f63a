"""The pictures of Currents: the hand shows its own cards and what they can do."""

import itertools
import math

import pytest
from msgspec.structs import replace

from render.currents import PICTURES
from render.currents.change_marks import OWNER_MARK_HALO_RADIUS
from render.currents.choices import choosable_cards, hand_helps_to_choose
from render.currents.hand import _replaceable_rank_texts
from render.currents.indicators import draw_defence_box
from render.currents.layout import EXIT_OFFSET, LAYOUTS, Layout
from render.picture import BOARD, HAND, PictureContext
from render.scene import Box, Disc, Group, Item, Line, Scene, Text
from render.theme import MAGENTA
from rules.catalogue import GAMES
from rules.currents import turn
from rules.currents.actions import PlayCurrent
from rules.currents.board import GEOMETRIES
from rules.currents.components import PLAIN_CARDS, RANKS, SUIT_BY_CARD, Axis, Card
from rules.currents.drift import compute_drift, defending_suits
from rules.currents.events import PawnDrifted
from rules.currents.legal import replaceable_cards
from rules.currents.model import BoardShape, CurrentsOptions, CurrentsView, Phase
from rules.model import Seat
from tests.render.decision_points import CAPTION, sample_points
from tests.rules.currents.positions import act, make_state

_SLOT_NAME_HEIGHT = 18
"""Height of the capitals and digits of a slot's name."""


def text_items(scene: Scene) -> list[Text]:
    """Return all texts of a scene that may change."""
    groups = [layer for layer in scene.layers if isinstance(layer, Group)]
    return [item for group in groups for item in group.items if isinstance(item, Text)]


def test_a_hand_shows_its_own_cards_only() -> None:
    """The ranks of the large cards are those of the viewer's hand, in order."""
    game = GAMES["currents"]
    for state, _, seats in sample_points("currents"):
        for seat in seats:
            view = game.view(state, seat)
            scene = PICTURES[HAND].draw(view, PictureContext(CAPTION, subject=seat))
            shown = [text.text for text in text_items(scene) if text.size > 100]
            assert shown == [card[:-1] for card in view.hand if card not in {"RJ", "BJ"}]


def test_a_hand_shows_what_stops_the_pawn() -> None:
    """Where each player has one edge to defend, the hand names it, and says when no suit can do that."""
    game, seen_cases = GAMES["currents"], set()
    for state, _, seats in sample_points("currents"):
        position = state.position
        for seat in seats:
            scene = PICTURES[HAND].draw(game.view(state, seat), PictureContext(CAPTION, subject=seat))
            shown = [text.text for text in text_items(scene)]
            must_defend_now = position.phase is Phase.GOALTEND and position.to_act == seat
            assert ("You defend" in shown) is (position.seat_count > 2 and not must_defend_now)
            if "You defend" in shown:
                edge = shown[shown.index("You defend") + 1]
                assert edge == GEOMETRIES[position.options.board].seat_edge(position.seat_count, seat)
                assert ("no suit" in shown) is (not defending_suits(position, edge))
                seen_cases.add("no suit" in shown)
    assert seen_cases == {False, True}


@pytest.mark.parametrize("easy_usurp", [False, True])
def test_the_hand_says_what_each_card_may_replace(*, easy_usurp: bool) -> None:
    """The ranks of other suits are those of the rules; without any, the card replaces its own suit alone."""
    position = turn.initial_position(2, CurrentsOptions(easy_usurp=easy_usurp))
    replaceable_by_card = replaceable_cards(position)
    for card in PLAIN_CARDS:
        replaceable_in_both = replaceable_by_card.currents[card], replaceable_by_card.compass[card]
        shown = _replaceable_rank_texts(card, may_replace_equal=easy_usurp)
        for text, replaceable in zip(shown, replaceable_in_both, strict=True):
            old_cards = [old for old in replaceable if old is not None]
            assert any(SUIT_BY_CARD[old] == SUIT_BY_CARD[card] for old in old_cards)
            other_ranks = {old[:-1] for old in old_cards if SUIT_BY_CARD[old] != SUIT_BY_CARD[card]}
            ranks = sorted(other_ranks, key=RANKS.index)
            assert text == ("\u2013".join(dict.fromkeys((ranks[0], ranks[-1]))) if ranks else "its suit")


def test_facts_of_a_hand_are_as_large_as_other_texts() -> None:
    """What a card pushes and may replace stands in 30 px, which a phone shows 9 px high."""
    seen_texts = set()
    for state, _, seats in sample_points("currents"):
        for seat in seats:
            view = GAMES["currents"].view(state, seat)
            scene = PICTURES[HAND].draw(view, PictureContext(CAPTION, subject=seat))
            for text in text_items(scene):
                if text.text in {"pushes", "nowhere", "current", "compass"} or "over 2\u2013" in text.text:
                    seen_texts.add(text.text)
                    assert text.size >= 30 or len(view.hand) > 4
    assert len(seen_texts) > 5


def test_the_hand_helps_to_choose_what_follows() -> None:
    """Once card and slot are chosen, the cards that may follow are marked; until then the board helps."""
    game = GAMES["currents"]
    view = replace(
        game.view(game.initial_state(2, game.options_type()), Seat(0)), hand=(Card("2H"), Card("3H"))
    )
    one_card, two_cards = PlayCurrent(Card("2H"), "N1"), PlayCurrent(Card("2H"), "N1", Card("3H"))
    assert choosable_cards(view, (one_card, two_cards)) == {"3H"}
    assert hand_helps_to_choose(view, (one_card, two_cards))
    assert not hand_helps_to_choose(view, (one_card, two_cards, PlayCurrent(Card("2H"), "N2")))
    assert not hand_helps_to_choose(view, (one_card,))


def test_the_legend_names_the_next_drift_where_one_is_shown() -> None:
    """While nothing pushes the pawn, no ring shows its next drift, and the legend does not speak of it."""
    game, seen_cases = GAMES["currents"], set[tuple[str, ...]]()
    for state, _, _ in sample_points("currents"):
        position = state.position
        if position.phase not in {Phase.OVER, Phase.GOALTEND}:
            scene = PICTURES[BOARD].draw(game.view(state, None), PictureContext(CAPTION))
            drift = compute_drift(position)
            text = "about to leave" if drift.exits else "next drift"
            expected_texts = {text} if drift.target != position.pawn else set()
            shown_texts = {text.text for text in text_items(scene)} & {"about to leave", "next drift"}
            assert shown_texts == expected_texts
            seen_cases.add(tuple(shown_texts))
    assert seen_cases >= {(), ("next drift",)}


def test_the_legend_says_that_blue_slots_reach_the_pawn() -> None:
    """Blue slots may be empty, or hold a suit that the compass lacks: those push nothing."""
    game = GAMES["currents"]
    for state, _, _ in sample_points("currents"):
        scene = PICTURES[BOARD].draw(game.view(state, None), PictureContext(CAPTION))
        shown = [text.text for text in text_items(scene)]
        assert ("reaches pawn" in shown) is (state.position.phase is not Phase.OVER)


@pytest.mark.parametrize("shape", list(BoardShape))
def test_what_a_defender_needs_covers_no_slot(shape: BoardShape) -> None:
    """The box and its shadow end where the slots below them begin, or stand beside them."""
    layout = LAYOUTS[shape]
    left, top = layout.defence_box_corner
    shadow = draw_defence_box(left, top, 1, ("H", "D")).items[0]
    assert isinstance(shadow, Box)
    for slot in layout.slots:
        is_beside = slot.x + slot.width < left
        assert is_beside or top + shadow.y + shadow.height <= slot.y - 1 or top > slot.y + slot.height


def test_names_and_arrows_lie_inside_their_slots() -> None:
    """In every slot name and arrows keep clear of the frame, which marks of choices follow."""
    clearance = 5
    for layout in LAYOUTS.values():
        for slot in layout.slots:
            for (x, y), half_width, half_height in (
                (slot.name_offset, 16, _SLOT_NAME_HEIGHT / 2),
                (slot.arrow_offset, slot.arrow_length / 2, slot.arrow_length / 2),
            ):
                assert clearance <= x - half_width
                assert x + half_width <= slot.width - clearance
                assert clearance <= y - half_height
                assert y + half_height <= slot.height - clearance


def _distance_of_line(layer: Group, item: Item, x: float, y: float) -> float:
    """Return how far from a point the start of a line lies."""
    assert isinstance(item, Line)
    return math.dist((layer.x + item.points[0], layer.y + item.points[1]), (x, y))


def test_the_next_drift_is_seen_where_it_leads_back() -> None:
    """Its dotted ring goes round the mark where the pawn was before, and lies above that mark."""
    start, pawn = (4, 5), (4, 4)
    position = make_state(compass="AH AD AC AS", currents="N1 2C", pawn=pawn).position
    assert compute_drift(position).target == start
    view = CurrentsView(position, None, ())
    scene = PICTURES[BOARD].draw(view, PictureContext(CAPTION, (PawnDrifted((start, pawn)),)))
    x, y = LAYOUTS[BoardShape.SQUARE].spots[start]
    layers = [layer for layer in scene.layers if isinstance(layer, Group)]
    start_marks = [
        (index, item.radius)
        for index, layer in enumerate(layers)
        for item in layer.items
        if isinstance(item, Disc) and math.dist((layer.x + item.x, layer.y + item.y), (x, y)) < 1
        if item.outline == MAGENTA
    ]
    rings = [
        (index, min(distances))
        for index, layer in enumerate(layers)
        if all(isinstance(item, Line) for item in layer.items)
        and (distances := [_distance_of_line(layer, item, x, y) for item in layer.items])
        and max(distances) < 40
    ]
    (mark_index, mark_radius), (ring_index, ring_radius) = max(start_marks), max(rings)
    assert ring_index > mark_index
    assert ring_radius > mark_radius + 5


def test_a_pawn_that_left_lies_beyond_the_winners_edge() -> None:
    """At a corner the pawn lies on the band of the edge where it left, not between two edges."""
    layout = LAYOUTS[BoardShape.SQUARE]
    position = replace(
        turn.initial_position(2, CurrentsOptions()),
        first_player=Seat(0),
        axis=Axis.NORTH_SOUTH,
        phase=Phase.OVER,
        pawn=(10, -2),
        winner=Seat(1),
    )
    corner = layout.spots[8, 0]
    assert layout.find_pawn(position) == (corner[0] + EXIT_OFFSET, corner[1])
    assert layout.find_pawn(replace(position, winner=Seat(0))) == (corner[0], corner[1] - EXIT_OFFSET)


def test_a_game_that_ends_during_the_set_up_had_no_round() -> None:
    """After a resignation before the first turn no picture shows a round or goals still to be chosen."""
    game = GAMES["currents"]
    start = game.initial_state(2, CurrentsOptions())
    resigned = game.resign(act(start, "deal A 2C,3C,4C", "deal B 5C,6C,7C", "begin A"), Seat(0))
    view = game.view(resigned, Seat(1))
    board_texts = [text.text for text in text_items(PICTURES[BOARD].draw(view, PictureContext(CAPTION)))]
    assert any("set-up" in text for text in board_texts)
    assert not any("round" in text for text in board_texts)
    assert "Winner" in board_texts
    assert "Goal" not in board_texts
    hand_scene = PICTURES[HAND].draw(view, PictureContext(CAPTION, subject=Seat(1)))
    assert "not chosen" in [text.text for text in text_items(hand_scene)]


def _exit_spots(layout: Layout) -> list[tuple[float, float]]:
    """Return where a pawn is drawn that one push has moved over an edge."""
    geometry = layout.geometry
    count = len(geometry.places)
    single_pushes = [tuple(int(i == direction) for i in range(count)) for direction in range(count)]
    moved_points = [geometry.push(*each) for each in itertools.product(layout.spots, single_pushes)]
    spots = [layout.find_spot(point) for point in moved_points if geometry.crossed_edges(point)]
    assert spots
    return spots


def test_halos_and_the_pawn_leave_slots_readable() -> None:
    """A halo round a slot's card leaves its name free, a pawn that left hides a card's edge at most."""
    for layout in LAYOUTS.values():
        exit_spots = _exit_spots(layout)
        for slot in layout.slots:
            left, top = slot.x + slot.card_offset[0], slot.y + slot.card_offset[1]
            name_x, name_y = slot.x + slot.name_offset[0], slot.y + slot.name_offset[1]
            assert name_y + 9 <= top - 12 or name_x + 15 <= left - 12
            for x, y in exit_spots:
                nearest = min(max(x, left), left + 74), min(max(y, top), top + 98)
                assert math.dist((x, y), nearest) >= layout.pawn_radius - 7


@pytest.mark.parametrize("shape", BoardShape)
def test_points_of_a_side_are_drawn_at_that_side(shape: BoardShape) -> None:
    """From the centre they lie farthest in the direction in which the pawn leaves the board there."""
    layout = LAYOUTS[shape]
    geometry, centre = layout.geometry, layout.spots[layout.geometry.start]

    def distance(spot: tuple[float, float], edge: str) -> float:
        band = layout.goal_bands[edge]
        return (spot[0] - centre[0]) * band.outwards[0] + (spot[1] - centre[1]) * band.outwards[1]

    counts = dict.fromkeys(layout.goal_bands, 0)
    for point, spot in layout.spots.items():
        edges = [edge for edge in layout.goal_bands if geometry.steps_to_edge(point, edge) == 0]
        if len(edges) == 1:
            assert max(layout.goal_bands, key=lambda edge: distance(spot, edge)) == edges[0], point
            counts[edges[0]] += 1
    assert all(count > 5 for count in counts.values())


@pytest.mark.parametrize("phase", [Phase.PLAY, Phase.GOALTEND])
def test_the_ring_of_a_pawn_about_to_leave_surrounds_it(phase: Phase) -> None:
    """Where the pawn would hide the ring, all its dots are seen, and the legend says that the pawn leaves."""
    state = make_state(compass="AH AD AC AS", currents="E1 2D", pawn=(8, 3))
    position = replace(state.position, phase=phase, target=(9, 3))
    assert compute_drift(position).target == position.target
    scene = PICTURES[BOARD].draw(CurrentsView(position, None, ()), PictureContext(CAPTION))
    layout = LAYOUTS[BoardShape.SQUARE]
    dots = [
        _distance_of_line(layer, item, *layout.spots[8, 3])
        for layer in scene.layers
        if isinstance(layer, Group) and any(isinstance(item, Disc) for item in layer.items)
        for item in layer.items
        if isinstance(item, Line) and item.width == 3
    ]
    near_dots = [distance for distance in dots if distance < 60]
    assert "about to leave" in [text.text for text in text_items(scene)]
    assert len(near_dots) > 10
    assert min(near_dots) > layout.pawn_radius + 2


def _distance_to_slot_contents(layout: Layout, x: float, y: float) -> float:
    """Return how far a point lies from the nearest name or arrow of a slot."""
    distances = []
    for slot in layout.slots:
        for (dx, dy), half_width, half_height in (
            (slot.name_offset, 15, _SLOT_NAME_HEIGHT / 2),
            (slot.arrow_offset, slot.arrow_length / 2, 5),
        ):
            left, top = slot.x + dx - half_width, slot.y + dy - half_height
            nearest = min(max(x, left), left + 2 * half_width), min(max(y, top), top + 2 * half_height)
            distances.append(math.dist((x, y), nearest))
    return min(distances)


def test_halos_beyond_an_edge_leave_names_and_arrows_free() -> None:
    """Neither the halo of a pawn that left nor that of an edge's mark touches what stands in a slot."""
    halo_width = 9 + 2.5
    for layout in LAYOUTS.values():
        for spot in _exit_spots(layout):
            assert _distance_to_slot_contents(layout, *spot) >= layout.pawn_radius + halo_width
        for band in layout.goal_bands.values():
            distance = _distance_to_slot_contents(layout, *band.mark_middle)
            assert distance >= OWNER_MARK_HALO_RADIUS + halo_width


def test_signs_of_swaps_leave_names_arrows_and_owner_marks_free() -> None:
    """The sign on the card of each slot covers neither what stands in slots nor the mark of an edge."""
    sign_radius, mark_radius = 20, 30
    for layout in LAYOUTS.values():
        for slot in layout.slots:
            x, y = slot.x + slot.swap_sign_offset[0], slot.y + slot.swap_sign_offset[1]
            assert _distance_to_slot_contents(layout, x, y) > sign_radius
            for band in layout.goal_bands.values():
                assert math.dist((x, y), band.mark_middle) > sign_radius + mark_radius
