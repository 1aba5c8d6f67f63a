"""Appends stored records to a match, each checked against the rules and the seed."""

from typing import TYPE_CHECKING

from msgspec import structs

from rules.advance import append_cut, append_record, append_reseal, next_automatic_record
from rules.errors import BrokenMatch, IllegalAction, RulesError
from rules.legality import check_choice, is_possible
from rules.model import CHANCE, MODERATOR
from rules.record import Cut, Record, Reseal, Undo

if TYPE_CHECKING:
    from rules.match import Match


def append_stored_record(match: "Match", record: Record) -> "Match":
    """Append a stored record.  Raises BrokenMatch if it does not follow from the match."""
    ply = match.ply + 1
    if isinstance(record.action, Cut):
        try:
            return append_cut(match, record)
        except IllegalAction as error:
            raise BrokenMatch(ply, str(error)) from error
    is_deliberate = record.actor != CHANCE and not record.auto  # `check_choice` refuses an unknown seat
    if (
        is_deliberate
        and match.to_act not in {None, CHANCE}
        and match.game.forced_action(match.view(None)) is not None
    ):
        raise BrokenMatch(ply, "a choice that plays by itself is missing")
    try:
        if isinstance(record.action, Undo):
            may_undo = record.actor == MODERATOR or 0 <= record.actor < match.seat_count
            if match.to_act == CHANCE or record.auto or not may_undo:
                raise IllegalAction("This cannot be undone now.")
            return match.undo(record.actor, record.action.kept_length)
        if isinstance(record.action, Reseal):
            return append_reseal(match, record)
        if is_deliberate:
            check_choice(match, record, None)
    except RulesError as error:
        raise BrokenMatch(ply, str(error)) from error
    if record.actor == CHANCE and not is_possible(match, record.action):
        raise BrokenMatch(ply, "chance may not do this now")
    has_known_draw = record.actor == CHANCE and match.deal_key.key is not None
    played = structs.replace(record, ends_turn=False)  # it may come from a history
    if (has_known_draw or record.auto) and played != next_automatic_record(match):
        raise BrokenMatch(ply, "the seed gives another outcome" if has_known_draw else "not a forced choice")
    return append_record(match, record)
