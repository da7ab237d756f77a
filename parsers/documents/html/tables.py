"""Which tables of a page hold data, and which only arrange others (spec 5.1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lxml.etree import _Element

from parsers.documents.html.style import Styles

_APART = frozenset({"table", "td", "th", "caption"})  # what stands in these is none of a table's own rows


class Tables:
    """The data tables of a page.

    A table of one column arranges, and so does one whose cells with text are no more than those of the data tables in
    it. One that has more of its own is a table with a small one in a cell.
    """

    def __init__(self, root: _Element, styles: Styles) -> None:
        self._rows: dict[_Element, list[_Element]] = {}  # of data tables
        self._inner: dict[_Element, int] = {}  # cells of the data tables in a table
        self._holders: set[_Element] = set()  # cells that data tables stand in
        for table in reversed(list(root.iter("table"))):  # those inside come before the one around them
            rows = list(_own_rows(table, styles))
            cells = [list(row.iterchildren("td", "th")) for row in rows]
            inside = self._inner.get(table, 0)
            if max(map(len, cells), default=0) > 1 and (not inside or self._filled(cells) > inside):
                self._rows[table] = rows
                inside += sum(map(len, cells))
            if inside:
                self._holders.update(islice(table.iterancestors("td", "th"), 1))
                for around in islice(table.iterancestors("table"), 1):
                    self._inner[around] = self._inner.get(around, 0) + inside

    def rows(self, table: _Element) -> list[_Element] | None:
        """The visible rows of a data table; None for an element that is none."""
        return self._rows.get(table)

    def has_inner(self, table: _Element) -> bool:
        """Other data tables stand in it."""
        return table in self._inner

    def _filled(self, rows: list[list[_Element]]) -> int:
        """Cells that have text, and no data table."""
        return sum(
            1
            for cells in rows
            for cell in cells
            if cell not in self._holders and any(not str(text).isspace() for text in cell.itertext())
        )


def _own_rows(table: _Element, styles: Styles) -> Iterator[_Element]:
    """Its rows that can be seen, whatever stands between them and the table."""
    left = list(reversed(table))
    while left:
        element = left.pop()
        if element.tag in _APART or styles.told(element).hidden:
            continue
        if element.tag == "tr":
            yield element
        else:
            left += reversed(element)
