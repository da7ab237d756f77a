"""DOCX and DOCM to lines (a paragraph each) and grids, from the package's XML. Deleted and hidden text is not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml.etree import _Element
from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.fold import fold
from parsers.documents.package import local, name_of, open_package, parse_xml, read_member
from parsers.documents.spans import MAX_COLUMNS
from parsers.documents.unreadable import Unreadable

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT_W = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_UNREAD = frozenset({"pPr", "rPr", "del", "moveFrom", "Fallback", "txbxContent", "instrText", "delText"})
_TRANSPARENT = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"})
_CHARACTERS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_MAX_DEPTH = 50  # of tables and boxes inside each other
_NO_FILL = frozenset({None, "auto", "FFFFFF", "ffffff"})


def read_docx(data: bytes) -> Document:
    """The body's blocks in reading order; text boxes follow the paragraph they hang on.

    Raises:
        Unreadable: CORRUPT_PART, PASSWORD_PROTECTED or ARCHIVE_LIMIT.
    """
    with open_package(data) as package:
        xml = read_member(package, "word/document.xml")
    if xml is None:
        raise Unreadable(Code.CORRUPT_PART, "no word/document.xml")
    reader = _Reader(has_boxes=b"txbxContent" in xml)
    for body in parse_xml(xml):
        if local(body) == "body":
            reader.blocks_of(body, 0)
    return Document(tuple(reader.blocks), parser="docx")


class _Run(Struct, frozen=True):
    text: str
    struck: bool = False
    bold: bool = False


_BETWEEN = _Run(" ")  # paragraphs of a cell


class _Reader:
    def __init__(self, *, has_boxes: bool) -> None:
        self._has_boxes = has_boxes  # looked for once: few documents have any
        self.blocks: list[Grid | Line] = []
        self._lines = 0
        self._offset = 0
        self._tables = 0

    def blocks_of(self, parent: _Element, depth: int) -> None:
        """Paragraphs and tables inside an element."""
        if depth > _MAX_DEPTH:
            return
        for child in parent:
            name = local(child)
            if name == "p":
                self._paragraph(child, depth)
            elif name == "tbl":
                self._table(child, depth)
            elif name in _TRANSPARENT:
                self.blocks_of(child, depth + 1)

    def _paragraph(self, paragraph: _Element, depth: int) -> None:
        runs: list[_Run] = []
        _add_runs(paragraph, runs)
        struck = bool(runs) and all(run.struck for run in runs if run.text.strip())
        for text in "".join(run.text for run in runs).split("\n"):
            self._lines += 1
            self.blocks.append(Line(self._lines, text.strip(" "), self._offset, struck=struck))
            self._offset += len(text) + 1
        for box in paragraph.iter("{*}txbxContent") if self._has_boxes else ():
            if not any(local(above) == "Fallback" for above in box.iterancestors()):
                self.blocks_of(box, depth + 1)

    def _table(self, table: _Element, depth: int) -> None:
        rows = [row for row in _transparent(table, "tr") if not _is_hidden(row)]
        cells = [list(_transparent(row, "tc")) for row in rows]
        arranges = next(table.iterdescendants("{*}tbl"), None) is not None
        if arranges or max((len(row) for row in cells), default=0) < 2:
            for row in cells:
                for cell in row:
                    self.blocks_of(cell, depth + 1)
            return
        self._tables += 1
        placed = [_row(row, parts, has_boxes=self._has_boxes) for row, parts in zip(rows, cells, strict=True)]
        grid = _joined_down(placed)
        self.blocks.append(Grid(tuple(Row(number, row) for number, row in enumerate(grid, 1)), table_idx=self._tables))


def _add_runs(element: _Element, runs: list[_Run]) -> None:
    """The visible text of a paragraph, run by run; line breaks as newlines."""
    for child in element:
        name = name_of(child.tag)
        if name == "r":
            text, marks = "", None
            for part in child:
                kind = name_of(part.tag)
                if kind == "t":
                    text += part.text or ""
                elif kind == "rPr" and marks is None:
                    marks = {local(mark): mark for mark in part}
                elif kind in _CHARACTERS:
                    text += _CHARACTERS[kind]
            if not marks:
                runs.append(_Run(text))
            elif not _is_on(marks.get("vanish")):
                struck = _is_on(marks.get("strike")) or _is_on(marks.get("dstrike"))
                runs.append(_Run(text, struck, _is_on(marks.get("b"))))
        elif name not in _UNREAD:
            _add_runs(child, runs)


def _is_on(mark: _Element | None) -> bool:
    return mark is not None and _get(mark, "val") not in {"0", "false", "none"}


def _get(element: _Element, name: str) -> str | None:
    return element.get(_W + name) or element.get(_STRICT_W + name)


def _transparent(parent: _Element, name: str) -> Iterator[_Element]:
    """Children of a name, those inside content controls included."""
    for child in parent:
        if local(child) == name:
            yield child
        elif local(child) in _TRANSPARENT:
            yield from _transparent(child, name)


def _properties(element: _Element, name: str) -> dict[str, _Element]:
    for part in element:
        if local(part) == name:
            return {local(mark): mark for mark in part}
    return {}


def _is_hidden(row: _Element) -> bool:
    marks = _properties(row, "trPr")
    return _is_on(marks.get("hidden")) or "del" in marks


def _number(mark: _Element | None, default: int) -> int:
    text = _get(mark, "val") if mark is not None else None
    return int(text) if text and text.isdigit() else default


_Placed = tuple[Cell, str | None]  # a cell and its vertical merge: restart, continue or None


def _row(row: _Element, cells: list[_Element], *, has_boxes: bool) -> list[_Placed]:
    """The cells of a row, spans across laid out."""
    column = 1 + min(_number(_properties(row, "trPr").get("gridBefore"), 0), MAX_COLUMNS)
    placed: list[_Placed] = [(Cell(column=before), None) for before in range(1, column)]
    for element in cells:
        paragraphs: list[_Element] = []
        marks: dict[str, _Element] = {}
        for child in element:
            name = name_of(child.tag)
            if name == "tcPr":
                marks = {local(mark): mark for mark in child}
            elif name == "p" and not has_boxes:
                paragraphs.append(child)
            else:  # they may stand anywhere inside
                paragraphs = list(element.iter("{*}p"))
                break
        span = max(1, min(_number(marks["gridSpan"], 1), MAX_COLUMNS - column)) if "gridSpan" in marks else 1
        merge = marks.get("vMerge")
        kind = None if merge is None else _get(merge, "val") or "continue"
        placed.append((_cell(paragraphs, marks, column, span), kind))
        if span > 1:
            placed += [(Cell(column=column + right), "covered") for right in range(1, span)]
        column += span
    return placed


def _cell(paragraphs: Iterable[_Element], marks: dict[str, _Element], column: int, span: int) -> Cell:
    runs: list[_Run] = []
    for paragraph in paragraphs:
        if runs:
            runs.append(_BETWEEN)
        _add_runs(paragraph, runs)
    shading = marks.get("shd")
    is_filled = shading is not None and _get(shading, "fill") not in _NO_FILL
    text = fold(runs[0].text if len(runs) == 1 else "".join([run.text for run in runs]))
    inked = [run for run in runs if run.text and not run.text.isspace()] if text else []
    bold = bool(inked) and False not in [run.bold for run in inked]
    struck = bool(inked) and False not in [run.struck for run in inked]
    return Cell(text, column=column, bold=bold, filled=is_filled, struck=struck, col_span=span)


def _joined_down(rows: list[list[_Placed]]) -> list[tuple[Cell, ...]]:
    """Rows equally wide; cells that a merge covers empty, and naming its origin."""
    width = max(len(row) for row in rows)
    grid = [[cell for cell, _ in row] + [Cell(column=c) for c in range(len(row) + 1, width + 1)] for row in rows]
    for at, row in enumerate(rows):
        for index, (cell, merge) in enumerate(row):
            if merge == "covered":
                left = grid[at][index - 1]
                grid[at][index] = replace(cell, origin=left.origin or (at + 1, left.column))
            elif merge == "continue" and at > 0:
                above = grid[at - 1][index]
                origin = above.origin or (at, above.column)
                grid[at][index] = replace(cell, text="", origin=origin)
                top = grid[origin[0] - 1][index]
                grid[origin[0] - 1][index] = replace(top, row_span=at + 2 - origin[0])
    return [tuple(row) for row in grid]
