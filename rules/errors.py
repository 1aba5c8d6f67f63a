"""What can be wrong with an action.

Each error's text is one sentence for the person who acted; it is made from that person's view.
"""


class RulesError(Exception):
    """Base of everything that the rules refuse.  ``str(error)`` may be shown to the one who acted."""


class MalformedAction(RulesError):
    """The text or the fields are no action of this game."""


class IllegalAction(RulesError):
    """A well-formed action that the rules do not allow now.  The text says why."""


class AmbiguousAction(RulesError):
    """A shortened text that fits several legal actions.  The text lists some of them."""


class NotYourTurn(RulesError):
    """Somebody else owes the next choice."""


class StaleAction(RulesError):
    """The choice was offered at an earlier ply than the match has now."""


class GameOver(RulesError):
    """The match has ended."""


class InvalidSetup(RulesError):
    """These options do not fit this number of seats."""


class BrokenMatch(RulesError):
    """A stored or imported match does not follow the rules.

    ``ply`` is the first record that differs (0: the header).
    """

    def __init__(self, ply: int, reason: str) -> None:
        """Say at which record the match breaks, and why."""
        super().__init__(f"Record {ply}: {reason}")
        self.ply = ply


class AutoPlayOverrun(RuntimeError):
    """A game went on by itself for too long: a fault in its rules."""


class UnannouncedOutcome(RuntimeError):
    """Chance's outcome is not of the key that the game announced: a fault in its rules."""
