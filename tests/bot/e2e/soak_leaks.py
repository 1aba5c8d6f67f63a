"""Looks for secrets in what simulated people received.

The stored games are replayed.  In the state at the message's ply, everything that the receiver may not know
is replaced (``sample_state``).  The bot's own functions then make the message again: it must be the same, to
the byte.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from bot.chat import posts
from bot.chat.component_press import ComponentPress
from bot.chat.components import parse_custom_id
from bot.chat.delivery_contents import hand_content
from bot.chat.handlers import HANDLERS
from bot.chat.pictures import DrawnPicture, draw_board_picture
from bot.chat.post_parts import Post
from bot.chat.response import Response
from bot.host.loading import parse_records
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.rows import Status, StoredTable
from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.match import Match
from rules.model import Names, Seat, View
from rules.options import parse_options
from rules.random_stream import RandomStream
from tests.bot.e2e.soak_model import Content, ReceivedMessage, RecordedPress
from tests.bot.e2e.soak_pictures import save_difference
from tests.bot.host.viewer_output import ResponseRecorder, TablesOfOne, use_scenes_as_pictures

REGENERATED_VERBS: Final = frozenset({"play", "step", "page", "hand", "board", "text"})
"""Verbs whose answer follows from what the presser may know; the answer to a move depends on chance too."""
_TABLE_NUMBER_PATTERN: Final = re.compile(r"No\. (\d+)\*\*")
_MIN_SECRET_LENGTH: Final = 12
"""A shorter text of a hand may be part of another text by chance."""


class Leak(AssertionError):
    """Somebody received what they may not know."""


class LeakChecker:
    """Looks for what receivers may not know."""

    def __init__(self, tables: dict[int, StoredTable], rng: random.Random, folder: Path) -> None:
        """``tables``: as they were stored at the end; pictures that differ are saved in ``folder``."""
        self._folder = folder
        self._tables = tables
        self._rng = rng
        self._replayed_number: int | None = None
        self._matches: list[Match] = []
        self._tables_by_ply: dict[int, Table] = {}
        self.compared_count = 0
        """Messages that came out the same although secrets differed."""
        self.redrawn_count = 0
        """Those of them whose pictures were compared to the byte."""
        self.searched_count = 0
        """Texts that were searched for the hands of others."""

    def _matches_by_ply(self, table_number: int) -> list[Match]:
        """Return the matches of a table after each ply: of one table at a time, as they fill much memory."""
        if table_number != self._replayed_number:
            self._tables_by_ply.clear()
            stored = self._tables[table_number]
            game = GAMES[stored.row.game_key]
            options = parse_options(game.options_type, stored.row.options)
            records = parse_records(game, stored.records)
            seats, seed = len(stored.row.seats), stored.row.seed
            self._matches = list(_matches_after_each(Match.replay(game, seats, options, seed, ()), records))
            self._replayed_number = table_number
        return self._matches

    def _cached_table(self, table_number: int, ply: int) -> Table:
        match = self._matches_by_ply(table_number)[ply]
        if ply not in self._tables_by_ply:  # many messages are of one ply, and a long story takes long
            self._tables_by_ply[ply] = self._table_at_ply(table_number, match)
        return self._tables_by_ply[ply]

    def _table_at_ply(self, table_number: int, match: Match) -> Table:
        row = msgspec.structs.replace(
            self._tables[table_number].row,
            ply=match.ply,
            status=Status.OVER if match.is_over else Status.PLAYING,
            question=None,
        )
        return Table(row, match.game, match.options, match).with_log()

    def _table_with_other_secrets(self, table_number: int, ply: int, viewer: Seat | None) -> Table | None:
        """Return the table at a ply with other secrets than the viewer's; None where nothing can differ."""
        match = self._matches_by_ply(table_number)[ply]
        state = match.game.sample_state(match.view(viewer), RandomStream(self._rng.randbytes(32), 0))
        if msgspec.msgpack.encode(state) == msgspec.msgpack.encode(match.state):
            return None
        return replace(self._cached_table(table_number, ply), match=replace(match, state=state))

    def _seat_of(self, table_number: int, user: int | None) -> Seat | None:
        seats = self._tables[table_number].row.seats
        return next((Seat(i) for i, seat in enumerate(seats) if user is not None and seat.user == user), None)

    async def check_message(self, received: ReceivedMessage, files: tuple[bytes | None, ...] | None) -> None:
        """Check a board or a hand that the bot sent unasked.  Raises Leak.

        ``files``: their bytes; None to compare pictures by their scenes alone.
        """
        content = received.content
        table_number, ply = content.table_number, content.ply
        if (
            received.is_ephemeral
            or table_number is None
            or ply is None
            or not {"play", "more"} <= content.verbs
        ):
            return
        viewer = self._seat_of(table_number, received.user)
        if received.user is not None and viewer is None:
            raise Leak(f"table {table_number} wrote to {received.user}, who has no seat there")
        other_table = self._table_with_other_secrets(table_number, ply, viewer)
        if other_table is None:
            return
        with nullcontext() if files is not None else use_scenes_as_pictures():
            if viewer is None:
                post, picture = (
                    posts.board_post(other_table, other_table.to_act),
                    await draw_board_picture(other_table),
                )
            else:
                post, (picture,) = await hand_content(other_table, viewer)
        expected = Content.of_post(post, [picture])
        where = (
            f"table {table_number} at ply {ply}, message {received.message_id} in version {received.version}"
        )
        if files is None:
            self._compare(
                expected.without_picture_bytes(), content.without_picture_bytes(), received.user, where
            )
            return
        if expected.files != content.files:
            name = f"table-{table_number}-ply-{ply}-{received.message_id}-{received.version}"
            shown = next(iter(files), None)
            where += f": {save_difference(self._folder, name, shown, picture.data)}"
        self._compare(expected, content, received.user, where)
        self.redrawn_count += 1

    async def check_page(self, press: RecordedPress) -> None:
        """Check a page that somebody asked for.  Raises Leak."""
        custom_id, content = parse_custom_id(press.custom_id), press.content
        table_number, ply = content.table_number, content.ply
        if (
            custom_id is None
            or custom_id.verb not in REGENERATED_VERBS
            or press.table_number_of_last_move is not None
        ):
            return
        if table_number is None or ply is None:
            return
        viewer = self._seat_of(table_number, press.user)
        other_table = self._table_with_other_secrets(table_number, ply, viewer)
        if other_table is None:
            return
        request = Request(user=press.user, name="", interaction=press.interaction)
        recorder = _ContentRecorder()
        repeated_press = ComponentPress(
            cast("Tables", TablesOfOne(other_table)), cast("Response", recorder), custom_id, request
        )
        with use_scenes_as_pictures():
            try:
                await HANDLERS[custom_id.verb](repeated_press)
            except Refusal as refusal:
                raise Leak(f"{press.user} was shown {content.text[:60]!r}, elsewhere: {refusal}") from refusal
        assert recorder.content is not None
        where = f"table {table_number} at ply {ply}, answer to {press.custom_id}"
        self._compare(
            recorder.content.without_picture_bytes(), content.without_picture_bytes(), press.user, where
        )

    def _compare(self, expected_content: Content, shown: Content, user: int | None, where: str) -> None:
        """Count equal contents.  Raises Leak, which says in what they differ."""
        for name in ("text", "controls", "files"):
            value, expected = getattr(shown, name), getattr(expected_content, name)
            if value != expected:
                receiver = "everybody" if user is None else user
                raise Leak(
                    f"{receiver} can tell by the {name} ({where}).\n"
                    f"Shown: {value}\nwith other secrets: {expected}"
                )
        self.compared_count += 1

    def check_texts(self, shown_texts: Iterable[tuple[int | None, str]]) -> None:
        """Check that no text of anybody holds the text of another's hand.  Raises Leak."""
        texts_by_table: dict[int, set[tuple[int | None, str]]] = defaultdict(set)
        for user, text in shown_texts:
            if (number_match := _TABLE_NUMBER_PATTERN.search(text)) is not None:
                texts_by_table[int(number_match[1])].add((user, text))
        for table_number, stored in self._tables.items():
            if stored.row.snapshot is None:  # a lobby: nobody holds anything
                continue
            secret_texts, all_texts = self._hand_texts(table_number)
            for user, text in texts_by_table[table_number]:
                self.searched_count += 1
                own_texts = all_texts[user] if user is not None else set()
                for holder, hands in secret_texts.items():
                    if user != holder and any(hand in text for hand in hands - own_texts):
                        raise Leak(f"{user} was shown the hand of {holder} at table {table_number}: {text}")

    def _hand_texts(self, table_number: int) -> tuple[dict[int, set[str]], dict[int, set[str]]]:
        """Return the texts of hands by their holders: those that nobody else can know, and all."""
        secret_texts: dict[int, set[str]] = defaultdict(set)
        all_texts: dict[int, set[str]] = defaultdict(set)
        row = self._tables[table_number].row
        names = self._cached_table(table_number, 0).names
        for match in self._matches_by_ply(table_number):
            for i, seat in enumerate(row.seats):
                if seat.user is None:
                    continue
                texts = _hand_texts_of(match.game, match.view(Seat(i)), names)
                all_texts[seat.user] |= texts
                texts = {text for text in texts if len(text) >= _MIN_SECRET_LENGTH}
                if texts <= secret_texts[seat.user]:
                    continue
                other_state = match.game.sample_state(
                    match.view(None), RandomStream(self._rng.randbytes(32), 0)
                )
                secret_texts[seat.user] |= texts - _hand_texts_of(
                    match.game, match.game.view(other_state, Seat(i)), names
                )
        return secret_texts, all_texts


def _hand_texts_of(game: AnyGame, view: View, names: Names) -> set[str]:
    """Return all that texts say of a hand: in full, and in short if the game does."""
    summarize = game.words.hand_summary or game.words.hand_text
    return {game.words.hand_text(view, names), summarize(view, names)}


class _ContentRecorder(ResponseRecorder):
    """Records the one answer of a press."""

    content: Content | None = None

    async def show(self, post: Post, pictures: Sequence[DrawnPicture] = (), **_: object) -> None:
        """Record a page."""
        self.content = Content.of_post(post, pictures)

    async def send_text(self, text: str) -> None:
        """Record a sentence."""
        self.content = Content(text, (), ())


def _matches_after_each(match: Match, records: Iterable[Any]) -> Iterable[Match]:
    yield match
    for record in records:
        match = match.append(record)
        yield match
