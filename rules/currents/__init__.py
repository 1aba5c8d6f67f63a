"""Currents: a pawn drifts on what the cards around the board and the compass say."""
