"""Figures of a line that a word beside them makes no level: ranges, changes, hours, dates, sizes (spec 2.9)."""

from __future__ import annotations

import re

from parsers.gates.stems import Stemmed

_NUMBER = r"(?:\d+(?:[.,]\d+)*|[.,]\d+)"
_SIGNED = rf"[+\-]?{_NUMBER}"
_APART = r"\s?[/\-–]\s?"
_UNIT = r"(?:\s?(?:{change_unit}|%))?"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])(?:/(?:\d\d){1,2})?(?![\d/.])"
_HOUR = r"(?:[01]?\d|2[0-3])(?::[0-5]\d)"
_DIRECTION = "{direction}"
_PERIOD = "{looked_back_on}"
_HIGH_LOW = r"(?:hi(?:gh)?s?|lows?|lo)"
_RANGE = (
    rf"\b{{range_of}}[ -](?:(?:trading )?range|h/l|{_HIGH_LOW})(?:{_APART}{_HIGH_LOW})?(?:\s?:|"
    rf"\s{{of_is}})?\s?{_NUMBER}(?:(?:{_APART}(?:{_HIGH_LOW}\s)?|,?\s{_HIGH_LOW}\s){_NUMBER})?(?![\w/])"
)
"""`52-week range 85.00-99.75`, `52wk hi/lo 99.75/85.00`, `52w high 104 low 88`."""
_CHANGE = (
    rf"(?<![\w.,+\-/])(?:(?:{_DIRECTION}\s[+\-]?|[+\-−–±]\s?){_NUMBER}{_UNIT}(?:\s?/\s?(?:{_DIRECTION}\s|"
    rf"[+\-−–]\s?){_NUMBER}{_UNIT})?\s{_PERIOD}|{_DIRECTION}\s{_NUMBER}{_UNIT}\s{{of_this}}|"
    rf"(?:\+\s?{_NUMBER}{_UNIT}\s?/\s?[\-−–]|[\-−–]\s?{_NUMBER}{_UNIT}\s?/\s?\+)\s?{_NUMBER}{_UNIT}\stoday)\b"
)
"""`+0.25 / -0.50 today`, `up 0.50 on day`; `+150 today` may be a spread."""
_PART = r"(?:[1-9]\d?/(?:2|4|8|16|32|64)|[¼½¾⅛⅜⅝⅞])"
_MOVED = (
    rf"\b(?:up|down)\s{_PART}(?![\d/])|(?<!\d)(?<!\d[ \-]){_PART}(?:\s?{{change_unit}})?\s(?:{_DIRECTION}|"
    rf"{{direction_felt}})\b"
)
"""`up 3/8`, `1/8 higher`."""
_SECOND_HOUR = rf"(?P<left>:[0-5]\d){_APART}{_HOUR}(?![\d:])"
"""`bids due 10:30 / 11:45`."""
_SIZE_UNITS = r"(?!m\b){size_unit}"
"""`3m` may be months."""
_BETWEEN_SIZES = rf"(?P<left>\d{_SIZE_UNITS}) ?/\s?(?=[$€£]?\d[\d.,]*\s?{_SIZE_UNITS}\b)"
"""`5mm / 10mm`."""
_PAID = r"(?:cpn|coupon|interest|payment)"
_COUPON_DAYS = (
    rf"\b(?:pays(?:\son)?(?=\s\d\S*\W{{1,5}}\d)|{{which_coupon}}\s{_PAID}(?:\sdate)?|"
    rf"{_PAID}\sdates?)\s?:?\s?{_DAY}(?:\s?(?:[,;&/\-–]|and)?\s?{_DAY}){{0,3}}"
)
"""`pays 15/6 15/12`, `next cpn 01/03`."""
_PIECES = rf"\b(?:min(?:imum)?\s)?(?:denom(?:ination)?s?|piece)\s?:?\s?{_NUMBER}k?\s?[/x+]\s?{_NUMBER}k?(?!\w)"
"""`min denom 200/1`."""
_YEARS = r"[0-3]?\d(?:[.,]\d{1,2})?"
_MEASURED = (
    rf"\b(?:{{pool_measure}}\s?[:=]?\s?(?<!\w){_NUMBER}%?{_APART}{_NUMBER}%?|(?:wal[as]?|"
    rf"life)\s?[:=]?\s?(?<!\w){_YEARS}{_APART}{_YEARS}|av(?:era)?ge? life\s?[:=]?\s?{_YEARS})(?![\w/]|[.,]\d)"
)
"""`LTV 45/55`, `WAL: 5.5 - 6.0`."""
_ANALYTIC = (
    rf"\b(?:{{analytic_kind}}\s)?{{analytic}}\s?[:=]?\s?[\-−]?{_NUMBER}k?(?![\w/]|[.,]\d)|"
    rf"\bconv\s?[:=]?\s?[\-−]?0?[.,]\d+(?![\w/])"
)
"""`duration 6.21 convexity 0.48`, `DV01 610`; but `conv 5.5` is a mortgage."""
_PREMIUM = r"\bpremium\s(?:ccy|currency|in)\s[a-z]{3}\b"
"""`premium ccy USD`: what is paid in, no premium (ruling 28)."""
_PAR = r"\$\s?(?:25|50|100|1,?000)\s{par_kind}\b"
"""`$25 par` of a preferred."""
_FACTOR = r"\b(?:{pool_factor}|cf)\s?[:=]?\s?0?[.,]\d{1,10}(?![\d.,])|(?P<left>\bof) [x×]\s?0?\.\d{1,10}(?![\d.,])"
"""`OF 10mm CF .18`, `10mm OF x .18`."""
_TELEPHONE = r"(?<![\w.,\-])\d{3}-\d{3}-\d{4}(?:/\d{2,4})?(?![\w\-]|[.,]\d)"
"""`212-555-0100/0101`."""
_HOUSE = r"(?<![\w.,/\-])[1-9]\d{0,4}(?:[\-–]\d{1,4})?\s(?:[a-z][\w.']*\s){0,2}{street}\b"
"""`427-3 Amherst Street`."""
_SETTLED = rf"\b(?:settl\w{{1,6}}(?:\sdate)?|{{settled}})\s?:?\s?(?:on\s|by\s)?{_DAY}"
"""`settle 17/11`; a bond may be due `09/34`."""
_BARRIER = rf"\b{{barrier}}\s?:?\s?(?:{{at_of}}\s)?{_NUMBER}\s?%"
"""`Barriere 60 %`."""
_PICKED_UP = (
    rf"\b{{pick_up}}\s(?:{{of_is}}\s|:\s?)?{_SIGNED}{_UNIT}(?![\w/])|"
    rf"(?<![\w.,/]){_NUMBER}\s?{{change_unit}}\s{{pick_up_verb}}\b"
)
"""`spread pick-up of 140bp`, `25bp give-up`."""
_PAID_BACK = rf"\b{{price_paid_back}}\s{{price_px}}\s?(?:{{of_is}}\s|[:=]\s?)?{_NUMBER}\s?%?(?![\w/]|[.,]\d)"
"""`at a redemption price of 101.719%`: nobody makes it."""
_ARROW = r"\s?(?:-{1,2}>|=>|→|⇒|[,;(]?\s?{corrected_to}:?)\s?"
_LEFT_BEHIND = (
    rf"(?<![\w.,/+\-]){_SIGNED}(?:{_APART}{_SIGNED}{_ARROW}(?={_SIGNED}{_APART}{_SIGNED}(?![\d/x]))|"
    rf"{_ARROW}(?={_SIGNED}(?![\d/x-])))"
)
"""`98.25/98.50 -> 98.50/98.75`, `should be`: where a market was, if that leads to one, and a level, if to one."""
_COUNTED = r"(?<![\w.,/\-+])(?:1?\d|2\d)\s(?:bids|bidders)\b"
"""`cvr +41, 4 bids`."""
_FACTS = tuple(
    Stemmed.of(pattern, re.IGNORECASE)
    for pattern in (
        _RANGE,
        _CHANGE,
        _MOVED,
        _SECOND_HOUR,
        _BETWEEN_SIZES,
        _COUPON_DAYS,
        _PIECES,
        _MEASURED,
        _ANALYTIC,
        _PREMIUM,
        _PAR,
        _FACTOR,
        _TELEPHONE,
        _HOUSE,
        _LEFT_BEHIND,
        _COUNTED,
        _SETTLED,
        _PICKED_UP,
        _PAID_BACK,
        _BARRIER,
    )
)


def without_facts(text: str) -> str:
    """The text with blanks in the place of figures that are never levels; nothing changes its place."""
    lower = text.lower()
    for fact in _FACTS:
        for stem in fact.stems:
            if stem in lower:
                text = fact.pattern.sub(_blank, text)
                break
    return text


def _blank(match: re.Match[str]) -> str:
    left = match.groupdict().get("left") or ""
    return left + " " * (len(match[0]) - len(left))
