"""The order of the test files, and the report of the long run: what came of each promise's tests.

A test of a promise carries ``@pytest.mark.promise("T7")``; the check that such a test can fail carries
``@pytest.mark.promise("T7", sensitivity=True)``.  The fixture ``trials_done`` takes the number of trials.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Final

import pytest

from tests.promises import PROMISE, TRIALS, PromiseResult, last_reports, promises_of
from tests.trials import LONG

LONGEST: Final = (
    "tests/bot/e2e/test_soak.py",
    "tests/bot/e2e/test_platform.py",
    "tests/bot/e2e/test_exit_codes.py",
    "tests/bot/e2e/test_refusals.py",
    "tests/conformance/test_conformance.py",
    "tests/bot/e2e/test_restarts.py",
    "tests/bot/host/test_leaks.py",
    "tests/bot/trust/test_requests.py",
    "tests/render/test_pictures.py",
)
"""The files that take longest: they begin first, so that all workers are busy to the end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that selects promises."""
    parser.addoption("--promise", action="append", help="run the tests of this promise only, as in T7")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Note each test's promises for the report, put long files first, drop tests that were not asked for."""
    for item in items:
        for marker in item.iter_markers(PROMISE):
            item.user_properties.append((PROMISE, [marker.args[0], bool(marker.kwargs.get("sensitivity"))]))
    items.sort(key=_start_order)
    wanted = config.getoption("--promise")
    if wanted:
        dropped = [item for item in items if not any(name in wanted for name, _ in promises_of(item))]
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if item not in dropped]


def _start_order(item: pytest.Item) -> int:
    file = item.nodeid.partition("::")[0]
    return LONGEST.index(file) if file in LONGEST else len(LONGEST)


@pytest.fixture
def trials_done(request: pytest.FixtureRequest) -> Callable[[int], None]:
    """Add to the number of trials that a test made; a test that adds none made one."""

    def done(count: int) -> None:
        request.node.user_properties.append((TRIALS, count))

    return done


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a line for each promise after the long run."""
    if not LONG:
        return
    results: defaultdict[str, PromiseResult] = defaultdict(PromiseResult)
    for report in last_reports(terminalreporter.stats):
        for name, sensitivity in promises_of(report):
            results[name].add(report, sensitivity=sensitivity)
    for name in sorted(results, key=lambda name: (len(name), name)):
        terminalreporter.write_line(f"{name:<3} {results[name]}")
