"""Outright rates of forwards told from their points: by what a pair is roughly worth, and how wide it is made."""

from __future__ import annotations

import re
from fractions import Fraction

from parsers.codes import QuoteType
from parsers.values.currencies import CODE, rough_rate
from parsers.values.levels import Pair

_PAIR = re.compile(rf"\b({CODE})/?({CODE})\b")
_LEAST, _MOST = Fraction(1, 2), Fraction(5, 2)
"""Of the pair's rough rate: what is further away is none. Pairs drift; points are far smaller or larger."""
_WIDEST = Fraction(3, 100)
"""Of the bid: an outright is made far tighter, even in restricted currencies; points are often wider."""


def forward_type(name: str, found: Pair) -> QuoteType | None:
    """Whether a forward's level is a rate or points; None where the name has no pair of currencies.

    Args:
        name: of the instrument, with its pair.
        found: the level.
    """
    rough = rough_of(name)
    if rough is None:
        return None
    sides = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
    is_near = all(may_be_rate(side, rough) for side in sides)
    is_tight = max(sides) - min(sides) <= _WIDEST * abs(sides[0])
    return QuoteType.fx_rate if is_near and is_tight else QuoteType.fwd_points


def pair_in(name: str) -> str:
    """The pair that a text names, as printed; empty where it names none."""
    match = _PAIR.search(name)
    return match[0] if match is not None else ""


def rough_of(name: str) -> Fraction | None:
    """What the pair that a text names is roughly worth; None where it names none."""
    match = _PAIR.search(name)
    return rough_rate(match[1], match[2]) if match is not None else None


def may_be_rate(value: Fraction, rough: Fraction) -> bool:
    """Whether a value may be the rate of a pair that is roughly worth so much, drift and all."""
    return _LEAST * rough <= value <= _MOST * rough
