"""Decides how one table of a restored backup goes on, and what is posted at it."""

import contextlib
import enum
import secrets
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final, NamedTuple

import msgspec

from bot.host.deciders.decision import (
    BOARD_DELIVERY,
    LOBBY_DELIVERY,
    hand_delivery,
    join_request_delivery,
    notice_delivery,
    question_delivery,
)
from bot.host.deciders.questions import go_on_question
from bot.host.loading import unpack
from bot.host.names import escape_markup
from bot.host.seed_texts import seed_text
from bot.host.table import Games, Table
from bot.store.clock_rows import TurnStage, TurnTimer
from bot.store.delivery_rows import NewDelivery
from bot.store.protocol import Divergence
from bot.store.restoring import TableState
from bot.store.rows import LIVE_STATUSES, Change, RecordRow, Status, StoredTable, TableRow
from bot.store.seat_rows import DirectMessages, SeatHolder
from rules.deal_key import make_reseal_after
from rules.errors import MalformedAction
from rules.model import MODERATOR
from rules.notation import write_action
from rules.random_stream import SEED_BYTES, make_fairness_code
from rules.record import Cut, Reseal, Undo, parse_control_action
from rules.text import listed

_AGREEMENT_TEXT: Final = (
    "The end of this game may be lost with the later moves. All of its players must agree before it goes on."
)


class RestoreOutcome(enum.Enum):
    """What becomes of a table that goes back."""

    STAYS_CLOSED = "stays closed"
    """It was over or closed in the backup, and still is."""
    LOBBY = "lobby"
    """An open lobby, which gets a new seed; requests to join are asked anew."""
    GOES_ON = "goes on"
    """A game that goes on and may have lost moves."""
    KEEPS_MOVES = "keeps moves"
    """A game that goes on and has lost no move."""
    NEEDS_AGREEMENT = "needs agreement"
    """A game whose end may be lost: its players must agree that it goes on."""
    ENDED_SINCE = "ended since"
    """It was live in the backup and has ended since: it stays ended."""


class RestoredTable(NamedTuple):
    """One table that went back."""

    number: int
    move_number: int
    """The move that it went back to."""
    outcome: RestoreOutcome


def find_restore_outcome(
    row: TableRow, replaced_state: TableState | None, *, keeps_moves: bool = False
) -> RestoreOutcome:
    """Return what becomes of a table.

    ``replaced_state``: its state in the replaced database, if known; ``keeps_moves``: whether it is certain
    that no move was lost.
    """
    if row.status not in LIVE_STATUSES:
        return RestoreOutcome.STAYS_CLOSED
    if replaced_state is not None and replaced_state.status not in LIVE_STATUSES:
        return RestoreOutcome.ENDED_SINCE
    if row.status is Status.LOBBY:
        return RestoreOutcome.LOBBY
    if (
        replaced_state is None
        or replaced_state.status is Status.LOBBY
        or replaced_state.needs_agreement_to_go_on
    ):
        return RestoreOutcome.NEEDS_AGREEMENT
    return RestoreOutcome.KEEPS_MOVES if keeps_moves else RestoreOutcome.GOES_ON


def restore_table(
    stored: StoredTable,
    games: Games,
    replaced_state: TableState | None,
    first_lost_records: Sequence[RecordRow],
    generation: int,
    now: int,
    divergence: Divergence | None,
    *,
    keeps_moves: bool = False,
) -> tuple[RestoredTable, Change]:
    """Return what becomes of a table, and the change to store.

    ``first_lost_records``: those that follow the backup's in the replaced database; ``divergence``: where
    this release plays the table differently; ``keeps_moves``: whether it is certain that none was lost.
    """
    row = stored.row
    outcome = find_restore_outcome(row, replaced_state, keeps_moves=keeps_moves)
    table: Table | None = None
    with contextlib.suppress(Exception):  # this release may not have the game
        table = unpack(stored, games)
    move_number = _count_moves(stored.records)
    texts = [_went_back_text(row, move_number, outcome)]
    new_records: tuple[RecordRow, ...] = ()
    new_row = msgspec.structs.replace(
        row.without_prompts(), version=row.version + 1, generation=generation, restored_to=move_number
    )
    match outcome:
        case RestoreOutcome.ENDED_SINCE:
            new_row = _as_ended(new_row)
            texts.append(_ended_text(row, table))
        case RestoreOutcome.LOBBY:
            new_row = _with_new_seed(new_row)
            lobby = msgspec.structs.replace(new_row.lobby, applicants=row.lobby.applicants)
            new_row = msgspec.structs.replace(new_row, lobby=lobby)
            code = make_fairness_code(new_row.match_id, new_row.seed)
            texts.append(f"New fairness code: `{code}`. To cut the deck, choose your words again.")
        case RestoreOutcome.KEEPS_MOVES:
            new_row = _as_going_on(new_row, replaced_state, now)
        case RestoreOutcome.GOES_ON | RestoreOutcome.NEEDS_AGREEMENT:
            reseal, code = _reseal_record(stored, now)
            cuts = _repeated_cuts(row, reseal, first_lost_records, now)
            new_records = (reseal, *cuts)
            new_row = _as_going_on(new_row, replaced_state, now)
            new_row = msgspec.structs.replace(new_row, ply=new_records[-1].ply)
            has_lost_moves = replaced_state is None or any(
                each.actor != MODERATOR and not _is_cut(row, each) for each in first_lost_records
            )
            code_text = _new_code_text(code, has_lost_moves=has_lost_moves)
            texts.append(code_text + _repeated_cuts_text(row, cuts))
            if outcome is RestoreOutcome.NEEDS_AGREEMENT:
                new_row = _as_needing_agreement(new_row, table, now)
                texts.append(_AGREEMENT_TEXT)
        case RestoreOutcome.STAYS_CLOSED:
            pass
    if divergence is not None and outcome is not RestoreOutcome.ENDED_SINCE:
        reason, record_text = "it was started under rules that I no longer have", ""
        if divergence.ply:
            reason, record_text = "I cannot replay its moves", f" (record {divergence.ply})"
        texts.append(
            f"This game is frozen: {reason}."
            f" Nothing more is lost. The bot's operator can fix this.{record_text}"
        )
        new_row = new_row.as_frozen()
    elif new_row.status is Status.PLAYING:
        if outcome is RestoreOutcome.GOES_ON:
            texts += _cutting_texts(row, cuts)
        new_row = _with_due_timer(new_row, now)
    if new_row.status is not Status.PLAYING:
        new_row = msgspec.structs.replace(new_row, turn_notices=None, to_act=None)
    change = Change(
        row=new_row,
        answer="",
        records=new_records,
        deliveries=(
            *map(notice_delivery, texts),
            *_deliveries_to_repeat(row.status, new_row.status, table),
            *(() if new_row.question is None else (question_delivery(new_row.question),)),
            *(join_request_delivery(each.user) for each in new_row.lobby.applicants),
        ),
        audit_entry=f"restored from backup to move {move_number}",
        at=now,
    )
    return RestoredTable(row.number, move_number, outcome), change


def _count_moves(records: Sequence[RecordRow]) -> int:
    """Return how many choices of players the history has, also of a game that this release cannot load."""
    history: list[RecordRow] = []
    for record in records:
        try:
            control = parse_control_action(record.action)
        except MalformedAction:  # damaged
            continue
        if isinstance(control, Undo):
            del history[control.kept_length :]
        elif control is None:
            history.append(record)
    return sum(each.actor >= 0 and not each.auto for each in history)


def _went_back_text(row: TableRow, move_number: int, outcome: RestoreOutcome) -> str:
    if row.status in {Status.LOBBY, Status.CLOSED}:
        return "This lobby was restored from backup. What happened in it after that backup is lost. Sorry!"
    text = f"This table was restored from backup to move {move_number}."
    if outcome is RestoreOutcome.KEEPS_MOVES:
        return f"{text} No move is lost, but what else happened at it after that backup is. Sorry!"
    return f"{text} What happened at it after that backup is lost. Sorry!"


def _as_going_on(row: TableRow, replaced_state: TableState | None, now: int) -> TableRow:
    """Return the row of a game whose clocks begin anew, and whose players may be others than before."""
    return msgspec.structs.replace(
        row,
        holders=_merged_holders(row, replaced_state),
        turn_timer=_restarted_timer(row, now),
        clocks_running_since=now,
        active_at=now,  # what is lost is not known
    )


def _restarted_timer(row: TableRow, now: int) -> TurnTimer | None:
    """Return the timer of the turn, so that its time begins anew once the game is played.

    ``seconds_left=None`` makes the bot compute the full time then.
    """
    if row.turn_timer is None:
        return None
    return msgspec.structs.replace(
        row.turn_timer,
        runs_from=now,
        seconds_left=None,
        deadline=None,
        stage=TurnStage.RUNNING,
        shown_deadline=None,
    )


def _with_due_timer(row: TableRow, now: int) -> TableRow:
    """Return the row of a game that is played, with its turn due when the bot starts.

    The bot then computes the time of the turn.  In a game that stands still it must not be due: no time would
    be left.
    """
    timer = row.turn_timer
    if row.time_control is None or timer is None or timer.user is None:
        return row
    return msgspec.structs.replace(row, turn_timer=msgspec.structs.replace(timer, deadline=now))


def _merged_holders(row: TableRow, replaced_state: TableState | None) -> tuple[SeatHolder, ...]:
    """Return who has had a seat, also in the lost moves: nobody may see the hands of two seats."""
    return tuple(dict.fromkeys((*row.holders, *(() if replaced_state is None else replaced_state.holders))))


def _as_needing_agreement(row: TableRow, table: Table | None, now: int) -> TableRow:
    """Return the row of a game that pauses until its players agree.

    If the game cannot be loaded or is frozen, they are not asked before ``/table resume``.
    """
    if row.status is Status.FROZEN:
        return msgspec.structs.replace(row, needs_agreement_to_go_on=True, paused_when_frozen=True)
    paused_row = msgspec.structs.replace(row, needs_agreement_to_go_on=True, status=Status.PAUSED)
    if table is None:
        return paused_row
    return msgspec.structs.replace(paused_row, question=go_on_question(replace(table, row=paused_row), now))


def _as_ended(row: TableRow) -> TableRow:
    status = Status.CLOSED if row.status is Status.LOBBY else Status.ENDED_EARLY
    return msgspec.structs.replace(
        row,
        status=status,
        paused_when_frozen=False,
        expires_at=None,
        turn_timer=None,
        lobby=row.lobby.as_over(),
    )


def _ended_text(row: TableRow, table: Table | None) -> str:
    """Return why a table does not go on; for a game also the seed, which was published when it ended."""
    if row.status is Status.LOBBY:
        return "It had been closed or played to its end since, so this lobby stays closed."
    text = "The game had ended since, so it stays ended."
    return text if table is None else f"{text} {seed_text(table)}"


def _with_new_seed(row: TableRow) -> TableRow:
    """Return the row of a lobby with a new seed: a game may have been dealt from the old one since."""
    seats = tuple(msgspec.structs.replace(seat, cut_words=None) for seat in row.seats)
    return msgspec.structs.replace(row, seed=secrets.token_bytes(SEED_BYTES), seats=seats)


def _reseal_record(stored: StoredTable, now: int) -> tuple[RecordRow, str]:
    """Return the record after which a game draws from a new seed, and the code of that seed."""
    row = stored.row
    stored_records = [(each.actor, each.action) for each in stored.records]
    record = make_reseal_after(row.match_id, row.seed, stored_records)
    assert isinstance(record.action, Reseal)
    stored_record = RecordRow(
        row.ply + 1, record.actor, write_action(record.action), auto=False, user=None, at=now
    )
    return stored_record, record.action.code


def _repeated_cuts(
    row: TableRow, reseal: RecordRow, first_lost_records: Sequence[RecordRow], now: int
) -> tuple[RecordRow, ...]:
    """Return the cuts that followed the same reseal before, to be repeated: nobody may try other words."""
    if not first_lost_records or first_lost_records[0].action != reseal.action:
        return ()
    cuts = takewhile(lambda each: _is_cut(row, each), first_lost_records[1:])
    return tuple(msgspec.structs.replace(each, at=now) for each in cuts)


def _is_cut(row: TableRow, record: RecordRow) -> bool:
    """Whether a record is a cut of the deck by a seat of the table."""
    try:
        return isinstance(parse_control_action(record.action), Cut) and 0 <= record.actor < len(row.seats)
    except MalformedAction:  # damaged
        return False


def _repeated_cuts_text(row: TableRow, cuts: Sequence[RecordRow]) -> str:
    cutters = [
        f"{escape_markup(row.seats[each.actor].name)} ({each.action.partition(' ')[2]})" for each in cuts
    ]
    return f" The deck is cut again as before by {listed(cutters)}." if cutters else ""


def _cutting_texts(row: TableRow, cuts: Sequence[RecordRow]) -> tuple[str, ...]:
    """Return who can cut the deck after the repeated cuts; no text if all players have, each once."""
    cut_seats = {each.actor for each in cuts}
    if not any(seat.user is not None and i not in cut_seats for i, seat in enumerate(row.seats)):
        return ()
    permission_text = "the other players can cut the deck, too" if cuts else "you can cut the deck again"
    return (f"Until the next move, {permission_text}: press **More**.",)


def _new_code_text(code: str, *, has_lost_moves: bool) -> str:
    """Return what a new code means.  ``has_lost_moves``: whether moves were lost, as far as is known."""
    text = f"New fairness code: `{code}`. It fixes every draw from here on."
    return f"{text} The draws of the lost moves say nothing about the new ones." if has_lost_moves else text


def _deliveries_to_repeat(
    status_in_backup: Status, new_status: Status, table: Table | None
) -> tuple[NewDelivery, ...]:
    """Return the deliveries that post again what earlier posts showed: their buttons are out of date."""
    if status_in_backup is Status.LOBBY:
        return (LOBBY_DELIVERY,)
    if new_status not in LIVE_STATUSES:
        return ()
    if table is None or not table.game.hidden_information:
        return (BOARD_DELIVERY,)
    hand_deliveries = (
        hand_delivery(i)
        for i, seat in enumerate(table.seats)
        if seat.user and seat.direct_messages is not DirectMessages.CLOSED
    )
    return (BOARD_DELIVERY, *hand_deliveries)
