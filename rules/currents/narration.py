"""The narration of an action in sentences, from the view before, the action as seen, and the trail."""

from collections.abc import Iterator

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
from rules.narration import Narration, Sentence, SentenceKind, narration
from rules.text import capitalized, counted, listed


def narrate(
    before: CurrentsView, actor: Seat, action: Action, after: CurrentsView, names: Names
) -> Narration:
    """Describe one action and what it brought about; empty if the viewer saw nothing that needs words."""
    return narration(_sentences(before, actor, action, after, names))


def _sentences(
    before: CurrentsView, actor: Seat, action: Action, after: CurrentsView, names: Names
) -> Iterator[str | Sentence]:
    position = after.position
    if isinstance(action, Resign):
        yield f"{names[actor]} resigns."
        if position.winner is not None:
            yield f"{names[position.winner]} wins."
        return
    if isinstance(action, Concede):
        yield f"{names[actor]} does not stop the pawn."
    for i, event in enumerate(position.trail):
        yield from _event_sentences(before.position, actor, action, position, i, event, names)
    if position.phase is Phase.OVER and position.winner is None:
        yield f"Turn {position.turn} was the last one: nobody wins."


def _event_sentences(
    before: Position, actor: Seat, action: Action, after: Position, index: int, event: AnyEvent, names: Names
) -> Iterator[str | Sentence]:
    match event:
        case Dealt():
            yield from _deal_sentences(before, action, after, names)
        case Reshuffled(count=count):
            yield f"The draw pile is used up: the discard pile ({counted(count, 'card')}) is the new one."
        case FirstPlayerSet(seat=seat):
            yield from _first_player_sentences(after, seat, names)
        case AxisChosen(seat=seat):
            goal_names = directions_text(goals_of(after, seat))
            yield f"{names[seat]} aims for {goal_names}, {_other_goals_text(after, seat, names)}."
        case CompassCardSet(place=place, card=card, replaced=old_card):
            yield _laid_text(actor, card, compass_place_text(place), old_card, index, names)
        case CurrentSet(slot=slot, card=card, replaced=old_card):
            yield _laid_text(actor, card, f"slot {slot}", old_card, index, names)
        case Discarded(seat=seat, cards=cards):
            # else the next event says it
            if not isinstance(action, CallJack | CallQueen | CallKing | CallJoker | Defend):
                yield f"{names[seat]} discards {cards_text(cards)}."
        case CompassCardTaken(place=place, card=card):
            spot = compass_place_text(place)
            yield f"{_call_text(actor, action, names)}: {card_text(card)} is removed from {spot}."
        case CurrentsSwapped(slot=slot, other=other):
            yield f"{_call_text(actor, action, names)}: {_swap_text(before, slot, other)}."
        case CompassTurned(rotation=rotation):
            yield f"{_call_text(actor, action, names)}: the compass turns {ROTATION_WORDS[rotation]}."
            yield compass_text(after)
        case JokerCalled():
            yield f"{_call_text(actor, action, names)}."
        case JokerShuffled(places=places, slots=slots):
            yield from _shuffle_sentences(after, places, slots)
        case AceLeftOver(card=card):
            yield f"{card_text(card)} finds no place and goes to the discard pile."
        case PawnDrifted(path=path):
            yield _drifted_text(before, path)
        case ExitThreatened(edge=edge):
            exit_, *later_exits = after.exits
            goal_text = f"{edge_text(edge)}, {names[exit_.owner]}'s goal"
            yield Sentence(f"The pawn is about to leave over {goal_text}.", SentenceKind.GAIN_OR_LOSS)
            yield stop_text(after, exit_, names)
            for each in later_exits:
                goal_text = f"{edge_text(each.edge)}, {names[each.owner]}'s goal"
                yield f"If stopped there, it would leave over {goal_text}."
        case PawnStopped(edge=edge, defender=defender):
            assert isinstance(action, Defend)
            yield f"{names[defender]} stops the pawn at {edge_text(edge)} with {cards_text(action.cards)}."
        case PawnLeft(edge=edge, winner=winner):
            yield from _leaving_sentences(action, after, edge, winner, names)


def _deal_sentences(before: Position, action: Action, after: Position, names: Names) -> Iterator[str]:
    """Yield what was dealt or drawn: the cards if the viewer sees them, else their number if above one.

    At the first deal hidden cards have no text; after the last hand follows how many cards everybody holds.
    """
    assert isinstance(action, Deal)
    name = names[action.seat]
    is_seen = FACE_DOWN not in action.cards
    if before.phase is Phase.DEAL:
        if is_seen:
            yield f"{name} is dealt {cards_text(action.cards)}."
        if 0 not in after.hand_sizes:
            yield f"Everybody holds {counted(after.hand_sizes[0], 'card')}."
    elif is_seen:
        yield f"{name} draws {cards_text(action.cards)}."
    elif len(action.cards) > 1:
        yield f"{name} draws {counted(len(action.cards), 'card')}."


def _first_player_sentences(position: Position, seat: Seat, names: Names) -> Iterator[str]:
    """Yield who takes the first turn and who lays the aces before it."""
    name = names[seat]
    yield f"{name} takes the first turn."
    if position.seat_count > 2:
        order_text = listed([names[placer] for placer in ace_placers(position, seat)])
        yield f"Before it, {order_text} lay one ace each, in this order."
    else:
        yield f"Before it, {name} chooses the goals."
        yield f"Then {names[Seat(1 - seat)]} lays two aces, and {name} the other two."


def _other_goals_text(position: Position, seat: Seat, names: Names) -> str:
    other = Seat(1 - seat)
    return f"{names[other]} for {directions_text(goals_of(position, other))}"


def _laid_text(actor: Seat, card: Card, spot: str, old_card: Card | None, index: int, names: Names) -> str:
    """Return where a card is laid; ``index``: that of its event in the trail."""
    if index:  # the second card of a combination
        return f"{capitalized(card_text(card))} follows on top of it."
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


def _shuffle_sentences(after: Position, places: tuple[str, ...], slots: tuple[str, ...]) -> Iterator[str]:
    if len(places) + len(slots) < 2:
        yield NOTHING_TO_SHUFFLE
        return
    if places:
        yield "The compass is shuffled."
        yield compass_text(after)
    if slots:
        slot_texts = ", ".join(f"{slot} {card_or_empty_text(card_on_slot(after, slot))}" for slot in slots)
        yield f"The currents are shuffled: {slot_texts}."


def _drifted_text(position: Position, path: tuple[Point, ...]) -> str:
    start, end = path[0], path[-1]
    if start != end and GEOMETRIES[position.options.board].crossed_edges(end):
        return ""  # the next event says it
    if start != end and position.phase is Phase.GOALTEND:
        return f"The pawn goes to {point_text(position, end)}."
    return move_text(position, start, end)


def _leaving_sentences(
    action: Action, after: Position, edge: str, winner: Seat, names: Names
) -> Iterator[str]:
    """Yield over which edge the pawn left, and why nobody was asked if nobody was."""
    yield f"The pawn leaves the board over {edge_text(edge)}."
    if not isinstance(action, Concede):
        overshoot = dict(GEOMETRIES[after.options.board].crossed_edges(after.pawn))[edge]
        exit_ = Exit(edge, winner, defender_of(after, edge, winner), overshoot)
        yield stop_text(after, exit_, names)
    yield f"{names[winner]} wins!"
