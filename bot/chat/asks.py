"""What each button asks for: one short function an ask, and the table of them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from bot.chat import menus
from bot.chat.answer import Answering
from bot.chat.help import rules_post
from bot.chat.ids import ButtonId
from bot.chat.panel import Panel, show_done
from bot.chat.places import visible
from bot.host import lobby, play
from bot.host.decision import Decision
from bot.host.showing import showing
from bot.host.table import Act, Refusal, Table
from bot.host.tables import Answer, Tables
from bot.store.rows import UndoRequest
from rules.players import PLAYERS

COMPUTER: Final = next(iter(PLAYERS))
"""The computer player that the Add computer button seats."""
_COMPUTER_TITLE: Final = "Computer"


@dataclass(frozen=True, slots=True)
class Press:
    """One press: where, by whom, what, and how to answer."""

    tables: Tables
    answering: Answering
    id: ButtonId
    act: Act
    values: Sequence[str]

    @property
    def panel(self) -> Panel:
        """The private panel of choices."""
        return Panel(self.tables)

    @property
    def value(self) -> str:
        """What was chosen in a select."""
        return self.values[0] if self.values else ""

    async def table(self) -> Table:
        """The table as it is.  Raises NoSuchTable where it is none of the asker's business."""
        return visible(await self.tables.get(self.id.table), self.act)

    async def change(self, decide: Callable[[Table], Decision]) -> None:
        """Change the table and say what came of it."""
        done = await self.tables.change(self.id.table, self.act, decide)
        await self.answering.say(done.text)


Ask: TypeAlias = Callable[[Press], Awaitable[None]]


async def _join(press: Press) -> None:
    done = await _joined(press, press.id.table)
    await press.answering.say(done.text)


async def _joined(press: Press, number: int) -> Answer:
    return await press.tables.seat(number, press.act, press.act.user, partial(lobby.join, act=press.act))


async def _leave(press: Press) -> None:
    await press.change(partial(lobby.leave, act=press.act))


async def _add_computer(press: Press) -> None:
    await press.change(partial(lobby.add_computer, act=press.act, player=COMPUTER, title=_COMPUTER_TITLE))


async def _remove_computer(press: Press) -> None:
    await press.change(partial(lobby.remove_computer, act=press.act))


async def _start(press: Press) -> None:
    busy = await press.tables.busy(press.act.channel)
    await press.change(partial(lobby.start, act=press.act, busy=busy))


async def _options(press: Press) -> None:
    await press.answering.show(menus.options_post(await press.table(), _page_of(press.id.words)))


def _page_of(words: str) -> int:
    return int(words) if words.isdecimal() else 0


async def _set_option(press: Press) -> None:
    def decide(table: Table) -> Decision:
        return lobby.set_options(table, press.act, menus.with_option(table, press.id.words, press.value))

    done = await press.tables.change(press.id.table, press.act, decide)
    await press.answering.show(
        menus.options_post(done.table, menus.page_of_option(done.table, press.id.words))
    )


async def _play(press: Press) -> None:
    await press.panel.open(press.answering, press.id.table, press.act)


async def _step(press: Press) -> None:
    await press.panel.step(press.answering, press.id, press.act, press.id.words)


async def _pick(press: Press) -> None:
    await press.panel.step(press.answering, press.id, press.act, press.value)


async def _page(press: Press) -> None:
    page, _, words = press.id.words.partition(" ")
    await press.panel.step(press.answering, press.id, press.act, words, _page_of(page))


async def _do(press: Press) -> None:
    await press.panel.do_words(press.answering, press.id, press.act)


async def _hand(press: Press) -> None:
    await menus.show_hand(press.tables, press.answering, press.id.table, press.act)


async def _board(press: Press) -> None:
    await menus.show_board(press.tables, press.answering, press.id.table)


async def _text(press: Press) -> None:
    await menus.show_text(press.tables, press.answering, press.id.table)


async def _log(press: Press) -> None:
    await menus.show_log(press.tables, press.answering, press.id.table, press.act)


async def _more(press: Press) -> None:
    await press.answering.show(menus.more_post(await press.table(), press.act))


async def _rules(press: Press) -> None:
    table = await press.table()
    await press.answering.show(rules_post(table.game, press.value or press.id.words, table))


async def _names(press: Press) -> None:
    leaf, _, shown = press.id.words.partition(" ")
    table = await press.table()
    await press.answering.show(rules_post(table.game, shown, table, _page_of(leaf)))


async def _undo(press: Press) -> None:
    await press.change(partial(play.undo, act=press.act))


async def _agree(press: Press) -> None:
    await press.change(partial(play.consent, act=press.act, question=_question(press), agreed=True))


async def _refuse(press: Press) -> None:
    await press.change(partial(play.consent, act=press.act, question=_question(press), agreed=False))


def _question(press: Press) -> UndoRequest:
    """Which undo the button asked about."""
    seat, _, keep = press.id.words.partition(" ")
    if not (seat.isdecimal() and keep.isdecimal()):
        raise Refusal("I do not know that question any more.")
    return UndoRequest(seat=int(seat), keep=int(keep), ply=press.id.ply)


async def _resign(press: Press) -> None:
    async with showing(press.tables, press.id.table):
        post = menus.resign_post(await press.table(), press.act)
    await press.answering.show(post)


async def _resign_surely(press: Press) -> None:
    await press.change(resignation(press.act))


async def _rematch(press: Press) -> None:
    ended = await press.table()
    act = press.act
    if act.guild != ended.row.guild:
        raise Refusal("Ask for the rematch in the server where you played.")
    done = await press.tables.reopen(
        ended.number, lambda number, seed, now: lobby.rematch(number, ended, act, seed, now), act
    )
    if done.repeated:  # somebody else has opened it: whoever presses after that is in
        done = await _joined(press, done.table.number)
    await press.answering.say(done.text)


def resignation(act: Act) -> Callable[[Table], Decision]:
    """The decision to give up."""
    return partial(play.resign, act=act, computer=COMPUTER, title="a computer player")


async def do(press: Press) -> None:
    """Do what a button asks, if its table is the asker's business at all."""
    await press.table()
    await ASKS[press.id.ask](press)


async def play_typed(
    tables: Tables, answering: Answering, number: int, act: Act, text: str, ply: int | None = None
) -> None:
    """A move in notation, from a form (offered at ``ply``) or from a command."""
    done = await tables.change(number, act, lambda table: play.play_text(table, act, text, ply))
    await show_done(tables, answering, act, done)


ASKS: Final[Mapping[str, Ask]] = {
    "join": _join,
    "leave": _leave,
    "comp": _add_computer,
    "uncomp": _remove_computer,
    "start": _start,
    "opts": _options,
    "opt": _set_option,
    "play": _play,
    "step": _step,
    "pick": _pick,
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
    "resign": _resign,
    "gone": _resign_surely,
    "again": _rematch,
}
"""Every ask that a released button may carry.  None is ever removed."""

UPDATING: Final = frozenset({"play", "step", "pick", "page", "do", "opts", "opt", "topic", "name", "names"})
"""Asks that go on in the same private message."""

TYPE_ASK: Final = "type"
"""The ask that is answered by a form."""
