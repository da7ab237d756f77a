"""Where a level, or what competes with one for the same figures, begins in a line (spec 5.11)."""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec.structs import replace

from parsers.quotes.runs import patterns
from parsers.quotes.runs.behind import Behind, is_grouped
from parsers.quotes.runs.cutline import CutLine, level
from parsers.quotes.runs.spreadcutters import spread
from parsers.quotes.runs.token import CHANGE, DELTA, NUMBER, REFERENCE, SIZE, TENOR, WORD, Token

_SIGNS = "+-−–"
_COUPON_AND_DATE = re.compile(r"(1?\d)\s(?:1?\d/(?:[12]?\d|3[01])/(?:20)?[2-9]\d)(?=\s)")
_FRACTION_AND_DATE = re.compile(r"(?:[1357]/8|[13]/4|1/2)(?=\s+[01]?\d/(?:[0-3]?\d/)?(?:20)?[2-9]\d(?![\d/]))")
"""`FNMA 3/8 08/25/25`: a coupon below one."""
_RANGE = re.compile(r"(\d+)\s-\s(\d+)")
_OFFERED = re.compile(r"(\d+(?:\.\d+)?)\s?@\s?(\d+(?:\.\d+)?)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LEAST_PRICE = 15
_PAIRS = {ticks: Behind.of(pattern) for ticks, pattern in patterns.PAIR.items()}
_SIZES = Behind.of(patterns.SIZE)
_TENORS = {False: Behind.of(patterns.TENOR), True: Behind.of(patterns.CURVE_TENOR)}
_BALANCES = frozenset({"LLB", "MLB", "HLB", "HHLB", "MAX", "Max", "max"})
_POOLS = frozenset({"FN", "FR", "FG", "GN", "G2"})
"""In front of a coupon and what their loans are at most: `FN 6.0 250K`."""


def offer(line: CutLine, at: int) -> Token | None:
    """`@ 99`: an ask."""
    if line.text[at] != "@":
        return None
    start = at + 1 + (line.text[at + 1 : at + 2] == " ")
    over = patterns.SPREAD.match(line.text, start)
    if over is not None:  # `@ T+118`
        return replace(spread(line, start, over), start=at, key="at")
    pair = patterns.PAIR[line.ticks].match(line.text, start)
    if pair is not None and " / " in pair[0]:  # `UST GC 1W @ 4.20 / 4.16`
        return level(line, at, pair.end(), pair[0])
    value = patterns.LONE[line.ticks].match(line.text, start)
    if pair is not None and value is not None and pair.end() > value.end():  # `@ 93.25-93.75`
        return None
    return level(line, at, value.end(), value[0], side="at") if value is not None else None


def measured(line: CutLine, at: int, behind: re.Match[str] | None = None) -> Token | None:
    """A delta, tenor, size or pair: whichever takes the longest stretch.

    Args:
        line: being cut.
        at: where it begins.
        behind: of figures, the match of `BEHIND`.
    """
    text = line.text
    may_pair, may_size, may_tenor = _may_be(line, behind)
    pair = patterns.PAIR[line.ticks].match(text, at) if may_pair else None
    if pair is not None and (
        _is_ask_behind(pair[0]) or _is_year_before(line, pair[0]) or ("@" in pair[0] and _is_offer_of(line, pair[0]))
    ):
        pair = None
    elif pair is not None and _has_sizes_behind(pair, text):
        end = text.index("/", at) + 1
        return level(line, at, end, text[at:end])
    end = pair.end() if pair is not None else at
    has_level = line.has_level
    if text[at] in _SIGNS:
        return _signed(line, at, pair)
    delta = patterns.DELTA.match(text, at) if has_level and not (line.curves and line.has_tenor) else None
    if delta is not None and delta.end() > end:
        return Token(DELTA, at, delta.end(), delta[0])
    tenor = (patterns.CURVE_TENOR if line.curves else patterns.TENOR).match(text, at) if may_tenor else None
    size = _size(text, at) if may_size else None
    is_sized = line.has_tenor and size is not None and size.end() == len(text.rstrip())  # `3M 2.12 offered 50m`
    is_ahead = tenor is not None and patterns.LEVEL_AHEAD.match(text, tenor.end()) is not None
    if (
        tenor is not None
        and tenor.end() > end
        and (size is None or (line.curves and (is_ahead or not (has_level or is_sized))))
    ):
        return Token(TENOR, at, tenor.end(), tenor[0].replace("A", "Y"))
    is_bid_alone = pair is not None and pair[0].endswith("/") and not has_level  # `98/ 2mm`
    if size is not None and size.end() >= end and not is_bid_alone:
        is_balance = bool(line.found) and line.found[-1].text in _BALANCES  # `LLB 85k`: of a pool's loans
        is_balance = is_balance or (len(line.found) == 2 and line.found[0].text in _POOLS and size[0][-1] in "kK")
        return Token(WORD if is_balance else SIZE, at, size.end(), size[0].strip())
    paired = _signed if text[at] == "€" else _paired  # `€STR`
    return paired(line, at, pair) if may_pair else None


def _may_be(line: CutLine, behind: re.Match[str] | None) -> tuple[bool, bool, bool]:
    """Whether a pair, a size, a tenor can begin with these figures; of anything else nothing is known."""
    if behind is None:
        return True, True, True
    following, grouped = behind["next"] or "", is_grouped(behind["figures"])
    gates = (_PAIRS[line.ticks], _SIZES, _TENORS[line.curves])
    pair, size, tenor = (gate.allows(following, is_grouped=grouped) for gate in gates)
    return pair, size, tenor


def _size(text: str, at: int) -> re.Match[str] | None:
    """`5mm`, `2-4mm`; `29 - 3MM` is a year, and a size behind it."""
    size = patterns.SIZE.match(text, at)
    fallen = _RANGE.match(size[0]) if size is not None and "-" in size[0] else None
    return None if fallen is not None and int(fallen[1]) > int(fallen[2]) else size


def _paired(line: CutLine, at: int, pair: re.Match[str] | None) -> Token | None:
    dated = _COUPON_AND_DATE.match(line.text, at) if pair is not None and not line.has_date and line.found else None
    if dated is not None and dated.end() == (pair.end() if pair is not None else 0):  # `KBN 4 1/8/31  98.5/99`
        return Token(NUMBER, at, at + dated.end(1) - dated.start(1), dated[1])
    eighths = _FRACTION_AND_DATE.match(line.text, at) if pair is not None and not line.has_date and line.found else None
    if eighths is not None and all(token.kind is not NUMBER for token in line.found):
        return Token(NUMBER, at, eighths.end(), eighths[0])
    ticks = None if line.ticks else patterns.TICK_PAIR.match(line.text, at)
    if ticks is not None and (pair is None or pair.end() <= ticks.end()):  # in no class of 32nds: nothing can be read
        return level(line, at, ticks.end(), ticks[0])
    if pair is not None and not line.ticks and "-" in pair[0] and patterns.TICKS_ALONE.fullmatch(pair[0]):
        return Token(WORD, at, pair.end(), pair[0])
    if pair is None and line.text[at] in "£$€":  # `£97.5-98.5`
        pair = patterns.PAIR[line.ticks].match(line.text, at + 1)
        if pair is not None and "/" not in pair[0] and "." not in pair[0]:  # `$102-08` may be 32nds
            return None
    return level(line, at, pair.end(), pair[0]) if pair is not None else None


def _signed(line: CutLine, at: int, pair: re.Match[str] | None) -> Token | None:
    """`+120/115`, `-12`: a spread, else the pair that begins there; `+25c` is the day's change."""
    cents = patterns.CENTS.match(line.text, at)
    if cents is not None:
        return Token(CHANGE, at, cents.end(), cents[0])
    if line.found and line.found[-1].kind is REFERENCE and line.text[at] != "+":  # `vs 42.10-55d`
        delta = patterns.DELTA.match(line.text, at + 1)
        if delta is not None:
            return Token(DELTA, at, delta.end(), delta[0])
    strike = patterns.STRIKE.match(line.text, at) if line.curves else None
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
