"""The host's fixtures: tables over a store, a clock."""

from tests.bot.host.conftest import clock, tables

__all__ = ["clock", "tables"]
