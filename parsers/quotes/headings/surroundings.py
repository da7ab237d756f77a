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
from parsers.quotes.headings.monies import currency
from parsers.quotes.headings.phrases import heading, struct_of
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
_BETTER = r"better|bessere?r?|mejor(?:es)?|meilleurs?|migliori?e?|melhor(?:es)?"
_PARTY = r"(?:buy|sell)ers?|(?:ver)?käufer|(?:compr|vend|achet)\w+"
AXE = Stemmed.of("axe better besser mejor meill miglior melhor", rf"\b(?:axe[dns]?|(?:{_BETTER})\s+(?:{_PARTY}))\b")
_BUYING = Stemmed.of(
    "buy bid pay wanted look kauf käuf geldseite achat achet compr suchen cherch busc cerch geld denaro",
    r"\b(?:we\s+(?:can\s+)?(?:bid|buy|pay)|(?:axed?\s+)?to\s+buy|better\s+buyers?|buyers?\s+of|we\s*(?:are|'re)\s+(?:axed\s+)?buyers?|our\s+bids|bids?\s+wanted\s+by\s+us|"
    r"bids|bid\s+side|wanted|look(?:ing)?\s+(?:to\s+buy|for)|ankauf|geldseiten?|achats?|acheteu(?:rs?|ses?)|compras?|"
    r"wir\s+(?:suchen|kaufen)|kaufinteressen?|nous\s+(?:achetons|cherchons)|käufer|compratori|compradores|compramos|buscamos|compriamo|cerchiamo)\b|"
    r"^\W*(?:axed?\s+|our\s+|best\s+)?(?:buy(?:ing|ers?)?|bid(?:ding)?)\W*$|\((?:bids?|geld|achat|compra|denaro)\)",
)
_SELLING = Stemmed.of(
    "sell lettera offer offr brief angebot sale go invent kauf käuf vent vend ofer ofre bieten ask",
    r"\b(?:we\s+(?:can\s+)?(?:offer|sell)|(?:axed?\s+)?to\s+sell|better\s+sellers?|sellers?\s+of|we\s*(?:are|'re)\s+(?:axed\s+)?sellers?|offers?|offered|offerings?|"
    r"offer\s+side|briefseiten?|angebote?|angebotslisten?|for\s+sale|to\s+go|inventory|inventaire|inventario|inventário|verkauf|ventes?|vendeu(?:rs?|ses?)|ventas?|vendas?|ofertas|"
    r"wir\s+(?:verkaufen|bieten)|verkaufsinteressen?|nous\s+(?:vendons|offrons)|(?<!d['’])(?<!\bet\s)(?<!\be\s)(?<!/)(?:offres|offerte)(?!\s(?:et|e)\b|\s?/)|(?:niveaux|livelli|niveles|níveis|prix|prezzi|precios)\s(?:offerts|offerti|ofrecidos|ofertados)|verkäufer|venditori|vendedores|vendemos|ofrecemos|oferecemos|vendiamo|offriamo)\b|"
    r"^\W*(?:axed?\s+|our\s+|best\s+)?(?:sell(?:ing|ers?)?|offer|ask)\W*$|\((?:ask|brief|vente|venta|venda|lettera)\)",
)
_TWO_WAYS = Stemmed.of("way bid", r"\b(?:two[- ]ways?|2[- ]ways?|bids?\s*(?:/|and|over|x|-)\s*(?:offers?|asks?))\b")
_MID = Stemmed.of("mid mitte", r"\b(?:mids?|mitte|mittelkurse?)\b(?!\s*[- ]?(?:swaps?|curve|market|month|day|cap))")
_MARK = Stemmed.of(
    "clos eod end mark val schluss bewert ture cierre fecha chius marca",
    r"\b(?:clos(?:es?|ing)|eod|end[-\s]of[-\s]day|marks?|valuations?|evaluated|evals?|(?:schluss|bewertungs)kurse?|cl[oô]ture|valorisations?|cierre|valoraci[oó]n|fechamento|marcação|chiusura|valutazion[ei])\b",
)
_NOT_MARK = re.compile(
    r"\b(?:at|by|until|since|before|after|into|for|on|of|vs|versus)\s+(?:the\s+|our\s+|stock\s+|last\s+)?clos(?:e|ing)\b"
)
_TOLD_LEVEL = re.compile(r"\d[.,]\d|\d/\d")
_FLAT = Stemmed.of("flat accrued", r"\b(?:flat|trading\s+flat|no\s+accrued|without\s+accrued)\b")
_BWIC = Stemmed.of("bwic wanted", r"\bbwics?\b|\bbids?\s+wanted\b(?!\W{1,3}(?:and\s+)?off)")
_OWIC = Stemmed.of("owic wanted", r"\bowics?\b|\boffers?\s+wanted\b(?!\W{1,3}(?:and\s+)?bid)")
_COVERS = Stemmed.of(
    "cover cvr",
    r"\b(?:covers|cvrs|(?:cover|cvr)\s+(?:bids?|prices?|levels?|colou?r))\b"
    r"(?!\s+(?:to\s+(?:follow|come)|later|will|on\s+request|upon|after|available))|^\W*(?:cover|cvr)\W*$",
)
"""What the second best bid was; not `BWIC 10am, covers to follow`."""
_TRADED = Stemmed.of(
    "sale trade print trace gehandelt umsätze traités operado negociado scambiati",
    r"\btrace\b(?!\s+eligible)|\bprints\b(?=\W*(?:$|today|yesterday|from|seen))|\b(?:last\s+sales?|trade[sd]?\s+(?:recap|colou?r|today)|traded|printed|gehandelt|umsätze|traités|operados|negociados|scambiati)\b|"
    r"\btrades\b(?!\s+(?:flat|at|around|with|clean|dirty|cum|ex|plus|wide|wider|tight|tighter|rich|cheap|special|off|on)\b)",
)
_LIVE = Stemmed.of(
    "live way axe offerings inventory",
    r"\b(?:live|(?:two|2)[- ]ways?)\s(?:markets?|prices?|levels?|runs?|quotes?)\b|"
    r"^\W*(?:our\s|best\s|top\s|today'?s\s)?(?:axes|offerings|inventory|(?:two|2)[- ]ways?)\W*$",
)
"""What a dealer makes himself, below marks or trades."""
_INDICATIVE = Stemmed.of(
    "indic indik bindlich bleibend",
    r"\bindic(?:atives?|ations?|s)?\b|\bindikati(?:v(?:e[nrs]?)?|onen)\b|\b(?:unverbindlich|freibleibend)(?:e[nrs]?)?\b|\bindicati(?:f|ve|vos?|fs)\b",
)
_SUBJECT = Stemmed.of("subj", r"\bsubject\b(?!\s+to\s+(?:change|prior))|\bsubj\b")
_FIRM = Stemmed.of("firm", r"\bfirm\s+(?:levels?|prices?|markets?|bids?|offers?)\b|\b(?:all|levels?|prices?)\s+firm\b")
_SIZES = Stemmed.of(
    "size amount qty par notional nomina volum gr mont import lote taill tamañ tamanh quantit $m",
    r"\b(?:sizes?|amounts?|qty|par|notionals?|nominals?|nominales|nominaux|volum(?:en|es?)|gr(?:ö|oe)(?:ß|ss)en|montants?|"
    r"montos?|importes?|importi|tailles?|tamaños?|tamanhos?|quantit(?:à|és?)|lotes?)\b[^.;]{0,24}?\b(?:in|en|em)\s+(?:(?:usd|eur|gbp|cad|chf)\s+)?"
    rf"[$€£]?\s?(?P<unit>{UNIT}|000)\b|\bsizes?\W{{1,3}}(?P<beside>mm|mn|mio)\b|\$(?P<face>mm)\b",
)
_PAR = Stemmed.of("$", r"\$\s?(25|50|100|1,?000)\s*(?:par|pref|preferred|pfd)")
_PROTECTION = re.compile(r"\b(?:CD[SX]|protection|i?Traxx|tranches|single names?|(?:IG|HY) ?S?\d\d)\b", re.IGNORECASE)
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_SETTLE = re.compile(
    rf"\bsett?le(?:ment|s)?\s*:?\s*(T\s?\+\s?\d|(?:{_MONTHS})[a-z]*|reg(?:ular)?|cash)\b", re.IGNORECASE
)
_SPREADS = re.compile(r"\b(?:spreads?|sprds?|spds?|bps?)\b", re.IGNORECASE)
_PRICES = re.compile(
    r"\b(?:levels?|prices?|runs?|quotes?|marks?|cob|clos(?:e|ing)|eod|kurse?|niveaux|cours|niveles|precios|níveis|preços|prezzi|livelli)\b"
)
_32NDS = Stemmed.of("32nd 32s 32t 32e 32a", r"\b32(?:nds?|s?tel|i?e(?:me)?s|esimi|avos)\b")
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
        kind=_kind(lower) if near else None,
        axe=_axe(lower, near=near),
        currency=currency(text, near=near),
        tenor=_tenor(text) if near else None,
        settle=(match[1] if (match := _SETTLE.search(text)) else None),
        flat=_FLAT.search(lower) is not None,
        firmness=_firmness(lower),
        measure=next(iter(measures)) if len(measures) == 1 else None,
        benchmark=words.one("benchmark"),
        size_unit=_size_unit(lower),
        unit_par=(Fraction(match[1].replace(",", "")) if (match := _PAR.search(lower)) else None),
        thirty_seconds=_32NDS.search(lower) is not None,
        option_struct=struct_of(words),
        printed=_printed(text, lower, near=near),
    )


def _printed(text: str, lower: str, *, near: bool) -> Printed | None:
    """When the prices are of; a day in a sentence is theirs only where it speaks of prices."""
    found = printed(text)
    is_theirs = near or found is None or (found.is_as_of and (found.time is not None or _PRICES.search(lower)))
    return found if is_theirs else None


def spoken_measures(text: str) -> tuple[str, ...]:
    """The measures that a heading over rows speaks of, in order; `CDS` alone names the instruments, no measure."""
    found = heading(text).meanings.get("measure", ())
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


def side_said(lower: str) -> str | None:
    """The side that a text in lower case speaks of, if it is one alone."""
    if _BWIC.search(lower) or _OWIC.search(lower) or _TWO_WAYS.search(lower):
        return None
    buying, selling = _BUYING.search(lower) is not None, _SELLING.search(lower) is not None
    if buying != selling:
        return "bid" if buying else "ask"
    return "mid" if _MID.search(lower) and not buying else None


def _kind(lower: str) -> QuoteKind | None:
    if _COVERS.search(lower):
        return QuoteKind.cover
    if _BWIC.search(lower) or _OWIC.search(lower):
        return QuoteKind.owic if _OWIC.search(lower) else QuoteKind.bwic
    if _MARK.search(lower) and not _NOT_MARK.search(lower):
        return QuoteKind.mark
    if _TRADED.search(lower):
        return QuoteKind.trade
    return QuoteKind.market if _LIVE.search(lower) else None


def _axe(lower: str, *, near: bool) -> str | None:
    """An axe list's side; what is better bought or sold in a sentence is the market's talk."""
    if not AXE.search(lower) or not (near or "axe" in lower):
        return None
    side = side_said(lower)
    return side if side in {"bid", "ask"} else "any"


def _firmness(lower: str) -> Firmness | None:
    if _FIRM.search(lower):
        return Firmness.firm
    if _INDICATIVE.search(lower):
        return Firmness.indicative
    return Firmness.subject if _SUBJECT.search(lower) else None


def _size_unit(lower: str) -> Fraction | None:
    match = _SIZES.search(lower)
    if match is None:
        return None
    unit = match["unit"] or match["beside"] or match["face"]
    return Fraction(unit_word(unit, _RULES) or THOUSAND)  # `in 000`


def _stem(file: str) -> str:
    return " ".join(fold(file.rsplit(".", 1)[0].replace("_", " "))).upper()
