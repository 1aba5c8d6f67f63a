"""Warnings of species that would die out at the coming Aging."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from rules.model import Seat
from rules.oceans.cards.traits import TraitFlag
from rules.oceans.engine.aging import (
    aging_due,
    aging_species,
    population_to_survive,
    possible_aging_amounts,
    with_gains_before_aging,
)
from rules.oceans.engine.pre_feeding import has_pre_feeding_effects
from rules.oceans.engine.ring import owner_of
from rules.oceans.engine.values import has_flag, never_ages
from rules.oceans.model import Position
from rules.oceans.places import SpeciesBoard
from rules.oceans.steps import (
    BeginningFeeding,
    ChoiceKind,
    Choosing,
    Drawing,
    Playing,
    PreFeedingTrait,
    RevealingScores,
    TakingFromScorePile,
)
from rules.text import listed


def extinction_warning_lines(
    position: Position, seat: Seat, certain_keys: Collection[str], removal_texts: Mapping[str, str]
) -> list[str]:
    """Return a sentence for each of a seat's species that would die out if nothing changed before Aging.

    ``certain_keys``: those of them that nothing can save; ``removal_texts``: of those that only the removal
    of a trait can save, what their owner has to do.
    """
    return [
        f"{key} dies out at Aging."
        if key in certain_keys
        else _extinction_warning_text(key, removal_texts.get(key, _gain_text(position, seat, missing)))
        for key, missing in missing_amounts(position, seat).items()
    ]


def extinction_warning(
    position: Position, seat: Seat, certain_keys: Collection[str], removal_texts: Mapping[str, str]
) -> str:
    """Return sentences about all endangered species of a seat; empty if there are none.

    ``certain_keys``, ``removal_texts``: as those of ``extinction_warning_lines``.
    """
    missing = missing_amounts(position, seat)
    gaining = [key for key in missing if key not in certain_keys and key not in removal_texts]
    if len(gaining) == 1:
        gaining_text = _extinction_warning_text(gaining[0], _gain_text(position, seat, missing[gaining[0]]))
    else:
        gaining_text = f"{listed(gaining)} die out at Aging unless they get more." if gaining else ""
    sentences = [
        certain_extinction_text([key for key in missing if key in certain_keys]),
        *(_extinction_warning_text(key, text) for key, text in removal_texts.items()),
        gaining_text,
    ]
    return " ".join(filter(None, sentences))


def certain_extinction_text(keys: Sequence[str]) -> str:
    """Return a sentence about species that nothing can save; empty if there are none."""
    return f"{listed(keys)} {'dies' if len(keys) == 1 else 'die'} out at Aging." if keys else ""


def asks_about_aging(position: Position) -> bool:
    """Whether it is asked how species age: until Aging none gets population any more."""
    step = position.agenda[-1] if position.agenda else None
    return isinstance(step, Choosing) and step.kind in {ChoiceKind.AGE, ChoiceKind.SECOND_AGING}


def aging_is_to_come(position: Position) -> bool:
    """Whether this turn's Aging is still to come."""
    is_over = any(isinstance(step, Drawing | RevealingScores) for step in position.agenda)
    return bool(position.agenda) and not is_over


def endangered_keys(position: Position, seat: Seat) -> frozenset[str]:
    """Return the keys of the species that ``extinction_warning`` names."""
    return frozenset(missing_amounts(position, seat))


def endangered_keys_of_others(position: Position, seat: Seat) -> frozenset[str]:
    """Return the keys of the other players' species that would die out at a seat's coming Aging."""
    if position.to_act is None or position.current_player != seat or not aging_is_to_come(position):
        return frozenset()
    before_aging = with_gains_before_aging(position)
    return frozenset(
        species.key
        for species in aging_species(before_aging)
        if owner_of(species.key) != seat
        and not never_ages(species)
        and not has_flag(species, TraitFlag.NEVER_EXTINCT)
        and species.population
        < population_to_survive(before_aging, species, aging_due(before_aging, species))
    )


def missing_amounts(position: Position, seat: Seat) -> dict[str, int]:
    """Return how much each of a seat's species lacks that would die out at Aging however it may age."""
    return dict(_missing_amounts(position, seat))


def _extinction_warning_text(key: str, rescue_text: str) -> str:
    return f"{key} dies out at Aging unless {rescue_text}."


def _gain_text(position: Position, seat: Seat, missing: int) -> str:
    """Return what saves a species; it needs still more if a trait is yet to take from it before feeding."""
    is_before_feeding = any(
        isinstance(step, Playing | BeginningFeeding | PreFeedingTrait) for step in position.agenda
    )
    may_lose = is_before_feeding and has_pre_feeding_effects(position, seat)
    return f"it gets {'at least ' if may_lose else ''}{missing} more"


def _missing_amounts(position: Position, seat: Seat) -> Iterator[tuple[str, int]]:
    if position.to_act is None or position.current_player != seat or not aging_is_to_come(position):
        return
    chosen = dict(position.chosen_aging_amounts)
    targets = [step.target for step in position.agenda if isinstance(step, TakingFromScorePile)]
    before_aging = with_gains_before_aging(position)
    for species in before_aging.rows[seat]:
        if SpeciesBoard(species.key) in targets:
            continue  # how much it takes is not known yet
        amount = chosen.get(species.key, min(possible_aging_amounts(before_aging, species)))
        missing = population_to_survive(before_aging, species, amount) - species.population
        if missing > 0 and not has_flag(species, TraitFlag.NEVER_EXTINCT):
            yield species.key, missing
