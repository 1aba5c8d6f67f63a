"""The pages of the rules: found by name, browsed page by page, shown whole."""

from __future__ import annotations

import contextlib
import random
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from time import time
from typing import Any, Final

import pytest

from bot import limits
from bot.chat.components import Select
from bot.chat.post_parts import Post
from bot.chat.rules_pages import (
    LOOKUP_HINT,
    NAMES_PER_PAGE,
    find_game_that_explains,
    rules_post,
    similar_words_text,
)
from bot.chat.rules_search import _word_patterns, find_topics
from bot.host.request import Refusal
from bot.local.members import Member
from bot.local.message_contents import body_text, controls, has_button
from bot.local.model import Message
from bot.store.sqlite import SqliteStore
from render.legend import CHANGE_LEGEND_ENTRY, LegendEntry
from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.words import Topic
from tests.bot.chat.post_components import components_by_row
from tests.bot.e2e.observe import read_response, shown_message
from tests.bot.host.playing import GAMES_AND_TOYS
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.in_process_bot import in_process_bot
from tests.conformance.text import MAX_TOPIC_KEY_LENGTH, MAX_TOPIC_LENGTH
from tests.docs.game_guide import pearls_game
from tests.trials import IS_SOAK

__all__ = ["restored_discord_addresses"]

FISH: Final = (
    Topic("EEL", "Moray", "Bites."),
    Topic("MY", "Ray", "Glides."),
    Topic("GM", "Giant moray", "Bites hard."),
    Topic("RF", "Rayfish", "Is no fish."),
)
CARDS: Final = (
    *FISH,
    *(Topic(f"P{number}", f"Pearl {number:02}", f"Worth {number}.") for number in range(60)),
)
TITLES: Final = sorted((card.title for card in CARDS), key=str.casefold)


def _game_with_topics(topics: tuple[Topic, ...], glossary: tuple[Topic, ...]) -> AnyGame:
    game = pearls_game()
    return replace(game, words=replace(game.words, topics=topics, glossary=glossary))


GAME: Final = _game_with_topics(pearls_game().words.topics, CARDS)


def _found_titles(typed: str) -> list[str]:
    return [topic.title for topic in find_topics(GAME, typed)]


# What is found


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ("ray", ["Ray", "Rayfish", "Moray", "Giant moray"]),
        ("  RAYF ", ["Rayfish"]),
        ("eel", ["Moray"]),
        ("my", ["Ray"]),
        ("giant-moray", ["Giant moray"]),
        ("GIANT  MORAY!", ["Giant moray"]),
        ("bites", ["Moray", "Giant moray"]),
        ("hard", ["Giant moray"]),
        ("biting", []),
        ("biters bit hardly", ["Giant moray"]),
        ("har", []),
        ("shark", []),
        ("?!", []),
    ],
)
def test_names_are_found_best_first(typed: str, titles: list[str]) -> None:
    """Key, whole title, its beginning, a part of it, then what a page says; signs need not be typed."""
    assert _found_titles(typed) == titles


def test_nothing_typed_finds_everything() -> None:
    """Every page is offered, the topics before the cards, the introduction first."""
    every_page = (*GAME.words.topics, *CARDS)
    assert find_topics(GAME, "") == list(every_page)


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_every_page_is_found_by_its_key_and_title(key: str) -> None:
    """What a suggestion sends, and what a person copies, bring exactly that page, whole."""
    game = GAMES_AND_TOYS[key]
    for page in (*game.words.topics, *game.words.glossary):
        assert find_topics(game, page.key)[0] is page
        assert find_topics(game, page.title)[0] is page
        text = rules_post(game, page.key).text
        assert page.text in text
        assert len(text) <= limits.CONTENT


@pytest.mark.parametrize("key", GAMES)
def test_every_word_of_a_legend_finds_a_page(key: str) -> None:
    """What stands beside a sign of a picture can be looked up as it stands there."""
    texts = _legend_texts(key)
    assert CHANGE_LEGEND_ENTRY.text in texts
    assert [text for text in texts if not find_topics(GAMES[key], text)] == []


@pytest.mark.parametrize(
    ("key", "typed", "title"),
    [
        ("current_affairs", "no current", "Currents and routes"),
        ("current_affairs", "unlocked", "Upgrades"),
        ("current_affairs", "restored", "Habitats"),
        ("arctic_cleanup", "turn", "Your turn: cards and strength"),
        ("arctic_cleanup", "dock", "The factory"),
        ("currents", "compass", "The compass"),
        ("australis", "how do I win the game", "New round and end"),
        ("arctic_cleanup", "adjacent", "The map: hexes and directions"),
        ("arctic_cleanup", "neighbour", "The map: hexes and directions"),
        ("arctic_cleanup", "hex", "The map: hexes and directions"),
        ("arctic_cleanup", "B1", "B1 (hex)"),
        ("current_affairs", "routes", "Routes: north"),
        ("current_affairs", "how many contracts may I hold", "Contracts and trash"),
        ("oceans", "what is the Cambrian Explosion", "The Cambrian Explosion"),
        ("australis", "what does the yellow die do", "Yellow die"),
        ("arctic_cleanup", "where can I unload?", "Card: Unload"),
        ("arctic_cleanup", "what is a card", "Your turn: cards and strength"),
        ("arctic_cleanup", "what is a hex", "The map: hexes and directions"),
        ("arctic_cleanup", "what is a line", "The factory"),
        ("arctic_cleanup", "what is PA6", "PA6 (net)"),
        ("current_affairs", "when do I get an upgrade", "Upgrades"),
        ("currents", "may I pass", "A turn"),
        ("currents", "pass", "A turn"),
        ("currents", "may I discard a card", "A turn"),
        ("australis", "what happens if nobody takes the red die", "New round and end"),
    ],
)
def test_the_page_that_explains_a_word_comes_first(key: str, typed: str, title: str) -> None:
    """A page of the rules comes before a card that mentions the word, the one that says most of it first."""
    assert find_topics(GAMES[key], typed)[0].title == title


def test_a_full_species_is_explained_by_overpopulation() -> None:
    """The page is among those quoted, whatever else a full species may not do."""
    titles = [topic.title for topic in find_topics(GAMES["oceans"], "what happens when a species is full")]
    assert "Overpopulation" in titles[:2]


@pytest.mark.parametrize("typed", ["wo ist die karte", "quite another kind of vessel"])
def test_a_text_with_few_known_words_finds_nothing(typed: str) -> None:
    """One word of many that stands on some page by chance does not bring that page."""
    assert find_topics(GAMES["australis"], typed) == []


@pytest.mark.parametrize("key", GAMES)
def test_a_long_text_is_looked_up_by_its_first_words(key: str) -> None:
    """The search runs on the loop's thread, for each suggestion: what is typed may have 6,000 characters."""
    words = [f"w{number:03}" for number in range(1000)]
    assert _word_patterns(" ".join(words)) == _word_patterns(" ".join(words[:8]))
    assert find_topics(GAMES[key], " ".join(words)) == []


def test_legends_are_found() -> None:
    """The test of their words knows the legends of the games with many signs."""
    assert sum(len(_legend_texts(key)) > 5 for key in GAMES) > 3


def _legend_texts(key: str) -> set[str]:
    """Return what stands in the legends of a game's pictures, which are a module or a package of modules."""
    pictures = import_module(f"render.{key}")
    submodules = iter_modules(getattr(pictures, "__path__", ()))
    modules = [pictures, *(import_module(f"render.{key}.{each.name}") for each in submodules)]
    values = [value for module in modules for value in vars(module).values()]
    return {entry.text for value in values for entry in _legend_entries(value)}


def _legend_entries(value: object) -> Iterator[LegendEntry]:
    """Yield the entries that a value of a module is or holds."""
    if isinstance(value, LegendEntry):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _legend_entries(each)


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
@pytest.mark.parametrize("typed", ["scoring", "Score", "points", "end", "winning"])
def test_words_about_scoring_find_the_page_of_the_end(key: str, typed: str) -> None:
    """A reader need not know its title; a game without such a page says in its introduction who wins."""
    topics = GAMES_AND_TOYS[key].words.topics
    end_pages = [topic for topic in topics if {"End", "end"} & set(topic.title.split())]
    assert find_topics(GAMES_AND_TOYS[key], typed)[0] == (end_pages or topics)[0]


def test_the_longest_page_is_shown_whole() -> None:
    """Title and text of the greatest length that a game may have fit one message with all around them."""
    page = Topic("k" * MAX_TOPIC_KEY_LENGTH, "t" * limits.CHOICE_NAME, "x" * MAX_TOPIC_LENGTH)
    game = replace(_game_with_topics(GAME.words.topics, (page,)), title="T" * limits.COMMAND_NAME)
    text = rules_post(game, page.key).text
    assert page.text in text
    assert page.title in text
    assert LOOKUP_HINT in text
    assert len(text) <= limits.CONTENT


def test_an_unknown_name_is_refused() -> None:
    """Nobody is shown another page than the one that was asked for."""
    with pytest.raises(Refusal, match='nothing about "shark"'):
        rules_post(GAME, "shark")


@pytest.mark.parametrize(
    ("key", "typed", "meant"),
    [("oceans", "Reeef", "reef"), ("currents", "jokre", "joker"), ("currents", "jokre *", r"joker \*")],
)
def test_a_misspelt_word_is_asked_about(key: str, typed: str, meant: str) -> None:
    """The pages of the word that is most alike can be read by one press; no text is shown instead."""
    post = rules_post(GAMES[key], typed)
    assert post.text.endswith(f'Did you mean "{meant}"?')
    ((topic_select,),) = components_by_row(post)
    assert isinstance(topic_select, Select)
    titles = [title for title, _, _ in topic_select.options]
    found_topics = find_topics(GAMES[key], meant)[: limits.SELECT_OPTIONS]
    assert titles == [topic.title for topic in found_topics]


@pytest.mark.parametrize(
    ("key", "typed", "titles"),
    [
        ("australis", "grey", ("Set-up", "Turtle and food cubes")),
        ("australis", "what is a tie", ("Coral reefs", "Turtle and food cubes", "New round and end")),
    ],
)
def test_several_mentions_are_quoted(key: str, typed: str, titles: tuple[str, ...]) -> None:
    """Where no title fits, each page that has the word is quoted with it, and the select offers it first."""
    post = rules_post(GAMES[key], typed)
    word = typed.rsplit(maxsplit=1)[-1]
    quotes = [line for line in post.text.splitlines() if line.startswith("> ")]
    assert [line.strip("*") for line in post.text.splitlines()[1::2]] == list(titles)
    assert all(f"**{word}**" in quote for quote in quotes)
    (topic_select,) = components_by_row(post)[0]
    assert isinstance(topic_select, Select)
    assert tuple(title for title, _, _ in topic_select.options[: len(titles)]) == titles


@pytest.mark.parametrize("key", GAMES)
def test_quotes_of_any_word_fit(key: str) -> None:
    """Whatever word of the rules is typed, what is shown fits one message and its select.

    In ``make test`` a quarter of the words.
    """
    words = sorted({word for topic in GAMES[key].words.topics for word in topic.text.split()})
    for word in words if IS_SOAK else random.Random(key).sample(words, len(words) // 4):
        with contextlib.suppress(Refusal):
            post = rules_post(GAMES[key], word)
            assert len(post.text) <= limits.CONTENT
            quotes = [line for line in post.text.splitlines() if line.startswith("> ")]
            assert not any("`" in quote or "***" in quote for quote in quotes)
            assert all(
                len(part.options) <= limits.SELECT_OPTIONS
                for row in components_by_row(post)
                for part in row
                if isinstance(part, Select)
            )


def test_a_word_finds_the_game_that_explains_it() -> None:
    """Where no game is chosen, the only one that has the word is shown; of several the reader chooses."""
    assert find_game_that_explains(GAMES, "joker") is GAMES["currents"]
    assert find_game_that_explains(GAMES, "sharknado") is None
    with pytest.raises(Refusal, match='Australis and Current Affairs mention "turtle"'):
        find_game_that_explains(GAMES, "turtle")


def test_a_misspelt_word_finds_the_games_with_similar_words() -> None:
    """Where no game is chosen, the refusal names the words that may be meant, each with its game."""
    similar_text = similar_words_text(GAMES, "reeef")
    assert similar_text == 'No rules mention "reeef". Did you mean "reef" (Oceans) or "reefs" (Australis)?'
    assert similar_words_text(GAMES, "sharknado") == ""


# Which names are offered


def _name_select(post: Post) -> Select:
    (select,) = (
        part
        for row in components_by_row(post)
        for part in row
        if isinstance(part, Select) and part.custom_id.verb == "name"
    )
    return select


def test_the_pages_of_names_hold_every_name_once() -> None:
    """Page after page, the select of names holds the whole glossary by the alphabet, and fits."""
    seen_titles: list[str] = []
    for page in range(-(-len(CARDS) // NAMES_PER_PAGE)):
        names = _name_select(rules_post(GAME, "", page))
        assert len(names.options) <= limits.SELECT_OPTIONS
        assert len(names.placeholder) <= limits.SELECT_PLACEHOLDER
        seen_titles += [title for title, _, _ in names.options]
    assert seen_titles == TITLES


@pytest.mark.parametrize("page", [3, 99, 10**30])
def test_a_forged_page_is_the_last(page: int) -> None:
    """Beyond the last names are the last names."""
    last_select = _name_select(rules_post(GAME, "", 2))
    assert last_select.options[-1][0] == TITLES[-1]
    assert _name_select(rules_post(GAME, "", page)) == last_select


def test_names_around_a_card_are_offered() -> None:
    """A card's page offers the names among which it stands in the alphabet."""
    for card in CARDS:
        start = TITLES.index(card.title) // NAMES_PER_PAGE * NAMES_PER_PAGE
        offered_titles = [title for title, _, _ in _name_select(rules_post(GAME, card.key)).options]
        assert offered_titles == TITLES[start : start + NAMES_PER_PAGE]


def test_the_longest_keys_fit_the_buttons() -> None:
    """Keys of the greatest length stand in the buttons between the pages."""
    long_topics = tuple(
        Topic(f"{number:0{MAX_TOPIC_KEY_LENGTH}}", f"Card {number}", "Is long.")
        for number in range(3 * NAMES_PER_PAGE)
    )
    game = _game_with_topics(GAME.words.topics, long_topics)
    for row in components_by_row(rules_post(game, long_topics[30].key)):
        assert all(len(str(part.custom_id)) <= limits.CUSTOM_ID for part in row)


def test_few_names_need_one_page() -> None:
    """Up to 25 names are one select without buttons; a game without a glossary has its topics only."""
    game_with_few_names, game_without_names = (
        _game_with_topics(GAME.words.topics, CARDS[:NAMES_PER_PAGE]),
        _game_with_topics(GAME.words.topics, ()),
    )
    assert [len(row) for row in components_by_row(rules_post(game_with_few_names, ""))] == [1, 1]
    assert [len(row) for row in components_by_row(rules_post(game_without_names, ""))] == [1]
    assert LOOKUP_HINT not in rules_post(game_without_names, "").text
    assert _name_select(rules_post(game_with_few_names, "")).placeholder == "Look up a name"


# In Discord


@pytest.fixture
async def member(store: SqliteStore, restored_discord_addresses: None) -> AsyncIterator[Member]:
    """Yield somebody in a channel where a lobby of the game is open, with the bot there."""
    async with in_process_bot(store, games={GAME.key: GAME}, clock=time) as (server, _):
        member = server.member("Ava")
        assert "is open" in await read_response(await member.command("newgame", game=GAME.key))
        yield member


def _option_labels(message: Message, verb: str) -> list[str]:
    return [
        option["label"]
        for control in controls(message)
        if control["custom_id"].split(":")[3] == verb
        for option in control["options"]
    ]


async def test_a_question_about_undo_needs_no_game(member: Member) -> None:
    """It is answered where none is played."""
    answer = await read_response(await member.command("rules", topic="can I undo"))
    assert "takes your last move back" in answer


async def test_a_card_is_found_by_its_name(member: Member) -> None:
    """What is typed brings suggestions, at most 25; one that is taken brings the card, the plain name too."""
    assert len(await member.autocomplete("rules", "topic")) == limits.AUTOCOMPLETE_CHOICES
    suggestions = await member.autocomplete("rules", "topic", "ray")
    assert [suggestion["name"] for suggestion in suggestions] == _found_titles("ray")
    assert "Glides." in await read_response(await member.command("rules", topic=suggestions[0]["value"]))
    assert "Glides." in await read_response(await member.command("rules", topic="ray", game=GAME.key))
    assert "nothing about" in await read_response(await member.command("rules", topic="shark"))


@pytest.mark.parametrize("options", [{}, {"game": GAME.key}], ids=["at a table", "of a game"])
async def test_presses_alone_lead_to_every_card(member: Member, options: dict[str, Any]) -> None:
    """From the rules, presses alone lead to every card; the page stays until another is chosen."""
    rules = await shown_message(await member.command("rules", **options))
    first_topic = GAME.words.topics[0]
    seen_titles: list[str] = []
    for _ in range(-(-len(CARDS) // NAMES_PER_PAGE)):
        assert first_topic.text in body_text(rules)
        assert LOOKUP_HINT in body_text(rules)
        assert _option_labels(rules, "topic") == [topic.title for topic in GAME.words.topics]
        seen_titles += _option_labels(rules, "name")
        if has_button(rules, "Next names"):
            await shown_message(await member.press(rules, "Next names"))
    assert seen_titles == TITLES
    last_card = next(card for card in CARDS if card.title == seen_titles[-1])
    await shown_message(await member.choose(rules, last_card.key))
    assert last_card.text in body_text(rules)
    assert last_card.title in _option_labels(rules, "name")
    await shown_message(await member.press(rules, "Previous names"))
    assert last_card.text in body_text(rules)
    assert last_card.title not in _option_labels(rules, "name")
    await shown_message(await member.choose(rules, first_topic.key))
    assert first_topic.text in body_text(rules)
