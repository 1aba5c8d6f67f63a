"""The container: its image holds all that the bot needs and no stand-in, and Compose runs it with limits."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from aiohttp.test_utils import unused_port

from bot.config import HEARTBEAT_VARIABLE
from bot.running import STOP_TIMEOUT
from tests.trials import WAIT_TIMEOUT, cases

REPOSITORY = Path(__file__).parents[2]


def files_in_build_context(folder: Path) -> list[Path]:
    """Return the files of the repository that ``.dockerignore`` lets into the build."""
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=folder, capture_output=True, check=True, text=True
    ).stdout
    paths = [Path(name) for name in files.split("\0") if name and (folder / name).exists()]
    return [path for path in paths if _is_in_build_context(folder, path)]


def _is_in_build_context(folder: Path, path: Path) -> bool:
    """Return whether ``.dockerignore`` lets a file into the build, by Docker's own order.

    The last pattern that matches its path, or a folder above it, decides.
    """
    lines = (folder / ".dockerignore").read_text(encoding="utf-8").splitlines()
    is_included = True
    for pattern in (line.strip() for line in lines if line.strip() and not line.startswith("#")):
        regex = _dockerignore_regex(pattern.removeprefix("!").strip("/"))
        if any(regex.fullmatch(str(each)) for each in (path, *path.parents)):
            is_included = pattern.startswith("!")
    return is_included


def _dockerignore_regex(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern: ``**`` any folders, ``*`` anything within a name."""
    parts = re.split(r"(\*\*/?|\*|\?)", pattern)
    meaning = {"**/": "(.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(part) or re.escape(part) for part in parts))


def last_stage_text() -> str:
    """Return the part of the Dockerfile that makes the image itself."""
    return re.split(r"^FROM ", (REPOSITORY / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)[
        -1
    ]


def image_copies() -> list[tuple[str, str]]:
    """Return the source and target of each COPY of the last stage that takes files of the repository."""
    copies = re.finditer(r"^COPY (?!--)(\S+) (\S+)$", last_stage_text(), re.MULTILINE)
    return [(copy[1], copy[2]) for copy in copies]


@pytest.fixture(scope="module")
def image_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder like the image's ``/app``, with what was compiled here, if it matches."""
    folder = tmp_path_factory.mktemp("image")
    files = files_in_build_context(REPOSITORY)
    for source, target in image_copies():
        for path in files:
            if path.is_relative_to(source):
                place = folder / target / path.relative_to(source)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPOSITORY / path, place)
                compiled = Path(cache_from_source(str(REPOSITORY / path)))
                if compiled.exists():
                    (place.parent / compiled.parent.name).mkdir(exist_ok=True)
                    shutil.copy(compiled, place.parent / compiled.parent.name)
    return folder


def _run_module(image_folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], **settings}
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=image_folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=WAIT_TIMEOUT,
        check=False,
    )


def test_the_image_runs_the_oldest_python() -> None:
    """The image has the oldest Python that is supported, on which everything is tested."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    stages = re.findall(r"^FROM (\S+)", (REPOSITORY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    oldest = project["requires-python"].removeprefix(">=")
    assert stages == [f"python:{oldest}-slim"] * 2


def test_the_modules_are_compiled_in_the_image(image_folder: Path) -> None:
    """Every module of the image is compiled as it is built: the bot may not write there."""
    steps = re.findall(r"^(COPY(?! --)|RUN|USER) (.*)$", last_stage_text(), re.MULTILINE)
    compile_step = ("RUN", "/opt/table/bin/python -m compileall -q .")
    assert max(steps.index(("COPY", f"{name} {name}")) for name in ("rules", "render", "bot")) < steps.index(
        compile_step
    )
    assert _run_module(image_folder, *compile_step[1].split()[2:]).returncode == 0
    modules = [*image_folder.rglob("*.py")]
    assert all(Path(cache_from_source(str(module))).exists() for module in modules)


def test_the_stand_in_is_not_in_the_image(image_folder: Path) -> None:
    """The image holds the bot, the pictures and the rules, and neither stand-in nor tests."""
    assert sorted(path.name for path in image_folder.iterdir()) == ["bot", "render", "rules"]
    assert (image_folder / "bot" / "store" / "schema").is_dir()
    assert (REPOSITORY / "bot" / "local" / "server.py").exists()
    assert not (image_folder / "bot" / "local").exists()


@pytest.mark.parametrize("token_source", cases(("file", "environment"), "file"))
def test_the_image_starts(image_folder: Path, tmp_path: Path, token_source: str) -> None:
    """In the image the bot names a missing token (78), and with one gets as far as calling Discord (75)."""
    token_file = tmp_path / "discord-token"
    settings = {
        "CAPTAINS_TABLE_DATABASE": str(tmp_path / "tables.db"),
        "CAPTAINS_TABLE_LOCAL": f"http://127.0.0.1:{unused_port()}",
    }
    if token_source == "file":
        settings["DISCORD_TOKEN_FILE"] = str(token_file)
    without_token = _run_module(image_folder, "bot", "run", **settings)
    assert without_token.returncode == 78, without_token.stderr
    named_setting = "DISCORD_TOKEN_FILE" if token_source == "file" else "Set DISCORD_TOKEN"
    assert named_setting in json.loads(without_token.stderr)["error_text"]
    if token_source == "file":
        token_file.write_text("a.b.c\n", encoding="utf-8")
    else:
        settings["DISCORD_TOKEN"] = "a.b.c"
    with_token = _run_module(image_folder, "bot", "run", **settings)
    assert with_token.returncode == 75, with_token.stderr
    assert (tmp_path / "tables.db").exists()


def test_the_image_has_what_kerning_needs() -> None:
    """Texts in the image's pictures are laid out as they are tested; a slim image lacks FriBiDi."""
    assert re.search(r"apt-get install .*\blibfribidi0\b", last_stage_text())


@pytest.mark.usefixtures("_kerning")
def test_missing_kerning_is_named(image_folder: Path, tmp_path: Path) -> None:
    """Without FriBiDi the bot's log and ``doctor`` say so, and both go on."""
    library_folder = tmp_path / "libraries"
    library_folder.mkdir()
    (library_folder / "libfribidi.so.0").touch()  # found before the system's, and no library
    settings = {
        "CAPTAINS_TABLE_DATABASE": str(tmp_path / "tables.db"),
        "CAPTAINS_TABLE_LOCAL": f"http://127.0.0.1:{unused_port()}",
        "DISCORD_TOKEN": "a.b.c",
    }
    event, note = "pictures lack kerning: FriBiDi is missing", "texts in pictures lack kerning"
    assert event not in _run_module(image_folder, "bot", "run", **settings).stderr
    assert note not in _run_module(image_folder, "bot", "doctor", **settings).stdout
    settings["LD_LIBRARY_PATH"] = str(library_folder)
    without_library = _run_module(image_folder, "bot", "run", **settings)
    assert without_library.returncode == 75, without_library.stderr
    assert event in without_library.stderr
    assert note in _run_module(image_folder, "bot", "doctor", **settings).stdout


def compose_settings(text: str) -> dict[str, str]:
    """Return a Compose file's settings by dotted path; the items of a list are joined by spaces."""
    settings: dict[str, str] = {}
    path: list[tuple[int, str]] = []
    for line in text.splitlines():
        word = line.strip()
        indent = len(line) - len(line.lstrip())
        path = [parent for parent in path if parent[0] < indent]
        if word.startswith("- "):
            key, value = ".".join(name for _, name in path), word.removeprefix("- ")
            settings[key] = f"{settings[key]} {value}".strip()
        elif word and not word.startswith("#"):
            name, _, value = word.partition(":")
            path.append((indent, name))
            settings[".".join(name for _, name in path)] = value.strip()
    return settings


@pytest.fixture(scope="module")
def compose() -> dict[str, str]:
    """Return the settings of the repository's Compose file."""
    return compose_settings((REPOSITORY / "compose.yaml").read_text(encoding="utf-8"))


def test_compose_takes_the_token_as_a_secret(compose: dict[str, str]) -> None:
    """The token comes from a file, never from the environment; git and the image leave that file alone."""
    name = compose["services.table.secrets"]
    assert compose["services.table.environment.DISCORD_TOKEN_FILE"] == f"/run/secrets/{name}"
    assert "services.table.environment.DISCORD_TOKEN" not in compose
    file = compose[f"secrets.{name}.file"].removeprefix("./")
    ignored = subprocess.run(["git", "check-ignore", "--quiet", file], cwd=REPOSITORY, check=False)
    assert ignored.returncode == 0, f"git does not ignore {file}"
    assert _is_in_build_context(REPOSITORY, Path("requirements.lock"))
    assert not _is_in_build_context(REPOSITORY, Path(file))


def test_compose_limits_the_container(compose: dict[str, str]) -> None:
    """Memory, processes and the temporary folder have limits; nothing else can be written or gained."""
    service = "services.table"
    for limit in ("mem_limit", "memswap_limit"):
        assert re.fullmatch(r"\d{3}m", compose[f"{service}.{limit}"])
    assert 64 <= int(compose[f"{service}.pids_limit"]) <= 256
    for place in compose[f"{service}.tmpfs"].split():
        assert re.search(r":(.*,)?size=\d+m\b", place), f"{place} has no limit"
    assert compose[f"{service}.volumes"] == "table-data:/data"
    assert compose[f"{service}.read_only"] == "true"
    assert compose[f"{service}.cap_drop"] == "[ALL]"
    assert compose[f"{service}.security_opt"] == '["no-new-privileges:true"]'
    forbidden_keys = {"ports", "privileged", "cap_add", "network_mode", "devices", "user", "pid"}
    assert not forbidden_keys & {key.removeprefix(f"{service}.") for key in compose}


def test_compose_waits_for_a_stop_and_rotates_the_log(compose: dict[str, str]) -> None:
    """Docker kills only what stops too late; by itself it would wait ten seconds, and keep all of the log."""
    grace_period = re.fullmatch(r"(\d+)s", compose["services.table.stop_grace_period"])
    assert grace_period is not None
    assert int(grace_period[1]) > STOP_TIMEOUT + 1
    assert re.fullmatch(r"\{max-size: \d+m, max-file: \"\d\"\}", compose["services.table.logging.options"])


def test_the_health_check_reads_the_heartbeat() -> None:
    """The image's health check runs the check of the file that the bot writes there."""
    text = last_stage_text()
    command = re.search(r"^HEALTHCHECK (?:--\S+ )*\\\n +CMD (\[.*\])$", text, re.MULTILINE)
    heartbeat_file = re.search(rf"{HEARTBEAT_VARIABLE}=(\S+)", text)
    assert command is not None
    assert heartbeat_file is not None
    assert json.loads(command[1])[1:] == ["-m", "bot.watch.heartbeat", heartbeat_file[1]]


def test_the_commands_work_in_the_image(image_folder: Path, tmp_path: Path) -> None:
    """The operators' commands and the health check need no stand-in; ``play`` says that it does."""
    database_setting = {"CAPTAINS_TABLE_DATABASE": str(tmp_path / "tables.db"), "DISCORD_TOKEN": "a.b.c"}
    doctor = _run_module(image_folder, "bot", "doctor", **database_setting)
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    assert _run_module(image_folder, "bot.watch.heartbeat", str(tmp_path / "missing")).returncode == 1
    play = _run_module(image_folder, "bot", "play", **database_setting)
    assert play.returncode == 1
    assert play.stderr.splitlines()[0].startswith("`play` needs the folder bot/local")


@pytest.mark.soak_only
def test_a_missing_file_is_caught(image_folder: Path, tmp_path: Path) -> None:
    """Sensitivity: an image without the database's schema does not get as far as calling Discord."""
    broken_image = tmp_path / "image"
    shutil.copytree(image_folder, broken_image)
    shutil.rmtree(broken_image / "bot" / "store" / "schema")
    with pytest.raises(AssertionError):
        test_the_image_starts(broken_image, tmp_path, token_source="environment")


@pytest.mark.soak_only
def test_an_import_of_the_stand_in_is_caught(image_folder: Path, tmp_path: Path) -> None:
    """Sensitivity: a bot that imports the stand-in does not start in the image."""
    broken_image = tmp_path / "image"
    shutil.copytree(image_folder, broken_image)
    running = broken_image / "bot" / "running.py"
    running.write_text(running.read_text(encoding="utf-8") + "\nimport bot.local.server\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        test_the_image_starts(broken_image, tmp_path, token_source="environment")
