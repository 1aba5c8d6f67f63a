"""Extinction of species."""

from collections.abc import Mapping

from msgspec.structs import replace

from rules.oceans.cards.scenarios import Effect
from rules.oceans.causes import RuleCause
from rules.oceans.engine.gains import apply_gains, scenario_gains
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.ring import owner_of, species_clockwise
from rules.oceans.engine.values import is_effect_active
from rules.oceans.events import Extinct
from rules.oceans.places import SpeciesBoard, Zone


def let_species_die_out(position: MutablePosition, due_by_key: Mapping[str, int]) -> None:
    """Remove species and move their population to the Reef; then apply what others gain (Schadenfreude).

    ``due_by_key``: for each of the species how much it had to age, or 0.
    """
    for key, due in due_by_key.items():
        species = position.find_species(key)
        if species is None:
            continue
        position.move_population(SpeciesBoard(key), Zone.REEF, species.population, RuleCause.EXTINCTION)
        emptied_species = replace(species, population=0)
        place = position.rows[owner_of(key)].index(emptied_species)
        position.add_event(Extinct(key, species.traits, due, place))
        position.remove_species(emptied_species)
    if is_effect_active(position, Effect.SCHADENFREUDE):
        for key in due_by_key:
            others = [
                each.key
                for each in species_clockwise(position, position.current_player)
                if owner_of(each.key) != owner_of(key)
            ]
            apply_gains(position, scenario_gains(position, Effect.SCHADENFREUDE, others))
