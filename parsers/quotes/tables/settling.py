"""Columns whose heading has two meanings, settled by what they hold (ruling 14)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from parsers.document import Row
from parsers.quotes.headings.columns import IDENTIFIERS, IGNORED, LEVEL, NAMES, SIZE, Column
from parsers.quotes.tables.cells import has_prefix
from parsers.values.benchmarks import bond
from parsers.values.numbers import is_null
from parsers.values.tenors import tenor

_COUNTED = 3
"""Rows; fewer may be of 1 and 2 millions."""

_REFERRING = re.compile(r"ref(?:erence)?\b|référence", re.IGNORECASE)


def by_values(columns: Sequence[Column], sample: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, each with the role that its values leave."""
    named = [column.role for column in columns]
    is_named_twice = sum(role in NAMES or role in IDENTIFIERS for role in named) > 1
    return tuple(
        _settled(column, sample, is_named_twice=is_named_twice, has_tenors="tenor" in named) for column in columns
    )


def _settled(column: Column, sample: Sequence[Row], *, is_named_twice: bool, has_tenors: bool) -> Column:
    if column.role == "maturity" and not has_tenors and _hold(column, sample, tenor):  # `Laufzeit`, `Échéance`
        return replace(column, role="tenor")
    if column.role == "description" and is_named_twice and _REFERRING.match(column.text) is not None:
        if _hold(column, sample, bond):  # `Référence` beside the names of the rows
            return replace(column, role="benchmark")
        return replace(column, role="ref_price") if _hold(column, sample, _number) else column
    if column.role == "currency" and _hold(column, sample, _number):  # `Curr`: the current face
        return replace(column, role=SIZE)
    return _of_size(column, sample) if column.role == SIZE else column


def _of_size(column: Column, sample: Sequence[Row]) -> Column:
    if _is_count(column, sample):
        return replace(column, role=IGNORED)
    is_level = column.side is not None and _hold(column, sample, _over_a_curve)  # `Fin. Bid`
    return replace(column, role=LEVEL, clear=True) if is_level else column


def _hold(column: Column, sample: Sequence[Row], read: Callable[[str], str | None]) -> bool:
    """Whether a column has texts, and all of them can be read."""
    texts = [text for row in sample if (text := row.cells[column.at].text) and not is_null(text)]
    return bool(texts) and all(map(read, texts))


def _is_count(column: Column, sample: Sequence[Row]) -> bool:
    """Whether a column counts its rows: `Lot` over 1, 2, 3."""
    texts = [text for row in sample if (text := row.cells[column.at].text)]
    return len(texts) >= _COUNTED and texts == [str(at) for at in range(1, len(texts) + 1)]


def _number(text: str) -> str | None:
    return text if text[0].isdigit() else None


def _over_a_curve(text: str) -> str | None:
    """`SOFR-15`."""
    return text if has_prefix(text) and text[0].isalpha() else None
