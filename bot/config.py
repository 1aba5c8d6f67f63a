"""What whoever runs the bot may set, all of it through the environment."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from bot.chat.endpoints import ENVIRONMENT as LOCAL
from bot.chat.endpoints import place_of
from bot.host.quotas import Quotas

TOKEN: Final = "DISCORD_TOKEN"  # noqa: S105 - a variable's name
TOKEN_FILE: Final = "DISCORD_TOKEN_FILE"  # noqa: S105 - a variable's name
DATABASE: Final = "CAPTAINS_TABLE_DATABASE"
LOG_LEVEL: Final = "CAPTAINS_TABLE_LOG"
PACE: Final = "CAPTAINS_TABLE_COMPUTER_PACE"
METRICS: Final = "CAPTAINS_TABLE_METRICS"
HEARTBEAT: Final = "CAPTAINS_TABLE_HEARTBEAT"
ACTS: Final = "CAPTAINS_TABLE_ACTS"
LOBBIES: Final = "CAPTAINS_TABLE_LOBBIES"
GAMES: Final = "CAPTAINS_TABLE_GAMES"
SERVER_TABLES: Final = "CAPTAINS_TABLE_SERVER_TABLES"
OPENING_PAUSE: Final = "CAPTAINS_TABLE_OPENING_PAUSE"
BACKUPS: Final = "CAPTAINS_TABLE_BACKUPS"
BACKUP_MINUTES: Final = "CAPTAINS_TABLE_BACKUP_MINUTES"
BACKUPS_KEPT: Final = "CAPTAINS_TABLE_BACKUPS_KEPT"
LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
"""What the log may be told to leave out."""
_LAST_PORT: Final = 65_535
Environment: TypeAlias = Mapping[str, str]


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
    quotas: Quotas = Quotas()
    metrics_port: int | None = None
    """The port of this machine's own on which Prometheus may ask; None: none."""
    heartbeat: Path | None = None
    """The file that shows the container that the bot is well."""


class Keeping(msgspec.Struct, frozen=True):
    """Where the database is, and its copies."""

    database: Path
    backups: Path
    every: float = 15 * 60.0
    """Seconds between two copies, while something changes."""
    kept: tuple[int, int, int] = (8, 24, 14)
    """How many copies are kept: the newest, one an hour, one a day."""


def read_config(environment: Environment) -> Config:
    """Read the settings.  Raises BadSetting."""
    usual = Quotas()
    acts, act_seconds = _rate(environment, ACTS, f"{usual.acts}/{usual.act_seconds:g}")
    heartbeat = environment.get(HEARTBEAT)
    return Config(
        token=_token(environment),
        local=_local(environment),
        log_level=_level(environment),
        computer_pace=_seconds(environment, PACE, 0.8),
        keeping=read_keeping(environment),
        quotas=Quotas(
            acts=acts,
            act_seconds=act_seconds,
            suggestions=3 * acts,
            lobbies=_count(environment, LOBBIES, usual.lobbies),
            games=_count(environment, GAMES, usual.games),
            server_tables=_count(environment, SERVER_TABLES, usual.server_tables),
            opening_pause=_seconds(environment, OPENING_PAUSE, usual.opening_pause),
        ),
        metrics_port=_port(environment),
        heartbeat=Path(heartbeat) if heartbeat else None,
    )


def read_keeping(environment: Environment) -> Keeping:
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


def _local(environment: Environment) -> str | None:
    address = environment.get(LOCAL)
    if address is not None:
        try:
            place_of(address)
        except ValueError as error:
            raise BadSetting(str(error)) from error
    return address


def _level(environment: Environment) -> str:
    level = environment.get(LOG_LEVEL, "INFO")
    if level.upper() not in LEVELS:
        raise BadSetting(f"{LOG_LEVEL} must be one of {', '.join(LEVELS)}, not {level!r}.")
    return level.upper()


def _port(environment: Environment) -> int | None:
    port = _count(environment, METRICS, 0)
    if port > _LAST_PORT:
        raise BadSetting(f"{METRICS} must be a port, 1 to {_LAST_PORT} (0: none), not {port}.")
    return port or None


def _seconds(environment: Environment, name: str, usual: float) -> float:
    text = environment.get(name, str(usual))
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise BadSetting(f"{name} must be a number of seconds, not {text!r}.")
    return seconds


def _count(environment: Environment, name: str, usual: int) -> int:
    text = environment.get(name, str(usual))
    if not (text.isascii() and text.isdecimal()):
        raise BadSetting(f"{name} must be a whole number (0 lifts a limit), not {text!r}.")
    return int(text)


def _rate(environment: Environment, name: str, usual: str) -> tuple[int, float]:
    """So many within so many seconds: "20/10"; "0" lifts the limit."""
    text = environment.get(name, usual)
    most, _, seconds = text.partition("/")
    parts = {name: most}
    if seconds:
        parts["seconds"] = seconds
    try:
        count, within = _count(parts, name, 0), _seconds(parts, "seconds", 0.0)
    except BadSetting:
        count, within = 1, 0.0
    if count and not within:
        raise BadSetting(
            f'{name} must be a number and seconds, like "{usual}" ("0": no limit), not {text!r}.'
        )
    return count, within


def _token(environment: Environment) -> Secret:
    if file := environment.get(TOKEN_FILE):
        try:
            token = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise BadSetting(f"{TOKEN_FILE} names a file that cannot be read: {error}") from error
    else:
        token = environment.get(TOKEN, "").strip()
    if not token:
        raise BadSetting(f"Set {TOKEN} to your bot's token (or {TOKEN_FILE} to a file that holds it).")
    if not (token.isascii() and token.isprintable()) or " " in token:  # it goes into a header
        raise BadSetting(f"{TOKEN} (or what {TOKEN_FILE} holds) is no token: it must be one word.")
    return Secret(token)
