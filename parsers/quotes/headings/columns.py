"""What a column's heading says: its role, and side, measure, kind, unit and the like (spec 5.3, 5.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import QuoteKind
from parsers.lexicon import compiled
from parsers.quotes.headings.measuring import measure_of, over_a_curve, side_of
from parsers.quotes.headings.phrases import heading, struct_of
from parsers.quotes.headings.roles import IDENTIFIERS, IGNORED, LEVEL, UNKNOWN, role_of
from parsers.quotes.headings.titling import title_in
from parsers.values.currencies import CODE
from parsers.values.indices import INDEX
from parsers.values.words import fold

if TYPE_CHECKING:
    from parsers.quotes.headings.phrases import Heading

MAX_PART = 300
"""Characters of a heading's cell; what is behind them is not searched."""

_CLOCKS = {"clock", "ignore", "language"}
_YEAR = re.compile(r"[^\W\d]{3,}[-\s'’]?(?:20)?(?:2[4-9]|3\d)(?!\d)")
"""Behind a month: `Dec-26`; `18-Nov` is a day."""
_CROSS = re.compile(rf"\b(?:{CODE})\s?/\s?(?:{CODE})\b")
_OWN_SIDE = compiled(r"\b(?:we )?(?:pay|receive) ?\(({side_english})\)", re.IGNORECASE)
"""Of swaps, where who receives may be the bid: `We receive (bid)`."""
_INDEX = re.compile(
    rf"(?<=\S)\s*(?:\((?:v\.?s?\.? )?(?:{INDEX}|OIS|[36]mE)\)|v\.?s?\.?\s[136]m[es]?\b)",
    re.IGNORECASE,
)
_FIXED_BY = re.compile(rf"\b\d{{1,2}}\s?m(?:th)?\s?(?:LIBOR\b|{INDEX})", re.IGNORECASE)  # `6m Euribor`: of its fixings
_SCENARIO = re.compile(r"[+\-−–±]\s?\d{2,3}\s?bps?", re.IGNORECASE)  # of an analysis: `+25bp`
_WING = compiled(r"\b(?:5|10|15|25|35)\s?{delta_word}\s?(?:{put_or_call}|[pc])\b", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


class Column(Struct, frozen=True, kw_only=True):
    """One column of a table."""

    at: int  # index of its cells in a row
    text: str  # its heading, parts joined by a space
    role: str = UNKNOWN
    side: str | None = None  # bid, ask, mid, both
    measure: str | None = None  # a quote type, or price, spread, rate, vol: the class says which
    kind: QuoteKind | None = None
    unit: Fraction | None = None  # multiplier of sizes
    counted: str | None = None  # shares, contracts: what a size counts
    mark: str | None = None  # bp, pct, pts, as printed in the heading
    thirty_seconds: bool = False
    tenor: str | None = None
    month: str | None = None  # as printed
    option_struct: str | None = None
    currency: str | None = None
    benchmark: str | None = None
    title: str | None = None  # words nobody knows: in grids the instrument
    record: str | None = None  # sure, likely: a column of a statement, a confirmation, research
    clock: bool = False  # days or times that the quotes are of
    clear: bool = True  # every word of the heading itself is known
    side_assumed: bool = False
    unheaded: bool = False  # no heading says what it is: it is known by what it holds

    @property
    def is_level(self) -> bool:
        """Whether it holds prices of any measure."""
        return self.role == LEVEL


def column(at: int, parts: tuple[str, ...]) -> Column:
    """The meaning of a heading that stands in one cell or in several on top of each other, uppermost first."""
    if max(map(len, parts), default=0) > MAX_PART:
        parts = tuple(part[:MAX_PART] for part in parts)
    return _column(at, parts)


@lru_cache(maxsize=4096)
def _column(at: int, parts: tuple[str, ...]) -> Column:
    found = _meaning(parts)
    return replace(found, at=at) if at else found


@lru_cache(maxsize=4096)  # the same headings stand in other places, and names in other rows of a turned table
def _meaning(parts: tuple[str, ...]) -> Column:
    """As the first column."""
    text = " ".join(parts)
    set_apart = _set_apart(parts, text)
    if set_apart is not None:
        return set_apart
    found = heading(text)
    last = parts[-1] if parts else text
    own = heading(last)
    if not found.meanings:
        return Column(at=0, text=text, title=title_in(parts, found), clear=not (parts and own.unknown))
    unknown = _unknown(own, last)
    is_qualified = bool(unknown) and not _outside_brackets(last, unknown)
    role = role_of(found)
    if role == "description" and own.one("field") in IDENTIFIERS:  # `Anleihe` over `ISIN` and over `Name`
        role = own.meanings["field"][0]
    measure = measure_of(found)
    return Column(
        at=0,
        text=text,
        role=role,
        side=side_of(found),
        measure=measure if measure is not None else over_a_curve(found, text),
        kind=_kind(found),
        unit=_unit(found),
        counted=_counted(found),
        mark=found.one("mark_unit"),
        thirty_seconds="notation" in found.meanings,
        tenor=None if _FIXED_BY.search(text) else found.one("tenor"),
        month=found.one("month") if len(found.meanings.get("month", ())) == 1 else None,  # `Dec/Jan Roll` is of both
        option_struct=struct_of(found),
        currency=found.one("currency"),
        benchmark=found.one("benchmark"),
        title=None if is_qualified else title_in(parts, found),
        record=found.one("record"),
        clock="clock" in found.meanings and not found.unknown and found.meanings.keys() <= _CLOCKS,
        clear=not unknown or is_qualified,
    )


def _set_apart(parts: tuple[str, ...], text: str) -> Column | None:
    """The column of a heading that is understood without a part of it: a pair, an index, whose side it is.

    None of any other.
    """
    crossed = _CROSS.search(text)
    if crossed is not None:  # `EUR/USD 25RR`: the pair is what is quoted, no currency
        rest = column(0, _without(_CROSS, parts))
        return replace(rest, text=text, title=crossed[0], clear=len(parts) > 1 and rest.clear)
    if _OWN_SIDE.search(text):
        return replace(column(0, tuple(_OWN_SIDE.sub(r"\1", part) for part in parts)), text=text)
    if _INDEX.search(text):  # `ASW (SONIA)`
        return replace(column(0, _without(_INDEX, parts)), text=text)
    is_scenario = _SCENARIO.fullmatch(text) is not None
    if is_scenario or (text.startswith("#") and len(text) > 1) or _WING.search(text):  # `# bids`; `25D Put`: no 25 days
        return Column(at=0, text=text, role=IGNORED, record="sure" if is_scenario else None)
    return None


def _outside_brackets(text: str, unknown: Iterable[str]) -> tuple[str, ...]:
    """Those of the words that nobody knows that are no qualifier in brackets: none of `Bid % (without ACI)`."""
    outside = _BRACKETS.sub(" ", text)
    return tuple(word for word in unknown if not heading(outside).meanings or word in fold(outside))


def _without(pattern: re.Pattern[str], parts: tuple[str, ...]) -> tuple[str, ...]:
    """The parts without what a pattern finds in them; as one where it is found across them: `ASW` over `(SONIA)`."""
    rest = tuple(pattern.sub(" ", part).strip() for part in parts)
    return tuple(filter(None, rest if rest != parts else (pattern.sub(" ", " ".join(parts)).strip(),)))


def _unknown(own: Heading, text: str) -> tuple[str, ...]:
    """The words that nobody knows, but for the number of a speed, `Yld to 4 CPR`, and the year of a month, `Dec-26`."""
    is_numbered = "speed" in own.meanings or ("month" in own.meanings and _YEAR.search(text) is not None)
    return tuple(word for word in own.unknown if not (is_numbered and word.isdigit()))


def _kind(found: Heading) -> QuoteKind | None:
    kinds = found.meanings.get("kind", ())
    kind = "mark" if {"mark", "trade"} <= set(kinds) else found.one("kind")  # `Last close`
    return QuoteKind(kind) if kind and kind != "result" else None


def _unit(found: Heading) -> Fraction | None:
    unit = found.one("unit")
    return Fraction(unit) if unit else None


def _counted(found: Heading) -> str | None:
    sizes = found.meanings.get("size", ())
    if sizes and found.one("field") == "ref_price":  # `Volumen (Stk)`: pieces, no stock
        return "shares"
    return next((kind for kind in ("shares", "contracts", "par") if kind in sizes), None)
