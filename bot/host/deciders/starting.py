"""The start of a game: what it needs, who may act in a lobby, and the deal.  Pure functions."""

from dataclasses import replace
from typing import Final

from bot.host.deciders.cutting import cuts_before_start, cutters_text
from bot.host.deciders.decision import (
    BOARD_DELIVERY,
    LOBBY_DELIVERY,
    THREAD_DELIVERY,
    Decision,
    hand_delivery,
    notice_delivery,
)
from bot.host.names import escape_markup
from bot.host.request import Refusal, Request, TooLate, moderator_refusal
from bot.host.table import Table
from bot.store.lobby_rows import LobbyState
from bot.store.rows import Status
from bot.store.seat_rows import SeatRow
from rules.errors import InvalidSetup, RulesError
from rules.match import Match
from rules.players import COMPUTER_PLAYERS, DEFAULT_COMPUTER
from rules.text import listed

_STARTED_TEXT: Final = "This game has already started. `/board` shows it."
_BUSY_CHANNEL_TEXT: Final = (
    "Another game is going on in this channel, and I may not open threads here."
    " Use `/table move` in another channel or thread first, or let me create public threads."
)


class ChannelBusy(Refusal):
    """Another game is played in the channel of a lobby, and no thread can be opened."""


class UnfitOptions(Refusal):
    """The options of a lobby do not fit, for example so many players."""


def may_open_thread(table: Table, request: Request) -> bool:
    """Whether the bot may open a thread where a lobby stands, as far as the request or its ready check says.

    A press in a place that the table has left, where the question of a ready check may still stand, says
    nothing about the new one.
    """
    if request.channel == table.row.lobby_channel:
        return request.can_open_thread
    check = table.row.lobby.ready_check
    return check is not None and check.can_open_thread


def acting_admin_name(table: Table, request: Request) -> str:
    """Return name and role of an admin who acts in a lobby in place of the host; empty for the host."""
    return "" if request.user == table.row.host else table.moderator_name(request)


def start_game(
    table: Table, *, is_channel_busy: bool, can_open_thread: bool, starter_name: str = ""
) -> Decision:
    """Deal the game of a lobby.  ``is_channel_busy``: another game is played in its channel.

    ``starter_name``: name and role of an admin who starts it in place of the host (``acting_admin_name``).

    Raises Refusal where the game cannot start: ChannelBusy or UnfitOptions if that is the reason.
    """
    if is_channel_busy and not can_open_thread:
        raise ChannelBusy(_BUSY_CHANNEL_TEXT)
    _require_enough_players(table)
    try:
        match = Match.begin(
            table.game, len(table.seats), table.options, table.row.seed, cuts_before_start(table)
        )
    except InvalidSetup as error:
        raise UnfitOptions(escape_markup(str(error))) from error
    except RulesError as error:
        raise Refusal(str(error)) from error
    started_table = (
        table.with_holders()
        .with_match(match)
        .with_row(
            status=Status.PLAYING,
            expires_at=None,
            rules_version=table.game.rules_version,
            lobby=table.row.lobby.as_over(),
        )
    )
    hand_deliveries = tuple(
        hand_delivery(i)
        for i, seat in enumerate(started_table.seats)
        if seat.user is not None and started_table.game.hidden_information
    )
    starter_text = f"{starter_name} started the game." if starter_name else ""
    return Decision(
        table=started_table,
        audit_entry=starter_text,
        answer="The game has started in a thread of its own." if can_open_thread else "The game has started.",
        deliveries=(
            LOBBY_DELIVERY,
            *((THREAD_DELIVERY,) if can_open_thread else ()),
            notice_delivery(_start_text(started_table, starter_text)),
            BOARD_DELIVERY,
            *hand_deliveries,
        ),
    )


def _start_text(table: Table, starter_text: str) -> str:
    """Return the first notice of a game, never edited: who plays, who cut the deck; boards say the rest."""
    return f"{' '.join([f'{listed(table.names)} play.', starter_text]).strip()}\n-# {cutters_text(table)}"


def with_new_seat(table: Table, row: SeatRow) -> Table:
    """Return a lobby with one more player: at the end, or at the player's place in a rematch.

    The player does not count as an applicant any more, so that nobody gets two seats.
    """
    state = table.row.lobby if row.user is None else table.row.lobby.without_applicant(row.user)
    return table.with_row(seats=_in_rematch_order(state, (*table.seats, row)), lobby=state)


def _in_rematch_order(state: LobbyState, seats: tuple[SeatRow, ...]) -> tuple[SeatRow, ...]:
    """Return seats in the order of a rematch; players who have no place in it come last."""
    places = {user: place for place, user in enumerate(state.rematch_order) if user is not None}
    computer_places = iter([place for place, user in enumerate(state.rematch_order) if user is None])
    last = len(state.rematch_order)

    def place_of(row: SeatRow) -> int:
        return next(computer_places, last) if row.user is None else places.get(row.user, last)

    return tuple(sorted(seats, key=place_of))


def unjoined_rematch_players(table: Table) -> tuple[int, ...]:
    """Return the users who played the game before a rematch and can still join its lobby."""
    if table.status is not Status.LOBBY or table.is_full:
        return ()
    state = table.row.lobby
    users = (user for user in state.rematch_order if user is not None and user not in state.barred_users)
    return tuple(user for user in users if table.seat_of(user) is None)


def computer_button_label(computer: str) -> str:
    """Return the label of the button that adds a computer player."""
    return f"Add {COMPUTER_PLAYERS[computer].title} computer"


def missing_player_count(table: Table) -> int:
    """Return how many more players the game needs to start; 0 also if no number of them helps."""
    missing_counts = [count - len(table.seats) for count in table.game.player_counts_with(table.options)]
    return min((count for count in missing_counts if count >= 0), default=0)


def full_text(table: Table) -> str:
    """Return that all seats of a lobby are taken, and its options' limit if the game could have more."""
    if table.seat_limit == max(table.game.player_counts):
        return "All seats are taken."
    return f"All seats are taken: with these options at most {table.seat_limit} can play."


def require_lobby(table: Table) -> None:
    """Raise TooLate unless the table is a lobby."""
    texts = {
        Status.PLAYING: _STARTED_TEXT,
        Status.PAUSED: _STARTED_TEXT,
        Status.FROZEN: _STARTED_TEXT,
        Status.CLOSED: "This lobby is closed. Open a new table with `/newgame`.",
    }
    if table.status is not Status.LOBBY:
        raise TooLate(texts.get(table.status, "This game is over."))


def _require_enough_players(table: Table) -> None:
    """Raise Refusal if the table has fewer players than its options need."""
    missing_count = min(table.game.player_counts_with(table.options)) - len(table.seats)
    if missing_count > 0:
        needed = "one more player" if missing_count == 1 else f"{missing_count} more players"
        raise Refusal(
            f"You need {needed}: press **{computer_button_label(DEFAULT_COMPUTER)}** or invite someone."
        )


def require_player_or_moderator(table: Table, request: Request) -> None:
    """Raise Refusal unless the user has a seat or may moderate the table."""
    if table.seat_of(request.user) is None and not table.may_moderate(request):
        raise Refusal("Only players of this table can do that. Press **Join** first.")


def require_moderator(table: Table, request: Request, action: str) -> None:
    """Raise Refusal, naming the action, unless the user is the host or an admin."""
    if not table.may_moderate(request):
        raise moderator_refusal(request, f"Only the host{table.host_suffix} can {action}.")


def announced_unless_by_host(
    decision: Decision, table: Table, request: Request, action_text: str
) -> Decision:
    """Return a decision on a lobby that announces who did something, unless that was its host.

    What leaves the table as it was is not announced.  ``action_text``: the sentence after the name.
    """
    if request.user == table.row.host or decision.table.row == table.row:
        return decision
    is_moderator = table.may_moderate(request)
    name = table.moderator_name(request) if is_moderator else table.name_of(request.user)
    text = f"{name} {action_text}"
    return replace(
        decision,
        deliveries=(notice_delivery(text), *decision.deliveries),
        audit_entry=text if is_moderator else "",
    )
