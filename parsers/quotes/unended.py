"""What stands among quotes, names an instrument beside a figure, and became neither a quote nor a refusal (spec 6.5).

It is refused here, at one place, whatever rule passed over it: no line of a run and no row of a table goes unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby

from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Document, Grid, Line, Row
from parsers.lexicon import compiled
from parsers.outcome import Reject
from parsers.quote import Quote
from parsers.quotes.context import PartContext
from parsers.quotes.lexer.bonds import COUPON, DUE
from parsers.quotes.refusal import locator, refusal, row_text
from parsers.quotes.runs.drafting import PARSER
from parsers.quotes.runs.lines.joined import plain
from parsers.quotes.runs.lines.repeats import has_market
from parsers.quotes.runs.lines.skip import MAX_LINE, is_example, is_prose
from parsers.values.finding import find

_KINDS = frozenset({"isin", "cusip", "sedol", "figi", "loanx_id"})
_CODE = re.compile(r"(?=[A-Za-z*@#]{0,11}\d)[A-Za-z0-9*@#]{7,12}(?![A-Za-z0-9])")
"""The form of all of these, which most lines have not."""
_BOND = re.compile(
    rf"(?<![\w.])[A-Z][A-Z0-9&]{{0,11}}\s+(?:{COUPON}s?|FRN)\s+(?:{DUE}|\d{{4}}-\d\d-\d\d|[A-Z][a-z]{{2}}-\d\d)(?![\w.,/-])"
)
_NAME = re.compile(r"\s*((?:[A-Za-z][\w.]*\s+){0,3}(?:\d{1,2}[yYmMwW]|[A-Z]{2,6}\d{1,2}))(?=[\s:])")
"""In front of a line: what has a tenor, or an index with its series."""
_FIGURE = compiled(
    r"(?<![\w.,:/'’-])(?!(?:19|20)\d\d(?![.,]\d))[+-]?\d{1,4}(?:[.,]\d{1,6}|-[0-3]\d[+\d]?|\s\d/(?:2|4|8|16|32)|[½¼¾⅛⅜⅝⅞])?"
    r"(?:\s?[/–-]\s?[+-]?\d{1,4}(?:[.,]\d{1,6})?)?(?![\w:%'’]|[.,]\d|[/–-]\w|\s?(?:%|{size_unit}\b))",
    re.IGNORECASE,
)
"""What may be a level: no size that says so, no percentage, no year."""
_DAY = re.compile(
    r"\d{1,2}([/.-])\d{1,2}\1\d{2,4}|\d{4}-\d\d-\d\d|\d{1,2}:\d\d|\b(?:19|20)\d\d\s?[/–-]\s?(?:19|20)\d\d\b"
)
"""A day, a time, or the years from one to another."""
_DIGIT, _DIGITS, _UPPER, _LOWER = map(re.compile, (r"\d", r"\d+", "[A-Z]+", "[a-z]+"))
_BLANK = re.compile(r"[\s|]+")
_COLUMN = re.compile(r"(?<=!)[A-Z]+(?=\d+\Z)")
_DETAIL = "it stands among quotes, and was not read as one"


def unended(
    document: Document, quotes: Sequence[Quote], rejects: Sequence[Reject], context: PartContext
) -> Iterator[Reject]:
    """The refusals of such lines and rows, in reading order.

    A run is a stretch of lines without an empty one; it and a table count where one of their lines is quoted. What is
    hidden counts only as a quote: `tables/grids/visible` leaves out what visible rows say. Where reading ended early,
    what is behind is told by that refusal (ruling 38).
    """
    if any(reject.code is Code.PART_TOO_LARGE for reject in rejects):
        return
    refused = {_COLUMN.sub("", reject.locator or ""): reject.raw_text or "" for reject in rejects}
    lines = {quote.line: quote.raw_text for quote in quotes if quote.line is not None}
    rows = _quoted_rows(quotes)
    for is_run, blocks in groupby(document.blocks, _is_of_run):
        if is_run:
            yield from _of_run([block for block in blocks if isinstance(block, Line)], lines, refused, context)
        else:
            for grid in blocks:
                if isinstance(grid, Grid) and not grid.quoted:
                    yield from _of_grid(grid, rows, refused, context, document.parser)


def _quoted_rows(quotes: Sequence[Quote]) -> dict[str, str]:
    """The text of each quoted row of a table, by its place."""
    in_rows = (quote for quote in quotes if quote.row is not None)
    return {_place(quote.sheet, quote.page, quote.table_idx, quote.row): quote.raw_text for quote in in_rows}


def _is_of_run(block: Line | Grid) -> bool:
    return isinstance(block, Line) and bool(block.text) and not block.text.isspace()


def _of_run(
    lines: Sequence[Line], quoted: Mapping[int, str], refused: Mapping[str, str], context: PartContext
) -> Iterator[Reject]:
    run = [line for line in lines if not (line.quoted or line.hidden)]
    forms = {_form(line.text) for line in run if line.number in quoted}
    if not forms:
        return
    last = ""  # what ended above: it may go on in the next line
    for line in run:
        if line.number in quoted:
            last = quoted[line.number]
        elif len(line.text) <= MAX_LINE and _DIGIT.search(line.text) is not None:
            where = locator(page=line.page, line=line.number)
            if where in refused:
                last = refused[where]
                continue
            text = plain(line.text)
            code = _code(text, forms)
            if code is not None and not _is_in(text, last):
                told = refusal(
                    context, Code.ROW_WITHDRAWN if line.struck else code, where=where, text=text, parser=PARSER
                )
                yield replace(told, detail=_DETAIL)


def _of_grid(
    grid: Grid, quoted: Mapping[str, str], refused: Mapping[str, str], context: PartContext, parser: str
) -> Iterator[Reject]:
    places = [_place(grid.sheet, row.page, grid.table_idx, row.number) for row in grid.rows]
    if quoted.keys().isdisjoint(places):
        return
    forms: AbstractSet[str | None] | None = None  # asked for where the table holds lines, once
    for row, last in _left(grid.rows, places, quoted, refused):
        filled = [cell for cell in row.cells if cell.text]
        is_line = len(filled) == 1  # of a run that was pasted into a column
        text = plain(filled[0].text) if is_line else row_text(filled)
        if len(text) > MAX_LINE:
            continue
        if is_line and forms is None:
            forms = {_form(quoted[place]) for place in places if place in quoted}
        code = _code(text, forms or set()) if is_line else _code_of_row(text)
        if code is not None and not _is_in(text, last):
            where = locator(
                sheet=grid.sheet, page=row.page, table_idx=grid.table_idx, row=row.number, column=filled[0].column
            )
            yield replace(refusal(context, code, where=where, text=text, parser=parser), detail=_DETAIL)


def _left(
    rows: Sequence[Row], places: Sequence[str], quoted: Mapping[str, str], refused: Mapping[str, str]
) -> Iterator[tuple[Row, str]]:
    """The visible rows that are neither quoted nor refused, each with the text of what ended above it."""
    last = ""
    for row, place in zip(rows, places, strict=True):
        if place in quoted or place in refused:
            last = quoted.get(place) or refused[place]
        elif not row.hidden:
            yield row, last


def _place(sheet: str | None, page: int | None, table: int | None, row: int | None) -> str:
    """A row's locator without its column."""
    return f"{sheet}!{row}" if sheet is not None else locator(page=page, table_idx=table, row=row)


def _is_in(text: str, ended: str) -> bool:
    return _BLANK.sub("", text) in _BLANK.sub("", ended)


def _code(text: str, forms: AbstractSet[str | None]) -> Code | None:
    """What a line of a run is refused with: it has an instrument and a figure, or a market, and shows not only how."""
    if is_example(text):
        return None
    if _is_priced(text) or _is_named_alike(text, forms):
        return Code.ROW_NO_PRICE
    return Code.ROW_NO_INSTRUMENT if not is_prose(text) and has_market(_DAY.sub(" ", text)) else None


def _code_of_row(text: str) -> Code | None:
    """The same of a table's row; the names of several instruments are the headings of one that is turned."""
    is_of_one = not is_example(text) and len(_BOND.findall(text)) <= 1
    return Code.ROW_NO_PRICE if is_of_one and _is_priced(text) else None


def _is_priced(text: str) -> bool:
    """Whether a text has an identifier, or a ticker, coupon and maturity, and a figure beside it."""
    if _CODE.search(text) is not None:
        found = [one for one in find(text, priced=True) if one.valid and one.kind in _KINDS]
        if found:
            for one in found:
                text = f"{text[: one.start]}{' ' * (one.end - one.start)}{text[one.end :]}"
            return _has_figure(text)
    return _BOND.search(text) is not None and _has_figure(_BOND.sub(" ", text))


def _is_named_alike(text: str, forms: AbstractSet[str | None]) -> bool:
    """Whether a figure stands behind a name in the form of one that is quoted."""
    name = _NAME.match(text)
    return name is not None and _form(text) in forms and _has_figure(text[name.end() :])


def _form(text: str) -> str | None:
    """Of the name in front of a line: its letters and its digits alike."""
    name = _NAME.match(text)
    return _LOWER.sub("a", _UPPER.sub("A", _DIGITS.sub("0", name[1]))) if name is not None else None


def _has_figure(text: str) -> bool:
    return _FIGURE.search(_DAY.sub(" ", text)) is not None
