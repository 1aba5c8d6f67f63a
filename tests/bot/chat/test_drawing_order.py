"""The order in which pictures are drawn: answers first, but under overload all are late alike."""

import heapq
import itertools
import random
from collections.abc import Iterable, Sequence
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat import drawing_order
from bot.chat.drawing_order import MIN_OVERDUE, SECONDS_UNTIL_DUE, DrawingOrder, DrawingPriority

ANSWER, BOARD, HAND, REPLAY = DrawingPriority
SECONDS_PER_PICTURE: Final = 0.02
"""How long drawing one picture takes in these simulations."""
TABLE_COUNT: Final = 50
MAX_MOVES_PER_SECOND: Final = 1 / SECONDS_PER_PICTURE / 4
"""The most moves whose pictures can be drawn: each has two answers, a board and a hand."""

DrawingRequest = tuple[float, DrawingPriority]
WaitTimes = dict[DrawingPriority, list[float]]


def drawn_in_order(priorities: Iterable[DrawingPriority], now: float) -> list[DrawingPriority]:
    """Return in which order pictures that were all asked for at 0 are drawn at one later moment."""
    order: DrawingOrder[DrawingPriority] = DrawingOrder()
    for each in priorities:
        order.add(each, 0.0, each)
    return [order.pop(now) for _ in range(len(order))]


def simulate_drawing(
    requests: Sequence[DrawingRequest], seconds_per_picture: float = SECONDS_PER_PICTURE
) -> WaitTimes:
    """Draw pictures one after the other, by a simulated clock; return how long each waited to begin."""
    order: DrawingOrder[DrawingRequest] = DrawingOrder()
    wait_times: WaitTimes = {each: [] for each in DrawingPriority}
    upcoming, now = sorted(requests, reverse=True), 0.0
    while upcoming or order:
        now = now if order else max(now, upcoming[-1][0])
        while upcoming and upcoming[-1][0] <= now:
            asked_at, priority = upcoming.pop()
            order.add(priority, asked_at, (asked_at, priority))
        asked_at, priority = order.pop(now)
        wait_times[priority].append(now - asked_at)
        now += seconds_per_picture
    return wait_times


def simulate_moves(rate: float, seconds: float, seed: int) -> WaitTimes:
    """Draw for ``seconds`` at all tables, of ``rate`` moves a second; return how long pictures waited.

    A move has two answers, then a board, then a hand.  Its table is busy until the second answer is drawn: if
    no table is free, a move is left out.
    """
    rng, order = random.Random(seed), DrawingOrder[DrawingRequest]()
    wait_times: WaitTimes = {each: [] for each in DrawingPriority}
    event_numbers, free_table_count, now = itertools.count(), TABLE_COUNT, 0.0
    # (Time, number of the event, what is asked for, answers that the move still needs)
    events = [(rng.random() * seconds, next(event_numbers), ANSWER, 2) for _ in range(round(rate * seconds))]
    heapq.heapify(events)
    answers_left_by_request: dict[DrawingRequest, int] = {}
    while events or order:
        now = now if order else max(now, events[0][0])
        while events and events[0][0] <= now:
            asked_at, _, priority, answers_left = heapq.heappop(events)
            if priority is ANSWER and answers_left == 2:
                if not free_table_count:
                    continue
                free_table_count -= 1
            answers_left_by_request[asked_at, priority] = answers_left
            order.add(priority, asked_at, (asked_at, priority))
        if not order:
            continue
        asked_at, priority = order.pop(now)
        wait_times[priority].append(now - asked_at)
        now += SECONDS_PER_PICTURE
        answers_left = answers_left_by_request.pop((asked_at, priority))
        if priority is ANSWER and answers_left == 2:
            heapq.heappush(events, (now + rng.uniform(0.03, 0.12), next(event_numbers), ANSWER, 1))
        elif priority is ANSWER:
            free_table_count += 1
            heapq.heappush(events, (now, next(event_numbers), BOARD, 1))
        elif priority is BOARD:
            heapq.heappush(events, (now, next(event_numbers), HAND, 1))
    return wait_times


def p95_wait(waits: Sequence[float]) -> float:
    """Return the wait that one in twenty exceeds."""
    return sorted(waits)[int(0.95 * len(waits))]


def test_the_most_urgent_picture_is_drawn_first() -> None:
    """While nothing is overdue: answers, boards, hands, boards of replays."""
    wanted = [REPLAY, HAND, BOARD, ANSWER, HAND, REPLAY, BOARD, ANSWER, BOARD]
    assert drawn_in_order(wanted, 0.0) == sorted(wanted)


def test_what_was_asked_for_first_is_drawn_first() -> None:
    """Among pictures of one priority."""
    order: DrawingOrder[int] = DrawingOrder()
    for number in (3, 1, 2):
        order.add(BOARD, float(number), number)
    assert [order.pop(3.0) for _ in range(3)] == [1, 2, 3]


def test_an_overdue_board_comes_after_the_next_answer() -> None:
    """Overdue boards and answers alternate as long as the answers have not waited for long."""
    order: DrawingOrder[DrawingPriority] = DrawingOrder()
    overdue = SECONDS_UNTIL_DUE[BOARD] + MIN_OVERDUE
    for since, each in [(0.0, BOARD), (0.0, BOARD), *[(overdue, ANSWER)] * 4]:
        order.add(each, since, each)
    assert [order.pop(overdue) for _ in range(6)] == [ANSWER, BOARD, ANSWER, BOARD, ANSWER, ANSWER]


def test_answers_that_wait_long_come_before_what_is_a_little_late() -> None:
    """A board comes first only once it is overdue for as long as the oldest answer has waited."""
    assert drawn_in_order([BOARD, *[ANSWER] * 3], 1.0) == [ANSWER, ANSWER, ANSWER, BOARD]
    order: DrawingOrder[DrawingPriority] = DrawingOrder()
    for since, each in [(0.0, BOARD), *[(2.0, ANSWER)] * 3]:
        order.add(each, since, each)
    assert [order.pop(2.5) for _ in range(4)] == [ANSWER, BOARD, ANSWER, ANSWER]


BURSTS: Final = st.tuples(
    st.sampled_from((0.0, 0.3, 0.5, 1.0, 3.0)), st.sampled_from(DrawingPriority), st.integers(1, 40)
).map(lambda burst: [burst[:2]] * burst[2])
"""Many pictures that are asked for at once."""


@given(st.lists(BURSTS, max_size=8).map(lambda bursts: list(itertools.chain.from_iterable(bursts))))
def test_other_pictures_at_most_double_the_wait_for_answers(requests: list[DrawingRequest]) -> None:
    """Answers wait no longer than if they were drawn alone and each picture took twice the time."""
    alone = simulate_drawing([each for each in requests if each[1] is ANSWER], 2 * SECONDS_PER_PICTURE)[
        ANSWER
    ]
    waits = simulate_drawing(requests)
    assert max(waits[ANSWER], default=0.0) <= max(alone, default=0.0) + 2 * SECONDS_PER_PICTURE + 1e-9
    assert sum(map(len, waits.values())) == len(requests)


@pytest.mark.parametrize("seed", range(3))
def test_boards_do_not_starve_near_the_limit(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At nine tenths of the possible moves, boards come sooner than if they waited for all answers."""
    waits = simulate_moves(0.9 * MAX_MOVES_PER_SECOND, 120.0, seed)
    assert p95_wait(waits[ANSWER]) < 0.4
    monkeypatch.setattr(drawing_order, "MIN_OVERDUE", float("inf"))
    assert p95_wait(waits[BOARD]) < 0.75 * p95_wait(
        simulate_moves(0.9 * MAX_MOVES_PER_SECOND, 120.0, seed)[BOARD]
    )


@pytest.mark.parametrize("seed", range(3))
def test_under_overload_all_are_late_alike(seed: int) -> None:
    """Boards and hands are overdue for about as long as answers wait."""
    waits = simulate_moves(2 * MAX_MOVES_PER_SECOND, 60.0, seed)
    for priority in (BOARD, HAND):
        overdue = p95_wait(waits[priority]) - SECONDS_UNTIL_DUE[priority]
        assert abs(overdue - p95_wait(waits[ANSWER])) < 0.6
