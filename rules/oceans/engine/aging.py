"""Phase 3: species age into their owners' score piles, or die out (rulebook, Phase 3)."""

from collections.abc import Iterator
from typing import Final

from rules.game import Seat
from rules.oceans.cards.decks import Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Mark, Quirk, When
from rules.oceans.causes import Rule, TraitCause
from rules.oceans.engine.draft import Draft
from rules.oceans.engine.extinction import die_out
from rules.oceans.engine.gains import card_with, gain_all, moment
from rules.oceans.engine.phase import Phase
from rules.oceans.engine.ring import PositionLike, clockwise, owner_of
from rules.oceans.engine.values import (
    active_cause,
    aging,
    amount,
    deep_traits,
    in_force,
    marked,
    never_ages,
    profile,
    quirky,
)
from rules.oceans.model import Species
from rules.oceans.places import INDEX, OCEAN, ScorePile, SpeciesBoard, Zone
from rules.oceans.steps import (
    AfterAging,
    Aging,
    AnyStep,
    BeginAging,
    Checkpoint,
    Choosing,
    Drawing,
    Option,
    PreparingAging,
    Reason,
)

_WARM_EXTRA: Final = 3
_CTHULHU: Final = 2


def begin_aging(draft: Draft, step: BeginAging) -> None:
    """Gains before Aging, then the questions."""
    due = moment(draft, When.BEFORE_AGING)
    steps: list[AnyStep] = [PreparingAging()]
    if gain_all(draft, due):
        steps.insert(0, Checkpoint())
    draft.push(*steps)


def preparing_aging(draft: Draft, step: PreparingAging) -> None:
    """Ask for each species whose owner decides how much it ages, then for the one that ages twice."""
    asked: list[AnyStep] = []
    for species in draft.rows[draft.current_player]:
        amounts = choices(draft, species)
        if len(amounts) > 1:
            asked.append(Choosing(Reason.AGE, amounts, TraitCause(_asking_card(species)), species.key))
    twice = ""
    row = draft.rows[draft.current_player]
    if in_force(draft, Effect.SECOND_AGING) and row:
        if len(row) > 1:
            cause = active_cause(draft, Effect.SECOND_AGING)
            asked.append(Choosing(Reason.VIRUS, tuple(SpeciesBoard(each.key) for each in row), cause))
        else:
            twice = row[0].key
    draft.push(*asked, Aging(twice), AfterAging())


def _asking_card(species: Species) -> Card:
    return next(
        card
        for card, trait in zip(species.traits, profile(species.traits).traits, strict=True)
        if Mark.MAY_AGE_NOTHING in trait.marks or Quirk.WARM_BLOODED in trait.quirks
    )


def choices(position: PositionLike, species: Species) -> tuple[int, ...]:
    """How much a species may age by its owner's choice, the plain amount among it.

    More than the plain amount only as far as it has population: nobody need kill it by choice.
    """
    plain = aging(position, species)
    if never_ages(species) or quirky(species, Quirk.GIGANTIC_BRAIN):
        return (plain,)
    found = {plain}
    if marked(species, Mark.MAY_AGE_NOTHING):
        found.add(0)
    if quirky(species, Quirk.WARM_BLOODED):
        found |= {plain + extra for extra in range(1, _WARM_EXTRA + 1) if plain + extra <= species.population}
    return tuple(sorted(found))


def _aging_species(draft: Draft) -> Iterator[Species]:
    """Everybody who ages now: the active player's, and others by Scenario card or standing answer."""
    seats = [
        Seat((draft.current_player + offset) % draft.seats)
        for offset in range(draft.seats)
        if not draft.resigned[(draft.current_player + offset) % draft.seats]
    ]
    everybody = in_force(draft, Effect.COMMON_AGING)
    right = seats[-1] if in_force(draft, Effect.SHARED_AGING) else None
    for species in list(clockwise(draft, draft.current_player)):
        owner = owner_of(species.key)
        if owner == draft.current_player or everybody or owner == right or _ages_fast(draft, species):
            yield species


def _ages_fast(draft: Draft, species: Species) -> bool:
    """Whether Fast Metabolism ages in another's turn: its owner said so, and it would not die of it."""
    if not draft.orders[owner_of(species.key)].fast_aging or not quirky(species, Quirk.FAST_METABOLISM):
        return False
    leeched = _CTHULHU if quirky(species, Quirk.CTHULHU) else 0
    return species.population >= aging(draft, species) + leeched


def age_all(draft: Draft, step: Aging) -> None:
    """All at once: the amounts are fixed first, then paid; who cannot pay in full dies out."""
    chosen = dict(draft.ages)
    due = [
        (species.key, chosen.get(species.key, aging(draft, species)))
        for species in _aging_species(draft)
        if not never_ages(species)
    ]
    if step.twice:
        due += [(key, count) for key, count in due if key == step.twice]
    dying: list[str] = []
    for key, count in due:
        species = draft.find(key)
        if species is None or key in dying:
            continue
        scorer = draft.cthulhu
        if scorer is not None and not draft.resigned[scorer] and quirky(species, Quirk.CTHULHU):
            leech = TraitCause(card_with(species, Quirk.CTHULHU))
            draft.move(SpeciesBoard(key), ScorePile(scorer), _CTHULHU, leech)
        paid = draft.move(SpeciesBoard(key), ScorePile(owner_of(key)), count, Rule.AGING)
        if paid < count and not marked(species, Mark.NEVER_EXTINCT):
            dying.append(key)
    die_out(draft, dying)


def after_aging(draft: Draft, step: AfterAging) -> None:
    """Scenario cards that follow: Solar Radiation, Coral Bleaching.  Then the next phase."""
    if in_force(draft, Effect.RADIATION):
        cause = active_cause(draft, Effect.RADIATION)
        for species in list(draft.rows[draft.current_player]):
            if not deep_traits(species):
                draft.move(SpeciesBoard(species.key), Zone.REEF, amount(draft, Effect.RADIATION), cause)
    steps: list[AnyStep] = [Checkpoint(), Drawing()]
    if in_force(draft, Effect.BLEACHING) and draft.water[INDEX[Zone.REEF]]:
        steps.insert(0, Choosing(Reason.BLEACHING, OCEAN, active_cause(draft, Effect.BLEACHING)))
    draft.push(*steps)


def _bleach(draft: Draft, step: Choosing, option: Option) -> None:
    """Coral Bleaching: population leaves the Reef for the zone chosen."""
    assert isinstance(option, Zone)
    draft.move(Zone.REEF, option, amount(draft, Effect.BLEACHING), step.cause)


def _age(draft: Draft, step: Choosing, option: Option) -> None:
    assert isinstance(option, int)
    draft.ages = (*draft.ages, (step.species, option))


def _age_twice(draft: Draft, step: Choosing, option: Option) -> None:
    assert isinstance(option, SpeciesBoard)
    draft.agenda[-1] = Aging(option.species)


PHASE: Final = Phase(
    answer={Reason.BLEACHING: _bleach, Reason.AGE: _age, Reason.VIRUS: _age_twice},
    run={
        BeginAging: begin_aging,
        PreparingAging: preparing_aging,
        Aging: age_all,
        AfterAging: after_aging,
    },
)
