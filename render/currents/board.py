"""The board of Currents as a picture."""

from functools import lru_cache
from typing import Final

from render import parts
from render.caption import Caption
from render.currents.change_marks import draw_change_marks
from render.currents.choices import draw_choice_marks
from render.currents.indicators import draw_aces, draw_board_legend, draw_next_drift, draw_status_boxes
from render.currents.layout import (
    CELL_SIZE,
    GOAL_BAND_WIDTH,
    LAYOUTS,
    SQUARE_LEFT,
    SQUARE_TOP,
    Layout,
    SlotBox,
)
from render.currents.palette import GRID_LINE, PALETTE
from render.picture import PictureContext
from render.scene import (
    Anchor,
    Box,
    Group,
    Item,
    Layer,
    Line,
    Polygon,
    Rectangle,
    Scene,
    Text,
    Typeface,
    make_group,
)
from render.symbols import (
    draw_arrow,
    draw_arrow_fan,
    draw_compass_rose,
    draw_pawn,
    draw_riptide,
    draw_rock,
    draw_seat_mark,
)
from render.theme import (
    ACTIVE_LINE_WIDTH,
    BODY_SIZE,
    CONTOUR,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INACTIVE_SIGN,
    INK,
    MIN_BOARD_HEIGHT,
    NORMAL_LINE_WIDTH,
    PANEL,
    PAPER,
    PICTURE_WIDTH,
    SEAT_MARKS,
    SECONDARY_INK,
    SMALL_SIZE,
    WATER,
    WATER_SHADED,
    WHITE,
)
from rules.currents.board import RIPTIDES, ROCKS, SQUARE_SIZE
from rules.currents.components import SUIT_BY_CARD, Card
from rules.currents.drift import compute_drift, directions_of, goal_owner, goals_of
from rules.currents.model import BoardShape, CurrentsView, Obstacles, Phase, Position
from rules.model import Seat

_TURN_SUFFIXES: Final = {
    Phase.AXIS: " picks the goals",
    Phase.ACES: " places an ace",
    Phase.PLAY: " to play",
    Phase.GOALTEND: " to defend",
}
_CHANCE_PILL_TEXTS: Final = {Phase.JOKER_SHUFFLE: "Shuffling", Phase.FIRST_PLAYER: "Who begins?"}


def draw_board(view: CurrentsView, context: PictureContext) -> Scene:
    """Draw the position, with marks for the recent events and for what can be chosen."""
    position, caption = view.position, context.caption
    layout = LAYOUTS[position.options.board]
    next_drift = None if position.phase is Phase.OVER else compute_drift(position)
    shape, owners = position.options.board, tuple(goal_owner(position, edge) for edge in layout.goal_bands)
    halos, marks = draw_change_marks(position, layout, context.recent_events)
    choice_marks = draw_choice_marks(layout, context.choices)
    drift_marks = draw_next_drift(position, layout, next_drift, context.recent_events)
    slot_backgrounds, slot_cards = _draw_slots(position, layout)
    layers = parts.join_layers(
        _draw_title(position, caption),
        _draw_panels(position, layout, caption),
        _draw_threatened_edge(position),
        slot_backgrounds,
        halos,
        slot_cards,
        _draw_owner_marks(position, layout),
        _draw_compass_cards(position, layout),
        _draw_piles(position, layout),
        draw_status_boxes(position, layout, next_drift),
        marks,
        drift_marks,
        _draw_pawn(position, layout),
        choice_marks,
        draw_aces(position, layout),
        draw_board_legend(
            position,
            next_drift,
            with_drift=bool(drift_marks),
            with_changes=bool(halos or marks),
            with_choices=bool(choice_marks),
        ),
    )
    return Scene(
        PICTURE_WIDTH,
        MIN_BOARD_HEIGHT,
        PAPER,
        layers,
        _draw_static_layers(shape, owners, position.options.obstacles),
        PALETTE,
    )


@lru_cache(maxsize=16)
def _draw_static_layers(
    shape: BoardShape, owners: tuple[Seat | None, ...], obstacles: Obstacles
) -> tuple[Layer, ...]:
    """Draw what stays the same once the goals are chosen: frame, water, goal edges, obstacles, compass."""
    edges = LAYOUTS[shape].goal_bands
    return parts.join_layers(
        parts.draw_frame(PICTURE_WIDTH, MIN_BOARD_HEIGHT),
        _draw_triangle_water() if shape is BoardShape.TRIANGLE else _draw_square_water(),
        tuple(
            _draw_goal_band(shape, edge, owner, threatened=False)
            for edge, owner in zip(edges, owners, strict=True)
        ),
        _draw_obstacles(obstacles),
        _draw_compass_background(shape),
    )


def _draw_title(position: Position, caption: Caption) -> tuple[Layer, ...]:
    # Rounds, as on other games' boards: drawing a new title each turn would take a fifth of a board's time.
    round_text = f"round {-(-position.turn // position.seat_count)}"
    note = caption.note_with_number(round_text if position.turn else "set-up")
    pill_text, suffix, seat = _CHANCE_PILL_TEXTS.get(position.phase, "Dealing"), "", None
    if position.phase is Phase.OVER:
        pill_text, suffix, seat = (
            ("A draw", "", None) if position.winner is None else ("", " wins", position.winner)
        )
    elif position.to_act is not None and position.to_act >= 0:
        suffix, seat = _TURN_SUFFIXES.get(position.phase, " to play"), position.to_act
    if caption.pill_text:
        pill_text, suffix, seat = caption.pill_text, "", None
    if seat is not None:
        pill_text = caption.seat_name(seat)
    return parts.draw_title_bar(PICTURE_WIDTH, "Currents", note, pill_text, suffix, seat)


def _draw_panels(position: Position, layout: Layout, caption: Caption) -> tuple[Group, ...]:
    highlighted_seat = position.winner if position.phase is Phase.OVER else position.to_act
    layers: list[Group] = []
    for seat, (x, y, width, height) in enumerate(parts.panel_boxes(position.seat_count)):
        goals = goals_of(position, Seat(seat))
        goal_entries = tuple(
            parts.PanelEntry(draw_arrow(0, 0, layout.angles[goal], 30, INK), 32, goal) for goal in goals
        )
        entries = (parts.hand_size_entry(position.hand_sizes[seat]), *goal_entries)
        layers += parts.draw_panel(
            x, y, width, height, seat, caption.seat_name(seat), entries, highlighted=seat == highlighted_seat
        )
    return tuple(layers)


# Water ----------------------------------------------------------------------------------------------


def _draw_square_water() -> tuple[Layer, ...]:
    size = SQUARE_SIZE * CELL_SIZE
    rectangles: list[Layer] = [
        Rectangle(SQUARE_LEFT - 2, SQUARE_TOP - 2, size + 4, size + 4, INK),
        Rectangle(SQUARE_LEFT, SQUARE_TOP, size, size, WATER),
    ]
    rectangles += (
        Rectangle(SQUARE_LEFT + CELL_SIZE * x, SQUARE_TOP + CELL_SIZE * y, CELL_SIZE, CELL_SIZE, WATER_SHADED)
        for x in range(SQUARE_SIZE)
        for y in range(SQUARE_SIZE)
        if (x + y) % 2
    )
    for k in range(1, SQUARE_SIZE):
        rectangles.append(Rectangle(SQUARE_LEFT + CELL_SIZE * k, SQUARE_TOP, 1, size, GRID_LINE))
        rectangles.append(Rectangle(SQUARE_LEFT, SQUARE_TOP + CELL_SIZE * k, size, 1, GRID_LINE))
    return tuple(rectangles)


def _draw_triangle_water() -> tuple[Layer, ...]:
    layout = LAYOUTS[BoardShape.TRIANGLE]
    items: list[Item] = []
    axis_pairs = [(0, 1), (1, 2), (2, 0)]
    for first, second in axis_pairs:
        for u in range(4):
            for v in range(4):
                corners: list[float] = []
                for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    point = [0, 0, 0]
                    point[first], point[second] = u + du, v + dv
                    corners += layout.spots[tuple(point)]
                shade = WATER_SHADED if (u + v) % 2 else WATER
                items.append(Polygon(tuple(corners), shade, GRID_LINE, 1.2))
    for side in range(3):
        spoke: list[float] = []
        for value in (0, 4):
            point = [0, 0, 0]
            point[side] = value
            spoke += layout.spots[tuple(point)]
        items.append(Line(tuple(spoke), CONTOUR, 2))
    corners = [*layout.spots[4, 4, 0], *layout.spots[0, 4, 4], *layout.spots[4, 0, 4]]
    items.append(Polygon(tuple(corners), None, INK, 4))
    return (make_group(0, 0, tuple(items)),)


@lru_cache(maxsize=4)
def _draw_obstacles(obstacles: Obstacles) -> tuple[Group, ...]:
    layout = LAYOUTS[BoardShape.SQUARE]
    match obstacles:
        case Obstacles.ROCKS:
            spots = [(layout.spots[point], draw_rock(0, 0, 22)) for point in sorted(ROCKS)]
        case Obstacles.RIPTIDES:
            spots = [
                (layout.spots[point], draw_riptide(0, 0, 18, layout.angles[edge] + 180))
                for point, edge in sorted(RIPTIDES.items())
            ]
        case _:
            spots = []
    return tuple(make_group(round(x), round(y), items) for (x, y), items in spots)


# Edges, slots, compass ------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _draw_goal_band(shape: BoardShape, edge: str, owner: int | None, *, threatened: bool) -> Group:
    band = LAYOUTS[shape].goal_bands[edge]
    fill, line_colour, line_width = (
        (PANEL, HAIRLINE_COLOUR, HAIRLINE_WIDTH)
        if owner is None
        else (SEAT_MARKS[owner].colour, INK, NORMAL_LINE_WIDTH)
    )
    shapes: list[Item] = []
    if threatened:
        shapes += (
            Line(band.middle_line, INK, GOAL_BAND_WIDTH + 18),
            Line(band.middle_line, WHITE, GOAL_BAND_WIDTH + 8),
        )
    shapes += (
        Line(band.middle_line, line_colour, GOAL_BAND_WIDTH),
        Line(band.middle_line, fill, GOAL_BAND_WIDTH - 2 * line_width),
    )
    return make_group(0, 0, tuple(shapes))


def _draw_owner_marks(position: Position, layout: Layout) -> tuple[Group, ...]:
    return tuple(
        _draw_owner_mark(owner, *layout.find_owner_mark(edge, position))
        for edge in layout.goal_bands
        if (owner := goal_owner(position, edge)) is not None
    )


@lru_cache(maxsize=64)
def _draw_owner_mark(owner: Seat, x: float, y: float) -> Group:
    return make_group(round(x), round(y), draw_seat_mark(owner, 0, 0, 24))


def _draw_threatened_edge(position: Position) -> tuple[Group, ...]:
    """Draw the edge that a defender is asked about, and the obstacles again, which lie above its frame."""
    if position.phase is not Phase.GOALTEND or not position.exits:
        return ()
    first_exit = position.exits[0]
    edge = _draw_goal_band(position.options.board, first_exit.edge, first_exit.owner, threatened=True)
    return edge, *_draw_obstacles(position.options.obstacles)


@lru_cache(maxsize=128)
def _draw_slot_background(box: SlotBox, name: str, *, reaches_pawn: bool) -> tuple[Group, ...]:
    colour = INK if reaches_pawn else SECONDARY_INK
    label = Text(0, 0, name, SMALL_SIZE + 2, colour, 50, Typeface.SANS, Anchor.MIDDLE)
    return (
        _draw_slot_box(box.x, box.y, box.width, box.height, reaches_pawn=reaches_pawn),
        make_group(box.x + round(box.name_offset[0]), box.y + round(box.name_offset[1]), (label,)),
    )


@lru_cache(maxsize=512)
def _draw_slot_card(
    box: SlotBox, card: Card | None, push_angles: tuple[float, ...], *, reaches_pawn: bool
) -> tuple[Group, ...]:
    x, y = box.x + box.card_offset[0], box.y + box.card_offset[1]
    if card is None:
        return (parts.draw_empty_card_place(x + 5, y + 5, 64, 88, muted=not reaches_pawn),)
    if not push_angles:
        return parts.draw_card(card, x, y)
    arrow_colour, arrow_width = (INK, 4.5) if reaches_pawn else (INACTIVE_SIGN, 3.5)
    arrows = draw_arrow_fan(0, 0, push_angles, arrow_colour, arrow_width, box.arrow_length)
    arrow = make_group(box.x + round(box.arrow_offset[0]), box.y + round(box.arrow_offset[1]), arrows)
    return *parts.draw_card(card, x, y), arrow


@lru_cache(maxsize=64)
def _draw_slot_box(x: int, y: int, width: int, height: int, *, reaches_pawn: bool) -> Group:
    fill, line_colour, line_width = (
        (WATER, INK, ACTIVE_LINE_WIDTH) if reaches_pawn else (PANEL, HAIRLINE_COLOUR, HAIRLINE_WIDTH)
    )
    return make_group(x, y, (Box(0, 0, width, height, 13, fill, line_colour, line_width),))


def _draw_slots(position: Position, layout: Layout) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """Draw the slots, and separately their contents, since halos lie between slots and contents."""
    geometry = layout.geometry
    reaching_slots = geometry.slot_indexes_at.get(position.pawn, ())
    backgrounds: list[Group] = []
    cards: list[Group] = []
    for i, (name, box, card) in enumerate(zip(geometry.slots, layout.slots, position.currents, strict=True)):
        push_angles: tuple[float, ...] = ()
        if card is not None:
            directions = directions_of(SUIT_BY_CARD[card], geometry.places, position.compass)
            push_angles = tuple(layout.angles[direction] for direction in directions)
        backgrounds += _draw_slot_background(box, name, reaches_pawn=i in reaching_slots)
        cards += _draw_slot_card(box, card, push_angles, reaches_pawn=i in reaching_slots)
    return tuple(backgrounds), tuple(cards)


@lru_cache(maxsize=8)
def _draw_compass_background(shape: BoardShape) -> tuple[Group, ...]:
    layout = LAYOUTS[shape]
    x, y = layout.compass_title_middle
    title = Text(0, 0, "Compass", 32, INK, 200, Typeface.ITALIC, Anchor.MIDDLE)
    labels = [
        make_group(
            round(place.name_middle[0]),
            round(place.name_middle[1]),
            (Text(0, 0, name, BODY_SIZE, INK, 60, Typeface.BOLD, Anchor.MIDDLE),),
        )
        for name, place in zip(layout.geometry.places, layout.places, strict=True)
    ]
    rose = draw_compass_rose(0, 0, 40, tuple(layout.angles.values()))
    return make_group(round(x), round(y), (title,)), *labels, make_group(*layout.rose_middle, rose)


def _draw_compass_cards(position: Position, layout: Layout) -> tuple[Group, ...]:
    layers: list[Group] = []
    for place, card in zip(layout.places, position.compass, strict=True):
        x, y = place.card_corner
        layers += (parts.draw_empty_card_place(x, y),) if card is None else parts.draw_card(card, x, y)
    return tuple(layers)


@lru_cache(maxsize=256)
def _draw_pile_labels(x: int, y: int, title: str, count: int) -> tuple[Group, ...]:
    return (
        make_group(x, y - 27, (Text(0, 0, title, 28, SECONDARY_INK, 120, Typeface.SANS, Anchor.MIDDLE),)),
        make_group(x, y + 130, (Text(0, 0, str(count), 34, INK, 110, Typeface.BOLD, Anchor.MIDDLE),)),
    )


def _draw_piles(position: Position, layout: Layout) -> tuple[Group, ...]:
    (draw_x, draw_y), (discard_x, discard_y) = layout.pile_corners
    top_card = position.discard_pile[-1] if position.discard_pile else None
    return (
        parts.draw_pile(draw_x + 2, draw_y + 2, position.draw_pile_size, parts.CARD_WIDTH, parts.CARD_HEIGHT),
        *_draw_pile_labels(draw_x + 39, draw_y, "Draw", position.draw_pile_size),
        *(
            (parts.draw_empty_card_place(discard_x + 2, discard_y + 2),)
            if top_card is None
            else parts.draw_card(top_card, discard_x + 2, discard_y + 2)
        ),
        *_draw_pile_labels(discard_x + 39, discard_y, "Discard", len(position.discard_pile)),
    )


def _draw_pawn(position: Position, layout: Layout) -> Group:
    x, y = layout.find_pawn(position)
    return _draw_pawn_at(round(x), round(y), layout.pawn_radius)


@lru_cache(maxsize=64)
def _draw_pawn_at(x: int, y: int, radius: int) -> Group:
    return make_group(x, y, draw_pawn(0, 0, radius))
