"""Where a level, or what competes with one for the same figures, begins in a line (spec 5.11)."""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec.structs import replace

from parsers.quotes.lexer import patterns
from parsers.quotes.lexer.behind import Behind
from parsers.quotes.lexer.conventions import Conventions
from parsers.quotes.lexer.cutline import CutLine, level
from parsers.quotes.lexer.spreadcutters import spread
from parsers.quotes.lexer.token import CHANGE, DELTA, NUMBER, REFERENCE, SIZE, TENOR, WORD, Token

_SIGNS = "+-−–"
_COUPON_AND_DATE = re.compile(r"(1?\d)\s(?:1?\d/(?:[12]?\d|3[01])/(?:20)?[2-9]\d)(?=\s)")
_FRACTION_AND_DATE = re.compile(
    r"(?:[1357]/8|[13]/4|1/2)(?=\s+(?:[01]?\d/(?:[0-3]?\d/)?|[0-3]?\d/[01]?\d/)(?:20)?[2-9]\d(?![\d/]))"
)
"""`FNMA 3/8 08/25/25`: a coupon below one."""
_RANGE = re.compile(r"(\d+)\s-\s(\d+)")
_OFFERED = re.compile(r"(\d+(?:\.\d+)?)\s?@\s?(\d+(?:\.\d+)?)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LEAST_PRICE = 15
_PAIRS = {are_32nds: Behind.of(pattern) for are_32nds, pattern in patterns.PAIR.items()}
_SIZES = Behind.of(patterns.SIZE)
_TENORS = {are_tenors: Behind.of(pattern) for are_tenors, pattern in patterns.TENOR.items()}
MEASURED = Behind.of(*patterns.PAIR.values(), *patterns.TENOR.values(), patterns.SIZE, patterns.DELTA)
"""Of figures; `TICK_PAIR` is looked for where a pair may be."""
_BALANCES = frozenset({"LLB", "MLB", "HLB", "HHLB", "MAX", "Max", "max"})
_POOLS = frozenset({"FN", "FR", "FG", "GN", "G2"})
"""In front of a coupon and what their loans are at most: `FN 6.0 250K`."""


def offer(line: CutLine, at: int) -> Token | None:
    """`@ 99`: an ask."""
    if line.text[at] != "@":
        return None
    start = at + 1 + (line.text[at + 1 : at + 2] == " ")
    if patterns.TIME.match(line.text, start) is not None:  # `@19:34`
        return None
    over = patterns.SPREAD.match(line.text, start)
    if over is not None:  # `@ T+118`
        return replace(spread(line, start, over), start=at, key="at")
    pair = patterns.PAIR[line.conventions.thirty_seconds].match(line.text, start)
    if pair is not None and " / " in pair[0]:  # `UST GC 1W @ 4.20 / 4.16`
        return level(line, at, pair.end(), pair[0])
    value = patterns.LONE[line.conventions.thirty_seconds].match(line.text, start)
    if pair is not None and value is not None and pair.end() > value.end():  # `@ 93.25-93.75`
        return None
    return level(line, at, value.end(), value[0], side="at") if value is not None else None


def measured(line: CutLine, at: int) -> Token | None:
    """A delta, tenor, size or pair: whichever takes the longest stretch."""
    text = line.text
    may_pair = line.can_be[0]
    pair = _pair(line, at) if may_pair else None
    if pair is not None and _has_sizes_behind(pair, text):
        end = text.index("/", at) + 1
        return level(line, at, end, text[at:end])
    if text[at] in _SIGNS:
        return _signed(line, at, pair)
    longer = _delta(line, at, pair) or _counted(line, at, pair)
    if longer is not None:
        return longer
    paired = _signed if text[at] == "€" else _paired  # `€STR`
    return paired(line, at, pair) if may_pair else None


def _pair(line: CutLine, at: int) -> re.Match[str] | None:
    """What is printed as a market is, and is one."""
    pair = patterns.PAIR[line.conventions.thirty_seconds].match(line.text, at)
    if pair is None:
        return None
    text = pair[0]
    is_none = _is_ask_behind(text) or _is_year_before(line, text) or ("@" in text and _is_offer_of(line, text))
    return None if is_none else pair


def _delta(line: CutLine, at: int, pair: re.Match[str] | None) -> Token | None:
    """The delta behind a level that is longer than any pair; where there are tenors, they come before it."""
    if not line.has_level or (line.has_tenor and line.conventions.tenors):
        return None
    delta = patterns.DELTA.match(line.text, at)
    if delta is None or delta.end() <= (pair.end() if pair is not None else at):
        return None
    return Token(DELTA, at, delta.end(), delta[0])


def _counted(line: CutLine, at: int, pair: re.Match[str] | None) -> Token | None:
    """A tenor longer than the pair, or a size as long as it: figures with their unit."""
    _, may_size, may_tenor = line.can_be
    end = pair.end() if pair is not None else at
    tenor = patterns.TENOR[line.conventions.tenors].match(line.text, at) if may_tenor else None
    size = _size(line.text, at) if may_size else None
    if tenor is not None and tenor.end() > end and _is_tenor(line, tenor, size):
        return Token(TENOR, at, tenor.end(), tenor[0].replace("A", "Y"))
    if size is not None and size.end() >= end and not _is_bid_alone(line, pair):
        return Token(WORD if _is_balance(line, size[0]) else SIZE, at, size.end(), size[0].strip())
    return None


def _is_tenor(line: CutLine, tenor: re.Match[str], size: re.Match[str] | None) -> bool:
    """Whether what may be a size, too, is a tenor: in front of its level and not last behind another."""
    if size is None:
        return True
    if not line.conventions.tenors:
        return False
    if patterns.LEVEL_AHEAD.match(line.text, tenor.end()) is not None:
        return True
    is_sized = line.has_tenor and size.end() == len(line.text.rstrip())  # `3M 2.12 offered 50m`
    return not (line.has_level or is_sized)


def _is_bid_alone(line: CutLine, pair: re.Match[str] | None) -> bool:
    """`98/ 2mm`: the size is no ask."""
    return pair is not None and pair[0].endswith("/") and not line.has_level


def _is_balance(line: CutLine, size: str) -> bool:
    """`LLB 85k`: of a pool's loans."""
    if line.found and line.found[-1].text in _BALANCES:
        return True
    return len(line.found) == 2 and line.found[0].text in _POOLS and size[-1] in "kK"


def can_be(conventions: Conventions, following: str, *, is_grouped: bool) -> tuple[bool, bool, bool]:
    """Whether a pair, a size, a tenor can begin with figures that have this behind them."""
    gates = (_PAIRS[conventions.thirty_seconds], _SIZES, _TENORS[conventions.tenors])
    pair, size, tenor = (gate.allows(following, is_grouped=is_grouped) for gate in gates)
    return pair, size, tenor


def _size(text: str, at: int) -> re.Match[str] | None:
    """`5mm`, `2-4mm`; `29 - 3MM` is a year, and a size behind it."""
    size = patterns.SIZE.match(text, at)
    fallen = _RANGE.match(size[0]) if size is not None and "-" in size[0] else None
    return None if fallen is not None and int(fallen[1]) > int(fallen[2]) else size


def _paired(line: CutLine, at: int, pair: re.Match[str] | None) -> Token | None:
    coupon = _coupon(line, at, pair) if pair is not None and line.found and not line.has_date else None
    if coupon is not None:
        return coupon
    ticks = None if line.conventions.thirty_seconds else _ticks(line, at, pair)
    if ticks is not None:
        return ticks
    if pair is None and line.text[at] in "£$€":
        pair = _pair_in_money(line, at)
    return level(line, at, pair.end(), pair[0]) if pair is not None else None


def _ticks(line: CutLine, at: int, pair: re.Match[str] | None) -> Token | None:
    """What can be nothing but 32nds, where none are read: a market all the same; one value alone is nothing."""
    ticks = patterns.TICK_PAIR.match(line.text, at)
    if ticks is not None and (pair is None or pair.end() <= ticks.end()):
        return level(line, at, ticks.end(), ticks[0])
    if pair is not None and "-" in pair[0] and patterns.TICKS_ALONE.fullmatch(pair[0]):
        return Token(WORD, at, pair.end(), pair[0])
    return None


def _pair_in_money(line: CutLine, at: int) -> re.Match[str] | None:
    """`£97.5-98.5`; but `$102-08` may be 32nds."""
    pair = patterns.PAIR[line.conventions.thirty_seconds].match(line.text, at + 1)
    may_be_32nds = pair is not None and "/" not in pair[0] and "." not in pair[0]
    return None if may_be_32nds else pair


def _coupon(line: CutLine, at: int, pair: re.Match[str]) -> Token | None:
    """The coupon that stands in front of a date and looks like a side of the pair: `KBN 4 1/8/31  98.5/99`."""
    dated = _COUPON_AND_DATE.match(line.text, at)
    if dated is not None and dated.end() == pair.end():
        return Token(NUMBER, at, at + dated.end(1) - dated.start(1), dated[1])
    eighths = _FRACTION_AND_DATE.match(line.text, at)
    if eighths is not None and all(token.kind is not NUMBER for token in line.found):
        return Token(NUMBER, at, eighths.end(), eighths[0])
    return None


def _signed(line: CutLine, at: int, pair: re.Match[str] | None) -> Token | None:
    """`+120/115`, `-12`: a spread, else the pair that begins there; `+25c` is the day's change."""
    cents = patterns.CENTS.match(line.text, at)
    if cents is not None:
        return Token(CHANGE, at, cents.end(), cents[0])
    if line.found and line.found[-1].kind is REFERENCE and line.text[at] != "+":  # `vs 42.10-55d`
        delta = patterns.DELTA.match(line.text, at + 1)
        if delta is not None:
            return Token(DELTA, at, delta.end(), delta[0])
    strike = patterns.STRIKE.match(line.text, at) if line.conventions.tenors else None
    if strike is not None:
        return Token(WORD, at, strike.end(), strike[0])
    signed = patterns.SPREAD.match(line.text, at)
    if signed is not None:
        return spread(line, at, signed)
    return _paired(line, at, pair)


def _is_ask_behind(text: str) -> bool:
    """`27 /88.125`, `1.875 /20.70`: a year or coupon with an ask alone behind it, no market."""
    match = patterns.ASK_BEHIND.fullmatch(text)
    if match is None:
        return False
    first, second = (Fraction(value.replace(",", ".")) for value in match.groups())
    is_year = "." in match[2].replace(",", ".") and match[1].isdigit() and len(match[1]) == 2
    return is_year or abs(second - first) * 5 > max(first, second)


def _is_year_before(line: CutLine, text: str) -> bool:
    """`8 5/8 27 - 100 1/2`, `10 PERP 27 @ 105.25`: behind a coupon a year, and a value far from it, no market."""
    match = patterns.YEAR_AND_VALUE.match(text)
    if match is None or not line.found:
        return False
    before = [token.kind for token in line.found[-2:]]
    is_behind_coupon = before[-1] is NUMBER and before[:-1] != [NUMBER]
    first, second = int(match[1]), int(match[2])
    is_far = abs(second - first) * 5 > max(first, second)
    return is_far and (is_behind_coupon or line.found[-1].text.lower().startswith("perp"))


def _is_offer_of(line: CutLine, text: str) -> bool:
    """`JPM PRD 5.75 @ 24.95`, `KKR XII 2017 @ 85`: in front of the sign stands no bid, but a coupon or a year."""
    match = _OFFERED.fullmatch(text)
    if match is None or not line.found:
        return False
    first, second = Fraction(match[1]), Fraction(match[2])
    return _YEAR.fullmatch(match[1]) is not None or (second > _LEAST_PRICE and second > 2 * first)


def _has_sizes_behind(pair: re.Match[str], text: str) -> bool:
    """`103.15 / 10 x 1`: a bid alone, and sizes far from any price."""
    match = patterns.BID_AND_SIZE.fullmatch(pair[0])
    if match is None or not patterns.BY.match(text, pair.end()):
        return False
    bid, size = Fraction(match[1].replace(",", ".")), Fraction(match[2])
    return abs(bid - size) * 5 > bid
