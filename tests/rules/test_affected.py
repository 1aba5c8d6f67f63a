"""Whom a record affects: whoever's public belongings it changed, in random games of each game."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.catalogue import GAMES
from rules.currents.board import GEOMETRY, SQUARE_SIZE, TRIANGLE_SIZE
from rules.game import Seat
from tests.conformance.random_games import play_through
from tests.conformance.settings import full_game_settings


def _in_oceans(state: Any, seat: Seat) -> object:
    """The seat's species, cards and score pile."""
    position = state.position
    sizes = (position.surface_hands[seat], position.deep_hands[seat], state.scores[seat])
    row = [(species.key, species.traits, species.population) for species in position.rows[seat]]
    return row, sizes, position.known[seat]


def _in_currents(state: Any, seat: Seat) -> object:
    """The seat's number of cards, and how far the pawn is from its goals."""
    position = state.position
    geometry = GEOMETRY[position.options.board]
    goals = geometry.goals(position.seats, seat, position.first_player, position.axis)
    pawn = position.pawn
    distances = {
        "N": pawn[1],
        "S": SQUARE_SIZE - pawn[1],
        "W": pawn[0],
        "E": SQUARE_SIZE - pawn[0],
        **{side: TRIANGLE_SIZE - along for side, along in zip("ABC", pawn, strict=False)},
    }
    return position.hands[seat], [distances[edge] for edge in goals]


BELONGINGS: dict[str, Callable[[Any, Seat], object]] = {"currents": _in_currents, "oceans": _in_oceans}


@pytest.mark.parametrize("key", BELONGINGS)
def test_a_seat_whose_things_changed_is_affected(key: str) -> None:
    """No change to what a seat owns or aims for is told among the things that did not affect it."""
    game, belongings, changes = GAMES[key], BELONGINGS[key], 0
    for number, setting in enumerate(full_game_settings(game)):
        for step in play_through(setting, number, cap=400).transitions:
            views = game.view(step.before, None), game.view(step.after, None)
            changed = {
                seat
                for seat in map(Seat, range(setting.seats))
                if belongings(step.before, seat) != belongings(step.after, seat)
            }
            changed -= {step.actor}
            assert changed <= game.words.affected(*views), (step.action, step.after.position.trail)
            changes += bool(changed)
    assert changes > 20


def test_every_game_is_looked_at() -> None:
    """Each registered game says here what a seat owns."""
    assert set(BELONGINGS) == set(GAMES)
