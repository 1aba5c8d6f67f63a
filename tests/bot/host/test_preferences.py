"""What people and servers set is kept, and read from the store once."""

import asyncio
from functools import partial

import pytest
from msgspec.structs import replace

from bot.host import preferences
from bot.host.preferences import PersonPreferences, ServerPreferences
from bot.store.preferences import MAX_SERVER_AUDIT_ENTRIES, PersonRow, QuietHours, ServerAuditEntry, ServerRow
from bot.store.sqlite import SqliteStore


async def test_somebody_who_has_set_nothing_has_the_defaults(store: SqliteStore) -> None:
    """A person and a server that are not stored have rows of defaults, and are not stored by reading."""
    assert await PersonPreferences(store).get(7) == PersonRow(7)
    assert await ServerPreferences(store).get(7) == ServerRow(7)
    assert await store.preferences(PersonRow, (7,)) == {} == await store.preferences(ServerRow, (7,))


async def test_preferences_survive_the_process(store: SqliteStore) -> None:
    """What was changed is read by another process, field by field; what was deleted is gone."""
    people, servers = PersonPreferences(store), ServerPreferences(store)
    person = await people.change(
        7, lambda row: replace(row, time_zone="Europe/Paris", quiet_hours=QuietHours(60, 120))
    )
    server = await servers.change(7, lambda row: replace(row, channels=(1, 2), status_message=5))
    assert await PersonPreferences(store).get(7) == person == await people.get(7)
    assert await ServerPreferences(store).get(7) == server
    await people.delete(7)
    assert await people.get(7) == PersonRow(7) == await PersonPreferences(store).get(7)


async def test_what_admins_change_is_recorded(store: SqliteStore) -> None:
    """The newest first, each server by itself, and no more than are kept; nothing where nothing changes."""
    servers = ServerPreferences(store)
    for days in range(1, MAX_SERVER_AUDIT_ENTRIES + 3):
        entry = ServerAuditEntry(100, f"set {days} days", days)
        await servers.change(7, partial(replace, away_days=days), entry)
    await servers.change(7, partial(replace, away_days=days), ServerAuditEntry(101, "changed nothing", 500))
    await servers.change(8, partial(replace, away_days=3), ServerAuditEntry(101, "set 3 days", 501))
    await servers.change(8, partial(replace, status_message=3))
    entries = await store.last_server_audit_entries(7, 1_000)
    assert entries[0] == entry
    assert [each.at for each in entries] == list(range(MAX_SERVER_AUDIT_ENTRIES + 2, 2, -1))
    assert await store.last_server_audit_entries(8, 5) == (ServerAuditEntry(101, "set 3 days", 501),)


async def test_a_person_is_erased_from_the_log_of_a_server(store: SqliteStore) -> None:
    """What was set stays; who did it does not, and until then their data name it."""
    for user in (100, 101):
        await ServerPreferences(store).change(
            7, partial(replace, away_days=user), ServerAuditEntry(user, "set it", 5)
        )
    data = await store.personal_data(100)
    assert data["server_setting_changes"] == [{"server": 7, "entry": "set it", "at": 5}]
    await PersonPreferences(store).delete(100)
    assert [each.user for each in await store.last_server_audit_entries(7, 5)] == [101, None]
    assert (await store.personal_data(100))["server_setting_changes"] == []


async def test_no_change_is_lost_beside_another(store: SqliteStore) -> None:
    """Changes of one row at the same time are made one after the other."""
    people = PersonPreferences(store)
    changes = (
        people.change(7, lambda row: replace(row, snoozed_until=row.snoozed_until + 1)) for _ in range(20)
    )
    await asyncio.gather(*changes)
    assert (await PersonPreferences(store).get(7)).snoozed_until == 20


async def test_a_full_cache_loses_nothing(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who is read together with more people than the cache holds has their own settings."""
    monkeypatch.setattr(preferences, "MAX_CACHED_ROWS", 2)
    people = PersonPreferences(store)
    for user in range(4):
        await people.change(user, lambda row: replace(row, is_unlisted=True))
    for users in ((0, 1, 2, 3), (3, 0), (0, 1, 2)):
        found = await people.get_many(users)
        assert [found[user].is_unlisted for user in users] == [True] * len(users)


async def test_the_cache_holds_what_was_used_last(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that is read again and again is not read from the store again."""
    monkeypatch.setattr(preferences, "MAX_CACHED_ROWS", 2)
    people = PersonPreferences(store)
    for user in range(1, 6):
        await people.get(0)
        await people.get(user)
    assert list(people._cache) == [0, 5]
    await people.get(0)
    assert list(people._cache) == [5, 0]
