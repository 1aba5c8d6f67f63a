"""Discord's part, played on this machine: for trying the bot without an account, and for tests."""
