"""What an action leads to, as far as its actor can know: the position before the next choice or surprise."""

from msgspec.structs import replace

from rules.game import Action
from rules.oceans.actions import TakeFromScorePile
from rules.oceans.engine import turn
from rules.oceans.model import OceansView, Position
from rules.oceans.steps import RefillingPool, TakingFromScorePile


def position_after(view: OceansView, action: Action) -> Position:
    """Return the position after an action, with all that happens until then as its trail.

    What the viewer's own score pile gives is no surprise to the viewer, and whichever card refills a pile
    of the Gene Pool changes nothing else.
    """
    transitions = [turn.apply_and_run_agenda(view.position, action)]
    while True:
        position = transitions[-1].position
        match position.agenda[-1] if position.agenda else None:
            case TakingFromScorePile(seat=seat, max_count=max_count) if seat == view.viewer:
                score = (view.score or 0) + sum(each.score_changes[seat] for each in transitions)
                outcome = TakeFromScorePile(seat, min(max_count, score))
                transitions.append(turn.apply_and_run_agenda(position, outcome))
            case RefillingPool():
                transitions.append(turn.run_agenda(replace(position, agenda=position.agenda[:-1])))
            case _:
                trail = tuple(event for each in transitions for event in each.position.trail)
                return replace(position, trail=trail)
