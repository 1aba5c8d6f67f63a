"""``/mydata`` and ``/forget``: what is stored about a person, and its erasure."""

import asyncio
import contextlib
import io
import zipfile
from collections.abc import Mapping
from typing import Final

import discord
import msgspec
from discord import app_commands

from bot import limits
from bot.chat.command_tree import Command
from bot.chat.component_press import ComponentPress, PressHandler
from bot.chat.components import Button
from bot.chat.post_parts import Post, tableless_custom_id
from bot.chat.respond import with_response
from bot.chat.response import NotDelivered, Response
from bot.host.erasing import erase_person, numbers_of_tables_naming
from bot.store.personal_export import PersonalData
from rules.text import capitalized, counted

_DATA_FILE_NAME: Final = "my-data.json"
_ARCHIVE_NAME: Final = "my-data.zip"
_ERASE_VERB: Final = "forget"
_KEEP_VERB: Final = "keepme"
_PROGRESS_STEP: Final = 20
"""How many tables are done between two updates of the shown progress."""


@app_commands.command(name="mydata", description="Get what is stored about you as a file")
@with_response
async def _mydata_command(response: Response) -> None:
    data = await response.tables.store.personal_data(response.request.user)
    name, content = await asyncio.to_thread(data_file, {"user": response.request.user, **data})

    def make_file() -> discord.File:
        return discord.File(io.BytesIO(content), name)

    await response.show_file("This is what is stored about you. `/forget` erases it.", make_file)


def data_file(data: PersonalData) -> tuple[str, bytes]:
    """Return name and content of the file with a person's data; packed if it is too large for Discord.

    It is packed to about a tenth, so that the moves of thousands of games fit.
    """
    content = msgspec.json.format(msgspec.json.encode(data), indent=2)
    if len(content) <= limits.FILE_BYTES:
        return _DATA_FILE_NAME, content
    archive_file = io.BytesIO()
    with zipfile.ZipFile(archive_file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_DATA_FILE_NAME, content)
    return _ARCHIVE_NAME, archive_file.getvalue()


@app_commands.command(name="forget", description="Erase what is stored about you")
@with_response
async def _forget_command(response: Response) -> None:
    live_count = len(await response.tables.store.live_tables_of_user(response.request.user))
    lines = [
        "Erase what is stored about you, for good?",
        "- Your settings, ratings and statistics go.",
        '- At every table your name and id go. There you become "A former player".',
        "- Messages and names of threads in Discord stay, and for some days backups of the bot.",
        "-# `/mydata` shows first what is stored.",
    ]
    if live_count:
        tables_text = "your table" if live_count == 1 else f"all {live_count} of your tables"
        lines.insert(2, f"- You leave {tables_text}. In games a computer player goes on in your place.")
    row = (
        Button("Erase", tableless_custom_id(_ERASE_VERB), discord.ButtonStyle.danger),
        Button("Keep my data", tableless_custom_id(_KEEP_VERB)),
    )
    await response.show(Post("\n".join(lines), (row,)))


async def _erase_pressing_user(press: ComponentPress) -> None:
    """Erase the user who presses, show the progress, and then the result in place of the question.

    Raises StoreError, Refusal, NotDelivered.
    """
    tables, response = press.tables, press.response
    await response.defer()
    table_count = len(await numbers_of_tables_naming(tables, press.request.user))

    async def report(done: int, total: int) -> None:
        if done % _PROGRESS_STEP == 0 and done < total:
            with contextlib.suppress(NotDelivered):  # the erasure goes on whether or not anybody sees it
                await response.show(Post(f"Erasing: {done} of {total} tables done."))

    failed_count = await erase_person(tables, press.request, report)
    if failed_count:
        result_text = (
            f"You are erased from {counted(table_count - failed_count, 'table')}."
            f" {capitalized(counted(failed_count, 'table'))} could not be changed now."
            " Use `/forget` again later; the bot's operator can see why."
        )
    else:
        result_text = (
            "What was stored about you is erased. Messages and names of threads in Discord stay: the server's"
            " admins can delete or change them. Earlier backups still hold what was stored about you. I"
            " delete them once they are 14 days old and newer ones are there, unless the bot's operator keeps"
            " them longer."
        )
    await response.show(Post(result_text))


async def _erase_nothing(press: ComponentPress) -> None:
    await press.response.show(Post("Nothing has changed."))


DATA_HANDLERS: Final[Mapping[str, PressHandler]] = {
    _ERASE_VERB: _erase_pressing_user,
    _KEEP_VERB: _erase_nothing,
}
"""By the verb of the button."""

DATA_COMMANDS: Final[tuple[Command, ...]] = (_mydata_command, _forget_command)
