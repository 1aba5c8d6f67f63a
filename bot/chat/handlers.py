"""A short handler for each verb that a component or a form may carry."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from bot.chat import cut_pages, history_pages, pages
from bot.chat.admission_pages import ADMISSION_PAGE_VERBS
from bot.chat.clock_pages import CLOCK_HANDLERS
from bot.chat.component_press import ComponentPress, PressHandler, parse_index
from bot.chat.data_commands import DATA_HANDLERS
from bot.chat.lobby_handlers import LOBBY_FORM_HANDLERS, LOBBY_HANDLERS
from bot.chat.lobby_posts import START_WITH_OPTION_VERB
from bot.chat.numbered_log import WHOLE_GAME_LOG
from bot.chat.offer_pages import OFFER_HANDLERS, OFFER_VERB
from bot.chat.panel import TypedMoveForm, play_or_confirm_line
from bot.chat.post_parts import Post, resume_button
from bot.chat.response import prefers_text
from bot.chat.rules_pages import rules_post
from bot.chat.settings_pages import SETTINGS_FORM_HANDLERS, SETTINGS_HANDLERS
from bot.chat.undo_pages import show_roll_back_page
from bot.host import game_calls
from bot.host.deciders import departures, moderation, seats, timeouts, voting
from bot.host.deciders.decision import Decision
from bot.host.request import Refusal, TooLate
from bot.host.table import Table
from bot.store.rows import Status
from rules.game import AnyGame
from rules.players import DEFAULT_COMPUTER


async def _open_panel(press: ComponentPress) -> None:
    await press.panel.open(press.response, press.custom_id.table_number, press.request)


async def _show_screen(press: ComponentPress) -> None:
    await press.panel.show_screen(press.response, press.custom_id, press.request, press.custom_id.argument)


async def _show_screen_page(press: ComponentPress) -> None:
    index_text, _, path = press.custom_id.argument.partition(" ")
    await press.panel.show_screen(
        press.response, press.custom_id, press.request, path, parse_index(index_text)
    )


async def _play_action(press: ComponentPress) -> None:
    await press.panel.play(press.response, press.custom_id, press.request)


async def _open_move_form(press: ComponentPress) -> None:
    table = await press.require_table()
    seat = table.seat_of(press.request.user)
    example = game_calls.example_move(table, seat) if table.match is not None and seat is not None else ""
    await press.response.open_form(TypedMoveForm(table, example or "what /play suggests"))


async def _show_hand(press: ComponentPress) -> None:
    await pages.show_hand(press.tables, press.response, press.custom_id.table_number, press.request)


async def _show_board(press: ComponentPress) -> None:
    as_text = await prefers_text(press.tables, press.request.user)
    show = pages.show_board_text if as_text else pages.show_board
    await show(press.tables, press.response, press.custom_id.table_number)


async def _show_player_board(press: ComponentPress) -> None:
    as_text = await prefers_text(press.tables, press.request.user)
    number, player = press.custom_id.table_number, press.custom_id.argument
    await pages.show_player_or_public_board(
        press.tables, press.response, number, press.request, player, as_text=as_text
    )


async def _show_board_text(press: ComponentPress) -> None:
    await pages.show_board_text(press.tables, press.response, press.custom_id.table_number)


async def _show_log(press: ComponentPress) -> None:
    first_word, _, rest = press.custom_id.argument.partition(" ")
    page_text, _, _ = rest.partition(" ")
    await history_pages.show_log(
        press.tables,
        press.response,
        press.custom_id.table_number,
        press.request,
        is_whole_game=first_word == WHOLE_GAME_LOG,
        page_index=parse_index(page_text) if page_text else 0,
    )


async def _show_turn_page(press: ComponentPress) -> None:
    index_text, _, _ = press.custom_id.argument.partition(" ")
    page_index = int(index_text) if index_text.isdecimal() else None
    await history_pages.show_turn_page(
        press.tables, press.response, press.custom_id.table_number, press.request, page_index
    )


async def _show_replay(press: ComponentPress) -> None:
    await history_pages.show_replay(press.tables, press.response, press.custom_id.table_number, press.request)


async def _show_export(press: ComponentPress) -> None:
    await history_pages.show_export(press.tables, press.response, press.custom_id.table_number, press.request)


async def _show_more(press: ComponentPress) -> None:
    await press.response.show(pages.more_post(await press.require_table(), press.request))


async def _show_rules(press: ComponentPress) -> None:
    table = await press.require_table()
    await press.response.show(rules_post(table.game))


async def _show_topic(press: ComponentPress) -> None:
    await press.response.show(rules_post(_game_of_rules(press, press.custom_id.argument), press.value))


async def _show_glossary_page(press: ComponentPress) -> None:
    game_key, _, page_and_topic = press.custom_id.argument.partition(" ")
    index_text, _, topic_key = page_and_topic.partition(" ")
    game = _game_of_rules(press, game_key)
    await press.response.show(rules_post(game, topic_key, parse_index(index_text)))


def _game_of_rules(press: ComponentPress, key: str) -> AnyGame:
    """Return the game whose rules a component shows.  Raises Refusal."""
    game = press.tables.games.get(key)
    if game is None:
        raise Refusal("I no longer have this game. `/help` lists my games.")
    return game


async def _undo(press: ComponentPress) -> None:
    await press.panel.undo(press.response, press.custom_id, press.request)


async def _agree_to_question(press: ComponentPress) -> None:
    await _vote(press, is_yes=True)


async def _decline_question(press: ComponentPress) -> None:
    await _vote(press, is_yes=False)


async def _withdraw_question(press: ComponentPress) -> None:
    await press.change(partial(voting.withdraw, request=press.request, question_id=_parse_question_id(press)))


async def _vote(press: ComponentPress, *, is_yes: bool) -> None:
    decide = partial(voting.vote, request=press.request, question_id=_parse_question_id(press), is_yes=is_yes)
    result = await press.tables.change(press.custom_id.table_number, press.request, decide)
    table = result.table
    may_resume = table.status is Status.PAUSED and table.row.players_may_resume
    await press.response.show(Post(result.answer, ((resume_button(table),),) if may_resume else ()))


def _parse_question_id(press: ComponentPress) -> int:
    """Return the id of the question that a button carries.  Raises Refusal."""
    if not press.custom_id.argument.isdecimal():
        raise Refusal("This question is no longer open.")
    return int(press.custom_id.argument)


async def _ask_before_resigning(press: ComponentPress) -> None:
    await press.response.show(pages.confirm_resign_post(await press.require_table(), press.request))


async def _resign(press: ComponentPress) -> None:
    await press.change_and_replace_page(
        partial(departures.resign, request=press.request, computer=DEFAULT_COMPUTER)
    )


async def _give_to_computer(press: ComponentPress) -> None:
    await press.change_and_replace_page(
        partial(seats.give_seat_to_computer, request=press.request, computer=DEFAULT_COMPUTER)
    )


async def _come_back(press: ComponentPress) -> None:
    await press.change(partial(timeouts.come_back, request=press.request))


async def _let_computer_play(press: ComponentPress) -> None:
    await press.change(partial(timeouts.let_computer_play, request=press.request, computer=DEFAULT_COMPUTER))


async def _end_table(press: ComponentPress) -> None:
    def decide(table: Table) -> Decision:
        decision = moderation.end(table, press.request)
        was_lobby, is_lobby = press.custom_id.argument == pages.END_LOBBY, table.status is Status.LOBBY
        if was_lobby != is_lobby:
            raise TooLate("The game has started since you were asked. To end it, type `/table end` again.")
        return decision

    await press.change_and_replace_page(decide)


async def _roll_back(press: ComponentPress) -> None:
    if not press.custom_id.argument.isdecimal():
        raise Refusal("There is no such move.")
    move_number, ply = int(press.custom_id.argument), press.custom_id.ply
    decide = partial(moderation.roll_back, request=press.request, move_number=move_number, ply=ply)
    await press.change_and_replace_page(decide)


async def _show_roll_back_page(press: ComponentPress) -> None:
    move_text, _, rest = press.custom_id.argument.partition(" ")
    page_text, _, _ = rest.partition(" ")
    await show_roll_back_page(
        press.tables,
        press.response,
        press.custom_id.table_number,
        press.request,
        parse_index(move_text),
        ply=press.custom_id.ply,
        page_index=parse_index(page_text),
    )


async def _resume_game(press: ComponentPress) -> None:
    await press.change(partial(moderation.resume, request=press.request))


async def _change_nothing(press: ComponentPress) -> None:
    await press.require_table()
    await press.response.show(Post("Nothing has changed."))


async def handle_press(press: ComponentPress) -> None:
    """Call the handler of a press.  Raises NoSuchTable where the presser may not see its table, Refusal."""
    if press.custom_id.verb not in TABLELESS_VERBS:
        await press.require_table()
    await HANDLERS[press.custom_id.verb](press)


async def _play_typed_line(press: ComponentPress) -> None:
    """Play the line of a submitted form, or show its preview."""
    text = press.field_text(TypedMoveForm.FIELD_NAME)
    await play_or_confirm_line(
        press.tables, press.response, press.custom_id.table_number, press.request, text, press.custom_id.ply
    )


HANDLERS: Final[Mapping[str, PressHandler]] = {
    **LOBBY_HANDLERS,
    **SETTINGS_HANDLERS,
    **CLOCK_HANDLERS,
    **DATA_HANDLERS,
    **OFFER_HANDLERS,
    "play": _open_panel,
    "step": _show_screen,
    "page": _show_screen_page,
    "do": _play_action,
    "type": _open_move_form,
    "hand": _show_hand,
    "board": _show_board,
    "own": _show_player_board,
    "text": _show_board_text,
    "log": _show_log,
    "hist": _show_turn_page,
    "replay": _show_replay,
    "export": _show_export,
    "more": _show_more,
    "rules": _show_rules,
    "topic": _show_topic,
    "name": _show_topic,
    "names": _show_glossary_page,
    "undo": _undo,
    "agree": _agree_to_question,
    "refuse": _decline_question,
    "unask": _withdraw_question,
    "resign": _ask_before_resigning,
    "resyes": _resign,
    "tocomp": _give_to_computer,
    "back": _come_back,
    "subst": _let_computer_play,
    "end": _end_table,
    "rollto": _roll_back,
    "rollpg": _show_roll_back_page,
    "resume": _resume_game,
    "keep": _change_nothing,
}
"""The handler of each verb that a button or select may carry.  A released verb is never removed."""

FORM_HANDLERS: Final[Mapping[str, PressHandler]] = {
    "typed": _play_typed_line,
    **LOBBY_FORM_HANDLERS,
    **SETTINGS_FORM_HANDLERS,
}
"""The handler of each submitted form, by the verb in its custom id."""

TABLELESS_VERBS: Final = frozenset(
    {*SETTINGS_HANDLERS, *SETTINGS_FORM_HANDLERS, *DATA_HANDLERS, "topic", "name", "names"}
)
"""Verbs whose components and forms belong to no table."""

REPLACING_VERBS: Final = frozenset(
    {
        "play",
        "step",
        "page",
        "do",
        "undo",
        "opts",
        "comp",
        "start",
        START_WITH_OPTION_VERB,
        "topic",
        "name",
        "names",
        "hist",
        "end",
        "resyes",
        "rollto",
        "rollpg",
        "tocomp",
        OFFER_VERB,
        "keep",
        "cut",
        cut_pages.CUT_AT_RANDOM_VERB,
        cut_pages.OPEN_FORM_VERB,
        "here",
        "longer",
        "fill",
        "begin",
    }
    | ADMISSION_PAGE_VERBS
    | SETTINGS_HANDLERS.keys()
    | CLOCK_HANDLERS.keys()
    | DATA_HANDLERS.keys()
)
"""Verbs whose response replaces the private message on which the component stands."""
