"""Texts as quotations, with marks where something is left out."""

from collections.abc import Collection, Sequence
from typing import Final

OMISSION_MARK: Final = "…"
"""Stands where sentences or lines are left out."""
OMISSION_LINE: Final = f"> {OMISSION_MARK}"
"""Stands at the top where the first lines are left out."""


def quote(text: str) -> str:
    """Return a text as a quotation, line by line."""
    return "\n".join(f"> {line}" for line in text.splitlines())


def quote_newest(texts: Sequence[str], max_lines: int) -> list[str]:
    """Return the newest ``max_lines`` lines as quotations, with a mark before them if others are left out."""
    lines = [line for text in texts for line in quote(text).splitlines()]
    return lines if len(lines) <= max_lines else [OMISSION_LINE, *lines[-max_lines:]]


def quote_kept(lines: Sequence[str], kept_indexes: Collection[int]) -> str:
    """Return those lines that are kept as a quotation, with a mark where others are left out."""
    quoted_lines: list[str] = []
    for i, line in enumerate(lines):
        if i in kept_indexes:
            quoted_lines.append(quote(line))
        else:
            mark_omission(quoted_lines)
    return "\n".join(quoted_lines)


def mark_omission(lines: list[str]) -> None:
    """Mark that something is left out behind the last line; the mark is a line only if it comes first."""
    if not lines:
        lines.append(OMISSION_LINE)
    elif not lines[-1].endswith(OMISSION_MARK):
        lines[-1] += f" {OMISSION_MARK}"
