"""Bytes in, outcome out: mail to parts to documents to quotes. Knows neither the log nor Spark."""

__version__ = "0.9.0"
"""Changes when the same mail may give other rows; part of every row's `parser_version`."""
