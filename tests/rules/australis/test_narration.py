"""The narration of Australis: turns, rounds, the worked example of the competition, the end."""

import pytest
from msgspec.structs import replace

from rules.australis import AUSTRALIS
from rules.australis.components import Card, TileColour
from rules.australis.model import Tally, Tile
from rules.australis.phrases import cards_text
from rules.model import CHANCE
from rules.narration import SentenceKind
from tests.rules.australis.positions import (
    COMPETITION_ROLLS,
    NAMES,
    NOTATION,
    TAKING_LAST_DIE,
    act,
    make_board,
    make_last_turn_position,
    make_position,
)
from tests.rules.australis.texts import WORDS, narrate_last_action


def test_narration_of_a_whole_turn() -> None:
    """A die that activates three cards: one line a step, cards before the die, which a later line names."""
    position = make_position(
        make_board(turtle=6, cards="blue-turtle blue-coral blue-points"),
        make_board(turtle=7, corals={5: 1}),
        dice="blue-5 red",
    )
    take, order = "take blue-5", "all"
    assert narrate_last_action(position, take) == "Ava takes the blue 5."
    assert narrate_last_action(position, take, order) == (
        "Ava activates the kept blue turtle card: the turtle swims from 6 to 8 (7 is occupied)."
    )
    assert narrate_last_action(position, take, order, "coral 5") == (
        "With a kept blue card Ava places a coral on reef 5 and takes first place from Ben. "
        "A kept blue card brings two points. "
        "With the blue 5 the turtle swims from 8 to 13 and takes a cube."
    )


def test_narration_of_dice() -> None:
    """Each colour, without cards."""
    dice = "white-2c1p yellow-4f1p blue-7 purple-3 purple-6 red"
    position = make_position(make_board(turtle=4), make_board(turtle=1), dice=dice)
    assert (
        narrate_last_action(position, "take white-2c1p")
        == "Ava takes the white die with two cards and one point."
    )
    assert narrate_last_action(position, "take yellow-4f1p") == (
        "Ava takes the yellow die with four fish and one point."
    )
    assert narrate_last_action(position, "take blue-7") == (
        "Ava takes the blue 7: the turtle swims from 4 to 11 and takes two cubes."
    )
    assert narrate_last_action(position, "take purple-3") == (
        "Ava takes the purple 3: a coral on reef 3 (Ava is first there)."
    )
    assert (
        narrate_last_action(position, "take purple-6", "coral 6")
        == "Ava places a coral on reef 6 and is first there."
    )
    assert narrate_last_action(position, "take red") == "Ava takes the red die and will start round 2."


@pytest.mark.parametrize(("dice", "word"), [("blue-2 blue-2", "Both"), ("blue-2 blue-2 blue-2", "All")])
def test_narration_of_a_die_that_nobody_chose(dice: str, word: str) -> None:
    """A die that is taken by itself has its reason, so that its player does not look for the choice."""
    position = make_position(make_board(turtle=4), make_board(turtle=1), dice=dice)
    assert narrate_last_action(position, "take blue-2") == (
        f"Ava takes the blue 2: the turtle swims from 4 to 6 and takes a cube. {word} dice left were alike."
    )


@pytest.mark.parametrize(
    ("start_space", "other_spaces", "text"),
    [
        (5, (7, 9), "the turtle swims from 5 to 8 (7 is occupied)."),
        (5, (7, 8), "the turtle swims from 5 to 9 (7 and 8 are occupied)."),
        (5, (7, 8, 9), "the turtle swims from 5 to 10 (7 to 9 are occupied)."),
        (15, (17, 18), "the turtle swims from 15 to 16 (17 and 18 are occupied)."),
    ],
)
def test_narration_of_occupied_spaces(start_space: int, other_spaces: tuple[int, ...], text: str) -> None:
    """All the occupied spaces that keep a turtle from ending there are named."""
    boards = make_board(turtle=start_space), *(make_board(turtle=space) for space in other_spaces)
    assert narrate_last_action(make_position(*boards, dice="blue-2 red"), "take blue-2").endswith(text)


def test_a_turtle_that_stays_is_narrated_once() -> None:
    """Where neither its card nor the die moves it, the sentence of the die says so, also in a later step."""
    board = make_board(turtle=18, cards="blue-turtle blue-points")
    position = make_position(board, make_board(turtle=3), dice="blue-5 red")
    assert narrate_last_action(position, "take blue-5") == (
        "Ava takes the blue 5. A kept blue card brings two points. With the die the turtle stays on space 18."
    )
    asked = make_position(make_board(turtle=18, cards="blue-turtle blue-coral"), dice="blue-5 red")
    assert narrate_last_action(asked, "take blue-5") == "Ava takes the blue 5."
    assert narrate_last_action(asked, "take blue-5", "coral 8") == (
        "With a kept blue card Ava places a coral on reef 8 and is first there. "
        "With the blue 5 the turtle stays on space 18."
    )


def test_narration_tells_the_chosen_card_and_others_apart() -> None:
    """What other kept cards bring after the chosen one is not credited to it."""
    board = make_board(turtle=3, cards="yellow-turtle yellow-coral yellow-points")
    position = make_position(board, make_board(turtle=1), dice="yellow-4f red")
    assert narrate_last_action(position, "take yellow-4f", "activate yellow-coral") == (
        "Ava activates the kept yellow coral card: a coral on reef 3 (Ava is first there). "
        "Kept yellow cards bring two points, and the turtle swims from 3 to 4."
    )


def test_narration_of_cards() -> None:
    """Kept, used, and what comes to the display."""
    position = make_position(
        make_board(turtle=16),
        make_board(turtle=17),
        dice="white-2c red",
        display="blue-turtle white-fish",
        draw_pile="red-competition purple-coral",
        turtle_track_grey_cube_count=1,
    )
    assert (
        narrate_last_action(position, "take white-2c", "keep white-fish") == "Ava keeps the white fish card."
    )
    assert narrate_last_action(position, "take white-2c", "keep white-fish", "use blue-turtle") == (
        "Ava uses the blue turtle card: the turtle swims from 16 to 18 (17 is occupied) and takes a grey "
        "cube. The draw pile is empty, so the discard pile is shuffled (one card). New on the display: blue "
        "turtle, purple coral, red competition."
    )


def test_narration_of_places_at_a_reef() -> None:
    """A place is taken from its holder, or nobody had it; a place without points is not named."""
    boards = (
        make_board(turtle=9),
        make_board(turtle=2, corals={5: 3, 6: 1, 4: 1}),
        make_board(turtle=1, corals={5: 1}),
    )
    placing = act(make_position(*boards, dice="purple-8 red"), "take purple-8")
    endings = {
        reef: narrate_last_action(placing, f"coral {reef}").removeprefix(f"Ava places a coral on reef {reef}")
        for reef in (8, 6, 5, 4)
    }
    assert endings == {
        8: " and is first there.",
        6: " and takes first place from Ben.",
        5: " and takes second place from Chloé.",
        4: " and takes first place from Ben.",
    }
    two_boards = make_board(turtle=0), make_board(turtle=2, corals={5: 3, 4: 1})
    placing = act(make_position(*two_boards, dice="purple-8 red"), "take purple-8")
    assert narrate_last_action(placing, "coral 5").endswith("and is second there.")
    assert narrate_last_action(placing, "coral 4") == "Ava places a coral on reef 4."


def test_narration_of_places_gained_by_a_turtle() -> None:
    """A turtle that passes another one wins ties on reefs; without a tie nobody loses a place."""
    rivals = make_board(turtle=7, corals={6: 1, 4: 1, 3: 2}), make_board(turtle=6, corals={6: 2})
    position = make_position(make_board(turtle=5, corals={6: 1, 4: 1, 3: 2}), *rivals, dice="blue-3 red")
    assert narrate_last_action(position, "take blue-3") == (
        "Ava takes the blue 3: the turtle swims from 5 to 8. With the turtle ahead, Ava takes first place "
        "from Ben on reefs 3 and 4 and second place from Ben on reef 6."
    )
    untied = make_position(make_board(turtle=5, corals={3: 1}), *rivals, dice="blue-3 red")
    assert narrate_last_action(untied, "take blue-3") == (
        "Ava takes the blue 3: the turtle swims from 5 to 8."
    )


def test_narration_of_two_corals_on_one_reef() -> None:
    """The place that two corals of one action gain is named once."""
    boards = make_board(turtle=2, cards="purple-coral"), make_board(turtle=1, corals={3: 1})
    assert narrate_last_action(make_position(*boards, dice="purple-3 red"), "take purple-3") == (
        "Ava takes the purple 3. The kept purple card brings a coral on reef 3 "
        "(Ava takes first place from Ben). The die brings a coral on reef 3."
    )
    boards = make_board(turtle=8, cards="purple-coral"), make_board(turtle=1, corals={3: 1})
    placing = act(make_position(*boards, dice="purple-3 red"), "take purple-3")
    assert narrate_last_action(placing, "coral 3").count("takes first place from Ben") == 1


def test_narration_names_a_place_beside_what_gained_it() -> None:
    """A coral that draws level gains no place: the swim after it does."""
    boards = make_board(turtle=2, cards="blue-coral"), make_board(turtle=8, corals={3: 1})
    position = make_position(*boards, dice="blue-7 red")
    assert narrate_last_action(position, "take blue-7") == (
        "Ava takes the blue 7. The kept blue card brings a coral on reef 3. With the die the turtle swims "
        "from 2 to 9 and takes a cube. With the turtle ahead, Ava takes first place from Ben on reef 3."
    )


def test_narration_names_the_source_of_a_coral() -> None:
    """A kept card can reach another reef than the die, so the narration names the card with its coral."""
    boards = make_board(turtle=12, cards="purple-coral"), make_board(turtle=1, corals={7: 1, 4: 1})
    take = "take purple-4"
    placing = make_position(*boards, dice="purple-4 red")
    assert narrate_last_action(placing, take, "coral 6") == (
        "With the kept purple card Ava places a coral on reef 6 and is first there."
    )
    assert narrate_last_action(placing, take, "coral 6", "coral 3") == (
        "Ava places a coral on reef 3 and is first there."
    )
    without_supply = make_board(turtle=12, cards="purple-coral", corals={3: 8, 4: 8})
    moving = make_position(without_supply, make_board(turtle=1), dice="purple-4 red")
    assert narrate_last_action(moving, take, "move 3 6") == (
        "With the kept purple card Ava moves a coral from reef 3 to reef 6 and is first there."
    )
    assert narrate_last_action(moving, take, "leave") == "Ava has no coral left to place and moves none."


def test_narration_of_lost_picks() -> None:
    """Two picks that are lost at once are one sentence."""
    board = make_board(turtle=2, cards="red-competition")
    position = make_position(
        board, make_board(turtle=1), dice="white-2c red", display="red-competition", draw_pile=""
    )
    assert narrate_last_action(position, "take white-2c") == (
        "Ava takes the white die with two cards. No card on the display may be taken, so nothing more is "
        "picked."
    )


def test_narration_of_a_round_and_its_competition() -> None:
    """The rulebook's worked example: the scoring, then roll by roll, then the tile."""
    assert narrate_last_action(TAKING_LAST_DIE, "take red") == (
        "Ava takes the red die and will start round 2.\n"
        "Round 1 ends: Ava +9 (turtle: 9), Ben +4 (turtle: 4), Chloé +6 (turtle: 6)."
    )
    narrations = [
        narrate_last_action(TAKING_LAST_DIE, "take red", *COMPETITION_ROLLS[: number + 1])
        for number in range(len(COMPETITION_ROLLS))
    ]
    assert narrations == [
        (
            "Dice competition, roll 1: Ava blue 3, red 7 (6+1) · "
            "Ben blue 4 (3+1), blue 6 (5+1), purple 5 · Chloé purple 7 (6+1), purple 5 (4+1). "
            "The lowest is 3: Ava loses a blue die."
        ),
        (
            "Roll 2: Ava red 6 (5+1) · "
            "Ben blue 3 (2+1), blue 7 (6+1), purple 3 · Chloé purple 5 (4+1), purple 8 (7+1). "
            "The lowest is 3: Ben loses a blue die and a purple die."
        ),
        (
            "Roll 3: Ava red 8 (7+1) · Ben blue 5 (4+1) · Chloé purple 6 (5+1), purple 7 (6+1). "
            "The lowest is 5: Ben loses a blue die and is out."
        ),
        (
            "Roll 4: Ava red 5 (4+1) · Chloé purple 4 (3+1), purple 9 (8+1). "
            "The lowest is 4: Chloé loses a purple die."
        ),
        (
            "Roll 5, the last one: Ava red 7 (6+1) · Chloé purple 8 (7+1). "
            "The lowest is 7: Ava loses a red die and is out.\nChloé wins the competition, and Ava is second."
        ),
    ]
    assert narrate_last_action(TAKING_LAST_DIE, "take red", *COMPETITION_ROLLS, "tile silver") == (
        "Chloé takes the silver tile (3 points) and a food cube. Ava gets the gold tile (7 points)."
    )


def test_a_shortened_story_shows_no_roll_but_the_result() -> None:
    """Rolls are routine, and details beside the result: a picture shows them all."""
    are_routine = []
    for number in range(len(COMPETITION_ROLLS)):
        before = act(TAKING_LAST_DIE, "take red", *COMPETITION_ROLLS[:number])
        action = NOTATION.parse(COMPETITION_ROLLS[number])
        after = AUSTRALIS.view(AUSTRALIS.apply_action(before, action), None)
        are_routine.append(AUSTRALIS.words.is_routine(action, after))
    assert are_routine == [True] * (len(COMPETITION_ROLLS) - 1) + [False]
    views = [AUSTRALIS.view(position, None) for position in (before, AUSTRALIS.apply_action(before, action))]
    roll_line, result_line = AUSTRALIS.words.narrate(views[0], CHANCE, action, views[1], NAMES).lines
    assert roll_line[0].text.startswith(f"Roll {len(COMPETITION_ROLLS)}, the last one: ")
    assert {each.kind for each in roll_line} == {SentenceKind.DETAIL}
    assert SentenceKind.DETAIL not in {each.kind for each in result_line}


def test_narration_of_ties_in_the_competition() -> None:
    """Two go out together: the turtle further ahead is better, for first place and for second."""
    both_out_text = narrate_last_action(TAKING_LAST_DIE, "take red", *COMPETITION_ROLLS[:-1], "compete 6,6")
    assert (
        "The lowest is 7: Ava loses a red die and is out, Chloé loses a purple die and is out."
    ) in both_out_text
    assert both_out_text.endswith(
        "Ava wins the competition: Ava and Chloé lost their last dice together, and Ava's turtle is ahead."
    )
    tie_for_second = make_last_turn_position(
        make_board(turtle=9, dice="blue-2 yellow-4f white-2c"),
        make_board(turtle=4, dice="blue-3 yellow-4f yellow-4f white-2c"),
        make_board(turtle=6, dice="purple-4 yellow-4f yellow-4f white-2c"),
        dice="white-2c yellow-5f red",
    )
    assert narrate_last_action(tie_for_second, "take yellow-5f", "compete 3,3,7").endswith(
        "Chloé wins the competition, and Ava is second: "
        "Ava and Ben lost their last dice together, and Ava's turtle is ahead."
    )


def test_narration_without_a_competition() -> None:
    """One player with number dice wins without a roll; without any both tiles go to the box."""
    dice_without_numbers = "yellow-4f yellow-4f yellow-4f white-2c"
    single_participant = make_last_turn_position(
        make_board(turtle=9, dice="yellow-4f yellow-4f white-2c"),
        make_board(dice=dice_without_numbers),
        dice="red yellow-5f",
    )
    assert narrate_last_action(single_participant, "take red").endswith(
        "Only Ava has dice to roll and wins the competition without a roll."
    )
    assert narrate_last_action(single_participant, "take red", "tile gold").startswith(
        "Ava takes the gold tile (7 points). The silver tile (3 points) goes to the box."
    )
    assert narrate_last_action(single_participant, "take yellow-5f").endswith(
        "Nobody has a number die: there is no dice competition. Both tiles go to the box."
    )


def test_narration_of_a_new_round() -> None:
    """The round comes first, and why somebody without the token begins; one sentence names its cards."""
    position = make_last_turn_position(
        make_board(turtle=9, dice="yellow-4f yellow-4f yellow-4f"),
        make_board(turtle=1, dice="yellow-4f yellow-4f white-2c white-2c"),
        dice="yellow-5f red",
    )
    position = replace(position, draw_pile=position.draw_pile[:3])
    roll = "roll white-2c,white-2c,yellow-4f,yellow-4f,blue-2,blue-2,purple-3,purple-3"
    reshuffled = "The draw pile is empty, so the discard pile is shuffled (six cards)."
    assert narrate_last_action(position, "take red", "tile silver", roll) == (
        f"Round 2: the dice are rolled, and Ava takes the first one. {reshuffled}"
    )
    assert narrate_last_action(position, "take yellow-5f", roll) == (
        "Round 2: the dice are rolled. Nobody has the first player token, so Ben, "
        f"whose turtle is furthest back, takes the first one. {reshuffled}"
    )
    drawn_cards = act(position, "take yellow-5f", roll).draw_pile[:3]
    cards = (*position.draw_pile, *drawn_cards)
    reveal = f"reveal {','.join(card.value for card in drawn_cards)}"
    assert narrate_last_action(position, "take yellow-5f", roll, reveal) == (
        f"On the display: {cards_text(sorted(cards, key=list(Card).index))}."
    )


def test_narration_of_scores() -> None:
    """First and second places at reefs, the school and the turtle, each with its points."""
    position = make_last_turn_position(
        make_board(turtle=9, corals={3: 1, 5: 2, 6: 1, 7: 1}, fish=6, cube_count=2, dice="yellow-4f"),
        make_board(turtle=0, corals={6: 2}, dice="yellow-4f"),
        dice="yellow-5f red",
    )
    assert (
        "Round 1 ends: Ava +20 (reefs 3, 5 and 7: 7 · second at reef 6: 1 · school: 3 · turtle: 9), "
        "Ben +3 (reef 6: 3)."
    ) in narrate_last_action(position, "take yellow-5f")


def test_narration_of_the_end() -> None:
    """The last points, who won, and by whose turtle a tie is broken."""
    tiles = (Tile(TileColour.GOLD, 1), Tile(TileColour.SILVER, 2))
    position = make_last_turn_position(
        make_board(turtle=9, corals={3: 1}, tiles=tiles, points=20),
        make_board(turtle=0, dice="yellow-4f", points=10),
        dice="red yellow-5f",
        round=5,
    )
    narration = narrate_last_action(position, "take red", "tile gold")
    assert narration == (
        "Ava takes the gold tile (15 points). The silver tile (9 points) goes to the box.\n"
        "The game ends: Ava +28 (corals: 1 · first player token: 1 · tiles: 26), Ben +0. "
        "Ava wins with 58 points, ahead of Ben with 10."
    )
    ended_position = act(position, "take red", "tile gold")
    assert WORDS.status(AUSTRALIS.view(ended_position, None), NAMES) == (
        "Ava wins with 58 points, ahead of Ben with 10."
    )
    tied_board = replace(ended_position.boards[1], tally=Tally(circles=58))
    tied_position = replace(ended_position, boards=(ended_position.boards[0], tied_board))
    assert WORDS.status(AUSTRALIS.view(tied_position, None), NAMES) == (
        "Ava wins with 58 points. Ben has as many, but Ava's turtle is further ahead."
    )
