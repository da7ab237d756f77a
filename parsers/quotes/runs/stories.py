"""What lines with figures tell where they make no price: of the day, of results, of deadlines (spec 2.9)."""

from __future__ import annotations

import re

from parsers.quotes.classes import is_of_class, rules_of
from parsers.quotes.headings.remarks import is_of_indices, is_ticker
from parsers.quotes.runs.reading import Reading

_ON_INDICES = frozenset({"structured_note", "warrant_equity"})
_LISTED = re.compile(
    r"\b(?:bwics?|owics?|results?|recap|colou?r|covers?|runs?|lists?|axes|levels?|offerings|inventory|update|"
    r"roll|talk|trades|"
    r"close|closing|marks|opening)\b|\b(?:due|by|until|before|deadline)$",
    re.IGNORECASE,
)
_DAY = re.compile(r"(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])|(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2])")
"""Behind a name that is a list's it is the list's day: `CRT BWIC results 11/19`, not `FN 5.5 Dec roll 8/9`."""
_REPORTED = re.compile(
    r"\b(?:range|average|avg|total|subtotal|summe|ytd|mtd|support|resistance|books?|auction|recommend(?:ed|s|ations?)?|"
    r"overweight|underweight|fair value|current coupon|make[- ]?whole at|rallied|rebounded|surged|slumped|"
    r"accrued (?:interest )?on|forecasts?|prognosen?|commitments? (?:are )?due|unemployment|inflows?|outflows?|opened|"
    r"closed|cerró|terminó|recuou|subiu|avançou|bajó|subió|fechou|negociou|schloss|clôturé|chiuso|"
    r"expected|prior|gekauft|verkauft|quotes? received|ipts?|guidance|p&l|pnl|52w|speakers?|expiry)\b"
)
"""In lower case: to search the lower text is five times as fast as `re.IGNORECASE`."""


def is_report(lower: str) -> bool:
    """Whether a text in lower case reports, explains or recommends: nobody makes its prices."""
    return _REPORTED.search(lower) is not None


def is_of_a_day(reading: Reading, name: str) -> bool:
    """Whether the only figures of a line of this class are days behind a list's name or a deadline."""
    text = reading.named.name
    is_list = _LISTED.search(text) is not None and not any(map(str.isdigit, text)) and not is_of_class(text, name)
    return is_list and all(_DAY.fullmatch(mark.token.text) for mark in reading.marks)


def tells(text: str, name: str) -> bool:
    """Whether a line, or a sentence, tells where indices or governments stand: `UST 10y at 4.12%.`."""
    if name in _ON_INDICES or rules_of(name).curve:
        return False
    return is_of_indices(text) or (text.rstrip().endswith(".") and is_ticker(text))
