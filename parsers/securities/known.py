"""What a dictionary knows of an instrument, and the names by which it is asked."""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec import Struct


class Known(Struct, frozen=True, array_like=True, gc=False):
    """An instrument of the user's master file."""

    security_id: str  # the user's own name of it, else its best identifier
    asset_class: str | None = None  # code of spec section 1
    currency: str | None = None  # ISO 4217
    unit: str | None = None  # the quote type of its prices (spec 2.4): price_pct, price_unit


TICKER = re.compile(r"[A-Z0-9][A-Z0-9./]{0,11}")
DESCRIBED = "described"
"""The kind of a name that is no identifier: ticker, coupon and maturity."""


def described(ticker: str, coupon: Fraction, due: str) -> str:
    """The name of a bond that is printed without an identifier: `AAPL 4.65 2046-02`.

    Args:
        ticker: in upper case.
        coupon: percent.
        due: as much of its maturity as is printed: `2046`, `2046-02` or `2046-02-23`.
    """
    return f"{ticker} {coupon.numerator}/{coupon.denominator} {due}"
