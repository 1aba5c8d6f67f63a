"""The stored value of the notices of a turn: which reminders were sent, and when the next one is due."""

import msgspec


class TurnNotices(msgspec.Struct, frozen=True, gc=False):
    """The notices about the turn of one person, for one deadline.  Times are seconds since 1970."""

    seat: int
    user: int
    turn_start: int
    """The index of the history at which the turn begins, as in ``TurnTimer``."""
    deadline: int | None
    """The deadline that these notices are about; None: there is no clock.

    If that of the ``TurnTimer`` moves away from it, the reminders begin again.
    """
    last_sent_at: int
    """When the last reminder was sent; before the first one, when the notices of this deadline began."""
    sent_count: int = 0
    """How many reminders of this deadline were sent."""
    due: int | None = None
    """When the next reminder is due; None: there will be none."""
    has_current_reminder: bool = False
    """Whether a sent reminder names the deadline of now: it is removed once it does not.

    A deadline that moves makes this False, while ``sent_count`` may go on in the grace period.
    """
    early_notice_seat: int | None = msgspec.field(default=None, name="next_seat")
    """The seat whose player was sent an early notice, since they play after this turn; None: nobody was."""
    has_left: bool = False
    """Whether the person had left the table's server when Discord was asked last; the board says so."""
