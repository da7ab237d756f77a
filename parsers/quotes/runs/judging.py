"""Whether a line with levels is about an instrument, or only looks so (spec 2.9)."""

from __future__ import annotations

import re

from parsers.codes import Flag
from parsers.quotes.classes import is_of_class, rules_of
from parsers.quotes.draft import Level
from parsers.quotes.runs import skip
from parsers.quotes.runs.reading import Reading
from parsers.values.levels import LevelRules, market_flags

CURVES = frozenset(
    {
        "cds_single",
        "cds_index",
        "cds_tranche",
        "irs",
        "swaption",
        "inflation_swap",
        "trs",
        "fx_forward",
        "fx_option",
        "repo",
        "cd",
        "commercial_paper",
    }
)
"""Classes quoted by tenor."""
NAMED_FREELY = CURVES | {
    "trade_claim",
    "private_equity_secondary",
    "warrant_equity",
    "structured_note",
    "preferred",
    "tba_mbs",
    "agency_mbs_cmo",
    "clo",
    "cmbs",
    "abs",
    "rmbs_nonagency",
    "crt",
    "cdo_trups",
    "leveraged_loan",
}
"""Classes whose instruments need neither identifier nor coupon and maturity."""
ON_THE_RUN = frozenset({"govt_us", "govt_intl", "govt_canada", "govt_latam_local"})
"""Classes whose benchmarks are named by tenor: `10y`."""
MAX_NAME = 70

_BENCHMARK = re.compile(
    r"(?:(?:UST?|T|WI|OTR|CT|CAN|DBR|UKT|GoC|Bund|Gilt|OAT|BTP|Spain|Germany|Italy|France|UK|US)\s)?"
    r"\d{1,2}\s?(?:y|yr|Y|YR)s?(?:\s(?:OTR|WI|bench|otr|notes?|bonds?|tsy|UST))?"
)
_LOWER = re.compile(r"(?<![\w.&])[a-zà-ÿ]{3,}\b")
_BOTH_SIDES = re.compile(r"\S\s?(?:/|-|–|@)\s?\S")
_TICKER_AND_YEAR = re.compile(r"[A-Z][A-Z0-9]{0,7} (?:.* )?'?(?:20)?[2-9]\d(?:s)?$|[A-Z]{2}\d\d$")
_NOT_NAMES = re.compile(
    r"(?:levels?|bids?|offers?|talk|spot|dax|spx|vix|wti|brent|gold|dxy|s&p|ftse|ibov|merval|nikkei|cac|cable|fed|cpi|"
    r"supply|curve|re|subject|date|sent|order|acct|account|tel|fax|phone|page|size|sizes|total|average|avg|summe|range|"
    r"high|low|support|resistance|target|stop|call|time|open|close|settle|volumes?|trades|flows?|note|nb|ref|spreads?|"
    r"yields?|prices?|index|index levels?)\b",
    re.IGNORECASE,
)


def is_run(reading: Reading, text: str, name: str) -> bool:
    """Whether a line is a run's: it names an instrument, has the form of its class, or is short under a heading.

    Args:
        reading: of the line; it has levels.
        text: the line.
        name: its class.
    """
    named = reading.named
    if named.is_certain or named.is_bond:
        return True
    if not named.name or skip.is_prose(text) or _NOT_NAMES.match(named.name) or len(named.name) > MAX_NAME:
        return False
    if named.maturity is not None and named.name[:1].isupper() and named.plain_words <= 2 and name != "unknown":
        return True
    if named.tenor is not None and name in ON_THE_RUN and _BENCHMARK.fullmatch(named.name):
        return True
    return _is_short_line(reading, text, name)


def is_nonsense(level: Level, name: str) -> bool:
    """A crossed and wide market of a thing that nothing but its place calls an instrument."""
    if level.bid is None or level.ask is None:
        return False
    return {Flag.crossed, Flag.wide} <= market_flags(level.bid, level.ask, LevelRules(level.quote_type, name))


def _is_short_line(reading: Reading, text: str, name: str) -> bool:
    """A name of a class that the headings tell, and little else."""
    named = reading.named
    has_form = is_of_class(named.name, name) and any(mark.token.prefix != "" for mark in reading.marks)
    is_market = any(_BOTH_SIDES.search(mark.token.text) or mark.kind or mark.side for mark in reading.marks)
    if name == "unknown" or not (is_market or has_form) or not named.name[:1].isalnum():
        return False
    if reading.is_timed or len(_LOWER.findall(text)) > 5:
        return False
    if name in NAMED_FREELY:
        return named.plain_words <= 4
    if named.plain_words > 1:
        return False
    has_bond = named.coupon is not None or _TICKER_AND_YEAR.match(named.name) is not None
    return has_bond or has_form or rules_of(name).instruments is None
