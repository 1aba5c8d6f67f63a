"""How the table of Oceans changes: the phases, the board check, what is legal."""
