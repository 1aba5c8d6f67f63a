"""Guarded calls of a table's game, for what is shown of it: views, texts, possible undos.

Each function raises GameFault if the game fails.  Apart from the deciders, which ``Tables`` guards as a
whole, nothing in ``bot`` calls a game outside a guard (``tests/bot/host/test_game_calls.py``).
"""

from collections.abc import Sequence
from typing import Final

from bot.host.deciders import results, undoing
from bot.host.game_guard import guarded
from bot.host.match_memo import MatchMemo
from bot.host.request import Refusal
from bot.host.table import Table
from bot.store.results import UnratedReason
from bot.store.rows import Status
from rules.errors import RulesError
from rules.match import Match
from rules.model import Action, Event, Names, Result, Seat, View
from rules.move_texts import MoveTexts
from rules.notation import Notation
from rules.options import fitting_changes
from rules.paths import ActionPath, index_paths
from rules.plies import index_at
from rules.record import PossibleUndo
from rules.turns import newest_turn, running_turn

_HALTED_TEXTS: Final = {
    Status.PAUSED: "The game is paused.",
    Status.FROZEN: "The game is frozen.",
    Status.ENDED_EARLY: "The game has ended early.",
}
"""What the description of a picture says in place of whose turn it is."""

_memo: Final = MatchMemo()


def match_of(table: Table) -> Match:
    """Return the match of a table that has one, for guarded functions."""
    assert table.match is not None, "a table without a match is refused before its game is called"
    return table.match


# What a viewer knows ------------------------------------------------------------------------------------


@guarded
def view(table: Table, viewer: Seat | None) -> View:
    """Return what a viewer may know; None is a bystander.

    Once the game has ended early it is nobody's turn any more.
    """
    seen: View = match_of(table).view(viewer)
    if table.status is Status.ENDED_EARLY:
        seen = table.game.without_turn(seen)
    return seen


@guarded
def legal_actions(table: Table, seat: Seat) -> tuple[Action, ...]:
    """Return a seat's legal actions."""
    return match_of(table).legal_actions(seat)


@guarded
def parse_action(table: Table, text: str) -> Action:
    """Parse an action in full notation; the signs of the game may be written.  Raises Refusal."""
    notation = Notation(table.game)
    try:
        return notation.parse(notation.replace_signs(text))
    except RulesError as error:
        raise Refusal(str(error)) from error


@guarded
def example_move(table: Table, seat: Seat) -> str:
    """Return a legal move of a seat as it may be typed; empty if none is legal."""
    view = match_of(table).view(seat)
    return MoveTexts(table.game, view, legal_actions(table, seat), table.plain_names).example


@guarded
def allowed_player_counts(table: Table) -> tuple[int, ...]:
    """Return the numbers of players that the table's options allow; all of the game's if they allow none."""
    return table.game.player_counts_with(table.options)


@guarded
def option_conflict(table: Table) -> str | None:
    """Return why the table's options fit no number of players; None if they fit one."""
    conflict: str | None = table.game.option_conflict(table.options)
    return conflict


@guarded
def fitting_option_changes(table: Table, seat_count: int) -> tuple[tuple[str, str], ...]:
    """Return each single option, with a value, that lets so many players play; empty if they may already."""
    game = table.game
    if seat_count not in game.player_counts or game.setup_error(seat_count, table.options) is None:
        return ()
    return fitting_changes(game, seat_count, table.options)


# Texts --------------------------------------------------------------------------------------------------


@guarded
def status_text(table: Table, viewer: Seat | None, names: Names | None = None) -> str:
    """Return one line that says who is to do what, or how the game ended."""
    view = match_of(table).view(viewer)
    names = names or table.names
    return _computer_status_text(table, names) or str(table.game.words.status(view, names))


@guarded
def _status_in_place(table: Table, names: Names) -> str:
    """Return what a description says in place of the game's own status; empty if nothing."""
    if table.status is Status.ENDED_EARLY:
        return _HALTED_TEXTS[table.status]
    return _computer_status_text(table, names)


@guarded
def turn_number(table: Table) -> int | None:
    """Return the number of the turn, from 1, where the game numbers its turns; 0: none, None: it does not."""
    return table.game.turn_number(match_of(table).view(None))


@guarded
def _computer_status_text(table: Table, names: Names) -> str:
    """Return a sentence about the computer player that is to act; empty if none is."""
    seat = match_of(table).to_act
    if seat is None or table.seats[seat].playing_computer is None:
        return ""
    if table.seats[seat].substitute is not None:
        return f"A computer player is finishing {names[seat]}'s turn."
    return f"{names[seat]} is finishing its turn."


@guarded
def points_text(table: Table) -> str:
    """Return the points of every seat so far, "Ava 21, Ben 12"; empty if not everybody sees them."""
    view = match_of(table).view(None)
    points = [table.game.points(view, Seat(i)) for i in range(len(table.seats))]
    point_texts = (
        f"{name} {each}" for name, each in zip(table.names, points, strict=True) if each is not None
    )
    return ", ".join(point_texts)


@guarded
def hand_text(table: Table, seat: Seat, names: Names | None = None) -> str:
    """Return what a seat holds in secret; empty if nothing."""
    text: str = table.game.words.hand_text(match_of(table).view(seat), names or table.names)
    return text


@guarded
def hand_summary(table: Table, seat: Seat) -> str:
    """Return what a seat holds in secret, as it stands above its picture; empty if nothing."""
    words = table.game.words
    summarize = words.hand_summary or words.hand_text
    text: str = summarize(match_of(table).view(seat), table.names)
    return text


@guarded
def board_text(table: Table, status: str = "") -> str:
    """Return the description of the public board; ``status``: in place of whose turn it is."""
    names = table.names
    return table.game.words.describe(view(table, None), names, status or _status_in_place(table, names))


@guarded
def own_board_text(table: Table, viewer: Seat | None, seat: Seat, names: Names) -> str:
    """Return what a viewer may know of a seat's own board as text; empty if the game has no such text."""
    text: str = table.game.words.own_board_text(view(table, viewer), seat, names)
    return text


@guarded
def alt_text(table: Table, view: View, status: str = "") -> str:
    """Describe the picture of the board as ``view`` shows it; ``status``: in place of whose turn it is."""
    names = table.isolated_names
    return table.game.words.alt_text(view, names, status or _status_in_place(table, names))


@guarded
def private_page_alt_text(table: Table, viewer: Seat | None = None) -> str:
    """Describe the picture of the board on a private page: while nobody can play, it asks nobody to play.

    The board message of a paused or frozen game keeps its description, since a new one would take a new
    upload.
    """
    return alt_text(table, view(table, viewer), _HALTED_TEXTS.get(table.status, ""))


@guarded
def new_events(table: Table) -> tuple[Event, ...]:
    """Return the public events since the last finished turn at a person's seat began; else all of them."""
    match = match_of(table)
    turn = newest_turn(match.history)
    if (running := running_turn(match.history, match.to_act)) is not None:
        turn = newest_turn(match.history, running.start) or running
    while turn is not None and table.seats[turn.seat].playing_user is None:
        earlier_turn = newest_turn(match.history, turn.start)
        if earlier_turn is None:
            break
        turn = earlier_turn
    return match.events_since(0 if turn is None else turn.start)


@guarded
def picture_text(table: Table, view: View, picture_name: str) -> str:
    """Describe one of the game's further pictures; empty if the game has no such text."""
    describe = table.game.words.picture_texts.get(picture_name)
    text: str = describe(view, table.isolated_names) if describe is not None else ""
    return text


@guarded
def action_label(table: Table, seat: Seat, action: Action, names: Names | None = None) -> str:
    """Return the label of a legal action; ``names``: of the players, None: unescaped, as in a choice."""
    return table.game.words.label(match_of(table).view(seat), action, names or table.plain_names)


@guarded
def value_label(table: Table, seat: Seat, action_type: type[Action], field: str, value: object) -> str:
    """Return the label of one field's value as a choice."""
    return table.game.words.value_label(match_of(table).view(seat), action_type, field, value)


@guarded
def action_paths(table: Table, seat: Seat) -> dict[tuple[str, ...], ActionPath]:
    """Return each of a seat's legal actions and its path, by the tokens of the path."""
    cached_values, key = _memo.values_of(table.number, match_of(table)), ("paths", seat, table.plain_names)
    if key not in cached_values:
        view = match_of(table).view(seat)
        cached_values[key] = index_paths(table.game, view, table.game.legal_actions(view), table.plain_names)
    paths: dict[tuple[str, ...], ActionPath] = cached_values[key]
    return paths


@guarded
def find_played_actions(table: Table, seat: Seat, actions: Sequence[Action], ply: int) -> range | None:
    """Return where in the history a seat's ``actions`` stand, which one button offered at ``ply``.

    The range ends before the next choice of any seat.  None if not all were played, or some were undone.
    """
    history, choice_indexes = match_of(table).history, choice_indexes_from(match_of(table), ply)
    played = [(history[index].actor, history[index].action) for index in choice_indexes[: len(actions)]]
    if played != [(seat, action) for action in actions]:
        return None
    return range(choice_indexes[0], [*choice_indexes, len(history)][len(actions)])


def choice_indexes_from(match: Match, ply: int) -> list[int]:
    """Return where the choices stand in the history from the one that was offered at ``ply`` on.

    Empty if that was not made, or was undone.
    """
    history = match.history
    first = index_at(match.ply_offsets, len(history), ply + 1)
    if first is None or not history[first].is_choice:
        return []
    return [index for index in range(first, len(history)) if history[index].is_choice]


# Results and previews ------------------------------------------------------------------------------------


@guarded
def result(table: Table) -> Result:
    """Return the final result of a game that is over."""
    return match_of(table).returns()


@guarded
def unrated_reason(table: Table) -> UnratedReason | None:
    """Return why the result of a game that is over is not rated; None if it is rated."""
    return results.unrated_reason(table)


@guarded
def replaced_player_names(table: Table) -> tuple[str, ...]:
    """Return the names of the people whose seats somebody else had at the end of a game that is over."""
    return results.replaced_player_names(table)


@guarded
def successor_names(table: Table) -> tuple[str, ...]:
    """Return the names of the people who finished a game at a seat that they had taken over."""
    return results.successor_names(table)


@guarded
def substituted_names(table: Table) -> tuple[str, ...]:
    """Return the names of the people for whom a computer player finished a game that is over."""
    return results.substituted_names(table)


@guarded
def is_over(table: Table) -> bool:
    """Whether the game is over by its rules."""
    return match_of(table).is_over


@guarded
def possible_undo(table: Table, seat: Seat) -> PossibleUndo | None:
    """Return the undo of a seat's last choice (``undoing``); None if there is nothing to undo."""
    return undoing.possible_undo(table, seat)


@guarded
def possible_turn_undo(table: Table, seat: Seat) -> PossibleUndo | None:
    """Return the undo of a seat's newest turn (``undoing``); None if there is nothing to undo."""
    return undoing.possible_turn_undo(table, seat)


@guarded
def free_turn_start(table: Table, seat: Seat, choice_index: int) -> int:
    """Return how far back a seat may undo freely once one of its choices has been undone (``undoing``)."""
    return undoing.free_turn_start(table, seat, choice_index)


@guarded
def can_resign(table: Table, seat: Seat) -> bool:
    """Whether the rules let a seat resign; otherwise a computer player must fill it."""
    return match_of(table).can_resign(seat)


@guarded
def resignation_ends_game(table: Table, seat: Seat) -> bool:
    """Whether the game would be over if this seat resigned now."""
    return match_of(table).resignation_ends_game(seat)
