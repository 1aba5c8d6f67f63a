"""The slash commands about what has happened in a game: ``/log``, ``/history``, ``/replay``, ``/export``."""

from typing import Final

from discord import app_commands

from bot.chat import history_pages
from bot.chat.command_tree import TABLE_OPTION_HINT, Command, suggest_tables
from bot.chat.lookup import resolve_started_table
from bot.chat.respond import with_response
from bot.chat.response import Response


@app_commands.command(name="log", description="Show what happened since your last turn")
@app_commands.rename(is_whole_game="all")
@app_commands.describe(is_whole_game="From the start of the game", table=TABLE_OPTION_HINT)
@app_commands.autocomplete(table=suggest_tables)
@with_response
async def _log_command(response: Response, is_whole_game: bool = False, table: int | None = None) -> None:
    target = await resolve_started_table(response.tables, response.request, table)
    await history_pages.show_log(
        response.tables, response, target.number, response.request, is_whole_game=is_whole_game
    )


@app_commands.command(name="history", description="Step through the game, turn by turn. Only you see it")
@app_commands.describe(table=TABLE_OPTION_HINT)
@app_commands.autocomplete(table=suggest_tables)
@with_response
async def _history_command(response: Response, table: int | None = None) -> None:
    target = await resolve_started_table(response.tables, response.request, table)
    await history_pages.show_turn_page(response.tables, response, target.number, response.request)


@app_commands.command(name="replay", description="Watch the whole game as one animated picture")
@app_commands.describe(table=TABLE_OPTION_HINT)
@app_commands.autocomplete(table=suggest_tables)
@with_response
async def _replay_command(response: Response, table: int | None = None) -> None:
    target = await resolve_started_table(response.tables, response.request, table)
    await history_pages.show_replay(response.tables, response, target.number, response.request)


@app_commands.command(name="export", description="Get the game as a file. It holds what you may know")
@app_commands.describe(table=TABLE_OPTION_HINT)
@app_commands.autocomplete(table=suggest_tables)
@with_response
async def _export_command(response: Response, table: int | None = None) -> None:
    target = await resolve_started_table(response.tables, response.request, table)
    await history_pages.show_export(response.tables, response, target.number, response.request)


HISTORY_COMMANDS: Final[tuple[Command, ...]] = (
    _log_command,
    _history_command,
    _replay_command,
    _export_command,
)
