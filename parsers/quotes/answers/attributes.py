"""What a line says of its instrument beside coupon and maturity: rank, rating, life, enhancement, factor, settlement.

Each value is kept as written (spec 2.1, 2.2); a number counts only beside the word that names it, but for a life in
years (`1.9y`) on the line of a securitised bond.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from parsers.lexicon import compiled
from parsers.quotes.classes import SECURITISED
from parsers.values.numbers import number
from parsers.values.separators import Locale
from parsers.values.sizes import SizeRules, size
from parsers.values.times.dates import MONTHS


class Attributes(Struct, frozen=True, gc=False):
    """What a line says; absent is None."""

    seniority: str | None = None
    rating: str | None = None
    wal_years: Fraction | None = None
    ce_pct: Fraction | None = None
    factor: Fraction | None = None
    orig_face: Fraction | None = None


_SCALE = r"(?:{rating_scale}|Aa[1-3]|Baa[1-3]|Ba[1-3]|Caa[1-3])(?:\s?\(?sf\)?)?"
_LETTER = "(?:[AB][1-3]|{rating_letter})"  # a tranche's name too: a rating only beside another
_RATING = compiled(
    rf"(?<=[\s(])(?:{_SCALE}(?:\s?/\s?(?:{_SCALE}|{_LETTER})){{0,2}}|"
    rf"{_LETTER}\s?/\s?{_SCALE}(?:\s?/\s?(?:{_SCALE}|{_LETTER}))?)(?![\w+\-/.])|"
    rf"(?<=\(){_LETTER}(?:\s?/\s?{_LETTER}){{1,2}}(?=\))"
)
_SHORT_RATING = compiled(r"(?<=\s)(?:A-[123]\+?(?:\s?/\s?P-?[123])?|P-?[123]|F[123]\+?)(?![\w.])")
_SENIORITY = compiled(r"\b(?:{seniority}(?:\.?\s{seniority_of})?|{seniority_code})\b")
_WAL = compiled(
    r"\b{wal_word}\s*+[:=]?\s*+(\d{1,2}(?:[.,]\d{1,3})?)|(?<![\d.,/])(\d{1,2}[.,]\d{1,2})\s?(?:y|yrs?)\b(?!\d)"
)
_CE = compiled(
    r"\b{enhancement}\s*+[:=]?\s*+(\d{1,2}(?:[.,]\d{1,3})?)\s?%?|"
    r"(?<![\d.,/])(\d{1,2}(?:[.,]\d{1,3})?)\s?%\s?(?:CE|C/E)\b"
)
_FACTOR = compiled(
    r"\b{pool_factor}\s*+[:=]?\s*+([01]?[.,]\d{1,10}|1)(?![\d.,])|\bCF\s*+[:=]?\s*+(0?[.,]\d{1,10})(?![\d.,])|"
    r"\d\s?{thousands_or_millions}?(?:\sOF)?\s(?:of|x)\s([01]?\.\d{1,10})",
    re.IGNORECASE,
)
_ORIG_FACE = compiled(

    r"\b{orig_face}\s*+[:=]?\s*+(\$?\d[\d.,]*\s?{size_unit}?)\b|(\$?\d[\d.,]*\s?{size_unit}|"
    r"\$?\d{1,3}(?:,?\d{3})+)\s(?:OF\b(?!\s*+[:=]?\s*+\$?\d)|orig(?:inal)?\b(?:\sface\b)?)"

)  # fmt: skip
_SETTLE = compiled(
    r"(?<![\w+])[Tt]\+[0-9](?![\d/.])(?=\s+sett)|(?<=[\d+]\s)(?<!/\d\d\s)T\+[0-3](?=\s|$)|"
    r"\b{settlement_kind}(?=\s+settle)|(?<=settle\s)(?:T\+\d|\d{1,2}/\d{1,2}(?:/\d{2,4})?|"
    r"{settlement_stem}\w*)",
    re.IGNORECASE,
)
_OF_FACTORS = ("factor", "fctr", "cf", "of", "x")
_NONE = Attributes()


def attributes(text: str, name: str, asset_class: str, locale: Locale) -> Attributes:
    """What a line says.

    Args:
        text: the line.
        name: its instrument's text.
        asset_class: its class.
        locale: of its numbers.
    """
    seniority, rating = _ranked(name, is_short=asset_class in ("commercial_paper", "cd"))
    rating = rating if asset_class != "preferred" else None  # its letters are its series: `SER AA`
    if asset_class not in SECURITISED:
        return Attributes(seniority, rating) if seniority or rating else _NONE
    lower = text.lower()
    return Attributes(
        seniority,
        rating,
        _number(_WAL, text, locale) if "y" in text or "wal" in lower or "life" in text else None,
        _number(_CE, text, locale),
        _number(_FACTOR, text, locale) if any(stem in lower for stem in _OF_FACTORS) else None,
        _face(text, locale) if "OF" in text or "orig" in text else None,
    )


def settlement(text: str, name: str, asset_class: str) -> str | None:
    """When a line settles, as written: `T+1`, `reg`, of a TBA its month (ruling 11)."""
    if asset_class == "tba_mbs":
        return next((word for word in reversed(name.split()) if word.lower() in MONTHS), None)
    if "ettle" not in text and "+" not in text:
        return None
    found = _SETTLE.search(text)
    return found[0] if found is not None else None


@lru_cache(maxsize=4096)  # the same bonds come every day
def _ranked(name: str, *, is_short: bool) -> tuple[str | None, str | None]:
    """Rank and rating in an instrument's text; its first word is a ticker."""
    seniority = _SENIORITY.search(name)
    rating = _RATING.search(name) or (_SHORT_RATING.search(name) if is_short else None)
    return seniority[0] if seniority is not None else None, rating[0] if rating is not None else None


def _number(pattern: re.Pattern[str], text: str, locale: Locale) -> Fraction | None:
    match = pattern.search(text)
    found = number(next(filter(None, match.groups())), locale) if match is not None else None
    return found.value if found is not None else None


def _face(text: str, locale: Locale) -> Fraction | None:
    match = _ORIG_FACE.search(text)
    found = size(next(filter(None, match.groups())).strip(), SizeRules(locale)) if match is not None else None
    return found.value if found is not None else None
