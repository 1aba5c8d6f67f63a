"""What simulated people received, and the check that the database holds each confirmed move once."""

from __future__ import annotations

import hashlib
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self

from bot.chat.pictures import DrawnPicture
from bot.chat.post_parts import Post
from bot.local import payloads
from bot.local.message_contents import body_text, controls
from bot.local.model import Attachment, ChannelType, Message
from bot.store.rows import Status, StoredTable
from bot.store.sqlite import open_store
from tests.bot.chat.post_components import layout_components
from tests.bot.e2e.observe import CUSTOM_ID_PATTERN, without_missed_answers
from tests.bot.host.playing import assert_records_whole
from tests.bot.store.sample_rows import execute_sql

_PANEL_VERBS: Final = frozenset({"do", "step", "play"})
_CHANNEL_LINK_PATTERN: Final = re.compile(r"<#\d+>")


@dataclass(frozen=True, slots=True)
class Content:
    """A message as it could be read: text, controls, files."""

    text: str
    controls: tuple[tuple[Any, ...], ...]
    files: tuple[tuple[str, str, str], ...]
    """(Name, alt text, digest of the bytes)."""

    @classmethod
    def of_message(cls, message: Message, digests: FileDigests) -> Self:
        """Return the content of a message as it stands now."""
        files = [
            (each.filename, each.description or "", digests.digest_of(each)) for each in message.attachments
        ]
        return cls(
            _CHANNEL_LINK_PATTERN.sub("<#>", without_missed_answers(body_text(message))),
            tuple(_control_content(control) for control in controls(message)),
            tuple(files),
        )

    @classmethod
    def of_post(cls, post: Post, pictures: Sequence[DrawnPicture]) -> Self:
        """Return the content of a post as the bot's own functions make it."""
        components = list(payloads.walk_components(layout_components(post)))
        texts = [component["content"] for component in components if "content" in component]
        return cls(
            _CHANNEL_LINK_PATTERN.sub("<#>", "\n".join(texts)),
            tuple(_control_content(component) for component in components if "custom_id" in component),
            tuple((each.name, each.alt, _digest(each.data)) for each in pictures),
        )

    @property
    def table_number(self) -> int | None:
        """The number of the table whose buttons it carries."""
        return next((int(parts[1]) for parts in self._ids()), None)

    @property
    def ply(self) -> int | None:
        """The ply at which its buttons were offered."""
        return max((int(parts[2]) for parts in self._ids()), default=None)

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs of its buttons."""
        return frozenset(parts[3] for parts in self._ids())

    def _ids(self) -> list[re.Match[str]]:
        return [parts for control in self.controls if (parts := CUSTOM_ID_PATTERN.fullmatch(control[1]))]

    def without_picture_bytes(self) -> Self:
        """Return the content without the bytes of pictures."""
        return replace(self, files=tuple((name, alt, "") for name, alt, _ in self.files))


class FileDigests:
    """The digest of each file, taken when it was first seen.

    An edit may leave an old file at its message, of which the stand-in has dropped the bytes since.
    """

    def __init__(self) -> None:
        self._by_id: dict[int, str] = {}

    def digest_of(self, file: Attachment) -> str:
        """Return a file's digest, and keep it.  Raises AssertionError if its bytes were never seen."""
        if file.id not in self._by_id:
            assert file.data is not None, f"the bytes of {file.filename} were dropped before they were seen"
            self._by_id[file.id] = _digest(file.data)
        return self._by_id[file.id]


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _control_content(control: dict[str, Any]) -> tuple[Any, ...]:
    options = [
        (each["label"], each["value"], each.get("description") or "") for each in control.get("options") or []
    ]
    label = control.get("label") or control.get("placeholder") or ""
    return label, control.get("custom_id", ""), bool(control.get("disabled")), tuple(options)


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message that came to somebody: ``user`` None is everybody."""

    user: int | None
    content: Content
    is_ephemeral: bool = False
    message_id: int = 0
    version: int = 1
    """1: as it was posted; each edit adds one."""


@dataclass(frozen=True, slots=True)
class RecordedPress:
    """A press and its answer."""

    user: int
    interaction: int
    custom_id: str
    content: Content

    @property
    def table_number_of_last_move(self) -> int | None:
        """The number of the table at which this press made a move that, by its answer, left no choice."""
        parts = CUSTOM_ID_PATTERN.fullmatch(self.custom_id)
        if parts is None or parts[3] not in _PANEL_VERBS:
            return None
        head, _, rest = self.content.text.partition("\n")
        is_confirmed = head.endswith(f"No. {parts[1]}**") and not rest.startswith("###")
        return int(parts[1]) if is_confirmed else None


class DatabaseDiffers(AssertionError):
    """The model and the database differ."""


@dataclass(repr=False)
class ReceivedLog:
    """Everything that everybody received; its repr would be gigabytes in a failed test, so it has none."""

    received: list[ReceivedMessage] = field(default_factory=list)
    presses: list[RecordedPress] = field(default_factory=list)
    started_at: float = field(default_factory=time.monotonic)
    sample_size: int = 0
    sampled_files_by_index: dict[int, tuple[bytes | None, ...]] = field(default_factory=dict)
    """The files of a random sample of what was sent unasked, by index in ``received``.

    None: bytes that the stand-in had dropped.
    """

    def __post_init__(self) -> None:
        self._rng = random.Random(len(self.received))
        self._digests = FileDigests()
        self._versions: Counter[int] = Counter()
        self._file_message_count = 0

    def record_message(self, message: Message) -> None:
        """Record a message as it was posted or edited."""
        if message.ephemeral:
            user = message.only_for.id if message.only_for is not None else None
        else:
            is_direct = message.channel.type is ChannelType.DM
            user = message.channel.recipient.id if is_direct and message.channel.recipient else None
        self._versions[message.id] += 1
        version = self._versions[message.id]
        content = Content.of_message(message, self._digests)
        self.received.append(ReceivedMessage(user, content, message.ephemeral, message.id, version))
        if message.attachments and not message.ephemeral:
            self._sample(tuple(file.data for file in message.attachments))

    def _sample(self, files: tuple[bytes | None, ...]) -> None:
        """Keep the newest message's files, so that each message so far is in the sample with equal chance."""
        self._file_message_count += 1
        if len(self.sampled_files_by_index) >= self.sample_size:
            if self._rng.randrange(self._file_message_count) >= self.sample_size:
                return
            del self.sampled_files_by_index[self._rng.choice(list(self.sampled_files_by_index))]
        self.sampled_files_by_index[len(self.received) - 1] = files

    def record_press(self, user: int, interaction: int, custom_id: str, answer: Message) -> None:
        """Record a press with its answer as it stands now."""
        content = Content.of_message(answer, self._digests)
        self.presses.append(RecordedPress(user, interaction, custom_id, content))


# Model and database -----------------------------------------------------------------------------------


async def compare_with_database(
    received_log: ReceivedLog, database: Path
) -> tuple[dict[int, StoredTable], int]:
    """Check promises P1 to P3: every confirmed move is stored once.  Raises DatabaseDiffers.

    Return the tables by number and how many moves were confirmed.
    """
    store = await open_store(database)
    try:
        numbers = await execute_sql(store, "select number from matches order by number")
        tables = {}
        for (number,) in numbers:
            stored = await store.load(number)
            assert stored is not None
            assert_records_whole(stored)
            if stored.row.status is Status.FROZEN:
                raise DatabaseDiffers(f"table {number} is frozen")
            tables[number] = stored
        inbox = {
            row[0]: row[1:]
            for row in await execute_sql(store, "select interaction, match, ply, answer from inbox")
        }
        given_up_boards = await execute_sql(
            store, "select match, kind, reason from outbox where state = 'failed' and kind = 'board'"
        )
        moves_without_board = await execute_sql(
            store,
            "select number from matches where ply > 0 and status = 'playing'"
            " and ply > (select max(ply) from outbox where match = number and kind = 'board'"
            " and state in ('sent', 'waiting'))",
        )
    finally:
        await store.close()
    if given_up_boards or moves_without_board:
        raise DatabaseDiffers(
            f"boards given up: {given_up_boards}; moves without a board: {moves_without_board}"
        )
    confirmed_presses = [
        (each, table_number)
        for each in received_log.presses
        if (table_number := each.table_number_of_last_move) is not None
    ]
    for each, table_number in confirmed_presses:
        if each.interaction not in inbox or inbox[each.interaction][0] != table_number:
            raise DatabaseDiffers(
                f"interaction {each.interaction} was confirmed at table {table_number} and is not stored"
            )
    _require_one_answer_each(tables, inbox)
    return tables, len(confirmed_presses)


def _require_one_answer_each(tables: dict[int, StoredTable], inbox: dict[int, tuple[Any, ...]]) -> None:
    """Raise DatabaseDiffers unless each choice of a person has one answer, in the order of the choices."""
    answer_plies_by_table = defaultdict(list)
    for table_number, ply, answer in inbox.values():
        if answer.startswith(("Already played", "You took back your ")):
            answer_plies_by_table[table_number].append(ply)
    for number, stored in tables.items():
        choice_plies = [
            record.ply for record in stored.records if record.user is not None and record.actor >= 0
        ]
        answer_plies = sorted(answer_plies_by_table[number])
        next_plies = [*choice_plies[1:], len(stored.records) + 1]
        in_order = all(
            choice_ply <= ply < next_ply
            for choice_ply, ply, next_ply in zip(choice_plies, answer_plies, next_plies, strict=False)
        )
        if len(choice_plies) != len(answer_plies) or not in_order:
            raise DatabaseDiffers(f"table {number}: choices at {choice_plies}, answers at {answer_plies}")
