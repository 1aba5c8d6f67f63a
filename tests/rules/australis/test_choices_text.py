"""Buttons and previews of Australis: what a die or card brings."""

import re

import pytest
from msgspec.structs import replace

from rules.australis import AUSTRALIS
from rules.australis.actions import KeepCard
from rules.australis.components import CARD_FACTS, CardFunction
from rules.australis.model import Competition, Phase
from rules.australis.paths import MAX_LABEL_LENGTH, path
from rules.australis.scoring import reef_points
from rules.australis.words import WORDS
from rules.model import Seat
from tests.rules.australis.positions import NAMES, NOTATION, act, legal_choices, make_board, make_position
from tests.rules.australis.texts import actor_view, button_path_text, preview_lines, short_preview_text

# Buttons --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("take white-1c3p", "White +3, 1 card"),
        ("take white-2c", "White 2 cards"),
        ("take yellow-4f1p", "Yellow +1, 4 fish"),
        ("take blue-5", "Blue 5: swim to 10"),
        ("take blue-6", "Blue 6: swim to 12, cube"),  # 11 is taken
        ("take purple-3", "Purple 3: reef 3"),
        ("take purple-6", "Purple 6: reef 3\u20136"),
        ("take red", "Red: you start round 2"),
    ],
)
def test_a_button_says_what_its_die_brings(text: str, label: str) -> None:
    """A button says what its die brings, shortly enough that buttons stand side by side."""
    dice = "white-1c3p white-2c yellow-4f1p blue-5 blue-6 purple-3 purple-6 red"
    position = make_position(make_board(turtle=5), make_board(turtle=11), dice=dice, player=0)
    assert button_path_text(position, text) == label
    assert len(label) <= 24


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("take yellow-4f", "Yellow 4 fish (+1 fish)"),
        ("take white-2c", "White 2 cards (turtle to 17, cube)"),
        ("take blue-7", "Blue 7: to 18, grey cube (+2 points)"),
        ("take purple-6", "Purple 6: reef 3\u20136 (+1 coral)"),
    ],
)
def test_die_buttons_with_kept_cards(text: str, label: str) -> None:
    """What the kept cards add stands behind the die; a turtle card is in the space of a blue die."""
    cards = "yellow-fish white-turtle blue-points blue-turtle purple-coral"
    board = make_board(turtle=16, cards=cards)
    dice = "white-2c yellow-4f blue-7 purple-6 red"
    position = make_position(board, make_board(turtle=3), dice=dice, turtle_track_grey_cube_count=1)
    assert button_path_text(position, text) == label


TURTLE_STAYS_LINE = "Your turtle stays on space 17: no free space is left ahead."


@pytest.mark.parametrize(
    ("text", "label", "first_line"),
    [
        (
            "take white-2c",
            "White 2 cards (+2 points)",
            "Your white cards come first: you score two points.",
        ),
        ("take blue-2", "Blue 2: stays on 17", TURTLE_STAYS_LINE),
    ],
)
def test_kept_turtle_card_without_a_free_space(text: str, label: str, first_line: str) -> None:
    """Buttons and previews promise no swim to a turtle that has no free space ahead."""
    board = make_board(turtle=17, cards="white-turtle white-points blue-turtle")
    position = make_position(board, make_board(turtle=18), dice="white-2c blue-2 red")
    lines = preview_lines(position, text)
    assert button_path_text(position, text) == label
    assert lines[0] == first_line
    assert lines.count(TURTLE_STAYS_LINE) == 1
    assert not [line for line in lines if "turtle" in line and line != TURTLE_STAYS_LINE], "once is enough"
    picking = act(
        make_position(
            board, make_board(turtle=18), dice="white-2c red", display="purple-turtle red-competition"
        ),
        "take white-2c",
    )
    assert preview_lines(picking, "keep purple-turtle") == [
        "Each later purple die: your turtle swims one space.",
        "No free space is left ahead of your turtle.",
        "You will have 1 of at most 3 purple cards.",
    ]


def test_two_kept_cards_are_named() -> None:
    """Points have no unit where both would else not fit in half a row."""
    cards = "yellow-points yellow-fish purple-coral purple-points"
    boards = make_board(turtle=4, cards=cards), make_board(turtle=3)
    position = make_position(*boards, dice="yellow-3f2p purple-4 red")
    assert button_path_text(position, "take yellow-3f2p") == "Yellow +2, 3 fish (+1 fish, +2 points)"
    assert button_path_text(position, "take purple-4") == "Purple 4: reef 3\u20134 (+1 coral, +2)"


def test_buttons_name_the_cube_that_a_turtle_card_reaches() -> None:
    """Kept or used, beside other gains and where little room is left: it is taken with the press."""
    board = make_board(turtle=14, cards="white-turtle yellow-turtle yellow-points")
    position = make_position(
        board,
        make_board(turtle=3),
        dice="white-1c2p yellow-2f3p red",
        display="yellow-turtle",
        turtle_track_grey_cube_count=1,
    )
    assert button_path_text(position, "take white-1c2p") == "White +2, 1 card (turtle to 15, cube)"
    assert button_path_text(position, "take yellow-2f3p") == "Yellow +3, 2 fish (kept cards, cube)"
    picking = act(
        make_position(
            make_board(turtle=16),
            make_board(turtle=3),
            dice="white-1c2p red",
            display="yellow-turtle",
            turtle_track_grey_cube_count=1,
        ),
        "take white-1c2p",
    )
    assert button_path_text(picking, "use yellow-turtle") == "Use yellow: turtle to 17, grey cube"


def test_a_button_without_room_says_that_there_are_kept_cards() -> None:
    """Where what they bring does not fit in half a row, the label says that there are some."""
    board = make_board(turtle=4, cards="white-points white-turtle white-coral")
    position = make_position(board, make_board(turtle=3), dice="white-1c3p red")
    label = button_path_text(position, "take white-1c3p")
    assert label == "White +3, 1 card (kept cards, cube)"
    assert len(label) <= MAX_LABEL_LENGTH


def test_help_quotes_buttons_of_dice() -> None:
    """The buttons that help explains read as they do in a game."""
    boards = make_board(turtle=5, cards="yellow-fish"), make_board(turtle=3)
    position = make_position(*boards, dice="blue-6 white-1c3p yellow-4f red")
    page = next(topic.text for topic in WORDS.topics if topic.key == "turn")
    quotes = re.findall(r"\*((?:Blue|White|Yellow) [^*]+)\*", " ".join(page.split()))
    dice = ("blue-6", "white-1c3p", "yellow-4f")
    assert quotes == [button_path_text(position, f"take {die}") for die in dice]


def test_special_die_buttons() -> None:
    """A turtle at the end, two cubes at once, an empty supply, the red die of the last round."""
    turtle_at_end_position = make_position(
        make_board(turtle=18), make_board(turtle=3), dice="blue-2 red", round_number=5
    )
    assert button_path_text(turtle_at_end_position, "take blue-2") == "Blue 2: stays on 18"
    assert button_path_text(turtle_at_end_position, "take red") == "Red: token, 1 point"
    far_swim_position = make_position(make_board(turtle=4), make_board(turtle=3), dice="blue-7 red")
    assert button_path_text(far_swim_position, "take blue-7") == "Blue 7: swim to 11, 2 cubes"
    empty_supply_position = make_position(
        make_board(corals={3: 8, 4: 8}), make_board(turtle=3), dice="purple-5 red"
    )
    assert button_path_text(empty_supply_position, "take purple-5") == "Purple 5: move a coral"


@pytest.mark.parametrize(
    ("cards", "label"),
    [
        ("blue-turtle", "Blue 4: swim to 8, cube (turtle +1)"),
        ("blue-turtle blue-points", "Blue 4: swim to 8, cube (+2 points)"),
        ("blue-turtle blue-fish blue-points", "Blue 4: swim to 8, cube (+1 fish, +2)"),
    ],
)
def test_a_blue_die_says_what_its_turtle_card_adds(cards: str, label: str) -> None:
    """The space is where card and die lead together; where brackets are full, it alone tells of the card."""
    position = make_position(make_board(turtle=3, cards=cards), make_board(turtle=1), dice="blue-4 red")
    assert button_path_text(position, "take blue-4") == label


def test_kept_coral_cards_with_an_empty_supply() -> None:
    """Buttons and previews promise no coral where the supply is empty, or is empty by then."""
    cards = "purple-coral yellow-coral"
    dice = "purple-5 yellow-4f white-1c2p red"
    board = make_board(turtle=8, corals={3: 8, 4: 8}, cards=cards)
    with_empty_supply = make_position(board, make_board(turtle=1), dice=dice, display="blue-coral white-fish")
    assert button_path_text(with_empty_supply, "take purple-5") == "Purple 5: move a coral (+1 coral move)"
    assert button_path_text(with_empty_supply, "take yellow-4f") == "Yellow 4 fish (+1 coral move)"
    assert short_preview_text(with_empty_supply, "take purple-5") == (
        "move a coral to reef 5 or a lower one, then move a coral to reef 5 or a lower one"
    )
    assert preview_lines(with_empty_supply, "take purple-5")[:2] == [
        "Your purple card comes first: you may move a coral to reef 5 or a lower one.",
        "Your supply is empty: you may move a coral to reef 5 or a lower one.",
    ]
    picking = act(with_empty_supply, "take white-1c2p")
    assert button_path_text(picking, "keep blue-coral") == "Keep blue: coral move per blue die"
    assert button_path_text(picking, "use blue-coral") == "Use blue: move a coral"
    assert short_preview_text(picking, "use blue-coral") == "move a coral to reef 5 or a lower one"
    assert short_preview_text(picking, "keep blue-coral") == (
        "each later blue die: you may move one coral to your turtle's reef (now reef 5) or a lower one"
    )
    board = make_board(turtle=8, corals={3: 8, 4: 7}, cards=cards)
    with_one_coral_left = make_position(board, make_board(turtle=1), dice=dice)
    assert button_path_text(with_one_coral_left, "take purple-5") == "Purple 5: move a coral (+1 coral)"
    assert short_preview_text(with_one_coral_left, "take purple-5") == (
        "coral on reef 5 or a lower one, then move a coral to reef 5 or a lower one"
    )
    assert preview_lines(with_one_coral_left, "take purple-5")[1] == (
        "Your supply is empty then: you may move a coral to reef 5 or a lower one."
    )


@pytest.mark.parametrize("supply_count", [0, 1])
def test_card_buttons_say_what_and_when_in_full(supply_count: int) -> None:
    """Each card of the display has its own labels, which fit and name what it brings and at which dice."""
    board = make_board(corals={3: 8, 4: 8 - supply_count})
    word_by_function = {
        CardFunction.POINTS: "points",
        CardFunction.FISH: "fish",
        CardFunction.TURTLE: "turtle",
        CardFunction.CORAL: "coral",
        CardFunction.COMPETITION: "competition",
    }
    labels = []
    for card, facts in CARD_FACTS.items():
        position = make_position(board, make_board(turtle=1), dice="white-1c2p red", display=card.value)
        picking = act(position, "take white-1c2p")
        for choice in legal_choices(picking):
            (step,) = path(AUSTRALIS.view(picking, Seat(0)), choice, NAMES)
            assert step.label.count(facts.colour.value) == (2 if isinstance(choice, KeepCard) else 1)
            assert word_by_function[facts.function] in step.label
            assert len(step.label) <= MAX_LABEL_LENGTH
            labels.append(step.label)
    assert len(set(labels)) == len(labels)
    assert "Keep purple: purple +1 in competition" in labels
    assert "Use white: +1 fish" in labels


def test_the_preview_of_a_coral_card_names_the_reef() -> None:
    """The reef of the turtle is a number in it: a kept card works where the turtle is by then."""
    position = make_position(
        make_board(turtle=8), make_board(turtle=1), dice="white-1c2p red", display="purple-coral"
    )
    picking = act(position, "take white-1c2p")
    assert preview_lines(picking, "keep purple-coral")[0] == (
        "Each later purple die: one coral on your turtle's reef (now reef 5) or a lower one."
    )


def test_buttons_of_cards_corals_orders_and_tiles() -> None:
    """Cards of the display, corals, the order of cards and tiles."""
    picking = act(
        make_position(
            make_board(), make_board(turtle=1), dice="white-1c2p red", display="blue-turtle red-competition"
        ),
        "take white-1c2p",
    )
    assert button_path_text(picking, "keep blue-turtle") == "Keep blue: turtle +1 per blue die"
    assert button_path_text(picking, "use blue-turtle") == "Use blue: turtle to 2"
    assert button_path_text(picking, "keep red-competition") == "Keep red: red +1 in competition"
    placing = act(make_position(make_board(), make_board(turtle=1), dice="purple-5 red"), "take purple-5")
    assert button_path_text(placing, "coral 4") == "Reef 4"
    moving = act(
        make_position(make_board(corals={3: 8, 4: 8}), make_board(turtle=1), dice="purple-5 red"),
        "take purple-5",
    )
    assert button_path_text(moving, "move 3 5") == "Reef 3 > to 5"
    assert button_path_text(moving, "leave") == "Move no coral"
    board = make_board(turtle=6, cards="yellow-turtle yellow-coral")
    card_order_position = act(
        make_position(board, make_board(turtle=1), dice="yellow-4f red"), "take yellow-4f"
    )
    assert button_path_text(card_order_position, "all") == "Activate all, turtle first"
    assert button_path_text(card_order_position, "activate yellow-coral") == "First: yellow coral"


def test_equal_dice_are_one_choice() -> None:
    """Two dice of one face are one button."""
    position = make_position(make_board(), make_board(turtle=1), dice="blue-5 blue-5 red")
    view = actor_view(position)
    labels = [path(view, action, NAMES)[0].label for action in AUSTRALIS.legal_actions(view)]
    assert labels == ["Blue 5: swim to 5, cube", "Red: you start round 2"]


# Previews -------------------------------------------------------------------------------------------


def test_preview_of_a_turtle() -> None:
    """Where it lands, the cube, the school that is possible now, and the dice of the competition."""
    position = make_position(make_board(turtle=5, fish=6), make_board(turtle=11), dice="blue-6 red")
    assert preview_lines(position, "take blue-6") == [
        "Your turtle swims from 5 to 12 (11 is occupied).",
        "Your turtle takes a cube: you will have 2 of 6.",
        "Your turtle would score 12 instead of 5.",
        "With 6 fish and 2 cubes your school would score 3 instead of 1.",
        "In the competition you then roll one die.",
    ]
    assert short_preview_text(position, "take blue-6") == "turtle to 12, a cube, school of three points"
    position = make_position(*(make_board(turtle=space) for space in (5, 11, 12)), dice="blue-6 red")
    assert (
        preview_lines(position, "take blue-6")[0]
        == "Your turtle swims from 5 to 13 (11 and 12 are occupied)."
    )


def test_preview_of_ties_that_a_turtle_wins() -> None:
    """A turtle that passes another wins the ties at reefs."""
    boards = make_board(turtle=5, corals={6: 1}), make_board(turtle=7, corals={6: 1})
    position = make_position(*boards, dice="blue-3 red")
    assert "You win more ties: your reefs would score 3 instead of 1." in preview_lines(
        position, "take blue-3"
    )


def test_preview_of_kept_cards() -> None:
    """The cards that a die activates come first."""
    board = make_board(turtle=5, cards="yellow-points yellow-fish", fish=3)
    position = make_position(board, make_board(turtle=7), dice="yellow-4f red", turns_left=1)
    assert preview_lines(position, "take yellow-4f") == [
        "Your yellow cards come first: you catch one fish and you score two points.",
        "The die brings four fish.",
        "With 8 fish and 1 cube your school scores 1. To score 3 it needs at least 6 fish and 2 cubes.",
        "It is the last die of the round: scoring and the competition follow.",
    ]


@pytest.mark.parametrize(
    ("die", "choice"),
    [("purple-5", "coral 4"), ("white-2c", "keep blue-fish"), ("white-2c", "use blue-fish")],
)
def test_preview_of_a_choice_for_the_last_die(die: str, choice: str) -> None:
    """A choice of the last coral or card of a round says that scoring follows."""
    dice, display = f"{die} red", "blue-fish white-points"
    position = make_position(make_board(), make_board(turtle=1), dice=dice, display=display, turns_left=1)
    last_line = "It is the last die of the round: scoring and the competition follow."
    assert preview_lines(act(position, f"take {die}"), choice)[-1] == last_line
    position_before_last_turn = act(replace(position, turns_left=2), f"take {die}")
    assert last_line not in preview_lines(position_before_last_turn, choice)


def test_preview_of_a_coral_card_behind_a_turtle_card() -> None:
    """The coral card looks at where the turtle is then."""
    board = make_board(turtle=6, cards="yellow-turtle yellow-coral")
    position = make_position(board, make_board(turtle=1), dice="yellow-4f red")
    assert short_preview_text(position, "take yellow-4f") == (
        "turtle to 7, coral on reef 5 or a lower one, four fish, school of one point"
    )


def test_preview_of_a_full_food_track() -> None:
    """A seventh cube goes to the box."""
    board = make_board(turtle=9, cube_count=6)
    position = make_position(board, make_board(turtle=1), dice="blue-2 red")
    assert preview_lines(position, "take blue-2")[1] == "Your food track is full: a cube would go to the box."
    assert button_path_text(position, "take blue-2") == "Blue 2: swim to 11"


def test_preview_of_a_coral() -> None:
    """A purple die names the best reef; a reef names who has how many corals, the place and its worth."""
    boards = make_board(corals={5: 1}), make_board(turtle=7, corals={6: 2, 5: 1, 4: 2})
    position = make_position(*boards, dice="purple-6 red")
    assert preview_lines(position, "take purple-6")[:2] == [
        "The die places a coral on reef 6 or a lower one.",
        "On reef 6 it would raise what your reefs score by 1.",
    ]
    placing = act(position, "take purple-6")
    assert preview_lines(placing, "coral 5") == [
        "On reef 5 you will have 2 corals, Ben has 1: first place, 2 points.",
        "Your reefs would score 2 instead of 1.",
        "You keep 14 corals in your supply.",
        "In the competition you then roll one die.",
    ]
    assert short_preview_text(placing, "coral 6") == "you will have 1 coral, Ben has 2: second place, 1 point"
    assert (
        short_preview_text(placing, "coral 4") == "you will have 1 coral, Ben has 2: second place, no points"
    )


@pytest.mark.parametrize(
    ("turtle", "text"),
    [
        (6, "you will have 1 coral, Ben too, whose turtle is ahead: second place, 1 point"),
        (9, "you will have 1 coral, Ben too, and your turtle is ahead: first place, 3 points"),
    ],
)
def test_preview_of_a_tie_at_a_reef(turtle: int, text: str) -> None:
    """With as many corals the turtle further ahead decides, and the preview says so."""
    boards = make_board(turtle=turtle), make_board(turtle=8, corals={6: 1})
    placing = act(make_position(*boards, dice="purple-6 red"), "take purple-6")
    assert short_preview_text(placing, "coral 6") == text
    action, long_names = NOTATION.parse("coral 6"), ("A" * 32, "B" * 32)
    assert WORDS.short_preview(actor_view(placing), action, long_names).endswith(text[text.index(": ") :])


def test_preview_of_a_place_behind_several() -> None:
    """All who are ahead are named, with what decides; short ones leave out names that are too long."""
    for corals, ahead in (
        ({7: 1}, "Ben and Chlo\u00e9 too, whose turtles are ahead"),
        ({7: 2}, "Ben has 2, Chlo\u00e9 too, whose turtle is ahead"),
    ):
        boards = (
            make_board(turtle=1),
            make_board(turtle=8, corals=corals),
            make_board(turtle=6, corals={7: 1}),
        )
        placing = act(make_position(*boards, dice="purple-7 red"), "take purple-7")
        text = f"you will have 1 coral, {ahead}: third place, no points"
        assert preview_lines(placing, "coral 7")[0] == f"On reef 7 {text}."
        action = NOTATION.parse("coral 7")
        names = tuple(letter * 32 for letter in "ABC")
        short_text = "you will have 1 coral: third place, no points"
        assert WORDS.short_preview(actor_view(placing), action, names) == short_text


def test_preview_of_a_coral_after_a_turtle_card() -> None:
    """What a coral raises is counted with the turtle where the kept card brings it, which may win a tie."""
    boards = make_board(turtle=7, cards="purple-turtle"), make_board(turtle=8, corals={6: 1})
    position = make_position(*boards, dice="purple-6 red")
    assert preview_lines(position, "take purple-6")[:4] == [
        "Your purple card comes first: your turtle swims from 7 to 9 (8 is occupied).",
        "Your turtle would score 9 instead of 7.",
        "The die places a coral on reef 6 or a lower one.",
        "On reef 6 it would raise what your reefs score by 3.",
    ]
    after_coral = act(position, "take purple-6", "coral 6")
    assert reef_points(after_coral.boards, Seat(0)) == 3


@pytest.mark.parametrize(
    ("turtle", "die", "lines"),
    [
        (0, "purple-3", ["It would not change what your reefs score."]),
        (0, "purple-5", ["On reef 5 it would raise what your reefs score by 2."]),
        (8, "purple-5", []),
    ],
)
def test_preview_of_a_coral_after_a_coral_card(turtle: int, die: str, lines: list[str]) -> None:
    """The card's coral comes first: if it may go to several reefs, what the die's raises is open."""
    board = make_board(turtle=turtle, cards="purple-coral")
    position = make_position(board, make_board(turtle=9), dice=f"{die} red")
    first_line, _, *raise_lines, last_line = preview_lines(position, f"take {die}")
    assert first_line.startswith("Your purple card comes first: you place a coral on")
    assert raise_lines == lines
    assert last_line == "In the competition you then roll one die."


@pytest.mark.parametrize(
    ("die", "lines"),
    [
        (
            "blue-5",
            [
                "Your blue cards come first: your turtle swims from 2 to 3 and you score two points.",
                "Then your turtle swims from 3 to 9 (8 is occupied).",
                "Your turtle takes a cube: you will have 2 of 6.",
            ],
        ),
        (
            "yellow-4f",
            [
                "Your yellow card comes first: your turtle swims from 2 to 3.",
                "Your turtle would score 3 instead of 2.",
                "The die brings four fish.",
            ],
        ),
    ],
)
def test_preview_names_each_swim_once_in_order(die: str, lines: list[str]) -> None:
    """A kept card's swim comes before that of a blue die, and is not repeated after other dice."""
    board = make_board(turtle=2, cards="blue-turtle blue-points yellow-turtle")
    position = make_position(board, make_board(turtle=8), dice="blue-5 yellow-4f red")
    shown_lines = preview_lines(position, f"take {die}")
    assert shown_lines[: len(lines)] == lines
    assert sum("swims" in line for line in shown_lines) == sum("swims" in line for line in lines)


def test_preview_names_the_reef_that_a_kept_turtle_card_reaches() -> None:
    """The turtle card comes before the coral card, whose reef is counted from there."""
    boards = make_board(turtle=3, cards="yellow-turtle yellow-coral"), make_board(turtle=8)
    assert preview_lines(make_position(*boards, dice="yellow-4f red"), "take yellow-4f")[0] == (
        "Your yellow cards come first: your turtle swims from 3 to 4 "
        "and you place a coral on reef 4 or a lower one."
    )


def test_preview_of_a_moved_coral() -> None:
    """Both reefs are named, since one is given up."""
    board = make_board(corals={3: 15, 4: 1})
    moving = act(make_position(board, make_board(turtle=1), dice="purple-5 red"), "take purple-5")
    assert preview_lines(moving, "move 4 5") == [
        "On reef 5 you will have 1 coral: first place, 2 points.",
        "On reef 4 you will have no corals: no place, no points.",
        "In the competition you then roll one die.",
    ]
    assert preview_lines(moving, "leave")[0] == "All your corals stay where they are."


def test_preview_of_cards() -> None:
    """Kept: when it works and how many there are; used: what it brings now."""
    position = make_position(
        make_board(turtle=3, fish=2, cards="blue-fish"),
        make_board(turtle=4),
        dice="white-1c2p red",
        display="blue-turtle white-fish red-competition",
    )
    picking = act(position, "take white-1c2p")
    assert preview_lines(picking, "keep blue-turtle") == [
        "Each later blue die: your turtle swims one space.",
        "You will have 2 of at most 3 blue cards.",
    ]
    assert preview_lines(picking, "keep white-fish")[1] == (
        "It does not work with the white die that you have just taken."
    )
    assert preview_lines(picking, "keep red-competition") == [
        "Every competition: +1 on each of your red dice.",
        "You must always add it.",
        "It cannot be used at once.",
    ]
    assert preview_lines(picking, "use blue-turtle") == [
        "Your turtle swims from 3 to 5 (4 is occupied).",
        "Your turtle takes a cube: you will have 2 of 6.",
        "Your turtle would score 5 instead of 3.",
        "With 2 fish and 2 cubes your school scores 0. To score 1 it needs at least 3 fish and 1 cube.",
        "Then the blue turtle card is discarded.",
    ]
    assert short_preview_text(picking, "use white-fish") == "one fish, school of one point"


def test_preview_of_a_card_that_cannot_be_kept() -> None:
    """It says why the card has no button that keeps it."""
    for kept_cards, reason in (
        ("blue-turtle", "you already keep a blue turtle card"),
        (
            "blue-points blue-fish blue-coral",
            "you already keep 3 blue cards (blue points, blue fish and blue coral), the most allowed",
        ),
    ):
        board = make_board(turtle=3, cards=kept_cards)
        position = make_position(
            board, make_board(turtle=8), dice="white-1c2p red", display="blue-turtle white-turtle"
        )
        picking = act(position, "take white-1c2p")
        assert f"You cannot keep it: {reason}." in preview_lines(picking, "use blue-turtle")
        assert "cannot keep" not in "".join(preview_lines(picking, "use white-turtle"))


def test_preview_of_the_first_card_names_those_that_follow() -> None:
    """After the turtle or the coral card the others follow by themselves; after another, a choice follows."""
    board = make_board(turtle=3, cards="yellow-turtle yellow-coral yellow-fish")
    position = act(make_position(board, make_board(turtle=8), dice="yellow-4f red"), "take yellow-4f")
    assert preview_lines(position, "activate yellow-turtle") == preview_lines(position, "all")
    assert preview_lines(position, "activate yellow-coral")[:2] == [
        "You place a coral on reef 3.",
        "Your turtle swims from 3 to 4.",
    ]
    assert short_preview_text(position, "activate yellow-coral") == "turtle to 4, coral on reef 3, one fish"
    assert preview_lines(position, "activate yellow-fish")[0] == "You catch one fish."
    assert "coral" not in "".join(preview_lines(position, "activate yellow-fish"))


def test_preview_of_what_follows_a_number_die_names_the_competition() -> None:
    """It counts the die that was taken; a white or yellow one is not rolled."""
    cards = "red-competition purple-turtle purple-coral yellow-turtle yellow-coral"
    boards = make_board(turtle=3, dice="blue-2", cards=cards), make_board(turtle=8)
    position = make_position(*boards, dice="purple-5 yellow-4f red")
    line = "In the competition you then roll two dice."
    ordering = act(position, "take purple-5")
    placing = act(ordering, "all", "coral 4")
    for each, choice in ((position, "take purple-5"), (ordering, "all"), (placing, "coral 5")):
        assert line in preview_lines(each, choice)
    assert "competition" not in "".join(preview_lines(act(position, "take yellow-4f"), "all"))


def test_preview_of_a_food_track_that_fills_on_the_way() -> None:
    """A track with a free slot is said to be full only after the cube that fills it."""
    board = make_board(turtle=13, cube_count=5)
    position = make_position(board, make_board(turtle=1), dice="blue-5 red", turtle_track_grey_cube_count=1)
    lines = preview_lines(position, "take blue-5")
    assert lines[1:3] == [
        "Your turtle takes a cube: you will have 6 of 6.",
        "Your food track is full then: a cube would go to the box.",
    ]


def test_preview_of_a_competition_without_a_rival() -> None:
    """No roll is promised if nobody else has a die for the competition (AU21)."""
    alone_text = "Nobody else has a number die: you win the competition without a roll."
    boards = make_board(dice="blue-2"), make_board(turtle=1, dice="white-2c")
    position = make_position(*boards, dice="red yellow-4f", turns_left=1)
    assert alone_text in preview_lines(position, "take red")
    assert alone_text not in preview_lines(replace(position, turns_left=2), "take red")
    contested_position = make_position(
        boards[0], make_board(turtle=1, dice="blue-3"), dice="red yellow-4f", turns_left=1
    )
    assert "In the competition you then roll two dice." in preview_lines(contested_position, "take red")


def test_preview_of_tiles() -> None:
    """Each tile with its points, the food cube, and what second place gets."""
    position = make_position(make_board(fish=6), make_board(turtle=2), dice="red")
    competition = Competition(
        round=1, dice_left=(), seats=(Seat(0), Seat(1)), first=Seat(0), second=Seat(1), is_over=True
    )
    choosing = replace(position, phase=Phase.TILE, competition=competition)
    assert button_path_text(choosing, "tile silver") == "Silver"
    assert short_preview_text(choosing, "tile silver") == "Ben gets gold (7 points)"
    assert preview_lines(choosing, "tile silver") == [
        "It counts three points at the end of the game.",
        "You also get a food cube: you will have 2 of 6.",
        "With 6 fish and 2 cubes your school would score 3 instead of 1.",
        "Ben gets gold (7 points).",
    ]
    lone_winner_position = replace(choosing, competition=replace(competition, second=None))
    assert (
        preview_lines(lone_winner_position, "tile gold")[-1] == "Silver (3 points, 1 cube) goes to the box."
    )
