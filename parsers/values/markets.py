"""Which way round a fair market is, and which markets are doubtful (spec section 1 and 4.5)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import product

from msgspec import Struct

from parsers.codes import Flag, QuoteType
from parsers.values.numbers import Ticks
from parsers.values.separators import Locale


class LevelRules(Struct, frozen=True, gc=False):
    """What the block says about its levels."""

    quote_type: QuoteType = QuoteType.price_pct
    asset_class: str = "unknown"
    locale: Locale = Locale.point
    thirty_seconds: Ticks = Ticks.off


PRICES = frozenset({QuoteType.price_pct, QuoteType.price_unit, QuoteType.price_vs_ref, QuoteType.upfront_pts})
YIELDS = frozenset({QuoteType.yield_pct, QuoteType.real_yield_pct, QuoteType.discount_rate_pct, QuoteType.irr_pct})
SPREADS = frozenset(kind for kind in QuoteType if kind.startswith("spread_")) | {
    QuoteType.dm_bp,
    QuoteType.cds_spread_bp,
    QuoteType.swap_spread_bp,
    QuoteType.funding_spread_bp,
}
RATES = YIELDS | {QuoteType.rate_pct, QuoteType.repo_rate_pct, QuoteType.breakeven_pct}
_LOW_FIRST = frozenset(
    ["cds_single", "cds_index", "cds_tranche", "irs", "swaption", "inflation_swap", "trs", "fx_forward", "fx_option"]
)
_RATE_HIGH_FIRST = frozenset({"cd", "commercial_paper"})
_WIDE_PRICE, _WIDE_SPREAD, _WIDE_TENTHS = 10, 150, 3
"""Points, basis points, tenths of a bid's amount."""

_FOUND = {  # by whether a market is locked, crossed, wide
    doubts: frozenset(flag for flag, holds in zip((Flag.locked, Flag.crossed, Flag.wide), doubts, strict=True) if holds)
    for doubts in product((False, True), repeat=3)
}


@lru_cache(maxsize=2048)  # of two closed lists
def order(quote_type: QuoteType, asset_class: str) -> str:
    """`P`: a fair market has bid <= ask; `Y`: bid >= ask; `N`: no test (spec section 1)."""
    if asset_class == "repo" or quote_type is QuoteType.repo_rate_pct:
        return "N"
    if asset_class in _LOW_FIRST:
        return "P"
    if quote_type is QuoteType.rate_pct and asset_class in _RATE_HIGH_FIRST:
        return "Y"
    high_first = quote_type in YIELDS or (quote_type in SPREADS and quote_type is not QuoteType.cds_spread_bp)
    return "Y" if high_first and quote_type is not QuoteType.funding_spread_bp else "P"


def quoted_in(quote_type: QuoteType, asset_class: str, currency: str | None) -> QuoteType:
    """The type in this currency: commercial paper is discounted in dollars, and yields elsewhere (spec section 1)."""
    is_yield = (
        quote_type is QuoteType.discount_rate_pct
        and asset_class == "commercial_paper"
        and currency not in (None, "USD")
    )
    return QuoteType.yield_pct if is_yield else quote_type


def market_flags(bid: Fraction, ask: Fraction, rules: LevelRules) -> frozenset[Flag]:
    """crossed, locked, wide (spec 4.5)."""
    over, below = bid.as_integer_ratio()  # integers compare many times as fast as fractions
    ask_over, ask_below = ask.as_integer_ratio()
    width = ask_over * below - over * ask_below  # in parts of the product of both
    direction = order(rules.quote_type, rules.asset_class)
    is_crossed = (direction == "P" and width < 0) or (direction == "Y" and width > 0)
    widest, parts = _wide(over, below, rules.quote_type)
    is_wide = abs(width) * parts > widest * below * ask_below
    return _FOUND[width == 0, is_crossed, is_wide]


def tight_wide(pairs: Iterable[tuple[Fraction, Fraction]]) -> bool:
    """Whether a headerless Y block is written tight side first: its first values are asks (spec 4.5)."""
    seen = list(pairs)
    low_first = sum(1 for first, second in seen if first < second)
    return len(seen) >= 3 and low_first * 10 >= len(seen) * 9


def wide(bid: Fraction, quote_type: QuoteType) -> Fraction:
    """The width above which a market is wide (spec 4.5)."""
    return Fraction(*_wide(*bid.as_integer_ratio(), quote_type))


def _wide(over: int, below: int, quote_type: QuoteType) -> tuple[int, int]:
    """That width by numerator and denominator, and so of the bid."""
    if quote_type in PRICES:
        return _WIDE_PRICE, 1
    return (_WIDE_SPREAD, 1) if quote_type in SPREADS else (abs(over) * _WIDE_TENTHS, below * 10)
