"""The ends of the game and its points."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.components import MAX_ROUNDS, QUIET_ROUNDS_TO_END, ROUNDS_AFTER_CLEAN_OCEAN
from rules.arctic_cleanup.events import EndReason, LastRoundSet, QuietEndNear
from rules.arctic_cleanup.model import Phase, Position
from rules.model import Seat
from tests.rules.arctic_cleanup.positions import (
    act,
    events,
    make_board,
    make_losing_sixteenth_token_position,
    make_other_board,
    make_position,
    make_sixteenth_token_position,
    play_idle_turns,
)


def test_rulebook_sixteen_tokens_end_the_game_at_once() -> None:
    """After the Unload nobody acts any more; turns need not be equal (4.7.1, AC24)."""
    position = act(make_sixteenth_token_position(), "unload 1 ldpe R5")
    assert position.to_act == Seat(0)
    position = act(position, "end")
    assert (position.phase, position.to_act, position.end_reason) == (Phase.OVER, None, EndReason.PROCESSED)


def test_a_whole_unload_may_process_more_than_sixteen() -> None:
    """The game ends after the whole action, which may process more than 16 tokens (AC24)."""
    position = act(
        make_sixteenth_token_position("2ldpe,pa6 -"),
        "unload 1 ldpe R5",
        "unload 1 ldpe R1",
        "unload 1 pa6 R6",
    )
    assert position.to_act == Seat(0)
    position = act(position, "end")
    assert position.end_reason is EndReason.PROCESSED
    assert position.boards[0].processed_count == 18


def test_fifteen_tokens_do_not_end_the_game() -> None:
    """Fifteen processed tokens do not end the game."""
    position = act(
        make_sixteenth_token_position(lines="R2:4pet R3:4eva R4:4hdpe R5:2ldpe"), "unload 1 ldpe R5", "end"
    )
    assert position.to_act == Seat(1)


def test_who_ends_the_game_need_not_win() -> None:
    """The other player has more points (AC24)."""
    position = act(make_losing_sixteenth_token_position(), "unload 1 ldpe R3", "end")
    assert position.end_reason is EndReason.PROCESSED
    assert ARCTIC_CLEANUP.returns(position).winners == (Seat(1),)


def test_rulebook_points() -> None:
    """2 or 3 points a token, 5 a die, 1 for each token aboard, whatever its colour (4.7.2, AC35)."""
    lines = "R2:4pet R3:4eva R4:2hdpe R5:2ldpe R6:2eva H1:2pp"
    position = make_position(make_board("A2", "B2 B3", cargo="pp,ps pet", lines=lines), make_other_board())
    standing = next(each for each in ARCTIC_CLEANUP.returns(position).standings if each.seat == 0)
    assert [(line.label, line.points) for line in standing.lines] == [
        ("Factory lines", 34),
        ("Gained dice", 10),
        ("Tokens aboard", 3),
    ]
    assert standing.score == 47


def test_rulebook_ties_are_shared() -> None:
    """Equal points share the victory (4.7.2)."""
    position = make_position(
        make_board("A2", "B2 B3", lines="R1:2pet"), make_other_board(lines="R1:pet", cargo="pp,ps -")
    )
    result = ARCTIC_CLEANUP.returns(position)
    assert [each.rank for each in result.standings] == [1, 1]
    assert set(result.winners) == {Seat(0), Seat(1)}


# The ends by house rules -----------------------------------------------------------------------------


def make_clean_ocean_position(
    *, round_number: int = 7, quiet_round_count: int = 0, last_round: int | None = None
) -> Position:
    """Return the last turn of a round; nothing is at sea or in the bag."""
    return make_position(
        make_board("A2", "B2 B3"),
        make_other_board(),
        ocean="",
        player=1,
        round_number=round_number,
        quiet_round_count=quiet_round_count,
        last_round=last_round,
    )


def test_clean_ocean_calls_three_rounds() -> None:
    """When a round ends with ocean and bag empty, three more rounds are played (AC25)."""
    position = play_idle_turns(make_clean_ocean_position(round_number=7), 1)
    assert events(position, LastRoundSet) == [LastRoundSet(7 + ROUNDS_AFTER_CLEAN_OCEAN)]
    assert (position.round, position.to_act) == (8, Seat(0))
    position = play_idle_turns(position, 2 * ROUNDS_AFTER_CLEAN_OCEAN - 1)
    assert (position.round, position.to_act) == (10, Seat(1))
    assert play_idle_turns(position, 1).end_reason is EndReason.CLEAN_OCEAN


@pytest.mark.parametrize(("ocean", "bag"), [("D1:pet", ""), ("", "pet")])
def test_ocean_is_not_clean_while_tokens_are_left(ocean: str, bag: str) -> None:
    """One token at sea or in the bag is enough (AC25)."""
    board = make_board("A2", "B2 B3")
    position = play_idle_turns(make_position(board, make_other_board(), player=1, ocean=ocean, bag=bag), 1)
    assert not events(position, LastRoundSet)
    assert position.last_round is None


def test_a_clean_ocean_counts_when_the_round_is_complete() -> None:
    """The ocean is looked at when the round is complete (AC25, AC34)."""
    board = make_board("A2", "B2 B3")
    position = make_position(board, make_other_board(), ocean="B2:pet", round_number=7)
    position = act(position, "load 1 pet", "end")
    assert position.last_round is None
    assert play_idle_turns(position, 1).last_round == 10


def test_sixteen_tokens_still_end_the_game_after_a_clean_ocean() -> None:
    """An Unload still ends the game at once, and is named as the end (AC25, AC35)."""
    position = replace(make_sixteenth_token_position(), ocean=((),) * 19, round=10, last_round=10)
    assert act(position, "unload 1 ldpe R5", "end").end_reason is EndReason.PROCESSED


def test_six_quiet_rounds_end_the_game() -> None:
    """Six full rounds without a token loaded, unloaded or analyzed end the game; two warn of it (AC26)."""
    board = make_board("A2", "B2 B3")
    position = make_position(board, make_other_board(), ocean="D1:pet")
    for number in range(1, QUIET_ROUNDS_TO_END):
        position = play_idle_turns(position, 2)
        assert (position.quiet_round_count, position.end_reason) == (number, None)
        warnings = [QuietEndNear(number)] if number >= QUIET_ROUNDS_TO_END - 2 else []
        assert events(position, QuietEndNear) == warnings
    assert play_idle_turns(position, 2).end_reason is EndReason.QUIET


@pytest.mark.parametrize(("last_round", "is_warned"), [(None, True), (12, True), (11, False)])
def test_no_warning_of_an_end_that_another_precedes(last_round: int | None, *, is_warned: bool) -> None:
    """After four quiet rounds the game ends with the sixth, unless the last round comes by then."""
    position = make_position(
        make_board("A2", "B2 B3"), make_other_board(), quiet_round_count=3, round_number=9
    )
    position = play_idle_turns(replace(position, last_round=last_round), 2)
    assert (position.round, position.quiet_round_count) == (10, 4)
    assert bool(events(position, QuietEndNear)) is is_warned


@pytest.mark.parametrize("text", ["load 1 pet", "unload 1 eva R1", "analyze 1"])
def test_activity_resets_the_quiet_rounds(text: str) -> None:
    """Load, Unload and Analyze set the count of quiet rounds back to 0 (AC26)."""
    board = make_board("A2", "B2 B2", cargo="eva -")
    position = make_position(board, make_other_board(), ocean="B2:pet", bag="pp", quiet_round_count=5)
    position = act(position, text, "end")
    assert play_idle_turns(position, 1).quiet_round_count == 0


@pytest.mark.parametrize("text", ["rotate 1 1 2", "sail 1 1"])
def test_plan_and_move_are_quiet(text: str) -> None:
    """A round in which only dice and ships moved is a quiet round (AC26)."""
    position = make_position(make_board("A2", "B2 B2"), make_other_board(), quiet_round_count=4)
    assert play_idle_turns(act(position, text, "end"), 1).quiet_round_count == 5


def test_the_game_ends_after_round_80() -> None:
    """After round 80 the game is scored (AC27)."""
    position = play_idle_turns(make_position(make_board("A2", "B2 B3"), round_number=MAX_ROUNDS), 1)
    assert position.end_reason is None
    assert play_idle_turns(position, 1).end_reason is EndReason.ROUND_LIMIT


def test_no_round_after_the_limit_is_announced() -> None:
    """A clean ocean names no last round that will not be played (AC25, AC27)."""
    position = play_idle_turns(make_clean_ocean_position(round_number=MAX_ROUNDS - 2), 1)
    assert not events(position, LastRoundSet)
    assert position.last_round is None
    position = play_idle_turns(position, 4)
    assert (position.round, position.end_reason) == (MAX_ROUNDS, EndReason.ROUND_LIMIT)
    with_last_round = play_idle_turns(make_clean_ocean_position(round_number=MAX_ROUNDS - 3), 1)
    assert with_last_round.last_round == MAX_ROUNDS


def test_of_several_ends_the_first_is_named() -> None:
    """Clean ocean, then quiet rounds, then the limit of rounds; all score alike (AC35)."""
    position = make_clean_ocean_position(
        round_number=MAX_ROUNDS, quiet_round_count=QUIET_ROUNDS_TO_END - 1, last_round=MAX_ROUNDS
    )
    assert play_idle_turns(position, 1).end_reason is EndReason.CLEAN_OCEAN
    position = replace(position, last_round=MAX_ROUNDS + 3)
    assert play_idle_turns(position, 1).end_reason is EndReason.QUIET
    position = replace(position, quiet_round_count=0)
    assert play_idle_turns(position, 1).end_reason is EndReason.ROUND_LIMIT


def test_one_turn_each_makes_a_round() -> None:
    """The round's number rises after the last seat of the turn order (AC34)."""
    position = play_idle_turns(make_position(make_board("A2", "B2 B3"), round_number=3), 1)
    assert position.round == 3
    assert play_idle_turns(position, 1).round == 4


@pytest.mark.parametrize(
    ("fields", "end_reason"),
    [
        ({"round_number": MAX_ROUNDS}, EndReason.ROUND_LIMIT),
        ({"quiet_round_count": QUIET_ROUNDS_TO_END - 1}, EndReason.QUIET),
        ({"ocean": "", "round_number": 9, "last_round": 9}, EndReason.CLEAN_OCEAN),
    ],
)
def test_loaded_tokens_score_when_the_game_stops(fields: dict[str, Any], end_reason: EndReason) -> None:
    """Each token aboard is worth one point at every kind of end (AC35)."""
    boards = make_board("A2", "B2 B3", cargo="pp,pet -"), make_other_board()
    ended_position = play_idle_turns(make_position(*boards, player=1, **fields), 1)
    assert ended_position.end_reason is end_reason
    result = ARCTIC_CLEANUP.returns(ended_position)
    assert result.winners == (Seat(0),)
    assert result.standings[0].score == 2
