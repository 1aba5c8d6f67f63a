"""Oceans: evolve species round a shrinking sea, feed, age and score."""
