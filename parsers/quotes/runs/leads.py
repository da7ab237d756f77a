"""A heading on the line of its first instrument: `Linkers: UKTI 0.75 33  1.12/1.11` (spec 5.11)."""

from __future__ import annotations

import re

from msgspec import Struct

from parsers.quotes.classes import class_by_words, rules_of
from parsers.quotes.headings.remarks import is_ticker
from parsers.quotes.lexer.labels import SIDES, labels
from parsers.quotes.runs.lines.results import result_of
from parsers.quotes.runs.marked.wishes import is_wish
from parsers.values.times.dates import DELIVERIES

_LEAD = re.compile(
    r"\s*(?:[-•*]\s+)?(?P<words>[A-Za-z][^\d:]{1,30}:|(?:CDS|Specials)\s(?:\d{1,2}[yYwWmM]|[OTS]/?N):)"
    r"\s+(?=[A-Z][^:\d]*\d[^:]*$)"
)
_EXPIRY = re.compile(rf"(?=[A-Z][a-z])(?i:{DELIVERIES})\w*\s")
_OF_TENORS = re.compile(r"\s*(?P<words>[A-Za-z][^\d:]{1,30}:)\s+(?=\d{1,2}[yYmM]\s)")


class Lead(Struct, frozen=True, gc=False):
    """A heading in front of an instrument."""

    words: str
    end: int  # where the rest begins; 0 where the heading is of the line's instrument, too


def lead_of(text: str, current: str | None) -> Lead | None:
    """The heading in front of a line's instrument; None on most lines.

    Args:
        text: the line.
        current: class of the headings above it.
    """
    if ":" not in text or is_ticker(text):
        return None
    match = _LEAD.match(text)
    if match is not None:
        words = match["words"]
        if _EXPIRY.match(text, match.end()):  # of the instrument in front: `IBOXHY: Dec SOFR-40/-5`
            return None
        if labels().get(text[match.end() :].split(" ", 1)[0].lower()) in SIDES:  # `Kapitalschutz SMI: Geld 94,40`
            return None
        return Lead(words, 0 if is_wish(words) else match.end()) if result_of(text) is None else None
    match = _OF_TENORS.match(text)
    named = class_by_words(match["words"]) if match is not None else None
    if match is None or named in (None, current) or not rules_of(named or "").curve:
        return None
    return Lead(match["words"], 0)
