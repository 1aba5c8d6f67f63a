"""Why a species cannot forage or attack: what stands in the way, by name."""

from collections.abc import Iterator

from msgspec.structs import replace

from rules.oceans.actions import Attack, Forage
from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Immunity, ImmunityCondition, Quirk, TraitFlag
from rules.oceans.engine.feeding import keys_able_to_feed
from rules.oceans.engine.legal_feedings import (
    MIN_GARGANTUAN_TARGET_POPULATION,
    allowed_feedings,
    attack_actions,
    attack_actions_on,
    attack_result,
    effective_defence,
    forage_sources,
    foraged_amount,
    forbidding_traits,
    ignoring_if_allowed,
    immunity_holds,
    source_population,
)
from rules.oceans.engine.ring import find_species, owner_of
from rules.oceans.engine.values import (
    attack_value,
    count_deep_traits,
    defence_value,
    forage_value,
    free_space_count,
    grants_immunity,
    has_flag,
    has_quirk,
    is_defensive,
    is_effect_active,
    max_strength,
)
from rules.oceans.model import Position, Species
from rules.oceans.places import Place, Zone, place_code
from rules.oceans.words.action_words import ALLOWED_TEXT
from rules.oceans.words.phrases import (
    ZONE_WORDS,
    card_text,
    foraging_place_text,
    used_spaces_text,
)
from rules.text import capitalized, listed


def _cannot_feed_text(position: Position, species: Species, *, is_foraging: bool) -> str | None:
    """Say why a species cannot feed now, by foraging or else by attacking; None if it can."""
    # After a feeding the phase goes on only as long as some species can feed.
    instead = f"Feed {listed(keys_able_to_feed(position, owner_of(species.key)), 'or')}, or pass with `skip`."
    if species.key in position.past_feedings.barred_feeders:
        return f"{species.key} cannot feed any more in this feeding phase. {instead}"
    may_forage, may_attack = allowed_feedings(position.past_feedings, species)
    if is_foraging and not may_forage and may_attack:
        return f"{species.key} may only attack now: name a target, or pass with `skip`."
    if not is_foraging and not may_attack and may_forage:
        return f"{species.key} may only forage now: name where, or pass with `skip`."
    if not may_forage and not may_attack:
        feeder = position.past_feedings.feeder
        if feeder is not None and feeder != species.key:
            return f"{feeder} is the species that feeds this turn: {species.key} cannot. {instead}"
        return f"{species.key} has fed. {instead}"
    if not free_space_count(position, species):
        instead = _other_feeding_text(position, species)
        return f"{species.key} has no free space ({used_spaces_text(position, species)}): {instead}."
    return None


def _other_feeding_text(position: Position, species: Species, other_way: str = "") -> str:
    """Return what can be done instead of a feeding: another one, of this or of another species, or none.

    ``other_way``: the words for another feeding of this species, which are used only if one is legal.
    """
    keys = keys_able_to_feed(position, owner_of(species.key))
    ways = [other_way] if other_way and species.key in keys else []
    if any(key != species.key for key in keys):
        ways.append("feed another one")
    return ", or ".join(ways or ["pass with `skip`"])


def _other_attack_text(position: Position, attacker: Species, other_attack: str) -> str:
    """Return what can be done instead of an attack: ``other_attack`` if another one is legal."""
    if next(attack_actions(position, attacker), None) is not None:
        return other_attack
    return _other_feeding_text(position, attacker, "let it forage")


def _preventing_trait_text(species: Species, *, is_foraging: bool) -> str:
    """Name the trait that keeps a species from foraging or attacking."""
    if not is_foraging and has_quirk(species, Quirk.BUBBLE_NET):
        # Traits that forbid attacks do not count then, those that forbid foraging do.
        never_forages_text = _never_feeds_text(species, is_foraging=True)
        return f"{species.key}'s Attack is its Forage (Bubble Net), and it {never_forages_text}."
    return f"{species.key} {_never_feeds_text(species, is_foraging=is_foraging)}."


def _never_feeds_text(species: Species, *, is_foraging: bool) -> str:
    """Return the rest of a sentence about a species: "never forages (Parasitic)"."""
    text = f"never {'forages' if is_foraging else 'attacks'}"
    for card in species.traits:
        trait = TRAIT_BY_CARD[card]
        if trait.never_forages if is_foraging else trait.never_attacks:
            return f"{text} ({trait.name})"
    return text


# Forage -------------------------------------------------------------------------------------------------


def forage_refusal(position: Position, action: Forage) -> str:
    """Say why a forage is not legal; its species must be one of the actor's."""
    species = find_species(position, action.species)
    if species is None:
        return ALLOWED_TEXT
    reason = _cannot_feed_text(position, species, is_foraging=True)
    if reason is not None:
        return reason
    value = forage_value(position, species)
    instead = _other_feeding_text(position, species, "let it attack")
    if value is None:
        return f"{_preventing_trait_text(species, is_foraging=True)} {capitalized(instead)}."
    if value == 0:
        return f"{species.key} has Forage 0 now and would take nothing. {capitalized(instead)}."
    sources_by_code = {place_code(place): place for place in forage_sources(position, species)}
    source = sources_by_code.get(action.source)
    if source is None:
        where = listed([foraging_place_text(place) for place in sources_by_code.values()], "or")
        return f"{species.key} can forage {where} only."
    if not source_population(position, source):
        return f"{capitalized(_foraging_place_name(source))} is empty: there is nothing to forage."
    return _amount_refusal(position, species, action, source)


def _amount_refusal(position: Position, species: Species, action: Forage, source: Place) -> str:
    if action.max_count is None:
        return ALLOWED_TEXT
    full_amount = foraged_amount(position, species, source)
    if not has_flag(species, TraitFlag.MAY_FORAGE_LESS):
        return f"{species.key} takes all it can, {full_amount} here: leave the number out."
    if full_amount == 1:
        return f"{species.key} can only take 1 here: leave the number out."
    return f"{species.key} may take {full_amount} there, or less: a number from 1 to {full_amount - 1}."


def _foraging_place_name(source: Place) -> str:
    return ZONE_WORDS[source] if isinstance(source, Zone) else f"{place_code(source)}'s board"


# Attack -------------------------------------------------------------------------------------------------


def attack_refusal(position: Position, action: Attack) -> str:
    """Say why an attack is not legal; both species must be in play, and the attacker the actor's."""
    attacker, target = find_species(position, action.species), find_species(position, action.target)
    if attacker is None or target is None:
        return ALLOWED_TEXT
    reason = _cannot_feed_text(position, attacker, is_foraging=False)
    if reason is not None:
        return reason
    if attacker.key == target.key:
        instead = _other_attack_text(position, attacker, f"name another target than {target.key}")
        return f"A species cannot attack itself: {instead}."
    strength = attack_value(position, attacker)
    instead = _other_feeding_text(position, attacker, "let it forage")
    if strength is None:
        return f"{_preventing_trait_text(attacker, is_foraging=False)} {capitalized(instead)}."
    if strength == 0:
        return f"{attacker.key} has Attack 0 now and would take nothing. {capitalized(instead)}."
    if not target.population:
        instead = _other_attack_text(position, attacker, "attack another one")
        if not is_effect_active(position, Effect.AGGRESSIVE_ENVIRONMENT):
            return f"{target.key} holds no population, so there is nothing to take: {instead}."
        if has_flag(target, TraitFlag.NEVER_EXTINCT):
            return f"{target.key} holds no population and never dies out: {instead}."
    attacks = list(attack_actions_on(position, attacker, target))
    if attacks:
        return _ignoring_refusal(attacks[0])
    ignoring = ignoring_if_allowed(position, attacker, target, action.ignoring or ())
    return _attack_rule_text(position, attacker, target, strength) or _protection_text(
        position, attacker, target, strength, ignoring
    )


def _ignoring_refusal(attack: Attack) -> str:
    """Return the refusal of an attack that is legal if it names other traits to ignore."""
    ignoring_text = f" {','.join(attack.ignoring)}" if attack.ignoring else ""
    advice = "Name what is ignored" if attack.ignoring else "Name nothing that is ignored"
    return f"{advice}: `attack {attack.species} {attack.target}{ignoring_text}`."


def _attack_rule_text(position: Position, attacker: Species, target: Species, strength: int) -> str | None:
    """Say which rule about the attacker, or about all species, forbids an attack; None if none does."""
    if has_quirk(attacker, Quirk.GARGANTUAN) and target.population < MIN_GARGANTUAN_TARGET_POPULATION:
        return (
            f"{attacker.key} (Gargantuan) attacks only species with "
            f"{MIN_GARGANTUAN_TARGET_POPULATION} or more population."
        )
    if is_effect_active(position, Effect.ARMS_RACE):
        target_value = max_strength(position, target)
        if target_value > strength:
            return (
                f"Evolutionary Arms Race: {target.key} has Forage or Attack {target_value}, more than "
                f"{attacker.key}'s Attack of {strength}."
            )
    if has_quirk(attacker, Quirk.ABYSS_DWELLER) and count_deep_traits(target) < len(target.traits):
        return f"{attacker.key} (Abyss Dweller) attacks no species with a Surface trait."
    return None


def _protection_text(
    position: Position, attacker: Species, target: Species, strength: int, ignoring: tuple[Card, ...]
) -> str:
    """Name what protects the target: its immunity if that alone forbids the attack, else its Defence.

    ``ignoring``: the traits that the attacker chooses to ignore.
    """
    instead = _other_attack_text(position, attacker, "choose another target")
    immunity_cards = {card for card in target.traits if grants_immunity(card)}
    exposed = replace(target, traits=tuple(card for card in target.traits if card not in immunity_cards))
    if immunity_cards and attack_result(position, attacker, exposed, ignoring).is_legal:
        reasons = list(dict.fromkeys(_immunity_reasons(position, attacker, target, ignoring)))
        if reasons:
            return f"{attacker.key} cannot attack {target.key}: {listed(reasons)}. {capitalized(instead)}."
    saved = effective_defence(position, attacker, target, ignoring)
    limit = min(strength, target.population)
    if saved >= limit:
        ignores_some = saved < defence_value(position, target)
        defence_text = f"the Defence {saved} that it does not ignore" if ignores_some else f"Defence {saved}"
        return (
            f"{attacker.key} would take nothing from {target.key}. Attack {strength} takes at most {limit} "
            f"of {target.population} population, and {defence_text} saves {'it' if limit == 1 else 'them'}."
        )
    protectors_text = listed([card_text(card) for card in target.traits if is_defensive(card)])
    return f"{target.key} is protected{f' by {protectors_text}' if protectors_text else ''}: {instead}."


def _immunity_reasons(
    position: Position, attacker: Species, target: Species, ignoring: tuple[Card, ...]
) -> Iterator[str]:
    """Yield a reason for each immunity of the target that holds against this attacker."""
    for card in forbidding_traits(position, attacker, target, ignoring):
        trait = TRAIT_BY_CARD[card]
        if Quirk.ABYSS_DWELLER in trait.quirks and count_deep_traits(attacker) < len(attacker.traits):
            yield f"{trait.name} keeps off species with a Surface trait"
        for ability in trait.abilities:
            if isinstance(ability, Immunity) and immunity_holds(position, ability, attacker, target):
                yield _immunity_reason(position, trait.name, ability, attacker, target)


def _immunity_reason(
    position: Position, name: str, immunity: Immunity, attacker: Species, target: Species
) -> str:
    """Return why an immunity protects the target; ``name``: the trait that grants it."""
    strength = attack_value(position, attacker) or 0
    threshold = immunity.threshold
    match immunity.condition:
        case ImmunityCondition.ALWAYS:
            return f"{name} always protects it"
        case ImmunityCondition.LARGE_POPULATION:
            return f"{name} protects it while it holds {threshold} or more (it holds {target.population})"
        case ImmunityCondition.REEF_NOT_EMPTY:
            return f"{name} protects it while the Reef holds any population"
        case ImmunityCondition.WEAK_ATTACKER:
            return f"{name} lets only Attack {threshold} or more through, and {attacker.key} has {strength}"
        case ImmunityCondition.STRONG_ATTACKER:
            return f"{name} keeps off Attack {threshold} or more, and {attacker.key} has {strength}"
        case ImmunityCondition.BELOW_FORAGE:
            forage = forage_value(position, target)
            return f"{name} keeps off Attack below its Forage of {forage}, and {attacker.key} has {strength}"
        case ImmunityCondition.NO_SPEED:
            return f"{name} lets only species with Speed attack it"
