"""Short ids of errors: each is shown to a player as a reference, and stands in the log line on the error."""

import secrets
from collections import OrderedDict
from typing import Final

_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without characters that are mistaken for another when read aloud or copied by hand."""
ERROR_ID_LENGTH: Final = 5
MAX_RECENT_IDS: Final = 20_000
"""How many of the newest ids are not given again; 24 million are possible."""

_recent_ids: OrderedDict[str, None] = OrderedDict()


def new_error_id() -> str:
    """Return a random id that is none of the newest ``MAX_RECENT_IDS``."""
    while True:
        error_id = "".join(secrets.choice(_ALPHABET) for _ in range(ERROR_ID_LENGTH))
        if error_id not in _recent_ids:
            _recent_ids[error_id] = None
            if len(_recent_ids) > MAX_RECENT_IDS:
                _recent_ids.popitem(last=False)
            return error_id
