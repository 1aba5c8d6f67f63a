"""What a choice leads to, as far as its actor can know: whether it can be taken back freely."""

import enum
from typing import Any

from rules.advance import MAX_AUTOMATIC_RECORDS
from rules.game import CHANCE, Action, AnyGame
from rules.stream import Stream


class Consequence(enum.Enum):
    """What follows a choice."""

    CONTINUES = "continues"
    """The same seat chooses next, and can take it back."""
    PASSES_TURN = "passes the turn"
    """Another seat chooses next."""
    IRREVERSIBLE = "irreversible"
    """It shows its actor or everybody something new, or it ends the game."""


def consequence_of(game: AnyGame, state: Any, action: Action, stream: Stream) -> Consequence:
    """Return what follows a legal action, through chance and forced choices up to the next real choice.

    ``state`` must be sampled from the actor's view (``Game.sample_state``), never the real one: else the
    answer could reveal a secret.
    """
    actor = game.to_act(state)
    state = game.apply_action(state, action)
    for _ in range(MAX_AUTOMATIC_RECORDS + 1):
        to_act = game.to_act(state)
        if to_act is None:
            break
        if to_act == CHANCE:
            outcome = game.sample_chance(state, stream)
            if outcome.reveals(actor) or outcome.reveals(None):
                break
            state = game.apply_action(state, outcome)
        elif (forced := game.forced(game.view(state, None))) is not None:
            state = game.apply_action(state, forced)
        else:
            return Consequence.CONTINUES if to_act == actor else Consequence.PASSES_TURN
    return Consequence.IRREVERSIBLE
