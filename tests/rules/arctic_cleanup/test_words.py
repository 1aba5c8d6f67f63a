"""What players read: buttons, previews, status, descriptions and help."""

import msgspec
import pytest

from bot.chat.action_picker import MAX_FLAT_LABEL_LENGTH
from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.actions import RotateDie, ShiftDie, UnloadToken
from rules.arctic_cleanup.components import ASSUMED_NUMBERS, Card, FactoryLine, Hex, Plastic
from rules.arctic_cleanup.description import MAX_ALT_TEXT_LENGTH
from rules.arctic_cleanup.model import Position
from rules.arctic_cleanup.paths import path
from rules.game import Seat
from tests.rules.arctic_cleanup.positions import (
    NAMES,
    NOTATION,
    SEAT_ORDER_OPTIONS,
    act,
    make_board,
    make_other_board,
    make_position,
    resign_seat,
    resolve_chance,
)
from tests.rules.arctic_cleanup.test_ending import make_sixteenth_token_position
from tests.rules.arctic_cleanup.test_unloading import (
    BLOCK_FILLING_UNLOADS,
    CARD_FLIPPING_UNLOADS,
    make_unload_position,
)
from tests.rules.arctic_cleanup.texts import (
    LONG_NAMES,
    SAMPLE_POSITION,
    WORDS,
    actor_view,
    button_text,
    narrate_last_action,
    preview_text,
    refusal_text,
)
from tests.rules.whole_games import play_game


@pytest.mark.parametrize(
    ("text", "buttons"),
    [
        ("rotate 1 1 2", "Plan (5) > Ship 1: ↑ > to ↗ C2"),
        ("shift 2 1", "Plan (5) > Ship 2: ↑ > to ship 1"),
        ("bring 2 3", "Plan (5) > Ship 2: new die ↘ C4"),
        ("sail 1 1", "Move (4) > ship 1 ↑ B1"),
        ("load 2 eva", "Load (3) > EVA on ship 2"),
        ("analyze 1", "Analyze (1) > draw 1 token"),
        ("unload 1 pet R2", "Unload (2) > PET on R2"),
        ("idle plan", "Play a card without effect > Plan"),
    ],
)
def test_buttons_name_the_card_then_the_operation(text: str, buttons: str) -> None:
    """The labels name the card with its strength, then the operation."""
    assert button_text(SAMPLE_POSITION, text) == buttons


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rotate 1 1 4", "ship 1 to B3: EVA"),
        ("rotate 1 1 6", "no tile that way from where ship 1 is"),
        ("shift 1 1", "ship 2 to B2: 2 PET and PP"),
        ("bring 2 1", "ship 2 to B2: 2 PET and PP"),
        ("sail 1 1", "no tokens there"),
    ],
)
def test_a_short_preview_names_the_next_tile(text: str, expected: str) -> None:
    """What a changed die leads to from where its ship is now, and the tokens there."""
    action = NOTATION.parse(text)
    assert WORDS.short_preview(actor_view(SAMPLE_POSITION), action, NAMES) == expected


def test_a_die_for_a_later_step_says_so() -> None:
    """A die that leads nowhere from where its ship is may be of use after another one, or of none."""
    position = make_position(make_board("A2", "B2 C1", rows="1 -", spare_die_count=1))
    assert button_text(position, "bring 1 1") == "Plan (5) > Ship 1: new die ↑ B1"
    assert button_text(position, "bring 1 3") == "Plan (5) > Ship 1: new die ↘ for later", "from B1 to C2"
    assert button_text(position, "bring 2 1") == "Plan (5) > Ship 2: new die ↑ (no step)"
    assert button_text(position, "rotate 1 1 3") == "Plan (5) > Ship 1: ↑ > to ↘ (no step)", (
        "nothing comes before it"
    )


def test_a_die_and_its_face_share_one_button() -> None:
    """In whole games a changed die is one press: no label is too long for a screen that names both."""
    for transition in play_game(ARCTIC_CLEANUP, 2, "random", 3):
        if transition.after.to_act is None or transition.after.to_act < 0:
            continue
        view = actor_view(transition.after)
        for action in ARCTIC_CLEANUP.legal_actions(view):
            if isinstance(action, RotateDie | ShiftDie):
                label = " ".join(step.label for step in path(view, action, NAMES)[-2:])
                assert len(label) <= MAX_FLAT_LABEL_LENGTH, label


def test_buttons_of_a_running_card() -> None:
    """The card is chosen; one press for each operation, and one for the end."""
    position = act(SAMPLE_POSITION, "sail 1 1")
    assert button_text(position, "sail 2 1") == "Ship 2 ↑ B2"
    assert button_text(position, "end") == "End turn, 2 more possible"


def test_button_names_the_ship_where_both_carry_the_token() -> None:
    """With the same token on both ships the label says which ship unloads it."""
    position = make_unload_position("pet pet")
    assert button_text(position, "unload 2 pet R1") == "Unload (5) > PET (ship 2) on R1"


def test_many_ways_to_unload_hide_no_picture() -> None:
    """More than four stand behind one button among the cards; on a phone they would push the picture away."""
    for cargo, is_collapsed in (("pet -", True), ("pp -", False)):
        position = make_unload_position(cargo, lines="R5:2pet R6:2hdpe")
        view = actor_view(position)
        unloads = [action for action in ARCTIC_CLEANUP.legal_actions(view) if isinstance(action, UnloadToken)]
        assert (len(unloads) > 4) is is_collapsed
        assert {path(view, action, NAMES)[0].collapsed for action in unloads} == {is_collapsed}


def test_button_names_the_ship_where_both_can_load() -> None:
    """If only one ship can take tokens aboard, the label need not say which: two stand side by side."""
    one_can_load = make_position(make_board("A2", "B2 B3", cargo="4pet -"), ocean="B2:pet B3:eva")
    assert button_text(one_can_load, "load 2 eva") == "Load (3) > EVA"
    both_can_load = make_position(make_board("A2", "B2 B3"), ocean="B2:pet B3:eva")
    assert button_text(both_can_load, "load 2 eva") == "Load (3) > EVA on ship 2"


def test_button_of_a_running_unload_counts_the_slots() -> None:
    """Once the card is chosen, there is room for what a line holds."""
    position = act(make_unload_position("2pet -", lines="R2:pet"), "unload 1 pet R2")
    assert button_text(position, "unload 1 pet R2") == "PET on R2 2/4"


def test_buttons_of_the_set_up() -> None:
    """A site, then the tokens of each dock."""
    start = resolve_chance(ARCTIC_CLEANUP.initial_state(2, SEAT_ORDER_OPTIONS))
    assert button_text(start, "factory A2") == "A2"
    placing = act(start, "factory A2", "factory E2")
    assert button_text(placing, "ship D2").startswith("D2: ")


def test_button_of_a_drawn_token() -> None:
    """The label of a drawn token names its plastic and the tile."""
    position = act(
        make_position(make_board("A2", "B2 B3"), bag="2pet,pp", ocean="B2:ps"), "analyze 1", "draw pp"
    )
    assert button_text(position, "place pp 2") == "PP to B3"
    assert WORDS.status(actor_view(position), NAMES) == "Ava, place the tokens that you drew: PP."


@pytest.mark.parametrize(
    ("text", "preview"),
    [
        ("rotate 1 1 2", "Ship 1 then has 1 ↑, 1 ↑ and 2 ↗. Ship 2 has 1 ↑ and 1 ↑."),
        ("shift 1 1", "Ship 1 then has 1 ↑ and 1 ↑. Ship 2 has 1 ↑, 1 ↑ and 1 ↑."),
        ("sail 1 1", "Ship 1 sails to B1 (no tokens). Its dice are then: 1 ↑ and 1 ↑."),
        ("sail 2 1", "Ship 2 sails to B2 (2 PET and PP). It can unload there. Its dice are then: 1 ↑."),
        ("load 1 pet", "It fits R2 or an empty line. Ship 1 then carries 3 of 4."),
        ("load 2 eva", "It fits an empty line. Ship 2 then carries 1 of 4."),
        ("load 1 pp", "No line takes it now. Ship 1 then carries 3 of 4."),
        ("analyze 1", "You draw one token from the bag."),
        ("unload 1 pet R2", "R2 then has 2 of 4. Your factory then holds two tokens."),
        ("idle plan", "Plan goes to column 1 without any effect, and your turn ends."),
    ],
)
def test_a_preview_says_what_the_action_leads_to(text: str, preview: str) -> None:
    """A preview says what the action would lead to."""
    assert preview_text(SAMPLE_POSITION, text) == preview


def test_preview_of_blocks_and_flips() -> None:
    """They are named before the token is processed."""
    lines, plastic, line = CARD_FLIPPING_UNLOADS[Card.LOAD]
    text = preview_text(make_unload_position(f"{plastic} -", lines=lines), f"unload 1 {plastic} {line}")
    assert "Load has double strength from the next turn on." in text
    lines, plastic, line = BLOCK_FILLING_UNLOADS[
        next(block for block in BLOCK_FILLING_UNLOADS if block.value == "D1")
    ]
    text = preview_text(make_unload_position(f"{plastic} -", lines=lines), f"unload 1 {plastic} {line}")
    assert "A block is full: it brings a die and 5 points." in text


def test_preview_of_the_end() -> None:
    """The preview of the end of a turn says what would be left unused."""
    assert (
        preview_text(act(SAMPLE_POSITION, "sail 1 1"), "end")
        == "Move goes to column 1. Two steps left unused."
    )
    board = make_board("A2", "B2 B2", columns="load move analyze unload plan")
    drawn = act(make_position(board, bag="4pet"), "analyze 3")
    assert preview_text(drawn, "end") == "Analyze goes to column 1.", "all three were drawn"


def final_text(position: Position) -> str:
    """Return the status of a game that is over."""
    assert position.to_act is None
    return WORDS.status(ARCTIC_CLEANUP.view(position, None), NAMES)


def test_words_of_the_end() -> None:
    """The texts of a finished game say why it ended and who won."""
    position = act(make_sixteenth_token_position(), "unload 1 ldpe R5")
    text = "Ava has processed 16 tokens: the game is over.\nAva wins with 47 points."
    assert narrate_last_action(position, "end") == text
    assert final_text(act(position, "end")) == text.replace("\n", " ")

    quiet_position = make_position(
        make_board("A2", "B2 B3", cargo="pp -"),
        make_other_board(cargo="pet -"),
        player=1,
        quiet_round_count=5,
    )
    assert final_text(act(quiet_position, "idle plan")) == (
        "No token was loaded, drawn or processed for 6 rounds: the game is over. "
        "Ava and Ben share the victory with one point."
    )
    last_left = resign_seat(make_position(make_board("A2", "B2 B3")), 0)
    assert final_text(last_left) == "The game is over. Only Ben is left and wins."


def test_status_counts_what_is_left() -> None:
    """The status says what is left of the card, and when the game ends or soon may."""
    position = act(SAMPLE_POSITION, "sail 1 1")
    assert WORDS.status(actor_view(position), NAMES) == "Ava, sail up to two more steps, or end your turn."
    before_last_round = make_position(make_board("A2", "B2 B3"), round_number=8, last_round=9)
    bystander_view = ARCTIC_CLEANUP.view(before_last_round, None)
    assert WORDS.status(bystander_view, NAMES) == "Ava, your turn: play a card. Round 9 is the last."
    quiet_position = make_position(
        make_board("A2", "B2 B3"), ocean="B2:pet", round_number=8, quiet_round_count=5
    )
    assert WORDS.status(ARCTIC_CLEANUP.view(quiet_position, None), NAMES) == (
        "Ava, your turn: play a card."
        " The game ends after one more round in which no token is loaded, drawn or processed."
    )
    after_load = act(quiet_position, "load 1 pet")
    assert "The game ends" not in WORDS.status(ARCTIC_CLEANUP.view(after_load, None), NAMES)
    after_only_step = act(
        make_position(make_board("A2", "B2 B3", columns="move analyze unload load plan")), "sail 1 1"
    )
    assert WORDS.status(actor_view(after_only_step), NAMES) == "Ava, end your turn."


def test_status_names_cards_without_effect() -> None:
    """Who is to play reads which cards are not offered and why; others, and who plays one, read nothing."""
    position = make_position(
        make_board("A2", "B2 B3", columns="plan load move analyze unload"), ocean="B2:pet"
    )
    assert WORDS.status(actor_view(position), NAMES) == (
        "Ava, your turn: play a card. "
        "No effect now: Analyze (the bag is empty), Unload (your ships are empty)."
    )
    assert "No effect" not in WORDS.status(ARCTIC_CLEANUP.view(position, Seat(1)), NAMES)
    assert "No effect" not in WORDS.status(actor_view(act(position, "sail 1 1")), NAMES)


def cards_without_effect_text(
    ships: str, *, cargo: str = "- -", rows: str = "111 11", ocean: str = "D1:pet"
) -> str:
    """Return which cards the status says to have no effect, for a player at A2."""
    position = make_position(make_board("A2", ships, cargo=cargo, rows=rows), ocean=ocean, bag="pet")
    return WORDS.status(actor_view(position), NAMES).partition("No effect now: ")[2]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (cards_without_effect_text("B2 B3", rows="- -"), "Move (no die is in your rows)"),
        (cards_without_effect_text("B1 B1", rows="111 1"), "Move (no die leads to open water)"),
        (cards_without_effect_text("B2 B3"), "Load (no tokens lie beside a ship with room)"),
        (cards_without_effect_text("B2 B3", cargo="4pet 4pet", ocean="B2:pet"), "Load (your ships are full)"),
        (
            cards_without_effect_text("B2 B3", cargo="4pp 3pp", ocean="B3:pp"),
            "Load (the last space is for a token that a line takes)",
        ),
        (
            cards_without_effect_text("D1 D2", cargo="pet -"),
            "Unload (no ship with tokens is at your factory)",
        ),
        (
            cards_without_effect_text("B2 B3", cargo="pp -"),
            "Unload (PP and PS wait until R5 and R6 hold two tokens each)",
        ),
    ],
)
def test_each_card_without_effect_has_a_reason(text: str, reason: str) -> None:
    """The reason is the one that holds in the position."""
    assert reason in text


def test_no_more_steps_are_offered_than_the_map_allows() -> None:
    """Five dice that lead up are two steps where the map ends after one for each ship."""
    board = make_board("A2", "C3 B3", columns="plan load analyze unload move", rows="111 11")
    text = WORDS.status(actor_view(act(make_position(board), "sail 2 1")), NAMES)
    assert text == "Ava, sail one more step, or end your turn."


def test_no_more_is_offered_than_tiles_and_docks_allow() -> None:
    """Tokens that no ship stands beside cannot be loaded, and only docked ships unload."""
    board = make_board("A2", "B2 D1", columns="plan move analyze unload load", cargo="pet pet,pet")
    loading = act(make_position(board, ocean="B2:2pet D1:pet"), "load 1 pet")
    assert WORDS.status(actor_view(loading), NAMES) == "Ava, load up to two more tokens, or end your turn."
    unloading_board = make_board("A2", "B2 D1", columns="plan move analyze load unload", cargo="2pet pet,pet")
    position = act(make_position(unloading_board), "unload 1 pet R2")
    assert WORDS.status(actor_view(position), NAMES) == "Ava, process one more token, or end your turn."


def test_no_more_steps_are_offered_than_dice() -> None:
    """The strength of a card is no promise: two dice are two steps."""
    board = make_board("A2", "B2 B3", columns="plan load analyze unload move", rows="14 1")
    sailing_position = act(make_position(board), "sail 1 1")
    assert (
        WORDS.status(actor_view(sailing_position), NAMES)
        == "Ava, sail up to two more steps, or end your turn."
    )


def test_only_what_is_possible_is_asked() -> None:
    """A card that could do more, but has nothing left to do, asks for the end of the turn."""
    board = make_board("A2", "B2 B3", columns="move load analyze unload plan")
    position = act(make_position(board, ocean="B2:pet"), "load 1 pet")
    assert position.played_card is not None
    assert position.played_card.operation_count < position.played_card.strength
    assert WORDS.status(actor_view(position), NAMES) == "Ava, end your turn."
    assert refusal_text(position, "sail 1 1") == "You play Load in this turn. End your turn."


def test_no_load_is_offered_that_would_lock_both_ships() -> None:
    """The last space stays free of tokens that no line takes, so it does not count."""
    board = make_board("A2", "B2 B3", columns="plan move load unload analyze", cargo="3pp 2ps")
    position = act(make_position(board, ocean="B2:pp B3:3pp"), "load 2 pp")
    assert WORDS.status(actor_view(position), NAMES) == "Ava, load one more token, or end your turn."
    beside_full_ship = make_board("A2", "B2 B3", columns="plan move load unload analyze", cargo="4pp ps")
    position = act(make_position(beside_full_ship, ocean="B2:pet B3:3pp"), "load 2 pp")
    assert WORDS.status(actor_view(position), NAMES) == "Ava, load one more token, or end your turn."
    with_line = act(make_position(board, ocean="B2:pet B3:3pp"), "load 2 pp")
    assert WORDS.status(actor_view(with_line), NAMES) == (
        "Ava, load up to two more tokens, or end your turn."
    )


def test_a_full_ship_does_not_help_the_last_space() -> None:
    """A token with a line lies beside a full ship only, so the last space of the other one stays free."""
    board = make_board("A2", "B2 B3", columns="plan move load unload analyze", cargo="pp 4ps")
    position = act(make_position(board, ocean="B2:4pp B3:pet"), "load 1 pp")
    assert WORDS.status(actor_view(position), NAMES) == "Ava, load one more token, or end your turn."


@pytest.mark.parametrize(
    ("cargo", "lines", "text"),
    [
        ("2pet pp", "", "process one more token"),  # the hatched lines are closed
        ("2pet 2eva", "R1:hdpe R2:hdpe R3:hdpe R4:hdpe R5:hdpe", "process one more token"),  # R6 is for PET
        ("pet,pa6 2pp", "R6:hdpe R5:2pa6", "process one more token"),
        ("pet,hdpe 2pp", "R6:hdpe R5:2pa6", "process up to three more tokens"),  # HDPE opens the hatched
    ],
)
def test_no_more_unloading_is_offered_than_lines_take(cargo: str, lines: str, text: str) -> None:
    """Tokens that no line will take do not count; those that lines opened on the way take do."""
    board = make_board("A2", "B2 B3", columns="plan move analyze load unload", cargo=cargo, lines=lines)
    line = "R6" if "R1" in lines else "R1"
    position = act(make_position(board), f"unload 1 pet {line}")
    assert WORDS.status(actor_view(position), NAMES) == f"Ava, {text}, or end your turn."


def test_a_seat_that_resigned_has_no_plan() -> None:
    """The pictures of a player who has left promise no ships to place, and name no ships and cards."""
    boards = make_board("C1", "C2 D1"), make_board("E3", "D3 D4"), make_board("A3", "B3 B4")
    view = ARCTIC_CLEANUP.view(resign_seat(make_position(*boards), 1), Seat(1))
    assert "not placed yet" not in WORDS.picture_texts["plan"](view, NAMES)
    assert "ships and cards" not in WORDS.picture_texts["turn"](view, NAMES)


@pytest.mark.slow
def test_texts_of_whole_games() -> None:
    """Alt texts fit, also with long names, and every choice has a label."""
    for transition in play_game(ARCTIC_CLEANUP, 4, "casual", 7):
        view = ARCTIC_CLEANUP.view(transition.after, None)
        assert len(WORDS.alt_text(view, LONG_NAMES)) <= MAX_ALT_TEXT_LENGTH
        assert WORDS.describe(view, NAMES)
        if transition.after.to_act is not None and transition.after.to_act >= 0:
            view_of_actor = actor_view(transition.after)
            for action in ARCTIC_CLEANUP.legal_actions(view_of_actor):
                assert WORDS.label(view_of_actor, action, NAMES)
                assert WORDS.preview(view_of_actor, action, NAMES)


def test_assumed_numbers_are_named() -> None:
    """What we chose is marked; each card, plastic, line and hex has a page."""
    help_text = "\n".join(topic.text for topic in WORDS.topics)
    assert all(number in help_text for number in ASSUMED_NUMBERS)
    assert len(WORDS.glossary) == len(Card) + len(Plastic) + len(FactoryLine) + len(Hex)


def test_the_first_columns_of_all_players_are_assumed() -> None:
    """The rulebook shows columns in an example of a running game only (AC13)."""
    assert "the cards' first columns by turn order" in ASSUMED_NUMBERS


def test_help_counts_quiet_rounds_in_a_row() -> None:
    """Only rounds without a token that follow each other end the game (AC26)."""
    (end,) = (topic.text for topic in WORDS.topics if topic.key == "end")
    assert "six rounds in a row" in end


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
    assert "A Ava: factory on A2, 8 tokens processed, 23 points so far." in text
    assert "Ship 1 on B2: carries PET and PP, plans 2 ↗ and 6 ↖." in text
    assert "Hatched lines: open." in text
    assert "Full blocks with a die: R3 and R4 (first two)." in text
    assert "Points: 16 for processed tokens, 5 for gained dice and 2 for tokens aboard." in text
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


def test_no_alt_text_promises_ships_to_a_seat_that_resigned() -> None:
    """No alt text promises ships to a seat that has left."""
    boards = make_board("C1", "C2 D1"), make_board("E3", "D3 D4"), make_board("A3", "B3 B4")
    view = ARCTIC_CLEANUP.view(resign_seat(make_position(*boards), 1), Seat(0))
    for text in (WORDS.alt_text(view, NAMES), WORDS.picture_texts["turn"](view, NAMES)):
        assert "B Ben: resigned, factory E3, 0 of 16 processed" in text
        assert "no ships yet" not in text


def test_one_point_is_singular_everywhere() -> None:
    """One point has its singular wherever points are counted."""
    view = ARCTIC_CLEANUP.view(make_position(make_board("A2", "B2 B3", cargo="pet -")), None)
    for text in (WORDS.describe(view, NAMES), WORDS.alt_text(view, NAMES)):
        assert "1 point" in text
        assert "1 points" not in text


def test_the_end_of_a_turn_comes_last() -> None:
    """The button that ends a turn stands below the choices for either ship, under their question."""
    position = act(make_position(make_board("A2", "B2 B3", rows="- -", spare_die_count=3)), "bring 1 1")
    view = actor_view(position)
    steps = [path(view, action, NAMES)[0] for action in ARCTIC_CLEANUP.legal_actions(view)]
    (end_step,) = [step for step in steps if step.label.startswith("End turn")]
    assert end_step.question == "Which die do you change?"
    assert all(step.order < end_step.order for step in steps if step is not end_step)


def test_a_used_card_asks_for_the_end_of_the_turn() -> None:
    """Where only the end is left, the question is about it."""
    board = make_board("A2", "B2 B3", rows="- -", spare_die_count=1)
    position = act(make_position(board), "bring 1 1")
    assert position.played_card is not None
    used_card_position = msgspec.structs.replace(
        position,
        played_card=msgspec.structs.replace(
            position.played_card, operation_count=position.played_card.strength
        ),
    )
    view = actor_view(used_card_position)
    (step,) = (path(view, action, NAMES)[0] for action in ARCTIC_CLEANUP.legal_actions(view))
    assert (step.label, step.question) == ("End turn", "Plan is done. End your turn?")


def question_text(position: Position, text: str) -> str:
    """Return the question of the last step to an action."""
    return path(actor_view(position), NOTATION.parse(text), NAMES)[-1].question


def test_the_first_question_says_how_many_changes_there_are() -> None:
    """Later ones do not: the status counts what is left."""
    position = make_position(make_board("A2", "B2 C1", rows="1 -", spare_die_count=5))
    assert question_text(position, "bring 1 1") == "Up to five changes. Which die do you change?"
    assert question_text(act(position, "bring 1 1"), "bring 2 1") == "Which die do you change?"


def test_the_question_names_what_no_line_takes() -> None:
    """A token that waits for a line has no button, so the question says why."""
    position = make_position(make_board("A2", "B2 C1", cargo="ps,pet -"))
    question = question_text(position, "unload 1 pet R2")
    assert question == "One token. No line takes PS now. What do you process, and on which line?"


def test_status_announces_the_last_turn() -> None:
    """From the sixteenth token on, the status says that the game ends with this turn."""
    before = make_sixteenth_token_position()
    assert "ends with this turn" not in WORDS.status(actor_view(before), NAMES)
    after = act(before, "unload 1 ldpe R5")
    assert WORDS.status(actor_view(after), NAMES).endswith("The game ends with this turn.")


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("factory", "H1, R1 and R6 have three slots, H2, R2, R3, R4 and R5 have four slots."),
        ("dice", "You cannot use them before (house rule)."),
        ("cards", "One card may use both ships"),
        ("end", "**16 tokens** or more"),
        ("rulings", "The last player left wins."),
        ("setup", "Analyze, Unload, Load, Move, Plan: player 1 of 2, 1 of 3, 1 of 4 and 2 of 4"),
        ("setup", "Analyze, Unload, Plan, Move, Load: player 4 of 4"),
    ],
)
def test_help_says_what_a_player_needs(key: str, sentence: str) -> None:
    """Slots of lines, dice to be gained (AC11), first cards (AC13), both ships (AC37), ends (AC24, AC28)."""
    assert sentence in next(topic.text for topic in WORDS.topics if topic.key == key)
