"""Short references: what a person is told, and what finds the one log line about it."""

import secrets
from collections import OrderedDict
from typing import Final

_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""None that is taken for another when it is read aloud or copied by hand."""
LENGTH: Final = 5
REMEMBERED: Final = 20_000
"""So many are not given again; of 24 million few are given twice in the life of a log."""

_given: OrderedDict[str, None] = OrderedDict()


def new_error_id() -> str:
    """A reference that is none of the newest ``REMEMBERED``; it follows from nothing."""
    while True:
        error_id = "".join(secrets.choice(_LETTERS) for _ in range(LENGTH))
        if error_id not in _given:
            _given[error_id] = None
            if len(_given) > REMEMBERED:
                _given.popitem(last=False)
            return error_id
