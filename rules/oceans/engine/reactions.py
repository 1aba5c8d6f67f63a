"""What a feeding sets off: losses and takes, then all gains, then what reacts to gains (O10)."""

from typing import Final

import msgspec
from msgspec.structs import replace

from rules.oceans.cards.decks import TRAIT, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Gains, GainsPer, Quirk, Stings, Takes, When, Where
from rules.oceans.causes import TraitCause
from rules.oceans.engine.draft import Draft
from rules.oceans.engine.feeding import strike
from rules.oceans.engine.gains import Due, card_with, gain_all
from rules.oceans.engine.hunting import attack_result, attacks_on
from rules.oceans.engine.phase import Phase
from rules.oceans.engine.pre_feeding import leech_from
from rules.oceans.engine.ring import PositionLike, beside, clockwise, neighbours, ring
from rules.oceans.engine.values import active_cause, amount, attack, gain, in_force, quirky
from rules.oceans.model import Species
from rules.oceans.places import SpeciesBoard, Zone
from rules.oceans.steps import Reacting

_SPINES: Final = 3
"""Poisonous Spines."""
_EXTRA_BITE_FAMILIES: Final = ("Bottom Feeder", "Shark Cleaner")
"""Rows of Teeth."""
_FORAGE_WHEN: Final = (When.FORAGES, When.FEEDS)
_ATTACK_WHEN: Final = (When.ATTACKS, When.FEEDS)


class _Incident(msgspec.Struct, frozen=True):
    """A forage or an attack, and who stood where."""

    feeder: str
    strength: int
    target: str
    lost: int
    emptied: bool
    strike: bool = False
    """Burrower's answer: it sets off no other one."""


def reacting(draft: Draft, step: Reacting) -> None:
    """After-losses and takes, then all gains at once, then what reacts to gains."""
    target = draft.find(step.target)
    emptied = target is not None and step.lost > 0 and not target.population
    incident = _Incident(step.feeder, step.strength, step.target, step.lost, emptied)
    due = _gains(draft, incident)
    spines = _spines(draft, incident, due)
    answer = _aftermath(draft, incident)
    if answer is not None:
        further = _gains(draft, answer)
        spines += _spines(draft, answer, further)
        due += further
        _aftermath(draft, answer)
    gained = gain_all(draft, due)
    for card, attacker, others in spines:
        for key in dict.fromkeys((attacker, *(each for each in others if each in gained))):
            if draft.find(key) is not None:
                draft.move(SpeciesBoard(key), Zone.REEF, _SPINES, TraitCause(card))


_Spines = tuple[Card, str, tuple[str, ...]]
"""Poisonous Spines, the attacker, whoever gains from the attack."""


def _spines(draft: Draft, incident: _Incident, due: list[Due]) -> list[_Spines]:
    target = draft.find(incident.target)
    if target is None or not quirky(target, Quirk.POISONOUS_SPINES):
        return []
    gainers = tuple(key for key, _, _ in due)
    return [(card_with(target, Quirk.POISONOUS_SPINES), incident.feeder, gainers)]


def _gains(draft: Draft, incident: _Incident) -> list[Due]:
    """Every gain that an incident sets off, clockwise."""
    feeder = draft.find(incident.feeder)
    teeth = feeder is not None and incident.target and quirky(feeder, Quirk.ROWS_OF_TEETH)
    fired: list[tuple[Species, Card, bool]] = []
    counts: dict[str, int] = {}
    everyone = list(clockwise(draft, draft.current_player))
    nearest = _nearest(draft, incident)
    for species in everyone:
        for card in species.traits:
            trait = TRAIT[card]
            for ability in trait.abilities:
                if isinstance(ability, Gains) and _sets_off(
                    draft, ability, species, trait.family, incident, nearest
                ):
                    counts[trait.family] = counts.get(trait.family, 0) + 1
                    fired.append((species, card, bool(teeth) and trait.family in _EXTRA_BITE_FAMILIES))
    due: list[Due] = [
        (species.key, TraitCause(card), gain(draft, species, card, extra=int(extra)))
        for species, card, extra in fired
    ]
    for species in everyone:
        for card in species.traits:
            due += [
                (species.key, TraitCause(card), counts[ability.family] * gain(draft, species, card))
                for ability in TRAIT[card].abilities
                if isinstance(ability, GainsPer) and counts.get(ability.family)
            ]
    order = {species.key: index for index, species in enumerate(everyone)}
    due.sort(key=lambda each: order[each[0]])
    return due


def _sets_off(
    draft: Draft,
    gains: Gains,
    species: Species,
    family: str,
    incident: _Incident,
    nearest: dict[str, set[str]],
) -> bool:
    attacked = gains.when is When.ATTACKED
    if attacked:
        if not incident.target or draft.find(incident.target) is None:
            return False
    elif gains.when not in (_ATTACK_WHEN if incident.target else _FORAGE_WHEN):
        return False
    if incident.strength < gains.at_least or incident.lost < gains.lost:
        return False
    if gains.emptied and not incident.emptied:
        return False
    if gains.where is Where.NEAREST:
        return species.key in nearest.get(f"{family}/{gains.at_least}", ())
    return _stands(draft, gains.where, species.key, incident.target if attacked else incident.feeder)


def _stands(position: PositionLike, where: Where, key: str, subject: str) -> bool:
    """Whether the subject stands where a reaction looks for it."""
    match where:
        case Where.ANY:
            return True
        case Where.SELF:
            return key == subject
        case Where.LEFT:
            left, _ = neighbours(position, key)
            return left is not None and left.key == subject
        case Where.NEIGHBOUR:
            return subject in beside(position, key)
        case Where.NEAREST:
            raise ValueError("the nearest is looked for from the subject")


def _nearest(draft: Draft, incident: _Incident) -> dict[str, set[str]]:
    """By family: the nearest species on each side of the feeder whose trait of that family reacts."""
    around = ring(draft)
    at = next((i for i, species in enumerate(around) if species.key == incident.feeder), None)
    if at is None:
        return {}
    others = around[at + 1 :] + around[:at]
    when = When.ATTACKS if incident.target else When.FORAGES
    found: dict[str, set[str]] = {}
    for side in (others, others[::-1]):
        met: set[str] = set()
        for species in side:
            families: dict[str, list[int]] = {}
            for card in species.traits:
                for ability in TRAIT[card].abilities:
                    if (
                        isinstance(ability, Gains)
                        and ability.where is Where.NEAREST
                        and ability.when is when
                        and incident.strength >= ability.at_least
                    ):
                        families.setdefault(TRAIT[card].family, []).append(ability.at_least)
            for family, levels in families.items():
                if family not in met:
                    met.add(family)
                    for level in levels:
                        found.setdefault(f"{family}/{level}", set()).add(species.key)
    return found


# After-losses and takes -----------------------------------------------------------------------------


def _aftermath(draft: Draft, incident: _Incident) -> _Incident | None:
    """Stings, takes and Burrower's answer, clockwise, each row left to right.  Returns that answer."""
    answer: _Incident | None = None
    around = {key: beside(draft, key) for key in (incident.target, incident.feeder) if draft.find(key)}
    for species in list(clockwise(draft, draft.current_player)):
        for card in species.traits:
            trait = TRAIT[card]
            for ability in trait.abilities:
                if isinstance(ability, Stings):
                    _sting(draft, incident, species.key, card, ability)
                elif isinstance(ability, Takes):
                    _take(draft, incident, species.key, card, ability, around)
            if Quirk.MASSIVE_FINS in trait.quirks and incident.feeder == species.key and not incident.target:
                _feed_parasites(draft, species.key)
            if Quirk.BURROWER in trait.quirks:
                answer = _burrower(draft, incident, species.key, around)
            if Quirk.RAPID_MUTATION in trait.quirks and incident.target == species.key:
                found = draft.find(species.key)
                if found is not None:
                    draft.put(replace(found, mutates=True))
    if not incident.target and in_force(draft, Effect.SHALLOW_REEF):
        cause = active_cause(draft, Effect.SHALLOW_REEF)
        draft.move(SpeciesBoard(incident.feeder), Zone.REEF, amount(draft, Effect.SHALLOW_REEF), cause)
    return answer


def _sting(draft: Draft, incident: _Incident, key: str, card: Card, stings: Stings) -> None:
    if not incident.target:
        return
    # Burrower may have struck the attacker off the table (Scenario card).
    if stings.attackers and key == incident.target and draft.find(incident.feeder) is not None:
        draft.move(SpeciesBoard(incident.feeder), Zone.REEF, stings.amount, TraitCause(card))
    if stings.targets and key == incident.feeder and draft.find(incident.target) is not None:
        draft.move(SpeciesBoard(incident.target), Zone.REEF, stings.amount, TraitCause(card))


def _take(
    draft: Draft, incident: _Incident, key: str, card: Card, takes: Takes, around: dict[str, tuple[str, ...]]
) -> None:
    """Take from the feeder, if the trait reacts to this and is not its own."""
    subject = incident.feeder
    fits = takes.when in (_ATTACK_WHEN if incident.target else _FORAGE_WHEN)
    near = takes.where is Where.ANY or key in around.get(subject, ())
    if fits and near and key != subject and incident.strength >= takes.at_least and draft.find(subject):
        draft.move(SpeciesBoard(subject), SpeciesBoard(key), takes.amount, TraitCause(card))


def _feed_parasites(draft: Draft, key: str) -> None:
    """Massive Fins: after it forages each Parasitic leeches 1 from it."""
    for species in list(clockwise(draft, draft.current_player)):
        if species.key == key:
            continue
        for card in species.traits:
            if TRAIT[card].family == "Parasitic":
                leech_from(draft, species.key, key, 1, card)


def _burrower(
    draft: Draft, incident: _Incident, key: str, around: dict[str, tuple[str, ...]]
) -> _Incident | None:
    """Its neighbour was attacked: it strikes the attacker, if that is a legal attack (O15)."""
    burrower, attacker = draft.find(key), draft.find(incident.feeder)
    if (
        incident.strike
        or not incident.target
        or burrower is None
        or attacker is None
        or key == incident.feeder
        or key not in around.get(incident.target, ())
    ):
        return None
    # Nobody is asked, so of what it may disregard it takes what serves it best.
    ways = [each.ignoring or () for each in attacks_on(draft, burrower, attacker)]
    if not ways:
        return None
    strength = attack(draft, burrower) or 0
    best = max(ways, key=lambda ignoring: attack_result(draft, burrower, attacker, ignoring).taken)
    taken = strike(draft, key, attacker.key, best, to_shield=False)
    left = draft.find(attacker.key)
    emptied = left is not None and taken > 0 and not left.population
    return _Incident(key, strength, attacker.key, taken, emptied, strike=True)


PHASE: Final = Phase(run={Reacting: reacting})
