"""The private panel: what a player can do now, redrawn in place until the turn is over."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

import discord

from bot import limits
from bot.chat.components import CustomId
from bot.chat.drawing_order import DrawingPriority
from bot.chat.drawing_queue import DrawingSuperseded, drawing_settings, newest_drawings
from bot.chat.guess_pages import guess_page
from bot.chat.move_result_posts import move_note_lines, move_or_turn_text, move_result_post
from bot.chat.own_tables import waiting_tables_text
from bot.chat.panel_posts import PanelPage, panel_page, panel_path
from bot.chat.pictures import DrawnPicture, draw_choice_picture, draw_preview_picture
from bot.chat.post_parts import UNDO_CONFIRMED, UNDO_WHOLE_TURN, table_custom_id
from bot.chat.refusals import record_refusal, refusal_text
from bot.chat.response import Response
from bot.chat.undo_pages import confirm_undo_post
from bot.host import game_calls, game_logs, previews
from bot.host.committer import ChangeResult
from bot.host.deciders import own_undo, play
from bot.host.deciders.decision import Decision
from bot.host.deciders.own_undo import UnconfirmedUndo
from bot.host.deciders.play import StaleChoice
from bot.host.deciders.timeouts import come_back, is_substituted
from bot.host.dm_status import resend_hand_if_closed
from bot.host.game_guard import GameGuard
from bot.host.line_codes import CODES_MARK, read_codes
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.question_rows import QuestionKind
from bot.store.rows import Status
from rules.model import Action, Seat
from rules.notation import ACTION_SEPARATOR
from rules.text import shortened

ActionReader: TypeAlias = Callable[[Table, Seat], Sequence[Action]]
"""Returns the actions that a command or a typed line names.  Raises Refusal."""

_MAX_LINE_LENGTH: Final = 200
"""The most characters of a move that can be typed into the form."""
_STALE_NOTE: Final = "-# The game has changed since then. These are your choices now."
_STALE_CHOICE_NOTE: Final = (
    "-# Your choice was not played: the game has changed since then. These are your choices now."
)
_BACK_TEXT: Final = "You are no longer away, since you have moved."
_STALE_UNDO_NOTE: Final = "-# Moves have been made or taken back since then. These are your choices now."


class PanelHandler:
    """Responds to every press in the panel.  It keeps nothing: a button carries what is chosen so far."""

    def __init__(self, tables: Tables) -> None:
        """``tables``: where the games are."""
        self._tables = tables

    async def open(self, response: Response, number: int, request: Request) -> None:
        """Show the first screen.

        Somebody for whom a computer plays comes back by it.  A hand that did not arrive is sent again.
        """
        table = await self._tables.get(number)
        if is_substituted(table, request.user):
            result = await self._tables.change(number, request, partial(come_back, request=request))
            table = result.table
            try:
                _require_turn(table, request)
            except Refusal as refusal:
                is_paused = table.status is Status.PAUSED  # then the answer says all
                await response.send_text(result.answer if is_paused else f"{result.answer} {refusal}")
                return
        seat = _require_turn(table, request)
        await _show_first_screen(response, table, seat)
        await resend_hand_if_closed(self._tables, table, request)

    async def show_screen(
        self, response: Response, custom_id: CustomId, request: Request, path: str, page_index: int = 0
    ) -> None:
        """Show a page of the screen after ``path``, or a marked action with its preview."""
        table = await self._tables.get(custom_id.table_number)
        seat = _require_turn(table, request)
        if custom_id.ply != table.row.ply:
            await _show_page(response, table, seat, panel_page(table, seat, note_lines=(_STALE_NOTE,)))
        elif not path and not page_index:
            await _show_first_screen(response, table, seat)
        else:
            await _show_page(response, table, seat, panel_page(table, seat, path, page_index))

    async def play(self, response: Response, custom_id: CustomId, request: Request) -> None:
        """Play the action or the line that the button carries, and show the next screen."""
        table = await self._tables.get(custom_id.table_number)
        actions = _actions_of_button(table, request, custom_id)
        if actions is None:
            await _refuse_stale_choice(response, table, play.require_playing_seat(table, request)[0])
            return
        decide = partial(play.play, request=request, actions=actions, ply=custom_id.ply)
        try:
            result = await self._tables.change(custom_id.table_number, request, decide)
        except StaleChoice:
            table = await self._tables.get(custom_id.table_number)
            seat, _ = play.require_playing_seat(table, request)
            if not await _show_if_played(response, table, seat, actions, custom_id.ply):
                await _refuse_stale_choice(response, table, seat)
            return
        is_answered = result.is_repeat and await _answer_repeated_press(
            response, request, result, actions, custom_id.ply
        )
        if not is_answered:
            await show_after_move(self._tables, response, request, result)

    async def undo(self, response: Response, custom_id: CustomId, request: Request) -> None:
        """Take the last choice back, or the whole turn, and show what can be chosen instead."""
        words = custom_id.argument.split()
        try:
            await undo_or_ask(
                self._tables,
                response,
                request,
                custom_id.table_number,
                is_whole_turn=UNDO_WHOLE_TURN in words,
                history_length=next((int(word) for word in words if word.isdecimal()), None),
                ply=custom_id.ply,
                is_confirmed=UNDO_CONFIRMED in words,
            )
        except StaleChoice:
            table = await self._tables.get(custom_id.table_number)
            seat, _ = play.require_playing_seat(table, request)
            if table.to_act != seat:
                raise
            await _show_page(response, table, seat, panel_page(table, seat, note_lines=(_STALE_UNDO_NOTE,)))


def _actions_of_button(table: Table, request: Request, custom_id: CustomId) -> Sequence[Action] | None:
    """Return the actions that a button plays; None if its codes mean none any more.  Raises Refusal."""
    if custom_id.argument.startswith(CODES_MARK):
        seat, _ = play.require_playing_seat(table, request)
        return read_codes(table, seat, custom_id.argument, custom_id.ply)
    return [game_calls.parse_action(table, part) for part in custom_id.argument.split(ACTION_SEPARATOR)]


async def _refuse_stale_choice(response: Response, table: Table, seat: Seat) -> None:
    """Show that a choice was not played, with the first screen.  Raises Refusal out of turn."""
    if table.to_act != seat:
        text = "Your choice was not played: the game has changed since then."
        raise Refusal(f"{text} {_waiting_text(table)}".rstrip())
    await _show_page(response, table, seat, panel_page(table, seat, note_lines=(_STALE_CHOICE_NOTE,)))


async def _answer_repeated_press(
    response: Response, request: Request, result: ChangeResult, actions: Sequence[Action], ply: int
) -> bool:
    """Answer a press that Discord delivers twice as a second press; return False if that is not possible.

    Its other answer may come later, and is not shown then.
    """
    table, seat = result.table, result.table.seat_of(request.user)
    if seat is None or table.status is not Status.PLAYING:
        return False
    return await _show_if_played(response, table, seat, actions, ply)


async def _show_if_played(
    response: Response, table: Table, seat: Seat, actions: Sequence[Action], ply: int
) -> bool:
    """Show again what a line that was offered at ``ply`` did; return False if not all of it was played."""
    played_range = game_calls.find_played_actions(table, seat, actions, ply)
    if played_range is None:
        return False
    await _show_line_again(response, table, seat, played_range)
    return True


async def _show_first_screen(response: Response, table: Table, seat: Seat) -> None:
    """Show the first screen below the story since the player's last turn, as that player may know it."""
    lines = await game_logs.log_lines_since_last_turn(table, seat)
    await _show_page(response, table, seat, panel_page(table, seat, recent_lines=lines))


async def _show_line_again(response: Response, table: Table, seat: Seat, played_range: range) -> None:
    """Answer a second press of a line: show again what it did, with the next screen if there is one."""
    assert table.match is not None
    lines = await game_logs.log_lines(table, seat, played_range.start)
    text = "\n".join(line.text for line in lines if line.index < played_range.stop)
    first_number = sum(record.is_choice for record in table.match.history[: played_range.start + 1])
    last_number = sum(record.is_choice for record in table.match.history[: played_range.stop])
    moves_text = (
        f"move {first_number}" if first_number == last_number else f"moves {first_number} to {last_number}"
    )
    repeated_text = f"Already played as {moves_text}{':' if text else '.'}"
    if table.to_act == seat:
        note_lines = (f"-# {repeated_text}", *move_note_lines(text))
        await _show_page(response, table, seat, panel_page(table, seat, note_lines=note_lines))
    else:
        await response.show(move_result_post(table, seat, f"{repeated_text}\n{text}"))


async def show_after_move(tables: Tables, response: Response, request: Request, result: ChangeResult) -> None:
    """Show a move's result, with the next screen if its player chooses again, else with the next table."""
    table, seat = result.table, result.table.seat_of(request.user)
    back_text = _BACK_TEXT if result.ended_absence else ""
    if seat is None or table.to_act != seat or (result.is_repeat and table.status is not Status.PLAYING):
        text = result.answer
        if seat is not None and not result.is_repeat:
            text = move_or_turn_text(table, seat, text, await game_logs.log_lines_with_last_turn(table, seat))
        tables_text = await waiting_tables_text(tables, request.user, table.number)
        post = move_result_post(
            table,
            seat,
            text,
            is_repeat=result.is_repeat,
            closing_text=f"{back_text}\n{tables_text}".strip(),
        )
        if result.is_repeat:  # the first answer says more
            await response.show(post, replaces_first_answer=False)
        else:
            await response.show(post)
        return
    page = panel_page(table, seat, note_lines=move_note_lines(f"{result.answer}\n{back_text}".strip()))
    await _show_page(response, table, seat, page)


async def undo_or_ask(
    tables: Tables,
    response: Response,
    request: Request,
    number: int,
    *,
    is_whole_turn: bool = False,
    history_length: int | None = None,
    ply: int | None = None,
    is_confirmed: bool = False,
) -> None:
    """Take a choice back and show the panel again, or ask first if it takes back others' moves too.

    The last four arguments are those of ``own_undo.undo``.  Raises Refusal.
    """
    decide = partial(
        own_undo.undo,
        request=request,
        is_whole_turn=is_whole_turn,
        history_length=history_length,
        ply=ply,
        is_confirmed=is_confirmed,
    )
    try:
        result = await tables.change(number, request, decide)
    except UnconfirmedUndo as refusal:
        await response.show(confirm_undo_post(refusal))
        return
    table, seat = result.table, result.table.seat_of(request.user)
    question = table.row.question
    is_asked = question is not None and question.kind is QuestionKind.UNDO and not question.declined
    is_stopped_by_now = result.is_repeat and table.status is not Status.PLAYING
    if seat is None or table.to_act != seat or is_asked or is_stopped_by_now:
        await response.send_text(result.answer)
        return
    await _show_page(response, table, seat, panel_page(table, seat, note_lines=(f"-# {result.answer}",)))


async def play_or_confirm(
    tables: Tables,
    response: Response,
    request: Request,
    number: int,
    read_actions: ActionReader,
    decide: Callable[[Table, int], Decision],
) -> None:
    """Play what a command or a typed line names, or show its preview first where the panel would.

    Several actions in one line are played at once.  ``decide`` gets the table and the ply at which the need
    for a preview was checked; it refuses if the table has moved on since.
    """
    table = await tables.get(number)
    seat = table.seat_of(request.user)
    if seat is not None and table.to_act == seat:
        actions = read_actions(table, seat)
        is_legal = len(actions) == 1 and actions[0] in game_calls.legal_actions(table, seat)
        if is_legal and previews.actions_to_confirm(table, seat, actions):
            path = panel_path(table, seat, actions[0])
            await _show_page(response, table, seat, panel_page(table, seat, path))
            return
    result = await tables.change(number, request, lambda current: decide(current, table.row.ply))
    await show_after_move(tables, response, request, result)


async def play_or_confirm_line(
    tables: Tables,
    response: Response,
    number: int,
    request: Request,
    text: str,
    ply: int | None = None,
    *,
    at_once: bool = False,
) -> None:
    """Play a typed line, or show its preview first.  What a text is only guessed to mean is always shown.

    Raises Refusal.
    In their turn, who typed it into the form of a panel reads a refusal there: below the panel each would
    stay as one more message.  ``ply``: that at which the form was offered; None: the line is a command's.
    ``at_once``: play it without a preview.
    """

    def read_actions(table: Table, seat: Seat) -> Sequence[Action]:
        with GameGuard(table.number):
            return play.parse_typed_actions(table, seat, text)

    def decide(table: Table, viewed_ply: int | None) -> Decision:
        return play.play_typed_line(table, request, text, viewed_ply if ply is None else ply)

    try:
        if at_once:
            result = await tables.change(number, request, lambda table: decide(table, None))
            await show_after_move(tables, response, request, result)
        else:
            await play_or_confirm(tables, response, request, number, read_actions, decide)
    except play.GuessedMove as guess:
        await _show_guess(tables, response, number, request, guess)
    except Refusal as refusal:
        if response.replaced_message_id is None:
            raise
        table = await tables.get(number)
        try:
            seat = _require_turn(table, request)
        except Refusal:
            raise refusal from None
        record_refusal(response.interaction, refusal)
        await _show_page(response, table, seat, panel_page(table, seat, refusal_text=refusal_text(refusal)))


async def _show_guess(
    tables: Tables, response: Response, number: int, request: Request, guess: play.GuessedMove
) -> None:
    """Ask whether a guessed line is meant, with its preview and the button that plays it.  Raises Refusal."""
    table = await tables.get(number)
    seat = _require_turn(table, request)
    page, previewed_table = guess_page(table, seat, guess)
    await _show_page(response, previewed_table, seat, page)


def _require_turn(table: Table, request: Request) -> Seat:
    """Return the requester's seat.  Raises Refusal if it is not their turn."""
    seat, match = play.require_playing_seat(table, request)
    if seat in match.resigned_seats:
        raise Refusal(play.RESIGNED_TEXT)
    if table.to_act != seat:
        raise Refusal(f"It is not your turn. {_waiting_text(table)}".rstrip())
    return seat


def _waiting_text(table: Table) -> str:
    """Return for whom the requester waits, as a sentence; empty if nobody is to act."""
    return "" if table.to_act is None else f"Wait for {table.names[table.to_act]}."


async def _show_page(response: Response, table: Table, seat: Seat, page: PanelPage) -> None:
    """Show a page, unless the same message is to show a newer one by the time the picture is drawn."""
    message_id = response.replaced_message_id
    is_wanted = None if message_id is None else newest_drawings.register(message_id)
    try:
        with drawing_settings(DrawingPriority.ANSWER, is_wanted):
            pictures = await _draw_pictures(table, seat, page)
    except DrawingSuperseded:
        await response.defer()
        return
    await response.show(page.post, pictures)


async def _draw_pictures(table: Table, seat: Seat, page: PanelPage) -> Sequence[DrawnPicture]:
    """Draw what helps to decide between the choices that are left, or the preview of the marked one."""
    if page.marked_action is not None:
        return (await draw_preview_picture(table, seat, page.marked_action),)
    return (await draw_choice_picture(table, seat, page.remaining_actions),)


class TypedMoveForm(discord.ui.Modal):
    """Asks for a move in notation.  Its custom id says all that its handler needs."""

    FIELD_NAME: Final = "line"
    """The custom id of its field."""

    def __init__(self, table: Table, example: str) -> None:
        """``example``: a legal move, in words that may be typed."""
        custom_id = table_custom_id(table, "typed")
        super().__init__(title="Type a move", custom_id=str(custom_id), timeout=None)
        self.stop()  # `router.Router` reads the answer: discord.py need not keep the form
        field: discord.ui.TextInput[TypedMoveForm] = discord.ui.TextInput(
            custom_id=self.FIELD_NAME,
            max_length=_MAX_LINE_LENGTH,
            placeholder=shortened(f"For example: {example}", limits.TEXT_INPUT_PLACEHOLDER),
        )
        self.add_item(discord.ui.Label(text="Your move: words of a button, or notation", component=field))
