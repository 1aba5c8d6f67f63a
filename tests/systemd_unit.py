"""The systemd unit that Hosting shows, and what systemd makes of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import NoReturn

import pytest

HIGHEST_EXPOSURE = 3.0
"""The unit's exposure must be below it; systemd's scale ends at 10, unprotected."""

REPOSITORY = Path(__file__).parents[1]


def unit_text() -> str:
    """Return the unit that the page shows."""
    page = (REPOSITORY / "docs/hosting.md").read_text(encoding="utf-8")
    (unit,) = re.findall(r"^  ```ini\n(.*?)^  ```$", page, re.MULTILINE | re.DOTALL)
    return re.sub(r"^  ", "", str(unit), flags=re.MULTILINE)


def unit_settings() -> list[tuple[str, str]]:
    """Return names and values of the unit, in order."""
    lines = (line for line in unit_text().splitlines() if "=" in line)
    return [(name, value) for name, _, value in (line.partition("=") for line in lines)]


def require_systemd_analyze() -> str:
    """Return the path of systemd-analyze; without it the test is skipped, or fails in CI."""
    path = shutil.which("systemd-analyze")
    if path is None:
        skip_or_fail("no systemd-analyze on this machine: a test of the systemd unit did not run")
    return path


def skip_or_fail(reason: str) -> NoReturn:
    """Skip a test that needs what this machine lacks; in CI it fails."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def allowed_system_calls(systemd_analyze_path: str) -> set[str]:
    """Return the names of the system calls that the unit's filter lets through."""
    groups = _system_call_groups(systemd_analyze_path)
    allowed = _expand("@default", groups)
    for name, value in unit_settings():
        if name == "SystemCallFilter":
            calls = {call for word in value.removeprefix("~").split() for call in _expand(word, groups)}
            allowed = allowed - calls if value.startswith("~") else allowed | calls
    return allowed


def _system_call_groups(systemd_analyze_path: str) -> dict[str, list[str]]:
    output = subprocess.run(
        [systemd_analyze_path, "syscall-filter", "--no-pager"], capture_output=True, check=True, text=True
    ).stdout
    groups: dict[str, list[str]] = defaultdict(list)
    group = ""
    for line in output.splitlines():
        word = line.strip()
        if line.startswith("@"):
            group = word
        elif line.startswith(" ") and not word.startswith("#"):
            groups[group].append(word)
    return groups


def _expand(word: str, groups: dict[str, list[str]]) -> set[str]:
    if not word.startswith("@"):
        return {word}
    return {call for member in groups[word] for call in _expand(member, groups)}
