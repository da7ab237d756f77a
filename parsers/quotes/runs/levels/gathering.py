"""Which marks of a line are one level, which are two, and which are none (spec 2.9, 4.6)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from parsers.quotes.classes import SECURITISED, rules_of
from parsers.quotes.draft import Level
from parsers.quotes.runs.levels.halved import parted
from parsers.quotes.runs.marked.reading import Mark

_ONE_SIDED = frozenset({"cover", "trade"})
_CHANGE = re.compile(r"[+\-−–]?\s?(?:[0-4]?(?:[.,]\d+)|[0-4]|[1-7]/8|1/[24])")  # small, with a sign, and no second side
_HYPHENED = re.compile(r"\d{1,3}-\d{1,2}/\d{1,2}")  # `107-5/8 107-3/4`
_PRICE_AND_MARGIN = re.compile(r"(?:[5-9]\d|1[01]\d)\.\d+\s*/\s*[1-9]\d{2,3}")  # of one side, whichever
_PRICE_AND_YIELD = re.compile(r"(?:[5-9]\d|1[0-4]\d)[.,]\d{2,3}\s*/\s*1?\d[.,]\d{2,3}")  # `112.35 / 3.41%`
_BRACKETED = re.compile(r"\(((?:[5-9]\d|1[0-4]\d)[.,]\d{2,3})\)")
_TERM = re.compile(r"(?:[0-2]?\d|3[01])/\d{1,2}")
_POINTS = re.compile(r"\d{1,3}")
_LIFE = re.compile(r"1?\d[.,](\d\d?)")
_INTEREST_ONLY = frozenset({"cmbs", "agency_mbs_cmo"})
"""Classes of strips that cost a few points: `XA  3.25  J+150/140`."""


def gathered(marks: Sequence[Mark], asset_class: str) -> Sequence[Mark]:
    """The marks of a line, one for each level: sides joined, measures parted, changes and strikes dropped."""
    if asset_class in SECURITISED:
        marks = _without_life(marks, asset_class)
    joined = _without_terms(_joined_sides(_split_measures(_priced(marks))), asset_class)
    return _without_strikes(_without_changes(joined), asset_class)


def _without_life(marks: Sequence[Mark], asset_class: str) -> Sequence[Mark]:
    """Without the years that stand bare in front of a deal's level: `CARMX 2025-2 A3  1.9  +58/54`."""
    if len(marks) < 2:
        return marks
    first = marks[0]
    is_told = first.label or first.kind or first.side or first.token.prefix is not None or first.token.unit
    years = _LIFE.fullmatch(first.token.text)
    is_price = years is not None and asset_class in _INTEREST_ONLY and len(years[1]) > 1
    return marks if is_told or years is None or is_price else marks[1:]


def _priced(marks: Sequence[Mark]) -> Sequence[Mark]:
    """With the price that stands in brackets behind another level, and is no negative spread: `3.31 (111.20)`."""
    if not any(mark.token.text[:1] == "(" for mark in marks[1:]):
        return marks
    result = list(marks[:1])
    for mark in marks[1:]:
        price = _BRACKETED.fullmatch(mark.token.text) if not mark.token.prefix else None
        if price is not None:
            token = replace(mark.token, text=price[1], prefix=None)
            mark = replace(mark, token=token, label="price", side=result[-1].side)  # noqa: PLW2901 -- the same mark
        result.append(mark)
    return result


def _split_measures(marks: Sequence[Mark]) -> list[Mark]:
    """`cvr 100.02 / 104dm` is a price and a margin, not a market; so is `offered at 100.25 / 145dm`."""
    result = []
    for mark in marks:
        token = mark.token
        is_one_side = mark.side is not None or mark.kind in _ONE_SIDED or _PRICE_AND_MARGIN.fullmatch(token.text)
        is_yield = token.unit == "%" and _PRICE_AND_YIELD.fullmatch(token.text) is not None
        is_two = is_yield or (is_one_side and "/" in token.text and token.unit == "dm")
        result += parted(mark) if is_two else [mark]
    return result


def _without_terms(marks: Sequence[Mark], asset_class: str) -> Sequence[Mark]:
    """Without what a bond's coupon and year, or a day, make of a slash in front of a side: `TURKEY 25/8 - bid 98`."""
    if len(marks) < 2 or marks[1].side is None or marks[0].side is not None or rules_of(asset_class).curve:
        return marks
    first = marks[0].token
    is_term = first.prefix is None and first.unit is None and _TERM.fullmatch(first.text) is not None
    return marks[1:] if is_term else marks


def _without_changes(marks: Sequence[Mark]) -> list[Mark]:
    """Without the day's change that stands beside a market: `95.625/96.125 +0.25` (spec 2.9)."""
    if not any("/" in mark.token.text for mark in marks):
        return list(marks)
    return [mark for mark in marks if mark.token.prefix != "" or _CHANGE.fullmatch(mark.token.text) is None]


def _without_strikes(marks: Sequence[Mark], asset_class: str) -> Sequence[Mark]:
    """Without the strike of a swaption, in basis points from the forward: `1y10y payer +50   90.5/92`."""
    if asset_class != "swaption" or len(marks) < 2 or "/" in marks[0].token.text:
        return marks
    return marks[1:] if marks[0].token.prefix == "" and "/" in marks[1].token.text else marks


def _joined_sides(marks: Sequence[Mark]) -> list[Mark]:
    """`98.5 bid 99 offer` is one market."""
    result: list[Mark] = []
    for mark in marks:
        last = result[-1] if result else None
        if last is None or not _are_sides(last, mark):
            result.append(mark)
            continue
        token = replace(
            last.token,
            text=f"{last.token.text.rstrip(' /')} / {mark.token.text.lstrip(' /')}",
            end=mark.token.end,
            unit=mark.token.unit or last.token.unit,
        )
        result[-1] = replace(last, token=token, label=mark.label)
    return result


def _is_spread_too(bid: Mark, ask: Mark) -> bool:
    """`T+85 bid, 80 offer`: whole points below the bid's are of the same spread."""
    if not bid.token.prefix or ask.token.prefix is not None or (ask.token.unit, ask.label) != (None, None):
        return False
    points = (bid.token.text.strip("+ /"), ask.token.text.strip("/ "))
    return all(_POINTS.fullmatch(text) for text in points) and int(points[1]) < int(points[0])


def _are_sides(bid: Mark, ask: Mark) -> bool:
    if (
        _HYPHENED.fullmatch(bid.token.text)
        and _HYPHENED.fullmatch(ask.token.text)
        and (bid.side, ask.side) == (None, None)
    ):
        return (bid.label, bid.kind, bid.tenor) == (ask.label, ask.kind, ask.tenor)
    if (bid.side, ask.side) != ("bid", "ask"):
        return False
    if _is_spread_too(bid, ask):
        return True
    label = None if ask.label == "price_unit" else ask.label  # `Geld 98,15 Brief 99,15 EUR`
    return (bid.token.prefix, bid.label, bid.kind) == (ask.token.prefix, label, ask.kind)


def is_of_spread(mark: Mark, before: Level) -> bool:
    """Whether whole points stand within a quarter of the spread in front of them: `T+62/58 last 60`."""
    text, near = mark.token.text, before.bid
    if near is None or not before.quote_type.startswith("spread_") or mark.token.unit or not text.isdecimal():
        return False
    return abs(int(text) - near) * 4 <= abs(near)
