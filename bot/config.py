"""The bot's settings, all read from environment variables.

``docs/hosting.md`` says what each variable means, ``docs/operating.md`` those that are limits.
"""

import re
import reprlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from bot.chat.connection import LOCAL_ADDRESS_VARIABLE, parse_local_address
from bot.host.backup_scheduler import BACKUP_INTERVAL
from bot.host.computers import COMPUTER_DELAY
from bot.host.quotas import Quotas
from bot.store.backup_folder import DEFAULT_RETENTION, RetentionPolicy
from rules.text import listed

TOKEN_VARIABLE: Final = "DISCORD_TOKEN"  # noqa: S105 - a variable's name
TOKEN_FILE_VARIABLE: Final = "DISCORD_TOKEN_FILE"  # noqa: S105 - a variable's name
DATABASE_VARIABLE: Final = "CAPTAINS_TABLE_DATABASE"
LOG_LEVEL_VARIABLE: Final = "CAPTAINS_TABLE_LOG"
COMPUTER_DELAY_VARIABLE: Final = "CAPTAINS_TABLE_COMPUTER_DELAY"
METRICS_VARIABLE: Final = "CAPTAINS_TABLE_METRICS"
HEARTBEAT_VARIABLE: Final = "CAPTAINS_TABLE_HEARTBEAT"
REQUESTS_VARIABLE: Final = "CAPTAINS_TABLE_REQUESTS"
LOBBIES_VARIABLE: Final = "CAPTAINS_TABLE_LOBBIES"
USER_TABLES_VARIABLE: Final = "CAPTAINS_TABLE_USER_TABLES"
SERVER_TABLES_VARIABLE: Final = "CAPTAINS_TABLE_SERVER_TABLES"
OPENING_COOLDOWN_VARIABLE: Final = "CAPTAINS_TABLE_OPENING_PAUSE"
MENTIONS_VARIABLE: Final = "CAPTAINS_TABLE_MENTIONS"
BACKUPS_VARIABLE: Final = "CAPTAINS_TABLE_BACKUPS"
BACKUP_MINUTES_VARIABLE: Final = "CAPTAINS_TABLE_BACKUP_MINUTES"
BACKUPS_KEPT_VARIABLE: Final = "CAPTAINS_TABLE_BACKUPS_KEPT"

_PREFIXED_VARIABLES: Final = frozenset(
    {
        LOCAL_ADDRESS_VARIABLE,
        DATABASE_VARIABLE,
        LOG_LEVEL_VARIABLE,
        COMPUTER_DELAY_VARIABLE,
        METRICS_VARIABLE,
        HEARTBEAT_VARIABLE,
        REQUESTS_VARIABLE,
        LOBBIES_VARIABLE,
        USER_TABLES_VARIABLE,
        SERVER_TABLES_VARIABLE,
        OPENING_COOLDOWN_VARIABLE,
        MENTIONS_VARIABLE,
        BACKUPS_VARIABLE,
        BACKUP_MINUTES_VARIABLE,
        BACKUPS_KEPT_VARIABLE,
    }
)
"""Every setting but the token's."""

_SERVICE_LINK_PATTERN: Final = re.compile(r"_SERVICE_(HOST|PORT)\b|_SERVICE_PORT_|_PORT_\d+_|_PORT=\w+://")
"""Matches a variable with which Kubernetes names the address of a service, followed by its value."""

LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_MAX_NUMBER: Final = 1_000_000_000
"""The highest number that a variable may have, whatever its unit."""
MAX_PORT: Final = 65_535

Environment: TypeAlias = Mapping[str, str]
"""The environment variables by name."""


class ConfigError(Exception):
    """A setting is missing or invalid; the text names it and says what to set."""


class Secret(str):
    """A string whose ``repr`` hides it, so that no traceback or log of a structure shows it."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Hide the value."""
        return "Secret(…)"


class StorageSettings(msgspec.Struct, frozen=True):
    """The database and its backups."""

    database: Path
    backup_folder: Path
    backup_interval: float = BACKUP_INTERVAL
    """Seconds between two backups while something changes."""
    backup_retention: RetentionPolicy = DEFAULT_RETENTION


class Config(msgspec.Struct, frozen=True):
    """Every setting of the bot."""

    token: Secret
    local_address: str | None
    """The address of the stand-in for Discord; None: the real Discord."""
    log_level: str
    computer_delay: float
    """Seconds that a computer player waits before its turn."""
    storage: StorageSettings
    quotas: Quotas = Quotas()
    metrics_port: int | None = None
    """The loopback port on which metrics are served; None: they are not."""
    heartbeat_file: Path | None = None
    """The file that is written while the bot is healthy; None: none is written."""


def read_config(environment: Environment) -> Config:
    """Read all settings; an empty one counts as not set.  Raises ConfigError."""
    defaults = Quotas()
    requests, request_seconds = _read_rate(
        environment, REQUESTS_VARIABLE, f"{defaults.requests}/{defaults.request_seconds:g}"
    )
    heartbeat_path = environment.get(HEARTBEAT_VARIABLE)
    return Config(
        token=_read_token(environment),
        local_address=_read_local_address(environment),
        log_level=_read_log_level(environment),
        computer_delay=_read_seconds(environment, COMPUTER_DELAY_VARIABLE, COMPUTER_DELAY),
        storage=read_storage_settings(environment),
        quotas=Quotas(
            requests=requests,
            request_seconds=request_seconds,
            suggestions=3 * requests,  # each key typed asks for one, as in the defaults
            open_lobbies=_read_count(environment, LOBBIES_VARIABLE, defaults.open_lobbies),
            user_tables=_read_count(environment, USER_TABLES_VARIABLE, defaults.user_tables),
            server_tables=_read_count(environment, SERVER_TABLES_VARIABLE, defaults.server_tables),
            opening_cooldown=_read_seconds(environment, OPENING_COOLDOWN_VARIABLE, defaults.opening_cooldown),
            mentions=_read_count(environment, MENTIONS_VARIABLE, defaults.mentions),
        ),
        metrics_port=_read_metrics_port(environment),
        heartbeat_file=Path(heartbeat_path) if heartbeat_path else None,
    )


def require_known_settings(environment: Environment) -> None:
    """Raise ConfigError if a variable is named like a setting of the bot and is none, as a misspelt one is.

    Others may set such variables for purposes of their own, so the bot starts all the same.  Those that
    Kubernetes sets for a service named captains-table are known.
    """
    unknown_names = sorted(
        name
        for name, value in environment.items()
        if name.startswith("CAPTAINS_TABLE_")
        and name not in _PREFIXED_VARIABLES
        and not _SERVICE_LINK_PATTERN.search(f"{name}={value}")
    )
    if unknown_names:
        raise ConfigError(
            f"The bot has no setting {listed(unknown_names, 'or')}."
            f" It has {listed(sorted(_PREFIXED_VARIABLES))}."
        )


def read_storage_settings(environment: Environment) -> StorageSettings:
    """Read the settings of the database and its backups, which need no token.  Raises ConfigError."""
    database = Path(environment.get(DATABASE_VARIABLE) or "data/captains-table.db")
    return StorageSettings(
        database=database,
        backup_folder=Path(environment.get(BACKUPS_VARIABLE) or database.parent / "backups"),
        backup_interval=_read_backup_interval(environment),
        backup_retention=_read_backup_retention(environment),
    )


def _read_backup_interval(environment: Environment) -> float:
    text = environment.get(BACKUP_MINUTES_VARIABLE) or f"{BACKUP_INTERVAL / 60:g}"
    minutes = _parse_number(text)
    if not minutes:
        raise ConfigError(
            f"{BACKUP_MINUTES_VARIABLE} must be a number of minutes above 0, at most {_MAX_NUMBER:,},"
            f" not {reprlib.repr(text)}."
        )
    return minutes * 60


def _read_backup_retention(environment: Environment) -> RetentionPolicy:
    text = environment.get(BACKUPS_KEPT_VARIABLE)
    if not text:
        return DEFAULT_RETENTION
    counts = [_parse_count(word) for word in text.split()]
    match counts:
        case [int(newest_count), int(hourly_count), int(daily_count)] if newest_count:
            return RetentionPolicy(newest_count, hourly_count, daily_count)
        case _:
            raise ConfigError(
                f'{BACKUPS_KEPT_VARIABLE} must be three whole numbers, like "8 24 14"'
                f" (the newest, at least 1; one an hour; one a day), not {reprlib.repr(text)}."
            )


def _read_local_address(environment: Environment) -> str | None:
    address = environment.get(LOCAL_ADDRESS_VARIABLE)
    if address is not None:  # an empty one is refused: it must not lead to the real Discord
        try:
            parse_local_address(address)
        except ValueError as error:
            raise ConfigError(str(error)) from error
    return address


def _read_log_level(environment: Environment) -> str:
    level = environment.get(LOG_LEVEL_VARIABLE) or "INFO"
    if level.upper() not in LOG_LEVELS:
        raise ConfigError(
            f"{LOG_LEVEL_VARIABLE} must be one of {', '.join(LOG_LEVELS)}, not {reprlib.repr(level)}."
        )
    return level.upper()


def _read_metrics_port(environment: Environment) -> int | None:
    text = environment.get(METRICS_VARIABLE) or "0"
    port = _parse_count(text)
    if port is None or port > MAX_PORT:
        raise ConfigError(
            f"{METRICS_VARIABLE} must be a port, 1 to {MAX_PORT} (0: none), not {reprlib.repr(text)}."
        )
    return port or None


def _read_seconds(environment: Environment, name: str, default: float) -> float:
    text = environment.get(name) or str(default)
    seconds = _parse_number(text)
    if seconds is None:
        raise ConfigError(
            f"{name} must be a number of seconds from 0 to {_MAX_NUMBER:,}, not {reprlib.repr(text)}."
        )
    return seconds


def _read_count(environment: Environment, name: str, default: int) -> int:
    text = environment.get(name) or str(default)
    count = _parse_count(text)
    if count is None:
        raise ConfigError(
            f"{name} must be a whole number from 0 (no limit) to {_MAX_NUMBER:,}, not {reprlib.repr(text)}."
        )
    return count


def _read_rate(environment: Environment, name: str, default: str) -> tuple[int, float]:
    """Return the count and the seconds of a rate such as "20/10"; "0" lifts the limit."""
    text = environment.get(name) or default
    count_text, slash, seconds_text = text.partition("/")
    count = _parse_count(count_text)
    seconds = _parse_number(seconds_text) if slash else 0.0
    if count is None or seconds is None or (count and not seconds):
        raise ConfigError(
            f'{name} must be a number and seconds, like "{default}" ("0": no limit),'
            f" not {reprlib.repr(text)}."
        )
    return count, seconds


def _parse_count(text: str) -> int | None:
    """Return a whole number from 0 to 1,000,000,000; None if the text is no such number."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(_MAX_NUMBER))):
        return None  # the length first: Python refuses to convert more than 4,300 digits
    count = int(text)
    return count if count <= _MAX_NUMBER else None


def _parse_number(text: str) -> float | None:
    """Return a number from 0 to 1,000,000,000; None if the text is no such number."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number <= _MAX_NUMBER else None


def _read_token(environment: Environment) -> Secret:
    if file := environment.get(TOKEN_FILE_VARIABLE):
        try:
            token = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{TOKEN_FILE_VARIABLE} names a file that cannot be read: {error}") from error
        if not token:
            raise ConfigError(
                f"{TOKEN_FILE_VARIABLE} names a file that is empty: {file}. Write the token into it."
            )
    else:
        token = environment.get(TOKEN_VARIABLE, "").strip()
    if not token:
        raise ConfigError(
            f"Set {TOKEN_VARIABLE} to your bot's token (or {TOKEN_FILE_VARIABLE} to a file that holds it)."
        )
    if not (token.isascii() and token.isprintable()) or " " in token:  # it is sent in a header
        raise ConfigError(
            f"{TOKEN_VARIABLE} (or the file that {TOKEN_FILE_VARIABLE} names)"
            " must hold the token as one word."
        )
    return Secret(token)
