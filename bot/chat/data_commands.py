"""``/mydata`` and ``/forget``: what is stored about a person, and its erasure."""

import contextlib
import io
import json
from typing import Final

import discord
from discord import app_commands

from bot.chat.command_tree import Command
from bot.chat.posts import Post
from bot.chat.respond import with_response
from bot.chat.response import NotDelivered, Response
from bot.host.erasing import erase_person, tables_naming
from bot.host.request import Refusal
from rules.text import capitalized, counted

_DATA_FILE_NAME: Final = "my-data.json"
_PROGRESS_STEP: Final = 20
"""How many tables are done between two updates of the shown progress."""


@app_commands.command(name="mydata", description="Get what is stored about you as a file")
@with_response
async def _mydata_command(response: Response) -> None:
    data = await response.tables.store.personal_data(response.request.user)
    text = json.dumps({"user": response.request.user, **data}, indent=2, ensure_ascii=False)

    def make_file() -> discord.File:
        return discord.File(io.BytesIO(text.encode()), _DATA_FILE_NAME)

    await response.show_file("This is what is stored about you. `/forget` erases it.", make_file)


@app_commands.command(name="forget", description="Erase what is stored about you")
@app_commands.describe(sure="Choose True to erase it for good")
@with_response
async def _forget_command(response: Response, sure: bool) -> None:
    tables, user = response.tables, response.request.user
    if not sure:
        live_count = len(await tables.store.live_tables_of_user(user))
        leaving_text = (
            f" You leave {'the table' if live_count == 1 else f'all {live_count} tables'} where you sit,"
            " and in games a computer player takes your seat."
            if live_count
            else ""
        )
        raise Refusal(
            "Nothing is erased yet. `/forget sure:True` erases your settings, and your name and id from every"
            f' table.{leaving_text} Games stay, with "A former player" in your place.'
            " To see first what is stored, type `/mydata`."
        )
    await response.defer()
    await _erase_asker(response)


async def _erase_asker(response: Response) -> None:
    """Erase the user who asks, show the progress, and answer with the result.

    Raises StoreError, Refusal, NotDelivered.
    """
    tables = response.tables
    table_count = len(await tables_naming(tables, response.request.user))

    async def report(done: int, total: int) -> None:
        if done % _PROGRESS_STEP == 0 and done < total:
            with contextlib.suppress(NotDelivered):  # the erasure goes on whether or not anybody sees it
                await response.show(Post(f"Erasing: {done} of {total} tables done."))

    failed_count = await erase_person(tables, response.request, report)
    if failed_count:
        await response.say(
            f"You are erased from {counted(table_count - failed_count, 'table')}."
            f" {capitalized(counted(failed_count, 'table'))} could not be changed now."
            " Use `/forget` again later; the bot's operator can see why."
        )
    else:
        await response.say(
            "What was stored about you is erased. Messages and names of threads in Discord stay: the server's"
            " admins can delete or change them. Earlier backups still hold what was stored about you. I"
            " delete them once they are 14 days old and newer ones are there, unless the bot's operator keeps"
            " them longer."
        )


DATA_COMMANDS: Final[tuple[Command, ...]] = (_mydata_command, _forget_command)
