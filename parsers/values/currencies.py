"""Currencies as dealers print them: codes and symbols."""

from __future__ import annotations

import re
from fractions import Fraction

CODE = (
    "USD|EUR|GBP|CHF|CAD|AUD|NZD|JPY|SEK|NOK|DKK|PLN|CZK|HUF|TRY|ZAR|MXN|BRL|COP|CLP|PEN|ARS|UYU|DOP|CRC|CNH|CNY|HKD|"
    "SGD|INR|KRW|TWD|IDR|PHP|MYR|THB|ILS|SAR|AED|RON|KZT|NGN|EGP"
)
"""The pattern of a code."""
PRINTED = rf"\b(?P<code>{CODE})\b(?!\s(?:19|20)\d\d-)"
"""A code in text; `CNH 2024-22` is a deal."""
PAIR = re.compile(rf"(?:{CODE})\s?/?\s?(?:{CODE})")
"""A pair of currencies, alone: `EURUSD`, `EUR/USD`."""
_PREMIUM = re.compile(rf"\bpremium\s+(?:ccy|currency|in)\s+(?P<code>{CODE})\b", re.IGNORECASE)
SYMBOLS = {
    "US$": "USD",
    "CA$": "CAD",
    "C$": "CAD",
    "R$": "BRL",
    "MX$": "MXN",
    "AU$": "AUD",
    "A$": "AUD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "NT$": "TWD",
    "S$": "SGD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "$": "USD",
}
"""By the symbol in upper case; a lone `$` is last: other dollars end in it."""

SYMBOL = "|".join(re.escape(symbol) for symbol in sorted(SYMBOLS, key=len, reverse=True))
"""The pattern of a symbol."""
_SIGN = re.compile(r"[$€£¥]")
_IN_TEXT = re.compile(rf"(?<![A-Z])(?:{SYMBOL})(?!STR\b)|[£¥]|€(?!STR\b)|(?<=M)[$]")
"""One that other letters do not make another's: `CA$` is no `A$`, `TT$` no `$`, `€STR` no money; `M$` is
millions of them."""


_RATES = (
    "1 .9 .8 .85 1.4 1.5 1.7 150 10 10 6.6 3.8 22 350 42 18 18 5.5 4000 940 3.6 1450 40 62 505 7.1 7.1 7.8 1.3 88 1400 "
    "31 16500 58 4.2 33 3.5 3.75 3.67 4.5 530 1500 48"
)
"""Of each code to the dollar, late 2026, two digits at most: they tell orders of magnitude apart, none is a price."""
_PER_DOLLAR = dict(zip(CODE.split("|"), map(Fraction, _RATES.split()), strict=True))


def rough_rate(base: str, quoted: str) -> Fraction:
    """About how many units of the second currency one of the first is worth."""
    return _PER_DOLLAR[quoted] / _PER_DOLLAR[base]


def of_symbol(symbol: str) -> str | None:
    """The code that a symbol stands for, whatever its case."""
    return SYMBOLS.get(symbol.upper())


def symbol_in(text: str) -> str | None:
    """The symbol that a text prints; of several the one listed first, so a lone `$` only where there is no other."""
    printed = set(_IN_TEXT.findall(text)) if _SIGN.search(text) is not None else set()
    return next((symbol for symbol in SYMBOLS if symbol in printed), None)


def premium_currency(text: str) -> str | None:
    """What a premium is paid in: `premium ccy USD` counts as a printed currency (ruling 28)."""
    premium = _PREMIUM.search(text) if "remium" in text.lower() else None
    return str(premium["code"]).upper() if premium is not None else None
