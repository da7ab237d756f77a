"""The sizes of a row and the sides they belong to (spec 4.8, rulings 2 and 31)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from msgspec.structs import replace

from parsers.document import Cell
from parsers.quotes.headings.columns import Column
from parsers.values.currencies import symbol_in
from parsers.values.decimals import decimal_text, times
from parsers.values.sizes import Size, SizePair, SizeRules, size, size_pair

_SYMBOLS = frozenset("$€£¥")


def sizes_of(
    columns: Sequence[tuple[Column, SizeRules]], cells: Sequence[Cell], below: Sequence[Cell] | None = None
) -> SizePair:
    """The sizes of a row.

    Args:
        columns: the size columns and how each is read.
        cells: of the row.
        below: of the ask row, where bid and ask rows are stacked.
    """
    if below is not None:
        upper, lower = sizes_of(columns, cells), sizes_of(columns, below)
        return SizePair(upper.bid or upper.single, lower.ask or lower.single)
    bid = ask = single = None
    for column, rules in columns:
        cell = cells[column.at]
        found = _read(cell, rules) if cell.text and not cell.struck else None
        if found is None:
            continue
        bid = bid or found.bid or (found.single if column.side == "bid" else None)
        ask = ask or found.ask or (found.single if column.side == "ask" else None)
        if column.side not in {"bid", "ask"}:
            single = single or found.single
    return SizePair(bid, ask, single)


def symbol_of(columns: Sequence[tuple[Column, SizeRules]], cells: Sequence[Cell]) -> str | None:
    """The currency whose symbol is printed at a size: `€5m`; a lone `$` as printed."""
    for column, rules in columns:
        cell = cells[column.at]
        found = _read(cell, rules) if not _SYMBOLS.isdisjoint(cell.text) else None
        size = (found.bid or found.single or found.ask) if found is not None else None
        if size is not None and size.currency is not None:
            return size.currency if size.currency != "USD" or "US" in cell.text.upper() else "$"
    return None


def money_of(columns: Iterable[Column], cells: Sequence[Cell]) -> str | None:
    """The symbol of the currency that a price is printed with: `61,15 €`; a lone `$` as printed."""
    texts = (cells[column.at].text for column in columns)
    return next((symbol_in(text) for text in texts if text and not _SYMBOLS.isdisjoint((text[0], text[-1]))), None)


def size_of(cell: Cell, rules: SizeRules) -> Size | None:
    """The one size of a cell."""
    found = _read(cell, rules) if cell.text else None
    return found.single if found is not None else None


def _read(cell: Cell, rules: SizeRules) -> SizePair | None:
    if cell.text[-1] == "%":  # a share: `12 %` of a commitment
        return None
    if not isinstance(cell.value, Decimal):
        return size_pair(cell.text, rules) if cell.value is None else None
    if rules.multiplier is not None:
        return SizePair(single=Size(times(cell.value, rules.multiplier), cell.text, rules.unit))
    one = size(decimal_text(cell.value), rules)
    return SizePair(single=replace(one, raw=cell.text)) if one is not None else None  # as printed
