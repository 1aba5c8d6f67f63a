"""The end: triggers, equal turns, extra turns, points, ties."""

from typing import Any, Final

import pytest
from msgspec.structs import replace

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.components import MAX_ROUNDS, REGIONS, Animal, Upgrade
from rules.current_affairs.ending import (
    TIE_BREAK_LABEL,
    UpgradeUse,
    has_later_turn,
    returns,
    score_lines,
    seat_after_turn,
    upgrade_use,
)
from rules.current_affairs.events import EndReason, EndTriggered, ExtraTurnsBegan
from rules.current_affairs.model import Phase, PlayerBoard, Position
from rules.model import ScoreLine, Seat, Standing
from tests.rules.current_affairs.positions import (
    act,
    events,
    make_board,
    make_boards_with_extra_turns,
    make_position,
    resolve_chance,
    seats_of_next_turns,
    start_extra_turns,
)

FOUR_CONTRACTS = "C15 C16 C17 C18"
FIVE_CONTRACTS = f"{FOUR_CONTRACTS} C19"
FOUR_HABITATS = "BER TAH KUR LIN"
"""Without a seal."""


def make_boards(first_board: PlayerBoard, *, seat_count: int = 3) -> tuple[PlayerBoard, ...]:
    """Return the boards of a table, the others far away and without contracts."""
    ships = ("TAS", "NEM", "GAL", "CLI")
    return (first_board, *(make_board(ship) for ship in ships[: seat_count - 1]))


# Triggers --------------------------------------------------------------------------------------------


def test_the_fifth_contract_triggers_the_end() -> None:
    """The fifth delivery triggers the end, when the turn is over (CA26)."""
    board = make_board("OKH", "C05:PPAR", delivered=FOUR_CONTRACTS, restored="GPP")
    position = make_position(*make_boards(board), stacks={"KUR": ""})
    position = act(position, "sail KUR", "deliver C05")
    assert position.end_reason is None
    position = resolve_chance(act(position, "draw C01"))
    position = resolve_chance(act(position, "draw C02"))
    assert position.end_reason is EndReason.CONTRACTS_DELIVERED
    assert events(position, EndTriggered) == [EndTriggered(EndReason.CONTRACTS_DELIVERED, Seat(0))]
    assert seats_of_next_turns(position, 5) == [1, 2]


def test_the_fifth_habitat_triggers_the_end() -> None:
    """The fifth habitat, in the middle of a round (CA26)."""
    boards = make_board("CLI"), make_board("GPP", "C03", restored=FOUR_HABITATS), make_board("NEM")
    position = act(make_position(*boards, stacks={"CAL": "P"}, player=1), "sail CAL")
    assert (position.phase, position.end_reason) == (Phase.PORT, None), "not before the turn is over"
    position = act(position, "end")
    assert len(position.boards[1].restored_regions) == 5
    assert events(position, EndTriggered) == [EndTriggered(EndReason.HABITATS_RESTORED, Seat(1))]
    assert seats_of_next_turns(position, 5) == [2], "the starter has had its turn"


def test_a_trigger_by_the_last_seat_ends_the_game() -> None:
    """A trigger by the last seat of a round leaves no more regular turns (CA26)."""
    board = make_board("GPP", "C03", restored=FOUR_HABITATS)
    boards = make_board("CLI"), make_board("NEM"), board
    position = make_position(*boards, stacks={"CAL": "P"}, player=2, starter=0)
    ended_position = act(position, "sail CAL", "end")
    assert (ended_position.phase, ended_position.to_act) == (Phase.OVER, None)


@pytest.mark.parametrize("starter", range(4))
@pytest.mark.parametrize("player", range(4))
def test_the_last_turn_is_of_the_seat_before_the_starter(starter: int, player: int) -> None:
    """The last seat is the one before the starter (CA26)."""
    boards = [make_board(ship) for ship in ("OKH", "TAS", "NEM", "CLI")]
    position = make_position(
        *boards, player=player, starter=starter, end_reason=EndReason.CONTRACTS_DELIVERED
    )
    order = [(starter + step) % 4 for step in range(4)]
    assert seats_of_next_turns(position, 9) == order[order.index(player) :]


def test_what_happens_in_the_last_round_counts() -> None:
    """Deliveries and habitats of the others too; the trigger stands (CA26)."""
    other = make_board("OKH", "C05:PPAR", delivered=FOUR_CONTRACTS, restored="GPP")
    boards = make_board("NEM", delivered=FIVE_CONTRACTS), make_board("TAS"), other
    position = make_position(*boards, stacks={"KUR": ""}, player=2, end_reason=EndReason.CONTRACTS_DELIVERED)
    position = act(position, "sail KUR", "deliver C05", "draw C01")
    position = resolve_chance(act(resolve_chance(position), "draw C02"))
    assert position.phase is Phase.OVER
    assert not events(position, EndTriggered), "it was triggered before"
    assert len(position.boards[2].delivered_contracts) == 5


def test_the_game_ends_after_round_40() -> None:
    """The end of round 40 is the end; round 39 is not (CA25)."""
    boards = make_board("OKH"), make_board("TAS"), make_board("NEM")
    in_round_40 = make_position(*boards, player=2, round_number=MAX_ROUNDS)
    ended_position = act(in_round_40, "sail CHA")
    assert ended_position.phase is Phase.OVER
    assert events(ended_position, EndTriggered) == [EndTriggered(EndReason.ROUND_LIMIT, None)]
    after_round_39 = act(make_position(*boards, player=2, round_number=MAX_ROUNDS - 1), "sail CHA")
    assert (after_round_39.round, after_round_39.to_act) == (MAX_ROUNDS, 0)
    assert MAX_ROUNDS == 40


def test_the_running_extra_turn_is_the_last_one() -> None:
    """Nothing that its player unlocks brings a later turn, whatever was unlocked before (CA27)."""
    board = make_board("OKH", unlocked="extra-turn")
    position = start_extra_turns(make_position(board, make_board("TAS"), make_board("NEM")))
    assert not has_later_turn(position)
    for unused_unlock_count in (1, 2):
        unlocking_position = replace(position, unused_unlock_count=unused_unlock_count)
        uses = {upgrade_use(unlocking_position, upgrade) for upgrade in Upgrade}
        assert uses == {UpgradeUse.NONE}


# No trash --------------------------------------------------------------------------------------------

REGIONS_BY_ANIMAL: Final = {
    animal: [region.value for region, facts in REGIONS.items() if facts.animal is animal] for animal in Animal
}


def make_position_without_trash(
    *boards: PlayerBoard, round_number: int = 9, trash_ran_out_round: int | None = 9, player: int = 0
) -> Position:
    """Return a position whose regions are empty."""
    return make_position(
        *boards,
        other_stacks="",
        round_number=round_number,
        trash_ran_out_round=trash_ran_out_round,
        player=player,
    )


def test_the_game_goes_on_without_trash_while_something_is_to_gain() -> None:
    """The game goes on: an animal can still be restored (CA24)."""
    boards = make_board("KUR", "C03", restored="ALA OKH"), make_board("TAS"), make_board("NEM")
    position = make_position(*boards, stacks={"EMP": "PP"}, other_stacks="")
    assert act(position, "sail EMP").trash_ran_out_round is None
    position = act(make_position(*boards, stacks={"EMP": "P"}, other_stacks="", round_number=7), "sail EMP")
    assert position.trash_ran_out_round == 7
    assert position.end_reason is None
    assert position.to_act == 1


def make_boards_with_all_restored(*contracts: str) -> list[PlayerBoard]:
    """Return five boards that share all habitats: four each, player 0 without a seal, and so on."""
    ships = ("KUR", "TAS", "LIN", "CLI", "ALA")
    boards = []
    for player, (ship, contract) in enumerate(zip(ships, contracts, strict=True)):
        restored_regions = [
            REGIONS_BY_ANIMAL[animal][player - (player > animal_index)]
            for animal_index, animal in enumerate(Animal)
            if animal_index != player
        ]
        boards.append(make_board(ship, contract, restored=" ".join(restored_regions)))
    return boards


@pytest.mark.parametrize(
    ("contracts", "end_reason"),
    [(("C03", "C04", "", "", ""), EndReason.NO_TRASH), (("C03", "C08:PP", "", "", ""), None)],
)
def test_the_round_with_nothing_left_to_gain_is_the_last(
    contracts: tuple[str, ...], end_reason: EndReason | None
) -> None:
    """No complete contract, and no animal of an unrestored region: the round is the last (CA24)."""
    boards = make_boards_with_all_restored(*contracts)
    position = act(make_position_without_trash(*boards, round_number=10), "sail EMP")
    assert position.end_reason is end_reason
    assert position.to_act == 1
    if end_reason is not None:
        assert events(position, EndTriggered) == [EndTriggered(EndReason.NO_TRASH, None)]


def test_the_game_goes_on_while_an_animal_is_left_to_restore() -> None:
    """While an unrestored region has an animal that somebody still has, the game goes on (CA24)."""
    boards = make_boards_with_all_restored("C03", "", "", "", "")
    boards[4] = replace(boards[4], restored_regions=boards[4].restored_regions[1:])
    assert act(make_position_without_trash(*boards, round_number=10), "sail EMP").end_reason is None


def test_the_third_round_after_the_trash_ran_out_is_the_last() -> None:
    """The third round after the one in which the trash ran out is the last (CA24)."""
    boards = make_board("OKH"), make_board("TAS"), make_board("NEM")
    position_before_end = act(make_position_without_trash(*boards, round_number=11, player=2), "sail CHA")
    assert (position_before_end.phase, position_before_end.round) == (Phase.SAIL, 12)
    ended_position = act(make_position_without_trash(*boards, round_number=12, player=2), "sail CHA")
    assert ended_position.phase is Phase.OVER
    assert events(ended_position, EndTriggered) == [EndTriggered(EndReason.NO_TRASH, None)]


# Extra turns -----------------------------------------------------------------------------------------


def test_extra_turns_in_turn_order() -> None:
    """After the last round, from the starter on (CA27)."""
    position = make_position(
        *make_boards_with_extra_turns(), player=1, starter=2, end_reason=EndReason.HABITATS_RESTORED
    )
    after = act(position, "sail CHA")
    assert events(after, ExtraTurnsBegan) == [ExtraTurnsBegan((Seat(2), Seat(0)))]
    assert seats_of_next_turns(position, 9) == [1, 2, 0]


def test_extra_turns_after_the_round_limit() -> None:
    """Extra turns also follow when the game ends by the limit of rounds (CA27)."""
    position = make_position(*make_boards_with_extra_turns(), player=2, round_number=MAX_ROUNDS)
    assert seats_of_next_turns(position, 9) == [2, 0, 2]


def test_an_extra_turn_right_after_the_last_regular_one_has_a_number_of_its_own() -> None:
    """The log and the count of turns tell the two turns of one player apart."""
    boards = make_board("TAS"), make_board("OKH", unlocked="extra-turn"), make_board("NEM")
    position = make_position(*boards, player=1, starter=2, end_reason=EndReason.HABITATS_RESTORED)
    after = act(position, "sail BER")
    assert (position.to_act, after.to_act) == (1, 1)
    numbers = [CURRENT_AFFAIRS.turn_number(CURRENT_AFFAIRS.view(each, None)) for each in (position, after)]
    assert numbers == [15, 16]


def test_who_follows_the_last_turn_of_a_round_is_named_where_it_is_certain() -> None:
    """Not where that turn may make the round the last, unless the first seat has an extra turn then."""

    def seat_after(first_board: PlayerBoard, last_board: PlayerBoard, **fields: Any) -> Seat | None:
        position = make_position(first_board, make_board("TAS"), last_board, player=2, **fields)
        return seat_after_turn(CURRENT_AFFAIRS.view(position, None))

    plain = make_board("NEM", "C05")
    may_deliver = make_board("OKH", "C05", delivered=FOUR_CONTRACTS)
    may_restore = make_board("OKH", "C05", restored=FOUR_HABITATS)
    assert seat_after(plain, make_board("OKH", "C06")) == 0
    for last_board in (may_deliver, may_restore):
        assert seat_after(plain, last_board) is None
        assert seat_after(make_board("NEM", unlocked="extra-turn"), last_board) == 0
    assert seat_after(plain, make_board("OKH"), other_stacks="", stacks={"OKH": "P"}) is None
    assert seat_after(plain, make_board("OKH"), trash_ran_out_round=4) is None
    assert seat_after(plain, make_board("OKH"), round_number=MAX_ROUNDS) is None


def unlock_extra_turn(position: Position) -> Position:
    """Deliver in Yokohama and unlock the extra turn."""
    return act(position, "sail KUR", "deliver C05", "unlock extra-turn")


def test_an_extra_turn_may_be_unlocked_in_the_last_regular_turn() -> None:
    """In the last regular turn it counts, in an extra turn it has no effect (CA27)."""
    board = make_board("OKH", "C05:PPAR", restored="GPP")
    boards = make_board("TAS"), board, make_board("NEM")
    position = make_position(
        *boards, stacks={"KUR": ""}, player=1, starter=2, end_reason=EndReason.CONTRACTS_DELIVERED, market=""
    )
    after_regular_turn = unlock_extra_turn(position)
    assert events(after_regular_turn, ExtraTurnsBegan) == [ExtraTurnsBegan((Seat(1),))]
    assert seats_of_next_turns(after_regular_turn, 9) == [1]
    after_extra_turn = unlock_extra_turn(start_extra_turns(position, 2))
    assert seats_of_next_turns(after_extra_turn, 9) == [2]


def test_extra_turns_trigger_nothing() -> None:
    """A fifth habitat in an extra turn counts, and no round follows (CA27)."""
    board = make_board("GPP", "C03", restored=FOUR_HABITATS, unlocked="extra-turn")
    position = start_extra_turns(
        make_position(board, make_board("TAS"), make_board("NEM"), stacks={"CAL": "P"}), 2
    )
    position = act(position, "sail CAL", "end")
    assert len(position.boards[0].restored_regions) == 5
    assert not events(position, EndTriggered)
    assert position.to_act == 2
    assert seats_of_next_turns(position, 9) == [2]


# Points ----------------------------------------------------------------------------------------------


def points_by_label(board: PlayerBoard) -> dict[str, int]:
    """Return a seat's points, line by line."""
    return {line.label: line.points for line in score_lines(board)}


def test_each_part_of_the_score_has_its_line() -> None:
    """Contracts, habitats squared, trash, bonuses."""
    board = make_board(
        "OKH",
        "C05:P.A. C01:AR",
        delivered="C12 C15",
        restored="BER ALA GPP",
        unlocked="contract-bonus habitat-bonus",
    )
    assert points_by_label(board) == {
        "Contracts": 9 + 4,
        "Habitats": 9,
        "Trash on contracts": 2 + 2,
        "Contract bonus": 4,
        "Habitat bonus": 6,
    }


@pytest.mark.parametrize(("habitat_count", "points"), [(0, 0), (1, 1), (2, 4), (3, 9), (4, 16), (5, 25)])
def test_habitats_count_squared(habitat_count: int, points: int) -> None:
    """Restored habitats bring their number multiplied by itself."""
    restored_text = " ".join(["BER", "ALA", "GPP", "LIN", "OKH"][:habitat_count])
    assert points_by_label(make_board("TAS", restored=restored_text))["Habitats"] == points


def test_bonuses_need_their_upgrades() -> None:
    """Two points for each contract and for each habitat, if unlocked (CA19, CA35)."""
    plain_board = make_board("OKH", delivered=FOUR_CONTRACTS, restored="BER ALA")
    assert (
        points_by_label(plain_board)["Contract bonus"] == points_by_label(plain_board)["Habitat bonus"] == 0
    )
    with_contract_bonus = points_by_label(replace(plain_board, unlocked_upgrades=(Upgrade.CONTRACT_BONUS,)))
    assert (with_contract_bonus["Contract bonus"], with_contract_bonus["Habitat bonus"]) == (8, 0)
    with_habitat_bonus = points_by_label(replace(plain_board, unlocked_upgrades=(Upgrade.HABITAT_BONUS,)))
    assert (with_habitat_bonus["Contract bonus"], with_habitat_bonus["Habitat bonus"]) == (0, 4)


def test_a_bonus_unlocked_in_the_last_turn_counts() -> None:
    """A bonus that was unlocked in the last turn counts (CA19)."""
    board = make_board("OKH", "C05:PPAR", restored="GPP")
    boards = make_board("TAS"), make_board("NEM"), board
    position = make_position(
        *boards, stacks={"KUR": ""}, player=2, end_reason=EndReason.CONTRACTS_DELIVERED, market=""
    )
    ended_position = act(position, "sail KUR", "deliver C05", "unlock contract-bonus")
    assert ended_position.phase is Phase.OVER
    assert points_by_label(ended_position.boards[2])["Contract bonus"] == 2


def test_a_complete_contract_that_was_not_delivered_scores_its_tokens() -> None:
    """A point for each token; no completed contract for trigger, bonus or tie (CA28)."""
    board = make_board("OKH", "C05:PPAR", delivered=FOUR_CONTRACTS, unlocked="contract-bonus")
    assert points_by_label(board)["Trash on contracts"] == 4
    assert points_by_label(board)["Contract bonus"] == 8
    position = make_position(*make_boards(board))
    assert act(position, "sail EMP").end_reason is None
    holding_board = make_board("TAS", "C05:PPAR", delivered="C15")  # 4 and 4
    delivering_board = make_board("NEM", delivered="C11")  # 8
    first, second, _ = final_standings(holding_board, delivering_board, make_board("CLI"))
    assert (first.seat, first.tie_break) == (1, ScoreLine(TIE_BREAK_LABEL, 8))
    assert (second.rank, second.tie_break) == (2, ScoreLine(TIE_BREAK_LABEL, 4))


# Result ----------------------------------------------------------------------------------------------


def final_standings(*boards: PlayerBoard) -> tuple[Standing, ...]:
    """Return the standings of a game that ends with these boards."""
    position = replace(make_position(*boards), phase=Phase.OVER, to_act=None)
    return CURRENT_AFFAIRS.returns(position).standings


def final_ranks(*boards: PlayerBoard) -> dict[int, int]:
    """Return the rank of each seat."""
    return {each.seat: each.rank for each in final_standings(*boards)}


def test_most_points_win() -> None:
    """The seats are ranked by their points."""
    boards = make_board("OKH", delivered="C15"), make_board("TAS", delivered="C14"), make_board("NEM")
    assert final_ranks(*boards) == {1: 1, 0: 2, 2: 3}


def test_a_tie_is_won_by_the_best_contract() -> None:
    """With equal points the most valuable delivered contract decides (CA30)."""
    best_contract_board = make_board("OKH", delivered="C14")  # 12
    two_contracts_board = make_board("TAS", delivered="C04 C16")  # 7 and 5
    assert final_ranks(two_contracts_board, best_contract_board, make_board("NEM", delivered="C08")) == {
        1: 1,
        0: 2,
        2: 3,
    }


def test_no_contract_counts_as_0_points_in_a_tie() -> None:
    """In a tie a seat without a delivered contract counts as one with a contract of 0 points (CA30)."""
    habitats_board = make_board("OKH", restored="BER ALA")  # 4
    contract_board = make_board("TAS", delivered="C15")  # 4
    assert final_ranks(habitats_board, contract_board, make_board("NEM")) == {1: 1, 0: 2, 2: 3}


def test_equal_points_and_best_contracts_share_the_victory() -> None:
    """Seats with equal points and equal best contracts win together (CA30)."""
    boards = make_board("OKH", delivered="C15"), make_board("TAS", delivered="C08"), make_board("NEM")
    assert final_ranks(*boards) == {0: 1, 1: 1, 2: 3}
    position = replace(make_position(*boards), phase=Phase.OVER, to_act=None)
    assert returns(position).winners == (0, 1)


def test_ties_of_lower_ranks_are_broken_alike() -> None:
    """The same tie-break orders them; still equal share a rank (CA30)."""
    first = make_board("OKH", delivered="C14 C05")
    boards = make_board("TAS", restored="BER ALA"), make_board("NEM", delivered="C15"), first
    assert final_ranks(*boards) == {2: 1, 1: 2, 0: 3}
    equal_boards = make_board("TAS", restored="BER"), make_board("NEM", restored="ALA"), first
    assert final_ranks(*equal_boards) == {2: 1, 0: 2, 1: 2}
