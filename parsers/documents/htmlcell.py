"""One HTML cell: its text as a reader sees it, and what holds for all of that text."""

from __future__ import annotations

import re

from lxml.etree import _Element

from parsers.document import Cell
from parsers.documents import htmlstyle
from parsers.documents.fold import fold
from parsers.documents.htmlstyle import Styles
from parsers.documents.raised import spelled
from parsers.documents.spans import MAX_COLUMNS
from parsers.documents.withdrawn import standing

BLOCKS = frozenset(  # elements that begin and end a line
    """address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot th
    thead tr ul""".split()  # noqa: SIM905 -- a list of literals would fill a page
)
UNSEEN = frozenset(
    {
        "script",
        "style",
        "head",
        "title",
        "noscript",
        "template",
        "object",
        "iframe",
        "svg",
        "math",
        "select",
        "textarea",
    }
)
_MAX_ROW_SPAN = 65_534  # as browsers limit it


def cell(element: _Element, styles: Styles, *, filled: bool, struck: bool) -> Cell:
    """A td or th, yet without its column. `filled` and `struck` come from its row."""
    look = _Look(styles)
    look.read(element, struck=struck, bold=False, white=False)
    filled = filled or htmlstyle.is_filled(element, styles.of(element))
    return Cell(
        text=fold(look.standing()),
        bold=look.all_bold,
        filled=filled,
        struck=look.all_struck,
        hidden=look.all_white and not filled,
        row_span=_span(element, "rowspan", _MAX_ROW_SPAN),
        col_span=_span(element, "colspan", MAX_COLUMNS),
    )


class _Look:
    """The text of a cell, and what holds for all of it."""

    def __init__(self, styles: Styles) -> None:
        self._text: list[str] = []
        self._struck_at: set[int] = set()  # of these
        self._styles = styles
        self._runs: set[tuple[bool, bool, bool]] = set()

    def standing(self) -> str:
        """The text less what is struck in it, unless all is."""
        if not self._struck_at:
            return "".join(self._text)
        return standing([(text, at in self._struck_at) for at, text in enumerate(self._text)])[0]

    def read(self, element: _Element, *, struck: bool, bold: bool, white: bool) -> None:
        if not isinstance(element.tag, str) or element.tag in UNSEEN:
            return
        style = self._styles.of(element)
        if htmlstyle.is_hidden(element, style):
            return
        struck = struck or htmlstyle.is_struck(element, style)
        bold = bold or htmlstyle.is_bold(element, style)
        white = htmlstyle.is_white(element, style) or white
        if element.tag in BLOCKS or element.tag == "br":
            self._text.append(" ")
        self._run(element.text, struck, bold, white)
        for child in element:
            if child.tag == "sup" and (marks := raised(child)) is not None:
                self._text.append(marks)
            else:
                self.read(child, struck=struck, bold=bold, white=white)
            self._run(child.tail, struck, bold, white)
        if element.tag in BLOCKS:
            self._text.append(" ")

    def _run(self, text: str | None, *look: bool) -> None:
        if text:
            struck, bold, white = look
            if struck:
                self._struck_at.add(len(self._text))
            self._text.append(text)
            if text.strip():
                self._runs.add((struck, bold, white))

    @property
    def all_struck(self) -> bool:
        return bool(self._runs) and all(run[0] for run in self._runs)

    @property
    def all_bold(self) -> bool:
        return bool(self._runs) and all(run[1] for run in self._runs)

    @property
    def all_white(self) -> bool:
        return bool(self._runs) and all(run[2] for run in self._runs)


def raised(sup: _Element) -> str | None:
    """How a raised number reads in a line; None for what is none."""
    text = "".join(str(text) for text in sup.itertext())
    if not text.strip().isdigit():
        return None
    beside, around = sup.getprevious(), sup.getparent()
    before = beside.tail if beside is not None else around.text if around is not None else None
    return spelled(text, before or "", sup.tail or "")


def _span(cell: _Element, name: str, most: int) -> int:
    """A span as browsers read it: at least 1, never beyond the standard's limit."""
    digits = re.match(r"\s*(\d{1,9})", cell.get(name) or "")
    return min(max(int(digits[1]), 1), most) if digits else 1
