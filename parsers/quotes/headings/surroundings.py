"""What the words around a table say of all its rows: title, lines above, section, sheet, file, subject (spec 5.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import LISTS, Firmness, QuoteKind
from parsers.quotes.headings.measuring import measure_of
from parsers.quotes.headings.monies import currency
from parsers.quotes.headings.phrases import Heading, heading, struct_of
from parsers.quotes.headings.stances import axe_said, firmness_said, kind_said, side_said
from parsers.values.dates import DELIVERIES
from parsers.values.moments import Printed, printed
from parsers.values.sizes import THOUSAND, UNIT, SizeRules, unit_word
from parsers.values.stems import Stemmed
from parsers.values.tenors import tenor, tenor_first, tenor_in
from parsers.values.words import fold

MAX_LINE = 160
"""Characters of a line above a table that can be its heading; what is longer is talk."""


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


_NOTHING = Surroundings()
_OF_LISTS = LISTS | {QuoteKind.cover}
# These are searched in lower case: a pattern of many words that ignores case is five times as slow.
_TOLD_LEVEL = re.compile(  # not `ref 51.5`, and no day
    r"(?<![\d./])(?<!\bref )(?<!\bref: )(?!\d{1,2}([./])\d{1,2}\1)\d{1,5}(?:[.,]\d|/\d)", re.IGNORECASE
)
_FLAT = Stemmed.of(r"\b(?:flat|trading\s+flat|no\s+accrued|without\s+accrued)\b")
_SIZES = Stemmed.of(
    r"\b(?:sizes?|shares?|amounts?|qty|par|notionals?|nominals?|nominales|nominaux|volum(?:en|es?)|gr(?:ö|oe)(?:ß|ss)en|montants?|"
    r"montos?|stk|st[üu]cke?|importes?|importi|tailles?|tamaños?|tamanhos?|quantit(?:à|és?|y|ies)|lotes?)\b\.?[^.;]{0,24}?\b(?:in|en|em)\s+(?:(?:usd|eur|gbp|cad|chf)\s+)?"
    rf"[$€£]?\s?(?P<unit>{UNIT}|1?[.,']?000)\b|\bsizes?\W{{1,3}}(?P<beside>mm|mn|mio)\b|\$(?P<face>mm)\b",
)
_PAR = Stemmed.of(r"\$\s?(25|50|100|1,?000)\s*(?:par|pref|preferred|pfd)")
_PROTECTION = re.compile(r"\b(?:CD[SX]|protection|i?Traxx|tranches|single names?|(?:IG|HY) ?S?\d\d)\b", re.IGNORECASE)
_SETTLE = re.compile(
    rf"\bsett?le(?:ment|s)?\s*:?\s*(T\s?\+\s?\d|(?:{DELIVERIES})[a-z]*|reg(?:ular)?|cash)\b", re.IGNORECASE
)
_FORWARD = re.compile(r"\b(?:forward|fwd)\b", re.IGNORECASE)
_OUTRIGHT = re.compile(r"\b(?:outrights?|rates?|prices?)\b", re.IGNORECASE)
_SPREADS = re.compile(r"\b(?:spreads?|sprds?|spds?|bps?)\b", re.IGNORECASE)
_PRICES = re.compile(
    r"\b(?:levels?|prices?|runs?|quotes?|marks?|cob|clos(?:e|ing)|eod|kurse?|niveaux|cours|niveles|precios|níveis|preços|prezzi|livelli)\b"
)
_32NDS = Stemmed.of(r"\b32(?:nds?|s?tel|i?e(?:me)?s|esimi|avos)\b")
_RULES = SizeRules()
_FACTS = Surroundings.__struct_fields__


def read(text: str, *, near: bool) -> Surroundings:
    """What one text says.

    Args:
        text: a title, section, line, sheet name or subject.
        near: it stands at the table and is about it; else only what is said in plain words counts.
    """
    return _read(text[:MAX_LINE], near=near) if text else _NOTHING


@lru_cache(maxsize=1024)  # greetings, titles and signatures come again from mail to mail
def _read(text: str, *, near: bool) -> Surroundings:
    words = heading(text) if near else heading("")
    spoken = spoken_measures(text) if near else ()
    measures = {value for value in spoken if value not in {"price", "spread", "rate", "vol"}}
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
    if "fx_rate" in found and _FORWARD.search(text) and not _OUTRIGHT.search(text):
        found = tuple(value for value in found if value != "fx_rate")
    return found if _SPREADS.search(text) else tuple(value for value in found if value != "cds_spread_bp")


def merged(readings: Iterable[Surroundings]) -> Surroundings:
    """Several readings as one; the first that says something about a fact holds."""
    speaking = [reading for reading in readings if reading != _NOTHING]
    if len(speaking) < 2:
        return speaking[0] if speaking else _NOTHING
    facts: dict[str, Any] = {}
    for reading in speaking:
        is_of_list = "side" in facts and reading.kind in _OF_LISTS  # `Offerings` under `BWIC covers`: no longer theirs
        for name in _FACTS:
            value = None if is_of_list and name == "kind" else getattr(reading, name)
            if value is not None and value is not False:
                facts.setdefault(name, value)
    return Surroundings(**facts)


def above(
    titles: Sequence[str], lines: Sequence[str], sheet: str | None, file: str | None, subject: str | None
) -> Surroundings:
    """All that stands around a table, nearest first: its titles bottom-up, lines above it, sheet, file, subject."""
    readings = [read(title, near=True) for title in reversed(titles)]
    readings += [read(line, near=False) for line in reversed(lines) if len(line) <= MAX_LINE]
    readings += [read(name.replace("_", " "), near=True) for name in (sheet, subject) if name]
    if file:
        named = currency(file.rsplit(".", 1)[0].replace("_", " "), near=True)
        told = read(_stem(file), near=False)
        readings.append(replace(told, currency=told.currency or named))
    return merged(readings)


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


def _stem(file: str) -> str:
    return " ".join(fold(file.rsplit(".", 1)[0].replace("_", " "))).upper()
