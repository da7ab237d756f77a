"""A table that stands on its side: its first column is its header (spec 5.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from parsers.document import Row
from parsers.quotes.answers.names import names_bond
from parsers.quotes.headings.columns import Column, column
from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.roles import IDENTITY, LEVEL, UNKNOWN
from parsers.quotes.tables.columns.beside import resolved
from parsers.quotes.tables.grids.block import Block, titles_of
from parsers.quotes.tables.grids.headers import Header, header_at
from parsers.values.times.tenors import tenor

MAX_TURNED_ROWS = 100
"""Rows of a transposed table; each is a field, and no instrument has more."""

_OF_LEVELS = frozenset(["measure", "side", "letter_side", "kind", "option_struct", "bare", "mark_unit", "ambiguous"])
"""What headings of levels speak of, but for points of a curve."""


def upright(rows: Sequence[Row], width: int) -> Block | None:
    """A table whose first column is its header, turned upright (spec 5.10)."""
    if len(rows) > MAX_TURNED_ROWS:
        return None
    lead = next((at for at in range(width) if any(row.cells[at].text for row in rows)), None)
    if lead is None or width - lead < 3:
        return None
    curve = _tenors_across(rows, lead)
    heads = tuple(_heads_down(rows, lead, curve))
    known = [found for found in resolved(heads) if found.role != UNKNOWN and found.clear]
    if not _are_header(known) or not _is_lead(rows, known, curve):
        return None
    start, end = known[0].at, known[-1].at + 1
    body = tuple(_column_as_row(rows[start:end], at) for at in range(lead + 1, width))
    shifted = resolved(tuple(replace(found, at=found.at - start) for found in heads if start <= found.at < end))
    header = Header(0, 0, shifted, 2 * len(known))
    titles = titles_of(rows[:start], 0, width)
    return Block(titles, header, body, 0, end - start, tuple(row.number for row in rows[start:end]))


def _column_as_row(rows: Sequence[Row], at: int) -> Row:
    return Row(rows[0].number, tuple(row.cells[at] for row in rows), rows[0].page)


def _are_header(known: Sequence[Column]) -> bool:
    """Whether headings that are understood have a level and what is quoted; a column of tenors is no header."""
    roles = {found.role for found in known if not (found.tenor or found.month)}
    return len(known) >= 3 and LEVEL in roles and not roles.isdisjoint(IDENTITY)


def _heads_down(rows: Sequence[Row], lead: int, curve: Column | None) -> Iterator[Column]:
    """The headings in the first column, of the rows that have more than one cell beside them."""
    said = [heading(text).meanings for row in rows if (text := row.cells[lead].text)]
    if sum(map(bool, said)) < (2 if curve else 3) or all(map(_OF_LEVELS.isdisjoint, said)):
        return
    for at, row in enumerate(rows):
        if curve is not None and at == curve.at:
            yield curve
        elif curve is None and _is_of_names(rows, at, lead):
            yield Column(at=at, text="", role="description")
        elif row.cells[lead].text and _filled_beside(rows, at, lead):
            yield column(at, (row.cells[lead].text,))


def _is_of_names(rows: Sequence[Row], at: int, lead: int) -> bool:
    """Whether a row under a blank corner names what stands in the columns: nothing but texts, above all headings."""
    if any(row.cells[lead].text for row in rows[: at + 1]) or not _filled_beside(rows, at, lead):
        return False
    texts = [cell.text for cell in rows[at].cells[lead + 1 :] if cell.text]
    return all(any(map(str.isalpha, text)) for text in texts) and not any(heading(text).meanings for text in texts)


def _is_lead(rows: Sequence[Row], known: Sequence[Column], curve: Column | None) -> bool:
    """Whether the headings are those of the first column, not the names of rows under tenors or a header."""
    if curve is not None:
        if any(found.role in IDENTITY and found.role != "tenor" for found in known if found.at != curve.at):
            return True  # `Term | 3M | 1M` over `Name | Mizuho NY | Natixis NY`
        is_market = all(found.is_level and found.side for found in known if found.at != curve.at)
        if is_market or curve.role == "tenor":  # bonds may have more below them than a market
            return is_market
    rival = header_at(rows, known[0].at)  # one of names alone, `Bond | USDBRL 1M NDF`, says only where months stand
    return rival is None or not _has_clear_level(rival)


def _tenors_across(rows: Sequence[Row], lead: int) -> Column | None:
    """The first row as bonds, or the tenors of what its corner names: `EURUSD | 1M | 3M` over `Bid` and `Ask`."""
    at = next((at for at, row in enumerate(rows) if _filled_beside(rows, at, lead)), None)
    texts = [cell.text for cell in rows[at].cells[lead + 1 :] if cell.text] if at is not None else []
    if at is None or not (all(map(tenor, texts)) or all(map(names_bond, texts))):
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
