"""One place where every press, choice and form arrives, whatever its age."""

from collections.abc import Mapping, Sequence
from typing import Final, cast

import discord

from bot.chat.answer import Answering, act_of, answer
from bot.chat.asks import ASKS, TYPE_ASK, UPDATING, Press, play_typed
from bot.chat.ids import ButtonId, parse_id
from bot.chat.panel import TypedMove
from bot.host.table import Refusal
from bot.host.tables import NoSuchTable, Tables
from bot.store.protocol import GENERATION
from rules.notation import write

_LOST: Final = (
    "That button belongs to a table that was lost when I was restored from a backup."
    " `/newgame` opens another."
)
_TOO_OLD: Final = "I do not know that button any more. `/board` shows the game with fresh ones."


class Router:
    """Answers components and forms.  Rights come from the user and the stored table, never from the id."""

    def __init__(self, tables: Tables) -> None:
        """``tables``: where the games are."""
        self._tables = tables

    async def component(
        self, interaction: discord.Interaction, pressed: ButtonId, values: Sequence[str]
    ) -> None:
        """A button or select of ours."""
        if pressed.ask == TYPE_ASK:
            await answer(interaction, lambda answering: self._ask_for_text(answering, pressed))
            return
        ask = ASKS.get(pressed.ask)
        if ask is None:
            await answer(interaction, lambda answering: answering.say(_TOO_OLD))
            return
        act = act_of(interaction)

        async def work(answering: Answering) -> None:
            await check_generation(self._tables, pressed)
            await ask(Press(self._tables, answering, pressed, act, values))

        await answer(
            interaction,
            work,
            updates=pressed.ask in UPDATING and _is_private(interaction),
        )

    async def stray(self, interaction: discord.Interaction) -> None:
        """A form, or a component that is none of ours: answered too, never silence."""
        data = cast("Mapping[str, object]", interaction.data)
        pressed = parse_id(str(data.get("custom_id", "")))
        if pressed is None:
            await answer(interaction, lambda answering: answering.say(_TOO_OLD))
        elif interaction.type is discord.InteractionType.modal_submit:
            text, act = _typed(data), act_of(interaction)

            async def work(answering: Answering) -> None:
                await check_generation(self._tables, pressed)
                await play_typed(self._tables, answering, pressed.table, act, text, pressed.ply)

            await answer(interaction, work)

    async def _ask_for_text(self, answering: Answering, pressed: ButtonId) -> None:
        await check_generation(self._tables, pressed)
        table = await self._tables.get(pressed.table)
        seat = table.seat_of(answering.interaction.user.id)
        legal = table.match.legal_actions(seat) if table.match is not None and seat is not None else ()
        await answering.ask(TypedMove(table, write(legal[0]) if legal else "a move as the log writes it"))


async def check_generation(tables: Tables, pressed: ButtonId) -> None:
    """Raise Refusal for a button from before the table was restored: what it offered is gone."""
    try:
        row = (await tables.get(pressed.table)).row
    except NoSuchTable:
        if pressed.generation < int(await tables.store.setting(GENERATION) or 0):
            raise Refusal(_LOST) from None
        raise
    if pressed.generation == row.generation:
        return
    if row.restored_to is None:
        raise Refusal(_LOST)
    raise Refusal(
        f"Table No. {row.number} was restored from backup to move {row.restored_to}, and that button is from"
        " before. `/board` shows the game with fresh ones."
    )


def _is_private(interaction: discord.Interaction) -> bool:
    """Whether the pressed component is on a message that only this user sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def _typed(data: Mapping[str, object]) -> str:
    """The first text of a submitted form."""
    if "value" in data:
        return str(data["value"])
    inner = cast("Sequence[Mapping[str, object]]", data.get("components", ()))
    if "component" in data:
        inner = [cast("Mapping[str, object]", data["component"])]
    return next((text for part in inner if (text := _typed(part))), "")
