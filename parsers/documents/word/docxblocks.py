"""The tokens of a Word file to paragraphs and tables: what `docxstream` tells one after the other, put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct, field

from parsers.documents.spans import MAX_COLUMNS
from parsers.documents.word.docxstyles import Styles

_NO_FILL = frozenset({"", "auto", "FFFFFF", "ffffff"})


class Look(Struct, frozen=True, gc=False):
    """Of text."""

    struck: bool = False
    bold: bool = False
    hidden: bool = False
    raised: bool = False
    white: bool = False
    shaded: bool = False  # white on what may be dark; of no other text

    @property
    def unseen(self) -> bool:
        """White on white, unless its cell is filled."""
        return self.white and not self.shaded


Paragraph = list[tuple[str, Look]]  # text that can be seen, line breaks as "\n"


class TableCell(Struct, gc=False):
    """A cell as it is written: which cells it covers is found out later."""

    parts: list[Paragraph | Table] = field(default_factory=list)
    span: int = 1
    merge: str | None = None  # restart, or continue
    filled: bool = False


class TableRow(Struct, gc=False):
    """A row."""

    cells: list[TableCell] = field(default_factory=list)
    left_free: int = 0  # columns before the first cell


class Table(Struct, gc=False):
    """A table."""

    rows: list[TableRow] = field(default_factory=list)
    shaded: bool = False  # it, or one around it, has a style that may fill cells


Part = Paragraph | Table


def parts_of(tokens: Iterable[str], styles: Styles) -> list[Part]:
    """Paragraphs and tables in reading order; of a table that only arranges, what stands in its cells."""
    return _Builder(styles).taken(tokens)


class _Builder:
    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._looks: dict[tuple[str, str, str, bool], Look] = {}
        self._body: list[Part] = []
        self._into = self._body
        self._table, self._row, self._cell = Table(), TableRow(), TableCell()
        self._around: list[tuple[list[Part], Table, TableRow, TableCell]] = []  # of the tables around this one
        self._paragraph: Paragraph = []
        self._style = self._marks = ""  # of the paragraph, of the text
        self._is_shaded = False  # the paragraph
        self._beside: list[
            tuple[Paragraph, str, bool]
        ] = []  # such, style and shade too, that boxes around this hang on
        self._plain = self._look = self._look_of("", "")

    def taken(self, tokens: Iterable[str]) -> list[Part]:
        """The body that tokens tell of; what ends without a beginning is passed over."""
        rarely = self._rarely()
        for token in tokens:
            kind = token[:1]
            if kind == "c":
                self._add_short_cell(token[1:])
            elif kind == "r":
                self._look = self._plain
            elif kind == "t":
                if not self._look.hidden:
                    self._paragraph.append((token[1:], self._look))
            elif kind == "P":
                self._begin_paragraph()
            elif kind == "C":
                self._begin_cell()
            elif kind in rarely:
                rarely[kind](token[1:])
        return self._body

    def _add_short_cell(self, text: str) -> None:
        """Most cells: made in one step."""
        if self._style or self._is_shaded:
            self._is_shaded = False
            self._in_style("")
        self._look = look = self._plain
        self._paragraph = [] if look.hidden else [(text, look)]
        self._cell = TableCell([self._paragraph])
        self._into = self._cell.parts
        self._row.cells.append(self._cell)

    def _begin_cell(self) -> None:
        self._cell = TableCell()
        self._row.cells.append(self._cell)
        self._into = self._cell.parts

    def _begin_paragraph(self) -> None:
        self._paragraph = []
        self._into.append(self._paragraph)
        if self._style or self._is_shaded:
            self._is_shaded = False
            self._in_style("")
        self._look = self._plain

    def _rarely(self) -> dict[str, Callable[[str], None]]:
        return {
            "(": self._begin_table,
            ")": self._end_table,
            "s": self._shade_table,
            "h": self._shade,
            "R": self._begin_row,
            "k": self._leave_free,
            "g": self._span,
            "v": self._merge,
            "f": self._fill,
            "p": self._in_style,
            "l": self._mark,
            "y": self._in_text_style,
            "n": self._break,
            "B": self._begin_box,
            "b": self._end_box,
        }

    def _look_of(self, text_style: str, marks: str) -> Look:
        """Of text with these marks in this paragraph; there are few different ones."""
        is_shaded = self._is_shaded or self._table.shaded or bool(self._beside) or "F" in marks
        asked = (self._style, text_style, marks, is_shaded)
        look = self._looks.get(asked)
        if look is None:
            struck, hidden, raised = self._styles.look(self._style, text_style)
            if not {"S", "D", "s", "d"}.isdisjoint(marks):
                struck = "S" in marks or "D" in marks
            hidden = "V" in marks or (hidden and "v" not in marks)
            raised = "U" in marks or (raised and "u" not in marks)
            white = "W" in marks or (self._styles.white(self._style, text_style) and "w" not in marks)
            look = self._looks[asked] = Look(struck, "B" in marks, hidden, raised, white, white and is_shaded)
        return look

    def _in_style(self, style: str) -> None:
        self._style = style
        self._plain = self._look = self._look_of("", "")

    def _mark(self, marks: str) -> None:
        self._marks = marks
        self._look = self._look_of("", marks)

    def _in_text_style(self, style: str) -> None:
        self._look = self._look_of(style, self._marks)

    def _break(self, _: str) -> None:
        self._paragraph.append(("\n", self._look))

    def _begin_box(self, _: str) -> None:
        self._beside.append((self._paragraph, self._style, self._is_shaded))
        self._is_shaded = False
        self._in_style("")

    def _end_box(self, _: str) -> None:
        if self._beside:
            self._paragraph, style, self._is_shaded = self._beside.pop()
            self._in_style(style)

    def _begin_table(self, _: str) -> None:
        self._around.append((self._into, self._table, self._row, self._cell))
        self._table = Table(shaded=self._table.shaded)

    def _shade_table(self, _: str) -> None:
        self._table.shaded = True
        self._in_style("")

    def _shade(self, _: str) -> None:
        self._is_shaded = True
        self._in_style(self._style)

    def _end_table(self, _: str) -> None:
        if self._around:
            whole = self._table
            self._into, self._table, self._row, self._cell = self._around.pop()
            self._into += _dissolved(whole)
            self._in_style("")

    def _begin_row(self, _: str) -> None:
        self._row = TableRow()
        self._table.rows.append(self._row)

    def _leave_free(self, columns: str) -> None:
        self._row.left_free = min(_number(columns, 0), MAX_COLUMNS)

    def _span(self, columns: str) -> None:
        self._cell.span = max(_number(columns, 1), 1)

    def _merge(self, kind: str) -> None:
        self._cell.merge = kind or "continue"

    def _fill(self, colour: str) -> None:
        self._cell.filled = colour not in _NO_FILL


def _dissolved(table: Table) -> list[Part]:
    """The table, or what stands in its cells where it has tables inside, or one column."""
    parts = [part for row in table.rows for cell in row.cells for part in cell.parts]
    arranges = Table in map(type, parts)
    return parts if arranges or max((len(row.cells) for row in table.rows), default=0) < 2 else [table]


def _number(text: str, default: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else default
