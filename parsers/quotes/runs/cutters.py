"""Which token begins at a place of a line: each cutter knows one kind, the first that fits holds (spec 5.11)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from importlib import resources

from parsers.quotes.runs import patterns
from parsers.quotes.runs.levelcutters import CutLine, lettered_spread, level, measured, offer, offered_spread
from parsers.quotes.runs.referencecutters import bond, bracketed_pair, bracketed_reference, delta, reference
from parsers.quotes.runs.token import (
    CHANGE,
    LABEL,
    LEVEL,
    MONTH,
    NUMBER,
    SIZE,
    TENOR,
    WORD,
    Kind,
    Token,
)  # fmt: skip
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


def _size_pair(line: CutLine, at: int) -> Token | None:
    match = patterns.SIZE_PAIR.match(line.text, at)
    if match is None:
        return None
    if not line.has_level and _are_prices(match[0]):
        return level(line, at, match.end(), re.sub(r"\s*[xX×]\s*", " / ", match[0]))
    return Token(SIZE, at, match.end(), match[0])


def _are_prices(text: str) -> bool:
    """`20.41 x 20.49`: two prices by an x; sizes are round, or far apart, or have a unit."""
    match = patterns.PRICES_BY.fullmatch(text)
    if match is None:
        return False
    first, second = (Fraction(value) for value in match.groups())
    has_cents = all(len(value.partition(".")[2]) > 1 for value in match.groups())  # `3.10 x 3.30`
    return (first >= 10 or has_cents) and first != second and abs(second - first) * (10 if has_cents else 20) <= first


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
    unit = patterns.UNIT.match(line.text, match.end())
    end = unit.end() if unit is not None else match.end()
    if line.found and line.found[-1].text in _INDICES and patterns.SERIES_NUMBER.fullmatch(match[0]):
        return Token(WORD, at, match.end(), match[0])
    if unit is not None and patterns.MOVE.match(line.text, end):
        return Token(CHANGE, at, end, match[0])
    return Token(NUMBER, at, end, match[0], unit=unit["unit"] if unit is not None else None)


def _talked(line: CutLine, at: int) -> Token | None:
    match = patterns.TALK_WORDS.match(line.text, at)
    return Token(LEVEL, at, match.end(), match[0], key="talk") if match is not None and line.found else None


def _lettered_pair(line: CutLine, at: int) -> Token | None:
    """`par-101`, `NB/99`, `x 30k`."""
    if line.text[at] not in "pPnNtTxX":
        return None
    match = patterns.PAIR[line.ticks].match(line.text, at)
    if match is not None:
        return level(line, at, match.end(), match[0])
    return _size_pair(line, at) or _lone(line, at)


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
}
_KINDS = {str(kind): kind for kind in Kind}
_ANY_FORM = _forms(*_FORMS)
_SLASHED_FORM = _forms("date", "month")
_DASHED_FORM = _forms("word", "date", "tranche")
_DOTTED_FORM = _forms("date")
_COUPON_AND_MONTH = re.compile(r"(?P<coupon>1?\d)\s[^\W\d_]+\.?[\-/]'?\d{2,4}")
"""`5 ago/50`, `4 Mar-34`: a day would be joined to its month as the month is to the year."""
_BEHIND = re.compile(r"(?P<figures>\d[\d.,]*)\s{0,4}(?P<next>\S)?")


def _formed(line: CutLine, at: int) -> Token | None:
    """`05/15/34`, `10:30`, `5s 34`, `25RR`, `0-3%`, `5x10`, `03/34`: what stands behind the figures says which."""
    behind = _BEHIND.match(line.text, at)
    following = behind["next"] if behind is not None else None
    if following == "/":
        form = _SLASHED_FORM
    elif following == "-":
        form = _DASHED_FORM
    elif following is not None and (following in ":×" or following.isalpha()):
        form = _ANY_FORM
    elif behind is not None and behind["figures"].count(".") > 1:
        form = _DOTTED_FORM
    else:
        return None
    match = form.match(line.text, at)
    if match is None:
        return None
    name = match.lastgroup or ""
    if name == "date" and (coupon := _COUPON_AND_MONTH.fullmatch(match[0])) is not None:
        return Token(NUMBER, at, at + coupon.end("coupon"), coupon["coupon"])
    if name == "struct":
        return _struct(line, at)
    return _size_pair(line, at) if name == "size" else Token(_KINDS[name], at, match.end(), match[0])


_change = _of(CHANGE, patterns.CHANGE)
_NUMERIC: tuple[_Cutter, ...] = (
    _change,
    _formed,
    bracketed_reference,
    bracketed_pair,
    _talked,
    offer,
    offered_spread,
    _size_pair,
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
    _of(TENOR, patterns.TENOR),
    delta,
)
_BEGINNINGS = (  # of each lettered cutter, in the same order
    "voTUCGDBOFS",
    "vVlLmMhH",
    "vVrRsS",
    "UCTBGDMAOSEIZJNmutgzcabij",
    "pPnNtTxX",
    "".join({letter for name in MONTHS for letter in name[0] + name[0].upper()}),
    "oOtTsS",
    "d",
)
_DIGITAL = (_formed, measured, _lone)
_SIGNED = (_talked, measured, _lone)


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
