"""Currencies as dealers print them: codes and symbols."""

from __future__ import annotations

import re
from fractions import Fraction

from parsers.lexicon import Sense, phrases, spelled

CODES = frozenset(phrases()[Sense.currency_code])
CODE = spelled("{currency_code}")
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


_PER_DOLLAR = {
    "USD": "1",
    "EUR": ".9",
    "GBP": ".8",
    "CHF": ".85",
    "CAD": "1.4",
    "AUD": "1.5",
    "NZD": "1.7",
    "JPY": "150",
    "SEK": "10",
    "NOK": "10",
    "DKK": "6.6",
    "PLN": "3.8",
    "CZK": "22",
    "HUF": "350",
    "TRY": "42",
    "ZAR": "18",
    "MXN": "18",
    "BRL": "5.5",
    "COP": "4000",
    "CLP": "940",
    "PEN": "3.6",
    "ARS": "1450",
    "UYU": "40",
    "DOP": "62",
    "CRC": "505",
    "CNH": "7.1",
    "CNY": "7.1",
    "HKD": "7.8",
    "SGD": "1.3",
    "INR": "88",
    "KRW": "1400",
    "TWD": "31",
    "IDR": "16500",
    "PHP": "58",
    "MYR": "4.2",
    "THB": "33",
    "ILS": "3.5",
    "SAR": "3.75",
    "AED": "3.67",
    "RON": "4.5",
    "KZT": "530",
    "NGN": "1500",
    "EGP": "48",
}
"""Of each code to the dollar, late 2026, two digits at most: they tell orders of magnitude apart, none is a price."""


def rough_rate(base: str, quoted: str) -> Fraction:
    """About how many units of the second currency one of the first is worth."""
    return Fraction(_PER_DOLLAR[quoted]) / Fraction(_PER_DOLLAR[base])


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
