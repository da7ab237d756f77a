"""The currency of a table's rows: stated around them, or printed at their prices and sizes (spec 2.1)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.document import Cell
from parsers.quotes.answers.moneys import currency_of
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Instrument
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.tables.around.around import Around
from parsers.quotes.tables.cells.sizes import money_of, symbol_of
from parsers.quotes.tables.columns.table import Table
from parsers.quotes.tables.plans.plan import Plan
from parsers.values.currencies import of_symbol
from parsers.values.markets import PRICES


class Moneys:
    """Of the rows under one section."""

    def __init__(self, table: Table, around: Around, said: Surroundings) -> None:
        self._table, self._around, self._said = table, around, said
        self._headed: dict[str, str | None] = {}  # class -> currency in headings, or by its symbol above

    def of(self, own: str | None, name: str | None, class_name: str) -> str | None:
        """The currency of a row: of its own column, in its name, else what the words around it state."""
        if self._said.currency is None and class_name not in self._headed:
            money = self._table.currency or self._around.symbol  # a lone `$` is the class's own dollar
            self._headed[class_name] = self._money(money, class_name)
        stated = self._said.currency or self._headed[class_name]
        rules, whole = rules_of(class_name), name or ""
        if rules.curve and rules.market_of(whole) is None:
            whole = f"{self._around.title or ''} {whole}"
        return currency_of(class_name, name or "", whole, stated, own)

    def said(self, own: str | None, name: str | None, cells: Sequence[Cell]) -> str | None:
        """The currency of a row whose class is not known yet: as `of` one, else by the symbol at its prices."""
        levels = (column for column in self._table.columns if column.is_level)
        return self.of(own, name, "unknown") or self._money(money_of(levels, cells), "unknown")

    def printed(self, found: Instrument, plan: Plan, cells: Sequence[Cell], class_name: str) -> Instrument:
        """The instrument in the currency whose symbol stands at its size or price, if any."""
        prices = (one.slot.lead for one in plan.levels if one.quote_type in PRICES)
        money = symbol_of(plan.sizes, cells) or money_of(prices, cells)
        return replace(found, currency=self._money(money, class_name)) if money else found

    def _money(self, printed: str | None, class_name: str) -> str | None:
        """The currency of what is printed for one: a code, a symbol; a lone `$` is Canada's own in its blocks."""
        if printed != "$":
            return of_symbol(printed or "") or printed
        is_over_canadas = any(column.benchmark == "CAN" for column in self._table.columns)
        is_canadian = is_over_canadas or rules_of(class_name).currency == "CAD" or self._around.region == "canada"
        return "CAD" if is_canadian or self._is_of_canada() else "USD"  # spec 2.1

    def _is_of_canada(self) -> bool:
        isins = [row.cells[at].text for at in self._table.fields.at.get("isin", ()) for row in self._table.sample]
        return bool(isins) and all(isin.startswith("CA") for isin in isins if isin)
