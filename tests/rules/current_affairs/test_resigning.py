"""Resigning: what leaves with a player, in each phase of the game."""

import pytest

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.components import Contract, Region
from rules.current_affairs.events import EndReason, ExtraTurnsBegan, Resigned
from rules.current_affairs.model import Phase, Position
from rules.model import Resign, Seat
from tests.rules.current_affairs.positions import (
    HOST_DRAFTS_FIRST_OPTIONS,
    NAMES,
    act,
    events,
    fill_regions,
    legal_texts,
    make_board,
    make_boards_with_extra_turns,
    make_position,
    parse_trash,
    place_remaining_ships,
    play_draft,
    resign_seat,
    resolve_chance,
    seats_of_next_turns,
    start_extra_turns,
    start_placing,
)

BOARDS = (
    make_board("OKH", "C05:P.A. C08:PP", delivered="C15", restored="EMP", unlocked="wheel"),
    make_board("TAS", "C03"),
    make_board("NEM", "C07"),
    make_board("CLI", "C12"),
)


def test_what_leaves_and_what_stays() -> None:
    """Ship, contracts and their trash leave; restored regions stay (CA31)."""
    position = resign_seat(make_position(*BOARDS, player=1), 0)
    board = position.boards[0]
    assert (board.resigned, board.ship, board.contracts) == (True, None, ())
    assert position.bag == parse_trash("PPPA")
    assert position.discard_pile == (Contract.C05, Contract.C08)
    assert Contract.C15 not in position.discard_pile, "delivered contracts are out of the game"
    assert board.restored_regions == (Region.EMP,)
    assert position.trail == (Resigned(Seat(0)),)
    assert (position.phase, position.to_act) == (Phase.SAIL, 1), "the running turn goes on"


def narrate_resigning(position: Position, seat: int) -> str:
    """Return the narration of a resignation."""
    views = [CURRENT_AFFAIRS.view(each, None) for each in (position, resign_seat(position, seat))]
    return CURRENT_AFFAIRS.words.narrate(views[0], Seat(seat), Resign(), views[1], NAMES).text


def test_the_narration_names_what_leaves() -> None:
    """Only a ship and contracts that were there leave, and contracts may come back from the pile."""
    position = make_position(*BOARDS, player=3)
    assert narrate_resigning(position, 0) == (
        "Ava resigns. The ship leaves the game and the contracts go to the discard pile."
    )
    assert narrate_resigning(position, 1).endswith("and the contract goes to the discard pile.")
    drafting = resolve_chance(fill_regions(CURRENT_AFFAIRS.initial_state(3, HOST_DRAFTS_FIRST_OPTIONS)))
    assert narrate_resigning(drafting, 1) == "Ben resigns."


def test_contracts_come_to_an_empty_market() -> None:
    """The cards that leave fill it when the next port phase begins (CA22)."""
    boards = BOARDS[0], make_board("OKH", "C03", restored="GPP"), BOARDS[2]
    position = resign_seat(make_position(*boards, stacks={"KUR": ""}, player=1, market=""), 0)
    assert position.market == (None, None, None)
    position = act(position, "sail KUR", "reveal C08")
    assert position.market == (Contract.C08, Contract.C05, None)
    assert {"draw C08", "draw C05"} <= set(legal_texts(position))


def test_the_restored_region_stays_restored() -> None:
    """A region that the seat restored cannot be restored again (CA31)."""
    position = make_position(BOARDS[0], make_board("OKH", "C03"), *BOARDS[2:], player=1)
    position = act(resign_seat(position, 0), "sail EMP")
    assert position.boards[1].restored_regions == ()


def test_resigning_in_the_own_turn_passes_it() -> None:
    """Resigning at sea, while collecting or in port passes the turn (CA31)."""
    at_sea = make_position(*BOARDS)
    assert resign_seat(at_sea, 0).to_act == 1
    collecting = act(make_position(make_board("OKH", "C04"), *BOARDS[1:]), "sail KUR")
    assert collecting.phase is Phase.COLLECT
    assert resign_seat(collecting, 0).to_act == 1
    board = make_board("OKH", "C05:PPAR", restored="GPP")
    in_port = act(make_position(board, *BOARDS[1:], stacks={"KUR": ""}), "sail KUR", "deliver C05")
    after_resigning = resign_seat(in_port, 0)
    assert (after_resigning.phase, after_resigning.to_act) == (Phase.SAIL, 1)


@pytest.mark.parametrize("resigned_seat", range(4))
@pytest.mark.parametrize("starter", range(4))
def test_a_round_ends_with_the_last_seat_still_playing(resigned_seat: int, starter: int) -> None:
    """A round ends with the last seat still playing (CA31)."""
    boards = [make_board(ship) for ship in ("OKH", "TAS", "NEM", "CLI")]
    position = resign_seat(make_position(*boards, player=starter, starter=starter), resigned_seat)
    order = [seat for step in range(4) if (seat := (starter + step) % 4) != resigned_seat]
    assert seats_of_next_turns(position, 6) == order * 2


def test_the_end_stays_triggered_when_its_player_leaves() -> None:
    """The end stays triggered if the player who triggered it leaves (CA31)."""
    position = make_position(*BOARDS, player=1, end_reason=EndReason.CONTRACTS_DELIVERED)
    position = resign_seat(position, 0)
    assert position.end_reason is EndReason.CONTRACTS_DELIVERED
    assert seats_of_next_turns(position, 9) == [1, 2, 3]


def test_what_was_reached_in_the_running_turn_triggers() -> None:
    """Five deliveries trigger the end although their player leaves before the turn is over (CA26, CA31)."""
    board = make_board("OKH", "C05:PPAR", delivered="C15 C16 C17 C18", restored="GPP")
    in_port = act(make_position(board, *BOARDS[1:], stacks={"KUR": ""}), "sail KUR", "deliver C05")
    position = resign_seat(in_port, 0)
    assert position.end_reason is EndReason.CONTRACTS_DELIVERED
    assert narrate_resigning(in_port, 0).endswith(
        "\nAva has delivered five contracts. This round is the last."
    )
    assert seats_of_next_turns(position, 9) == [1, 2, 3]


def test_the_narration_of_the_end_counts_all_delivered_contracts() -> None:
    """A port takes two contracts at once, so the one that triggers the end may be the sixth."""
    board = make_board("OKH", "C05:PPAR C01:AR", delivered="C15 C16 C17 C18", restored="GPP")
    at_sea = make_position(board, *BOARDS[1:], stacks={"KUR": ""})
    in_port = act(at_sea, "sail KUR", "deliver C05", "deliver C01")
    assert narrate_resigning(in_port, 0).endswith(
        "\nAva has delivered six contracts. This round is the last."
    )


def test_a_seat_that_resigned_gets_no_extra_turn() -> None:
    """A seat that resigned gets no extra turn, before or while they are taken (CA31)."""
    position = make_position(
        *make_boards_with_extra_turns(), player=1, end_reason=EndReason.HABITATS_RESTORED
    )
    assert seats_of_next_turns(resign_seat(position, 2), 9) == [1, 0]
    in_extra_turn = start_extra_turns(make_position(*make_boards_with_extra_turns()), 2)
    assert resign_seat(in_extra_turn, 2).extra_turn_queue == ()
    after_running_seat_resigned = resign_seat(in_extra_turn, 0)
    assert after_running_seat_resigned.to_act == 2
    in_last_turn = make_position(
        *make_boards_with_extra_turns(), player=1, starter=2, end_reason=EndReason.HABITATS_RESTORED
    )
    after = resign_seat(in_last_turn, 1)
    assert events(after, ExtraTurnsBegan) == [ExtraTurnsBegan((Seat(2), Seat(0)))]


def test_picks_of_a_seat_that_resigned_are_skipped() -> None:
    """Its picks are skipped, and a card left over goes to the discard pile (CA31)."""
    position = fill_regions(CURRENT_AFFAIRS.initial_state(4, CURRENT_AFFAIRS.options_type()))
    position = act(position, "begin A", "deal C01,C02,C03,C04", "pick C01")
    position = resign_seat(position, 1)
    assert position.to_act == 2
    position = act(position, "pick C02", "pick C03")
    assert position.discard_pile == (Contract.C04,)
    position = resolve_chance(position)
    assert len(position.draft_contracts) == 3
    order = []
    while position.phase is Phase.DRAFT:
        assert position.to_act is not None
        order.append(int(position.to_act))
        position = act(position, legal_texts(position)[0])
    assert order == [3, 2, 0]
    assert resolve_chance(position).phase is Phase.PLACE


def test_the_next_deal_follows_if_the_last_drafter_resigns() -> None:
    """If the last drafter of a round resigns, the next deal comes (CA31)."""
    position = fill_regions(CURRENT_AFFAIRS.initial_state(4, CURRENT_AFFAIRS.options_type()))
    position = act(position, "begin A", "deal C01,C02,C03,C04", "pick C01", "pick C02", "pick C03")
    position = resign_seat(position, 3)
    assert position.phase is Phase.DEAL
    assert position.discard_pile == (Contract.C04,)


def test_the_next_seat_places_its_ship_after_a_resignation() -> None:
    """If the seat to place leaves, the next one places; if another one does, it is passed over (CA31)."""
    position = start_placing("C14 C02", "C08 C09", "C15 C16")
    assert resign_seat(position, 0).to_act == 1
    position = resign_seat(position, 1)
    assert position.to_act == 0
    position = place_remaining_ships(position)
    assert (position.round, position.to_act) == (1, 0)


def test_first_trash_stays_if_its_seat_resigns() -> None:
    """The trash stays, the next seat places (CA31)."""
    position = act(start_placing("C14 C02", "C08 C09", "C15 C16", KUR="PPA"), "place KUR")
    assert position.phase is Phase.COLLECT
    position = resign_seat(position, 0)
    assert (position.phase, position.to_act) == (Phase.PLACE, 1)
    assert "place KUR" in legal_texts(position)


def test_the_next_seat_begins_if_the_starter_leaves_before_placing() -> None:
    """The round begins with the next seat (CA31)."""
    position = start_placing("C08 C09", "C15 C16", "C14 C02")
    assert position.starter == 2
    position = resign_seat(position, 2)
    position = place_remaining_ships(position)
    assert (position.round, position.to_act) == (1, 0)


def test_the_best_contract_left_starts_after_a_resignation() -> None:
    """The seat with the best contract left starts (CA31)."""
    position = play_draft("C08 C09", "C14 C02", "C15 C16")
    position = resolve_chance(resign_seat(position, 1))
    assert position.starter == 0
    assert list(position.waiting_seats) == [0, 2]


def test_those_who_left_are_last() -> None:
    """Whatever their points; they share that rank (CA31)."""
    boards = (
        make_board("OKH", delivered="C14 C05"),
        make_board("TAS"),
        make_board("NEM", delivered="C15"),
        make_board("CLI", delivered="C07"),
    )
    position = resign_seat(resign_seat(make_position(*boards, player=1), 0), 3)
    assert position.to_act == 1
    position = resign_seat(position, 1)
    assert (position.phase, position.to_act) == (Phase.OVER, None)
    standings = CURRENT_AFFAIRS.returns(position).standings
    assert {each.seat: each.rank for each in standings} == {2: 1, 0: 2, 1: 2, 3: 2}


def test_the_game_goes_on_with_two_and_ends_with_one() -> None:
    """With two players left the game goes on; the last one left wins (CA31)."""
    position = resign_seat(make_position(*BOARDS[:3], player=1), 0)
    assert seats_of_next_turns(position, 4) == [1, 2, 1, 2]
    ended_position = resign_seat(position, 1)
    assert CURRENT_AFFAIRS.returns(ended_position).winners == (2,)
