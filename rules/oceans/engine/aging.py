"""Phase 3: species age into their owners' score piles, or die out (rulebook, Phase 3)."""

from collections.abc import Iterator
from typing import Final

from rules.model import Seat
from rules.oceans.cards.decks import Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Quirk, TraitFlag, Trigger
from rules.oceans.causes import RuleCause, TraitCause
from rules.oceans.engine.extinction import let_species_die_out
from rules.oceans.engine.gains import apply_gains, gains_outside_feeding
from rules.oceans.engine.handlers import Handlers
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.ring import owner_of, species_clockwise, turn_order
from rules.oceans.engine.values import (
    aging_value,
    card_with_quirk,
    count_deep_traits,
    effect_amount,
    has_flag,
    has_quirk,
    is_effect_active,
    never_ages,
    scenario_cause,
    trait_profile,
)
from rules.oceans.model import Position, Species
from rules.oceans.places import OCEAN_ZONES, ZONE_INDEX, ScorePile, SpeciesBoard, Zone
from rules.oceans.steps import (
    AfterAging,
    Aging,
    AnyStep,
    AskingBeforeAging,
    BeginningAging,
    BoardCheck,
    ChoiceKind,
    ChoiceOption,
    Choosing,
    Drawing,
)

_MAX_WARM_BLOODED_EXTRA: Final = 3
_CTHULHU_LEECH_AMOUNT: Final = 2


def _run_beginning_aging(position: MutablePosition, step: BeginningAging) -> None:
    """Apply the gains before the Aging phase, check the board, and put the phase's questions on the agenda.

    What the check brings counts in the phase that follows, the Cambrian Explosion too (O26).
    """
    gains = gains_outside_feeding(position, Trigger.BEFORE_AGING)
    steps: list[AnyStep] = [AskingBeforeAging()]
    if apply_gains(position, gains):
        steps.insert(0, BoardCheck())
    position.push_steps(*steps)


def with_gains_before_aging(position: Position) -> Position | MutablePosition:
    """Return a position with the gains before its coming Aging; the position itself if they have come."""
    if any(isinstance(step, AskingBeforeAging | Aging) for step in position.agenda):
        return position
    gains = gains_outside_feeding(position, Trigger.BEFORE_AGING)
    if not gains:
        return position
    after = MutablePosition(position)
    apply_gains(after, gains)
    return after


def _run_asking_before_aging(position: MutablePosition, step: AskingBeforeAging) -> None:
    """Put Aging on the agenda, after its questions: how much a species ages, and which one ages twice."""
    questions: list[AnyStep] = []
    for species in position.rows[position.current_player]:
        amounts = possible_aging_amounts(position, species)
        if len(amounts) > 1:
            questions.append(
                Choosing(ChoiceKind.AGE, amounts, TraitCause(_optional_aging_card(species)), species.key)
            )
    key_aging_twice = ""
    row = position.rows[position.current_player]
    if is_effect_active(position, Effect.SECOND_AGING) and row:
        if len(row) > 1:
            cause = scenario_cause(position, Effect.SECOND_AGING)
            questions.append(
                Choosing(ChoiceKind.SECOND_AGING, tuple(SpeciesBoard(each.key) for each in row), cause)
            )
        else:
            key_aging_twice = row[0].key
    position.push_steps(*questions, Aging(key_aging_twice), AfterAging())


def _optional_aging_card(species: Species) -> Card:
    """Return the trait that lets a species' owner choose how much it ages."""
    return next(
        card
        for card, trait in zip(species.traits, trait_profile(species.traits).traits, strict=True)
        if TraitFlag.MAY_AGE_NOTHING in trait.flags or Quirk.WARM_BLOODED in trait.quirks
    )


def possible_aging_amounts(position: Position | MutablePosition, species: Species) -> tuple[int, ...]:
    """Return the amounts that a species may age by its owner's choice, the plain amount included.

    An amount above the plain one is offered only if the species survives it.
    """
    plain = aging_value(position, species)
    if never_ages(species) or has_quirk(species, Quirk.GIGANTIC_BRAIN):
        return (plain,)
    amounts = {plain}
    if has_flag(species, TraitFlag.MAY_AGE_NOTHING):
        amounts.add(0)
    if has_quirk(species, Quirk.WARM_BLOODED):
        amounts |= {
            plain + extra
            for extra in range(1, _MAX_WARM_BLOODED_EXTRA + 1)
            if population_to_survive(position, species, plain + extra) <= species.population
        }
    return tuple(sorted(amounts))


def aging_due(position: Position | MutablePosition, species: Species) -> int:
    """Return how much a species ages in this turn's Aging: what its owner chose, else the plain amount."""
    return dict(position.chosen_aging_amounts).get(species.key, aging_value(position, species))


def population_to_survive(position: Position | MutablePosition, species: Species, amount: int) -> int:
    """Return how much population a species needs to survive aging by an amount.

    Cthulhu Leech takes its share first.  Degenerative Virus makes the only species of its owner age twice;
    whether it strikes one of several is open.
    """
    if not amount:
        return 0
    leeched_amount = 0 if _cthulhu_scorer(position, species) is None else _CTHULHU_LEECH_AMOUNT
    owner = owner_of(species.key)
    ages_twice = (
        owner == position.current_player
        and len(position.rows[owner]) == 1
        and is_effect_active(position, Effect.SECOND_AGING)
    )
    return (leeched_amount + amount) * (2 if ages_twice else 1)


def population_after_aging(
    position: Position | MutablePosition, species: Species, amount: int, times: int
) -> int | None:
    """Return what a species keeps after aging by an amount so many times; None if it dies out."""
    leeched_amount = _CTHULHU_LEECH_AMOUNT if amount and _cthulhu_scorer(position, species) is not None else 0
    kept = species.population - times * (leeched_amount + amount)
    return max(kept, 0) if kept >= 0 or has_flag(species, TraitFlag.NEVER_EXTINCT) else None


def _cthulhu_scorer(position: Position | MutablePosition, species: Species) -> Seat | None:
    """Return the seat that scores by Cthulhu Leech before a species ages; None if there is none."""
    scorer = position.cthulhu_seat
    if scorer is None or position.resigned[scorer] or not has_quirk(species, Quirk.CTHULHU_LEECH):
        return None
    return scorer


def aging_species(position: Position | MutablePosition) -> Iterator[Species]:
    """Yield the species that are due: the active player's, and others by Scenario card or standing answer."""
    all_age = is_effect_active(position, Effect.ALL_SPECIES_AGE)
    right_neighbour = None
    if is_effect_active(position, Effect.RIGHT_NEIGHBOUR_AGES):
        right_neighbour = turn_order(position.current_player, position.resigned)[-1]
    for species in species_clockwise(position, position.current_player):
        owner = owner_of(species.key)
        if (
            owner == position.current_player
            or all_age
            or owner == right_neighbour
            or _ages_on_other_turns(position, species)
        ):
            yield species


def _ages_on_other_turns(position: Position | MutablePosition, species: Species) -> bool:
    """Whether Fast Metabolism lets a species age on another's turn: its owner wants that, and it survives."""
    if not position.standing_answers[owner_of(species.key)].ages_on_other_turns or not has_quirk(
        species, Quirk.FAST_METABOLISM
    ):
        return False
    return species.population >= population_to_survive(position, species, aging_value(position, species))


def _run_aging(position: MutablePosition, step: Aging) -> None:
    """Age the species that are due.

    All amounts are fixed first.  A species that cannot give its amount dies out.
    """
    amounts_due = [
        (species.key, aging_due(position, species))
        for species in aging_species(position)
        if not never_ages(species)
    ]
    if step.key_aging_twice:
        amounts_due += [(key, count) for key, count in amounts_due if key == step.key_aging_twice]
    dying: dict[str, int] = {}
    for key, count in amounts_due:
        species = position.find_species(key)
        if species is None or key in dying:
            continue
        scorer = _cthulhu_scorer(position, species)
        if scorer is not None and count:
            cause = TraitCause(card_with_quirk(species, Quirk.CTHULHU_LEECH))
            position.move_population(SpeciesBoard(key), ScorePile(scorer), _CTHULHU_LEECH_AMOUNT, cause)
        moved = position.move_population(SpeciesBoard(key), ScorePile(owner_of(key)), count, RuleCause.AGING)
        if moved < count and not has_flag(species, TraitFlag.NEVER_EXTINCT):
            dying[key] = count
    let_species_die_out(position, dying)


def _run_after_aging(position: MutablePosition, step: AfterAging) -> None:
    """Run the Scenario cards that follow Aging, and put the drawing phase on the agenda."""
    if is_effect_active(position, Effect.SOLAR_RADIATION):
        cause = scenario_cause(position, Effect.SOLAR_RADIATION)
        for species in list(position.rows[position.current_player]):
            if not count_deep_traits(species):
                position.move_population(
                    SpeciesBoard(species.key),
                    Zone.REEF,
                    effect_amount(position, Effect.SOLAR_RADIATION),
                    cause,
                )
    steps: list[AnyStep] = [BoardCheck(), Drawing()]
    if (
        is_effect_active(position, Effect.CORAL_BLEACHING)
        and position.zone_populations[ZONE_INDEX[Zone.REEF]]
    ):
        steps.insert(
            0, Choosing(ChoiceKind.BLEACHING, OCEAN_ZONES, scenario_cause(position, Effect.CORAL_BLEACHING))
        )
    position.push_steps(*steps)


def _answer_bleaching(position: MutablePosition, step: Choosing, option: ChoiceOption) -> None:
    """Coral Bleaching: move population from the Reef to the chosen zone."""
    assert isinstance(option, Zone)
    position.move_population(Zone.REEF, option, effect_amount(position, Effect.CORAL_BLEACHING), step.cause)


def _answer_age(position: MutablePosition, step: Choosing, option: ChoiceOption) -> None:
    assert isinstance(option, int)
    position.chosen_aging_amounts = (*position.chosen_aging_amounts, (step.species, option))


def _answer_second_aging(position: MutablePosition, step: Choosing, option: ChoiceOption) -> None:
    assert isinstance(option, SpeciesBoard)
    position.agenda[-1] = Aging(option.species)


HANDLERS: Final = Handlers(
    answer={
        ChoiceKind.BLEACHING: _answer_bleaching,
        ChoiceKind.AGE: _answer_age,
        ChoiceKind.SECOND_AGING: _answer_second_aging,
    },
    run={
        BeginningAging: _run_beginning_aging,
        AskingBeforeAging: _run_asking_before_aging,
        Aging: _run_aging,
        AfterAging: _run_after_aging,
    },
)
