"""Tables typed out in text: their header line and rows handed to the readers of tables (spec 5.1, 5.11)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from parsers.document import Grid, Line, Row
from parsers.outcome import Reject
from parsers.quotes.answers.moneys import of_heading
from parsers.quotes.classes import class_by_words, rules_of
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft, Level
from parsers.quotes.headings.columns import column
from parsers.quotes.headings.remarks import is_remark
from parsers.quotes.headings.roles import IDENTITY, IGNORED
from parsers.quotes.headings.setting import Setting
from parsers.quotes.refusal import locator
from parsers.quotes.runs.drafting import PARSER
from parsers.quotes.runs.lines import skip
from parsers.quotes.runs.lines.aligned import HeaderLine, cells, header_line
from parsers.quotes.runs.lines.gridded import as_grid, fits, holds_pairs
from parsers.quotes.runs.lines.parted import parted
from parsers.quotes.runs.sections import above_table
from parsers.quotes.tables import blocks, read_grid
from parsers.quotes.work import Work, of_typed_row

_LONGEST_SECTION = 40
_LEAST_CELLS = 3


class TypedTable(Struct, frozen=True):
    """The drafts of a typed table."""

    drafts: tuple[Draft, ...]
    rejects: tuple[Reject, ...]
    end: int  # index of the line behind it


class TypedTables:
    """The tables among the lines of a part, from the first to the last: what stands above one is not all about it."""

    def __init__(self, lines: Sequence[Line], context: PartContext, work: Work) -> None:
        self._lines = lines
        self._context = context
        self._work = work
        self._costs = [
            0,
            *accumulate(of_typed_row(line.text) + work.of_look_ups for line in lines),
        ]  # of all lines before each
        self._taken: list[tuple[int, int]] = []  # the first index and the one behind of each
        self._tried = 0  # index behind the last stretch that may have been a table

    def parted(self, at: int, setting: Setting) -> TypedTable | None:
        """A table whose cells the text itself parts, its headings in one row or several, above the rows or beside them.

        None where nothing heads such lines, or none begin there.
        """
        table = parted(self._lines, at, self._until(at)) if at >= self._tried else None
        if table is None:
            return None
        self._tried = end = at + table.length
        self._work.spend(self._costs[end] - self._costs[at])
        if all(block.header is None for block in blocks(table.grid.rows)):
            return TypedTable((), (), end) if table.grid.rows and _is_of_changes(table.grid.rows[0]) else None
        return self._read(table.grid, at, end, setting)

    def headed(self, header: HeaderLine, at: int, setting: Setting) -> TypedTable | None:
        """The rows under a header whose bid and ask, tenors or kinds of option have columns of their own.

        None where the rows are better read as lines.
        """
        rows, end = _rows(self._lines, at + 1, self._until(at))
        self._work.spend(self._costs[end] - self._costs[at])
        if not (header.is_curve or fits(header, rows)) and (not header.is_split or holds_pairs(rows)):
            return None
        return self._read(as_grid(header, self._lines[at], rows), at, end, setting)

    def end_of_rows(self, at: int) -> int:
        """The index behind the table whose header stands at an index."""
        return _rows(self._lines, at + 1, self._until(at))[1]

    def _until(self, at: int) -> int:
        """The index behind the lines that the work left allows to be a table."""
        return max(bisect_right(self._costs, self._costs[at] + self._work.left) - 1, at + 1)

    def _read(self, grid: Grid, at: int, end: int, setting: Setting) -> TypedTable | None:
        found = read_grid(grid, self._context, above_table(self._lines, at, setting, self._taken))
        if not found.recognised or not found.drafts:
            return None
        self._taken.append((at, end))
        by_number = {line.number: line for line in self._lines[at:end]}
        drafts = (_in_money(_as_line(draft, by_number), setting.currency) for draft in found.drafts)
        homes = {locator(page=line.page, row=line.number): line for line in self._lines[at:end]}
        rejects = (_at_line(reject, homes.get(reject.locator or "")) for reject in found.rejects)
        return TypedTable(tuple(drafts), tuple(rejects), end)


def _rows(lines: Sequence[Line], at: int, until: int) -> tuple[list[Line], int]:
    """The lines of a typed table: until two empty ones, a sentence, another header, or a greeting.

    A sentence between two rows of the same columns ends none.
    """
    rows: list[Line] = []
    head = lines[at - 1]
    empty = 0
    while at < until:
        line = lines[at]
        if not skip.is_art(line.text):
            is_aside = _is_aside(lines, at, rows, is_apart=empty > 0)
            if rows and _begins_run(lines, at, rows[-1]):
                break
            if _ends_table(line) or (is_aside and not _goes_on(lines, at + 1, rows[-1] if rows else head)):
                break
            empty = 0
            if not is_aside:
                rows.append(line)
        elif not line.text.strip():
            empty += 1
            if empty >= 2:
                break
        at += 1
    return rows, at


def _is_aside(lines: Sequence[Line], at: int, rows: Sequence[Line], *, is_apart: bool) -> bool:
    """Whether a line is no row of a table: talk, or a line apart that is no column headings of the rows."""
    text = lines[at].text
    width = len(cells(text))
    if is_apart and width < 3 and not (rows and _heads(lines, at, rows[-1])):
        return True
    return skip.is_prose(text) or (width == 1 and is_remark(text))


def _goes_on(lines: Sequence[Line], at: int, row: Line) -> bool:
    """Whether the next line with text stands in the columns of a row above, or of the header."""
    below = next((line.text for line in lines[at : at + 2] if line.text.strip()), "")
    first, second = cells(row.text), cells(below)
    if len(first) != len(second) or len(first) < _LEAST_CELLS:
        return False
    if "\t" in below or "|" in below:
        return True
    return all(one[0] == other[0] or one[1] == other[1] for one, other in zip(first, second, strict=True))


def _heads(lines: Sequence[Line], at: int, row: Line) -> bool:
    """Whether a short line stands right over another row of the table: `EUR AT1s` below those in dollars."""
    width = len(cells(row.text))
    is_short = len(lines[at].text) <= _LONGEST_SECTION and len(cells(lines[at].text)) == 1
    return is_short and width >= _LEAST_CELLS and at + 1 < len(lines) and len(cells(lines[at + 1].text)) == width


def _begins_run(lines: Sequence[Line], at: int, row: Line) -> bool:
    """Whether a title of a class stands there, and below it a line that has not the table's columns."""
    if at + 1 >= len(lines) or len(cells(row.text)) < _LEAST_CELLS or len(lines[at].text) > _LONGEST_SECTION:
        return False
    below = lines[at + 1].text
    is_apart = len(cells(lines[at].text)) == 1 and len(cells(below)) == 1 and any(map(str.isdigit, below))
    return is_apart and class_by_words(lines[at].text) is not None


def _ends_table(line: Line) -> bool:
    text = line.text
    is_end = line.quoted or skip.is_closing(text) or skip.is_disclaimer(text) or skip.starts_signature(text)
    return is_end or header_line(text) is not None


def _as_line(draft: Draft, lines: dict[int, Line]) -> Draft:
    """A draft of a typed table, placed by its line, and the one below where both make one row."""
    line = lines.get(draft.row or 0)
    if line is None:
        return draft
    below = lines.get(line.number + 1) if _length(draft.raw_text) > _length(line.text) else None
    printed = [line] if below is None else [line, below]
    placed = tuple(_located(replace(level, row=None, column=None), printed) for level in draft.levels)
    text = "\t".join(line.text for line in printed)
    return replace(draft, levels=placed, line=line.number, row=None, table_idx=None, parser=PARSER, raw_text=text)


def _at_line(reject: Reject, line: Line | None) -> Reject:
    """A refusal of a typed table, placed by its line."""
    return reject if line is None else replace(reject, locator=locator(page=line.page, line=line.number), parser=PARSER)


def _length(text: str) -> int:
    """Of what its cells say: a draft of two lines says more than its first."""
    return sum(not (character.isspace() or character == "|") for character in text)


def _is_of_changes(row: Row) -> bool:
    """Whether a header has names and nothing that is quoted: `Name | 1w chg | 1m chg | YTD`."""
    texts = [cell.text for cell in row.cells if cell.text]
    if not texts or column(0, (texts[0],)).role not in IDENTITY:
        return False
    roles = [column(at, (text,)).role for at, text in enumerate(texts)]
    return roles.count(IGNORED) > 1 and all(role == IGNORED or role in IDENTITY for role in roles)


def _in_money(draft: Draft, stated: str | None) -> Draft:
    """A draft in the currency that a heading states, if none does that stands nearer: the first line of the mail."""
    named = draft.instrument
    if stated is None or named.currency is not None or rules_of(draft.asset_class).curve:
        return draft
    money = of_heading(draft.asset_class, named.description or "", stated)
    return replace(draft, instrument=replace(named, currency=money))


def _located(level: Level, printed: Sequence[Line]) -> Level:
    """The level with the span of its raw texts, from the first of them to the last."""
    raws = [raw for raw in (level.bid_raw, level.ask_raw, level.mid_raw) if raw]
    spans = [span for raw in raws if (span := _span(raw, printed)) is not None]
    if not spans:
        spans = [(printed[0].char_start, printed[0].char_start + len(printed[0].text))]
    start, end = min(start for start, _ in spans), max(end for _, end in spans)
    return replace(level, char_start=start, char_end=end)


def _span(raw: str, printed: Sequence[Line]) -> tuple[int, int] | None:
    """Where a raw text stands in the part, in the first line that has it."""
    starts = (line.char_start + at for line in printed if (at := line.text.find(raw)) >= 0)
    start = next(starts, None)
    return (start, start + len(raw)) if start is not None else None
