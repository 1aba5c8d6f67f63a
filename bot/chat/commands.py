"""The slash commands that serve every game."""

from typing import Final

import discord
from discord import app_commands

from bot import limits
from bot.chat import menus
from bot.chat.answer import Answering, answer, request_of
from bot.chat.autocomplete import safe_autocomplete, suggest_tables
from bot.chat.handlers import play_typed, resignation
from bot.chat.help import pages_found, rules_post
from bot.chat.lookup import resolve_table
from bot.chat.posts import Post, fitted
from bot.host import lobby, play
from bot.host.decision import BOARD, Decision
from bot.host.host import Host
from bot.host.showing import showing
from bot.host.table import Refusal, Request, Table
from bot.host.tables import GameFault, NoSuchTable, Tables, Unreadable
from bot.store.rows import Status
from rules.game import AnyGame, Options
from rules.notation import write
from rules.options import choices_of
from rules.text import cut

GUILDS: Final = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
"""Where a table can be opened."""
EVERYWHERE: Final = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
"""Servers and the bot's own direct messages."""

_Choices = list[app_commands.Choice[str]]


def add_commands(tree: app_commands.CommandTree[discord.Client], host: Host) -> None:
    """Put every general command into the tree."""
    tables = host.tables
    _add_opening(tree, tables)
    _add_looking(tree, tables)
    _add_playing(tree, tables)


def _add_opening(tree: app_commands.CommandTree[discord.Client], tables: Tables) -> None:
    games = tables.games
    titles = [app_commands.Choice(name=game.title, value=key) for key, game in games.items()]

    @tree.command(name="newgame", description="Open a table for a game and wait for friends")
    @app_commands.describe(
        game="Which game", options="name=value, with spaces between; empty: the usual game"
    )
    @app_commands.choices(game=titles)
    async def newgame(interaction: discord.Interaction, game: str, options: str = "") -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            done = await tables.open(
                lambda number, seed, now: lobby.open_table(number, games[game], options, request, seed, now),
                request,
            )
            await answering.say(done.text)

        await answer(interaction, work)

    newgame.allowed_contexts = GUILDS

    @newgame.autocomplete("options")
    @safe_autocomplete
    async def suggest_options(interaction: discord.Interaction, current: str) -> _Choices:
        game = games.get(str(interaction.namespace.game))
        return [] if game is None else _option_suggestions(game, current)

    @tree.command(name="rules", description="How a game is played, in short")
    @app_commands.describe(
        game="Which game; empty for the one played here", topic="What about; a card or piece by its name"
    )
    @app_commands.choices(game=titles)
    async def rules(
        interaction: discord.Interaction, game: str | None = None, topic: str | None = None
    ) -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            table = None if game is not None else await _table_here(tables, request)
            chosen = table.game if table is not None else games[game or next(iter(games))]
            await answering.show(rules_post(chosen, topic or "", table))

        await answer(interaction, work)

    rules.allowed_contexts = EVERYWHERE

    @rules.autocomplete("topic")
    @safe_autocomplete
    async def suggest_topics(interaction: discord.Interaction, current: str) -> _Choices:
        key = interaction.namespace.game
        table = None if key else await _table_here(tables, request_of(interaction))
        game = table.game if table is not None else games.get(str(key), next(iter(games.values())))
        return [
            app_commands.Choice(name=topic.title, value=topic.key)
            for topic in pages_found(game, current)[: limits.AUTOCOMPLETE_CHOICES]
        ]


async def _table_here(tables: Tables, request: Request) -> Table | None:
    try:
        return await resolve_table(tables, request)
    except Refusal:
        return None


def _option_suggestions(game: AnyGame, current: str) -> _Choices:
    """What may be added to the options typed so far."""
    head, _, last = current.rpartition(" ")
    said = {word.partition("=")[0] for word in head.split()}
    found = []
    options_type: type[Options] = game.options
    for choice in choices_of(options_type):
        for value in choice.values:
            word = f"{choice.name}={value}"
            if choice.name not in said and value != choice.default and word.startswith(last):
                text = f"{head} {word}".strip()
                if len(text) <= limits.CHOICE_VALUE:
                    found.append(app_commands.Choice(name=text, value=text))
    return found[: limits.AUTOCOMPLETE_CHOICES]


def _add_looking(tree: app_commands.CommandTree[discord.Client], tables: Tables) -> None:
    @tree.command(name="board", description="Show the board")
    @app_commands.rename(as_text="text")
    @app_commands.describe(as_text="As text, to read or hear", table="Which table; empty for the one here")
    @app_commands.autocomplete(table=suggest_tables(tables))
    async def board(
        interaction: discord.Interaction, as_text: bool = False, table: int | None = None
    ) -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            meant = await resolve_table(tables, request, table)
            show = menus.show_text if as_text else menus.show_board
            await show(tables, answering, meant.number)
            if meant.row.home == request.channel and meant.status is Status.PLAYING:
                await tables.change(meant.number, None, _post_again)

        await answer(interaction, work)

    @tree.command(name="hand", description="Show what you hold; only you see it")
    @app_commands.describe(table="Which table; empty for the one here")
    @app_commands.autocomplete(table=suggest_tables(tables))
    async def hand(interaction: discord.Interaction, table: int | None = None) -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            meant = await resolve_table(tables, request, table)
            await menus.show_hand(tables, answering, meant.number, request)

        await answer(interaction, work)

    @tree.command(name="log", description="What happened since your last choice")
    @app_commands.rename(everything="all")
    @app_commands.describe(everything="From the start", table="Which table; empty for the one here")
    @app_commands.autocomplete(table=suggest_tables(tables))
    async def log(
        interaction: discord.Interaction, everything: bool = False, table: int | None = None
    ) -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            meant = await resolve_table(tables, request, table)
            await menus.show_log(tables, answering, meant.number, request, everything=everything)

        await answer(interaction, work)

    @tree.command(name="mygames", description="All your tables, and where it is your turn")
    async def mygames(interaction: discord.Interaction) -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            await answering.show(await own_tables(tables, request))

        await answer(interaction, work)

    for command in (board, hand, log, mygames):
        command.allowed_contexts = EVERYWHERE


def _post_again(table: Table) -> Decision:
    """Have the board message brought up to date: it may have been deleted."""
    return Decision(table=table, answer="", deliveries=(BOARD,))


async def own_tables(tables: Tables, request: Request) -> Post:
    """The asker's live tables; one that cannot be taken up has a line that says so."""
    lines = []
    for summary in await tables.store.tables_of(request.user):
        try:
            table = await tables.get(summary.number)
        except NoSuchTable:  # of a game that this release does not have
            continue
        except Unreadable as refusal:
            lines.append(f"- {refusal} (ref {refusal.error_id})")
            continue
        link = f"https://discord.com/channels/{table.row.guild or '@me'}/{table.row.home}"
        name = f"[{table.game.title} No. {table.number}]({link})"
        try:
            async with showing(tables, table.number):
                lines.append(f"- {name}: {_in_short(table, request)}")
        except GameFault as fault:  # the others are shown
            lines.append(f"- {name}: frozen, something went wrong (ref {fault.error_id})")
    return Post(
        fitted(["**Your tables**", *lines]) if lines else "You sit at no table. `/newgame` opens one."
    )


def _in_short(table: Table, request: Request) -> str:
    if table.status is Status.LOBBY:
        return f"in the lobby, {len(table.seats)} in"
    if table.status is not Status.PLAYING or table.to_act is None or table.match is None:
        return str(table.status.value)
    if table.to_act == table.seat_of(request.user):
        return "**your turn**"
    status: str = table.game.words.status(table.match.view(None), table.names)
    return cut(status, limits.CHOICE_NAME)


def _add_playing(tree: app_commands.CommandTree[discord.Client], tables: Tables) -> None:
    @tree.command(name="play", description="Play a move in notation; several are joined by ;")
    @app_commands.describe(move="The move, as the log writes it", table="Which table; empty for the one here")
    @app_commands.autocomplete(table=suggest_tables(tables))
    async def play_move(interaction: discord.Interaction, move: str, table: int | None = None) -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            meant = await resolve_table(tables, request, table)
            await play_typed(tables, answering, meant.number, request, move)

        await answer(interaction, work)

    @play_move.autocomplete("move")
    @safe_autocomplete
    async def suggest_moves(interaction: discord.Interaction, current: str) -> _Choices:
        return await _move_suggestions(tables, request_of(interaction), interaction.namespace.table, current)

    @tree.command(name="undo", description="Take your last choice back")
    @app_commands.describe(table="Which table; empty for the one here")
    @app_commands.autocomplete(table=suggest_tables(tables))
    async def undo(interaction: discord.Interaction, table: int | None = None) -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            meant = await resolve_table(tables, request, table)
            done = await tables.change(meant.number, request, lambda now: play.undo(now, request))
            await answering.say(done.text)

        await answer(interaction, work)

    @tree.command(name="resign", description="Give up your game")
    @app_commands.describe(sure="Yes: give up", table="Which table; empty for the one here")
    @app_commands.autocomplete(table=suggest_tables(tables))
    async def resign(interaction: discord.Interaction, sure: bool, table: int | None = None) -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            meant = await resolve_table(tables, request, table)
            if not sure:
                raise Refusal("You have not resigned. Say `sure: True` if you mean it.")
            done = await tables.change(meant.number, request, resignation(request))
            await answering.say(done.text)

        await answer(interaction, work)

    for command in (play_move, undo, resign):
        command.allowed_contexts = EVERYWHERE


async def _move_suggestions(tables: Tables, request: Request, number: object, current: str) -> _Choices:
    """Legal moves in notation that hold the words typed so far."""
    table = await resolve_table(tables, request, number if isinstance(number, int) else None)
    async with showing(tables, table.number):
        return _moves_found(table, request, current)


def _moves_found(table: Table, request: Request, current: str) -> _Choices:
    seat = table.seat_of(request.user)
    if seat is None or table.match is None or table.to_act != seat:
        return []
    view = table.match.view(seat)
    words = current.casefold().split()
    found = []
    order = list(table.game.words.verbs)
    for action in sorted(table.game.legal_actions(view), key=lambda action: order.index(type(action))):
        text = write(action)
        label = table.game.words.label(view, action, table.plain_names)
        if all(word in text.casefold() or word in label.casefold() for word in words):
            found.append(app_commands.Choice(name=cut(f"{text} — {label}", limits.CHOICE_NAME), value=text))
    return found[: limits.AUTOCOMPLETE_CHOICES]
