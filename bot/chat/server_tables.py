"""The tables of a server: ``/games``, and what the status message shows."""

import logging
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from discord import app_commands

from bot import limits
from bot.chat.command_tree import SERVERS_ONLY
from bot.chat.components import Button, Row, Section
from bot.chat.layouts import GUARANTEED_TEXT_LENGTH
from bot.chat.post_parts import (
    JOIN_LABEL,
    OMISSION_LINE_LENGTH,
    STATUS_TEXTS,
    Post,
    button,
    deadline_text,
    join_whole_lines,
    table_link,
)
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.chat.visibility import IsVisible, visibility_for_requester
from bot.host.deciders.admission import admission_text
from bot.host.deciders.seat_offers import TAKE_LABEL, open_seats, seat_text
from bot.host.names import escape_markup
from bot.host.request import Refusal
from bot.host.table import Games, Table
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from bot.store.results import Participation, StoredResult
from bot.store.rows import Status, TableListing
from bot.store.seat_rows import SeatOffer
from rules.model import SEAT_LETTERS, Seat
from rules.text import listed

_log = logging.getLogger(__name__)

STATUS_MESSAGE_HEADING: Final = "**Games in this server**"
MAX_LOBBIES: Final = 10
"""The most lobbies with a button, the newest ones."""
MAX_OPEN_SEATS: Final = 3
"""The most seats of running games with a button, those of the newest games."""
_MAX_OFFERING_TABLES: Final = 12
"""The most games with an offered seat that are read: each may have to be loaded."""
MAX_STARTED_TABLES: Final = 12
"""The most started games that are listed."""
MAX_RESULTS: Final = 3
"""The most results that are shown."""
_MAX_RESULTS_READ: Final = 20
"""The most results that are read: some may belong to channels that the readers cannot see."""
_LOBBIES_HEADING: Final = "**Open lobbies**"


class OpenSeat(NamedTuple):
    """A seat of a running game that the first eligible player can take."""

    table: Table
    seat: Seat
    offer: SeatOffer


class ServerTables(msgspec.Struct, frozen=True):
    """The tables and results of a server that its status message or ``/games`` shows."""

    guild: int
    lobbies: tuple[Table, ...]
    """The newest first, at most ``MAX_LOBBIES``."""
    open_seats: tuple[OpenSeat, ...]
    """Seats of games that go on, at most ``MAX_OPEN_SEATS``."""
    started_listings: tuple[TableListing, ...]
    """Games that have started, the most urgent first."""
    results: tuple[StoredResult, ...]
    """The newest first."""


async def read_server_tables(tables: Tables, guild: int, is_visible: IsVisible) -> ServerTables:
    """Return the tables and results in the channels that the readers can see.  Raises StoreError."""
    listings = [
        each
        for each in await tables.store.live_tables_in_server(guild)
        if each.game_key in tables.games and is_visible(each.game_channel, each.visibility_channel)
    ]
    lobby_listings = [each for each in listings if each.status is Status.LOBBY][:MAX_LOBBIES]
    lobbies = [
        table
        for table in await _read_tables(tables, lobby_listings)
        if table.status is Status.LOBBY and is_visible(table.row.lobby_channel, table.row.visibility_channel)
    ]
    offering_tables = await _read_tables(
        tables, [each for each in listings if each.offer_count][:_MAX_OFFERING_TABLES]
    )
    seats = tuple(
        OpenSeat(table, seat, offer)
        for table in offering_tables
        for seat in open_seats(table)
        if (offer := table.seats[seat].offer) is not None
    )
    started_listings = [each for each in listings if each.status is not Status.LOBBY]
    started_listings.sort(key=lambda each: each.deadline_sort_key)
    recent_results = await tables.store.last_results_in_server(guild, _MAX_RESULTS_READ)
    results = [each for each in recent_results if is_visible(each.game_channel, each.visibility_channel)]
    return ServerTables(
        guild, tuple(lobbies), seats[:MAX_OPEN_SEATS], tuple(started_listings), tuple(results[:MAX_RESULTS])
    )


async def _read_tables(tables: Tables, listings: Sequence[TableListing]) -> list[Table]:
    """Return the tables that can be read."""
    readable_tables = []
    for listing in listings:
        try:
            readable_tables.append(await tables.get(listing.number))
        except Refusal:
            continue
        except StoreError:  # one table's fault must not hide the others
            _log.exception("table left out of a list", extra={"table": listing.number})
    return readable_tables


def games_post(server_tables: ServerTables, games: Games) -> Post:
    """Return the private page with the games that are played, open lobbies and open seats, and buttons."""
    lobby_rows: tuple[Row, ...] = tuple(
        Section(
            f"{_lobby_link(table)}: {_free_seats_text(table)}",
            f"Players: {listed(table.names)}. {_admission_note(table)}".rstrip(),
            _join_button(table, JOIN_LABEL),
        )
        for table in server_tables.lobbies
    )
    seat_rows: tuple[Row, ...] = tuple(
        Section(
            f"Open seat in {_open_seat_text(each)}", _offer_terms_text(each), _take_button(each, TAKE_LABEL)
        )
        for each in server_tables.open_seats
    )
    started_text = _started_text(server_tables, games)
    parts = [started_text, _LOBBIES_HEADING]  # what can be joined stands below the text
    if not lobby_rows:
        parts = ["No lobby is open here. Open one with `/newgame`.", started_text]
    return Post("\n\n".join(part for part in parts if part), (*lobby_rows, *seat_rows))


def _started_text(server_tables: ServerTables, games: Games) -> str:
    if not server_tables.started_listings:
        return ""
    return join_whole_lines(
        ["**Being played**", *_started_lines(server_tables, games)],
        GUARANTEED_TEXT_LENGTH - len(f"\n\n{_LOBBIES_HEADING}"),
        _omitted_started_count(server_tables),
    )


def status_message_post(server_tables: ServerTables, games: Games) -> Post:
    """Return the status message: open lobbies and seats, live tables with whose turn it is, results."""
    lobby_lines = [
        f"- {_lobby_link(table)}: {_free_seats_text(table)}. {_admission_note(table)}".rstrip()
        for table in server_tables.lobbies
    ]
    blocks = [(_LOBBIES_HEADING, lobby_lines or ["None. Open one with `/newgame`."], 0)]
    if server_tables.open_seats:
        seat_lines = [
            f"- {_open_seat_text(each)}. {_offer_terms_text(each)}" for each in server_tables.open_seats
        ]
        blocks.append(("**Open seats**", seat_lines, 0))
    if server_tables.started_listings:
        started_lines = _started_lines(server_tables, games)
        blocks.append(("**Being played**", started_lines, _omitted_started_count(server_tables)))
    if server_tables.results:
        result_lines = [_result_line(each, games) for each in server_tables.results]
        blocks.append(("**Newest results**", result_lines, 0))
    buttons = [
        _join_button(table, f"{JOIN_LABEL} {table.game.title} No. {table.number}")
        for table in server_tables.lobbies
    ]
    buttons += [
        _take_button(
            each, f"Take seat {SEAT_LETTERS[each.seat]}, {each.table.game.title} No. {each.table.number}"
        )
        for each in server_tables.open_seats
    ]
    rows = tuple(
        tuple(buttons[start : start + limits.ROW_BUTTONS])
        for start in range(0, len(buttons), limits.ROW_BUTTONS)
    )
    return Post(_join_blocks(STATUS_MESSAGE_HEADING, blocks, limits.CONTENT), rows)


def _join_blocks(first_line: str, blocks: Sequence[tuple[str, Sequence[str], int]], limit: int) -> str:
    """Return a text with blocks, each with as many of its whole lines as fit and how many others there are.

    ``blocks``: the heading, the lines and how many others there are besides these.
    """
    text, break_length = first_line, len("\n\n")
    reserved_lengths = [break_length + len(heading) + 1 + OMISSION_LINE_LENGTH for heading, _, _ in blocks]
    for index, (heading, lines, omitted_count) in enumerate(blocks):
        room = limit - len(text) - break_length - sum(reserved_lengths[index + 1 :])
        text += "\n\n" + join_whole_lines([heading, *lines], room, omitted_count)
    return text


def _join_button(table: Table, label: str) -> Button:
    return button(table, label, "join", primary=True, disabled=table.is_full)


def _take_button(open_seat: OpenSeat, label: str) -> Button:
    return button(
        open_seat.table, label, "accept", f"{int(open_seat.seat)} {open_seat.offer.id}", primary=True
    )


def _open_seat_text(open_seat: OpenSeat) -> str:
    row = open_seat.table.row
    link = table_link(open_seat.table.game.title, row.number, row.guild, row.game_channel)
    return f"{link}: {seat_text(open_seat.table, open_seat.seat)}"


def _offer_terms_text(open_seat: OpenSeat) -> str:
    return f"The first eligible player to press takes it. The offer ends <t:{open_seat.offer.due}:R>."


def _free_seats_text(table: Table) -> str:
    if table.is_full:
        return "full"
    return f"{table.seat_limit - len(table.seats)} of {table.seat_limit} seats free"


def _admission_note(table: Table) -> str:
    lobby = table.row.lobby
    return "" if lobby.is_open_to_all else admission_text(lobby)


def _started_lines(server_tables: ServerTables, games: Games) -> list[str]:
    return [
        f"- {table_link(games[each.game_key].title, each.number, server_tables.guild, each.game_channel)}:"
        f" {_turn_text(each)}"
        for each in server_tables.started_listings[:MAX_STARTED_TABLES]
    ]


def _omitted_started_count(server_tables: ServerTables) -> int:
    """Return how many started games are left out: at most ``MAX_STARTED_TABLES`` are listed."""
    return max(0, len(server_tables.started_listings) - MAX_STARTED_TABLES)


def _turn_text(listing: TableListing) -> str:
    if listing.name_to_act is None:
        return STATUS_TEXTS[listing.status]
    return f"{escape_markup(listing.name_to_act)}'s turn{deadline_text(listing)}"


def _result_line(result: StoredResult, games: Games) -> str:
    title = games[result.game_key].title if result.game_key in games else result.game_key
    link = table_link(title, result.table_number, result.guild, result.game_channel)
    unfinished_names = [
        escape_markup(each.name) for each in result.players if each.participation is Participation.LEFT_EARLY
    ]
    ranked_names = [
        f"{each.place}. {escape_markup(each.name)}"
        for each in result.players
        if each.participation is not Participation.LEFT_EARLY
    ]
    outcome = ", ".join(ranked_names) or "everybody left"
    if ranked_names and unfinished_names:
        outcome += f" · did not finish: {listed(unfinished_names)}"
    return f"- {link}: {outcome} · <t:{result.ended_at}:R>"


def _lobby_link(table: Table) -> str:
    return table_link(table.game.title, table.number, table.row.guild, table.row.lobby_channel)


@app_commands.command(name="games", description="Show the open lobbies of this server and join one")
@with_response
async def games_command(response: Response) -> None:
    """Show what is played in this server and what the requester can join."""
    guild = response.request.guild
    if guild is None:
        raise Refusal("Type `/games` in a server.")
    tables = response.tables
    server_tables = await read_server_tables(tables, guild, visibility_for_requester(response.interaction))
    await response.show(games_post(server_tables, tables.games))


games_command.allowed_contexts = SERVERS_ONLY
