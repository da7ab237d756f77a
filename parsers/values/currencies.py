"""Currencies as dealers print them: codes and symbols."""

from __future__ import annotations

import re

CODE = (
    "USD|EUR|GBP|CHF|CAD|AUD|NZD|JPY|SEK|NOK|DKK|PLN|CZK|HUF|TRY|ZAR|MXN|BRL|COP|CLP|PEN|ARS|UYU|DOP|CRC|CNH|CNY|HKD|"
    "SGD|INR|KRW|TWD|IDR|PHP|MYR|THB|ILS|SAR|AED|RON|KZT|NGN|EGP"
)
"""The pattern of a code."""
PRINTED = rf"\b(?P<code>{CODE})\b(?!\s(?:19|20)\d\d-)"
"""A code in text; `CNH 2024-22` is a deal."""
PAIR = re.compile(rf"(?:{CODE})\s?/?\s?(?:{CODE})")
"""A pair of currencies, alone: `EURUSD`, `EUR/USD`."""
SYMBOLS = {
    "US$": "USD",
    "C$": "CAD",
    "R$": "BRL",
    "MX$": "MXN",
    "A$": "AUD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "$": "USD",
}
"""By the symbol in upper case; a lone `$` is last: other dollars end in it."""

SYMBOL = "|".join(re.escape(symbol) for symbol in sorted(SYMBOLS, key=len, reverse=True))
"""The pattern of a symbol."""


def of_symbol(symbol: str) -> str | None:
    """The code that a symbol stands for, whatever its case."""
    return SYMBOLS.get(symbol.upper())
