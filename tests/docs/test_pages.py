"""The pages for operators and contributors name only what exists."""

import ast
import random
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from discord import app_commands

from bot import config
from bot.chat.client import TableClient
from bot.host.host import Host
from bot.store.sqlite import open_store
from rules.catalogue import GAMES
from tests.bot.host.playing import ManualClock

AnyCommand: TypeAlias = app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu

REPOSITORY = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/deals.md",
    "docs/hosting.md",
    "docs/notices.md",
    "docs/operating.md",
    "docs/playing.md",
    "docs/privacy.md",
    "docs/release.md",
    "docs/security.md",
    "docs/trust.md",
)
CODE_PAGES = ("docs/architecture.md", "docs/changes.md")
"""The pages that name modules by their last names, and what stands in them."""
_LOG_CALL = re.compile(r"(_log|logging\.getLogger\(.*\))\.(debug|info|warning|error|exception|critical)$")


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", [*PAGES, *CODE_PAGES])
def test_links_lead_somewhere(name: str) -> None:
    """Every relative link names a file, and every anchor a heading in it."""
    page = REPOSITORY / name
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("name", PAGES)
def test_named_files_exist(name: str) -> None:
    """Every module or test that a page names is in the repository."""
    text = (REPOSITORY / name).read_text(encoding="utf-8")
    for path in re.findall(r"`((?:\w+/)*\w+\.(?:py|yaml|toml|lock))`", text):
        assert (REPOSITORY / path).exists() or (REPOSITORY / "tests" / path).exists(), path


def logged_events() -> Iterator[str]:
    """Yield the event text of every log call in the bot."""
    for path in (REPOSITORY / "bot").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _LOG_CALL.match(ast.unparse(node.func)):
                assert isinstance(node.args[0], ast.Constant), path
                yield str(node.args[0].value)


def test_named_events_are_logged() -> None:
    """Every event that Operations explains is the text of a log call."""
    text = (REPOSITORY / "docs/operating.md").read_text(encoding="utf-8")
    named = re.findall(r'`"([^"]+)"`', text)
    assert len(named) > 12
    assert set(named) <= set(logged_events())


@pytest.mark.parametrize("pattern", ["bot/**/*.py", "render/*.py", "rules/*.py"])
def test_every_module_stands_in_the_map(pattern: str) -> None:
    """The map of Architecture names each module that is none of a game's, with or without its folder."""
    text = (REPOSITORY / "docs/architecture.md").read_text(encoding="utf-8")
    shown = text.partition("## Map")[2].partition("\n## ")[0]
    paths = re.findall(r"`([^` ]+)`", shown)
    names = {part.removesuffix(".py") for path in paths for part in path.split("/")}
    stems = {path.stem for path in REPOSITORY.glob(pattern) if not path.stem.startswith("__")} - set(GAMES)
    assert stems
    assert stems <= names


@pytest.mark.parametrize("page", CODE_PAGES)
def test_every_name_in_a_page_about_code_exists(page: str) -> None:
    """Each name of a function, class or constant stands in the code, so that a renaming is followed there."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    quoted = re.findall(r"`([^`\n]+)`", text)
    names = {name for part in quoted if re.fullmatch(r"[A-Za-z_][\w.]*", part) for name in part.split(".")}
    assert len(names) > 200
    folders = ("bot", "docs", "render", "rules", "tests")
    sources = [
        path
        for folder in folders
        for path in (REPOSITORY / folder).rglob("*")
        if path.suffix in {".py", ".js"}
    ]
    stems = {path.stem for path in sources}
    words = {word for path in sources for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    assert names - stems - words - {"CHANGELOG", "NORMAL", "md"} == set()  # a file, a word of SQLite


@pytest.mark.parametrize("page", CODE_PAGES)
def test_every_module_that_a_page_about_code_names_exists(page: str) -> None:
    """The end of the path of some module is what the page says: "`words/help.py`", "`<game>/model.py`"."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    named_files = set(re.findall(r"`([\w/<>]+\.py)`", text))
    paths = [f"/{path.relative_to(REPOSITORY)}" for path in REPOSITORY.glob("[a-z]*/**/*.py")]
    for name in named_files:
        pattern = re.compile(rf"/{re.sub('<[a-z]+>', '[a-z_]+', re.escape(name))}$")
        assert any(map(pattern.search, paths)), name
    assert len(named_files) > 20


@pytest.mark.parametrize("page", CODE_PAGES)
def test_every_name_stands_in_the_file_beside_it(page: str) -> None:
    """Where a page says "`name` in `file.py`" or "`name` (`file.py`)", a file of that name has it."""
    text = " ".join((REPOSITORY / page).read_text(encoding="utf-8").split())
    placed_names = re.findall(r"`([A-Za-z_][\w.]*)`(?: in | of | \()`([\w/<>]+\.py)`", text)
    assert len(placed_names) > 20
    paths = [
        path
        for folder in ("bot", "docs", "render", "rules", "tests")
        for path in (REPOSITORY / folder).rglob("*.py")
    ]
    for file_name, names in groupby(sorted(placed_names, key=itemgetter(1)), itemgetter(1)):
        pattern = re.compile(rf"/{re.sub('<[a-z]+>', '[a-z_]+', re.escape(file_name))}$")
        files = [path for path in paths if pattern.search(path.as_posix())]
        words = {word for path in files for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
        assert {part for name, _ in names for part in name.split(".")} <= words, file_name


def command_names(commands: Iterable[AnyCommand]) -> Iterator[str]:
    """Yield the full names of commands; those of groups one by one."""
    for command in commands:
        if isinstance(command, app_commands.Group):
            yield from (f"/{each.qualified_name}" for each in command.commands)
        else:
            yield f"/{command.qualified_name}"


async def test_every_command_is_listed_once() -> None:
    """The end of Playing names every command of the bot exactly once, but for those of the games."""
    store = await open_store(":memory:")
    try:
        client = TableClient(Host(store, GAMES, ManualClock(), random.Random(0)))
        names = command_names(each for each in client.tree.get_commands() if each.name not in GAMES)
        section = (REPOSITORY / "docs/playing.md").read_text(encoding="utf-8").partition("## All commands")[2]
        listed = re.findall(r"`(/[a-z ]+)`", section.partition("| --- |")[2])
        assert sorted(names) == sorted(listed)
    finally:
        await store.close()


def test_every_setting_is_documented() -> None:
    """The pages name every environment variable of the bot, and no other."""
    names = (value for value in vars(config).values() if isinstance(value, str))
    settings = {name for name in names if re.fullmatch(r"(CAPTAINS_TABLE|DISCORD)_\w+", name)}
    pages = "".join((REPOSITORY / name).read_text(encoding="utf-8") for name in PAGES)
    assert len(settings) > 15
    assert settings == set(re.findall(r"(?:CAPTAINS_TABLE|DISCORD)_[A-Z_]+", pages))
