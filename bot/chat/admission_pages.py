"""Who may join a lobby: its host's private page, ``/invite``, and the buttons of ``admission_posts``."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.chat.command_tree import SERVERS_ONLY, TABLE_OPTION_HINT, suggest_tables
from bot.chat.component_press import ComponentPress, PressHandler
from bot.chat.components import Row, Select
from bot.chat.lobby_posts import ADMISSION_LABEL
from bot.chat.lookup import resolve_table
from bot.chat.post_parts import Post, button, join_lines, table_custom_id, title
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.host.deciders import admission
from bot.host.deciders.admission import admission_text
from bot.host.deciders.decision import Decision
from bot.host.request import Refusal
from bot.host.table import Table
from bot.store.lobby_rows import AdmissionRule
from bot.store.rows import Status
from bot.store.seat_rows import Person

_ADMISSION_RULE_TEXTS: Final = {
    AdmissionRule.EVERYBODY: ("Everybody", "Whatever their last games were like"),
    AdmissionRule.NOT_OFTEN_AWAY: (
        "Reliable and new players",
        "Nobody who was often away in the last ten games",
    ),
    AdmissionRule.RELIABLE: (
        "Reliable players",
        "Only people who have finished at least three games and were seldom away",
    ),
}
"""The label and the hint of each rule in the select."""


def admission_page(table: Table, note: str = "") -> Post:
    """Return the host's page, which sets who may join and removes players.

    ``note``: what has just been done, shown in place of who may join now.
    """
    lobby = table.row.lobby
    lines = [f"**{ADMISSION_LABEL}** · {title(table)}", note or admission_text(lobby)]
    if lobby.by_invitation:
        lines.append("Invite players with `/invite`.")
    rule_options = tuple((label, each.value, hint) for each, (label, hint) in _ADMISSION_RULE_TEXTS.items())
    player_options = tuple(
        (seat.name, str(seat.user), "")
        for seat in table.seats
        if seat.user is not None and seat.user != table.row.host
    )
    toggle_button = (
        button(table, "Let people join without invitation", "byinv", "off")
        if lobby.by_invitation
        else button(table, "Only by invitation", "byinv", "on")
    )
    rows: tuple[Row, ...] = (
        (
            Select(
                f"{'May ask' if lobby.by_invitation else 'May join'}:"
                f" {_ADMISSION_RULE_TEXTS[lobby.admission_rule][0].lower()}",
                table_custom_id(table, "needs"),
                rule_options,
            ),
        ),
        *(
            ((Select("Remove a player", table_custom_id(table, "remove"), player_options),),)
            if player_options
            else ()
        ),
        (toggle_button,),
    )
    return Post(join_lines(lines), rows)


async def _show_page(press: ComponentPress) -> None:
    table = await press.require_table()
    admission.require_lobby_moderator(table, press.request)
    await press.response.show(admission_page(table))


async def _set_admission_rule(press: ComponentPress) -> None:
    rule = next((each for each in AdmissionRule if each.value == press.value), None)
    if rule is None:
        raise Refusal("Choose one from the list.")
    decide = partial(admission.set_admission_rule, request=press.request, rule=rule)
    await _change_and_show_page(press, decide)


async def _set_by_invitation(press: ComponentPress) -> None:
    is_on = press.custom_id.argument == "on"
    await _change_and_show_page(
        press, partial(admission.set_by_invitation, request=press.request, by_invitation=is_on)
    )


async def _remove_player(press: ComponentPress) -> None:
    decide = partial(admission.remove_player, request=press.request, user=_parse_user(press.value))
    result = await press.tables.change_that_may_start_game(
        press.custom_id.table_number, press.request, decide
    )
    is_lobby = result.table.status is Status.LOBBY  # the game may have started
    await press.response.show(
        admission_page(result.table, result.answer) if is_lobby else Post(result.answer)
    )


async def _change_and_show_page(press: ComponentPress, decide: Callable[[Table], Decision]) -> None:
    result = await press.tables.change(press.custom_id.table_number, press.request, decide)
    await press.response.show(admission_page(result.table, result.answer))


def _parse_user(text: str) -> int:
    """Return the user that a button or a select carries.  Raises Refusal."""
    if not (text.isascii() and text.isdecimal()):
        raise Refusal("This button no longer works. Use the buttons of the lobby.")
    return int(text)


async def _accept_applicant(press: ComponentPress) -> None:
    user = _parse_user(press.custom_id.argument)
    decide = partial(admission.accept_applicant, request=press.request, user=user)
    result = await press.tables.take_seat(press.custom_id.table_number, press.request, user, decide)
    await press.response.send_text(result.answer)


async def _decline_applicant(press: ComponentPress) -> None:
    user = _parse_user(press.custom_id.argument)
    await press.change(partial(admission.decline_applicant, request=press.request, user=user))


async def _decline_invitation(press: ComponentPress) -> None:
    await press.change(partial(admission.decline_invitation, request=press.request))


ADMISSION_HANDLERS: Final[Mapping[str, PressHandler]] = {
    "manage": _show_page,
    "needs": _set_admission_rule,
    "byinv": _set_by_invitation,
    "remove": _remove_player,
    "admit": _accept_applicant,
    "deny": _decline_applicant,
    "invno": _decline_invitation,
}
"""By the verb of the button or select; ``invyes``, which takes a seat, is among the lobby's."""

ADMISSION_PAGE_VERBS: Final = frozenset({"manage", "needs", "byinv", "remove"})
"""Verbs whose response is the host's page."""


@app_commands.command(name="invite", description="Invite somebody to your lobby")
@app_commands.describe(player="Whom to invite. They are mentioned once", table=TABLE_OPTION_HINT)
@app_commands.autocomplete(table=suggest_tables)
@with_response
async def invite_command(
    response: Response, player: discord.Member | discord.User, table: int | None = None
) -> None:
    """Invite a member of the server to a lobby."""
    if not isinstance(player, discord.Member):
        raise Refusal("This person is not in this server. Invite somebody who is.")
    if player.bot:
        raise Refusal("Bots cannot take a seat. The lobby has buttons that add computer players.")
    request = response.request
    target = await resolve_table(response.tables, request, table)
    person = Person(player.id, player.display_name)
    decide = partial(admission.invite, request=request, person=person)
    result = await response.tables.change(target.number, request, decide)
    await response.send_text(result.answer)


invite_command.allowed_contexts = SERVERS_ONLY
