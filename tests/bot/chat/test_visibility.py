"""Which channels somebody may read of, and which tables they find, press, join or are suggested."""

from collections.abc import Mapping
from functools import partial
from types import SimpleNamespace
from typing import cast

import discord
import pytest
from msgspec.structs import replace

from bot.chat.command_tree import suggest_tables
from bot.chat.component_press import ComponentPress
from bot.chat.handlers import handle_press
from bot.chat.lookup import resolve_button_table, resolve_table
from bot.chat.post_parts import table_custom_id
from bot.chat.response import Response
from bot.chat.server_tables import read_server_tables
from bot.chat.visibility import IsVisible, visibility_for_readers, visibility_for_requester
from bot.host.deciders import lobby, moderation
from bot.host.loading import NoSuchTable
from bot.host.request import Request
from bot.host.tables import Tables
from bot.store.rows import Status
from tests.bot.chat.guilds import GUILD, PRIVATE_THREAD_TYPE, PUBLIC_THREAD_TYPE, interaction_of, make_guild
from tests.bot.host.conftest import clock, tables
from tests.bot.host.ended_games import resign
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    begin,
    default_setup,
    open_lobby,
    request_of_person,
)
from tests.bot.host.timed_tables import ANY_GAME_KEY, change_row
from tests.bot.host.viewer_output import ResponseRecorder

__all__ = ["clock", "tables"]

REQUEST_CHANNEL, OTHER_CHANNEL, PUBLIC_THREAD, PRIVATE_THREAD, UNKNOWN_CHANNEL = 200, 201, 202, 203, 299
"""Channels: where somebody asks, another one, its public and its private thread, and an unknown one."""
MEMBER_ROLE, MUTED_ROLE, STAFF_ROLE = 50, 51, 52
"""Roles; the last one may manage threads."""
AVA, BEN = 301, 302
"""Users."""
THREADS = {
    PUBLIC_THREAD: (OTHER_CHANNEL, PUBLIC_THREAD_TYPE),
    PRIVATE_THREAD: (OTHER_CHANNEL, PRIVATE_THREAD_TYPE),
}


def _check_other_channel(is_visible: IsVisible, *, should_be_visible: bool) -> None:
    """Check that the other channel and its public thread are visible or not, and no hidden place is."""
    assert is_visible(REQUEST_CHANNEL)
    assert [is_visible(OTHER_CHANNEL), is_visible(PUBLIC_THREAD)] == [should_be_visible, should_be_visible]
    assert not is_visible(PRIVATE_THREAD)
    assert not is_visible(UNKNOWN_CHANNEL)


@pytest.mark.parametrize(
    ("overwrites", "roles", "should_be_visible"),
    [
        ({}, (), True),
        ({GUILD: False}, (), False),
        ({GUILD: False, MEMBER_ROLE: True}, (), False),
        ({GUILD: False, MEMBER_ROLE: True}, (MEMBER_ROLE,), True),
        ({MUTED_ROLE: False}, (MUTED_ROLE,), False),
        ({AVA: False}, (), False),
        ({GUILD: False, AVA: True}, (), True),
        ({GUILD: False, BEN: True}, (), False),
    ],
)
def test_the_requester_sees_what_roles_and_overwrites_allow(
    overwrites: Mapping[int, bool], roles: tuple[int, ...], *, should_be_visible: bool
) -> None:
    """A channel and its public threads, as roles and overwrites say; the place of the command always."""
    guild = make_guild(
        {REQUEST_CHANNEL: {GUILD: False}, OTHER_CHANNEL: overwrites},
        THREADS,
        role_ids=(MEMBER_ROLE, MUTED_ROLE, STAFF_ROLE),
    )
    is_visible = visibility_for_requester(interaction_of(guild, AVA, REQUEST_CHANNEL, roles))
    _check_other_channel(is_visible, should_be_visible=should_be_visible)


def test_private_threads_are_seen_by_those_who_manage_threads() -> None:
    """Others read of the one in which they ask."""
    guild = make_guild({REQUEST_CHANNEL: {}, OTHER_CHANNEL: {}}, THREADS, role_ids=(MEMBER_ROLE, STAFF_ROLE))
    assert visibility_for_requester(interaction_of(guild, AVA, REQUEST_CHANNEL, (STAFF_ROLE,)))(
        PRIVATE_THREAD
    )
    assert visibility_for_requester(interaction_of(guild, AVA, PRIVATE_THREAD, ()))(PRIVATE_THREAD)
    assert not visibility_for_requester(interaction_of(guild, AVA, REQUEST_CHANNEL, (MEMBER_ROLE,)))(
        PRIVATE_THREAD
    )


@pytest.mark.parametrize(
    ("own_overwrites", "other_overwrites", "is_visible_by_default", "should_be_visible"),
    [
        ({}, {}, True, True),
        ({}, {GUILD: False}, True, False),
        ({}, {MUTED_ROLE: False}, True, False),
        ({}, {AVA: False}, True, False),
        ({}, {MEMBER_ROLE: True}, True, True),
        ({}, {MUTED_ROLE: None}, True, True),
        ({GUILD: False, MEMBER_ROLE: True}, {GUILD: False, MEMBER_ROLE: True, MUTED_ROLE: None}, True, True),
        ({MEMBER_ROLE: True}, {GUILD: True}, False, True),
        ({MEMBER_ROLE: True}, {}, False, False),
        ({GUILD: False, MEMBER_ROLE: True}, {GUILD: False, MEMBER_ROLE: True}, True, True),
        ({GUILD: False, MEMBER_ROLE: True}, {GUILD: False, STAFF_ROLE: True}, True, False),
        (
            {GUILD: False, MEMBER_ROLE: True},
            {GUILD: False, MEMBER_ROLE: True, MUTED_ROLE: False},
            True,
            False,
        ),
        ({GUILD: False, STAFF_ROLE: True}, {}, True, True),
    ],
)
def test_readers_see_channels_hidden_from_nobody_or_with_equal_overwrites(
    own_overwrites: Mapping[int, bool | None],
    other_overwrites: Mapping[int, bool | None],
    *,
    is_visible_by_default: bool,
    should_be_visible: bool,
) -> None:
    """A channel that is hidden from nobody, or has the same overwrites; with its public threads."""
    guild = make_guild(
        {REQUEST_CHANNEL: own_overwrites, OTHER_CHANNEL: other_overwrites},
        THREADS,
        role_ids=(MEMBER_ROLE, MUTED_ROLE, STAFF_ROLE),
        is_visible_by_default=is_visible_by_default,
    )
    is_visible = visibility_for_readers(guild, REQUEST_CHANNEL)
    _check_other_channel(is_visible, should_be_visible=should_be_visible)


def test_readers_in_a_thread_see_its_channel() -> None:
    """Somebody who sees the thread sees its channel, and the channel's other public threads."""
    guild = make_guild({OTHER_CHANNEL: {GUILD: False}}, THREADS)
    for thread in (PUBLIC_THREAD, PRIVATE_THREAD):
        is_visible = visibility_for_readers(guild, thread)
        assert is_visible(thread)
        assert is_visible(OTHER_CHANNEL)
        assert is_visible(PUBLIC_THREAD)
    assert not visibility_for_readers(guild, PUBLIC_THREAD)(PRIVATE_THREAD)


def test_ones_own_place_is_visible_though_it_is_not_cached() -> None:
    """As a thread may be, whatever its channel is, and so is such a thread of one's own hidden channel."""
    channels = {REQUEST_CHANNEL: {GUILD: False}, OTHER_CHANNEL: {GUILD: False, MEMBER_ROLE: True}}
    guild = make_guild(channels, role_ids=(MEMBER_ROLE, STAFF_ROLE))
    places = (UNKNOWN_CHANNEL, REQUEST_CHANNEL)
    for at_thread, at_channel in (
        [visibility_for_requester(interaction_of(guild, AVA, place)) for place in places],
        [visibility_for_readers(guild, place) for place in places],
    ):
        assert at_thread(UNKNOWN_CHANNEL)
        assert at_thread(UNKNOWN_CHANNEL, OTHER_CHANNEL)
        assert not at_thread(OTHER_CHANNEL)
        assert at_channel(UNKNOWN_CHANNEL, REQUEST_CHANNEL)
        assert not at_channel(UNKNOWN_CHANNEL, OTHER_CHANNEL)


def test_readers_of_an_archived_thread_see_as_those_of_its_channel() -> None:
    """They see channels with the same overwrites; without the thread nothing else is known to be visible."""
    channels = {OTHER_CHANNEL: {GUILD: False}, REQUEST_CHANNEL: {GUILD: False}}
    archived_thread = make_guild(channels, THREADS).get_thread(PUBLIC_THREAD)
    guild = make_guild(channels)
    assert visibility_for_readers(guild, PUBLIC_THREAD, archived_thread)(REQUEST_CHANNEL)
    assert not visibility_for_readers(guild, PUBLIC_THREAD)(REQUEST_CHANNEL)


def request_in_guild(guild: discord.Guild, user: int = AVA, interaction: int | None = None) -> Request:
    """Return a request in ``REQUEST_CHANNEL`` of somebody who sees what the server lets them see."""
    can_see = visibility_for_requester(interaction_of(guild, user, REQUEST_CHANNEL))
    return replace(request_of_person(0, interaction), user=user, channel=REQUEST_CHANNEL, can_see=can_see)


@pytest.mark.parametrize("is_shown", [True, False])
async def test_a_table_in_a_hidden_channel_is_not_found_by_its_number(
    tables: Tables, *, is_shown: bool
) -> None:
    """As if nobody had that number, except for its players, its host and admins; also in a thread."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[ANY_GAME_KEY], 2))
    for game_channel, visibility_channel in (
        (OTHER_CHANNEL, OTHER_CHANNEL),
        (PUBLIC_THREAD, OTHER_CHANNEL),
        (UNKNOWN_CHANNEL, OTHER_CHANNEL),
        (OTHER_CHANNEL, REQUEST_CHANNEL),
    ):
        await change_row(
            tables, number, game_channel=game_channel, visibility_channel=visibility_channel, host=1
        )
        guild = make_guild({REQUEST_CHANNEL: {}, OTHER_CHANNEL: {} if is_shown else {GUILD: False}}, THREADS)
        request = request_in_guild(guild)
        if is_shown:
            assert (await resolve_table(tables, request, number)).number == number
        else:
            texts = []
            for wanted in (number, number + 1):
                with pytest.raises(NoSuchTable) as refused:
                    await resolve_table(tables, request, wanted)
                texts.append(str(refused.value).replace(str(wanted), "N"))
            assert texts[0] == texts[1], "the refusal says that there is a table"
        for user, admin in ((FIRST_USER + 1, False), (1, False), (AVA, True)):
            finder_request = replace(request, user=user, is_admin=admin)
            assert (await resolve_table(tables, finder_request, number)).number == number


@pytest.mark.parametrize("is_shown", [True, False])
async def test_a_button_shows_no_table_in_a_hidden_channel(tables: Tables, *, is_shown: bool) -> None:
    """A list of tables may be older than what its reader can see, and an id can be made up."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[ANY_GAME_KEY], 2))
    await change_row(tables, number, game_channel=OTHER_CHANNEL, lobby_channel=OTHER_CHANNEL)
    guild = make_guild({REQUEST_CHANNEL: {}, OTHER_CHANNEL: {} if is_shown else {GUILD: False}})
    presser_request = request_in_guild(guild)
    custom_id = table_custom_id(await tables.get(number), "log")
    if is_shown:
        assert (await resolve_button_table(tables, custom_id, presser_request)).number == number
        return
    with pytest.raises(NoSuchTable) as hidden:
        await resolve_button_table(tables, custom_id, presser_request)
    with pytest.raises(NoSuchTable) as unknown:
        await resolve_button_table(tables, replace(custom_id, table_number=number + 1), presser_request)
    assert str(hidden.value).replace(str(number), "N") == str(unknown.value).replace(str(number + 1), "N")
    player_request = replace(presser_request, user=FIRST_USER)
    assert (await resolve_button_table(tables, custom_id, player_request)).number == number


async def test_a_rematch_in_a_hidden_channel_is_not_joined(tables: Tables) -> None:
    """Whoever may press its button may not see the channel of the lobby, where the rematch stands."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[ANY_GAME_KEY], 2))
    await change_row(
        tables, number, game_channel=OTHER_CHANNEL, lobby_channel=OTHER_CHANNEL, status=Status.ENDED_EARLY
    )
    guild = make_guild({REQUEST_CHANNEL: {}, OTHER_CHANNEL: {GUILD: False}})
    custom_id = table_custom_id(await tables.get(number), "again")

    async def press(user: int, interaction: int) -> None:
        request = request_in_guild(guild, user, interaction)
        await handle_press(ComponentPress(tables, cast("Response", ResponseRecorder()), custom_id, request))

    await press(FIRST_USER, 901)
    with pytest.raises(NoSuchTable):
        await press(AVA, 902)
    assert len((await tables.get(number + 1)).seats) == 1


@pytest.mark.parametrize("is_shown", [True, False])
async def test_a_lobbys_channel_does_not_show_a_game_that_was_hidden(
    tables: Tables, *, is_shown: bool
) -> None:
    """Moved to a hidden channel, it is found where its lobby stands by those alone who can see it."""
    numbers = [await begin(tables, default_setup(GAMES_AND_TOYS[ANY_GAME_KEY], 2)) for _ in range(2)]
    for number, channel in zip(numbers, (REQUEST_CHANNEL, OTHER_CHANNEL), strict=True):
        await change_row(
            tables, number, game_channel=channel, lobby_channel=REQUEST_CHANNEL, status=Status.ENDED_EARLY
        )
    guild = make_guild({REQUEST_CHANNEL: {}, OTHER_CHANNEL: {} if is_shown else {GUILD: False}})
    request = request_in_guild(guild)
    assert (await resolve_table(tables, request)).number == numbers[is_shown]
    player_request = replace(request, user=FIRST_USER)
    assert (await resolve_table(tables, player_request)).number == numbers[1]
    if not is_shown:
        await change_row(tables, numbers[0], game_channel=OTHER_CHANNEL)
        with pytest.raises(NoSuchTable, match="no table here"):
            await resolve_table(tables, request)


@pytest.mark.parametrize(
    ("parent_channel", "is_private", "is_shown"),
    [
        (None, False, False),
        (REQUEST_CHANNEL, False, True),
        (REQUEST_CHANNEL, True, False),
        (OTHER_CHANNEL, False, False),
    ],
)
async def test_an_archived_thread_is_seen_by_the_readers_of_its_channel(
    tables: Tables, parent_channel: int | None, *, is_private: bool, is_shown: bool
) -> None:
    """Nobody knows it any more: what counts is the channel it was in when the game moved there."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[ANY_GAME_KEY], 2))
    await change_row(tables, number, lobby_channel=REQUEST_CHANNEL)
    mover_request = replace(
        request_of_person(0),
        channel=UNKNOWN_CHANNEL,
        parent_channel=parent_channel,
        is_private_thread=is_private,
    )
    move = partial(moderation.move_here, request=mover_request)
    await tables.change_that_may_start_game(number, mover_request, move, UNKNOWN_CHANNEL)
    guild = make_guild({REQUEST_CHANNEL: {}, OTHER_CHANNEL: {GUILD: False}})
    request = request_in_guild(guild)
    if is_shown:
        assert (await resolve_table(tables, request, number)).number == number
    else:
        with pytest.raises(NoSuchTable):
            await resolve_table(tables, request, number)


@pytest.mark.parametrize(
    ("visibility_channel", "is_shown"), [(REQUEST_CHANNEL, True), (OTHER_CHANNEL, False), (None, False)]
)
async def test_an_archived_thread_is_listed_for_the_readers_of_its_channel(
    tables: Tables, visibility_channel: int | None, *, is_shown: bool
) -> None:
    """Its lobby, game or result stands in ``/games`` and in the status message."""
    game = GAMES_AND_TOYS[ANY_GAME_KEY]
    numbers = [await open_lobby(tables, game)]
    numbers += [await begin(tables, default_setup(game, 2)) for _ in range(2)]
    await resign(tables, numbers[-1], 1)
    channels = {
        "game_channel": UNKNOWN_CHANNEL,
        "lobby_channel": UNKNOWN_CHANNEL,
        "visibility_channel": visibility_channel,
    }
    for number in numbers:
        await change_row(tables, number, **channels)
    guild = make_guild({REQUEST_CHANNEL: {}, OTHER_CHANNEL: {GUILD: False}})
    for is_visible in (
        visibility_for_requester(interaction_of(guild, AVA, REQUEST_CHANNEL)),
        visibility_for_readers(guild, REQUEST_CHANNEL),
    ):
        found = await read_server_tables(tables, GUILD, is_visible)
        listed = [each.number for each in found.lobbies] + [each.number for each in found.started_listings]
        listed += [each.table_number for each in found.results]
        assert listed == (numbers if is_shown else [])


async def test_a_lobby_and_its_rematch_note_who_may_see_them(tables: Tables) -> None:
    """A lobby in a thread belongs to the readers of its channel, unless the thread is private."""
    game = GAMES_AND_TOYS[ANY_GAME_KEY]
    visibility_channels = []
    for is_private in (False, True):
        host_request = replace(
            request_of_person(0),
            channel=PUBLIC_THREAD,
            parent_channel=OTHER_CHANNEL,
            is_private_thread=is_private,
        )
        opening = lobby.open_table(1, game, "", host_request, bytes(32), 0)
        visibility_channels.append(opening.table.row.visibility_channel)
        ended_table = opening.table.with_row(
            status=Status.ENDED_EARLY, game_channel=REQUEST_CHANNEL, lobby=opening.table.row.lobby.as_over()
        )
        rematch = lobby.open_rematch(2, game, ended_table, host_request, bytes(32), 0)
        assert rematch.table.row.visibility_channel == visibility_channels[-1], "asked for in that thread"
    assert visibility_channels == [OTHER_CHANNEL, None]
    number = await begin(tables, default_setup(game, 2))
    await change_row(
        tables, number, status=Status.ENDED_EARLY, lobby_channel=REQUEST_CHANNEL, visibility_channel=None
    )
    request = replace(request_of_person(0), channel=PUBLIC_THREAD, parent_channel=OTHER_CHANNEL)
    rematch = lobby.open_rematch(2, game, await tables.get(number), request, bytes(32), 0)
    assert rematch.table.row.visibility_channel == OTHER_CHANNEL, "its game was moved to a private thread"
    for visibility_channel in (OTHER_CHANNEL, None):  # a lobby in a thread, where its game stays
        row = {
            "game_channel": PUBLIC_THREAD,
            "lobby_channel": PUBLIC_THREAD,
            "visibility_channel": visibility_channel,
        }
        await change_row(tables, number, **row)
        rematch = lobby.open_rematch(2, game, await tables.get(number), request, bytes(32), 0)
        assert rematch.table.row.visibility_channel == visibility_channel


@pytest.mark.parametrize("is_shown", [True, False])
async def test_no_table_in_a_hidden_channel_is_suggested(tables: Tables, *, is_shown: bool) -> None:
    """While somebody types, either: where its lobby stood, its players alone get its number."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[ANY_GAME_KEY], 2))
    await change_row(
        tables, number, game_channel=OTHER_CHANNEL, lobby_channel=REQUEST_CHANNEL, status=Status.ENDED_EARLY
    )
    guild = make_guild({REQUEST_CHANNEL: {}, OTHER_CHANNEL: {} if is_shown else {GUILD: False}})

    assert await _suggested_numbers(tables, guild, AVA) == [number] * is_shown
    assert await _suggested_numbers(tables, guild, FIRST_USER) == [number]


async def test_resigned_games_are_suggested_last(tables: Tables) -> None:
    """A game from which the requester has resigned stands below the others."""
    resigned_number, number = [await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 3)) for _ in "ab"]
    await resign(tables, resigned_number, 0)
    guild = make_guild({REQUEST_CHANNEL: {}})
    assert await _suggested_numbers(tables, guild, FIRST_USER) == [number, resigned_number]
    assert await _suggested_numbers(tables, guild, FIRST_USER + 1) == [resigned_number, number]


async def _suggested_numbers(tables: Tables, guild: discord.Guild, user: int) -> list[int]:
    """Return the numbers of the tables that a user is suggested in the requester's channel."""
    interaction = interaction_of(guild, user, REQUEST_CHANNEL)
    nothing = discord.Permissions.none()
    fields: dict[str, object] = {
        "id": 1,
        "guild_id": GUILD,
        "channel": None,
        "extras": {},
        "permissions": nothing,
    }
    vars(interaction).update(fields, app_permissions=nothing)
    interaction.client = SimpleNamespace(host=SimpleNamespace(tables=tables, metrics=tables.metrics))
    return [choice.value for choice in await suggest_tables(interaction, "")]
