"""What a row itself says that its levels are: by its cell of a stating column, its benchmark's curve, or its name."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from parsers.codes import QuoteType
from parsers.document import Cell
from parsers.quotes.classes.stating import quoted_by_name
from parsers.quotes.tables.cells import plain
from parsers.quotes.tables.fields import Texts, first
from parsers.quotes.tables.stating import stated_measure
from parsers.quotes.tables.table import Table
from parsers.values.indices import CURRENCIES

_CEILINGS = {QuoteType.discount_rate_pct: 20, QuoteType.payup_32: 64}
"""Above them a price, whatever the name says."""
_MOST_UPFRONT = 100
"""Points; a tranche at more is quoted in basis points."""
_CURVES = {
    **dict.fromkeys((*CURRENCIES, "1ML", "3ML", "3ME", "1ME"), QuoteType.dm_bp),
    **dict.fromkeys(("J", "N"), QuoteType.spread_swap_bp),
    "G": QuoteType.spread_g_bp,
    "I": QuoteType.spread_i_bp,
    "Z": QuoteType.spread_z_bp,
}
"""What a spread over this curve is (spec 4.7)."""


def stated_in_row(table: Table, cells: Sequence[Cell], texts: Texts) -> str | None:
    """What the row's cell in the stating column says, else the curve in its benchmark's: `I`, `SOFR`."""
    if table.stating is not None:
        stated = stated_measure(cells[table.stating])
        return None if stated == QuoteType.price_pct else stated  # `%` alone may be of a yield
    curve = first(texts, "benchmark")
    return _CURVES.get(curve.upper().rstrip("+")) if curve is not None else None


def named_measure(table: Table, class_name: str, name: str | None, cells: Sequence[Cell]) -> str | None:
    """What the row's name says of its bare levels, where these can be that."""
    if class_name == "cds_tranche" and name is not None:  # the index may stand over its tranches alone: `HY47`
        name = f"{table.columns[0].text} {name}"
    named = quoted_by_name(class_name, name) if name is not None else None
    if not table.is_named and named is not QuoteType.price_pct:  # a title may speak of several: `swap spreads & rates`
        return None
    if class_name == "cds_tranche" and named is None and any(value > _MOST_UPFRONT for value in _values(table, cells)):
        return QuoteType.cds_spread_bp  # `3-6%` at 142, whatever the equity tranche above it is quoted in
    if named is QuoteType.cds_spread_bp and any(value < 0 for value in _values(table, cells)):
        return None  # no spread of a tranche is below zero
    ceiling = _CEILINGS.get(named) if named is not None else None
    if ceiling is None:
        return named
    values = [plain(cells[at], table.locale) for at in table.bare if cells[at].text]
    return named if all(value is not None and value < ceiling for value in values) else None


def _values(table: Table, cells: Sequence[Cell]) -> list[Fraction]:
    """The row's bare levels, each a plain number."""
    found = [plain(cells[at], table.locale) for at in table.bare if cells[at].text]
    return [value for value in found if value is not None]
