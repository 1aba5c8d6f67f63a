"""Audits the locked versions with pip-audit, and says plainly what could not be audited.

``python tests/audit.py [--release] PATH-TO-PIP-AUDIT LOCK...`` ends with 1 if a known vulnerability was
found, with ``--release`` also if anything was not audited.  pip-audit alone calls a lock clean even if
it could look up none of its packages, so its report is read here.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class AuditResult(NamedTuple):
    """The result of the audit of one lock."""

    lines: list[str]
    is_vulnerable: bool = False
    is_complete: bool = True
    """Whether every package was looked up."""


def read_report(lock: str, report: Mapping[str, Any] | None) -> AuditResult:
    """Return the result of one lock from pip-audit's report; without a report nothing was audited."""
    if report is None:
        return AuditResult([f"NOT AUDITED: {lock}: no audit source could be reached."], is_complete=False)
    packages: Sequence[Mapping[str, Any]] = report["dependencies"]
    skipped = [each for each in packages if "skip_reason" in each]
    audited_count = len(packages) - len(skipped)
    if not audited_count:
        line = f"NOT AUDITED: {lock}: the audit source knows none of its {len(packages)} packages."
        return AuditResult([line], is_complete=False)
    lines = [f"{lock}: {audited_count} of {len(packages)} packages audited."]
    lines += [f"NOT AUDITED: {each['name']}" for each in skipped]
    vulnerabilities = [
        f"VULNERABLE: {each['name']} {each['version']}: {vulnerability['id']},"
        f" fixed in {fix_versions or 'no version yet'}"
        for each in packages
        for vulnerability in each.get("vulns", ())
        for fix_versions in [", ".join(vulnerability.get("fix_versions", ()))]
    ]
    return AuditResult(lines + vulnerabilities, is_vulnerable=bool(vulnerabilities), is_complete=not skipped)


def run_audit(tool: str, lock: str) -> Mapping[str, Any] | None:
    """Return pip-audit's report on a lock; None if it could make none."""
    command = [tool, "--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off"]
    try:
        completed = subprocess.run(
            [*command, "--requirement", lock], capture_output=True, text=True, timeout=300, check=False
        )
        report: Mapping[str, Any] = json.loads(completed.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    return report


def main(arguments: Sequence[str]) -> int:
    """Audit and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="audit")
    parser.add_argument("--release", action="store_true", help="fail if anything was not audited")
    parser.add_argument("tool")
    parser.add_argument("locks", nargs="+", metavar="lock")
    options = parser.parse_args(arguments)
    results = [read_report(lock, run_audit(options.tool, lock)) for lock in options.locks]
    print("\n".join(line for result in results for line in result.lines))
    is_complete = all(result.is_complete for result in results)
    if options.release and not is_complete:
        print("Do not release: audit every package first.")
        return 1
    return 1 if any(result.is_vulnerable for result in results) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
