"""A person's own tables, the most urgent first: ``/mygames``, and which table waits next after a move.

Made from rows: no table is loaded.
"""

import contextlib
from collections.abc import Iterable
from typing import Final

from bot import limits
from bot.chat.post_parts import STATUS_TEXTS, Post, deadline_text, join_whole_lines, table_link
from bot.host.breaks import away_until
from bot.host.names import escape_markup
from bot.host.request import Request
from bot.host.table import Games
from bot.host.tables import Tables
from bot.store.clock_rows import DAY
from bot.store.protocol import StoreError
from bot.store.results import Participation, ResultPlayer, StoredResult
from bot.store.rows import Status, TableListing
from rules.text import capitalized, counted

MAX_FINISHED_GAMES: Final = 5
"""The most finished games in the list."""
MAX_FINISHED_AGE: Final = 30 * DAY
"""Seconds for which a finished game is listed."""
_MAX_RESULTS_READ: Final = 20
"""The most results read for the list: a result may be hidden from somebody who left that game."""
_NEVER: Final = float("inf")


async def my_games_post(tables: Tables, request: Request) -> Post:
    """Return the requester's live tables and last finished games, over all servers.

    The tables that they host without a seat come last, those of the server where they ask.
    """
    user, store = request.user, tables.store
    listings = most_urgent_first(await store.live_tables_of_user(user), user)
    if request.guild is not None:
        hosted_listings = await store.live_tables_hosted_without_seat(user, request.guild)
        listings += most_urgent_first(hosted_listings, user)
    closing_text = await _absence_text(tables, user) + await _finished_text(tables, request)
    lines = [
        f"- {_listing_link(each, tables.games)}: {_status_text_for(each, user)}{_role_text(each, user)}"
        f"{_blocked_text(each, request)}"
        for each in listings
        if each.game_key in tables.games
    ]
    if not lines:
        return Post(f"You have no seat at any table. Open one with `/newgame`.{closing_text}")
    room = limits.COMPONENTS_V2_TEXT - len(closing_text)
    return Post(join_whole_lines(["**Your tables**", *lines], room) + closing_text)


def _role_text(listing: TableListing, user: int) -> str:
    """Return what a user is who does not play at a table, after a separator; empty for its players."""
    if user in listing.resigned_users:
        return " · you resigned"
    return "" if user in listing.users else " · you host it"


def _blocked_text(listing: TableListing, request: Request) -> str:
    """Return that the bot may not post at a table, after a separator; empty if it may."""
    permission = request.find_missing_permission(listing.game_channel)
    return f" · I may not post there: my role lacks **{permission}**" if permission else ""


async def _absence_text(tables: Tables, user: int) -> str:
    """Return until when somebody is away, after a line break; empty if they are not."""
    end = away_until(await tables.person_preferences.get(user), int(tables.clock()))
    return "" if end is None else f"\n-# You are away until <t:{end}:f>. `/away until:off` ends it."


async def _finished_text(tables: Tables, request: Request) -> str:
    """Return the requester's last games that are over, after a blank line; empty without one."""
    since = int(tables.clock()) - MAX_FINISHED_AGE
    results = await tables.store.last_results_of_user(request.user, since, _MAX_RESULTS_READ)
    ended_listings = await tables.store.tables_of_user_ended_early(request.user, since, MAX_FINISHED_GAMES)
    timed_lines = [
        (each.ended_at, f"- {_result_link(each, tables.games)}: {_own_result_text(each, request.user)}")
        for each in results
        if each.game_key in tables.games and _may_see_result(each, request)
    ]
    timed_lines += [
        (each.active_at, f"- {_listing_link(each, tables.games)}: ended early, <t:{each.active_at}:R>")
        for each in ended_listings
        if each.game_key in tables.games
    ]
    lines = [line for _, line in sorted(timed_lines, key=lambda each: each[0], reverse=True)]
    return "\n".join(["", "", "**Finished lately**", *lines[:MAX_FINISHED_GAMES]]) if lines else ""


def _own_result_player(result: StoredResult, user: int) -> ResultPlayer:
    """Return how a game ended for one of its players; of two entries the one for leaving early comes last."""
    return next(each for each in result.players if each.user == user)


def _may_see_result(result: StoredResult, request: Request) -> bool:
    """Whether the requester may see a finished game.

    Its players may see it everywhere, those who left it early only where they can see its channel.
    """
    if _own_result_player(result, request.user).participation is not Participation.LEFT_EARLY:
        return True
    is_here = result.guild == request.guild
    can_see = request.can_see
    return is_here and (can_see is None or can_see(result.game_channel, result.visibility_channel))


def _own_result_text(result: StoredResult, user: int) -> str:
    own_player = _own_result_player(result, user)
    seat_count = len({each.seat for each in result.players})
    has_finished = own_player.participation is not Participation.LEFT_EARLY
    outcome = f"place {own_player.place} of {seat_count}" if has_finished else "you did not finish"
    return f"{outcome}, <t:{result.ended_at}:R>"


async def waiting_tables_text(tables: Tables, user: int, current_number: int) -> str:
    """Return how many tables wait for a user, with a link to the most urgent one; empty for none.

    ``current_number``: the number of the table at which they have just played.
    """
    listings: tuple[TableListing, ...] = ()
    with contextlib.suppress(StoreError):  # the move is stored: its response must not fail
        listings = await tables.store.live_tables_of_user(user)
    waiting_listings = [
        each
        for each in most_urgent_first(listings, user)
        if each.user_to_act == user and each.number != current_number and each.game_key in tables.games
    ]
    if not waiting_listings:
        return ""
    first_listing = waiting_listings[0]
    first_text = f"{_listing_link(first_listing, tables.games)}{deadline_text(first_listing)}"
    if len(waiting_listings) == 1:
        return f"One more table waits for you: {first_text}."
    count_text = capitalized(counted(len(waiting_listings), "more table"))
    return f"{count_text} wait for you. Next: {first_text}."


def most_urgent_first(listings: Iterable[TableListing], user: int) -> list[TableListing]:
    """Return tables as they need a user: first where it is their turn, then by deadline and waiting time.

    Those from which the user has resigned come last.
    """

    def urgency_sort_key(listing: TableListing) -> tuple[bool, bool, float, float]:
        began = listing.turn_began_at
        has_resigned = user in listing.resigned_users
        return (
            has_resigned,
            listing.user_to_act != user,
            listing.deadline_sort_key,
            _NEVER if began is None else began,
        )

    return sorted(listings, key=urgency_sort_key)


def _listing_link(listing: TableListing, games: Games) -> str:
    return table_link(games[listing.game_key].title, listing.number, listing.guild, listing.game_channel)


def _result_link(result: StoredResult, games: Games) -> str:
    return table_link(games[result.game_key].title, result.table_number, result.guild, result.game_channel)


def _status_text_for(listing: TableListing, user: int) -> str:
    """Return a table's status in a few words: whether it is the requester's turn, and until when."""
    if listing.status is Status.LOBBY:
        return f"lobby, players so far: {listing.player_count}"
    if listing.name_to_act is None:
        return STATUS_TEXTS[listing.status]
    is_own_turn = listing.user_to_act == user
    text = "**your turn**" if is_own_turn else f"{escape_markup(listing.name_to_act)}'s turn"
    if time_text := deadline_text(listing):
        return f"{text}{time_text}"
    return text if listing.turn_began_at is None else f"{text}, began <t:{listing.turn_began_at}:R>"
