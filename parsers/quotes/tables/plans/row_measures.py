"""What a row itself says that its levels are: by its cell of a stating column, its benchmark's curve, or its name."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.codes import QuoteType
from parsers.document import Cell
from parsers.quotes.answers.measuring import Sample, if_fitting
from parsers.quotes.classes import rules_of
from parsers.quotes.classes.stating import quoted_by_name
from parsers.quotes.tables.cells.cells import plain
from parsers.quotes.tables.columns.fields import Texts, first
from parsers.quotes.tables.columns.stating import stated_measure
from parsers.quotes.tables.columns.table import Table
from parsers.values.indices import CURRENCIES

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
    values = [value for at in table.bare if (value := plain(cells[at], table.locale)) is not None]
    found = if_fitting(named, rules_of(class_name), lambda _: Sample(values[:1])) if values else None
    return found.quote_type if found is not None else None
