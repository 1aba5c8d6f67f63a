"""``/rules``: the pages of a game's rules, and which of them is meant."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from operator import or_
from typing import Final, NamedTuple

from bot import limits
from bot.chat.components import Button, Row, Select
from bot.chat.post_parts import Post, tableless_custom_id
from bot.host.names import escape_markup
from bot.host.request import Refusal
from bot.host.table import Games
from rules.game import AnyGame
from rules.text import capitalized, listed, shortened
from rules.words import Topic

LOOKUP_HINT: Final = "-# Look up a card, a piece or any word with `/rules topic`."
"""Below every page of the rules of a game that has a glossary."""
NAMES_PER_PAGE: Final = limits.SELECT_OPTIONS
"""The most names of the glossary in one select."""
_MIN_MENTION_LENGTH: Final = 4
"""The fewest characters by which a page is found that mentions them: fewer stand on nearly every page."""
_MIN_STEM_LENGTH: Final = 4
"""The fewest letters of a word of which its ending or its spelling may differ."""
_WORD_PATTERN: Final = r"[^\W_]{3,}"
_MAX_WORDS: Final = 8
"""How many words of a text are looked up: it may have 6,000 characters, and the loop's thread waits."""
_COMMON_WORDS: Final = frozenset(
    {"and", "are", "can", "did", "does", "for", "game", "get", "happen", "happens", "has", "have", "how"}
    | {"many", "may", "much", "must", "out", "that", "the", "this", "was", "what", "when", "where", "which"}
    | {"who", "why", "will", "with", "you"}
)
"""Words that are not looked up: they stand on nearly every page."""
_MAX_ENDING_LENGTH: Final = 3
"""The most letters by which a word may end otherwise on a page: "planned" finds "plan"."""
_OTHER_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("concede", "quit", "surrender"), ("resign",)),
    "deck": ("draw pile",),
    "empty": ("used up",),
    "extinct": ("dies out",),
    "refuse": ("decline",),
    **dict.fromkeys(("run", "runs"), ("empty", "used up")),
    "skip": ("pass",),
    **dict.fromkeys(("begins", "starts"), ("goes first",)),
    "tie": ("tied", "ties"),
}
"""What a page may say in place of a typed word."""

_MIN_SIMILARITY: Final = 0.8
"""From which share of equal letters on, as ``difflib`` measures it, a word may be another one misspelt."""
_MAX_LENGTH_DIFFERENCE: Final = 3
"""The most letters that a word and what it may be misspelt for differ in length."""
_MAX_CORRECTED_WORDS: Final = 3
"""The most words of a text whose spelling is corrected: each is compared with the words of all pages."""

_MAX_QUOTED_TOPICS: Final = 5
_MAX_QUOTED_SENTENCES: Final = 2
_MAX_SENTENCE_LENGTH: Final = 160
_MAX_SHOWN_TEXT_LENGTH: Final = 60
_SENTENCE_END_PATTERN: Final = r"(?<=[.!?]) "
_MARKUP_PATTERN: Final = r"[*`]"
_LIST_MARK_PATTERN: Final = r"^(?:- |\d+\. )"


class _Fit(NamedTuple):
    """How many of the typed words a sentence has."""

    with_title: int
    """Those of the title above it counted."""
    own: int


_SCORING_WORDS: Final = frozenset({"end", "ending", "points", "score", "scoring", "win", "winner", "winning"})
"""Words that ask how a game ends and is won, whatever the title of its page says."""


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
    words = set(re.findall(_WORD_PATTERN, text.casefold()))
    answers = [answer for asking_words, answer in _ANSWERS_FOR_ALL_GAMES if words & asking_words]
    return "\n".join(
        [*answers, "It is the same in every game. `/help` says how to begin."] if answers else []
    )


def find_topics(game: AnyGame, text: str) -> list[Topic]:
    """Return the topics that fit a typed or chosen text, the best first; all topics if it is empty.

    An equal key comes first, since a suggestion sends a key; then an equal title, the page of the end for a
    word about scoring, the beginning of a title, any part of it, and the pages that mention the text.
    Hyphens and spaces of a title need not be typed.  If nothing fits, the pages that have most of its words.
    """
    titled_topics, mentioning_topics = _find_by_title_and_mention(game, text)
    return [*titled_topics, *mentioning_topics]


def _find_by_title_and_mention(game: AnyGame, text: str) -> tuple[list[Topic], list[Topic]]:
    """Return the topics whose key or title fits a text, and the others that mention it, the best first."""
    typed = text.strip().casefold()
    letters = _letters(typed)
    if typed and not letters:
        return [], []
    words = _looked_up_words(typed)
    end_topic = _find_end_topic(game) if words and _SCORING_WORDS.issuperset(words) else None
    topics_by_fit: list[list[Topic]] = [[], [], [], [], []]
    other_topics: list[Topic] = []
    for topic in (*game.words.topics, *game.words.glossary):
        title_letters = _letters(topic.title)
        fits = (
            topic.key.casefold() == typed,
            title_letters == letters,
            topic is end_topic,
            title_letters.startswith(letters),
            letters in title_letters,
        )
        (topics_by_fit[fits.index(True)] if any(fits) else other_topics).append(topic)
    titled_topics = [topic for topics in topics_by_fit for topic in topics]
    mentioning_topics = _find_mentions(game, other_topics, typed)
    if not (titled_topics or mentioning_topics):
        mentioning_topics = _find_topics_by_words(game, typed)
    return titled_topics, mentioning_topics


def _find_mentions(game: AnyGame, topics: Sequence[Topic], typed: str) -> list[Topic]:
    """Return the topics that mention a text, the best first.

    A topic of the rules also mentions it by having all of its words.
    """
    if len(typed) < _MIN_MENTION_LENGTH:
        return []
    patterns = _word_patterns(typed)

    def mentions(topic: Topic) -> bool:
        if typed in topic.text.casefold():
            return True
        return bool(patterns) and topic in game.words.topics and all(_word_counts(topic, patterns))

    return _sort_by_fit(game, filter(mentions, topics), patterns)


def _find_topics_by_words(game: AnyGame, typed: str) -> list[Topic]:
    """Return the topics that have most of the typed words, and at least half of them."""
    patterns = _word_patterns(typed)
    counts = {
        topic: sum(count > 0 for count in _word_counts(topic, patterns))
        for topic in (*game.words.topics, *game.words.glossary)
    }
    most = max(counts.values(), default=0)
    if not most or 2 * most < len(patterns):
        return []
    return _sort_by_fit(game, (topic for topic, count in counts.items() if count == most), patterns)


def _looked_up_words(typed: str) -> list[str]:
    """Return the first words of a text but for short and common ones."""
    return [word for word in re.findall(_WORD_PATTERN, typed) if word not in _COMMON_WORDS][:_MAX_WORDS]


def _word_patterns(typed: str) -> list[str]:
    """Return what finds each word of a text, also with another ending, or another word for it."""
    words = _looked_up_words(typed)
    return [rf"\b(?:{'|'.join((_stem_pattern(word), *_OTHER_WORDS.get(word, ())))})" for word in words]


def _stem_pattern(word: str) -> str:
    """Return what finds a word from its beginning on; one of three letters must stand there as it is."""
    if len(word) < _MIN_STEM_LENGTH:
        return rf"{word}\b"
    return word[: max(_MIN_STEM_LENGTH, len(word) - _MAX_ENDING_LENGTH)]


def _word_counts(topic: Topic, patterns: Sequence[str]) -> list[int]:
    """Return how often a topic has each word."""
    text = f"{topic.title}\n{topic.text}".casefold()
    return [len(re.findall(pattern, text)) for pattern in patterns]


def _paragraphs(topic: Topic) -> list[list[str]]:
    """Return the paragraphs of a topic as sentences without markup."""
    return [
        re.split(_SENTENCE_END_PATTERN, re.sub(_MARKUP_PATTERN, "", re.sub(_LIST_MARK_PATTERN, "", line)))
        for line in topic.text.splitlines()
        if line
    ]


def _fits(topic: Topic, patterns: Sequence[str]) -> list[list[_Fit]]:
    """Return the fit of each sentence of each paragraph."""

    def matches(text: str) -> list[bool]:
        return [bool(re.search(pattern, text.casefold())) for pattern in patterns]

    title_matches = matches(topic.title)

    def fit(sentence: str) -> _Fit:
        own_matches = matches(sentence)
        return _Fit(sum(map(or_, own_matches, title_matches)), sum(own_matches))

    return [list(map(fit, sentences)) for sentences in _paragraphs(topic)]


def _best_fit(topic: Topic, patterns: Sequence[str]) -> _Fit:
    return max(fit for fits in _fits(topic, patterns) for fit in fits)


def _sort_by_fit(game: AnyGame, topics: Iterable[Topic], patterns: Sequence[str]) -> list[Topic]:
    """Return topics of the rules before those of the glossary, which are short.

    Of the rules, the one with the most of the words in one sentence comes first; of several, and in the
    glossary, the one that mentions them most.
    """

    def rank(topic: Topic) -> tuple[bool, int, int, int]:
        is_of_rules = topic in game.words.topics
        fit = _best_fit(topic, patterns) if is_of_rules else _Fit(0, 0)
        return not is_of_rules, -fit.with_title, -fit.own, -sum(_word_counts(topic, patterns))

    return sorted(topics, key=rank)


def _find_end_topic(game: AnyGame) -> Topic:
    """Return the page of a game's end; the introduction, which says who wins, if the end has none."""
    topics = game.words.topics
    return next((topic for topic in topics if "end" in topic.title.casefold().split()), topics[0])


def _letters(text: str) -> str:
    """Return the letters and digits of a text in lower case, without spaces and signs."""
    return "".join(filter(str.isalnum, text.casefold()))


def rules_post(game: AnyGame, text: str = "", glossary_page_index: int | None = None) -> Post:
    """Return the topic of the rules that fits ``text`` best, with selects of other topics.

    If no title fits and several topics mention the text: what each says of it.  If none does, but other
    words are spelled alike: the question whether these are meant.

    ``glossary_page_index``: which page of the glossary's names is offered; None: the one that holds the
    topic, else the first.  Raises Refusal.
    """
    titled_topics, mentioning_topics = _find_by_title_and_mention(game, text)
    if not titled_topics and len(mentioning_topics) > 1:
        return _mentions_post(game, text.strip(), mentioning_topics)
    if not (titled_topics or mentioning_topics):
        reason = f'The rules of {game.title} have nothing about "{_shown_text(text)}".'
        corrected_text = _correct_spelling(game, text)
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
    namesakes = [topic for topic in titled_topics if word in topic.title.casefold().split()]
    is_shown_first = namesakes[:1] == titled_topics[:1]
    is_whole_title = any(topic.title.casefold() == word for topic in namesakes[:1])
    return namesakes[1 : 1 + _MAX_QUOTED_TOPICS] if is_shown_first and not is_whole_title else ()


def _correct_spelling(game: AnyGame, text: str) -> str:
    """Return a text with the most similar word of the rules in place of each long word: titles come first."""
    topics = (*game.words.topics, *game.words.glossary)
    words_of_titles = _words_of(topic.title for topic in topics)
    words_of_texts = _words_of(topic.text for topic in topics)

    def most_similar(word: str) -> str:
        for known_words in (words_of_titles, words_of_texts):
            candidates = sorted(
                each for each in known_words if abs(len(each) - len(word)) <= _MAX_LENGTH_DIFFERENCE
            )
            for similar in difflib.get_close_matches(word, candidates, 1, _MIN_SIMILARITY):
                return similar
        return word

    words = _shown_text(text.casefold()).split()
    return " ".join(
        most_similar(word) if i < _MAX_CORRECTED_WORDS and len(word) >= _MIN_STEM_LENGTH else word
        for i, word in enumerate(words)
    )


def _words_of(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in re.findall(_WORD_PATTERN, text.casefold())}


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
    corrections = [(game, _correct_spelling(game, text)) for game in games.values()]
    similar = [f'"{words}" ({game.title})' for game, words in corrections if find_topics(game, words)]
    if not similar:
        return ""
    return f'No rules mention "{_shown_text(text)}". Did you mean {listed(similar, "or")}?'


def _shown_text(typed: str) -> str:
    """Return a typed text as a post may quote it: cut to a limit, without markup."""
    return escape_markup(shortened(typed.strip(), _MAX_SHOWN_TEXT_LENGTH))


def _mentions_post(game: AnyGame, typed: str, topics: Sequence[Topic]) -> Post:
    """Return what the first topics say of a text, with a select of them and of the others."""
    patterns = _word_patterns(typed.casefold()) or [re.escape(typed.casefold())]
    lines = [f"**{game.title}: {_shown_text(typed)}**"]
    for topic in topics[:_MAX_QUOTED_TOPICS]:
        lines += [f"**{topic.title}**", f"> {_quote(topic, patterns)}"]
    offered_topics = tuple(dict.fromkeys((*topics, *game.words.topics)))[: limits.SELECT_OPTIONS]
    topic_select = _topic_select(game, "Read one of these topics", offered_topics)
    return Post("\n".join(lines), ((topic_select,), *_glossary_rows(game, topics[0], None)))


def _quote(topic: Topic, patterns: Sequence[str]) -> str:
    """Return the sentences of a topic with the most of the looked-up words, these in bold; two at most.

    If it is only one, the sentence after it in its paragraph stands there too.
    """
    best_fit = _best_fit(topic, patterns)
    passages = [
        sentences[i : i + 2]
        for sentences, fits in zip(_paragraphs(topic), _fits(topic, patterns), strict=True)
        for i, fit in enumerate(fits)
        if fit == best_fit
    ]
    if len(passages) > 1:
        passages = [sentences[:1] for sentences in passages[:_MAX_QUOTED_SENTENCES]]
    text = " … ".join(
        capitalized(" ".join(shortened(sentence, _MAX_SENTENCE_LENGTH) for sentence in sentences))
        for sentences in passages
    )
    return re.sub(rf"(?i)(?:{'|'.join(patterns)})\w*", lambda match: f"**{match[0]}**", text)


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
