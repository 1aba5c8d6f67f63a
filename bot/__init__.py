"""Everything with a clock, a socket or a file."""
