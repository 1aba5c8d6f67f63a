"""What the pictures of Arctic CleanUp show: names of sites and players, crowded tiles, planned routes."""

import itertools
from functools import cache
from itertools import cycle, islice

import pytest
from PIL import Image, ImageChops

from render.arctic_cleanup import plan, sea
from render.arctic_cleanup.board import draw_title
from render.arctic_cleanup.changes import Changes, collect_changes
from render.arctic_cleanup.layout import (
    BOARD_MAP,
    PLAN_MAP,
    TURN_MAP,
    SeaMap,
    border_spots,
    hex_outline,
    ship_spots,
)
from render.arctic_cleanup.panels import draw_panels
from render.arctic_cleanup.pieces import draw_ship, draw_small_ship
from render.caption import Caption
from render.catalogue import PICTURES, choose_picture_name
from render.picture import BOARD, OWN_BOARD, PictureContext
from render.routes import draw_polygon_halo
from render.scene import Disc, Item, Layer, Polygon, Text
from render.theme import MAGENTA
from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.actions import LoadToken, PlayWithoutEffect, RotateDie, SailShip, UnloadToken
from rules.arctic_cleanup.components import MAPS, SHIPS, Card, FactoryLine, Hex, Plastic
from rules.arctic_cleanup.events import (
    DieRotated,
    DieShifted,
    Resigned,
    ShipSailed,
    TokenLoaded,
    TokenPlaced,
)
from rules.arctic_cleanup.model import Phase, Position
from rules.model import Event, Seat
from rules.text import counted
from tests.render.drawn_contents import coverage, drawn_texts
from tests.rules.arctic_cleanup.positions import (
    NAMES,
    act,
    make_board,
    make_other_board,
    make_position,
    resign_seat,
    resolve_chance,
)
from tests.rules.whole_games import play_game
from tests.trials import cases

CAPTION = Caption(12, ("Casual 1", "Ben"))
CAPTION_FOR_THREE = Caption(12, ("Ava", "Ben", "Chloé"))


def board_layers(position: Position, *events: Event) -> tuple[Layer, ...]:
    """Return what may change on the board, as a bystander sees it after ``events``."""
    view = ARCTIC_CLEANUP.view(position, None)
    return PICTURES["arctic_cleanup"][BOARD].draw(view, PictureContext(CAPTION, events)).layers


def test_every_site_has_its_name() -> None:
    """The sites to choose from carry the names of the buttons; texts name those of factories, too."""
    position = resolve_chance(ARCTIC_CLEANUP.initial_state(2, ARCTIC_CLEANUP.options_type()))
    assert position.phase is Phase.FACTORY
    sites = {site.value for site in MAPS[2].sites}
    assert {"A2", "E2"} <= sites <= set(drawn_texts(board_layers(position)))
    after_building = act(position, "factory A2")
    assert sites <= set(drawn_texts(board_layers(after_building)))


def test_free_sites_show_the_sign_of_a_factory() -> None:
    """As long as one may be built there: a site that nobody chose stays closed."""

    def signed_sites() -> list[Hex]:
        layers = board_layers(position)
        return [site for site in MAPS[3].sites if sea._draw_site_sign(BOARD_MAP, site) in layers]

    start = ARCTIC_CLEANUP.initial_state(3, ARCTIC_CLEANUP.options_type())
    position = resolve_chance(start)
    assert signed_sites() == list(MAPS[3].sites)
    position = act(position, "factory C1")
    assert signed_sites() == [Hex.E3, Hex.A3]
    position = act(resolve_chance(resign_seat(start, 2)), "factory C1", "factory E3")
    assert position.phase is Phase.SHIPS
    assert not signed_sites()


def test_nothing_is_marked_of_ships_that_are_gone() -> None:
    """Who resigns while sailing leaves no arrow behind."""
    after_sailing = act(make_position(make_board("A2", "B2 B3", rows="1111 -", columns="move")), "sail 1 1")
    assert collect_changes(after_sailing.trail).routes
    after_resigning = resign_seat(after_sailing, 0)
    assert not collect_changes((*after_sailing.trail, *after_resigning.trail)).has_marks


@pytest.mark.parametrize(
    "event",
    [TokenLoaded(Seat(0), 2, Plastic.PET, Hex.B3), DieRotated(Seat(0), 1, 1, 2), DieShifted(Seat(0), 2, 1)],
)
def test_no_cargo_or_dice_are_marked_that_are_gone(event: Event) -> None:
    """Those of a player who resigned; others keep their marks."""
    assert collect_changes([event, Resigned(Seat(1))]).has_marks
    assert not collect_changes([event, Resigned(Seat(0))]).has_marks


def test_the_title_counts_what_is_left_of_a_card() -> None:
    """Steps that may follow; drawn tokens until they are placed, and then nothing more."""
    board = make_board("A2", "B2 B3", columns="load move analyze unload plan")
    position = make_position(board, bag="3pet")
    assert "Casual 1: Move, 1 left" in drawn_texts(board_layers(act(position, "sail 1 1")))
    after_drawing = act(position, "analyze 2")
    assert "Casual 1: Analyze, 2 to place" in drawn_texts(board_layers(after_drawing))
    after_placing = act(after_drawing, "place pet 1", "place pet 2")
    assert "Casual 1: Analyze is done" in drawn_texts(board_layers(after_placing))


def test_the_title_counts_what_the_status_counts() -> None:
    """Strength that dice, room or cargo leave no use for is not "left"; no game has the two disagree."""
    board = make_board("A2", "B2 B3", rows="1111 -", columns="load analyze unload plan move")
    after_sailing = act(make_position(board), "sail 1 1")
    assert "Casual 1: Move is done" in drawn_texts(board_layers(after_sailing))
    for player in ("casual", "random"):
        for transition in play_game(ARCTIC_CLEANUP, 3, player, 5):
            position = transition.after
            played = position.played_card
            if played is None or position.phase is not Phase.TURN or position.drawn_tokens:
                continue
            (title,) = (
                text
                for text in drawn_texts(draw_title(position, CAPTION_FOR_THREE))
                if text.endswith((" left", " is done"))
            )
            status = ARCTIC_CLEANUP.words.status(ARCTIC_CLEANUP.view(position, position.to_act), NAMES)
            left_count = 0 if title.endswith(" is done") else int(title.split()[-2])
            assert (counted(left_count, "more", "more") if left_count else "end your turn") in status


@pytest.mark.parametrize(("cargo", "unit"), [("pet -", "point"), ("2pet -", "points")])
def test_one_point_is_singular(cargo: str, unit: str) -> None:
    """The word beside the points of a board fits their number."""
    view = ARCTIC_CLEANUP.view(make_position(make_board("A2", "B2 B3", cargo=cargo)), Seat(0))
    for name in ("turn", OWN_BOARD):
        scene = PICTURES["arctic_cleanup"][name].draw(view, PictureContext(CAPTION, subject=Seat(0)))
        assert {"point", "points"} & {*drawn_texts(scene.layers)} == {unit}


def test_a_name_of_eight_characters_fits_beside_two_digits() -> None:
    """A computer player's name is whole in its panel, whatever its points."""
    full_lines = "R1:3pet R2:4hdpe R3:4pa6 R4:4eva"
    position = make_position(make_board("A2", "B2 B3", lines=full_lines))
    shown = drawn_texts(board_layers(position))
    assert "Casual 1" in shown
    assert "45" in shown


def test_numbers_of_panels_are_large() -> None:
    """Strengths of cards and numbers of dice stand in key figures, which a phone shows 11 px high."""
    position = make_position(make_board("A2", "B2 B3"))
    panel = draw_panels(position, CAPTION, Changes())
    sizes = [item.size for group in panel for item in group.items if isinstance(item, Text)]
    assert sum(size >= 36 for size in sizes) == 2 * (len(SHIPS) + len(Card) + 1), "dice, cards and points"


def test_no_panel_moves_during_the_set_up() -> None:
    """A panel appears beside its factory once that stands, and keeps its corner from then on."""
    position = resolve_chance(ARCTIC_CLEANUP.initial_state(3, ARCTIC_CLEANUP.options_type()))
    spots_by_name: dict[str, set[tuple[float, float]]] = {name: set() for name in CAPTION_FOR_THREE.names}
    for site in ("E3", "C1", "A3"):
        assert sum(map(len, spots_by_name.values())) == sum(
            each.factory is not None for each in position.boards
        )
        position = act(position, f"factory {site}")
        for group in draw_panels(position, CAPTION_FOR_THREE, Changes()):
            for item in group.items:
                if isinstance(item, Text) and item.text in spots_by_name:
                    spots_by_name[item.text].add((group.x, group.y))
    assert [len(spots) for spots in spots_by_name.values()] == [1, 1, 1]


def test_counts_lie_over_all_tokens() -> None:
    """On a tile with many tokens, each count is drawn after every token, so that none covers it."""
    position = make_position(make_board("A2", "B2 B3"), ocean="D1:3pet,3pp,2ps,hdpe,ldpe,eva")
    (tile,) = sea.draw_tokens(position, BOARD_MAP, Changes())
    kinds: list[type[Item]] = [type(item) for item in tile.items]
    assert [item.text for item in tile.items if isinstance(item, Text)] == ["3", "3", "2"]
    assert set(kinds[kinds.index(Disc) :]) == {Disc, Text}


@pytest.mark.parametrize("seat", range(4))
def test_docks_cover_no_sign_of_their_factory(seat: int) -> None:
    """Mark, counts and signs stand clear of the docks, on every site and with all signs at once."""
    for seat_count, place in ((count, site) for count in MAPS for site in MAPS[count].sites if seat < count):
        x, y = BOARD_MAP.spot(place)
        _, *docks = sea._draw_factory(BOARD_MAP, seat_count, seat, place, active=False)
        signs = [
            group
            for dice_count, is_open in itertools.product((0, 2), (False, True))
            for group in sea._draw_factory_state_at(
                x, y, seat, 16, dice_count, are_hatched_lines_open=is_open
            )
        ]
        assert docks
        assert signs
        overlap = ImageChops.multiply(coverage(docks), coverage(signs))
        assert overlap.getbbox() is None, place


@pytest.mark.parametrize("sea_map", [BOARD_MAP, PLAN_MAP], ids=["board", "plan"])
@pytest.mark.parametrize("count", cases([*range(1, 9), 16], 1, 3, 6, 8, 16))
def test_tokens_and_docks_do_not_touch(sea_map: SeaMap, count: int) -> None:
    """On every map, whatever lies on a tile, docks of all factories beside it leave its tokens clear."""
    tokens = tuple(islice(cycle(Plastic), count))
    for seat_count, hex_map in MAPS.items():
        docks = [
            group
            for site in hex_map.sites
            for group in sea._draw_factory(sea_map, seat_count, 0, site, active=False)[1:]
        ]
        tiles = [sea._draw_tile_tokens(sea_map, place, tokens) for place in hex_map.ocean]
        assert ImageChops.multiply(coverage(docks), coverage(tiles)).getbbox() is None, seat_count


@pytest.mark.parametrize("sea_map", [BOARD_MAP, PLAN_MAP], ids=["board", "plan"])
@pytest.mark.parametrize("seat", range(4))
def test_names_of_factories_stand_clear(seat: int, sea_map: SeaMap) -> None:
    """On every map, a factory's name touches neither its docks and signs nor the mark of its hex."""
    for seat_count, place in ((count, site) for count in MAPS for site in MAPS[count].sites if seat < count):
        x, y = sea_map.spot(place)
        _, *docks = sea._draw_factory(sea_map, seat_count, seat, place, active=False)
        signs = [
            group
            for dice_count, is_open in itertools.product((0, 2), (False, True))
            for group in sea._draw_factory_state_at(
                x, y, seat, 16, dice_count, are_hatched_lines_open=is_open
            )
        ]
        others = (*docks, *signs, *sea.draw_hex_choice_mark(sea_map, place))
        name = [sea._draw_factory_name(sea_map, seat_count, place)]
        assert coverage(name).getbbox()
        assert ImageChops.multiply(coverage(name), coverage(others)).getbbox() is None, place


@cache
def _name_coverage() -> Image.Image:
    """Return where the names of all tiles cover the board."""
    covered = coverage([sea._draw_tile_name(BOARD_MAP, place) for place in MAPS[3].ocean])
    assert covered.getbbox()
    return covered


@pytest.mark.parametrize(
    "ships_by_seat",
    [
        ("B1 B2", "C2 D1", "D2 D3"),
        ("B1 B1", "C2 C2", "D1 D1"),
        ("B1 B1", "B1 D1", "D1 D1"),
        ("C2 C2", "C2 C2", "C2 D1"),
        ("C2 C2", "C2 C2", "C2 C2"),
    ],
)
def test_nothing_covers_the_name_of_a_tile(ships_by_seat: tuple[str, str, str]) -> None:
    """Any number of ships, with the halos of changes, docks and frames of choices stand clear of it."""
    sites = ("C1", "E3", "A3")
    for player in range(3):
        boards = [make_board(site, ships) for site, ships in zip(sites, ships_by_seat, strict=True)]
        position = make_position(*boards, player=player)
        changes = Changes(ships_with_changed_cargo={(Seat(player), 1), (Seat(player), 2)})
        pieces = (
            *sea.draw_ship_halos(position, BOARD_MAP, changes),
            *sea.draw_ships(position, BOARD_MAP),
            *sea.draw_factories(position, BOARD_MAP, Changes()),
            *(mark for place in MAPS[3].ocean for mark in sea.draw_hex_choice_mark(BOARD_MAP, place)),
        )
        assert ImageChops.multiply(coverage(pieces), _name_coverage()).getbbox() is None


def test_ships_leave_room_on_a_crowded_tile() -> None:
    """A ship is a small hull where tokens need two rows."""
    for tokens, is_small in (("4pet", False), ("5pet", True)):
        position = make_position(make_board("A2", "B2 B3"), ocean=f"B2:{tokens}")
        x, y = BOARD_MAP.spot(Hex.B2)
        spot = ship_spots(1, small=is_small)[0]
        draw = draw_small_ship if is_small else draw_ship
        ship = draw(x + spot[0], y + spot[1], 0, 1, active=True)
        assert ship in sea.draw_ships(position, BOARD_MAP), tokens


@pytest.mark.parametrize(("name", "sea_map"), [(BOARD, BOARD_MAP), ("turn", TURN_MAP), ("plan", PLAN_MAP)])
def test_the_white_round_a_ship_covers_no_tokens(name: str, sea_map: SeaMap) -> None:
    """The tokens lie on what surrounds the current player's ships."""
    position = make_position(make_board("A2", "B2 B2"), ocean="B2:4pet")
    view = ARCTIC_CLEANUP.view(position, Seat(0))
    layers = PICTURES["arctic_cleanup"][name].draw(view, PictureContext(CAPTION)).layers
    (tokens,) = sea.draw_tokens(position, sea_map, Changes())
    assert layers.index(tokens) > max(layers.index(ship) for ship in sea.draw_ships(position, sea_map))


@pytest.mark.parametrize("tokens", ["pet", "5pet"])
def test_no_ship_is_labelled_like_a_tile(tokens: str) -> None:
    """Letter and number would read as the name of a tile: beside its number a ship shows its seat's mark."""
    position = make_position(make_board("A2", "B2 B2"), make_other_board(), ocean=f"B2:{tokens} D2:{tokens}")
    ships = sea.draw_ships(position, BOARD_MAP)
    assert sorted(drawn_texts(ships)) == ["1", "1", "2", "2"]
    discs = [any(isinstance(item, Disc) for item in ship.items) for ship in ships]
    assert discs == [True, True, False, False], "the marks of seats A and B: a disc, a square"


def test_one_halo_holds_ships_side_by_side() -> None:
    """Two neighbours that the newest turn changed get one halo, others one each."""
    for ships, halo_count in (("B2 B2", 1), ("B2 B3", 2)):
        position = make_position(make_board("A2", ships))
        changes = Changes(ships_with_changed_cargo={(Seat(0), 1), (Seat(0), 2)})
        assert len(sea.draw_ship_halos(position, BOARD_MAP, changes)) == halo_count, ships


@pytest.mark.parametrize("ships", [{1}, {2}, {1, 2}])
def test_one_halo_holds_the_changed_dice_of_a_panel(ships: set[int]) -> None:
    """It lies below their numbers, and leaves the cards and the dice of the other ship free."""
    position = make_position(make_board("A2", "B2 B3"), make_other_board())
    plain_groups = draw_panels(position, CAPTION, Changes())
    changes = Changes(rows_with_changed_dice={(Seat(0), ship) for ship in ships})
    groups = draw_panels(position, CAPTION, changes)
    (halo,) = [group for group in groups if group not in plain_groups]
    ship_rows, cards = groups[groups.index(halo) + 1 :][:2], groups[groups.index(halo) + 3 :][:5]
    other_rows = [row for ship, row in zip(SHIPS, ship_rows, strict=True) if ship not in ships]
    overlap = ImageChops.multiply(coverage([halo]), coverage([*other_rows, *cards]))
    assert sum(overlap.histogram()[128:]) < 60, "the upper edges of cards"


@pytest.mark.parametrize("ships", ["C2 B1", "C2 C2"])
def test_halos_cover_no_tokens_and_no_arrow_heads(ships: str) -> None:
    """Whole tokens lie on the halo of a ship, and each route ends before the ships on its last tile."""
    position = make_position(make_board("A2", ships), ocean="C2:pet,pp,ps")
    for start in (Hex.B1, Hex.B2, Hex.C1):
        changes = Changes(routes={(Seat(0), 1): [start, Hex.C2]})
        heads = [
            group
            for group in sea.draw_routes(position, BOARD_MAP, changes)
            if any(isinstance(item, Polygon) and item.fill == MAGENTA for item in group.items)
        ]
        halos = sea.draw_ship_halos(position, BOARD_MAP, changes)
        assert len(heads) == len(halos) == 1
        pieces = (*halos, *sea.draw_ships(position, BOARD_MAP))
        overlap = ImageChops.multiply(coverage(heads), coverage(pieces)).getbbox()
        assert overlap is None or overlap[2] - overlap[0] < 6, (start, overlap)
    events = [ShipSailed(Seat(0), 1, Hex.B1, Hex.C2, 3)]
    layers = board_layers(position, *events)
    order = [layers.index(sea.draw_ship_halos(position, BOARD_MAP, collect_changes(events))[0])]
    order += [layers.index(group) for group in sea.draw_tokens(position, BOARD_MAP, Changes())]
    assert order == sorted(order)


def test_marks_of_hexes_cover_neither_tokens_nor_docks() -> None:
    """The halo of a tile with drawn tokens lies below them, the mark of a factory below its docks."""
    position = make_position(make_board("A2", "B2 B3", cargo="pet -"), ocean="B2:3pet,2ps")
    layers = board_layers(position, TokenPlaced(Seat(0), Plastic.PS, Hex.B2))
    halo = draw_polygon_halo(hex_outline(BOARD_MAP, Hex.B2, 12))[-1]
    (tokens,) = sea.draw_tokens(position, BOARD_MAP, Changes())
    assert layers.index(halo) < layers.index(tokens)
    unloads = (UnloadToken(1, Plastic.PET, FactoryLine.R1), UnloadToken(1, Plastic.PET, FactoryLine.R2))
    view = ARCTIC_CLEANUP.view(position, Seat(0))
    _, *docks = sea._draw_factory(BOARD_MAP, 2, 0, Hex.A2, active=True)
    mark = sea.draw_hex_choice_mark(BOARD_MAP, Hex.A2)[-1]
    marked = PICTURES["arctic_cleanup"][BOARD].draw(view, PictureContext(CAPTION, choices=unloads)).layers
    assert docks
    assert marked.index(mark) < min(marked.index(dock) for dock in docks)


def test_a_card_is_chosen_by_the_own_board_and_the_map() -> None:
    """The picture shows each card with its strength, the own lines and ships, and marks the choices."""
    board = make_board("A2", "B2 B3", columns="move load analyze unload plan", cargo="pet -")
    position = make_position(board, ocean="B2:eva")
    view = ARCTIC_CLEANUP.view(position, Seat(0))
    pictures, choices = PICTURES["arctic_cleanup"], ARCTIC_CLEANUP.legal_actions(view)
    assert choose_picture_name(pictures, view, choices) == "turn"
    plain, marked = (
        pictures["turn"].draw(view, PictureContext(CAPTION, choices=each)).layers for each in ((), choices)
    )
    shown = drawn_texts(plain)
    for column, name in enumerate(("Move", "Load", "Analyze", "Unload", "Plan"), 1):
        assert shown[shown.index(name) - 1] == str(column)
    assert {"R1", "H2", "on B2", "on B3"} <= set(shown)
    assert len(marked) > len(plain)


@pytest.mark.parametrize("name", [OWN_BOARD, "turn"])
def test_a_doubled_card_says_so(name: str) -> None:
    """Beside its strength stands the sign by which the factory names what a full line does."""
    board = make_board("A2", "B2 B3", columns="move load analyze unload plan", lines="R4:4pet")
    view = ARCTIC_CLEANUP.view(make_position(board), Seat(0))
    scene = PICTURES["arctic_cleanup"][name].draw(view, PictureContext(CAPTION, subject=Seat(0)))
    texts_by_group = [drawn_texts((layer,)) for layer in scene.layers]
    assert [texts for texts in texts_by_group if "\u00d72" in texts] == [["4", "\u00d72"]]
    assert ["line of 4: card \u00d72"] in [texts[-1:] for texts in texts_by_group]


def test_each_card_has_the_picture_that_decides() -> None:
    """Cards and tokens to load are chosen by board and map, lines by the own board, dice by the plan."""
    position = make_position(make_board("A2", "B2 B3", cargo="pet -"), ocean="B2:eva")
    view = ARCTIC_CLEANUP.view(position, Seat(0))
    picture_names: dict[type, str] = {
        PlayWithoutEffect: "turn",
        LoadToken: "turn",
        UnloadToken: OWN_BOARD,
        RotateDie: "plan",
        SailShip: BOARD,
    }
    for kind, name in picture_names.items():
        choices = tuple(each for each in ARCTIC_CLEANUP.legal_actions(view) if isinstance(each, kind))
        assert choices
        assert choose_picture_name(PICTURES["arctic_cleanup"], view, choices) == name


def test_the_plan_names_the_tiles_of_its_buttons() -> None:
    """The picture by which dice are planned carries the names, clear of ships and numbers on borders."""
    position = make_position(make_board("A2", "B2 B2", rows="1 14"))
    scene = PICTURES["arctic_cleanup"]["plan"].draw(
        ARCTIC_CLEANUP.view(position, Seat(0)), PictureContext(CAPTION)
    )
    places = MAPS[2].ocean
    assert {place.value for place in places} <= set(drawn_texts((*scene.static_layers, *scene.layers)))
    names = [sea._draw_tile_name(PLAN_MAP, place) for place in places]
    numbers = [
        plan._draw_number(*spot, 1)
        for start, end, count in (("B1", "B2", 3), ("B3", "B2", 2), ("C2", "B2", 1), ("C4", "B3", 1))
        for spot in border_spots(PLAN_MAP, Hex(start), Hex(end), count)
    ]
    pieces = (*sea.draw_ships(position, PLAN_MAP), *numbers)
    assert ImageChops.multiply(coverage(pieces), coverage(names)).getbbox() is None


def test_the_plan_explains_its_signs() -> None:
    """Struck dice, numbers on borders and pale hulls have their words, whatever the dice."""
    view = ARCTIC_CLEANUP.view(make_position(make_board("A2", "B2 B3")), Seat(0))
    scene = PICTURES["arctic_cleanup"]["plan"].draw(view, PictureContext(CAPTION))
    texts = {"no way for it yet", "die for this step", "where a route ends"}
    assert texts <= set(drawn_texts((*scene.static_layers, *scene.layers)))


def test_numbers_on_one_border_do_not_touch() -> None:
    """A border that is crossed several times has its numbers side by side, in order from the left."""
    for end in (Hex.C2, Hex.B2, Hex.C3):
        spots = border_spots(PLAN_MAP, Hex.B3 if end is not Hex.C2 else Hex.B2, end, 3)
        for (ax, ay), (bx, by) in itertools.pairwise(spots):
            assert (ax - bx) ** 2 + (ay - by) ** 2 >= 35**2
            assert ax <= bx


def test_the_legend_names_the_cards_of_a_panel() -> None:
    """It has words for the action cards, which a panel shows over their strengths, and for doubled ones."""
    texts = drawn_texts(board_layers(make_position(make_board("A2", "B2 B3"))))
    assert {"action card", "doubled"} <= set(texts)
