"""The region of a row, and the currency where none is printed (spec 2.1, 2.7)."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from parsers.lexicon import compiled
from parsers.quotes.classes import class_by_instrument, rules_of
from parsers.quotes.context import MailContext
from parsers.values.currencies import CODE

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
_LATIN_ISSUERS = compiled(r"{latin_issuer}\b")
_AMERICAN_HOURS = (-8, -7, -6, -5, -4)  # a desk that nobody listed, by its clock
_OVER_BONDS = frozenset({"repo", "trs"})
_BRAZILIAN_HOURS = (-3, -2)
_LOCAL = frozenset({"govt_latam_local", "inflation_linked", "irs"})
_EURO_HOURS = (1, 2)
_EURO_LANGUAGES = frozenset({"de", "fr", "es", "pt", "it"})
_OF_CURVE = {"UST": "USD", "T": "USD", "CAN": "CAD", "UKT": "GBP", "DBR": "EUR"}
"""A spread over a government's bonds is of a bond in its currency."""
_PAIR = re.compile(rf"\b({CODE}|X[AP][UGTD])/?([A-Z]{{3}})\b")
_FLOATING_FX = frozenset({"fx_forward", "fx_option"})


class Place(Struct, frozen=True, gc=False):
    """What is known of where an instrument belongs."""

    asset_class: str
    isin: str | None = None
    cusip: str | None = None
    text: str | None = None  # the instrument's text
    desk: str | None = None  # region of the sender's desk
    offset_hours: float | None = None  # of the sender's clock
    language: str | None = None  # of the block
    benchmark: str | None = None  # of one of its spreads
    usual: str | None = None  # currency of the dealer's quotes, by his entry


def desk_of(mail: MailContext) -> str | None:
    """The region whose order of day and month a desk writes: the dealer's, else that of an American clock."""
    if mail.dealer is not None and mail.dealer.region != "unknown":
        return mail.dealer.region
    hours = mail.sent_offset.total_seconds() / 3600 if mail.sent_offset is not None else None
    return "north_america" if hours in _AMERICAN_HOURS else None


@lru_cache(maxsize=4096)  # the same bonds come every day
def placed(place: Place, printed: str | None) -> tuple[str | None, bool, str]:
    """The row's currency, whether it was assumed, and the row's region."""
    currency, is_assumed = currency_of(place, printed)
    return currency, is_assumed, region_of(place, currency)


def currency_of(place: Place, printed: str | None) -> tuple[str | None, bool]:
    """The row's currency, and if it was assumed: printed > pair > market of instrument, ISIN, class > dealer > desk."""
    if printed is not None:
        return printed, False
    if place.asset_class in _FLOATING_FX:
        pair = _PAIR.search(place.text or "") if place.asset_class == "fx_forward" else None
        return (pair[2] if pair is not None else None), False
    assumed = _market(place)
    return assumed, assumed is not None


def _market(place: Place) -> str | None:
    """The currency of the market that an instrument belongs to."""
    rules = rules_of(place.asset_class)
    country = _CURRENCY_OF.get(place.isin[:2]) if place.isin else None
    if place.asset_class == "em_hard_ccy":
        country = None  # the issuer's country says nothing
    by_cusip = ("CAD" if place.desk == "canada" else "USD") if place.cusip else None
    inner = class_by_instrument(place.text or "") if place.asset_class in _OVER_BONDS else None
    candidates = (
        rules_of(inner or "").market_of(place.text or ""),
        rules.market_of(place.text or ""),
        country,
        _OF_CURVE.get((place.benchmark or "").partition(" ")[0]),
        rules.currency,
        by_cusip,
        place.usual,
        _OF_REGION.get(place.desk or ""),
    )
    found = next((found for found in candidates if found is not None), None)
    return found if found is not None else _by_clock(place)


def _by_clock(place: Place) -> str | None:
    """The currency of the market that the hour and the language of a mail are of."""
    if place.desk is None and place.asset_class != "govt_latam_local" and place.offset_hours in _AMERICAN_HOURS:
        return "USD"
    if place.language == "pt" and place.offset_hours in _BRAZILIAN_HOURS and place.asset_class in _LOCAL:
        return "BRL"
    if place.desk is None and place.language in _EURO_LANGUAGES and place.offset_hours in _EURO_HOURS:
        return "EUR"
    return None


def region_of(place: Place, currency: str | None) -> str:
    """The row's region; the issuer's country goes before the currency (spec 2.7)."""
    country = place.isin[:2] if place.isin else None
    if _has_latin_issuer(place):
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


def _has_latin_issuer(place: Place) -> bool:
    """By the ISIN's country, the South American CINS number, or the ticker."""
    isin, cusip = place.isin or "", place.cusip or ""
    is_south_american = isin[:2] in _LATIN or cusip.startswith("P") or (isin[:2] in ("US", "CA") and isin[2:3] == "P")
    return is_south_american or _LATIN_ISSUERS.match(place.text or "") is not None
