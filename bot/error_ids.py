"""Short error ids: shown to a player as a reference, and logged with the one line that explains it."""

import secrets
from collections import OrderedDict
from typing import Final

_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without characters that are mistaken for another when read aloud or copied by hand."""
LENGTH: Final = 5
MAX_REMEMBERED: Final = 20_000
"""How many ids are not given again; of 24 million few are given twice in the life of a log."""

_recent: OrderedDict[str, None] = OrderedDict()


def new_error_id() -> str:
    """Return a random id that is none of the newest ``MAX_REMEMBERED``."""
    while True:
        error_id = "".join(secrets.choice(_ALPHABET) for _ in range(LENGTH))
        if error_id not in _recent:
            _recent[error_id] = None
            if len(_recent) > MAX_REMEMBERED:
                _recent.popitem(last=False)
            return error_id
