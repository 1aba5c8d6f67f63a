"""The mentions of a simulated month, checked against what is promised about them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo

from bot.host.deciders.clocks import MIN_DEADLINE_CHANGE
from bot.host.deciders.reminders import MAX_REMINDERS
from bot.local.message_contents import has_button
from bot.local.model import Message
from bot.store.clock_rows import TurnStage, TurnTimer
from bot.store.preferences import QuietHours
from tests.month.absence import DAY


class MentionKind(Enum):
    """What mentioned somebody."""

    BOARD = "board"
    REMINDER = "reminder"
    OTHER = "other"
    """A question, an offer, a ready check or a time that is over."""


@dataclass(frozen=True)
class AskedTurn:
    """The turn that a table waited for when it mentioned somebody."""

    timer: TurnTimer
    last_turn_end: int
    """The index of the history after its seat's last finished turn: no undo by others moves it."""
    agreed_undo_ply: int = 0
    """The ply of the last undo to which others have agreed, after which its player is asked once more."""

    def is_same(self, other: AskedTurn) -> bool:
        """Whether nobody need be asked for this turn who was for the other one."""
        return (self.last_turn_end, self.agreed_undo_ply) == (other.last_turn_end, other.agreed_undo_ply)


@dataclass(frozen=True)
class Mention:
    """A message that pinged somebody."""

    user: int
    at: float
    kind: MentionKind
    table_number: int | None
    turn: AskedTurn | None
    text: str
    has_reminders_off: bool = False
    """Whether the person had turned reminders off by then."""
    quiet_time_zone: str | None = None
    """The time zone of a person who has set the usual quiet hours; None: they have none."""

    @property
    def asks_for_turn(self) -> bool:
        """Whether it asks for the person's own turn."""
        return self.turn is not None and self.turn.timer.user == self.user


def mention_kind(message: Message) -> MentionKind:
    """Return what a message of the bot's mentions people for."""
    if "Reminder: " in message.content:
        return MentionKind.REMINDER
    return MentionKind.BOARD if has_button(message, "More") else MentionKind.OTHER


AGAIN_FOR_ONE_TURN: Final = "mentioned again for one turn"
OVER_DAILY_LIMIT: Final = "mentioned more than the daily limit"
TOO_MANY_REMINDERS: Final = "reminded too often of one deadline"
REMINDERS_ARE_OFF: Final = "reminded with reminders turned off"
REMINDED_AT_NIGHT: Final = "reminded in quiet hours"


def broken_rules(mentions: Iterable[Mention], daily_mention_limit: int) -> Iterator[str]:
    """Yield each broken rule about mentions: the rule, then the mention that broke it."""
    counts_by_user_and_day: Counter[tuple[int, int]] = Counter()
    turn_mentions_by_user_and_table: defaultdict[tuple[int, int | None], list[Mention]] = defaultdict(list)
    for mention in mentions:
        user_day = mention.user, int(mention.at // DAY)
        counts_by_user_and_day[user_day] += 1
        if counts_by_user_and_day[user_day] > daily_mention_limit:
            yield f"{OVER_DAILY_LIMIT}: {mention}"
        if mention.asks_for_turn:
            turn_mentions_by_user_and_table[mention.user, mention.table_number].append(mention)
        if mention.kind is MentionKind.REMINDER:
            if mention.has_reminders_off:
                yield f"{REMINDERS_ARE_OFF}: {mention}"
            if _is_in_quiet_hours(mention):
                yield f"{REMINDED_AT_NIGHT}: {mention}"
    for turn_mentions in turn_mentions_by_user_and_table.values():
        boards = (each for each in turn_mentions if each.kind is MentionKind.BOARD)
        for previous, mention in pairwise(boards):
            if previous.turn and mention.turn and previous.turn.is_same(mention.turn):
                yield f"{AGAIN_FOR_ONE_TURN}: {mention}"
        yield from _excess_reminders(each for each in turn_mentions if each.kind is MentionKind.REMINDER)


def _is_in_quiet_hours(mention: Mention) -> bool:
    if mention.quiet_time_zone is None:
        return False
    local = datetime.fromtimestamp(mention.at, ZoneInfo(mention.quiet_time_zone))
    usual = QuietHours()
    return not usual.end <= local.hour * 60 + local.minute < usual.begin


def _excess_reminders(reminders: Iterable[Mention]) -> Iterator[str]:
    """Yield the reminders beyond the number of one deadline; the grace period is none of its own."""
    count, previous = 0, None
    for mention in reminders:
        assert mention.turn is not None
        timer = mention.turn.timer
        count = count + 1 if previous is not None and _is_same_deadline(previous, timer) else 1
        previous = timer
        if count > MAX_REMINDERS:
            yield f"{TOO_MANY_REMINDERS}: {mention}"


def _is_same_deadline(previous: TurnTimer, timer: TurnTimer) -> bool:
    if (previous.turn_start, previous.began_at) != (timer.turn_start, timer.began_at):
        return False  # also of a turn that comes back after an undo: its player is asked anew
    if timer.stage is not TurnStage.RUNNING or previous.deadline is None or timer.deadline is None:
        return True
    return abs(previous.deadline - timer.deadline) < MIN_DEADLINE_CHANGE
