"""Where what stands beside a level begins: benchmark, reference, delta, and what brackets hold (spec 5.11)."""

from __future__ import annotations

import re

from msgspec.structs import replace

from parsers.quotes.lexer import patterns
from parsers.quotes.lexer.cutline import CutLine, level
from parsers.quotes.lexer.spreadcutters import lettered_spread
from parsers.quotes.lexer.token import BOND, CHANGE, DELTA, LEVEL, NUMBER, REFERENCE, SIZE, Token

_SPOT_TICKER = re.compile(r"SPOT\s\d[\d.]*\s(?:\d{1,2}/)?\d{2,4}\s")
"""The ticker with coupon and maturity, in front of a line."""


def bond(line: CutLine, at: int) -> Token | None:
    """A benchmark: behind a level, or behind the line's own maturity."""
    if not (line.has_level or line.has_date):
        return None
    match = patterns.BOND.match(line.text, at)
    return Token(BOND, at, match.end(), match[0]) if match is not None else None


def bracketed_reference(line: CutLine, at: int) -> Token | None:
    """`(T 4 1/4 11/34)`, `(ref 51.75)`: what a level refers to, in brackets."""
    if line.text[at] != "(":
        return None
    inner = bond(line, at + 1) or reference(line, at + 1) or (delta(line, at + 1) if line.has_level else None)
    if inner is None:
        return None
    return replace(inner, start=at, end=inner.end + (line.text[inner.end : inner.end + 1] == ")"))


def delta(line: CutLine, at: int) -> Token | None:
    """`55d`, `delta 52`."""
    match = patterns.DELTA.match(line.text, at)
    return Token(DELTA, at, match.end(), match[0]) if match is not None else None


def bracketed_pair(line: CutLine, at: int) -> Token | None:
    """`94.10/94.60 (5.62/5.53)`: another measure in brackets; `98/99 (1x2)`, `(5mm)`: the sizes."""
    if line.text[at] != "(":
        return None
    sizes = patterns.SIZE_PAIR.match(line.text, at + 1) or patterns.SIZE.match(line.text, at + 1)
    if sizes is not None and line.text[sizes.end() : sizes.end() + 1] == ")":
        return Token(SIZE, at, sizes.end() + 1, sizes[0])
    spread = lettered_spread(line, at + 1)  # `105.30/105.55 (T+131)`, `(T+52/49) 101.2/101.4`
    is_level = spread is not None and (line.has_level or "/" in spread.text)  # `(S+325) 99/99.5`: a loan's margin
    if spread is not None and is_level and line.text[spread.end : spread.end + 1] == ")":
        return replace(spread, start=at, end=spread.end + 1)
    if line.found and line.found[-1].kind in (LEVEL, NUMBER):
        margin = patterns.MARGIN.match(line.text, at + 1)
        if margin is not None:
            return Token(LEVEL, at, margin.end(), margin["margin"], key="with", unit="dm")
    match = patterns.PAIR[line.conventions.thirty_seconds].match(line.text, at + 1)
    is_last = match is not None and line.has_date and line.text[match.end() :].strip() == ")"  # `5 03/34 (98/99)`
    if match is None or not (line.has_level or is_last):
        return None
    inner = level(line, at, match.end(), match[0])
    return replace(inner, end=inner.end + 1) if line.text[inner.end : inner.end + 1] == ")" else None


def reference(line: CutLine, at: int) -> Token | None:
    """`vs 42.10`: what a level refers to; `vs 100.5/101.5`: a market to compare with, yesterday's or another's."""
    tenor = patterns.OF_TENOR.match(line.text, at) if line.has_level or line.conventions.tenors else None
    if tenor is not None:
        return Token(CHANGE, at, tenor.end(), tenor[0])
    match = patterns.REFERENCE.match(line.text, at)
    if match is None or (not line.found and _SPOT_TICKER.match(line.text, at)):
        return None
    return Token(CHANGE if match["more"] else REFERENCE, at, match.end(), match["value"])
