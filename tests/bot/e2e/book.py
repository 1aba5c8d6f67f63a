"""What simulated people received and were confirmed, and its comparison with what is stored.

Secrets are looked for by replaying the stored games: in the state of that ply, everything that the receiver
may not know is put otherwise (``sample_state``), the message is worked out again by the bot's own functions,
and it must come out the same, to the byte.
"""

from __future__ import annotations

import hashlib
import random
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self, cast

import msgspec

from bot.chat import posts
from bot.chat.answer import Answering
from bot.chat.asks import ASKS, Press
from bot.chat.buttons import view_of
from bot.chat.ids import parse_id
from bot.chat.pictures import Picture, board_picture, hand_picture
from bot.chat.posts import Post
from bot.host.table import Act, Refusal, Table, stored_records
from bot.host.tables import Tables
from bot.local import payloads
from bot.local.people import controls
from bot.local.world import ChannelType, Message
from bot.store.protocol import Status, StoredTable
from bot.store.sqlite import open_store
from rules.catalogue import GAMES
from rules.game import Seat
from rules.match import Match
from rules.options import parse_options
from rules.stream import Stream
from tests.bot.e2e.looking import ID
from tests.bot.host.playing import check_whole
from tests.bot.host.shown import OneTable, Recorder, unpainted
from tests.bot.store.rows import ask

REGENERATED: Final = frozenset({"play", "step", "pick", "page", "hand", "board", "text"})
"""Asks whose answer is a function of what the asker may know; what a move brings is chance's as well."""
MOVING: Final = frozenset({"do", "step", "pick", "play"})
_LINK: Final = re.compile(r"<#\d+>")
_NUMBER: Final = re.compile(r"No\. (\d+)\*\*")
_SECRET_LENGTH: Final = 12
"""A shorter text of a hand may stand in another by chance."""


@dataclass(frozen=True, slots=True)
class Content:
    """A message as it could be read: text, controls, files."""

    text: str
    controls: tuple[tuple[Any, ...], ...]
    files: tuple[tuple[str, str, str], ...]
    """(Name, alt text, hash of the bytes)."""

    @classmethod
    def of(cls, message: Message) -> Self:
        """As it stands now."""
        files = [(each.filename, each.description or "", _hash(each.data)) for each in message.attachments]
        return cls(
            _LINK.sub("<#>", message.content),
            tuple(_control(one) for one in controls(message)),
            tuple(files),
        )

    @classmethod
    def made(cls, post: Post, pictures: Sequence[Picture]) -> Self:
        """As the bot's own functions make it."""
        components = view_of(post.rows).to_components() if post.rows else []
        found = [one for one in payloads.walk(components) if one["type"] != 1]
        return cls(
            _LINK.sub("<#>", post.text),
            tuple(_control(one) for one in found),
            tuple((each.name, each.alt, _hash(each.data)) for each in pictures),
        )

    @property
    def table(self) -> int | None:
        """Whose buttons it carries."""
        return next((int(parts[1]) for parts in self._ids()), None)

    @property
    def ply(self) -> int | None:
        """At which ply its buttons were offered."""
        return max((int(parts[2]) for parts in self._ids()), default=None)

    @property
    def asks(self) -> frozenset[str]:
        """What its buttons ask for."""
        return frozenset(parts[3] for parts in self._ids())

    def _ids(self) -> list[re.Match[str]]:
        return [parts for one in self.controls if (parts := ID.fullmatch(one[1]))]

    def unpainted(self) -> Self:
        """Without the bytes of pictures."""
        return replace(self, files=tuple((name, alt, "") for name, alt, _ in self.files))


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _control(one: dict[str, Any]) -> tuple[Any, ...]:
    options = [
        (each["label"], each["value"], each.get("description") or "") for each in one.get("options") or []
    ]
    label = one.get("label") or one.get("placeholder") or ""
    return label, one.get("custom_id", ""), bool(one.get("disabled")), tuple(options)


@dataclass(frozen=True, slots=True)
class Received:
    """A message that came to somebody: ``user`` None is everybody."""

    user: int | None
    content: Content
    ephemeral: bool = False


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press and its answer."""

    user: int
    interaction: int
    custom_id: str
    values: tuple[str, ...]
    content: Content

    @classmethod
    def of(
        cls, user: int, interaction: int, custom_id: str, values: tuple[str, ...], answer: Message
    ) -> Self:
        """As the answer stands now."""
        return cls(user, interaction, custom_id, values, Content.of(answer))

    @property
    def confirms(self) -> int | None:
        """The table at which this press made a move, as its answer says."""
        parts = ID.fullmatch(self.custom_id)
        if parts is None or parts[3] not in MOVING:
            return None
        head, _, rest = self.content.text.partition("\n")
        done = head.endswith(f"No. {parts[1]}**") and not rest.startswith("###")
        return int(parts[1]) if done else None


class Leak(AssertionError):
    """Somebody received what they may not know."""


class Lost(AssertionError):
    """The model and the database differ."""


@dataclass
class Book:
    """Everything that everybody received."""

    received: list[Received] = field(default_factory=list)
    pressed: list[Pressed] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    def receive(self, message: Message) -> None:
        """Take a message down, as it came or as it was changed."""
        if message.ephemeral:
            user = message.only_for.id if message.only_for is not None else None
        else:
            direct = message.channel.type is ChannelType.DM
            user = message.channel.recipient.id if direct and message.channel.recipient else None
        self.received.append(Received(user, Content.of(message), message.ephemeral))

    def press(self, pressed: Pressed) -> None:
        """Take a press and its answer down."""
        self.pressed.append(pressed)


# Model and database -----------------------------------------------------------------------------------


async def compare(book: Book, database: Path) -> tuple[dict[int, StoredTable], int]:
    """P1, P2, P3 of the whole: every confirmed move is stored once.  Returns the tables and the moves."""
    store = await open_store(database)
    try:
        numbers = await ask(store, "select number from matches order by number")
        tables = {}
        for (number,) in numbers:
            stored = await store.load(number)
            assert stored is not None
            check_whole(stored)
            if stored.table.status is Status.FROZEN:
                raise Lost(f"table {number} is frozen")
            tables[number] = stored
        inbox = {
            row[0]: row[1:] for row in await ask(store, "select interaction, match, ply, reply from inbox")
        }
        given_up = await ask(
            store, "select match, kind, reason from outbox where state = 'dead' and kind = 'board'"
        )
        behind = await ask(
            store,
            "select number from matches where ply > 0 and status = 'playing'"
            " and ply > (select max(ply) from outbox where match = number and kind = 'board'"
            " and state in ('sent', 'waiting'))",
        )
    finally:
        await store.close()
    if given_up or behind:
        raise Lost(f"boards given up: {given_up}; moves without a board: {behind}")
    confirmed = [(each, table) for each in book.pressed if (table := each.confirms) is not None]
    for each, table in confirmed:
        if each.interaction not in inbox or inbox[each.interaction][0] != table:
            raise Lost(f"interaction {each.interaction} was confirmed at table {table} and is not stored")
    _each_once(tables, inbox)
    return tables, len(confirmed)


def _each_once(tables: dict[int, StoredTable], inbox: dict[int, tuple[Any, ...]]) -> None:
    """One answer for each choice of a person, in their order, and no choice without one."""
    answers = defaultdict(list)
    for table, ply, reply in inbox.values():
        if reply.startswith("Already recorded") or "took the last choice back" in reply:
            answers[table].append(ply)
    for number, stored in tables.items():
        made = [record.ply for record in stored.records if record.user is not None and record.actor >= 0]
        told = sorted(answers[number])
        following = [*made[1:], len(stored.records) + 1]
        fits = all(one <= ply < after for one, ply, after in zip(made, told, following, strict=False))
        if len(made) != len(told) or not fits:
            raise Lost(f"table {number}: choices at {made}, answers at {told}")


# Secrets ----------------------------------------------------------------------------------------------


class Secrets:
    """Looks for what receivers may not know."""

    def __init__(self, tables: dict[int, StoredTable], rng: random.Random) -> None:
        """``tables``: as they were stored at the end."""
        self._tables = tables
        self._rng = rng
        self._matches: dict[int, list[Match]] = {}
        self._told: dict[tuple[int, int], Table] = {}
        self.compared = 0
        """Messages that came out the same although secrets differed."""
        self.searched = 0

    def _at(self, number: int) -> list[Match]:
        """The matches of a table after each ply."""
        if number not in self._matches:
            stored = self._tables[number]
            game = GAMES[stored.table.game]
            options = parse_options(game.options, stored.table.options)
            records = stored_records(game, stored.records)
            seats, seed = len(stored.table.seats), stored.table.seed
            self._matches[number] = list(_plies(Match.replay(game, seats, options, seed, ()), records))
        return self._matches[number]

    def _table(self, number: int, match: Match) -> Table:
        if (number, match.ply) not in self._told:  # many messages are of one ply, and a long story takes long
            self._told[number, match.ply] = self._as_it_was(number, match)
        return self._told[number, match.ply]

    def _as_it_was(self, number: int, match: Match) -> Table:
        row = msgspec.structs.replace(
            self._tables[number].table,
            ply=match.ply,
            status=Status.OVER if match.over else Status.PLAYING,
            undo_request=None,
        )
        return Table(row, match.game, match.options, match).told()

    def _otherwise(self, number: int, ply: int, viewer: Seat | None) -> Table | None:
        """The table at a ply with other secrets than the viewer's; None where nothing can differ."""
        match = self._at(number)[ply]
        state = match.game.sample_state(match.view(viewer), Stream(self._rng.randbytes(32), 0))
        if msgspec.msgpack.encode(state) == msgspec.msgpack.encode(match.state):
            return None
        return replace(self._table(number, match), match=replace(match, state=state))

    def _seat(self, number: int, user: int | None) -> Seat | None:
        seats = self._tables[number].table.seats
        return next((Seat(i) for i, seat in enumerate(seats) if user is not None and seat.user == user), None)

    async def post(self, each: Received, *, painted: bool) -> None:
        """A board or a hand that was sent by itself.  Raises Leak."""
        content = each.content
        number, ply = content.table, content.ply
        if each.ephemeral or number is None or ply is None or not {"play", "more"} <= content.asks:
            return
        viewer = self._seat(number, each.user)
        if each.user is not None and viewer is None:
            raise Leak(f"table {number} wrote to {each.user}, who has no seat there")
        other = self._otherwise(number, ply, viewer)
        if other is None:
            return
        with nullcontext() if painted else unpainted():
            if viewer is None:
                post, picture = posts.board_post(other, other.owing), await board_picture(other)
            else:
                post, picture = posts.hand_post(other, viewer, "<#1>"), await hand_picture(other, viewer)
        self._same(Content.made(post, [picture]), content, each.user, painted=painted)

    async def answer(self, each: Pressed, *, painted: bool) -> None:
        """A page that somebody asked for.  Raises Leak."""
        pressed, content = parse_id(each.custom_id), each.content
        number, ply = content.table, content.ply
        if pressed is None or pressed.ask not in REGENERATED or each.confirms is not None:
            return
        if number is None or ply is None:
            return
        viewer = self._seat(number, each.user)
        other = self._otherwise(number, ply, viewer)
        if other is None:
            return
        act = Act(user=each.user, name="", interaction=each.interaction)
        recorder = _Kept()
        again = Press(cast("Tables", OneTable(other)), cast("Answering", recorder), pressed, act, each.values)
        with nullcontext() if painted else unpainted():
            try:
                await ASKS[pressed.ask](again)
            except Refusal as refusal:
                raise Leak(f"{each.user} was shown {content.text[:60]!r}, elsewhere: {refusal}") from refusal
        assert recorder.content is not None
        self._same(recorder.content, content, each.user, painted=painted)

    def _same(self, made: Content, told: Content, user: int | None, *, painted: bool) -> None:
        if not painted:
            made, told = made.unpainted(), told.unpainted()
        if made != told:
            for name in ("text", "controls", "files"):
                if getattr(made, name) != getattr(told, name):
                    raise Leak(f"{user} can tell by the {name}: {getattr(told, name)} {getattr(made, name)}")
        self.compared += 1

    def search(self, everything: Iterable[tuple[int | None, str]]) -> None:
        """No text of anybody holds the text of another's hand, whatever it was.  Raises Leak."""
        texts: dict[int, set[tuple[int | None, str]]] = defaultdict(set)
        for user, text in everything:
            if (found := _NUMBER.search(text)) is not None:
                texts[int(found[1])].add((user, text))
        for number in self._tables:
            held = self._hands(number)
            for user, text in texts[number]:
                self.searched += 1
                for holder, hands in held.items():
                    if user != holder and any(hand in text for hand in hands):
                        raise Leak(f"{user} was told the hand of {holder} at table {number}: {text}")

    def _hands(self, number: int) -> dict[int, set[str]]:
        """The secret texts of hands by who held them: those that nobody else could tell."""
        found: dict[int, set[str]] = defaultdict(set)
        row = self._tables[number].table
        names = self._table(number, self._at(number)[0]).names
        for match in self._at(number):
            for i, seat in enumerate(row.seats):
                if seat.user is None:
                    continue
                text = match.game.words.hand(match.view(Seat(i)), names)
                if len(text) < _SECRET_LENGTH or text in found[seat.user]:
                    continue
                other = match.game.sample_state(match.view(None), Stream(self._rng.randbytes(32), 0))
                if match.game.words.hand(match.game.view(other, Seat(i)), names) != text:
                    found[seat.user].add(text)
        return found


class _Kept(Recorder):
    """The one answer of a press."""

    content: Content | None = None

    async def show(self, post: Post, shown: Sequence[Picture] = (), **_: object) -> None:
        """Take it down."""
        self.content = Content.made(post, shown)

    async def say(self, text: str) -> None:
        """Take a sentence down."""
        self.content = Content(text, (), ())


def _plies(match: Match, records: Iterable[Any]) -> Iterable[Match]:
    yield match
    for record in records:
        match = match.follow(record)
        yield match
