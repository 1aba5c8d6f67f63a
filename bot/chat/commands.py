"""The slash commands for players of any game, and the list of these with those of other modules."""

from collections.abc import Iterator
from typing import TypeAlias

from discord import app_commands

from bot import limits
from bot.chat import pages
from bot.chat.admission_pages import invite_command
from bot.chat.away_command import away_command
from bot.chat.board_refresh import refresh_board
from bot.chat.clock_pages import clock_choices, parse_time_control
from bot.chat.command_tree import (
    SERVERS_ONLY,
    TABLE_OPTION_HINT,
    Command,
    game_choices,
    safe_autocomplete,
    seat_suggestions,
    suggest_tables,
)
from bot.chat.help_page import make_help_command
from bot.chat.history_commands import HISTORY_COMMANDS
from bot.chat.interaction import Interaction, request_of, table_option_of
from bot.chat.lookup import resolve_started_table, resolve_table
from bot.chat.move_suggestions import find_move_suggestions
from bot.chat.own_tables import my_games_post
from bot.chat.panel import play_or_confirm_line, undo_or_ask
from bot.chat.post_parts import Post
from bot.chat.respond import with_response
from bot.chat.response import Response, prefers_text
from bot.chat.rules_pages import (
    answer_for_all_games,
    find_game_that_explains,
    rules_post,
    similar_words_text,
)
from bot.chat.rules_search import find_topics
from bot.chat.server_tables import games_command
from bot.chat.settings_pages import settings_command
from bot.chat.typed_pages import replace_earlier_page
from bot.host.deciders import lobby
from bot.host.request import Refusal, Request
from bot.host.table import Games, Table
from bot.host.tables import Tables
from bot.store.rows import Status
from rules.game import AnyGame
from rules.model import Options
from rules.options import options_of
from rules.text import listed

_Choices: TypeAlias = list[app_commands.Choice[str]]


def player_commands(games: Games) -> Iterator[Command]:
    """Yield the commands, ready for a tree."""
    yield make_help_command(games)
    yield _make_newgame_command(games)
    yield _make_rules_command(games)
    yield from (_board_command, _hand_command)
    yield from HISTORY_COMMANDS
    yield from (_mygames_command, games_command, _play_command, _undo_command, _resign_command)
    yield from (invite_command, settings_command, away_command)


# Opening and rules ------------------------------------------------------------------------------------


def _make_newgame_command(games: Games) -> Command:
    @app_commands.command(name="newgame", description="Open a table for a game and wait for friends")
    @app_commands.describe(
        game="Which game",
        options="Settings: choose from the suggestions, as name=value. Leave empty for the usual ones",
        clock="How much time a turn has. Leave empty for no clock",
    )
    @app_commands.choices(game=game_choices(games), clock=clock_choices())
    @with_response
    async def newgame(response: Response, game: str, options: str = "", clock: str = "none") -> None:
        request, control = response.request, parse_time_control(clock)
        result = await response.tables.open(
            lambda number, seed, now: lobby.open_table(
                number, games[game], options, request, seed, now, control
            ),
            request,
        )
        await response.send_text(result.answer)

    @newgame.autocomplete("options")
    @safe_autocomplete
    async def suggest_options(interaction: Interaction, current: str) -> _Choices:
        game = games.get(str(interaction.namespace.game))
        return [] if game is None else _option_suggestions(game, current)

    newgame.allowed_contexts = SERVERS_ONLY
    return newgame


def _option_suggestions(game: AnyGame, current: str) -> _Choices:
    """Suggest what may be added to the options typed so far; phones begin them with a capital."""
    earlier_words, _, last_word = current.casefold().rpartition(" ")
    given_names = {word.partition("=")[0] for word in earlier_words.split()}
    suggestions = []
    options_type: type[Options] = game.options_type
    for option in options_of(options_type):
        for value in option.values:
            word = f"{option.name}={value}"
            if option.name not in given_names and value != option.default and last_word in word:
                text = f"{earlier_words} {word}".strip()
                if len(text) <= limits.CHOICE_VALUE:
                    suggestions.append(app_commands.Choice(name=text, value=text))
    return suggestions[: limits.AUTOCOMPLETE_CHOICES]


def _make_rules_command(games: Games) -> Command:
    @app_commands.command(name="rules", description="Read how a game is played")
    @app_commands.describe(
        game="Which game. Leave empty for the one played here",
        topic="Which topic: a part of its name, the name of a card or piece, or any word of the rules",
    )
    @app_commands.choices(game=game_choices(games))
    @with_response
    async def rules(response: Response, game: str | None = None, topic: str | None = None) -> None:
        if topic and (answer := answer_for_all_games(topic)):
            await response.show(Post(answer))
            return
        table = None if game is not None else await _table_here(response.tables, response.request)
        explained_game = _game_to_explain(games, game, table)
        if game is None and topic and not (explained_game and find_topics(explained_game, topic)):
            explained_game = find_game_that_explains(games, topic) or explained_game
        if explained_game is None:
            similar_text = similar_words_text(games, topic) if topic else ""
            reason = similar_text or "No game is played here."
            raise Refusal(f"{reason} Choose a game in `/rules game`: {_game_titles(games)}.")
        await response.show(rules_post(explained_game, topic or ""))

    @rules.autocomplete("topic")
    @safe_autocomplete
    async def suggest_topics(interaction: Interaction, current: str) -> _Choices:
        key = interaction.namespace.game
        table = None if key else await _table_here(interaction.client.host.tables, request_of(interaction))
        game = _game_to_explain(games, key, table)
        topics = () if game is None else find_topics(game, current)
        return [
            app_commands.Choice(name=topic.title, value=topic.key)
            for topic in topics[: limits.AUTOCOMPLETE_CHOICES]
        ]

    return rules


def _game_titles(games: Games) -> str:
    return listed([game.title for game in games.values()], "or")


def _game_to_explain(games: Games, key: str | None, table: Table | None) -> AnyGame | None:
    """Return the game that was named or is played here; None if that leaves several."""
    if table is not None:
        return table.game
    return games.get(str(key)) if key or len(games) > 1 else next(iter(games.values()))


async def _table_here(tables: Tables, request: Request) -> Table | None:
    try:
        return await resolve_table(tables, request)
    except Refusal:
        return None


# Looking ----------------------------------------------------------------------------------------------


@app_commands.command(name="board", description="Show the board")
@app_commands.rename(as_text="text")
@app_commands.describe(
    as_text="As text, to read or to hear",
    player="Whose own board. Leave empty for the whole game",
    table=TABLE_OPTION_HINT,
)
@app_commands.autocomplete(table=suggest_tables)
@with_response
async def _board_command(
    response: Response, as_text: bool = False, player: str | None = None, table: int | None = None
) -> None:
    tables, request = response.tables, response.request
    target = await resolve_started_table(tables, request, table)
    as_text = as_text or await prefers_text(tables, request.user)
    if player is not None:
        await pages.show_player_board(tables, response, target.number, request, player, as_text=as_text)
        return
    show = pages.show_board_text if as_text else pages.show_board
    await show(tables, response, target.number)
    if target.row.game_channel == request.channel and target.status is Status.PLAYING:
        await refresh_board(tables, target.number)  # its message may have been deleted


@_board_command.autocomplete("player")
@safe_autocomplete
async def _suggest_players(interaction: Interaction, current: str) -> _Choices:
    tables = interaction.client.host.tables
    table = await resolve_table(tables, request_of(interaction), table_option_of(interaction))
    return seat_suggestions(pages.player_choices(table), current)


@app_commands.command(name="hand", description="Show what you hold. Only you see it")
@app_commands.describe(table=TABLE_OPTION_HINT)
@app_commands.autocomplete(table=suggest_tables)
@with_response
async def _hand_command(response: Response, table: int | None = None) -> None:
    target = await resolve_started_table(response.tables, response.request, table, needs_seat=True)
    await pages.show_hand(response.tables, response, target.number, response.request)


@app_commands.command(name="mygames", description="Show all your tables and where it is your turn")
@with_response
async def _mygames_command(response: Response) -> None:
    await response.show(await my_games_post(response.tables, response.request))


# Playing ----------------------------------------------------------------------------------------------


@app_commands.command(name="play", description="Play a move in notation. Join several with ;")
@app_commands.describe(
    move="The move. Type to see what you can play",
    at_once="Choose True to play it without a preview",
    table=TABLE_OPTION_HINT,
)
@app_commands.autocomplete(table=suggest_tables)
@with_response
async def _play_command(
    response: Response, move: str, at_once: bool = False, table: int | None = None
) -> None:
    tables, request = response.tables, response.request
    target = await resolve_started_table(tables, request, table, needs_seat=True)
    await play_or_confirm_line(tables, response, target.number, request, move, at_once=at_once)
    await replace_earlier_page(response, target)


@_play_command.autocomplete("move")
@safe_autocomplete
async def _suggest_moves(interaction: Interaction, current: str) -> _Choices:
    tables, request = interaction.client.host.tables, request_of(interaction)
    return await find_move_suggestions(tables, request, table_option_of(interaction), current)


@app_commands.command(name="undo", description="Take back your last move")
@app_commands.describe(table=TABLE_OPTION_HINT)
@app_commands.autocomplete(table=suggest_tables)
@with_response
async def _undo_command(response: Response, table: int | None = None) -> None:
    tables, request = response.tables, response.request
    target = await resolve_started_table(tables, request, table, needs_seat=True)
    await undo_or_ask(tables, response, request, target.number)


@app_commands.command(name="resign", description="Resign from your game")
@app_commands.describe(table=TABLE_OPTION_HINT)
@app_commands.autocomplete(table=suggest_tables)
@with_response
async def _resign_command(response: Response, table: int | None = None) -> None:
    target = await resolve_started_table(response.tables, response.request, table, needs_seat=True)
    await response.show(pages.confirm_resign_post(target, response.request))
