"""Guarded calls of a table's game, for previews: what may follow a choice, and which are confirmed first.

Each function raises GameFault if the game fails.  A preview uses states sampled from the actor's view, never
the real one: a preview that differed only if a defender holds the right card would reveal that card.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from bot.host.game_calls import match_of
from bot.host.game_guard import guarded
from bot.host.match_memo import MatchMemo
from bot.host.table import Table
from rules.consequence import Consequence, apply_with_forced_choices, simulate_choice
from rules.model import CHANCE, Action, Event, Seat, View
from rules.random_stream import SEED_BYTES, RandomStream

_ANY_SEED: Final = bytes(SEED_BYTES)
"""Samples come from what the actor knows, so any seed will do."""
_SAMPLE_COUNT: Final = 4
"""How many games are sampled to find the consequences of a previewed action."""
_CHANCE_SAMPLE_COUNT: Final = 16
"""How many are sampled if chance may decide which other seat is next: fewer could miss a rare one."""

_memo: Final = MatchMemo()


@guarded
def short_preview_text(table: Table, seat: Seat, action: Action) -> str:
    """Return what a legal action would do in a few words; may be empty."""
    return table.game.words.short_preview(match_of(table).view(seat), action, table.names)


@guarded
def short_warning_text(table: Table, seat: Seat, action: Action) -> str:
    """Return the part of an action's short preview that nobody may miss; may be empty."""
    return table.game.words.short_warning(match_of(table).view(seat), action, table.names)


@guarded
def preview_text(table: Table, seat: Seat, action: Action) -> str | None:
    """Return what a legal action would do, as far as its actor can know; None if there is nothing to show."""
    return table.game.words.preview(match_of(table).view(seat), action, table.names)


class PreviewedBoard(NamedTuple):
    """The board after an action and before chance, as the action's actor would see it."""

    view: View
    events: tuple[Event, ...]
    """The public events up to then."""
    asks_seat: bool
    """Whether a seat is to choose next: neither chance, nor nobody."""


@guarded
def board_after(table: Table, seat: Seat, action: Action) -> PreviewedBoard:
    """Return the board after a legal action and before chance, with what its actor alone knows.

    Nothing sampled shows, as an own action reveals nothing to its actor (``tests/conformance``).  Forced
    choices that follow are played: else the picture would ask a seat that has nothing to choose.
    """
    game = table.game
    state, events = apply_with_forced_choices(game, _first_sampled_state(table, seat), action)
    return PreviewedBoard(game.view(state, seat), events, game.to_act(state) not in {None, CHANCE})


@guarded
def tables_before(table: Table, seat: Seat, actions: Sequence[Action]) -> list[Table]:
    """Return a table as it would be before each of some actions, of which each is legal after the others."""
    match, tables = match_of(table), []
    for action in actions[:-1]:
        tables.append(replace(table, match=match))
        match = match.play_uninterrupted(seat, action)
    return [*tables, replace(table, match=match)]


@guarded
def consequences(table: Table, seat: Seat, action: Action) -> frozenset[Consequence]:
    """Return what may follow a legal action, as far as its actor can know."""
    view, found_consequences = match_of(table).view(seat), set[Consequence]()
    for sample_index in range(_CHANCE_SAMPLE_COUNT):
        if sample_index >= _SAMPLE_COUNT and not _may_depend_on_chance(found_consequences, seat):
            break
        state = table.game.sample_state(view, RandomStream(_ANY_SEED, 2 * sample_index))
        found_consequences.add(
            simulate_choice(table.game, state, action, RandomStream(_ANY_SEED, 2 * sample_index + 1))
        )
    return frozenset(found_consequences)


def _may_depend_on_chance(found_consequences: Collection[Consequence], seat: Seat) -> bool:
    """Whether the same other seat is next in all consequences found, but chance may have decided that."""
    next_seats = {each.to_act for each in found_consequences}
    return (
        len(next_seats) == 1 and seat not in next_seats and any(each.reveals for each in found_consequences)
    )


@guarded
def actions_to_confirm(table: Table, seat: Seat, actions: Collection[Action]) -> frozenset[Action]:
    """Return the actions that a player confirms before they are played.

    They pass the turn or reveal what their label does not say (``VerbTexts.confirm``, ``needs_no_preview``),
    or may cost what it hides (``needs_confirmation``).
    """
    words, view = table.game.words, match_of(table).view(seat)
    with_hidden_cost = {action for action in actions if words.needs_confirmation(view, action)}
    with_full_label = set(_actions_with_full_label(table, seat, actions))
    candidates = [each for each in actions if each not in with_hidden_cost and each not in with_full_label]
    consequence_by_action = _consequence_by_action(table, seat, candidates)
    passing_or_revealing = (
        action for action in candidates if not consequence_by_action[action].lets_continue(seat)
    )
    return frozenset((*with_hidden_cost, *passing_or_revealing))


def is_computer_next(table: Table, consequence: Consequence) -> bool:
    """Whether a computer player moves at once after a choice, so that no undo of it is free."""
    return consequence.to_act is not None and table.seats[consequence.to_act].playing_computer is not None


@guarded
def unconfirmed_committing_actions(
    table: Table, seat: Seat, actions: Collection[Action]
) -> frozenset[Action]:
    """Return the actions that nobody confirms and no undo takes back freely, but do not end the game.

    They reveal something, or a computer player is next.
    """
    consequence_by_action = _unconfirmed_consequences(table, seat, actions)
    return frozenset(
        action
        for action, consequence in consequence_by_action.items()
        if consequence.to_act is not None and (consequence.reveals or is_computer_next(table, consequence))
    )


@guarded
def unconfirmed_ending_actions(table: Table, seat: Seat, actions: Collection[Action]) -> frozenset[Action]:
    """Return the actions that end the game although nobody confirms them."""
    consequence_by_action = _unconfirmed_consequences(table, seat, actions)
    return frozenset(
        action for action, consequence in consequence_by_action.items() if consequence.to_act is None
    )


@guarded
def _unconfirmed_consequences(
    table: Table, seat: Seat, actions: Collection[Action]
) -> dict[Action, Consequence]:
    """Return what follows each of the actions that nobody confirms since their labels say all."""
    words, view = table.game.words, match_of(table).view(seat)
    unconfirmed = [
        action
        for action in _actions_with_full_label(table, seat, actions)
        if not words.needs_confirmation(view, action)
    ]
    return _consequence_by_action(table, seat, unconfirmed)


@guarded
def _actions_with_full_label(table: Table, seat: Seat, actions: Collection[Action]) -> list[Action]:
    """Return the actions whose label says all of what passes the turn or is revealed."""
    words, view = table.game.words, match_of(table).view(seat)
    return [
        action
        for action in actions
        if not words.verb_texts[type(action)].confirm or words.needs_no_preview(view, action)
    ]


@guarded
def _consequence_by_action(
    table: Table, seat: Seat, actions: Collection[Action]
) -> dict[Action, Consequence]:
    """Return what follows each action in one sampled state."""
    cached: dict[Action, Consequence] = _memo.values_of(table.number, match_of(table)).setdefault(
        ("consequences", seat), {}
    )
    missing = [action for action in actions if action not in cached]
    if missing:
        state = _first_sampled_state(table, seat)
        for action in missing:
            cached[action] = simulate_choice(table.game, state, action, RandomStream(_ANY_SEED, 1))
    return {action: cached[action] for action in actions}


@guarded
def _first_sampled_state(table: Table, seat: Seat) -> Any:
    """Return the first state sampled from the seat's view; cached, as each screen of a panel asks for it."""
    cached_values, key = _memo.values_of(table.number, match_of(table)), ("sampled state", seat)
    if key not in cached_values:
        cached_values[key] = table.game.sample_state(match_of(table).view(seat), RandomStream(_ANY_SEED, 0))
    return cached_values[key]
