"""Runs the promises' tests in pytest processes and gathers what they report."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.soak.promises import TITLES, Line, summed

REPOSITORY: Final = Path(__file__).parents[2]
ALONE: Final = ("T15",)
"""It measures memory and the time of answers: nothing else runs beside it, and it comes first."""
FIRST: Final = ("T7", "T8", "T11", "T1", "T14")
"""The longest, so that both cores stay busy to the end."""
LONGEST: Final = 6 * 3600
"""Seconds that one file's tests of one promise may take."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The tests of one promise in one file: one pytest process."""

    promise: str
    file: str
    tests: tuple[tuple[str, bool], ...]
    """(Node id, whether it is a sensitivity check)."""


def collected(environment: Mapping[str, str], directory: Path) -> list[Piece]:
    """Which tests there are.  RuntimeError if they cannot be collected."""
    report = directory / "collected.jsonl"
    done = _pytest(["--collect-only", "--report-promises", str(report), "-m", "promise"], environment)
    if done.returncode:
        raise RuntimeError(done.stdout[-4000:])
    pieces: dict[tuple[str, str], list[tuple[str, bool]]] = {}
    for line in _lines(report):
        key = line["promise"], line["test"].partition("::")[0]
        pieces.setdefault(key, []).append((line["test"], line["sensitivity"]))
    return [Piece(*key, tuple(tests)) for key, tests in pieces.items()]


def ordered(pieces: Iterable[Piece]) -> list[Piece]:
    """Those that must be alone, then the longest, else as they are numbered."""
    order = [*FIRST, *(name for name in TITLES if name not in FIRST)]
    return sorted(pieces, key=lambda piece: (piece.promise not in ALONE, order.index(piece.promise)))


def run(
    pieces: list[Piece],
    environment: Mapping[str, str],
    directory: Path,
    processes: int,
    when: str,
    tell: Callable[[Line], None],
) -> list[Line]:
    """Run everything; ``tell`` is called with a promise's line as soon as its last test has ended.

    ``when``: the day and the commit, for the lines.
    """
    parts: list[Line] = []
    lock = threading.Lock()

    def one(piece: Piece) -> None:
        report = directory / f"{pieces.index(piece)}.jsonl"
        arguments = ["--promise", piece.promise, "--report-promises", str(report), piece.file]
        output = _pytest(arguments, environment).stdout
        report.with_suffix(".log").write_text(output, encoding="utf-8")
        with lock:
            part = read(piece, list(_lines(report)), output)
            part.run = when
            parts.append(part)
            done = [part for part in parts if part.name == piece.promise]
            if len(done) == sum(each.promise == piece.promise for each in pieces):
                tell(summed(piece.promise, done))

    for piece in ordered(pieces):
        if piece.promise in ALONE:
            one(piece)
    together = [piece for piece in ordered(pieces) if piece.promise not in ALONE]
    waiting: queue.SimpleQueue[Piece] = queue.SimpleQueue()
    for piece in together:
        waiting.put(piece)

    def work() -> None:
        while True:
            try:
                piece = waiting.get_nowait()
            except queue.Empty:
                return
            one(piece)

    workers = [threading.Thread(target=work) for _ in range(processes)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return parts


def _pytest(arguments: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    try:
        return subprocess.run(
            command,
            cwd=REPOSITORY,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=LONGEST,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, f"took longer than {LONGEST} s", "")


def _lines(report: Path) -> Iterable[dict[str, Any]]:
    if report.exists():
        for text in report.read_text(encoding="utf-8").splitlines():
            yield json.loads(text)


def read(piece: Piece, told: list[dict[str, Any]], output: str) -> Line:
    """What one process told; a test that was collected and told nothing has failed."""
    line = Line(piece.promise, piece.file)
    by_test: dict[str, list[dict[str, Any]]] = {}
    for each in told:
        if each["what"] != "collected":
            by_test.setdefault(each["test"], []).append(each)
    for test, sensitivity in piece.tests:
        phases = by_test.get(test, [])
        outcomes = [phase["outcome"] for phase in phases]
        finished = any(phase["what"] == "teardown" for phase in phases)
        passed = finished and set(outcomes) == {"passed"}
        skipped = finished and not passed and set(outcomes) <= {"passed", "skipped"}
        line.seconds += sum(phase["seconds"] for phase in phases)
        if sensitivity:
            line.checks += 1
            line.caught += passed
        else:
            counted = max((phase["trials"] for phase in phases), default=0)
            line.trials += counted or (1 if passed else 0)
            line.skipped += skipped
            line.failures += not passed and not skipped
        if not passed:
            error = "\n".join(phase["error"] for phase in phases if phase["error"])
            line.errors.append(f"{test}\n{error or output[-2000:]}")
    return line
