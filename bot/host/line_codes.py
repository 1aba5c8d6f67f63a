"""A line of moves as short codes, for a button that has no room for their texts.

A code is a checksum of an action's text, so it means the only legal action, or played one, that has it.
"""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import Final

from bot.host.game_calls import choice_indexes_from, match_of
from bot.host.game_guard import guarded
from bot.host.table import Table
from rules.errors import RulesError
from rules.model import Action, Seat
from rules.notation import write_action

CODES_MARK: Final = "#"
"""Stands before the codes of a line; no action begins with it."""
_CHECKSUM_BYTES: Final = 3
_CODE_LENGTH: Final = 4


def write_codes(actions: Sequence[Action]) -> str:
    """Return the codes of a line, behind their mark."""
    return CODES_MARK + "".join(map(_code_of, actions))


def _code_of(action: Action) -> str:
    checksum = hashlib.blake2b(write_action(action).encode(), digest_size=_CHECKSUM_BYTES)
    return urlsafe_b64encode(checksum.digest()).decode()


@guarded
def read_codes(table: Table, seat: Seat, text: str, ply: int) -> tuple[Action, ...] | None:
    """Return the line that a button offered a seat at ``ply``: of legal actions, or later of played ones.

    None if the codes mean no such line.
    """
    codes = [text[i : i + _CODE_LENGTH] for i in range(len(CODES_MARK), len(text), _CODE_LENGTH)]
    match, actions = match_of(table), list[Action]()
    if ply != match.ply:
        indexes = choice_indexes_from(match, ply)[: len(codes)]
        actions = [match.history[index].action for index in indexes]
        return tuple(actions) if list(map(_code_of, actions)) == codes else None
    for code in codes:
        fitting = [action for action in match.legal_actions(seat) if _code_of(action) == code]
        if len(fitting) != 1:
            return None
        actions += fitting
        if len(actions) < len(codes):
            try:
                match = match.play_uninterrupted(seat, fitting[0])
            except RulesError:
                return None
    return tuple(actions)
