"""Standing answers: what holds on other players' turns, changed once in each own turn."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from rules.model import Action, Seat
from rules.oceans.actions import SetAgingOnOtherTurns, SetOverflowZone
from rules.oceans.cards.traits import Quirk
from rules.oceans.engine.handlers import Handlers
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.rounds import is_last_turn
from rules.oceans.engine.values import has_quirk
from rules.oceans.events import StandingAnswerGiven
from rules.oceans.model import Position, StandingAnswers
from rules.oceans.places import ZONES


def standing_answer_actions(position: Position, seat: Seat) -> Iterator[Action]:
    """Yield every standing answer that the active player may give; none twice a turn or on the last one."""
    if position.gave_answers_this_turn or not position.rows[seat] or is_last_turn(position):
        return
    standing_answers = position.standing_answers[seat]
    for zone in ZONES:
        if zone is not standing_answers.overflow_zone:
            yield SetOverflowZone(zone)
    if any(has_quirk(species, Quirk.FAST_METABOLISM) for species in position.rows[seat]):
        yield SetAgingOnOtherTurns(not standing_answers.ages_on_other_turns)


def _apply_set_overflow_zone(position: MutablePosition, action: SetOverflowZone) -> None:
    answers = position.standing_answers[position.current_player]
    _set_standing_answers(position, replace(answers, overflow_zone=action.zone))


def _apply_set_aging_on_other_turns(position: MutablePosition, action: SetAgingOnOtherTurns) -> None:
    answers = position.standing_answers[position.current_player]
    _set_standing_answers(position, replace(answers, ages_on_other_turns=action.ages))


def _set_standing_answers(position: MutablePosition, standing_answers: StandingAnswers) -> None:
    position.standing_answers[position.current_player] = standing_answers
    position.gave_answers_this_turn = True
    position.add_event(StandingAnswerGiven(position.current_player))


HANDLERS: Final = Handlers(
    apply={
        SetOverflowZone: _apply_set_overflow_zone,
        SetAgingOnOtherTurns: _apply_set_aging_on_other_turns,
    },
)
