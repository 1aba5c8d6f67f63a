"""Secrets, and the encodings in which they may stand in a text."""

import base64
from collections.abc import Sequence


def _encodings_of(secret: bytes | str) -> tuple[str, ...]:
    """Return the encodings in which a secret may stand in a text."""
    raw = secret.encode() if isinstance(secret, str) else secret
    encodings = [raw.hex(), base64.b64encode(raw).decode(), repr(raw)[2:-1], str(list(raw))]
    return (*encodings, secret) if isinstance(secret, str) else tuple(encodings)


def find_secrets(text: str, secrets: Sequence[bytes | str]) -> list[str]:
    """Return the encodings of secrets that a text holds."""
    return [each for secret in secrets for each in _encodings_of(secret) if each in text]
