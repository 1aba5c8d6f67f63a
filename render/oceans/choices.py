"""What can be chosen in Oceans: marks on the board, and which cards in the hand."""

from render.choice_marks import differing_values, draw_choice_mark
from render.oceans.last_move import species_cells
from render.oceans.layout import CELL_HEIGHT, CELL_WIDTH, RowCells
from render.oceans.water import number_spot, pool_box
from render.scene import Group
from rules.game import Action
from rules.oceans.cards.decks import Card
from rules.oceans.model import OceansView, Position
from rules.oceans.places import ZONES

_NUMBER_BOX = (74, 48)
"""Width and height of the mark round a zone's number."""


def draw_choices(position: Position, row_cells: RowCells, choices: tuple[Action, ...]) -> tuple[Group, ...]:
    """Draw frames round the species, zones and piles between which the choices decide."""
    layout, cells = row_cells.layout, species_cells(position, row_cells)
    fields = ("target", "other") if differing_values(choices, "target") else ("species", "other")
    keys = dict.fromkeys(str(key) for field in fields for key in differing_values(choices, field))
    layers = [
        draw_choice_mark(*layout.spot(cells[key]), CELL_WIDTH, CELL_HEIGHT, 12)
        for key in keys
        if key in cells
    ]
    zones = [zone.value for zone in ZONES]
    named = (
        getattr(value, "value", value)
        for field in ("zone", "source", "pay")
        for value in differing_values(choices, field)
    )
    for zone in dict.fromkeys(name for name in named if name in zones):
        x, y = number_spot(layout, zones.index(zone))
        width, height = _NUMBER_BOX
        layers.append(draw_choice_mark(x - 6, y - height // 2, width, height, 10))
    if not position.options.reef:
        layers += (
            draw_choice_mark(*pool_box(layout, pile - 1), 12)  # actions count piles from 1
            for pile in differing_values(choices, "pile")
            if isinstance(pile, int)
        )
    return tuple(layers)


def choosable_cards(view: OceansView, choices: tuple[Action, ...]) -> frozenset[Card]:
    """Return the cards of the viewer that some choice plays, keeps or discards."""
    named = {getattr(choice, "card", None) for choice in choices}
    return frozenset(card for card in (*view.looking, *view.hand) if card in named)


def helps_to_choose_card(view: OceansView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices decide between cards that only the viewer sees."""
    return len(choosable_cards(view, choices)) > 1
