"""Other words of Australis: whom a record affects, status, the board as text, help, whole games."""

import random
import re
from collections.abc import Callable

import pytest

from bot import limits
from rules.australis import AUSTRALIS
from rules.australis.actions import DrawFirstPlayer, RollDice, TakeDie, UseCard
from rules.australis.components import (
    ASSUMPTIONS,
    CARD_FACTS,
    COMPETITION_CARDS,
    Card,
    Colour,
    Die,
    TileColour,
)
from rules.australis.description import MAX_ALT_TEXT_LENGTH
from rules.australis.events import CubeTaken
from rules.australis.model import AustralisView, Phase, Position, Tile
from rules.australis.paths import MAX_LABEL_LENGTH, path
from rules.model import CHANCE, Action, Names, Resign, Seat
from rules.random_stream import RandomStream
from rules.text import counted, counted_in_digits
from tests.rules.australis.positions import (
    COMPETITION_ROLLS,
    MOVING_CORAL,
    NAMES,
    NOTATION,
    PICKING_CARD,
    PLACING_CORAL,
    TAKING_DIE,
    TAKING_LAST_DIE,
    act,
    make_board,
    make_position,
    resign_seat,
)
from tests.rules.australis.texts import LONG_NAMES, WORDS, actor_view
from tests.rules.whole_games import play_game
from tests.trials import cases

NAMES_OF_USUAL_LENGTH = tuple(letter * 16 for letter in "WXYZ")
"""The longest names for which no text is cut."""
COMPETITION_CARD_KINDS = frozenset(COMPETITION_CARDS.values())


def affected_seats(position: Position, text: str) -> set[Seat]:
    """Return whom an action affects."""
    return set(
        WORDS.affected_seats(AUSTRALIS.view(position, None), AUSTRALIS.view(act(position, text), None))
    )


def test_affected_by_a_coral() -> None:
    """Who loses a place at a reef reads of it first; who loses nothing does not."""
    boards = make_board(), make_board(turtle=7, corals={3: 1}), make_board(turtle=8, corals={8: 1})
    placing = act(make_position(*boards, dice="purple-5 red"), "take purple-5")
    assert affected_seats(placing, "coral 3") == {0}
    boards_with_turtle_ahead = make_board(turtle=9), *boards[1:]
    assert affected_seats(
        act(make_position(*boards_with_turtle_ahead, dice="purple-5 red"), "take purple-5"), "coral 3"
    ) == {
        0,
        1,
    }


def test_affected_by_a_turtle() -> None:
    """A turtle that passes another one changes ties; one that takes the last grey cube ends a race."""
    boards = make_board(turtle=5, corals={6: 1}), make_board(turtle=7, corals={6: 1}), make_board(turtle=3)
    assert affected_seats(make_position(*boards, dice="blue-3 red"), "take blue-3") == {0, 1}
    boards_near_the_end = make_board(turtle=12), make_board(turtle=7), make_board(turtle=18)
    assert affected_seats(
        make_position(*boards_near_the_end, dice="blue-5 red", turtle_track_grey_cube_count=1), "take blue-5"
    ) == {0, 1}


def test_affected_by_a_round() -> None:
    """Scoring affects everybody, a roll those who rolled."""
    assert affected_seats(TAKING_LAST_DIE, "take red") == {0, 1, 2}
    after_three_rolls = act(TAKING_LAST_DIE, "take red", *COMPETITION_ROLLS[:3])
    assert affected_seats(after_three_rolls, COMPETITION_ROLLS[3]) == {0, 2}


def test_status_says_what_is_asked_of_whom() -> None:
    """The status says what is asked of whom."""
    assert [
        WORDS.status(actor_view(each), NAMES)
        for each in (TAKING_DIE, PICKING_CARD, PLACING_CORAL, MOVING_CORAL)
    ] == [
        "Ava, your turn: take a die.",
        "Ava, pick a card: keep or use.",
        "Ava, place the coral on reef 5 or a lower one.",
        "Ava, move a coral to reef 5 or a lower one, or leave your corals.",
    ]


def test_the_board_as_text_names_everything() -> None:
    """Dice, display, reefs, turtles, what each player has; the values of tiles only to their owner."""
    tiles = (Tile(TileColour.GOLD, 1),)
    position = make_position(
        make_board(
            turtle=5, corals={6: 2}, fish=7, cube_count=2, cards="blue-turtle", tiles=tiles, points=23
        ),
        make_board(turtle=1, corals={6: 1}, dice="red"),
        dice="blue-2 yellow-4f1p",
        display="white-fish white-fish red-competition",
        round_number=2,
        turtle_track_grey_cube_count=1,
        token_holder=1,
    )
    text = WORDS.describe(AUSTRALIS.view(position, Seat(0)), NAMES)
    for part in (
        "Australis, round 2 of 5, 7 dice still to take.",
        "Dice on the board: yellow 4 fish + 1 point · blue 2.",
        "Display: white fish (2), red competition.",
        "- Reef 6 (spaces 10 to 12, first 3, second 1): Ava (2), Ben (1)",
        "Turtles: Ava on 5, Ben on 1, one grey cube on 17.",
        (
            "- A Ava: 23 points, turtle on 5, own cubes on 11 and 15, 2 of 6 cubes, 7 fish, school 3, "
            "14 corals in supply. Cards: blue turtle. Dice: none. 1 tile."
        ),
        "Dice: red. First player token.",
        "Your tiles: gold 7.",
    ):
        assert part in text
    assert "Your tiles" not in WORDS.describe(AUSTRALIS.view(position, Seat(1)), NAMES)
    assert "Your tiles" not in WORDS.describe(AUSTRALIS.view(position, None), NAMES)


def test_a_player_who_left_is_said_to_have_resigned() -> None:
    """A seat that resigned is named so; the last one left has won, without the final scoring."""
    position = make_position(make_board(), make_board(turtle=1), dice="red")
    after = AUSTRALIS.resign(position, Seat(1))
    assert after is not None
    views = AUSTRALIS.view(position, None), AUSTRALIS.view(after, None)
    narration = WORDS.narrate(views[0], Seat(1), Resign(), views[1], NAMES).text
    ending_text = "Ava wins: nobody else is left. Corals, token and tiles are not scored."
    assert narration == f"Ben resigns. The corals and the turtle leave the board.\n{ending_text}"
    assert WORDS.status(views[1], NAMES) == ending_text
    assert "B Ben: resigned" in WORDS.describe(views[1], NAMES)


def narrate_resigning(position: Position, seat: int) -> str:
    """Return the narration of a resignation."""
    views = [AUSTRALIS.view(each, None) for each in (position, resign_seat(position, seat))]
    return WORDS.narrate(views[0], Seat(seat), Resign(), views[1], NAMES).text


@pytest.mark.parametrize(
    ("moves", "seat", "dice_text"),
    [
        ((), 1, "8 dice are still to be taken"),
        (("take yellow-4f",), 0, "One die goes back to the board, and 8 dice are still to be taken"),
        (("take yellow-4f",) * 4, 0, "Two dice go back to the board, and six dice are still to be taken"),
        (("take yellow-4f",) * 11, 2, "Three dice go back to the board."),
        (("take yellow-4f",) * 10, 2, "Three dice go back to the board, and one die is still to be taken"),
        (("take purple-5",), 0, "One die goes back to the board, and 8 dice are still to be taken"),
        (("take purple-5",), 2, "7 dice are still to be taken"),
    ],
)
def test_a_resignation_says_which_dice_are_left(moves: tuple[str, ...], seat: int, dice_text: str) -> None:
    """Its own dice go back, and so many are to be taken; the die of another's running turn is taken."""
    boards = (make_board(turtle=space) for space in range(3))
    position = act(make_position(*boards, dice="yellow-4f " * 12 + "purple-5 red"), *moves)
    text = narrate_resigning(position, seat)
    assert text.split("\n")[0].startswith(
        f"{NAMES[seat]} resigns. The corals and the turtle leave the board. {dice_text}"
    )


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ("", ""),
        ("blue-turtle", "The kept blue turtle card is discarded. "),
        ("blue-turtle white-fish", "The kept cards are discarded: white fish, blue turtle. "),
    ],
)
def test_a_resignation_says_which_kept_cards_are_discarded(cards: str, text: str) -> None:
    """They may come again once the discard pile is shuffled."""
    boards = (make_board(turtle=space, cards=cards if space == 1 else "") for space in range(3))
    narration = narrate_resigning(make_position(*boards, dice="yellow-4f " * 12), 1)
    assert f" leave the board. {text}8 dice are still" in narration


def test_texts_say_where_the_first_player_token_lies() -> None:
    """In whole games it lies beside the red die or with a player, and texts say so until the end."""
    for transition in play_game(AUSTRALIS, 3, "casual", 2):
        position = transition.after
        view = AUSTRALIS.view(position, None)
        is_free = position.token_holder is None and position.phase is not Phase.OVER
        text = WORDS.describe(view, NAMES)
        assert ("First player token: beside the red die." in text) is is_free
        assert ("First player token: beside the red die." in WORDS.alt_text(view, NAMES)) is is_free
        assert (" First player token." in text) is (position.token_holder is not None)
        for colour in Colour:
            assert f"{colour.value} " in text.casefold().partition("display:")[0]


@pytest.mark.parametrize("seat_count", AUSTRALIS.player_counts)
def test_the_picture_as_text_names_the_cards_of_its_viewer(seat_count: int) -> None:
    """In whole games every kept card of a viewer, and how many corals and tiles it has, are in its text."""
    for transition in play_game(AUSTRALIS, seat_count, "casual", 1):
        for seat, board in enumerate(transition.after.boards):
            text = WORDS.alt_text(AUSTRALIS.view(transition.after, Seat(seat)), NAMES)
            assert len(text) <= MAX_ALT_TEXT_LENGTH
            own_text = re.split(f"{'|'.join(NAMES)}: ", text.partition(f"{NAMES[seat]}: ")[2])[0]
            for card in board.cards:
                facts = CARD_FACTS[card]
                assert re.search(rf"\b{facts.colour.value}\b[^·.]*\b{facts.function.value}\b", own_text), text
            assert f"{counted_in_digits(board.coral_supply, 'coral')} in supply" in own_text
            assert not board.tiles or counted_in_digits(len(board.tiles), "tile") in own_text


@pytest.mark.parametrize("text_of", [WORDS.alt_text, WORDS.describe])
def test_texts_say_how_many_dice_are_still_to_take(text_of: Callable[[AustralisView, Names], str]) -> None:
    """At every record of a game it is the number of dice that are taken before the next roll."""
    dice_left = 0
    for transition in reversed(list(play_game(AUSTRALIS, 3, "casual", 2))):
        headline = text_of(AUSTRALIS.view(transition.after, None), NAMES).partition(".")[0]
        text = f", {counted(dice_left, 'die', 'dice')} still to take" if dice_left else ""
        assert headline == "Australis, setting up" or headline.partition(" of 5")[2] == text
        dice_left = 0 if isinstance(transition.action, RollDice) else dice_left
        dice_left += isinstance(transition.action, TakeDie)


def test_the_tiles_of_the_round_are_in_the_text() -> None:
    """The text names what the next competition brings."""
    text = WORDS.describe(actor_view(TAKING_DIE), NAMES)
    assert "Tiles of this round: gold (7 points) and silver (3 points, 1 cube)." in text


def test_value_labels() -> None:
    """The parts of a typed command have labels of their own."""
    view = actor_view(TAKING_DIE)
    take_type, coral_type, keep_type, tile_type = (
        type(NOTATION.parse(text)) for text in ("take red", "coral 3", "keep white-fish", "tile gold")
    )
    assert WORDS.value_label(view, take_type, "die", Die.WHITE_1C3P) == "White: 1 card, 3 points"
    assert WORDS.value_label(view, coral_type, "reef", 3) == "Reef 3"
    assert WORDS.value_label(view, keep_type, "card", Card.WHITE_FISH) == "White fish card"
    assert WORDS.value_label(view, tile_type, "tile", TileColour.SILVER) == "Silver (3 points, 1 cube)"


# The picture of the competition ----------------------------------------------------------------------


def _competition_text(position: Position, *texts: str) -> str:
    view = AUSTRALIS.view(act(position, *texts), None)
    return WORDS.picture_texts["competition"](view, NAMES)


def test_nobody_wins_without_a_roll_who_resigned() -> None:
    """Whoever competes alone and resigns before choosing a tile is not said to win."""
    boards = make_board(dice="blue-2"), make_board(turtle=1), make_board(turtle=2)
    lone_competitor_position = act(
        make_position(*boards, dice="yellow-4f yellow-4f", turns_left=1), "take yellow-4f"
    )
    assert "wins without a roll" in _competition_text(lone_competitor_position)
    assert _competition_text(resign_seat(lone_competitor_position, 0)) == (
        "Dice competition of round 1. Only Ava had dice to roll, and resigned."
    )


def test_the_competition_is_described_roll_by_roll() -> None:
    """Who won and chooses from which tiles, then every roll with its dice; before it, the dice so far."""
    assert _competition_text(TAKING_LAST_DIE) == (
        "Dice competition of round 1, not rolled yet. Ava: blue 2. Ben: blue 3, 4 · purple 3. "
        "Chloé: purple 4, 5. Tiles: gold (7 points) and silver (3 points, 1 cube)."
    )
    rolling = _competition_text(TAKING_LAST_DIE, "take red", COMPETITION_ROLLS[0])
    assert rolling.startswith("Dice competition of round 1. Roll 1: Ava blue 3, red 7 (6+1) · Ben")
    assert rolling.count("Roll") == 1
    text = _competition_text(TAKING_LAST_DIE, "take red", *COMPETITION_ROLLS)
    assert text.startswith(
        "Dice competition of round 1. Chloé wins the competition, and Ava is second. "
        "Chloé, you won the competition: choose gold (7 points) or silver (3 points, 1 cube). Roll 1:"
    )
    assert text.endswith(
        "Roll 5: Ava red 7 (6+1) · Chloé purple 8 (7+1). The lowest is 7: Ava loses a red die and is out."
    )


def test_long_names_leave_no_room_for_the_dice_of_a_competition() -> None:
    """The losses of every roll are told all the same."""
    view = AUSTRALIS.view(act(TAKING_LAST_DIE, "take red", *COMPETITION_ROLLS), None)
    text = WORDS.picture_texts["competition"](view, LONG_NAMES)
    assert "The lowest is" not in text
    assert f"Roll 5, lowest 7: {LONG_NAMES[0]} loses a red die and is out." in text


# Help -----------------------------------------------------------------------------------------------


def test_assumed_numbers_have_a_page() -> None:
    """Each number that is ours is named there, and the introduction comes first."""
    page = next(topic for topic in WORDS.topics if topic.key == "assumed-numbers")
    assert all(text in page.text for text in ASSUMPTIONS)
    assert WORDS.topics[0].key == "introduction"


def test_every_kind_has_a_page() -> None:
    """The glossary has a page for each kind of card and each colour of dice."""
    keys = {topic.key for topic in WORDS.glossary}
    assert keys == {card.value for card in Card} | {f"{colour.value}-die" for colour in Colour}


# Every text of whole games ---------------------------------------------------------------------------


def check_texts(view: AustralisView, legal_actions: tuple[Action, ...]) -> None:
    """Check all that is shown of one view."""
    assert len(WORDS.alt_text(view, LONG_NAMES)) <= limits.ALT_TEXT
    assert not WORDS.alt_text(view, NAMES_OF_USUAL_LENGTH).endswith("…")
    competition = WORDS.picture_texts["competition"]
    assert len(competition(view, LONG_NAMES)) <= limits.ALT_TEXT
    assert not competition(view, NAMES_OF_USUAL_LENGTH).endswith("…")
    for seat, board in enumerate(view.position.boards):
        text = WORDS.own_board_text(view, Seat(seat), NAMES_OF_USUAL_LENGTH)
        assert NAMES_OF_USUAL_LENGTH[seat] in text
        assert not text.endswith("…")
        assert ("A competition card adds 1" in text) == bool({*board.cards} & COMPETITION_CARD_KINDS)
        assert ("Your tiles" in text) == (seat == view.viewer and bool(board.tiles))
    assert WORDS.status(view, NAMES) in WORDS.describe(view, NAMES)
    labels = [WORDS.label(view, action, NAMES) for action in legal_actions]
    assert len(set(labels)) == len(labels), "no two choices read alike"
    for action in legal_actions:
        steps = path(view, action, NAMES)
        assert all(len(step.label) <= MAX_LABEL_LENGTH for step in steps)
        if isinstance(action, TakeDie | UseCard):
            trail = AUSTRALIS.apply_action(view.position, action).trail
            takes_cube = any(isinstance(event, CubeTaken) and not event.boxed for event in trail)
            assert not takes_cube or "cube" in steps[-1].label
        assert WORDS.preview(view, action, LONG_NAMES)


@pytest.mark.parametrize("seat_count", cases([2, 3, 4], 3))
def test_every_text_of_random_games_fits(seat_count: int) -> None:
    """Labels, previews, status, alt text and narration of whole games keep their limits."""
    rng = random.Random(seat_count)
    position = AUSTRALIS.initial_state(seat_count, AUSTRALIS.options_type())
    outcome_count = 0
    while (seat := position.to_act) is not None:
        view = AUSTRALIS.view(position, None if seat == CHANCE else seat)
        if seat == CHANCE:
            action = AUSTRALIS.sample_chance(position, RandomStream(bytes(32), outcome_count))
            check_texts(view, ())
            outcome_count += 1
        else:
            legal_actions = AUSTRALIS.legal_actions(view)
            check_texts(view, legal_actions)
            action = rng.choice(legal_actions)
        after = AUSTRALIS.apply_action(position, action)
        narration = WORDS.narrate(view, seat, action, AUSTRALIS.view(after, view.viewer), LONG_NAMES).text
        assert len(narration) <= 1000
        assert narration or isinstance(action, DrawFirstPlayer), "who begins is narrated with the first round"
        position = after
    check_texts(AUSTRALIS.view(position, None), ())


def test_help_says_who_begins() -> None:
    """The page of the set-up names the first player and the option (AU27)."""
    page = next(topic.text for topic in WORDS.topics if topic.key == "setup")
    assert page.startswith("The first player is drawn by lot, or is the first in the lobby")
