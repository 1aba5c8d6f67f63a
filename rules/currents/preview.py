"""The preview of an action, from the public position and the player's own play.

Rulebook, "Math Made Easy": anybody may compute the move openly.  The hand is read only to say that its
cards cannot stop the pawn.
"""

from collections.abc import Sequence

from rules.currents import turn
from rules.currents.actions import (
    CallJoker,
    ChooseAxis,
    Concede,
    Defend,
    PlaceAce,
)
from rules.currents.board import GEOMETRIES, empty_places
from rules.currents.components import SUIT_BY_CARD
from rules.currents.drift import Drift, Influence, compute_drift, find_influences
from rules.currents.events import PawnDrifted
from rules.currents.jokers import shuffled_count
from rules.currents.legal import can_stop_pawn, defending_cards, defending_cards_at
from rules.currents.model import BoardShape, CurrentsView, Exit, Position
from rules.currents.phrases import (
    NOTHING_TO_SHUFFLE,
    PLACE_WORDS,
    SUIT_WORDS,
    card_text,
    cards_text,
    cost_text,
    directions_text,
    edge_text,
    move_text,
    net_push_text,
    point_text,
    push_directions_text,
    shuffled_parts_text,
    stop_text,
)
from rules.model import Action, Names, Resign, Seat
from rules.text import listed


def preview(view: CurrentsView, action: Action, names: Names) -> str | None:
    """Return what a legal action would do, in at most 900 characters."""
    position = view.position
    match action:
        case Resign():
            return None
        case ChooseAxis(axis=axis):
            geometry = GEOMETRIES[position.options.board]
            own_goals, other_goals = (
                geometry.goals(position.seat_count, Seat(seat), Seat(0), axis)
                for seat in range(position.seat_count)
            )
            return f"You win over {directions_text(own_goals)}. You defend {directions_text(other_goals)}."
        case PlaceAce(ace=ace, place=place):
            suit_word = SUIT_WORDS[ace[-1]]
            text = f"While {card_text(ace)} lies there, {suit_word} push towards {PLACE_WORDS[place]}."
            return f"{text}{_last_ace_text(position, action)}"
        case Concede():
            exit_ = position.exits[0]
            exit_sentence = f"The pawn leaves over {edge_text(exit_.edge)} and {names[exit_.owner]} wins."
            return f"{_cannot_stop_text(view)}{exit_sentence}"
        case Defend():
            return _defence_text(position, action, names)
        case CallJoker():
            return _joker_text(position, action, names)
        case _:
            after = turn.apply_play(position, action)
            return f"{_drift_text(after, names, view.viewer)}{_possible_defence_text(view, action, after)}"


def needs_confirmation(view: CurrentsView, action: Action) -> bool:
    """Whether an action is confirmed: aces, and plays, which may send the pawn over a goal edge."""
    return isinstance(action, (PlaceAce, *turn.PLAY_TYPES))


def short_preview(view: CurrentsView, action: Action, names: Names) -> str:
    """Return where the pawn would go, in a few words; empty for an action that is no play."""
    position = view.position
    if isinstance(action, CallJoker) and shuffled_count(position, action.card) > 1:
        return "the shuffle decides"
    if not isinstance(action, turn.PLAY_TYPES):
        return ""
    after = turn.apply_play(position, action)
    drift = compute_drift(after)
    if drift.exits:
        exit_ = drift.exits[0]
        goal = f"over {edge_text(exit_.edge)}: {names[exit_.owner]}'s goal"
        if turn.can_be_stopped(after, exit_):
            return f"the pawn would leave {goal}"
        return f"the pawn leaves {goal}, nobody can stop it"
    if drift.target == position.pawn:
        return "the pawn stays"
    return f"the pawn goes to {point_text(position, drift.target)}"


def _last_ace_text(position: Position, action: PlaceAce) -> str:
    """Return where the last ace goes by itself; empty unless it is the only one left after this one."""
    after = turn.place_ace(position, action)
    if len(after.aces) != 1:
        return ""
    (last_place,) = empty_places(after)
    return f" The last ace, {card_text(after.aces[0])}, then goes to {PLACE_WORDS[last_place]}."


def _drift_text(position: Position, names: Names, viewer: Seat | None = None) -> str:
    """Return where the pawn goes, then which currents push it there.

    On the triangle follows how pushes cancel, where the pawn does not simply follow them all.
    """
    drift, reaching = compute_drift(position), find_influences(position)
    if not reaching:
        return f"No current reaches the pawn. It stays at {point_text(position, position.pawn)}."
    if drift.exits:
        lines = [_leaving_text(position, drift.exits, names, viewer)]
    else:
        lines = [move_text(position, position.pawn, drift.target)]
    if drift.target != GEOMETRIES[position.options.board].push(position.pawn, drift.pushes):
        lines.append(f"Obstacles are in the way: the currents push {net_push_text(drift.pushes)}.")
    influences_by_suit: dict[str, list[Influence]] = {}
    for influence in reaching:
        influences_by_suit.setdefault(SUIT_BY_CARD[influence.card], []).append(influence)
    lines += [_pushes_text(suit, each) for suit, each in influences_by_suit.items()]
    if position.options.board is BoardShape.TRIANGLE and _changes(drift) != drift.pushes:
        lines.append("One step towards each of the three sides leads back to where it began.")
    return "\n".join(lines)


def _changes(drift: Drift) -> tuple[int, ...]:
    """Return by how much each coordinate of the pawn changes."""
    return tuple(new - old for old, new in zip(drift.path[0], drift.target, strict=True))


def _pushes_text(suit: str, currents: Sequence[Influence]) -> str:
    """Return what the currents of one suit do."""
    cards_at_slots = listed([f"{card_text(each.card)} at {each.slot}" for each in currents])
    is_plural = len(currents) > 1
    if currents[0].directions:
        where = push_directions_text(currents[0].directions)
        return f"{cards_at_slots} {'push' if is_plural else 'pushes'} {where}."
    return f"{cards_at_slots} {'do' if is_plural else 'does'} not push: no {SUIT_WORDS[suit]} on the compass."


def _leaving_text(position: Position, exits: tuple[Exit, ...], names: Names, viewer: Seat | None) -> str:
    """Return over whose goal the pawn would leave and who may stop it, in the order of the rules.

    For the viewer it names only the cost: ``_possible_defence_text`` adds whether their cards are enough.
    """
    sentences = []
    for index, exit_ in enumerate(exits):
        opening = "If stopped there, it would leave over" if index else "The pawn would leave over"
        owner_name = names[exit_.owner]
        stopping_text = stop_text(position, exit_, names)
        if exit_.defender == viewer and turn.can_be_stopped(position, exit_):
            stopping_text = f"Stopping it takes {cost_text(position, exit_)}."
        sentences.append(f"{opening} {edge_text(exit_.edge)}, {owner_name}'s goal. {stopping_text}")
        if not turn.can_be_stopped(position, exit_):
            sentences.append(f"{owner_name} wins.")
            break
    return "\n".join(sentences)


def _defence_text(position: Position, action: Defend, names: Names) -> str:
    after = turn.defend(position, action.cards)
    stops = (
        f"You give up {cards_text(action.cards)} and stop the pawn at {edge_text(position.exits[0].edge)}."
    )
    if len(position.exits) == 1:
        path = next(event.path for event in after.trail if isinstance(event, PawnDrifted))
        verb = "stays at" if path[0] == path[-1] else "goes to"
        return f"{stops} It {verb} {point_text(position, after.pawn)}."
    exit_ = position.exits[1]
    ending = "" if turn.can_be_stopped(after, exit_) else f" {names[exit_.owner]} wins."
    return (
        f"{stops} Then it would leave over {edge_text(exit_.edge)}, {names[exit_.owner]}'s goal. "
        f"{stop_text(after, exit_, names)}{ending}"
    )


def _possible_defence_text(view: CurrentsView, action: Action, after: Position) -> str:
    """Return which cards the viewer would hold to stop the pawn after a play, also second at a corner.

    Empty if the viewer would not be asked to stop it.
    """
    for index, exit_ in enumerate(compute_drift(after).exits):
        if not turn.can_be_stopped(after, exit_):
            return ""
        if exit_.defender == view.viewer:
            where = f" at {edge_text(exit_.edge)}" if index else ""
            return _own_cards_text(view, action, after, exit_, where)
    return ""


def _own_cards_text(view: CurrentsView, action: Action, after: Position, exit_: Exit, where: str) -> str:
    spent = turn.spent_cards(action)
    held = [card for card in defending_cards_at(view.hand, after, exit_) if card not in spent]
    if len(held) >= exit_.overshoot:
        return f"\nYou can stop it{where} yourself: you hold {cards_text(held)}."
    held_text = f"only {cards_text(held)}" if held else "no such card"
    return f"\n**You cannot stop it{where}: you hold {held_text}.**"


def _cannot_stop_text(view: CurrentsView) -> str:
    """Return why the viewer can only let the pawn pass; empty if there is a choice."""
    position = view.position
    if can_stop_pawn(view):
        return ""
    exit_, fitting = position.exits[0], defending_cards(view)
    held_text = f"only {cards_text(fitting)}" if fitting else "none"
    return f"Stopping it takes {cost_text(position, exit_)}. You hold {held_text}.\n"


def _joker_text(position: Position, action: CallJoker, names: Names) -> str:
    count = shuffled_count(position, action.card)
    if count < 2:
        return f"{NOTHING_TO_SHUFFLE}\n{_drift_text(turn.apply_play(position, action), names)}"
    return (
        f"{count} cards are shuffled ({shuffled_parts_text(position, action.card)}). The shuffle decides "
        f"where the pawn drifts from {point_text(position, position.pawn)}. Nobody can tell before."
    )
