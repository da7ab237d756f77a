"""PDF to grids and lines, from words and rulings alone (spec 5.1). A table that goes on over pages is one grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.fold import fold
from parsers.documents.pdf.footnotes import with_marks
from parsers.documents.pdf.order import in_order
from parsers.documents.pdf.page import Page, Word
from parsers.documents.pdf.pdfium import PdfiumFailed, pdfium_pages
from parsers.documents.pdf.rows import TextRow, row_text, spacing, text_rows
from parsers.documents.pdf.struck import with_struck_words
from parsers.documents.pdf.tables.columns import Cells, Table, is_number
from parsers.documents.pdf.tables.found import tables_of, words_outside
from parsers.documents.pdf.tables.stretches import is_rule
from parsers.documents.unreadable import Unreadable

MAX_PAGES = 1000
_SAME_PLACE = 5.0  # points: how far columns of a continued table may move (spec 5.7)
_SAME_HEADER = 0.8  # share of equal cells that makes a header a repeated one (spec 5.7)
_MAX_NOTE = 100  # characters
_HEADER_ROWS = 3  # at most (spec 5.2)


def read_pdf(data: bytes) -> Document:
    """Blocks page by page.

    Raises:
        Unreadable: PASSWORD_PROTECTED, CORRUPT_PART, or IMAGE_ONLY when no page has text.
    """
    blocks = _Blocks()
    pages, more = 0, False
    blank: list[int] = []
    for page in _pages(data):
        if pages == MAX_PAGES:
            more = True
            break
        pages += 1
        blocks.add_page(with_marks(with_struck_words(page) if page.across else page))
        if not page.words:
            blank.append(page.number)
    if not blocks.has_text:
        if pages == 0:
            raise Unreadable(Code.CORRUPT_PART, "no page can be read")
        raise Unreadable(Code.IMAGE_ONLY, f"{pages} pages, none with text")
    note = f"no text on pages {', '.join(map(str, blank))}"[:_MAX_NOTE] if blank else ""
    return Document(tuple(blocks.finished()), parser="pdf", truncated=more, note=note)


def _pages(data: bytes) -> Iterator[Page]:
    """By pdfium; by pdfminer.six what pdfium cannot open. One more than are read, if there is one."""
    try:
        yield from pdfium_pages(data, MAX_PAGES + 1)
    except PdfiumFailed as error:
        from parsers.documents.pdf.second import pdfminer_pages

        yield from pdfminer_pages(data, MAX_PAGES + 1, str(error))


class _Blocks:
    """Collects lines and tables in reading order, and joins tables over page ends."""

    def __init__(self) -> None:
        self.has_text = False
        self._blocks: list[Line | list[tuple[int, Table]]] = []
        self._lines = 0
        self._offset = 0

    def add_page(self, page: Page) -> None:
        if not page.words:
            return
        self.has_text = True
        measure = spacing(page.words)
        found, texts = tables_of(page, measure)
        outside = text_rows(words_outside(page.words, found))
        continued = self._open_table()
        for item in in_order(found, [row for row in outside if not is_rule(row)], texts, measure):
            if isinstance(item, TextRow):
                words, struck = standing(item.words)
                hidden = all(word.hidden for word in words)
                text = row_text(replace(item, words=words), measure)
                self._add_line(text, page.number, struck=struck, hidden=hidden)
            elif continued is not None and _continues(continued[-1][1], item):
                continued.append((page.number, _without_header(item, continued[0][1])))
                continued = None
            else:
                self._blocks.append([(page.number, item)])
                continued = None

    def _open_table(self) -> list[tuple[int, Table]] | None:
        """The last table, which the page to come may continue."""
        return next((block for block in reversed(self._blocks) if isinstance(block, list)), None)

    def _add_line(self, text: str, page: int, *, struck: bool, hidden: bool) -> None:
        self._lines += 1
        self._blocks.append(Line(self._lines, text, self._offset, page=page, struck=struck, hidden=hidden))
        self._offset += len(text) + 1

    def finished(self) -> Iterator[Grid | Line]:
        tables_seen = 0
        for block in self._blocks:
            if isinstance(block, Line):
                yield block
            else:
                tables_seen += 1
                yield _grid(block, tables_seen)


def _continues(before: Table, table: Table) -> bool:
    """As many columns at the same places."""
    return len(before.edges) == len(table.edges) and all(
        any(abs(one - other) <= _SAME_PLACE for one, other in zip(left, right, strict=True))
        for left, right in zip(_places(before), _places(table), strict=True)
    )


def _places(table: Table) -> list[tuple[float, float, float]]:
    """Of each column: left and right edge of its text, and its border."""
    places = []
    for index in range(len(table.edges) - 1):
        words = [word for row in table.cells for word in row[index]]
        border = table.edges[index]
        places.append((min((w.x0 for w in words), default=border), max((w.x1 for w in words), default=border), border))
    return places


def _without_header(table: Table, first: Table) -> Table:
    """The table less the rows that repeat the first page's first rows."""
    repeated = 0
    for row, head in zip(table.cells[:_HEADER_ROWS], first.cells, strict=False):
        texts, heads = _texts(row), _texts(head)
        equal = sum(1 for one, other in zip(texts, heads, strict=True) if one == other)
        if equal < _SAME_HEADER * len(heads):
            break
        repeated += 1
    return table.cut(repeated, len(table.rows))


def _texts(cells: Iterable[Sequence[Word]]) -> list[str]:
    return [_cell_text(words) for words in cells]


def _cell_text(words: Sequence[Word]) -> str:
    return fold(" ".join(word.text for word in words))


def standing(words: Sequence[Word]) -> tuple[tuple[Word, ...], bool]:
    """The words that are seen and not struck through; all of them, and that they are, where none is left (spec 5.9)."""
    seen = tuple(word for word in words if not word.hidden) or tuple(words)
    left = tuple(word for word in seen if not word.struck)
    return (left, False) if left else (seen, bool(seen))


def _grid(parts: list[tuple[int, Table]], table_idx: int) -> Grid:
    rows: list[Row] = []
    usual = _usual(cells for _, table in parts for cells in table.cells)
    for page, table in parts:
        for at in range(len(table.cells)):
            number = len(rows) + 1
            row = Row(number, tuple(_cells(table, at, number)), page=page)
            if at == 0 and rows and _completes(rows[-1], row, usual):
                both = zip(rows[-1].cells, row.cells, strict=True)
                rows[-1] = replace(rows[-1], cells=tuple(above if above.text else below for above, below in both))
            else:
                rows.append(row)
    return Grid(tuple(rows), table_idx=table_idx)


def _usual(rows: Iterable[Cells]) -> frozenset[int]:
    """The columns that most rows fill."""
    counts = Counter(frozenset(column for column, words in enumerate(row) if words) for row in rows)
    return counts.most_common(1)[0][0]


def _completes(above: Row, below: Row, usual: frozenset[int]) -> bool:
    """One row cut by the page's end (spec 5.7): what is above lacks just what is below, and that is numbers alone."""
    upper = frozenset(column for column, cell in enumerate(above.cells) if cell.text)
    lower = frozenset(column for column, cell in enumerate(below.cells) if cell.text)
    return (
        len(upper) > 0
        and upper.isdisjoint(lower)
        and upper | lower == usual
        and 0 in upper
        and all(is_number(below.cells[column].text) for column in lower)
    )


def _cells(table: Table, at: int, number: int) -> Iterator[Cell]:
    """The cells of a row of the table, which is the grid's row of this number."""
    origin = (number, 1)
    for column, held in enumerate(table.cells[at]):
        span = table.span(at, column)
        if span is None:
            if (at, column) in table.below:
                first = next(row for row in range(at, -1, -1) if (row, column) not in table.below)
                origin = (number - at + first, column + 1)
            yield Cell(column=column + 1, origin=origin)
            continue
        origin = (number, column + 1)
        words, struck = standing(held)
        bold = bool(words) and all(word.bold for word in words)
        filled = bool(words) and all(word.filled for word in words)
        hidden = bool(words) and all(word.hidden for word in words)
        yield Cell(
            _cell_text(words),
            column=column + 1,
            bold=bold,
            filled=filled,
            struck=struck,
            hidden=hidden,
            row_span=span[0],
            col_span=span[1],
        )
