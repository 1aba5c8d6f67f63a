"""Every press, choice and form: the router, and one short function for each verb of a button."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias, cast

import discord

from bot.chat import cutting as cut_pages
from bot.chat import pages
from bot.chat.components import CustomId, parse_id
from bot.chat.lookup import require_visible, table_of_button
from bot.chat.option_forms import (
    FORM_VERB,
    OptionForm,
    SubmittedFields,
    chosen_options,
    option_forms,
    options_post,
)
from bot.chat.pages import rules_post
from bot.chat.panel import PanelHandler, TypeMoveForm, play_or_confirm
from bot.chat.posts import Post, computers_changed_post
from bot.chat.response import Interaction, Response, request_of, respond
from bot.host import cutting, game_calls, lobby, moderation, play, questions, seats
from bot.host.decision import Decision
from bot.host.table import GameGuard, Refusal, Request, Table
from bot.host.tables import ChangeResult, Tables
from bot.store.rows import Status
from rules.game import Action, Seat
from rules.notation import example
from rules.players import SUBSTITUTE


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """One press: which button, by whom, with which values, and where to respond."""

    tables: Tables
    response: Response
    id: CustomId
    request: Request
    values: Sequence[str] = ()
    fields: SubmittedFields = field(default_factory=dict)
    """Of a submitted form: the values of each field by its name."""

    @property
    def panel(self) -> PanelHandler:
        """Return the private panel of choices."""
        return PanelHandler(self.tables)

    @property
    def value(self) -> str:
        """Return what was chosen in a select."""
        return self.values[0] if self.values else ""

    async def table(self) -> Table:
        """Return the table.  Raises NoSuchTable where the asker may not see it."""
        return require_visible(await self.tables.get(self.id.table), self.request)

    async def change(self, decide: Callable[[Table], Decision]) -> None:
        """Change the table and say the result."""
        done = await self.tables.change(self.id.table, self.request, decide)
        await self.response.say(done.reply)


ButtonHandler: TypeAlias = Callable[[ButtonPress], Awaitable[None]]


async def _join(press: ButtonPress) -> None:
    done = await _take_seat(press, press.id.table)
    await press.response.say(done.reply)


async def _take_seat(press: ButtonPress, number: int) -> ChangeResult:
    return await press.tables.seat(
        number, press.request, press.request.user, partial(lobby.join, request=press.request)
    )


async def _leave(press: ButtonPress) -> None:
    await press.change(partial(lobby.leave, request=press.request))


async def _add_computer(press: ButtonPress) -> None:
    await _seat_computer(press, partial(lobby.add_computer, request=press.request, player=press.id.argument))


async def _remove_computer(press: ButtonPress) -> None:
    await _seat_computer(press, partial(lobby.remove_computer, request=press.request))


async def _seat_computer(press: ButtonPress, decide: Callable[[Table], Decision]) -> None:
    """Change the computer players; the response carries on, since it stands below the lobby's buttons."""
    done = await press.tables.change(press.id.table, press.request, decide)
    is_host = press.request.user == done.table.row.host
    await press.response.show(computers_changed_post(done.table, done.reply, is_host=is_host))


async def _start(press: ButtonPress) -> None:
    busy = await press.tables.is_busy(press.request.channel)
    decide = partial(lobby.start, request=press.request, busy=busy)
    done = await press.tables.change(press.id.table, press.request, decide)
    await press.response.show(Post(done.reply))


async def _options(press: ButtonPress) -> None:
    """Open the form, or show what is set where a game needs several."""
    table = await press.table()
    lobby.require_option_rights(table, press.request)
    forms = option_forms(table.game)
    if len(forms) == 1 or (forms and press.id.argument):
        await press.response.open_form(OptionForm(table, min(_page_of(press.id.argument), len(forms) - 1)))
    else:
        await press.response.show(options_post(table))


def _page_of(text: str) -> int:
    return int(text) if text.isdecimal() else 0


async def _set_options(press: ButtonPress) -> None:
    """Set what a submitted form says."""
    table = await press.table()
    values = chosen_options(table.game, _page_of(press.id.argument), press.fields)
    decide = partial(lobby.set_options, request=press.request, values=values)
    done = await press.tables.change(press.id.table, press.request, decide)
    await press.response.show(options_post(done.table, done.reply))


async def _cut(press: ButtonPress) -> None:
    await press.response.show(cut_pages.cut_post(await press.table(), press.request))


async def _cut_at_random(press: ButtonPress) -> None:
    await _cut_with(press, cut_pages.random_words())


async def _ask_words(press: ButtonPress) -> None:
    await press.response.open_form(cut_pages.CutForm(await press.table(), press.request))


async def _cut_with_typed(press: ButtonPress) -> None:
    """Cut the deck with the words of a submitted form."""
    await press.table()
    await _cut_with(press, cut_pages.submitted_words(press.fields))


async def _cut_with(press: ButtonPress, words: cutting.CutWords) -> None:
    decide = partial(cutting.cut_deck, request=press.request, words=words)
    done = await press.tables.change(press.id.table, press.request, decide)
    await press.response.show(cut_pages.cut_post(done.table, press.request, done.reply))


async def _play(press: ButtonPress) -> None:
    await press.panel.open(press.response, press.id.table, press.request)


async def _step(press: ButtonPress) -> None:
    await press.panel.step(press.response, press.id, press.request, press.id.argument)


async def _page(press: ButtonPress) -> None:
    page, _, path = press.id.argument.partition(" ")
    await press.panel.step(press.response, press.id, press.request, path, _page_of(page))


async def _do(press: ButtonPress) -> None:
    await press.panel.play(press.response, press.id, press.request)


async def _hand(press: ButtonPress) -> None:
    await pages.show_hand(press.tables, press.response, press.id.table, press.request)


async def _board(press: ButtonPress) -> None:
    await pages.show_board(press.tables, press.response, press.id.table)


async def _text(press: ButtonPress) -> None:
    await pages.show_text(press.tables, press.response, press.id.table)


async def _log(press: ButtonPress) -> None:
    await pages.show_log(press.tables, press.response, press.id.table, press.request)


async def _more(press: ButtonPress) -> None:
    await press.response.show(pages.more_post(await press.table(), press.request))


async def _rules(press: ButtonPress) -> None:
    table = await press.table()
    await press.response.show(rules_post(table.game, press.value or press.id.argument, table))


async def _names(press: ButtonPress) -> None:
    page, _, shown = press.id.argument.partition(" ")
    table = await press.table()
    await press.response.show(rules_post(table.game, shown, table, _page_of(page)))


async def _undo(press: ButtonPress) -> None:
    await press.panel.undo(press.response, press.id, press.request)


async def _agree(press: ButtonPress) -> None:
    await _answer(press, agreed=True)


async def _refuse(press: ButtonPress) -> None:
    await _answer(press, agreed=False)


async def _answer(press: ButtonPress, *, agreed: bool) -> None:
    if not press.id.argument.isdecimal():
        raise Refusal("This question is no longer open.")
    question_id = int(press.id.argument)
    await press.change(
        partial(questions.answer, request=press.request, question_id=question_id, agreed=agreed)
    )


async def _accept_seat(press: ButtonPress) -> None:
    seat, offer_id = _offer_of(press)
    decide = partial(seats.accept, request=press.request, seat=seat, offer_id=offer_id, computer=SUBSTITUTE)
    done = await press.tables.seat(press.id.table, press.request, press.request.user, decide)
    await press.response.say(done.reply)


async def _give_seat(press: ButtonPress) -> None:
    seat, offer_id = _offer_of(press)
    await press.change(
        partial(seats.agree, request=press.request, seat=seat, offer_id=offer_id, computer=SUBSTITUTE)
    )


async def _decline_offer(press: ButtonPress) -> None:
    seat, offer_id = _offer_of(press)
    await press.change(partial(seats.decline, request=press.request, seat=seat, offer_id=offer_id))


def _offer_of(press: ButtonPress) -> tuple[Seat, int]:
    """Return the seat and the offer that the button asked about.  Raises Refusal."""
    seat, _, offer_id = press.id.argument.partition(" ")
    if not (seat.isdecimal() and offer_id.isdecimal()):
        raise Refusal("This offer is no longer open.")
    return Seat(int(seat)), int(offer_id)


async def _resign(press: ButtonPress) -> None:
    await press.response.show(pages.resign_post(await press.table(), press.request))


async def _confirm_resign(press: ButtonPress) -> None:
    await press.change(resignation(press.request))


async def _end(press: ButtonPress) -> None:
    def decide(table: Table) -> Decision:
        decision = moderation.end(table, press.request)
        if (press.id.argument == pages.END_LOBBY) is not (table.status is Status.LOBBY):
            raise Refusal("The game has started since you were asked. To end it, type `/table end` again.")
        return decision

    done = await press.tables.change(press.id.table, press.request, decide)
    await press.response.show(Post(done.reply))


async def _keep(press: ButtonPress) -> None:
    await press.table()
    await press.response.show(Post("Nothing has changed."))


async def _rematch(press: ButtonPress) -> None:
    ended = await press.table()
    request = press.request
    if request.guild != ended.row.guild:
        raise Refusal("Press **Rematch** in the server where you played.")
    done = await press.tables.reopen(
        ended.number, lambda number, seed, now: lobby.rematch(number, ended, request, seed, now), request
    )
    if done.repeated:  # another player has opened it: join that one
        done = await _take_seat(press, done.table.number)
    await press.response.say(done.reply)


def resignation(request: Request) -> Callable[[Table], Decision]:
    """Return the decision to resign."""
    return partial(seats.resign, request=request, computer=SUBSTITUTE)


async def handle(press: ButtonPress) -> None:
    """Handle a press.  Raises NoSuchTable where the asker may not see its table."""
    await press.table()
    await HANDLERS[press.id.verb](press)


async def _play_typed_line(press: ButtonPress) -> None:
    """Play the line of a submitted form."""
    text = "".join(press.fields.get(TypeMoveForm.LINE, ()))
    await play_typed(press.tables, press.response, press.id.table, press.request, text, press.id.ply)


async def play_typed(
    tables: Tables, response: Response, number: int, request: Request, text: str, ply: int | None = None
) -> None:
    """Play a line in notation, from a form (offered at ``ply``) or from a command."""

    def read(table: Table, seat: Seat) -> Sequence[Action]:
        with GameGuard(table.number):
            return play.read_line(table, seat, text)

    def decide(table: Table, judged_ply: int) -> Decision:
        return play.play_text(table, request, text, judged_ply if ply is None else ply)

    await play_or_confirm(tables, response, request, number, read, decide)


HANDLERS: Final[Mapping[str, ButtonHandler]] = {
    "join": _join,
    "leave": _leave,
    "comp": _add_computer,
    "uncomp": _remove_computer,
    "start": _start,
    "opts": _options,
    "cut": _cut,
    cut_pages.RANDOM_VERB: _cut_at_random,
    cut_pages.FORM_VERB: _ask_words,
    "play": _play,
    "step": _step,
    "page": _page,
    "do": _do,
    "hand": _hand,
    "board": _board,
    "text": _text,
    "log": _log,
    "more": _more,
    "rules": _rules,
    "topic": _rules,
    "name": _rules,
    "names": _names,
    "undo": _undo,
    "agree": _agree,
    "refuse": _refuse,
    "accept": _accept_seat,
    "yield": _give_seat,
    "reject": _decline_offer,
    "resign": _resign,
    "gone": _confirm_resign,
    "end": _end,
    "keep": _keep,
    "again": _rematch,
}
"""Every verb that a released button may carry.  None is ever removed."""

FORMS: Final[Mapping[str, ButtonHandler]] = {
    "typed": _play_typed_line,
    FORM_VERB: _set_options,
    cut_pages.SUBMIT_VERB: _cut_with_typed,
}
"""What is done with a submitted form, by the verb in its custom id."""

REPLACING_VERBS: Final = frozenset(
    {"play", "step", "page", "do", "undo", "opts", "comp", "start", "topic", "name", "names", "end", "keep"}
    | {"cut", cut_pages.RANDOM_VERB}
)
"""Verbs whose response replaces the private message of the button."""

TYPE_MOVE_VERB: Final = "type"
"""The verb that opens a form."""


class Router:
    """Responds to components and forms.  Rights come from the user and the stored table, never the id."""

    def __init__(self, tables: Tables) -> None:
        """``tables``: where the games are."""
        self._tables = tables

    async def press(self, interaction: Interaction, pressed: CustomId, values: Sequence[str]) -> None:
        """Handle a button or select of ours."""
        if pressed.verb == TYPE_MOVE_VERB:
            await respond(interaction, lambda response: self._open_type_move_form(response, pressed))
            return
        if pressed.verb not in HANDLERS:
            await respond(interaction, _refuse_unknown)
            return

        async def work(response: Response) -> None:
            request = response.request
            await table_of_button(self._tables, pressed, request)
            await handle(ButtonPress(self._tables, response, pressed, request, values))

        await respond(
            interaction, work, replaces_message=pressed.verb in REPLACING_VERBS and _is_private(interaction)
        )

    async def route_form_or_unknown(self, interaction: Interaction) -> None:
        """Handle a form, or a component that is none of ours: it gets a response too."""
        data = cast("Mapping[str, object]", interaction.data)
        pressed = parse_id(str(data.get("custom_id", "")))
        if pressed is None:
            await respond(interaction, _refuse_unknown)
        elif interaction.type is discord.InteractionType.modal_submit:
            submit, fields = FORMS.get(pressed.verb), form_fields(data)

            async def work(response: Response) -> None:
                if submit is None:
                    return await _refuse_unknown(response)
                request = response.request
                await table_of_button(self._tables, pressed, request)
                return await submit(ButtonPress(self._tables, response, pressed, request, fields=fields))

            await respond(interaction, work, replaces_message=submit is not None and _is_private(interaction))

    async def _open_type_move_form(self, response: Response, pressed: CustomId) -> None:
        table = await table_of_button(self._tables, pressed, request_of(response.interaction))
        seat = table.seat_of(response.interaction.user.id)
        legal = game_calls.legal_actions(table, seat) if table.match is not None and seat is not None else ()
        shown = example(legal) if legal else "what /play suggests"
        await response.open_form(TypeMoveForm(table, shown))


async def _refuse_unknown(_: Response) -> None:
    raise Refusal("This button no longer works. `/board` shows the game with new ones.")


def _is_private(interaction: Interaction) -> bool:
    """Return whether the component or form came from a message that only this user sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def form_fields(data: object) -> dict[str, tuple[str, ...]]:
    """Return the texts of each field of a submitted form by its custom id, whatever else was sent."""
    found: dict[str, tuple[str, ...]] = {}
    if isinstance(data, Mapping):
        name = data.get("custom_id")
        value = data["values"] if "values" in data else data.get("value", found)
        if isinstance(name, str) and value is not found:
            values = value if isinstance(value, list) else [value]
            found[name] = tuple(each for each in values if isinstance(each, str))
        for key in ("components", "component"):
            found |= form_fields(data.get(key))
    elif isinstance(data, list):
        for part in data:
            found |= form_fields(part)
    return found
