"""``/stats`` and ``/leaderboard``: ratings of the games that were played in a server."""

from collections.abc import Iterator
from typing import Final

import discord
from discord import app_commands

from bot.chat import statistics_pages
from bot.chat.command_tree import SERVERS_ONLY, Command, game_choices
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.host.names import escape_markup, sanitize_name
from bot.host.request import Refusal, Request
from bot.host.table import Games
from bot.host.tables import Tables
from bot.store.rows import Status
from rules.game import AnyGame

_TEXT_HINT: Final = "As text, to read or to hear"
_GAME_HINT: Final = "Which game. Leave empty for the one played here, or last"


def statistics_commands(games: Games) -> Iterator[Command]:
    """Return the commands, ready for a tree."""
    choices = game_choices(games)
    for command in (_make_stats_command(games), _make_leaderboard_command(games)):
        app_commands.choices(game=choices)(command)
        command.allowed_contexts = SERVERS_ONLY
        yield command


def _make_stats_command(games: Games) -> Command:
    @app_commands.command(name="stats", description="Show a player's games, places and rating in this server")
    @app_commands.rename(as_text="text")
    @app_commands.describe(
        player="Whose. Leave empty for your own",
        game=_GAME_HINT,
        as_text=_TEXT_HINT,
    )
    @with_response
    async def stats(
        response: Response, player: discord.User | None = None, game: str | None = None, as_text: bool = False
    ) -> None:
        tables, request = response.tables, response.request
        user, name = request.user, sanitize_name(request.name)
        if player is not None and player.id != user:
            user, name = player.id, sanitize_name(player.display_name)
            if player.bot:
                raise Refusal("Bots have no statistics. `/leaderboard` shows the computer players.")
            if (await tables.person_preferences.get(user)).is_unlisted:
                raise Refusal(f"{escape_markup(name)} does not show statistics to others.")
        chosen_game = games[game] if game is not None else await _likely_game(tables, request, user)
        if chosen_game is None:
            phrase = "You have" if user == request.user else f"{escape_markup(name)} has"
            raise Refusal(f"{phrase} not finished a game in this server yet.")
        page = await statistics_pages.statistics_page(tables, chosen_game, request.guild, user, name)
        await response.show(*await page.contents(as_text=as_text))

    return stats


async def _likely_game(tables: Tables, request: Request, user: int) -> AnyGame | None:
    """Return a game that a user has finished in the server of a request; None without one.

    It is that of the newest table in the channel, a live one first; else the one finished last.
    """
    keys = [
        result.game_key
        for result in reversed(await tables.store.results_of_user(user))
        if result.guild == request.guild and result.game_key in tables.games
    ]
    games = [tables.games[key] for key in keys]
    games_here = await _games_here(tables, request)
    return next((each for each in (*games_here, *games) if each in games), None)


async def _games_here(tables: Tables, request: Request) -> list[AnyGame]:
    """Return the games played in the channel of a request, live ones first, then the newest."""
    return [
        tables.games[each.game_key]
        for each in await tables.store.tables_in_channel(request.channel)
        if each.game_channel == request.channel
        and each.status is not Status.LOBBY
        and each.game_key in tables.games
    ]


async def _last_game_in_server(tables: Tables, request: Request) -> AnyGame | None:
    """Return the game that was finished last in the server of a request; None without one."""
    if request.guild is None:
        return None
    results = await tables.store.last_results_in_server(request.guild, 1)
    return tables.games.get(results[0].game_key) if results else None


def _make_leaderboard_command(games: Games) -> Command:
    @app_commands.command(name="leaderboard", description="Show the best players of a game in this server")
    @app_commands.rename(as_text="text")
    @app_commands.describe(game=_GAME_HINT, as_text=_TEXT_HINT)
    @with_response
    async def show_leaderboard(response: Response, game: str | None = None, as_text: bool = False) -> None:
        guild = response.interaction.guild
        server_name = "" if guild is None else guild.name
        tables, request = response.tables, response.request
        if game is not None:
            candidates = [games[game]]
        else:
            likely_game = await _likely_game(tables, request, request.user)
            likely_game = likely_game or await _last_game_in_server(tables, request)
            if likely_game is None:
                raise Refusal("Nobody has finished a game here yet. A rated game brings its players there.")
            candidates = [*(await _games_here(tables, request))[:1], likely_game]
        for candidate in candidates:
            page = await statistics_pages.leaderboard_page(
                tables, candidate, request.guild, request.user, server_name
            )
            if page is not None:
                await response.show(*await page.contents(as_text=as_text))
                return
        raise Refusal(
            f"Nobody stands on the leaderboard of {candidates[-1].title} in this server. A rated game brings"
            " its players there, unless they have left the leaderboards in `/settings`."
        )

    return show_leaderboard
