"""What a covering note says of the prices in the attachments, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from parsers.codes import QuoteKind
from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.stances import AXE, WE_BUY, WE_SELL, side_said
from parsers.quotes.headings.surroundings import Surroundings, merged, read
from parsers.values.currencies import CODE
from parsers.values.stems import Stemmed

# These are searched in lower case: a pattern of many words that ignores case is five times as slow.
_OF_PRICES = Stemmed.of(
    r"\b(?:all(?:es?|e[nr])?|everything|tou(?:s|t|tes)|tod[oa]s?|tutt[eio]|prices?|pricing|levels?|quotes?|sizes?|amounts?|"
    r"kurse|preise|größen|niveaux|prix|tailles|precios|niveles|montos|preços|níveis|montantes|prezzi|livelli|importi|"
    r"attached|attachment|enclosed|anbei|angehängt|anhang|joints?|jointe|adjunt[oa]s?|anexos?|allegat[oia])\b",
)
"""Of a covering note, what is about the prices beside it: `all USD`, `EUR sheet attached`; not `our EUR colleagues`."""
_SIDED = Stemmed.of(
    r"\b(?:(?:all|everything|alles?|nur)\s+(?:(?:is|are|on\s+the|auf\s+der)\s+)?"
    r"(?:(?:offer|bid)[- ]side|(?:brief|geld)seite|offered(?!\s+(?:at|by|in)\b))|"
    r"axed\s+to\s+(?:buy|sell)|(?:bids|offers)\s+only|"
    r"our\s+(?:\w+\s+){0,2}(?:bids|offers)\b.*\battached|attached\b.*\bour\s+(?:\w+\s+){0,2}(?:bids|offers)|"
    r"(?<!your\s)(?:offerings|inventory)\b.*\battached|attached\b.*(?<!your\s)\b(?:offerings|inventory)|"
    r"(?:offered|offer[- ]side|bid[- ]side|mid(?:[- ]market)?)\s+(?:levels|prices|rates|yields|marks)|"
    r"(?:indicative|closing|all|are)\s+mids)\b|,\s+mids\W*$",
)
"""Of a covering note, what says on which side all of it is: `we are axed to sell everything listed`."""
_WHOLE = re.compile(
    r"\b(?:attached|attachment|enclosed|(?:the|this|below|following)\s+(?:list|sheet|file)|everything|"
    r"(?:all|every(?:\s+one)?)(?:\s+(?:of\s+)?(?:these|them|those|lines?|bonds?|names?|items?|are))?|"
    r"anbei|angehängt|anhang|alles?|ci-joint|pièce\s+jointe|tous|toutes|adjunt[oa]s?|tod[oa]s?|anexos?|allegat[oia]|tutt[eio])\b"
)
"""What a sentence of a note calls all that is in the attachments."""
_STANCE = Stemmed.of(
    r"\b(?:(?:we|i)(?:\s+(?:are|am)|['’](?:re|m))?\s+(?:\w+\s+){0,2}?(?:to\s+(?:buy|sell)|buyers?|sellers?)|"
    r"looking\s+to\s+(?:buy|sell)|for\s+sale|are\s+(?:all\s+)?(?:offers|bids|offerings|offered)|"
    rf"{WE_BUY}|{WE_SELL})\b",
)
"""What it says that the desk would do with it."""
_OTHERS = re.compile(r"\b(?:you|if|not|clients?|customers?|falls|wenn|nicht|sie|si|vous|clientes?)\b|n['’]t\b")
"""In front of it: nobody's, or another's: `let us know if you are looking to buy`, `if you have them for sale`."""
_SHEET = rf"(?P<{{}}>{CODE})\b(?:\s+(?!and\b|vs\b)[\w&'-]+){{{{1,4}}}}?"
_CURRENCY = re.compile(
    rf"\b{_SHEET.format('before')}\s+(?:(?:is|are)\s+)?(?i:attached|enclosed)\b|"
    rf"\b(?i:attached|enclosed)\s+(?:(?:is|are|our|the|today'?s|latest)\s+)*(?P<behind>{CODE})\b(?!\s*(?:and\b|[&/,]))|"
    rf"\((?P<last>{CODE})\)\W*$|(?:^|[.;!]\s+)(?:(?i:all|in)\s+){{0,2}}(?P<alone>{CODE})\s*(?:[.;!]|$)"
)
"""Of a covering note, whose currency the prices are in: `EUR floaters attached`, `our USD run attached`, `EUR.`."""
_BY_PIECE = Stemmed.of(
    r"\b(?:(?:je|pro)\s+(?:stück|zertifikat)|per\s+(?:unit|certificate|share|warrant)|par\s+(?:titre|certificat)|"
    r"por\s+(?:título|certificado)|per\s+certificato)\b",
)
"""Of a covering note, that what is quoted is the price of a piece: `Preise in EUR je Stück`."""
_CLOSING = re.compile(
    r"\b(?:schlusskurse|(?:closing|month[- ]end|end[- ]of[- ]day|eod)\s+(?:levels|prices|marks|quotes|valuations)|"
    r"(?:cours|niveaux|prix)\s+de\s+clôture|(?:precios|niveles)\s+de\s+cierre|preços\s+de\s+fechamento|"
    r"prezzi\s+di\s+chiusura)\b(?!\s+(?:to\s+follow|later))"
)
"""Of a covering note, that the prices are marks: `anbei die Schlusskurse vom 20.11.`."""
_UPFRONT = re.compile(r"\b(?:pts|points|%)\s+up-?\s?front\b|\bup-?front\s?\+\s?\d{3}\b")
"""Of a covering note, that protection is paid for at once: `pts upfront + 500 running`."""
_OF_SPREADS = Stemmed.of(
    r"\b(?:spreads?|sprds?|levels)\s+(?:are\s+)?(?:vs?\.?|over|to|versus|against)\b|\bt\s?\+\s?(?:spreads?|sprds?)\b",
)
"""Of a covering note, what the spreads are over: `spreads vs Canada curve`."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")


@lru_cache(maxsize=1024)  # a dealer's covering note is the same every day
def noted(lines: tuple[str, ...]) -> Surroundings:
    """What the lines of a covering note say of the prices in the attachments, in plain words."""
    said = merged(read(line, near=False) for line in of_prices(lines))
    stated = {match[match.lastgroup or ""] for line in lines if (match := _CURRENCY.search(line))}
    if said.currency is None and len(stated) == 1:
        said = replace(said, currency=stated.pop())
    over = {heading(line).one("benchmark") for line in lines if _OF_SPREADS.search(line.lower())} - {None}
    if len(over) == 1:
        said = replace(said, benchmark=over.pop())
    lowered = [line.lower() for line in lines]
    if any(map(_BY_PIECE.search, lowered)):
        said = replace(said, measure="price_unit")
    elif any(map(_UPFRONT.search, lowered)):
        said = replace(said, measure="upfront_pts")
    if any(_CLOSING.search(line) for line in lowered if _OF_PRICES.search(line)):
        said = replace(said, kind=QuoteKind.mark)
    for text in (sentence for line in lowered for sentence in _SENTENCE.split(line) if _is_sided(sentence)):
        side = side_said(text)
        if side is not None:
            return replace(said, side=side, axe=said.axe or (side if AXE.search(text) else None))
    return said


def _is_sided(lower: str) -> bool:
    """Whether a sentence in lower case says on which side all prices are, and does not ask anybody."""
    stance = _STANCE.search(lower)
    is_ours = stance is not None and bool(_WHOLE.search(lower)) and not _OTHERS.search(lower, 0, stance.end())
    return (is_ours or _SIDED.search(lower) is not None) and not lower.endswith("?")


def of_prices(lines: Iterable[str]) -> list[str]:
    """The lines of a covering note that are about the prices beside it."""
    return [line for line in lines if _OF_PRICES.search(line.lower())]
