"""Figures of a line that a word beside them makes no level: ranges, changes, hours, dates, sizes (spec 2.9)."""

from __future__ import annotations

import re

_NUMBER = r"(?:\d+(?:[.,]\d+)*|[.,]\d+)"
_APART = r"\s?[/\-–]\s?"
_UNIT = r"(?:\s?(?:bps?|pts?|points?|c|cents|ticks?|%))?"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])(?:/(?:\d\d){1,2})?(?![\d/.])"
_HOUR = r"(?:[01]?\d|2[0-3])(?::[0-5]\d)"
_DIRECTION = r"(?:up|down|higher|lower|wider|tighter)"
_PERIOD = r"(?:on (?:the )?(?:day|week|month|session)|d/d|dod|w/w|wow|m/m|mom)"
_HIGH_LOW = r"(?:hi(?:gh)?s?|lows?|lo)"
_RANGE = (
    r"\b(?:52[ -]?w(?:ee)?k?s?|12[ -]?m(?:onths?|ths?|o)?|ytd|mtd|1[ -]?y(?:ea)?r|day'?s?|intra-?day|all[ -]time)[ -]"
    rf"(?:(?:trading )?range|h/l|{_HIGH_LOW})(?:{_APART}{_HIGH_LOW})?(?:\s?:|\s(?:of|is|was))?\s?"
    rf"{_NUMBER}(?:(?:{_APART}(?:{_HIGH_LOW}\s)?|,?\s{_HIGH_LOW}\s){_NUMBER})?(?![\w/])"
)
"""`52-week range 85.00-99.75`, `52wk hi/lo 99.75/85.00`, `52w high 104 low 88`."""
_CHANGE = (
    rf"(?<![\w.,+\-/])(?:(?:{_DIRECTION}\s[+\-]?|[+\-−–±]\s?){_NUMBER}{_UNIT}"
    rf"(?:\s?/\s?(?:{_DIRECTION}\s|[+\-−–]\s?){_NUMBER}{_UNIT})?\s{_PERIOD}|"
    rf"{_DIRECTION}\s{_NUMBER}{_UNIT}\s(?:today|this (?:week|month))|"
    rf"(?:\+\s?{_NUMBER}{_UNIT}\s?/\s?[\-−–]|[\-−–]\s?{_NUMBER}{_UNIT}\s?/\s?\+)\s?{_NUMBER}{_UNIT}\stoday)\b"
)
"""`+0.25 / -0.50 today`, `up 0.50 on day`; `+150 today` may be a spread."""
_PART = r"(?:[1-9]\d?/(?:2|4|8|16|32|64)|[¼½¾⅛⅜⅝⅞])"
_MOVED = (
    rf"\b(?:up|down)\s{_PART}(?![\d/])|"
    rf"(?<!\d)(?<!\d[ \-]){_PART}(?:\s?(?:pts?|points?))?\s(?:{_DIRECTION}|better|weaker|firmer|softer)\b"
)
"""`up 3/8`, `1/8 higher`."""
_SECOND_HOUR = rf"(?P<left>:[0-5]\d){_APART}{_HOUR}(?![\d:])"
"""`bids due 10:30 / 11:45`."""
_SIZE_UNITS = "mm|mn|mio|mln|bn|k"
_BETWEEN_SIZES = rf"(?P<left>\d(?:{_SIZE_UNITS}))\s?/\s?(?=[$€£]?\d[\d.,]*\s?(?:{_SIZE_UNITS})\b)"
"""`5mm / 10mm`."""
_PAID = r"(?:cpn|coupon|interest|payment)"
_COUPON_DAYS = (
    rf"\b(?:pays(?:\son)?(?=\s\d\S*\W{{1,5}}\d)|(?:next|first|last|prev(?:ious)?)\s{_PAID}(?:\sdate)?|{_PAID}\sdates?)"
    rf"\s?:?\s?{_DAY}(?:\s?(?:[,;&/\-–]|and)?\s?{_DAY}){{0,3}}"
)
"""`pays 15/6 15/12`, `next cpn 01/03`."""
_PIECES = rf"\b(?:min(?:imum)?\s)?(?:denom(?:ination)?s?|piece)\s?:?\s?{_NUMBER}k?\s?[/x+]\s?{_NUMBER}k?(?!\w)"
"""`min denom 200/1`."""
_YEARS = r"[0-3]?\d(?:[.,]\d{1,2})?"
_MEASURED = (
    rf"\b(?:(?:c?ltv|wac|c/?e|fico|dscr|cpr|mvoc)\s?[:=]?\s?(?<!\w){_NUMBER}%?{_APART}{_NUMBER}%?|"
    rf"(?:wal[as]?|life)\s?[:=]?\s?(?<!\w){_YEARS}{_APART}{_YEARS}|"
    rf"av(?:era)?ge? life\s?[:=]?\s?{_YEARS})(?![\w/]|[.,]\d)"
)
"""`LTV 45/55`, `WAL: 5.5 - 6.0`."""
_ANALYTIC = (
    r"\b(?:(?:mod(?:ified)?|eff(?:ective)?|oas|spread|spd)\s)?(?:dur(?:ation)?|convexity|cvx|dv01|pv01|cs01)"
    rf"\s?[:=]?\s?[\-−]?{_NUMBER}k?(?![\w/]|[.,]\d)|\bconv\s?[:=]?\s?[\-−]?0?[.,]\d+(?![\w/])"
)
"""`duration 6.21 convexity 0.48`, `DV01 610`; but `conv 5.5` is a mortgage."""
_PREMIUM = r"\bpremium\s(?:ccy|currency|in)\s[a-z]{3}\b"
"""`premium ccy USD`: what is paid in, no premium (ruling 28)."""
_PAR = r"\$\s?(?:25|50|100|1,?000)\s(?:par|pref|pfd|stated|liq(?:uidation)?)\b"
"""`$25 par` of a preferred."""
_FACTOR = r"\b(?:factor|fctr|CF)\s?[:=]?\s?0?[.,]\d{1,10}(?![\d.,])|(?<=\bOF)\s[x×]\s?0?\.\d{1,10}(?![\d.,])"
"""`OF 10mm CF .18`, `10mm OF x .18`."""
_TELEPHONE = r"(?<![\w.,\-])\d{3}-\d{3}-\d{4}(?:/\d{2,4})?(?![\w\-]|[.,]\d)"
"""`212-555-0100/0101`."""
_SETTLED = rf"\b(?:settl\w{{1,6}}(?:\sdate)?|value\sdate|[vt]d|deadline|expires?|expiring)\s?:?\s?(?:on\s|by\s)?{_DAY}"
"""`settle 17/11`; a bond may be due `09/34`."""
_BARRIER = (
    r"\b(?:barri[eè]re?|barrera|barreira|barriera|knock[- ]?(?:in|out)|sicherheitsschwelle)"
    r"\s?:?\s?(?:(?:at|of|bei|von|à|al)\s)?"
    rf"{_NUMBER}\s?%"
)
"""`Barriere 60 %`."""
_PICKED_UP = (
    rf"\b(?:(?:pick|give)[- ]?up|roll[- ]?down|carry)\s(?:of\s|is\s|:\s?)?[+\-]?{_NUMBER}{_UNIT}(?![\w/])|"
    rf"(?<![\w.,/]){_NUMBER}\s?(?:bps?|pts?|points?|c|cents)\s(?:pick|give)[- ]?up\b"
)
"""`spread pick-up of 140bp`, `25bp give-up`."""
_PAID_BACK = (
    r"\b(?:redemption|tender|purchase|issue|re-?offer|conversion)\s(?:price|px)\s?(?:of\s|is\s|at\s|[:=]\s?)?"
    rf"{_NUMBER}\s?%?(?![\w/]|[.,]\d)"
)
"""`at a redemption price of 101.719%`: nobody makes it."""
_COUNTED = r"(?<![\w.,/\-+])(?:1?\d|2\d)\s(?:bids|bidders)\b"
"""`cvr +41, 4 bids`."""
_FACTS = tuple(
    (words.split(","), re.compile(pattern, re.IGNORECASE))
    for words, pattern in (  # a line without any of the words is not searched
        ("range,high,low,hi/,h/l", _RANGE),
        ("day,d/d,dod,week,w/w,wow,month,m/m,mom,session", _CHANGE),
        ("up,down,er", _MOVED),
        (":", _SECOND_HOUR),
        ("mm/,mm /,mn/,mn /,mio/,mio /,mln/,mln /,bn/,bn /,k/,k /", _BETWEEN_SIZES),
        ("pays,cpn,coupon,interest,payment", _COUPON_DAYS),
        ("denom,piece", _PIECES),
        ("ltv,wal,life,wac,ce ,ce:,c/e,fico,dscr,cpr,mvoc", _MEASURED),
        ("dur,conv,cvx,01", _ANALYTIC),
        ("premium ccy,premium curr,premium in", _PREMIUM),
        ("$25,$ 25,$50,$100,$1", _PAR),
        ("factor,fctr,cf,of x,of ×", _FACTOR),
        ("-", _TELEPHONE),
        ("bids,bidders", _COUNTED),
        ("settl,value date,vd,td,deadline,expir", _SETTLED),
        ("pick,give,rolldown,roll-down,roll down,carry", _PICKED_UP),
        ("tion price,tion px,tender p,purchase p,issue p,offer p", _PAID_BACK),
        ("barri,barre,knock,schwelle", _BARRIER),
    )
)


def without_facts(text: str) -> str:
    """The text with blanks in the place of figures that are never levels; nothing changes its place."""
    lower = text.lower()
    for words, pattern in _FACTS:
        for word in words:
            if word in lower:
                text = pattern.sub(_blank, text)
                break
    return text


def _blank(match: re.Match[str]) -> str:
    left = match.groupdict().get("left", "")
    return left + " " * (len(match[0]) - len(left))
