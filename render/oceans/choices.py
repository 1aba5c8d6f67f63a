"""What can be chosen in Oceans: marks on the board, cards in the hand, and which picture helps."""

from typing import Final

from render import parts
from render.choice_marks import differing_or_partial_values, differing_values, draw_choice_mark
from render.oceans.layout import RowArrangement, species_cells
from render.oceans.species_cell import CELL_RADIUS
from render.oceans.water import gene_pile_box, zone_population_spot, zone_population_text
from render.scene import Group
from rules.model import SEAT_LETTERS, Action
from rules.oceans.actions import (
    Create,
    Discard,
    Done,
    EndFeeding,
    Evolve,
    Exchange,
    RemoveTrait,
    SetAgingOnOtherTurns,
    SetOverflowZone,
    TakeDeep,
)
from rules.oceans.cards.decks import Card
from rules.oceans.engine.ring import owner_of
from rules.oceans.model import OceansView, Position
from rules.oceans.places import ZONES, Zone

_POPULATION_MARK_HEIGHT: Final = 38
"""Height of the mark round a zone's population; it leaves room for the zone's name."""


def draw_choice_marks(
    position: Position, arrangement: RowArrangement, choices: tuple[Action, ...]
) -> tuple[Group, ...]:
    """Draw a frame round each species, zone, pile and seat that the player can pick next.

    While it is open which species feeds, also round those that can be attacked.
    """
    layout, cells = arrangement.layout, species_cells(position, arrangement)
    choices = _choices_asked_about(choices)
    species = differing_values(choices, "species")
    targets = tuple(key for key in differing_or_partial_values(choices, "target") if key in cells)
    options = differing_or_partial_values(choices, "option")
    keys = dict.fromkeys(
        (
            *((*species, *targets) or differing_or_partial_values(choices, "species")),
            *differing_or_partial_values(choices, "other"),
            *options,
        )
    )
    layers = [
        draw_choice_mark(
            *layout.cell_corner(cells[key]),
            layout.cell_width,
            layout.cell_height,
            round(CELL_RADIUS * layout.cell_scale),
        )
        for key in map(str, keys)
        if key in cells
    ]
    zone_codes = [zone.value for zone in ZONES]
    sources = (
        differing_values(choices, "source") if species else differing_or_partial_values(choices, "source")
    )
    place_codes = (
        value.value if isinstance(value, Zone) else value
        for value in (
            *sources,
            *differing_or_partial_values(choices, "zone"),
            *options,
            *differing_values(choices, "pay"),
        )
    )
    for zone_code in dict.fromkeys(code for code in place_codes if code in zone_codes):
        index = zone_codes.index(zone_code)
        x, y = zone_population_spot(layout, index)
        width = round(zone_population_text(position.zone_populations[index]).max_width) + 4
        layers.append(
            draw_choice_mark(x - 2, y - _POPULATION_MARK_HEIGHT // 2, width, _POPULATION_MARK_HEIGHT, 10)
        )
    boxes = dict(zip(SEAT_LETTERS, parts.panel_boxes(position.seat_count), strict=False))
    layers += (draw_choice_mark(*boxes[letter], 14) for letter in map(str, options) if letter in boxes)
    if not position.options.reef:
        layers += (
            draw_choice_mark(*gene_pile_box(layout, pile - 1), 12)  # in actions, piles are numbered from 1
            for pile in differing_values(choices, "pile")
            if isinstance(pile, int)
        )
    return tuple(layers)


def _choices_asked_about(choices: tuple[Action, ...]) -> tuple[Action, ...]:
    """Leave out what stands collapsed behind a button beside other choices: standing answers, removals."""
    asked = tuple(each for each in choices if not isinstance(each, SetOverflowZone | SetAgingOnOtherTurns))
    if all(isinstance(each, RemoveTrait | Done | EndFeeding) for each in asked):
        return asked or choices
    return tuple(each for each in asked if not isinstance(each, RemoveTrait))


def choosable_cards(view: OceansView, choices: tuple[Action, ...]) -> frozenset[Card]:
    """Return the viewer's cards that some choice plays, keeps, discards or puts in a trait's place."""
    cards = {getattr(choice, "card", None) for choice in choices}
    cards |= {card for choice in choices if isinstance(choice, Discard) for card in choice.cards}
    if not differing_values(choices, "card"):
        cards |= {getattr(choice, "replacement", None) for choice in choices}
    return frozenset(card for card in (*view.looked_at, *view.hand) if card in cards)


def hand_helps_to_choose(view: OceansView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices decide between cards that only the viewer sees, or take one to the hand."""
    return len(choosable_cards(view, choices)) > 1 or any(isinstance(each, TakeDeep) for each in choices)


def own_board_helps_to_choose(view: OceansView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices decide between the viewer's own species, their traits, or places beside them."""
    other_choices = tuple(choice for choice in choices if not isinstance(choice, Done))
    if not any(differing_values(other_choices, field) for field in ("species", "card", "place")):
        return False
    return all(
        isinstance(choice, Create)
        or (isinstance(choice, Evolve | RemoveTrait | Exchange) and owner_of(choice.species) == view.viewer)
        for choice in other_choices
    )
