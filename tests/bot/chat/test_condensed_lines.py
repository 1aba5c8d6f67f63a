"""Stories without ceremony, and with what a player does several times in a row in one line."""

from collections.abc import Callable

import pytest

from bot.chat.condensed_lines import condense
from rules.model import CHANCE, Names, Seat
from rules.record import LogLine
from tests.bot.chat.narrated_text import log_line

BEN = Seat(1)
NAMES = ("Ava", "Ben")


def _condensed_texts(
    *lines: str | LogLine, names_at: Callable[[int], Names] = lambda index: NAMES
) -> list[str]:
    """Return the condensed texts of lines, those given as texts being Ben's."""
    log_lines = [log_line(i, BEN, line) if isinstance(line, str) else line for i, line in enumerate(lines)]
    return [line.text for line in condense(log_lines, names_at)]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["Ben discards Speed 7.", "Ben discards Inking 7."], "Ben discards Speed 7 and Inking 7."),
        (
            [
                "Ben plays Move. Ship 1 sails ↓ to D2.",
                "Ben's ship 1 sails ↙ to C4.",
                "Ben's ship 1 sails ↓ to C5.",
            ],
            "Ben plays Move. Ship 1 sails ↓ to D2, ↙ to C4 and ↓ to C5.",
        ),
        (["Ship 1 loads PP from B2.", "Ben's ship 1 loads PS from B2."], "Ship 1 loads PP and PS from B2."),
        (
            ["Ship 1 loads PP from B2.", "Ben's ship 1 loads PS from B3."],
            "Ship 1 loads PP from B2 and PS from B3.",
        ),
        (
            [
                "Ben processes PP on R1 (1 of 4).",
                "Ben processes PP on R1 (2 of 4).",
                "Ben processes PP on R1 (3 of 4).",
            ],
            "Ben processes PP on R1 (1, 2 and 3 of 4).",
        ),
        (
            [
                "Ben processes PP on R1 (1 of 2).",
                "Ben processes PP on R1 (2 of 2).",
                "Ben processes PS on R2 (1 of 3).",
                "Ben processes PS on R3 (1 of 3).",
            ],
            "Ben processes PP on R1 (1 and 2 of 2), PS on R2 (1 of 3) and PS on R3 (1 of 3).",
        ),
        (
            ["Ben evolves B1 with Speed 7.", "Ben evolves B1 with Inking 7."],
            "Ben evolves B1 with Speed 7 and Inking 7.",
        ),
        (
            ["Ben evolves B1 with Speed 7.", "Ben evolves B2 with Inking 7."],
            "Ben evolves B1 with Speed 7 and B2 with Inking 7.",
        ),
        (["Ben discards Speed 7.", "Ben discards Speed 7."], "Ben discards Speed 7 and Speed 7."),
        (
            ["Ship 1 loads PS from B2.", "Ben's ship 1 loads PP from B2.", "Ben's ship 1 loads PS from B2."],
            "Ship 1 loads 2 PS and PP from B2.",
        ),
        (
            ["Ship 1 loads PS from B2.", "Ben's ship 1 loads PS from B2.", "Ben's ship 1 loads PS from B3."],
            "Ship 1 loads 2 PS from B2 and PS from B3.",
        ),
        (
            [
                "Ben plays Load. Ship 2 loads PP from D1.",
                "Ben's ship 1 loads PET from D1.",
                "Ben's ship 2 loads PS from D1.",
                "Ben's ship 1 loads PET from D1. It is full.",
            ],
            "Ben plays Load. Ship 2 loads PP and PS from D1.\nBen's ship 1 loads 2 PET from D1. It is full.",
        ),
        (
            ["Ben's B1 feeds again: it takes 1."] * 2 + ["Ben's B1 feeds again: it takes 1. Ben scores 4."],
            "Ben's B1 feeds again: it takes 1 (three times). Ben scores 4.",
        ),
        (
            ["Ben's B1 also attacks A1. B2 gains 2."] * 2,
            "Twice: Ben's B1 also attacks A1. B2 gains 2.",
        ),
        (
            [
                *["Ben's B1 attacks A1. B2 gains 2.", "Ben's B1 also attacks A1. B2 gains 2."],
                "Ben's B1 also attacks A1. B2 gains 2.",
                "Ben's B1 also attacks A1. B2 gains 2.\nIt ends.",
            ],
            "Ben's B1 attacks A1. B2 gains 2.\nThree times: Ben's B1 also attacks A1. B2 gains 2.\nIt ends.",
        ),
        (
            ["Ben processes PP on R1.", "Ben processes PP on R2. It is full.\nBen gains a die."],
            "Ben processes PP on R1 and PP on R2. It is full.\nBen gains a die.",
        ),
        (
            ["Ben discards Speed 7.", "Ben ends the turn.", "Ben draws one."],
            "Ben discards Speed 7.\nBen draws one.",
        ),
    ],
)
def test_what_is_done_in_a_row_is_one_line(lines: list[str], text: str) -> None:
    """Objects of one verb are listed, equal lines, shared pieces and places told once; the rest stays."""
    assert "\n".join(_condensed_texts(*lines)) == text


@pytest.mark.parametrize(
    "lines",
    [
        ["Ben discards Speed 7 and pays 1.", "Ben discards Inking 7."],
        ["Ben discards Speed 7.", "Ben discards Inking 7: nothing is left to migrate."],
        ["Ben discards Speed 7.\nRound 2 begins.", "Ben discards Inking 7."],
        ["Ben discards Inking 7. Ava gains 2.", "Ben discards Whale 5."],
        ["Ben's ship 1 sails ↓ to D2.", "Ben's ship 2 sails ↓ to D2."],
        ["Ava discards Speed 7.", log_line(1, CHANCE, "Ava discards Inking 7.")],
        ["Ben discards Speed 7.", "Ben discards Kraken 5 from the Gene Pool."],
        ["Ben discards Speed 7.", "Ben discards Inking 7, the last one."],
        ["Ben discards Speed 7.", "Ben discards Ink…"],
        ["Ben discards Speed 7.", log_line(1, BEN, "Ben discards Inking 7.", is_routine=True)],
        ["Ben draws two cards.", "Ben draws one card."],
        ["Ben discards Speed 7.", log_line(1, CHANCE, "Ava discards Inking 7."), "Ben discards Ink 8."],
        ["Ben's ship 1 loads PP from B2.", "Ben waits.", "Ben's ship 1 loads PS from B2."],
        ["Ben draws two cards. It ends.", "Ben draws two cards."],
        ["Ben's B1 attacks A1. B2 gains 2.", "Ben's B1 attacks A1. B2 gains 2. Ben scores 4."],
        ["Ben's B1 attacks A1. B2 gains 2.\nIt ends.", "Ben's B1 attacks A1. B2 gains 2."],
        ["Ben's B1 attacks A1. It gains 2.", "A1 dies out.", "Ben's B1 attacks A1. It gains 2."],
    ],
)
def test_what_differs_in_more_stays_apart(lines: list[str | LogLine]) -> None:
    """Lines that say more than what was done, or that are of another player or another ship."""
    assert _condensed_texts(*lines) == [line if isinstance(line, str) else line.text for line in lines]


def test_a_change_of_players_ends_a_list() -> None:
    """What Ben does after a computer player has begun his turn is narrated as his own."""
    computer = "Ben (computer)"
    move, step = f"{computer} plays Move. Ship 1 sails ↓ to D2.", "ship 1 sails ↙ to C4."
    names_at = [("Ava", computer), ("Ava", "Ben")].__getitem__
    assert _condensed_texts(move, f"Ben's {step}", names_at=names_at) == [move, f"Ben's {step}"]
    texts = _condensed_texts(move, f"{computer}'s {step}", names_at=lambda index: ("Ava", computer))
    assert texts == [f"{computer} plays Move. Ship 1 sails ↓ to D2 and ↙ to C4."]


def test_a_list_ends_where_its_line_goes_on() -> None:
    """What happened after the second discard stands before the third one."""
    lines = ["Ben discards A 1.", "Ben discards B 2. Ava discards C 3."]
    joined_text = "Ben discards A 1 and B 2. Ava discards C 3."
    for next_line in ("Ava discards D 4.", lines[1]):
        assert _condensed_texts(*lines, next_line) == [joined_text, next_line]


def test_ceremony_stays_where_nothing_else_is_left() -> None:
    """A turn in which a player only ends it has a story."""
    assert _condensed_texts("Ben ends the turn.") == ["Ben ends the turn."]
    assert _condensed_texts("Ben waits.", "Ben ends the turn.") == ["Ben waits."]
    with_announcement = "Ben ends the turn.\nThis round is the last."
    assert _condensed_texts("Ben waits.", with_announcement) == ["Ben waits.", with_announcement]


def test_only_lines_of_one_part_become_one() -> None:
    """A part of a story has its own lines, each with all whom its records affected."""
    lines = [
        log_line(i, BEN, f"Ben discards Speed {i}.", affected_seats=frozenset({Seat(i // 2)}))
        for i in range(4)
    ]
    condensed_lines = condense(lines, lambda index: NAMES, lambda line: line.affected_seats)
    assert [line.text for line in condensed_lines] == [
        "Ben discards Speed 0 and Speed 1.",
        "Ben discards Speed 2 and Speed 3.",
    ]
    assert [line.index for line in condensed_lines] == [0, 2]
    (line,) = condense(lines, lambda index: NAMES)
    assert line.affected_seats == {Seat(0), Seat(1)}
