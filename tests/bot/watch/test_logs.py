"""The log: one JSON object a line, and no fields but those that are listed."""

import ast
import io
import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn, cast
from unittest.mock import patch

import pytest

from bot import error_ids
from bot.error_ids import ERROR_ID_LENGTH, MAX_RECENT_IDS, new_error_id
from bot.host.game_guard import GameFault, guarded
from bot.host.table import Table
from bot.store.protocol import StoreError
from bot.watch.logs import LABEL_FIELDS, MAX_FRAMES, MAX_NAMED_ERRORS, NUMBER_FIELDS, JsonLineHandler, scrub
from tests.trials import WAIT_TIMEOUT

CANARY = "MTQ1NjA3NDQ0NDAxMDE2MDEzNQ.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"
REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
def logger_and_stream() -> Iterator[tuple[logging.Logger, io.StringIO]]:
    """Yield a logger, and the stream that its lines are written to."""
    stream = io.StringIO()
    handler = JsonLineHandler(stream)
    logger = logging.getLogger("bot.tested")
    logger.addHandler(handler)
    logger.setLevel("DEBUG")
    yield logger, stream
    logger.removeHandler(handler)


def _lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_error_without_exception_is_a_line(logger_and_stream: tuple[logging.Logger, io.StringIO]) -> None:
    """The event loop logs some errors with ``exc_info=False``: each is one line too."""
    logger, stream = logger_and_stream
    logger.error("unclosed connection", exc_info=False)
    (line,) = _lines(stream)
    assert line["event"] == "unclosed connection"


def test_a_record_that_cannot_be_written_leaves_a_line(
    logger_and_stream: tuple[logging.Logger, io.StringIO], capsys: pytest.CaptureFixture[str]
) -> None:
    """It names the logger and the error, and nothing of what was to be logged gets out."""
    logger, stream = logger_and_stream
    with patch.object(JsonLineHandler, "format", side_effect=KeyError(CANARY)):
        logger.error("text %s", CANARY)
    (line,) = _lines(stream)
    assert line == {
        "level": "error",
        "event": "log record not written",
        "logger": "bot.tested",
        "error": "KeyError",
    }
    assert CANARY not in stream.getvalue() + capsys.readouterr().err


def test_only_listed_fields_get_in(logger_and_stream: tuple[logging.Logger, io.StringIO]) -> None:
    """A field that is not listed, or is no number or word, is dropped; arguments are never formatted."""
    logger, stream = logger_and_stream
    logger.warning(
        "text %s",
        CANARY,
        extra={
            "table": 3,
            "token": CANARY,
            "kind": "hand",
            "game": CANARY,
            "seconds": "long",
            "error_id": "7F3KQ",
        },
    )
    (line,) = _lines(stream)
    assert line.keys() == {"time", "level", "event", "logger", "table", "kind", "error_id"}
    assert line["event"] == "text %s"
    assert line["table"] == 3
    assert CANARY not in stream.getvalue()


def test_an_exception_is_logged_without_its_text(
    logger_and_stream: tuple[logging.Logger, io.StringIO],
) -> None:
    """Classes, numbers and places of an exception are logged, but only texts written for operators."""
    logger, stream = logger_and_stream
    try:
        try:
            raise KeyError(CANARY)
        except KeyError as error:
            raise StoreError(f"The store says {CANARY}.") from error
    except StoreError:
        logger.exception("a fault")
    (line,) = _lines(stream)
    assert line["error"] == "StoreError < KeyError"
    assert line["error_text"] == "The store says …."
    test_name = test_an_exception_is_logged_without_its_text.__name__
    assert line["frames"] == [f"tests/bot/watch/test_logs.py:{_raised_at()} {test_name}"]
    assert CANARY not in stream.getvalue()


def _raised_at() -> int:
    """Return the line of this file at which the test above raises its error."""
    source = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(i for i, line in enumerate(source, 1) if "raise StoreError(" in line)


def _fail_below(depth: int) -> None:
    if depth:
        _fail_below(depth - 1)
    json.loads(CANARY)


def test_the_innermost_frames_are_logged(logger_and_stream: tuple[logging.Logger, io.StringIO]) -> None:
    """Of many frames, those nearest to the fault; a library's are named without the machine's folders."""
    logger, stream = logger_and_stream
    try:
        _fail_below(2 * MAX_FRAMES)
    except ValueError:
        logger.exception("a fault")
    (line,) = _lines(stream)
    assert len(line["frames"]) == MAX_FRAMES
    assert re.fullmatch(r"json/decoder\.py:\d+ raw_decode", line["frames"][-1])
    assert line["frames"][0].startswith("tests/bot/watch/test_logs.py:")


def test_a_game_fault_shows_where_the_game_failed(
    logger_and_stream: tuple[logging.Logger, io.StringIO],
) -> None:
    """The frames reach into the game, beyond the guard around its call; the error's own text is left out."""
    logger, stream = logger_and_stream

    @guarded
    def play(_: Table) -> None:
        _fail_below(2)

    try:
        play(cast("Table", SimpleNamespace(number=3)))
    except GameFault:
        logger.exception("a fault")
    (line,) = _lines(stream)
    assert line["error"] == "GameFault < JSONDecodeError"
    assert re.fullmatch(r"json/decoder\.py:\d+ raw_decode", line["cause_frames"][-1])
    assert any("game_guard.py" in frame for frame in line["frames"])
    assert CANARY not in stream.getvalue()


def test_a_long_chain_of_errors_is_cut(logger_and_stream: tuple[logging.Logger, io.StringIO]) -> None:
    """Those nearest to the fault are named."""
    logger, stream = logger_and_stream
    error = ValueError()
    for _ in range(2 * MAX_NAMED_ERRORS):
        cause, error = error, ValueError()
        error.__cause__ = cause
    logger.error("a fault", exc_info=error)
    (line,) = _lines(stream)
    assert line["error"].split(" < ") == ["ValueError"] * MAX_NAMED_ERRORS


def test_an_event_that_holds_a_secret_is_scrubbed(
    logger_and_stream: tuple[logging.Logger, io.StringIO],
) -> None:
    """Should the code of the bot ever put one there."""
    logger, stream = logger_and_stream
    event = f"rejected: {CANARY}"
    logger.error(event)
    assert [line["event"] for line in _lines(stream)] == ["rejected: …"]


def test_a_log_that_is_closed_ends_nothing(logger_and_stream: tuple[logging.Logger, io.StringIO]) -> None:
    """What the bot does goes on."""
    logger, stream = logger_and_stream
    stream.close()
    logger.error("a fault")


def _raise_key_error() -> NoReturn:
    raise KeyError(CANARY)


def test_an_exception_is_logged_with_what_led_to_it(
    logger_and_stream: tuple[logging.Logger, io.StringIO],
) -> None:
    """Also with the number of the system's error, but without what its code has ruled out as a cause."""
    logger, stream = logger_and_stream
    for rules_out in (False, True):
        try:
            try:
                raise OSError(28, CANARY)
            except OSError:
                if rules_out:
                    raise KeyError(CANARY) from None
                logger.exception("a full disk")
                _raise_key_error()
        except KeyError:
            logger.exception("a fault")
    lines = _lines(stream)
    assert [line["error"] for line in lines] == ["OSError", "KeyError < OSError", "KeyError"]
    assert lines[0]["error_errno"] == 28


def test_a_library_s_message_shows_no_values(logger_and_stream: tuple[logging.Logger, io.StringIO]) -> None:
    """A template is the event; a message that may hold values is named by its place.

    Also if the library's name begins like that of the bot.
    """
    _, stream = logger_and_stream
    library, handler = logging.getLogger("bottle.part"), JsonLineHandler(stream)
    library.addHandler(handler)
    for message, arguments in (
        ("a hand: %s", ("7F",)),
        ("a hand: 7F", ()),
        ("%s", ("7F",)),
        (KeyError("7F"), ()),
    ):
        library.warning(message, *arguments)
    library.removeHandler(handler)
    events = [line["event"] for line in _lines(stream)]
    assert events[0] == "a hand: %s"
    assert all(re.fullmatch(r"bottle\.part test_logs:\d+", event) for event in events[1:])


def test_a_line_stays_one_line(logger_and_stream: tuple[logging.Logger, io.StringIO]) -> None:
    """A line feed in an event cannot forge a second line."""
    logger, stream = logger_and_stream
    logger.warning('one\n{"level":"error"}')
    assert len(stream.getvalue().splitlines()) == 1


_SCRIPT_WITH_UNCAUGHT_EXCEPTIONS = """
import sys, threading
from bot.watch.logs import configure_logging
configure_logging("INFO")
class Last:
    def __del__(self):
        raise ValueError(CANARY)
def fail():
    raise ValueError(CANARY)
thread = threading.Thread(target=fail)
thread.start()
thread.join()
Last()
fail()
"""


def test_every_uncaught_exception_has_the_same_form() -> None:
    """A fault that ends a thread, a finaliser or the process is one line of JSON, without its text."""
    script = _SCRIPT_WITH_UNCAUGHT_EXCEPTIONS.replace("CANARY", repr(CANARY))
    process = subprocess.run(
        [sys.executable, "-c", script],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=WAIT_TIMEOUT,
        check=False,
    )
    lines = [json.loads(line) for line in process.stderr.splitlines()]
    assert [line["event"] for line in lines] == [
        "uncaught exception in a thread",
        "unraisable exception",
        "uncaught exception: process ends",
    ]
    assert all(line["error"] == "ValueError" and line["frames"] for line in lines)
    assert CANARY not in process.stderr


_SCRIPT_WITH_LIBRARIES = """
import logging, warnings
from bot.watch.logs import configure_logging
configure_logging("DEBUG")
for name in ("discord.http", "aiosqlite", "aiohttp.access", "asyncio", "PIL.Image"):
    logging.getLogger(name).info("a hand: %s", "7F")
logging.getLogger("bot.part").debug("an event")
warnings.warn("a hand: 7F")
raise KeyboardInterrupt
"""


def test_libraries_log_warnings_alone() -> None:
    """Whatever the level of the bot is; Python's warnings have the same form, and Ctrl-C leaves no line."""
    command = [sys.executable, "-c", _SCRIPT_WITH_LIBRARIES]
    process = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, timeout=WAIT_TIMEOUT, check=False
    )
    lines = [json.loads(line) for line in process.stderr.splitlines()]
    assert [(line["logger"], line["level"]) for line in lines] == [
        ("bot.part", "debug"),
        ("py.warnings", "warning"),
    ]
    assert "7F" not in process.stderr


@pytest.mark.parametrize(
    ("secret", "text"),
    [
        (CANARY, f"Bot {CANARY}"),
        ("ab" * 32, f"seed {'ab' * 32}"),
        ("aW50" + "x" * 60, f"https://discord.com/api/v10/interactions/1/aW50{'x' * 60}/callback"),
    ],
)
def test_what_looks_secret_is_scrubbed(secret: str, text: str) -> None:
    """Tokens, seeds and interaction tokens are cut out of a text."""
    assert secret not in scrub(text)
    assert "Table No. 12 at /srv/data/captains-table.db" in scrub(
        "Table No. 12 at /srv/data/captains-table.db"
    )


def test_error_ids_do_not_repeat() -> None:
    """No two error ids near each other are the same, and only the newest are remembered."""
    given = [new_error_id() for _ in range(MAX_RECENT_IDS + 5_000)]
    newest = given[-MAX_RECENT_IDS:]
    assert len(set(newest)) == MAX_RECENT_IDS
    assert list(error_ids._recent_ids) == newest
    assert all(len(each) == ERROR_ID_LENGTH for each in given)


def _log_calls() -> Iterator[tuple[str, ast.Call]]:
    for package in ("bot", "render", "rules"):
        for path in (REPOSITORY / package).rglob("*.py"):
            if path.is_relative_to(REPOSITORY / "bot/local"):
                continue  # the stand-in is no part of the bot
            source = path.read_text(encoding="utf-8")
            if "_log." not in source:
                continue  # parsing takes long
            for node in ast.walk(ast.parse(source)):
                called = node.func if isinstance(node, ast.Call) else None
                if isinstance(called, ast.Attribute) and ast.unparse(called.value) == "_log":
                    assert isinstance(node, ast.Call)
                    yield f"{path.name}:{node.lineno}", node


def test_every_log_call_is_an_event_with_listed_fields() -> None:
    """In the bot, a log call has a fixed text, no arguments, and names only fields that are written."""
    calls = list(_log_calls())
    assert len(calls) > 20
    for where, call in calls:
        assert len(call.args) == 1, where
        assert isinstance(call.args[0], ast.Constant), where
        for keyword in call.keywords:
            if keyword.arg == "extra" and isinstance(keyword.value, ast.Dict):
                names = {key.value for key in keyword.value.keys if isinstance(key, ast.Constant)}
                assert names <= NUMBER_FIELDS | LABEL_FIELDS, where
