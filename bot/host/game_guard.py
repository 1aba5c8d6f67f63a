"""The guard around the calls of a table's game."""

from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar

from bot.host.request import Refusal
from bot.store.protocol import StoreError


class GameFault(Exception):
    """A fault in a game's rules, words or pictures.  ``__cause__`` is the exception that it raised."""

    error_id = ""
    """The id in the log line about the fault; empty until ``Tables`` has logged it."""

    def __init__(self, table_number: int) -> None:
        """The fault of a game at a table."""
        super().__init__(table_number)
        self.table_number = table_number


_NOT_GAME_FAULTS: Final = (Refusal, StoreError, GameFault, MemoryError, OSError)
"""Errors that are not a game's fault, and ``GameFault`` itself."""


class GameGuard:
    """Turns what a game raises into a GameFault with the table's number; used around every call of a game.

    A RulesError that is meant for a user must become a Refusal inside.
    """

    __slots__ = ("_table_number",)

    def __init__(self, table_number: int) -> None:
        """Guard calls of the game of a table."""
        self._table_number = table_number

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Raise GameFault from an error of the game."""
        if isinstance(error, Exception) and not isinstance(error, _NOT_GAME_FAULTS):
            raise GameFault(self._table_number) from error


class _HasNumber(Protocol):
    """Something with a table's number."""

    @property
    def number(self) -> int: ...


P = ParamSpec("P")
T = TypeVar("T")
TableT = TypeVar("TableT", bound=_HasNumber)


def guarded(function: Callable[Concatenate[TableT, P], T]) -> Callable[Concatenate[TableT, P], T]:
    """Decorate a function of a table that calls its game: it raises GameFault if the game fails."""

    @wraps(function)
    def call(table: TableT, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with GameGuard(table.number):
            return function(table, *args, **kwargs)

    return call
