"""Between which bounds a value lies, by name: `below_5` is what is less than 5 and no less than the bound before it."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction


def bin_of(value: int | Fraction, bounds: tuple[int, ...]) -> str:
    """The next bound above the value, or `more`; of integers, for comparing fractions is slow."""
    at = bisect_right(bounds, value.numerator // value.denominator)
    return f"below_{bounds[at]}" if at < len(bounds) else "more"


def bins(bounds: tuple[int, ...]) -> tuple[str, ...]:
    """All that `bin_of` says with these bounds."""
    return (*(f"below_{bound}" for bound in bounds), "more")
