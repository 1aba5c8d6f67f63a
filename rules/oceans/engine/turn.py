"""How the table changes: the agenda is worked off until a player or chance is asked.

Everything here is public: a ``Position`` in, the next ``Position`` out, with the changes of the score piles.
``rules.oceans.rules`` adds hands and piles; previews use the same functions.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from rules.game import SEAT_LETTERS, Action, Seat
from rules.oceans import actions as act
from rules.oceans import steps
from rules.oceans.cards.decks import Card
from rules.oceans.engine import aging, checkpoint, drawing, evolving, feeding, pre_feeding
from rules.oceans.engine.draft import Draft
from rules.oceans.engine.hunting import attacks, forages, may_feed
from rules.oceans.engine.ring import Waters
from rules.oceans.engine.setup import lay_out
from rules.oceans.events import (
    Ended,
    OrdersGiven,
    Scrambled,
    TurnBegan,
    Unfed,
)
from rules.oceans.model import (
    Meals,
    Orders,
    Position,
    Species,
)
from rules.oceans.steps import AnyStep, Reason
from rules.oceans.zones import Zone


class Outcome(msgspec.Struct, frozen=True):
    """What came of an action: the next table, and by how much each score pile changed."""

    position: Position
    scores: tuple[int, ...]


def advance(position: Position, action: Action) -> Outcome:
    """Take an action of whoever is to act, and work the agenda off to the next question."""
    draft = Draft(position)
    _TAKE[type(action)](draft, action)
    _work(draft)
    return Outcome(draft.freeze(), tuple(draft.scores))


def _work(draft: Draft) -> None:
    while draft.agenda:
        step = draft.agenda[-1]
        settle = _SETTLE.get(type(step))
        if settle is not None and settle(draft):
            continue
        perform = _PERFORM.get(type(step))
        if perform is None:
            return
        draft.agenda.pop()
        perform(draft, step)


# Set-up ---------------------------------------------------------------------------------------------


def _dealt(draft: Draft, action: act.Deal) -> None:
    if isinstance(draft.agenda[-1], steps.Dealing):
        draft.agenda.pop()
    drawing.dealt(draft, action)


def _laid_out(draft: Draft, action: act.LayOut) -> None:
    draft.agenda.pop()
    lay_out(draft, action)
    _begin_turn(draft)


# Turns ----------------------------------------------------------------------------------------------


def turn_order(first: Seat, resigned: tuple[bool, ...] | list[bool]) -> list[Seat]:
    """The seats that still play, from the first player on; the last of them ends a round."""
    seats = len(resigned)
    return [Seat((first + i) % seats) for i in range(seats) if not resigned[(first + i) % seats]]


def _begin_turn(draft: Draft) -> None:
    draft.plays = 2 if draft.cambrian else 1
    draft.meals = Meals()
    draft.ages = ()
    draft.fired = 0
    draft.ordered = False
    draft.rows = [[replace(each, grown=False) if each.grown else each for each in row] for row in draft.rows]
    draft.note(TurnBegan(draft.current_player, draft.round))
    draft.push(steps.Playing())


def _end_turn(draft: Draft, step: steps.EndTurn) -> None:
    """The next seat; after the last one of the last round the score piles are turned over."""
    if _last_turn(draft):
        draft.push(steps.Tallying())
        return
    assert draft.first_player is not None
    order = turn_order(draft.first_player, draft.resigned)
    after = _still_to_play(draft, order)
    if not after:
        draft.round += 1
    draft.current_player = after[0] if after else order[0]
    _begin_turn(draft)


def _still_to_play(draft: Draft, order: list[Seat]) -> list[Seat]:
    """The seats whose turn comes later in this round."""
    return [seat for seat in order if _place(draft, seat) > _place(draft, draft.current_player)]


def _last_turn(draft: Draft) -> bool:
    """Whether the game is over after this turn (O18, O19)."""
    assert draft.first_player is not None
    last_round = draft.ending or draft.round >= draft.options.turn_cap
    return last_round and not _still_to_play(draft, turn_order(draft.first_player, draft.resigned))


def _settle_drawing(draft: Draft) -> bool:
    """Nobody draws any more when the game is over after this turn: cards count nothing."""
    if not _last_turn(draft):
        return False
    draft.agenda.pop()
    draft.push(steps.EndTurn())
    return True


def _place(draft: Draft, seat: Seat) -> int:
    """A seat's place in the order of turns fixed at set-up."""
    assert draft.first_player is not None
    return (seat - draft.first_player) % draft.seats


def _tallied(draft: Draft, action: act.TurnOver) -> None:
    draft.agenda.clear()
    draft.final_scores = action.scores
    draft.note(Ended(action.scores))


def resigned(position: Position, seat: Seat, surface: tuple[Card, ...], deep: tuple[Card, ...]) -> Outcome:
    """A seat gives up: population to the Reef, traits and Surface hand to the discard pile, Deep cards out.

    ``surface``, ``deep``: the cards it held or looked at.  The last one left wins (O20).
    """
    draft = Draft(position)
    draft.resigned[seat] = True
    for species in list(draft.rows[seat]):
        draft.move(species.key, Zone.REEF.value, species.population, "resign")
        draft.remove(replace(species, population=0))
    draft.lay_away((*surface, *deep))
    draft.surface_hands[seat] = draft.deep_hands[seat] = 0
    draft.known[seat] = ()
    if draft.resigned.count(False) == 1:
        draft.agenda = [steps.Tallying()]
    elif draft.first_player is None:
        draft.agenda = [step for step in draft.agenda if step != steps.Dealing(seat)]
    elif seat == draft.current_player:
        due = [step for step in draft.agenda if isinstance(step, steps.TriggeringEnd)]
        draft.agenda = []
        draft.push(*due, steps.Checkpoint(), steps.EndTurn())
    else:
        _leave(draft, seat)
    _work(draft)
    return Outcome(draft.freeze(), tuple(draft.scores))


def _leave(draft: Draft, seat: Seat) -> None:
    """Take a seat that is not on turn, and its species, out of what is still to do."""
    asked = draft.agenda[-1]
    draft.agenda = [left for step in draft.agenda if (left := _without_seat(step, seat)) is not None]
    if isinstance(asked, steps.Choosing) and asked.reason is Reason.LEECH:
        # The ring has closed: somebody else may stand there now, or be the strongest.
        draft.agenda.pop()
        leecher = draft.find(asked.species)
        assert leecher is not None
        pre_feeding.fasten(draft, leecher, Card(asked.card))


def _without_seat(step: AnyStep, seat: Seat) -> AnyStep | None:
    """What is left of a step once a seat and its species are gone; None: nothing."""
    if not isinstance(step, steps.Choosing):
        if isinstance(step, steps.OpeningShield) and step.seat == seat:
            return None
        return step
    letter = SEAT_LETTERS[seat]
    options = step.options
    if step.reason in {Reason.HYDRA, Reason.SHIELD, Reason.VIRUS}:
        options = tuple(option for option in options if option[0] != letter)
    return replace(step, options=options) if options else None


# Feeding --------------------------------------------------------------------------------------------


def can_feed(waters: Waters, meals: Meals, seat: Seat) -> bool:
    """Whether any species of the seat can feed now."""
    for species in waters.rows[seat]:
        may_forage, may_attack = may_feed(meals, species)
        if may_forage and next(iter(forages(waters, species)), None) is not None:
            return True
        if may_attack and next(iter(attacks(waters, species)), None) is not None:
            return True
    return False


def _settle_feeding(draft: Draft) -> bool:
    """Pass over a feeding that cannot happen, unless traits may still be removed."""
    step = draft.agenda[-1]
    seat = draft.current_player
    if isinstance(step, steps.Feeding) and step.drop and evolving.any_loose(draft, seat):
        return False
    if can_feed(draft, draft.meals, seat):
        return False
    if draft.meals == Meals():
        draft.note(Unfed(seat))
    _end_feeding(draft)
    return True


def _end_feeding(draft: Draft) -> None:
    draft.agenda.pop()
    draft.push(steps.BeginAging())


# Answers --------------------------------------------------------------------------------------------


def _done(draft: Draft, action: act.Done) -> None:
    step = draft.agenda[-1]
    if isinstance(step, steps.Playing):
        evolving.finish_playing(draft)
    else:
        draft.agenda.pop()


def _skip(draft: Draft, action: act.Skip) -> None:
    _end_feeding(draft)


def _spill(draft: Draft, action: act.Spill) -> None:
    step = draft.agenda.pop()
    assert isinstance(step, steps.Spilling)
    checkpoint.spill(draft, step.species, action.zone.value)


def _drop(draft: Draft, action: act.DropTrait) -> None:
    if isinstance(draft.agenda[-1], steps.Trimming):
        draft.agenda.pop()
    evolving.drop_trait(draft, action)


def _set_surplus(draft: Draft, action: act.SetSurplus) -> None:
    _order(draft, replace(draft.orders[draft.current_player], surplus=action.zone))


def _set_fast_aging(draft: Draft, action: act.SetFastAging) -> None:
    _order(draft, replace(draft.orders[draft.current_player], fast_aging=action.ages))


def _order(draft: Draft, orders: Orders) -> None:
    draft.orders[draft.current_player] = orders
    draft.ordered = True
    draft.note(OrdersGiven(draft.current_player))


def _choose(draft: Draft, action: act.Choose) -> None:
    step = draft.agenda.pop()
    assert isinstance(step, steps.Choosing)
    option = action.option
    match step.reason:
        case Reason.LEECH:
            pre_feeding.leech(draft, step.species, Card(step.card), option)
        case Reason.SHIELD:
            pre_feeding.rob_shield(draft, step.species, step.card, option)
        case Reason.REEFWARD:
            pre_feeding.feed_reef(draft, step.species, step.card, option)
        case Reason.BLEACHING:
            draft.move(Zone.REEF.value, option, aging.bleaching(draft), step.card)
        case Reason.AGE:
            draft.ages = (*draft.ages, (step.species, int(option)))
        case Reason.VIRUS:
            draft.agenda[-1] = steps.Aging(option)
        case Reason.HYDRA:
            draft.move(option, step.species, 1, step.card)
            feeding.hydra_asks(draft, step.species, (*step.picked, option))


# Chance ---------------------------------------------------------------------------------------------


def _shield_opened(draft: Draft, action: act.OpenShield) -> None:
    step = draft.agenda.pop()
    assert isinstance(step, steps.OpeningShield)
    draft.move(SEAT_LETTERS[step.seat], step.target, action.count, step.cause)


def _scrambled(draft: Draft, action: act.Scramble) -> None:
    draft.agenda.pop()
    cards = iter(action.cards)

    def dealt(species: Species) -> Species:
        loose = set(checkpoint.removable(species))
        return replace(
            species, traits=tuple(next(cards) if card in loose else card for card in species.traits)
        )

    draft.rows = [[dealt(species) for species in row] for row in draft.rows]
    draft.note(Scrambled())


_TAKE: Final[Mapping[type[Action], Callable[[Draft, Any], None]]] = {
    act.Evolve: evolving.evolve,
    act.Create: evolving.create,
    act.Migrate: evolving.migrate,
    act.Cast: evolving.cast,
    act.DropTrait: _drop,
    act.Mutate: evolving.mutate,
    act.SetSurplus: _set_surplus,
    act.SetFastAging: _set_fast_aging,
    act.Done: _done,
    act.Exchange: pre_feeding.exchange,
    act.Swap: pre_feeding.swap,
    act.Forage: feeding.do_forage,
    act.Attack: feeding.do_attack,
    act.Skip: _skip,
    act.Choose: _choose,
    act.Spill: _spill,
    act.TakeDeep: drawing.take_deep,
    act.LookDeep: lambda draft, action: drawing.look_deep(draft),
    act.Keep: drawing.keep,
    act.Discard: drawing.discard,
    act.Draw: lambda draft, action: drawing.draw(draft),
    act.Deal: _dealt,
    act.LayOut: _laid_out,
    act.Reshuffle: lambda draft, action: drawing.reshuffled(draft),
    act.ShowDeep: drawing.shown,
    act.RefillPool: drawing.refilled,
    act.OpenShield: _shield_opened,
    act.Scramble: _scrambled,
    act.TurnOver: _tallied,
}
"""What each action does to the step that asked for it."""

_SETTLE: Final[Mapping[type[AnyStep], Callable[[Draft], bool]]] = {
    steps.Playing: evolving.settle_playing,
    steps.Feeding: _settle_feeding,
    steps.Drawing: _settle_drawing,
    steps.DrawingUp: drawing.settle_drawing_up,
}
"""Steps that may turn out to need no answer."""

_PERFORM: Final[Mapping[type[AnyStep], Callable[[Draft, Any], None]]] = {
    steps.Checkpoint: checkpoint.checkpoint,
    steps.Overpopulating: checkpoint.overpopulating,
    steps.Outbreak: checkpoint.outbreak,
    steps.Firing: checkpoint.firing,
    steps.TriggeringEnd: checkpoint.triggering_end,
    steps.BeginFeeding: pre_feeding.begin_feeding,
    steps.BeforeFeeding: pre_feeding.before_feeding,
    steps.Reacting: feeding.reacting,
    steps.AfterMigration: evolving.after_migration,
    steps.BeginAging: aging.begin_aging,
    steps.PreparingAging: aging.preparing_aging,
    steps.Aging: aging.age_all,
    steps.AfterAging: aging.after_aging,
    steps.EndTurn: _end_turn,
}
"""Steps that are done at once."""
