"""The narration of Arctic CleanUp: set-up, operations, gains."""

import pytest

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.components import MAX_ROUNDS, Card
from rules.arctic_cleanup.model import Position
from rules.model import Seat
from rules.notation import Notation
from tests.rules.arctic_cleanup.positions import (
    BLOCK_FILLING_UNLOADS,
    CARD_FLIPPING_UNLOADS,
    NAMES,
    SAMPLE_POSITION,
    SEAT_ORDER_OPTIONS,
    act,
    make_board,
    make_position,
    make_unload_position,
    resolve_chance,
)
from tests.rules.arctic_cleanup.texts import WORDS, narrate_last_action, preview_text


@pytest.mark.parametrize(
    ("texts", "narration"),
    [
        (("bring 2 3", "end"), "Ava's ship 1 now plans 1 ↑, 1 ↑ and 1 ↑. Ship 2 plans 1 ↑, 1 ↑ and 3 ↘."),
        (("sail 1 1",), "Ava plays Move with strength 4. Ship 1 sails ↑ to B1."),
        (("sail 1 1", "sail 2 1"), "Ava's ship 2 sails ↑ to B2 beside its factory."),
        (("sail 1 1", "end"), ""),
        (("load 1 pet", "load 1 pet"), "Ava's ship 1 loads PET from B2."),
        (("analyze 1", "draw pp"), "Ava draws PP from the bag."),
        (("analyze 1", "draw pp", "place pp 2"), "Ava puts PP on B3."),
        (("unload 1 pet R2",), "Ava plays Unload with strength 2. Ava processes PET on R2 (2 of 4)."),
        (("unload 1 pet R2", "end"), "Ava has processed 2 of 16 tokens."),
        (("idle load",), "Ava plays Load without effect."),
    ],
)
def test_each_step_says_what_it_did(texts: tuple[str, ...], narration: str) -> None:
    """Each step says what it did; the end of a turn what it led to."""
    assert narrate_last_action(SAMPLE_POSITION, *texts) == narration


@pytest.mark.parametrize(
    ("texts", "planner_text", "shared_text"),
    [
        (("rotate 1 1 2",), "A die of ship 1 turns from 1 ↑ to 2 ↗.", "Ava plays Plan with strength 5."),
        (("shift 1 1",), "Die 1 ↑ goes from ship 1 to ship 2.", "Ava plays Plan with strength 5."),
        (("shift 1 1", "bring 2 3"), "Ship 2 gets a die: 3 ↘.", ""),
    ],
)
def test_narration_of_plans(texts: tuple[str, ...], planner_text: str, shared_text: str) -> None:
    """Who plans reads of each change; the others read the whole plan at the end of the turn."""
    *earlier, last = texts
    before = act(SAMPLE_POSITION, *earlier)
    assert narration_for(0, before, last) == f"{shared_text} {planner_text}".strip()
    assert narration_for(1, before, last) == narration_for(None, before, last) == shared_text


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("R5:2pet R6:eva", "No line takes PP until R5 and R6 hold two tokens each."),
        ("R5:2pet R6:2eva H1:ps H2:ps", "No line takes PP."),
        ("R5:2pet R6:2eva", ""),
    ],
)
def test_who_loads_reads_that_no_line_takes_the_token(lines: str, text: str) -> None:
    """It stays aboard, and the load can still be undone; the others need not know."""
    position = make_position(make_board("A2", "B2 B3", lines=lines), ocean="B2:pp")
    load_text = "Ava plays Load with strength 3. Ship 1 loads PP from B2."
    assert narration_for(1, position, "load 1 pp") == load_text
    assert narration_for(0, position, "load 1 pp") == f"{load_text} {text}".strip()


def narration_for(viewer: int | None, before: Position, text: str) -> str:
    """Return what a viewer reads of the first seat's action."""
    seat = None if viewer is None else Seat(viewer)
    views = [ARCTIC_CLEANUP.view(each, seat) for each in (before, act(before, text))]
    return WORDS.narrate(views[0], Seat(0), Notation(ARCTIC_CLEANUP).parse(text), views[1], NAMES).text


def test_narration_of_gains() -> None:
    """Blocks and upgraded cards are announcements with their owner."""
    unloads = {block: unload for block, unload in BLOCK_FILLING_UNLOADS.items() if block.value in {"U", "D2"}}
    texts = [
        narrate_last_action(make_unload_position(f"{plastic} -", lines=lines), f"unload 1 {plastic} {line}")
        for lines, plastic, line in unloads.values()
    ]
    assert texts[0].endswith("\nThe hatched lines of Ava are open.")
    assert texts[1].endswith("\nA block is full: Ava gains a die and 5 points.")
    lines, plastic, line = CARD_FLIPPING_UNLOADS[Card.MOVE]
    text = narrate_last_action(
        make_unload_position(f"{plastic} -", lines=lines), f"unload 1 {plastic} {line}"
    )
    assert text.endswith("\nMove of Ava has double strength from the next turn on.")


@pytest.mark.parametrize(
    ("other_lines", "round_number"),
    [("R1:3pa6 R3:4hdpe R4:4ldpe R6:eva", 5), ("", MAX_ROUNDS), ("", 9)],
)
def test_no_upgrade_is_promised_in_a_last_turn(other_lines: str, round_number: int) -> None:
    """Neither the story nor the preview speaks of a next turn where none follows."""
    board = make_board("A2", "B2 B3", cargo="pet -", lines=f"R2:3pet {other_lines}")
    position = make_position(board, round_number=round_number, last_round=9)
    for text in (narrate_last_action(position, "unload 1 pet R2"), preview_text(position, "unload 1 pet R2")):
        assert "R2" in text
        assert "next turn" not in text


def test_narration_of_tokens_on_one_tile() -> None:
    """Both ships lie there: one sentence."""
    position = make_position(
        make_board("A2", "B2 B2", columns="load analyze unload move plan"), bag="2pet,pp"
    )
    assert narrate_last_action(position, "analyze 2", "draw pet,pp") == (
        "Ava draws PET and PP from the bag and puts them on B2."
    )
    with_certain_draw = make_position(
        make_board("A2", "B2 B2", columns="load analyze unload move plan"), bag="2pet"
    )
    assert narrate_last_action(with_certain_draw, "analyze 2") == (
        "Ava plays Analyze with strength 2. Ava draws 2 PET from the bag and puts them on B2."
    ), "who plays is named, though nothing is left to chance"


def test_the_last_site_is_no_choice() -> None:
    """Who builds on the only site left reads why."""
    start = resolve_chance(ARCTIC_CLEANUP.initial_state(2, SEAT_ORDER_OPTIONS))
    assert narrate_last_action(start, "factory A2") == "Ben builds the factory on A2."
    assert narrate_last_action(start, "factory A2", "factory E2") == (
        "Ava builds the factory on E2, the only site left."
    )
