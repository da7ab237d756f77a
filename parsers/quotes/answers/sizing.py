"""Whose the sizes of a quote are, in tables and lines alike (spec 4.8, rulings 2 and 31)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.codes import QuoteKind
from parsers.quotes.draft import Level, Sizes
from parsers.values.sizes import Size, SizePair

_OF_CLIENTS = frozenset({QuoteKind.talk, QuoteKind.cover})
"""Levels of a list of bids wanted."""


def sided(found: SizePair, levels: Sequence[Level], kind: QuoteKind | None, text: str | None = None) -> Sizes:
    """The sizes of the sides that some levels have.

    Args:
        found: as printed; one without a side is that of the sides that the levels state.
        levels: of the same line or row.
        kind: of the headings: on lists of bids wanted a size is the bid's, of offers wanted the ask's.
        text: that they were read from; else what each of them is printed as.
    """
    bid, ask = found.bid, found.ask
    if found.single is not None and bid is None and ask is None:
        has_bid, has_ask = _sides(levels, kind)
        bid, ask = found.single if has_bid else None, found.single if has_ask else None
    known: list[Size] = [size for size in (bid, ask) if size is not None]
    text = text or _printed(found)
    if not known:  # nobody knows whose it is
        return Sizes(text=text if found != SizePair() else None)
    return Sizes(
        bid=bid.value if bid else None,
        ask=ask.value if ask else None,
        unit=next((size.unit for size in known if size.unit != "face_ccy"), known[0].unit),
        text=text,
        flags=known[0].flags.union(*[size.flags for size in known[1:]]),
    )


def _printed(found: SizePair) -> str | None:
    """As it is printed; None where nothing is."""
    own = [size.raw for size in (found.bid, found.ask) if size is not None]
    return " x ".join(own or ([found.single.raw] if found.single is not None else [])) or None


def _sides(levels: Sequence[Level], kind: QuoteKind | None) -> tuple[bool, bool]:
    """Whether a size without a side is the bid's, and the ask's."""
    if kind is QuoteKind.owic:
        return False, True
    if kind is QuoteKind.bwic or any(level.quote_kind in _OF_CLIENTS for level in levels):
        return True, False
    return any(level.bid is not None for level in levels), any(level.ask is not None for level in levels)
