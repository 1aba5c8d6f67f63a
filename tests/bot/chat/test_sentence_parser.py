"""Which words of a log line tell gains and losses, at tables in the middle of random games."""

import pytest

from bot.chat.sentence_parser import SentenceParser
from tests.bot.chat.sample_tables import MAX_SHARED_TABLES, shared_sample_tables
from tests.bot.host.playing import GAMES_AND_TOYS


def test_names_are_no_gains_or_losses() -> None:
    """A player may be called like words that a shortened story looks for."""
    names = "Ends the turn", "Dies out"
    parser = SentenceParser(names, ("Ends the turn",), ("Dies out",))
    text = "Ends the turn begins. Dies out does this. Then Dies out dies."
    assert parser.without_ceremony(text) == text
    assert parser.main_sentences(text) == "Ends the turn begins. …"


def test_gain_or_loss_words_are_whole_words() -> None:
    """A word that ends like one of them says nothing of a gain or a loss."""
    parser = SentenceParser(("Ava",), ("ends",), ("loses",))
    assert parser.tells_gain_or_loss("Ben loses 2.")
    assert not parser.tells_gain_or_loss("Ben closes a contract.")
    assert parser.without_ceremony("Ben sends 2. Ben ends.") == "Ben sends 2."


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_the_words_of_a_shortened_story_are_narrated(key: str) -> None:
    """Each game's words of ceremony, details, lists, gains, losses and rules stand in its narrations."""
    words = GAMES_AND_TOYS[key].words
    missing_words = {
        *words.ceremony_words,
        *words.detail_words,
        *words.joinable_verbs,
        *words.gain_or_loss_words,
        *words.rule_change_words,
    }
    for table in shared_sample_tables(key, MAX_SHARED_TABLES):
        if missing_words:
            text = "\n".join(line.text for line in table.log_lines(0))
            missing_words = {each for each in missing_words if each not in text}
    assert not missing_words
