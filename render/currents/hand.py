"""A hand of Currents as a picture, for its owner only."""

from functools import lru_cache
from typing import Final, NamedTuple

from render import parts
from render.choice_marks import draw_choice_mark
from render.currents.choices import choosable_cards
from render.currents.indicators import draw_defence_box, draw_pushes, pushes_by_angle
from render.currents.layout import LAYOUTS, Layout
from render.currents.palette import PALETTE
from render.picture import PictureContext
from render.scene import Anchor, Box, Group, Item, Layer, Line, Scene, Text, Typeface, make_group
from render.symbols import draw_arrow, draw_arrow_fan, draw_joker, draw_suit
from render.text_fit import fit_text_and_width, wrap_text
from render.theme import (
    BODY_SIZE,
    CARD,
    EMPHASIS_LINE_WIDTH,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INK,
    MARGIN,
    NORMAL_LINE_WIDTH,
    PANEL,
    PAPER,
    PICTURE_WIDTH,
    RED,
    SECONDARY_INK,
    SHADOW,
    SMALL_PICTURE_HEIGHT,
    WATER,
    WHITE,
)
from rules.currents.board import GEOMETRIES
from rules.currents.components import JOKERS, RANKS, SUIT_BY_CARD, Card
from rules.currents.drift import compute_drift, defending_suits, directions_of, goals_of
from rules.currents.model import CurrentsView, Phase, Position, WildJokers
from rules.model import Seat

_ACTION_TEXTS: Final = {
    "J": "Jack: takes a card off the compass",
    "Q": "Queen: swaps two current slots",
    "K": "King: turns the whole compass",
}
_JOKER_TEXTS: Final = {
    WildJokers.COMPASS: "Shuffles the compass",
    WildJokers.CURRENTS: "Shuffles the currents",
    WildJokers.TOGETHER: "Shuffles compass and currents",
}
_OWN_SUIT_TEXT: Final = "its suit"
"""Shown for a card that can replace no card of another suit; one of its own suit it always can."""
_CARD_TOP: Final = 112
_CARD_HEIGHT: Final = 556
_MAX_NARROW_WIDTH: Final = 250
"""Up to which width a card has shorter texts."""
_FOOTER_TOP: Final = 692
_GOAL_LEFT: Final = 834
_DEFENDED_LEFT: Final = 1004


def draw_hand(view: CurrentsView, context: PictureContext) -> Scene:
    """Draw the viewer's own cards with what each can do, and the compass."""
    position, viewer, caption = view.position, view.viewer, context.caption
    audience = "For everyone" if viewer is None else f"Only for {caption.seat_name(viewer)}"
    return Scene(
        PICTURE_WIDTH,
        SMALL_PICTURE_HEIGHT,
        PAPER,
        parts.join_layers(
            parts.draw_title_bar(
                PICTURE_WIDTH, "Your hand", caption.note_with_game("Currents"), audience, "", viewer
            ),
            _draw_cards(view, choosable_cards(view, context.choices)),
            _draw_footer(position, LAYOUTS[position.options.board], viewer),
        ),
        parts.draw_frame(PICTURE_WIDTH, SMALL_PICTURE_HEIGHT),
        PALETTE,
    )


def _draw_cards(view: CurrentsView, choosable: frozenset[Card]) -> tuple[Layer, ...]:
    """Draw the cards in a row; where only some can be played now, these are marked."""
    cards = view.hand
    if not cards:
        text = Text(
            PICTURE_WIDTH / 2, 390, "No cards in hand", 44, SECONDARY_INK, 800, Typeface.ITALIC, Anchor.MIDDLE
        )
        return (make_group(0, 0, (text,)),)
    gap = 20
    width = min(271, (PICTURE_WIDTH - 2 * MARGIN - gap * (len(cards) - 1)) // len(cards))
    left = (PICTURE_WIDTH - width * len(cards) - gap * (len(cards) - 1)) // 2
    may_replace_equal = view.position.options.easy_usurp
    marks = tuple(
        draw_choice_mark(left + i * (width + gap), _CARD_TOP, width, _CARD_HEIGHT, 20)
        for i, card in enumerate(cards)
        if card in choosable and len(choosable) < len(cards)
    )
    return parts.join_layers(
        marks,
        *(
            _draw_hand_card(left + i * (width + gap), width, card, _card_uses(view, card), may_replace_equal)
            for i, card in enumerate(cards)
        ),
    )


class _CardUses(NamedTuple):
    """What a card can do now."""

    action_text: str
    push_angles: tuple[float, ...] | None
    """The angles of its pushes; None: it is a joker."""
    can_defend: bool | None
    """None: the viewer need not defend now."""


def _card_uses(view: CurrentsView, card: Card) -> _CardUses:
    """Return what a card of the viewer's hand can do now."""
    position = view.position
    can_defend: bool | None = None
    if position.phase is Phase.GOALTEND and position.to_act == view.viewer:
        can_defend = SUIT_BY_CARD.get(card) in defending_suits(position, position.exits[0].edge)
    if card in JOKERS:
        joker_effect = position.options.wild_jokers
        if joker_effect is WildJokers.SPLIT:
            joker_effect = WildJokers.COMPASS if card == JOKERS[0] else WildJokers.CURRENTS
        return _CardUses(_JOKER_TEXTS[joker_effect], None, can_defend)
    layout = LAYOUTS[position.options.board]
    directions = directions_of(SUIT_BY_CARD[card], layout.geometry.places, position.compass)
    return _CardUses(
        _ACTION_TEXTS.get(card[:-1], ""),
        tuple(layout.angles[direction] for direction in directions),
        can_defend,
    )


def _replaceable_rank_texts(card: Card, *, may_replace_equal: bool) -> tuple[str, str]:
    """Return as texts what a card may replace as a current and on the compass: the ranks, of any suit."""
    rank_index = RANKS.index(card[:-1])
    weaker, stronger = RANKS[: rank_index + may_replace_equal], RANKS[rank_index + 1 - may_replace_equal :]

    def ranks_text(ranks: tuple[str, ...]) -> str:
        if not ranks:
            return _OWN_SUIT_TEXT
        return ranks[0] if len(ranks) == 1 else f"{ranks[0]}\u2013{ranks[-1]}"

    return ranks_text(weaker), ranks_text(stronger)


@lru_cache(maxsize=512)
def _draw_hand_card(
    x: int,
    width: int,
    card: Card,
    uses: _CardUses,
    may_replace_equal: bool,  # noqa: FBT001 - an lru_cache key
) -> tuple[Group, ...]:
    action_text, push_angles, can_defend = uses
    middle_x, is_wide = width // 2, width > _MAX_NARROW_WIDTH
    inset, row_size = (16, 30) if is_wide else (22, 27)
    inner_width = width - 2 * inset
    fill, line_colour, line_width = (
        (PANEL, HAIRLINE_COLOUR, HAIRLINE_WIDTH)
        if can_defend is False
        else (CARD, INK, EMPHASIS_LINE_WIDTH if can_defend else NORMAL_LINE_WIDTH)
    )
    background = (
        Box(4, 7, width, _CARD_HEIGHT, 20, SHADOW),
        Box(0, 0, width, _CARD_HEIGHT, 20, fill, line_colour, line_width),
    )
    layers = [make_group(x, _CARD_TOP, background), *_draw_rank_and_suit(x + middle_x, card, inner_width)]
    row_y = _CARD_TOP + 334
    if push_angles is not None:
        layers.append(_draw_divider(x + inset, _CARD_TOP + 304, inner_width))
        push_text = "" if push_angles else "nowhere"
        layers += _draw_row(x + inset, row_y, inner_width, "pushes", push_text, row_size)
        if push_angles:
            layers.append(
                make_group(x + width - inset - 22, row_y, draw_arrow_fan(0, 0, push_angles, INK, 4.5))
            )
        rank_texts = _replaceable_rank_texts(card, may_replace_equal=may_replace_equal)
        for label, text in zip(("current", "compass"), rank_texts, strict=True):
            row_y += 42
            value = f"over {text}" if is_wide else text
            layers += _draw_row(x + inset, row_y, inner_width, label, value, row_size)
    if can_defend:
        defence_text = Text(
            middle_x - 18, 27, "can defend", 30, WHITE, inner_width - 20, Typeface.BOLD, Anchor.MIDDLE
        )
        layers.append(
            make_group(
                x + 18, _CARD_TOP + _CARD_HEIGHT - 76, (Box(0, 0, width - 36, 54, 27, INK), defence_text)
            )
        )
    elif action_text:
        size = 30 if is_wide else 26
        lines = wrap_text(action_text, size, inner_width)
        row_y = _CARD_TOP + 342
        if push_angles is not None:
            layers.append(_draw_divider(x + inset, _CARD_TOP + 448, inner_width))
            row_y = _CARD_TOP + 503 - round((len(lines) - 1) * size * 0.6)
        layers += (
            make_group(
                x + inset,
                row_y + round(i * size * 1.2),
                (fit_text_and_width(Text(0, 0, line, size, INK, inner_width)),),
            )
            for i, line in enumerate(lines)
        )
    return tuple(layers)


def _draw_rank_and_suit(x: int, card: Card, max_width: int) -> list[Group]:
    """Draw rank and suit large, centred on ``x``."""
    if card in JOKERS:
        colour = RED if card == JOKERS[0] else INK
        title = Text(0, 0, "Joker", 48, colour, max_width, Typeface.BOLD, Anchor.MIDDLE)
        return [
            make_group(x, _CARD_TOP + 140, draw_joker(0, 0, 150, colour)),
            make_group(x, _CARD_TOP + 262, (title,)),
        ]
    colour = RED if SUIT_BY_CARD[card] in "DH" else INK
    rank = Text(0, 0, card[:-1], 138, colour, max_width, Typeface.BOLD, Anchor.MIDDLE)
    return [
        make_group(x, _CARD_TOP + 84, (fit_text_and_width(rank),)),
        make_group(x, _CARD_TOP + 226, draw_suit(SUIT_BY_CARD[card], 0, 0, 116)),
    ]


def _draw_divider(x: int, y: int, width: int) -> Group:
    return make_group(x, y, (Line((0, 0, width, 0), HAIRLINE_COLOUR, 2),))


def _draw_row(x: int, y: int, width: int, label: str, value: str, size: int) -> list[Group]:
    """Draw a label at the left and its value at the right."""
    label_item = fit_text_and_width(Text(0, 0, label, size, SECONDARY_INK, 140))
    layers = [make_group(x, y, (label_item,))]
    if value:
        max_width = width - label_item.max_width - 7
        item = fit_text_and_width(Text(0, 0, value, size, INK, max_width, anchor=Anchor.RIGHT))
        layers.append(make_group(x + width, y, (item,)))
    return layers


def _draw_footer(position: Position, layout: Layout, viewer: Seat | None) -> tuple[Group, ...]:
    layers = [make_group(MARGIN, _FOOTER_TOP, (Box(0, 0, PICTURE_WIDTH - 2 * MARGIN, 180, 14, WATER),))]
    layers.append(
        make_group(MARGIN + 24, _FOOTER_TOP + 32, (Text(0, 0, "Compass", 32, INK, 160, Typeface.ITALIC),))
    )
    for i, (name, card) in enumerate(zip(layout.geometry.places, position.compass, strict=True)):
        name_x = MARGIN + 24 + 122 * i
        layers.append(
            make_group(name_x, _FOOTER_TOP + 116, (Text(0, 0, name, BODY_SIZE, INK, 34, Typeface.BOLD),))
        )
        x, y = name_x + 32, _FOOTER_TOP + 66
        layers += (
            (parts.draw_empty_card_place(x, y, muted=False),) if card is None else parts.draw_card(card, x, y)
        )
    pushes = () if position.phase is Phase.OVER else pushes_by_angle(layout, compute_drift(position))
    layers.append(
        make_group(568, _FOOTER_TOP + 32, (Text(0, 0, "Pushes now", 32, INK, 170, Typeface.ITALIC),))
    )
    layers += draw_pushes(568 + 122, _FOOTER_TOP + 110, pushes, 1.2)
    if viewer is None:
        return tuple(layers)
    if position.phase is Phase.GOALTEND and position.to_act == viewer:
        first_exit = position.exits[0]
        return (
            *layers,
            draw_defence_box(
                912, _FOOTER_TOP + 34, first_exit.overshoot, defending_suits(position, first_exit.edge)
            ),
        )
    goals = tuple((goal, layout.angles[goal]) for goal in goals_of(position, viewer))
    layers.append(_draw_goals(_GOAL_LEFT, _FOOTER_TOP, goals, is_over=position.phase is Phase.OVER))
    edge = _defended_edge(position, viewer)
    if edge is not None:
        layers.append(_draw_defended_edge(_DEFENDED_LEFT, _FOOTER_TOP, edge, defending_suits(position, edge)))
    return tuple(layers)


@lru_cache(maxsize=32)
def _draw_goals(x: int, y: int, goals: tuple[tuple[str, float], ...], *, is_over: bool) -> Group:
    title = "Your goals" if len(goals) > 1 else "Your goal"
    items: list[Item] = [Text(0, 32, title, 32, INK, 160, Typeface.ITALIC)]
    for i, (name, angle) in enumerate(goals):
        items += draw_arrow(24 + 100 * i, 110, angle, 44, INK, 5)
        items.append(Text(54 + 100 * i, 110, name, 44, INK, 50, Typeface.BOLD))
    if not goals:
        items.append(
            Text(0, 110, "not chosen" if is_over else "not chosen yet", BODY_SIZE, SECONDARY_INK, 220)
        )
    return make_group(x, y, tuple(items))


def _defended_edge(position: Position, viewer: Seat) -> str | None:
    """Return the edge that the viewer defends; None with two players, as each defends two edges."""
    if position.seat_count == 2:
        return None
    return GEOMETRIES[position.options.board].seat_edge(position.seat_count, viewer)


@lru_cache(maxsize=64)
def _draw_defended_edge(x: int, y: int, edge: str, suits: tuple[str, ...]) -> Group:
    """Draw which suits stop the pawn at an edge now."""
    items: list[Item] = [
        Text(0, 32, "You defend", 32, INK, 160, Typeface.ITALIC),
        Text(0, 110, edge, 44, INK, 44, Typeface.BOLD),
    ]
    for i, suit in enumerate(suits):
        items += draw_suit(suit, 68 + 50 * i, 110, 42)
    if not suits:
        items.append(Text(48, 110, "no suit", BODY_SIZE, SECONDARY_INK, 110))
    return make_group(x, y, tuple(items))
