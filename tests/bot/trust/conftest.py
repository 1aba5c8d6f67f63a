"""The host's fixtures: tables over a store, a clock."""

from tests.bot.host.conftest import clock, seeds, tables

__all__ = ["clock", "seeds", "tables"]
