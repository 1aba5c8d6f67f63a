"""The stored values of what is sent: deliveries, their queues, and the messages posted."""

import enum
from typing import Final

import msgspec

BLOCKED: Final = "blocked"
"""The reason of a delivery that waits for a permission, or for the bot's return to a server."""


class DeliveryKind(enum.Enum):
    """What is to be sent.  The content is drawn when it is delivered, from the table as it is then."""

    LOBBY = "lobby"
    THREAD = "thread"
    BOARD = "board"
    BOARD_TEXT = "board text"
    """An edit of the newest board: what it says of people has changed without a move."""
    TURN = "turn"
    """A turn that is over: its whole story, without buttons."""
    HAND = "hand"
    QUESTION = "question"
    """A question that people at the table must agree to."""
    OFFER = "offer"
    """A seat that is to be given to somebody else."""
    REMINDER = "reminder"
    """A reminder to a person whose turn lasts."""
    EARLY_NOTICE = "early notice"
    """A private notice to the player who is next after the one to act."""
    READY_CHECK = "ready check"
    """The question to everybody in a lobby whether they are here."""
    INVITATION = "invitation"
    """The invitation of somebody to a lobby."""
    APPLICATION = "application"
    """The question to a lobby's host whether somebody may join."""
    ACCEPTANCE = "acceptance"
    """The message to somebody who asked to join that the host has accepted them."""
    TIME_OVER = "time over"
    """A person's time is over: a computer player plays until they come back, or the game is paused."""
    NOTICE = "notice"
    RESULT = "result"
    OLD_BUTTONS = "old buttons"
    """A message that was replaced, and loses its buttons; the slot's key is its id, the text what it says."""


class Slot(msgspec.Struct, frozen=True, gc=False):
    """The queue of a table that a delivery belongs to: each goes in order, whatever the others wait for."""

    kind: DeliveryKind
    seat: int | None = None
    """The seat that it concerns: whose hand or turn it is, or which is offered."""
    key: int | None = None
    """Which turn (the index of its first choice in the history), question or offer (its id), or whose
    invitation, application or acceptance (the user) it concerns."""

    @property
    def keeps_only_newest(self) -> bool:
        """Whether a newer delivery supersedes the older ones that wait.  Notices are all sent."""
        return self.kind is not DeliveryKind.NOTICE


class NewDelivery(msgspec.Struct, frozen=True, gc=False):
    """A delivery to queue."""

    slot: Slot
    text: str = ""
    """The words of a notice, of a time that is over or of a question's outcome; nothing that only some may
    know."""


class PendingPost(msgspec.Struct, frozen=True, gc=False):
    """A post whose outcome is unknown: it was about to be sent, and no response has come."""

    channel: int
    since: float
    """Seconds since 1970."""


class TurnMessage(enum.IntEnum):
    """Which message gets the story of a turn that is over."""

    NONE = 0
    """None yet, or one that does not say yet that the turn was taken back."""
    BOARD = 1
    """That of the board: it becomes the turn's own once there is a newer board, or none is needed."""
    OWN = 2
    """A message that shows this turn alone."""


class Delivery(msgspec.Struct, frozen=True, gc=False):
    """A stored delivery.  Its id is the nonce of what is sent."""

    id: int
    table: int
    ply: int
    slot: Slot
    text: str
    attempts: int
    due: float
    pending: PendingPost | None = None
    """Nothing newer supersedes it before this is settled."""
    turn_message: TurnMessage = TurnMessage.NONE
    """Of a turn: which message is edited to its story."""

    @property
    def kind(self) -> DeliveryKind:
        """What is to be sent."""
        return self.slot.kind


class Mention(msgspec.Struct, frozen=True, gc=False):
    """For which turn a user was last mentioned: the one after their finished turn ``last_turn_end``."""

    user: int
    last_turn_end: int
    """The index of the history at which that turn ended: nothing that others take back changes it."""


class PostedMessage(msgspec.Struct, frozen=True, gc=False):
    """The newest message of a slot.  A hint: it may be gone."""

    slot: Slot
    channel: int
    message_id: int
    ply: int
    posted_at: float
    mentioned_user: int | None = None
    """The user whom this message mentioned."""
    mentions: tuple[Mention, ...] = ()
    """The last mention of each user, in this message or an earlier one of its slot."""
    shown_turn_start: int | None = None
    """The turn that it shows, by the index of its first choice; None of a turn that was taken back."""
    is_outdated: bool = False
    """Of a turn: it was taken back, which this does not say yet; of a question to people: it is settled."""


class ReplacedMessage(msgspec.Struct, frozen=True, gc=False):
    """A message that a newer one has replaced, but which still has its buttons."""

    message: PostedMessage
    text: str = ""
    """What it says from now on; empty: what it says now."""


class QueueHead(msgspec.Struct, frozen=True, gc=False):
    """The next delivery of one slot of a table; what comes after it in that slot waits for it."""

    id: int
    table: int
    slot: Slot
    attempts: int
    """How often it could not be sent."""
    is_due: bool
    """Whether it may be tried now."""
    is_blocked: bool = False
    """Whether it waits for a permission, or for the bot's return to a server (``BLOCKED``)."""


class Backlog(msgspec.Struct, frozen=True):
    """The deliveries that wait to be sent."""

    waiting_count: int
    heads: tuple[QueueHead, ...] = ()
    """The next delivery of each slot."""
