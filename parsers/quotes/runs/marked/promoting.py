"""Which months and lone numbers of a line can only be levels (spec 4.6, 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from parsers.quotes.answers.named import Habits, Named
from parsers.quotes.answers.naming import first_level
from parsers.quotes.lexer.labels import MEASURES, SIDES
from parsers.quotes.lexer.token import (
    DATE,
    IDENTIFIER,
    LABEL,
    LEVEL,
    MONTH,
    NUMBER,
    SERIES,
    SIZE,
    TENOR,
    TRANCHE,
    WORD,
    Kind,
    Token,
)
from parsers.quotes.runs.marked.pairing import are_close, join, join_behind_tenors
from parsers.values.separators import Locale
from parsers.values.times.dates import MONTHS

_IN_NAMES = frozenset({SERIES, DATE, IDENTIFIER, TRANCHE})
_KEYS = SIDES | MEASURES | {"cover", "trade", "mark"}
_VALUES = frozenset({NUMBER, LEVEL})
_OF = frozenset({"of", "on", "by", "as", "since", "until"})
"""In front of a date."""
_AT = frozenset({"at", "zu", "à", "a", "al", "en"})
"""In front of the level of a wish: `better seller at 98`."""
_FACTS = {*"WAL CE C/E FACTOR WAC WALA FICO LTV CPR PSA CDR SEV DUR DURATION DV01 MVOC RP NC REC FLOOR STRIKE".split()}  # noqa: SIM905 -- a list of words reads best as one
_TELLING_UNITS = frozenset("nvol nvols dm ytw ytm ytc yld yield".split())  # noqa: SIM905 -- as above
"""Nothing but a level is counted in these."""
_FOR = frozenset({"for", "in", "on"})
_NUMBERED = frozenset({"class", "series", "tranche"})
"""What has a number behind it: `LBHI class 3 offered 35`."""
_WHOLE_YEAR = re.compile(r"(?:19|20)\d\d")
_DUE = re.compile(r"20[2-9]\d")
_PRICE = re.compile(r"(?:[4-9]\d|1[0-4]\d)[.,]\d{1,4}")
_RATE = re.compile(r"1?\d[.,]\d{2,4}")
_DAY = re.compile(r"0?[1-9]|[12]\d|3[01]")
_FEW = re.compile(r"[1-9]|[1-4]\d|50")
_MOST_BEHIND_SPREAD = 25
"""Behind a spread more may be a price."""
_KEYS_BEHIND = _KEYS | {"subject", "flat"}
_LIFE = re.compile(r"\d{1,2}[.,]\d{1,2}y(?:rs?)?")
_PRINTED_FULL = re.compile(r"[.,¼½¾⅛⅜⅝⅞/'’\-+]")


def promote(found: list[Token], named: Named, locale: Locale, habits: Habits) -> None:
    """Turns months and lone numbers that can only be levels into levels."""
    if habits.curves:
        join_behind_tenors(found, locale)
    has_level = _has_level(found, habits) or _take_month(found, named)
    start = _name_end(found, named, habits)
    _take_bare_size(found, start, is_sized=habits.sized and named.is_bond)
    if named.is_bond and not has_level:
        _drop_to(found, start, locale)
    lone = _lone(found, start)
    if not lone:
        return
    keyed = [at for at in lone if _is_keyed(found, at, habits)]
    for at in keyed:
        found[at] = replace(found[at], kind=LEVEL)
    free = [at for at in lone if at not in keyed and not _is_fact(found, at)]
    _promote_free(found, free, named, locale, habits, alone=not (has_level or keyed))


def _lone(found: Sequence[Token], start: int) -> list[int]:
    """The lone numbers behind a name."""
    return [at for at in range(start, len(found)) if found[at].kind is NUMBER and not _is_day(found, at)]


def _has_level(found: Sequence[Token], habits: Habits) -> bool:
    """Whether a level is printed, or a number that a word makes one."""
    if first_level(found) < len(found):
        return True
    return any(token.kind is NUMBER and _is_keyed(found, at, habits) for at, token in enumerate(found))


def _take_month(found: list[Token], named: Named) -> bool:
    """Turns the first month that may be a market, and is not of a day, into a level; whether there is one."""
    for at, token in enumerate(found):
        is_of = at > 0 and found[at - 1].text in _OF  # `of 9/30 NAV`
        if token.kind is MONTH and token.text != named.maturity and token.text[:1].isdigit() and not is_of:
            found[at] = replace(token, kind=LEVEL)
            return True
    return False


def _promote_free(
    found: list[Token], free: Sequence[int], named: Named, locale: Locale, habits: Habits, *, alone: bool
) -> None:
    """Turns numbers that no word explains into levels: two sides, a price and its yield, or one."""
    if len(free) == 2 and _WHOLE_YEAR.fullmatch(found[free[0]].text):  # a fund's vintage, a loan's maturity
        free = free[1:]
    are_two = alone and len(free) == 2 and free[1] == free[0] + 1
    if are_two and are_close(found, free, locale):
        join(found, free[0])
    elif are_two and named.is_bond and _are_price_and_yield(found[free[0]], found[free[1]]):
        for at in free:
            found[at] = replace(found[at], kind=LEVEL)
    elif len(free) == 1 and _can_be_level(found, free[0], named, habits, alone=alone):
        found[free[0]] = replace(found[free[0]], kind=LEVEL)


def _are_price_and_yield(price: Token, rate: Token) -> bool:
    """`99.42   2.667` behind a bond."""
    are_bare = price.unit is None and rate.unit in (None, "%")
    return are_bare and _PRICE.fullmatch(price.text) is not None and _RATE.fullmatch(rate.text) is not None


def _take_bare_size(found: list[Token], start: int, *, is_sized: bool) -> None:
    """`98/99 5`: behind a level, at the end of the line, a small whole number is a size (spec 4.8, ruling 2).

    Behind one value, too, where a heading says on which side it is and in what sizes are.
    """
    if len(found) < 2:
        return
    last = found[-1]
    if last.kind is not NUMBER or last.unit is not None or len(found) - 1 <= start or not _FEW.fullmatch(last.text):
        return
    sized = _sized(found, start, is_sized=is_sized)
    if sized is not None and (sized.prefix is None or int(last.text) <= _MOST_BEHIND_SPREAD):
        found[-1] = replace(last, kind=SIZE)


def _sized(found: Sequence[Token], start: int, *, is_sized: bool) -> Token | None:
    """The level that the last number is the size of, if it can be of one."""
    before = found[-2]
    if before.kind is LABEL and before.key in SIDES and len(found) - 3 >= start and found[-3].kind in _VALUES:
        return found[-3] if not _is_led(found) else None  # `98.5 bid 5`
    if is_sized and before.kind is NUMBER and len(found) - 2 >= start and _PRINTED_FULL.search(before.text):
        return before if before.unit is None else None
    return before if before.kind is LEVEL and before.key != "talk" and "/" in before.text else None


def _is_led(found: Sequence[Token]) -> bool:
    """Whether a side stands in front of the value before the last side, whose own the last number then is.

    `bid 21 / offer 27`.
    """
    lead = found[-4] if len(found) > 3 else None
    return lead is not None and (lead.text.lower() in _NUMBERED or lead.key in SIDES)


def _drop_to(found: list[Token], start: int, locale: Locale) -> None:
    """`97 to 98` right behind a bond are two sides; behind another word, as in `moved 97 to 98`, they may be none."""
    if start == 0 or found[start - 1].kind is WORD:
        return
    kinds = [token.kind for token in found[start : start + 3]]
    if (
        kinds == [NUMBER, WORD, NUMBER]
        and found[start + 1].text == "to"
        and are_close(found, (start, start + 2), locale)
    ):
        del found[start + 1]


def _is_day(found: Sequence[Token], at: int) -> bool:
    """`close 17 Nov (mid)`: in front of a month a day."""
    following = found[at + 1].text.rstrip(".,") if at + 1 < len(found) else ""
    return following[:1].isalpha() and _DAY.fullmatch(found[at].text) is not None and following.lower() in MONTHS


def _is_fact(found: Sequence[Token], at: int) -> bool:
    """`WAL 4.7`, `to 33 call`: a number that a word in front makes one of the security's facts (spec 2.9)."""
    before = found[at - 1] if at else None
    if before is None or before.kind is not WORD:
        return False
    is_call = before.text == "to" and found[at + 1 : at + 2] != [] and found[at + 1].text.lower() in ("call", "calls")
    return is_call or before.text.rstrip(":").upper() in _FACTS


def _name_end(found: Sequence[Token], named: Named, habits: Habits) -> int:
    """The first token behind the instrument's description: behind its parts, and words in front of any level."""
    left = [text for text in (named.coupon, named.maturity) if text is not None]
    end = 0
    has_level = False
    for at, token in enumerate(found):
        kind = token.kind
        has_level = has_level or kind is LEVEL or _is_told(found, at, left, named, habits)
        own = token.text.removesuffix("s") if kind is WORD else token.text  # `5s`
        if own in left:
            left.remove(own)
            end = at + 1
        elif end and not left and _is_behind(kind, has_level=has_level):
            continue
        elif _ends_name(found, at) and end:
            break
        elif kind in _IN_NAMES or (not has_level and _is_word_of_name(found, at)):
            end = at + 1
    return end


def _is_told(found: Sequence[Token], at: int, left: Sequence[str], named: Named, habits: Habits) -> bool:
    """Whether a number is a level: a word says so, or the coupon and maturity of a bond have come (`left`)."""
    if found[at].kind is not NUMBER or found[at].text in left:
        return False
    return (named.is_bond and not left) or _is_keyed(found, at, habits)


def _is_behind(kind: Kind, *, has_level: bool) -> bool:
    """What stands behind the levels: `2 03/34 95.625 bid US67371BPB52`, `3.62 ytw (call 11/1/33)`."""
    return kind is IDENTIFIER or (kind is DATE and has_level)


def _is_word_of_name(found: Sequence[Token], at: int) -> bool:
    return found[at].kind is WORD and found[at].text != "." and not _is_of_size(found, at)


def _ends_name(found: Sequence[Token], at: int) -> bool:
    """`FHR 5219 AL  12mm  98-24  3.1yr PAC`: beside a size no value is a name, and none goes on behind a life."""
    token = found[at]
    if token.kind is WORD:
        return _LIFE.fullmatch(token.text) is not None
    behind = found[at + 1] if at + 1 < len(found) else token
    value = {(SIZE, NUMBER): behind, (NUMBER, SIZE): token}.get((token.kind, behind.kind))
    is_value = value is not None and _PRINTED_FULL.search(value.text) is not None
    return is_value and not any(later.kind in _VALUES for later in found[at + 2 :])


def _is_of_size(found: Sequence[Token], at: int) -> bool:
    """`99.875 for 5mm`: the word is no part of a name."""
    return found[at].text in _FOR and at + 1 < len(found) and found[at + 1].kind is SIZE


def _is_keyed(found: Sequence[Token], at: int, habits: Habits) -> bool:
    """A lone number that a word beside it makes a level."""
    if found[at].unit in _TELLING_UNITS:
        return True
    before = found[at - 1] if at else None
    after = found[at + 1] if at + 1 < len(found) else None
    if before is not None and before.text.lower() in _NUMBERED:
        return False
    if before is not None and _is_key(before, habits):
        return True
    if after is None or after.kind is not LABEL or after.key not in _KEYS_BEHIND:
        return False
    if before is not None and before.kind is NUMBER and _DUE.fullmatch(found[at].text):  # `2,50 2030 achat 5 M€`
        return False
    return not _is_of_next(found, at)


def _is_key(before: Token, habits: Habits) -> bool:
    """Whether the value behind it is a level."""
    if before.kind is LABEL and before.key in _KEYS:
        return True
    return (habits.curves and before.kind is TENOR) or (habits.wished and before.text in _AT)


def _is_of_next(found: Sequence[Token], at: int) -> bool:
    """Whether the side behind a number is the next number's: `8.5% bid 97.10`, `Fund 2020 bid 97`."""
    if at + 2 >= len(found) or found[at + 2].kind not in _VALUES or found[at + 1].key not in SIDES:
        return False
    is_year = _WHOLE_YEAR.fullmatch(found[at].text.strip("()")) is not None
    if found[at + 2].unit == "%" and found[at].unit is None and not is_year:  # `98 bid 4.01%`
        return False
    last = max(place for place, token in enumerate(found) if token.kind is LABEL and token.key in SIDES)
    return last + 1 < len(found) and found[last + 1].kind in _VALUES


def _can_be_level(found: Sequence[Token], at: int, named: Named, habits: Habits, *, alone: bool) -> bool:
    """A lone value behind a name: with decimals, a fraction or ticks a level; a bare integer may be anything."""
    token = found[at]
    if (alone and named.is_bond and token.text[0] == "(") or _is_coupon(found, at, habits):
        return False  # what was, or an aside: `ZF 6,125 29 (98,4) meiden`
    if token.unit is not None:
        return token.unit != "%" or alone or any(other.kind is LEVEL for other in found[:at])
    if not (named.is_bond or habits.known or _has_instrument(found, habits)):
        return False
    if _PRINTED_FULL.search(token.text):
        return True
    return alone and len(token.text) in (2, 3) and _is_bonded(named, habits)


def _is_coupon(found: Sequence[Token], at: int, habits: Habits) -> bool:
    """`FN FS3216  20yr 4.0`."""
    return habits.coupon_alone and at > 0 and found[at - 1].kind is TENOR


def _is_bonded(named: Named, habits: Habits) -> bool:
    """Whether an integer can be a price: of a bond, or of what is known below the heading of a side."""
    return named.coupon is not None or named.maturity is not None or (habits.known and habits.sided)


def _has_instrument(found: Sequence[Token], habits: Habits) -> bool:
    """Whether a line has an identifier or, where that is no heading as `FN 30yr 5.5` is, a tenor."""
    if any(other.kind is IDENTIFIER for other in found):
        return True
    return not habits.coupon_alone and any(other.kind is TENOR for other in found)
