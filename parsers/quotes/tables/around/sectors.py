"""The class that a row's own column names: `Asset class` over `AT1`, `Covered bonds` (spec section 1)."""

from __future__ import annotations

from msgspec.structs import replace

from parsers.quotes.classes import rules_of
from parsers.quotes.classes.naming import PRODUCTS, sector_class
from parsers.quotes.tables.around.classing import Class
from parsers.quotes.tables.columns.fields import Texts, first
from parsers.quotes.tables.columns.table import Table

_LEAST = 2


class Sectors:
    """Whether a table has a column of classes: several in it, or one where nothing else says what the rows are.

    Over what has curves, and what is made of others, sectors are those of names: `HY` in a list of CDS.
    """

    def __init__(self, table: Table, found: Class, section: Class) -> None:
        is_of_names = rules_of(found.name).curve or found.name in PRODUCTS
        named = {name for text in table.sectors if (name := sector_class(text))} if not is_of_names else set()
        self._section, self._table = section, table
        self._is_believed = len(named) >= (_LEAST if found.source != "none" else 1)

    def of(self, texts: Texts) -> Class:
        """The class that the row's own sector names, else its section's."""
        own = sector_class(first(texts, "sector") or "") if self._is_believed else None
        return Class(own, "column") if own is not None else self._section

    def table_of(self, class_name: str) -> Table:
        """The table, its sample the rows of one class: spreads stand under the same `Bid` as the prices of others."""
        if not self._is_believed:
            return self._table
        places = self._table.fields.at["sector"]
        rows = tuple(
            row for row in self._table.sample if any(sector_class(row.cells[at].text) == class_name for at in places)
        )
        return replace(self._table, sample=rows) if rows else self._table
