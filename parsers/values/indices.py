"""Indices that floaters, swaps and funds pay, each of one currency."""

from __future__ import annotations

CURRENCIES = {
    "SOFR": "USD",
    "€STR": "EUR",
    "ESTR": "EUR",
    "EURIBOR": "EUR",
    "SONIA": "GBP",
    "SARON": "CHF",
    "TONA": "JPY",
    "TIBOR": "JPY",
    "CORRA": "CAD",
    "BBSW": "AUD",
    "AONIA": "AUD",
    "BKBM": "NZD",
    "STIBOR": "SEK",
    "NIBOR": "NOK",
    "CIBOR": "DKK",
    "WIBOR": "PLN",
    "PRIBOR": "CZK",
    "JIBAR": "ZAR",
    "TIIE": "MXN",
}
"""By the index in upper case. Those that are words or tickers elsewhere, CDI and IBR, are their class's to know."""

INDEX = rf"(?:{'|'.join(CURRENCIES)})(?!\w)"
"""The pattern of one, in upper case; what may stand in front, such as a term in `3mEURIBOR`, is its user's to say."""
