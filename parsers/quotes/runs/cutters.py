"""Which token begins at a place of a line: each cutter knows one kind, the first that fits holds (spec 5.11)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import resources

from parsers.quotes.runs import patterns
from parsers.quotes.runs.levelcutters import (
    CutLine,
    lettered_spread,
    level,
    measured,
    offer,
    offered_spread,
    unit_behind,
)
from parsers.quotes.runs.referencecutters import bond, bracketed_pair, bracketed_reference, delta, reference
from parsers.quotes.runs.sizecutters import dollars, size_pair
from parsers.quotes.runs.token import CHANGE, LABEL, LEVEL, MONTH, NUMBER, REFERENCE, TENOR, WORD, Kind, Token
from parsers.values.dates import MONTHS

_INDICES = frozenset({"IG", "HY", "EM", "Main", "MAIN", "Xover", "XOVER", "Crossover", "SnrFin", "SubFin"})
"""Credit indices; a series stands behind them: `CDX IG 45  50.63`."""
_SIDES = {"b": "bid", "a": "ask", "o": "ask"}
"""Letters right behind a value: `98 3/4a`."""
_TRAILING = ",;:)"
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


def _struct(line: CutLine, at: int) -> Token | None:
    match = patterns.STRUCT.match(line.text, at)
    if match is None:
        return None
    name = "rr" if match[2].lower() == "rr" else "bf"
    return Token(LABEL, at, match.end(), match[0], key=f"{name}{match[1]}")


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
    if letter and letter in _SIDES and (len(match[0]) > 1):
        return level(line, at, match.end(), match[0], side=_SIDES[letter])
    unit = unit_behind(line.text, match.end(), match[0])
    end = unit.end() if unit is not None else match.end()
    if line.found and line.found[-1].text in _INDICES and patterns.SERIES_NUMBER.fullmatch(match[0]):
        return Token(WORD, at, match.end(), match[0])
    if unit is not None and patterns.MOVE.match(line.text, end):
        return Token(CHANGE, at, end, match[0])
    return Token(NUMBER, at, end, match[0], unit=unit["unit"] if unit is not None else None)


def _talked(line: CutLine, at: int) -> Token | None:
    match = patterns.TALK_WORDS.match(line.text, at)
    if match is None and line.listed and not line.has_level:
        match = patterns.LISTED_TALK.match(line.text, at)
    return Token(LEVEL, at, match.end(), match[0], key="talk") if match is not None and line.found else None


def _lettered_pair(line: CutLine, at: int) -> Token | None:
    """`par-101`, `NB/99`, `x 30k`."""
    if line.text[at] not in "pPnNtTxX":
        return None
    match = patterns.PAIR[line.ticks].match(line.text, at)
    if match is not None:
        return level(line, at, match.end(), match[0])
    return offered_spread(line, at) or size_pair(line, at) or _lone(line, at)


def _lettered_tenor(line: CutLine, at: int) -> Token | None:
    """`O/N`, `TN`; where nothing is quoted by tenor `ON 0.5 3/1/29` is a bond's ticker."""
    match = patterns.TENOR.match(line.text, at) if line.curves else None
    return Token(TENOR, at, match.end(), match[0]) if match is not None else None


def _parting(line: CutLine, at: int) -> Token | None:
    """`6.62 ytc / 6.71 ytw`: a slash that parts what is counted in different things, and makes no market of it."""
    is_parting = line.text[at] == "/" and line.found and line.found[-1].unit is not None
    return Token(WORD, at, at + 1, "/") if is_parting else None


def _word(line: CutLine, at: int) -> Token:
    match = patterns.WORD.match(line.text, at)
    word = (match[0] if match is not None else line.text[at]).rstrip(_TRAILING) or line.text[at]
    side, slash, _ = word.partition("/")
    if slash and _labels().get(side.lower()) in ("bid", "ask"):  # `100 bid/100 3/8 offer`
        word = side
    sided = patterns.SIDED.fullmatch(word) if word[0].isdigit() else None
    if sided is not None:
        sides = " / ".join(value for value in sided.group("bid", "ask") if value)
        lone = None if sided["bid"] and sided["ask"] else "bid" if sided["bid"] else "ask"
        return level(line, at, at + len(word), sides, side=lone)
    key = (
        _labels().get(word.lower()) or _labels().get(word.lower().strip("(*.")) if word != "SUB" else None
    )  # the equity of a CLO
    return Token(LABEL if key is not None else WORD, at, at + len(word), word, key=key)


@cache
def _labels() -> dict[str, str]:
    table = tomllib.loads(resources.files(__package__).joinpath("labels.toml").read_text("utf-8"))
    return {word: name for name, words in table.items() for word in words}


def _forms(*names: str) -> re.Pattern[str]:
    """These kinds of tokens that are told by their form alone, the first that fits, each in a group of its name."""
    return re.compile("|".join(f"(?P<{name}>{_FORMS[name].pattern})" for name in names))


_FORMS = {
    "word": patterns.NAME_PART,
    "date": patterns.DATE,
    "time": patterns.TIME,
    "series": patterns.SERIES,
    "struct": patterns.STRUCT,
    "tranche": patterns.TRANCHE,
    "tenor": patterns.FORWARD,
    "size": patterns.SIZE_PAIR,
    "month": patterns.MONTH,
    "reference": patterns.REFERENCE_BEHIND,
}
_KINDS = {str(kind): kind for kind in Kind}
_ANY_FORM = _forms(*_FORMS)
_SLASHED_FORM = _forms("date", "month")
_DASHED_FORM = _forms("word", "date", "tranche")
_DOTTED_FORM = _forms("date")
_SERIES_FORM = _forms("series")
_COUPON_AND_MONTH = re.compile(r"(?P<coupon>1?\d)\s[^\W\d_]+\.?[\-/]'?\d{2,4}")
"""`5 ago/50`, `4 Mar-34`: a day would be joined to its month as the month is to the year."""
_BEHIND = re.compile(r"(?P<figures>\d[\d.,]*)\s{0,4}(?P<next>\S)?")


def _form_of(behind: re.Match[str] | None) -> re.Pattern[str] | None:
    """What figures with this behind them may be, besides levels and sizes."""
    following = behind["next"] if behind is not None else None
    if following == "/":
        return _SLASHED_FORM
    if following == "-":
        return _DASHED_FORM
    if following is not None and (following in ":×" or following.isalpha()):
        return _ANY_FORM
    if behind is not None and behind["figures"].count(".") > 1:
        return _DOTTED_FORM
    if following is not None and following in "1357½¼¾⅛⅜⅝⅞":
        return _SERIES_FORM  # `7 3/8s of 29`
    return None


def _formed(line: CutLine, at: int) -> Token | None:
    """`05/15/34`, `10:30`, `5s 34`, `25RR`, `0-3%`, `5x10`, `03/34`: what stands behind the figures says which."""
    form = _form_of(_BEHIND.match(line.text, at))
    if form is None:
        return None
    match = form.match(line.text, at)
    if match is None:
        return None
    name = match.lastgroup or ""
    coupon = _COUPON_AND_MONTH.fullmatch(match[0]) if name == "date" else None
    if name == "date" and coupon is None and line.found and all(token.kind is WORD for token in line.found):
        coupon = patterns.FIRST_AND_MONTH.fullmatch(match[0])
    if coupon is not None:
        return Token(NUMBER, at, at + coupon.end("coupon"), coupon["coupon"])
    if name == "struct":
        return _struct(line, at)
    if name == "reference":
        return Token(REFERENCE, at, match.end(), match["value"]) if line.has_level else None
    return size_pair(line, at) if name == "size" else Token(_KINDS[name], at, match.end(), match[0])


_change = _of(CHANGE, patterns.CHANGE)
_NUMERIC: tuple[_Cutter, ...] = (
    _change,
    _formed,
    bracketed_reference,
    bracketed_pair,
    _talked,
    offer,
    offered_spread,
    _parting,
    size_pair,
    measured,
    _lone,
)
_LETTERED: tuple[_Cutter, ...] = (
    bond,
    _talked,
    reference,
    lettered_spread,
    _lettered_pair,
    _of(MONTH, patterns.NAMED_MONTH),
    _lettered_tenor,
    dollars,
    delta,
)
_BEGINNINGS = (  # of each lettered cutter, in the same order
    "voTUCGDBOFS",
    "vVlLmMhHsScC",
    "vVrRsS",
    "UCTBGDMAOSEIZJNmutgzcabdijo",
    "pPnNtTxX",
    "".join({letter for name in MONTHS for letter in name[0] + name[0].upper()}),
    "oOtTsS",
    "UCAMHNSR",
    "d",
)
_DIGITAL = (_formed, _talked, measured, _lone)
_SIGNED = (_talked, offered_spread, measured, _lone)


@lru_cache(maxsize=512)
def _cutters(letter: str) -> tuple[_Cutter, ...]:
    """The cutters of what can begin with this letter; beyond ASCII all, for some letters stand for others there."""
    if letter in "0123456789":
        return _DIGITAL
    if letter in "+-":
        return _SIGNED
    if letter in _NUMERIC_START or not letter.isascii():
        return _NUMERIC if letter in _NUMERIC_START else _LETTERED
    return tuple(cutter for cutter, letters in zip(_LETTERED, _BEGINNINGS, strict=True) if letter in letters)
