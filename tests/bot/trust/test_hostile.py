"""Hostile names and texts in every field that a user can fill stay inert (P11, T13)."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import discord
import msgspec
import pytest

from bot import limits
from bot.chat import (
    action_commands,
    commands,
    lobby_posts,
    pages,
    post_parts,
    posts,
    question_posts,
    response,
)
from bot.chat.component_press import ComponentPress
from bot.chat.components import CustomId
from bot.chat.hand_posts import hand_post
from bot.chat.handlers import handle_press
from bot.chat.move_suggestions import find_move_suggestions
from bot.chat.response import Response
from bot.chat.rules_pages import rules_post
from bot.chat.table_commands import table_status_post
from bot.host.deciders import lobby, moderation, play, seats
from bot.host.names import MAX_NAME_LENGTH, escape_markup, sanitize_name
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.local.payloads import walk_components
from bot.store.seat_rows import Person
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from rules.errors import RulesError
from rules.game import AnyGame
from rules.model import Seat
from rules.notation import fields_of
from rules.text import shortened
from tests.bot.e2e.observe import can_ping_anybody
from tests.bot.host.playing import GUILD, request_of_person
from tests.bot.host.viewer_output import ResponseRecorder, message_fields
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.in_process_bot import in_process_bot
from tests.bot.trust.malformed_texts import combined_hostile_texts
from tests.bot.trust.situations import FixedTables, make_situations
from tests.trials import IS_SOAK

__all__ = ["restored_discord_addresses"]

HOSTILE_TEXTS = combined_hostile_texts(300)
_MARKUP_PATTERN = re.compile(r"(?<!\\)[*_`~|<>\[\]]")
_EVERYBODY_MENTION_PATTERN = re.compile(r"(?<!\\)@(everyone|here)")
_MENTION_PATTERN = re.compile(r"(?<!\\)(@(everyone|here)|<[@#:/t])")
_REVERSING_CHARACTERS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067")
_INVISIBLE_CATEGORIES = ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")
_GAME = next(iter(GAMES.values()))


def faults_of_name(shown: str) -> list[str]:
    """Return what a name as it is shown in a text could still do."""
    faults = []
    plain = shown
    if shown.startswith("\u2068"):  # read from right to left: isolated as a whole
        plain = shown.removeprefix("\u2068").removesuffix("\u2069")
    if not plain.strip() or len(plain) > 2 * MAX_NAME_LENGTH + 2:
        faults.append("length")
    if _MARKUP_PATTERN.search(plain):
        faults.append("markup")
    if any(unicodedata.category(each) in _INVISIBLE_CATEGORIES for each in plain):
        faults.append("unseen")
    reads_from_right = any(unicodedata.bidirectional(each) in ("R", "AL", "AN") for each in plain)
    if reads_from_right and plain == shown:
        faults.append("reverses")
    if _MENTION_PATTERN.search(plain):
        faults.append("mention")
    return faults


@pytest.mark.trust_test("T13")
def test_a_name_is_inert(add_trials: Callable[[int], None]) -> None:
    """A name pings, formats, hides and reverses nothing, is never empty and never long."""
    assert len(set(HOSTILE_TEXTS)) == 300
    faults_by_text = {text: faults_of_name(escape_markup(sanitize_name(text))) for text in HOSTILE_TEXTS}
    assert {text: faults for text, faults in faults_by_text.items() if faults} == {}
    add_trials(len(faults_by_text))


@pytest.mark.trust_test("T13", sensitivity=True)
@pytest.mark.parametrize(
    "make", [str, sanitize_name, escape_markup, lambda text: sanitize_name(text)[:5] + "\u202e"]
)
def test_a_name_that_is_not_made_inert_is_caught(make: Callable[[str], str]) -> None:
    """Sensitivity: with either half of the treatment gone, some hostile name gets through."""
    assert any(faults_of_name(make(text)) for text in HOSTILE_TEXTS)


def _with_name(table: Table, name: str) -> Table:
    """Return the table with this name at every seat, as joining would have stored it."""
    rows = tuple(msgspec.structs.replace(row, name=sanitize_name(name)) for row in table.seats)
    return replace(table.with_row(seats=rows), recent_log=None)


def _with_offer(table: Table, name: str) -> Table:
    """Return the table with seat B offered to a newcomer of this name, by an admin of this name."""
    admin_request = Request(user=901, name=name, guild=GUILD, is_admin=True)
    offer = partial(seats.offer_seat, seat=Seat(1), newcomer=Person(902, name), computer="random")
    offered = offer(table, admin_request).table
    assert offered.seats[1].offer is not None
    return offered


def _all_posts(situated_tables: dict[str, FixedTables], name: str) -> Iterator[tuple[str, Any, Table]]:
    for situation, situated in situated_tables.items():
        table = _with_name(situated.table, name)
        yield situation, message_fields(lobby_posts.lobby_post(table)), table
        yield situation, message_fields(table_status_post(table)), table
        if table.match is not None:
            yield situation, message_fields(posts.board_post(table, table.to_act)), table
            yield situation, message_fields(hand_post(table, Seat(0))), table
            yield situation, message_fields(pages.more_post(table, situated.requests["actor"])), table
        if table.row.question is not None:
            yield situation, message_fields(question_posts.question_post(table)), table
        if situation == "playing":
            table = _with_offer(table, name)
            yield "offered", message_fields(question_posts.offer_post(table, Seat(1))), table


@pytest.mark.trust_test("T13")
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
async def test_names_are_inert_in_every_message(
    tables: Tables, game: AnyGame, add_trials: Callable[[int], None]
) -> None:
    """Wherever names stand, messages keep to the limits and mention only players and newcomers."""
    situated_tables = dict(await make_situations(tables, game))
    texts_of_game = HOSTILE_TEXTS[list(GAMES).index(game.key) :: 4 * len(GAMES)]
    for name in HOSTILE_TEXTS if IS_SOAK else texts_of_game:
        for _, (text, components, mentions), table in _all_posts(situated_tables, name):
            assert 0 < len(text) <= limits.CONTENT
            newcomers = [row.offer.newcomer for row in table.seats if row.offer is not None]
            users = {row.user for row in table.seats} | {each.user for each in newcomers if each is not None}
            assert set(mentions) <= users
            assert {int(each) for each in re.findall(r"<@!?(\d+)>", text)} <= users
            assert not _EVERYBODY_MENTION_PATTERN.search(text)
            assert not _REVERSING_CHARACTERS & set(text)
            assert text.count("\u2068") == text.count("\u2069")
            for each in walk_components(components):
                if "custom_id" in each:
                    label = each.get("label") or each.get("placeholder") or ""
                    assert 0 < len(label) <= limits.SELECT_PLACEHOLDER
                    assert not set(label) & (_REVERSING_CHARACTERS | {"\n"})
        thread_name = shortened(
            f"{post_parts.title(table)}: {', '.join(table.plain_names)}", limits.THREAD_NAME
        )
        assert 0 < len(thread_name) <= limits.THREAD_NAME
        add_trials(1)


def _refusal_texts(table: Table, game: AnyGame, text: str) -> Iterator[str]:
    """Yield what every field of free text answers to a text."""
    request = request_of_person(0)
    actor_request = msgspec.structs.replace(
        request, user=cast("int", table.seats[cast("int", table.to_act)].user)
    )
    kind = next(iter(game.words.verb_texts))
    fields = {field.name: text for field in fields_of(kind)}
    attempts: Sequence[Callable[[], object]] = (
        lambda: play.play_typed_line(table, actor_request, text),
        lambda: lobby.open_table(9, game, text, request, bytes(32), 0),
        lambda: rules_post(game, text),
        lambda: action_commands._play_decision(table, game, kind, actor_request, fields, table.row.ply),
    )
    for attempt in attempts:
        try:
            attempt()
        except (Refusal, RulesError) as refusal:
            yield str(refusal)


@pytest.mark.trust_test("T13")
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
async def test_texts_are_inert_in_the_refusals_of_every_field(
    tables: Tables, game: AnyGame, add_trials: Callable[[int], None]
) -> None:
    """Moves, options, topics, fields of commands: a refusal fits a message and reverses nothing."""
    situated_tables = await make_situations(tables, game)
    table = situated_tables["playing"].table
    for text in HOSTILE_TEXTS if IS_SOAK else HOSTILE_TEXTS[list(GAMES).index(game.key) :: len(GAMES)]:
        for refusal in _refusal_texts(table, game, text):
            assert refusal.strip()
            assert len(post_parts.join_lines([refusal])) <= limits.CONTENT
            assert not _REVERSING_CHARACTERS & set(refusal), refusal
            assert not [
                each
                for each in refusal
                if unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp") and each != "\n"
            ], refusal
        add_trials(1)


@pytest.mark.trust_test("T13")
async def test_names_of_moderators_and_newcomers_are_inert_in_notices(
    tables: Tables, add_trials: Callable[[int], None]
) -> None:
    """A moderator's own name, and a newcomer's, are inert in the notices that everybody reads."""
    situated_tables = await make_situations(tables, _GAME)
    table = situated_tables["playing"].table
    for text in HOSTILE_TEXTS:
        admin_request = msgspec.structs.replace(situated_tables["playing"].requests["admin"], name=text)
        name = escape_markup(sanitize_name(text))
        assert faults_of_name(name) == []
        decisions = (
            moderation.pause(table, admin_request),
            moderation.end(table, admin_request),
            seats.offer_seat(table, admin_request, Seat(1), Person(77, text), computer="random"),
        )
        for decision in decisions:
            offered = decision.table.seats[1].offer
            notices = [each.text for each in decision.deliveries if each.text]
            notices += [] if offered is None else [offered.text]
            assert notices
            assert all(each.startswith(name) and not _REVERSING_CHARACTERS & set(each) for each in notices)
        add_trials(1)


@pytest.mark.trust_test("T13")
async def test_autocompletion_keeps_its_limits(tables: Tables, add_trials: Callable[[int], None]) -> None:
    """Autocompletion of any text answers at most 25 choices, each within the limits."""
    situated_tables = await make_situations(tables, _GAME)
    situated = situated_tables["playing"]
    for text in HOSTILE_TEXTS:
        actor_request = situated.requests["actor"]
        for suggestions in (
            await find_move_suggestions(cast("Tables", situated), actor_request, situated.table.number, text),
            commands._option_suggestions(_GAME, text),
        ):
            assert len(suggestions) <= limits.AUTOCOMPLETE_CHOICES
            assert all(0 < len(each.name) <= limits.CHOICE_NAME for each in suggestions)
        add_trials(1)


@pytest.mark.trust_test("T13")
async def test_values_that_were_never_offered_are_answered(
    tables: Tables, add_trials: Callable[[int], None]
) -> None:
    """A value forged into a select of the rules answers within the limits, a game in its id too."""
    for verb in ("topic", "name"):
        for key, value in [(_GAME.key, text) for text in HOSTILE_TEXTS] + [("", ""), ("chess", "")]:
            recorder = ResponseRecorder()
            custom_id = CustomId(0, 0, verb, key)
            press = ComponentPress(
                tables, cast("Response", recorder), custom_id, request_of_person(0), [value]
            )
            try:
                await handle_press(press)
            except Refusal as refusal:
                recorder.answers.append(str(refusal))
            assert recorder.answers
            for answer in recorder.answers:
                text = answer if isinstance(answer, str) else answer[0][0]
                assert 0 < len(text) <= limits.COMPONENTS_V2_TEXT
            add_trials(1)


# Mentions, at the level of the requests ---------------------------------------------------------------


async def _bodies_that_can_ping_anybody(store: SqliteStore) -> list[Any]:
    """Return what could ping after a hostile text was typed and answered."""
    bodies: list[Any] = []
    async with in_process_bot(store, lambda *request: bodies.append(request[4])) as (server, _):
        member = server.member("Ava")
        for text in ("@everyone", "<@1456074444010160135>"):
            await (await member.command("newgame", game=_GAME.key, options=text)).wait_until_loaded()
        await (await member.command("newgame", game=_GAME.key)).wait_until_loaded()
        return [body for body in bodies if isinstance(body, dict) and can_ping_anybody(body)]


@pytest.mark.trust_test("T13")
@pytest.mark.usefixtures("restored_discord_addresses")
async def test_no_request_lets_a_text_ping(store: SqliteStore) -> None:
    """Every text that the bot sends says that only listed users may be mentioned."""
    assert await _bodies_that_can_ping_anybody(store) == []


@pytest.mark.trust_test("T13", sensitivity=True)
@pytest.mark.usefixtures("restored_discord_addresses")
async def test_mentions_allowed_by_default_are_caught(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sensitivity: with Discord's own default for mentions, requests that could ping are found."""
    monkeypatch.setattr(response, "_NO_MENTIONS", discord.AllowedMentions.all())
    assert await _bodies_that_can_ping_anybody(store)
