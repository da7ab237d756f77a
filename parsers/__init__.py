"""Bytes in, outcome out: mail to parts to documents to quotes. Knows neither the log nor Spark."""

__version__ = "0.9.0"
"""The label of every row's `parser_version`, for people; what tells versions apart are its digests (version.py)."""
