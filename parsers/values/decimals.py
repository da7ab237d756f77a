"""Exact values as stored decimals, and decimals as text."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

SCALE = 8
"""Decimals of a stored level."""


def rounded(value: Fraction | None, scale: int = SCALE) -> Decimal | None:
    """Half-even at this many decimals, without trailing zeros."""
    if value is None:
        return None
    if value.denominator == 1:
        return Decimal(value.numerator)
    digits = round(value * 10**scale)
    while scale and digits % 10 == 0:
        digits, scale = digits // 10, scale - 1
    return Decimal(digits).scaleb(-scale)


def decimal_text(value: Decimal) -> str:
    """Digits without exponent and trailing zeros: 98.25, 5000000, 0. Equal values have equal texts."""
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text if value else "0"
