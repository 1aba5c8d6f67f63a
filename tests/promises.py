"""The results of each promise's tests, as the long run prints them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import pytest

PROMISE: Final = "promise"
TRIALS: Final = "trials"
"""Names of the properties that a test's report carries."""


@dataclass
class PromiseResult:
    """The results of the tests of one promise."""

    trials: int = 0
    failures: int = 0
    """Tests that failed or were skipped."""
    seconds: float = 0.0
    """Of all workers together."""
    seeded_defects: int = 0
    caught_defects: int = 0
    """Seeded defects that a check has caught."""

    def add(self, report: pytest.TestReport, *, is_sensitivity_check: bool) -> None:
        """Count one test by the last report of it.

        ``is_sensitivity_check``: whether it is a check that the promise's tests can fail.
        """
        self.seconds += report.duration
        if is_sensitivity_check:
            self.seeded_defects += 1
            self.caught_defects += report.passed
        elif report.passed:
            properties: list[tuple[str, Any]] = list(report.user_properties)
            self.trials += sum(value for name, value in properties if name == TRIALS) or 1
        else:
            self.failures += 1

    def __str__(self) -> str:
        """Return the line of the report; no failure in n trials bounds the rate of failures at 3/n (95 %)."""
        bound = f"{3 / self.trials:.2g}" if self.trials and not self.failures else "-"
        return (
            f"{self.trials:>9,} trials  {self.failures:>2} failures  bound {bound:>8}"
            f"  {self.seconds / 60:>6.1f} min"
            f"  {self.caught_defects}/{self.seeded_defects} seeded defects caught"
        )


def promises_of(source: pytest.Item | pytest.TestReport) -> list[tuple[str, bool]]:
    """Return the promises of a test, and whether it is the check that their tests can fail."""
    properties: list[tuple[str, Any]] = list(source.user_properties)
    return [(value[0], value[1]) for name, value in properties if name == PROMISE]


def last_reports(stats: dict[str, list[Any]]) -> list[pytest.TestReport]:
    """Return one report for each test that ran: of its call, or of the phase that failed or was skipped."""
    by_test: dict[str, pytest.TestReport] = {}
    for outcome in ("passed", "skipped", "failed", "error"):
        reports = (each for each in stats.get(outcome, ()) if isinstance(each, pytest.TestReport))
        by_test.update({report.nodeid: report for report in reports})
    return list(by_test.values())
