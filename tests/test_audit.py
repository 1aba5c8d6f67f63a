"""The audit of the locked versions: what was not looked up is never called clean, and stops a release."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from tests.audit import main
from tests.trials import WAIT_TIMEOUT

REPOSITORY: Final = Path(__file__).parents[1]
_VULNERABILITY: Final = {"id": "PYSEC-1", "fix_versions": ["2.0"]}
_CLEAN: Final = {"name": "a", "version": "1", "vulns": []}
_VULNERABLE: Final = {"name": "a", "version": "1", "vulns": [_VULNERABILITY]}
_SKIPPED: Final = {"name": "b", "skip_reason": "unknown"}


def write_fake_tool(folder: Path, *dependencies: dict[str, Any]) -> str:
    """Write a program that reports as pip-audit does, also by its exit code; return its path."""
    report = json.dumps({"dependencies": dependencies, "fixes": []})
    code = int(any(each.get("vulns") for each in dependencies))
    tool = folder / "pip-audit"
    tool.write_text(f"#!/bin/sh\necho '{report}'\nexit {code}\n", encoding="utf-8")
    tool.chmod(0o700)
    return str(tool)


@pytest.mark.parametrize(
    ("dependencies", "code", "release_code", "printed_text"),
    [
        ([_CLEAN], 0, 0, "1 of 1 packages audited"),
        ([_VULNERABLE], 1, 1, "VULNERABLE: a 1: PYSEC-1, fixed in 2.0"),
        ([_SKIPPED], 0, 1, "NOT AUDITED: some.lock: the audit source knows none of its 1 packages."),
        ([_SKIPPED, _CLEAN], 0, 1, "NOT AUDITED: b"),
        ([_SKIPPED, _VULNERABLE], 1, 1, "VULNERABLE: a 1"),
    ],
)
def test_the_exit_code_follows_the_report(
    dependencies: list[dict[str, Any]],
    code: int,
    release_code: int,
    printed_text: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A known flaw always fails; what was not looked up is named and fails a release."""
    tool = write_fake_tool(tmp_path, *dependencies)
    assert main([tool, "some.lock"]) == code
    assert printed_text in capsys.readouterr().out
    assert main(["--release", tool, "some.lock"]) == release_code
    is_refused = "Do not release" in capsys.readouterr().out
    assert is_refused is (_SKIPPED in dependencies)


def test_without_a_tool_nothing_is_audited(capsys: pytest.CaptureFixture[str]) -> None:
    """Where pip-audit cannot run, that is said; only a release fails."""
    missing = ["/nonexistent/pip-audit", "requirements.lock"]
    assert main(missing) == 0
    assert "NOT AUDITED: requirements.lock" in capsys.readouterr().out
    assert main(["--release", *missing]) == 1


@pytest.mark.parametrize(
    ("target", "dependencies", "code"),
    [
        ("audit", [_CLEAN], 0),
        ("audit", [_SKIPPED], 0),
        ("audit", [_VULNERABLE], 2),
        ("audit-release", [_CLEAN], 0),
        ("audit-release", [_SKIPPED], 2),
    ],
)
def test_make_ends_as_the_audit_does(
    target: str, dependencies: list[dict[str, Any]], code: int, tmp_path: Path
) -> None:
    """``make audit`` passes where nothing could be looked up; ``make audit-release`` does not."""
    (tmp_path / "bin").mkdir()
    write_fake_tool(tmp_path / "bin", *dependencies)
    completed = subprocess.run(
        ["make", "--no-print-directory", target, f"AUDIT={tmp_path}"],
        cwd=REPOSITORY,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
        timeout=WAIT_TIMEOUT,
        check=False,
    )
    assert completed.returncode == code, completed.stdout + completed.stderr
    assert ("NOT AUDITED" in completed.stdout) is (_SKIPPED in dependencies)
