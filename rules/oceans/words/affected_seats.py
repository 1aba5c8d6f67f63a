"""Which seats a record of Oceans affects, so that their players read of it first."""

from collections.abc import Iterable

from rules.model import Seat
from rules.oceans.engine.ring import owner_of
from rules.oceans.events import (
    AnyEvent,
    Attacked,
    CambrianExploded,
    Created,
    Dealt,
    DeepKept,
    DeepLookedAt,
    DeepTaken,
    Discarded,
    EndTriggered,
    Evolved,
    Extinct,
    FeedingSkipped,
    Foraged,
    GameEnded,
    LaidOut,
    Overpopulated,
    PoolRefilled,
    PopulationMoved,
    Reshuffled,
    ScenarioActivated,
    ScenarioDeactivated,
    ScenarioFired,
    SpeciesHandedOver,
    StandingAnswerGiven,
    TraitExchanged,
    TraitRemoved,
    TraitsScrambled,
    TraitsSwapped,
    TurnBegan,
)
from rules.oceans.model import OceansView
from rules.oceans.places import Place, ScorePile, SpeciesBoard
from rules.oceans.steps import Dealing


def affected_seats(before: OceansView, after: OceansView) -> frozenset[Seat]:
    """Return the seats whose species, cards or score piles the trail touched.

    All seats if an event concerns everybody or the game is over; none while the first hands are dealt, as
    the last of these deals says what everybody holds.
    """
    position, agenda = after.position, before.position.agenda
    if agenda and isinstance(agenda[-1], Dealing):
        return frozenset()
    if position.to_act is None:
        return frozenset(map(Seat, range(position.seat_count)))
    return frozenset(
        seat for event in position.trail for seat in _seats_affected_by(event, position.seat_count)
    )


def _seats_affected_by(event: AnyEvent, seat_count: int) -> Iterable[Seat]:
    match event:
        case (
            Dealt(seat=seat)
            | Discarded(seat=seat)
            | FeedingSkipped(seat=seat)
            | DeepTaken(seat=seat)
            | DeepLookedAt(seat=seat)
            | DeepKept(seat=seat)
            | StandingAnswerGiven(seat=seat)
        ):
            return (seat,)
        case (
            Created(species=key)
            | Evolved(species=key)
            | TraitRemoved(species=key)
            | TraitExchanged(species=key)
            | Foraged(species=key)
            | Overpopulated(species=key)
            | Extinct(species=key)
        ):
            return (owner_of(key),)
        case (
            TraitsSwapped(species=key, other=other)
            | Attacked(species=key, target=other)
            | SpeciesHandedOver(species=key, new_key=other)
        ):
            return owner_of(key), owner_of(other)
        case PopulationMoved(source=source, target=target):
            return (*_owners_of_place(source), *_owners_of_place(target))
        case LaidOut() | TurnBegan() | Reshuffled() | PoolRefilled():
            return ()
        case (
            CambrianExploded()
            | ScenarioActivated()
            | ScenarioDeactivated()
            | ScenarioFired()
            | EndTriggered()
            | TraitsScrambled()
            | GameEnded()
        ):
            return map(Seat, range(seat_count))


def _owners_of_place(place: Place) -> tuple[Seat, ...]:
    match place:
        case SpeciesBoard(species=key):
            return (owner_of(key),)
        case ScorePile(seat=seat):
            return (seat,)
        case _:
            return ()
