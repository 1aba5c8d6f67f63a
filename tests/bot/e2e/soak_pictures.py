"""Saves two pictures that should be equal, and says where they differ."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, ImageChops, UnidentifiedImageError


def save_difference(directory: Path, name: str, shown: bytes | None, again: bytes) -> str:
    """Save a picture as it was shown and as it was drawn again; return where, and which pixels differ.

    ``shown`` None: its bytes are not known any more.
    """
    directory.mkdir(parents=True, exist_ok=True)
    saved = directory / f"{name}-again.png"
    saved.write_bytes(again)
    if shown is None:
        return f"only the second picture could be saved: {saved}"
    first = directory / f"{name}-shown.png"
    first.write_bytes(shown)
    return f"{_difference(shown, again)}; see {first} and {saved}"


def _difference(shown: bytes, again: bytes) -> str:
    try:
        first, second = (Image.open(io.BytesIO(data)).convert("RGB") for data in (shown, again))
    except (UnidentifiedImageError, OSError, SyntaxError) as error:
        return f"one of {len(shown)} and {len(again)} bytes is no picture ({error})"
    if first.size != second.size:
        return f"their sizes differ: {first.size} and {second.size}"
    box = ImageChops.difference(first, second).getbbox()
    if box is None:
        return f"equal pixels in other bytes ({len(shown)} and {len(again)})"
    return f"their pixels differ inside {box} (left, top, right, bottom)"
