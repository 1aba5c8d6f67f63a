"""Which test kills which mutant: ``python -m tests.mutants``.

Each mutant is put into a scratch copy of the repository, one at a time; first the tests run that should
notice, and if it survives them all the others.  The exit code is 0 only if every mutant is killed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.mutants.mutants import MUTANTS, Mutant
from tests.repository_copy import copy_repository

_MAX_SECONDS: Final = 1800
_WITHOUT_SENSITIVITY_CHECKS: Final = ("-m", "not trust_test(sensitivity=True)")
"""Checks of seeded defects are left out: they may fail because of the mutant without noticing its fault."""
_FAILED_TEST_PATTERN: Final = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of one mutant."""

    mutant: Mutant
    killer: str
    """The first test that failed; empty if it survived."""
    is_expected: bool
    """Whether it was one of those that should have noticed."""
    seconds: float


def try_mutant(mutant: Mutant, *, runs_all_tests: bool = True) -> Verdict:
    """Try one mutant in a copy of its own; ``runs_all_tests``: if it survives its killers."""
    started_at = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutant-") as name:
        copy = Path(name)
        copy_repository(copy)
        file = copy / mutant.file
        file.write_text(mutated_source(mutant, file.read_text(encoding="utf-8")), encoding="utf-8")
        killer = _first_failure(copy, mutant.killers)
        is_expected = bool(killer)
        if not killer and runs_all_tests:
            killer = _first_failure(copy, ("--ignore=tests/bot/page", "tests"))
    return Verdict(mutant, killer, is_expected, time.monotonic() - started_at)


def mutated_source(mutant: Mutant, text: str) -> str:
    """Return the source with the fault.  Raises ValueError unless it has the old text exactly once."""
    if text.count(mutant.old) != 1:
        raise ValueError(f"{mutant.file} has {text.count(mutant.old)} times: {mutant.old}")
    return text.replace(mutant.old, mutant.new)


def _first_failure(copy: Path, arguments: tuple[str, ...]) -> str:
    """Return the first test that fails there, or an empty text."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-p",
        "no:cacheprovider",
        *_WITHOUT_SENSITIVITY_CHECKS,
        *arguments,
    ]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(
        command,
        cwd=copy,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        output, _ = process.communicate(timeout=_MAX_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return "no test ended in time"
    if process.returncode == 0:
        return ""
    failure = _FAILED_TEST_PATTERN.search(output)
    if process.returncode != 1 or failure is None:
        raise RuntimeError(f"pytest {' '.join(arguments)} ended with {process.returncode}:\n{output[-3000:]}")
    return failure[1]


def main() -> int:
    """Try the mutants and print what kills each."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Which test kills which.")
    parser.add_argument("--only", action="append", help="mutants whose name holds this text; repeatable")
    parser.add_argument("--quick", action="store_true", help="only the tests that should notice")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    name_parts = arguments.only
    mutants = [
        each for each in MUTANTS if name_parts is None or any(part in each.name for part in name_parts)
    ]
    verdicts = []
    with ThreadPoolExecutor(arguments.processes) as pool:
        for verdict in pool.map(
            lambda mutant: try_mutant(mutant, runs_all_tests=not arguments.quick), mutants
        ):
            verdicts.append(verdict)
            print("  ".join(_cells(verdict)), flush=True)
    killed_count = sum(bool(verdict.killer) for verdict in verdicts)
    print(f"\n{killed_count} of {len(verdicts)} mutants are killed.")
    return 0 if killed_count == len(verdicts) else 1


def _cells(verdict: Verdict) -> tuple[str, ...]:
    killer = f"`{verdict.killer.removeprefix('tests/')}`" if verdict.killer else "**survived**"
    unexpected = "" if verdict.is_expected or not verdict.killer else " (not foreseen)"
    return verdict.mutant.name, verdict.mutant.file, killer + unexpected, f"{verdict.seconds:.0f} s"


if __name__ == "__main__":
    sys.exit(main())
