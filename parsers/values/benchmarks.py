"""Bonds named as benchmarks, written one way: `CAN 3 1/4 06/01/35` is `CAN 3.25 06/35` (rulings 1 and 24)."""

from __future__ import annotations

import re
from fractions import Fraction

from parsers.values.numbers import number
from parsers.values.times.dates import DateOrder, maturity, month_year

_BOND = re.compile(
    r"(?:vs\.?\s|over\s)?(?P<ticker>[A-Za-z]+)\s(?P<coupon>.+?)\s?%?\s"
    r"(?P<maturity>(?:\d{1,2}\s)?[^\W\d]{3,9}\.?\s(?:20)?\d\d|\S+)",
    re.IGNORECASE,
)
_TICKERS = {"GOC": "CAN", "UST": "T", "CT": "T", "BUND": "DBR", "GILT": "UKT"}
_MONTH_FIRST = frozenset({"T", "UST", "CT", "CAN", "GOC"})
_LONGEST = 40


def bond(text: str, *, day_first: bool = False) -> str | None:
    """Ticker, shortest decimal coupon and MM/YY of a bond's text; None where it is no bond.

    Args:
        text: all of it.
        day_first: its block writes the day first whatever the bond, as all but English ones do (ruling 9).
    """
    match = _BOND.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        return None
    ticker = match["ticker"].upper()
    coupon, months = (
        number(match["coupon"]),
        _months(match["maturity"], month_first=ticker in _MONTH_FIRST and not day_first),
    )
    if coupon is None or months is None:
        return None
    return f"{_TICKERS.get(ticker, ticker)} {shortest(coupon.value)} {months[0]:02}/{months[1] % 100:02}"


def _months(text: str, *, month_first: bool) -> tuple[int, int] | None:
    """Month and year of a maturity; whole dates are month first in North America only."""
    due = maturity(text, DateOrder.mdy if month_first else DateOrder.dmy)
    if due is not None and due.date is not None:
        return due.date.month, due.date.year
    return month_year(text)


def shortest(value: Fraction) -> str:
    """The shortest decimal of an exact fraction: 3.25 for 3 1/4."""
    text = f"{round(value * 10**6):07}"
    return f"{text[:-6]}.{text[-6:]}".rstrip("0").rstrip(".")
