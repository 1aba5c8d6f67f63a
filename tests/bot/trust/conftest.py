"""The host's fixtures: tables over a store, a clock."""

from tests.bot.host.conftest import clock, seed_randomness, tables

__all__ = ["clock", "seed_randomness", "tables"]
