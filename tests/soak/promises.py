"""The eighteen tests of the promises, and what each line of the long run's table says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
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
    """What came of one promise's tests, or of those in one file."""

    name: str
    file: str = ""
    """Empty: all of them."""
    trials: int = 0
    failures: int = 0
    skipped: int = 0
    seconds: float = 0.0
    """Of the tests themselves, both processes added."""
    caught: int = 0
    checks: int = 0
    """Sensitivity checks: how many seeded defects were caught, of how many."""
    errors: list[str] = field(default_factory=list)
    run: str = ""
    """On which day and at which commit."""

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
            self.run,
        )


COLUMNS: Final = ("test", "what", "trials", "failures", "bound", "time", "defects caught", "run")


def spell(seconds: float) -> str:
    """A length of time in minutes and seconds, or hours and minutes."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def summed(name: str, parts: Iterable[Line]) -> Line:
    """The line of a promise out of those of its files."""
    whole, runs = Line(name), dict[str, None]()
    for part in parts:
        whole.trials += part.trials
        whole.failures += part.failures
        whole.skipped += part.skipped
        whole.seconds += part.seconds
        whole.caught += part.caught
        whole.checks += part.checks
        whole.errors += part.errors
        runs[part.run] = None
    whole.run = "; ".join(runs)
    return whole


def markdown(parts: Sequence[Line]) -> str:
    """The table for docs/trust.md, a row per promise."""
    told = [
        summed(name, of_name) for name in TITLES if (of_name := [part for part in parts if part.name == name])
    ]
    rows = (COLUMNS, tuple("---" for _ in COLUMNS), *(line.cells() for line in told))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def merged(kept: Iterable[Line], new: Sequence[Line], *, whole: bool) -> list[Line]:
    """What was run before and now, the newest of each file.

    ``whole``: these promises were run in all their files.
    """
    names, files = {part.name for part in new}, {(part.name, part.file) for part in new}
    old = [
        part for part in kept if (part.name not in names if whole else (part.name, part.file) not in files)
    ]
    order = list(TITLES)
    return sorted((*old, *new), key=lambda part: (order.index(part.name), part.file))


def to_json(parts: Iterable[Line]) -> str:
    """What is kept beside the page, so that a later run of one file can be added; errors are not."""
    kept = [{key: value for key, value in asdict(part).items() if key != "errors"} for part in parts]
    return "[\n" + ",\n".join(json.dumps(each) for each in kept) + "\n]\n"


def from_json(text: str) -> list[Line]:
    """As ``to_json`` wrote it.  TypeError, ValueError for anything else."""
    return [Line(**each) for each in json.loads(text)]


def replace_between(text: str, name: str, new: str) -> str:
    """Put ``new`` between the page's marks ``<!-- name -->`` and ``<!-- end of name -->``.

    ValueError where the page has no such marks.
    """
    head, tail = _parted(text, name)
    return f"{head}\n\n{new}\n\n{tail}"


def _parted(text: str, name: str) -> tuple[str, str]:
    """The page up to the first mark, and from the second one on."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    head, found, rest = text.partition(start)
    _, ended, tail = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"no {start} ... {end}")
    return head + start, end + tail
