"""What the pictures of Australis show: a competition roll by roll, sea boards, and what can be chosen."""

from itertools import combinations
from typing import Final

import pytest
from msgspec.structs import replace
from PIL import ImageChops

from render import parts, theme
from render.australis import chart, panels
from render.australis.changes import collect_changes
from render.australis.competition import legend_entries
from render.australis.layout import ROSE_RADIUS, ROSE_SPOT, SPACE_SPOTS, die_spot
from render.australis.palette import DIE_COLOURS
from render.catalogue import PICTURES, choose_picture_name, reporting_picture_names
from render.choice_marks import draw_choice_mark
from render.glyphs import draw_glyph
from render.legend import legend_gap
from render.picture import BOARD, OWN_BOARD, PictureContext
from render.scene import Box, Disc, Group, Line, Scene, Text, make_group
from render.sea_glyphs import WHEEL
from render.symbols import draw_compass_rose
from rules.australis import AUSTRALIS
from rules.australis.actions import MoveCoral
from rules.australis.components import CARD_FACTS, LAST_SPACE, CardFunction, Colour, TileColour
from rules.australis.events import CardKept, DieTaken, EffectSource, PointsGained
from rules.australis.model import Competition, CompetitionDie, Phase, Position, Tile
from rules.model import Action, Event, Seat
from tests.render.decision_points import CAPTION, decision_points, picture_setups
from tests.render.drawn_contents import coverage, drawn_texts
from tests.rules.australis.example_competition import EXAMPLE, play_example
from tests.rules.australis.positions import (
    act,
    legal_choices,
    make_board,
    make_position,
    resign_seat,
    resolve_chance,
)

AUSTRALIS_PICTURES: Final = PICTURES["australis"]
COMPETITION: Final = "competition"
LEGEND_TOP: Final = 845
AVA, BEN, CHLOE = Seat(0), Seat(1), Seat(2)


def draw(
    name: str,
    position: Position,
    viewer: Seat | None = None,
    events: tuple[Event, ...] = (),
    subject: Seat | None = None,
    choices: tuple[Action, ...] = (),
) -> Scene:
    """Return a picture as a viewer sees it."""
    context = PictureContext(CAPTION, events, subject, choices)
    return AUSTRALIS_PICTURES[name].draw(AUSTRALIS.view(position, viewer), context)


def changing_groups(scene: Scene) -> list[Group]:
    """Return the groups of a picture that may change."""
    return [layer for layer in scene.layers if isinstance(layer, Group)]


def shown_texts(scene: Scene) -> list[str]:
    """Return all texts of a picture that may change, as they are drawn."""
    return drawn_texts(scene.layers)


def fallen_dice_values(scene: Scene) -> list[str]:
    """Return the values on dice that fell: a coloured square with a white one inside."""
    fronts = {colours.front for colours in DIE_COLOURS.values()}
    values = []
    for group in changing_groups(scene):
        boxes = [item for item in group.items if isinstance(item, Box)]
        is_hollow = (
            len(boxes) > 1 and boxes[0].fill in fronts and boxes[1].fill == theme.WHITE != boxes[0].fill
        )
        if is_hollow and group.y < LEGEND_TOP:
            values += [item.text for item in group.items if isinstance(item, Text)][:1]
    return values


def choice_marks(scene: Scene) -> list[Group]:
    """Return the frames that mark something that can be chosen."""
    background = draw_choice_mark(0, 0, 50, 50, 8).items[0]
    assert isinstance(background, Box)
    return [
        each
        for each in changing_groups(scene)
        if isinstance(each.items[0], Box)
        and each.items[0].outline == background.outline
        and each.items[0].outline_width == background.outline_width
        and all(isinstance(item, Line) for item in each.items[1:])
    ]


def count_choice_marks(scene: Scene) -> int:
    """Return how many frames mark something that can be chosen."""
    return len(choice_marks(scene))


# The competition --------------------------------------------------------------------------------------------


def test_the_rulebooks_competition_is_shown_roll_by_roll() -> None:
    """The dice that fall are hollow; the lowest value of each roll stands beside it."""
    position = resolve_chance(play_example()[-1])
    shown = draw(COMPETITION, position)
    removed = [str(value) for roll in EXAMPLE["removed"] for _, _, value in roll]
    assert sorted(fallen_dice_values(shown)) == sorted(removed)
    lowest = [
        item.text
        for each in changing_groups(shown)
        for item in each.items
        if isinstance(each.items[0], Line) and isinstance(item, Text)
    ]
    assert lowest[:5] == ["3", "3", "5", "4", "7"]
    assert shown_texts(shown).count("out") == 1, "Bob after the third roll"
    assert "Chloé" in shown_texts(shown), "who won"
    assert any(text.endswith("to choose a tile") for text in shown_texts(shown)), "in one text with a name"


def test_tiles_are_shown_where_they_went() -> None:
    """Before the choice both tiles stand beside the winner, afterwards each beside its owner."""
    position = resolve_chance(play_example()[-1])
    choices = legal_choices(position)
    assert choose_picture_name(AUSTRALIS_PICTURES, AUSTRALIS.view(position, CHLOE), choices) == COMPETITION
    before = draw(COMPETITION, position, CHLOE, choices=choices)
    assert count_choice_marks(before) == 2
    assert "the other tile" in shown_texts(before)
    after = draw(COMPETITION, act(position, "tile silver"))
    assert "the other tile" not in shown_texts(after)
    assert count_choice_marks(after) == 0


def test_turtles_are_shown_where_they_decided() -> None:
    """If the last two fall at once, the turtle further ahead wins; both are shown below the names."""
    tied_scene = draw(COMPETITION, play_example(last_value=6)[-1])
    result_layers = tuple(layer for layer in tied_scene.layers if layer.y > 700)
    assert {"Ava", "Chloé"} <= set(shown_texts(replace(tied_scene, layers=result_layers)))
    scene_without_tie = draw(COMPETITION, play_example()[-1])
    assert any(text.startswith("tie: turtle") for text in shown_texts(tied_scene))
    assert not any(text.startswith("tie: turtle") for text in shown_texts(scene_without_tie))
    assert {str(EXAMPLE["turtle"]["Anna"]), str(EXAMPLE["turtle"]["Charlie"])} <= set(shown_texts(tied_scene))


def test_an_old_competition_stays_as_it_was() -> None:
    """In the next round its picture shows no turtle where it has swum since, and no card that came since."""
    tied_position = play_example(last_value=6)[-1]
    cards = make_board(cards="blue-competition purple-competition red-competition").cards
    boards_of_next_round = tuple(
        replace(board, turtle_space=13, cards=cards) for board in tied_position.boards
    )
    next_round = replace(
        tied_position, round=tied_position.round + 1, phase=Phase.TAKE, boards=boards_of_next_round
    )
    before, after = shown_texts(draw(COMPETITION, tied_position)), shown_texts(draw(COMPETITION, next_round))
    assert "13" not in after
    assert any(text.startswith("tie: turtle") for text in after)
    assert after.count("+1") == before.count("+1") - 1, "Ben's red card had no die"


def test_nobody_wins_before_the_first_roll() -> None:
    """Nobody is said to win without a roll while several are still to roll, nor who resigned."""
    before_rolls = play_example()[0]
    assert before_rolls.phase is Phase.COMPETE
    assert not any("without a roll" in text for text in shown_texts(draw(COMPETITION, before_rolls)))
    boards = make_board(dice="blue-2"), make_board(turtle=1), make_board(turtle=2)
    before_resignation = act(
        make_position(*boards, dice="yellow-4f yellow-4f", turns_left=1), "take yellow-4f"
    )
    texts = shown_texts(draw(COMPETITION, resign_seat(before_resignation, 0)))
    assert "Nobody wins" in texts
    assert not any("without a roll" in text for text in texts)


def test_a_game_that_ends_early_leaves_competitions() -> None:
    """The board counts the competitions that were not held; after all five none is left."""
    held = Competition(round=3, dice_left=(), seats=(), is_over=True)
    position = make_position(make_board(), make_board(turtle=1), round_number=4, dice="yellow-4f red")
    ended_position = resign_seat(replace(position, competition=held), 0)
    assert ended_position.phase is Phase.OVER
    assert "2 left" in shown_texts(draw(BOARD, ended_position))
    last_position = replace(ended_position, round=5, competition=replace(held, round=5))
    assert "0 left" in shown_texts(draw(BOARD, last_position))


def test_the_fullest_legend_has_room() -> None:
    """With a card, a tie, a cube and a choice no entry touches the next one; without a card it has none."""
    tied_position = play_example(last_value=6)[-1]
    competition = tied_position.competition
    assert competition is not None
    fullest = legend_entries(tied_position, competition, has_choices=True)
    assert len(fullest) == 6
    assert legend_gap(fullest) >= 12
    without_cards = replace(
        tied_position, boards=tuple(replace(board, cards=()) for board in tied_position.boards)
    )
    assert legend_entries(without_cards, competition, has_choices=True) == fullest[1:]
    without_seats = replace(competition, seats=())
    assert legend_entries(tied_position, without_seats, has_choices=True) == fullest[1:], (
        "no column shows a card"
    )


@pytest.mark.parametrize("seat_count", [1, 2, 3, 4])
@pytest.mark.parametrize("roll_count", [0, 1, 5, 8])
def test_the_largest_competition_fits(seat_count: int, roll_count: int) -> None:
    """Eight rolls with four dice each and every card stay inside the picture, and the dice lie apart."""
    colours = (Colour.BLUE, Colour.BLUE, Colour.PURPLE, Colour.PURPLE)
    dice = tuple(
        CompetitionDie(Seat(seat), colour, 4, 1, is_removed=False)
        for seat in range(seat_count)
        for colour in colours
    )
    cards = "blue-competition purple-competition red-competition"
    board = make_board(cards=cards if seat_count == 1 else "", turtle=3)
    position = make_position(*(replace(board, turtle_space=3 + seat) for seat in range(max(2, seat_count))))
    competition = Competition(
        round=1, dice_left=(), seats=tuple(map(Seat, range(seat_count))), rolls=(dice,) * roll_count,
        first=AVA, second=BEN if seat_count > 1 else None, is_over=True, chosen=TileColour.GOLD,
    )  # fmt: skip
    scene = draw(COMPETITION, replace(position, competition=competition))
    for layer in changing_groups(scene):
        assert layer.x >= 0
        assert layer.x + layer.width <= scene.width
        assert layer.y + layer.height <= scene.height - 9
    dice_boxes = [
        (each.x + item.x, each.y + item.y, item.width)
        for each in changing_groups(scene)
        for item in each.items
        if isinstance(item, Box) and item.width == item.height and each.y + each.height < LEGEND_TOP
    ]
    assert len(dice_boxes) == seat_count * roll_count * 4
    assert all(width >= 36 for _, _, width in dice_boxes)
    for (ax, ay, width), (bx, by, _) in combinations(dice_boxes, 2):
        assert max(abs(ax - bx), abs(ay - by)) >= width


def test_only_a_competition_is_reported() -> None:
    """The picture is posted beside the board exactly after turns in which dice were rolled for it."""
    setup = picture_setups(AUSTRALIS)[0]
    reported_count = 0
    for state, recent_events, _ in decision_points(setup, 3):
        has_roll = any(type(event).__name__ == "CompetitionRolled" for event in recent_events)
        names = reporting_picture_names(AUSTRALIS_PICTURES, AUSTRALIS.view(state, None), recent_events)
        assert names == ((COMPETITION,) if has_roll else ())
        reported_count += has_roll
    assert reported_count


# The sea board ----------------------------------------------------------------------------------------------


def test_only_the_owner_sees_the_values_of_tiles() -> None:
    """Others see how many there are; after the game everybody sees them."""
    tiles = (Tile(TileColour.GOLD, 2), Tile(TileColour.SILVER, 3))
    position = make_position(make_board(tiles=tiles), make_board(turtle=1), round_number=5)
    own = shown_texts(draw(OWN_BOARD, position, AVA, subject=AVA))
    other = shown_texts(draw(OWN_BOARD, position, BEN, subject=AVA))
    over = shown_texts(draw(OWN_BOARD, replace(position, phase=Phase.OVER, to_act=None), BEN, subject=AVA))
    assert {"8", "5"} <= set(own)
    assert {"8", "5"} <= set(over)
    assert not {"8", "5"} & set(other)
    assert {"2", "tiles"} <= set(other)


def test_points_now_are_those_of_the_best_school() -> None:
    """The points now are those of the best school that cubes and fish allow."""
    position = make_position(make_board(fish=15, cube_count=3), make_board(turtle=1))
    shown = shown_texts(draw(OWN_BOARD, position, subject=AVA))
    assert shown[shown.index("now") - 1] == "7", "15 fish and 3 cubes: the rulebook's second example"


def test_own_cards_help_to_order_them() -> None:
    """Where the order of kept cards matters, the own board is shown with marks round them."""
    board = make_board(turtle=3, cards="blue-turtle blue-coral")
    position = act(make_position(board, make_board(turtle=1), dice="blue-4 red"), "take blue-4")
    assert position.phase is Phase.ACTIVATE
    choices = legal_choices(position)
    assert choose_picture_name(AUSTRALIS_PICTURES, AUSTRALIS.view(position, AVA), choices) == OWN_BOARD
    assert count_choice_marks(draw(OWN_BOARD, position, AVA, subject=AVA, choices=choices)) == 2


def test_one_point_is_one_point() -> None:
    """The first seat begins with one point, and its label is in the singular."""
    for total, label in ((0, "points"), (1, "point"), (2, "points")):
        position = make_position(make_board(points=total), make_board(turtle=1))
        shown = shown_texts(draw(OWN_BOARD, position, subject=AVA))
        assert shown[shown.index(label) - 1] == str(total)


def test_an_emptied_sea_board_says_why() -> None:
    """The board of a seat that resigned says so; that of another seat does not."""
    position = make_position(make_board(), make_board(turtle=1))
    resigned_board = replace(position.boards[0], turtle_space=None)
    position = replace(position, boards=(resigned_board, *position.boards[1:]))
    assert "Ava resigned" in shown_texts(draw(OWN_BOARD, position, subject=AVA))
    assert not any("resigned" in text for text in shown_texts(draw(OWN_BOARD, position, subject=BEN)))


# The board --------------------------------------------------------------------------------------------------


def test_every_die_that_can_be_taken_is_marked() -> None:
    """Equal dice are all marked; a dashed ring shows where each blue die leads."""
    dice = "white-2c white-2c blue-3 blue-5 red"
    position = make_position(make_board(turtle=2), make_board(turtle=5), dice=dice)
    shown = draw(BOARD, position, AVA, choices=legal_choices(position))
    assert count_choice_marks(shown) == 5
    # a dashed ring is drawn as many short lines; one that ends a move holds the number of its space
    rings = [
        each
        for each in changing_groups(shown)
        if len([item for item in each.items if isinstance(item, Line)]) > 8
    ]
    targets = [each for each in rings if any(isinstance(item, Text) for item in each.items)]
    assert len(targets) == 2, "space 6, since 5 is taken, and 7"


@pytest.mark.parametrize(
    "dice", ["blue-3", "blue-3 blue-4", "blue-2 blue-3 blue-4", "blue-2 blue-3 blue-4 blue-5"]
)
def test_dice_that_lead_to_the_last_space_hide_no_number(dice: str) -> None:
    """Beside them stays the number of the space on which the turtle is."""
    position = make_position(make_board(turtle=17), make_board(turtle=1), dice=f"{dice} red")
    choices = legal_choices(position)
    (target,) = chart.draw_targets(position, choices)
    pills = [
        each
        for each in chart.draw_turtles(position)
        if any(isinstance(item, Text) and item.text == "17" for item in each.items)
    ]
    assert len(pills) == 1
    assert target.x + target.width <= pills[0].x
    assert target.x >= 0


def test_turtles_and_cubes_leave_the_compass_rose_free() -> None:
    """On every space a turtle, its halo and its number lie beside the rose, and so do all food cubes."""
    rose = make_group(*ROSE_SPOT, draw_compass_rose(0, 0, ROSE_RADIUS, (-90, 0, 90, 180)))
    for space in range(LAST_SPACE + 1):
        position = make_position(make_board(turtle=space), make_board(), turtle_track_grey_cube_count=1)
        pieces = [
            *chart.draw_turtles(position),
            *chart.draw_cubes(position),
            parts.draw_disc_halo(*SPACE_SPOTS[space], 45),
        ]
        assert ImageChops.darker(coverage([rose]), coverage(pieces)).getbbox() is None


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_the_halo_of_a_taken_die_leaves_the_numbers_free(seat_count: int) -> None:
    """In a seat's panel the frame round a new die touches none of the signs and numbers below the dice."""
    board = make_board(dice="blue-3 purple-4 purple-5 purple-6")
    position = make_position(board, *[make_board(turtle=each) for each in range(1, seat_count)])
    events = tuple(DieTaken(AVA, die) for die in board.dice)
    shown = panels.draw_panels(position, CAPTION, collect_changes(events))
    halos = [
        each
        for each in shown
        if any(isinstance(item, Box) and item.outline == theme.MAGENTA for item in each.items)
    ]
    assert len(halos) == len(board.dice)
    numbers = [each for each in shown if each.y > max(halo.y for halo in halos) + 10]
    assert len(numbers) >= 4 * seat_count
    assert ImageChops.darker(coverage(halos), coverage(numbers)).getbbox() is None


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_panels_show_each_kept_card(seat_count: int) -> None:
    """From none to the most, a panel has room for each card; up to ten are as large as its dice."""
    kinds = [card.value for card, facts in CARD_FACTS.items() if facts.function is not CardFunction.FISH]
    for count in (0, 1, 4, 5, 8, 10, len(kinds)):
        board = make_board(cards=" ".join(kinds[:count]))
        position = make_position(board, *[make_board(turtle=each) for each in range(1, seat_count)])
        events = tuple(CardKept(AVA, card) for card in board.cards[:1])
        panel, *others = panels.draw_panels(position, CAPTION, collect_changes(events))
        right, bottom = panel.x + panel.width, panel.y + panel.height
        place = [each for each in others if each.x < right and each.y > panel.y + 155 and each.height >= 40]
        halos = [each for each in place if isinstance(each.items[0], Box) and each.items[0].fill is None]
        cards = [each for each in place if each not in halos]
        assert len(halos) == len(events)
        assert len(cards) == count
        assert all(each.x + each.width <= right - 6 and each.y + each.height <= bottom - 3 for each in cards)
        for first, second in combinations(cards, 2):
            assert second.x >= first.x + first.width - 3 or second.y >= first.y + first.height - 3, count
        assert count > 10 or all(min(each.width, each.height) >= 43 for each in cards)


def test_points_in_panels_have_the_sign_of_the_legend() -> None:
    """From the first board on, a score stands on a disc of ink like the legend's; a new one is magenta."""
    boards = [make_board(points=points) for points in (1, 23, 104)]
    events = (PointsGained(BEN, 2, EffectSource.DIE),)
    shown = panels.draw_panels(make_position(*boards), CAPTION, collect_changes(events))
    backgrounds = {
        text.text: box.fill
        for box, text in (each.items for each in shown if len(each.items) == 2)
        if isinstance(box, Box) and isinstance(text, Text)
    }
    assert backgrounds == {"1": theme.INK, "23": theme.MAGENTA, "104": theme.INK}


def test_cards_and_reefs_that_can_be_chosen_are_marked() -> None:
    """Six cards for a white die, then each reef up to the turtle's."""
    display = "white-points white-fish yellow-fish blue-points purple-coral red-competition"
    position = make_position(
        make_board(turtle=8), make_board(turtle=1), dice="white-1c2p red", display=display
    )
    position = act(position, "take white-1c2p")
    assert count_choice_marks(draw(BOARD, position, AVA, choices=legal_choices(position))) == 6
    position = act(position, "use purple-coral")
    assert count_choice_marks(draw(BOARD, position, AVA, choices=legal_choices(position))) == 3
    scene_after_placing = draw(BOARD, act(position, "coral 4"), events=act(position, "coral 4").trail)
    halos = [
        item
        for each in changing_groups(scene_after_placing)
        for item in each.items
        if isinstance(item, Box) and item.outline == theme.MAGENTA
    ]
    assert len(halos) >= 2, "the coral on the reef, and in the panel"


def test_marks_of_reefs_lie_below_turtles() -> None:
    """Beside the first reef stands the number of a turtle on space 0: no dashes run through it."""
    position = make_position(make_board(turtle=8), make_board(turtle=0), dice="purple-5 red")
    position = act(position, "take purple-5")
    scene = draw(BOARD, position, AVA, choices=legal_choices(position))
    marks, turtles = choice_marks(scene), chart.draw_turtles(position)
    overlap = ImageChops.darker(coverage(list(marks)), coverage(list(turtles)))
    assert overlap.getbbox() is not None
    layers = changing_groups(scene)
    assert max(map(layers.index, marks)) < min(map(layers.index, turtles))


def test_corals_that_can_move_are_marked() -> None:
    """With an empty supply the own corals are marked, then the reefs where the chosen one could go."""
    board = make_board(corals={3: 10, 6: 6})
    position = act(make_position(board, make_board(turtle=1), dice="purple-5 red"), "take purple-5")
    choices = legal_choices(position)
    assert count_choice_marks(draw(BOARD, position, AVA, choices=choices)) == 2
    chosen = tuple(each for each in choices if isinstance(each, MoveCoral) and each.start == 6)
    assert count_choice_marks(draw(BOARD, position, AVA, choices=chosen)) == 3
    only = act(
        make_position(make_board(corals={3: 16}), make_board(turtle=1), dice="purple-5 red"), "take purple-5"
    )
    assert count_choice_marks(draw(BOARD, only, AVA, choices=legal_choices(only))) == 1, "or none is moved"


def find_tokens(scene: Scene, radius: int, size: int) -> list[Group]:
    """Return the groups that are a first player token: a helm on a disc."""
    token = make_group(
        0, 0, (Disc(0, 0, radius, theme.INK), *draw_glyph(WHEEL, 0, 0, size, theme.WHITE, theme.INK))
    )
    return [each for each in changing_groups(scene) if each.items == token.items]


def test_the_token_lies_where_it_is() -> None:
    """Beside the place of the red die until somebody takes it, then on the sea board of that seat."""
    position = make_position(make_board(), make_board(turtle=1), dice="blue-2 red")
    after_taking = act(position, "take red")
    (token,) = find_tokens(draw(BOARD, position), 29, 46)
    x, y = die_spot(Colour.RED, 0)
    assert token.x > x
    assert token.y < y < token.y + token.height
    assert not find_tokens(draw(BOARD, after_taking), 29, 46)
    has_token = [
        [bool(find_tokens(draw(OWN_BOARD, each, subject=seat), 28, 44)) for seat in (AVA, BEN)]
        for each in (position, after_taking)
    ]
    assert has_token == [[False, False], [True, False]]


def test_the_legend_of_the_board_names_its_signs() -> None:
    """Trophies, both tiles and places that nobody holds are named, the token while nobody has it."""
    for holder in (None, AVA):
        position = replace(make_position(make_board(), make_board()), token_holder=holder)
        shown = set(drawn_texts(draw(BOARD, position).layers))
        assert {"tiles won", "gold tile", "silver tile", "free place"} <= shown
        assert ("start token" in shown) == (holder is None)


@pytest.mark.parametrize(
    ("cards", "display"),
    [("red-competition", "blue-fish"), ("blue-fish", "purple-competition"), ("blue-fish", "")],
)
def test_the_legend_of_the_board_explains_competition_cards(cards: str, display: str) -> None:
    """Only where a player keeps one, or one lies on the display."""
    position = make_position(make_board(cards=cards), make_board(), display=display)
    shown = set(drawn_texts(draw(BOARD, position).layers))
    assert ("+1 in competition" in shown) == ("competition" in cards + display)
