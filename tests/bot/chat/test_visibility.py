"""Which channels the reader of a list may read of."""

from collections.abc import Mapping

import pytest

from bot.chat.visibility import visible_to_asker, visible_to_readers
from tests.bot.chat.guilds import GUILD, PRIVATE_THREAD, PUBLIC_THREAD, interaction_of, make_guild

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
