"""Tables in memory are bounded by what they hold, and those used last stay."""

import random

from bot.host.table_cache import TableCache
from tests.bot.chat.sample_tables import sample_tables
from tests.bot.host.playing import KEY_OF_GAME_WITH_SECRETS


def test_the_tables_used_last_stay() -> None:
    """However tables come, grow and are used: the newest stay, and never too much in all."""
    rng = random.Random(5)
    tables = sample_tables(KEY_OF_GAME_WITH_SECRETS, 24, rng)
    max_records = 400
    cache = TableCache(max_records)
    used_numbers: list[int] = []
    for _ in range(600):
        number, table = rng.randint(1, 40), rng.choice(tables)
        if rng.random() < 0.5 and cache.get(number) is None:
            continue
        if rng.random() < 0.5:
            cache.put(table.with_row(number=number))
        if cache.get(number) is not None:
            used_numbers = [*(each for each in used_numbers if each != number), number]
        cached_numbers = [each for each in used_numbers if cache._tables.get(each) is not None]
        assert used_numbers[len(used_numbers) - len(cached_numbers) :] == cached_numbers, (
            "one used earlier outlived one used later"
        )
        record_count = sum(
            50 + len(each.match.history) for each in cache._tables.values() if each.match is not None
        )
        assert record_count <= max_records or len(cache) == 1
        used_numbers = cached_numbers


def test_an_evicted_table_is_gone() -> None:
    """A table that is evicted is not in the cache, and leaves room for others."""
    (one, other) = sample_tables(KEY_OF_GAME_WITH_SECRETS, 2, random.Random(1))
    cache = TableCache(50)
    cache.put(one.with_row(number=1))
    cache.evict(1)
    cache.evict(1)
    assert cache.get(1) is None
    assert len(cache) == 0
    cache.put(other.with_row(number=2))
    assert cache.get(2) is not None
