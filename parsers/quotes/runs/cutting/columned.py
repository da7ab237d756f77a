"""Runs typed in columns, a blank between their sides: `F 6.1 32  101.60  101.85  +172  +168` (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from parsers.quotes.lexer.token import LEVEL, NUMBER, SIZE, Token
from parsers.quotes.runs.marked.pairing import are_close, join
from parsers.values.separators import Locale

_PRICE = re.compile(r"(?:[4-9]\d|1[0-4]\d)(?:[.,]\d{1,4}|-[0-3]\d[+\d]?)")
_SECOND = re.compile(r"\d{2,4}|\d{1,2}[.,]\d{1,3}")
"""Of a spread or a yield, beside the price."""
_LEAST = 2
"""Tokens that name an instrument."""
_SIDES = 2


def joined_columns(found: list[Token], locale: Locale) -> list[Token]:
    """The tokens, two spreads or two prices beside each other made the market that a slash would make of them.

    Prices are joined only in front of another market, or of two more numbers that can be its sides: where they are the
    line's only numbers they may be told later by what stands around them.
    """
    at = _LEAST
    while at + 1 < len(found):
        if found[at].kind is LEVEL and found[at + 1].kind is LEVEL:
            if _are_spreads(found[at], found[at + 1], locale):
                found = [*found[:at], _spread(found[at], found[at + 1]), *found[at + 2 :]]
        elif _are_prices(found, at, locale):
            found = list(found)
            if len(found) > at + 3 and found[at + 3].kind is NUMBER:
                join(found, at + 2)
            join(found, at)
        at += 1
    return found


def _are_spreads(first: Token, second: Token, locale: Locale) -> bool:
    """`+172 +168`, `T+172 T+168`: over one curve, each alone."""
    is_alike = first.prefix is not None and (first.prefix, first.unit, None) == (second.prefix, second.unit, second.key)
    texts = first.text.lstrip("+"), second.text.lstrip("+")
    is_lone = first.key is None and all(_SECOND.fullmatch(text) for text in texts)
    return is_alike and is_lone and first.text != second.text and are_close((first, second), (0, 1), locale)


def _spread(first: Token, second: Token) -> Token:
    return replace(first, end=second.end, text=f"{first.text} / {second.text}")


def _are_prices(found: Sequence[Token], at: int, locale: Locale) -> bool:
    """Two prices with decimals or ticks, and beside them another market, printed in one way or the other."""
    first, second, *behind = found[at : at + 5]
    bare = [token for token in (first, second) if token.kind is NUMBER and token.unit is None]
    if len(bare) < _SIDES or not all(_PRICE.fullmatch(token.text) for token in bare):
        return False
    if not are_close(found, (at, at + 1), locale):
        return False
    if not behind or behind[0].kind in (LEVEL, SIZE):  # `MS+18  MS+16  98.65  98.78`
        beside = behind[0] if behind and behind[0].kind is LEVEL else found[at - 1]
        return beside.kind is LEVEL and beside.prefix is not None
    return _are_measured(behind) and are_close(found, (at + 2, at + 3), locale)


def _are_measured(behind: Sequence[Token]) -> bool:
    """Whether two figures of another measure stand behind two prices, and nothing but sizes and levels behind these."""
    is_pair = [token.kind for token in behind[:2]] == [NUMBER, NUMBER]
    is_end = len(behind) < 3 or behind[2].kind in (SIZE, LEVEL)
    texts = [token.text for token in behind[:2]]
    return is_pair and is_end and all(_SECOND.fullmatch(text) for text in texts) and texts[0] != texts[1]
