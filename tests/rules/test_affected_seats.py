"""Whom a record affects: everybody whose public belongings it changed, in random games of each game."""

from itertools import count, dropwhile
from typing import Final

import pytest

from rules.game import AnyGame
from rules.model import CHANCE
from tests.conformance.pieces import belongings_of
from tests.conformance.random_games import PlayedGame, play_through
from tests.conformance.setups import all_games, setups_for_each_seat_count
from tests.trials import trial_count

MIN_CHANGES: Final = 20
MAX_GAMES: Final = 100
RECORD_CAP: Final = trial_count(short=120, soak=400)
"""Records after which a game stops."""


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.key)
def test_a_seat_whose_belongings_changed_is_affected(game: AnyGame) -> None:
    """No change to what a seat owns or aims for is shown among what did not affect it."""
    setups, change_count = setups_for_each_seat_count(game), 0
    for number in count():
        change_count += _check_and_count_changes(
            game, play_through(setups[number % len(setups)], number, RECORD_CAP)
        )
        if change_count > MIN_CHANGES and number >= len(setups):
            break
        assert number < MAX_GAMES, f"{change_count} changes in {number} games: look at its inventory"


def _check_and_count_changes(game: AnyGame, played: PlayedGame) -> int:
    """Return in how many records something of a seat changed; the actor knows of its own.

    What is dealt before anybody plays affects nobody more than the others.
    """
    change_count = 0
    for transition in dropwhile(lambda transition: transition.actor == CHANCE, played.transitions):
        views = game.view(transition.before, None), game.view(transition.after, None)
        changed_seats = {
            seat
            for seat in played.seats
            if belongings_of(game, transition.before, seat) != belongings_of(game, transition.after, seat)
        }
        others = changed_seats - {transition.actor}
        assert others <= game.words.affected_seats(*views), (
            transition.action,
            transition.after.position.trail,
        )
        change_count += bool(changed_seats)
    return change_count
