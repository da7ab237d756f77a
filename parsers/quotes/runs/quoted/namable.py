"""Which texts can name an instrument at all (spec 2.9)."""

from __future__ import annotations

import re

from parsers.lexicon import compiled
from parsers.quotes.classes import SECURITISED, class_by_words, is_of_class, rules_of
from parsers.values.times.dates import MONTH_NAME

MAX_NAME = 70
"""Characters of a name."""
_NUMBER = re.compile(r"\d+\.\d+")
_RATING = compiled(r"{rating_letters}s?[+-]?(?:\s{of_rating})?")
"""Alone it is of many bonds: `BBs 97-98`."""
_FUTURE = compiled(r"\b{future_root}[HMUZ]\d{1,2}$")
"""Of an exchange, in front of its price, in a list of what is quoted by tenor."""
_LINKED = compiled(r"{gauge} (?:\d{1,2}[my] )?(?!{not_linked}|at\b)[A-Za-z][\w-]{3,}.*")
"""Of a note, what it is linked to: `FTSE kick-out 2029`."""
_NOT_NAMES = compiled(
    r"(?:(?:{of_a_fund}\s)*{nav}|{no_name}|levels?(?!\s3\b)|{gauge}|{dealer_book}|bce(?!\.|\s\d|\sPR)|"
    r".*\b{no_price_of}|{ticket_mark}-\d+)\b",
    re.IGNORECASE,
)
_OF_RATES = frozenset({"fx_forward", "irs", "inflation_swap"})
_MONEY = compiled(
    r"{market_name}|{rate_name}(?: \d{1,2}[dwmy])?",
    re.IGNORECASE,
)
"""Alone in front of where it stands: `Dólar 4.120/4.125`."""
_MONTH = re.compile(rf"{MONTH_NAME}\.?", re.IGNORECASE)
"""Alone it is in front of days: `Feb. 1 - 3`."""
_SPOKEN = compiled(r"\b{sentence_word}\b")
"""In sentences, and in no name."""
_OF_MANY = compiled(
    r"(?:.*[\s-])?(?:{of_many}|(?<!swap )levels)",
    re.IGNORECASE,
)
"""A market, and nothing that one can buy: `CLO AAA new issue spreads`; of what is quoted by tenor, all but a tenor."""
_SLOPE = re.compile(r"\b[1-9]\d?s/?[1-9]\d?s\b")
"""What two tenors of a curve are apart, `2s10s`; of swaps it is a basis, `3s6s`."""
_LIFE = re.compile(r"\b\d{1,2}(?:\.\d)?\s?(?:y|yr|m)s?\b", re.IGNORECASE)
_OF_DEALS = SECURITISED - {"tba_mbs", "agency_mbs_cmo"}
_DEAL = re.compile(r".*\b[IVXL]{2,}\b.*|(?:.*\s)?\S*\d\S*\s.*|[A-Z]{0,2}\d\S*")
"""A number, a Roman one, or a tranche alone under its deal's heading."""
_SHELF = re.compile(r"[A-Z]{1,2}$|[A-Z][A-Z&]{2,}(?!\S)")
_NO_SHELVES = frozenset({"AAA", "BBB", "CCC", "SASB", "LCF", "ETF", "CRE", "OAS", "MVOC", "BSL", "FLOAT", "FIXED"})

_ATTRIBUTES = compiled("{attribute_alone}", re.IGNORECASE)
"""Alone in front of figures, what lines of a list say of their bonds; `WAL` is a bank's ticker, too."""


def can_name(text: str, name: str) -> bool:
    """Whether a text can name an instrument that has neither identifier nor coupon and maturity."""
    if not text or len(text) > MAX_NAME or text.count("%") > 1:
        return False
    is_curve = rules_of(name).curve
    is_own = is_curve and is_of_class(text, name)  # `CPI 5y` of inflation swaps
    is_own = is_own or (name == "structured_note" and _LINKED.fullmatch(text) is not None)
    return (
        not (is_curve and _FUTURE.search(text))
        and _RATING.fullmatch(text) is None
        and (is_own or _NOT_NAMES.match(text) is None)
        and not _is_of_other(text, name)
        and _SPOKEN.search(text) is None
        and not _is_of_many(text, name)
    )


def _is_of_other(text: str, name: str) -> bool:
    """Whether a text is what another class alone is named by: a switch, a level, money, a slope, attributes."""
    if name != "swaption" and " into " in text:  # `UKT 43 into 53` is a switch
        return True
    if _NUMBER.search(text) if name == "cds_index" else _NUMBER.fullmatch(text):  # another index's level
        return True
    if name not in _OF_RATES and (_MONEY.fullmatch(text) or _MONTH.fullmatch(text)):
        return True
    if name != "irs" and _SLOPE.search(text) is not None:
        return True
    return name in SECURITISED and _ATTRIBUTES.fullmatch(text) is not None


def is_market(text: str) -> bool:
    """Whether a text says what its figures are of, which nobody can buy: `Auto spreads`, in front of `45-50`."""
    return _OF_MANY.fullmatch(text) is not None


def _is_of_many(text: str, name: str) -> bool:
    """Whether a text names a market; of securitised ones also what has nothing of a deal: `Prime auto`."""
    if rules_of(name).curve or name not in _OF_DEALS:
        return is_market(text) and not (rules_of(name).curve and any(map(str.isdigit, text)))
    return is_market(text) or not (is_of_class(text, name) or _names_deal(text))


def _names_deal(text: str) -> bool:
    """Whether a text has what tells one deal from another, or begins with a shelf."""
    if _DEAL.fullmatch(_LIFE.sub("", text).strip()) is not None:
        return True
    shelf = _SHELF.match(text)
    return shelf is not None and shelf[0] not in _NO_SHELVES and class_by_words(shelf[0]) is None
