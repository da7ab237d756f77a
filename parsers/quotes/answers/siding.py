"""Whose a lone value is, in tables and lines alike (spec 4.6, rulings 4, 25 and 28)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.codes import Flag, QuoteKind
from parsers.quotes.draft import Level

_ASSUMED = frozenset({Flag.side_assumed})
_TRADE, _MARK, _COVER, _TALK = QuoteKind.trade, QuoteKind.mark, QuoteKind.cover, QuoteKind.talk


def sided(
    levels: Sequence[Level], told: Sequence[str | None], own: str | None, around: str | None, kind: QuoteKind | None
) -> tuple[Level, ...]:
    """The levels of a row; a lone value, which stands as its mid, on the side that it is on.

    What the row says itself goes before the side that its other levels have, and that before the words around it.
    Beside a market of both sides nobody knows whose a lone value is.

    Args:
        levels: each of the kind that its own words or column say.
        told: of each what these say that a lone value is: `mid`, or `price`, which is one where nothing says a side.
        own: the side that the row says.
        around: the one that the words around it say.
        kind: of the headings.
    """
    if all(level.mid is None for level in levels):
        return tuple(levels)
    stated = [level for level in levels if level.quote_kind is not _COVER]
    has_bid = any(level.bid is not None for level in stated)
    has_ask = any(level.ask is not None for level in stated)
    side = own or around
    if has_bid != has_ask:
        side = own or ("bid" if has_bid else "ask")
    elif has_bid:
        side = None
    return tuple([_placed(level, word, side, kind) for level, word in zip(levels, told, strict=True)])


def of_cover(level: Level, kind: QuoteKind | None) -> Level:
    """A lone value that is a cover: of a list of bids wanted a bid, of offers wanted an offer."""
    return on(level, "ask" if kind is QuoteKind.owic else "bid")


def on(level: Level, side: str | None) -> Level:
    """A lone value on a side; where it is none of the two, as it is."""
    if level.mid is None or side not in ("bid", "ask"):
        return level
    sides = {side: level.mid, f"{side}_raw": level.mid_raw}
    return replace(level, mid=None, mid_raw=None, flags=level.flags - _ASSUMED, **sides)


def _placed(level: Level, word: str | None, side: str | None, kind: QuoteKind | None) -> Level:
    own = level.quote_kind
    if level.mid is None or own in (_TRADE, _TALK):
        return level
    if own is _COVER:
        return of_cover(level, kind)
    if word == "mid" or own is _MARK or kind is _TRADE:
        return level
    if side is not None:
        return on(level, side)
    return level if word == "price" else replace(level, flags=level.flags | _ASSUMED)
