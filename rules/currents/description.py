"""The position in words: one line of status, the whole board as text, the picture's alt text, the hand."""

from typing import Final

from rules.currents.board import GEOMETRIES, RIPTIDES, ROCKS, reaches_pawn
from rules.currents.drift import compute_drift, exit_edge
from rules.currents.help import VALUE_HINTS
from rules.currents.jokers import called_joker
from rules.currents.legal import can_stop_pawn
from rules.currents.model import CurrentsView, Obstacles, Phase, Position
from rules.currents.phrases import (
    ORDINALS,
    PLACE_WORDS,
    card_in_sentence,
    card_text,
    cards_text,
    compass_text,
    cost_text,
    crossed_edges_text,
    edge_text,
    goals_text,
    point_text,
    push_text,
    steps_text,
)
from rules.currents.turn import ace_placers
from rules.model import SEAT_LETTERS, Names, Seat
from rules.text import capitalized, counted, first_fitting, listed

MAX_ALT_TEXT_LENGTH: Final = 1024


def status_text(view: CurrentsView, names: Names) -> str:
    """Return who is to do what, or how the game ended."""
    position = view.position
    to_act = position.to_act
    name = names[to_act] if to_act is not None and to_act >= 0 else ""
    match position.phase:
        case Phase.DEAL:
            return "The cards are dealt."
        case Phase.FIRST_PLAYER:
            return "The first player is drawn by lot."
        case Phase.AXIS:
            return f"{name}, choose your goals: north and south, or east and west."
        case Phase.ACES:
            return f"{name}, lay {_next_ace_text(position)} on the compass."
        case Phase.DRAW:
            return f"{names[position.current_player]} draws."
        case Phase.PLAY:
            notes = f"{_leaving_note(position, names)}{_turn_cap_note(position)}"
            return f"{name}, your turn: play one card.{notes}"
        case Phase.JOKER_SHUFFLE:
            return f"{capitalized(card_in_sentence(called_joker(position)))} shuffles, then the pawn drifts."
        case Phase.GOALTEND:
            exit_ = position.exits[0]
            where, owner_name = f"at {edge_text(exit_.edge)}", names[exit_.owner]
            if view.viewer == to_act and not can_stop_pawn(view):
                return f"{name}, your cards cannot stop the pawn {where}. {owner_name} wins when it passes."
            return f"{name}, stop the pawn {where} with {cost_text(position, exit_)}, or {owner_name} wins."
        case Phase.OVER:
            return _ending_text(position, names)


def _leaving_note(position: Position, names: Names) -> str:
    """Return over whose goals the pawn would leave if nothing changes; empty if it stays on the board."""
    goal_texts = [
        f"{edge_text(exit_.edge)} ({names[exit_.owner]}'s goal)" for exit_ in compute_drift(position).exits
    ]
    return f" If nothing changes, the pawn would leave over {listed(goal_texts, 'or')}." if goal_texts else ""


def _turn_cap_note(position: Position) -> str:
    """Return in each player's last turn that the turn cap is near; else empty."""
    turns_left = position.options.turn_cap - position.turn
    if turns_left >= position.seat_count:
        return ""
    end = f"turn {position.options.turn_cap}" if turns_left else "this turn"
    return f" After {end} the game is a draw."


def _next_ace_text(position: Position) -> str:
    placers = ace_placers(position, position.current_player)
    laid_count = sum(card is not None for card in position.compass)
    own_indexes = [index for index, placer in enumerate(placers) if placer == placers[laid_count]]
    if len(own_indexes) == 1:
        return "an ace"
    return f"the {ORDINALS[own_indexes.index(laid_count)]} of your {counted(len(own_indexes), 'ace')}"


def _ending_text(position: Position, names: Names) -> str:
    if position.winner is None:
        return f"A draw: {position.turn} turns are over and the pawn is still on the board."
    winner_name = names[position.winner]
    edge = exit_edge(position)
    if edge is not None:
        return f"{winner_name} has won: the pawn left over {edge_text(edge)}."
    return f"{winner_name} has won: {names[1 - position.winner]} resigned."


def hand_text(view: CurrentsView, names: Names) -> str:
    """Name the viewer's cards."""
    return f"Your hand: {cards_text(view.hand)}." if view.hand else ""


def describe(view: CurrentsView, names: Names, status: str = "") -> str:
    """Describe the whole public board, then the viewer's own hand."""
    position = view.position
    lines = [
        _headline_text(position),
        status or status_text(view, names),
        f"Pawn: {point_text(position, position.pawn)}.",
        compass_text(position),
        *_aces_lines(position),
        _next_drift_text(position, names),
        "Currents:",
        *_side_lines(position),
        _reaching_slots_text(position),
        "Players:",
        *(_player_text(position, Seat(seat), names) for seat in range(position.seat_count)),
        _piles_text(position),
        *_options_lines(position),
        hand_text(view, names),
    ]
    return "\n".join(line for line in lines if line)


def _pawn_text(position: Position) -> str:
    is_off_board = bool(GEOMETRIES[position.options.board].crossed_edges(position.pawn))
    return f"Pawn {'' if is_off_board else 'at '}{point_text(position, position.pawn)}."


def alt_text(view: CurrentsView, names: Names, status: str = "") -> str:
    """Describe what the picture of the board shows: nothing secret, at most 1,024 characters.

    Where the currents push is left out if it does not fit.
    """
    position = view.position
    players_text = ". ".join(
        f"{names[seat]}: {goals_text(position, Seat(seat))}, {counted(position.hand_sizes[seat], 'card')}"
        for seat in range(position.seat_count)
    )

    def text(*, with_pushes: bool) -> str:
        parts = (
            _headline_text(position),
            _pawn_text(position),
            compass_text(position),
            _next_drift_text(position, names),
            f"Currents: {_currents_text(position, with_pushes=with_pushes)}.",
            _reaching_slots_text(position),
            _piles_text(position),
            f"{players_text}.",
            status or status_text(CurrentsView(position, None, ()), names),
        )
        return " ".join(part for part in parts if part)

    return first_fitting(MAX_ALT_TEXT_LENGTH, text(with_pushes=True), text(with_pushes=False))


def _currents_text(position: Position, *, with_pushes: bool) -> str:
    """Return the currents, "N1 A♦ (pushes east), S2 9♥ (pushes north)", or without pushes; "none"."""
    slots = GEOMETRIES[position.options.board].slots
    texts = [
        f"{slot} {card_text(card)}{f' ({push_text(position, card)})' if with_pushes else ''}"
        for slot, card in zip(slots, position.currents, strict=True)
        if card is not None
    ]
    return ", ".join(texts) or "none"


def _headline_text(position: Position) -> str:
    shape = "triangular board" if len(GEOMETRIES[position.options.board].places) == 3 else "square board"
    round_number = -(-position.turn // position.seat_count)
    if position.turn:
        when = f"round {round_number}, turn {position.turn} of at most {position.options.turn_cap}"
    else:
        when = "ended before the first turn" if position.phase is Phase.OVER else "setting up"
    return f"Currents, {shape}, {when}."


def _aces_lines(position: Position) -> list[str]:
    if not position.aces:
        return []
    return [
        f"Aces {'not laid' if position.phase is Phase.OVER else 'still to lay'}: {cards_text(position.aces)}."
    ]


def _next_drift_text(position: Position, names: Names) -> str:
    """Return where the pawn would drift if nothing changes."""
    if position.phase is Phase.OVER:
        return "The pawn no longer drifts."
    if position.target is not None:
        exit_ = position.exits[0]
        beyond = counted(exit_.overshoot, "step")
        owner_name = names[exit_.owner]
        return f"The pawn is leaving over {edge_text(exit_.edge)} ({owner_name}'s goal), {beyond} beyond."
    drift = compute_drift(position)
    if drift.target == position.pawn:
        return "If nothing changes, the pawn stays."
    steps = steps_text(position, position.pawn, drift.target)
    if drift.exits:  # the status says whose goals they are
        edges = crossed_edges_text([exit_.edge for exit_ in drift.exits])
        return f"If nothing changes, the pawn drifts {steps}, off the board over {edges}."
    return f"If nothing changes, the pawn drifts {steps}, to {point_text(position, drift.target)}."


def _side_lines(position: Position) -> list[str]:
    """Return a line for each side: its slots, each with its card, and whether and where the card pushes."""
    geometry = GEOMETRIES[position.options.board]
    lines = []
    for side in geometry.places:
        entries = []
        for slot, card in zip(geometry.slots, position.currents, strict=True):
            if slot[0] != side:
                continue
            if card is None:
                entries.append(f"{slot} empty")
            else:
                note = f"{push_text(position, card)}{_reach_note(position, slot)}"
                entries.append(f"{slot} {card_text(card)} ({note})")
        lines.append(f"- {capitalized(PLACE_WORDS[side])}: {', '.join(entries)}")
    return lines


def _reach_note(position: Position, slot: str) -> str:
    """Return that a slot does not reach the pawn; empty for others, and once the pawn is off the board."""
    is_on_board = position.pawn in GEOMETRIES[position.options.board].slot_indexes_at
    return ", out of reach" if is_on_board and not reaches_pawn(position, slot) else ""


def _reaching_slots_text(position: Position) -> str:
    """Return the slots that the picture marks in blue; empty once the pawn is off the board."""
    geometry = GEOMETRIES[position.options.board]
    slots = [geometry.slots[i] for i in geometry.slot_indexes_at.get(position.pawn, ())]
    return f"Only {listed(slots)} reach the pawn now." if slots else ""


def _player_text(position: Position, seat: Seat, names: Names) -> str:
    edge = GEOMETRIES[position.options.board].seat_edge(position.seat_count, seat)
    turn_text = ", whose turn it is" if seat == position.current_player and _is_in_play(position) else ""
    return (
        f"- {SEAT_LETTERS[seat]} {names[seat]}{turn_text}: at {edge_text(edge)}, "
        f"{goals_text(position, seat)}, {counted(position.hand_sizes[seat], 'card')}"
    )


def _is_in_play(position: Position) -> bool:
    return position.turn > 0 and position.to_act is not None


def _piles_text(position: Position) -> str:
    top_text = f", on top {card_in_sentence(position.discard_pile[-1])}" if position.discard_pile else ""
    return (
        f"Draw pile: {counted(position.draw_pile_size, 'card')}. "
        f"Discard pile: {counted(len(position.discard_pile), 'card')}{top_text}."
    )


def _options_lines(position: Position) -> list[str]:
    """Name the options that differ from the rulebook's game."""
    options = position.options
    option_texts = [
        (options.jokers, "jokers"),
        (options.easy_usurp, "easy usurp"),
        (options.combo, "combo"),
    ]
    chosen = [text for is_on, text in option_texts if is_on]
    lines = [f"Options: {', '.join(chosen)}."] if chosen else []
    if options.jokers:
        lines.append(f"{VALUE_HINTS['wild_jokers'][options.wild_jokers.value]}.")
    if options.obstacles is not Obstacles.OFF:
        points = sorted(ROCKS if options.obstacles is Obstacles.ROCKS else RIPTIDES)
        where = ", ".join(point_text(position, point) for point in points)
        lines.append(f"{capitalized(options.obstacles.value)} at {where}.")
    return lines
