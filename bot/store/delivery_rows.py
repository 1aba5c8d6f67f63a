"""The stored values of what is sent: deliveries, their queues, and the messages posted."""

import enum
from typing import Final

import msgspec

BLOCKED: Final = "blocked"
"""The reason of a delivery that waits for a permission, or for the bot's return to a server."""
LATE_PLAYER: Final = "<late player>"
"""Stands for the name of whose time is over; no name has these brackets, which are escaped in names."""


class DeliveryKind(enum.Enum):
    """What is to be sent.  Its content, if no text is stored, is made from the table as it is at delivery."""

    LOBBY = "lobby"
    """The message of a lobby; once the game has started, it links there."""
    THREAD = "thread"
    """The thread of a game, opened from the lobby's message, and its name."""
    BOARD = "board"
    """The newest board, with the buttons of the turn that it asks for."""
    BOARD_EDIT = "board edit"
    """An edit of the newest board: what it says of people has changed without a move."""
    TURN = "turn"
    """A turn that is over: its whole story, without buttons."""
    HAND = "hand"
    """The private message that shows a player's hand."""
    QUESTION = "question"
    """A question that people at the table must agree to."""
    OFFER = "offer"
    """The offer of a seat to somebody else."""
    REMINDER = "reminder"
    """A reminder to a person whose turn goes on."""
    EARLY_NOTICE = "early notice"
    """A private notice to the player who is next after the one to act."""
    READY_CHECK = "ready check"
    """The question to everybody in a lobby whether they are here."""
    INVITATION = "invitation"
    """The invitation of somebody to a lobby."""
    JOIN_REQUEST = "application"
    """The question to a lobby's host whether somebody may join."""
    ACCEPTANCE = "acceptance"
    """The message that the host has accepted somebody's request to join."""
    TIME_OVER = "time over"
    """A person's time is over: a computer player plays until they come back, or the game is paused."""
    NOTICE = "notice"
    """A public line for everyone at the table."""
    RESULT = "result"
    """The result of a game that is over."""
    OLD_BUTTONS = "old buttons"
    """The removal of a replaced message's buttons; the slot's ``subject_id`` is that of the message."""


DIRECT_MESSAGE_KINDS: Final = (DeliveryKind.HAND, DeliveryKind.EARLY_NOTICE)
"""The kinds that are sent as direct messages."""


class Slot(msgspec.Struct, frozen=True, gc=False):
    """The queue of a table that a delivery belongs to.  Each goes in order, whatever the others wait for."""

    kind: DeliveryKind
    seat: int | None = None
    """The seat whose hand it is, whose time is over, whose player gets a notice, or which is offered."""
    subject_id: int | None = None
    """Which turn (the index of its first choice in the history), question, ready check, offer or replaced
    message (its id), or whose invitation, request to join, acceptance or time that is over (the user) it
    concerns; of a notice: the only channel in which it is true."""

    @property
    def keeps_only_newest(self) -> bool:
        """Whether a newer delivery supersedes the older ones that wait.  Notices are all sent."""
        return self.kind is not DeliveryKind.NOTICE


class NewDelivery(msgspec.Struct, frozen=True, gc=False):
    """A delivery to queue."""

    slot: Slot
    text: str = ""
    """The words of a notice or of a time that is over, the outcome of what people were asked, the new text
    of a replaced message, or who took a turn back; nothing that only some may know."""


class PendingPost(msgspec.Struct, frozen=True, gc=False):
    """A post whose outcome is unknown: it was about to be sent, and no response has come."""

    channel: int
    since: float
    """Seconds since 1970."""


class TurnMessage(enum.IntEnum):
    """Which message gets the story of a turn that is over."""

    NEW = 0
    """A new one: there is none, or only one that does not say yet that the turn was taken back."""
    BOARD = 1
    """The board's: it becomes the turn's own once there is a newer board, or no newer one is needed."""
    OWN = 2
    """A message that shows this turn alone."""


class Delivery(msgspec.Struct, frozen=True, gc=False):
    """A stored delivery.  Its id is the nonce of what is sent."""

    id: int
    table_number: int
    ply: int
    slot: Slot
    text: str
    failed_attempt_count: int
    due: float
    """When it may be tried next, in seconds since 1970."""
    pending_post: PendingPost | None = None
    """The post whose outcome is unknown: nothing newer supersedes the delivery before it is settled."""
    turn_message: TurnMessage = TurnMessage.NEW
    """Of a turn: which message is edited to show its story."""

    @property
    def kind(self) -> DeliveryKind:
        """What is to be sent."""
        return self.slot.kind


class Mention(msgspec.Struct, frozen=True, gc=False):
    """The last mention of a user: it was for the turn after the one that they ended at ``last_turn_end``."""

    user: int
    last_turn_end: int
    """An index of the history: nothing that others take back changes it."""


class PostedMessage(msgspec.Struct, frozen=True, gc=False):
    """The newest message of a slot.  A hint: it may be gone."""

    slot: Slot
    channel: int
    message_id: int
    ply: int
    posted_at: float
    mentioned_user: int | None = None
    """The user whom this message mentions, or to whom it was sent directly."""
    last_mentions: tuple[Mention, ...] = ()
    """The last mention of each user, in this message or an earlier one of its slot."""
    shown_turn_start: int | None = None
    """The turn that it shows, by the index of its first choice; None: no turn, or one that was taken back."""
    is_outdated: bool = False
    """Of a turn: it was taken back, and the message does not say so yet; of a prompt: it is settled; of a
    reminder or an early notice: it was deleted."""


class ReplacedMessage(msgspec.Struct, frozen=True, gc=False):
    """A message that a newer one has replaced, but which still has its buttons."""

    message: PostedMessage
    text: str = ""
    """What it says from now on; empty: what it says now."""


class QueueHead(msgspec.Struct, frozen=True, gc=False):
    """The next delivery of one slot of a table; what comes after it in that slot waits for it."""

    id: int
    table_number: int
    slot: Slot
    failed_attempt_count: int
    """How often it could not be sent."""
    is_due: bool
    """Whether it may be tried now."""
    is_blocked: bool = False
    """Whether it waits for a permission, or for the bot's return to a server (``BLOCKED``)."""
    waiting_count: int = 1
    """How many deliveries of the slot wait, this one included."""

    @property
    def message_count(self) -> int:
        """How many messages these deliveries will be: one, except for notices, which are all sent."""
        return 1 if self.slot.keeps_only_newest else self.waiting_count


class Backlog(msgspec.Struct, frozen=True):
    """How many deliveries wait to be sent, and the next one of each slot."""

    waiting_count: int
    heads: tuple[QueueHead, ...] = ()
