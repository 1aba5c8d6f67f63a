"""The results of the trust tests, T1 to T21, as the long run prints them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import pytest

TRUST_TEST: Final = "trust_test"
TRIALS: Final = "trials"
"""Names of the properties that a test's report carries."""


@dataclass
class TrustTestResult:
    """The results of the tests that belong to one trust test."""

    trial_count: int = 0
    failure_count: int = 0
    """Tests that failed or were skipped."""
    seconds: float = 0.0
    """Of all workers together."""
    seeded_defect_count: int = 0
    caught_defect_count: int = 0
    """Seeded defects that a check has caught."""

    def add(self, report: pytest.TestReport, *, is_sensitivity_check: bool) -> None:
        """Count one test by its deciding report.

        ``is_sensitivity_check``: whether it is a check that the trust test can fail.
        """
        self.seconds += report.duration
        if is_sensitivity_check:
            self.seeded_defect_count += 1
            self.caught_defect_count += report.passed
        elif report.passed:
            properties: list[tuple[str, Any]] = list(report.user_properties)
            self.trial_count += sum(value for name, value in properties if name == TRIALS) or 1
        else:
            self.failure_count += 1

    def __str__(self) -> str:
        """Return the line of the report; no failure in n trials bounds the rate of failures at 3/n (95 %)."""
        bound = f"{3 / self.trial_count:.2g}" if self.trial_count and not self.failure_count else "-"
        return (
            f"{self.trial_count:>9,} trials  {self.failure_count:>2} failures  bound {bound:>8}"
            f"  {self.seconds / 60:>6.1f} min"
            f"  {self.caught_defect_count}/{self.seeded_defect_count} seeded defects caught"
        )


def trust_tests_of(source: pytest.Item | pytest.TestReport) -> list[tuple[str, bool]]:
    """Return the trust tests to which a test belongs, and whether it is the check that this one can fail."""
    properties: list[tuple[str, Any]] = list(source.user_properties)
    return [(value[0], value[1]) for name, value in properties if name == TRUST_TEST]


def deciding_reports(stats: dict[str, list[Any]]) -> list[pytest.TestReport]:
    """Return one report for each test that ran: of its call, or of the phase that failed or was skipped."""
    by_test: dict[str, pytest.TestReport] = {}
    for outcome in ("passed", "skipped", "failed", "error"):
        reports = (each for each in stats.get(outcome, ()) if isinstance(each, pytest.TestReport))
        by_test.update({report.nodeid: report for report in reports})
    return list(by_test.values())
