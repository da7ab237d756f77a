"""What a heading over lines says that their levels are."""

from __future__ import annotations

import re

from parsers.codes import QuoteType
from parsers.quotes.headings.surroundings import spoken_measures

_PARTS = re.compile(r",\s|:\s|\s[-–]\s")
_LISTING = re.compile(
    r"&|\s\+\s|\b(?:and|und)\b|\s(?:et|ed|e|y)\s|\s/\s(?!(?:ask|off?e?r|brief|ven[td]|lettera))", re.IGNORECASE
)
_OF_TRANCHE = re.compile(r"\b\d{1,2}\s?-\s?\d{1,3}\s?%?\s+(?:in\s)?(?:upf|points|pts|running|spread)\w*", re.IGNORECASE)
"""What one of several tranches is quoted in: `0-3 upfront, rest running`."""
_EXEMPT = re.compile(r"\b(?:(?:tax[- ]?)?exempts?|GOs?|revs?|revenues?)\b", re.IGNORECASE)
"""Munis that nobody quotes over Treasuries."""


def measures_of(text: str) -> tuple[QuoteType | None, ...]:
    """The quote types that a heading speaks of, in order; None for words such as `price` whose type the class knows.

    `spread` alone is over nobody knows what. Of things listed, as in `TIPS & b/e`, none is what all levels are.
    """
    if _LISTING.search(text):
        text = ", ".join(part for part in _PARTS.split(text)[1:] if not _LISTING.search(part))
    spoken = spoken_measures(_OF_TRANCHE.sub(" ", text)) if text else ()
    if "spread_bench_bp" in spoken and _EXEMPT.search(text):  # of others it is: `GO, rev, taxable`
        spoken = tuple(name for name in spoken if name != "spread_bench_bp")
    if any(name.startswith("spread_") for name in spoken):  # `spread vs midswap`
        spoken = tuple(name for name in spoken if name != "spread")
    if "price_unit" in spoken:  # `Kurse, Geld/Brief je Stück`
        spoken = tuple(name for name in spoken if name != "price")
    return tuple(dict.fromkeys(_measure(name) for name in spoken))


def _measure(name: str) -> QuoteType | None:
    if name == "spread":  # of what, the class knows
        return QuoteType.spread_unspecified_bp
    return QuoteType(name) if name in QuoteType.__members__ else None
