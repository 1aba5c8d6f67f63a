"""The tables: open, join, act, undo, leave; computers, outbox.  Knows neither Discord nor SQL."""
