"""An outcome of chance that was undone reveals nothing of a secret outcome that follows."""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache

import pytest

from rules.currents import CURRENTS
from rules.currents.actions import CallJoker, Deal, DiscardCard, JokerShuffle
from rules.currents.model import CurrentsOptions
from rules.match import Match
from rules.random_stream import RandomStream
from rules.record import DrawnOutcome
from tests.trials import trial_count

pytestmark = pytest.mark.slow

SEED_COUNT = trial_count(1000, soak=80_000)


@cache
def find_match_with_joker() -> Match:
    """Return a game of four in which the seat to act may call a joker or discard it, before anybody won.

    The draw pile has a multiple of twelve cards: from such a pile the defect below would show, since the
    first numbers that a shuffle and a deal draw from one stream then agree in their remainders.
    """
    options = CurrentsOptions(jokers=True)
    for number in range(1000):
        rng = random.Random(number)
        match = Match.begin(CURRENTS, 4, options, rng.randbytes(32))
        while (seat := match.to_act) is not None:
            legal_actions = match.legal_actions(seat)
            kinds = {type(action) for action in legal_actions}
            if {CallJoker, DiscardCard} <= kinds and len(match.state.draw_pile) % 12 == 0:
                return match
            match = match.play(seat, rng.choice(legal_actions))
    raise AssertionError("nobody ever holds a joker")


def shuffles_and_deals(seed_count: int) -> Iterator[tuple[JokerShuffle, int]]:
    """Yield for each seed the public shuffle that is undone, and the pile's index that is dealt next."""
    before = find_match_with_joker()
    seat = before.to_act
    assert seat is not None
    legal_actions = before.legal_actions(seat)
    call = next(action for action in legal_actions if isinstance(action, CallJoker))
    discard = next(
        action for action in legal_actions if isinstance(action, DiscardCard) and action.card == call.card
    )
    for number in range(seed_count):
        match = Match.from_snapshot(
            CURRENTS, 4, before.options, number.to_bytes(32, "big"), before.history, before.snapshot()
        )
        match_after_call = match.play(seat, call)
        shuffle = match_after_call.new_records[1].action
        assert isinstance(shuffle, JokerShuffle)
        undone = match_after_call.undo(seat, len(match.history))
        after = undone.play(seat, discard)
        deal = after.new_records[1].action
        assert isinstance(deal, Deal)
        yield shuffle, before.state.draw_pile.index(deal.cards[0])


def count_hits_and_expected(seed_count: int) -> tuple[int, float]:
    """Return how often a guesser names the dealt card, and how often chance alone would.

    For every undone shuffle the guesser learns from the first half of the seeds which place of the draw pile
    is dealt most often after it, and names that place for the second half.
    """
    samples = list(shuffles_and_deals(seed_count))
    learned_counts: defaultdict[JokerShuffle, Counter[int]] = defaultdict(Counter)
    for shuffle, pile_index in samples[: seed_count // 2]:
        learned_counts[shuffle][pile_index] += 1
    tested_samples = samples[seed_count // 2 :]
    hit_count = sum(
        learned_counts[shuffle].most_common(1)[0][0] == pile_index
        for shuffle, pile_index in tested_samples
        if learned_counts[shuffle]
    )
    return hit_count, len(tested_samples) / len(find_match_with_joker().state.draw_pile)


def max_plausible_hit_count(expected_count: float) -> float:
    """Return five standard deviations above the mean; chance alone passes it less than once in a million."""
    return expected_count + 5 * math.sqrt(expected_count)


def test_an_undone_shuffle_tells_nothing_of_the_next_deal() -> None:
    """The guesser's hits stay within five standard deviations of chance.

    Seen over 2,000 seeds: 82 hits of 1,000 where chance alone gives 83; 325 with the defect below.
    """
    hit_count, expected_count = count_hits_and_expected(SEED_COUNT)
    assert hit_count < max_plausible_hit_count(expected_count), (
        f"{hit_count} hits, {expected_count:.0f} expected"
    )


def test_a_stream_keyed_by_the_number_of_outcomes_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the n-th outcome of any kind has one stream, the same guesser does several times better."""

    def draw_by_number(match: Match) -> DrawnOutcome:
        assert match.deal_key.key is not None
        kind = match.game.next_outcome_kind(match.view(None))
        stream = RandomStream(match.deal_key.key, sum(match.outcome_counts.values()))
        return DrawnOutcome(match.game.sample_chance(match.state, stream), kind, 0, ())

    monkeypatch.setattr(Match, "draw_outcome", draw_by_number)
    hit_count, expected_count = count_hits_and_expected(SEED_COUNT)
    assert hit_count > max_plausible_hit_count(expected_count), (
        f"{hit_count} hits, {expected_count:.0f} expected"
    )
