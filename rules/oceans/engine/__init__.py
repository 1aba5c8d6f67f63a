"""How a position of Oceans changes: the phases, the board check, what is legal."""
