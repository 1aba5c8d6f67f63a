"""What whoever runs the bot may set, all of it through the environment."""

import os
from pathlib import Path
from typing import Final

import msgspec

from bot.chat.endpoints import ENVIRONMENT as LOCAL

TOKEN: Final = "DISCORD_TOKEN"  # noqa: S105 - a variable's name
TOKEN_FILE: Final = "DISCORD_TOKEN_FILE"  # noqa: S105 - a variable's name
DATABASE: Final = "CAPTAINS_TABLE_DATABASE"
LOG_LEVEL: Final = "CAPTAINS_TABLE_LOG"
PACE: Final = "CAPTAINS_TABLE_COMPUTER_PACE"
BACKUPS: Final = "CAPTAINS_TABLE_BACKUPS"
BACKUP_MINUTES: Final = "CAPTAINS_TABLE_BACKUP_MINUTES"
BACKUPS_KEPT: Final = "CAPTAINS_TABLE_BACKUPS_KEPT"


class BadSetting(Exception):
    """A setting is missing or makes no sense; the text says what to do."""


class Secret(str):
    """A string that does not show itself in logs and tracebacks."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Hide the value."""
        return "Secret(…)"


class Config(msgspec.Struct, frozen=True):
    """Everything that can be set."""

    token: Secret
    local: str | None
    """The stand-in's address; None: the real Discord."""
    log_level: str
    computer_pace: float
    """Seconds that a computer player seems to think."""
    keeping: "Keeping"


class Keeping(msgspec.Struct, frozen=True):
    """Where the database is, and its copies."""

    database: Path
    backups: Path
    every: float = 15 * 60.0
    """Seconds between two copies, while something changes."""
    kept: tuple[int, int, int] = (8, 24, 14)
    """How many copies are kept: the newest, one an hour, one a day."""


def read_config(environment: os._Environ[str] | dict[str, str]) -> Config:
    """Read the settings.  Raises BadSetting."""
    pace = environment.get(PACE, "0.8")
    try:
        seconds = float(pace)
    except ValueError:
        raise BadSetting(f"{PACE} must be a number of seconds, not {pace!r}.") from None
    return Config(
        token=_token(environment),
        local=environment.get(LOCAL),
        log_level=environment.get(LOG_LEVEL, "INFO").upper(),
        computer_pace=seconds,
        keeping=read_keeping(environment),
    )


def read_keeping(environment: os._Environ[str] | dict[str, str]) -> Keeping:
    """The settings of the commands that need no token.  Raises BadSetting."""
    database = Path(environment.get(DATABASE) or "data/captains-table.db")
    minutes = environment.get(BACKUP_MINUTES, "15")
    kept = environment.get(BACKUPS_KEPT, "8 24 14")
    try:
        every = float(minutes) * 60
        newest, hours, days = (int(number) for number in kept.split())
    except ValueError:
        every = newest = hours = days = -1
    if not (0 < every < float("inf") and newest >= 1 and hours >= 0 and days >= 0):
        raise BadSetting(
            f"{BACKUP_MINUTES} must be a number of minutes and {BACKUPS_KEPT} three whole numbers"
            f" (the newest, one an hour, one a day), not {minutes!r} and {kept!r}."
        )
    return Keeping(
        database=database,
        backups=Path(environment.get(BACKUPS) or database.parent / "backups"),
        every=every,
        kept=(newest, hours, days),
    )


def _token(environment: os._Environ[str] | dict[str, str]) -> Secret:
    if file := environment.get(TOKEN_FILE):
        try:
            return Secret(Path(file).read_text(encoding="utf-8").strip())
        except OSError as error:
            raise BadSetting(f"{TOKEN_FILE} names a file that cannot be read: {error}") from error
    token = environment.get(TOKEN, "").strip()
    if not token:
        raise BadSetting(f"Set {TOKEN} to your bot's token (or {TOKEN_FILE} to a file that holds it).")
    return Secret(token)
