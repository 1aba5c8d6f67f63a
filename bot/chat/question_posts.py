"""The messages that ask people at a table: questions to its players, and seats that are offered."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot import limits
from bot.chat.components import Button
from bot.chat.numbered_log import all_moves_button, numbered_lines, with_every_choice
from bot.chat.post_parts import (
    GIVE_SEAT_LABEL,
    Post,
    addressed_text,
    button,
    join_lines,
    mentions_text,
    title,
)
from bot.host import game_calls
from bot.host.clock_texts import time_control_conditions_text, time_control_text
from bot.host.deciders.decision import VOID_TEXT
from bot.host.deciders.questions import (
    NOBODY_AWAITED_TEXT,
    proposal_text,
    question_end_text,
    wider_decline_text,
)
from bot.host.deciders.results import departure_rating_text, unrated_reason_so_far
from bot.host.deciders.seat_offers import TAKE_LABEL, WITHDRAW_LABEL
from bot.host.deciders.timeouts import playing_users
from bot.host.deciders.voting import user_names_text, users_still_to_agree
from bot.host.table import Table
from bot.store.clock_rows import DAY
from bot.store.question_rows import Question, QuestionKind
from bot.store.rows import IDLE_SECONDS, Status
from rules.model import Resign, Seat
from rules.record import LogLine
from rules.text import counted

WITHDRAW_OFFER_VERB: Final = "unoff"
_ACCEPT_LABEL: Final = "Accept the seat"
_MAX_TAKEN_BACK_LINES: Final = 15
_MAX_TAKEN_BACK_LENGTH: Final = 1200
"""The most lines and characters that are quoted of what an undo or a roll-back would take back."""
_MAX_EARLIER_MOVE_LINES: Final = 6
"""The most lines that name what an asker could then take back freely."""


def question_post(table: Table) -> Post:
    """Return the open question, with what an undo or roll-back would take back.

    The first line stays when the question is settled, so it addresses nobody.
    """
    question = table.row.question
    assert question is not None, "without an open question nothing is sent"
    still_to_agree = users_still_to_agree(table, question)
    statement, request_text, label = _question_texts(table, question)
    lines = [f"**{title(table)}** · {statement}", addressed_text(still_to_agree, request_text)]
    argument = str(question.id)
    if question.kind is QuestionKind.KEEP_OPEN:
        rule = "Without an answer this game ends. Its file stays."
        lines.append(f"-# {rule} The question ends <t:{question.due}:R>.")
        return Post(
            join_lines(lines), ((button(table, label, "agree", argument, primary=True),),), still_to_agree
        )
    taken_back = NOTHING_TAKEN_BACK
    if question.kind in {QuestionKind.UNDO, QuestionKind.ROLL_BACK}:
        with_numbers = question.kind is QuestionKind.ROLL_BACK
        if declined_text := wider_decline_text(table, question):
            lines.append(f"{declined_text} This is less.")
        taken_back = quote_taken_back(table, question.kept_length, question.seat, with_numbers=with_numbers)
        lines += [*taken_back.lines, *_earlier_move_lines(table, question)]
    agreed_text = f" {user_names_text(table, question.agreed_users)} agreed." if question.agreed_users else ""
    if not still_to_agree:
        condition = NOBODY_AWAITED_TEXT
    elif len({*question.asked_users, *still_to_agree}) > 1:  # people who are back by now are asked too
        condition = "All who are asked must agree, or nothing changes."
    else:
        condition = "Without a yes nothing changes."
    conditions_line = f"-# {condition}{agreed_text} {question_end_text(question)}"
    row = [
        button(table, label, "agree", argument, primary=True),
        button(table, "Decline", "refuse", argument),
    ]
    if question.asker is not None:
        row.append(button(table, WITHDRAW_LABEL, "unask", argument))
    row += all_moves_buttons(table, taken_back)
    text = f"{join_lines(lines, limits.CONTENT - len(conditions_line) - 1)}\n{conditions_line}"
    return Post(text, (tuple(row),), still_to_agree)


class TakenBackQuote(NamedTuple):
    """What an undo or a roll-back takes back, quoted in lines."""

    lines: Sequence[str]
    is_shortened: bool
    """Whether the last line says how much is left out."""


NOTHING_TAKEN_BACK: Final = TakenBackQuote((), is_shortened=False)


def quote_taken_back(
    table: Table, kept_length: int, undoing_seat: int | None = None, *, with_numbers: bool = False
) -> TakenBackQuote:
    """Quote what happened after the first ``kept_length`` records; the end says how much is left out.

    ``undoing_seat``: whose undo it is: resignations of others stand.  None: everything is taken back.
    ``with_numbers``: those of the moves stand before them.
    """
    log_lines = table.log_lines(kept_length)
    if undoing_seat is not None:
        log_lines = _without_lasting_resignations(table, log_lines, undoing_seat)
    if with_numbers and table.match is not None:
        log_lines = with_every_choice(table, log_lines, kept_length)
        texts = [line.text for line in numbered_lines(table.match.history, log_lines)]
    else:
        texts = [text for line in log_lines for text in line.text.splitlines()]
    lines = [f"> {text}" for text in texts]
    shown_lines = lines[:_MAX_TAKEN_BACK_LINES]
    while len("\n".join(shown_lines)) > _MAX_TAKEN_BACK_LENGTH:
        del shown_lines[-1]
    hidden_count = len(lines) - len(shown_lines)
    if not hidden_count:
        return TakenBackQuote(shown_lines, is_shortened=False)
    return TakenBackQuote([*shown_lines, f"> … and {counted(hidden_count, 'more line')}"], is_shortened=True)


def _without_lasting_resignations(
    table: Table, log_lines: Sequence[LogLine], undoing_seat: int
) -> tuple[LogLine, ...]:
    """Return log lines without the resignations of other seats, which stand after an undo of a seat."""
    history = () if table.match is None else table.match.history
    return tuple(
        line
        for line in log_lines
        if line.actor == undoing_seat or not isinstance(history[line.index].action, Resign)
    )


def all_moves_buttons(table: Table, taken_back: TakenBackQuote) -> tuple[Button, ...]:
    """Return the button that shows all moves if the quotation leaves out some."""
    return (all_moves_button(table),) if taken_back.is_shortened else ()


def _earlier_move_lines(table: Table, question: Question) -> list[str]:
    """Return which earlier moves of the turn the asker of an undo could then take back without asking."""
    if question.kind is not QuestionKind.UNDO or question.seat is None or question.asker is None:
        return []
    start = game_calls.free_turn_start(table, Seat(question.seat), question.kept_length)
    lines = [
        f"-# {text}"
        for line in _without_lasting_resignations(
            table, table.log_lines(start, question.kept_length), question.seat
        )
        for text in line.text.splitlines()
    ]
    if not lines:
        return []
    omission_lines = ["-# …"] if len(lines) > _MAX_EARLIER_MOVE_LINES else []
    heading = f"{question.asker.name} could then take this back, too, without asking:"
    return [heading, *lines[:_MAX_EARLIER_MOVE_LINES], *omission_lines]


def _question_texts(table: Table, question: Question) -> tuple[str, str, str]:
    """Return what a question is about, what it asks people, and the label of the button that agrees."""
    statement = proposal_text(table, question)
    match question.kind:
        case QuestionKind.CLOCK:
            control = question.time_control
            details = "" if control is None else f" {time_control_conditions_text(control)}"
            return f"{statement}{details}", "do you agree?", "Agree"
        case QuestionKind.PAUSE:
            rule = "In a pause nobody can play and no clock runs, until a player resumes."
            return f"{statement} {rule}", "do you agree?", "Agree"
        case QuestionKind.KEEP_OPEN:
            days = IDLE_SECONDS // DAY
            return f"Nobody has moved here for {days} days.", "do you still play?", "Keep it open"
        case QuestionKind.UNDO:
            return statement, "allow this undo?", "Allow undo"
        case QuestionKind.ROLL_BACK:
            request_text = "allow this roll-back? It takes back the moves below."
            if unrated_reason_so_far(table) is None:
                request_text += " After it this game is **not rated**."
            return statement, request_text, "Allow roll-back"
        case QuestionKind.GO_ON:
            rule = (
                "This game was restored from a backup. If it had ended before, its secrets are known:"
                " then do not play it again."
            )
            return f"{statement} {rule}".lstrip(), "shall the game go on from here?", "Play on"


def offer_post(table: Table, seat: Seat) -> Post:
    """Return the message about an offered seat: who may do what, with the buttons to answer."""
    offer = table.seats[seat].offer
    assert offer is not None, "without an open offer nothing is sent"
    lines = [f"**{title(table)}** · {offer.text}"]
    row = []
    argument = f"{seat} {offer.id}"
    awaited_newcomer_users = () if offer.newcomer is None or offer.accepted else (offer.newcomer.user,)
    if awaited_newcomer_users:
        lines.append(f"{mentions_text(awaited_newcomer_users)}, press **{_ACCEPT_LABEL}** to take it.")
        row.append(button(table, _ACCEPT_LABEL, "accept", argument, primary=True))
    if offer.is_open_to_anybody:
        lines.append(
            f"Press **{TAKE_LABEL}** to play on from here. The seat goes to the first who presses it and"
            " has had no other seat here."
        )
        row.append(button(table, TAKE_LABEL, "accept", argument, primary=True))
    if awaited_newcomer_users or offer.is_open_to_anybody:
        lines.append(_takeover_text(table))
    seat_user = table.seats[seat].user
    users_who_may_object: tuple[int, ...] = ()
    rating_text = offer_rating_text(table, seat)
    if offer.approved:
        lines.append(f"-# {rating_text}The offer ends <t:{offer.due}:R>.")
    else:
        assert seat_user is not None, "a computer player is not asked"
        users_who_may_object = tuple(
            user for user in playing_users(table) if user not in {seat_user, offer.offered_by}
        )
        staying_text = "move or press" if table.status is Status.PLAYING else "press"
        lines.append(
            f"{mentions_text((seat_user,))}, press **{GIVE_SEAT_LABEL}** to agree."
            f"{departure_rating_text(table, seat)} To stay, {staying_text} **Decline**."
        )
        if users_who_may_object:
            lines.append(f"{mentions_text(users_who_may_object)}, press **Decline** if you object.")
        outcome = f"the seat is handed over <t:{offer.due}:R>"
        if awaited_newcomer_users or offer.is_for_anybody:
            taker = "anybody" if offer.is_for_anybody else "the newcomer"
            outcome = f"{taker} may take the seat after <t:{offer.due}:f>"
        lines.append(f"-# {rating_text}If nobody declines, {outcome}.")
        row.append(button(table, GIVE_SEAT_LABEL, "yield", argument, final=True))
    if offer.is_open_to_anybody:
        row.append(button(table, "Withdraw the offer", "reject", argument))
    else:
        row += [
            button(table, "Decline", "reject", argument),
            button(table, WITHDRAW_LABEL, WITHDRAW_OFFER_VERB, argument),
        ]
    asked_users = (
        awaited_newcomer_users
        if offer.approved or seat_user is None
        else (*awaited_newcomer_users, seat_user, *users_who_may_object)
    )
    return Post(join_lines(lines), (tuple(row),), asked_users)


def offer_rating_text(table: Table, seat: Seat) -> str:
    """Return whether the offer of a seat ends the rating of its game, as a sentence and a blank."""
    offer = table.seats[seat].offer
    if offer is None or offer.given_up or unrated_reason_so_far(table) is not None:
        return ""
    if offer.approved:
        return "Once the seat is taken, this game is no longer rated. "
    return f"Without {table.names[seat]}'s agreement this game is no longer rated afterwards. "


def _takeover_text(table: Table) -> str:
    """Return what somebody who may take a seat takes over, as everybody may know it."""
    turn_text = (
        "the game was paused" if table.to_act is None else f"it was {table.names[table.to_act]}'s turn"
    )
    points, control = game_calls.points_text(table), table.row.time_control
    clock_prefix = "" if control is None else "Clock: "
    return (
        f"-# When this was written, {turn_text}.{f' Points: {points}.' if points else ''}"
        f" {clock_prefix}{time_control_text(control)}. `/board` shows the position."
    )


def settled_text(text: str, outcome: str) -> str:
    """Return what the message of a question or an offer says once it is settled.

    The first line, which addresses nobody, stays, and so do the moves that an undo or a roll-back concerns,
    as far as there is room.  ``outcome``: what came of the question; empty if that is not known.
    """
    first_line, *other_lines = text.split("\n")
    last_line = outcome or VOID_TEXT
    lines = [first_line, *(line for line in other_lines if line.startswith("> "))]
    return f"{join_lines(lines, limits.CONTENT - len(last_line) - 1)}\n{last_line}"
