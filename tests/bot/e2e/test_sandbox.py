"""The bot can work under the system call filter of the systemd unit in Hosting."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bot.e2e.rig import REPOSITORY, Rig
from tests.bot.e2e.sandboxed_bot import SECCOMP_LIBRARY
from tests.systemd_unit import allowed_system_calls, require_systemd_analyze, skip_or_fail, unit_settings


class SandboxedRig(Rig):
    """A rig whose bot may make these system calls only."""

    def __init__(self, folder: Path, system_calls: set[str]) -> None:
        super().__init__(folder)
        self.system_calls = system_calls

    def spawn(self, *program: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start a bot under the filter."""
        families = dict(unit_settings())["RestrictAddressFamilies"].split()
        arguments = (",".join(sorted(self.system_calls)), ",".join(families))
        with self.output.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.bot.e2e.sandboxed_bot", *arguments],
                cwd=REPOSITORY,
                env=self.environment() | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )


@pytest.fixture(scope="module")
def system_calls() -> set[str]:
    """Return the system calls that the unit allows; without systemd's tools the tests are skipped."""
    try:
        ctypes.CDLL(SECCOMP_LIBRARY)
    except OSError:
        skip_or_fail(f"no {SECCOMP_LIBRARY} on this machine: the tests of the sandbox did not run")
    return allowed_system_calls(require_systemd_analyze())


async def test_the_bot_plays_under_the_filter(tmp_path: Path, system_calls: set[str]) -> None:
    """It starts, plays with pictures, makes a backup and stops in order, without an error."""
    async with SandboxedRig(tmp_path, system_calls).running() as rig:
        assert rig.process is not None
        status = Path(f"/proc/{rig.process.pid}/status").read_text(encoding="utf-8")
        assert "Seccomp:\t2" in status
        assert "NoNewPrivs:\t1" in status
        game = await rig.start_game("Ava", "Ben")
        for _ in range(3):
            await game.make_move()
        assert (await game.current_board()).attachments
        assert await rig.terminate() == 0
    assert list((tmp_path / "backups").glob("captains-table-*.db"))
    assert '"level":"error"' not in rig.log()


async def test_the_filter_is_in_force(tmp_path: Path, system_calls: set[str]) -> None:
    """Sensitivity: without one system call that it needs, the bot cannot start."""
    assert "socket" in system_calls
    with pytest.raises(RuntimeError, match="the bot ended with 75"):
        await test_the_bot_plays_under_the_filter(tmp_path, system_calls - {"socket"})
