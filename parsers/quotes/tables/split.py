"""The tables of a grid: one below the other, side by side, turned on their side (spec 5.7, 5.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.document import Row
from parsers.quotes.headings.columns import Column, column
from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.roles import IDENTIFIERS, IDENTITY, LEVEL, NAMES, UNKNOWN
from parsers.quotes.tables.beside import resolved
from parsers.quotes.tables.headers import MAX_DEPTH, SEARCHED_ROWS, Header, header_at
from parsers.quotes.tables.names import terms
from parsers.values.tenors import tenor

SAME_HEADER = 0.8
"""Share of equal labels from which a header is the live one again (spec 5.7)."""

MAX_WIDTH = 256
"""Cells of a row that are looked at; no price table is wider, and hostile ones are not searched."""

MAX_BANDS = 6
"""Tables side by side."""

MAX_BLOCKS = 500
"""Tables of a grid; rows behind are the last one's."""

MAX_TURNED_ROWS = 100
"""Rows of a transposed table; each is a field, and no instrument has more."""

_OF_LEVELS = frozenset(["measure", "side", "letter_side", "kind", "option_struct", "bare", "mark_unit", "ambiguous"])
"""What headings of levels speak of, but for points of a curve."""
_LEAST_REPEATED = 3
_REPEATING = frozenset({"coupon", "maturity", "tenor"})
_TELLING = IDENTIFIERS | NAMES | {"tenor"}  # fields that make a table of their own beside another


class Block(Struct, frozen=True):
    """One table: what stands above it, its header, and the rows below."""

    titles: tuple[str, ...]  # top-down
    header: Header | None  # None where no header was found
    body: tuple[Row, ...]
    first: int  # the table's cells are [first, last) of each row
    last: int
    turned: tuple[int, ...] | None = None  # of a transposed table: the true row number of each cell


def blocks(rows: Sequence[Row]) -> Iterator[Block]:
    """The tables in reading order; rows without any header are one block without a header."""
    if not rows:
        return
    width = min(len(rows[0].cells), MAX_WIDTH)
    turned = _turned(rows, width)
    if turned is not None:
        yield turned
        return
    yield from _below(rows, 0, width)


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
            titles = _titles(rows[at : header.first], first, last)
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
    for before, after in zip(header.columns, header.columns[1:], strict=False):
        gap = after.at > before.at + 1
        again = after.role in _TELLING and any(
            after.text == seen.text for seen in header.columns if starts[-1] <= seen.at < after.at
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


def _titles(rows: Sequence[Row], first: int, last: int) -> tuple[str, ...]:
    """The texts above a header; of a band its own, and titles of the whole sheet."""
    found = []
    for row in rows:
        own = [cell.text for cell in row.cells[first:last] if cell.text]
        if not own and sum(1 for cell in row.cells if cell.text) == 1:
            own = [cell.text for cell in row.cells if cell.text]
        if own:
            found.append(" ".join(own))
    return tuple(found)


def _first_title(rows: Sequence[Row], start: int, header: int) -> int:
    """Where the titles of the next table begin: behind the last blank row or the last row of more than two cells."""
    at = header
    while at > start:
        filled = sum(1 for cell in rows[at - 1].cells if cell.text)
        if filled == 0 or filled > 2:
            break
        at -= 1
    return at


def is_same_header(one: Header, other: Header) -> bool:
    """Whether a header only repeats another, as on the next page."""
    mine, theirs = one.labels, other.labels
    if len(mine) != len(theirs):
        return False
    equal = sum(1 for left, right in zip(mine, theirs, strict=True) if left == right)
    return equal >= SAME_HEADER * len(mine)


def _turned(rows: Sequence[Row], width: int) -> Block | None:
    """A table whose first column is its header, turned upright (spec 5.10)."""
    if len(rows) > MAX_TURNED_ROWS:
        return None
    lead = next((at for at in range(width) if any(row.cells[at].text for row in rows)), None)
    if lead is None or width - lead < 3:
        return None
    curve = _tenors_across(rows, lead)
    heads = tuple(_heads_down(rows, lead, curve))
    columns = resolved(heads)
    known = [found for found in columns if found.role != UNKNOWN and found.clear]
    roles = {found.role for found in known if not (found.tenor or found.month)}  # a column of tenors is no header
    if len(known) < 3 or LEVEL not in roles or not roles & IDENTITY or not _is_lead(rows, known, curve):
        return None
    start, end = known[0].at, known[-1].at + 1
    body = tuple(
        Row(rows[start].number, tuple(row.cells[at] for row in rows[start:end]), rows[start].page)
        for at in range(lead + 1, width)
    )
    shifted = resolved(tuple(replace(found, at=found.at - start) for found in heads if start <= found.at < end))
    header = Header(0, 0, shifted, 2 * len(known))
    titles = _titles(rows[:start], 0, width)
    return Block(titles, header, body, 0, end - start, tuple(row.number for row in rows[start:end]))


def _heads_down(rows: Sequence[Row], lead: int, curve: Column | None) -> Iterator[Column]:
    """The headings in the first column, of the rows that have more than one cell beside them."""
    said = [heading(text).meanings for row in rows if (text := row.cells[lead].text)]
    if sum(map(bool, said)) < (2 if curve else 3) or all(map(_OF_LEVELS.isdisjoint, said)):
        return
    for at, row in enumerate(rows):
        if curve is not None and at == curve.at:
            yield curve
        elif row.cells[lead].text and _filled_beside(rows, at, lead):
            yield column(at, (row.cells[lead].text,))


def _is_lead(rows: Sequence[Row], known: Sequence[Column], curve: Column | None) -> bool:
    """Whether the headings are those of the first column, not the names of rows under tenors or a header."""
    if curve is not None:
        is_market = all(found.is_level and found.side for found in known if found.at != curve.at)
        if is_market or curve.role == "tenor":  # bonds may have more below them than a market
            return is_market
    rival = header_at(rows, known[0].at)  # one of names alone, `Bond | USDBRL 1M NDF`, says only where months stand
    return rival is None or not _has_clear_level(rival)


def _tenors_across(rows: Sequence[Row], lead: int) -> Column | None:
    """The first row as bonds, or the tenors of what its corner names: `EURUSD | 1M | 3M` over `Bid` and `Ask`."""
    at = next((at for at, row in enumerate(rows) if _filled_beside(rows, at, lead)), None)
    texts = [cell.text for cell in rows[at].cells[lead + 1 :] if cell.text] if at is not None else []
    if at is None or not (all(map(tenor, texts)) or all(terms(text).coupon is not None for text in texts)):
        return None
    corner = rows[at].cells[lead].text
    said = column(at, (corner,))
    if said.role not in {UNKNOWN, "tenor", "description"}:
        return None
    if not tenor(texts[0]):  # a corner that heads names is read as all other headings are
        return Column(at=at, text=corner, role="description") if said.role == UNKNOWN else None
    return Column(at=at, text=corner, role="tenor", title=corner if said.role == UNKNOWN and corner else None)


def _has_clear_level(header: Header) -> bool:
    return any(found.is_level and found.clear for found in header.columns)


def _filled_beside(rows: Sequence[Row], at: int, lead: int) -> bool:
    return sum(1 for cell in rows[at].cells[lead + 1 :] if cell.text) >= 2
