"""What ``/rules`` shows beside the page that was asked for: other names, answers that hold for all games."""

import pytest

from bot.chat.components import Select
from bot.chat.rules_pages import answer_for_all_games, rules_post
from rules.catalogue import GAMES
from tests.bot.chat.post_components import components_by_row


def test_other_titles_with_the_typed_word_are_named() -> None:
    """They come first in the select; a whole title or a part of a word names no others."""
    post = rules_post(GAMES["oceans"], "kraken")
    assert '-# Other names with "kraken": Filter Kraken and The Kraken.' in post.text.splitlines()
    (topic_select,) = components_by_row(post)[0]
    assert isinstance(topic_select, Select)
    assert [title for title, _, _ in topic_select.options[:2]] == ["Filter Kraken", "The Kraken"]
    for typed in ("the kraken", "kra"):
        assert "Other names" not in rules_post(GAMES["oceans"], typed).text


def test_the_page_of_a_port_names_its_contracts() -> None:
    """Their names begin with that of the port, which stands in brackets behind that of its region."""
    post = rules_post(GAMES["current_affairs"], "Brisbane")
    assert post.text.startswith("**Current Affairs: Coral Sea (Brisbane)**")
    assert '-# Other names with "Brisbane": C15: Brisbane 4, C16: Brisbane 5, ' in post.text


def test_a_card_says_once_that_it_never_forages() -> None:
    """A line of values stands above the text only if it has numbers."""
    assert rules_post(GAMES["oceans"], "deep-sea kraken").text.lower().count("never forages") == 1
    assert "**Never forages, Attack 13.**" in rules_post(GAMES["oceans"], "the kraken").text


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("can I undo", "**Undo** takes your last move back"),
        ("Undo?", "**Undo** takes your last move back"),
        ("how long is the clock", "**Choose the clock**"),
        ("ratings", "`/leaderboard`"),
        ("clockwise", ""),
        ("migrating", ""),
    ],
)
def test_what_is_no_rule_of_a_game_is_answered(typed: str, answer: str) -> None:
    """Questions about undo, clocks and ratings are, but no word of a game's own."""
    text = answer_for_all_games(typed)
    assert answer in text
    assert bool(text) is bool(answer)


@pytest.mark.parametrize("key", GAMES)
def test_no_page_is_hidden_by_an_answer_for_all_games(key: str) -> None:
    """A suggestion sends a key: no key or title asks about undo, clocks or ratings."""
    words = GAMES[key].words
    texts = [text for topic in (*words.topics, *words.glossary) for text in (topic.key, topic.title)]
    assert not any(map(answer_for_all_games, texts))
