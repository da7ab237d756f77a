"""What stands behind a convertible's market: the stock's price at `@`, and the delta (spec 5.11, class 16)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from parsers.quotes.lexer.token import DELTA, LEVEL, NUMBER, REFERENCE, SIZE, Token
from parsers.quotes.runs.marked.pairing import are_close
from parsers.values.separators import Locale

_STOCK = re.compile(r"(\d+(?:\.\d+)?)\s*@\s*(\d+(?:\.\d+)?)")


def referred(found: Sequence[Token], locale: Locale) -> list[Token]:
    """The tokens of a convertible's line: both sides are there, so `112/112.5 @ 15.10 38%` has no ask at 15.10."""
    result: list[Token] = []
    for token in found:
        stock = _STOCK.fullmatch(token.text) if token.kind is LEVEL and "@" in token.text else None
        if stock is not None and not _is_market(stock[1], stock[2]):
            middle = token.start + stock.start(2)
            result.append(replace(token, text=stock[1], end=token.start + stock.end(1)))
            result.append(Token(REFERENCE, middle, token.end, stock[2]))
        elif token.kind is LEVEL and token.key == "at" and token.prefix is None and _ends_in_market(result, locale):
            result.append(replace(token, kind=REFERENCE, key=None))
        elif token.kind is NUMBER and token.unit == "%" and result and result[-1].kind is REFERENCE:
            result.append(replace(token, kind=DELTA))
        else:
            result.append(token)
    return result


def _ends_in_market(found: Sequence[Token], locale: Locale) -> bool:
    """Whether both sides stand at the end, in one stretch or as two lone numbers; sizes may follow them."""
    sides = [token for token in found if token.kind is not SIZE][-2:]
    if sides and sides[-1].kind is LEVEL:
        return sides[-1].key is None and any(joint in sides[-1].text.strip("/+-") for joint in "/-–")
    return [side.kind for side in sides] == [NUMBER, NUMBER] and are_close(sides, (0, 1), locale)


def _is_market(bid: str, ask: str) -> bool:
    """Whether two values are a tenth apart at most: `112 @ 15.10` is a price, and the stock's."""
    return abs(Fraction(bid) - Fraction(ask)) * 10 <= Fraction(bid)
