"""One place where every press, choice and form arrives, whatever its age."""

from collections.abc import Mapping, Sequence
from typing import Final, cast

import discord

from bot.chat.handlers import HANDLERS, TYPE_ASK, UPDATING, ButtonPress, do, play_typed
from bot.chat.ids import ButtonId, parse_id
from bot.chat.lookup import visible
from bot.chat.panel import TypedMove
from bot.chat.response import Interaction, Response, request_of, respond
from bot.host import game_calls
from bot.host.table import Refusal, Request, Table
from bot.host.tables import NoSuchTable, Tables
from bot.store.protocol import GENERATION
from rules.notation import write

_LOST: Final = (
    "That button belongs to a table that was lost when I was restored from a backup."
    " `/newgame` opens another."
)


class Router:
    """Answers components and forms.  Rights come from the user and the stored table, never from the id."""

    def __init__(self, tables: Tables) -> None:
        """``tables``: where the games are."""
        self._tables = tables

    async def press(self, interaction: Interaction, pressed: ButtonId, values: Sequence[str]) -> None:
        """A button or select of ours."""
        if pressed.ask == TYPE_ASK:
            await respond(interaction, lambda response: self._ask_for_text(response, pressed))
            return
        if pressed.ask not in HANDLERS:
            await respond(interaction, _too_old)
            return
        request = request_of(interaction)

        async def work(response: Response) -> None:
            await offered(self._tables, pressed, request)
            await do(ButtonPress(self._tables, response, pressed, request, values))

        await respond(
            interaction,
            work,
            updates=pressed.ask in UPDATING and _is_private(interaction),
        )

    async def stray(self, interaction: Interaction) -> None:
        """A form, or a component that is none of ours: answered too, never silence."""
        data = cast("Mapping[str, object]", interaction.data)
        pressed = parse_id(str(data.get("custom_id", "")))
        if pressed is None:
            await respond(interaction, _too_old)
        elif interaction.type is discord.InteractionType.modal_submit:
            text, request = typed(data), request_of(interaction)

            async def work(response: Response) -> None:
                await offered(self._tables, pressed, request)
                await play_typed(self._tables, response, pressed.table, request, text, pressed.ply)

            await respond(interaction, work)

    async def _ask_for_text(self, response: Response, pressed: ButtonId) -> None:
        table = await offered(self._tables, pressed, request_of(response.interaction))
        seat = table.seat_of(response.interaction.user.id)
        legal = game_calls.legal_actions(table, seat) if table.match is not None and seat is not None else ()
        example = write(legal[0]) if legal else "a move as the log writes it"
        await response.open_form(TypedMove(table, example))


async def _too_old(_: Response) -> None:
    raise Refusal("I do not know that button any more. `/board` shows the game with fresh ones.")


async def offered(tables: Tables, pressed: ButtonId, request: Request) -> Table:
    """The table of a button that may still be pressed.

    Raises Refusal for one from before the table was restored, since what it offered is gone; NoSuchTable
    where the table is none of the presser's business.
    """
    try:
        table = await tables.get(pressed.table)
    except NoSuchTable:
        if pressed.generation < int(await tables.store.setting(GENERATION) or 0):
            raise Refusal(_LOST) from None
        raise
    row = visible(table, request).row
    if pressed.generation == row.generation:
        return table
    if row.restored_to is None:
        raise Refusal(_LOST)
    raise Refusal(
        f"Table No. {row.number} was restored from backup to move {row.restored_to}, and that button is from"
        " before. `/board` shows the game with fresh ones."
    )


def _is_private(interaction: Interaction) -> bool:
    """Whether the pressed component is on a message that only this user sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def typed(data: object) -> str:
    """The first text of a submitted form; empty where there is none, whatever else was sent."""
    if isinstance(data, Mapping):
        value = data.get("value")
        if isinstance(value, str):
            return value
        return typed(data.get("components") or data.get("component"))
    if isinstance(data, list):
        return next((text for part in data if (text := typed(part))), "")
    return ""
