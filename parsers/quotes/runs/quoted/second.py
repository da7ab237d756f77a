"""Where a second instrument begins on a line of a run (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.quotes.answers.named import MARGINS
from parsers.quotes.headings.phrases import heading
from parsers.quotes.lexer.labels import CURVES
from parsers.quotes.lexer.token import BOND, DATE, IDENTIFIER, LEVEL, MONTH, NUMBER, SERIES, TENOR, TRANCHE, WORD, Token

_QUOTED = [WORD, TENOR, NUMBER]
_DATED = frozenset({MONTH, DATE, SERIES})
_RATED = frozenset({NUMBER, SERIES})

_OF_SAME = frozenset({"CDS", "Cash", "Bond", "Bonds", "Loan", "Stock"})
"""Of the issuer in front: `VW Z+128/122 CDS 98/102`."""
_LONGEST_NAME = 2
LONG = 240
"""Characters of a line of many instruments."""
_FIGURES = re.compile(r"[\d.,\s]")
_TICKER = re.compile(r"[A-Z][A-Za-z]{2,9}")
_SAYING = frozenset({"measure", "side", "kind", "size", "bare", "option_struct", "tenor", "currency"})
_TBA_COUPON = re.compile(r"[2-8]\.[05]")
_BOND_YEAR = re.compile(r"(?:20)?[2-6]\d")
_YEAR = re.compile(r"['’]\d\ds?")
_SHORT_NAME = re.compile(r"[A-Z]{2}\d\d")  # law, and year of maturity


def further_instruments(found: Sequence[Token], *, curves: bool) -> list[int]:
    """Where the second instrument of a line begins, and of a line of many each further one.

    To look for them in what is left, read anew for each, would take the square of the line's length.
    """
    starts: list[int] = []
    is_long = bool(found) and found[-1].end > LONG
    while (start := second_instrument(found, curves=curves)) is not None:
        starts.append(start)
        if not is_long:
            break
        found = [token for token in found if token.start >= start]
    return starts


def second_instrument(found: Sequence[Token], *, curves: bool) -> int | None:
    """Where a second instrument begins: behind a level, with a level of its own; None on most lines.

    Args:
        found: the line's tokens.
        curves: instruments are a name and a tenor, so a name is enough to begin one; else it takes a bond.
    """
    if curves and [token.kind for token in found[:4]] == [TENOR, NUMBER, TENOR, NUMBER]:
        return found[2].start  # `3m5y 62.1, 3m10y 64.5`
    if curves and [token.kind for token in found[:3]] == _QUOTED and (at := _another_name(found)) is not None:
        return found[at].start
    levels = [at for at, token in enumerate(found) if token.kind is LEVEL]
    if len(levels) == 1 and any(token.kind is IDENTIFIER for token in found[: levels[0]]):
        return _another_identifier(found, levels[0])
    return _between(found, levels, curves=curves) if len(levels) > 1 else None


def _between(found: Sequence[Token], levels: Sequence[int], *, curves: bool) -> int | None:
    """Where it begins between the first and the last of several levels."""
    if first := _alike(found, levels):
        return found[first].start
    quoted = next((at for at in levels if found[at].prefix not in MARGINS), levels[-1])
    for at in range(levels[0] + 1, levels[-1]):
        token = found[at]
        if (
            (token.kind is IDENTIFIER and at > quoted)  # `Stada TLB E+425 07/31  LX204567  100.125/100.5`
            or _is_like_first(found, at)
            or (_may_name(found, at, curves=curves) and _has_own(found, at, curves=curves))
        ):
            return token.start
    return None


def _alike(found: Sequence[Token], levels: Sequence[int]) -> int:
    """`MEX 34 98.5/99 COLOM 33 101/102`: the line is names, each followed by its market, and nothing else; else 0."""
    length = levels[0] + 1
    is_even = 1 < length <= _LONGEST_NAME + 1 and levels == list(range(levels[0], len(found), length))
    if not is_even or levels[-1] != len(found) - 1:
        return 0
    if not all(_is_like(token, found[at % length], is_first=at % length == 0) for at, token in enumerate(found)):
        return 0
    has_own = {token.text for token in found[::length]}
    return length if len(has_own) == len(levels) and all(map(_says_nothing, has_own)) else 0


def _is_like(token: Token, first: Token, *, is_first: bool) -> bool:
    """Whether a token can be in the place that another has in the first name with its market."""
    if token.kind is not first.kind or (token.kind is LEVEL and not _is_market_like(token, first)):
        return False
    if is_first:
        return token.kind is WORD and _TICKER.fullmatch(token.text) is not None and token.text not in CURVES
    return token.kind is not NUMBER or _BOND_YEAR.fullmatch(token.text) is not None


def _is_market_like(level: Token, first: Token) -> bool:
    """Whether two markets are of one measure, printed in one way."""
    shapes = [_FIGURES.sub("", one.text) for one in (level, first)]
    return shapes[0] == shapes[1] and (level.prefix, level.unit, level.key) == (None, first.unit, None)


def _says_nothing(word: str) -> bool:
    """Whether a word can name an instrument: it says neither what a level is nor which side."""
    return _SAYING.isdisjoint(heading(word).meanings)


def _another_name(found: Sequence[Token]) -> int | None:
    """`Toyota 1M 4.38 3M 4.41, Nestle 1M 4.30`: a second name, its tenor and a lone value."""
    for at in range(3, len(found) - 2):
        if [token.kind for token in found[at : at + 3]] == _QUOTED and found[at - 1].kind is NUMBER:
            return at if found[at].text[0].isupper() else None
    return None


def _another_identifier(found: Sequence[Token], level: int) -> int | None:
    """`XS2641318121 99.10/99.60, US0378331005 98 bid`: the second of two, a lone value behind it."""
    for at in range(level + 1, len(found) - 1):
        if found[at].kind is IDENTIFIER and any(token.kind is NUMBER for token in found[at + 1 : at + 5]):
            return found[at].start
    return None


def _is_like_first(found: Sequence[Token], at: int) -> bool:
    """A bond of the line's own ticker, or a tenor as the line begins with one, and a level of its own behind it."""
    token, ahead = found[at], found[at + 1 : at + 3]
    if token.kind is TENOR and found[0].kind is TENOR:  # `2y -20.5/-20, 5y -31/-30.5`
        return any(later.kind is LEVEL and not later.prefix for later in ahead)
    if not any(later.kind is LEVEL and later.prefix is None for later in ahead):
        return False
    if token.kind is NUMBER:  # `FN 4.5 96-20/21  5.0 98-24/25`
        return _TBA_COUPON.fullmatch(token.text) is not None and "-" in ahead[0].text
    if token.kind is TRANCHE:  # `0-3  36.25/36.75, 3-6  88/92`
        return any(before.kind is TRANCHE for before in found[:at])
    if token.kind is WORD:  # `AL30 62.5/63  GD35 65.25/66`, `AMGN '33s 72/69, '53s 98/95`
        is_short = _SHORT_NAME.fullmatch(token.text) and _SHORT_NAME.fullmatch(found[0].text)
        return bool(is_short or _YEAR.fullmatch(token.text))
    return token.kind is BOND and token.text.split()[0] == found[0].text


def _may_name(found: Sequence[Token], at: int, *, curves: bool) -> bool:
    token = found[at]
    is_free = found[at - 1].kind is not WORD or found[at - 1].text == "."
    is_name = token.kind is WORD and token.text[0].isupper() and is_free and token.text not in _OF_SAME
    return is_name and len(token.text) >= (1 if curves else 2)


def _has_own(found: Sequence[Token], at: int, *, curves: bool) -> bool:
    """Whether a tenor or bond, and then a level, stand behind a name."""
    ahead = found[at + 1 : at + 5]
    until = next((index for index, token in enumerate(ahead) if token.kind is LEVEL), None)
    if until is None:
        return False
    own = {token.kind for token in ahead[:until]}
    if curves and until == 1 and ahead[0].text == found[1].text:  # `DE GC 1.95/1.91   FR GC 1.99/1.96`
        return True
    if curves and (not own or TENOR in own) and found[at].text not in CURVES:
        return True
    return _is_bond(ahead[:until]) or (not own.isdisjoint(_DATED) and not own.isdisjoint(_RATED))


def _is_bond(own: Sequence[Token]) -> bool:
    """`GILD 5.25 33 64/61`: a coupon and a year, or `PERP`."""
    kinds = [token.kind for token in own]
    if kinds == [NUMBER, NUMBER]:
        return _BOND_YEAR.fullmatch(own[1].text) is not None
    return kinds == [NUMBER, WORD] and own[1].text.upper() == "PERP"
