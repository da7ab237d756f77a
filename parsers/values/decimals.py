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
    parts = value.denominator
    if parts == 1:
        return Decimal(value.numerator)
    digits, rest = divmod(value.numerator * 10**scale, parts)
    if rest * 2 > parts or (rest * 2 == parts and digits % 2):
        digits += 1
    while scale and digits % 10 == 0:
        digits, scale = digits // 10, scale - 1
    return Decimal(digits).scaleb(-scale)


def decimal_text(value: Decimal) -> str:
    """Digits without exponent and trailing zeros: 98.25, 5000000, 0. Equal values have equal texts."""
    text = str(value)
    if "E" in text:
        text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text if value else "0"
