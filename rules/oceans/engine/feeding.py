"""Phase 2: a species forages or attacks, and may feed again (rulebook, Feeding; O8, O11)."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from rules.model import Action, Seat
from rules.oceans.actions import Attack, EndFeeding, Forage
from rules.oceans.cards.decks import Card
from rules.oceans.cards.traits import Quirk
from rules.oceans.causes import RuleCause, TraitCause
from rules.oceans.engine.extinction import let_species_die_out
from rules.oceans.engine.handlers import Handlers
from rules.oceans.engine.legal_feedings import (
    allowed_feedings,
    attack_actions,
    attack_result,
    forage_actions,
    foraged_amount,
    ignored_stings,
    may_feed_voraciously,
)
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.playing import has_removable_traits, remove_trait_actions
from rules.oceans.engine.ring import PositionLike, owner_of, species_ring
from rules.oceans.engine.values import (
    attack_value,
    card_with_quirk,
    forage_value,
    free_space_count,
    has_quirk,
    is_defensive,
)
from rules.oceans.events import Attacked, FeedingSkipped, Foraged
from rules.oceans.model import OceansView, PastFeedings, Position, Species
from rules.oceans.places import ScorePile, SpeciesBoard, parse_place
from rules.oceans.steps import (
    BeginningAging,
    BoardCheck,
    ChoiceKind,
    ChoiceOption,
    Choosing,
    Feeding,
    Reacting,
)

# Forages and attacks --------------------------------------------------------------------------------


def _apply_forage(position: MutablePosition, action: Forage) -> None:
    """Let a species forage.  Raises KeyError if it is gone."""
    position.agenda.pop()
    species = _record_feeding(position, action.species, forage_count=1)
    value = forage_value(position, species) or 0
    source = parse_place(action.source)
    amount = foraged_amount(position, species, source)
    if action.max_count is not None:
        amount = min(amount, action.max_count)
    position.add_event(Foraged(species.key, source, amount))
    position.move_population(source, SpeciesBoard(species.key), amount, RuleCause.FORAGE)
    position.push_steps(Reacting(species.key, value), BoardCheck(), Feeding())


def _apply_attack(position: MutablePosition, action: Attack) -> None:
    """Let a species attack another one.  Raises KeyError if either is gone."""
    past_feedings = position.past_feedings
    # A feeding by Voracious Feeder was an attack too: Deep-Sea Kraken never forages.
    has_attacked_before = (
        past_feedings.feeder == action.species and past_feedings.attack_count > 0
    ) or action.species in past_feedings.voracious_feeder_users
    position.agenda.pop()
    species = _record_feeding(position, action.species, attack_count=1)
    strength = attack_value(position, species) or 0
    is_scored = has_attacked_before and has_quirk(species, Quirk.DEEP_SEA_KRAKEN)
    target = position.find_species(action.target)
    ignoring = action.ignoring or ()
    ignored_traits = () if target is None else ignored_stings(position, species, target, ignoring)
    taken = resolve_attack(position, species.key, action.target, ignoring, is_scored=is_scored)
    target = position.find_species(action.target)
    # Settled now: what Hydra takes besides is no attack.
    target_emptied = target is not None and taken > 0 and not target.population
    position.push_steps(
        Reacting(species.key, strength, action.target, taken, target_emptied, ignored_traits),
        BoardCheck(),
        Feeding(),
    )
    if has_quirk(species, Quirk.HYDRA):
        _ask_for_hydra_target(position, species.key, ())


def resolve_attack(
    position: MutablePosition,
    attacker_key: str,
    target_key: str,
    ignoring: tuple[Card, ...],
    *,
    is_scored: bool,
) -> int:
    """Move what an attack takes and return the target's loss.

    A target without population dies out (Aggressive Environment).  Raises KeyError if a species is gone.
    """
    attacker, target = position.find_species(attacker_key), position.find_species(target_key)
    if attacker is None or target is None:
        raise KeyError(target_key)
    taken = attack_result(position, attacker, target, ignoring).taken
    position.add_event(Attacked(attacker_key, target_key, taken))
    if not target.population:
        let_species_die_out(position, {target_key: 0})
        return 0
    taker = ScorePile(owner_of(attacker_key)) if is_scored else SpeciesBoard(attacker_key)
    position.move_population(SpeciesBoard(target_key), taker, taken, RuleCause.ATTACK)
    return taken


def _record_feeding(
    position: MutablePosition, key: str, *, forage_count: int = 0, attack_count: int = 0
) -> Species:
    """Record that a species feeds, and return the species.  Raises KeyError if it is gone."""
    species = position.find_species(key)
    if species is None:
        raise KeyError(key)
    past_feedings = position.past_feedings
    if may_feed_voraciously(past_feedings, species):
        position.past_feedings = replace(
            past_feedings, voracious_feeder_users=(*past_feedings.voracious_feeder_users, key)
        )
    else:
        position.past_feedings = replace(
            past_feedings,
            feeder=key,
            forage_count=past_feedings.forage_count + forage_count,
            attack_count=past_feedings.attack_count + attack_count,
        )
    return species


def _ask_for_hydra_target(position: MutablePosition, key: str, picked: tuple[str, ...]) -> None:
    """Ask from which other species Hydra takes 1, if any is left; ``picked``: those picked before."""
    hydra = position.find_species(key)
    target_keys = () if hydra is None else _hydra_target_keys(position, hydra, picked)
    if hydra is not None and target_keys:
        options = tuple(SpeciesBoard(target_key) for target_key in target_keys)
        cause = TraitCause(card_with_quirk(hydra, Quirk.HYDRA))
        position.push_steps(Choosing(ChoiceKind.HYDRA, options, cause, key, picked))


def _hydra_target_keys(position: PositionLike, hydra: Species, picked: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of the species from which Hydra may take 1 as well.

    They have population and no defensive trait.  Empty if the board of Hydra's species is full.
    """
    if not free_space_count(position, hydra):
        return ()
    return tuple(
        each.key
        for each in species_ring(position)
        if each.key != hydra.key
        and each.key not in picked
        and each.population
        and not any(is_defensive(card) for card in each.traits)
    )


# Legal actions ---------------------------------------------------------------------------------------


def _offer_feedings(view: OceansView, seat: Seat, step: Feeding) -> Iterator[Action]:
    position = view.position
    yield from feeding_actions(position, seat)
    if step.may_remove_traits:
        yield from remove_trait_actions(position, seat)
    yield EndFeeding()


def feeding_actions(position: Position | MutablePosition, seat: Seat) -> Iterator[Forage | Attack]:
    """Yield every legal forage and attack of a seat's species."""
    for species in position.rows[seat]:
        may_forage, may_attack = allowed_feedings(position.past_feedings, species)
        if may_forage:
            yield from forage_actions(position, species)
        if may_attack:
            yield from attack_actions(position, species)


def keys_able_to_feed(position: Position, seat: Seat) -> tuple[str, ...]:
    """Return the keys of the seat's species that can feed now."""
    return tuple(dict.fromkeys(action.species for action in feeding_actions(position, seat)))


def can_feed(position: Position | MutablePosition, seat: Seat) -> bool:
    """Whether any species of the seat can feed now."""
    return next(feeding_actions(position, seat), None) is not None


def _skip_needless_feeding(position: MutablePosition) -> bool:
    """Skip feeding if no species can feed, unless traits may still be removed."""
    step = position.agenda[-1]
    seat = position.current_player
    if isinstance(step, Feeding) and step.may_remove_traits and has_removable_traits(position, seat):
        return False
    if can_feed(position, seat):
        return False
    if position.past_feedings == PastFeedings():
        position.add_event(FeedingSkipped(seat))
    _end_feeding(position)
    return True


def _end_feeding(position: MutablePosition) -> None:
    position.agenda.pop()
    position.push_steps(BeginningAging())


def _apply_end_feeding(position: MutablePosition, action: EndFeeding) -> None:
    _end_feeding(position)


def _answer_hydra(position: MutablePosition, step: Choosing, option: ChoiceOption) -> None:
    assert isinstance(option, SpeciesBoard)
    position.move_population(option, SpeciesBoard(step.species), 1, step.cause)
    _ask_for_hydra_target(position, step.species, (*step.picked, option.species))


HANDLERS: Final = Handlers(
    apply={Forage: _apply_forage, Attack: _apply_attack, EndFeeding: _apply_end_feeding},
    offer={Feeding: _offer_feedings},
    answer={ChoiceKind.HYDRA: _answer_hydra},
    skip_if_needless={Feeding: _skip_needless_feeding},
)
