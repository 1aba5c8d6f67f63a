"""How the table of Oceans changes: the phases, the checkpoint, what is legal."""
