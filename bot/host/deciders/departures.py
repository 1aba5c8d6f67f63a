"""Players who leave a game: they resign, or a computer player gets their seat.  Pure functions."""

from dataclasses import replace

from bot.host.deciders.decision import (
    BOARD_DELIVERY,
    Decision,
    notice_delivery,
    outdated_hand_deliveries,
    question_delivery,
    secret_hand_deliveries,
)
from bot.host.deciders.play import require_playing_seat, resign_seat
from bot.host.deciders.results import abandoned_rating_text
from bot.host.deciders.timeouts import RESUME_LABEL, has_no_active_player, pause_without_players
from bot.host.request import Refusal, Request
from bot.host.seed_texts import early_end_seed_text
from bot.host.table import Table
from bot.host.table_turns import turn_delivery
from bot.store.delivery_rows import DeliveryKind, NewDelivery
from bot.store.question_rows import QuestionKind
from bot.store.rows import Status
from bot.store.seat_rows import SeatRow
from rules.model import SEAT_LETTERS, Seat


def resign(table: Table, request: Request, computer: str) -> Decision:
    """Resign.  Where the rules need every seat filled, a computer player takes over.  Raises Refusal.

    What follows: see ``_after_departure``.
    """
    seat, match = require_playing_seat(table, request)
    if seat in match.resigned_seats:
        raise Refusal("You have already resigned from this game.")
    if match.can_resign(seat):
        resignation = resign_seat(table, seat, match)
        if resignation.table.status is not Status.PLAYING:
            return resignation
        table_after, question_deliveries = _without_question_of(resignation.table, request.user)
        changed_table, text = _after_departure(table_after)
        new_post_tells = match.to_act == seat or turn_delivery(len(match.history)) in resignation.deliveries
        notice_text = text if new_post_tells else f"{table.names[seat]} resigned. {text}".rstrip()
        notice_deliveries = (notice_delivery(notice_text),) if notice_text else ()
        story_deliveries = (each for each in resignation.deliveries if each.slot.kind is DeliveryKind.TURN)
        deliveries = dict.fromkeys(
            (
                *story_deliveries,  # first, then what follows from it
                *notice_deliveries,
                *resignation.deliveries,
                *question_deliveries,
                *_hand_deliveries_at_end(table, changed_table),
            )
        )
        return replace(resignation, table=changed_table, deliveries=tuple(deliveries))
    text = f"{table.names[seat]} resigned."
    if table.other_unresigned_users(seat):
        text += f" The computer player {table.computer_name(computer)} takes seat {SEAT_LETTERS[seat]}."
    return replace_with_computer(table, seat, computer, text)


def replace_with_computer(
    table: Table, seat: Seat, computer: str, text: str, audit_entry: str = ""
) -> Decision:
    """Replace a seat's player by a computer player: see ``_after_departure``."""
    computer_row = SeatRow(name=table.computer_name(computer), computer=computer)
    changed_table, consequence = _after_departure(
        table.with_player(seat, computer_row).without_open_question()
    )
    text = f"{text} {consequence}".rstrip()
    end_deliveries = _hand_deliveries_at_end(table, changed_table)
    deliveries = (
        notice_delivery(text),
        BOARD_DELIVERY,
        *secret_hand_deliveries(table, seat),
        *end_deliveries,
    )
    return Decision(table=changed_table, answer=text, deliveries=deliveries, audit_entry=audit_entry)


def _hand_deliveries_at_end(before: Table, after: Table) -> tuple[NewDelivery, ...]:
    """Return the deliveries of the hands that the end of a game makes out of date; none if it goes on."""
    return tuple(outdated_hand_deliveries(before, after)) if after.status is Status.ENDED_EARLY else ()


def _after_departure(table: Table) -> tuple[Table, str]:
    """Return a table that somebody has left, and what follows, as sentences.

    Without people left its game ends.  If none of them plays in time, it is paused.
    """
    if not table.unresigned_users:
        ended_table = table.without_prompts().with_row(status=Status.ENDED_EARLY)
        text = f"No other person is left, so the game has ended.{abandoned_rating_text(table)}"
        return ended_table, f"{text}\n{early_end_seed_text(ended_table)}"
    if table.status is Status.PLAYING and has_no_active_player(table):
        text = (
            f"No other person is playing now, so the game is paused. Press **{RESUME_LABEL}** below to go on."
        )
        return pause_without_players(table), text
    return table, ""


def _without_question_of(table: Table, user: int) -> tuple[Table, tuple[NewDelivery, ...]]:
    """Return a table without the question for a pause of a user who has resigned, and what closes it.

    Another clock is asked for by a host or an admin, who needs no seat for it.
    """
    question = table.row.question
    if question is None or question.declined or question.kind is not QuestionKind.PAUSE:
        return table, ()
    if question.asker is None or question.asker.user != user:
        return table, ()
    closing_delivery = question_delivery(question, f"{question.asker.name} resigned.")
    return table.without_open_question(), (closing_delivery,)
