"""The systemd unit in Hosting: systemd reads it, its sandbox holds, and the bot can work in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.systemd_unit import HIGHEST_EXPOSURE, REPOSITORY, require_systemd_analyze, unit_settings, unit_text
from tests.trials import WAIT_TIMEOUT

UNIT_NAME = "captains-table.service"


@pytest.fixture(scope="module")
def systemd_analyze() -> str:
    """Return the path of the tool."""
    return require_systemd_analyze()


def analyze(tool: str, text: str, folder: Path, *arguments: str) -> str:
    """Return what the tool says of a unit, in one text."""
    (folder / UNIT_NAME).write_text(text, encoding="utf-8")
    completed = subprocess.run(
        [tool, *arguments, f"./{UNIT_NAME}"],
        cwd=folder,
        env={**os.environ, "SYSTEMD_PAGER": "", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=WAIT_TIMEOUT,
        check=False,
    )
    return completed.stdout + completed.stderr


def exposure(tool: str, text: str, folder: Path) -> float:
    """Return the exposure level of a unit."""
    report = analyze(tool, text, folder, "security", "--offline=yes")
    level = re.search(rf"Overall exposure level for {re.escape(UNIT_NAME)}: (\d+\.\d+)", report)
    assert level is not None, report
    return float(level[1])


def verify(tool: str, text: str, folder: Path) -> list[str]:
    """Return what systemd does not understand of a unit; Python stands where this machine has it."""
    adapted = text.replace("/srv/captains-table/.venv/bin/python", sys.executable)
    adapted = adapted.replace("/srv/captains-table", str(REPOSITORY))
    lines = analyze(tool, adapted, folder, "verify", "--man=no").splitlines()
    return [line for line in lines if UNIT_NAME in line]


def test_the_exposure_is_low(systemd_analyze: str, tmp_path: Path) -> None:
    """The exposure level is below the limit; on Debian 12 it is the one that Hosting names."""
    level = exposure(systemd_analyze, unit_text(), tmp_path)
    assert level < HIGHEST_EXPOSURE
    named_level = re.search(
        r"rates it (\d\.\d) \(on Debian 12\)", (REPOSITORY / "docs/hosting.md").read_text(encoding="utf-8")
    )
    assert named_level is not None
    version = subprocess.run([systemd_analyze, "--version"], capture_output=True, check=True, text=True)
    if version.stdout.startswith("systemd 252 "):  # Debian 12's; others weigh the settings in another way
        assert level == float(named_level[1])


def test_the_exposure_is_measured(systemd_analyze: str, tmp_path: Path) -> None:
    """Sensitivity: without the sandbox the same unit is far above the limit."""
    unprotected, _, rest = unit_text().partition("# The sandbox")
    assert "[Install]" in rest
    assert exposure(systemd_analyze, unprotected, tmp_path) > 2 * HIGHEST_EXPOSURE


def test_systemd_understands_the_unit(systemd_analyze: str, tmp_path: Path) -> None:
    """Systemd knows every setting and value, and would start the program."""
    assert verify(systemd_analyze, unit_text(), tmp_path) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("ProcSubset=", "ProcSubsett="),
        ("ProtectProc=invisible", "ProtectProc=gone"),
        ("AF_INET6", "AF_INET66"),
        ("@resources", "@resource"),
        ("/.venv/bin/python", "/bin/python"),
    ],
)
def test_a_fault_in_the_unit_is_found(systemd_analyze: str, tmp_path: Path, right: str, wrong: str) -> None:
    """Sensitivity: a setting, a value or a program that does not exist is reported."""
    assert right in unit_text()
    assert verify(systemd_analyze, unit_text().replace(right, wrong), tmp_path)


def test_the_bot_can_work_in_the_sandbox() -> None:
    """The database is where the unit may write; the token's file, Discord and a restart are in reach."""
    settings = dict(unit_settings())
    environment = dict(pair.split("=", 1) for pair in settings["Environment"].split())
    assert environment["CAPTAINS_TABLE_DATABASE"].startswith(f"%S/{settings['StateDirectory']}/")
    name, _, source = settings["LoadCredential"].partition(":")
    assert environment["DISCORD_TOKEN_FILE"] == f"%d/{name}"
    assert source.startswith("/etc/")
    assert {"AF_INET", "AF_INET6"} <= set(settings["RestrictAddressFamilies"].split())
    assert not {"PrivateNetwork", "IPAddressDeny", "RootDirectory"} & settings.keys()
    assert (settings["Restart"], settings["RestartPreventExitStatus"]) == ("on-failure", "78")
