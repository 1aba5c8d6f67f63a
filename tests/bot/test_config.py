"""Settings: what may be set, and a clear word about what makes no sense."""

from pathlib import Path

import pytest

from bot.config import BadSetting, read_config
from bot.host.quotas import Quotas

TOKEN = {"DISCORD_TOKEN": "a.b.c"}


def test_the_usual_limits() -> None:
    """Without a word, the limits are those that docs and quotas name."""
    config = read_config(TOKEN)
    assert config.quotas == Quotas()
    assert (config.metrics_port, config.heartbeat) == (None, None)


def test_limits_can_be_set_and_lifted() -> None:
    """Each limit follows its variable; 0 lifts it."""
    config = read_config(
        TOKEN
        | {
            "CAPTAINS_TABLE_ACTS": "7/3.5",
            "CAPTAINS_TABLE_LOBBIES": "0",
            "CAPTAINS_TABLE_GAMES": "1",
            "CAPTAINS_TABLE_SERVER_TABLES": "2",
            "CAPTAINS_TABLE_OPENING_PAUSE": "0.5",
            "CAPTAINS_TABLE_METRICS": "9100",
        }
    )
    assert config.quotas == Quotas(
        acts=7, act_seconds=3.5, suggestions=21, lobbies=0, games=1, server_tables=2, opening_pause=0.5
    )
    assert config.metrics_port == 9100


@pytest.mark.parametrize(
    "name",
    ["ACTS", "LOBBIES", "GAMES", "SERVER_TABLES", "METRICS", "OPENING_PAUSE", "COMPUTER_PACE"],
)
@pytest.mark.parametrize("value", ["many", "-1", "", "5/", "1/-1", "nan", "inf", "1e400", "5/x"])
def test_a_setting_that_makes_no_sense_is_named(name: str, value: str) -> None:
    """Whatever is wrong, the sentence names the variable."""
    name = f"CAPTAINS_TABLE_{name}"
    with pytest.raises(BadSetting, match=f"{name} must be"):
        read_config(TOKEN | {name: value})


def test_the_token_does_not_show() -> None:
    """A config in a log or a traceback hides its token."""
    assert "a.b.c" not in repr(read_config(TOKEN))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LOG", "LOUD"),
        ("LOG", ""),
        ("METRICS", "70000"),
        ("METRICS", "9" * 30),
        ("LOCAL", "http://example.com"),
        ("LOCAL", "http://127.0.0.1:99999"),
        ("LOCAL", "http://[::1"),
        ("LOCAL", ""),
    ],
)
def test_what_would_fail_later_is_named_at_once(name: str, value: str) -> None:
    """A level, a port or an address that nothing can be done with is refused like any other setting."""
    name = f"CAPTAINS_TABLE_{name}"
    with pytest.raises(BadSetting, match=f"{name} must be"):
        read_config(TOKEN | {name: value})


def test_usual_levels_ports_and_addresses_are_taken() -> None:
    """Either case of a level, the last port and each name of this machine are good."""
    for level in ("debug", "INFO", "Warning"):
        assert read_config(TOKEN | {"CAPTAINS_TABLE_LOG": level}).log_level == level.upper()
    assert read_config(TOKEN | {"CAPTAINS_TABLE_METRICS": "65535"}).metrics_port == 65535
    for address in ("http://127.0.0.1:8080", "http://[::1]:1", "http://localhost"):
        assert read_config(TOKEN | {"CAPTAINS_TABLE_LOCAL": address}).local == address


@pytest.mark.parametrize("content", [b"", b"two words", b"one\r\ntwo", b"\xff\xfe", "tökén".encode()])
def test_a_file_that_holds_no_token_is_named(content: bytes, tmp_path: Path) -> None:
    """What cannot be a token is refused before it is sent anywhere, and is not repeated."""
    path = tmp_path / "token"
    path.write_bytes(content)
    with pytest.raises(BadSetting, match="DISCORD_TOKEN_FILE") as refused:
        read_config({"DISCORD_TOKEN_FILE": str(path)})
    assert "two" not in str(refused.value)
