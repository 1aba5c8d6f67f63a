"""Extinction of species."""

from collections.abc import Sequence

from msgspec.structs import replace

from rules.oceans.cards.scenarios import Effect
from rules.oceans.causes import RuleCause
from rules.oceans.engine.gains import apply_gains, scenario_gains
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.ring import owner_of, species_clockwise
from rules.oceans.engine.values import is_effect_active
from rules.oceans.events import Extinct
from rules.oceans.places import SpeciesBoard, Zone


def let_species_die_out(position: MutablePosition, keys: Sequence[str]) -> None:
    """Remove species and move their population to the Reef; then apply what others gain (Schadenfreude)."""
    for key in keys:
        species = position.find_species(key)
        if species is None:
            continue
        position.move_population(SpeciesBoard(key), Zone.REEF, species.population, RuleCause.EXTINCTION)
        position.add_event(Extinct(key, species.traits))
        position.remove_species(replace(species, population=0))
    if is_effect_active(position, Effect.SCHADENFREUDE):
        for key in keys:
            others = [
                each.key
                for each in species_clockwise(position, position.current_player)
                if owner_of(each.key) != owner_of(key)
            ]
            apply_gains(position, scenario_gains(position, Effect.SCHADENFREUDE, others))
