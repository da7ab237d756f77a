"""What a row's own small columns say: axe and side marks, dates' order, stock reference, running coupon."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from parsers.document import Cell
from parsers.quotes.answers.dating import Dates, proven
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import NAMES
from parsers.quotes.headings.stances import AXE
from parsers.quotes.headings.surroundings import read
from parsers.quotes.tables.columns.fields import Fields
from parsers.quotes.tables.columns.stacked import side_word
from parsers.quotes.tables.columns.table import Table
from parsers.values.separators import Locale

_NUMERIC_DATE = re.compile(r"(\d{1,2})[/.\-](\d{1,2})[/.\-](?:\d{4}|\d{2})")
_DATE_IN_NAME = re.compile(r"(?<![\d.,/])(\d{1,2})/(\d{1,2})/(?:\d{4}|\d{2})(?![\d/])")
_AXED_HEADING = re.compile(r"\b(?:axe[ds]?|interest)\b", re.IGNORECASE)
_MARKS = frozenset({"x", "y", "yes", "*", "a", "axe", "axed", "✓", "✔", "•", "●"})


def dates_of(table: Table) -> Dates:
    """What the table's maturities, and the dates in its names, show."""
    found: list[tuple[str, str]] = []
    for roles, date_in in ((("maturity",), _NUMERIC_DATE.fullmatch), ((*NAMES, "benchmark"), _DATE_IN_NAME.search)):
        for index in [at for role in roles for at in table.fields.at.get(role, ())]:
            matches = filter(None, (date_in(row.cells[index].text) for row in table.sample))
            found += [(match[1], match[2]) for match in matches]
    return Dates(proven(found), table.language is not None, table.locale is Locale.comma)


class Mark(Struct, frozen=True, gc=False):
    """What an axe or side column says of a row."""

    side: str | None = None  # bid, ask, mid, both
    is_axe: bool = False

    @property
    def axe(self) -> str | None:
        """As a line says it: bid, ask, both, any."""
        return self.side or "any" if self.is_axe else None


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
