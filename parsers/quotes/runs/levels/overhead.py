"""Headings over lines that are read as a run: cells that they name are the sides of a market only if they say so."""

from __future__ import annotations

from parsers.quotes.headings.columns import column
from parsers.quotes.lexer.token import Token
from parsers.quotes.runs.lines.aligned import cells
from parsers.quotes.runs.lines.parted import mark_of

_SIDED = frozenset({"bid", "ask", "both"})


class Overhead:
    """The last line of words alone that is parted into cells, while those below it have as many."""

    def __init__(self) -> None:
        self._headings: tuple[str, ...] = ()

    def passes(self, text: str) -> None:
        """A line is about to be read: a heading, a row below one, or what ends the rows."""
        if mark_of(text) is None:
            self._headings = ()
            return
        texts = tuple(cell for _, _, cell in cells(text))
        if not any(map(str.isdigit, text)):
            self._headings = texts
        elif len(texts) != len(self._headings):
            self._headings = ()

    def parts(self, text: str, token: Token) -> bool:
        """Whether a market is made of two cells, and their headings say no side: `ISIN | Yesterday | Today`."""
        if not self._headings:
            return False
        over = [at for at, (start, end, _) in enumerate(cells(text)) if start < token.end and token.start < end]
        if len(over) < 2 or len(cells(text)) != len(self._headings):
            return False
        return not any(column(0, (self._headings[at],)).side in _SIDED for at in over if self._headings[at])
