"""Other words of Arctic CleanUp: status, the end and help."""

import pytest

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.components import ASSUMPTIONS, Card, FactoryLine, Hex, Plastic
from rules.arctic_cleanup.description import MAX_ALT_TEXT_LENGTH
from rules.arctic_cleanup.model import Position
from rules.model import Seat
from tests.rules.arctic_cleanup.positions import (
    NAMES,
    SAMPLE_POSITION,
    SEAT_ORDER_OPTIONS,
    act,
    make_board,
    make_other_board,
    make_position,
    make_sixteenth_token_position,
    resign_seat,
    resolve_chance,
)
from tests.rules.arctic_cleanup.texts import LONG_NAMES, WORDS, actor_view, narrate_last_action, refusal_text
from tests.rules.whole_games import play_game


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
        "No token was loaded, drawn or processed for six rounds: the game is over. "
        "Ava and Ben share the victory with one point."
    )
    last_left = resign_seat(make_position(make_board("A2", "B2 B3")), 0)
    assert final_text(last_left) == "The game is over. Only Ben is left and wins."


def test_status_says_who_builds_first() -> None:
    """The first to build reads why it is not the first player; the others do not."""
    state = resolve_chance(ARCTIC_CLEANUP.initial_state(3, SEAT_ORDER_OPTIONS))
    first_text = WORDS.status(ARCTIC_CLEANUP.view(state, None), NAMES)
    assert first_text == f"{NAMES[2]}, build your factory. The last in turn order builds first."
    after = ARCTIC_CLEANUP.apply_action(state, ARCTIC_CLEANUP.legal_actions(actor_view(state))[0])
    assert WORDS.status(ARCTIC_CLEANUP.view(after, None), NAMES) == f"{NAMES[1]}, build your factory."


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
        (cards_without_effect_text("B2 B3", rows="- -"), "Move (your rows hold no die)"),
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
    assert all(text in help_text for text in ASSUMPTIONS)
    assert len(WORDS.glossary) == len(Card) + len(Plastic) + len(FactoryLine) + len(Hex)


def test_the_first_columns_of_all_players_are_assumed() -> None:
    """The rulebook shows columns in an example of a running game only (AC13)."""
    assert "the cards' first columns by turn order" in ASSUMPTIONS


def test_help_counts_quiet_rounds_in_a_row() -> None:
    """Only rounds without a token that follow each other end the game (AC26)."""
    (end,) = (topic.text for topic in WORDS.topics if topic.key == "end")
    assert "six rounds in a row" in end


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


def test_a_factory_concerns_everybody() -> None:
    """Its site is taken for all, so the set-up is one story in the order of play."""
    position = resolve_chance(ARCTIC_CLEANUP.initial_state(3, SEAT_ORDER_OPTIONS))
    views = [ARCTIC_CLEANUP.view(each, None) for each in (position, act(position, "factory C1"))]
    assert WORDS.affected_seats(*views) == {Seat(0), Seat(1), Seat(2)}
