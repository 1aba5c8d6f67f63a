"""The audit of the locked versions: what was not looked up is never called clean."""

from typing import Any

import pytest

from tests.audit import main, report_text

_FLAW = {"id": "PYSEC-1", "fix_versions": ["2.0"]}


@pytest.mark.parametrize(
    ("dependencies", "well", "words"),
    [
        ([{"name": "a", "version": "1", "vulns": []}], True, "1 of 1 packages audited"),
        ([{"name": "a", "version": "1", "vulns": [_FLAW]}], False, "VULNERABLE: a 1: PYSEC-1, mended in 2.0"),
        ([{"name": "a", "skip_reason": "unknown"}], True, "NOT AUDITED: lock"),
        (
            [{"name": "a", "skip_reason": "unknown"}, {"name": "b", "version": "1", "vulns": []}],
            True,
            "NOT AUDITED: a",
        ),
    ],
)
def test_report_text(dependencies: list[dict[str, Any]], well: bool, words: str) -> None:  # noqa: FBT001 - a case
    """A flaw fails the audit; whatever could not be looked up is named."""
    lines, good = report_text("lock", {"dependencies": dependencies})
    assert good is well
    assert words in "\n".join(lines)


def test_without_a_tool(capsys: pytest.CaptureFixture[str]) -> None:
    """Where pip-audit cannot run, that is said and nothing fails."""
    assert main("/nonexistent/pip-audit", ["requirements.lock"]) == 0
    assert "NOT AUDITED: requirements.lock" in capsys.readouterr().out
