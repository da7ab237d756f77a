"""Which months and lone numbers of a line can only be levels (spec 4.6, 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from parsers.quotes.runs.marking import MEASURES, SIDES
from parsers.quotes.runs.reading import Habits, Named
from parsers.quotes.runs.token import Kind, Token
from parsers.values.numbers import Locale, number

_IN_NAMES = frozenset({Kind.series, Kind.date, Kind.identifier, Kind.tranche})
_PRINTED_FULL = re.compile(r"[.,¼½¾⅛⅜⅝⅞/'’\-+]")


def promote(found: list[Token], named: Named, locale: Locale, habits: Habits) -> None:
    """Turns months and lone numbers that can only be levels into levels."""
    has_level = any(
        token.kind is Kind.level or (token.kind is Kind.number and _is_keyed(found, at, habits))
        for at, token in enumerate(found)
    )
    for at, token in enumerate(found):
        is_month = token.kind is Kind.month and token.text != named.maturity and token.text[:1].isdigit()
        if is_month and not has_level:
            found[at] = replace(token, kind=Kind.level)
            has_level = True
    start = _name_end(found, named, habits)
    lone = [at for at, token in enumerate(found) if at >= start and token.kind is Kind.number]
    keyed = [at for at in lone if _is_keyed(found, at, habits)]
    for at in keyed:
        found[at] = replace(found[at], kind=Kind.level)
    free = [at for at in lone if at not in keyed]
    has_level = has_level or bool(keyed)
    if len(free) == 2 and free[1] == free[0] + 1 and not has_level and _are_close(found, free, locale):
        first, second = found[free[0]], found[free[1]]
        text = f"{first.text} / {second.text}"
        found[free[0]] = Token(Kind.level, first.start, second.end, text, unit=second.unit)
        del found[free[1]]
    elif len(free) == 1 and _can_be_level(found, free[0], named, habits, alone=not has_level):
        found[free[0]] = replace(found[free[0]], kind=Kind.level)


def _name_end(found: Sequence[Token], named: Named, habits: Habits) -> int:
    """The first token behind the instrument's description: behind its parts, and words in front of any level."""
    left = [text for text in (named.coupon, named.maturity) if text is not None]
    end = 0
    has_level = False
    for at, token in enumerate(found):
        is_number = token.kind is Kind.number and token.text not in left
        is_told = is_number and ((named.is_bond and not left) or _is_keyed(found, at, habits))
        has_level = has_level or token.kind is Kind.level or is_told
        if token.text in left:
            left.remove(token.text)
            end = at + 1
        elif token.kind is Kind.identifier and not left and end:
            continue  # behind the levels: `2 03/34 95.625 bid US67371BPB52`
        elif token.kind in _IN_NAMES or (token.kind is Kind.word and not has_level):
            end = at + 1
    return end


def _is_keyed(found: Sequence[Token], at: int, habits: Habits) -> bool:
    """A lone number that a word beside it makes a level."""
    if found[at].unit in ("dm", "DM"):
        return True
    keys = SIDES | MEASURES | {"cover", "trade"}
    before = found[at - 1] if at else None
    after = found[at + 1] if at + 1 < len(found) else None
    if before is not None and (
        (before.kind is Kind.label and before.key in keys) or (habits.curves and before.kind is Kind.tenor)
    ):
        return True
    return after is not None and after.kind is Kind.label and after.key in keys | {"subject", "flat"}


def _are_close(found: Sequence[Token], free: Sequence[int], locale: Locale) -> bool:
    """Two lone numbers within a fifth of each other are the sides of a market."""
    values = [number(found[at].text, locale, ceiling=1000) for at in free]
    known = sorted(abs(value.value) for value in values if value is not None)
    return len(known) == 2 and known[1] > 0 and (known[1] - known[0]) * 5 <= known[1]


def _can_be_level(found: Sequence[Token], at: int, named: Named, habits: Habits, *, alone: bool) -> bool:
    """A lone value behind a name: with decimals, a fraction or ticks a level; a bare integer may be anything."""
    token = found[at]
    if token.unit is not None:
        return token.unit != "%" or alone
    has_tenor = any(other.kind is Kind.tenor for other in found)
    has_identifier = any(other.kind is Kind.identifier for other in found)
    if not (has_identifier or named.is_bond or has_tenor or habits.known):
        return False
    is_integer = alone and (named.coupon or named.maturity) is not None and len(token.text) in (2, 3)
    return bool(_PRINTED_FULL.search(token.text)) or is_integer
