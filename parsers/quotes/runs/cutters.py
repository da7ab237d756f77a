"""Which token begins at a place of a line: each cutter knows one kind, the first that fits holds (spec 5.11)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from importlib import resources

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.quotes.runs import patterns
from parsers.quotes.runs.token import Kind, Token


class CutLine(Struct):
    """The line being cut."""

    text: str
    ticks: bool
    curves: bool
    found: list[Token] = field(default_factory=list)
    has_level: bool = False

    def add(self, token: Token) -> None:
        """Take the next token, left to right."""
        self.found.append(token)
        self.has_level = self.has_level or token.kind is Kind.level


_TRAILING = ",;:)"
_NUMERIC_START = frozenset("0123456789+-−–/.($€£¼½¾⅛⅜⅝⅞@'")
_Cutter = Callable[[CutLine, int], Token | None]


def token_at(line: CutLine, at: int) -> Token:
    """The token that begins at `at`; a word where nothing else does."""
    cutters = _NUMERIC if line.text[at] in _NUMERIC_START else _LETTERED
    return next((token for cutter in cutters if (token := cutter(line, at)) is not None), None) or _word(line, at)


def _of(kind: Kind, pattern: re.Pattern[str]) -> _Cutter:
    """Cuts what the pattern matches."""

    def cut(line: CutLine, at: int) -> Token | None:
        match = pattern.match(line.text, at)
        return Token(kind, at, match.end(), match[0]) if match is not None else None

    return cut


def _offer(line: CutLine, at: int) -> Token | None:
    """`@ 99`: an ask."""
    if line.text[at] != "@":
        return None
    start = at + 1 + (line.text[at + 1 : at + 2] == " ")
    value = patterns.LONE[line.ticks].match(line.text, start)
    return _level(line, at, value.end(), value[0], side="ask") if value is not None else None


def _offered_spread(line: CutLine, at: int) -> Token | None:
    """`/T+81`: an ask over a curve."""
    match = patterns.SPREAD.match(line.text, at + 1) if line.text[at] == "/" else None
    if match is None or not match["prefix"]:
        return None
    ask = _spread(line, at + 1, match)
    return replace(ask, start=at, text=f"/{ask.text}")


def _struct(line: CutLine, at: int) -> Token | None:
    match = patterns.STRUCT.match(line.text, at)
    if match is None:
        return None
    name = "rr" if match[2].lower() == "rr" else "bf"
    return Token(Kind.label, at, match.end(), match[0], key=f"{name}{match[1]}")


def _size_pair(line: CutLine, at: int) -> Token | None:
    match = patterns.SIZE_PAIR.match(line.text, at)
    if match is None:
        return None
    if not line.has_level and _are_prices(match[0]):
        return _level(line, at, match.end(), re.sub(r"\s*[xX×]\s*", " / ", match[0]))
    return Token(Kind.size, at, match.end(), match[0])


def _are_prices(text: str) -> bool:
    """`20.41 x 20.49`: two prices by an x; sizes are round, or far apart, or have a unit."""
    match = patterns.PRICES_BY.fullmatch(text)
    if match is None:
        return False
    first, second = (Fraction(value) for value in match.groups())
    return first >= 10 and first != second and abs(second - first) * 20 <= first


def _measured(line: CutLine, at: int) -> Token | None:
    """A delta, tenor, size or pair: whichever takes the longest stretch."""
    text = line.text
    pair = patterns.PAIR[line.ticks].match(text, at)
    if pair is not None and _is_ask_behind(pair[0]):
        pair = None
    elif pair is not None and _has_sizes_behind(pair, text):
        end = text.index("/", at) + 1
        return _level(line, at, end, text[at:end])
    end = pair.end() if pair is not None else at
    has_level = line.has_level
    delta = patterns.DELTA.match(text, at) if has_level else None
    if delta is not None and delta.end() > end:
        return Token(Kind.delta, at, delta.end(), delta[0])
    tenor = patterns.TENOR.match(text, at)
    size = patterns.SIZE.match(text, at)
    is_ahead = tenor is not None and patterns.LEVEL_AHEAD.match(text, tenor.end()) is not None
    if tenor is not None and tenor.end() > end and (size is None or (line.curves and (is_ahead or not has_level))):
        return Token(Kind.tenor, at, tenor.end(), tenor[0])
    is_bid_alone = pair is not None and pair[0].endswith("/") and not has_level  # `98/ 2mm`
    if size is not None and size.end() >= end and not is_bid_alone:
        return Token(Kind.size, at, size.end(), size[0].strip())
    signed = patterns.SPREAD.match(text, at)
    if signed is not None:
        return _spread(line, at, signed)
    return _level(line, at, end, pair[0]) if pair is not None else None


def _is_ask_behind(text: str) -> bool:
    """`27 /88.125`, `1.875 /20.70`: a year or coupon with an ask alone behind it, no market."""
    match = patterns.ASK_BEHIND.fullmatch(text)
    if match is None:
        return False
    first, second = (Fraction(value.replace(",", ".")) for value in match.groups())
    is_year = "." in match[2].replace(",", ".") and match[1].isdigit() and len(match[1]) == 2
    return is_year or abs(second - first) * 5 > max(first, second)


def _has_sizes_behind(pair: re.Match[str], text: str) -> bool:
    """`103.15 / 10 x 1`: a bid alone, and sizes far from any price."""
    match = patterns.BID_AND_SIZE.fullmatch(pair[0])
    if match is None or not patterns.BY.match(text, pair.end()):
        return False
    bid, size = Fraction(match[1].replace(",", ".")), Fraction(match[2])
    return abs(bid - size) * 5 > bid


def _lone(line: CutLine, at: int) -> Token | None:
    match = patterns.LONE[line.ticks].match(line.text, at)
    if match is None:
        return None
    unit = patterns.UNIT.match(line.text, match.end())
    end = unit.end() if unit is not None else match.end()
    return Token(Kind.number, at, end, match[0], unit=unit["unit"] if unit is not None else None)


def _bond(line: CutLine, at: int) -> Token | None:
    """A benchmark: behind a level, or behind the line's own maturity."""
    is_second = line.has_level or any(token.kind in (Kind.month, Kind.date) for token in line.found)
    return _of(Kind.bond, patterns.BOND)(line, at) if is_second else None


def _bracketed_bond(line: CutLine, at: int) -> Token | None:
    """`(T 4 1/4 11/34)`: the benchmark in brackets."""
    bond = _bond(line, at + 1) if line.text[at] == "(" else None
    return replace(bond, start=at) if bond is not None else None


def _talked(line: CutLine, at: int) -> Token | None:
    match = patterns.TALK_WORDS.match(line.text, at)
    return Token(Kind.level, at, match.end(), match[0], key="talk") if match is not None and line.found else None


def _reference(line: CutLine, at: int) -> Token | None:
    match = patterns.REFERENCE.match(line.text, at)
    return Token(Kind.reference, at, match.end(), match["value"]) if match is not None else None


def _lettered_spread(line: CutLine, at: int) -> Token | None:
    """`T+85/80`, but neither the rating `A-1` nor the settlement `T+7` of a line without a bond."""
    match = patterns.SPREAD.match(line.text, at)
    if match is None or not match["prefix"] or patterns.RATING.match(line.text, at):
        return None
    has_bond = any(token.kind in (Kind.month, Kind.date) for token in line.found)
    if patterns.SETTLEMENT.match(line.text, at) and not has_bond:
        return None
    return _spread(line, at, match)


def _lettered_pair(line: CutLine, at: int) -> Token | None:
    """`par-101`, `NB/99`, `x 30k`."""
    if line.text[at] not in "pPnNtTxX":
        return None
    match = patterns.PAIR[line.ticks].match(line.text, at)
    return _level(line, at, match.end(), match[0]) if match is not None else _size_pair(line, at)


def _level(line: CutLine, at: int, end: int, body: str, side: str | None = None) -> Token:
    unit = patterns.UNIT.match(line.text, end)
    if unit is None:
        return Token(Kind.level, at, end, body, key=side)
    return Token(Kind.level, at, unit.end(), body, key=side, unit=unit["unit"])


def _spread(line: CutLine, at: int, match: re.Match[str]) -> Token:
    """A spread: its body keeps a minus, and loses the plus that only says that it is one."""
    body = re.sub(r"^\+\s?", "", match["body"])
    if match["prefix"]:  # `MS+94/MS+89` says the curve twice
        body = body.replace(match["prefix"], "")
    return replace(_level(line, at, match.end(), body), prefix=match["prefix"] or "")


def _word(line: CutLine, at: int) -> Token:
    match = patterns.WORD.match(line.text, at)
    word = (match[0] if match is not None else line.text[at]).rstrip(_TRAILING) or line.text[at]
    key = _labels().get(word.lower().rstrip("."))
    return Token(Kind.label if key is not None else Kind.word, at, at + len(word), word, key=key)


@cache
def _labels() -> dict[str, str]:
    table = tomllib.loads(resources.files(__package__).joinpath("labels.toml").read_text("utf-8"))
    return {word: name for name, words in table.items() for word in words}


_NUMERIC: tuple[_Cutter, ...] = (
    _of(Kind.word, patterns.NAME_PART),
    _of(Kind.change, patterns.CHANGE),
    _of(Kind.date, patterns.DATE),
    _of(Kind.time, patterns.TIME),
    _of(Kind.series, patterns.SERIES),
    _bracketed_bond,
    _talked,
    _offer,
    _offered_spread,
    _struct,
    _of(Kind.tranche, patterns.TRANCHE),
    _size_pair,
    _of(Kind.month, patterns.MONTH),
    _measured,
    _lone,
)
_LETTERED: tuple[_Cutter, ...] = (
    _bond,
    _talked,
    _reference,
    _lettered_spread,
    _lettered_pair,
    _of(Kind.month, patterns.NAMED_MONTH),
    _of(Kind.tenor, patterns.TENOR),
    _of(Kind.delta, patterns.DELTA),
)
