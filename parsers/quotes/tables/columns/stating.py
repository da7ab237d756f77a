"""A column whose cells say what the levels of their rows are: `pts upf`, `bps`, `Px`."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.document import Cell, Row
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.roles import IGNORED, UNKNOWN
from parsers.values.numbers import is_null

_PLACES = frozenset({"axe", "sector", "option_struct", UNKNOWN, IGNORED})
_LEAST_ROWS = 2
_OF_UNITS = {"bp": "spread", "pts": "upfront_pts", "pct": "price_pct"}
UNQUOTED = "unquoted"
"""Stated of a row whose level no quote type measures: `% CDI`."""


def stating_column(columns: Sequence[Column], sample: Sequence[Row]) -> int | None:
    """The cell of the only such column: each of its texts is a measure or a unit, and nothing else."""
    found = [column.at for column in columns if column.role in _PLACES and _states(sample, column.at)]
    return found[0] if len(found) == 1 else None


def stated_measure(cell: Cell) -> str | None:
    """The measure that a cell names, as a heading would, or how it counts (`EUR/Stück`); None where it names none."""
    said = heading(cell.text)
    if said.unknown or "side" in said.meanings:
        return None
    if said.one("ignore") == "index_share":
        return UNQUOTED
    if said.one("size") == "shares":
        return "price_unit"
    measures = {value for value in said.meanings.get("measure", ()) if value != "price" or len(said.meanings) == 1}
    if len(measures) == 1:
        return measures.pop()
    return _OF_UNITS.get(said.one("mark_unit") or "") if not measures else None


def stated_curve(cell: Cell) -> str | None:
    """The curve of a cell that names a spread by it: `T+`."""
    return heading(cell.text).one("benchmark")


def _states(sample: Sequence[Row], at: int) -> bool:
    texts = [cell for row in sample if (cell := row.cells[at]).text and not is_null(cell.text)]
    stated = {stated_measure(cell) if len(cell.text) < 20 else None for cell in texts}
    return len(texts) >= _LEAST_ROWS and None not in stated and stated != {"price_pct"}  # `%` alone may be of anything
