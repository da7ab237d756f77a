"""Lines of statements: how much is held, at what, and what that makes (spec 2.9)."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations

from parsers.lexicon import compiled

_AMOUNT = re.compile(
    r"(?<![\w.,/'-])(?:\d{1,3}(?P<mark>[,.'’])\d{3}(?:(?P=mark)\d{3})*|\d{5,})"
    r"(?:[.,]\d\d)?(?![\w/]|[.,'’]\d)"
)
_PRICE = re.compile(r"(?<![\w.,/'-])(\d{1,3})[.,](\d{1,6})(?![\w/]|[.,'’]\d)")
_HELD = compiled(r"^\W*{held}\s?:|\b{held_amount}\b.*\b{held_value}\b|\bnew coupon\b|\byour {your_price}\s\d")
_MOST = 8
"""Amounts of a line of a statement, and its prices."""
_CENTS = re.compile(r"[.,]\d\d$")


def is_holding(text: str) -> bool:
    """Whether a line is of a statement, by its words, or because an amount is what another is worth at a price on it.

    `XYZ 5 03/33  5,000,000  98.50  4,925,000`
    """
    return _HELD.search(text.lower()) is not None or _is_valued(text)


def _is_valued(text: str) -> bool:
    found = [match.span() for match in _AMOUNT.finditer(text)]
    amounts = [_value(text[start:end]) for start, end in found]
    if not 2 <= len(amounts) <= _MOST or len(_PRICE.findall(text)) > _MOST:  # nor is a hostile line searched
        return False
    starts = {start for start, _ in found}  # `99,125 - 100,000` are two prices
    prices = [Fraction(f"{one[1]}.{one[2]}") for one in _PRICE.finditer(text) if one.start() not in starts]
    return any(
        abs(first * price / 100 - second) <= 1 or abs(second * price / 100 - first) <= 1
        for first, second in combinations(amounts, 2)
        for price in prices
    )


def _value(text: str) -> Fraction:
    """An amount, its cents left out, which no holding turns on."""
    return Fraction(re.sub(r"\D", "", _CENTS.sub("", text)))
