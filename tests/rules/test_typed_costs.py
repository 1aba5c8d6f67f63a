"""How much work it is to read a typed move: it is done on the event loop."""

import random
import sys
from collections.abc import Callable
from types import FrameType

import pytest

from rules.currents import CURRENTS
from rules.errors import RulesError
from rules.game import AnyGame
from rules.match import Match
from rules.model import View
from rules.oceans import OCEANS
from rules.players import RANDOM_PLAYER
from rules.typed_moves import TypedMoveReader
from tests.conformance.setups import setups_for_each_seat_count

MANY_ACTIONS = 80
MAX_CALLS = 500
"""Calls of Python functions for each legal action: with 100 actions 9 ms in all."""


def view_with_many_actions(game: AnyGame) -> View:
    """Return the view of who may choose one of many actions."""
    setup = list(setups_for_each_seat_count(game))[-1]
    match, rng = Match.begin(game, setup.seat_count, setup.options, bytes(32)), random.Random(1)
    while (seat := match.to_act) is not None:
        view: View = match.view(seat)
        if len(match.legal_actions(seat)) >= MANY_ACTIONS:
            return view
        match = match.play(seat, RANDOM_PLAYER.choose(game, view, rng))
    raise AssertionError("the game is over")


def count_calls(work: Callable[[], object]) -> int:
    """Return how many Python functions a piece of work calls."""
    count = 0

    def note(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("game", [CURRENTS, OCEANS], ids=lambda game: game.key)
@pytest.mark.parametrize("text", ["xyzzy", "play somthing nice"])
def test_a_text_that_is_no_move_is_refused_quickly(game: AnyGame, text: str) -> None:
    """Also where many actions are legal, once the words of the game are known."""
    view = view_with_many_actions(game)
    legal = game.legal_actions(view)

    def read() -> None:
        with pytest.raises(RulesError):
            TypedMoveReader(game, view, legal, ("Ava", "Ben", "Cleo", "Dan", "Eve", "Fay")).read(text)

    read()
    assert count_calls(read) <= MAX_CALLS * len(legal)
