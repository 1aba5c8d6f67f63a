"""The cards of Oceans as tables, and the vocabulary of their effects."""
