"""Runs pasted into a sheet or table without headings: each row is a line of text (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from parsers.document import Cell, Grid, Line, Row
from parsers.lexicon import compiled
from parsers.outcome import Reject
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft, Level
from parsers.quotes.refusal import line_places, locator
from parsers.quotes.runs import read_lines
from parsers.quotes.runs.lines.skip import MAX_LINE
from parsers.quotes.work import Work

_LEAST_ROWS = 2
_LEAST_BLANKS = 2
"""Of a line in a column: a name, and a level or a market."""
_HEADING_LINES = 3
_BEGINNING = 200
"""Characters of a cell that say whether it names something, or holds a market."""
_BETWEEN = "  "
"""Of the cells of a row: what a line has between its columns."""
_MARKET = compiled(
    r"(?:\d{1,2}[yYmM]\s)?(?:[A-Za-z]{0,5}\s?[+-]?(?!0\d)\d[\d.,]*[½¼¾⅛⅜⅝⅞]?(?:\s\d/\d{1,2})?\+?\s?[/-]\s?[+-]?\d|"
    r"par[\s/-])|{pasted_word}\b.*\d",
    re.IGNORECASE,
)
"""How a cell begins that holds a bid and an ask, or says what its level is."""

_COUPON = re.compile(r"(?:[A-Z][A-Z\d]{1,5} )?\d{1,2}(?:[.,]\d{1,2})?s?")
_VALUE = re.compile(r"\d[.,/]\d")


class _Text(Struct, frozen=True):
    """A row as a line: its text, and where in it each cell with text begins."""

    row: Row
    text: str
    starts: tuple[tuple[int, int], ...]  # (position, index of the cell)

    def cell_at(self, position: int) -> int:
        """The index of the cell that holds a position."""
        return next((at for start, at in reversed(self.starts) if start <= position), self.starts[0][1])


def read_pasted(
    grid: Grid, context: PartContext, above: Sequence[Line | Grid] = (), work: Work | None = None
) -> tuple[tuple[Draft, ...], tuple[Reject, ...]]:
    """The quotes of a grid that is a run, and the rows refused; none of any other grid.

    Its text stands in one column, or its rows have a name and a market each, and no headings over them; or each of
    its columns is a run of its own. Spans are counted in the row's text.

    Args:
        grid: of which nothing could be read as a table.
        context: of its part.
        above: the blocks that stand before it; the lines head what stands side by side.
        work: what is left of that of its part.
    """
    beside = _beside(grid)
    if beside:
        heads = _heads(above)
        return _of_runs([_drafts_of(texts, heads, grid, context, work) for texts in beside]), ()
    texts = [text for text in map(_text, grid.rows) if text is not None]
    is_one_column = len({at for text in texts for _, at in text.starts}) == 1 and len(texts) >= _LEAST_ROWS
    if not is_one_column and not _are_markets(texts):
        return (), ()
    found = read_lines([_line(text) for text in texts], context, work=work)
    if not is_one_column and not _are_most(found.drafts, texts):
        return (), ()
    by_number = {text.row.number: text for text in texts}
    drafts = tuple(_placed(draft, grid, by_number[draft.line or 0]) for draft in found.drafts)
    return drafts, _homed(found.rejects, grid, texts)


def _heads(above: Sequence[Line | Grid]) -> list[Line]:
    """The lines that head what stands below them."""
    return [block for block in above if isinstance(block, Line) and not block.quoted][-_HEADING_LINES:]


def _homed(rejects: Sequence[Reject], grid: Grid, texts: Sequence[_Text]) -> tuple[Reject, ...]:
    """The refusals of lines, at their rows of the grid."""
    homes = {place: _home(grid, text) for text in texts for place in line_places(text.row.page, text.row.number)}
    return tuple(replace(reject, locator=homes[reject.locator or ""]) for reject in rejects)


def _of_runs(columns: Sequence[Sequence[Draft]]) -> tuple[Draft, ...]:
    """The quotes of columns side by side, if each of them is a run."""
    return tuple(chain.from_iterable(columns)) if all(len(drafts) >= _LEAST_ROWS for drafts in columns) else ()


def _are_markets(texts: Sequence[_Text]) -> bool:
    """Whether rows have a name and a market each, and no headings over them."""
    return sum(map(_has_market, texts)) >= _LEAST_ROWS and not _is_headed(texts)


def _beside(grid: Grid) -> list[list[_Text]]:
    """The columns of a grid whose cells are lines of text, as on a page in two columns; none of any other grid."""
    columns: list[list[_Text]] = []
    for at in range(len(grid.rows[0].cells) if grid.rows else 0):
        cells = [(row, row.cells[at].text) for row in grid.rows if row.cells[at].text]
        if sum(_is_line(text) for _, text in cells) * 2 < max(len(cells), 2 * _LEAST_ROWS):
            return []
        columns.append([_Text(row, text, ((0, at),)) for row, text in cells])
    return columns if len(columns) > 1 else []


def _is_line(text: str) -> bool:
    """Whether a cell has a name and what is said of it: words, and figures behind them."""
    return len(text) < _BEGINNING and text.count(" ") >= _LEAST_BLANKS and text[0].isalpha() and text[-1] != "."


def _drafts_of(
    texts: Sequence[_Text], heads: Sequence[Line], grid: Grid, context: PartContext, work: Work | None
) -> list[Draft]:
    """The drafts of a column, under the lines that stand above all columns."""
    above = [replace(line, number=-at) for at, line in enumerate(heads, 1)]
    found = read_lines([*above, *map(_line, texts)], context, work=work)
    by_number = {text.row.number: text for text in texts}
    return [_placed(draft, grid, by_number[draft.line]) for draft in found.drafts if draft.line in by_number]


def _text(row: Row) -> _Text | None:
    """The row as a line; None where it is blank."""
    filled = [(at, cell) for at, cell in enumerate(row.cells) if cell.text]
    if not filled:
        return None
    starts, position = [], 0
    for at, cell in filled:
        starts.append((position, at))
        position += len(cell.text) + len(_BETWEEN)
    return _Text(row, _BETWEEN.join(cell.text for _, cell in filled), tuple(starts))


def _line(text: _Text) -> Line:
    return Line(text.row.number, text.text, 0, text.row.page, struck=any(cell.struck for cell in _cells(text)))


def _cells(text: _Text) -> Iterator[Cell]:
    return (text.row.cells[at] for _, at in text.starts)


def _has_market(text: _Text) -> bool:
    """Whether a name stands in front of a cell that begins with a bid and an ask."""
    first, *rest = _cells(text)
    names = any(map(str.isalpha, first.text[:_BEGINNING]))
    return names and any(_MARKET.match(cell.text, 0, _BEGINNING) for cell in rest)


def _is_headed(texts: Sequence[_Text]) -> bool:
    """Whether right over the first name and market stand as many cells without a value, or numbers alone: headings.

    Over `22/25 | 34/38` stand the coupons `5.0 | 5.5`, of which a grid has the pay-ups.
    """
    first = next(at for at, text in enumerate(texts) if _has_market(text))
    above = texts[first - 1] if first else None
    if above is None or len(above.starts) != len(texts[first].starts):
        return False
    _, *heads = _cells(above)
    are_coupons = len(heads) > 1 and all(_COUPON.fullmatch(cell.text) for cell in heads)
    return are_coupons or _VALUE.search(above.text, 0, MAX_LINE) is None


def _are_most(drafts: Sequence[Draft], texts: Sequence[_Text]) -> bool:
    """Whether most rows of several cells are quotes, each of a class that is known or of a bond."""
    known = [
        draft
        for draft in drafts
        if draft.asset_class != "unknown" or (draft.instrument.coupon is not None and draft.instrument.maturity_text)
    ]
    return len(known) * 2 >= sum(len(text.starts) > 1 for text in texts)


def _placed(draft: Draft, grid: Grid, text: _Text) -> Draft:
    """The draft of a line, at home in its cells."""
    levels = tuple(_in_cell(level, text) for level in draft.levels)
    return replace(draft, levels=levels, sheet=grid.sheet, table_idx=grid.table_idx, row=draft.line, line=None)


def _in_cell(level: Level, text: _Text) -> Level:
    return replace(level, column=text.cell_at(level.char_start or 0) + 1)


def _home(grid: Grid, text: _Text) -> str:
    column = text.starts[0][1] + 1
    return locator(sheet=grid.sheet, page=text.row.page, table_idx=grid.table_idx, row=text.row.number, column=column)
