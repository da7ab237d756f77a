"""RTF to lines (a paragraph each) and grids; HTML wrapped in RTF, as Exchange sends it, to what the HTML says."""

from __future__ import annotations

from bisect import bisect_right

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.fold import fold
from parsers.documents.html import read_html
from parsers.documents.raised import level
from parsers.documents.rtftokens import Token, tokens
from parsers.documents.spans import MAX_COLUMNS, spread
from parsers.documents.withdrawn import standing

_UNREAD = frozenset(
    """fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf
    listtable listoverridetable rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl
    fldinst nonshppict bkmkstart bkmkend annotation""".split()  # noqa: SIM905 -- a list of literals would fill a page
)
_CHARACTERS = {
    "tab": "\t",
    "emdash": "\u2014",
    "endash": "\u2013",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "bullet": "\u2022",
    "emspace": " ",
    "enspace": " ",
}
_HIDES = frozenset({"v", "deleted"})
_SAME_EDGE = 30  # twips: cell borders this close are one


def read_rtf(data: bytes) -> Document:
    """The blocks of the file in reading order.

    Raises:
        Unreadable: PART_TOO_LARGE for a table beyond all measure; what `read_html` raises, for what is wrapped.
    """
    parsed = list(tokens(data))
    html = _wrapped_html(parsed)
    if html is not None:
        return replace(read_html(html.encode("utf-8"), "utf-8"), parser="rtf")
    reader = _Reader()
    for token in parsed:
        reader.take(token)
    reader.end()
    return Document(tuple(reader.blocks), parser="rtf")


class _State(Struct):
    """What a group inherits from the one around it."""

    unread: bool = False
    bold: bool = False
    struck: bool = False
    raised: bool = False
    unseen: frozenset[str] = frozenset()  # the words that hide its text


class _TableRow(Struct):
    """A row as RTF has it: texts, and the right edges of its cells."""

    cells: list[Cell] = field(default_factory=list)
    edges: tuple[int, ...] = ()


class _Reader:
    def __init__(self) -> None:
        self.blocks: list[Grid | Line] = []
        self._states = [_State()]
        self._runs: list[tuple[str, bool, bool, bool]] = []  # text, bold, struck, raised
        self._row = _TableRow()
        self._table: list[_TableRow] = []
        self._in_table = False
        self._lines = 0
        self._offset = 0
        self._tables = 0

    def take(self, token: Token) -> None:
        """The next token of the file."""
        state = self._states[-1]
        if token.kind == "open":
            self._states.append(replace(state))
        elif token.kind == "close":
            if len(self._states) > 1:
                self._states.pop()
        elif token.kind == "text":
            self._text(token.value, state)
        else:
            self._word(token, state)

    def _text(self, text: str, state: _State) -> None:
        if not state.unread and not state.unseen:
            self._runs.append((text, state.bold, state.struck, state.raised))

    def _word(self, token: Token, state: _State) -> None:
        word, number = token.value, token.number
        is_on = number != 0
        if word == "*" or word in _UNREAD:
            state.unread = True
        elif state.unread:
            return
        elif word in _HIDES:
            state.unseen = state.unseen | {word} if is_on else state.unseen - {word}
        elif word == "b":
            state.bold = is_on
        elif word in {"strike", "striked"}:
            state.struck = is_on
        elif word in {"super", "up"}:
            state.raised = is_on
        elif word in {"nosupersub", "sub", "dn"}:
            state.raised = False
        elif word == "plain":
            state.bold = state.struck = state.raised = False
            state.unseen = frozenset()
        elif word in _CHARACTERS:
            self._text(_CHARACTERS[word], state)
        else:
            self._structure(word, number)

    def _structure(self, word: str, number: int | None) -> None:
        if word == "trowd":
            self._row.edges = ()
        elif word == "cellx":
            self._row.edges = (*self._row.edges[: MAX_COLUMNS - 1], number or 0)
        elif word == "pard":
            self._in_table = False
        elif word == "intbl":
            self._in_table = True
        elif word in {"cell", "nestcell"}:
            self._row.cells.append(self._cell())
        elif word == "row":
            self._table.append(self._row)
            self._row = _TableRow(edges=self._row.edges)
        elif word in {"par", "line", "page", "sect"}:
            if self._in_table or self._row.cells:
                self._runs.append((" ", False, False, False))
            else:
                self._paragraph()

    def _paragraph(self) -> None:
        self._end_table()
        text, struck = self._shown()
        text = text.strip(" ")
        self._runs = []
        self._lines += 1
        self.blocks.append(Line(self._lines, text, self._offset, struck=struck))
        self._offset += len(text) + 1

    def _cell(self) -> Cell:
        inked = [run for run in self._runs if run[0].strip()]
        text, struck = self._shown()
        cell = Cell(fold(text), bold=bool(inked) and all(run[1] for run in inked), struck=struck)
        self._runs = []
        return cell

    def _shown(self) -> tuple[str, bool]:
        return standing(level((text, struck, raised) for text, _, struck, raised in self._runs))

    def end(self) -> None:
        """What the file ends in the midst of."""
        if self._row.cells:
            self._table.append(self._row)
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


def _wrapped_html(parsed: list[Token]) -> str | None:
    """The HTML inside (MS-OXRTFEX): what stands in htmltag groups, and text that is not marked htmlrtf."""
    if not any(token.value == "fromhtml" for token in parsed[:50]):
        return None
    out: list[str] = []
    states = [(False, False)]  # (unread, for RTF readers only)
    for token in parsed:
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
        elif token.kind == "word" and (token.value in _UNREAD or token.value == "*"):
            states[-1] = (True, rtf_only)
        elif not unread and not rtf_only:
            out.append(_as_html(token))
    return "".join(out)


def _as_html(token: Token) -> str:
    if token.kind == "text":
        return token.value
    if token.value in {"par", "line"}:
        return "\n"
    return _CHARACTERS.get(token.value, "")
