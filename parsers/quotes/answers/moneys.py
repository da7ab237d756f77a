"""The currency of an instrument, in tables and lines alike: printed, of its index, or stated (spec 2.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.quotes.classes import SECURITISED, home_of, rules_of
from parsers.quotes.headings.monies import bracketed, in_name
from parsers.values.currencies import PAIR, of_symbol
from parsers.values.indices import CURRENCIES, INDEX

_INDEX = re.compile(rf"(?i:{INDEX})|(?:\b|(?<=\dm))E(?=\s?\+\s?\d)")
_INDEX_CURRENCY = {**CURRENCIES, "E": "EUR"}
_FIRST_OF_PAIRS = frozenset({"USD", "EUR", "GBP", "AUD", "NZD"})
"""Currencies that stand first in their pairs, so that nothing is quoted in them that names one alone."""
_TICKER = re.compile(r"\A[A-Z]{3}(?= ?\d)")
"""In front of a coupon: `COP 5.5 01/15/55` is of ConocoPhillips."""


def currency_of(
    asset_class: str, name: str, whole: str, stated: str | None, own: str | None, *, over: Sequence[str] = ()
) -> str | None:
    """The currency that a row prints, or of the index that it pays; else the nearest heading's.

    Args:
        asset_class: of the row.
        name: the instrument's text.
        whole: with what the heading says that a tenor is of.
        stated: the currency that the words around the row state.
        own: printed in a column of its own, or behind the level.
        over: the curves in front of its levels.
    """
    if asset_class == "fx_option":
        return own or stated
    if asset_class == "fx_forward":  # `EUR/USD` is in neither until the assembler says so
        is_lone = stated not in _FIRST_OF_PAIRS and PAIR.search(whole) is None
        return own or (stated if is_lone else None)  # `BRL` over tenors
    printed = own or _printed(asset_class, name) or _of_index(asset_class, name, whole, over)
    return printed or of_heading(asset_class, whole, stated)


def of_heading(asset_class: str, whole: str, stated: str | None) -> str | None:
    """The currency that headings state, where it can be the instrument's: of a market in its own it is not."""
    return stated if home_of(asset_class, whole) in (None, stated) else None


def _printed(asset_class: str, name: str) -> str | None:
    """In the instrument's name."""
    own = bracketed(name) or in_name(name if rules_of(asset_class).curve else _TICKER.sub("", name, 1))
    symbol = "$" if name.endswith(" $") else next((symbol for symbol in "€£" if symbol in name), None)
    return own or (of_symbol(symbol) if symbol else None)


def _of_index(asset_class: str, name: str, whole: str, over: Sequence[str]) -> str | None:
    """Of what a floater pays, a deal is quoted over, or a curve is of."""
    if asset_class in ("frn", "trs"):
        index = _INDEX.search(" ".join([name, *over]))
        return _INDEX_CURRENCY[index[0].upper()] if index is not None else None
    if asset_class in SECURITISED:
        return next((_INDEX_CURRENCY[prefix] for prefix in over if prefix in _INDEX_CURRENCY), None)
    rules = rules_of(asset_class)
    return rules.market_of(whole) if rules.curve else None
