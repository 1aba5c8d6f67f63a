"""A stand-in for Discord on this machine, to try the bot without an account and to test it."""
