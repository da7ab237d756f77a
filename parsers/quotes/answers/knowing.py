"""What the user's dictionary of instruments knows of a row: it votes, and fills nothing that is printed (ruling 35)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from parsers.quote import Quote
from parsers.securities.dictionary import Dictionary
from parsers.securities.known import DESCRIBED, Known, described
from parsers.values.identifiers import KINDS
from parsers.values.times.dates import due_in

_MOST = 4
"""Identifiers of a row that are looked up: what has more is a list, and each costs."""


def class_known(securities: Dictionary, identifiers: Iterable[tuple[str, str]]) -> str | None:
    """The class of the instrument that these name, by kind; None also where they name several."""
    known = _by_identifier(securities, tuple(identifiers))
    return known.asset_class if known is not None else None


def known_of(securities: Dictionary, quote: Quote, currency: str | None) -> Known | None:
    """What is known of a quote's instrument: by its identifiers, where it has none by what describes it.

    Args:
        securities: the dictionary.
        quote: with its instrument.
        currency: that is printed; the instrument is in no other.
    """
    identifiers = [(kind, value) for kind in KINDS if (value := getattr(quote, kind)) is not None]
    if identifiers:
        return _by_identifier(securities, tuple(identifiers))
    due = due_in(quote.maturity, quote.maturity_text)
    if quote.ticker is None or quote.coupon is None or due is None:
        return None
    known = securities.lookup(DESCRIBED, described(quote.ticker, Fraction(quote.coupon), due))
    is_other = known is not None and currency is not None and known.currency not in (None, currency)
    return None if is_other else known


@lru_cache(maxsize=4096)  # a row asks for its class and for its instrument, and the same bonds come every day
def _by_identifier(securities: Dictionary, identifiers: tuple[tuple[str, str], ...]) -> Known | None:
    """What all of the identifiers name that it knows; None where that is not one instrument."""
    asked = [(kind, value) for kind, value in identifiers if kind in KINDS][:_MOST]
    found = {known for kind, value in asked if (known := securities.lookup(kind, value)) is not None}
    return found.pop() if len(found) == 1 else None
