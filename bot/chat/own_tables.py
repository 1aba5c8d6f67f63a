"""A person's own tables, the most urgent first, and last games: ``/mygames``, and where to go after a move.

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
from bot.store.results import Participation, ResultPlayer, StoredResult
from bot.store.rows import Status, TableListing

MAX_FINISHED: Final = 5
"""Finished games in the list."""
FINISHED_SECONDS: Final = 30 * 86_400
"""For how long a finished game is listed."""
_MAX_RESULTS_READ: Final = 20
"""Results read for the list: some may be hidden from somebody who left the game."""
_NEVER: Final = float("inf")


async def my_games_post(tables: Tables, request: Request) -> Post:
    """Return the asker's live tables and last finished games, over all servers."""
    own = await tables.store.live_tables_of_user(request.user)
    finished = await _finished_text(tables, request)
    found = [each for each in own if each.game in tables.games]
    if not found:
        return Post(f"You have no seat at any table. Open one with `/newgame`.{finished}")
    lines = [
        f"- {_link(each, tables.games)}: {_status_for_player(each, request.user)}"
        for each in most_urgent_first(found, request.user)
    ]
    room = limits.COMPONENTS_V2_TEXT - len(finished)
    return Post(join_whole_lines(["**Your tables**", *lines], room) + finished)


async def _finished_text(tables: Tables, request: Request) -> str:
    """Return the asker's last finished games, after a blank line; empty without one."""
    since = int(tables.clock()) - FINISHED_SECONDS
    results = await tables.store.last_results_of_user(request.user, since, _MAX_RESULTS_READ)
    lines = [
        f"- {_result_link(each, tables.games)}: {_own_result_text(each, request.user)}"
        for each in results
        if each.game in tables.games and _may_see(each, request)
    ]
    return "\n".join(["", "", "**Finished lately**", *lines[:MAX_FINISHED]]) if lines else ""


def _own_participant(result: StoredResult, user: int) -> ResultPlayer:
    """Return how a game ended for one of its players, who may have left a seat and taken it again."""
    own = [each for each in result.players if each.user == user]
    return min(own, key=lambda each: each.participation is Participation.LEFT_EARLY)


def _may_see(result: StoredResult, request: Request) -> bool:
    """Whether the asker may see a finished game.

    Its players may see it everywhere, those who left it early only where they can see its channel.
    """
    if _own_participant(result, request.user).participation is not Participation.LEFT_EARLY:
        return True
    is_here = result.guild == request.guild
    return is_here and (request.can_see is None or request.can_see(result.game_channel, None))


def _own_result_text(result: StoredResult, user: int) -> str:
    own, seats = _own_participant(result, user), len({each.seat for each in result.players})
    left = own.participation is Participation.LEFT_EARLY
    return f"{'you left' if left else f'place {own.place} of {seats}'}, <t:{result.ended_at}:R>"


async def next_table_text(tables: Tables, user: int, current: int) -> str:
    """Return how many tables wait for a user, with a link to the most urgent one; empty for none.

    ``current``: the number of the table that they have just played at.
    """
    found: tuple[TableListing, ...] = ()
    with contextlib.suppress(StoreError):  # the move is stored, so that its response must not fail
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


def most_urgent_first(found: Iterable[TableListing], user: int) -> list[TableListing]:
    """Return tables in the order in which they need a user: by deadline, then by how long they wait."""

    def urgency(listing: TableListing) -> tuple[bool, float, float]:
        deadline, began = listing.deadline, listing.turn_began
        return (
            listing.user_to_act != user,
            _NEVER if deadline is None else deadline,
            _NEVER if began is None else began,
        )

    return sorted(found, key=urgency)


def _link(listing: TableListing, games: Games) -> str:
    return _table_link(games[listing.game].title, listing.number, listing.guild, listing.game_channel)


def _result_link(result: StoredResult, games: Games) -> str:
    return _table_link(games[result.game].title, result.table_number, result.guild, result.game_channel)


def _table_link(title: str, number: int, guild: int | None, channel: int) -> str:
    return f"[{title} No. {number}](https://discord.com/channels/{guild or '@me'}/{channel})"


def _status_for_player(listing: TableListing, user: int) -> str:
    """Return in a few words how a table stands for the asker."""
    if listing.status is Status.LOBBY:
        return f"lobby, players so far: {listing.player_count}"
    if listing.name_to_act is None:
        return STATUS_TEXTS[listing.status]
    is_own = listing.user_to_act == user
    text = "**your turn**" if is_own else f"{escape_markup(listing.name_to_act)}'s turn"
    if listing.deadline is not None:
        return f"{text}, time ends <t:{listing.deadline}:R>"
    return text if listing.turn_began is None else f"{text}, began <t:{listing.turn_began}:R>"
