"""Typesetting: makes texts legible in a face, measures them and fits them into a width."""

import threading
import unicodedata
from functools import lru_cache
from typing import Final

import font_source_sans_pro
import font_source_serif_pro
from anyascii import anyascii
from PIL import ImageFont, features

from render.scene import FittedText, Text, Typeface

_FONT_FILES: Final = {
    Typeface.SANS: font_source_sans_pro.SourceSansProSemibold,
    Typeface.BOLD: font_source_sans_pro.SourceSansProBold,
    Typeface.SERIF: font_source_serif_pro.SourceSerifProSemibold,
    Typeface.ITALIC: font_source_serif_pro.SourceSerifProSemiboldIt,
}
_MAX_NAME_LENGTH: Final = 60
"""Longest name of a player that is drawn."""
_MAX_TEXT_LENGTH: Final = 160
"""Longest text that is drawn; nothing longer fits into the width of a picture."""
_MEASURING_SIZE: Final = 100
"""Size at which texts are measured; widths are proportional to the size."""
_MISSING_CHARACTER: Final = "\U0010fffe"
"""A code point that no font has; it is drawn as the empty box."""
_measuring_lock = threading.Lock()
"""FreeType's faces are not safe for two threads."""


def has_kerning() -> bool:
    """Whether texts are laid out with kerning: for that Pillow needs the library FriBiDi of the system.

    Without it they are wider, so that more of them are made smaller or cut.
    """
    return bool(features.check_feature("raqm"))


def load_font(face: Typeface, size: int) -> ImageFont.FreeTypeFont:
    """Load a font; ``size``: pixels of its em."""
    return ImageFont.truetype(_FONT_FILES[face], size)


@lru_cache(maxsize=12)  # a font takes a third of a megabyte
def drawing_font(face: Typeface, size: int) -> ImageFont.FreeTypeFont:
    """Return the cached font that draws.  Only one thread may draw with it at a time."""
    return load_font(face, size)


@lru_cache(maxsize=len(Typeface))
def _measuring_font(face: Typeface) -> ImageFont.FreeTypeFont:
    """Return the font for measuring.  It is not one that draws, so that measuring never waits for drawing."""
    return load_font(face, _MEASURING_SIZE)


@lru_cache(maxsize=1024)
def _measure_unscaled_width(text: str, face: Typeface) -> float:
    """Return the width of a text at ``_MEASURING_SIZE``."""
    return _measuring_font(face).getlength(text)


def _measure_width(text: str, face: Typeface, size: float) -> float:
    return _measure_unscaled_width(text, face) * size / _MEASURING_SIZE


@lru_cache(maxsize=1024)
def _has_character(character: str, face: Typeface) -> bool:
    font = _measuring_font(face)
    missing_glyph = font.getmask(_MISSING_CHARACTER)
    glyph = font.getmask(character)
    return glyph.size != missing_glyph.size or bytes(glyph) != bytes(missing_glyph)


_INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Mc", "Me", "Zl", "Zp", "Zs"})


def make_legible(name: str, face: Typeface) -> str:
    """Return what the face can show of a name, at most 60 characters.

    The name is composed (NFC); combining marks and control characters are removed, and characters that the
    face lacks are transliterated.
    """
    with _measuring_lock:
        return _make_legible(name[: _MAX_NAME_LENGTH * 8], face)[:_MAX_NAME_LENGTH]


@lru_cache(maxsize=512)
def _make_legible(text: str, face: Typeface) -> str:
    legible: list[str] = []
    for character in unicodedata.normalize("NFC", text):
        if unicodedata.category(character) in _INVISIBLE_CATEGORIES:
            legible.append(" " if character.isspace() else "")
        elif _has_character(character, face):
            legible.append(character)
        else:
            legible.append(anyascii(character))
    return " ".join("".join(legible).split())


def _cut_legible(text: str, face: Typeface) -> str:
    """Return what the face can show of a text, at most ``_MAX_TEXT_LENGTH`` characters and an ellipsis."""
    legible = _make_legible(text[: _MAX_TEXT_LENGTH * 8], face)
    return legible if len(legible) <= _MAX_TEXT_LENGTH else f"{legible[:_MAX_TEXT_LENGTH].rstrip()}…"


@lru_cache(maxsize=2048)
def _fit_text(
    text: str, suffix: str, face: Typeface, size: float, min_size: float, max_width: float
) -> FittedText:
    text = _cut_legible(text, face)
    width = _measure_width(text + suffix, face, size)
    if width <= max_width:
        return FittedText(text + suffix, size, width)
    smallest = min(min_size, size)
    smaller_size = max(smallest, int(size * max_width / width * 4) / 4)
    width = _measure_width(text + suffix, face, smaller_size)
    while width > max_width and smaller_size > smallest:
        smaller_size = max(smallest, smaller_size - 0.25)
        width = _measure_width(text + suffix, face, smaller_size)
    while width > max_width and text:
        text = text[:-1].rstrip()
        width = _measure_width(f"{text}…{suffix}", face, smaller_size)
        if width <= max_width:
            return FittedText(f"{text}…{suffix}", smaller_size, width, is_cut=True)
    return FittedText(text + suffix, smaller_size, width, is_cut=width > max_width)


def fit_text(text: Text) -> FittedText:
    """Shrink a text until it fits into its ``max_width``, down to its ``min_size``, then cut it."""
    with _measuring_lock:
        return _fit_text(text.text, text.suffix, text.face, text.size, text.min_size, text.max_width)


def fits(text: str, face: Typeface, size: float, max_width: float) -> bool:
    """Whether a face can show a text unchanged, at this size within this width."""
    with _measuring_lock:
        return _cut_legible(text, face) == text and _measure_width(text, face, size) <= max_width
