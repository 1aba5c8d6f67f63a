"""Which rulings of a game `docs/rulings.md` has, and which of them the game's tests name."""

import re
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[2] / "docs" / "rulings.md"


def ids_on_page(prefix: str) -> set[str]:
    """Return the ids with which rows of the page begin, such as CA7."""
    return set(re.findall(rf"^\| ({prefix}\d+) ", PAGE.read_text(encoding="utf-8"), re.MULTILINE))


def ids_in_tests(folder: Path, prefix: str) -> set[str]:
    """Return the ids that test files name in brackets, such as (CA7, CA8)."""
    return {
        ruling
        for path in folder.glob("test_*.py")
        for bracket in re.findall(rf"\(([^()]*\b{prefix}\d+[^()]*)\)", path.read_text(encoding="utf-8"))
        for ruling in re.findall(rf"\b{prefix}\d+", bracket)
    }
