"""Which instrument a line is about: quantity, coupon, maturity, name (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from parsers.lexicon import compiled
from parsers.quotes.answers.describing import described
from parsers.quotes.answers.named import FLOATING, MARGINS, Habits, Named, level_follows
from parsers.quotes.lexer.token import (
    DATE,
    IDENTIFIER,
    LABEL,
    LEVEL,
    MONTH,
    NUMBER,
    SERIES,
    TENOR,
    TRANCHE,
    WORD,
    Kind,
    Token,
)  # fmt: skip
from parsers.values.finding import Found
from parsers.values.indices import INDEX
from parsers.values.numbers import number
from parsers.values.separators import Locale, within

MAX_COUPON = 20
MAX_RATE = 60
"""Percent; of a coupon printed without and with its sign."""

_MONTH_AND_YEAR = re.compile(r"(\d{1,2})/(\d{2})")
_YEAR = re.compile(r"'?(20[2-9]\d|21[01]\d|[2-9]\d)")
_PLURAL = re.compile(r"\d{1,2}(?:[.,]\d{1,3})?[sS]")
_PERPETUAL = compiled(r"{perpetual}(?:[-/]?{call_letters}\d{1,2})?\Z|PNC\d{1,2}\Z")
_CALLED = re.compile(r"(?:[cC]'?|NC)[2-4]\d")
_SHORT_YEAR = re.compile(r"['’][2-9]\ds?|[2-9]\ds")
_TERMS = frozenset({"10", "15", "20"})
"""Years of a pool of mortgages, in front of its coupon: `FN 15 4.5 Feb`."""
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3})+")
_EMPTY_BRACKETS = re.compile(r"\s*\(\s*\)\s*")
_SPEEDS = frozenset({"CPR", "PSA", "CDR", "SEV", "CPY", "VPR", "ABS"})
_DATED = frozenset({MONTH, DATE, SERIES})
_INDEX = re.compile(rf"LIBOR|{INDEX}", re.IGNORECASE)
_BEFORE_MONTHS = frozenset({NUMBER, WORD, LABEL, IDENTIFIER})
_Bond = tuple[str | None, str]  # coupon, maturity


def take_quantity(found: list[Token], locale: Locale) -> str | None:
    """Takes the bare number in front of the name or its identifier, or between them: `500 CALIF ST GO`."""
    at = 1 if found and found[0].kind is IDENTIFIER else 0
    if len(found) <= at + 1 or found[at].kind is not NUMBER or found[at + 1].kind not in (WORD, IDENTIFIER):
        return None
    text = found[at].text
    if not (text.replace(",", "").isdigit() or (locale is Locale.comma and _GROUPED.fullmatch(text))):
        return None
    return found.pop(at).text


def bond_of(found: Sequence[Token], locale: Locale, habits: Habits) -> tuple[str | None, str | None]:
    """Coupon and maturity: the first place where they stand together; a lone coupon where the class has such."""
    bond: tuple[str | None, str | None] | None = None
    for at, token in enumerate(found):
        if token.kind is LEVEL and _ends_name(found, at):
            break
        rule = _RULES.get(token.kind)
        bond = rule(found, at, locale, habits) if rule is not None else None
        if bond is not None:
            break
    if habits.percent_alone and (bond is None or bond[0] is None):  # `BRC 9% UBS/Swiss Re 18.06.2027`
        rate = next((token.text for token in found if token.unit == "%" and is_coupon(token, locale)), None)
        if rate is not None:
            return rate, bond[1] if bond is not None else None
    if bond is not None:
        return bond
    return (_lone_coupon(found, locale) if habits.coupon_alone else None), None


def named(text: str, found: Sequence[Token], bond: tuple[str | None, str | None], margin: str | None = None) -> Named:
    """The instrument's description: what stands before the first level, or behind it where nothing does."""
    first = first_level(found)
    parts = described(text, found[:first])
    if not parts and bond[0] is not None:
        parts = described(text, found[first:])
    name = " ".join(parts)
    if "(" in name:
        name = _EMPTY_BRACKETS.sub(" ", name)
    name = name.strip(" -–:,;|*(")
    if name[-1:] == ")" and "(" not in name:
        name = name[:-1].rstrip()
    plain = 0
    for token in found[:first]:
        if token.kind is WORD and token.text.islower() and token.text.isalpha():
            plain += 1
    identifiers = tuple(
        [Found(token.key or "", token.text, token.start, token.end) for token in found if token.kind is IDENTIFIER]
    )
    return Named(
        identifiers,
        name,
        plain,
        coupon=bond[0],
        maturity=bond[1],
        margin=margin,
        tenor=_tenor(found[:first]),
        tranche=next((token.text for token in found if token.kind is TRANCHE), None),
    )


def _tenor(found: Sequence[Token]) -> str | None:
    """The tenor of a name, the last: `EUR 6M Euribor 10y`; that of a floating leg is no swap's: `10Y EURIBOR 6M`."""
    for at in range(len(found) - 1, -1, -1):
        is_leg = at > 0 and found[at].text[-1] in "mM" and _INDEX.fullmatch(found[at - 1].text) is not None
        if found[at].kind is TENOR and not is_leg:
            return found[at].text
    return None


def first_level(found: Sequence[Token]) -> int:
    """The index of the first level; behind the last token where there is none."""
    for at, token in enumerate(found):
        if token.kind is LEVEL:
            return at
    return len(found)


def is_coupon(token: Token, locale: Locale) -> bool:
    """A plain number or fraction that can be a rate."""
    if token.kind is not NUMBER or token.unit not in (None, "%") or token.text[0] in "+-−–(":
        return False
    value = coupon_value(token.text, locale)
    return value is not None and within(value, 0, MAX_COUPON if token.unit is None else MAX_RATE)


def coupon_value(text: str, locale: Locale) -> Fraction | None:
    """A coupon's rate; `3.625` is one among decimal commas too, for no coupon is above a thousand (spec 4.2)."""
    found = number(text, locale, ceiling=1000)
    return found.value if found is not None else None


def _ends_name(found: Sequence[Token], at: int) -> bool:
    """A level without a date behind it ends the search; one in front of a bond, or of the whole line, does not."""
    token = found[at]
    if at == 0 or token.prefix is not None or token.key is not None:  # nothing is named yet
        return False
    return not any(ahead.kind in _DATED for ahead in found[at + 1 : at + 4])


def _by_series(found: Sequence[Token], at: int, _locale: Locale, _habits: Habits) -> _Bond | None:
    if not level_follows(found, at, dated=False):
        return None
    coupon, _, year = found[at].text.lower().replace(" of ", " ").partition("s ")
    return coupon, year.strip()


def _by_date(found: Sequence[Token], at: int, locale: Locale, _habits: Habits) -> _Bond:
    return _coupon_near(found, at, locale), found[at].text


def _by_month(found: Sequence[Token], at: int, locale: Locale, _habits: Habits) -> _Bond | None:
    """A month and year that a level follows; after a tenor it is a level itself."""
    before = found[at - 1].kind if at else None
    is_behind_margin = before is LEVEL and found[at - 1].prefix in MARGINS
    if before not in _BEFORE_MONTHS and not is_behind_margin:
        return None
    if not level_follows(found, at, dated=False) and not _is_maturity(found, at, locale):
        return None
    return _coupon_near(found, at, locale), found[at].text


def _is_maturity(found: Sequence[Token], at: int, locale: Locale) -> bool:
    """`BTPS 4.2 03/34 IT0005560948`, `UKT 3.5 10/25 matured`: behind a coupon, no market, though the line has none."""
    month = _MONTH_AND_YEAR.fullmatch(found[at].text)
    is_market = month is not None and month[1][0] != "0" and int(month[2]) < 2 * int(month[1])
    is_named = (at >= 2 and found[at - 2].kind is WORD) or any(token.kind is IDENTIFIER for token in found)
    return is_named and not is_market and is_coupon(found[at - 1], locale)


def _by_year(found: Sequence[Token], at: int, locale: Locale, habits: Habits) -> _Bond | None:
    """`9.25 27`, `FRN 27`, `NTN-B 2028`: a year behind a coupon, a floater's word, the kind of a local bond."""
    token = found[at]
    is_year = at > 0 and token.unit is None and _YEAR.fullmatch(token.text) is not None
    if not is_year or not level_follows(found, at, dated=False):
        return None
    before = found[at - 1]
    if is_coupon(before, locale) and (at >= 2 or habits.under_issuer):
        return before.text, token.text
    is_due = FLOATING.search(before.text) is not None or (habits.yearly and len(token.text) == 4)
    return (None, token.text) if before.kind is WORD and is_due else None


def _by_word(found: Sequence[Token], at: int, locale: Locale, _habits: Habits) -> _Bond | None:
    """`7 1/4 PERP`, `7 3/8 c30`: without an end, or with a call alone; `7 3/8 '29`, with the year's apostrophe."""
    is_behind_coupon = bool(at) and is_coupon(found[at - 1], locale)
    if is_behind_coupon and (_CALLED.fullmatch(found[at].text) or (at > 1 and _SHORT_YEAR.fullmatch(found[at].text))):
        return found[at - 1].text, found[at].text
    if found[at].text[0] not in "Pp" or not _PERPETUAL.match(found[at].text):
        return None
    return (found[at - 1].text if at and is_coupon(found[at - 1], locale) else None), "PERP"


_RULES: dict[Kind, Callable[[Sequence[Token], int, Locale, Habits], _Bond | None]] = {
    SERIES: _by_series,
    DATE: _by_date,
    MONTH: _by_month,
    NUMBER: _by_year,
    WORD: _by_word,
}


def _coupon_near(found: Sequence[Token], at: int, locale: Locale) -> str | None:
    """The coupon in front of a maturity, a word before it (`5 Notes 03/34`), or behind it."""
    if at and is_coupon(found[at - 1], locale):
        return found[at - 1].text
    if at and _PLURAL.fullmatch(found[at - 1].text):  # `4s 10/1/44`
        return found[at - 1].text[:-1]
    if at >= 2 and found[at - 1].kind is WORD and is_coupon(found[at - 2], locale):
        return found[at - 2].text
    has_next = 0 < at < len(found) - 1 and is_coupon(found[at + 1], locale)
    return found[at + 1].text if has_next and level_follows(found, at + 1, dated=True) else None


def _lone_coupon(found: Sequence[Token], locale: Locale) -> str | None:
    for at, token in enumerate(found):
        if token.kind is LEVEL:
            return None
        if at and token.kind is WORD and _PLURAL.fullmatch(token.text):  # `FN 2.5s MLB`
            return token.text[:-1]
        is_term = token.text in _TERMS and at + 1 < len(found) and is_coupon(found[at + 1], locale)
        if at and not is_term and is_coupon(token, locale) and level_follows(found, at, dated=True):
            return None if found[at + 1].text.upper() in _SPEEDS else token.text  # `15 CPR`
    return None
