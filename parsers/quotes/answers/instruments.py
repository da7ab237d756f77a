"""The instrument that a text names, in tables and lines alike (spec 2.1, rulings 11 and 12)."""

from __future__ import annotations

import re
from fractions import Fraction

from parsers.quotes.answers.attributes import Attributes
from parsers.quotes.answers.dating import Dates
from parsers.quotes.answers.named import Named
from parsers.quotes.answers.naming import coupon_value
from parsers.quotes.classes import SECURITISED, rules_of
from parsers.quotes.classes.families import ON_THE_RUN
from parsers.quotes.draft import Instrument
from parsers.quotes.regions import Place
from parsers.values.numbers import number
from parsers.values.separators import Locale
from parsers.values.times.dates import maturity
from parsers.values.times.tenors import tenor

_WAL = re.compile(r"\s+(?:WAL\s)?(\d{1,2}(?:[.,]\d{1,2})?)\s?(?:yrs?|y)?(?:\sWAL)?(?<=[yLrs])$", re.IGNORECASE)
_POINT = re.compile(r"(?:[A-Za-z]+\s){0,2}(2|3|5|7|10|20|30)s")
"""Of the curve: `10s`, `OLD 10s`."""
_TICKER = re.compile(r"[A-Z][A-Z0-9]{0,7}(?=\s)")
_WITHOUT_COUPON = "warrant_equity"
"""What stands in the place of a coupon is a strike: `WARRANT SAN CALL 9 03/27`."""


def instrument_of(
    found: Named, place: Place, currency: str | None, *, dates: Dates, locale: Locale, said: Attributes
) -> Instrument:
    """The instrument that a text names.

    Args:
        found: what the text says of it.
        place: where it belongs: its class, and its market.
        currency: of it.
        dates: in which order their parts are around it.
        locale: of its numbers.
        said: in the text, beside its name.
    """
    name = place.asset_class
    due = maturity(found.maturity, dates.order(place, currency)) if found.maturity else None
    coupon = coupon_value(found.coupon, locale) if found.coupon and name != _WITHOUT_COUPON else None
    margin = number(found.margin, locale) if found.margin else None
    ticker = _TICKER.match(found.name) if found.coupon is not None else None
    return Instrument(
        identifiers=found.numbers,
        description=_without_attributes(found.name, name, said) or None,
        ticker=ticker[0] if ticker is not None else None,
        tranche=found.tranche,
        seniority=said.seniority,
        rating=said.rating,
        coupon=coupon,
        coupon_type=_coupon_type(found, coupon, name),
        coupon_margin_bp=margin.value if margin is not None else None,
        maturity=due.date if due is not None else None,
        maturity_text=found.maturity,
        is_due_unsure=due is not None and due.ambiguous and not dates.is_told,
        tenor=_tenor(found, name),
        currency=currency,
        factor=said.factor,
        wal_years=said.wal_years,
        ce_pct=said.ce_pct,
        orig_face=said.orig_face,
    )


def _without_attributes(text: str, asset_class: str, said: Attributes) -> str:
    """A name without the life and the rating that are printed behind it: `ELMW9 2021-2A ER  BB`."""
    if asset_class not in SECURITISED:
        return text
    life = _WAL.search(text)
    text = text[: life.start()] if life is not None else text
    return text.removesuffix(f" {said.rating}") if said.rating and len(said.rating) > 1 else text


def _tenor(found: Named, asset_class: str) -> str | None:
    """The tenor where the class has tenors (ruling 11), or names its benchmarks by them."""
    is_on_the_run = asset_class in ON_THE_RUN
    if found.tenor and (rules_of(asset_class).curve or (is_on_the_run and found.maturity is None)):
        return tenor(found.tenor)
    point = _POINT.fullmatch(found.name) if is_on_the_run else None
    return f"{point[1]}Y" if point is not None else None


def _coupon_type(found: Named, coupon: Fraction | None, asset_class: str) -> str:
    if found.margin is not None or asset_class == "frn":
        return "float"
    if asset_class == "strips" or coupon == 0:
        return "zero"
    return "fixed" if found.coupon is not None else "unknown"
