"""The column that names the rows under a heading of no known word, by what stands below it and beside it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.document import Row
from parsers.quotes.answers.names import named_in, names_bond
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import IDENTIFIERS, LEVEL, NAMES, UNKNOWN
from parsers.values.times.tenors import tenor

_LEAST_NAMES = 2
_PARTS = frozenset({"tranche", "part"})
_NAMED = (NAMES - {"ticker"}) | _PARTS
_BEFORE_NAMES = IDENTIFIERS | {"ticker"}


def worded(columns: tuple[Column, ...], below: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, with names under `Linker` right of an identifier or ticker, where nothing else names rows."""
    columns = _continued(_led(_bonded(columns, below), below), below)
    roles = {found.role for found in columns}
    if not roles.isdisjoint(_NAMED) or LEVEL not in roles:
        return columns
    for at in range(1, len(columns)):
        found = columns[at]
        if found.role == UNKNOWN and columns[at - 1].role in _BEFORE_NAMES and _is_names(found.at, below):
            return (*columns[:at], replace(found, role="description"), *columns[at + 1 :])
    return columns


def _continued(columns: tuple[Column, ...], below: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, one more where names run over into the next, under no heading: `CITIGROUP | 4.5 06/34`."""
    headed = {found.at for found in columns}
    for index, found in enumerate(columns):
        if found.role not in NAMES or found.at + 1 in headed:
            continue
        cells = [row.cells[found.at : found.at + 2] for row in below]
        over = [(name.text, more[0].text) for name, *more in cells if more and more[0].text]
        if len(over) >= _LEAST_NAMES and all(map(_is_continued, over)):
            parts = (replace(found, role="description"), Column(at=found.at + 1, text="", role="description"))
            return (*columns[:index], *parts, *columns[index + 1 :])
    return columns


def _is_continued(pair: tuple[str, str]) -> bool:
    return not names_bond(pair[0]) and names_bond(" ".join(pair))


def _bonded(columns: tuple[Column, ...], below: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, the first whose heading nobody knows for the names where they are bonds: `Convertible`."""
    for at, found in enumerate(() if any(found.role in NAMES for found in columns) else columns):
        texts = [text for row in below if (text := row.cells[found.at].text)] if found.role == UNKNOWN else []
        if len(texts) >= _LEAST_NAMES and all(map(names_bond, texts)):
            return (*columns[:at], replace(found, role="description", title=None), *columns[at + 1 :])
    return columns


def _led(columns: tuple[Column, ...], below: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, the first for what is named by it: `Case` beside `Claim`, `Gilt repo` over `O/N GC`."""
    if not columns:
        return columns
    lead = columns[0]
    roles = {found.role for found in columns[1:]}
    if lead.side is not None or LEVEL not in roles or not roles.isdisjoint(NAMES):
        return columns
    texts = [text for row in below if (text := row.cells[lead.at].text)]
    if len(texts) < _LEAST_NAMES or not _names(columns, texts):
        return columns
    named = replace(lead, role="description", measure=None, title=None, tenor=None)
    return (named, *(_at(lead, found) for found in columns[1:]))


def _names(columns: tuple[Column, ...], texts: Sequence[str]) -> bool:
    """Whether the first column holds names: under a level's heading, or an unknown one beside a part of names."""
    if not all(any(map(str.isalpha, text)) for text in texts):
        return False
    if columns[0].role == LEVEL:
        return _is_over_names(columns, texts)
    has_part = any(found.role in _PARTS for found in columns[1:])
    return columns[0].role == UNKNOWN and has_part and all(text[0].isalpha() for text in texts)


def _is_over_names(columns: Sequence[Column], texts: Sequence[str]) -> bool:
    """Whether a first heading of levels is over names of a market that has both sides beside it."""
    sides = {found.side for found in columns}
    is_market = "both" in sides or {"bid", "ask"} <= sides
    return is_market and all(_is_of_terms(text) or not any(map(str.isdigit, text)) for text in texts)


def _at(lead: Column, found: Column) -> Column:
    """A level's column at the tenor that the corner names: `5Y CDS` over names beside `Bid`, `Ask`."""
    return replace(found, tenor=lead.tenor) if found.role == LEVEL and not found.tenor and lead.tenor else found


def _is_of_terms(text: str) -> bool:
    return tenor(text) is None and named_in(text, "irs").tenor is not None


def _is_names(at: int, below: Sequence[Row]) -> bool:
    """Whether words of several letters stand in front of more: `OATEI 0.6 07/34`, not `BBB+` nor `axe`."""
    texts = [text for row in below if (text := row.cells[at].text)]
    return len(texts) >= _LEAST_NAMES and all(" " in text and text.split()[0].isalpha() for text in texts)
