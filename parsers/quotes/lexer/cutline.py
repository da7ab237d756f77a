"""The line that is being cut, and what every level of it has: its text, and the unit behind it (spec 4.7, 5.11)."""

from __future__ import annotations

import re

from msgspec import Struct, field

from parsers.quotes.lexer import patterns
from parsers.quotes.lexer.conventions import PLAIN, Conventions
from parsers.quotes.lexer.token import DATE, LEVEL, MONTH, TENOR, Token

ANYTHING = (True, True, True)
"""Where no figures begin, a pair, a size and a tenor can."""


class CutLine(Struct):
    """The line being cut."""

    text: str
    conventions: Conventions = PLAIN
    found: list[Token] = field(default_factory=list)
    has_level: bool = False
    has_date: bool = False  # or a month: the line's own maturity has come
    has_tenor: bool = False
    can_be: tuple[bool, bool, bool] = ANYTHING  # a pair, a size, a tenor, at the place

    def add(self, token: Token) -> None:
        """Take the next token, left to right."""
        self.found.append(token)
        kind = token.kind
        if kind is LEVEL:
            self.has_level = True
        elif kind is TENOR:
            self.has_tenor = True
        elif kind is MONTH or kind is DATE:
            self.has_date = True


def unit_behind(text: str, end: int, body: str) -> re.Match[str] | None:
    """The unit right behind a value; not the `DM` of margins that stand behind it: `99.8/99.9 DM 62/58`."""
    unit = patterns.UNIT.match(text, end)
    if unit is None or unit[0] not in (" DM", " dm"):
        return unit
    ahead = patterns.MARGIN_AHEAD.match(text, unit.end())
    if ahead is None:
        return unit
    is_margin = int(ahead["bid"]) > int(ahead["ask"]) if ahead["ask"] else "." in body
    return None if is_margin else unit


def level(line: CutLine, at: int, end: int, body: str, side: str | None = None) -> Token:
    """A level of this text, with the unit that stands behind it."""
    unit = unit_behind(line.text, end, body)
    if unit is None:
        return Token(LEVEL, at, end, body, key=side)
    return Token(LEVEL, at, unit.end(), body, key=side, unit=unit["unit"].lower())
