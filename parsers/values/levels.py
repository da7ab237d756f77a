"""Two-sided levels: which text is the bid and which the ask (spec 4.1, 4.4, 4.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from parsers.codes import Flag, QuoteType
from parsers.lexicon import compiled
from parsers.values.markets import PRICES, SPREADS, LevelRules, market_flags
from parsers.values.numbers import Number, Ticks, fraction, is_null, without_footnotes
from parsers.values.shorthand import expanded, level_number


class Pair(Struct, frozen=True, gc=False):
    """A level of one or two sides; `single` is a value whose side the text does not say."""

    bid: Number | None = None
    ask: Number | None = None
    single: Number | None = None
    flags: frozenset[Flag] = frozenset()


_BID_WORDS = compiled(r"\s*\b{bid_beside}\b(?:\s+only)?\s*", re.IGNORECASE)
_ASK_WORDS = compiled(r"\s*\b{ask_beside}\b(?:\s+only)?\s*", re.IGNORECASE)
_WIDE_SEPARATORS = re.compile(r"\s+[-–—]\s+|\s*@\s*|\s+(?:at|to)\s+|\s+[x×]\s+(?=\d{2,3}-[0-3]\d)", re.IGNORECASE)
_PLAIN = re.compile(r"(\d+(?:\.\d+)?)\s*/\s*(\d+(?:\.\d+)?)")  # most levels: one point at least, so no fraction
_GAP = re.compile(r"[\s@]")  # in every wide separator
_LIST_COMMA = re.compile(r"(\d+\.\d+(?=,\s*\d+\.)|\d+\.\d{1,2}(?=,)|\d+(?=,\s*\d\d\.)),\s*(\d+(?:\.\d+)?)")
_LIKE_TICKS = re.compile(r"(?:[6-9]\d|1\d\d)-(?:0[1-9]|[12]\d|3[01])[+\d]?")  # `97-16` is no market in any class
_FEW_POINTS = 10
_NEVER_NEGATIVE = frozenset({QuoteType.price_pct, QuoteType.price_unit, QuoteType.pct_nav})
_NO_TICKS = Ticks.off
_MARKED, _NOT_MARKED = frozenset({Flag.footnoted}), frozenset[Flag]()
_HANDLES = re.compile(r"\d+-\d+")  # among 32nds not two prices: a tick above 31 is refused


def pair(text: str, rules: LevelRules) -> Pair | None:
    """The level that the whole text is: `98.25/75`, `98 1/4 - 3/4`, `99-16+`, `127/`, `98.5 bid`, `-12/-14`.

    None where the text is no level.
    """
    text = text.strip()
    return _pair(text, rules) if 0 < len(text) <= 80 else None


@lru_cache(maxsize=2048)  # a level is read once to tell what it measures, and once for its values
def _pair(text: str, rules: LevelRules) -> Pair | None:
    plain = _PLAIN.fullmatch(text) if "." in text else None
    if plain is not None:
        both = complete(plain[1], plain[2], rules)
        return both if both.bid is not None and both.ask is not None else None
    if is_null(text):
        return None
    worded = _worded(text, rules)
    if worded is not None:
        return worded
    if fraction(text.lstrip("+-−–")) is None:  # without a handle, 1/4 is two values, and -2/16
        alone = level_number(text, rules) if not _is_ask_alone(text, rules) else None
        if alone is not None:
            return Pair(single=alone, flags=alone.flags)
    for left, right in _splits(text, rules):
        found = _both(left, right, rules)
        if found is not None:
            return found
    return None


def _is_ask_alone(text: str, rules: LevelRules) -> bool:
    """`- 42 1/2`: no bid, for no price is below zero."""
    return text[0] in "-–—" and text[1:2] == " " and rules.quote_type in _NEVER_NEGATIVE


def complete(bid_text: str, ask_text: str, rules: LevelRules) -> Pair:
    """Bid and ask out of two texts, the ask possibly in shorthand; a side that is no number is None.

    Footnote marks go first, for shorthand counts digits.
    """
    bid_text, ask_text = bid_text.strip(), ask_text.strip()
    bid_text, ask_text, printed = without_footnotes(bid_text), without_footnotes(ask_text), bid_text + ask_text
    marked = _NOT_MARKED if len(bid_text) + len(ask_text) == len(printed) else _MARKED
    bid = level_number(bid_text, rules)
    if bid is None:
        ask = level_number(ask_text, rules)
        return Pair(ask=ask, flags=marked | ask.flags if ask else marked)
    ask, flags = expanded(bid, ask_text, rules) if ask_text else (None, marked)
    if ask is None:
        return Pair(bid=bid, flags=marked | bid.flags)
    return Pair(bid, ask, flags=marked | flags | bid.flags | ask.flags | market_flags(bid.value, ask.value, rules))


def _worded(text: str, rules: LevelRules) -> Pair | None:
    """`98.5 bid`, `99 offered`, `@ 99`: one side, named."""
    if text[0] == "@":
        ask = level_number(text[1:], rules)
        return Pair(ask=ask, flags=ask.flags) if ask is not None else None
    if text.lower() == text.upper():  # no letters
        return None
    for words, is_bid in ((_BID_WORDS, True), (_ASK_WORDS, False)):
        rest, found = words.subn(" ", text)
        if found:
            value = level_number(rest, rules)
            if value is None:
                return None
            return Pair(bid=value, flags=value.flags) if is_bid else Pair(ask=value, flags=value.flags)
    return None


def _splits(text: str, rules: LevelRules) -> Iterable[tuple[str, str]]:
    """Places where the text may part into bid and ask, likeliest first."""
    if _GAP.search(text):
        for match in _WIDE_SEPARATORS.finditer(text):
            yield text[: match.start()], text[match.end() :]
    listed = _LIST_COMMA.fullmatch(text) if "," in text else None
    if listed is not None:
        yield listed[1], listed[2]
    for mark in "/–-":
        at = text.rfind(mark)
        while at >= 0:
            if mark == "-" and _LIKE_TICKS.fullmatch(text) and _may_be_ticks(text, rules):
                break
            if mark != "-" or rules.thirty_seconds is _NO_TICKS or not _HANDLES.fullmatch(text):
                yield text[:at], text[at + 1 :]
            at = text.rfind(mark, 0, at)


def _may_be_ticks(text: str, rules: LevelRules) -> bool:
    """Whether `71-16` may be meant in 32nds: as a price; as a spread where no market would be as wide."""
    if rules.quote_type in SPREADS:
        bid, _, ask = text.partition("-")
        return len(bid) == len(ask) and ask.isdigit() and int(bid) > 2 * int(ask)  # `120-15` is 120/115
    return rules.quote_type in PRICES and not _are_handles(text)


def _are_handles(text: str) -> bool:
    """`101-102`, `97-100`: two prices, no 32nds with a third digit."""
    bid, _, ask = text.partition("-")
    return ask.isdigit() and len(ask) == len("100") and 0 < int(ask) - int(bid) <= _FEW_POINTS


def _both(left: str, right: str, rules: LevelRules) -> Pair | None:
    """The pair of two texts, or None where one of them is neither number nor null word."""
    left, right = left.strip(), right.strip()
    if is_null(left):
        ask = None if is_null(right) else level_number(right, rules)
        return Pair(ask=ask, flags=ask.flags) if ask is not None else None
    bid = level_number(left, rules)
    if bid is None or is_null(right):
        return Pair(bid=bid, flags=bid.flags) if bid is not None else None
    is_no_bid = fraction(left) is not None and rules.quote_type in PRICES and "/" in right  # 3/4 without a handle
    found = complete(left, right, rules)
    return found if found.ask is not None and not is_no_bid else None
