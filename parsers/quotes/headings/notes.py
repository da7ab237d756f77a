"""What a covering note says of the prices in the attachments, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec.structs import replace

from parsers.codes import QuoteKind
from parsers.gates.stems import Stemmed
from parsers.lexicon import compiled
from parsers.quotes.headings.stances import AXE, side_said
from parsers.quotes.headings.surroundings import Surroundings, merged, read
from parsers.values.currencies import CODE

# These are searched in lower case: a pattern of many words that ignores case is five times as slow.
_OF_PRICES = Stemmed.of(
    r"\b{of_prices}\b",
)
"""Of a covering note, what is about the prices beside it: `all USD`, `EUR sheet attached`; not `our EUR colleagues`."""
_SIDED = Stemmed.of(
    r"\b(?:{all_of_it}\s+(?:{is_all}\s+)?(?:{offer_side}|offered(?!\s+{offered_at}\b))|{sided_only}|"
    r"{our}\s+(?:\w+\s+){0,2}{sides}\b.*\b{attached}|{attached}\b.*\b{our}\s+(?:\w+\s+){0,2}{sides}|"
    r"(?<!your\s){own_stock}\b.*\b{attached}|{attached}\b.*(?<!your\s)\b{own_stock}|"
    r"{sided_word}\s+{quoted_noun}|{mids_of}\s+{mids})\b|,\s+{mids}\W*$",
)
"""Of a covering note, what says on which side all of it is: `we are axed to sell everything listed`."""
_WHOLE = compiled(r"\b{whole_list}\b")
"""What a sentence of a note calls all that is in the attachments."""
_STANCE = Stemmed.of(
    r"\b(?:{we}(?:\s+{are}|['’]{are_short})?\s+(?:\w+\s+){0,2}?{stance_taken}|{looking_to}|{stance_of_list}|"
    r"{desk_buys}|{desk_sells})\b",
)
"""What it says that the desk would do with it."""
_OTHERS = compiled(r"\b{others}\b|n['’]t\b")
"""In front of it: nobody's, or another's: `let us know if you are looking to buy`, `if you have them for sale`."""
_SHEET = rf"(?P<{{}}>{CODE})\b(?:\s+(?!and\b|vs\b)[\w&'-]+){{{{1,4}}}}?"
_CURRENCY = compiled(
    rf"\b{_SHEET.format('before')}\s+(?:{{is_are}}\s+)?(?i:{{enclosed}})\b|"
    rf"\b(?i:{{enclosed}})\s+(?:{{enclosed_so}}\s+)*(?P<behind>{CODE})\b(?!\s*(?:and\b|[&/,]))|"
    rf"\((?P<last>{CODE})\)\W*$|(?:^|[.;!]\s+)(?:(?i:{{all_in}})\s+){{0,2}}(?P<alone>{CODE})\s*(?:[.;!]|$)"
)
"""Of a covering note, whose currency the prices are in: `EUR floaters attached`, `our USD run attached`, `EUR.`."""
_BY_PIECE = Stemmed.of(
    r"\b{by_piece}\b",
)
"""Of a covering note, that what is quoted is the price of a piece: `Preise in EUR je Stück`."""
_CLOSING = compiled(r"\b{closing_prices}\b(?!\s+(?:to\s+follow|later))")
"""Of a covering note, that the prices are marks: `anbei die Schlusskurse vom 20.11.`."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")


@lru_cache(maxsize=1024)  # a dealer's covering note is the same every day
def noted(lines: tuple[str, ...]) -> Surroundings:
    """What the lines of a covering note say of the prices in the attachments, in plain words."""
    said = merged(read(line, near=False) for line in of_prices(lines))
    stated = {match[match.lastgroup or ""] for line in lines if (match := _CURRENCY.search(line))}
    if said.currency is None and len(stated) == 1:
        said = replace(said, currency=stated.pop())
    lowered = [line.lower() for line in lines]
    return _with_side(_with_measure(said, lowered), lowered)


def _with_measure(said: Surroundings, lowered: Sequence[str]) -> Surroundings:
    """With what prices are by: a piece or up front; and that they are of the close."""
    if any(map(_BY_PIECE.search, lowered)):
        said = replace(said, measure="price_unit")
    if any(_CLOSING.search(line) for line in lowered if _OF_PRICES.search(line)):
        said = replace(said, kind=QuoteKind.mark)
    return said


def _with_side(said: Surroundings, lowered: Sequence[str]) -> Surroundings:
    """With the side that the first sentence of one names."""
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
