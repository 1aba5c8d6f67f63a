"""A person's own tables, the most urgent first: ``/mygames``, and where to go after a move.

Made from rows: no table is loaded.
"""

import contextlib
from collections.abc import Iterable
from typing import Final

from bot import limits
from bot.chat.posts import STATUS_TEXTS, Post, join_whole_lines
from bot.host.names import escape_markup
from bot.host.request import Request
from bot.host.table import Games
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from bot.store.rows import Status, TableSummary

_NEVER: Final = float("inf")


async def my_games_post(tables: Tables, request: Request) -> Post:
    """Return the asker's live tables, over all servers."""
    own = await tables.store.live_tables_of_user(request.user)
    found = [each for each in own if each.game in tables.games]
    if not found:
        return Post("You have no seat at any table. Open one with `/newgame`.")
    lines = [
        f"- {_link(each, tables.games)}: {_status_for_player(each, request.user)}"
        for each in most_urgent_first(found, request.user)
    ]
    return Post(join_whole_lines(["**Your tables**", *lines], limits.COMPONENTS_V2_TEXT))


async def next_table_text(tables: Tables, user: int, current: int) -> str:
    """Return how many tables wait for a user, with a link to the most urgent one; empty for none.

    ``current``: the number of the table that they have just played at.
    """
    found: tuple[TableSummary, ...] = ()
    with contextlib.suppress(StoreError):  # what has been played stands
        found = await tables.store.live_tables_of_user(user)
    waiting = [
        each
        for each in most_urgent_first(found, user)
        if each.user_to_act == user and each.number != current and each.game in tables.games
    ]
    if not waiting:
        return ""
    first, deadline = _link(waiting[0], tables.games), waiting[0].deadline
    until = "" if deadline is None else f", time ends <t:{deadline}:R>"
    if len(waiting) == 1:
        return f"One more table waits for you: {first}{until}."
    return f"{len(waiting)} more tables wait for you. Next: {first}{until}."


def most_urgent_first(found: Iterable[TableSummary], user: int) -> list[TableSummary]:
    """Return tables in the order in which they need a user: by deadline, then by how long they wait."""

    def urgency(summary: TableSummary) -> tuple[bool, float, float]:
        deadline, began = summary.deadline, summary.turn_began
        return (
            summary.user_to_act != user,
            _NEVER if deadline is None else deadline,
            _NEVER if began is None else began,
        )

    return sorted(found, key=urgency)


def _link(summary: TableSummary, games: Games) -> str:
    address = f"https://discord.com/channels/{summary.guild or '@me'}/{summary.game_channel}"
    return f"[{games[summary.game].title} No. {summary.number}]({address})"


def _status_for_player(summary: TableSummary, user: int) -> str:
    """Return in a few words how a table stands for the asker."""
    if summary.status is Status.LOBBY:
        return f"lobby, players so far: {summary.players}"
    if summary.name_to_act is None:
        return STATUS_TEXTS[summary.status]
    is_own = summary.user_to_act == user
    text = "**your turn**" if is_own else f"{escape_markup(summary.name_to_act)}'s turn"
    if summary.deadline is not None:
        return f"{text}, time ends <t:{summary.deadline}:R>"
    return text if summary.turn_began is None else f"{text}, began <t:{summary.turn_began}:R>"
