"""The sizes of a row and the sides they belong to (spec 4.8, rulings 2 and 31)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from msgspec.structs import replace

from parsers.codes import QuoteKind
from parsers.document import Cell
from parsers.quotes.draft import Level, Sizes
from parsers.quotes.headings.columns import Column
from parsers.values.currencies import symbol_in
from parsers.values.decimals import decimal_text, times
from parsers.values.sizes import Size, SizePair, SizeRules, size, size_pair

_LISTED = frozenset({QuoteKind.talk, QuoteKind.cover})
_SYMBOLS = frozenset("$€£¥")
NO_SIZES = Sizes()


def sizes_of(
    columns: Sequence[tuple[Column, SizeRules]],
    cells: Sequence[Cell],
    levels: Sequence[Level],
    kind: QuoteKind | None,
    below: Sequence[Cell] | None = None,
) -> Sizes:
    """The sizes of a row.

    Args:
        columns: the size columns and how each is read.
        cells: of the row.
        levels: of the row: a size without a side is that of the sides it states.
        kind: of section or title; on lists of bids wanted a size is the bid's, of offers wanted the ask's.
        below: of the ask row, where bid and ask rows are stacked.
    """
    if below is not None:
        upper, lower = (sizes_of(columns, row, levels, kind) for row in (cells, below))
        text = " x ".join(filter(None, (upper.text, lower.text)))
        flags = upper.flags | lower.flags
        unit = upper.unit if upper.bid is not None else lower.unit
        return Sizes(bid=upper.bid, ask=lower.ask, unit=unit, text=text or None, flags=flags)
    bid = ask = single = None
    for column, rules in columns:
        cell = cells[column.at]
        if not cell.text or cell.struck:
            continue
        found = _read(cell, rules)
        if found is None:
            continue
        bid = bid or found.bid or (found.single if column.side == "bid" else None)
        ask = ask or found.ask or (found.single if column.side == "ask" else None)
        if column.side not in {"bid", "ask"}:
            single = single or found.single
    is_shared = single is not None and bid is None and ask is None
    if single is not None and is_shared:
        bid, ask = _by_levels(single, levels, kind)
    if bid is None and ask is None:
        return NO_SIZES
    known = [size for size in (bid, None if is_shared and bid is not None else ask) if size is not None]
    flags = known[0].flags.union(*[size.flags for size in known[1:]])
    return Sizes(
        bid=bid.value if bid else None,
        ask=ask.value if ask else None,
        unit=known[0].unit,
        text=" x ".join([size.raw for size in known]),
        flags=flags,
    )


def currency_of(columns: Sequence[tuple[Column, SizeRules]], cells: Sequence[Cell]) -> str | None:
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


def _by_levels(single: Size, levels: Sequence[Level], kind: QuoteKind | None) -> tuple[Size | None, Size | None]:
    """Whose a size without a side is: of both sides of a market, of the only side of an offer, of a list's clients."""
    if kind is QuoteKind.owic:
        return None, single
    if kind is QuoteKind.bwic or any(level.quote_kind in _LISTED for level in levels):
        return single, None
    has_bid = any(level.bid is not None for level in levels)
    has_ask = any(level.ask is not None for level in levels)
    return single if has_bid else None, single if has_ask else None
