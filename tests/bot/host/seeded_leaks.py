"""Leaks of a secret, each of which the comparison of two tables must catch (T7)."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

import msgspec

from bot.chat import action_commands, animations, history_pages, pages, pictures, post_parts, question_posts
from bot.chat.board_frames import BoardFrame
from bot.host import game_calls, game_logs, previews
from bot.host.deciders import decision, play
from bot.host.deciders.decision import notice_delivery
from bot.host.table import Table
from render.picture import PictureContext
from render.png import encode_chunk
from rules.game import AnyGame
from rules.match import Match
from rules.model import Seat
from rules.narration import Narration, narration
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS
from tests.bot.host.viewer_output import use_scenes_as_pictures

REAL_GAME: Final = GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS]


class _SideChannel:
    """The last state that was viewed: how a careless function of a view would know more."""

    def __init__(self) -> None:
        self.state: Any = None

    def view(self, state: Any, viewer: Seat | None) -> Any:
        self.state = state
        return REAL_GAME.view(state, viewer)

    def secret(self) -> str:
        return str(hash(msgspec.msgpack.encode(self.state)) % 7)


def _leak_in_words(function_name: str) -> Callable[[], tuple[AnyGame, ExitStack]]:
    """Return a leak: one of the game's words says a little more."""

    def make() -> tuple[AnyGame, ExitStack]:
        side_channel = _SideChannel()
        real = getattr(REAL_GAME.words, function_name)

        def call_and_leak(*arguments: Any) -> str:
            return f"{real(*arguments)} {side_channel.secret()}"

        changed: dict[str, Any] = {function_name: call_and_leak}
        words = replace(REAL_GAME.words, **changed)
        return replace(REAL_GAME, words=words, view=side_channel.view), ExitStack()

    return make


def _leak_by_narration() -> tuple[AnyGame, ExitStack]:
    """Seed a leak: each narration has one more sentence."""
    side_channel = _SideChannel()

    def narrate(*arguments: Any) -> Narration:
        return narration(*REAL_GAME.words.narrate(*arguments).lines, [side_channel.secret()])

    words = replace(REAL_GAME.words, narrate=narrate)
    return replace(REAL_GAME, words=words, view=side_channel.view), ExitStack()


def _leak_by_order_of_story() -> tuple[AnyGame, ExitStack]:
    """Seed a leak: whom an event affects, and so the order of a story, depends on a secret."""
    side_channel = _SideChannel()

    def affected_seats(before: Any, after: Any) -> frozenset[Seat]:
        affected = REAL_GAME.words.affected_seats(before, after)
        return frozenset() if int(side_channel.secret()) < 4 else affected

    words = replace(REAL_GAME.words, affected_seats=affected_seats)
    return replace(REAL_GAME, words=words, view=side_channel.view), ExitStack()


def _secret(table: Table) -> int:
    """Return a number from 0 to 6 that depends on the whole state; some leaks tell only if it is below 4."""
    assert table.match is not None
    return int(table.match.digest(), 16) % 7


def _leak_in_function(
    where: Any, function_name: str, leaky: Callable[..., Any]
) -> Callable[[], tuple[AnyGame, ExitStack]]:
    """Return a leak: a function of the chat or the host says a little more."""

    def make() -> tuple[AnyGame, ExitStack]:
        stack = ExitStack()
        real = getattr(where, function_name)

        def leaking(*arguments: Any, **keywords: Any) -> Any:
            return leaky(real, *arguments, **keywords)

        stack.enter_context(patch.object(where, function_name, leaking))
        return REAL_GAME, stack

    return make


async def _leak_by_file_name(real: Any, table: Table, *arguments: Any) -> Any:
    return msgspec.structs.replace(await real(table, *arguments), name=f"board-{_secret(table)}.png")


def _leak_by_disabled_flag(real: Any, table: Table, *arguments: Any, **keywords: Any) -> Any:
    return real(table, *arguments, **(keywords | {"disabled": _secret(table) < 4}))


def _leak_by_custom_id(
    real: Any, table: Table, label: str, verb: str, argument: str = "", **keywords: Any
) -> Any:
    return real(table, label, verb, f"{argument}{_secret(table)}", **keywords)


def _leak_by_suggestions(real: Any, table: Table, *arguments: Any) -> Any:
    return real(table, *arguments)[_secret(table) % 2 :]


async def _leak_by_highlight(real: Any, table: Table, name: str, view: Any, context: PictureContext) -> Any:
    events = context.recent_events if _secret(table) < 4 else ()
    return await real(table, name, view, msgspec.structs.replace(context, recent_events=events))


def _leak_by_number_of_messages(real: Any, before: Table, match: Match) -> Any:
    table, deliveries = real(before, match)
    return table, (*deliveries, *([notice_delivery("…")] if _secret(table) < 4 else []))


def _leak_by_direct_messages(real: Any, before: Table, after: Table) -> Any:
    del real
    for i, _ in enumerate(after.seats):
        if _secret(after) < 4:
            yield decision.hand_delivery(i)


def _leak_by_nonces(real: Any, before: Table, after: Table) -> Any:
    """Add deliveries that send nothing: the ids of those after them are nonces."""
    if _secret(after) < 4:
        yield from (decision.hand_delivery(i) for i, _ in enumerate(after.seats) if Seat(i) != before.to_act)
    yield from real(before, after)


def _leak_by_order_of_choices(real: Any, table: Table, *arguments: Any) -> Any:
    paths = real(table, *arguments)
    return paths if _secret(table) < 4 else dict(reversed(paths.items()))


def _leak_by_confirmation(real: Any, table: Table, *arguments: Any) -> Any:
    asked = real(table, *arguments)
    return asked if _secret(table) < 4 else frozenset()


def _leak_by_order_of_messages(real: Any, before: Table, match: Match) -> Any:
    table, deliveries = real(before, match)
    return table, deliveries[::-1] if _secret(table) < 4 else deliveries


def _leak_by_legal_actions() -> tuple[AnyGame, ExitStack]:
    side_channel = _SideChannel()

    def legal(view: Any) -> Any:
        actions = REAL_GAME.legal_actions(view)
        return actions[1:] if len(actions) > 2 and int(side_channel.secret()) < 4 else actions

    return replace(REAL_GAME, view=side_channel.view, legal_actions=legal), ExitStack()


def _leak_by_possible_undo(real: Any, match: Match, seat: Seat) -> Any:
    undo = real(match, seat)
    return undo and msgspec.structs.replace(undo, is_free=undo.is_free and int(match.digest(), 16) % 7 < 4)


def _leak_by_undo_question(real: Any, table: Table) -> Any:
    return msgspec.structs.replace(real(table), text=f"{real(table).text} {_secret(table)}")


async def _leak_by_animation_name(real: Any, table: Table, *arguments: Any) -> Any:
    replay = await real(table, *arguments)
    name = f"replay-{_secret(table)}.gif"
    return replay._replace(picture=msgspec.structs.replace(replay.picture, name=name))


async def _leak_by_animation_alt_text(real: Any, table: Table, *arguments: Any) -> Any:
    drawn = await real(table, *arguments)
    return msgspec.structs.replace(drawn, alt=f"{drawn.alt} {_secret(table)}")


async def _leak_by_animation_length(
    real: Any, table: Table, viewer: Seat | None, frames: Sequence[BoardFrame], *arguments: Any
) -> Any:
    return await real(table, viewer, frames[:1] if _secret(table) < 4 else frames, *arguments)


def _leak_by_match_file(real: Any, table: Table, *arguments: Any) -> str:
    return f"{real(table, *arguments)}\n# {_secret(table)}"


def _leak_by_board_title(real: Any, boards: Any, number: int) -> str:
    return f"{real(boards, number)} {_secret(boards._table)}"


def _leak_by_turn_page(real: Any, table: Table, *arguments: Any) -> Any:
    page = real(table, *arguments)
    return page._replace(pill_text=f"{page.pill_text} {_secret(table)}")


async def _leak_by_log_page(
    real: Any, tables: Any, response: Any, number: int, *arguments: Any, **keywords: Any
) -> None:
    await real(tables, response, number, *arguments, **keywords)
    await response.send_text(str(_secret(await tables.get(number))))


async def _leak_by_picture_metadata(real: Any, table: Table, *arguments: Any) -> Any:
    """Return the picture with a chunk of text before its last chunk, which has 12 bytes."""
    painted = await real(table, *arguments)
    chunk = encode_chunk(b"tEXt", b"Comment\0%d" % _secret(table))
    return msgspec.structs.replace(painted, data=painted.data[:-12] + chunk + painted.data[-12:])


async def _leak_by_palette(real: Any, table: Table, *arguments: Any) -> Any:
    """Return the picture with another last colour in its palette, which follows the head."""
    painted = await real(table, *arguments)
    start = 33  # after the signature (8 bytes) and the chunk IHDR (25)
    size = int.from_bytes(painted.data[start : start + 4])
    colours = painted.data[start + 8 : start + 5 + size] + bytes((_secret(table),) * 3)
    data = painted.data[:start] + encode_chunk(b"PLTE", colours) + painted.data[start + 12 + size :]
    return msgspec.structs.replace(painted, data=data)


def _leak_by_line_past_chance() -> tuple[AnyGame, ExitStack]:
    """Seed a leak: a line of moves goes on after a draw, so its refusal reveals the draw for nothing."""
    stack = ExitStack()
    stack.enter_context(patch.object(Match, "play_uninterrupted", Match.play))
    return REAL_GAME, stack


LEAKS: Final[dict[str, Callable[[], tuple[AnyGame, ExitStack]]]] = {
    "alt text": _leak_in_words("alt_text"),
    "status": _leak_in_words("status"),
    "label": _leak_in_words("label"),
    "field's label": _leak_in_words("value_label"),
    "log": _leak_by_narration,
    "order of the story": _leak_by_order_of_story,
    "refusal text": _leak_in_words("refusal"),
    "description": _leak_in_words("describe"),
    "preview": _leak_in_words("preview"),
    "file name": _leak_in_function(pages, "draw_board_picture_with_status", _leak_by_file_name),
    "disabled flag": _leak_in_function(post_parts, "button", _leak_by_disabled_flag),
    "id": _leak_in_function(post_parts, "button", _leak_by_custom_id),
    "autocompletion": _leak_in_function(action_commands, "_field_suggestions", _leak_by_suggestions),
    "highlight": _leak_in_function(pictures, "_draw", _leak_by_highlight),
    "number of messages": _leak_in_function(play, "apply_match", _leak_by_number_of_messages),
    "order of messages": _leak_in_function(play, "apply_match", _leak_by_order_of_messages),
    "direct messages": _leak_in_function(decision, "outdated_hand_deliveries", _leak_by_direct_messages),
    "nonces": _leak_in_function(decision, "outdated_hand_deliveries", _leak_by_nonces),
    "order of choices": _leak_in_function(game_calls, "action_paths", _leak_by_order_of_choices),
    "what is asked first": _leak_in_function(previews, "actions_to_confirm", _leak_by_confirmation),
    "what is offered": _leak_by_legal_actions,
    "undo": _leak_in_function(Match, "possible_undo", _leak_by_possible_undo),
    "undo question": _leak_in_function(question_posts, "question_post", _leak_by_undo_question),
    "animation's file name": _leak_in_function(
        history_pages, "draw_replay_animation", _leak_by_animation_name
    ),
    "animation's alt text": _leak_in_function(
        history_pages, "draw_recent_animation", _leak_by_animation_alt_text
    ),
    "animation's length": _leak_in_function(
        history_pages, "draw_recent_animation", _leak_by_animation_length
    ),
    "title in an animation": _leak_in_function(animations._Boards, "_pill_text", _leak_by_board_title),
    "page of a turn": _leak_in_function(history_pages, "_turn_page", _leak_by_turn_page),
    "match file": _leak_in_function(game_logs, "_match_file_text", _leak_by_match_file),
    "page of the log": _leak_in_function(history_pages, "show_log", _leak_by_log_page),
    "picture metadata": _leak_in_function(pictures, "_draw", _leak_by_picture_metadata),
    "palette": _leak_in_function(pictures, "_draw", _leak_by_palette),
    "a line past chance": _leak_by_line_past_chance,
}

RARE_LEAKS: Final = frozenset({"a line past chance", "animation's length"})
"""Few positions let them out."""
LEAKS_IN_PNGS: Final = frozenset({"picture metadata", "palette"})
"""In the bytes of a painted picture, not in its scene."""


@contextmanager
def leaking(leak_name: str) -> Iterator[AnyGame]:
    """Make the bot leak as ``leak_name`` says; yield the game that tells the secret."""
    game, stack = LEAKS[leak_name]()
    with nullcontext() if leak_name in LEAKS_IN_PNGS else use_scenes_as_pictures(), stack:
        yield game
