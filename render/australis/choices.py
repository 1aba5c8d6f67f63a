"""What can be chosen in Australis: marks on the board, and when another picture helps."""

from collections import Counter
from typing import Final

from render.australis import layout
from render.australis.layout import DIE_HEIGHT, DIE_SIZE, card_corner, die_spot, rank_box, reef_box
from render.choice_marks import differing_or_partial_values, differing_values, draw_choice_mark
from render.scene import Group
from rules.australis.actions import ActivateCard, ChooseTile
from rules.australis.components import FACE_FACTS, Colour, TileColour
from rules.australis.model import AustralisView, Position
from rules.australis.scoring import reef_ranking
from rules.model import Action

_CARD_INSET: Final = 5
_DIE_INSET: Final = 3
"""How far marks move inwards, because there is little room between cards and between dice."""


def draw_choice_marks(position: Position, choices: tuple[Action, ...]) -> tuple[Group, ...]:
    """Draw frames round dice, cards, reefs and tiles between which the choices decide."""
    return (
        *_mark_dice(position, frozenset(differing_values(choices, "die"))),
        *_mark_cards(position, choices),
        *_mark_reefs(position, choices),
        *_mark_tiles(choices),
    )


def _mark_dice(position: Position, dice: frozenset[object]) -> list[Group]:
    counts: Counter[Colour] = Counter()
    marks: list[Group] = []
    for die in position.dice:
        colour = FACE_FACTS[die].colour
        x, y = die_spot(colour, counts[colour])
        counts[colour] += 1
        if die in dice:
            left, top = x - DIE_SIZE // 2 + _DIE_INSET, y - DIE_SIZE // 2 + _DIE_INSET
            width, height = DIE_SIZE - 2 * _DIE_INSET, DIE_HEIGHT - 2 * _DIE_INSET
            marks.append(draw_choice_mark(left, top, width, height, 8))
    return marks


def _mark_cards(position: Position, choices: tuple[Action, ...]) -> list[Group]:
    cards = frozenset(
        differing_values((choice for choice in choices if not isinstance(choice, ActivateCard)), "card")
    )
    corners = [card_corner(index) for index, card in enumerate(position.display) if card in cards]
    width, height = layout.CARD_WIDTH - 2 * _CARD_INSET, layout.CARD_HEIGHT - 2 * _CARD_INSET
    return [draw_choice_mark(x + _CARD_INSET, y + _CARD_INSET, width, height, 9) for x, y in corners]


def _mark_reefs(position: Position, choices: tuple[Action, ...]) -> list[Group]:
    """Mark the seat's corals that could move; if none is to be chosen, the reefs where a coral could go."""
    seat = position.to_act
    marks: list[Group] = []
    for start in differing_or_partial_values(choices, "start"):
        reef = int(str(start))
        owners = reef_ranking(position.boards, reef)
        if seat in owners:
            marks.append(draw_choice_mark(*rank_box(reef, owners.index(seat)), 8))
    if marks:
        return marks
    ends = dict.fromkeys((*differing_values(choices, "reef"), *differing_values(choices, "end")))
    for end in ends:
        left, top, width, height = reef_box(int(str(end)))
        marks.append(draw_choice_mark(left + 8, top + 8, width - 16, height - 16, 18))
    return marks


def _mark_tiles(choices: tuple[Action, ...]) -> list[Group]:
    tiles = differing_values(choices, "tile")
    return [
        draw_choice_mark(*layout.tile_corner(index), layout.TILE_WIDTH, layout.TILE_HEIGHT, 10)
        for index, colour in enumerate((TileColour.GOLD, TileColour.SILVER))
        if colour in tiles
    ]


def own_board_helps_to_choose(view: AustralisView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices decide between kept cards, which the viewer's own board shows."""
    return any(isinstance(choice, ActivateCard) for choice in choices)


def competition_picture_helps_to_choose(view: AustralisView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices decide between the tiles of a competition."""
    return any(isinstance(choice, ChooseTile) for choice in choices)
