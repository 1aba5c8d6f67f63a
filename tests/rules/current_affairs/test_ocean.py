"""The ocean phase: collecting, the crane, restoring habitats."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from rules.current_affairs.boards import stack_of
from rules.current_affairs.components import Animal, Contract, Region, Trash
from rules.current_affairs.events import Collected, HabitatRestored, NothingCollected, Sailed
from rules.current_affairs.model import Phase, PlayerBoard, Position
from rules.model import Seat
from tests.rules.current_affairs.positions import (
    FAR_BOARDS,
    act,
    events,
    legal_texts,
    make_board,
    make_position,
    parse_trash,
    start_extra_turns,
    trail_types,
)


def make_sea_position(board: PlayerBoard, **stacks: str) -> Position:
    """Return the first seat's turn to sail, the other ships far away."""
    return make_position(board, *FAR_BOARDS, stacks=stacks)


def slots_of(position: Position, contract: str, seat: int = 0) -> str:
    """Return the trash on a contract, slot by slot."""
    held = next(each for each in position.boards[seat].contracts if each.contract is Contract(contract))
    return "".join("." if trash is None else trash.value for trash in held.slots)


# Collecting ------------------------------------------------------------------------------------------


def test_plastic_on_plastic_or_any_but_not_aluminium() -> None:
    """The rulebook's example: blue trash goes on the blue icon or on a question mark (CA7)."""
    position = act(make_sea_position(make_board("OKH", "C04"), EMP="NP"), "sail EMP")
    assert position.phase is Phase.COLLECT
    assert legal_texts(position) == ["collect P C04 no", "collect P C04 yes"]
    assert slots_of(act(position, "collect P C04 no"), "C04") == "P..."
    assert slots_of(act(position, "collect P C04 yes"), "C04") == "...P"


def test_any_trash_goes_on_a_question_mark() -> None:
    """The only place is taken without asking."""
    position = act(make_sea_position(make_board("OKH", "C04"), EMP="PR"), "sail EMP")
    assert slots_of(position, "C04") == "...R"
    assert stack_of(position, Region.EMP) == (Trash.PLASTIC,)
    assert events(position, Collected) == [
        Collected(Seat(0), Region.EMP, Trash.RUBBER, Contract.C04, 3, is_second_token=False)
    ]
    assert position.to_act == 1


def test_equal_slots_fill_from_the_left() -> None:
    """Equal slots of a contract are one choice: the leftmost is filled (CA7)."""
    position = act(make_sea_position(make_board("OKH", "C03:P.."), EMP="PP"), "sail EMP")
    assert slots_of(position, "C03") == "PP."
    wild_slot_position = act(make_sea_position(make_board("OKH", "C26:N..."), EMP="PP"), "sail EMP")
    assert slots_of(wild_slot_position, "C26") == "N.P."


def test_contract_and_slot_by_choice() -> None:
    """Both contracts, a slot of the kind or any (CA7)."""
    position = act(make_sea_position(make_board("OKH", "C04 C09"), EMP="P"), "sail EMP")
    assert legal_texts(position) == [
        "collect P C04 no",
        "collect P C04 yes",
        "collect P C09 no",
        "collect P C09 yes",
    ]


def test_trash_that_fits_must_be_taken() -> None:
    """Trash on top that fits cannot be left (CA7)."""
    one_fitting_position = act(make_sea_position(make_board("OKH", "C03"), EMP="PP"), "sail EMP")
    assert slots_of(one_fitting_position, "C03") == "P.."
    two_fitting_position = act(make_sea_position(make_board("OKH", "C04 C03"), EMP="PP"), "sail EMP")
    assert "skip" not in legal_texts(two_fitting_position)


def test_trash_stays_where_it_was_put() -> None:
    """No action moves trash from slot to slot (CA8)."""
    position = act(make_sea_position(make_board("OKH", "C04"), EMP="PP"), "sail EMP", "collect P C04 yes")
    assert slots_of(position, "C04") == "...P"
    later_position = make_position(make_board("EMP", "C04:...P"), *FAR_BOARDS, stacks={"GPP": "PP"})
    assert all(text.startswith("sail ") for text in legal_texts(later_position))
    assert slots_of(act(later_position, "sail GPP"), "C04") == "P..P"


@pytest.mark.parametrize(
    ("contracts", "stack"),
    [("C03", "PN"), ("C03:PPP", "PP"), ("", "PP"), ("C01:A.", "RA"), ("C04", "")],
)
def test_nothing_is_taken_if_nothing_fits_or_nothing_is_there(contracts: str, stack: str) -> None:
    """Nobody is asked, and the turn passes to the next player (CA41)."""
    position = act(make_sea_position(make_board("OKH", contracts, restored="BER"), EMP=stack), "sail EMP")
    assert trail_types(position) == [Sailed, NothingCollected]
    assert stack_of(position, Region.EMP) == parse_trash(stack)
    assert position.to_act == 1


def test_the_port_opens_though_nothing_fits() -> None:
    """The port phase is open all the same (CA41)."""
    position = act(make_sea_position(make_board("OKH", "C03:PPP"), KUR="PN"), "sail KUR")
    assert (position.phase, position.to_act) == (Phase.PORT, 0)
    assert "deliver C03" in legal_texts(position)


# The crane -------------------------------------------------------------------------------------------

WITH_CRANE: Final[Mapping[str, Any]] = {"unlocked": "crane"}


@pytest.mark.parametrize(
    ("contracts", "stack", "choices"),
    [
        ("C03 C01", "GNPA", ["collect A C01 no", "collect P C03 no"]),  # both fit
        ("C03", "GNP", None),  # only the top fits: it is taken
        ("C03", "GPN", ["collect P C03 no", "skip"]),  # only the second fits
        ("C03", "P", None),  # one token left
        ("C03", "NPPP", None),  # both are alike
        ("C03", "PNG", None),  # the third is out of reach
    ],
)
def test_a_crane_reaches_the_second_token(contracts: str, stack: str, choices: list[str] | None) -> None:
    """First or second of the stack, at most one; the second alone may be left (CA10)."""
    position = act(make_sea_position(make_board("OKH", contracts, **WITH_CRANE), EMP=stack), "sail EMP")
    if choices is None:
        assert position.to_act == 1
        return
    assert legal_texts(position) == choices


def test_crane_takes_the_second() -> None:
    """The crane takes the second token; the first stays on top (CA10)."""
    position = act(
        make_sea_position(make_board("OKH", "C03", **WITH_CRANE), EMP="GPN"), "sail EMP", "collect P C03 no"
    )
    assert stack_of(position, Region.EMP) == parse_trash("GN")
    assert [event.is_second_token for event in events(position, Collected)] == [True]


def test_crane_may_leave_the_second() -> None:
    """A token that only the crane reaches may be left (CA10)."""
    position = act(make_sea_position(make_board("OKH", "C03", **WITH_CRANE), EMP="GPN"), "sail EMP", "skip")
    assert stack_of(position, Region.EMP) == parse_trash("GPN")
    assert trail_types(position) == [NothingCollected]
    assert position.to_act == 1


def test_without_a_crane_the_second_is_out_of_reach() -> None:
    """Without a crane only the token on top can be taken (CA10)."""
    position = act(make_sea_position(make_board("OKH", "C03"), EMP="GPN"), "sail EMP")
    assert stack_of(position, Region.EMP) == parse_trash("GPN")


# Habitats --------------------------------------------------------------------------------------------


def test_last_trash_restores() -> None:
    """With the animal still on the board, at once and by itself (CA13, CA15)."""
    position = act(make_sea_position(make_board("OKH", "C03"), EMP="P"), "sail EMP")
    assert position.boards[0].restored_regions == (Region.EMP,)
    assert events(position, HabitatRestored) == [HabitatRestored(Seat(0), Region.EMP, Animal.ALBATROSS)]
    assert trail_types(position) == [Sailed, Collected, HabitatRestored]


def test_a_token_left_restores_nothing() -> None:
    """A region with a token left is not restored."""
    position = act(make_sea_position(make_board("OKH", "C03"), EMP="PP"), "sail EMP")
    assert position.boards[0].restored_regions == ()


def test_last_trash_restores_nothing_without_the_animal() -> None:
    """Each animal is restored once by a player (CA11, CA13)."""
    position = act(make_sea_position(make_board("OKH", "C03", restored="BER"), EMP="P"), "sail EMP")
    assert position.boards[0].restored_regions == (Region.BER,)
    assert not events(position, HabitatRestored)
    assert stack_of(position, Region.EMP) == ()


def test_a_ship_that_stops_in_an_empty_region_restores_it() -> None:
    """A player who stops in an empty region restores its habitat (CA12)."""
    position = act(make_sea_position(make_board("OKH", "C03"), EMP=""), "sail EMP")
    assert trail_types(position) == [Sailed, NothingCollected, HabitatRestored]
    assert position.boards[0].restored_regions == (Region.EMP,)


def test_a_region_is_restored_once() -> None:
    """Ships that come later gain nothing (CA13)."""
    other = make_board("TAS", restored="EMP")
    position = act(make_position(make_board("OKH", "C03"), other, FAR_BOARDS[1]), "sail EMP")
    assert position.boards[0].restored_regions == ()


def test_any_region_of_the_animal_counts() -> None:
    """Any region of an animal counts for any player: regions have no owners (CA14)."""
    for region, start in (("BER", "ALA"), ("EMP", "OKH"), ("CHA", "TAS"), ("NEM", "CHA")):
        far_boards = make_board("HAW"), make_board("PHI")
        position = make_position(make_board(start, "C03"), *far_boards, stacks={region: "P"})
        assert act(position, f"sail {region}").boards[0].restored_regions == (Region(region),)


def test_a_ship_that_lies_there_must_come_again() -> None:
    """A shared region that is emptied restores nothing for a ship already there (CA12)."""
    lying_board = make_board("EMP", "C03", unlocked="share-space")
    emptying_board = make_board("OKH", "C03", restored="BER", unlocked="share-space")
    position = make_position(emptying_board, lying_board, make_board("NEM", "C07"), stacks={"EMP": "P"})
    position = act(position, "sail EMP")
    assert position.boards[1].restored_regions == ()
    assert position.to_act == 1
    after_sailing_away = act(position, "sail GPP")
    assert after_sailing_away.boards[1].restored_regions == ()
    returning_position = make_position(
        make_board("OKH", restored="BER"), make_board("BER"), FAR_BOARDS[1], stacks={"EMP": ""}, player=1
    )
    assert act(returning_position, "sail EMP").boards[1].restored_regions == (Region.EMP,)


def test_crane_restores_by_the_last_token_only() -> None:
    """Taking the second of two tokens leaves one, so nothing is restored."""
    position = make_sea_position(make_board("OKH", "C03", **WITH_CRANE), EMP="PN")
    position = act(position, "sail EMP", "collect P C03 no")
    assert position.boards[0].restored_regions == ()


def test_an_extra_turn_is_a_whole_turn() -> None:
    """Move, collect, restore: all of it counts (CA27)."""
    position = start_extra_turns(make_sea_position(make_board("OKH", "C03", unlocked="extra-turn"), EMP="P"))
    ended_position = act(position, "sail EMP")
    assert ended_position.boards[0].restored_regions == (Region.EMP,)
    assert ended_position.phase is Phase.OVER
