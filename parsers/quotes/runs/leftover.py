"""What a line prints as levels, and none of its quotes is made of: it is refused, so that none is lost unseen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.codes import LISTS, Flag, QuoteKind, QuoteType
from parsers.quotes.draft import Level
from parsers.quotes.runs.reading import Mark, Reading
from parsers.quotes.runs.repeats import has_market

_MARKET = re.compile(r"\d\+?\s?[/–-]\s?\d")
_YEARS = re.compile(r"\b(?:19|20)\d\d\s?[/–-]\s?(?:19|20)\d\d\b")
_LAST = re.compile(r"(?<![\w.,/'’+-])\d{1,3}(?:[.,]\d{1,6})?(?=\s*\Z)")
_LEAST_TALK = 20
_BARE = re.compile(r"\d{1,4}[.,]\d{1,6}")
"""A value of which nothing says anything; a whole number may be a size, a term, a rank."""


def leftover(reading: Reading, found: Sequence[Level]) -> list[str]:
    """The texts of such markets and bare values, in the order printed.

    Args:
        reading: of the line.
        found: its levels, with their places in the line.
    """
    places = [(level.char_start, level.char_end) for level in found]
    return [
        mark.token.text
        for mark in reading.marks
        if (_MARKET.search(mark.token.text) or _is_bare(mark))
        and not any(start is not None and end is not None and start <= mark.token.start < end for start, end in places)
    ]


def is_market_alone(reading: Reading) -> bool:
    """Whether a line has a market of what no line names; `1993 - 1994` are years."""
    if reading.named.name or reading.named.identifiers:
        return False
    return any(has_market(mark.token.text) and not _YEARS.match(mark.token.text) for mark in reading.marks)


def ends_in_figure(reading: Reading, text: str) -> bool:
    """Whether a line without a level ends in a figure that is neither a term of its instrument nor a size.

    What has a coupon and a maturity is told by more than the last figure, which may be a telephone's.
    """
    match, named = _LAST.search(text), reading.named
    if match is None or reading.sizes or named.is_bond:
        return False
    terms = (named.coupon, named.maturity, named.margin, named.tenor, named.quantity, named.tranche)
    return not any(term is not None and term.endswith(match[0]) for term in terms)


def is_any_figure(found: Sequence[Level], kind: QuoteKind | None) -> bool:
    """Whether a bare value on a list of what is wanted is below any likely price: rather the size of what is listed."""
    if kind not in LISTS:
        return False
    return any(
        level.mid is not None and level.mid < _LEAST_TALK and level.quote_type is QuoteType.price_pct
        for level in found
        if Flag.side_assumed in level.flags
    )


def is_either(reading: Reading, found: Sequence[Level]) -> bool:
    """Whether of two bare values the one that was read is no likelier a level than the other: `5y, 5.000, 1.607`."""
    others = [mark for mark in reading.marks if _is_bare(mark)]
    return len(others) == len(reading.marks) > len(found) == 1 and Flag.side_assumed in found[0].flags


def _is_bare(mark: Mark) -> bool:
    is_named = mark.kind or mark.label or mark.side or mark.token.prefix or mark.token.unit
    return not is_named and _BARE.fullmatch(mark.token.text) is not None
