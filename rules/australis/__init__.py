"""Australis: dice choose what lives on the reef, and the same dice compete at the end of each round."""
