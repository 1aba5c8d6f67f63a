"""Suggestions of tables come at once although the store is busy."""

import asyncio
from typing import cast

import pytest

from bot.chat import table_suggestions
from bot.chat.table_suggestions import STORE_TIMEOUT, find_listings
from bot.store.protocol import Store, StoreError
from bot.store.rows import TableListing
from tests.trials import WAIT_TIMEOUT

LISTING = cast("TableListing", "a listing")
OTHER_LISTING = cast("TableListing", "another listing")


class BusyStore:
    """A store that answers when a test says so."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.own_listings: tuple[TableListing, ...] = (LISTING,)
        self.fails = False

    async def live_tables_of_user(self, _: int) -> tuple[TableListing, ...]:
        """Return the user's tables once the store may answer."""
        await self.may_answer.wait()
        if self.fails:
            raise StoreError("busy")
        return self.own_listings

    async def tables_in_channel(self, _: int) -> tuple[TableListing, ...]:
        """Return none."""
        await self.may_answer.wait()
        return ()


async def test_what_was_found_before_is_shown_while_the_store_is_busy() -> None:
    """Only those who have asked there before see it; the late answer is shown the next time."""
    busy_store = BusyStore()
    store = cast("Store", busy_store)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(find_listings(store, 1, 2), 4 * STORE_TIMEOUT)
    busy_store.may_answer.set()
    assert await find_listings(store, 1, 2) == (LISTING,)
    busy_store.may_answer.clear()
    busy_store.own_listings = (LISTING, OTHER_LISTING)
    assert await asyncio.wait_for(find_listings(store, 1, 2), WAIT_TIMEOUT) == (LISTING,)
    for user, channel in ((3, 2), (1, 3)):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(find_listings(store, user, channel), 4 * STORE_TIMEOUT)
    busy_store.may_answer.set()
    for _ in range(10):  # turns of the loop until the late answer is kept
        await asyncio.sleep(0)
    busy_store.may_answer.clear()
    assert await find_listings(store, 1, 2) == (LISTING, OTHER_LISTING)


async def test_an_old_answer_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is waited for instead, and where it fails, so do the suggestions."""
    busy_store = BusyStore()
    store = cast("Store", busy_store)
    busy_store.may_answer.set()
    assert await find_listings(store, 1, 2) == (LISTING,)
    monkeypatch.setattr(table_suggestions, "MAX_AGE", 0.0)
    busy_store.fails = True
    with pytest.raises(StoreError):
        await find_listings(store, 1, 2)


async def test_each_store_has_suggestions_of_its_own() -> None:
    """What one store has found is not shown while another is busy."""
    free_store, busy_store = BusyStore(), BusyStore()
    free_store.may_answer.set()
    assert await find_listings(cast("Store", free_store), 1, 2) == (LISTING,)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(find_listings(cast("Store", busy_store), 1, 2), 4 * STORE_TIMEOUT)
