"""A name whose levels stand elsewhere, read as the beginning of a line is (spec 2.1, 5.11)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from msgspec.structs import replace

from parsers.lexicon import compiled
from parsers.quotes.answers.margins import take_floors, take_margin
from parsers.quotes.answers.named import Habits, Named
from parsers.quotes.answers.naming import bond_of, named
from parsers.quotes.answers.terms import with_interest, with_terms
from parsers.quotes.classes import is_of_class, rules_of
from parsers.quotes.classes.families import LOCAL, ON_THE_RUN
from parsers.quotes.lexer.conventions import Conventions
from parsers.quotes.lexer.sizecutters import with_sizes_apart
from parsers.quotes.lexer.token import Token
from parsers.quotes.lexer.tokens import tokens
from parsers.values.finding import find
from parsers.values.separators import Locale

_COUPON_ALONE = frozenset({"preferred", "tba_mbs", "agency_mbs_cmo", "financial_sub"})
_LEVEL = "  101.5 / 102.5"
"""Behind a name, as in a line."""
_LONGEST = 1_000
"""Characters of a name; what is longer is a text, whatever stands in it."""
_BILL = compiled(r"\s*(?:(?:[A-Za-z]{2,7})\s)?\d{1,3}\s?{bill_unit}s?\s", re.IGNORECASE)  # `WI 3m 4.235/4.23`
_PARTS: dict[str, Callable[[list[Token]], list[Token]]] = {
    "govt_us": with_sizes_apart,
    "structured_note": with_terms,
    "strips": with_interest,
}
"""How lines of a class are printed."""


def of_class(cut: list[Token], asset_class: str) -> list[Token]:
    """The tokens as lines of a class are printed, with more in their names."""
    parts = _PARTS.get(asset_class)
    return parts(cut) if parts is not None else cut


@lru_cache(maxsize=256)
def habits_of(asset_class: str) -> Habits:
    """How a class writes its instruments, wherever they stand."""
    rules = rules_of(asset_class)
    return Habits(
        coupon_alone=asset_class in _COUPON_ALONE,
        percent_alone=asset_class == "structured_note",
        counted=rules.thousands,
        curves=rules.curve,
        margined=asset_class == "leveraged_loan",
    )


def is_of_curve(text: str, asset_class: str) -> bool:
    """Whether a text begins with what is quoted by tenor: of a class that is, or a government's bill."""
    return rules_of(asset_class).curve or (asset_class in ON_THE_RUN and _BILL.match(text) is not None)


@lru_cache(maxsize=8192)  # the same bonds come every day
def named_in(text: str, asset_class: str = "unknown", locale: Locale = Locale.point, *, dated: bool = False) -> Named:
    """What a name says whose levels stand elsewhere, as the beginning of a line says it in front of its levels.

    Args:
        text: the name.
        asset_class: its class.
        locale: of its numbers.
        dated: its maturity stands elsewhere, too, so that a coupon may stand alone.
    """
    if len(text) > _LONGEST or not (rules_of(asset_class).curve or any(map(str.isdigit, text))):
        return Named(name=text)
    line = f"{text}{_LEVEL}"
    is_curve = is_of_curve(line, asset_class)
    found = of_class(tokens(line, find(text, priced=True), Conventions(tenors=is_curve)), asset_class)
    usual = habits_of(asset_class)
    habits = replace(
        usual,
        coupon_alone=usual.coupon_alone or dated,
        percent_alone=usual.percent_alone or dated or (text.endswith("%") and not is_curve),
        curves=is_curve,
        yearly=asset_class in LOCAL and is_of_class(text, asset_class),
    )
    take_floors(found)
    bond = bond_of(found, locale, habits)
    margin = take_margin(found, habits)
    return named(line, found, bond, margin)


def names_bond(text: str) -> bool:
    """Whether a text names a bond: by a coupon and when it is due, and what stands in front of them."""
    return named_in(text).is_bond
