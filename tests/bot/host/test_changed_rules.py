"""A running game keeps the rules that it began under; where a release changed them it is frozen (P12)."""

import asyncio
import random
import threading
import time
from dataclasses import replace
from functools import partial

import pytest
from msgspec.structs import replace as replace_fields

from bot.chat.courier import MAX_AGE_TO_EDIT
from bot.chat.post_parts import title
from bot.host import rule_sources
from bot.host.deciders import departures, lobby, moderation, own_undo, play, seats, time_controls
from bot.host.deciders.decision import offer_delivery, question_delivery
from bot.host.host import Host
from bot.host.loading import find_divergence
from bot.host.replay_queue import REPLAYED_FINGERPRINT_KEY
from bot.host.request import Refusal
from bot.host.rule_sources import replay_relevant_module_names, rules_fingerprint
from bot.host.table import Games
from bot.host.tables import Tables
from bot.host.thawing import replay_and_thaw_as_admin
from bot.store.delivery_rows import DeliveryKind
from bot.store.protocol import Divergence
from bot.store.rows import Status, StoredTable
from bot.store.sqlite import SqliteStore
from rules.catalogue import EARLIER_RULES, GAMES
from rules.model import Seat
from tests.bot.host.altered_releases import (
    ALTERED_GAMES,
    GAME,
    SETUP,
    release_with,
    with_fault,
    with_other_choices,
    with_other_draws,
)
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import labels, stub_board_pictures
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    ManualClock,
    assert_records_whole,
    begin,
    default_setup,
    make_move,
    open_lobby,
    request_of_person,
)
from tests.bot.host.scripted_courier import ScriptedCourier, run_outbox
from tests.trials import WAIT_TIMEOUT


async def _start_games(store: SqliteStore, move_count: int = 8) -> tuple[int, int, int]:
    """Under the old release: a game that goes on, one of another kind, and a lobby of the first kind."""
    tables = Tables(store, GAMES_AND_TOYS)
    number = await begin(tables, SETUP)
    other_number = await begin(tables, default_setup(GAMES_AND_TOYS["pearls"]))
    rng = random.Random(1)
    for _ in range(move_count):
        await make_move(tables, number, rng)
    lobby_number = await open_lobby(tables, GAME)
    await store.set_metadata(REPLAYED_FINGERPRINT_KEY, "the rules of the old release")
    return number, other_number, lobby_number


async def _check_frozen(
    store: SqliteStore, tables: Tables, number: int, *, divergence_ply: int | None
) -> None:
    """Check that a table is frozen unchanged, says where it differs, and accepts no act."""
    await tables.get(number)
    stored = await store.load(number)
    assert stored is not None
    assert stored.row.status is Status.FROZEN, "a game is played on under other rules"
    assert_records_whole(stored)
    texts = [each.text for each in await store.waiting_deliveries(number) if each.kind is DeliveryKind.NOTICE]
    frozen_notices = [text for text in texts if "frozen" in text]
    assert len(frozen_notices) == 1
    assert divergence_ply is None or f"record {divergence_ply}" in frozen_notices[0]
    assert stored.row.seed.hex() not in frozen_notices[0]
    request = request_of_person(0)
    table = await tables.get(number)
    for decide in (
        partial(play.play, request=request, actions=()),
        partial(play.play_typed_line, request=request, text="anything"),
        partial(own_undo.undo, request=request),
        partial(departures.resign, request=request, computer="random"),
    ):
        with pytest.raises(Refusal, match="frozen"):
            await tables.change(number, request, decide)
    with pytest.raises(Refusal, match="frozen"):
        await tables.match_file_text(number, Seat(0))
    assert (await tables.get(number)).row == table.row


@pytest.mark.parametrize("difference", ALTERED_GAMES)
async def test_games_that_a_release_plays_differently_are_frozen(store: SqliteStore, difference: str) -> None:
    """At the start each game that would go differently is frozen and says where; the others go on."""
    number, other_number, _ = await _start_games(store)
    stored = await store.load(number)
    assert stored is not None
    games = release_with(ALTERED_GAMES[difference])
    divergence = find_divergence(stored, games)
    assert divergence is not None
    tables = Tables(store, games)
    await tables.replay_all()
    await _check_frozen(store, tables, number, divergence_ply=divergence.ply)
    await make_move(tables, other_number, random.Random(2))
    assert await store.get_metadata(REPLAYED_FINGERPRINT_KEY) == rules_fingerprint({**EARLIER_RULES, **games})


async def test_nothing_is_asked_any_more_in_a_game_that_a_release_freezes(store: SqliteStore) -> None:
    """The messages of its question and of an offered seat lose their buttons, and say why."""
    number, *_ = await _start_games(store)
    tables = Tables(store, GAMES_AND_TOYS)
    await tables.change(number, None, partial(time_controls.ask_to_pause, request=request_of_person(0)))
    offer = partial(seats.offer_to_anybody, request=request_of_person(1), seat=Seat(1))
    row = (await tables.change(number, None, offer)).table.row
    question, seat_offer = row.question, row.seats[1].offer
    assert question is not None
    assert seat_offer is not None
    newest_id = max(each.id for each in await store.waiting_deliveries(number))
    await Tables(store, release_with(ALTERED_GAMES["fault"])).get(number)
    text_by_slot = {
        each.slot: each.text for each in await store.waiting_deliveries(number) if each.id > newest_id
    }
    for asked in (question_delivery(question), offer_delivery(1, seat_offer)):
        assert text_by_slot[asked.slot] == "The game was frozen."


@pytest.fixture(params=[False, True], ids=["unsent", "answers lost"])
async def frozen_chat_table(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> ChatTable:
    """Return the table of a game that a release freezes while something waits to be sent.

    With the parameter, everything has been posted, but the answers were lost.
    """
    stub_board_pictures(monkeypatch)
    tables = Tables(store, GAMES_AND_TOYS, clock)
    chat_table = ChatTable(tables, clock, await begin(tables, SETUP))
    await chat_table.send_all()
    await chat_table.play_turn()
    if request.param:
        clock.now += 2 * MAX_AGE_TO_EDIT
        chat_table.chat.fault_of_call = lambda action, _: OSError("cut") if action == "after_post" else None
        await run_outbox(chat_table.outbox, chat_table.number)
    tables = Tables(store, release_with(ALTERED_GAMES["fault"]), clock)
    chat_table = ChatTable(tables, clock, chat_table.number, chat_table.chat)
    await chat_table.send_all_without_nonces()
    return chat_table


async def _end(chat_table: ChatTable) -> None:
    await chat_table.tables.change(
        chat_table.number, None, partial(moderation.end, request=request_of_person(0))
    )
    await chat_table.send_all()


async def test_a_game_that_a_release_freezes_shows_no_hand(frozen_chat_table: ChatTable) -> None:
    """What waited to be sent, and the end of the game, tell its players how it stands, in private too."""
    heading = f"**{title(await frozen_chat_table.tables.get(frozen_chat_table.number))}**\n"
    assert _hand_texts(frozen_chat_table) == {
        f"{heading}This game is frozen. Nothing is lost. The notice at the table says why."
    }
    await _end(frozen_chat_table)
    assert f"{heading}This game was ended early." in _hand_texts(frozen_chat_table)


async def test_the_end_of_a_game_that_a_release_freezes_offers_no_file(frozen_chat_table: ChatTable) -> None:
    """Its seed is shown like that of any game, but ``/export`` cannot read its records."""
    await _end(frozen_chat_table)
    with pytest.raises(Refusal):
        await frozen_chat_table.tables.match_file_text(frozen_chat_table.number, None)
    (notice,) = [each.content for each in frozen_chat_table.chat.public_messages() if "Seed" in each.content]
    assert "`/export`" not in notice


def _hand_texts(chat_table: ChatTable) -> set[str]:
    """Return what the private messages of all players say; they must have no buttons."""
    hands = [
        each for each in chat_table.chat.messages.values() if each not in chat_table.chat.public_messages()
    ]
    assert len({each.channel.id for each in hands}) == SETUP.seat_count
    assert not any(each.components for each in hands)
    return {each.content for each in hands}


async def test_a_game_that_a_release_freezes_asks_for_no_move(frozen_chat_table: ChatTable) -> None:
    """Its newest board has no buttons, says how the game stands, and does so too once it has ended."""
    for text in ("This game is frozen.", "This game was ended early."):
        messages = frozen_chat_table.chat.public_messages()
        assert not any("Play" in labels(each) for each in messages)
        assert any(f"\n{text}" in each.content for each in messages)
        if text.endswith("frozen."):
            await _end(frozen_chat_table)


async def test_a_start_without_replay_is_caught(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sensitivity: where stored games are not replayed at the start, the check above fails."""
    number, *_ = await _start_games(store)
    games = release_with(ALTERED_GAMES["draws"])
    monkeypatch.setattr("bot.host.loading.find_divergence", lambda *_: None)
    tables = Tables(store, games)
    await tables.replay_all()
    with pytest.raises(AssertionError, match="under other rules"):
        await _check_frozen(store, tables, number, divergence_ply=None)


async def test_a_game_that_is_asked_for_is_replayed_first(store: SqliteStore) -> None:
    """A request for a game that is not replayed yet has it replayed, and frozen if it differs."""
    number, other_number, _ = await _start_games(store)
    games = release_with(ALTERED_GAMES["draws"])
    tables = Tables(store, games)
    await tables.queue_replays()
    await _check_frozen(store, tables, number, divergence_ply=None)
    await make_move(tables, other_number, random.Random(2))
    assert await store.get_metadata(REPLAYED_FINGERPRINT_KEY) == "the rules of the old release", (
        "not all are replayed"
    )
    await tables.replay_all()
    assert await store.get_metadata(REPLAYED_FINGERPRINT_KEY) == rules_fingerprint({**EARLIER_RULES, **games})


async def test_a_start_does_not_wait_for_the_replays(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first start of a release replays in the background, and a stop meanwhile leaves it to the next."""
    number, other_number, _ = await _start_games(store)
    may_finish, replayed = threading.Event(), []

    def find_slowly(stored: StoredTable, games: Games) -> Divergence | None:
        replayed.append(stored.row.number)
        assert may_finish.wait(WAIT_TIMEOUT)
        return find_divergence(stored, games)

    monkeypatch.setattr("bot.host.loading.find_divergence", find_slowly)
    monkeypatch.setattr("bot.host.host.REPLAY_DELAY", 0.0)
    host = Host(store, GAMES_AND_TOYS, time.time, random.Random(1))
    async with asyncio.timeout(WAIT_TIMEOUT):
        await host.start(ScriptedCourier())
        while not replayed:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
        await host.stop()
    assert set(replayed) <= {number, other_number}
    assert await store.get_metadata(REPLAYED_FINGERPRINT_KEY) == "the rules of the old release"
    may_finish.set()
    await Tables(store, GAMES_AND_TOYS).replay_all()
    assert await store.get_metadata(REPLAYED_FINGERPRINT_KEY) != "the rules of the old release"
    assert {number, other_number} <= set(replayed)


def test_a_divergence_is_told_in_one_line() -> None:
    """It says which record differs, if it is one record, and what is wrong."""
    assert str(Divergence(7, "the seed gives another outcome")) == "record 7: the seed gives another outcome"
    assert str(Divergence(0, "no such game")) == "no such game"


async def test_the_named_record_is_the_first_that_differs(store: SqliteStore) -> None:
    """The named record is the one before which both releases agree."""
    number, *_ = await _start_games(store, move_count=10)
    stored = await store.load(number)
    assert stored is not None
    assert find_divergence(stored, GAMES_AND_TOYS) is None
    divergence = find_divergence(stored, release_with(with_other_draws(GAME)))
    assert divergence is not None
    outcome_plies = [record.ply for record in stored.records if record.actor == -1]
    assert divergence.ply in outcome_plies[2:], "the third outcome or, where both draw the same, a later one"
    divergence_of_fault = find_divergence(stored, release_with(with_fault(GAME)))
    assert divergence_of_fault is not None
    assert divergence_of_fault.ply == 1
    assert "KeyError" in divergence_of_fault.reason


async def test_games_are_replayed_once_a_release(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are replayed at the first start of a release, not at each one."""
    await _start_games(store)
    await Tables(store, GAMES_AND_TOYS).replay_all()
    monkeypatch.setattr("bot.host.loading.find_divergence", lambda *_: pytest.fail("replayed again"))
    await Tables(store, GAMES_AND_TOYS).replay_all()


async def test_a_game_whose_rules_a_release_lacks_is_frozen(store: SqliteStore) -> None:
    """A game begun under rules that this release lacks is frozen when it is asked for; a lobby is not."""
    number, other_number, lobby_number = await _start_games(store)
    newer_game = replace(GAME, rules_version=GAME.rules_version + 1)
    tables = Tables(store, release_with(newer_game))
    await _check_frozen(store, tables, number, divergence_ply=None)
    await make_move(tables, other_number, random.Random(2))
    await tables.change(lobby_number, request_of_person(1), partial(lobby.join, request=request_of_person(1)))
    started = await tables.change(
        lobby_number,
        request_of_person(0),
        partial(lobby.start, request=request_of_person(0), is_channel_busy=False),
    )
    assert started.table.row.rules_version == newer_game.rules_version
    ended = await tables.change(
        number, request_of_person(0), partial(moderation.end, request=request_of_person(0))
    )
    assert ended.table.status is Status.ENDED_EARLY
    assert "/export" not in ended.answer, "there is no file that this release could make"
    with pytest.raises(Refusal):
        await tables.match_file_text(number, None)


async def test_earlier_rules_are_kept(store: SqliteStore) -> None:
    """Where a release keeps the earlier rules, a running game goes on under them.

    New ones do not, nor those that waited in a lobby.
    """
    number, _, lobby_number = await _start_games(store)
    newer_game = replace(with_other_draws(GAME), rules_version=GAME.rules_version + 1)
    earlier_rules = {f"{GAME.key}@{GAME.rules_version}": GAME}
    tables = Tables(store, release_with(newer_game), earlier_rules=earlier_rules)
    await tables.replay_all()
    rng = random.Random(3)
    for _ in range(5):
        await make_move(tables, number, rng)
    table = await tables.get(number)
    assert table.status is Status.PLAYING
    assert table.game is GAME
    stored = await store.load(number)
    assert stored is not None
    assert_records_whole(stored)
    new_number = await begin(tables, replace(SETUP, game=newer_game))
    assert (await tables.get(new_number)).row.rules_version == newer_game.rules_version
    assert (await tables.get(lobby_number)).game is newer_game


async def test_a_release_that_plays_it_right_thaws_a_game(store: SqliteStore) -> None:
    """A frozen game is whole: a release that plays it as before lets it go on where it stood."""
    number, *_ = await _start_games(store)
    stored_before = await store.load(number)
    assert stored_before is not None
    await Tables(store, release_with(ALTERED_GAMES["draws"])).replay_all()
    tables = Tables(store, GAMES_AND_TOYS)
    await tables.change(number, None, partial(moderation.thaw, reason="It was a mistake of mine."))
    stored_after = await store.load(number)
    assert stored_after is not None
    assert stored_after.records == stored_before.records
    assert stored_after.row.snapshot == stored_before.row.snapshot
    await make_move(tables, number, random.Random(1))


@pytest.mark.parametrize("frozen_by", ["release", "command"])
async def test_a_paused_game_is_thawed_paused(store: SqliteStore, frozen_by: str) -> None:
    """A game that was paused when it was frozen is paused afterwards; one that was not goes on."""
    number, *_ = await _start_games(store)
    tables = Tables(store, GAMES_AND_TOYS)
    request = request_of_person(0)
    await tables.change(number, request, partial(moderation.pause, request=request))
    if frozen_by == "release":
        await Tables(store, release_with(ALTERED_GAMES["draws"])).replay_all()
    else:
        await tables.change(number, None, partial(moderation.freeze, reason="I must look."))
    tables = Tables(store, GAMES_AND_TOYS)
    assert (await tables.get(number)).status is Status.FROZEN
    thawed = await tables.change(number, None, partial(moderation.thaw, reason="All is well."))
    assert thawed.table.status is Status.PAUSED
    assert "paused again" in thawed.answer
    request = request_of_person(0)
    await tables.change(number, request, partial(moderation.resume, request=request))
    await tables.change(number, None, partial(moderation.freeze, reason="I must look again."))
    tables = Tables(store, GAMES_AND_TOYS)
    thawed = await tables.change(number, None, partial(moderation.thaw, reason="All is well."))
    assert thawed.table.status is Status.PLAYING, "it was not paused this time"
    stored = await store.load(number)
    assert stored is not None
    assert stored.row == thawed.table.row


@pytest.mark.parametrize("difference", ALTERED_GAMES)
async def test_an_admin_thaws_only_what_replays(store: SqliteStore, difference: str) -> None:
    """After a restart, a game that this release plays differently stays frozen; another one goes on."""
    number, other_number, _ = await _start_games(store)
    games, admin = (
        release_with(ALTERED_GAMES[difference]),
        replace_fields(request_of_person(0), is_admin=True),
    )
    await Tables(store, games).replay_all()
    tables = Tables(store, games)
    await tables.change(other_number, None, partial(moderation.freeze, reason="I must look."))
    with pytest.raises(Refusal, match="operator"):
        await replay_and_thaw_as_admin(tables, number, admin, "It looks well.")
    assert (await tables.get(number)).status is Status.FROZEN
    assert (
        await replay_and_thaw_as_admin(tables, other_number, admin, "It is well.")
    ).table.status is Status.PLAYING


async def test_a_game_that_a_release_cannot_play_is_not_thawed(store: SqliteStore) -> None:
    """What this release cannot play stays frozen."""
    number, *_ = await _start_games(store)
    tables = Tables(store, release_with(ALTERED_GAMES["fault"]))
    await tables.replay_all()
    newer_tables = Tables(store, release_with(replace(with_other_choices(GAME), rules_version=2)))
    with pytest.raises(Refusal, match="cannot play"):
        await newer_tables.change(number, None, partial(moderation.thaw, reason="x"))


def test_words_are_no_part_of_the_fingerprint() -> None:
    """Modules that play a game are hashed, also those that they import; words and help are not."""
    modules = replay_relevant_module_names(GAMES)
    engine = {
        "rules.match",
        "rules.random_stream",
        "rules.currents.rules",
        "rules.currents.turn",
        "rules.currents.legal",
    }
    assert engine <= modules
    assert {"rules.oceans.engine.feeding", "rules.oceans.cards.deep", "rules.oceans.rules"} <= modules
    assert not {name for name in modules if {"words", "help", "narration"} & set(name.split("."))}


def test_the_fingerprint_follows_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another source of one module of the engine is another fingerprint; of one of the words it is not."""
    fingerprint_before = rules_fingerprint(GAMES)
    source = rule_sources._source
    monkeypatch.setattr(
        rule_sources, "_source", lambda name: source(name) + "\n#" * name.endswith(".narration")
    )
    assert rules_fingerprint(GAMES) == fingerprint_before
    monkeypatch.setattr(rule_sources, "_source", lambda name: source(name) + "\n#" * name.endswith(".turn"))
    assert rules_fingerprint(GAMES) != fingerprint_before
