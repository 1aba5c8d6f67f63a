"""The tables: open, join, act, undo, leave; clocks and the outbox.  Knows neither Discord nor SQL."""
