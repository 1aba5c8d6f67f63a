"""Players cut the deck: words at the lobby, in the records, in what everybody reads."""

import random
from functools import partial

import discord
import pytest
from msgspec.structs import replace

from bot.chat.cut_pages import CutForm, cut_post
from bot.chat.layouts import layout_of
from bot.chat.lobby_posts import lobby_post
from bot.chat.pages import more_post
from bot.host.committer import ChangeResult
from bot.host.deciders import cutting, lobby
from bot.host.deciders.cutting import CutWordPair
from bot.host.deciders.decision import Decision
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.rows import Status
from rules.cut_words import CUT_WORDS
from rules.match import Match
from rules.model import Seat
from rules.record import Cut
from tests.bot.chat.post_components import button_labels, buttons_of
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    assert_records_whole,
    default_setup,
    make_move,
    open_lobby,
    request_of_person,
)

SETUP = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2)
AVA_WORDS, BEN_WORDS = (CUT_WORDS[5], CUT_WORDS[900]), (CUT_WORDS[77], CUT_WORDS[77])


async def cut(tables: Tables, number: int, seat: int, words: CutWordPair) -> ChangeResult:
    """Cut the deck for a seat."""
    request = request_of_person(seat)
    return await tables.change(number, request, partial(cutting.cut_deck, request=request, words=words))


async def open_lobby_of_two(tables: Tables) -> int:
    """Open a lobby of two people; return its number."""
    number = await open_lobby(tables, SETUP.game)
    await join(tables, number, request_of_person(1))
    return number


async def join(tables: Tables, number: int, request: Request) -> None:
    """Join a lobby."""
    await tables.change(number, request, partial(lobby.join, request=request))


async def start(tables: Tables, number: int) -> ChangeResult:
    """Start a game."""
    return await tables.change(
        number,
        request_of_person(0),
        partial(lobby.start, request=request_of_person(0), is_channel_busy=False),
    )


async def test_the_words_are_public_and_stored(tables: Tables) -> None:
    """Words stand in the lobby at once, can be changed, and go with their player."""
    number = await open_lobby_of_two(tables)
    await cut(tables, number, 0, BEN_WORDS)
    result = await cut(tables, number, 0, AVA_WORDS)
    assert result.answer == f"You cut the deck with **{AVA_WORDS[0]}** and **{AVA_WORDS[1]}**."
    await cut(tables, number, 1, BEN_WORDS)
    fresh_table = await Tables(tables.store, tables.games).get(number)
    assert [row.cut_words for row in fresh_table.seats] == [AVA_WORDS, BEN_WORDS]
    assert (
        f"Ava (host) · cut the deck: **{AVA_WORDS[0]}** and **{AVA_WORDS[1]}**"
        in lobby_post(fresh_table).text
    )
    await tables.change(
        number,
        request_of_person(1),
        partial(lobby.leave, request=request_of_person(1), is_channel_busy=False),
    )
    await join(tables, number, request_of_person(1))
    assert [row.cut_words for row in (await tables.get(number)).seats] == [AVA_WORDS, None]


async def test_the_words_change_the_deals(tables: Tables) -> None:
    """At the start the words become the first records, stand in the first notice and change the deals."""
    number = await open_lobby_of_two(tables)
    await cut(tables, number, 1, BEN_WORDS)
    table = (await start(tables, number)).table
    assert table.match is not None
    stored = await tables.store.load(number)
    assert stored is not None
    assert_records_whole(stored)
    assert (stored.records[0].actor, stored.records[0].action) == (1, f"cut {BEN_WORDS[0]} {BEN_WORDS[1]}")
    assert stored.records[0].user == request_of_person(1).user, "although the host started"
    uncut_match = Match.begin(table.game, 2, table.options, table.row.seed)
    cut_match = Match.begin(table.game, 2, table.options, table.row.seed, [(Seat(1), Cut(*BEN_WORDS))])
    assert table.match.history == cut_match.history
    assert table.match.history != uncut_match.history, "the words change nothing"
    notices = [each.text for each in await tables.store.waiting_deliveries(number)]
    assert any(f"The deck was cut by Ben ({BEN_WORDS[0]} {BEN_WORDS[1]})." in text for text in notices)
    await make_move(tables, number, random.Random(1))
    with pytest.raises(Refusal, match="before the game starts"):
        await cut(tables, number, 0, AVA_WORDS)


async def test_a_game_that_nobody_cut_says_so(tables: Tables) -> None:
    """A game in which nobody cut says so, and draws from the seed alone."""
    number = await open_lobby_of_two(tables)
    table = (await start(tables, number)).table
    assert table.match is not None
    assert table.match.history == Match.begin(table.game, 2, table.options, table.row.seed).history
    assert any("Nobody cut the deck." in each.text for each in await tables.store.waiting_deliveries(number))


async def test_only_players_cut(tables: Tables) -> None:
    """Nobody without a seat cuts the deck, and nobody once the lobby is over."""
    number = await open_lobby_of_two(tables)
    with pytest.raises(Refusal, match="Press \\*\\*Join\\*\\* first"):
        await cut(tables, number, 2, AVA_WORDS)
    table = await tables.get(number)
    for status in set(Status) - {Status.LOBBY}:
        with pytest.raises(Refusal, match="before the game starts"):
            cutting.cut_deck(table.with_row(status=status), request_of_person(0), AVA_WORDS)
    assert [row.cut_words for row in table.seats] == [None, None]


@pytest.mark.parametrize("typed", [("Anchor", " RIVER "), ("anchor", "anchor")])
def test_words_are_read_whatever_their_case(typed: CutWordPair) -> None:
    """Words are read whatever their case; the same one may be given twice."""
    assert cutting.parse_cut_words(typed) == tuple(word.strip().lower() for word in typed)


@pytest.mark.parametrize(
    ("unknown_word", "similar_word"),
    [("anker", "ankle"), ("rivers", "river"), ("anchr", "anchor"), ("qqq", "q")],
)
def test_an_unknown_word_is_refused_with_similar_words(unknown_word: str, similar_word: str) -> None:
    """A word that is not in the list is refused with words that are spelled or begin alike."""
    with pytest.raises(
        Refusal, match=rf"“{unknown_word}” is not in my list.*\*\*{similar_word}.*Choose words"
    ):
        cutting.parse_cut_words(("river", unknown_word))


async def test_a_refused_form_opens_again_with_the_words_that_are_known(tables: Tables) -> None:
    """Only the wrong word must be typed again; where none is known, the words that cut stand there."""
    number, request = await open_lobby_of_two(tables), request_of_person(0)
    await cut(tables, number, 0, AVA_WORDS)
    table = await tables.get(number)
    for typed, expected in (((" Anchor", "`rivr`"), ("anchor", None)), (("rivr", ""), AVA_WORDS)):
        post = cut_post(table, request, "Refused.", typed)
        argument = next(each for each in buttons_of(post) if each.label == "Choose words").custom_id.argument
        assert field_values(CutForm(table, request, argument.split())) == list(expected)
    assert field_values(CutForm(table, request, ["@everyone", "river"])) == [None, "river"], "forged"


def field_values(form: CutForm) -> list[str | None]:
    """Return what stands in the fields of a form when it opens."""
    return [each.default for each in form.walk_children() if isinstance(each, discord.ui.TextInput)]


@pytest.mark.parametrize(
    "hostile_word", ["", "@everyone", "**`x`**", "x" * 4000, "\u202eriver", "river anchor"]
)
def test_hostile_words_are_refused(hostile_word: str) -> None:
    """Nothing but a word of the list is taken, and the refusal of it is short and inert."""
    with pytest.raises(Refusal) as refused:
        cutting.parse_cut_words((hostile_word, "river"))
    text = str(refused.value)
    assert len(text) < 300
    assert "\u202e" not in text
    assert "@everyone" not in text.replace("\\@", "")


async def test_players_cut_again_after_a_restored_backup(tables: Tables) -> None:
    """After a reseal each player may cut once until the next move; a notice says so to everybody."""
    number = await open_lobby_of_two(tables)
    await start(tables, number)

    def reseal(table: Table) -> Decision:
        assert table.match is not None
        return Decision(table=table.with_match(table.match.reseal(table.match_id)), answer="")

    await tables.change(number, None, reseal)
    table = await tables.get(number)
    assert "Cut the deck" in button_labels(more_post(table, request_of_person(1)))
    table_with_substitute = table.with_seat(Seat(1), replace(table.seats[1], substitute="random"))
    more_page = more_post(table_with_substitute, request_of_person(1))
    assert {"Cut the deck", "I'm back", "Resign"} <= set(button_labels(more_page))
    layout_of(more_page)  # raises ValueError for a row of more than five buttons
    assert (await cut(tables, number, 1, BEN_WORDS)).answer.startswith("You cut the deck")
    with pytest.raises(Refusal, match="until the next move"):
        await cut(tables, number, 1, AVA_WORDS)
    texts = [each.text for each in await tables.store.waiting_deliveries(number)]
    assert texts.count(f"Ben cut the deck with **{BEN_WORDS[0]}** and **{BEN_WORDS[1]}**.") == 1
    stored = await tables.store.load(number)
    assert stored is not None
    assert_records_whole(stored)
    await make_move(tables, number, random.Random(1))
    with pytest.raises(Refusal, match="until the next move"):
        await cut(tables, number, 0, AVA_WORDS)
    table = await tables.get(number)
    assert "Cut the deck" not in button_labels(more_post(table, request_of_person(0)))
