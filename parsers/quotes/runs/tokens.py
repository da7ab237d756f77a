"""A line of a run cut into what its parts can be: identifiers, dates, levels, sizes, words (spec 4.1, 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from parsers.values.dates import FULL_DATE, MONTH_DATE
from parsers.values.identifiers import Found
from parsers.values.sizes import SIZE
from parsers.values.spreads import PREFIX
from parsers.values.talk import TALK
from parsers.values.tenors import TENOR


class Kind(StrEnum):
    """What a token is."""

    identifier = "identifier"
    date = "date"  # a whole date
    month = "month"  # month and year: a maturity, or two small numbers
    time = "time"
    series = "series"  # `5s 34`: coupon and year in one
    level = "level"  # a pair, a one-sided or a marked value
    number = "number"  # a lone value: coupon, year, or level
    size = "size"
    tenor = "tenor"
    tranche = "tranche"  # `0-3%`
    reference = "reference"  # `vs 42.10`: what a level refers to
    delta = "delta"
    bond = "bond"  # a benchmark bond behind the level
    change = "change"  # `(+01)`: a day's change, dropped
    label = "label"  # says what the level beside it is
    word = "word"


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of the line."""

    kind: Kind
    start: int
    end: int
    text: str
    prefix: str | None = None  # of a spread: `T`, `MS`; `` for a bare sign
    key: str | None = None  # of a label: what it says; of an identifier: its kind
    unit: str | None = None  # printed behind a level: `dm`, `bp`, `pts`


_FRACTION = r"(?:[1-9]\d?/(?:2|4|8|16|32|64)(?![\d.,])|[¼½¾⅛⅜⅝⅞])"
_DECIMAL = r"(?:\d+(?:[.,]\d+)*|[.,]\d+)"
_MIXED = rf"\d{{1,3}}(?:[ \-]{_FRACTION}|[¼½¾⅛⅜⅝⅞])"
_PAR = rf"[Pp](?:ar|AR)(?:[ \-]{_FRACTION})?(?![\w])"
_TICK = r"\d{2,3}[\-'’:]\d{2}(?:\+|\.\d{1,3}|[0-7](?!\d)|[ ]?[¼½¾])?(?!\d)"
_NULL = r"(?:--+|n/a|N/A|NB|NO|tbd|TBD)"
_SIGN = r"[+\-−–]"
_PLAIN = rf"(?:\({_DECIMAL}\)|{_SIGN}?(?:{_MIXED}|{_PAR}|{_DECIMAL})(?:\+(?!\d))?)"
_TICKED = rf"(?:{_TICK}|{_PLAIN})"
_SEPARATOR = r"(?:\s{0,6}/\s{0,6}|\s{1,4}[\-–—]\s{1,4}|\s?[–—]\s?|\s?@\s?)"
_JOINED = r"(?:\s{0,6}/\s{0,6}|\s{1,4}[\-–—]\s{1,4}|[\-–—]|\s?@\s?)"
_LISTED = r"\d+\.\d+,\d+\.\d+"
_END = r"(?![\w/]|[.,]\d|[½¼¾⅛⅜⅝⅞])"


def _pair(value: str, second: str, joint: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:{value}|{_NULL}){joint}(?:{second}|{_NULL}(?!\w)){_TAIL}|{value}\s?/(?=\s|$|[,;)])|/\s?{value}{_TAIL}|{_LISTED}{_END}"
    )


_TAIL = r"(?![\d/]|[.,]\d|-\d|[½¼¾⅛⅜⅝⅞])(?!(?:st|nd|rd|th|y|Y|yr|x\d|h\d)\b)"
_PAIRS = {
    False: _pair(_PLAIN, rf"(?:{_FRACTION}|{_PLAIN})", _JOINED),
    True: _pair(_TICKED, rf"(?:{_TICK}|{_FRACTION}|\d{{2}}(?:\+|[0-7])?(?![\d.,/])|{_PLAIN})", _SEPARATOR),
}
_ALONE = r"(?:(?![\w/½¼¾⅛⅜⅝⅞]|[.,]\d)|(?=(?:dm|DM|bps?|pts|nvol|v)\b))"
_LONE = {
    False: re.compile(rf"{_PLAIN}{_ALONE}"),
    True: re.compile(rf"{_TICKED}{_ALONE}"),
}
_SPREAD = {
    ticks: re.compile(
        rf"(?P<prefix>{PREFIX})?\s?(?P<body>(?P<sign>[+\-−–])\s?(?:{_DECIMAL}|{_FRACTION})"
        rf"(?:(?:\s?/\s?|\s-\s|–)(?:{_SIGN}?(?:{_DECIMAL})|{_NULL})|\s?/(?=\s|$|[,;)]))?|\+\s?/\s?{_DECIMAL}){_TAIL}"
    )
    for ticks in (False, True)
}
_UNIT = re.compile(
    r"\s?(?P<unit>dm|DM|disc margin|bps?(?:\s?run(?:ning)?)?|bp\b|pts?(?:\.|\s?up(?:front|f)?)?|points|%\s?(?:of\s)?NAV|%|nvols?|n\.?vols?|vols?|v|"
    r"(?:y[li]e?ld|yld|ytm|ytw|ytc|YTM|YTW|YTC|YLD)(?!\s+[+\-]?\d[\d.,]*(?![\d.,]|\s?[xX]\s?\d|\s?mm))|ticks|pct)(?![\w])"
)
_DATE = re.compile(rf"{FULL_DATE}(?![\d/\-])")
_MONTH = re.compile(rf"{MONTH_DATE}(?![\d/.,\-+½¼¾⅛⅜⅝⅞]|\s?[xX]\s?\d)")
_NAMED_MONTH = re.compile(rf"(?![\d]){MONTH_DATE}(?![\d/.,\-])")
_TIME = re.compile(r"(?:[01]?\d|2[0-3])(?::[0-5]\d(?::[0-5]\d)?|h[0-5]\d)\s?(?:am|pm|AM|PM|Uhr)?(?![\w+/:]|[.,]\d)|\d{1,2}\s?(?:am|pm|AM|PM)\b")
_SERIES = re.compile(r"(\d{1,2}(?:\.\d{1,3})?)s\s(?:of\s)?'?(20\d{2}|[2-9]\d)(?![\w./-])")
_TRANCHE = re.compile(
    r"\d{1,2}\s?-\s?\d{1,3}\s?%(?!\s?(?:of\s)?NAV)|"
    r"(?:0-3|3-7|7-15|15-100|0-15|15-25|25-35|35-100|3-6|6-9|9-12|6-12|12-22|12-100|7-10|10-15|15-30|20-35)(?=\s+\(?[+\-]?\d+[\d.]*\s?[/-])"
)
_CHANGE = re.compile(r"\((?:unch?|unc|\+/-|[+\-−–]\s?[\d¼½¾⅛⅜⅝⅞][\d./ +¼½¾⅛⅜⅝⅞]*(?:bps?|%|c)?)\)", re.IGNORECASE)
_DELTA = re.compile(r"(?:d|delta\s|Δ)\d{1,3}(?:\.\d+)?\b|\d{1,3}(?:\.\d+)?(?:d|Δ|\s?delta)\b")
_REFERENCE = re.compile(rf"(?:vs\.?|v\.|ref\.?|stk|stock|spot)\s(?P<value>\$?\d[\d.,]*\d|\d)(?![\w/])(?!\s?[yY]\b)", re.IGNORECASE)
_SIZE = rf"(?:{SIZE})"
_BARE = r"[$€£]?(?:\d[\d.,]*|\.\d+)"
_UNITS = r"(?:mm|mn|mio\.?|mln|MM|MN|m|M|k|K|bn|mil|Mio\.?|milhões|millones)"
_SIZE_PAIR = re.compile(
    rf"(?:{_BARE}\s?{_UNITS}?\s{{0,4}}[xX×]\s{{0,4}}{_BARE}(?:\s?{_UNITS})?|[xX]\s{_BARE}\s?{_UNITS}|{_BARE}\s?{_UNITS}\s?[xX](?!\w)|\d{{1,3}}x(?!\w))"
    rf"(?:\s?(?:shs|shares|sh|contracts|lots))?(?![\w/]|[.,]\d)"
)
_ONE_SIZE = re.compile(
    r"(?:(?:us\$|c\$|r\$|[$€£])\s?|(?:USD|EUR|GBP|CAD|CHF)\s?)?(?:\d[\d.,]*|\.\d+)(?:\s?[-/]\s?\d[\d.]*)?\s?"
    r"(?:mm|mn|mio\b\.?|mln\b|milhões|millones|mil\b|mill\b|bn|mrd|k|tsd|m|000s)(?:\s?(?:shs|shares|sh|contracts|lots))?"
    r"(?:\s?\+|\s(?:up|of\s0?\.\d+|min\b))?(?![\w/]|[.,]\d)",
    re.IGNORECASE,
)
_CURRENCY_SIZE = re.compile(r"[$€£]\d[\d.,]*\s?(?:m|k|b)\b|\d[\d.,]*\s?(?:shs|shares|contracts|lots)\b", re.IGNORECASE)
_TENOR = re.compile(rf"{TENOR}(?![\w])")
_BOND = re.compile(
    rf"(?:vs\.?\s|over\s)?(?P<ticker>T|UST|CT|CAN|GOC|GoC|DBR|BUND|Bund|OBL|BKO|UKT|FRTR|OAT|BTPS?|SPGB)\s"
    rf"(?P<coupon>{_MIXED}|{_DECIMAL})\s(?P<maturity>{FULL_DATE}|{MONTH_DATE}|'?\d\d)(?![\d/])"
)
_SETTLEMENT = re.compile(r"T\s?\+\s?\d(?![\d/]|\.\d)")
_PRICES_BY = re.compile(r"(\d{2,4}\.\d{1,3})\s*[xX×]\s*(\d{2,4}(?:\.\d{1,3})?)")
_RATING = re.compile(r"[A-F][1-3]?-\d\+?(?![\d./])")  # A-1, P-1
_WORD = re.compile(r"[^\s]+")
_DEAL_YEAR = re.compile(r"(?:19|20)\d\d-[A-Z0-9]{1,6}(?![\w/.,])|\d{2,3}k(?=\s(?:[Mm]ax|MAX|LLB|HLB|NY|TX|FICO|[Ll]oan))")
_TRAILING = ",;:)"
_TALK = re.compile(rf"\s*:?\s*(?P<phrase>{TALK})(?P<unit>\s?(?:dm|DM|bps?))?(?![\w])")

LABELS = {
    **dict.fromkeys(("bid", "bids", "wanted", "geld", "compra", "denaro", "demande"), "bid"),
    **dict.fromkeys(("offer", "offers", "offered", "ofr", "ask", "asked", "offering", "brief", "venta", "venda", "lettera"), "ask"),
    **dict.fromkeys(("mid", "close", "closing", "mark", "kurs"), "mid"),
    **dict.fromkeys(("talk", "guidance"), "talk"),
    **dict.fromkeys(("cvr", "cover", "cov", "covered", "cvr:"), "cover"),
    **dict.fromkeys(("traded", "trades", "trade", "trd", "print", "printed", "prints", "last"), "trade"),
    **dict.fromkeys(("dnt", "pass", "passed"), "dnt"),
    **dict.fromkeys(("ytc", "ytw", "ytm", "yld", "yield", "ytnc", "ytp", "rendite", "tir"), "yield_pct"),
    **dict.fromkeys(("bei", "breakeven"), "breakeven_pct"),
    **dict.fromkeys(("disc", "discount"), "discount_rate_pct"),
    **dict.fromkeys(("px", "price", "cash", "dollar"), "price"),
    **dict.fromkeys(("payup", "payups", "p/u"), "payup_32"),
    **dict.fromkeys(("roll", "rolls"), "roll_ticks"),
    **dict.fromkeys(("prem", "premium"), "premium_bp"),
    **dict.fromkeys(("dm",), "dm_bp"),
    **dict.fromkeys(("oas",), "spread_oas_bp"),
    **dict.fromkeys(("asw",), "spread_asw_bp"),
    **dict.fromkeys(("flat",), "flat"),
    **dict.fromkeys(("subj", "subject", "sub"), "subject"),
    **dict.fromkeys(("firm",), "firm"),
    **dict.fromkeys(("indic", "indicative", "indication"), "indicative"),
    **dict.fromkeys(("off", "away", "withdrawn", "n/a", "na"), "withdrawn"),
    **dict.fromkeys(("axe", "axed", "*a"), "axe"),
    **dict.fromkeys(("atm", "atmf"), "atm"),
    **dict.fromkeys(("corr",), "base_corr_pct"),
    **dict.fromkeys(("running", "run"), "running"),
}
"""Words that say what the level beside them is."""
_GERMAN_SIDES = {"G": "bid", "B": "ask"}
_STRUCT = re.compile(r"(10|15|25)\s?d?\s?(?:delta\s)?(RR|BF|FLY|rr|bf|fly)\b")


def tokens(
    text: str, identifiers: Sequence[Found], *, ticks: bool, curves: bool = False, german: bool = False
) -> list[Token]:
    """The tokens of a line, left to right; every stretch that is not white space belongs to one.

    Args:
        text: the line; tabs count as spaces.
        identifiers: as `identifiers.find` gave them.
        ticks: whether `99-16` is one value.
        curves: the class is quoted by tenor, so `3M` before a level is three months.
        german: `G 99,80 B 99,92` is Geld and Brief.
    """
    spans = {found.start: found for found in identifiers}
    found: list[Token] = []
    at, end = 0, len(text)
    while at < end:
        letter = text[at]
        if letter.isspace() or letter in "|;,":
            at += 1
            continue
        identifier = spans.get(at)
        if identifier is not None:
            token = Token(Kind.identifier, at, identifier.end, identifier.value, key=identifier.kind)
        elif letter.isdigit() or letter in "+-−–/.($€£¼½¾⅛⅜⅝⅞@'":
            token = _numeric(text, at, found, ticks=ticks, curves=curves) or _word(text, at)
        else:
            token = _lettered(text, at, found, ticks=ticks)
        if german and token.text in _GERMAN_SIDES and token.kind is Kind.word:
            token = Token(Kind.label, at, token.end, token.text, key=_GERMAN_SIDES[token.text])
        found.append(token)
        at = token.end
        if token.key == "talk":
            phrase = _TALK.match(text, at)
            if phrase is not None:
                found.append(Token(Kind.level, phrase.start("phrase"), phrase.end(), phrase[0].strip(" :"), key="talk"))
                at = phrase.end()
    return found


def _numeric(text: str, at: int, before: list[Token], *, ticks: bool, curves: bool) -> Token | None:
    """The token that starts with a digit, sign or bracket here."""
    named = _DEAL_YEAR.match(text, at)
    if named is not None:
        return Token(Kind.word, at, named.end(), named[0])
    for kind, pattern in ((Kind.change, _CHANGE), (Kind.date, _DATE), (Kind.time, _TIME), (Kind.series, _SERIES)):
        match = pattern.match(text, at)
        if match is not None:
            return Token(kind, at, match.end(), match[0])
    if text[at] == "@":
        rest = at + 1 + (text[at + 1 : at + 2] == " ")
        value = _LONE[ticks].match(text, rest)
        if value is not None:
            return _level(text, at, value.end(), value[0], side="ask")
        return None
    if text[at] == "/":
        spread = _SPREAD[ticks].match(text, at + 1)
        if spread is not None and spread["prefix"]:
            ask = _spread(text, at + 1, spread)
            return replace(ask, start=at, text=f"/{ask.text}")
    struct = _STRUCT.match(text, at)
    if struct is not None:
        name = "rr" if struct[2].lower() == "rr" else "bf"
        return Token(Kind.label, at, struct.end(), struct[0], key=f"{name}{struct[1]}")
    for kind, pattern in ((Kind.tranche, _TRANCHE), (Kind.size, _SIZE_PAIR), (Kind.month, _MONTH)):
        match = pattern.match(text, at)
        if match is not None and kind is Kind.size and not _has_level(before) and _by_prices(match[0]):
            return _level(text, at, match.end(), re.sub(r"\s*[xX×]\s*", " / ", match[0]))
        if match is not None:
            return Token(kind, at, match.end(), match[0])
    match = _PAIRS[ticks].match(text, at)
    end = match.end() if match is not None else at
    if _has_level(before):
        delta = _DELTA.match(text, at)
        if delta is not None and delta.end() > end:
            return Token(Kind.delta, at, delta.end(), delta[0])
    tenor = _TENOR.match(text, at)
    size = _ONE_SIZE.match(text, at) or _CURRENCY_SIZE.match(text, at)
    if tenor is not None and tenor.end() > end and (size is None or (curves and not _has_level(before))):
        return Token(Kind.tenor, at, tenor.end(), tenor[0])
    if size is not None and size.end() >= end:
        return Token(Kind.size, at, size.end(), size[0].strip())
    spread = _SPREAD[ticks].match(text, at) if text[at] in "+-−–" else None
    if spread is not None:
        return _spread(text, at, spread)
    if match is not None:
        return _level(text, at, match.end(), match[0])
    match = _LONE[ticks].match(text, at)
    return _lone(text, at, match) if match is not None else None


def _lettered(text: str, at: int, before: list[Token], *, ticks: bool) -> Token:
    """The token that starts with a letter here."""
    if _has_level(before):
        bond = _BOND.match(text, at)
        if bond is not None:
            return Token(Kind.bond, at, bond.end(), bond[0])
    reference = _REFERENCE.match(text, at)
    if reference is not None:
        return Token(Kind.reference, at, reference.end(), reference["value"])
    spread = _SPREAD[ticks].match(text, at)
    if spread is not None and spread["prefix"] and not _RATING.match(text, at) and not _settles(text, at, before):
        return _spread(text, at, spread)
    if text[at] in "pPnNtTxX":
        for kind, pattern in ((Kind.level, _PAIRS[ticks]), (Kind.size, _SIZE_PAIR)):
            match = pattern.match(text, at)
            if match is not None:
                return _level(text, at, match.end(), match[0]) if kind is Kind.level else Token(kind, at, match.end(), match[0])
    for kind, pattern in ((Kind.month, _NAMED_MONTH), (Kind.tenor, _TENOR), (Kind.delta, _DELTA)):
        match = pattern.match(text, at)
        if match is not None:
            return Token(kind, at, match.end(), match[0])
    return _word(text, at)


def _word(text: str, at: int) -> Token:
    match = _WORD.match(text, at)
    word = (match[0] if match is not None else text[at]).rstrip(_TRAILING) or text[at]
    key = LABELS.get(word.lower().rstrip("."))
    return Token(Kind.label if key is not None else Kind.word, at, at + len(word), word, key=key)


def _level(text: str, at: int, end: int, body: str, side: str | None = None) -> Token:
    unit = _UNIT.match(text, end)
    return Token(Kind.level, at, unit.end() if unit else end, body, key=side, unit=unit["unit"] if unit else None)


def _lone(text: str, at: int, match: re.Match[str]) -> Token:
    unit = _UNIT.match(text, match.end())
    return Token(Kind.number, at, unit.end() if unit else match.end(), match[0], unit=unit["unit"] if unit else None)


def _spread(text: str, at: int, match: re.Match[str]) -> Token:
    """A spread: its body keeps a minus, and loses the plus that only says that it is one."""
    unit = _UNIT.match(text, match.end())
    body = re.sub(r"^\+\s?", "", match["body"])
    return Token(
        Kind.level,
        at,
        unit.end() if unit else match.end(),
        body,
        prefix=match["prefix"] or "",
        unit=unit["unit"] if unit else None,
    )


def _by_prices(text: str) -> bool:
    """`20.41 x 20.49`: two prices by an x; sizes are round, or far apart, or have a unit."""
    match = _PRICES_BY.fullmatch(text)
    if match is None:
        return False
    first, second = (Fraction(value) for value in match.groups())
    return first >= 10 and first != second and abs(second - first) * 20 <= first


def _settles(text: str, at: int, before: list[Token]) -> bool:
    """`T+7` of a settlement, on a line without a bond."""
    return _SETTLEMENT.match(text, at) is not None and not any(token.kind in (Kind.month, Kind.date) for token in before)


def _has_level(found: list[Token]) -> bool:
    return any(token.kind is Kind.level for token in found)
