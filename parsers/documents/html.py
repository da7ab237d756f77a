"""HTML to lines and grids, as a reader sees it (spec 5.1): nothing hidden, spans expanded, layout tables dissolved."""

from __future__ import annotations

import re

from lxml import etree
from lxml.etree import _Element

from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents import htmlstyle
from parsers.documents.charset import decode
from parsers.documents.fold import fold
from parsers.documents.htmlcell import BLOCKS, UNSEEN, cell, raised
from parsers.documents.htmlstyle import Styles
from parsers.documents.spans import spread
from parsers.documents.withdrawn import standing

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)


def read_html(data: bytes, charset: str | None = None) -> Document:
    """The page's blocks in reading order; lines inside quoted history say so.

    Raises:
        Unreadable: CHARSET_UNDECODABLE, or PART_TOO_LARGE for a table beyond all measure.
    """
    meta = _META_CHARSET.search(data[:4096])
    text = decode(data, charset or (meta[1].decode("ascii") if meta else None))
    root = _root(text)
    if root is None:
        return Document((), parser="html")
    reader = _Reader(Styles(style.text or "" for style in root.iter("style")))
    reader.block(root)
    reader.end_line()
    return Document(tuple(reader.blocks), parser="html")


def _root(text: str) -> _Element | None:
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, recover=True)
    try:
        return etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError:  # nothing but white space and broken mark-up
        return None


class _Reader:
    """Walks the tree once, collecting a line's text until a block begins or ends."""

    def __init__(self, styles: Styles) -> None:
        self.blocks: list[Grid | Line] = []
        self._styles = styles
        self._line: list[tuple[str, bool]] = []  # (text, struck)
        self._lines = 0
        self._offset = 0
        self._tables = 0
        self._quotes = 0  # quoting elements around us
        self._history = False  # past the mark after which all is history
        self._struck = 0
        self._pre = 0

    def block(self, element: _Element) -> None:
        """An element with its children, and not its tail."""
        if not isinstance(element.tag, str) or element.tag in UNSEEN:
            return
        style = self._styles.of(element)
        if htmlstyle.is_hidden(element, style):
            return
        self._history = self._history or htmlstyle.opens_history(element)
        quotes, struck, pre = htmlstyle.is_quote(element), htmlstyle.is_struck(element, style), element.tag == "pre"
        is_block = element.tag in BLOCKS or element.tag == "br"
        if is_block or quotes:
            self.end_line()
        self._quotes += quotes
        self._struck += struck
        self._pre += pre
        if element.tag == "table" and (rows := self._data_rows(element)) is not None:
            self._grid(element, rows)
        else:
            self._children(element)
        if is_block or quotes:
            self.end_line()
        self._quotes -= quotes
        self._struck -= struck
        self._pre -= pre

    def _children(self, element: _Element) -> None:
        self._text(element.text)
        for child in element:
            if child.tag == "sup" and (marks := raised(child)) is not None:
                self._text(marks)
            else:
                self.block(child)
            self._text(child.tail)

    def _text(self, text: str | None) -> None:
        if not text:
            return
        if not self._pre:
            self._line.append((text, self._struck > 0))
            return
        first, *others = text.replace("\r\n", "\n").split("\n")
        self._line.append((first, self._struck > 0))
        for line in others:
            self.end_line()
            self._line.append((line, self._struck > 0))

    def end_line(self) -> None:
        """Emit what was collected, if anything can be seen of it."""
        pieces, self._line = self._line, []
        joined, struck = standing(pieces)
        text = joined.rstrip() if self._pre else fold(joined)
        if not text:
            return
        self._lines += 1
        self.blocks.append(Line(self._lines, text, self._offset, struck=struck, quoted=self._is_quoted()))
        self._offset += len(text) + 1

    def _is_quoted(self) -> bool:
        return self._quotes > 0 or self._history

    def _data_rows(self, table: _Element) -> list[_Element] | None:
        """The visible rows of a data table; None for a table that only arranges: of tables, or of one column."""
        if next(table.iterdescendants("table"), None) is not None:
            return None
        rows = [row for row in table.iter("tr") if not self._unseen(row)]
        widest = max((sum(1 for cell in row.iterchildren("td", "th")) for row in rows), default=0)
        return rows if widest > 1 else None

    def _unseen(self, element: _Element) -> bool:
        return htmlstyle.is_hidden(element, self._styles.of(element))

    def _grid(self, table: _Element, rows: list[_Element]) -> None:
        for caption in table.iterchildren("caption"):
            self.block(caption)
        self._tables += 1
        cells = spread([self._cells(row) for row in rows])
        grid = tuple(Row(number, cells_of_row) for number, cells_of_row in enumerate(cells, 1))
        self.blocks.append(Grid(grid, table_idx=self._tables, quoted=self._is_quoted()))

    def _cells(self, row: _Element) -> list[Cell]:
        style = self._styles.of(row)
        row_filled = htmlstyle.is_filled(row, style)
        row_struck = htmlstyle.is_struck(row, style) or self._struck > 0
        return [
            cell(element, self._styles, filled=row_filled, struck=row_struck)
            for element in row.iterchildren("td", "th")
            if not self._unseen(element)
        ]
