"""What a line prints as levels, and none of its quotes is made of: it is refused, so that none is lost unseen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from parsers.codes import LISTS, Flag, QuoteKind, QuoteType
from parsers.quotes.draft import Level
from parsers.quotes.lexer.labels import SIDES, labels
from parsers.quotes.runs.lines.repeats import has_market
from parsers.quotes.runs.marked.reading import Mark, Reading

_MARKET = re.compile(r"\d\+?\s?[/–-]\s?\d")
_YEARS = re.compile(r"\b(?:19|20)\d\d\s?[/–-]\s?(?:19|20)\d\d\b")
_LAST = re.compile(r"(?<![\w.,/'’+-])\d{1,3}(?:[.,]\d{1,6})?(?=\s*\Z)")
_LEAST_TALK = 20
_NAMING = re.compile(r"[^\W\d_]+")
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
        _printed(mark)
        for mark in reading.marks
        if (_MARKET.search(mark.token.text) or _is_bare(mark) or _is_ahead(mark, reading.marks, found))
        and not any(start is not None and end is not None and start <= mark.token.start < end for start, end in places)
    ]


def is_market_alone(reading: Reading) -> bool:
    """Whether a line has a market of what no line names; `1993 - 1994` are years.

    A time in front of it, `1000  15.50/17.00`, and its sides, `Bid/Ask  6.10/5.90`, are no name.
    """
    if reading.named.identifiers or any(
        labels().get(word) not in SIDES for word in _NAMING.findall(reading.named.name.lower())
    ):
        return False
    return any(has_market(mark.token.text) and not _YEARS.match(mark.token.text) for mark in reading.marks)


def is_offer_alone(reading: Reading) -> bool:
    """Whether a line has a day or a coupon and, on a side that a word says, a figure with decimals: it is no story's.

    `Brownsville w/a coupon of 5.25% maturing in 09/01/15 offered at $97.425`: what it is of was not understood.
    """
    named = reading.named
    is_of_bond = bool(named.identifiers) or named.coupon is not None or named.maturity is not None
    return is_of_bond and any(
        mark.side in {"bid", "ask"} and _BARE.fullmatch(mark.token.text) for mark in reading.marks
    )


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


def _printed(mark: Mark) -> str:
    """The level with the sign that makes it a spread or a change."""
    return f"+{mark.token.text}" if mark.token.prefix == "" and mark.token.text[0] not in "-−–" else mark.token.text


def _is_ahead(mark: Mark, marks: Sequence[Mark], found: Sequence[Level]) -> bool:
    """Whether a whole number of which nothing says anything stands in front of a market, whose coupon it is not."""
    if _is_named(mark) or not mark.token.text.isdigit():
        return False
    behind = next((later for later in marks if later.token.start > mark.token.start), None)
    running = {level.running_coupon_bp for level in found}
    return (
        behind is not None
        and _MARKET.search(behind.token.text) is not None
        and Fraction(mark.token.text) not in running
    )


def _is_bare(mark: Mark) -> bool:
    return not (_is_named(mark) or mark.token.unit) and _BARE.fullmatch(mark.token.text) is not None


def _is_named(mark: Mark) -> bool:
    return bool(mark.kind or mark.label or mark.side or mark.token.prefix)
