"""Which texts can name an instrument at all (spec 2.9)."""

from __future__ import annotations

import re

from parsers.quotes.classes import class_by_words, is_of_class, rules_of
from parsers.quotes.headings.gauges import GAUGE
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
_LINKED = re.compile(rf"{GAUGE} (?:\d{{1,2}}[my] )?(?!fut|close|spot|open|at\b|high|low|vol)[A-Za-z][\w-]{{3,}}.*")
"""Of a note, what it is linked to: `FTSE kick-out 2029`."""
_NOT_NAMES = re.compile(
    r"(?:(?:the\s|fund\s|net\s|total\s|portfolio\s|share\s)*navs?|i['’](?:d|m|ll)|we['’](?:d|re|ll)|levels?(?!\s3\b)|bids?|offers?|"
    rf"talk|spot|{GAUGE}|cable|fed|ebitda|revenues?|eps|capex|leverage|cpi|gdp|ism|supply|curve|re|subject|date|sent|order|acct|account|tel|fax|phone|page|size|sizes|high|low|target|stop|call|time|"
    r"open|close|settle|volumes?|trades|flows?|note|nb|ref|spreads?|yields?|prices?|index|markets?|gamma|vega|"
    r"dealer(?:s|\s(?:holding|inventor|position)\w*)|"
    r"cup[óo]n|cupom|cedola|kupon|prima de riesgo|risk premium|asta|subasta|leil[ãa]o|adjudication|auktion|"
    r"cl[ôo]ture|cierre|fechamento|chiusura|schlusskurs|vortag|emisi[óo]n|emiss[ãa]o|encours|bitte|ligue|llam[ae]r?|rappel|"
    r"thx|thanks|zinsentscheid|vs|ecb|bce(?!\.|\s\d|\sPR)|ezb|boe|boj|boc|snb|rba|fomc|copom|banxico|"
    r"make[- ]whole|fees?|fixed rate|duration|"
    r"recovery|tender|carry|correl(?:ation)?|saw|clients?|selic|libor|"
    r"new issues?|primary|calendar|positions?|ratings?|today|yesterday|day|week|month|"
    r"attendees|sessions?|meeting|agenda|question|answer|room|paydown|réunion|reunión|reunião|riunione|sitzung|"
    r".*\b(?:desk|z-?scores?|futures?|futs?|hours|etfs?)|(?:inc|bug|req|chg|tc)-\d+)\b",
    re.IGNORECASE,
)
_OF_RATES = frozenset({"fx_forward", "irs", "inflation_swap"})
_MONEY = re.compile(
    r"d[óo]lar(?: a vista| spot)?|dollar|euro|cable|trm|ptax|peso|real/d[óo]lar|oro|petr[óo]leo|oil|crude|"
    r"nat gas|co2|ttf|pmi|pib|nonfarms?|haircut|lcdx|arbeitslosenquote|verbraucherpreise|"
    r"taux directeur|tasso fisso|taux fixe|tasa fija|taxa fixa|inflation|inflazione|inflaci[óo]n|infla[çc][ãa]o|"
    r"(?:swap|tiie|euribor|sonia|estr|€str|saron|tona)(?: \d{1,2}[dwmy])?",
    re.IGNORECASE,
)
"""Alone in front of where it stands: `Dólar 4.120/4.125`."""
_SPOKEN = re.compile(r"\b(?:[Ww]e|you|our|your|the|this|[Hh]ave|has|is|are|was|will)\b")
"""In sentences, and in no name."""
_OF_MANY = re.compile(
    r"(?:.*[\s-])?(?:curves?|"
    r"spreads|pric(?:es|ing)|(?<!swap )levels|yields|valuations?|discounts|premiums?|coupons|barriers|"
    r"recover(?:y|ies)|est(?:imates?|s)?\.?|flows?|demand|supply|issuance|usage|turnover|inventory|sheets?|reserves|fails|"
    r"pipeline|tiering|"
    r"deals|names|managers|funds|portfolios|loans|prefs|preferreds|banks|corporates|credits|sectors?|index|indices|"
    r"averages?|(?:default|cap|recovery|forward|term|policy|mortgage|prepay(?:ment)?) rates?|oids?|resets|refis|"
    r"repricings|paper|pieces|tranches|specials)",
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
        and not (_NUMBER.search(text) if name == "cds_index" else _NUMBER.fullmatch(text))  # another index's level
        and (is_own or _NOT_NAMES.match(text) is None)
        and not (name not in _OF_RATES and _MONEY.fullmatch(text))
        and text.count("%") < 2
        and (name == "irs" or _SLOPE.search(text) is None)
        and not (name in SECURITISED and _ATTRIBUTES.fullmatch(text))
        and _SPOKEN.search(text) is None
        and not _is_of_many(text, name)
    )


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
