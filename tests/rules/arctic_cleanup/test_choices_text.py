"""What players of Arctic CleanUp read before they choose: buttons, questions, previews."""

from itertools import permutations

import msgspec
import pytest

from bot.chat.action_picker import MAX_FLAT_LABEL_LENGTH, build_screen
from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.actions import BringDie, RotateDie, ShiftDie, UnloadToken
from rules.arctic_cleanup.components import FACES, Card, Hex
from rules.arctic_cleanup.model import Position
from rules.arctic_cleanup.paths import path
from rules.arctic_cleanup.sea_routes import planned_route
from rules.paths import tokens_of
from tests.rules.arctic_cleanup.positions import (
    BLOCK_FILLING_UNLOADS,
    CARD_FLIPPING_UNLOADS,
    NAMES,
    NOTATION,
    SAMPLE_POSITION,
    SEAT_ORDER_OPTIONS,
    act,
    make_board,
    make_position,
    make_unload_position,
    resolve_chance,
)
from tests.rules.arctic_cleanup.texts import WORDS, actor_view, button_path_text, preview_text
from tests.rules.whole_games import play_game


@pytest.mark.parametrize(
    ("text", "buttons"),
    [
        ("rotate 1 1 2", "Plan (5) > Ship 1: ↑ > to ↗, C1"),
        ("shift 2 1", "Plan (5) > Ship 2: ↑ > to ship 1"),
        ("bring 2 3", "Plan (5) > Ship 2: new ↘, C2"),
        ("sail 1 1", "Move (4) > ship 1 ↑ B1"),
        ("load 2 eva", "Load (3) > EVA on ship 2"),
        ("analyze 1", "Analyze (1) > draw 1 token"),
        ("unload 1 pet R2", "Unload (2) > PET on R2 (now 1/4)"),
        ("idle plan", "Play a card without effect > Plan"),
    ],
)
def test_buttons_name_the_card_then_the_operation(text: str, buttons: str) -> None:
    """The labels name the card with its strength, then the operation."""
    assert button_path_text(SAMPLE_POSITION, text) == buttons


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rotate 1 1 4", "route to B1: no tokens there"),
        ("rotate 1 1 6", "no tile that way from where ship 1 is, nor after its other dice"),
        ("shift 1 1", "route to B1: no tokens there"),
        ("bring 2 1", "route to B1: no tokens there"),
        ("sail 1 1", "no tokens there"),
    ],
)
def test_a_short_preview_names_the_next_tile(text: str, expected: str) -> None:
    """What a changed die leads to from where its ship is now, and the tokens there."""
    action = NOTATION.parse(text)
    assert WORDS.short_preview(actor_view(SAMPLE_POSITION), action, NAMES) == expected


def test_a_die_for_a_later_step_is_told_from_a_useless_one() -> None:
    """A die that leads nowhere from where its ship is may be of use after another one, or of none."""
    position = make_position(make_board("A2", "B2 C1", rows="1 -", spare_die_count=1))
    assert button_path_text(position, "bring 1 1") == "Plan (5) > Ship 1: new ↑, B1"
    assert button_path_text(position, "bring 1 3") == "Plan (5) > Ship 1: new ↘, C2", "from B1"
    no_step_text = "Plan (5) > Other new dice: no step > Ship 2: new ↑ (no step)"
    assert button_path_text(position, "bring 2 1") == no_step_text
    assert button_path_text(position, "rotate 1 1 2") == "Plan (5) > Ship 1: ↑ > to ↗, C2", (
        "it is the only die"
    )
    assert (
        button_path_text(position, "rotate 1 1 3") == "Plan (5) > Ship 1: ↑ > turn, no step > to ↘ (no step)"
    ), "nothing comes before it"


def test_a_short_preview_tells_a_die_for_later_from_a_useless_one() -> None:
    """Both lead nowhere from where the ship is."""
    view = actor_view(make_position(make_board("A2", "B2 C1", rows="1 -", spare_die_count=1)))
    for text, expected in (
        ("bring 1 3", "route to C2: no tokens there"),
        ("bring 2 1", "no tile that way from where ship 2 is"),
    ):
        assert WORDS.short_preview(view, NOTATION.parse(text), NAMES) == expected


def test_a_die_that_another_one_leads_to_is_not_useless() -> None:
    """From B1 the first ↘ leads to C2, from where ↙ leads to B2, though two ↘ reach as far."""
    position = make_position(make_board("A2", "B1 C1", rows="33 -", spare_die_count=1))
    assert button_path_text(position, "bring 1 5") == "Plan (5) > Ship 1: new ↙ (or B2)"
    assert WORDS.short_preview(actor_view(position), NOTATION.parse("bring 1 5"), NAMES) == (
        "route to D2 as before, or with it to B2: no tokens there"
    )
    after_sailing = act(position, "bring 1 5", "end", "idle plan", "sail 1 3", "sail 1 5")
    assert after_sailing.boards[0].ships[0] is Hex.B2


def test_a_changed_die_names_the_end_of_the_route_that_follows() -> None:
    """In a whole game: it is where the picture after the change lets the route end, if that uses the die."""
    checked_count = 0
    for transition in play_game(ARCTIC_CLEANUP, 2, "casual", 4):
        action = transition.action
        if not isinstance(action, RotateDie | BringDie):
            continue
        view, board = actor_view(transition.before), transition.after.boards[transition.actor]
        place = board.ships[action.row - 1]
        assert place is not None
        end = planned_route(2, place, board.rows[action.row - 1]).end
        label, checked_count = path(view, action, NAMES)[-1].label, checked_count + 1
        assert label.endswith((f", {end.value}", "(no step)")) or "(or " in label
    assert checked_count > 10


def test_the_preview_of_a_card_in_column_1_says_that_it_stays() -> None:
    """It is no news that the other cards stay, too."""
    board = make_board("A2", "B2 B2", columns="analyze load move unload plan")
    assert preview_text(make_position(board), "idle analyze") == (
        "Analyze stays in column 1 without any effect. Your turn ends."
    )


def test_sites_of_factories_stand_as_on_the_map() -> None:
    """Their buttons go from the left to the right, as the columns A to E do."""
    view = actor_view(resolve_chance(ARCTIC_CLEANUP.initial_state(3, SEAT_ORDER_OPTIONS)))
    paths = [path(view, action, NAMES) for action in ARCTIC_CLEANUP.legal_actions(view)]
    assert [choice.label for choice in build_screen(paths, ()).choices] == ["A3", "C1", "E3"]


def test_dice_without_a_step_stand_behind_the_useful_ones() -> None:
    """New ones share the last button; the faces of a die on the board that allow none share one, too."""
    position = make_position(make_board("A2", "B2 C1", rows="1 -", spare_die_count=1))
    view = actor_view(position)
    paths = [path(view, action, NAMES) for action in ARCTIC_CLEANUP.legal_actions(view)]
    screen = build_screen(paths, ("plan",))
    labels = [choice.label for choice in screen.choices]
    assert labels[-1] == "Other new dice: no step …"
    assert not [label for label in labels if ": new " in label and "no step" in label]
    assert [label for label in labels if label.startswith("Ship 1: ↑")][-1] == "Ship 1: ↑ turn, no step …"
    assert not [label for label in labels if "(no step)" in label]
    (choice,) = [choice for choice in screen.choices if choice.label == labels[-1]]
    hidden_labels = [each.label for each in build_screen(paths, choice.tokens).choices]
    assert len(hidden_labels) > 1
    assert all(label.endswith("(no step)") for label in hidden_labels)


def test_the_only_face_without_a_step_has_its_own_button() -> None:
    """Whatever the other die of the ship shows, behind the button of several there are several."""
    counts = set()
    for face, other_face in permutations(FACES, 2):
        row = "".join(sorted(f"{face}{other_face}"))
        view = actor_view(make_position(make_board("A2", "B2 C1", rows=f"{row} -")))
        actions = ARCTIC_CLEANUP.legal_actions(view)
        rotations = [each for each in actions if isinstance(each, RotateDie) and each.face == face]
        counts.add(sum("no-step" in tokens_of(path(view, each, NAMES)) for each in rotations))
    assert 1 not in counts
    assert len(counts) > 1


@pytest.mark.parametrize(("cargo", "count"), [("hdpe -", 3), ("pet -", 4), ("pet pet", 8)])
def test_many_ways_to_unload_stand_behind_their_card(cargo: str, count: int) -> None:
    """Up to four stand beside the cards."""
    view = actor_view(make_position(make_board("A2", "B2 B3", cargo=cargo, lines="R1:pet R2:eva R3:pa6")))
    actions = [each for each in ARCTIC_CLEANUP.legal_actions(view) if isinstance(each, UnloadToken)]
    assert len(actions) == count
    assert all(path(view, each, NAMES)[0].collapsed is (count > 4) for each in actions)


def test_the_labels_of_a_die_and_its_face_fit_one_button() -> None:
    """In whole games: so a changed die is one press."""
    for transition in play_game(ARCTIC_CLEANUP, 2, "random", 3):
        if transition.after.to_act is None or transition.after.to_act < 0:
            continue
        view = actor_view(transition.after)
        for action in ARCTIC_CLEANUP.legal_actions(view):
            if isinstance(action, RotateDie | ShiftDie):
                steps = (step for step in path(view, action, NAMES) if not step.collapsed)
                label = " ".join(step.label for step in tuple(steps)[-2:])
                assert len(label) <= MAX_FLAT_LABEL_LENGTH, label


def test_buttons_of_a_running_card() -> None:
    """The card is chosen; one press for each operation, and one for the end."""
    position = act(SAMPLE_POSITION, "sail 1 1")
    assert button_path_text(position, "sail 2 1") == "Ship 2 ↑ B2"
    assert button_path_text(position, "end") == "End turn, 2 more possible"


def test_button_names_the_ship_where_both_carry_the_token() -> None:
    """With the same token on both ships the label says which ship unloads it."""
    position = make_unload_position("pet pet")
    assert button_path_text(position, "unload 2 pet R1") == "Unload (5) > PET (ship 2) on R1"


def test_unloads_on_many_lines_stand_behind_their_card() -> None:
    """More than four do; on a phone they would push the picture away."""
    for cargo, is_collapsed in (("pet -", True), ("pp -", False)):
        position = make_unload_position(cargo, lines="R5:2pet R6:2hdpe")
        view = actor_view(position)
        unloads = [action for action in ARCTIC_CLEANUP.legal_actions(view) if isinstance(action, UnloadToken)]
        assert (len(unloads) > 4) is is_collapsed
        assert {path(view, action, NAMES)[0].collapsed for action in unloads} == {is_collapsed}


def test_button_names_the_ship_where_both_can_load() -> None:
    """If only one ship can take tokens aboard, the label need not say which: two stand side by side."""
    one_can_load = make_position(make_board("A2", "B2 B3", cargo="4pet -"), ocean="B2:pet B3:eva")
    assert button_path_text(one_can_load, "load 2 eva") == "Load (3) > EVA"
    both_can_load = make_position(make_board("A2", "B2 B3"), ocean="B2:pet B3:eva")
    assert button_path_text(both_can_load, "load 2 eva") == "Load (3) > EVA on ship 2"


def test_button_of_a_running_unload_counts_the_slots() -> None:
    """The label says how many of a line's slots are filled by now."""
    position = act(make_unload_position("2pet -", lines="R2:pet"), "unload 1 pet R2")
    assert button_path_text(position, "unload 1 pet R2") == "PET on R2 (now 2/4)"


def test_buttons_of_the_set_up() -> None:
    """A site, then the tokens of each dock."""
    start = resolve_chance(ARCTIC_CLEANUP.initial_state(2, SEAT_ORDER_OPTIONS))
    assert button_path_text(start, "factory A2") == "A2"
    placing = act(start, "factory A2", "factory E2")
    assert button_path_text(placing, "ship D2").startswith("D2: ")


def test_button_of_a_drawn_token() -> None:
    """The label of a drawn token names its plastic and the tile."""
    position = act(
        make_position(make_board("A2", "B2 B3"), bag="2pet,pp", ocean="B2:ps"), "analyze 1", "draw pp"
    )
    assert button_path_text(position, "place pp 2") == "PP to B3"
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
        ("load 1 pp", "No line takes PP until R5 and R6 hold two tokens each. Ship 1 then carries 3 of 4."),
        ("analyze 1", "You draw one token from the bag."),
        ("unload 1 pet R2", "R2 then has 2 of 4. Your factory then holds two tokens."),
        ("idle plan", "Plan goes to column 1 without any effect. Your turn ends."),
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
    after_drawing = act(make_position(board, bag="4pet"), "analyze 3")
    assert preview_text(after_drawing, "end") == "Analyze goes to column 1.", "all three were drawn"


def test_the_end_of_a_turn_comes_last() -> None:
    """The button that ends a turn stands below the choices for either ship, under their question."""
    position = act(make_position(make_board("A2", "B2 B3", rows="- -", spare_die_count=3)), "bring 1 1")
    view = actor_view(position)
    steps = [path(view, action, NAMES)[0] for action in ARCTIC_CLEANUP.legal_actions(view)]
    (end_step,) = [step for step in steps if step.label.startswith("End turn")]
    assert end_step.question == "Which die do you change, and where does the route then end?"
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
    assert (
        question_text(position, "bring 1 1")
        == "Up to five changes. Which die do you change, and where does the route then end?"
    )
    assert (
        question_text(act(position, "bring 1 1"), "bring 2 1")
        == "Which die do you change, and where does the route then end?"
    )


def test_the_question_names_what_no_line_takes() -> None:
    """A token that waits for a line has no button, so the question says why."""
    position = make_position(make_board("A2", "B2 C1", cargo="ps,pet -"))
    question = question_text(position, "unload 1 pet R2")
    assert question == "One token. No line takes PS now. What do you process, and on which line?"
