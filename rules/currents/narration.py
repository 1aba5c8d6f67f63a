"""The narration of an action in sentences, from the view before, the action as seen, and the trail."""

from rules.currents.actions import CallJack, CallJoker, CallKing, CallQueen, Concede, Deal, Defend
from rules.currents.board import GEOMETRIES, card_on_slot
from rules.currents.components import FACE_DOWN, Card, Point
from rules.currents.drift import defender_of, goals_of
from rules.currents.events import (
    AceLeftOver,
    AnyEvent,
    AxisChosen,
    CompassCardSet,
    CompassCardTaken,
    CompassTurned,
    CurrentSet,
    CurrentsSwapped,
    Dealt,
    Discarded,
    ExitThreatened,
    FirstPlayerSet,
    JokerCalled,
    JokerShuffled,
    PawnDrifted,
    PawnLeft,
    PawnStopped,
    Reshuffled,
)
from rules.currents.model import CurrentsView, Exit, Phase, Position
from rules.currents.phrases import (
    NOTHING_TO_SHUFFLE,
    ROTATION_WORDS,
    card_in_sentence,
    card_or_empty_text,
    card_text,
    cards_text,
    compass_place_text,
    compass_text,
    directions_text,
    edge_text,
    move_text,
    point_text,
    stop_text,
)
from rules.currents.turn import ace_placers
from rules.model import Action, Names, Resign, Seat
from rules.text import capitalized, counted, listed


def narrate(before: CurrentsView, actor: Seat, action: Action, after: CurrentsView, names: Names) -> str:
    """Describe one action and what it brought about; empty if the viewer saw nothing that needs words."""
    position = after.position
    if isinstance(action, Resign):
        ending = f" {names[position.winner]} wins." if position.winner is not None else ""
        return f"{names[actor]} resigns.{ending}"
    sentences: list[str] = []
    if isinstance(action, Concede):
        sentences.append(f"{names[actor]} does not stop the pawn.")
    sentences += [
        text
        for i, event in enumerate(position.trail)
        if (text := _event_text(before.position, actor, action, position, i, event, names))
    ]
    if position.phase is Phase.OVER and position.winner is None:
        sentences.append(f"Turn {position.turn} was the last one: nobody wins.")
    return " ".join(sentences)


def _event_text(
    before: Position, actor: Seat, action: Action, after: Position, index: int, event: AnyEvent, names: Names
) -> str:
    match event:
        case Dealt():
            return _dealt_text(before, action, after, names)
        case Reshuffled(count=count):
            return f"The draw pile is used up: the discard pile ({counted(count, 'card')}) is the new one."
        case FirstPlayerSet(seat=seat):
            return _first_player_text(after, seat, names)
        case AxisChosen(seat=seat):
            goal_names = directions_text(goals_of(after, seat))
            return f"{names[seat]} aims for {goal_names}, {_other_goals_text(after, seat, names)}."
        case CompassCardSet(place=place, card=card, replaced=old_card):
            if index:  # the second card of a combination
                return f"{capitalized(card_text(card))} follows on top of it."
            return _laid_text(actor, card, compass_place_text(place), old_card, names)
        case CurrentSet(slot=slot, card=card, replaced=old_card):
            if index:  # the second card of a combination
                return f"{capitalized(card_text(card))} follows on top of it."
            return _laid_text(actor, card, f"slot {slot}", old_card, names)
        case Discarded(seat=seat, cards=cards):
            if isinstance(action, CallJack | CallQueen | CallKing | CallJoker | Defend):
                return ""  # the next event says it
            return f"{names[seat]} discards {cards_text(cards)}."
        case CompassCardTaken(place=place, card=card):
            spot = compass_place_text(place)
            return f"{_call_text(actor, action, names)}: {card_text(card)} is removed from {spot}."
        case CurrentsSwapped(slot=slot, other=other):
            return f"{_call_text(actor, action, names)}: {_swap_text(before, slot, other)}."
        case CompassTurned(rotation=rotation):
            call = _call_text(actor, action, names)
            return f"{call}: the compass turns {ROTATION_WORDS[rotation]}. {compass_text(after)}"
        case JokerCalled():
            return f"{_call_text(actor, action, names)}."
        case JokerShuffled(places=places, slots=slots):
            return _shuffled_text(after, places, slots)
        case AceLeftOver(card=card):
            return f"{card_text(card)} finds no place and goes to the discard pile."
        case PawnDrifted(path=path):
            return _drifted_text(before, path)
        case ExitThreatened(edge=edge):
            exit_, *later_exits = after.exits
            corner_text = "".join(
                f" If stopped there, it would leave over {edge_text(each.edge)}, {names[each.owner]}'s goal."
                for each in later_exits
            )
            return (
                f"The pawn is about to leave over {edge_text(edge)}, {names[exit_.owner]}'s goal. "
                f"{stop_text(after, exit_, names)}{corner_text}"
            )
        case PawnStopped(edge=edge, defender=defender):
            assert isinstance(action, Defend)
            return f"{names[defender]} stops the pawn at {edge_text(edge)} with {cards_text(action.cards)}."
        case PawnLeft(edge=edge, winner=winner):
            return _left_text(action, after, edge, winner, names)


def _dealt_text(before: Position, action: Action, after: Position, names: Names) -> str:
    """Return what was dealt or drawn: the cards if the viewer sees them, else their number if above one.

    At the first deal hidden cards have no text; after the last hand follows how many cards everybody holds.
    """
    assert isinstance(action, Deal)
    name = names[action.seat]
    is_seen = FACE_DOWN not in action.cards
    if before.phase is Phase.DEAL:
        own_text = f"{name} is dealt {cards_text(action.cards)}." if is_seen else ""
        everybody_text = (
            "" if 0 in after.hand_sizes else f"Everybody holds {counted(after.hand_sizes[0], 'card')}."
        )
        return " ".join(text for text in (own_text, everybody_text) if text)
    if is_seen:
        return f"{name} draws {cards_text(action.cards)}."
    return f"{name} draws {counted(len(action.cards), 'card')}." if len(action.cards) > 1 else ""


def _first_player_text(position: Position, seat: Seat, names: Names) -> str:
    """Return who takes the first turn and who lays the aces before it."""
    placers = ace_placers(position, seat)
    if position.seat_count > 2:
        order_text = listed([names[placer] for placer in placers])
        return f"{names[seat]} takes the first turn. Before it, {order_text} lay one ace each, in this order."
    name, other_name = names[seat], names[Seat(1 - seat)]
    return (
        f"{name} takes the first turn. Before it, {name} chooses the goals. "
        f"Then {other_name} lays two aces, and {name} the other two."
    )


def _other_goals_text(position: Position, seat: Seat, names: Names) -> str:
    other = Seat(1 - seat)
    return f"{names[other]} for {directions_text(goals_of(position, other))}"


def _laid_text(actor: Seat, card: Card, spot: str, old_card: Card | None, names: Names) -> str:
    over_text = "" if old_card is None else f", over {card_text(old_card)}"
    return f"{names[actor]} lays {card_text(card)} on {spot}{over_text}."


def _call_text(actor: Seat, action: Action, names: Names) -> str:
    assert isinstance(action, CallJack | CallQueen | CallKing | CallJoker)
    return f"{names[actor]} calls {card_in_sentence(action.card)}"


def _swap_text(before: Position, slot: str, other: str) -> str:
    first_card, second_card = card_on_slot(before, slot), card_on_slot(before, other)
    if first_card is not None and second_card is not None:
        return f"{card_text(first_card)} on {slot} and {card_text(second_card)} on {other} swap places"
    if first_card is not None:
        return f"{card_text(first_card)} moves from {slot} to {other}"
    return f"{card_or_empty_text(second_card)} moves from {other} to {slot}"


def _shuffled_text(after: Position, places: tuple[str, ...], slots: tuple[str, ...]) -> str:
    if len(places) + len(slots) < 2:
        return NOTHING_TO_SHUFFLE
    sentences = []
    if places:
        sentences.append(f"The compass is shuffled. {compass_text(after)}")
    if slots:
        slot_texts = ", ".join(f"{slot} {card_or_empty_text(card_on_slot(after, slot))}" for slot in slots)
        sentences.append(f"The currents are shuffled: {slot_texts}.")
    return " ".join(sentences)


def _drifted_text(position: Position, path: tuple[Point, ...]) -> str:
    start, end = path[0], path[-1]
    if start != end and GEOMETRIES[position.options.board].crossed_edges(end):
        return ""  # the next event says it
    if start != end and position.phase is Phase.GOALTEND:
        return f"The pawn goes to {point_text(position, end)}."
    return move_text(position, start, end)


def _left_text(action: Action, after: Position, edge: str, winner: Seat, names: Names) -> str:
    """Return over which edge the pawn left, and why nobody was asked if nobody was."""
    text = f"The pawn leaves the board over {edge_text(edge)}."
    if not isinstance(action, Concede):
        overshoot = dict(GEOMETRIES[after.options.board].crossed_edges(after.pawn))[edge]
        exit_ = Exit(edge, winner, defender_of(after, edge, winner), overshoot)
        text += f" {stop_text(after, exit_, names)}"
    return f"{text} {names[winner]} wins!"
