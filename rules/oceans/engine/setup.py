"""Set-up: the position before the first deal, and the cards laid out face up (rulebook, Set-Up)."""

from rules.model import CHANCE, Seat
from rules.oceans.actions import LayOut
from rules.oceans.cards.decks import NUMBER_BY_CARD, SURFACE_DECK
from rules.oceans.causes import RuleCause
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.events import LaidOut
from rules.oceans.model import (
    QUICK_PILE_POPULATION,
    QUICK_RESERVE_POPULATION,
    RESERVE_POPULATION,
    WATER_POPULATION,
    OceansOptions,
    PastFeedings,
    Position,
    StandingAnswers,
    all_deep_cards,
)
from rules.oceans.places import ZONES, Zone
from rules.oceans.steps import AnyStep, Dealing, LayingOut


def initial_position(seat_count: int, options: OceansOptions) -> Position:
    """Return the position before the first deal, with population in the zones and no cards face up."""
    pile_population = _pile_population(seat_count, options)
    deals = [Dealing(Seat(seat)) for seat in range(seat_count)]
    agenda: tuple[AnyStep, ...] = (LayingOut(), *reversed(deals))
    return Position(
        options=options,
        seat_count=seat_count,
        to_act=CHANCE,
        agenda=agenda,
        current_player=Seat(0),
        first_player=None,
        round=0,
        zone_populations=(pile_population,) * len(ZONES),
        were_zones_filled_at_check=(True, True, True),
        were_zones_emptied=(False, False, False),
        ocean_emptied=False,
        scenarios=(),
        active_scenarios=(),
        cambrian_happened=False,
        reserve=_reserve_population(options),
        end_triggered=False,
        population_from_supply=0,
        rows=((),) * seat_count,
        surface_deck_size=len(SURFACE_DECK),
        deep_deck_size=len(all_deep_cards(options)),
        gene_pool=((), ()),
        discard_pile=(),
        out_of_game=(),
        surface_hand_sizes=(0,) * seat_count,
        deep_hand_sizes=(0,) * seat_count,
        known_cards=((),) * seat_count,
        resigned=(False,) * seat_count,
        standing_answers=(StandingAnswers(),) * seat_count,
        gave_answers_this_turn=False,
        plays_left=0,
        past_feedings=PastFeedings(),
        chosen_aging_amounts=(),
        cthulhu_seat=None,
        last_species_numbers=(0,) * seat_count,
        revealed_score_piles=(),
    )


def lay_out(position: MutablePosition, action: LayOut) -> None:
    """Lay out the face-up cards, migrate the first discard's number twice, and set the first player."""
    position.scenarios = action.scenarios
    position.gene_pool = [(card,) for card in action.gene_pool] or [(), ()]
    position.deep_deck_size -= len(action.gene_pool)
    position.surface_deck_size -= 1
    position.discard_cards((action.discard,))
    number = NUMBER_BY_CARD[action.discard]
    position.add_event(
        LaidOut(action.scenarios, action.gene_pool, action.discard, number, action.first_player)
    )
    position.move_population(Zone.REEF, Zone.THREE, number, RuleCause.MIGRATION)
    position.move_population(Zone.ONE, Zone.THREE, number, RuleCause.MIGRATION)
    position.first_player = position.current_player = action.first_player
    position.round = 1


def _pile_population(seat_count: int, options: OceansOptions) -> int:
    """Return the population with which each zone begins: the Reef and the three Ocean zones."""
    return QUICK_PILE_POPULATION[seat_count] if options.quick else WATER_POPULATION[seat_count] // len(ZONES)


def _reserve_population(options: OceansOptions) -> int:
    return QUICK_RESERVE_POPULATION if options.quick else RESERVE_POPULATION


def game_population(position: Position) -> int:
    """Return all population of the game: the zones at set-up, the reserve, and what the supply has given."""
    return (
        len(ZONES) * _pile_population(position.seat_count, position.options)
        + _reserve_population(position.options)
        + position.population_from_supply
    )
