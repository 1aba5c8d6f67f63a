"""Audits the locked versions with pip-audit, and says plainly what could not be audited.

pip-audit alone calls a lock clean of which it could look nothing up, so its report is read here:
``python tests/audit.py PATH-TO-PIP-AUDIT LOCK...``.  Ends with 1 where a known vulnerability was found.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any


def report_text(lock: str, report: Mapping[str, Any] | None) -> tuple[list[str], bool]:
    """What to say of one lock's report (None: there is none), and whether all is well as far as is known."""
    if report is None:
        return [f"NOT AUDITED: {lock}: no audit source could be reached."], True
    packages: Sequence[Mapping[str, Any]] = report["dependencies"]
    skipped = [each for each in packages if "skip_reason" in each]
    looked_up = len(packages) - len(skipped)
    if not looked_up:
        return [f"NOT AUDITED: {lock}: the audit source knows none of its {len(packages)} packages."], True
    lines = [f"{lock}: {looked_up} of {len(packages)} packages audited."]
    lines += [f"NOT AUDITED: {each['name']}" for each in skipped]
    found = [
        f"VULNERABLE: {each['name']} {each['version']}: {flaw['id']}, mended in {fixes or 'no version yet'}"
        for each in packages
        for flaw in each.get("vulns", ())
        for fixes in [", ".join(flaw.get("fix_versions", ()))]
    ]
    return lines + found, not found


def run_audit(tool: str, lock: str) -> Mapping[str, Any] | None:
    """pip-audit's report on a lock; None if it could make none."""
    command = [tool, "--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off"]
    try:
        done = subprocess.run(
            [*command, "--requirement", lock], capture_output=True, text=True, timeout=300, check=False
        )
        report: Mapping[str, Any] = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    return report


def main(tool: str, locks: Sequence[str]) -> int:
    """Audit and print; returns the exit code."""
    well = True
    for lock in locks:
        lines, good = report_text(lock, run_audit(tool, lock))
        print("\n".join(lines))
        well = well and good
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
