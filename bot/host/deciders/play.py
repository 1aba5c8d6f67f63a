"""Games in progress: play, resign and undo.  Pure functions from a table to a decision."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from msgspec import structs

from bot.host.deciders import undoing
from bot.host.deciders.decision import Decision, apply_match, offer_delivery
from bot.host.deciders.questions import ask_to_undo, wider_decline_text
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.deciders.seat_offers import no_seat_text
from bot.host.deciders.timeouts import (
    BACK_LABEL,
    RESUME_LABEL,
    come_back_deliveries,
    resumer_text,
    without_substitute,
)
from bot.host.deciders.undoing import first_own_index, undo_to, users_to_ask
from bot.host.names import escape_markup
from bot.host.request import FROZEN_REFUSAL_TEXT, Refusal, Request
from bot.host.table import Table
from bot.store.delivery_rows import NewDelivery
from bot.store.rows import Status, UndosWithoutConsent
from bot.store.seat_rows import Person
from rules.errors import GuessedAction, IllegalAction, MalformedAction, RulesError
from rules.game import CHANCE, Action, Resign, Seat
from rules.legality import check_choice
from rules.match import Match
from rules.move_texts import MoveTexts, typeable_label
from rules.notation import ACTION_SEPARATOR
from rules.plies import ply_at
from rules.record import PossibleUndo, Record
from rules.text import shortened
from rules.turns import newest_turn
from rules.typed_moves import TypedMoveReader
from rules.typed_text import PUNCTUATION

Chooser: TypeAlias = Callable[[Table, Seat], Action]
"""Chooses a computer player's action from the view of its seat."""
MAX_CHOICES_AT_ONCE: Final = 50
"""The most choices of a computer player's turn that are played and stored at once."""
MAX_UNDOS_WITHOUT_CONSENT: Final = 20
"""How often a player may undo without asking anybody, until another seat chooses or all agree to an undo."""

_NOT_PLAYING_TEXTS = {
    Status.LOBBY: "This game has not started yet.",
    Status.OVER: "This game is over.",
    Status.CLOSED: "This lobby was closed before the game started.",
    Status.ENDED_EARLY: "This game was ended early.",
    Status.FROZEN: FROZEN_REFUSAL_TEXT,
}
RESIGNED_TEXT: Final = "You have resigned from this game. `/board` shows how it goes on."
_TYPED_RESIGNATION_TEXT = "You cannot resign with a typed move. Press **More**, then **Resign**."
_TYPED_COMMAND_TEXTS = {
    "undo": "You cannot undo with a typed move. Press **Undo**, or use `/undo`.",
    "help": "That is no move. Use `/rules` for the rules, `/help` for the commands.",
}
"""What is said to who types the name of a command as a move."""
_THEN_PATTERN: Final = re.compile(r",?\s+(?:and\s+)?then\s+", re.IGNORECASE)
"""What people type between two moves in place of a semicolon; labels may hold it, too."""
_MAX_QUOTED_PART_LENGTH: Final = 40
"""The most characters that a refusal quotes of one move of a typed line."""
_STALE_UNDO_TEXT = "Moves have been made or taken back since then. Press **Undo** at the newest board."


def status_refusal_text(table: Table) -> str:
    """Return why a table has no game to show or to play on, by its status; not for one that is played."""
    return _NOT_PLAYING_TEXTS[table.status]


class StaleChoice(Refusal):
    """A choice that was offered before the game moved on."""


class GuessedMove(Refusal):
    """A typed line of which some text is no move, but means one legal action alone (``GuessedAction``).

    Whoever typed it must see all of its actions before they are played.
    """

    def __init__(self, text: str, actions: Sequence[Action], ply: int) -> None:
        """``text``: the question whether they are meant; ``ply``: at which the line was read."""
        super().__init__(text)
        self.actions, self.ply = tuple(actions), ply


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


def require_playing_seat(table: Table, request: Request) -> tuple[Seat, Match]:
    """Return the user's seat and the match in progress.  Raises Refusal if either is missing."""
    seat = table.seat_of(request.user)
    if table.status is not Status.PLAYING or table.match is None:
        raise Refusal(_not_playing_text(table))
    if seat is None:
        raise Refusal(no_seat_text(table, request.user))
    return seat, table.match


def _not_playing_text(table: Table) -> str:
    """Return why nobody can play at a table now."""
    if table.status is Status.PAUSED:
        return f"This game is paused. {resumer_text(table)} can press **{RESUME_LABEL}** at the newest board."
    return status_refusal_text(table)


def play(table: Table, request: Request, actions: Sequence[Action], ply: int | None = None) -> Decision:
    """Play actions, all or none.  ``ply``: at which they were offered, None: any.

    Raises Refusal, StaleChoice at another ply.
    """
    seat, match = require_playing_seat(table, request)
    return _play(table, seat, match, actions, ply)


def play_typed_line(table: Table, request: Request, text: str, ply: int | None = None) -> Decision:
    """Play a typed line: actions in notation, joined by ``;``.  ``ply``: as for ``play``.  Raises Refusal."""
    seat, match = require_playing_seat(table, request)
    _require_current_ply(table, seat, match, ply)
    if seat in match.resigned_seats:
        raise Refusal(RESIGNED_TEXT)
    if match.to_act not in {None, CHANCE, seat}:  # short texts are understood only in one's own turn
        raise Refusal(f"It is not your turn. Wait for {table.names[match.to_act]}.")
    return _play(table, seat, match, parse_typed_actions(table, seat, text), ply)


def parse_typed_actions(table: Table, seat: Seat, text: str) -> tuple[Action, ...]:
    """Parse a typed line, each action as legal after the ones before it.  Raises Refusal, GuessedMove."""
    try:
        return _parse_typed_actions(table, seat, text)
    except MalformedAction as error:
        word = text.strip(PUNCTUATION + " ").casefold()
        raise Refusal(_TYPED_COMMAND_TEXTS.get(word, str(error))) from error
    except RulesError as error:
        raise Refusal(str(error)) from error


def _parse_typed_actions(table: Table, seat: Seat, text: str) -> tuple[Action, ...]:
    match = table.match
    actions: list[Action] = []
    labels: list[str] = []
    guess: GuessedAction | None = None
    assert match is not None
    parts = [part.strip() for part in text.split(ACTION_SEPARATOR) if part.strip()] or [""]
    while parts:
        part = parts.pop(0)
        try:
            legal, view = match.legal_actions(seat), match.view(seat)
            reader = TypedMoveReader(table.game, view, legal, table.plain_names)
            try:
                action, doubt = _read_or_guess(reader, part)
            except MalformedAction:
                part, *pieces = _THEN_PATTERN.split(part)
                if not pieces:
                    raise
                parts[:0] = pieces
                action, doubt = _read_or_guess(reader, part)
            guess = doubt or guess
            if isinstance(action, Resign):
                raise Refusal(_TYPED_RESIGNATION_TEXT)
            _check_typed_choice(table, match, Record(seat, action), legal)
            if parts:
                match = match.play_uninterrupted(seat, action, names=table.names)
        except RulesError as error:
            if not actions and not parts:
                raise
            quoted_part = escape_markup(shortened(" ".join(part.split()), _MAX_QUOTED_PART_LENGTH))
            raise Refusal(f"“{quoted_part}”: {error} No move of this line was played.") from error
        actions.append(action)
        labels.append(typeable_label(table.game.words.label(view, action, table.plain_names)))
    if guess is not None:
        raise GuessedMove(str(guess) if len(actions) == 1 else _line_question(labels), actions, table.row.ply)
    return tuple(actions)


def _read_or_guess(reader: TypedMoveReader, text: str) -> tuple[Action, GuessedAction | None]:
    """Return the action that a text means, with the question about it if that is only guessed."""
    try:
        return reader.read(text), None
    except GuessedAction as guess:
        return guess.action, guess


def _line_question(labels: Sequence[str]) -> str:
    """Return the question whether a line of several moves is meant, with the line in words that play it."""
    line = f"{ACTION_SEPARATOR} ".join(labels)
    return f"Did you mean this line? No move of it was played.\n```\n{line}\n```"


def _check_typed_choice(table: Table, match: Match, record: Record, legal: Sequence[Action]) -> None:
    """Raise IllegalAction unless a typed action is legal, with an example if none of its kind is."""
    try:
        check_choice(match, record, table.names)
    except IllegalAction as error:
        if not legal or any(isinstance(each, type(record.action)) for each in legal):
            raise
        texts = MoveTexts(match.game, match.view(record.actor), legal, table.plain_names)
        raise IllegalAction(f"{error}{texts.example_sentence()}") from error


def play_computer_turn(table: Table, choose: Chooser) -> Decision:
    """Play a computer player's whole turn, one choice after another, until another seat is to act.

    A turn of more than ``MAX_CHOICES_AT_ONCE`` is stored in parts.  Raises Refusal.
    """
    seat = table.to_act
    if seat is None or table.match is None or table.seats[seat].playing_computer is None:
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
    _require_current_ply(table, seat, match, ply)
    return_deliveries: tuple[NewDelivery, ...] = ()
    if table.seats[seat].substitute is not None:
        return_deliveries = come_back_deliveries(table, seat)
        table = without_substitute(table, seat)
    try:
        after = match.play_all(seat, actions, names=table.names)
    except RulesError as error:
        raise Refusal(str(error)) from error
    decision = _decision_after_play(table, seat, after)
    if table.seats[seat].away_until is not None:
        decision = replace(decision, returning_user=table.seats[seat].user)
    return replace(decision, deliveries=(*return_deliveries, *decision.deliveries))


def resign_seat(table: Table, seat: Seat, match: Match) -> Decision:
    """Resign a seat for good, where the rules let the game go on without it.

    This ends no absence.  A substitute leaves the seat, but no notice says that its person is back.
    """
    row = table.seats[seat]
    changed_table = without_substitute(table, seat)  # it is not the substitute who resigns
    changed_table = changed_table.with_seat(seat, structs.replace(changed_table.seats[seat], offer=None))
    decision = _decision_after_play(changed_table, seat, match.play(seat, Resign()))
    if row.offer is None:
        return decision
    closing_delivery = offer_delivery(seat, row.offer, f"{table.names[seat]} resigned.")
    return replace(decision, deliveries=(*decision.deliveries, closing_delivery))


def _decision_after_play(table: Table, seat: Seat, after: Match) -> Decision:
    """Return the decision after a seat has played; ``after``: the match then."""
    changed_table, deliveries = apply_match(table, after)
    return Decision(
        table=changed_table,
        answer=_new_log_text(table, changed_table, seat),
        repeat_answer=f"Already played as move {changed_table.move_count}.",
        move_number=changed_table.move_count,
        deliveries=deliveries,
    )


def _require_current_ply(table: Table, seat: Seat, match: Match, ply: int | None) -> None:
    """Raise StaleChoice unless ``ply``, at which a choice was offered, is the present one or None."""
    if ply is not None and ply != match.ply:
        raise StaleChoice(_stale_text(table, seat))


def _stale_text(table: Table, seat: Seat) -> str:
    advice = "Press **Play** for your choices now." if table.to_act == seat else "It is not your turn now."
    return f"The game has changed since then. {advice}"


def _new_log_text(before: Table, after: Table, viewer: Seat) -> str:
    """Return the new log lines as text, as ``viewer`` may know them."""
    assert before.match is not None
    assert after.match is not None
    return "\n".join(line.text for line in after.match.new_log_lines(before.match, viewer, after.names))


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
