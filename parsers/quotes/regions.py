"""The region of a row, and the currency where none is printed (spec 2.1, 2.7)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from parsers.quotes.classes import rules_of

_LATIN = frozenset("MX BR CL CO PE AR UY EC DO PA CR GT SV HN PY BO VE".split())  # noqa: SIM905 -- a list of codes reads best as one
_EUROPEAN = {
    **dict.fromkeys("DE FR IT ES NL BE AT PT IE LU FI GR SK SI EE LV LT CY MT HR EU".split(), "EUR"),  # noqa: SIM905 -- as above
    "GB": "GBP",
    "CH": "CHF",
    "LI": "CHF",
    "SE": "SEK",
    "NO": "NOK",
    "DK": "DKK",
    "IS": "ISK",
    "PL": "PLN",
    "CZ": "CZK",
    "HU": "HUF",
    "RO": "RON",
}
_LATIN_CURRENCIES = {
    "MXN": "MX",
    "BRL": "BR",
    "CLP": "CL",
    "COP": "CO",
    "PEN": "PE",
    "ARS": "AR",
    "UYU": "UY",
    "DOP": "DO",
    "CRC": "CR",
    "GTQ": "GT",
    "PYG": "PY",
    "BOB": "BO",
}
_CURRENCY_OF = {**_EUROPEAN, **{country: ccy for ccy, country in _LATIN_CURRENCIES.items()}, "US": "USD", "CA": "CAD"}
_OF_REGION = {"north_america": "USD", "canada": "CAD", "europe": "EUR"}
_EUROPEAN_CURRENCIES = frozenset({"EUR", "GBP", "CHF", "SEK", "NOK", "DKK"})
_LATIN_ISSUERS = re.compile(
    r"(?:PEMEX|MEX|BRAZIL|ARGENT|COLOM|ECOPET|PETBRA|PERU|CHILE|URUGUA|PANAMA|DOMREP|ELSALV|ECUA|COSTAR|GUATEM|BANBRA|VALEBZ|"
    r"BBVASM|BANORT|CODELC|YPFDAR|VENZ|PDVSA)\b"
)
_AMERICAN_HOURS = (-8, -7, -6, -5, -4)  # a desk that nobody listed, by its clock
_PAIR = re.compile(r"\b([A-Z]{3})/?([A-Z]{3})\b")
_FLOATING_FX = frozenset({"fx_forward", "fx_option"})


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of where an instrument belongs."""

    asset_class: str
    isin: str | None = None
    cusip: str | None = None
    text: str | None = None  # the instrument's text
    desk: str | None = None  # region of the sender's desk
    offset_hours: float | None = None  # of the sender's clock


def currency_of(place: Place, printed: str | None) -> tuple[str | None, bool]:
    """The row's currency and whether it was assumed: printed > FX pair > ISIN's country > class's market > desk's."""
    if printed is not None:
        return printed, False
    if place.asset_class in _FLOATING_FX:
        pair = _PAIR.search(place.text or "") if place.asset_class == "fx_forward" else None
        return (pair[2], False) if pair is not None else (None, False)
    rules = rules_of(place.asset_class)
    of_instrument = rules.market_of(place.text or "")
    if of_instrument is not None:
        return of_instrument, True
    market = rules.currency
    country = _CURRENCY_OF.get(place.isin[:2]) if place.isin else None
    if market is not None and (country is None or place.asset_class == "em_hard_ccy"):
        return market, True
    if country is not None:
        return country, True
    if place.cusip is not None:
        return ("CAD" if place.desk == "canada" else "USD"), True
    desk = _OF_REGION.get(place.desk or "")
    if desk is None and place.offset_hours is not None and place.offset_hours in _AMERICAN_HOURS:
        desk = "USD"
    return desk, desk is not None


def region_of(place: Place, currency: str | None) -> str:
    """The row's region; the issuer's country goes before the currency (spec 2.7)."""
    country = place.isin[:2] if place.isin else None
    if country in ("US", "CA") and place.isin is not None and place.isin[2] == "P":
        country = "latin"
    if country in _LATIN or country == "latin" or (place.cusip or "").startswith("P"):
        return "latin_america"
    if place.text is not None and _LATIN_ISSUERS.match(place.text):
        return "latin_america"
    if currency == "CAD" or country == "CA":
        return "canada"
    if currency in _LATIN_CURRENCIES:
        return "latin_america"
    if country == "US" or (place.cusip is not None and place.cusip[0].isdigit() and currency == "USD"):
        return "north_america"
    if country in _EUROPEAN or (country == "XS" and currency in _EUROPEAN_CURRENCIES):
        return "europe"
    return place.desk or "unknown"
