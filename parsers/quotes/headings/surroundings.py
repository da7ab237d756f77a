"""What the words around a table say of all its rows: title, lines above, section, sheet, file, subject (spec 5.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from msgspec import Struct

from parsers.codes import LISTS, Firmness, QuoteKind, QuoteType
from parsers.gates.stems import Stemmed
from parsers.lexicon import compiled
from parsers.quotes.headings.amounts import amount_said
from parsers.quotes.headings.measuring import measure_of
from parsers.quotes.headings.monies import currency
from parsers.quotes.headings.phrases import Heading, heading, struct_of
from parsers.quotes.headings.stances import axe_said, firmness_said, kind_said, side_said
from parsers.values.sizes import THOUSAND, UNIT, SizePair, SizeRules, unit_word
from parsers.values.times.dates import DELIVERIES
from parsers.values.times.moments import Printed, printed
from parsers.values.times.tenors import tenor, tenor_first, tenor_in
from parsers.values.words import fold

MAX_LINE = 160
"""Characters of a line above a table that can be its heading; what is longer is talk."""

STATED = ("side", "kind", "axe", "currency", "tenor", "measure", "firmness", "size_unit", "unit_par", "printed")
"""What `explain` tells of them."""


class Surroundings(Struct, frozen=True, kw_only=True):
    """What holds for the rows until something nearer says otherwise. None: nothing was said."""

    side: str | None = None  # bid, ask, mid
    kind: QuoteKind | None = None
    axe: str | None = None  # bid, ask, or any where axes are meant without a side
    currency: str | None = None
    tenor: str | None = None
    settle: str | None = None
    flat: bool = False
    firmness: Firmness | None = None
    measure: str | None = None
    benchmark: str | None = None
    size_unit: Fraction | None = None
    unit_par: Fraction | None = None
    thirty_seconds: bool = False
    option_struct: str | None = None
    printed: Printed | None = None  # when the prices are of
    sizes: SizePair | None = None  # of each line that prints none


NOTHING = Surroundings()
_OF_LISTS = LISTS | {QuoteKind.cover}
# These are searched in lower case: a pattern of many words that ignores case is five times as slow.
_TOLD_LEVEL = compiled(  # not `ref 51.5`, and no day
    r"(?<![\d./])(?<!\bref )(?<!\bref: )(?!\d{1,2}([./])\d{1,2}\1)\d{1,5}(?:[.,]\d|/\d)", re.IGNORECASE
)
_FLAT = Stemmed.of(r"\b(?:flat|trading\s+flat|no\s+accrued|without\s+accrued)\b")
_SIZES = Stemmed.of(
    rf"\b{{size_noun}}\b\.?[^.;]{{0,24}}?\b{{in_word}}\s+(?:{{currency_small}}\s+)?[$€£]?\s?(?P<unit>{UNIT}|"
    rf"1?[.,']?000)\b|\bsizes?\W{{1,3}}(?P<beside>{{million_unit}})\b|\$(?P<face>mm)\b",
)
_PAR = Stemmed.of(r"\$\s?(25|50|100|1,?000)\s*(?:par|pref|preferred|pfd)")
_PROTECTION = compiled(r"\b(?:{protection}|(?:IG|HY) ?S?\d\d)\b", re.IGNORECASE)
_SETTLE = compiled(
    rf"\bsett?le(?:ment|s)?\s*:?\s*(T\s?\+\s?\d|(?:{DELIVERIES})[a-z]*|{{settle_when}})\b", re.IGNORECASE
)
_FORWARD = compiled(r"\b(?:forward|fwd)\b", re.IGNORECASE)
_OUTRIGHT = compiled(r"\b(?:outrights?|rates?|prices?)\b", re.IGNORECASE)
_SPREADS = compiled(r"\b(?:spreads?|sprds?|spds?|bps?)\b", re.IGNORECASE)
_PRICES = compiled(r"\b{price_word}\b")
_32NDS = Stemmed.of(r"\b{thirty_seconds}\b")
_PARTS = re.compile(r",\s|:\s|\s[-–]\s")
_LISTING = compiled(r"&|\s\+\s|\b(?:and|und)\b|\s{and_foreign}\s|\s/\s(?!{ask_stem})", re.IGNORECASE)
_OF_TRANCHE = compiled(r"\b\d{1,2}\s?-\s?\d{1,3}\s?%?\s+(?:in\s)?{of_tranche}\w*", re.IGNORECASE)
"""What one of several tranches is quoted in: `0-3 upfront, rest running`."""
_EXEMPT = re.compile(r"\b(?:(?:tax[- ]?)?exempts?|GOs?|revs?|revenues?)\b", re.IGNORECASE)
"""Munis that nobody quotes over Treasuries."""
_RULES = SizeRules()
_FACTS = Surroundings.__struct_fields__
_OPEN = frozenset({"price", "spread", "rate", "vol"})
"""Measures of which the class knows what they are."""


def read(text: str, *, near: bool) -> Surroundings:
    """What one text says.

    Args:
        text: a title, section, line, sheet name or subject.
        near: it stands at the table and is about it; else only what is said in plain words counts.
    """
    return _read(text[:MAX_LINE], near=near) if text else NOTHING


@lru_cache(maxsize=1024)  # greetings, titles and signatures come again from mail to mail
def _read(text: str, *, near: bool) -> Surroundings:
    words = heading(text) if near else heading("")
    spoken = _of_all(text) if near else ()
    measures = {value for value in spoken if value not in _OPEN}
    lower = text.lower()
    return Surroundings(
        side=side_said(lower) if near else None,
        kind=kind_said(lower) if near else None,
        axe=axe_said(lower, near=near),
        currency=currency(text, near=near),
        tenor=_tenor(text) if near else None,
        settle=(match[1] if (match := _SETTLE.search(text)) else None),
        flat=_FLAT.search(lower) is not None,
        firmness=firmness_said(lower),
        measure=next(iter(measures)) if len(measures) == 1 else _over_a_curve(words, spoken),
        benchmark=words.one("benchmark"),
        size_unit=_size_unit(lower),
        unit_par=(Fraction(match[1].replace(",", "")) if (match := _PAR.search(lower)) else None),
        thirty_seconds=_32NDS.search(" ".join(fold(text))) is not None,
        option_struct=struct_of(words),
        printed=_printed(text, lower, near=near),
        sizes=amount_said(lower),
    )


def _over_a_curve(words: Heading, spoken: Sequence[str]) -> str | None:
    """Of `Agencies, spreads to UST`, where nothing else is spoken of."""
    return measure_of(words) if spoken == ("spread",) and "benchmark" in words.meanings else None


def _printed(text: str, lower: str, *, near: bool) -> Printed | None:
    """When the prices are of; a day in a sentence is theirs only where it speaks of prices."""
    found = printed(text)
    is_theirs = near or found is None or (found.is_as_of and (found.time is not None or _PRICES.search(lower)))
    return found if is_theirs else None


def spoken_measures(text: str) -> tuple[str, ...]:
    """The measures that a heading over rows speaks of, in order; `CDS`, `forward` alone name the instruments."""
    found = heading(text).meanings.get("measure", ())
    if not found:  # as in most lines
        return found
    is_of_options = "vol" in found  # `Rates vol, premium in bp (forward prem)`
    if "fx_rate" in found and _FORWARD.search(text) and (is_of_options or not _OUTRIGHT.search(text)):
        found = tuple(value for value in found if value != "fx_rate")
    return found if _SPREADS.search(text) else tuple(value for value in found if value != "cds_spread_bp")


def measures_of(text: str) -> tuple[QuoteType | None, ...]:
    """The quote types that a heading speaks of, in order; None for words such as `price` whose type the class knows.

    `spread` alone is over nobody knows what. Of things listed, as in `TIPS & b/e`, none is what all lines are.
    """
    if _LISTING.search(text):
        text = ", ".join(part for part in _PARTS.split(text)[1:] if not _LISTING.search(part))
    return tuple(dict.fromkeys(map(_type_of, _of_all(text))))


def _of_all(text: str) -> tuple[str, ...]:
    """The measures that a heading over rows says of all of them."""
    spoken = spoken_measures(_OF_TRANCHE.sub(" ", text)) if text else ()
    if "spread_bench_bp" in spoken and _EXEMPT.search(text):  # of others it is: `GO, rev, taxable`
        spoken = tuple(name for name in spoken if name != "spread_bench_bp")
    if any(name.startswith("spread_") for name in spoken):  # `spread vs midswap`
        spoken = tuple(name for name in spoken if name != "spread")
    if not _OPEN.issuperset(spoken):  # `Rates vol, swaption premium in bp`: the market, and what is quoted
        spoken = tuple(name for name in spoken if name not in {"rate", "vol"})
    if "price_unit" in spoken:  # `Kurse, Geld/Brief je Stück`
        spoken = tuple(name for name in spoken if name != "price")
    return spoken


def _type_of(name: str) -> QuoteType | None:
    if name == "spread":  # of what, the class knows
        return QuoteType.spread_unspecified_bp
    return QuoteType(name) if name in QuoteType.__members__ else None


def merged(readings: Iterable[Surroundings]) -> Surroundings:
    """Several readings as one; the first that says something about a fact holds."""
    speaking = [reading for reading in readings if reading != NOTHING]
    if len(speaking) < 2:
        return speaking[0] if speaking else NOTHING
    facts: dict[str, Any] = {}
    for reading in speaking:
        is_of_list = "side" in facts and reading.kind in _OF_LISTS  # `Offerings` under `BWIC covers`: no longer theirs
        for name in _FACTS:
            value = None if is_of_list and name == "kind" else getattr(reading, name)
            if value is not None and value is not False:
                facts.setdefault(name, value)
    return Surroundings(**facts)


def _tenor(text: str) -> str | None:
    """The tenor that a text is or begins with, or that a heading over credit protection names: `Sovereign CDS, 5Y USD`.

    A sentence that has levels itself tells of the market: `CDX EM 98.2, UST 10y 4.14`.
    """
    is_heading = ("/n" in text.lower() or _PROTECTION.search(text)) and not _TOLD_LEVEL.search(text)
    return tenor_in(text) if is_heading else (tenor if _TOLD_LEVEL.search(text) else tenor_first)(text)


def _size_unit(lower: str) -> Fraction | None:
    match = _SIZES.search(lower)
    if match is None:
        return None
    unit = match["unit"] or match["beside"] or match["face"]
    return Fraction(unit_word(unit, _RULES) or THOUSAND)  # `in 000`
