"""Readers of the published tables. None starts Spark."""
