"""What can be chosen in Currents: marks on the board, and which cards in the hand."""

from render.choice_marks import differing_or_partial_values, differing_values, draw_choice_mark
from render.currents.layout import Layout
from render.parts import CARD_HEIGHT, CARD_MARK_RADIUS, CARD_WIDTH
from render.scene import Group
from rules.currents.actions import Defend
from rules.currents.components import Card
from rules.currents.model import CurrentsView
from rules.model import Action


def draw_choice_marks(layout: Layout, choices: tuple[Action, ...]) -> tuple[Group, ...]:
    """Draw frames round the slots and compass places between which the choices decide."""
    geometry = layout.geometry
    place_indexes = [
        geometry.place_index[str(name)] for name in differing_or_partial_values(choices, "place")
    ]
    names = dict.fromkeys(
        (*differing_or_partial_values(choices, "slot"), *differing_values(choices, "other"))
    )
    boxes = [layout.slots[geometry.slot_index[str(name)]] for name in names]
    return (
        *(
            draw_choice_mark(*layout.places[index].card_corner, CARD_WIDTH, CARD_HEIGHT, CARD_MARK_RADIUS)
            for index in place_indexes
        ),
        # Inside the slot's outline: there is no room between slots.
        *(draw_choice_mark(box.x + 6, box.y + 6, box.width - 12, box.height - 12, 7) for box in boxes),
    )


def choosable_cards(view: CurrentsView, choices: tuple[Action, ...]) -> frozenset[Card]:
    """Return the cards in the viewer's hand that some choice plays, or that may follow the chosen card."""
    cards: set[object] = set(_second_cards(choices))
    if not cards:
        for choice in choices:
            cards.update(choice.cards if isinstance(choice, Defend) else [getattr(choice, "card", None)])
    return frozenset(card for card in view.hand if card in cards)


def _second_cards(choices: tuple[Action, ...]) -> tuple[object, ...]:
    """Return the second cards between which the choices decide; none before the first card has its place."""
    if any(differing_values(choices, field) for field in ("card", "slot", "place")):
        return ()
    return differing_values(choices, "then")


def hand_helps_to_choose(view: CurrentsView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices decide between cards in the hand."""
    return len(choosable_cards(view, choices)) > 1 or bool(_second_cards(choices))
