"""The log format: one JSON object a line, made of an event and the fields that are listed here.

An event is a fixed text of the code.  Arguments, the finished messages of other libraries and the texts of
exceptions (but those written for operators) are left out: no token, seed or player's text may reach the log.
"""

import contextlib
import logging
import re
import sys
import threading
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TextIO

import msgspec

from bot.config import ConfigError
from bot.drawing_process import REMOTE_FRAMES_ATTRIBUTE
from bot.store.protocol import StoreError

NUMBER_FIELDS: Final = frozenset(
    {
        "table",
        "ply",
        "seat",
        "code",
        "status",
        "count",
        "attempts",
        "seconds",
        "missing_bytes",
        "port",
        "exit_code",
        "record",
    }
)
"""Fields of ``extra`` that hold a number."""
LABEL_FIELDS: Final = frozenset({"error_id", "kind", "game", "outcome", "watch", "refusal", "place"})
"""Fields of ``extra`` that hold a label from this code, or an error id (five letters and digits)."""
_LABEL_PATTERN: Final = re.compile(r"[A-Za-z][\w.:-]{0,39}|[0-9A-Z]{5}")
OWN_LOGGERS: Final = ("bot", "render", "rules", "__main__")
"""Top-level names of the loggers whose events this repository's code writes."""
ERRORS_WITH_TEXT: Final = (StoreError, ConfigError)
"""Exceptions whose text is written for operators and may be logged."""
MAX_FRAMES: Final = 12
"""How many frames of a traceback are kept, the innermost ones."""
MAX_NAMED_ERRORS: Final = 12
"""How many classes of an exception and its causes are named, its own first."""
_SECRET_PATTERN: Final = re.compile(r"[0-9a-fA-F]{32,}|[\w-]{20,}\.[\w-]{4,}\.[\w-]{20,}|[\w-]{40,}")
"""Matches what looks like a seed, a hash or a token."""
_REPOSITORY: Final = Path(__file__).parents[2]

_encoder: Final = msgspec.json.Encoder()


class JsonLineFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": _event(record),
            "logger": record.name,
        }
        for name, value in vars(record).items():
            if name in NUMBER_FIELDS and isinstance(value, int | float):
                fields[name] = round(value, 3)
            elif name in LABEL_FIELDS and isinstance(value, str) and _LABEL_PATTERN.fullmatch(value):
                fields[name] = value
        if record.exc_info and record.exc_info[1] is not None:  # asyncio sets it to False
            fields |= _exception_fields(record.exc_info[1])
        return _encoder.encode(fields).decode()


class JsonLineHandler(logging.StreamHandler[TextIO]):
    """Writes JSON lines.  Of a record that cannot be written, only logger and error class are named."""

    def __init__(self, stream: TextIO) -> None:
        """``stream``: where the lines go."""
        super().__init__(stream)
        self.setFormatter(JsonLineFormatter())

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name that logging calls
        """Write a line about a record that could not be formatted or written."""
        fields = {"level": "error", "event": "log record not written", "logger": record.name}
        if (error := sys.exception()) is not None:
            fields["error"] = type(error).__name__
        with contextlib.suppress(OSError, ValueError):  # the stream itself may be closed
            self.stream.write(_encoder.encode(fields).decode() + self.terminator)


def _event(record: logging.LogRecord) -> str:
    """Return the event: a constant message, or ``logger module:line`` if the message may hold values."""
    is_own = record.name.partition(".")[0] in OWN_LOGGERS
    if isinstance(record.msg, str) and record.msg != "%s" and (is_own or record.args):
        return scrub(record.msg)
    return f"{record.name} {record.module}:{record.lineno}"


def _exception_fields(error: BaseException) -> dict[str, object]:
    """Return what may be logged of an exception: classes, numbers, places, and text for operators.

    ``cause_frames`` are the places of its root cause, such as a game's error within a GameFault.
    """
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and len(chain) < MAX_NAMED_ERRORS:
        chain.append(cause)
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    fields: dict[str, object] = {"error": " < ".join(type(each).__name__ for each in chain)}
    if frames := _frame_texts(error):
        fields["frames"] = frames
    if len(chain) > 1 and (cause_frames := _frame_texts(chain[-1])):
        fields["cause_frames"] = cause_frames
    for name in ("code", "status", "errno"):
        value = getattr(error, name, None)
        if isinstance(value, int):
            fields[f"error_{name}"] = value
    if isinstance(error, ERRORS_WITH_TEXT):
        fields["error_text"] = scrub(str(error))
    return fields


def _frame_texts(error: BaseException) -> list[str]:
    """Return the innermost places of an exception in the program."""
    local_frames = [
        (frame.filename, frame.lineno, frame.name) for frame in traceback.extract_tb(error.__traceback__)
    ]
    frames = getattr(error, REMOTE_FRAMES_ATTRIBUTE, local_frames)[-MAX_FRAMES:]
    return [f"{_short_path(file)}:{line} {name}" for file, line, name in frames]


def _short_path(file: str) -> str:
    path = Path(file)
    if path.is_relative_to(_REPOSITORY):
        return str(path.relative_to(_REPOSITORY))
    return "/".join(path.parts[-2:])


def scrub(text: str) -> str:
    """Return a text without anything that looks like a token, a seed or a hash."""
    return _SECRET_PATTERN.sub("…", text)


def configure_logging(level: str, stream: TextIO | None = None) -> None:
    """Log to standard error or ``stream``; other libraries log warnings only, as more might show secrets."""
    handler = JsonLineHandler(stream or sys.stderr)
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in ("discord", "aiosqlite", "aiohttp", "asyncio", "PIL"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_uncaught_in_thread
    sys.unraisablehook = _log_unraisable


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: object) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    del trace  # the exception carries it
    logging.getLogger("bot").critical("uncaught exception: process ends", exc_info=error)


def _log_uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if not issubclass(args.exc_type, SystemExit):
        logging.getLogger("bot").error("uncaught exception in a thread", exc_info=args.exc_value)


def _log_unraisable(args: "sys.UnraisableHookArgs") -> None:
    """Log an exception that Python cannot raise, in a finaliser for instance."""
    logging.getLogger("bot").error("unraisable exception", exc_info=args.exc_value)
