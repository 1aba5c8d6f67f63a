"""The fixtures of the month."""

from tests.bot.local.conftest import endpoints

__all__ = ["endpoints"]
