"""Questions to people at a table, as they are stored."""

import enum

import msgspec

from bot.store.clock_rows import TimeControl
from bot.store.seat_rows import Person


class QuestionKind(enum.Enum):
    """What people at a table are asked."""

    UNDO = "undo"
    """Whether a player may take back their own choices."""
    ROLL_BACK = "roll back"
    """Whether a moderator may take the game back."""
    GO_ON = "go on"
    """Whether a restored game goes on, although it may have ended before."""
    KEEP_OPEN = "keep open"
    """Whether a game goes on in which nobody has moved for a long time; one yes is enough."""
    CLOCK = "clock"
    """Whether the game gets another clock."""
    PAUSE = "pause"
    """Whether the game is paused."""


class DeclinedQuestion(msgspec.Struct, frozen=True, gc=False):
    """A question that was declined, or expired."""

    kind: QuestionKind
    user: int | None
    """Who asked; None: the bot."""
    kept_length: int = msgspec.field(name="keep")
    """How many records of the history an undo or roll-back would have left."""
    due: int
    """When it would have expired."""
    withdrawn: bool = False
    """Whether nobody declined it: its asker took it back."""
    declined_by: int | None = None
    """Who declined it; None: nobody, or somebody whose data is erased."""


class Question(msgspec.Struct, frozen=True, gc=False):
    """A question to people at a table; a new ply makes it void, unless it outlasts moves."""

    kind: QuestionKind
    id: int
    """The version of the table when it was asked: no other question of the table has it."""
    asked_users: tuple[int, ...] = msgspec.field(name="asked")
    """The users who are asked: all must agree, but for ``KEEP_OPEN``, where one yes is enough."""
    ply: int
    due: int
    """When it expires: no answer is a no."""
    asker: Person | None = None
    """Who asks, with the name as it is announced, escaped; None: the bot."""
    seat: int | None = None
    """Whose choices are to be undone."""
    kept_length: int = msgspec.field(default=0, name="keep")
    """How many records of the history an undo or roll-back would leave."""
    agreed_users: tuple[int, ...] = msgspec.field(default=(), name="agreed")
    """The users who have agreed so far."""
    declined: bool = False
    """Whether somebody declined, or it expired; the same question cannot be asked again."""
    withdrawn: bool = False
    """Whether it counts as declined because its asker took it back."""
    declined_by: int | None = None
    """Who declined it; None: nobody has, or somebody whose data is erased."""
    declined_before: tuple[DeclinedQuestion, ...] = ()
    """What was declined before at the same ply."""
    time_control: TimeControl | None = None
    """The clock that is asked for; None: no clock."""

    @property
    def outlasts_moves(self) -> bool:
        """Whether it stays open when somebody moves."""
        return self.kind in {QuestionKind.CLOCK, QuestionKind.PAUSE}

    @property
    def earlier_declined_question(self) -> "Question | None":
        """The last question declined at its ply before it, which remembers the others; None: none was."""
        if not self.declined_before:
            return None
        *earlier, last = self.declined_before
        return Question(
            kind=last.kind,
            id=self.id,
            asked_users=(),
            ply=self.ply,
            due=last.due,
            asker=None if last.user is None else Person(last.user, ""),
            kept_length=last.kept_length,
            declined=True,
            withdrawn=last.withdrawn,
            declined_by=last.declined_by,
            declined_before=tuple(earlier),
        )

    @property
    def declined_summary(self) -> DeclinedQuestion:
        """What is remembered of it once it is declined."""
        user = None if self.asker is None else self.asker.user
        return DeclinedQuestion(self.kind, user, self.kept_length, self.due, self.withdrawn, self.declined_by)
