"""Exact values as stored decimals, and decimals as text."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

SCALE = 8
"""Decimals of a stored level."""

_ONES = tuple(10**scale for scale in range(11))
_EXACT = 10**17
"""Below it a value with at most ten decimals has no more digits than Python's decimal context keeps."""


def rounded(value: Fraction | None, scale: int = SCALE) -> Decimal | None:
    """Half-even at this many decimals, without trailing zeros."""
    if value is None:
        return None
    whole, parts = value.as_integer_ratio()
    if parts == 1:
        return Decimal(whole)
    if _ONES[scale] % parts == 0 and -_EXACT < whole < _EXACT:
        return _quotient(whole, parts)
    digits, rest = divmod(whole * _ONES[scale], parts)
    if rest * 2 > parts or (rest * 2 == parts and digits % 2):
        digits += 1
    while scale and digits % 10 == 0:
        digits, scale = digits // 10, scale - 1
    return Decimal(digits).scaleb(-scale)


@lru_cache(maxsize=8192)  # half of all prices have been seen before
def _quotient(whole: int, parts: int) -> Decimal:
    return Decimal(whole) / Decimal(parts)


@lru_cache(maxsize=8192)  # a workbook's prices and sizes come again from row to row
def times(value: Decimal, factor: int = 1) -> Fraction:
    """The exact product; many times as fast as `Fraction` of a decimal."""
    over, below = value.as_integer_ratio()
    return Fraction(over * factor, below)


def decimal_text(value: Decimal) -> str:
    """Digits without exponent and trailing zeros: 98.25, 5000000, 0. Equal values have equal texts."""
    text = str(value)
    if "E" in text:
        text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text if value else "0"
