"""Which test holds which promise, how many trials it made, and a report of it for ``make soak``.

A test of the promises carries ``@pytest.mark.promise("T7")``; the check that such a test can fail carries
``@pytest.mark.promise("T7", sensitivity=True)``.  The fixture ``trials_done`` takes the number of trials.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

import pytest

LONGEST: Final = (
    "tests/bot/e2e/test_soak.py",
    "tests/conformance/test_conformance.py",
    "tests/bot/e2e/test_platform.py",
    "tests/bot/host/test_leaks.py",
    "tests/bot/e2e/test_refusals.py",
    "tests/bot/trust/test_requests.py",
)
"""The files that take minutes: they begin first, so that all cores are busy to the end."""
PROMISED: Final = "promise"
TRIALS: Final = "trials"
MARKER: Final = (
    'promise(name, sensitivity=False): the test "T1" to "T18" of the promises that this belongs to'
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the long run."""
    group = parser.getgroup("promises")
    group.addoption("--promise", help="run the tests of one promise alone, as in --promise T7")
    group.addoption("--report-promises", type=Path, help="append what the promises' tests did to this file")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known, and write a report if one is asked for."""
    config.addinivalue_line("markers", MARKER)
    path = config.getoption("--report-promises", default=None)
    if path is not None:
        config.pluginmanager.register(_Report(path), "report-promises")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Note what each test promises; put long files first; keep one promise's tests where one is asked for."""
    for item in items:
        for marker in item.iter_markers(PROMISED):
            (name,) = marker.args
            item.user_properties.append((PROMISED, [name, bool(marker.kwargs.get("sensitivity"))]))
    items.sort(key=_turn)
    wanted = config.getoption("--promise", default=None)
    if wanted is None:
        return
    dropped = [item for item in items if all(name != wanted for name, _ in _promised(item.user_properties))]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in dropped]


def _turn(item: pytest.Item) -> int:
    file = item.nodeid.partition("::")[0]
    return LONGEST.index(file) if file in LONGEST else len(LONGEST)


@pytest.fixture
def trials_done(request: pytest.FixtureRequest) -> Callable[[int], None]:
    """Say how many trials were made, at the end or as they are made; a test that says nothing made one."""

    def done(count: int) -> None:
        request.node.user_properties.append((TRIALS, count))

    return done


def _promised(properties: list[tuple[str, Any]]) -> list[tuple[str, bool]]:
    return [(str(value[0]), bool(value[1])) for name, value in properties if name == PROMISED]


class _Report:
    """One line of JSON for each promise's test: collected, and what came of it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _write(self, **line: Any) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Name the tests, so that one that never ends is missed."""
        for item in session.items:
            for name, sensitivity in _promised(item.user_properties):
                self._write(what="collected", test=item.nodeid, promise=name, sensitivity=sensitivity)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Say how a phase of a test ended; a failed set-up or clean-up is a failure of the test."""
        properties = cast("list[tuple[str, Any]]", report.user_properties)
        trials = sum(count for name, count in properties if name == TRIALS)
        for name, sensitivity in _promised(properties):
            self._write(
                what=report.when,
                test=report.nodeid,
                promise=name,
                sensitivity=sensitivity,
                outcome=report.outcome,
                trials=trials,
                seconds=report.duration,
                error="" if report.passed else str(report.longrepr)[-2000:],
            )
