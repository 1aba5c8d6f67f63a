"""Finds the table that a command or a button means."""

from collections.abc import Sequence
from typing import Final

from bot.chat.components import CustomId
from bot.chat.own_tables import most_urgent_first
from bot.chat.post_parts import table_link
from bot.host.loading import NoSuchTable
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.protocol import GENERATION_KEY, parse_metadata_number
from bot.store.rows import LIVE_STATUSES, Status, TableListing, TableRow
from rules.text import listed

_MAX_NAMED_GAMES: Final = 5
"""The most games of a user that a refusal names."""
_LOST_TABLE_TEXT: Final = (
    "This button's table was lost when the bot was restored from a backup. Open another with `/newgame`."
)


async def resolve_table(tables: Tables, request: Request, number: int | None = None) -> Table:
    """Return the table with a number; without a number the channel's, in direct messages the user's own.

    The user's own table is their only game that has started, or the only one where it is their turn, or
    without a game their only lobby.  Games from which they have resigned count only if there is no other.
    Raises Refusal.
    """
    if number is not None:
        return require_visible(await tables.get(number), request)
    if request.guild is not None:
        return await resolve_channel_table(tables, request)
    return await _resolve_own_table(tables, request)


async def resolve_started_table(
    tables: Tables, request: Request, number: int | None = None, *, needs_seat: bool = False
) -> Table:
    """Return the table that a command means which needs a started game; ``needs_seat``: a seat in it, too.

    As ``resolve_table``; but where the channel has no such table, the refusal names the user's own games.
    It does not name others' finished games.  For a ``number``, or a user without own games, the table may
    still be one that does not fit, such as a lobby: the command itself refuses it then.  Raises Refusal.
    """
    if number is not None:
        return await resolve_table(tables, request, number)
    try:
        table = await resolve_table(tables, request)
        reason = _unfit_reason(table, request, needs_seat=needs_seat)
    except NoSuchTable as error:
        if own_games_text := await _own_games_text(tables, request.user):
            raise NoSuchTable(f"There is no table here. {own_games_text}") from error
        raise
    if reason is not None and (own_games_text := await _own_games_text(tables, request.user)):
        raise Refusal(f"{reason} {own_games_text}".lstrip())
    if reason == "" and needs_seat:
        raise Refusal("You play no game here. Open one with `/newgame`.")
    return table


def _unfit_reason(table: Table, request: Request, *, needs_seat: bool) -> str | None:
    """Return why a table of the channel cannot be meant by a user who plays elsewhere; None if it can.

    Empty for another's finished game, unless the command only looks at it and is typed where it was played.
    """
    name, has_seat = f"{table.game.title} No. {table.number}", table.seat_of(request.user) is not None
    if table.status is Status.LOBBY:
        return f"{name} has not started."
    if table.status is Status.CLOSED:
        return f"The lobby of {name} was closed."
    if table.status in LIVE_STATUSES:
        return f"You have no seat in {name}." if needs_seat and not has_seat else None
    if has_seat:
        return f"{name} is over." if needs_seat else None
    return "" if needs_seat or table.row.game_channel != request.channel else None


async def _own_games_text(tables: Tables, user: int) -> str:
    """Return which started games a user plays, with links; empty without one."""
    listings = [
        each
        for each in await tables.store.live_tables_of_user(user)
        if each.game_key in tables.games
        and each.status is not Status.LOBBY
        and user not in each.resigned_users
    ]
    if not listings:
        return ""
    links = [
        table_link(tables.games[each.game_key].title, each.number, each.guild, each.game_channel)
        for each in most_urgent_first(listings, user)
    ]
    if len(links) == 1:
        return f"Your game is {links[0]}: go there, or choose it with the option `table`."
    if len(links) > _MAX_NAMED_GAMES:
        links = [*links[:_MAX_NAMED_GAMES], "others (`/mygames`)"]
    return f"Your games are {listed(links)}: go there, or choose one with the option `table`."


async def resolve_channel_table(tables: Tables, request: Request) -> Table:
    """Return the table of a request's channel: a live one played here, else a live one, else any.

    Of several the newest is returned, of those played here the requester's own first.  But of games in
    threads of this channel the requester's own is returned, and of several of these none; those from which
    they have resigned count only if there is no other.  A table that was moved from here to a channel that
    the requester cannot see does not count.
    Raises NoSuchTable; Refusal if the requester must choose a game.
    """
    listings = [
        each
        for each in await tables.store.tables_in_channel(request.channel)
        if is_table_visible(each, request)
    ]
    if not listings:
        raise NoSuchTable("There is no table here. Open one with `/newgame`.")
    listing = min(listings, key=lambda each: _lookup_sort_key(each, request))
    own_started_listings = [
        each
        for each in listings
        if each.status in LIVE_STATUSES and each.status is not Status.LOBBY and request.user in each.users
    ]
    preferred_listings = _prefer_unresigned(own_started_listings, request.user)
    if listing.game_channel != request.channel and preferred_listings:
        if len(preferred_listings) > 1:
            raise _several_tables_refusal(tables, preferred_listings)
        (listing,) = preferred_listings
    return await tables.get(listing.number)


def _prefer_unresigned(listings: list[TableListing], user: int) -> list[TableListing]:
    """Return the tables from which a user has not resigned; all of them if there is none."""
    return [each for each in listings if user not in each.resigned_users] or listings


def _lookup_sort_key(listing: TableListing, request: Request) -> tuple[bool, bool, bool, int]:
    is_live = listing.status in LIVE_STATUSES
    is_live_here = is_live and listing.game_channel == request.channel
    is_own_here = is_live_here and request.user in listing.users
    return not is_live_here, not is_own_here, not is_live, -listing.number


def require_visible(table: Table, request: Request) -> Table:
    """Return ``table`` if the requester may see it.

    Raises NoSuchTable otherwise, as for a number that no table has.
    """
    if not is_table_visible(table.row, request):
        raise NoSuchTable(f"There is no table No. {table.number} here.")
    return table


def is_table_visible(row: TableRow | TableListing, request: Request) -> bool:
    """Whether the requester may see a table: in the same server, in a channel that is not hidden from them.

    Its players see it everywhere, its host and admins in all channels of its server.
    """
    if request.user in row.users:
        return True
    if row.guild != request.guild:
        return False
    is_hidden = request.can_see is not None and not request.can_see(row.game_channel, row.visibility_channel)
    return request.user == row.host or request.is_admin or not is_hidden


async def _resolve_own_table(tables: Tables, request: Request) -> Table:
    """Return the user's only started game, or the only one where it is their turn, or their only lobby.

    Lobbies count only for somebody without a started game.  Raises Refusal.
    """
    known_listings = [
        listing
        for listing in await tables.store.live_tables_of_user(request.user)
        if listing.game_key in tables.games
    ]
    preferred_listings = _prefer_unresigned(known_listings, request.user)
    started_listings = [listing for listing in preferred_listings if listing.status is not Status.LOBBY]
    waiting_listings = [listing for listing in started_listings if listing.user_to_act == request.user]
    own_listings = started_listings or preferred_listings
    for listings in (own_listings, waiting_listings):
        if len(listings) == 1:
            return await tables.get(listings[0].number)
    if not own_listings:
        raise Refusal("You have no game going on. Open one with `/newgame` in a server.")
    raise _several_tables_refusal(tables, own_listings)


def _several_tables_refusal(tables: Tables, listings: Sequence[TableListing]) -> Refusal:
    """Return the refusal that names the user's games or lobbies, of which one must be chosen."""
    kind = "lobbies" if all(each.status is Status.LOBBY for each in listings) else "games"
    titles = {key: game.title for key, game in tables.games.items()}
    names = [
        f"{titles.get(each.game_key, each.game_key)} No. {each.number}"
        for each in sorted(listings, key=lambda each: each.number)
    ]
    return Refusal(f"You have several {kind}. Choose one with the option `table`: {listed(names, 'or')}.")


async def resolve_button_table(tables: Tables, custom_id: CustomId, request: Request) -> Table:
    """Return the table of a button that may still be pressed.

    Raises Refusal if the table was lost or restored from a backup since the button was made.  Raises
    NoSuchTable if the presser may not see the table.
    """
    try:
        table = await tables.get(custom_id.table_number)
    except NoSuchTable:
        if custom_id.generation < parse_metadata_number(await tables.store.get_metadata(GENERATION_KEY)):
            raise Refusal(_LOST_TABLE_TEXT) from None
        raise
    row = require_visible(table, request).row
    if custom_id.generation == row.generation:
        return table
    if row.restored_to is None:
        raise Refusal(_LOST_TABLE_TEXT)
    if row.status in {Status.LOBBY, Status.CLOSED}:  # no move was made there
        hint = " The newest message of the lobby has new ones." if row.status is Status.LOBBY else ""
        raise Refusal(f"Table No. {row.number} was restored from backup. This button is out of date.{hint}")
    hint = "" if table.match is None else " Type `/board` to get new buttons."
    raise Refusal(
        f"Table No. {row.number} was restored from backup to move {row.restored_to}."
        f" This button is out of date.{hint}"
    )
