"""Whether price, yield and spread of one line can be of one bond (spec 2.8: what cannot be is flagged, and kept)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import product

from parsers.codes import QuoteType
from parsers.quotes.draft import Draft, Level

TOLERANCE = Decimal("0.10")
"""Of the price: compounding, accrued interest and odd coupons make less, a column taken for another more."""
LOWEST_BASE, HIGHEST_BASE = Fraction(-2), Fraction(60)
"""Percent: the soft range of yields (spec 2.8), in which a curve's own yield must be, too."""

_BULLETS = frozenset(
    {"govt_us", "govt_intl", "govt_canada", "provincial_canada", "agency_ssa", "corp_ig", "corp_hy", "covered_bond"}
)  # fmt: skip
"""Classes whose bonds pay a fixed coupon and all of their face at the end."""
_SPREADS = frozenset(
    {
        QuoteType.spread_bench_bp,
        QuoteType.spread_g_bp,
        QuoteType.spread_i_bp,
        QuoteType.spread_z_bp,
        QuoteType.spread_asw_bp,
    }
)
_DAYS = Decimal("365.25")  # of a year
_PAR, _HALF = Decimal(100), Decimal("0.5")


def disagreeing(draft: Draft, day: date | None) -> frozenset[QuoteType]:
    """The types of the line's levels that cannot be of one bond; `day` is the quote's."""
    if len(draft.levels) < 2 or draft.asset_class not in _BULLETS:
        return frozenset()
    by_type = {level.quote_type: level for level in draft.levels}
    yields = by_type.get(QuoteType.yield_pct)
    if yields is None:
        return frozenset()
    found: set[QuoteType] = set()
    price = by_type.get(QuoteType.price_pct)
    if price is not None and any(not _is_price_of(draft, one, other, day) for one, other in _pairs(price, yields)):
        found |= {QuoteType.price_pct, QuoteType.yield_pct}
    for kind in _SPREADS & by_type.keys():
        bases = [rate - spread / 100 for spread, rate in _pairs(by_type[kind], yields)]
        if any(not LOWEST_BASE <= base <= HIGHEST_BASE for base in bases):
            found |= {kind, QuoteType.yield_pct}
    return frozenset(found)


def price_at(rate: Fraction, coupon: Fraction, years: Decimal) -> Decimal:
    """Clean price in percent of a bullet at a yield, both in percent, coupons and compounding half-yearly.

    P = 100 (c/y (1 - v^n) + v^n), v = 1/(1 + y/2), n whole half-years: the street convention (SIFMA, Standard
    Securities Calculation Methods, vol. 1) on a coupon date, without accrued interest.
    """
    periods = max(int((2 * years).to_integral_value()), 1)
    y, c = _decimal(rate) / 100, _decimal(coupon) / 100
    if y == 0:
        return _PAR * (1 + c * _HALF * periods)
    discount = (1 + y * _HALF) ** -periods
    return _PAR * (c / y * (1 - discount) + discount)


def _is_price_of(draft: Draft, price: Fraction, rate: Fraction, day: date | None) -> bool:
    """Whether a price is near that of the yield; above par the yield may be one to a call, so the price lower."""
    bond = draft.instrument
    if bond.coupon is None or bond.coupon_type != "fixed" or bond.maturity is None or day is None:
        return True
    years = Decimal((bond.maturity - day).days) / _DAYS
    if years < 1 or not 0 <= rate <= HIGHEST_BASE:
        return True
    model, printed = price_at(rate, bond.coupon, years), _decimal(price)
    is_high = model > printed * (1 + TOLERANCE)
    return model >= printed * (1 - TOLERANCE) and not (is_high and printed <= _PAR)


def _pairs(one: Level, other: Level) -> Iterator[tuple[Fraction, Fraction]]:
    """Values of the same side; a single one without a side belongs to either."""
    sides = [(one.bid, other.bid), (one.ask, other.ask), (one.mid, other.mid)]
    if not any(first is not None and second is not None for first, second in sides):
        sides = list(product((one.bid, one.ask, one.mid), (other.bid, other.ask, other.mid)))
    for first, second in sides:
        if first is not None and second is not None:
            yield first, second


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)
