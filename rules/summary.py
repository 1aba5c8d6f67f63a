"""A game that is over, summed up: its result, the points over time, and what was remarkable.

All of it follows from the records, so it can be computed again from the match file.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec

from rules.model import Names, RecordEvents, Result, Seat, Standing
from rules.text import capitalized, counted, times_text
from rules.words import Words

MAX_FACTS: Final = 4
"""The most sentences about a game."""
_MAX_SCORE_GAIN_RATIO: Final = 10
"""The biggest turn is named if its player's score is at most so many times what it brought."""


class MatchTrace(msgspec.Struct, frozen=True):
    """What happened in a game that is over, turn by turn."""

    result: Result
    record_events: tuple[RecordEvents, ...]
    """Every record of the history."""
    turn_seats: tuple[Seat, ...]
    """Who took each turn, as the game counts turns."""
    points_history: tuple[tuple[int, ...], ...] = ()
    """The points by seat: one tuple before the first turn and one after each turn; empty without points."""
    gains: tuple[int, ...] = ()
    """The points that each turn brought its player, without those of scorings that all seats share in."""
    resigned_seats: frozenset[Seat] = frozenset()
    gains_leave_out_scoring: bool = False
    """Whether there are scorings that ``gains`` leave out, so that a chart may jump by more than a gain."""


class MatchSummary(msgspec.Struct, frozen=True):
    """A game that is over, for one picture of it."""

    result: Result
    points_history: tuple[tuple[int, ...], ...]
    """As in ``MatchTrace``."""
    facts: tuple[str, ...]
    """At most ``MAX_FACTS`` sentences: by what a tie was broken, then the most remarkable first."""
    resigned_seats: frozenset[Seat]


def summarize(words: Words[Any], trace: MatchTrace, names: Names) -> MatchSummary:
    """Return the summary of a game under its players' names."""
    facts = (
        *_tie_break_facts(trace.result),
        *words.highlights(trace.record_events, names),
        *_lead_facts(trace, names),
        *_turn_facts(trace, names),
        _length_fact(trace),
    )
    return MatchSummary(trace.result, trace.points_history, facts[:MAX_FACTS], trace.resigned_seats)


def _tie_break_facts(result: Result) -> tuple[str, ...]:
    """Return by what the best tie that was broken was broken, with the numbers from the best seat on."""
    standings_by_score: dict[int, list[Standing]] = {}
    for standing in result.standings:
        if standing.tie_break is not None:
            standings_by_score.setdefault(standing.score, []).append(standing)
    for standings in standings_by_score.values():
        tie_breaks = [each.tie_break for each in standings if each.tie_break is not None]
        numbers = [str(each.points) for each in tie_breaks]
        if len(set(numbers)) > 1:
            place = standings[0].rank
            place_text = "" if place == 1 else f" for place {place}"
            return (f"Tie-break{place_text}: {tie_breaks[0].label} {' to '.join(numbers)}.",)
    return ()


def _lead_facts(trace: MatchTrace, names: Names) -> tuple[str, ...]:
    """Return how often the lead changed, and since when the only winner was ahead."""
    if not trace.points_history:
        return ()
    leaders = [leader for points in trace.points_history if (leader := _find_leader(points)) is not None]
    change_count = sum(before != after for before, after in pairwise(leaders))
    facts = [f"The lead changed {times_text(change_count)}."] if change_count > 1 else []
    winners = trace.result.winners
    lead_start = None if len(winners) > 1 else _find_lead_start(trace, winners[0])
    if lead_start is not None and lead_start < len(trace.turn_seats):
        when = f"from turn {lead_start} on" if lead_start > 1 else "from start to end"
        facts.append(f"{names[winners[0]]} led {when}.")
    return tuple(facts)


def _find_lead_start(trace: MatchTrace, seat: Seat) -> int | None:
    """Return the turn that put a seat ahead of all others for good; a tie is no lead.

    0: ahead before the first turn; None: it does not lead alone at the end.
    """
    lead_start = None
    for turn in range(len(trace.turn_seats), -1, -1):
        if _find_leader(trace.points_history[turn]) != seat:
            break
        lead_start = turn
    return lead_start


def _find_leader(points: Sequence[int]) -> Seat | None:
    """Return the seat that is ahead of all others; None if several are."""
    best = max(points)
    return Seat(list(points).index(best)) if list(points).count(best) == 1 else None


def _turn_facts(trace: MatchTrace, names: Names) -> tuple[str, ...]:
    """Return the fact about the turn that brought its player the most points, unless that was little.

    In Australis most points come at the end of a round, which is no gain of a turn.
    """
    gains = enumerate(zip(trace.gains, trace.turn_seats, strict=False), 1)
    gain, turn, seat = max(
        ((gain, turn, seat) for turn, (gain, seat) in gains),
        default=(0, 0, Seat(0)),
        key=lambda each: (each[0], -each[1]),
    )
    final_score = next((each.score for each in trace.result.standings if each.seat == seat), 0)
    if gain <= 0 or gain * _MAX_SCORE_GAIN_RATIO < final_score:
        return ()
    condition = " before scoring" if trace.gains_leave_out_scoring else ""
    return (f"Biggest turn{condition}: {names[seat]} +{gain} in turn {turn}.",)


def _length_fact(trace: MatchTrace) -> str:
    """Return how long the game was, and the margin if it was narrow; who resigned does not count for it."""
    winner, *others = trace.result.standings
    rival_scores = [each.score for each in others if each.seat not in trace.resigned_seats]
    margin = winner.score - max(rival_scores, default=0)
    if not trace.turn_seats:
        return "The game ended before anybody had a turn."
    turns_text = counted(len(trace.turn_seats), "turn")
    if trace.points_history and rival_scores and len(trace.result.winners) == 1 and margin in (1, 2):
        return f"Decided by {counted(margin, 'point')} after {turns_text}."
    # seats may have changed hands, so it does not say how many people have played
    return capitalized(f"{turns_text} in a game for {counted(len(trace.result.standings), 'player')}.")
