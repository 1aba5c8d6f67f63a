"""Games in progress: play and resign.  Pure functions from a table to a decision."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from msgspec import structs

from bot.host.deciders.decision import Decision, apply_match, offer_delivery
from bot.host.deciders.seat_offers import no_seat_text
from bot.host.deciders.timeouts import RESUME_LABEL, come_back_deliveries, resumer_text, without_substitute
from bot.host.names import escape_markup
from bot.host.request import FROZEN_REFUSAL_TEXT, Refusal, Request, TooLate
from bot.host.table import Table
from bot.store.delivery_rows import NewDelivery
from bot.store.rows import LIVE_STATUSES, Status
from rules.errors import GuessedAction, IllegalAction, MalformedAction, RulesError
from rules.legality import check_choice
from rules.match import Match
from rules.model import CHANCE, Action, Resign, Seat
from rules.move_texts import MoveTexts, typeable_label
from rules.notation import ACTION_SEPARATOR
from rules.record import Record
from rules.text import shortened
from rules.typed_moves import TypedMoveReader
from rules.typed_text import PUNCTUATION

Chooser: TypeAlias = Callable[[Table, Seat], Action]
"""Chooses a computer player's action from the view of its seat."""
MAX_CHOICES_AT_ONCE: Final = 50
"""The most choices of a computer player's turn that are played and stored at once."""

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


def require_playing_seat(table: Table, request: Request) -> tuple[Seat, Match]:
    """Return the user's seat and the match in progress.

    Raises Refusal if either is missing, TooLate if the game is over.
    """
    seat = table.seat_of(request.user)
    if table.status not in LIVE_STATUSES:
        raise TooLate(status_refusal_text(table))
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
            reason = str(error)
            if not reason.startswith(f"“{quoted_part}” "):
                reason = f"“{quoted_part}”: {reason}"
            raise Refusal(f"{reason} No move of this line was played.") from error
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
    """Return the question whether a line of several moves is meant, with the line in words that play it.

    A phone would cut long lines of a code block.
    """
    numbered_lines = [f"{number}. `{label}`" for number, label in enumerate(labels, 1)]
    return "\n".join(
        (
            "Did you mean this line? No move of it was played.",
            *numbered_lines,
            f"To play them, type these words, a few moves at a time, joined by `{ACTION_SEPARATOR}`.",
        )
    )


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
    return replace(
        decision,
        deliveries=(*return_deliveries, *decision.deliveries),
        moving_user=table.seats[seat].user,
    )


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
