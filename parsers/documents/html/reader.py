"""HTML to lines and grids, as a reader sees it (spec 5.1): nothing hidden, spans expanded, layout tables dissolved."""

from __future__ import annotations

import re

from lxml import etree
from lxml.etree import _Element
from msgspec import Struct

from parsers.codes import Code
from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.charset import decode
from parsers.documents.fold import fold
from parsers.documents.html import style as htmlstyle
from parsers.documents.html.cell import BREAKS, cell, is_left_out, raised, runs_of, seen
from parsers.documents.html.style import NOTHING, PLAIN, Look, Styles
from parsers.documents.html.tables import Tables
from parsers.documents.limits import MAX_LINES, MAX_ROWS
from parsers.documents.spans import spread
from parsers.documents.unreadable import Unreadable
from parsers.documents.withdrawn import standing

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_BREAK_PLACE = re.compile(r"</?wbr\b[^<>]*>", re.IGNORECASE)  # libxml2 looks for its end, and takes in what follows


def read_html(data: bytes, charset: str | None = None) -> Document:
    """The page's blocks in reading order; lines inside quoted history say so.

    Raises:
        Unreadable: CHARSET_UNDECODABLE, PART_TOO_LARGE for a table beyond all measure, or CORRUPT_PART where elements
            nest deeper than libxml2 reads before there is any text.
    """
    meta = _META_CHARSET.search(data[:4096])
    text = decode(data, charset or (meta[1].decode("ascii") if meta else None))
    text = _BREAK_PLACE.sub("", text) if "wbr" in text else text
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, recover=True, huge_tree=True
    )
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError:  # nothing but white space and broken mark-up
        root = None
    if root is None:
        return Document((), parser="html")
    reader = _Reader(root)
    reader.read()
    last = parser.error_log.last_error
    is_cut = last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT
    if is_cut and not reader.blocks:
        raise Unreadable(Code.CORRUPT_PART, last.message[:200])
    return Document(tuple(reader.blocks), parser="html", truncated=is_cut or reader.truncated)


class _Around(Struct, frozen=True):
    """What holds for all text inside an element."""

    look: Look = PLAIN
    quoted: bool = False
    is_pre: bool = False
    is_told: bool = False  # in a data table, whose cells tell their text


class _Reader:
    """Walks the tree once, collecting a line's text until a block begins or ends."""

    def __init__(self, root: _Element) -> None:
        self.blocks: list[Grid | Line] = []
        self._root = root
        self._styles = Styles(style.text or "" for style in root.iter("style"))
        self._tables = Tables(root, self._styles)
        self._line: list[tuple[str, Look]] = []
        self._lines = 0
        self._offset = 0
        self._grids = 0
        self._rows = 0
        self.truncated = False  # the page goes on beyond the limits
        self._history = False  # past the mark after which all is history
        self._arounds = [_Around()]

    def read(self) -> None:
        """The whole page."""
        walk = etree.iterwalk(self._root, events=("start", "end"))
        for event, element in walk:
            if event == "end":
                self._end(element)
            elif not self._begin(element):
                walk.skip_subtree()
            if self.truncated:
                return
        self._end_line()

    def _begin(self, element: _Element) -> bool:
        """Whether there is more to read in it."""
        around = self._arounds[-1]
        self._arounds.append(around)
        told = self._styles.told(element)
        if is_left_out(element, told):
            return False
        if told.raised and (marks := raised(element)) is not None:
            self._text(marks)
            return False
        self._history = self._history or htmlstyle.opens_history(element)
        is_quote = htmlstyle.is_quote(element)
        if is_quote or element.tag in BREAKS:
            self._end_line()
        rows = self._tables.rows(element)
        if told is not NOTHING or is_quote or element.tag == "pre" or rows is not None:
            is_pre = around.is_pre or element.tag == "pre"
            look = told.inside(around.look)
            inside = _Around(look, around.quoted or is_quote, is_pre, around.is_told or rows is not None)
            self._arounds[-1] = inside
        if rows is not None:
            self._grid(element, rows)
            return self._tables.has_inner(element)
        self._text(element.text)
        return True

    def _end(self, element: _Element) -> None:
        inside, around = self._arounds[-1], self._arounds[-2]
        if element.tag in BREAKS or inside.quoted != around.quoted:
            self._end_line()
        self._arounds.pop()
        if element is not self._root:
            self._text(element.tail)

    def _text(self, text: str | None) -> None:
        around = self._arounds[-1]
        if not text or around.is_told:
            return
        if not around.is_pre:
            self._line.append((text, around.look))
            return
        first, *others = text.replace("\r\n", "\n").split("\n")
        self._line.append((first, around.look))
        for line in others:
            self._end_line()
            self._line.append((line, around.look))

    def _end_line(self) -> None:
        """Emit what was collected, if anything can be seen of it."""
        pieces, self._line = self._line, []
        if not pieces:
            return
        around = self._arounds[-1]
        joined, struck = standing([(text, look.struck) for text, look in seen(pieces)])
        text = joined.rstrip() if around.is_pre else fold(joined, indented=True)
        if not text:
            return
        if self._lines == MAX_LINES:
            self.truncated = True
            return
        self._lines += 1
        hidden = all(look.unseen for text, look in pieces if not text.isspace())
        quoted = around.quoted or self._history
        self.blocks.append(Line(self._lines, text, self._offset, struck=struck, quoted=quoted, hidden=hidden))
        self._offset += len(text) + 1

    def _grid(self, table: _Element, rows: list[_Element]) -> None:
        around = self._arounds[-1]
        for caption in table.iterchildren("caption"):
            self._line += runs_of(caption, self._styles, self._tables, around.look)
            self._end_line()
        self.truncated = len(rows) > MAX_ROWS - self._rows
        rows = rows[: MAX_ROWS - self._rows]
        self._rows += len(rows)
        self._grids += 1
        looks = {table: around.look}
        cells = spread([self._cells(row, looks) for row in rows])
        grid = tuple(Row(number, cells_of_row) for number, cells_of_row in enumerate(cells, 1))
        self.blocks.append(Grid(grid, table_idx=self._grids, quoted=around.quoted or self._history))

    def _cells(self, row: _Element, looks: dict[_Element, Look]) -> list[Cell]:
        """The cells of a row; `looks` has that of the table, and gets those of what stands between it and its rows."""
        look = self._look_of(row, looks)
        filled = self._styles.told(row).filled or False
        told = self._styles.told
        return [
            cell(element, self._styles, self._tables, look, filled=filled)
            for element in row.iterchildren("td", "th")
            if not told(element).hidden
        ]

    def _look_of(self, row: _Element, looks: dict[_Element, Look]) -> Look:
        between = [row]
        for parent in row.iterancestors():
            if parent in looks:
                break
            between.append(parent)
        look = looks[parent]
        for element in reversed(between):
            look = looks[element] = self._styles.told(element).inside(look)
        return look
