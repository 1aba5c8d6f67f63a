"""What is said of a game that is over follows from its records, and is true."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.australis.actions import TakeDie
from rules.catalogue import GAMES
from rules.currents.events import ExitThreatened, PawnDrifted
from rules.game import AnyGame
from rules.match import Match
from rules.matchfile import make_match_file, parse_match_file, replay_match, write_match_file
from rules.model import RecordEvents, Resign, Result, ScoreLine, Seat, Standing
from rules.summary import MAX_FACTS, MatchTrace, summarize
from rules.text import times_text
from rules.trace import trace_match
from rules.turns import turns_from
from tests.conformance.setups import all_games
from tests.conformance.whole_matches import play_match

NAMES: Final = ("Ava", "Ben", "Chloé", "Dimitri", "Edda", "Farid")
WORDS: Final = GAMES["oceans"].words
"""Words of a game without highlights of its own."""


@st.composite
def traces(draw: st.DrawFn) -> MatchTrace:
    """Draw the points of a game, turn by turn."""
    seat_count = draw(st.integers(2, 4))
    turn_seats = tuple(Seat(index % seat_count) for index in range(draw(st.integers(1, 12))))
    rows = [draw(st.tuples(*[st.integers(0, 3)] * seat_count))]
    for _ in turn_seats:
        rows.append(tuple(old + draw(st.integers(-1, 4)) for old in rows[-1]))
    standings = [
        Standing(Seat(seat), 1 + sum(other > points for other in rows[-1]), points)
        for seat, points in enumerate(rows[-1])
    ]
    result = Result(tuple(sorted(standings, key=lambda each: each.rank)))
    gains = tuple(
        after[seat] - before[seat] for seat, before, after in zip(turn_seats, rows, rows[1:], strict=False)
    )
    return MatchTrace(result, (), turn_seats, tuple(rows), gains)


def leaders_of(trace: MatchTrace) -> list[int]:
    """Return who led alone, one after the other, without repeats."""
    leaders: list[int] = []
    for row in trace.points_history:
        best = [seat for seat, points in enumerate(row) if points == max(row)]
        if len(best) == 1 and leaders[-1:] != best:
            leaders += best
    return leaders


@given(traces())
def test_the_lead_changed_as_often_as_is_said(trace: MatchTrace) -> None:
    """More than one change is stated with its number; the last leader only if they won alone.

    A tie is no lead: it counts from the last one on.
    """
    facts = summarize(WORDS, trace, NAMES).facts
    change_count = max(len(leaders_of(trace)) - 1, 0)
    lead_facts = [fact for fact in facts if fact.startswith("The lead")]
    assert lead_facts == ([f"The lead changed {times_text(change_count)}."] if change_count > 1 else [])
    for fact in facts:
        if " led from turn " in fact:
            name, turn = fact.removesuffix(" on.").split(" led from turn ")
            seat = NAMES.index(name)
            assert trace.result.winners == (seat,)
            has_lead = [
                all(row[seat] > points for other, points in enumerate(row) if other != seat)
                for row in trace.points_history
            ]
            assert all(has_lead[int(turn) :])
            assert not has_lead[int(turn) - 1]


@given(traces())
def test_no_turn_brought_more_than_the_biggest(trace: MatchTrace) -> None:
    """The biggest turn is one of its player's own, no other has more, and it is named unless it is tiny."""
    facts = summarize(WORDS, trace, NAMES).facts
    (turn_fact,) = [fact for fact in facts if fact.startswith("Biggest turn: ")] or [""]
    turn = trace.gains.index(max(trace.gains)) + 1
    (score,) = [each.score for each in trace.result.standings if each.seat == trace.turn_seats[turn - 1]]
    if max(trace.gains) <= 0 or 10 * max(trace.gains) < score:
        assert turn_fact == ""
        return
    name = NAMES[trace.turn_seats[turn - 1]]
    assert turn_fact == f"Biggest turn: {name} +{max(trace.gains)} in turn {turn}."
    without_scoring = summarize(WORDS, replace(trace, gains_leave_out_scoring=True), NAMES).facts
    assert turn_fact.replace("turn: ", "turn before scoring: ", 1) in without_scoring


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.key)
def test_a_summary_follows_from_the_match_file(game: AnyGame) -> None:
    """The match and its file give equal traces, and facts of a length that can be drawn."""
    match, records = play_match(game)
    trace = trace_match(match)
    file = make_match_file(match, records, "x", seed=bytes(32))
    replayed_match = replay_match(parse_match_file(write_match_file(file), {game.key: game}))
    assert trace_match(replayed_match) == trace
    assert len(trace.record_events) == len(match.history)
    summary = summarize(game.words, trace, NAMES)
    assert 1 <= len(summary.facts) <= MAX_FACTS
    assert all(len(fact) <= 60 for fact in summary.facts)
    assert not any(fact[0].islower() for fact in summary.facts)
    if trace.points_history:
        assert len(trace.points_history) == len(trace.turn_seats) + 1
        scores = {standing.seat: standing.score for standing in trace.result.standings}
        assert trace.points_history[-1] == tuple(scores[Seat(seat)] for seat in range(match.seat_count))


def test_games_with_points_have_them_over_time() -> None:
    """Every registered game whose scores have lines shows its points over time, turn by turn."""
    for game in GAMES.values():
        match, _ = play_match(game)
        trace = trace_match(match)
        has_lines = any(standing.lines for standing in trace.result.standings)
        assert bool(trace.points_history) is has_lines, game.key


def test_a_match_that_goes_on_has_no_trace() -> None:
    """Only a game that is over is summed up."""
    game = GAMES["currents"]
    with pytest.raises(ValueError, match="goes on"):
        trace_match(Match.begin(game, 2, game.options_type(), bytes(32)))


def test_currents_names_its_longest_drift_if_there_was_any() -> None:
    """Without a drift nothing is said of drifts."""
    record_events = list(trace_match(play_match(GAMES["currents"])[0]).record_events)
    facts = GAMES["currents"].words.highlights(record_events, NAMES)
    lengths = [
        len(event.path) - 1 for each in record_events for event in each.events if hasattr(event, "path")
    ]
    assert any("drift" in fact for fact in facts) is (max(lengths, default=0) > 0)
    assert GAMES["currents"].words.highlights([RecordEvents(Seat(0), ())], NAMES) == ()


def test_a_short_game_is_said_in_a_sentence() -> None:
    """The length of a game begins like a sentence, also where it is a number word."""
    result = Result((Standing(Seat(0), 1, 0), Standing(Seat(1), 1, 0)))
    trace = MatchTrace(result, (), (Seat(0),))
    assert summarize(WORDS, trace, NAMES).facts == ("One turn in a game for two players.",)


def test_who_ties_at_the_end_did_not_lead_to_the_end() -> None:
    """A winner by tie-break, whom somebody caught up with, is not said to have led from some turn on."""
    result = Result((Standing(Seat(0), 1, 9), Standing(Seat(1), 2, 9)))
    trace = MatchTrace(result, (), (Seat(0), Seat(1)), ((0, 0), (9, 0), (9, 9)))
    assert not any(" led " in fact for fact in summarize(WORDS, trace, NAMES).facts)


@pytest.mark.parametrize(
    ("tie_breaks", "text"), [((7, 5), "7 to 5"), ((7, 7, 5), "7 to 7 to 5"), ((7, 7), "")]
)
def test_a_summary_begins_with_what_broke_a_tie(tie_breaks: tuple[int, ...], text: str) -> None:
    """The numbers stand in the order of the places; of a tie that nothing broke nothing is said."""
    standings = [
        Standing(
            Seat(seat), 1 + sum(other > own for other in tie_breaks), 9, (), ScoreLine("traits in play", own)
        )
        for seat, own in enumerate(tie_breaks)
    ]
    standings.append(Standing(Seat(len(standings)), len(standings) + 1, 4))
    facts = summarize(WORDS, MatchTrace(Result(tuple(standings)), (), (Seat(0),)), NAMES).facts
    tie_break_facts = (f"Tie-break: traits in play {text}.",) if text else ()
    assert facts[:-1] == tie_break_facts


def test_the_tie_break_of_a_lower_place_names_it() -> None:
    """Beside the winner's score it would read as what the game was won by."""
    standings = (
        Standing(Seat(0), 1, 12, (), ScoreLine("traits in play", 3)),
        *(Standing(Seat(i), i + 1, 9, (), ScoreLine("traits in play", 8 - i)) for i in (1, 2)),
    )
    facts = summarize(WORDS, MatchTrace(Result(standings), (), (Seat(0),)), NAMES).facts
    assert facts[0] == "Tie-break for place 2: traits in play 7 to 6."


@pytest.mark.parametrize(("last_score", "resigned_seats"), [(41, {2}), (39, {2}), (39, {1, 2})])
def test_who_resigned_does_not_make_a_game_narrow(last_score: int, resigned_seats: set[int]) -> None:
    """The margin is the one to the best of those who played on; without any there is none."""
    result = Result((Standing(Seat(0), 1, 40), Standing(Seat(1), 2, 20), Standing(Seat(2), 3, last_score)))
    trace = MatchTrace(
        result, (), (Seat(0),), ((0, 0, 0), (40, 20, last_score)), (), frozenset(map(Seat, resigned_seats))
    )
    assert "One turn in a game for three players." in summarize(WORDS, trace, NAMES).facts


def test_a_trace_names_who_resigned() -> None:
    """The trace of a match has the seats that resigned, and so has its summary."""
    game = GAMES["australis"]
    match = Match.begin(game, 2, game.options_type(), bytes(32)).play(Seat(1), Resign())
    trace = trace_match(match)
    assert trace.resigned_seats == summarize(game.words, trace, NAMES).resigned_seats == {Seat(1)}


def test_a_resignation_is_no_turn() -> None:
    """Who resigns takes no turn and cuts nobody else's in two; before the first choice there is no turn."""
    game = GAMES["oceans"]
    match = Match.begin(game, 3, game.options_type(), bytes(32))
    seat = match.to_act
    assert seat is not None
    others = [Seat(other) for other in range(3) if other != seat]
    ended_at_once = match.play(others[0], Resign()).play(others[1], Resign())
    assert summarize(WORDS, trace_match(ended_at_once), NAMES).facts == (
        "The game ended before anybody had a turn.",
    )

    for resigning in others:
        assert match.to_act == seat
        match = match.play(seat, match.legal_actions(seat)[0]).play(resigning, Resign())
    trace = trace_match(match)
    assert (trace.turn_seats, len(trace.points_history)) == ((seat,), 2)


def test_currents_counts_every_step_of_a_drift() -> None:
    """One step south and one west are two steps, as the narration counts them."""
    event = PawnDrifted(((4, 4), (3, 5)))
    facts = GAMES["currents"].words.highlights([RecordEvents(Seat(0), (event,))], NAMES)
    assert facts == ("Longest drift: two steps, by Ava.", "The pawn drifted two steps in all.")


def test_currents_names_no_longest_drift_of_one_step() -> None:
    """Where every drift was one step, none was the longest."""
    records = [RecordEvents(Seat(seat), (PawnDrifted(((4, 4), (4, 3))),)) for seat in (0, 1)]
    assert GAMES["currents"].words.highlights(records, NAMES) == ("The pawn drifted two steps in all.",)


def test_currents_names_who_played_the_longest_drift() -> None:
    """The drift after a defence was refused belongs to the play before it, not to the defender."""
    records = [
        RecordEvents(Seat(0), (ExitThreatened("N", Seat(1), 1),)),
        RecordEvents(Seat(1), (PawnDrifted(((4, 0), (4, -2))),)),
    ]
    facts = GAMES["currents"].words.highlights(records, NAMES)
    assert facts[0] == "Longest drift: two steps, by Ava."


def test_currents_counts_turns_as_its_board_does() -> None:
    """The summary's turns are those of the position, without set-up and defences."""
    match, _ = play_match(GAMES["currents"])
    trace = trace_match(match)
    assert len(trace.turn_seats) == match.state.position.turn < len(turns_from(match.history))


def test_australis_counts_a_turn_for_each_die() -> None:
    """Two turns of one seat that follow each other are two, and a choice of a tile is none.

    Facts and points over time count the same turns.
    """
    match, _ = play_match(GAMES["australis"])
    trace = trace_match(match)
    takers = tuple(record.actor for record in match.history if isinstance(record.action, TakeDie))
    assert trace.turn_seats == takers
    assert len(takers) == len(trace.points_history) - 1 == 5 * 4 * match.seat_count
    assert takers != tuple(turn.seat for turn in turns_from(match.history)), "no case of either"


@pytest.mark.parametrize("key", ["arctic_cleanup", "current_affairs"])
def test_setting_up_is_no_turn(key: str) -> None:
    """A round is a turn of every seat, and what is chosen before the first round counts as none."""
    match, _ = play_match(GAMES[key])
    trace = trace_match(match)
    assert len(trace.turn_seats) == len(trace.gains) == len(trace.points_history) - 1
    regular_turn_count = match.state.round * match.seat_count
    extra_turn_count = match.seat_count if key == "current_affairs" else 0
    assert (
        regular_turn_count - match.seat_count < len(trace.turn_seats) <= regular_turn_count + extra_turn_count
    )


def test_the_biggest_turn_of_australis_leaves_out_scoring() -> None:
    """What a round's end brings everybody is no gain of the turn before it, and the fact says so."""
    trace = trace_match(play_match(GAMES["australis"])[0])
    assert trace.gains_leave_out_scoring
    assert not trace_match(play_match(GAMES["oceans"])[0]).gains_leave_out_scoring
    totals = [0] * len(trace.result.standings)
    for seat, gain in zip(trace.turn_seats, trace.gains, strict=True):
        totals[seat] += gain
    for standing in trace.result.standings:
        lines = {line.label: line.points for line in standing.lines}
        assert totals[standing.seat] == lines["Dice"] + lines["Cards"]
