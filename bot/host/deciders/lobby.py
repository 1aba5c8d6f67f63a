"""Lobbies: open, join, leave, add computers, set options, start; rematches.

Pure functions from a table to a decision.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import msgspec

from bot.host.deciders import admission, presence, ready_check
from bot.host.deciders.decision import LOBBY_DELIVERY, Decision, notice_delivery, ready_check_delivery
from bot.host.deciders.starting import (
    acting_admin_name,
    announced_unless_by_host,
    full_text,
    may_open_thread,
    require_lobby,
    require_moderator,
    require_player_or_moderator,
    start_game,
    unjoined_rematch_players,
    with_new_seat,
)
from bot.host.names import escape_markup, sanitize_name
from bot.host.reliability import Reliability
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.store.clock_rows import DAY, TimeControl
from bot.store.delivery_rows import NewDelivery
from bot.store.lobby_rows import LobbyState
from bot.store.rows import ENDED_STATUSES, Status, TableRow
from bot.store.seat_rows import SeatRow
from rules.errors import InvalidSetup
from rules.game import AnyGame
from rules.model import Options
from rules.options import parse_options, with_option, write_options
from rules.players import COMPUTER_PLAYERS

LOBBY_LIFETIME: Final = DAY
"""Seconds until a lobby that nobody starts is closed."""


def open_table(
    number: int,
    game: AnyGame,
    options_text: str,
    request: Request,
    seed: bytes,
    now: int,
    time_control: TimeControl | None = None,
) -> Decision:
    """Open a table with its host at the first seat.  ``time_control``: its clock, if any.  Raises Refusal."""
    options = _parse_options(game, options_text)
    row = TableRow(
        number=number,
        game_key=game.key,
        rules_version=game.rules_version,
        options=write_options(options),
        status=Status.LOBBY,
        host=request.user,
        guild=request.guild,
        lobby_channel=request.channel,
        game_channel=request.channel,
        visibility_channel=request.visibility_channel,
        seed=seed,
        opened_at=now,
        expires_at=now + LOBBY_LIFETIME,
        time_control=time_control,
        lobby=LobbyState(parent_channel=request.public_parent_channel),
    )
    answer = f"Table No. {number} is open. Friends press **Join**. Press **Start** when all are in."
    table = Table(row, game, options, None)
    table = presence.with_user_seen(table.with_row(seats=(_seat_row(request, table),)), request.user, now)
    return Decision(
        table=table, answer=answer, deliveries=(notice_delivery(_opening_notice_text(table)), LOBBY_DELIVERY)
    )


def _opening_notice_text(table: Table) -> str:
    """Return the first notice of a table, never edited: the whole fairness code, and what it is for."""
    return (
        f"The lobby is open.\n-# Fairness code: `{table.first_fairness_code}`."
        " With the words of all who press **Cut the deck**, it fixes every draw before anybody plays."
        " After the game you can check each one."
    )


def _parse_options(game: AnyGame, text: str) -> Options:
    options_type: type[Options] = game.options_type
    try:
        return parse_options(options_type, text)
    except InvalidSetup as error:
        raise Refusal(escape_markup(str(error))) from error


def _seat_row(request: Request, table: Table) -> SeatRow:
    return SeatRow(name=table.distinct_name(sanitize_name(request.name), request.user), user=request.user)


def _next_step_text(table: Table, user: int) -> str:
    """Return the next step of somebody with a seat in a lobby, as a sentence."""
    if user in presence.unconfirmed_users(table):
        return f"Press **{presence.HERE_LABEL}** in the ready check to stay."
    if (check := table.row.lobby.ready_check) is not None and presence.unconfirmed_users(table):
        return presence.progress_text(table, check)
    verb_text = "Press" if user == table.row.host else "The host presses"
    return f"{verb_text} **Start** when all are here."


def join(table: Table, request: Request, reliability: Reliability = Reliability.NEW) -> Decision:
    """Take a free seat, or ask the host for one.  ``reliability``: the requester's.  Raises Refusal."""
    require_lobby(table)
    if table.seat_of(request.user) is not None:
        raise Refusal(f"You are already in. {_next_step_text(table, request.user)}")
    if request.guild != table.row.guild:
        raise Refusal("Press **Join** in the server where this table is open.")
    admission.require_eligible(table, request.user, reliability)
    check = table.row.lobby.ready_check
    _require_free_seat(table, presence.free_seat_hint(table))
    if admission.must_ask_to_join(table, request.user):
        return admission.ask_to_join(table, request)
    decision = _add_seat(
        presence.with_user_seen(table, request.user, request.at), _seat_row(request, table), ""
    )
    next_step = "The host starts the game."
    if check is not None:
        next_step = f"You count as here. {presence.progress_text(decision.table, check)}"
    return replace(
        decision, answer=f"You are in: table No. {table.number}. {next_step} On your turn I mention you."
    )


def add_computer(table: Table, request: Request, computer: str) -> Decision:
    """Seat a computer player, by its key in ``COMPUTER_PLAYERS``; any player may.  Raises Refusal."""
    require_lobby(table)
    require_player_or_moderator(table, request)
    if computer not in COMPUTER_PLAYERS:
        raise Refusal("There is no such computer player. Use the buttons under the lobby.")
    name = table.computer_name(computer)
    decision = _add_seat(
        table, SeatRow(name=name, computer=computer), f"The computer player {name} has joined."
    )
    return announced_unless_by_host(decision, table, request, f"added the computer player {name}.")


def _add_seat(table: Table, row: SeatRow, answer: str) -> Decision:
    _require_free_seat(table)
    return Decision(table=with_new_seat(table, row), answer=answer, deliveries=_lobby_deliveries(table))


def _lobby_deliveries(table: Table) -> tuple[NewDelivery, ...]:
    """Return the deliveries after a change of a lobby that stays open.

    The message of a ready check says who is here, and whether the game can start.
    """
    check = table.row.lobby.ready_check
    return (LOBBY_DELIVERY,) if check is None else (LOBBY_DELIVERY, ready_check_delivery(check))


def _require_free_seat(table: Table, hint: str = "") -> None:
    """Raise Refusal in a full lobby.  ``hint``: when a seat may become free."""
    if table.is_full:
        raise Refusal(f"{full_text(table)}{hint} You can open another table with `/newgame`.")


def leave(table: Table, request: Request, *, is_channel_busy: bool) -> Decision:
    """Leave a lobby.  If the host leaves, the next person becomes host; without one the lobby closes.

    The game starts if its ready check waited for nobody else.  Raises Refusal.
    """
    require_lobby(table)
    seat = table.seat_of(request.user)
    if seat is None:
        raise Refusal("You are not in this lobby. Press **Join** to take a seat.")
    seats = tuple(row for i, row in enumerate(table.seats) if i != seat)
    users = [row.user for row in seats if row.user is not None]
    if not users:
        return close(table.with_row(seats=seats), "You have left. The lobby is closed.")
    host = table.row.host if table.row.host in users else presence.next_host(table, users)
    text = "You have left."
    state = table.row.lobby.without_invitation(request.user)
    departure = Decision(
        table=table.with_row(seats=seats, host=host, lobby=state), answer=text, deliveries=(LOBBY_DELIVERY,)
    )
    decision = ready_check.complete_departure(
        departure, request.at, is_channel_busy=is_channel_busy, has_new_host=host != table.row.host
    )
    return replace(decision, answer=text)  # what follows is for the others


def remove_computer(table: Table, request: Request) -> Decision:
    """Take the last computer player off its seat.  Raises Refusal."""
    require_lobby(table)
    require_player_or_moderator(table, request)
    computer_seats = [i for i, seat in enumerate(table.seats) if seat.computer is not None]
    if not computer_seats:
        raise Refusal("There is no computer player to remove.")
    seats = tuple(row for i, row in enumerate(table.seats) if i != computer_seats[-1])
    name = table.seats[computer_seats[-1]].name
    decision = Decision(
        table=table.with_row(seats=seats),
        answer=f"The computer player {name} has left.",
        deliveries=_lobby_deliveries(table),
    )
    return announced_unless_by_host(decision, table, request, f"removed the computer player {name}.")


def require_option_rights(table: Table, request: Request) -> None:
    """Raise Refusal unless the user may set options now: the host or an admin may, before the start."""
    require_lobby(table)
    require_moderator(table, request, "choose the options")


def set_options(table: Table, request: Request, values: Mapping[str, str]) -> Decision:
    """Set some of the game's options, all or none.  Raises Refusal."""
    require_option_rights(table, request)
    options = table.options
    try:
        for name, value in values.items():
            options = with_option(options, name, value)
    except InvalidSetup as error:
        raise Refusal(escape_markup(str(error))) from error
    changed_table = Table(table.row, table.game, options, None).with_row(options=write_options(options))
    decision = Decision(
        table=changed_table,
        answer=_options_set_text(changed_table),
        deliveries=_lobby_deliveries(table),
    )
    return announced_unless_by_host(decision, table, request, "changed the options.")


def _options_set_text(table: Table) -> str:
    """Return that a lobby's options are set, and why no game can start with them, however many join."""
    if (conflict := table.game.option_conflict(table.options)) is not None:
        return f"The options are set, but no game can start with them. {conflict}"
    if len(table.seats) > table.seat_limit:
        return (
            f"The options are set, but too many have joined: at most {table.seat_limit} can play with them."
        )
    return "The options are set."


def start(table: Table, request: Request, *, is_channel_busy: bool) -> Decision:
    """Start the game, or first the ready check of an old lobby.  Raises Refusal.

    ``is_channel_busy``: another game is played in the game's channel.
    """
    require_lobby(table)
    require_moderator(table, request, "start the game")
    check = table.row.lobby.ready_check
    if check is not None and presence.unconfirmed_users(table):
        raise Refusal(
            f"Not everybody has pressed **{presence.HERE_LABEL}** yet. Wait for them, or press"
            f" **{ready_check.START_WITHOUT_LABEL}** or **{ready_check.FILL_LABEL}** below the question."
        )
    if table.seat_of(request.user) is not None:
        table = presence.with_user_seen(table, request.user, request.at)
    if check is None and ready_check.is_needed(table, request.at):
        return ready_check.start(table, request, is_channel_busy=is_channel_busy)
    return start_game(
        table,
        is_channel_busy=is_channel_busy,
        can_open_thread=may_open_thread(table, request),
        starter_name=acting_admin_name(table, request),
    )


def start_with_option(
    table: Table, request: Request, *, name: str, value: str, is_channel_busy: bool
) -> Decision:
    """Set one option and start the game (``start``).  Raises Refusal."""
    changed_table = set_options(table, request, {name: value}).table
    return start(changed_table, request, is_channel_busy=is_channel_busy)


def close(table: Table, answer: str = "The lobby is closed.") -> Decision:
    """Close a lobby."""
    return Decision(table=table.as_closed_lobby(), answer=answer, deliveries=(LOBBY_DELIVERY,))


def open_rematch(
    number: int, game: AnyGame, ended_table: Table, request: Request, seed: bytes, now: int
) -> Decision:
    """Open the same game again with the requester as host; its lobby mentions the others, who must join.

    ``game``: with the newest rules, which the ended game may not have had.  The player of the second seat
    gets the first one; options, clock and who may join stay.  Raises Refusal.
    """
    if ended_table.status not in ENDED_STATUSES:
        raise Refusal("This game is not over yet. Play it to the end first.")
    if ended_table.seat_of(request.user) is None:
        raise Refusal("Only its players can ask for a rematch. Open a new table with `/newgame`.")
    lobby_request = with_rematch_channel(request, ended_table)
    decision = open_table(
        number,
        game,
        ended_table.row.options,
        lobby_request,
        seed,
        now,
        ended_table.row.time_control,
    )
    computer_rows = [
        SeatRow(name=seat.name, computer=seat.computer)
        for seat in ended_table.seats
        if seat.computer is not None
    ]
    table = _with_rematch_seating(decision.table, ended_table)
    stayed_in_lobby_channel = ended_table.row.game_channel == ended_table.row.lobby_channel
    if stayed_in_lobby_channel:  # else a thread was opened, or the game was moved
        table = table.with_row(visibility_channel=ended_table.row.visibility_channel)
    for row in computer_rows:
        table = with_new_seat(table, row)
    answer = f"The rematch is open: table No. {number} in <#{lobby_request.channel}>."
    if unjoined_rematch_players(table):
        answer += " The others are asked there to join."
    opening_notice = notice_delivery(_opening_notice_text(table))
    deliveries = (LOBBY_DELIVERY, opening_notice)  # the message that mentions the others comes first
    return Decision(table=table, answer=answer, deliveries=deliveries)


def with_rematch_channel(request: Request, ended_table: Table) -> Request:
    """Return a request for a rematch as if made in the channel where its lobby opens.

    That is the channel of the first lobby, but the request's own if the game was moved away from there: the
    first one may be gone.
    """
    row = ended_table.row
    if ended_table.was_moved_away:
        return request
    return msgspec.structs.replace(
        request,
        channel=row.lobby_channel,
        parent_channel=row.lobby.parent_channel,
        is_private_thread=False,
    )


def _with_rematch_seating(table: Table, ended_table: Table) -> Table:
    """Return a rematch with the order of its seats and the ended game's rules of admission.

    A seat whose player was erased has no place in the order.
    """
    old_lobby = ended_table.row.lobby
    order = [seat.user for seat in ended_table.seats if seat.user is not None or seat.computer is not None]
    state = msgspec.structs.replace(
        table.row.lobby,
        admission_rule=old_lobby.admission_rule,
        by_invitation=old_lobby.by_invitation,
        rematch_order=(*order[1:], *order[:1]),
    )
    return table.with_row(lobby=state)
