"""The caches keep what was used last, and no more than they may."""

import ast
from collections import OrderedDict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import render
from render.cache import ByteCache, EntryCache, PackedCache

KEYS = st.integers(0, 9)
STEP_LISTS = st.lists(st.tuples(st.booleans(), KEYS), max_size=60)


@given(STEP_LISTS)
def test_the_least_recently_used_values_are_evicted(steps: list[tuple[bool, int]]) -> None:
    """A value is found until newer ones take its room."""
    cache: ByteCache[str] = ByteCache(100, size_of=lambda value: 10 + 7 * int(value))
    expected: OrderedDict[int, int] = OrderedDict()
    for is_put, key in steps:
        if is_put:
            size = 10 + 7 * key
            cache.put(key, str(key))
            expected.pop(key, None)
            expected[key] = size
            while sum(expected.values()) > 100:
                expected.popitem(last=False)
        else:
            assert cache.get(key) == (str(key) if key in expected else None)
            if key in expected:
                expected.move_to_end(key)
        assert cache.byte_count == sum(expected.values()) <= 100
        assert len(cache) == len(expected)


@given(STEP_LISTS)
def test_a_limit_of_entries_evicts_the_least_recently_used(steps: list[tuple[bool, int]]) -> None:
    """Three values are kept: those that were kept or found last."""
    cache: EntryCache[str] = EntryCache(3)
    expected: OrderedDict[int, str] = OrderedDict()
    for number, (is_put, key) in enumerate(steps):
        if is_put:
            cache.put(key, f"{key} at {number}")
            expected.pop(key, None)
            expected[key] = f"{key} at {number}"
            while len(expected) > 3:
                expected.popitem(last=False)
        else:
            assert cache.get(key) == expected.get(key)
            if key in expected:
                expected.move_to_end(key)
        assert len(cache) == len(expected)


def test_a_value_that_is_too_large_is_not_kept() -> None:
    """A smaller one still is."""
    cache: ByteCache[str] = ByteCache(4, size_of=len)
    cache.put("large", "large")
    assert cache.get("large") is None
    assert cache.byte_count == 0
    cache.put("tiny", "tiny")
    assert cache.get("tiny") == "tiny"


def unpack(packed: bytes) -> str:
    """Return the text that was packed."""
    assert type(packed) is bytes
    return packed.decode()


@given(STEP_LISTS)
def test_packed_values_are_found_unpacked(steps: list[tuple[bool, int]]) -> None:
    """What is found is what was kept under the key, and all stay within the limit."""
    cache: PackedCache[str] = PackedCache(1500, pack=str.encode, unpack=unpack)
    for is_put, key in steps:
        if is_put:
            cache.put(key, str(key))
            assert cache.get(key) == str(key)
        else:
            assert cache.get(key) in {None, str(key)}
        assert 0 <= cache.byte_count <= cache.limit == 1500


@pytest.mark.parametrize("cache", [EntryCache(3), PackedCache(1500, pack=str.encode, unpack=unpack)])
def test_a_cleared_cache_is_empty(cache: EntryCache[str] | PackedCache[str]) -> None:
    """Nothing is found in it, and it keeps new values."""
    cache.put(1, "before")
    cache.clear()
    assert cache.get(1) is None
    cache.put(1, "after")
    assert cache.get(1) == "after"


@given(st.sampled_from((0.0, 0.25, 0.5, 1.0)))
def test_a_shrunk_cache_keeps_what_was_used_last(share: float) -> None:
    """Down to a share of the limit, and it fills again up to the limit."""
    byte_cache: ByteCache[str] = ByteCache(100, size_of=lambda value: 10)
    entry_cache: EntryCache[str] = EntryCache(10)
    packed_cache: PackedCache[str] = PackedCache(10 * (200 + 1), pack=str.encode, unpack=bytes.decode)
    for key in range(20):
        byte_cache.put(key, str(key))
        entry_cache.put(key, str(key))
        packed_cache.put(key, str(key % 10))
    for cache in (byte_cache, entry_cache, packed_cache):
        cache.shrink(share)
        kept = [key for key in range(20) if cache.get(key) is not None]
        assert kept == list(range(20 - int(10 * share), 20))
        for key in range(20):
            cache.put(key, "1")
        assert all(cache.get(key) for key in range(10, 20))


def test_every_cache_of_values_has_a_limit() -> None:
    """No function that draws keeps a value for each call that it ever had."""
    decorators = [
        ast.unparse(decorator).removeprefix("functools.")
        for path in Path(render.__path__[0]).rglob("*.py")
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef) and function.args.args
        for decorator in function.decorator_list
    ]
    assert sum(each.startswith("lru_cache(maxsize=") for each in decorators) > 100
    assert not {"cache", "lru_cache(None)", "lru_cache(maxsize=None)"} & set(decorators)
