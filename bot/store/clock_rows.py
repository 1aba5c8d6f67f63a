"""The stored values of clocks: how much time the players of a table have, and how it runs."""

import enum

import msgspec

HOUR = 3600
DAY = 24 * HOUR
"""Both in seconds."""
DEFAULT_GRACE_SECONDS = 4 * HOUR
DEFAULT_MAX_MISSED_TURNS = 3


class TimeoutAction(enum.Enum):
    """What follows when a player's time and the grace period are over."""

    REMIND = "remind"
    """The time begins again, and the player is reminded."""
    PLAY_TURN = "play turn"
    """A computer player plays this one turn."""
    SUBSTITUTE = "substitute"
    """A computer player plays for the person until that person comes back."""
    ALLOW_SUBSTITUTE = "allow substitute"
    """Another player may have a computer player play for the person."""


class TimeControl(msgspec.Struct, frozen=True, gc=False):
    """How much time the players of a table have.  Times are in seconds."""

    turn_seconds: int = msgspec.field(name="turn")
    """The time for each turn.  What is left of it is saved if there are ``bank_seconds``, else lost."""
    bank_seconds: int | None = msgspec.field(default=None, name="bank")
    """The saved time that each player begins with, and the most that can be saved; None: no time is saved.

    Players read "reserve".
    """
    sleep_hours: int = 0
    """The hours of each night that do not count, from the beginning of the player's quiet hours on."""
    grace_seconds: int = msgspec.field(default=DEFAULT_GRACE_SECONDS, name="grace")
    """The time from the deadline until ``on_timeout`` follows."""
    on_timeout: TimeoutAction = TimeoutAction.SUBSTITUTE
    max_missed_turns: int = msgspec.field(default=DEFAULT_MAX_MISSED_TURNS, name="max_misses")
    """After this many turns missed in a row, ``REMIND`` and ``PLAY_TURN`` become ``SUBSTITUTE``."""


class TurnStage(enum.Enum):
    """How far the time of a turn has run."""

    RUNNING = "running"
    GRACE = "grace"
    """The time is over; the deadline is that of the grace period."""
    SUBSTITUTE_ALLOWED = "substitute allowed"
    """The others may have a computer player play for the person."""


class TurnTimer(msgspec.Struct, frozen=True, gc=False):
    """The turn that a table waits for, and its time.  Kept also without a clock.

    Times are seconds since 1970.  The same turn has the same ``seat``, ``user`` and ``turn_start``.
    """

    seat: int
    user: int | None
    """The person who is to act; None: a computer player."""
    turn_start: int
    """The index of the history at which the turn begins, or will begin with its first choice."""
    began_at: int
    """When it became the seat's turn."""
    runs_from: int
    """From when on ``seconds_left`` runs down."""
    seconds_left: int | None = None
    """The seconds that were left at ``runs_from``, breaks left out.

    None: without a clock, or in a pause after which the turn begins anew.
    """
    deadline: int | None = None
    """When ``seconds_left`` is over; None: without a clock, or while it stands still."""
    stage: TurnStage = TurnStage.RUNNING
    missed: bool = False
    """Whether the time of this turn, grace period included, was over before: it stays missed when played."""
    shown_deadline: int | None = None
    """The deadline when the newest board was queued.  A board that is drawn later may show a later one."""

    @property
    def computed_deadline(self) -> int | None:
        """The deadline; None also for a turn just restored from a backup, whose time is still to be computed.

        ``deadline`` is the present then, so that the bot computes it at once.
        """
        return None if self.seconds_left is None else self.deadline


class SeatClock(msgspec.Struct, frozen=True, gc=False):
    """What is kept of a player's time between turns."""

    bank_seconds: int = msgspec.field(default=0, name="bank")
    """The seconds saved."""
    consecutive_missed_turn_count: int = msgspec.field(default=0, name="consecutive_misses")
    """How many turns in a row were missed."""
    missed_turn_count: int = msgspec.field(default=0, name="total_misses")
    """How many turns were missed in the whole game."""
    last_turn_start: int | None = None
    """The ``TurnTimer.turn_start`` of the last turn, to which an undo may return."""
    last_seconds_left: int = 0
    """The seconds that were left when the last turn ended."""
    last_turn_was_missed: bool = msgspec.field(default=False, name="last_missed")
    """Whether the time of the last turn, grace period included, had been over."""
    last_turn_was_resumed: bool = msgspec.field(default=False, name="last_was_resumed")
    """Whether the last turn was itself one to which an undo had returned."""
