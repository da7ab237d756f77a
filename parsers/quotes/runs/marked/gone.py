"""Levels that nobody makes any more, or nobody made: `now 100.5/101 (was 100/100.5)`, `priced at 99.5` (spec 2.9)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.lexicon import compiled
from parsers.quotes.lexer.token import LEVEL, WORD, Token
from parsers.quotes.runs.marked.reading import Mark, Reading

_BEFORE = frozenset(
    {
        "was",
        "were",
        "prev",
        "previous",
        "previously",
        "prior",
        "yest",
        "yesterday",
        "gestern",
        "ayer",
        "hier",
        "ieri",
        "ontem",
        "vorher",
        "antes",
        "avant",
        "prima",
    }
)
_PERIODS = frozenset({"wk", "week", "month", "mth", "night", "year", "yr", "friday", "fri"})
"""Behind `last` and in front of what was."""
_ISSUED = frozenset({"priced", "pricing", "issued", "launched", "reoffer", "reoffered"})
"""In front of what a new issue cost."""
_MOVED = compiled(
    r"(?<![\w.])(?:[+-]\d[\d./ ]*{change_unit}?|unch(?:anged)?|"
    r"{direction}(?:\s\d[\d./]*)?(?:\s?{change_unit})?)\s(?:to|at)\s\d[\d.,]*(?![.,]?\d|"
    r"\s?{size_unit}\b|\s?/\s?\d|\s?[-–]\s?\d)"
)
"""A lone level that is where something went: `CHTR 4.5 32 +3/4 to 87.25`."""

_PRICED = re.compile(r"(?<![\d.,/])\d{2,3}[.,]\d{1,4}$")


def is_gone(found: Sequence[Token], token: Token, *, german: bool) -> bool:
    """Whether the word in front of a level says that it is gone; `from` says so only beside another level."""
    at = found.index(token)
    behind = at - 2 if at > 1 and found[at - 1].text == "at" else at - 1
    before = found[behind]
    if at == 0 or before.kind is not WORD:
        return False
    word = before.text.lower().lstrip("(")
    if word in _PERIODS and behind and found[behind - 1].text.lower() == "last":
        return True
    has_other = any(other.kind is LEVEL for other in found if other is not token)
    is_before = word in _BEFORE and not (german and word == "hier")  # `hier 98,5/99`: here, and not yesterday
    return word in _ISSUED or is_before or (word == "from" and has_other)


def is_move(lower: str) -> bool:
    """Whether a text in lower case says where a price went, which is the day's story and no quote."""
    return (" to " in lower or " at " in lower) and _MOVED.search(lower) is not None


def is_change_alone(reading: Reading) -> bool:
    """Whether the only level is a bare signed number behind what looks like a price: `L+300 7/23/28 100.61  -0.36`.

    It is the day's change, and the price was taken for a part of the name: nothing of the line can be believed.
    """
    if len(reading.marks) != 1 or _PRICED.search(reading.named.name.rstrip(" |")) is None:
        return False
    (mark,) = reading.marks
    return mark == Mark(mark.token) and mark.token.prefix == "" and "/" not in mark.token.text
