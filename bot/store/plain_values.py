"""Stored values as dicts, lists and texts, for the export of what is stored about a person."""

import enum
from typing import Any, Final, TypeAlias

import msgspec

from bot.store.damaged_texts import DECODING_ERRORS

UNREADABLE: Final = "damaged: this cannot be read"
"""Stands in the place of a damaged value."""
Entry: TypeAlias = dict[str, Any]
"""One thing that is stored about a person."""


def decode_value(encoded: bytes | None, value_type: Any) -> Any:
    """Return a stored value; None for None, ``UNREADABLE`` for a damaged one."""
    if encoded is None:
        return None
    try:
        return msgspec.msgpack.decode(encoded, type=value_type)
    except DECODING_ERRORS:
        return UNREADABLE


def own_plain_value(value: Any, user: int) -> Any:
    """Return the plain form of a decoded value with a ``user`` if it is this user's, else None."""
    return plain_value(value) if value == UNREADABLE or getattr(value, "user", None) == user else None


def plain_value(value: Any) -> Any:
    """Return a decoded value made of dicts, lists and plain values, under the names that our code uses."""
    if isinstance(value, msgspec.Struct):
        return {name: plain_value(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, tuple):
        return [plain_value(each) for each in value]
    return value.value if isinstance(value, enum.Enum) else value
