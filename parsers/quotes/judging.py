"""What is doubtful about a level, and what is no price at all (spec 2.5, 2.8, 4.5)."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from parsers.codes import Flag, QuoteKind, QuoteType, Side
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Draft, Level
from parsers.quotes.identity import Identity
from parsers.values.decimals import SCALE
from parsers.values.markets import SPREADS, YIELDS, LevelRules, market_flags

_PRICE_CEILING = 1000
_MOST_PERCENT = 250
_SIZE_CEILING = 10**12
_MARKET = frozenset({Flag.crossed, Flag.locked, Flag.wide})
_RANGES = {  # spec 2.8
    QuoteType.price_pct: (Fraction(1, 100), Fraction(_MOST_PERCENT)),
    QuoteType.upfront_pts: (Fraction(-30), Fraction(100)),
    QuoteType.vol_pct: (Fraction(1, 10), Fraction(300)),
    QuoteType.vol_normal_bp: (Fraction(1, 10), Fraction(300)),
    **dict.fromkeys(YIELDS, (Fraction(-2), Fraction(60))),
    **dict.fromkeys(SPREADS, (Fraction(-200), Fraction(5000))),
}
_SOFT_RANGES = {  # numerator and denominator of both ends: integers compare faster
    kind: (*low.as_integer_ratio(), *high.as_integer_ratio()) for kind, (low, high) in _RANGES.items()
}
_UNIT = 10**SCALE
_OUTSIDE, _ROUNDED, _SIDE_ASSUMED = frozenset({Flag.out_of_soft_range}), frozenset({Flag.rounded}), Flag.side_assumed
_TALK, _PRICE = QuoteKind.talk, QuoteType.price_pct
_TALKED, _TWO_WAY, _BID, _ASK, _MID, _UNKNOWN = Side.talk, Side.two_way, Side.bid, Side.ask, Side.mid, Side.unknown


def flags_of(draft: Draft, level: Level, named: Identity) -> frozenset[Flag]:
    """All doubts of the row; whether a market is crossed is judged here alone, on the values that will be stored."""
    flags = level.flags.union(draft.flags, draft.sizes.flags, named.flags)
    if flags:
        flags -= _MARKET
    if level.bid is not None and level.ask is not None:
        flags |= market_flags(level.bid, level.ask, LevelRules(level.quote_type, draft.asset_class))
    ends = _SOFT_RANGES.get(level.quote_type)
    for value in (level.bid, level.ask, level.mid, level.talk_low, level.talk_high):
        if value is None:
            continue
        over, below = value.as_integer_ratio()
        if _UNIT % below:
            flags |= _ROUNDED
        if ends is not None and (over * ends[1] < ends[0] * below or over * ends[3] > ends[2] * below):
            flags |= _OUTSIDE
    return flags


def is_in_range(value: Fraction, quote_type: QuoteType) -> bool:
    """Whether a value is in the soft range of its type (spec 2.8)."""
    least, most = _RANGES.get(quote_type, (value, value))
    return least <= value <= most


def by_piece(level: Level, asset_class: str) -> Level:
    """The level; one far above par is what a piece costs, in a class with prices of both kinds: a certificate's."""
    if level.quote_type is not _PRICE or QuoteType.price_unit not in rules_of(asset_class).types:
        return level
    values = (level.bid, level.ask, level.mid)
    is_dear = any(value is not None and value.numerator > _MOST_PERCENT * value.denominator for value in values)
    return replace(level, quote_type=QuoteType.price_unit) if is_dear else level


def side_of(level: Level) -> Side | None:
    """Which sides the level states; None where it states nothing."""
    if level.quote_kind is _TALK and (level.talk_low is not None or level.talk_high is not None):
        return _TALKED
    if level.bid is not None:
        return _TWO_WAY if level.ask is not None else _BID
    if level.ask is not None:
        return _ASK
    if level.mid is not None:
        return _UNKNOWN if _SIDE_ASSUMED in level.flags else _MID
    return None


def is_absurd(level: Level, draft: Draft) -> bool:
    """Whether a price or size is beyond anything that is traded."""
    if level.quote_type is _PRICE:
        for value in (level.bid, level.ask, level.mid, level.talk_low, level.talk_high):
            if value is not None and value.numerator > _PRICE_CEILING * value.denominator:
                return True
    for size in (draft.sizes.bid, draft.sizes.ask):
        if size is not None and size.numerator > _SIZE_CEILING * size.denominator:
            return True
    return False
