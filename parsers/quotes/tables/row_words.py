"""What a row's own small columns say: axe and side marks, dates' order, stock reference, running coupon."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import QuoteKind
from parsers.document import Cell
from parsers.quotes.draft import Level
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import NAMES
from parsers.quotes.headings.stances import AXE
from parsers.quotes.headings.surroundings import read
from parsers.quotes.tables.fields import Fields
from parsers.quotes.tables.stacked import side_word
from parsers.quotes.tables.table import Table
from parsers.values.dates import DateOrder

_MONTH_FIRST_CURRENCIES = frozenset({"USD", "CAD"})
_MONTH_FIRST_REGIONS = frozenset({"north_america", "canada"})
_NUMERIC_DATE = re.compile(r"(\d{1,2})[/.\-](\d{1,2})[/.\-](?:\d{4}|\d{2})")
_DATE_IN_NAME = re.compile(r"(?<![\d.,/])(\d{1,2})/(\d{1,2})/(?:\d{4}|\d{2})(?![\d/])")
_AXED_HEADING = re.compile(r"\b(?:axe[ds]?|interest)\b", re.IGNORECASE)
_MARKS = frozenset({"x", "y", "yes", "*", "a", "axe", "axed", "✓", "✔", "•", "●"})


class Dates(Struct, frozen=True):
    """How a table orders the parts of its dates (spec 4.10, ruling 9)."""

    proven: DateOrder | None
    is_foreign: bool  # a language that is not English
    region: str | None

    @property
    def is_told(self) -> bool:
        """Whether the table itself says the order, by a date or its language."""
        return self.proven is not None or self.is_foreign

    def order(self, currency: str | None) -> DateOrder:
        """Proven by a part above 12 somewhere in the column, else by language, currency, region."""
        if self.proven is not None:
            return self.proven
        if self.is_foreign:
            return DateOrder.dmy
        if currency is not None:
            return DateOrder.mdy if currency in _MONTH_FIRST_CURRENCIES else DateOrder.dmy
        return DateOrder.mdy if self.region in _MONTH_FIRST_REGIONS else DateOrder.dmy


def dates_of(table: Table, region: str | None) -> Dates:
    """The order that the table's maturities prove."""
    seen: set[DateOrder] = set()
    for index in table.fields.at.get("maturity", ()):
        for row in table.sample:
            match = _NUMERIC_DATE.fullmatch(row.cells[index].text)
            seen |= _order_of(match) if match is not None else set()
    for index in [at for role in (*NAMES, "benchmark") for at in table.fields.at.get(role, ())]:
        for row in table.sample:
            match = _DATE_IN_NAME.search(row.cells[index].text)
            seen |= _order_of(match) if match is not None else set()
    return Dates(seen.pop() if len(seen) == 1 else None, table.language is not None, region)


def _order_of(match: re.Match[str]) -> set[DateOrder]:
    """What a date proves: a part above 12 is no month."""
    if (int(match[1]) > 12) == (int(match[2]) > 12):
        return set()
    return {DateOrder.dmy if int(match[1]) > 12 else DateOrder.mdy}


class Mark(Struct, frozen=True, gc=False):
    """What an axe or side column says of a row."""

    side: str | None = None  # bid, ask, mid, both
    is_axe: bool = False


_NO_MARK = Mark()


def mark_of(columns: Sequence[Column], fields: Fields, cells: Sequence[Cell]) -> Mark:
    """The mark in the row's axe or side column."""
    for index in fields.at.get("axe", ()):
        text = cells[index].text
        if not text:
            continue
        heading = next(column.text for column in columns if column.at == index)
        is_axe = _AXED_HEADING.search(heading) is not None or AXE.search(text.lower()) is not None
        side = side_word(text, heading) or read(text, near=True).side
        if side is not None or (is_axe and text.lower() in _MARKS):
            return Mark(side, is_axe)
    return _NO_MARK


def axed(drafted: tuple[Level, ...], mark: Mark, said: str | None) -> tuple[bool, bool, tuple[Level, ...]]:
    """Whether bid and ask are axed; a one-sided interest without a market is of the kind axe (ruling 3)."""
    if not mark.is_axe and said is None:
        return False, False, drafted
    has_bid = any(level.bid is not None for level in drafted)
    has_ask = any(level.ask is not None for level in drafted)
    is_one_sided = has_bid != has_ask
    if mark.is_axe:
        bid = mark.side in {"bid", "both"} or (mark.side is None and has_bid)
        ask = mark.side in {"ask", "both"} or (mark.side is None and has_ask)
    elif is_one_sided:
        bid, ask = has_bid, has_ask
    else:
        bid, ask = said == "bid", said == "ask"
    if is_one_sided and (bid or ask):
        drafted = tuple(
            replace(level, quote_kind=QuoteKind.axe) if level.quote_kind is QuoteKind.market else level
            for level in drafted
        )
    return bid, ask, drafted
