"""The engine: applies an action, then runs the steps of the agenda until a player or chance is to act.

All of it is public: from a ``Position`` to the next ``Position`` and the changes of the score piles.
``rules.oceans.rules`` adds hands and score piles; previews use the same functions.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from rules.model import Action, Seat
from rules.oceans import actions, steps
from rules.oceans.cards.decks import Card
from rules.oceans.causes import RuleCause, TraitCause
from rules.oceans.engine import (
    aging,
    board_check,
    drawing,
    feeding,
    playing,
    pre_feeding,
    reactions,
    standing_answers,
)
from rules.oceans.engine.handlers import Handlers
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.ring import owner_of
from rules.oceans.engine.rounds import is_last_turn, seats_after_current, seats_in_order
from rules.oceans.engine.setup import lay_out
from rules.oceans.events import GameEnded, TurnBegan
from rules.oceans.model import OceansView, PastFeedings, Position
from rules.oceans.places import ScorePile, SpeciesBoard, Zone
from rules.oceans.steps import AnyStep, ChoiceKind


class Transition(msgspec.Struct, frozen=True):
    """The result of an action: the next position, and by how much each score pile changed."""

    position: Position
    score_pile_changes: tuple[int, ...]


def apply_and_run_agenda(position: Position, action: Action) -> Transition:
    """Apply an action of a seat or of chance, and run the agenda until a player or chance is to act."""
    after = MutablePosition(position)
    if is_first_feeding(position, action):
        playing.finish_playing(after)
        _run_steps(after)
    _APPLY_BY_ACTION[type(action)](after, action)
    _run_steps(after)
    return Transition(after.freeze(), tuple(after.score_pile_changes))


def run_agenda(position: Position) -> Transition:
    """Run the agenda until a player or chance is to act."""
    after = MutablePosition(position)
    _run_steps(after)
    return Transition(after.freeze(), tuple(after.score_pile_changes))


def legal_actions(view: OceansView) -> tuple[Action, ...]:
    """Return the viewer's legal actions; empty for viewers who are not to act.

    A function of the view, so that the offered actions can reveal no secret.
    """
    position = view.position
    if view.viewer is None or position.to_act != view.viewer:
        return ()
    step = position.agenda[-1]
    offered_actions = tuple(_OFFER_BY_STEP[type(step)](view, view.viewer, step))
    feeding_position = position_at_feeding(position)
    if feeding_position is None:
        return offered_actions
    return (*offered_actions, *feeding.feeding_actions(feeding_position, view.viewer))


def is_first_feeding(position: Position, action: Action) -> bool:
    """Whether an action feeds a species and thereby ends phase 1."""
    return isinstance(action, actions.Forage | actions.Attack) and isinstance(
        position.agenda[-1], steps.Playing
    )


def position_at_feeding(position: Position) -> Position | None:
    """Return the position in which a species feeds that is chosen when no card is left to play.

    What acts before feeding has acted by then and is its trail.  None outside phase 1 and if something is
    asked or left to chance before a species can feed: then ``Done`` leads there.
    """
    step = position.agenda[-1] if position.agenda else None
    if not isinstance(step, steps.Playing) or position.plays_left:
        return None
    after = apply_and_run_agenda(position, actions.Done()).position
    is_feeding = bool(after.agenda) and isinstance(after.agenda[-1], steps.Feeding)
    return after if is_feeding and after.current_player == position.current_player else None


def _run_steps(position: MutablePosition) -> None:
    """Run or skip the last step of the agenda until one needs an answer."""
    while position.agenda:
        step = position.agenda[-1]
        skip_if_needless = _SKIP_BY_STEP.get(type(step))
        if skip_if_needless is not None and skip_if_needless(position):
            continue
        run = _RUN_BY_STEP.get(type(step))
        if run is None:
            return
        position.agenda.pop()
        run(position, step)


# Turns ----------------------------------------------------------------------------------------------


def _begin_turn(position: MutablePosition) -> None:
    position.plays_left = 2 if position.cambrian_happened else 1
    position.past_feedings = PastFeedings()
    position.chosen_aging_amounts = ()
    position.scenario_event_count = 0
    position.gave_answers_this_turn = False
    position.rows = [
        [replace(each, got_trait=False) if each.got_trait else each for each in row] for row in position.rows
    ]
    position.add_event(TurnBegan(position.current_player, position.round))
    position.push_steps(steps.Playing())


def _run_ending_turn(position: MutablePosition, step: steps.EndingTurn) -> None:
    """Begin the next seat's turn; after the last turn of the last round, turn over the score piles."""
    if is_last_turn(position):
        position.push_steps(steps.RevealingScores())
        return
    seats_after = seats_after_current(position)
    if not seats_after:
        position.round += 1
    position.current_player = seats_after[0] if seats_after else seats_in_order(position)[0]
    _begin_turn(position)


def _skip_needless_drawing(position: MutablePosition) -> bool:
    """Skip drawing if the game is over after this turn: cards do not score."""
    if not is_last_turn(position):
        return False
    position.agenda.pop()
    position.push_steps(steps.EndingTurn())
    return True


def _apply_reveal_scores(position: MutablePosition, action: actions.RevealScores) -> None:
    position.agenda.clear()
    position.revealed_score_piles = action.score_piles
    position.add_event(GameEnded(action.score_piles))


def resign(position: Position, seat: Seat, cards: tuple[Card, ...]) -> Transition:
    """Resign a seat: population to the Reef, Surface cards to the discard pile, Deep cards out of play.

    ``cards``: those that the seat held or looked at.  The last seat left wins (O20).
    """
    after = MutablePosition(position)
    after.resigned[seat] = True
    for species in list(after.rows[seat]):
        after.move_population(SpeciesBoard(species.key), Zone.REEF, species.population, RuleCause.RESIGNATION)
        after.remove_species(replace(species, population=0))
    after.discard_cards(cards)
    after.surface_hand_sizes[seat] = after.deep_hand_sizes[seat] = 0
    after.known_cards[seat] = ()
    if after.resigned.count(False) == 1:
        after.agenda = [steps.RevealingScores()]
    elif after.first_player is None:
        after.agenda = [step for step in after.agenda if step != steps.Dealing(seat)]
    elif seat == after.current_player:
        triggering_steps = [step for step in after.agenda if isinstance(step, steps.TriggeringEnd)]
        after.agenda = []
        after.push_steps(*triggering_steps, steps.BoardCheck(), steps.EndingTurn())
    else:
        _remove_from_agenda(after, seat)
    _run_steps(after)
    return Transition(after.freeze(), tuple(after.score_pile_changes))


def _remove_from_agenda(position: MutablePosition, seat: Seat) -> None:
    """Remove a seat that resigns on another's turn, and its species, from the agenda."""
    waiting_step = position.agenda[-1]
    position.agenda = [
        remaining for step in position.agenda if (remaining := _without_seat(step, seat)) is not None
    ]
    if isinstance(waiting_step, steps.Choosing) and waiting_step.kind is ChoiceKind.LEECH:
        # The ring has closed: the neighbours and the strongest species may be others now.
        position.agenda.pop()
        leecher = position.find_species(waiting_step.species)
        assert leecher is not None
        assert isinstance(waiting_step.cause, TraitCause)
        pre_feeding.leech_by_trait(position, leecher, waiting_step.cause.card)


def _without_seat(step: AnyStep, seat: Seat) -> AnyStep | None:
    """Return a step without a seat and its species; None if the step is about the seat or has no option left.

    Whom to leech is asked anew by the caller.
    """
    if not isinstance(step, steps.Choosing):
        if isinstance(step, steps.TakingFromScorePile) and step.seat == seat:
            return None
        return step
    options = step.options
    if step.kind in {ChoiceKind.HYDRA, ChoiceKind.SCORE_PILE, ChoiceKind.SECOND_AGING}:
        options = tuple(option for option in options if not _belongs_to(option, seat))
    return replace(step, options=options) if options else None


def _belongs_to(option: steps.ChoiceOption, seat: Seat) -> bool:
    """Whether an option is the seat's score pile or one of its species."""
    if isinstance(option, SpeciesBoard):
        return owner_of(option.species) == seat
    return option == ScorePile(seat)


# Answers --------------------------------------------------------------------------------------------


def _apply_done(position: MutablePosition, action: actions.Done) -> None:
    step = position.agenda[-1]
    if isinstance(step, steps.Playing):
        playing.finish_playing(position)
    else:
        position.agenda.pop()


def _apply_lay_out(position: MutablePosition, action: actions.LayOut) -> None:
    position.agenda.pop()
    lay_out(position, action)
    _begin_turn(position)


def _apply_choose(position: MutablePosition, action: actions.Choose) -> None:
    step = position.agenda.pop()
    assert isinstance(step, steps.Choosing)
    _ANSWER_BY_KIND[step.kind](position, step, step.find_option(action.option))


def _offer_options(view: OceansView, seat: Seat, step: steps.Choosing) -> Iterator[Action]:
    yield from (actions.Choose(steps.option_code(option)) for option in step.options)
    if step.kind is ChoiceKind.HYDRA:
        yield actions.Done()


def _apply_take_from_score_pile(position: MutablePosition, action: actions.TakeFromScorePile) -> None:
    step = position.agenda.pop()
    assert isinstance(step, steps.TakingFromScorePile)
    position.move_population(ScorePile(step.seat), step.target, action.count, step.cause)


_HANDLERS: Final = Handlers(
    apply={
        actions.LayOut: _apply_lay_out,
        actions.Done: _apply_done,
        actions.Choose: _apply_choose,
        actions.TakeFromScorePile: _apply_take_from_score_pile,
        actions.RevealScores: _apply_reveal_scores,
    },
    offer={steps.Choosing: _offer_options},
    skip_if_needless={steps.Drawing: _skip_needless_drawing},
    run={steps.EndingTurn: _run_ending_turn},
)
"""The handlers that concern the turn as a whole, or several phases."""

_ALL_HANDLERS: Final = (
    _HANDLERS,
    playing.HANDLERS,
    standing_answers.HANDLERS,
    pre_feeding.HANDLERS,
    feeding.HANDLERS,
    reactions.HANDLERS,
    board_check.HANDLERS,
    aging.HANDLERS,
    drawing.HANDLERS,
)
_APPLY_BY_ACTION: Final = {
    action_type: apply for handlers in _ALL_HANDLERS for action_type, apply in handlers.apply.items()
}
_SKIP_BY_STEP: Final = {
    step_type: skip for handlers in _ALL_HANDLERS for step_type, skip in handlers.skip_if_needless.items()
}
_RUN_BY_STEP: Final = {
    step_type: run for handlers in _ALL_HANDLERS for step_type, run in handlers.run.items()
}
_ANSWER_BY_KIND: Final = {
    kind: answer for handlers in _ALL_HANDLERS for kind, answer in handlers.answer.items()
}
_OFFER_BY_STEP: Final = {
    step_type: offer for handlers in _ALL_HANDLERS for step_type, offer in handlers.offer.items()
}
