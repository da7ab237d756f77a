"""How runs print a bond: its coupon, and when it is due (spec 2.1, 4.10); patterns to build patterns of."""

from __future__ import annotations

PART = r"(?:[.,]\d{1,4}|\s[1-7]/[248]|[½¼¾⅛⅜⅝⅞])"
"""Of a percent, behind the whole ones of a coupon."""
COUPON = rf"1?\d{PART}?%?"
YEAR = r"['’]?(?:20)?[2-9]\d"
DUE = rf"(?:(?:\d{{1,2}}/){{1,2}}(?:20)?\d\d|{YEAR}s?|(?i:perps?|perpetual))"
BOND = rf"{COUPON}\s+{DUE}"
