"""What can be chosen in Currents: marks on the board, and which cards in the hand."""

from render.choice_marks import differing_values, draw_choice_mark
from render.currents.layout import Layout
from render.scene import Group
from rules.currents.actions import Defend
from rules.currents.cards import Card
from rules.currents.model import CurrentsView
from rules.game import Action


def draw_choices(layout: Layout, choices: tuple[Action, ...]) -> tuple[Group, ...]:
    """Draw frames round the slots and compass places between which the choices decide."""
    geometry = layout.geometry
    corners = [
        layout.places[geometry.place_index[str(name)]].card for name in differing_values(choices, "place")
    ]
    for name in dict.fromkeys((*differing_values(choices, "slot"), *differing_values(choices, "other"))):
        box = layout.slots[geometry.slot_index[str(name)]]
        corners.append((box.x + box.card[0], box.y + box.card[1]))
    return tuple(draw_choice_mark(x, y, 74, 98, 8) for x, y in corners)


def choosable_cards(view: CurrentsView, choices: tuple[Action, ...]) -> frozenset[Card]:
    """Return the cards in the viewer's hand that some choice plays."""
    named: set[object] = set()
    for choice in choices:
        named.update(choice.cards if isinstance(choice, Defend) else [getattr(choice, "card", None)])
    return frozenset(card for card in view.hand if card in named)


def helps_to_choose_card(view: CurrentsView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices decide between cards in the hand."""
    return len(choosable_cards(view, choices)) > 1
