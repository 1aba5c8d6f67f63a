"""The handlers of a lobby's buttons and forms, and of **Rematch**."""

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from bot.chat import cut_pages, option_forms
from bot.chat.admission_pages import ADMISSION_HANDLERS
from bot.chat.component_press import ComponentPress, PressHandler, parse_index
from bot.chat.lobby_posts import (
    AS_ADMIN,
    START_WITH_OPTION_VERB,
    computers_changed_post,
    confirm_start_post,
    ready_check_choices_post,
    unfit_options_post,
)
from bot.chat.lookup import require_visible
from bot.chat.option_forms import OptionForm, chosen_options, options_post, split_into_forms
from bot.chat.post_parts import Post
from bot.host.committer import ChangeResult
from bot.host.deciders import cutting, lobby, presence, ready_check
from bot.host.deciders.decision import LOBBY_DELIVERY, Decision
from bot.host.deciders.starting import UnfitOptions
from bot.host.reliability import read_reliabilities
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import PostedMessage
from bot.store.protocol import StoreError
from bot.store.rows import Status
from rules.players import DEFAULT_COMPUTER


async def _join_lobby(press: ComponentPress) -> None:
    result = await _join_table(press, press.custom_id.table_number)
    await press.response.send_text(result.answer)


async def _join_table(press: ComponentPress, number: int) -> ChangeResult:
    user = press.request.user
    reliability = (await read_reliabilities(press.tables.store, (user,)))[user]
    decide = partial(lobby.join, request=press.request, reliability=reliability)
    return await press.tables.take_seat(number, press.request, user, decide)


async def _leave_lobby(press: ComponentPress) -> None:
    await _change_and_maybe_start(press, lobby.leave)


async def _add_computer(press: ComponentPress) -> None:
    await _change_computers(
        press, partial(lobby.add_computer, request=press.request, computer=press.custom_id.argument)
    )


async def _remove_computer(press: ComponentPress) -> None:
    await _change_computers(press, partial(lobby.remove_computer, request=press.request))


async def _change_computers(press: ComponentPress, decide: Callable[[Table], Decision]) -> None:
    """Change the computer players; the response repeats buttons of the lobby, which may be far above."""
    result = await press.tables.change(press.custom_id.table_number, press.request, decide)
    is_host = press.request.user == result.table.row.host
    await press.response.show(computers_changed_post(result.table, result.answer, is_host=is_host))


async def _start_game(press: ComponentPress) -> None:
    table = await press.require_table()
    is_admin_only = table.may_moderate(press.request) and press.request.user != table.row.host
    if presence.unconfirmed_users(table) and table.may_moderate(press.request):
        await press.response.show(ready_check_choices_post(table))
    elif is_admin_only and table.status is Status.LOBBY and press.custom_id.argument != AS_ADMIN:
        await press.response.show(confirm_start_post(table))
    else:
        try:
            await _change_and_maybe_start(press, lobby.start)
        except UnfitOptions as refusal:
            post = unfit_options_post(await press.require_table(), str(refusal))
            if not post.rows:
                raise
            await press.response.show(post)


async def _start_with_option(press: ComponentPress) -> None:
    name, _, value = press.custom_id.argument.partition(" ")
    await _change_and_maybe_start(press, partial(lobby.start_with_option, name=name, value=value))


async def _confirm_presence(press: ComponentPress) -> None:
    await _change_and_maybe_start(press, ready_check.confirm)


async def _start_without_unconfirmed(press: ComponentPress) -> None:
    await _change_and_maybe_start(press, ready_check.start_without_unconfirmed)


async def _fill_with_computers(press: ComponentPress) -> None:
    await _change_and_maybe_start(press, partial(ready_check.fill_with_computers, computer=DEFAULT_COMPUTER))


async def _change_and_maybe_start(press: ComponentPress, decide: Callable[..., Decision]) -> None:
    """Change a lobby, which may start its game."""
    decide_for_presser = partial(decide, request=press.request)
    result = await press.tables.change_that_may_start_game(
        press.custom_id.table_number, press.request, decide_for_presser
    )
    await press.response.show(Post(await _answer_text_with_link(press.tables, result)))


async def _answer_text_with_link(tables: Tables, result: ChangeResult) -> str:
    """Return the answer to a change of a lobby, with a link to the thread if its game starts in one."""
    if not result.opens_thread:
        return result.answer
    posted_messages: tuple[PostedMessage, ...] = ()
    with contextlib.suppress(StoreError):  # the game has started all the same
        posted_messages = await tables.store.posted_messages(result.table.number)
    lobby_message_id = next(
        (each.message_id for each in posted_messages if each.slot == LOBBY_DELIVERY.slot), None
    )
    if lobby_message_id is None:
        return f"{result.answer} The lobby links to it."
    # a thread has the id of its message
    address = f"https://discord.com/channels/{result.table.row.guild}/{lobby_message_id}"
    return f"{result.answer} [Open the thread]({address})."


async def _wait_longer(press: ComponentPress) -> None:
    await press.change_and_replace_page(partial(ready_check.wait_longer, request=press.request))


async def _show_options(press: ComponentPress) -> None:
    """Open the form of the options; if there are several forms, show the options with a button for each."""
    table = await press.require_table()
    lobby.require_option_rights(table, press.request)
    forms = split_into_forms(table.game)
    if len(forms) == 1 or (forms and press.custom_id.argument):
        await press.response.open_form(
            OptionForm(table, min(parse_index(press.custom_id.argument), len(forms) - 1))
        )
    else:
        await press.response.show(options_post(table))


async def _set_options(press: ComponentPress) -> None:
    """Set the options of a submitted form."""
    table = await press.require_table()
    values = chosen_options(table.game, parse_index(press.custom_id.argument), press.fields)
    decide = partial(lobby.set_options, request=press.request, values=values)
    result = await press.tables.change(press.custom_id.table_number, press.request, decide)
    await press.response.show(options_post(result.table, result.answer))


async def _show_cut_page(press: ComponentPress) -> None:
    await press.response.show(cut_pages.cut_post(await press.require_table(), press.request))


async def _cut_at_random(press: ComponentPress) -> None:
    await _cut_deck(press, cut_pages.random_words())


async def _open_cut_form(press: ComponentPress) -> None:
    typed_words = press.custom_id.argument.split()
    await press.response.open_form(cut_pages.CutForm(await press.require_table(), press.request, typed_words))


async def _cut_with_typed_words(press: ComponentPress) -> None:
    """Cut the deck with the words of a submitted form; one that is not in the list can be corrected."""
    table, typed_words = await press.require_table(), cut_pages.submitted_words(press.fields)
    try:
        words = cutting.parse_cut_words(typed_words)
    except cutting.UnknownCutWord as refusal:
        cutting.require_cutter(table, press.request)
        await press.response.show(cut_pages.cut_post(table, press.request, str(refusal), typed_words))
    else:
        await _cut_deck(press, words)


async def _cut_deck(press: ComponentPress, words: cutting.CutWordPair) -> None:
    decide = partial(cutting.cut_deck, request=press.request, words=words)
    result = await press.tables.change(press.custom_id.table_number, press.request, decide)
    await press.response.show(cut_pages.cut_post(result.table, press.request, result.answer))


async def _rematch(press: ComponentPress) -> None:
    ended_table = await press.require_table()
    request, game = press.request, press.tables.games[ended_table.game.key]
    if request.guild != ended_table.row.guild:
        raise Refusal("Press **Rematch** in the server where you played.")
    result = await press.tables.open_rematch(
        ended_table.number,
        lambda number, seed, now: lobby.open_rematch(number, game, ended_table, request, seed, now),
        request,
    )
    if result.is_repeat:  # another player has opened it: join that one
        table = require_visible(result.table, request)
        if table.seat_of(request.user) is not None:
            channel = table.row.lobby_channel
            raise Refusal(f"You are already in the rematch: table No. {table.number} in <#{channel}>.")
        result = await _join_table(press, table.number)
    await press.response.send_text(result.answer)


LOBBY_HANDLERS: Final[Mapping[str, PressHandler]] = {
    "join": _join_lobby,
    "invyes": _join_lobby,
    "leave": _leave_lobby,
    "comp": _add_computer,
    "uncomp": _remove_computer,
    "start": _start_game,
    START_WITH_OPTION_VERB: _start_with_option,
    "here": _confirm_presence,
    "longer": _wait_longer,
    "fill": _fill_with_computers,
    "begin": _start_without_unconfirmed,
    "opts": _show_options,
    "cut": _show_cut_page,
    cut_pages.CUT_AT_RANDOM_VERB: _cut_at_random,
    cut_pages.OPEN_FORM_VERB: _open_cut_form,
    "again": _rematch,
    **ADMISSION_HANDLERS,
}
"""By the verb of the button.  The handlers that cut the deck also work in a game restored from a backup."""

LOBBY_FORM_HANDLERS: Final[Mapping[str, PressHandler]] = {
    option_forms.SUBMIT_VERB: _set_options,
    cut_pages.SUBMIT_VERB: _cut_with_typed_words,
}
"""By the verb in the custom id of the form."""
