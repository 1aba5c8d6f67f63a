"""Which channels the reader of a list may read of."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from bot.chat.lookup import resolve_table
from bot.chat.visibility import tables_visible_to_asker, visible_to_asker, visible_to_readers
from bot.host.loading import NoSuchTable
from bot.host.tables import Tables
from tests.bot.chat.guilds import GUILD, PRIVATE_THREAD, PUBLIC_THREAD, interaction_of, make_guild
from tests.bot.host.conftest import clock, path, store, tables
from tests.bot.host.playing import EVERY_GAME, FIRST_USER, begin, default_setup, request_of
from tests.bot.host.timed_tables import GAME, set_row

__all__ = ["clock", "path", "store", "tables"]

PLACE, OTHER, THREAD, SECRET, UNKNOWN = 200, 201, 202, 203, 299
MEMBERS, MUTED, STAFF = 50, 51, 52
AVA, BEN = 301, 302
THREADS = {THREAD: (OTHER, PUBLIC_THREAD), SECRET: (OTHER, PRIVATE_THREAD)}


@pytest.mark.parametrize(
    ("overwrites", "roles", "visible"),
    [
        ({}, (), True),
        ({GUILD: False}, (), False),
        ({GUILD: False, MEMBERS: True}, (), False),
        ({GUILD: False, MEMBERS: True}, (MEMBERS,), True),
        ({MUTED: False}, (MUTED,), False),
        ({AVA: False}, (), False),
        ({GUILD: False, AVA: True}, (), True),
        ({GUILD: False, BEN: True}, (), False),
    ],
)
def test_what_the_asker_can_see(
    overwrites: Mapping[int, bool], roles: tuple[int, ...], *, visible: bool
) -> None:
    """A channel and its public threads, as roles and overwrites say; the place of the command always."""
    guild = make_guild({PLACE: {GUILD: False}, OTHER: overwrites}, THREADS, roles=(MEMBERS, MUTED, STAFF))
    is_visible = visible_to_asker(interaction_of(guild, AVA, PLACE, roles))
    assert [is_visible(each) for each in (PLACE, OTHER, THREAD)] == [True, visible, visible]
    assert not is_visible(SECRET)
    assert not is_visible(UNKNOWN)


def test_private_threads_are_seen_by_those_who_manage_threads() -> None:
    """Others read of the one in which they ask."""
    guild = make_guild({PLACE: {}, OTHER: {}}, THREADS, roles=(MEMBERS, STAFF))
    assert visible_to_asker(interaction_of(guild, AVA, PLACE, (STAFF,)))(SECRET)
    assert visible_to_asker(interaction_of(guild, AVA, SECRET, ()))(SECRET)
    assert not visible_to_asker(interaction_of(guild, AVA, PLACE, (MEMBERS,)))(SECRET)


@pytest.mark.parametrize(
    ("place", "other", "is_open", "visible"),
    [
        ({}, {}, True, True),
        ({}, {GUILD: False}, True, False),
        ({}, {MUTED: False}, True, False),
        ({}, {AVA: False}, True, False),
        ({}, {MEMBERS: True}, True, True),
        ({MEMBERS: True}, {GUILD: True}, False, True),
        ({MEMBERS: True}, {}, False, False),
        ({GUILD: False, MEMBERS: True}, {GUILD: False, MEMBERS: True}, True, True),
        ({GUILD: False, MEMBERS: True}, {GUILD: False, STAFF: True}, True, False),
        ({GUILD: False, MEMBERS: True}, {GUILD: False, MEMBERS: True, MUTED: False}, True, False),
        ({GUILD: False, STAFF: True}, {}, True, True),
    ],
)
def test_what_all_readers_of_a_message_can_see(
    place: Mapping[int, bool], other: Mapping[int, bool], *, is_open: bool, visible: bool
) -> None:
    """A channel that is hidden from nobody, or has the same overwrites; with its public threads."""
    guild = make_guild({PLACE: place, OTHER: other}, THREADS, roles=(MEMBERS, MUTED, STAFF), is_open=is_open)
    is_visible = visible_to_readers(guild, PLACE)
    assert [is_visible(each) for each in (PLACE, OTHER, THREAD)] == [True, visible, visible]
    assert not is_visible(SECRET)
    assert not is_visible(UNKNOWN)


def test_a_message_in_a_thread_names_its_channel() -> None:
    """Who sees the thread sees its channel, and the channel's other public threads."""
    guild = make_guild({OTHER: {GUILD: False}}, THREADS)
    for place in (THREAD, SECRET):
        is_visible = visible_to_readers(guild, place)
        assert is_visible(place)
        assert is_visible(OTHER)
        assert is_visible(THREAD)
    assert not visible_to_readers(guild, THREAD)(SECRET)


@pytest.mark.parametrize("shown", [True, False])
async def test_a_table_in_a_hidden_channel_is_not_found_by_its_number(tables: Tables, *, shown: bool) -> None:
    """As if nobody had that number, except for its players, its host and admins; also in a thread."""
    number = await begin(tables, default_setup(EVERY_GAME[GAME], 2))
    for game_channel, lobby_channel in ((OTHER, OTHER), (THREAD, OTHER), (UNKNOWN, OTHER), (OTHER, PLACE)):
        await set_row(tables, number, game_channel=game_channel, lobby_channel=lobby_channel, host=1)
        guild = make_guild({PLACE: {}, OTHER: {} if shown else {GUILD: False}}, THREADS)
        asker = replace(
            request_of(0),
            user=AVA,
            channel=PLACE,
            can_see=tables_visible_to_asker(interaction_of(guild, AVA, PLACE)),
        )
        if shown:
            assert (await resolve_table(tables, asker, number)).number == number
        else:
            texts = []
            for wanted in (number, number + 1):
                with pytest.raises(NoSuchTable) as refused:
                    await resolve_table(tables, asker, wanted)
                texts.append(str(refused.value).replace(str(wanted), "N"))
            assert texts[0] == texts[1], "the refusal says that there is a table"
        for user, admin in ((FIRST_USER + 1, False), (1, False), (AVA, True)):
            finder = replace(asker, user=user, admin=admin)
            assert (await resolve_table(tables, finder, number)).number == number
