"""The eighteen tests of the promises, and what each line of the long run's table says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

TITLES: Final = {
    "T1": "kill -9 at random instants",
    "T2": "crash at named points",
    "T3": "power loss",
    "T4": "the same interaction again",
    "T5": "many answers to one question",
    "T6": "cancellation at random awaits",
    "T7": "nothing tells a secret",
    "T8": "full games, saved and taken up",
    "T9": "same game, same bytes",
    "T10": "golden games replay",
    "T11": "stateful test of a table",
    "T12": "malformed input",
    "T13": "hostile names and texts",
    "T14": "the platform's faults",
    "T15": "soak: 40 tables, 160 players",
    "T16": "authority matrix",
    "T17": "canary secrets",
    "T18": "backup and restore",
}


@dataclass
class Line:
    """What came of one promise's tests."""

    name: str
    trials: int = 0
    failures: int = 0
    skipped: int = 0
    seconds: float = 0.0
    """Of the tests themselves, both processes added."""
    caught: int = 0
    checks: int = 0
    """Sensitivity checks: how many seeded defects were caught, of how many."""
    errors: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether the promise was tested, held, and its test was shown to be able to fail."""
        return self.trials > 0 and not self.failures and not self.skipped and self.caught == self.checks

    @property
    def bound(self) -> str:
        """The rule of three: no failure in n trials bounds the rate at 3/n (with 95 % confidence)."""
        return f"{3 / self.trials:.2g}" if self.trials and not self.failures else "-"

    def cells(self) -> tuple[str, ...]:
        """The line as text, column by column."""
        failures = str(self.failures) + (f" ({self.skipped} skipped)" if self.skipped else "")
        checks = f"{self.caught} / {self.checks}" if self.checks else "none"
        if not self.trials and not self.failures and not self.checks:
            return self.name, TITLES[self.name], "no test", "", "", "", ""
        return (
            self.name,
            TITLES[self.name],
            f"{self.trials:,}",
            failures,
            self.bound,
            spell(self.seconds),
            checks,
        )


COLUMNS: Final = ("test", "what", "trials", "failures", "bound", "time", "defects caught")


def spell(seconds: float) -> str:
    """A length of time in minutes and seconds, or hours and minutes."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def markdown(lines: Sequence[Line], when: str, page: str = "") -> str:
    """The table for docs/trust.md: these lines, run at ``when``; all others as ``page`` has them."""
    rows = {row[0]: row for row in _rows(page)}
    rows |= {line.name: (*line.cells(), when) for line in lines}
    told = [rows[name] for name in TITLES if name in rows]
    head = (*COLUMNS, "run")
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, tuple("---" for _ in head), *told))


def _rows(page: str) -> Iterator[tuple[str, ...]]:
    for text in page.splitlines():
        cells = tuple(cell.strip() for cell in text.strip("|").split("|"))
        if cells[0] in TITLES and len(cells) == len(COLUMNS) + 1:
            yield cells


def replace_between(text: str, name: str, new: str) -> str:
    """Put ``new`` between the page's marks ``<!-- name -->`` and ``<!-- end of name -->``.

    ValueError where the page has no such marks.
    """
    head, _, tail = _parted(text, name)
    return f"{head}\n\n{new}\n\n{tail}"


def between(text: str, name: str) -> str:
    """What stands between the page's marks.  ValueError as ``replace_between``."""
    return _parted(text, name)[1]


def _parted(text: str, name: str) -> tuple[str, str, str]:
    """The page up to the first mark, what is between, and from the second mark on."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    head, found, rest = text.partition(start)
    old, ended, tail = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"no {start} ... {end}")
    return head + start, old, end + tail
