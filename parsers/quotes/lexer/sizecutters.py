"""Where the sizes of two sides begin, and when what looks like them are two prices (spec 4.8, 5.11)."""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec.structs import replace

from parsers.quotes.lexer import patterns
from parsers.quotes.lexer.cutline import CutLine, level
from parsers.quotes.lexer.token import LEVEL, SIZE, Token

_SIZES_APART = re.compile(r"\d{1,4}/\d{1,4}")
_IN_TICKS = re.compile(r"\d[-'’:][0-3]\d.*/")


def size_pair(line: CutLine, at: int) -> Token | None:
    """`5x10`, `2 by 3`, `5MM X`, `x 30k`; in front of any level `20.41 x 20.49` is one."""
    match = patterns.SIZE_PAIR.match(line.text, at)
    if match is None:
        return None
    if not line.has_level and _are_prices(match[0]):
        return level(line, at, match.end(), re.sub(r"\s*[xX×]\s*", " / ", match[0]))
    return Token(SIZE, at, match.end(), match[0].replace(" by ", " x "))


def dollars(line: CutLine, at: int) -> Token | None:
    """`C$5mm`, `US$ 5mm`: a size in dollars that letters name."""
    if "$" not in line.text[at + 1 : at + 3]:
        return None
    match = patterns.SIZE.match(line.text, at)
    return Token(SIZE, at, match.end(), match[0].strip()) if match is not None else None


def with_sizes_apart(cut: list[Token]) -> list[Token]:
    """`99-032 / 99-03+  10/20` of a Treasury: behind a market in 32nds, at the end, sizes (spec 4.10 no. 27)."""
    last = cut[-1] if len(cut) > 1 else None
    if last is None or last.kind is not LEVEL or last.prefix is not None or _SIZES_APART.fullmatch(last.text) is None:
        return cut
    is_behind = cut[-2].kind is LEVEL and _IN_TICKS.search(cut[-2].text) is not None
    return [*cut[:-1], replace(last, kind=SIZE, text=last.text.replace("/", "x"))] if is_behind else cut


def _are_prices(text: str) -> bool:
    """`20.41 x 20.49`: two prices by an x; sizes are round, or far apart, or have a unit."""
    match = patterns.PRICES_BY.fullmatch(text)
    if match is None:
        return False
    first, second = (Fraction(value) for value in match.groups())
    has_cents = all(len(value.partition(".")[2]) > 1 for value in match.groups())  # `3.10 x 3.30`
    return (first >= 10 or has_cents) and first != second and abs(second - first) * (10 if has_cents else 20) <= first
