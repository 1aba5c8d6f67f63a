"""Questions that players ask in play: ``/rules`` answers each with the sentence that says it."""

import re

import pytest

from bot.chat.rules_pages import rules_post
from bot.chat.rules_search import find_topics
from rules.catalogue import GAMES

QUESTIONS = {
    "currents": {
        "may I pass": "You cannot pass: there is always a card to play or to discard.",
        "what if I cannot play a card": "there is always a card to play or to discard.",
        "when the deck runs out": "When the draw pile is used up, the discard pile is shuffled",
        "how is a tie broken": "After the last turn of the turn cap nobody wins: it is a tie of all.",
        "ties": "After the last turn of the turn cap nobody wins: it is a tie of all.",
        "what if we are tied": "After the last turn of the turn cap nobody wins: it is a tie of all.",
        "who begins": "Who goes first is drawn by lot",
        "what is the hand size": "Draw until you hold four cards in hand.",
        "may I discard a card": "only while no compass place is empty.",
        "can I stop the pawn with a joker": "A joker never stops the pawn.",
        "do I have to defend": "Nobody must defend.",
        "can I rotate the compass": "turns (rotates) the whole compass",
        "what happens if no current reaches the pawn": "If no current reaches the pawn",
    },
    "oceans": {
        "may I pass": "Otherwise you may pass",
        "can I skip feeding": "Passing a feeding is allowed.",
        "what happens when the Reef is empty": "While the Reef is empty no species can forage there.",
        "how is a tie broken": "A tie goes to the player with more traits in play.",
        "is there a hand limit": "there is no hand limit.",
        "how many cards may I hold": "there is no hand limit.",
        "when does a species go extinct": "gives what it has and then dies out",
        "extinction": "gives what it has and then dies out",
        "when the deck runs out": "When the Surface deck is used up",
        "who goes first": "Who goes first is drawn by lot.",
        "how many species may I have": "You may have any number of species.",
        "when can I play deep cards": "You may play them once the Cambrian Explosion has happened.",
        "what does a deep card cost": "Evolving with one costs its number",
        "can I attack my own species": "your own included",
        "may I take less food": "you cannot take less to avoid overpopulation",
        "when does the Cambrian Explosion start": "when Ocean zone 1 becomes empty for the first time",
    },
    "australis": {
        "may I pass": "You cannot pass.",
        "how is a tie broken": "The turtle further ahead wins every tie",
        "tie at a reef": "In a tie at a reef the turtle further ahead wins.",
        "what happens if nobody takes the red die": "the player whose turtle is furthest back starts",
        "two turtles on one space": "Two turtles never share a space.",
        "what if I have no corals left": "With no corals left in your supply",
        "do I lose fish": "You never lose any.",
        "do fish stay": "All fish and cubes stay with you for later rounds.",
        "can I refuse a card": "cannot be declined",
        "when the deck is empty": "When the draw pile is empty, the discard pile is shuffled.",
        "red competition card": "Adds 1 to each of your red dice",
        "what is the trophy": "a trophy on the colour of its dice",
        "who wins the competition": "The last player with dice wins",
        "how does the competition work": "dice with the lowest value are lost, until one player",
    },
    "current_affairs": {
        "may I pass": "you cannot pass, nor stay where you are",
        "how is a tie broken": "In a tie of points the most valuable delivered contract decides.",
        "where is Brisbane": "Coral Sea (Brisbane)",
        "what are the ports": "Brisbane in the Coral Sea",
        "how do I get upgrades": "one for each contract that you deliver in its own port",
        "can two ships be in one region": "only if the later one has unlocked the shared space",
        "what happens when a region is empty": "stopped in an empty region",
        "what if the trash does not fit": "If the trash does not fit you take nothing.",
        "how many contracts may I hold": "You hold two contracts at most.",
        "do actions carry over": "Actions that are left over are lost.",
        "when the deck runs out": "When slot and deck are empty, the discard pile becomes the deck.",
        "can I move trash between contracts": "Trash never moves from slot to slot.",
    },
    "arctic_cleanup": {
        "may I pass": "To pass, play a card without any effect.",
        "how is a tie broken": "In a tie the players share the rank.",
        "what happens when the bag is empty": "With an empty bag it does nothing.",
        "can I throw tokens away": "You cannot throw tokens away",
        "how many tokens can a ship carry": "It carries 4 tokens: then it is full.",
        "can two ships be on one tile": "two or more can be on one tile.",
        "how do I get my dice back": "Plan brings these dice back",
        "how do I get more dice": "You gain up to five more dice by filling blocks",
        "can I mix plastics on a line": "so you cannot mix them",
        "who goes first": "The turn order, and so who goes first, is drawn by lot",
        "how do I quit": "A player who resigns is ranked last.",
    },
}


@pytest.mark.parametrize(
    ("key", "question", "answer"),
    [(key, *question) for key, questions in QUESTIONS.items() for question in questions.items()],
)
def test_a_question_is_answered(key: str, question: str, answer: str) -> None:
    """Whatever words of it the rules use: a page that says it is shown or quoted."""
    text = re.sub(r"\*", "", rules_post(GAMES[key], question).text)
    assert answer in text


@pytest.mark.parametrize(
    ("key", "question", "title"),
    [
        ("australis", "how does the competition work", "The dice competition"),
        ("oceans", "how do deep cards work", "Deep cards"),
        ("oceans", "when does the Cambrian Explosion start", "The Cambrian Explosion"),
        ("current_affairs", "can two ships share a region", "Your turn"),
    ],
)
def test_the_rarest_words_decide_which_page_comes_first(key: str, question: str, title: str) -> None:
    """A word that stands on nearly every page tells little of what is asked."""
    assert find_topics(GAMES[key], question)[0].title == title


@pytest.mark.parametrize("key", GAMES)
def test_weak_words_are_looked_up_where_a_question_has_no_others(key: str) -> None:
    """Whoever asks how a game starts is not told that its rules say nothing of that."""
    for question in ("how do I start", "when does the game start"):
        assert find_topics(GAMES[key], question)
