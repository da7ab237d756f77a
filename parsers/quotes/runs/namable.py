"""Which texts can name an instrument at all (spec 2.9)."""

from __future__ import annotations

import re

from parsers.quotes.classes import is_of_class, rules_of
from parsers.quotes.runs.attributes import SECURITISED

MAX_NAME = 70
"""Characters of a name."""
_NUMBER = re.compile(r"\d+\.\d+")
_RATING = re.compile(
    r"(?:AAA|AA|A|BBB|BB|B|CCC|NR)s?[+-]?(?:\s(?:refis?|resets?|spreads?|paper|bonds?|tranches?|primary|mezz|names?|"
    r"credits?))?"
)
"""Alone it is of many bonds: `BBs 97-98`."""
_FUTURE = re.compile(r"\b(?:TU|FV|TY|UXY|US|WN|RX|OE|DU|UB|IK|OAT|JB|CN|G|SFR|SR3|ER|ES)[HMUZ]\d{1,2}$")
"""Of an exchange, in front of its price, in a list of what is quoted by tenor."""
_LINKED = re.compile(r"[A-Z][\w&/.]+ (?!fut|close|spot|open|at\b)[A-Za-z][\w-]{3,}.*")
"""Of a note, what it is linked to: `FTSE kick-out 2029`."""
_NOT_NAMES = re.compile(
    r"(?:i['’](?:d|m|ll)|we['’](?:d|re|ll)|levels?|bids?|offers?|talk|spot|dax|spx|vix|wti|brent|gold|dxy|s&p|ftse|ibov|merval|nikkei|cac|cable|fed|cpi|gdp|"
    r"ism|supply|curve|re|subject|date|sent|order|acct|account|tel|fax|phone|page|size|sizes|high|low|target|stop|call|time|"
    r"open|close|settle|volumes?|trades|flows?|note|nb|ref|spreads?|yields?|prices?|index|markets?|gamma|vega|"
    r"new issues?|primary|calendar|positions?|ratings?|today|yesterday|week|month|"
    r"attendees|sessions?|meeting|agenda|question|answer|room|paydown|réunion|reunión|reunião|riunione|sitzung|"
    r".*\b(?:desk|z-?scores?)|(?:inc|bug|req|chg|tc)-\d+)\b",
    re.IGNORECASE,
)

_ATTRIBUTES = re.compile(
    r"(?:wals?|wala|wac|avg life|average life|ce|cpr|psa|ltv|fico|factors?|speeds?|coupons?)", re.IGNORECASE
)
"""Alone in front of figures, what lines of a list say of their bonds; `WAL` is a bank's ticker, too."""


def can_name(text: str, name: str) -> bool:
    """Whether a text can name an instrument that has neither identifier nor coupon and maturity."""
    is_own = rules_of(name).curve and is_of_class(text, name)  # `CPI 5y` of inflation swaps
    is_own = is_own or (name == "structured_note" and _LINKED.fullmatch(text) is not None)
    return (
        bool(text)
        and not (rules_of(name).curve and _FUTURE.search(text))
        and (name == "swaption" or " into " not in text)  # `UKT 43 into 53` is a switch
        and _RATING.fullmatch(text) is None
        and len(text) <= MAX_NAME
        and not _NUMBER.fullmatch(text)
        and (is_own or _NOT_NAMES.match(text) is None)
        and text.count("%") < 2
        and not (name in SECURITISED and _ATTRIBUTES.fullmatch(text))
    )
