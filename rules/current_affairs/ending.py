"""Rounds, the end of the game, and its result."""

import enum
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from rules.current_affairs.boards import remaining_animals, restorer_of, turn_order
from rules.current_affairs.components import (
    BONUS_POINTS,
    CONTRACTS,
    CONTRACTS_TO_END,
    HABITATS_TO_END,
    MAX_ROUNDS,
    REGIONS,
    ROUNDS_WITHOUT_TRASH,
    Region,
    Upgrade,
)
from rules.current_affairs.events import EndReason, EndTriggered, ExtraTurnsBegan
from rules.current_affairs.model import CurrentAffairsView, Phase, PlayerBoard, Position
from rules.model import Result, ScoreLine, Seat, Standing


def start_round(position: Position, round_number: int) -> Position:
    """Begin a round with the first seat still playing."""
    assert position.starter is not None
    first = turn_order(position, position.starter)[0]
    return _start_turn(replace(position, round=round_number), first)


def _start_turn(position: Position, seat: Seat) -> Position:
    return replace(position, phase=Phase.SAIL, to_act=seat, current_player=seat, turn=position.turn + 1)


def seat_after_turn(view: CurrentAffairsView) -> Seat | None:
    """Return whose turn certainly follows in this round, the next one or the extra turns.

    None after the last turn of a round that may be the game's last: the first seat may have no more turn.
    """
    position = view.position
    starter, player = position.starter, position.current_player
    if starter is None or player is None:
        return None
    if position.in_extra_turns:
        return next((seat for seat in position.extra_turn_queue if seat != player), None)
    order = turn_order(position, starter)
    if player != order[-1]:
        return order[order.index(player) + 1]
    has_extra_turn = bool(_seats_with_extra_turn(position, order[:1]))
    return order[0] if has_extra_turn or not _may_become_last_round(position, player) else None


def _may_become_last_round(position: Position, seat: Seat) -> bool:
    """Whether this round is the last one or the turn of a seat, which ends it, may make it that."""
    contract_count = len(position.boards[seat].contracts)
    return (
        is_last_round(position)
        or makes_last_round(position, seat, new_delivery_count=contract_count, new_habitat_count=1)
        or position.trash_ran_out_round is not None
        or sum(map(bool, position.stacks)) < 2
    )


def end_turn(position: Position) -> Position:
    """End the current turn: check whether this round becomes the last, and begin the next turn."""
    seat = position.current_player
    if not position.in_extra_turns and position.end_reason is None:
        position = _trigger_due_end_after_turn(position, seat)
    return start_next_turn(position)


def start_next_turn(position: Position) -> Position:
    """Begin the turn of the next seat; after the last one the next round, the extra turns, or the end."""
    if position.in_extra_turns:
        return _start_next_extra_turn(position)
    starter, player = position.starter, position.current_player
    assert starter is not None
    assert player is not None
    seat_count = len(position.boards)
    for step in range((player - starter) % seat_count + 1, seat_count):
        seat = Seat((starter + step) % seat_count)
        if not position.boards[seat].resigned:
            return _start_turn(position, seat)
    if position.end_reason is None:
        position = _trigger_due_end_after_round(position)
    if position.end_reason is None:
        return start_round(position, position.round + 1)
    return _start_extra_turns(position, starter)


def _start_extra_turns(position: Position, starter: Seat) -> Position:
    extra_turn_seats = _seats_with_extra_turn(position, turn_order(position, starter))
    if extra_turn_seats:
        position = replace(position, trail=(*position.trail, ExtraTurnsBegan(extra_turn_seats)))
    return _start_next_extra_turn(replace(position, in_extra_turns=True, extra_turn_queue=extra_turn_seats))


def _seats_with_extra_turn(position: Position, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    return tuple(each for each in seats if Upgrade.EXTRA_TURN in position.boards[each].unlocked_upgrades)


def _start_next_extra_turn(position: Position) -> Position:
    if not position.extra_turn_queue:
        return finish(position)
    seat, *rest = position.extra_turn_queue
    return _start_turn(replace(position, extra_turn_queue=tuple(rest)), seat)


def finish(position: Position) -> Position:
    """End the game."""
    return replace(position, phase=Phase.OVER, to_act=None, current_player=None)


def _trigger_end(position: Position, end_reason: EndReason, seat: Seat | None) -> Position:
    return replace(position, end_reason=end_reason, trail=(*position.trail, EndTriggered(end_reason, seat)))


def _trigger_due_end_after_turn(position: Position, seat: Seat | None) -> Position:
    assert seat is not None
    board = position.boards[seat]
    if len(board.delivered_contracts) >= CONTRACTS_TO_END:
        return _trigger_end(position, EndReason.CONTRACTS_DELIVERED, seat)
    if len(board.restored_regions) >= HABITATS_TO_END:
        return _trigger_end(position, EndReason.HABITATS_RESTORED, seat)
    if position.trash_ran_out_round is not None and not _can_anybody_gain(position):
        return _trigger_end(position, EndReason.NO_TRASH, None)
    return position


def _trigger_due_end_after_round(position: Position) -> Position:
    if (
        position.trash_ran_out_round is not None
        and position.round >= position.trash_ran_out_round + ROUNDS_WITHOUT_TRASH
    ):
        return _trigger_end(position, EndReason.NO_TRASH, None)
    if position.round >= MAX_ROUNDS:
        return _trigger_end(position, EndReason.ROUND_LIMIT, None)
    return position


def last_possible_round(position: Position) -> int:
    """Return the number of the round after which no round follows, whatever happens."""
    if position.trash_ran_out_round is None:
        return MAX_ROUNDS
    return min(position.trash_ran_out_round + ROUNDS_WITHOUT_TRASH, MAX_ROUNDS)


def is_last_round_if_turn_ends(position: Position) -> bool:
    """Whether no round follows this one if the current turn ends now."""
    if position.end_reason is None:
        position = _trigger_due_end_after_turn(position, position.current_player)
    if position.end_reason is None:
        position = _trigger_due_end_after_round(position)
    return position.end_reason is not None


def makes_last_round(
    position: Position, seat: Seat, *, new_delivery_count: int = 0, new_habitat_count: int = 0
) -> bool:
    """Whether a seat makes this round the last, which it is not yet, with so many more of each."""
    if position.in_extra_turns or position.end_reason is not None:
        return False
    board = position.boards[seat]
    return (
        len(board.delivered_contracts) + new_delivery_count >= CONTRACTS_TO_END
        or len(board.restored_regions) + new_habitat_count >= HABITATS_TO_END
    )


def is_last_round(position: Position) -> bool:
    """Whether no round follows this one, however the current turn ends."""
    if position.end_reason is not None or position.round == last_possible_round(position):
        return True
    return position.current_player is not None and makes_last_round(position, position.current_player)


def has_later_turn(position: Position) -> bool:
    """Whether the current player has one more turn after the current one, if that ends now."""
    seat = position.current_player
    if seat is None or position.in_extra_turns:
        return False
    has_extra_turn = Upgrade.EXTRA_TURN in position.boards[seat].unlocked_upgrades
    return has_extra_turn or not is_last_round_if_turn_ends(position)


class UpgradeUse(enum.Enum):
    """What an upgrade still brings to the current player, who would unlock it now."""

    FULL = "full"
    WITH_EXTRA_TURN = "with-extra-turn"
    """Only if the extra turn is unlocked too."""
    NONE = "none"


def upgrade_use(position: Position, upgrade: Upgrade) -> UpgradeUse:
    """Return what an upgrade still brings to the current player (CA19, CA27)."""
    assert position.current_player is not None
    if has_later_turn(position):
        return UpgradeUse.FULL
    if upgrade in {Upgrade.HABITAT_BONUS, Upgrade.CONTRACT_BONUS}:
        is_of_use = bonus_points(position.boards[position.current_player], upgrade) > 0
    else:
        is_of_use = upgrade is Upgrade.EXTRA_TURN and not position.in_extra_turns
    if is_of_use:
        return UpgradeUse.FULL
    can_unlock_extra_turn = position.unused_unlock_count > 1 and not position.in_extra_turns
    return UpgradeUse.WITH_EXTRA_TURN if can_unlock_extra_turn else UpgradeUse.NONE


def _can_anybody_gain(position: Position) -> bool:
    """Whether anybody can still deliver a contract or restore a habitat without trash (CA24)."""
    restorable = {REGIONS[region].animal for region in Region if restorer_of(position, region) is None}
    playing_boards = [board for board in position.boards if not board.resigned]
    return any(
        remaining_animals(board) & restorable or any(held.is_complete for held in board.contracts)
        for board in playing_boards
    )


# Result ----------------------------------------------------------------------------------------------

TIE_BREAK_LABEL: Final = "best contract"


def bonus_points(board: PlayerBoard, upgrade: Upgrade) -> int:
    """Return what one of the two bonuses would bring now, whether or not it is unlocked."""
    is_for_habitats = upgrade is Upgrade.HABITAT_BONUS
    return BONUS_POINTS * len(board.restored_regions if is_for_habitats else board.delivered_contracts)


def score_lines(board: PlayerBoard) -> tuple[ScoreLine, ...]:
    """Return a seat's points, line by line."""
    habitat_count = len(board.restored_regions)
    return (
        ScoreLine("Contracts", sum(CONTRACTS[contract].points for contract in board.delivered_contracts)),
        ScoreLine("Habitats", habitat_count * habitat_count),
        ScoreLine("Trash on contracts", sum(len(held.trash) for held in board.contracts)),
        ScoreLine(
            "Contract bonus",
            bonus_points(board, Upgrade.CONTRACT_BONUS) * (Upgrade.CONTRACT_BONUS in board.unlocked_upgrades),
        ),
        ScoreLine(
            "Habitat bonus",
            bonus_points(board, Upgrade.HABITAT_BONUS) * (Upgrade.HABITAT_BONUS in board.unlocked_upgrades),
        ),
    )


def board_points(board: PlayerBoard) -> int:
    """Return the points of a player's board so far: the sum of its score lines."""
    return sum(line.points for line in score_lines(board))


def points(view: CurrentAffairsView, seat: Seat) -> int:
    """Return a seat's points so far (``Game.points``)."""
    return board_points(view.position.boards[seat])


def _best_contract_points(board: PlayerBoard) -> int:
    return max((CONTRACTS[contract].points for contract in board.delivered_contracts), default=0)


def returns(position: Position) -> Result:
    """Return the final result: points, then the most valuable delivered contract (CA30).

    Seats that resigned share the last rank.
    """
    playing_boards = [board for board in position.boards if not board.resigned]
    ranking_keys = [(board_points(board), _best_contract_points(board)) for board in playing_boards]
    scores = [score for score, _ in ranking_keys]
    standings = []
    for seat, board in enumerate(position.boards):
        score, best_contract_points = board_points(board), _best_contract_points(board)
        if board.resigned:
            rank, is_tied = len(playing_boards) + 1, False
        else:
            rank, is_tied = (
                1 + sum(other > (score, best_contract_points) for other in ranking_keys),
                scores.count(score) > 1,
            )
        tie_break = ScoreLine(TIE_BREAK_LABEL, best_contract_points) if is_tied else None
        standings.append(Standing(Seat(seat), rank, score, score_lines(board), tie_break))
    return Result(tuple(sorted(standings, key=lambda each: (each.rank, each.seat))))
