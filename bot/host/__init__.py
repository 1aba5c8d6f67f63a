"""Hosts tables: their changes, clocks, computer players and deliveries.  Knows neither Discord nor SQL."""
