"""Limits that several readers share, each in its one place (spec 6.1)."""

MAX_ROWS = 200_000  # of a sheet, a CSV, or an RTF: the rows before stay, the rest is refused
MAX_SHEET_COLUMNS = 16_384  # of a sheet, in the file formats themselves
