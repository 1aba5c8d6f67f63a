"""The legality checks of a match: choices of a seat and outcomes of chance."""

from typing import TYPE_CHECKING

from rules.errors import GameOver, IllegalAction, NotYourTurn
from rules.model import CHANCE, SEAT_LETTERS, Action, Names, OutcomeKind, Resign
from rules.record import Record

if TYPE_CHECKING:
    from rules.match import Match


def check_choice(match: "Match", record: Record, names: Names | None) -> None:
    """Raise GameOver, NotYourTurn or IllegalAction unless a record is a legal choice of its seat.

    ``names``: for the error's text; None: the letters of the seats.
    """
    to_act = match.to_act
    if to_act is None:
        raise GameOver("The game is over.")
    seat, action = record.actor, record.action
    if not 0 <= seat < match.seat_count or to_act == CHANCE:
        raise NotYourTurn("No seat is to act.")
    if isinstance(action, Resign):
        if seat in match.resigned_seats:
            raise IllegalAction("You have already resigned from this game.")
        if not match.can_resign(seat):
            raise IllegalAction("This game needs every seat filled. Someone else must take over yours.")
        return
    names = names or tuple(SEAT_LETTERS[: match.seat_count])
    if to_act != seat:
        raise NotYourTurn(f"It is not your turn. Wait for {names[to_act]}.")
    if not isinstance(action, match.game.action_types):
        raise IllegalAction("Players cannot do that in this game.")
    view = match.view(seat)
    if action not in match.game.legal_actions(view):
        raise IllegalAction(match.game.words.refusal(view, action, names))


def is_possible(match: "Match", action: Action) -> bool:
    """Whether an outcome of chance is possible now."""
    game = match.game
    return (
        match.to_act == CHANCE
        and game.is_possible(match.state, action)
        and game.next_outcome_kind(match.view(None)) == OutcomeKind(type(action), action.drawn_for)
    )
