"""A column that says what came of each line of a list: `Color` over `traded`, `DNT` (rulings 3 and 15)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.document import Cell, Row
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import IGNORED, UNKNOWN

_TRADED = frozenset({"traded", "trade", "trd", "printed", "sold"})
_NOT_TRADED = frozenset({"dnt", "did not trade", "not traded", "nt", "pass", "passed", "no trade"})


def outcome_column(columns: Sequence[Column], sample: Sequence[Row]) -> int | None:
    """The cell of the only such column: nothing but results in it, and some line traded."""
    found = [column.at for column in columns if column.role in {IGNORED, UNKNOWN} and _tells(column.at, sample)]
    return found[0] if len(found) == 1 else None


def is_traded(cells: Sequence[Cell], at: int | None) -> bool:
    """Whether the row's line traded."""
    return at is not None and _word(cells[at]) in _TRADED


def _tells(at: int, sample: Sequence[Row]) -> bool:
    words = {word for row in sample if (word := _word(row.cells[at]))}
    return not words.isdisjoint(_TRADED) and words <= _TRADED | _NOT_TRADED


def _word(cell: Cell) -> str:
    return cell.text.strip(" .!").casefold()
