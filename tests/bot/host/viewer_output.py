"""Everything that one viewer is shown of a table, worked out through the chat's own functions."""

import hashlib
import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import discord
import msgspec

from bot import drawing
from bot.chat import (
    action_commands,
    animations,
    history_pages,
    lobby_posts,
    pages,
    pictures,
    posts,
    question_posts,
)
from bot.chat.components import CustomId
from bot.chat.hand_posts import hand_post
from bot.chat.move_result_posts import move_result_post
from bot.chat.move_suggestions import find_move_suggestions
from bot.chat.panel import PanelHandler
from bot.chat.panel_posts import panel_path
from bot.chat.pictures import DrawnPicture
from bot.chat.post_parts import Post
from bot.chat.response import Response
from bot.chat.story import PRIVATE_STORY_LENGTH, make_story
from bot.host import game_logs
from bot.host.deciders import own_undo, play
from bot.host.deciders.decision import Decision, hand_delivery
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from bot.store.preferences import PersonRow
from bot.store.rows import RecordRow, StoredTable, TableRow
from render.gif import Animation
from render.scene import Scene
from rules.model import SEAT_LETTERS, Seat
from rules.notation import fields_of, write_action
from rules.turns import turns_from
from tests.bot.chat.post_components import layout_components
from tests.bot.host.playing import request_of_person

_MAX_TURN_POSTS = 4
"""Posts of finished turns that are looked at: each narrates the history from its turn on."""
_BYSTANDER_SEAT = 6
"""The seat from which a bystander's requests come: no game has so many seats."""


class _DefaultPreferences:
    """The preferences of people who have set none."""

    async def get(self, user: int) -> PersonRow:
        """Return somebody's preferences."""
        return PersonRow(user)


class TablesOfOne:
    """A ``Tables`` of one table, which nothing can change."""

    def __init__(self, table: Table) -> None:
        """Show this one."""
        self.table = table
        self.store = self
        self.person_preferences = _DefaultPreferences()

    async def get(self, number: int) -> Table:
        """Return the table."""
        assert number == self.table.number
        return self.table

    async def load(self, number: int) -> StoredTable:
        """Return the table as stored; nothing was undone at it."""
        assert self.table.match is not None
        rows = (
            RecordRow(ply, record.actor, write_action(record.action), record.auto, None, 0)
            for ply, record in enumerate(self.table.match.history, 1)
        )
        return StoredTable(self.table.row, tuple(rows))

    async def match_file_text(self, number: int, viewer: Seat | None) -> str:
        """Write its file, as Tables does."""
        return await Tables.match_file_text(cast("Tables", self), number, viewer)

    async def find_answer(self, interaction: int) -> None:
        """Nothing was answered before."""

    async def change(self, number: int, request: Request, decide: Any) -> Any:
        """Change nothing; refuse with what would come of the request."""
        del request
        assert number == self.table.number
        raise Refusal(f"would do: {decide(self.table).answer}")


class ResponseRecorder:
    """Records the answers to an interaction."""

    replaced_message_id: int | None = None
    shown_message_id: int | None = None

    def __init__(self) -> None:
        """Nothing was said yet; no server is known whose members could be asked about."""
        self.answers: list[Any] = []
        self.interaction = SimpleNamespace(client=SimpleNamespace(get_guild=lambda _: None))

    async def defer(self) -> None:
        """Defer the response, which is no answer."""

    async def show(self, post: Post, pictures: Sequence[DrawnPicture] = (), **_: object) -> None:
        """Record a message: its text, components, ids, disabled flags, files."""
        self.answers.append((message_fields(post), [(each.name, each.data, each.alt) for each in pictures]))

    async def send_text(self, text: str) -> None:
        """Record a sentence."""
        self.answers.append(text)

    async def show_file(self, text: str, make_file: Callable[[], discord.File]) -> None:
        """Record a file with its name and the text above it."""
        upload = make_file()
        self.answers.append((text, upload.filename, upload.fp.read()))

    async def open_form(self, form: discord.ui.Modal) -> None:
        """Record a form."""
        self.answers.append(((form.title, form.to_dict(), ()), []))


def message_fields(post: Post) -> Any:
    """Return a message as Discord gets it."""
    return post.text, layout_components(post), post.notified_users


async def record_answers(interact: Any) -> Any:
    """Let an interaction happen; return its answers, or the text with which it is refused."""
    recorder = ResponseRecorder()
    try:
        await interact(cast("Response", recorder))
    except Refusal as refusal:
        return str(refusal)
    return recorder.answers


@contextmanager
def use_scenes_as_pictures() -> Iterator[None]:
    """Replace painted pictures by their encoded scenes, without a thread."""
    with (
        patch.object(drawing, "render_png", msgspec.msgpack.encode),
        patch.object(pictures, "draw_in_queue", _run_at_once),
        patch.object(drawing, "Animation", SceneHashAnimation),
        patch.object(animations, "draw_in_queue", _run_at_once),
        patch.object(history_pages, "PROGRESS_INTERVAL", math.inf),
    ):
        yield


class SceneHashAnimation(Animation):
    """An animation whose file is a hash of its scenes."""

    def __init__(self, limit: int) -> None:
        """Nothing is ever left out."""
        super().__init__(limit)
        self._scenes: list[Scene] = []

    def add(self, scene: Scene) -> None:
        """Keep the next scene."""
        self._scenes.append(scene)

    @property
    def scene_indexes(self) -> tuple[int, ...]:
        """All of them."""
        return tuple(range(len(self._scenes)))

    def encode(self, delays: Sequence[int]) -> bytes:
        """Return a hash of the scenes and times: a whole game's scenes are too much for an upload."""
        return hashlib.sha256(msgspec.msgpack.encode((self._scenes, delays))).digest()


async def _run_at_once(_: TableRow, work: Callable[[], Any]) -> Any:
    return work()


async def viewer_output(
    table: Table,
    viewer: Seat | None,
    typed_moves: Sequence[str],
    rng: random.Random,
    *,
    with_history: bool = True,
) -> dict[str, Any]:
    """Return all pages and refusals, by name.

    ``typed_moves``: most of them illegal.  ``with_history``: also what narrates or replays all
    records: only where the state follows from them, as a sampled one does not once a choice was made there.
    """
    request = request_of_person(viewer if viewer is not None else _BYSTANDER_SEAT, interaction=1)
    tables = cast("Tables", TablesOfOne(table))
    number = table.number
    assert table.match is not None
    custom_id = CustomId(number, table.row.ply, "step")
    output: dict[str, Any] = {
        "board post": message_fields(posts.board_post(table, table.to_act)),
        "lobby post": message_fields(lobby_posts.lobby_post(table)),
        "more": message_fields(pages.more_post(table, request)),
        "possible undo": [table.match.possible_undo(Seat(seat)) for seat in range(len(table.seats))],
        "resign": await record_answers(
            lambda response: _make_and_show_post(response, partial(pages.confirm_resign_post, table, request))
        ),
        "hand": await record_answers(lambda response: pages.show_hand(tables, response, number, request)),
        "text": await record_answers(lambda response: pages.show_board_text(tables, response, number)),
        "suggested moves": [
            (each.name, each.value)
            for each in await find_move_suggestions(tables, request, number, rng.choice(("", "a", "1")))
        ],
        "refusals": [
            await record_answers(lambda response, text=text: _play_typed_text(response, table, request, text))
            for text in typed_moves
        ],
        "board": await record_answers(lambda response: pages.show_board(tables, response, number)),
        "players' boards": [
            await record_answers(
                lambda response, seat=seat: pages.show_player_board(tables, response, number, request, seat)
            )
            for seat in SEAT_LETTERS[: len(table.seats) + 1]
        ],
        "panel": await record_answers(lambda response: PanelHandler(tables).open(response, number, request)),
    }
    if with_history:
        output["log"] = await record_answers(
            lambda response: history_pages.show_log(tables, response, number, request, is_whole_game=True)
        )
        output["log since"] = await record_answers(
            lambda response: history_pages.show_log(tables, response, number, request)
        )
        output["last turn"] = await record_answers(
            lambda response: history_pages.show_turn_page(tables, response, number, request)
        )
        early_turn = rng.randrange(4)
        output["early turn"] = await record_answers(
            lambda response: history_pages.show_turn_page(tables, response, number, request, early_turn)
        )
        output["replay"] = await record_answers(
            lambda response: history_pages.show_replay(tables, response, number, request)
        )
        output["file"] = await record_answers(
            lambda response: history_pages.show_export(tables, response, number, request)
        )
        output["undo"] = await record_answers(lambda response: _show_undo(response, table, request))
        turns = turns_from(table.match.history)[:-1]
        output["turn posts"] = [
            message_fields(posts.turn_post(table, turn))
            for turn in rng.sample(turns, min(_MAX_TURN_POSTS, len(turns)))
        ]
        if viewer is not None:
            recent_lines = await game_logs.log_lines_since_last_turn(table, viewer)
            output["story"] = make_story(table, recent_lines, viewer, PRIVATE_STORY_LENGTH)
            output["hand post"] = message_fields(hand_post(table, viewer, recent_lines))
    if viewer is not None and table.to_act == viewer:
        legal = table.match.legal_actions(viewer)
        for kind in table.game.words.verb_texts:
            for field in fields_of(kind):
                values = action_commands._field_suggestions(table, kind, viewer, field.name, {}, "")
                output[f"suggested {kind.__name__}.{field.name}"] = [
                    (each.name, each.value) for each in values
                ]
        for action in rng.sample(legal, min(2, len(legal))):
            path = panel_path(table, viewer, action)
            output[f"preview {path}"] = await record_answers(
                lambda response, path=path: PanelHandler(tables).show_screen(
                    response, custom_id, request, path
                )
            )
    return output


async def _make_and_show_post(response: Response, make_post: Any) -> None:
    await response.show(make_post())


async def _show_undo(response: Response, table: Table, request: Request) -> None:
    """Show what asking for an undo leads to, and what the others would be asked."""
    decision = own_undo.undo(table, request)
    if decision.table.row.question is not None:
        await response.show(question_posts.question_post(decision.table))
    public_deliveries = [each for each in decision.deliveries if each.slot.kind is not DeliveryKind.HAND]
    await response.send_text(f"{decision.answer} {public_deliveries}")


async def _play_typed_text(response: Response, table: Table, request: Request, text: str) -> None:
    play.play_typed_line(table, request, text)
    await response.send_text(f"played: {text}")


def decision_output(before: Table, decision: Decision, viewer: Seat | None) -> dict[str, Any]:
    """Return what one viewer gets of a decision: narration, number and order of messages, the response.

    A message's nonce is its number among all messages, so it tells how many went to others before it.
    """
    assert before.match is not None
    assert decision.table.match is not None
    own_hand_slot = None if viewer is None else hand_delivery(viewer).slot
    output: dict[str, Any] = {
        "messages": [
            (number, each.slot, each.text)
            for number, each in enumerate(decision.deliveries)
            if each.slot.kind is not DeliveryKind.HAND or each.slot == own_hand_slot
        ],
        "number of all messages": len(decision.deliveries),
        "repeat": decision.repeat_answer,
        "log": decision.table.match.new_log_lines(before.match, viewer, decision.table.names),
        "recent log": decision.table.recent_log,
    }
    if viewer is not None and viewer == before.to_act:
        output["answer"] = message_fields(move_result_post(decision.table, viewer, decision.answer))
    return output
