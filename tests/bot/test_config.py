"""Settings: what may be set, and a clear word about what makes no sense."""

import pytest

from bot.config import BadSetting, read_config
from bot.host.quotas import Quotas

TOKEN = {"DISCORD_TOKEN": "a.b.c"}


def test_the_usual_limits() -> None:
    """Without a word, the limits are those that docs and quotas name."""
    config = read_config(TOKEN)
    assert config.quotas == Quotas()
    assert (config.starts, config.metrics, config.heartbeat) == ((5, 600.0), None, None)


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
            "CAPTAINS_TABLE_STARTS": "0",
            "CAPTAINS_TABLE_METRICS": "9100",
        }
    )
    assert config.quotas == Quotas(
        acts=7, act_seconds=3.5, suggestions=21, lobbies=0, games=1, server_tables=2, opening_pause=0.5
    )
    assert (config.starts, config.metrics) == ((0, 0.0), 9100)


@pytest.mark.parametrize(
    "name",
    ["ACTS", "LOBBIES", "GAMES", "SERVER_TABLES", "METRICS", "OPENING_PAUSE", "STARTS", "COMPUTER_PACE"],
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
