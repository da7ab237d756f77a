"""The currency of a run's line: printed, of the index that it pays, or of the headings over it (spec 2.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.quotes import regions
from parsers.quotes.classes import home_of, rules_of
from parsers.quotes.draft import Level
from parsers.quotes.headings.monies import bracketed
from parsers.quotes.regions import Place
from parsers.quotes.runs.attributes import SECURITISED
from parsers.quotes.runs.reading import Named, Reading
from parsers.values.currencies import PAIR, PRINTED, of_symbol
from parsers.values.indices import CURRENCIES, INDEX

_INDEX = re.compile(rf"(?i:{INDEX})|(?:\b|(?<=\dm))E(?=\s?\+\s?\d)")
_INDEX_CURRENCY = {**CURRENCIES, "E": "EUR"}
_CURRENCY = re.compile(PRINTED)
_FIRST_OF_PAIRS = frozenset({"USD", "EUR", "GBP", "AUD", "NZD"})
"""Currencies that stand first in their pairs, so that nothing is quoted in them that names one alone."""
_CODE_AND_COUPON = re.compile(r"[A-Z]{3} \d")  # `COP 5.5 01/55`: an issuer's ticker


def currency_of(reading: Reading, asset_class: str, title: str, heading: str | None) -> str | None:
    """The currency that the line prints, or of the index that it pays; else the nearest heading's.

    Pairs of currencies have none of these.

    Args:
        reading: of the line.
        asset_class: its class.
        title: the instrument's text, with what the heading says that a tenor is of.
        heading: the currency that the headings state.
    """
    if asset_class in ("fx_forward", "fx_option"):  # `EUR/USD` is in neither until the assembler says so
        is_lone = asset_class == "fx_forward" and heading not in _FIRST_OF_PAIRS and PAIR.search(title) is None
        return heading if is_lone else None  # `BRL` over tenors
    stated = _printed(reading) or _of_index(reading, asset_class, title)
    return stated or of_heading(asset_class, title, heading)


def of_heading(asset_class: str, title: str, heading: str | None) -> str | None:
    """The currency that the headings state, where it can be the instrument's: of a market in its own it is not."""
    return heading if home_of(asset_class, title) in (None, heading) else None


def market_of(named: Named, asset_class: str, desk: str | None, levels: Sequence[Level]) -> str | None:
    """The currency of the market that a line's instrument belongs to: its dates are written in that market's order.

    Args:
        named: the instrument.
        asset_class: of the line.
        desk: region of the sender's.
        levels: of the line; a spread over a government's bonds is of a bond in its currency.
    """
    numbers = {item.kind: item.value for item in named.identifiers}
    benchmark = next((level.benchmark for level in levels if level.benchmark), None)
    place = Place(asset_class, numbers.get("isin"), numbers.get("cusip"), named.name, desk, benchmark=benchmark)
    return regions.currency_of(place, None)[0]


def _printed(reading: Reading) -> str | None:
    """In the instrument's name, or behind the level."""
    named = reading.named
    is_ticker = named.coupon is not None and _CODE_AND_COUPON.match(named.name) is not None
    own = _CURRENCY.search(named.name, 3 if is_ticker else 0)
    if own is not None:
        return own["code"]
    symbol = "$" if named.name.endswith(" $") else next((symbol for symbol in "€£" if symbol in named.name), None)
    return reading.currency or bracketed(named.name) or (of_symbol(symbol) if symbol else None)


def _of_index(reading: Reading, asset_class: str, title: str) -> str | None:
    """Of what a floater pays, a deal is quoted over, or a curve is of."""
    prefixes = [mark.token.prefix or "" for mark in reading.marks]
    if asset_class in ("frn", "trs"):
        index = _INDEX.search(" ".join([reading.named.name, *prefixes]))
        return _INDEX_CURRENCY[index[0].upper()] if index is not None else None
    if asset_class in SECURITISED:
        return next((_INDEX_CURRENCY[prefix] for prefix in prefixes if prefix in _INDEX_CURRENCY), None)
    rules = rules_of(asset_class)
    return rules.market_of(title) if rules.curve else None
