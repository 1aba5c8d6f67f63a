"""The check of a game's metadata can fail: help that could not be found or shown is caught."""

from dataclasses import replace

import pytest

from rules.game import AnyGame
from rules.words import Topic
from tests.conformance.text import MAX_TOPIC_KEY_LENGTH, MAX_TOPIC_LENGTH, check_metadata
from tests.docs.game_guide import pearls_game

VALID_PAGES = (
    Topic("B1", "Black pearl", "Worth 1."),
    Topic("k" * MAX_TOPIC_KEY_LENGTH, "t" * 100, "x" * MAX_TOPIC_LENGTH),
)
FIRST_TOPIC = pearls_game().words.topics[0]
INVALID_PAGES = {
    "a key twice": Topic("b1", "Another black pearl", "Worth 1."),
    "a title twice": Topic("B2", "black pearl", "Worth 1."),
    "a topic's key": Topic(FIRST_TOPIC.key, "Aims", "Worth 1."),
    "a topic's title": Topic("B2", FIRST_TOPIC.title, "Worth 1."),
    "no key": Topic("", "White pearl", "Worth 1."),
    "a long key": Topic("k" * (MAX_TOPIC_KEY_LENGTH + 1), "White pearl", "Worth 1."),
    "a key of two lines": Topic("B\n2", "White pearl", "Worth 1."),
    "a long title": Topic("B2", "t" * 101, "Worth 1."),
    "a long text": Topic("B2", "White pearl", "x" * (MAX_TOPIC_LENGTH + 1)),
    "no text": Topic("B2", "White pearl", ""),
}


def _with_glossary(*glossary: Topic) -> AnyGame:
    game = pearls_game()
    return replace(game, words=replace(game.words, glossary=glossary))


def test_a_valid_glossary_passes() -> None:
    """Keys, titles and texts of the greatest length are taken, and more pages than one select holds."""
    check_metadata(
        _with_glossary(
            *VALID_PAGES, *(Topic(f"W{number}", f"White pearl {number}", "Worth 2.") for number in range(60))
        )
    )


@pytest.mark.parametrize("reason", INVALID_PAGES)
def test_an_invalid_page_is_caught(reason: str) -> None:
    """A page that shares its name with another or does not fit is refused."""
    with pytest.raises(AssertionError):
        check_metadata(_with_glossary(*VALID_PAGES, INVALID_PAGES[reason]))
