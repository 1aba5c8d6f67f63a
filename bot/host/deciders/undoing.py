"""Taking moves back: who must agree to it first, and what follows.  Pure functions of a table.

Everybody who has seen what would be taken back is asked, whether a player, the host or an admin wants it.
"""

from dataclasses import replace

from msgspec import structs

from bot.host.deciders.decision import Decision, apply_match, notice_delivery
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.deciders.timeouts import playing_users
from bot.host.game_guard import guarded
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.table_turns import (
    first_undone_turn_start,
    is_resignation,
    new_finished_turns,
    turn_delivery,
    undone_turns,
)
from bot.store.delivery_rows import NewDelivery, Slot
from bot.store.results import UnratedReason
from rules.errors import RulesError
from rules.match import Match
from rules.model import CHANCE, MODERATOR, Resign, Seat
from rules.record import PossibleUndo
from rules.text import listed
from rules.undo import find_free_turn_start


def users_to_ask(
    table: Table, kept_length: int, asking_user: int | None, *, is_roll_back: bool = False
) -> tuple[int, ...]:
    """Return the users besides the asking one who had a seat at a record after the first ``kept_length``.

    Players who have resigned are left out: they see the game as bystanders do.  A roll-back asks those whom
    it would bring back, since they resigned after the first ``kept_length`` records.  Replaced players are
    asked.  People for whom a computer has played since then are left out if at least two others, the asking
    one included, have played themselves since then.  Otherwise they are asked too: one person alone, or with
    newcomers and admins only, may not undo what was played at another's seat.
    """
    assert table.match is not None
    remaining_records = table.match.history[: kept_length if is_roll_back else None]
    resigned_seats = {record.actor for record in remaining_records if isinstance(record.action, Resign)}
    seat_users: list[int | None] = []
    for seat, row in enumerate(table.seats):
        if seat not in resigned_seats:
            seat_users += [each.user for each in row.earlier_players if each.end_index > kept_length]
            seat_users.append(row.user)
    users = tuple(dict.fromkeys(user for user in seat_users if user is not None and user != asking_user))
    substituted_users = {
        row.user
        for row in table.seats
        if row.substituted_since_index is not None and row.substituted_since_index <= kept_length
    }
    unsubstituted_users = tuple(user for user in users if user not in substituted_users)
    users_playing = _users_playing_since(table, kept_length) & {asking_user, *unsubstituted_users}
    return unsubstituted_users if len(users_playing) > 1 else users


def _users_playing_since(table: Table, kept_length: int) -> frozenset[int | None]:
    """Return the users who play themselves and have had their seats since ``kept_length`` records."""
    newcomers = {
        row.user for row in table.seats if any(each.end_index > kept_length for each in row.earlier_players)
    }
    return frozenset(playing_users(table)) - newcomers


def first_own_index(table: Table, seat: Seat) -> int:
    """Return the index in the history of the first record that the seat's present player can have made."""
    return max((each.end_index for each in table.seats[seat].earlier_players), default=0)


def nearest_index_for_person(table: Table, index: int) -> int:
    """Return the last index, at or before one of the history, where a person would choose; else the next.

    If a game went back to a computer player's choice, that move would be made again at once.  It is ``index``
    where no person would choose anywhere.
    """
    assert table.match is not None
    indexes = (*range(index, -1, -1), *range(index + 1, len(table.match.history)))
    return next((each for each in indexes if _would_person_choose_at(table, each)), index)


@guarded
def _would_person_choose_at(table: Table, index: int) -> bool:
    """Whether a person would choose if the game went back to a record; others may resign in their turn."""
    assert table.match is not None
    record = table.match.history[index]
    if not record.is_choice:
        return False
    is_resignation = isinstance(record.action, Resign)
    seat = table.match.at_length(index).to_act if is_resignation else record.actor
    return seat is not None and table.seats[seat].playing_computer is None


@guarded
def possible_undo(table: Table, seat: Seat) -> PossibleUndo | None:
    """Return the undo of the last choice of a seat's present player (``rules.undo``); None if it has none."""
    assert table.match is not None
    undo = table.match.possible_undo(seat)
    return None if undo is None or undo.kept_length < first_own_index(table, seat) else undo


@guarded
def possible_turn_undo(table: Table, seat: Seat) -> PossibleUndo | None:
    """Return the undo of a seat's newest turn (``rules.undo``); None if there is nothing to undo.

    It leaves what an earlier player of the seat chose.
    """
    assert table.match is not None
    undo = table.match.possible_turn_undo(seat)
    if undo is None or possible_undo(table, seat) is None:
        return None
    history, own_index = table.match.history, first_own_index(table, seat)
    own_choice_indexes = (
        index
        for index in range(max(undo.kept_length, own_index), len(history))
        if history[index].is_choice
        and history[index].actor == seat
        and not isinstance(history[index].action, Resign)
    )
    return structs.replace(undo, kept_length=next(own_choice_indexes))


@guarded
def free_turn_start(table: Table, seat: Seat, choice_index: int) -> int:
    """Return how far back a seat's player may undo freely once one of their choices has been undone.

    Indexes into the history: ``choice_index`` if nothing before that choice could be undone freely.
    """
    assert table.match is not None
    own_start = min(first_own_index(table, seat), choice_index)
    return max(find_free_turn_start(table.match, choice_index + 1), own_start)


@guarded
def has_shown_since(table: Table, kept_length: int, viewer: Seat | None) -> bool:
    """Whether chance has shown something to a viewer after the first ``kept_length`` records.

    ``viewer``: None for everybody.
    """
    assert table.match is not None
    records = table.match.history[kept_length:]
    return any(record.actor == CHANCE and record.action.reveals(viewer) for record in records)


def move_number_at(table: Table, kept_length: int) -> int:
    """Return the number of the last move among the first ``kept_length`` records."""
    assert table.match is not None
    return sum(record.is_choice for record in table.match.history[:kept_length])


def taken_back_noun(table: Table, seat: Seat, kept_length: int) -> str:
    """Return what of a seat an undo to ``kept_length`` records takes back: its last move, or its turn."""
    assert table.match is not None
    records = table.match.history[kept_length:]
    count = sum(
        record.is_choice and record.actor == seat and not isinstance(record.action, Resign)
        for record in records
    )
    return "last move" if count == 1 else "turn"


def roll_back_to(table: Table, actor_name: str, kept_length: int, note: str) -> Decision:
    """Roll a game back to ``kept_length`` records, announcing that ``actor_name`` did so.  Raises Refusal.

    It is not rated afterwards, which is announced, too, if it was rated before.
    """
    text = f"{actor_name} rolled the game back to move {move_number_at(table, kept_length)}. {note}"
    if unrated_reason_so_far(table) is None:
        text += " This game is not rated."
    decision = undo_with_consent(table.as_unrated(UnratedReason.ROLLED_BACK), MODERATOR, kept_length, text)
    return replace(decision, answer=text, audit_entry=text)


def undo_with_consent(table: Table, actor: Seat, kept_length: int, announcement: str | None) -> Decision:
    """Undo as ``undo_to`` does, so that a new board mentions the player to act.  Raises Refusal."""
    decision = undo_to(table.with_row(undos_without_consent=None), actor, kept_length, announcement)
    changed_table = decision.table.with_row(agreed_undo_ply=decision.table.row.ply)
    return replace(decision, table=changed_table)


def undo_to(
    table: Table, actor: Seat, kept_length: int, announcement: str | None, answer: str = ""
) -> Decision:
    """Undo all but the first ``kept_length`` records of the history.  Raises Refusal.

    Where a player undoes, later resignations of others stand.
    ``announcement``: what the table reads, where a player undoes a turn that was over in place of its story;
    None: nothing.  ``answer``: what the actor reads, if not the same.
    """
    assert table.match is not None
    try:
        undo = table.match.undo if actor == MODERATOR else table.match.undo_choices
        match = undo(actor, kept_length)
    except RulesError as error:
        raise Refusal(str(error)) from error
    changed_table, deliveries = apply_match(table, match)
    if announcement is not None:
        start = None if actor == MODERATOR else first_undone_turn_start(table.match, match)
        deliveries = _with_announcement(deliveries, announcement, start)
    deliveries = _with_lasting_resignations(table, match, deliveries)
    return Decision(table=changed_table, answer=answer or announcement or "", deliveries=deliveries)


def _with_announcement(
    deliveries: tuple[NewDelivery, ...], announcement: str, turn_start: int | None
) -> tuple[NewDelivery, ...]:
    """Return the deliveries with an announcement in the message of a turn; without one, with a notice."""
    if turn_start is None or turn_delivery(turn_start) not in deliveries:
        return notice_delivery(announcement), *deliveries
    correction = turn_delivery(turn_start)
    announced_correction = structs.replace(correction, text=announcement)
    return tuple(announced_correction if each == correction else each for each in deliveries)


@guarded
def _with_lasting_resignations(
    table: Table, after: Match, deliveries: tuple[NewDelivery, ...]
) -> tuple[NewDelivery, ...]:
    """Return the deliveries; the messages of undone turns say who resigned in them and stays resigned.

    A resignation has had its post before, so it gets no second one.
    ``table``: before the undo; ``after``: the match after it.
    """
    assert table.match is not None
    repeated_slots = {
        turn_delivery(turn.start).slot
        for turn in new_finished_turns(table.match, after)
        if isinstance(after.history[turn.start].action, Resign)
    }
    text_by_slot: dict[Slot, str] = {}
    for turn in undone_turns(table.match, after):
        slot = turn_delivery(turn.start).slot
        names = [
            table.names[record.actor]
            for record in table.match.history[turn.start : turn.end]
            if isinstance(record.action, Resign) and record.actor in after.resigned_seats
        ]
        if names:
            what_was_undone = "" if is_resignation(table, turn) else "This turn was taken back, but "
            text_by_slot[slot] = f"{what_was_undone}{listed(names)} resigned for good."
        elif slot in repeated_slots:
            text_by_slot[slot] = "This turn was taken back."
    corrections = (
        structs.replace(each, text=each.text or text_by_slot.get(each.slot, "")) for each in deliveries
    )
    return tuple(each for each in corrections if each.text or each.slot not in repeated_slots)
