"""What a player may mean who types a move, or one of several moves of a line."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from bot.host.game_calls import match_of
from bot.host.game_guard import guarded
from bot.host.match_memo import MatchMemo
from bot.host.table import Table
from rules.errors import GuessedAction, RulesError
from rules.match import Match
from rules.model import Seat
from rules.notation import ACTION_SEPARATOR, normalize_spelling, write_action
from rules.typed_moves import TypedMoveReader

_typed_lines: Final = MatchMemo(max_tables=4)
"""What is being typed: readers take up to 2 MiB each, and a new one up to 30 ms."""


class SuggestedMove(NamedTuple):
    """A legal move that a typed text may mean."""

    label: str
    written: str


class LineSuggestions(NamedTuple):
    """What the first move of a line may mean that is not complete, with the others."""

    moves: Sequence[SuggestedMove]
    """The best first; any if nothing is typed of it; none where none may follow the others."""
    typed_before: tuple[str, ...]
    written_before: tuple[str, ...]
    """The complete moves before it in notation; as typed where they are only guessed."""
    typed_after: tuple[str, ...]


class _Step(NamedTuple):
    """A complete move of a line, of which more is typed."""

    typed: str
    written: str
    after: Match | None
    """The match after it; None if no other move may follow on its line."""


class _TypedLine(NamedTuple):
    """What is kept of a line from one letter to the next: its complete moves, and what reads the next one."""

    steps: tuple[_Step, ...]
    reader: TypedMoveReader


@guarded
def suggest_moves(table: Table, seat: Seat, text: str, max_count: int) -> LineSuggestions:
    """Return what a typed move or line may mean, for the seat whose turn it is: so many moves at most."""
    parts = [part.strip() for part in text.split(ACTION_SEPARATOR)]
    steps, reader = _follow_line(table, seat, parts[:-1])
    before = tuple(step.typed for step in steps), tuple(step.written for step in steps)
    typed_after = tuple(filter(None, parts[len(steps) + 1 :]))
    match = _match_after(table, steps)
    if match is None:
        return LineSuggestions((), *before, typed_after)
    view = match.view(seat)
    moves = [
        SuggestedMove(table.game.words.label(view, action, table.plain_names), write_action(action))
        for action in reader.suggest(parts[len(steps)])[:max_count]
    ]
    return LineSuggestions(moves, *before, typed_after)


@guarded
def _follow_line(table: Table, seat: Seat, parts: Sequence[str]) -> _TypedLine:
    """Return the complete moves with which a line begins, and the reader of the next one."""
    cached_lines, key = _typed_lines.values_of(table.number, match_of(table)), (seat, table.plain_names)
    if key not in cached_lines:
        cached_lines[key] = _TypedLine((), _make_reader(table, seat, match_of(table)))
    line: _TypedLine = cached_lines[key]
    kept_count = sum(
        1 for _ in takewhile(lambda pair: pair[0].typed == pair[1], zip(line.steps, parts, strict=False))
    )
    if kept_count < len(line.steps):
        line = _line_after(table, seat, line.steps[:kept_count], line.reader)
    for part in parts[kept_count:]:
        match = _match_after(table, line.steps)
        step = None if match is None else _read_step(table, seat, match, line.reader, part)
        if step is None:
            break
        line = _line_after(table, seat, (*line.steps, step), line.reader)
    cached_lines[key] = line
    return line


@guarded
def _match_after(table: Table, steps: Sequence[_Step]) -> Match | None:
    """Return the match after the first moves of a line; None if no other may follow."""
    return steps[-1].after if steps else match_of(table)


@guarded
def _line_after(
    table: Table, seat: Seat, steps: tuple[_Step, ...], earlier_reader: TypedMoveReader
) -> _TypedLine:
    """Return the line with these moves; where none may follow, with the reader that it had."""
    match = _match_after(table, steps)
    return _TypedLine(steps, earlier_reader if match is None else _make_reader(table, seat, match))


@guarded
def _make_reader(table: Table, seat: Seat, match: Match) -> TypedMoveReader:
    return TypedMoveReader(table.game, match.view(seat), match.legal_actions(seat), table.plain_names)


@guarded
def _read_step(table: Table, seat: Seat, match: Match, reader: TypedMoveReader, part: str) -> _Step | None:
    """Return the step of a typed move; None if it is not complete, or not legal."""
    try:
        action = reader.read(part)
        written = write_action(action)
    except GuessedAction as guess:
        action, written = guess.action, part
    except RulesError:
        return None
    legal = match.legal_actions(seat)
    if normalize_spelling(action, legal) not in legal:
        return None
    try:
        return _Step(part, written, match.play_uninterrupted(seat, action))
    except RulesError:
        return _Step(part, written, None)
