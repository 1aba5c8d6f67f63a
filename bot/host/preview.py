"""What a choice would bring about, as far as the one who makes it can know.

Worked out on a state sampled from the actor's own view and before chance, never on the real state: a preview
that lit up only where a defender holds the right card would tell that card.
"""

from typing import Final

from bot.host.table import Table
from rules.game import Action, Seat, View
from rules.match import Match
from rules.stream import SEED_BYTES, Stream

_GUESS: Final = bytes(SEED_BYTES)
"""Any seed does: what is looked at afterwards does not depend on what was guessed."""


def view_after(table: Table, seat: Seat, action: Action) -> View:
    """The public view after a legal action; its trail says what the action would do."""
    assert table.match is not None
    game = table.game
    guess = game.sample_state(table.match.view(seat), Stream(_GUESS, 0))
    after: View = game.view(game.apply_action(guess, action), None)
    return after


def is_final(match: Match, seat: Seat, action: Action) -> bool:
    """Whether an action could not be taken back freely: it ends the game, or a reveal comes next."""
    game = match.game
    stream = Stream(_GUESS, 0)
    after = game.apply_action(game.sample_state(match.view(seat), stream), action)
    to_act = game.to_act(after)
    if to_act is None:
        return True
    if to_act >= 0:
        return False
    outcome = game.sample_chance(after, stream)
    return outcome.reveals(seat) or outcome.reveals(None)
