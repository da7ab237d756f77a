"""What cells say of sides, whatever their heading: markets in them, or the side of the row's lone level."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from parsers.document import Row
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import IGNORED, LEVEL, UNKNOWN
from parsers.quotes.headings.stances import side_said
from parsers.quotes.tables.columns.stacked import is_side_letters, side_word
from parsers.values.numbers import is_null

_LEAST_ROWS = _LEAST_COLUMNS = 2
_OPEN = frozenset({UNKNOWN, IGNORED, "sector"})
_SIDES = frozenset({"bid", "ask"})
_TWO_SIDED = re.compile(r"[+\-−–]?\d[\d.,]*\s*/\s*[+\-−–]?\d[\d.,]*")
_LONGEST = 24  # characters of a cell that is a side


def are_markets(columns: Sequence[Column], below: Sequence[Row]) -> bool:
    """Whether all values under the columns are markets: `18/23`."""
    count = 0
    for text in (row.cells[found.at].text for row in below for found in columns):
        if not is_null(text):
            if _TWO_SIDED.fullmatch(text) is None:
                return False
            count += 1
    return count >= len(columns)


def sided(columns: tuple[Column, ...], below: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, the one for the side where each cell is one: `Action` over `Buying`, `C/V` over `C`."""
    if any(found.role == "axe" for found in columns):
        return columns
    found = tuple(replace(one, role="axe", side=None) if _is_of_sides(one, below) else one for one in columns)
    return (
        found if len(columns) < _LEAST_COLUMNS or any(one.role == "axe" for one in found) else _with_sides(found, below)
    )


def _with_sides(columns: tuple[Column, ...], below: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, one more behind or before the first for `Bid` over `Offer` under no heading."""
    first = columns[0].at
    at = first + 1 if columns[1].at != first + 1 else first - 1
    texts = [text for row in below if (text := row.cells[at].text)] if at >= 0 else []
    if len(texts) < _LEAST_ROWS or not all(side_word(text) in _SIDES for text in texts):
        return columns
    return tuple(sorted((*columns, Column(at=at, text="", role="axe")), key=lambda found: found.at))


def _is_of_sides(found: Column, below: Sequence[Row]) -> bool:
    is_pair = is_side_letters(found.text) or (found.role == LEVEL and "/" in found.text)  # `Bid/Offer`
    if found.role not in _OPEN and not is_pair:
        return False
    texts = [text for row in below if (text := row.cells[found.at].text)]
    is_short = len(texts) >= _LEAST_ROWS and all(len(text) <= _LONGEST for text in texts)
    is_word = is_pair or all(len(text) > 1 for text in texts)  # `A`, `B` alone are ratings
    return is_short and is_word and all(_side(text, found.text) in _SIDES for text in texts)


@lru_cache(maxsize=4096)  # asked of each cell, and the same words come every day
def _side(text: str, over: str) -> str | None:
    return side_word(text, over) or side_said(text.lower())
