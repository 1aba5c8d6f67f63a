"""What a choice leads to, as far as its actor can know: who chooses next, what the table shows until then."""

from typing import Any, NamedTuple

from rules.advance import MAX_AUTOMATIC_RECORDS, auto_play_overrun_error
from rules.game import AnyGame
from rules.model import CHANCE, Action, Event, Seat
from rules.random_stream import RandomStream


class Consequence(NamedTuple):
    """What follows a choice, in one sampled game."""

    to_act: Seat | None
    """Who chooses next; None: the game is over."""
    revealed_types: frozenset[type[Action]] = frozenset()
    """The types of the outcomes that show the choice's actor or a bystander something new."""

    @property
    def reveals(self) -> bool:
        """Whether chance shows the choice's actor or a bystander something new; an undo is not free then."""
        return bool(self.revealed_types)

    def lets_continue(self, actor: Seat) -> bool:
        """Whether ``actor``, who made the choice, chooses next and can undo it freely."""
        return self.to_act == actor and not self.reveals


def simulate_choice(game: AnyGame, state: Any, action: Action, stream: RandomStream) -> Consequence:
    """Return what follows a legal action, through chance and forced choices up to the next real choice.

    ``state`` must be sampled from the actor's view (``Game.sample_state``), never the real one: else the
    consequence could reveal a secret.  Another sample may have another consequence.  Raises AutoPlayOverrun.
    """
    actor = game.to_act(state)
    state = game.apply_action(state, action)
    revealed_types: frozenset[type[Action]] = frozenset()
    for _ in range(MAX_AUTOMATIC_RECORDS + 1):
        to_act = game.to_act(state)
        if to_act is None:
            return Consequence(None, revealed_types)
        if to_act == CHANCE:
            outcome = game.sample_chance(state, stream)
            if outcome.reveals(actor) or outcome.reveals(None):
                revealed_types |= {type(outcome)}
            state = game.apply_action(state, outcome)
        elif (forced := game.forced_action(game.view(state, None))) is not None:
            state = game.apply_action(state, forced)
        else:
            return Consequence(to_act, revealed_types)
    raise auto_play_overrun_error(game)


def apply_with_forced_choices(game: AnyGame, state: Any, action: Action) -> tuple[Any, tuple[Event, ...]]:
    """Return the state after a legal action and the forced choices that follow it, and their public events.

    The state is that before the next real choice or the next outcome of chance.  Raises AutoPlayOverrun.
    """
    events: tuple[Event, ...] = ()
    next_action: Action | None = action
    for _ in range(MAX_AUTOMATIC_RECORDS + 1):
        if next_action is None:
            return state, events
        state = game.apply_action(state, next_action)
        public_view = game.view(state, None)
        events += public_view.position.trail
        next_action = None if game.to_act(state) in {None, CHANCE} else game.forced_action(public_view)
    raise auto_play_overrun_error(game)
