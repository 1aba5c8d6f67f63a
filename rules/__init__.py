"""The games: pure functions over frozen values.

No clock, no I/O, no global randomness, no Discord, no Pillow.  ``rules.game`` is the contract,
``rules.match`` folds a game's records, ``rules.catalogue`` lists the games.
"""
