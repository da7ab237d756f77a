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


def bracketed(line: CutLine, at: int) -> Token | None:
    """What brackets hold: what a level refers to, the sizes, or the same market in another measure."""
    if line.text[at] != "(":
        return None
    return (
        _reference_in(line, at)
        or _sizes_in(line, at)
        or _spread_in(line, at)
        or _margin_in(line, at)
        or _pair_in(line, at)
    )


def _reference_in(line: CutLine, at: int) -> Token | None:
    """`(T 4 1/4 11/34)`, `(ref 51.75`: closed or not."""
    inner = bond(line, at + 1) or reference(line, at + 1) or (delta(line, at + 1) if line.has_level else None)
    return (_enclosed(line, at, inner) or replace(inner, start=at)) if inner is not None else None


def _sizes_in(line: CutLine, at: int) -> Token | None:
    """`98/99 (1x2)`, `(5mm)`."""
    sizes = patterns.SIZE_PAIR.match(line.text, at + 1) or patterns.SIZE.match(line.text, at + 1)
    return _enclosed(line, at, Token(SIZE, at, sizes.end(), sizes[0])) if sizes is not None else None


def _spread_in(line: CutLine, at: int) -> Token | None:
    """`105.30/105.55 (T+131)`, `(T+52/49) 101.2/101.4`; in `(S+325) 99/99.5` it is a loan's margin."""
    spread = lettered_spread(line, at + 1)
    is_level = spread is not None and (line.has_level or "/" in spread.text)
    return _enclosed(line, at, spread) if spread is not None and is_level else None


def _margin_in(line: CutLine, at: int) -> Token | None:
    """`cvr 99.82 (345dm)`."""
    is_behind = bool(line.found) and line.found[-1].kind in (LEVEL, NUMBER)
    margin = patterns.MARGIN.match(line.text, at + 1) if is_behind else None
    return Token(LEVEL, at, margin.end(), margin["margin"], key="with", unit="dm") if margin is not None else None


def _pair_in(line: CutLine, at: int) -> Token | None:
    """`94.10/94.60 (5.62/5.53)`; of a market alone, last behind the maturity: `5 03/34 (98/99)`."""
    match = patterns.PAIR[line.conventions.thirty_seconds].match(line.text, at + 1)
    is_last = match is not None and line.has_date and line.text[match.end() :].strip() == ")"
    if match is None or not (line.has_level or is_last):
        return None
    return _enclosed(line, at, level(line, at, match.end(), match[0]))


def _enclosed(line: CutLine, at: int, inner: Token) -> Token | None:
    """What brackets hold, from the one to the other; None where they hold more."""
    is_all = line.text[inner.end : inner.end + 1] == ")"
    return replace(inner, start=at, end=inner.end + 1) if is_all else None


def delta(line: CutLine, at: int) -> Token | None:
    """`55d`, `delta 52`."""
    match = patterns.DELTA.match(line.text, at)
    return Token(DELTA, at, match.end(), match[0]) if match is not None else None


def reference(line: CutLine, at: int) -> Token | None:
    """`vs 42.10`: what a level refers to; `vs 100.5/101.5`: a market to compare with, yesterday's or another's."""
    tenor = patterns.OF_TENOR.match(line.text, at) if line.has_level or line.conventions.tenors else None
    if tenor is not None:
        return Token(CHANGE, at, tenor.end(), tenor[0])
    match = patterns.REFERENCE.match(line.text, at)
    if match is None or (not line.found and _SPOT_TICKER.match(line.text, at)):
        return None
    return Token(CHANGE if match["more"] else REFERENCE, at, match.end(), match["value"])
