"""Processes forked from a server that has imported everything: a start takes a tenth of the time."""

from __future__ import annotations

import multiprocessing
import os
import runpy
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Final


def process_context() -> ForkServerContext:
    """Return the context of the fork server."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.bot.fork_server_preload"])
    return context


class ForkedProgram:
    """A module that runs as a program in a forked process, with the part of ``Popen`` that tests use."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str], output: Path) -> None:
        """Start it.  ``arguments``: "-m", the module, its arguments; ``output`` gets what it writes."""
        option, *program = arguments
        assert option == "-m"
        self._lock = threading.Lock()
        self._process = process_context().Process(
            target=_run, args=(program, dict(environment), str(output)), daemon=True
        )
        self._process.start()
        assert self._process.pid is not None
        self.pid: Final = self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit code, or minus the signal; None while the process runs."""
        with self._lock:  # the code can be read once
            return self._process.exitcode

    def poll(self) -> int | None:
        """Return the exit code if the process has ended."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; return the exit code.  Raises TimeoutExpired."""
        wait([self._process.sentinel], timeout)
        code = self.returncode
        if code is None:
            raise subprocess.TimeoutExpired("a forked program", timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End the process at once."""
        with self._lock:
            self._process.kill()


def _run(program: list[str], environment: dict[str, str], output: str) -> None:
    multiprocessing.current_process().daemon = False  # a daemon must not fork, as the bot does
    os.environ.clear()
    os.environ.update(environment)
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for standard_stream in (1, 2):
        os.dup2(descriptor, standard_stream)
    os.close(descriptor)
    sys.argv = program
    for name in (program[0], f"{program[0]}.__main__"):  # runpy warns of a module that is loaded already
        if not hasattr(sys.modules.get(name), "__path__"):
            sys.modules.pop(name, None)
    runpy.run_module(program[0], run_name="__main__", alter_sys=True)
