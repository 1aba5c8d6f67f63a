"""Games in progress: play, undo, consent, resign.  Pure functions from a table to a decision."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import msgspec

from bot.host.decision import BOARD_DELIVERY, CONSENT_DELIVERY, Decision, notice_delivery, with_match_result
from bot.host.table import Refusal, Request, Table
from bot.store.rows import SeatRow, Status, UndoRequest
from rules.errors import RulesError
from rules.game import Action, Resign, Seat
from rules.match import Match
from rules.notation import ACTION_SEPARATOR, Notation
from rules.record import Record, UndoOffer

Chooser: TypeAlias = Callable[[Table, Seat], Action]
"""Chooses a computer player's action from the view of its seat."""
MAX_CHOICES_AT_ONCE: Final = 50
"""The most choices of a computer player's turn that are played and stored at once."""

_NOT_PLAYING_TEXTS = {
    Status.LOBBY: "This game has not started yet.",
    Status.PAUSED: "This game is paused. The host or an admin can resume it with `/table resume`.",
    Status.OVER: "This game is over.",
    Status.CLOSED: "This lobby was closed before the game started.",
    Status.ENDED: "This game was ended early.",
    Status.FROZEN: "This game is frozen: something went wrong. The bot's operator can fix this.",
}
_STALE_UNDO_TEXT = "You have moved or taken back a move since then. Press **Undo** at the newest board."


def no_game_text(table: Table) -> str:
    """Return why a table has no game to show."""
    return _NOT_PLAYING_TEXTS[Status.FROZEN if table.unplayable else Status.LOBBY]


class StaleChoice(Refusal):
    """A choice that was offered before the game moved on."""


def playing_seat(table: Table, request: Request) -> tuple[Seat, Match]:
    """Return the user's seat and the match, if it is in progress.  Raises Refusal."""
    seat = table.seat_of(request.user)
    if table.status is not Status.PLAYING or table.match is None:
        raise Refusal(_NOT_PLAYING_TEXTS.get(table.status, "This game has not started yet."))
    if seat is None:
        raise Refusal("You have no seat at this table. `/board` shows the game.")
    return seat, table.match


def play(table: Table, request: Request, actions: Sequence[Action], ply: int | None = None) -> Decision:
    """Play actions, all or none.  ``ply``: at which the choice was offered; None: any."""
    seat, match = playing_seat(table, request)
    return _play(table, seat, match, actions, ply)


def play_text(table: Table, request: Request, text: str, ply: int | None = None) -> Decision:
    """Play a typed line: actions in notation, joined by ``;``.  ``ply``: as for ``play``."""
    seat, match = playing_seat(table, request)
    return _play(table, seat, match, read_line(table, seat, text), ply)


def read_line(table: Table, seat: Seat, text: str) -> tuple[Action, ...]:
    """Parse a typed line, each action as legal after the ones before it.  Raises Refusal."""
    try:
        return _read_line(table, seat, text)
    except RulesError as error:
        raise Refusal(str(error)) from error


def _read_line(table: Table, seat: Seat, text: str) -> tuple[Action, ...]:
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
    """Play a computer player's whole turn: what it chooses, view by view, until another seat is to act.

    A turn of more than ``MAX_CHOICES_AT_ONCE`` is stored in parts.
    """
    seat = table.to_act
    if seat is None or table.match is None or table.seats[seat].computer is None:
        raise Refusal("No computer player is to act.")
    match = table.match
    new_records: tuple[Record, ...] = ()
    for _ in range(MAX_CHOICES_AT_ONCE):
        try:
            match = match.play(seat, choose(replace(table, match=match), seat))
        except RulesError as error:
            raise Refusal(str(error)) from error
        new_records += match.new_records
        if match.to_act != seat:
            break
    return _decision_after_play(table, seat, replace(match, new_records=new_records))


def _play(table: Table, seat: Seat, match: Match, actions: Sequence[Action], ply: int | None) -> Decision:
    _require_current(table, seat, match, ply)
    try:
        after = match.play_all(seat, actions, names=table.names)
    except RulesError as error:
        raise Refusal(str(error)) from error
    return _decision_after_play(table, seat, after)


def _decision_after_play(table: Table, seat: Seat, after: Match) -> Decision:
    """Return the decision of a seat that has played up to ``after``."""
    changed, deliveries = with_match_result(table, after)
    return Decision(
        table=changed,
        reply=_new_log_text(table, changed, seat),
        repeat_reply=f"Already played as move {changed.moves}.",
        deliveries=deliveries,
    )


def _require_current(table: Table, seat: Seat, match: Match, ply: int | None) -> None:
    """Raise StaleChoice for what was offered at an earlier ply."""
    if ply is not None and ply != match.ply:
        raise StaleChoice(_stale_text(table, seat))


def _stale_text(table: Table, seat: Seat) -> str:
    again = "Press **Play** for your choices now." if table.to_act == seat else "It is not your turn now."
    return f"The game has moved on to move {table.moves}. {again}"


def _new_log_text(before: Table, after: Table, viewer: Seat) -> str:
    """Return what has happened, as ``viewer`` may know it."""
    assert before.match is not None
    assert after.match is not None
    return "\n".join(line.text for line in after.match.new_log_lines(before.match, viewer, after.names))


def undo(table: Table, request: Request, *, whole_turn: bool = False, length: int | None = None) -> Decision:
    """Undo the player's last choice: at once if nothing was revealed since, else with the others' consent.

    ``whole_turn``: back to the earliest choice of the turn that can be taken back at once; ``length``: how
    long the history was when the undo was offered, None: any.  Raises StaleChoice if it would take back
    another choice than it did then.
    """
    seat, match = playing_seat(table, request)
    offer = match.undo_turn_offer(seat) if whole_turn else match.undo_offer(seat)
    if length is not None and _offers_another(match, offer, length):
        raise StaleChoice(_STALE_UNDO_TEXT)
    if offer is None:
        raise Refusal("You have made no move that can be undone.")
    others = other_players(table, seat)
    if offer.free or not others:
        return _undo_own(table, seat, offer, whole_turn=whole_turn)
    undo_request = UndoRequest(seat=seat, keep=offer.keep, ply=match.ply)
    _check_may_ask(table, undo_request)
    names = ", ".join(table.names[i] for i in others)
    return Decision(
        table=table.with_row(undo_request=undo_request),
        reply=f"Others have moved or seen something since. {names} must allow the undo. I have asked.",
        deliveries=(CONSENT_DELIVERY,),
    )


def _offers_another(match: Match, offer: UndoOffer | None, length: int) -> bool:
    """Whether a seat has chosen or taken back a choice since the history had ``length`` records."""
    return len(match.history) < length or (offer is not None and offer.keep >= length)


def _undo_own(table: Table, seat: Seat, offer: UndoOffer, *, whole_turn: bool) -> Decision:
    """Undo a player's own choices.  It is announced only if the turn had passed.

    Against computer players alone it may go back behind what the player has seen: then it is always
    announced, and the table remembers it.
    """
    what, name = "turn" if whole_turn else "last move", table.names[seat]
    if offer.free:
        announced = None if table.to_act == seat else f"{name} took back the {what}."
        return undo_to(table, seat, offer.keep, announced, reply=f"You took back your {what}.")
    return undo_to(
        table.with_row(hindsight=True),
        seat,
        offer.keep,
        f"{name} took back the {what} after seeing what followed. Only computers are playing against {name}.",
        reply=f"You took back your {what} after seeing what followed.",
    )


def _check_may_ask(table: Table, undo_request: UndoRequest) -> None:
    """Raise Refusal if another undo request is open, or this one was declined."""
    asked = table.row.undo_request
    if asked is None or asked.ply != undo_request.ply:
        return
    if asked.seat == undo_request.seat:
        raise Refusal(
            "Your undo was declined. The move stands."
            if asked.refused
            else "You have already asked. The other people must allow it."
        )
    if not asked.refused:
        raise Refusal(f"{table.names[asked.seat]} has asked for an undo. That question comes first.")


def other_players(table: Table, seat: int) -> tuple[int, ...]:
    """Return the seats of the other people who still play; computer players need not consent."""
    gone = frozenset() if table.match is None else table.match.resigned
    return tuple(
        i for i, row in enumerate(table.seats) if i != seat and row.user is not None and Seat(i) not in gone
    )


def undo_to(table: Table, actor: Seat, keep: int, announced: str | None, reply: str = "") -> Decision:
    """Undo all but the first ``keep`` records of the history.

    ``announced``: what the table reads, None: nothing; ``reply``: what the actor reads, if not the same.
    """
    assert table.match is not None
    try:
        match = table.match.undo(actor, keep)
    except RulesError as error:
        raise Refusal(str(error)) from error
    changed, deliveries = with_match_result(table, match)
    notices = () if announced is None else (notice_delivery(announced),)
    return Decision(table=changed, reply=reply or announced or "", deliveries=(*notices, *deliveries))


def consent(table: Table, request: Request, question: UndoRequest, *, agreed: bool) -> Decision:
    """Answer an undo request; ``question``: the request that the answer was offered for."""
    seat, match = playing_seat(table, request)
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
        return Decision(table=refused, reply="You declined.", deliveries=(notice_delivery(text),))
    agreeing = tuple(sorted({*undo_request.agreed, int(seat)}))
    if set(other_players(table, undo_request.seat)) <= set(agreeing):
        text = f"All allowed the undo. {asker}'s last move and all moves after it are taken back."
        return undo_to(table, Seat(undo_request.seat), undo_request.keep, text)
    asked = msgspec.structs.replace(undo_request, agreed=agreeing)
    return Decision(
        table=table.with_row(undo_request=asked), reply="You allowed it. Others must allow it too."
    )


def resign(table: Table, request: Request, computer: str) -> Decision:
    """Resign.  Where the rules need every seat filled, a computer player takes over."""
    seat, match = playing_seat(table, request)
    if seat in match.resigned:
        raise Refusal("You have already resigned from this game.")
    if match.can_resign(seat):
        return _play(table, seat, match, (Resign(),), None)
    text = f"{table.names[seat]} resigned. {table.computer_name(computer)} takes the seat."
    return seat_computer(table, seat, computer, text)


def seed_text(table: Table) -> str:
    """Return the seed of an ended game and the code that it must fit: together they prove the deals."""
    text = f"Seed: `{table.row.seed.hex()}`. It fits the fairness code `{table.commitment}`."
    if table.fairness_code != table.commitment:
        text += f" The code since the backup, `{table.fairness_code}`, follows from it."
    return text


def seat_computer(table: Table, seat: Seat, computer: str, text: str) -> Decision:
    """Replace a seat's player by a computer player.  Without people left the game ends."""
    taken = SeatRow(name=table.computer_name(computer), computer=computer)
    changed = table.with_player(seat, taken).with_row(undo_request=None)
    if all(other.user is None for other in changed.seats):
        changed = changed.with_row(status=Status.ENDED)
        text += f" Nobody is left, so the game has ended. {seed_text(changed)}"
    return Decision(table=changed, reply=text, deliveries=(notice_delivery(text), BOARD_DELIVERY))
