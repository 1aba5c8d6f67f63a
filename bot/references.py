"""Short references: what a person is told, and what finds the one log line about it."""

import secrets
from typing import Final

_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""None that is taken for another when it is read aloud or copied by hand."""
LENGTH: Final = 5

_given: set[str] = set()


def new_reference() -> str:
    """A reference that this process has not given yet."""
    while True:
        reference = "".join(secrets.choice(_LETTERS) for _ in range(LENGTH))
        if reference not in _given:
            _given.add(reference)
            return reference
