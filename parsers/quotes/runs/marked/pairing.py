"""Which lone numbers beside each other are the two sides of a market (spec 4.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from parsers.quotes.lexer.token import LEVEL, NUMBER, TENOR, Token
from parsers.values.numbers import number
from parsers.values.separators import Locale

_HANDLE_AND_TICKS = re.compile(r"(\d{2,3})[-'’:](\d{2})")


def join_behind_tenors(found: list[Token], locale: Locale) -> None:
    """`5y 182 188`: two numbers alone behind a tenor are its market."""
    for at in range(len(found) - 3, -1, -1):
        kinds = [token.kind for token in found[at : at + 4]]
        if kinds[:3] == [TENOR, NUMBER, NUMBER] and kinds[3:] not in ([NUMBER], [LEVEL]):
            first, second = found[at + 1], found[at + 2]
            is_market = first.unit is None and first.text != second.text
            if is_market and are_close(found, (at + 1, at + 2), locale):
                join(found, at + 1)


def join(found: list[Token], at: int) -> None:
    """Makes one level of two numbers, the first at an index."""
    first, second = found[at], found[at + 1]
    found[at : at + 2] = [Token(LEVEL, first.start, second.end, f"{first.text} / {second.text}", unit=second.unit)]


def are_close(found: Sequence[Token], free: Sequence[int], locale: Locale) -> bool:
    """Two lone numbers within a fifth of each other are the sides of a market."""
    ticks = [_HANDLE_AND_TICKS.match(found[at].text) for at in free]
    if all(ticks):
        known = sorted(Fraction(int(tick[1]) * 32 + int(tick[2]), 32) for tick in ticks if tick is not None)
    else:
        values = [number(found[at].text, locale, ceiling=1000) for at in free]
        known = sorted(abs(value.value) for value in values if value is not None)
    return len(known) == 2 and known[1] > 0 and (known[1] - known[0]) * 5 <= known[1]
