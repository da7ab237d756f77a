"""What the user's dictionary of instruments knows of a row: it votes, and fills nothing that is printed (ruling 35)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache, partial

from parsers.quote import Quote
from parsers.securities.dictionary import Dictionary
from parsers.securities.known import DESCRIBED, TICKER, Known, described
from parsers.values.identifiers import KINDS, in_conflict
from parsers.values.numbers import number
from parsers.values.separators import Locale
from parsers.values.times.dates import FULL_DATE, MONTH_DATE, DateOrder, due_in, maturity

_MOST = 4
"""Identifiers of a row that are looked up: what has more is a list, and each costs."""


_BOND = re.compile(
    rf"(?P<ticker>{TICKER.pattern})\s(?P<coupon>\d{{1,2}}(?:[.,]\d{{1,4}}|[½¼¾⅛⅜⅝⅞]|\s\d/\d{{1,2}})?)%?\s"
    rf"(?P<due>{FULL_DATE}|{MONTH_DATE}|'?\d\d|20\d\d)(?=[\s,:;|]|$)"
)
"""How a bond is named in a run: `AAPL 4.65 46`."""


def class_known(
    securities: Dictionary, identifiers: Iterable[tuple[str, str]], name: str, currency: str | None
) -> str | None:
    """The class of the instrument that these name, by kind; of one without any, that its name describes.

    None also where `known_of` knows no instrument: where they name several, or its name is of one in other money than
    is printed or stated.
    """
    own = tuple(identifiers)
    known = _known(securities, own, _described_in(name) if not own else None, currency)
    return known.asset_class if known is not None else None


def known_of(securities: Dictionary, quote: Quote, currency: str | None) -> Known | None:
    """What is known of a quote's instrument: by its identifiers, where it has none by what describes it.

    Args:
        securities: the dictionary.
        quote: with its instrument.
        currency: that is printed; the instrument is in no other.
    """
    identifiers = tuple([(kind, value) for kind in KINDS if (value := getattr(quote, kind)) is not None])
    return _known(securities, identifiers, _described_by(quote) if not identifiers else None, currency)


def _known(
    securities: Dictionary, identifiers: tuple[tuple[str, str], ...], name: str | None, currency: str | None
) -> Known | None:
    """What a row's identifiers name; of one without any, what describes it, in no other currency than its own."""
    if identifiers:
        return _asked(securities)(identifiers)
    known = securities.lookup(DESCRIBED, name) if name is not None else None
    is_other = known is not None and currency is not None and known.currency not in (None, currency)
    return None if is_other else known


def _described_by(quote: Quote) -> str | None:
    """What describes a quote's bond."""
    due = due_in(quote.maturity, quote.maturity_text)
    if quote.ticker is None or quote.coupon is None or due is None:
        return None
    return described(quote.ticker, Fraction(quote.coupon), due)


def _described_in(name: str) -> str | None:
    """What describes the bond whose name a text begins with."""
    bond = _BOND.match(name)
    coupon = number(bond["coupon"], Locale.point, ceiling=1000) if bond is not None else None
    if bond is None or coupon is None:
        return None
    day = maturity(bond["due"], DateOrder.mdy)
    due = due_in(day.date if day is not None and not day.ambiguous else None, bond["due"])
    return described(bond["ticker"], coupon.value, due) if due is not None else None


@lru_cache(maxsize=1)  # whoever goes on with another dictionary keeps neither the last one nor what it said
def _asked(securities: Dictionary) -> Callable[[tuple[tuple[str, str], ...]], Known | None]:
    """`_by_identifier`, remembered: a row asks for its class and its instrument, and the same bonds come every day."""
    return lru_cache(maxsize=4096)(partial(_by_identifier, securities))


def _by_identifier(securities: Dictionary, identifiers: tuple[tuple[str, str], ...]) -> Known | None:
    """What all of the identifiers name that it knows; None where that is not one instrument, or they are not of one."""
    if in_conflict(dict(reversed(identifiers))):  # of a kind the first
        return None
    asked = [(kind, value) for kind, value in identifiers if kind in KINDS][:_MOST]
    found = {known for kind, value in asked if (known := securities.lookup(kind, value)) is not None}
    return found.pop() if len(found) == 1 else None
