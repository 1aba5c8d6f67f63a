"""What can be chosen in Oceans: marks on the board, which cards in the hand, when which picture helps."""

from render import parts
from render.choice_marks import differing_values, draw_choice_mark
from render.oceans.last_move import species_cells
from render.oceans.layout import CELL_HEIGHT, CELL_WIDTH, RowCells
from render.oceans.water import number_spot, pool_box
from render.scene import Group
from rules.game import SEAT_LETTERS, Action
from rules.oceans.actions import Done, DropTrait, Evolve, Exchange
from rules.oceans.cards.decks import Card
from rules.oceans.engine.ring import owner_of
from rules.oceans.model import OceansView, Position
from rules.oceans.places import ZONES

_NUMBER_BOX = (74, 48)
"""Width and height of the mark round a zone's number."""


def draw_choices(position: Position, row_cells: RowCells, choices: tuple[Action, ...]) -> tuple[Group, ...]:
    """Draw frames round the species, zones, piles and seats between which the choices decide."""
    layout, cells = row_cells.layout, species_cells(position, row_cells)
    first = "target" if differing_values(choices, "target") else "species"
    fields = (first, "other", "option")
    keys = dict.fromkeys(str(key) for field in fields for key in differing_values(choices, field))
    layers = [
        draw_choice_mark(*layout.spot(cells[key]), CELL_WIDTH, CELL_HEIGHT, 12)
        for key in keys
        if key in cells
    ]
    zones = [zone.value for zone in ZONES]
    named = (
        getattr(value, "value", value)
        for field in ("zone", "source", "pay", "option")
        for value in differing_values(choices, field)
    )
    for zone in dict.fromkeys(name for name in named if name in zones):
        x, y = number_spot(layout, zones.index(zone))
        width, height = _NUMBER_BOX
        layers.append(draw_choice_mark(x - 6, y - height // 2, width, height, 10))
    boxes = dict(zip(SEAT_LETTERS, parts.panel_boxes(position.seats), strict=False))
    layers += (draw_choice_mark(*boxes[key], 14) for key in keys if key in boxes)
    if not position.options.reef:
        layers += (
            draw_choice_mark(*pool_box(layout, pile - 1), 12)  # actions count piles from 1
            for pile in differing_values(choices, "pile")
            if isinstance(pile, int)
        )
    return tuple(layers)


def choosable_cards(view: OceansView, choices: tuple[Action, ...]) -> frozenset[Card]:
    """Return the cards of the viewer that some choice plays, keeps, discards or puts in a trait's place."""
    named = {getattr(choice, "card", None) for choice in choices}
    if not differing_values(choices, "card"):
        named |= {getattr(choice, "replacement", None) for choice in choices}
    return frozenset(card for card in (*view.looking, *view.hand) if card in named)


def helps_to_choose_card(view: OceansView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices decide between cards that only the viewer sees."""
    return len(choosable_cards(view, choices)) > 1


def helps_to_choose_own(view: OceansView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices decide between the viewer's own species, or between traits of these."""
    asked = tuple(choice for choice in choices if not isinstance(choice, Done))
    if not (differing_values(asked, "species") or differing_values(asked, "card")):
        return False
    return all(
        isinstance(choice, Evolve | DropTrait | Exchange) and owner_of(choice.species) == view.viewer
        for choice in asked
    )
