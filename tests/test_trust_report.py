"""The report of the long run counts every test once and hides no failure."""

from typing import Literal, TypeAlias

import pytest

from tests.trust_report import TRIALS, TRUST_TEST, TrustTestResult, deciding_reports, trust_tests_of

Outcome: TypeAlias = Literal["passed", "failed", "skipped"]


def _report(
    test: str,
    when: Literal["call", "teardown"],
    outcome: Outcome,
    *,
    trial_count: int = 0,
    is_sensitivity_check: bool = False,
) -> pytest.TestReport:
    properties: list[tuple[str, object]] = [(TRUST_TEST, ["T3", is_sensitivity_check])]
    if trial_count:
        properties.append((TRIALS, trial_count))
    return pytest.TestReport(
        test, (test, None, test), {}, outcome, None, when, user_properties=properties, duration=30.0
    )


def _result(*reports: pytest.TestReport) -> TrustTestResult:
    result = TrustTestResult()
    for report in reports:
        for _, is_sensitivity_check in trust_tests_of(report):
            result.add(report, is_sensitivity_check=is_sensitivity_check)
    return result


def test_trials_and_defects_are_added() -> None:
    """Trials of tests add up, a test that gives no number made one, and seeded defects are counted apart."""
    result = _result(
        _report("a", "call", "passed", trial_count=200),
        _report("b", "call", "passed"),
        _report("c", "call", "passed", is_sensitivity_check=True),
        _report("d", "call", "failed", is_sensitivity_check=True),
    )
    assert (
        result.trial_count,
        result.failure_count,
        result.caught_defect_count,
        result.seeded_defect_count,
    ) == (201, 0, 1, 2)
    assert "bound    0.015" in str(result)


@pytest.mark.parametrize("outcome", ["failed", "skipped"])
def test_what_did_not_pass_is_a_failure(outcome: Outcome) -> None:
    """A failed or skipped test bounds no rate."""
    result = _result(
        _report("a", "call", "passed", trial_count=200), _report("b", "call", outcome, trial_count=200)
    )
    assert (result.trial_count, result.failure_count) == (200, 1)
    assert "bound        -" in str(result)


def test_a_failed_clean_up_fails_the_test() -> None:
    """Of several reports of one test the worst counts; a file that cannot be collected is no test."""
    passed, error = _report("a", "call", "passed"), _report("a", "teardown", "failed")
    broken = pytest.CollectReport("b.py", "failed", "cannot be read", [])
    assert deciding_reports({"passed": [passed], "error": [error, broken]}) == [error]
