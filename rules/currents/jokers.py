"""The jokers' shuffles (options ``jokers`` and ``wild_jokers``)."""

from typing import Final, TypeAlias

from rules.currents.actions import JokerShuffle
from rules.currents.components import BLACK_JOKER, RED_JOKER, Card
from rules.currents.model import Position, WildJokers
from rules.random_stream import RandomStream

ShuffledSpots: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Indexes of compass places and of current slots."""

_SHUFFLED_PARTS: Final = {
    (WildJokers.COMPASS, RED_JOKER): (True, False),
    (WildJokers.COMPASS, BLACK_JOKER): (True, False),
    (WildJokers.CURRENTS, RED_JOKER): (False, True),
    (WildJokers.CURRENTS, BLACK_JOKER): (False, True),
    (WildJokers.SPLIT, RED_JOKER): (True, False),
    (WildJokers.SPLIT, BLACK_JOKER): (False, True),
    (WildJokers.TOGETHER, RED_JOKER): (True, True),
    (WildJokers.TOGETHER, BLACK_JOKER): (True, True),
}
"""Whether a joker shuffles the compass, and whether it shuffles the currents, by option and joker."""


def shuffled_parts(option: WildJokers, joker: Card) -> tuple[bool, bool]:
    """Return whether this joker shuffles the compass, and whether it shuffles the currents."""
    return _SHUFFLED_PARTS[option, joker]


def shuffled_spots(position: Position, joker: Card) -> ShuffledSpots:
    """Return the occupied places and slots that take part; empty ones stay empty."""
    with_compass, with_currents = shuffled_parts(position.options.wild_jokers, joker)
    return (
        tuple(i for i, card in enumerate(position.compass) if with_compass and card is not None),
        tuple(i for i, card in enumerate(position.currents) if with_currents and card is not None),
    )


def shuffled_count(position: Position, joker: Card) -> int:
    """Return how many cards this joker shuffles."""
    return sum(map(len, shuffled_spots(position, joker)))


def called_joker(position: Position) -> Card:
    """Return the joker that was called: it lies on top of the discard pile."""
    return position.discard_pile[-1]


def sample_shuffle(position: Position, stream: RandomStream) -> JokerShuffle:
    """Draw a uniform permutation of the cards on the occupied spots."""
    places, slots = shuffled_spots(position, called_joker(position))
    compass, currents = list(position.compass), list(position.currents)
    cards = iter(stream.shuffle(_cards_at(position.compass, places) + _cards_at(position.currents, slots)))
    for i in places:
        compass[i] = next(cards)
    for i in slots:
        currents[i] = next(cards)
    return JokerShuffle(tuple(compass), tuple(currents))


def is_possible_shuffle(position: Position, outcome: JokerShuffle) -> bool:
    """Whether an outcome permutes the cards on the shuffled spots and leaves all others in place."""
    places, slots = shuffled_spots(position, called_joker(position))
    if (len(outcome.compass), len(outcome.currents)) != (len(position.compass), len(position.currents)):
        return False
    before = _cards_at(position.compass, places) + _cards_at(position.currents, slots)
    after = _cards_at(outcome.compass, places) + _cards_at(outcome.currents, slots)
    return (
        None not in after
        and sorted(map(str, after)) == sorted(map(str, before))
        and _cards_elsewhere(outcome.compass, places) == _cards_elsewhere(position.compass, places)
        and _cards_elsewhere(outcome.currents, slots) == _cards_elsewhere(position.currents, slots)
    )


def _cards_at(row: tuple[Card | None, ...], indexes: tuple[int, ...]) -> tuple[Card | None, ...]:
    return tuple(row[i] for i in indexes)


def _cards_elsewhere(row: tuple[Card | None, ...], indexes: tuple[int, ...]) -> tuple[Card | None, ...]:
    return tuple(card for i, card in enumerate(row) if i not in indexes)
