"""The long run: ``python -m tests.soak`` runs the test of each promise with its long count.

One line per promise: trials, failures, bound (3/n), time, seeded defects caught.  The exit code is 0 only if
every promise held and every seeded defect was caught.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.soak.promises import (
    COLUMNS,
    TITLES,
    Line,
    from_json,
    markdown,
    merged,
    replace_between,
    spell,
    summed,
    to_json,
)
from tests.soak.running import collected, run
from tests.soak.versions import commit, today, versions

WIDTHS = (4, 32, 10, 10, 9, 13, 16, 0)


def main() -> int:
    """Run, print, write."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="The promises' tests, long.")
    parser.add_argument(
        "--only", action="append", choices=TITLES, help="this promise's test alone; repeatable"
    )
    parser.add_argument("--file", action="append", help="the tests in this file alone; repeatable")
    parser.add_argument("--scale", type=float, default=1.0, help="the part of the long counts, as in 0.1")
    parser.add_argument("--counts", choices=("soak", "commit"), default="soak")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", type=Path, help="put the lines into this page's table (docs/trust.md)")
    given = parser.parse_args()
    environment = {"CAPTAINS_TABLE_TRIALS": given.counts, "CAPTAINS_TABLE_SCALE": str(given.scale)}
    began, when = time.monotonic(), _when(given.counts, given.scale)
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        directory = Path(name)
        wanted = given.only or list(TITLES)
        pieces = [
            piece
            for piece in collected(environment, directory)
            if piece.promise in wanted and piece.file in (given.file or [piece.file])
        ]
        _print(COLUMNS)
        parts = run(pieces, environment, directory, given.processes, when, lambda line: _print(line.cells()))
    names = [name for name in wanted if not given.file or any(part.name == name for part in parts)]
    told = [summed(name, [part for part in parts if part.name == name]) for name in names]
    for line in told:
        if not line.trials and not line.failures and not line.checks:
            _print(line.cells())
    for line in told:
        for error in line.errors:
            print(f"\n{line.name}: {error}", flush=True)
    print(f"\n{when}, {versions()}: {spell(time.monotonic() - began)}")
    if given.write is not None:
        _keep(given.write, parts, whole=not given.file)
    return 0 if told and all(line.good for line in told) else 1


def _keep(page: Path, parts: list[Line], *, whole: bool) -> None:
    """Put the table on the page; what it is made of is kept beside it."""
    kept = page.with_suffix(".json")
    old = from_json(kept.read_text(encoding="utf-8")) if kept.exists() else []
    lines = merged(old, parts, whole=whole)
    kept.write_text(to_json(lines), encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    page.write_text(replace_between(text, "soak", f"{versions()}.\n\n{markdown(lines)}"), encoding="utf-8")


def _print(cells: tuple[str, ...]) -> None:
    print(
        "  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip(), flush=True
    )


def _when(counts: str, scale: float) -> str:
    """The day and the commit, and what else there is to know of the counts."""
    part = "" if scale == 1 or counts == "commit" else f", scaled by {scale:g}"
    return f"{today()}, {commit()}{part}{', counts of each commit' if counts == 'commit' else ''}"


if __name__ == "__main__":
    sys.exit(main())
