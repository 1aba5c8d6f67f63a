"""Whether the bot may post what a change of a table asks it to post; if not, the change is refused."""

from typing import Final

from bot.host.deciders.decision import Decision, prompt_deliveries
from bot.host.request import Refusal, Request
from bot.host.table import IN_PLAY, Table
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status

_PROMPT_KINDS: Final = frozenset(
    {
        DeliveryKind.QUESTION,
        DeliveryKind.OFFER,
        DeliveryKind.READY_CHECK,
        DeliveryKind.INVITATION,
        DeliveryKind.JOIN_REQUEST,
    }
)
"""What asks people: an answer that says so is wrong while nobody can read it."""
MOVE_REMEDY: Final = "An admin can grant it, or the host moves the game with `/table move`."
"""How a table goes on in whose channel the bot may not post."""


class MayNotPost(Refusal):
    """A table would be or start in a channel, or people be asked in one, where the bot may not post."""


def require_may_post(before: Table | None, decision: Decision, request: Request | None) -> None:
    """Raise MayNotPost if a decision opens, moves, starts or asks something where the bot may not post.

    ``before``: None for a table that is opened.  ``request``: None if nobody waits for an answer.
    """
    if request is None:
        return
    channel = decision.table.row.game_channel
    if before is None or before.row.game_channel != channel:
        remedy = "An admin can grant it, or you choose another channel."
    elif _asks_anew(before, decision) or _is_started_by_moderator(before, decision.table, request):
        remedy = MOVE_REMEDY
    else:
        return
    permission = request.find_missing_permission(channel)
    if permission:
        raise MayNotPost(missing_permission_text(channel, permission, remedy))


def missing_permission_text(channel: int, permission: str, remedy: str) -> str:
    """Return which permission the bot lacks to post in a channel, and how to go on."""
    return f"I may not post in <#{channel}>: my role lacks **{permission}** there. {remedy}"


def _is_started_by_moderator(before: Table, after: Table, request: Request) -> bool:
    """Whether the host or an admin starts a game.

    Others may not be refused, though their answer to a ready check or their leaving may start one too.
    """
    is_started = before.status is Status.LOBBY and after.status in IN_PLAY
    return is_started and after.may_moderate(request)


def _asks_anew(before: Table, decision: Decision) -> bool:
    """Whether a decision asks people something that they have not been asked before."""
    open_slots = {each.slot for each in prompt_deliveries(before)}
    return any(
        each.slot.kind in _PROMPT_KINDS and not each.text and each.slot not in open_slots
        for each in decision.deliveries
    )
