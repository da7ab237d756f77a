"""Appending to a partition and reading it: the steps of an append, and what makes it acknowledged."""
