"""The sizes that a text says of all lines under it: `25mm blocks each way unless shown`, `all in 5mm x 5mm`."""

from __future__ import annotations

from parsers.gates.stems import Stemmed
from parsers.values.sizes import UNIT, SizePair, SizeRules, size_pair

_UNITED = rf"(?:[$€£]\s?\d[\d.,]*\s?{UNIT}|\d[\d.,]*\s?(?!m\b){UNIT})\b\.?"
"""With a unit; a lone `m` without a currency is months as often: `all in 3m Euribor`."""
_BARE = r"(?:\d{1,2}|100)(?![\d.,])"
_PAIR = rf"(?:{_UNITED}|{_BARE})\s?[x×]\s?{_UNITED}"
_BARE_PAIR = rf"{_BARE}\s?[x×]\s?{_BARE}"
_END = r"(?=\W*$|\s?[,;.:)–-]|,?\s{size_unless}\b)"
"""What is said of one name is not said of all: `5mm each way in ABC`."""
_AMOUNT = Stemmed.of(
    rf"(?<![\w.,/$€£-])(?:(?P<sided>{_PAIR}|{_BARE_PAIR}|{_UNITED})\s(?:{{size_piece}}\s)?{{size_each}}{_END}|"
    rf"(?P<pair>{_PAIR}|{_BARE_PAIR}),?\s(?:{{size_piece}}\s)?{{size_unless}}\b)|"
    rf"\b{{size_for_all}}:?\s(?P<led>{_PAIR}|{_UNITED}){_END}|"
    rf"(?:^|[,;(–-]\s?)sizes?(?:\s(?:are|is))?:?\s(?P<named>{_PAIR}|{_BARE_PAIR}){_END}"
)
"""In lower case. A lone amount that only the word `size` names is that of a deal, as often as not."""
_RULES = SizeRules()


def amount_said(lower: str) -> SizePair | None:
    """What a text in lower case says that each line is good for; None where it says nothing of all of them."""
    match = _AMOUNT.search(lower)
    return size_pair(match[match.lastgroup or 0].rstrip(".,"), _RULES) if match is not None else None
