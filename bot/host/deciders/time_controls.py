"""The choice of a table's clock, and pauses that all agree to.  Pure functions from a table to a decision.

In the lobby the host chooses.  During a game the host, and for a pause every player, asks the others: all
people who play must agree.
"""

from bot.host.clock_texts import time_control_text
from bot.host.deciders.clocks import with_time_control
from bot.host.deciders.decision import LOBBY_DELIVERY, Decision
from bot.host.deciders.questions import ask_for_clock_or_pause
from bot.host.deciders.starting import announced_unless_by_host, require_lobby, require_moderator
from bot.host.deciders.timeouts import BACK_LABEL, is_substituted, playing_users, resumer_text
from bot.host.deciders.voting import change_time_control, pause_by_agreement
from bot.host.request import FROZEN_REFUSAL_TEXT, Refusal, Request, TooLate, moderator_refusal
from bot.host.table import IN_PLAY, Table
from bot.store.clock_rows import TimeControl
from bot.store.question_rows import QuestionKind
from bot.store.rows import Status
from bot.store.seat_rows import Person


def require_may_set_time_control(table: Table, request: Request) -> None:
    """Raise Refusal unless the user may set the clock in the lobby."""
    require_lobby(table)
    require_moderator(table, request, "choose the clock")


def set_time_control(table: Table, request: Request, control: TimeControl | None) -> Decision:
    """Set the clock in the lobby.  Raises Refusal for all but the host and admins."""
    require_may_set_time_control(table, request)
    decision = Decision(
        table=with_time_control(table, control),
        answer="The clock is set.",
        deliveries=(LOBBY_DELIVERY,),
    )
    action_text = f"set the clock: {time_control_text(control)}."
    return announced_unless_by_host(decision, table, request, action_text)


def require_may_ask_for_time_control(table: Table, request: Request) -> None:
    """Raise Refusal unless the user may ask for another clock during this game."""
    if table.status is Status.FROZEN:
        raise Refusal(FROZEN_REFUSAL_TEXT)
    if table.status not in IN_PLAY:
        raise TooLate("There is no game going on here whose clock could be changed.")
    if not table.may_moderate(request):
        text = (
            f"Only the table's host{table.host_suffix} or an admin of its server can ask for another clock."
        )
        raise moderator_refusal(request, text)


def ask_for_time_control(table: Table, request: Request, control: TimeControl | None) -> Decision:
    """Ask all who play for another clock; without others it is set at once.  Raises Refusal."""
    require_may_ask_for_time_control(table, request)
    if control == table.row.time_control:
        raise Refusal("This game has that clock already. Choose another one.")
    asker = Person(request.user, table.moderator_name(request))
    asked_users = tuple(user for user in playing_users(table) if user != request.user)
    if not asked_users:
        return change_time_control(
            table, control, f"{asker.name} changed the clock: {time_control_text(control)}."
        )
    return ask_for_clock_or_pause(table, QuestionKind.CLOCK, asker, asked_users, request.at, control)


def require_may_pause(table: Table) -> None:
    """Raise Refusal unless the game is being played."""
    if table.status is Status.PAUSED:
        raise Refusal(f"This game is paused already. {resumer_text(table)} can resume it.")
    if table.status is Status.FROZEN:
        raise Refusal(FROZEN_REFUSAL_TEXT)
    if table.status is not Status.PLAYING:
        raise Refusal("You can only pause a game that is being played.")


def ask_to_pause(table: Table, request: Request) -> Decision:
    """Ask all who play for a pause; without others it begins at once.  Raises Refusal for all but players."""
    name = table.name_of(request.user)
    require_may_pause(table)
    if is_substituted(table, request.user):
        raise Refusal(f"A computer player plays for you. Press **More**, then **{BACK_LABEL}**.")
    if request.user not in playing_users(table) or name is None:
        text = f"Only the table's host{table.host_suffix}, an admin of its server or a player can do that."
        raise moderator_refusal(request, text)
    asked_users = tuple(user for user in playing_users(table) if user != request.user)
    if not asked_users:
        return pause_by_agreement(table, f"{name} paused the game.")
    return ask_for_clock_or_pause(
        table, QuestionKind.PAUSE, Person(request.user, name), asked_users, request.at
    )
