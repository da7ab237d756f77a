"""Classes whose instruments are of one currency, whatever a heading over others says."""

from __future__ import annotations

import re
from collections.abc import Iterable

from parsers.quotes.classes.rules import rules_of

_AT_HOME = frozenset({"govt_us", "govt_canada", "tba_mbs", "agency_mbs_cmo"})
_OF_HOMES = frozenset({"govt_intl", "inflation_linked"})
"""Of one currency, and of one for each of their markets."""

_OF_TREASURY = re.compile(r"(?:US)?912[A-Z0-9]{6}\d?")
"""ISINs and CUSIPs that the US Treasury alone issues under."""


def is_of_treasury(asset_class: str, identifiers: Iterable[str]) -> bool:
    """Whether what a heading calls governments' bonds is the US Treasury's, by its identifiers."""
    return asset_class == "govt_intl" and any(map(_OF_TREASURY.fullmatch, identifiers))


def home_of(asset_class: str, instrument: str) -> str | None:
    """The currency that an instrument of a class is always in, by its text; None where it may be in several."""
    rules = rules_of(asset_class)
    if asset_class in _AT_HOME:
        return rules.currency
    return rules.market_of(instrument) if asset_class in _OF_HOMES else None
