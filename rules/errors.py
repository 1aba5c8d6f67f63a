"""The errors of the rules.

The text of a ``RulesError`` is a sentence or two for the user who acted, and depends on that user's view
only.  The other errors are faults in a game.
"""

from collections.abc import Sequence

from rules.model import Action


class RulesError(Exception):
    """Base of all refusals of the rules.  ``str(error)`` may be shown to the user who acted."""


class MalformedAction(RulesError):
    """The text or the fields are not an action of this game."""


class GuessedAction(MalformedAction):
    """A text that is no move, but means one legal action alone; it asks whether that is meant.

    Its words stand in no other one, or they write this one if misspelt words are corrected.  Whoever typed it
    must see that action before it is played.
    """

    def __init__(self, text: str, action: Action) -> None:
        """``text``: the question."""
        super().__init__(text, action)  # all arguments, so that it can be pickled
        self.action = action

    def __str__(self) -> str:
        return str(self.args[0])


class IllegalAction(RulesError):
    """A well-formed action that the rules do not allow now.  The text says why."""


class AmbiguousAction(RulesError):
    """A shortened text that fits several legal actions.  The text lists some of them."""

    def __init__(self, text: str, actions: Sequence[Action]) -> None:
        """``actions``: all that it fits."""
        super().__init__(text, actions)  # all arguments, so that it can be pickled
        self.actions = tuple(actions)

    def __str__(self) -> str:
        return str(self.args[0])


class NotYourTurn(RulesError):
    """Another seat is to act."""


class StaleAction(RulesError):
    """The choice was offered at an earlier ply than the match has now."""


class GameOver(RulesError):
    """The match has ended."""


class InvalidSetup(RulesError):
    """The game has no such option, value or number of seats, or options and number of seats do not fit."""


class BrokenMatch(RulesError):
    """A stored or imported match does not follow the rules.

    ``ply`` is the number of the first wrong record (0: the file as a whole), ``reason`` what is wrong there.
    """

    def __init__(self, ply: int, reason: str) -> None:
        """``ply``, ``reason``: as above."""
        where = f"Record {ply}" if ply else "The file"
        super().__init__(f"{where}: {reason}")
        self.ply = ply
        self.reason = reason


class WrongFairnessCode(RulesError):
    """The fairness code that a player saw is malformed, or not one of the match file's."""


class AutoPlayOverrun(RuntimeError):
    """Too many automatic records in a row: a fault in a game's rules."""


class UnannouncedOutcome(RuntimeError):
    """Chance's outcome is not of the kind that the game announced: a fault in its rules."""
