"""What is kept: a narrow protocol (``protocol``) and SQLite behind it (``sqlite``).  The only SQL."""
