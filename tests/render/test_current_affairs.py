"""The pictures of Current Affairs: which one helps when, where ships lie, what is marked."""

from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops

from render.catalogue import PICTURES, choose_picture_name, choose_preview_picture_name
from render.current_affairs import chart as chart_module
from render.current_affairs import destinations, layout, panels, pieces
from render.current_affairs.board import draw_legend_rows
from render.current_affairs.changes import collect_changes
from render.current_affairs.layout import BOARD_CHART, CONTRACTS_CHART, DESTINATIONS_CHART, Chart
from render.current_affairs.pieces import draw_slot, draw_token
from render.parts import draw_box_halo, draw_disc_halo
from render.picture import BOARD, OWN_BOARD, PictureContext
from render.scene import Disc, Group, Scene, Text, make_group, make_group_in_place
from render.theme import (
    CARD,
    GAP,
    INK,
    MAGENTA,
    MARGIN,
    MIN_BOARD_HEIGHT,
    PANEL_HEIGHT,
    PANEL_TOP,
    PICTURE_WIDTH,
)
from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.actions import DrawContract, Unlock
from rules.current_affairs.components import MAX_HELD_CONTRACTS, ONE_WAY_CURRENTS, REGIONS, Region, Trash
from rules.current_affairs.events import EndReason
from rules.current_affairs.model import CurrentAffairsOptions, Phase, Position
from rules.current_affairs.phrases import TRASH_NAMES
from rules.model import Action, Seat
from tests.render.decision_points import CAPTION
from tests.render.drawn_contents import coverage, drawn_texts
from tests.rules.current_affairs.positions import (
    NOTATION,
    act,
    fill_regions,
    make_board,
    make_board_near_yokohama,
    make_port_position,
    make_position,
    resign_seat,
    start_placing,
)

CURRENT_AFFAIRS_PICTURES = PICTURES["current_affairs"]
AT_SEA = make_position(
    make_board("OKH", "C05:P.A. C08:P.", restored="BER"),
    make_board("GPP", "C10"),
    make_board("NEM", "C07 C12"),
    stacks={"EMP": "PNR", "KUR": "P", "ALA": "", "CAL": "GGGG", "PHI": "NG"},
)


def choices_of(position: Position) -> tuple[Action, ...]:
    """Return what the seat to act can choose."""
    return CURRENT_AFFAIRS.legal_actions(CURRENT_AFFAIRS.view(position, position.to_act))


def draw(name: str, position: Position, choices: tuple[Action, ...]) -> Scene:
    """Draw a picture as the seat to act sees it."""
    seat = position.to_act
    view = CURRENT_AFFAIRS.view(position, seat)
    return CURRENT_AFFAIRS_PICTURES[name].draw(
        view,
        PictureContext(CAPTION, (), seat if CURRENT_AFFAIRS_PICTURES[name].shows_one_seat else None, choices),
    )


def count_covered_pixels(mask: Image.Image) -> int:
    """Return how many pixels of a mask are covered, at least half."""
    return sum(mask.histogram()[128:])


def helpful_picture_name(position: Position) -> str:
    """Return the name of the picture that helps the seat to act."""
    return choose_picture_name(
        CURRENT_AFFAIRS_PICTURES, CURRENT_AFFAIRS.view(position, position.to_act), choices_of(position)
    )


def test_the_chart_helps_with_regions_and_the_own_board_with_slots() -> None:
    """Regions are chosen on the chart with the own contracts, slots on the own board."""
    assert helpful_picture_name(start_placing("C14 C02", "C17 C15", "C08 C16")) == "destinations"
    assert helpful_picture_name(AT_SEA) == "destinations"
    assert helpful_picture_name(act(AT_SEA, "sail KUR")) == OWN_BOARD


def draw_preview(position: Position, text: str) -> tuple[str, Scene]:
    """Return the name of the picture of what an action leads to, and the picture as its actor sees it."""
    action, seat = NOTATION.parse(text), position.to_act
    name = choose_preview_picture_name(CURRENT_AFFAIRS_PICTURES, action)
    after = act(position, text)
    subject = seat if CURRENT_AFFAIRS_PICTURES[name].shows_one_seat else None
    context = PictureContext(CAPTION, after.trail, subject)
    return name, CURRENT_AFFAIRS_PICTURES[name].draw(CURRENT_AFFAIRS.view(after, seat), context)


def test_the_own_contracts_stand_beside_the_open_ones() -> None:
    """Contracts are chosen beside those that the seat has, also in the second round of the draft."""
    position = act(fill_regions(CURRENT_AFFAIRS.initial_state(3, CurrentAffairsOptions())), "begin A")
    position = act(position, "deal C01,C15,C22", "pick C01", "pick C15", "pick C22", "deal C02,C13,C28")
    assert helpful_picture_name(position) == "contracts"
    scene = draw("contracts", position, choices_of(position))
    assert position.to_act == 2
    own_row = pieces.draw_contract_row(*CONTRACT_ROW_BOX, position.boards[2].contracts[0])
    assert set(own_row) <= set(scene.layers)
    name, preview = draw_preview(position, "pick C28")
    assert name == "contracts"
    assert set(own_row) <= set(preview.layers), "the chosen contract stands beside it"
    assert has_halo(preview, CONTRACT_ROW_BOX[0] + CONTRACT_ROW_BOX[2] + GAP)
    assert not has_halo(preview, CONTRACT_ROW_BOX[0])


CONTRACT_ROW_BOX = 278, PANEL_TOP, 440, PANEL_HEIGHT
"""Left, top, width and height of the first contract of the viewer above the chart."""


def has_halo(scene: Scene, left: int) -> bool:
    """Whether a contract above the chart has a halo."""
    return draw_box_halo(left, *CONTRACT_ROW_BOX[1:], 14) in scene.layers


def test_the_previews_of_two_slots_have_halos_at_two_places() -> None:
    """Two slots for the same trash have different previews: each has a halo that the other lacks."""
    position = act(
        make_position(make_board("OKH", "C04 C09"), *AT_SEA.boards[1:], stacks={"EMP": "PP"}), "sail EMP"
    )
    previews = [draw_preview(position, text) for text in ("collect P C04 no", "collect P C09 yes")]
    assert {name for name, _ in previews} == {OWN_BOARD}
    first, second = (set(scene.layers) for _, scene in previews)
    radius = 43
    for layers, others in ((first, second), (second, first)):
        spots = [
            (layer.x + layer.width / 2, layer.y + layer.height / 2)
            for layer in layers - others
            if isinstance(layer, Group)
            and layer
            == draw_disc_halo(round(layer.x + layer.width / 2), round(layer.y + layer.height / 2), radius)
        ]
        assert len(spots) == 1


def test_upgrades_are_chosen_on_the_own_board() -> None:
    """The ship shows what is locked, also while contracts could be drawn instead."""
    position = act(make_port_position(make_board_near_yokohama("C05:PPAR")), "deliver C05")
    assert {type(choice) for choice in choices_of(position)} == {Unlock, DrawContract}
    assert helpful_picture_name(position) == OWN_BOARD
    assert draw_preview(position, "unlock crane")[0] == OWN_BOARD
    assert helpful_picture_name(act(position, "unlock crane")) == "contracts"


def test_the_own_board_marks_what_the_turn_changed() -> None:
    """A delivered contract and an unlocked upgrade have a halo each, and nothing else."""
    position = act(make_port_position(make_board_near_yokohama("C05:PPAR")), "deliver C05")
    _, scene = draw_preview(position, "unlock crane")
    plain = draw(OWN_BOARD, act(position, "unlock crane"), ())
    assert len(set(scene.layers) - set(plain.layers)) == 1
    events = (*position.trail, *act(position, "unlock crane").trail)
    context = PictureContext(CAPTION, events, position.to_act)
    view = CURRENT_AFFAIRS.view(act(position, "unlock crane"), position.to_act)
    both = CURRENT_AFFAIRS_PICTURES[OWN_BOARD].draw(view, context)
    assert len(set(both.layers) - set(plain.layers)) == 2


def test_the_title_of_a_finished_game_names_its_round() -> None:
    """A game without extra turns does not end in them."""
    boards = make_board("OKH"), make_board("TAS"), make_board("NEM")
    position = make_position(*boards, player=2, end_reason=EndReason.HABITATS_RESTORED)
    assert "No. 12 · last round" in drawn_texts(draw(BOARD, position, ()).layers)
    assert "No. 12 · round 5" in drawn_texts(draw(BOARD, act(position, "sail CHA"), ()).layers)


def test_no_panel_has_the_turn_before_a_contract_is_revealed() -> None:
    """Only the preview of a draw is such a board: whether its player goes on is not known yet."""
    position = act(make_port_position(make_board_near_yokohama("C09:P..")), "draw C01")
    assert position.phase is Phase.REVEAL
    turn_of_nobody = replace(position, current_player=None)
    changes = collect_changes(())
    assert panels.draw_panels(position, CAPTION, changes) == panels.draw_panels(
        turn_of_nobody, CAPTION, changes
    )


def test_a_discard_marks_its_board_as_changed() -> None:
    """A discarded contract is marked at once, as is a delivered one."""
    position = make_port_position(make_board_near_yokohama("C05:PPAR", "C09:P.."))
    for text in ("deliver C05", "discard C09"):
        assert collect_changes(act(position, text).trail).seats_with_changed_board == {0}


def test_an_extra_turn_marks_only_its_own_changes() -> None:
    """What a seat took in its last regular turn is not marked where it then sailed for nothing."""
    board = make_board("OKH", "C03", unlocked="extra-turn")
    position = make_position(
        make_board("TAS"),
        make_board("NEM"),
        board,
        stacks={"EMP": "PP", "GPP": ""},
        player=2,
        end_reason=EndReason.HABITATS_RESTORED,
    )
    after_regular_turn = act(position, "sail EMP")
    after_extra_turn = act(after_regular_turn, "sail GPP")
    assert collect_changes(after_regular_turn.trail).collected_trash == {2: Trash.PLASTIC}
    changes = collect_changes((*after_regular_turn.trail, *after_extra_turn.trail))
    assert changes.routes == {2: (Region.EMP, Region.GPP)}
    assert not changes.collected_trash


def test_nothing_is_marked_of_a_ship_that_is_gone() -> None:
    """Who resigns in port leaves no arrow, no trash taken and no changed board behind."""
    before = make_port_position(make_board_near_yokohama("C05:PPAR", "C09:P.."))
    after_delivery = act(before, "deliver C05")
    trail = (*before.trail, *after_delivery.trail, *resign_seat(after_delivery, 0).trail)
    assert collect_changes(trail[:-1]).has_marks
    assert not collect_changes(trail).has_marks
    after_sailing = act(AT_SEA, "sail KUR")
    after_collecting = act(after_sailing, "collect P C05 no")
    trail = (*after_sailing.trail, *after_collecting.trail)
    assert collect_changes(trail).collected_trash
    assert not collect_changes((*trail, *resign_seat(after_collecting, 0).trail)).collected_trash


def test_the_legend_names_each_kind_of_trash() -> None:
    """The words stand beside the signs, for those who do not know these."""
    assert set(TRASH_NAMES.values()) <= set(drawn_texts(draw(BOARD, AT_SEA, ()).layers))


@pytest.mark.parametrize("trash", Trash)
def test_a_small_disc_shows_its_kind_by_its_sign(trash: Trash) -> None:
    """A phone shows a third of the size, so the smallest sign, that of a net, has 19 pixels."""
    small = coverage([make_group(50, 50, draw_token(0, 0, layout.TOKEN_RADIUS, trash)[1:])])
    box = small.getbbox()
    assert box
    assert max(box[2] - box[0], box[3] - box[1]) >= 19


@pytest.mark.parametrize("chart", [BOARD_CHART, DESTINATIONS_CHART])
def test_ships_lie_on_the_chart(chart: Chart) -> None:
    """A ship with its halo reaches neither the frame nor what is below the chart."""
    for region in Region:
        for index in range(5):
            x, y = layout.ship_spot(chart, region, index)
            assert 0 < x <= PICTURE_WIDTH - 54
            assert chart.top < y <= chart.bottom - 54


@pytest.mark.parametrize("chart", [BOARD_CHART, DESTINATIONS_CHART])
def test_regions_with_their_names_have_room(chart: Chart) -> None:
    """Regions stand apart with their whole names, and the flag beside Humboldt has room at the edge."""
    boxes = [layout.region_box(chart, region) for region in Region]
    for first, second in combinations(boxes, 2):
        beside = max(first.left, second.left) - min(first.right, second.right)
        below = abs(first.top - second.top) - layout.REGION_HEIGHT
        assert max(beside, below) >= 25
    assert layout.region_box(chart, Region.PER).right < 1060


@pytest.mark.parametrize("chart", [BOARD_CHART, DESTINATIONS_CHART])
def test_a_ship_hides_no_current(chart: Chart) -> None:
    """Three quarters of the arrow of every current stay in sight, wherever a ship is."""
    ships = [pieces.draw_ship(*layout.ship_spot(chart, region, 0), 0) for region in Region]
    assert_currents_are_visible(chart, ships)


@pytest.mark.parametrize("region", Region)
def test_a_ship_leaves_trash_in_sight(region: Region) -> None:
    """Three quarters of each token of a full stack can be seen beside the ship of its region."""
    ship = coverage([pieces.draw_ship(*layout.ship_spot(BOARD_CHART, region, 0), 0)])
    box = layout.region_box(BOARD_CHART, region)
    for index in range(1, REGIONS[region].stack_size):
        items = pieces.draw_token(0, 0, layout.TOKEN_RADIUS, Trash.GLASS)
        token = coverage([make_group(*layout.token_spot(box, index), items)])
        covered = ImageChops.multiply(token, ship)
        assert count_covered_pixels(covered) < count_covered_pixels(token) / 4


@pytest.mark.parametrize("name", [BOARD, "contracts"])
def test_halos_of_ships_lie_below_trash(name: str) -> None:
    """The halo of a ship that sailed reaches far over the last token of a full stack."""
    position = act(AT_SEA, "sail KUR")
    view = CURRENT_AFFAIRS.view(position, None)
    scene = CURRENT_AFFAIRS_PICTURES[name].draw(view, PictureContext(CAPTION, position.trail))
    chart = BOARD_CHART if name == BOARD else CONTRACTS_CHART
    layers = [layer for layer in scene.layers if isinstance(layer, Group)]
    halo = pieces.draw_ship_halo(*layout.ship_spot(chart, Region.KUR, 0))
    stacks = chart_module.draw_stacks(position, chart)
    assert len(stacks) == len(Region)
    assert layers.index(halo) < min(map(layers.index, stacks))


@pytest.mark.parametrize("chart", [BOARD_CHART, DESTINATIONS_CHART])
def test_a_step_against_a_current_lies_beside_it(chart: Chart) -> None:
    """Nine tenths of the current's arrow stay in sight, and so does the step where its ship ends."""
    ports = coverage(chart_module._draw_ports(chart))
    for step_end, step_start in ONE_WAY_CURRENTS:
        current, step = (
            coverage([make_group_in_place((item,)) for item in chart_module._arrow_items(line, INK, INK)])
            for line in (
                layout.open_water_line(chart, step_end, step_start),
                layout.step_line(chart, step_start, step_end),
            )
        )
        ship = coverage([pieces.draw_ship(*layout.ship_spot(chart, step_end, 0), 0)])
        for covered, covering, share in ((current, step, 0.1), (step, ship, 0.25), (ports, step, 0.01)):
            overlap = count_covered_pixels(ImageChops.multiply(covered, covering))
            assert overlap <= share * count_covered_pixels(covered), (step_start, step_end)


def test_collected_trash_hides_no_current() -> None:
    """Three quarters of the arrow of every current stay in sight, wherever trash was collected."""
    chips = []
    for region in Region:
        position = make_position(make_board(region.value), make_board("OKH"), make_board("OKH"))
        spot = chart_module._collected_spot(position, BOARD_CHART, region)
        chips.append(chart_module._draw_collected(*spot, Trash.PLASTIC))
    assert_currents_are_visible(BOARD_CHART, chips)


def assert_currents_are_visible(chart: Chart, covering_groups: Sequence[Group]) -> None:
    """Assert that each group hides less than a quarter of the arrow of each current."""
    pictures = [coverage([group]) for group in covering_groups]
    shapes = [(box, picture.crop(box)) for picture in pictures if (box := picture.getbbox())]
    assert len(shapes) == len(covering_groups)
    for start, end in ONE_WAY_CURRENTS:
        line = layout.open_water_line(chart, start, end)
        arrow = coverage([make_group_in_place((item,)) for item in chart_module._arrow_items(line, INK, INK)])
        arrow_size = count_covered_pixels(arrow)
        assert arrow_size
        assert all(
            count_covered_pixels(ImageChops.multiply(shape, arrow.crop(box))) < arrow_size / 4
            for box, shape in shapes
        )


@pytest.mark.parametrize("region", Region)
def test_collected_trash_covers_neither_names_nor_ships(region: Region) -> None:
    """What the newest turn collected stands clear of names, flags and the ships of its region, up to five."""
    other_board = make_board("TAS" if region is Region.HAW else "HAW")
    names_and_ports = [*chart_module._draw_ports(BOARD_CHART), *map(region_name_group, Region)]
    for ship_count in range(1, 6):
        position = make_position(*[make_board(region.value)] * ship_count, *[other_board] * (5 - ship_count))
        spot = chart_module._collected_spot(position, BOARD_CHART, region)
        chip = coverage([chart_module._draw_collected(*spot, Trash.PLASTIC)])
        covered = coverage([*names_and_ports, *chart_module.draw_ships(position, BOARD_CHART)])
        assert not count_covered_pixels(ImageChops.multiply(chip, covered))


def region_name_group(region: Region) -> Group:
    """Draw the name in a region's box."""
    box = layout.region_box(BOARD_CHART, region)
    return chart_module._draw_region_box(box, region, active=False, unreachable=False)[1]


def test_ships_of_one_region_do_not_cover_each_other() -> None:
    """Five ships in one region stand side by side."""
    spots = [layout.ship_spot(BOARD_CHART, Region.EMP, index) for index in range(5)]
    assert all(ship[0] - left_ship[0] >= 48 for ship, left_ship in pairwise(spots))


@pytest.mark.parametrize("seat", range(5))
def test_marks_stand_apart_in_panels_of_five(seat: int) -> None:
    """The diamond, the widest mark, touches neither the name beside it nor the sign below it."""
    width = panels.panel_width(5)
    groups = panels._draw_panel(
        0, width, Seat(seat), "Casual 3", 8, (0, 0, 3, 0), highlighted=False, resigned=False
    )
    mark, name, sign = (coverage([groups[i]]) for i in (1, 3, 4))
    mark_box, name_box = mark.getbbox(), name.getbbox()
    assert mark_box
    assert name_box
    assert name_box[0] - mark_box[2] >= 4
    assert not count_covered_pixels(ImageChops.multiply(mark, sign))


@pytest.mark.parametrize("seat_count", [3, 4, 5])
def test_panels_show_the_contracts_of_all_seats(seat_count: int) -> None:
    """Inside each panel lie both contracts, with slots of the size of signs and what fills them."""
    boards = [make_board("OKH", "C14:.G..P C28:P...."), make_board("GPP", "C10")]
    boards += [make_board(region) for region in ("NEM", "TAS", "CHA")[: seat_count - 2]]
    scene = draw(BOARD, make_position(*boards), ())
    width, next_left = panels.panel_width(seat_count), MARGIN
    bottom = PANEL_TOP + layout.SEAT_PANEL_HEIGHT
    for board in boards:
        panel_left, next_left = next_left, next_left + width + GAP
        rows = [
            layer
            for layer in scene.layers
            if isinstance(layer, Group)
            and panel_left < layer.x < next_left
            and PANEL_TOP + 80 < layer.y < bottom
            if layer.height > 35
        ]
        assert len(rows) == MAX_HELD_CONTRACTS
        assert all(row.x + row.width < panel_left + width and row.y + row.height < bottom for row in rows)
        for row, held in zip(rows, board.contracts, strict=False):
            discs = [item for item in row.items if isinstance(item, Disc) and item.radius >= 12]
            assert len(discs) == len(held.slots)
            assert [disc.fill != CARD for disc in discs] == [trash is not None for trash in held.slots]
            assert all(
                first.x + first.radius <= second.x - second.radius for first, second in pairwise(discs)
            )


def test_panels_mark_the_slot_that_was_filled() -> None:
    """One slot of one contract has a mark: that of the trash just taken."""
    position = act(AT_SEA, "sail KUR", "collect P C05 no")
    changes = collect_changes(position.trail)
    assert changes.filled_slots
    marked = panels.draw_panels(position, CAPTION, changes)
    changes.filled_slots.clear()
    plain = panels.draw_panels(position, CAPTION, changes)
    (row,) = set(marked) - set(plain)
    assert [item.outline for item in row.items if isinstance(item, Disc)].count(MAGENTA) == 1


def has_sign_at(scene: Scene, x: int, y: int) -> bool:
    """Whether something of the size of a sign lies with its middle there."""
    return any(
        isinstance(layer, Group)
        and layer.width < 50
        and abs(layer.x + layer.width / 2 - x) <= 2
        and abs(layer.y + layer.height / 2 - y) <= 2
        for layer in scene.layers
    )


def test_destinations_mark_habitats() -> None:
    """Regions where the ship would restore a habitat carry a sign, and no others."""
    scene = draw("destinations", AT_SEA, choices_of(AT_SEA))
    spots = {region: layout.region_box(DESTINATIONS_CHART, region).restored_sign_spot for region in Region}
    marked = {region for region, spot in spots.items() if has_sign_at(scene, *spot)}
    assert marked == {Region.KUR, Region.ALA}


def test_own_board_marks_slots() -> None:
    """The slots that the trash can go to are marked, and nothing else; a single choice needs no mark."""
    position = make_position(
        make_board("OKH", "C05:..A. C09:P.."),
        make_board("GPP", "C10"),
        make_board("NEM", "C07 C12"),
        stacks={"KUR": "PR"},
    )
    position_in_region = act(position, "sail KUR")
    choices = choices_of(position_in_region)
    plain_scene = draw(OWN_BOARD, position_in_region, ())
    marks = [
        layer
        for layer in draw(OWN_BOARD, position_in_region, choices).layers
        if layer not in plain_scene.layers
    ]
    marked = []
    for mark in marks:
        assert isinstance(mark, Group)
        x, y = round(mark.x + mark.width / 2), round(mark.y + mark.height / 2)
        marked += [
            kind
            for kind in (*Trash, None)
            if make_group(x, y, draw_slot(0, 0, 43, kind)) in plain_scene.layers
        ]
    assert len(choices) == 3
    assert marked == [Trash.RUBBER, Trash.RUBBER, None]
    assert draw(OWN_BOARD, position_in_region, choices[:1]) == plain_scene


@pytest.mark.parametrize("contract", ["C11", "C21", "C25"])
def test_names_of_slots_stand_apart(contract: str) -> None:
    """Two aluminium beside each other leave a gap between their names."""
    position = make_position(make_board("OKH", contract), make_board("GPP", "C10"), make_board("NEM", "C07"))
    label_spans = sorted(
        (layer.x, layer.x + layer.width)
        for layer in draw(OWN_BOARD, position, ()).layers
        if isinstance(layer, Group)
        and any(isinstance(item, Text) and "alumin" in item.text for item in layer.items)
    )
    assert len(label_spans) >= 2
    assert all(second[0] - first[1] >= 12 for first, second in pairwise(label_spans))


@pytest.mark.parametrize("seat_count", [3, 4, 5])
def test_the_legend_of_the_board_has_room(seat_count: int) -> None:
    """Its signs, seven at most, stand apart and end before the edge."""
    boards = (make_board("OKH", "C05"), make_board("GPP", "C10"), make_board("NEM", "C07"))
    more_boards = (make_board("TAS", "C01"), make_board("CHA", "C02"))[: seat_count - 3]
    position = make_position(*boards, *more_boards)
    view = CURRENT_AFFAIRS.view(position, None)
    sail_events = act(position, "sail KUR").trail
    assert sail_events
    top = layout.legend_row_middles(BOARD_CHART)[1] - 21
    for events in ((), sail_events):
        scene = CURRENT_AFFAIRS_PICTURES[BOARD].draw(view, PictureContext(CAPTION, events))
        legend = [layer for layer in scene.layers if isinstance(layer, Group) and layer.y > top]
        assert 0 < len(legend) <= 7
        assert all(left.x + left.width + 4 <= right.x for left, right in pairwise(legend))
        assert legend[-1].x + legend[-1].width <= PICTURE_WIDTH - GAP


@pytest.mark.parametrize("chart", [BOARD_CHART, CONTRACTS_CHART])
def test_halos_of_open_contracts_leave_chart_and_legend_free(chart: Chart) -> None:
    """They end where the legend begins, which ends above the picture's frame of 9 px."""
    halo = draw_box_halo(*layout.contract_box(chart, 0, 4), 12)
    legend = draw_legend_rows(chart, panels.panel_legend_entries(4))
    assert halo.y > chart.bottom
    assert min(group.y for group in legend) >= halo.y + halo.height
    frame_top = MIN_BOARD_HEIGHT - CONTRACTS_CHART.bottom + chart.bottom - 9
    assert max(group.y + group.height for group in legend) < frame_top


@pytest.mark.parametrize("is_sailing", [False, True])
@pytest.mark.parametrize("has_crane", [False, True])
def test_the_legend_of_destinations_names_slots_and_taken_trash(*, is_sailing: bool, has_crane: bool) -> None:
    """Outlined signs on contracts and grey dots in stacks are named, beside all other signs."""
    groups = destinations._draw_legend(is_sailing=is_sailing, has_crane=has_crane)
    assert {"needed", "taken", "current"} <= set(drawn_texts(groups))
    for left, right in pairwise(groups):
        assert left.x + left.width + 4 <= right.x
