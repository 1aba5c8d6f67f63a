"""``/help``: what the bot does, how to begin, and which games it has."""

from discord import app_commands

from bot.chat.command_tree import Command
from bot.chat.post_parts import Post
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.host.table import Games

_STEPS = (
    "I host board games over days: one turn at a time, whenever it suits you.",
    (
        "**Begin:** `/newgame` opens a table. Friends press **Join**, computer players fill free seats, and"
        " **Start** begins the game."
    ),
    "**Join others:** `/games` lists the lobbies and games here, and the seats you can take.",
    "**Your turn:** I mention you. Press **Play** under the board. **Undo** takes a move back.",
    "**Where was I?** `/mygames` lists your tables. **What happened** shows the moves since your last turn.",
    "**Your pace:** `/settings` for reminders and your time zone, `/away` before a holiday.",
)


def help_post(games: Games) -> Post:
    """Return the first steps, and each game in a sentence."""
    steps_text = "\n".join(_STEPS)
    games_text = "\n".join(f"- **{game.title}**: {game.summary}" for game in games.values())
    return Post(
        f"**Captain's Table**\n{steps_text}\n\n**Games**\n{games_text}\n"
        "-# `/rules game:` explains a game. `/replay` and `/history` show one that was played."
    )


def make_help_command(games: Games) -> Command:
    """Return the command, ready for a tree."""

    @app_commands.command(name="help", description="What I can do, and how to begin")
    @with_response
    async def show_help(response: Response) -> None:
        await response.show(help_post(games))

    return show_help
