"""A player takes back their own moves, at once or with the others' consent.  Pure functions."""

from typing import Final

from bot.host.deciders import undoing
from bot.host.deciders.decision import Decision
from bot.host.deciders.play import StaleChoice, require_playing_seat
from bot.host.deciders.questions import ask_to_undo, wider_decline_text
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.deciders.timeouts import BACK_LABEL
from bot.host.deciders.undoing import first_own_index, undo_to, users_to_ask
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.store.rows import UndosWithoutConsent
from bot.store.seat_rows import Person
from rules.match import Match
from rules.model import Resign, Seat
from rules.plies import ply_at
from rules.record import PossibleUndo
from rules.turns import newest_turn

MAX_UNDOS_WITHOUT_CONSENT: Final = 20
"""How often a player may undo without asking anybody, until another seat chooses or all agree to an undo."""
_STALE_UNDO_TEXT: Final = "Moves have been made or taken back since then. Press **Undo** at the newest board."


class UnconfirmedUndo(Refusal):
    """An undo that asks others or makes the game unrated, before its player has confirmed that."""

    def __init__(
        self,
        table: Table,
        seat: Seat,
        kept_length: int,
        asked_users: tuple[int, ...] = (),
        *,
        is_whole_turn: bool = False,
        declined_text: str = "",
    ) -> None:
        """``kept_length``: how many records of the table's history would be left.

        ``asked_users``: who would be asked to agree; empty: only computers have played since, and the game
        would no longer be rated.  ``declined_text``: who has just declined to take back more, if anybody.
        """
        super().__init__("This undo was not made: you have not been asked whether you want it.")
        self.table, self.seat, self.kept_length, self.asked_users = table, seat, kept_length, asked_users
        self.is_whole_turn, self.declined_text = is_whole_turn, declined_text

    @property
    def other_movers(self) -> frozenset[Seat]:
        """The other seats whose choices it takes back."""
        assert self.table.match is not None
        return frozenset(
            Seat(record.actor)
            for record in self.table.match.history[self.kept_length :]
            if record.is_choice and record.actor != self.seat and not isinstance(record.action, Resign)
        )


def undo(
    table: Table,
    request: Request,
    *,
    is_whole_turn: bool = False,
    history_length: int | None = None,
    ply: int | None = None,
    is_confirmed: bool = True,
) -> Decision:
    """Undo the player's last choice: at once if nothing was revealed since, else with the others' consent.

    ``is_whole_turn``: back to the earliest choice of the turn that can be taken back at once, else all of it.
    ``history_length``, ``ply``: how long the history was when the undo was offered, and at which ply, None:
    any.  Raises StaleChoice if the undo would now take back another choice.
    ``is_confirmed``: the player knows what the undo takes back, whom it asks, and that the game may no longer
    be rated.  Otherwise an undo that asks anybody, or that makes it unrated, raises UnconfirmedUndo.
    """
    seat, match = require_playing_seat(table, request)
    if table.seats[seat].substitute is not None:
        raise Refusal(f"A computer player plays for you. Press **More**, then **{BACK_LABEL}**.")
    possible_undo = (undoing.possible_turn_undo if is_whole_turn else undoing.possible_undo)(table, seat)
    if history_length is not None and _is_stale_undo(match, possible_undo, history_length, ply):
        raise StaleChoice(_STALE_UNDO_TEXT)
    if possible_undo is None:
        raise Refusal(
            "You have made no move that can be undone."
            if match.possible_undo(seat) is None
            else "You have made no move since you took this seat."
        )
    asked_users = users_to_ask(table, possible_undo.kept_length, request.user)
    if not asked_users or possible_undo.is_free:
        return _undo_at_once(
            table, seat, possible_undo, is_whole_turn=is_whole_turn, is_confirmed=is_confirmed
        )
    asker = Person(request.user, table.names[seat])
    decision = ask_to_undo(table, asker, possible_undo.kept_length, asked_users, request.at, seat)
    if not is_confirmed:
        question = decision.table.row.question
        assert question is not None
        raise UnconfirmedUndo(
            table,
            seat,
            possible_undo.kept_length,
            asked_users,
            is_whole_turn=is_whole_turn,
            declined_text=wider_decline_text(table, question),
        )
    return decision


def _is_stale_undo(
    match: Match, possible_undo: PossibleUndo | None, history_length: int, ply: int | None
) -> bool:
    """Whether an undo offered then would take back another choice of the seat now."""
    if len(match.history) < history_length or (
        possible_undo is not None and possible_undo.kept_length >= history_length
    ):
        return True
    # Its choice may have been undone, and others played in its place.
    return ply is not None and history_length > 0 and ply_at(match.ply_offsets, history_length - 1) > ply


def _undo_at_once(
    table: Table, seat: Seat, possible_undo: PossibleUndo, *, is_whole_turn: bool, is_confirmed: bool
) -> Decision:
    """Undo a player's own choices, announced only if the turn had passed.

    Against computer players alone, the undo may also take back what has revealed something to the player.
    Such an undo is always announced, and the table remembers it.  Raises Refusal, UnconfirmedUndo.
    """
    what, name = "last move", table.names[seat]
    if is_whole_turn:
        what = (
            "turn"
            if _is_turn_start(table, seat, possible_undo.kept_length)
            else "turn, up to what it had revealed"
        )
    changed_table = _with_counted_undo(table, seat)
    if possible_undo.is_free:
        announcement = None
        if table.to_act is not None and table.to_act != seat:  # who was asked has to read why it is over
            other_name = table.names[table.to_act]
            announcement = f"{name} took back the {what}. It is {name}'s turn again, not {other_name}'s."
        return undo_to(
            changed_table, seat, possible_undo.kept_length, announcement, answer=f"You took back your {what}."
        )
    if not is_confirmed and unrated_reason_so_far(table) is None:
        raise UnconfirmedUndo(table, seat, possible_undo.kept_length, is_whole_turn=is_whole_turn)
    return undo_to(
        changed_table.with_row(undone_with_hindsight=True),
        seat,
        possible_undo.kept_length,
        f"{name} took back the {what} with hindsight, against computers. This game is not rated.",
        answer=f"You took back your {what} with hindsight. This game is not rated.",
    )


def _is_turn_start(table: Table, seat: Seat, index: int) -> bool:
    """Whether the newest turn has no choice of the seat's present player before an index of the history."""
    assert table.match is not None
    history = table.match.history
    turn = newest_turn(history)
    if turn is None:
        return True
    own_start = max(turn.start, first_own_index(table, seat))
    return not any(record.is_choice for record in history[own_start:index])


def _with_counted_undo(table: Table, seat: Seat) -> Table:
    """Return the table with one more undo of a seat without consent counted.  Raises Refusal at the limit."""
    before = table.row.undos_without_consent
    count = 1 if before is None or before.seat != seat else before.count + 1
    if count > MAX_UNDOS_WITHOUT_CONSENT:
        raise Refusal(
            f"You have used {MAX_UNDOS_WITHOUT_CONSENT} undos in this turn, which is the limit."
            " What you have chosen now stands."
        )
    return table.with_row(undos_without_consent=UndosWithoutConsent(seat, count))
