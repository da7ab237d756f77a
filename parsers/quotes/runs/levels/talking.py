"""Talk on a line: its range, and what it is of (spec 4.9)."""

from __future__ import annotations

import re
from fractions import Fraction

from parsers.codes import Notation, QuoteKind, QuoteType
from parsers.quotes.answers.measuring import price_of, spread_of
from parsers.quotes.classes import SECURITISED, rules_of
from parsers.quotes.draft import Level
from parsers.quotes.runs.cutting.ground import Ground
from parsers.quotes.runs.marked.reading import Mark
from parsers.values.markets import PRICES
from parsers.values.numbers import Ticks
from parsers.values.spreads import curve
from parsers.values.talk import Talk, talk

_BASIS_POINTS = re.compile(r"\s?(?:dm|DM|bps?)$")
_PLUS = re.compile(r"(?<!\d)\+\s?(?=[\dvlmh])", re.IGNORECASE)
"""Of a spread talked, wherever it stands: `+LM600s`, `mid +50s`; `98+` is a price."""
_WHOLE = re.compile(r"[^$.,½¼¾⅛⅜⅝⅞]+(?<!handle)")
"""Talk that can be of a spread where a heading says so: no cents, and no dollars."""
_MOST_POINTS = 120
"""Of a securitised bond: `talk 200a` is of its margin."""


def talked(mark: Mark, ground: Ground) -> Level | None:
    """The level of a word or phrase of talk; None where it is no talk."""
    text = mark.token.text
    over = curve(mark.token.prefix, ground.asset_class) if mark.token.prefix else None
    is_spread = _BASIS_POINTS.search(text) is not None or _PLUS.search(text) is not None or over is not None
    told = None if is_spread else _told_spread(text, ground.measure)
    in_points = is_spread or told is not None
    found = talk(text, ground.locale, spread=in_points, ticks=Ticks.off if in_points else ground.ticks)
    if found is None:
        return None
    top = _top(found)
    if over is not None:
        kind = over[0]
    elif "dm" in text.lower():
        kind = QuoteType.dm_bp
    elif told is not None:
        kind = told
    elif is_spread or top > _most_points(ground.asset_class):
        kind = spread_of(rules_of(ground.asset_class)).quote_type
        found = talk(text, ground.locale, spread=True) or found  # `150s` is a decade of basis points
    else:
        kind = _low_talk(top, ground) or price_of(rules_of(ground.asset_class).types)
    return Level(
        quote_type=kind,
        quote_kind=QuoteKind.talk,
        benchmark=over[1] if over is not None else None,
        talk_low=found.low,
        talk_high=found.high,
        mid_raw=text,
        notation=Notation.words,
        char_start=mark.token.start,
        char_end=mark.token.end,
    )


def _top(found: Talk) -> Fraction:
    """The higher end of a talk, which has one at least."""
    return max(value for value in (found.low, found.high) if value is not None)


def _most_points(asset_class: str) -> int:
    """Above it no price is talked of."""
    return _MOST_POINTS if asset_class in SECURITISED else 250


def _told_spread(text: str, measure: QuoteType | None) -> QuoteType | None:
    """The measure in basis points that a heading states, where talk is of whole numbers."""
    if measure is None or not measure.endswith("_bp") or not _WHOLE.fullmatch(text):
        return None
    return measure if not text.lower().endswith("px") else None


def _low_talk(top: Fraction, ground: Ground) -> QuoteType | None:
    """What talk below all prices of the class is of: `talk 3.90 area` on munis is of a yield."""
    readings = rules_of(ground.asset_class).unmarked
    lowest = min((reading.low for reading in readings if reading.quote_type in PRICES), default=None)
    if lowest is None or top >= lowest:
        return None
    return next(
        (one.quote_type for one in readings if one.quote_type not in PRICES and one.low <= top <= one.high), None
    )
