"""During the game: play, undo, consent, resign.  Pure: a table and an act make a decision."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from bot.host.decision import BOARD, CONSENT, Decision, after_match, notice
from bot.host.table import Refusal, Request, Table
from bot.store.rows import SeatRow, Status, UndoRequest
from rules.errors import RulesError, StaleAction
from rules.game import Action, Resign, Seat
from rules.match import Match
from rules.notation import ACTION_SEPARATOR, Notation

Chooser: TypeAlias = Callable[[Table, Seat], Action]
"""A computer player's choice for a seat; it looks at that seat's view."""

_NOT_PLAYING = {
    Status.LOBBY: "This game has not started yet.",
    Status.PAUSED: "This game is paused. Its host or an admin goes on with `/table resume`.",
    Status.OVER: "This game is over.",
    Status.LAPSED: "This lobby was closed before the game started.",
    Status.ENDED: "This game was ended early.",
    Status.FROZEN: "This game is frozen: something went wrong. The bot's operator can fix this.",
}


def no_game_text(table: Table) -> str:
    """Say why a table has no game to show."""
    return _NOT_PLAYING[Status.FROZEN if table.unplayable else Status.LOBBY]


def seated(table: Table, request: Request) -> tuple[Seat, Match]:
    """The actor's seat in a game that goes on; raises Refusal."""
    seat = table.seat_of(request.user)
    if table.status is not Status.PLAYING or table.match is None:
        raise Refusal(_NOT_PLAYING.get(table.status, "This game has not started yet."))
    if seat is None:
        raise Refusal("You have no seat at this table. `/board` shows the game.")
    return seat, table.match


def play(table: Table, request: Request, actions: Sequence[Action], ply: int | None = None) -> Decision:
    """One action or several, all or none.  ``ply``: when the choice was offered."""
    seat, match = seated(table, request)
    return _played(table, seat, match, actions, ply)


def play_text(table: Table, request: Request, text: str, ply: int | None = None) -> Decision:
    """A typed line: actions in notation, joined by ``;``.  ``ply``: when it was asked for."""
    seat, match = seated(table, request)
    try:
        actions = read_line(table, seat, text)
    except RulesError as error:
        raise Refusal(str(error)) from error
    return _played(table, seat, match, actions, ply)


def read_line(table: Table, seat: Seat, text: str) -> tuple[Action, ...]:
    """Read a typed line in the context of what is legal as it goes on.  Raises RulesError."""
    reader = Notation(table.game)
    match = table.match
    actions: list[Action] = []
    assert match is not None
    parts = [part for part in text.split(ACTION_SEPARATOR) if part.strip()] or [""]
    for i, part in enumerate(parts):
        action = reader.read(part, match.legal_actions(seat))
        actions.append(action)
        if i + 1 < len(parts):
            match = match.play_ahead(seat, action, names=table.names)
    return tuple(actions)


def play_computer(table: Table, choose: Chooser) -> Decision:
    """The choice of a computer player, made from its view alone."""
    seat = table.to_act
    if seat is None or table.match is None or table.seats[seat].computer is None:
        raise Refusal("No computer player is to act.")
    action = choose(table, seat)
    return _played(table, seat, table.match, (action,), None)


def _played(table: Table, seat: Seat, match: Match, actions: Sequence[Action], ply: int | None) -> Decision:
    if ply is not None and ply != match.ply:
        raise Refusal(_stale(table, seat))
    try:
        after = match.play_all(seat, actions, names=table.names)
    except StaleAction as error:
        raise Refusal(_stale(table, seat)) from error
    except RulesError as error:
        raise Refusal(str(error)) from error
    changed, deliveries = after_match(table, after)
    return Decision(
        table=changed,
        answer=_new_log_text(table, changed, seat),
        repeat=f"Already recorded as move {changed.moves}.",
        deliveries=deliveries,
    )


def _stale(table: Table, seat: Seat) -> str:
    again = "Press **Play** for your choices now." if table.to_act == seat else "It is not your turn now."
    return f"The game has moved on since that was offered (move {table.moves} is recorded). {again}"


def _new_log_text(before: Table, after: Table, viewer: Seat) -> str:
    """Narrate what happened, as the one who acted may know it."""
    assert before.match is not None
    assert after.match is not None
    return "\n".join(line.text for line in after.match.new_log_lines(before.match, viewer, after.names))


def undo(table: Table, request: Request) -> Decision:
    """Undo the actor's last choice: at once where nobody saw more since, else with the others' consent."""
    seat, match = seated(table, request)
    offer = match.undo_offer(seat)
    if offer is None:
        raise Refusal("You have made no move that could be undone.")
    others = _others(table, seat)
    if offer.free or not others:
        return cut_back(table, seat, offer.keep, f"{table.names[seat]} took the last move back.")
    undo_request = UndoRequest(seat=seat, keep=offer.keep, ply=match.ply)
    _may_ask(table, undo_request)
    names = ", ".join(table.names[i] for i in others)
    return Decision(
        table=table.with_row(undo_request=undo_request),
        answer=f"Others have moved or seen something since. {names} must allow the undo and have been asked.",
        deliveries=(CONSENT,),
    )


def _may_ask(table: Table, undo_request: UndoRequest) -> None:
    """Raise Refusal where another question is open, or this one was declined."""
    asked = table.row.undo_request
    if asked is None or asked.ply != undo_request.ply:
        return
    if asked.seat == undo_request.seat:
        raise Refusal(
            "The others declined. Your move stands."
            if asked.refused
            else "You have already asked. The others must allow it."
        )
    if not asked.refused:
        raise Refusal(f"{table.names[asked.seat]} has asked for an undo first. That question comes first.")


def _others(table: Table, seat: int) -> tuple[int, ...]:
    """The seats of the other people who still play; computer players agree to anything."""
    gone = frozenset() if table.match is None else table.match.resigned
    return tuple(
        i for i, row in enumerate(table.seats) if i != seat and row.user is not None and Seat(i) not in gone
    )


def cut_back(table: Table, actor: Seat, keep: int, text: str) -> Decision:
    """Cut the game back to its first ``keep`` records, with a notice for everyone."""
    assert table.match is not None
    try:
        match = table.match.undo(actor, keep)
    except RulesError as error:
        raise Refusal(str(error)) from error
    changed, deliveries = after_match(table, match)
    return Decision(table=changed, answer=text, deliveries=(notice(text), *deliveries))


def consent(table: Table, request: Request, question: UndoRequest, *, agreed: bool) -> Decision:
    """Answer a request to undo; ``question``: seat, keep and ply of the one that was asked."""
    seat, match = seated(table, request)
    undo_request = table.row.undo_request
    same = undo_request is not None and (undo_request.seat, undo_request.keep, undo_request.ply) == (
        question.seat,
        question.keep,
        question.ply,
    )
    if undo_request is None or not same or undo_request.refused or match.ply != undo_request.ply:
        raise Refusal("This question has been answered, or the game has moved on.")
    asker = table.names[undo_request.seat]
    if seat == undo_request.seat:
        raise Refusal("Only the other players can answer this.")
    if not agreed:
        text = f"{table.names[seat]} declined. The move stands."
        refused = table.with_row(undo_request=msgspec.structs.replace(undo_request, refused=True))
        return Decision(table=refused, answer="You declined.", deliveries=(notice(text),))
    agreeing = tuple(sorted({*undo_request.agreed, int(seat)}))
    if set(_others(table, undo_request.seat)) <= set(agreeing):
        text = f"All allowed the undo. The move of {asker} and all after it are taken back."
        return cut_back(table, Seat(undo_request.seat), undo_request.keep, text)
    asked = msgspec.structs.replace(undo_request, agreed=agreeing)
    return Decision(table=table.with_row(undo_request=asked), answer="You allowed it. Others must too.")


def resign(table: Table, request: Request, computer: str, title: str) -> Decision:
    """Give up.  Where every seat must be filled, a computer player takes over."""
    seat, match = seated(table, request)
    if seat in match.resigned:
        raise Refusal("You have already resigned from this game.")
    if match.can_resign(seat):
        return _played(table, seat, match, (Resign(),), None)
    return vacate(table, seat, computer, f"{table.names[seat]} resigned: {title} takes the seat.")


def seed_text(table: Table) -> str:
    """Return what proves the deals of a game that has ended."""
    return f"Seed: `{table.row.seed.hex()}`. Fairness code: `{table.commitment}`."


def vacate(table: Table, seat: Seat, computer: str, text: str) -> Decision:
    """Put a computer player on a seat.  With nobody left the game ends."""
    row = table.seats[seat]
    taken = SeatRow(name=row.name, computer=computer)
    seats = tuple(taken if i == seat else other for i, other in enumerate(table.seats))
    changed = table.with_row(seats=seats, undo_request=None)
    if all(other.user is None for other in seats):
        changed = changed.with_row(status=Status.ENDED)
        text += f" Nobody is left: the game has ended. {seed_text(changed)}"
    return Decision(table=changed, answer=text, deliveries=(notice(text), BOARD))
