"""The currency of a table's rows: stated around them, or printed at their prices and sizes (spec 2.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from parsers.document import Cell
from parsers.quotes.classes import class_by_words, home_of, rules_of
from parsers.quotes.draft import Instrument
from parsers.quotes.headings.monies import bracketed, currency, in_name
from parsers.quotes.headings.remarks import has_levels, is_told
from parsers.quotes.headings.surroundings import MAX_LINE, Surroundings
from parsers.quotes.tables.around import Around
from parsers.quotes.tables.instruments import titled_money
from parsers.quotes.tables.plan import Plan
from parsers.quotes.tables.sizes import currency_of, money_of
from parsers.quotes.tables.table import Table
from parsers.values.currencies import of_symbol
from parsers.values.markets import PRICES

_MOST_WORDS = 6
_FIGURE = re.compile(r"\d")


class Moneys:
    """Of the rows under one section."""

    def __init__(self, table: Table, around: Around, said: Surroundings) -> None:
        self._table, self._around, self._said = table, around, said
        self._headed: dict[str, str | None] = {}  # class -> currency in headings, or by its symbol above

    def stated(self, name: str | None, class_name: str) -> str | None:
        """The currency that the words around the row state."""
        own = bracketed(name) if name else None
        if own or self._said.currency:
            return own or self._of_home(class_name, name)
        if class_name not in self._headed:
            money = self._table.currency or self._around.symbol  # a lone `$` is the class's own dollar
            self._headed[class_name] = self._money(money, class_name)
        if self._headed[class_name] is not None or name is None:
            return self._headed[class_name]
        return in_name(name if rules_of(class_name).curve else _unticked(name))

    def _of_home(self, class_name: str, name: str | None) -> str | None:
        """What headings state, but of a government's bonds below another market's no currency than their own."""
        return home_of(class_name, name or "") or self._said.currency

    def printed(self, found: Instrument, plan: Plan, cells: Sequence[Cell], class_name: str) -> Instrument:
        """The instrument in the currency whose symbol stands at its size or price, if any."""
        prices = (one.slot.lead for one in plan.levels if one.quote_type in PRICES)
        money = currency_of(plan.sizes, cells) or money_of(prices, cells)
        money = money or titled_money(class_name, self._around.title, found.description)
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


def headed(lines: Sequence[str], class_name: str) -> str | None:
    """The currency of the nearest title above that names the table's class, `US High Yield axes` above all its parts.

    So does one that names none, `GBP run`; of what is quoted by tenor it tells nothing.
    """
    for line in reversed(lines):
        named = class_by_words(line)
        is_title = len(line) <= MAX_LINE and not (is_told(line) or has_levels(line))
        if not is_title or (named is None and (len(line.split()) > _MOST_WORDS or _FIGURE.search(line))):
            continue
        money = currency(line, near=True)
        if named == class_name or (named is None and money is not None and not rules_of(class_name).curve):
            return money
    return None


def _unticked(name: str) -> str:
    """The name without a ticker that looks like a currency: `COP 5.5 01/15/55` is of ConocoPhillips."""
    return name[3:] if name[3:5].lstrip()[:1].isdigit() else name
