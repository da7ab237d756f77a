"""Of what kind the levels of a row are, and whether it is an axe, in tables and lines alike (spec 2.2, ruling 3)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.codes import LISTS, Flag, QuoteKind
from parsers.quotes.answers.siding import of_cover
from parsers.quotes.draft import Level

_ASSUMED = frozenset({Flag.side_assumed})
_MARKET, _COVER, _TRADE, _TALK = QuoteKind.market, QuoteKind.cover, QuoteKind.trade, QuoteKind.talk


def _of_heading(level: Level, kind: QuoteKind | None) -> Level:
    """A level of the kind that its own words or column say, else of the heading's, where it can be of that."""
    if level.quote_kind is not _MARKET:
        return level
    if kind is _COVER and level.ask is None:
        return of_cover(replace(level, quote_kind=_COVER), kind)
    if kind is QuoteKind.mark or (kind is _TRADE and level.mid is not None):  # neither has a side
        return replace(level, quote_kind=kind, flags=level.flags - _ASSUMED)
    if kind in LISTS and level.mid is not None:
        return replace(level, quote_kind=_TALK, talk_low=level.mid, mid=None, flags=level.flags - _ASSUMED)
    return level


def of_list(levels: Sequence[Level], kind: QuoteKind | None) -> Sequence[Level]:
    """The levels of the heading's kind; on a list those that can be talk, none beside what came of it.

    `100.31 cover (T 100.33)`. A market on a list of bids wanted is talk: nobody offers there (ruling 15).
    """
    if kind is None:
        return levels
    if kind in LISTS and any(level.quote_kind in (_COVER, _TRADE) for level in levels):
        levels = [level for level in levels if level.quote_kind is not _MARKET]
    elif kind is QuoteKind.bwic:
        levels = [_of_range(level) for level in levels]
    return [_of_heading(level, kind) for level in levels]


def _of_range(level: Level) -> Level:
    if level.quote_kind is not _MARKET or level.ask is None:
        return level
    if level.bid is None:  # `100.00a / 125a`
        return replace(level, quote_kind=_TALK, talk_low=level.ask, ask=None)
    low, high = sorted((level.bid, level.ask))
    return replace(level, quote_kind=_TALK, talk_low=low, talk_high=high, bid=None, ask=None)


def axed(levels: Sequence[Level], own: str | None, said: str | None) -> tuple[bool, bool, tuple[Level, ...]]:
    """Whether bid and ask are axed; a one-sided interest without a market is of the kind axe.

    Args:
        levels: of the row.
        own: the axe that the row itself says: bid, ask, both, or any.
        said: the one of the words around it.
    """
    if own is None and said is None:
        return False, False, tuple(levels)
    has_bid = any(level.bid is not None for level in levels)
    has_ask = any(level.ask is not None for level in levels)
    is_one_sided = has_bid != has_ask
    if own == "any" or (own is None and is_one_sided):
        bid, ask = has_bid, has_ask
    else:
        bid, ask = ((own or said) in (side, "both") for side in ("bid", "ask"))
    if is_one_sided and (bid or ask):
        axe = QuoteKind.axe
        levels = [replace(one, quote_kind=axe) if one.quote_kind is _MARKET else one for one in levels]
    return bid, ask, tuple(levels)
