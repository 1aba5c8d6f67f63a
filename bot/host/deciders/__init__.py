"""Pure functions from a table and a request to a decision: what may be done, and what follows."""
