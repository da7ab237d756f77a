"""The sizes that a text says of all lines under it: `25mm blocks each way unless shown`, `all 5mm x 5mm`."""

from __future__ import annotations

from parsers.gates.stems import Stemmed
from parsers.values.sizes import UNIT, SizePair, SizeRules, size_pair

_ONE = rf"[$€£]?\s?\d{{1,3}}(?:[.,]\d+)?\s?(?:{UNIT}(?![^\W\dx])\.?)?(?!\d)"
_UNITED = rf"[$€£]?\s?\d[\d.,]*\s?(?:{UNIT}\b)\.?"
_PAIR = rf"{_ONE}\s?[x×]\s?{_ONE}"
_AMOUNT = Stemmed.of(
    rf"(?<![\w.,/$€£-])(?:(?P<sided>{_PAIR}|{_UNITED})\s(?:{{size_piece}}\s)?{{size_each}}\b|"
    rf"(?P<pair>{_PAIR}),?\s(?:{{size_piece}}\s)?{{size_unless}}\b)|"
    rf"\b{{size_for_all}}:?\s(?P<led>{_PAIR}|{_UNITED})(?![\w/])|"
    rf"(?:^|[,;(–-]\s?)sizes?(?:\s(?:are|is))?:?\s(?P<named>{_PAIR})(?![\w/])"
)
"""In lower case. A lone amount that only the word `size` names is that of a deal, as often as not."""
_RULES = SizeRules()


def amount_said(lower: str) -> SizePair | None:
    """What a text in lower case says that each line is good for; None where it says nothing of all of them."""
    match = _AMOUNT.search(lower)
    return size_pair(match[match.lastgroup or 0].rstrip(".,"), _RULES) if match is not None else None
