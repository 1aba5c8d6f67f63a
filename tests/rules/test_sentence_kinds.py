"""What each game's narrations tell stories about their sentences: what may be left out, joined, or stays."""

import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Final, NamedTuple

import pytest

from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.narration import Sentence, SentenceKind
from tests.conformance.random_games import PlayedGame, play_through
from tests.conformance.setups import covering_setups

NAMES: Final = ("Ava", "Ben", "Cleo", "Dan", "Eve", "Fay")
MAX_GAMES: Final = 100
RECORD_CAP: Final = 300
"""Records after which a game stops."""
CARD_TEXT: Final = re.compile(r" (begins|happens): ")
"""Stands before what a Scenario card of Oceans says."""


class ToldWords(NamedTuple):
    """Words of a game's narrations, each by what it says of its sentence."""

    by_kind: Mapping[SentenceKind, tuple[str, ...]] = {}
    """Those that stand in sentences of a kind, and in no others."""
    listing_verbs: tuple[str, ...] = ()
    """Those of clauses, behind which items are listed."""


TOLD_WORDS: Final = {
    "currents": ToldWords({SentenceKind.GAIN_OR_LOSS: ("about to leave",)}),
    "oceans": ToldWords(
        {
            SentenceKind.CEREMONY: (
                *("goes on to feeding", "goes on to Aging", "feeds no more", "ends the turn"),
                "looks at the Deep deck",
            ),
            SentenceKind.DETAIL: ("comes up on", "face up on"),
            SentenceKind.GAIN_OR_LOSS: ("dies out", "die out", "scores", "loses"),
            SentenceKind.RULE_CHANGE: ("the Cambrian Explosion",),
        },
        ("discards", "evolves", "removes"),
    ),
    "australis": ToldWords(
        {
            SentenceKind.DETAIL: (
                *("Dice competition, roll", "Roll", "lowest", "On the display", "New on the display"),
            )
        },
        ("keeps",),
    ),
    "current_affairs": ToldWords(
        {
            SentenceKind.CEREMONY: ("ends the turn",),
            SentenceKind.DETAIL: (
                *("Draft, round", "The market opens with", "Open on the deck", "New in the market"),
            ),
            SentenceKind.GAIN_OR_LOSS: ("delivers", "unlocks", "completes", "loses", "restores"),
        }
    ),
    "arctic_cleanup": ToldWords(
        {SentenceKind.GAIN_OR_LOSS: ("has processed .+ of", "processes", "loads", "gains")},
        ("sails", "loads", "puts", "processes"),
    ),
}


@pytest.mark.parametrize("key", TOLD_WORDS)
def test_sentences_are_of_the_kinds_that_their_words_tell(key: str) -> None:
    """Nothing that matters goes first, and nothing that only goes on stays, in stories that are shortened."""
    game, told_words = GAMES[key], TOLD_WORDS[key]
    setups = covering_setups(game)
    missing_words = {*told_words.listing_verbs}.union(*told_words.by_kind.values())
    for number in count():
        played = play_through(setups[number % len(setups)], number, RECORD_CAP)
        for sentence in _sentences(game, played):
            words = _words_of_kinds(sentence.text, told_words)
            assert set(words.values()) <= {sentence.kind}, sentence.text
            assert words or sentence.kind is SentenceKind.PLAIN, sentence.text
            missing_words.difference_update(words)
            if sentence.clause is not None:
                assert sentence.clause.verb in told_words.listing_verbs, sentence.text
                missing_words.discard(sentence.clause.verb)
        if not missing_words:
            break
        assert number < MAX_GAMES, f"{missing_words} are not narrated in {number} games"


def _sentences(game: AnyGame, played: PlayedGame) -> Iterator[Sentence]:
    """Yield the sentences of a game as a bystander reads them."""
    names = NAMES[: played.setup.seat_count]
    for line in played.match.log_lines(None, names):
        for sentences in line.narration.lines:
            yield from sentences


def _words_of_kinds(text: str, told_words: ToldWords) -> dict[str, SentenceKind]:
    """Return the words of kinds in a text, with these kinds; those that a card says are none."""
    own_text = CARD_TEXT.split(text)[0]
    return {
        word: kind
        for kind, words in told_words.by_kind.items()
        for word in words
        if re.search(rf"(?<!\w){word}(?!\w)", own_text)
    }
