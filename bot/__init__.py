"""The bot: all code that uses a clock, a socket or a database."""

VERSION = "0.1.0"
"""The version of this release."""
