"""Set-up: the table before the first deal, and everything that is laid out face up (rulebook, Set-Up)."""

from rules.game import CHANCE, Seat
from rules.oceans.actions import LayOut
from rules.oceans.cards.decks import NUMBER, SURFACE_DECK
from rules.oceans.causes import Rule
from rules.oceans.engine.draft import Draft
from rules.oceans.events import LaidOut
from rules.oceans.model import (
    POPULATION,
    QUICK_PILE,
    QUICK_RESERVE,
    RESERVE,
    Meals,
    OceansOptions,
    Orders,
    Position,
    deep_deck,
)
from rules.oceans.places import Zone
from rules.oceans.steps import AnyStep, Dealing, LayingOut


def opening(seats: int, options: OceansOptions) -> Position:
    """The table before the first deal: population is set out, nothing is face up."""
    pile = _pile(seats, options)
    hands = [Dealing(Seat(seat)) for seat in range(seats)]
    agenda: tuple[AnyStep, ...] = (LayingOut(), *reversed(hands))
    return Position(
        options=options,
        seats=seats,
        to_act=CHANCE,
        agenda=agenda,
        current_player=Seat(0),
        first_player=None,
        round=0,
        water=(pile,) * 4,
        filled=(True, True, True),
        emptied=(False, False, False),
        dry=False,
        scenarios=(),
        active=(),
        cambrian=False,
        reserve=_reserve(options),
        ending=False,
        supplied=0,
        rows=((),) * seats,
        surface_deck=len(SURFACE_DECK),
        deep_deck=len(deep_deck(options)),
        gene_pool=((), ()),
        discard_pile=(),
        out_of_game=(),
        surface_hands=(0,) * seats,
        deep_hands=(0,) * seats,
        known=((),) * seats,
        resigned=(False,) * seats,
        orders=(Orders(),) * seats,
        ordered=False,
        plays=0,
        meals=Meals(),
        ages=(),
        cthulhu=None,
        final_scores=(),
    )


def lay_out(draft: Draft, action: LayOut) -> None:
    """Scenario cards, Gene Pool, first discard with its two migrations, first player (rulebook, Set-Up)."""
    draft.scenarios = action.scenarios
    draft.gene_pool = [(card,) for card in action.gene_pool] or [(), ()]
    draft.deep_deck -= len(action.gene_pool)
    draft.surface_deck -= 1
    draft.discard_cards((action.discard,))
    number = NUMBER[action.discard]
    draft.note(LaidOut(action.scenarios, action.gene_pool, action.discard, number, action.first_player))
    draft.move(Zone.REEF, Zone.THREE, number, Rule.MIGRATION)
    draft.move(Zone.ONE, Zone.THREE, number, Rule.MIGRATION)
    draft.first_player = draft.current_player = action.first_player
    draft.round = 1


def _pile(seats: int, options: OceansOptions) -> int:
    """How much population each of the four zones begins with."""
    return QUICK_PILE[seats] if options.quick else POPULATION[seats] // 4


def _reserve(options: OceansOptions) -> int:
    return QUICK_RESERVE if options.quick else RESERVE


def everything(position: Position) -> int:
    """All population of the game: what was set out, the reserve, what came from the supply."""
    return 4 * _pile(position.seats, position.options) + _reserve(position.options) + position.supplied
