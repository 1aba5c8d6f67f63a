"""Who in a lobby is here: those seen recently, and in a ready check those who have answered it."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from bot.host.table import Table
from bot.store.clock_rows import HOUR
from bot.store.lobby_rows import ReadyCheck
from rules.text import listed

PRESENCE_TIME: Final = HOUR
"""Seconds for which somebody counts as here after acting at the lobby."""
HERE_LABEL: Final = "Here"


def with_user_seen(table: Table, user: int, now: int) -> Table:
    """Return the table with a user noted as here."""
    state = table.row.lobby.with_user_seen(user, now)
    check = state.ready_check
    if check is not None and user not in check.present_users:
        state = replace(state, ready_check=replace(check, present_users=(*check.present_users, user)))
    return table.with_row(lobby=state)


def unconfirmed_users(table: Table) -> tuple[int, ...]:
    """Return the users who have not answered the ready check; without a check there are none."""
    check = table.row.lobby.ready_check
    if check is None:
        return ()
    return tuple(user for user in table.row.users if user not in check.present_users)


def users_seen_recently(table: Table, now: int) -> tuple[int, ...]:
    """Return the users who acted at the lobby within ``PRESENCE_TIME``."""
    return tuple(each.user for each in table.row.lobby.players_last_seen if now - each.at <= PRESENCE_TIME)


def next_host(table: Table, users: Sequence[int]) -> int:
    """Return which of several users becomes host of a lobby: during a ready check one who is here."""
    check = table.row.lobby.ready_check
    present_users = [user for user in users if check is not None and user in check.present_users]
    return (present_users or users)[0]


def unconfirmed_names_text(table: Table) -> str:
    """Return the names of those who have not answered the ready check: "Ava and Ben"."""
    return listed([table.name_of(user) or "" for user in unconfirmed_users(table)])


def waiting_text(table: Table) -> str:
    """Return whom a ready check still waits for, as a sentence."""
    names = unconfirmed_names_text(table)
    return f"Still missing: {names}." if names else "Everybody is here."


def start_condition_text(table: Table) -> str:
    """Return what starts the game while somebody has not answered: a sentence without its full stop."""
    verb = "has" if len(unconfirmed_users(table)) == 1 else "have"
    return f"The game starts as soon as {unconfirmed_names_text(table)} {verb} pressed **{HERE_LABEL}**"


def progress_text(table: Table, check: ReadyCheck) -> str:
    """Return what a ready check waits for, as sentences."""
    if not unconfirmed_users(table):
        return "Everybody is here. The host presses **Start**."
    if check.awaits_host:
        return (
            f"{unconfirmed_names_text(table)} did not answer the ready check."
            f" The host chooses until <t:{check.due}:f> how it goes on."
        )
    return f"{start_condition_text(table)} in the ready check, which ends <t:{check.due}:f>."


def free_seat_hint(table: Table) -> str:
    """Return when a seat of a full lobby may become free: a space and a sentence; empty if none may."""
    check = table.row.lobby.ready_check
    if check is None or not unconfirmed_users(table):
        return ""
    return f" Somebody may lose a seat when the ready check ends, <t:{check.due}:f>: look here again then."
