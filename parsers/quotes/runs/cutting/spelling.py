"""How dealers of one class spell what others spell otherwise (spec 4.1, section 1)."""

from __future__ import annotations

import re

from parsers.lexicon import compiled
from parsers.quotes.classes import rules_of

_DELTA_APART = re.compile(r"(?<=\d) [/|] (?=\d{1,3}(?:\.\d)?\s?(?:d|delta)\b)")
_TENOR_APART = re.compile(r"(?<=\d) ?/ ?(?=\d{1,3}\s?[dDwWmMyY]\s+\d+[.,]\d)")
"""Between the tenors of a curve: `30d 4.30 / 90d 4.35`."""
_CENTS = re.compile(r"(?<=\d)\s?(?:c|¢|cents)(?!\w)")
"""On the dollar, of a claim: percent (spec section 1)."""
_RANGE = re.compile(r"(?<![\d.])(\d{2,3}(?:[.,]\d+)?\s?-\s?\d{2,3}(?:[.,]\d+)?)%(?!\s?(?:of\s)?NAV)")
"""Of a fund's net asset value, which the heading names: `92-95%` attaches nowhere."""
_NET_ASSET_VALUE = re.compile(r"(?<=%\s)(?:VNI|NIW|VPL|VAN)\b")
"""In French, German, Portuguese and Spanish."""
_OF_TRANCHES = compiled(
    r"(?<=\s)\d{1,2}[.,]\d{1,2}x(?=\s*$)|(?:(?<=\d-\d)|(?<=\d-\d\d)|(?<=-100))\s{change_unit}(?=\s+\d)"
)
"""Behind a tranche's level its delta, in times the index, and in front of it its unit: `14.0x`, `3-7 pts 8.25/9`."""
_UNFUNDED = compiled(r"\bunfunded:?\s\d{1,3}(?:[.,]\d+)?%|\d{1,3}(?:[.,]\d+)?%\s(?:un)?{drawn}\b", re.IGNORECASE)
"""What of a fund's commitment is still to be paid, or was."""
_NUMBERED_FUND = re.compile(r"[A-Za-z] (?P<first>\d{1,2}) (?P<dash>[-–]) (?P<second>\d{2,3})\b")
_STRIKE = re.compile(
    r"(?:(?<=\bwt )|(?<=\bwts )|(?<=\bwarrant )|(?<=\bwarrants ))\$?\d+(?:[.,]\d+)?(?=\s{2,}(?:\d[\d.,]*|--)\s?/)",
    re.IGNORECASE,
)
"""Of a warrant, in front of its market: `Hertz wts 13.80   1.95/2.15`."""
_STRUCT_FIRST = re.compile(r"\b(RR|BF|FLY)\s?(10|15|25)[dD]?(?=\s)")
"""`RR25`, which others print as `25RR`."""
_OVER_PRICES = re.compile(r"\bIPCA\s?\+\s?(?=\d)", re.IGNORECASE)
"""In front of the real yield of a Brazilian linker, no spread: `NTN-B 2035: IPCA + 7,21%`."""

_CALLED_ONCE = re.compile(r"(?<=\s)1x(?=\s+(?:T?\+)?\d{2,3}(?:[.,/\s-]|$)(?!\s?mm))", re.IGNORECASE)
"""Of an agency's bond, in front of its level: it can be called on one day only; no size has but one side there."""

_BREAKEVEN = re.compile(r"(?<=\d[yY]\s)[bB](?:ei|EI)\b")
"""Behind a tenor, as `10y bei 2.28/2.29`; elsewhere `bei` is German for `at`."""
_DUE = re.compile(r"(?<=[A-Za-z]\s)(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])(?=\s+\d+[.,]\d)")
"""The day a paper is due, without its year, in front of its level: `Exxon 12/15 4.28`."""

_BLANKED = {
    "agency_ssa": _CALLED_ONCE,
    "convertible": _DELTA_APART,
    "trade_claim": _CENTS,
    "cds_tranche": _OF_TRANCHES,
    "commercial_paper": _DUE,
    "cd": _DUE,
    "warrant_equity": _STRIKE,
}
"""By class, what says nothing of the level beside it."""


def spelled(text: str, name: str) -> str:
    """The text as most dealers of the class write it; nothing changes its place.

    Args:
        text: a line.
        name: its class.
    """
    if name in _BLANKED:
        text = _BLANKED[name].sub(lambda match: " " * len(match[0]), text)
    if name == "private_equity_secondary":
        text = _UNFUNDED.sub(lambda match: " " * len(match[0]), text)
        return _apart(_RANGE.sub(r"\1 ", _NET_ASSET_VALUE.sub("NAV", text)))
    if name == "inflation_linked":
        text = _BREAKEVEN.sub("be ", text)
    if name == "inflation_linked" and "+" in text:
        return _OVER_PRICES.sub(lambda match: " yld".ljust(len(match[0])), text)
    if name == "fx_option":
        return _STRUCT_FIRST.sub(lambda match: f"{match[2]}{match[1]}".ljust(len(match[0])), text)
    if "/" in text and rules_of(name).curve:
        return _TENOR_APART.sub(lambda match: " " * len(match[0]), text)
    return text


def _apart(text: str) -> str:
    """A fund's text, without the dash between its number and its level: `Global Growth 14 - 84%`."""
    match = _NUMBERED_FUND.search(text)
    if match is None or int(match["second"]) < 2 * int(match["first"]):
        return text
    return f"{text[: match.start('dash')]} {text[match.end('dash') :]}"
