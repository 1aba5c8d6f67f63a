"""Who may join a lobby: what its host has set, invitations, applicants, and removed players.

Pure functions from a table to a decision.
"""

from typing import Final

from msgspec.structs import replace

from bot.host.deciders import ready_check
from bot.host.deciders.decision import (
    LOBBY_DELIVERY,
    Decision,
    acceptance_delivery,
    invitation_delivery,
    join_request_delivery,
    notice_delivery,
    ready_check_delivery,
)
from bot.host.deciders.starting import (
    announced_unless_by_host,
    full_text,
    require_lobby,
    require_moderator,
    with_new_seat,
)
from bot.host.names import escape_markup, sanitize_name
from bot.host.reliability import Reliability
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.store.lobby_rows import AdmissionRule, Applicant, LobbyState
from bot.store.seat_rows import Person, SeatRow

MAX_PENDING_PEOPLE: Final = 10
"""The most people who are invited to a lobby or ask to join it, not counting those who have joined."""

_ADMISSION_TEXTS: Final = {
    AdmissionRule.EVERYBODY: "Everybody may join.",
    AdmissionRule.NOT_OFTEN_AWAY: "Players who were often away in their last games may not join.",
    AdmissionRule.RELIABLE: "Only reliable players may join.",
}
_APPLICANT_TEXTS: Final = {
    AdmissionRule.EVERYBODY: "others",
    AdmissionRule.NOT_OFTEN_AWAY: "other reliable and new players",
    AdmissionRule.RELIABLE: "other reliable players",
}
"""Who can ask for a seat in a lobby by invitation without being invited."""


def admission_text(state: LobbyState) -> str:
    """Return who may join, as a sentence."""
    if not state.by_invitation:
        return _ADMISSION_TEXTS[state.admission_rule]
    others = _APPLICANT_TEXTS[state.admission_rule]
    return f"By invitation: {others} can ask the host with **Join**."


def require_eligible(table: Table, user: int, reliability: Reliability) -> None:
    """Raise Refusal, with advice, unless a lobby admits a user; an invitation overrides the host's rule."""
    state = table.row.lobby
    if user in state.barred_users:
        raise Refusal(f"{bar_text(state, user)} Join another with `/games`, or open one with `/newgame`.")
    if state.waives_conditions_for(user) or _admits(state.admission_rule, reliability):
        return
    wanted = (
        "reliable players"
        if state.admission_rule is AdmissionRule.RELIABLE
        else "players who are not often away"
    )
    raise Refusal(
        f"This lobby is for {wanted}, and after your last games you count as **{reliability.value}**."
        " That changes once you have finished some games in time. `/games` shows other lobbies."
    )


def bar_text(state: LobbyState, user: int) -> str:
    """Return why one of ``barred_users`` cannot join, as a sentence."""
    was_removed = user in state.removed_users
    return (
        "You were removed from this table's lobby." if was_removed else "Your request to join was declined."
    )


def _admits(rule: AdmissionRule, reliability: Reliability) -> bool:
    if rule is AdmissionRule.NOT_OFTEN_AWAY:
        return reliability is not Reliability.OFTEN_AWAY
    return rule is AdmissionRule.EVERYBODY or reliability is Reliability.RELIABLE


def must_ask_to_join(table: Table, user: int) -> bool:
    """Whether a user may join only if the host accepts them."""
    state = table.row.lobby
    return state.by_invitation and not state.waives_conditions_for(user) and user != table.row.host


def ask_to_join(table: Table, request: Request) -> Decision:
    """Ask the host of a lobby by invitation for a seat.  Raises Refusal."""
    state = table.row.lobby
    if request.user in table.applicant_users:
        raise Refusal("You have asked already. The host decides.")
    _require_pending_below_limit(table)
    name = table.distinct_name(sanitize_name(request.name), request.user)
    applicants = (*state.applicants, Applicant(request.user, name))
    return Decision(
        table=table.with_row(lobby=replace(state, applicants=applicants)),
        answer="This lobby is by invitation, so I have asked its host. If accepted, you are mentioned here.",
        deliveries=(join_request_delivery(request.user),),
    )


def _require_pending_below_limit(table: Table) -> None:
    if len(table.pending_invitees) + len(table.applicant_users) >= MAX_PENDING_PEOPLE:
        raise Refusal(
            f"{MAX_PENDING_PEOPLE} people are invited or ask to join already. Try again when there are fewer."
        )


def accept_applicant(table: Table, request: Request, user: int) -> Decision:
    """Give a seat to somebody who asks to join, with one public mention.  Raises Refusal.

    A ready check then ends later, and its message is sent again: if everybody had confirmed, it may have lost
    the button that the new player needs.
    """
    applicant = _require_applicant(table, request, user)
    if table.is_full:
        raise Refusal(f"{full_text(table)} Remove somebody first, or decline.")
    row = SeatRow(name=table.distinct_name(applicant.name, user), user=user)
    changed_table = ready_check.with_time_to_answer(with_new_seat(table, row), request.at)
    check, name = changed_table.row.lobby.ready_check, escape_markup(row.name)
    decision = Decision(
        table=changed_table,
        answer=f"{name} has a seat.",
        deliveries=(
            acceptance_delivery(user),
            LOBBY_DELIVERY,
            *(() if check is None else (ready_check_delivery(check),)),
        ),
    )
    return announced_unless_by_host(decision, table, request, f"gave {name} a seat.")


def decline_applicant(table: Table, request: Request, user: int) -> Decision:
    """Decline somebody who asks to join: they may not ask again.  Raises Refusal."""
    applicant = _require_applicant(table, request, user)
    state, name = table.row.lobby.without_applicant(user), escape_markup(applicant.name)
    decision = Decision(
        table=table.with_row(lobby=replace(state, declined_applicants=(*state.declined_applicants, user))),
        answer=f"You declined {name}, who cannot ask again.",
    )
    return announced_unless_by_host(decision, table, request, f"declined {name}, who had asked to join.")


def _require_applicant(table: Table, request: Request, user: int) -> Applicant:
    """Return the applicant.  Raises Refusal unless the requester may decide and somebody applies."""
    require_lobby_moderator(table, request)
    for each in table.row.lobby.applicants:
        if each.user == user:
            return each
    raise Refusal("This person no longer asks to join.")


def invite(table: Table, request: Request, person: Person) -> Decision:
    """Invite somebody to a lobby, with one public mention.  Raises Refusal."""
    require_lobby(table)
    require_moderator(table, request, "invite players")
    if request.guild != table.row.guild:
        raise Refusal("Type `/invite` in the server where this table is open.")
    state = table.row.lobby
    if table.seat_of(person.user) is not None:
        raise Refusal("This person is in the lobby already.")
    if person.user in state.invited_users:
        raise Refusal("This person is invited already.")
    if person.user in state.declining_users:
        raise Refusal("This person has declined an invitation to this table. They can still press **Join**.")
    if table.is_full:
        raise Refusal(f"{full_text(table)} Remove somebody first.")
    state = state.without_applicant(person.user).without_bar(person.user)
    _require_pending_below_limit(table.with_row(lobby=state))
    invited_state = replace(state, invited_users=(*state.invited_users, person.user))
    name = sanitize_name(person.name)
    decision = Decision(
        table=table.with_row(lobby=invited_state.with_shown_people([Person(person.user, name)])),
        answer=f"{escape_markup(name)} is invited.",
        deliveries=(invitation_delivery(person.user),),
    )
    return announced_unless_by_host(decision, table, request, f"invited {escape_markup(name)}.")


def decline_invitation(table: Table, request: Request) -> Decision:
    """Decline an invitation.  Raises Refusal."""
    require_lobby(table)
    state = table.row.lobby
    if request.user not in state.invited_users or table.seat_of(request.user) is not None:
        raise Refusal("You have no open invitation to this table.")
    name = table.shown_name(request)
    declined_state = replace(
        state.without_invitation(request.user), declining_users=(*state.declining_users, request.user)
    )
    return Decision(
        table=table.with_row(lobby=declined_state),
        answer="You have declined the invitation.",
        deliveries=(
            notice_delivery(f"{name} has declined the invitation."),
            invitation_delivery(request.user, f"{name} declined."),
        ),
    )


def set_admission_rule(table: Table, request: Request, rule: AdmissionRule) -> Decision:
    """Set how reliable people must be to join.  Raises Refusal."""
    require_lobby_moderator(table, request)
    return _admission_decision(table, request, replace(table.row.lobby, admission_rule=rule))


def set_by_invitation(table: Table, request: Request, *, by_invitation: bool) -> Decision:
    """Set whether only invited people may join.  Raises Refusal."""
    require_lobby_moderator(table, request)
    return _admission_decision(table, request, replace(table.row.lobby, by_invitation=by_invitation))


def require_lobby_moderator(table: Table, request: Request) -> None:
    """Raise Refusal unless the user may decide who joins."""
    require_lobby(table)
    require_moderator(table, request, "decide who joins")


def _admission_decision(table: Table, request: Request, state: LobbyState) -> Decision:
    text = admission_text(state)
    decision = Decision(table=table.with_row(lobby=state), answer=text, deliveries=(LOBBY_DELIVERY,))
    return announced_unless_by_host(decision, table, request, f"changed who may join. {text}")


def remove_player(table: Table, request: Request, user: int, *, is_channel_busy: bool) -> Decision:
    """Take somebody's seat in a lobby: they may not join again unless invited.  Raises Refusal.

    The game starts if its ready check waited for nobody else.
    """
    require_lobby_moderator(table, request)
    seat = table.seat_of(user)
    if seat is None:
        raise Refusal("This person is not in the lobby any more.")
    if user == table.row.host:
        raise Refusal("The host cannot be removed. Press **Leave**, or close the lobby with `/table end`.")
    name, state = table.names[seat], table.row.lobby
    state = replace(state.without_invitation(user), removed_users=(*state.removed_users, user))
    departure = Decision(
        table=table.with_row(seats=tuple(row for i, row in enumerate(table.seats) if i != seat), lobby=state),
        answer=f"You removed {name}, who cannot join this table again unless you invite them.",
        deliveries=(LOBBY_DELIVERY,),
    )
    decision = ready_check.complete_departure(departure, request.at, is_channel_busy=is_channel_busy)
    return announced_unless_by_host(decision, table, request, f"removed {name}.")
