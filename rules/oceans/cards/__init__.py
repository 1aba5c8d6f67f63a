"""The cards of Oceans as rows, and what a row can say."""
