"""Suggestions for a typed move: each holds the whole line, since choosing one replaces all that is typed."""

from typing import TypeAlias

from discord import app_commands

from bot import limits
from bot.chat.lookup import resolve_table
from bot.host.line_suggestions import LineSuggestions, SuggestedMove, suggest_moves
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables
from rules.model import Seat
from rules.notation import ACTION_SEPARATOR
from rules.text import first_fitting, shortened

_Choices: TypeAlias = list[app_commands.Choice[str]]
_JOINT = f"{ACTION_SEPARATOR} "


async def find_move_suggestions(tables: Tables, request: Request, number: int | None, typed: str) -> _Choices:
    """Return the legal moves that hold the words typed so far, or else what these are read as.

    In a line of several moves they stand in place of the first that is not complete.
    """
    table = await resolve_table(tables, request, number)
    seat = table.seat_of(request.user)
    if seat is None or table.to_act is None:
        return []
    if table.to_act != seat:
        return _waiting_suggestions(table, seat, typed)
    suggestions = suggest_moves(table, seat, typed, limits.AUTOCOMPLETE_CHOICES)
    values = (_value_of(suggestions, move) for move in suggestions.moves)
    return [
        app_commands.Choice(name=_name_of(suggestions, move), value=value)
        for move, value in zip(suggestions.moves, values, strict=True)
        if len(value) <= limits.CHOICE_VALUE  # a line that is cut would be another line
    ]


def _value_of(suggestions: LineSuggestions, move: SuggestedMove) -> str:
    """Return the whole line with a suggested move in it, as short as it can be typed."""
    return ACTION_SEPARATOR.join((*suggestions.written_before, move.written, *suggestions.typed_after))


def _name_of(suggestions: LineSuggestions, move: SuggestedMove) -> str:
    """Return the whole line as it was typed, with a suggested move in it, or what fits of it."""
    before, after = suggestions.typed_before, suggestions.typed_after
    return first_fitting(
        limits.CHOICE_NAME,
        _JOINT.join((*before, move.label, *after)),
        _JOINT.join((*("…" for _ in before[:1]), move.label, *("…" for _ in after[:1]))),
    )


def _waiting_suggestions(table: Table, seat: Seat, typed: str) -> _Choices:
    """Return what has been typed, named by whose turn it is: nothing else can be suggested out of turn."""
    assert table.match is not None
    if table.to_act is None or seat in table.match.resigned_seats or not typed.strip():
        return []
    name = f"It is not your turn. Wait for {table.plain_names[table.to_act]}."
    value = typed[: limits.CHOICE_VALUE]
    return [app_commands.Choice(name=shortened(name, limits.CHOICE_NAME), value=value)]
