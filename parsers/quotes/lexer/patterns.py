"""How the parts of a run's line are printed (spec 4.1, 4.4, 4.7 to 4.10).

Patterns are matched at one position, and none has a repetition inside a repetition over the same letters: a line is
read in time linear in its length.
"""

from __future__ import annotations

import re

from parsers.lexicon import compiled
from parsers.values.currencies import CODE, SYMBOL
from parsers.values.numbers import HALF
from parsers.values.sizes import UNIT_IN_TEXT, UNIT_WORD
from parsers.values.spreads import PREFIX
from parsers.values.talk import TALK as TALK_FORMS
from parsers.values.times.dates import FULL_DATE, MONTH_DATE
from parsers.values.times.tenors import TENOR as TENOR_FORMS

# a size's number and unit
_BARE = r"[$€£]?(?:\d[\d.,]*|\.\d+)"

# values
_PROPER = (  # `66/64` are two spreads
    r"(?:1/2|[1-3]/4|[1-7]/8|(?:1[0-5]|[1-9])/16|(?:[12]\d|3[01]|[1-9])/32|(?:[1-5]\d|6[0-3]|[1-9])/64)"
)
_FRACTION = rf"(?:{_PROPER}(?!\d|[.,]\d|\s?{UNIT_IN_TEXT}(?!\w))|[¼½¾⅛⅜⅝⅞])"  # `2/4mm` is a size
_DECIMAL = r"(?:\d+(?:[.,]\d+)*(?:[.,][\-–]{1,2}(?=[\s/;)]|$))?|[.,]\d+)"  # `103,-`
_IMPROPER = rf"(?:[6-9]\d|1\d\d) (?!{_PROPER})\d/\d(?![\w/]|[.,]\d)"
"""`99 9/8`, `99 1/3`: behind a handle neither a fraction that is printed nor a market, and so no number at all."""
_MIXED = rf"(?:\d{{1,3}}(?:[ \-]{_FRACTION}|[¼½¾⅛⅜⅝⅞]|{HALF})|{_IMPROPER})"
_PAR = rf"[Pp](?:ar|AR)(?:[ \-]{_FRACTION})?(?![\w]|\s{{of_par}}\b)"  # no `par call`
_EIGHTH = r"[ ]?(?:[¼½¾⅛⅜⅝⅞]|(?:1/2|[13]/4|[1357]/8)(?!\d))"
_TICK = rf"(?:0|\d{{2,3}})[\-'’:]\d{{2}}(?:\+|\.\d{{1,3}}|\d(?!\d)|{_EIGHTH})?(?!\d)"
_TICKS = rf"(?:[0-2]\d|3[01])(?:\+|{_EIGHTH}|[0-7]?(?![ ](?:[1-9]|[1-6]\d)/(?:[248]|16|32|64)(?!\d)))"
"""Of a second side alone: `99-16/17`, but no handle of a fraction as in `107 3/8-107 1/2`."""
_NULL = "(?:--+|{null})"
_NULL_BEFORE = rf"(?:{_NULL}|{{null_rating}}(?=\s?/\s?[\d.])|[\-–.](?=\s?/))"  # `-/99.25`
_NULL_BEHIND = rf"(?:(?:{_NULL}|{{null_rating}})(?!\w)|[\-–.](?=\s|$|[,;)]))"  # `98/-`
_SIGN = r"[+\-−–]"
_PLAIN = rf"(?:\({_DECIMAL}\)|{_SIGN}?(?:{_MIXED}|{_PAR}|{_DECIMAL})(?:\+(?!\d))?)"
_TICKED = rf"(?:{_TICK}|{_PLAIN})"

# what stands between two values, and what must not follow them
_APART = r"(?:%?\s{0,6}/\s{0,6}|%-|\s{1,4}[\-–—]\s{1,4}|\s?[–—]\s?|\s?@\s?)"
_JOINED = rf"(?:{_APART}|-)"
_TICKED_APART = (
    rf"(?:{_APART}|(?:(?<=\.\d\d)|(?<=\.\d{{3}})|(?<=\.\d{{4}})|(?<=[ ]\d/[248])|(?<=/16)|(?<=/32)|(?<=/64))-|"
    rf"\s{{1,4}}[xX×]\s{{1,4}}(?=\d{{2,3}}-[0-3]\d))"
)
"""Where a dash is one of 32nds, but behind decimals and fractions: `3.955-95`, `99 1/2-99 3/4`, `101-02+ x 101-03`."""
_LISTED = (  # two full values by a comma, which can neither group nor part decimals
    r"(?:\d+\.\d+,\d+\.\d+|\d{2,3}\.\d{1,2},\d{2,3}|\d{2,3},\d{2}\.\d{1,3})(?![\w/]|[.,]\d|[½¼¾⅛⅜⅝⅞])"
)
_COUNTED = r"(?!\s{counted_thing}\b)"  # `3 lines`
_NO_SIZE = r"(?!\s?(?:(?i:{million_unit})|k|K)(?!\w)|m(?!\w))"
"""`98 - 15mm` is a bid or an offer and its size."""
_TAIL = _COUNTED + r"(?![\d/]|[.,]\d|-\d|[½¼¾⅛⅜⅝⅞])(?!(?:{ordinal_or_year}|x\d|h\d)\b|[A-Z]{1,6}\d)" + _NO_SIZE
_SIZED = (
    rf"(?=\s{{1,12}}{_BARE}\s?{UNIT_IN_TEXT}(?:(?!\w)|[xX×]\s?[\d.])|"
    r"(?<!\s/)\s{1,12}\d{1,6}\s{0,4}[xX×](?:\s{0,4}[\d.]|\s|$))"
)
"""Behind the slash of a bid alone: `103.15/  10mm x 1mm` has no ask."""
_NOTHING = (
    r"(?!\s{1,6}\d+[.,]\d+-\d+[.,]\d|\s(?:\d{1,2}(?:{tenor_unit}|[yYwW])\b|[A-Z]{1,4}\s?[+]\d))(?=\s|$|[,;)]|"
    r"(?:(?i:{dm_or_bp})|pbs?)\b|%\s?NAV)"
)
"""Behind the slash of a bid alone, apart from sizes: `98/`, `98/dm`; not behind the mid of `2.28 / 2.265-2.295`,
nor where the slash, apart on both sides, parts two instruments: `13,25 / DI jan31`."""
_ALONE = _COUNTED + r"(?:(?=[abo](?:[\s,;)]|$))|(?![\w/½¼¾⅛⅜⅝⅞]|[.,]\d)|(?=(?:(?i:{level_unit})|pbs?|v)\b))"


def _pair(value: str, second: str, joint: str) -> re.Pattern[str]:
    both = rf"(?:{value}|{_NULL_BEFORE}){joint}[$£€]?(?:{second}|{_NULL_BEHIND}){_TAIL}"
    return compiled(
        rf"{value}\s?/{_SIZED}|{both}|{value}(?:/|\s/(?!\s+[^\W\d_]{{2}})){_NOTHING}|{value}-(?=\s{{2,}}|$)|"
        rf"/\s?{value}{_TAIL}(?![mMwWs]\b)(?!\s?[dD]?\s?{{smile}}\b)|{_LISTED}"
    )


PAIR = {  # by whether 32nds are read
    False: _pair(_PLAIN, rf"(?:{_FRACTION}|{_PLAIN})", _JOINED),
    True: _pair(_TICKED, rf"(?:{_TICK}|{_FRACTION}|{_TICKS}(?![\d/]|[.,]\d)|{_PLAIN})", _TICKED_APART),
}
_COUPON = r"(?:20|1?\d)(?=[ ](?:1[0-2]|[1-9])/32\s+[\dA-Z+])"  # `7 10/32  98.25`: a month and year, no 32nds
LONE = {False: compiled(rf"(?:{_COUPON}|{_PLAIN}{_ALONE})"), True: compiled(rf"(?:{_COUPON}|{_TICKED}{_ALONE})")}
IN_MONEY = compiled(
    rf"[$£€]((?:\d,)?\d{{1,3}}[.,]\d{{1,4}})(?![\w/]|[.,]\d|\s?{UNIT_IN_TEXT}(?!\w)|\s?[-–/x]\s?[$£€]?\d)"
)
"""A value with the sign of its money: `$98.50`, `$24.85`."""
_DASH = r"(?(prefix)(?(over)-(?![\-−–])|(?!))|(?!))"  # `T+101-98`; behind a minus it may be another
SPREAD = compiled(
    rf"(?P<prefix>{PREFIX}|(?:{{curve_prefix}}|[begijstz])(?=[+]\d)|(?:ms|asw)(?=-\d)|"
    rf"{{curve_prefix_apart}}(?=\s[+]\s?\d))?\s?(?P<body>(?:(?P<over>\+\s?)|[\-−–](?!\s))(?:{_DECIMAL}|"
    rf"{_FRACTION})(?:\s?/{_SIZED}|(?:/\s?|\s/\s|\s-\s|–|{_DASH})(?:(?:(?P=prefix)\s?)?(?:\+\s|"
    rf"{_SIGN})?(?:{_DECIMAL})|{_NULL_BEHIND})|\s?/{_NOTHING})?|\+\s?/\s?{_DECIMAL}){_TAIL}"
)
NO_BID = compiled(rf"(?:{_NULL_BEFORE}\s?)?/\s?")
"""In front of an ask alone: `/T+81`, `- / T+81`."""
SPREAD_SIDES = compiled(
    rf"b\s?/\s?(?:{PREFIX})?\s?\+?(?P<second>\d+(?:[.,]\d+)?)[ao](?!\w)|[bo](?=[\s,;)]|$)|\s?\((?P<letter>[bo])\)"
)
"""Behind a spread the letters of sides: `T+115b/T+112a`, `+115b`, `T+45 (b) T+41 (o)`; alone `+112a` may be an area."""
SPREAD_AND_PRICE = compiled(r"\+\s?(\d{1,4})\s?/\s?(\d{1,3}[.,](?:(?P<quarters>00|25|50|75)|\d{2,3}))")
"""What has no quarters of a basis point is no spread: `+8 / 2.98`."""
_YIELD_UNIT = r"{yield_unit}(?!\s+[+\-]?\d[\d.,]*(?![\d.,]|\s?[xX]\s?\d|\s?mm))"
UNIT = compiled(
    rf"\s?(?P<unit>{{unit_letter}}|(?i:{{points_unit}})|"
    rf"%\s?(?:of\s)?(?:\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?\s)?NAV|%|(?i:{{vol_unit}})|v(?!\.?\s?\$?\d)|"
    rf"(?i:up)(?=\s?[+@]\s?\d00\b)|{_YIELD_UNIT})(?![\w])(?!\s{{not_unit}})"
)
"""What a value is counted in, right behind it; a yield's word in front of the next value belongs to that one."""

MARGIN_AHEAD = compiled(r"\s+(?P<bid>\d{2,4})(?:\s?/\s?(?P<ask>\d{1,4}))?(?![\w/.,]|\s?[xX]\s?\d)")
"""Behind a spaced `DM` margins in whole points, whose word it is: `99.8/99.9 DM 62/58`."""

# sizes
_THINGS = r"(?:\s?{size_thing})?"
SIZE_PAIR = compiled(
    rf"(?:{_BARE}\s?{UNIT_IN_TEXT}?(?:(?:\s{{1,4}}|(?<=[mMnNkK])\s?)[xX×]\s{{0,4}}|[xX×]\s?|\sby\s){_BARE}(?:\s?{UNIT_IN_TEXT})?|[xX]\s{_BARE}\s?{UNIT_IN_TEXT}|"
    rf"{_BARE}\s?{UNIT_IN_TEXT}\s?[xX](?!\w)|[xX]\d{{1,3}}(?=\s|$)|\d{{1,3}}(?:\.\d)?x(?!\w|\s[a-f][12]?r?\s)){_THINGS}(?![\w/]|[.,]\d)"
)
SIZE = compiled(
    rf"(?:(?![\d.])(?:(?:{SYMBOL})\s?|(?:{CODE})\s?))?(?:\d[\d.,]*|"
    rf"\.\d+)(?:\s?[-/]\s?\d[\d.,]*)?\s?(?=[mbkt0])(?:{UNIT_WORD}\b\.?|{{size_unit}}|"
    rf"{{size_unit_mi}}(?![\w-]))[€£]?{_THINGS}(?:\s?\+|\s(?:{{size_more}}|of\s0?[.,]\d+))?(?![\w/]|[.,]\d)|"
    rf"\d{{1,3}}\s{{up}}\b|[$€£]\d[\d.,]*\s?b\b|\d[\d.,]*\s?{{size_thing}}\b|"
    rf"[$€£]?\d{{1,3}}(?:,\d{{3}}){{2,}}(?![\d.,/])|\d{{1,3}}(?:\.\d{{3}}){{2,}}(?![\d.,/])",
    re.IGNORECASE,
)
ASK_BEHIND = compiled(r"(\d{1,4}(?:[.,]\d{1,5})?)\s+/(\d{1,4}(?:[.,]\d{1,5})?)")
BID_AND_SIZE = compiled(r"(\d{2,3}(?:[.,]\d{1,5})?)\s*/\s*(\d{1,3})")
SIDED = compiled(
    r"(?!144a)(?:(?P<bid>\d{2,4}(?:[.,]\d+)?)b(?:id)?(?!$.))?/?(?:(?P<ask>\d{2,4}(?:[.,]\d+)?)(?:[ao]|ask|ofr|offer))?"
)
"""A letter or word says the side: `91b/88o`, `76a`, `99.1bid/99.5offer`."""
TICK_PAIR = compiled(r"\d{2,3}-[0-3]\d[+\d]?\s?/\s?(?:(?:\d{2,3}-)?[0-3]\d[+\d]?|\d{2,3})(?![\w.])")
TICKS_ALONE = compiled(r"\d{2,3}-0\d")
"""No market in any class: where 32nds are not read, nothing."""
ASK_LETTER = compiled(rf"b\s?/\s?(?P<ask>{_MIXED}|{_DECIMAL})[ao](?!\w)")
"""Behind a bid: `21.05b / 21.20o`."""
MARGIN = compiled(r"(?P<margin>\d{2,4})\s?(?i:dm)\)")
"""In brackets behind a price: `cvr 99.82 (345dm)`."""
TALKED = compiled(rf"(?P<prefix>{PREFIX})?\s?\+\s?(?P<range>\d{{2,4}}-\d{{2,4}})(?![\d.,/])")
"""Spreads talked: `J+85-90`."""
DECADE = compiled(r"'?[sS](?!\w)")
YEAR_AND_VALUE = compiled(r"([2-9]\d)(?:\s+[-–]\s+|\s*@\s*)\$?(\d{1,3})")
BY = compiled(r"\s*[xX×]\s*\d")
ASK_BY = compiled(rf"\s*[xX×]\s*(?P<ask>\d{{2,3}}(?:\.\d+|[ \-]{_FRACTION})?)(?![\w/]|[.,]\d)")
"""Behind a bid with a fraction, which no size has: `97 3/8 x 98`."""
PRICES_BY = compiled(r"(\d{1,4}\.\d{1,3})\s*[xX×]\s*(\d{1,4}(?:\.\d{1,3})?)")

# dates, terms, parts of names
DATE = compiled(rf"{FULL_DATE}(?![\d/\-]|['’]\d)")
CALLED = r"(?:20)?[2-9]\d\s?(?:c|C|nc|NC)\s?(?:20)?[2-9]?\d(?!\w)"  # `29c28`, `33NC32`: a year with its call
_AND_CALL = r"(?:0[1-9]|1[0-2])/[2-9]\d-[2-9]\d(?=\s)"  # `10/33-28`
_PAST = r"(?<=\d\s)(?:0?[1-9]|1[0-2])/1[5789](?=\s+\d{1,3}(?:[.,]\d+)?\s?[/\-–]\s?\d)"
"""In front of a market the maturity of what was never paid: `VENZ 7.75 10/19 24.5/25.25`; sixteenths are of a price."""
MONTH = compiled(rf"{CALLED}|{_AND_CALL}|{_PAST}|{MONTH_DATE}(?!,?[\d/.\-+½¼¾⅛⅜⅝⅞]|\s?[xX]\s?\d)")
NAMED_MONTH = compiled(rf"(?![\d]){MONTH_DATE}(?![\d/.,\-'’]|\s{{option_side}}s?\b)")
"""Not an option's expiry and strike: `Jan 55 payer`."""
FIRST_AND_MONTH = compiled(r"(?P<coupon>[2-9])\s[^\W\d_]{3,4}\.?\s'?\d\d")
"""`OAT 3 févr. 34`: what stands in front of the month is a coupon where there was none."""
_CLOCK = r"(?:[01]?\d|2[0-3])[.:](?:00|15|30|45)"
_HOUR = r"(?:1[0-2]|[1-9])(?::[0-5]\d)?[ap]"
TIME = compiled(
    rf"{_HOUR}\s?[-–]\s?{_HOUR}\b|"
    r"(?:[01]?\d|2[0-3])(?::[0-5]\d(?::[0-5]\d)?|h[0-5]\d)\s?{half_day}?(?![\w+/:]|[.,]\d)|\d{1,2}\s?{half_day}\b|"
    rf"(?<=(?:day|tag)\s){_CLOCK}\s?[-–]\s?{_CLOCK}(?![\w+/:]|[.,]\d)"
)
"""Of a meeting, too: `Thursday 14.30-15.15`, `10a - 5p`."""
SERIES = compiled(r"(\d{1,2}(?:[.,]\d{1,3}|\s[1-7]/[248]|[½¼¾⅛⅜⅝⅞])?)[sS]\s(?:of\s)?'?(2[01]\d{2}|[2-9]\d)(?![\w./-])")
_TENOR = compiled(rf"{TENOR_FORMS}(?![\w])(?!\s{{smile}}\b)")
_STRUCTURE = r"(?:ATMF?\s+|[12][05]\s?[dD]?\s?{smile}\s+)?"
"""Of an option, between its tenor and its volatility: `3M 25RR -0.9/-0.6`."""
_VALUE_AHEAD = rf"\s{{1,8}}{_STRUCTURE}[+\-]?\d"
_CURVE_TENOR = compiled(
    rf"{_TENOR.pattern}|\d{{3}}[dD](?!\w)|\d{{1,2}}(?:[AJ]|\sJ):?(?={_VALUE_AHEAD})|"
    rf"\d{{1,2}}a(?=\s{{1,8}}[+\-]?\d+(?:[.,]\d|\s?/))|\d{{1,2}}[JMA][x×]?\d{{1,2}}[JA]\b|"
    rf"\d{{1,3}}\s{{time_unit}}\b"
)
"""With the years and days of Romance languages: `5A  8,72/8,80`, `28 días`."""
TENOR = {False: _TENOR, True: _CURVE_TENOR}  # by whether tenors are what stands in front of levels
STRIKE = compiled(r"[+\-]\s?\d{1,3}\s?(?:bps?)?(?=\s(?:payer|receiver)s?\b)")
"""Of a swaption, in basis points from the forward."""
FORWARD = compiled(r"\d{1,2}[mMyY]\s[x×]\s\d{1,2}[yY](?!\w)")
"""Of a swaption: `3m x 10y`; no size is counted in years."""
LEVEL_AHEAD = compiled(
    rf"\s+{_STRUCTURE}[+\-]?(?:\d+[.,]?\d*\s?/|\d+[.,]\d+-\d+[.,]\d)|"
    rf"\s+(?:{PREFIX})?\s?[+](?![15]00\b)\d"
)
"""`3M 5.8010/5.8090`, `3M 25RR -0.9/-0.6`, `3M ESTR+9` behind a level: a tenor, no size."""
TRANCHE = compiled(
    r"\d{1,2}\s?-\s?\d{1,3}\s?%(?!\s?(?:of\s)?NAV)|"
    r"(?:0-3|0-7|0-10|10-20|3-7|7-15|15-100|0-15|15-25|25-35|35-100|3-6|6-9|9-12|6-12|12-22|12-100|7-10|10-15|15-30|20-35)"
    r"(?=\s+(?:upf(?:ront)?\b|\(?[+\-]?\d+[\d.,]*(?:\s\d/\d{1,2})?\s?[/-]))"
)
_FLOATER = "{floater_letter}"
"""Indices that floaters pay, behind their term: `3mN+52`."""
NAME_PART = compiled(  # digits that are part of a deal's or pool's name, with a tranche that could be a curve
    rf"\d{{1,3}}\s?bps?\s{{moneyness}}(?!\w)|[136]m\+\d{{2,4}}(?=\s)|(?<!.)(?:85|110|125|150|175|200|225|250|"
    rf"275|300)[kK](?=\s{{1,20}}\d)|(?:1|3|6|12)[mM]\s?(?:{_FLOATER})\s?\+\s?\d{{1,4}}(?=[\s,;]|$)|"
    rf"[012]\d-\d{{1,2}}[AX](?=\s{{1,4}}[A-FSX][A-Z0-9-]{{0,4}}\s)|(?:1|3|6|12)[mM]/(?:3|6|"
    rf"12)[mM](?=\s+{{basis_word}}\b)|(?:19|20)\d\d-(?:[A-Z0-9]{{1,6}}|"
    rf"\d{{1,2}}[a-z])(?:\s[GIJNZ](?=\s))?(?![\w/.,]|-\d\d)|\d{{2,3}}k(?=\s{{loan_pool}})"
)
BOND = compiled(
    rf"(?:vs\.?\s|over\s)?(?P<ticker>{{government_ticker}})\s(?P<coupon>{_MIXED}|"
    rf"{_DECIMAL})\s(?P<maturity>{FULL_DATE}|{MONTH_DATE}|'?\d\d)(?![\d/])"
)
RATING = compiled(r"[A-F][1-3]?-\d{1,2}\+?(?![\d./])(?!\s?/)")  # A-1, P-1, and a loan's `B-12`
SETTLEMENT = compiled(r"[Tt]\s?\+\s?\d(?![\d/]|\.\d)")

# what belongs to a level
CHANGE = compiled(r"\((?:{unchanged_short}|\+/-|[+\-−–]\s?[\d¼½¾⅛⅜⅝⅞][\d./ +¼½¾⅛⅜⅝⅞]*(?:bps?|%|c)?)\)", re.IGNORECASE)
SERIES_NUMBER = compiled(r"[1-9]\d")
CENTS = compiled(r"[+\-−–]\s?\d[\d.]*\s?c\b")
"""The day's change in cents: `+25c`."""
MOVE = compiled(r"\s{moved_so}\b", re.IGNORECASE)
"""Behind a number and its unit, which are the day's change then: `2 pts higher`."""
DELTA = compiled(r"(?:{delta_letter}|delta\s)\d{1,3}(?:[.,]\d+)?x?\b|\d{1,3}(?:[.,]\d+)?(?:{delta_letter}|\s?delta)\b")
REFERENCE = compiled(
    rf"(?:{{reference_word}}|(?:(?-i:v)|(?<=\d\s)V)\.?)\s(?:(?-i:{CODE})\s)?(?!(?:0?[1-9]|1[0-2])/\d\d(?!\d|"
    rf"[.,]\d))(?P<value>\$?\d[\d.,]*\d|\d)(?P<more>(?:[/\-–]|\s[/\-–]\s)\d[\d.,/+\-–]*)?(?![\w/]|[.,]\d|"
    rf"-\d(?!\d?d\b))(?!\s?[yY]\b(?!/))",
    re.IGNORECASE,
)
"""`vs 42.10`; with more behind it another market, which is not the line's: `vs 100.5/101.5 yest`."""
REFERENCE_BEHIND = compiled(r"(?P<value>\$?\d[\d.,]*\d|\d)\s(?:ref|stk|stock)\b\.?(?!\s?\$?\d)", re.IGNORECASE)
"""`96.25/97, 6.9 ref`: the value in front of its word."""
OF_TENOR = compiled(r"(?:vs\.?|ref)\s\d{1,2}[yY](?:rs?)?\s(?:at\s|@\s?)?\d\.\d{1,4}%?(?![\d/.,\-])")
"""Where a yield stood: `ref 10y 4.12`."""
STRUCT = compiled(r"(10|15|25)\s?[dD]?\s?(?:delta\s)?({smile})\b")
TALK = compiled(
    rf"\s*+:?\s*+(?:{{was}} )?(?:(?P<prefix>{PREFIX})\+\s?(?=[A-Za-z]))?(?P<phrase>{TALK_FORMS})"
    r"(?P<unit>\s?(?i:{dm_px}))?(?![\w])"
)
TALK_WORDS = compiled(
    r"\+?(?:{talk_letters}\d{2,4}'?[sS]|{talk_letters_apart}\s?\d{2,4}'?[sS]|(?i:{talk_band}|"
    r"low(?:er)?[\s/\-]{1,3}mid|mid[\s/\-]{1,3}high)[\s\-]{1,3}\d{2,4}'?[sS])(?:\s?(?i:{dm_or_bp}))?(?!\w)"
)
"""Talk that no word announces: `VH99s`, `low/mid 80s`, `+LM600s dm`."""
LISTED_TALK = compiled(
    r"(?:(?i:{in_context})\s\+?\d{2,4}(?:[.,]\d+)?(?:\s?(?i:{dm_or_bp}))?|\+?\d{2,4}(?:[.,]\d+)?(?:a|"
    r"\s(?i:{area_word})|\+)|(?<=/\s)\d{3}s)(?![\w/.]|\s?\d|\s?/(?!\s?\+?\d{2,4}(?:a|s)\b))"
)
"""On a list of bids wanted, without the word `talk`: `sub 98`, `98 area`, `98a`, `context 98`, `98+`."""
TALK_TOO = compiled(r"\s?/\s?(?P<phrase>\+?\d{2,4}'?[sSa]?(?:\s?(?i:area))?\s?(?i:dm|bps?))(?!\w)")
"""`100.05 area / 350s dm`: the margin behind a price talked."""
NUMBERED = compiled(r"\s*(?:\(?\d{1,3}[.)]|#\d{1,3}[.:)]?)\s+(?=\S)")
"""In front of a line of a list: `1)`, `2.`, `(3)`, `#4`."""
WORD = compiled(r"\S+")
START = compiled(r"[^\s|;,]")
