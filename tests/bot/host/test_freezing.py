"""What players read of a frozen game, what they can do in it, and how it goes on."""

import dataclasses
import random
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from msgspec.structs import replace

from bot.chat import pages
from bot.chat.posts import board_status_text
from bot.host.deciders import departures, moderation, own_undo, play, seats, time_controls, timeouts
from bot.host.deciders.decision import Decision
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.erasing import erase_person
from bot.host.game_guard import GameFault
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.results import UnratedReason
from bot.store.rows import Status
from rules.model import Seat
from rules.players import DEFAULT_COMPUTER
from tests.bot.host.erased_person import check_progress
from tests.bot.host.playing import FIRST_USER, GAMES_AND_TOYS, ManualClock, make_move, request_of_person
from tests.bot.host.timed_tables import DAY_A_TURN, begin_timed_table, change_as, change_row, notice_texts


async def test_a_game_that_an_admin_has_frozen_blames_no_fault(tables: Tables) -> None:
    """The board points to the notice, which names the reason and how it goes on."""
    table = await tables.get(await begin_timed_table(tables, None))
    request = replace(request_of_person(0), is_admin=True, guild=table.row.guild)
    decision = moderation.freeze_as_admin(table, request, "A dispute")
    assert decision.answer.startswith("Ava (admin) froze this game: A dispute."), (
        "not by the right of the host"
    )
    assert decision.answer.endswith("Nothing is lost. An admin can continue it with `/table thaw`.")
    assert "wrong" not in board_status_text(decision.table, None)
    with pytest.raises(Refusal, match="frozen already"):
        moderation.freeze_as_admin(decision.table, request, "Again")
    thawed = moderation.thaw_as_admin(decision.table, request, "Settled")
    assert thawed.audit_entry == "Ava (admin) unfroze this game: Settled. It goes on where it stood."
    assert unrated_reason_so_far(thawed.table) is None, "nothing of the game has changed"


async def _freeze_after_fault(tables: Tables, number: int, _: ManualClock) -> None:
    await tables.handle_fault(GameFault(number))


async def _tables_of_other_rules(tables: Tables, number: int, clock: ManualClock) -> Tables:
    """Return the tables of a release whose rules have another version, but play as before."""
    key = (await tables.get(number)).game.key
    newer_game = dataclasses.replace(GAMES_AND_TOYS[key], rules_version=99)
    return Tables(tables.store, {**GAMES_AND_TOYS, key: newer_game}, clock)


async def _freeze_when_loaded(tables: Tables, number: int, clock: ManualClock) -> None:
    await (await _tables_of_other_rules(tables, number, clock)).get(number)


@pytest.mark.parametrize("freeze", [_freeze_after_fault, _freeze_when_loaded])
@pytest.mark.parametrize("unrated_reason", [None, UnratedReason.THAWED])
async def test_a_frozen_game_says_that_its_rating_is_at_stake(
    tables: Tables,
    clock: ManualClock,
    freeze: Callable[[Tables, int, ManualClock], Awaitable[None]],
    unrated_reason: UnratedReason | None,
) -> None:
    """If the bot freezes it, the notice says what could end its rating; not of a game that is unrated."""
    number = await begin_timed_table(tables, None)
    await change_row(tables, number, unrated_reason=unrated_reason)
    await freeze(tables, number, clock)
    text = (await notice_texts(tables, number))[-1]
    assert "frozen" in text
    assert ("If it goes on under other rules, it is no longer rated." in text) is (unrated_reason is None)


async def test_a_game_that_goes_on_under_other_rules_is_not_rated(tables: Tables, clock: ManualClock) -> None:
    """Only a release with other rules ends the rating of a game that was frozen, and the notice says so."""
    number = await begin_timed_table(tables, None)
    await _freeze_when_loaded(tables, number, clock)
    newer_tables = await _tables_of_other_rules(tables, number, clock)
    table = (await newer_tables.change(number, None, partial(moderation.thaw, reason="Well."))).table
    assert table.status is Status.PLAYING
    assert unrated_reason_so_far(table) is UnratedReason.THAWED
    text = (await notice_texts(tables, number))[-1]
    assert text.endswith("Its rules have changed, so it is no longer rated.")


async def test_a_restored_game_that_cannot_be_loaded_has_no_rating_at_stake(
    tables: Tables, clock: ManualClock
) -> None:
    """Its records cannot be read, but its row says that it went back."""
    number = await begin_timed_table(tables, None)
    await change_row(tables, number, restored_to=0)
    await _freeze_when_loaded(tables, number, clock)
    text = (await notice_texts(tables, number))[-1]
    assert "frozen" in text
    assert "rated" not in text


@pytest.mark.parametrize("is_frozen", [True, False])
async def test_a_game_that_is_ended_says_that_it_has_no_result(tables: Tables, *, is_frozen: bool) -> None:
    """The person who ends it reads that before, everybody in the notice; also of a frozen game."""
    number = await begin_timed_table(tables, None)
    if is_frozen:
        await tables.change(number, None, partial(moderation.freeze, reason="Why."))
    question = pages.confirm_end_post(await tables.get(number), request_of_person(0))
    assert "It cannot be resumed and has no result." in question.text
    await change_as(tables, number, 0, moderation.end)
    assert (
        "ended the game early. It has no result and is not rated." in (await notice_texts(tables, number))[-1]
    )
    assert await tables.store.results_of_user(FIRST_USER) == ()


@pytest.mark.parametrize("decide", [moderation.freeze_as_admin, moderation.thaw_as_admin])
async def test_an_admin_gives_a_reason_that_can_be_read(
    tables: Tables, decide: Callable[..., Decision]
) -> None:
    """Blanks are none, nothing invisible is in it, and what ends a sentence already gets no dot."""
    table = await tables.get(await begin_timed_table(tables, None))
    request = replace(request_of_person(0), is_admin=True, guild=table.row.guild)
    if decide is moderation.thaw_as_admin:
        table = moderation.freeze_as_admin(table, request, "Why").table
    for blank in (" \n ", "\u200b", "\u2060\u3164", "\ufe0f", "\u034f \u0301"):
        with pytest.raises(Refusal, match="Write a reason"):
            decide(table, request, blank)
    assert ": Why not. " in decide(table, request, "\u202eWhy\u2028not").answer
    assert "Why… " in decide(table, request, "Why…").answer
    assert ": \u2764\ufe0f. " in decide(table, request, "\u2764\ufe0f").answer


@pytest.mark.parametrize(
    "decide",
    [
        moderation.pause,
        moderation.resume,
        partial(moderation.roll_back, move_number=0),
        partial(time_controls.ask_for_time_control, control=None),
        partial(seats.offer_seat, seat=Seat(0), newcomer=None, computer=DEFAULT_COMPUTER),
        partial(seats.offer_to_anybody, seat=Seat(0)),
        partial(departures.resign, computer=DEFAULT_COMPUTER),
        own_undo.undo,
        partial(play.play_typed_line, text="any"),
        timeouts.come_back,
        partial(timeouts.let_computer_play, computer=DEFAULT_COMPUTER),
    ],
)
async def test_a_frozen_game_stays_as_it_is(tables: Tables, decide: Callable[..., Decision]) -> None:
    """Its host, who is an admin too and whose turn it is, can do nothing but end or thaw it.

    Each refusal says that it is frozen, not that it is not paused or not played.
    """
    number = await begin_timed_table(tables, DAY_A_TURN)
    rng = random.Random(1)
    await make_move(tables, number, rng)
    while (await tables.get(number)).to_act != 0:
        await make_move(tables, number, rng)
    table = moderation.freeze(await tables.get(number), "Why.").table
    with pytest.raises(Refusal, match=r"^This game is frozen\.|^No computer player is playing for you"):
        decide(table, replace(request_of_person(0), is_admin=True))


async def test_a_game_that_has_ended_is_not_frozen(tables: Tables) -> None:
    """The refusal does not say that only a game which has begun can be: this one had."""
    table = await tables.get(await begin_timed_table(tables, None))
    ended = moderation.end(table, request_of_person(0)).table
    with pytest.raises(Refusal, match="being played or paused"):
        moderation.freeze(ended, "Why.")


async def test_a_thawed_game_that_all_have_left_has_ended(tables: Tables, clock: ManualClock) -> None:
    """While a game cannot be loaded, nobody knows that those who are left have resigned."""
    number = await begin_timed_table(tables, None, 3, "oceans")
    await change_as(tables, number, 1, departures.resign, computer=DEFAULT_COMPUTER)
    newer_game = dataclasses.replace(GAMES_AND_TOYS["oceans"], rules_version=99)
    tables_without_rules = Tables(tables.store, {**GAMES_AND_TOYS, "oceans": newer_game}, clock)
    for seat in (0, 2):
        assert await erase_person(tables_without_rules, request_of_person(seat), check_progress) == 0
    tables = Tables(tables.store, GAMES_AND_TOYS, clock)
    assert (await tables.get(number)).status is Status.FROZEN
    table = (await tables.change(number, None, partial(moderation.thaw, reason="Well."))).table
    assert table.status is Status.ENDED_EARLY
    assert (
        "No person is left, so the game has ended without a result.\n-# Seed:"
        in (await notice_texts(tables, number))[-1]
    )


async def test_a_thawed_game_is_not_left_to_substitutes(tables: Tables) -> None:
    """If all but the absent have left while it was frozen, it waits, paused, until one of those is back."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    rows = (await tables.get(number)).seats
    absent_row = replace(rows[0], substitute=DEFAULT_COMPUTER, substituted_since_index=0)
    await change_row(tables, number, seats=(absent_row, *rows[1:]))
    await tables.change(number, None, partial(moderation.freeze, reason="Why."))
    assert await erase_person(tables, request_of_person(1), check_progress) == 0
    table = (await tables.change(number, None, partial(moderation.thaw, reason="Well."))).table
    assert table.status is Status.PAUSED
    assert "Press **Resume** below to go on." in (await notice_texts(tables, number))[-1]
    table = await change_as(tables, number, 0, moderation.resume)
    assert timeouts.playing_users(table) == (FIRST_USER,)
