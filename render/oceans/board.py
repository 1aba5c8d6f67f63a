"""The table of Oceans as a picture."""

from functools import lru_cache
from typing import Final

from render import parts
from render.caption import Caption
from render.glyphs import (
    BOARD,
    EYE,
    FANG,
    FISH,
    HOURGLASS,
    LEAF,
    ROOM,
    SHIELD,
    SLOT,
    draw_crossed_out,
    draw_glyph,
)
from render.oceans import cell, rightwards, water
from render.oceans.cell import Cell
from render.oceans.changes import Changes, changes
from render.oceans.layout import Seating, Sheet, seating
from render.oceans.marks import halos, last_choice
from render.paint import fit_text
from render.scene import Anchor, Group, Layer, Scene, Text
from render.symbols import draw_cards_sign
from render.theme import (
    CARD,
    CLARET,
    CONTOUR,
    DEEP_BLUE,
    GREEN,
    INK,
    LEGEND_SIZE,
    MARGIN,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    WHITE,
)
from rules.game import CHANCE, Event, Result, Seat
from rules.oceans.cards.decks import TRAIT
from rules.oceans.engine.scoring import bonus, result
from rules.oceans.engine.values import attack, defence, forage, spaces
from rules.oceans.model import OceansView, Position
from rules.oceans.steps import (
    Drawing,
    Feeding,
    Keeping,
    Playing,
)

_ROOMY: Final = 300
"""Panels of this width have room for everything."""


def draw_board(view: OceansView, recent_events: tuple[Event, ...], caption: Caption) -> Scene:
    """Draw the table; ``recent_events`` is the trail of what has just happened."""
    position = view.position
    seats = seating(tuple(len(row) for row in position.rows), reef=position.options.reef)
    found = changes(recent_events)
    final = (
        result(position, position.final_scores) if position.to_act is None and position.final_scores else None
    )
    layers = parts.join_layers(
        _title(position, caption, final),
        _panels(view, caption, final),
        halos(position, seats, found),
        water.contents(position, seats.sheet),
        _cells(position, seats, caption, found),
        rightwards.heads(seats),
        last_choice(position, seats, found),
        _legend(position, seats.sheet, marked=found.any),
    )
    return Scene(PICTURE_WIDTH, seats.sheet.height, PAPER, layers, _sheet(seats.sheet))


@lru_cache(maxsize=16)
def _sheet(sheet: Sheet) -> tuple[Layer, ...]:
    """What stays the same while the ring does: frame, the line through the neighbours, water."""
    return parts.join_layers(
        parts.draw_frame(PICTURE_WIDTH, sheet.height), rightwards.line(sheet), water.ground(sheet)
    )


# Title and panels -----------------------------------------------------------------------------------------


def _title(position: Position, caption: Caption, final: Result | None) -> tuple[Group, ...]:
    rounds = f"round {position.round}" if position.round else "set-up"
    note = f"No. {caption.table} \u00b7 {rounds}"
    pill, tail, seat = "Dealing", "", None
    if final is not None:
        first = final.winners
        pill, tail, seat = ("Shared win", "", None) if len(first) > 1 else ("", " wins", first[0])
    elif position.to_act is None:
        pill = "Over"
    elif position.to_act != CHANCE:
        tail, seat = _asked(position), position.to_act
    elif position.round:
        tail, seat = " draws", position.current_player
    if caption.occasion:
        pill, tail, seat = caption.occasion, "", None
    if seat is not None:
        pill = caption.name(seat)
    return parts.draw_title_bar(PICTURE_WIDTH, "Oceans", note, pill, tail, seat)


def _asked(position: Position) -> str:
    match position.agenda[-1] if position.agenda else None:
        case Playing():
            return " to play 2" if position.plays > 1 else " to play"
        case Feeding():
            return " to feed"
        case Drawing():
            return " to draw"
        case Keeping():
            return " to keep one"
        case _:
            return " to choose"


def _panels(view: OceansView, caption: Caption, final: Result | None) -> tuple[Group, ...]:
    position = view.position
    ranks = {} if final is None else {standing.seat: standing for standing in final.standings}
    found: list[Group] = []
    for i, (x, y, width, height) in enumerate(parts.panel_boxes(position.seats)):
        seat = Seat(i)
        name, extra = caption.name(seat), bonus(position, seat) if position.round else 0
        if position.resigned[seat]:
            found += parts.draw_panel(x, y, width, height, seat, name, (), active=False, note="left")
            continue
        if seat in ranks:
            facts = _points(position, seat, extra, width)
            total, active = str(ranks[seat].score), ranks[seat].rank == 1
            found += parts.draw_panel(x, y, width, height, seat, name, facts, active=active, total=total)
            continue
        active = final is None and seat == (position.current_player if position.round else position.to_act)
        note = f"+{extra}" if extra else ""
        facts = _holds(view, seat, width)
        found += parts.draw_panel(x, y, width, height, seat, name, facts, active=active, note=note)
    return tuple(found)


def _holds(view: OceansView, seat: Seat, width: int) -> tuple[parts.PanelFact, ...]:
    """What a seat holds: Surface cards, Deep cards, how many of these all have seen, the shield."""
    position, own = view.position, view.viewer == seat and view.score is not None
    facts = [parts.hand_size_fact(position.surface_hands[seat])]
    if not position.options.reef:
        facts.append(
            parts.PanelFact(draw_cards_sign(0, 0, 28, dark=True), 26, str(position.deep_hands[seat]))
        )
        known = len(position.known[seat])
        if known and not own:
            facts.append(_fact_seen(known))
            if width < _ROOMY:
                return tuple(facts)
    facts.append(_fact_shield(str(view.score) if own else ""))
    return tuple(facts)


def _points(position: Position, seat: Seat, extra: int, width: int) -> tuple[parts.PanelFact, ...]:
    """What the final score is made of; where there is little room, as a sum."""
    living = sum(species.population for species in position.rows[seat])
    if width < _ROOMY:
        return (_fact_shield(f"{position.final_scores[seat]}+{living}+{extra}"),)
    facts = [_fact_shield(str(position.final_scores[seat])), _fact_living(living)]
    if extra:
        facts.append(parts.PanelFact((), 0, f"+{extra}"))
    return tuple(facts)


@lru_cache(maxsize=256)
def _fact_shield(score: str) -> parts.PanelFact:
    return parts.PanelFact(draw_glyph(SHIELD, 0, 0, 32, INK, WHITE), 30, score or "?")


@lru_cache(maxsize=64)
def _fact_living(count: int) -> parts.PanelFact:
    return parts.PanelFact(draw_glyph(BOARD, 0, 0, 38, SECONDARY_INK, CARD), 34, str(count))


@lru_cache(maxsize=64)
def _fact_seen(count: int) -> parts.PanelFact:
    return parts.PanelFact(draw_glyph(EYE, 0, 0, 34, DEEP_BLUE, WHITE), 34, str(count))


# Cells ------------------------------------------------------------------------------------------------------


def _cells(position: Position, seats: Seating, caption: Caption, found: Changes) -> tuple[Group, ...]:
    layers: list[Group] = []
    over = position.to_act is None
    for seat, (row, places) in enumerate(zip(position.rows, seats.rows, strict=True)):
        active = not over and seat == position.current_player
        for species, place in zip(row, places, strict=True):
            values = forage(position, species), attack(position, species), defence(position, species)
            shown = Cell(
                species.key,
                species.population,
                spaces(position, species),
                values,
                species.traits,
                tuple(found.fresh.get(species.key, ())),
            )
            layers += cell.cell(*seats.sheet.spot(place), shown, active=active)
        empty = seats.vacant[seat]
        if empty is not None:
            words = "has left" if position.resigned[seat] else "no species"
            layers += cell.vacant(*seats.sheet.spot(empty), seat, caption.name(seat), words)
    return tuple(layers)


# Legend -----------------------------------------------------------------------------------------------------

_FORAGE: Final = parts.LegendEntry(draw_glyph(LEAF, 0, 0, 28, GREEN, PAPER), 28, "forage")
_ATTACK: Final = parts.LegendEntry(draw_glyph(FANG, 0, 0, 28, CLARET, PAPER), 28, "attack")
_DEFENCE: Final = parts.LegendEntry(draw_glyph(SHIELD, 0, 0, 28, SECONDARY_INK, PAPER), 28, "defence")
_NEVER: Final = parts.LegendEntry(draw_crossed_out(LEAF, 0, 0, 26), 28, "never")
_BONUS: Final = parts.LegendEntry(
    (Text(0, 0, "+n", LEGEND_SIZE, INK, 34, anchor=Anchor.MIDDLE),), 34, "end bonus"
)
_SEEN: Final = parts.LegendEntry(draw_glyph(EYE, 0, 0, 34, DEEP_BLUE, PAPER), 34, "seen cards")
_ALIVE: Final = parts.LegendEntry(draw_glyph(BOARD, 0, 0, 38, SECONDARY_INK, PAPER), 36, "on boards")
_SUM: Final = parts.LegendEntry(draw_glyph(SHIELD, 0, 0, 32, INK, PAPER), 30, "shield+boards+bonus")
_LAST: Final = parts.LegendEntry(parts.LAST_MOVE_ENTRY.items, 26, "last choice")
_PRINTED: Final = (
    (FISH, parts.LegendEntry(draw_glyph(FISH, 0, 0, 34, CONTOUR, PAPER), 34, "gains")),
    (HOURGLASS, parts.LegendEntry(draw_glyph(HOURGLASS, 0, 0, 28, INK, PAPER), 24, "ages")),
    (SLOT, parts.LegendEntry(draw_glyph(SLOT, 0, 0, 30, INK, PAPER), 28, "slots")),
    (ROOM, parts.LegendEntry(draw_glyph(ROOM, 0, 0, 30, SECONDARY_INK, PAPER), 30, "spaces")),
)
_ORDER: Final = (
    _FORAGE, _ATTACK, _DEFENCE, _NEVER, *(sign for _, sign in _PRINTED), rightwards.SIGN, _ALIVE, _SUM, _SEEN,
    _BONUS, _LAST,
)  # fmt: skip


def _legend(position: Position, sheet: Sheet, *, marked: bool) -> tuple[Group, ...]:
    """Explain the signs that this picture holds, the most needed ones first, as far as the line goes."""
    signs = [_FORAGE, _ATTACK, _DEFENCE, _NEVER, rightwards.SIGN]
    if marked:
        signs.append(_LAST)
    if position.final_scores:
        signs.append(_ALIVE if position.seats != 4 else _SUM)
    elif any(position.known):
        signs.append(_SEEN)
    tops = {glyph for pile in position.gene_pool if pile for glyph, _, _ in water.values_of(TRAIT[pile[-1]])}
    signs += (sign for glyph, sign in _PRINTED if glyph in tops)
    if position.round and _SUM not in signs:
        signs.append(_BONUS)
    while _wide(tuple(signs)) > PICTURE_WIDTH - 2 * MARGIN:
        signs.pop()
    order = tuple(sign for sign in _ORDER if sign in signs)
    return parts.draw_legend(order, PICTURE_WIDTH, sheet.legend)


@lru_cache(maxsize=64)
def _wide(signs: tuple[parts.LegendEntry, ...]) -> float:
    words = sum(fit_text(Text(0, 0, sign.text, LEGEND_SIZE, SECONDARY_INK, 300)).width for sign in signs)
    return words + sum(sign.width + 10 for sign in signs) + 20 * (len(signs) - 1)
