"""The caches keep what was used last, and no more bytes than they may."""

from collections import OrderedDict

from hypothesis import given
from hypothesis import strategies as st

from render.cache import ByteCache, TwoTierCache

KEYS = st.integers(0, 9)


@given(st.lists(st.tuples(st.booleans(), KEYS), max_size=60))
def test_the_least_recently_used_values_are_evicted(steps: list[tuple[bool, int]]) -> None:
    """A value is found until newer ones take its room; what is evicted is reported once."""
    evicted: list[tuple[object, str]] = []
    cache: ByteCache[str] = ByteCache(100, lambda key, value: evicted.append((key, value)))
    expected: OrderedDict[int, int] = OrderedDict()
    lost = 0
    for is_put, key in steps:
        if is_put:
            size = 10 + 7 * key
            cache.put(key, str(key), size)
            expected.pop(key, None)
            expected[key] = size
            while sum(expected.values()) > 100:
                expected.popitem(last=False)
                lost += 1
        else:
            assert cache.get(key) == (str(key) if key in expected else None)
            if key in expected:
                expected.move_to_end(key)
        assert cache.total == sum(expected.values()) <= 100
        assert len(cache) == len(expected)
        assert len(evicted) == lost


def test_a_value_that_is_too_large_is_not_kept() -> None:
    """Nor does it push out others for good."""
    cache: ByteCache[str] = ByteCache(100)
    cache.put("large", "large", 101)
    assert cache.get("large") is None
    assert cache.total == 0
    cache.put("small", "small", 1)
    assert cache.get("small") == "small"


class Packer:
    """Packs texts as bytes and counts."""

    def __init__(self) -> None:
        self.packed: list[str] = []
        self.unpacked: list[str] = []

    def pack(self, value: str) -> bytes:
        """Return a text as bytes."""
        self.packed.append(value)
        return value.encode()

    def unpack(self, packed: bytes) -> str:
        """Return the text that was packed."""
        self.unpacked.append(packed.decode())
        return packed.decode()


def make_cache(packer: Packer, hot: int, packed: int) -> TwoTierCache[str]:
    """Return a cache whose values take ten bytes each while they are hot."""
    return TwoTierCache(hot, packed, size=lambda _: 10, pack=packer.pack, unpack=packer.unpack)


def test_values_that_are_not_hot_are_packed() -> None:
    """They are found again, and are hot then; one that is packed already is not packed again."""
    packer = Packer()
    cache = make_cache(packer, 20, 10_000)
    for key in range(4):
        cache.put(key, f"value {key}")
    assert packer.packed == ["value 0", "value 1"]
    assert cache.get(3) == "value 3"
    assert not packer.unpacked
    assert [cache.get(0), cache.get(0)] == ["value 0", "value 0"]
    assert packer.unpacked == ["value 0"]
    assert cache.get(1) == "value 1"
    assert packer.packed == ["value 0", "value 1", "value 2", "value 3"]
    cache.clear()
    assert [cache.get(key) for key in range(4)] == [None] * 4
    assert cache.total == 0


@given(st.lists(st.tuples(st.booleans(), KEYS), max_size=60))
def test_two_tiers_keep_within_their_limits(steps: list[tuple[bool, int]]) -> None:
    """What is found is what was kept under the key."""
    cache = make_cache(Packer(), 30, 1500)
    for is_put, key in steps:
        if is_put:
            cache.put(key, str(key))
            assert cache.get(key) == str(key)
        else:
            assert cache.get(key) in {None, str(key)}
        assert cache.total <= cache.limit == 1530
