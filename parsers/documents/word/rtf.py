"""RTF to lines (a paragraph each) and grids; HTML wrapped in RTF, as Exchange sends it, to what the HTML says."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import chain, islice

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.fold import fold
from parsers.documents.html.reader import read_html
from parsers.documents.limits import MAX_ROWS
from parsers.documents.raised import level
from parsers.documents.spans import MAX_CELLS, MAX_COLUMNS, spread
from parsers.documents.unreadable import Unreadable
from parsers.documents.withdrawn import standing
from parsers.documents.word.rtfstate import UNREAD, State, formatted
from parsers.documents.word.rtftokens import Token, tokens

_HEAD = 50  # tokens: in these a file says that it wraps HTML
_SAME_EDGE = 30  # twips: cell borders this close are one


def read_rtf(data: bytes) -> Document:
    """The blocks of the file in reading order.

    Raises:
        Unreadable: PART_TOO_LARGE for a table beyond all measure; what `read_html` raises, for what is wrapped.
    """
    stream = tokens(data)
    head = list(islice(stream, _HEAD))
    stream = chain(head, stream)
    if any(token.value == "fromhtml" for token in head):
        return replace(read_html(_wrapped_html(stream).encode("utf-8"), "utf-8"), parser="rtf")
    reader = _Reader()
    reader.take(stream)
    return Document(tuple(reader.blocks), parser="rtf", truncated=reader.truncated)


class _TableRow(Struct, frozen=True):
    """A row as RTF has it: texts, and the right edges of its cells."""

    cells: list[Cell]
    edges: tuple[int, ...]


class _Reader:
    def __init__(self) -> None:
        self.blocks: list[Grid | Line] = []
        self.truncated = False
        self._state = State()
        self._runs: list[tuple[str, bool, bool, bool]] = []  # text, bold, struck, raised
        self._cells: list[Cell] = []  # of the row
        self._edges: list[int] = []  # of its cells, and of those of the rows to come that say nothing else
        self._told: tuple[int, ...] | None = None  # the same, once a row has them
        self._edges_told = 0
        self._table: list[_TableRow] = []
        self._in_table = False
        self._lines = 0
        self._offset = 0
        self._rows = 0
        self._tables = 0

    def take(self, stream: Iterable[Token]) -> None:
        """The tokens of a file."""
        around: list[State] = []
        structures = self._structures()
        for token in stream:
            kind = token.kind
            if kind == "word":
                act = structures.get(token.value)
                if act is None:
                    self._state = formatted(self._state, token.value, is_on=token.number != 0)
                elif not self._state.unread:
                    act(token.number or 0)
                    if self.truncated:
                        break
            elif kind == "text":
                self._text(token.value)
            elif kind == "open":
                around.append(self._state)
            elif around:
                self._state = around.pop()
        self._end()

    def _text(self, text: str) -> None:
        state = self._state
        if not state.unread and not state.unseen:
            self._runs.append((text, state.bold, state.struck, state.raised))

    def _structures(self) -> dict[str, Callable[[int], None]]:
        line_ends = dict.fromkeys(("par", "line", "page", "sect"), self._end_line)
        cell_ends = dict.fromkeys(("cell", "nestcell"), self._end_cell)
        others = {
            "trowd": self._forget_edges,
            "cellx": self._take_edge,
            "pard": self._leave_table,
            "intbl": self._enter_table,
            "row": self._end_row,
        }
        return line_ends | cell_ends | others

    def _forget_edges(self, _: int) -> None:
        self._edges, self._told = [], None

    def _take_edge(self, edge: int) -> None:
        del self._edges[MAX_COLUMNS - 1 :]
        self._edges.append(edge)
        self._told = None

    def _leave_table(self, _: int) -> None:
        self._in_table = False

    def _enter_table(self, _: int) -> None:
        self._in_table = True

    def _end_cell(self, _: int) -> None:
        inked = [run for run in self._runs if run[0].strip()]
        text, struck = self._shown()
        self._cells.append(Cell(fold(text), bold=bool(inked) and all(run[1] for run in inked), struck=struck))
        self._runs = []

    def _end_row(self, _: int) -> None:
        if self._rows == MAX_ROWS:
            self.truncated = True
            return
        if self._told is None:
            self._told = tuple(self._edges)
            self._edges_told += len(self._told)
            if self._edges_told > MAX_CELLS:
                raise Unreadable(Code.PART_TOO_LARGE, f"rows that say of more than {MAX_CELLS} cells where they end")
        self._table.append(_TableRow(self._cells, self._told))
        self._cells = []
        self._rows += 1

    def _end_line(self, _: int) -> None:
        if self._in_table or self._cells:
            self._runs.append((" ", False, False, False))
        else:
            self._paragraph()

    def _paragraph(self) -> None:
        self._end_table()
        text, struck = self._shown() if self._runs else ("", False)
        text = text.strip(" ")
        self._runs = []
        self._lines += 1
        self.blocks.append(Line(self._lines, text, self._offset, struck=struck))
        self._offset += len(text) + 1

    def _shown(self) -> tuple[str, bool]:
        return standing(level((text, struck, raised) for text, _, struck, raised in self._runs))

    def _end(self) -> None:
        """What the file ends in the midst of."""
        if self._cells:
            self._end_row(0)
        if any(run[0].strip() for run in self._runs):
            self._paragraph()
        self._end_table()

    def _end_table(self) -> None:
        if not self._table:
            return
        self._tables += 1
        self.blocks.append(Grid(tuple(_rows(self._table)), table_idx=self._tables))
        self._table = []


def _rows(table: list[_TableRow]) -> list[Row]:
    """Cells in the columns that all rows' edges make together; a wide cell spans several."""
    distinct = {id(row.edges): row.edges for row in table}.values()  # rows of one form share theirs
    edges: list[int] = []
    for edge in sorted({edge for own in distinct for edge in own}):
        if not edges or edge - edges[-1] > _SAME_EDGE:
            edges.append(edge)
    rows = []
    for row in table:
        cells: list[Cell] = []
        column = 0
        for at, cell in enumerate(row.cells):
            is_told = len(row.edges) >= len(row.cells)
            last = max(bisect_right(edges, row.edges[at] + _SAME_EDGE) if is_told else 0, column + 1)
            cells.append(replace(cell, col_span=last - column))
            column = last
        rows.append(cells)
    return [Row(number, cells) for number, cells in enumerate(spread(rows), 1)]


def _wrapped_html(stream: Iterable[Token]) -> str:
    """The HTML inside (MS-OXRTFEX): what stands in htmltag groups, and text that is not marked htmlrtf."""
    out: list[str] = []
    states = [(False, False)]  # (unread, for RTF readers only)
    for token in stream:
        unread, rtf_only = states[-1]
        if token.kind == "open":
            states.append(states[-1])
        elif token.kind == "close":
            if len(states) > 1:
                states.pop()
        elif token.value == "htmltag" and token.kind == "word":
            states[-1] = (False, False)
        elif token.value == "htmlrtf" and token.kind == "word":
            states[-1] = (unread, token.number != 0)
        elif token.kind == "word" and token.value in UNREAD:
            states[-1] = (True, rtf_only)
        elif not unread and not rtf_only:
            out.append(_as_html(token))
    return "".join(out)


def _as_html(token: Token) -> str:
    if token.kind == "text":
        return token.value
    return "\n" if token.value in {"par", "line"} else ""
