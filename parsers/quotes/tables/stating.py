"""What a row itself says that its levels are: a column of `pts upf`, `bps`, `Px`, or the name of a bill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from parsers.codes import QuoteType
from parsers.document import Cell, Row
from parsers.quotes.classes.stating import quoted_by_name
from parsers.quotes.headings.columns import IGNORED, UNKNOWN, Column
from parsers.quotes.headings.phrases import heading
from parsers.quotes.tables.cells import plain
from parsers.values.numbers import is_null

if TYPE_CHECKING:
    from parsers.quotes.tables.table import Table

_PLACES = frozenset({"sector", "option_struct", UNKNOWN, IGNORED})
_LEAST_ROWS = 2
_OF_UNITS = {"bp": "spread", "pts": "upfront_pts", "pct": "price_pct"}
_CEILINGS = {QuoteType.discount_rate_pct: 20, QuoteType.payup_32: 64}
"""Above them a price, whatever the name says."""
_CURVES = {
    **dict.fromkeys(("SOFR", "ESTR", "€STR", "EURIBOR", "SONIA", "1ML", "3ML", "3ME", "1ME"), QuoteType.dm_bp),
    **dict.fromkeys(("J", "N"), QuoteType.spread_swap_bp),
    "G": QuoteType.spread_g_bp,
    "I": QuoteType.spread_i_bp,
    "Z": QuoteType.spread_z_bp,
}
"""What a spread over this curve is (spec 4.7)."""
UNQUOTED = "unquoted"
"""Stated of a row whose level no quote type measures: `% CDI`."""


def stated_in_row(table: Table, cells: Sequence[Cell]) -> str | None:
    """What the row's cell in the stating column says, else the curve in its benchmark's: `I`, `SOFR`."""
    if table.stating is not None:
        return stated_measure(cells[table.stating])
    curve = table.fields.text("benchmark", cells)
    return _CURVES.get(curve.upper().rstrip("+")) if curve is not None else None


def named_measure(table: Table, class_name: str, name: str | None, cells: Sequence[Cell]) -> str | None:
    """What the row's name says of its bare levels, where these can be that."""
    if class_name == "cds_tranche" and name is not None:  # the index may stand over its tranches alone: `HY47`
        name = f"{table.columns[0].text} {name}"
    named = quoted_by_name(class_name, name) if name is not None else None
    if not table.is_named and named is not QuoteType.price_pct:  # a title may speak of several: `swap spreads & rates`
        return None
    ceiling = _CEILINGS.get(named) if named is not None else None
    if ceiling is None:
        return named
    values = [plain(cells[at], table.locale) for at in table.bare if cells[at].text]
    return named if all(value is not None and value < ceiling for value in values) else None


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


def _states(sample: Sequence[Row], at: int) -> bool:
    texts = [cell for row in sample if (cell := row.cells[at]).text and not is_null(cell.text)]
    stated = {stated_measure(cell) if len(cell.text) < 20 else None for cell in texts}
    return len(texts) >= _LEAST_ROWS and None not in stated and stated != {"price_pct"}  # `%` alone may be of anything
