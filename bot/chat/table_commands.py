"""``/table``: how a table stands, and what its players, its host and the server's admins may do."""

import contextlib
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Final, TypeAlias

import discord
from discord import app_commands

from bot.chat.clock_pages import current_clock_post
from bot.chat.command_tree import TABLE_OPTION_HINT, safe_autocomplete, seat_suggestions, suggest_tables
from bot.chat.interaction import Interaction, request_of, table_option_of
from bot.chat.lookup import resolve_table
from bot.chat.membership import find_seats_of_former_members, is_missing_from_server
from bot.chat.offer_pages import SeatRecipient, confirm_offer_post, has_player_left
from bot.chat.pages import confirm_end_post, confirm_give_to_computer_post
from bot.chat.post_parts import STATUS_TEXTS, Post, answer_heading, headed_answer, join_lines, title
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.chat.result_posts import unrated_text
from bot.chat.undo_pages import show_roll_back_page
from bot.host.clock_texts import reserve_text, time_control_details_text
from bot.host.deciders import moderation
from bot.host.deciders.decision import Decision
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.deciders.seat_offers import newcomer_text, require_seat
from bot.host.names import NO_SEAT_TEXT
from bot.host.posting_rights import MOVE_REMEDY, missing_permission_text
from bot.host.request import Refusal, Request
from bot.host.seed_texts import seed_text
from bot.host.table import IN_PLAY, Table
from bot.host.thawing import replay_and_thaw_as_admin
from bot.store.clock_rows import TurnStage, TurnTimer
from bot.store.rows import ENDED_STATUSES, LIVE_STATUSES, Status
from bot.store.seat_rows import Person
from rules.model import SEAT_LETTERS, Seat
from rules.text import counted_in_digits

_Reason: TypeAlias = app_commands.Range[str, 1, moderation.MAX_REASON_LENGTH]

TABLE_COMMAND_GROUP: Final = app_commands.Group(name="table", description="Manage a table")


async def _moderate(
    response: Response, number: int | None, decide: Callable[[Table, Request], Decision]
) -> None:
    """Change a table by a decider of ``moderation``, and show the answer."""
    request = response.request
    target = await resolve_table(response.tables, request, number)
    with _headed_refusals(target, request):
        result = await response.tables.change(target.number, request, lambda table: decide(table, request))
    await response.send_text(headed_answer(result, request))


@contextlib.contextmanager
def _headed_refusals(table: Table, request: Request) -> Iterator[None]:
    """Put the table's title before refusals if the command was typed outside the game's channel."""
    try:
        yield
    except Refusal as refusal:
        refusal.add_heading(answer_heading(table, request))
        raise


@TABLE_COMMAND_GROUP.command(name="show", description="Show who sits where and how the table stands")
@app_commands.describe(table=TABLE_OPTION_HINT)
@with_response
async def _show_command(response: Response, table: int | None = None) -> None:
    target = await resolve_table(response.tables, response.request, table)
    former_member_seats = await find_seats_of_former_members(response.interaction.client, target)
    permission = response.request.find_missing_permission(target.row.game_channel)
    await response.show(table_status_post(target, former_member_seats, lacked_permission=permission))


@TABLE_COMMAND_GROUP.command(name="clock", description="Choose the clock. In a game all must agree")
@app_commands.describe(table=TABLE_OPTION_HINT)
@with_response
async def _clock_command(response: Response, table: int | None = None) -> None:
    target = await resolve_table(response.tables, response.request, table)
    with _headed_refusals(target, response.request):
        await response.show(current_clock_post(target, response.request))


@TABLE_COMMAND_GROUP.command(name="pause", description="Pause the game. Players ask the others first")
@app_commands.describe(table=TABLE_OPTION_HINT)
@with_response
async def _pause_command(response: Response, table: int | None = None) -> None:
    await _moderate(response, table, moderation.pause)


@TABLE_COMMAND_GROUP.command(name="resume", description="Resume a paused game")
@app_commands.describe(table=TABLE_OPTION_HINT)
@with_response
async def _resume_command(response: Response, table: int | None = None) -> None:
    await _moderate(response, table, moderation.resume)


@TABLE_COMMAND_GROUP.command(name="end", description="End the game early, after one more question")
@app_commands.describe(table=TABLE_OPTION_HINT)
@with_response
async def _end_command(response: Response, table: int | None = None) -> None:
    target = await resolve_table(response.tables, response.request, table)
    with _headed_refusals(target, response.request):
        await response.show(confirm_end_post(target, response.request))


@TABLE_COMMAND_GROUP.command(
    name="replace", description="Offer a seat to another person or a computer player"
)
@app_commands.describe(
    seat="The seat's letter",
    player="The new player. Leave empty for a computer player",
    anyone="Offer it to the first who takes it",
    table=TABLE_OPTION_HINT,
)
@with_response
async def _replace_command(
    response: Response,
    seat: str,
    player: discord.Member | discord.User | None = None,
    anyone: bool = False,
    table: int | None = None,
) -> None:
    if player is not None and response.request.guild is not None and not isinstance(player, discord.Member):
        raise Refusal("This person is not in this server. Offer the seat to somebody who is.")
    if player is not None and player.bot:
        raise Refusal("Bots cannot take a seat. Leave `player` empty for a computer player.")
    if player is not None and anyone:
        raise Refusal("Choose `player` or `anyone`, not both.")
    request = response.request
    target = await resolve_table(response.tables, request, table)
    if player is not None and request.guild not in {None, target.row.guild}:
        raise Refusal("To offer the seat to somebody, type this in the server where the game is played.")
    with _headed_refusals(target, request):
        chosen_seat = require_seat(target, seat)
    client = response.interaction.client
    # In direct messages Discord suggests people of any server.  Only those who may offer the seat learn that
    # somebody is no member.
    if (
        player is not None
        and request.guild is None
        and (target.may_moderate(request) or target.seat_of(request.user) == chosen_seat)
        and await is_missing_from_server(client, target, player.id)
    ):
        raise Refusal("This person is not in the table's server. Offer the seat to somebody who is.")
    if player is None and not anyone and target.seat_of(request.user) == chosen_seat:
        with _headed_refusals(target, request):
            await response.show(confirm_give_to_computer_post(target, request))
        return
    has_left = await has_player_left(client, target, request, chosen_seat)
    newcomer = None if player is None else Person(player.id, player.display_name)
    recipient = SeatRecipient(newcomer, is_anybody=anyone)
    with _headed_refusals(target, request):
        await response.show(confirm_offer_post(target, request, chosen_seat, recipient, has_left=has_left))


@TABLE_COMMAND_GROUP.command(name="rollback", description="Take the game back to an earlier move")
@app_commands.describe(
    move="The number of the last move to keep: /log all:True shows the numbers", table=TABLE_OPTION_HINT
)
@with_response
async def _rollback_command(response: Response, move: int, table: int | None = None) -> None:
    request = response.request
    target = await resolve_table(response.tables, request, table)
    with _headed_refusals(target, request):
        await show_roll_back_page(response.tables, response, target.number, request, move)


@TABLE_COMMAND_GROUP.command(name="freeze", description="Stop the game for everybody until an admin thaws it")
@app_commands.describe(reason="What everybody reads", table=TABLE_OPTION_HINT)
@with_response
async def _freeze_command(response: Response, reason: _Reason, table: int | None = None) -> None:
    await _moderate(response, table, partial(moderation.freeze_as_admin, reason=reason))


@TABLE_COMMAND_GROUP.command(name="thaw", description="Let a frozen game go on")
@app_commands.describe(reason="What everybody reads", table=TABLE_OPTION_HINT)
@with_response
async def _thaw_command(response: Response, reason: _Reason, table: int | None = None) -> None:
    target = await resolve_table(response.tables, response.request, table)
    with _headed_refusals(target, response.request):
        result = await replay_and_thaw_as_admin(response.tables, target.number, response.request, reason)
    await response.send_text(headed_answer(result, response.request))


@TABLE_COMMAND_GROUP.command(name="move", description="Move the game to this channel or thread")
@app_commands.describe(table="The table's number")
@with_response
async def _move_command(response: Response, table: int) -> None:
    request = response.request
    target = await resolve_table(response.tables, request, table)
    decide = partial(moderation.move_here, request=request)
    result = await response.tables.change_that_may_start_game(target.number, request, decide, request.channel)
    await response.send_text(result.answer)


@_replace_command.autocomplete("seat")
@safe_autocomplete
async def _suggest_seats(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest the table's seats, with their players."""
    tables = interaction.client.host.tables
    target = await resolve_table(tables, request_of(interaction), table_option_of(interaction))
    letters_and_names = zip(SEAT_LETTERS, target.plain_names, strict=False)
    return seat_suggestions(((f"{letter}: {name}", letter) for letter, name in letters_and_names), current)


for _command in TABLE_COMMAND_GROUP.commands:
    assert isinstance(_command, app_commands.Command)
    _command.autocomplete("table")(suggest_tables)


def table_status_post(
    table: Table, former_member_seats: Collection[int] = (), *, lacked_permission: str = ""
) -> Post:
    """Return who sits where and how the table stands; of an ended game also the seed.

    ``former_member_seats``: the seats whose players have left the server.
    ``lacked_permission``: what the bot lacks to post at the table.
    """
    moves_text = "" if table.match is None else f" · {counted_in_digits(table.move_count, 'move')}"
    lines = [f"**{title(table)}** · {STATUS_TEXTS[table.status]}{moves_text}"]
    resigned_seats = frozenset[Seat]() if table.match is None else table.match.resigned_seats
    for seat, row in enumerate(table.seats):
        computer_text = " (computer)" if row.computer is not None else ""
        host_text = " (host)" if row.user is not None and row.user == table.row.host else ""
        turn_text = " · to move" if table.to_act == seat else " · resigned" if seat in resigned_seats else ""
        is_away = row.away_until is not None and table.status in LIVE_STATUSES
        absence_text = f" · away until <t:{row.away_until}:f>" if is_away else ""
        if row.is_substituted_until_back:
            computer_text = _substitute_text(table)
        departure_text = " · has left the server" if seat in former_member_seats else ""
        offer_text = "" if row.offer is None else f" · offered to {newcomer_text(row.offer)}"
        player_text = f"{table.names[seat]}{computer_text}{host_text}"
        details = (turn_text, reserve_text(table, seat), absence_text, departure_text, offer_text)
        lines.append(f"{SEAT_LETTERS[seat]} · {player_text}{''.join(details)}")
    host_name = table.name_of(table.row.host)
    if host_name is not None and table.seat_of(table.row.host) is None:
        lines.append(f"Host: {host_name} ({NO_SEAT_TEXT}).")
    lines.append(f"Clock: {_clock_text(table)}")
    unrated_reason = unrated_reason_so_far(table)
    if unrated_reason is not None and table.status in IN_PLAY:
        lines.append(unrated_text(unrated_reason))
    if lacked_permission and table.status in LIVE_STATUSES:
        lines.append(missing_permission_text(table.row.game_channel, lacked_permission, MOVE_REMEDY))
    phrase = {Status.LOBBY: "The lobby is", Status.CLOSED: "The lobby was"}.get(table.status, "Played")
    lines.append(f"-# {phrase} in <#{table.row.game_channel}>. Fairness code: `{table.fairness_code}`")
    if table.status in ENDED_STATUSES:
        lines.append(seed_text(table))
    return Post(join_lines(lines))


def _substitute_text(table: Table) -> str:
    """Return that a computer player plays for somebody, or did at the end."""
    if table.status in LIVE_STATUSES:
        return " (a computer plays until they are back)"
    return " (a computer played at the end)"


def _clock_text(table: Table) -> str:
    control, timer = table.row.time_control, table.row.turn_timer
    if control is None:
        return "none."
    return f"{time_control_details_text(control)}{_turn_end_text(timer)}"


def _turn_end_text(timer: TurnTimer | None) -> str:
    """Return when the time of the turn ends, after a space; empty while the clock stands still."""
    if timer is not None and timer.stage is TurnStage.SUBSTITUTE_ALLOWED:
        return " The time of this turn is over."
    if timer is None or timer.computed_deadline is None:
        return ""
    if timer.stage is TurnStage.GRACE:
        return f" The time of this turn is over. The grace period ends <t:{timer.deadline}:R>."
    return f" This turn ends <t:{timer.deadline}:R>."
