"""The order of the test files, and the report of the long run: the results of each trust test.

What belongs to a trust test (``docs/trust.md``) carries ``@pytest.mark.trust_test("T7")``; the check that it
can fail carries ``@pytest.mark.trust_test("T7", sensitivity=True)``.  A test counts its trials by the fixture
``add_trials``.

A test with ``soak_only`` (``tests/trials.py``) runs in ``make soak`` alone; ``make test`` counts them.
"""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

from tests.trials import IS_SOAK, SOAK_ONLY, WAIT_TIMEOUT, trial_count
from tests.trust_report import TRIALS, TRUST_TEST, TrustTestResult, deciding_reports, trust_tests_of

SLOWEST_FILES: Final = (
    "tests/bot/e2e/test_platform_faults.py",
    "tests/bot/e2e/test_soak.py",
    "tests/conformance/test_conformance.py",
    "tests/render/test_pictures.py",
    "tests/bot/e2e/test_restarts.py",
    "tests/bot/e2e/test_exit_codes.py",
    "tests/bot/e2e/test_lost_answers.py",
    "tests/bot/trust/test_requests.py",
    "tests/bot/chat/test_command_tree.py",
    "tests/bot/page/test_page.py",
    "tests/bot/e2e/test_refusals.py",
    "tests/bot/e2e/test_slow_moves.py",
    "tests/bot/e2e/test_faults.py",
    "tests/bot/e2e/test_cut_games.py",
    "tests/bot/host/test_leaks.py",
    "tests/render/test_bands.py",
    "tests/conformance/test_determinism.py",
    "tests/bot/trust/test_fault_isolation.py",
    "tests/bot/e2e/test_tables.py",
    "tests/bot/e2e/test_whole_games.py",
    "tests/bot/chat/test_story.py",
    "tests/bot/trust/test_notices.py",
    "tests/bot/trust/test_malformed.py",
    "tests/golden/test_golden.py",
    "tests/render/test_arctic_cleanup_pictures.py",
    "tests/rules/test_guessed_moves.py",
    "tests/rules/test_typed_moves.py",
    "tests/bot/chat/test_history.py",
    "tests/bot/chat/test_replay_page.py",
    "tests/docs/test_deals.py",
    "tests/bot/host/test_reloaded_tables.py",
    "tests/bot/trust/test_stateful.py",
    "tests/bot/trust/test_hostile.py",
    "tests/bot/host/test_crash.py",
    "tests/bot/host/test_loop_thread.py",
    "tests/bot/test_container.py",
    "tests/bot/e2e/test_leaving.py",
    "tests/month/test_month.py",
    "tests/month/test_sensitivity.py",
    "tests/rules/oceans/test_properties.py",
)
"""The files that take longest: they begin first, so that all workers are busy to the end."""

ONE_WORKER_FOLDERS: Final = ("tests/bot/page",)
"""Folders that run in one worker: their files share one browser."""

# The default deadline of 200 ms fails tests on a busy machine.  ``make soak`` alone looks for new examples.
settings.register_profile(
    "captains-table",
    deadline=None,
    derandomize=not IS_SOAK,
    max_examples=trial_count(short=40, soak=1_000),
)
settings.load_profile("captains-table")

_MEMORY_FOLDER: Final = Path("/dev/shm")
_MEMORY_NEEDED_BYTES: Final = 1 << 30


def pytest_configure() -> None:
    """Put the files of tests into memory if there is room, so that no commit waits for a disk."""
    if os.access(_MEMORY_FOLDER, os.W_OK) and shutil.disk_usage(_MEMORY_FOLDER).free >= _MEMORY_NEEDED_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY_FOLDER))


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import the test files that a worker will collect, beginning elsewhere than the other workers.

    In a new clone each file is compiled, which takes longer than all else that is done to collect it: so each
    worker finds compiled what the others began with.
    """
    worker_input = getattr(session.config, "workerinput", None)
    if worker_input is None:
        return
    gc.disable()  # until all is collected: little of it is garbage
    root = session.config.rootpath
    files = [
        file
        for argument in session.config.args
        for file in sorted((root / argument.partition("::")[0]).rglob("test_*.py"))
    ]
    first_index = len(files) * int(worker_input["workerid"].removeprefix("gw")) // worker_input["workercount"]
    for file in files[first_index:] + files[:first_index]:
        with suppress(Exception, pytest.skip.Exception):  # raised again where it is collected
            importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))


class _FileOrFolderScheduling(LoadFileScheduling):  # type: ignore[misc]
    """Give a worker a test file at a time, of a folder whose files share a fixture the whole folder."""

    def _split_scope(self, nodeid: str) -> str:
        file = str(super()._split_scope(nodeid))
        return next((folder for folder in ONE_WORKER_FOLDERS if file.startswith(f"{folder}/")), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _FileOrFolderScheduling | None:
    """Return the scheduler of ``--dist loadfile``."""
    return _FileOrFolderScheduling(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test in a worker of ``make test``; of its set-up and teardown, report only what failed.

    The report of a phase takes as long as many a test, in the worker and in the process that gets it.
    """
    if IS_SOAK or not hasattr(item.config, "workerinput"):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Fail the last test of a file that leaves a connection of discord.py.

    Its thread would send heartbeats to a loop that runs no more, and log that in the tests that follow.
    """
    yield
    if nextitem is None or nextitem.path != item.path:
        for thread in threading.enumerate():
            if thread.name.startswith("keep-alive-handler"):
                thread.join(WAIT_TIMEOUT)
                assert not thread.is_alive(), "a client of discord.py was left connected"


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Leave the collected tests and all modules out of later garbage collections."""
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that selects trust tests."""
    parser.addoption("--trust-test", action="append", help="run this trust test only, as in T7")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Note trust tests for the report, put long files first, drop tests that were not asked for."""
    for item in items:
        for marker in item.iter_markers(TRUST_TEST):
            is_sensitivity_check = bool(marker.kwargs.get("sensitivity"))
            item.user_properties.append((TRUST_TEST, [marker.args[0], is_sensitivity_check]))
    items.sort(key=_start_order)
    if not IS_SOAK:
        _leave_out_soak_tests(config, items)
    wanted = config.getoption("--trust-test")
    if wanted:
        dropped = [item for item in items if not any(name in wanted for name, _ in trust_tests_of(item))]
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if item not in dropped]


_LEFT_OUT_COUNT_KEY: Final = pytest.StashKey[int]()
"""How many tests wait for ``make soak``."""


def _leave_out_soak_tests(config: pytest.Config, items: list[pytest.Item]) -> None:
    dropped = dict.fromkeys(item for item in items if item.get_closest_marker(SOAK_ONLY) is not None)
    config.hook.pytest_deselected(items=list(dropped))
    items[:] = [item for item in items if item not in dropped]
    config.stash[_LEFT_OUT_COUNT_KEY] = len(dropped)
    if (output := getattr(config, "workeroutput", None)) is not None:
        output[SOAK_ONLY] = len(dropped)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Note how many tests a worker left out: the process that prints the summary collects none itself."""
    node.config.stash[_LEFT_OUT_COUNT_KEY] = getattr(node, "workeroutput", {}).get(SOAK_ONLY, 0)


def _start_order(item: pytest.Item) -> int:
    file = item.nodeid.partition("::")[0]
    return SLOWEST_FILES.index(file) if file in SLOWEST_FILES else len(SLOWEST_FILES)


@pytest.fixture
def add_trials(request: pytest.FixtureRequest) -> Callable[[int], None]:
    """Return a function that adds to the number of trials of a test; a test that adds none made one."""

    def add(count: int) -> None:
        request.node.user_properties.append((TRIALS, count))

    return add


@pytest.fixture(scope="session")
def _kerning() -> None:
    """Skip a test of how texts look, or fail it in CI, where Pillow finds no FriBiDi."""
    from render.typeset import has_kerning  # noqa: PLC0415 - the tests of the rules load no pictures

    if not has_kerning():
        reason = "no FriBiDi on this machine (Debian: libfribidi0): texts look otherwise"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was left out of a short run; after the long run, a line for each trust test."""
    if not IS_SOAK:
        if left_out_count := terminalreporter.config.stash.get(_LEFT_OUT_COUNT_KEY, 0):
            terminalreporter.write_line(f"{left_out_count} tests run in make soak only")
        return
    results: defaultdict[str, TrustTestResult] = defaultdict(TrustTestResult)
    for report in deciding_reports(terminalreporter.stats):
        for name, is_sensitivity_check in trust_tests_of(report):
            results[name].add(report, is_sensitivity_check=is_sensitivity_check)
    for name in sorted(results, key=lambda name: (len(name), name)):
        terminalreporter.write_line(f"{name:<3} {results[name]}")
