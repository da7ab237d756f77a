"""Raised or lowered numbers: a footnote's mark, or a part of a fraction. None may become digits of the price before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_DENOMINATOR = re.compile(r"\s*[/\u2044]\s*(?:$|(?:2|4|8|16|32|64)(?![\d.,]))")  # no other: 182¹/188 is a pair
_NUMERATOR = re.compile(r"(?:^|[^\d.,])\d{0,2}\s*[/\u2044]\s*$")
_DENOMINATORS = frozenset({"2", "4", "8", "16", "32", "64"})
_MARKS = re.compile(r"\d+(?:[\s,;]+\d+)*")
_BETWEEN = re.compile(r"[\s,;]+")
_DECIMAL = re.compile(r"\d[.,]\d+\s*$")  # has no numerator behind it: 98.25¹/98.75 is a pair


def spelled(text: str, before: str, after: str) -> str:
    """Raised text as it reads in a line: a numerator behind a space, a footnote's number as its marks.

    Args:
        text: what is raised or lowered; other than a number, or a denominator, it stays as it is.
        before: what stands before it in the line.
        after: what follows it.
    """
    number = text.strip()
    if not _MARKS.fullmatch(number) or (number in _DENOMINATORS and _NUMERATOR.search(before)):
        return text
    if not number.isdigit():  # several marks: `1,2`
        return _BETWEEN.sub("", number).translate(_SUPERSCRIPTS)
    if _DENOMINATOR.match(after) and not _DECIMAL.search(before):
        return " " + number
    return number.translate(_SUPERSCRIPTS)


def level(runs: Iterable[tuple[str, bool, bool]]) -> list[tuple[str, bool]]:
    """Text and whether it is struck, of text, whether it is struck, and whether it is raised or lowered."""
    groups = [("".join(run[0] for run in alike), *look) for look, alike in groupby(runs, key=lambda run: run[1:])]
    texts = ["", *(text for text, _, _ in groups), ""]
    return [
        (spelled(text, texts[at], texts[at + 2]) if raised else text, struck)
        for at, (text, struck, raised) in enumerate(groups)
    ]
