"""Saves two pictures that should be equal, and says where they differ."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, ImageChops, UnidentifiedImageError


def save_difference(folder: Path, name: str, shown: bytes | None, redrawn: bytes) -> str:
    """Save a picture as it was shown and as it was drawn again; return where, and which pixels differ.

    ``shown`` None: its bytes are not known any more.
    """
    folder.mkdir(parents=True, exist_ok=True)
    redrawn_path = folder / f"{name}-again.png"
    redrawn_path.write_bytes(redrawn)
    if shown is None:
        return f"only the second picture could be saved: {redrawn_path}"
    shown_path = folder / f"{name}-shown.png"
    shown_path.write_bytes(shown)
    return f"{_difference(shown, redrawn)}; see {shown_path} and {redrawn_path}"


def _difference(shown: bytes, redrawn: bytes) -> str:
    try:
        first, second = (Image.open(io.BytesIO(data)).convert("RGB") for data in (shown, redrawn))
    except (UnidentifiedImageError, OSError, SyntaxError) as error:
        return f"one of {len(shown)} and {len(redrawn)} bytes is no picture ({error})"
    if first.size != second.size:
        return f"their sizes differ: {first.size} and {second.size}"
    box = ImageChops.difference(first, second).getbbox()
    if box is None:
        return f"equal pixels in other bytes ({len(shown)} and {len(redrawn)})"
    return f"their pixels differ inside {box} (left, top, right, bottom)"
