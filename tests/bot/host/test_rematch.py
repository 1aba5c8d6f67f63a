"""A rematch: the same options, clock and lobby settings, with the seats moved on by one."""

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from bot.chat.posts import board_post
from bot.host.deciders import admission, lobby, moderation
from bot.host.deciders.decision import Decision
from bot.host.erasing import erase_person
from bot.host.quotas import UNLIMITED, QuotaExceeded
from bot.host.reliability import Reliability
from bot.host.request import Refusal, Request
from bot.host.tables import Tables
from bot.store.clock_rows import TimeControl
from bot.store.lobby_rows import AdmissionRule
from bot.store.rows import Change, Status
from bot.store.sqlite import SqliteStore
from tests.bot.chat.post_components import button_labels
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.erased_person import check_progress
from tests.bot.host.fake_chat import labels, stub_board_pictures
from tests.bot.host.playing import (
    CHANNEL,
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    ManualClock,
    begin,
    default_setup,
    request_of_person,
)
from tests.bot.store.sample_rows import execute_sql
from tests.bot.trust.recording_courier import ProcessKilled

GAME = GAMES_AND_TOYS["currents"]


async def begin_and_end_game(tables: Tables) -> int:
    """Play a game of Ava, Ben, a computer player and Dimitri to an early end."""
    host_request = request_of_person(0)
    opened = await tables.open(
        lambda number, seed, now: lobby.open_table(
            number, GAME, "turn_cap=100", host_request, seed, now, TimeControl(turn_seconds=3600)
        ),
        host_request,
    )
    number = opened.table.number

    async def change(seat: int, decide: Callable[..., Decision], **options: object) -> None:
        request = request_of_person(seat)
        await tables.change(number, request, partial(decide, request=request, **options))

    await change(1, lobby.join)
    await change(0, lobby.add_computer, computer="casual")
    await change(3, lobby.join)
    await change(0, admission.set_by_invitation, by_invitation=True)
    await change(0, admission.set_admission_rule, rule=AdmissionRule.RELIABLE)
    await change(0, lobby.start, is_channel_busy=False)
    await change(0, moderation.end)
    return number


async def open_rematch(tables: Tables, ended_number: int, seat: int, pressed: Request | None = None) -> int:
    """Press **Rematch**; return the number of the new table.  ``pressed``: the request; None: the seat's."""
    request, table = pressed or request_of_person(seat), await tables.get(ended_number)
    result = await tables.open_rematch(
        ended_number,
        lambda number, seed, now: lobby.open_rematch(number, table.game, table, request, seed, now),
        request,
    )
    return result.table.number


async def test_a_game_that_was_ended_early_offers_a_rematch(tables: Tables) -> None:
    """Its board has the button first, as the result of any other game has."""
    number = await begin(tables, default_setup(GAME, 4))
    assert "Rematch" not in button_labels(board_post(await tables.get(number), None))
    await tables.change(number, request_of_person(0), partial(moderation.end, request=request_of_person(0)))
    assert button_labels(board_post(await tables.get(number), None))[0] == "Rematch"
    rematch = await tables.get(await open_rematch(tables, number, 1))
    assert rematch.status is Status.LOBBY


async def test_an_erased_player_leaves_no_place_to_a_computer(tables: Tables) -> None:
    """Those who are left sit in the order of the ended game, from the second of them on."""
    ended_number = await begin(tables, default_setup(GAME, 4), computer_count=1)
    await tables.change(
        ended_number, request_of_person(0), partial(moderation.end, request=request_of_person(0))
    )
    assert await erase_person(tables, request_of_person(1), check_progress) == 0
    number = await open_rematch(tables, ended_number, 0)
    await tables.change(number, request_of_person(2), partial(lobby.join, request=request_of_person(2)))
    assert (await tables.get(number)).plain_names == ("Chloé", "Random 1", "Ava")


@pytest.mark.parametrize("join_order", [(0, 1, 3), (3, 1, 0), (1, 0, 3)])
async def test_the_second_player_of_the_ended_game_sits_first(
    tables: Tables, join_order: tuple[int, ...]
) -> None:
    """The second player sits first, no matter who asks and in which order they join."""
    ended_number = await begin_and_end_game(tables)
    number = await open_rematch(tables, ended_number, join_order[0])
    for seat in join_order[1:]:
        join = partial(lobby.join, request=request_of_person(seat), reliability=Reliability.OFTEN_AWAY)
        await tables.change(number, request_of_person(seat), join)
    table = await tables.get(number)
    assert table.plain_names == ("Ben", "Casual 1", "Dimitri", "Ava")
    assert table.row.host == FIRST_USER + join_order[0]
    assert (table.row.options, table.row.time_control) == ("turn_cap=100", TimeControl(turn_seconds=3600))
    assert (table.row.lobby.by_invitation, table.row.lobby.admission_rule) == (True, AdmissionRule.RELIABLE)


async def test_the_lobby_mentions_the_others_once(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players who have not joined are notified by the first message, not by edits or later messages."""
    stub_board_pictures(monkeypatch)
    number = await open_rematch(tables, await begin_and_end_game(tables), 1)
    chat_table = ChatTable(tables, clock, number)
    await chat_table.send_all()
    (message,) = [each for each in chat_table.chat.public_messages() if "rematch" in each.content]
    assert message.raw_mentions == [FIRST_USER + 3, FIRST_USER]
    assert "Join" in labels(message)
    assert message is chat_table.chat.public_messages()[0], (
        "nothing comes before the message that mentions them"
    )
    assert "Fairness code: " in chat_table.chat.public_messages()[1].content
    heading, _, _ = message.content.partition("\n")
    assert heading.endswith(f"<@{FIRST_USER + 3}> <@{FIRST_USER}>: a rematch! Press **Join** to play again.")
    await tables.change(number, request_of_person(3), partial(lobby.join, request=request_of_person(3)))
    await chat_table.send_all()
    assert f" · <@{FIRST_USER}>: a rematch!" in message.content
    await message.delete()
    set_options = partial(lobby.set_options, request=request_of_person(1), values={"turn_cap": "200"})
    await tables.change(number, request_of_person(1), set_options)
    await chat_table.send_all()
    newest_message = chat_table.newest_message()
    assert f" · <@{FIRST_USER}>: a rematch!" in newest_message.content
    assert newest_message.raw_mentions == []
    await tables.change(number, request_of_person(0), partial(lobby.join, request=request_of_person(0)))
    await chat_table.send_all()
    assert "rematch" not in newest_message.content


@pytest.mark.parametrize(
    "damage",
    ["update matches set lobby = x'ff' where number = ?", "update settings set value = '?' where ? > 0"],
)
async def test_another_rematch_can_be_opened_where_one_is_damaged(
    store: SqliteStore, tables: Tables, damage: str
) -> None:
    """Where the rematch cannot be read, another one can be opened, and that one is found again."""
    ended_number = await begin_and_end_game(tables)
    first_number = await open_rematch(tables, ended_number, 0)
    await execute_sql(store, damage, first_number)
    tables = Tables(store, GAMES_AND_TOYS)
    second_number = await open_rematch(tables, ended_number, 1)
    assert second_number != first_number
    assert await open_rematch(tables, ended_number, 3) == second_number


async def test_a_crash_opens_no_second_rematch(
    store: SqliteStore, tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a crash right after the lobby is stored, the next press finds it: nobody is mentioned again."""
    ended_number = await begin_and_end_game(tables)

    async def commit_and_crash(change: Change) -> None:
        await SqliteStore.commit(store, change)
        raise ProcessKilled

    monkeypatch.setattr(store, "commit", commit_and_crash)
    with pytest.raises(ProcessKilled):
        await open_rematch(tables, ended_number, 1)
    monkeypatch.undo()
    restarted_tables = Tables(store, GAMES_AND_TOYS, clock)
    lobby_count = (await store.count_by_status())[Status.LOBBY]
    number = await open_rematch(restarted_tables, ended_number, 3)
    assert (await restarted_tables.get(number)).row.host == FIRST_USER + 1
    assert lobby_count == (await store.count_by_status())[Status.LOBBY] == 1


@pytest.mark.parametrize(
    ("channel", "parent_channel", "expected_channel"), [(88, None, 88), (89, 88, 89), (89, CHANNEL, CHANNEL)]
)
async def test_the_rematch_of_a_moved_game_opens_where_it_was_played(
    tables: Tables, channel: int, parent_channel: int | None, expected_channel: int
) -> None:
    """Its first channel may be gone, unless the game has only moved to a thread of that channel."""
    number = await begin(tables, default_setup(GAME, 2))
    request = replace(request_of_person(0), channel=channel, parent_channel=parent_channel)
    await tables.change(
        number, request, partial(moderation.move_here, request=request, is_channel_busy=False)
    )
    request = replace(request, interaction=request_of_person(0).interaction)
    await tables.change(number, request, partial(moderation.end, request=request))
    await tables.server_preferences.change(GUILD, lambda row: replace(row, channels=(expected_channel,)))
    request = replace(request, interaction=request_of_person(0).interaction)
    rematch_number = await open_rematch(tables, number, 0, request)
    row = (await tables.get(rematch_number)).row
    assert (row.lobby_channel, row.game_channel) == (expected_channel, expected_channel)
    assert row.visibility_channel == (CHANNEL if expected_channel == CHANNEL else parent_channel or channel)


async def test_a_new_player_of_a_rematch_sits_last(tables: Tables) -> None:
    """Somebody who did not play before asks, since the game was by invitation, and sits last."""
    number = await open_rematch(tables, await begin_and_end_game(tables), 3)
    ask = partial(lobby.join, request=request_of_person(5), reliability=Reliability.RELIABLE)
    await tables.change(number, request_of_person(5), ask)
    accept = partial(admission.accept_applicant, request=request_of_person(3), user=FIRST_USER + 5)
    await tables.change(number, request_of_person(3), accept)
    await tables.change(number, request_of_person(1), partial(lobby.join, request=request_of_person(1)))
    assert (await tables.get(number)).plain_names == ("Ben", "Casual 1", "Dimitri", "Farid")


async def test_limits_hold_for_every_way_in(store: SqliteStore, clock: ManualClock) -> None:
    """A rematch, a join from elsewhere and an accepted request count against the limits of a person."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    ended_number = await begin_and_end_game(tables)
    await open_rematch(tables, ended_number, 0)
    limited_tables = Tables(store, GAMES_AND_TOYS, clock, quotas=replace(UNLIMITED, user_tables=1))
    other_ended_number = await begin_and_end_game(tables)
    with pytest.raises(QuotaExceeded):
        await open_rematch(limited_tables, other_ended_number, 0)
    number = await open_rematch(limited_tables, other_ended_number, 3)
    with pytest.raises(QuotaExceeded):
        await limited_tables.take_seat(
            number, request_of_person(0), FIRST_USER, partial(lobby.join, request=request_of_person(0))
        )
    host_request = request_of_person(3)
    with pytest.raises(Refusal, match="That person sits"):
        await limited_tables.take_seat(
            number,
            host_request,
            FIRST_USER,
            partial(admission.accept_applicant, request=host_request, user=FIRST_USER),
        )
