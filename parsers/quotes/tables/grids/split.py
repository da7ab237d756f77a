"""The tables of a grid: one below the other, side by side, turned on their side (spec 5.7, 5.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from parsers.document import Row
from parsers.quotes.headings.columns import Column, column
from parsers.quotes.headings.roles import IDENTIFIERS, LEVEL, NAMES
from parsers.quotes.headings.stances import side_said
from parsers.quotes.tables.grids.block import Block, titles_of
from parsers.quotes.tables.grids.headers import MAX_DEPTH, SEARCHED_ROWS, Header, header_at
from parsers.quotes.tables.grids.turned import upright

SAME_HEADER = 0.8
"""Share of equal labels from which a header is the live one again (spec 5.7)."""

MAX_WIDTH = 256
"""Cells of a row that are looked at; no price table is wider, and hostile ones are not searched."""

MAX_BANDS = 6
"""Tables side by side."""

MAX_BLOCKS = 500
"""Tables of a grid; rows behind are the last one's."""

_WORDS = 2
"""Cells of a row that is a title or a note."""
_LEAST_REPEATED = 3
_SIDES = {"bid", "ask"}
_REPEATING = frozenset({"coupon", "maturity", "tenor"})
_TELLING = IDENTIFIERS | NAMES | {"tenor"}  # fields that make a table of their own beside another


def blocks(rows: Sequence[Row]) -> Iterator[Block]:
    """The tables in reading order; rows without any header are one block without a header."""
    if not rows:
        return
    width = min(len(rows[0].cells), MAX_WIDTH)
    stretches = list(_stretches(rows))
    turned = [(first, end, found) for first, end in stretches if (found := upright(rows[first:end], width))]
    if not turned and len(stretches) > 1 and (whole := upright(rows, width)):
        turned = [(0, len(rows), whole)]
    at = 0
    for first, end, found in turned:
        title = _first_title(rows, at, first)
        if any(map(_filled, rows[at:title])):
            yield from _below(rows[at:title], 0, width)
        yield replace(found, titles=(*titles_of(rows[title:first], 0, width), *found.titles))
        at = end
    if not turned or any(map(_filled, rows[at:])):
        yield from _below(rows[at:], 0, width)


def _stretches(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """The rows between blank ones, of which each may be a table on its side."""
    ends = [at for at, row in enumerate(rows) if not _filled(row)]
    if len(ends) < MAX_BLOCKS:
        yield from ((first + 1, end) for first, end in pairwise((-1, *ends, len(rows))) if end > first + 1)


def _below(rows: Sequence[Row], first: int, last: int) -> Iterator[Block]:
    """Tables one below the other in the cells [first, last)."""
    at = 0
    header = _next_header(rows, at, first, last, SEARCHED_ROWS)
    if header is None:
        yield Block((), None, tuple(rows), first, last)
        return
    found = 0
    while header is not None:
        found += 1
        bands = _bands(rows, header, first, last)
        following = _next_header(rows, header.end, first, last) if found < MAX_BLOCKS else None
        end = following.first if following is not None else len(rows)
        start_of_titles = _first_title(rows, header.end, end) if following is not None else end
        if len(bands) > 1:
            for low, high in bands:
                yield from _below(rows[at:start_of_titles], low, high)
        else:
            titles = titles_of(rows[at : header.first], first, last)
            lead = header.columns[0]
            if lead.role == "description" and side_said(lead.text.lower()):  # `Buying` over the bonds
                titles = (*titles, lead.text)
            yield Block(titles, header, tuple(rows[header.end : start_of_titles]), first, last)
        at, header = start_of_titles, following


def _next_header(rows: Sequence[Row], start: int, first: int, last: int, limit: int | None = None) -> Header | None:
    """The first header from `start` on; of several that overlap, the best."""
    stop = len(rows) if limit is None else min(len(rows), start + limit)
    for at in range(start, stop):
        found = header_at(rows, at, first, last)
        if found is None:
            continue
        rivals = (header_at(rows, other, first, last) for other in range(at + 1, min(at + MAX_DEPTH, stop)))
        return max((found, *filter(None, rivals)), key=lambda header: header.score)
    return None


def _bands(rows: Sequence[Row], header: Header, first: int, last: int) -> list[tuple[int, int]]:
    """Side-by-side tables: the stretches of cells whose headings make a header of their own."""
    anew = _repeats_itself(rows[header.end - 1], header)
    if anew is not None:
        return list(zip(anew, [*anew[1:], last], strict=True))
    starts = [first]
    lowest = rows[header.end - 1].cells  # a title may stand over the first heading of each: `HY` over `Name`
    for before, after in zip(header.columns, header.columns[1:], strict=False):
        gap = after.at > before.at + 1
        again = after.role in _TELLING and any(
            after.text == seen.text or "" != lowest[after.at].text == lowest[seen.at].text
            for seen in header.columns
            if starts[-1] <= seen.at < after.at
        )
        if gap or again:
            starts.append(after.at)
    spans = list(zip(starts, [*starts[1:], last], strict=True))
    return (
        spans
        if 1 < len(spans) <= MAX_BANDS and all(_stands_alone(rows, header, span) for span in spans)
        else [(first, last)]
    )


def _repeats_itself(lowest: Row, header: Header) -> list[int] | None:
    """Where a header starts over again, from its coupons on: `Cpn | Dec | Jan | Drop`, twice."""
    columns = header.columns
    labels = [lowest.cells[found.at].text.casefold() for found in columns]
    for length in range(_LEAST_REPEATED, len(labels) // 2 + 1):
        times = len(labels) // length
        if times <= MAX_BANDS and labels == labels[:length] * times and columns[0].role in _REPEATING:
            return [found.at for found in columns[::length]]
    half, odd = divmod(len(labels), 2)
    if odd or half < _LEAST_REPEATED - 1 or labels[1:half] != labels[half + 1 :]:
        return None
    stances = {side_said(labels[0]), side_said(labels[half])}
    roles = {column(0, (label,)).role for label in (labels[0], labels[half])}  # without the titles over them
    is_two = half >= _LEAST_REPEATED and roles <= NAMES and any(found.role == LEVEL for found in columns[1:half])
    if stances == _SIDES or is_two:  # `Buying | Px | Selling | Px`, `Loan | Bid | Ask | Bond | Bid | Ask`
        return [columns[0].at, columns[half].at]
    return None


def _stands_alone(rows: Sequence[Row], header: Header, span: tuple[int, int]) -> bool:
    """Whether the span has a header of its own; a title over it may be the other's first row."""
    found = (header_at(rows, at, *span) for at in range(header.first, header.end))
    columns = next((one.columns for one in found if one is not None), ())
    telling = _TELLING | {"maturity"} if _repeats_a_market(header, columns) else _TELLING
    return any(one.role in telling and not _is_benchmark(one) for one in columns)


def _repeats_a_market(header: Header, columns: Sequence[Column]) -> bool:
    """Whether a stretch has the same two sides as the one beside it: `Mat | Bid | Ask` right of `Tenor | Bid | Ask`."""
    sides = {one.text.rpartition(" ")[2] for one in columns if one.side in {"bid", "ask"}}
    others = [one.text.rpartition(" ")[2] for one in header.columns]
    return len(sides) > 1 and all(others.count(text) > 1 for text in sides)


def _is_benchmark(found: Column) -> bool:
    """Whether a column names its rows only for want of another: beside a table that names them, it does not."""
    return column(found.at, (found.text,)).role == "benchmark"


def _first_title(rows: Sequence[Row], start: int, header: int) -> int:
    """Where the titles of the next table begin: behind the last blank row or the last row of more than two cells.

    A blank row may part titles from their header, if another stands above them: else they are the last table's notes.
    """
    at = _above_words(rows, start, header)
    if at < header or at == start or _filled(rows[at - 1]):
        return at
    gap = next((index for index in range(at, start, -1) if _filled(rows[index - 1])), start)
    above = _above_words(rows, start, gap)
    return above if start < above < gap and not _filled(rows[above - 1]) else at


def _above_words(rows: Sequence[Row], start: int, end: int) -> int:
    """The first of the rows of one or two cells that stand right above an index."""
    at = end
    while at > start and 0 < _filled(rows[at - 1]) <= _WORDS:
        at -= 1
    return at


def _filled(row: Row) -> int:
    return sum(1 for cell in row.cells if cell.text)


def is_same_header(one: Header, other: Header) -> bool:
    """Whether a header only repeats another, as on the next page."""
    mine, theirs = one.labels, other.labels
    if len(mine) != len(theirs):
        return False
    equal = sum(1 for left, right in zip(mine, theirs, strict=True) if left == right)
    return equal >= SAME_HEADER * len(mine)
