"""What announces or reports prices that nobody makes: confirmations, statements, invoices, calendars (spec 2.9)."""

from __future__ import annotations

import re

from parsers.gates.stems import Stemmed
from parsers.lexicon import compiled

_CONFIRMED = Stemmed.of(
    r"\b(?:{confirmation}|{deal_paper}\s(?:{number_sign}\s)?#?\d{4,}\b.{0,30}\b{dealt}|"
    r"{we_confirm} {confirmed}\b.{0,20}\b{deal}|you {deals} \d|{recap_of} (?:{whose}\s)*{execution}|"
    r"{invoiced}(?=\W{0,3}(?:{number_sign}|{invoice_of})\b|\W{1,3}[a-z]{0,4}-?\d\d)|"
    r"{invoice}(?=\W{1,3}{number_sign}\b\W{0,3}[a-z]{0,4}-?\d|\W{1,3}[a-z]{0,4}-?\d\d|\s{dated}\s\d)|"
    r"^(?:{invoice}|{invoiced})\W*$|{dealt}\b.{3,80}\bsettle|"
    r"{dealt_short} \d[\d.,]*\s?{thousands_or_millions}(?= .{3,40}@))\b",
)
_OUTLOOK = compiled(
    r"\b(?:{outlook}|^(?:{correlations}$|\W*(?:(?:{whose}\s)?{fills}\b|(?:\w+ )?{holdings_word}|{fixings}\b))|"
    r"{sensitivity}s?(?= {report_by}\b|\W*$)|{rating_moved}|{new_issue}(?: \w+)? {primary_news}|"
    r"(?<!& )(?<!and )trade ideas?(?! (?:&|and)\b)|{auction}\b[^.;]{0,24}?\b{auction_result})\b",
    re.IGNORECASE,
)


def is_confirmation(text: str) -> bool:
    """Whether a line or subject says that what stands under it is done: `We confirm the following trade`."""
    return _CONFIRMED.search(text.lower()) is not None


def is_outlook(subject: str) -> bool:
    """Whether a subject announces what is to be sold, or reports of a book or an office: none is a quote (spec 2.9)."""
    return _OUTLOOK.search(subject) is not None
