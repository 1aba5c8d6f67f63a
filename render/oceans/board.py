"""The board of Oceans as a picture."""

from functools import lru_cache
from typing import Final

from render import parts
from render.caption import Caption
from render.choice_marks import CHOICE_LEGEND_ENTRY
from render.glyphs import draw_glyph
from render.legend import CHANGE_LEGEND_ENTRY, LegendEntry, draw_legend
from render.oceans import neighbour_line, species_cell, water
from render.oceans.change_marks import draw_change_marks, draw_halos
from render.oceans.changes import Changes, collect_changes
from render.oceans.choices import draw_choice_marks
from render.oceans.extinction_notes import find_extinction_notes
from render.oceans.layout import BoardLayout, RowArrangement, arrange_rows
from render.oceans.palette import PALETTE
from render.oceans.species_cell import CellContent
from render.oceans.trait_labels import printed_values
from render.oceans.value_signs import (
    ATTACK_LEGEND_ENTRY,
    DEFENCE_LEGEND_ENTRY,
    EYE,
    FISH,
    FORAGE_LEGEND_ENTRY,
    HOURGLASS,
    NEVER_LEGEND_ENTRY,
    PILE,
    SLOT_WITH_PLUS,
    SPECIES_BOARD,
    THREE_SPACES,
)
from render.picture import PictureContext
from render.scene import Anchor, Box, Group, Layer, Scene, Text
from render.symbols import draw_cards_sign
from render.theme import (
    CARD,
    CONTOUR,
    DEEP_BLUE,
    INK,
    LEGEND_SIZE,
    PAPER,
    PICTURE_WIDTH,
    RED,
    SECONDARY_INK,
    WHITE,
)
from rules.model import CHANCE, Result, Seat
from rules.oceans.cards.decks import TRAIT_BY_CARD
from rules.oceans.engine.feeding import can_feed
from rules.oceans.engine.playing import owed_card_count, owes_one_more_card
from rules.oceans.engine.scoring import result, turn_order_bonus
from rules.oceans.engine.turn import position_at_feeding
from rules.oceans.engine.values import (
    attack_value,
    defence_value,
    forage_value,
    may_overpopulate,
    slot_limit,
    space_count,
)
from rules.oceans.model import OceansView, Position, Species
from rules.oceans.steps import (
    Drawing,
    Feeding,
    Keeping,
    Playing,
)
from rules.text import counted

_ROOMY_WIDTH: Final = 300
"""From this width on, panels have room for all entries."""


def draw_board(view: OceansView, context: PictureContext) -> Scene:
    """Draw the position, with marks for the recent events and for what can be chosen."""
    position, caption = view.position, context.caption
    changes = collect_changes(context.recent_events)
    notes = find_extinction_notes(position, context.recent_events, changes.extinct_species)
    arrangement = arrange_rows(
        tuple(len(row) for row in position.rows),
        tuple(tuple(note.place for note in row_notes) for row_notes in notes),
        is_reef_variant=position.options.reef,
    )
    final_result = (
        result(position, position.revealed_score_piles)
        if position.to_act is None and position.revealed_score_piles
        else None
    )
    choice_marks = draw_choice_marks(position, arrangement, context.choices)
    layers = parts.join_layers(
        _draw_title(position, caption, final_result),
        _draw_panels(view, caption, final_result),
        draw_halos(position, arrangement, changes),
        water.draw_contents(position, arrangement.layout),
        _draw_cells(position, arrangement, caption, changes),
        choice_marks,
        water.draw_pile_names(position, arrangement.layout),
        neighbour_line.draw_arrow_heads(arrangement),  # over the frames of choices: between cells they meet
        draw_change_marks(position, arrangement, changes, notes),
        _draw_legend(
            position, arrangement.layout, with_changes=changes.has_marks, with_choices=bool(choice_marks)
        ),
    )
    static_layers = _draw_static_layers(arrangement.layout)
    return Scene(PICTURE_WIDTH, arrangement.layout.picture_height, PAPER, layers, static_layers, PALETTE)


@lru_cache(maxsize=16)
def _draw_static_layers(layout: BoardLayout) -> tuple[Layer, ...]:
    """Draw what stays the same until the ring of cells grows: frame, line through the neighbours, water."""
    return parts.join_layers(
        parts.draw_frame(PICTURE_WIDTH, layout.picture_height),
        neighbour_line.draw_line(layout),
        water.draw_water(layout),
    )


# Title and panels -----------------------------------------------------------------------------------------


def _draw_title(position: Position, caption: Caption, final_result: Result | None) -> tuple[Layer, ...]:
    round_text = f"round {position.round}" if position.round else "set-up"
    note = caption.note_with_number(round_text)
    pill_text, suffix, seat = "Dealing", "", None
    if final_result is not None:
        winners = final_result.winners
        pill_text, suffix, seat = ("Shared win", "", None) if len(winners) > 1 else ("", " wins", winners[0])
    elif position.to_act is None:
        pill_text = "Over"
    elif position.to_act != CHANCE:
        suffix, seat = _turn_suffix(position), position.to_act
    elif position.round:
        suffix, seat = " draws", position.current_player
    if caption.pill_text:
        pill_text, suffix, seat = caption.pill_text, "", None
    if seat is not None:
        pill_text = caption.seat_name(seat)
    return parts.draw_title_bar(PICTURE_WIDTH, "Oceans", note, pill_text, suffix, seat)


def _turn_suffix(position: Position) -> str:
    match position.agenda[-1] if position.agenda else None:
        case Playing():
            owed_count = owed_card_count(position)
            if not owed_count:
                return " to feed" if position_at_feeding(position) else " to go on to feeding"
            return (
                " to play one more card"
                if owes_one_more_card(position)
                else f" to play {counted(owed_count, 'card')}"
            )
        case Feeding():
            return " to feed" if can_feed(position, position.current_player) else " to go on to Aging"
        case Drawing():
            return " to draw"
        case Keeping():
            return " to keep one"
        case _:
            return " to choose"


_RESIGNED_ENTRIES: Final = (parts.PanelEntry((), 0, "resigned"),)


def _draw_panels(view: OceansView, caption: Caption, final_result: Result | None) -> tuple[Group, ...]:
    position = view.position
    standing_by_seat = (
        {} if final_result is None else {standing.seat: standing for standing in final_result.standings}
    )
    layers: list[Group] = []
    for i, (x, y, width, height) in enumerate(parts.panel_boxes(position.seat_count)):
        seat = Seat(i)
        name = caption.seat_name(seat)
        end_bonus = turn_order_bonus(position, seat) if position.round else 0
        if position.resigned[seat]:
            layers += parts.draw_panel(x, y, width, height, seat, name, _RESIGNED_ENTRIES, highlighted=False)
            continue
        if seat in standing_by_seat:
            entries = _score_entries(position, seat, end_bonus, width)
            total, highlighted = str(standing_by_seat[seat].score), standing_by_seat[seat].rank == 1
            layers += parts.draw_panel(
                x, y, width, height, seat, name, entries, highlighted=highlighted, total=total
            )
            continue
        highlighted = position.to_act is not None and seat == (
            position.current_player if position.round else position.to_act
        )
        note = f"+{end_bonus}" if end_bonus else ""
        entries = _holding_entries(view, seat, width)
        layers += parts.draw_panel(
            x, y, width, height, seat, name, entries, highlighted=highlighted, note=note
        )
    return tuple(layers)


def _holding_entries(view: OceansView, seat: Seat, width: int) -> tuple[parts.PanelEntry, ...]:
    """Return what a seat holds: Surface cards, Deep cards, cards that everybody knows, score pile."""
    position, is_own = view.position, view.viewer == seat and view.score_pile is not None
    entries = [parts.hand_size_entry(position.surface_hand_sizes[seat])]
    if not position.options.reef:
        entries.append(
            parts.PanelEntry(draw_cards_sign(0, 0, 28, dark=True), 26, str(position.deep_hand_sizes[seat]))
        )
        known_count = len(position.known_cards[seat])
        if known_count and not is_own:
            entries.append(_known_cards_entry(known_count))
            if width < _ROOMY_WIDTH:
                return tuple(entries)
    entries.append(_score_pile_entry(str(view.score_pile) if is_own else ""))
    return tuple(entries)


def _score_entries(
    position: Position, seat: Seat, end_bonus: int, width: int
) -> tuple[parts.PanelEntry, ...]:
    """Return the parts of the final score; in a narrow panel, one entry with their sum."""
    population_on_boards = sum(species.population for species in position.rows[seat])
    if width < _ROOMY_WIDTH:
        return (
            _score_pile_entry(f"{position.revealed_score_piles[seat]}+{population_on_boards}+{end_bonus}"),
        )
    entries = [
        _score_pile_entry(str(position.revealed_score_piles[seat])),
        _population_entry(population_on_boards),
    ]
    if end_bonus:
        entries.append(parts.PanelEntry((), 0, f"+{end_bonus}"))
    return tuple(entries)


@lru_cache(maxsize=128)
def _score_pile_entry(score: str) -> parts.PanelEntry:
    return parts.PanelEntry(draw_glyph(PILE, 0, 0, 32, INK, WHITE), 30, score or "?")


@lru_cache(maxsize=64)
def _population_entry(count: int) -> parts.PanelEntry:
    return parts.PanelEntry(draw_glyph(SPECIES_BOARD, 0, 0, 38, SECONDARY_INK, CARD), 34, str(count))


@lru_cache(maxsize=64)
def _known_cards_entry(count: int) -> parts.PanelEntry:
    return parts.PanelEntry(draw_glyph(EYE, 0, 0, 34, DEEP_BLUE, WHITE), 34, str(count))


# Cells ------------------------------------------------------------------------------------------------------


def _draw_cells(
    position: Position, arrangement: RowArrangement, caption: Caption, changes: Changes
) -> tuple[Group, ...]:
    layers: list[Group] = []
    layout, is_over = arrangement.layout, position.to_act is None
    for seat, (row, cells) in enumerate(zip(position.rows, arrangement.rows, strict=True)):
        active = not is_over and seat == position.current_player
        for species, index in zip(row, cells, strict=True):
            values = (
                forage_value(position, species),
                attack_value(position, species),
                defence_value(position, species),
            )
            limit = slot_limit(position, species)
            content = CellContent(
                species.key,
                species.population,
                space_count(position, species),
                values,
                species.traits,
                tuple(changes.new_traits.get(species.key, ())),
                None if limit is None else max(0, limit - len(species.traits)),
                _is_last_space_marked(position, species),
            )
            layers += species_cell.draw_cell(
                *layout.cell_corner(index), content, active=active, scale=layout.cell_scale
            )
        vacant_cell = arrangement.vacant_cells[seat]
        if vacant_cell is not None:
            note = "resigned" if position.resigned[seat] else "no species"
            layers += species_cell.draw_vacant_cell(
                *layout.cell_corner(vacant_cell), seat, caption.seat_name(seat), note, layout.cell_scale
            )
    return tuple(layers)


def _is_last_space_marked(position: Position, species: Species) -> bool:
    """Whether the last space of a species is marked: while the game lasts, if it may overpopulate."""
    return not position.revealed_score_piles and may_overpopulate(position, species)


# Legend -----------------------------------------------------------------------------------------------------

_BONUS_LEGEND_ENTRY: Final = LegendEntry(
    (Text(0, 0, "+n", LEGEND_SIZE, INK, 34, anchor=Anchor.MIDDLE),), 34, "bonus"
)
_KNOWN_CARDS_LEGEND_ENTRY: Final = LegendEntry(
    draw_glyph(EYE, 0, 0, 34, DEEP_BLUE, PAPER), 34, "seen in hand"
)
_LAST_SPACE_LEGEND_ENTRY: Final = LegendEntry((Box(-10, -6, 20, 12, 3, CARD, RED, 2.5),), 20, "too full")
"""For the last space of a species board: who fills it overpopulates."""
_SCORE_PILE_LEGEND_ENTRY: Final = LegendEntry(draw_glyph(PILE, 0, 0, 32, INK, PAPER), 30, "score")
_POPULATION_LEGEND_ENTRY: Final = LegendEntry(
    draw_glyph(SPECIES_BOARD, 0, 0, 38, SECONDARY_INK, PAPER), 36, "boards"
)
_SCORE_SUM_LEGEND_ENTRY: Final = LegendEntry(draw_glyph(PILE, 0, 0, 32, INK, PAPER), 30, "pile+boards+bonus")
_PRINTED_VALUE_LEGEND_ENTRIES: Final = (
    (FISH, LegendEntry(draw_glyph(FISH, 0, 0, 34, CONTOUR, PAPER), 34, "gains")),
    (HOURGLASS, LegendEntry(draw_glyph(HOURGLASS, 0, 0, 28, INK, PAPER), 24, "ages")),
    (SLOT_WITH_PLUS, LegendEntry(draw_glyph(SLOT_WITH_PLUS, 0, 0, 30, INK, PAPER), 28, "slots")),
    (THREE_SPACES, LegendEntry(draw_glyph(THREE_SPACES, 0, 0, 30, SECONDARY_INK, PAPER), 30, "spaces")),
)
_FREE_SLOT_LEGEND_ENTRY: Final = LegendEntry(
    (Box(-13, -13, 26, 26, 6, None, SECONDARY_INK, 2.5),), 26, "free slot"
)


def _draw_legend(
    position: Position, layout: BoardLayout, *, with_changes: bool, with_choices: bool
) -> tuple[Group, ...]:
    """Draw the legend for the signs in this picture: of species and cards above, all others below."""
    upper_entries = [
        FORAGE_LEGEND_ENTRY,
        ATTACK_LEGEND_ENTRY,
        DEFENCE_LEGEND_ENTRY,
        NEVER_LEGEND_ENTRY,
        neighbour_line.LEGEND_ENTRY,
    ]
    if any(position.rows):
        upper_entries.append(_FREE_SLOT_LEGEND_ENTRY)
        if any(_is_last_space_marked(position, species) for row in position.rows for species in row):
            upper_entries.append(_LAST_SPACE_LEGEND_ENTRY)
    if position.scenarios:
        upper_entries.append(water.ACTIVE_CARD_LEGEND_ENTRY)
    lower_entries: list[LegendEntry] = []
    if position.revealed_score_piles:
        has_narrow_panels = any(
            width < _ROOMY_WIDTH for _, _, width, _ in parts.panel_boxes(position.seat_count)
        )
        lower_entries += (
            (_SCORE_SUM_LEGEND_ENTRY,)
            if has_narrow_panels
            else (_SCORE_PILE_LEGEND_ENTRY, _POPULATION_LEGEND_ENTRY, _BONUS_LEGEND_ENTRY)
        )
    elif position.round:
        lower_entries += (_SCORE_PILE_LEGEND_ENTRY, _BONUS_LEGEND_ENTRY)
        if any(position.known_cards):
            lower_entries.append(_KNOWN_CARDS_LEGEND_ENTRY)
    if with_changes:
        lower_entries.append(CHANGE_LEGEND_ENTRY)
    if with_choices:
        lower_entries.append(CHOICE_LEGEND_ENTRY)
    top_glyphs = {
        glyph
        for pile in position.gene_pool
        if pile
        for glyph, _, _ in printed_values(TRAIT_BY_CARD[pile[-1]])
    }
    if any(position.gene_pool):
        lower_entries.append(water.COST_LEGEND_ENTRY)
    lower_entries += (entry for glyph, entry in _PRINTED_VALUE_LEGEND_ENTRIES if glyph in top_glyphs)
    layers: list[Group] = []
    for entries, y in zip((upper_entries, lower_entries), layout.legend_row_middles, strict=True):
        layers += draw_legend(tuple(entries), PICTURE_WIDTH, y)
    return tuple(layers)
