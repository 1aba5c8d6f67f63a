"""Each ruling of the page has a test that names it."""

import re
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
PAGE: Final = FOLDER.parents[2] / "docs" / "rulings.md"


def test_every_ruling_is_tested() -> None:
    """The ids on the page are those that the tests of this folder name."""
    on_page = set(re.findall(r"^\| (AC\d+) ", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        ruling
        for path in FOLDER.glob("test_*.py")
        for named in re.findall(r"\(([^()]*\bAC\d+[^()]*)\)", path.read_text(encoding="utf-8"))
        for ruling in re.findall(r"\bAC\d+", named)
    }
    assert len(on_page) > 30
    assert named == on_page
