"""Digits with grouping and decimals, and which mark is which (spec 4.2), exactly."""

from __future__ import annotations

import re
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache


class Locale(StrEnum):
    """Which mark separates the decimals of a block (spec 4.2)."""

    point = "point"
    comma = "comma"


_DIGITS = re.compile(r"\d+")
_EXPONENT = re.compile(r"(\d+(?:\.\d+)?)[eE]([+-]?\d{1,2})")
_GROUPED = {
    "point": re.compile(r"\d{1,3}(?:(?P<sep>[,'’ ])\d{3})(?:(?P=sep)\d{3})*(?:\.\d*)?"),
    "comma": re.compile(r"\d{1,3}(?:(?P<sep>[.'’ ])\d{3})(?:(?P=sep)\d{3})*(?:,\d*)?"),
}
_PLAIN = re.compile(r"\d*[.,]?\d+|\d+[.,]")
_UNGROUPED = str.maketrans("", "", ",.'’ ")


def exact(text: str) -> Fraction:
    """The value of digits with at most one point, as `98.25` or `.5`; many times as fast as `Fraction` of the text."""
    whole, _, decimals = text.partition(".")
    return Fraction(int(whole + decimals), 10 ** len(decimals)) if decimals else Fraction(int(whole))


def within(value: Fraction, low: Fraction | int, high: Fraction | int) -> bool:
    """Whether low <= value <= high; as integers, which compare many times as fast as fractions."""
    over, below = value.as_integer_ratio()
    low_over, low_below = low.as_integer_ratio()
    high_over, high_below = high.as_integer_ratio()
    return low_over * below <= over * low_below and over * high_below <= high_over * below


def decimal(text: str, locale: Locale = Locale.point, ceiling: int | None = None) -> Fraction | None:
    """Digits with grouping and decimals, unsigned. The token's own evidence goes before the locale (spec 4.2)."""
    if _DIGITS.fullmatch(text):
        return Fraction(int(text))
    mark = _decimal_mark(text, locale)
    value = _read(text, mark)
    if value is None:
        match = _EXPONENT.fullmatch(text)
        return Fraction(match[1]) * Fraction(10) ** int(match[2]) if match is not None else None
    if ceiling is not None and value.numerator > ceiling * value.denominator:
        other = _read(text, "," if mark == "." else ".")
        if other is not None and other <= ceiling:
            return other
    return value


def _read(text: str, mark: str) -> Fraction | None:
    """The text with `mark` before its decimals, or None where it does not fit."""
    name = "point" if mark == "." else "comma"
    if _GROUPED[name].fullmatch(text):
        whole, _, decimals = text.partition(mark)
        return exact(f"{whole.translate(_UNGROUPED)}.{decimals}")
    if _PLAIN.fullmatch(text) and ("," if mark == "." else ".") not in text:
        return exact(text.replace(",", "."))
    return None


def _decimal_mark(text: str, locale: Locale) -> str:
    """The decimal mark that this token itself proves, else the locale's."""
    return proven_mark(text) or ("." if locale is Locale.point else ",")


@lru_cache(maxsize=8192)
def proven_mark(text: str) -> str | None:
    """`.` or `,` where the token leaves no doubt (spec 4.2, first three kinds of evidence), else None."""
    points, commas = text.count("."), text.count(",")
    if points and commas:
        return "." if text.rfind(".") > text.rfind(",") else ","
    if points > 1 or commas > 1:
        return "," if points else "."
    if not points and not commas:
        return None
    mark = "." if points else ","
    whole, _, decimals = text.partition(mark)
    if len(decimals) != 3 or not 0 < len(whole.lstrip("+-")) <= 3 or whole.strip("+-").startswith("0"):
        return mark
    return None
