"""The private panel: what a player can do now, step by step, with the result shown before it is final."""

from typing import Final

import discord

from bot import limits
from bot.chat.components import Button, ButtonId, Select
from bot.chat.funnel import Choice, Step, next_step
from bot.chat.pictures import Picture, board_picture, hand_picture, preview_picture
from bot.chat.posts import Post, button, button_id, join_lines, title
from bot.chat.response import Response
from bot.host import game_calls, play
from bot.host.dm_status import retry_closed
from bot.host.table import Refusal, Request, Table, guarded
from bot.host.tables import ChangeResult, Tables
from rules.game import Action, Seat
from rules.text import cut

MOST_BUTTONS: Final = 5
"""Up to so many choices are buttons; more are a select, in pages of 25."""


class Panel:
    """Responds to every press in the panel.  It keeps nothing: a button carries the words chosen so far."""

    def __init__(self, tables: Tables) -> None:
        """``tables``: where the games are."""
        self._tables = tables

    async def open(self, response: Response, number: int, request: Request) -> None:
        """Show the first step, with the player's own hand."""
        table = await self._tables.get(number)
        seat = _require_turn(table, request)
        pictures = [await hand_picture(table, seat)] if table.game.hidden else []
        post = self._step_post(table, seat, "")
        await response.show(post, pictures)
        await retry_closed(self._tables, table, request)

    async def step(
        self, response: Response, pressed: ButtonId, request: Request, words: str, page: int = 0
    ) -> None:
        """Show the step after ``words``.  A single action left is previewed or played."""
        table = await self._tables.get(pressed.table)
        seat = await self._require_turn(table, request, pressed.ply)
        step = _step(table, seat, words)
        shown = await self._shown(table, seat, step, page)
        if shown is not None:
            await response.show(*shown)
        elif step.action is not None:
            await self.do(response, pressed, request, step.action)

    async def _shown(
        self, table: Table, seat: Seat, step: Step, page: int
    ) -> tuple[Post, list[Picture]] | None:
        """Return a step and its picture; None for an action that has no preview and can be undone."""
        if step.action is None:
            return self._post_of(table, seat, step, page), [await _step_picture(table, seat, step)]
        preview = game_calls.preview_text(table, seat, step.action)
        if preview is None and not game_calls.is_irreversible(table, seat, step.action):
            return None
        picture = await preview_picture(table, seat, step.action)
        return _confirm_post(table, step, preview), [picture]

    async def do(self, response: Response, pressed: ButtonId, request: Request, action: Action) -> None:
        """Play an action and show the result."""
        done = await self._tables.change(
            pressed.table, request, lambda table: play.play(table, request, (action,), pressed.ply)
        )
        await show_done(self._tables, response, request, done)

    async def do_words(self, response: Response, pressed: ButtonId, request: Request) -> None:
        """Play the action whose words the button carries."""
        table = await self._tables.get(pressed.table)
        await self.do(response, pressed, request, game_calls.parse_action(table, pressed.argument))

    async def _require_turn(self, table: Table, request: Request, ply: int) -> Seat:
        """Return the actor's seat.  Raises Refusal, for a repeated press with the first response."""
        try:
            return _require_turn(table, request, ply)
        except Refusal:
            known = None
            if request.interaction is not None:
                known = await self._tables.store.find_reply(request.interaction)
            if known is not None:
                raise Refusal(known) from None
            raise

    def _step_post(self, table: Table, seat: Seat, words: str) -> Post:
        return self._post_of(table, seat, _step(table, seat, words), 0)

    def _post_of(self, table: Table, seat: Seat, step: Step, page: int) -> Post:
        status = game_calls.status_text(table, seat)
        lines = [f"**{title(table)}** · {status}", f"### {step.prompt}"]
        if step.action is not None:
            step = Step(step.prompt, (Choice(step.prompt, step.words),), step.words, step.back)
        rows = list(_choice_rows(table, step, page))
        last: list[Button] = []
        if step.back is not None:
            last.append(button(table, "Back", "step", step.back))
        last.append(button(table, "Type a move", "type"))
        rows.append(tuple(last))
        return Post(join_lines(lines), tuple(rows))


def _require_turn(table: Table, request: Request, ply: int | None = None) -> Seat:
    """Return the actor's seat, if it is its turn.  Raises Refusal."""
    seat, match = play.playing_seat(table, request)
    if ply is not None and ply != match.ply:
        raise Refusal("The game has moved on since then. Press **Play** to see what you can do now.")
    if table.to_act != seat:
        raise Refusal(f"It is not your turn. {_who_plays(table)}")
    return seat


def _who_plays(table: Table) -> str:
    """Say for whom the asker waits; empty while nothing is asked."""
    return "" if table.to_act is None else f"Wait for {table.names[table.to_act]}."


@guarded
def _step(table: Table, seat: Seat, words: str) -> Step:
    assert table.match is not None
    view = table.match.view(seat)
    return next_step(table.game, view, table.game.legal_actions(view), words, table.names)


def _choice_rows(table: Table, step: Step, page: int) -> list[tuple[Button | Select, ...]]:
    if len(step.choices) <= MOST_BUTTONS:
        return [
            tuple(button(table, choice.label, "step", choice.words, main=True) for choice in step.choices)
        ]
    pages = -(-len(step.choices) // limits.SELECT_OPTIONS)
    page = min(max(page, 0), pages - 1)
    shown = step.choices[page * limits.SELECT_OPTIONS : (page + 1) * limits.SELECT_OPTIONS]
    options = tuple((choice.label, choice.words, choice.hint) for choice in shown)
    where = f" ({page + 1} of {pages})" if pages > 1 else ""
    rows: list[tuple[Button | Select, ...]] = [
        (Select(f"{step.prompt}{where}", button_id(table, "pick"), options),)
    ]
    if pages > 1:
        earlier = button(table, "Earlier", "page", f"{page - 1} {step.words}".strip(), off=page == 0)
        later = button(table, "Later", "page", f"{page + 1} {step.words}".strip(), off=page == pages - 1)
        rows.append((earlier, later))
    return rows


async def _step_picture(table: Table, seat: Seat, step: Step) -> Picture:
    """Return the picture of a step: the hand while a card is chosen, then the board."""
    where = len(step.words.split()) > 1
    if where or not table.game.hidden:
        return await board_picture(table)
    return await hand_picture(table, seat)


def _confirm_post(table: Table, step: Step, preview: str | None) -> Post:
    lines = [f"**{title(table)}**", f"### {step.prompt}"]
    lines.append(preview or "Once played, this can only be undone if the others allow it.")
    buttons: list[Button] = [button(table, "Play it", "do", step.words, main=True)]
    if step.back is not None:
        buttons.append(button(table, "Back", "step", step.back))
    return Post(join_lines(lines), (tuple(buttons),))


def done_post(table: Table, request: Request, text: str, *, repeated: bool = False) -> Post:
    """Return the result of a move and what the player can do next."""
    lines = [f"**{title(table)}**", text]
    rows: list[Button] = []
    seat = table.seat_of(request.user)
    if seat is not None and table.match is not None and table.to_act is not None:
        if table.to_act == seat:
            rows.append(button(table, "Go on", "play", main=True))
        offer = game_calls.undo_offer(table, seat)
        if offer is not None and offer.free and not repeated:
            rows.append(button(table, "Undo", "undo"))
    return Post(join_lines(lines), (tuple(rows),) if rows else ())


async def show_done(tables: Tables, response: Response, request: Request, done: ChangeResult) -> None:
    """Show the result of a move."""
    await response.show(done_post(done.table, request, done.reply, repeated=done.repeated))


class TypedMove(discord.ui.Modal):
    """Asks for a move in notation.  Its custom id says everything, so that a restart loses nothing."""

    LINE: Final = "line"
    """The custom id of its field."""

    def __init__(self, table: Table, example: str) -> None:
        """``example``: a legal move, as it is written."""
        asked = button_id(table, "typed")
        super().__init__(title="Type a move", custom_id=str(asked), timeout=None)
        self.stop()  # the router reads the answer: discord.py need not keep the form
        line: discord.ui.TextInput[TypedMove] = discord.ui.TextInput(
            custom_id=self.LINE,
            max_length=200,
            placeholder=cut(f"For example: {example}", limits.TEXT_INPUT_PLACEHOLDER),
        )
        self.add_item(discord.ui.Label(text="Your move in notation", component=line))
