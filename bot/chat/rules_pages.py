"""``/rules``: the pages of a game's rules as posts."""

import re
from collections.abc import Sequence
from typing import Final

from bot import limits
from bot.chat.components import Button, Row, Select
from bot.chat.post_parts import Post, tableless_custom_id
from bot.chat.rules_search import (
    correct_spelling,
    find_by_title_and_mention,
    find_topics,
    quote_sentences,
    words_of,
)
from bot.host.names import escape_markup
from bot.host.request import Refusal
from bot.host.table import Games
from rules.game import AnyGame
from rules.text import listed, shortened
from rules.words import Topic

LOOKUP_HINT: Final = "-# Look up a card, a piece or any word with `/rules topic`."
"""Below every page of the rules of a game that has a glossary."""
NAMES_PER_PAGE: Final = limits.SELECT_OPTIONS
"""The most names of the glossary in one select."""
_MAX_QUOTED_TOPICS: Final = 5
_MAX_SHOWN_TEXT_LENGTH: Final = 60

_ANSWERS_FOR_ALL_GAMES: Final = (
    (
        frozenset({"undo", "undoing", "undone"}),
        "**Undo** takes your last move back. If others have moved or seen something new, it asks them first.",
    ),
    (
        frozenset({"clock", "clocks", "deadline", "deadlines"}),
        "The host sets a clock in the lobby with **Choose the clock**. `/table show` names that of a game.",
    ),
    (
        frozenset({"elo", "leaderboard", "rating", "ratings"}),
        "`/stats` shows a player's rating in a game, `/leaderboard` all ratings of this server.",
    ),
)
"""The words that ask about what is no rule of a game, each with the answer."""


def answer_for_all_games(text: str) -> str:
    """Return the answer to a question about undo, clocks or ratings; empty if a text asks about a game."""
    words = set(words_of(text))
    answers = [answer for asking_words, answer in _ANSWERS_FOR_ALL_GAMES if words & asking_words]
    return "\n".join(
        [*answers, "It is the same in every game. `/help` says how to begin."] if answers else []
    )


def rules_post(game: AnyGame, text: str = "", glossary_page_index: int | None = None) -> Post:
    """Return the topic of the rules that fits ``text`` best, with selects of other topics.

    If no title fits and several topics mention the text: what each says of it.  If none does, but other
    words are spelled alike: the question whether these are meant.

    ``glossary_page_index``: which page of the glossary's names is offered; None: the one that holds the
    topic, else the first.  Raises Refusal.
    """
    titled_topics, mentioning_topics = find_by_title_and_mention(game, text)
    if not titled_topics and len(mentioning_topics) > 1:
        return _mentions_post(game, text.strip(), mentioning_topics)
    if not (titled_topics or mentioning_topics):
        reason = f'The rules of {game.title} have nothing about "{_shown_text(text)}".'
        corrected_text = correct_spelling(game, _shown_text(text.casefold()))
        if not (similar_topics := find_topics(game, corrected_text)):
            raise Refusal(f"{reason} Type a part of another name or word in `/rules topic`.")
        topic_select = _topic_select(
            game, "Read one of these topics", similar_topics[: limits.SELECT_OPTIONS]
        )
        return Post(f'{reason} Did you mean "{corrected_text}"?', ((topic_select,),))
    topic = (*titled_topics, *mentioning_topics)[0]
    heading = topic.title if game.title in topic.title else f"{game.title}: {topic.title}"
    lines = [f"**{heading}**", topic.text]
    others = _other_namesakes(titled_topics, text)
    if others:
        titles_text = listed([other.title for other in others])
        lines.append(f'-# Other names with "{_shown_text(text)}": {titles_text}.')
    if game.words.glossary:
        lines.append(LOOKUP_HINT)
    offered_topics = tuple(dict.fromkeys((*others, *game.words.topics)))[: limits.SELECT_OPTIONS]
    topic_select = _topic_select(game, "Read another topic", offered_topics)
    return Post("\n".join(lines), ((topic_select,), *_glossary_rows(game, topic, glossary_page_index)))


def _other_namesakes(titled_topics: Sequence[Topic], text: str) -> Sequence[Topic]:
    """Return the next topics whose titles have a typed word as the first one has: "Kraken" is in three."""
    word = text.strip().casefold()
    namesakes = [topic for topic in titled_topics if word in re.findall(r"\w+", topic.title.casefold())]
    is_shown_first = namesakes[:1] == titled_topics[:1]
    is_whole_title = any(topic.title.casefold() == word for topic in namesakes[:1])
    return namesakes[1 : 1 + _MAX_QUOTED_TOPICS] if is_shown_first and not is_whole_title else ()


def find_game_that_explains(games: Games, text: str) -> AnyGame | None:
    """Return the only game whose rules have a topic for a text; None if no game has.

    Raises Refusal, which names them, if several have.
    """
    explaining_games = [game for game in games.values() if find_topics(game, text)]
    if len(explaining_games) > 1:
        titles = listed([game.title for game in explaining_games])
        raise Refusal(f'The rules of {titles} mention "{_shown_text(text)}". Choose a game in `/rules game`.')
    return explaining_games[0] if explaining_games else None


def similar_words_text(games: Games, text: str) -> str:
    """Return which words of the games' rules a misspelt text may mean; empty if none is spelled alike."""
    corrections = [(game, correct_spelling(game, _shown_text(text.casefold()))) for game in games.values()]
    similar = [f'"{words}" ({game.title})' for game, words in corrections if find_topics(game, words)]
    if not similar:
        return ""
    return f'No rules mention "{_shown_text(text)}". Did you mean {listed(similar, "or")}?'


def _shown_text(typed: str) -> str:
    """Return a typed text as a post may quote it: cut to a limit, without markup."""
    return escape_markup(shortened(typed.strip(), _MAX_SHOWN_TEXT_LENGTH))


def _mentions_post(game: AnyGame, typed: str, topics: Sequence[Topic]) -> Post:
    """Return what the first topics say of a text, with a select of them and of the others."""
    lines = [f"**{game.title}: {_shown_text(typed)}**"]
    for topic in topics[:_MAX_QUOTED_TOPICS]:
        lines += [f"**{topic.title}**", f"> {quote_sentences(game, topic, typed)}"]
    offered_topics = tuple(dict.fromkeys((*topics, *game.words.topics)))[: limits.SELECT_OPTIONS]
    topic_select = _topic_select(game, "Read one of these topics", offered_topics)
    return Post("\n".join(lines), ((topic_select,), *_glossary_rows(game, topics[0], None)))


def _topic_select(game: AnyGame, placeholder: str, topics: Sequence[Topic]) -> Select:
    return Select(placeholder, tableless_custom_id("topic", game.key), _topic_options(topics))


def _glossary_rows(game: AnyGame, topic: Topic, page_index: int | None) -> tuple[Row, ...]:
    """Return the select of the glossary's names, and the buttons between its pages, if it has any."""
    if not game.words.glossary:
        return ()
    sorted_glossary = sorted(game.words.glossary, key=lambda each: each.title.casefold())
    page_count = -(-len(sorted_glossary) // NAMES_PER_PAGE)
    if page_index is None:
        page_index = sorted_glossary.index(topic) // NAMES_PER_PAGE if topic in sorted_glossary else 0
    page_index = min(page_index, page_count - 1)
    shown_topics = sorted_glossary[page_index * NAMES_PER_PAGE : (page_index + 1) * NAMES_PER_PAGE]
    prompt = "Look up a name"
    if page_count > 1:
        names_text = f"{shown_topics[0].title} to {shown_topics[-1].title}"
        prompt = f"Names from {names_text} ({page_index + 1} of {page_count})"
    name_select = Select(prompt, tableless_custom_id("name", game.key), _topic_options(shown_topics))
    if page_count == 1:
        return ((name_select,),)
    previous_id, next_id = (
        tableless_custom_id("names", f"{game.key} {other_index} {topic.key}")
        for other_index in (page_index - 1, page_index + 1)
    )
    previous_button = Button("Previous names", previous_id, disabled=page_index == 0)
    next_button = Button("Next names", next_id, disabled=page_index == page_count - 1)
    return (name_select,), (previous_button, next_button)


def _topic_options(topics: Sequence[Topic]) -> tuple[tuple[str, str, str], ...]:
    return tuple((topic.title, topic.key, "") for topic in topics)
