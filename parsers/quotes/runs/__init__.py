"""Runs in text: lines of instrument, levels, sizes, notes, under headings (spec 5.11)."""

from __future__ import annotations

from parsers.quotes.runs.reader import RunResult, read_lines

__all__ = ["RunResult", "read_lines"]
