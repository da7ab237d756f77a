"""Limits that several readers share, each in its one place (spec 6.1)."""

MAX_ROWS = 200_000  # of a sheet, a CSV, an RTF, or the tables of a page: the rows before stay, the rest is refused
MAX_LINES = 500_000  # of a text or a page, likewise: blank ones take time and memory too
MAX_CELLS = 4_000_000  # of a sheet's rectangle: calamine keeps the whole of it
MAX_SHEET_COLUMNS = 16_384  # of a sheet, in the file formats themselves
