"""The long run: every test with its long counts, a line for each trust test, and JUnit files of the results.

``make soak ARGUMENTS="--only T7 --scale 0.1"`` runs one trust test with a tenth of the long counts,
``--left-out`` those that ``make test`` leaves out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.trials import SOAK_ONLY

RESULTS_FOLDER: Final = Path("build/soak")
SEPARATE_TRUST_TEST: Final = "T15"
SEPARATE_FILE: Final = "tests/bot/e2e/test_soak.py"
"""It measures memory and the time of answers, so nothing else runs beside it."""


def main() -> int:
    """Run the tests; return 0 only if all passed."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="The long run.")
    parser.add_argument("--only", action="append", help="this trust test, as in T7; repeatable")
    parser.add_argument("--left-out", action="store_true", help="the tests that make test leaves out")
    parser.add_argument("--scale", type=float, default=1.0, help="the part of the long counts, as in 0.1")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    RESULTS_FOLDER.mkdir(parents=True, exist_ok=True)
    workers = ("-n", str(arguments.workers), "--dist")
    if arguments.left_out:
        return _run_pytest(arguments.scale, "left-out", *workers, "loadfile", "-m", SOAK_ONLY)
    exit_codes = []
    if arguments.only is None or SEPARATE_TRUST_TEST in arguments.only:
        exit_codes.append(_run_pytest(arguments.scale, "alone", "--trust-test", SEPARATE_TRUST_TEST))
    others = [name for name in arguments.only or () if name != SEPARATE_TRUST_TEST]
    if arguments.only is None or others:
        selection = [f"--trust-test={name}" for name in others] or ["--ignore", SEPARATE_FILE]
        exit_codes.append(_run_pytest(arguments.scale, "others", *workers, "worksteal", *selection))
    return max(exit_codes)


def _run_pytest(scale: float, name: str, *arguments: str) -> int:
    trial_variables = {"TRIALS": "soak", "TRIALS_SCALE": str(scale)}
    command = [sys.executable, "-m", "pytest", f"--junitxml={RESULTS_FOLDER / name}.xml", *arguments]
    return subprocess.run(command, env={**os.environ, **trial_variables}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
