"""Settings: their defaults, what may be set, and a clear sentence for what is invalid."""

from pathlib import Path

import pytest

from bot import config
from bot.chat.connection import LOCAL_ADDRESS_VARIABLE
from bot.config import ConfigError, read_config, require_known_settings
from bot.host.quotas import Quotas
from bot.store.backup_folder import RetentionPolicy

TOKEN_SETTING = {"DISCORD_TOKEN": "a.b.c"}


def test_unset_limits_are_those_of_quotas() -> None:
    """Where nothing is set, the limits are those of Quotas."""
    settings = read_config(TOKEN_SETTING)
    assert settings.quotas == Quotas()
    assert (settings.metrics_port, settings.heartbeat_file) == (None, None)


def test_limits_can_be_set_and_lifted() -> None:
    """Each limit follows its variable; 0 lifts it."""
    settings = read_config(
        TOKEN_SETTING
        | {
            "CAPTAINS_TABLE_REQUESTS": "7/3.5",
            "CAPTAINS_TABLE_LOBBIES": "0",
            "CAPTAINS_TABLE_USER_TABLES": "1",
            "CAPTAINS_TABLE_SERVER_TABLES": "2",
            "CAPTAINS_TABLE_OPENING_PAUSE": "0.5",
            "CAPTAINS_TABLE_MENTIONS": "3",
            "CAPTAINS_TABLE_METRICS": "9100",
        }
    )
    assert settings.quotas == Quotas(
        requests=7,
        request_seconds=3.5,
        suggestions=21,
        open_lobbies=0,
        user_tables=1,
        server_tables=2,
        opening_cooldown=0.5,
        mentions=3,
    )
    assert settings.metrics_port == 9100


def test_an_empty_setting_counts_as_not_set() -> None:
    """So a file for Docker Compose may pass on what its user has not set."""
    names = [name for name in config._PREFIXED_VARIABLES if name != LOCAL_ADDRESS_VARIABLE]
    assert read_config(TOKEN_SETTING | dict.fromkeys(names, "")) == read_config(TOKEN_SETTING)


def test_addresses_of_services_are_no_misspelt_settings() -> None:
    """Kubernetes tells each container where a service of the bot's name is."""
    require_known_settings(
        {
            "CAPTAINS_TABLE_SERVICE_HOST": "10.0.0.1",
            "CAPTAINS_TABLE_SERVICE_PORT": "9100",
            "CAPTAINS_TABLE_SERVICE_PORT_METRICS": "9100",
            "CAPTAINS_TABLE_PORT": "tcp://10.0.0.1:9100",
            "CAPTAINS_TABLE_METRICS_PORT_9100_TCP_ADDR": "10.0.0.1",
        }
    )
    with pytest.raises(ConfigError, match=r"no setting CAPTAINS_TABLE_METRICS_PORT\."):
        require_known_settings({"CAPTAINS_TABLE_METRICS_PORT": "9100"})


def test_a_misspelt_setting_is_named() -> None:
    """A variable that is named like a setting and is none does not pass in silence; a setting does."""
    known_settings = {name: "" for name in vars(config).values() if str(name).startswith("CAPTAINS_TABLE_")}
    require_known_settings(TOKEN_SETTING | known_settings | {"HOME": "/"})
    with pytest.raises(ConfigError, match=r"no setting CAPTAINS_TABLE_LOBBYS\."):
        require_known_settings(TOKEN_SETTING | known_settings | {"CAPTAINS_TABLE_LOBBYS": "3"})


SETTINGS_WITHOUT_NUMBERS = {"DATABASE", "LOG", "HEARTBEAT", "BACKUPS"}
SETTINGS_WITH_NUMBERS = sorted(
    value.removeprefix("CAPTAINS_TABLE_")
    for value in vars(config).values()
    if isinstance(value, str)
    and value.startswith("CAPTAINS_TABLE_")
    and value.removeprefix("CAPTAINS_TABLE_") not in SETTINGS_WITHOUT_NUMBERS
)


@pytest.mark.parametrize("name", SETTINGS_WITH_NUMBERS)
@pytest.mark.parametrize("value", ["many", "-1", " ", "5/", "1/-1", "nan", "inf", "1e400", "5/x", "1 1 -1"])
def test_an_invalid_number_is_named(name: str, value: str) -> None:
    """Whatever is wrong, the sentence names the variable."""
    name = f"CAPTAINS_TABLE_{name}"
    with pytest.raises(ConfigError, match=f"{name} must be"):
        read_config(TOKEN_SETTING | {name: value})


HUGE = "9" * 5_000
"""More digits than Python converts to a whole number."""


@pytest.mark.parametrize("name", SETTINGS_WITH_NUMBERS)
@pytest.mark.parametrize(
    "value", [HUGE, f"1{'0' * 12}", f"{HUGE}/1", f"1/{HUGE}", f"{HUGE} 1 1", f"http://127.0.0.1:{HUGE}"]
)
def test_a_number_that_is_too_large_is_named(name: str, value: str) -> None:
    """A number of thousands of digits is a configuration error like any other, in a short sentence."""
    name = f"CAPTAINS_TABLE_{name}"
    with pytest.raises(ConfigError, match=f"{name} must be") as raised:
        read_config(TOKEN_SETTING | {name: value})
    assert len(str(raised.value)) < 250


def test_every_numeric_setting_is_tried() -> None:
    """The settings above are all that hold a number."""
    assert SETTINGS_WITH_NUMBERS == [
        "BACKUPS_KEPT",
        "BACKUP_MINUTES",
        "COMPUTER_DELAY",
        "LOBBIES",
        "LOCAL",
        "MENTIONS",
        "METRICS",
        "OPENING_PAUSE",
        "REQUESTS",
        "SERVER_TABLES",
        "USER_TABLES",
    ]


def test_interval_and_numbers_of_backups_can_be_set() -> None:
    """The interval is given in minutes, the numbers kept as three."""
    storage = read_config(
        TOKEN_SETTING | {"CAPTAINS_TABLE_BACKUP_MINUTES": "0.5", "CAPTAINS_TABLE_BACKUPS_KEPT": "1 0 3"}
    ).storage
    assert (storage.backup_interval, storage.backup_retention) == (30.0, RetentionPolicy(1, 0, 3))
    for kept in ("0 1 1", "1 1", "1 1 1 1", "1.5 1 1"):
        with pytest.raises(ConfigError, match="BACKUPS_KEPT must be"):
            read_config(TOKEN_SETTING | {"CAPTAINS_TABLE_BACKUPS_KEPT": kept})


def test_the_token_does_not_show() -> None:
    """A config in a log or a traceback hides its token."""
    assert "a.b.c" not in repr(read_config(TOKEN_SETTING))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LOG", "LOUD"),
        ("LOG", " "),
        ("METRICS", "70000"),
        ("METRICS", "9" * 30),
        ("LOCAL", "http://example.com"),
        ("LOCAL", "http://127.0.0.1:99999"),
        ("LOCAL", "http://[::1"),
        ("LOCAL", ""),
    ],
)
def test_an_invalid_level_port_or_address_is_named(name: str, value: str) -> None:
    """What would fail later is refused at once, like any other setting."""
    name = f"CAPTAINS_TABLE_{name}"
    with pytest.raises(ConfigError, match=f"{name} must be"):
        read_config(TOKEN_SETTING | {name: value})


def test_valid_levels_ports_and_addresses_are_accepted() -> None:
    """Either case of a level, the last port and each loopback address are valid."""
    for level in ("debug", "INFO", "Warning"):
        assert read_config(TOKEN_SETTING | {"CAPTAINS_TABLE_LOG": level}).log_level == level.upper()
    assert read_config(TOKEN_SETTING | {"CAPTAINS_TABLE_METRICS": "65535"}).metrics_port == 65535
    for address in ("http://127.0.0.1:8080", "http://[::1]:1", "http://localhost"):
        assert read_config(TOKEN_SETTING | {"CAPTAINS_TABLE_LOCAL": address}).local_address == address


def test_an_empty_file_of_the_token_is_called_empty(tmp_path: Path) -> None:
    """Who has set the variable is not asked to set it."""
    path = tmp_path / "token"
    path.write_text("\n")
    with pytest.raises(ConfigError) as raised:
        read_config({"DISCORD_TOKEN_FILE": str(path)})
    assert (
        str(raised.value)
        == f"DISCORD_TOKEN_FILE names a file that is empty: {path}. Write the token into it."
    )


@pytest.mark.parametrize("content", [b"two words", b"one\r\ntwo", b"\xff\xfe", "tökén".encode()])
def test_a_file_that_holds_no_token_is_named(content: bytes, tmp_path: Path) -> None:
    """What cannot be a token is refused before it is sent anywhere, and is not quoted."""
    path = tmp_path / "token"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="DISCORD_TOKEN_FILE") as raised:
        read_config({"DISCORD_TOKEN_FILE": str(path)})
    assert not any(part in str(raised.value) for part in ("two", "tök"))
