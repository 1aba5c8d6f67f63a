"""Texts of the board, of alt texts, and of what a choice needs in place of pictures."""

import re

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.actions import FillOcean, SailShip
from rules.arctic_cleanup.components import AXIAL_COORDINATES, MAPS, SHIPS, Hex
from rules.arctic_cleanup.description import MAX_ALT_TEXT_LENGTH
from rules.arctic_cleanup.model import Phase
from rules.arctic_cleanup.phrases import ARROWS, plastics_text
from rules.model import Seat
from tests.rules.arctic_cleanup.positions import (
    NAMES,
    SAMPLE_POSITION,
    SEAT_ORDER_OPTIONS,
    act,
    make_board,
    make_position,
    resign_seat,
    resolve_chance,
)
from tests.rules.arctic_cleanup.texts import LONG_NAMES, WORDS, actor_view
from tests.rules.whole_games import play_game
from tests.trials import IS_SOAK

DIRECTIONS = {"↑": (0, -1), "↗": (1, -1), "↘": (1, 0), "↓": (0, 1), "↙": (-1, 1), "↖": (-1, 0)}
"""Where each arrow leads, in axial coordinates."""


def read_steps(line: str) -> dict[int, Hex]:
    """Return the tiles that a line names for each die, and check that its arrows lead there."""
    start, _, texts = line.partition(":")
    q, r = AXIAL_COORDINATES[Hex(start)]
    steps = {}
    for face, arrow, end in re.findall(r"(\d) (\S) ([A-E]\d)", texts):
        assert ARROWS[int(face)] == arrow
        dq, dr = DIRECTIONS[arrow]
        assert AXIAL_COORDINATES[Hex(end)] == (q + dq, r + dr), line
        steps[int(face)] = Hex(end)
    return steps


def test_the_text_for_a_choice_names_dice_and_cargo() -> None:
    """In whole games the player to act reads what both ships carry and plan, with the dice's numbers.

    A die that can sail stands there as a typed move names it.
    """
    for seat_count in ARCTIC_CLEANUP.player_counts if IS_SOAK else (2,):
        for transition in play_game(ARCTIC_CLEANUP, seat_count, "casual", 1):
            position = transition.before
            if transition.actor < 0 or not position.round:
                continue
            view, board = actor_view(position), position.boards[transition.actor]
            for text in (
                WORDS.alt_text(view, NAMES),
                WORDS.picture_texts["plan"](view, NAMES),
                WORDS.picture_texts["turn"](view, NAMES),
                WORDS.own_board_text(view, transition.actor, NAMES),
            ):
                assert len(text) <= MAX_ALT_TEXT_LENGTH
                assert not text.endswith("…")
                for ship in SHIPS:
                    (line,) = re.findall(rf"^Ship {ship} on .+$", text, re.MULTILINE)
                    assert f"carries {plastics_text(board.cargo[ship - 1]) or 'nothing'}," in line
                    faces = [int(face) for face in re.findall(r"(\d) [↑↗↘↓↙↖]", line)]
                    assert faces == list(board.rows[ship - 1])
                    for action in ARCTIC_CLEANUP.legal_actions(view):
                        if isinstance(action, SailShip) and action.ship == ship:
                            assert f"{action.face} {ARROWS[action.face]}" in line


def test_the_text_of_a_move_that_has_begun() -> None:
    """It begins with the own ships; the status says how many steps are left."""
    text = WORDS.alt_text(actor_view(act(SAMPLE_POSITION, "sail 1 1")), NAMES)
    assert text.startswith(
        "Ava's ships.\n"
        "Ship 1 on B1: carries PET and PP, plans 1 ↑ and 1 ↑.\n"
        "Ship 2 on B3: carries nothing, plans 1 ↑ and 1 ↑.\n"
        "Round 5 of at most 80.\n"
        "Ava, sail up to two more steps, or end your turn.\n"
    )


def test_the_alt_text_names_the_cargo_of_all_ships() -> None:
    """Where names are too long for that, it names their tiles."""
    full_ship_boards = [
        make_board(site, ship_tiles, cargo="hdpe,ldpe,pmma,pa6 hdpe,ldpe,pmma,pa6")
        for site, ship_tiles in (("A1", "B1 B2"), ("E1", "D1 D2"), ("E3", "D3 D4"), ("A3", "B3 B4"))
    ]
    ocean = " ".join(f"{place.value}:hdpe,ldpe,pmma" for place in MAPS[4].ocean)
    view = ARCTIC_CLEANUP.view(make_position(*full_ship_boards, ocean=ocean), None)
    full_text, brief_text = (WORDS.alt_text(view, names) for names in (NAMES, LONG_NAMES))
    assert "B Ben: factory E1, ship 1 on D1 (HDPE, LDPE, PMMA and PA6), ship 2 on D2 (HDPE" in full_text
    assert "factory E1, ships D1 and D2," in brief_text
    assert max(len(full_text), len(brief_text)) <= MAX_ALT_TEXT_LENGTH


def test_the_alt_text_says_what_the_others_can_do() -> None:
    """Strength, dice and docks of everybody stand in it, as in the picture, and the bag."""
    boards = (
        make_board("A2", "B2 B3", rows="146 -", spare_die_count=2, lines="R2:4pet"),
        make_board("E2", "D2 D3"),
    )
    position = make_position(*boards, bag="2pet,pp")
    assert WORDS.alt_text(ARCTIC_CLEANUP.view(position, None), NAMES) == (
        "Round 5 of at most 80.\n"
        "Ava, your turn: play a card.\n"
        "A Ava: factory A2 (docks B2 and B3), ship 1 on B2 (empty, dice ↑ ↓ ↖), "
        "ship 2 on B3 (empty, no dice), 4 of 16 processed, 8 points, two dice beside the board. "
        "Cards: Analyze 1, Unload 2, Load 3, Move 4, Plan 10.\n"
        "B Ben: factory E2 (docks D2 and D3), ship 1 on D2 (empty, dice ↑ ↑ ↑), "
        "ship 2 on D3 (empty, dice ↑ ↑), 0 of 16 processed, 0 points. "
        "Cards: Analyze 1, Unload 2, Load 3, Move 4, Plan 5.\n"
        "Ocean: D1 PET. Bag: three tokens."
    )
    own_text = WORDS.alt_text(ARCTIC_CLEANUP.view(position, Seat(0)), NAMES)
    assert "A Ava: factory A2 (docks B2 and B3), ships B2 and B3, 4 of 16 processed" in own_text
    assert "ship 1 on D2 (empty, dice ↑ ↑ ↑)" in own_text


def test_the_free_sites_are_named() -> None:
    """Until all factories stand the alt text names the free sites with their docks, the story all sites."""
    transitions = list(play_game(ARCTIC_CLEANUP, 3, "random", 1))
    fill = next(each for each in transitions if isinstance(each.action, FillOcean))
    before, after = (ARCTIC_CLEANUP.view(each, None) for each in (fill.before, fill.after))
    story = WORDS.narrate(before, fill.actor, fill.action, after, NAMES).text
    assert story.endswith("The sites for factories, C1, E3 and A3, stay empty.")
    position = act(fill.after, "factory E3")
    text = "Free sites for factories: C1 (docks B1, C2 and D1) and A3 (docks A2, B3 and B4)."
    assert text in WORDS.alt_text(ARCTIC_CLEANUP.view(position, None), NAMES).splitlines()
    built = act(position, "factory C1", "factory A3")
    assert built.phase is Phase.SHIPS
    assert "Free sites" not in WORDS.alt_text(ARCTIC_CLEANUP.view(built, None), NAMES)


def test_each_draw_of_the_set_up_has_a_status() -> None:
    """While chance acts the status says what is drawn."""
    start = ARCTIC_CLEANUP.initial_state(2, ARCTIC_CLEANUP.options_type())
    assert WORDS.status(ARCTIC_CLEANUP.view(start, None), NAMES) == "The turn order is drawn by lot."
    for transition in play_game(ARCTIC_CLEANUP, 2, "random", 1):
        status = WORDS.status(ARCTIC_CLEANUP.view(transition.before, None), NAMES)
        assert ("drawn" in status) or transition.actor >= 0


def test_the_text_board_says_how_the_tiles_lie() -> None:
    """Each tile has a line with the steps to the ocean tiles beside it, for every number of players."""
    for seat_count, hex_map in MAPS.items():
        position = next(
            transition.after
            for transition in play_game(ARCTIC_CLEANUP, seat_count, "random", 2)
            if transition.after.round
        )
        text = WORDS.describe(ARCTIC_CLEANUP.view(position, None), NAMES)
        lines = {line[:2]: line for line in text.splitlines() if re.match(r"[A-E]\d: ", line)}
        assert list(lines) == [place.value for place in hex_map.ocean]
        for name, line in lines.items():
            q, r = AXIAL_COORDINATES[Hex(name)]
            coordinates_beside = {(q + dq, r + dr) for dq, dr in DIRECTIONS.values()}
            expected = {place for place in hex_map.ocean if AXIAL_COORDINATES[place] in coordinates_beside}
            assert set(read_steps(line).values()) == expected
        for place in hex_map.ice:
            assert place.value in text.partition("Pack ice:")[2].partition(".")[0]
        for site in hex_map.sites:
            assert f"{site.value} (" in text.partition("Factory sites with their docks:")[2]


def test_the_rules_say_how_the_tiles_lie() -> None:
    """The page of the map names the neighbours of every hex, and each hex has a page with its own."""
    (map_text,) = (topic.text for topic in WORDS.topics if topic.key == "map")
    hex_pages = {topic.title.removesuffix(" (hex)"): topic.text for topic in WORDS.glossary}
    for place in Hex:
        (line,) = re.findall(rf"^- ({place.value}: .+)$", map_text, re.MULTILINE)
        q, r = AXIAL_COORDINATES[place]
        coordinates_beside = {(q + dq, r + dr) for dq, dr in DIRECTIONS.values()}
        expected = {each for each in Hex if AXIAL_COORDINATES[each] in coordinates_beside}
        assert set(read_steps(line).values()) == expected
        assert read_steps(f"{place.value}: {hex_pages[place.value]}") == read_steps(line)
    assert "Pack ice with 3 players.\nOcean with 2 or 4 players." in hex_pages["C5"]


def test_everybody_reads_the_same() -> None:
    """An open game describes the same board to all."""
    views = [ARCTIC_CLEANUP.view(SAMPLE_POSITION, seat) for seat in (None, Seat(0), Seat(1))]
    assert len({WORDS.describe(view, NAMES) for view in views}) == 1


def test_own_board_in_words() -> None:
    """A seat's own board says what is open, full and worth points, and what its ships carry and plan."""
    board = make_board(
        "A2",
        "B2 B3",
        cargo="pp,pet -",
        rows="26 -",
        spare_die_count=3,
        lines="R3:2pet R4:2hdpe R5:2eva R6:2pa6",
    )
    position = make_position(board)
    text = WORDS.own_board_text(ARCTIC_CLEANUP.view(position, None), Seat(0), NAMES)
    factory_text = "A Ava: factory on A2, 8 tokens processed, 23 points"
    assert f"{factory_text} so far." in text
    over_view = ARCTIC_CLEANUP.view(resign_seat(position, Seat(1)), None)
    assert f"{factory_text}." in WORDS.own_board_text(over_view, Seat(0), NAMES)
    assert "Ship 1 on B2: carries PET and PP, plans 2 ↗ and 6 ↖." in text
    assert "Hatched lines: open." in text
    assert "Full blocks with a die: R3 and R4 (first two)." in text
    assert "Points: 16 for factory lines, 5 for gained dice and 2 for tokens aboard." in text
    other_text = WORDS.own_board_text(ARCTIC_CLEANUP.view(position, None), Seat(1), NAMES)
    assert "Hatched lines: closed until R5 and R6 hold two tokens each." in other_text
    assert "Full blocks with a die: none." in other_text
    resigned_text = WORDS.own_board_text(ARCTIC_CLEANUP.view(resign_seat(position, 0), None), Seat(0), NAMES)
    assert resigned_text == "Ava has resigned."


def test_plan_in_words() -> None:
    """The planning view's text begins with the dice of both ships."""
    text = WORDS.picture_texts["plan"](ARCTIC_CLEANUP.view(SAMPLE_POSITION, Seat(0)), NAMES)
    assert text.startswith("Ava's plan.\nShip 1 on B2: carries PET and PP, plans 1 ↑, 1 ↑ and 1 ↑.")
    assert "Beside the board: one die." in text


def test_own_cards_in_words() -> None:
    """The text of the picture that a card is chosen by begins with the cards and the own board."""
    text = WORDS.picture_texts["turn"](ARCTIC_CLEANUP.view(SAMPLE_POSITION, Seat(0)), NAMES)
    assert text.startswith("Ava's factory, ships and cards, then the map.\nCards with their strength: ")
    assert "Plan (5)" in text
    assert "Factory lines: R2 (PET, 1 of 4)." in text
    assert "Ocean: B2 2 PET and PP; B3 EVA." in text
    start = resolve_chance(ARCTIC_CLEANUP.initial_state(2, SEAT_ORDER_OPTIONS))
    start_view = ARCTIC_CLEANUP.view(start, None)
    assert WORDS.picture_texts["turn"](start_view, NAMES) == WORDS.alt_text(start_view, NAMES)


def test_alt_text_before_factories_and_ships() -> None:
    """The alt text of the set-up says what is missing."""
    position = resolve_chance(ARCTIC_CLEANUP.initial_state(2, SEAT_ORDER_OPTIONS))
    text = WORDS.alt_text(ARCTIC_CLEANUP.view(position, None), NAMES)
    assert "A Ava: no factory yet, no ships yet" in text
    assert "nowhere" not in text


def test_no_text_promises_ships_to_a_seat_that_resigned() -> None:
    """Neither texts that others read nor those of its own pictures, which name no ships and cards."""
    boards = make_board("C1", "C2 D1"), make_board("E3", "D3 D4"), make_board("A3", "B3 B4")
    position = resign_seat(make_position(*boards), 1)
    view = ARCTIC_CLEANUP.view(position, Seat(0))
    for text in (WORDS.alt_text(view, NAMES), WORDS.picture_texts["turn"](view, NAMES)):
        assert "B Ben: resigned, factory E3, 0 of 16 processed" in text
        assert "no ships yet" not in text
    own_view = ARCTIC_CLEANUP.view(position, Seat(1))
    assert "not placed yet" not in WORDS.picture_texts["plan"](own_view, NAMES)
    assert "ships and cards" not in WORDS.picture_texts["turn"](own_view, NAMES)


def test_alt_text_never_counts_more_than_16_of_16() -> None:
    """Beyond the 16 that end the game the number stands alone."""
    for lines, text in (
        ("R1:3pet R2:4pp R3:4ps R4:4pet R6:1pp", "16 of 16 processed"),
        ("R1:3pet R2:4pp R3:4ps R4:4pet R6:3pp", ", 18 processed"),
    ):
        position = make_position(make_board("A2", "B2 B3", lines=lines))
        assert text in WORDS.alt_text(ARCTIC_CLEANUP.view(position, None), NAMES)


def test_one_point_is_singular_everywhere() -> None:
    """One point has its singular wherever points are counted."""
    view = ARCTIC_CLEANUP.view(make_position(make_board("A2", "B2 B3", cargo="pet -")), None)
    for text in (WORDS.describe(view, NAMES), WORDS.alt_text(view, NAMES)):
        assert "1 point" in text
        assert "1 points" not in text
