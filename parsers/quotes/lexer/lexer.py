"""Which token begins at a place of a line: one table of alternatives, each with its gate, the first that fits holds.

The gates are told by the patterns (`behind`): which letter can begin a match, and what can stand behind its figures.
One pattern of all these alternatives, without gates, took more than twice as long (spec 5.11). Of an atom that reads in
two ways the table has both readings, each under its convention.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from parsers.quotes.lexer import patterns
from parsers.quotes.lexer.behind import Behind, behind
from parsers.quotes.lexer.conventions import Conventions
from parsers.quotes.lexer.cutline import ANYTHING, CutLine, level, unit_behind
from parsers.quotes.lexer.labels import LETTERS, labels
from parsers.quotes.lexer.levelcutters import MEASURED, can_be, measured, offer
from parsers.quotes.lexer.referencecutters import bond, bracketed, delta, reference
from parsers.quotes.lexer.sizecutters import dollars, size_pair
from parsers.quotes.lexer.spreadcutters import lettered_spread, offered_spread
from parsers.quotes.lexer.token import CHANGE, DATE, LABEL, LEVEL, NUMBER, WORD, Kind, Token

_INDICES = frozenset({"IG", "HY", "EM", "Main", "MAIN", "Xover", "XOVER", "Crossover", "SnrFin", "SubFin"})
"""Credit indices; a series stands behind them: `CDX IG 45  50.63`."""
_SIDE_APART = re.compile(r"\s([bao])\s*$")
"""The letter of a side at the end of a line, apart: `MTNSJ 6.498 10/26  100.9 b`."""
_TRAILING = ",;:)"
_BOND = re.compile(r"\s\d{1,2}(?:[.,]\d{1,4}|\s\d/\d)?\s(?:\d{1,2}/){1,2}\d\d\s")
"""Coupon and maturity."""
_COUPON_AND_MONTH = re.compile(r"(?P<coupon>1?\d)\s[^\W\d_]+\.?[\-/]'?\d{2,4}")
"""`5 ago/50`, `4 Mar-34`: a day would be joined to its month as the month is to the year."""
_FIGURES = "0123456789"
_PLACES = {"figures": _FIGURES, "signs": "+-", "marks": "−–/.($€£¼½¾⅛⅜⅝⅞@'"}
"""What stands at a place; else letters do."""
_Cutter = Callable[[CutLine, int], Token | None]


def token_at(line: CutLine, at: int) -> Token:
    """The token that begins at `at`; a word where nothing else does."""
    letter = line.text[at]
    following, grouped = behind(line.text, at) if letter in _FIGURES else ("", False)
    cutters, line.can_be = _alternatives(line.conventions, letter, following, grouped)
    for cutter in cutters:
        token = cutter(line, at)
        if token is not None:
            return token
    return _word(line, at)


class _Alternative(NamedTuple):
    """What may begin at a place."""

    cut: _Cutter
    gate: Behind
    under: Callable[[Conventions], bool] = lambda _: True


def _of(kind: Kind, pattern: re.Pattern[str], group: int = 0) -> _Alternative:
    """Cuts what the pattern matches, of which the group is the token's text."""

    def cut(line: CutLine, at: int) -> Token | None:
        match = pattern.match(line.text, at)
        return Token(kind, at, match.end(), match[group]) if match is not None else None

    return _Alternative(cut, Behind.of(pattern))


def _date(line: CutLine, at: int) -> Token | None:
    """`05/15/34`; in `5 ago/50`, and behind a name alone in `3 févr. 34`, the first figure is a coupon."""
    match = patterns.DATE.match(line.text, at)
    if match is None:
        return None
    coupon = _COUPON_AND_MONTH.fullmatch(match[0])
    if coupon is None and line.found and all(token.kind is WORD for token in line.found):
        coupon = patterns.FIRST_AND_MONTH.fullmatch(match[0])
    if coupon is not None:
        return Token(NUMBER, at, at + coupon.end("coupon"), coupon["coupon"])
    return Token(DATE, at, match.end(), match[0])


def _struct(line: CutLine, at: int) -> Token | None:
    """`25RR`."""
    match = patterns.STRUCT.match(line.text, at)
    if match is None:
        return None
    name = "rr" if match[2].lower() == "rr" else "bf"
    return Token(LABEL, at, match.end(), match[0], key=f"{name}{match[1]}")


def _lone(line: CutLine, at: int) -> Token | None:
    match = patterns.LONE[line.conventions.thirty_seconds].match(line.text, at)
    if match is None:
        return None
    letter = line.text[match.end() : match.end() + 1]
    both = patterns.ASK_LETTER.match(line.text, match.end()) if letter == "b" else None
    if "/" in match[0] and match[0][1].isdigit() and not line.has_level:
        both = patterns.ASK_BY.match(line.text, match.end())
    if both is not None:
        return level(line, at, both.end(), f"{match[0]} / {both['ask']}")
    side = _side_behind(line, match)
    if side is not None:
        return level(line, at, match.end(), match[0], side=side)
    unit = unit_behind(line.text, match.end(), match[0])
    end = unit.end() if unit is not None else match.end()
    if line.found and _is_of_name(line.found[-1].text, match[0]):
        return Token(WORD, at, match.end(), match[0])
    if unit is not None and patterns.MOVE.match(line.text, end):
        return Token(CHANGE, at, end, match[0])
    return Token(NUMBER, at, end, match[0], unit=unit["unit"].lower() if unit is not None else None)


def _is_of_name(before: str, figures: str) -> bool:
    """`CDX IG 45`, `tier 1`: a number that belongs to the word in front of it."""
    return (before in _INDICES and patterns.SERIES_NUMBER.fullmatch(figures) is not None) or before.lower() == "tier"


def _side_behind(line: CutLine, match: re.Match[str]) -> str | None:
    """The side that a letter behind a value says."""
    letter = line.text[match.end() : match.end() + 1]
    if letter in LETTERS and len(match[0]) > 1 and not line.text[match.end() + 1 : match.end() + 2].isalpha():
        return LETTERS[letter]
    apart = _SIDE_APART.match(line.text, match.end()) if line.has_date else None
    return LETTERS[apart[1]] if apart is not None else None


def _talked(line: CutLine, at: int) -> Token | None:
    match = patterns.TALK_WORDS.match(line.text, at) if line.found else None
    return Token(LEVEL, at, match.end(), match[0], key="talk") if match is not None else None


def _listed_talk(line: CutLine, at: int) -> Token | None:
    """`sub 98`, `98a`: behind a level only past a slash."""
    if not line.found or (line.has_level and line.text[at - 2 : at] != "/ "):
        return None
    match = patterns.LISTED_TALK.match(line.text, at)
    return Token(LEVEL, at, match.end(), match[0], key="talk") if match is not None else None


def _reference_behind(line: CutLine, at: int) -> Token | None:
    """`96.25/97, 6.9 ref`."""
    match = patterns.REFERENCE_BEHIND.match(line.text, at) if line.has_level else None
    return Token(Kind.reference, at, match.end(), match["value"]) if match is not None else None


def _pair(line: CutLine, at: int) -> Token | None:
    """`par-101`, `NB/99`."""
    match = patterns.PAIR[line.conventions.thirty_seconds].match(line.text, at)
    return level(line, at, match.end(), match[0]) if match is not None else None


def _over_index(line: CutLine, at: int) -> Token | None:
    """`1mE+41/36`: a market over Euribor of a month; a lone one is a floater's margin."""
    token = lettered_spread(line, at) if line.text.startswith("mE", at + 1) else None
    return token if token is not None and "/" in token.text else None


def _parting(line: CutLine, at: int) -> Token | None:
    """`6.62 ytc / 6.71 ytw`: a slash that parts what is counted in different things, and makes no market of it."""
    is_parting = line.text[at] == "/" and line.found and line.found[-1].unit is not None
    return Token(WORD, at, at + 1, "/") if is_parting else None


def _word(line: CutLine, at: int) -> Token:
    word = _letters(line.text, at)
    sided = patterns.SIDED.fullmatch(word) if word[0].isdigit() else None
    if sided is not None:
        return _sided(line, at, sided)
    lower = word.lower()
    said = labels()
    key = said.get(lower) or said.get(lower.strip("(*.-"))
    if key is not None and _is_name(line, at, word):
        key = None
    return Token(LABEL if key is not None else WORD, at, at + len(word), word, key=key)


def _letters(text: str, at: int) -> str:
    """The letters of a word, without the marks behind it; in `100 bid/100 3/8 offer` it ends at the slash."""
    match = patterns.WORD.match(text, at)
    word = (match[0] if match is not None else text[at]).rstrip(_TRAILING) or text[at]
    if word[-1] == "." and word[-2:-1].isdigit() and match is not None and match.end() == len(text):
        word = word[:-1]  # of the sentence: `8 PERP c28.`
    side = word.partition("/")[0] if "/" in word else ""
    return side if side and labels().get(side.lower()) in ("bid", "ask") else word


def _sided(line: CutLine, at: int, match: re.Match[str]) -> Token:
    """`91b/88o`, `76a`: levels whose letters say the side."""
    bid, ask = match.group("bid", "ask")
    if bid and ask:
        return level(line, at, at + len(match[0]), f"{bid} / {ask}")
    return level(line, at, at + len(match[0]), bid or ask, side="bid" if bid else "ask")


def _is_name(line: CutLine, at: int, word: str) -> bool:
    """The equity of a CLO, the index of subordinated financials, a lower tier: `Sub 99/100.5`, `DB sub 128/133`."""
    if word.lower() == "trade":  # `Rite Aid trade claims`
        return line.text.startswith(" claim", at + 5)
    is_tier = line.conventions.tenors and (word == "Sub" or (word == "sub" and line.found and not line.has_level))
    if word == "bei":  # German for `at`, no breakeven
        return True
    if word == "BID" and not line.found:  # the Spanish name of a bank: `BID 2.75 01/29 98.5`
        return _BOND.match(line.text, at + 3) is not None
    return word == "SUB" or bool(is_tier and line.text[at + 3 : at + 6].strip()[:1].isdigit())


_TALKED = _Alternative(_talked, Behind.of(patterns.TALK_WORDS))
_LISTED_TALK = _Alternative(_listed_talk, Behind.of(patterns.LISTED_TALK), lambda told: told.talk)
_OFFERED = _Alternative(offered_spread, Behind.of(patterns.NO_BID))
_SIZES = _Alternative(size_pair, Behind.of(patterns.SIZE_PAIR))
_LONE = _Alternative(_lone, Behind.of(*patterns.LONE.values()))
_DATED = _Alternative(_date, Behind.of(patterns.DATE))
_NAMED_TENOR = _of(Kind.tenor, patterns.TENOR[True])._replace(under=lambda told: told.tenors)
"""Else `ON 0.5 3/1/29` is a bond's ticker."""
_MEASURED_AT_MARKS = _Alternative(measured, Behind.of(re.compile(r"(?s:.)")))
_ALTERNATIVES: dict[str, tuple[_Alternative, ...]] = {
    "figures": (
        _Alternative(_over_index, Behind.of(patterns.SPREAD)),
        _of(WORD, patterns.NAME_PART),
        _DATED,
        _of(Kind.time, patterns.TIME),
        _of(Kind.series, patterns.SERIES),
        _Alternative(_struct, Behind.of(patterns.STRUCT)),
        _of(Kind.tranche, patterns.TRANCHE),
        _of(Kind.tenor, patterns.FORWARD),
        _SIZES,
        _of(Kind.month, patterns.MONTH),
        _Alternative(_reference_behind, Behind.of(patterns.REFERENCE_BEHIND)),
        _TALKED,
        _LISTED_TALK,
        _Alternative(measured, MEASURED),
        _LONE,
    ),
    "signs": (_TALKED, _LISTED_TALK, _OFFERED, _MEASURED_AT_MARKS, _LONE),
    "marks": (
        _of(CHANGE, patterns.CHANGE),
        _Alternative(bracketed, Behind.of(re.compile(r"\("))),
        _TALKED,
        _LISTED_TALK,
        _Alternative(offer, Behind.of(re.compile("@"))),
        _OFFERED,
        _Alternative(_parting, Behind.of(re.compile("/"))),
        _SIZES,
        _MEASURED_AT_MARKS,
        _of(NUMBER, patterns.IN_MONEY, 1),  # `$98.50`
        _LONE,
    ),
    "letters": (
        _Alternative(bond, Behind.of(patterns.BOND)),
        _TALKED,
        _LISTED_TALK,
        _Alternative(reference, Behind.of(patterns.OF_TENOR, patterns.REFERENCE)),
        _Alternative(lettered_spread, Behind.of(patterns.TALKED, patterns.SPREAD)),
        _Alternative(_pair, Behind.of(*patterns.PAIR.values())),
        _OFFERED,
        _SIZES,
        _LONE,
        _DATED,
        _of(Kind.month, patterns.NAMED_MONTH),
        _NAMED_TENOR,
        _Alternative(dollars, Behind.of(patterns.SIZE)),
        _Alternative(delta, Behind.of(patterns.DELTA)),
    ),
}
"""By what stands at the place, the likeliest first."""


@lru_cache(maxsize=8192)
def _alternatives(
    conventions: Conventions,
    letter: str,
    following: str,
    grouped: bool,  # noqa: FBT001 -- of a cache
) -> tuple[tuple[_Cutter, ...], tuple[bool, bool, bool]]:
    """What can begin with this letter, and with figures that have this behind them."""
    place = next((name for name, own in _PLACES.items() if letter in own), "letters")
    cutters = tuple(
        one.cut
        for one in _ALTERNATIVES[place]
        if one.under(conventions) and one.gate.begins(letter, following, is_grouped=grouped)
    )
    return cutters, can_be(conventions, following, is_grouped=grouped) if letter in _FIGURES else ANYTHING
