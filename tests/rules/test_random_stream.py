"""The stream that chance draws from: known answers, uniform, independent, and committed to."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.random_stream import RandomStream, fits_fairness_code, make_fairness_code
from tests.trials import trial_count

SEED = bytes(range(32))
MAX_CHI_SQUARE = {1: 23.9, 5: 35.9, 9: 44.8, 19: 63.7, 23: 70.6, 51: 114.1}
"""Degrees of freedom -> the value that chance passes once in a million."""


KNOWN_WORDS = [1248494719112563117, 9792507679333457483]
KNOWN_INTEGERS = [41, 6, 44, 51, 26, 22, 12, 44, 41, 20, 48, 35]
KNOWN_SHUFFLE = (0, 9, 8, 3, 4, 6, 2, 1, 5, 7)
KNOWN_SAMPLE = ("A", "J", "I", "D")
KNOWN_CHOICE = "f"
KNOWN_WORD_OF_KIND_DEAL = 4997555427727634737
KNOWN_WORD_OF_KIND_SHUFFLE = 4933325633262256947
KNOWN_FAIRNESS_CODE = "7480798056447a5f517cde5fadbf4cfc59cb0b757f99fa084c256efec8610080"


def chi_square(counts: Counter[object], cell_count: int) -> float:
    """Return the chi-square statistic of the counts against equal ones."""
    expected = counts.total() / cell_count
    assert len(counts) <= cell_count
    statistic = sum((count - expected) ** 2 / expected for count in counts.values())
    return statistic + (cell_count - len(counts)) * expected


def test_known_answers() -> None:
    """The draws of a seed are fixed for ever: a change here breaks every running game's proof."""
    assert [RandomStream(SEED, 0).randbelow(1 << 64), RandomStream(SEED, 1).randbelow(1 << 64)] == KNOWN_WORDS
    stream = RandomStream(SEED, 7)
    assert [stream.randbelow(52) for _ in range(12)] == KNOWN_INTEGERS
    assert RandomStream(SEED, 3).shuffle(range(10)) == KNOWN_SHUFFLE
    assert RandomStream(SEED, 3).sample_ordered("ABCDEFGHIJ", 4) == KNOWN_SAMPLE
    assert RandomStream(bytes(32), 0).choose("abcdef") == KNOWN_CHOICE
    assert RandomStream(SEED, 3, kind="deal", seat=2).randbelow(1 << 64) == KNOWN_WORD_OF_KIND_DEAL
    assert RandomStream(SEED, 3, kind="shuffle").randbelow(1 << 64) == KNOWN_WORD_OF_KIND_SHUFFLE
    assert make_fairness_code("table-1", SEED) == KNOWN_FAIRNESS_CODE


@pytest.mark.parametrize("bound", [2, 6, 10, 52])
def test_randbelow_is_uniform(bound: int) -> None:
    """Each number below the bound comes equally often, in one stream and over many."""
    draw_count = trial_count(6000)
    stream = RandomStream(SEED, 0)
    counts_in_one_stream = Counter[object](stream.randbelow(bound) for _ in range(draw_count))
    counts_over_streams = Counter[object](RandomStream(SEED, n).randbelow(bound) for n in range(draw_count))

    assert chi_square(counts_in_one_stream, bound) < MAX_CHI_SQUARE[bound - 1]
    assert chi_square(counts_over_streams, bound) < MAX_CHI_SQUARE[bound - 1]


def test_orders_are_uniform() -> None:
    """All 24 orders of four items, and all samples of two out of five in order, come equally often."""
    draw_count = trial_count(6000)
    orders = Counter[object](RandomStream(SEED, n).shuffle("abcd") for n in range(draw_count))
    samples = Counter[object](RandomStream(SEED, n).sample_ordered("abcde", 2) for n in range(draw_count))

    assert chi_square(orders, 24) < MAX_CHI_SQUARE[23]
    assert chi_square(samples, 20) < MAX_CHI_SQUARE[19]


@pytest.mark.parametrize("bound", [3, 5, 52])
def test_words_beyond_the_last_whole_cycle_are_rejected(bound: int) -> None:
    """The first word that would favour the low numbers is thrown away, the last fair one is not."""
    limit = (1 << 64) - (1 << 64) % bound
    stream = RandomStream(SEED, 0)
    stream._words = [1, limit, limit - 1]

    assert [stream.randbelow(bound), stream.randbelow(bound)] == [bound - 1, 1]


def test_outcomes_are_independent() -> None:
    """One outcome says nothing about the next one."""
    pairs = Counter[object](
        (RandomStream(SEED, n).randbelow(2), RandomStream(SEED, n + 1).randbelow(5))
        for n in range(trial_count(6000))
    )

    assert chi_square(pairs, 10) < MAX_CHI_SQUARE[9]


def test_a_biased_draw_is_noticed() -> None:
    """Chi-square distinguishes a draw by the remainder of a byte from a uniform one."""
    biased_counts = Counter[object](RandomStream(SEED, n).randbelow(256) % 52 for n in range(60_000))

    assert chi_square(biased_counts, 52) > MAX_CHI_SQUARE[51]


def test_draws_do_not_depend_on_other_streams() -> None:
    """Each number has a stream of its own: how much others drew does not matter."""
    first = RandomStream(SEED, 1)
    first.shuffle(range(100))

    assert RandomStream(SEED, 2).shuffle(range(20)) == RandomStream(SEED, 2).shuffle(range(20))
    assert RandomStream(SEED, 2).shuffle(range(20)) != RandomStream(SEED, 3).shuffle(range(20))
    assert RandomStream(bytes(32), 2).shuffle(range(20)) != RandomStream(SEED, 2).shuffle(range(20))


@given(st.lists(st.integers(), max_size=30), st.integers(0, 1000), st.data())
def test_samples_are_of_the_items(items: list[int], n: int, data: st.DataObject) -> None:
    """A sample has as many items as asked for, none more often than it was there."""
    count = data.draw(st.integers(0, len(items)))
    drawn = RandomStream(SEED, n).sample_ordered(items, count)

    assert len(drawn) == count
    assert not Counter(drawn) - Counter(items)
    assert sorted(RandomStream(SEED, n).shuffle(items)) == sorted(items)


@pytest.mark.parametrize("bound", [0, -1])
def test_drawing_from_nothing_is_refused(bound: int) -> None:
    """There is no number below zero or less, and no item of none."""
    with pytest.raises(ValueError, match="at least 1"):
        RandomStream(SEED, 0).randbelow(bound)
    with pytest.raises(ValueError, match="at least 1"):
        RandomStream(SEED, 0).choose(())
    with pytest.raises(ValueError, match="at least 1"):
        RandomStream(SEED, 0).sample_ordered("ab", 3)


def test_kinds_and_seats_have_streams_of_their_own() -> None:
    """Draws of another kind, for another seat or for none are others, whatever the names run together to."""
    keys = [("deal", None), ("deal", 0), ("deal", 1), ("dea", 0), ("deall", 0), ("", 0), ("", None)]
    words = {RandomStream(SEED, 5, kind=kind, seat=seat).randbelow(1 << 64) for kind, seat in keys}
    assert len(words) == len(keys)


def test_an_unordered_sample_keeps_the_order_of_the_items() -> None:
    """It has the items of the ordered sample, in the order of the items; equal items are drawn one by one."""
    for n in range(50):
        picked = RandomStream(SEED, n).sample_unordered(range(20), 6)
        assert picked == tuple(sorted(RandomStream(SEED, n).sample_ordered(range(20), 6)))
    assert RandomStream(SEED, 0).sample_unordered("aab", 3) == ("a", "a", "b")


def test_choose_best_draws_among_equals() -> None:
    """Only items of the highest value are drawn, and each of them is."""
    drawn = {
        RandomStream(bytes(32), number).choose_best("abcd", (1.0, 2.0, 0.0, 2.0)) for number in range(32)
    }
    assert drawn == {"b", "d"}


def test_a_stream_remembers_its_draws() -> None:
    """Every draw is kept with the items that it was made from."""
    stream = RandomStream(SEED, 0)
    first, second = stream.sample_unordered("abcd", 2), stream.shuffle("xy")
    third = stream.choose("mn"), stream.randbelow(3)
    assert [draw.items for draw in stream.draws] == ["abcd", "xy", "mn", range(3)]
    assert [draw.drawn for draw in stream.draws] == [first, second, third[:1], third[1:]]
    assert [draw.is_ordered for draw in stream.draws] == [False, True, False, False]


def test_a_fairness_code_binds() -> None:
    """Only the same seed for the same match fits what was published."""
    published_code = make_fairness_code("table-1", SEED)

    assert fits_fairness_code("table-1", SEED, published_code)
    assert fits_fairness_code("table-1", SEED, published_code.upper())
    assert not fits_fairness_code("table-2", SEED, published_code)
    assert not fits_fairness_code("table-1", bytes(32), published_code)
    assert not fits_fairness_code("table-1", SEED, "é" * 64), "a code outside ASCII fits nothing"
    assert SEED.hex() not in published_code


def test_repr_shows_no_seed() -> None:
    """The ``repr`` of a stream, which may be logged, does not show the seed."""
    assert repr(RandomStream(SEED, 4)) == "RandomStream(number=4)"
