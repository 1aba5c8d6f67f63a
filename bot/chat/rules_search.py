"""Finds the pages of a game's rules that a typed text means, and the sentences that answer it."""

import difflib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rules.game import AnyGame
from rules.text import capitalized, shortened
from rules.words import Topic

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
_WEAK_WORDS: Final = frozenset({"start", "work", "works"})
"""Words that are looked up only if a text has no others: they tell least of what is asked."""
_MAX_ENDING_LENGTH: Final = 3
"""The most letters by which a word may end otherwise on a page: "planned" finds "plan"."""
_OTHER_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("concede", "quit", "surrender"), ("resign",)),
    "deck": ("draw pile",),
    "empty": ("used up",),
    **dict.fromkeys(("extinct", "extinction"), ("dies out",)),
    "refuse": ("decline",),
    **dict.fromkeys(("run", "runs"), ("empty", "used up")),
    "skip": ("pass",),
    **dict.fromkeys(("begins", "starts"), ("goes first",)),
    **dict.fromkeys(("tie", "tied", "ties"), (r"tie\b", "tied", "ties")),
}
"""What a page may say in place of a typed word."""

_MIN_SIMILARITY: Final = 0.8
"""From which share of equal letters on, as ``difflib`` measures it, a word may be another one misspelt."""
_MAX_LENGTH_DIFFERENCE: Final = 3
"""The most letters that a word and what it may be misspelt for differ in length."""
_MAX_CORRECTED_WORDS: Final = 3
"""The most words of a text whose spelling is corrected: each is compared with the words of all pages."""

_MAX_QUOTED_SENTENCES: Final = 2
_MAX_SENTENCE_LENGTH: Final = 160
_TITLE_PART_END_PATTERN: Final = r"[:,(]| and "
_SHORT_NUMBER_PATTERN: Final = r"\b\w?\d\b"
"""Matches numbers and codes that are too short to be looked up: "9", "R2"."""
_PLURAL_END_PATTERN: Final = r"e?s?$"
_SENTENCE_END_PATTERN: Final = r"(?<=[.!?]) "
_MARKUP_PATTERN: Final = r"[*`]"
_LIST_MARK_PATTERN: Final = r"^(?:- |\d+\. )"

_SCORING_WORDS: Final = frozenset({"end", "ending", "points", "score", "scoring", "win", "winner", "winning"})
"""Words that ask how a game ends and is won, whatever the title of its page says."""


class _Fit(NamedTuple):
    """The weights of the typed words that a sentence has, added up."""

    with_title: float
    """Those of the title above it counted."""
    own: float


def find_topics(game: AnyGame, text: str) -> list[Topic]:
    """Return the topics that fit a typed or chosen text, the best first; all topics if it is empty.

    An equal key comes first, since a suggestion sends a key; then an equal title, the page of the end for a
    word about scoring, the beginning of a title, any part of it, a name in a title for which a question asks,
    and the pages that mention the text.  Hyphens and spaces of a title need not be typed.  A part of a title
    of the rules begins with a word.  If nothing fits, the pages that have most of its words.
    """
    titled_topics, mentioning_topics = find_by_title_and_mention(game, text)
    return [*titled_topics, *mentioning_topics]


def find_by_title_and_mention(game: AnyGame, text: str) -> tuple[list[Topic], list[Topic]]:
    """Return the topics whose key or title fits a text, and the others that mention it, the best first."""
    typed = text.strip().casefold()
    letters = _letters(typed)
    if typed and not letters:
        return [], []
    words = _looked_up_words(typed)
    end_topic = _find_end_topic(game) if words and _SCORING_WORDS.issuperset(words) else None
    names = frozenset(game.words.glossary)
    topics_by_fit: list[list[Topic]] = [[], [], [], [], [], []]
    other_topics: list[Topic] = []
    for topic in (*game.words.topics, *game.words.glossary):
        title_letters = _letters(topic.title)
        fits = (
            topic.key.casefold() == typed,
            title_letters == letters,
            topic is end_topic,
            title_letters.startswith(letters),
            letters in title_letters and (topic in names or _begins_in_title(letters, topic.title)),
            bool(words) and _without_plurals(words) in _names_in_title(topic.title),
        )
        (topics_by_fit[fits.index(True)] if any(fits) else other_topics).append(topic)
    titled_topics = [topic for topics in topics_by_fit for topic in topics]
    mentioning_topics = _find_mentions(game, other_topics, typed)
    if not (titled_topics or mentioning_topics):
        mentioning_topics = _find_topics_by_words(game, typed)
    return titled_topics, mentioning_topics


def _begins_in_title(letters: str, title: str) -> bool:
    """Whether letters begin where a word of a title does: "pass" is no part of "The compass"."""
    return any(_letters(title[word.start() :]).startswith(letters) for word in re.finditer(r"\b\w", title))


def _names_in_title(title: str) -> list[list[str]]:
    """Return the words of a title, and those of each of its parts: "Contracts and trash", "Card: Plan".

    A number belongs to its name: "Line R2" is not the page about lines.
    """
    names = (title, *re.split(_TITLE_PART_END_PATTERN, title))
    return [
        _without_plurals(_looked_up_words(name.casefold()))
        for name in names
        if not re.search(_SHORT_NUMBER_PATTERN, name)
    ]


def _without_plurals(words: Sequence[str]) -> list[str]:
    """Return words so that singular and plural are equal: "lines" and "line", "hexes" and "hex"."""
    return [re.sub(_PLURAL_END_PATTERN, "", word) for word in words]


def _find_mentions(game: AnyGame, topics: Sequence[Topic], typed: str) -> list[Topic]:
    """Return the topics that mention a text, the best first.

    A topic of the rules also mentions it by having all of its words, or most of them in its title.
    """
    if len(typed) < _MIN_MENTION_LENGTH:
        return []
    weights = _word_weights(game, typed)

    def mentions(topic: Topic) -> bool:
        if typed in topic.text.casefold():
            return True
        if not weights or topic not in game.words.topics:
            return False
        return all(_word_counts(topic, weights)) or 2 * _weight(topic.title, weights) > sum(weights.values())

    return _sort_by_fit(game, filter(mentions, topics), weights)


def _find_topics_by_words(game: AnyGame, typed: str) -> list[Topic]:
    """Return the topics that have at least half of the typed words."""
    weights = _word_weights(game, typed)

    def has_half(topic: Topic) -> bool:
        counts = _word_counts(topic, weights)
        return 2 * (len(counts) - counts.count(0)) >= max(1, len(counts))

    return _sort_by_fit(game, filter(has_half, (*game.words.topics, *game.words.glossary)), weights)


@lru_cache(maxsize=16)
def _word_weights(game: AnyGame, typed: str) -> Mapping[str, float]:
    """Return the pattern of each typed word, and its weight: a word of few pages tells more than one of many.

    It is the inverse document frequency of information retrieval, smoothed.
    """
    topics = game.words.topics

    def weight(pattern: str) -> float:
        page_count = sum(count > 0 for (count,) in (_word_counts(topic, (pattern,)) for topic in topics))
        return math.log((len(topics) + 1) / (page_count + 0.5))

    return {pattern: weight(pattern) for pattern in _word_patterns(typed)}


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, but for those of one letter or two."""
    return re.findall(_WORD_PATTERN, text.casefold())


def _looked_up_words(typed: str) -> list[str]:
    """Return the first words of a text but for short and common ones; weak ones only if it has no others."""
    words = [word for word in words_of(typed) if word not in _COMMON_WORDS]
    return ([word for word in words if word not in _WEAK_WORDS] or words)[:_MAX_WORDS]


def _word_patterns(typed: str) -> list[str]:
    """Return what finds each word of a text, also with another ending, or another word for it."""
    words = _looked_up_words(typed)
    return [rf"\b(?:{'|'.join((_stem_pattern(word), *_OTHER_WORDS.get(word, ())))})" for word in words]


def _stem_pattern(word: str) -> str:
    """Return what finds a word from its beginning on; one of three letters must stand there as it is."""
    if len(word) < _MIN_STEM_LENGTH:
        return rf"{word}\b"
    return word[: max(_MIN_STEM_LENGTH, len(word) - _MAX_ENDING_LENGTH)]


def _word_counts(topic: Topic, patterns: Iterable[str]) -> list[int]:
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


def _fits(topic: Topic, weights: Mapping[str, float]) -> list[list[_Fit]]:
    """Return the fit of each sentence of each paragraph."""

    def fit(sentence: str) -> _Fit:
        return _Fit(_weight(f"{topic.title}\n{sentence}", weights), _weight(sentence, weights))

    return [list(map(fit, sentences)) for sentences in _paragraphs(topic)]


def _weight(text: str, weights: Mapping[str, float]) -> float:
    """Return the sum of the weights of the words that a text has."""
    return sum(weight for pattern, weight in weights.items() if re.search(pattern, text.casefold()))


def _best_fit(topic: Topic, weights: Mapping[str, float]) -> _Fit:
    return max(fit for fits in _fits(topic, weights) for fit in fits)


def _sort_by_fit(game: AnyGame, topics: Iterable[Topic], weights: Mapping[str, float]) -> list[Topic]:
    """Return topics of the rules before those of the glossary, which are short.

    Of the rules, the one with the most of the words in one sentence comes first; of several, and in the
    glossary, the one that mentions them most.
    """

    def rank(topic: Topic) -> tuple[bool, float, float, int]:
        is_of_rules = topic in game.words.topics
        fit = _best_fit(topic, weights) if is_of_rules else _Fit(0, 0)
        return not is_of_rules, -fit.with_title, -fit.own, -sum(_word_counts(topic, weights))

    return sorted(topics, key=rank)


def _find_end_topic(game: AnyGame) -> Topic:
    """Return the page of a game's end; the introduction, which says who wins, if the end has none."""
    topics = game.words.topics
    return next((topic for topic in topics if "end" in topic.title.casefold().split()), topics[0])


def _letters(text: str) -> str:
    """Return the letters and digits of a text in lower case, without spaces and signs."""
    return "".join(filter(str.isalnum, text.casefold()))


def quote_sentences(game: AnyGame, topic: Topic, typed: str) -> str:
    """Return the sentences of a topic with the most of the typed words, these in bold; two at most.

    If it is only one, the sentence after it in its paragraph stands there too.
    """
    weights = _word_weights(game, typed.casefold()) or {re.escape(typed.casefold()): 1.0}
    best_fit = _best_fit(topic, weights)
    passages = [
        sentences[i : i + 2]
        for sentences, fits in zip(_paragraphs(topic), _fits(topic, weights), strict=True)
        for i, fit in enumerate(fits)
        if fit == best_fit
    ]
    if len(passages) > 1:
        passages = [sentences[:1] for sentences in passages[:_MAX_QUOTED_SENTENCES]]
    text = " … ".join(
        capitalized(" ".join(shortened(sentence, _MAX_SENTENCE_LENGTH) for sentence in sentences))
        for sentences in passages
    )
    return re.sub(rf"(?i)(?:{'|'.join(weights)})\w*", lambda match: f"**{match[0]}**", text)


def correct_spelling(game: AnyGame, text: str) -> str:
    """Return a text with the most similar word of the rules in place of each long word: titles come first.

    ``text``: in lower case.
    """
    topics = (*game.words.topics, *game.words.glossary)
    words_of_titles = _distinct_words(topic.title for topic in topics)
    words_of_texts = _distinct_words(topic.text for topic in topics)

    def most_similar(word: str) -> str:
        for known_words in (words_of_titles, words_of_texts):
            candidates = sorted(
                each for each in known_words if abs(len(each) - len(word)) <= _MAX_LENGTH_DIFFERENCE
            )
            for similar in difflib.get_close_matches(word, candidates, 1, _MIN_SIMILARITY):
                return similar
        return word

    words = text.split()
    return " ".join(
        most_similar(word) if i < _MAX_CORRECTED_WORDS and len(word) >= _MIN_STEM_LENGTH else word
        for i, word in enumerate(words)
    )


def _distinct_words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in words_of(text)}
