"""The table in words: one line of status, the whole board as text, the picture's alt text, the hand."""

from rules.currents.board import GEOMETRY, RIPTIDES, ROCKS
from rules.currents.cards import SUIT
from rules.currents.drift import directions_of, drift, goals_of
from rules.currents.jokers import called
from rules.currents.model import CurrentsView, Obstacles, Phase, Table
from rules.currents.narration import compass_text
from rules.currents.phrases import (
    PLACE_WORD,
    card_text,
    cards_text,
    cost_text,
    counted,
    edge_text,
    edges_text,
    goals_text,
    net_text,
    point_text,
    points_note,
    sentence,
)
from rules.game import SEAT_LETTERS, Names, Seat

ALT_LIMIT = 1024


def status(view: CurrentsView, names: Names) -> str:
    """Say what is asked of whom, or how the game ended."""
    table = view.table
    to_act, player = table.to_act, names[table.current_player]
    actor = names[to_act] if to_act is not None and to_act >= 0 else ""
    match table.phase:
        case Phase.DEAL:
            return "The cards are dealt."
        case Phase.BEGIN:
            return "Chance names the first player."
        case Phase.AXIS:
            return f"{actor} to choose goals: north and south, or east and west."
        case Phase.ACES:
            return f"{actor} to lay an ace on the compass."
        case Phase.DRAW:
            return f"{player} draws."
        case Phase.PLAY:
            return f"{actor} to play: one card, then the pawn drifts."
        case Phase.SHUFFLE:
            return f"The {card_text(called(table))} shuffles, then the pawn drifts."
        case Phase.GOALTEND:
            way = table.exits[0]
            cost = cost_text(table, way)
            return f"{actor} to defend {PLACE_WORD[way.edge]}: {cost}, or {names[way.owner]} wins."
        case Phase.OVER:
            return _ending(table, names)


def _ending(table: Table, names: Names) -> str:
    if table.winner is None:
        return f"A draw: {table.turn} turns are over and the pawn is still on the board."
    winner = names[table.winner]
    goals = goals_of(table, table.winner)
    crossed = [edge for edge, _ in GEOMETRY[table.options.board].crossed(table.pawn) if edge in goals]
    if crossed:
        return f"{winner} has won: the pawn left over {PLACE_WORD[crossed[0]]}."
    return f"{winner} has won: {names[1 - table.winner]} resigned."


def hand(view: CurrentsView, names: Names) -> str:
    """Name the viewer's cards."""
    return f"Your hand: {cards_text(view.hand)}." if view.hand else ""


def describe(view: CurrentsView, names: Names) -> str:
    """Tell the whole public board, then the viewer's own hand."""
    table = view.table
    lines = [
        _headline(table),
        status(view, names),
        f"Pawn: {point_text(table, table.pawn)}{points_note(table)}.",
        compass_text(table),
        *_aces(table),
        _next(table, names),
        "Currents:",
        *_sides(table),
        "Players:",
        *(_player(table, Seat(seat), names) for seat in range(table.seats)),
        _piles(table),
        *_options(table),
        hand(view, names),
    ]
    return "\n".join(line for line in lines if line)


def alt(view: CurrentsView, names: Names) -> str:
    """Tell what the picture of the board shows: nothing secret, at most 1,024 characters."""
    table = view.table
    board = GEOMETRY[table.options.board]
    laid = [
        f"{slot} {card_text(card)}"
        for slot, card in zip(board.slots, table.currents, strict=True)
        if card is not None
    ]
    players = "; ".join(
        f"{names[seat]}: {goals_text(table, Seat(seat))}, {counted(table.hands[seat], 'card')}"
        for seat in range(table.seats)
    )
    text = " ".join(
        (
            _headline(table),
            f"Pawn at {point_text(table, table.pawn)}.",
            compass_text(table),
            _next(table, names),
            f"Currents: {', '.join(laid) or 'none'}.",
            _piles(table),
            f"{players}.",
            status(view, names),
        )
    )
    return text if len(text) <= ALT_LIMIT else f"{text[: ALT_LIMIT - 1]}…"


def _headline(table: Table) -> str:
    shape = "triangular board" if len(GEOMETRY[table.options.board].directions) == 3 else "square board"
    when = f"turn {table.turn} of at most {table.options.turn_cap}" if table.turn else "setting up"
    return f"Currents, {shape}, {when}."


def _aces(table: Table) -> list[str]:
    return [f"Aces still to lay: {cards_text(table.aces)}."] if table.aces else []


def _next(table: Table, names: Names) -> str:
    """Say where the pawn would drift as things stand."""
    if table.phase is Phase.OVER:
        return "The pawn drifts no more."
    if table.target is not None:
        way = table.exits[0]
        beyond = counted(way.overshoot, "step")
        owner = names[way.owner]
        return f"The pawn is leaving over {PLACE_WORD[way.edge]} ({owner}'s goal), {beyond} beyond."
    move = drift(table)
    if not any(move.pushes):
        return "Next drift as things stand: the pawn stays."
    net = net_text(table, move.pushes)
    if move.exits:
        edges = edges_text([way.edge for way in move.exits])
        owners = " or ".join(names[way.owner] for way in move.exits)
        return f"Next drift as things stand: {net}, off the board over {edges} (goal of {owners})."
    return f"Next drift as things stand: {net}, to {point_text(table, move.target)}."


def _sides(table: Table) -> list[str]:
    """Name the slots of each side with their card and its pull."""
    board = GEOMETRY[table.options.board]
    lines = []
    for side in board.directions:
        told = []
        for slot, card in zip(board.slots, table.currents, strict=True):
            if slot[0] != side:
                continue
            if card is None:
                told.append(f"{slot} empty")
            else:
                pull = directions_of(SUIT[card], board.directions, table.compass)
                told.append(f"{slot} {card_text(card)} (pulls {edges_text(pull) or 'nowhere'})")
        lines.append(f"- {sentence(PLACE_WORD[side])}: {', '.join(told)}")
    return lines


def _player(table: Table, seat: Seat, names: Names) -> str:
    board = GEOMETRY[table.options.board]
    turn = ", whose turn it is" if seat == table.current_player and _in_play(table) else ""
    return (
        f"- {SEAT_LETTERS[seat]} {names[seat]}{turn}: at {edge_text(board.seat_edge(table.seats, seat))}, "
        f"{goals_text(table, seat)}, {counted(table.hands[seat], 'card')}"
    )


def _in_play(table: Table) -> bool:
    return table.turn > 0 and table.phase is not Phase.OVER


def _piles(table: Table) -> str:
    top = f", on top {card_text(table.discard_pile[-1])}" if table.discard_pile else ""
    return (
        f"Draw pile: {counted(table.draw_pile, 'card')}. "
        f"Discard pile: {counted(len(table.discard_pile), 'card')}{top}."
    )


def _options(table: Table) -> list[str]:
    """Name the options that differ from the rulebook's game."""
    options = table.options
    parts = [
        (options.jokers, f"jokers (they shuffle: {options.wild_jokers.value})"),
        (options.easy_usurp, "easy usurping"),
        (options.combo, "combination attacks"),
    ]
    chosen = [text for on, text in parts if on]
    lines = [f"Options: {', '.join(chosen)}."] if chosen else []
    if options.obstacles is not Obstacles.OFF:
        spots = sorted(ROCKS if options.obstacles is Obstacles.ROCKS else RIPTIDES)
        where = "; ".join(point_text(table, spot) for spot in spots)
        lines.append(f"{sentence(options.obstacles.value)} at {where}.")
    return lines
