"""The eighteen tests of the promises, and what each line of the long run's table says."""

from __future__ import annotations

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


def markdown(lines: list[Line], heading: str) -> str:
    """The table for docs/trust.md."""
    rows = [COLUMNS, tuple("---" for _ in COLUMNS), *(line.cells() for line in lines)]
    return "\n".join([heading, "", *("| " + " | ".join(row) + " |" for row in rows)])


def replace_between(text: str, name: str, new: str) -> str:
    """Put ``new`` between the page's marks ``<!-- name -->`` and ``<!-- end of name -->``.

    ValueError where the page has no such marks.
    """
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    head, found, rest = text.partition(start)
    _, ended, tail = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"no {start} ... {end}")
    return f"{head}{start}\n\n{new}\n\n{end}{tail}"
