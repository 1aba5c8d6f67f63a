"""Storage: the protocol of the store (``protocol``) and its SQLite implementation, with all SQL."""
