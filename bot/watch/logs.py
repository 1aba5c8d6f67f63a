"""The log: one JSON object a line, made of an event and fields that are listed here.  Nothing else gets in.

An event is the text as it stands in the program; what other libraries would put into theirs, and the text of
their exceptions, is left out.  So a token, a seed or somebody's words cannot slip in by an oversight.
"""

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
from bot.store.protocol import StoreError

NUMBERS: Final = frozenset(
    {"table", "ply", "seat", "code", "status", "count", "attempts", "seconds", "port", "exit_code", "record"}
)
"""Fields that hold a number."""
WORDS: Final = frozenset({"ref", "kind", "game", "outcome", "watch", "refusal", "place"})
"""Fields that hold a short word out of the program's own."""
_WORD: Final = re.compile(r"[A-Za-z][\w.:-]{0,39}|[0-9A-Z]{5}")
OURS: Final = ("bot", "render", "rules", "__main__")
"""Loggers whose events are written in this repository."""
SPEAKING: Final = (StoreError, ConfigError)
"""Exceptions whose text is meant for whoever runs the bot."""
DEEPEST: Final = 12
"""So many frames of a traceback are kept, the innermost ones."""
_SECRET_LIKE: Final = re.compile(r"[0-9a-fA-F]{32,}|[\w-]{20,}\.[\w-]{4,}\.[\w-]{20,}|[\w-]{40,}")
_ROOT: Final = Path(__file__).parents[2]

_encoder: Final = msgspec.json.Encoder()


class JsonLines(logging.Formatter):
    """Writes a record as one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        fields: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": _event(record),
            "from": record.name,
        }
        for name, value in vars(record).items():
            if name in NUMBERS and isinstance(value, int | float):
                fields[name] = round(value, 3)
            elif name in WORDS and isinstance(value, str) and _WORD.fullmatch(value):
                fields[name] = value
        if record.exc_info is not None and record.exc_info[1] is not None:
            fields |= _told(record.exc_info[1])
        return _encoder.encode(fields).decode()


def _event(record: logging.LogRecord) -> str:
    """The text in the program; of another library only where it is a template, else the place of the call."""
    ours = record.name.partition(".")[0] in OURS
    if isinstance(record.msg, str) and record.msg != "%s" and (ours or record.args):
        return scrubbed(record.msg)
    return f"{record.name} {record.module}:{record.lineno}"


def _told(error: BaseException) -> dict[str, object]:
    """What may be told of an exception: its kinds, numbers and places, not its words."""
    chain: list[str] = []
    each: BaseException | None = error
    while each is not None and len(chain) < DEEPEST:
        chain.append(type(each).__name__)
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
    fields: dict[str, object] = {"error": " < ".join(chain)}
    frames = traceback.extract_tb(error.__traceback__)[-DEEPEST:]
    if frames:
        fields["frames"] = [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
    for name in ("code", "status", "errno"):
        value = getattr(error, name, None)
        if isinstance(value, int):
            fields[f"error_{name}"] = value
    if isinstance(error, SPEAKING):
        fields["says"] = scrubbed(str(error))
    return fields


def _short(name: str) -> str:
    path = Path(name)
    if path.is_relative_to(_ROOT):
        return str(path.relative_to(_ROOT))
    return "/".join(path.parts[-2:])


def scrubbed(text: str) -> str:
    """A text without anything that looks like a token, a seed or a hash."""
    return _SECRET_LIKE.sub("…", text)


def configure_logging(level: str, stream: TextIO | None = None) -> None:
    """Log to standard error (or ``stream``); other libraries' own debugging would show secrets."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in ("discord", "aiosqlite", "aiohttp", "asyncio", "PIL"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    sys.excepthook = _last_word
    threading.excepthook = _end_of_thread
    sys.unraisablehook = _unheard


def _end_of_thread(ended: threading.ExceptHookArgs) -> None:
    """What ends a thread; the process goes on."""
    if not issubclass(ended.exc_type, SystemExit):
        logging.getLogger("bot").error("a thread ended by a fault", exc_info=ended.exc_value)


def _unheard(fault: "sys.UnraisableHookArgs") -> None:
    """A fault where nobody can hear of it, in a finaliser for instance."""
    logging.getLogger("bot").error("a fault that nobody could hear of", exc_info=fault.exc_value)


def _last_word(kind: type[BaseException], error: BaseException, trace: object) -> None:
    """What ends the process is told in the same form."""
    if issubclass(kind, KeyboardInterrupt):
        return
    del trace  # the exception carries it
    logging.getLogger("bot").critical("the bot ends by a fault", exc_info=error)
