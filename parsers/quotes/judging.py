"""What is doubtful about a level, and what is no price at all (spec 2.5, 2.8, 4.5)."""

from __future__ import annotations

from fractions import Fraction

from parsers.codes import Flag, QuoteKind, QuoteType, Side
from parsers.quotes.draft import Draft, Level
from parsers.quotes.identity import Identity
from parsers.values.decimals import SCALE
from parsers.values.markets import SPREADS, YIELDS, LevelRules, market_flags

_PRICE_CEILING = 1000
_SIZE_CEILING = 10**12
_MARKET = frozenset({Flag.crossed, Flag.locked, Flag.wide})
_SOFT_RANGES = {  # spec 2.8
    QuoteType.price_pct: (Fraction(1, 100), Fraction(250)),
    QuoteType.upfront_pts: (Fraction(-30), Fraction(100)),
    QuoteType.vol_pct: (Fraction(1, 10), Fraction(300)),
    QuoteType.vol_normal_bp: (Fraction(1, 10), Fraction(300)),
    **dict.fromkeys(YIELDS, (Fraction(-2), Fraction(60))),
    **dict.fromkeys(SPREADS, (Fraction(-200), Fraction(5000))),
}


def flags_of(draft: Draft, level: Level, named: Identity) -> set[Flag]:
    """All doubts of the row; whether a market is crossed is judged here alone, on the values that will be stored."""
    flags = set(draft.flags | level.flags | draft.sizes.flags | named.flags) - _MARKET
    if level.bid is not None and level.ask is not None:
        flags |= market_flags(level.bid, level.ask, LevelRules(level.quote_type, draft.asset_class))
    low, high = _SOFT_RANGES.get(level.quote_type, (None, None))
    values = (level.bid, level.ask, level.mid, level.talk_low, level.talk_high)
    if low is not None and high is not None and any(value is not None and not low <= value <= high for value in values):
        flags.add(Flag.out_of_soft_range)
    if any(value is not None and (value * 10**SCALE).denominator != 1 for value in values):
        flags.add(Flag.rounded)
    return flags


def side_of(level: Level) -> Side | None:
    """Which sides the level states; None where it states nothing."""
    if level.quote_kind is QuoteKind.talk and (level.talk_low is not None or level.talk_high is not None):
        return Side.talk
    if level.bid is not None and level.ask is not None:
        return Side.two_way
    if level.bid is not None:
        return Side.bid
    if level.ask is not None:
        return Side.ask
    if level.mid is not None:
        return Side.unknown if Flag.side_assumed in level.flags else Side.mid
    return None


def is_absurd(level: Level, draft: Draft) -> bool:
    """Whether a price or size is beyond anything that is traded."""
    values = (level.bid, level.ask, level.mid, level.talk_low, level.talk_high)
    is_price = level.quote_type is QuoteType.price_pct
    return (is_price and any(value is not None and value > _PRICE_CEILING for value in values)) or any(
        size is not None and size > _SIZE_CEILING for size in (draft.sizes.bid, draft.sizes.ask)
    )
