"""Which token begins at a place of a line: each cutter knows one kind, the first that fits holds (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from parsers.quotes.runs import patterns
from parsers.quotes.runs.behind import BEHIND
from parsers.quotes.runs.cutline import CutLine, level, unit_behind
from parsers.quotes.runs.figurecutters import formed
from parsers.quotes.runs.labels import LETTERS, labels
from parsers.quotes.runs.levelcutters import measured, offer
from parsers.quotes.runs.referencecutters import bond, bracketed_pair, bracketed_reference, delta, reference
from parsers.quotes.runs.sizecutters import dollars, size_pair
from parsers.quotes.runs.spreadcutters import lettered_spread, offered_spread
from parsers.quotes.runs.token import CHANGE, DATE, LABEL, LEVEL, MONTH, NUMBER, TENOR, WORD, Kind, Token
from parsers.values.gates import Beginning

_INDICES = frozenset({"IG", "HY", "EM", "Main", "MAIN", "Xover", "XOVER", "Crossover", "SnrFin", "SubFin"})
"""Credit indices; a series stands behind them: `CDX IG 45  50.63`."""
_SIDE_APART = re.compile(r"\s([bao])\s*$")
"""The letter of a side at the end of a line, apart: `MTNSJ 6.498 10/26  100.9 b`."""
_TRAILING = ",;:)"
_BOND = re.compile(r"\s\d{1,2}(?:[.,]\d{1,4}|\s\d/\d)?\s(?:\d{1,2}/){1,2}\d\d\s")
"""Coupon and maturity."""
_NUMERIC_START = frozenset("0123456789+-−–/.($€£¼½¾⅛⅜⅝⅞@'")
_Cutter = Callable[[CutLine, int], Token | None]


def token_at(line: CutLine, at: int) -> Token:
    """The token that begins at `at`; a word where nothing else does."""
    for cutter in _cutters(line.text[at]):
        token = cutter(line, at)
        if token is not None:
            return token
    return _word(line, at)


def _of(kind: Kind, pattern: re.Pattern[str]) -> _Cutter:
    """Cuts what the pattern matches."""

    def cut(line: CutLine, at: int) -> Token | None:
        match = pattern.match(line.text, at)
        return Token(kind, at, match.end(), match[0]) if match is not None else None

    return cut


def _in_money(line: CutLine, at: int) -> Token | None:
    """`$98.50`."""
    match = patterns.IN_MONEY.match(line.text, at) if line.text[at] in "$£€" else None
    return Token(NUMBER, at, match.end(), match[1]) if match is not None else None


def _lone(line: CutLine, at: int) -> Token | None:
    match = patterns.LONE[line.ticks].match(line.text, at)
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


def _figured(line: CutLine, at: int) -> Token | None:
    """What begins with a digit and is more than a lone value; what stands behind the figures says what it can be."""
    behind = BEHIND.match(line.text, at)
    if behind is None:
        return None
    return formed(line, at, behind) or (_talked(line, at) if line.listed else None) or measured(line, at, behind)


def _talked(line: CutLine, at: int) -> Token | None:
    match = patterns.TALK_WORDS.match(line.text, at)
    if match is None and line.listed and (not line.has_level or line.text[at - 2 : at] == "/ "):
        match = patterns.LISTED_TALK.match(line.text, at)
    return Token(LEVEL, at, match.end(), match[0], key="talk") if match is not None and line.found else None


def _lettered_pair(line: CutLine, at: int) -> Token | None:
    """`par-101`, `NB/99`, `x 30k`."""
    match = patterns.PAIR[line.ticks].match(line.text, at)
    if match is not None:
        return level(line, at, match.end(), match[0])
    return offered_spread(line, at) or size_pair(line, at) or _lone(line, at)


def _lettered_tenor(line: CutLine, at: int) -> Token | None:
    """`O/N`, `TN`; where nothing is quoted by tenor `ON 0.5 3/1/29` is a bond's ticker."""
    match = patterns.TENOR.match(line.text, at) if line.curves else None
    return Token(TENOR, at, match.end(), match[0]) if match is not None else None


def _over_index(line: CutLine, at: int) -> Token | None:
    """`1mE+41/36`: a market over Euribor of a month; a lone one is a floater's margin."""
    token = lettered_spread(line, at) if line.text.startswith("mE", at + 1) else None
    return token if token is not None and "/" in token.text else None


def _parting(line: CutLine, at: int) -> Token | None:
    """`6.62 ytc / 6.71 ytw`: a slash that parts what is counted in different things, and makes no market of it."""
    is_parting = line.text[at] == "/" and line.found and line.found[-1].unit is not None
    return Token(WORD, at, at + 1, "/") if is_parting else None


def _word(line: CutLine, at: int) -> Token:
    match = patterns.WORD.match(line.text, at)
    word = (match[0] if match is not None else line.text[at]).rstrip(_TRAILING) or line.text[at]
    if word[-1] == "." and word[-2:-1].isdigit() and match is not None and match.end() == len(line.text):
        word = word[:-1]  # of the sentence: `8 PERP c28.`
    side, slash, _ = word.partition("/")
    if slash and labels().get(side.lower()) in ("bid", "ask"):  # `100 bid/100 3/8 offer`
        word = side
    sided = patterns.SIDED.fullmatch(word) if word[0].isdigit() else None
    if sided is not None:
        sides = " / ".join(value for value in sided.group("bid", "ask") if value)
        lone = None if sided["bid"] and sided["ask"] else "bid" if sided["bid"] else "ask"
        return level(line, at, at + len(word), sides, side=lone)
    key = (
        labels().get(word.lower()) or labels().get(word.lower().strip("(*.-")) if not _is_name(line, at, word) else None
    )
    return Token(LABEL if key is not None else WORD, at, at + len(word), word, key=key)


def _is_name(line: CutLine, at: int, word: str) -> bool:
    """The equity of a CLO, the index of subordinated financials, a lower tier: `Sub 99/100.5`, `DB sub 128/133`."""
    if word.lower() == "trade":  # `Rite Aid trade claims`
        return line.text.startswith(" claim", at + 5)
    is_tier = word == "Sub" or (word == "sub" and line.found and not line.has_level)
    if word == "bei":  # German for `at`, no breakeven
        return True
    if word == "BID" and not line.found:  # the Spanish name of a bank: `BID 2.75 01/29 98.5`
        return _BOND.match(line.text, at + 3) is not None
    return word == "SUB" or bool(is_tier and line.curves and line.text[at + 3 : at + 6].strip()[:1].isdigit())


_change = _of(CHANGE, patterns.CHANGE)
_NUMERIC: tuple[_Cutter, ...] = (
    _change,
    bracketed_reference,
    bracketed_pair,
    _talked,
    offer,
    offered_spread,
    _parting,
    size_pair,
    measured,
    _in_money,
    _lone,
)
_LETTERED: tuple[tuple[_Cutter, Beginning], ...] = (
    (bond, Beginning.of(patterns.BOND)),
    (_talked, Beginning.of(patterns.TALK_WORDS, patterns.LISTED_TALK)),
    (reference, Beginning.of(patterns.OF_TENOR, patterns.REFERENCE)),
    (lettered_spread, Beginning.of(patterns.TALKED, patterns.SPREAD)),
    (
        _lettered_pair,
        Beginning.of(*patterns.PAIR.values(), *patterns.LONE.values(), patterns.NO_BID, patterns.SIZE_PAIR),
    ),
    (_of(DATE, patterns.DATE), Beginning.of(patterns.DATE)),
    (_of(MONTH, patterns.NAMED_MONTH), Beginning.of(patterns.NAMED_MONTH)),
    (_lettered_tenor, Beginning.of(patterns.TENOR)),
    (dollars, Beginning.of(patterns.SIZE)),
    (delta, Beginning.of(patterns.DELTA)),
)
"""Each with the gate of what it cuts."""
_DIGITAL = (_over_index, _figured, _lone)
_SIGNED = (_talked, offered_spread, measured, _lone)


@lru_cache(maxsize=512)
def _cutters(letter: str) -> tuple[_Cutter, ...]:
    """The cutters of what can begin with this letter; beyond ASCII all, for some letters stand for others there."""
    if letter in "0123456789":
        return _DIGITAL
    if letter in "+-":
        return _SIGNED
    if letter in _NUMERIC_START or not letter.isascii():
        return _NUMERIC if letter in _NUMERIC_START else tuple(cutter for cutter, _ in _LETTERED)
    return tuple(cutter for cutter, beginning in _LETTERED if beginning.passes(letter))
