"""Play on from a built state: actions in notation, outcomes of chance, resignations.

Every state is encoded and decoded again, and no action may create or lose a piece.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import msgspec

from rules.game import Game
from rules.model import CHANCE, Action, Seat
from rules.notation import Notation, write_action
from rules.random_stream import RandomStream
from tests.conformance.pieces import pieces_of

S = TypeVar("S")
E = TypeVar("E")


def _never_appears(_state: object, _action: Action, _piece: object) -> bool:
    return False


@dataclass(frozen=True)
class StateDriver(Generic[S]):
    """Takes a game on from any of its states."""

    game: Game[S, Any, Any]
    may_appear: Callable[[S, Action, object], bool] = _never_appears
    """(state, action, piece) -> whether the action brings pieces of this kind to the table."""

    @cached_property
    def _notation(self) -> Notation:
        return Notation(self.game)

    def round_trip(self, state: S) -> S:
        """Return a state encoded and decoded again: constructors check no types, decoding does."""
        decoded_state = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=self.game.state_type)
        assert decoded_state == state
        return decoded_state

    def legal_choices(self, state: S) -> tuple[Action, ...]:
        """Return the legal actions of the seat to act."""
        seat = self.game.to_act(state)
        assert seat is not None
        assert seat != CHANCE
        return self.game.legal_actions(self.game.view(state, seat))

    def legal_texts(self, state: S, verb: str = "") -> list[str]:
        """Return the legal actions of the seat to act in notation: all, or those of one verb."""
        texts = [write_action(action) for action in self.legal_choices(state)]
        return [text for text in texts if text.split()[0] == verb or not verb]

    def act(self, state: S, *texts: str) -> S:
        """Return the state after actions in notation; each must be legal, or possible if it is chance's."""
        for text in texts:
            action = self._notation.parse(text)
            if self.game.to_act(state) == CHANCE:
                assert self.game.is_possible(state, action), text
            else:
                assert action in self.legal_choices(state), f"{text}: {self.legal_texts(state)}"
            after = self.round_trip(self.game.apply_action(state, action))
            counts, counts_after = (
                self._count_pieces_that_cannot_appear(each, state, action) for each in (state, after)
            )
            assert counts_after == counts, text
            state = after
        return state

    def _count_pieces_that_cannot_appear(self, state: S, before: S, action: Action) -> Counter[Any]:
        """Count the pieces of a state that are of no kind which the action may bring to the table."""
        pieces = pieces_of(self.game, state)
        return Counter({each: pieces[each] for each in pieces if not self.may_appear(before, action, each)})

    def resolve_chance(self, state: S, seed: int = 1) -> S:
        """Apply outcomes of chance until a seat must choose or the game is over."""
        outcome_count = 0
        while self.game.to_act(state) == CHANCE:
            outcome = self.game.sample_chance(state, RandomStream(bytes([seed]) * 32, outcome_count))
            assert self.game.is_possible(state, outcome)
            state = self.round_trip(self.game.apply_action(state, outcome))
            outcome_count += 1
        return state

    def resign_seat(self, state: S, seat: int) -> S:
        """Return the state after a seat resigns."""
        after = self.game.resign(state, Seat(seat))
        assert after is not None
        assert pieces_of(self.game, after) == pieces_of(self.game, state)
        return self.round_trip(after)

    def events(self, state: S, *kinds: type[E]) -> list[E]:
        """Return the events of these types in the trail of the last action."""
        return [event for event in self.game.view(state, None).position.trail if isinstance(event, kinds)]

    def trail_types(self, state: S) -> list[type[Any]]:
        """Return the types of the events of the last action."""
        return [type(event) for event in self.game.view(state, None).position.trail]
