"""The host's fixtures: a store on a fresh file, tables over it, a clock."""

from tests.bot.host.conftest import clock, path, seeds, store, tables

__all__ = ["clock", "path", "seeds", "store", "tables"]
