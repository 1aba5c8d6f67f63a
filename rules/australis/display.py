"""Filling the display of cards from the draw pile."""

from rules.australis.components import DISPLAY_SIZE, Card
from rules.australis.events import CardsRevealed, Reshuffled
from rules.australis.model import Phase
from rules.australis.mutable_position import CARD_INDEX, MutablePosition
from rules.model import CHANCE


def fill_display(position: MutablePosition) -> bool:
    """Fill the display as far as cards go; return whether chance must draw some of them.

    Cards that are certain to come do so at once.  An empty draw pile is replaced by the discard pile.
    """
    while missing := DISPLAY_SIZE - len(position.display):
        draw_pile = position.draw_pile
        if not draw_pile:
            if not position.discard_pile:
                break
            position.draw_pile, position.discard_pile = position.discard_pile, []
            position.trail.append(Reshuffled(len(position.draw_pile)))
        elif missing >= len(draw_pile) or draw_pile[0] is draw_pile[-1]:
            _move_to_display(position, tuple(draw_pile[:missing]))
        else:
            position.reveals_left = missing
            position.set_phase(Phase.REVEAL, CHANCE)
            return True
    return False


def add_drawn_cards(position: MutablePosition, cards: tuple[Card, ...]) -> None:
    """Add cards that chance drew to the display."""
    position.reveals_left = 0
    _move_to_display(position, cards)


def _move_to_display(position: MutablePosition, cards: tuple[Card, ...]) -> None:
    for card in cards:
        position.draw_pile.remove(card)
    position.display = sorted((*position.display, *cards), key=CARD_INDEX.__getitem__)
    position.trail.append(CardsRevealed(cards))
