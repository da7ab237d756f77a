"""Several variants of an instrument on one line, each with its own level: tiers, coupons, tranches (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from parsers.lexicon import compiled
from parsers.quotes.classes import SECURITISED
from parsers.quotes.lexer.bonds import COUPON
from parsers.quotes.lexer.labels import CURVES, MEASURES, SIDES
from parsers.quotes.lexer.token import DATE, LABEL, LEVEL, MONTH, NUMBER, SERIES, SIZE, TENOR, TRANCHE, WORD, Token
from parsers.values.times.dates import DELIVERIES

Span = tuple[int, int]

_TIER = (compiled("{tier}", re.IGNORECASE),)
_MONEY = (compiled("{money}"),)
_COUPON = compiled(r"[1-9](?:\.[05]0?)?s?")
_TERM = (compiled(r"(?:10|15|20|30)\s?(?:yr|y)"), _COUPON)
_STORY = (compiled(r"[LMH]{1,2}B|{pool_story}|\d{2,3}[kK]"),)
_TRANCHE = (compiled(r"(?!{tranche_rating}\b)[A-FMNPXZ][A-FS]?-?\d?[A-Z]?R{0,3}"),)
_STYLE = compiled(r"payers?|receivers?|rcvrs?|straddles?", re.IGNORECASE)
_ATTACHED = (compiled(r"\d{1,3}\s?-\s?\d{1,3}\s?%?"),)
_EXPIRY = (compiled(rf"(?=[A-Z][a-z])(?i:{DELIVERIES})\w*"),)
_STRIKE = compiled(r"\d[\d.]*")
_FACILITY = (compiled(r"TL[A-Z]?\d?|RCF?|[12]L|DDTL"),)
_SHARE = (compiled(r"PR[A-Z]{1,2}"),)
_FUND = (compiled(r"[IVXL]{1,6}"),)
_ON_THE_RUN = (compiled(r"(?:[2357]|10|20|30)(?:s|yr|y)"),)
_YEAR = compiled(r"['’]?(?:20)?[0-6]\d|PERPs?")
_BOND = (compiled(COUPON), _YEAR)
_FORMS: dict[str, tuple[tuple[re.Pattern[str], ...], ...]] = {
    "cds_single": (_TIER, _MONEY),
    "cds_tranche": ((_STRIKE, _STYLE), _ATTACHED),
    "trs": (_EXPIRY,),
    "govt_us": (_ON_THE_RUN,),
    "swaption": ((_STYLE,),),
    "tba_mbs": (_TERM, (_COUPON,), (_COUPON, *_EXPIRY), _STORY),
    "leveraged_loan": (_FACILITY,),
    "preferred": (_SHARE,),
    "private_equity_secondary": (_FUND,),
    **dict.fromkeys(SECURITISED - {"tba_mbs"}, (_TRANCHE,)),
    "agency_mbs_cmo": (_STORY, _TRANCHE),
}
"""What tells the variants of one class apart, word by word."""
_BY_MONTH = frozenset({"govt_latam_local", "inflation_linked"})
"""Classes whose bonds are named by a month alone: `TES jul-36 12.10/12.05, feb-33 11.80/11.76`."""
_DUE = frozenset({MONTH, DATE})
_NAMING = frozenset({WORD, NUMBER, TENOR, TRANCHE})
_SPOKEN = frozenset({LEVEL, LABEL, SIZE})
_AND = frozenset({"and", "und", "et", "y", "e", "&", ";", "|", "."})


_LEAST = 2
"""Levels of a line with several variants, but where a measure's word stands in front of the first one's name."""


class _Variant(Struct, frozen=True):
    """A variant by the indices of its tokens."""

    start: int  # where its part of the line begins
    name: int
    named: int  # behind its name
    level: int


def variants(found: Sequence[Token], asset_class: str) -> list[list[Span]]:
    """The spans of each variant's line: what they have in common, its own name, its level; none on most lines.

    Args:
        found: the line's tokens, as they were cut.
        asset_class: of the line.
    """
    levels = [at for at in range(1, len(found)) if _is_level(found, at)]
    if not levels or (len(levels) < _LEAST and not any(map(_is_measure, found[: levels[0]]))):
        return []
    for form in (*_FORMS.get(asset_class, ()), None):  # none: a bond's coupon and maturity
        own = _first(found, levels[0], form, asset_class)
        if own is None:
            continue
        others, end = _others(found, own, form, asset_class)
        if parts := _parted(found, [own, *others], end):
            return parts
    return []


def _first(
    found: Sequence[Token], level: int, form: tuple[re.Pattern[str], ...] | None, asset_class: str
) -> _Variant | None:
    """The first variant: in front of the first level, a tenor or the product at most between."""
    is_more = found[level - 1].kind is TENOR or found[level - 1].text == "TRS"
    for until in (level, level - 1) if is_more else (level,):
        length = _length(found, until, form, asset_class)
        if not length:
            continue
        stem = found[: until - length]
        is_deal = form is not _TRANCHE or any(any(map(str.isdigit, token.text)) for token in stem)
        if is_deal and (form is not None or any(token.kind is WORD for token in stem)):
            return _Variant(0, until - length, until, level)
    return None


def _others(
    found: Sequence[Token], own: _Variant, form: tuple[re.Pattern[str], ...] | None, asset_class: str
) -> tuple[list[_Variant], int | None]:
    """The further variants, each between two levels that are counted alike, and where another instrument begins."""
    stem = [token.text for token in found[: own.name]]
    others: list[_Variant] = []
    is_told = form is not None or asset_class in _BY_MONTH  # other bonds are parted by clauses, with their wishes
    last = own.level
    for at in range(own.level + 1, len(found)):
        if not _is_level(found, at):
            continue
        length = _length(found, at, form, asset_class) if _is_alike(found[at], found[own.level]) else 0
        name = at - length
        start = _unspoken(found, last + 1, name)
        last = at
        between = found[start:name]
        if length and (not between or [token.text for token in between] == stem):  # `KKR NA XII .., KKR NA XIII`
            others.append(_Variant(start, name, at, at))
        elif any(_may_name(token) for token in found[start:at]):
            return others, start if others or (length and is_told) else None
    return others, None


def _unspoken(found: Sequence[Token], start: int, end: int) -> int:
    """The first of these tokens that is no word of speech; the end where all are."""
    return next((at for at in range(start, end) if not _is_spoken(found[at])), end)


def _parted(found: Sequence[Token], each: Sequence[_Variant], rest: int | None) -> list[list[Span]]:
    """One line of each variant, and the rest; a measure's word in front of the first one goes behind each."""
    own = each[0]
    stem = _without_colon(found[: own.name])
    label = stem[-1:] if stem and _is_measure(stem[-1]) else []
    if len(each) < _LEAST and not label and rest is None:
        return []
    stem = _without_colon(stem[: len(stem) - len(label)])
    shared = [(stem[0].start, stem[-1].end)] if stem else []
    between = [(token.start, token.end) for token in [*label, *found[own.named : own.level]]]
    ends = [*(variant.start for variant in each[1:]), len(found) if rest is None else rest]
    lines = []
    for variant, end in zip(each, ends, strict=True):
        last = found[end - 2] if found[end - 1].text in _AND else found[end - 1]
        called = (found[variant.name].start, found[variant.named - 1].end)
        lines.append([*shared, called, *between, (found[variant.level].start, last.end)])
    return lines if rest is None else [*lines, [(found[rest].start, found[-1].end)]]


def _without_colon(stem: Sequence[Token]) -> list[Token]:
    return [*stem[:-1]] if stem and stem[-1].text == ":" else [*stem]


def _length(found: Sequence[Token], at: int, form: tuple[re.Pattern[str], ...] | None, asset_class: str) -> int:
    """How many tokens right in front of `at` are a name of the form; 0 where they are none."""
    if form is None:
        return _bond_length(found, at, asset_class)
    names = found[max(at - len(form), 0) : at]
    is_name = len(names) == len(form) and all(
        (token.kind in _NAMING or (form is _TIER and token.key == "subject"))
        and pattern.fullmatch(token.text) is not None
        for token, pattern in zip(names, form, strict=True)
    )
    return len(form) if is_name and (form is not _TRANCHE or names[0].text not in CURVES) else 0


def _bond_length(found: Sequence[Token], at: int, asset_class: str) -> int:
    last = found[at - 1]
    if last.kind is SERIES:
        return 1
    coupon = found[at - 2] if at > 1 and found[at - 2].kind is NUMBER else None
    if coupon is not None and _BOND[0].fullmatch(coupon.text):
        is_due = last.kind in _DUE or (last.kind in _NAMING and _YEAR.fullmatch(last.text) is not None)
        return 2 if is_due else 0
    return 1 if last.kind is MONTH and asset_class in _BY_MONTH else 0


def _is_level(found: Sequence[Token], at: int) -> bool:
    """A level, or a lone value with the word of its side behind it."""
    token = found[at]
    if token.kind is NUMBER:
        return at + 1 < len(found) and found[at + 1].key in SIDES
    return _is_value(token)


def _is_measure(token: Token) -> bool:
    return token.kind is LABEL and token.key in MEASURES


def _may_name(token: Token) -> bool:
    return token.kind is WORD and token.text[0].isupper() and token.text not in CURVES


def _is_spoken(token: Token) -> bool:
    """Whether a token belongs to the level in front of it, or joins what follows."""
    return token.kind in _SPOKEN or token.text in _AND


def _is_value(token: Token) -> bool:
    return token.kind is LEVEL and token.key != "talk"


def _is_alike(level: Token, first: Token) -> bool:
    """Whether two levels can be of one measure: `J+105` beside `101.4/101.6` is not of another tranche."""
    return level.prefix == first.prefix and (level.unit == first.unit or None in (level.unit, first.unit))
